"""The forms that are not made of sets, over arrays of concealed tiles: which hands are complete, and what they wait on.

The rules are those of ``mjcli.forms``. All arrays of tiles are uint8[hands, 34], of hands without melds; only a knitted
straight may have one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjcli.batch.decompositions import decompositions, keys_of
from mjcli.batch.knitted import KNITTED_KINDS
from mjcli.forms import ORPHANS
from mjcli.tiles import PLAIN_KINDS

__all__ = ["is_complete", "is_whole", "standard_waits", "waits"]

Counts = NDArray[np.uint8]
Truths = NDArray[np.bool_]


def _kinds(*kinds: int) -> Truths:
    mask = np.zeros(PLAIN_KINDS, np.bool_)
    mask[list(kinds)] = True
    return mask


_ORPHANS: Final = _kinds(*ORPHANS)
_WITH_HONORS: Final = KNITTED_KINDS | _kinds(*range(27, PLAIN_KINDS))


def _seven_different(counts: Counts) -> Truths:
    found: Truths = np.all((counts == 0) | (counts == 2), axis=1)
    return found


def _seven_with_four(counts: Counts) -> Truths:
    found: Truths = ~np.any(counts & 1, axis=1)
    return found


def _orphans(counts: Counts) -> Truths:
    found: Truths = np.all((counts > 0) == _ORPHANS, axis=1)
    return found


def _unconnected(counts: Counts) -> Truths:
    held = counts > 0
    found: Truths = (held.sum(axis=1) == 13) & ~np.any(held & _connected(held), axis=1)
    return found


def _connected(held: Truths) -> Truths:
    """Return which kinds stand one or two ranks from one that is held."""
    near = np.zeros_like(held)
    for suit in (0, 9, 18):
        mine, other = near[:, suit : suit + 9], held[:, suit : suit + 9]
        for step in (1, 2):
            mine[:, step:] |= other[:, :-step]
            mine[:, :-step] |= other[:, step:]
    return near


def _knitted(counts: Counts) -> Truths:
    inside = np.array([~np.any((counts > 0) & ~kinds, axis=1) for kinds in _WITH_HONORS])
    found: Truths = (counts.max(axis=1, initial=0) == 1) & inside.any(axis=0)
    return found


def _knitted_straight(counts: Counts) -> Truths:
    found = np.zeros(len(counts), np.bool_)
    for kinds in KNITTED_KINDS:
        rows = np.flatnonzero(np.all(counts >= kinds, axis=1))
        found[rows] |= is_whole(keys_of(counts[rows] - kinds))
    return found


_COMPLETE: Final[Mapping[tuple[str, str], Callable[[Counts], Truths]]] = {
    ("seven-pairs", "different"): _seven_different,
    ("seven-pairs", "four"): _seven_with_four,
    ("thirteen-orphans", ""): _orphans,
    ("thirteen-unconnected", ""): _unconnected,
    ("knitted", ""): _knitted,
    ("knitted-straight", ""): _knitted_straight,
}


def is_complete(counts: Counts, form: str, rule: str) -> Truths:
    """Return bool[hands]: whether concealed tiles, 14 with the melds, are complete in a form.

    >>> is_complete(np.array([[2] * 7 + [0] * 27], np.uint8), "seven-pairs", "different")
    array([ True])
    """
    return _COMPLETE[form, rule](counts)


def is_whole(keys: NDArray[np.intp]) -> Truths:
    """Return bool[hands]: whether suits are sets and one pair.

    Args:
        keys: intp[4, hands], as ``keys_of`` gives them.
    """
    tables = decompositions()
    pair = tables.pair.take(tables.number.take(keys))
    found: Truths = pair.sum(axis=0) == 1
    return found


def standard_waits(keys: NDArray[np.intp]) -> Truths:
    """Return bool[hands, 34]: of which kinds, fifth tiles too, one more makes suits sets and a pair."""
    tables = decompositions()
    pair = tables.pair.take(tables.number.take(keys))
    total = pair.sum(axis=0)
    found = np.zeros((keys.shape[1], PLAIN_KINDS), np.bool_)
    for suit in range(4):
        # the number of tiles decides whether the suit itself makes a pair, so that there is one pair in all or four
        bits = np.where(total - pair[suit] <= 1, tables.completing.take(keys[suit]), np.uint16(0))
        for rank in range(7 if suit == 3 else 9):
            found[:, 9 * suit + rank] = bits >> np.uint16(rank) & np.uint16(1)
    return found


def _seven_different_waits(before: Counts) -> Truths:
    single = before == 1
    ready = (single.sum(axis=1) == 1) & ((before == 2).sum(axis=1) == 6)
    found: Truths = single & ready[:, None]
    return found


def _seven_with_four_waits(before: Counts) -> Truths:
    odd = (before & 1).astype(np.bool_)
    found: Truths = odd & (odd.sum(axis=1) == 1)[:, None]
    return found


def _orphans_waits(before: Counts) -> Truths:
    held = before > 0
    kinds = np.where(np.any(held & ~_ORPHANS, axis=1), 0, held.sum(axis=1))[:, None]
    return np.where(kinds == 13, _ORPHANS, (kinds == 12) & _ORPHANS & ~held)


def _unconnected_waits(before: Counts) -> Truths:
    held = before > 0
    near = _connected(held)
    kinds = np.where(np.any(held & near, axis=1), 0, held.sum(axis=1))[:, None]
    return np.where(kinds == 13, held, (kinds == 12) & ~held & ~near)


def _knitted_waits(before: Counts) -> Truths:
    held = before > 0
    found = np.zeros_like(held)
    for kinds in _WITH_HONORS:
        inside = (before.max(axis=1, initial=0) == 1) & ~np.any(held & ~kinds, axis=1)
        found |= inside[:, None] & kinds & ~held
    return found


def _knitted_straight_waits(before: Counts) -> Truths:
    found = np.zeros(before.shape, np.bool_)
    for kinds in KNITTED_KINDS:
        held = (before > 0) & kinds
        absent = 9 - held.sum(axis=1)
        keys = keys_of(before - held)
        found |= (absent == 0)[:, None] & standard_waits(keys)
        found |= ((absent == 1) & is_whole(keys))[:, None] & (kinds & ~held)
    return found & (before < 4)


_WAITS: Final[Mapping[tuple[str, str], Callable[[Counts], Truths]]] = {
    ("seven-pairs", "different"): _seven_different_waits,
    ("seven-pairs", "four"): _seven_with_four_waits,
    ("thirteen-orphans", ""): _orphans_waits,
    ("thirteen-unconnected", ""): _unconnected_waits,
    ("knitted", ""): _knitted_waits,
    ("knitted-straight", ""): _knitted_straight_waits,
}


_LEAST_KINDS: Final = {"seven-pairs": 4, "thirteen-orphans": 12, "thirteen-unconnected": 12, "knitted": 13}
"""How many kinds a hand that waits in a form has at least; where a form is not named, 9 but for one."""


def waits(before: Counts, form: str, rule: str) -> Truths:
    """Return bool[hands, 34]: of which kinds one more makes concealed tiles, 13 with the melds, complete in a form."""
    found = np.zeros(before.shape, np.bool_)
    rows = np.flatnonzero(np.count_nonzero(before, axis=1) >= _LEAST_KINDS.get(form, 8))
    found[rows] = _WAITS[form, rule](before[rows])
    return found
