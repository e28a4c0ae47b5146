"""Runs of many deals or whole games: what is played, by whom, and each deal of it with its end."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjcli.dealing import deal, wall_rules
from mjcli.errors import InputError
from mjcli.lockstep import Ends, Lockstep, Notes, can_play
from mjcli.melds import Seat
from mjcli.play import Judge, Outcome, Standing, Start, start_of
from mjcli.play.events import Event, event_keys
from mjcli.play.log import deal_keys
from mjcli.play.table import NO_STANDING
from mjcli.players import play_deal, player
from mjcli.rotation import new_game
from mjcli.ruleset import load_ruleset
from mjcli.simulate.starts import starts

__all__ = ["DEALS_OF_GAME", "Plan", "Played", "Run"]

DEALS_OF_GAME: Final = 1_000_000
"""Deal ``k`` of game ``g`` has the number ``g`` times this plus ``k``."""


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
        """Plays single deals in arrays; None where one by one they are played alone."""
        if self.plan.games or not can_play(self.ruleset, self.plan.players):
            return None
        try:
            return Lockstep(self.ruleset, list(dict.fromkeys(self.plan.players)))
        except OverflowError:  # numbers of the ruleset are too great for arrays
            return None

    def ends(
        self, lockstep: Lockstep, first: int, count: int, notes: Notes | None = None
    ) -> tuple[Ends, NDArray[np.intp]]:
        """Return how some single deals end, played in arrays, and intp[deals, 4]: who sat where, as ``Played`` says.

        Args:
            lockstep: that of this run.
            first: the number of the first deal.
            count: how many deals.
            notes: takes down what happens, if that is wanted.
        """
        names = list(dict.fromkeys(self.plan.players))
        player = np.array([names.index(name) for name in self.plan.players])
        seated = np.array([self._seated(number) for number in range(first, first + count)])
        numbers, winds = np.arange(first, first + count), [self._round_wind] * count
        return lockstep.play(self.plan.seed, numbers, player[seated], round_winds=winds, notes=notes), seated

    def lines(self, number: int, seated: Sequence[int], events: Sequence[Event]) -> list[str]:
        """Return the log of a single deal that was played in arrays.

        Args:
            number: of the deal.
            seated: the place among the players of who sits at each seat.
            events: of the deal.
        """
        head = self._head(number, seated, self._round_wind, NO_STANDING, {})
        return [head, *(_line(event_keys(event)) for event in events)]

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
            for game in range(first, first + count):
                yield from self._game(game, log)
            return
        for start in starts(wall_rules(self.ruleset), self.plan.seed, first, count):
            seated = self._seated(start.number)
            yield Played(start.number, seated, self._play(start, seated, self._round_wind, log, {}))

    def _game(self, game: int, log: list[str] | None) -> Iterator[Played]:
        rotation = new_game(self.ruleset)
        rules = rotation.rules
        players = self._seated(game)
        deposits, points = 0, [rules.points] * len(players)
        while not rotation.is_over and not (rules.ends_below_zero and min(points) < 0):
            number = DEALS_OF_GAME * game + rotation.deals
            start = start_of(deal(self.ruleset, seed=self.plan.seed, index=number))
            beside = {"game": game, "origin": rotation.wind(0).value, "repeats": rotation.repeats}
            by_seat = [rotation.player(wind) for wind in tuple(Seat)[: len(players)]]
            standing = Standing(
                counters=rotation.counters if self._counts else 0,
                deposits=deposits,
                points=tuple(points[place] for place in by_seat) if rules.points else None,
            )
            seated = tuple(players[place] for place in by_seat)
            outcome = self._play(start, seated, rotation.round, log, beside, standing)
            yield Played(game, seated, outcome)
            deposits = outcome.deposits
            for place, amount in zip(by_seat, outcome.payments, strict=True):
                points[place] += amount
            if outcome.wins:
                rotation = rotation.after_win([by_seat[won.seat] for won in outcome.wins])
            else:
                ready = [by_seat[seat] for seat in outcome.ready]
                rotation = rotation.after_draw(by_seat[outcome.last_drawer], ready)

    def _seated(self, unit: int) -> tuple[int, ...]:
        players = len(self._players)
        return tuple((seat - unit) % players for seat in range(players))

    def _play(
        self,
        start: Start,
        seated: Sequence[int],
        wind: Seat | None,
        log: list[str] | None,
        beside: Mapping[str, Any],
        standing: Standing = NO_STANDING,
    ) -> Outcome:
        players = [self._players[place] for place in seated]
        if log is None:
            return play_deal(self.judge, start, players, round_wind=wind, standing=standing)
        log.append(self._head(start.number, seated, wind, standing, beside))

        def tell(event: Event) -> None:
            log.append(_line(event_keys(event)))

        return play_deal(self.judge, start, players, round_wind=wind, standing=standing, tell=tell)

    def _head(
        self, number: int, seated: Sequence[int], wind: Seat | None, standing: Standing, beside: Mapping[str, Any]
    ) -> str:
        """Return the first line of the log of a deal."""
        keys = deal_keys(
            self.ruleset,
            deal(self.ruleset, seed=self.plan.seed, index=number),
            options=self.plan.options,
            round_wind=wind,
            players=[self.plan.players[place] for place in seated],
            standing=standing,
            beside=beside,
        )
        return _line(keys)


def _line(keys: Mapping[str, Any]) -> str:
    return json.dumps(keys, ensure_ascii=False)
