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
from mjcli.batch.hands import (
    ADDED,
    BONUS_BITS,
    BONUS_SHIFTS,
    EXPOSED,
    FEEDER,
    JOKERS,
    MELD_TYPES,
    NO_TILE,
    PLAYERS,
    REDS,
)
from mjcli.batch.melds import melded_counts, melded_jokers, number_of_melds
from mjcli.batch.scanning import (
    BLANK,
    CLASSES,
    END,
    IS_SIZE,
    RETURN,
    SUITS,
    Numbers,
    Runs,
    copies_of,
    counts_of,
    is_foreign,
    is_over,
    last_keys,
    meld_codes,
    read_runs,
    reds_of,
    suit_of,
    without_key,
)
from mjcli.batch.suits import MOST_COPIES, Bytes
from mjcli.melds import MeldType, Relation
from mjcli.tiles import DEFAULT_SET, JOKER_KIND, KINDS, PLAIN_KINDS, RANKS

__all__ = ["NOTHING_MARKED", "Marked", "read_marked"]

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
    """uint64[hands, 4]: the concealed tiles and the winning tile of each suit, as ``scanning`` packs them."""
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
    """What a byte that is no digit does in a line."""

    CONCEALED = 0
    """A suit letter, as are those up to ``WINNING``: of concealed tiles, ..."""
    MELD = 1
    """... of a meld after a comma, ..."""
    SQUARE = 2
    ROUND = 3
    """... in brackets, ..."""
    WINNING = 4
    """... or of the winning tile."""
    BLANK = 5
    BREAK = 6
    """A blank after which no concealed tiles stand."""
    COMMA = 7
    LATE_COMMA = 8
    """The blank after a comma."""
    PLUS = 9
    SECOND_PLUS = 10
    OPEN_SQUARE = 11
    OPEN_ROUND = 12
    CLOSE_SQUARE = 13
    CLOSE_ROUND = 14
    KONG = 15
    """An ``o`` or ``a`` that marks a kong."""
    FEEDER = 16
    PLACE = 17
    """A comma in brackets; a digit follows."""
    JOKERS = 18
    """The suit letter of jokers in a meld, after its other tiles."""
    EQUALS = 19
    STANDS = 20
    """The suit letter of the tiles that jokers in a meld stand for."""
    END = 21
    OTHER = 22


_ROLE: Final = np.full(256, Role.OTHER, np.uint8)
"""[class] the role by the byte alone."""
for _chars, _role in (
    (SUITS, Role.CONCEALED),
    (" \r", Role.BLANK),
    (",", Role.COMMA),
    ("+", Role.PLUS),
    ("[", Role.OPEN_SQUARE),
    ("(", Role.OPEN_ROUND),
    ("]", Role.CLOSE_SQUARE),
    (")", Role.CLOSE_ROUND),
    ("o", Role.KONG),
    ("lxr", Role.FEEDER),
    ("=", Role.EQUALS),
    ("\n", Role.END),
):
    _ROLE[[CLASSES[char] for char in _chars]] = _role

_ROLES: Final = np.uint16(len(Role))

_ROLE_AFTER: Final = np.tile(np.arange(len(Role), dtype=np.uint8), len(Role))
"""[role before it * roles + role by the byte alone] its role."""
for _first, _second, _role in (
    (Role.COMMA, Role.CONCEALED, Role.MELD),
    (Role.OPEN_SQUARE, Role.CONCEALED, Role.SQUARE),
    (Role.OPEN_ROUND, Role.CONCEALED, Role.ROUND),
    (Role.PLUS, Role.CONCEALED, Role.WINNING),
    (Role.EQUALS, Role.CONCEALED, Role.STANDS),
    (Role.PLUS, Role.PLUS, Role.SECOND_PLUS),
):
    _ROLE_AFTER[_first * len(Role) + _second] = _role

