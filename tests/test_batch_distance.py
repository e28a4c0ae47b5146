"""Shanten of many hands at once is, hand for hand, that of one hand after the other."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from mjcli.batch import IMPOSSIBLE, forms_shanten, forms_shanten_of, shanten, shanten_of
from mjcli.batch.suits import CHUNK
from mjcli.distance import forms_shanten as forms_shanten_of_one
from mjcli.errors import HandError, InputError
from mjcli.forms import FormRules
from mjcli.hand import Hand
from tests.batch_hands import FORMS, arrays_of, many_hands
from tests.hands import CLASSES, counts_of, hand_of

BY_CLASS = pytest.mark.parametrize("name", CLASSES)


def assert_equal(hands: list[Hand], forms: FormRules) -> None:
    arrays = arrays_of(hands)
    found = forms_shanten_of(arrays, forms)
    assert set(found) == set(forms)
    columns = [column.tolist() for column in found.values()]
    for hand, least, *each in zip(hands, shanten_of(arrays, forms).tolist(), *columns, strict=True):
        expected = forms_shanten_of_one(hand, forms)
        numbers = [IMPOSSIBLE if number is None else number for number in expected.values()]
        assert each == numbers, (hand, forms)
        assert least == min(numbers)


@BY_CLASS
def test_every_form(name: str) -> None:
    rng = Random(f"batch shanten {name}")
    hands = [hand for tiles in (13, 14) for hand in many_hands(rng, name, 40, tiles)]
    for forms in FORMS:
        assert_equal(hands, forms)


@BY_CLASS
def test_the_default_forms(name: str) -> None:
    rng = Random(f"batch shanten default {name}")
    for tiles in (13, 14):
        assert_equal(many_hands(rng, name, 300, tiles), FORMS[0])


@pytest.mark.longest
@BY_CLASS
def test_200000_hands(name: str) -> None:
    rng = Random(f"200000 batch shanten {name}")
    for tiles in (13, 14):
        assert_equal(many_hands(rng, name, 100_000, tiles), FORMS[0])
        for forms in FORMS[1:]:
            assert_equal(many_hands(rng, name, 5_000, tiles), forms)


def test_sets_taken_as_made() -> None:
    texts = ["7z", "77z", "123m77z", "1234567m", "1122335m", "123456789m1z"]
    counts = np.array([counts_of(text) for text in texts], np.uint8)
    found = forms_shanten(counts)
    assert found["standard"].tolist() == [forms_shanten_of_one(hand_of(counts_of(text)))["standard"] for text in texts]
    assert shanten(counts).tolist() == found["standard"].tolist()
    assert (found["seven-pairs"] == IMPOSSIBLE).all()


def test_the_order_and_the_number_of_rows_do_not_matter() -> None:
    rng = Random("batch order")
    hands = [hand for name in CLASSES for hand in many_hands(rng, name, 60, 14)]
    counts, jokers = arrays_of(hands).counts, arrays_of(hands).jokers
    found = shanten(counts, jokers=jokers)
    order = np.array(rng.sample(range(len(hands)), len(hands)))
    assert np.array_equal(shanten(counts[order], jokers=jokers[order]), found[order])
    ranked = np.lexsort(counts.T)
    for rows in (ranked, ranked[::-1]):
        assert np.array_equal(shanten(counts[rows], jokers=jokers[rows]), found[rows])
    many = np.tile(np.arange(len(hands)), 2 * CHUNK // len(hands) + 1)
    assert len(many) > 2 * CHUNK
    assert np.array_equal(shanten(counts[many], jokers=jokers[many]), found[many])
    for few in (0, 1, 2):
        assert np.array_equal(shanten(counts[:few], jokers=jokers[:few]), found[:few])


@pytest.mark.parametrize(
    ("counts", "code", "says"),
    [
        ([[0] * 34], "tile-count", r"row 0: 0 tiles; a hand has 3n\+1 or 3n\+2, at most 14"),
        ([counts_of("11z"), counts_of("123m")], "tile-count", "row 1: 3 tiles"),
        ([counts_of("11z"), counts_of("123456789m123456p")], "tile-count", "row 1: 15 tiles"),
        ([counts_of("11z"), counts_of("55555p")], "too-many", "row 1: 5 copies of '5p'; there are 4"),
        ([[4] * 34], "tile-count", "row 0: 136 tiles"),
        ([[1] * 33], "bad-tiles", r"counts are uint8\[rows, 34\], not uint8\[1, 33\]"),
    ],
)
def test_rows_that_are_no_hands(counts: list[list[int]], code: str, says: str) -> None:
    with pytest.raises(HandError, match=says) as caught:
        shanten(np.array(counts, np.uint8))
    assert caught.value.code == code


def test_a_bad_row_is_counted_from_the_first() -> None:
    counts = np.tile(np.array(counts_of("123m77z"), np.uint8), (CHUNK + 10, 1))
    counts[CHUNK + 3, 0] += 1
    with pytest.raises(HandError, match=f"row {CHUNK + 3}: 6 tiles"):
        shanten(counts)
    with pytest.raises(HandError, match="not int64"):
        shanten(counts.astype(np.int64))


def test_too_many_jokers() -> None:
    counts = np.array([counts_of("123456789m"), counts_of("123456789m")], np.uint8)
    assert shanten(counts, jokers=np.array([4, 1], np.uint8)).tolist() == [0, 0]
    with pytest.raises(HandError, match="row 1: 5 jokers; there are 4") as caught:
        shanten(counts, jokers=np.array([4, 5], np.uint8))
    assert caught.value.code == "too-many"


@pytest.mark.parametrize("question", [shanten, forms_shanten])
def test_jokers_and_melds_that_are_not_said_of_every_row(question: Any) -> None:
    counts = np.array([counts_of("123456789m")] * 2, np.uint8)
    for besides in ({"jokers": np.array([1], np.uint8)}, {"jokers": np.array([-4, 1])}, {"melds": [0, 0]}):
        with pytest.raises(HandError, match=r"are uint8\[2\], one for each row of counts, not ") as caught:
            question(counts, **besides)
        assert caught.value.code == "bad-tiles"


def test_forms_that_there_are_not() -> None:
    counts = np.array([counts_of("77z")], np.uint8)
    for forms in ({"seven-pair": ""}, {"seven-pairs": "five"}):
        with pytest.raises(InputError) as caught:
            shanten(counts, forms)
        assert caught.value.code == "bad-form"
        assert next(iter(forms)) in str(caught.value)


def test_a_hand_whose_melds_forbid_every_form() -> None:
    counts = np.array([counts_of("77z"), counts_of("19m19p19s1234567z1m")], np.uint8)
    assert shanten(counts, {"thirteen-orphans": ""}).tolist() == [IMPOSSIBLE, -1]


def test_a_meld_beside_the_knitted_straight() -> None:
    counts = np.array([counts_of("147m258p369s77z")] * 3, np.uint8)
    found = shanten(counts, {"knitted-straight": ""}, melds=np.array([1, 0, 2], np.uint8))
    assert found.tolist() == [-1, IMPOSSIBLE, IMPOSSIBLE]
