"""What hands in arrays miss in the forms of a ruleset, and what their discards leave: as ``mjcli.outlook``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjcli.batch.distance import distance_to
from mjcli.batch.draws import form_helps, halves, helps_of, standard_helps
from mjcli.batch.suits import WEIGHTS, Bytes, Suits, keys_of, tables
from mjcli.forms import FormRules
from mjcli.suits import MOST_SETS
from mjcli.tiles import PLAIN_KINDS

__all__ = ["Discards", "Outlooks", "bits_of"]

Index = NDArray[np.intp]

STANDARD: Final = "standard"

_WHOLE: Final = 13
"""Tiles of a hand without melds, before it draws."""

_WEIGHTS: Final = np.array(WEIGHTS, np.intp)
_SUIT: Final = np.arange(PLAIN_KINDS) // 9


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
    """bool[rows, 34]: the kinds of which one more leaves fewer."""


class Outlooks:
    """What hands miss under certain forms."""

    def __init__(self, forms: FormRules) -> None:
        """
        Args:
            forms: the forms that count, each with its rule; the standard form is among them.
        """
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
        missing, helps = helps_of(counts, Suits(keys, 3 * sets.astype(np.intp) + 1), self._forms, None)
        return missing.view(np.uint8), helps

    def missing(self, counts: Bytes, keys: Index, sets: Bytes) -> Bytes:
        """Return uint8[hands]: the tiles missing of 3n+2 tiles; arguments are those of ``helpful``."""
        suits = Suits(keys, 3 * sets.astype(np.intp) + 2)
        found = suits.standard()
        whole = np.flatnonzero(sets == MOST_SETS)
        if len(whole):
            some, counts = suits.rows(whole), counts[whole]
            for form, rule in self._others.items():
                found[whole] = np.minimum(found[whole], distance_to(form, rule)(counts, some))
        return found

    def is_completed(self, counts: Bytes, kinds: NDArray[np.uint8], forms: Sequence[str]) -> NDArray[np.bool_]:
        """Return bool[hands]: whether one more tile completes a hand in one of certain forms that no melds allow.

        Args:
            counts: uint8[hands, 34].
            kinds: uint8[hands], of the tiles.
            forms: their names; those that do not count complete no hand.
        """
        found = np.zeros(len(counts), np.bool_)
        whole = np.flatnonzero(counts.sum(axis=1) == _WHOLE)
        after = counts[whole]
        after[np.arange(len(whole)), kinds[whole]] += 1
        keys, tiles = keys_of(after)
        for form in forms:
            if form in self._others:
                found[whole] |= distance_to(form, self._others[form])(after, Suits(keys, tiles)) == 0
        return found

    def discards(self, counts: Bytes, keys: Index, sets: Bytes) -> Discards:
        """Return the best discards of 3n+2 tiles, and what helps after each; arguments are those of ``helpful``."""
        suits = Suits(keys, 3 * sets.astype(np.intp) + 2)
        whole = np.flatnonzero(sets == MOST_SETS)
        whole_counts, whole_suits = counts[whole], suits.rows(whole)
        standard = np.maximum(suits.standard(), 1)
        least = standard.copy()
        distances = {}
        for form, rule in self._others.items() if len(whole) else ():
            distances[form] = np.maximum(distance_to(form, rule)(whole_counts, whole_suits), 1)
            least[whole] = np.minimum(least[whole], distances[form])
        nearest = standard == least
        free = _standard_free(suits, np.where(nearest, least, 0).astype(np.uint8))
        free &= counts > 0
        # of each form that is as near as any: the hands and kinds without which it stays so
        hand, kind = free.nonzero()
        of_forms = [(self._place[STANDARD], hand, kind)]
        for form, distance in distances.items():
            near = np.flatnonzero(distance == least[whole])
            if len(near):
                held, kind = (whole_counts[near] > 0).nonzero()
                hand = near[held]
                after, suits_after = _without(whole_counts, whole_suits, hand, kind)
                stays = np.flatnonzero(distance_to(form, self._forms[form])(after, suits_after) <= least[whole[hand]])
                of_forms.append((self._place[form], whole[hand[stays]], kind[stays]))
        return self._joined(of_forms, counts, suits, least)

    def _joined(self, of_forms: list[tuple[int, Index, Index]], counts: Bytes, suits: Suits, least: Bytes) -> Discards:
        """Return the discards that some form or other leaves as near, each once."""
        of_forms.sort(key=lambda each: each[0])
        if len(of_forms) == 1:
            first, hand, kind = of_forms[0]
            code = hand * PLAIN_KINDS + kind
            where: list[Index] = []
            form = np.full(len(hand), first, np.uint8)
        else:
            codes = [hand * PLAIN_KINDS + kind for _, hand, kind in of_forms]
            firsts = np.repeat(np.array([first for first, _, _ in of_forms], np.uint8), [len(each) for each in codes])
            code, at = np.unique(np.concatenate(codes), return_index=True)  # of equal ones the first
            form = firsts[at]
            where = [np.searchsorted(code, each) for each in codes]
        hand, kind = code // PLAIN_KINDS, code % PLAIN_KINDS
        after, suits_after = _without(counts, suits, hand, kind)
        most = least[hand]
        helps = np.zeros(after.shape, np.bool_)
        if not where:
            standard_helps(suits_after, most, helps)
        for (first, _, _), rows in zip(of_forms, where, strict=False):
            name = list(self._forms)[first]
            some = suits_after.rows(rows)
            if name == STANDARD:
                part = np.zeros((len(rows), PLAIN_KINDS), np.bool_)
                standard_helps(some, most[rows], part)
            else:
                part = form_helps(name, self._forms[name], after[rows], some)
            helps[rows] |= part
        helps &= after < 4
        return Discards(hand, kind, most, form, helps)


def _without(counts: Bytes, suits: Suits, hand: Index, kind: Index) -> tuple[Bytes, Suits]:
    """Return hands without one tile of a kind each."""
    after, keys = counts[hand], suits.keys[:, hand]
    rows = np.arange(len(hand))
    after[rows, kind] -= 1
    keys[_SUIT[kind], rows] -= _WEIGHTS[kind]
    return after, Suits(keys, suits.tiles[hand] - 1)


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
