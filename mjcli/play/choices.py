"""What a player may do: a closed list of acts, each with the tile that it is about."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

from mjcli.notation import format_tiles
from mjcli.tiles import JOKER_KIND, PLAIN_KINDS, TILES, Tile

__all__ = [
    "ABORT",
    "ADDED_KONGS",
    "CHOWS",
    "CONCEALED_KONGS",
    "DISCARDS",
    "FIVES",
    "KONGS",
    "NO_KIND",
    "PASS",
    "PUNGS",
    "READY",
    "RED_DISCARDS",
    "ROB_OWN_KONG",
    "WIN",
    "Act",
    "Choice",
    "face",
]

NO_KIND: Final = -1
FIVES: Final = (4, 13, 22)
"""The kinds of which some tiles may be red."""
RED_FIVES: Final = tuple(Tile(TILES[kind].suit, 5, red=True) for kind in FIVES)


class Act(StrEnum):
    """What is done. The first seven on one's own turn, the others when another has discarded or made a kong."""

    DISCARD = "discard"
    CONCEALED_KONG = "concealed-kong"
    ADDED_KONG = "added-kong"
    ROB_OWN_KONG = "rob-own-kong"
    """Add the tile that one has drawn to one's pung, and win on it 自搶."""
    READY = "ready"
    """Declare that one is ready 立直; a discard that leaves one so follows."""
    ABORT = "abort"
    """End the deal without a win, for one's nine kinds of terminals and honours 九種九牌."""
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
    >>> str(Choice(Act.CHOW, 11, red=1)), str(Choice(Act.PUNG, 13, red=2)), str(Choice(Act.DISCARD, 13, red=1))
    ('chow 340p', 'pung 00p', 'discard 0p')
    """

    act: Act
    kind: int = NO_KIND
    """The kind of the tile, of a chow that of its lowest; ``NO_KIND`` where there is but one such choice."""
    red: int = 0
    """How many red fives one discards, or takes from one's hand for a chow or a pung; kongs take all that there are."""
    jokers: tuple[int, ...] = ()
    """The kinds for which jokers from one's hand stand in a claimed chow or pung."""

    def __str__(self) -> str:
        if self.kind == NO_KIND:
            return self.act.value
        kinds = range(self.kind, self.kind + 3) if self.act is Act.CHOW else [self.kind] * max(self.red, 1)
        told = f"{self.act.value} {format_tiles([face(kind, bool(self.red)) for kind in kinds])}"
        return (
            told if not self.jokers else f"{told} with jokers as {format_tiles([TILES[kind] for kind in self.jokers])}"
        )


def face(kind: int, red: bool) -> Tile:
    """Return the tile of a kind, a five in red if it is to be so.

    >>> str(face(13, True)), str(face(14, True))
    ('0p', '6p')
    """
    return RED_FIVES[kind // 9] if red and kind in FIVES else TILES[kind]


WIN: Final = Choice(Act.WIN)
PASS: Final = Choice(Act.PASS)
ROB_OWN_KONG: Final = Choice(Act.ROB_OWN_KONG)
READY: Final = Choice(Act.READY)
ABORT: Final = Choice(Act.ABORT)
DISCARDS: Final = tuple(Choice(Act.DISCARD, kind) for kind in range(JOKER_KIND + 1))
RED_DISCARDS: Final = {kind: Choice(Act.DISCARD, kind, 1) for kind in FIVES}
"""Of red fives, by kind."""
CONCEALED_KONGS: Final = tuple(Choice(Act.CONCEALED_KONG, kind) for kind in range(PLAIN_KINDS))
ADDED_KONGS: Final = tuple(Choice(Act.ADDED_KONG, kind) for kind in range(PLAIN_KINDS))
CHOWS: Final = tuple(Choice(Act.CHOW, kind) for kind in range(PLAIN_KINDS))
"""By the lowest kind; only those that are chows are used."""
PUNGS: Final = tuple(Choice(Act.PUNG, kind) for kind in range(PLAIN_KINDS))
KONGS: Final = tuple(Choice(Act.KONG, kind) for kind in range(PLAIN_KINDS))
