"""Whatever lines the array reader takes are read as ``parse_line`` reads them; most of what is common is taken."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mjcli.batch import Lines, lines_of, read_lines, shanten_of
from mjcli.distance import shanten
from mjcli.errors import InputError
from mjcli.hand import Line
from mjcli.notation import format_hand, format_line, format_meld, parse_line
from mjcli.notation.scan import MAX_LENGTH
from mjcli.notation.words import WORDS, WordKind
from mjcli.tiles import PLAIN_KINDS, TILES, Suit, Tile
from tests.batch_hands import many_hands
from tests.cases import table
from tests.hands import CLASSES
from tests.random_hands import random_line, random_meld
from tests.test_notation_fuzz import real_texts

TAKEN = (
    "123m456p77z",
    "11z 123m 5z 456p 55z 789s",
    "13m2m0m7z",
    "234m5p,678s,2222po,3333s+5p",
    "123m456p789s1112z++2z",
    "11m12p,12p1j=3p,05s11j=55so+3m",
    "12p, 111j=345pl , 77z1j=7zr",
    "12p,1111j=7777z",
    "123m45p11z, 678sl ,2222par +6p",
    "45p11z, 678s , 222p +6p seat=E",
    "1123m(789s)[1111z]+2m",
    "[1111m,5][222z,2](333p)[456s,1]1z",
    "[999s]11z [1111p,3]",
    "05s,0555mo,055p",
    "19m19p19s1234567z++1z seat=E first-turn",
    "123m456p78s11z,222zx+9s winners=2 from=r seat=W  round=N",
    "1m,1111p,2222sa,3333so,789m++1m kong-draw=2 last-tile",
    "12356m789p11s,222z+4m last-of-kind clean-opponents",
    "12m456p789s1z1j1j12f345g5566a7777a",
    "1j1j11m",
    "12m",
    " 12m ",
    "12m\r",
    "1m,234m+2m",
    "1m,234m+1m,222z",
    "12m seen=3m",
    "1j13m5p1234f,222z+4m seen=1m33m5p8f1j seat=E last-tile",
)
"""Lines that are taken."""

LEFT = (
    "12p,12p1j",
    "12p[12p1j=3p]",
    "12 3m456p77z",
    "ESWNPFC11m22m33m",
    "34r67p123s",
    "12m seen=3mE",
    "12m seen=0m",
    "12m seen=1m1p1s1z2m2p2s2z3m3p3s3z4m4p4s4z",
    "12m\t3m4m",
    "12m\r\r",
    "12m\r,111z",
    "11m,234m\r,111z",
    "m123p456z77",
    "123m456p77z|EE0000|",
    "１２ｍ",
    "🀇🀈",
)
"""Lines that the notation reads, and that are left to the one-hand path."""

WRONG = (
    "123456789",
    "123",
    "12q",
    "88z12m",
    "12m0z",
    "111111111111111m",
    "1111111111111m",
    "1" * 16 + "m2222p",
    "11111m11p",
    "15m,1111mo,11m,234m",
    "11m,2222m,2222m,2222m,2222m",
    "1111m,1111m,1111m,111p2s",
    "1m++",
    "1m+2m+3m",
    "1m+++2m",
    "1m+23m",
    "1m+1f",
    "1m,124m",
    "1m,111z9m",
    "1m,111zo",
    "1m,1111zao",
    "1m,234mr",
    "1m[234m",
    "1m[234m)",
    "1m(234m,1)",
    "1m[111z,0]",
    "1m[111z,5]",
    "1m[1111z,8]",
    "1m[1111z,12]",
    "1m,99z9z",
    "1m,111j",
    "1m,8888z",
    "1jj",
    "12p,12p=3p",
    "12p,12p1j=3p3p",
    "12p,12p1j=33p",
    "12p,12p1j=3s",
    "12p,12p1j=4p",
    "12p,12p1s=3p",
    "12p,12p1j=",
    "12p,12p2j=3p",
    "12p,11p1j=0p",
    "55p,55p1j=0p",
    "12p,111j",
    "12p,=123p",
    "12p=3p",
    "12p,12p1j=3pr",
    "12p1j1j,1111j=7777z",
    "12p,12p1j=3p[1j]",
    "11111j1m",
    "12m11f",
    "12m555a",
    "12m" + "1" * 16 + "f",
    "12m9f",
    "12m0g",
    "12m seat=Q",
    "12m seat=E seat=E",
    "12m seat=E\0",
    "12m kong-draw=5",
    "12m self-draw from=x",
    "1m+1m self-draw",
    "12m++2m from=l",
    "111m123p456s789s+1z last-of-kind rob-kong last-tile",
    "111z123p456s78s5m+1z last-of-kind",
    "123p456s789s5m,111z+5m rob-own-kong",
    "123m456p789s1112z kong-draw",
    "12m123p456s789s,111z first-turn",
    "12m seat=S from=S",
    "12m seen=",
    "12m seen=3",
    "12m seen=3m,",
    "12m seen=3m seen=4m",
    "12m seen=8z",
    "12m seen=11112m",
    "12m,111z seen=11z",
    "12m1f seen=1f",
    "12m1j seen=1111j",
    "[123m,1",
    "1m,,234m",
    "1m,234m,",
    "1m,234m++1m++1m",
    "11m,1111m,1111m,1111m,1111m",
    "1111m1p,1111m,1111m,1111m",
    "11m,234mo",
    "11m,2222paxx",
    ",",
    "+",
    "#1m",
)
"""Lines that are wrong."""


def parsed(text: str, *, won: bool) -> Line | None:
    try:
        return parse_line(text, won=won)
    except InputError:
        return None


def assert_sound(texts: Sequence[str], *, won: bool = False, end: str = "\n") -> Lines:
    """Compare what is read with what the notation reads, line by line; return what is read."""
    block = end.join(texts).encode()
    lines = read_lines(block)
    if won:
        lines = read_lines(block, won=True)
    raw = block.decode().split("\n")
    hands = iter(lines_of(lines.hands))
    columns = (lines.number, lines.start, lines.end, lines.taken)
    for number, start, stop, taken in zip(*(column.tolist() for column in columns), strict=True):
        text = lines.block[start:stop].decode()
        assert text == raw[number].removesuffix("\r")
        if taken:
            expected, found = parsed(text, won=won), next(hands)
            assert found == expected, text
            assert expected is not None
            assert found.hand.last == expected.hand.last, text
    assert next(hands, None) is None
    for number in set(range(len(raw))) - set(lines.number.tolist()):
        assert raw[number].startswith("#") or not raw[number].strip(), raw[number]
    least = shanten_of(lines.hands)
    assert np.array_equal(lines.shanten(), least)
    assert least.tolist() == [shanten(line.hand) for line in lines_of(lines.hands)]
    return lines


def taken(texts: Sequence[str], *, won: bool = False) -> list[bool]:
    answer: list[bool] = assert_sound(texts, won=won).taken.tolist()
    return answer


@pytest.mark.parametrize("text", TAKEN)
def test_lines_that_are_taken(text: str) -> None:
    assert parsed(text, won=False) is not None
    assert taken([text]) == [True]
    assert taken([f"{text}\0", f"{text}\0\0\0"]) == [False, False]
    assert taken(["12m", text, "1z", text]) == [True] * 4


@pytest.mark.parametrize("text", LEFT, ids=lambda text: text[:20])
def test_lines_that_are_left(text: str) -> None:
    assert parsed(text, won=False) is not None
    assert taken(["12m", text, "1z", "1m,222z"]) == [True, False, True, True]


@pytest.mark.parametrize("text", WRONG)
def test_lines_that_are_wrong(text: str) -> None:
    if not text.startswith("#"):
        assert parsed(text, won=False) is None
        assert taken([text]) == taken([f"{text}\0"]) == [False]
    assert taken([f" {text}"]) == [False]
    for neighbours in (["12m", "1z"], ["1m,222z", "1z,222z+1z"]):
        assert taken([neighbours[0], f" {text}", neighbours[1]]) == [True, False, True]


def test_lines_that_are_skipped() -> None:
    lines = assert_sound(["", "# 12m", "12m", "   ", "#", "1z,222z", "\r", "  \r", "13q", "", ""])
    assert lines.number.tolist() == [2, 5, 8]
    assert lines.taken.tolist() == [True, True, False]
    for block in (b"", b"\n", b"#", b" ", b"\r\n\r\n"):
        nothing = read_lines(block)
        assert len(nothing.taken) == len(nothing.hands) == len(nothing.shanten()) == 0


def test_a_line_that_is_too_long() -> None:
    lines = read_lines(b"1z\n123456789m" + b" " * MAX_LENGTH + b"1z\n1z,222z")
    assert lines.taken.tolist() == [True, False, True]


def test_ends_of_lines() -> None:
    for end in ("\n", "\r\n"):
        for texts in (["12m", "1z,222z+1z seat=E", "3s"], ["12m", "3s"]):
            for last in (end, ""):
                assert assert_sound([*texts[:-1], texts[-1] + last], end=end).taken.all()


@pytest.mark.parametrize("name", CLASSES)
def test_hands_of_each_class(name: str) -> None:
    rng = Random(f"reading {name}")
    texts = [format_hand(hand) for tiles in (13, 14) for hand in many_hands(rng, name, 100, tiles)]
    assert all(taken(texts))
    assert all(taken(sorted(texts)[::-1] * 2))


def test_melds_and_winning_tiles_as_they_are_printed() -> None:
    """Each of them is found whole, beside a tile of another suit."""
    rng = Random("printed melds")
    melds = [meld for meld in (random_meld(rng) for _ in range(5_000)) if not meld.jokers]
    texts = sorted({f"{'1p' if meld.first.suit is Suit.CHARACTERS else '1m'},{format_meld(meld)}" for meld in melds})
    fives = [Tile(suit, 5, red=True) for suit in (Suit.CHARACTERS, Suit.DOTS, Suit.BAMBOO)]
    texts += [f"2z{plus}{each}" for each in (*TILES[:PLAIN_KINDS], *fives) for plus in ("+", "++")]
    assert len(texts) > 500
    lines = assert_sound(texts)
    assert len(lines.tails.line) == len(texts)
    assert len(assert_sound(texts, end="\r\n").tails.line) == len(texts)


def test_words_as_they_are_printed() -> None:
    """Each alone and each pair, after hands of which they may be true or not."""
    flags = [word.name for word in WORDS if word.kind is WordKind.FLAG or word.bare]
    values = [f"{name}={seat}" for name in ("seat", "round") for seat in "ESWN"]
    values += [f"{name}={player}" for name in ("from", "liable") for player in "lxrESWN"]
    values += [*(f"kong-draw={number}" for number in range(6)), *(f"winners={number}" for number in range(5))]
    words = [*flags, *values]
    rng = Random("printed words")
    texts = [f"{hand} {word}" for hand in WON_HANDS for word in words]
    texts += [f"{rng.choice(WON_HANDS)} {first} {second}" for first in words for second in words]
    for won in (False, True):
        lines = assert_sound(texts, won=won)
        assert lines.taken.tolist() == [parsed(text, won=won) is not None for text in texts]
        assert len(lines.tails.line) == lines.taken.sum() > 100
    assert not taken(["1m seat=E  round=E ", "1m seat=e", "1m seat=EE", "1m clean-o", "1m\tseat=E"])[1:].count(True)


def test_any_line() -> None:
    rng = Random("reading anything")
    texts = [format_line(random_line(rng)) for _ in range(500)]
    for won in (False, True):
        lines = assert_sound(texts, won=won)
        unread = [text for text, is_taken in zip(texts, lines.taken.tolist(), strict=True) if not is_taken]
        for text in unread:
            hand, *words = text.split(" ")
            with_tiles = any(
                word.startswith(("dora=", "honba=")) or ("seen=" in word and "0" in word) for word in words
            )
            assert "=" in hand or with_tiles or "j" in hand or (won and parsed(text, won=True) is None), text


def test_words_of_a_won_hand() -> None:
    texts = (
        "123m456p789s1112z last-of-kind",
        "123m456p789s1122z last-of-kind",
        "123m456p789s1112z liable=l",
        "123m456p789s1112z self-draw liable=l",
        "123m456p789s1112z from=S",
        "123m456p789s1112z from=S seat=E",
        "123m456p789s2z,111z2z",
        "123m456p78s2z,111z2z rob-own-kong",
        "123m456p789s111z",
        "123m456p789s111z1f",
        "123m77z",
        "123m456p789s111z2z",
    )
    assert taken(texts, won=True) == [parsed(text, won=True) is not None for text in texts]


WON_HANDS = (
    "123m456p789s1112z",
    "123m456p789s1z,2222z++1z",
    "13m456p77z,234s,1111zo+2m",
    "123m456p7z,222zl,3333sa+7z",
)

ALPHABET = "0123456789mpszjfgaoxlr,+[]()|=/- \t\r\0#ESWNabdkw\x80é"


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """Draw a line after one to three accidents."""
    chars = list(draw(st.sampled_from((*TAKEN, *WRONG))))
    for _ in range(draw(st.integers(1, 3))):
        at, other = draw(st.integers(0, len(chars))), draw(st.integers(0, len(chars)))
        how = draw(st.integers(0, 4))
        if how == 0:
            chars.insert(at, draw(st.sampled_from(ALPHABET)))
        elif how == 1:
            del chars[at : at + 3]
        elif how == 2:
            chars[at : at + 1] = draw(st.sampled_from(ALPHABET))
        elif how == 3:
            chars[at:at] = chars[min(at, other) : max(at, other)][:16]
        elif chars:
            first, second = at % len(chars), other % len(chars)
            chars[first], chars[second] = chars[second], chars[first]
    return "".join(chars).replace("\n", "")


@given(st.lists(mutated(), min_size=1, max_size=8), st.booleans())
@example(["123m456p[789s,0]77z seat=E", "12233455666677"], False)
@settings(max_examples=100, deadline=None)
def test_mutated_lines(texts: list[str], won: bool) -> None:
    assert_sound(texts, won=won)


@given(st.binary(max_size=60))
@settings(max_examples=200, deadline=None)
def test_any_bytes(block: bytes) -> None:
    lines = read_lines(block)
    for start, stop, is_taken in zip(lines.start.tolist(), lines.end.tolist(), lines.taken.tolist(), strict=True):
        if is_taken:
            assert parsed(lines.block[start:stop].decode(), won=False) is not None


@pytest.mark.longest
@pytest.mark.parametrize("won", [False, True])
def test_a_million_mutated_lines(won: bool) -> None:
    rng = Random(f"mutated blocks {won}")
    pool = [*TAKEN, *WRONG, *real_texts("auto"), *(format_line(random_line(rng)) for _ in range(2_000))]
    for _ in range(200):
        texts = []
        for _ in range(5_000):
            chars = list(rng.choice(pool))
            for _ in range(rng.randint(1, 3)):
                at = rng.randrange(len(chars) + 1)
                chars[at : at + rng.randint(0, 2)] = rng.choice(("", *ALPHABET, "".join(chars[at : at + 9])))
            texts.append("".join(chars).replace("\n", ""))
        assert_sound(texts, won=won)


@pytest.mark.longest
@pytest.mark.parametrize("name", CLASSES)
def test_200000_hands_of_each_class(name: str) -> None:
    rng = Random(f"200000 lines {name}")
    for tiles in (13, 14):
        texts = [format_hand(hand) for hand in many_hands(rng, name, 100_000, tiles)]
        assert assert_sound(texts).taken.all()


def test_natural_hands_are_taken() -> None:
    """The hands that other programs' logs and tests hold, in the canonical form, without one left out."""
    corpus = table("notation_corpus")
    texts = [format_line(parse_line(text)) for name in ("gb", "majiang", "unicode") for text, *_ in corpus[name]]
    assert len(texts) > 300
    for won in (False, True):
        lines = assert_sound(texts, won=won)
        read = [parsed(text, won=won) is not None for text in texts]
        assert lines.taken.tolist() == read
        assert any(read)
