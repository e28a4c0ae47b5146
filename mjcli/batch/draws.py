"""Waits 聽, acceptance 進張 and discards of many hands at once: hand for hand those of ``mjcli.acceptance``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjcli.batch import knitted, unconnected
from mjcli.batch.distance import IMPOSSIBLE, distance_to, possible
from mjcli.batch.suits import (
    MOST_COPIES,
    WEIGHTS,
    Bytes,
    Suits,
    as_counts,
    as_numbers,
    chunks,
    keys_of,
    suits_of,
    tables,
)
from mjcli.errors import HandError, amount
from mjcli.forms import DEFAULT_FORMS, ORPHANS, FormRules
from mjcli.suits import SPECIAL_FIELDS
from mjcli.tiles import JOKER_KIND, PLAIN_KINDS, TILES, TileSet

__all__ = [
    "Accepted",
    "Discarded",
    "Halves",
    "Waiting",
    "acceptance",
    "discards",
    "form_helps",
    "halves",
    "helps_of",
    "standard_helps",
    "waits",
]

_FAR: Final = 99
"""More tiles than any form misses."""

_PAIRS: Final = 7

_KNITTED: Final = 9
"""Tiles of 147, 258 and 369."""

_ORPHAN: Final = np.isin(np.arange(PLAIN_KINDS), ORPHANS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """The tiles that complete each hand; none where it is not ready."""

    left: NDArray[np.uint8]
    """uint8[rows, 34]: copies left of each live wait; else 0. Where a set was named, [rows, 35], the joker last."""
    dead: NDArray[np.bool_]
    """bool of the same shape: the waits of which every copy is in the hand or seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """The tiles that bring each hand nearer; of a ready hand, those that complete it."""

    shanten: NDArray[np.int8]
    """int8[rows]."""
    left: NDArray[np.uint8]
    """uint8[rows, 34]: copies left of each accepted tile; else 0. Where a set was named, [rows, 35], the joker last."""

    @property
    def kinds(self) -> NDArray[np.uint8]:
        """uint8[rows]: how many different tiles are accepted."""
        kinds: Bytes = (self.left > 0).sum(axis=1, dtype=np.uint8)
        return kinds

    @property
    def copies(self) -> NDArray[np.uint8]:
        """uint8[rows]: how many tiles are accepted, copies counted."""
        copies: Bytes = self.left.sum(axis=1, dtype=np.uint8)
        return copies


@dataclass(frozen=True, slots=True, kw_only=True)
class Discarded(Accepted):
    """Every discard from some hands with the acceptance after it, one a row: hand after hand, the best first."""

    hand: NDArray[np.intp]
    """intp[rows]: the row of the hand among those that were asked about."""
    kind: NDArray[np.uint8]
    """uint8[rows]: the kind that is discarded; 34 is a joker."""


def waits(
    counts: NDArray[np.uint8],
    seen: NDArray[np.uint8] | None = None,
    forms: FormRules = DEFAULT_FORMS,
    *,
    jokers: NDArray[np.uint8] | None = None,
    melds: NDArray[np.uint8] | None = None,
    tiles: TileSet | None = None,
) -> Waiting:
    """Return the tiles that complete each hand, live and dead apart.

    >>> hand = np.zeros((1, 34), np.uint8)
    >>> hand[0, [0, 2, 31]] = 1, 1, 2
    >>> waits(hand).left.nonzero()[1].tolist()
    [1]

    Args:
        counts: uint8[rows, 34], 0-4 each: of the concealed tiles without a winning one. A row of 3n+2 tiles has to
            discard first, and waits for nothing.
        seen: uint8[rows, 34]: tiles that are seen beside those, in melds or elsewhere; where a set is named,
            [rows, 35], the joker last.
        forms: the forms that count, each with its rule.
        jokers: uint8[rows], 0-4: how many are among the tiles besides.
        melds: uint8[rows], as of ``mjcli.batch.shanten``.
        tiles: the set played with, for copies and for jokers; by default four of each suit tile and honour.

    Raises:
        HandError: as ``mjcli.batch.shanten``; or a row has a fifth copy with the seen tiles (``too-many``), or ``seen``
            is no such array (``bad-tiles``).
        InputError: there is no such form, or no such rule of it (``bad-form``).
    """
    counts, copies = as_counts(counts), _copies(tiles)
    seen, jokers, melds = _besides(seen, jokers, melds, len(counts), len(copies))
    left = np.zeros((len(counts), len(copies)), np.uint8)
    dead = np.zeros(left.shape, np.bool_)
    for part, suits in _parts(counts, jokers):
        missing, helps = _drawn_helps(counts[part], suits, forms, None if melds is None else melds[part], tiles)
        helps &= ((missing == 1) & (suits.tiles % 3 == 1))[:, None]
        unseen = _unseen(counts, suits, seen, part, copies)
        left[part] = unseen * helps.view(np.uint8)
        dead[part] = helps & (unseen == 0) & (copies > 0)
    return Waiting(left=left, dead=dead)


