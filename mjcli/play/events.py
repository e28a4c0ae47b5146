"""What happens in a deal after the hands are dealt, and each event as the object of one line of a log.

Players are the numbers of their seats, tiles are kinds.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

from mjcli.melds import Meld, Seat
from mjcli.notation import format_line, format_meld
from mjcli.scoring import Score
from mjcli.tiles import TILES

__all__ = [
    "Claim",
    "Discard",
    "Draw",
    "End",
    "Event",
    "Flower",
    "Kong",
    "Payment",
    "Replacement",
    "Win",
    "event_keys",
]

SEATS: Final = tuple(Seat)


class Draw(NamedTuple):
    """A player takes the next tile of the wall."""

    seat: int
    kind: int


class Flower(NamedTuple):
    """A player lays out a bonus tile that he has drawn."""

    seat: int
    kind: int


class Replacement(NamedTuple):
    """A player takes a tile from the tail of the wall, for a bonus tile or a kong."""

    seat: int
    kind: int


class Discard(NamedTuple):
    """A player discards."""

    seat: int
    kind: int


class Claim(NamedTuple):
    """A player claims the last discard for a meld."""

    seat: int
    meld: Meld


class Kong(NamedTuple):
    """A player declares a concealed kong, or adds a tile to a pung; it may still be robbed."""

    seat: int
    meld: Meld
    rob_own: bool = False
    """Whether he does so to win on the added tile himself."""


class Win(NamedTuple):
    """A player wins."""

    seat: int
    score: Score
    feeder: int | None
    """Who discarded the tile, or whose kong was robbed; None of a self-draw."""


class Payment(NamedTuple):
    """What everybody receives for one win; payments made are negative."""

    amounts: tuple[int, ...]
    liable: str
    """The rule by which one player pays alone."""


class End(NamedTuple):
    """The deal is over."""

    winners: tuple[int, ...]
    left: int
    """How many tiles can still be drawn."""


Event: TypeAlias = Draw | Flower | Replacement | Discard | Claim | Kong | Win | Payment | End


def event_keys(event: Event) -> dict[str, Any]:
    """Return an event as a line of a log says it.

    >>> event_keys(Discard(2, 33))
    {'event': 'discard', 'seat': 'W', 'tile': '7z'}
    """
    name = type(event).__name__.lower()
    match event:
        case Claim(seat, meld):
            return {"event": name, "seat": SEATS[seat].value, "meld": format_meld(meld)}
        case Kong(seat, meld, rob_own):
            own = {"rob_own": True} if rob_own else {}
            return {"event": name, "seat": SEATS[seat].value, "meld": format_meld(meld), **own}
        case Win(seat, score, _):
            return {
                "event": name,
                "seat": SEATS[seat].value,
                "hand": format_line(score.line),
                "fan": score.fan,
                "points": score.points,
                "patterns": [each.pattern.id for each in score.patterns],
            }
        case Payment(amounts, liable):
            paid = {seat.value: amount for seat, amount in zip(SEATS, amounts, strict=False)}
            return {"event": name, "payments": paid, **({"liable": liable} if liable else {})}
        case End(winners, left):
            return {"event": name, "winners": [SEATS[seat].value for seat in winners], "left": left}
        case _:
            return {"event": name, "seat": SEATS[event.seat].value, "tile": str(TILES[event.kind])}
