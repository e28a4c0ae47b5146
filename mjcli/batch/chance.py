"""Chance for many deals at once: the words, numbers and orders of ``mjcli.chance``, one column for each deal."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjcli.chance import Chance, Stream

__all__ = ["dice", "orders", "words"]

_MASK: Final = np.uint64(0xFFFFFFFF)
_HALF: Final = np.uint64(32)
_MULTIPLIERS: Final = (np.uint64(0xD2511F53), np.uint64(0xCD9E8D57))
_WEYL: Final = (0x9E3779B9, 0xBB67AE85)
_ROUNDS: Final = 10


def words(seed: int, deals: NDArray[np.uint64], stream: Stream, count: int) -> NDArray[np.uint64]:
    """Return the first words of each deal.

    >>> [f"{word:08x}" for word in words(0, np.arange(1, dtype=np.uint64), Stream.WALL, 2)[:, 0].tolist()]
    ['6627e8d5', 'e169c58d']

    Args:
        seed: 0 to 2**64 - 1.
        deals: uint64[deals], their numbers.
        stream: what the words are for.
        count: how many words of each deal.

    Returns:
        uint64[words, deals], 0 to 2**32 - 1.
    """
    blocks = -(-count // 4)
    shape = (blocks, len(deals))
    one = np.broadcast_to(np.arange(blocks, dtype=np.uint64)[:, None], shape)
    two = np.broadcast_to(np.uint64(stream), shape)
    three = np.broadcast_to(deals & _MASK, shape)
    four = np.broadcast_to(deals >> _HALF, shape)
    first, second = _MULTIPLIERS
    key, other = seed & 0xFFFFFFFF, seed >> 32
    for _ in range(_ROUNDS):
        low, high = one * first, three * second
        one, two = high >> _HALF ^ two ^ np.uint64(key), high & _MASK
        three, four = low >> _HALF ^ four ^ np.uint64(other), low & _MASK
        key, other = key + _WEYL[0] & 0xFFFFFFFF, other + _WEYL[1] & 0xFFFFFFFF
    return np.stack((one, two, three, four), axis=1).reshape(4 * blocks, len(deals))[:count]


def _below(drawn: NDArray[np.uint64], limits: NDArray[np.uint64]) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Return a number below each limit from each row of words, and which deals must draw a word again."""
    products = drawn * limits[:, None]
    unfair = np.uint64(1 << 32) % limits
    again: NDArray[np.bool_] = np.any((products & _MASK) < unfair[:, None], axis=0)
    return (products >> _HALF).astype(np.intp), again


def dice(seed: int, deals: NDArray[np.uint64], count: int) -> NDArray[np.uint8]:
    """Return the faces of ``count`` dice of each deal, as ``Chance.dice`` throws them.

    Returns:
        uint8[dice, deals], 1 to 6.
    """
    drawn = words(seed, deals, Stream.DICE, count)
    numbers, again = _below(drawn, np.full(count, 6, dtype=np.uint64))
    found = (numbers + 1).astype(np.uint8)
    for column in np.flatnonzero(again):
        found[:, column] = Chance(seed, int(deals[column]), Stream.DICE).dice(count)
    return found


def orders(seed: int, deals: NDArray[np.uint64], items: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return ``items`` in an order for each deal, as ``Chance.shuffled`` gives it.

    Args:
        seed: 0 to 2**64 - 1.
        deals: uint64[deals], their numbers.
        items: uint8[items], at least two.

    Returns:
        uint8[items, deals]: a column is one order.
    """
    size, count = len(items), len(deals)
    drawn = words(seed, deals, Stream.WALL, size - 1)
    others, again = _below(drawn, np.arange(size, 1, -1, dtype=np.uint64))
    others *= count
    others += np.arange(count)
    found = np.repeat(items[:, None], count, axis=1)
    flat = found.reshape(-1)
    for place, other in zip(range(size - 1, 0, -1), others, strict=True):
        moved = flat.take(other)
        flat[other] = found[place]
        found[place] = moved
    for column in np.flatnonzero(again):
        found[:, column] = Chance(seed, int(deals[column]), Stream.WALL).shuffled(items.tolist())
    return found
