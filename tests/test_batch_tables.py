"""The tables of the array path against plain ways to find the same, and lines put together against joined texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import combinations, combinations_with_replacement
from random import Random
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from mjcli.batch import forms, segments
from mjcli.batch.combining import Combined, keys
from mjcli.batch.decompositions import HONORS, decompositions, keys_of, without
from mjcli.batch.segments import Pool, RowPool, Texts, distinct, joined
from mjcli.forms import KNITTED, ORPHANS, RULES, helpful, missing
from mjcli.ruleset.combine import combiner
from tests import plain


def test_keys_are_numerals() -> None:
    rng = Random("keys")
    rows = [[rng.choice((0, 0, 1, 2, 3, 4)) for _ in range(34)] for _ in range(700)]
    found = keys_of(np.array(rows, np.uint8))
    for row, counts in enumerate(rows):
        suits = [counts[:9], counts[9:18], counts[18:27], counts[27:]]
        wanted = [int("".join(map(str, suit)), 5) for suit in suits]
        assert (found[:, row] - np.array([0, 0, 0, HONORS])).tolist() == wanted
    kinds = np.array([next(kind for kind, count in enumerate(counts) if count) for counts in rows])
    fewer = np.array(rows, np.uint8)
    fewer[np.arange(len(rows)), kinds] -= 1
    assert np.array_equal(without(found, kinds), keys_of(fewer))


def counts_of(key: int, ranks: int) -> list[int]:
    return [key // 5 ** (ranks - 1 - rank) % 5 for rank in range(ranks)]


def sets_of(row: int, suit: str) -> tuple[tuple[tuple[str, ...], ...], str]:
    """Return the sets and the pair of a row of the tables, as texts."""
    tables, sets, pair = decompositions(), [], ""
    for rank in range(9):
        tile = f"{rank + 1}{suit}"
        sets += [plain.chow(tile)] * (int(tables.chows[row]) >> 3 * rank & 7)
        sets += [(tile,) * 3] * (int(tables.pungs[row]) >> 3 * rank & 7)
        if int(tables.pair_tile[row]) >> 3 * rank & 7:
            pair = tile
    assert tables.pair_rank[row] == (int(pair[0]) if pair else 0)
    return tuple(sorted(sets)), pair


def with_fifth(tiles: Sequence[str], tile: str) -> bool:
    """Return whether tiles with one more are sets and at most one pair."""
    more = tuple(sorted((*tiles, tile)))
    return len(more) <= 14 and (any(plain.ways(more)) or any(True for _ in plain.standard_ways(more)))


@pytest.mark.parametrize("step", [29, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize(("suit", "first", "ranks"), [("p", 0, 9), ("z", HONORS, 7)])
def test_every_way_to_see_a_suit(suit: str, first: int, ranks: int, step: int) -> None:
    tables = decompositions()
    whole = np.flatnonzero(tables.number[first : first + 5**ranks]).tolist()
    others = Random(f"suits {suit}").sample(range(5**ranks), 200)
    for key in {*whole[::step], *others}:
        counts = counts_of(key, ranks)
        tiles = tuple(f"{rank + 1}{suit}" for rank, count in enumerate(counts) for _ in range(count))
        if len(tiles) > 14:
            continue
        wanted = {(sets, "") for sets in plain.ways(tiles)} if len(tiles) % 3 == 0 else set()
        wanted |= {(tuple(sorted(sets)), pair) for sets, pair in plain.standard_ways(tiles)}
        number = tables.number[first + key]
        rows = range(tables.start[number], tables.start[number] + tables.count[number])
        assert len(rows) == len(wanted), tiles
        assert {sets_of(row, suit) for row in rows} == wanted
        completing = {rank for rank in range(ranks) if tables.completing[first + key] >> rank & 1}
        weights = [5 ** (ranks - 1 - rank) for rank in range(ranks)]
        assert completing == {
            rank for rank in range(ranks) if counts[rank] < 4 and tables.number[first + key + weights[rank]]
        } | {rank for rank in range(ranks) if counts[rank] == 4 and with_fifth(tiles, f"{rank + 1}{suit}")}
        if wanted:
            assert tables.pairs[number] == sum(count // 2 for count in counts)
            assert int(tables.tiles[number]) == sum(count << 3 * rank for rank, count in enumerate(counts))


def special_hands(rng: Random, form: str, count: int) -> NDArray[np.uint8]:
    """Return concealed hands of 14 tiles that have a form, or lack a tile or two of it."""
    rows: list[list[int]] = []
    while len(rows) < count:
        counts = [0] * 34
        if form == "seven-pairs":
            for kind in rng.sample(range(34), 7):
                counts[kind] += 2
        elif form == "thirteen-orphans":
            for kind in (*ORPHANS, rng.choice(ORPHANS)):
                counts[kind] += 1
        elif form == "thirteen-unconnected":
            suited = [
                9 * suit + rank for suit in range(3) for rank in rng.choice(((0, 3, 6), (1, 4, 7), (0, 4, 8), (2, 5)))
            ]
            kinds = rng.sample([*suited, *range(27, 34)], min(13, len(suited) + 7))
            for kind in (*kinds, rng.choice(kinds)):
                counts[kind] += 1
        else:
            knitted = rng.choice(KNITTED)
            kinds = list(knitted) if form == "knitted-straight" else rng.sample([*knitted, *range(27, 34)], 14)
            for kind in kinds:
                counts[kind] += 1
            if form == "knitted-straight":
                for kind in (rng.choice(range(34)),) * 3 + (rng.choice(range(34)),) * 2:
                    counts[kind] += 1
        for _ in range(rng.choice((0, 0, 1, 2))):
            counts[rng.choice([kind for kind, held in enumerate(counts) if held])] -= 1
            counts[rng.randrange(34)] += 1
        if max(counts) <= 4 and sum(counts) == 14:
            rows.append(counts)
    return np.array(rows, np.uint8)


FORMS = [(form, rule) for form, rules in RULES.items() for rule in rules if form != "standard"]


@pytest.mark.parametrize(("form", "rule"), FORMS)
def test_special_forms_and_their_waits(form: str, rule: str) -> None:
    rng = Random(f"special {form} {rule}")
    hands = special_hands(rng, form, 250)
    complete = forms.is_complete(hands, form, rule)
    assert complete.tolist() == [missing(counts, 4, form, rule) == 0 for counts in hands.tolist()]
    assert 20 < complete.sum() < 230
    before = hands.copy()
    kinds = np.array([rng.choice(np.flatnonzero(counts).tolist()) for counts in hands])
    before[np.arange(len(hands)), kinds] -= 1
    waits = forms.waits(before, form, rule)
    for counts, found in zip(before.tolist(), waits, strict=True):
        wanted = set(helpful(counts, 4, form, rule)) if missing(counts, 4, form, rule) == 1 else set()
        held_four = {kind for kind, count in enumerate(counts) if count == 4}
        assert set(np.flatnonzero(found).tolist()) - held_four == wanted


def collections() -> list[tuple[int, int, int]]:
    """Return the columns of every collection of up to four chows, and of up to four pungs."""
    found = []
    for size in range(5):
        chows = combinations_with_replacement(range(21), size)
        found += [octal((each // 7, each % 7) for each in chosen) for chosen in chows]
        found += [octal((each // 9, each % 9) for each in chosen) for chosen in combinations(range(27), size)]
    return list(dict.fromkeys(found))


def octal(places: Iterable[tuple[int, int]]) -> tuple[int, int, int]:
    columns = [0, 0, 0]
    for suit, rank in places:
        columns[suit] += 1 << 3 * rank
    return columns[0], columns[1], columns[2]


def test_no_two_collections_of_sets_have_one_key() -> None:
    columns = np.array(collections(), np.int32).T
    assert columns.shape[1] > 25_000
    assert len(np.unique(keys(list(columns)))) == columns.shape[1]


def test_combined_remembers_every_collection() -> None:
    alike, step = (("n", 0, "a"), ("n", 0, "a")), (("n", 0, "a"), ("n", 1, "b"))
    entries = ((3, (alike,)), (1, (step,)))
    every = Random("combined").sample(collections(), 3_000)
    combine = combiner(entries)
    combined = Combined(entries)
    for rows in (every[:10], every, every[::-1]):
        columns = np.array(rows, np.int32).T
        numbers = np.empty(len(rows), np.int64)
        combined.look_up(*columns, numbers)
        for which in range(2):
            counts = np.empty(len(rows), np.int8)
            combined.counts(which)(numbers, counts)
            assert counts.tolist() == [combine(*row)[which] for row in rows]


@given(st.lists(st.lists(st.integers(0, 70), min_size=3, max_size=3), max_size=30))
def test_lines_are_joined_texts(rows: list[list[int]]) -> None:
    texts = Texts()
    writes: list[Callable[[int], str]] = [
        lambda key: "東" * key,
        lambda key: "-" * (key % 3),
        lambda key: f"<{key}>" * key,
    ]
    columns = np.array(rows, np.intp).reshape(-1, 3).T
    found = joined(texts, [Pool(texts, write)(column) for write, column in zip(writes, columns, strict=True)])
    assert list(found) == ["".join(write(key) for write, key in zip(writes, row, strict=True)).encode() for row in rows]


def text_at(rows: Sequence[object], row: int) -> str:
    return f"{rows[row]}"


@given(
    st.lists(
        st.lists(
            st.tuples(st.booleans(), st.integers(-3, 3), st.integers(-300, 70_000), st.integers(-(2**40), 2**40)),
            max_size=30,
        ),
        max_size=4,
    ),
    st.sampled_from([1, 17]),
)
def test_rows_have_their_texts(parts: list[list[tuple[bool, int, int, int]]], slot_bits: int) -> None:
    texts = Texts()
    with patch.object(segments, "_SLOT_BITS", slot_bits):
        pool = RowPool(texts)
        for rows in parts:
            truths, small, wide, widest = zip(*rows, strict=True) if rows else ((),) * 4
            columns = [np.array(truths, np.bool_), np.array([small, small], np.int8), np.array(wide, np.int32)]
            numbers = pool([*columns, np.array(widest, np.int64)], partial(text_at, rows))
            assert list(joined(texts, [numbers])) == [f"{row}".encode() for row in rows]


def test_a_row_that_was_met_is_not_written_again() -> None:
    pool = RowPool(Texts())
    columns = [np.array([1, 0, 1, 0]), np.array([[7, 7, 7, -1], [1, 2, 1, 0]])]
    written: list[int] = []

    def write(row: int) -> str:
        written.append(row)
        return f"{row}"

    numbers = pool(columns, write)
    assert numbers[0] == numbers[2]
    assert np.array_equal(pool(columns, write), numbers)
    assert sorted(written) == [0, 1, 3]


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 2)), min_size=1, max_size=40))
def test_distinct_rows(rows: list[tuple[int, int]]) -> None:
    columns = [np.array(column, np.int32) for column in zip(*rows, strict=True)]
    first, like = distinct(columns)
    assert [rows[first[each]] for each in like] == rows
    assert len({rows[each] for each in first}) == len(first) == len(set(rows))
