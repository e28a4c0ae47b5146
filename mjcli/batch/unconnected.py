"""Thirteen unconnected tiles 十三不搭 of many hands by look-ups: what the form asks of a suit is one byte for each key.

Its low four bits are the most unconnected kinds that can be taken of the suit; the others say how many fewer those are
of which one is held twice, or ``_NEVER``.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjcli.batch.suits import WEIGHTS, Bytes
from mjcli.forms import UNCONNECTED
from mjcli.tiles import PLAIN_KINDS

__all__ = ["kinds_that_help", "missing_of"]

_NEVER: Final = 15
_TILES: Final = 14
_RANKS: Final = 9
_HONORS: Final = 7
_SINGLES: Final = _TILES - 1


class _Facts(NamedTuple):
    suit: Bytes
    """[key of a suit] its facts."""
    honors: Bytes
    """[key of the honours] theirs."""
    missing: Bytes
    """[loss << 13 | kinds << 8 | facts] tiles missing, of one suit's facts and what the others have together."""


@cache
def _facts() -> _Facts:
    """Return the tables, made on the first call."""
    held = np.arange(1 << _RANKS)
    most = np.zeros((len(held), 1), np.int8)
    twice = np.full((len(held), len(held)), -1, np.int8)
    for ranks in UNCONNECTED:
        mask = sum(1 << rank for rank in ranks)
        kinds = np.array([bits.bit_count() for bits in (held & mask).tolist()], np.int8)[:, None]
        np.maximum(most, kinds, out=most)
        np.maximum(twice, np.where((held & mask)[None, :] > 0, kinds, np.int8(-1)), out=twice)
    of_suit = _packed(np.broadcast_to(most, twice.shape), twice)  # by the ranks held, and by those held twice
    kinds = np.array([bits.bit_count() for bits in range(1 << _HONORS)], np.int8)[:, None]
    doubled = np.arange(1 << _HONORS)[None, :] > 0
    of_honors = _packed(np.broadcast_to(kinds, (len(kinds), len(kinds))), np.where(doubled, kinds, np.int8(-1)))
    loss, others, facts = np.ogrid[: 1 << 4, : 1 << 5, : 1 << 8]
    every = others + (facts & 15)
    least = np.minimum(loss, facts >> 4)
    tiles = np.minimum(every, _SINGLES)
    with_pair = np.where(least == _NEVER, 0, np.minimum(every - least, _SINGLES) + 1)
    missing = (_TILES - np.maximum(tiles, with_pair)).astype(np.uint8)
    return _Facts(of_suit[_masks(_RANKS)], of_honors[_masks(_HONORS)], np.ascontiguousarray(missing.ravel()))


def _packed(most: NDArray[np.int8], twice: NDArray[np.int8]) -> Bytes:
    """Return facts of the most kinds, and the most with one held twice, -1 where none is."""
    loss = np.where(twice < 0, _NEVER, most - twice)
    return (most | loss << 4).astype(np.uint8)


def _masks(ranks: int) -> tuple[NDArray[np.uint16], NDArray[np.uint16]]:
    """Return uint16[keys] twice: a bit for each rank that a key holds, and for each that it holds twice."""
    held = np.zeros(1, np.uint16)
    twice = held
    for rank in range(ranks):
        bit = 1 << rank
        held = np.add.outer(held, np.array([0, bit, bit, bit, bit], np.uint16)).ravel()
        twice = np.add.outer(twice, np.array([0, 0, bit, bit, bit], np.uint16)).ravel()
    return held, twice


def missing_of(keys: NDArray[np.intp]) -> Bytes:
    """Return uint8[hands]: the tiles missing.

    Args:
        keys: intp[4, hands], of the four suits.
    """
    known = _facts()
    m, p, s, z = _of_suits(keys)
    return known.missing.take(_together(m, p, s) | z)


def kinds_that_help(keys: NDArray[np.intp], missing: Bytes) -> NDArray[np.bool_]:
    """Return bool[hands, 34]: the kinds of which one more leaves fewer than ``missing``; of a full kind it may say so.

    Args:
        keys: as of ``missing_of``.
        missing: uint8[hands].
    """
    known = _facts()
    m, p, s, z = _of_suits(keys)
    others = (_together(p, s, z), _together(m, s, z), _together(m, p, z), _together(m, p, s))
    found = np.empty((len(missing), PLAIN_KINDS), np.bool_)
    for kind, weight in enumerate(WEIGHTS):
        place = kind // _RANKS
        facts = known.suit if place < 3 else known.honors
        after = others[place] | facts[weight:].take(keys[place], mode="clip")
        np.less(known.missing.take(after), missing, out=found[:, kind])
    return found


def _of_suits(keys: NDArray[np.intp]) -> tuple[Bytes, Bytes, Bytes, Bytes]:
    known = _facts()
    m, p, s, z = keys
    return known.suit.take(m), known.suit.take(p), known.suit.take(s), known.honors.take(z)


def _together(one: Bytes, two: Bytes, three: Bytes) -> NDArray[np.intp]:
    """Return what three suits have together, as the index into ``missing`` begins."""
    kinds = (one & 15) + (two & 15) + (three & 15)
    loss = np.minimum(np.minimum(one >> 4, two >> 4), three >> 4)
    found: NDArray[np.intp] = loss.astype(np.intp) << 13
    found |= kinds.astype(np.intp) << 8
    return found
