"""Lines of text to arrays: what is written as most hands are is read here, all else is left to ``mjcli.notation``.

Plain lines hold runs of m p s z alone, each suit once and in this order; ``marked`` reads melds, winning tiles, bonus
tiles, jokers and context words. Neither ever guesses: whatever is taken is what ``mjcli.notation.parse_line`` reads.
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
from mjcli.batch.marked import NOTHING_MARKED, Marked, last_keys, read_marked
from mjcli.batch.scanning import (
    END,
    IS_SIZE,
    RETURN,
    Numbers,
    Runs,
    counts_of,
    is_foreign,
    is_over,
    keys_of_numbers,
    read_runs,
    reds_of,
    suit_of,
)
from mjcli.batch.suits import Bytes, Suits
from mjcli.notation.scan import MAX_LENGTH

__all__ = ["BLOCK", "Lines", "read_lines"]

BLOCK: Final = 1 << 17
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
        size, marked = len(self.tiles), self.marked

        def spread(column: NDArray[Any], others: int = 0) -> NDArray[Any]:
            """Return a column for all hands, of one for those that are marked."""
            whole = np.full((size, *column.shape[1:]), others, column.dtype)
            whole[marked.line] = column
            return whole

        draws = self.tiles % 3 == 2
        draws[marked.line] = False
        plain = np.flatnonzero(draws)
        last = spread(marked.last, NO_TILE)
        last[plain] = last_keys(np.frombuffer(self.block, np.uint8), self.end[self.taken][plain] - 1)
        return Hands(
            counts=counts_of(self.held),
            melds=spread(marked.melds),
            marks=spread(marked.marks),
            win=spread(marked.win, NO_TILE),
            last=last,
            drawn=spread(marked.drawn),
            reds=np.column_stack([reds_of(self.held[:, place]) for place in range(3)]),
            jokers=spread(marked.jokers),
            bonus=spread(marked.bonus),
            context={name: spread(column, UNSAID.get(name, 0)) for name, column in marked.context.items()},
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
    runs = read_runs(text)
    ends = np.flatnonzero(runs.kind == END)
    after = runs.at[ends]
    start = np.empty_like(after)
    start[:1] = 0
    start[1:] = after[:-1] + 1
    end = after
    if b"\r" in block:
        end = after - ((text[after - 1] == ord("\r")) & (after > start))
    events = np.diff(ends, prepend=-1)
    line = np.repeat(np.arange(len(ends)), events)
    skipped = (end == start) | (text[start] == ord("#"))
    if np.count_nonzero(runs.kind > RETURN) > len(ends):  # most lines are marked, and those that are not can be read so
        held, tiles, taken = np.zeros((len(ends), 4), np.uint64), np.zeros_like(ends), np.zeros(len(ends), np.bool_)
    else:
        held, wrong = _plain(text, runs, line, len(ends))
        tiles = end - start - (events - 1 - (after - end))
        taken = ~wrong & (tiles == 14 if won else IS_SIZE.take(tiles, mode="clip"))
    rest = ~taken & ~skipped & (end - start <= MAX_LENGTH)
    marked = NOTHING_MARKED
    if rest.any():
        marked = read_marked(text, runs, line, rest, won=won)
        if len(marked.line) == len(held):
            held, tiles = marked.held, marked.tiles
        else:
            held[marked.line] = marked.held
            tiles[marked.line] = marked.tiles
        taken[marked.line] = True
        skipped[marked.blank] = True
    taken &= ~skipped
    if not taken.all():
        marked = replace(marked, line=(taken.cumsum() - 1)[marked.line])
        held, tiles = held[taken], tiles[taken]
    number = np.arange(len(ends))
    if skipped.any():
        number = np.flatnonzero(~skipped)
        start, end, taken = start[number], end[number], taken[number]
    return Lines(block=block, number=number, start=start, end=end, taken=taken, held=held, tiles=tiles, marked=marked)


def _plain(text: Bytes, runs: Runs, line: NDArray[np.intp], lines: int) -> tuple[Numbers, NDArray[np.bool_]]:
    """Return the tiles of plain lines, uint64[lines, 4], and which lines are not plain, but for their sizes.

    What it gives for these says nothing.
    """
    at, kind, held = runs
    place = suit_of(kind)
    wrong = (held == 0) != (place == 0)
    wrong |= is_over(held)
    wrong[1:] |= (place[1:] <= place[:-1]) & (place[1:] != 0)
    if kind.max(initial=0) > RETURN:
        marked = kind > RETURN
        wrong |= marked
        place[marked] = 0
    returns = np.flatnonzero(kind == RETURN)
    wrong[returns[text[at[returns] + 1] != ord("\n")]] = True
    found = np.zeros((lines, 5), np.uint64)
    cell = line * 5
    cell += place
    found.ravel()[cell] = held
    tiles = found[:, 1:]
    is_wrong = is_foreign(4, tiles[:, 3])
    is_wrong[line[wrong]] = True
    return tiles, is_wrong
