"""A deal 局 up to the first discard: dice, break, hands, flowers replaced, from a seed or from what is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Final, NamedTuple

from mjcli.chance import RNG, Chance, Stream
from mjcli.errors import InputError, NotationError
from mjcli.melds import Seat
from mjcli.ruleset import Ruleset
from mjcli.ruleset.program import WallRules
from mjcli.tiles import Tile
from mjcli.wall import Drawn, Place, Sides, Wall, check_wall, every_tile, sides_of

__all__ = [
    "GO_ROUNDS",
    "Deal",
    "Replacement",
    "Take",
    "Throw",
    "check_dice",
    "deal",
    "deal_wall",
    "parse_dice",
    "shuffled_wall",
    "take_hands",
    "wall_rules",
]

GO_ROUNDS: Final = 3
"""How often each player takes two stacks, before the last tiles are taken one by one."""

FACES: Final = 6

_order = attrgetter("order")


class Throw(NamedTuple):
    """One throw of dice."""

    seat: Seat
    """Who throws."""
    dice: tuple[int, ...]

    @property
    def total(self) -> int:
        """The sum of its dice."""
        return sum(self.dice)


class Take(NamedTuple):
    """Tiles that a player takes at once while the hands are dealt."""

    seat: Seat
    drawn: tuple[Drawn, ...]

    @property
    def names(self) -> list[str]:
        """Where they lay: whole stacks, such as N12, and single tiles, such as S2.top."""
        places = [each.place for each in self.drawn]
        whole = {place.stack for place in places if Place(place.seat, place.number, "bottom") in places}
        whole &= {place.stack for place in places if place.level == "top"}
        shown = [place.stack if place.stack in whole else str(place) for place in places]
        return list(dict.fromkeys(shown))


class Replacement(NamedTuple):
    """Bonus tiles that a player lays out, and what he takes for them from the tail of the wall."""

    seat: Seat
    laid_out: tuple[Tile, ...]
    drawn: tuple[Drawn, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """A deal, until the dealer discards.

    Seats are the winds of this deal, so the dealer is E.
    """

    ruleset: str
    """The id of the ruleset."""
    seed: int | None
    """None where nothing was left to chance."""
    index: int
    """The number of the deal in its run, 0 first."""
    throws: tuple[Throw, ...]
    opener: Seat
    """Whose wall is broken."""
    skip: int
    """How many stacks are skipped from his right end."""
    takes: tuple[Take, ...]
    """In the order in which they happen."""
    replacements: tuple[Replacement, ...]
    """In the order in which they happen."""
    dealt: Mapping[Seat, tuple[Tile, ...]]
    """Each player's tiles before flowers are replaced, sorted."""
    hands: Mapping[Seat, tuple[Tile, ...]]
    """Each player's tiles after that, sorted."""
    bonus: Mapping[Seat, tuple[Tile, ...]]
    """The flowers that each has laid out, sorted."""
    wall: Wall
    """What is left, and the whole as it stood."""
    indicator: Drawn | None
    """The tile turned over in the dead wall, where there is one."""

    @property
    def rng(self) -> str | None:
        """What drew the chance, by name and version; None where nothing was left to chance."""
        return None if self.seed is None else RNG

    @property
    def first(self) -> str:
        """The first stack that is taken, such as N12."""
        return self.takes[0].drawn[0].place.stack


def wall_rules(ruleset: Ruleset) -> WallRules:
    """Return how a ruleset deals.

    Raises:
        InputError: it does not say (``no-wall``).
    """
    if ruleset.wall is None:
        raise InputError("no-wall", f"ruleset {ruleset.id} does not say how its wall is built and broken")
    return ruleset.wall


def shuffled_wall(rules: WallRules, seed: int, index: int = 0) -> tuple[Tile, ...]:
    """Return the tiles of a shuffled wall at their places, clockwise from E1.top.

    Raises:
        InputError: there is no such seed (``bad-seed``).
    """
    return tuple(Chance(seed, index, Stream.WALL).shuffled(every_tile(rules.tiles)))


def deal(
    ruleset: Ruleset,
    *,
    seed: int | None = None,
    index: int = 0,
    dice: Sequence[Sequence[int]] | None = None,
    wall: Sequence[Tile] | None = None,
) -> Deal:
    """Return a deal; what is not given is drawn by ``seed`` and ``index``.

    >>> from mjcli.ruleset import load_ruleset
    >>> found = deal(load_ruleset("jipinghu"), seed=1, dice=[(1, 2, 5), (2, 4, 5)])
    >>> found.opener, found.skip, found.first, str(found.wall.next)
    (<Seat.N: 'N'>, 11, 'N12', 'S4.bottom')

    Args:
        ruleset: whose wall it is.
        seed: of the chance.
        index: the number of the deal in its run.
        dice: the faces of each throw.
        wall: its tiles, clockwise from E1.top.

    Raises:
        InputError: the ruleset has no wall (``no-wall``), dice or wall are not as it says (``bad-dice``, ``bad-wall``),
            or something must be drawn and there is no seed (``bad-seed``).
    """
    rules = wall_rules(ruleset)
    if dice is not None:
        check_dice(dice, rules.throws)
    if wall is not None:
        check_wall(wall, every_tile(rules.tiles))
    if dice is None or wall is None:
        if seed is None:
            raise InputError("bad-seed", "without a seed both wall and dice must be given")
        if dice is None:
            chance = Chance(seed, index, Stream.DICE)
            dice = [chance.dice(count) for count in rules.throws]
        if wall is None:
            wall = shuffled_wall(rules, seed, index)
    else:
        seed = None
    return deal_wall(ruleset.id, rules, tuple(wall), dice, seed=seed, index=index)