def acceptance(
    counts: NDArray[np.uint8],
    seen: NDArray[np.uint8] | None = None,
    forms: FormRules = DEFAULT_FORMS,
    *,
    jokers: NDArray[np.uint8] | None = None,
    melds: NDArray[np.uint8] | None = None,
    tiles: TileSet | None = None,
) -> Accepted:
    """Return the tiles that bring each hand nearer, with its shanten.

    >>> hand = np.zeros((1, 34), np.uint8)
    >>> hand[0, [0, 2, 31, 33]] = 1
    >>> found = acceptance(hand)
    >>> found.shanten.tolist(), found.kinds.tolist(), found.copies.tolist()
    ([1], [3], [10])

    Arguments and errors are those of ``waits``.

    Raises:
        HandError: besides, a row has 3n+2 tiles (``tile-count``), or its melds forbid every one of ``forms``
            (``bad-form``).
    """
    counts, copies = as_counts(counts), _copies(tiles)
    seen, jokers, melds = _besides(seen, jokers, melds, len(counts), len(copies))
    shanten = np.empty(len(counts), np.int8)
    left = np.empty((len(counts), len(copies)), np.uint8)
    for part, suits in _parts(counts, jokers):
        _refuse(suits.tiles % 3 == 2, suits, part, "of 3n+1, such as 13, a draw is accepted")
        missing, helps = _drawn_helps(counts[part], suits, forms, None if melds is None else melds[part], tiles)
        shanten[part] = _shanten(missing, part)
        np.multiply(_unseen(counts, suits, seen, part, copies), helps.view(np.uint8), out=left[part])
    return Accepted(shanten=shanten, left=left)


def discards(
    counts: NDArray[np.uint8],
    seen: NDArray[np.uint8] | None = None,
    forms: FormRules = DEFAULT_FORMS,
    *,
    jokers: NDArray[np.uint8] | None = None,
    melds: NDArray[np.uint8] | None = None,
    tiles: TileSet | None = None,
) -> Discarded:
    """Return every discard from each hand with the acceptance after it, best first.

    The best leaves the lowest shanten, then accepts most copies, then most kinds, then comes first in the order of
    tiles. A red five is no other tile than a plain one.

    >>> hand = np.zeros((1, 34), np.uint8)
    >>> hand[0, [0, 1, 2, 31, 33]] = 1
    >>> found = discards(hand)
    >>> found.kind[:2].tolist(), found.shanten[:2].tolist(), found.copies[:2].tolist()
    ([31, 33], [0, 0], [3, 3])

    Arguments and errors are those of ``waits``.

    Raises:
        HandError: besides, a row has 3n+1 tiles (``tile-count``), or its melds forbid every one of ``forms``
            (``bad-form``).
    """
    counts, copies = as_counts(counts), _copies(tiles)
    seen, jokers, melds = _besides(seen, jokers, melds, len(counts), len(copies))
    found = [_no_discards(len(copies))]
    for part, suits in _parts(counts, jokers):
        _refuse(suits.tiles % 3 == 1, suits, part, "a discard is from 3n+2, such as 14")
        held = counts[part]
        if suits.jokers is not None:
            held = np.column_stack((held, suits.jokers))
        unseen = _unseen(counts, suits, seen, part, copies)
        hands, kinds = held.nonzero()
        for some in chunks(len(hands)):
            hand, kind = hands[some], kinds[some]
            after, suits_after = _without(counts[part], suits, hand, kind)
            of_hand = None if melds is None else melds[part][hand]
            missing, helps = _drawn_helps(after, suits_after, forms, of_hand, tiles)
            left = unseen[hand] * helps.view(np.uint8)
            hand += part.start
            found.append(Discarded(shanten=_shanten(missing, part), left=left, hand=hand, kind=kind.astype(np.uint8)))
    return _ranked(found)


