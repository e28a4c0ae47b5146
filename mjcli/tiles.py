"""Tiles 牌: what each one is, its number as a kind, and how many copies of each a set holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from mjcli.errors import HandError

__all__ = [
    "DEFAULT_SET",
    "FULL_SET",
    "JOKER_KIND",
    "KINDS",
    "PLAIN_KINDS",
    "RANKS",
    "TILES",
    "Suit",
    "Tile",
    "TileSet",
    "tile",
]


class Suit(StrEnum):
    """A suit, as its letter in the compact notation."""

    CHARACTERS = "m"
    DOTS = "p"
    BAMBOO = "s"
    HONORS = "z"
    """Ranks 1-4 are the winds 東南西北, 5 white 白, 6 green 發, 7 red 中."""
    JOKERS = "j"
    FLOWERS = "f"
    """1-4 the plants 梅蘭菊竹, 5-8 the arts 琴棋書畫."""
    SEASONS = "g"
    """1-4 the seasons 春夏秋冬, 5-8 the trades 漁樵耕讀."""
    ANIMALS = "a"
    """1-4 the animals 貓鼠雞蟲, 5 man's head, 6 woman's head, 7 clown's head."""


RANKS: Final[Mapping[str, int]] = {"m": 9, "p": 9, "s": 9, "z": 7, "j": 1, "f": 8, "g": 8, "a": 7}
"""The highest rank of each suit; the lowest is 1."""

_FIRST_KIND: Final[Mapping[str, int]] = {"m": 0, "p": 9, "s": 18, "z": 27, "j": 34, "f": 35, "g": 43, "a": 51}

PLAIN_KINDS: Final = 34
"""Kinds 0-33 are the suits and honours: 1m-9m, 1p-9p, 1s-9s, 1z-7z."""
JOKER_KIND: Final = 34
KINDS: Final = 58
"""Kinds 35-57 are the bonus tiles: 1f-8f, 1g-8g, 1a-7a."""


@dataclass(frozen=True, slots=True)
class Tile:
    """One tile; ``str`` gives its two characters.

    >>> str(Tile(Suit.DOTS, 5)), str(Tile(Suit.DOTS, 5, red=True)), Tile(Suit.HONORS, 1).kind
    ('5p', '0p', 27)

    Raises:
        HandError: no such tile exists (``bad-rank``).
    """

    suit: Suit
    rank: int
    red: bool = False
    """A red five, written 0; its rank and kind are those of any five."""
    kind: int = field(init=False, repr=False, compare=False)
    """Its index, 0-57."""
    order: int = field(init=False, repr=False, compare=False)
    """The sorting key: by kind, a red five before the other fives."""

    def __post_init__(self) -> None:
        highest = RANKS[self.suit]
        if not 1 <= self.rank <= highest:
            raise HandError("bad-rank", f"no tile '{self.rank}{self.suit}' (ranks are 1-{highest})")
        if self.red and (self.rank != 5 or self.suit not in "mps"):
            raise HandError("bad-rank", f"no red '{self.rank}{self.suit}' (only fives of the three suits are red)")
        kind = _FIRST_KIND[self.suit] + self.rank - 1
        object.__setattr__(self, "kind", kind)
        object.__setattr__(self, "order", 2 * kind + (not self.red))

    def __str__(self) -> str:
        return f"{0 if self.red else self.rank}{self.suit.value}"

    def __lt__(self, other: Tile) -> bool:
        return self.order < other.order

    @property
    def is_bonus(self) -> bool:
        """Whether it is laid aside and replaced: flowers, seasons, animals and heads."""
        return self.kind > JOKER_KIND

    @property
    def is_joker(self) -> bool:
        """Whether it is the joker 飛 / 百搭."""
        return self.kind == JOKER_KIND

    @property
    def plain(self) -> Tile:
        """The same tile without its red colour."""
        return TILES[self.kind] if self.red else self


TILES: Final[tuple[Tile, ...]] = tuple(Tile(suit, rank) for suit in Suit for rank in range(1, RANKS[suit] + 1))
"""One tile of each kind, at its own index."""

_BY_NAME: Final[Mapping[str, Tile]] = {
    str(each): each
    for each in (*TILES, *(Tile(suit, 5, red=True) for suit in (Suit.CHARACTERS, Suit.DOTS, Suit.BAMBOO)))
}


