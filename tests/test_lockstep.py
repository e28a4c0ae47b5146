"""Deals in lockstep arrays: event for event those of the referee, and sums that agree with it."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from mjcli.simulate import Plan, compare, simulate
from mjcli.simulate.runs import Run
from mjcli.simulate.sums import play_in_arrays
from mjcli.simulate.tally import Tally

FEW, MANY = 12, 1000
MIXED = ("random", "value", "random", "fast")

PLAYED = (
    "guangdong-liudu",
    "guangdong-qingzhang",
    "guangdong-shibafan",
    "guangdong-xinzhang",
    "hongkong",
    "jipinghu",
    "malaysia-4p",
)
"""The rulesets of which arrays are played."""

OPTIONS: Mapping[str, Mapping[str, str]] = {
    "guangdong-xinzhang": {"minimum_fan": "4", "four_as_two_pairs": "true"},
    "hongkong": {"minimum_fan": "3", "multiple_winners": "all"},
    "jipinghu": {"minimum_fan": "3", "multiple_winners": "nearest"},
    "malaysia-4p": {"multiple_winners": "all"},
}
"""Options under which other things happen: complete hands that may not win, several winners."""


def check(plan: Plan, first: int, count: int) -> None:
    """Play deals in arrays and one by one, and compare logs and sums."""
    run = Run(plan)
    assert run.has_arrays
    lines: list[str] = []
    tally, _ = play_in_arrays(run, first, count, lines)
    expected: list[str] = []
    one_by_one = Tally()
    one_by_one.add(run.played(first, count, expected))
    assert lines == expected
    assert tally == one_by_one


@pytest.mark.parametrize("rules", PLAYED)
def test_logs_and_sums_are_those_of_the_referee(rules: str) -> None:
    check(Plan(rules=rules, seed=6), 5, FEW)


@pytest.mark.parametrize("rules", OPTIONS)
def test_so_they_are_under_other_options(rules: str) -> None:
    check(Plan(rules=rules, options=OPTIONS[rules], seed=6), 0, FEW)


@pytest.mark.parametrize("rules", ["guangdong-xinzhang", "hongkong"])
def test_so_they_are_of_other_players(rules: str) -> None:
    check(Plan(rules=rules, seed=6, players=MIXED), 2, FEW)


@pytest.mark.long
@pytest.mark.parametrize("rules", PLAYED)
def test_logs_of_many_deals_are_those_of_the_referee(rules: str) -> None:
    check(Plan(rules=rules, seed=7), 0, MANY)


@pytest.mark.long
@pytest.mark.parametrize("rules", OPTIONS)
def test_so_are_many_under_other_options(rules: str) -> None:
    check(Plan(rules=rules, options=OPTIONS[rules], seed=7), 0, MANY)


def test_a_run_is_the_same_in_arrays_and_one_by_one() -> None:
    plan = Plan(rules="guangdong-xinzhang", seed=9)
    answers = [json.dumps(simulate(plan, 60, part=part, jobs=jobs)) for part, jobs in ((None, 1), (50, 2), (1, 1))]
    assert answers[0] == answers[1] == answers[2]


def test_a_comparison_is_the_same_in_arrays_and_one_by_one() -> None:
    plans = Plan(rules="jipinghu", seed=9), Plan(rules="jipinghu", seed=9, options={"minimum_fan": "3"})
    assert compare(*plans, 50) == compare(*plans, 50, part=10)


@pytest.mark.parametrize(
    ("rules", "players", "games"),
    [("hongkong", ("fast", "fast", "careful", "fast"), False), ("hongkong", ("fast",) * 4, True)],
)
def test_what_arrays_do_not_play_is_played_one_by_one(rules: str, players: tuple[str, ...], games: bool) -> None:
    plan = Plan(rules=rules, seed=9, players=players, games=games)
    assert not Run(plan).has_arrays
    assert simulate(plan, 1)["players"] == list(players)


@pytest.mark.long
@pytest.mark.parametrize("rules", PLAYED)
def test_so_are_many_of_other_players(rules: str) -> None:
    check(Plan(rules=rules, seed=7, players=MIXED), 0, MANY)
