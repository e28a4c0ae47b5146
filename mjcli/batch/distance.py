"""Shanten 向聽 of many hands at once: hand for hand that of ``mjcli.distance``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjcli.batch import knitted
from mjcli.batch.suits import Bytes, Suits, as_counts, as_numbers, chunks, suits_of, tables
from mjcli.batch.unconnected import missing_of
from mjcli.errors import InputError
from mjcli.forms import DEFAULT_FORMS, RULES, FormRules
from mjcli.suits import MOST_SETS, SPECIAL_FIELDS

__all__ = ["IMPOSSIBLE", "distance_to", "forms_shanten", "least_shanten", "possible", "shanten"]

IMPOSSIBLE: Final = 127
"""Stands for the shanten of a form that the melds of a hand forbid, where one hand has None."""

_WHOLE: Final = 12
"""With more tiles than these no set is a meld or taken as made."""


def shanten(
    counts: NDArray[np.uint8],
    forms: FormRules = DEFAULT_FORMS,
    *,
    jokers: NDArray[np.uint8] | None = None,
    melds: NDArray[np.uint8] | None = None,
) -> NDArray[np.int8]:
    """Return the least shanten of each hand.

    >>> nine_gates = np.array([[3, 1, 1, 1, 1, 1, 1, 1, 3, *[0] * 25]], np.uint8)
    >>> shanten(nine_gates).tolist()
    [0]

    Args:
        counts: uint8[rows, 34], 0-4 each: of the concealed tiles and the winning tile. A row may have fewer than 13
            tiles; its other sets are melds or taken as made.
        forms: the forms that count, each with its rule.
        jokers: uint8[rows], 0-4: how many are among the tiles besides.
        melds: uint8[rows], 0-4: how many melds stand on the table. It matters to the knitted straight alone, which may
            have one meld, but no set that is only taken as made; without it there are no melds.

    Returns:
        int8[rows]: -1 complete, 0 ready, and so on; ``IMPOSSIBLE`` where the melds forbid every one of ``forms``.

    Raises:
        HandError: a row holds a fifth copy or too many jokers (``too-many``), or of tiles no 3n+1 or 3n+2 up to 14
            (``tile-count``); or ``counts``, ``jokers`` or ``melds`` are no such array (``bad-tiles``).
        InputError: there is no such form, or no such rule of it (``bad-form``).

    Source: the suit classes of ``mjcli.suits``.
    """
    counts = as_counts(counts)
    jokers, melds = as_numbers(jokers, len(counts), "jokers"), as_numbers(melds, len(counts), "melds")
    found = np.empty(len(counts), np.int8)
    for part in chunks(len(counts)):
        suits = suits_of(counts[part], None if jokers is None else jokers[part], first=part.start)
        if forms == DEFAULT_FORMS:
            found[part] = least_shanten(suits)
        else:
            found[part] = _least(_each(counts[part], suits, forms, None if melds is None else melds[part]))
    return found


def forms_shanten(
    counts: NDArray[np.uint8],
    forms: FormRules = DEFAULT_FORMS,
    *,
    jokers: NDArray[np.uint8] | None = None,
    melds: NDArray[np.uint8] | None = None,
) -> dict[str, NDArray[np.int8]]:
    """Return the shanten of each hand for each of ``forms``.

    >>> pair = np.array([[2, *[0] * 33]], np.uint8)
    >>> {form: column.tolist() for form, column in forms_shanten(pair).items()}
    {'standard': [-1], 'seven-pairs': [127], 'thirteen-orphans': [127]}

    Arguments and errors are those of ``shanten``.

    Returns:
        int8[rows] by form; ``IMPOSSIBLE`` where the melds of a hand forbid the form.
    """
    counts = as_counts(counts)
    jokers, melds = as_numbers(jokers, len(counts), "jokers"), as_numbers(melds, len(counts), "melds")
    found = {form: np.empty(len(counts), np.int8) for form in forms}
    for part in chunks(len(counts)):
        suits = suits_of(counts[part], None if jokers is None else jokers[part], first=part.start)
        for form, column in _each(counts[part], suits, forms, None if melds is None else melds[part]).items():
            found[form][part] = column
    return found


def least_shanten(suits: Suits) -> NDArray[np.int8]:
    """Return int8[rows]: the least shanten over the three forms that count without a ruleset."""
    facts = suits.facts()
    missing = suits.standard(facts)
    whole = suits.tiles > _WHOLE
    if whole.all():
        np.minimum(missing, tables().special.take(suits.fields(facts)), out=missing)
    elif whole.any():
        rows = np.flatnonzero(whole)
        missing[rows] = np.minimum(missing[rows], tables().special.take(suits.rows(rows).fields()))
    return _shanten(missing, suits)


def _shanten(missing: Bytes, suits: Suits) -> NDArray[np.int8]:
    found = missing.view(np.int8) - np.int8(1)
    if suits.jokers is not None:
        found -= suits.jokers.astype(np.int8)
    return found


def _least(columns: Mapping[str, NDArray[np.int8]]) -> NDArray[np.int8]:
    least: NDArray[np.int8] = np.minimum.reduce(list(columns.values()))
    return least


def _each(
    counts: Bytes, suits: Suits, forms: FormRules, melds: NDArray[np.uint8] | None
) -> dict[str, NDArray[np.int8]]:
    """Return the shanten of a chunk of hands for each of ``forms``."""
    found = {}
    for form, rule in forms.items():
        column = _shanten(distance_to(form, rule)(counts, suits), suits)
        allowed = possible(form, suits, melds)
        found[form] = column if allowed is None else np.where(allowed, column, np.int8(IMPOSSIBLE))
    return found


def possible(form: str, suits: Suits, melds: NDArray[np.uint8] | None) -> NDArray[np.bool_] | None:
    """Return whether the melds of each hand allow a form; None where they all do."""
    if form == "standard":
        return None
    allowed = suits.tiles > _WHOLE
    if form == "knitted-straight" and melds is not None:
        allowed |= (suits.tiles // 3 == MOST_SETS - 1) & (melds == 1)
    return None if allowed.all() else allowed


Distance = Callable[[Bytes, Suits], Bytes]
"""From the counts of a chunk of hands and their suits to uint8[rows], tiles missing, jokers not counted."""


def distance_to(form: str, rule: str) -> Distance:
    """Return the function for a form; what it gives for a hand whose melds forbid the form says nothing.

    Raises:
        InputError: there is no such form, or no such rule of it (``bad-form``).
    """
    distance = _FORMS.get((form, rule))
    if distance is not None:
        return distance
    if form not in RULES:
        raise InputError("bad-form", f"no form '{form}' (forms are {', '.join(RULES)})")
    raise InputError("bad-form", f"no rule '{rule}' of {form} (it has {' and '.join(map(repr, RULES[form]))})")


def _standard(_counts: Bytes, suits: Suits) -> Bytes:
    return suits.standard()


@cache
def _part_of_special(form: str) -> Bytes:
    """Return uint8[2**14]: by the index into ``special``, tiles missing for one of the two forms."""
    index = np.arange(1 << 14)
    ends = (*SPECIAL_FIELDS[1:], 14)
    pairs, kinds, orphans, orphan_pairs = (
        index >> start & (1 << end - start) - 1 for start, end in zip(SPECIAL_FIELDS, ends, strict=True)
    )
    missing: NDArray[np.int64] = (
        7 - pairs + np.maximum(0, 7 - kinds)
        if form == "seven-pairs"
        else 13 - np.minimum(orphans, 13) + (orphan_pairs == 0)
    )
    return missing.astype(np.uint8)


def _seven_different(_counts: Bytes, suits: Suits) -> Bytes:
    missing: Bytes = _part_of_special("seven-pairs").take(suits.fields())
    return missing


def _orphans(_counts: Bytes, suits: Suits) -> Bytes:
    missing: Bytes = _part_of_special("thirteen-orphans").take(suits.fields())
    return missing


def _seven_with_four(counts: Bytes, _suits: Suits) -> Bytes:
    pairs: Bytes = (counts >> 1).sum(axis=1, dtype=np.uint8)
    singles: Bytes = (counts & 1).sum(axis=1, dtype=np.uint8)
    missing: Bytes = 7 - pairs + (7 - np.minimum(7, pairs + singles))
    return missing


def _unconnected(_counts: Bytes, suits: Suits) -> Bytes:
    return missing_of(suits.keys)


def _knitted(_counts: Bytes, suits: Suits) -> Bytes:
    return knitted.missing_of(suits.keys)


def _knitted_straight(_counts: Bytes, suits: Suits) -> Bytes:
    return knitted.straight_missing_of(suits)


_FORMS: Final[Mapping[tuple[str, str], Distance]] = {
    ("standard", ""): _standard,
    ("seven-pairs", "different"): _seven_different,
    ("seven-pairs", "four"): _seven_with_four,
    ("thirteen-orphans", ""): _orphans,
    ("thirteen-unconnected", ""): _unconnected,
    ("knitted", ""): _knitted,
    ("knitted-straight", ""): _knitted_straight,
}
