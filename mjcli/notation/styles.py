"""Hands as other notations write them. What a notation cannot say is refused by name, never left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Final, NoReturn

from mjcli.errors import InputError
from mjcli.hand import Context, Hand, Line
from mjcli.melds import Meld, MeldType
from mjcli.notation.foreign import BOTZONE_CODES, HANZI, UNICODE
from mjcli.notation.printers import format_marks, format_runs
from mjcli.notation.scan import GB_FLOWERS, HONORS
from mjcli.tiles import Suit, Tile

__all__ = ["format_gb_line", "format_hand", "format_tiles"]

_LETTERS: Final[Mapping[Tile, str]] = {each: letter for letter, each in HONORS.items()}
_CODES: Final[Mapping[Tile, str]] = {each: code for code, each in BOTZONE_CODES.items()}
_FLOWER_LETTERS: Final[Mapping[Tile, str]] = {each: letter for letter, each in GB_FLOWERS.items()}


def _refuse(style: str, what: str) -> NoReturn:
    raise InputError("cannot-write", f"{style} cannot say {what}")


def _unicode(tiles: Iterable[Tile]) -> str:
    """Characters of U+1F000-2A; what Unicode lacks (red fives, arts, animals) stays compact."""
    text = ""
    run: list[Tile] = []
    for each in tiles:
        if each in UNICODE:
            text += format_runs(run) + UNICODE[each]
            run = []
        else:
            run.append(each)
    return text + format_runs(run)


def _hanzi(tiles: Iterable[Tile]) -> str:
    """Numerals with one 萬 筒 索 for each run, names for the rest; the rank of a red five is 0."""
    text = suit = ""
    for each in tiles:
        if suit and each.suit != suit:
            text += HANZI_SUITS[suit]
        suit = each.suit if each.suit in HANZI_SUITS else ""
        text += "0" if each.red else HANZI[each][:1] if suit else HANZI[each]
    return text + HANZI_SUITS.get(suit, "")


HANZI_SUITS: Final[Mapping[str, str]] = {"m": "萬", "p": "筒", "s": "索"}


def _gb(tiles: Iterable[Tile]) -> str:
    return _with_letters(tiles, "gb", str.upper)


def _letters(tiles: Iterable[Tile]) -> str:
    return _with_letters(tiles, "letters", str.lower)


def _with_letters(tiles: Iterable[Tile], style: str, case: Callable[[str], str]) -> str:
    """Runs of suits, and letters for honours."""
    text = ""
    run: list[Tile] = []
    for each in tiles:
        if style == "gb" and (each.red or each.suit not in "mpsz"):
            _refuse(style, f"'{each}' among the tiles")
        if each.suit is Suit.HONORS:
            text += format_runs(run) + case(_LETTERS[each])
            run = []
        else:
            run.append(each)
    return text + format_runs(run)


def _mjai(tiles: Iterable[Tile]) -> str:
    names = []
    for each in tiles:
        if each.suit not in "mpsz":
            _refuse("mjai", f"'{each}'")
        names.append(f"{each.plain}r" if each.red else _LETTERS.get(each, str(each)))
    return " ".join(names)


def _botzone(tiles: Iterable[Tile]) -> str:
    codes = []
    for each in tiles:
        if each not in _CODES:
            _refuse("botzone", f"'{each}'")
        codes.append(_CODES[each])
    return " ".join(codes)


def _majiang(tiles: Iterable[Tile]) -> str:
    text = suit = ""
    for each in tiles:
        if each.suit not in "mpsz":
            _refuse("majiang", f"'{each}'")
        if each.suit != suit:
            text += each.suit
            suit = each.suit
        text += "0" if each.red else str(each.rank)
    return text


_TILES: Final[Mapping[str, Callable[[Iterable[Tile]], str]]] = {
    "unicode": _unicode,
    "hanzi": _hanzi,
    "gb": _gb,
    "majiang": _majiang,
    "mjai": _mjai,
    "botzone": _botzone,
    "letters": _letters,
}


def format_tiles(tiles: Iterable[Tile], style: str) -> str:
    """Return tiles in the order given, in a style other than the canonical one.

    >>> from mjcli.tiles import TILES
    >>> format_tiles(TILES[0:3] + TILES[31:34], "hanzi")
    '一二三萬白發中'

    Raises:
        InputError: the style has no such tile (``cannot-write``).
    """
    if style not in _TILES:
        raise InputError("bad-style", f"no style '{style}' (mpsz {' '.join(_TILES)})")
    return _TILES[style](tiles)


def format_hand(hand: Hand, style: str) -> str:
    """Return a hand in a style other than the canonical one.

    In the forms of GB-Mahjong and majiang-core the tile written last is the one that was drawn or won on, so it stands
    last here too where it is known.

    Raises:
        InputError: the style cannot say something that the hand has (``cannot-write``).
    """
    concealed = list(hand.concealed)
    if style in ("gb", "majiang"):
        if hand.win is not None:
            _refuse(style, f"that '{hand.win}' is the winning tile; write it last, without '+'")
        if hand.last is not None:
            concealed.remove(hand.last)
            concealed.append(hand.last)
    text = format_tiles((*concealed, *hand.bonus), style)
    if style == "gb":
        return "".join(_bracketed(meld, style) for meld in hand.melds) + text
    for meld in hand.melds:
        if style == "majiang":
            text += "," + _majiang_meld(meld)
        elif style == "mjai":
            text += " " + _bracketed(meld, style)
        else:
            text += "," + format_tiles(meld.tiles, style)
            if meld.jokers:
                text += "=" + format_tiles(meld.jokers, style)
            text += format_marks(meld)
    if hand.win is not None:
        blank = " " if style in ("mjai", "botzone") else ""
        text += blank + ("++" if hand.self_drawn else "+") + format_tiles((hand.win,), style)
    return text


def _bracketed(meld: Meld, style: str) -> str:
    """Return a meld as GB-Mahjong brackets it. A chow's claimed place is not kept, so the first is named."""
    tiles = format_tiles(meld.tiles, style)
    if meld.feeder is None:
        if meld.type is MeldType.KONG and meld.exposed:
            _refuse(style, f"an exposed kong of '{meld.first}' without who fed it")
        return f"[{tiles}]"
    digit = "lxr".index(meld.feeder) + (5 if meld.added else 1)
    return f"[{tiles},{digit}]"


