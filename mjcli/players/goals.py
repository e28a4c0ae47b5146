"""Goals: kinds of hands that a player may aim at, how far a hand is from each, and what the ruleset gives for it.

A goal says of which kinds of tiles the hand is to be, and of which sets; it names no pattern. What it is worth is asked
of the ruleset itself: hands of the goal, with the player's own melds of honours, winds and flowers, are scored. Of sets
there are many such hands, of which some reach the minimum and some do not; so some are drawn by chance, always alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Final, NamedTuple

from mjcli.chance import Chance
from mjcli.errors import InputError
from mjcli.forms import FormRules
from mjcli.hand import Context, Hand, Line
from mjcli.melds import Meld, MeldType, Relation, Seat
from mjcli.outlook import Outlook
from mjcli.ruleset import Ruleset
from mjcli.scoring import following, score
from mjcli.tiles import PLAIN_KINDS, TILES, Tile

__all__ = ["HANDS", "Appraiser", "Aspects", "Goal", "goals_of", "missing_pungs"]

SEATS: Final = tuple(Seat)
FIRST_HONOR: Final = 27
SETS: Final = 4
MOST_REMEMBERED: Final = 1 << 16

TRIES: Final = 1000
"""How many hands of sets are drawn where the tiles that there are may not do for any."""
HANDS: Final = 8
"""How many hands of sets are drawn for a worth; a power of two, so that the mean is exact."""
PUNGS_OF_TEN: Final = 2
"""How many of ten sets of such a hand are pungs, where it may be of any sets."""
CLAIMED: Final = {MeldType.CHOW: 4, MeldType.PUNG: 6}
"""How many of ten sets that may be claimed are."""

CHOWS: Final = ((1, 2, 3), (4, 5, 6), (5, 6, 7), (2, 3, 4))
"""Ranks, from 0, of the chows of a model hand: no two of them make a pattern that is seldom seen."""
PUNGS: Final = (1, 4, 7, 6)
"""Ranks, from 0, of the pungs of a model hand."""
PAIR: Final = 8
"""Rank, from 0, of its pair."""
PAIRS: Final = (0, 2, 1, 3, 5, 4)
"""Ranks, from 0, of the pairs but one of a model hand of seven."""
SPARE_PAIR: Final = 6
"""Rank, from 0, of the last one where there is none of white dragons."""
WHITE: Final = 31
ALL_SUITS: Final = (0, 1, 2)
"""Their places."""


@dataclass(frozen=True)
class Goal:
    """A kind of hand to aim at."""

    name: str
    """What sort of goal it is; those of one name differ in their suits alone."""
    suits: tuple[int, ...] = ALL_SUITS
    """Places of the suits it may be of."""
    honors: bool = True
    """Whether it may have honours."""
    sets: str = "any"
    """any, chows or pungs."""
    form: str = "standard"

    @cached_property
    def mask(self) -> tuple[bool, ...]:
        """bool[34]: the kinds that it may be of."""
        return tuple(self.honors if kind >= FIRST_HONOR else kind // 9 in self.suits for kind in range(PLAIN_KINDS))

    def useful(self, counts: Sequence[int]) -> list[int]:
        """Return int[34]: the concealed tiles that can be of use."""
        if self.sets == "chows":
            return [min(count, 2) for count in counts]
        if len(self.suits) == 3 and self.honors:
            return list(counts)
        return [count if use else 0 for count, use in zip(counts, self.mask, strict=True)]

    def allows(self, melds: Sequence[Meld]) -> bool:
        """Return whether a hand with these melds can still reach it."""
        if self.form != "standard":
            return not melds
        return all(
            self.mask[meld.first.kind]
            and (self.sets == "any" or (self.sets == "chows") == (meld.type is MeldType.CHOW))
            for meld in melds
        )


def goals_of(forms: FormRules, suits: tuple[int, ...] = ALL_SUITS) -> list[Goal]:
    """Return the goals of a game: all hands, chows or pungs alone, one suit with and without honours, other forms.

    Forms of tiles of every suit are none of a game that has not all of them.

    Args:
        forms: that win.
        suits: places of those that the game has.
    """
    found = [Goal("any", suits), Goal("chows", suits, sets="chows"), Goal("pungs", suits, sets="pungs")]
    for suit in suits:
        if len(suits) > 1:
            found.append(Goal("suit and honors", suits=(suit,)))
        found.append(Goal("suit", suits=(suit,), honors=False))
    others = (form for form in forms if form != "standard" and (form == "seven-pairs" or len(suits) == len(ALL_SUITS)))
    return found + [Goal(form, suits, form=form) for form in others]


class Aspects(NamedTuple):
    """What is sure of a hand already, as far as its worth depends on it."""

    seat: int
    round_wind: Seat | None
    concealed: bool
    honors: tuple[int, ...]
    """Kinds of honours of which there is a pung, or will be."""
    bonus: tuple[int, ...]


class Appraiser:
    """Says how far hands are from goals, and what the ruleset gives for those."""

    def __init__(self, ruleset: Ruleset) -> None:
        """
        Args:
            ruleset: by which hands are scored.

        Raises:
            InputError: of its tiles there are no sets and a pair (``bad-player``).
        """
        self._ruleset = ruleset
        self._copies = copies = ruleset.tiles.copies[:PLAIN_KINDS]
        self._whole = tuple(suit for suit in ALL_SUITS if all(copies[9 * suit : 9 * suit + 9]))
        """Places of the suits of which there is every rank."""
        play = ruleset.play
        self._ready, self._indicators = play and play.ready, play and play.indicators
        self._standard = Outlook({"standard": ""})
        self._forms = {form: Outlook({form: rule}) for form, rule in ruleset.forms.items() if form != "standard"}
        self._worth: dict[tuple[str, tuple[int, ...], Aspects], tuple[float, float]] = {}
        self._gains: dict[tuple[int, int, Seat | None], bool] = {}
        goals = goals_of(ruleset.forms, tuple(suit for suit in ALL_SUITS if any(copies[9 * suit : 9 * suit + 9])))
        if not self._has_hands(goals[0]):
            raise InputError("bad-player", f"there is no hand to aim at among the tiles of ruleset {ruleset.id}")
        self.goals = [goal for goal in goals if self._has_hands(goal)]

    def _has_hands(self, goal: Goal) -> bool:
        """Return whether the tiles of the game do for hands of a goal."""
        aspects = Aspects(seat=0, round_wind=None, concealed=True, honors=(), bonus=())
        if goal.form != "standard":
            return bool(self.models(goal, aspects, drawn=True))
        return all(self._drawn_by_chance(goal, aspects, number, drawn=True) for number in range(HANDS))

    def _are_there(self, kinds: Iterable[int]) -> bool:
        """Return whether the game has so many tiles of each of these kinds."""
        return all(count <= self._copies[kind] for kind, count in Counter(kinds).items())

    def outlook(self, goal: Goal) -> Outlook:
        """Return the outlook of a goal's form."""
        return self._forms.get(goal.form, self._standard)

    def missing(self, goal: Goal, counts: Sequence[int], sets: int) -> int:
        """Return how many tiles a hand that allows a goal misses for it."""
        if goal.sets == "pungs":
            return _missing_pungs(counts, sets)
        return self.outlook(goal).missing(goal.useful(counts), sets)

    def worth(self, goal: Goal, aspects: Aspects) -> tuple[float, float]:
        """Return what hands of a goal receive for a win on a discard, and by draw; those that may not win, nothing."""
        key = goal.name, goal.suits, aspects
        found = self._worth.get(key)
        if found is None:
            if len(self._worth) >= MOST_REMEMBERED:
                self._worth.clear()
            found = self._worth[key] = (self._received(goal, aspects, False), self._received(goal, aspects, True))
        return found

    def gains(self, kind: int, seat: int, round_wind: Seat | None) -> bool:
        """Return whether a pung of an honour is worth something to a player."""
        key = kind, seat, round_wind
        found = self._gains.get(key)
        if found is None:
            bare, more = (self._fan_of_model(honors, seat, round_wind) for honors in ((), (kind,)))
            found = self._gains[key] = bare is not None and more is not None and more > bare
        return found

    def _fan_of_model(self, honors: tuple[int, ...], seat: int, round_wind: Seat | None) -> int | None:
        """Return the fan of a model hand with pungs of certain honours; None if the tiles do not do for it."""
        groups = list(_model(replace(self.goals[0], suits=self._whole), honors)) if self._whole else []
        if not groups or not self._are_there(kind for group in groups for kind in group):
            return None
        aspects = Aspects(seat=seat, round_wind=round_wind, concealed=False, honors=honors, bonus=())
        line = self._line(groups, self._claimable(groups[:-2])[:1], groups[-2][-1], aspects, drawn=True)
        return score(line, self._ruleset).fan

    def _received(self, goal: Goal, aspects: Aspects, drawn: bool) -> float:
        scores = [score(line, self._ruleset) for line in self.models(goal, aspects, drawn=drawn)]
        return sum(each.payments[SEATS[aspects.seat].value] for each in scores if each.can_win) / len(scores)

    def models(self, goal: Goal, aspects: Aspects, *, drawn: bool) -> list[Line]:
        """Return model hands of a goal, won on a discard or by draw: ``HANDS`` of sets, one of another form."""
        if goal.form != "standard":
            groups = list(_model(goal, aspects.honors, has_white=self._copies[WHITE] > 1))
            if not self._are_there(kind for group in groups for kind in group):
                return []
            return [self._line(groups, (), groups[0][0], aspects, drawn=drawn)]
        found = (self._drawn_by_chance(goal, aspects, number, drawn=drawn) for number in range(HANDS))
        return [line for line in found if line is not None]

    def _drawn_by_chance(self, goal: Goal, aspects: Aspects, number: int, *, drawn: bool) -> Line | None:
        """Return a hand of sets; it stays concealed where ready can be declared, as long as nothing is claimed.

        Honours for whose pungs the other tiles do not do are left out; None if there is no hand without any.
        """
        honors = aspects.honors
        groups = self._sets_and_pair(goal, honors, chance := Chance(0, number))
        while groups is None and honors:
            honors = honors[:-1]
            groups = self._sets_and_pair(goal, honors, chance := Chance(0, number))
        if groups is None:
            return None
        last = chance.below(len(groups))
        win = groups[last][chance.below(len(groups[last]))]
        claimable = [place for place in self._claimable(groups[:-1]) if place != last]
        claimed = [place for place in claimable if chance.below(10) < CLAIMED[_type(groups[place])]]
        if not aspects.concealed:
            claimed = claimed or claimable[:1]
        elif self._ready:
            claimed = []
        return self._line(groups, claimed, win, aspects, drawn=drawn)

    def _sets_and_pair(self, goal: Goal, honors: Sequence[int], chance: Chance) -> list[tuple[int, ...]] | None:
        """Return the sets and the pair of a hand of a goal that is drawn by chance, pungs of certain honours first.

        None if none of many that are drawn is of tiles that there are.
        """
        with_honors = goal.honors and goal.sets != "chows"
        kinds = [9 * suit + rank for suit in goal.suits for rank in range(9)]
        kinds += range(FIRST_HONOR, PLAIN_KINDS if with_honors else FIRST_HONOR)
        for _ in range(TRIES):
            found: list[tuple[int, ...]] = [(kind,) * 3 for kind in (honors[:SETS] if with_honors else ())]
            while len(found) < SETS:
                if goal.sets == "pungs" or (goal.sets == "any" and chance.below(10) < PUNGS_OF_TEN):
                    found.append((kinds[chance.below(len(kinds))],) * 3)
                else:
                    first = 9 * goal.suits[chance.below(len(goal.suits))] + chance.below(7)
                    found.append((first, first + 1, first + 2))
            found.append((kinds[chance.below(len(kinds))],) * 2)
            if self._are_there(kind for group in found for kind in group):
                return found
        return None

    def _line(
        self,
        groups: Sequence[tuple[int, ...]],
        claimed: Collection[int],
        win: int,
        aspects: Aspects,
        *,
        drawn: bool,
    ) -> Line:
        """Return a hand and its context.

        Args:
            groups: its sets and its pair, or all its tiles.
            claimed: places of the sets that are claimed.
            win: the kind that it is won on.
            aspects: what is sure of it.
            drawn: whether that was drawn.
        """
        melds = tuple(
            Meld(type=_type(groups[place]), first=TILES[groups[place][0]], feeder=Relation.LEFT) for place in claimed
        )
        tiles = [TILES[kind] for place, group in enumerate(groups) for kind in group if place not in claimed]
        tiles.remove(TILES[win])
        hand = Hand(
            concealed=tuple(tiles),
            melds=melds,
            win=TILES[win],
            self_drawn=drawn,
            bonus=tuple(TILES[each] for each in aspects.bonus),
        )
        source = None if drawn else SEATS[(aspects.seat + 1) % self._ruleset.players]
        held = [kind for group in groups for kind in group]
        spare = [tile for tile in tiles if held.count(tile.kind) < self._copies[tile.kind]]
        extra = tuple(sorted(self._extra(tiles, spare, concealed=aspects.concealed and not melds)))
        context = Context(seat=SEATS[aspects.seat], round=aspects.round_wind, source=source, extra=extra)
        return Line(hand=hand, context=context)

    def _extra(
        self, tiles: Sequence[Tile], spare: Sequence[Tile], *, concealed: bool
    ) -> Iterator[tuple[str, bool | tuple[Tile, ...]]]:
        """Yield the ruleset's own words for a model hand: a concealed one declares ready and has some luck after it.

        Every hand has one tile that an indicator points to, where one has it that lies next to another.
        """
        if concealed and self._ready:
            yield self._ready.word, True
            if self._ready.at_once:
                yield self._ready.at_once, True
        if self._indicators:
            kinds = [tile.kind for tile in tiles]
            pointing = (tile for tile in spare if kinds.count(following(tile)) == 1)
            for tile in list(pointing)[:1]:
                yield self._indicators.word, (tile,)

    def _claimable(self, sets: Sequence[tuple[int, ...]]) -> list[int]:
        """Return the places of the sets that can be claimed."""
        chows = self._ruleset.claimed_chows
        return [
            place
            for place, group in enumerate(sets)
            if _type(group) is MeldType.PUNG or TILES[group[0]].suit.value in chows
        ]


