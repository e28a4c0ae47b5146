"""What follows the concealed tiles in lines as they are printed: melds after commas, a winning tile, context words.

Each of these is one of some hundred texts, none longer than sixteen bytes, so that it is read whole, as two numbers,
and found in a table. Lines in which anything is written otherwise are left to ``marked``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjcli.batch.contexts import Won, context_columns, contradicts, known_words, telling
from mjcli.batch.hands import NO_TILE, meld_code, meld_mark
from mjcli.batch.scanning import IS_SIZE, Numbers, counts_of, is_over, last_keys, read_runs, suit_of, without_key
from mjcli.batch.suits import Bytes
from mjcli.melds import Meld, MeldType, Relation
from mjcli.notation import format_meld
from mjcli.tiles import KINDS, PLAIN_KINDS, RANKS, TILES, Suit, Tile

__all__ = ["NO_TAILS", "Cut", "Tails", "cut", "read_tails", "tail_columns"]

Places = NDArray[np.intp]
Truths = NDArray[np.bool_]

MOST_MELDS: Final = 4
_EIGHT: Final = 8
_LONGEST: Final = 2 * _EIGHT
"""The bytes of the longest word, with the blank before it."""
_WHOLE: Final = 14

_PLUS: Final = ord("+")
_NEWLINE: Final = ord("\n")
_RETURN: Final = ord("\r")

_HEAD_AND_TAIL: Final = np.array((True, False))

_SIZES: Final = [*range(_LONGEST + 1), 0]
_LOW: Final = np.array([(1 << 8 * min(size, _EIGHT)) - 1 for size in _SIZES], np.uint64)
"""[size] the bits of so many bytes, of the first eight; none where there are too many ..."""
_HIGH: Final = np.array([(1 << 8 * max(size - _EIGHT, 0)) - 1 for size in _SIZES], np.uint64)
"""... and of the next eight."""
_SLOT_BITS: Final = 16
_STEP: Final = np.uint64(0x9E3779B97F4A7C15)
"""The factors that are tried are odd multiples of this."""


class Cut(NamedTuple):
    """Whole lines, taken apart at commas, pluses, blanks and ends; a plus right after another one is passed over."""

    heads: Bytes
    """uint8[bytes]: of each line what stands up to the first of these, this included."""
    at: Places
    """intp[cuts]: where these stand."""
    end: Places
    """intp[lines]: which of them are the ends of the lines."""


class Tails(NamedTuple):
    """The hands of some lines that have a tail."""

    line: Places
    """intp[hands]: the line that says it."""
    held: Numbers
    """uint64[hands, 4]: the concealed tiles and the winning tile of each suit, as ``scanning`` packs them."""
    tiles: Places
    """intp[hands]: how many these are."""
    start: Places
    """intp[hands]: the byte of the text at which the tail starts."""
    first: Places
    """intp[hands]: the cut at which the tail starts."""
    melds: Places
    """intp[hands]: how many melds there are."""
    win: Places
    """intp[hands]: the number of the text of the winning tile; 0 where there is none."""
    number: Places
    """intp[cuts]: the number of each text."""
    context: Mapping[str, NDArray[Any]]
    """What the words of each hand say, by the columns of ``mjcli.batch.hands.CONTEXT``."""


NO_TAILS: Final = Tails(
    line=np.empty(0, np.intp),
    held=np.empty((0, 4), np.uint64),
    tiles=np.empty(0, np.intp),
    start=np.empty(0, np.intp),
    first=np.empty(0, np.intp),
    melds=np.empty(0, np.intp),
    win=np.empty(0, np.intp),
    number=np.empty(0, np.intp),
    context={},
)


class _Texts(NamedTuple):
    """All texts by their numbers, first those of melds, last those of words; number 0 is none of them."""

    low: Numbers
    """Its first eight bytes as one number ..."""
    high: Numbers
    """... and the next eight."""
    size: Places
    """How many bytes it has."""
    held: Numbers
    """Its tiles, as ``scanning`` packs them; of melds without the key, so that they add up."""
    suit: Places
    """The place of their suit, 0-3."""
    code: Bytes
    mark: NDArray[np.uint16]
    win: Bytes
    drawn: Truths
    column: Places
    """The place of a word's column in ``mjcli.batch.hands.CONTEXT``."""
    value: Bytes
    first_win: int
    """The least number of a winning tile."""
    first_word: int
    factor: np.uint64
    """The highest bits of what is mixed of both numbers times this are a slot, ..."""
    number: NDArray[np.uint16]
    """... by which this is the number of the text, or of another one that has the slot."""


def _melds() -> Iterator[Meld]:
    """Yield every meld without jokers."""
    for meld_type in MeldType:
        kong, chow = meld_type is MeldType.KONG, meld_type is MeldType.CHOW
        ways = ((False, False), (True, False), (True, True)) if kong else ((True, False),)
        for first in TILES[:PLAIN_KINDS]:
            if chow and (first.suit is Suit.HONORS or first.rank > RANKS[first.suit] - 2):
                continue
            tiles = Meld(type=meld_type, first=first).tiles
            fives = sum(tile.rank == 5 and tile.suit is not Suit.HONORS for tile in tiles)
            for exposed, added in ways:
                feeders = (Relation.LEFT,) if chow else Relation if exposed else ()
                for feeder, reds in product((None, *feeders), range(fives + 1)):
                    yield Meld(type=meld_type, first=first, exposed=exposed, added=added, feeder=feeder, reds=reds)


