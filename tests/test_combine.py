"""Combine once: held against a search that tries every collection of matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, permutations, product
from random import Random
from typing import Final

import pytest

from mjcli.notation import parse_line
from mjcli.ruleset import load_ruleset
from mjcli.ruleset.combine import Entry, combiner
from mjcli.scoring import score

Sets = Sequence[tuple[int, int]]


def matches(entry: Entry, sets: Sets) -> list[frozenset[int]]:
    """Return every choice of sets, by place, that makes a pattern."""
    found = []
    for terms in entry[1]:
        letters = sorted({suit for _, _, suit in terms} - set("mps"))
        for places in combinations(range(len(sets)), len(terms)):
            wanted = Counter(sets[place] for place in places)
            for suits in permutations(range(3), len(letters)):
                for rank in range(1, 10):
                    named = {**dict(zip(letters, suits, strict=True)), "m": 0, "p": 1, "s": 2}
                    asked = Counter((named[suit], rank + at if letter else at) for letter, at, suit in terms)
                    if asked == wanted:
                        found.append(frozenset(places))
    return list(dict.fromkeys(found))


def is_linked(one: int, two: int, links: Sequence[frozenset[int]]) -> bool:
    """Return whether two sets are linked, by one link or by several."""
    reached, grown = {one}, True
    while grown:
        more = {each for link in links if link & reached for each in link} - reached
        reached |= more
        grown = bool(more)
    return two in reached


def allowed(links: Sequence[frozenset[int]]) -> bool:
    """Return whether no two sets of a link are linked without it."""
    return not any(
        is_linked(one, two, [*links[:place], *links[place + 1 :]])
        for place, link in enumerate(links)
        for one, two in combinations(sorted(link), 2)
    )


def best_value(entries: Sequence[Entry], sets: Sets) -> int:
    """Return the value of the best collection of matches, of all collections there are."""
    every = [(entry[0], link) for entry in entries for link in matches(entry, sets)]
    best = 0
    for size in range(len(sets)):
        for some in combinations(every, size):
            if allowed([link for _, link in some]):
                best = max(best, sum(fan for fan, _ in some))
    return best


def columns(sets: Sets) -> tuple[int, int, int]:
    packed = [0, 0, 0]
    for suit, rank in sets:
        packed[suit] += 1 << 3 * (rank - 1)
    return packed[0], packed[1], packed[2]


ALIKE: Final = (1, ((("n", 0, "a"), ("n", 0, "a")),))
TWO_SUITS: Final = (1, ((("n", 0, "a"), ("n", 0, "b")),))
SIX: Final = (1, ((("n", 0, "a"), ("n", 3, "a")),))
ENDS: Final = (1, ((("", 1, "a"), ("", 7, "a")),))
THREE_SUITS: Final = (8, ((("n", 0, "a"), ("n", 0, "b"), ("n", 0, "c")),))
DRAGON: Final = (16, ((("", 1, "a"), ("", 4, "a"), ("", 7, "a")),))
STEPS: Final = (16, ((("n", 0, "a"), ("n", 1, "a"), ("n", 2, "a")), (("n", 0, "a"), ("n", 2, "a"), ("n", 4, "a"))))
ENTRIES: Final = (ALIKE, TWO_SUITS, SIX, ENDS, THREE_SUITS, DRAGON, STEPS)


@pytest.mark.parametrize(
    ("sets", "counts"),
    [
        ([(0, 1), (0, 1)], (1, 0, 0, 0, 0, 0, 0)),
        ([(0, 1), (0, 4), (0, 7)], (0, 0, 0, 0, 0, 1, 0)),
        ([(0, 1), (0, 4), (0, 7), (1, 1)], (0, 1, 0, 0, 0, 1, 0)),
        ([(0, 1), (0, 4), (0, 7), (0, 1)], (1, 0, 0, 0, 0, 1, 0)),
        ([(0, 2), (1, 2), (2, 2), (2, 2)], (1, 0, 0, 0, 1, 0, 0)),
        ([(0, 1), (1, 1), (0, 7), (1, 7)], (0, 2, 0, 1, 0, 0, 0)),
        ([(0, 1), (0, 2), (0, 3), (1, 9)], (0, 0, 0, 0, 0, 0, 1)),
        ([], (0, 0, 0, 0, 0, 0, 0)),
    ],
)
def test_counted_by_hand(sets: Sets, counts: tuple[int, ...]) -> None:
    found = combiner(ENTRIES)(*columns(sets))
    assert sum(map(lambda entry, count: entry[0] * count, ENTRIES, found)) == best_value(ENTRIES, sets)
    assert sum(found) == sum(counts)
    assert found[4:] == counts[4:]


def random_entry(rng: Random) -> Entry:
    size = rng.choice((2, 2, 3, 4))
    fixed = rng.random() < 0.3
    suits = rng.choice(("a", "ab", "abc", "mps"))
    alternatives = []
    for _ in range(rng.choice((1, 1, 2))):
        ranks = [rng.randint(1, 7) if fixed else rng.randint(0, 3) for _ in range(size)]
        alternatives.append(tuple(("" if fixed else "n", rank, rng.choice(suits)) for rank in ranks))
    return rng.choice((1, 1, 2, 8, 16)), tuple(alternatives)


@pytest.mark.parametrize("seed", range(4))
def test_the_value_is_that_of_the_best_of_all_collections(seed: int) -> None:
    rng = Random(f"combine {seed}")
    valued = 0
    for _ in range(40):
        entries = [*rng.sample(ENTRIES, 3), *(random_entry(rng) for _ in range(3))]
        combine = combiner(entries)
        low = rng.randint(1, 5)
        sets = [(rng.randrange(3), rng.randint(low, low + 2)) for _ in range(rng.choice((2, 3, 4, 4)))]
        found = combine(*columns(sets))
        value = sum(entry[0] * count for entry, count in zip(entries, found, strict=True))
        assert value == best_value(entries, sets), (entries, sets)
        assert combine(*columns(sets)) == found
        for entry, count in zip(entries, found, strict=True):
            assert count <= len(matches(entry, sets))
        valued += value > 0
    assert valued > 15


def test_every_value_of_two_chows_of_one_suit() -> None:
    combine = combiner(ENTRIES)
    for one, two in product(range(1, 8), repeat=2):
        sets = [(0, one), (0, two)]
        found = combine(*columns(sets))
        assert sum(map(lambda entry, count: entry[0] * count, ENTRIES, found)) == best_value(ENTRIES, sets)


@pytest.mark.parametrize(
    ("hand", "patterns"),
    [
        # a straight of one suit, its first chow doubled: the double once, no link of chows of the straight
        ("123123456789m1z+1z", {"qing_long": 1, "yi_ban_gao": 1}),
        # four chows in two pairs: three links at most
        ("112233m12p55s,123p+3p", {"yi_ban_gao": 2, "xi_xiang_feng": 1}),
    ],
)
def test_in_a_ruleset(hand: str, patterns: dict[str, int]) -> None:
    """By the official rule of combining once (MCR 1998, the account-once principle)."""
    ruleset = load_ruleset("mcr", cache=False)
    once = {"qing_long", "yi_ban_gao", "xi_xiang_feng", "lian_liu", "lao_shao_fu"}
    found = score(parse_line(hand), ruleset)
    assert found.best is not None
    assert found.best.reading.form == "standard"
    assert {each.pattern.id: each.count for each in found.patterns if each.pattern.id in once} == patterns
