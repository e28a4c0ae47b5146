"""Readings of a complete hand: every way to see it as sets and a pair, or as a special form, and to place the win.

A hand with jokers 飛 is read for every choice of tiles for which they can stand, the winning tile too if it is one.

A reading is held as the columns of ``mjcli.columns``. Nothing here knows a pattern.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import permutations, product
from typing import Final

from mjcli.columns import BONUS_SUITS, COLUMNS, FORM_NUMBERS, ONES, WAIT_NUMBERS, added_tiles
from mjcli.errors import HandError
from mjcli.forms import DEFAULT_FORMS, FormRules, fillings, helpful, missing
from mjcli.hand import ASSUMED_ROUND, ASSUMED_SEAT, Hand, Line
from mjcli.melds import MeldType, Seat
from mjcli.suits import MOST_SETS
from mjcli.tiles import PLAIN_KINDS, TILES, Suit, Tile

__all__ = ["Group", "Reading", "readings", "unfinished"]

_TILES: Final = ("T0", "T1", "T2", "T3")
_BONUS: Final = {suit: f"B{place}" for place, suit in enumerate(BONUS_SUITS)}

_CHOW: Final = 0o111

Columns = dict[str, int]

_NO_COLUMNS: Final[Columns] = {**dict.fromkeys(COLUMNS, 0), "liable": False}
_BY_SUIT: Final = tuple((f"C{suit}", f"D{suit}", f"P{suit}", f"Q{suit}", f"R{suit}") for suit in range(4))
"""The names of the columns that concealed sets go to; honours make no chows."""


@dataclass(frozen=True, slots=True)
class Group:
    """A set or a pair among the concealed tiles of a reading."""

    kind: str
    """chow, pung or pair; ``tiles`` for a special form that has neither."""
    first: Tile
    """The tile itself; of a chow, its lowest."""

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """Its two or three tiles."""
        if self.kind == "chow":
            return tuple(TILES[self.first.kind : self.first.kind + 3])
        return (self.first,) * (2 if self.kind == "pair" else 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One way to see a complete hand, with the place of its winning tile."""

    form: str
    win: Tile | None
    """The winning tile, a joker as what it stands for; an unfinished hand may have none."""
    sets: tuple[Group, ...]
    """Concealed sets; in seven pairs, the pairs."""
    pair: Tile | None
    """The tile of the pair, in forms that have one."""
    wait: str
    won: Group | None
    """The group that the winning tile completed, in forms made of groups."""
    columns: Columns
    jokers: tuple[Tile, ...] = ()
    """What the jokers among the concealed tiles and the winning tile stand for, sorted."""
    won_on_joker: bool = False
    """Whether the winning tile is one of them."""

    @property
    def groups(self) -> tuple[Group, ...]:
        """The sets, and after them the pair of a form that has one."""
        return self.sets if self.pair is None else (*self.sets, Group("pair", self.pair))

    @property
    def filled(self) -> tuple[tuple[Tile, ...], ...]:
        """For each of ``groups``, what the jokers in it stand for.

        Where several groups hold such a tile, the winning tile lies in the group that it completed, and jokers fill the
        others in order.
        """
        groups = self.groups
        left = Counter(self.jokers)
        found: dict[int, tuple[Tile, ...]] = {}
        for index in sorted(range(len(groups)), key=lambda each: (groups[each] == self.won) is not self.won_on_joker):
            taken = []
            for tile in groups[index].tiles:
                if left[tile]:
                    left[tile] -= 1
                    taken.append(tile)
            found[index] = tuple(taken)
        return tuple(found[index] for index in range(len(groups)))


