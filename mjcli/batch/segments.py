"""Lines of bytes put together from texts that were written before: a text for each distinct value, numbers for rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["Lines", "Pool", "RowPool", "Texts", "distinct", "joined"]

Numbers = NDArray[np.intp]
"""intp[rows]: the number of a text for each row."""

_FACTOR: Final = np.uint64(0x9E3779B97F4A7C15)
_MIXED: Final = np.uint64(29)

_PIECE: Final = 32
"""Texts are copied by so many bytes at once; what they are filled up with is overwritten by the text that follows."""

_ROWS: Final = 1 << 12
"""So many lines are put together at once: what they are made of stays in the processor's cache."""

_TABLE: Final = 1 << 24
"""Up to this key a pool finds its texts in a table; greater keys are sorted first."""

_SLOT_BITS: Final = 17
"""A pool of rows finds them in so many slots, as a power of two."""

_WIDTHS: Final = (8, 16, 32, 64)
"""The bits that a number of a row can take, if it is not always 0 or 1."""


class _Growing:
    """Rows of numbers or of bytes, to which others are added at the end."""

    def __init__(self, dtype: Any, *shape: int) -> None:
        self._room: NDArray[Any] = np.zeros((1 << 10, *shape), dtype)
        self._size = 0

    def extend(self, values: Any) -> None:
        """Add some."""
        size = self._size + len(values)
        if size > len(self._room):
            more = np.zeros((max(size, len(self._room)), *self._room.shape[1:]), self._room.dtype)
            self._room = np.concatenate((self._room, more))
        self._room[self._size : size] = values
        self._size = size

    def values(self) -> NDArray[Any]:
        """Return all of them."""
        return self._room[: self._size]


