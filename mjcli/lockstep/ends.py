"""How many deals ended, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mjcli.batch.hands import Hands
from mjcli.batch.scores import Scores
from mjcli.lockstep.hall import Hall, Index

__all__ = ["Ends", "Wins", "ends_of", "wins_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wins:
    """Some wins; row n of each array is win n."""

    row: Index
    """intp[wins]: the row of its deal."""
    seat: Index
    """intp[wins]: of the winner."""
    feeder: Index
    """intp[wins]: who discarded the tile, or whose kong was robbed; -1 of a self-draw."""
    robbed: NDArray[np.bool_]
    """bool[wins]: whether a kong was robbed."""
    hands: Hands
    """With what the table says of each."""
    fan: NDArray[np.int64]
    """int64[wins]."""
    counts: NDArray[np.int64]
    """int64[patterns, wins]: how often each pattern counts."""
    fans: NDArray[np.int64]
    """int64[patterns, wins]: what each is worth once."""
    liable: NDArray[np.int8]
    """int8[wins]: the place of the rule by which somebody pays alone; -1 for none."""
    payments: NDArray[np.int64]
    """int64[wins, seats]: what each seat receives."""

    def __len__(self) -> int:
        return len(self.row)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ends:
    """How some deals ended; row n of each array is deal n."""

    numbers: Index
    """intp[rows]: of the deals in their run."""
    aside: NDArray[np.bool_]
    """bool[rows]: whether the deal came to what is so rare that arrays do not play it; the other arrays say nothing."""
    wins: Sequence[Wins]
    """All wins, some at a time; those of a deal follow each other."""
    last_drawer: Index
    """intp[rows]: who took the last tile from the wall."""
    left: Index
    """intp[rows]: how many tiles could still be drawn."""
    turns: Index
    """intp[rows, seats]: how many turns each player had."""
    ready_at: Index
    """intp[rows, seats]: after how many turns each was first ready; -1 if never."""


def wins_of(places: Index, feeders: Index, robbed: NDArray[np.bool_], hands: Hands, scores: Scores) -> Wins:
    """Return wins, and what they are worth."""
    return Wins(
        row=places // scores.players,
        seat=places % scores.players,
        feeder=feeders,
        robbed=robbed,
        hands=hands,
        fan=scores.fan.astype(np.int64),
        counts=scores.counts.astype(np.int64),
        fans=scores.fans.astype(np.int64),
        liable=scores.liable,
        payments=scores.payments().T,
    )


def ends_of(hall: Hall, aside: NDArray[np.bool_], wins: Sequence[Wins]) -> Ends:
    """Return how the deals of a hall ended."""
    by_seat = (hall.size, hall.players)
    return Ends(
        numbers=hall.numbers,
        aside=aside,
        wins=wins,
        last_drawer=hall.last_drawer,
        left=hall.left,
        turns=hall.turns.reshape(by_seat).astype(np.intp),
        ready_at=hall.ready_at.reshape(by_seat).astype(np.intp),
    )
