"""Deals that go by a script: hands and draws as wished, players who do what is written, else throw what they drew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mjcli.melds import Seat
from mjcli.notation import parse_tiles
from mjcli.play import PASS, Act, Choice, Judge, Outcome, Standing, Start, Table, play
from mjcli.play.events import Event, event_keys
from mjcli.play.table import code_of, kind_of
from mjcli.ruleset import Ruleset, load_ruleset
from mjcli.tiles import JOKER_KIND, KINDS, PLAIN_KINDS, TILES
from mjcli.wall import every_tile

SEATS = "ESWN"


@dataclass
class Told:
    """A deal that went by a script."""

    table: Table
    outcome: Outcome | None = None
    events: list[Event] = field(default_factory=list)
    offered: list[str] = field(default_factory=list)
    """Every choice that anybody had, but for discards and passing."""
    discards: list[str] = field(default_factory=list)
    """Every discard that anybody could choose."""

    @property
    def keys(self) -> list[dict[str, Any]]:
        return [event_keys(event) for event in self.events]


def kinds(text: str) -> list[int]:
    return [tile.kind for tile in parse_tiles(text)] if text else []


def codes(text: str) -> list[int]:
    """Return tiles as the wall numbers them, red fives apart."""
    return [code_of(tile) for tile in parse_tiles(text)] if text else []


def start_of_script(case: Mapping[str, Any], ruleset: Ruleset) -> Start:
    """Return a start with the hands of a case; who has none written is dealt what is left, far apart.

    The wall holds the written draws, then what is left; ``wall: N`` says how many tiles can be taken in all. The tail
    holds the written replacements, and what lies in the dead wall before them: with seven stacks and the indicator in
    the third, four replacements, the first indicator, the tile under it, the second indicator, and so on.
    """
    assert ruleset.wall is not None
    deck = Counter(map(code_of, every_tile(ruleset.wall.tiles)))
    written = {seat: codes(text) for seat, text in case["hands"].items()}
    draws, tail = codes(case.get("draws", "")), codes(case.get("tail", ""))
    bonus = {seat: codes(text) for seat, text in case.get("bonus", {}).items()}
    for some in (*written.values(), *bonus.values(), draws, tail):
        deck.subtract(some)
    assert min(deck.values()) >= 0, f"too many of {[str(TILES[kind_of(code)[0]]) for code in deck if deck[code] < 0]}"
    rest = sorted(deck.elements(), key=lambda kind: (kind >= PLAIN_KINDS, kind % 9 * 7 % 9, kind // 9))
    hands = []
    seats = SEATS[: ruleset.players]
    for place, seat in enumerate(seats):
        size = 14 if place == 0 else 13
        hand = written.get(seat)
        if hand is None:
            hand, rest = rest[: 4 * size : 4], [kind for at, kind in enumerate(rest) if at % 4 or at >= 4 * size]
        assert len(hand) == size, f"{seat} has {len(hand)} tiles"
        hands.append(hand)
    laid_out = [bonus.get(seat, []) for seat in seats]
    dealt = [kind for some in (*hands, *laid_out) for kind in some]
    size = ruleset.wall.tiles.size
    at_end = {size - 2 - number + 2 * (number % 2): kind for number, kind in enumerate(tail)}
    others = iter([*dealt, *draws, *rest])
    order = [at_end[place] if place in at_end else next(others) for place in range(size)]
    takes = case.get("wall", size - len(dealt) - ruleset.wall.dead_wall)
    held = [[kind_of(code) for code in hand] for hand in hands]
    return Start(
        seed=0,
        number=0,
        counts=tuple([[kind for kind, _ in hand].count(each) for each in range(PLAIN_KINDS)] for hand in held),
        bonus=tuple(laid_out),
        order=order,
        drawn=len(dealt),
        replaced=0,
        dead=size - len(dealt) - takes,
        reds=tuple(tuple(hand.count(KINDS + suit) for suit in range(3)) for hand in hands),
        jokers=tuple(hand.count(JOKER_KIND) for hand in hands),
    )


def told(case: Mapping[str, Any]) -> Told:
    """Return how the deal of a case goes: its ``script`` lists seats with what they do, in order."""
    ruleset = load_ruleset(case["rules"], case.get("set", {}))
    points = case.get("points")
    standing = Standing(
        counters=case.get("counters", 0),
        deposits=case.get("deposits", 0),
        points=None if points is None else tuple(points[seat] for seat in SEATS[: ruleset.players]),
    )
    table = Table(ruleset, start_of_script(case, ruleset), Seat(case.get("round", "E")), standing)
    found = Told(table)
    script: list[str] = list(case.get("script", []))

    def ask(seat: int, choices: Sequence[Choice]) -> Choice:
        names = {f"{SEATS[seat]} {choice}": choice for choice in choices}
        found.offered += [name for name, choice in names.items() if choice != PASS and choice.act is not Act.DISCARD]
        found.discards += [name for name, choice in names.items() if choice.act is Act.DISCARD]
        if script and script[0] in names:
            return names[script.pop(0)]
        if PASS in choices:
            return PASS
        if table.drawn is None:
            return choices[-1]
        drawn = Choice(Act.DISCARD, table.drawn, int(table.drawn_red))
        return drawn if drawn in choices else choices[-1]

    found.outcome = play(Judge(ruleset), table, ask, found.events.append)
    assert not script, f"nobody could {script[0]}; offered: {found.offered}"
    return found


def shown(keys: Mapping[str, Any]) -> str:
    """Return an event as a case writes it."""
    tile = keys.get("tile") or keys.get("meld") or keys.get("reason") or ""
    return f"{keys.get('seat', '')} {keys['event']} {tile}".strip()
