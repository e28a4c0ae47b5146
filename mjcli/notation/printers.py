"""From values to text: the canonical form, and the same hand as other notations write it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from mjcli.melds import Meld, MeldType

if TYPE_CHECKING:
    from mjcli.hand import Hand
    from mjcli.tiles import Tile

__all__ = ["STYLES", "format_hand", "format_marks", "format_meld", "format_runs", "format_tile"]

STYLES: Final = ("mpsz", "unicode", "hanzi", "gb", "majiang", "mjai", "botzone", "letters")
"""Notations by name; the first is the canonical form, which says everything."""


def format_runs(tiles: Iterable[Tile]) -> str:
    """Return tiles in the compact form, in the order given, one suit letter for each run.

    >>> from mjcli.tiles import TILES
    >>> format_runs(TILES[1:3]), format_runs([TILES[0], TILES[9], TILES[1]])
    ('23m', '1m1p2m')
    """
    text = ""
    suit = ""
    for each in tiles:
        if each.suit != suit:
            text += suit
            suit = each.suit
        text += "0" if each.red else str(each.rank)
    return text + suit


def format_meld(meld: Meld) -> str:
    """Return a meld in the compact form, with its marks.

    >>> from mjcli.melds import Meld, MeldType, Relation
    >>> from mjcli.tiles import TILES
    >>> format_meld(Meld(type=MeldType.KONG, first=TILES[10], feeder=Relation.RIGHT))
    '2222por'
    """
    text = format_runs(meld.tiles)
    if meld.jokers:
        text += "=" + format_runs(meld.jokers)
    return text + format_marks(meld)


def format_marks(meld: Meld) -> str:
    """Return the letters that say how a meld was made and who fed it."""
    marks = ""
    if meld.type is MeldType.KONG and meld.exposed:
        marks = "a" if meld.added else "o"
    return marks + (meld.feeder or "")


def format_hand(hand: Hand, style: str = "mpsz") -> str:
    """Return a hand in one of ``STYLES``; the reader of the same name is the inverse.

    >>> from mjcli.hand import Hand
    >>> from mjcli.tiles import TILES
    >>> format_hand(Hand(concealed=TILES[4:8], win=TILES[31], self_drawn=True))
    '5678m++5z'

    Raises:
        InputError: ``style`` cannot say something that the hand has; it is named (``cannot-write``).
    """
    if style != "mpsz":
        from mjcli.notation import styles

        return styles.format_hand(hand, style)
    text = format_runs((*hand.concealed, *hand.bonus))
    for meld in hand.melds:
        text += "," + format_meld(meld)
    if hand.win is not None:
        text += ("++" if hand.self_drawn else "+") + str(hand.win)
    return text


def format_tile(tile: Tile, style: str = "mpsz") -> str:
    """Return one tile in one of ``STYLES``.

    >>> from mjcli.tiles import TILES
    >>> format_tile(TILES[31]), format_tile(TILES[31], "hanzi"), format_tile(TILES[31], "botzone")
    ('5z', '白', 'J3')

    Raises:
        InputError: ``style`` has no such tile (``cannot-write``).
    """
    if style == "mpsz":
        return str(tile)
    from mjcli.notation import styles

    return styles.format_tiles((tile,), style)