def readings(
    line: Line,
    forms: FormRules = DEFAULT_FORMS,
    *,
    count_waits: bool = True,
    stand_ins: Collection[int] = range(PLAIN_KINDS),
) -> Iterator[Reading]:
    """Yield every reading of a complete hand; none if it is not complete in any of ``forms``.

    >>> from mjcli.notation import parse_line
    >>> [(each.form, each.wait) for each in readings(parse_line("234m5p,678s,2222po,3333s+5p"))]
    [('standard', 'single')]

    A hand with jokers has readings for each choice of tiles that complete a form, form by form, the lowest tiles first,
    and if it was won on a joker, for each of these tiles as the winning one.

    >>> [str(*each.jokers) for each in readings(parse_line("34m5p1j,678s,2222po,3333s+5p"))]
    ['2m', '5m']

    Args:
        line: a hand with all its sets, its winning tile, and the context.
        forms: the forms that count, each with its rule.
        count_waits: whether to fill the columns ``waits`` and ``all_waits``, which costs as much as the rest.
        stand_ins: the kinds for which jokers may stand; never for a fifth copy of a concealed tile.

    Raises:
        HandError: sets or the winning tile are missing (``tile-count``).
    """
    hand = line.hand
    if hand.win is None or hand.tile_count != 14:
        raise HandError("tile-count", "readings are of 14 tiles, of which one is the winning tile")
    counts, jokers = hand.counts(), hand.jokers
    concealed = _octal(counts)
    base = _base_columns(line)
    if count_waits:
        base["waits"], base["all_waits"] = _waits(hand, counts, concealed, forms)
    if not jokers:
        yield from _plain_readings(line, hand.win, counts, concealed, base, forms)
        return
    for form, rule in forms.items():
        for kinds in _choices(hand, counts, jokers, stand_ins, form, rule):
            filled = counts.copy()
            for kind in kinds:
                filled[kind] += 1
            stands = tuple(TILES[kind] for kind in kinds)
            for win in dict.fromkeys(stands) if hand.win.is_joker else (hand.win,):
                for reading in _plain_readings(line, win, filled, _octal(filled), base.copy(), {form: rule}):
                    yield replace(reading, jokers=stands, won_on_joker=hand.win.is_joker)


def _choices(
    hand: Hand, counts: list[int], jokers: int, stand_ins: Collection[int], form: str, rule: str
) -> Iterator[tuple[int, ...]]:
    """Yield every choice of kinds for which the jokers of a hand can stand so that it has a form."""
    if form == "standard" or not hand.melds or (form == "knitted-straight" and len(hand.melds) == 1):
        yield from fillings(counts, hand.sets_needed, jokers, stand_ins, form, rule)


def _plain_readings(
    line: Line, win: Tile, counts: list[int], concealed: tuple[int, ...], columns: Columns, forms: FormRules
) -> Iterator[Reading]:
    """Yield every reading of concealed tiles without jokers, of which ``win`` is the winning one.

    The concealed tiles are added to ``columns``, which has only those of the melds.
    """
    hand = line.hand
    _add_concealed(columns, concealed, win)
    for form, rule in forms.items():
        if form == "standard":
            yield from _standard(win, concealed, columns, line.self_drawn)
        elif form == "knitted-straight":
            if len(hand.melds) <= 1:
                yield from _knitted_straight(hand, win, concealed, columns, line.self_drawn)
        elif not hand.melds and missing(counts, MOST_SETS, form, rule) == 0:
            yield _special(form, win, counts, concealed, columns)


def unfinished(line: Line) -> Reading:
    """Return a hand of 13 or 14 tiles as it is, not seen as sets, for rulesets by which some draws win at once.

    >>> from mjcli.notation import parse_line
    >>> unfinished(parse_line("123m456p77789s11z1234f123g self-draw")).form
    'unfinished'
    """
    hand = line.hand
    columns = _add_concealed(_base_columns(line), _octal(hand.counts()), hand.win)
    columns["form"] = FORM_NUMBERS["unfinished"]
    return Reading(form="unfinished", win=hand.win, sets=(), pair=None, wait="none", won=None, columns=columns)


