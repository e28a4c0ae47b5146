"""Who may declare that he is ready 立直, and what those do who have, at many tables: as ``mjcli.play.referee``."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjcli.batch.hands import EXPOSED
from mjcli.lockstep.choices import Kongs, Turns, first_of_each
from mjcli.lockstep.hall import Hall, Index, bit_of, moved
from mjcli.lockstep.outlooks import Outlooks
from mjcli.ruleset.program import ReadyRules

__all__ = ["are_concealed", "bound", "declare", "may_conceal", "may_declare", "turns_of_declared"]

_NEAR: Final = 2
"""Tiles missing after the last discard, at most, of who can be ready after the next."""


def are_concealed(hall: Hall, places: Index) -> NDArray[np.bool_]:
    """Return whether players have claimed nothing."""
    found: NDArray[np.bool_] = ~np.any(EXPOSED.of(hall.marks[places]), axis=1)
    return found


def may_declare(hall: Hall, places: Index, rules: ReadyRules, outlooks: Outlooks) -> NDArray[np.bool_]:
    """Return whether players may declare that they are ready in their turn.

    Args:
        hall: the tables.
        places: of the players, who have no claim to discard for.
        rules: how ready is declared.
        outlooks: what hands miss.
    """
    rows, seats = np.divmod(places, hall.players)
    found: NDArray[np.bool_] = (hall.declared[places] == 0) & (hall.left[rows] >= rules.wall)
    found &= hall.missing[places] <= _NEAR
    points = hall.standings.points
    if rules.points and points is not None:
        found &= points[rows, seats] >= rules.deposit
    found[found] = are_concealed(hall, places[found])
    some = places[found]
    found[found] = outlooks.missing(hall.counts[some], hall.keys.take(some, axis=1), hall.sets[some]) <= 1
    return found


def declare(hall: Hall, places: Index) -> None:
    """Let players declare that they are ready with the discards that follow."""
    hall.declared[places] = 1 + hall.is_first_turn(places, had=1)
    hall.at_once[places] = True


def bound(hall: Hall, places: Index) -> NDArray[np.uint64]:
    """Return uint64[players]: a bit for each kind that players may not discard, having declared or claimed."""
    rows = places // hall.players
    return np.where(hall.declared[places] > 0, ~bit_of(hall.drawn[rows]), hall.swapped[rows])


def may_conceal(hall: Hall, kongs: Kongs, rules: ReadyRules, outlooks: Outlooks) -> NDArray[np.bool_]:
    """Return bool[kongs]: whether these may be made, as far as players have declared that they are ready.

    Args:
        hall: the tables.
        kongs: which players could make else.
        rules: how ready is declared.
        outlooks: what hands miss.
    """
    found: NDArray[np.bool_] = hall.declared[kongs.place] == 0
    some = np.flatnonzero(~found & (kongs.kind == hall.drawn[kongs.place // hall.players]) & (rules.kongs != "none"))
    places = kongs.place[some]
    counts, keys = moved(hall.counts[places], hall.keys.take(places, axis=1), kongs.kind[some], 4)
    _, waits = outlooks.settled(counts, keys, hall.sets[places] - 1)
    found[some] = waits == hall.waits[places]
    return found


def turns_of_declared(hall: Hall, places: Index, kongs: Kongs) -> Turns:
    """Return what players do who have declared and hurry: make a kong, or discard what they have drawn.

    Args:
        hall: in which they sit.
        places: of the players, in ascending order.
        kongs: those that they may make.
    """
    rows = places // hall.players
    found = Turns.discarding(hall.drawn[rows].astype(np.intp), hall.missing[places], hall.waits[places])
    found.red[:] = hall.drawn_red[rows]
    some = first_of_each(kongs.place, np.ones(len(kongs.place), np.bool_))
    found.put_kongs(np.searchsorted(places, kongs.place[some]), kongs.take(some))
    return found
