"""Goals: kinds of hands that a player may aim at, how far a hand is from each, and what the ruleset gives for it.

A goal says of which kinds of tiles the hand is to be, and of which sets; it names no pattern. What it is worth is asked
of the ruleset itself: a hand of the goal, with the player's own melds of honours, winds and flowers, is scored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final, NamedTuple

from mjcli.forms import FormRules
from mjcli.hand import Context, Hand, Line
from mjcli.melds import Meld, MeldType, Relation, Seat
from mjcli.outlook import Outlook
from mjcli.ruleset import Ruleset
from mjcli.scoring import Score, following, score
from mjcli.tiles import PLAIN_KINDS, TILES, Tile

__all__ = ["Appraiser", "Aspects", "Goal", "goals_of", "missing_pungs"]

SEATS: Final = tuple(Seat)
FIRST_HONOR: Final = 27
SETS: Final = 4
MOST_REMEMBERED: Final = 1 << 16

CHOWS: Final = ((1, 2, 3), (4, 5, 6), (5, 6, 7), (2, 3, 4))
"""Ranks, from 0, of the chows of a model hand: no two of them make a pattern that is seldom seen."""
PUNGS: Final = (1, 4, 7, 6)
"""Ranks, from 0, of the pungs of a model hand."""
PAIRS: Final = (8, 0)
"""Ranks, from 0, of its pair, the first that is free."""


@dataclass(frozen=True)
class Goal:
    """A kind of hand to aim at."""

    name: str
    """What sort of goal it is; those of one name differ in their suits alone."""
    suits: tuple[int, ...] = (0, 1, 2)
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


def goals_of(forms: FormRules, suits: tuple[int, ...] = (0, 1, 2)) -> list[Goal]:
    """Return the goals of a game: all hands, chows or pungs alone, one suit with and without honours, other forms.

    Args:
        forms: that win.
        suits: places of those that the game has.
    """
    found = [Goal("any", suits), Goal("chows", suits, sets="chows"), Goal("pungs", suits, sets="pungs")]
    for suit in suits:
        if len(suits) > 1:
            found.append(Goal("suit and honors", suits=(suit,)))
        found.append(Goal("suit", suits=(suit,), honors=False))
    return found + [Goal(form, form=form) for form in forms if form != "standard"]


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
        """
        self._ruleset = ruleset
        copies = ruleset.tiles.copies
        self.goals = goals_of(ruleset.forms, tuple(suit for suit in range(3) if copies[9 * suit]))
        play = ruleset.play
        self._ready, self._indicators = play and play.ready, play and play.indicators
        self._standard = Outlook({"standard": ""})
        self._forms = {form: Outlook({form: rule}) for form, rule in ruleset.forms.items() if form != "standard"}
        self._worth: dict[tuple[str, tuple[int, ...], Aspects], tuple[float, float]] = {}
        self._gains: dict[tuple[int, int, Seat | None], bool] = {}

    def outlook(self, goal: Goal) -> Outlook:
        """Return the outlook of a goal's form."""
        return self._forms.get(goal.form, self._standard)

    def missing(self, goal: Goal, counts: Sequence[int], sets: int) -> int:
        """Return how many tiles a hand that allows a goal misses for it."""
        if goal.sets == "pungs":
            return _missing_pungs(counts, sets)
        return self.outlook(goal).missing(goal.useful(counts), sets)

    def worth(self, goal: Goal, aspects: Aspects) -> tuple[float, float]:
        """Return what a hand of a goal receives for a win on a discard, and by draw; 0 where it may not win."""
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
            fans = []
            for honors in ((), (kind,)):
                aspects = Aspects(seat=seat, round_wind=round_wind, concealed=False, honors=honors, bonus=())
                fans.append(self._score(self.goals[0], aspects, True).fan)
            found = self._gains[key] = fans[1] > fans[0]
        return found

    def _received(self, goal: Goal, aspects: Aspects, drawn: bool) -> float:
        found = self._score(goal, aspects, drawn)
        return found.payments[SEATS[aspects.seat].value] if found.can_win else 0.0

    def _score(self, goal: Goal, aspects: Aspects, drawn: bool) -> Score:
        return score(self.model(goal, aspects, drawn=drawn), self._ruleset)

    def model(self, goal: Goal, aspects: Aspects, *, drawn: bool) -> Line:
        """Return a model hand of a goal, won on a discard or by draw."""
        seat = SEATS[aspects.seat]
        groups = list(_model(goal, aspects.honors))
        win = groups[-2][-1] if goal.form == "standard" else groups[0][0]
        melds: list[Meld] = []
        if not aspects.concealed and goal.form == "standard":
            melds += [self._claimed(groups.pop(place)) for place in self._claimable(groups)[:1]]
        tiles = [TILES[each] for group in groups for each in group]
        tiles.remove(TILES[win])
        hand = Hand(
            concealed=tuple(tiles),
            melds=tuple(melds),
            win=TILES[win],
            self_drawn=drawn,
            bonus=tuple(TILES[each] for each in aspects.bonus),
        )
        source = None if drawn else SEATS[(aspects.seat + 1) % self._ruleset.players]
        extra = tuple(sorted(self._extra(tiles, concealed=aspects.concealed and not melds)))
        context = Context(seat=seat, round=aspects.round_wind, source=source, extra=extra)
        return Line(hand=hand, context=context)

    def _extra(self, tiles: Sequence[Tile], *, concealed: bool) -> Iterator[tuple[str, bool | tuple[Tile, ...]]]:
        """Yield the ruleset's own words for a model hand: a concealed one declares ready and has some luck after it.

        Every hand has one tile that an indicator points to, where one has it that lies next to another.
        """
        if concealed and self._ready:
            yield self._ready.word, True
            if self._ready.at_once:
                yield self._ready.at_once, True
        if self._indicators:
            kinds = [tile.kind for tile in tiles]
            pointing = (tile for tile in tiles if kinds.count(following(tile)) == 1)
            for tile in list(pointing)[:1]:
                yield self._indicators.word, (tile,)

    def _claimable(self, groups: Sequence[tuple[int, ...]]) -> list[int]:
        """Return the places of the sets that can be claimed, but for the last, which is won on."""
        chows = self._ruleset.claimed_chows
        return [
            place
            for place, group in enumerate(groups[:-2])
            if group[0] == group[1] or TILES[group[0]].suit.value in chows
        ]

    @staticmethod
    def _claimed(group: tuple[int, ...]) -> Meld:
        kind = MeldType.PUNG if group[0] == group[1] else MeldType.CHOW
        return Meld(type=kind, first=TILES[group[0]], feeder=Relation.LEFT)


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


def _model(goal: Goal, honors: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield the sets and the pair of a hand of a goal, pungs of certain honours among them."""
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
        for kind in (0, 3, 11, 14, 19, 22, 31):
            yield kind, kind
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
        yield (9 * suits[-1] + PAIRS[0],) * 2
