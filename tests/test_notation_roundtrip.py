"""Every parse is the inverse of its format."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mjcli.errors import InputError
from mjcli.hand import Context, Line
from mjcli.melds import Seat
from mjcli.notation import (
    STYLES,
    ExtraWord,
    WordKind,
    format_context,
    format_hand,
    format_line,
    format_tile,
    format_tiles,
    parse_context,
    parse_hand,
    parse_line,
    parse_tiles,
)
from mjcli.tiles import TILES, Suit, Tile
from tests.random_hands import random_context, random_hand, random_line, written

EXTRA = (ExtraWord("honba", WordKind.NUMBER), ExtraWord("dora", WordKind.TILES), ExtraWord("riichi", WordKind.FLAG))
REDS = tuple(Tile(suit, 5, red=True) for suit in (Suit.CHARACTERS, Suit.DOTS, Suit.BAMBOO))
COMPLETE = ("mpsz", "unicode", "hanzi", "letters")
"""The styles that can say every hand."""

chance = st.integers(min_value=0).map(Random)


@given(chance)
def test_canonical(rng: Random) -> None:
    hand = random_hand(rng)
    text = format_hand(hand)
    assert parse_hand(text) == hand
    assert format_hand(parse_hand(text)) == text


@pytest.mark.parametrize("style", STYLES)
def test_styles(style: str) -> None:
    said = 0
    for seed in range(400):
        hand = random_hand(Random(seed))
        text = written(hand, style)
        if text is None:
            assert style not in COMPLETE
            continue
        said += 1
        assert parse_hand(text, reader=style) == hand, text
        if style in ("gb", "majiang"):
            assert parse_hand(text, reader=style).last == hand.last
    assert said > (399 if style in COMPLETE else 20)


@pytest.mark.parametrize("style", COMPLETE)
@pytest.mark.parametrize("tile", [*TILES, *REDS], ids=str)
def test_every_tile(style: str, tile: Tile) -> None:
    assert parse_tiles(format_tile(tile, style), reader=style) == (tile,)


@pytest.mark.parametrize(
    ("style", "tiles"),
    [
        ("gb", TILES[:34]),
        ("majiang", TILES[:34] + REDS),
        ("mjai", TILES[:34] + REDS),
        ("botzone", TILES[:34] + TILES[35:39] + TILES[43:47]),
    ],
)
def test_tiles_of_a_style(style: str, tiles: tuple[Tile, ...]) -> None:
    for tile in (*TILES, *REDS):
        if tile not in tiles:
            with pytest.raises(InputError, match=f"{style} cannot say '{tile}'"):
                format_tile(tile, style)
        elif style == "majiang":
            assert parse_hand(format_tile(tile, style)).concealed == (tile,)
        else:
            assert parse_tiles(format_tile(tile, style), reader=style) == (tile,)


@given(chance)
def test_order_of_concealed_tiles_does_not_matter(rng: Random) -> None:
    hand = random_hand(rng)
    concealed = [*hand.concealed, *hand.bonus]
    rng.shuffle(concealed)
    written = format_hand(hand).removeprefix(format_tiles((*hand.concealed, *hand.bonus)))
    assert parse_hand(format_tiles(concealed) + written) == hand


@given(chance)
def test_tiles_keep_their_order(rng: Random) -> None:
    tiles = tuple(rng.choices((*TILES, *REDS), k=rng.randint(1, 20)))
    assert parse_tiles(format_tiles(tiles)) == tiles


@given(chance)
def test_lines(rng: Random) -> None:
    line = random_line(rng)
    assert parse_line(format_line(line), extra=EXTRA) == line


def contradicts_its_last_tile(line: Line) -> bool:
    """Whether the status field is false of the tile written last, which is the winning one in GB-Mahjong's form."""
    last, context = line.hand.last, line.context
    if last is None:
        return False
    others = line.hand.held()[last.kind] - 1
    concealed = [each.kind for each in line.hand.concealed].count(last.kind) - 1
    return bool((context.last_of_kind and concealed) or (context.rob_kong and others))


def test_lines_with_a_status_field() -> None:
    said = 0
    for seed in range(2000):
        rng = Random(seed)
        flags = [rng.random() < 0.3 for _ in range(3)]
        kong = rng.random() < 0.3
        context = Context(
            round=rng.choice(list(Seat)),
            seat=rng.choice(list(Seat)),
            self_draw=flags[0],
            last_of_kind=flags[1],
            last_tile=flags[2] and not (kong and not flags[0]),
            kong_draw=int(kong and flags[0]),
            rob_kong=kong and not flags[0],
        )
        flowers = rng.sample(TILES[35:39] + TILES[43:47], rng.randint(0, 3))
        try:
            line = Line(hand=replace(random_hand(rng), bonus=tuple(flowers)), context=context)
        except InputError:
            continue
        text = written(line, "gb")
        if text is not None and not contradicts_its_last_tile(line):
            said += 1
            assert parse_line(text) == line, text
    assert said > 50


@given(chance)
def test_a_status_field_says_a_line_or_refuses_it(rng: Random) -> None:
    line = random_line(rng)
    text = written(line, "gb")
    assert text is None or contradicts_its_last_tile(line) or parse_line(text) == line


@pytest.mark.parametrize(
    "words", ["kong-draw", "kong-draw last-tile", "kong-draw=2 self-draw", "rob-own-kong", "winners=2"]
)
def test_words_that_a_status_field_lacks(words: str) -> None:
    line = parse_line(f"123m1112z2z,5555m,6666m seat=S round=E {words}")
    with pytest.raises(InputError, match="gb cannot say a context word beside") as caught:
        format_line(line, "gb")
    assert caught.value.code == "cannot-write"


@given(chance)
def test_contexts(rng: Random) -> None:
    context = random_context(rng)
    text = format_context(context)
    assert parse_context(text, extra=EXTRA) == context
    pairs = {name: value if equals else True for name, equals, value in (word.partition("=") for word in text.split())}
    assert parse_context(pairs, extra=EXTRA) == context
    assert parse_context({name: str(value) for name, value in pairs.items()}, extra=EXTRA) == context


@given(chance)
def test_words_beside_the_line(rng: Random) -> None:
    line = random_line(rng)
    words = [word.partition("=") for word in format_context(line.context).split()]
    beside = {name: value if equals else True for name, equals, value in words}
    assert parse_line(format_hand(line.hand), extra=EXTRA, beside=beside) == line


def test_the_empty_context_says_nothing() -> None:
    assert format_context(Context()) == ""
    assert parse_context("") == parse_context({"seat": "", "self-draw": False, "seen": None}) == Context()