class Texts:
    """Texts by number, cut into pieces; number 0 is the empty text."""

    def __init__(self) -> None:
        self._numbers = {"": 0}
        self._first, self._further = _Growing(f"V{_PIECE}"), _Growing(f"V{_PIECE}")
        self._lengths, self._starts = _Growing(np.intp), _Growing(np.intp)
        self._new = [b""]
        self.size = 0
        """How many bytes they have together."""

    def number(self, text: str) -> int:
        """Return the number of a text, which is kept if it is new."""
        found = self._numbers.get(text)
        if found is None:
            found = self._numbers[text] = len(self._numbers)
            self._new.append(text.encode())
            self.size += len(self._new[-1])
        return found

    def arrays(self) -> tuple[Numbers, NDArray[np.void], NDArray[np.void], Numbers]:
        """Return the bytes that each text has, its first piece, the further pieces of all, and where its own start."""
        if self._new:
            lengths = np.array(list(map(len, self._new)))
            further = np.maximum(-(-lengths // _PIECE) - 1, 0)
            self._starts.extend(len(self._further.values()) + further.cumsum() - further)
            self._lengths.extend(lengths)
            self._first.extend(_pieces(each[:_PIECE].ljust(_PIECE, b"\0") for each in self._new))
            self._further.extend(
                _pieces(
                    each[_PIECE:].ljust(_PIECE * more, b"\0")
                    for each, more in zip(self._new, further.tolist(), strict=True)
                )
            )
            self._new.clear()
        return self._lengths.values(), self._first.values(), self._further.values(), self._starts.values()


def _pieces(texts: Iterable[bytes]) -> NDArray[np.void]:
    return np.frombuffer(b"".join(texts), f"V{_PIECE}")


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

    def __call__(self, keys: NDArray[np.integer]) -> Numbers:
        """Return the number of the text of each key, none of which is negative."""
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
            new = np.sort(keys[missing])
            for key in new[np.diff(new, prepend=-1) > 0].tolist():
                self._table[key] = 1 + self._texts.number(self._write(key))
            found = self._table.take(keys)
        return found.astype(np.intp) - 1

    def _number(self, key: int) -> int:
        if key not in self._far:
            self._far[key] = self._texts.number(self._write(key))
        return self._far[key]


class RowPool:
    """The texts of some kind of row, made of several numbers; a text is written when a row is first met."""

    def __init__(self, texts: Texts) -> None:
        """
        Args:
            texts: where they are kept.
        """
        self._texts = texts
        self._bits: list[int] = []
        """How many bits each number of a row takes."""
        self._forget()

    def _forget(self) -> None:
        words = _words_of(self._bits)
        self._slots: NDArray[np.int32] = np.zeros(1 << _SLOT_BITS, np.int32)
        """By slot, the place of a row among those that were met; 0 for none."""
        self._rows, self._numbers = _Growing(np.uint64, words), _Growing(np.intp)
        self._places: dict[bytes, int] = {}
        self._rows.extend(np.zeros((1, words), np.uint64))
        self._numbers.extend([0])

    def __call__(self, columns: Sequence[NDArray[Any]], write: Callable[[int], str]) -> Numbers:
        """Return the number of the text of each row.

        Args:
            columns: whole numbers or truths, [rows] or several at once [columns, rows]; as many each time.
            write: from a place in the columns to the text.
        """
        words = self._packed([np.atleast_2d(each) for each in columns])
        slots = (_mixed(words.T) >> np.uint64(64 - _SLOT_BITS)).view(np.intp)
        places = self._slots.take(slots)
        known = places > 0
        for column, met in zip(words.T, self._rows.values().T, strict=True):
            known &= met.take(places) == column
        left = np.flatnonzero(~known)
        if len(left):
            first, like = distinct(list(words[left].T))
            found = self._places_of(words, left[first], write)
            self._slots[slots[left[first]]] = found
            places[left] = found[like]
        return self._numbers.values().take(places)

    def _places_of(self, words: NDArray[np.uint64], rows: Numbers, write: Callable[[int], str]) -> NDArray[np.int32]:
        """Return the places of some different rows among those that were met; those that were not now are."""
        found, new = [], []
        for row in rows.tolist():
            key = words[row].tobytes()
            place = self._places.get(key)
            if place is None:
                place = self._places[key] = 1 + len(self._places)
                new.append(row)
            found.append(place)
        self._rows.extend(words[new])
        self._numbers.extend([self._texts.number(write(row)) for row in new])
        return np.array(found, np.int32)

    def _packed(self, blocks: Sequence[NDArray[Any]]) -> NDArray[np.uint64]:
        """Return uint64[rows, words]: the numbers of each row side by side, of blocks [columns, rows]."""
        needed = [bits for block in blocks for bits in _bits_of(block)]
        bits = [max(each) for each in zip(needed, self._bits or needed, strict=True)]
        if bits != self._bits:
            self._bits = bits
            self._forget()
        rows = blocks[0].shape[1]
        cells = np.zeros((rows, 8 * _words_of(bits)), np.uint8)
        truths, at = [], 0
        for column, width in zip((column for block in blocks for column in block), bits, strict=True):
            size = width // 8
            if size:
                cells[:, at : at + size] = column.astype(f"i{size}").view(np.uint8).reshape(rows, size)
            else:
                truths.append(column.astype(np.uint8, copy=False))
            at += size
        for place in range(at, at + -(-len(truths) // 8)):
            cell = np.zeros(rows, np.uint8)
            for truth in truths[8 * (place - at) : 8 * (place - at) + 8]:
                cell += cell
                cell |= truth
            cells[:, place] = cell
        return cells.view(np.uint64)


def _bits_of(block: NDArray[Any]) -> list[int]:
    """Return how many bits the numbers of each column of a block need."""
    if block.dtype == np.bool_ or not block.size:
        return [1] * len(block)
    if block.itemsize == 1:
        return [8 if most > 1 else 1 for most in block.view(np.uint8).max(axis=1).tolist()]
    ends = zip(block.min(axis=1).tolist(), block.max(axis=1).tolist(), strict=True)
    return [
        1
        if low >= 0 and high <= 1
        else next(width for width in _WIDTHS if -1 << width - 1 <= low and high < 1 << width - 1)
        for low, high in ends
    ]


def _words_of(bits: Sequence[int]) -> int:
    """Return how many words of 64 bits numbers of so many bits fill."""
    truths = bits.count(1)
    return -(-(sum(bits) - truths + -(-truths // 8) * 8) // 64)


def _mixed(columns: Iterable[NDArray[np.integer]]) -> NDArray[np.uint64]:
    """Return a number for each row, nearly always another one for another row."""
    first, *others = columns
    mixed = first.astype(np.int64).view(np.uint64) * _FACTOR
    mixed ^= mixed >> _MIXED
    for column in others:
        mixed ^= column.astype(np.int64).view(np.uint64)
        mixed *= _FACTOR
        mixed ^= mixed >> _MIXED
    return mixed


def distinct(columns: Sequence[NDArray[np.integer]]) -> tuple[Numbers, Numbers]:
    """Return a row for each distinct combination of values, and for each row the place of its like among these.

    >>> distinct([np.array([7, 5, 7]), np.array([1, 1, 1])])[1].tolist()
    [0, 1, 0]

    Args:
        columns: of equal length.
    """
    _, first, inverse = np.unique(_mixed(columns), return_index=True, return_inverse=True)
    if all(np.array_equal(column[first][inverse], column) for column in columns):
        return first, inverse
    rows = np.stack([column.astype(np.int64) for column in columns], axis=1)
    _, first, inverse = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    return first, inverse


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines of text in one piece."""

    content: bytes
    ends: NDArray[np.intp]
    """intp[rows]: where each line ends; it starts where the one before it ends."""

    def __iter__(self) -> Iterator[bytes]:
        """Yield each line."""
        start = 0
        for end in self.ends.tolist():
            yield self.content[start:end]
            start = end


def joined(texts: Texts, columns: Sequence[Numbers]) -> Lines:
    """Return lines, in each a text of every column.

    >>> texts = Texts()
    >>> letters = Pool(texts, "abc".__getitem__)
    >>> ends = Pool(texts, lambda key: key * "!")
    >>> list(joined(texts, [letters(np.array([2, 0, 2])), ends(np.array([1, 2, 0]))]))
    [b'c!', b'a!!', b'c']

    Args:
        texts: of all columns.
        columns: what stands in the lines, from left to right; at least one.
    """
    parts, lengths = [], [np.empty(0, np.intp)]
    for start in range(0, len(columns[0]), _ROWS):
        content, ends = _joined(texts, [column[start : start + _ROWS] for column in columns])
        parts.append(content.data)
        lengths.append(np.diff(ends, prepend=0))
    return Lines(b"".join(parts), np.concatenate(lengths).cumsum())


def _joined(texts: Texts, columns: Sequence[Numbers]) -> tuple[NDArray[np.uint8], NDArray[np.intp]]:
    """Return some lines, and where each ends."""
    lengths, first, further, starts = texts.arrays()
    numbers = np.stack(columns, axis=1).ravel()
    sizes = lengths.take(numbers)
    ends = sizes.cumsum()
    size = int(ends[-1:].sum())
    content = np.empty(size + _PIECE, np.uint8)
    # pieces overlap: those that go on with a text are written before the first ones, and all in their order
    pieces = np.ndarray(size + 1, first.dtype, content, strides=(1,))
    at = ends - sizes
    long = np.flatnonzero(sizes > _PIECE)
    source, several = starts.take(numbers.take(long)), (sizes.take(long) - 1) // _PIECE
    before = several.cumsum() - several
    count = np.arange(several.sum())
    source = np.repeat(source - before, several) + count
    pieces[np.repeat(at.take(long) + _PIECE * (1 - before), several) + _PIECE * count] = further.take(source)
    pieces[at] = first.take(numbers)
    return content[:size], ends[len(columns) - 1 :: len(columns)]
