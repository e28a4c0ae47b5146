"""Lines of text to arrays: what is written as most hands are is read here, all else is left to ``mjcli.notation``.

Plain lines hold runs of m p s z alone, each suit once and in this order; ``tails`` reads melds and winning tiles that
follow these, as they are printed; ``marked`` reads what is written otherwise, bonus tiles, jokers and context words.
None ever guesses: whatever is taken is what ``mjcli.notation.parse_line`` reads.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjcli.batch.contexts import UNSAID
from mjcli.batch.distance import least_shanten
from mjcli.batch.hands import NO_TILE, Hands
from mjcli.batch.marked import NOTHING_MARKED, Marked, read_marked
from mjcli.batch.scanning import (
    BLANK,
    CLASSES,
    END,
    IS_SIZE,
    RETURN,
    Numbers,
    counts_of,
    is_foreign,
    is_over,
    keys_of_numbers,
    last_keys,
    read_runs,
    reds_of,
    suit_of,
)
from mjcli.batch.suits import Bytes, Suits
from mjcli.batch.tails import NO_TAILS, Cut, Tails, cut, read_tails, tail_columns
from mjcli.notation.scan import MAX_LENGTH

__all__ = ["BLOCK", "Lines", "read_lines"]

BLOCK: Final = 1 << 18
"""Blocks of about so many bytes are read fastest: what is known of them stays in the processor's cache."""


@dataclass(frozen=True, kw_only=True)
class Lines:
    """The lines of a block that are neither blank nor a comment, and the hands of those that were taken."""

    block: bytes
    number: NDArray[np.intp]
    """intp[lines]: which line of the block each is, 0 the first."""
    start: NDArray[np.intp]
    """intp[lines]: the byte of the block at which it starts."""
    end: NDArray[np.intp]
    """intp[lines]: one past its last byte, without the end of the line."""
    taken: NDArray[np.bool_]
    """bool[lines]: whether it was read. What was not is for the one-hand path, which may also find it blank."""
    held: Numbers
    """uint64[hands, 4]: the concealed tiles and the winning tile of each suit, as ``scanning`` packs them."""
    tiles: NDArray[np.intp]
    """intp[hands]: how many these are, with jokers."""
    tails: Tails
    """The hands that have melds or a winning tile; ``Tails.line`` is their place among the hands."""
    marked: Marked
    """The hands of which more is said, and what; ``Marked.line`` is their place among the hands."""

    def shanten(self) -> NDArray[np.int8]:
        """Return the least shanten of each hand that was taken, over the three forms that count without a ruleset.

        This is ``shanten_of(lines.hands)``, without the hands.
        """
        return least_shanten(self.suits())

    def suits(self) -> Suits:
        """Return the suits of the hands that were taken."""
        jokers = None
        if self.marked.jokers.any():
            jokers = np.zeros(len(self.tiles), np.intp)
            jokers[self.marked.line] = self.marked.jokers
        return Suits(keys_of_numbers(self.held), self.tiles, jokers)

    @cached_property
    def hands(self) -> Hands:
        """The hands that were taken, in their order."""
        text, marked, tails = np.frombuffer(self.block, np.uint8), self.marked, self.tails
        size = len(self.tiles)
        parts = (
            (tails, {**tail_columns(text, tails), **tails.context}),
            (marked, {**vars(marked), **marked.context}),
        )

        def spread(name: str, others: int = 0) -> NDArray[Any]:
            """Return a column for all hands, of what tails and what marked hands say."""
            found = [(part.line, part_columns[name]) for part, part_columns in parts if name in part_columns]
            whole = np.full((size, *found[0][1].shape[1:]), others, found[0][1].dtype)
            for line, column in found:
                whole[line] = column
            return whole

        draws = self.tiles % 3 == 2
        draws[tails.line] = draws[marked.line] = False
        plain = np.flatnonzero(draws)
        last = spread("last", NO_TILE)
        last[plain] = last_keys(text, self.end[self.taken][plain] - 1)
        return Hands(
            counts=counts_of(self.held),
            melds=spread("melds"),
            marks=spread("marks"),
            win=spread("win", NO_TILE),
            last=last,
            drawn=spread("drawn"),
            reds=np.column_stack([reds_of(self.held[:, place]) for place in range(3)]),
            jokers=spread("jokers"),
            bonus=spread("bonus"),
            context={name: spread(name, UNSAID.get(name, 0)) for name in {**tails.context, **marked.context}},
        )


