"""Answers to lines of text, many at once: byte for byte those of the command line for one hand after the other.

A row is written as cells of fixed width, filled up with bytes 0, which are taken out of the whole at the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjcli.batch.answers import RankedDiscards, number_of_tiles
from mjcli.batch.distance import IMPOSSIBLE
from mjcli.batch.draws import Accepted
from mjcli.batch.hands import BONUS_BITS, BONUS_SHIFTS, NO_TILE, Hands, lines_of, meld_of
from mjcli.batch.segments import distinct
from mjcli.notation import format_context, format_meld
from mjcli.suits import MOST_SETS
from mjcli.tiles import JOKER_KIND, KINDS, PLAIN_KINDS, TILES

__all__ = [
    "merged",
    "words_of",
    "write_acceptance",
    "write_conversion_objects",
    "write_conversion_rows",
    "write_conversions",
    "write_discards",
    "write_hands",
    "write_shanten",
    "write_shanten_objects",
    "write_shanten_rows",
    "write_waits",
]

Bytes = NDArray[np.uint8]


def _cells(texts: Sequence[str]) -> Bytes:
    """Return uint8[texts, width]: texts as cells of one width."""
    width = max(map(len, texts))
    return np.frombuffer("".join(text.ljust(width, "\0") for text in texts).encode(), np.uint8).reshape(
        len(texts), width
    )


def _fixed(text: str, rows: int) -> Bytes:
    """Return the same cell for every row."""
    return np.broadcast_to(np.frombuffer(text.encode(), np.uint8), (rows, len(text)))


def _written(cells: Sequence[Bytes]) -> bytes:
    """Return rows of cells as they are written."""
    return _packed(np.concatenate(cells, axis=1))


def _packed(cells: NDArray[Any]) -> bytes:
    return cells.tobytes().translate(None, b"\0")


_LEAST: Final = -1
_MOST: Final = 14
_NUMBERS: Final = [str(number) for number in range(_LEAST, _MOST + 1)]


@cache
def _number_cells(impossible: str, ending: str) -> Bytes:
    """Return uint8[256, width]: the cell of each shanten as a byte, with what is written for an impossible one."""
    texts = ["?"] * 256
    for number, text in enumerate(_NUMBERS, _LEAST):
        texts[number] = text + ending
    texts[IMPOSSIBLE] = impossible + ending
    return _cells(texts)


def _numbers(shanten: NDArray[np.int8], impossible: str = "", ending: str = "") -> Bytes:
    return _number_cells(impossible, ending).take(shanten.view(np.uint8), axis=0)


def write_shanten(shanten: NDArray[np.int8]) -> bytes:
    r"""Return a line of text for each hand: its shanten.

    >>> write_shanten(np.array([3, -1], np.int8))
    b'3\n-1\n'

    Args:
        shanten: int8[rows]; ``IMPOSSIBLE`` is written as a dash.
    """
    return _packed(_shanten_lines().take(shanten.view(np.uint8)))


@cache
def _shanten_lines() -> NDArray[np.uint32]:
    """Return uint32[256]: the line of each shanten as a byte, in four bytes."""
    return np.pad(_number_cells("-", "\n"), ((0, 0), (0, 1))).view(np.uint32).ravel()


def write_shanten_rows(
    hands: Hands, shanten: NDArray[np.int8], forms: Mapping[str, NDArray[np.int8]], separator: str = "\t"
) -> bytes:
    r"""Return a row of TSV or CSV for each hand: hand, sets taken as made, nothing assumed, shanten, forms, no error.

    >>> from mjcli.batch.hands import hands_of
    >>> from mjcli.notation import parse_line
    >>> hands = hands_of([parse_line("77z123m")])
    >>> write_shanten_rows(hands, np.array([-1], np.int8), {"standard": np.array([-1], np.int8)})
    b'123m77z\t3\t\t-1\tstandard=-1\t\n'

    Args:
        hands: as read.
        shanten: int8[rows].
        forms: int8[rows] by form, in their order.
        separator: a tab, or a comma, for which hands with melds are quoted.
    """
    rows = len(hands)
    line = [*_quoted(hands, separator), _fixed(separator, rows), _assumed(hands, "", ""), _fixed(2 * separator, rows)]
    line += [_numbers(shanten), _fixed(separator, rows)]
    for place, (form, column) in enumerate(forms.items()):
        line += [_fixed(f"{' ' if place else ''}{form}=", rows), _numbers(column)]
    return _written([*line, _fixed(f"{separator}\n", rows)])


def _quoted(hands: Hands, separator: str) -> list[Bytes]:
    cells = _hand_cells(hands)
    if separator != ",":
        return cells
    quote = _cells(["", '"']).take(hands.melds[:, 0] > 0, axis=0)
    return [quote, *cells, quote]


def write_shanten_objects(hands: Hands, shanten: NDArray[np.int8], forms: Mapping[str, NDArray[np.int8]]) -> bytes:
    r"""Return a line of JSON for each hand, with the keys of ``write_shanten_rows`` that apply.

    >>> from mjcli.batch.hands import hands_of
    >>> from mjcli.notation import parse_line
    >>> hands = hands_of([parse_line("77z123m")])
    >>> write_shanten_objects(hands, np.array([-1], np.int8), {"seven-pairs": np.array([127], np.int8)})
    b'{"hand": "123m77z", "melds_assumed": 3, "shanten": -1, "forms": {"seven-pairs": null}}\n'
    """
    rows = len(hands)
    line = [_fixed('{"hand": "', rows), *_hand_cells(hands), _assumed(hands, '", "melds_assumed": ', '"')]
    line += [_fixed(', "shanten": ', rows), _numbers(shanten, "null"), _fixed(', "forms": {', rows)]
    for place, (form, column) in enumerate(forms.items()):
        line += [_fixed(f'{", " if place else ""}"{form}": ', rows), _numbers(column, "null")]
    return _written([*line, _fixed("}}\n", rows)])


def _assumed(hands: Hands, some: str, none: str) -> Bytes:
    """Return how many sets of each hand are taken as made, after ``some``; ``none`` where all are written."""
    assumed = MOST_SETS - number_of_tiles(hands) // 3
    return _cells([none, *(f"{some}{number}" for number in range(1, MOST_SETS + 1))]).take(assumed, axis=0)


def write_hands(hands: Hands) -> bytes:
    r"""Return a line for each hand: its canonical form, as ``mjcli.notation.format_hand`` gives it.

    >>> from mjcli.batch.hands import hands_of
    >>> from mjcli.notation import parse_line
    >>> write_hands(hands_of([parse_line("5z3m0m[678p,1]3333s+2m")]))
    b'30m3333s5z,678pl+2m\n'
    """
    return _written([*_hand_cells(hands), _fixed("\n", len(hands))])


def write_conversions(hands: Hands) -> bytes:
    r"""Return a line of text for each hand: its canonical form, and after it the words that are said of it.

    >>> from mjcli.batch.hands import hands_of
    >>> from mjcli.notation import parse_line
    >>> write_conversions(hands_of([parse_line("77z123m round=S seat=E"), parse_line("1z")]))
    b'123m77z seat=E round=S\n1z\n'
    """
    return _written([*_hand_cells(hands), _word_cells(hands, " "), _fixed("\n", len(hands))])


def write_conversion_rows(hands: Hands, separator: str = "\t") -> bytes:
    r"""Return a row of TSV or CSV for each hand: hand, sets taken as made, nothing assumed, words, hand, no error.

    >>> from mjcli.batch.hands import hands_of
    >>> from mjcli.notation import parse_line
    >>> write_conversion_rows(hands_of([parse_line("1z seat=E")]), ",")
    b'1z,4,,seat=E,1z,\n'

    Args:
        hands: as read.
        separator: a tab, or a comma, for which hands with melds are quoted.
    """
    rows, hand = len(hands), _quoted(hands, separator)
    line = [*hand, _fixed(separator, rows), _assumed(hands, "", ""), _fixed(2 * separator, rows)]
    line += [_word_cells(hands), _fixed(separator, rows), *hand, _fixed(f"{separator}\n", rows)]
    return _written(line)


def write_conversion_objects(hands: Hands) -> bytes:
    r"""Return a line of JSON for each hand, with the keys of ``write_conversion_rows`` that apply.

    >>> from mjcli.batch.hands import hands_of
    >>> from mjcli.notation import parse_line
    >>> write_conversion_objects(hands_of([parse_line("1z seat=E")]))
    b'{"hand": "1z", "melds_assumed": 4, "words": "seat=E", "text": "1z"}\n'
    """
    rows, hand = len(hands), _hand_cells(hands)
    line = [_fixed('{"hand": "', rows), *hand, _assumed(hands, '", "melds_assumed": ', '"')]
    line += [_fixed(', "words": "', rows), _word_cells(hands), _fixed('", "text": "', rows), *hand]
    return _written([*line, _fixed('"}\n', rows)])


def _word_cells(hands: Hands, before: str = "") -> Bytes:
    """Return the words that are said of each hand, as they are written; nothing, not even ``before``, without any."""
    texts, like = words_of(hands)
    return _cells([f"{before}{text}" if text else "" for text in texts]).take(like, axis=0)


def words_of(hands: Hands) -> tuple[list[str], NDArray[np.intp]]:
    """Return what is said of hands in words, each text once, and for each hand the place of its text."""
    said = [*hands.context.values(), *hands.extra.values()]
    if not said or not len(hands):
        return [""], np.zeros(len(hands), np.intp)
    columns = [each for column in said for each in column.reshape(len(hands), -1).T]
    first, like = distinct(columns)
    return [format_context(line.context) for line in lines_of(hands.take(first))], like


_FIVE: Final = 4
_COLUMNS: Final = [
    key
    for tile in TILES
    for key in ((2 * tile.kind, 2 * tile.kind + 1) if tile.kind < 27 and tile.rank == 5 else (2 * tile.kind + 1,))
]
"""The keys of all tiles, sorted; even ones are red fives."""
_COLUMN: Final = np.zeros(2 * KINDS, np.intp)
_COLUMN[_COLUMNS] = np.arange(len(_COLUMNS))
_DIGIT: Final = np.array([ord(str(TILES[key >> 1].rank)) if key & 1 else ord("0") for key in _COLUMNS], np.uint8)
_LETTER: Final = np.array([ord(TILES[key >> 1].suit.value) for key in _COLUMNS], np.uint8)


def _hand_cells(hands: Hands) -> list[Bytes]:
    """Return the cells of the canonical form of each hand."""
    found = [_run_cells(_copies(hands))]
    for place in range(hands.melds.shape[1]):
        if not hands.melds[:, place].any():
            break
        found.append(_meld_cells(hands.melds[:, place], hands.marks[:, place]))
    if (hands.win != NO_TILE).any():
        column = _COLUMN.take(hands.win, mode="clip")
        win = np.empty((len(hands), 4), np.uint8)
        win[:, 0], win[:, 1] = ord("+"), np.where(hands.drawn, ord("+"), 0)
        win[:, 2], win[:, 3] = _DIGIT[column], _LETTER[column]
        win[hands.win == NO_TILE] = 0
        found.append(win)
    return found


def _copies(hands: Hands) -> Bytes:
    """Return uint8[rows, columns]: copies of each tile that stands among the concealed and bonus tiles."""
    rows = len(hands)
    bonus = hands.bonus.any()
    found = np.zeros((rows, len(_COLUMNS) if bonus else _COLUMN[2 * JOKER_KIND + 1] + 1), np.uint8)
    found[:, _COLUMN[1 : 2 * PLAIN_KINDS : 2]] = hands.counts
    for suit in range(3):
        five = 9 * suit + _FIVE
        found[:, _COLUMN[2 * five]] = hands.reds[:, suit]
        found[:, _COLUMN[2 * five + 1]] -= hands.reds[:, suit]
    found[:, _COLUMN[2 * JOKER_KIND + 1]] = hands.jokers
    if bonus:
        for kind, shift, bits in zip(range(JOKER_KIND + 1, KINDS), BONUS_SHIFTS, BONUS_BITS, strict=True):
            found[:, _COLUMN[2 * kind + 1]] = hands.bonus >> np.uint32(shift) & np.uint32((1 << bits) - 1)
    won = np.flatnonzero(hands.win != NO_TILE)
    found[won, _COLUMN[hands.win[won]]] -= 1
    return found


def _run_cells(copies: Bytes) -> Bytes:
    """Return tiles, given as copies by column, as runs: two bytes for each, the second the letter that ends a run."""
    rows, columns = copies.shape
    row_length = copies.sum(axis=1, dtype=np.intp)
    column = np.repeat(np.tile(np.arange(columns, dtype=np.uint8), rows), copies.ravel())
    row = np.repeat(np.arange(rows), row_length)
    place = np.arange(len(row)) - np.repeat(row_length.cumsum() - row_length, row_length)
    letter = _LETTER.take(column)
    going_on = (row[1:] == row[:-1]) & (letter[1:] == letter[:-1])
    letter[:-1][going_on] = 0
    cells = np.zeros((rows, 2 * row_length.max(initial=0)), np.uint8)
    cells[row, 2 * place] = _DIGIT.take(column)
    cells[row, 2 * place + 1] = letter
    return cells


def _meld_cells(codes: Bytes, marks: NDArray[np.uint16]) -> Bytes:
    """Return melds as they are written after the concealed tiles; nothing where there is none."""
    said, place = np.unique(codes.astype(np.uint32) << _MARK | marks, return_inverse=True)
    return _cells([_meld_text(number >> _MARK, number & (1 << _MARK) - 1) for number in said.tolist()])[place]


_MARK: Final = 16


@cache
def _meld_text(code: int, mark: int) -> str:
    return f",{format_meld(meld_of(code, mark))}" if code else ""


_DRAW: Final = 5
"""The width of a blank, a tile, a colon and a digit."""


def _draw_cells(left: Bytes, kinds: NDArray[np.intp], rows: NDArray[np.intp], width: int) -> Bytes:
    """Return uint8[draws, width]: a blank, a tile and the copies left of it for each draw."""
    cells = np.zeros((len(rows), width), np.uint8)
    cells[:, 0], cells[:, 3] = ord(" "), ord(":")
    column = _COLUMN[2 * kinds + 1]
    cells[:, 1], cells[:, 2] = _DIGIT[column], _LETTER[column]
    cells[:, 4] = left[rows, kinds] + np.uint8(ord("0"))
    return cells


def write_waits(left: NDArray[np.uint8]) -> bytes:
    r"""Return a line of text for each hand: the tiles that it waits for, with the copies left.

    >>> left = np.zeros((2, 34), np.uint8)
    >>> left[0, [0, 33]] = 3, 1
    >>> write_waits(left)
    b'1m:3 7z:1\n\n'

    Args:
        left: uint8[rows, 34], as of ``Waiting``.
    """
    rows, kinds = left.nonzero()
    draws = _draw_cells(left, kinds, rows, _DRAW)
    draws[:1, 0] = 0
    draws[1:, 0][rows[1:] != rows[:-1]] = 0
    cells = np.zeros((len(rows) + len(left), _DRAW), np.uint8)
    cells[np.arange(len(rows)) + rows] = draws
    ends = np.bincount(rows, minlength=len(left)).cumsum() + np.arange(len(left))
    cells[ends, 0] = ord("\n")
    return _packed(cells)


def write_acceptance(found: Accepted) -> bytes:
    r"""Return a line of text for each hand: its shanten and the tiles that it accepts, with the copies left.

    >>> left = np.zeros((1, 34), np.uint8)
    >>> left[0, [0, 33]] = 3, 1
    >>> write_acceptance(Accepted(shanten=np.array([0], np.int8), left=left))
    b'0 1m:3 7z:1\n'
    """
    hands = np.arange(len(found.left))
    return _packed(_choice_cells(found, _numbers(found.shanten), hands))


def write_discards(found: RankedDiscards) -> bytes:
    r"""Return a line of text for each hand: its discards, each with the shanten and the tiles accepted after it.

    >>> from mjcli.batch.answers import discards_of
    >>> from mjcli.batch.hands import hands_of
    >>> from mjcli.notation import parse_line
    >>> write_discards(discards_of(hands_of([parse_line("57z")])))
    b'5z 0 7z:3; 7z 0 5z:3\n'
    """
    rows = len(found.hand)
    column = _COLUMN[found.key]
    head = np.zeros((rows, 5), np.uint8)
    head[:, 0], head[:, 1], head[:, 4] = ord(";"), ord(" "), ord(" ")
    head[:, 2], head[:, 3] = _DIGIT[column], _LETTER[column]
    first = np.diff(found.hand, prepend=-1) > 0
    head[first, :2] = 0
    return _packed(_choice_cells(found, np.concatenate((head, _numbers(found.shanten)), axis=1), found.hand))


def _choice_cells(found: Accepted, head: Bytes, hand: NDArray[np.intp]) -> Bytes:
    """Return cells in order: of each row its head and what it accepts, and an end of line after each hand."""
    rows, kinds = found.left.nonzero()
    choices, width = len(hand), max(_DRAW, head.shape[1])
    starts = np.ones(choices, np.bool_)
    starts[1:] = hand[1:] != hand[:-1]
    line = starts.cumsum() - 1
    draws = np.bincount(rows, minlength=choices)
    at = np.arange(choices) + draws.cumsum() - draws + line
    ends = np.flatnonzero(np.append(starts[1:], np.ones(min(choices, 1), np.bool_)))
    cells = np.zeros((choices + len(rows) + len(ends), width), np.uint8)
    cells[at, : head.shape[1]] = head
    cells[np.arange(len(rows)) + rows + line[rows] + 1] = _draw_cells(found.left, kinds, rows, width)
    cells[at[ends] + draws[ends] + 1, 0] = ord("\n")
    return cells


def merged(answers: bytes, taken: NDArray[np.bool_], others: Sequence[bytes]) -> bytes:
    r"""Return answers in the order of their lines, those of the array path and those of the one-hand path.

    >>> merged(b"1\n2\n", np.array([True, False, True]), [b"error\n"])
    b'1\nerror\n2\n'

    Args:
        answers: a line for each line that was taken.
        taken: bool[lines].
        others: for each other line what stands in its place, ends of lines included.
    """
    if not others:
        return answers
    ends = np.flatnonzero(np.frombuffer(answers, np.uint8) == ord("\n")) + 1
    before = taken.cumsum()[~taken]  # how many answers stand before each of the others
    cuts = np.concatenate((np.zeros(1, np.intp), ends))[before].tolist()
    pieces, at = [], 0
    for cut, other in zip(cuts, others, strict=True):
        pieces += [answers[at:cut], other]
        at = cut
    return b"".join([*pieces, answers[at:]])
