"""What hands in arrays miss in the forms of a ruleset, and what their discards leave: as ``mjcli.outlook``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjcli.batch.distance import distance_to
from mjcli.batch.draws import form_helps, halves, helps_of, standard_helps
from mjcli.batch.knitted import straight_missing_of
from mjcli.batch.suits import WEIGHTS, Bytes, Suits, tables
from mjcli.forms import FormRules
from mjcli.lockstep.hall import Index, moved
from mjcli.suits import MOST_SETS
from mjcli.tiles import JOKER_KIND, PLAIN_KINDS, TileSet

__all__ = ["STANDARD", "Discards", "Outlooks", "bits_of"]

STANDARD: Final = "standard"
KNITTED_STRAIGHT: Final = "knitted-straight"
"""The forms that hands with melds may have."""

_FAR: Final = 99
"""More tiles than any form misses."""

_SHARES: Final = np.array(
    [[weight * (kind // 9 == place) for kind, weight in enumerate(WEIGHTS)] for place in range(4)], np.intp
)
"""intp[4, 34]: what a tile of each kind adds to the keys of the four suits."""


class Discards(NamedTuple):
    """The discards after which as few tiles are missing as can be; those of one hand follow each other."""

    hand: Index
    """intp[rows]: the number of the hand."""
    kind: Index
    """intp[rows]."""
    missing: NDArray[np.uint8]
    """uint8[rows]: how many tiles are missing then."""
    form: NDArray[np.uint8]
    """uint8[rows]: the place among the forms of the first in which this is so."""
    helps: NDArray[np.bool_]
    """bool[rows, 34]: the kinds of which one more leaves fewer; of one of which the hand holds four it may say so."""


class Outlooks:
    """What hands miss under certain forms."""

    def __init__(self, forms: FormRules, tiles: TileSet) -> None:
        """
        Args:
            forms: the forms that count, each with its rule.
            tiles: those of the set; a hand waits for no others.
        """
        *plain, jokers = tiles.copies[: JOKER_KIND + 1]
        self._live = np.uint64(sum(1 << kind for kind, copies in enumerate(plain) if copies))
        self._joker = np.uint64((jokers > 0) << JOKER_KIND)
        self._forms = forms
        self._others = {form: rule for form, rule in forms.items() if form != STANDARD}
        self._place = {form: place for place, form in enumerate(forms)}

    def helpful(self, counts: Bytes, keys: Index, sets: Bytes) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
        """Return uint8[hands], the tiles missing of 3n+1 tiles, and bool[hands, 34], what of which one more helps.

        Args:
            counts: uint8[hands, 34].
            keys: intp[4, hands], of their suits.
            sets: uint8[hands]: how many sets they must make.
        """
        suits = Suits(keys, 3 * sets.astype(np.intp) + 1)
        missing, helps = helps_of(counts, suits, self._forms, MOST_SETS - sets)
        return missing.view(np.uint8), helps

    def settled(
        self, counts: Bytes, keys: Index, sets: Bytes, jokers: Bytes | None = None
    ) -> tuple[NDArray[np.uint8], NDArray[np.uint64]]:
        """Return the tiles missing of 3n+1 tiles, and uint64[hands]: a bit for each kind that completes them.

        Arguments are those of ``helpful``, but for ``jokers``, uint8[hands], which are none of the counts; None where
        there are none at all.
        """
        missing, helps = self.helpful(counts, keys, sets)
        ready = missing == (1 if jokers is None else 1 + jokers)
        return missing, np.where(ready, self.waits(helps), np.uint64(0))

    def waits(self, helps: NDArray[np.bool_]) -> NDArray[np.uint64]:
        """Return uint64[hands]: a bit for each kind for which hands wait that are ready.

        Args:
            helps: bool[hands, 34]: what helps each.
        """
        found = bits_of(helps) & self._live
        if self._joker:
            found[found != 0] |= self._joker
        return found

    def missing(self, counts: Bytes, keys: Index, sets: Bytes) -> Bytes:
        """Return uint8[hands]: the tiles missing of 3n+2 tiles; arguments are those of ``helpful``."""
        suits = Suits(keys, 3 * sets.astype(np.intp) + 2)
        found = suits.standard()
        for _, rows, missing in self._of_others(counts, suits):
            found[rows] = np.minimum(found[rows], missing)
        return found

    def _of_others(self, counts: Bytes, suits: Suits) -> Iterator[tuple[str, Index, Bytes]]:
        """Yield each other form with the rows of hands whose melds allow it, and uint8[rows], the tiles missing."""
        sets = suits.tiles // 3
        whole = np.flatnonzero(sets == MOST_SETS)
        whole_counts, some = counts[whole], suits.rows(whole)
        for form, rule in self._others.items():
            if form == KNITTED_STRAIGHT:
                rows = np.flatnonzero(sets >= MOST_SETS - 1)
                yield form, rows, straight_missing_of(suits.rows(rows))
            elif len(whole):
                yield form, whole, distance_to(form, rule)(whole_counts, some)

    def missing_with_melds(self, suits: Suits) -> Bytes:
        """Return uint8[hands]: the tiles missing of hands with melds, of which the suits say everything."""
        found = suits.standard()
        if KNITTED_STRAIGHT in self._forms:
            rows = np.flatnonzero(suits.tiles // 3 == MOST_SETS - 1)
            found[rows] = np.minimum(found[rows], straight_missing_of(suits.rows(rows)))
        return found

    def is_completed(
        self, counts: Bytes, keys: Index, sets: Bytes, kinds: NDArray[np.uint8], forms: Sequence[str]
    ) -> NDArray[np.bool_]:
        """Return bool[hands]: whether one more tile completes a hand in one of certain forms.

        Args:
            counts: as of ``helpful``, and so the next two.
            keys: of the suits.
            sets: to be made.
            kinds: uint8[hands], of the tiles.
            forms: their names; those that do not count complete no hand.
        """
        after, keys = moved(counts, keys, kinds.astype(np.intp), -1)
        suits = Suits(keys, 3 * sets.astype(np.intp) + 2)
        found: NDArray[np.bool_] = (suits.standard() == 0) & (STANDARD in forms and STANDARD in self._forms)
        for form, rows, missing in self._of_others(after, suits):
            if form in forms:
                found[rows] |= missing == 0
        return found

    def discards(self, counts: Bytes, keys: Index, sets: Bytes, jokers: Bytes | None = None) -> Discards:
        """Return the best discards of 3n+2 tiles, and what helps after each; arguments are those of ``settled``."""
        suits = Suits(keys, 3 * sets.astype(np.intp) + 2)
        ready = np.ones(len(sets), np.uint8) if jokers is None else 1 + jokers
        distances = {STANDARD: np.maximum(suits.standard(), ready)} if STANDARD in self._forms else {}
        least = distances.get(STANDARD, np.full(len(sets), _FAR, np.uint8))
        for form, rows, missing in self._of_others(counts, suits):
            found = np.full(len(sets), _FAR, np.uint8)
            found[rows] = np.maximum(missing, ready[rows])
            distances[form] = found
            least = np.minimum(least, found)
        free = {form: self._free(form, distance == least, least, counts, suits) for form, distance in distances.items()}
        near = {form: kinds for form, kinds in free.items() if kinds is not None}
        spared = np.flatnonzero(np.logical_or.reduce(list(near.values())))
        hand = spared // PLAIN_KINDS
        kind = spared - PLAIN_KINDS * hand
        own = suits.keys.take(hand, axis=1)
        own -= _SHARES.take(kind, axis=1)
        after, most = Suits(own, suits.tiles[hand] - 1), least[hand]
        first = np.zeros(len(hand), np.uint8)
        helps = np.zeros((len(hand), PLAIN_KINDS), np.bool_)
        for form in reversed(list(self._forms)):
            if form not in near:
                continue
            if form == STANDARD and len(near) == 1:
                standard_helps(after, most, helps)
                first[:] = self._place[form]
                break
            rows = np.flatnonzero(near[form].ravel().take(spared))
            first[rows] = self._place[form]
            some, part = after.rows(rows), np.zeros((len(rows), PLAIN_KINDS), np.bool_)
            if form == STANDARD:
                standard_helps(some, most[rows], part)
            else:
                part = form_helps(form, self._forms[form], _without(counts, hand[rows], kind[rows]), some)
            helps[rows] |= part
        return Discards(hand, kind, most, first, helps)

    def _free(
        self, form: str, near: NDArray[np.bool_], least: Bytes, counts: Bytes, suits: Suits
    ) -> NDArray[np.bool_] | None:
        """Return bool[hands, 34]: the kinds without which ``least`` tiles are missing for a form.

        It is None if no hand is near it.
        """
        rows = np.flatnonzero(near)
        if not len(rows):
            return None
        if form == STANDARD:
            found = _standard_free(suits, np.where(near, least, 0).astype(np.uint8))
            found &= counts > 0
            return found
        found = np.zeros(counts.shape, np.bool_)
        place, kind = (counts[rows] > 0).nonzero()
        hand = rows[place]
        keys = suits.keys.take(hand, axis=1) - _SHARES.take(kind, axis=1)
        after = Suits(keys, suits.tiles[hand] - 1)
        missing = distance_to(form, self._forms[form])(_without(counts, hand, kind), after)
        found[hand, kind] = missing <= least[hand]
        return found


def _without(counts: Bytes, hand: Index, kind: Index) -> Bytes:
    """Return the counts of hands without one tile of a kind each."""
    after = counts[hand]
    after[np.arange(len(hand)), kind] -= 1
    return after


def _standard_free(suits: Suits, most: Bytes) -> NDArray[np.bool_]:
    """Return bool[hands, 34]: without which kinds at most ``most`` tiles are missing for the standard form.

    Of kinds that a hand does not hold it says nothing.
    """
    known, half = tables(), halves()
    m, p, s, z = suits.classes()
    m8, p8, z8 = m << 8, p << 8, z << 8
    left, right = half.two_suits.take(m8 | p), half.suit_honors.take(z8 | s)
    sets = suits.tiles // 3 << 16
    left += sets
    right += sets
    parts = (
        (known.suit, p8, half.two_suits, right),
        (known.suit, m8, half.two_suits, right),
        (known.suit, z8, half.suit_honors, left),
        (half.honors, s, half.suit_honors, left),
    )
    found = np.empty((len(most), PLAIN_KINDS), np.bool_)
    for kind, weight in enumerate(WEIGHTS):
        classes, beside, meeting, other = parts[kind // 9]
        joined = beside | classes.take(suits.keys[kind // 9] - weight, mode="clip")
        whole = meeting.take(joined)
        whole += other
        np.less_equal(known.missing.take(whole), most, out=found[:, kind])
    return found


def bits_of(kinds: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Return uint64[rows]: a bit for each kind that is true.

    >>> bits_of(np.arange(34)[None] == 33).tolist() == [1 << 33]
    True

    Args:
        kinds: bool[rows, 34].
    """
    packed = np.zeros((len(kinds), 8), np.uint8)
    packed[:, : -(-PLAIN_KINDS // 8)] = np.packbits(kinds, axis=1, bitorder="little")
    return packed.view("<u8")[:, 0].astype(np.uint64)
