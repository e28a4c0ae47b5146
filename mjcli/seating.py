"""Who sits where, and who deals first: wind tiles that are drawn, or the highest throw of two dice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mjcli.chance import Chance, Stream
from mjcli.errors import InputError
from mjcli.melds import Seat

__all__ = ["Seating", "seating_by_dice", "seating_by_winds", "table_places"]


class Seating(NamedTuple):
    """How seats were chosen."""

    seats: tuple[str, ...]
    """The players from the first dealer, E, on in the order of play."""
    steps: tuple[tuple[str, tuple[int, ...] | Seat], ...]
    """Each player in turn with the wind that he drew, or the dice that he threw; who ties throws again."""


def seating_by_winds(players: Sequence[str], seed: int) -> Seating:
    """Return the seats of players who each draw a wind tile 東南西北 that lies face down.

    >>> seating_by_winds(["Ann", "Bo", "Cy", "Di"], 1).seats
    ('Cy', 'Ann', 'Bo', 'Di')

    Args:
        players: their names, in the order in which they draw.
        seed: of the chance.

    Raises:
        InputError: there are not three or four different names (``bad-players``), or no such seed.
    """
    _check(players)
    drawn = Chance(seed, 0, Stream.SEATS).shuffled(tuple(Seat)[: len(players)])
    steps = tuple(zip(players, drawn, strict=True))
    return Seating(tuple(name for name, _ in sorted(steps, key=lambda step: step[1].number)), steps)


def seating_by_dice(players: Sequence[str], seed: int) -> Seating:
    """Return the seats of players who keep their places while each throws two dice: the highest deals first.

    Those who tie for the highest throw again, until one is alone.

    Args:
        players: their names, in the order of play.
        seed: of the chance.

    Raises:
        InputError: there are not three or four different names (``bad-players``), or no such seed.
    """
    _check(players)
    chance = Chance(seed, 0, Stream.SEATS)
    steps: list[tuple[str, tuple[int, ...] | Seat]] = []
    left = list(players)
    while len(left) > 1:
        thrown = {name: chance.dice(2) for name in left}
        steps += thrown.items()
        highest = max(sum(dice) for dice in thrown.values())
        left = [name for name, dice in thrown.items() if sum(dice) == highest]
    first = players.index(left[0])
    return Seating((*players[first:], *players[:first]), tuple(steps))


def table_places(seats: Sequence[str], east_at: int) -> tuple[str, ...]:
    """Return who sits at each place of the table, counter-clockwise, where the player of E chooses his place.

    >>> table_places(["Ann", "Bo", "Di", "Cy"], 2)
    ('Di', 'Cy', 'Ann', 'Bo')

    Args:
        seats: the players from E on in the order of play.
        east_at: the place that he chooses, 0 first.
    """
    return tuple(seats[(place - east_at) % len(seats)] for place in range(len(seats)))


def _check(players: Sequence[str]) -> None:
    if len(players) not in (3, 4) or len(set(players)) < len(players) or not all(name.strip() for name in players):
        raise InputError("bad-players", f"three or four different names are wanted, not '{', '.join(players)}'")
