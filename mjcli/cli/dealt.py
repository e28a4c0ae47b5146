"""A deal as an object, as text, and as the rows of a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from mjcli.cli.output import Answer
from mjcli.cli.table import Around, Words, picture, steps
from mjcli.dealing import Deal
from mjcli.melds import Seat
from mjcli.notation import format_tiles, parse_tiles
from mjcli.seating import Seating, turned

__all__ = ["COLUMNS", "HEADS", "answer_to", "around", "ordered", "rows_of", "seating_keys", "text_of"]

COLUMNS: Final = (
    "ruleset",
    "seed",
    "index",
    "dealer",
    "dice",
    "opener",
    "skip",
    "taken",
    "dealt",
    "hands",
    "bonus",
    "next",
    "wall",
    "rng",
    "options",
    "round",
    "origin",
    "repeats",
    "players",
    "places",
    "seating",
    "row",
    "replaced",
    "tail",
    "dead_wall",
    "indicator",
    "commitment",
    "nonce",
    "stacked",
)
"""The keys of an answer, in the order of the contract."""

HEADS: Final = (
    ("deal", "seat", "taken", "dealt", "hand", "bonus"),
    ("局", "位", "取牌", "起手", "手牌", "花"),
    ("局", "位", "取牌", "起手", "手牌", "花"),
)


def ordered(answer: Answer) -> Answer:
    """Return an object with its keys in the order of ``COLUMNS``."""
    return {key: answer[key] for key in COLUMNS if key in answer}


def answer_to(found: Deal) -> Answer:
    """Return a deal as an object."""
    seats = found.wall.sides.seats
    taken: dict[str, list[str]] = {seat.value: [] for seat in seats}
    replaced: dict[str, list[str]] = {seat.value: [] for seat in seats}
    for take in found.takes:
        taken[take.seat.value] += take.names
    for step in found.replacements:
        replaced[step.seat.value] += [str(each.place) for each in step.drawn]
    wall = found.wall
    answer = {
        "ruleset": found.ruleset,
        "seed": found.seed,
        "index": found.index,
        "dealer": seats[0].value,
        "dice": [list(throw.dice) for throw in found.throws],
        "opener": found.opener.value,
        "skip": found.skip,
        "taken": taken,
        "dealt": {seat.value: format_tiles(tiles) for seat, tiles in found.dealt.items()},
        "hands": {seat.value: format_tiles(tiles) for seat, tiles in found.hands.items()},
        "bonus": {seat.value: format_tiles(tiles) for seat, tiles in found.bonus.items()},
        "replaced": replaced,
        "next": wall.next and str(wall.next),
        "tail": wall.tail and str(wall.tail),
        "wall": [str(each.tile) for each in wall.rest],
        "rng": found.rng,
    }
    if wall.dead:
        answer["dead_wall"] = [str(each.tile) for each in wall.kept_back]
    if found.indicator is not None:
        answer["indicator"] = str(found.indicator.tile)
    return answer


def text_of(found: Deal, answer: Answer, words: Words, *, story: bool) -> Iterator[str]:
    """Yield the lines of a deal as a picture or as a story.

    Args:
        found: the deal.
        answer: the same as an object, with what belongs to its game and to its commitment.
        words: how text is written.
        story: whether it is a story.
    """
    if "commitment" in answer:  # before the seed, which would tell the wall
        yield f"commitment: {answer['commitment']}"
    said = [found.ruleset, *(f"{name}={value}" for name, value in answer.get("options", {}).items())]
    yield " ".join(said) + ("" if found.seed is None else f", seed {found.seed}, deal {found.index}")
    yield from (steps if story else picture)(found, words, around(answer))
    for key in ("nonce", "stacked"):
        if key in answer:
            yield f"{key}: {answer[key]}"


def rows_of(found: Deal, answer: Answer, words: Words) -> Iterator[Sequence[object]]:
    """Yield the rows of a deal in a table, one for each seat."""
    for seat in found.hands:
        held = (words.tiles(tiles[seat]) for tiles in (found.dealt, found.hands, found.bonus))
        yield found.index, words.seat(seat), " ".join(answer["taken"][seat.value]), *held


def seating_keys(found: Seating, dealer: int) -> Answer:
    """Return what an object says of how seats were chosen, and who has which wind where a player of them deals."""
    keys: Answer = {
        "players": {seat.value: name for seat, name in zip(Seat, turned(found.seats, dealer), strict=False)},
        "places": list(found.places),
        "seating": [[name, step.value if isinstance(step, Seat) else step] for name, step in found.steps],
    }
    return keys | ({"row": format_tiles(found.row)} if found.row else {})


def around(keys: Answer) -> Around:
    """Return what an object says of its game and its players."""
    return Around(
        Seat(keys["round"]) if "round" in keys else None,
        Seat(keys["origin"]) if "origin" in keys else None,
        {Seat(seat): name for seat, name in keys.get("players", {}).items()},
        [(name, Seat(step) if isinstance(step, str) else step) for name, step in keys.get("seating", ())],
        parse_tiles(keys["row"]) if "row" in keys else (),
        keys.get("places", ()),
    )
