"""Hands for tests: rows of shipped facts, a reader of the plainest text, and random hands of each class."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from random import Random
from typing import Any, Final

from mjcli.hand import Hand
from mjcli.melds import Meld, MeldType
from mjcli.tiles import TILES, Tile, tile

HANDS: Final = Path(__file__).with_name("cases") / "hands"

CHOWS: Final = tuple(kind for kind in range(27) if kind % 9 < 7)
"""Kinds that a chow can start with."""

CLASSES: Final = {
    "random": 0,
    "half-flush": 0,
    "flush": 0,
    "quads": 0,
    "one-meld": 1,
    "two-melds": 2,
    "three-melds": 3,
    "four-melds": 4,
}
"""The classes of hands that the oracles are asked about, with their number of melds."""


def rows(name: str) -> list[list[Any]]:
    """Return the rows of one file of ``cases/hands``."""
    with gzip.open(HANDS / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def tiles_of(text: str) -> list[Tile]:
    """Return the tiles of a text such as ``123m77z``, read independently of ``mjcli.notation``."""
    tiles, digits = [], ""
    for char in text:
        if char.isdigit():
            digits += char
        else:
            tiles += [tile(digit + char) for digit in digits]
            digits = ""
    return tiles


def counts_of(text: str) -> list[int]:
    """Return int[34] of a text such as ``123m77z``."""
    counts = [0] * 34
    for each in tiles_of(text):
        counts[each.kind] += 1
    return counts


def text_of(counts: list[int]) -> str:
    """Return the canonical text of int[34]."""
    suits = ((letter, counts[9 * place : 9 * place + 9]) for place, letter in enumerate("mpsz"))
    return "".join(
        "".join(str(rank) * count for rank, count in enumerate(suit, 1)) + letter for letter, suit in suits if any(suit)
    )


def hand_of(counts: list[int], melds: tuple[Meld, ...] = ()) -> Hand:
    """Return the hand of concealed counts and melds."""
    return Hand(concealed=tuple(TILES[kind] for kind, count in enumerate(counts) for _ in range(count)), melds=melds)


def random_hand(rng: Random, name: str, tiles: int) -> Hand:
    """Return a hand of a class of 13 or 14 tiles, melds counted as three; what it lacks is drawn at random."""
    kinds = _kinds(rng, name)
    wall = [kind for kind in kinds for _ in range(4)]
    melds = _melds(rng, CLASSES[name], wall)
    counts = [0] * 34
    if name == "quads":
        for kind in rng.sample(kinds, rng.randint(1, 3)):
            counts[kind] = 4
            wall = [each for each in wall if each != kind]
    for kind in rng.sample(wall, tiles - 3 * len(melds) - sum(counts)):
        counts[kind] += 1
    return hand_of(counts, melds)


def ready_hand(rng: Random, name: str) -> Hand:
    """Return a hand of a class that is a complete one of four sets and a pair without one of its tiles."""
    while True:
        wall = [kind for kind in _kinds(rng, name) for _ in range(4)]
        melds = _melds(rng, CLASSES[name], wall)
        counts = [0] * 34
        for _ in range(4 - len(melds)):
            for kind in _taken(rng, wall, kong=False):
                counts[kind] += 1
        pairs = [kind for kind in set(wall) if wall.count(kind) >= 2]
        counts[rng.choice(sorted(pairs))] += 2
        if name != "quads" or 4 in counts:
            counts[rng.choice([kind for kind, count in enumerate(counts) if count])] -= 1
            return hand_of(counts, melds)


def _kinds(rng: Random, name: str) -> list[int]:
    suit = 9 * rng.randrange(3)
    if name == "flush":
        return list(range(suit, suit + 9))
    if name == "half-flush":
        return [*range(suit, suit + 9), *range(27, 34)]
    return list(range(34))


def _melds(rng: Random, number: int, wall: list[int]) -> tuple[Meld, ...]:
    """Return random melds, their tiles taken from the wall."""
    melds = []
    for _ in range(number):
        kong = rng.random() < 0.2
        kinds = _taken(rng, wall, kong=kong)
        kind = MeldType.KONG if kong else MeldType.PUNG if kinds[0] == kinds[1] else MeldType.CHOW
        melds.append(Meld(type=kind, first=TILES[kinds[0]]))
    return tuple(melds)


def _taken(rng: Random, wall: list[int], *, kong: bool) -> list[int]:
    """Return the kinds of a random set, taken from the wall: in three of five cases a chow."""
    while True:
        if not kong and rng.random() < 0.6:
            first = rng.choice(CHOWS)
            kinds = [first, first + 1, first + 2]
        else:
            kinds = [rng.choice(wall)] * (4 if kong else 3)
        if all(wall.count(kind) >= kinds.count(kind) for kind in kinds):
            for kind in kinds:
                wall.remove(kind)
            return kinds
