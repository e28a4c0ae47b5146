"""Hands as arrays: every hand and context that can exist comes back as it was, but for the colour of seen tiles."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np

from mjcli.batch.hands import NO_TILE, Hands, hands_of, lines_of
from mjcli.hand import Line
from mjcli.notation import parse_line
from tests.random_hands import random_line

TEXTS = (
    "123m456p77789s11z1234f123g self-draw",
    "11z 123m 5z 456p 55z 789s",
    "0m5m77z,0555po,2222s,111z+5m winners=2 from=x",
    "19m19p19s1234567z++1z seat=E first-turn",
    "7777a1m,111zl+1m",
)


def plain_seen(line: Line) -> Line:
    """Return a line whose seen tiles, and tiles that words name, are not red."""
    context = line.context
    extra = tuple(
        (name, tuple(sorted(tile.plain for tile in value)) if isinstance(value, tuple) else value)
        for name, value in context.extra
        if value
    )
    return replace(line, context=replace(context, seen=tuple(tile.plain for tile in context.seen), extra=extra))


def test_every_line_comes_back() -> None:
    rng = Random("hands as arrays")
    lines = [*map(parse_line, TEXTS), *(plain_seen(random_line(rng)) for _ in range(1_500))]
    hands = hands_of(lines)
    back = lines_of(hands)
    assert back == lines
    assert [line.hand.last for line in back] == [line.hand.last for line in lines]
    assert any(line.hand.melds and line.hand.melds[0].jokers for line in lines)
    assert any(line.hand.jokers for line in lines)


def test_words_that_no_hand_says_have_no_column() -> None:
    assert not hands_of([parse_line("123m456p77789s11z1234f")]).context
    assert set(hands_of([parse_line("11m"), parse_line("11m seat=E winners=2")]).context) == {"seat", "winners"}


def test_counts_hold_the_winning_tile_and_keys_its_colour() -> None:
    hands = hands_of([parse_line("11m55p+0p"), parse_line("50p"), parse_line("1m")])
    assert hands.win.tolist() == [26, NO_TILE, NO_TILE]
    assert hands.last.tolist() == [NO_TILE, 26, NO_TILE]
    assert hands.reds.tolist() == [[0, 1, 0], [0, 1, 0], [0, 0, 0]]
    assert hands.counts[0, 13] == 3


def test_some_of_the_hands() -> None:
    rng = Random("some hands")
    lines = [plain_seen(random_line(rng)) for _ in range(60)]
    hands = hands_of(lines)
    assert lines_of(hands.take(slice(10, 20))) == lines[10:20]
    assert lines_of(hands.take(np.array([7, 3]))) == [lines[7], lines[3]]
    assert len(hands.take(slice(10, 20))) == 10


def test_no_hands() -> None:
    hands = hands_of([])
    assert isinstance(hands, Hands)
    assert len(hands) == 0
    assert hands.counts.shape == (0, 34)
    assert lines_of(hands) == []
