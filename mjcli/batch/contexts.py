"""The context words 牌況 of many lines at once, and which of them cannot be true of their hand."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjcli.batch.hands import CONTEXT, EXPOSED, MELD_TYPES, NO_TILE, PLAYERS
from mjcli.batch.scanning import END, SUITS, copies_of, counts_of, is_foreign, read_runs, reds_of, suit_of
from mjcli.batch.suits import Bytes
from mjcli.hand import ASSUMED_SEAT, NO_CONTEXT
from mjcli.melds import MeldType, Relation, Seat
from mjcli.notation.words import WORDS, Word, WordKind
from mjcli.suits import MOST_SETS
from mjcli.tiles import DEFAULT_SET, KINDS, PLAIN_KINDS, RANKS

__all__ = ["UNSAID", "Known", "Won", "context_columns", "contexts_of", "contradicts", "known_words", "telling"]

Truths = NDArray[np.bool_]

UNSAID: Final[Mapping[str, int]] = {"winners": NO_CONTEXT.winners}
"""The numbers, other than 0, of columns where nothing is said."""

_LONGEST: Final = 16
_SEEN: Final = b"seen="
_MOST_DIGITS: Final = 15
"""Longer words are left to the one-hand path."""


class Known(NamedTuple):
    """Every word that is read, with each value it can have, sorted."""

    token: NDArray[np.bytes_]
    length: NDArray[np.intp]
    column: NDArray[np.intp]
    """The place of its column in ``CONTEXT``."""
    value: NDArray[np.uint8]


@cache
def known_words() -> Known:
    """Return the words of the closed list that say nothing of tiles."""
    columns = list(CONTEXT)
    found = sorted(
        (token.encode(), columns.index(word.field), value)
        for word in WORDS
        if word.field in CONTEXT
        for token, value in _tokens(word)
    )
    tokens, places, values = zip(*found, strict=True)
    return Known(
        np.array(tokens, f"S{_LONGEST}"), np.array(list(map(len, tokens))), np.array(places), np.array(values, np.uint8)
    )


def _tokens(word: Word) -> list[tuple[str, int]]:
    """Return each way to say a word, with its number in the columns of ``Hands.context``."""
    if word.kind is WordKind.FLAG:
        return [(word.name, 1)]
    if word.kind is WordKind.SEAT:
        return [(f"{word.name}={seat}", 1 + place) for place, seat in enumerate(Seat)]
    if word.kind is WordKind.PLAYER:
        return [(f"{word.name}={player}", PLAYERS.index(player)) for player in (*Relation, *Seat)]
    numbers = [(f"{word.name}={number}", number) for number in range(word.least, word.most + 1)]
    return [*numbers, (word.name, 1)] if word.bare else numbers


def contexts_of(
    text: Bytes, start: NDArray[np.intp], end: NDArray[np.intp], row: NDArray[np.intp], rows: int
) -> tuple[dict[str, NDArray[Any]], Truths]:
    """Return the columns that words say, and bool[rows]: whether a row has a word that is not known, or one twice.

    Args:
        text: uint8[bytes].
        start: intp[words], where each word starts.
        end: intp[words], one past its last byte.
        row: intp[words], whose word it is.
        rows: how many rows there are.
    """
    wrong = np.zeros(rows, np.bool_)
    if not len(row):
        return {}, wrong
    known = known_words()
    length = end - start
    offsets = np.arange(_LONGEST)
    letters = text.take(start[:, None] + offsets, mode="clip")
    letters[offsets >= length[:, None]] = 0
    tokens = letters.view(known.token.dtype).ravel()
    found = np.minimum(np.searchsorted(known.token, tokens), len(known.token) - 1)
    read = (known.token[found] == tokens) & (known.length[found] == length)
    seen_words = np.flatnonzero(~read & (letters[:, : len(_SEEN)] == np.frombuffer(_SEEN, np.uint8)).all(axis=1))
    seen, sound = _seen(text, start[seen_words] + len(_SEEN), end[seen_words])
    read[seen_words] = sound
    columns: dict[str, NDArray[Any]] = {}
    if sound.any():
        columns["seen"] = np.zeros((rows, KINDS), np.uint8)
        columns["seen"][row[seen_words[sound]]] = seen[sound]
    wrong |= np.bincount(row[seen_words], minlength=rows) > 1
    wrong[row[~read]] = True
    read[seen_words] = False
    found, row = found[read], row[read]
    said, twice = context_columns(known.column[found], known.value[found], row, rows)
    wrong |= twice
    return {**columns, **said}, wrong


def context_columns(
    column: NDArray[np.intp], value: NDArray[np.uint8], row: NDArray[np.intp], rows: int
) -> tuple[dict[str, NDArray[Any]], Truths]:
    """Return the columns that words say, and bool[rows]: whether a row has a word twice.

    Args:
        column: intp[words], the place of its column in ``CONTEXT``.
        value: uint8[words], the number that it says.
        row: intp[words], whose word it is, ascending.
        rows: how many rows there are.
    """
    columns: dict[str, NDArray[Any]] = {}
    twice = np.zeros(rows, np.bool_)
    names = list(CONTEXT)
    for place in np.bincount(column).nonzero()[0].tolist():
        name, mine = names[place], np.flatnonzero(column == place)
        at = row.take(mine)
        columns[name] = np.full(rows, UNSAID.get(name, 0), CONTEXT[name])
        columns[name][at] = value.take(mine)
        twice[at[1:][at[1:] == at[:-1]]] = True
    return columns, twice


def _seen(text: Bytes, start: NDArray[np.intp], end: NDArray[np.intp]) -> tuple[Bytes, Truths]:
    """Return uint8[words, 58], the tiles that stand from ``start`` to ``end``, and which words are runs of tiles.

    Red fives are left to the one-hand path, since ``Hands`` does not keep that a seen tile is red.
    """
    words, length = len(start), end - start + 1
    first = length.cumsum() - length
    part = text.take(np.arange(length.sum()) + np.repeat(start - first, length))
    part[first + length - 1] = ord("\n")
    _, kind, held = read_runs(part)
    word = np.repeat(np.arange(words), np.diff(np.flatnonzero(kind == END), prepend=-1))
    suit = suit_of(kind)
    sums = np.zeros((words, 1 + len(SUITS)), np.uint64)
    np.add.at(sums.ravel(), word * sums.shape[1] + suit, held)
    sound = (length > 1) & (length <= _MOST_DIGITS)
    sound[word[((held > 0) != (suit > 0)) | ((suit == 0) & (kind != END))]] = False
    found = np.zeros((words, KINDS), np.uint8)
    found[:, :PLAIN_KINDS] = counts_of(sums[:, 1:5])
    kinds = [(place, rank) for place, letter in enumerate(SUITS) for rank in range(1, RANKS[letter] + 1)]
    for (place, rank), column in zip(kinds[PLAIN_KINDS:], found.T[PLAIN_KINDS:], strict=True):
        column[:] = copies_of(sums[:, 1 + place], rank)
    for number in range(1, sums.shape[1]):
        sound &= ~is_foreign(number, sums[:, number]) & (reds_of(sums[:, number]) == 0)
    return found, sound


class Won(NamedTuple):
    """What of some hands the words must be true of."""

    counts: Bytes
    """uint8[rows, 34], as of ``Hands``."""
    melds: Bytes
    """uint8[rows, 4], as of ``Hands``."""
    marks: NDArray[np.uint16]
    """uint16[rows, 4], as of ``Hands``."""
    win: Bytes
    """uint8[rows]: the key of the winning tile; 255 where it is not known."""
    last: Bytes
    """uint8[rows], as of ``Hands``."""
    drawn: Truths
    """bool[rows]: whether it is marked as drawn."""
    sets: NDArray[np.intp]
    """intp[rows]: how many sets are written, concealed ones included."""
    held: Bytes
    """uint8[rows, 58]: copies of each kind that the player holds or shows; needed only where tiles are seen."""


def telling(context: Mapping[str, NDArray[Any]], rows: int) -> NDArray[np.intp]:
    """Return the rows of which words say more than the winds, which contradict nothing by themselves."""
    told = np.zeros(rows, np.bool_)
    for name, column in context.items():
        if name == "seen":
            told |= column.any(axis=1)
        elif name not in ("seat", "round"):
            told |= column != UNSAID.get(name, 0)
    return np.flatnonzero(told)


def contradicts(context: Mapping[str, NDArray[Any]], hands: Won, *, won: bool) -> Truths:
    """Return bool[rows]: whether words contradict each other or the hand.

    Args:
        context: the columns of all rows.
        hands: their hands.
        won: whether they must be true of each as won: with the winds that are assumed if they are not said, and on
            the tile written last, if no other is marked.

    Source: the same conditions as in ``mjcli.hand``.
    """
    if not context:
        return np.zeros(len(hands.win), np.bool_)
    win, drawn = hands.win, hands.drawn
    if won:
        by_word = np.zeros(len(win), np.bool_)
        for name in ("self_draw", "kong_draw", "flower_draw", "rob_own_kong"):
            by_word |= context.get(name, np.zeros(1, np.uint8)) > 0
        drawn = np.where(win == NO_TILE, by_word & (hands.last != NO_TILE), drawn)
        win = np.where(win == NO_TILE, hands.last, win)
    return _contradicts(context, hands._replace(win=win, drawn=drawn), winds=won)


def _contradicts(context: Mapping[str, NDArray[Any]], won: Won, *, winds: bool) -> Truths:
    rows = len(won.win)
    none = np.zeros(rows, np.uint8)
    said = {name: context.get(name, none) for name in CONTEXT}
    flag = {name: column > UNSAID.get(name, 0) for name, column in said.items()}
    drawn = flag["self_draw"] | flag["kong_draw"] | flag["flower_draw"] | flag["rob_own_kong"]
    wrong = drawn & (flag["source"] | flag["winners"])
    robbed = flag["rob_kong"]
    wrong |= robbed & (drawn | flag["last_tile"] | flag["clean_opponents"] | flag["first_turn"])
    wrong |= flag["first_turn"] & flag["last_tile"]
    seat = said["seat"]
    if winds:
        seat = np.where(seat == 0, np.uint8(1 + ASSUMED_SEAT.number), seat)
    first_seat = PLAYERS.index(Seat.E) - 1
    for player in ("source", "liable"):
        wrong |= (seat > 0) & (said[player] == seat + first_seat)
    known = won.win != NO_TILE
    wrong |= known & ~won.drawn & drawn
    wrong |= won.drawn & (flag["source"] | robbed | flag["winners"])
    kinds, types = (won.melds - 1) % PLAIN_KINDS, (won.melds.astype(np.intp) - 1) // PLAIN_KINDS
    melded = won.melds > 0
    kongs = (melded & (types == MELD_TYPES.index(MeldType.KONG))).sum(axis=1)
    wrong |= (said["kong_draw"] > kongs) & (won.sets == MOST_SETS)
    wrong |= flag["first_turn"] & np.any(EXPOSED.of(won.marks) > 0, axis=1)
    kind = (won.win >> 1).astype(np.intp)
    copies = np.take_along_axis(won.counts, np.minimum(kind, PLAIN_KINDS - 1)[:, None], axis=1)[:, 0]
    odd = known & (kind >= PLAIN_KINDS)  # a joker
    away = kind[:, None] - kinds
    chow = types == MELD_TYPES.index(MeldType.CHOW)
    among = melded & np.where(chow, (away >= 0) & (away < 3), away == 0)
    pung = among & (types == MELD_TYPES.index(MeldType.PUNG))
    wrong |= known & (flag["last_of_kind"] | robbed) & (odd | (copies > 1))
    wrong |= known & robbed & among.any(axis=1)
    wrong |= known & flag["rob_own_kong"] & (odd | ~pung.any(axis=1))
    if "seen" in context:
        wrong |= (won.held + context["seen"] > np.array(DEFAULT_SET.copies)).any(axis=1)
    return wrong
