"""The knitted forms 全不靠 and 組合龍 of many hands by look-ups.

There are six ways to give 147, 258, 369 to the three suits. What such a way asks of a suit is how many of the three
ranks are absent, and, of the knitted straight, the class of what is left when one tile of each has been taken.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjcli.batch.suits import WEIGHTS, Bytes, Suits, tables
from mjcli.forms import KNITTED
from mjcli.suits import MOST_SETS
from mjcli.tiles import PLAIN_KINDS

__all__ = ["KNITTED_KINDS", "kinds_that_help", "missing_of", "straight_missing_of", "straights"]

KNITTED_KINDS: Final = np.array([np.isin(np.arange(PLAIN_KINDS), kinds) for kinds in KNITTED])
"""bool[6, 34]: the kinds of 147, 258, 369 for each way to give them to the three suits."""

_RANKS: Final = 9
_HONORS: Final = 7
_KNITTED_SUITS: Final = 3
_TILES: Final = 14

_WAYS: Final = tuple(tuple(kinds[3 * suit] - _RANKS * suit for suit in range(_KNITTED_SUITS)) for kinds in KNITTED)
"""The lowest rank, from 0, that each suit gives, for each way."""


class _Facts(NamedTuple):
    absent: Bytes
    """[key of a suit] how many of 147, 258 and 369 are absent: two bits each."""
    honors: Bytes
    """[key of the honours] how many kinds there are."""
    least: Bytes
    """[absent of m << 12 | of p << 6 | of s] how many are absent in the best way."""


@cache
def _facts() -> _Facts:
    """Return the tables, made on the first call."""
    absent, honors = np.zeros(1, np.uint8), np.zeros(1, np.uint8)
    for rank in range(_RANKS):
        absent = np.add.outer(absent, np.array([1 << 2 * (rank % 3), 0, 0, 0, 0], np.uint8)).ravel()
    for _ in range(_HONORS):
        honors = np.add.outer(honors, np.array([0, 1, 1, 1, 1], np.uint8)).ravel()
    m, p, s = np.ogrid[: 1 << 6, : 1 << 6, : 1 << 6]
    ways = [(m >> 2 * in_m & 3) + (p >> 2 * in_p & 3) + (s >> 2 * in_s & 3) for in_m, in_p, in_s in _WAYS]
    return _Facts(absent, honors, np.minimum.reduce(ways).astype(np.uint8).ravel())


def missing_of(keys: NDArray[np.intp]) -> Bytes:
    """Return uint8[hands]: the tiles missing for fourteen different knitted tiles and honours.

    Args:
        keys: intp[4, hands], of the four suits.
    """
    known = _facts()
    m, p, s = (known.absent.take(key).astype(np.intp) for key in keys[:_KNITTED_SUITS])
    found: Bytes = known.least.take(m << 12 | p << 6 | s) + np.uint8(_TILES - _KNITTED_SUITS * 3)
    found -= known.honors.take(keys[_KNITTED_SUITS])
    return found


def kinds_that_help(counts: Bytes, keys: NDArray[np.intp], missing: Bytes) -> NDArray[np.bool_]:
    """Return bool[hands, 34]: the kinds of which one more leaves fewer than ``missing`` for such tiles.

    Args:
        counts: uint8[hands, 34].
        keys: as of ``missing_of``.
        missing: uint8[hands], what this gives.
    """
    known = _facts()
    honors = known.honors.take(keys[_KNITTED_SUITS])
    found = np.zeros(counts.shape, np.bool_)
    found[:, _KNITTED_SUITS * _RANKS :] = True
    for kinds in KNITTED_KINDS:
        absent = np.count_nonzero((counts == 0) & kinds, axis=1)
        found |= (absent + (_TILES - _KNITTED_SUITS * 3) - honors == missing)[:, None] & kinds
    found &= counts == 0
    return found


@cache
def _rests() -> tuple[NDArray[np.uint16], ...]:
    """Return of 147, 258 and 369 uint16[key of a suit]: how many are absent << 8 | the class of the rest."""
    found = []
    for first in range(3):
        absent, rest = np.zeros(1, np.uint16), np.zeros(1, np.int32)
        for rank in range(_RANKS):
            taken = int(rank % 3 == first)
            held = WEIGHTS[rank] * np.array([0, *(copies - taken for copies in range(1, 5))], np.int32)
            rest = np.add.outer(rest, held).ravel()
            absent = np.add.outer(absent, np.array([taken << 8, 0, 0, 0, 0], np.uint16)).ravel()
        found.append(absent | tables().suit.take(rest))
    return tuple(found)


def straights(suits: Suits) -> list[Bytes]:
    """Return for each way uint8[hands]: the tiles missing for the knitted straight, with one meld at most."""
    known, rests = tables(), _rests()
    sets = np.maximum(suits.tiles // 3 - (MOST_SETS - 1), 0) << 16
    m, p, s = ([rest.take(key) for rest in rests] for key in suits.keys[:_KNITTED_SUITS])
    honors = known.honors.take(suits.keys[_KNITTED_SUITS]).astype(np.intp) << 8
    rights = [sets | known.suit_honors.take(honors | (fact & np.uint16(0xFF))) for fact in s]
    lefts = [fact.astype(np.intp) << 8 & 0xFF00 for fact in m]
    found = []
    for in_m, in_p, in_s in _WAYS:
        left = known.two_suits.take(lefts[in_m] | (p[in_p] & np.uint16(0xFF))).astype(np.intp)
        absent = (m[in_m] >> np.uint16(8)) + (p[in_p] >> np.uint16(8)) + (s[in_s] >> np.uint16(8))
        found.append(known.missing.take(left << 8 | rights[in_s]) + absent.astype(np.uint8))
    return found


def straight_missing_of(suits: Suits) -> Bytes:
    """Return uint8[hands]: the tiles missing for the knitted straight, of hands with one meld at most."""
    found: Bytes = np.minimum.reduce(straights(suits))
    return found