_NEXT_PART: Final = (Role.COMMA, Role.PLUS, Role.OPEN_SQUARE, Role.OPEN_ROUND, Role.END)
_FOLLOWS: Final[Mapping[Role, tuple[Role, ...]]] = {
    Role.END: (Role.CONCEALED, Role.BLANK, *_NEXT_PART),
    Role.CONCEALED: (Role.CONCEALED, Role.BLANK, *_NEXT_PART),
    Role.BLANK: (Role.CONCEALED, Role.BLANK, *_NEXT_PART),
    Role.COMMA: (Role.MELD, Role.LATE_COMMA),
    Role.LATE_COMMA: (Role.MELD,),
    Role.MELD: (Role.JOKERS, Role.EQUALS, Role.KONG, Role.FEEDER, Role.BREAK, *_NEXT_PART),
    Role.JOKERS: (Role.EQUALS,),
    Role.EQUALS: (Role.STANDS,),
    Role.STANDS: (Role.KONG, Role.FEEDER, Role.BREAK, *_NEXT_PART),
    Role.KONG: (Role.FEEDER, Role.BREAK, *_NEXT_PART),
    Role.FEEDER: (Role.BREAK, *_NEXT_PART),
    Role.BREAK: _NEXT_PART,
    Role.OPEN_SQUARE: (Role.SQUARE,),
    Role.SQUARE: (Role.PLACE, Role.CLOSE_SQUARE),
    Role.PLACE: (Role.CLOSE_SQUARE,),
    Role.CLOSE_SQUARE: (Role.CONCEALED, Role.BLANK, *_NEXT_PART),
    Role.OPEN_ROUND: (Role.ROUND,),
    Role.ROUND: (Role.CLOSE_ROUND,),
    Role.CLOSE_ROUND: (Role.CONCEALED, Role.BLANK, *_NEXT_PART),
    Role.PLUS: (Role.SECOND_PLUS, Role.WINNING),
    Role.SECOND_PLUS: (Role.WINNING,),
    Role.WINNING: (Role.BREAK, *_NEXT_PART),
}
"""What may stand after each role, digits apart."""

_MAY_FOLLOW: Final = np.zeros(len(Role) ** 2, np.bool_)
"""[role * roles + role after it]"""
for _first, _seconds in _FOLLOWS.items():
    for _second in _seconds:
        _MAY_FOLLOW[_first * len(Role) + _second] = True

_ADDED_TO: Final = {"o": 1, "a": 2, "r": 4, "x": 8, "l": 12}
"""What each mark adds to the number that says how a meld after a comma was made."""
_MARK: Final = np.zeros(256, np.intp)
_MARK[[CLASSES[char] for char in _ADDED_TO]] = list(_ADDED_TO.values())

_BAD: Final = 255
_NO_NUMBER: Final = 15
"""Says nothing of a meld, in whatever way it is written."""
_BREAKS: Final = np.isin(np.arange(len(Role)), (Role.MELD, Role.STANDS, Role.KONG, Role.FEEDER, Role.WINNING))
"""Whether a blank after a role is a ``BREAK``."""

_HONORS: Final = 1 + SUITS.index("z")
_JOKERS: Final = 1 + SUITS.index("j")
"""The number of the suit of jokers; those of bonus tiles are higher."""
_WHOLE: Final = 14
_DRAWS: Final = np.arange(_WHOLE + 2) % 3 == 2
"""Whether so many tiles are a hand that has drawn; what is said of more does not matter."""


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

    def take(self, events: NDArray[np.intp] | Truths) -> _Events:
        """Return some of them."""
        at, kind, held, digits, role, row = self
        return _Events(at[events], kind[events], held[events], digits[events], role[events], row[events])


class _Words(NamedTuple):
    """The context words of some lines."""

    start: Places
    end: Places
    row: Places


