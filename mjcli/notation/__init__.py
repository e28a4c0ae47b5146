"""Hands as text: one grammar reads every notation, one printer writes the canonical form.

``parse_x`` and ``format_x`` are inverse to each other. What the canonical form cannot be mistaken for is read without
being asked for; what is ambiguous is read by the reader that is named. Every reader only spells tiles in its own way
(``scan``, ``foreign``); melds, counts and words are checked in one place (``assemble``, ``words``).

No part of a text is ignored: without any one character it means something else or is an error. Spare are only
blanks; variation selectors; the first of two equal suit letters (``1m2m`` is ``12m``); the ``o`` of a kong whose feeder
is named (``2222por`` is ``2222pr``); 紅 財 板 in 紅中 發財 白板; and the bar, or bar and 0, that end a status field
without flowers.

Read, but not kept: the place of the claimed tile in a chow (``[678s,2]``, ``m67-8``), which was fed from the left; and
how flowers were written: a count ``n`` in a status field names no tiles, so it stands for the first ``n`` of the eight
letters a-h, 梅 蘭 竹 菊 春 夏 秋 冬.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from mjcli.errors import InputError, NotationError
from mjcli.notation.assemble import Check, build_context, build_hand, build_line
from mjcli.notation.printers import STYLES, format_hand, format_meld, format_runs, format_tile
from mjcli.notation.scan import (
    COMPACT,
    MAX_LENGTH,
    SUITS,
    Scan,
    Spelling,
    fault,
    plain,
    scan,
    scan_tiles,
    scan_words,
)
from mjcli.notation.words import WORDS, ExtraWord, Word, WordKind, format_words, read_words

if TYPE_CHECKING:
    from mjcli.hand import Context, Hand, Line
    from mjcli.tiles import Tile, TileSet

__all__ = [
    "DRAGONS",
    "READERS",
    "STYLES",
    "WORDS",
    "ExtraWord",
    "Word",
    "WordKind",
    "format_context",
    "format_hand",
    "format_line",
    "format_meld",
    "format_tile",
    "format_tiles",
    "parse_context",
    "parse_hand",
    "parse_line",
    "parse_tiles",
]

DRAGONS: Final = tuple(SUITS)
"""Orders of the dragons in 5z 6z 7z that are read; the first is the one that is printed."""

NAMED: Final = ("mjai", "botzone", "letters")
"""Readers that must be named: what they read is ambiguous beside the rest."""
READERS: Final = ("auto", "mpsz", "unicode", "hanzi", "gb", "majiang", *NAMED)
"""Readers by name. The first five are one grammar, which recognises majiang-core's form too."""

_MAJIANG_SUITS: Final = frozenset("mpszｍｐｓｚ")
_DIGITS: Final = frozenset("0123456789０１２３４５６７８９")

format_context = format_words
format_tiles = format_runs


def parse_line(
    text: str,
    *,
    reader: str = "auto",
    dragons: str = "white-first",
    extra: Sequence[ExtraWord] = (),
    tiles: TileSet | None = None,
    beside: Mapping[str, object] | None = None,
    won: bool = False,
    check: Check | None = None,
) -> Line:
    """Return the hand and the context of one line of text.

    >>> line = parse_line("234m5p,678s,2222po,3333s+5p seat=W")
    >>> line.hand.win, line.context.seat
    (Tile(suit=<Suit.DOTS: 'p'>, rank=5, red=False), <Seat.W: 'W'>)

    Args:
        text: a hand, and context words after blanks.
        reader: one of ``READERS``.
        dragons: one of ``DRAGONS``.
        extra: words that the ruleset adds.
        tiles: the set that the ruleset plays with; without one every tile is read.
        beside: context values by word, from columns, keys or options.
        won: whether the hand must be whole, and the words true of it as won: on the tile written last, if no other is
            marked.
        check: a ruleset's, which refuses melds and words that it does not know.

    Raises:
        NotationError: with code, column, token and, where there is one, a suggestion.
        InputError: there is no such reader (``bad-reader``), or no such order of dragons (``bad-dragons``).
    """
    found = _scan(text, reader, dragons)
    said = read_words(found, extra, beside or {}) if found.words or beside else None
    return build_line(found, said, tiles, won=won, check=check)