def tile(name: str) -> Tile:
    """Return the tile written as two characters.

    >>> tile("7z").kind
    33

    Raises:
        HandError: there is no such tile (``bad-rank`` for a rank out of range, else ``bad-char``).
    """
    found = _BY_NAME.get(name)
    if found is None:
        if len(name) == 2 and name[1] in RANKS and name[0] in "0123456789":
            raise HandError("bad-rank", f"no tile '{name}' (ranks are 1-{RANKS[name[1]]})")
        raise HandError("bad-char", f"no tile {name!r} (a digit and one of m p s z j f g a)")
    return found


@dataclass(frozen=True, slots=True)
class TileSet:
    """Which tiles a game is played with: copies of each kind.

    >>> TileSet.of({"m": 4, "p": 4, "s": 4, "z": 4}).size
    136

    Raises:
        HandError: a number of copies is negative, or more fives are red than there are.
    """

    copies: tuple[int, ...]
    """int[58], by kind."""
    reds: tuple[int, int, int] = (0, 0, 0)
    """How many fives of m, p and s are red; they are among the copies."""
    bird: int | None = None
    """The kind whose tiles are the jokers 飛 where the set has none of its own, such as 1s, the bird. It is read as the
    joker, and its copies are those of the joker."""

    def __post_init__(self) -> None:
        if len(self.copies) != KINDS or min(self.copies) < 0:
            raise HandError("bad-tiles", f"a set needs {KINDS} numbers of copies, none negative")
        if self.bird is not None and self.copies[self.bird]:
            raise HandError("bad-tiles", f"'{TILES[self.bird]}' is the joker, so there are none beside")
        if any(not 0 <= red <= self.copies[9 * suit + 4] for suit, red in enumerate(self.reds)):
            raise HandError("bad-tiles", "more fives are red than there are fives")

    def reds_of(self, kind: int) -> int:
        """Return how many copies of a kind are red fives."""
        return self.reds[kind // 9] if kind < 27 and kind % 9 == 4 else 0

    @classmethod
    def of(cls, copies: Mapping[str, int], reds: tuple[int, int, int] = (0, 0, 0), bird: Tile | None = None) -> TileSet:
        """Return the set with these copies by suit letter (``m``) or by tile (``1f``), the tile deciding.

        The copies of ``bird``, where there is one, are jokers.

        >>> birds = TileSet.of({"p": 4, "z": 4, "1s": 4}, bird=tile("1s"))
        >>> birds.copies[JOKER_KIND], str(birds.read(tile("1s")))
        (4, '1j')
        """
        counts = [copies.get(str(each), copies.get(each.suit.value, 0)) for each in TILES]
        if bird is not None:
            counts[JOKER_KIND] += counts[bird.kind]
            counts[bird.kind] = 0
        return cls(tuple(counts), reds, None if bird is None else bird.kind)

    @property
    def size(self) -> int:
        """How many tiles it has."""
        return sum(self.copies)

    @property
    def plain_kinds(self) -> tuple[int, ...]:
        """The kinds of its suit tiles and honours, for which a joker may stand."""
        return tuple(kind for kind in range(PLAIN_KINDS) if self.copies[kind])

    def read(self, tile: Tile) -> Tile:
        """Return what a tile is in this set: itself, or the joker."""
        return TILES[JOKER_KIND] if tile.kind == self.bird else tile

    def missing(self, tiles: Iterable[Tile]) -> Tile | None:
        """Return the first of ``tiles`` whose kind, or whose red five, this set does not have at all."""
        for each in tiles:
            if not self.copies[each.kind] or (each.red and not self.reds["mps".index(each.suit)]):
                return each
        return None


DEFAULT_SET: Final = TileSet.of(
    {"m": 4, "p": 4, "s": 4, "z": 4, "j": 4, "f": 1, "g": 1, "a": 1, "5a": 2, "6a": 2, "7a": 4}, reds=(4, 4, 4)
)
"""Every tile there is, for questions that name no ruleset: no set holds more copies than this."""

FULL_SET: Final = TileSet.of(
    {"m": 4, "p": 4, "s": 4, "z": 4, "j": 4, "f": 1, "g": 1, "a": 1, "5a": 2, "6a": 2, "7a": 0}
)
"""The 164 tiles of a full set as sold in Malaysia: 136, 16 flowers 花, four animals, four heads and four jokers 飛."""
