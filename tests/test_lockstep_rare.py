"""Deals in lockstep arrays that come to what is rare, and deals of games: event for event those of the referee."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from mjcli.lockstep import Notes
from mjcli.lockstep.hall import Standings
from mjcli.lockstep.players import ARRAY_PLAYERS
from mjcli.melds import Seat
from mjcli.play import Standing
from mjcli.play.events import Event
from mjcli.players import PLAYERS, play_deal, player
from mjcli.simulate import Plan
from mjcli.simulate.runs import Run
from mjcli.simulate.starts import starts
from mjcli.simulate.sums import play_in_arrays
from mjcli.simulate.tally import Tally
from tests.lockstep_players import AllEnds, Ends, Laying, Layings


class Case(NamedTuple):
    """A deal that comes to something."""

    shows: str
    """What its log says then."""
    players: tuple[str, ...]
    seed: int
    number: int
    options: tuple[tuple[str, str], ...] = ()
    rules: str = "riichi"


FAST, MIXED = ("fast",) * 4, ("laying", "laying", "fast", "ends")
JOKERS = "laying", "laying", "ends"

CASES = [
    Case('"reason": "nine_ends", "seats"', FAST, 3, 15),
    Case('"reason": "four_winds"', FAST, 3, 473),
    Case('"reason": "all_ready"', FAST, 3, 73),
    Case('"reason": "three_winners", "seats"', FAST, 11, 6092),
    Case('"reason": "four_kongs"', MIXED, 3, 688),
    Case('"reason": "river"', MIXED, 3, 2577),
    Case('"reason": "ready_hands"', FAST, 3, 13),
    Case('"qiang_gang"', MIXED, 3, 2429),
    Case('"gang_shang_hua"', MIXED, 3, 3912),
    Case('"liable": "da_san_yuan"', MIXED, 3, 5995),
    Case("double-riichi", FAST, 3, 677),
    Case('"shi_san_yao"', MIXED, 3, 3574),
    Case('"fu_concealed_kongs"', FAST, 3, 1740),
    Case("winners=2", FAST, 3, 168),
    Case("winners=3", FAST, 11, 7204, (("multiple_ron", "all"),)),
    Case("rob-kong", ("laying",) * 4, 11, 4732),
    Case('"discard", "seat": "S", "tile": "1j"', JOKERS, 3, 77, rules="malaysia-3p"),
    Case("+1j seat=W from=S", JOKERS, 3, 77, rules="malaysia-3p"),
    Case("rob-kong", JOKERS, 3, 682, rules="malaysia-3p"),
    Case('"liable": "da_san_yuan"', JOKERS, 3, 2433, rules="malaysia-3p"),
    Case('"si_fei"', JOKERS, 3, 121, rules="malaysia-3p"),
    Case('"si_fei"', JOKERS, 3, 151, (("four_jokers_win", "true"),), "malaysia-3p"),
    Case("winners=2", ("laying",) * 3, 3, 403, (("minimum_fan", "1"), ("multiple_winners", "all")), "malaysia-3p"),
]


@cache
def _run(players: tuple[str, ...], seed: int, options: tuple[tuple[str, str], ...] = (), rules: str = "riichi") -> Run:
    return Run(Plan(rules=rules, seed=seed, players=players, options=dict(options)))


@pytest.fixture(autouse=True)
def _players(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, one, many in (("laying", Laying, Layings), ("ends", Ends, AllEnds)):
        monkeypatch.setitem(PLAYERS, name, one)
        monkeypatch.setitem(ARRAY_PLAYERS, name, many)


OWN = """
id: own
version: 1
extends: hongkong
names: {en: Own}
tiles: {0m: 2, 0p: 1}
play:
  winners: all
  passed_win: any_tile
  own_discards: true
  swap_calling: same_chow
  most_kongs: 2
  last_replacement: false
  ready_hands: 600
  river: {when: minimum_fan >= 0, tiles: ends, dealer: 40, others: 20}
  aborts: {nine_ends: minimum_fan >= 0, three_winners: minimum_fan >= 0}