@cache
def _texts() -> _Texts:
    texts, rows = [""], [(0, 0, NO_TILE, 0, 0, 0)]
    for meld in _melds():
        texts.append(f",{format_meld(meld)}")
        rows.append((meld_code(meld), meld_mark(meld), NO_TILE, 0, 0, 0))
    first_win = len(texts)
    for tile in (*TILES[:PLAIN_KINDS], *(Tile(tile.suit, 5, red=True) for tile in TILES[4:27:9])):
        for plus in ("+", "++"):
            texts.append(f"{plus}{tile}")
            rows.append((0, 0, tile.order, plus == "++", 0, 0))
    first_word = len(texts)
    known = known_words()
    for token, *said in zip(known.token.tolist(), known.column.tolist(), known.value.tolist(), strict=True):
        texts.append(f" {token.decode()}")
        rows.append((0, 0, NO_TILE, 0, *said))
    code, mark, win, drawn, column, value = np.array(rows, np.uint16).T
    runs = read_runs(np.frombuffer("".join(texts[:first_word]).encode(), np.uint8))
    letters = np.flatnonzero(runs.held)  # each text has one run
    held, suit = np.zeros(len(code), np.uint64), np.zeros(len(code), np.intp)
    held[1:first_word], suit[1:first_word] = runs.held[letters], suit_of(runs.kind[letters]) - 1
    held[code > 0] = without_key(held[code > 0])
    filled = b"".join(text.encode().ljust(_LONGEST, b"\0") for text in texts)
    low, high = np.frombuffer(filled, "<u8").astype(np.uint64).reshape(-1, 2).T.copy()
    factors = (np.arange(1, 1 << 12, 2).astype(np.uint64) * _STEP).tolist()
    factor = next(each for each in map(np.uint64, factors) if np.bincount(_slots(low, high, each)).max() == 1)
    number = np.zeros(1 << _SLOT_BITS, np.uint16)
    number[_slots(low, high, factor)] = np.arange(len(low))
    return _Texts(
        low=low,
        high=high,
        size=np.array(list(map(len, texts))),
        held=held,
        suit=suit,
        code=code.astype(np.uint8),
        mark=mark,
        win=win.astype(np.uint8),
        drawn=drawn > 0,
        column=column.astype(np.intp),
        value=value.astype(np.uint8),
        first_win=first_win,
        first_word=first_word,
        factor=factor,
        number=number,
    )


def _slots(low: Numbers, high: Numbers | None, factor: np.uint64) -> Places:
    """Return the slot of each text; of short ones, ``high`` may be left out."""
    mixed = low if high is None else low ^ high * _STEP
    return (mixed * factor >> np.uint64(64 - _SLOT_BITS)).view(np.intp)


def cut(text: Bytes, breaks: bytes) -> Cut:
    """Return whole lines, taken apart.

    Args:
        text: uint8[bytes], whole lines.
        breaks: which of comma, plus and blank there are.
    """
    ending = text == _NEWLINE
    if not breaks:
        at = np.flatnonzero(ending)
        return Cut(text, at, np.arange(len(at)))
    found = ending.copy()
    for char in breaks:
        here = text == char
        if char == _PLUS:
            here[1:] &= text[:-1] != _PLUS
        found |= here
    at = np.flatnonzero(found)
    end = np.flatnonzero(ending.take(at))
    bounds = np.empty((len(end), 2), np.intp)
    bounds[:1, 0], bounds[1:, 0] = at[:1], at.take(end[:-1] + 1)
    bounds[:, 1] = at.take(end)
    is_head = np.tile(_HEAD_AND_TAIL, len(end))
    return Cut(text[np.repeat(is_head, np.diff(bounds.ravel(), prepend=-1))], at, end)


