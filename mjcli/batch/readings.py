"""Readings of many hands, a row for each, from the tables of decompositions.

The first rows are one reading of each hand, in order; the further readings of hands that have several follow. So what
belongs to hands is copied to their first readings as it stands, and only the few further rows have to be gathered.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjcli.batch import forms as special
from mjcli.batch.decompositions import PLACES, WAITS, decompositions, keys_of
from mjcli.batch.knitted import KNITTED_KINDS
from mjcli.columns import FORM_NUMBERS, WAIT_NUMBERS
from mjcli.forms import FormRules

__all__ = ["NO_PLACE", "Readings", "readings_of", "some_readings", "unfinished"]

NO_PLACE: Final = 0
"""The place of a winning tile that completed no set or pair; else 1 + its place in ``PLACES``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Block:
    """Some readings, of which those of one hand are told apart by their order."""

    hand: NDArray[np.intp]
    order: NDArray[np.intp]
    form: NDArray[np.int8]
    wait: NDArray[np.int8]
    place: NDArray[np.int8]
    parts: NDArray[np.intp]

    def take(self, rows: NDArray[np.intp]) -> _Block:
        """Return some of them."""
        return _Block(
            hand=self.hand[rows],
            order=self.order[rows],
            form=self.form[rows],
            wait=self.wait[rows],
            place=self.place[rows],
            parts=self.parts[:, rows],
        )


def _joined(blocks: list[_Block]) -> _Block:
    return _Block(
        hand=np.concatenate([each.hand for each in blocks]),
        order=np.concatenate([each.order for each in blocks]),
        form=np.concatenate([each.form for each in blocks]),
        wait=np.concatenate([each.wait for each in blocks]),
        place=np.concatenate([each.place for each in blocks]),
        parts=np.concatenate([each.parts for each in blocks], axis=1),
    )


_FORM_STEP: Final = 1 << 12
_WAY_STEP: Final = 1 << 3
"""Parts of the order of a reading: its form in the ruleset's order, how the tiles are seen, and the winning tile."""


