"""The distance to every form: against every target there is, and against two independent programs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations, product
from random import Random
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import pytest

from mjcli.distance import forms_shanten
from mjcli.errors import InputError
from mjcli.forms import DEFAULT_FORMS, RULES, distances, helpful, missing
from mjcli.hand import Hand
from mjcli.melds import Meld, MeldType
from mjcli.tiles import TILES
from tests.hands import CHOWS, CLASSES, counts_of, hand_of, random_hand, rows, tiles_of
from tests.oracles import mahjong_shanten

if TYPE_CHECKING:
    from numpy.typing import NDArray

Targets: TypeAlias = "NDArray[np.int8]"
"""int[targets, 34]: complete hands of one form."""

ALL_FORMS = {form: rules[-1] for form, rules in RULES.items()}
FORMS = [(form, rule) for form, rules in RULES.items() for rule in rules]
BY_CLASS = pytest.mark.parametrize("name", CLASSES)


def array(targets: Iterator[tuple[int, ...]]) -> Targets:
    """Return the counts of targets given as kinds, those with a fifth copy left out."""
    contents = ([target.count(kind) for kind in range(34)] for target in targets)
    return np.array([counts for counts in contents if max(counts) <= 4], np.int8)


def sets_and_pair(sets: int) -> Iterator[tuple[int, ...]]:
    groups = [(kind,) * 3 for kind in range(34)] + [(kind, kind + 1, kind + 2) for kind in CHOWS]
    for chosen in combinations_with_replacement(groups, sets):
        for pair in range(34):
            yield (*(kind for group in chosen for kind in group), pair, pair)


def knitted_kinds() -> Iterator[tuple[int, ...]]:
    for firsts in permutations(((0, 3, 6), (1, 4, 7), (2, 5, 8))):
        yield tuple(9 * suit + rank for suit, ranks in enumerate(firsts) for rank in ranks)


def knitted() -> Iterator[tuple[int, ...]]:
    for kinds in knitted_kinds():
        yield from combinations((*kinds, *range(27, 34)), 14)


def knitted_straight(sets: int) -> Iterator[tuple[int, ...]]:
    for kinds in knitted_kinds():
        for rest in sets_and_pair(sets):
            yield (*kinds, *rest)


def seven_of_characters(most_alike: int) -> Iterator[tuple[int, ...]]:
    """Yield seven pairs of characters alone, no pair more often than asked."""
    for pairs in combinations_with_replacement(range(9), 7):
        if max(map(pairs.count, pairs)) <= most_alike:
            yield pairs + pairs


def orphans() -> Iterator[tuple[int, ...]]:
    kinds = (0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33)
    for again in kinds:
        yield (*kinds, again)


@cache
def unconnected() -> NDArray[np.float32]:
    """Return float[choices, 34]: every choice of thirteen unconnected kinds, without the tile that comes again."""
    suits = [
        ranks
        for size in range(10)
        for ranks in combinations(range(9), size)
        if all(abs(one - other) >= 3 for one, other in combinations(ranks, 2))
    ]
    found = []
    for m, p, s in product(suits, repeat=3):
        honors = 13 - len(m) - len(p) - len(s)
        if honors <= 7:
            suited = (*m, *(9 + rank for rank in p), *(18 + rank for rank in s))
            found += [(*suited, *chosen) for chosen in combinations(range(27, 34), honors)]
    choices = np.zeros((len(found), 34), np.float32)
    choices[np.arange(len(found))[:, None], np.array(found)] = 1
    return choices


def least_missing(targets: Targets, counts: list[int]) -> int:
    return int(np.maximum(targets - np.array(counts, np.int8), 0).sum(axis=1).min())


def near(rng: Random, target: Targets, tiles: int) -> list[int]:
    """Return counts of so many tiles, most of them of one target."""
    counts = [0] * 34
    kinds = [kind for kind in range(34) for _ in range(int(target[kind]))]
    wall = [kind for kind in range(34) for _ in range(4)]
    for kind in rng.sample(kinds, rng.randint(0, min(tiles, len(kinds)))) + rng.sample(wall, len(wall)):
        if counts[kind] < 4 and sum(counts) < tiles:
            counts[kind] += 1
    return counts


@pytest.mark.parametrize(
    ("form", "rule", "sets", "targets"),
    [
        ("standard", "", 0, sets_and_pair(0)),
        ("standard", "", 1, sets_and_pair(1)),
        ("standard", "", 2, sets_and_pair(2)),
        ("thirteen-orphans", "", 4, orphans()),
        ("knitted", "", 4, knitted()),
        ("knitted-straight", "", 3, knitted_straight(0)),
        ("knitted-straight", "", 4, knitted_straight(1)),
    ],
    ids=["no-set", "one-set", "two-sets", "orphans", "knitted", "knitted-straight-meld", "knitted-straight"],
)
def test_distance_is_the_least_over_every_target(
    form: str, rule: str, sets: int, targets: Iterator[tuple[int, ...]]
) -> None:
    every, rng = array(targets), Random(form)
    for _ in range(60):
        counts = near(rng, rng.choice(every), 3 * sets + rng.randint(1, 2))
        assert missing(counts, sets, form, rule) == least_missing(every, counts), counts


@pytest.mark.parametrize(("rule", "most_alike"), [("different", 1), ("four", 2)])
def test_seven_pairs_are_the_least_over_every_target_of_one_suit(rule: str, most_alike: int) -> None:
    every, rng = array(seven_of_characters(most_alike)), Random(rule)
    for _ in range(200):
        drawn = rng.sample([kind for kind in range(9) for _ in range(4)], rng.randint(9, 14))
        counts = [drawn.count(kind) for kind in range(34)]
        assert missing(counts, 4, "seven-pairs", rule) == least_missing(every, counts), counts


def test_thirteen_unconnected_is_the_least_over_every_target() -> None:
    choices, rng = unconnected(), Random(13)
    for _ in range(25):
        counts = near(rng, rng.choice(choices), rng.randint(13, 14))
        held = choices @ np.minimum(counts, 1).astype(np.float32)
        again = choices @ (np.array(counts) > 1).astype(np.float32) > 0
        assert missing(counts, 4, "thirteen-unconnected") == int((14 - held - again).min()), counts


@BY_CLASS
@pytest.mark.parametrize("tiles", [13, 14])
def test_a_sample_equals_mahjong(name: str, tiles: int) -> None:
    rng = Random(f"forms {name}")
    for _ in range(200):
        hand = random_hand(rng, name, tiles)
        assert forms_shanten(hand) == mahjong_shanten(hand)


@pytest.mark.long
@BY_CLASS
@pytest.mark.parametrize("tiles", [13, 14])
def test_5000_hands_equal_mahjong(name: str, tiles: int) -> None:
    rng = Random(f"5000 forms {name} {tiles}")
    for _ in range(5000):
        hand = random_hand(rng, name, tiles)
        assert forms_shanten(hand) == mahjong_shanten(hand)


@pytest.mark.parametrize("file", ["shanten_kobalab", "shanten_quads"])
def test_shipped_hands(file: str) -> None:
    forms = DEFAULT_FORMS.items()
    for text, *expected in rows(file):
        counts = counts_of(text)
        assert [missing(counts, 4, form, rule) for form, rule in forms] == [number + 1 for number in expected], text


@pytest.mark.parametrize(("form", "rule"), FORMS)
def test_helpful_kinds_bring_the_form_nearer_by_one_and_no_others_do(form: str, rule: str) -> None:
    rng = Random(f"{form} {rule}")
    for name in ("random", "flush", "quads"):
        for _ in range(30):
            counts = random_hand(rng, name, 13).counts()
            now = missing(counts, 4, form, rule)
            assert now is not None
            expected = []
            for kind in range(34):
                if counts[kind] < 4:
                    counts[kind] += 1
                    after = missing(counts, 4, form, rule)
                    counts[kind] -= 1
                    assert after in (now, now - 1)
                    expected += [kind] * (after == now - 1)
            assert list(helpful(counts, 4, form, rule)) == expected


def test_a_joker_fills_one_missing_tile() -> None:
    plain = tiles_of("123456789m11p23s")
    for jokers in (1, 2):
        hand = Hand(concealed=(*plain[jokers:], *tiles_of("1j") * jokers))
        counts = hand.counts()
        assert distances(hand, ALL_FORMS) == {
            form: tiles - jokers
            for form, rule in ALL_FORMS.items()
            if (tiles := missing(counts, 4, form, rule)) is not None
        }


@pytest.mark.parametrize(
    ("text", "distance"),
    [
        ("123456789m11p23s1j", 0),
        ("123456789m11p2s1j", 1),
        ("123456789m11p2s11j", 0),
        ("1j", 1),
        ("11j", 0),
        ("1111m1j", 1),
    ],
)
def test_a_joker_completes_but_is_no_fifth_copy(text: str, distance: int) -> None:
    assert distances(Hand(concealed=tuple(tiles_of(text))))["standard"] == distance


CHOW = Meld(type=MeldType.CHOW, first=TILES[9])


@pytest.mark.parametrize(
    ("hand", "possible"),
    [
        (hand_of(counts_of("147m258p369s1122z")), set(RULES)),
        (hand_of(counts_of("147m258p369s1z"), (CHOW,)), {"standard", "knitted-straight"}),
        (hand_of(counts_of("147m258p1z"), (CHOW, CHOW)), {"standard"}),
        (hand_of(counts_of("147m258p369s1z")), {"standard"}),
    ],
    ids=["no-meld", "one-meld", "two-melds", "one-meld-assumed"],
)
def test_melds_leave_the_standard_form_and_of_one_meld_the_knitted_straight(hand: Hand, possible: set[str]) -> None:
    assert {form for form, tiles in distances(hand, ALL_FORMS).items() if tiles is not None} == possible


def test_unknown_forms_and_rules_are_refused() -> None:
    hand = hand_of(counts_of("1m"))
    with pytest.raises(InputError, match="no form 'nine-gates' \\(forms are standard, seven-pairs") as caught:
        distances(hand, {"nine-gates": ""})
    assert caught.value.code == "bad-form"
    with pytest.raises(InputError, match="no rule 'any' of seven-pairs \\(it has 'different' and 'four'\\)"):
        distances(hand, {"seven-pairs": "any"})
