"""How far many hands are from the goals of players, and what is to be expected of these: as ``mjcli.players.value``."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjcli.batch.distance import distance_to
from mjcli.batch.hands import EXPOSED, MELD_TYPES
from mjcli.batch.suits import Bytes, Suits, keys_of
from mjcli.lockstep.hall import CHOW, PUNG, Hall, Index
from mjcli.lockstep.outlooks import STANDARD
from mjcli.lockstep.worths import FIRST_HONOR, HONORS, Worths, codes_of
from mjcli.players.goals import Goal, missing_pungs
from mjcli.players.value import Value
from mjcli.ruleset import Ruleset
from mjcli.suits import MOST_SETS
from mjcli.tiles import PLAIN_KINDS

__all__ = ["Considered", "Outlined", "Prospects", "facts_of_melds", "of_pungs", "useful"]

_SUITS: Final = 4
_CHOW: Final = 1 << 4
_PUNG: Final = 1 << 5
_HONORS: Final = 6
"""Bits of the facts of melds: below them one for each suit, above them one for each honour."""
_TURNS: Final = 64
_MISSING: Final = 20


class Outlined(NamedTuple):
    """What is known of some hands without the others."""

    place: Index
    """intp[hands]: of the player."""
    counts: Bytes
    keys: Index
    sets: Bytes
    melds: Index
    """intp[hands]: the facts of the melds."""
    concealed: NDArray[np.bool_]
    jokers: Bytes | None
    """uint8[hands]: how many jokers each has besides; None where there are none at all."""

    @classmethod
    def of(cls, hall: Hall, places: Index) -> Outlined:
        """Return the hands of some players as they are."""
        melds = np.bitwise_or.reduce(facts_of_melds()[hall.melds[places]], axis=1)
        concealed = ~np.any(EXPOSED.of(hall.marks[places]), axis=1)
        counts, keys, sets, jokers = hall.concealed(places)
        return cls(places, counts, keys, sets, melds, concealed, jokers)

    def with_melds(self, codes: Index, *, exposed: bool) -> Outlined:
        """Return hands with one meld more of each, the tiles of which are no more among ``counts`` and ``keys``."""
        melds = self.melds | facts_of_melds()[codes]
        return self._replace(melds=melds, sets=self.sets - 1, concealed=self.concealed & (not exposed))


class Considered(NamedTuple):
    """The goals that hands may still reach; a row is a hand, a column a goal."""

    worth: NDArray[np.float64]
    """float64[hands, goals]: what is to be expected of it; less than 0 where the melds forbid it."""
    worth_farther: NDArray[np.float64]
    """float64[hands, goals]: what would be, were it one tile farther."""
    missing: Bytes
    """uint8[hands, goals]."""

    def best(self, count: int) -> Index:
        """Return intp[hands, count]: the goals of which most is to be expected, of equal ones the nearest."""
        found: Index = np.lexsort((self.missing, -self.worth), axis=-1)[:, :count]
        return found


class Prospects:
    """Weighs the goals of many hands."""

    def __init__(self, ruleset: Ruleset, by_discard: float) -> None:
        """
        Args:
            ruleset: whose scores it weighs.
            by_discard: how often a win is on a discard.
        """
        value = Value(ruleset)
        self.goals, self.pace = value.appraiser.goals, value.pace
        self._value, self._forms = value, ruleset.forms
        self._worths = Worths(ruleset, value.appraiser, by_discard)
        self._forbidden = np.array([_forbidden(goal) for goal in self.goals])
        self._chances = np.full((_TURNS, len(self.goals), _MISSING), np.nan)

    def allows(self, goals: Index, melds: Index) -> NDArray[np.bool_]:
        """Return bool[hands]: whether a hand with certain melds can reach a goal."""
        found: NDArray[np.bool_] = self._forbidden[goals] & melds == 0
        return found

    def of(self, hall: Hall, hands: Outlined) -> Considered:
        """Return what is to be expected of each goal."""
        seats, rows = hands.place % hall.players, hands.place // hall.players
        winds = hall.round_winds[rows]
        pairs = hands.counts[:, FIRST_HONOR:] >= 2
        honors = (pairs << np.arange(HONORS)).sum(axis=1) & self._worths.gains(seats, winds)
        honors |= hands.melds >> _HONORS
        received = self._worths.of(codes_of(seats, winds, hands.concealed, honors, hall.bonus[hands.place]))
        missing = np.stack([self.missing(goal, hands) for goal in self.goals], axis=1)
        turns = np.maximum(np.rint(hall.left[rows] / hall.players), 1).astype(np.intp)
        chances = self._chances_of(turns)
        goals = np.arange(len(self.goals))
        worth = received * chances[turns[:, None], goals, missing]
        farther = received * chances[turns[:, None], goals, missing + 1]
        worth[(self._forbidden & hands.melds[:, None]) != 0] = -1.0
        return Considered(worth, farther, missing)

    def _chances_of(self, turns: Index) -> NDArray[np.float64]:
        """Return float64[turns, goals, missing]: the chance that a goal is reached."""
        for each in np.flatnonzero(np.bincount(turns)).tolist():
            if np.isnan(self._chances[each, 0, 0]):
                self._chances[each] = [
                    [self._value.chance(goal.name, missing, each) for missing in range(_MISSING)] for goal in self.goals
                ]
        return self._chances

    def missing(self, goal: Goal, hands: Outlined) -> Bytes:
        """Return uint8[hands]: the tiles missing for a goal, for which no jokers stand.

        Of hands whose melds forbid it that says nothing.
        """
        found = self._without_jokers(goal, hands)
        return found if hands.jokers is None else np.maximum(found, hands.jokers) - hands.jokers

    def _without_jokers(self, goal: Goal, hands: Outlined) -> Bytes:
        if goal.sets == "pungs":
            return pungs_missing(hands.counts, hands.sets)
        if goal.form != STANDARD:
            found = np.zeros(len(hands.sets), np.uint8)
            whole = np.flatnonzero(hands.sets == MOST_SETS)
            tiles = np.full(len(whole), 3 * MOST_SETS + 2)
            suits = Suits(hands.keys.take(whole, axis=1), tiles)
            found[whole] = distance_to(goal.form, self._forms[goal.form])(hands.counts[whole], suits)
            return found
        _, keys = useful(goal, hands.counts, hands.keys)
        return Suits(keys, 3 * hands.sets.astype(np.intp) + 2).standard()


def useful(goal: Goal, counts: Bytes, keys: Index) -> tuple[Bytes, Index]:
    """Return the counts and the keys of the concealed tiles that can be of use for a goal."""
    if goal.sets == "chows":
        counts = np.minimum(counts, 2)
        return counts, keys_of(counts)[0]
    if all(goal.mask):
        return counts, keys
    suits = np.array([suit in goal.suits for suit in range(_SUITS - 1)] + [goal.honors])
    return counts * np.array(goal.mask), keys * suits[:, None]


def pungs_missing(counts: Bytes, sets: Bytes) -> Bytes:
    """Return uint8[hands]: the tiles missing for pungs and a pair."""
    return of_pungs((counts >= 3).sum(axis=1), (counts == 2).sum(axis=1), (counts == 1).sum(axis=1), sets)


def of_pungs(pungs: Index, pairs: Index, singles: Index, sets: Bytes) -> Bytes:
    """Return uint8[hands]: the tiles missing, of the kinds held thrice, twice and once."""
    return _missing_pungs()[sets, pungs, pairs, singles]


@cache
def _missing_pungs() -> Bytes:
    """Return uint8[sets, pungs, pairs, singles]: the tiles missing."""
    found = np.zeros((MOST_SETS + 1, 5, 9, 16), np.uint8)  # one more pair, and one more single tile, than a hand has
    for sets, pungs, pairs, singles in np.ndindex(found.shape):
        if 3 * pungs + 2 * pairs + singles <= 14:
            found[sets, pungs, pairs, singles] = missing_pungs(pungs, pairs, singles, sets)
    return found


@cache
def facts_of_melds() -> Index:
    """Return intp[codes]: a bit for the suit of a meld, one for whether it is a chow, and one for its honour."""
    found = np.zeros(1 + len(MELD_TYPES) * PLAIN_KINDS, np.intp)
    for code in range(CHOW, len(found)):
        kind = (code - CHOW) % PLAIN_KINDS
        found[code] = 1 << kind // 9 | (_CHOW if code < PUNG else _PUNG)
        if kind >= FIRST_HONOR:
            found[code] |= 1 << _HONORS + kind - FIRST_HONOR
    return found


def _forbidden(goal: Goal) -> int:
    """Return the facts of melds that forbid a goal."""
    if goal.form != STANDARD:
        return _CHOW | _PUNG
    suits = [suit in goal.suits for suit in range(_SUITS - 1)] + [goal.honors]
    return (
        sum(1 << suit for suit, allowed in enumerate(suits) if not allowed)
        | (_CHOW if goal.sets == "pungs" else 0)
        | (_PUNG if goal.sets == "chows" else 0)
    )