def _block(hand: NDArray[np.intp], order: Any, form: str, wait: Any, place: Any, parts: NDArray[np.intp]) -> _Block:
    size = len(hand)
    return _Block(
        hand=hand,
        order=np.broadcast_to(np.asarray(order, np.intp), size),
        form=np.full(size, FORM_NUMBERS[form], np.int8),
        wait=np.broadcast_to(np.asarray(wait, np.int8), size),
        place=np.broadcast_to(np.asarray(place, np.int8), size),
        parts=parts,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Readings:
    """The readings of some hands."""

    counts: NDArray[np.uint8]
    """uint8[hands, 34]: their concealed tiles, jokers as what they stand for."""
    keys: NDArray[np.intp]
    """intp[4, hands]: the keys of these."""
    number: NDArray[np.uint16]
    """uint16[4, hands]: the numbers of their suits, as ``Decompositions.number`` has them."""
    standard: NDArray[np.bool_]
    """bool[hands]: whether they are sets and a pair."""
    complete: NDArray[np.bool_]
    """bool[hands]: whether they have a reading; the row of another hand has nothing in it."""
    hand: NDArray[np.intp]
    """intp[readings]: whose reading it is; the first readings are one of each hand, in order."""
    order: NDArray[np.intp]
    """intp[readings]: the order in which ``mjcli.readings`` finds those of one hand."""
    form: NDArray[np.int8]
    """int8[readings]: as ``FORM_NUMBERS`` has it."""
    wait: NDArray[np.int8]
    """int8[readings]: as ``WAIT_NUMBERS`` has it."""
    place: NDArray[np.int8]
    """int8[readings]: where the winning tile went, 1 + its place in ``PLACES``; 0 where it completed no set or pair."""
    parts: NDArray[np.intp]
    """intp[4, readings]: the row of each suit's decomposition."""


def readings_of(
    counts: NDArray[np.uint8],
    keys: NDArray[np.intp],
    melds: NDArray[np.uint8],
    win: NDArray[np.intp],
    forms: FormRules,
    *,
    taken: NDArray[np.bool_],
    split: bool,
    at_once: NDArray[np.bool_] | None = None,
) -> Readings:
    """Return the readings of hands of 14 tiles.

    Args:
        counts: uint8[hands, 34], the concealed tiles, jokers as what they stand for.
        keys: intp[4, hands], of these.
        melds: uint8[hands, 4], as of ``mjcli.batch.hands.Hands``.
        win: intp[hands], the kind of each winning tile, of a joker that for which it stands.
        forms: the forms that count, each with its rule.
        taken: bool[hands], of which hands readings as sets or special forms are wanted.
        split: whether readings differ by where the winning tile went; else only the first of these is found.
        at_once: bool[hands], which hands win at once, whatever their tiles are; None for no such hand.
    """
    tables = decompositions()
    number = tables.number.take(keys)
    size = len(counts)
    if "standard" in forms:
        pair = tables.pair.take(number)
        standard = (pair[0] + pair[1] + pair[2] + pair[3] == 1) & taken
    else:
        standard = np.zeros(size, np.bool_)
    blocks = list(_special(counts, melds, win, forms, standard, taken & ~standard, tables.pairs.take(number)))
    if at_once is not None and at_once.any():
        none = np.flatnonzero(at_once)
        blocks.append(_block(none, 0, "unfinished", WAIT_NUMBERS["none"], NO_PLACE, _no_parts(none)))
    complete = standard
    first = (1 + list(forms).index("standard")) * _FORM_STEP if "standard" in forms else 0
    parts = tables.start.take(number)
    place, more = _first_places(parts, win)
    blocks += _further(number, parts, win, more, standard, first, split=split)
    base = _block(np.arange(size), first + place, "standard", _WAIT.take(5 * _rank(win) + place), 1 + place, parts)
    if not standard.all():
        found = _joined(blocks)
        found = found.take(np.lexsort((found.order, found.hand)))
        _, lowest = np.unique(found.hand, return_index=True)
        lowest = lowest[~standard[found.hand[lowest]]]
        base = _replaced(base, found.take(lowest))
        blocks = [found.take(np.delete(np.arange(len(found.hand)), lowest))]
        complete = standard.copy()
        complete[found.hand[lowest]] = True
    whole = _joined([base, *blocks])
    return Readings(
        counts=counts,
        keys=keys,
        number=number,
        standard=standard,
        complete=complete,
        hand=whole.hand,
        order=whole.order,
        form=whole.form,
        wait=whole.wait,
        place=whole.place,
        parts=whole.parts,
    )


def unfinished(counts: NDArray[np.uint8], keys: NDArray[np.intp]) -> Readings:
    """Return one reading of each hand as it is, not seen as sets.

    Args:
        counts: uint8[hands, 34], the concealed tiles, jokers apart.
        keys: intp[4, hands], of these.
    """
    size = keys.shape[1]
    rows = np.arange(size)
    none = np.zeros(size, np.int8)
    return Readings(
        counts=counts,
        keys=keys,
        number=decompositions().number.take(keys),
        standard=np.zeros(size, np.bool_),
        complete=np.ones(size, np.bool_),
        hand=rows,
        order=none.astype(np.intp),
        form=np.full(size, FORM_NUMBERS["unfinished"], np.int8),
        wait=none,
        place=none,
        parts=_no_parts(rows),
    )


def some_readings(readings: Readings, hands: NDArray[np.intp], chosen: NDArray[np.intp]) -> Readings:
    """Return one reading for each of some hands, as readings of these hands alone.

    Args:
        readings: of many hands.
        hands: intp[some], some of them.
        chosen: intp[some], the reading of each.
    """
    return Readings(
        counts=readings.counts[hands],
        keys=readings.keys[:, hands],
        number=readings.number[:, hands],
        standard=readings.standard[hands],
        complete=readings.complete[hands],
        hand=np.arange(len(hands)),
        order=readings.order[chosen],
        form=readings.form[chosen],
        wait=readings.wait[chosen],
        place=readings.place[chosen],
        parts=readings.parts[:, chosen],
    )


_WAIT: Final = WAITS.ravel()
_LOWEST_BIT: Final = np.array([(bits & -bits).bit_length() - 1 if bits else 0 for bits in range(32)], np.intp)


def _rank(win: NDArray[np.intp]) -> NDArray[np.intp]:
    return win % 9


def _no_parts(hand: NDArray[np.intp]) -> NDArray[np.intp]:
    return np.zeros((4, len(hand)), np.intp)


def _replaced(base: _Block, block: _Block) -> _Block:
    """Return ``base``, of which row n is of hand n, with the readings of a block in the rows of their hands."""
    columns = {}
    for name in ("order", "form", "wait", "place", "parts"):
        column = getattr(base, name).copy()
        column[..., block.hand] = getattr(block, name)
        columns[name] = column
    return replace(base, **columns)


def _bits_of_win(parts: NDArray[np.intp], win: NDArray[np.intp]) -> NDArray[np.uint8]:
    """Return uint8[readings]: where the winning tile may have gone, a bit for each of ``PLACES``."""
    size = parts.shape[1]
    mine = parts.ravel().take(win // 9 * size + np.arange(size))
    found: NDArray[np.uint8] = decompositions().places.take(9 * mine + _rank(win), mode="clip")
    return found


def _first_places(parts: NDArray[np.intp], win: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.uint8]]:
    """Return the first place of each winning tile, and the bits of the others."""
    bits = _bits_of_win(parts, win)
    return _LOWEST_BIT.take(bits), bits & (bits - np.uint8(1))


def _placed(bits: NDArray[np.uint8], *, split: bool) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return a row and a place for each bit, or only for the lowest of each row."""
    if not split:
        return np.arange(len(bits)), _LOWEST_BIT.take(bits)
    rows, places = np.nonzero(bits[:, None] >> np.arange(len(PLACES), dtype=np.uint8) & np.uint8(1))
    return rows, places


def _ways(number: NDArray[np.uint16], skip: int) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """Return every way to see some hands as sets and a pair but for the first ``skip``: row, place, parts.

    Args:
        number: uint16[4, rows], of complete suits.
        skip: 0 or 1.
    """
    tables = decompositions()
    count = tables.count.take(number).astype(np.intp)
    total = count.prod(axis=0) - skip
    row = np.repeat(np.arange(number.shape[1]), total)
    way = np.arange(len(row)) - np.repeat(np.cumsum(total) - total, total) + skip
    parts = tables.start.take(number[:, row])
    left = way.copy()
    for suit in (3, 2, 1, 0):
        of_suit = count[suit, row]
        parts[suit] += left % of_suit
        left //= of_suit
    return row, way, parts


def _further(
    number: NDArray[np.uint16],
    parts: NDArray[np.intp],
    win: NDArray[np.intp],
    more: NDArray[np.uint8],
    standard: NDArray[np.bool_],
    first: int,
    *,
    split: bool,
) -> Iterator[_Block]:
    """Yield the readings of the standard form that are not the first of their hands."""
    if split:
        hand = np.flatnonzero((more != 0) & standard)
        row, place = _placed(more[hand], split=True)
        hand = hand[row]
        yield _standard_block(hand, first + place, win[hand], place, parts[:, hand])
    several = decompositions().count.take(number)
    hand = np.flatnonzero((np.maximum.reduce(several) > 1) & standard)
    row, way, found = _ways(number[:, hand], 1)
    hand = hand[row]
    row, place = _placed(_bits_of_win(found, win[hand]), split=split)
    hand = hand[row]
    yield _standard_block(hand, first + _WAY_STEP * way[row] + place, win[hand], place, found[:, row])


def _standard_block(
    hand: NDArray[np.intp],
    order: NDArray[np.intp],
    win: NDArray[np.intp],
    place: NDArray[np.intp],
    parts: NDArray[np.intp],
    form: str = "standard",
) -> _Block:
    return _block(hand, order, form, _WAIT.take(5 * _rank(win) + place), 1 + place, parts)


def _special(
    counts: NDArray[np.uint8],
    melds: NDArray[np.uint8],
    win: NDArray[np.intp],
    forms: FormRules,
    standard: NDArray[np.bool_],
    other: NDArray[np.bool_],
    pairs: NDArray[np.int8],
) -> Iterator[_Block]:
    """Yield the readings of the forms that are not made of sets, and of the knitted straight."""
    others = np.flatnonzero(other & (melds[:, 1] == 0))
    for number, (form, rule) in enumerate(forms.items(), 1):
        if form == "standard":
            continue
        order = number * _FORM_STEP
        if form == "knitted-straight":
            yield from _knitted_straight(counts, win, others, order)
            continue
        hand = others
        if form == "seven-pairs":
            enough = np.flatnonzero(standard & (pairs[0] + pairs[1] + pairs[2] + pairs[3] == 7))
            hand = np.concatenate((others, enough))
        hand = hand[melds[hand, 0] == 0]
        hand = hand[special.is_complete(counts[hand], form, rule)]
        place = 1 + PLACES.index("pair") if form == "seven-pairs" else NO_PLACE
        yield _block(hand, order, form, WAIT_NUMBERS["single"], place, _no_parts(hand))


def _knitted_straight(
    counts: NDArray[np.uint8], win: NDArray[np.intp], others: NDArray[np.intp], first: int
) -> Iterator[_Block]:
    tables = decompositions()
    for number, kinds in enumerate(KNITTED_KINDS):
        hand = others[np.all(counts[others] >= kinds, axis=1)]
        keys = keys_of(counts[hand] - kinds)
        whole = special.is_whole(keys)
        hand, keys = hand[whole], keys[:, whole]
        row, way, parts = _ways(tables.number.take(keys), 0)
        hand = hand[row]
        order = first + _WAY_STEP * (64 * number + way)
        inside = kinds[win[hand]]
        yield _block(hand[inside], order[inside], "knitted-straight", WAIT_NUMBERS["none"], NO_PLACE, parts[:, inside])
        row, place = _placed(_bits_of_win(parts, win[hand]), split=True)
        hand = hand[row]
        yield _standard_block(hand, order[row] + 1 + place, win[hand], place, parts[:, row], "knitted-straight")
