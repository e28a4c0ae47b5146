"""The chance of many players at once: each one's own, as ``View.chance`` gives it."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjcli.batch.chance import words
from mjcli.chance import Stream

__all__ = ["Chances"]

_FIRST: Final = 32
"""Words of each player that are made at first; if these do not suffice, there are twice as many."""

_HALF: Final = np.uint64(32)
_MASK: Final = np.uint64(0xFFFFFFFF)


class Chances:
    """The sources of chance of all players of some deals."""

    def __init__(self, seed: int, numbers: NDArray[np.intp], players: int) -> None:
        """
        Args:
            seed: of the run.
            numbers: intp[rows], of the deals.
            players: how many play each.
        """
        self._seed, self._deals, self._players = seed, numbers.astype(np.uint64), players
        self._words = np.empty((0, players * len(numbers)), np.uint32)
        self._used = np.zeros(players * len(numbers), np.intp)

    def below(self, places: NDArray[np.intp], limits: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return a number of each player's, 0 to a limit less one, as ``Chance.below`` draws it.

        Args:
            places: of different players.
            limits: intp[places], 1 at least.
        """
        wide = limits.astype(np.uint64)
        products = self._next(places) * wide
        again = np.flatnonzero((products & _MASK) < np.uint64(1 << 32) % wide)
        while len(again):
            products[again] = self._next(places[again]) * wide[again]
            again = again[(products[again] & _MASK) < np.uint64(1 << 32) % wide[again]]
        return (products >> _HALF).astype(np.intp)

    def _next(self, places: NDArray[np.intp]) -> NDArray[np.uint64]:
        number = self._used[places]
        self._used[places] += 1
        if number.max(initial=-1) >= len(self._words):
            count = max(2 * len(self._words), _FIRST)
            streams = [Stream(Stream.PLAYER_E + seat) for seat in range(self._players)]
            of_seats = [words(self._seed, self._deals, stream, count) for stream in streams]
            self._words = np.stack(of_seats, axis=2).reshape(count, -1).astype(np.uint32)
        return self._words[number, places].astype(np.uint64)
