"""What ends deals without a win before the wall does, at many tables: as ``mjcli.play.referee``."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjcli.forms import ORPHANS
from mjcli.lockstep.hall import KONG, Hall, Index
from mjcli.play.referee import FOUR, KINDS_OF_ENDS, WINDS
from mjcli.ruleset.model import ABORTS

__all__ = ["NOT_ABORTED", "aborts_after_discard", "has_nine_ends", "number_of"]

NOT_ABORTED: Final = -1

_WINDS: Final = np.array([1 << kind for kind in sorted(WINDS)], np.uint64)


def number_of(reason: str) -> int:
    """Return the place of a reason among ``mjcli.ruleset.model.ABORTS``."""
    return ABORTS.index(reason)


def has_nine_ends(hall: Hall, places: Index) -> NDArray[np.bool_]:
    """Return whether players have nine kinds of terminals and honours in their first turn."""
    found = hall.is_first_turn(places, had=1)
    held = hall.counts[places[found]][:, sorted(ORPHANS)] > 0
    found[found] = held.sum(axis=1) >= KINDS_OF_ENDS
    return found


def aborts_after_discard(hall: Hall, rows: Index, aborts: Collection[str]) -> NDArray[np.int8]:
    """Return what ends deals after a discard on which nobody has won, by ``number_of``; -1 where nothing does.

    Args:
        hall: the tables.
        rows: of those with the discards.
        aborts: what can end a deal.
    """
    found = np.full(len(rows), NOT_ABORTED, np.int8)
    if "all_ready" in aborts:
        every = np.all(hall.declared.reshape(hall.size, hall.players)[rows] > 0, axis=1)
        found[every] = number_of("all_ready")
    if "four_kongs" in aborts:
        some = np.flatnonzero(hall.kongs[rows] == FOUR)
        found[some[~_are_of_one(hall, rows[some])]] = number_of("four_kongs")
    if "four_winds" in aborts:
        # as nobody has a meld, it is the fourth discard of all
        some = np.flatnonzero((hall.active[rows] == FOUR - 1) & (hall.turns[hall.places(rows)] == 1))
        rivers = hall.rivers.reshape(hall.size, hall.players)[rows[some]]
        winds = np.isin(rivers[:, 0], _WINDS) & np.all(rivers == rivers[:, :1], axis=1)
        found[some[winds & ~hall.has_melds(rows[some]).any(axis=1)]] = number_of("four_winds")
    return found


def _are_of_one(hall: Hall, rows: Index) -> NDArray[np.bool_]:
    """Return whether all kongs at a table are one player's."""
    kongs = np.any(hall.melds.reshape(hall.size, hall.players, -1)[rows] >= KONG, axis=2)
    found: NDArray[np.bool_] = kongs.sum(axis=1) == 1
    return found
