"""The Chinese rules of 1998 beside three engines: hands where they agree, hands where they differ, random wins."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Final

import pytest

from mjcli.errors import InputError
from mjcli.hand import Line
from mjcli.notation import format_line, parse_line
from mjcli.ruleset import load_ruleset
from mjcli.scoring import score
from tests.plain import random_win
from tests.scored_rows import NAMES, differences, read_rows, sided
from tests.scoring_peers import gb_arguments, gb_fans

CASES: Final = Path(__file__).parent / "cases"
DIFFER: Final = list(read_rows(CASES / "mcr_differ.jsonl.gz"))

OTHER_CHOICES: Final = {
    "infer_last_of_kind": "true",
    "dead_waits": "counted",
    "knitted_straight_wait": "best",
    "last_draw_keeps_zi_mo": "special_forms",
}
"""The options on which engines differ, with the values that are not the default."""


def test_every_asserted_answer() -> None:
    rows = list(read_rows(CASES / "mcr_asserted.jsonl.gz"))
    assert len(rows) == 129
    found = {row["id"]: differences(row) for row in rows}
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


def test_where_engines_differ_the_answer_is_one_of_theirs() -> None:
    found = {row["id"]: differences(row) for row in DIFFER}
    assert len(found) == 65
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


def test_every_other_answer_is_had_by_one_option() -> None:
    """But for pungs of 3 4 5 7 and the like, which one engine takes for four in a row."""
    counts = dict.fromkeys(OTHER_CHOICES, 0)
    for row in DIFFER:
        sides = {engine: differences(sided(row, engine)) for engine in row["engines"]}
        (other,) = [engine for engine, wrong in sides.items() if wrong]
        if "si_jie_gao" in row["engines"][other]["patterns"]:
            assert other == "gb_mahjong"
            continue
        (option,) = [
            name for name, value in OTHER_CHOICES.items() if not differences(sided(row, other, **{name: value}))
        ]
        counts[option] += 1
    assert counts == {
        "infer_last_of_kind": 16,
        "dead_waits": 7,
        "knitted_straight_wait": 11,
        "last_draw_keeps_zi_mo": 19,
    }


AS_PYMAHJONGGB: Final = {"infer_last_of_kind": "true", "dead_waits": "counted", "knitted_straight_wait": "best"}
"""It looks for the last of a kind in the winner's own sets, waits for a fifth copy, and takes the best of two waits."""


def win(rng: Random) -> Line:
    """Return a win of MCR's forms; the flowers are those of the set, and nothing else is told that it does not know."""
    known = load_ruleset("mcr", AS_PYMAHJONGGB)
    while True:
        line = random_win(rng)
        try:
            parse_line(format_line(line), tiles=known.tiles)
            if score(line, known).complete:
                return line
        except InputError:
            continue


@pytest.mark.parametrize("wins", [1_000, pytest.param(50_000, marks=pytest.mark.long)])
def test_random_wins_score_as_by_another_engine(wins: int) -> None:
    """Every total and every fan, under the options that say what that engine does."""
    rng = Random("wins of MCR")
    for number in range(wins):
        line = win(rng)
        fans = gb_fans(gb_arguments(line))
        patterns = {NAMES["mcr"][name]: fan for name, fan in fans.items()}
        row = {"id": number, "rules": "mcr", "options": AS_PYMAHJONGGB, "line": format_line(line)}
        assert differences({**row, "fan": sum(fans.values()), "patterns": patterns}) == [], row


SHIFTED: Final = "35s44z,456m,234p,888s+4s"
"""三色三步高 6 and 坎張 1."""


@pytest.mark.parametrize(
    ("line", "options", "can_win", "fan"),
    [
        (SHIFTED, {}, False, 7),
        (SHIFTED, {"minimum_fan": "7"}, True, 7),
        (SHIFTED.replace(",", "1f,", 1), {}, False, 8),
        (SHIFTED.replace(",", "1f,", 1), {"flowers_count_for_minimum": "true"}, True, 8),
        (f"{SHIFTED} last-of-kind", {}, True, 11),
    ],
)
def test_minimum(line: str, options: dict[str, str], can_win: bool, fan: int) -> None:
    """Eight points; flowers are paid and do not help to reach it."""
    found = score(parse_line(line), load_ruleset("mcr", options))
    assert (found.can_win, found.fan) == (can_win, fan)


@pytest.mark.parametrize(
    ("words", "payments"),
    [
        ("+5m seat=S from=W", {"E": -8, "S": 32, "W": -16, "N": -8}),
        ("+5m", {"winner": 32, "discarder": -16, "other": -8}),
        ("++5m seat=S", {"E": -17, "S": 51, "W": -17, "N": -17}),
        ("+5m seat=S from=W last-of-kind", {"E": -8, "S": 36, "W": -20, "N": -8}),
    ],
)
def test_payments(words: str, payments: dict[str, int]) -> None:
    """Eight points of the discarder and of the others, and those of the hand from him, or self-drawn from each."""
    found = score(parse_line(f"67m345p11z,567p,567s{words}"), load_ruleset("mcr"))
    assert dict(found.payments) == payments
