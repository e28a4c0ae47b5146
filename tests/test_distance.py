"""Shanten of counts and of text: shipped hands, an independent program, and what must hold of every hand."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mjcli.distance import MOST_REMEMBERED, _SuitFacts, forms_shanten, shanten, shanten_of_text
from mjcli.errors import HandError, InputError, NotationError
from mjcli.forms import DEFAULT_FORMS
from mjcli.notation import parse_hand
from tests.cases import by_case, table
from tests.hands import CLASSES, counts_of, random_hand, rows, text_of
from tests.oracles import xiangting_shanten

BY_CLASS = pytest.mark.parametrize("name", CLASSES)

WALL = [kind for kind in range(34) for _ in range(4)]


@st.composite
def counts_of_hands(draw: st.DrawFn, most: int = 14) -> list[int]:
    """Draw the counts of 3n+1 or 3n+2 tiles, in half of all cases of few kinds."""
    kinds = draw(st.sampled_from((range(34), range(9), (0, 1, 2, 8, 9, 17, 27, 28))))
    wall = [kind for kind in WALL if kind in kinds]
    tiles = draw(st.integers(1, most).filter(lambda number: number % 3))
    drawn = draw(st.permutations(wall))[:tiles]
    return [drawn.count(kind) for kind in range(34)]


def least(numbers: dict[str, int | None]) -> int:
    return min(number for number in numbers.values() if number is not None)


@by_case(table("shanten"))
def test_case(case: dict[str, Any]) -> None:
    if "error" in case:
        with pytest.raises(NotationError) as caught:
            shanten_of_text(case["hand"])
        assert (caught.value.code, caught.value.column) == (case["error"], case["column"])
        return
    hand = parse_hand(case["hand"])
    assert forms_shanten(hand, case.get("rules", DEFAULT_FORMS)) == case["forms"]
    if "rules" not in case:
        assert shanten_of_text(case["hand"]) == shanten(hand.counts(), hand.jokers) == least(case["forms"])


@pytest.mark.parametrize("file", ["shanten_kobalab", "shanten_quads"])
def test_shipped_hands(file: str) -> None:
    for text, *expected in rows(file):
        assert shanten_of_text(text) == shanten(counts_of(text)) == min(expected), text


def test_shipped_wins_are_complete_in_digits_and_in_unicode() -> None:
    for text, native in rows("win_hskpeter"):
        assert shanten_of_text(text) == shanten_of_text(native) == -1, text


@BY_CLASS
@pytest.mark.parametrize("tiles", [13, 14])
def test_a_sample_equals_xiangting(name: str, tiles: int) -> None:
    rng = Random(f"shanten {name}")
    for _ in range(200):
        hand = random_hand(rng, name, tiles)
        assert shanten(hand.counts()) == least(forms_shanten(hand)) == xiangting_shanten(hand)


@pytest.mark.long
@BY_CLASS
@pytest.mark.parametrize("tiles", [13, 14])
def test_5000_hands_equal_xiangting(name: str, tiles: int) -> None:
    rng = Random(f"5000 shanten {name} {tiles}")
    for _ in range(5000):
        hand = random_hand(rng, name, tiles)
        assert shanten(hand.counts()) == least(forms_shanten(hand)) == xiangting_shanten(hand)


@pytest.mark.long
def test_mean_of_random_hands_is_the_one_published() -> None:
    rng, hands = Random(14), 400_000
    total = 0
    for _ in range(hands):
        counts = [0] * 34
        for kind in rng.sample(WALL, 14):
            counts[kind] += 1
        total += shanten(counts)
    assert total / hands == pytest.approx(3.15594, abs=0.006)


@given(counts_of_hands(most=13), st.integers(0, 33), st.integers(0, 33), st.integers(0, 4))
def test_a_draw_lowers_shanten_by_one_at_most_and_a_discard_raises_it_by_one_at_most(
    counts: list[int], drawn: int, discarded: int, jokers: int
) -> None:
    held = sum(counts) + jokers
    assume(counts[drawn] < 4 and held % 3 == 1 and held <= 13)
    before = shanten(counts, jokers)
    counts[drawn] += 1
    with_draw = shanten(counts, jokers)
    assert before - with_draw in (0, 1)
    if counts[discarded]:
        counts[discarded] -= 1
        assert shanten(counts, jokers) - with_draw in (0, 1)


@given(counts_of_hands(), st.permutations(range(3)), st.lists(st.booleans(), min_size=3, max_size=3))
def test_suits_can_change_places_and_ranks_their_direction(
    counts: list[int], places: list[int], turned: list[bool]
) -> None:
    suits = [counts[9 * place : 9 * place + 9] for place in places]
    changed = [count for suit, turn in zip(suits, turned, strict=True) for count in (suit[::-1] if turn else suit)]
    assert shanten(changed + counts[27:]) == shanten(counts)


@given(counts_of_hands(), st.permutations(range(27, 34)))
def test_honours_can_change_places(counts: list[int], places: list[int]) -> None:
    assert shanten(counts[:27] + [counts[kind] for kind in places]) == shanten(counts)


@given(counts_of_hands(most=13), st.integers(0, 33), st.integers(1, 4))
def test_a_joker_is_the_best_tile_that_can_be_drawn(counts: list[int], kind: int, jokers: int) -> None:
    held = sum(counts) + jokers
    assume(counts[kind] < 4 and held % 3 and held <= 14)
    with_joker = shanten(counts, jokers)
    counts[kind] += 1
    assert with_joker <= shanten(counts, jokers - 1)


@given(counts_of_hands())
def test_text_and_counts_answer_alike(counts: list[int]) -> None:
    assert shanten_of_text(text_of(counts)) == shanten(counts)


@given(st.lists(st.text("0123456789", max_size=6), min_size=4, max_size=4), st.sampled_from(("mpsz", "zspm", "mmpz")))
def test_the_short_way_through_text_answers_and_fails_as_the_parser_does(runs: list[str], letters: str) -> None:
    text = "".join(digits + letter for digits, letter in zip(runs, letters, strict=True) if digits)
    try:
        expected: int | tuple[str, int] = least(forms_shanten(parse_hand(text)))
    except NotationError as error:
        expected = error.code, error.column
    try:
        answer: int | tuple[str, int] = shanten_of_text(text)
    except NotationError as error:
        answer = error.code, error.column
    assert answer == expected


@pytest.mark.parametrize(
    ("counts", "jokers", "code"),
    [
        ([5, *[0] * 33], 0, "too-many"),
        ([-1, *[0] * 33], 0, "bad-tiles"),
        ([300, *[0] * 33], 0, "bad-tiles"),
        ([1] + [0] * 32, 0, "bad-tiles"),
        ([1] + [0] * 34, 0, "bad-tiles"),
        ([1], 0, "bad-tiles"),
        ([], 0, "bad-tiles"),
        ([1, 1, 1] + [0] * 31, 0, "tile-count"),
        ([0] * 34, 0, "tile-count"),
        ([1] * 15 + [0] * 19, 0, "tile-count"),
        ([4] * 34, 0, "tile-count"),
        ([1] * 13 + [0] * 21, 2, "tile-count"),
        ([1] + [0] * 33, 5, "too-many"),
        ([1] + [0] * 33, -1, "too-many"),
    ],
)
def test_counts_that_are_no_hand_are_refused(counts: list[int], jokers: int, code: str) -> None:
    with pytest.raises(HandError) as caught:
        shanten(counts, jokers)
    assert caught.value.code == code


def test_memos_stay_small() -> None:
    facts = _SuitFacts(0)
    for number in range(MOST_REMEMBERED + 10):
        facts[number.to_bytes(9, "big")] = 0
    assert facts[bytes(9)] == 0
    assert facts[bytes([1] * 9)] != 0
    assert len(facts) == 1


def test_unknown_forms_are_refused() -> None:
    with pytest.raises(InputError, match="no form 'pairs'"):
        forms_shanten(parse_hand("1m"), {"pairs": ""})
