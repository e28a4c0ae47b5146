"""Who threatens, and how likely discards are to feed him, for many players at once: as ``mjcli.players.value``."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjcli.lockstep.hall import Hall, Index
from mjcli.lockstep.prospects import facts_of_melds
from mjcli.players.simple import inwards
from mjcli.players.value import ANYTHING, LAST, LATE, WANTED
from mjcli.tiles import JOKER_KIND, PLAIN_KINDS

__all__ = ["safest", "threats_of"]

_SUITED: Final = 27
_ONE_SUIT: Final = (1, 2, 4)
"""The facts of melds that are of one suit, honours aside."""
_SUIT_BITS: Final = np.array([1 << kind // 9 if kind < _SUITED else 0 for kind in range(PLAIN_KINDS)])
_INWARDS: Final = np.array([inwards(kind) for kind in range(JOKER_KIND + 1)])
_WANTED: Final = np.where(np.arange(PLAIN_KINDS) < _SUITED, *WANTED)
_KINDS: Final = np.arange(PLAIN_KINDS, dtype=np.uint64)


def threats_of(hall: Hall, places: Index, closed: int) -> NDArray[np.bool_]:
    """Return bool[places, seats]: which seats are those of other players who are likely to be ready.

    Args:
        hall: the tables.
        places: of the players.
        closed: tiles left in the wall from which on players without melds are.
    """
    rows = places // hall.players
    left = hall.left[rows]
    enough = np.where(left < LAST, 1, np.where(left < LATE, 2, 3))
    seats = np.arange(hall.players)
    melds = hall.number_of_melds(hall.players * rows[:, None] + seats)
    declared = hall.declared.reshape(hall.size, hall.players)[rows] > 0
    threatens = (melds >= enough[:, None]) | declared | ((left < closed)[:, None] & (melds == 0))
    found: NDArray[np.bool_] = threatens & (seats != (places % hall.players)[:, None])
    return found


def safest(hall: Hall, places: Index, barred: NDArray[np.uint64], *, forbids_own: bool, closed: int) -> Index:
    """Return intp[places]: the kinds that are least likely to feed those who threaten, of these the outermost.

    Args:
        hall: the tables.
        places: of the players.
        barred: uint64[places], a bit for each kind that may not be discarded.
        forbids_own: whether nobody may win on what he has discarded, or has let pass since he declared ready.
        closed: as of ``threats_of``; 0 where few win without melds.
    """
    threats, shapes = threats_of(hall, places, closed), _shapes(hall.unseen(places).astype(np.float64))
    dangers = np.zeros(shapes.shape, np.float64)
    for seat in range(hall.players):
        other = hall.players * (places // hall.players) + seat
        danger = shapes
        if closed:
            danger = np.where(hall.number_of_melds(other)[:, None] == 0, _WANTED, shapes)
        danger = np.where(_bits(hall.rivers[other]), danger * 0.3, danger)
        suits = np.bitwise_or.reduce(facts_of_melds()[hall.melds[other]], axis=1) & 7
        one_suit = np.isin(suits, _ONE_SUIT) & (hall.number_of_melds(other) > 1)
        inside = (suits[:, None] & _SUIT_BITS) > 0
        danger *= np.where(one_suit[:, None], np.where(inside, 2, 0.5), 1)
        passed = hall.passed_by[other]  # he could have won on it and did not
        if forbids_own:
            passed = passed | hall.rivers[other] | hall.since_declared[other]
        danger[_bits(passed)] = 0
        dangers += danger * threats[:, seat, None]
    dangers[(hall.counts[places] == 0) | _bits(barred)] = np.inf
    of_all = np.column_stack((dangers, np.where(hall.jokers[places] > 0, ANYTHING, np.inf)))
    equal = of_all == of_all.min(axis=1)[:, None]
    found: Index = np.where(equal, _INWARDS, PLAIN_KINDS).argmin(axis=1)
    return found


def _shapes(unseen: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return float64[places, 34]: in how many ways, roughly, another may wait for each kind."""
    found = np.minimum(unseen, 3)
    suits = unseen[:, :_SUITED].reshape(-1, 3, 9)
    ways = np.zeros(suits.shape, np.float64)
    for low, first, second in ((2, -2, -1), (1, -1, 1), (0, 1, 2)):
        ranks = np.arange(low, 9 - max(second, 0))
        ways[:, :, ranks] += np.minimum(np.minimum(suits[:, :, ranks + first], suits[:, :, ranks + second]), 2)
    found[:, :_SUITED] += ways.reshape(-1, _SUITED)
    return found


def _bits(kinds: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Return bool[rows, 34]: which bits are set."""
    found: NDArray[np.bool_] = (kinds[:, None] >> _KINDS & np.uint64(1)) > 0
    return found
