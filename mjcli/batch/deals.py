"""Many deals at once: walls, dice, hands and flowers as arrays, deal for deal those of ``mjcli.dealing``.

A tile is its sorting key ``Tile.order``, which says more than its kind: half of it is the kind, and a red five is even.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjcli.batch import chance
from mjcli.batch.runs import NO_TILE
from mjcli.chance import check_range
from mjcli.dealing import GO_ROUNDS, check_dice
from mjcli.errors import InputError
from mjcli.melds import Seat
from mjcli.ruleset.program import WallRules
from mjcli.tiles import JOKER_KIND
from mjcli.wall import every_tile, sides_of

__all__ = ["FIRST_BONUS", "NOBODY", "Deals", "deals", "numbered_deals", "tail_places"]

CHUNK: Final = 1024
"""Deals that are made at once: their walls stay in the processor's cache."""

NOBODY: Final = 255
"""Among the owners of replacements, where none was taken."""

FIRST_BONUS: Final = 2 * (JOKER_KIND + 1)
"""The least key of a bonus tile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deals:
    """Some deals; row n of each array is deal ``numbers[n]``."""

    rules: WallRules
    numbers: NDArray[np.uint64]
    """uint64[deals], their numbers in their seed."""
    dice: NDArray[np.uint8]
    """uint8[deals, dice], the faces of all throws in order."""
    opener: NDArray[np.intp]
    """intp[deals], the number of the seat whose wall is broken."""
    skip: NDArray[np.intp]
    """intp[deals], the stacks skipped from his right end."""
    first: NDArray[np.intp]
    """intp[deals], the index of the first stack taken among all stacks clockwise."""
    drawing: NDArray[np.uint8]
    """uint8[deals, tiles], the wall in the order of drawing."""
    dealt: NDArray[np.uint8]
    """uint8[deals, players, 14], the hands before flowers are replaced, sorted; NO_TILE ends those of 13 tiles."""
    hands: NDArray[np.uint8]
    """uint8[deals, players, 14], the hands after that, sorted."""
    owners: NDArray[np.uint8]
    """uint8[deals, bonus tiles], the number of the seat that took each replacement, in their order."""
    replaced: NDArray[np.intp]
    """intp[deals], how many replacements were taken."""

    @property
    def bonus(self) -> NDArray[np.uint8]:
        """uint8[deals, players, bonus tiles], the flowers that each has laid out, sorted; NO_TILE comes last."""
        most, seats = self.rules.bonus_tiles, np.arange(self.rules.players)
        replacements = self.drawing[:, None, tail_places(self.rules, most)]
        drawn = np.where(self.owners[:, None] == seats[:, None], replacements, NO_TILE)
        held = np.concatenate((self.dealt, drawn), axis=2)
        held[held < FIRST_BONUS] = NO_TILE
        return np.sort(held, axis=2)[:, :, :most]


def deals(
    rules: WallRules,
    seed: int,
    count: int,
    *,
    start: int = 0,
    dice: Sequence[Sequence[int]] | None = None,
    chunk: int = CHUNK,
) -> Iterator[Deals]:
    """Yield ``count`` deals of a seed, some at a time.

    Args:
        rules: how a ruleset deals.
        seed: 0 to 2**64 - 1.
        count: how many deals.
        start: the number of the first.
        dice: the faces of each throw, the same for all deals; without it they are thrown.
        chunk: how many are made at once; the deals do not depend on it.

    Raises:
        InputError: the dice are not those of the throws (``bad-dice``), the seed or a number is out of range
            (``bad-seed``), or the wall has too few tiles to replace all flowers (``wall-end``).
    """
    check_range(seed, start)
    check_range(seed, start + max(count, 1) - 1)
    yield from numbered_deals(rules, seed, np.arange(count, dtype=np.uint64) + np.uint64(start), dice=dice, chunk=chunk)


def numbered_deals(
    rules: WallRules,
    seed: int,
    numbers: NDArray[np.uint64],
    *,
    dice: Sequence[Sequence[int]] | None = None,
    chunk: int = CHUNK,
) -> Iterator[Deals]:
    """Yield the deals of a seed that have certain numbers, some at a time.

    Args:
        rules: how a ruleset deals.
        seed: 0 to 2**64 - 1.
        numbers: uint64[deals], in any order.
        dice: as of ``deals``.
        chunk: how many are made at once; the deals do not depend on it.

    Raises:
        InputError: as of ``deals``, but for ``bad-seed``.
    """
    if dice is not None:
        check_dice(dice, rules.throws)
    for at in range(0, len(numbers), chunk):
        yield _some(rules, seed, numbers[at : at + chunk], dice)


def _some(rules: WallRules, seed: int, numbers: NDArray[np.uint64], dice: Sequence[Sequence[int]] | None) -> Deals:
    count = len(numbers)
    if dice is None:
        thrown = chance.dice(seed, numbers, sum(rules.throws))
    else:
        faces = np.array([face for throw in dice for face in throw], dtype=np.uint8)
        thrown = np.repeat(faces[:, None], count, axis=1)
    opener, skip, first = _broken(rules, thrown)
    items = np.array([each.order for each in every_tile(rules.tiles)], dtype=np.uint8)
    walls = chance.orders(seed, numbers, items)
    size = len(items)
    turned = np.arange(size)[:, None] + 2 * first
    turned[turned >= size] -= size
    drawing = np.take_along_axis(walls, turned, axis=0)
    slots = _slots(rules)
    dealt = np.full((rules.players, len(slots[0]), count), NO_TILE, dtype=np.uint8)
    for seat, places in enumerate(slots):
        dealt[seat, : len(places)] = drawing[places]
    hands = dealt.copy()
    owners, replaced = _replace_flowers(rules, drawing, hands, [len(places) for places in slots])
    return Deals(
        rules=rules,
        numbers=numbers,
        dice=np.ascontiguousarray(thrown.T),
        opener=opener,
        skip=skip,
        first=first,
        drawing=np.ascontiguousarray(drawing.T),
        dealt=np.sort(dealt.transpose(2, 0, 1), axis=2),
        hands=np.sort(hands.transpose(2, 0, 1), axis=2),
        owners=np.ascontiguousarray(owners.T),
        replaced=replaced,
    )


def _broken(rules: WallRules, thrown: NDArray[np.uint8]) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """Return whose wall is broken, how many stacks are skipped, and the index of the first stack taken."""
    dice = thrown.astype(np.intp)
    numbers = {
        "first": dice[: rules.throws[0]].sum(axis=0),
        "second": dice[-rules.throws[-1] :].sum(axis=0),
        "least": dice.min(axis=0),
    }
    nothing = np.zeros(thrown.shape[1], dtype=np.intp)
    opener = sum((numbers[word] for word in rules.opener), nothing) - bool(rules.opener)
    opener %= rules.players
    skip = sum((numbers[word] for word in rules.skip), nothing) - rules.inclusive
    sides = sides_of(rules.stacks)
    corners = np.array([sides.stack_after(seat, 0) for seat in tuple(Seat)[: rules.players]])
    return opener, skip, (corners[opener] + skip) % (sides.size // 2)


def _slots(rules: WallRules) -> list[list[int]]:
    """Return the places in the order of drawing that each player takes."""
    players = rules.players
    found = [
        [4 * (players * turn + seat) + place for turn in range(GO_ROUNDS) for place in range(4)]
        for seat in range(players)
    ]
    last = 4 * players * GO_ROUNDS
    singles = [0, *range(1, players), players] if rules.jump else [0, *range(2, players + 1), 1]
    for seat, place in enumerate(singles):
        found[seat % players].append(last + place)
    return found


def _replace_flowers(
    rules: WallRules, drawing: NDArray[np.uint8], hands: NDArray[np.uint8], held: Sequence[int]
) -> tuple[NDArray[np.uint8], NDArray[np.intp]]:
    """Replace the bonus tiles in ``hands``; return who took each replacement, and how many there are."""
    size, count = drawing.shape
    tail = np.array(tail_places(rules, rules.bonus_tiles), dtype=np.intp)
    owners = np.full((rules.bonus_tiles, count), NOBODY, dtype=np.uint8)
    replaced = np.zeros(count, dtype=np.intp)
    most = size - rules.dead_wall - rules.dealt

    def turn(seat: int) -> bool:
        """Replace each bonus tile that a player shows by one tile; return whether there were any."""
        showing = [
            (slot, rows) for slot in range(held[seat]) if len(rows := np.flatnonzero(hands[seat, slot] >= FIRST_BONUS))
        ]
        for slot, rows in showing:
            number = replaced[rows]
            if number.max() >= most:
                raise InputError("wall-end", f"the wall has {most} tiles for flowers, and more are wanted")
            hands[seat, slot, rows] = drawing[tail[number], rows]
            owners[number, rows] = seat
            replaced[rows] += 1
        return bool(showing)

    seats = range(rules.players)
    if rules.flower_order == "player":
        for seat in seats:
            while turn(seat):
                pass
    else:
        while sum(turn(seat) for seat in seats):
            pass
    return owners, replaced


def tail_places(rules: WallRules, count: int) -> list[int]:
    """Return the places in the order of drawing of the first ``count`` replacements after the hands are dealt."""
    last = rules.tiles.size - 2
    order = (last - number + 2 * (number % 2) for number in range(count))
    return [place + (place < rules.dealt) for place in order]  # the top of the last stack may be dealt
