"""What happens at many tables, noted in arrays, and each table's events as ``mjcli.play.events`` has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mjcli.batch.hands import lines_of, meld_of
from mjcli.hand import Line
from mjcli.lockstep.ends import Ends
from mjcli.lockstep.hall import Index
from mjcli.play import events
from mjcli.play.choices import face
from mjcli.play.events import Event
from mjcli.ruleset import Ruleset
from mjcli.ruleset.model import ABORTS
from mjcli.ruleset.program import IndicatorRules
from mjcli.scoring import score
from mjcli.tiles import Tile

__all__ = ["Happening", "Notes"]


class Happening(IntEnum):
    """What happens, but for wins and the end."""

    DRAW = 0
    FLOWER = 1
    REPLACEMENT = 2
    DISCARD = 3
    CLAIM = 4
    KONG = 5
    INDICATOR = 6
    READY = 7
    DEPOSIT = 8
    ABORT = 9


class Notes:
    """Takes down what happens."""

    def __init__(self) -> None:
        self._parts: list[tuple[Happening, Index, Index, NDArray[Any]]] = []

    def note(self, happening: Happening, places: Index, what: Index, marks: NDArray[Any] | None = None) -> None:
        """Note what happens at some tables at once.

        Args:
            happening: what it is.
            places: of the players who do it; of indicators, those whose turn it is.
            what: kinds of tiles, of indicators ``Tile.order``, codes of melds, amounts, places among ``ABORTS``.
            marks: of tiles whether they are red fives; of indicators the tiles under them; marks of melds; of aborts
                a bit for each who says so, the player himself first, then those after him.
        """
        self._parts.append((happening, places, what.astype(np.intp), np.zeros_like(what) if marks is None else marks))

    def told(self, ends: Ends, ruleset: Ruleset) -> list[list[Event]]:
        """Return the events of each table; those of a table that was left to the referee are not whole.

        Args:
            ends: how the deals ended.
            ruleset: by which they were played.
        """
        found: list[list[Event]] = [[] for _ in ends.numbers]
        shown: list[list[Tile]] = [[] for _ in ends.numbers]
        under: list[list[Tile]] = [[] for _ in ends.numbers]
        for happening, places, what, marks in self._parts:
            columns = (places // ruleset.players, places % ruleset.players, what, marks)
            for row, seat, each, mark in zip(*(column.tolist() for column in columns), strict=True):
                found[row].append(_event(happening, seat, each, mark, ruleset.players))
                if happening is Happening.INDICATOR:
                    shown[row].append(_tile(each))
                    under[row].append(_tile(mark))
        winners: list[list[int]] = [[] for _ in ends.numbers]
        indicators = ruleset.play and ruleset.play.indicators
        rules = [rule.id for rule in ruleset.liability]
        for wins in ends.wins:
            of_wins = (wins.row, wins.seat, wins.feeder, wins.liable, wins.payments)
            rows = zip(*(column.tolist() for column in of_wins), lines_of(wins.hands), strict=True)
            for row, seat, feeder, liable, payments, line in rows:
                winners[row].append(seat)
                line = _in_order(line, indicators, shown[row], under[row]) if indicators else line
                found[row].append(events.Win(seat, score(line, ruleset), None if feeder < 0 else feeder))
                found[row].append(events.Payment(tuple(payments), rules[liable] if liable >= 0 else ""))
        for paid in ends.paid:
            for row, amounts in zip(paid.row.tolist(), paid.amounts.tolist(), strict=True):
                found[row].append(events.Payment(tuple(amounts), "", paid.reason))
        matters = _matters_who_is_ready(ruleset)
        taken, aborted = ends.taken.tolist(), ends.aborted.tolist()
        for row, left in enumerate(ends.left.tolist()):
            won = tuple(winners[row])
            if taken[row]:
                found[row].append(events.Deposit(won[0], taken[row]))
            ready = None if won or aborted[row] >= 0 or not matters else tuple(np.flatnonzero(ends.ready[row]).tolist())
            found[row].append(events.End(won, left, ready))
        return found


def _event(happening: Happening, seat: int, what: int, mark: int, players: int) -> Event:
    """Return an event among so many players; the other arguments are those of ``Notes.note``."""
    match happening:
        case Happening.DRAW:
            return events.Draw(seat, what, bool(mark))
        case Happening.FLOWER:
            return events.Flower(seat, what)
        case Happening.REPLACEMENT:
            return events.Replacement(seat, what, bool(mark))
        case Happening.DISCARD:
            return events.Discard(seat, what, bool(mark))
        case Happening.CLAIM:
            return events.Claim(seat, meld_of(what, mark))
        case Happening.KONG:
            return events.Kong(seat, meld_of(what, mark))
        case Happening.INDICATOR:
            return events.Indicator(what >> 1, what & 1 == 0)
        case Happening.READY:
            return events.Ready(seat)
        case Happening.DEPOSIT:
            return events.Deposit(seat, what)
        case Happening.ABORT:
            seats = tuple((seat + step) % players for step in range(players) if mark >> step & 1)
            return events.Abort(ABORTS[what], seats)


def _tile(key: int) -> Tile:
    """Return the tile of a key ``Tile.order``."""
    return face(key >> 1, key & 1 == 0)


def _in_order(line: Line, rules: IndicatorRules, shown: Sequence[Tile], under: Sequence[Tile]) -> Line:
    """Return a line that names the indicators, which arrays count by kind, as they were turned over."""
    tiles = {rules.word: shown, rules.under: under}
    extra = [
        (word, tuple(tiles[word][: len(value)]) if isinstance(value, tuple) else value)
        for word, value in line.context.extra
    ]
    return replace(line, context=replace(line.context, extra=tuple(extra)))


def _matters_who_is_ready(ruleset: Ruleset) -> bool:
    """Return whether it matters who is ready when the wall ends."""
    play, rotation = ruleset.play, ruleset.rotation
    return bool(play and play.ready_hands) or (rotation is not None and rotation.after_draw == "ready")
