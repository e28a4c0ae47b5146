"""Waits, acceptance and discards of many hands at once are, hand for hand, those of one hand after the other."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
import pytest

from mjcli import acceptance as one
from mjcli.batch import acceptance, acceptance_of, discards, discards_of, fits, waits, waits_of
from mjcli.batch.hands import Hands, hands_of
from mjcli.batch.suits import CHUNK
from mjcli.distance import forms_shanten
from mjcli.errors import HandError
from mjcli.forms import DEFAULT_FORMS, FormRules
from mjcli.hand import Context, Hand, Line
from mjcli.ruleset import load_ruleset
from mjcli.tiles import DEFAULT_SET, TILES, Suit, Tile, TileSet
from tests.batch_hands import FORMS, many_hands
from tests.hands import CLASSES, counts_of
from tests.random_hands import random_line
from tests.scored_hands import joker_line

BY_CLASS = pytest.mark.parametrize("name", CLASSES)


def with_seen(rng: Random, hand: Hand) -> Line:
    """Return a hand with up to four tiles seen elsewhere."""
    held = hand.held()
    free = [tile for tile in TILES[:34] for _ in range(DEFAULT_SET.copies[tile.kind] - held[tile.kind])]
    return Line(hand=hand, context=Context(seen=tuple(rng.sample(free, rng.choice((0, 0, 1, 4))))))


def answerable(lines: Sequence[Line], forms: FormRules) -> list[Line]:
    """Return those lines whose melds allow one of ``forms``."""
    return [line for line in lines if any(number is not None for number in forms_shanten(line.hand, forms).values())]


def drawn(accepts: Sequence[one.Wait], tiles: TileSet | None) -> list[int]:
    left = [0] * (34 if tiles is None else 35)
    for wait in accepts:
        left[wait.tile.kind] = wait.left
    return left


def assert_draws_equal(lines: Sequence[Line], forms: FormRules, tiles: TileSet | None = None) -> None:
    lines = answerable(lines, forms)
    arrays = hands_of(lines)
    waiting, accepted = waits_of(arrays, forms, tiles), acceptance_of(arrays, forms, tiles)
    columns = (waiting.left, waiting.dead, accepted.left, accepted.shanten, accepted.kinds, accepted.copies)
    for line, live, dead, left, *numbers in zip(lines, *(column.tolist() for column in columns), strict=True):
        expected = one.waits(line.hand, line.context.seen, forms, tiles)
        assert live == drawn(expected.live, tiles), line
        assert [TILES[kind] for kind, is_dead in enumerate(dead) if is_dead] == list(expected.dead), line
        whole = one.acceptance(line.hand, line.context.seen, forms, tiles)
        assert left == drawn(whole.accepts, tiles), line
        assert numbers == [whole.shanten, whole.kinds, whole.copies], line


def assert_discards_equal(lines: Sequence[Line], forms: FormRules, tiles: TileSet | None = None) -> None:
    lines = answerable(lines, forms)
    found = discards_of(hands_of(lines), forms, tiles)
    rows = zip(found.hand.tolist(), found.key.tolist(), found.shanten.tolist(), found.left.tolist(), strict=True)
    expected = [
        (place, each.tile.order, each.shanten, drawn(each.accepts, tiles))
        for place, line in enumerate(lines)
        for each in one.discards(line.hand, line.context.seen, forms, tiles)
    ]
    assert list(rows) == expected


@BY_CLASS
def test_draws(name: str) -> None:
    rng = Random(f"batch draws {name}")
    lines = [with_seen(rng, hand) for hand in many_hands(rng, name, 120, 13)]
    assert_draws_equal(lines, DEFAULT_FORMS)
    for forms in FORMS[1:]:
        assert_draws_equal(lines[:16], forms)


@BY_CLASS
def test_discards(name: str) -> None:
    rng = Random(f"batch discards {name}")
    lines = [with_seen(rng, hand) for hand in many_hands(rng, name, 16, 14)]
    assert_discards_equal(lines, DEFAULT_FORMS)
    for forms in FORMS[1:]:
        assert_discards_equal(lines[:3], forms)


def test_any_hand_and_context() -> None:
    rng = Random("batch draws of anything")
    lines = [random_line(rng) for _ in range(400)]
    assert_draws_equal([line for line in lines if line.hand.win is not None or line.hand.tile_count % 3 == 1], FORMS[0])
    assert_discards_equal([line for line in lines if line.hand.tile_count % 3 == 2][:60], FORMS[0])


@pytest.mark.parametrize("count", [60, pytest.param(20_000, marks=pytest.mark.longest)])
@pytest.mark.parametrize("every", [True, False], ids=["every tile", "malaysia-3p"])
def test_a_set_that_is_named(every: bool, count: int) -> None:
    rng = Random("batch draws of a set")
    ruleset = load_ruleset("malaysia-3p")
    tiles = DEFAULT_SET if every else ruleset.tiles
    lines = [joker_line(rng, ruleset) if turn % 2 else random_line(rng) for turn in range(count)]
    lines += [with_seen(rng, line.hand) for line in lines]
    lines = [line for line, fit in zip(lines, fits(hands_of(lines), tiles).tolist(), strict=True) if fit]
    draws = [line for line in lines if line.hand.win is not None or line.hand.tile_count % 3 == 1]
    assert any(line.hand.jokers for line in draws)
    assert_draws_equal(draws, FORMS[0], tiles)
    assert_discards_equal([line for line in lines if line.hand.tile_count % 3 == 2][: count // 2], FORMS[0], tiles)


@pytest.mark.longest
@BY_CLASS
def test_200000_hands(name: str) -> None:
    rng = Random(f"200000 batch draws {name}")
    for _ in range(20):
        assert_draws_equal([with_seen(rng, hand) for hand in many_hands(rng, name, 10_000, 13)], DEFAULT_FORMS)
    for forms in FORMS:
        assert_draws_equal([with_seen(rng, hand) for hand in many_hands(rng, name, 300, 13)], forms)
        assert_discards_equal([with_seen(rng, hand) for hand in many_hands(rng, name, 300, 14)], forms)
    assert_discards_equal([with_seen(rng, hand) for hand in many_hands(rng, name, 10_000, 14)], DEFAULT_FORMS)


def counts(*texts: str) -> Any:
    return np.array([counts_of(text) for text in texts], np.uint8)


def test_a_hand_that_has_to_discard_waits_for_nothing() -> None:
    found = waits(counts("123m7z", "123m77z", "123m1z7z"))
    assert found.left.nonzero()[0].tolist() == [0]
    assert not found.dead.any()


def test_the_order_and_the_number_of_rows_do_not_matter() -> None:
    rng = Random("order of draws")
    hands = counts("1112345678999m", "13m55z", "123456789m1112z", "19m19p19s1234567z", "1133557799m114z")
    rows = np.array(rng.choices(range(len(hands)), k=CHUNK + 100))
    single, many = acceptance(hands), acceptance(hands[rows])
    assert np.array_equal(many.left, single.left[rows])
    assert np.array_equal(many.shanten, single.shanten[rows])
    assert np.array_equal(waits(hands[rows]).left, waits(hands).left[rows])
    full = counts("1112345678999m1z", "123m77z", "19m19p19s1234567z1m")
    some = discards(full)
    rows = np.array(rng.choices(range(len(full)), k=2_000))
    many_found = discards(full[rows])
    start = np.searchsorted(many_found.hand, range(len(rows)))
    for row in (0, 1, 777, 1_999):
        mine = many_found.hand == row
        assert start[row] == mine.argmax()
        one_found = some.hand == rows[row]
        assert np.array_equal(many_found.kind[mine], some.kind[one_found])
        assert np.array_equal(many_found.left[mine], some.left[one_found])


def test_no_rows() -> None:
    none = np.empty((0, 34), np.uint8)
    assert waits(none).left.shape == acceptance(none).left.shape == discards(none).left.shape == (0, 34)
    empty: Hands = hands_of([])
    assert len(discards_of(empty).key) == len(waits_of(empty).left) == 0


@pytest.mark.parametrize(
    ("question", "texts", "code", "says"),
    [
        (acceptance, ("13m55z", "123m77z"), "tile-count", "row 1: 5 tiles; of 3n[+]1"),
        (discards, ("123m77z", "13m55z"), "tile-count", "row 1: 4 tiles; a discard is from 3n[+]2"),
        (waits, ("123m77z", "123m"), "tile-count", "row 1: 3 tiles"),
    ],
)
def test_rows_that_cannot_be_answered(question: Any, texts: tuple[str, ...], code: str, says: str) -> None:
    with pytest.raises(HandError, match=says) as caught:
        question(counts(*texts))
    assert caught.value.code == code


def test_a_fifth_copy_among_the_seen_tiles() -> None:
    with pytest.raises(HandError, match="row 1: 5 copies of '1m' in the hand and seen; there are 4") as caught:
        waits(counts("13m55z", "13m55z"), counts("1111z", "1111m"))
    assert caught.value.code == "too-many"
    with pytest.raises(HandError, match="row 0: 256 copies of '1m' in the hand and seen; there are 4"):
        waits(counts("13m55z"), counts("1m") * np.uint8(255))


@pytest.mark.parametrize("question", [waits, acceptance, discards])
@pytest.mark.parametrize(
    ("besides", "says"),
    [
        ({"seen": np.zeros((1, 34), np.uint8)}, "seen are of 1 row, where counts are of 2"),
        ({"seen": [[0] * 34] * 2}, r"seen are uint8\[rows, 34\], not int64"),
        ({"jokers": np.array([0], np.uint8)}, r"jokers are uint8\[2\], one for each row of counts, not uint8\[1\]"),
        ({"jokers": np.array([-3, 0])}, r"jokers are uint8\[2\]"),
        ({"jokers": [0, 0]}, r"jokers are uint8\[2\]"),
        ({"melds": np.zeros((2, 1), np.uint8)}, r"melds are uint8\[2\], .*, not uint8\[2, 1\]"),
    ],
)
def test_what_is_not_said_of_every_row(question: Any, besides: dict[str, Any], says: str) -> None:
    hands = counts("123m77z", "123m77z") if question is discards else counts("13m55z", "12m")
    with pytest.raises(HandError, match=says) as caught:
        question(hands, **besides)
    assert caught.value.code == "bad-tiles"


def test_more_copies_than_a_set_has() -> None:
    of_dots = TileSet.of({"p": 4, "z": 4, "j": 1})
    waits(counts("13p55z"), jokers=np.array([0], np.uint8), tiles=of_dots)
    with pytest.raises(HandError, match="row 0: 1 copies of '1m' in the hand and seen; there are 0"):
        waits(counts("13m55z"), tiles=of_dots)
    with pytest.raises(HandError, match="row 0: 2 copies of '1j' in the hand and seen; there are 1"):
        waits(counts("3p5z"), jokers=np.array([2], np.uint8), tiles=of_dots)
    with pytest.raises(HandError, match=r"seen are uint8\[rows, 35\], not uint8\[1, 34\]"):
        waits(counts("13p55z"), counts("1p"), tiles=of_dots)


def test_melds_that_forbid_every_form() -> None:
    for question, text in ((acceptance, "13m55z"), (discards, "123m77z")):
        with pytest.raises(HandError, match="row 0: the melds of this hand forbid every form") as caught:
            question(counts(text), forms={"thirteen-orphans": ""})
        assert caught.value.code == "bad-form"


def test_a_red_five_is_discarded_apart() -> None:
    red, plain, *others = Tile(Suit.CHARACTERS, 5, red=True), TILES[4], TILES[32], TILES[33]
    hands = [Hand(concealed=(*fives, *others)) for fives in ((red, plain, plain), (red, red, red), (plain,) * 3)]
    assert_discards_equal([Line(hand=hand) for hand in hands], FORMS[0])
    found = discards_of(hands_of([Line(hand=hand) for hand in hands]))
    fives = [found.key[(found.hand == row) & (found.kind == plain.kind)].tolist() for row in range(3)]
    assert fives == [[red.order, plain.order], [red.order], [plain.order]]
