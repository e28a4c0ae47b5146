"""Runs of many deals or whole games: what is played, by whom, and each deal of it with its end."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from mjcli.dealing import deal, wall_rules
from mjcli.errors import InputError
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
        rotation = self.ruleset.rotation
        wind = Seat.E if rotation is None or rotation.rounds else None
        for start in starts(wall_rules(self.ruleset), self.plan.seed, first, count):
            seated = self._seated(start.number)
            yield Played(start.number, seated, self._play(start, seated, wind, log, {}))

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
        keys = deal_keys(
            self.ruleset,
            deal(self.ruleset, seed=start.seed, index=start.number),
            options=self.plan.options,
            round_wind=wind,
            players=[name for name, _ in players],
            standing=standing,
            beside=beside,
        )
        log.append(_line(keys))

        def tell(event: Event) -> None:
            log.append(_line(event_keys(event)))

        return play_deal(self.judge, start, players, round_wind=wind, standing=standing, tell=tell)


def _line(keys: Mapping[str, Any]) -> str:
    return json.dumps(keys, ensure_ascii=False)
