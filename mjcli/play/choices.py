"""What a player may do: a closed list of acts, each with the tile that it is about."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

from mjcli.notation import format_tiles
from mjcli.tiles import PLAIN_KINDS, TILES

__all__ = [
    "ADDED_KONGS",
    "CHOWS",
    "CONCEALED_KONGS",
    "DISCARDS",
    "KONGS",
    "NO_KIND",
    "PASS",
    "PUNGS",
    "ROB_OWN_KONG",
    "WIN",
    "Act",
    "Choice",
]

NO_KIND: Final = -1


class Act(StrEnum):
    """What is done. The first five on one's own turn, the others when another has discarded or made a kong."""

    DISCARD = "discard"
    CONCEALED_KONG = "concealed-kong"
    ADDED_KONG = "added-kong"
    ROB_OWN_KONG = "rob-own-kong"
    """Add the tile that one has drawn to one's pung, and win on it 自搶."""
    WIN = "win"
    CHOW = "chow"
    PUNG = "pung"
    KONG = "kong"
    """Claim a discard for a kong 明槓."""
    PASS = "pass"  # noqa: S105 - a word of the game


class Choice(NamedTuple):
    """One thing that a player may do.

    >>> str(Choice(Act.CHOW, 11)), str(Choice(Act.DISCARD, 33)), str(PASS)
    ('chow 345p', 'discard 7z', 'pass')
    """

    act: Act
    kind: int = NO_KIND
    """The kind of the tile, of a chow that of its lowest; ``NO_KIND`` where there is but one such choice."""

    def __str__(self) -> str:
        if self.kind == NO_KIND:
            return self.act.value
        tiles = TILES[self.kind : self.kind + 3] if self.act is Act.CHOW else (TILES[self.kind],)
        return f"{self.act.value} {format_tiles(tiles)}"


WIN: Final = Choice(Act.WIN)
PASS: Final = Choice(Act.PASS)
ROB_OWN_KONG: Final = Choice(Act.ROB_OWN_KONG)
DISCARDS: Final = tuple(Choice(Act.DISCARD, kind) for kind in range(PLAIN_KINDS))
CONCEALED_KONGS: Final = tuple(Choice(Act.CONCEALED_KONG, kind) for kind in range(PLAIN_KINDS))
ADDED_KONGS: Final = tuple(Choice(Act.ADDED_KONG, kind) for kind in range(PLAIN_KINDS))
CHOWS: Final = tuple(Choice(Act.CHOW, kind) for kind in range(PLAIN_KINDS))
"""By the lowest kind; only those that are chows are used."""
PUNGS: Final = tuple(Choice(Act.PUNG, kind) for kind in range(PLAIN_KINDS))
KONGS: Final = tuple(Choice(Act.KONG, kind) for kind in range(PLAIN_KINDS))
