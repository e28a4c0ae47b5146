"""The referee of many tables: plays all deals in lockstep, each as ``mjcli.play.referee`` plays it.

What is a step there is one here for all tables that have come to it. A hand that may win waits until there are many to
be scored at once, or nothing else is left to do; meanwhile the other tables go on. Few deals come to something so rare
that it is not worth arrays; these are left aside, to be played one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjcli.batch.deals import FIRST_BONUS, numbered_deals
from mjcli.batch.hands import ADDED, EXPOSED, REDS, Hands
from mjcli.batch.scores import Scorer, Scores
from mjcli.dealing import wall_rules
from mjcli.lockstep.aborts import NOT_ABORTED, aborts_after_discard, has_nine_ends, number_of
from mjcli.lockstep.choices import ChowTable, Claims, Options, Turns, claims_of, kongs_of
from mjcli.lockstep.ends import Ends, Wins, ends_of, wins_of
from mjcli.lockstep.events import Happening, Notes
from mjcli.lockstep.hall import DEALER, KONG, NEVER, NO_KIND, PUNG, Hall, Index, Standings, holds
from mjcli.lockstep.outlooks import STANDARD, Outlooks
from mjcli.lockstep.players import ARRAY_PLAYERS
from mjcli.lockstep.ready import bound, declare, may_conceal, may_declare
from mjcli.lockstep.wins import hands_of_claims, hands_of_draws
from mjcli.lockstep.words import Words
from mjcli.melds import Seat
from mjcli.play.referee import MOST_WINNERS
from mjcli.ruleset import Ruleset
from mjcli.suits import MOST_SETS
from mjcli.tiles import JOKER_KIND

__all__ = ["Lockstep", "can_play"]

MANY: Final = 1024
"""Tables with hands to be scored that are enough for arrays to be fast."""

_NO_ROWS: Final = np.empty(0, np.intp)


def can_play(ruleset: Ruleset, players: Iterable[str]) -> bool:
    """Return whether arrays play deals of a ruleset by players of these names.

    They do where the standard form counts, and jokers are not played beside red fives, declared readiness or tiles
    that may not be discarded after a claim.
    """
    rules, wall = ruleset.play, ruleset.wall
    if rules is None or wall is None or not all(name in ARRAY_PLAYERS for name in players):
        return False
    bare = rules.ready is None and rules.swap_calling == "free" and not any(wall.tiles.reds)
    return STANDARD in ruleset.forms and (bare or not wall.tiles.copies[JOKER_KIND])


class Lockstep:
    """Plays deals under one ruleset with players who have array forms; one object serves many runs."""

    def __init__(self, ruleset: Ruleset, players: Sequence[str]) -> None:
        """
        Args:
            ruleset: one that ``can_play`` names.
            players: the names of different ones.
        """
        assert ruleset.play is not None
        self.ruleset, self.rules = ruleset, ruleset.play
        self.wall = wall_rules(ruleset)
        self.players = [ARRAY_PLAYERS[name](ruleset) for name in players]
        self.may_claim = not all(player.keeps_concealed for player in self.players)
        """Whether any of the players ever claims."""
        self.scorer = Scorer(ruleset)
        self.words = Words(ruleset)
        self.first_indicator = self.wall.indicator if self.rules.indicators else 0
        self.outlooks = Outlooks(ruleset.forms, ruleset.tiles)
        self.chows = ChowTable(ruleset.claimed_chows)
        self.by_last_kong = [
            f"@liable{index}" for index, rule in enumerate(ruleset.liability) if rule.feeder == "last_kong"
        ]

    @property
    def at_once(self) -> int:
        """How many deals are best played at once."""
        return min(player.at_once for player in self.players)

    def play(
        self,
        seed: int,
        numbers: Index,
        seated: Index,
        *,
        round_winds: Sequence[Seat | None],
        standings: Standings | None = None,
        notes: Notes | None = None,
    ) -> Ends:
        """Return how deals end.

        Args:
            seed: of the run.
            numbers: intp[deals].
            seated: intp[deals, seats]: the place among the players of who sits at each seat.
            round_winds: of each deal; None in games without rounds.
            standings: where the games stand; None of single deals.
            notes: takes down what happens, if that is wanted.
        """
        dealt = list(numbered_deals(self.wall, seed, numbers.astype(np.uint64)))
        winds = np.array([0 if wind is None else 1 + wind.number for wind in round_winds], np.uint8)
        hall = Hall(self.ruleset.tiles, seed, dealt, winds, standings)
        return _Referee(self, hall, seated.ravel(), notes).play()


class _Referee:
    """Plays the deals of one hall; its methods are the steps of a turn in their order."""

    def __init__(self, lockstep: Lockstep, hall: Hall, seated: NDArray[np.intp], notes: Notes | None) -> None:
        self.lockstep, self.hall, self.seated, self.notes = lockstep, hall, seated, notes
        self.rules = lockstep.rules
        self.aside = np.zeros(hall.size, np.bool_)
        self.aborted = np.full(hall.size, NOT_ABORTED, np.int8)
        self.to_turn_over = np.zeros(hall.size, np.uint8)
        """uint8[rows]: indicators that are turned over with the next discard, or before the next kong."""
        self.wins: list[Wins] = []
        self.drawn: list[Index] = []
        """Tables where the active player may win by what he has drawn."""
        self.thrown: list[Index] = []
        """Tables where others may win on the discard."""
        self.added: list[Index] = []
        """Tables where others may rob the kong."""
        self.waiting = 0
        """How many tables there are of these three kinds."""

    def play(self) -> Ends:
        hall = self.hall
        if self.lockstep.first_indicator:
            self.turn_over(np.arange(hall.size))
        every = np.arange(hall.players * hall.size)
        self.settle(every[every % hall.players != DEALER])
        acting, claiming = self.first_turn(), _NO_ROWS
        while True:
            replaced, thrown = self.turn(acting)
            claimed, drawn = self.after_discard(np.concatenate((claiming, thrown)))
            acting = np.concatenate((claimed, self.not_won_by_draw(np.concatenate((replaced, drawn)))))
            claiming = _NO_ROWS
            if self.waiting >= MANY or (self.waiting and not len(acting)):
                lost, claiming, replaced = self.score()
                acting = np.concatenate((acting, lost, self.not_won_by_draw(replaced)))
            if not len(acting) and not len(claiming) and not self.waiting:
                return ends_of(hall, self.rules, self.aside, self.aborted, self.wins)

    def abort(self, rows: Index, reasons: NDArray[np.int8], seats: NDArray[Any] | None = None) -> None:
        """End deals without a win, as certain players say, if it needs that; arguments are as of ``Notes.note``."""
        self.aborted[rows] = reasons
        self.note(Happening.ABORT, self.hall.places(rows), reasons.astype(np.intp), seats)

    # one's own turn; rows are given and returned of tables where the deal goes on

    def first_turn(self) -> Index:
        """Return where the dealer acts with his dealt hand; where it wins at once, the deal is left aside."""
        hall = self.hall
        rows = np.arange(hall.size)
        places = hall.places(rows)
        counts, keys, sets, _ = hall.concealed(places)
        complete = self.lockstep.outlooks.missing(counts, keys, sets) == hall.jokers[places]
        self.aside[complete] = True
        asks = ~complete & self.may_win_at_once(rows)
        self.wait_for(self.drawn, rows[asks])
        acting: Index = rows[~complete & ~asks]
        return acting

    def may_win_at_once(self, rows: Index) -> NDArray[np.bool_]:
        """Return whether the active players have bonus tiles or jokers that have just come, by which one may win."""
        hall, places = self.hall, self.hall.places(rows)
        if not self.lockstep.scorer.knows_wins_at_once:
            return np.zeros(len(rows), np.bool_)
        dealt = hall.turns[places] == 1
        found: NDArray[np.bool_] = (hall.bonus[places] > 0) & (hall.by_flower[rows] | dealt)
        found |= (hall.jokers[places] > 0) & ((hall.drawn[rows] == JOKER_KIND) | dealt)
        return found

    def not_won_by_draw(self, rows: Index) -> Index:
        """Return the tables where the active player cannot win by what he has drawn; the others wait."""
        hall, places = self.hall, self.hall.places(rows)
        asks = holds(hall.waits[places], hall.drawn[rows]) | self.may_win_at_once(rows)
        self.wait_for(self.drawn, rows[asks])
        return rows[~asks]

    def wait_for(self, waiting: list[Index], rows: Index) -> None:
        """Let tables wait for scores."""
        if len(rows):
            waiting.append(rows)
            self.waiting += len(rows)

    def turn(self, rows: Index) -> tuple[Index, Index]:
        """Let the active players act; return where one draws for a kong, and where a discard can be claimed.

        Where others may win on the discard, or rob the kong, the tables wait.
        """
        if not len(rows):
            return rows, rows
        hall = self.hall
        rows = np.sort(rows)
        places = hall.places(rows)
        turns = self.ask_turns(places, self.options(places))
        some = np.flatnonzero(turns.abort)
        if len(some):
            self.abort(rows[some], np.full(len(some), number_of("nine_ends"), np.int8), np.ones(len(some), np.uint8))
        thrown = np.flatnonzero(~turns.kong & ~turns.abort)
        replaced = _NO_ROWS
        if turns.kong.any():
            some = np.flatnonzero(turns.kong)
            replaced = self.kong(rows[some], turns.kind[some], turns.added[some])
        return replaced, self.discard(rows[thrown], turns.take(thrown))

    def options(self, places: Index) -> Options:
        """Return what the active players may do."""
        hall, rules, outlooks = self.hall, self.rules, self.lockstep.outlooks
        rows = places // hall.players
        drew = ~hall.has_claimed[rows]
        may = drew & (hall.left[rows] > 0)
        if rules.most_kongs:
            may &= hall.kongs[rows] < rules.most_kongs
        kongs = kongs_of(hall, places[may])
        barred, (abort, ready) = hall.swapped[rows], np.zeros((2, len(places)), np.bool_)
        if "nine_ends" in rules.aborts:
            abort = has_nine_ends(hall, places)
        if rules.ready is not None:
            kongs = kongs.take(may_conceal(hall, kongs, rules.ready, outlooks))
            barred = bound(hall, places)
            ready[drew] = may_declare(hall, places[drew], rules.ready, outlooks)
        return Options(kongs, barred, abort, ready)

    def ask_turns(self, places: Index, options: Options) -> Turns:
        """Return what the players do in their turns."""
        players = self.lockstep.players
        if len(players) == 1:
            return players[0].turns(self.hall, places, options)
        own, of_kongs = self.seated[places], self.seated[options.kongs.place]
        found = Turns.of(len(places))
        for number, player in enumerate(players):
            some = np.flatnonzero(own == number)
            if len(some):
                own_options = options.take(some, of_kongs == number)
                found.put(some, player.turns(self.hall, places[some], own_options))
        return found

    def discard(self, rows: Index, turns: Turns) -> Index:
        """Let the active players discard; return where others cannot win on it, but may claim it."""
        hall, kinds = self.hall, turns.kind
        places = hall.places(rows)
        hall.waiting[places[hall.declared[places] == 0]] = True
        hall.at_once[places] = False
        if self.rules.ready is not None:
            ready = places[turns.ready]
            declare(hall, ready)
            self.note(Happening.READY, ready, ready)
            hall.note_declared(rows, kinds)
        hall.discard(rows, kinds, turns.red)
        self.settle_as(places, turns.missing, turns.waits)
        self.note(Happening.DISCARD, places, kinds, turns.red)
        self.turn_over_late(rows)
        asks = self.others_wait(rows)
        self.wait_for(self.thrown, rows[asks])
        return rows[~asks]

    def others_wait(self, rows: Index) -> NDArray[np.bool_]:
        """Return whether others may win on the tile that the active player discards, or makes a kong of."""
        found = np.zeros(len(rows), np.bool_)
        for step in range(1, self.hall.players):
            found |= self.waits_for(self.other(rows, step))
        return found

    def waits_for(self, places: Index) -> NDArray[np.bool_]:
        """Return whether players wait for the tile of the active one, and may win on it."""
        hall = self.hall
        found = holds(hall.waits[places], hall.discarded[places // hall.players])
        found &= hall.waiting[places] & hall.clean[places]
        return found

    def pass_by(self, rows: Index) -> None:
        """Note that a tile has passed others, who did not win on it."""
        hall = self.hall
        for step in range(1, hall.players) if self.rules.passed_win == "any_tile" else ():
            places = self.other(rows, step)
            hall.waiting[places[holds(hall.waits[places], hall.discarded[rows])]] = False

    def other(self, rows: Index, step: int) -> Index:
        """Return the places of the players so many seats after the active ones."""
        players = self.hall.players
        found: Index = players * rows + (self.hall.active[rows] + step) % players
        return found

    def settle(self, places: Index) -> None:
        """Note what players with 3n+1 tiles wait for."""
        hall = self.hall
        self.settle_as(places, *self.lockstep.outlooks.settled(*hall.concealed(places)))

    def settle_as(self, places: Index, missing: NDArray[np.uint8], waits: NDArray[np.uint64]) -> None:
        """Note what is known of players with 3n+1 tiles."""
        hall = self.hall
        hall.missing[places], hall.waits[places] = missing, waits
        if self.rules.own_discards:
            hall.clean[places] = (waits & hall.rivers[places]) == 0
        first = places[(waits != 0) & (hall.ready_at[places] == NEVER)]
        hall.ready_at[first] = hall.turns[first]

    # kongs

    def kong(self, rows: Index, kinds: Index, added: NDArray[np.bool_]) -> Index:
        """Let the active players make kongs; return where nobody may rob it, and the replacement is drawn."""
        hall = self.hall
        places = hall.places(rows)
        at = (hall.melds[places] == (PUNG + kinds)[:, None]).argmax(axis=1)
        reds = hall.reds_of(places, kinds)
        marks = np.where(added, hall.marks[places, at] | (1 << ADDED.shift), 0) + (reds.astype(np.intp) << REDS.shift)
        self.turn_over_late(rows)
        self.note(Happening.KONG, places, KONG + kinds, marks)
        hall.discarded[rows], hall.discarded_red[rows] = kinds, added & (reds > 0)
        asks = self.others_wait(rows)
        asks[~added] &= self.may_rob_concealed(rows[~added])
        self.aside[rows[asks & ~added]] = True
        self.wait_for(self.added, rows[asks & added])
        self.pass_by(rows[~asks & added])
        return self.complete_kong(rows[~asks], added[~asks])

    def may_rob_concealed(self, rows: Index) -> NDArray[np.bool_]:
        """Return whether others may rob concealed kongs, which is rare."""
        hall, forms = self.hall, self.rules.rob_concealed_kong
        found = np.zeros(len(rows), np.bool_)
        for step in range(1, hall.players) if forms else ():
            places = self.other(rows, step)
            hands = hall.concealed(places)[:3]
            found |= self.lockstep.outlooks.is_completed(*hands, hall.discarded[rows], forms)
        return found

    def complete_kong(self, rows: Index, added: NDArray[np.bool_]) -> Index:
        """Let the kongs be melds that the active players have declared; return where drawing ends no deal."""
        hall, places = self.hall, self.hall.places(rows)
        kinds = hall.discarded[rows].astype(np.intp)
        hall.discarded[rows] = NO_KIND
        hall.add_to_pung(places[added], kinds[added])
        hall.conceal_kong(places[~added], kinds[~added])
        return self.replace_kong(rows, concealed=~added)

    def replace_kong(self, rows: Index, *, concealed: NDArray[np.bool_]) -> Index:
        """Let the active players draw for a kong; return where that ends no deal.

        Args:
            rows: of their tables.
            concealed: bool[rows]: whether the kong is.
        """
        if not len(rows):
            return rows
        hall = self.hall
        hall.kongs_in_a_row[rows] += 1
        hall.kongs[rows] += 1
        hall.has_claimed[rows] = False
        hall.at_once.reshape(hall.size, hall.players)[rows] = False
        self.settle(hall.places(rows))
        if self.lockstep.first_indicator:
            self.indicate_kong(rows, concealed)
        return self.take(rows, replacement=True)

    def indicate_kong(self, rows: Index, concealed: NDArray[np.bool_]) -> None:
        """Turn over indicators for kongs, at once or later."""
        how = self.rules.indicators and self.rules.indicators.kongs
        if how == "none":
            return
        now = concealed | (how == "at_once")
        self.turn_over(rows[now])
        self.to_turn_over[rows[~now]] += 1

    def turn_over(self, rows: Index) -> None:
        """Turn over the next indicators."""
        rows, keys, under = self.hall.turn_over(rows, self.lockstep.first_indicator)
        self.note(Happening.INDICATOR, self.hall.places(rows), keys, under)

    def turn_over_late(self, rows: Index) -> None:
        """Turn over the indicators of kongs that had to wait."""
        rows = rows[self.to_turn_over[rows] > 0]
        while len(rows):
            self.turn_over(rows)
            self.to_turn_over[rows] -= 1
            rows = rows[self.to_turn_over[rows] > 0]

    # drawing

    def take(self, rows: Index, *, replacement: bool = False) -> Index:
        """Give the active players a tile; bonus tiles are replaced. Return where that ends no deal."""
        hall = self.hall
        places = hall.places(rows)
        hall.last_drawer[rows] = hall.active[rows]
        hall.by_flower[rows] = False
        keys = hall.replacement(rows) if replacement else hall.draw(rows)
        happening = Happening.REPLACEMENT if replacement else Happening.DRAW
        over = np.zeros(len(rows), np.bool_)
        showing = np.flatnonzero(keys >= FIRST_BONUS)
        while len(showing):
            kinds = keys[showing] >> 1
            hall.lay_out(places[showing], kinds)
            self.note(happening, places[showing], kinds)
            self.note(Happening.FLOWER, places[showing], kinds)
            over[showing] = hall.left[rows[showing]] == 0
            showing = showing[~over[showing]]
            hall.by_flower[rows[showing]] = True
            keys[showing] = hall.replacement(rows[showing])
            happening = Happening.REPLACEMENT
            showing = showing[keys[showing] >= FIRST_BONUS]
        goes_on = ~over
        rows, places, keys = rows[goes_on], places[goes_on], keys[goes_on]
        hall.take_in(rows, keys)
        by_draw = ~hall.by_flower[rows] & (not replacement)
        for happening, some in ((Happening.DRAW, by_draw), (Happening.REPLACEMENT, ~by_draw)):
            self.note(happening, places[some], keys[some] >> 1, hall.drawn_red[rows[some]])
        return rows

    # another's turn

    def after_discard(self, rows: Index) -> tuple[Index, Index]:
        """Let others claim the discards; return where one acts with a claimed meld, and where one has drawn."""
        if not len(rows):
            return rows, rows
        hall, rules = self.hall, self.rules
        self.pass_by(rows)
        if rules.ready is not None:
            self.lay_deposits(rows)
        if rules.aborts:
            reasons = aborts_after_discard(hall, rows, rules.aborts)
            aborted = reasons != NOT_ABORTED
            self.abort(rows[aborted], reasons[aborted])
            rows = rows[~aborted]
        rows = rows[hall.left[rows] > 0]
        asked = rows if self.lockstep.may_claim else _NO_ROWS
        claims = claims_of(hall, asked, self.lockstep.chows, rules)
        claims = claims.take(self.ask_claims(claims))
        # the nearest of those who have a pung, of which there are several by jokers alone, then who has a chow
        distance = (claims.place - hall.active[claims.place // hall.players]) % hall.players
        claims = claims.take(np.argsort(distance + hall.players * (claims.code < PUNG), kind="stable"))
        claimed, first = np.unique(claims.place // hall.players, return_index=True)
        claims = claims.take(first)
        feeders = hall.active[claimed]
        self.begin_turn(claimed, claims.place % hall.players)
        hall.swapped[claimed] = claims.barred(hall, rules.swap_calling)
        hall.claim_meld(claims.place, claims.code, feeders, claims.reds, claims.jokers)
        hall.discarded[claimed], hall.drawn[claimed] = NO_KIND, NO_KIND
        hall.has_claimed[claimed] = True
        hall.at_once.reshape(hall.size, hall.players)[claimed] = False
        if self.notes is not None:
            last = hall.number_of_melds(claims.place) - 1
            self.note(Happening.CLAIM, claims.place, claims.code, hall.marks[claims.place, last])
        is_kong = claims.code >= KONG
        replaced = self.replace_kong(claimed[is_kong], concealed=np.zeros(is_kong.sum(), np.bool_))
        is_free = np.ones(hall.size, np.bool_)
        is_free[claimed] = False
        rows = rows[is_free[rows]]
        hall.discarded[rows] = NO_KIND
        self.begin_turn(rows, (hall.active[rows] + 1) % hall.players)
        return claimed[~is_kong], np.concatenate((self.take(rows), replaced))

    def lay_deposits(self, rows: Index) -> None:
        """Let players who have just declared that they are ready lay down their deposits."""
        hall = self.hall
        places = hall.places(rows)
        new = (hall.declared[places] > 0) & ~hall.laid[places]
        places = places[new]
        hall.laid[places] = True
        hall.deposits[rows[new]] += 1
        assert self.rules.ready is not None
        if self.rules.ready.deposit:
            self.note(Happening.DEPOSIT, places, np.full(len(places), -self.rules.ready.deposit))

    def ask_claims(self, claims: Claims) -> Index:
        """Return the numbers of the claims that players make."""
        players = self.lockstep.players
        if len(players) == 1:
            return players[0].claims(self.hall, claims)
        own = self.seated[claims.place]
        found = [_NO_ROWS]
        for number, player in enumerate(players):
            some = np.flatnonzero(own == number)
            found.append(some[player.claims(self.hall, claims.take(some))])
        return np.concatenate(found)

    def begin_turn(self, rows: Index, seats: Index) -> None:
        """Let players have the turn."""
        hall = self.hall
        hall.active[rows] = seats
        hall.kongs_in_a_row[rows] = 0
        hall.turns[hall.players * rows + seats] += 1

    # wins

    def score(self) -> tuple[Index, Index, Index]:
        """Score the hands that wait, and end the deals in which one may win.

        Return the other tables: where the active player acts, where others may claim the discard, and where one has
        drawn for a kong that nobody robs.
        """
        self.waiting = 0
        drawn, thrown, added = (_taken(waiting) for waiting in (self.drawn, self.thrown, self.added))
        acting = self.score_draws(drawn) if len(drawn) else drawn
        is_kong = np.arange(len(thrown) + len(added)) >= len(thrown)
        rows = np.concatenate((thrown, added))
        goes_on = self.score_claims(rows, is_kong) if len(rows) else is_kong
        claiming, kongs = rows[goes_on & ~is_kong], rows[goes_on & is_kong]
        self.pass_by(kongs)
        return acting, claiming, self.complete_kong(kongs, np.ones(len(kongs), np.bool_))

    def score_draws(self, rows: Index) -> Index:
        """End the deals in which the active player may win by what he has drawn; return the other tables."""
        hall, rules = self.hall, self.rules
        places = hall.places(rows)
        is_dealt = hall.drawn[rows] == NO_KIND
        kinds = np.where(is_dealt, (hall.counts[places] > 0).argmax(axis=1), hall.drawn[rows])
        words, last_replacement = self.lockstep.words, rules.last_replacement
        hands = hands_of_draws(hall, rows, kinds, last_replacement=last_replacement, extra=words.of(hall, places))
        scores = self.lockstep.scorer.score(hands)
        can_win = scores.can_win.copy()
        aside = is_dealt & scores.complete | self.are_unsure(places, hands, scores)
        if rules.fed_before:  # rare too: all sets claimed, where another's are too
            won = np.flatnonzero(can_win)
            marks = hall.marks.reshape(hall.size, hall.players, MOST_SETS)[rows[won]]
            all_claimed: NDArray[np.bool_] = np.all(EXPOSED.of(marks) > 0, axis=2)
            aside[won] |= all_claimed[np.arange(len(won)), hall.active[rows[won]]] & (all_claimed.sum(axis=1) > 1)
        if rules.rob_own_kong:
            aside |= ~can_win & (hall.left[rows] > 0) & (hall.melds[places] == (PUNG + kinds)[:, None]).any(axis=1)
        self.aside[rows[aside]] = True
        won = np.flatnonzero(can_win & ~aside)
        nobody = np.full(len(won), -1, np.intp)
        hands, scores = hands.take(won), scores.take(won)
        if words.end_matters:
            hands = replace(hands, extra=words.of(hall, places[won], at_end=True))
            scores = self.lockstep.scorer.score(hands)
            self.aside[rows[won[self.are_unsure(places[won], hands, scores)]]] = True
        self.wins.append(wins_of(places[won], nobody, np.zeros(len(won), np.bool_), hands, scores))
        lost: Index = rows[~can_win & ~aside]
        return lost

    def score_claims(self, rows: Index, is_kong: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """End the deals in which others may win on the discard, or rob the kong; return which go on."""
        hall, words = self.hall, self.lockstep.words
        others = np.stack([self.other(rows, step) for step in range(1, hall.players)], axis=1)
        table, step = self.waits_for(others).nonzero()
        places = others[table, step]
        hands = hands_of_claims(hall, places, is_kong=is_kong[table], extra=words.of(hall, places))
        scores = self.lockstep.scorer.score(hands)
        aside = np.zeros(len(rows), np.bool_)
        aside[table[self.are_unsure(places, hands, scores)]] = True
        won = np.flatnonzero(scores.can_win & ~aside[table])
        if self.rules.winners == "nearest":
            won = won[np.diff(table[won], prepend=-1) != 0]
        goes_on = ~aside
        goes_on[table[won]] = False
        if "three_winners" in self.rules.aborts:
            won = won[~self.too_many(rows, table[won], step[won])]
        hands, scores = hands.take(won), scores.take(won)
        table, places = table[won], places[won]
        winners = np.bincount(table, minlength=len(rows))[table]
        again = (winners > 1) | words.end_matters
        once = np.flatnonzero(~again)
        self.end_claims(places[once], is_kong[table[once]], hands.take(once), scores.take(once))
        if again.any():
            is_first = (np.diff(table, prepend=-1) != 0)[again]
            table, places, count = table[again], places[again], winners[again].astype(np.uint8)
            extra = words.of(hall, places, at_end=True, is_first=is_first)
            hands = hands_of_claims(hall, places, is_kong=is_kong[table], extra=extra, winners=count)
            scores = self.lockstep.scorer.score(hands)
            aside[table[self.are_unsure(places, hands, scores)]] = True
            kept = np.flatnonzero(~aside[table])
            self.end_claims(places[kept], is_kong[table[kept]], hands.take(kept), scores.take(kept))
        self.aside[rows[aside]] = True
        return goes_on

    def too_many(self, rows: Index, table: Index, step: Index) -> NDArray[np.bool_]:
        """End the deals where so many would win on one tile that nobody does; return bool[winners]: who would there.

        Args:
            rows: of the tables.
            table: intp[winners]: the place among ``rows`` of each one's table.
            step: intp[winners]: how many seats after the active player he sits, less one.
        """
        seats = np.bincount(table, 2 << step, minlength=len(rows)).astype(np.intp)
        many = np.bincount(table, minlength=len(rows)) == MOST_WINNERS
        self.abort(rows[many], np.full(many.sum(), number_of("three_winners"), np.int8), seats[many])
        found: NDArray[np.bool_] = many[table]
        return found

    def are_unsure(self, places: Index, hands: Hands, scores: Scores) -> NDArray[np.bool_]:
        """Return which scores are not those of the table, which is rare.

        That are those which arrays did not give; and where somebody pays alone for a claimed kong, while another kong
        was added to a pung, those that do not know which was last.
        """
        found = np.zeros(len(places), np.bool_)
        for step in self.lockstep.by_last_kong:
            found |= scores.step(step) != 0
        added = ADDED.of(hands.marks) > 0
        found &= np.any(added, axis=1) & ~added[np.arange(len(places)), self.hall.last_kong[places]]
        found[list(scores.one_by_one)] = True
        return found

    def end_claims(self, places: Index, robbed: NDArray[np.bool_], hands: Hands, scores: Scores) -> None:
        """Note wins on discards, and by robbing kongs."""
        self.wins.append(wins_of(places, self.hall.active[places // self.hall.players], robbed, hands, scores))

    def note(self, happening: Happening, places: Index, what: Index, marks: NDArray[Any] | None = None) -> None:
        """Note what happens, if that is wanted."""
        if self.notes is not None:
            self.notes.note(happening, places, what, marks)


def _taken(waiting: list[Index]) -> Index:
    """Return all tables that wait, which do so no longer."""
    found = np.concatenate((_NO_ROWS, *waiting))
    waiting.clear()
    return found
