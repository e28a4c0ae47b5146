"""Players who look at what a hand is worth: one who weighs it, and one who is careful besides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from mjcli.dealing import deal
from mjcli.melds import Meld
from mjcli.play import PASS, WIN, Act, Choice, Judge, View, start_of
from mjcli.play.melding import claimed_meld, concealed_kong, relation
from mjcli.players.base import play_deal
from mjcli.players.goals import Appraiser, Aspects, Goal
from mjcli.players.simple import Fast, ends_or_declares, inwards
from mjcli.ruleset import Ruleset
from mjcli.scoring import Score
from mjcli.tiles import JOKER_KIND

__all__ = [
    "ANYTHING",
    "BY_DISCARD",
    "LAST",
    "LATE",
    "LEAST",
    "LIVELY",
    "NEAR",
    "SLIGHT",
    "WANTED",
    "WEIGHTS",
    "Careful",
    "Value",
]

RATES: Final[Mapping[str, Sequence[float]]] = {
    "any": (0.20, 0.28, 0.38, 0.49, 0.61),
    "chows": (0.18, 0.19, 0.27, 0.38, 0.55),
    "pungs": (0.14, 0.21, 0.22, 0.24, 0.29, 0.32),
    "suit and honors": (0.20, 0.18, 0.20, 0.23, 0.22, 0.29, 0.39),
    "suit": (0.15, 0.20, 0.24, 0.28, 0.28, 0.36),
    "thirteen-orphans": (0.12, 0.08, 0.11, 0.15, 0.20, 0.20, 0.30),
    "seven-pairs": (0.07, 0.13, 0.13, 0.19, 0.28, 0.30),
    "thirteen-unconnected": (0.58, 0.33, 0.35, 0.44, 0.49, 0.57),
    "knitted": (0.10, 0.13, 0.17, 0.20, 0.23, 0.26, 0.30),
    "knitted-straight": (0.10, 0.14, 0.18, 0.22, 0.26, 0.30),
}
"""Of each goal, the chance that a turn brings it a tile nearer, by draw or claim, where one tile is missing, or two ...

