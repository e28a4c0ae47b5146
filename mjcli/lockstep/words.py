"""The words of a ruleset's own that are true of wins at many tables: as ``mjcli.play.wins``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mjcli.lockstep.hall import Hall, Index
from mjcli.ruleset import Ruleset
from mjcli.tiles import KINDS, PLAIN_KINDS

__all__ = ["Words"]


class Words:
    """Says what is true of wins, as columns for ``Hands.extra``."""

    def __init__(self, ruleset: Ruleset) -> None:
        """
        Args:
            ruleset: whose words these are.
        """
        assert ruleset.play is not None
        assert ruleset.wall is not None
        play = ruleset.play
        self._ready, self._indicators, self._counters = play.ready, play.indicators, play.counters
        self._first_indicator = ruleset.wall.indicator
        self.end_matters = any((self._indicators, self._ready, self._counters))
        """Whether something of a score is known only when a win has been declared: what lies under the indicators, and
        which of several winners is the first."""

    def of(
        self, hall: Hall, places: Index, *, at_end: bool = False, is_first: NDArray[np.bool_] | None = None
    ) -> dict[str, NDArray[Any]]:
        """Return the columns of the words.

        Args:
            hall: the tables.
            places: of the players who win.
            at_end: whether the wins have been declared, so that what lay hidden counts.
            is_first: bool[places]: which are the first of several winners; without it all are.
        """
        return dict(self._columns(hall, places, at_end, is_first)) if self.end_matters else {}

    def _columns(
        self, hall: Hall, places: Index, at_end: bool, is_first: NDArray[np.bool_] | None
    ) -> Iterator[tuple[str, NDArray[Any]]]:
        ready, indicators, rows = self._ready, self._indicators, places // hall.players
        declared = hall.declared[places]
        if ready:
            yield ready.word, declared == 1
            yield ready.first_turn, declared == 2 if ready.first_turn != ready.word else declared > 0
            if ready.at_once:
                yield ready.at_once, hall.at_once[places]
        if indicators and self._first_indicator:
            shown = np.zeros((len(rows), KINDS), np.uint8)
            shown[:, :PLAIN_KINDS] = hall.indicators[rows]
            yield indicators.word, shown
            if at_end and indicators.under:
                under = hall.under(rows, self._first_indicator, first_alone=not indicators.under_kongs)
                yield indicators.under, under * (declared > 0)[:, None]
        if at_end:
            first = np.ones(len(rows), np.int64) if is_first is None else is_first.astype(np.int64)
            if self._counters:
                yield self._counters, first * hall.standings.counters[rows]
            if ready and ready.deposits:
                yield ready.deposits, first * hall.deposits[rows]
