"""What happens at many tables, noted in arrays, and each table's events as ``mjcli.play.events`` has them."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjcli.batch.hands import lines_of, meld_of
from mjcli.lockstep.ends import Ends
from mjcli.lockstep.hall import Index
from mjcli.play import events
from mjcli.play.events import Event
from mjcli.ruleset import Ruleset
from mjcli.scoring import score

__all__ = ["Happening", "Notes"]


class Happening(IntEnum):
    """What happens, but for wins and the end."""

    DRAW = 0
    FLOWER = 1
    REPLACEMENT = 2
    DISCARD = 3
    CLAIM = 4
    KONG = 5


_OF_TILES: Final[tuple[Any, ...]] = (events.Draw, events.Flower, events.Replacement, events.Discard)
"""The events that are about one tile, by number."""


class Notes:
    """Takes down what happens."""

    def __init__(self) -> None:
        self._parts: list[tuple[Happening, Index, Index, NDArray[Any]]] = []

    def note(self, happening: Happening, places: Index, what: Index, marks: NDArray[Any] | None = None) -> None:
        """Note what happens at some tables at once.

        Args:
            happening: what it is.
            places: of the players who do it.
            what: the kinds of tiles, or the codes of melds.
            marks: of melds.
        """
        self._parts.append((happening, places, what.astype(np.intp), np.zeros_like(what) if marks is None else marks))

    def told(self, ends: Ends, ruleset: Ruleset) -> list[list[Event]]:
        """Return the events of each table; those of a table that was left to the referee are not whole.

        Args:
            ends: how the deals ended.
            ruleset: by which they were played.
        """
        found: list[list[Event]] = [[] for _ in ends.numbers]
        for happening, places, what, marks in self._parts:
            columns = (places // ruleset.players, places % ruleset.players, what, marks)
            for row, seat, each, mark in zip(*(column.tolist() for column in columns), strict=True):
                if happening < Happening.CLAIM:
                    found[row].append(_OF_TILES[happening](seat, each))
                elif happening is Happening.CLAIM:
                    found[row].append(events.Claim(seat, meld_of(each, mark)))
                else:
                    found[row].append(events.Kong(seat, meld_of(each, mark)))
        winners: list[list[int]] = [[] for _ in ends.numbers]
        rules = [rule.id for rule in ruleset.liability]
        for wins in ends.wins:
            of_wins = (wins.row, wins.seat, wins.feeder, wins.liable, wins.payments)
            rows = zip(*(column.tolist() for column in of_wins), lines_of(wins.hands), strict=True)
            for row, seat, feeder, liable, payments, line in rows:
                winners[row].append(seat)
                found[row].append(events.Win(seat, score(line, ruleset), None if feeder < 0 else feeder))
                found[row].append(events.Payment(tuple(payments), rules[liable] if liable >= 0 else ""))
        for row, left in enumerate(ends.left.tolist()):
            found[row].append(events.End(tuple(winners[row]), left))
        return found