def _type(group: Sequence[int]) -> MeldType:
    return MeldType.PUNG if group[0] == group[1] else MeldType.CHOW


def _missing_pungs(counts: Sequence[int], sets: int) -> int:
    """Return how many tiles are missing for so many pungs and a pair."""
    singles, pairs = counts.count(1), counts.count(2)
    return missing_pungs(len(counts) - counts.count(0) - singles - pairs, pairs, singles, sets)


@cache
def missing_pungs(pungs: int, pairs: int, singles: int, sets: int) -> int:
    """Return how many tiles are missing for so many pungs and a pair, of the kinds held thrice, twice and once.

    >>> missing_pungs(1, 2, 0, 2)
    1
    """
    held = [3] * pungs + [2] * pairs + [1] * singles + [0] * (sets + 1)
    return min(
        max(2 - count, 0) + sum(3 - other for other in (held[:place] + held[place + 1 :])[:sets])
        for place, count in enumerate(held)
    )


def _model(goal: Goal, honors: Sequence[int], *, has_white: bool = True) -> Iterator[tuple[int, ...]]:
    """Yield the sets and the pair of a hand of a goal, pungs of certain honours among them.

    Args:
        goal: what it is of.
        honors: of which it has pungs.
        has_white: whether there is a pair of white dragons for seven pairs.
    """
    if goal.form == "thirteen-orphans":
        yield (0, 8, 9, 17, 18, 26, *range(27, 34), 33)
        return
    if goal.form == "thirteen-unconnected":
        yield (0, 3, 6, 10, 13, 16, 20, 23, 26, 27, 28, 29, 31, 31)
        return
    if goal.form == "knitted":
        yield (0, 3, 6, 10, 13, 16, 20, 23, *range(27, 33))
        return
    if goal.form == "knitted-straight":
        yield from ((0, 3, 6), (10, 13, 16), (20, 23, 26), (9, 10, 11), (18, 18))
        return
    if goal.form == "seven-pairs":
        for place, rank in enumerate(PAIRS):
            yield (9 * goal.suits[place % len(goal.suits)] + rank,) * 2
        yield (WHITE, WHITE) if has_white else (9 * goal.suits[-1] + SPARE_PAIR,) * 2
        return
    count = 0
    if goal.honors and goal.sets != "chows":
        for kind in honors[:SETS]:
            yield kind, kind, kind
            count += 1
    suits = goal.suits
    pung_too = goal.sets == "any" and not count and len(suits) == 3
    for place in range(count, SETS):
        first = 9 * suits[place % len(suits)]
        if goal.sets == "pungs" or (pung_too and place == 0):
            yield (first + PUNGS[place],) * 3
        else:
            yield tuple(first + rank for rank in CHOWS[place])
    if goal.honors and len(suits) == 1 and not count:
        yield 30, 30
    else:
        yield (9 * suits[-1] + PAIR,) * 2
