"""The same questions asked of two independent programs from PyPI, ``xiangting`` and ``mahjong``.

Both see concealed tiles only: neither melds nor seen tiles take copies away from what they list.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import xiangting
from mahjong.shanten import Shanten

if TYPE_CHECKING:
    from mjcli.hand import Hand


def xiangting_shanten(hand: Hand) -> int:
    """Return the least shanten of the standard form, seven different pairs and thirteen orphans."""
    return xiangting.calculate_replacement_number(hand.counts(), xiangting.PlayerCount.FOUR) - 1


def xiangting_helpful(counts: list[int]) -> set[int]:
    """Return the kinds that bring concealed tiles nearer to the nearest of the same three forms."""
    _, flags = xiangting.calculate_necessary_tiles(counts, xiangting.PlayerCount.FOUR)
    return {kind for kind, flag in enumerate(xiangting.to_array(flags)) if flag}


def mahjong_shanten(hand: Hand) -> dict[str, int | None]:
    """Return the shanten of each of the three forms; ``mahjong`` leaves it to the caller to exclude melds."""
    counts = hand.counts()
    full = sum(counts) >= 13
    return {
        "standard": Shanten.calculate_shanten_for_regular_hand(counts),
        "seven-pairs": Shanten.calculate_shanten_for_chiitoitsu_hand(counts) if full else None,
        "thirteen-orphans": Shanten.calculate_shanten_for_kokushi_hand(counts) if full else None,
    }


def mahjong_waits(counts: list[int]) -> set[int]:
    """Return the kinds that complete concealed tiles for the same three forms."""
    found = set()
    for kind in range(34):
        if counts[kind] < 4:
            counts[kind] += 1
            if Shanten.calculate_shanten(counts) == -1:
                found.add(kind)
            counts[kind] -= 1
    return found
