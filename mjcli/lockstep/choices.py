"""What many players may do at once, as lists of choices; those of one player follow each other, in the referee's order.

Wins are no choice here: every player who has an array form wins when he may.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjcli.lockstep.hall import CHOW, KONG, PUNG, Hall, Index
from mjcli.tiles import PLAIN_KINDS, TILES

__all__ = ["ChowTable", "Claims", "Kongs", "Turns", "claims_of", "first_of_each", "kongs_of"]


class Kongs(NamedTuple):
    """Kongs that players may make in their own turn."""

    place: Index
    """intp[choices]: of the player."""
    kind: Index
    added: NDArray[np.bool_]
    """bool[choices]: whether it is a tile added to a pung; else it is concealed."""

    def take(self, choices: Index | NDArray[np.bool_]) -> Kongs:
        """Return some of the choices."""
        return Kongs(self.place[choices], self.kind[choices], self.added[choices])


@dataclass(frozen=True, slots=True)
class Turns:
    """What players do in their turn, a row for each; if it is a discard, with what is known of the hand then."""

    kind: Index
    """intp[players]: of the discard, or of the kong."""
    kong: NDArray[np.bool_]
    added: NDArray[np.bool_]
    """bool[players]: whether the kong is a tile added to a pung."""
    missing: NDArray[np.uint8]
    """uint8[players]: the tiles missing after the discard."""
    waits: NDArray[np.uint64]
    """uint64[players]: a bit for each kind that completes the hand then."""

    @classmethod
    def of(cls, players: int) -> Turns:
        """Return as many rows, in which nothing is said yet."""
        kong, added = np.zeros((2, players), np.bool_)
        return cls(np.zeros(players, np.intp), kong, added, np.zeros(players, np.uint8), np.zeros(players, np.uint64))

    def put(self, rows: Index, turns: Turns) -> None:
        """Say what some players do."""
        for each in fields(self):
            getattr(self, each.name)[rows] = getattr(turns, each.name)

    def take(self, rows: Index) -> Turns:
        """Return what some players do."""
        return Turns(*(getattr(self, each.name)[rows] for each in fields(self)))


class Claims(NamedTuple):
    """Melds for which players may claim the discard."""

    place: Index
    """intp[choices]: of the player."""
    code: Index
    """intp[choices]: of the meld, as of ``mjcli.batch.Hands``."""

    def take(self, choices: Index | NDArray[np.bool_]) -> Claims:
        """Return some of the choices."""
        return Claims(self.place[choices], self.code[choices])


def kongs_of(hall: Hall, places: Index) -> Kongs:
    """Return the kongs that players may make: of their pungs in the order of these, then concealed ones by kind."""
    melds = hall.melds[places]
    pungs = (melds >= PUNG) & (melds < KONG)
    player, meld = pungs.nonzero()
    kind = melds[player, meld].astype(np.intp) - PUNG
    held = hall.counts[places[player], kind] > 0
    player, kind = player[held], kind[held]
    full, concealed = (hall.counts[places] == 4).nonzero()
    player, kind = np.concatenate((player, full)), np.concatenate((kind, concealed))
    added = np.arange(len(player)) < len(player) - len(full)
    order = np.argsort(player, kind="stable")
    return Kongs(places[player[order]], kind[order], added[order])


class ChowTable:
    """By which tiles a discard can be claimed for a chow."""

    def __init__(self, suits: str) -> None:
        """
        Args:
            suits: the letters of those whose chows may be claimed.
        """
        self.allowed = np.zeros((3, PLAIN_KINDS), np.bool_)
        """bool[3, 34]: whether a kind is the third, second or first tile of such a chow."""
        for first in TILES[:PLAIN_KINDS]:
            if first.suit.value in suits and first.rank <= 7:
                for place in range(3):
                    self.allowed[place, first.kind + 2 - place] = True


_BESIDE: Final = ((-2, -1), (-1, 1), (1, 2))
"""Of the third, second and first tile of a chow: where the two others are."""


def claims_of(hall: Hall, rows: Index, chows: ChowTable) -> Claims:
    """Return the melds for which the discards of some tables may be claimed: kongs, pungs, then chows, lowest first."""
    kinds = hall.discarded[rows].astype(np.intp)
    active = hall.active[rows]
    flat = hall.counts.ravel()
    found: list[tuple[Index, Index]] = []
    orders: list[Index] = []

    def note(order: int, places: Index, codes: Index) -> None:
        found.append((places, codes))
        orders.append(8 * places + order)

    for step in range(1, hall.players):
        places = hall.players * rows + (active + step) % hall.players
        own = PLAIN_KINDS * places + kinds
        held = flat.take(own)
        for order, (least, code) in enumerate(((3, KONG), (2, PUNG))):
            some = np.flatnonzero(held >= least)
            note(order, places[some], code + kinds[some])
        if step == 1:
            for order, (one, other) in enumerate(_BESIDE):
                some = np.flatnonzero(chows.allowed[order].take(kinds))
                some = some[(flat.take(own[some] + one) > 0) & (flat.take(own[some] + other) > 0)]
                note(2 + order, places[some], CHOW + kinds[some] + order - 2)
    sorted_ = np.argsort(np.concatenate(orders))
    places, codes = (np.concatenate(column)[sorted_] for column in zip(*found, strict=True))
    return Claims(places, codes)


def first_of_each(places: Index, chosen: NDArray[np.bool_]) -> Index:
    """Return the numbers of the first chosen ones of each place; equal places follow each other."""
    numbers = np.flatnonzero(chosen)
    own = places[numbers]
    first = np.ones(len(own), np.bool_)
    first[1:] = own[1:] != own[:-1]
    return numbers[first]
