"""Build the suit-class tables from first principles: ``python -m mjcli.suits.build [FILE]``.

Tiles missing from counts ``c`` to a target ``t`` are ``sum(max(0, t - c))``. The cost is a sum over ranks, so the least
of it over many targets is a distance transform on the grid of all counts, one axis after the other: one tile fewer
costs one, one tile more costs nothing. The distinct results are interned to classes, and classes are merged by the
minimum over every way to share sets and pair between two suits.
"""

from __future__ import annotations

import sys
from itertools import product
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjcli.suits import MOST_SETS, SPECIAL_FIELDS, Tables, pack

__all__ = ["build"]

Bytes = NDArray[np.uint8]

FAR: Final = 15
"""More tiles than any target holds."""


def targets(ranks: int, sets: int, *, chows: bool, pair: bool) -> list[tuple[int, ...]]:
    """Return every content of a suit that is just so many sets, and a pair if asked, without a fifth copy.

    >>> targets(2, 1, chows=False, pair=True)
    [(2, 3), (3, 2)]
    """
    groups = [tuple(3 * (at == rank) for at in range(ranks)) for rank in range(ranks)]
    if chows:
        groups += [tuple(int(first <= at < first + 3) for at in range(ranks)) for first in range(ranks - 2)]
    found = {tuple(2 * (at == rank) for at in range(ranks)) for rank in range(ranks)} if pair else {(0,) * ranks}
    for _ in range(sets):
        sums = (tuple(map(sum, zip(content, group, strict=True))) for content, group in product(found, groups))
        found = {content for content in sums if max(content) <= 4}
    return sorted(found)


def vectors(ranks: int, *, chows: bool) -> Bytes:
    """Return uint8[key, 10]: tiles missing for 0-4 sets without a pair, then with one, for every key."""
    columns = []
    for pair, sets in product((False, True), range(MOST_SETS + 1)):
        grid = np.full((5,) * ranks, FAR, np.uint8)
        for target in targets(ranks, sets, chows=chows, pair=pair):
            grid[target] = 0
        for axis in range(ranks):
            line = np.moveaxis(grid, axis, 0)
            for count in range(1, 5):
                np.minimum(line[count], line[count - 1], out=line[count])
            for count in range(3, -1, -1):
                np.minimum(line[count], line[count + 1] + 1, out=line[count])
        columns.append(grid.ravel())
    return np.stack(columns, axis=1)


def interned(rows: Bytes) -> tuple[Bytes, Bytes]:
    """Return the distinct rows, that of index 0 first, and for each row the number of its like.

    Raises:
        ValueError: there are more than 256 distinct rows, which one byte cannot number.
    """
    as_one = np.ascontiguousarray(rows).view(np.dtype((np.void, rows.shape[1]))).ravel()
    _, first, number = np.unique(as_one, return_index=True, return_inverse=True)
    if len(first) > 256:
        raise ValueError(f"{len(first)} classes; one byte numbers 256")
    in_order = np.argsort(first)
    renumbered = np.empty(len(first), np.uint8)
    renumbered[in_order] = np.arange(len(first))
    return rows[first[in_order]], renumbered[number]


def merged(left: Bytes, right: Bytes) -> Bytes:
    """Return uint8[left, right, 10]: the vectors of every two classes taken together."""
    a, b = left[:, None, :], right[None, :, :]
    out = np.full((len(left), len(right), 2 * (MOST_SETS + 1)), 2 * FAR, np.uint8)
    pair = MOST_SETS + 1
    for sets in range(MOST_SETS + 1):
        for mine in range(sets + 1):
            rest = sets - mine
            for column, x, y in (
                (sets, mine, rest),
                (sets + pair, mine + pair, rest),
                (sets + pair, mine, rest + pair),
            ):
                np.minimum(out[..., column], a[..., x] + b[..., y], out=out[..., column])
    return out


def wide(table: Bytes) -> bytes:
    """Return ``table`` padded to 256 columns, so that an index is the row << 8 | the column."""
    padded = np.zeros((len(table), 256), np.uint8)
    padded[:, : table.shape[1]] = table
    return padded.tobytes()


def special() -> Bytes:
    """Return uint8[2**14]: tiles missing for seven different pairs or thirteen orphans, the fewer of the two."""
    index = np.arange(1 << 14)
    ends = (*SPECIAL_FIELDS[1:], 14)
    pairs, kinds, orphans, orphan_pairs = (
        index >> start & (1 << end - start) - 1 for start, end in zip(SPECIAL_FIELDS, ends, strict=True)
    )
    seven_pairs = 7 - pairs + np.maximum(0, 7 - kinds)
    thirteen_orphans = 13 - np.minimum(orphans, 13) + (orphan_pairs == 0)
    fewer: NDArray[np.int64] = np.minimum(seven_pairs, thirteen_orphans)
    return fewer.astype(np.uint8)


def build() -> Tables:
    """Return all tables, made from nothing in about a second."""
    suit_classes, suit = interned(vectors(9, chows=True))
    honor_classes, honors = interned(vectors(7, chows=False))
    two_suits = merged(suit_classes, suit_classes)
    suit_honors = merged(honor_classes, suit_classes)
    two_classes, two = interned(two_suits.reshape(-1, two_suits.shape[2]))
    with_classes, with_honors = interned(suit_honors.reshape(-1, suit_honors.shape[2]))
    last = merged(two_classes, with_classes)
    return Tables(
        suit=suit.tobytes(),
        honors=honors.tobytes(),
        two_suits=wide(two.reshape(two_suits.shape[:2])),
        suit_honors=wide(with_honors.reshape(suit_honors.shape[:2])),
        missing=tuple(wide(last[..., MOST_SETS + 1 + sets]) for sets in range(MOST_SETS + 1)),
        special=special().tobytes(),
    )


def main(arguments: list[str]) -> None:
    """Write the packed tables to the one file named, else to their place in the package."""
    file = Path(arguments[0]) if arguments else Path(__file__).with_name("tables.bin")
    packed = pack(build())
    file.write_bytes(packed)
    print(f"{file}: {len(packed)} bytes", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
