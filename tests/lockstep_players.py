"""Players who come to what is rare, each one by one and in arrays, for tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from mjcli.lockstep.choices import Claims, Options, Turns, first_of_each
from mjcli.lockstep.hall import PUNG, Hall, Index, holds
from mjcli.lockstep.outlooks import Outlooks
from mjcli.play import PASS, WIN, Act, Choice, View
from mjcli.players.simple import inwards
from mjcli.ruleset import Ruleset
from mjcli.tiles import JOKER_KIND, PLAIN_KINDS

KONGS: Final = (Act.ADDED_KONG, Act.CONCEALED_KONG)
_INWARDS: Final = np.array([inwards(kind) for kind in range(JOKER_KIND + 1)])


class Laying:
    """Makes every kong, claims every pung and kong, never declares ready; discards the innermost tiles first."""

    def __init__(self, ruleset: Ruleset) -> None:
        del ruleset

    def choose(self, view: View, choices: Sequence[Choice]) -> Choice:
        if choices[0] == WIN:
            return WIN
        if not view.is_my_turn:
            return next((choice for choice in choices if choice.act in (Act.PUNG, Act.KONG)), PASS)
        kong = next((choice for choice in choices if choice.act in KONGS), None)
        discards = [choice for choice in choices if choice.act is Act.DISCARD]
        return kong or min(discards, key=lambda choice: (-inwards(choice.kind), choice.kind))


class Layings:
    """``Laying`` for many hands."""

    at_once = 256
    keeps_concealed = False

    def __init__(self, ruleset: Ruleset) -> None:
        self._outlooks = Outlooks(ruleset.forms, ruleset.tiles)

    def turns(self, hall: Hall, places: Index, options: Options) -> Turns:
        turns = _discards(self._outlooks, hall, places, options, -_INWARDS)
        some = first_of_each(options.kongs.place, np.ones(len(options.kongs.place), np.bool_))
        turns.put_kongs(np.searchsorted(places, options.kongs.place[some]), options.kongs.take(some))
        return turns

    def claims(self, hall: Hall, claims: Claims) -> Index:
        del hall
        return first_of_each(claims.place, claims.code >= PUNG)


class Ends:
    """Claims nothing, never declares ready, and discards the outermost tiles first."""

    def __init__(self, ruleset: Ruleset) -> None:
        del ruleset

    def choose(self, view: View, choices: Sequence[Choice]) -> Choice:
        if choices[0] == WIN:
            return WIN
        discards = [choice for choice in choices if choice.act is Act.DISCARD]
        return min(discards, key=lambda choice: (inwards(choice.kind), choice.kind)) if view.is_my_turn else PASS


class AllEnds:
    """``Ends`` for many hands."""

    at_once = 256
    keeps_concealed = True

    def __init__(self, ruleset: Ruleset) -> None:
        self._outlooks = Outlooks(ruleset.forms, ruleset.tiles)

    def turns(self, hall: Hall, places: Index, options: Options) -> Turns:
        return _discards(self._outlooks, hall, places, options, _INWARDS)

    def claims(self, hall: Hall, claims: Claims) -> Index:
        del hall, claims
        return np.empty(0, np.intp)


def _discards(outlooks: Outlooks, hall: Hall, places: Index, options: Options, rank: Index) -> Turns:
    """Return discards of those tiles that come first by rank, of equal ones the lowest."""
    held = np.column_stack((hall.counts[places], hall.jokers[places])) > 0
    may = held & ~holds(options.barred[:, None], np.arange(JOKER_KIND + 1))
    kind: Index = np.where(may, rank, PLAIN_KINDS).argmin(axis=1)
    turns = Turns.discarding(kind, *outlooks.settled(*hall.concealed_without(places, kind)))
    turns.red[:] = hall.are_red(places, kind)
    return turns
