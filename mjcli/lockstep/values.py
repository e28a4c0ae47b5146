"""The players of ``mjcli.players.value`` for many hands."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjcli.batch.suits import Bytes
from mjcli.lockstep.choices import Claims, Kongs, Options, Turns, first_of_each
from mjcli.lockstep.dangers import safest, threats_of
from mjcli.lockstep.fast import Fast
from mjcli.lockstep.hall import CHOW, KONG, PUNG, Hall, Index, holds, moved, stand_ins
from mjcli.lockstep.outlooks import Outlooks
from mjcli.lockstep.prospects import Considered, Outlined, Prospects, of_pungs, useful
from mjcli.lockstep.ready import are_concealed
from mjcli.players.goals import Goal
from mjcli.players.simple import inwards
from mjcli.players.value import BY_DISCARD, LEAST, LIVELY, NEAR, SLIGHT, WEIGHTS
from mjcli.ruleset import Ruleset
from mjcli.tiles import JOKER_KIND, PLAIN_KINDS

__all__ = ["Careful", "Value"]

_OUTWARDS: Final = np.array([8 - inwards(kind) for kind in range(JOKER_KIND + 1)])


class Value:
    """Weighs how likely hands are against what the ruleset gives for them."""

    at_once = 2_048
    keeps_concealed = False

    def __init__(self, ruleset: Ruleset) -> None:
        """
        Args:
            ruleset: whose scores it weighs.
        """
        self._outlooks = Outlooks(ruleset.forms, ruleset.tiles)
        self._of_form = {form: Outlooks({form: rule}, ruleset.tiles) for form, rule in ruleset.forms.items()}
        self._prospects = Prospects(ruleset, BY_DISCARD)
        self._closed = self._prospects.pace.closed
        declares = ruleset.play is not None and ruleset.play.ready is not None
        self._hurrying = Fast(ruleset) if declares else None
        self._forbids_own = ruleset.play is not None and ruleset.play.own_discards

    def turns(self, hall: Hall, places: Index, options: Options) -> Turns:
        """Return what players do, who hurry while they have claimed nothing where ready can be declared."""
        if self._hurrying is None:
            return self._weighed(hall, places, options)
        hurry = are_concealed(hall, places)
        hurry[hurry] = ~self.gives_up(hall, places[hurry])
        of_hurried = np.isin(options.kongs.place, places[hurry])
        found = Turns.of(len(places))
        for player, some, kongs in ((self._hurrying.turns, hurry, of_hurried), (self._weighed, ~hurry, ~of_hurried)):
            if some.any():
                found.put(some, player(hall, places[some], options.take(some, kongs)))
        return found

    def _weighed(self, hall: Hall, places: Index, options: Options) -> Turns:
        """Return the kongs that leave the best goals as near as they are, and the best discards of the other hands."""
        hands = Outlined.of(hall, places)
        considered = self._prospects.of(hall, hands)
        best = considered.best(len(WEIGHTS))
        given_up = self.given_up(hall, places, considered, best[:, 0])
        goals = np.where(given_up[:, None], -1, best)  # none of hands that are given up
        kind = self._discards(hall, hands, considered, goals, options.barred)
        some = np.flatnonzero(given_up)
        if len(some):
            kind[some] = safest(
                hall, places[some], options.barred[some], forbids_own=self._forbids_own, closed=self._closed
            )
        turns = Turns.discarding(kind, *self._outlooks.settled(*hall.concealed_without(places, kind)))
        turns.red[:] = hall.are_red(places, kind)
        kept = hall.declared[places] > 0
        turns.red[kept] = hall.drawn_red[places[kept] // hall.players]
        turns.abort[:] = options.abort & ~given_up
        kongs = options.kongs
        if len(kongs.place):
            at = np.searchsorted(places, kongs.place)
            keeps = self._keeps(hall, kongs, best[at, 0], considered.missing[at, best[at, 0]])
            keeps &= ~(given_up | turns.abort)[at]
            some = first_of_each(kongs.place, keeps)
            turns.put_kongs(at[some], kongs.take(some))
        return turns

    def gives_up(self, hall: Hall, places: Index) -> NDArray[np.bool_]:
        """Return bool[players]: whether each gives his hand up; here none does."""
        del hall
        return np.zeros(len(places), np.bool_)

    def given_up(self, hall: Hall, places: Index, considered: Considered, best: Index) -> NDArray[np.bool_]:
        """Return bool[hands]: whether a hand is given up; here none is.

        Args:
            hall: in which the players sit.
            places: of the players.
            considered: what is to be expected of each goal.
            best: intp[hands], the goal of which most is.
        """
        del hall, considered, best
        return np.zeros(len(places), np.bool_)

    def passes(self, hall: Hall, places: Index, considered: Considered) -> NDArray[np.bool_]:
        """Return bool[hands]: whether a player claims nothing, whatever he might; here none does."""
        del hall, considered
        return np.zeros(len(places), np.bool_)

    def _keeps(self, hall: Hall, kongs: Kongs, goal: Index, missing: Bytes) -> NDArray[np.bool_]:
        """Return bool[kongs]: whether a kong leaves a goal as near as it is."""
        hands = Outlined.of(hall, kongs.place)
        counts, keys = moved(hands.counts, hands.keys, kongs.kind, np.where(kongs.added, 1, 4))
        concealed = hands.with_melds(KONG + kongs.kind, exposed=False)
        after = hands._replace(
            counts=counts,
            keys=keys,
            melds=np.where(kongs.added, hands.melds, concealed.melds),
            sets=np.where(kongs.added, hands.sets, concealed.sets),
        )
        found = np.zeros(len(goal), np.bool_)
        for place in np.unique(goal).tolist():
            rows = goal == place
            found[rows] = (self._prospects.missing(self._prospects.goals[place], after) <= missing)[rows]
        return found & self._prospects.allows(goal, after.melds)

    def _discards(
        self, hall: Hall, hands: Outlined, considered: Considered, best: Index, barred: NDArray[np.uint64]
    ) -> Index:
        """Return intp[hands]: the discards after which most is to be expected of the best goals together."""
        held = hands.counts > 0
        if hands.jokers is not None:
            held = np.column_stack((held, hands.jokers > 0))
        left = hall.unseen(hands.place)
        terms = np.zeros((best.shape[1], *held.shape), np.float64)
        for place, goal in enumerate(self._prospects.goals):
            row, rank = np.nonzero((best == place) & (considered.worth[:, place] >= 0)[:, None])
            if not len(row):
                continue
            free, live = self._live_after(goal, hands, row, left[row])
            most = np.where(free, live, 0).max(axis=1)
            most[most == 0] = 1
            weights = np.array(WEIGHTS)[rank, None]
            worth = weights * (considered.worth[row, place][:, None] + LEAST)
            farther = weights * considered.worth_farther[row, place][:, None]
            terms[rank, row] = farther
            terms[rank, row, :PLAIN_KINDS] = np.where(free, worth * (1 + LIVELY * live / most[:, None]), farther)
        expected = terms[0]
        for term in terms[1:]:
            expected += term
        expected[~held | holds(barred[:, None], np.arange(held.shape[1]))] = -1.0
        equal = expected == expected.max(axis=1)[:, None]
        found: Index = (equal * _OUTWARDS[: held.shape[1]]).argmax(axis=1)
        return found

    def _live_after(self, goal: Goal, hands: Outlined, rows: Index, left: Bytes) -> tuple[NDArray[np.bool_], Index]:
        """Return bool[rows, 34], the kinds that a goal does not need, and intp[rows, 34], the live copies then."""
        counts, sets = hands.counts[rows], hands.sets[rows]
        if goal.sets == "pungs":
            return _live_pungs(counts, sets, left)
        counts_used, keys = useful(goal, counts, hands.keys.take(rows, axis=1))
        jokers = None if hands.jokers is None else hands.jokers[rows]
        found = self._of_form[goal.form].discards(counts_used, keys, sets, jokers)
        free, live = np.zeros(counts.shape, np.bool_), np.zeros(counts.shape, np.intp)
        free[found.hand, found.kind] = True
        live[found.hand, found.kind] = np.einsum(
            "ij,ij->i", left.take(found.hand, axis=0), found.helps.view(np.uint8)
        )  # less than 256
        of_no_use = counts > counts_used
        live = np.where(of_no_use, live.max(axis=1)[:, None], live)
        return free | of_no_use, live

    def claims(self, hall: Hall, claims: Claims) -> Index:
        """Return the claims of which most is to be expected, if that is more than without any."""
        if not len(claims.place):
            return claims.place
        places, first, at = np.unique(claims.place, return_index=True, return_inverse=True)
        considered = self._prospects.of(hall, Outlined.of(hall, places))
        now = np.where(self.passes(hall, places, considered), np.inf, considered.worth.max(axis=1))
        hands = Outlined.of(hall, claims.place)
        counts, keys = hands.counts, hands.keys
        discarded = hall.discarded[claims.place // hall.players].astype(np.intp)
        counts, keys = moved(counts, keys, discarded, -1)
        chow = claims.code < PUNG
        lowest = (claims.code - CHOW) % PLAIN_KINDS
        stands = stand_ins(claims.code, claims.jokers)
        for tile in range(3):
            counts, keys = moved(counts, keys, np.where(chow, lowest + tile, lowest), ~stands[tile])
        counts, keys = moved(counts, keys, lowest, (claims.code >= KONG).astype(np.intp))
        jokers = None if hands.jokers is None else hands.jokers - stands.sum(axis=0, dtype=np.uint8)
        after = hands.with_melds(claims.code, exposed=True)._replace(counts=counts, keys=keys, jokers=jokers)
        worth = self._prospects.of(hall, after).worth.max(axis=1)
        most = np.maximum.reduceat(worth, first)
        return first_of_each(claims.place, (worth == most[at]) & (worth > now[at]))


class Careful(Value):
    """``mjcli.players.value.Careful`` for many hands."""

    def gives_up(self, hall: Hall, places: Index) -> NDArray[np.bool_]:
        """Return bool[players]: whether another threatens while a hand is too far from its best goal to go on."""
        found: NDArray[np.bool_] = np.any(threats_of(hall, places, self._closed), axis=1)
        some = places[found]
        considered = self._prospects.of(hall, Outlined.of(hall, some))
        found[found] = self.given_up(hall, some, considered, considered.best(1)[:, 0])
        return found

    def given_up(self, hall: Hall, places: Index, considered: Considered, best: Index) -> NDArray[np.bool_]:
        """Return bool[hands]: whether another threatens while a hand is too far from its best goal to go on."""
        rows = np.arange(len(places))
        far = considered.missing[rows, best] >= NEAR
        return (far | (considered.worth[rows, best] < SLIGHT)) & threats_of(hall, places, self._closed).any(axis=1)

    def passes(self, hall: Hall, places: Index, considered: Considered) -> NDArray[np.bool_]:
        """Return bool[hands]: whether a hand is given up that is not near even with a claim."""
        best = considered.best(1)[:, 0]
        farther = considered.missing[np.arange(len(places)), best] > NEAR
        return self.given_up(hall, places, considered, best) & farther


def _live_pungs(counts: Bytes, sets: Bytes, left: Bytes) -> tuple[NDArray[np.bool_], Index]:
    """Return what ``Value._live_after`` does for a goal of pungs."""
    pungs, pairs, singles = (counts >= 3).sum(axis=1), (counts == 2).sum(axis=1), (counts == 1).sum(axis=1)
    now = np.maximum(of_pungs(pungs, pairs, singles, sets), 1)
    # by a discard of a kind of which there are one, two, three or four; of hands without any, what is found is not used
    changes = ((0, 0, -1), (0, -1, 1), (-1, 1, 0), (0, 0, 0))
    free = np.zeros(counts.shape, np.bool_)
    for copies, (of_pung, of_pair, of_single) in enumerate(changes, 1):
        held = counts == copies
        after = of_pungs(pungs + of_pung, pairs + of_pair, singles + of_single, sets)
        free |= held & (after <= now)[:, None]
    live = (left * (counts == 2)).sum(axis=1, dtype=np.intp)[:, None] + left * (counts == 3) - left * (counts == 2)
    return free, live