def read_marked(text: Bytes, line: Places, *, won: bool) -> Marked:
    """Return the hands of those lines that can be taken.

    Args:
        text: uint8[bytes], whole lines.
        line: intp[lines], the number that is given for each of them.
        won: as of ``mjcli.batch.read_lines``.
    """
    runs = read_runs(text)
    events = _events(runs, np.repeat(np.arange(len(line)), np.diff(np.flatnonzero(runs.kind == END), prepend=-1)))
    events, words = _cut(text, events, len(line))
    context, wrong = contexts_of(text, words.start, words.end, words.row, len(line))
    _know_roles(events, wrong)
    found = _hands(text, events, wrong, line, won=won)
    wrong |= _untrue(found, context, won=won)
    blank = line[_blank(events, words, np.flatnonzero(wrong))]
    return _some(replace(found, blank=blank, context=context), ~wrong)


def _blank(events: _Events, words: _Words, rows: Places) -> Places:
    """Return those of the rows that hold nothing but blanks."""
    if not len(rows):
        return rows
    is_blank = (events.role >= Role.BLANK) & (events.role <= Role.BREAK) | (events.role == Role.END)
    said = events.row[~is_blank | (events.digits > 0)]
    return rows[~np.isin(rows, said) & ~np.isin(rows, words.row)]


def _some(marked: Marked, rows: Truths) -> Marked:
    """Return some of the hands."""
    if rows.all():
        return marked
    names = [each.name for each in fields(Marked) if each.name not in ("blank", "context")]
    columns = {name: getattr(marked, name)[rows] for name in names}
    context = {name: column[rows] for name, column in marked.context.items()}
    return Marked(**columns, blank=marked.blank, context=context)


def _events(runs: Runs, row: Places) -> _Events:
    """Return the events of whole lines, with the roles that they have by themselves."""
    at, kind, held = runs
    digits = np.empty(len(at), np.uint8)
    digits[:1] = np.minimum(at[:1], 255)
    digits[1:] = np.minimum(at[1:] - at[:-1] - 1, 255)
    role = _ROLE.take(kind)
    role[(kind == CLASSES["a"]) & (digits == 0)] = Role.KONG
    returns = np.flatnonzero(kind == RETURN)
    role[returns[(kind[returns + 1] != END) | (digits[returns + 1] > 0)]] = Role.OTHER
    return _Events(at, kind, held, digits, role, row)


def _cut(text: Bytes, events: _Events, rows: int) -> tuple[_Events, _Words]:
    """Return the events of the hands alone, and the words after them.

    A word starts with a lower-case letter after a blank that no digit follows; all that follows are words.
    """
    at, digits, role, row = events.at, events.digits, events.role, events.row
    begins = np.flatnonzero((events.kind == BLANK)[:-2] & (digits[1:-1] == 0) & (digits[2:] == 0)) + 1
    char = text[at[begins]]
    begins = begins[(char >= ord("a")) & (char <= ord("z"))][::-1]
    if not len(begins):
        return events, _Words(at[:0], at[:0], row[:0])
    word = np.full(rows, len(at))
    word[row[begins]] = begins  # of several the one assigned last, which is the first in the line
    place, begun = np.arange(len(at)), word[row]
    between = np.flatnonzero(((role == Role.BLANK) | (role == Role.END)) & (place >= begun - 1))
    left, right = between[:-1], between[1:]
    apart = (row[left] == row[right]) & (at[right] - at[left] > 1)
    words = _Words(at[left[apart]] + 1, at[right[apart]], row[left[apart]])
    in_words = place >= begun
    digits[in_words] = 0
    return events.take(~in_words | (role == Role.END)), words


