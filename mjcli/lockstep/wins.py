"""The hands of possible wins as arrays, with what the tables say of each: as ``mjcli.play.wins``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjcli.batch.hands import NO_TILE, Hands
from mjcli.batch.hands import PLAYERS as NAMED
from mjcli.lockstep.hall import NO_KIND, Hall, Index
from mjcli.melds import Seat
from mjcli.tiles import JOKER_KIND

__all__ = ["hands_of_claims", "hands_of_draws", "named_seats"]

_SUITED: Final = 27
_SEAT_E: Final = NAMED.index(Seat.E)
"""The number of E where players are named in ``Hands.context``."""


def hands_of_draws(
    hall: Hall, rows: Index, kinds: Index, *, last_replacement: bool, extra: Mapping[str, NDArray[Any]]
) -> Hands:
    """Return the hands of the active players, won by the tiles that they have drawn.

    Args:
        hall: the tables.
        rows: of the tables.
        kinds: intp[rows], of the tiles; where nothing was drawn, of some that were dealt.
        last_replacement: whether the replacement of a kong can be the last tile.
        extra: the ruleset's own words.
    """
    places = hall.places(rows)
    by_flower = hall.by_flower[rows]
    return _hands(
        hall,
        places,
        kinds,
        red=np.where(hall.drawn[rows] == NO_KIND, hall.are_red(places, kinds), hall.drawn_red[rows]),
        drawn=np.ones(len(rows), np.bool_),
        extra=extra,
        last_tile=(hall.left[rows] == 0) & (last_replacement | (hall.kongs_in_a_row[rows] == 0)),
        last_of_kind=hall.seen[rows, kinds] == hall.copies[kinds] - 1,
        kong_draw=np.where(by_flower, 0, hall.kongs_in_a_row[rows]).astype(np.uint8),
        flower_draw=by_flower,
        first_turn=hall.is_first_turn(places, had=1),
        clean_opponents=_clean_opponents(hall, rows, places),
    )


def hands_of_claims(
    hall: Hall,
    places: Index,
    *,
    is_kong: NDArray[np.bool_],
    extra: Mapping[str, NDArray[Any]],
    winners: NDArray[np.uint8] | None = None,
) -> Hands:
    """Return the hands of players, won by the discards or by robbing the kongs of the active ones.

    Args:
        hall: the tables.
        places: of the players.
        is_kong: bool[places]: whether a kong is robbed.
        extra: the ruleset's own words.
        winners: how many win by each tile; one where it is not said.
    """
    rows = places // hall.players
    kinds = hall.discarded[rows].astype(np.intp)
    size = len(places)
    return _hands(
        hall,
        places,
        kinds,
        red=hall.discarded_red[rows],
        drawn=np.zeros(size, np.bool_),
        extra=extra,
        source=named_seats(hall.active[rows]),
        last_tile=(hall.left[rows] == 0) & ~is_kong,
        last_of_kind=hall.seen[rows, kinds] - ~is_kong == hall.copies[kinds] - 1,
        rob_kong=is_kong,
        first_turn=hall.is_first_turn(places, had=0) & ~is_kong,
        clean_opponents=_clean_opponents(hall, rows, places) & ~is_kong,
        winners=np.ones(size, np.uint8) if winners is None else winners,
    )


def named_seats(seats: Index) -> NDArray[np.uint8]:
    """Return the numbers by which ``Hands.context`` names seats."""
    return (_SEAT_E + seats).astype(np.uint8)


def _hands(
    hall: Hall,
    places: Index,
    kinds: Index,
    *,
    red: NDArray[np.bool_],
    drawn: NDArray[np.bool_],
    extra: Mapping[str, NDArray[Any]],
    **context: NDArray[Any],
) -> Hands:
    size = len(places)
    counts, reds, jokers = hall.counts[places], hall.reds[places, :3], hall.jokers[places]
    is_joker = kinds == JOKER_KIND
    counts[np.arange(size), np.where(is_joker, 0, kinds)] += ~drawn & ~is_joker
    jokers += ~drawn & is_joker
    reds[np.arange(size), kinds % _SUITED // 9] += red & ~drawn
    return Hands(
        counts=counts,
        melds=hall.melds[places],
        marks=hall.marks[places],
        win=(2 * kinds + ~red).astype(np.uint8),
        last=np.full(size, NO_TILE, np.uint8),
        drawn=drawn,
        reds=reds,
        jokers=jokers,
        bonus=hall.bonus[places],
        context={
            "seat": (places % hall.players + 1).astype(np.uint8),
            "round": hall.round_winds[places // hall.players],
            **context,
        },
        extra=extra,
    )


def _clean_opponents(hall: Hall, rows: Index, places: Index) -> NDArray[np.bool_]:
    melds = hall.has_melds(rows)
    melds[np.arange(len(rows)), places % hall.players] = False
    clean: NDArray[np.bool_] = ~np.any(melds, axis=1)
    return clean
