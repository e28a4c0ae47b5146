"""What the jokers 飛 of many hands stand for, and the sets in which they do, as text.

Which joker lies in which set is decided suit by suit. All that decides it in one suit of one hand is put into one
number, its key, so that each suit that occurs is written once. What all jokers of a hand stand for is such a number
too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from mjcli.batch.columns import won_kinds
from mjcli.batch.decompositions import HONORS, PLACES, decompositions, keys_of
from mjcli.batch.hands import JOKERS, Hands
from mjcli.batch.jokers import MOST_JOKERS
from mjcli.cli.score import won_set, written_group
from mjcli.columns import FORM_NUMBERS
from mjcli.readings import Group, Reading
from mjcli.scoring import StandIn
from mjcli.tiles import JOKER_KIND, PLAIN_KINDS, TILES, Tile

if TYPE_CHECKING:
    from mjcli.batch.scores import Scores

__all__ = ["filled_pair", "filled_sets", "filled_suits", "filled_won_set", "stand_ins_in", "stand_ins_of"]

_RANKS: Final = 9
_FIELDS: Final = (4, 1 + _RANKS, 1 + len(PLACES), _RANKS, 2, (1 + _RANKS) ** MOST_JOKERS)
"""What a key is made of, each field less than its number: the suit; 1 + the rank of a pair that is in no decomposition;
1 + where the winning tile went, of ``PLACES``, and its rank; whether it is a joker; the ranks of the jokers. What is
left is the row of the decomposition, or after all rows the key of a suit of pairs."""

_PLACES: Final = ("hand", "win", "meld")
_STAND_IN: Final = len(_PLACES) * PLAIN_KINDS + 1
"""The base of the numbers that say what jokers stand for."""

_PAIR_APART: Final = [FORM_NUMBERS[form] for form in ("thirteen-orphans", "thirteen-unconnected")]


def filled_suits(scores: Scores, counts: NDArray[np.uint8], won_on_joker: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return intp[4, rows]: the key of each suit of some complete hands, above 0.

    Args:
        scores: of these hands.
        counts: uint8[rows, 34], their concealed tiles, jokers as what they stand for.
        won_on_joker: bool[rows], whether the winning tile is a joker.
    """
    rows = len(decompositions().pair_rank)
    of_pairs = scores.form == FORM_NUMBERS["seven-pairs"]
    apart = np.where(np.isin(scores.form, _PAIR_APART), 1 + np.argmax(counts == 2, axis=1), 0)
    keys = keys_of(counts)
    jokers, win = scores.jokers.astype(np.intp), scores.win.astype(np.intp)
    found = np.empty((4, len(won_on_joker)), np.intp)
    for suit in range(4):
        ranks = np.zeros_like(win)
        for kinds in jokers:
            ranks = np.where(kinds // _RANKS == suit, (1 + _RANKS) * ranks + 1 + kinds % _RANKS, ranks)
        own = win // _RANKS == suit
        fields = (
            suit,
            np.where((apart - 1) // _RANKS == suit, 1 + (apart - 1) % _RANKS, 0),
            scores.place * own,
            win % _RANKS * own,
            won_on_joker & own,
            ranks,
        )
        key = np.where(of_pairs, rows + keys[suit], scores.parts[suit])
        for size, field in zip(reversed(_FIELDS), reversed(fields), strict=True):
            key = key * size + field
        found[suit] = 1 + key
    return found


def _reading(key: int) -> Reading:
    """Return one suit of a hand as a reading of it alone."""
    fields, rest = [], key - 1
    for size in _FIELDS:
        rest, field = divmod(rest, size)
        fields.append(field)
    suit, apart, place, rank, won_on_joker, ranks = fields
    tiles = TILES[_RANKS * suit :]
    jokers = []
    while ranks:
        ranks, digit = divmod(ranks, 1 + _RANKS)
        jokers.append(tiles[digit - 1])
    sets, pair = _groups(suit, rest)
    return Reading(
        form="",
        win=None,
        sets=tuple(sets),
        pair=tiles[apart - 1] if apart else pair,
        wait="none",
        won=_won(PLACES[place - 1], suit, rank) if place else None,
        columns={},
        jokers=tuple(reversed(jokers)),
        won_on_joker=bool(won_on_joker),
    )


def _groups(suit: int, row: int) -> tuple[list[Group], Tile | None]:
    """Return the sets and the pair of a decomposition, or the pairs of a suit of pairs."""
    tables, tiles = decompositions(), TILES[_RANKS * suit :]
    sets: list[Group] = []
    if row >= len(tables.pair_rank):
        left = row - len(tables.pair_rank) - HONORS * (suit == 3)
        ranks = 7 if suit == 3 else _RANKS
        for rank in range(ranks):
            sets += [Group("pair", tiles[rank])] * (left // 5 ** (ranks - 1 - rank) % 5 // 2)
        return sets, None
    chows, pungs, pair = int(tables.chows[row]), int(tables.pungs[row]), int(tables.pair_rank[row])
    for rank in range(_RANKS):
        sets += [Group("chow", tiles[rank])] * (chows >> 3 * rank & 7) if chows >> 3 * rank & 7 else []
        sets += [Group("pung", tiles[rank])] if pungs >> 3 * rank & 1 else []
    return sets, tiles[pair - 1] if pair else None


def _won(place: str, suit: int, rank: int) -> Group:
    """Return the group that a winning tile completed."""
    if place in ("pair", "pung"):
        return Group(place, TILES[_RANKS * suit + rank])
    return Group("chow", TILES[_RANKS * suit + rank - ("lowest", "middle", "highest").index(place)])


def _written(reading: Reading) -> list[str]:
    return list(map(written_group, reading.groups, reading.filled))


def filled_sets(key: int) -> list[str]:
    """Return the sets of a suit; none for 0."""
    if not key:
        return []
    reading = _reading(key)
    return _written(reading)[: len(reading.sets)]


def filled_pair(key: int) -> str:
    """Return the pair of a suit; nothing where there is none, and for 0."""
    reading = _reading(key) if key else None
    return _written(reading)[-1] if reading is not None and reading.pair is not None else ""


def filled_won_set(key: int) -> str:
    """Return the group of a suit that the winning tile completed; nothing where there is none, and for 0."""
    reading = _reading(key) if key else None
    return won_set(reading, _written(reading)) if reading is not None and reading.won is not None else ""


def stand_ins_of(hands: Hands, scores: Scores) -> NDArray[np.intp]:
    """Return intp[rows]: a number that says what each joker of a hand stands for, as ``Score.jokers``; 0 for none.

    Args:
        hands: with jokers or without.
        scores: of these hands.
    """
    found = np.zeros(len(hands), np.intp)
    if not hands.jokers.any() and not JOKERS.of(hands.marks).any():
        return found

    def note(place: int, kinds: NDArray[Any], there: NDArray[np.bool_]) -> None:
        """Put down a joker more of some hands."""
        found[there] = found[there] * _STAND_IN + 1 + PLAIN_KINDS * place + kinds[there]

    won = (won_kinds(hands) == JOKER_KIND) & (scores.jokers[0] >= 0)
    left = won.copy()
    for kinds in scores.jokers:
        is_win = left & (kinds == scores.win)
        note(0, kinds, (kinds >= 0) & ~is_win)
        left &= ~is_win
    note(1, scores.win, won)
    for codes, jokers in zip(hands.melds.T.astype(np.intp), JOKERS.of(hands.marks).T, strict=True):
        chow = codes <= PLAIN_KINDS
        for place in range(MOST_JOKERS):
            there = np.where(chow, jokers >> np.uint16(place) & np.uint16(1), jokers > place) > 0
            note(2, (codes - 1) % PLAIN_KINDS + place * chow, there)
    return found


def stand_ins_in(key: int) -> list[StandIn]:
    """Return what such a number says."""
    found = []
    while key:
        key, digit = divmod(key, _STAND_IN)
        place, kind = divmod(digit - 1, PLAIN_KINDS)
        found.append(StandIn(TILES[kind], _PLACES[place]))
    return found[::-1]
