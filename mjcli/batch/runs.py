"""Tiles in arrays as text in runs, such as ``123m44p``: what ``mjcli.notation.format_tiles`` writes for each row."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjcli.tiles import TILES, Suit, Tile

__all__ = ["NO_TILE", "texts"]

NO_TILE: Final = 255
"""Where a row has no tile; such places come last in it."""


def _characters() -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return uint8[256] twice, by ``Tile.order``: the digit of a tile, and the letter of its suit; 0 without a tile."""
    digits, letters = np.zeros(256, dtype=np.uint8), np.zeros(256, dtype=np.uint8)
    for each in (*TILES, *(Tile(suit, 5, red=True) for suit in (Suit.CHARACTERS, Suit.DOTS, Suit.BAMBOO))):
        digits[each.order], letters[each.order] = str(each).encode()
    return digits, letters


_DIGITS, _LETTERS = _characters()


def texts(keys: NDArray[np.uint8]) -> list[str]:
    """Return the text of each row of tiles.

    >>> from mjcli.tiles import tile
    >>> five, east = tile("0m").order, tile("1z").order
    >>> texts(np.array([[five, five + 1, east], [east, NO_TILE, NO_TILE]], dtype=np.uint8))
    ['05m1z', '1z']

    Args:
        keys: uint8[rows, places], ``Tile.order`` of each tile.
    """
    rows, places = keys.shape
    letters = np.zeros((rows, places + 1), dtype=np.uint8)
    letters[:, :-1] = _LETTERS[keys]
    written = np.zeros((rows, 2 * places + 1), dtype=np.uint8)
    written[:, 0:-1:2] = _DIGITS[keys]
    written[:, 1::2] = letters[:, :-1] * (letters[:, :-1] != letters[:, 1:])
    written[:, -1] = ord("\n")
    text = bytes(written[written != 0]).decode("ascii")
    return text.split("\n")[:-1]
