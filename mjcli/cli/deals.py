"""Many deals as objects, from arrays: key for key what ``mjcli deal`` answers for each of them alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from mjcli.batch.deals import FIRST_BONUS, NO_TILE, deals
from mjcli.chance import RNG
from mjcli.cli.output import Answer
from mjcli.dealing import check_dice, take_hands, wall_rules
from mjcli.melds import Seat
from mjcli.ruleset import Ruleset
from mjcli.ruleset.program import WallRules
from mjcli.tiles import Tile
from mjcli.wall import Wall, every_tile, sides_of

__all__ = ["answers"]

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
    if dice is not None:
        check_dice(dice, rules.throws)
    tiles = every_tile(rules.tiles)
    names = {each.order: str(each) for each in tiles}
    seats, size = SEATS[: rules.players], len(tiles)
    dealt_tiles = 13 * rules.players + 1
    breaks: dict[int, Break] = {}
    for some in deals(rules, seed, count, start=start, dice=dice):
        columns = (
            some.dice,
            some.opener,
            some.skip,
            some.first,
            some.drawing,
            some.dealt,
            some.hands,
            some.owners,
            some.replaced,
        )
        for row, values in enumerate(zip(*(column.tolist() for column in columns), strict=True)):
            thrown, opener, skip, first, drawing, dealt, hands, owners, replaced = values
            found = breaks.get(first)
            if found is None:
                found = breaks[first] = _broken(rules, tiles, first)
            tail = [size - 2 - number + 2 * (number % 2) for number in range(replaced + 1)]
            takers = dict(zip(tail[:replaced], owners[:replaced], strict=True))
            rest = (
                [place for place in range(dealt_tiles, size) if place not in takers]
                if takers
                else range(dealt_tiles, size)
            )
            left = [names[drawing[place]] for place in rest]
            live = max(len(left) - rules.dead_wall, 0)
            shown = [_runs(hand, names) for hand in dealt]
            bonus = [[key for key in hand if FIRST_BONUS <= key < NO_TILE] for hand in dealt]
            taken_back: list[list[str]] = [[] for _ in seats]
            for place, taker in takers.items():
                taken_back[taker].append(found.places[place])
                if drawing[place] >= FIRST_BONUS:
                    bonus[taker].append(drawing[place])
            answer = {
                "ruleset": ruleset.id,
                "seed": seed,
                "index": some.start + row,
                "dealer": seats[0],
                "dice": _throws(thrown, rules.throws),
                "opener": seats[opener],
                "skip": skip,
                "taken": found.taken,
                "dealt": dict(zip(seats, shown, strict=True)),
                "hands": dict(zip(seats, (_runs(hand, names) for hand in hands) if takers else shown, strict=True)),
                "bonus": dict(zip(seats, (_runs(sorted(keys), names) for keys in bonus), strict=True)),
                "next": found.places[rest[0]] if live else None,
                "wall": left[:live],
                "rng": RNG,
                "replaced": dict(zip(seats, taken_back, strict=True)),
                "tail": found.places[tail[replaced]] if live else None,
            }
            if rules.dead_wall:
                answer["dead_wall"] = left[live:]
            if rules.indicator:
                answer["indicator"] = names[drawing[found.indicator]]
            yield answer


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


def _runs(keys: Iterable[int], names: Mapping[int, str]) -> str:
    """Return tiles as ``format_tiles`` writes them, by their keys."""
    text = suit = ""
    for key in keys:
        if key == NO_TILE:
            break
        name = names[key]
        if name[1] != suit:
            text += suit
            suit = name[1]
        text += name[0]
    return text + suit
