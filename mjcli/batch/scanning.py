"""Runs such as ``2205m`` in many lines of text at once: where each ends, and its tiles as one number.

A running sum over all bytes, in which each digit has its weight, says by one subtraction what stands in a run.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjcli.batch.suits import MOST_COPIES, Bytes
from mjcli.tiles import JOKER_KIND, PLAIN_KINDS

__all__ = [
    "BLANK",
    "CLASSES",
    "END",
    "IS_SIZE",
    "RETURN",
    "SUITS",
    "Numbers",
    "Runs",
    "classes_of",
    "copies_of",
    "counts_of",
    "is_foreign",
    "is_over",
    "keys_of_numbers",
    "last_keys",
    "meld_codes",
    "read_runs",
    "reds_of",
    "suit_of",
    "without_key",
]

Numbers = NDArray[np.uint64]
"""The tiles of a suit as a number: the copies of ranks 1-9, those of red fives, and the key."""

SUITS: Final = "mpszjfga"
"""The suits in the order of their numbers, which count from 1."""

END: Final = 16
"""The end of a line."""
RETURN: Final = 32
BLANK: Final = 48
OTHER: Final = 240

CLASSES: Final[Mapping[str, int]] = {
    **{letter: 1 + place for place, letter in enumerate("mpsz")},
    "\n": END,
    "\r": RETURN,
    **{letter: 37 + place for place, letter in enumerate("jfga")},
    **{char: BLANK + 16 * place for place, char in enumerate(" ,+[]()olxr=")},
}
"""The class of each character, digits apart, that means something; of all others it is ``OTHER``.

The low four bits of a suit letter's class are the number of its suit, those of the others are 0. What plain lines
consist of comes first, up to ``RETURN``.
"""

_CLASS: Final = np.array([CLASSES.get(chr(byte), OTHER) for byte in range(256)], np.uint8)

_FIELD: Final = 4
"""The copies of each rank have so many bits ..."""
_RED: Final = 36
"""... the red fives, which are among the fives, have those from this one on ..."""
_KEY: Final = 40
"""... and the key, as of nine ranks, has the rest. Up to fifteen tiles and four copies all are exact."""

_RANKS: Final = 9


def _weights() -> Numbers:
    found = np.zeros(256, np.uint64)
    for digit in range(1, 10):
        found[ord("0") + digit] = 5 ** (_RANKS - digit) << _KEY | 1 << _FIELD * (digit - 1)
    found[ord("0")] = found[ord("5")] + np.uint64(1 << _RED)
    return found


_WEIGHTS: Final = _weights()


def _all_ranks(number: int) -> np.uint64:
    return np.uint64(sum(number << _FIELD * rank for rank in range(_RANKS)))


_EIGHT: Final = _all_ranks(8)
_TO_EIGHT: Final = _all_ranks(7 - MOST_COPIES)
"""This makes 8 of five copies; more than twelve, which it would carry over, have the bit of 8 themselves."""


def _from(rank: int) -> int:
    """Return the bits of red fives, and of the ranks from this one on."""
    return (1 << _KEY) - (1 << _FIELD * (rank - 1))


_FOREIGN: Final = np.array([0, 0, 0, 0, _from(8), _from(2), _from(9), _from(9), _from(8)], np.uint64)
"""[suit] the bits of what it does not have."""


IS_SIZE: Final = np.array([0 < size <= 14 and size % 3 != 0 for size in range(16)])
"""Whether a hand can have so many tiles; 15 stands for more."""

_FIRST_KIND: Final = np.array([0, 0, 9, 18, 27, JOKER_KIND], np.uint8)
"""[suit] its first kind, of the suits that are no bonus tiles."""


class Runs(NamedTuple):
    """Every byte of some lines that is no digit, in order."""

    at: NDArray[np.intp]
    """intp[events]: where it stands."""
    kind: Bytes
    """uint8[events]: its class."""
    held: Numbers
    """uint64[events]: the digits right before it; 0 where there are none."""


def classes_of(text: Bytes) -> Bytes:
    """Return the class of each byte."""
    classes: Bytes = _CLASS.take(text)
    return classes


def read_runs(text: Bytes) -> Runs:
    """Return the runs of whole lines."""
    at = np.flatnonzero(text - np.uint8(ord("0")) > 9)
    sums = _WEIGHTS.take(text)
    ends = np.cumsum(sums, out=sums).take(at)
    held = ends.copy()
    held[1:] -= ends[:-1]
    return Runs(at, classes_of(text.take(at)), held)


def suit_of(kind: Bytes) -> Bytes:
    """Return the number of the suit of each class, 0 where it is no suit letter's."""
    return kind & np.uint8(15)