def read_lines(block: bytes, *, won: bool = False) -> Lines:
    r"""Return the lines of a block of text, and the hands that they say.

    >>> lines = read_lines(b"123m456p77z\n# a comment\n19m19p19s1234567z+1z seat=E\n123q\n")
    >>> lines.number.tolist(), lines.taken.tolist()
    ([0, 2, 3], [True, True, False])
    >>> lines.hands.win.tolist()
    [255, 55]

    Taken are runs (``123m 456p77z``), melds after commas and in brackets, a winning tile, and the words of the closed
    list; jokers in melds, tiles in words and words of rulesets are not, nor is what is wrong in any way.

    Args:
        block: whole lines in UTF-8; the last one may lack its end.
        won: whether hands must be whole, and the words true of each as won: on the tile written last, if no other is
            marked. Those for which this cannot be are not taken.
    """
    if block and not block.endswith(b"\n"):
        block += b"\n"
    text = np.frombuffer(block, np.uint8)
    parts = cut(text, bytes(char for char in b",+ " if char in block))
    end = parts.at[parts.end]
    count = len(end)
    start = np.empty_like(end)
    start[:1] = 0
    start[1:] = end[:-1] + 1
    size = end + 1 - start
    if b"\r" in block:
        end = end - ((text[end - 1] == ord("\r")) & (end > start))
    skipped = (end == start) | (text[start] == ord("#"))
    tails = NO_TAILS
    if b" " in block and 2 * np.count_nonzero(_goes_on(text, parts)) > count:  # most lines are for ``marked``
        held, tiles, taken = np.zeros((count, 4), np.uint64), np.zeros(count, np.intp), np.zeros(count, np.bool_)
    else:
        held, tiles, plain = _plain(parts.heads, count)
        taken = plain & (tiles == 14 if won else IS_SIZE.take(tiles, mode="clip"))
        if len(parts.at) > count:
            taken[np.diff(parts.end, prepend=-1) > 1] = False
            tails = read_tails(text, parts, held, tiles, plain, won=won)
            taken[tails.line] = True
    rest = ~taken & ~skipped & (end - start <= MAX_LENGTH)
    marked = NOTHING_MARKED
    if rest.any():
        marked = read_marked(text[np.repeat(rest, size)], np.flatnonzero(rest), won=won)
        taken[marked.line] = True
        skipped[marked.blank] = True
    for some in (tails, marked):
        if len(some.line) == count:
            held, tiles = some.held, some.tiles
        else:
            held[some.line], tiles[some.line] = some.held, some.tiles
    taken &= ~skipped
    if not taken.all():
        place = taken.cumsum() - 1
        tails, marked = tails._replace(line=place[tails.line]), replace(marked, line=place[marked.line])
        held, tiles = held[taken], tiles[taken]
    number = np.arange(count)
    if skipped.any():
        number = np.flatnonzero(~skipped)
        start, end, taken = start[number], end[number], taken[number]
    return Lines(
        block=block,
        number=number,
        start=start,
        end=end,
        taken=taken,
        held=held,
        tiles=tiles,
        tails=tails,
        marked=marked,
    )


def _goes_on(text: Bytes, parts: Cut) -> NDArray[np.bool_]:
    """Return whether the first blank of each line stands between tiles."""
    first = np.zeros(len(parts.end), np.intp)
    first[1:] = parts.end[:-1] + 1
    at = parts.at.take(first)
    goes_on: NDArray[np.bool_] = text.take(at) == ord(" ")
    goes_on &= text.take(at + 1, mode="clip") - np.uint8(ord("0")) <= 9
    return goes_on


def _plain(heads: Bytes, lines: int) -> tuple[Numbers, NDArray[np.intp], NDArray[np.bool_]]:
    """Return the tiles of plain lines, uint64[lines, 4], how many they are, and which lines are plain but for that.

    What it gives of lines that are not says nothing.

    Args:
        heads: as of ``cut``.
        lines: how many there are.
    """
    at, kind, held = read_runs(heads)
    ends = np.flatnonzero((kind == END) | (kind == CLASSES[","]) | (kind == CLASSES["+"]) | (kind == BLANK))
    events = np.diff(ends, prepend=-1)
    line = np.repeat(np.arange(lines), events)
    place = suit_of(kind)
    wrong = (held == 0) != (place == 0)
    wrong |= is_over(held)
    wrong[1:] |= (place[1:] <= place[:-1]) & (place[1:] != 0)
    tiles = np.diff(at[ends], prepend=-1) - events
    if kind.max(initial=0) > END:
        marked = kind > RETURN
        marked[ends] = False
        wrong |= marked
        place[marked] = 0
    returns = np.flatnonzero(kind == RETURN)
    wrong[returns[heads[at[returns] + 1] != ord("\n")]] = True
    found = np.zeros((lines, 5), np.uint64)
    cell = line * 5
    cell += place
    found.ravel()[cell] = held
    suits = found[:, 1:]
    is_plain = ~is_foreign(4, suits[:, 3])
    is_plain[line[wrong]] = False
    return suits, tiles, is_plain
