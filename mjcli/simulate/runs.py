"""Runs of many deals or whole games: what is played, by whom, and each deal of it with its end."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjcli.dealing import deal, wall_rules
from mjcli.errors import InputError
from mjcli.lockstep import Ends, Lockstep, Notes, Standings, can_play
from mjcli.melds import Seat
from mjcli.play import Judge, Outcome, Start, start_of
from mjcli.play.events import Event, event_keys
from mjcli.play.log import deal_keys
from mjcli.play.table import NO_STANDING
from mjcli.players import play_deal, player
from mjcli.ruleset import load_ruleset
from mjcli.simulate.games import Game, NextDeal, Result
from mjcli.simulate.starts import starts

__all__ = ["Plan", "Played", "Run"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is played: everything that the result depends on but for how many deals or games."""

    rules: str
    """The ruleset, by id or path."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Its options that are set, as text."""
    players: tuple[str, ...] = ("fast",) * 4
    """The names of the players. In deal or game ``n`` the first of them sits ``n`` seats after E, the others follow."""
    seed: int = 0
    games: bool = False
    """Whether whole games are played; else single deals, all in the E round."""


class Played(NamedTuple):
    """A deal that has been played."""

    unit: int
    """The number of the deal, or of the game that it is of."""
    seated: tuple[int, ...]
    """The place among the players of who sat at each seat, E first."""
    outcome: Outcome


class Run:
    """Plays deals or games of a plan; one object in each process."""

    def __init__(self, plan: Plan) -> None:
        """
        Args:
            plan: what is played.

        Raises:
            InputError: there is no such ruleset, option or player; or the ruleset cannot be played.
        """
        self.plan = plan
        self.ruleset = load_ruleset(plan.rules, plan.options)
        self.judge = Judge(self.ruleset)
        if len(plan.players) != wall_rules(self.ruleset).players:
            count = wall_rules(self.ruleset).players
            raise InputError("bad-players", f"{len(plan.players)} players, where ruleset {self.ruleset.id} has {count}")
        self._counts = self.judge.rules.counters is not None
        known = {name: player(name, self.ruleset) for name in dict.fromkeys(plan.players)}
        self._players = [(name, known[name]) for name in plan.players]

    @cached_property
    def lockstep(self) -> Lockstep | None:
        """Plays deals in arrays; None where one by one they are played alone."""
        if not can_play(self.ruleset, self.plan.players):
            return None
        try:
            return Lockstep(self.ruleset, list(dict.fromkeys(self.plan.players)))
        except OverflowError:  # numbers of the ruleset are too great for arrays
            return None

    def game(self, number: int) -> Game:
        """Return a game before its first deal.

        Raises:
            InputError: the ruleset does not say who deals next (``no-rotation``).
        """
        return Game(self.ruleset, number, self._seated(number), counted=self._counts)

    def single_deal(self, number: int) -> NextDeal:
        """Return a deal of no game."""
        return NextDeal(number, self._seated(number), self._round_wind, NO_STANDING, {})

    def ends(
        self, lockstep: Lockstep, dealt: Sequence[NextDeal], notes: Notes | None = None
    ) -> tuple[Ends, NDArray[np.intp]]:
        """Return how deals end, played in arrays, and intp[deals, seats]: who sat where, as ``Played`` says.

        Args:
            lockstep: that of this run.
            dealt: the deals.
            notes: takes down what happens, if that is wanted.
        """
        names = list(dict.fromkeys(self.plan.players))
        player = np.array([names.index(name) for name in self.plan.players])
        seated = np.array([each.seated for each in dealt])
        standings = [each.standing for each in dealt]
        ends = lockstep.play(
            self.plan.seed,
            np.array([each.number for each in dealt]),
            player[seated],
            round_winds=[each.round_wind for each in dealt],
            standings=Standings(
                counters=np.array([each.counters for each in standings]),
                deposits=np.array([each.deposits for each in standings]),
                points=None if standings[0].points is None else np.array([each.points for each in standings], np.int64),
            ),
            notes=notes,
        )
        return ends, seated

    def lines(self, dealt: NextDeal, events: Sequence[Event]) -> list[str]:
        """Return the log of a deal that was played in arrays.

        Args:
            dealt: the deal.
            events: of it.
        """
        return [self._head(dealt), *(_line(event_keys(event)) for event in events)]

    @property
    def _round_wind(self) -> Seat | None:
        """The round wind of single deals."""
        rotation = self.ruleset.rotation
        return Seat.E if rotation is None or rotation.rounds else None

    def played(self, first: int, count: int, log: list[str] | None = None) -> Iterator[Played]:
        """Yield the deals of some units, in order.

        Args:
            first: the number of the first deal or game.
            count: how many deals or games.
            log: takes the lines of a log, if there is to be one.

        Raises:
            StrategyError: a player fails or breaks a rule.
        """
        if self.plan.games:
            for number in range(first, first + count):
                yield from self.rest(self.game(number), number, log)
            return
        for start in starts(wall_rules(self.ruleset), self.plan.seed, first, count):
            dealt = self.single_deal(start.number)
            yield Played(start.number, dealt.seated, self._play(start, dealt, log))

    def rest(self, game: Game, number: int, log: list[str] | None = None) -> Iterator[Played]:
        """Yield what is left of a game.

        Args:
            game: as far as it has come.
            number: of the game.
            log: takes the lines of a log, if there is to be one.

        Raises:
            StrategyError: a player fails or breaks a rule.
        """
        while not game.is_over:
            dealt = game.next_deal()
            outcome = self.play(dealt, log)
            yield Played(number, dealt.seated, outcome)
            game.end_deal(Result.of(outcome))

    def play(self, dealt: NextDeal, log: list[str] | None = None) -> Outcome:
        """Return how a deal ends.

        Args:
            dealt: the deal.
            log: takes the lines of a log, if there is to be one.

        Raises:
            StrategyError: a player fails or breaks a rule.
        """
        return self._play(start_of(deal(self.ruleset, seed=self.plan.seed, index=dealt.number)), dealt, log)

    def _seated(self, unit: int) -> tuple[int, ...]:
        players = len(self._players)
        return tuple((seat - unit) % players for seat in range(players))

    def _play(self, start: Start, dealt: NextDeal, log: list[str] | None) -> Outcome:
        players = [self._players[place] for place in dealt.seated]
        tell = None
        if log is not None:
            log.append(self._head(dealt))

            def tell(event: Event) -> None:
                log.append(_line(event_keys(event)))

        return play_deal(self.judge, start, players, round_wind=dealt.round_wind, standing=dealt.standing, tell=tell)

    def _head(self, dealt: NextDeal) -> str:
        """Return the first line of the log of a deal."""
        keys = deal_keys(
            self.ruleset,
            deal(self.ruleset, seed=self.plan.seed, index=dealt.number),
            options=self.plan.options,
            round_wind=dealt.round_wind,
            players=[self.plan.players[place] for place in dealt.seated],
            standing=dealt.standing,
            beside=dealt.beside,
        )
        return _line(keys)


def _line(keys: Mapping[str, Any]) -> str:
    return json.dumps(keys, ensure_ascii=False)
