"""A second referee, slow and plain: reads a log of a deal as texts and says what is wrong with it.

It shares with the first one the wall, the scorer and the reader of hands, and nothing of the play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from mjcli.dealing import deal
from mjcli.notation import parse_line, parse_tiles
from mjcli.ruleset import Ruleset
from mjcli.scoring import score
from tests.plain import is_complete

SEATS = "ESWN"
FLOWERS = "fga"


class PlainReferee:
    """Goes through one deal of a log; every broken rule is an assertion."""

    def __init__(self, head: Mapping[str, Any], ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        assert ruleset.play is not None
        self.play = ruleset.play
        self.round = head["round"]
        self.wall = deal(ruleset, dice=head["dice"], wall=parse_tiles(head["wall"])).wall
        self.hands = {seat: [str(tile) for tile in parse_tiles(text)] for seat, text in head["hands"].items()}
        self.bonus = {
            seat: [str(tile) for tile in parse_tiles(text)] if text else [] for seat, text in head["bonus"].items()
        }
        self.melds: dict[str, list[str]] = {seat: [] for seat in SEATS}
        """As the log writes them."""
        self.fed: dict[str, list[tuple[str, str]]] = {seat: [] for seat in SEATS}
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
        self.locked: dict[str, set[str]] = {seat: set() for seat in SEATS}
        self.winners: list[str] = []

    # what is asked of every event

    def see(self, event: Mapping[str, Any], after: Sequence[Mapping[str, Any]]) -> None:
        """Take one event; ``after`` are those that follow."""
        assert self.phase != "over", f"{event} after the end"
        getattr(self, event["event"])(event, after)
        self.conserve()

    def conserve(self) -> None:
        held = Counter([*self.table, self.tile] if self.phase == "discarded" else self.table)
        for seat in SEATS:
            held.update(self.hands[seat])
            held.update(self.bonus[seat])
            melds = [tile for meld in self.melds[seat] for tile in tiles_of(meld)]
            held.update(melds)
            size = len(self.hands[seat]) + 3 * len(self.melds[seat])
            more = seat == self.seat and self.phase in ("turn", "kong", "rob-own", "won")
            assert size in ((13, 14) if more or self.phase == "over" else (13,)), f"{seat} has {size}"
        held.update(str(drawn.tile) for drawn in (*self.wall.rest, *self.wall.kept_back))
        assert held == self.all_tiles, (held - self.all_tiles, self.all_tiles - held)

    # events

    def draw(self, event: Mapping[str, Any], _after: Sequence[Mapping[str, Any]]) -> None:
        assert self.phase == "discarded"
        self.nobody_wins()
        assert event["seat"] == following(self.seat)
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
        assert event["seat"] == self.seat
        self.hands[self.seat].remove(event["tile"])
        self.tile, self.phase = event["tile"], "discarded"
        self.kongs, self.by_flower = 0, False

    def claim(self, event: Mapping[str, Any], _after: Sequence[Mapping[str, Any]]) -> None:
        assert self.phase == "discarded"
        assert self.wall.left, "a claim with an empty wall"
        seat, meld = event["seat"], event["meld"]
        assert seat != self.seat
        self.nobody_wins()
        tiles = tiles_of(meld)
        tiles.remove(self.tile)
        for tile in tiles:
            self.hands[seat].remove(tile)
        assert meld[-1] == "rxl"[(SEATS.index(self.seat) - SEATS.index(seat)) % 4 - 1]
        if len(set(tiles_of(meld))) > 1:
            assert seat == following(self.seat)
            assert meld[-2] in self.ruleset.claimed_chows
            ranks = [int(tile[0]) for tile in tiles_of(meld)]
            assert ranks == [ranks[0], ranks[0] + 1, ranks[0] + 2]
        self.fed[seat].append((meld, self.seat))
        self.begin(seat)
        if len(tiles) == 3:
            self.melds[seat].append(meld)
            self.phase, self.making, self.kongs = "replace", "", 1
        else:
            self.melds[seat].append(meld)
            self.phase, self.claimed = "turn", True

    def begin(self, seat: str) -> None:
        """Give a player the turn."""
        if self.play.passed_win == "go_round" and SEATS.index(seat) <= SEATS.index(self.seat):
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
        tile = tiles_of(meld)[0]
        if "a" in meld:
            pung = meld[1:].replace("a", "")
            assert pung in self.melds[self.seat], meld
            assert tile in hand
        else:
            assert hand.count(tile) == 4
            assert meld == tile[0] * 4 + tile[1]
        self.making = meld
        if event.get("rob_own"):
            assert self.play.rob_own_kong
            assert tile == self.tile
        self.phase = "rob-own" if event.get("rob_own") else "kong"
        self.tile = tile

    def make_kong(self) -> None:
        hand, melds = self.hands[self.seat], self.melds[self.seat]
        if "a" in self.making:
            hand.remove(self.tile)
            melds[melds.index(self.making[1:].replace("a", ""))] = self.making
        else:
            for _ in range(4):
                hand.remove(self.tile)
            melds.append(self.making)
        self.kongs += 1
        self.by_flower = False

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
            if self.making and self.phase != "discarded" and "a" not in self.making:
                assert any(
                    is_complete([*self.hands[seat], self.tile], 0, {form: ""}) for form in self.play.rob_concealed_kong
                )
            text = self.line(seat, winners)
        told, mine = parse_line(event["hand"]), parse_line(text)
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
        assert self.winners
        assert sum(event["payments"].values()) == 0
        assert event["payments"][self.winners[-1]] > 0
        if after[0]["event"] == "end":
            if self.phase == "discarded":
                self.table.append(self.tile)
            self.phase = "won"

    def end(self, event: Mapping[str, Any], after: Sequence[Mapping[str, Any]]) -> None:
        assert not after
        assert event["winners"] == self.winners
        assert event["left"] == self.wall.left
        if not self.winners:
            assert self.wall.left == 0
            assert self.phase in ("discarded", "replace")
            if self.phase == "discarded":
                self.table.append(self.tile)
        self.phase = "over"

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
        clean = not any(self.melds[other] for other in SEATS if other != seat)
        if not drawn:
            words.append(f"from={self.seat}")
        if self.wall.left == 0 and not robbed:
            words.append("last-tile")
        if open_tiles.count(self.tile) == 3:
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
        return f"{text}{'++' if drawn else '+'}{self.tile} {' '.join(words)}"

    def nobody_wins(self) -> None:
        """Lock whoever could have won on the discard."""
        if self.play.passed_win == "none":
            return
        for seat in SEATS:
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


def following(seat: str) -> str:
    return SEATS[(SEATS.index(seat) + 1) % 4]


def tiles_of(meld: str) -> list[str]:
    """Return the tiles of a meld as the log writes it, such as 2222pax."""
    digits = [char for char in meld if char.isdigit()]
    suit = meld[len(digits)]
    return [f"{digit}{suit}" for digit in digits]