def _besides(
    seen: NDArray[np.uint8] | None,
    jokers: NDArray[np.uint8] | None,
    melds: NDArray[np.uint8] | None,
    rows: int,
    kinds: int,
) -> tuple[Bytes | None, Bytes | None, Bytes | None]:
    """Return what is said besides of hands, if it is so much of each.

    Raises:
        HandError: it is not (``bad-tiles``).
    """
    if seen is not None:
        seen = as_counts(seen, "seen", kinds)
        if len(seen) != rows:
            raise HandError("bad-tiles", f"seen are of {amount(len(seen), 'row')}, where counts are of {rows}")
    return seen, as_numbers(jokers, rows, "jokers"), as_numbers(melds, rows, "melds")


def _no_discards(kinds: int) -> Discarded:
    """Return no discards, of hands that may draw so many kinds."""
    return Discarded(
        shanten=np.empty(0, np.int8),
        left=np.empty((0, kinds), np.uint8),
        hand=np.empty(0, np.intp),
        kind=np.empty(0, np.uint8),
    )


def _copies(tiles: TileSet | None) -> Bytes:
    """Return how many copies of each kind may be drawn; with the joker last where a set is named."""
    if tiles is None:
        return np.full(PLAIN_KINDS, MOST_COPIES, np.uint8)
    return np.array(tiles.copies[: JOKER_KIND + 1], np.uint8)


def _drawn_helps(
    counts: Bytes, suits: Suits, forms: FormRules, melds: NDArray[np.uint8] | None, tiles: TileSet | None
) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
    """Return what ``helps_of`` does; where a set is named, with the joker, which helps every hand that has a form."""
    missing, helps = helps_of(counts, suits, forms, melds)
    return missing, helps if tiles is None else np.column_stack((helps, missing != IMPOSSIBLE))


def _parts(counts: Bytes, jokers: NDArray[np.uint8] | None) -> Iterator[tuple[slice, Suits]]:
    """Yield the chunks of hands with their suits."""
    for part in chunks(len(counts)):
        yield part, suits_of(counts[part], None if jokers is None else jokers[part], first=part.start)


def _refuse(wrong: NDArray[np.bool_], suits: Suits, part: slice, why: str) -> None:
    """Raise ``tile-count`` for the first hand that is wrong, if one is."""
    if wrong.any():
        row = int(wrong.argmax())
        raise HandError("tile-count", f"row {part.start + row}: {amount(int(suits.tiles[row]), 'tile')}; {why}")


def _shanten(missing: NDArray[np.int8], part: slice) -> NDArray[np.int8]:
    if (missing == IMPOSSIBLE).any():
        row = part.start + int((missing == IMPOSSIBLE).argmax())
        raise HandError("bad-form", f"row {row}: the melds of this hand forbid every form that counts")
    return missing - np.int8(1)


