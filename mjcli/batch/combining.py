"""Combine once over columns: which collection of sets each row holds, and a table that is filled when one is met."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjcli.ruleset.combine import Entry, combiner

__all__ = ["Combined", "keys"]

_FACTORS: Final = (0x1E3779B97F4A7C15, 0x3F58476D1CE4E5B9, 0x14D049BB133111EB)
_SLOT_BITS: Final = 20


def keys(columns: Sequence[NDArray[np.int32]]) -> NDArray[np.int64]:
    """Return int64[rows]: a number for the sets that three columns hold, which no other four chows or pungs have."""
    key = columns[0] * np.int64(_FACTORS[0])
    key += columns[1] * np.int64(_FACTORS[1])
    key += columns[2] * np.int64(_FACTORS[2])
    return key


class Combined:
    """How often each pattern that combines once counts, by the columns of the sets."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        """``entries`` are as of ``mjcli.ruleset.combine.combiner``."""
        self._combine = combiner(entries)
        self._slots = np.zeros(1 << _SLOT_BITS, np.int32)
        """By the upper bits of a key, the number of the collection that was met there first; 0 for none."""
        self._numbers: dict[int, int] = {}
        self._keys: NDArray[np.int64] = np.zeros(256, np.int64)
        self._counts: NDArray[np.int8] = np.zeros((len(entries), 256), np.int8)
        self._add(0, (0, 0, 0))

    def look_up(self, *arguments: NDArray[Any]) -> None:
        """Write the number of the collection in each row of three columns to a fourth argument, int64[rows]."""
        *columns, out = arguments
        key = keys(columns)
        slots = key >> 64 - _SLOT_BITS & (1 << _SLOT_BITS) - 1
        out[...] = self._slots.take(slots)
        rows = np.flatnonzero(self._keys.take(out) != key)
        if len(rows):
            distinct, first, inverse = np.unique(key[rows], return_index=True, return_inverse=True)
            numbers = [
                self._numbers[met] if met in self._numbers else self._add(met, [int(each[row]) for each in columns])
                for met, row in zip(distinct.tolist(), rows[first].tolist(), strict=True)
            ]
            out[rows] = np.array(numbers)[inverse]

    def counts(self, which: int) -> Callable[..., None]:
        """Return a function that writes how often a pattern counts, from the numbers of collections, to int8[rows]."""
        return partial(self._take, which)

    def _take(self, which: int, numbers: NDArray[np.int64], out: NDArray[np.int8]) -> None:
        np.take(self._counts[which], numbers, out=out, mode="clip")

    def _add(self, key: int, columns: Sequence[int]) -> int:
        """Find the counts of a collection that was not met before, and return its number."""
        number = self._numbers[key] = len(self._numbers)
        if number == self._counts.shape[1]:
            self._counts = np.concatenate((self._counts, np.zeros_like(self._counts)), axis=1)
            self._keys = np.concatenate((self._keys, np.zeros_like(self._keys)))
        self._counts[:, number] = self._combine(columns[0], columns[1], columns[2])
        self._keys[number] = key
        slot = key >> 64 - _SLOT_BITS & (1 << _SLOT_BITS) - 1
        if not self._slots[slot]:
            self._slots[slot] = number
        return number
