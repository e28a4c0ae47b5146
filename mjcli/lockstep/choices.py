"""What many players may do at once, as lists of choices; those of one player follow each other, in the referee's order.

Wins are no choice here: every player who has an array form wins when he may.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjcli.batch.hands import JOKERS
from mjcli.lockstep.hall import CHOW, KONG, PUNG, Hall, Index, bit_of, holds
from mjcli.play.choices import FIVES
from mjcli.ruleset.program import PlayRules
from mjcli.tiles import JOKER_KIND, PLAIN_KINDS, TILES

__all__ = ["ChowTable", "Claims", "Kongs", "Options", "Turns", "claims_of", "first_of_each", "kongs_of"]


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


class Options(NamedTuple):
    """What players may do in their own turn, beside any discard of what they hold."""

    kongs: Kongs
    barred: NDArray[np.uint64]
    """uint64[players]: a bit for each kind that may not be discarded."""
    abort: NDArray[np.bool_]
    """bool[players]: whether each may end the deal for his terminals and honours."""
    ready: NDArray[np.bool_]
    """bool[players]: whether each may declare that he is ready, and discard what leaves him so."""

    def take(self, players: Index | NDArray[np.bool_], kongs: Index | NDArray[np.bool_]) -> Options:
        """Return what some of the players may do, whose kongs are those."""
        return Options(self.kongs.take(kongs), self.barred[players], self.abort[players], self.ready[players])


@dataclass(frozen=True, slots=True)
class Turns:
    """What players do in their turn, a row for each; if it is a discard, with what is known of the hand then."""

    kind: Index
    """intp[players]: of the discard, or of the kong."""
    red: NDArray[np.bool_]
    """bool[players]: whether a red five is discarded."""
    kong: NDArray[np.bool_]
    added: NDArray[np.bool_]
    """bool[players]: whether the kong is a tile added to a pung."""
    abort: NDArray[np.bool_]
    """bool[players]: whether the deal is ended instead."""
    ready: NDArray[np.bool_]
    """bool[players]: whether a player declares that he is ready, and discards."""
    missing: NDArray[np.uint8]
    """uint8[players]: the tiles missing after the discard."""
    waits: NDArray[np.uint64]
    """uint64[players]: a bit for each kind that completes the hand then."""

    @classmethod
    def of(cls, players: int) -> Turns:
        """Return as many rows, in which nothing is said yet."""
        return cls.discarding(np.zeros(players, np.intp), np.zeros(players, np.uint8), np.zeros(players, np.uint64))

    @classmethod
    def discarding(cls, kind: Index, missing: NDArray[np.uint8], waits: NDArray[np.uint64]) -> Turns:
        """Return discards, none of a red five."""
        red, kong, added, abort, ready = np.zeros((5, len(kind)), np.bool_)
        return cls(kind, red, kong, added, abort, ready, missing, waits)

    def put_kongs(self, players: Index, kongs: Kongs) -> None:
        """Let some players make kongs instead."""
        self.kind[players], self.kong[players], self.added[players] = kongs.kind, True, kongs.added

    def put(self, rows: Index | NDArray[np.bool_], turns: Turns) -> None:
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
    reds: Index
    """intp[choices]: how many red fives the player takes from his hand for a chow or a pung."""
    jokers: Index
    """intp[choices]: which tiles are jokers from his hand, as marks of melds have it."""

    def take(self, choices: Index | NDArray[np.bool_]) -> Claims:
        """Return some of the choices."""
        return Claims(self.place[choices], self.code[choices], self.reds[choices], self.jokers[choices])

    def barred(self, hall: Hall, how: str) -> NDArray[np.uint64]:
        """Return uint64[choices]: a bit for each kind that may not be discarded after the claim 食換.

        Args:
            hall: the tables.
            how: as ``PlayRules.swap_calling``.
        """
        if how == "free":
            return np.zeros(len(self.place), np.uint64)
        kinds = hall.discarded[self.place // hall.players].astype(np.intp)
        found = bit_of(kinds)
        if how == "same_chow":
            chow, first, rank = self.code < PUNG, self.code - CHOW, kinds % 9
            found |= np.where(chow & (kinds == first) & (rank < 6), bit_of(kinds + 3), np.uint64(0))
            found |= np.where(chow & (kinds == first + 2) & (rank > 2), bit_of(kinds - 3), np.uint64(0))
        found[self.code >= KONG] = 0
        return found


def kongs_of(hall: Hall, places: Index) -> Kongs:
    """Return the kongs that players may make: of their pungs in the order of these, then concealed ones by kind."""
    melds = hall.melds[places]
    pungs = (melds >= PUNG) & (melds < KONG)
    if hall.has_jokers:
        pungs &= JOKERS.of(hall.marks[places]) == 0
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
_ORDERS: Final = 16
"""More than the ways in which one player may claim a tile: a kong, a pung, three chows, and those with jokers."""


def claims_of(hall: Hall, rows: Index, chows: ChowTable, rules: PlayRules) -> Claims:
    """Return the melds for which the discards of some tables may be claimed: kongs, pungs, then chows, lowest first.

    Of those of one kind that with fewest red fives comes first; those with jokers come last.

    Args:
        hall: the tables.
        rows: of those with discards.
        chows: which may be claimed.
        rules: of play; a claim after which nothing may be discarded is none.
    """
    swap_calling = rules.swap_calling
    claims = _claims(hall, rows, chows, with_jokers=hall.has_jokers and rules.joker_claims)
    keeps = hall.declared[claims.place] == 0
    if rules.most_kongs:
        keeps &= (claims.code < KONG) | (hall.kongs[claims.place // hall.players] < rules.most_kongs)
    claims = _with_reds(hall, claims.take(keeps)) if hall.has_reds else claims.take(keeps)
    if swap_calling == "free":
        return claims
    # so few tiles are left that all may be barred: three like the claimed one, and four at the other end of a chow
    few = np.flatnonzero(hall.sets[claims.place] <= 2)
    leaves = np.ones(len(claims.place), np.bool_)
    leaves[few] = _leaves_discard(hall, claims.take(few), swap_calling)
    return claims.take(leaves)


def _leaves_discard(hall: Hall, claims: Claims, swap_calling: str) -> NDArray[np.bool_]:
    """Return whether something may be discarded after each claim."""
    counts, numbers = hall.counts[claims.place], np.arange(len(claims.place))
    first = (claims.code - CHOW) % PLAIN_KINDS
    counts[numbers, hall.discarded[claims.place // hall.players]] += 1
    for tile in range(3):
        counts[numbers, first + tile * (claims.code < PUNG)] -= 1
    barred = claims.barred(hall, swap_calling)[:, None]
    found: NDArray[np.bool_] = np.any((counts > 0) & ~holds(barred, np.arange(PLAIN_KINDS)), axis=1)
    return found


def _with_reds(hall: Hall, claims: Claims) -> Claims:
    """Return claims with each number of red fives that players may take from their hands for them."""
    first, kinds = (claims.code - CHOW) % PLAIN_KINDS, hall.discarded[claims.place // hall.players]
    chow, pung = claims.code < PUNG, (claims.code >= PUNG) & (claims.code < KONG)
    suit = first // 9
    five = np.array((*FIVES, PLAIN_KINDS - 1))[suit]
    takes = (pung & (first == five)) | (chow & (first <= five) & (five <= first + 2) & (kinds != five))
    needed = np.where(pung, 2, 1)
    reds = np.where(takes, hall.reds[claims.place, suit], 0).astype(np.intp)
    plain = hall.counts[claims.place, five] - reds
    least, most = np.where(reds > 0, np.maximum(needed - plain, 0), 0), np.minimum(needed, reds)
    ways = most - least + 1
    found = claims.take(np.repeat(np.arange(len(ways)), ways))
    number = np.arange(len(found.place)) - np.repeat(np.cumsum(ways) - ways, ways)
    return found._replace(reds=np.repeat(least, ways) + number)


def _claims(hall: Hall, rows: Index, chows: ChowTable, *, with_jokers: bool) -> Claims:
    """Return the melds for which tiles of one kind or three suffice, without regard to red fives."""
    rows = rows[hall.discarded[rows] != JOKER_KIND]
    kinds = hall.discarded[rows].astype(np.intp)
    active = hall.active[rows]
    flat = hall.counts.ravel()
    found: list[tuple[Index, Index, Index]] = []
    orders: list[Index] = []

    def note(order: int, places: Index, codes: Index, jokers: int = 0) -> None:
        found.append((places, codes, np.full(len(places), jokers)))
        orders.append(_ORDERS * places + order)

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
        if not with_jokers:
            continue
        jokers = hall.jokers[places]
        for number in (1, 2):
            some = np.flatnonzero((jokers >= number) & (held >= 2 - number))
            note(4 + number, places[some], PUNG + kinds[some], number)
        for order, beside in enumerate(_BESIDE) if step == 1 else ():
            has = [flat.take(own + offset, mode="clip") > 0 for offset in beside]
            bits = [1 << offset + 2 - order for offset in beside]
            ways = (has[1] & (jokers >= 1), has[0] & (jokers >= 1), jokers >= 2)
            for number, (may, stand) in enumerate(zip(ways, (bits[0], bits[1], sum(bits)), strict=True)):
                some = np.flatnonzero(may & chows.allowed[order].take(kinds))
                note(7 + 3 * order + number, places[some], CHOW + kinds[some] + order - 2, stand)
    sorted_ = np.argsort(np.concatenate(orders))
    places, codes, jokers = (np.concatenate(column)[sorted_] for column in zip(*found, strict=True))
    return Claims(places, codes, np.zeros(len(places), np.intp), jokers)


def first_of_each(places: Index, chosen: NDArray[np.bool_]) -> Index:
    """Return the numbers of the first chosen ones of each place; equal places follow each other."""
    numbers = np.flatnonzero(chosen)
    own = places[numbers]
    first = np.ones(len(own), np.bool_)
    first[1:] = own[1:] != own[:-1]
    return numbers[first]
