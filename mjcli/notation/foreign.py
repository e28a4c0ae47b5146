"""Other ways to write tiles: Unicode and Chinese ones, Botzone's codes, majiang-core's form. Imported when needed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from mjcli.notation.scan import (
    COMPACT,
    HONORS_OR_BLANK,
    REDS,
    RUN,
    SUITS,
    Group,
    Placed,
    Scan,
    Spelling,
    fault,
    fault_at,
    fill_honors,
    fill_run,
    is_word,
    note_words,
)
from mjcli.tiles import JOKER_KIND, TILES, Suit, Tile

if TYPE_CHECKING:
    from mjcli.notation.scan import Fill

__all__ = ["BOTZONE", "BOTZONE_CODES", "HANZI", "LETTERS", "MJAI", "UNICODE", "WIDE", "plain", "scan_majiang"]

_FULL_WIDTH: Final = {chr(code + 0xFEE0): chr(code) for code in range(0x21, 0x7F)}
_CHINESE: Final = {
    **dict(zip("一二三四五六七八九伍", "1234567895", strict=True)),
    **dict(zip("萬万筒餅饼索條条子", "mmpppssss", strict=True)),
    **dict(zip("東东南西北中發发白", "EESWNCFFP", strict=True)),
}
_PLAIN: Final = str.maketrans(_FULL_WIDTH | _CHINESE)

UNICODE: Final[Mapping[Tile, str]] = dict(
    zip(
        (
            *TILES[27:31],
            *(TILES[33], TILES[32], TILES[31]),
            *TILES[:9],
            *TILES[18:27],
            *TILES[9:18],
            *(TILES[35], TILES[36], TILES[38], TILES[37]),
            *TILES[43:47],
            TILES[JOKER_KIND],
        ),
        map(chr, range(0x1F000, 0x1F02B)),
        strict=True,
    )
)
"""The characters of U+1F000-2A. Unicode has dots after bamboo, and the plant bamboo before chrysanthemum."""

HANZI: Final[Mapping[Tile, str]] = dict(
    zip(
        TILES,
        (
            *(rank + suit for suit in "萬筒索" for rank in "一二三四五六七八九"),
            *"東南西北白發中",
            "百搭",
            *"梅蘭菊竹琴棋書畫",
            *"春夏秋冬漁樵耕讀",
            *"貓鼠雞蟲男女",
            "小丑",
        ),
        strict=True,
    )
)
"""The names of the tiles in traditional characters."""

_ALONE: Final[Mapping[str, Tile]] = {
    **{char: each for each, char in UNICODE.items()},
    **{name: each for each, name in HANZI.items() if each.kind >= JOKER_KIND},
    **dict(
        zip(
            "飛飞兰书画渔读猫鸡虫",
            (TILES[kind] for kind in (34, 34, 36, 41, 42, 47, 50, 51, 53, 54)),
            strict=True,
        )
    ),
}
"""Tiles that one token names: Unicode characters, and those Chinese names that need no suit."""


def plain(line: str) -> str:
    """Return ``line`` with full-width characters, Chinese numerals, suits and honours as the compact form has them."""
    return line.translate(_PLAIN)


def _fill_alone(_scan: Scan, match: re.Match[str], placed: Placed) -> None:
    placed.tiles.append(_ALONE[match["alone"].rstrip("\ufe0e\ufe0f")])
    placed.offsets.append(match.start())


def _fill_named(_scan: Scan, match: re.Match[str], placed: Placed) -> None:
    """Read the dragons' names of two characters."""
    placed.tiles.append({"C": TILES[33], "F": TILES[32], "P": TILES[31]}[match["named"].strip("紅红財财板")])
    placed.offsets.append(match.start())


_UNICODE_CLASS: Final = "[\U0001f000-\U0001f02a][\ufe0e\ufe0f]?"
_NAMES: Final = "|".join(sorted((name for name in _ALONE if name < "\U0001f000"), key=len, reverse=True))
_WIDE_TOKENS: Final = rf"(?P<alone>{_UNICODE_CLASS}|{_NAMES})|(?P<named>[紅红]C|F[財财]|P板)"


def _widen(spelling: Spelling) -> Spelling:
    """Return ``spelling`` with Unicode and Chinese tiles beside its own."""
    fills: dict[str, Fill] = {**spelling.fills, "alone": _fill_alone, "named": _fill_named}
    return Spelling(f"{_WIDE_TOKENS}|{spelling.pattern.pattern}", fills, spelling.is_word)


WIDE: Final = _widen(COMPACT)
"""What ``auto`` reads in a line that has other characters than ASCII."""

BOTZONE_CODES: Final[Mapping[str, Tile]] = {
    **{f"W{rank}": TILES[rank - 1] for rank in range(1, 10)},
    **{f"B{rank}": TILES[rank + 8] for rank in range(1, 10)},
    **{f"T{rank}": TILES[rank + 17] for rank in range(1, 10)},
    **{f"F{rank}": TILES[rank + 26] for rank in range(1, 5)},
    **dict(zip(("J1", "J2", "J3"), (TILES[33], TILES[32], TILES[31]), strict=True)),
    **dict(zip((f"H{rank}" for rank in range(1, 9)), (*TILES[43:47], *TILES[35:39]), strict=True)),
}
"""Botzone: 萬 W, 餅 B, 條 T, winds F, dragons J (red, green, white), flowers H (春夏秋冬梅蘭菊竹)."""


def _fill_botzone(scan: Scan, match: re.Match[str], placed: Placed) -> None:
    code = match["code"]
    each = BOTZONE_CODES.get(code)
    if each is None:
        highest = max(known for known in BOTZONE_CODES if known[0] == code[0])
        fault(scan, "bad-rank", f"no tile '{code}' ({code[0]}1-{highest})", match.start() + 1)
    placed.tiles.append(each)
    placed.offsets.append(match.start())