def _know_roles(events: _Events, wrong: Truths) -> None:
    """Make the roles of events those that they have by what stands before; note in ``wrong`` rows out of order."""
    role, digits = events.role, events.digits
    closing = np.flatnonzero((role == Role.CLOSE_SQUARE) & (digits == 1))
    place = closing[role[closing - 1] == Role.COMMA] - 1
    role[place] = Role.PLACE
    role[:] = _ROLE_AFTER.take(_after(role) * _ROLES + role)
    blank = np.flatnonzero(role == Role.BLANK)
    late = blank[role[blank - 1] == Role.COMMA]
    role[late] = Role.LATE_COMMA
    role[late[role[late + 1] == Role.CONCEALED] + 1] = Role.MELD
    role[blank[_BREAKS.take(role[blank - 1])]] = Role.BREAK
    equals = np.flatnonzero(role == Role.EQUALS)
    jokers = equals[(role[equals - 1] == Role.CONCEALED) & (role[equals - 2] == Role.MELD)] - 1
    role[jokers] = Role.JOKERS
    after = _after(role)
    sound = _MAY_FOLLOW.take(after * _ROLES + role)
    letters = (role <= Role.WINNING) | (role == Role.JOKERS) | (role == Role.STANDS)
    sound &= (digits > 0) == (letters | (after == Role.PLACE))
    sound &= digits <= _MOST_DIGITS
    wrong[events.row[np.flatnonzero(~sound)]] = True


def _after(role: Bytes) -> NDArray[np.uint16]:
    """Return the role before each."""
    found = np.empty(len(role), np.uint16)
    found[:1], found[1:] = Role.END, role[:-1]
    return found


def _hands(text: Bytes, events: _Events, wrong: Truths, lines: Places, *, won: bool) -> Marked:
    """Return the hand of each row, without a context; note in ``wrong`` the rows that cannot be taken."""
    rows, role, row, at = len(lines), events.role, events.row, events.at
    own = (role == Role.CONCEALED) | (role == Role.WINNING)
    suit = suit_of(events.kind) * own
    bonus = suit > _JOKERS
    counted = (suit > 0) & ~bonus
    held = np.zeros((rows, 1 + len(SUITS)), np.uint64)
    np.add.at(held.ravel(), row * held.shape[1] + suit, events.held)
    count = np.bincount(row, events.digits * counted, rows).astype(np.intp)
    melds, marks, several = _melds(text, events, held[:, 1:5], wrong)
    whole = count + 3 * several
    wrong |= ~IS_SIZE.take(whole, mode="clip") | is_foreign(_HONORS, held[:, _HONORS])
    jokers, laid = np.zeros(rows, np.uint8), np.zeros(rows, np.intp)
    if held[:, _JOKERS].any():
        jokers = copies_of(held[:, _JOKERS], 1).astype(np.uint8)
        wrong |= (jokers > MOST_COPIES) | is_foreign(_JOKERS, held[:, _JOKERS])
    if marks.max(initial=0) >> JOKERS.shift:
        wrong |= jokers + melded_jokers(melds, marks) > MOST_COPIES
    if bonus.any():
        laid = np.bincount(row, events.digits * bonus, rows).astype(np.intp)
        wrong |= laid > _MOST_DIGITS
    if won:
        wrong |= whole < _WHOLE - (laid > 0)  # a flower may win before a tile replaces it

    winning = np.flatnonzero(role == Role.WINNING)
    wrong[row[winning[bonus[winning] | (events.digits[winning] != 1)]]] = True
    winning = winning[~wrong[row[winning]]]
    wins = np.bincount(row[winning], minlength=rows)
    draws = _DRAWS.take(whole, mode="clip")
    wrong |= (wins > 1) | ((wins == 1) & ~draws)
    win = np.full(rows, NO_TILE, np.uint8)
    win[row[winning]] = last_keys(text, at[winning])
    ending = counted & (role == Role.CONCEALED)
    ending[:-1] &= ~ending[1:]
    ends = np.flatnonzero(ending)
    end = np.zeros(rows, np.intp)
    end[row[ends]] = at[ends]  # of several the one assigned last, which stands last
    unmarked = np.flatnonzero((end > 0) & (wins == 0) & draws)
    last = np.full(rows, NO_TILE, np.uint8)
    last[unmarked] = last_keys(text, end[unmarked])
    drawn = np.zeros(rows, np.bool_)
    drawn[row[np.flatnonzero(role == Role.SECOND_PLUS)]] = True
    return Marked(
        line=lines,
        blank=lines[:0],
        held=held[:, 1:5],
        tiles=count,
        melds=melds,
        marks=marks,
        win=win,
        last=last,
        drawn=drawn,
        jokers=jokers,
        bonus=_bonus(held[:, _JOKERS + 1 :], wrong),
        context={},
    )


