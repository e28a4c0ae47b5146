"""The wall 牌牆: sides of stacks of two tiles, where it is broken 開門, and the order in which it is taken.

Seats E S W N sit counter-clockwise and play so; the wall is taken clockwise. The stacks of a side are numbered from its
owner's right end, and after the last stack of a side comes the first of the player before him. A stack is taken top
first, from either end of the wall.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from mjcli.errors import InputError
from mjcli.melds import Seat
from mjcli.tiles import TILES, Tile, TileSet

__all__ = ["Drawn", "Place", "Sides", "Wall", "check_wall", "every_tile", "sides_of"]

SEATS: Final = tuple(Seat)

MAX_NAMED: Final = 8
"""How many kinds a message names."""


class Place(NamedTuple):
    """Where a tile lies.

    >>> str(Place(Seat.N, 12, "top"))
    'N12.top'
    """

    seat: Seat
    """Whose side of the wall it is."""
    number: int
    """Of the stack, 1 at the owner's right end."""
    level: str
    """``top`` or ``bottom``."""

    def __str__(self) -> str:
        return f"{self.seat.value}{self.number}.{self.level}"

    @property
    def stack(self) -> str:
        """The stack alone, such as N12."""
        return f"{self.seat.value}{self.number}"


class Drawn(NamedTuple):
    """A tile, and where it lay."""

    tile: Tile
    place: Place


