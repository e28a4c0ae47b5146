"""What a false win costs, by the library and on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest
from typer.testing import CliRunner

from mjcli.cli.main import app
from mjcli.errors import InputError, RulesetError
from mjcli.melds import Seat
from mjcli.payments import false_win_payments
from mjcli.ruleset import load_ruleset
from tests.cases import by_case, table
from tests.rulesets import small_ruleset

HAND: Final = "123456p13577p11z+2z"
"""A hand that is complete by no ruleset, of tiles that all have."""
PATTERNS: Final = [{"id": "four_chows", "fan": "1", "when": "chows == 4"}]


@by_case(table("false_wins"))
def test_cases(case: dict[str, Any]) -> None:
    options = {name: str(value) for name, value in case.get("options", {}).items()}
    seat = case.get("seat", "S")
    assert false_win_payments(load_ruleset(case["rules"], options), Seat(seat)) == case["payments"]
    settings = [word for name, value in options.items() for word in ("--set", f"{name}={value}")]
    hand = f"{HAND} seat={seat}"
    found = CliRunner().invoke(app, ["score", hand, "--false-win", "--json", "--rules", case["rules"], *settings])
    answer = json.loads(found.stdout)
    assert (found.exit_code, answer["false_win"], answer["payments"]) == (1, True, case["payments"])


@pytest.mark.parametrize("name", sorted({case["rules"] for case in table("false_wins")}))
def test_it_costs_others_nothing(name: str) -> None:
    ruleset = load_ruleset(name)
    for offender in ruleset.seats:
        payments = false_win_payments(ruleset, offender)
        assert sum(payments.values()) == 0
        assert [seat for seat, amount in payments.items() if amount <= 0] == [offender]


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("1 + pungs", "only options may decide this, nothing that depends on the hand"),
        ("fann", "no word 'fann'"),
        ("fan", "only options may decide this, nothing that depends on the hand"),
        (["1"], "a number of the condition language is wanted here, not a list"),
    ],
)
def test_faults(tmp_path: Path, said: Any, message: str) -> None:
    path = small_ruleset(tmp_path, PATTERNS, false_win=said)
    with pytest.raises(RulesetError) as caught:
        load_ruleset(str(path), cache=False)
    assert message in str(caught.value)


def test_a_ruleset_that_does_not_say(tmp_path: Path) -> None:
    path = small_ruleset(tmp_path, PATTERNS)
    with pytest.raises(InputError, match="small does not say what a false win costs") as caught:
        false_win_payments(load_ruleset(str(path), cache=False), Seat.E)
    assert caught.value.code == "no-false-win"
    found = CliRunner().invoke(app, ["score", "123456m456p77s11z+1z", "--false-win", "--rules", str(path)])
    assert (found.exit_code, found.stdout) == (2, "")
    assert "small does not say what a false win costs" in found.stderr


def test_a_seat_that_is_not_at_the_table() -> None:
    with pytest.raises(InputError, match="nobody sits N in malaysia-3p, which 3 play") as caught:
        false_win_payments(load_ruleset("malaysia-3p"), Seat.N)
    assert caught.value.code == "bad-seat"


def test_a_hand_that_wins_is_paid_as_ever() -> None:
    line = "111z222z333z44z55z+5z seat=S from=E"
    plain = CliRunner().invoke(app, ["score", line, "--json", "--rules", "hongkong"])
    asked = CliRunner().invoke(app, ["score", line, "--json", "--rules", "hongkong", "--false-win"])
    assert (asked.exit_code, asked.stdout) == (0, plain.stdout)