def _melds(
    text: Bytes, events: _Events, held: Numbers, wrong: Truths
) -> tuple[Bytes, NDArray[np.uint16], NDArray[np.intp]]:
    """Return the codes and marks of melds, of each row in order, and how many each row has.

    Rows with what is no meld, with more than four, or with a fifth copy of a tile are noted in ``wrong``.
    """
    rows, role = len(held), events.role
    codes, marks = np.zeros((rows, MOST_MELDS), np.uint8), np.zeros((rows, MOST_MELDS), np.uint16)
    meld = np.flatnonzero((role >= Role.MELD) & (role <= Role.ROUND))
    row, lying, suit = events.row.take(meld), events.held.take(meld), suit_of(events.kind.take(meld))
    digits, whole, jokers = events.digits.take(meld), lying, np.zeros(len(meld), np.uint16)
    equals = np.flatnonzero(role == Role.EQUALS)
    equals = equals[~wrong[events.row[equals]]]
    if len(equals):
        place = np.searchsorted(meld, equals) - 1
        lying, whole = lying.copy(), lying.copy()
        suit[place], lying[place], whole[place], digits[place] = _with_jokers(events, meld[place], equals, wrong)
    code = meld_codes(suit, whole)
    code[(digits > MOST_COPIES) | is_foreign(suit, whole)] = 0
    if len(equals):
        jokers[place] = _joker_bits(code[place], whole[place] - lying[place])
    number = _numbers(text, events, meld, wrong)
    meld_type = (code - np.uint8(1)) // PLAIN_KINDS % len(MELD_TYPES)
    claim = _CLAIMS.take(
        (role.take(meld) - Role.MELD) * np.intp(16 * len(MELD_TYPES)) + number * len(MELD_TYPES) + meld_type
    )
    several = np.bincount(row, minlength=rows)
    turn = np.arange(len(meld)) - (several.cumsum() - several).take(row)
    bad = np.flatnonzero((code == 0) | (claim == _BAD) | (turn >= MOST_MELDS))
    if len(bad):
        wrong[row[bad]] = True
        rest = np.flatnonzero(~wrong[row])
        row, turn, lying, suit, code = row[rest], turn[rest], lying[rest], suit[rest], code[rest]
        claim, jokers = claim[rest], jokers[rest]
    cell = row * MOST_MELDS + turn
    codes.ravel()[cell] = code
    marks.ravel()[cell] = claim | reds_of(lying).astype(np.uint16) << REDS.shift | jokers << np.uint16(JOKERS.shift)

    # Added up in two halves, four concealed copies and two kongs at most in one, so that a sum cannot overflow unseen.
    halves = np.zeros((2, rows * 4), np.uint64)
    np.add.at(halves.ravel(), (turn & 1) * (rows * 4) + row * 4 + (suit - 1), without_key(lying))
    own = np.ascontiguousarray(without_key(held)).ravel()
    first, second = halves
    over = is_over(own) | is_over(second)
    first += own
    over |= is_over(first)
    first += second
    over |= is_over(first)
    wrong |= over.reshape(rows, 4).view(np.uint32).ravel() != 0
    return codes, marks, several