def last_keys(text: Bytes, letter: NDArray[np.intp]) -> Bytes:
    """Return uint8[letters]: the key of the tile right before each suit letter, which is none of bonus tiles."""
    digit = text[letter - 1] - np.uint8(ord("0"))
    rank = np.where(digit == 0, np.uint8(5), digit) - np.uint8(1)
    kind: Bytes = _FIRST_KIND[suit_of(classes_of(text[letter]))] + rank
    keys: Bytes = 2 * kind + (digit != 0)
    return keys


def is_over(held: Numbers) -> NDArray[np.bool_]:
    """Return whether numbers of at most fifteen tiles hold more than four copies of one."""
    over: NDArray[np.bool_] = ((held + _TO_EIGHT | held) & _EIGHT) != 0
    return over


def is_foreign(suit: Bytes | int, held: Numbers) -> NDArray[np.bool_]:
    """Return whether numbers hold ranks, or red fives, that their suit does not have."""
    foreign: NDArray[np.bool_] = (_FOREIGN[suit] & held) != 0
    return foreign


def copies_of(held: Numbers, rank: int | NDArray[np.integer[Any]]) -> NDArray[np.uint64]:
    """Return the copies of one rank, or of a rank for each number."""
    shift = _FIELD * (np.asarray(rank) - 1)
    return held >> shift.astype(np.uint64) & np.uint64(15)


def reds_of(held: Numbers) -> NDArray[np.uint8]:
    """Return the red fives."""
    return (held >> np.uint64(_RED)).astype(np.uint8) & np.uint8(15)


def keys_of_numbers(held: Numbers) -> NDArray[np.intp]:
    """Return intp[4, rows], the keys of the four suits, of uint64[rows, 4]."""
    keys = (held >> np.uint64(_KEY)).T.astype(np.intp, order="C")
    keys[3] //= 25
    return keys


def counts_of(held: Numbers) -> Bytes:
    """Return uint8[rows, 34], copies by kind, of uint64[rows, 4]."""
    pairs = held.astype("<u8").view(np.uint8).reshape(len(held), 4, 8)[:, :, :5].astype("<u2")
    single = (pairs | pairs << 4) & 0x0F0F
    ranks = single.view(np.uint8).reshape(len(held), 4, 10)[:, :, :_RANKS]
    counts: Bytes = ranks.reshape(len(held), 4 * _RANKS)[:, :PLAIN_KINDS]
    return counts


@cache
def _melds() -> Bytes:
    """Return uint8[5**9]: by the key of a suit, the code of the meld of characters that these tiles are, else 0."""
    found = np.zeros(5**_RANKS, np.uint8)
    weights = [5 ** (_RANKS - 1 - rank) for rank in range(_RANKS)]
    for rank, weight in enumerate(weights):
        if rank < _RANKS - 2:
            found[sum(weights[rank : rank + 3])] = 1 + rank
        for place, copies in ((1, 3), (2, 4)):
            found[copies * weight] = 1 + rank + PLAIN_KINDS * place
    return found


def meld_codes(suit: Bytes, held: Numbers) -> Bytes:
    """Return the code of the meld, as of ``mjcli.batch.hands``, that numbers of three or four tiles are; 0 of none."""
    found = _melds().take((held >> np.uint64(_KEY)).astype(np.intp), mode="clip")
    found[(suit > 4) | ((suit == 4) & (found <= PLAIN_KINDS))] = 0
    return found + np.uint8(_RANKS) * (suit - np.uint8(1)) * (found > 0)


def without_key(held: Numbers) -> Numbers:
    """Return numbers without their keys, so that they add up."""
    return held & np.uint64((1 << _RED) - 1)
