"""Whole games as they go on: who sits where in the next deal, and where the game stands."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final, NamedTuple

from mjcli.melds import Seat
from mjcli.play import Outcome, Standing
from mjcli.rotation import new_game
from mjcli.ruleset import Ruleset

__all__ = ["DEALS_OF_GAME", "Game", "NextDeal"]

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

    def end_deal(
        self,
        payments: Sequence[int],
        winners: Collection[int],
        *,
        last_drawer: int,
        ready: Collection[int] = (),
        deposits: int = 0,
    ) -> None:
        """Go on to the next deal.

        Args:
            payments: what each seat has received.
            winners: their seats.
            last_drawer: the seat of who took the last tile from the wall.
            ready: the seats of who was ready when nobody won.
            deposits: how many are left on the table.
        """
        by_seat = self._by_seat
        self._deposits = deposits
        for place, amount in zip(by_seat, payments, strict=True):
            self._points[place] += amount
        if winners:
            self._rotation = self._rotation.after_win([by_seat[seat] for seat in winners])
        else:
            self._rotation = self._rotation.after_draw(by_seat[last_drawer], [by_seat[seat] for seat in ready])

    def end_as(self, outcome: Outcome) -> None:
        """Go on to the next deal after one that the referee has played."""
        self.end_deal(
            outcome.payments,
            [won.seat for won in outcome.wins],
            last_drawer=outcome.last_drawer,
            ready=outcome.ready,
            deposits=outcome.deposits,
        )
