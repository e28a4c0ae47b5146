"""The columns that hold a reading of a hand: numbers on which the conditions of a ruleset are evaluated.

Most hold one suit (0-3 for m p s z) with its nine ranks as octal digits, three bits a rank:

====  =================================================  =====  ======================================
C     chows by their lowest rank (no honours: C0-C2)     L      claimed pungs and kongs
D     chows that are not claimed                         G      kongs made at once from a discard
P     pungs and kongs                                    K      kongs of every kind
Q     pungs and kongs that are concealed                 R      pairs
T     tiles, all copies                                  W      the winning tile
====  =================================================  =====  ======================================

Jokers are the tiles for which they stand. Beside four of a tile they may make four more of it, of which three are
counted, and beside a pung or a kong another of the same tile, which is not counted twice. B0-B2 hold the bonus
tiles f, g and a in the same way. The other columns are the plain numbers and truths of ``PLAIN_COLUMNS``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from mjcli.tiles import Suit

__all__ = [
    "BONUS_SUITS",
    "BY_READING",
    "COLUMNS",
    "FORM_NUMBERS",
    "ONES",
    "PLAIN_COLUMNS",
    "WAIT_NUMBERS",
    "added_tiles",
]

FORM_NUMBERS: Final[Mapping[str, int]] = {
    "standard": 0,
    "seven-pairs": 1,
    "thirteen-orphans": 2,
    "thirteen-unconnected": 3,
    "knitted": 4,
    "knitted-straight": 5,
    "unfinished": 6,
}
"""What the column ``form`` holds; unfinished is a hand that wins at once, whatever its tiles are."""

WAIT_NUMBERS: Final[Mapping[str, int]] = {"none": 0, "edge": 1, "closed": 2, "single": 3, "open": 4, "pung": 5}
"""What the column ``wait`` holds: of the set that the winning tile went to."""

PLAIN_COLUMNS: Final = (
    *("form", "wait", "waits", "all_waits"),
    *("kongs", "concealed_kongs", "claimed", "claimed_chows", "melds", "red_fives"),
    *("seat", "round", "self_drawn", "last_tile", "last_of_kind", "kong_draw", "flower_draw", "rob_kong"),
    *("rob_own_kong", "clean_opponents", "first_turn", "winners"),
    *("from_dealer", "discarder_known", "named_dealer", "liable"),
    *("bonus_tiles", "own_flowers", "full_flower_sets", "jokers"),
)
COLUMNS: Final = (
    *(f"{letter}{suit}" for letter in "GKLPQRTW" for suit in range(4)),
    *(f"{letter}{suit}" for letter in "BCD" for suit in range(3)),
    *PLAIN_COLUMNS,
)
"""Every column of a reading; a ruleset's own context words add ``x_WORD`` and ``held_WORD``."""

BY_READING: Final = frozenset(
    (*("form", "wait", "waits", "all_waits"), *(f"{letter}{suit}" for letter in "CDPQR" for suit in range(4)))
)
"""The columns that depend on how the concealed tiles are seen as sets."""
BONUS_SUITS: Final = (Suit.FLOWERS, Suit.SEASONS, Suit.ANIMALS)
"""The suits of the columns B0-B2."""

ONES: Final = 0o111111111
"""One at each of the nine ranks of a column."""


def added_tiles(one: Any, two: Any) -> Any:
    """Return two columns of tiles as one; eight of a kind, four of them jokers, are seven, the most that a digit holds.

    >>> oct(added_tiles(0o4003, 0o4021))
    '0o7024'

    Args:
        one: an int, or int32[rows].
        two: the same. Of one kind they have eight at most, of the others then no more than four.
    """
    whole = one + two
    over = (one & two | (one | two) & ~whole) & 4 * ONES
    return whole - (over >> 2)
