"""Deals in lockstep arrays: event for event those of the referee, and sums that agree with it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mjcli.batch.suits import keys_of
from mjcli.lockstep.outlooks import Outlooks
from mjcli.outlook import Outlook
from mjcli.play.wins import Wins
from mjcli.ruleset import load_ruleset
from mjcli.simulate import Plan, compare, simulate
from mjcli.simulate.runs import Run
from mjcli.simulate.sums import play_in_arrays
from mjcli.simulate.tally import Tally
from mjcli.simulate.work import _run
from tests.played import MOODY
from tests.test_outlook import counts_of, hands

FEW, MANY = 4, 1000
HURRYING = ("fast",) * 4
MIXED = ("random", "value", "careful", "fast")

PLAYED = (
    "guangdong-liudu",
    "guangdong-qingzhang",
    "guangdong-shibafan",
    "guangdong-xinzhang",
    "hongkong",
    "jipinghu",
    "malaysia-3p",
    "malaysia-4p",
    "mcr",
    "riichi",
)
"""The rulesets of which arrays are played."""

OPTIONS: Mapping[str, Mapping[str, str]] = {
    "guangdong-xinzhang": {"minimum_fan": "4", "four_as_two_pairs": "true"},
    "hongkong": {"minimum_fan": "3", "multiple_winners": "all"},
    "jipinghu": {"minimum_fan": "3", "multiple_winners": "nearest"},
    "malaysia-3p": {"minimum_fan": "2", "four_jokers_win": "true", "multiple_winners": "all", "joker_tile": "1s"},
    "malaysia-4p": {"multiple_winners": "all"},
    "mcr": {"minimum_fan": "0", "knitted_straight_wait": "best"},
    "riichi": {
        "multiple_ron": "all",
        "swap_calling": "same_tile",
        "kan_dora": "at_once",
        "kan_ura": "false",
        "riichi_kongs": "none",
        "abortive_draws": "false",
        "nagashi_mangan": "false",
        "draw_keeps_deal": "always",
        "aka_dora": "false",
    },
}
"""Options under which other things happen: complete hands that may not win, several winners, other indicators."""


FORMS = (
    {"standard": "", "thirteen-orphans": "", "seven-pairs": "different", "thirteen-unconnected": ""},
    {"standard": "", "thirteen-orphans": ""},
    {"standard": "", "seven-pairs": "four"},
    {"standard": "", "seven-pairs": "four", "thirteen-orphans": "", "knitted": "", "knitted-straight": ""},
)


TWO_NEAR = [1, 2, 2, 6, 10, 17, 20, 23, 27, 29, 29, 31, 32, 33]
"""What two forms miss alike, of which every discard that one may spare, the other may too."""


@settings(max_examples=60)
@example(rows=[TWO_NEAR], forms=FORMS[1])
@given(rows=st.lists(hands(2), min_size=1, max_size=3), forms=st.sampled_from(FORMS))
def test_outlooks_in_arrays_are_those_of_one_hand(rows: list[list[int]], forms: dict[str, str]) -> None:
    counts = np.array(list(map(counts_of, rows)), np.uint8)
    sets = np.array([len(kinds) // 3 for kinds in rows], np.uint8)
    keys = keys_of(counts)[0]
    outlooks, outlook = Outlooks(forms, load_ruleset("jipinghu").tiles), Outlook(forms)
    missing = outlooks.missing(counts, keys, sets).tolist()
    assert missing == [outlook.missing(held.tolist(), size) for held, size in zip(counts, sets.tolist(), strict=True)]
    found: list[dict[int, list[int]]] = [{} for _ in rows]
    discards = outlooks.discards(counts, keys, sets)
    for hand, kind, helps in zip(discards.hand.tolist(), discards.kind.tolist(), discards.helps, strict=True):
        rest = counts[hand] - (np.arange(34) == kind)
        found[hand][kind] = np.flatnonzero(helps & (rest < 4)).tolist()
        left, waits = outlooks.settled(rest[None], keys_of(rest[None])[0], sets[[hand]])
        least, helpful = outlook.helpful(rest.tolist(), int(sets[hand]))
        assert left.tolist() == [least]
        assert waits.tolist() == [sum(1 << each for each in helpful) if least == 1 else 0]
    for place, (held, size) in enumerate(zip(counts, sets.tolist(), strict=True)):
        assert found[place] == {
            kind: sorted(helpful) for kind, helpful in outlook.discards(held.tolist(), size)[1].items()
        }


@settings(max_examples=60)
@given(rows=st.lists(st.tuples(hands(2), st.integers(0, 4)), min_size=1, max_size=3))
def test_outlooks_with_jokers_are_those_of_one_hand(rows: list[tuple[list[int], int]]) -> None:
    ruleset = load_ruleset("malaysia-3p")
    held = [(kinds[min(count, len(kinds) - 1) :], len(kinds) // 3, min(count, len(kinds) - 1)) for kinds, count in rows]
    counts = np.array([counts_of(kinds) for kinds, _, _ in held], np.uint8)
    sets, jokers = (np.array(column, np.uint8) for column in list(zip(*held, strict=True))[1:])
    outlooks, outlook, wins = Outlooks(ruleset.forms, ruleset.tiles), Outlook(ruleset.forms), Wins(ruleset)
    found: list[dict[int, list[int]]] = [{} for _ in rows]
    discards = outlooks.discards(counts, keys_of(counts)[0], sets, jokers)
    for hand, kind, helps in zip(discards.hand.tolist(), discards.kind.tolist(), discards.helps, strict=True):
        rest = counts[hand] - (np.arange(34) == kind)
        found[hand][kind] = np.flatnonzero(helps & (rest < 4)).tolist()
        _, waits = outlooks.settled(rest[None], keys_of(rest[None])[0], sets[[hand]], jokers[[hand]])
        expected = wins.waits(rest.tolist(), int(sets[hand]), int(jokers[hand]))
        assert waits.tolist() == [sum(1 << each for each in expected)]
    for place, (of_hand, size, count) in enumerate(zip(counts.tolist(), sets.tolist(), jokers.tolist(), strict=True)):
        assert found[place] == {
            kind: sorted(helpful) for kind, helpful in outlook.discards(of_hand, size, count)[1].items()
        }


def as_many(rules: str, players: tuple[str, ...]) -> tuple[str, ...]:
    """Return as many of some players as a ruleset has."""
    return players[: load_ruleset(rules).players]


def check(plan: Plan, first: int, count: int) -> None:
    """Play deals in arrays and one by one, and compare logs and sums."""
    run = Run(plan)
    assert run.lockstep is not None
    lines: list[str] = []
    tally, _ = play_in_arrays(run, run.lockstep, first, count, lines)
    expected: list[str] = []
    one_by_one = Tally()
    one_by_one.add(run.played(first, count, expected))
    assert lines == expected
    assert tally == one_by_one


@pytest.mark.parametrize("rules", PLAYED)
def test_logs_and_sums_are_those_of_the_referee(rules: str) -> None:
    check(Plan(rules=rules, seed=6, players=as_many(rules, HURRYING)), 5, FEW)


@pytest.mark.parametrize("rules", OPTIONS)
def test_so_they_are_under_other_options(rules: str) -> None:
    check(Plan(rules=rules, options=OPTIONS[rules], seed=6, players=as_many(rules, HURRYING)), 0, FEW)


@pytest.mark.parametrize("rules", ["guangdong-xinzhang", "hongkong", "malaysia-3p", "riichi"])
def test_so_they_are_of_other_players(rules: str) -> None:
    check(Plan(rules=rules, seed=6, players=as_many(rules, MIXED)), 2, FEW // 2)


@pytest.mark.long
def test_so_they_are_where_most_win_without_melds() -> None:
    players = ("careful", "value", "careful", "fast")
    check(Plan(rules="guangdong-xinzhang", options={"minimum_fan": "3"}, seed=6, players=players), 0, MANY)


@pytest.mark.long
@pytest.mark.parametrize("rules", PLAYED)
def test_logs_of_many_deals_are_those_of_the_referee(rules: str) -> None:
    check(Plan(rules=rules, seed=7, players=as_many(rules, HURRYING)), 0, MANY)


@pytest.mark.long
@pytest.mark.parametrize("rules", OPTIONS)
def test_so_are_many_under_other_options(rules: str) -> None:
    check(Plan(rules=rules, options=OPTIONS[rules], seed=7, players=as_many(rules, HURRYING)), 0, MANY)


def test_a_run_is_the_same_in_arrays_and_one_by_one() -> None:
    plan = Plan(rules="guangdong-xinzhang", seed=9)
    answers = [json.dumps(simulate(plan, 24, part=part, jobs=jobs)) for part, jobs in ((None, 1), (23, 2), (1, 1))]
    assert answers[0] == answers[1] == answers[2]


def test_a_comparison_is_the_same_in_arrays_and_one_by_one() -> None:
    plans = Plan(rules="jipinghu", seed=9), Plan(rules="jipinghu", seed=9, options={"minimum_fan": "3"})
    assert compare(*plans, 24) == compare(*plans, 24, part=6)


@pytest.mark.parametrize(
    ("rules", "options", "count"), [("jipinghu", {"stop_after": "1"}, FEW + 2), ("riichi", {"stop_after": "1"}, 2)]
)
def test_games_in_arrays_are_those_of_the_referee(
    rules: str, options: dict[str, str], count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some games are longer than others, and the last ones are played one by one."""
    monkeypatch.setattr("mjcli.simulate.sums.FEW_GAMES", count - 1)
    check(Plan(rules=rules, options=options, seed=8, games=True), 3, count)


