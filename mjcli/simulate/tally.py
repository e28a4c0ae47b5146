"""What a run adds up to: whole numbers, so that the order in which parts are added does not matter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from itertools import groupby
from typing import Any, TypeAlias

from mjcli.melds import Seat
from mjcli.ruleset import Ruleset
from mjcli.simulate.intervals import mean, rate
from mjcli.simulate.runs import Plan, Played

__all__ = ["Key", "Tally", "measures", "results"]

Key: TypeAlias = tuple[str | int, ...]
"""The name of a number: words, with the number of a seat or of a player where it is about one."""

SEATS = tuple(Seat)


class Tally(Counter[Key]):
    """Sums over deals, by name.

    Of what is averaged there is the sum of squares too, under the same name with ``squares`` at its end.
    """

    def add(self, played: Iterable[Played]) -> None:
        """Add some deals or games, all deals of a game at once."""
        for _, deals in groupby(played, lambda each: each.unit):
            received = Counter[int]()
            count = 0
            for each in deals:
                count += 1
                self.add_deal(each)
                for place, amount in zip(each.seated, each.outcome.payments, strict=True):
                    received[place] += amount
            self["units",] += 1
            self._note(("deals of unit",), count)
            for place, amount in received.items():
                self._note(("player", place, "points of unit"), amount)

    def _note(self, key: Key, value: int) -> None:
        """Add a value that is averaged."""
        self[key] += value
        self[*key, "squares"] += value * value

    def add_deal(self, played: Played) -> None:
        """Add a deal, but not that it is one of a unit."""
        outcome = played.outcome
        self["deals",] += 1
        self["winners", len(outcome.wins)] += 1
        for seat, amount in enumerate(outcome.payments):
            for who in (("seat", seat), ("player", played.seated[seat])):
                self[*who, "deals"] += 1
                self._note((*who, "points"), amount)
        self["declared",] += sum(outcome.declared)
        if outcome.aborted:
            self["aborted", outcome.aborted] += 1
        for ready in outcome.ready_at:
            if ready is not None:
                self["ready",] += 1
                self._note(("turns to ready",), ready)
        for won in outcome.wins:
            score = won.score
            how = "robbed kong" if score.line.context.rob_kong else "self-draw" if won.feeder is None else "discard"
            self["wins",] += 1
            self[how,] += 1
            for who in (("seat", won.seat), ("player", played.seated[won.seat])):
                self[*who, "won"] += 1
                self[*who, how] += 1
            if won.feeder is not None:
                for who in (("seat", won.feeder), ("player", played.seated[won.feeder])):
                    self[*who, "fed"] += 1
            self._note(("turns to win",), outcome.turns[won.seat])
            self._note(("fan of win",), score.fan)
            self._note(("points of win",), won.payments[won.seat])
            self["fan", score.fan] += 1
            if score.liable:
                self["liable", score.liable] += 1
            for counted in score.patterns:
                name = counted.pattern.id
                self["pattern", name] += 1
                self["pattern", name, "times"] += counted.count
                self._note(("pattern", name, "fan"), counted.fan)
                self._note(("pattern", name, "points"), won.payments[won.seat])


def measures(deals: Iterable[Played], players: int) -> dict[Key, int]:
    """Return what two runs are compared by, of one unit: a deal, or all deals of a game."""
    found: dict[Key, int] = {("deals",): 0, ("drawn",): 0, ("fan",): 0}
    for place in range(players):
        for word in ("points", "won", "fed"):
            found["player", place, word] = 0
    for played in deals:
        outcome = played.outcome
        found["deals",] += 1
        found["drawn",] += not outcome.wins
        for place, amount in zip(played.seated, outcome.payments, strict=True):
            found["player", place, "points"] += amount
        for won in outcome.wins:
            found["fan",] += won.score.fan
            found["player", played.seated[won.seat], "won"] += 1
            if won.feeder is not None:
                found["player", played.seated[won.feeder], "fed"] += 1
    return found


def results(tally: Tally, plan: Plan, ruleset: Ruleset) -> dict[str, Any]:
    """Return what a run adds up to, as an object: every rate and mean with its interval."""
    deals, wins = tally["deals",], tally["wins",]
    unit = "games" if plan.games else "deals"
    hands = deals * len(plan.players)
    found: dict[str, Any] = {
        "ruleset": ruleset.id,
        "options": dict(plan.options),
        "seed": plan.seed,
        unit: tally["units",],
        "players": list(plan.players),
    }
    overall = {
        "won": _rate(deals - tally["winners", 0], deals),
        "drawn": _rate(tally["winners", 0], deals),
        "several_winners": _rate(sum(tally["winners", count] for count in (2, 3)), deals),
        "self_draw": _rate(tally["self-draw",], wins),
        "discard": _rate(tally["discard",], wins),
        "robbed_kong": _rate(tally["robbed kong",], wins),
        "ready": _rate(tally["ready",], hands),
        "turns_to_ready": _mean(tally, ("turns to ready",), tally["ready",]),
        "turns_to_win": _mean(tally, ("turns to win",), wins),
        "fan": _mean(tally, ("fan of win",), wins),
        "points": _mean(tally, ("points of win",), wins),
        "liable": _rate(sum(count for key, count in tally.items() if key[0] == "liable"), wins),
    }
    rules = ruleset.play
    if rules is not None and rules.ready is not None:
        overall["declared"] = _rate(tally["declared",], hands)
    if rules is not None and rules.aborts:
        overall["aborted"] = _rate(sum(tally["aborted", reason] for reason in rules.aborts), deals)
    if plan.games:
        overall["deals_per_game"] = _mean(tally, ("deals of unit",), tally["units",])
    found["results"] = {
        **overall,
        "seats": {SEATS[seat].value: _side(tally, ("seat", seat)) for seat in range(len(plan.players))},
        "players": [
            {
                "name": name,
                **_side(tally, ("player", place)),
                **(
                    {"points_per_game": _mean(tally, ("player", place, "points of unit"), tally["units",])}
                    if plan.games
                    else {}
                ),
            }
            for place, name in enumerate(plan.players)
        ],
        **(
            {"aborts": {reason: _rate(tally["aborted", reason], deals) for reason in rules.aborts}}
            if rules is not None and rules.aborts
            else {}
        ),
        "liability": {str(key[1]): _rate(tally[key], wins) for key in sorted(_about(tally, "liable"))},
    }
    found["patterns"] = [
        {
            "id": info.id,
            "name": info.name("en"),
            **_rate(tally["pattern", info.id], wins),
            "times": tally["pattern", info.id, "times"],
            "fan": _mean(tally, ("pattern", info.id, "fan"), tally["pattern", info.id]),
            "points": _mean(tally, ("pattern", info.id, "points"), tally["pattern", info.id]),
        }
        for info in ruleset.patterns
        if tally["pattern", info.id]
    ]
    found["fan"] = {str(fan): _rate(tally["fan", fan], wins) for _, fan in sorted(_about(tally, "fan"))}
    return found


def _about(tally: Tally, word: str) -> Iterator[Any]:
    """Yield the names of two parts that begin with a word."""
    return (key for key in tally if len(key) == 2 and key[0] == word)


def _side(tally: Tally, who: Key) -> dict[str, Any]:
    deals = tally[*who, "deals"]
    return {
        **{
            word.replace("-", "_").replace(" ", "_"): _rate(tally[*who, word], deals)
            for word in ("won", "self-draw", "discard", "robbed kong", "fed")
        },
        "points": _mean(tally, (*who, "points"), deals),
    }


def _rate(count: int, of: int) -> dict[str, Any]:
    return asdict(rate(count, of))


def _mean(tally: Tally, key: Key, of: int) -> dict[str, Any]:
    return asdict(mean(tally[key], tally[*key, "squares"], of))
