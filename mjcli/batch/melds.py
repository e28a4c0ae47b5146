"""The tiles that lie in the melds of many hands, by the codes and marks of ``mjcli.batch.hands``."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from mjcli.batch.hands import JOKERS, MELD_TYPES
from mjcli.melds import Meld, MeldType
from mjcli.tiles import PLAIN_KINDS, TILES

__all__ = ["melded_copies", "melded_counts", "melded_jokers", "number_of_melds"]


@cache
def _tiles() -> NDArray[np.uint8]:
    """Return uint8[code, jokers, 34]: the tiles that lie in a meld."""
    found = np.zeros((1 + len(MELD_TYPES) * PLAIN_KINDS, JOKERS.mask + 1, PLAIN_KINDS), np.uint8)
    for place, meld_type in enumerate(MELD_TYPES):
        for first in range(PLAIN_KINDS):
            if meld_type is MeldType.CHOW and (first >= 27 or first % 9 > 6):
                continue
            stands = [tile.kind for tile in Meld(type=meld_type, first=TILES[first]).stands_for]
            for jokers in range(JOKERS.mask + 1):
                if meld_type is MeldType.CHOW:
                    lying = [kind for at, kind in enumerate(stands) if not jokers >> at & 1]
                else:
                    lying = stands[jokers:]
                np.add.at(found[1 + first + PLAIN_KINDS * place, jokers], lying, 1)
    return found


def melded_counts(melds: NDArray[np.uint8], marks: NDArray[np.uint16]) -> NDArray[np.uint8]:
    """Return uint8[rows, 34]: the tiles in the melds of each hand, jokers not counted.

    Args:
        melds: uint8[rows, 4], as of ``Hands``.
        marks: uint16[rows, 4], as of ``Hands``.
    """
    tiles, jokers = _tiles(), JOKERS.of(marks)
    found = tiles[melds[:, 0], jokers[:, 0]]
    for place in range(1, melds.shape[1]):
        if not melds[:, place].any():
            break
        found += tiles[melds[:, place], jokers[:, place]]
    return found


def melded_copies(melds: NDArray[np.uint8], marks: NDArray[np.uint16], kinds: NDArray[np.intp]) -> NDArray[np.uint8]:
    """Return uint8[rows]: how many tiles of a kind lie in the melds of each hand; see ``melded_counts``.

    Args:
        melds: uint8[rows, 4], as of ``Hands``.
        marks: uint16[rows, 4], as of ``Hands``.
        kinds: intp[rows], each one of the first 34.
    """
    number: NDArray[np.uint8] = _tiles()[melds, JOKERS.of(marks), kinds[:, None]].sum(axis=1, dtype=np.uint8)
    return number


@cache
def _jokers() -> NDArray[np.uint8]:
    """Return uint8[code, jokers]: how many tiles of a meld are jokers."""
    lying = _tiles().sum(axis=2, dtype=np.uint8)
    jokers: NDArray[np.uint8] = lying[:, :1] - lying
    return jokers


def melded_jokers(melds: NDArray[np.uint8], marks: NDArray[np.uint16]) -> NDArray[np.uint8]:
    """Return uint8[rows]: how many jokers lie in the melds of each hand; see ``melded_counts``."""
    number: NDArray[np.uint8] = _jokers()[melds, JOKERS.of(marks)].sum(axis=1, dtype=np.uint8)
    return number


def number_of_melds(melds: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return uint8[rows]: how many melds stand on the table, of their codes."""
    number = (melds[:, 0] > 0).astype(np.uint8)
    for place in range(1, melds.shape[1]):
        number += melds[:, place] > 0
    return number
