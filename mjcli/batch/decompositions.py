"""Every way to see the tiles of one suit as sets and at most one pair, as tables that are built from first principles.

A suit's counts, read as a numeral in base 5 with rank 1 first, are its **key**, as in ``mjcli.suits``; the honours come
after the suits, their keys moved by ``HONORS``. Each complete key has a **number**, and its decompositions are rows in
the order in which ``mjcli.readings`` finds them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjcli.columns import WAIT_NUMBERS
from mjcli.suits import MOST_SETS
from mjcli.tiles import PLAIN_KINDS

__all__ = [
    "HONORS",
    "PLACES",
    "TILE_WEIGHTS",
    "WAITS",
    "Decompositions",
    "decompositions",
    "keys_and_sizes",
    "keys_of",
    "without",
]

HONORS: Final = 5**9
"""The key of no honours; those of suits are below it."""

PLACES: Final = ("pair", "pung", "lowest", "middle", "highest")
"""Where the winning tile may have gone: the pair, a pung, or a chow as one of its tiles."""

_CODES: Final = WAIT_NUMBERS
WAITS: Final[NDArray[np.int8]] = np.array(
    [
        [
            _CODES["single"],
            _CODES["pung"],
            _CODES["edge" if rank == 6 else "open"],
            _CODES["closed"],
            _CODES["edge" if rank == 2 else "open"],
        ]
        for rank in range(9)
    ],
    np.int8,
)
"""int8[9, 5]: the wait by the rank of the winning tile, from 0, and its place."""

_WEIGHTS: Final = 5 ** np.arange(8, -1, -1)
_HONOR_WEIGHTS: Final = _WEIGHTS[2:]


def _key_matrix() -> NDArray[np.float32]:
    """Return float32[34, 5]: what each tile adds to the four keys and to the number of tiles."""
    matrix = np.ones((PLAIN_KINDS, 5), np.float32)
    matrix[:, :4] = 0
    for suit in range(3):
        matrix[9 * suit : 9 * suit + 9, suit] = _WEIGHTS
    matrix[27:, 3] = _HONOR_WEIGHTS
    return matrix


_KEY_MATRIX: Final = _key_matrix()
_STACK: Final = 512


def keys_and_sizes(counts: NDArray[np.uint8]) -> NDArray[np.intp]:
    """Return intp[5, rows]: the key of each suit and of the honours, and how many tiles there are.

    >>> keys_and_sizes(np.eye(1, 34, 8, dtype=np.uint8)).tolist()
    [[1], [0], [0], [1953125], [1]]

    Args:
        counts: uint8[rows, 34], each at most 4: the keys are then exact as products of 32 bit floats.
    """
    rows = len(counts)
    stacked = rows // _STACK * _STACK
    whole = counts.astype(np.float32)
    # in small products, which the linear algebra library does not hand out to threads
    first = (whole[:stacked].reshape(-1, _STACK, PLAIN_KINDS) @ _KEY_MATRIX).reshape(stacked, 5)
    keys = np.empty((5, rows), np.intp)
    keys[:, :stacked], keys[:, stacked:] = first.T, (whole[stacked:] @ _KEY_MATRIX).T
    keys[3] += HONORS
    return keys


def keys_of(counts: NDArray[np.uint8]) -> NDArray[np.intp]:
    """Return intp[4, rows]: the key of each suit and of the honours, of uint8[rows, 34]."""
    return keys_and_sizes(counts)[:4]


TILE_WEIGHTS: Final = np.concatenate((np.tile(_WEIGHTS, 3), _HONOR_WEIGHTS, [0]))
"""intp[35]: what one tile of each kind adds to the key of its suit; a joker adds nothing."""


def without(keys: NDArray[np.intp], kinds: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return intp[4, rows]: keys without one tile of each row.

    Args:
        keys: intp[4, rows].
        kinds: intp[rows], that tile's kind; of a joker nothing is taken away.
    """
    found = keys.copy()
    found[kinds // 9, np.arange(len(kinds))] -= TILE_WEIGHTS.take(kinds)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Decompositions:
    """The tables. Octal columns are those of ``mjcli.columns``."""

    number: NDArray[np.uint16]
    """[key] the number of a complete suit; 0 if it is not complete."""
    completing: NDArray[np.uint16]
    """[key] a bit for each rank of which one more tile, even a fifth, makes the suit complete."""
    start: NDArray[np.intp]
    """[number] the row of its first decomposition."""
    count: NDArray[np.int8]
    """[number] how many it has; 0 for the number 0."""
    pair: NDArray[np.int8]
    """[number] 1 if there is a pair in them; 9 for the number 0."""
    pairs: NDArray[np.int8]
    """[number] how many pairs the tiles make, four alike two."""
    tiles: NDArray[np.int32]
    """[number] the tiles, octal."""
    chows: NDArray[np.int32]
    """[row] octal, as the others."""
    pungs: NDArray[np.int32]
    pair_tile: NDArray[np.int32]
    pair_rank: NDArray[np.int8]
    """[row] 1 + the rank of the pair, from 0; 0 where there is none."""
    places: NDArray[np.uint8]
    """[9 * row + rank from 0] a bit for each of ``PLACES``, of the chows of one wait the first only."""


def _suit_sets(ranks: int, *, chows: bool) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return how many chows start at each rank, pungs and pairs there are: int8[rows, ranks], with at most one fifth
    tile.
    """
    starts: list[tuple[int, ...]] = [()]
    for size in range(1, MOST_SETS + 1) if chows else ():
        starts += _multisets(size)
    held_chows = np.array([[each.count(rank) for rank in range(ranks)] for each in starts], np.int8)
    pung_sets = [each for size in range(MOST_SETS + 1) for each in combinations(range(ranks), size)]
    held_pungs = np.array([[rank in each for rank in range(ranks)] for each in pung_sets], np.int8)
    held_pairs = np.concatenate((np.zeros((1, ranks), np.int8), np.eye(ranks, dtype=np.int8)))
    one, two = np.nonzero(held_chows.sum(axis=1)[:, None] + held_pungs.sum(axis=1) <= MOST_SETS)
    one, three = np.repeat(one, len(held_pairs)), np.tile(np.arange(len(held_pairs)), len(one))
    two = np.repeat(two, len(held_pairs))
    found = held_chows[one], held_pungs[two], held_pairs[three]
    fifths = np.maximum(_tiles(*found) - 4, 0)
    fits = fifths.sum(axis=1) <= 1
    return found[0][fits], found[1][fits], found[2][fits]


def _multisets(size: int) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = [()]
    for _ in range(size):
        found = [(*each, rank) for each in found for rank in range(each[-1] if each else 0, 7)]
    return found


def _tiles(chows: NDArray[Any], pungs: NDArray[Any], pairs: NDArray[Any]) -> NDArray[Any]:
    tiles: NDArray[Any] = chows + 3 * pungs + 2 * pairs
    tiles[:, 1:] += chows[:, :-1]
    tiles[:, 2:] += chows[:, :-2]
    return tiles


def _octal(digits: NDArray[Any]) -> NDArray[np.int32]:
    octal: NDArray[np.int32] = (digits.astype(np.int32) << 3 * np.arange(digits.shape[1], dtype=np.int32)).sum(
        axis=1, dtype=np.int32
    )
    return octal


def _places(chows: NDArray[Any], pungs: NDArray[Any], pairs: NDArray[Any]) -> NDArray[np.uint8]:
    """Return uint8[rows, 9]: where a winning tile of each rank may have gone."""
    lowest = chows > 0
    middle, highest = np.zeros_like(lowest), np.zeros_like(lowest)
    middle[:, 1:], highest[:, 2:] = lowest[:, :-1], lowest[:, :-2]
    # as the lowest or the highest tile of a chow it may have had the same open wait
    highest[:, 3:6] &= ~lowest[:, 3:6]
    places: NDArray[np.uint8] = sum(
        (
            each.astype(np.uint8) << np.uint8(bit)
            for bit, each in enumerate((pairs > 0, pungs > 0, lowest, middle, highest))
        ),
        np.zeros(chows.shape, np.uint8),
    )
    return np.pad(places, ((0, 0), (0, 9 - chows.shape[1])))


@cache
def decompositions() -> Decompositions:
    """Return the tables, built on the first call.

    >>> tables = decompositions()
    >>> three_and_pair = int("300020000", 5)
    >>> tables.count[tables.number[three_and_pair]], tables.pair[tables.number[three_and_pair]]
    (np.int8(1), np.int8(1))
    """
    number = np.zeros(HONORS + 5**7, np.uint16)
    completing = np.zeros_like(number)
    columns: list[list[NDArray[Any]]] = []
    numbers, row = 1, 0
    for first, ranks, weights in ((0, 9, _WEIGHTS), (HONORS, 7, _HONOR_WEIGHTS)):
        sets = _suit_sets(ranks, chows=first == 0)
        tiles = _tiles(*sets)
        keys = first + tiles @ weights
        fifth = tiles > 4
        fifths = fifth.sum(axis=1)
        for rank, weight in enumerate(weights):
            after = (tiles[:, rank] > 0) & (fifths == fifth[:, rank])
            completing[keys[after] - weight] |= np.uint16(1 << rank)
        fits = fifths == 0
        sets, tiles, keys = (sets[0][fits], sets[1][fits], sets[2][fits]), tiles[fits], keys[fits]
        # at the lowest rank where two decompositions differ, a pung is found before the pair, and this before chows
        choice = (2 - 2 * sets[1] - sets[2]) @ 3 ** np.arange(ranks - 1, -1, -1)
        order = np.lexsort((choice, keys))
        keys, tiles = keys[order], tiles[order]
        chows, pungs, pairs = (each[order] for each in sets)
        distinct, first_row, ways = np.unique(keys, return_index=True, return_counts=True)
        number[distinct] = np.arange(numbers, numbers + len(distinct))
        whole = tiles[first_row]
        columns.append(
            [
                first_row + row,
                ways,
                np.any(pairs[first_row], axis=1),
                np.sum(whole // 2, axis=1),
                _octal(whole),
                _octal(chows),
                _octal(pungs),
                _octal(pairs),
                _places(chows, pungs, pairs).ravel(),
            ]
        )
        numbers, row = numbers + len(distinct), row + len(keys)
    none = ((0,), (0,), (9,), (0,), (0,), (), (), (), ())
    types = (np.intp, np.int8, np.int8, np.int8, np.int32, np.int32, np.int32, np.int32, np.uint8)
    tables: Iterator[NDArray[Any]] = (
        np.concatenate((np.array(before, dtype), one, two)).astype(dtype)
        for before, one, two, dtype in zip(none, *columns, types, strict=True)
    )
    start, count, pair, made, tiles, chows, pungs, pair_tile, places = tables
    return Decompositions(
        number=number,
        completing=completing,
        start=start,
        count=count,
        pair=pair,
        pairs=made,
        tiles=tiles,
        chows=chows,
        pungs=pungs,
        pair_tile=pair_tile,
        pair_rank=np.array([(each.bit_length() + 2) // 3 for each in pair_tile.tolist()], np.int8),
        places=places,
    )
