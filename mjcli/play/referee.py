"""The referee: plays one deal by a ruleset, from the first discard to its end.

He asks players what they do, lets them choose among what is allowed only, moves the tiles, and tells what happens.
On a discard wins go before pungs and kongs, and those before chows. With an empty wall there are no claims but wins,
and no kongs; a kong is made in one's own turn after a draw, not after a claim.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from mjcli.dealing import wall_rules
from mjcli.errors import InputError
from mjcli.melds import MeldType
from mjcli.play.choices import (
    ADDED_KONGS,
    CHOWS,
    CONCEALED_KONGS,
    DISCARDS,
    KONGS,
    PASS,
    PUNGS,
    ROB_OWN_KONG,
    WIN,
    Act,
    Choice,
)
from mjcli.play.events import Claim, Discard, Draw, End, Event, Flower, Kong, Payment, Replacement, Win
from mjcli.play.melding import added_kong, claimed_meld, concealed_kong, relation
from mjcli.play.table import DEALER, SEATS, Table
from mjcli.play.wins import Wins
from mjcli.ruleset import Ruleset
from mjcli.ruleset.program import PlayRules
from mjcli.scoring import Score
from mjcli.tiles import JOKER_KIND, PLAIN_KINDS, TILES

__all__ = ["Ask", "Judge", "Outcome", "Tell", "Won", "play"]

Ask: TypeAlias = Callable[[int, Sequence[Choice]], Choice]
"""Asks the player of a seat for one of some choices."""
Tell: TypeAlias = Callable[[Event], object]

PLAYERS: Final = 4


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

    @property
    def payments(self) -> tuple[int, ...]:
        """What each seat receives in all."""
        return tuple(map(sum, zip(*(won.payments for won in self.wins), strict=True))) or (0,) * len(self.turns)


class Judge:
    """What the referee knows of a ruleset; one object serves many deals."""

    def __init__(self, ruleset: Ruleset) -> None:
        """
        Args:
            ruleset: for four players, without jokers and red fives; it says how wall and play go.

        Raises:
            InputError: it is none such (``no-wall``, ``no-play``).
        """
        wall = wall_rules(ruleset)
        if ruleset.play is None:
            raise InputError("no-play", f"ruleset {ruleset.id} does not say how a deal is played")
        if wall.players != PLAYERS or wall.tiles.copies[JOKER_KIND] or any(wall.tiles.reds):
            raise InputError(
                "no-play", f"ruleset {ruleset.id} cannot be played yet: only four players without jokers and red fives"
            )
        self.ruleset = ruleset
        self.rules: PlayRules = ruleset.play
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
        self.scores: dict[int, Score] = {}
        """What each player who may win on the present tile has then."""
        self.last_drawer = DEALER
        self.won: list[Won] = []

    def play(self) -> Outcome:
        table = self.table
        for seat in range(1, table.players):
            self.settle(seat)
        table.turns[DEALER] = 1
        goes_on = True
        while goes_on:
            goes_on = self.turn() and self.after_discard()
        self.tell(End(tuple(won.seat for won in self.won), table.supply.left))
        return Outcome(
            wins=tuple(self.won),
            last_drawer=self.last_drawer,
            left=table.supply.left,
            turns=tuple(table.turns),
            ready_at=tuple(table.ready_at),
        )

    # one's own turn; what returns a truth says whether the deal goes on

    def turn(self) -> bool:
        """Let the active player play until he discards."""
        seat = self.table.active
        while True:
            act, kind = self.ask(seat, self.choices_of_turn())
            if act is Act.DISCARD:
                self.discard(kind)
                return True
            if act is Act.WIN:
                self.end([seat], None)
                return False
            if act is Act.ROB_OWN_KONG:
                self.rob_own_kong()
                return False
            if not (self.add_to_pung(kind) if act is Act.ADDED_KONG else self.conceal_kong(kind)):
                return False

    def choices_of_turn(self) -> list[Choice]:
        """Return what the active player may do with his 3n+2 tiles."""
        table, seat = self.table, self.table.active
        counts = table.counts[seat]
        discards = [DISCARDS[kind] for kind in range(PLAIN_KINDS) if counts[kind]]
        if table.has_claimed:
            return discards
        found = [WIN] if self.may_win_by_draw() else []
        if table.supply.left:
            for meld in table.melds[seat]:
                kind = meld.first.kind
                if meld.type is MeldType.PUNG and counts[kind]:
                    if self.may_rob_own_kong(kind):
                        found.append(ROB_OWN_KONG)
                    found.append(ADDED_KONGS[kind])
            if 4 in counts:
                found += [CONCEALED_KONGS[kind] for kind in range(PLAIN_KINDS) if counts[kind] == 4]
        return found + discards

    def may_win_by_draw(self) -> bool:
        """Return whether the active player may win on the tile that he has drawn."""
        table, seat = self.table, self.table.active
        if table.drawn is None:
            complete = self.wins.is_complete(table.counts[seat], table.sets_needed(seat))
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

    def discard(self, kind: int) -> None:
        table, seat = self.table, self.table.active
        table.counts[seat][kind] -= 1
        table.seen[kind] += 1
        table.discards[seat].append(kind)
        table.history.append((seat, kind))
        table.discarded = kind
        table.drawn = None
        table.has_claimed = False
        self.settle(seat)
        self.tell(Discard(seat, kind))

    def settle(self, seat: int) -> None:
        """Note what a player waits for with his 3n+1 tiles."""
        table = self.table
        found = self.waits[seat] = self.wins.waits(table.counts[seat], table.sets_needed(seat))
        if found and table.ready_at[seat] is None:
            table.ready_at[seat] = table.turns[seat]

    # kongs

    def conceal_kong(self, kind: int) -> bool:
        """Let the active player make a concealed kong."""
        table, seat = self.table, self.table.active
        meld = concealed_kong(kind)
        self.tell(Kong(seat, meld))
        if self.rules.rob_concealed_kong and self.is_robbed(kind, self.rules.rob_concealed_kong):
            return False
        table.counts[seat][kind] = 0
        table.seen[kind] = table.copies[kind]
        table.melds[seat].append(meld)
        return self.replace_kong(len(table.melds[seat]) - 1)

    def add_to_pung(self, kind: int) -> bool:
        """Let the active player add a tile to a pung."""
        table, seat = self.table, self.table.active
        place, meld = added_kong(table.melds[seat], kind)
        self.tell(Kong(seat, meld))
        if self.is_robbed(kind):
            return False
        table.counts[seat][kind] -= 1
        table.seen[kind] += 1
        table.melds[seat][place] = meld
        return self.replace_kong(place)

    def rob_own_kong(self) -> None:
        """Let the active player add the drawn tile to a pung and win on it, unless another robs it."""
        table, seat = self.table, self.table.active
        assert table.drawn is not None
        self.tell(Kong(seat, added_kong(table.melds[seat], table.drawn)[1], rob_own=True))
        if not self.is_robbed(table.drawn):
            self.scores[seat] = self.wins.score_of_draw(table, rob_own_kong=True)
            self.end([seat], None)

    def is_robbed(self, kind: int, forms: Sequence[str] = ()) -> bool:
        """Let the others rob a kong 搶槓, only with hands of certain ``forms`` if there are any; end the deal if so."""
        table, seat = self.table, self.table.active
        table.discarded, table.is_kong = kind, True
        winners: list[int] = []
        for other in self.others():
            may_rob = self.may_win(other, kind) and (not forms or self.has_form(other, kind, forms))
            if may_rob and self.ask(other, (WIN, PASS)) == WIN:
                winners.append(other)
                if self.rules.winners == "nearest":
                    break
        if winners:
            table.counts[seat][kind] -= 1
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
        self.settle(seat)
        return self.take(seat, replacement=True)

    # drawing

    def take(self, seat: int, *, replacement: bool = False) -> bool:
        """Give a player a tile; bonus tiles are replaced, and where none is left for that the deal is over."""
        table, supply = self.table, self.table.supply
        self.last_drawer = seat
        table.by_flower = False
        kind = supply.replacement() if replacement else supply.draw()
        while kind > JOKER_KIND:
            table.bonus[seat].append(kind)
            self.tell(Replacement(seat, kind) if replacement else Draw(seat, kind))
            self.tell(Flower(seat, kind))
            if not supply.left:
                return False
            table.by_flower = replacement = True
            kind = supply.replacement()
        table.counts[seat][kind] += 1
        table.drawn = kind
        self.tell(Replacement(seat, kind) if replacement else Draw(seat, kind))
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
                continue
            choice = self.ask(other, (*choices, PASS))
            if choice == WIN:
                winners.append(other)
                if self.rules.winners == "nearest":
                    break
                continue
            if choices[0] == WIN and self.rules.passed_win != "none":
                self.passed[other].add(kind)
            # of one tile only one player can have a pung; a chow, which is the next player's, stands behind it
            if choice != PASS and (claim is None or choice.act is not Act.CHOW):
                claim = other, choice
        if winners:
            self.end(winners, feeder)
            return False
        table.discarded = None
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

    def claims(self, seat: int, kind: int) -> list[Choice]:
        """Return how a player may claim the discard."""
        table = self.table
        counts = table.counts[seat]
        found = [WIN] if kind in self.waits[seat] and self.may_win(seat, kind) else []
        if not table.supply.left:
            return found
        if counts[kind] >= 2:
            if counts[kind] == 3:
                found.append(KONGS[kind])
            found.append(PUNGS[kind])
        if seat == (table.active + 1) % table.players:
            found += [CHOWS[first] for first, one, other in self.judge.chows[kind] if counts[one] and counts[other]]
        return found

    def claim(self, choice: Choice, feeder: int, kind: int) -> bool:
        """Let the active player, who has now the turn, take the discard for a meld."""
        table, seat = self.table, self.table.active
        meld = claimed_meld(choice, kind, relation(seat, feeder, table.players))
        counts = table.counts[seat]
        for each in meld.kinds:
            counts[each] -= 1
            table.seen[each] += 1
        counts[kind] += 1
        table.seen[kind] -= 1
        table.melds[seat].append(meld)
        table.drawn = None
        table.has_claimed = True
        self.tell(Claim(seat, meld))
        return self.replace_kong(len(table.melds[seat]) - 1) if choice.act is Act.KONG else True

    # the end

    def end(self, winners: Sequence[int], feeder: int | None) -> None:
        """Pay the winners, whose scores are noted, and note their wins."""
        table = self.table
        for seat in winners:
            found = self.scores[seat]
            if len(winners) > 1:
                found = self.wins.score_of_claim(table, seat, winners=len(winners))
            amounts = tuple(found.payments[wind.value] for wind in SEATS)
            self.won.append(Won(seat=seat, score=found, feeder=feeder, payments=amounts))
            self.tell(Win(seat, found, feeder))
            self.tell(Payment(amounts, found.liable))


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
