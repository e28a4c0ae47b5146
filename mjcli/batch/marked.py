"""Lines that say more than runs of tiles: melds, a winning tile, bonus tiles, jokers, context words.

What is read are the bytes between the digits: each has a role, a table says which role may follow which, and so nothing
of a line is passed over. What is unusual is not taken, even if ``mjcli.notation`` reads it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from enum import IntEnum
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjcli.batch.contexts import Won, contexts_of, contradicts
from mjcli.batch.hands import ADDED, BONUS_SHIFTS, EXPOSED, FEEDER, MELD_TYPES, NO_TILE, PLAYERS, REDS
from mjcli.batch.runs import (
    BLANK,
    CLASSES,
    END,
    RETURN,
    SUITS,
    Numbers,
    Runs,
    classes_of,
    copies_of,
    counts_of,
    is_foreign,
    is_over,
    meld_codes,
    reds_of,
    suit_of,
    without_key,
)
from mjcli.batch.suits import MOST_COPIES, Bytes
from mjcli.melds import MeldType, Relation
from mjcli.tiles import DEFAULT_SET, JOKER_KIND, PLAIN_KINDS, RANKS

__all__ = ["NOTHING_MARKED", "Marked", "last_keys", "read_marked"]

Places = NDArray[np.intp]
Truths = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class Marked:
    """Hands of which more is said than runs of tiles; most columns are those of ``mjcli.batch.hands.Hands``."""

    line: Places
    """intp[hands]: the line that says it."""
    blank: Places
    """intp[blanks]: the lines that hold nothing but blanks."""
    held: Numbers
    """uint64[hands, 4]: the concealed tiles and the winning tile of each suit, as numbers of ``mjcli.batch.runs``."""
    tiles: Places
    """intp[hands]: how many these are, with jokers."""
    melds: NDArray[np.uint8]
    marks: NDArray[np.uint16]
    win: NDArray[np.uint8]
    last: NDArray[np.uint8]
    drawn: Truths
    jokers: NDArray[np.uint8]
    bonus: NDArray[np.uint32]
    context: Mapping[str, NDArray[Any]]


NOTHING_MARKED: Final = Marked(
    line=np.empty(0, np.intp),
    blank=np.empty(0, np.intp),
    held=np.empty((0, 4), np.uint64),
    tiles=np.empty(0, np.intp),
    melds=np.empty((0, 4), np.uint8),
    marks=np.empty((0, 4), np.uint16),
    win=np.empty(0, np.uint8),
    last=np.empty(0, np.uint8),
    drawn=np.empty(0, np.bool_),
    jokers=np.empty(0, np.uint8),
    bonus=np.empty(0, np.uint32),
    context={},
)

MOST_MELDS: Final = 4
_MOST_DIGITS: Final = 15
"""A run of more is left to the one-hand path, and so is a line with more bonus tiles."""


class Role(IntEnum):
    """What a byte that is no digit does in a line; those from ``COMMA`` on start a part of it, which they name."""

    LETTER = 0
    """A suit letter, right after its digits."""
    BLANK = 1
    SECOND_PLUS = 2
    KONG = 3
    """An ``o`` or ``a`` that marks a kong."""
    FEEDER = 4
    PLACE = 5
    """A comma in brackets; a digit follows."""
    OTHER = 6
    COMMA = 7
    """A meld follows."""
    OPEN = 8
    PLUS = 9
    """The winning tile follows."""
    CLOSE = 10
    """Concealed tiles follow, as after the end of a line."""
    END = 11


_ROLE: Final = np.full(256, Role.OTHER, np.uint8)
for _chars, _role in (
    ("\n", Role.END),
    (SUITS, Role.LETTER),
    (" \r", Role.BLANK),
    (",", Role.COMMA),
    ("+", Role.PLUS),
    ("[(", Role.OPEN),
    ("])", Role.CLOSE),
    ("o", Role.KONG),
    ("lxr", Role.FEEDER),
):
    _ROLE[[CLASSES[char] for char in _chars]] = _role

_NEXT_PART: Final = (Role.BLANK, Role.COMMA, Role.PLUS, Role.OPEN, Role.END)
_FOLLOWS: Final[Mapping[Role, tuple[Role, ...]]] = {
    Role.END: (Role.LETTER, *_NEXT_PART),
    Role.LETTER: (Role.LETTER, *_NEXT_PART, Role.CLOSE, Role.KONG, Role.FEEDER, Role.PLACE),
    Role.BLANK: (Role.LETTER, *_NEXT_PART),
    Role.COMMA: (Role.LETTER, Role.BLANK),
    Role.PLUS: (Role.LETTER, Role.SECOND_PLUS),
    Role.SECOND_PLUS: (Role.LETTER,),
    Role.OPEN: (Role.LETTER,),
    Role.CLOSE: (Role.LETTER, *_NEXT_PART),
    Role.KONG: (Role.FEEDER, *_NEXT_PART),
    Role.FEEDER: _NEXT_PART,
    Role.PLACE: (Role.CLOSE,),
}
"""What may stand after each role; between a digit and the letter of its suit nothing does."""

_MAY_FOLLOW: Final = np.zeros(len(Role) << 4, np.bool_)
"""[role << 4 | role after it]"""
for _first, _seconds in _FOLLOWS.items():
    for _second in _seconds:
        _MAY_FOLLOW[_first << 4 | _second] = True

_ADDED_TO: Final = {"o": 1, "a": 2, "r": 4, "x": 8, "l": 12}
"""What each mark adds to the number that says how a meld after a comma was made."""
_MARK: Final = np.zeros(256, np.intp)
_MARK[[CLASSES[char] for char in _ADDED_TO]] = list(_ADDED_TO.values())

_BRACKET: Final = np.zeros(256, np.intp)
_BRACKET[[CLASSES["["], CLASSES["("]]] = 1, 2

_BAD: Final = 255
_NO_NUMBER: Final = 15
"""Says nothing of a meld, in whatever way it is written."""
_HONORS: Final = 1 + SUITS.index("z")
_JOKERS: Final = 1 + SUITS.index("j")
"""The number of the suit of jokers; those of bonus tiles are higher."""
_WHOLE: Final = 14


def _claims() -> Bytes:
    """Return uint8[bracket, number, type]: the mark of a meld, as of ``mjcli.batch.hands``; ``_BAD`` if there is none.

    The bracket is 0 after a comma, 1 ``[``, 2 ``(``; the number that of the marks after a comma, in brackets the digit.
    """
    found = np.full((3, 16, len(MELD_TYPES)), _BAD, np.uint8)
    for place, meld_type in enumerate(MELD_TYPES):
        kong, chow = meld_type is MeldType.KONG, meld_type is MeldType.CHOW
        for kind in ("", "o", "a") if kong else ("",):
            for feeder in ("", "l") if chow else ("", "r", "x", "l"):
                number = sum(_ADDED_TO[mark] for mark in kind + feeder)
                found[0, number, place] = _claim(not kong or bool(kind + feeder), kind == "a", feeder)
        found[1:, 0, place] = _claim(not kong, False, ""), _claim(True, False, "")
        for digit, feeder in enumerate("lxr", 1):
            found[1, digit, place] = _claim(True, False, "l" if chow else feeder)
            if kong:
                found[1, digit + 4, place] = _claim(True, True, feeder)
    return found


def _claim(exposed: bool, added: bool, feeder: str) -> int:
    player = PLAYERS.index(Relation(feeder) if feeder else None)
    return exposed << EXPOSED.shift | added << ADDED.shift | player << FEEDER.shift


_CLAIMS: Final = _claims()

_FIRST_KIND: Final = np.array([0, 0, 9, 18, 27, JOKER_KIND], np.uint8)
"""[suit] its first kind, of the suits that are no bonus tiles."""


def last_keys(text: Bytes, letter: Places) -> Bytes:
    """Return uint8[letters]: the key of the tile right before each suit letter, which is none of bonus tiles."""
    digit = text[letter - 1] - np.uint8(ord("0"))
    rank = np.where(digit == 0, np.uint8(5), digit) - np.uint8(1)
    kind: Bytes = _FIRST_KIND[suit_of(classes_of(text[letter]))] + rank
    keys: Bytes = 2 * kind + (digit != 0)
    return keys


class _Events(NamedTuple):
    """The bytes that are no digits, of the hands of some lines, in order; each line has its end as its last."""

    at: Places
    """intp[events]: where it stands."""
    kind: Bytes
    """uint8[events]: its class."""
    held: Numbers
    """uint64[events]: the digits right before it, as a number that is exact up to fifteen."""
    digits: Bytes
    """uint8[events]: how many these are, at most 255."""
    role: Bytes
    """uint8[events]: one of ``Role``."""
    row: Places
    """intp[events]: the row of its line."""

    def ends(self) -> Places:
        """Return where the lines end among the events."""
        return np.flatnonzero(self.role == Role.END)


class _Words(NamedTuple):
    """The context words of some lines."""

    start: Places
    end: Places
    row: Places


def read_marked(text: Bytes, runs: Runs, line: Places, start: Places, wanted: Truths, *, won: bool) -> Marked:
    """Return the hands of those lines of the wanted ones that can be taken.

    Args:
        text: uint8[bytes], whole lines.
        runs: of all of them.
        line: intp[events], in which line each event of ``runs`` is.
        start: intp[lines], where each line starts.
        wanted: bool[lines].
        won: as of ``mjcli.batch.read_lines``.
    """
    mine = wanted[line]
    lines = np.flatnonzero(wanted)
    events, words = _events(text, runs.take(mine), (wanted.cumsum() - 1)[line[mine]], start[lines])
    context, wrong = contexts_of(text, words.start, words.end, words.row, len(lines))
    blank = np.ones(len(lines), np.bool_)
    blank[words.row] = False
    is_said = (events.role != Role.BLANK) & (events.role != Role.END) | (events.digits > 0)
    blank[events.row[is_said]] = False
    found = _hands(text, events, wrong, lines, won=won)
    wrong |= _untrue(found, context, won=won)
    return _some(replace(found, blank=lines[blank], context=context), ~wrong & ~blank)


def _some(marked: Marked, rows: Truths) -> Marked:
    """Return some of the hands."""
    columns = {
        each.name: getattr(marked, each.name) for each in fields(Marked) if each.name not in ("blank", "context")
    }
    some = {name: column[rows] for name, column in columns.items()}
    context = {name: column[rows] for name, column in marked.context.items()}
    return Marked(**some, blank=marked.blank, context=context)


def _events(text: Bytes, runs: Runs, row: Places, start: Places) -> tuple[_Events, _Words]:
    """Return what stands in the hands of lines, and the words after them."""
    at, kind, held = runs
    before = np.empty_like(at)
    before[1:] = at[:-1]
    before[:1] = -1
    ends = np.flatnonzero(kind == END)
    before[ends[:-1] + 1] = start[1:] - 1
    before[:1] = start[:1] - 1
    digits = np.minimum(at - before - 1, 255).astype(np.uint8)
    role = _ROLE.take(kind)
    role[(kind == CLASSES["a"]) & (digits == 0)] = Role.KONG
    returns = np.flatnonzero(kind == RETURN)
    role[returns[(kind[returns + 1] != END) | (digits[returns + 1] > 0)]] = Role.OTHER
    events, words = _cut(text, _Events(at, kind, held, digits, role, row), len(start))
    _tell_apart(events)
    return events, words


def _cut(text: Bytes, events: _Events, rows: int) -> tuple[_Events, _Words]:
    """Return the events of the hands alone, and the words after them.

    A word starts with a lower-case letter after a blank that no digit follows; what follows it are words.
    """
    at, digits, role, row = events.at, events.digits, events.role, events.row
    begins = np.flatnonzero((events.kind == BLANK)[:-2] & (digits[1:-1] == 0) & (digits[2:] == 0)) + 1
    char = text[at[begins]]
    begins = begins[(char >= ord("a")) & (char <= ord("z"))][::-1]
    if not len(begins):
        return events, _Words(at[:0], at[:0], row[:0])
    word = np.full(rows, len(at))
    word[row[begins]] = begins  # of several the one assigned last, which is the first in the line
    place = np.arange(len(at))
    begun = word[row]
    between = np.flatnonzero(((role == Role.BLANK) | (role == Role.END)) & (place >= begun - 1))
    left, right = between[:-1], between[1:]
    apart = (row[left] == row[right]) & (at[right] - at[left] > 1)
    words = _Words(at[left[apart]] + 1, at[right[apart]], row[left[apart]])
    in_words = place >= begun
    digits[in_words] = 0
    rest = ~in_words | (role == Role.END)
    return _Events(*(column[rest] for column in events)), words


def _tell_apart(events: _Events) -> None:
    """Give the second ``+``, and the comma before a digit in brackets, their own roles."""
    role = events.role
    plus, comma = role == Role.PLUS, role == Role.COMMA
    role[1:][plus[1:] & plus[:-1]] = Role.SECOND_PLUS
    closing = (events.kind == CLASSES["]"]) & (events.digits == 1)
    role[:-1][comma[:-1] & closing[1:]] = Role.PLACE


class _Tiles(NamedTuple):
    """The runs of tiles of some lines, in order."""

    at: Places
    """intp[runs]: where the suit letter stands."""
    suit: Bytes
    held: Numbers
    digits: Bytes
    row: Places
    where: Bytes
    """uint8[runs]: the role that started this part of the line; concealed tiles stand after ends and brackets."""
    part: Places
    """intp[runs]: the number of this part."""
    numbers: Places
    """intp[parts]: the number that says how a meld was made; see ``_claims``."""
    brackets: Places
    """intp[parts]: where a meld stands: 0 after a comma, 1 in ``[``, 2 in ``(``."""


def _tiles(text: Bytes, events: _Events, wrong: Truths) -> _Tiles:
    """Return the runs; note in ``wrong`` the rows whose bytes do not stand in order."""
    role, row, kind = events.role, events.row, events.kind
    after = np.empty_like(role)
    after[1:] = role[:-1]
    after[:1] = Role.END
    letters = role == Role.LETTER
    sound = _MAY_FOLLOW.take(after << 4 | role)
    sound &= (events.digits > 0) == (letters | (after == Role.PLACE))
    sound &= events.digits <= _MOST_DIGITS

    starts = role >= Role.COMMA
    part = starts.cumsum()
    opening = np.flatnonzero(starts)
    opened = np.empty(len(opening) + 1, np.uint8)
    opened[0], opened[1:] = Role.END, role[opening]  # what is before the first start is as after an end
    letter = np.flatnonzero(letters)
    mine = part[letter]
    runs = np.bincount(mine, minlength=len(opened))
    matched = ((opened >= Role.CLOSE) | (runs == 1))[1:]
    closes = opened[1:] == Role.CLOSE
    matched &= closes == (opened[:-1] == Role.OPEN)
    close = np.flatnonzero(closes & matched)
    matched[close] &= kind[opening[close]] - kind[opening[close - 1]] == CLASSES["]"] - CLASSES["["]
    sound[opening[~matched]] = False

    marks = np.flatnonzero((role == Role.KONG) | (role == Role.FEEDER))
    sound[marks[opened[part[marks]] != Role.COMMA]] = False
    wrong[row[~sound]] = True

    numbers = np.bincount(part[marks], _MARK[kind[marks]], len(opened)).astype(np.intp)
    placed = np.flatnonzero((after == Role.PLACE) & (role == Role.CLOSE))
    digit = text[events.at[placed] - 1] - np.uint8(ord("0"))
    numbers[part[placed] - 1] = np.where(digit == 0, _NO_NUMBER, digit)
    brackets = np.zeros(len(opened), np.intp)
    brackets[1:] = _BRACKET[kind[opening]]
    return _Tiles(
        at=events.at[letter],
        suit=suit_of(kind[letter]),
        held=events.held[letter],
        digits=events.digits[letter],
        row=row[letter],
        where=opened[mine],
        part=mine,
        numbers=np.minimum(numbers, _NO_NUMBER),
        brackets=brackets,
    )


def _hands(text: Bytes, events: _Events, wrong: Truths, lines: Places, *, won: bool) -> Marked:
    """Return the hand of each row, without a context; note in ``wrong`` the rows that cannot be taken."""
    tiles = _tiles(text, events, wrong)
    rows, row, suit, digits = len(lines), tiles.row, tiles.suit, tiles.digits
    melded = (tiles.where == Role.COMMA) | (tiles.where == Role.OPEN)
    winning = np.flatnonzero(tiles.where == Role.PLUS)
    bonus = suit > _JOKERS
    wrong[row[bonus & (tiles.where < Role.CLOSE)]] = True
    wrong[row[winning[digits[winning] != 1]]] = True

    width = 1 + len(SUITS)
    held = np.zeros((rows, width), np.uint64)
    own = np.flatnonzero(~melded)
    np.add.at(held.ravel(), row[own] * width + suit[own], tiles.held[own])
    for number in range(_HONORS, width):
        wrong |= is_foreign(number, held[:, number])
    count = _sums(digits[own] * ~bonus[own], row[own], rows)
    melds, marks = _melds(tiles, melded, held[:, 1:5], wrong)
    whole = count + 3 * np.count_nonzero(melds, axis=1)
    laid = _sums(digits[bonus], row[bonus], rows)
    wrong |= (whole > _WHOLE) | (whole % 3 == 0) | (laid > _MOST_DIGITS)
    if won:
        wrong |= whole < _WHOLE - (laid > 0)  # a flower may win before a tile replaces it

    winning = winning[~wrong[row[winning]]]
    win = np.full(rows, NO_TILE, np.uint8)
    win[row[winning]] = last_keys(text, tiles.at[winning])
    wins = np.bincount(row[winning], minlength=rows)
    wrong |= (wins > 1) | ((wins == 1) & (whole % 3 != 2))
    end = np.zeros(rows, np.intp)
    ending = own[~bonus[own]]
    end[row[ending]] = tiles.at[ending]  # of several the one assigned last, which stands last
    last = np.full(rows, NO_TILE, np.uint8)
    unmarked = np.flatnonzero((end > 0) & (wins == 0) & (whole % 3 == 2))
    last[unmarked] = last_keys(text, end[unmarked])
    jokers = copies_of(held[:, _JOKERS], 1).astype(np.uint8)
    wrong |= jokers > MOST_COPIES
    return Marked(
        line=lines,
        blank=lines[:0],
        held=held[:, 1:5],
        tiles=count,
        melds=melds,
        marks=marks,
        win=win,
        last=last,
        drawn=np.bincount(events.row[events.role == Role.SECOND_PLUS], minlength=rows) > 0,
        jokers=jokers,
        bonus=_bonus(held[:, _JOKERS + 1 :], wrong),
        context={},
    )


def _sums(numbers: Bytes, row: Places, rows: int) -> Places:
    """Return the sum of the numbers of each row."""
    return np.bincount(row, numbers, rows).astype(np.intp)


def _melds(tiles: _Tiles, melded: Truths, held: Numbers, wrong: Truths) -> tuple[Bytes, NDArray[np.uint16]]:
    """Return the codes and marks of melds, of each row in order.

    Rows with what is no meld, with more than four, or with a fifth copy of a tile are noted in ``wrong``.
    """
    rows = len(held)
    codes, marks = np.zeros((rows, MOST_MELDS), np.uint8), np.zeros((rows, MOST_MELDS), np.uint16)
    for place in range(held.shape[1]):
        wrong |= is_over(held[:, place])
    meld = np.flatnonzero(melded)
    row, suit, lying, part = tiles.row[meld], tiles.suit[meld], tiles.held[meld], tiles.part[meld]
    code = meld_codes(suit, lying)
    code[(tiles.digits[meld] > MOST_COPIES) | is_foreign(suit, lying)] = 0
    claim = _CLAIMS[tiles.brackets[part], tiles.numbers[part], (code - np.uint8(1)) // PLAIN_KINDS % len(MELD_TYPES)]
    several = np.bincount(row, minlength=rows)
    turn = np.arange(len(meld)) - (several.cumsum() - several)[row]
    wrong[row[(code == 0) | (claim == _BAD) | (turn >= MOST_MELDS)]] = True
    seen = held.copy()
    for place in range(min(MOST_MELDS, several.max(initial=0))):
        one = np.flatnonzero((turn == place) & ~wrong[row])
        at, beside = row[one], suit[one] - 1
        codes[at, place] = code[one]
        marks[at, place] = claim[one] | reds_of(lying[one]).astype(np.uint16) << REDS.shift
        together = seen[at, beside] + without_key(lying[one])
        seen[at, beside] = together
        wrong[at[is_over(together)]] = True
    return codes, marks


def _bonus(held: Numbers, wrong: Truths) -> NDArray[np.uint32]:
    """Return the bonus tiles of each row, of the numbers of their suits; too many copies are noted in ``wrong``."""
    found = np.zeros(len(held), np.uint32)
    if held.any():
        kinds = [(place, rank) for place, suit in enumerate(SUITS[_JOKERS:]) for rank in range(1, RANKS[suit] + 1)]
        for (place, rank), shift, most in zip(kinds, BONUS_SHIFTS, DEFAULT_SET.copies[JOKER_KIND + 1 :], strict=True):
            copies = copies_of(held[:, place], rank).astype(np.uint32)
            wrong |= copies > most
            found |= copies << np.uint32(shift)
    return found


def _untrue(hands: Marked, context: Mapping[str, NDArray[Any]], *, won: bool) -> Truths:
    """Return whether the context of each hand cannot be true of it."""
    if not context:
        return np.zeros(len(hands.line), np.bool_)
    win, drawn = hands.win, hands.drawn
    sets = hands.tiles // 3 + (hands.melds > 0).sum(axis=1)
    if won:
        by_word = np.zeros(len(win), np.bool_)
        for name in ("self_draw", "kong_draw", "flower_draw", "rob_own_kong"):
            by_word |= context.get(name, np.zeros(1, np.uint8)) > 0
        drawn = np.where(win == NO_TILE, by_word & (hands.last != NO_TILE), drawn)
        win = np.where(win == NO_TILE, hands.last, win)
    exposed: Truths = np.any(EXPOSED.of(hands.marks) > 0, axis=1)
    known = Won(counts_of(hands.held), hands.melds, exposed, win, drawn, sets)
    return contradicts(context, known, winds=won)
