"""Chance: a counter-based generator, so that deal n of a run depends on the seed and on n alone, on every machine.

The generator is Philox4x32-10: J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw, "Parallel random numbers: as easy
as 1, 2, 3" (SC 2011); its known answers are those of their Random123 library. It is written anew here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import IntEnum
from typing import Final, TypeVar

from mjcli.errors import InputError

__all__ = ["MAX_DEAL", "MAX_SEED", "RNG", "Chance", "Stream", "check_range", "fresh_seed", "parse_seed", "philox"]

Item = TypeVar("Item")

RNG: Final = "philox4x32-10/fisher-yates/1"
"""What draws the words, what shuffles, and the version of how the two are used, as outputs name it."""

MAX_SEED: Final = 2**64 - 1
MAX_DEAL: Final = 2**64 - 1

FRESH_BITS: Final = 53
"""A seed that is drawn is exact as a number of JSON in every reader."""

_WORD: Final = 0xFFFFFFFF
_MULTIPLIERS: Final = (0xD2511F53, 0xCD9E8D57)
_WEYL: Final = (0x9E3779B9, 0xBB67AE85)
_ROUNDS: Final = 10

Block = tuple[int, int, int, int]


class Stream(IntEnum):
    """What the words of one deal are drawn for: each has its own, so that given dice leave the wall as it is."""

    WALL = 0
    DICE = 1
    SEATS = 2
    PLAYER_E = 3
    PLAYER_S = 4
    PLAYER_W = 5
    PLAYER_N = 6


def philox(counter: Block, key: tuple[int, int]) -> Block:
    """Return the four words that Philox4x32-10 gives for a counter and a key.

    >>> [f"{word:08x}" for word in philox((0, 0, 0, 0), (0, 0))]
    ['6627e8d5', 'e169c58d', 'bc57ac4c', '9b00dbd8']

    Args:
        counter: four words of 32 bits.
        key: two words of 32 bits.
    """
    return _encrypt(counter, _schedule(key))


def _schedule(key: tuple[int, int]) -> list[tuple[int, int]]:
    """Return the key of each round."""
    return [(key[0] + turn * _WEYL[0] & _WORD, key[1] + turn * _WEYL[1] & _WORD) for turn in range(_ROUNDS)]


def _encrypt(counter: Block, schedule: Iterable[tuple[int, int]]) -> Block:
    one, two, three, four = counter
    first, second = _MULTIPLIERS
    for key, other in schedule:
        low, high = first * one, second * three
        one, two, three, four = high >> 32 ^ two ^ key, high & _WORD, low >> 32 ^ four ^ other, low & _WORD
    return one, two, three, four


class Chance:
    """The chance of one deal: words of 32 bits, and what is made of them.

    The key of the generator is the seed, its low word first. The counter is four words: the number of the block of four
    words within the stream, the stream, and the deal, its low word first.

    >>> Chance(1).shuffled("ESWN") == Chance(1).shuffled("ESWN") != Chance(1, 1).shuffled("ESWN")
    True
    """

    def __init__(self, seed: int, deal: int = 0, stream: Stream = Stream.WALL) -> None:
        """
        Args:
            seed: 0 to 2**64 - 1.
            deal: the number of the deal in its run, 0 to 2**64 - 1.
            stream: what the words are for.

        Raises:
            InputError: seed or deal is out of range (``bad-seed``).
        """
        check_range(seed, deal)
        self._schedule = _schedule((seed & _WORD, seed >> 32))
        self._rest = (int(stream), deal & _WORD, deal >> 32)
        self._block = 0
        self._words: list[int] = []

    def word(self) -> int:
        """Return the next word, 0 to 2**32 - 1."""
        words = self._words
        if not words:
            words += _encrypt((self._block, *self._rest), self._schedule)[::-1]
            self._block += 1
        return words.pop()

    def below(self, limit: int) -> int:
        """Return a number of 0 to ``limit`` - 1, each equally likely.

        Args:
            limit: 1 to 2**32.

        Source: D. Lemire, "Fast random integer generation in an interval" (2019): the high word of word x limit, drawn
        again where the low word is one of the few that would favour some results.
        """
        product = self.word() * limit
        if product & _WORD < limit:
            unfair = (1 << 32) % limit
            while product & _WORD < unfair:
                product = self.word() * limit
        return product >> 32

    def dice(self, count: int) -> tuple[int, ...]:
        """Return the faces of ``count`` dice, 1 to 6 each."""
        return tuple(1 + self.below(6) for _ in range(count))

    def shuffled(self, items: Iterable[Item]) -> list[Item]:
        """Return ``items`` in an order of which each is equally likely.

        Source: the shuffle of Fisher and Yates as R. Durstenfeld wrote it (1964), from the last place down.
        """
        found = list(items)
        below = self.below
        for place in range(len(found) - 1, 0, -1):
            other = below(place + 1)
            found[place], found[other] = found[other], found[place]
        return found


def check_range(seed: int, deal: int) -> None:
    """Refuse a seed or the number of a deal that the generator does not have.

    Raises:
        InputError: seed or deal is out of range (``bad-seed``).
    """
    for name, value, most in (("seed", seed, MAX_SEED), ("deal", deal, MAX_DEAL)):
        if not 0 <= value <= most:
            raise InputError("bad-seed", f"{name} {value} is not a whole number of 0 to {most}")


def parse_seed(text: str) -> int:
    """Return the seed that ``text`` writes in plain decimal.

    >>> parse_seed("42")
    42

    Raises:
        InputError: it is no whole number of 0 to 2**64 - 1 (``bad-seed``).
    """
    if not re.fullmatch(r"0|[1-9][0-9]{0,19}", text) or int(text) > MAX_SEED:
        raise InputError("bad-seed", f"'{text[:40]}' is no seed (a whole number of 0 to {MAX_SEED})")
    return int(text)


def fresh_seed() -> int:
    """Return a seed that nobody can foresee, from the operating system."""
    import secrets

    return secrets.randbits(FRESH_BITS)
