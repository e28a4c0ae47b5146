"""What is paid in deals that nobody has won until the wall was at its end, at many tables: as ``mjcli.play.drawn``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjcli.lockstep.hall import DEALER, Hall, Index
from mjcli.ruleset.program import PlayRules, RiverRules

__all__ = ["Paid", "payments_of_draws"]


class Paid(NamedTuple):
    """What is paid at some tables for one thing."""

    row: Index
    """intp[payments]: the row of the deal; none comes twice."""
    amounts: NDArray[np.int64]
    """int64[payments, 4]: what each seat receives."""
    reason: str
    """``river`` or ``ready_hands``."""


def payments_of_draws(hall: Hall, rules: PlayRules, rows: Index, ready: NDArray[np.bool_]) -> Iterator[Paid]:
    """Yield what is paid: for rivers, seat by seat, or where nobody is paid for that, for ready hands.

    Args:
        hall: the tables.
        rules: what is paid.
        rows: of the deals that ended so.
        ready: bool[rows, seats]: the players who are ready.
    """
    rivers = np.zeros(ready.shape, np.bool_) if rules.river is None else _are_rivers(hall, rules.river, rows)
    for seat in range(hall.players) if rules.river else ():
        assert rules.river is not None
        some = np.flatnonzero(rivers[:, seat])
        paid = np.array(
            [rules.river.dealer if DEALER in (each, seat) else rules.river.others for each in range(hall.players)]
        )
        paid[seat] = 0
        paid[seat] = -paid.sum()
        yield Paid(rows[some], np.repeat(-paid[None], len(some), axis=0).astype(np.int64), "river")
    count = ready.sum(axis=1)
    some = np.flatnonzero((count > 0) & (count < hall.players) & ~rivers.any(axis=1))
    if rules.ready_hands and len(some):
        own = count[some, None].astype(np.int64)
        share = rules.ready_hands // (own * (hall.players - own))
        yield Paid(rows[some], share * np.where(ready[some], hall.players - own, -own), "ready_hands")


def _are_rivers(hall: Hall, river: RiverRules, rows: Index) -> NDArray[np.bool_]:
    """Return bool[rows, seats]: whether each has discarded nothing but certain tiles, of which nobody claimed one."""
    others = ~np.uint64(sum(1 << kind for kind in river.kinds))
    by_seat = (hall.size, hall.players)
    discarded = hall.rivers.reshape(by_seat)[rows]
    found: NDArray[np.bool_] = hall.unclaimed.reshape(by_seat)[rows] & (discarded != 0) & (discarded & others == 0)
    return found
