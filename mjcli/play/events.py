"""What happens in a deal after the hands are dealt, and each event as the object of one line of a log.

Players are the numbers of their seats, tiles are kinds; ``red`` says of a five whether it is a red one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from mjcli.melds import Meld, Seat
from mjcli.notation import format_line, format_meld
from mjcli.play.choices import face
from mjcli.scoring import Score

__all__ = [
    "Abort",
    "Claim",
    "Deposit",
    "Discard",
    "Draw",
    "End",
    "Event",
    "Flower",
    "Indicator",
    "Kong",
    "Payment",
    "Ready",
    "Replacement",
    "Win",
    "event_keys",
]

SEATS: Final = tuple(Seat)


class Draw(NamedTuple):
    """A player takes the next tile of the wall."""

    seat: int
    kind: int
    red: bool = False


class Flower(NamedTuple):
    """A player lays out a bonus tile that he has drawn."""

    seat: int
    kind: int


class Replacement(NamedTuple):
    """A player takes a tile from the tail of the wall, for a bonus tile or a kong."""

    seat: int
    kind: int
    red: bool = False


class Discard(NamedTuple):
    """A player discards."""

    seat: int
    kind: int
    red: bool = False


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


class Indicator(NamedTuple):
    """A tile in the dead wall is turned over, which says that the next of its suit is worth more."""

    kind: int
    red: bool = False


class Ready(NamedTuple):
    """A player declares that he is ready 立直, before the discard that leaves him so."""

    seat: int


class Deposit(NamedTuple):
    """A player lays points on the table, or takes those that lie there."""

    seat: int
    amount: int
    """What he receives; negative where he lays them."""


class Abort(NamedTuple):
    """The deal ends without a win before the wall does 途中流局."""

    reason: str
    """One of ``mjcli.ruleset.model.ABORTS``."""
    seats: tuple[int, ...]
    """Who says so, where somebody must: who has nine kinds of terminals and honours, or who would win."""


class Win(NamedTuple):
    """A player wins."""

    seat: int
    score: Score
    feeder: int | None
    """Who discarded the tile, or whose kong was robbed; None of a self-draw."""


class Payment(NamedTuple):
    """What everybody receives for one win, or in a drawn deal; payments made are negative."""

    amounts: tuple[int, ...]
    liable: str
    """The rule by which one player pays alone."""
    reason: str = ""
    """Of a drawn deal: ``ready_hands`` or ``river``, for which it is paid."""


class End(NamedTuple):
    """The deal is over."""

    winners: tuple[int, ...]
    left: int
    """How many tiles can still be drawn."""
    ready: tuple[int, ...] | None = None
    """Who was ready at the end of the wall; None where that does not matter."""


Event: TypeAlias = (
    Draw | Flower | Replacement | Discard | Claim | Kong | Indicator | Ready | Deposit | Abort | Win | Payment | End
)


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
        case Payment(amounts, liable, reason):
            paid = {seat.value: amount for seat, amount in zip(SEATS, amounts, strict=False)}
            why = {key: said for key, said in (("liable", liable), ("reason", reason)) if said}
            return {"event": name, "payments": paid, **why}
        case End(winners, left, ready):
            found: dict[str, Any] = {"event": name, "winners": _winds(winners), "left": left}
            return found if ready is None else {**found, "ready": _winds(ready)}
        case Indicator(kind, red):
            return {"event": name, "tile": str(face(kind, red))}
        case Ready(seat):
            return {"event": name, "seat": SEATS[seat].value}
        case Deposit(seat, amount):
            return {"event": name, "seat": SEATS[seat].value, "amount": amount}
        case Abort(reason, seats):
            return {"event": name, "reason": reason, **({"seats": _winds(seats)} if seats else {})}
        case Flower(seat, kind):
            return {"event": name, "seat": SEATS[seat].value, "tile": str(face(kind, False))}
        case _:
            return {"event": name, "seat": SEATS[event.seat].value, "tile": str(face(event.kind, event.red))}


def _winds(seats: Sequence[int]) -> list[str]:
    return [SEATS[seat].value for seat in seats]