def read_tails(text: Bytes, parts: Cut, heads: Numbers, sizes: Places, plain: Truths, *, won: bool) -> Tails:
    """Return those tails that can be taken.

    Args:
        text: uint8[bytes], whole lines.
        parts: of these lines.
        heads: uint64[lines, 4]: the tiles before the first comma or plus of each line.
        sizes: intp[lines]: how many these are.
        plain: bool[lines]: whether they are read so.
        won: as of ``mjcli.batch.read_lines``.
    """
    texts = _texts()
    number = _numbers(text, parts, texts)
    several = np.diff(parts.end, prepend=-1) - 1
    line = np.flatnonzero(plain & (several > 0))
    end, several = parts.end.take(line), several.take(line)
    first, words = end - several, _number_of_words(number, end, several, texts)
    win = number.take(end - words - 1)
    win[(win < texts.first_win) | (win >= texts.first_word)] = 0
    is_won = win > 0
    melds = several - words - is_won
    tiles = sizes.take(line) + is_won
    whole = tiles + 3 * melds
    wrong = whole != _WHOLE if won else ~IS_SIZE.take(whole, mode="clip")
    wrong |= is_won & (whole % 3 != 2)
    wrong |= melds > MOST_MELDS

    held = heads.take(line, axis=0)
    row = np.flatnonzero(is_won)
    wrong[row[_add(held, row, win.take(row), texts)]] = True
    lying = held.copy()
    for turn in range(min(int(melds.max(initial=0)), MOST_MELDS)):
        row = np.flatnonzero(melds > turn)
        each = number.take(first.take(row) + turn)
        wrong[row[(each == 0) | (each >= texts.first_win) | _add(lying, row, each, texts)]] = True
    found = Tails(line, held, tiles, parts.at.take(first), first, melds, win, number, {})
    if words.any():
        row = np.repeat(np.arange(len(line)), words)
        said = number.take(np.repeat(end - words.cumsum(), words) + np.arange(len(row)))
        context, twice = context_columns(texts.column.take(said), texts.value.take(said), row, len(line))
        found = found._replace(context=context)
        rows = telling(context, len(line))
        if len(rows):
            wrong[rows] |= _untrue(text, _some(found, rows), won=won)
        wrong |= twice
    return _some(found, np.flatnonzero(~wrong)) if wrong.any() else found


def _some(tails: Tails, rows: Places) -> Tails:
    """Return the tails of some of the hands."""
    names = ("line", "held", "tiles", "start", "first", "melds", "win")
    columns = {name: getattr(tails, name).take(rows, axis=0) for name in names}
    return tails._replace(**columns, context={name: column.take(rows) for name, column in tails.context.items()})


def _number_of_words(number: Places, end: Places, several: Places, texts: _Texts) -> Places:
    """Return how many words each line has."""
    is_word = number >= texts.first_word
    if not is_word.any():
        return np.zeros(len(end), np.intp)
    before = is_word.cumsum()
    words: Places = before.take(end) - before.take(end - several) + is_word.take(end - several)
    return words


def _numbers(text: Bytes, parts: Cut, texts: _Texts) -> Places:
    """Return the number of the text from each cut to the next one; 0 if it is none of those that are known."""
    padded = np.concatenate((text, np.zeros(_LONGEST, np.uint8)))
    eight = np.ndarray(len(text) + _EIGHT, "<u8", padded, strides=(1,))
    size = np.zeros(len(parts.at), np.intp)
    size[:-1] = parts.at[1:] - parts.at[:-1]
    size[parts.end] = 0
    returns = text.take(parts.at.take(parts.end) - 1) == _RETURN
    if returns.any():
        size[parts.end - 1] -= returns
    low = eight[parts.at].astype(np.uint64, copy=False) & _LOW.take(size, mode="clip")
    high = None
    if (size > _EIGHT).any():
        high = eight[parts.at + _EIGHT].astype(np.uint64, copy=False) & _HIGH.take(size, mode="clip")
    number = texts.number.take(_slots(low, high, texts.factor)).astype(np.intp)
    number[texts.low.take(number) != low] = 0
    number[texts.high.take(number) != (0 if high is None else high)] = 0
    if not text.all():  # a byte 0 at the end is in no text
        number[texts.size.take(number) != size] = 0
    return number


def _untrue(text: Bytes, tails: Tails, *, won: bool) -> Truths:
    """Return whether the context of each hand cannot be true of it."""
    columns = tail_columns(text, tails)
    counts, sets = counts_of(tails.held), tails.tiles // 3 + tails.melds
    no_tiles_seen = np.zeros((0, KINDS), np.uint8)
    known = Won(counts=counts, sets=sets, held=no_tiles_seen, **columns)
    return contradicts(tails.context, known, won=won)


def _add(held: Numbers, row: Places, number: Places, texts: _Texts) -> Truths:
    """Add the tiles of a text to each of the rows, none of them named twice; return which have a fifth copy then."""
    cell = row * held.shape[1] + texts.suit.take(number)
    tiles = held.ravel().take(cell) + texts.held.take(number)
    held.ravel()[cell] = tiles
    return is_over(tiles)


def tail_columns(text: Bytes, tails: Tails) -> dict[str, NDArray[Any]]:
    """Return what ``tails`` say of each hand, by the columns of ``mjcli.batch.hands.Hands``.

    Args:
        text: uint8[bytes], in which they stand.
        tails: of some of its lines.
    """
    texts = _texts()
    last = np.full(len(tails.line), NO_TILE, np.uint8)
    open_row = np.flatnonzero((tails.win == 0) & (tails.tiles % 3 == 2))
    last[open_row] = last_keys(text, tails.start[open_row] - 1)
    melds = np.zeros((len(tails.line), MOST_MELDS), np.intp)
    for turn in range(MOST_MELDS):
        row = np.flatnonzero(tails.melds > turn)
        melds[row, turn] = tails.number.take(tails.first.take(row) + turn)
    return {
        "melds": texts.code.take(melds),
        "marks": texts.mark.take(melds),
        "win": texts.win.take(tails.win),
        "last": last,
        "drawn": texts.drawn.take(tails.win),
    }
