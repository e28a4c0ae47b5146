"""The hall: the tables of many deals as arrays, and how tiles move on them.

A table is a row. A player is a **place** in the hall: the row, times how many players a table has, plus the number of
his seat. Tiles are kinds. The arrays say of each table and each player what ``mjcli.play.table.Table`` says of one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjcli.batch.deals import Deals
from mjcli.batch.hands import ADDED, BONUS_SHIFTS, EXPOSED, FEEDER, JOKERS, MELD_TYPES, REDS
from mjcli.batch.hands import PLAYERS as NAMED
from mjcli.batch.runs import NO_TILE
from mjcli.batch.suits import WEIGHTS, Bytes, keys_of
from mjcli.lockstep.chances import Chances
from mjcli.melds import MeldType, Relation
from mjcli.play.choices import FIVES
from mjcli.suits import MOST_SETS
from mjcli.tiles import JOKER_KIND, KINDS, PLAIN_KINDS, TileSet

__all__ = [
    "CHOW",
    "DEALER",
    "KONG",
    "NEVER",
    "NO_KIND",
    "PUNG",
    "Hall",
    "Index",
    "Standings",
    "bit_of",
    "holds",
    "moved",
    "stand_ins",
]

Index = NDArray[np.intp]
"""Numbers of rows, seats, places or kinds."""

DEALER: Final = 0

NO_KIND: Final = 255
"""Stands where there is no tile."""

NEVER: Final = -1
"""Stands for the number of turns after which a player was ready, where he never was."""

_LEFT: Final = NAMED.index(Relation.LEFT)
"""What a mark says of a meld whose feeder sits to the left."""

_WEIGHTS: Final = np.array(WEIGHTS, np.intp)
_SUIT: Final = np.arange(PLAIN_KINDS) // 9
_BONUS: Final = np.zeros(KINDS, np.uint32)
_BONUS[JOKER_KIND + 1 :] = [1 << shift for shift in BONUS_SHIFTS]

_NO_FIVE: Final = 3
_FIVE: Final = np.array([kind // 9 if kind in FIVES else _NO_FIVE for kind in range(PLAIN_KINDS)])
"""Where a player's red fives of each kind are counted."""

CHOW, PUNG, KONG = (1 + PLAIN_KINDS * MELD_TYPES.index(each) for each in MeldType)
"""The codes of a meld of kind 0."""


class Standings(NamedTuple):
    """Where games stand as some deals begin, as ``mjcli.play.Standing`` says of one."""

    counters: Index
    """intp[rows]."""
    deposits: Index
    """intp[rows]."""
    points: NDArray[np.int64] | None
    """int64[rows, seats]: what each player has, E first; None where that is not counted."""

    @classmethod
    def of_single_deals(cls, deals: int) -> Standings:
        """Return those of deals that are of no game."""
        return cls(np.zeros(deals, np.intp), np.zeros(deals, np.intp), None)