@pytest.mark.long
@pytest.mark.parametrize("rules", PLAYED)
def test_so_are_many_whole_games(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mjcli.simulate.sums.FEW_GAMES", 2)
    check(Plan(rules=rules, seed=8, games=True, players=as_many(rules, HURRYING)), 0, 60)
    check(Plan(rules=rules, seed=8, games=True, players=as_many(rules, MIXED)), 0, 4)


def test_many_games_are_the_same_however_they_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mjcli.simulate.work.FEW_GAMES", 20)
    monkeypatch.setattr("mjcli.simulate.sums.FEW_GAMES", 20)
    plan = Plan(rules="malaysia-4p", options={"deals": "2"}, seed=9, games=True)
    answers = [json.dumps(simulate(plan, 21, part=part, jobs=jobs)) for part, jobs in ((None, 1), (20, 2), (7, 1))]
    assert answers[0] == answers[1] == answers[2]
    other = replace(plan, options={"deals": "1"})
    assert compare(plan, other, 20) == compare(plan, other, 20, part=10)


@pytest.mark.parametrize("games", [False, True])
def test_what_arrays_do_not_play_is_played_one_by_one(games: bool) -> None:
    players = (MOODY, *("fast",) * 3)
    plan = Plan(rules="hongkong", options={"stop_after": "1"}, seed=9, players=players, games=games)
    assert Run(plan).lockstep is None
    assert simulate(plan, 1)["players"] == list(players)


@pytest.mark.long
@pytest.mark.parametrize("rules", PLAYED)
def test_so_are_many_of_other_players(rules: str) -> None:
    check(Plan(rules=rules, seed=7, players=as_many(rules, MIXED)), 0, MANY)


def test_a_ruleset_with_numbers_too_great_is_played_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan(rules="jipinghu", seed=9)
    expected = simulate(plan, 50)

    def refuse(*_: object) -> None:
        raise OverflowError

    monkeypatch.setattr("mjcli.lockstep.referee.Scorer", refuse)
    assert Run(plan).lockstep is None
    _run.cache_clear()
    assert simulate(plan, 50) == expected
    _run.cache_clear()
