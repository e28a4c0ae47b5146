"""From values to text: the canonical form, and the same hand as other notations write it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from mjcli.melds import Meld, MeldType

if TYPE_CHECKING:
    from mjcli.hand import Hand
    from mjcli.tiles import Tile

__all__ = ["STYLES", "format_hand", "format_meld", "format_runs", "format_tile"]


def format_runs(tiles: Iterable[Tile]) -> str:
    """Return tiles in the compact form, in the order given, one suit letter for each run.

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

    >>> format_meld(Meld(type=MeldType.KONG, first=TILES[10], feeder=Relation.RIGHT))
    '2222por'
    """
    text = format_runs(meld.tiles)
    if meld.jokers:
        text += "=" + format_runs(meld.jokers)
    return text + _marks(meld)


def _marks(meld: Meld) -> str:
    marks = ""
    if meld.type is MeldType.KONG and meld.exposed:
        marks = "a" if meld.added else "o"
    return marks + (meld.feeder or "")


def _format_compact(hand: Hand) -> str:
    text = format_runs((*hand.concealed, *hand.bonus))
    for meld in hand.melds:
        text += "," + format_meld(meld)
    if hand.win is not None:
        text += ("++" if hand.self_drawn else "+") + str(hand.win)
    return text


STYLES: Final = ("mpsz",)


def format_tile(tile: Tile, style: str = "mpsz") -> str:
    """Return one tile in a style of ``STYLES``."""
    return str(tile)


def format_hand(hand: Hand, style: str = "mpsz") -> str:
    """Return a hand in a style of ``STYLES``; the inverse of the reader of the same name."""
    return _format_compact(hand)
