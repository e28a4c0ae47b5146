"""The array forms of programmed players: deal for deal they do what those of ``mjcli.players`` do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from mjcli.batch.suits import WEIGHTS, Bytes, Suits
from mjcli.lockstep.choices import Claims, Kongs, Turns, first_of_each
from mjcli.lockstep.hall import KONG, PLAYERS, PUNG, Hall, Index, moved
from mjcli.lockstep.outlooks import Outlooks, bits_of
from mjcli.lockstep.values import Careful, Value
from mjcli.players.simple import inwards
from mjcli.ruleset import Ruleset
from mjcli.tiles import PLAIN_KINDS

__all__ = ["ARRAY_PLAYERS", "ArrayPlayer"]

_WEIGHTS: Final = np.array(WEIGHTS, np.intp)
_SUIT: Final = np.arange(PLAIN_KINDS) // 9
_OUTWARDS: Final = np.array([7 - inwards(kind) for kind in range(PLAIN_KINDS)])


class ArrayPlayer(Protocol):
    """A strategy for many hands at once, which wins whenever it may."""

    at_once: int
    """How many deals it plays best at once: enough that calling NumPy costs little, and few enough for the cache."""

    def turns(self, hall: Hall, places: Index, kongs: Kongs) -> Turns:
        """Return what players do in their turn.

        Args:
            hall: in which they sit.
            places: of the players, in ascending order.
            kongs: those that they may make.
        """

    def claims(self, hall: Hall, claims: Claims) -> Index:
        """Return the numbers of those of ``claims`` that are made, of each player one at most."""


class Fast:
    """``mjcli.players.simple.Fast`` for many hands."""

    at_once = 8_192

    def __init__(self, ruleset: Ruleset) -> None:
        """
        Args:
            ruleset: whose forms it plays for.
        """
        self._outlooks = Outlooks(ruleset.forms)

    def turns(self, hall: Hall, places: Index, kongs: Kongs) -> Turns:
        """Return the kongs that do not throw hands back, and the best discards of the other hands."""
        counts = hall.counts[places]
        found = self._outlooks.discards(counts, hall.keys.take(places, axis=1), hall.sets[places])
        left = hall.unseen(places).take(found.hand, axis=0)
        live = np.einsum("ij,ij->i", left, found.helps.view(np.uint8)).astype(np.intp)  # less than 256
        # most live copies, then the outermost tile, then the form that comes first, then the lowest kind
        rank = ((live * 8 + _OUTWARDS[found.kind]) * 8 + (7 - found.form)) * 64 + (63 - found.kind)
        starts = np.flatnonzero(np.diff(found.hand, prepend=-1))
        most = np.maximum.reduceat(rank, starts)
        best = np.flatnonzero(rank == most[found.hand])
        kind = found.kind[best]
        least = found.missing[best]
        waits = np.zeros(len(places), np.uint64)
        ready = np.flatnonzero(least == 1)
        counts[np.arange(len(places)), kind] -= 1
        waits[ready] = bits_of(found.helps[best[ready]] & (counts[ready] < 4))
        kong = np.zeros(len(places), np.bool_)
        added = kong.copy()
        if len(kongs.place):
            at = np.searchsorted(places, kongs.place)
            keys = hall.keys[:, kongs.place]
            tiles = np.where(kongs.added, 1, 4)
            keys[_SUIT[kongs.kind], np.arange(len(at))] -= tiles * _WEIGHTS[kongs.kind]
            sets = hall.sets[kongs.place].astype(np.intp) - ~kongs.added
            keeps = self._outlooks.missing_with_melds(Suits(keys, 3 * sets + 1)) <= least[at]
            some = first_of_each(kongs.place, keeps)
            kong[at[some]], added[at[some]], kind[at[some]] = True, kongs.added[some], kongs.kind[some]
        return Turns(kind, kong, added, least, waits)

    def claims(self, hall: Hall, claims: Claims) -> Index:
        """Return the first of the claims that bring each hand nearest, if that is nearer than it is."""
        places, codes = claims
        discarded = hall.discarded[places // PLAYERS].astype(np.intp)
        first, numbers = (codes - 1) % PLAIN_KINDS, np.arange(len(places))
        keys = hall.keys[:, places]
        chow = codes < PUNG
        suit = _SUIT[first]
        away = np.where(
            chow,
            _WEIGHTS[first] + _WEIGHTS[first + 2 * chow] + _WEIGHTS[first + chow],
            np.where(codes >= KONG, 4, 3) * _WEIGHTS[first],
        )
        keys[suit, numbers] += _WEIGHTS[discarded] - away
        sets = hall.sets[places].astype(np.intp) - 1
        missing = self._outlooks.missing_with_melds(Suits(keys, 3 * sets + 2))
        nearer = missing < hall.missing[places]
        return _nearest_first(places, missing, nearer)


class Random:
    """``mjcli.players.simple.Random`` for many hands."""

    at_once = 8_192

    def __init__(self, ruleset: Ruleset) -> None:
        """
        Args:
            ruleset: whose forms say what a hand waits for.
        """
        self._outlooks = Outlooks(ruleset.forms)

    def turns(self, hall: Hall, places: Index, kongs: Kongs) -> Turns:
        """Return any of the kongs and discards."""
        counts = hall.counts[places]
        held = counts > 0
        at = np.searchsorted(places, kongs.place)
        may = np.bincount(at, minlength=len(places))
        drawn = hall.chances.below(places, may + held.sum(axis=1))
        kind = (np.cumsum(held, axis=1) > (drawn - may)[:, None]).argmax(axis=1)
        after = moved(counts, hall.keys.take(places, axis=1), kind, 1)
        missing, waits = self._outlooks.settled(*after, hall.sets[places])
        kong, added = drawn < may, np.zeros(len(places), np.bool_)
        chosen = (np.cumsum(may) - may + drawn)[kong]
        kind[kong], added[kong] = kongs.kind[chosen], kongs.added[chosen]
        return Turns(kind, kong, added, missing, waits)

    def claims(self, hall: Hall, claims: Claims) -> Index:
        """Return any of the claims of each player, or none."""
        places, first, count = np.unique(claims.place, return_index=True, return_counts=True)
        drawn = hall.chances.below(places, count + 1)
        found: Index = (first + drawn)[drawn < count]
        return found


def _nearest_first(places: Index, missing: Bytes, nearer: NDArray[np.bool_]) -> Index:
    """Return the numbers of the nearest of each place, the first among equal ones, of those that are ``nearer``."""
    numbers = np.flatnonzero(nearer)
    order = numbers[np.lexsort((numbers, missing[numbers], places[numbers]))]
    first: Index = order[np.diff(places[order], prepend=-1) != 0]
    return first


ARRAY_PLAYERS: Final[Mapping[str, Callable[[Ruleset], ArrayPlayer]]] = {
    "fast": Fast,
    "random": Random,
    "value": Value,
    "careful": Careful,
}
"""The players that have an array form, by name."""
