"""Who sits where, and who deals first: wind tiles or lots that are drawn, dice that are thrown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from mjcli.chance import Chance, Stream
from mjcli.errors import InputError
from mjcli.melds import Seat
from mjcli.tiles import Tile, tile

__all__ = ["WAYS", "Seating", "Step", "choose_seats", "turned"]

Step = tuple[str, tuple[int, ...] | Seat | int]
"""A player with the dice that he throws, the wind that he draws, or the place that he takes, 1 to 4."""

ODD, EVEN = tile("1p"), tile("2p")
WINDS: Final = tuple(tile(f"{rank}z") for rank in (1, 2, 3, 4))


class Seating(NamedTuple):
    """How seats were chosen."""

    seats: tuple[str, ...]
    """The players from the first dealer, E, on in the order of play."""
    places: tuple[str, ...]
    """The players around the table, counter-clockwise from place 1, where the first of the names given stood."""
    steps: tuple[Step, ...]
    row: tuple[Tile, ...] = ()
    """Tiles from which winds were drawn, where they lie open in a row."""


def choose_seats(way: str, players: Sequence[str], seed: int, *, dice: int = 2) -> Seating:
    """Return the seats of players, chosen by one of ``WAYS``.

    >>> choose_seats("winds", ["Ann", "Bo", "Cy", "Di"], 1).seats
    ('Cy', 'Ann', 'Bo', 'Di')
    >>> choose_seats("east_chooses", ["Ann", "Bo", "Cy", "Di"], 1).places
    ('Di', 'Cy', 'Ann', 'Bo')

    Args:
        way: a key of ``WAYS``.
        players: their names, as they stand around the table, counter-clockwise.
        seed: of the chance.
        dice: how many are thrown where the way does not say.

    Raises:
        InputError: there are not three or four different names, or not as many as the way is for (``bad-players``); or
            no such seed.
    """
    if len(players) not in (3, 4) or len(set(players)) < len(players) or not all(name.strip() for name in players):
        raise InputError("bad-players", f"three or four different names are wanted, not '{', '.join(players)}'")
    return WAYS[way](tuple(players), Chance(seed, 0, Stream.SEATS), dice)


def _winds(players: Sequence[str], chance: Chance, dice: int) -> Seating:
    """Each draws a wind tile 東南西北 that lies face down, and sits at that wind."""
    del dice
    drawn = chance.shuffled(tuple(Seat)[: len(players)])
    seats = _by_wind(players, drawn)
    return Seating(seats, seats, tuple(zip(players, drawn, strict=True)))


def _east_chooses(players: Sequence[str], chance: Chance, dice: int) -> Seating:
    """Each draws a wind tile; who draws E takes the place that he likes, and the others sit from there on."""
    found = _winds(players, chance, dice)
    place = chance.below(len(players))
    return found._replace(places=turned(found.seats, -place), steps=(*found.steps, (found.seats[0], place + 1)))


def _lots(players: Sequence[str], chance: Chance, dice: int) -> Seating:
    """Each draws a lot with the number of a place; then the highest throw of two dice deals first."""
    drawn = chance.shuffled(range(1, len(players) + 1))
    lots = tuple(zip(players, drawn, strict=True))
    found = _highest_throw(sorted(players, key=dict(lots).__getitem__), chance, dice)
    return found._replace(steps=(*lots, *found.steps))


def _highest_throw(players: Sequence[str], chance: Chance, dice: int) -> Seating:
    """Players keep their places, and the highest throw of two dice deals first."""
    del dice
    first, steps = _highest(players, chance, 2)
    return Seating(turned(players, first), tuple(players), steps)


def _odd_even(players: Sequence[str], chance: Chance, dice: int) -> Seating:
    """A throw counts to the place of E; who stands there throws for the end of the row, and draws first.

    The first player shuffles, and the one across from him throws at first (Hong Kong Mahjong Association).
    """
    if len(players) < 4:
        raise InputError(
            "bad-players", "of three players nobody stands across from another; four can choose seats by odd_even"
        )
    across, thrown = 2, chance.dice(dice)
    east = (across + sum(thrown) - 1) % 4  # who throws is counted as 1
    return _from_row(players, chance, dice, east, [(players[across], thrown)])


def _odd_even_highest(players: Sequence[str], chance: Chance, dice: int) -> Seating:
    """The highest throw tells who is E for the time being; he throws for the end of the row, and draws first (AIMJ)."""
    east, steps = _highest(players, chance, dice)
    return _from_row(players, chance, dice, east, steps)


def _from_row(players: Sequence[str], chance: Chance, dice: int, east: int, before: Sequence[Step]) -> Seating:
    """Return the seats where winds are drawn from an open row, whose ends are the odd and the even tile.

    Args:
        players: counter-clockwise.
        chance: what throws and shuffles.
        dice: how many are thrown.
        east: the place of E, 0 first; who stands there throws: odd, and all draw from the odd end, even from the other.
        before: what has happened so far.
    """
    shuffled = chance.shuffled([*WINDS[: len(players)], ODD, EVEN])
    winds = [each for each in shuffled if each in WINDS]
    ends = (ODD, EVEN) if shuffled.index(ODD) < shuffled.index(EVEN) else (EVEN, ODD)
    order = turned(players, east)
    thrown = chance.dice(dice)
    odd = sum(thrown) % 2 == 1
    drawn = [tuple(Seat)[each.rank - 1] for each in (winds if (ends[0] == ODD) == odd else reversed(winds))]
    seats = _by_wind(order, drawn)
    steps = (*before, (order[0], thrown), *zip(order, drawn, strict=True))
    return Seating(seats, turned(seats, -east), steps, (ends[0], *winds, ends[1]))


def _highest(players: Sequence[str], chance: Chance, dice: int) -> tuple[int, tuple[Step, ...]]:
    """Return which player has the highest throw, and all throws; who tie for it throw again, until one is alone."""
    steps: list[Step] = []
    left = list(players)
    while len(left) > 1:
        thrown = {name: chance.dice(dice) for name in left}
        steps += thrown.items()
        highest = max(map(sum, thrown.values()))
        left = [name for name in left if sum(thrown[name]) == highest]
    return players.index(left[0]), tuple(steps)


def _by_wind(players: Sequence[str], drawn: Sequence[Seat]) -> tuple[str, ...]:
    """Return the players in the order of the winds that they drew."""
    return tuple(name for _, name in sorted(zip([wind.number for wind in drawn], players, strict=True)))


def turned(players: Sequence[str], first: int) -> tuple[str, ...]:
    """Return the same circle of players from another one on.

    >>> turned(["Ann", "Bo", "Cy"], 2), turned(["Ann", "Bo", "Cy"], -2)
    (('Cy', 'Ann', 'Bo'), ('Bo', 'Cy', 'Ann'))
    """
    return (*players[first:], *players[:first])


WAYS: Final[Mapping[str, Callable[[Sequence[str], Chance, int], Seating]]] = {
    "winds": _winds,
    "east_chooses": _east_chooses,
    "lots": _lots,
    "highest_throw": _highest_throw,
    "odd_even": _odd_even,
    "odd_even_highest": _odd_even_highest,
}
"""The ways in which seats are chosen, by the word that a ruleset says; the function says how."""
