"""The player of ``mjcli.players.simple`` who hurries, for many hands."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjcli.batch.suits import WEIGHTS, Bytes, Suits
from mjcli.lockstep.choices import Claims, Options, Turns, first_of_each
from mjcli.lockstep.hall import KONG, PUNG, Hall, Index, holds, stand_ins
from mjcli.lockstep.outlooks import Outlooks
from mjcli.lockstep.ready import turns_of_declared
from mjcli.players.simple import inwards
from mjcli.ruleset import Ruleset
from mjcli.tiles import JOKER_KIND, PLAIN_KINDS

__all__ = ["Fast"]

_WEIGHTS: Final = np.array(WEIGHTS, np.intp)
_SUIT: Final = np.arange(PLAIN_KINDS) // 9
_OUTWARDS: Final = np.array([7 - inwards(kind) for kind in range(PLAIN_KINDS)])
_OUTERMOST: Final = np.array([64 * (8 - inwards(kind)) + kind for kind in range(PLAIN_KINDS)])
"""The greater, the farther out a tile is; of equal ones the highest kind."""


class Fast:
    """``mjcli.players.simple.Fast`` for many hands."""

    at_once = 12_288

    def __init__(self, ruleset: Ruleset) -> None:
        """
        Args:
            ruleset: whose forms it plays for.
        """
        self._outlooks = Outlooks(ruleset.forms, ruleset.tiles)
        self.keeps_concealed = ruleset.play is not None and ruleset.play.ready is not None

    def turns(self, hall: Hall, places: Index, options: Options) -> Turns:
        """Return the kongs that do not throw hands back, and the best discards of the other hands."""
        kept, all_jokers = hall.declared[places] > 0, hall.jokers[places] == 3 * hall.sets[places] + 2
        free = ~(kept | all_jokers)
        if free.all():
            return self._free_turns(hall, places, options)
        found = Turns.of(len(places))
        of_kept, of_free = (np.isin(options.kongs.place, places[some]) for some in (kept, free))
        found.put(kept, turns_of_declared(hall, places[kept], options.kongs.take(of_kept)))
        jokers = np.full(all_jokers.sum(), JOKER_KIND)
        without = hall.concealed_without(places[all_jokers], jokers)
        found.put(all_jokers, Turns.discarding(jokers, *self._outlooks.settled(*without)))
        found.put(free, self._free_turns(hall, places[free], options.take(free, of_free)))
        return found

    def _free_turns(self, hall: Hall, places: Index, options: Options) -> Turns:
        """Return what players do who have not declared that they are ready."""
        counts, keys, sets, jokers = hall.concealed(places)
        found = self._outlooks.discards(counts, keys, sets, jokers)
        left = hall.unseen(places).take(found.hand, axis=0)
        live = np.einsum("ij,ij->i", left, found.helps.view(np.uint8)).astype(np.intp)  # less than 256
        # most live copies, then the outermost tile, then the form that comes first, then the lowest kind
        rank = ((live * 8 + _OUTWARDS[found.kind]) * 8 + (7 - found.form)) * 64 + (63 - found.kind)
        starts = np.flatnonzero(np.diff(found.hand, prepend=-1))
        least = found.missing[starts]
        if options.barred.any():
            rank[holds(options.barred[found.hand], found.kind)] = -1
        most = np.maximum.reduceat(rank, starts)
        best = np.flatnonzero((rank == most[found.hand]) & (rank >= 0))
        turns = Turns.discarding(np.zeros(len(places), np.intp), least.copy(), np.zeros(len(places), np.uint64))
        turns.kind[found.hand[best]] = found.kind[best]
        ready = best[found.missing[best] == (1 if jokers is None else 1 + jokers[found.hand[best]])]
        hand = found.hand[ready]
        rest = counts[hand]
        rest[np.arange(len(hand)), found.kind[ready]] -= 1
        turns.waits[hand] = self._outlooks.waits(found.helps[ready] & (rest < 4))
        if len(best) < len(places):
            self._discard_outermost(hall, places, options, np.flatnonzero(most < 0), turns)
        turns.red[:] = hall.are_red(places, turns.kind)
        turns.abort[:] = options.abort
        turns.ready[:] = options.ready & ~options.abort
        kongs = options.kongs
        if len(kongs.place):
            at = np.searchsorted(places, kongs.place)
            keys = hall.keys[:, kongs.place]
            tiles = np.where(kongs.added, 1, 4)
            keys[_SUIT[kongs.kind], np.arange(len(at))] -= tiles * _WEIGHTS[kongs.kind]
            needed = hall.sets[kongs.place].astype(np.intp) - ~kongs.added
            keeps = self._outlooks.missing_with_melds(Suits(keys, 3 * needed + 1)) <= least[at]
            keeps &= ~(turns.ready | turns.abort)[at]
            some = first_of_each(kongs.place, keeps)
            turns.put_kongs(at[some], kongs.take(some))
        return turns

    def _discard_outermost(self, hall: Hall, places: Index, options: Options, players: Index, turns: Turns) -> None:
        """Let players discard their outermost tile who may discard none of those that would be best."""
        places = places[players]
        counts = hall.counts[places]
        may = (counts > 0) & ~holds(options.barred[players, None], np.arange(PLAIN_KINDS))
        kind = np.where(may, _OUTERMOST, -1).argmax(axis=1)
        turns.kind[players] = kind
        settled = self._outlooks.settled(*hall.concealed_without(places, kind))
        turns.missing[players], turns.waits[players] = settled

    def claims(self, hall: Hall, claims: Claims) -> Index:
        """Return the first of the claims that bring each hand nearest, if that is nearer than it is."""
        if self.keeps_concealed:
            return np.empty(0, np.intp)
        places, codes = claims.place, claims.code
        discarded = hall.discarded[places // hall.players].astype(np.intp)
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
        if not hall.has_jokers:
            missing = self._outlooks.missing_with_melds(Suits(keys, 3 * sets + 2))
        else:
            stands = stand_ins(codes, claims.jokers)
            for tile in range(3):
                keys[suit, numbers] += _WEIGHTS[first + tile * chow] * stands[tile]
            missing = self._outlooks.missing_with_melds(Suits(keys, 3 * sets + 2)) + stands.sum(axis=0, dtype=np.uint8)
        nearer = missing < hall.missing[places]
        return _nearest_first(places, missing, nearer)


def _nearest_first(places: Index, missing: Bytes, nearer: NDArray[np.bool_]) -> Index:
    """Return the numbers of the nearest of each place, the first among equal ones, of those that are ``nearer``."""
    numbers = np.flatnonzero(nearer)
    order = numbers[np.lexsort((numbers, missing[numbers], places[numbers]))]
    first: Index = order[np.diff(places[order], prepend=-1) != 0]
    return first
