"""Which sets hold all tiles of many hands at once: those under which the notation reads each of them."""

from __future__ import annotations

from random import Random

import pytest

from mjcli.batch import fits, hands_of, lines_of
from mjcli.errors import InputError
from mjcli.hand import Line
from mjcli.notation import format_line, parse_line
from mjcli.tiles import DEFAULT_SET, TileSet
from tests.random_hands import random_line

SETS = (
    DEFAULT_SET,
    TileSet.of({"m": 4, "p": 4, "s": 4, "z": 4}),
    TileSet.of({"m": 4, "p": 4, "s": 4, "z": 4, "j": 2, "f": 1, "g": 1, "a": 1, "7a": 2}, reds=(1, 4, 2)),
    TileSet.of({"m": 4, "p": 4, "s": 4, "z": 3, "f": 1, "1f": 0}, reds=(4, 4, 4)),
    TileSet.of({"p": 4, "s": 4, "1m": 4, "9m": 4, "z": 4, "j": 4}, reds=(0, 4, 4)),
)


def is_read(text: str, tiles: TileSet) -> bool:
    try:
        parse_line(text, tiles=tiles)
    except InputError:
        return False
    return True


@pytest.mark.parametrize("tiles", SETS)
def test_sets_that_hold_all_tiles(tiles: TileSet) -> None:
    rng = Random("fits")
    lines: list[Line] = [random_line(rng) for _ in range(500)]
    hands = hands_of(lines)
    texts = [format_line(line).split(" dora=")[0].split(" honba=")[0] for line in lines_of(hands)]
    expected = [is_read(text, tiles) for text in texts]
    assert fits(hands, tiles).tolist() == expected
    assert any(expected)
    assert all(expected) == (tiles is DEFAULT_SET)
