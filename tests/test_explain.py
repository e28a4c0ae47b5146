"""Reasons behind scores: cases, and that outcomes agree with the plain scorer on wins drawn at random."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from typer.testing import CliRunner

from mjcli.cli.main import app
from mjcli.explain import Explanation, explain
from mjcli.notation import parse_line
from mjcli.ruleset import Ruleset, load_ruleset
from mjcli.scoring import Score, score
from tests.cases import by_case, table
from tests.plain_jipinghu import PlainWin, plain_score
from tests.random_wins import THEMES, random_win
from tests.rulesets import own_or_shipped

JIPINGHU = load_ruleset("jipinghu")


def ruleset_of(case: dict[str, Any]) -> Ruleset:
    return load_ruleset(own_or_shipped(case["rules"]), case.get("options"))


@by_case(table("explain"))
def test_case(case: dict[str, Any]) -> None:
    ruleset = ruleset_of(case)
    found = explain(score(parse_line(case["line"], extra=ruleset.extra_words), ruleset))
    verdicts = {each.pattern.id: each for each in found.verdicts}
    assert list(verdicts) == [each.id for each in ruleset.patterns]
    for name, fan in case["counts"].items():
        assert (name, verdicts[name].outcome, verdicts[name].fan) == (name, "counts", fan)
        assert verdicts[name].failures == ()
    for how in ("contained", "excluded"):
        for name, by in case.get(how, {}).items():
            assert (name, verdicts[name].outcome, list(verdicts[name].by)) == (name, how, by)
    for name, failures in case.get("fails", {}).items():
        assert (name, verdicts[name].outcome) == (name, "fails")
        assert list(map(str, verdicts[name].failures)) == failures
    assert list(map(str, found.below)) == case.get("below", [])
    assert [each.missing for each in found.below] == case.get("missing", [None for _ in found.below])
    unplayed = {each.pattern.id: str(each.failures[0]) for each in found.unplayed}
    assert {each.outcome for each in found.unplayed} <= {"unplayed"}
    assert not unplayed.keys() & verdicts.keys()
    for name, why in case.get("unplayed", {}).items():
        assert (name, unplayed[name]) == (name, why)


def explained(line: str) -> tuple[Score, Explanation]:
    found = score(parse_line(line), JIPINGHU)
    return found, explain(found)


def test_losses_say_in_which_step_and_by_how_much() -> None:
    found, reasons = explained("111222333m55p99s+9s")
    assert [(each.step, each.behind) for each in reasons.losses] == [("fan", 2)]
    assert [each.evaluated for each in reasons.losses] == list(found.others)


def test_of_equal_readings_the_first_is_taken() -> None:
    _, reasons = explained("12344m456p789s99p+4m")
    assert {(each.step, each.behind) for each in reasons.losses} <= {("", 0)}


def test_a_loss_under_the_cap() -> None:
    found, reasons = explained("111222333m9s,111z++9s seat=E")
    assert (found.fan, found.fan_uncapped) == (3, 5)
    assert [(each.step, each.behind) for each in reasons.losses] == [("fan_uncapped", 2)]


def test_of_a_hand_that_is_not_complete_it_is_said_how_far_it_is() -> None:
    _, reasons = explained("19m19p19s1234567z+5m")
    assert reasons == Explanation(
        verdicts=(), unplayed=(), losses=(), below=(), missing={"standard": 9, "thirteen-orphans": 1}
    )


@pytest.mark.parametrize("theme", [*THEMES, "nine gates", "orphans"])
def test_outcomes_are_those_of_the_plain_scorer(theme: str) -> None:
    rng = Random(f"explain {theme}")
    for _ in range(30):
        win = random_win(rng, theme)
        expected = plain_score(win)
        found, reasons = explained(win.line())
        if expected is None:
            assert reasons.verdicts == ()
            continue
        outcomes = {each.pattern.id: each.outcome for each in reasons.verdicts}
        assert any(
            outcomes
            == {name: "counts" if name in counts else "contained" if name in rest else "fails" for name in outcomes}
            for counts, rest in expected.choices
        ), win.line()
        losses = [each.behind for each in reasons.losses if each.step == "fan"]
        assert losses == sorted(losses)
        check_failures(win, found, reasons)


def check_failures(win: PlainWin, found: Score, reasons: Explanation) -> None:
    """Hold what failing terms say against the tiles."""
    assert found.best is not None
    reading = found.best.reading
    kinds = [group.kind for group in reading.sets] + [str(meld.type) for meld in found.line.hand.melds]
    tiles = [*win.concealed, win.win, *(tile for meld in win.melds for tile in meld.tiles)]
    suits = {tile[1] for tile in tiles}
    truths = {
        "form == standard": reading.form == "standard",
        "only(ends)": all(tile[0] in "19" or tile[1] == "z" for tile in tiles),
        "only(honors)": suits == {"z"},
        "only(terminals)": all(tile[0] in "19" and tile[1] != "z" for tile in tiles),
        "has(honors)": "z" in suits,
        "not has(honors)": "z" not in suits,
        "has(terminals)": any(tile[0] in "19" and tile[1] != "z" for tile in tiles),
        "self_drawn": win.drawn,
        "not self_drawn": not win.drawn,
        "not dealer": win.seat != "E",
        "first_turn": win.first_turn,
        "last_tile": win.last_tile,
        "rob_kong": win.rob_kong,
    }
    numbers = {
        "chows": kinds.count("chow"),
        "pungs": kinds.count("pung") + kinds.count("kong"),
        "suits": len(suits - {"z"}),
        "melds": len(win.melds),
        "winners": win.winners,
        "kong_draw": win.kong_draw,
    }
    for verdict in reasons.verdicts:
        assert bool(verdict.failures) == (verdict.outcome == "fails")
        failing = {failure.text for failure in verdict.failures}
        assert failing <= set(verdict.terms)
        for term in verdict.terms:
            assert truths.get(term, term not in failing) == (term not in failing), (win.line(), term)
        for failure in verdict.failures:
            for word, value in re.findall(r"(?:^|, )(\w+) is (\d+)", failure.because):
                assert numbers.get(word, int(value)) == int(value) or word == "waits", (win.line(), failure)


def table_of(line: str, *arguments: str) -> list[str]:
    """Return the rows of the table that ``score`` prints."""
    words = ["score", line, "--rules", "jipinghu", "-f", "table", *arguments]
    return CliRunner().invoke(app, words, prog_name="mjcli").stdout.splitlines()[2:]


def test_the_table_has_a_row_for_every_pattern_those_that_count_first() -> None:
    line = "12345677p66z,555z+6z"
    rows = table_of(line, "--explain", "--lang", "zh-Hant")
    _, reasons = explained(line)
    assert len(rows) == len(reasons.verdicts) + len(reasons.unplayed)
    assert rows[0].split() == ["12345677p66z,555z+6z", "3", "8", "混一色", "2", "suits", "==", "1;", "has(honors)"]
    assert rows[1].split() == ["三元牌", "2", "pungs(dragons)"]
    assert rows[2].split() == ["雞和", "已含於", "混一色"]
    assert any(row.endswith("pungs == 4 (pungs is 2)") for row in rows)
    assert rows[-1].endswith("only_if lift_last_discard (lift_last_discard is false)")
    assert len(table_of(line)) == 2


def test_the_table_of_a_hand_that_is_not_complete() -> None:
    assert [row.split() for row in table_of("12345678p66z,555z+6z", "--explain")] == [
        ["12345678p66z,555z+6z", "not", "complete"]
    ]


@pytest.mark.parametrize(
    ("language", "row"),
    [
        ("en", "standard 345m 444m 222s 555s 55p  pung -> 444m  2 fan less"),
        ("zh-Hant", "standard 345m 444m 222s 555s 55p  pung -> 444m  fan 少 2"),
    ],
)
def test_a_reading_of_the_same_sets_shows_which_of_them_the_winning_tile_completed(language: str, row: str) -> None:
    words = ["score", "34445m55p222555s+4m", "--set", "flowers=false", "--explain", "--lang", language]
    rows = CliRunner().invoke(app, words, prog_name="mjcli").stdout.splitlines()
    assert f"    {row}" in rows
