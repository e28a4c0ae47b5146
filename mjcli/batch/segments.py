"""Lines of bytes put together from texts that were written before: a text for each distinct value, numbers for rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["Group", "Lines", "Pool", "Several", "Texts", "distinct", "joined"]

_FACTOR: Final = np.uint64(0x9E3779B97F4A7C15)
_BLOCK: Final = 1 << 16
"""Words that are put together at once: where they come from is held in the processor's cache."""

_WORD: Final = 8
"""Texts are copied by so many bytes at once, ..."""
_FILL: Final = b"\xff"
"""... filled up with a byte that is in no text in UTF-8."""

_TABLE: Final = 1 << 24
"""Up to this key a pool finds its texts in a table; greater keys are sorted first."""


class _Growing:
    """Numbers to which others are added at the end."""

    def __init__(self, dtype: type[np.generic]) -> None:
        self._room: NDArray[Any] = np.zeros(1 << 10, dtype)
        self._size = 0

    def extend(self, values: Sequence[int] | NDArray[np.uint64]) -> None:
        """Add values."""
        size = self._size + len(values)
        if size > len(self._room):
            self._room = np.concatenate((self._room, np.zeros(max(size, len(self._room)), self._room.dtype)))
        self._room[self._size : size] = values
        self._size = size

    def values(self) -> NDArray[Any]:
        """Return all of them."""
        return self._room[: self._size]


class Texts:
    """Texts by number, one behind the other in one array; number 0 is the empty text."""

    def __init__(self) -> None:
        self._numbers = {"": 0}
        self._words, self._lengths = _Growing(np.uint64), _Growing(np.intp)
        self._lengths.extend([0])
        self._new: list[bytes] = []

    def number(self, text: str) -> int:
        """Return the number of a text, which is kept if it is new."""
        found = self._numbers.get(text)
        if found is None:
            found = self._numbers[text] = len(self._numbers)
            self._new.append(text.encode())
        return found

    def arrays(self) -> tuple[NDArray[np.uint64], NDArray[np.intp], NDArray[np.intp]]:
        """Return the words of all texts, and by number how many words and how many bytes each has."""
        if self._new:
            filled = b"".join(each + _FILL * (-len(each) % _WORD) for each in self._new)
            self._words.extend(np.frombuffer(filled, np.uint64))
            self._lengths.extend([len(each) for each in self._new])
            self._new.clear()
        lengths = self._lengths.values()
        return self._words.values(), -(-lengths // _WORD), lengths


class Pool:
    """The texts of some kind of value, each value a number, its key; a text is written when its key is first met."""

    def __init__(self, texts: Texts, write: Callable[[int], str]) -> None:
        """
        Args:
            texts: where they are kept.
            write: from a key to its text.
        """
        self._texts, self._write = texts, write
        self._table: NDArray[np.int32] = np.zeros(0, np.int32)
        """By key, 1 + the number of its text; 0 where it was not met."""
        self._far: dict[int, int] = {}

    def __call__(self, keys: NDArray[np.integer]) -> NDArray[np.intp]:
        """Return intp[rows]: the numbers of the texts of keys, none of them negative."""
        highest = int(keys.max(initial=0))
        if highest >= _TABLE:
            distinct, inverse = np.unique(keys, return_inverse=True)
            return np.array([self._number(key) for key in distinct.tolist()], np.intp)[inverse]
        if highest >= len(self._table):
            longer = np.zeros(max(2 * len(self._table), highest + 1), np.int32)
            longer[: len(self._table)] = self._table
            self._table = longer
        found = self._table.take(keys)
        missing = np.flatnonzero(found == 0)
        if len(missing):
            for key in np.unique(keys[missing]).tolist():
                self._table[key] = 1 + self._texts.number(self._write(key))
            found = self._table.take(keys)
        return found.astype(np.intp) - 1

    def _number(self, key: int) -> int:
        if key not in self._far:
            self._far[key] = self._texts.number(self._write(key))
        return self._far[key]


def distinct(columns: Sequence[NDArray[np.integer]]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return a row for each distinct combination of values, and for each row the place of its like among these.

    >>> distinct([np.array([7, 5, 7]), np.array([1, 1, 1])])[1].tolist()
    [0, 1, 0]

    Args:
        columns: of equal length.
    """
    mixed = np.zeros(len(columns[0]), np.uint64)
    for column in columns:
        mixed ^= column.astype(np.int64).view(np.uint64)
        mixed *= _FACTOR
        mixed ^= mixed >> np.uint64(29)
    _, first, inverse = np.unique(mixed, return_index=True, return_inverse=True)
    if all(np.array_equal(column[first][inverse], column) for column in columns):
        return first, inverse
    rows = np.stack([column.astype(np.int64) for column in columns], axis=1)
    _, first, inverse = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    return first, inverse


@dataclass(frozen=True, slots=True)
class Several:
    """A list in each row: some rows after another get one more item."""

    counts: NDArray[np.intp]
    """intp[rows]: how many items each row has in all."""
    items: Sequence[tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]]
    """Rows, none of them twice; the number of the item's text where it is the first, and where it is a further one."""


Group: TypeAlias = "NDArray[np.intp] | Several"
"""The numbers of one text for each row, or a list of them."""


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines of text in one array."""

    content: NDArray[np.uint8]
    ends: NDArray[np.intp]
    """intp[rows]: where each line ends; it starts where the one before it ends."""

    def __iter__(self) -> Iterator[bytes]:
        """Yield each line."""
        start, whole = 0, self.content.tobytes()
        for end in self.ends.tolist():
            yield whole[start:end]
            start = end


def joined(texts: Texts, rows: int, groups: Sequence[Group]) -> Lines:
    """Return lines, each of the texts of all groups in their order.

    >>> texts = Texts()
    >>> letters = Pool(texts, "abc".__getitem__)
    >>> ends = Pool(texts, lambda key: key * "!")
    >>> list(joined(texts, 3, [letters(np.array([2, 0, 2])), ends(np.array([1, 2, 0]))]))
    [b'c!', b'a!!', b'c']

    Args:
        texts: of all groups.
        rows: how many lines there are.
        groups: what stands in them.
    """
    counts = np.zeros(rows, np.intp)
    for group in groups:
        counts += group.counts if isinstance(group, Several) else 1
    last = np.cumsum(counts)
    place = last - counts
    numbers = np.empty(int(counts.sum()), np.intp)
    for group in groups:
        if not isinstance(group, Several):
            numbers[place] = group
            place += 1
            continue
        opening = place.copy()
        for some, alone, further in group.items:
            at = place[some]
            numbers[at] = np.where(at == opening[some], alone, further)
            place[some] += 1
    words, sizes_of, lengths = texts.arrays()
    sizes = sizes_of.take(numbers)
    stops = np.cumsum(sizes)
    moves = (np.cumsum(sizes_of) - sizes_of).take(numbers) - (stops - sizes)
    found = [np.empty(0, np.uint8)]
    start = 0
    for end in (*np.searchsorted(stops, np.arange(_BLOCK, stops[-1:].sum(), _BLOCK)).tolist(), len(numbers)):
        first, last_word = (int(stops[place - 1]) if place else 0 for place in (start, end))
        source = np.repeat(moves[start:end], sizes[start:end])
        source += np.arange(first, last_word)
        some = words.take(source).view(np.uint8)
        found.append(some[some != _FILL[0]])
        start = end
    ends = np.concatenate(([0], np.cumsum(lengths.take(numbers))))[last]
    return Lines(np.concatenate(found), ends)
