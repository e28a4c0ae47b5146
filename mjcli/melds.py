"""Melds 面子 on the table: chows 順子, pungs 刻子 and kongs 槓子, whether claimed, and who fed them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from mjcli.errors import HandError
from mjcli.tiles import JOKER_KIND, TILES, Suit, Tile

__all__ = ["Meld", "MeldType", "Relation", "Seat"]


class MeldType(StrEnum):
    """What a meld is."""

    CHOW = "chow"
    PUNG = "pung"
    KONG = "kong"


class Seat(StrEnum):
    """A seat, named by its wind 門風; play goes E, S, W, N, counter-clockwise."""

    E = "E"
    S = "S"
    W = "W"
    N = "N"

    @property
    def number(self) -> int:
        """0-3 in the order of play."""
        return "ESWN".index(self.value)

    def neighbor(self, relation: Relation, players: int = 4) -> Seat:
        """Return the seat that stands in ``relation`` to this one.

        >>> Seat.E.neighbor(Relation.LEFT), Seat.E.neighbor(Relation.LEFT, players=3)
        (<Seat.N: 'N'>, <Seat.W: 'W'>)

        Args:
            relation: of three players nobody sits across.
            players: 3 or 4; of three nobody sits at N.
        """
        steps = {Relation.RIGHT: 1, Relation.ACROSS: 2, Relation.LEFT: players - 1}
        return tuple(Seat)[(self.number + steps[relation]) % players]

    def seat_of(self, player: Relation | Seat | None, players: int = 4) -> Seat | None:
        """Return the seat of a player who is named by relation to this one or by seat; None of nobody known.

        >>> Seat.E.seat_of(Relation.LEFT) is Seat.E.seat_of(Seat.N) is Seat.N
        True
        """
        return self.neighbor(player, players) if isinstance(player, Relation) else player


class Relation(StrEnum):
    """Where another player sits, seen from one's own seat."""

    LEFT = "l"
    """上家, who plays before."""
    ACROSS = "x"
    """對家."""
    RIGHT = "r"
    """下家, who plays after."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Meld:
    """One meld on the table.

    >>> [str(tile) for tile in Meld(type=MeldType.CHOW, first=Tile(Suit.DOTS, 4)).tiles]
    ['4p', '5p', '6p']

    Raises:
        HandError: there is no such meld (``bad-meld``).
    """

    type: MeldType
    first: Tile
    """The tile itself; of a chow, its lowest. Never a red five: ``reds`` counts those."""
    exposed: bool = True
    """False only of a concealed kong 暗槓."""
    added: bool = False
    """Whether the fourth tile of a kong was added 加槓 to a claimed pung."""
    feeder: Relation | None = None
    """Who discarded the claimed tile, where that is known; of an added kong, who fed its pung."""
    reds: int = 0
    """How many of its tiles are red fives."""
    jokers: tuple[Tile, ...] = ()
    """The tiles that jokers stand for, sorted."""
    kinds: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """The kinds of the three or four tiles that lie on the table, jokers last."""

    def __post_init__(self) -> None:
        first = self.first
        if first.is_bonus or first.is_joker or first.red:
            raise HandError("bad-meld", f"no meld of '{first}' (a meld is of suits or honours)")
        chow = self.type is MeldType.CHOW
        if chow and (first.suit is Suit.HONORS or first.rank > 7):
            raise HandError("bad-meld", f"no chow starts with '{first}'")
        if self.type is not MeldType.KONG and (self.added or not self.exposed):
            raise HandError("bad-meld", f"a {self.type} is claimed; only a kong is concealed or added to")
        if self.added and not self.exposed:
            raise HandError("bad-meld", "an added kong is exposed")
        if self.feeder is not None and not self.exposed:
            raise HandError("bad-meld", "nobody feeds a concealed kong")
        if chow and self.feeder not in (None, Relation.LEFT):
            raise HandError("bad-meld", "a chow is fed from the left only")
        start = first.kind
        left = [start, start + 1, start + 2] if chow else [start] * (4 if self.type is MeldType.KONG else 3)
        if self.jokers:
            self._replace_by_jokers(left)
        if self.reds:
            fives = sum(TILES[kind].rank == 5 and TILES[kind].suit is not Suit.HONORS for kind in left)
            if not 0 <= self.reds <= fives:
                raise HandError("bad-meld", f"{self.reds} red fives in a meld with {fives} fives")
        object.__setattr__(self, "kinds", (*left, *(JOKER_KIND for _ in self.jokers)))

    def _replace_by_jokers(self, left: list[int]) -> None:
        """Take the tiles that jokers stand for away from ``left``."""
        if any(joker.red for joker in self.jokers) or tuple(sorted(self.jokers)) != self.jokers:
            raise HandError("bad-meld", "the tiles that jokers stand for are plain and sorted")
        for joker in self.jokers:
            if joker.kind not in left:
                raise HandError("bad-meld", f"a joker cannot be '{joker}' in this {self.type}")
            left.remove(joker.kind)

    @property
    def stands_for(self) -> tuple[Tile, ...]:
        """The three or four tiles that it is, jokers replaced by what they stand for, red fives plain."""
        if self.type is MeldType.CHOW:
            return tuple(TILES[self.first.kind : self.first.kind + 3])
        return (self.first,) * (4 if self.type is MeldType.KONG else 3)

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The three or four tiles that lie on the table: red fives as such, jokers last."""
        tiles = [TILES[kind] for kind in self.kinds]
        if self.reds:
            five = next(index for index, each in enumerate(tiles) if each.rank == 5)
            tiles[five : five + self.reds] = [Tile(tiles[five].suit, 5, red=True)] * self.reds
        return tuple(tiles)

    @property
    def fed_by(self) -> Relation | None:
        """Who fed it, where that is known: the feeder that was said, and of any chow the left player."""
        return Relation.LEFT if self.type is MeldType.CHOW else self.feeder

    @property
    def is_claimed_kong(self) -> bool:
        """Whether it is a kong made at once from a discard 明槓 (not by adding to a pung)."""
        return self.type is MeldType.KONG and self.exposed and not self.added
