"""The suit-class tables as arrays, and the four suits of many hands as keys into them.

Keys, classes and tables are those of ``mjcli.suits``; the keys of all four suits of a chunk of hands are one product of
matrices, and what follows are look-ups in tables that stay in the processor's cache.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjcli.errors import HandError, amount
from mjcli.forms import ORPHANS
from mjcli.suits import SPECIAL_FIELDS, load
from mjcli.tiles import PLAIN_KINDS, TILES

__all__ = [
    "CHUNK",
    "MOST_COPIES",
    "WEIGHTS",
    "ArrayTables",
    "Bytes",
    "Suits",
    "as_counts",
    "as_numbers",
    "chunks",
    "keys_of",
    "suits_of",
    "tables",
]

Bytes = NDArray[np.uint8]

CHUNK: Final = 16_384
"""Hands that are answered at once: what is known of them stays in the processor's cache."""

MOST_COPIES: Final = 4

WEIGHTS: Final = tuple(5 ** ((8 if kind < 27 else 6) - kind % 9) for kind in range(PLAIN_KINDS))
"""What one tile of each kind adds to the key of its suit."""

_TILES: Final = 17
"""The key of the honours has so many bits; above them the product below counts the tiles."""

_PRODUCT: Final = np.array(
    [
        [weight * (kind // 9 == place) + (place == 3) * (1 << _TILES) for place in range(4)]
        for kind, weight in enumerate(WEIGHTS)
    ],
    np.float32,
)
"""float32[34, 4]: counts times this are the keys, and beside that of the honours the tiles; 24 bits are exact."""


_CLASS: Final = 24
"""The facts of a suit are one number: its share of the index into ``special``, and from this bit on its class."""


_PART: Final = 2_048
"""Hands whose counts are numbers of the product at once: four bytes for each count are much for the cache."""


class ArrayTables(NamedTuple):
    """The tables; those that are bytes are as in ``mjcli.suits.Tables``."""

    suit: Bytes
    honors: Bytes
    suit_facts: NDArray[np.uint32]
    """[key] the facts of a suit; shares of four suits add up."""
    honor_facts: NDArray[np.uint32]
    """[key] the facts of the honours."""
    two_suits: Bytes
    suit_honors: Bytes
    missing: Bytes
    """[sets << 16 | class of two suits << 8 | class of suit and honours] tiles missing."""
    special: Bytes


@cache
def tables() -> ArrayTables:
    """Return the tables, read on the first call."""
    packed = load()
    suit, honors, two_suits, suit_honors, special = (
        np.frombuffer(table, np.uint8)
        for table in (packed.suit, packed.honors, packed.two_suits, packed.suit_honors, packed.special)
    )
    suit_facts = suit.astype(np.uint32) << np.uint32(_CLASS) | _fields(0)
    honor_facts = honors.astype(np.uint32) << np.uint32(_CLASS) | _fields(3)
    missing = np.frombuffer(b"".join([table.ljust(1 << 16) for table in packed.missing]), np.uint8)
    return ArrayTables(suit, honors, suit_facts, honor_facts, two_suits, suit_honors, missing, special)


def _fields(place: int) -> NDArray[np.uint16]:
    """Return the share of each key of a suit, or of the honours, in the index into ``special``."""
    found = np.zeros(1, np.uint16)
    pairs, kinds, orphans, orphan_pairs = (1 << start for start in SPECIAL_FIELDS)
    for rank in range(9 if place < 3 else 7):
        held, twice = kinds, kinds + pairs
        if 9 * place + rank in ORPHANS:
            held, twice = held + orphans, twice + orphans + orphan_pairs
        found = np.add.outer(found, np.array([0, held, twice, twice, twice], np.uint16)).ravel()
    return found


class Suits(NamedTuple):
    """The suits of some hands; ``jokers`` are among ``tiles``."""

    keys: NDArray[np.intp]
    """intp[4, rows]: of characters, dots, bamboo and honours."""
    tiles: NDArray[np.intp]
    """intp[rows]: how many tiles, jokers included."""
    jokers: NDArray[np.intp] | None = None
    """intp[rows]; None where no hand has any."""

    def facts(self) -> tuple[NDArray[np.uint32], ...]:
        """Return the facts of each of the four suits."""
        suit, honors = tables().suit_facts, tables().honor_facts
        m, p, s, z = self.keys
        return suit.take(m), suit.take(p), suit.take(s), honors.take(z)

    def classes(self) -> list[NDArray[np.intp]]:
        """Return the class of each of the four suits."""
        return [(facts >> np.uint32(_CLASS)).astype(np.intp) for facts in self.facts()]

    def fields(self, facts: tuple[NDArray[np.uint32], ...] | None = None) -> NDArray[np.uint32]:
        """Return the index into ``special`` of each hand, of its facts if these are known."""
        m, p, s, z = facts or self.facts()
        found: NDArray[np.uint32] = m + p
        found += s
        found += z
        found &= np.uint32(len(tables().special) - 1)
        return found

    def standard(self, facts: tuple[NDArray[np.uint32], ...] | None = None) -> Bytes:
        """Return uint8[rows]: tiles missing for the standard form, jokers not counted."""
        two_suits, suit_honors, missing = tables().two_suits, tables().suit_honors, tables().missing
        m, p, s, z = facts or self.facts()
        index = two_suits.take(_joined(m, p)).astype(np.intp)
        index <<= 8
        index |= suit_honors.take(_joined(z, s))
        least, most = self.tiles.min(initial=14) // 3, self.tiles.max(initial=0) // 3
        if least == most:
            return missing[least << 16 :].take(index)
        index += self.tiles // 3 << 16
        return missing.take(index)

    def rows(self, rows: NDArray[np.intp]) -> Suits:
        """Return the suits of some of the hands."""
        return Suits(self.keys[:, rows], self.tiles[rows], None if self.jokers is None else self.jokers[rows])


def _joined(first: NDArray[np.uint32], second: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return the class of the first << 8 | that of the second, of the facts of two suits."""
    joined: NDArray[np.uint32] = first >> np.uint32(_CLASS - 8) & np.uint32(0xFF00)
    joined |= second >> np.uint32(_CLASS)
    return joined


def chunks(rows: int) -> Iterator[slice]:
    """Yield ``rows`` as slices of at most ``CHUNK``."""
    for start in range(0, rows, CHUNK):
        yield slice(start, min(start + CHUNK, rows))


def as_counts(counts: NDArray[np.uint8], name: str = "counts", kinds: int = PLAIN_KINDS) -> Bytes:
    """Return ``counts`` if they are uint8[rows, kinds], for the messages called ``name``.

    Raises:
        HandError: they are not (``bad-tiles``).
    """
    found = np.asarray(counts)
    if found.ndim != 2 or found.shape[1] != kinds or found.dtype != np.uint8:
        raise HandError("bad-tiles", f"{name} are uint8[rows, {kinds}], not {_type(found)}")
    return found


def as_numbers(numbers: NDArray[np.uint8] | None, rows: int, name: str) -> Bytes | None:
    """Return ``numbers`` if they are uint8[rows], or None as it is; for the messages they have a name.

    Raises:
        HandError: they are not (``bad-tiles``).
    """
    if numbers is None:
        return None
    found = np.asarray(numbers)
    if found.shape != (rows,) or found.dtype != np.uint8:
        raise HandError("bad-tiles", f"{name} are uint8[{rows}], one for each row of counts, not {_type(found)}")
    return found


def _type(array: NDArray[Any]) -> str:
    return f"{array.dtype}[{', '.join(map(str, array.shape))}]"


def keys_of(counts: Bytes) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return intp[4, rows], the keys of the four suits, and intp[rows], the number of tiles."""
    keys = np.empty((4, len(counts)), np.intp)
    for start in range(0, len(counts), _PART):
        part = slice(start, start + _PART)
        keys[:, part] = (counts[part].astype(np.float32) @ _PRODUCT).T
    tiles = keys[3] >> _TILES
    keys[3] &= (1 << _TILES) - 1
    return keys, tiles


def suits_of(counts: Bytes, jokers: NDArray[np.uint8] | None = None, *, first: int = 0) -> Suits:
    """Return the suits of a chunk of hands.

    Args:
        counts: uint8[rows, 34], of concealed tiles and the winning tile.
        jokers: uint8[rows], how many are among the tiles besides.
        first: the number of the first row, for messages.

    Raises:
        HandError: a row holds a fifth copy or too many jokers (``too-many``), or of tiles no 3n+1 or 3n+2 up to 14
            (``tile-count``).
    """
    if counts.max(initial=0) > MOST_COPIES:
        row, kind = np.argwhere(counts > MOST_COPIES)[0].tolist()
        raise HandError("too-many", f"row {first + row}: {counts[row, kind]} copies of '{TILES[kind]}'; there are 4")
    keys, tiles = keys_of(counts)
    held = None
    if jokers is not None and jokers.any():
        if jokers.max() > MOST_COPIES:
            row = int(jokers.argmax())
            raise HandError("too-many", f"row {first + row}: {jokers[row]} jokers; there are 4")
        held = jokers.astype(np.intp)
        tiles = tiles + held
    least, most = tiles.min(initial=14), tiles.max(initial=0)
    if (least != most or most > 14 or most % 3 == 0) and not np.all((tiles <= 14) & (tiles % 3 > 0)):
        row = int(np.flatnonzero((tiles > 14) | (tiles % 3 == 0))[0])
        given = amount(int(tiles[row]), "tile")
        raise HandError("tile-count", f"row {first + row}: {given}; a hand has 3n+1 or 3n+2, at most 14")
    return Suits(keys, tiles, held)
