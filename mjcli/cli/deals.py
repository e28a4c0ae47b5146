"""Many deals from arrays: key for key, and byte for byte, what ``mjcli deal`` answers for each of them alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjcli.batch.deals import deals, tail_places
from mjcli.batch.runs import texts
from mjcli.chance import RNG
from mjcli.cli.dealt import COLUMNS, ordered
from mjcli.cli.output import Answer, CsvWriter, JsonLinesWriter, TsvWriter
from mjcli.cli.sink import Buffer
from mjcli.dealing import take_hands, wall_rules
from mjcli.melds import Seat
from mjcli.ruleset import Ruleset
from mjcli.ruleset.program import WallRules
from mjcli.tiles import Tile
from mjcli.wall import Wall, every_tile, sides_of

__all__ = ["PIECE", "answers", "lines"]

PIECE: Final = 4096
"""Deals of one piece of work."""

SEATS: Final = tuple(seat.value for seat in Seat)


class Break(NamedTuple):
    """What follows from where a wall is broken."""

    places: list[str]
    """In the order of drawing."""
    taken: dict[str, list[str]]
    """What each player takes while the hands are dealt."""
    indicator: int
    """The place of the tile that is turned over, in the order of drawing."""


def answers(
    ruleset: Ruleset, seed: int, count: int, *, start: int, dice: Sequence[Sequence[int]] | None
) -> Iterator[Answer]:
    """Yield ``count`` deals of a seed as objects, the first of them number ``start``.

    Raises:
        InputError: as ``mjcli.dealing.deal``.
    """
    rules = wall_rules(ruleset)
    tiles = every_tile(rules.tiles)
    names = {each.order: str(each) for each in tiles}
    seats = SEATS[: rules.players]
    tail = tail_places(rules, rules.bonus_tiles + 1)
    rests = [
        [place for place in range(rules.dealt, len(tiles)) if place not in tail[:replaced]]
        for replaced in range(rules.bonus_tiles + 1)
    ]
    breaks: dict[int, Break] = {}
    for some in deals(rules, seed, count, start=start, dice=dice):
        columns = (
            some.numbers,
            some.dice,
            some.opener,
            some.skip,
            some.first,
            some.drawing,
            some.owners,
            some.replaced,
        )
        values = zip(*(column.tolist() for column in columns), strict=True)
        shown = zip(*(_by_seat(seats, held) for held in (some.dealt, some.hands, some.bonus)), strict=True)
        for number, thrown, opener, skip, first, drawing, owners, replaced in values:
            dealt, hands, bonus = next(shown)
            found = breaks.get(first)
            if found is None:
                found = breaks[first] = _broken(rules, tiles, first)
            taken_back: dict[str, list[str]] = {seat: [] for seat in seats}
            for place, owner in zip(tail[:replaced], owners, strict=False):
                taken_back[seats[owner]].append(found.places[place])
            left = [names[drawing[place]] for place in rests[replaced]]
            live = max(len(left) - rules.dead_wall, 0)
            answer = {
                "ruleset": ruleset.id,
                "seed": seed,
                "index": number,
                "dealer": seats[0],
                "dice": _throws(thrown, rules.throws),
                "opener": seats[opener],
                "skip": skip,
                "taken": found.taken,
                "dealt": dealt,
                "hands": hands,
                "bonus": bonus,
                "next": found.places[rests[replaced][0]] if live else None,
                "wall": left[:live],
                "rng": RNG,
                "replaced": taken_back,
                "tail": found.places[tail[replaced]] if live else None,
            }
            if rules.dead_wall:
                answer["dead_wall"] = left[live:]
            if rules.indicator:
                answer["indicator"] = names[drawing[found.indicator]]
            yield answer


def lines(
    ruleset: Ruleset,
    seed: int,
    dice: Sequence[Sequence[int]] | None,
    beside: Answer,
    form: str,
    encoding: str,
    start: int,
    count: int,
) -> bytes:
    """Return the lines of ``count`` deals, as the writer of a format can add them.

    Args:
        ruleset: by which is dealt.
        seed: of all deals.
        dice: the faces of each throw, the same for all deals; None where they are thrown.
        beside: what else each object says.
        form: ``json``, ``jsonl``, ``csv`` or ``tsv``.
        encoding: of the output.
        start: the number of the first deal.
        count: how many.
    """
    buffer = Buffer(encoding)
    kind = {"csv": CsvWriter, "tsv": TsvWriter}.get(form, JsonLinesWriter)
    writer = kind(buffer, COLUMNS, str, header=False)
    for answer in answers(ruleset, seed, count, start=start, dice=dice):
        writer.answer(ordered({**answer, **beside}))
    return bytes(buffer.data)


def _by_seat(seats: Sequence[str], held: NDArray[np.uint8]) -> Iterator[dict[str, str]]:
    """Yield the tiles of each player as text, deal by deal."""
    count, players, places = held.shape
    shown = iter(texts(held.reshape(count * players, places)))
    for _ in range(count):
        yield {seat: next(shown) for seat in seats}


def _broken(rules: WallRules, tiles: tuple[Tile, ...], first: int) -> Break:
    """Return what follows from the index of the first stack taken."""
    sides = sides_of(rules.stacks)
    wall = Wall(sides=sides, tiles=tiles, first=first)
    taken: dict[str, list[str]] = {}
    for take in take_hands(wall, jump=rules.jump)[0]:
        taken.setdefault(take.seat.value, []).extend(take.names)
    places = [str(each.place) for each in wall.rest]
    return Break(places, taken, len(places) - 2 * rules.indicator)


def _throws(dice: Sequence[int], counts: Iterable[int]) -> list[list[int]]:
    faces = iter(dice)
    return [[next(faces) for _ in range(count)] for count in counts]