Counted in some hundred deals of a player who has this goal alone against three who hurry; where such hands came too
seldom, and of knitted forms, estimated from how many tiles help. Of thirteen unconnected tiles they are three tenths
more than counted, with which the player gains more. The last number goes for all distances beyond.
"""
SAMPLE: Final = 20
"""Deals that are played to see how long they last."""
BY_DISCARD: Final = 0.7
"""How often a win is on a discard."""
WEIGHTS: Final = (1.0, 0.05, 0.05)
"""How much the goals count that are kept open, the best first, when a discard is chosen."""
LIVELY: Final = 0.15
"""How much a discard that leaves most copies to draw is better than one that leaves none."""
LEAST: Final = 1e-3
"""Added to what is expected of a goal, so that a hand that is worth nothing is played on."""
NEAR: Final = 2
"""Tiles missing from which on a hand is given up against a threat; one is ready."""
SLIGHT: Final = 0.5
"""What is to be expected of a hand that is not worth a risk."""
LATE: Final = 45
LAST: Final = 20
"""Tiles left in the wall from which on players with two melds, and with one, threaten."""
FIRST_HONOR: Final = 27
WANTED: Final = (5.0, 7.5)
"""How dangerous a suited tile is, and an honour, towards a hand of single tiles or pairs: whatever is seen of it, and
honours more, as there are seven of them in the one and nine ranks of a suit of which few are wanted in the other."""
ANYTHING: Final = 100.0
"""How dangerous a joker is, which completes any hand that is ready."""


class Prospect(NamedTuple):
    """A goal as a player sees it."""

    worth: float
    """What is to be expected of it."""
    worth_farther: float
    """What would be, were it one tile farther."""
    missing: int
    goal: Goal


class Pace(NamedTuple):
    """How fast deals end."""

    whole: float
    """How many turns each player has in a deal that nobody wins."""
    hurry: float
    """By how much each turn makes it likelier that another ends the deal before the next."""
    closed: int = 0
    """Tiles left in the wall from which on players without melds threaten: where most deals are won with forms that
    have none, how many are left when half of them are over; else 0."""

    def lasts(self, turns: int) -> float:
        """Return the chance that a deal lasts until the next turn, where a player may still have so many.

        >>> Pace(20.0, 0.01).lasts(15), Pace(20.0, 0.01).lasts(5)
        (0.945, 0.845)
        """
        return 1 - min(self.hurry * (max(self.whole - turns, 0.0) + 0.5), 1.0)


class Value:
    """Weighs how likely a hand is against what the ruleset gives for it, the minimum included.

    It keeps the goals open of which most is to be expected, and claims what makes that more. Where ready can be
    declared, which makes any concealed hand worth something, it hurries until it claims.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        """
        Args:
            ruleset: whose scores it weighs.
        """
        self.appraiser = Appraiser(ruleset)
        declares = ruleset.play is not None and ruleset.play.ready is not None
        self._hurrying = Fast(ruleset) if declares else None
        self._chances: dict[tuple[str, int, int], float] = {}
        self.pace = _pace(ruleset)

    def choose(self, view: View, choices: Sequence[Choice]) -> Choice:
        """Return what most is to be expected of."""
        if choices[0] == WIN:
            return WIN
        if view.is_my_turn:
            return self._of_turn(view, choices)
        return self._of_claim(view, choices)

    def prospects(self, view: View, counts: list[int], melds: Sequence[Meld], jokers: int = 0) -> list[Prospect]:
        """Return the goals that a hand may still reach, best first.

        Args:
            view: of the player.
            counts: int[34], the concealed tiles but for jokers.
            melds: that he has, or would have.
            jokers: how many of his jokers he would spend on those.
        """
        appraiser = self.appraiser
        aspects = self._aspects(view, counts, melds)
        sets = 4 - len(melds)
        turns = max(round(view.left / view.players), 1)
        found = []
        for goal in appraiser.goals:
            if not goal.allows(melds):
                continue
            missing = max(appraiser.missing(goal, counts, sets) + jokers - view.jokers, 0)
            by_discard, by_draw = appraiser.worth(goal, aspects)
            received = BY_DISCARD * by_discard + (1 - BY_DISCARD) * by_draw
            now, farther = (received * self.chance(goal.name, each, turns) for each in (missing, missing + 1))
            found.append(Prospect(now, farther, missing, goal))
        return sorted(found, key=lambda each: (-each.worth, each.missing))

    def chance(self, goal: str, missing: int, turns: int) -> float:
        """Return the chance that a goal is reached in so many turns of one's own, before another ends the deal.

        Args:
            goal: its name.
            missing: the tiles missing for it.
            turns: how many turns one may still have.
        """
        key = goal, missing, turns
        found = self._chances.get(key)
        if found is None:
            rates = RATES[goal]
            if not missing:
                found = 1.0
            elif not turns:
                found = 0.0
            else:
                rate = rates[min(missing, len(rates)) - 1]
                nearer, as_far = (self.chance(goal, each, turns - 1) for each in (missing - 1, missing))
                lasts = self.pace.lasts(turns)
                found = rate * nearer * (lasts if missing > 1 else 1.0) + (1 - rate) * as_far * lasts
            self._chances[key] = found
        return found

    def _aspects(self, view: View, counts: Sequence[int], melds: Sequence[Meld]) -> Aspects:
        honors = {meld.first.kind for meld in melds if meld.first.kind >= FIRST_HONOR}
        for kind in range(FIRST_HONOR, len(counts)):
            if counts[kind] >= 2 and self.appraiser.gains(kind, view.seat, view.round_wind):
                honors.add(kind)
        return Aspects(
            seat=view.seat,
            round_wind=view.round_wind,
            concealed=not any(meld.exposed for meld in melds),
            honors=tuple(sorted(honors)),
            bonus=tuple(sorted(view.bonus(view.seat))),
        )

    def _of_turn(self, view: View, choices: Sequence[Choice]) -> Choice:
        said = ends_or_declares(choices)
        if said is not None:
            return said
        counts, melds = view.hand, view.melds(view.seat)
        if self._hurrying is not None and not any(meld.exposed for meld in melds):
            return self._hurrying.choose(view, choices)
        prospects = self.prospects(view, counts, melds)
        for choice in choices:
            if choice.act is Act.DISCARD:
                break
            if self._keeps(view, choice, prospects[0]):
                return choice
        return self.discard(view, counts, prospects, [choice for choice in choices if choice.act is Act.DISCARD])

    def _keeps(self, view: View, choice: Choice, best: Prospect) -> bool:
        """Return whether a kong leaves the best goal as near as it is."""
        counts, melds = view.hand, view.melds(view.seat)
        if choice.act is Act.ADDED_KONG:
            counts[choice.kind] -= 1
        elif choice.act is Act.CONCEALED_KONG:
            counts[choice.kind] = 0
            melds = (*melds, concealed_kong(choice.kind))
        else:
            return True
        if not best.goal.allows(melds):
            return False
        return self.appraiser.missing(best.goal, counts, 4 - len(melds)) - view.jokers <= best.missing

    def discard(
        self, view: View, counts: list[int], prospects: Sequence[Prospect], choices: Sequence[Choice]
    ) -> Choice:
        """Return the discard after which most is to be expected of the best goals together.

        Of tiles that these do not need, it is the one that leaves most live copies to draw.
        """
        expected = {choice.kind: 0.0 for choice in choices}
        for weight, prospect in zip(WEIGHTS, prospects, strict=False):
            free = self._live_after(view, prospect.goal, counts)
            most = max(free.values(), default=0)  # with jokers none may leave it as near
            for kind in expected:
                if kind in free:
                    expected[kind] += weight * (prospect.worth + LEAST) * (1 + LIVELY * free[kind] / (most or 1))
                else:
                    expected[kind] += weight * prospect.worth_farther
        return max(choices, key=lambda choice: (expected[choice.kind], -inwards(choice.kind)))

    def _live_after(self, view: View, goal: Goal, counts: list[int]) -> dict[int, int]:
        """Return the kinds that a goal does not need, with the live copies that bring it nearer after each."""
        sets, left = view.sets_needed, view.unseen
        if goal.sets == "pungs":
            now = max(self.appraiser.missing(goal, counts, sets), 1)
            found = {}
            for kind, count in enumerate(counts):
                if count:
                    rest = [*counts[:kind], count - 1, *counts[kind + 1 :]]
                    if self.appraiser.missing(goal, rest, sets) <= now:
                        found[kind] = sum([left[each] for each, held in enumerate(rest) if held == 2])
            return found
        useful = goal.useful(counts)
        _, helpful = self.appraiser.outlook(goal).discards(useful, sets, view.jokers)
        found = {kind: sum([left[each] for each in helps]) for kind, helps in helpful.items()}
        most = max(found.values(), default=0)
        found.update((kind, most) for kind, count in enumerate(counts) if count > useful[kind])
        return found

    def _of_claim(self, view: View, choices: Sequence[Choice]) -> Choice:
        counts, melds = view.hand, view.melds(view.seat)
        claimed = view.discarded
        assert claimed is not None
        best, most = PASS, self.prospects(view, counts, melds)[0].worth
        feeder = relation(view.seat, view.active, view.players)
        for choice in choices:
            if choice == PASS:
                continue
            meld = claimed_meld(choice, claimed, feeder)
            after = counts.copy()
            after[claimed] += 1
            for kind in meld.kinds:
                if kind != JOKER_KIND:
                    after[kind] -= 1
            found = self.prospects(view, after, (*melds, meld), len(meld.jokers))
            if found and found[0].worth > most:
                best, most = choice, found[0].worth
        return best


