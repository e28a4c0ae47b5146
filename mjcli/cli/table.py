"""A deal for people: the table seen from above, and the story of the deal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from mjcli.melds import Seat

if TYPE_CHECKING:
    from mjcli.dealing import Deal
    from mjcli.seating import Step
    from mjcli.tiles import Tile

__all__ = ["Around", "Words", "cells_of", "marks_of", "middle", "picture", "steps"]

LEFT: Final = ":"
"""A tile that is still to be taken."""
KEPT_BACK: Final = "x"
INDICATOR: Final = "?"

PHRASES: Final[Mapping[str, tuple[str, str, str]]] = {
    "round": (
        "{seat} round (the round marker is before E)",
        "{seat}圈，圈風器在莊家前",
        "{seat}圈，圈风器在庄家前",
    ),
    "origin": (
        "first dealer of the game: {seat} (by the origin marker)",
        "起莊：{seat}（起莊牌在其前）",
        "起庄：{seat}（起庄牌在其前）",
    ),
    "draw": ("{name} draws {seat}", "{name}摸得{seat}", "{name}摸得{seat}"),
    "place": ("{name} takes place {place}", "{name}坐第{place}位", "{name}坐第{place}位"),
    "row": ("the tiles are opened: {tiles}", "開牌：{tiles}", "开牌：{tiles}"),
    "places": (
        "counter-clockwise from place 1 sit {names}",
        "自第1位起逆時針：{names}",
        "自第1位起逆时针：{names}",
    ),
    "wall": (
        "{tiles} tiles stand in sides of {stacks} stacks",
        "{tiles}張牌，每邊{stacks}墩",
        "{tiles}张牌，每边{stacks}墩",
    ),
    "throw": ("{seat} throws {dice} = {total}", "{seat}擲骰 {dice} = {total}", "{seat}掷骰 {dice} = {total}"),
    "throw_one": ("{seat} throws {dice}", "{seat}擲骰 {dice}", "{seat}掷骰 {dice}"),
    "break": (
        "{seat}'s wall is broken at {first} (stacks skipped: {skip})",
        "{seat}門開牌，隔{skip}墩，自{first}取",
        "{seat}门开牌，隔{skip}墩，自{first}取",
    ),
    "indicator": ("{place} is turned over: {tiles}", "翻開{place}：{tiles}", "翻开{place}：{tiles}"),
    "take": ("{seat} takes {places}: {tiles}", "{seat}取{places}：{tiles}", "{seat}取{places}：{tiles}"),
    "replace": (
        "{seat} lays out {laid_out} and takes {places}: {tiles}",
        "{seat}補花{laid_out}，取{places}：{tiles}",
        "{seat}补花{laid_out}，取{places}：{tiles}",
    ),
    "hand": ("{seat} has {tiles}", "{seat}手牌{tiles}", "{seat}手牌{tiles}"),
    "hand_bonus": ("{seat} has {tiles} and {bonus}", "{seat}手牌{tiles}，花{bonus}", "{seat}手牌{tiles}，花{bonus}"),
    "next": (
        "next draw {next}, next replacement {tail}",
        "下一張摸{next}，補牌{tail}",
        "下一张摸{next}，补牌{tail}",
    ),
    "left": ("{count} tiles to draw", "餘{count}張", "余{count}张"),
    "left_dead": ("{count} tiles to draw, {dead} kept back", "餘{count}張，留{dead}張", "余{count}张，留{dead}张"),
    "legend": (
        "E S W N: who took the tile (e s w n: for a flower)\n':' still to be taken, 'x' kept back, '?' turned over",
        "E S W N：取牌者（e s w n：補花）\n「:」未取，「x」留牌，「?」翻開",
        "E S W N：取牌者（e s w n：补花）\n“:”未取，“x”留牌，“?”翻开",
    ),
    "colors": (
        "colour: who took the tile; pale: for a flower\ngrey: kept back; pink: turned over",
        "顏色：取牌者；淡色：補花\n灰：留牌；粉紅：翻開",
        "颜色：取牌者；淡色：补花\n灰：留牌；粉红：翻开",
    ),
    "discard": ("{seat} discards first", "{seat}先打牌", "{seat}先打牌"),
}
SEATS: Final = {"E": "東", "S": "南", "W": "西", "N": "北"}


class Words(NamedTuple):
    """How the text is written."""

    language: int
    """The place of the language in English, traditional, simplified Chinese."""
    tiles: Callable[[Iterable[Tile]], str]
    """Writes tiles."""
    columns: int | None = None
    """How wide the terminal is; None where lines may have any length."""

    def say(self, phrase: str, /, **values: object) -> str:
        """Return a phrase with its values filled in."""
        return PHRASES[phrase][self.language].format(**values)

    def seat(self, seat: Seat) -> str:
        """Return the name of a seat."""
        shown = SEATS[seat.value] if self.language else seat.value
        return "东" if shown == "東" and self.language == 2 else shown


class Around(NamedTuple):
    """What is said of a deal beside the deal itself."""

    round_wind: Seat | None = None
    origin: Seat | None = None
    """The wind of the first dealer of the game 起莊."""
    players: Mapping[Seat, str] = MappingProxyType({})
    """Their names, by their winds."""
    seating: Sequence[Step] = ()
    """How they chose their seats."""
    row: Sequence[Tile] = ()
    """The tiles from which winds were drawn, where they lay open."""
    places: Sequence[str] = ()
    """Who sits where around the table, counter-clockwise."""


def _opening(deal: Deal, words: Words) -> Iterator[str]:
    """Yield the throws, and where the wall is broken."""
    for throw in deal.throws:
        dice = " + ".join(map(str, throw.dice))
        phrase = "throw" if len(throw.dice) > 1 else "throw_one"
        yield words.say(phrase, seat=words.seat(throw.seat), dice=dice, total=throw.total)
    yield words.say("break", seat=words.seat(deal.opener), skip=deal.skip, first=deal.first)


def _closing(deal: Deal, words: Words) -> Iterator[str]:
    """Yield what comes next, and what is left."""
    wall = deal.wall
    if wall.left:
        yield words.say("next", next=wall.next, tail=wall.tail)
    yield words.say("left_dead" if wall.dead else "left", count=wall.left, dead=wall.dead)


def _hands(deal: Deal, words: Words) -> Iterator[str]:
    for seat, hand in deal.hands.items():
        bonus = deal.bonus[seat]
        phrase = "hand_bonus" if bonus else "hand"
        yield words.say(phrase, seat=words.seat(seat), tiles=words.tiles(hand), bonus=words.tiles(bonus))


def _head(words: Words, around: Around) -> Iterator[str]:
    """Yield what is said of the game, and who sits where."""
    if around.round_wind is not None:
        yield words.say("round", seat=words.seat(around.round_wind))
    if around.origin is not None:
        yield words.say("origin", seat=words.seat(around.origin))
    if around.players:
        yield ", ".join(f"{words.seat(seat)} {name}" for seat, name in around.players.items())


def _seating(words: Words, around: Around) -> Iterator[str]:
    """Yield how the seats were chosen."""
    row = around.row
    for name, step in around.seating:
        if isinstance(step, int):
            yield words.say("place", name=name, place=step)
        elif isinstance(step, Seat):
            if row:
                yield words.say("row", tiles=" ".join(words.tiles([each]) for each in row))
                row = ()
            yield words.say("draw", name=name, seat=words.seat(step))
        else:
            yield words.say("throw", seat=name, dice=" + ".join(map(str, step)), total=sum(step))
    if around.places:
        yield words.say("places", names=", ".join(around.places))


def steps(deal: Deal, words: Words, around: Around) -> Iterator[str]:
    """Yield the story of a deal, one line for each step."""
    lengths = deal.wall.sides.lengths
    stacks = str(lengths[0]) if len(set(lengths)) == 1 else ", ".join(map(str, lengths))
    yield from _seating(words, around)
    yield from _head(words, around)
    yield words.say("wall", tiles=len(deal.wall.tiles), stacks=stacks)
    yield from _opening(deal, words)
    if deal.indicator is not None:
        yield words.say("indicator", place=deal.indicator.place, tiles=words.tiles([deal.indicator.tile]))
    for take in deal.takes:
        tiles = words.tiles(each.tile for each in take.drawn)
        yield words.say("take", seat=words.seat(take.seat), places=" ".join(take.names), tiles=tiles)
    for step in deal.replacements:
        yield words.say(
            "replace",
            seat=words.seat(step.seat),
            laid_out=words.tiles(step.laid_out),
            places=" ".join(str(each.place) for each in step.drawn),
            tiles=words.tiles(each.tile for each in step.drawn),
        )
    yield from _hands(deal, words)
    yield from _closing(deal, words)
    yield words.say("discard", seat=words.seat(deal.takes[0].seat))


def middle(deal: Deal, words: Words, around: Around) -> list[str]:
    """Return what stands in the middle of a table: the throws, the hands, what is left."""
    found = [*_head(words, around), *_opening(deal, words)]
    if deal.indicator is not None:
        found.append(words.say("indicator", place=deal.indicator.place, tiles=words.tiles([deal.indicator.tile])))
    return [*found, "", *_hands(deal, words), "", *_closing(deal, words)]


def picture(deal: Deal, words: Words, around: Around) -> Iterator[str]:
    """Yield the lines of the table seen from above: E below, S to the right, W above, N to the left.

    Each stack is two characters, top and bottom: the player who took the tile, in a small letter for a replacement;
    else whether it is still to be taken or kept back. An arrow stands at the first stack taken, and points on. Sides
    are lines where the terminal is too narrow.
    """
    inside = middle(deal, words, around)
    lengths = {seat.value: length for seat, length in zip(deal.wall.sides.seats, deal.wall.sides.lengths, strict=True)}
    marks = marks_of(deal)
    side = 3 * max(lengths["E"], lengths["W"])
    width = max(side, *(cells_of(line) + 3 for line in inside))
    if words.columns is not None and width + 2 * NAME + 9 > words.columns:
        yield from _listing(deal, marks)
        yield from ("", *inside, *words.say("legend").split("\n"))
        return

    def cell(seat: str, number: int, arrow: str = " ") -> tuple[str, str]:
        """Return the two characters of a stack, and what stands at it."""
        name = f"{seat}{number}"
        return marks[name], arrow if name == deal.first else " "

    def column(seat: str, row: int, rows: int) -> tuple[str, tuple[str, str]]:
        """Return the name and the cell of a stack of an upright side; S's first is the topmost, N's the lowest."""
        length = lengths.get(seat, 0)
        shift = (rows - length) // 2
        number = row - shift + 1 if seat == "S" else length - row + shift
        if not 1 <= number <= length:
            return "", ("  ", " ")
        return f"{seat}{number}", cell(seat, number, "v" if seat == "S" else "^")

    margin = " " * (NAME + 4 + (width - side) // 2)
    above = [cell("W", number, ">") for number in range(1, lengths["W"] + 1)]
    below = [cell("E", number, "<") for number in range(lengths["E"], 0, -1)]
    yield margin + _numbers("W", range(1, lengths["W"] + 1))
    yield margin + "".join(f"{arrow}{shown}" for shown, arrow in above)
    rows = max(lengths["S"], lengths.get("N", 0), len(inside) + 2)
    start = (rows - len(inside)) // 2
    for row in range(rows):
        text = f"  {inside[row - start]}" if 0 <= row - start < len(inside) else ""
        text += " " * (width - cells_of(text))
        name, (shown, arrow) = column("N", row, rows)
        right, (other, other_arrow) = column("S", row, rows)
        yield f"{name:>{NAME}} {shown}{arrow}{text} {other_arrow}{other} {right}".rstrip()
    yield f"{margin} {''.join(f'{shown}{arrow}' for shown, arrow in below)}".rstrip()
    yield margin + _numbers("E", range(lengths["E"], 0, -1))
    yield from words.say("legend").split("\n")


def _listing(deal: Deal, marks: Mapping[str, str]) -> Iterator[str]:
    """Yield a line for each side, clockwise, from its owner's right end."""
    sides = deal.wall.sides
    yield " " + "".join(f"{number:>3}" for number in range(1, max(sides.lengths) + 1))
    for seat in (sides.seats[0], *reversed(sides.seats[1:])):
        names = [f"{seat.value}{number}" for number in range(1, sides.lengths[seat.number] + 1)]
        yield seat.value + "".join(f"{'>' if name == deal.first else ' '}{marks[name]}" for name in names)


NAME: Final = 3
"""The width of the longest name of a stack."""


def _numbers(seat: str, numbers: Iterable[int]) -> str:
    return "".join(f"{seat}1".rjust(3) if number == 1 else f"{number:>3}" for number in numbers)


def marks_of(deal: Deal) -> dict[str, str]:
    """Return two characters for each stack, top and bottom tile, by its name."""
    wall = deal.wall
    marks = {str(each.place): LEFT for each in wall.rest} | {str(each.place): KEPT_BACK for each in wall.kept_back}
    for take in deal.takes:
        marks |= {str(each.place): take.seat.value for each in take.drawn}
    for step in deal.replacements:
        marks |= {str(each.place): step.seat.value.lower() for each in step.drawn}
    if deal.indicator is not None:
        marks[str(deal.indicator.place)] = INDICATOR
    return {
        place.stack: marks[f"{place.stack}.top"] + marks[f"{place.stack}.bottom"] for place in wall.sides.places[::2]
    }


def cells_of(text: str) -> int:
    """Return how many cells of a terminal ``text`` takes."""
    if text.isascii():
        return len(text)
    from wcwidth import wcswidth

    return int(wcswidth(text))