def _majiang_meld(meld: Meld) -> str:
    """Return a meld with majiang-core's sign after the claimed tile; of a chow, after the first."""
    text = _majiang(meld.tiles)
    if meld.feeder is None:
        if meld.type is MeldType.KONG and meld.exposed:
            _refuse("majiang", f"an exposed kong of '{meld.first}' without who fed it")
        return text
    sign = {"l": "-", "x": "=", "r": "+"}[meld.feeder]
    at = 2 if meld.type is MeldType.CHOW else 4 if meld.added else len(text)
    return text[:at] + sign + text[at:]


def format_gb_line(line: Line) -> str:
    """Return a hand in GB-Mahjong's form, with a status field if there is anything for it to say.

    Raises:
        InputError: the form cannot say something of it (``cannot-write``).
    """
    hand, context = line.hand, line.context
    text = format_hand(replace(hand, bonus=(), last=hand.last), "gb")
    if context == Context() and not hand.bonus:
        return text
    if context.round is None or context.seat is None:
        _refuse("gb", "anything beside the tiles without both winds; say seat= and round=")
    if hand.tile_count % 3 == 2 and hand.last is None:
        _refuse("gb", "a status without the tile that was written last")
    kong = context.rob_kong or context.kong_draw == 1
    said = Context(
        round=context.round,
        seat=context.seat,
        self_draw=context.self_draw,
        last_of_kind=context.last_of_kind,
        last_tile=context.last_tile,
        kong_draw=int(context.kong_draw == 1 and context.self_draw),
        rob_kong=context.rob_kong,
    )
    if said != context:
        _refuse(
            "gb", "a context word beside winds, self-draw, last-of-kind, last-tile, kong-draw with it, and rob-kong"
        )
    digits = "".join(str(int(each)) for each in (context.self_draw, context.last_of_kind, context.last_tile, kong))
    flowers = ""
    for each in hand.bonus:
        if each not in _FLOWER_LETTERS:
            _refuse("gb", f"'{each}'")
        flowers += _FLOWER_LETTERS[each]
    return f"{text}|{context.round}{context.seat}{digits}" + (f"|{flowers}" if flowers else "")
