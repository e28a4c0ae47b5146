"""Straight play: one hand and its draws, the best discards among those that never step back, worked out exactly.

The player draws from the tiles that he has not seen, one after the other, and nobody else does anything. A draw that
brings the hand nearer is kept, and of the discards that leave it as near the one of which most is to be expected is
made; any other draw is thrown away at once. A ready hand waits for what it may win on, and wins on it. Which discard is
best depends on all that has been drawn by then.

What is to be expected is worked out from the end: a hand that has drawn ``i`` times of ``draws`` is a matrix row, and
its future the mean of the futures that its next draw leads to. Beside the hand only the copies left of those kinds
matter that may still be of use; a kind that is of no use yet but may be later is counted too when it is thrown away.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mjcli.outlook import Outlook

__all__ = ["AIMS", "Future", "StraightPlay"]

AIMS: Final = ("win", "value")
"""What the best play makes most of: the chance to win, or what is received on the average."""

Future: TypeAlias = NDArray[np.float64]
"""float64[draws + 1, 2 * draws + 1]: what is to be expected of a hand after 0, 1 .. ``draws`` draws.

In columns: the chance to become ready with the first, second .. draw; then to win with it; last what is received.
"""

READY: Final = 1
"""The tiles missing of a ready hand."""

Held: TypeAlias = bytes
"""Counts by kind, 34 or with those of jokers 35: the concealed tiles, or the copies left of the kinds that matter."""


class StraightPlay:
    """What is to be expected of hands that differ in their concealed tiles alone.

    >>> play = StraightPlay(Outlook({"standard": ""}), 1, lambda held, kind: 2.0, unseen=10, draws=2, aim="win")
    >>> ready, left = bytes([0, 1, 1] + [0] * 30 + [2]), bytes([3, 0, 0, 2] + [0] * 30)
    >>> [float(chance) for chance in play.future(ready, left)[0].round(3)]
    [0.0, 0.0, 0.5, 0.278, 1.556]
    """

    def __init__(
        self,
        outlook: Outlook,
        sets: int,
        worth: Callable[[Held, int], float | None],
        *,
        unseen: int,
        draws: int,
        aim: str,
    ) -> None:
        """
        Args:
            outlook: of the forms that count.
            sets: how many sets the concealed tiles must make.
            worth: returns what a win receives, of the concealed tiles before it and the kind drawn; None where that is
                no win by the rules.
            unseen: how many tiles have not been seen before the first draw, all of which may be drawn.
            draws: how many tiles are drawn, at most ``unseen``.
            aim: one of ``AIMS``.
        """
        self.outlook, self.sets, self.draws = outlook, sets, draws
        self._worth = worth
        self._aim = slice(draws, 2 * draws) if aim == "win" else slice(2 * draws, None)
        self._unseen = unseen - np.arange(draws)
        self._wins: dict[Held, Mapping[int, float]] = {}
        self._moves: dict[Held, Mapping[int, Sequence[Held]]] = {}
        self._useful: dict[Held, frozenset[int]] = {}
        self._futures: dict[tuple[Held, Held], Future] = {}
        self._waits: dict[int, Future] = {}

    def missing(self, held: Held) -> int:
        """Return how many tiles a hand misses."""
        return self.outlook.missing(held, self.sets)

    def wins(self, held: Held) -> Mapping[int, float]:
        """Return the kinds on which a ready hand may win, with what each receives."""
        found = self._wins.get(held)
        if found is None:
            worths = {kind: self._worth(held, kind) for kind in self.outlook.waits(held, self.sets)}
            found = self._wins[held] = {kind: worth for kind, worth in worths.items() if worth is not None}
        return found

    def moves(self, held: Held) -> Mapping[int, Sequence[Held]]:
        """Return the kinds that bring a hand nearer, with what it may be after each and a discard, in tile order."""
        found = self._moves.get(held)
        if found is None:
            found = {}
            for kind in self.outlook.helpful(held, self.sets)[1]:
                drawn = bytearray(held)
                drawn[kind] += 1
                discards = sorted(self.outlook.discards(drawn, self.sets)[1])
                found[kind] = [_without(drawn, discard) for discard in discards]
            self._moves[held] = found
        return found

    def useful(self, held: Held) -> frozenset[int]:
        """Return the kinds that are of use to a hand, now or after other draws."""
        found = self._useful.get(held)
        if found is None:
            if self.missing(held) == READY:
                found = frozenset(self.wins(held))
            else:
                moves = self.moves(held)
                found = frozenset(moves).union(*(self.useful(after) for each in moves.values() for after in each))
            self._useful[held] = found
        return found

    def future(self, held: Held, left: Held) -> Future:
        """Return what is to be expected of a hand.

        Args:
            held: its concealed tiles, 3n+1.
            left: the copies of each kind that have not been seen.
        """
        useful = self.useful(held)
        left = bytes([count if kind in useful else 0 for kind, count in enumerate(left)])
        found = self._futures.get((held, left))
        if found is None:
            make = self._waiting if self.missing(held) == READY else self._moving
            found = self._futures[held, left] = make(held, left)
        return found

    def best(self, hands: Sequence[Held], left: Held, drawn: int) -> Held:
        """Return the hand of some of which most is to be expected after so many draws, the first of equal ones."""
        expected = [float(self.future(held, left)[drawn, self._aim].sum()) for held in hands]
        return hands[expected.index(max(expected))]

    def _waiting(self, held: Held, left: Held) -> Future:
        """Return the future of a ready hand."""
        wins = self.wins(held)
        copies = sum(left[kind] for kind in wins)
        found = self._of_copies(copies)
        if copies:
            mean = sum(left[kind] * worth for kind, worth in wins.items()) / copies
            found = found.copy()
            found[:, -1] = mean * found[:, self.draws : -1].sum(axis=1)
        return found

    def _of_copies(self, copies: int) -> Future:
        """Return the future of a ready hand that waits for so many copies, but for what it receives."""
        found = self._waits.get(copies)
        if found is None:
            won = np.zeros((self.draws, 2 * self.draws + 1))
            places = np.arange(self.draws)
            won[places, self.draws + places] = copies / self._unseen
            found = self._waits[copies] = self._with_rest(won, self._unseen - copies)
        return found

    def _moving(self, held: Held, left: Held) -> Future:
        """Return the future of a hand that is not ready."""
        moves = self.moves(held)
        places = np.arange(self.draws)
        found = np.zeros((self.draws, 2 * self.draws + 1))
        rest = self._unseen.copy()
        for kind, copies in enumerate(left):
            if not copies:
                continue
            rest -= copies
            chance = copies / self._unseen
            fewer = _without(left, kind)
            if kind not in moves:
                found += chance[:, None] * self.future(held, fewer)[1:]
                continue
            found += chance[:, None] * self._best_future([self.future(after, fewer)[1:] for after in moves[kind]])
            if self.missing(held) == READY + 1:
                found[places, places] += chance
        return self._with_rest(found, rest)

    def _best_future(self, futures: Sequence[Future]) -> Future:
        """Return of some futures, in each row, the one of which most is to be expected."""
        if len(futures) == 1:
            return futures[0]
        stacked = np.stack(futures)
        best = stacked[:, :, self._aim].sum(axis=2).argmax(axis=0)
        found: Future = stacked[best, np.arange(self.draws)]
        return found

    def _with_rest(self, found: Future, rest: NDArray[np.int_]) -> Future:
        """Return a future from what its useful draws come to and how many tiles are of no use, both before each draw.

        After one of those the hand is what it was, with a draw less to come.
        """
        whole = np.zeros((self.draws + 1, found.shape[1]))
        stays = np.maximum(rest, 0) / self._unseen
        for drawn in range(self.draws - 1, -1, -1):
            whole[drawn] = found[drawn] + stays[drawn] * whole[drawn + 1]
        return whole


def _without(held: bytes | bytearray, kind: int) -> Held:
    fewer = bytearray(held)
    fewer[kind] -= 1
    return bytes(fewer)