class Careful(Value):
    """Weighs as ``Value`` does, but while another threatens it gives up a hand far from ready, and discards safely."""

    def _of_turn(self, view: View, choices: Sequence[Choice]) -> Choice:
        counts, melds = view.hand, view.melds(view.seat)
        threats = _threats(view, self.pace.closed)
        if threats and self.gives_up(self.prospects(view, counts, melds)[0]):
            discards = [choice for choice in choices if choice.act is Act.DISCARD]
            closed = [seat for seat in threats if self.pace.closed and not view.melds(seat)]
            return min(discards, key=lambda choice: (_danger(view, choice.kind, threats, closed), inwards(choice.kind)))
        return super()._of_turn(view, choices)

    def _of_claim(self, view: View, choices: Sequence[Choice]) -> Choice:
        if _threats(view, self.pace.closed):
            best = self.prospects(view, view.hand, view.melds(view.seat))[0]
            if self.gives_up(best) and best.missing > NEAR:
                return PASS
        return super()._of_claim(view, choices)

    def gives_up(self, best: Prospect) -> bool:
        """Return whether a hand whose best goal is this is too far to go on."""
        return best.missing >= NEAR or best.worth < SLIGHT


def _threats(view: View, closed: int) -> list[int]:
    """Return the other players who are likely to be ready.

    They have said so, or have three melds, or two once half the wall is gone; or none once fewer than ``closed`` tiles
    are left.
    """
    others = [seat for seat in range(view.players) if seat != view.seat]
    melds = 1 if view.left < LAST else 2 if view.left < LATE else 3
    likely = {0, *range(melds, 5)} if view.left < closed else {*range(melds, 5)}
    return [seat for seat in others if view.has_declared(seat) or len(view.melds(seat)) in likely]


