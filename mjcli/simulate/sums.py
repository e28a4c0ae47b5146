"""Deals and games played in arrays, and what they add up to: the same numbers as ``mjcli.simulate.tally`` adds up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mjcli.lockstep import Ends, Lockstep, Notes, Wins
from mjcli.ruleset import Ruleset
from mjcli.ruleset.model import ABORTS
from mjcli.simulate.games import Game, NextDeal, Result
from mjcli.simulate.runs import Played, Run
from mjcli.simulate.tally import Key, Tally, measures

__all__ = ["FEW", "FEW_GAMES", "Measures", "joined", "play_in_arrays"]

FEW: Final = 48
"""Deals from which on arrays are faster."""

FEW_GAMES: Final = 96
"""Games from which on they are: each of their steps plays until the longest deal is over."""

Numbers = NDArray[np.int64]

Measures: TypeAlias = dict[Key, Numbers]
"""What two runs are compared by, int64[units] each."""


def play_in_arrays(
    run: Run, lockstep: Lockstep, first: int, count: int, log: list[str] | None = None
) -> tuple[Tally, Measures]:
    """Return what some deals or games add up to, and what they are compared by; rare deals are played one by one.

    A row is a deal, or a game, whose deals are played one after the other: a step plays the next deal of all games.

    Args:
        run: of which they are.
        lockstep: that of the run.
        first: the number of the first deal or game.
        count: how many deals or games.
        log: takes the lines of a log, if there is to be one.
    """
    rows = _Rows(run, lockstep, count, logged=log is not None)
    units = list(range(count))
    if run.plan.games:
        rows.games = [run.game(first + unit) for unit in units]
        while len(units) >= FEW_GAMES:
            rows.play(units, [rows.games[unit].next_deal() for unit in units])
            units = [unit for unit in units if not rows.games[unit].is_over]
        for unit in units:
            rows.add_played(unit, list(run.rest(rows.games[unit], first + unit, rows.log_of(unit))))
    else:
        rows.play(units, [run.single_deal(first + unit) for unit in units])
    for lines in rows.logs:
        assert log is not None
        log += lines
    return rows.sums()


def joined(units: Sequence[Mapping[Key, int]]) -> Measures:
    """Return the measures of units that were played one by one as arrays."""
    return {key: np.array([unit[key] for unit in units], np.int64) for key in units[0]}


class _Rows:
    """Deals or games side by side, and what they add up to."""

    def __init__(self, run: Run, lockstep: Lockstep, units: int, *, logged: bool) -> None:
        self.run, self.lockstep = run, lockstep
        self.games: list[Game] = []
        """Of each unit; none where they are deals."""
        self.logs = [list[str]() for _ in range(units if logged else 0)]
        """The lines of each unit, if there is to be a log."""
        self._tally = Tally()
        self._measured = {key: np.zeros(units, np.int64) for key in measures([], len(run.plan.players))}

    def log_of(self, unit: int) -> list[str] | None:
        """Return what takes the lines of a unit; None where there is to be no log."""
        return self.logs[unit] if self.logs else None

    def play(self, units: Sequence[int], dealt: Sequence[NextDeal]) -> None:
        """Play one deal of each of some units."""
        run, notes = self.run, Notes() if self.logs else None
        ends, seated = run.ends(self.lockstep, dealt, notes)
        played = np.flatnonzero(~ends.aside)
        self._tally.update(tally_of(ends, seated, run.ruleset))
        for key, values in measures_of(ends, seated).items():
            self._measured[key][np.array(units)[played]] += values[played]
        told = None if notes is None else notes.told(ends, run.ruleset)
        if told is not None or self.games:
            results = list(_results(ends))
            for row in played.tolist():
                if told is not None:
                    self.logs[units[row]] += run.lines(dealt[row], told[row])
                if self.games:
                    self.games[units[row]].end_deal(results[row])
        for row in np.flatnonzero(ends.aside).tolist():
            unit, each = units[row], dealt[row]
            outcome = run.play(each, self.log_of(unit))
            self.add_played(unit, [Played(unit, each.seated, outcome)])
            if self.games:
                self.games[unit].end_deal(Result.of(outcome))

    def add_played(self, unit: int, deals: Sequence[Played]) -> None:
        """Add deals of a unit that were played one by one."""
        for each in deals:
            self._tally.add_deal(each)
        for key, value in measures(deals, len(self.run.plan.players)).items():
            self._measured[key][unit] += value

    def sums(self) -> tuple[Tally, Measures]:
        """Return what all units add up to, and what they are compared by."""
        tally, measured = self._tally, self._measured
        deals = measured["deals",]
        tally["units",] += len(deals)
        _note(tally, ("deals of unit",), deals)
        for place in range(len(self.run.plan.players)):
            _note(tally, ("player", place, "points of unit"), measured["player", place, "points"])
        return tally, measured


def tally_of(ends: Ends, seated: NDArray[np.intp], ruleset: Ruleset) -> Tally:
    """Return the sums over deals, but for those that were left aside; how many units they are is not among them.

    Args:
        ends: of the deals.
        seated: intp[deals, seats]: the place among the players of who sat at each seat.
        ruleset: by which they were played.
    """
    tally = Tally()
    played = ~ends.aside
    count = int(played.sum())
    points = _points(ends)[played]
    tally["deals",] = count
    for winners, deals in enumerate(np.bincount(_winners(ends)[played]).tolist()):
        tally["winners", winners] = deals
    sides = seated[played]
    for who, column in _sides(sides):
        tally[*who, "deals"] = int(column.sum())
        _note(tally, (*who, "points"), points[column])
    tally["declared",] = int(ends.declared[played].sum())
    for place, reason in enumerate(ABORTS):
        tally["aborted", reason] = int((ends.aborted[played] == place).sum())
    ready = ends.ready_at[played]
    tally["ready",] = int((ready >= 0).sum())
    _note(tally, ("turns to ready",), ready[ready >= 0])
    for wins in ends.wins:
        _add_wins(tally, wins, ends, seated, ruleset)
    return Tally({key: value for key, value in tally.items() if value})


def _add_wins(tally: Tally, wins: Wins, ends: Ends, seated: NDArray[np.intp], ruleset: Ruleset) -> None:
    kept = np.flatnonzero(~ends.aside[wins.row])
    row, seat, feeder, robbed = (column[kept] for column in (wins.row, wins.seat, wins.feeder, wins.robbed))
    fan, received = wins.fan[kept], wins.payments[kept, seat]
    tally["wins",] += len(kept)
    winner = seated[row, seat]
    ways = {"robbed kong": robbed, "self-draw": feeder < 0, "discard": (feeder >= 0) & ~robbed}
    for how, holds in ways.items():
        tally[how,] += int(holds.sum())
    for side, word in ((seat, "seat"), (winner, "player")):
        for who in range(seated.shape[1]):
            tally[word, who, "won"] += int((side == who).sum())
            for how, holds in ways.items():
                tally[word, who, how] += int((holds & (side == who)).sum())
    fed = np.flatnonzero(feeder >= 0)
    for side, word in ((feeder[fed], "seat"), (seated[row[fed], feeder[fed]], "player")):
        for who in range(seated.shape[1]):
            tally[word, who, "fed"] += int((side == who).sum())
    _note(tally, ("turns to win",), ends.turns[row, seat])
    _note(tally, ("fan of win",), fan)
    _note(tally, ("points of win",), received)
    for value, count in zip(*(each.tolist() for each in np.unique(fan, return_counts=True)), strict=True):
        tally["fan", value] += count
    for index, rule in enumerate(ruleset.liability):
        tally["liable", rule.id] += int((wins.liable[kept] == index).sum())
    for place, info in enumerate(ruleset.patterns):
        times = wins.counts[place, kept]
        counting = np.flatnonzero(times)
        if len(counting):
            tally["pattern", info.id] += len(counting)
            tally["pattern", info.id, "times"] += int(times.sum())
            _note(tally, ("pattern", info.id, "fan"), (times * wins.fans[place, kept])[counting])
            _note(tally, ("pattern", info.id, "points"), received[counting])


def measures_of(ends: Ends, seated: NDArray[np.intp]) -> Measures:
    """Return what two runs are compared by, int64[deals] each; of deals left aside they say nothing.

    Arguments are those of ``tally_of``.
    """
    deals, players = seated.shape
    fan = np.zeros(deals, np.int64)
    won, fed = np.zeros((deals, players), np.int64), np.zeros((deals, players), np.int64)
    for wins in ends.wins:
        np.add.at(fan, wins.row, wins.fan)
        np.add.at(won, (wins.row, seated[wins.row, wins.seat]), 1)
        by = np.flatnonzero(wins.feeder >= 0)
        np.add.at(fed, (wins.row[by], seated[wins.row[by], wins.feeder[by]]), 1)
    points = np.empty((deals, players), np.int64)
    np.put_along_axis(points, seated, _points(ends), axis=1)
    found: Measures = {
        ("deals",): np.ones(deals, np.int64),
        ("drawn",): (_winners(ends) == 0).astype(np.int64),
        ("fan",): fan,
    }
    for place in range(players):
        for word, column in (("points", points), ("won", won), ("fed", fed)):
            found["player", place, word] = column[:, place].copy()
    return found


def _sides(seated: NDArray[np.intp]) -> Iterator[tuple[Key, NDArray[np.bool_]]]:
    """Yield each seat and each player, and bool[deals, seats]: at which seats of which deals he sat."""
    seats = np.arange(seated.shape[1])
    for seat in seats.tolist():
        yield ("seat", seat), np.broadcast_to(seats == seat, seated.shape)
    for player in seats.tolist():
        yield ("player", player), seated == player


def _points(ends: Ends) -> Numbers:
    """Return int64[deals, seats]: what each seat received in all."""
    found = ends.beside
    for wins in ends.wins:
        np.add.at(found, wins.row, wins.payments)
    return found


def _winners(ends: Ends) -> Numbers:
    """Return int64[deals]: how many won."""
    found = np.zeros(len(ends.numbers), np.int64)
    for wins in ends.wins:
        np.add.at(found, wins.row, 1)
    return found


def _results(ends: Ends) -> Iterator[Result]:
    """Yield what each deal changes in its game."""
    winners: list[list[int]] = [[] for _ in ends.numbers]
    for wins in ends.wins:
        for row, seat in zip(wins.row.tolist(), wins.seat.tolist(), strict=True):
            winners[row].append(seat)
    columns = (each.tolist() for each in (_points(ends), ends.last_drawer, ends.ready, ends.deposits))
    for payments, won, last_drawer, ready, deposits in zip(next(columns), winners, *columns, strict=True):
        yield Result(payments, won, last_drawer, [seat for seat, is_ready in enumerate(ready) if is_ready], deposits)


def _note(tally: Tally, key: Key, values: Numbers) -> None:
    """Add values that are averaged."""
    tally[key] += int(values.sum())
    tally[*key, "squares"] += int((values * values).sum())
