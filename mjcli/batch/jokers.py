"""The tiles for which the jokers 飛 of many hands can stand so that the hands are complete, and the best of them.

The choices are those of ``mjcli.forms.fillings``, in the same order: one joker of all hands after another stands for
each kind that brings its hand nearer to a form. They come in parts, so that memory is bounded however many there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjcli.batch.distance import distance_to
from mjcli.batch.draws import form_helps, standard_helps
from mjcli.batch.hands import Hands
from mjcli.batch.suits import MOST_COPIES, WEIGHTS, Suits, suits_of
from mjcli.forms import FormRules
from mjcli.tiles import JOKER_KIND, PLAIN_KINDS

__all__ = ["MOST_JOKERS", "NO_KIND", "Filled", "StandIns", "best_stand_ins", "filled", "with_stand_ins"]

MOST_JOKERS: Final = 4
"""How many jokers there are."""

NO_KIND: Final = -1
"""Stands where there is no joker, or where it stands for nothing."""

_PART: Final = 1 << 14
"""Choices that are made at once."""

_WEIGHTS: Final = np.array(WEIGHTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """Some complete hands: row n of each array is one choice of tiles for the jokers of one hand."""

    form: str
    """That in which they are complete."""
    hand: NDArray[np.intp]
    """intp[rows], ascending: whose jokers these are."""
    counts: NDArray[np.uint8]
    """uint8[rows, 34]: the concealed tiles, jokers as what they stand for."""
    keys: NDArray[np.intp]
    """intp[4, rows]: of these, as of ``mjcli.batch.suits``."""
    kinds: NDArray[np.int8]
    """int8[rows, 4]: what the jokers stand for, ascending, and ``NO_KIND`` after the last."""
    win: NDArray[np.intp]
    """intp[rows]: the kind of the winning tile, of a joker that for which it stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Choices:
    """Hands some of whose jokers stand for something already."""

    hand: NDArray[np.intp]
    counts: NDArray[np.uint8]
    keys: NDArray[np.intp]
    tiles: NDArray[np.intp]
    kinds: NDArray[np.int8]

    def with_kinds(self, row: NDArray[np.intp], kind: NDArray[np.intp], place: int) -> _Choices:
        """Return some of them, the joker of a place standing for a kind in each."""
        rows = np.arange(len(row))
        counts, keys, kinds = self.counts[row], self.keys[:, row], self.kinds[row]
        counts[rows, kind] += 1
        keys[kind // 9, rows] += _WEIGHTS.take(kind)
        kinds[:, place] = kind
        return _Choices(hand=self.hand[row], counts=counts, keys=keys, tiles=self.tiles[row], kinds=kinds)

    @property
    def suits(self) -> Suits:
        """The suits of their tiles, those jokers apart that stand for nothing yet."""
        return Suits(self.keys, self.tiles)


def filled(hands: Hands, win: NDArray[np.intp], forms: FormRules, stand_ins: NDArray[np.bool_]) -> Iterator[Filled]:
    """Yield every choice of tiles by which hands of 14 tiles with jokers are complete.

    Those of one hand come in the order in which ``mjcli.readings`` tries them; with a joker as winning tile there is a
    row for each kind that can be the winning one.

    Args:
        hands: each with one joker or more among its concealed tiles.
        win: intp[hands], the kind of each winning tile, 34 for a joker.
        forms: the forms that count, each with its rule.
        stand_ins: bool[34], the kinds for which jokers may stand.
    """
    for number in range(1, MOST_JOKERS + 1):
        rows = np.flatnonzero(hands.jokers == number)
        for start in range(0, len(rows), _PART):
            some = rows[start : start + _PART]
            suits = suits_of(hands.counts[some], hands.jokers[some])
            first = _Choices(
                hand=some,
                counts=hands.counts[some],
                keys=suits.keys,
                tiles=suits.tiles,
                kinds=np.full((len(some), MOST_JOKERS), NO_KIND, np.int8),
            )
            for form, rule in forms.items():
                for choices in _filled(_near(first, hands.melds, number, form, rule), number, stand_ins, form, rule):
                    yield from _won(choices, win, form)


def _near(first: _Choices, melds: NDArray[np.uint8], jokers: int, form: str, rule: str) -> _Choices:
    """Return the hands that miss as many tiles for a form as they have jokers."""
    near = distance_to(form, rule)(first.counts, first.suits) == jokers
    if form != "standard":
        near &= melds[first.hand, int(form == "knitted-straight")] == 0
    rows = np.flatnonzero(near)
    return _Choices(
        hand=first.hand[rows],
        counts=first.counts[rows],
        keys=first.keys[:, rows],
        tiles=first.tiles[rows],
        kinds=first.kinds[rows],
    )


def _filled(choices: _Choices, left: int, stand_ins: NDArray[np.bool_], form: str, rule: str) -> Iterator[_Choices]:
    """Yield every way in which the jokers that are left can stand for something."""
    if not left:
        yield choices
        return
    helps = np.zeros(choices.counts.shape, np.bool_)
    if form == "standard":
        standard_helps(choices.suits, np.full(len(helps), left, np.uint8), helps, np.flatnonzero(stand_ins).tolist())
    else:
        helps |= form_helps(form, rule, choices.counts, choices.suits)
        helps &= stand_ins
    helps &= choices.counts < MOST_COPIES
    place = int(np.count_nonzero(choices.kinds[:1] != NO_KIND))
    if place:
        helps &= np.arange(PLAIN_KINDS) >= choices.kinds[:, place - 1, None]
    row, kind = helps.nonzero()
    for start in range(0, len(row), _PART):
        part = slice(start, start + _PART)
        yield from _filled(choices.with_kinds(row[part], kind[part], place), left - 1, stand_ins, form, rule)


def _won(choices: _Choices, win: NDArray[np.intp], form: str) -> Iterator[Filled]:
    """Yield complete hands with their winning tiles: for each kind, if it is a joker, that one of them stands for."""
    by_joker = win[choices.hand] == JOKER_KIND
    distinct = np.diff(choices.kinds, axis=1, prepend=NO_KIND) > 0
    distinct[:, 1:] &= by_joker[:, None]
    row, place = distinct.nonzero()
    for start in range(0, len(row), _PART):
        some, at = row[start : start + _PART], place[start : start + _PART]
        hand, kinds = choices.hand[some], choices.kinds[some]
        stands = kinds[np.arange(len(some)), at].astype(np.intp)
        yield Filled(
            form=form,
            hand=hand,
            counts=choices.counts[some],
            keys=choices.keys[:, some],
            kinds=kinds,
            win=np.where(by_joker[some], stands, win[hand]),
        )


def with_stand_ins(counts: NDArray[np.uint8], kinds: NDArray[np.int8]) -> NDArray[np.uint8]:
    """Return uint8[hands, 34]: concealed tiles with what jokers stand for.

    Args:
        counts: uint8[hands, 34], the others.
        kinds: int8[hands, 4], as of ``StandIns``.
    """
    found = counts.copy()
    row, place = (kinds != NO_KIND).nonzero()
    np.add.at(found, (row, kinds[row, place]), np.uint8(1))
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class StandIns:
    """What the jokers of hands stand for: row n of each array is of hand n."""

    kinds: NDArray[np.int8]
    """int8[hands, 4]: ascending, and ``NO_KIND`` after the last; nothing but that where the hand is not complete."""
    win: NDArray[np.intp]
    """intp[hands]: the kind of the winning tile, as it stands."""
    complete: NDArray[np.bool_]
    """bool[hands]: whether there is a choice by which the hand is complete, and better than what was known."""


def best_stand_ins(
    hands: Hands,
    win: NDArray[np.intp],
    forms: FormRules,
    stand_ins: NDArray[np.bool_],
    worth: Callable[[Filled], NDArray[np.int64]],
    known: NDArray[np.int64],
) -> StandIns:
    """Return what the jokers of hands stand for so that each is worth most; of equal choices the first.

    Args:
        hands: as ``filled`` takes them, and so the next three.
        win: the winning tiles.
        forms: the forms that count.
        stand_ins: for what jokers may stand.
        worth: returns int64[rows], what each of some complete hands is worth.
        known: int64[hands], what a choice must be worth more than.
    """
    most = known.copy()
    kinds, won = np.full((len(hands), MOST_JOKERS), NO_KIND, np.int8), win.copy()
    complete = np.zeros(len(hands), np.bool_)
    for each in filled(hands, win, forms, stand_ins):
        found = worth(each)
        starts = np.flatnonzero(np.diff(each.hand, prepend=-1))
        greatest = np.maximum.reduceat(found, starts)
        is_greatest = found == np.repeat(greatest, np.diff(np.append(starts, len(found))))
        place = np.where(is_greatest, np.arange(len(found)), len(found))
        first = np.minimum.reduceat(place, starts)
        better = greatest > most[each.hand[starts]]
        row = first[better]
        hand = each.hand[row]
        most[hand], kinds[hand], won[hand], complete[hand] = greatest[better], each.kinds[row], each.win[row], True
    return StandIns(kinds=kinds, win=won, complete=complete)