def _danger(view: View, kind: int, threats: Sequence[int], closed: Sequence[int]) -> float:
    """Return how likely it is that a discard feeds one of the players who threaten, in no particular unit.

    Args:
        view: of the player.
        kind: of the discard.
        threats: the seats of those who threaten.
        closed: of these, the seats of those who have no melds where most win so.
    """
    if kind == JOKER_KIND:
        return ANYTHING
    unseen = view.unseen
    shapes = [0.0, 1.0, 2.0, 3.0][min(unseen[kind], 3)]
    if kind < FIRST_HONOR:
        first = kind - kind % 9
        for one, other in ((kind - 2, kind - 1), (kind - 1, kind + 1), (kind + 1, kind + 2)):
            if first <= one and other < first + 9:
                shapes += min(unseen[one], unseen[other], 2)
    total = 0.0
    play = view.ruleset.play
    for seat in threats:
        if kind in view.discards_after(seat):
            continue  # he could have won on it and did not
        if play is not None and play.own_discards and kind in view.safe(seat):
            continue  # he may not win on it
        danger = WANTED[kind >= FIRST_HONOR] if seat in closed else shapes
        if kind in view.discards(seat):
            danger *= 0.3
        suits = {meld.first.kind // 9 for meld in view.melds(seat) if meld.first.kind < FIRST_HONOR}
        if len(suits) == 1 and len(view.melds(seat)) > 1:
            danger *= 2 if kind // 9 in suits else 0.5
        total += danger
    return total


def _pace(ruleset: Ruleset) -> Pace:
    """Return how fast deals end, as some deals among players who hurry show.

    How long they last is taken as a distribution of Rayleigh, whose parameter is estimated from those that were won, at
    the turn of the win, and those that were drawn, at their end.
    """
    key = f"{ruleset.id} {ruleset.version} {sorted(ruleset.options.items())}"
    found = _PACES.get(key)
    if found is None:
        judge, fast = Judge(ruleset), ("fast", Fast(ruleset))
        squares, whole, won, apart = 0.0, 0.0, 0, 0
        left = []
        for number in range(SAMPLE):
            outcome = play_deal(judge, start_of(deal(ruleset, seed=0, index=number)), [fast] * ruleset.players)
            squares += (sum(outcome.turns) / ruleset.players) ** 2
            whole += (sum(outcome.turns) + outcome.left) / ruleset.players
            won += bool(outcome.wins)
            apart += any(_is_apart(each.score) for each in outcome.wins)
            left.append(outcome.left)
        others = (ruleset.players - 1) / ruleset.players
        closed = sorted(left)[SAMPLE // 2] if 2 * apart > won else 0
        found = _PACES[key] = Pace(whole / SAMPLE, 2 * won / squares * others, closed)
    return found


def _is_apart(score: Score) -> bool:
    """Return whether a hand is won with a form that is made of no melds."""
    return score.best is not None and score.best.reading.form != "standard"


_PACES: Final[dict[str, Pace]] = {}
"""What was found, by ruleset."""