def _unseen(counts: Bytes, suits: Suits, seen: Bytes | None, part: slice, copies: Bytes) -> Bytes:
    """Return uint8[rows, kinds]: copies left of each of the kinds of which ``copies`` says how many there are."""
    held, kinds = counts[part], len(copies)
    if kinds > PLAIN_KINDS:
        jokers = np.zeros(len(held), np.uint8) if suits.jokers is None else suits.jokers.astype(np.uint8)
        held = np.column_stack((held, jokers))
    most = MOST_COPIES if kinds == PLAIN_KINDS else copies  # a row of copies would take longer
    left: Bytes = most - held
    if seen is None and kinds == PLAIN_KINDS:
        return left
    over = held > most
    if seen is not None:
        over |= seen[part] > left
        left -= seen[part]
    if over.any():
        row, kind = np.argwhere(over)[0].tolist()
        given = int(held[row, kind]) + (0 if seen is None else int(seen[part][row, kind]))
        where = f"row {part.start + row}: {given} copies of '{TILES[kind]}' in the hand and seen"
        raise HandError("too-many", f"{where}; there are {copies[kind]}")
    return left


def _without(counts: Bytes, suits: Suits, hand: NDArray[np.intp], kind: NDArray[np.intp]) -> tuple[Bytes, Suits]:
    """Return hands without one tile of a kind each."""
    after = counts[hand]
    keys, tiles = suits.keys[:, hand], suits.tiles[hand] - 1
    jokers = None if suits.jokers is None else suits.jokers[hand] - (kind == PLAIN_KINDS)
    row = np.flatnonzero(kind < PLAIN_KINDS)
    plain = kind[row]
    after[row, plain] -= 1
    keys[plain // 9, row] -= np.array(WEIGHTS)[plain]
    return after, Suits(keys, tiles, jokers)


def _ranked(found: list[Discarded]) -> Discarded:
    """Return discards as one, those of each hand best first."""
    names = ("shanten", "left", "hand", "kind")
    whole = Discarded(**{name: np.concatenate([getattr(each, name) for each in found]) for name in names})
    order = np.lexsort(
        (whole.kind, -whole.kinds.astype(np.int16), -whole.copies.astype(np.int16), whole.shanten, whole.hand)
    )
    return Discarded(**{name: getattr(whole, name)[order] for name in names})


def helps_of(
    counts: Bytes, suits: Suits, forms: FormRules, melds: NDArray[np.uint8] | None
) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
    """Return the tiles missing for the nearest form, and bool[rows, 34]: the kinds that bring a nearest form nearer.

    Where the melds forbid every form, ``IMPOSSIBLE`` are missing. One more tile brings a form nearer by one at most, so
    a form that is farther off now is not the nearest then.
    """
    distances = {}
    for form, rule in forms.items():
        distance, allowed = distance_to(form, rule)(counts, suits), possible(form, suits, melds)
        distances[form] = distance if allowed is None else np.where(allowed, distance, np.uint8(_FAR))
    least = np.minimum.reduce(list(distances.values()))
    helps = np.zeros(counts.shape, np.bool_)
    if "standard" in distances:
        standard_helps(suits, least * (distances.pop("standard") == least), helps)
    for form, distance in distances.items():
        rows = np.flatnonzero((distance == least) & (least < _FAR))
        if len(rows):
            helps[rows] |= form_helps(form, forms[form], counts[rows], suits.rows(rows))
    helps &= counts < MOST_COPIES
    missing = least.view(np.int8)
    if suits.jokers is not None:
        missing = missing - suits.jokers.astype(np.int8)
    missing[least == _FAR] = IMPOSSIBLE
    return missing, helps


class Halves(NamedTuple):
    """Tables of ``ArrayTables`` as they are joined: with eight bits less to shift, and no type to change."""

    two_suits: NDArray[np.intp]
    """Shifted by 8."""
    suit_honors: NDArray[np.intp]
    honors: NDArray[np.intp]
    """Shifted by 8."""


@cache
def halves() -> Halves:
    """Return the tables, made on the first call."""
    known = tables()
    return Halves(
        two_suits=known.two_suits.astype(np.intp) << 8,
        suit_honors=known.suit_honors.astype(np.intp),
        honors=known.honors.astype(np.intp) << 8,
    )


def standard_helps(
    suits: Suits, distance: Bytes, helps: NDArray[np.bool_], kinds: Sequence[int] = range(PLAIN_KINDS)
) -> None:
    """Note in ``helps`` the kinds that leave fewer than ``distance`` tiles missing for the standard form.

    Of a kind of which there are four it says nothing, nor of one that is not among ``kinds``.
    """
    known, half_tables = tables(), halves()
    m, p, s, z = suits.classes()
    m8, p8, z8 = m << 8, p << 8, z << 8
    left, right = half_tables.two_suits.take(m8 | p), half_tables.suit_honors.take(z8 | s)
    sets = suits.tiles // 3 << 16
    left += sets
    right += sets
    # Of each suit: its classes by key, the class of the suit that it is joined with, the table in which the two meet,
    # and the other half.
    parts = (
        (known.suit, p8, half_tables.two_suits, right),
        (known.suit, m8, half_tables.two_suits, right),
        (known.suit, z8, half_tables.suit_honors, left),
        (half_tables.honors, s, half_tables.suit_honors, left),
    )
    for kind in kinds:
        weight = WEIGHTS[kind]
        classes, beside, meeting, half = parts[kind // 9]
        joined = beside | classes[weight:].take(suits.keys[kind // 9], mode="clip")
        whole = meeting.take(joined)
        whole += half
        np.less(known.missing.take(whole), distance, out=helps[:, kind])


def form_helps(form: str, rule: str, counts: Bytes, suits: Suits) -> NDArray[np.bool_]:
    """Return bool[rows, 34]: the kinds that bring hands nearer to a form; of a full kind it may say so too."""
    if form == "seven-pairs":
        return _seven_pairs_help(rule, counts, suits)
    if form == "thirteen-orphans":
        found: NDArray[np.bool_] = counts == 0
        found[~(counts[:, list(ORPHANS)] > 1).any(axis=1)] = True
        found &= _ORPHAN
        return found
    if form == "knitted-straight":
        return _knitted_straight_helps(counts, suits)
    now = distance_to(form, rule)(counts, suits)
    if form == "knitted":
        return knitted.kinds_that_help(counts, suits.keys, now)
    return unconnected.kinds_that_help(suits.keys, now)


def _seven_pairs_help(rule: str, counts: Bytes, suits: Suits) -> NDArray[np.bool_]:
    """Return what ``form_helps`` does: what is single, and where there are too few kinds, what could be single too."""
    if rule == "four":
        found: NDArray[np.bool_] = counts % 2 == 1
        kinds = (counts // 2).sum(axis=1) + found.sum(axis=1)
        found[kinds < _PAIRS] = True
        return found
    found = counts == 1
    kinds = suits.fields() >> SPECIAL_FIELDS[1] & (1 << SPECIAL_FIELDS[2] - SPECIAL_FIELDS[1]) - 1
    rows = np.flatnonzero(kinds < _PAIRS)
    found[rows] |= counts[rows] == 0
    return found


def _knitted_straight_helps(counts: Bytes, suits: Suits) -> NDArray[np.bool_]:
    """Return what ``form_helps`` does: of each best way to knit what is absent, and what helps the rest."""
    ways = knitted.straights(suits)
    least = np.minimum.reduce(ways)
    found = np.zeros(counts.shape, np.bool_)
    for kinds, missing in zip(knitted.KNITTED_KINDS, ways, strict=True):
        rows = np.flatnonzero(missing == least)
        if not len(rows):
            continue
        held = counts[rows]
        absent = (held == 0) & kinds
        rest = Suits(keys_of(held - ((held > 0) & kinds))[0], np.maximum(suits.tiles[rows] - _KNITTED, 0))
        helps = np.empty(held.shape, np.bool_)
        standard_helps(rest, least[rows] - np.count_nonzero(absent, axis=1).astype(np.uint8), helps)
        found[rows] |= absent | helps
    return found