def parse_hand(text: str, *, reader: str = "auto", dragons: str = "white-first", tiles: TileSet | None = None) -> Hand:
    """Return the hand that ``text`` writes; context words and a status field are refused.

    >>> parse_hand("123m456p77z").melds_assumed
    2

    Args:
        text: a hand.
        reader: one of ``READERS``.
        dragons: one of ``DRAGONS``.
        tiles: the set that the ruleset plays with; without one every tile is read.

    Raises:
        NotationError, InputError: as ``parse_line``.
    """
    found = _scan(text, reader, dragons)
    if found.status is not None:
        start = found.status.start
        fault(found, "bad-status", "a hand alone has no status field", start, end=start + len(found.status.token))
    if found.words:
        start, end = found.words[0]
        fault(found, "bad-word", f"no word '{text[start:end]}' in a hand alone", start, end=end)
    return build_hand(found, tiles)


def parse_tiles(text: str, *, reader: str = "auto", dragons: str = "white-first") -> tuple[Tile, ...]:
    """Return tiles in the order in which they are written.

    >>> [str(tile) for tile in parse_tiles("258m1z")]
    ['2m', '5m', '8m', '1z']

    Raises:
        NotationError: something else than tiles is written, or nothing (``empty``).
    """
    found = Scan(text, plain(text), dragons, _spelling(text, reader, dragons))
    placed = scan_tiles(found, 0, len(text))
    if not placed.tiles:
        fault(found, "empty", "no tiles", 0)
    return tuple(placed.tiles)


def parse_context(
    words: Mapping[str, object] | str,
    *,
    reader: str = "auto",
    dragons: str = "white-first",
    extra: Sequence[ExtraWord] = (),
) -> Context:
    """Return the context that words say, as text or as values by word.

    >>> parse_context("seat=W self-draw") == parse_context({"seat": "W", "self-draw": True})
    True

    Raises:
        NotationError: ``bad-word``, ``contradiction``, or what is wrong with the tiles of a word.
    """
    text, beside = (words, {}) if isinstance(words, str) else ("", words)
    found = scan_words(text, _spelling(text, reader, dragons), dragons)
    return build_context(found, read_words(found, extra, beside))


def format_line(line: Line, style: str = "mpsz") -> str:
    """Return a hand and its context, in words or, in GB-Mahjong's style, as a status field.

    >>> format_line(parse_line("11z 123m self-draw"))
    '123m11z self-draw'

    Raises:
        InputError: ``style`` cannot say something of it (``cannot-write``).
    """
    if style == "gb":
        from mjcli.notation.styles import format_gb_line

        return format_gb_line(line)
    return f"{format_hand(line.hand, style)} {format_context(line.context)}".rstrip()


def _scan(text: str, reader: str, dragons: str) -> Scan:
    spelling = _spelling(text, reader, dragons)
    if len(text) > MAX_LENGTH:
        message = f"the line is longer than {MAX_LENGTH} characters"
        raise NotationError("too-long", message, line=text[:60], column=MAX_LENGTH + 1)
    start = text.lstrip()[:2]
    if reader == "majiang" or (reader not in NAMED and start[:1] in _MAJIANG_SUITS and start[1:] in _DIGITS):
        from mjcli.notation.foreign import scan_majiang

        return scan_majiang(text, dragons)
    return scan(text, spelling, dragons)


def _spelling(text: str, reader: str, dragons: str) -> Spelling:
    """Return how a reader's tiles are written in ``text``; of majiang-core's, those in context words.

    Raises:
        InputError: there is no such reader, or no such order of dragons.
    """
    if reader not in READERS:
        raise InputError("bad-reader", f"no reader '{reader}' (one of {' '.join(READERS)})")
    if dragons not in SUITS:
        raise InputError("bad-dragons", f"no order of dragons '{dragons}' (one of {' '.join(DRAGONS)})")
    if reader not in NAMED and text.isascii():
        return COMPACT
    from mjcli.notation import foreign

    return {"mjai": foreign.MJAI, "botzone": foreign.BOTZONE, "letters": foreign.LETTERS}.get(reader, foreign.WIDE)