"""
"""What no shipped ruleset has together: flowers, red fives and players who hurry and claim, with rules of riichi."""

WITH_JOKERS = """
id: own
version: 1
extends: mcr
names: {en: Own}
tiles: {1j: 4}
jokers: {tile: 1j, kongs: false}
play:
  winners: all
  passed_win: any_tile
  own_discards: true
  joker_claims: minimum_fan >= 0
  most_kongs: 2
"""
"""Another: jokers among four players, in every form but one."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.shows} of {case.players[0]}")
def test_what_is_rare_is_as_the_referee_has_it(case: Case) -> None:
    lines = checked(_run(case.players, case.seed, case.options, case.rules), case.number, 1)
    assert any(case.shows in line for line in lines)


def checked(run: Run, first: int, count: int) -> list[str]:
    """Return the log of deals, which arrays and the referee write alike."""
    assert run.lockstep is not None
    lines: list[str] = []
    expected: list[str] = []
    tally, _ = play_in_arrays(run, run.lockstep, first, count, lines)
    one_by_one = Tally()
    one_by_one.add(run.played(first, count, expected))
    assert lines == expected
    assert tally == one_by_one
    return lines


@pytest.mark.parametrize(("rules", "tile"), [(OWN, "0"), (WITH_JOKERS, "1j")], ids=["red fives", "jokers"])
def test_rules_that_no_shipped_ruleset_joins_are_kept_together(rules: str, tile: str, tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(rules, encoding="utf-8")
    lines = checked(Run(Plan(rules=str(path), seed=1, players=("laying", "fast", "random", "fast"))), 0, 12)
    assert any('"flower"' in line for line in lines)
    assert any('"claim"' in line and tile in line.split('"meld"')[1] for line in lines)


ROBBED = """
id: robbed
version: 1
extends: hongkong
names: {en: Robbed}
play: {winners: all, passed_win: none, rob_concealed_kong: standard}
"""


def test_hands_with_melds_may_rob_concealed_kongs(tmp_path: Path) -> None:
    path = tmp_path / "robbed.yaml"
    path.write_text(ROBBED, encoding="utf-8")
    *_, kong, win, _, _ = checked(Run(Plan(rules=str(path), seed=1)), 91, 1)
    assert '"meld": "2222m"' in kong
    assert '"hand": "34m345789p33s3g,345ml+2m' in win


DEALS = 12
STANDINGS = [
    Standing(counters=number % 3, deposits=number % 4, points=(900, 25000, 1000 * (number % 2), 47100))
    for number in range(DEALS)
]


def test_deals_of_games_are_as_the_referee_has_them() -> None:
    run = _run(FAST, 3)
    assert run.lockstep is not None
    standings = Standings(
        counters=np.array([each.counters for each in STANDINGS]),
        deposits=np.array([each.deposits for each in STANDINGS]),
        points=np.array([each.points for each in STANDINGS], np.int64),
    )
    winds = [tuple(Seat)[number % 4] for number in range(DEALS)]
    notes, seated = Notes(), np.zeros((DEALS, 4), np.intp)
    ends = run.lockstep.play(5, np.arange(DEALS), seated, round_winds=winds, standings=standings, notes=notes)
    told = notes.told(ends, run.ruleset)
    points = ends.beside
    for wins in ends.wins:
        np.add.at(points, wins.row, wins.payments)
    assert run.ruleset.wall is not None
    four = [("fast", player("fast", run.ruleset))] * 4
    for start, wind, standing in zip(starts(run.ruleset.wall, 5, 0, DEALS), winds, STANDINGS, strict=True):
        row = start.number
        events: list[Event] = []
        outcome = play_deal(run.judge, start, four, round_wind=wind, standing=standing, tell=events.append)
        assert told[row] == events
        assert tuple(points[row].tolist()) == outcome.payments
        assert ends.deposits[row] == outcome.deposits
        assert tuple(ends.declared[row].tolist()) == outcome.declared
        assert tuple(np.flatnonzero(ends.ready[row]).tolist()) == outcome.ready