BOTZONE: Final = Spelling(r"(?P<code>[WBTFJH][0-9])|\s+", {"code": _fill_botzone}, is_word)
"""Botzone's codes: a letter, then the rank."""


def _fill_red(scan: Scan, match: re.Match[str], placed: Placed) -> None:
    """Read mjai's ``5mr``: the letter makes the tile before it red."""
    offset = match.end() - 1
    if scan.text[offset - 2 : offset - 1] != "5" or scan.text[offset - 1] not in "mps":
        shown = scan.line[match.start() : offset + 1]
        fault(scan, "bad-rank", f"no tile '{shown}' (only 5m 5p 5s are red)", offset)
    placed.tiles.append(REDS[Suit(scan.text[offset - 1])])
    placed.offsets.append(offset - 2)


MJAI: Final = Spelling(
    rf"(?P<red>[0-9][a-z]r)|(?P<run>[0-9][mpszjfga]){HONORS_OR_BLANK}",
    {"run": fill_run, "red": _fill_red, "honors": fill_honors},
    is_word,
)
"""mjai: every tile with its own suit letter, a red five as ``5mr``."""

_SPELLED_WORD: Final = re.compile(r"[a-z]{2,}[a-z-]*(?:-[a-z]|=)|[a-z]*[^\Weswnpfcmzrolax\d_A-Z]")


def _is_word_beside_letters(text: str, start: int) -> bool:
    return is_word(text, start) and _SPELLED_WORD.match(text, start) is not None


LETTERS: Final = Spelling(
    rf"{RUN}|(?P<letters>[eswnpfc]+){HONORS_OR_BLANK}",
    {"run": fill_run, "letters": fill_honors, "honors": fill_honors},
    _is_word_beside_letters,
)
"""The compact form, with honour letters in lower case too."""

_MAJIANG_RUN: Final = re.compile(r"([mpsz])\s*([0-9](?:[0-9\s]*[0-9])?)")
_MAJIANG_MELD: Final = re.compile(r"[0-9=+-]*")
_FEEDERS: Final = {"-": "l", "=": "x", "+": "r"}


def scan_majiang(line: str, dragons: str) -> Scan:
    """Return the tokens of a line in majiang-core's form ``m123p456z77,m4-56,p1111``.

    A sign stands after the claimed tile: ``-`` from the left, ``=`` from across, ``+`` from the right.

    Raises:
        NotationError: the first fault of syntax.
    """
    scan = Scan(line, plain(line), dragons, COMPACT)
    text, size = scan.text, len(line)
    at = 0
    while at < size:
        char = text[at]
        if char.isspace():
            at += 1
            if at < size and is_word(text, at):
                break
        elif char == ",":
            at = _scan_majiang_meld(scan, at + 1)
        elif scan.groups:
            fault(scan, "bad-char", f"{line[at]!r} after a meld (a comma stands before the next)", at)
        else:
            at = _scan_majiang_run(scan, at, scan.hand, size)
    note_words(scan, at)
    return scan


def _scan_majiang_run(scan: Scan, at: int, placed: Placed, bound: int) -> int:
    """Read a suit letter and its ranks."""
    match = _MAJIANG_RUN.match(scan.text, at, bound)
    if match is None:
        char = scan.line[at]
        if char in "mpsz":
            fault(scan, "bad-char", f"no rank after the suit letter '{char}'", at)
        if char in "0123456789":
            fault(scan, "no-suit", f"no suit letter before '{char}'", at)
        fault(scan, "bad-char", f"{char!r} is no suit letter (one of m p s z)", at)
    suit, ranks = match[1], SUITS[scan.dragons][match[1]]
    for offset in range(match.start(2), match.end()):
        rank = scan.text[offset]
        if rank in ranks:
            placed.tiles.append(ranks[rank])
            placed.offsets.append(offset)
        elif not rank.isspace():
            fault(scan, "bad-rank", f"no tile '{suit}{rank}'", offset)
    scan.end = placed.offsets[-1] + 1
    return match.end()


def _scan_majiang_meld(scan: Scan, start: int) -> int:
    """Read a suit letter, the ranks of a meld, and the sign that says who fed it."""
    while scan.text[start : start + 1].isspace():
        start += 1
    group = Group(start)
    scan.groups.append(group)
    scan.end = start
    suit = scan.text[start : start + 1]
    if suit == "," or not suit:
        return start
    body = _MAJIANG_MELD.match(scan.text, start + 1)
    if suit not in "mpsz" or body is None or not body[0]:
        fault_at(scan, start, "a suit letter and ranks are expected after a comma")
    signs = [offset for offset in range(*body.span()) if scan.text[offset] in _FEEDERS]
    ranks = SUITS[scan.dragons][suit]
    for offset in range(*body.span()):
        if offset in signs:
            continue
        if scan.text[offset] not in ranks:
            fault(scan, "bad-rank", f"no tile '{suit}{scan.text[offset]}'", offset)
        group.body.tiles.append(ranks[scan.text[offset]])
        group.body.offsets.append(offset)
    group.end = scan.end = body.end()
    if signs:
        sign = signs[0]
        after = body.end() - sign - 1
        alike = len({each.kind for each in group.body.tiles}) == 1
        group.marks = _FEEDERS[scan.text[sign]]
        if alike and len(group.body.tiles) == 4 and after == 1:
            group.marks = "a" + group.marks
        group.stray = len(signs) > 1 or sign == start + 1 or (alike and after > len(group.body.tiles) - 3)
    return body.end()
