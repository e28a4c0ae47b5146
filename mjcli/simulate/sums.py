"""Deals played in arrays, and what they add up to: the same numbers as ``mjcli.simulate.tally`` adds one by one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from mjcli.lockstep import Ends, Lockstep, Notes, Wins
from mjcli.ruleset import Ruleset
from mjcli.simulate.runs import Run
from mjcli.simulate.tally import Key, Tally, measures

__all__ = ["Measures", "joined", "play_in_arrays"]

Numbers = NDArray[np.int64]

Measures: TypeAlias = dict[Key, Numbers]
"""What two runs are compared by, int64[units] each."""


def play_in_arrays(
    run: Run, lockstep: Lockstep, first: int, count: int, log: list[str] | None = None
) -> tuple[Tally, Measures]:
    """Return what some single deals add up to, and what they are compared by; those left aside are played one by one.

    Args:
        run: of which they are.
        lockstep: that of the run.
        first: the number of the first deal.
        count: how many deals.
        log: takes the lines of a log, if there is to be one.
    """
    notes = None if log is None else Notes()
    ends, seated = run.ends(lockstep, first, count, notes)
    tally, measured = tally_of(ends, seated, run.ruleset), measures_of(ends, seated)
    told = [] if notes is None else notes.told(ends, run.ruleset)
    for row in range(count) if notes else np.flatnonzero(ends.aside).tolist():
        if ends.aside[row]:
            played = list(run.played(first + row, 1, log))
            tally.add(played)
            for key, value in measures(played, seated.shape[1]).items():
                measured[key][row] = value
        elif log is not None:
            log += run.lines(first + row, seated[row].tolist(), told[row])
    return tally, measured


def joined(units: Sequence[Mapping[Key, int]]) -> Measures:
    """Return the measures of units that were played one by one as arrays."""
    return {key: np.array([unit[key] for unit in units], np.int64) for key in units[0]}


def tally_of(ends: Ends, seated: NDArray[np.intp], ruleset: Ruleset) -> Tally:
    """Return the sums over deals, but for those that were left aside.

    Args:
        ends: of single deals.
        seated: intp[deals, 4]: the place among the players of who sat at each seat.
        ruleset: by which they were played.
    """
    tally = Tally()
    played = ~ends.aside
    count = int(played.sum())
    points = _points(ends)[played]
    for word in ("units", "deals"):
        tally[word,] = count
    _note(tally, ("deals of unit",), np.ones(count, np.int64))
    for winners, deals in enumerate(np.bincount(_winners(ends)[played]).tolist()):
        tally["winners", winners] = deals
    sides = seated[played]
    for who, column in _sides(sides):
        tally[*who, "deals"] = int(column.sum())
        _note(tally, (*who, "points"), points[column])
        if who[0] == "player":
            _note(tally, (*who, "points of unit"), points[column])
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
    """Yield each seat and each player, and bool[deals, 4]: at which seats of which deals he sat."""
    seats = np.arange(seated.shape[1])
    for seat in seats.tolist():
        yield ("seat", seat), np.broadcast_to(seats == seat, seated.shape)
    for player in seats.tolist():
        yield ("player", player), seated == player


def _points(ends: Ends) -> Numbers:
    """Return int64[deals, 4]: what each seat received in all."""
    found = np.zeros(ends.turns.shape, np.int64)
    for wins in ends.wins:
        np.add.at(found, wins.row, wins.payments)
    return found


def _winners(ends: Ends) -> Numbers:
    """Return int64[deals]: how many won."""
    found = np.zeros(len(ends.numbers), np.int64)
    for wins in ends.wins:
        np.add.at(found, wins.row, 1)
    return found


def _note(tally: Tally, key: Key, values: Numbers) -> None:
    """Add values that are averaged."""
    tally[key] += int(values.sum())
    tally[*key, "squares"] += int((values * values).sum())
