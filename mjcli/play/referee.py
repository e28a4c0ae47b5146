"""The referee: plays one deal by a ruleset, from the first discard to its end.

He asks players what they do, lets them choose among what is allowed only, moves the tiles, and tells what happens.
On a discard wins go before pungs and kongs, and those before chows. With an empty wall there are no claims but wins,
and no kongs; a kong is made in one's own turn after a draw, not after a claim. Whoever declares that he is ready 立直
keeps his hand as it is from the discard that follows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from mjcli.dealing import wall_rules
from mjcli.errors import InputError
from mjcli.forms import ORPHANS
from mjcli.melds import MeldType
from mjcli.play.choices import (
    ABORT,
    ADDED_KONGS,
    CHOWS,
    CONCEALED_KONGS,
    DISCARDS,
    FIVES,
    KONGS,
    PASS,
    PUNGS,
    READY,
    RED_DISCARDS,
    ROB_OWN_KONG,
    WIN,
    Act,
    Choice,
)
from mjcli.play.drawn import payments_of_draw
from mjcli.play.events import (
    Abort,
    Claim,
    Deposit,
    Discard,
    Draw,
    End,
    Event,
    Flower,
    Indicator,
    Kong,
    Payment,
    Ready,
    Replacement,
    Win,
)
from mjcli.play.melding import added_kong, claimed_meld, concealed_kong, relation
from mjcli.play.table import DEALER, SEATS, Table, kind_of
from mjcli.play.wins import Wins, is_first_turn
from mjcli.ruleset import Ruleset
from mjcli.ruleset.program import PlayRules
from mjcli.scoring import Score
from mjcli.tiles import JOKER_KIND, KINDS, PLAIN_KINDS, TILES

__all__ = ["FOUR", "KINDS_OF_ENDS", "MOST_WINNERS", "WINDS", "Ask", "Judge", "Outcome", "Tell", "Won", "play"]

Ask: TypeAlias = Callable[[int, Sequence[Choice]], Choice]
"""Asks the player of a seat for one of some choices."""
Tell: TypeAlias = Callable[[Event], object]

FOUR: Final = 4
"""How many discards of one wind, and how many kongs, end a deal."""
MOST_WINNERS: Final = 3
"""How many winners on one tile may be too many."""
WINDS: Final = frozenset(range(27, 31))
KINDS_OF_ENDS: Final = 9
"""How many kinds of terminals and honours end a deal in the first turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Won:
    """One player's win."""

    seat: int
    score: Score
    feeder: int | None
    """Who discarded the tile, or whose kong was robbed; None of a self-draw."""
    payments: tuple[int, ...]
    """What each seat receives for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a deal ended."""

    wins: tuple[Won, ...]
    """In the order of play from who fed the tile; none in a drawn deal 流局."""
    last_drawer: int
    """Who took the last tile from the wall."""
    left: int
    """How many tiles could still be drawn."""
    turns: tuple[int, ...]
    """How many turns each player had, by draw or by claim; the dealer's dealt hand is one of these."""
    ready_at: tuple[int | None, ...]
    """After how many turns each was first ready; None if never."""
    beside: tuple[tuple[int, ...], ...] = ()
    """What each seat receives beside wins, one by one: deposits, and what is paid in a drawn deal."""
    ready: tuple[int, ...] = ()
    """Who was ready when the wall ended; everybody, where the deal was aborted."""
    aborted: str = ""
    """What ended the deal without a win before the wall did, of ``mjcli.ruleset.model.ABORTS``."""
    deposits: int = 0
    """How many deposits are left on the table."""
    declared: tuple[bool, ...] = ()
    """Who has declared that he is ready; nothing where nobody can."""

    @property
    def payments(self) -> tuple[int, ...]:
        """What each seat receives in all."""
        every = [*(won.payments for won in self.wins), *self.beside]
        return tuple(map(sum, zip(*every, strict=True))) or (0,) * len(self.turns)


class Judge:
    """What the referee knows of a ruleset; one object serves many deals."""

    def __init__(self, ruleset: Ruleset) -> None:
        """
        Args:
            ruleset: it says how wall and play go.

        Raises:
            InputError: it does not (``no-wall``, ``no-play``).
        """
        wall = wall_rules(ruleset)
        if ruleset.play is None:
            told = f"ruleset {ruleset.id} does not say how a deal is played"
            raise InputError("no-play", f"{told} (those of 'mjcli rules list' do, under 'play:')")
        self.ruleset = ruleset
        self.rules: PlayRules = ruleset.play
        self.first_indicator = wall.indicator if ruleset.play.indicators else 0
        self.wins = Wins(ruleset)
        self.chows = _chows_by_kind(ruleset.claimed_chows)


