"""Suit classes: what matters of a suit for sets and a pair, as one byte, and the tables that add suits up.

A suit's nine counts (0-4 each), read as a numeral in base 5 with rank 1 first, are its **key**; the seven counts of the
honours are theirs. What the standard form asks of a suit is ten small numbers: the tiles missing for 0, 1, 2, 3 or 4
sets, without and with a pair. Few of these vectors differ (126 of suits, fewer of honours), so each has a one-byte
**class**; class 0 is the empty suit. Two classes merge by one look-up, and a last look-up gives the tiles that a whole
hand misses. ``python -m mjcli.suits.build`` makes the tables from nothing.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

__all__ = ["MOST_SETS", "SPECIAL_FIELDS", "Tables", "load", "pack", "unpack"]

MOST_SETS: Final = 4
"""The most sets that the tables know of: those of a complete hand, beside its pair."""

SPECIAL_FIELDS: Final = (0, 3, 7, 11)
"""Where the fields of an index into ``Tables.special`` begin; the whole index has 14 bits.

Kinds held twice or more, kinds held, terminals and honours held, terminals and honours held twice or more.
"""

_TAIL_KEYS: Final = 5**4


class Tables(NamedTuple):
    """The tables, each ``bytes``: an index gives a number 0-255."""

    suit: bytes
    """[key] the class of a suit."""
    honors: bytes
    """[key] the class of the honours."""
    two_suits: bytes
    """[class << 8 | class] the class of two suits together."""
    suit_honors: bytes
    """[class of the honours << 8 | class of a suit] the class of both together."""
    missing: tuple[bytes, ...]
    """[sets][class of two suits << 8 | class of suit and honours] tiles missing for so many sets and a pair."""
    special: bytes
    """[fields] tiles missing for seven different pairs or thirteen orphans, whichever misses fewer."""


def pack(tables: Tables) -> bytes:
    """Return ``tables`` as ``tables.bin`` holds them, in some 43 kB.

    The first five counts of a suit are its head. Only 680 of the 3,125 heads differ in the classes that the other four
    counts can lead to, so each such row of 625 classes is kept once, and each head as the number of its row.
    """
    import zlib

    rows: dict[bytes, int] = {}
    heads = [
        rows.setdefault(tables.suit[start : start + _TAIL_KEYS], len(rows))
        for start in range(0, len(tables.suit), _TAIL_KEYS)
    ]
    high, low = bytes(head >> 8 for head in heads), bytes(head & 255 for head in heads)
    merges = (tables.two_suits, tables.suit_honors, *tables.missing)
    parts = (b"".join(rows), high, low, tables.honors, *merges, tables.special)
    return zlib.compress(b"".join(len(part).to_bytes(4, "big") + part for part in parts), 9)


def unpack(packed: bytes) -> Tables:
    """Return the tables that ``pack`` packed."""
    import zlib

    raw = zlib.decompress(packed, bufsize=1 << 20)
    parts, start = [], 0
    while start < len(raw):
        end = start + 4 + int.from_bytes(raw[start : start + 4], "big")
        parts.append(raw[start + 4 : end])
        start = end
    joined, high, low, honors, two_suits, suit_honors, *missing, special = parts
    rows = [joined[at : at + _TAIL_KEYS] for at in range(0, len(joined), _TAIL_KEYS)]
    suit = b"".join([rows[first << 8 | second] for first, second in zip(high, low, strict=True)])
    return Tables(suit, honors, two_suits, suit_honors, tuple(missing), special)


@cache
def load() -> Tables:
    """Return the tables shipped with the package, read on the first call.

    >>> tables = load()
    >>> three_and_pair = int("300002000", 5)
    >>> tables.missing[1][tables.two_suits[tables.suit[three_and_pair]] << 8]
    0
    """
    import pkgutil

    packed = pkgutil.get_data(__name__, "tables.bin")
    assert packed is not None, "the loader of this package reads files"
    return unpack(packed)
