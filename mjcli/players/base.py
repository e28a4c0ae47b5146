"""Players: what a strategy is, and deals played by them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol

from mjcli.errors import InputError
from mjcli.melds import Seat
from mjcli.play import Choice, Judge, Outcome, Standing, Start, Table, View, play
from mjcli.play.events import Event
from mjcli.play.table import NO_STANDING, SEATS

__all__ = ["FAILURES", "Player", "StrategyError", "play_deal"]

FAILURES: Final = (Exception, SystemExit)
"""What a strategy may raise that is its own fault; an interrupt is none."""


class Player(Protocol):
    """A strategy: one method, which says what is done.

    It is made with the ruleset, ``Strategy(ruleset)``, once for many deals and perhaps for several seats, so it keeps
    nothing from one deal to the next; what it must draw by chance it draws from ``view.chance``.
    """

    def choose(self, view: View, choices: Sequence[Choice]) -> Choice:
        """Return one of ``choices``.

        Args:
            view: what the player may see.
            choices: a tuple of what he may do, one at least; ``PASS`` is among them when another has discarded or made
                a kong.
        """


class StrategyError(InputError):
    """A strategy that fails, or answers what is not allowed."""

    def __init__(self, message: str) -> None:
        super().__init__("bad-strategy", message)


def play_deal(
    judge: Judge,
    start: Start,
    players: Sequence[tuple[str, Player]],
    *,
    round_wind: Seat | None = None,
    standing: Standing = NO_STANDING,
    tell: Callable[[Event], object] | None = None,
) -> Outcome:
    """Return how a deal ends that these players play.

    >>> from mjcli.dealing import deal
    >>> from mjcli.play import start_of
    >>> from mjcli.players import player
    >>> from mjcli.ruleset import load_ruleset
    >>> ruleset = load_ruleset("jipinghu")
    >>> four = [("fast", player("fast", ruleset))] * 4
    >>> outcome = play_deal(Judge(ruleset), start_of(deal(ruleset, seed=1)), four)
    >>> sum(outcome.payments)
    0

    Args:
        judge: of the ruleset.
        start: how the deal begins.
        players: name and strategy of each seat, E first.
        round_wind: None in games without rounds.
        standing: where the game stands.
        tell: is called with each event.

    Raises:
        StrategyError: a strategy fails or breaks a rule; it is named, with the event and the deal.
    """
    table = Table(judge.ruleset, start, round_wind, standing)
    views = [View(table, seat) for seat in range(table.players)]
    told = 0

    def ask(seat: int, choices: Sequence[Choice]) -> Choice:
        name, player = players[seat]
        choices = tuple(choices)
        try:
            choice = player.choose(views[seat], choices)
        except FAILURES as error:
            raise StrategyError(f"{place(name, seat)}: {type(error).__name__}: {error}") from error
        if not isinstance(choice, Choice) or choice not in choices:
            allowed = ", ".join(map(str, choices))
            raise StrategyError(f"{place(name, seat)}: '{_shown(choice)}' is not allowed, but {allowed}")
        return choices[choices.index(choice)]  # its kinds are whole numbers, as those of an equal one need not be

    def place(name: str, seat: int) -> str:
        return f"strategy '{name}' as {SEATS[seat]}, after event {told} of deal {start.number} of seed {start.seed}"

    def count(event: Event) -> None:
        nonlocal told
        told += 1
        if tell is not None:
            tell(event)

    return play(judge, table, ask, count)


def _shown(answer: object) -> str:
    """Return the answer of a strategy in words: a choice as all choices are shown, if it is one that there can be."""
    for show in (str, repr) if isinstance(answer, Choice) else (repr,):
        try:
            return show(answer)
        except FAILURES:
            continue
    return f"a {type(answer).__name__}"