def play(judge: Judge, table: Table, ask: Ask, tell: Tell) -> Outcome:
    """Return how a deal ends whose players answer as ``ask`` says.

    Args:
        judge: of the ruleset.
        table: with the hands dealt, flowers replaced; it is changed.
        ask: is called with one choice at least, and returns one of them.
        tell: is called with each event, after the table has changed.
    """
    return _Referee(judge, table, ask, tell).play()


class _Referee:
    """Plays one deal; its methods are the steps of a turn in their order."""

    def __init__(self, judge: Judge, table: Table, ask: Ask, tell: Tell) -> None:
        self.judge, self.table, self.ask, self.tell = judge, table, ask, tell
        self.rules, self.wins = judge.rules, judge.wins
        self.waits: list[frozenset[int]] = [frozenset()] * table.players
        """What completes the concealed tiles of each, as they were after his last discard."""
        self.passed: list[set[int]] = [set() for _ in range(table.players)]
        """Kinds on which each may not win now, but by his own draw."""
        self.waiting = [True] * table.players
        """Whether each may win on another's tile at all: he has passed no win since his last discard."""
        self.clean = [True] * table.players
        """Whether nobody waits for what he has discarded himself, as far as that matters."""
        self.swapped: frozenset[int] = frozenset()
        """Kinds that the active player may not discard after his claim."""
        self.declaring = False
        """Whether the active player has just declared that he is ready."""
        self.to_turn_over = 0
        """Indicators that are turned over with the next discard, or before the next kong."""
        self.kongs = 0
        """How many have been made."""
        self.beside: list[tuple[int, ...]] = []
        self.aborted = ""
        self.ready: tuple[int, ...] = ()
        self.scores: dict[int, Score] = {}
        """What each player who may win on the present tile has then."""
        self.last_drawer = DEALER
        self.won: list[Won] = []

    def play(self) -> Outcome:
        table = self.table
        if self.judge.first_indicator:
            self.turn_over()
        for seat in range(1, table.players):
            self.settle(seat)
        table.turns[DEALER] = 1
        goes_on = True
        while goes_on:
            goes_on = self.turn() and self.after_discard()
        matters = False
        if self.aborted:
            self.ready = tuple(range(table.players))
        elif not self.won:
            matters = self.at_end_of_wall()
        self.tell(End(tuple(won.seat for won in self.won), table.supply.left, self.ready if matters else None))
        return Outcome(
            wins=tuple(self.won),
            last_drawer=self.last_drawer,
            left=table.supply.left,
            turns=tuple(table.turns),
            ready_at=tuple(table.ready_at),
            beside=tuple(self.beside),
            ready=self.ready,
            aborted=self.aborted,
            deposits=table.deposits,
            declared=() if self.rules.ready is None else tuple(word is not None for word in table.declared),
        )

    def at_end_of_wall(self) -> bool:
        """Pay what is paid in a drawn deal; return whether it matters who was ready."""
        table, rules = self.table, self.rules
        self.ready = tuple(seat for seat in range(table.players) if self.waits[seat])
        for amounts, reason in payments_of_draw(table, rules, self.ready):
            self.beside.append(amounts)
            self.tell(Payment(amounts, "", reason))
        rotation = self.judge.ruleset.rotation
        return bool(rules.ready_hands) or (rotation is not None and rotation.after_draw == "ready")

    def abort(self, reason: str, seats: Sequence[int] = ()) -> bool:
        """End the deal without a win, as certain players say, if it needs that."""
        self.aborted = reason
        self.tell(Abort(reason, tuple(seats)))
        return False

    # one's own turn; what returns a truth says whether the deal goes on

    def turn(self) -> bool:
        """Let the active player play until he discards."""
        seat = self.table.active
        while True:
            act, kind, red, _ = self.ask(seat, self.choices_of_turn())
            if act is Act.DISCARD:
                self.discard(kind, red)
                return True
            if act is Act.WIN:
                self.end([seat], None)
                return False
            if act is Act.READY:
                self.declaring = True
                self.tell(Ready(seat))
                continue
            if act is Act.ABORT:
                return self.abort("nine_ends", [seat])
            if act is Act.ROB_OWN_KONG:
                self.rob_own_kong()
                return False
            if not (self.add_to_pung(kind) if act is Act.ADDED_KONG else self.conceal_kong(kind)):
                return False

    def choices_of_turn(self) -> list[Choice]:
        """Return what the active player may do with his 3n+2 tiles."""
        table, seat = self.table, self.table.active
        counts = table.counts[seat]
        if self.declaring:
            return self.discards(self.ready_discards())
        if table.has_claimed:
            return self.discards(None)
        found = [WIN] if self.may_win_by_draw() else []
        if self.may_abort():
            found.append(ABORT)
        if self.may_declare():
            found.append(READY)
        if self.may_make_kong():
            for meld in table.melds[seat]:
                kind = meld.first.kind
                if meld.type is MeldType.PUNG and counts[kind] and not meld.jokers:
                    if self.may_rob_own_kong(kind):
                        found.append(ROB_OWN_KONG)
                    found.append(ADDED_KONGS[kind])
            if 4 in counts:
                kinds = [kind for kind in range(PLAIN_KINDS) if counts[kind] == 4]
                found += [CONCEALED_KONGS[kind] for kind in kinds if self.may_conceal(kind)]
        if table.declared[seat] is not None:
            assert table.drawn is not None
            return [*found, RED_DISCARDS[table.drawn] if table.drawn_red else DISCARDS[table.drawn]]
        return found + self.discards(None)

    def discards(self, kinds: frozenset[int] | None) -> list[Choice]:
        """Return how the active player may discard, of certain kinds if any are given."""
        table, seat = self.table, self.table.active
        counts = table.counts[seat]
        if not any(table.reds[seat]) and not self.swapped and kinds is None:
            found = [DISCARDS[kind] for kind in range(PLAIN_KINDS) if counts[kind]]
        else:
            found = []
            for kind in range(PLAIN_KINDS):
                if counts[kind] and kind not in self.swapped and (kinds is None or kind in kinds):
                    red = table.reds_of(seat, kind)
                    found += [DISCARDS[kind]] if counts[kind] > red else []
                    found += [RED_DISCARDS[kind]] if red else []
        if table.jokers[seat] and kinds is None:
            found.append(DISCARDS[JOKER_KIND])
        return found

    def may_abort(self) -> bool:
        """Return whether the active player may end the deal for his terminals and honours."""
        table, seat = self.table, self.table.active
        return (
            "nine_ends" in self.rules.aborts
            and is_first_turn(table, seat, had=1)
            and sum(table.counts[seat][kind] > 0 for kind in ORPHANS) >= KINDS_OF_ENDS
        )

    def may_declare(self) -> bool:
        """Return whether the active player may declare that he is ready."""
        table, seat, ready = self.table, self.table.active, self.rules.ready
        if ready is None or table.declared[seat] is not None or table.supply.left < ready.wall:
            return False
        points = table.standing.points
        if ready.points and points is not None and points[seat] < ready.deposit:
            return False
        return not any(meld.exposed for meld in table.melds[seat]) and bool(self.ready_discards())

    def ready_discards(self) -> frozenset[int]:
        """Return the kinds after whose discard the active player is ready."""
        table, seat = self.table, self.table.active
        return self.wins.ready_discards(table.counts[seat], table.sets_needed(seat), table.jokers[seat])

    def may_make_kong(self) -> bool:
        """Return whether there is a replacement for a kong, and not yet too many of them."""
        most = self.rules.most_kongs
        return self.table.supply.left > 0 and not (most and self.kongs >= most)

    def may_conceal(self, kind: int) -> bool:
        """Return whether the active player, who has four of a kind, may make a kong of them."""
        table, seat, ready = self.table, self.table.active, self.rules.ready
        if ready is None or table.declared[seat] is None:
            return True
        if ready.kongs == "none" or kind != table.drawn:
            return False
        counts = table.counts[seat].copy()
        counts[kind] = 0
        return self.wins.waits(counts, table.sets_needed(seat) - 1, table.jokers[seat]) == self.waits[seat]

    def may_win_by_draw(self) -> bool:
        """Return whether the active player may win on the tile that he has drawn."""
        table, seat = self.table, self.table.active
        if table.drawn is None:
            complete = self.wins.is_complete(table.counts[seat], table.sets_needed(seat), table.jokers[seat])
        else:
            complete = table.drawn in self.waits[seat]
        if not complete and not self.wins.wins_at_once(table):
            return False
        found = self.scores[seat] = self.wins.score_of_draw(table)
        return found.can_win

    def may_rob_own_kong(self, kind: int) -> bool:
        """Return whether the active player, who can add a tile to a pung, may win on that tile 自搶."""
        table, seat = self.table, self.table.active
        if not self.rules.rob_own_kong or kind != table.drawn or kind not in self.waits[seat]:
            return False
        return self.wins.score_of_draw(table, rob_own_kong=True).can_win

    def discard(self, kind: int, red: int) -> None:
        table, seat = self.table, self.table.active
        if table.declared[seat] is None:
            self.waiting[seat] = True
        if self.declaring:
            self.declare()
        else:
            table.at_once[seat] = False
        if kind == JOKER_KIND:
            table.jokers[seat] -= 1
        else:
            table.counts[seat][kind] -= 1
        if red:
            table.reds[seat][kind // 9] -= 1
        table.seen[kind] += 1
        table.discards[seat].append(kind)
        table.history.append((seat, kind))
        table.discarded, table.discarded_red = kind, red > 0
        table.drawn = None
        table.has_claimed = False
        self.swapped = frozenset()
        self.settle(seat)
        self.tell(Discard(seat, kind, red > 0))
        self.turn_over_late()

    def declare(self) -> None:
        """Note that the active player, who discards now, is ready."""
        table, seat, ready = self.table, self.table.active, self.rules.ready
        assert ready is not None
        table.declared[seat] = ready.first_turn if is_first_turn(table, seat, had=1) else ready.word
        table.declared_at[seat] = len(table.history)
        table.at_once[seat] = True

    def settle(self, seat: int) -> None:
        """Note what a player waits for with his 3n+1 tiles."""
        table = self.table
        found = self.waits[seat] = self.wins.waits(table.counts[seat], table.sets_needed(seat), table.jokers[seat])
        if self.rules.own_discards:
            self.clean[seat] = found.isdisjoint(table.discards[seat])
        if found and table.ready_at[seat] is None:
            table.ready_at[seat] = table.turns[seat]

    def turn_over(self) -> None:
        """Turn over the next indicator."""
        code = self.table.turn_over(self.judge.first_indicator)
        if code is not None:
            self.tell(Indicator(*kind_of(code)))

    def turn_over_late(self) -> None:
        """Turn over the indicators of kongs that had to wait."""
        for _ in range(self.to_turn_over):
            self.turn_over()
        self.to_turn_over = 0

    # kongs

    def conceal_kong(self, kind: int) -> bool:
        """Let the active player make a concealed kong."""
        table, seat = self.table, self.table.active
        meld = concealed_kong(kind, table.reds_of(seat, kind))
        self.turn_over_late()
        self.tell(Kong(seat, meld))
        if self.rules.rob_concealed_kong and self.is_robbed(kind, self.rules.rob_concealed_kong):
            return False
        table.counts[seat][kind] = 0
        if meld.reds:
            table.reds[seat][kind // 9] -= meld.reds
        table.seen[kind] = table.copies[kind]
        table.melds[seat].append(meld)
        return self.replace_kong(len(table.melds[seat]) - 1)

    def add_to_pung(self, kind: int) -> bool:
        """Let the active player add a tile to a pung."""
        table, seat = self.table, self.table.active
        red = table.reds_of(seat, kind)
        place, meld = added_kong(table.melds[seat], kind, red)
        self.turn_over_late()
        self.tell(Kong(seat, meld))
        if self.is_robbed(kind, red=red > 0):
            return False
        table.counts[seat][kind] -= 1
        if red:
            table.reds[seat][kind // 9] -= red
        table.seen[kind] += 1
        table.melds[seat][place] = meld
        return self.replace_kong(place)

    def rob_own_kong(self) -> None:
        """Let the active player add the drawn tile to a pung and win on it, unless another robs it."""
        table, seat = self.table, self.table.active
        assert table.drawn is not None
        red = table.reds_of(seat, table.drawn)
        self.tell(Kong(seat, added_kong(table.melds[seat], table.drawn, red)[1], rob_own=True))
        if not self.is_robbed(table.drawn, red=red > 0):
            self.end([seat], None, rob_own_kong=True)

    def is_robbed(self, kind: int, forms: Sequence[str] = (), *, red: bool = False) -> bool:
        """Let the others rob a kong 搶槓, only with hands of certain ``forms`` if there are any; end the deal if so."""
        table, seat = self.table, self.table.active
        table.discarded, table.discarded_red, table.is_kong = kind, red, True
        winners: list[int] = []
        for other in self.others():
            if kind not in self.waits[other] or (forms and not self.has_form(other, kind, forms)):
                continue
            if self.may_win(other, kind) and self.ask(other, (WIN, PASS)) == WIN:
                winners.append(other)
                if self.rules.winners == "nearest":
                    break
            elif self.rules.passed_win == "any_tile":
                self.waiting[other] = False
        if self.too_many(winners):
            self.abort("three_winners", winners)
        elif winners:
            table.counts[seat][kind] -= 1
            if red:
                table.reds[seat][kind // 9] -= 1
            self.end(winners, seat)
        table.discarded, table.is_kong = None, False
        return bool(winners)

    def has_form(self, seat: int, kind: int, forms: Sequence[str]) -> bool:
        """Return whether a hand with one tile more is complete in one of certain forms."""
        counts = self.table.counts[seat].copy()
        counts[kind] += 1
        return self.wins.is_form(counts, self.table.sets_needed(seat), forms)

    def replace_kong(self, place: int) -> bool:
        """Give the active player the replacement for the kong at a place among his melds."""
        table, seat = self.table, self.table.active
        table.last_kong[seat] = place
        table.kongs_in_a_row += 1
        table.has_claimed = False
        table.at_once = [False] * table.players
        self.kongs += 1
        self.settle(seat)
        if self.judge.first_indicator:
            self.indicate_kong(concealed=not table.melds[seat][place].exposed)
        return self.take(seat, replacement=True)

    def indicate_kong(self, *, concealed: bool) -> None:
        """Turn over an indicator for a kong, at once or later."""
        how = self.rules.indicators and self.rules.indicators.kongs
        if how == "at_once" or (how == "after_discard" and concealed):
            self.turn_over()
        elif how == "after_discard":
            self.to_turn_over += 1

    # drawing

    def take(self, seat: int, *, replacement: bool = False) -> bool:
        """Give a player a tile; bonus tiles are replaced, and where none is left for that the deal is over."""
        table, supply = self.table, self.table.supply
        self.last_drawer = seat
        table.by_flower = False
        kind = supply.replacement() if replacement else supply.draw()
        while JOKER_KIND < kind < KINDS:
            table.bonus[seat].append(kind)
            self.tell(Replacement(seat, kind) if replacement else Draw(seat, kind))
            self.tell(Flower(seat, kind))
            if not supply.left:
                return False
            table.by_flower = replacement = True
            kind = supply.replacement()
        kind, red = kind_of(kind)
        if red:
            table.reds[seat][kind // 9] += 1
        if kind == JOKER_KIND:
            table.jokers[seat] += 1
        else:
            table.counts[seat][kind] += 1
        table.drawn, table.drawn_red = kind, red
        self.tell(Replacement(seat, kind, red) if replacement else Draw(seat, kind, red))
        return True

    # another's turn

    def others(self) -> Iterator[int]:
        """Yield the players after the active one, in the order of play."""
        for step in range(1, self.table.players):
            yield (self.table.active + step) % self.table.players

    def may_win(self, seat: int, kind: int) -> bool:
        """Return whether a player may win on another's tile."""
        if kind not in self.waits[seat] or kind in self.passed[seat]:
            return False
        if not (self.waiting[seat] and self.clean[seat]):
            return False
        found = self.scores[seat] = self.wins.score_of_claim(self.table, seat)
        return found.can_win

    def after_discard(self) -> bool:
        """Let the others claim the discard, and whose turn it is then begin it."""
        table, feeder, kind = self.table, self.table.active, self.table.discarded
        assert kind is not None
        winners: list[int] = []
        claim: tuple[int, Choice] | None = None
        for other in self.others():
            choices = self.claims(other, kind)
            if not choices:
                self.pass_by(other, kind)
                continue
            choice = self.ask(other, (*choices, PASS))
            if choice == WIN:
                winners.append(other)
                if self.rules.winners == "nearest":
                    break
                continue
            if choices[0] == WIN and self.rules.passed_win not in ("none", "any_tile"):
                self.passed[other].add(kind)
            self.pass_by(other, kind)
            # the nearest of those who have a pung, of which there are several by jokers alone, then who has a chow
            if choice != PASS and (claim is None or (claim[1].act is Act.CHOW and choice.act is not Act.CHOW)):
                claim = other, choice
        if self.too_many(winners):
            return self.abort("three_winners", winners)
        if winners:
            self.end(winners, feeder)
            return False
        table.discarded = None
        if self.declaring:
            self.deposit(feeder)
        if self.rules.aborts and self.aborts_after_discard():
            return False
        if claim is None and not table.supply.left:
            return False
        seat = (feeder + 1) % table.players if claim is None else claim[0]
        if self.rules.passed_win == "go_round" and seat <= feeder:
            for passed in self.passed:
                passed.clear()
        elif self.rules.passed_win == "until_action":
            self.passed[seat].clear()
        table.active = seat
        table.kongs_in_a_row = 0
        table.turns[seat] += 1
        return self.take(seat) if claim is None else self.claim(claim[1], feeder, kind)

    def too_many(self, winners: Sequence[int]) -> bool:
        """Return whether so many win on one tile that the deal ends without a win."""
        return len(winners) == MOST_WINNERS and "three_winners" in self.rules.aborts

    def pass_by(self, seat: int, kind: int) -> None:
        """Note that a tile has passed a player, who did not win on it."""
        if self.rules.passed_win == "any_tile" and kind in self.waits[seat]:
            self.waiting[seat] = False

    def deposit(self, seat: int) -> None:
        """Let a player who has declared that he is ready lay down his deposit, nobody having won on his discard."""
        table, ready = self.table, self.rules.ready
        assert ready is not None
        self.declaring = False
        table.deposits += 1
        self.receive(seat, -ready.deposit)

    def receive(self, seat: int, amount: int) -> None:
        """Note what a player receives from the table, or lays on it."""
        if amount:
            self.beside.append(tuple(amount * (each == seat) for each in range(self.table.players)))
            self.tell(Deposit(seat, amount))

    def aborts_after_discard(self) -> bool:
        """End the deal where what has happened up to a discard, on which nobody has won, does so."""
        table, aborts = self.table, self.rules.aborts
        first = {kind for _, kind in table.history[: table.players]}
        if (
            "four_winds" in aborts
            and len(table.history) == FOUR == table.players
            and len(first) == 1
            and first <= WINDS
            and not any(table.melds)
        ):
            self.abort("four_winds")
        elif "four_kongs" in aborts and self.kongs == FOUR and not self.is_one_with_kongs():
            self.abort("four_kongs")
        elif "all_ready" in aborts and None not in table.declared:
            self.abort("all_ready")
        return bool(self.aborted)

    def is_one_with_kongs(self) -> bool:
        """Return whether all kongs are one player's."""
        makers = [melds for melds in self.table.melds if any(meld.type is MeldType.KONG for meld in melds)]
        return len(makers) == 1

    def claims(self, seat: int, kind: int) -> list[Choice]:
        """Return how a player may claim the discard."""
        table = self.table
        counts = table.counts[seat]
        found = [WIN] if kind in self.waits[seat] and self.may_win(seat, kind) else []
        if not table.supply.left or kind == JOKER_KIND or table.declared[seat] is not None:
            return found
        if counts[kind] >= 2:
            if counts[kind] == 3 and self.may_make_kong():
                found.append(KONGS[kind])
            found += self.with_reds(seat, PUNGS[kind], (kind, kind), kind)
        if seat == (table.active + 1) % table.players:
            for first, one, other in self.judge.chows[kind]:
                if counts[one] and counts[other]:
                    found += self.with_reds(seat, CHOWS[first], (one, other), kind)
        if self.rules.joker_claims and table.jokers[seat]:
            found += self.with_jokers(seat, kind)
        return found

    def with_jokers(self, seat: int, kind: int) -> Iterator[Choice]:
        """Yield the ways to claim a tile with jokers."""
        table = self.table
        counts, jokers = table.counts[seat], table.jokers[seat]
        sets = [(PUNGS[kind], (kind, kind))]
        if seat == (table.active + 1) % table.players:
            sets += [(CHOWS[first], (one, other)) for first, one, other in self.judge.chows[kind]]
        for choice, own in sets:
            for stand_ins in dict.fromkeys((own[:1], own[1:], own)):
                needed = Counter(own) - Counter(stand_ins)
                if len(stand_ins) <= jokers and all(counts[each] >= count for each, count in needed.items()):
                    yield choice._replace(jokers=stand_ins)

    def with_reds(self, seat: int, choice: Choice, own: tuple[int, int], kind: int) -> list[Choice]:
        """Return the ways to claim a tile with two of one's own, plain fives or red ones.

        There is none that would leave only tiles which may not be discarded then.
        """
        table = self.table
        counts, reds = table.counts[seat], table.reds[seat]
        if self.rules.swap_calling != "free":
            left = counts.copy()
            for each in own:
                left[each] -= 1
            barred = self.barred(choice, kind)
            if not table.jokers[seat] and not any(count for each, count in enumerate(left) if each not in barred):
                return []
        five = next((each for each in own if each in FIVES), None)
        if five is None or not reds[five // 9]:
            return [choice]
        needed, red = own.count(five), reds[five // 9]
        least = max(needed - (counts[five] - red), 0)
        return [choice._replace(red=number) for number in range(least, min(needed, red) + 1)]

    def barred(self, choice: Choice, kind: int) -> frozenset[int]:
        """Return the kinds that may not be discarded after a tile is claimed 食換."""
        how = self.rules.swap_calling
        if how == "free" or choice.act is Act.KONG:
            return frozenset()
        found = {kind}
        if how == "same_chow" and choice.act is Act.CHOW:
            first = choice.kind
            if kind == first and kind % 9 < 6:
                found.add(first + 3)
            elif kind == first + 2 and first % 9 > 0:
                found.add(first - 1)
        return frozenset(found)

    def claim(self, choice: Choice, feeder: int, kind: int) -> bool:
        """Let the active player, who has now the turn, take the discard for a meld."""
        table, seat = self.table, self.table.active
        own = table.reds_of(seat, kind) if choice.act is Act.KONG else choice.red
        meld = claimed_meld(choice, kind, relation(seat, feeder, table.players), own + table.discarded_red)
        counts = table.counts[seat]
        for each in meld.kinds:
            table.seen[each] += 1
            if each == JOKER_KIND:
                table.jokers[seat] -= 1
            else:
                counts[each] -= 1
        counts[kind] += 1
        table.seen[kind] -= 1
        if own:
            table.reds[seat][kind // 9] -= own
        table.melds[seat].append(meld)
        if table.sets_needed(seat) == 0 and all(each.exposed for each in table.melds[seat]):
            table.last_fed.append((feeder, seat))
        table.drawn = None
        table.has_claimed = True
        table.unclaimed[feeder] = False
        table.at_once = [False] * table.players
        self.swapped = self.barred(choice, kind)
        self.tell(Claim(seat, meld))
        return self.replace_kong(len(table.melds[seat]) - 1) if choice.act is Act.KONG else True

    # the end

    def end(self, winners: Sequence[int], feeder: int | None, *, rob_own_kong: bool = False) -> None:
        """Pay the winners, whose scores are noted, and note their wins."""
        table = self.table
        for seat in winners:
            found = self.scores[seat]
            if feeder is None:
                if self.wins.end_matters or rob_own_kong:
                    found = self.wins.score_of_draw(table, rob_own_kong=rob_own_kong, at_end=True)
            elif self.wins.end_matters or len(winners) > 1:
                is_first = seat == winners[0]
                found = self.wins.score_of_claim(table, seat, winners=len(winners), at_end=True, is_first=is_first)
            amounts = tuple(found.payments[wind.value] for wind in SEATS[: table.players])
            self.won.append(Won(seat=seat, score=found, feeder=feeder, payments=amounts))
            self.tell(Win(seat, found, feeder))
            self.tell(Payment(amounts, found.liable))
        if table.deposits and self.rules.ready is not None:
            taken, table.deposits = table.deposits, 0
            self.receive(winners[0], taken * self.rules.ready.deposit)


def _chows_by_kind(suits: str) -> tuple[tuple[tuple[int, int, int], ...], ...]:
    """Return, of each kind, the lowest kind of each chow that it can be claimed for, with the two kinds needed."""
    found: list[list[tuple[int, int, int]]] = [[] for _ in range(PLAIN_KINDS)]
    for first in TILES[:PLAIN_KINDS]:
        if first.suit.value in suits and first.rank <= 7:
            one, two, three = range(first.kind, first.kind + 3)
            found[one].append((one, two, three))
            found[two].append((one, one, three))
            found[three].append((one, one, two))
    return tuple(map(tuple, found))
