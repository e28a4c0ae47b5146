"""The array forms of programmed players: deal for deal they do what those of ``mjcli.players`` do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from mjcli.lockstep.choices import Claims, Options, Turns
from mjcli.lockstep.fast import Fast
from mjcli.lockstep.hall import Hall, Index, holds
from mjcli.lockstep.outlooks import Outlooks
from mjcli.lockstep.values import Careful, Value
from mjcli.ruleset import Ruleset
from mjcli.tiles import PLAIN_KINDS

__all__ = ["ARRAY_PLAYERS", "ArrayPlayer"]


class ArrayPlayer(Protocol):
    """A strategy for many hands at once, which wins whenever it may."""

    at_once: int
    """How many deals it plays best at once: enough that calling NumPy costs little, and few enough for the cache."""

    keeps_concealed: bool
    """Whether it never claims."""

    def turns(self, hall: Hall, places: Index, options: Options) -> Turns:
        """Return what players do in their turn.

        Args:
            hall: in which they sit.
            places: of the players, in ascending order.
            options: what they may do.
        """

    def claims(self, hall: Hall, claims: Claims) -> Index:
        """Return the numbers of those of ``claims`` that are made, of each player one at most."""


class Random:
    """``mjcli.players.simple.Random`` for many hands."""

    at_once = 12_288
    keeps_concealed = False

    def __init__(self, ruleset: Ruleset) -> None:
        """
        Args:
            ruleset: whose forms say what a hand waits for.
        """
        self._outlooks = Outlooks(ruleset.forms, ruleset.tiles)

    def turns(self, hall: Hall, places: Index, options: Options) -> Turns:
        """Return any of what may be done."""
        kongs, at = options.kongs, np.searchsorted(places, options.kongs.place)
        may = np.bincount(at, minlength=len(places))
        discards = _discards_of(hall, places, options.barred)
        # first to end the deal and to declare ready, then kongs, then discards
        before = options.abort.astype(np.intp) + options.ready
        drawn = hall.chances.below(places, before + may + discards.sum(axis=1))
        chosen = np.maximum(drawn - before - may, 0)
        ready = np.flatnonzero(options.ready & (drawn == options.abort))
        if len(ready):
            best = self._outlooks.discards(*hall.concealed(places[ready]))
            leave = np.zeros((len(ready), PLAIN_KINDS), np.bool_)
            leave[best.hand, best.kind] = True
            discards[ready] &= np.repeat(leave, 2, axis=1)
            chosen[ready] = hall.chances.below(places[ready], discards[ready].sum(axis=1))
        kind, red = np.divmod((np.cumsum(discards, axis=1) > chosen[:, None]).argmax(axis=1), 2)
        turns = Turns.discarding(kind, *self._outlooks.settled(*hall.concealed_without(places, kind)))
        turns.red[:] = red
        turns.abort[:] = options.abort & (drawn == 0)
        turns.ready[ready] = True
        kong = np.flatnonzero((before <= drawn) & (drawn < before + may))
        number = (np.cumsum(may) - may + drawn - before)[kong]
        turns.put_kongs(kong, kongs.take(number))
        return turns

    def claims(self, hall: Hall, claims: Claims) -> Index:
        """Return any of the claims of each player, or none."""
        places, first, count = np.unique(claims.place, return_index=True, return_counts=True)
        drawn = hall.chances.below(places, count + 1)
        found: Index = (first + drawn)[drawn < count]
        return found


def _discards_of(hall: Hall, places: Index, barred: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Return bool[players, 68]: whether each may discard a plain tile, and a red one, of each kind.

    Where there are jokers, two columns more say whether he may discard one.
    """
    counts, kinds = hall.counts[places], np.arange(PLAIN_KINDS)
    reds = hall.reds_of(places[:, None], kinds)
    found = np.stack((counts > reds, reds > 0), axis=2) & ~holds(barred[:, None], kinds)[:, :, None]
    declared = np.flatnonzero(hall.declared[places])
    rows = places[declared] // hall.players
    found[declared] = False
    found[declared, hall.drawn[rows], hall.drawn_red[rows].astype(np.intp)] = True
    found = found.reshape(len(places), -1)
    if not hall.has_jokers:
        return found
    jokers = hall.jokers[places] > 0
    return np.column_stack((found, jokers, np.zeros_like(jokers)))


ARRAY_PLAYERS: Final[Mapping[str, Callable[[Ruleset], ArrayPlayer]]] = {
    "fast": Fast,
    "random": Random,
    "value": Value,
    "careful": Careful,
}
"""The players that have an array form, by name."""