def deal_wall(
    name: str,
    rules: WallRules,
    tiles: tuple[Tile, ...],
    dice: Sequence[Sequence[int]],
    *,
    seed: int | None = None,
    index: int = 0,
) -> Deal:
    """Return the deal of a wall and dice that are known to be right.

    Args:
        name: of the ruleset.
        rules: how it deals.
        tiles: of the wall, clockwise from E1.top.
        dice: the faces of each throw.
        seed: what drew them; None if nothing did.
        index: the number of the deal in its run.

    Raises:
        InputError: the wall has too few tiles to replace all flowers (``wall-end``).
    """
    sides = sides_of(rules.stacks)
    throws = _throws(rules, sides, dice)
    numbers = {"first": throws[0].total, "second": throws[-1].total, "least": min(map(min, dice))}
    opener = sides.count(sum(numbers[word] for word in rules.opener)) if rules.opener else Seat.E
    skip = sum(numbers[word] for word in rules.skip) - rules.inclusive
    wall = Wall(sides=sides, tiles=tiles, first=sides.stack_after(opener, skip), dead=rules.dead_wall)
    indicator = wall.from_break(rules.indicator) if rules.indicator else None
    takes, wall = take_hands(wall, jump=rules.jump)
    held: dict[Seat, list[Tile]] = {seat: [] for seat in sides.seats}
    for take in takes:
        held[take.seat] += [each.tile for each in take.drawn]
    dealt = {seat: tuple(sorted(tiles, key=_order)) for seat, tiles in held.items()}
    replacements, wall = _replace_flowers(wall, held, rules.flower_order)
    laid_out: dict[Seat, list[Tile]] = {seat: [] for seat in sides.seats}
    for each in replacements:
        laid_out[each.seat] += each.laid_out
    return Deal(
        ruleset=name,
        seed=seed,
        index=index,
        throws=throws,
        opener=opener,
        skip=skip,
        takes=takes,
        replacements=replacements,
        dealt=dealt,
        hands={seat: tuple(sorted(tiles, key=_order)) for seat, tiles in held.items()},
        bonus={seat: tuple(sorted(tiles, key=_order)) for seat, tiles in laid_out.items()},
        wall=wall,
        indicator=indicator,
    )


def _throws(rules: WallRules, sides: Sides, dice: Sequence[Sequence[int]]) -> tuple[Throw, ...]:
    """Return who throws what: first the dealer, then the player to whom that counts."""
    first = Throw(Seat.E, tuple(dice[0]))
    if len(rules.throws) == 1:
        return (first,)
    return first, Throw(sides.count(first.total), tuple(dice[1]))


def take_hands(wall: Wall, *, jump: bool) -> tuple[tuple[Take, ...], Wall]:
    """Return who takes what while 13 tiles, and one more for the dealer, are dealt; and the wall without them.

    With the jump the dealer takes the tops of the first and the third stack (of four players) before the others take
    one tile each: as if all had taken one tile in turn, and he another. Without it he takes the first stack.
    """
    seats = wall.sides.seats
    takes = []
    for seat in seats * GO_ROUNDS:
        drawn, wall = wall.draw(4)
        takes.append(Take(seat, tuple(drawn)))
    drawn, wall = wall.draw(len(seats) + 1)
    (mine, second), others = ((drawn[0], drawn[-1]), drawn[1:-1]) if jump else (drawn[:2], drawn[2:])
    takes.append(Take(Seat.E, (mine, second)))
    takes += [Take(seat, (each,)) for seat, each in zip(seats[1:], others, strict=True)]
    return tuple(takes), wall


def _replace_flowers(wall: Wall, held: Mapping[Seat, list[Tile]], order: str) -> tuple[tuple[Replacement, ...], Wall]:
    """Return how bonus tiles are replaced, and the wall without what was taken; ``held`` is changed."""
    found = []
    turns = list(held)
    while turns:
        seat = turns.pop(0)
        shown = tuple(each for each in held[seat] if each.is_bonus)
        if not shown:
            continue
        drawn, wall = wall.replacements(len(shown))
        found.append(Replacement(seat, shown, tuple(drawn)))
        held[seat][:] = [each for each in held[seat] if not each.is_bonus] + [each.tile for each in drawn]
        if order == "player":
            turns.insert(0, seat)
        else:
            turns.append(seat)
    return tuple(found), wall


def parse_dice(text: str) -> tuple[tuple[int, ...], ...]:
    """Return the faces that ``text`` writes, the throws apart by a comma.

    >>> parse_dice("233,452")
    ((2, 3, 3), (4, 5, 2))

    Raises:
        NotationError: something else is written (``bad-dice``).
    """
    for column, char in enumerate(text, 1):
        if char not in ",123456":
            message = f"'{char}' is no face of a die (1-{FACES}), nor a comma between throws"
            raise NotationError("bad-dice", message, line=text, column=column, token=char)
    return tuple(tuple(map(int, part)) for part in text.split(","))


def check_dice(dice: Sequence[Sequence[int]], throws: Sequence[int]) -> None:
    """Refuse dice that are not those of the throws.

    Raises:
        InputError: their number is another, or one has no such face (``bad-dice``).
    """
    if [len(faces) for faces in dice] != list(throws):
        given = " and ".join(str(len(faces)) for faces in dice)
        needed = " and ".join(map(str, throws))
        example = ",".join("123456"[:count] for count in throws)
        raise InputError("bad-dice", f"{given} dice are given, but {needed} are thrown, such as {example}")
    for faces in dice:
        for face in faces:
            if not 1 <= face <= FACES:
                raise InputError("bad-dice", f"{face} is no face of a die (1-{FACES})")
