"""Chance: known answers, a second implementation, numbers and shuffles without bias."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mjcli.chance import MAX_SEED, RNG, Chance, Stream, fresh_seed, parse_seed, philox
from mjcli.errors import InputError
from tests.cases import table

CASES: dict[str, list[dict[str, Any]]] = table("chance")

CONSTANTS = {
    32: ((0xD2511F53, 0xCD9E8D57), (0x9E3779B9, 0xBB67AE85)),
    64: ((0xD2E7470EE14C6C93, 0xCA5A826395121157), (0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B)),
}


def slow_philox(counter: Sequence[int], key: Sequence[int], bits: int) -> list[int]:
    """Philox4xB-10 as the paper draws it: two multiplications a round, halves crossed over, keys raised after each."""
    multipliers, weyl = CONSTANTS[bits]
    x, k = list(counter), list(key)
    for _ in range(10):
        (high0, low0), (high1, low1) = (divmod(m * x[2 * i], 2**bits) for i, m in enumerate(multipliers))
        x = [high1 ^ x[1] ^ k[0], low1, high0 ^ x[3] ^ k[1], low0]
        k = [(each + more) % 2**bits for each, more in zip(k, weyl, strict=True)]
    return x


def slow_words(seed: int, deal: int, stream: int) -> Iterator[int]:
    block = 0
    while True:
        counter = (block, stream, deal % 2**32, deal // 2**32)
        yield from slow_philox(counter, (seed % 2**32, seed // 2**32), 32)
        block += 1


def slow_below(words: Iterator[int], limit: int) -> int:
    """Words whose low product lies in the incomplete part are passed over; see Lemire, section 3."""
    while True:
        high, low = divmod(next(words) * limit, 2**32)
        if low >= 2**32 % limit:
            return high


def slow_order(words: Iterator[int], count: int) -> list[int]:
    rest = list(range(count))
    for last in range(count - 1, 0, -1):
        chosen = slow_below(words, last + 1)
        rest[last], rest[chosen] = rest[chosen], rest[last]
    return rest


@pytest.mark.parametrize("case", CASES["known_answers"], ids=lambda case: case["id"])
def test_known_answer(case: dict[str, Any]) -> None:
    counter, key = case["counter"], case["key"]
    assert list(philox(tuple(counter), tuple(key))) == case["answer"] == slow_philox(counter, key, 32)


@pytest.mark.parametrize("case", CASES["reference"], ids=lambda case: case["id"])
def test_reference(case: dict[str, Any]) -> None:
    place = case["seed"], case["deal"], case["stream"]
    chance = Chance(case["seed"], case["deal"], Stream(case["stream"]))
    words, dice, order = slow_words(*place), slow_words(*place), slow_words(*place)
    assert [chance.word() for _ in range(6)] == case["words"] == [next(words) for _ in range(6)]
    chance = Chance(case["seed"], case["deal"], Stream(case["stream"]))
    assert list(chance.dice(8)) == case["dice"] == [1 + slow_below(dice, 6) for _ in range(8)]
    chance = Chance(case["seed"], case["deal"], Stream(case["stream"]))
    assert chance.shuffled(range(17)) == case["order"] == slow_order(order, 17)


@given(st.tuples(*[st.integers(0, 2**64 - 1)] * 4), st.tuples(*[st.integers(0, 2**64 - 1)] * 2))
def test_the_second_implementation_is_numpys_at_64_bits(counter: tuple[int, ...], key: tuple[int, ...]) -> None:
    count = sum(word << 64 * place for place, word in enumerate(counter))
    before = (count - 1) % 2**256  # NumPy counts up before each block
    generator = np.random.Philox(counter=before, key=key[0] + (key[1] << 64))
    assert generator.random_raw(4).tolist() == slow_philox(counter, key, 64)


@given(st.tuples(*[st.integers(0, 2**32 - 1)] * 4), st.tuples(*[st.integers(0, 2**32 - 1)] * 2))
def test_both_implementations_agree(counter: tuple[int, int, int, int], key: tuple[int, int]) -> None:
    assert list(philox(counter, key)) == slow_philox(counter, key, 32)


@given(st.integers(1, 2**32), st.integers(0, 2**64 - 1))
def test_below_as_defined(limit: int, seed: int) -> None:
    chance, words = Chance(seed), slow_words(seed, 0, 0)
    assert [chance.below(limit) for _ in range(5)] == [slow_below(words, limit) for _ in range(5)]


def test_words_that_would_favor_a_result_are_drawn_again() -> None:
    # of 3 x 2**30 results no word may give two, so one word in four is refused
    limit, taken = 3 * 2**30, 0
    chance, words = Chance(5), slow_words(5, 0, 0)
    for _ in range(1000):
        number = chance.below(limit)
        while next(words) * limit >> 32 != number:
            taken += 1
    assert 250 < taken < 420


def test_orders_of_three_are_equally_likely() -> None:
    found = Counter(tuple(Chance(3, deal).shuffled("abc")) for deal in range(6000))
    chi = sum((found[order] - 1000) ** 2 / 1000 for order in permutations("abc"))
    assert chi < 20.5  # p > 0.001 with 5 degrees of freedom


def test_seeds_deals_and_streams_differ() -> None:
    places = [
        (seed, deal, stream)
        for seed in (0, 1, 2, 2**32, MAX_SEED)
        for deal in (0, 1, 2, 2**32, 2**64 - 1)
        for stream in Stream
    ]
    assert len({tuple(Chance(*place).shuffled(range(136))) for place in places}) == len(places)


def test_the_same_in_another_process() -> None:
    code = "from mjcli.chance import Chance; print(Chance(9, 8).shuffled(range(40)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path.cwd())
    assert done.stdout.strip() == str(Chance(9, 8).shuffled(range(40)))


def test_items_given_stay_as_they_are() -> None:
    items = list(range(9))
    assert sorted(Chance(0).shuffled(items)) == items == list(range(9))
    assert Chance(0).shuffled([]) == []


@pytest.mark.parametrize("text", ["", "x", "-1", "1.0", "007", "0x10", " 1", "1e3", "１", str(2**64), "9" * 500])
def test_no_seed(text: str) -> None:
    with pytest.raises(InputError, match="is no seed") as caught:
        parse_seed(text)
    assert caught.value.code == "bad-seed"


@given(st.integers(0, MAX_SEED))
def test_seed_of_its_text(seed: int) -> None:
    assert parse_seed(str(seed)) == seed


@pytest.mark.parametrize(("seed", "deal"), [(-1, 0), (2**64, 0), (0, -1), (0, 2**64)])
def test_out_of_range(seed: int, deal: int) -> None:
    with pytest.raises(InputError, match="is not a whole number of 0 to"):
        Chance(seed, deal)


def test_fresh_seeds_differ() -> None:
    assert len({fresh_seed() for _ in range(20)}) == 20


def test_the_version_is_named() -> None:
    assert RNG == "philox4x32-10/fisher-yates/1"
