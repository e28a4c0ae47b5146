"""A second referee, slow and plain: reads a log of a deal as texts and says what is wrong with it.

It shares with the first one the wall, the scorer and the reader of hands, and nothing of the play.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from mjcli.dealing import deal
from mjcli.notation import parse_line, parse_tiles
from mjcli.ruleset import Ruleset
from mjcli.scoring import score
from tests.plain import is_complete

FLOWERS = "fga"
RUN = re.compile("([0-9]+)([mpszj])")
KINDS = [f"{rank}{suit}" for suit in "mpsz" for rank in range(1, 8 if suit == "z" else 10)]
ENDS = {tile for tile in KINDS if tile[0] in "19" or tile[1] == "z"}
WINDS = {"1z", "2z", "3z", "4z"}


class PlainReferee:
    """Goes through one deal of a log; every broken rule is an assertion."""

    def __init__(self, head: Mapping[str, Any], ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        assert ruleset.play is not None
        assert ruleset.wall is not None
        self.play = ruleset.play
        self.seats = "".join(head["hands"])
        self.round = head["round"]
        self.wall = deal(ruleset, dice=head["dice"], wall=parse_tiles(head["wall"])).wall
        self.hands = {seat: [str(tile) for tile in parse_tiles(text)] for seat, text in head["hands"].items()}
        self.bonus = {
            seat: [str(tile) for tile in parse_tiles(text)] if text else [] for seat, text in head["bonus"].items()
        }
        self.melds: dict[str, list[str]] = {seat: [] for seat in self.seats}
        """As the log writes them."""
        self.fed: dict[str, list[tuple[str, str]]] = {seat: [] for seat in self.seats}
        self.fourths: list[tuple[str, str]] = []
        """Whose fourth claimed set was fed by whom, as it happened."""
        self.table: list[str] = []
        """Discards that nobody has claimed."""
        self.all_tiles = Counter(str(tile) for tile in self.wall.tiles)
        self.phase = "turn"
        """turn, after a claim, discarded, kong, rob-own, flower, replace, won, over."""
        self.seat = "E"
        self.tile = ""
        """The tile that was drawn, discarded or added last."""
        self.claimed = False
        self.turns = Counter({"E": 1})
        self.kongs = 0
        self.by_flower = False
        self.making = ""
        """The meld that is being made."""
        self.locked: dict[str, set[str]] = {seat: set() for seat in self.seats}
        self.winners: list[str] = []
        self.missed: set[str] = set()
        """Who has let a tile pass that completes his hand."""
        self.row: dict[str, list[str]] = {seat: [] for seat in self.seats}
        """What each has discarded."""
        self.robbed_rows: set[str] = set()
        """From whose discards somebody has claimed."""
        self.swapped: set[str] = set()
        """What may not be discarded after a claim."""
        self.declared: dict[str, str] = {}
        """Who has declared that he is ready, with the word for it."""
        self.declaring = False
        self.at_once: set[str] = set()
        self.counters, self.deposits = head.get("counters", 0), head.get("deposits", 0)
        self.points = head.get("points")
        self.indicators: list[str] = []
        self.stack = ruleset.wall.indicator
        self.shown_due = 1 if ruleset.play.indicators else 0
        """How many indicators must have been turned over now."""
        self.shown_later = 0
        """How many must be with the next discard."""
        self.all_kongs = 0
        self.paid: list[tuple[str, dict[str, int]]] = []
        """What has been paid in a drawn deal."""
        self.aborted = ""

    # what is asked of every event

    def see(self, event: Mapping[str, Any], after: Sequence[Mapping[str, Any]]) -> None:
        """Take one event; ``after`` are those that follow."""
        assert self.phase != "over", f"{event} after the end"
        if event["event"] not in ("indicator", "end"):
            assert len(self.indicators) == self.shown_due, f"{event} with {self.indicators}"
        if self.declaring and self.phase == "discarded" and event["event"] not in ("indicator", "win", "payment"):
            assert event["event"] == "deposit" or event.get("reason") == "three_winners" or self.winners, event
        getattr(self, event["event"])(event, after)
        self.conserve()

    def conserve(self) -> None:
        held = Counter([*self.table, self.tile] if self.phase == "discarded" else self.table)
        for seat in self.seats:
            held.update(self.hands[seat])
            held.update(self.bonus[seat])
            melds = [tile for meld in self.melds[seat] for tile in tiles_of(meld)]
            held.update(melds)
            size = len(self.hands[seat]) + 3 * len(self.melds[seat])
            more = seat == self.seat and self.phase in ("turn", "kong", "rob-own", "won", "aborted")
            assert size in ((13, 14) if more or self.phase == "over" else (13,)), f"{seat} has {size}"
        held.update(str(drawn.tile) for drawn in (*self.wall.rest, *self.wall.kept_back))
        assert held == self.all_tiles, (held - self.all_tiles, self.all_tiles - held)

    # events

    def draw(self, event: Mapping[str, Any], _after: Sequence[Mapping[str, Any]]) -> None:
        assert self.phase == "discarded"
        self.nobody_wins()
        self.goes_on()
        assert event["seat"] == self.following(self.seat)
        self.table.append(self.tile)
        drawn, self.wall = self.wall.draw()
        self.begin(event["seat"])
        self.take(event, str(drawn[0].tile))

    def replacement(self, event: Mapping[str, Any], _after: Sequence[Mapping[str, Any]]) -> None:
        assert self.phase in ("kong", "replace")
        assert event["seat"] == self.seat
        if self.phase == "kong":
            self.make_kong()
        drawn, self.wall = self.wall.replacements()
        if self.play.passed_win == "until_action":
            self.locked[self.seat].clear()
        self.take(event, str(drawn[0].tile))

    def take(self, event: Mapping[str, Any], tile: str) -> None:
        assert event["tile"] == tile
        self.tile, self.claimed = tile, False
        if tile[1] in FLOWERS:
            self.bonus[self.seat].append(tile)
            self.phase = "flower"
        else:
            self.hands[self.seat].append(tile)
            self.phase = "turn"

    def flower(self, event: Mapping[str, Any], _after: Sequence[Mapping[str, Any]]) -> None:
        assert self.phase == "flower"
        assert (event["seat"], event["tile"]) == (self.seat, self.tile)
        self.by_flower = True
        self.phase = "replace"

    def discard(self, event: Mapping[str, Any], _after: Sequence[Mapping[str, Any]]) -> None:
        assert self.phase == "turn"
        seat, tile = self.seat, event["tile"]
        assert event["seat"] == seat
        assert plain(tile) not in self.swapped, f"{tile} after a claim"
        if seat in self.declared:
            assert tile == self.tile, f"{seat} has declared ready and discards {tile}"
        self.hands[seat].remove(tile)
        self.at_once.discard(seat)
        if seat not in self.declared:
            self.missed.discard(seat)
        if self.declaring:
            assert self.waits(seat), f"{seat} has declared ready and is not"
            first = self.turns[seat] == 1 and not any(self.melds.values())
            assert self.play.ready is not None
            self.declared[seat] = self.play.ready.first_turn if first else self.play.ready.word
            self.at_once.add(seat)
        self.row[seat].append(plain(tile))
        self.tile, self.phase = tile, "discarded"
        self.kongs, self.by_flower, self.swapped = 0, False, set()
        self.shown_due, self.shown_later = self.shown_due + self.shown_later, 0

    def ready(self, event: Mapping[str, Any], after: Sequence[Mapping[str, Any]]) -> None:
        rules, seat = self.play.ready, event["seat"]
        assert rules is not None
        assert self.phase == "turn"
        assert seat == self.seat
        assert not self.claimed
        assert seat not in self.declared
        assert all(is_concealed(meld) for meld in self.melds[seat])
        assert self.wall.left >= rules.wall
        assert not rules.points or self.points is None or self.points[seat] >= rules.deposit
        assert (after[0]["event"], after[0]["seat"]) == ("discard", seat)
        self.declaring = True

    def deposit(self, event: Mapping[str, Any], _after: Sequence[Mapping[str, Any]]) -> None:
        assert self.play.ready is not None
        if self.winners:
            assert event["seat"] == self.winners[0]
            assert event["amount"] == self.deposits * self.play.ready.deposit > 0
            self.deposits = 0
        else:
            assert self.declaring
            assert self.phase == "discarded"
            assert (event["seat"], event["amount"]) == (self.seat, -self.play.ready.deposit)
            self.declaring = False
            self.deposits += 1

    def indicator(self, event: Mapping[str, Any], _after: Sequence[Mapping[str, Any]]) -> None:
        if self.phase == "kong":
            self.make_kong()
            self.phase = "replace"
        assert event["tile"] == str(self.wall.from_break(self.stack + len(self.indicators)).tile)
        self.indicators.append(event["tile"])
        assert len(self.indicators) <= self.shown_due

    def claim(self, event: Mapping[str, Any], _after: Sequence[Mapping[str, Any]]) -> None:
        assert self.phase == "discarded"
        assert self.wall.left, "a claim with an empty wall"
        seat, meld = event["seat"], event["meld"]
        assert seat != self.seat
        assert seat not in self.declared
        self.nobody_wins()
        self.goes_on()
        tiles = tiles_of(meld)
        tiles.remove(self.tile)
        for tile in tiles:
            self.hands[seat].remove(tile)
        between = (self.seats.index(self.seat) - self.seats.index(seat)) % len(self.seats)
        assert meld[-1] == ("r" if between == 1 else "l" if between == len(self.seats) - 1 else "x")
        whole = [plain(tile) for tile in stands_for(meld)]
        ranks = sorted(int(tile[0]) for tile in whole)
        assert {tile[1] for tile in whole} == {self.tile[1]}
        assert "1j" not in tiles or self.play.joker_claims
        if len(set(ranks)) > 1:
            assert seat == self.following(self.seat)
            assert meld[-2] in self.ruleset.claimed_chows
            assert ranks == [ranks[0], ranks[0] + 1, ranks[0] + 2]
        if self.play.swap_calling != "free" and len(tiles) == 2:
            self.swapped = {plain(self.tile)}
            own = sorted(int(plain(tile)[0]) for tile in tiles)
            if self.play.swap_calling == "same_chow" and own[1] - own[0] == 1:
                self.swapped |= {f"{own[0] - 1}{self.tile[1]}", f"{own[1] + 1}{self.tile[1]}"}
        self.fed[seat].append((meld, self.seat))
        if len(self.fed[seat]) == 4:
            self.fourths.append((seat, self.seat))
        self.robbed_rows.add(self.seat)
        self.at_once.clear()
        self.begin(seat)
        if len(tiles) == 3:
            self.count_kong(concealed=False)
            self.melds[seat].append(meld)
            self.phase, self.making, self.kongs = "replace", "", 1
        else:
            self.melds[seat].append(meld)
            self.phase, self.claimed = "turn", True

    def begin(self, seat: str) -> None:
        """Give a player the turn."""
        if self.play.passed_win == "go_round" and self.seats.index(seat) <= self.seats.index(self.seat):
            for locked in self.locked.values():
                locked.clear()
        if self.play.passed_win == "until_action":
            self.locked[seat].clear()
        self.seat = seat
        self.turns[seat] += 1
        self.kongs, self.by_flower = 0, False

    def kong(self, event: Mapping[str, Any], _after: Sequence[Mapping[str, Any]]) -> None:
        assert self.phase == "turn"
        assert not self.claimed
        assert self.wall.left, "a kong with an empty wall"
        assert event["seat"] == self.seat
        meld, hand = event["meld"], self.hands[self.seat]
        tiles = tiles_of(meld)
        tile = plain(tiles[-1])
        if "a" in meld:
            self.pung = next(each for each in self.melds[self.seat] if plain(each).startswith(tile[0] * 3 + tile[1]))
            added = Counter(tiles) - Counter(tiles_of(self.pung))
            assert added.total() == 1
            assert meld == f"{''.join(each[0] for each in tiles)}{tile[1]}a{self.pung[4:]}"
            self.added = next(iter(added))
            assert self.added in hand
        else:
            assert Counter(each for each in hand if plain(each) == tile) == Counter(tiles)
            assert len(meld) == 5
            if self.seat in self.declared:
                self.check_kong_of_ready(tiles)
        self.making = meld
        self.shown_due, self.shown_later = self.shown_due + self.shown_later, 0
        if event.get("rob_own"):
            assert self.play.rob_own_kong
            assert tile == self.tile
        self.phase = "rob-own" if event.get("rob_own") else "kong"
        self.tile = self.added if "a" in meld else tile
        if self.shown_due > len(self.indicators):
            raise AssertionError("an indicator is turned over before the next kong")

    def check_kong_of_ready(self, tiles: list[str]) -> None:
        """Check a concealed kong of a player who has declared that he is ready."""
        assert self.play.ready is not None
        assert self.play.ready.kongs == "same_waits"
        assert plain(self.tile) == plain(tiles[0])
        before, after = list(self.hands[self.seat]), list(self.hands[self.seat])
        before.remove(self.tile)
        for tile in tiles:
            after.remove(tile)
        melds = len(self.melds[self.seat])
        assert self.completing(before, melds) == self.completing(after, melds + 1)

    def make_kong(self) -> None:
        hand, melds = self.hands[self.seat], self.melds[self.seat]
        if "a" in self.making:
            if self.play.passed_win == "any_tile":
                self.let_pass(self.tile)
            hand.remove(self.tile)
            melds[melds.index(self.pung)] = self.making
        else:
            for tile in tiles_of(self.making):
                hand.remove(tile)
            melds.append(self.making)
        self.count_kong(concealed="a" not in self.making)
        self.at_once.clear()
        self.kongs += 1
        self.by_flower = False

    def count_kong(self, *, concealed: bool) -> None:
        self.all_kongs += 1
        assert not self.play.most_kongs or self.all_kongs <= self.play.most_kongs
        how = self.play.indicators and self.play.indicators.kongs
        if how == "at_once" or (how == "after_discard" and concealed):
            self.shown_due += 1
        elif how == "after_discard":
            self.shown_later += 1

    def win(self, event: Mapping[str, Any], after: Sequence[Mapping[str, Any]]) -> None:
        seat = event["seat"]
        winners = 1 + len(self.winners) + sum(each["event"] == "win" for each in after)
        if seat == self.seat:
            assert self.phase in ("turn", "rob-own")
            assert not self.claimed
            text = self.line(seat)
        else:
            assert self.phase in ("discarded", "kong", "rob-own") or self.winners
            assert winners == 1 or self.play.winners == "all"
            assert self.tile not in self.locked[seat]
            assert seat not in self.missed, f"{seat} let a tile pass"
            if self.play.own_discards:
                assert self.waits(seat).isdisjoint(self.row[seat]), f"{seat} has discarded what he waits for"
            if self.making and self.phase != "discarded" and "a" not in self.making:
                assert any(
                    is_complete(plain_of([*self.hands[seat], self.tile]), 0, {form: ""})
                    for form in self.play.rob_concealed_kong
                )
            text = self.line(seat, winners)
        extra = self.ruleset.extra_words
        told, mine = parse_line(event["hand"], extra=extra), parse_line(text, extra=extra)
        assert told.context == mine.context, (event["hand"], text)
        assert told.hand.melds == mine.hand.melds
        if not (seat == self.seat and self.turns["E"] == 1 and self.seat == "E" and not self.melds["E"]):
            assert told.hand == mine.hand
        found = score(told, self.ruleset)
        assert found.can_win
        assert (event["fan"], event["points"]) == (found.fan, found.points)
        self.winners.append(seat)
        self.pays = found

    def payment(self, event: Mapping[str, Any], after: Sequence[Mapping[str, Any]]) -> None:
        assert sum(event["payments"].values()) == 0
        if "reason" in event:
            assert not self.winners
            assert self.wall.left == 0
            self.paid.append((event["reason"], event["payments"]))
            return
        assert event["payments"][self.winners[-1]] > 0
        if not any(each["event"] == "win" for each in after):
            if self.phase == "discarded":
                self.table.append(self.tile)
            self.phase = "won"

    def abort(self, event: Mapping[str, Any], after: Sequence[Mapping[str, Any]]) -> None:
        reason, seats = event["reason"], event.get("seats", [])
        assert reason in self.play.aborts
        assert [each["event"] for each in after] == ["end"]
        if reason == "nine_ends":
            assert seats == [self.seat]
            assert self.phase == "turn"
            assert self.turns[self.seat] == 1
            assert not any(self.melds.values())
            assert len({plain(tile) for tile in self.hands[self.seat]} & ENDS) >= 9
        elif reason == "three_winners":
            assert len(seats) == 3
            assert self.seat not in seats
            for seat in seats:
                assert seat not in self.missed
                assert score(parse_line(self.line(seat, 3), extra=self.ruleset.extra_words), self.ruleset).can_win
        else:
            assert reason == self.due()
        if self.phase == "discarded":
            self.table.append(self.tile)
        self.aborted, self.phase = reason, "aborted"

    def due(self) -> str:
        """Return why a deal must end with this discard, on which nobody has won."""
        assert self.phase == "discarded"
        rows = [tile for row in self.row.values() for tile in row]
        makers = [seat for seat in self.seats if any(len(tiles_of(meld)) == 4 for meld in self.melds[seat])]
        holds = {
            "four_winds": len(rows) == 4
            and set(rows) <= WINDS
            and len(set(rows)) == 1
            and not any(self.melds.values()),
            "four_kongs": self.all_kongs == 4 and len(makers) > 1,
            "all_ready": len(self.declared) == len(self.seats),
        }
        return next((name for name in self.play.aborts if holds.get(name)), "")

    def goes_on(self) -> None:
        """Check that nothing ends the deal."""
        assert not self.due()

    def end(self, event: Mapping[str, Any], after: Sequence[Mapping[str, Any]]) -> None:
        assert not after
        assert event["winners"] == self.winners
        assert event["left"] == self.wall.left
        if self.winners:
            assert not self.deposits or self.play.ready is None
        elif not self.aborted:
            assert self.wall.left == 0
            assert self.phase in ("discarded", "replace")
            if self.phase == "discarded":
                self.goes_on()
                self.table.append(self.tile)
            self.check_draw(event)
        self.phase = "over"

    def check_draw(self, event: Mapping[str, Any]) -> None:
        """Check what is paid, and who is ready, when the wall ends."""
        river = self.play.river
        if not self.play.ready_hands and river is None:
            assert not self.paid
            return
        ready = [seat for seat in self.seats if self.waits(seat)]
        assert event["ready"] == ready
        kinds = {KINDS[kind] for kind in river.kinds} if river else set()
        rivers = [
            seat
            for seat in self.seats
            if self.row[seat] and seat not in self.robbed_rows and set(self.row[seat]) <= kinds
        ]
        expected = []
        if river and rivers:
            for winner in rivers:
                others = [seat for seat in self.seats if seat != winner]
                amounts = {seat: -(river.dealer if "E" in (seat, winner) else river.others) for seat in others}
                expected.append(("river", {**amounts, winner: -sum(amounts.values())}))
        elif 0 < len(ready) < len(self.seats):
            gain, loss = self.play.ready_hands // len(ready), self.play.ready_hands // (len(self.seats) - len(ready))
            expected.append(("ready_hands", {seat: gain if seat in ready else -loss for seat in self.seats}))
        assert self.paid == expected

    def following(self, seat: str) -> str:
        return self.seats[(self.seats.index(seat) + 1) % len(self.seats)]

    def completing(self, hand: Sequence[str], melds: int) -> set[str]:
        """Return the tiles that complete a hand."""
        tiles = plain_of(hand)
        forms = dict(self.ruleset.forms)
        return {tile for tile in KINDS if tiles.count(tile) < 4 and is_complete([*tiles, tile], melds, forms)}

    def waits(self, seat: str) -> set[str]:
        """Return what completes a player's hand of 13."""
        return self.completing(self.hands[seat], len(self.melds[seat]))

    # wins

    def line(self, seat: str, winners: int = 1) -> str:
        """Return a hand won on the present tile, with the words of its context."""
        hand, drawn = list(self.hands[seat]), seat == self.seat
        if drawn:
            if self.tile not in hand:
                self.tile = hand[-1]
            hand.remove(self.tile)
        text = "".join([*hand, *self.bonus[seat]]) + "".join(f",{meld}" for meld in self.melds[seat])
        words = [f"seat={seat}"]
        if self.round:
            words.append(f"round={self.round}")
        robbed = not drawn and self.phase in ("kong", "rob-own")
        open_tiles = [
            *self.table,
            *(tile for melds in self.melds.values() for meld in melds for tile in tiles_of(meld)),
        ]
        open_tiles = plain_of(open_tiles)
        clean = not any(self.melds[other] for other in self.seats if other != seat)
        if not drawn:
            words.append(f"from={self.seat}")
        replaced = drawn and self.kongs > 0
        if self.wall.left == 0 and not robbed and (self.play.last_replacement or not replaced):
            words.append("last-tile")
        if open_tiles.count(plain(self.tile)) == 3:
            words.append("last-of-kind")
        if drawn and self.kongs and not self.by_flower:
            words.append(f"kong-draw={self.kongs}")
        if drawn and self.by_flower:
            words.append("flower-draw")
        if robbed:
            words.append("rob-kong")
        if drawn and self.phase == "rob-own":
            words.append("rob-own-kong")
        if not any(self.melds.values()) and self.turns[seat] == drawn and not robbed:
            words.append("first-turn")
        if clean and not robbed:
            words.append("clean-opponents")
        if winners > 1:
            words.append(f"winners={winners}")
        words += self.own_words(seat)
        return f"{text}{'++' if drawn else '+'}{self.tile} {' '.join(words)}"

    def own_words(self, seat: str) -> list[str]:
        """Return the words that the ruleset adds."""
        words = []
        ready, indicators = self.play.ready, self.play.indicators
        if seat in self.declared and ready is not None:
            words.append(self.declared[seat])
            if ready.at_once and seat in self.at_once:
                words.append(ready.at_once)
        if indicators is not None:
            words.append(f"{indicators.word}={''.join(self.indicators)}")
            if seat in self.declared and indicators.under:
                places = self.wall.sides.places
                under = []
                for number in range(self.stack, self.stack + len(self.indicators)):
                    top = self.wall.from_break(number).place
                    under.append(str(self.wall.tiles[places.index((top.seat, top.number, "bottom"))]))
                words.append(f"{indicators.under}={''.join(under if indicators.under_kongs else under[:1])}")
        if not self.winners or seat == self.winners[0]:
            if self.play.counters and self.counters:
                words.append(f"{self.play.counters}={self.counters}")
            if ready is not None and ready.deposits and self.deposits:
                words.append(f"{ready.deposits}={self.deposits}")
        if self.play.fed_before and seat == self.seat and self.is_fed_later(seat):
            words.append(self.play.fed_before)
        return words

    def is_fed_later(self, seat: str) -> bool:
        """Return whether who fed the fourth set of a player had fed the fourth of another before."""
        feeders = dict(self.fourths)
        earlier = [other for other, _ in self.fourths[: list(feeders).index(seat)]] if seat in feeders else []
        return any(feeders[other] == feeders[seat] for other in earlier)

    def let_pass(self, tile: str) -> None:
        """Note whose hands a tile completes on which nobody wins."""
        for seat in self.seats:
            tiles = plain_of(self.hands[seat])
            if seat == self.seat or tiles.count(plain(tile)) == 4:
                continue
            if is_complete([*tiles, plain(tile)], len(self.melds[seat]), dict(self.ruleset.forms)):
                self.missed.add(seat)

    def nobody_wins(self) -> None:
        """Lock whoever could have won on the discard."""
        if self.play.passed_win == "none":
            return
        if self.play.passed_win == "any_tile":
            self.let_pass(self.tile)
            return
        for seat in self.seats:
            whole = [*self.hands[seat], self.tile]
            if seat == self.seat or not is_complete(whole, len(self.melds[seat]), dict(self.ruleset.forms)):
                continue
            if score(parse_line(self.line(seat)), self.ruleset).can_win:
                self.locked[seat].add(self.tile)


def check_deal(head: Mapping[str, Any], events: Sequence[Mapping[str, Any]], ruleset: Ruleset) -> None:
    """Check a deal of a log."""
    referee = PlainReferee(head, ruleset)
    for place, event in enumerate(events):
        referee.see(event, events[place + 1 :])
    assert referee.phase == "over"


def plain(text: str) -> str:
    """Return a tile or a meld with red fives as fives."""
    return text.replace("0", "5")


def plain_of(tiles: Sequence[str]) -> list[str]:
    return [plain(tile) for tile in tiles]


def is_concealed(meld: str) -> bool:
    """Return whether a meld is a concealed kong: nothing stands after its suit."""
    return meld[-1] in "mpsz"


def tiles_of(meld: str) -> list[str]:
    """Return the tiles of a meld as the log writes it, such as 2222pax or 12p1j=3pl."""
    return [f"{digit}{suit}" for digits, suit in RUN.findall(meld.partition("=")[0]) for digit in digits]


def stands_for(meld: str) -> list[str]:
    """Return the tiles that a meld is, jokers replaced by what they stand for."""
    lies, _, jokers = meld.partition("=")
    tiles = [*tiles_of(lies), *tiles_of(jokers)]
    return [tile for tile in tiles if tile != "1j"]