def _with_jokers(events: _Events, meld: Places, equals: Places, wrong: Truths) -> tuple[Bytes, Numbers, Numbers, Bytes]:
    """Return for each meld with jokers its suit, what lies beside them, what it is as a whole, and how many tiles.

    Rows in which jokers do not stand for as many tiles of the same suit are noted in ``wrong``.
    """
    before, after = equals - 1, equals + 1
    alone = events.role[before] == Role.MELD
    suit, stands = suit_of(events.kind[after]), events.held[after]
    lying = np.where(alone, np.uint64(0), events.held[meld])
    bad = suit_of(events.kind[before]) != _JOKERS
    bad |= is_foreign(_JOKERS, events.held[before]) | (events.digits[before] != events.digits[after])
    bad |= ~alone & (suit_of(events.kind[meld]) != suit)
    bad |= reds_of(stands) > 0
    wrong[events.row[equals[bad]]] = True
    digits = np.where(alone, np.uint8(0), events.digits[meld]) + events.digits[after]
    return suit, lying, lying + stands, digits


def _joker_bits(code: Bytes, stands: Numbers) -> NDArray[np.uint16]:
    """Return what a mark says of the jokers in a meld, of the tiles that they stand for."""
    chow = (code > 0) & (code <= PLAIN_KINDS)
    first = np.where(chow, (code - np.uint8(1)) % 9, 0)
    ranks = [copies_of(stands, first + place) for place in range(1, 4)]
    bits = sum((ranks[place] > 0).astype(np.uint16) << np.uint16(place) for place in range(3))
    number = sum(copies_of(stands, rank) for rank in range(1, 10))
    return np.where(chow, bits, number).astype(np.uint16) & np.uint16(JOKERS.mask)


def _numbers(text: Bytes, events: _Events, meld: Places, wrong: Truths) -> Places:
    """Return how each meld, of the events that hold them, says that it was made; see ``_claims``."""
    found = np.zeros(len(meld), np.intp)
    saying = np.flatnonzero((events.role >= Role.KONG) & (events.role <= Role.PLACE))
    saying = saying[~wrong[events.row[saying]]]
    if len(saying):
        is_place = events.role[saying] == Role.PLACE
        digit = text[events.at[saying] + 1] - np.uint8(ord("0"))
        number = np.where(is_place, np.where(digit == 0, _NO_NUMBER, digit), _MARK[events.kind[saying]])
        np.add.at(found, np.searchsorted(meld, saying) - 1, number)
    return found


def _bonus(held: Numbers, wrong: Truths) -> NDArray[np.uint32]:
    """Return the bonus tiles of each row, of the numbers of their suits; too many copies are noted in ``wrong``."""
    found = np.zeros(len(held), np.uint32)
    if held.any():
        for place in range(held.shape[1]):
            wrong |= is_foreign(_JOKERS + 1 + place, held[:, place])
        kinds = [(place, rank) for place, suit in enumerate(SUITS[_JOKERS:]) for rank in range(1, RANKS[suit] + 1)]
        for (place, rank), shift, most in zip(kinds, BONUS_SHIFTS, DEFAULT_SET.copies[JOKER_KIND + 1 :], strict=True):
            copies = copies_of(held[:, place], rank).astype(np.uint32)
            wrong |= copies > most
            found |= copies << np.uint32(shift)
    return found


def _untrue(hands: Marked, context: Mapping[str, NDArray[Any]], *, won: bool) -> Truths:
    """Return whether the context of each hand cannot be true of it."""
    counts = counts_of(hands.held)
    held = np.zeros((len(counts), KINDS), np.uint8)
    if "seen" in context:
        held[:, :PLAIN_KINDS] = counts + melded_counts(hands.melds, hands.marks)
        held[:, JOKER_KIND] = hands.jokers + melded_jokers(hands.melds, hands.marks)
        for kind, shift, bits in zip(range(JOKER_KIND + 1, KINDS), BONUS_SHIFTS, BONUS_BITS, strict=True):
            held[:, kind] = hands.bonus >> np.uint32(shift) & np.uint32((1 << bits) - 1)
    sets = hands.tiles // 3 + number_of_melds(hands.melds)
    known = Won(counts, hands.melds, hands.marks, hands.win, hands.last, hands.drawn, sets, held)
    return contradicts(context, known, won=won)