class Hall:
    """The tables of some deals; the referee alone changes them."""

    def __init__(
        self,
        tiles: TileSet,
        seed: int,
        deals: Sequence[Deals],
        round_winds: NDArray[np.uint8],
        standings: Standings | None = None,
    ) -> None:
        """
        Args:
            tiles: those of the ruleset.
            seed: of the run.
            deals: some at a time, as they begin: hands dealt, flowers replaced.
            round_winds: uint8[rows]: 1-4 for E S W N; 0 in games without rounds.
            standings: where the games stand; None of single deals.
        """
        self.round_winds = round_winds
        rules = deals[0].rules
        dealt = np.concatenate([some.hands for some in deals])
        hands = dealt >> 1
        self.size = size = len(hands)
        self.players = rules.players
        """How many sit at each table."""
        self.standings = Standings.of_single_deals(size) if standings is None else standings
        places = self.players * size
        self.copies = np.array(tiles.copies[: JOKER_KIND + 1], np.uint8)
        """uint8[35]: of each kind, of jokers last."""
        self.numbers = np.concatenate([some.numbers for some in deals]).astype(np.intp)
        """intp[rows]: of the deals in their run."""
        self.chances = Chances(seed, self.numbers, rules.players)

        # of each player
        counts = np.zeros((places, PLAIN_KINDS), np.uint8)
        own = hands.reshape(places, -1)
        for column in own.T:
            held = np.flatnonzero(column < PLAIN_KINDS)
            counts[held, column[held]] += 1
        self.counts = counts
        """uint8[places, 34]: concealed tiles."""
        self.has_jokers = tiles.copies[JOKER_KIND] > 0
        """Whether there are jokers at all."""
        self.jokers = np.count_nonzero(own == JOKER_KIND, axis=1).astype(np.uint8)
        """uint8[places]: how many each has besides."""
        self.has_reds = any(tiles.reds)
        """Whether there are red fives at all."""
        self.reds = np.zeros((places, _NO_FIVE + 1), np.uint8)
        """uint8[places, 4]: how many of the fives of m p s are red; the last column is that of all other kinds."""
        for kind in FIVES if self.has_reds else ():
            self.reds[:, _FIVE[kind]] = (dealt.reshape(places, -1) == 2 * kind).sum(axis=1)
        self.keys = keys_of(counts)[0]
        """intp[4, places]: the key of each suit of these."""
        self.sets = np.full(places, MOST_SETS, np.uint8)
        """uint8[places]: how many sets the concealed tiles must make."""
        self.missing = np.zeros(places, np.uint8)
        """uint8[places]: the tiles missing of 3n+1 concealed tiles, as they were after the last discard."""
        self.waits = np.zeros(places, np.uint64)
        """uint64[places]: a bit for each kind that completes them."""
        self.waiting = np.ones(places, np.bool_)
        """bool[places]: whether each may win on another's tile, having passed no win since his last discard."""
        self.clean = np.ones(places, np.bool_)
        """bool[places]: whether nobody waits for what he has discarded himself, as far as that matters."""
        self.declared = np.zeros(places, np.uint8)
        """uint8[places]: whether each has declared that he is ready: 2 in the first turn, 1 later, 0 not."""
        self.at_once = np.zeros(places, np.bool_)
        """bool[places]: whether he has within a turn, and nobody has claimed or made a kong since."""
        self.since_declared = np.zeros(places, np.uint64)
        """uint64[places]: a bit for each kind that anybody has discarded since."""
        self.laid = np.zeros(places, np.bool_)
        """bool[places]: whether he has laid down his deposit."""
        self.unclaimed = np.ones(places, np.bool_)
        """bool[places]: whether nobody has claimed a discard of each."""
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
        self.turns[DEALER :: self.players] = 1
        self.ready_at = np.full(places, NEVER, np.int16)
        """int16[places]: after how many each was first ready."""

        # of each table
        self._order = np.concatenate([some.drawing for some in deals])
        """uint8[rows, tiles]: the walls in the order of drawing, by ``Tile.order``."""
        self._dead = rules.dead_wall
        self._drawn = np.full(size, rules.dealt, np.intp)
        self._replaced = np.concatenate([some.replaced for some in deals])
        self.left = np.maximum(self._order.shape[1] - rules.dealt - self._replaced - rules.dead_wall, 0)
        """intp[rows]: how many tiles can still be drawn."""
        self.seen = np.zeros((size, JOKER_KIND + 1), np.uint8)
        """uint8[rows, 35]: copies that lie open, of jokers last."""
        self.active = np.full(size, DEALER, np.intp)
        """intp[rows]: whose turn it is, or who has discarded."""
        self.drawn = np.full(size, NO_KIND, np.uint8)
        """uint8[rows]: what the active player has drawn."""
        self.drawn_red = np.zeros(size, np.bool_)
        """bool[rows]: whether that is a red five."""
        self.discarded = np.full(size, NO_KIND, np.uint8)
        """uint8[rows]: the tile that others may claim, or rob."""
        self.discarded_red = np.zeros(size, np.bool_)
        """bool[rows]: whether that is a red five."""
        self.swapped = np.zeros(size, np.uint64)
        """uint64[rows]: a bit for each kind that the active player may not discard after his claim."""
        self.has_claimed = np.zeros(size, np.bool_)
        self.kongs = np.zeros(size, np.uint8)
        """uint8[rows]: how many have been made."""
        self.kongs_in_a_row = np.zeros(size, np.uint8)
        self.by_flower = np.zeros(size, np.bool_)
        self.last_drawer = np.full(size, DEALER, np.intp)
        self.turned_over = np.zeros(size, np.intp)
        """intp[rows]: how many indicators are turned over in the dead wall."""
        self.indicators = np.zeros((size, PLAIN_KINDS), np.uint8)
        """uint8[rows, 34]: copies of each kind among them."""
        self.deposits = self.standings.deposits.copy()
        """intp[rows]: how many deposits lie on the table."""

    def places(self, rows: Index) -> Index:
        """Return the place of the active player of each of some rows."""
        found: Index = self.players * rows + self.active[rows]
        return found

    def unseen(self, places: Index) -> NDArray[np.uint8]:
        """Return uint8[places, 34]: copies that these players see neither on the table nor in their hands."""
        rows = places // self.players
        found: NDArray[np.uint8] = self.copies[:PLAIN_KINDS] - self.counts[places]
        found -= self.seen.take(rows, axis=0)[:, :PLAIN_KINDS]
        if self.turned_over[0]:  # at all tables, or nowhere
            found -= self.indicators[rows]
        return found

    def concealed(self, places: Index) -> tuple[Bytes, Index, Bytes, Bytes | None]:
        """Return what ``Outlooks`` asks of the hands of some players."""
        jokers = self.jokers[places] if self.has_jokers else None
        return self.counts[places], self.keys.take(places, axis=1), self.sets[places], jokers

    def concealed_without(self, places: Index, kinds: Index) -> tuple[Bytes, Index, Bytes, Bytes | None]:
        """Return what it asks of these hands when each player has discarded a tile of a kind."""
        counts, keys, sets, jokers = self.concealed(places)
        return *moved(counts, keys, kinds, 1), sets, None if jokers is None else jokers - (kinds == JOKER_KIND)

    def reds_of(self, places: Index, kinds: Index) -> NDArray[np.uint8]:
        """Return how many of these players' concealed tiles of a kind each are red fives."""
        found: NDArray[np.uint8] = self.reds[places, _FIVE[kinds]]
        return found

    def are_red(self, places: Index, kinds: Index) -> NDArray[np.bool_]:
        """Return whether all that these players have of a kind each are red fives."""
        if not self.has_reds:
            return np.zeros(len(places), np.bool_)
        reds = self.reds_of(places, kinds)
        found: NDArray[np.bool_] = (reds > 0) & (reds == self.counts[places, kinds])
        return found

    def has_melds(self, rows: Index) -> NDArray[np.bool_]:
        """Return bool[rows, seats]: whether each player has melds."""
        found: NDArray[np.bool_] = self.sets.reshape(self.size, self.players)[rows] < MOST_SETS
        return found

    def number_of_melds(self, places: Index) -> Index:
        """Return how many melds each of some players has."""
        return MOST_SETS - self.sets[places].astype(np.intp)

    def is_first_turn(self, places: Index, *, had: int) -> NDArray[np.bool_]:
        """Return whether nobody has a meld at these players' tables, and they had so many turns."""
        rows = places // self.players
        found: NDArray[np.bool_] = (self.turns[places] == had) & (self.left[rows] > 0)
        found[found] = ~self.has_melds(rows[found]).any(axis=1)
        return found

    # tiles on the move

    def hold(self, places: Index, kinds: Index, copies: int = 1) -> None:
        """Give concealed tiles to players, each once, or take them away where ``copies`` is negative."""
        if self.has_jokers:
            is_joker = kinds == JOKER_KIND
            self.jokers[places[is_joker]] += np.uint8(copies & 0xFF)
            places, kinds = places[~is_joker], kinds[~is_joker]
        self.counts[places, kinds] += np.uint8(copies & 0xFF)
        self.keys[_SUIT[kinds], places] += copies * _WEIGHTS[kinds]

    def discard(self, rows: Index, kinds: Index, red: NDArray[np.bool_]) -> None:
        """Let the active players discard, where ``red`` says so a red five."""
        places, bits = self.places(rows), bit_of(kinds)
        self.hold(places, kinds, -1)
        self.seen[rows, kinds] += 1
        self.discarded[rows], self.drawn[rows], self.has_claimed[rows] = kinds, NO_KIND, False
        self.rivers[places] |= bits
        by_table = self.passed_by.reshape(self.size, self.players)
        by_table[rows] |= bits[:, None]
        self.passed_by[places] = 0
        if self.has_reds:
            self.reds[places, _FIVE[kinds]] -= red
            self.discarded_red[rows] = red
        self.swapped[rows] = 0

    def note_declared(self, rows: Index, kinds: Index) -> None:
        """Note what is discarded at some tables for all players there who have declared that they are ready."""
        declared = self.declared.reshape(self.size, self.players)[rows] > 0
        since = self.since_declared.reshape(self.size, self.players)
        since[rows] |= np.where(declared, bit_of(kinds)[:, None], np.uint64(0))

    def draw(self, rows: Index) -> Index:
        """Return the next tile from the head of each wall, which is taken, by its key ``Tile.order``."""
        self.left[rows] -= 1
        place, replaced = self._drawn[rows], self._replaced[rows]
        self._drawn[rows] += 1
        # in the last stack, the top tile may be gone to the tail
        place += (replaced % 2 == 1) & (self._tail(replaced - 1) == place)
        return self._taken(rows, place)

    def replacement(self, rows: Index) -> Index:
        """Return the next tile from the tail of each wall, which is taken, by its key ``Tile.order``."""
        self.left[rows] -= 1
        replaced = self._replaced[rows]
        self._replaced[rows] += 1
        place = self._tail(replaced)
        place += place < self._drawn[rows]
        return self._taken(rows, place)

    def _taken(self, rows: Index, place: Index) -> Index:
        keys: Index = self._order[rows, place].astype(np.intp)
        return keys

    def _tail(self, number: Index) -> Index:
        place: Index = self._order.shape[1] - 2 - number + 2 * (number % 2)
        return place

    def take_in(self, rows: Index, keys: Index) -> None:
        """Give the active players the tiles of these keys, which they have drawn."""
        places, kinds = self.places(rows), keys >> 1
        self.hold(places, kinds)
        self.drawn[rows] = kinds
        if self.has_reds:
            self.drawn_red[rows] = red = keys & 1 == 0
            self.reds[places, _FIVE[kinds]] += red

    def turn_over(self, rows: Index, first: int) -> tuple[Index, Index, Index]:
        """Turn over the next indicator; return at which tables there is one, its key, and that of the tile under it.

        Args:
            rows: of the tables.
            first: the stack from the break that has the first of them on top.
        """
        number = first + self.turned_over[rows]
        rows, number = rows[2 * number <= self._dead], number[2 * number <= self._dead]
        self.turned_over[rows] += 1
        keys, under = (self._order[rows, -2 * number + place].astype(np.intp) for place in range(2))
        self.indicators[rows, keys >> 1] += 1
        return rows, keys, under

    def under(self, rows: Index, first: int, *, first_alone: bool) -> NDArray[np.uint8]:
        """Return uint8[rows, 58]: the tiles under the indicators that are turned over, by kind.

        Args:
            rows: of the tables.
            first: the stack from the break that has the first of them on top.
            first_alone: whether that under the first of them is the only one that counts.
        """
        found = np.zeros((len(rows), KINDS), np.uint8)
        shown = np.minimum(self.turned_over[rows], 1) if first_alone else self.turned_over[rows]
        for place in range(shown.max(initial=0)):
            some = np.flatnonzero(shown > place)
            found[some, self._order[rows[some], 1 - 2 * (first + place)] >> 1] += 1
        return found

    def lay_out(self, places: Index, kinds: Index) -> None:
        """Let players lay out bonus tiles."""
        self.bonus[places] += _BONUS[kinds]

    # melds

    def claim_meld(self, places: Index, codes: Index, feeders: Index, reds: Index, jokers: Index) -> None:
        """Let players make melds of the discards, which are none of their tiles yet.

        Args:
            places: of the players.
            codes: of the melds.
            feeders: the seats of those who have discarded.
            reds: intp[places]: how many red fives they take from their hands; for kongs all that there are.
            jokers: intp[places]: which tiles are jokers, as marks of melds have it.
        """
        rows = places // self.players
        kinds = self.discarded[rows].astype(np.intp)
        first, chow, kong = (codes - 1) % PLAIN_KINDS, codes < PUNG, codes >= KONG
        self.hold(places, kinds)
        self.seen[rows, kinds] -= 1
        for tile in range(4):
            some = np.flatnonzero(kong) if tile == 3 else slice(None)
            kind = np.where(chow, first + tile, first)[some]
            if tile < 3 and self.has_jokers:
                kind[stand_ins(codes, jokers)[tile]] = JOKER_KIND
            self.hold(places[some], kind, -1)
            self.seen[rows[some], kind] += 1
        if self.has_reds:
            reds = np.where(kong, self.reds_of(places, first), reds)
            self.reds[places, np.where(reds > 0, first // 9, _NO_FIVE)] -= reds.astype(np.uint8)
        distance = (feeders - places) % self.players
        distance[distance == self.players - 1] = _LEFT
        reds = reds + self.discarded_red[rows]
        marks = (1 << EXPOSED.shift) | (distance << FEEDER.shift) | (reds << REDS.shift) | (jokers << JOKERS.shift)
        self._add_meld(places, codes, marks)
        self.unclaimed[self.players * rows + feeders] = False

    def conceal_kong(self, places: Index, kinds: Index) -> None:
        """Let players make concealed kongs."""
        self.hold(places, kinds, -4)
        self.seen[places // self.players, kinds] = self.copies[kinds]
        self._add_meld(places, KONG + kinds, self._laid_down(places, kinds) << REDS.shift)

    def add_to_pung(self, places: Index, kinds: Index) -> None:
        """Let players add a tile to a pung that they have claimed."""
        self.hold(places, kinds, -1)
        self.seen[places // self.players, kinds] += 1
        at = (self.melds[places] == (PUNG + kinds)[:, None]).argmax(axis=1)
        self.melds[places, at] += KONG - PUNG
        self.marks[places, at] |= 1 << ADDED.shift
        self.marks[places, at] += self._laid_down(places, kinds) << REDS.shift
        self.last_kong[places] = at

    def _laid_down(self, places: Index, kinds: Index) -> NDArray[np.uint16]:
        """Return how many red fives players had of kinds of which they have no tile left."""
        found = self.reds_of(places, kinds).astype(np.uint16)
        self.reds[places, _FIVE[kinds]] = 0
        return found

    def _add_meld(self, places: Index, codes: Index, marks: Any) -> None:
        at = self.number_of_melds(places)
        self.melds[places, at] = codes
        self.marks[places, at] = marks
        self.sets[places] -= 1
        kong = np.flatnonzero(codes >= KONG)
        self.last_kong[places[kong]] = at[kong]


def bit_of(kinds: NDArray[Any]) -> NDArray[np.uint64]:
    """Return the bit of each kind."""
    found: NDArray[np.uint64] = np.uint64(1) << kinds.astype(np.uint64)
    return found


def holds(bits: NDArray[np.uint64], kinds: NDArray[Any]) -> NDArray[np.bool_]:
    """Return whether the bit of a kind is set; of ``NO_KIND`` it is not."""
    found: NDArray[np.bool_] = (bits >> np.minimum(kinds, 63).astype(np.uint64)) & np.uint64(1) != 0
    return found


def stand_ins(codes: Index, jokers: Index) -> NDArray[np.bool_]:
    """Return bool[3, melds]: for which of their tiles jokers stand.

    Args:
        codes: of the melds; of kongs, which have no jokers, it says nothing of the fourth tile.
        jokers: intp[melds]: as marks of melds have it.
    """
    tiles = np.arange(3)[:, None]
    found: NDArray[np.bool_] = np.where(codes < PUNG, jokers >> tiles & 1, tiles >= 3 - jokers) > 0
    return found


def moved(counts: Bytes, keys: Index, kinds: Index, copies: int | Index) -> tuple[Bytes, Index]:
    """Return the counts and keys of hands without some copies of a kind each; with more, where these are negative.

    Jokers, which are not among these, do not change them.

    Args:
        counts: uint8[hands, 34], which are left as they are.
        keys: intp[4, hands], which are left too.
        kinds: intp[hands].
        copies: how many; intp[hands], if not as many of each.
    """
    hands = np.arange(len(counts))
    counts, keys = counts.copy(), keys.copy()
    is_joker = kinds == JOKER_KIND
    if is_joker.any():
        kinds, copies = np.where(is_joker, 0, kinds), np.where(is_joker, 0, copies)
    counts[hands, kinds] -= np.asarray(copies).astype(np.uint8)
    keys[_SUIT[kinds], hands] -= copies * _WEIGHTS[kinds]
    return counts, keys
