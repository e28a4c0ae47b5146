"""The suit-class tables: what is shipped is what the builder makes, and that equals an obvious construction."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement, product
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from mjcli.suits import Tables, load, pack, unpack
from mjcli.suits.build import build, interned, main, vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

RANKS = pytest.mark.parametrize("ranks", [7, 9])


@cache
def built() -> Tables:
    return build()


@cache
def built_vectors(ranks: int) -> NDArray[np.uint8]:
    return vectors(ranks, chows=ranks == 9)


def contents(ranks: int, sets: int, pair: int) -> NDArray[np.int8]:
    """Return every content of a suit that is so many sets and so many pairs, found by trying all choices of both."""
    pungs = [[rank] * 3 for rank in range(ranks)]
    chows = [[rank, rank + 1, rank + 2] for rank in range(ranks - 2)] if ranks == 9 else []
    pairs = [[rank] * 2 for rank in range(ranks)]
    found = set()
    for chosen in product(
        combinations_with_replacement(pungs + chows, sets), combinations_with_replacement(pairs, pair)
    ):
        tiles = [tile for groups in chosen for group in groups for tile in group]
        content = tuple(tiles.count(rank) for rank in range(ranks))
        if max(content) <= 4:
            found.add(content)
    return np.array(sorted(found), np.int8)


def suits_of_hands(ranks: int) -> NDArray[np.int8]:
    """Return the counts of every suit of at most 14 tiles (of honours: every one), in the order of keys."""
    counts = np.indices((5,) * ranks, np.int8).reshape(ranks, -1).T
    return counts[counts.sum(axis=1) <= 14] if ranks == 9 else counts


def keys(counts: NDArray[np.int8]) -> NDArray[np.int64]:
    return np.array([int("".join(map(str, row)), 5) for row in counts])


def searched(counts: NDArray[np.int8], ranks: int) -> Iterator[tuple[int, NDArray[np.int8]]]:
    """Yield each column of the vectors with its values: the least number of tiles missing over all contents."""
    for column, (pair, sets) in enumerate(product(range(2), range(5))):
        least = np.full(len(counts), 99, np.int8)
        for content in contents(ranks, sets, pair):
            np.minimum(least, np.maximum(content - counts, 0).sum(axis=1, dtype=np.int8), out=least)
        yield column, least


def test_shipped_tables_are_those_built() -> None:
    assert load() == built()


def test_the_builder_writes_the_shipped_tables(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mjcli.suits.build.build", built)
    file = tmp_path / "tables.bin"
    main([str(file)])
    assert unpack(file.read_bytes()) == load()
    assert capsys.readouterr().err == f"{file}: {file.stat().st_size} bytes\n"


def test_packing_keeps_every_table() -> None:
    packed = pack(built())
    assert unpack(packed) == built()
    assert len(packed) <= 90_000


def test_there_are_405350_suits_of_at_most_14_tiles() -> None:
    assert len(suits_of_hands(9)) == 405_350


@RANKS
def test_vectors_of_a_sample_equal_a_plain_search(ranks: int) -> None:
    counts = suits_of_hands(ranks)
    sample = counts[Random(ranks).sample(range(len(counts)), 300)]
    for column, least in searched(sample, ranks):
        assert np.array_equal(built_vectors(ranks)[keys(sample), column], least)


@pytest.mark.long
@RANKS
def test_vectors_of_every_suit_equal_a_plain_search(ranks: int) -> None:
    counts = suits_of_hands(ranks)
    for column, least in searched(counts, ranks):
        assert np.array_equal(built_vectors(ranks)[keys(counts), column], least)


@RANKS
def test_classes_stand_for_their_vectors(ranks: int) -> None:
    rows = built_vectors(ranks)
    classes, numbers = interned(rows)
    shipped = load().suit if ranks == 9 else load().honors
    assert bytes(numbers) == shipped
    assert np.array_equal(classes[np.frombuffer(shipped, np.uint8)], rows)
    assert shipped[0] == 0


def shared(left: list[int], right: list[int]) -> list[int]:
    """Return the vector of two suits together: the best way to share the sets and the pair."""
    return [
        min(
            left[5 * mine_pair + mine] + right[5 * (pair - mine_pair) + sets - mine]
            for mine in range(sets + 1)
            for mine_pair in range(pair + 1)
        )
        for pair, sets in product(range(2), range(5))
    ]


def test_whole_hands_miss_what_the_best_shares_of_their_suits_miss() -> None:
    tables, rng = load(), Random(34)
    wall = [kind for kind in range(34) for _ in range(4)]
    for _ in range(1000):
        drawn = rng.sample(wall, 14)
        counts = [drawn.count(kind) for kind in range(34)]
        m, p, s, z = (int("".join(map(str, counts[9 * place : 9 * place + 9])), 5) for place in range(4))
        vector = built_vectors(9)[m].tolist()
        for suit, ranks in ((p, 9), (s, 9), (z, 7)):
            vector = shared(vector, built_vectors(ranks)[suit].tolist())
        left = tables.two_suits[tables.suit[p] << 8 | tables.suit[m]]
        right = tables.suit_honors[tables.honors[z] << 8 | tables.suit[s]]
        assert [tables.missing[sets][left << 8 | right] for sets in range(5)] == vector[5:]


def test_more_than_256_classes_are_refused() -> None:
    rows = np.arange(257, dtype=np.uint16).view(np.uint8).reshape(257, 2)
    with pytest.raises(ValueError, match="257 classes"):
        interned(rows)