def _octal(counts: list[int]) -> tuple[int, ...]:
    packed = [0, 0, 0, 0]
    for kind, count in enumerate(counts):
        if count:
            packed[kind // 9] += count << 3 * (kind % 9)
    return tuple(packed)


def _place(tile: Tile) -> tuple[int, int]:
    """Return the suit 0-3 and the one at the rank's digit."""
    return tile.kind // 9, 1 << 3 * (tile.rank - 1)


def _base_columns(line: Line) -> Columns:
    """Return the columns that all readings of a hand share, with the melds as its only tiles and sets so far."""
    hand, context = line.hand, line.context
    columns = _NO_COLUMNS.copy()
    kongs = concealed_kongs = claimed = claimed_chows = 0
    for meld in hand.melds:
        suit, one = _place(meld.first)
        claimed += meld.exposed
        if meld.type is MeldType.CHOW:
            columns[f"C{suit}"] += one
            columns[f"T{suit}"] += one * _CHOW
            claimed_chows += 1
            continue
        columns[f"P{suit}"] |= one
        columns[f"L{suit}" if meld.exposed else f"Q{suit}"] |= one
        columns[f"T{suit}"] += 3 * one
        if meld.type is MeldType.KONG:
            kongs += 1
            concealed_kongs += not meld.exposed
            columns[f"K{suit}"] |= one
            columns[f"T{suit}"] += one
            if meld.is_claimed_kong:
                columns[f"G{suit}"] |= one
    seat, prevailing = context.seat or ASSUMED_SEAT, context.round or ASSUMED_ROUND
    discarder = seat.seat_of(context.source)
    # before the first turn of the next player only the dealer has discarded
    first_discard = context.first_turn and seat is Seat.S and not line.self_drawn
    columns.update(
        kongs=kongs,
        concealed_kongs=concealed_kongs,
        claimed=claimed,
        claimed_chows=claimed_chows,
        melds=len(hand.melds),
        red_fives=sum([tile.red for tile in hand.concealed], bool(hand.win and hand.win.red))
        + sum([meld.reds for meld in hand.melds]),
        seat=seat.number + 1,
        round=prevailing.number + 1,
        self_drawn=line.self_drawn,
        last_tile=context.last_tile,
        last_of_kind=context.last_of_kind,
        kong_draw=context.kong_draw,
        flower_draw=context.flower_draw,
        rob_kong=context.rob_kong,
        rob_own_kong=context.rob_own_kong,
        clean_opponents=context.clean_opponents,
        first_turn=context.first_turn,
        winners=context.winners,
        from_dealer=discarder is Seat.E or (discarder is None and first_discard),
        discarder_known=discarder is not None,
        named_dealer=discarder is Seat.E,
        jokers=hand.jokers + sum([len(meld.jokers) for meld in hand.melds]),
    )
    if hand.bonus:
        for tile in hand.bonus:
            columns[_BONUS[tile.suit]] += 1 << 3 * (tile.rank - 1)
        numbers = [tile for tile in hand.bonus if tile.suit is not Suit.ANIMALS]
        by_set = [(tile.suit, (tile.rank - 1) // 4) for tile in numbers]
        columns["bonus_tiles"] = len(hand.bonus)
        columns["own_flowers"] = sum((tile.rank - 1) % 4 == seat.number for tile in numbers)
        columns["full_flower_sets"] = sum(by_set.count(each) == 4 for each in set(by_set))
    return columns


def _add_concealed(columns: Columns, concealed: tuple[int, ...], win: Tile | None) -> Columns:
    """Add the concealed tiles, the winning one among them, to those of the melds, and return the columns."""
    for column, tiles in zip(_TILES, concealed, strict=True):
        if tiles:
            columns[column] = added_tiles(columns[column], tiles)
    if win is not None and not win.is_joker:
        suit, one = _place(win)
        columns[f"W{suit}"] = one
    return columns


def _waits(hand: Hand, counts: list[int], concealed: tuple[int, ...], forms: FormRules) -> tuple[int, int]:
    """Return how many kinds the hand waited on before the win: without those held four times, and with them."""
    assert hand.win is not None
    before, held, octal = counts.copy(), hand.held(), list(concealed)
    held[hand.win.kind] -= 1
    if not hand.win.is_joker:
        suit, one = _place(hand.win)
        before[hand.win.kind] -= 1
        octal[suit] -= one
    jokers = hand.jokers - hand.win.is_joker
    kinds: set[int] = set()
    for form, rule in forms.items():
        if form == "standard" and not jokers:
            kinds.update(_standard_waits(octal))
        elif missing(before, hand.sets_needed, form, rule) == jokers + 1:
            kinds.update(helpful(before, hand.sets_needed, form, rule))
    return sum([held[each] < 4 for each in kinds]), len(kinds)


def _standard_waits(concealed: list[int]) -> Iterator[int]:
    """Yield the kinds, fifth copies too, of which one more makes concealed tiles sets and a pair.

    With the decompositions remembered it takes a quarter of the time of ``mjcli.forms.helpful``, which knows of hands
    that are farther off as well.
    """
    whole = [_decompositions(tiles, suit == 3) for suit, tiles in enumerate(concealed)]
    for suit, tiles in enumerate(concealed):
        others = [ways for other, ways in enumerate(whole) if other != suit]
        # the number of tiles decides whether the suit itself makes a pair, so that there is one pair in all or four
        if all(others) and sum([ways[0][2] != 0 for ways in others]) <= 1:
            for rank in _completing(tiles, suit == 3):
                yield 9 * suit + rank


@lru_cache(maxsize=1 << 14)
def _completing(tiles: int, honors: bool) -> tuple[int, ...]:
    """Return the ranks, from 0, of which one more makes one suit's tiles sets and at most one pair."""
    return tuple(rank for rank in range(7 if honors else 9) if _decompositions(tiles + (1 << 3 * rank), honors))


@lru_cache(maxsize=1 << 14)
def _decompositions(tiles: int, honors: bool) -> tuple[tuple[int, int, int], ...]:
    """Return every way to see one suit's tiles as chows, pungs and at most one pair, each an octal column.

    The lowest rank starts a pung, the pair or a chow; a pair and a chow that start alike are found in both orders.
    """
    if not tiles:
        return ((0, 0, 0),)
    one = tiles & -tiles
    one = 1 << (one.bit_length() - 1) // 3 * 3
    count = tiles // one & 7
    found = []
    if count >= 3:
        found += [(c, p | one, r) for c, p, r in _decompositions(tiles - 3 * one, honors)]
    if count >= 2:
        found += [(c, p, one) for c, p, r in _decompositions(tiles - 2 * one, honors) if not r]
    if not honors and one <= 0o1000000 and tiles // one & 0o70 and tiles // one & 0o700:
        found += [(c + one, p, r) for c, p, r in _decompositions(tiles - one * _CHOW, honors)]
    return tuple(dict.fromkeys(found))


def _whole(concealed: tuple[int, ...]) -> Iterator[tuple[tuple[int, int, int], ...]]:
    """Yield, for each way to see concealed tiles as sets and one pair, the chows, pungs and pair of each suit."""
    by_suit = [_decompositions(tiles, suit == 3) for suit, tiles in enumerate(concealed)]
    for parts in product(*by_suit):
        if sum(part[2] != 0 for part in parts) == 1:
            yield parts


def _standard(win: Tile, concealed: tuple[int, ...], base: Columns, self_drawn: bool) -> Iterator[Reading]:
    for parts in _whole(concealed):
        for place in _places_of_win(win, parts):
            yield _reading("standard", win, parts, base, place, self_drawn)


def _places_of_win(win: Tile, parts: tuple[tuple[int, int, int], ...]) -> Iterator[tuple[str, Group]]:
    """Yield the groups that the winning tile may have completed, one for each shape of wait."""
    win = win.plain
    suit, one = _place(win)
    chows, pungs, pair = parts[suit]
    if pair & one:
        yield "single", Group("pair", win)
    if pungs & one:
        yield "pung", Group("pung", win)
    seen = set()
    for back in range(3):
        rank = win.rank - back
        if suit < 3 and 1 <= rank <= 7 and chows >> 3 * (rank - 1) & 7:
            wait = "closed" if back == 1 else "edge" if (back, rank) in ((2, 1), (0, 7)) else "open"
            if wait not in seen:
                seen.add(wait)
                yield wait, Group("chow", TILES[win.kind - back])


def _reading(
    form: str,
    win: Tile,
    parts: tuple[tuple[int, int, int], ...],
    base: Columns,
    place: tuple[str, Group | None],
    self_drawn: bool,
) -> Reading:
    wait, won = place
    columns = base.copy()
    columns["form"], columns["wait"] = FORM_NUMBERS[form], WAIT_NUMBERS[wait]
    for (chows, pungs, pair), (c, d, p, q, r) in zip(parts, _BY_SUIT, strict=True):
        if chows:
            columns[c] += chows
            columns[d] = chows
        if pungs:
            columns[p] |= pungs
            columns[q] |= pungs
        columns[r] = pair
    if won is not None and won.kind == "pung" and not self_drawn:
        suit, one = _place(won.first)
        columns[f"Q{suit}"] &= ~one
    sets, pair_tile = _groups(parts)
    return Reading(form=form, win=win, sets=sets, pair=pair_tile, wait=wait, won=won, columns=columns)


def _groups(parts: tuple[tuple[int, int, int], ...]) -> tuple[tuple[Group, ...], Tile | None]:
    sets: tuple[Group, ...] = ()
    pair_tile = None
    for suit, part in enumerate(parts):
        groups, tile = _suit_groups(suit, *part)
        sets += groups
        pair_tile = tile or pair_tile
    return sets, pair_tile


@lru_cache(maxsize=1 << 14)
def _suit_groups(suit: int, chows: int, pungs: int, pair: int) -> tuple[tuple[Group, ...], Tile | None]:
    sets: list[Group] = []
    pair_tile = None
    for rank in range(7 if suit == 3 else 9):
        tile = TILES[9 * suit + rank]
        sets += [Group("chow", tile)] * (chows >> 3 * rank & 7)
        if pungs >> 3 * rank & 1:
            sets.append(Group("pung", tile))
        if pair >> 3 * rank & 1:
            pair_tile = tile
    return tuple(sets), pair_tile


def _special(form: str, win: Tile, counts: list[int], concealed: tuple[int, ...], base: Columns) -> Reading:
    """Return the one reading of a form that is not made of sets."""
    columns = base.copy()
    columns["form"], columns["wait"] = FORM_NUMBERS[form], WAIT_NUMBERS["single"]
    sets: tuple[Group, ...] = ()
    won = pair = None
    if form == "seven-pairs":
        for suit, tiles in enumerate(concealed):
            columns[f"R{suit}"] = tiles >> 1 & 3 * ONES
        sets = tuple(Group("pair", TILES[kind]) for kind in range(PLAIN_KINDS) for _ in range(counts[kind] // 2))
        won = Group("pair", win.plain)
    elif 2 in counts:
        pair = TILES[counts.index(2)]
    return Reading(form=form, win=win, sets=sets, pair=pair, wait="single", won=won, columns=columns)


_KNITTED: Final = tuple(
    tuple(sum(1 << 3 * rank for rank in range(first, 9, 3)) for first in order) for order in permutations(range(3))
)
"""For each way to give 147, 258, 369 to the three suits, their octal columns."""


def _knitted_straight(
    hand: Hand, win: Tile, concealed: tuple[int, ...], base: Columns, self_drawn: bool
) -> Iterator[Reading]:
    won_suit, won = _place(win)
    for knitted in _KNITTED:
        suited = list(zip(concealed[:3], knitted, strict=True))
        if any((tiles | tiles >> 1 | tiles >> 2) & ranks != ranks for tiles, ranks in suited):
            continue
        rest = (*(tiles - ranks for tiles, ranks in suited), concealed[3])
        for parts in _whole(rest):
            if sum(chows % 7 + pungs % 7 for chows, pungs, _ in parts) + len(hand.melds) != 1:
                continue
            if won_suit < 3 and knitted[won_suit] & won:
                yield _reading("knitted-straight", win, parts, base, ("none", None), self_drawn)
            for place in _places_of_win(win, parts):
                yield _reading("knitted-straight", win, parts, base, place, self_drawn)
