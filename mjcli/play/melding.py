"""The melds that choices make: claimed, concealed, added to a pung."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from mjcli.melds import Meld, MeldType, Relation
from mjcli.play.choices import Act, Choice
from mjcli.tiles import TILES

__all__ = ["added_kong", "claimed_meld", "concealed_kong", "relation"]


def claimed_meld(choice: Choice, kind: int, feeder: Relation, reds: int = 0) -> Meld:
    """Return the meld of a chow, pung or kong that is claimed.

    >>> from mjcli.notation import format_meld
    >>> format_meld(claimed_meld(Choice(Act.KONG, 33), 33, Relation.ACROSS))
    '7777zox'

    Args:
        choice: what is claimed.
        kind: of the discard.
        feeder: who discarded it.
        reds: how many red fives are in it.
    """
    if choice.act is Act.CHOW:
        return _meld(MeldType.CHOW, choice.kind, feeder=feeder, reds=reds, jokers=choice.jokers)
    type_ = MeldType.KONG if choice.act is Act.KONG else MeldType.PUNG
    return _meld(type_, kind, feeder=feeder, reds=reds, jokers=choice.jokers)


def concealed_kong(kind: int, reds: int = 0) -> Meld:
    """Return the concealed kong of a kind, with so many red fives."""
    return _meld(MeldType.KONG, kind, exposed=False, reds=reds)


def added_kong(melds: Sequence[Meld], kind: int, reds: int = 0) -> tuple[int, Meld]:
    """Return the place of the pung of a kind among melds, and the kong that it becomes with so many red fives more."""
    place = next(place for place, meld in enumerate(melds) if meld.kinds == (kind,) * 3)
    pung = melds[place]
    return place, _meld(MeldType.KONG, kind, added=True, feeder=pung.feeder, reds=pung.reds + reds)


def relation(seat: int, other: int, players: int) -> Relation:
    """Return where ``other`` sits, seen from ``seat``.

    >>> relation(0, 3, 4)
    <Relation.LEFT: 'l'>
    """
    distance = (other - seat) % players
    return {1: Relation.RIGHT, players - 1: Relation.LEFT}.get(distance, Relation.ACROSS)


@lru_cache(maxsize=1 << 12)
def _meld(
    type_: MeldType,
    kind: int,
    *,
    exposed: bool = True,
    added: bool = False,
    feeder: Relation | None = None,
    reds: int = 0,
    jokers: tuple[int, ...] = (),
) -> Meld:
    stand_ins = tuple(TILES[each] for each in sorted(jokers))
    return Meld(type=type_, first=TILES[kind], exposed=exposed, added=added, feeder=feeder, reds=reds, jokers=stand_ins)
