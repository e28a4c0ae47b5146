"""The columns of ``mjcli.columns`` over the readings of many hands, each made when it is asked for.

What belongs to a hand is computed once for the hand; the columns of its readings repeat it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjcli.batch import forms as special
from mjcli.batch.decompositions import PLACES, TILE_WEIGHTS, decompositions, keys_of
from mjcli.batch.draws import helps_of
from mjcli.batch.hands import ADDED, BONUS_BITS, BONUS_SHIFTS, CONTEXT, EXPOSED, JOKERS, NO_TILE, PLAYERS, REDS, Hands
from mjcli.batch.melds import melded_copies, melded_counts, melded_jokers
from mjcli.batch.plan import dtype_of
from mjcli.batch.readings import Readings
from mjcli.batch.suits import suits_of
from mjcli.columns import BONUS_SUITS, FORM_NUMBERS, ONES, added_tiles
from mjcli.hand import ASSUMED_ROUND, ASSUMED_SEAT
from mjcli.melds import Relation, Seat
from mjcli.notation import WordKind
from mjcli.ruleset.ruleset import Ruleset
from mjcli.scoring import following
from mjcli.tiles import JOKER_KIND, KINDS, PLAIN_KINDS, TILES, Suit

__all__ = [
    "Columns",
    "copies_held",
    "drawn_of",
    "held_counts",
    "joker_melds",
    "jokers_held",
    "named_tiles",
    "neighbors_of",
    "number_of_melds",
    "seats_of",
    "winners_of",
    "won_kinds",
]

_ONE: Final = np.array([*(1 << 3 * (kind % 9) for kind in range(PLAIN_KINDS)), 0], np.int32)
"""int32[35]: the one at the digit of each kind; of a joker, which is none of them, nothing."""
_SPREAD: Final = np.array(
    [sum(1 << 3 * rank for rank in range(9) if bits >> rank & 1) for bits in range(512)], np.int32
)
"""Of nine bits, one for each rank, the octal column."""

_SUIT_BITS: Final = 27
_CHOW: Final = 0o111
_LAST_CHOW, _LAST_PUNG = PLAIN_KINDS, 2 * PLAIN_KINDS
"""The highest codes of chows and of pungs; those above are kongs."""


def _meld_words() -> NDArray[np.int64]:
    """Return int64[6, codes]: the tiles of a meld, in 27 bits for each of two suits a row; then its chow, its pung."""
    words = np.zeros((6, 3 * PLAIN_KINDS + 1), np.int64)
    for kind in range(PLAIN_KINDS):
        row, one = kind // 18, int(_ONE[kind]) << _SUIT_BITS * (kind // 9 % 2)
        chow, pung, kong = 1 + kind, _LAST_CHOW + 1 + kind, _LAST_PUNG + 1 + kind
        words[row, [chow, pung, kong]] = _CHOW * one, 3 * one, 4 * one
        words[2 + row, chow] = one
        words[4 + row, [pung, kong]] = one
    return words


_WORDS: Final = _meld_words()
_ROWS: Final = {"T": 0, "C": 2}
"""The first of two rows of ``_WORDS``; of other letters it is the third."""
_FOLLOWING: Final = np.array([following(tile) for tile in TILES[:PLAIN_KINDS]], np.intp)
"""[kind] the kind that a tile points to as an indicator."""


def _bonus_masks() -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Return the bits of bonus tiles that are a seat's own, uint32[4], and those of each set of four, uint32[sets]."""
    own, sets = np.zeros(4, np.uint32), dict[tuple[str, int], int]()
    for tile, shift in zip(TILES[JOKER_KIND + 1 :], BONUS_SHIFTS, strict=True):
        if tile.suit is not Suit.ANIMALS:
            own[(tile.rank - 1) % 4] |= np.uint32(1 << shift)
            name = (tile.suit.value, (tile.rank - 1) // 4)
            sets[name] = sets.get(name, 0) | 1 << shift
    return own, np.array(list(sets.values()), np.uint32)


_MELD_JOKERS: Final = np.uint64(sum(JOKERS.mask << JOKERS.shift + 16 * place for place in range(4)))
"""The bits of four marks in which jokers stand."""

_LEFT: Final = PLAYERS.index(Relation.LEFT)
_OWN_FLOWERS, _FLOWER_SETS = _bonus_masks()


def plain_counts(hands: Hands) -> NDArray[np.uint8]:
    """Return uint8[hands, 34]: copies of each kind that a player holds or shows, jokers and bonus tiles apart."""
    held: NDArray[np.uint8] = hands.counts + melded_counts(hands.melds, hands.marks)
    return held


def held_counts(hands: Hands) -> NDArray[np.uint8]:
    """Return uint8[hands, 58]: copies of each kind that a player holds or shows, as ``Hand.held``."""
    held = np.zeros((len(hands), KINDS), np.uint8)
    held[:, :PLAIN_KINDS] = plain_counts(hands)
    held[:, JOKER_KIND] = jokers_held(hands)
    for kind, (shift, bits) in enumerate(zip(BONUS_SHIFTS, BONUS_BITS, strict=True), JOKER_KIND + 1):
        held[:, kind] = hands.bonus >> np.uint32(shift) & np.uint32((1 << bits) - 1)
    return held


def jokers_held(hands: Hands) -> NDArray[np.uint8]:
    """Return uint8[hands]: how many jokers a player holds or shows."""
    rows = joker_melds(hands)
    if not len(rows):
        return hands.jokers
    held = hands.jokers.copy()
    held[rows] += melded_jokers(hands.melds[rows], hands.marks[rows])
    return held


def joker_melds(hands: Hands) -> NDArray[np.intp]:
    """Return intp[some]: the hands of which a meld has jokers."""
    return np.flatnonzero(np.ascontiguousarray(hands.marks).view(np.uint64)[:, 0] & _MELD_JOKERS)


class Named(NamedTuple):
    """The tiles that a word names, those of all hands one after another."""

    row: NDArray[np.intp]
    """Whose word it is."""
    kind: NDArray[np.intp]
    number: NDArray[np.uint8]
    """How often this kind is named."""

    def plain(self) -> Named:
        """Return those that are of a suit or honours."""
        some = self.kind < PLAIN_KINDS
        return Named(self.row[some], self.kind[some], self.number[some])

    def sums(self, values: NDArray[Any], rows: int) -> NDArray[np.intp]:
        """Return intp[rows]: the sum over the tiles that each row names of the values at these tiles."""
        return np.bincount(self.row, values, rows).astype(np.intp)


def named_tiles(column: NDArray[np.uint8]) -> Named:
    """Return the tiles that are named, of uint8[hands, 58]."""
    tiles = column.ravel()
    at = np.flatnonzero(tiles != 0)
    row = at // KINDS
    return Named(row, at - row * KINDS, tiles.take(at))


def copies_held(hands: Hands, row: NDArray[np.intp], kind: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return how many copies of a kind, one of the first 34, each of some hands holds or shows."""
    melded = melded_copies(hands.melds[row], hands.marks[row], kind)
    return (hands.counts[row, kind] + melded).astype(np.intp)


def number_of_melds(codes: NDArray[np.uint8]) -> NDArray[np.int8]:
    """Return int8[hands]: how many melds there are."""
    return _summed_truths(codes != 0)


def _summed_truths(truths: NDArray[np.bool_]) -> NDArray[np.int8]:
    """Return how many of four truths a row hold; as one number of 32 bits they are added by one multiplication."""
    joined = np.ascontiguousarray(truths).view(np.uint32)[:, 0]
    return (joined * np.uint32(0x01010101) >> np.uint32(24)).astype(np.int8)


def drawn_of(hands: Hands) -> NDArray[np.bool_]:
    """Return bool[hands]: whether the winning tile was drawn, as the tiles or the words say."""
    drawn = hands.drawn
    for word in ("self_draw", "kong_draw", "flower_draw", "rob_own_kong"):
        if word in hands.context:
            drawn = drawn | (hands.context[word] != 0)
    return drawn


def won_kinds(hands: Hands) -> NDArray[np.intp]:
    """Return intp[hands]: the kind of each winning tile, 34 for a joker; without any that of the tile written last."""
    return np.where(hands.win == NO_TILE, hands.last, hands.win).astype(np.intp) >> 1


def winners_of(hands: Hands) -> NDArray[np.int8]:
    """Return int8[hands]: the winner's seat, 0-3; the assumed one where none is said."""
    said = hands.context.get("seat")
    if said is None:
        return np.full(len(hands), ASSUMED_SEAT.number, np.int8)
    return np.where(said == 0, ASSUMED_SEAT.number, said.astype(np.int8) - 1).astype(np.int8)


def neighbors_of(seats: NDArray[np.int8], relations: NDArray[np.int8], players: int) -> NDArray[np.int8]:
    """Return int8[hands]: the seats 0-3 of players who sit right, opposite or left of others.

    Args:
        seats: int8[hands], of these.
        relations: int8[hands], 1-3 as of ``mjcli.batch.hands.PLAYERS``; of three players nobody sits opposite.
        players: 3 or 4.
    """
    steps = np.where(relations == _LEFT, players - 1, relations)
    return ((seats + steps) % players).astype(np.int8)


def seats_of(hands: Hands, word: str, players: int) -> NDArray[np.int8]:
    """Return int8[hands]: the seat 0-3 of the player that ``source`` or ``liable`` names, -1 where it names nobody.

    Args:
        hands: of the winners.
        word: which of the two.
        players: how many there are.
    """
    named = hands.context.get(word)
    if named is None:
        return np.full(len(hands), -1, np.int8)
    player = named.astype(np.int8)
    by_relation = neighbors_of(winners_of(hands), player, players)
    seat = player - np.int8(PLAYERS.index(Seat.E))
    return np.where(player == 0, -1, np.where(player <= _LEFT, by_relation, seat)).astype(np.int8)


class Columns:
    """The columns of some readings, by name."""

    def __init__(
        self,
        hands: Hands,
        win: NDArray[np.intp],
        drawn: NDArray[np.bool_],
        readings: Readings,
        ruleset: Ruleset,
        known: Mapping[str, NDArray[Any]] = MappingProxyType({}),
    ) -> None:
        """
        Args:
            hands: those of which ``readings`` are.
            win: intp[hands], the kind of each winning tile, of a joker that for which it stands.
            drawn: bool[hands], whether it was drawn.
            readings: as ``readings_of`` gives them.
            ruleset: whose forms and context words they are.
            known: columns over the hands that are not as the hands say.
        """
        self.hands, self.win, self.drawn, self.readings, self.ruleset = hands, win, drawn, readings, ruleset
        self.size = len(hands)
        self._has_melds = bool(hands.melds[:, 0].any())
        self._jokers = np.flatnonzero(hands.jokers)
        if self._has_melds:
            self._jokers = np.union1d(self._jokers, joker_melds(hands))
        self._tables = decompositions()
        self._number = readings.number
        self._suit = win // 9
        self._made: dict[str, NDArray[Any]] = dict(known)
        self._words: dict[str, NDArray[np.int64]] = {}
        self._codes: list[NDArray[np.intp]] = []
        self._waits: tuple[NDArray[np.int8], NDArray[np.int8]] | None = None
        self._others = np.flatnonzero(~readings.standard)
        self.discarder = seats_of(hands, "source", ruleset.players)
        """int8[hands]: the seat 0-3 of the discarder, -1 where he is not known."""

    def __call__(self, name: str) -> NDArray[Any]:
        """Return a column over the readings, of the type that ``mjcli.batch.plan.dtype_of`` gives."""
        if name in ("form", "wait"):
            return self.readings.form if name == "form" else self.readings.wait
        letter = name[0]
        if name[1:] in ("0", "1", "2", "3") and letter in "CDPQR":
            return self._of_sets(letter, int(name[1]))
        found = self._repeated(self.of_hands(name))
        if name in ("waits", "all_waits"):
            found[self.readings.form == FORM_NUMBERS["unfinished"]] = 0
        return found

    def _repeated(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return what is said of each hand for each of its readings."""
        size = self.size
        found = np.empty(len(self.readings.hand), values.dtype)
        found[:size] = values
        found[size:] = values.take(self.readings.hand[size:])
        return found

    def of_hands(self, name: str) -> NDArray[Any]:
        """Return a column over the hands, of those that are the same for all readings of a hand."""
        found = self._made.get(name)
        if found is None:
            found = self._made[name] = np.ascontiguousarray(self._of_hands(name), dtype_of(name))
        return found

    def _of_sets(self, letter: str, suit: int) -> NDArray[np.int32]:
        """Return a column of sets or pairs."""
        table = {"C": self._tables.chows, "D": self._tables.chows, "R": self._tables.pair_tile}.get(
            letter, self._tables.pungs
        )
        found: NDArray[np.int32] = table.take(self.readings.parts[suit])
        if letter == "R":
            rows = np.flatnonzero(self.readings.form == FORM_NUMBERS["seven-pairs"])
            found[rows] = self._concealed(suit)[self.readings.hand[rows]] >> 1 & 3 * ONES
        if self._has_melds and letter != "D" and letter != "R":
            melded = self._melded(letter, suit)
            join = np.add if letter == "C" else np.bitwise_or  # with jokers there may be a kong and a pung of a tile
            join(found[: self.size], melded, out=found[: self.size])
            join(found[self.size :], melded.take(self.readings.hand[self.size :]), out=found[self.size :])
        if letter == "Q":
            pung = 1 + PLACES.index("pung")
            rows = np.flatnonzero(self.readings.place == pung)
            hand = self.readings.hand[rows]
            rows = rows[(self._suit[hand] == suit) & ~self.drawn[hand]]
            found[rows] &= ~_ONE[self.win[self.readings.hand[rows]]]
        return found

    def _of_hands(self, name: str) -> NDArray[Any]:
        letter = name[0]
        if name[1:] in ("0", "1", "2", "3") and letter in "GKLTW":
            return self._of_tiles(letter, int(name[1]))
        if name[1:] in ("0", "1", "2") and letter == "B":
            return self.bonus_of(BONUS_SUITS[int(name[1])])
        if name.startswith("x_"):
            said = self._said(self.hands.extra, self._word(name[2:]), 0)
            if said.ndim == 1:
                return said
            tiles = named_tiles(said)
            return tiles.sums(tiles.number, self.size)
        if name.startswith("held_"):
            return self._held(self._word(name[5:]))
        if name in _OF_HANDS:
            return _OF_HANDS[name](self)
        assert name in CONTEXT, name
        return self._said(self.hands.context, name, int(name == "winners"))

    def _word(self, column: str) -> str:
        """Return the context word of the ruleset that a column holds."""
        return next(word.name for word in self.ruleset.extra_words if word.name.replace("-", "_") == column)

    def _said(self, columns: Any, name: str, unsaid: int) -> NDArray[Any]:
        found: NDArray[Any] | None = columns.get(name)
        return np.full(self.size, unsaid, np.int8) if found is None else found

    def _held(self, word: str) -> NDArray[Any]:
        """Return how many tiles a hand holds of those that a word names."""
        named = self.hands.extra.get(word)
        if named is None:
            return np.zeros(self.size, np.int16)
        row, kind, number = tiles = named_tiles(named).plain()
        if next(each.kind for each in self.ruleset.extra_words if each.name == word) is WordKind.INDICATORS:
            kind = _FOLLOWING.take(kind)
        return tiles.sums(copies_held(self.hands, row, kind) * number, self.size)

    # tiles and melds
    def _concealed(self, suit: int) -> NDArray[np.int32]:
        """Return the concealed tiles of a suit, octal."""
        number = self._number[suit]
        found: NDArray[np.int32] = self._tables.tiles.take(number)
        if len(self._others):
            rows = self._others[number[self._others] == 0]
            for kind in range(9 * suit, 9 * suit + (7 if suit == 3 else 9)):
                found[rows] += self.readings.counts[rows, kind] * _ONE[kind]
        return found

    def _of_tiles(self, letter: str, suit: int) -> NDArray[np.int32]:
        if letter == "W":
            return np.where(self._suit == suit, _ONE.take(self.win), np.int32(0))
        if letter == "T":
            found = self._concealed(suit)
            if not self._has_melds:
                return found
            melded = self._melded("T", suit)
            return added_tiles(found, melded) if len(self._jokers) else found + melded
        return self._melded(letter, suit)

    def _melded(self, letter: str, suit: int) -> NDArray[np.int32]:
        """Return the melds of a suit, octal.

        Args:
            letter: all their tiles (T), chows (C), pungs and kongs (P); of these those claimed (L), the kongs (K), the
                concealed kongs (Q) and those made at once from a discard (G).
            suit: 0-3.
        """
        if not self._has_melds:
            return np.zeros(self.size, np.int32)
        word = self._word_of(letter, suit // 2)
        return (word >> _SUIT_BITS * (suit % 2) & (1 << _SUIT_BITS) - 1).astype(np.int32)

    def _word_of(self, letter: str, half: int) -> NDArray[np.int64]:
        """Return int64[hands]: the melds that a letter means, of the suits 0 and 1 or of the suits 2 and 3."""
        name = f"{letter}{half}"
        if name not in self._words:
            if letter == "L":
                self._words[name] = self._word_of("P", half) - self._word_of("Q", half)
            else:
                words = _WORDS[_ROWS.get(letter, 4) + half]
                self._words[name] = self._of_all(words) if letter in "TCP" else self._of_kongs(letter, words)
        return self._words[name]

    def _of_all(self, words: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the sum of the words of all melds."""
        if not self._codes:
            columns = self.hands.melds.T.astype(np.intp)
            self._codes = [column for column in columns if column.any()]
        first, *rest = self._codes
        found = words.take(first)
        for each in rest:
            found += words.take(each)
        return found

    def _of_kongs(self, letter: str, words: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the sum of the words of all kongs (K), of those concealed (Q) or claimed at once (G)."""
        found = np.zeros(self.size, np.int64)
        for place in range(self.hands.melds.shape[1]):
            rows = np.flatnonzero(self.hands.melds[:, place] > _LAST_PUNG)
            marks = self.hands.marks[rows, place]
            if letter == "Q":
                rows = rows[EXPOSED.of(marks) == 0]
            elif letter == "G":
                rows = rows[(EXPOSED.of(marks) == 1) & (ADDED.of(marks) == 0)]
            found[rows] += words[self.hands.melds[rows, place]]
        return found

    # waits
    def waits(self, *, every: bool) -> NDArray[np.int8]:
        """Return how many kinds each hand waited on before the win, without those held four times or with every one."""
        if self._waits is None:
            self._waits = self._counted_waits()
        return self._waits[every]

    def _counted_waits(self) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        keys = self.readings.keys
        size = self.size
        at = self._suit * size + np.arange(size)
        before = keys.ravel().take(at) - TILE_WEIGHTS.take(self.win)
        held = np.concatenate([self.of_hands(f"T{suit}") for suit in range(4)]).take(at) - _ONE.take(self.win)
        ranks = _SPREAD.take(self._tables.completing.take(before, mode="clip"))
        every = np.bitwise_count(ranks).astype(np.int8)
        ranks &= ~(held >> 2)
        found = np.bitwise_count(ranks).astype(np.int8)
        standard, number = self.readings.standard, self._number
        of_sets = standard & (self._tables.number.take(before, mode="clip") > 0)
        if "seven-pairs" in self.ruleset.forms:
            pairs = self._tables.pairs
            made = pairs.take(number[0]) + pairs.take(number[1]) + pairs.take(number[2]) + pairs.take(number[3])
            of_pairs = (made >= 6) & (self.hands.melds[:, 0] == 0) & standard
            of_sets &= ~of_pairs
            of_any = of_pairs | ~standard
        else:
            of_any = ~standard
        rows = np.flatnonzero(of_sets)
        found[rows], every[rows] = self._waits_of_sets(rows, before[rows])
        rows = np.flatnonzero(of_any & self.readings.complete & (self.hands.jokers == 0))
        found[rows], every[rows] = self._waits_of_any(rows, before[rows])
        if len(self._jokers):
            found[self._jokers], every[self._jokers] = self._waits_with_jokers()
        return found, every

    def _waits_of_sets(
        self, rows: NDArray[np.intp], before: NDArray[np.intp]
    ) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        """Return the same for hands that may have waited on sets and pairs of all suits.

        Args:
            rows: intp[some], of which hands.
            before: intp[some], the key of the winning tile's suit without that tile.
        """
        tables, suit = self._tables, self._suit[rows]
        keys = self.readings.keys[:, rows]
        keys[suit, np.arange(len(rows))] = before
        pair = tables.pair.take(tables.number.take(keys))
        total = pair.sum(axis=0)
        found, every = np.zeros((2, len(rows)), np.int8)
        for number in range(4):
            held = self.of_hands(f"T{number}")[rows] - _ONE[self.win[rows]] * (suit == number)
            # the number of tiles decides whether the suit itself makes a pair, so that there is one pair in all or four
            ranks = _SPREAD.take(tables.completing.take(keys[number])) * (total - pair[number] <= 1)
            every += np.bitwise_count(ranks).astype(np.int8)
            found += np.bitwise_count(ranks & ~(held >> 2)).astype(np.int8)
        return found, every

    def _waits_of_any(
        self, rows: NDArray[np.intp], before: NDArray[np.intp]
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the same for hands that may have waited in any form; the arguments are the same too."""
        hands = self.hands.take(rows)
        count = np.arange(len(rows))
        keys = self.readings.keys[:, rows]
        keys[self._suit[rows], count] = before
        tiles = hands.counts.copy()
        tiles[count, self.win[rows]] -= 1
        kinds = np.zeros(tiles.shape, np.bool_)
        for form, rule in self.ruleset.forms.items():
            if form == "standard":
                kinds |= special.standard_waits(keys)
                continue
            most = 1 if form == "knitted-straight" else 0
            able = np.flatnonzero(hands.melds[:, most] == 0)
            kinds[able] |= special.waits(tiles[able], form, rule)
        held = plain_counts(hands)
        held[count, self.win[rows]] -= 1
        return (kinds & (held < 4)).sum(axis=1), kinds.sum(axis=1)

    def _waits_with_jokers(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the same for hands with jokers, which may have waited on what these do not stand for now.

        A joker in a meld leaves a copy of what it stands for to wait on.
        """
        hands = self.hands.take(self._jokers)
        win = won_kinds(hands)
        before, jokers = hands.counts.copy(), hands.jokers - (win == JOKER_KIND)
        held, plain = plain_counts(hands), np.flatnonzero(win < PLAIN_KINDS)
        before[plain, win[plain]] -= 1
        held[plain, win[plain]] -= 1
        melds = number_of_melds(hands.melds).view(np.uint8)
        suits = suits_of(before, jokers)
        kinds = np.zeros(before.shape, np.bool_)
        for form, rule in self.ruleset.forms.items():
            missing, helps = helps_of(before, suits, {form: rule}, melds)
            if form == "standard":  # without a joker fifth tiles are waited on too
                helps = np.where((jokers == 0)[:, None], special.standard_waits(keys_of(before)), helps)
            kinds |= helps & (missing == 1)[:, None]
        return (kinds & (held < 4)).sum(axis=1), kinds.sum(axis=1)

    # what else is said of a hand
    def melds_of(self, low: int, high: int, *, exposed: bool | None = None) -> NDArray[Any]:
        """Return how many melds have codes above ``low`` and up to ``high``, of those claimed or not."""
        codes = self.hands.melds
        if not self._has_melds:
            return np.zeros(self.size, np.int8)
        found = (codes > low) & (codes <= high)
        if exposed is not None:
            found &= EXPOSED.of(self.hands.marks) == exposed
        return _summed_truths(found)

    def wind(self, word: str, assumed: Seat) -> NDArray[Any]:
        """Return a wind, 1-4; the assumed one where none is said."""
        said = self.hands.context.get(word)
        if said is None:
            return np.full(self.size, assumed.number + 1, np.int8)
        return np.where(said == 0, assumed.number + 1, said)

    def flowers(self, masks: NDArray[np.uint32]) -> NDArray[Any]:
        """Return how many bonus tiles are among those of ``masks``."""
        if not self.hands.bonus.any():
            return np.zeros(self.size, np.int8)
        found: NDArray[Any] = np.bitwise_count(self.hands.bonus & masks)
        return found

    def flower_sets(self) -> NDArray[Any]:
        """Return how many sets of four bonus tiles are complete."""
        if not self.hands.bonus.any():
            return np.zeros(self.size, np.int8)
        return sum((self.hands.bonus & mask == mask for mask in _FLOWER_SETS), np.zeros(self.size, np.int8))

    def bonus_of(self, suit: Suit) -> NDArray[np.int32]:
        """Return the bonus tiles of a suit, octal."""
        found, bonus = np.zeros(self.size, np.int32), self.hands.bonus
        if bonus.any():
            for tile, shift, bits in zip(TILES[JOKER_KIND + 1 :], BONUS_SHIFTS, BONUS_BITS, strict=True):
                if tile.suit is suit:
                    copies = bonus >> np.uint32(shift) & np.uint32((1 << bits) - 1)
                    found |= copies.astype(np.int32) << np.int32(3 * (tile.rank - 1))
        return found

    def bonus_tiles(self) -> NDArray[Any]:
        """Return how many bonus tiles there are."""
        bonus = self.hands.bonus
        if not bonus.any():
            return np.zeros(self.size, np.int8)
        fields = zip(BONUS_SHIFTS, BONUS_BITS, strict=True)
        single = np.uint32(sum(1 << shift for shift, bits in fields if bits == 1))
        found: NDArray[np.uint8] = np.bitwise_count(bonus & single)
        for shift, bits in zip(BONUS_SHIFTS, BONUS_BITS, strict=True):
            if bits > 1:
                found += (bonus >> np.uint32(shift) & np.uint32((1 << bits) - 1)).astype(np.uint8)
        return found

    def from_dealer(self) -> NDArray[np.bool_]:
        """Return whether the dealer discarded the winning tile: he is named, or nobody else has discarded yet."""
        found: NDArray[np.bool_] = self.discarder == 0
        if "first_turn" in self.hands.context:
            next_player = winners_of(self.hands) == Seat.S.number
            first = (self.hands.context["first_turn"] != 0) & ~self.drawn
            found |= first & next_player & (self.discarder < 0)
        return found

    def red_fives(self) -> NDArray[Any]:
        """Return how many red fives there are."""
        columns = [*self.hands.reds.T]
        if self._has_melds:
            columns += [*REDS.of(self.hands.marks).T]
        return sum((column.astype(np.int8) for column in columns), np.zeros(self.size, np.int8))


_OF_HANDS: Final[dict[str, Callable[[Columns], NDArray[Any]]]] = {
    "waits": lambda each: each.waits(every=False),
    "all_waits": lambda each: each.waits(every=True),
    "kongs": lambda each: each.melds_of(_LAST_PUNG, 255),
    "concealed_kongs": lambda each: each.melds_of(_LAST_PUNG, 255, exposed=False),
    "claimed": lambda each: each.melds_of(0, 255, exposed=True),
    "claimed_chows": lambda each: each.melds_of(0, _LAST_CHOW),
    "melds": lambda each: each.melds_of(0, 255),
    "red_fives": Columns.red_fives,
    "jokers": lambda each: jokers_held(each.hands),
    "seat": lambda each: each.wind("seat", ASSUMED_SEAT),
    "round": lambda each: each.wind("round", ASSUMED_ROUND),
    "self_drawn": lambda each: each.drawn,
    "from_dealer": Columns.from_dealer,
    "discarder_known": lambda each: each.discarder >= 0,
    "named_dealer": lambda each: each.discarder == 0,
    "liable": lambda each: np.zeros(each.size, np.bool_),
    "bonus_tiles": Columns.bonus_tiles,
    "own_flowers": lambda each: each.flowers(_OWN_FLOWERS.take(each.of_hands("seat").astype(np.intp) - 1)),
    "full_flower_sets": Columns.flower_sets,
}
