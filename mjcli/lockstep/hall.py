"""The hall: the tables of many deals as arrays, and how tiles move on them.

A table is a row. A player is a **place** in the hall: four times the row, plus the number of his seat. Tiles are kinds.
The arrays say of each table and each player what ``mjcli.play.table.Table`` says of one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjcli.batch.deals import Deals
from mjcli.batch.hands import ADDED, BONUS_SHIFTS, EXPOSED, FEEDER, MELD_TYPES
from mjcli.batch.runs import NO_TILE
from mjcli.batch.suits import WEIGHTS, keys_of
from mjcli.lockstep.chances import Chances
from mjcli.melds import MeldType
from mjcli.suits import MOST_SETS
from mjcli.tiles import JOKER_KIND, KINDS, PLAIN_KINDS, TileSet

__all__ = ["CHOW", "DEALER", "KONG", "NEVER", "NO_KIND", "PLAYERS", "PUNG", "Hall", "Index", "moved"]

Index = NDArray[np.intp]
"""Numbers of rows, seats, places or kinds."""

PLAYERS: Final = 4
DEALER: Final = 0

NO_KIND: Final = 255
"""Stands where there is no tile."""

NEVER: Final = -1
"""Stands for the number of turns after which a player was ready, where he never was."""

_WEIGHTS: Final = np.array(WEIGHTS, np.intp)
_SUIT: Final = np.arange(PLAIN_KINDS) // 9
_BONUS: Final = np.zeros(KINDS, np.uint32)
_BONUS[JOKER_KIND + 1 :] = [1 << shift for shift in BONUS_SHIFTS]

CHOW, PUNG, KONG = (1 + PLAIN_KINDS * MELD_TYPES.index(each) for each in MeldType)
"""The codes of a meld of kind 0."""


class Hall:
    """The tables of some deals; the referee alone changes them."""

    def __init__(self, tiles: TileSet, seed: int, deals: Sequence[Deals], round_winds: NDArray[np.uint8]) -> None:
        """
        Args:
            tiles: those of the ruleset.
            seed: of the run.
            deals: some at a time, as they begin: hands dealt, flowers replaced.
            round_winds: uint8[rows]: 1-4 for E S W N; 0 in games without rounds.
        """
        self.round_winds = round_winds
        rules = deals[0].rules
        hands = np.concatenate([some.hands for some in deals]) >> 1
        self.size = size = len(hands)
        places = PLAYERS * size
        self.copies = np.array(tiles.copies[:PLAIN_KINDS], np.uint8)
        self.numbers = np.concatenate([some.numbers for some in deals]).astype(np.intp)
        """intp[rows]: of the deals in their run."""
        self.chances = Chances(seed, self.numbers)

        # of each player
        counts = np.zeros((places, PLAIN_KINDS), np.uint8)
        own = hands.reshape(places, -1)
        for column in own.T:
            held = np.flatnonzero(column < PLAIN_KINDS)
            counts[held, column[held]] += 1
        self.counts = counts
        """uint8[places, 34]: concealed tiles."""
        self.keys = keys_of(counts)[0]
        """intp[4, places]: the key of each suit of these."""
        self.sets = np.full(places, MOST_SETS, np.uint8)
        """uint8[places]: how many sets the concealed tiles must make."""
        self.missing = np.zeros(places, np.uint8)
        """uint8[places]: the tiles missing of 3n+1 concealed tiles, as they were after the last discard."""
        self.waits = np.zeros(places, np.uint64)
        """uint64[places]: a bit for each kind that completes them."""
        self.melds = np.zeros((places, MOST_SETS), np.uint8)
        """uint8[places, 4]: the codes of melds, as of ``mjcli.batch.Hands``, in the order in which they were made."""
        self.marks = np.zeros((places, MOST_SETS), np.uint16)
        """uint16[places, 4]: their marks."""
        self.last_kong = np.zeros(places, np.intp)
        """intp[places]: the place among these of the kong that each has made last, if he has made any."""
        self.rivers = np.zeros(places, np.uint64)
        """uint64[places]: a bit for each kind that a player has discarded."""
        self.passed_by = np.zeros(places, np.uint64)
        """uint64[places]: a bit for each kind that others have discarded since."""
        self.bonus = np.zeros(places, np.uint32)
        """uint32[places]: bonus tiles, as of ``mjcli.batch.Hands``."""
        for column in np.concatenate([some.bonus for some in deals]).reshape(places, -1).T:
            laid = np.flatnonzero(column != NO_TILE)
            self.bonus[laid] += _BONUS[column[laid] >> 1]
        self.turns = np.zeros(places, np.uint8)
        """uint8[places]: how many turns each has had."""
        self.turns[DEALER::PLAYERS] = 1
        self.ready_at = np.full(places, NEVER, np.int16)
        """int16[places]: after how many each was first ready."""

        # of each table
        self._order = np.concatenate([some.drawing for some in deals]) >> 1
        self._drawn = np.full(size, rules.dealt, np.intp)
        self._replaced = np.concatenate([some.replaced for some in deals])
        self.left = np.maximum(self._order.shape[1] - rules.dealt - self._replaced - rules.dead_wall, 0)
        """intp[rows]: how many tiles can still be drawn."""
        self.seen = np.zeros((size, PLAIN_KINDS), np.uint8)
        """uint8[rows, 34]: copies that lie open."""
        self.active = np.full(size, DEALER, np.intp)
        """intp[rows]: whose turn it is, or who has discarded."""
        self.drawn = np.full(size, NO_KIND, np.uint8)
        """uint8[rows]: what the active player has drawn."""
        self.discarded = np.full(size, NO_KIND, np.uint8)
        """uint8[rows]: the tile that others may claim, or rob."""
        self.has_claimed = np.zeros(size, np.bool_)
        self.kongs_in_a_row = np.zeros(size, np.uint8)
        self.by_flower = np.zeros(size, np.bool_)
        self.last_drawer = np.full(size, DEALER, np.intp)

    def places(self, rows: Index) -> Index:
        """Return the place of the active player of each of some rows."""
        found: Index = PLAYERS * rows + self.active[rows]
        return found

    def unseen(self, places: Index) -> NDArray[np.uint8]:
        """Return uint8[places, 34]: copies that these players see neither on the table nor in their hands."""
        found: NDArray[np.uint8] = self.copies - self.counts[places] - self.seen[places // PLAYERS]
        return found

    def has_melds(self, rows: Index) -> NDArray[np.bool_]:
        """Return bool[rows, 4]: whether each player has melds."""
        found: NDArray[np.bool_] = self.sets.reshape(self.size, PLAYERS)[rows] < MOST_SETS
        return found

    def number_of_melds(self, places: Index) -> Index:
        """Return how many melds each of some players has."""
        return MOST_SETS - self.sets[places].astype(np.intp)

    # tiles on the move

    def hold(self, places: Index, kinds: Index, copies: int = 1) -> None:
        """Give concealed tiles to players, each once, or take them away where ``copies`` is negative."""
        self.counts[places, kinds] += np.uint8(copies & 0xFF)
        self.keys[_SUIT[kinds], places] += copies * _WEIGHTS[kinds]

    def discard(self, rows: Index, kinds: Index) -> None:
        """Let the active players discard."""
        places, bits = self.places(rows), np.uint64(1) << kinds.astype(np.uint64)
        self.hold(places, kinds, -1)
        self.seen[rows, kinds] += 1
        self.discarded[rows], self.drawn[rows], self.has_claimed[rows] = kinds, NO_KIND, False
        self.rivers[places] |= bits
        by_table = self.passed_by.reshape(self.size, PLAYERS)
        by_table[rows] |= bits[:, None]
        self.passed_by[places] = 0

    def draw(self, rows: Index) -> Index:
        """Return the next tile from the head of each wall, which is taken."""
        self.left[rows] -= 1
        place, replaced = self._drawn[rows], self._replaced[rows]
        self._drawn[rows] += 1
        # in the last stack, the top tile may be gone to the tail
        place += (replaced % 2 == 1) & (self._tail(replaced - 1) == place)
        return self._taken(rows, place)

    def replacement(self, rows: Index) -> Index:
        """Return the next tile from the tail of each wall, which is taken."""
        self.left[rows] -= 1
        replaced = self._replaced[rows]
        self._replaced[rows] += 1
        place = self._tail(replaced)
        place += place < self._drawn[rows]
        return self._taken(rows, place)

    def _taken(self, rows: Index, place: Index) -> Index:
        kinds: Index = self._order[rows, place].astype(np.intp)
        return kinds

    def _tail(self, number: Index) -> Index:
        place: Index = self._order.shape[1] - 2 - number + 2 * (number % 2)
        return place

    def lay_out(self, places: Index, kinds: Index) -> None:
        """Let players lay out bonus tiles."""
        self.bonus[places] += _BONUS[kinds]

    # melds

    def claim_meld(self, places: Index, codes: Index, feeders: Index) -> None:
        """Let players make melds of the discards, which are none of their tiles yet.

        Args:
            places: of the players.
            codes: of the melds.
            feeders: the seats of those who have discarded.
        """
        rows = places // PLAYERS
        kinds = self.discarded[rows].astype(np.intp)
        first, chow, kong = (codes - 1) % PLAIN_KINDS, codes < PUNG, codes >= KONG
        self.hold(places, kinds)
        self.seen[rows, kinds] -= 1
        for tile in range(4):
            some = np.flatnonzero(kong) if tile == 3 else slice(None)
            kind = np.where(chow, first + tile, first)[some]
            self.hold(places[some], kind, -1)
            self.seen[rows[some], kind] += 1
        distance = (feeders - places) % PLAYERS
        self._add_meld(places, codes, (1 << EXPOSED.shift) | (distance << FEEDER.shift))

    def conceal_kong(self, places: Index, kinds: Index) -> None:
        """Let players make concealed kongs."""
        self.hold(places, kinds, -4)
        self.seen[places // PLAYERS, kinds] = self.copies[kinds]
        self._add_meld(places, KONG + kinds, 0)

    def add_to_pung(self, places: Index, kinds: Index) -> None:
        """Let players add a tile to a pung that they have claimed."""
        self.hold(places, kinds, -1)
        self.seen[places // PLAYERS, kinds] += 1
        at = (self.melds[places] == (PUNG + kinds)[:, None]).argmax(axis=1)
        self.melds[places, at] += KONG - PUNG
        self.marks[places, at] |= 1 << ADDED.shift
        self.last_kong[places] = at

    def _add_meld(self, places: Index, codes: Index, marks: Any) -> None:
        at = self.number_of_melds(places)
        self.melds[places, at] = codes
        self.marks[places, at] = marks
        self.sets[places] -= 1
        kong = np.flatnonzero(codes >= KONG)
        self.last_kong[places[kong]] = at[kong]


def moved(counts: NDArray[np.uint8], keys: Index, kinds: Index, copies: int | Index) -> tuple[NDArray[np.uint8], Index]:
    """Return the counts and keys of hands without some copies of a kind each; with more, where these are negative.

    Args:
        counts: uint8[hands, 34], which are left as they are.
        keys: intp[4, hands], which are left too.
        kinds: intp[hands].
        copies: how many; intp[hands], if not as many of each.
    """
    hands = np.arange(len(counts))
    counts, keys = counts.copy(), keys.copy()
    counts[hands, kinds] -= np.asarray(copies).astype(np.uint8)
    keys[_SUIT[kinds], hands] -= copies * _WEIGHTS[kinds]
    return counts, keys
