"""The referee of many tables: plays all deals in lockstep, each as ``mjcli.play.referee`` plays it.

What is a step there is one here for all tables that have come to it. A hand that may win waits until there are many to
be scored at once, or nothing else is left to do; meanwhile the other tables go on. Few deals come to something so rare
that it is not worth arrays; these are left aside, to be played one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjcli.batch.deals import numbered_deals
from mjcli.batch.hands import ADDED, EXPOSED, Hands
from mjcli.batch.scores import Scorer, Scores
from mjcli.dealing import wall_rules
from mjcli.lockstep.choices import ChowTable, Claims, Kongs, Turns, claims_of, kongs_of
from mjcli.lockstep.ends import Ends, Wins, ends_of, wins_of
from mjcli.lockstep.events import Happening, Notes
from mjcli.lockstep.hall import DEALER, KONG, NEVER, NO_KIND, PLAYERS, PUNG, Hall, Index
from mjcli.lockstep.outlooks import STANDARD, Outlooks
from mjcli.lockstep.players import ARRAY_PLAYERS
from mjcli.lockstep.wins import hands_of_claims, hands_of_draws
from mjcli.melds import Seat
from mjcli.ruleset import Ruleset
from mjcli.ruleset.program import PlayRules
from mjcli.suits import MOST_SETS
from mjcli.tiles import JOKER_KIND

__all__ = ["Lockstep", "can_play"]

MANY: Final = 1024
"""Tables with hands to be scored that are enough for arrays to be fast."""

_NO_ROWS: Final = np.empty(0, np.intp)

PASSED_WINS: Final = ("none", "go_round", "until_action")
"""What passing a win may cost: nothing to players who pass none."""


def can_play(ruleset: Ruleset, players: Iterable[str]) -> bool:
    """Return whether arrays play deals of a ruleset by players of these names.

    They do for four players without jokers and red fives, where the rules of play say but who wins, what passing
    a win costs, which kongs may be robbed, and who is liable to another.
    """
    rules, wall = ruleset.play, ruleset.wall
    if rules is None or wall is None or not all(name in ARRAY_PLAYERS for name in players):
        return False
    plain = PlayRules(
        winners=rules.winners,
        passed_win=rules.passed_win,
        rob_own_kong=rules.rob_own_kong,
        rob_concealed_kong=rules.rob_concealed_kong,
        fed_before=rules.fed_before,
    )
    tiles = wall.tiles
    return (
        rules == plain
        and rules.passed_win in PASSED_WINS
        and (ruleset.rotation is None or ruleset.rotation.after_draw != "ready")
        and wall.players == PLAYERS
        and not (tiles.copies[JOKER_KIND] or any(tiles.reds))
        and STANDARD in ruleset.forms
    )


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
        self.scorer = Scorer(ruleset)
        self.outlooks = Outlooks(ruleset.forms)
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
        notes: Notes | None = None,
    ) -> Ends:
        """Return how deals end.

        Args:
            seed: of the run.
            numbers: intp[deals].
            seated: intp[deals, 4]: the place among the players of who sits at each seat.
            round_winds: of each deal; None in games without rounds.
            notes: takes down what happens, if that is wanted.
        """
        dealt = list(numbered_deals(self.wall, seed, numbers.astype(np.uint64)))
        winds = np.array([0 if wind is None else 1 + wind.number for wind in round_winds], np.uint8)
        hall = Hall(self.ruleset.tiles, seed, dealt, winds)
        return _Referee(self, hall, seated.ravel(), notes).play()


class _Referee:
    """Plays the deals of one hall; its methods are the steps of a turn in their order."""

    def __init__(self, lockstep: Lockstep, hall: Hall, seated: NDArray[np.intp], notes: Notes | None) -> None:
        self.lockstep, self.hall, self.seated, self.notes = lockstep, hall, seated, notes
        self.rules = lockstep.rules
        self.aside = np.zeros(hall.size, np.bool_)
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
        every = np.arange(PLAYERS * hall.size)
        self.settle(every[every % PLAYERS != DEALER])
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
                return ends_of(hall, self.aside, self.wins)

    # one's own turn; rows are given and returned of tables where the deal goes on

    def first_turn(self) -> Index:
        """Return where the dealer acts with his dealt hand; where it wins at once, the deal is left aside."""
        hall = self.hall
        rows = np.arange(hall.size)
        places = hall.places(rows)
        complete = self.lockstep.outlooks.missing(hall.counts[places], hall.keys[:, places], hall.sets[places]) == 0
        self.aside[complete] = True
        asks = ~complete & self.may_win_at_once(rows)
        self.wait_for(self.drawn, rows[asks])
        acting: Index = rows[~complete & ~asks]
        return acting

    def may_win_at_once(self, rows: Index) -> NDArray[np.bool_]:
        """Return whether the active players have bonus tiles that have just come, by which one may win."""
        hall, places = self.hall, self.hall.places(rows)
        if not self.lockstep.ruleset.program.instant:
            return np.zeros(len(rows), np.bool_)
        found: NDArray[np.bool_] = (hall.bonus[places] > 0) & (hall.by_flower[rows] | (hall.turns[places] == 1))
        return found

    def not_won_by_draw(self, rows: Index) -> Index:
        """Return the tables where the active player cannot win by what he has drawn; the others wait."""
        hall, places = self.hall, self.hall.places(rows)
        asks = _holds(hall.waits[places], hall.drawn[rows]) | self.may_win_at_once(rows)
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
        kongs = kongs_of(hall, places[(hall.left[rows] > 0) & ~hall.has_claimed[rows]])
        turns = self.ask_turns(places, kongs)
        thrown = np.flatnonzero(~turns.kong)
        replaced = _NO_ROWS
        if len(thrown) < len(rows):
            some = np.flatnonzero(turns.kong)
            replaced = self.kong(rows[some], turns.kind[some], turns.added[some])
        return replaced, self.discard(rows[thrown], turns.take(thrown))

    def ask_turns(self, places: Index, kongs: Kongs) -> Turns:
        """Return what the players do in their turns."""
        players = self.lockstep.players
        if len(players) == 1:
            return players[0].turns(self.hall, places, kongs)
        own, of_kongs = self.seated[places], self.seated[kongs.place]
        found = Turns.of(len(places))
        for number, player in enumerate(players):
            some = np.flatnonzero(own == number)
            if len(some):
                found.put(some, player.turns(self.hall, places[some], kongs.take(of_kongs == number)))
        return found

    def discard(self, rows: Index, turns: Turns) -> Index:
        """Let the active players discard; return where others cannot win on it, but may claim it."""
        hall, kinds = self.hall, turns.kind
        places = hall.places(rows)
        hall.discard(rows, kinds)
        self.settle_as(places, turns.missing, turns.waits)
        self.note(Happening.DISCARD, places, kinds)
        asks = self.others_wait(rows)
        self.wait_for(self.thrown, rows[asks])
        return rows[~asks]

    def others_wait(self, rows: Index) -> NDArray[np.bool_]:
        """Return whether others wait for the tile that the active player discards, or makes a kong of."""
        hall = self.hall
        found = np.zeros(len(rows), np.bool_)
        for step in range(1, PLAYERS):
            found |= _holds(hall.waits[self.other(rows, step)], hall.discarded[rows])
        return found

    def other(self, rows: Index, step: int) -> Index:
        """Return the places of the players so many seats after the active ones."""
        found: Index = PLAYERS * rows + (self.hall.active[rows] + step) % PLAYERS
        return found

    def settle(self, places: Index) -> None:
        """Note what players with 3n+1 tiles wait for."""
        hall = self.hall
        found = self.lockstep.outlooks.settled(hall.counts[places], hall.keys[:, places], hall.sets[places])
        self.settle_as(places, *found)

    def settle_as(self, places: Index, missing: NDArray[np.uint8], waits: NDArray[np.uint64]) -> None:
        """Note what is known of players with 3n+1 tiles."""
        hall = self.hall
        hall.missing[places], hall.waits[places] = missing, waits
        first = places[(waits != 0) & (hall.ready_at[places] == NEVER)]
        hall.ready_at[first] = hall.turns[first]

    # kongs

    def kong(self, rows: Index, kinds: Index, added: NDArray[np.bool_]) -> Index:
        """Let the active players make kongs; return where nobody may rob it, and the replacement is drawn."""
        hall = self.hall
        places = hall.places(rows)
        at = (hall.melds[places] == (PUNG + kinds)[:, None]).argmax(axis=1)
        marks = np.where(added, hall.marks[places, at] | (1 << ADDED.shift), 0)
        self.note(Happening.KONG, places, KONG + kinds, marks)
        hall.discarded[rows] = kinds
        asks = self.others_wait(rows)
        asks[~added] &= self.may_rob_concealed(rows[~added])
        self.aside[rows[asks & ~added]] = True
        self.wait_for(self.added, rows[asks & added])
        self.complete_kong(rows[~asks], added[~asks])
        return self.replace_kong(rows[~asks])

    def may_rob_concealed(self, rows: Index) -> NDArray[np.bool_]:
        """Return whether others may rob concealed kongs, which is rare."""
        hall, forms = self.hall, self.rules.rob_concealed_kong
        found = np.zeros(len(rows), np.bool_)
        for step in range(1, PLAYERS) if forms else ():
            places = self.other(rows, step)
            found |= self.lockstep.outlooks.is_completed(hall.counts[places], hall.discarded[rows], forms)
        return found

    def complete_kong(self, rows: Index, added: NDArray[np.bool_]) -> None:
        """Let the kongs be melds that the active players have declared."""
        hall, places = self.hall, self.hall.places(rows)
        kinds = hall.discarded[rows].astype(np.intp)
        hall.discarded[rows] = NO_KIND
        hall.add_to_pung(places[added], kinds[added])
        hall.conceal_kong(places[~added], kinds[~added])

    def replace_kong(self, rows: Index) -> Index:
        """Let the active players draw for a kong; return where that ends no deal."""
        if not len(rows):
            return rows
        hall = self.hall
        hall.kongs_in_a_row[rows] += 1
        hall.has_claimed[rows] = False
        self.settle(hall.places(rows))
        return self.take(rows, replacement=True)

    # drawing

    def take(self, rows: Index, *, replacement: bool = False) -> Index:
        """Give the active players a tile; bonus tiles are replaced. Return where that ends no deal."""
        hall = self.hall
        places = hall.places(rows)
        hall.last_drawer[rows] = hall.active[rows]
        hall.by_flower[rows] = False
        kinds = hall.replacement(rows) if replacement else hall.draw(rows)
        happening = Happening.REPLACEMENT if replacement else Happening.DRAW
        over = np.zeros(len(rows), np.bool_)
        showing = np.flatnonzero(kinds > JOKER_KIND)
        while len(showing):
            hall.lay_out(places[showing], kinds[showing])
            self.note(happening, places[showing], kinds[showing])
            self.note(Happening.FLOWER, places[showing], kinds[showing])
            over[showing] = hall.left[rows[showing]] == 0
            showing = showing[~over[showing]]
            hall.by_flower[rows[showing]] = True
            kinds[showing] = hall.replacement(rows[showing])
            happening = Happening.REPLACEMENT
            showing = showing[kinds[showing] > JOKER_KIND]
        goes_on = ~over
        rows, places, kinds = rows[goes_on], places[goes_on], kinds[goes_on]
        hall.hold(places, kinds)
        hall.drawn[rows] = kinds
        by_draw = ~hall.by_flower[rows] & (not replacement)
        self.note(Happening.DRAW, places[by_draw], kinds[by_draw])
        self.note(Happening.REPLACEMENT, places[~by_draw], kinds[~by_draw])
        return rows

    # another's turn

    def after_discard(self, rows: Index) -> tuple[Index, Index]:
        """Let others claim the discards; return where one acts with a claimed meld, and where one has drawn."""
        if not len(rows):
            return rows, rows
        hall = self.hall
        rows = rows[hall.left[rows] > 0]
        claims = claims_of(hall, rows, self.lockstep.chows)
        claims = claims.take(self.ask_claims(claims))
        # of one tile only one player can have a pung; a chow, which is the next player's, stands behind it
        claims = claims.take(np.argsort(claims.code < PUNG, kind="stable"))
        claimed, first = np.unique(claims.place // PLAYERS, return_index=True)
        claims = claims.take(first)
        feeders = hall.active[claimed]
        self.begin_turn(claimed, claims.place % PLAYERS)
        hall.claim_meld(claims.place, claims.code, feeders)
        hall.discarded[claimed], hall.drawn[claimed] = NO_KIND, NO_KIND
        hall.has_claimed[claimed] = True
        if self.notes is not None:
            last = hall.number_of_melds(claims.place) - 1
            self.note(Happening.CLAIM, claims.place, claims.code, hall.marks[claims.place, last])
        is_kong = claims.code >= KONG
        replaced = self.replace_kong(claimed[is_kong])
        is_free = np.ones(hall.size, np.bool_)
        is_free[claimed] = False
        rows = rows[is_free[rows]]
        hall.discarded[rows] = NO_KIND
        self.begin_turn(rows, (hall.active[rows] + 1) % PLAYERS)
        return claimed[~is_kong], np.concatenate((self.take(rows), replaced))

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
        hall.turns[PLAYERS * rows + seats] += 1

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
        self.complete_kong(kongs, np.ones(len(kongs), np.bool_))
        return acting, claiming, self.replace_kong(kongs)

    def score_draws(self, rows: Index) -> Index:
        """End the deals in which the active player may win by what he has drawn; return the other tables."""
        hall, rules = self.hall, self.rules
        places = hall.places(rows)
        is_dealt = hall.drawn[rows] == NO_KIND
        kinds = np.where(is_dealt, (hall.counts[places] > 0).argmax(axis=1), hall.drawn[rows])
        hands = hands_of_draws(hall, rows, kinds)
        scores = self.lockstep.scorer.score(hands)
        can_win = scores.can_win.copy()
        aside = is_dealt & scores.complete | self.are_unsure(places, hands, scores)
        if rules.fed_before:  # rare too: all sets claimed, where another's are too
            won = np.flatnonzero(can_win)
            marks = hall.marks.reshape(hall.size, PLAYERS, MOST_SETS)[rows[won]]
            all_claimed: NDArray[np.bool_] = np.all(EXPOSED.of(marks) > 0, axis=2)
            aside[won] |= all_claimed[np.arange(len(won)), hall.active[rows[won]]] & (all_claimed.sum(axis=1) > 1)
        if rules.rob_own_kong:
            aside |= ~can_win & (hall.left[rows] > 0) & (hall.melds[places] == (PUNG + kinds)[:, None]).any(axis=1)
        self.aside[rows[aside]] = True
        won = np.flatnonzero(can_win & ~aside)
        nobody = np.full(len(won), -1, np.intp)
        self.wins.append(wins_of(places[won], nobody, np.zeros(len(won), np.bool_), hands.take(won), scores.take(won)))
        lost: Index = rows[~can_win & ~aside]
        return lost

    def score_claims(self, rows: Index, is_kong: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """End the deals in which others may win on the discard, or rob the kong; return which go on."""
        hall = self.hall
        others = np.stack([self.other(rows, step) for step in range(1, PLAYERS)], axis=1)
        table, step = _holds(hall.waits[others], hall.discarded[rows][:, None]).nonzero()
        places = others[table, step]
        hands = hands_of_claims(hall, places, is_kong=is_kong[table])
        scores = self.lockstep.scorer.score(hands)
        aside = np.zeros(len(rows), np.bool_)
        aside[table[self.are_unsure(places, hands, scores)]] = True
        won = np.flatnonzero(scores.can_win & ~aside[table])
        if self.rules.winners == "nearest":
            won = won[np.diff(table[won], prepend=-1) != 0]
        goes_on = ~aside
        goes_on[table[won]] = False
        hands, scores = hands.take(won), scores.take(won)
        table, places = table[won], places[won]
        winners = np.bincount(table, minlength=len(rows))[table]
        several = np.flatnonzero(winners > 1)
        alone = np.flatnonzero(winners == 1)
        self.end_claims(places[alone], is_kong[table[alone]], hands.take(alone), scores.take(alone))
        if len(several):
            table, places = table[several], places[several]
            hands = hands_of_claims(hall, places, is_kong=is_kong[table], winners=winners[several].astype(np.uint8))
            scores = self.lockstep.scorer.score(hands)
            aside[table[self.are_unsure(places, hands, scores)]] = True
            kept = np.flatnonzero(~aside[table])
            self.end_claims(places[kept], is_kong[table[kept]], hands.take(kept), scores.take(kept))
        self.aside[rows[aside]] = True
        return goes_on

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
        self.wins.append(wins_of(places, self.hall.active[places // PLAYERS], robbed, hands, scores))

    def note(self, happening: Happening, places: Index, what: Index, marks: NDArray[Any] | None = None) -> None:
        """Note what happens, if that is wanted."""
        if self.notes is not None:
            self.notes.note(happening, places, what, marks)


def _holds(waits: NDArray[np.uint64], kinds: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return whether the bit of a kind is set; of ``NO_KIND`` it is not."""
    found: NDArray[np.bool_] = (waits >> np.minimum(kinds, 63).astype(np.uint64)) & np.uint64(1) != 0
    return found


def _taken(waiting: list[Index]) -> Index:
    """Return all tables that wait, which do so no longer."""
    found = np.concatenate((_NO_ROWS, *waiting))
    waiting.clear()
    return found
