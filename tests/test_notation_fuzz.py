"""Whatever is done to real hands, a reader answers with an error of the project or with a hand that it can say again.

And nothing of the input is ignored: without any one character the answer is another one or an error. Where the notation
reads one thing in two ways, the shorter of which lacks a character, `spare` names it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import pytest

from mjcli.errors import NotationError
from mjcli.hand import Line
from mjcli.notation import READERS, format_hand, format_line, parse_line
from tests.cases import table
from tests.random_hands import random_hand, random_line, written
from tests.test_notation_roundtrip import EXTRA

CORPUS = table("notation_corpus")
CODES = frozenset(
    [
        "empty",
        "no-suit",
        "bad-rank",
        "bad-char",
        "bad-meld",
        "unclosed",
        "two-wins",
        "bad-status",
        "bad-word",
        "too-many",
        "tile-count",
        "not-in-ruleset",
        "contradiction",
        "too-long",
    ]
)
ALPHABET = (
    "0123456789mpszjfgaoxlrESWNPFCWBTJHewnpc,+[]()|/=-. \t|EE0000abcdefgh"
    "一二三伍萬万筒餅索條子東发白板紅中財百搭小丑梅竹飛１ｍ🀀🀄🀫é\ufe0f\ufe0e\0\u3000"
)
READER_NAMES = tuple(READERS)


def real_texts(reader: str) -> list[str]:
    """Return a few hundred real hands in one reader's notation."""
    texts = [] if reader in ("mjai", "botzone", "letters") else [text for text, *_ in CORPUS.get(reader, ())]
    for text, *_ in (*CORPUS["gb"], *CORPUS["majiang"], *CORPUS["unicode"]):
        line = parse_line(text)
        said = written(line if reader in ("auto", "mpsz", "gb") else line.hand, "mpsz" if reader == "auto" else reader)
        texts += [] if said is None else [said]
    for seed in range(100):
        if reader in ("auto", "mpsz"):
            texts.append(format_line(random_line(Random(seed))))
        elif reader in ("unicode", "hanzi", "letters"):
            texts.append(format_hand(random_hand(Random(seed)), reader))
    return texts


def read(text: str, reader: str) -> Line | NotationError:
    """Return the line, or the project's error for it; anything else is a failure."""
    try:
        return parse_line(text, reader=reader, extra=EXTRA)
    except NotationError as error:
        return error


def mutated(text: str, rng: Random) -> str:
    """Return ``text`` after one to three accidents."""
    chars = list(text)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(chars) + 1)
        how = rng.randrange(5)
        if how == 0:
            chars.insert(at, rng.choice(ALPHABET))
        elif how == 1:
            del chars[at : at + rng.randint(1, 3)]
        elif how == 2:
            chars[at : at + 1] = rng.choice(ALPHABET)
        elif how == 3:
            other = rng.randrange(len(chars) + 1)
            chars[at:at] = chars[min(at, other) : max(at, other)][:5]
        elif chars:
            first, second = rng.randrange(len(chars)), rng.randrange(len(chars))
            chars[first], chars[second] = chars[second], chars[first]
    return "".join(chars)


def assert_sound(text: str, reader: str) -> None:
    answer = read(text, reader)
    if isinstance(answer, NotationError):
        assert answer.code in CODES
        assert 1 <= answer.column <= len(text) + 1, text
        assert answer.line == text
        assert answer.picture.endswith("^")
        assert answer.token == text[answer.column - 1 :][: len(answer.token)]
    else:
        assert parse_line(format_line(answer), extra=EXTRA) == answer, text


@pytest.mark.parametrize("reader", READER_NAMES)
def test_mutated_hands(reader: str) -> None:
    rng = Random(reader)
    texts = real_texts(reader)
    assert len(texts) > 50
    for _ in range(1500):
        assert_sound(mutated(rng.choice(texts), rng), reader)


@pytest.mark.long
@pytest.mark.parametrize("reader", READER_NAMES)
def test_a_hundred_thousand_mutated_hands(reader: str) -> None:
    rng = Random(f"long {reader}")
    texts = real_texts(reader)
    for _ in range(100_000):
        assert_sound(mutated(rng.choice(texts), rng), reader)


RUN = r"[0-9r一二三四五六七八九伍\s]+"


def spare(text: str, at: int) -> bool:
    """Whether the notation reads a text without this character in the same way.

    Such are blanks and variation selectors; the first of two letters of one suit, since `1m2m` is `12m`; the `o` of an
    exposed kong whose feeder is named; 紅中 發財 白板, which are 中 發 白; the end of a status field without flowers.
    """
    char, before, after = text[at], text[:at], text[at + 1 :]
    suit = re.escape(char) if char in "mpszjfga萬万筒餅饼索條条子" else "(?!)"
    return (
        char.isspace()
        or char in "\ufe0e\ufe0f"
        or bool(re.match(RUN + suit, after))
        or bool(re.search(f"{suit}[0-9]+$", before))
        or (char == "o" and after[:1] in ("l", "x", "r"))
        or (char in "紅红" and after[:1] == "中")
        or (char in "財财" and before[-1:] in ("發", "发"))
        or (char == "板" and before[-1:] == "白")
        or (char in "|/" and not after)
        or (char == "0" and not after and before[-1:] in ("|", "/"))
    )


def without_one(text: str) -> Iterator[tuple[int, str]]:
    """Yield ``text`` without each of its characters that are not spare."""
    for at in range(len(text)):
        if not spare(text, at):
            yield at, text[:at] + text[at + 1 :]


WRITTEN = (
    "123m 456p 789s 1z [678s,1] 2z|EE0100|abc",
    "123m456p789s11z[678s]|EE0000|3",
    "123m456p789s11z,678s/EE1010",
    "1m, 340pl, 2222sa, 3333s, 12p1j=3p +1m seat=S round=E from=x last-tile winners=2 seen=1z1z",
    "紅中發財白板東东南西北 一二三萬四伍六筒",
    "一二三九萬,四五六筒l,東東東東o+九萬",
    "🀇🀈🀉🀙🀚🀛🀐🀑🀒🀀🀀🀄\ufe0f🀄",
    "m123z77,m4-56,p1111,s111+1",
    "34r67p(567s)[2222m]",
    "１２３ｍ４５６ｐ７７ｚ",
)


@pytest.mark.parametrize("reader", READER_NAMES)
def test_no_character_is_ignored(reader: str) -> None:
    texts = real_texts(reader)
    for text in (*Random(reader).sample(texts, 40), *(WRITTEN if reader == "auto" else ())):
        whole = read(text, reader)
        assert isinstance(whole, Line), (text, whole)
        for at, shorter in without_one(text):
            assert read(shorter, reader) != whole, (text, at)


@pytest.mark.long
@pytest.mark.parametrize("reader", READER_NAMES)
def test_no_character_is_ignored_anywhere(reader: str) -> None:
    for text in real_texts(reader):
        whole = read(text, reader)
        for at, shorter in without_one(text):
            assert read(shorter, reader) != whole, (text, at)
