"""Whole games as they go on: who sits where in the next deal, and where the game stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from mjcli.melds import Seat
from mjcli.play import Outcome, Standing
from mjcli.rotation import new_game
from mjcli.ruleset import Ruleset

__all__ = ["Game", "NextDeal", "Result"]

DEALS_OF_GAME: Final = 1_000_000
"""Deal ``k`` of game ``g`` has the number ``g`` times this plus ``k``."""

SEATS: Final = tuple(Seat)


class NextDeal(NamedTuple):
    """What a deal of a game depends on."""

    number: int
    """Of the deal in its run."""
    seated: tuple[int, ...]
    """The place among the players of who sits at each seat, E first."""
    round_wind: Seat | None
    standing: Standing
    beside: dict[str, Any]
    """What the log says of the game."""


class Result(NamedTuple):
    """What a deal changes in its game."""

    payments: Sequence[int]
    """What each seat has received."""
    winners: Sequence[int]
    """Their seats."""
    last_drawer: int
    """The seat of who took the last tile from the wall."""
    ready: Sequence[int]
    """The seats of who was ready when nobody won."""
    deposits: int
    """How many are left on the table."""

    @classmethod
    def of(cls, outcome: Outcome) -> Result:
        """Return that of a deal that the referee has played."""
        winners = [won.seat for won in outcome.wins]
        return cls(outcome.payments, winners, outcome.last_drawer, outcome.ready, outcome.deposits)


class Game:
    """One game, from deal to deal."""

    def __init__(self, ruleset: Ruleset, number: int, seated: Sequence[int], *, counted: bool) -> None:
        """
        Args:
            ruleset: by which it is played.
            number: of the game in its run.
            seated: the place among the players of who sits at each seat in the first deal.
            counted: whether counters matter to the ruleset.

        Raises:
            InputError: the ruleset does not say who deals next (``no-rotation``).
        """
        self._rotation = new_game(ruleset)
        self._number, self._players, self._counted = number, tuple(seated), counted
        self._deposits = 0
        self._points = [self._rotation.rules.points] * len(seated)

    @property
    def is_over(self) -> bool:
        """Whether there is no further deal."""
        rules = self._rotation.rules
        return self._rotation.is_over or (rules.ends_below_zero and min(self._points) < 0)

    @property
    def _by_seat(self) -> list[int]:
        """The players of the game, who are numbers, by seat."""
        return [self._rotation.player(wind) for wind in SEATS[: len(self._players)]]

    def next_deal(self) -> NextDeal:
        """Return the deal that comes next."""
        rotation, by_seat = self._rotation, self._by_seat
        return NextDeal(
            number=DEALS_OF_GAME * self._number + rotation.deals,
            seated=tuple(self._players[place] for place in by_seat),
            round_wind=rotation.round,
            standing=Standing(
                counters=rotation.counters if self._counted else 0,
                deposits=self._deposits,
                points=tuple(self._points[place] for place in by_seat) if rotation.rules.points else None,
            ),
            beside={"game": self._number, "origin": rotation.wind(0).value, "repeats": rotation.repeats},
        )

    def end_deal(self, result: Result) -> None:
        """Go on to the next deal."""
        by_seat = self._by_seat
        self._deposits = result.deposits
        for place, amount in zip(by_seat, result.payments, strict=True):
            self._points[place] += amount
        if result.winners:
            self._rotation = self._rotation.after_win([by_seat[seat] for seat in result.winners])
        else:
            ready = [by_seat[seat] for seat in result.ready]
            self._rotation = self._rotation.after_draw(by_seat[result.last_drawer], ready)