@dataclass(frozen=True)
class Sides:
    """The sides of a wall: how many stacks lie before each player, E first.

    >>> sides = Sides((18, 18, 18, 18))
    >>> sides.count(8), sides.places[2 * sides.stack_after(Seat.N, 11)].stack
    (<Seat.N: 'N'>, 'N12')

    Raises:
        InputError: there are not three or four sides, or one has no stacks (``bad-wall``).
    """

    lengths: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.lengths) not in (3, 4) or min(self.lengths) < 1:
            shown = " ".join(map(str, self.lengths))
            raise InputError("bad-wall", f"a wall has three or four sides of stacks, not '{shown}'")

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The players, in the order of play."""
        return SEATS[: len(self.lengths)]

    @property
    def size(self) -> int:
        """How many tiles lie in it."""
        return 2 * sum(self.lengths)

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """Every place clockwise: E's side from his right end, then that of the player before him, and so on."""
        return tuple(
            Place(seat, number, level)
            for seat in (self.seats[0], *reversed(self.seats[1:]))
            for number in range(1, self.lengths[seat.number] + 1)
            for level in ("top", "bottom")
        )

    @cached_property
    def _corners(self) -> dict[Seat, int]:
        """The index of the first stack of each side among all stacks, clockwise."""
        return {place.seat: index // 2 for index, place in enumerate(self.places) if place[1:] == (1, "top")}

    def count(self, roll: int, start: Seat = Seat.E) -> Seat:
        """Return the player reached by counting ``roll`` counter-clockwise from ``start``, who is 1."""
        return self.seats[(start.number + roll - 1) % len(self.seats)]

    def stack_after(self, seat: Seat, skip: int) -> int:
        """Return the index, among all stacks clockwise, of the one after ``skip`` stacks from a side's right end.

        Where the side has fewer stacks, the next one is counted on.
        """
        return (self._corners[seat] + skip) % (len(self.places) // 2)


@lru_cache(maxsize=64)
def sides_of(lengths: tuple[int, ...]) -> Sides:
    """Return the sides with these lengths; equal ones are one object, whose places are listed but once."""
    return Sides(lengths)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wall:
    """A wall that has been broken, and how much of it has been taken from each end.

    The tiles kept back, the dead wall 王牌, are always the last ``dead`` ones: it is filled up from the rest after each
    replacement. The first replacement is the top tile of the last stack, right of the break.

    >>> tiles = every_tile(TileSet.of({"m": 4, "p": 4, "s": 4, "z": 4}))
    >>> wall = Wall(sides=sides_of((17, 17, 17, 17)), tiles=tiles, first=3)
    >>> drawn, wall = wall.draw(3)
    >>> [str(each.place) for each in drawn], str(wall.next), str(wall.tail)
    (['E4.top', 'E4.bottom', 'E5.top'], 'E5.bottom', 'E3.top')
    """

    sides: Sides
    tiles: tuple[Tile, ...]
    """At each of the places of ``sides``, clockwise from E1.top."""
    first: int
    """The index, among all stacks clockwise, of the first to be taken."""
    dead: int = 0
    """How many tiles are kept back."""
    drawn: int = 0
    """How many were taken from the head."""
    replaced: int = 0
    """How many were taken from the tail."""

    @property
    def left(self) -> int:
        """How many tiles can still be taken, from either end."""
        return max(len(self.tiles) - self.drawn - self.replaced - self.dead, 0)

    @property
    def next(self) -> Place | None:
        """Where the next draw lies; None once the wall is at its end."""
        return self._at(self._head(self.drawn)).place if self.left else None

    @property
    def tail(self) -> Place | None:
        """Where the next replacement lies; None once the wall is at its end."""
        return self._at(self._tail(self.replaced)).place if self.left else None

    @property
    def rest(self) -> tuple[Drawn, ...]:
        """The tiles that can still be taken, from head to tail."""
        return self._rest()[: self.left]

    @property
    def kept_back(self) -> tuple[Drawn, ...]:
        """The dead wall, from the end of the others to the break."""
        return self._rest()[self.left :]

    def draw(self, count: int = 1) -> tuple[list[Drawn], Wall]:
        """Return the next tiles from the head, and the wall without them.

        Raises:
            InputError: there are not so many (``wall-end``).
        """
        self._need(count)
        found = [self._at(self._head(number)) for number in range(self.drawn, self.drawn + count)]
        return found, self._after(self.drawn + count, self.replaced)

    def replacements(self, count: int = 1) -> tuple[list[Drawn], Wall]:
        """Return the next tiles from the tail, and the wall without them.

        Raises:
            InputError: there are not so many (``wall-end``).
        """
        self._need(count)
        found = [self._at(self._tail(number)) for number in range(self.replaced, self.replaced + count)]
        return found, self._after(self.drawn, self.replaced + count)

    def from_break(self, number: int) -> Drawn:
        """Return the top tile of a stack, counted from the break against the order of drawing, before any is taken."""
        return self._at(len(self.tiles) - 2 * number)

    def _after(self, drawn: int, replaced: int) -> Wall:
        return Wall(
            sides=self.sides, tiles=self.tiles, first=self.first, dead=self.dead, drawn=drawn, replaced=replaced
        )

    def _need(self, count: int) -> None:
        if count > self.left:
            raise InputError("wall-end", f"the wall has {self.left} tiles left to take, not {count}")

    def _at(self, index: int) -> Drawn:
        """Return the tile at an index in the order of drawing."""
        place = (2 * self.first + index) % len(self.tiles)
        return Drawn(self.tiles[place], self.sides.places[place])

    def _head(self, number: int) -> int:
        """Return the index of a draw from the head; in the last stack, the top tile may be gone."""
        return number + (self.replaced % 2 == 1 and self._tail_order(self.replaced - 1) == number)

    def _tail(self, number: int) -> int:
        """Return the index of a draw from the tail; in the last stack, the top tile may be gone."""
        index = self._tail_order(number)
        return index + (index < self.drawn)

    def _tail_order(self, number: int) -> int:
        return len(self.tiles) - 2 - number + 2 * (number % 2)

    def _rest(self) -> tuple[Drawn, ...]:
        size = len(self.tiles)
        if self.drawn + self.replaced == size:
            return ()
        gone = {self._tail_order(number) for number in range(self.replaced)}
        return tuple(self._at(index) for index in range(self.drawn, size) if index not in gone)


def every_tile(tiles: TileSet) -> tuple[Tile, ...]:
    """Return every tile of a set, kind by kind, a red five before the others.

    >>> len(every_tile(TileSet.of({"m": 4, "p": 4, "s": 4, "z": 4, "f": 1, "g": 1})))
    152
    """
    found: list[Tile] = []
    for each in TILES:
        reds = tiles.reds_of(each.kind)
        if reds:
            found += [Tile(each.suit, 5, red=True)] * reds
        found += [each] * (tiles.copies[each.kind] - reds)
    return tuple(found)


def check_wall(given: Sequence[Tile], wanted: Iterable[Tile]) -> None:
    """Refuse tiles that are not exactly those of a set.

    Raises:
        InputError: some are missing or one too many; all are named (``bad-wall``).
    """
    held, needed = Counter(given), Counter(wanted)
    faults = [
        f"{what} {_listed(found)}"
        for what, found in (("without", needed - held), ("too often", held - needed))
        if found
    ]
    if faults:
        raise InputError("bad-wall", f"the wall is not that of the ruleset: {'; '.join(faults)}")


def _listed(found: Mapping[Tile, int]) -> str:
    shown = [f"{each}" + (f" ({count} times)" if count > 1 else "") for each, count in sorted(found.items())]
    more = len(shown) - MAX_NAMED
    return ", ".join(shown[:MAX_NAMED]) + (f" and {more} kinds more" if more > 0 else "")
