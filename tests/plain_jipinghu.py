"""雞平和 once more, in plain slow code: what the engine and ``rulesets/jipinghu.yaml`` say is held against it.

Written from the description of the game alone. It shares nothing with mjcli: tiles are texts such as ``5m``, and
patterns, values, payments and liability are all spelt out here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

SEATS: Final = "ESWN"
WINDS: Final = ("1z", "2z", "3z", "4z")
DRAGONS: Final = ("5z", "6z", "7z")
ORPHANS: Final = ("1m", "9m", "1p", "9p", "1s", "9s", *WINDS, *DRAGONS)

DEFAULTS: Final[Mapping[str, Any]] = {
    "cap": 3,
    "minimum_fan": 0,
    "stack_base": False,
    "jiu_lian_any": False,
    "ren_hu_scope": "until_own_draw",
    "kong_fan": False,
    "concealed_fan": False,
    "lift_last_discard": False,
    "shi_ba_luo_han": False,
    "liability": "on",
    "liability_conflict": "later",
}

SPECIALS: Final = {
    "tian_hu": 6,
    "di_hu": 6,
    "ren_hu": 6,
    "shi_san_yao": 6,
    "jiu_lian": 6,
    "da_si_xi": 6,
    "da_san_yuan": 6,
    "qing_yao_jiu": 6,
    "zi_yi_se": 6,
    "shi_ba_luo_han": 6,
    "xiao_si_xi": 5,
    "xiao_san_yuan": 5,
    "hun_yao_jiu": 5,
    "qing_dui_dui": 5,
    "qing_yi_se": 4,
    "hun_dui_dui": 4,
}
"""In order of precedence."""
ORDINARY: Final = {"hun_yi_se": 2, "dui_dui_hu": 2, "ping_hu": 1, "ji_hu": 0}
"""In order of precedence."""
BONUSES: Final = ("zi_mo", "men_feng", "quan_feng", "san_yuan_pai", "gang", "men_qian_qing")
EVENTS: Final[tuple[str, ...]] = ("gang_shang_hua", "hai_di", "he_di", "qiang_gang", "san_xiang")


@dataclass(frozen=True)
class PlainMeld:
    """A meld: ``kind`` chow, pung or kong; ``tile`` its lowest tile."""

    kind: str
    tile: str
    claimed: bool = True
    added: bool = False
    feeder: str = ""
    """l, x, r, or nothing where it is not known."""

    @property
    def tiles(self) -> list[str]:
        if self.kind == "chow":
            return [f"{int(self.tile[0]) + step}{self.tile[1]}" for step in range(3)]
        return [self.tile] * (4 if self.kind == "kong" else 3)

    @property
    def text(self) -> str:
        """The meld in mjcli's notation."""
        mark = "" if self.kind != "kong" or not self.claimed else "a" if self.added else "o"
        return f"{''.join(tile[0] for tile in self.tiles)}{self.tile[1]}{mark}{self.feeder}"


@dataclass(frozen=True)
class PlainWin:
    """A win: the tiles and all that was said beside them."""

    concealed: tuple[str, ...]
    """Without the winning tile."""
    melds: tuple[PlainMeld, ...]
    win: str
    drawn: bool
    seat: str = "S"
    round: str = "E"
    discarder: str = ""
    """Seat of the discarder or of the robbed player, or nothing where it is not known."""
    last_tile: bool = False
    kong_draw: int = 0
    rob_kong: bool = False
    first_turn: bool = False
    winners: int = 1
    liable: str = ""
    """Seat of who is said to be liable."""
    fed_before: bool = False
    """Whether who fed the fourth claimed set had fed another's fourth."""

    @property
    def held(self) -> list[str]:
        """The tiles but for the winning one."""
        return [*self.concealed, *(tile for meld in self.melds for tile in meld.tiles)]

    def line(self) -> str:
        """Return the win as one line of mjcli's notation."""
        hand = ",".join(("".join(self.concealed), *(meld.text for meld in self.melds)))
        words = [f"seat={self.seat}", f"round={self.round}"]
        words += [f"from={self.discarder}"] if self.discarder else []
        words += ["last-tile"] if self.last_tile else []
        words += [f"kong-draw={self.kong_draw}"] if self.kong_draw else []
        words += ["rob-kong"] if self.rob_kong else []
        words += ["first-turn"] if self.first_turn else []
        words += [f"winners={self.winners}"] if self.winners > 1 else []
        words += [f"liable={self.liable}"] if self.liable else []
        words += ["fed-another-before"] if self.fed_before else []
        return f"{hand}{'++' if self.drawn else '+'}{self.win} {' '.join(words)}"


@dataclass(frozen=True)
class PlainScore:
    """The answer; several ``choices`` where equal readings count different patterns."""

    fan: int
    uncapped: int
    points: int
    can_win: bool
    payments: Mapping[str, int]
    liable: str
    choices: list[tuple[dict[str, int], set[str]]] = field(default_factory=list)
    """Fan of each pattern that counts, and the patterns that hold without counting."""


def plain_score(win: PlainWin, options: Mapping[str, Any] = DEFAULTS) -> PlainScore | None:
    """Return the value of a win, or None if the hand is not complete."""
    answers = [_value(holds, options) for holds in _all_readings(win, options)]
    if not answers:
        return None
    fan, uncapped = max((fan, uncapped) for fan, uncapped, _, _ in answers)
    points = 2**fan
    payments, liable = _payments(win, points, options)
    can_win = fan >= options["minimum_fan"]
    return PlainScore(
        fan=fan,
        uncapped=uncapped,
        points=points,
        can_win=can_win,
        payments=payments if can_win else {},
        liable=liable,
        choices=[(counts, rest) for one, two, counts, rest in answers if (one, two) == (fan, uncapped)],
    )


def _value(holds: dict[str, int], options: Mapping[str, Any]) -> tuple[int, int, dict[str, int], set[str]]:
    """Return fan, fan without cap and floor, what counts, and what holds without counting."""
    special = next((name for name in SPECIALS if name in holds), None)
    events = {name: 0 for name in EVENTS if name in holds}
    if special:
        fan = uncapped = SPECIALS[special]
        counts = {special: fan}
    else:
        named = [name for name in ORDINARY if name in holds]
        if options["stack_base"] and len(named) > 1:
            named.remove("ji_hu")
        else:
            named = named[:1]
        counts = {name: ORDINARY[name] for name in named}
        counts.update({name: holds[name] for name in BONUSES if name in holds})
        fan = uncapped = sum(counts.values())
        if options["cap"] != "none":
            fan = min(fan, options["cap"])
    if events:
        fan = max(fan, 3)
    counts.update(events)
    return fan, uncapped, counts, set(holds) - set(counts)


def _all_readings(win: PlainWin, options: Mapping[str, Any]) -> Iterator[dict[str, int]]:
    """Yield, for each way to see the hand, the patterns that hold, each with how often it does."""
    in_hand = sorted([*win.concealed, win.win])
    for pair, sets in ways(in_hand):
        yield _standard(win, pair, sets, options)
    if not win.melds and set(in_hand) == set(ORPHANS) and len(in_hand) == 14:
        yield {"shi_san_yao": 1, **_events(win, options)}


def ways(tiles: list[str]) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    for pair in sorted(set(tiles)):
        if tiles.count(pair) >= 2:
            rest = list(tiles)
            rest.remove(pair)
            rest.remove(pair)
            for sets in split(rest):
                yield pair, sets


def split(tiles: list[str]) -> Iterator[list[tuple[str, str]]]:
    if not tiles:
        yield []
        return
    first = tiles[0]
    if tiles.count(first) >= 3:
        rest = list(tiles)
        for _ in range(3):
            rest.remove(first)
        for sets in split(rest):
            yield [("pung", first), *sets]
    if first[1] != "z":
        chow = [f"{int(first[0]) + step}{first[1]}" for step in range(3)]
        if all(tile in tiles for tile in chow):
            rest = list(tiles)
            for tile in chow:
                rest.remove(tile)
            for sets in split(rest):
                yield [("chow", first), *sets]


def _standard(
    win: PlainWin, pair: str, concealed_sets: list[tuple[str, str]], options: Mapping[str, Any]
) -> dict[str, int]:
    sets = [*concealed_sets, *(("chow" if meld.kind == "chow" else "pung", meld.tile) for meld in win.melds)]
    tiles = [*win.concealed, win.win, *(tile for meld in win.melds for tile in meld.tiles)]
    pungs = [tile for kind, tile in sets if kind == "pung"]
    suits = {tile[1] for tile in tiles}
    honors = "z" in suits
    terminals = any(tile[0] in "19" and tile[1] != "z" for tile in tiles)
    simples = any(tile[0] not in "19" and tile[1] != "z" for tile in tiles)
    one_suit = len(suits - {"z"}) == 1
    dragons = sum(tile in DRAGONS for tile in pungs)
    winds = sum(tile in WINDS for tile in pungs)
    holds = {"ji_hu": 1}
    if len(pungs) == 0:
        holds["ping_hu"] = 1
    if len(pungs) == 4:
        holds["dui_dui_hu"] = 1
    if one_suit and honors:
        holds["hun_yi_se"] = 1
        if len(pungs) == 4:
            holds["hun_dui_dui"] = 1
    if one_suit and not honors:
        holds["qing_yi_se"] = 1
        if len(pungs) == 4:
            holds["qing_dui_dui"] = 1
    if not simples and terminals and honors:
        holds["hun_yao_jiu"] = 1
    if not simples and terminals and not honors:
        holds["qing_yao_jiu"] = 1
    if suits == {"z"}:
        holds["zi_yi_se"] = 1
    if dragons == 2 and pair in DRAGONS:
        holds["xiao_san_yuan"] = 1
    if dragons == 3:
        holds["da_san_yuan"] = 1
    if winds == 3 and pair in WINDS:
        holds["xiao_si_xi"] = 1
    if winds == 4:
        holds["da_si_xi"] = 1
    if one_suit and not honors and not win.melds and _nine_gates(win, options):
        holds["jiu_lian"] = 1
    kongs = sum(meld.kind == "kong" for meld in win.melds)
    if options["shi_ba_luo_han"] and kongs == 4:
        holds["shi_ba_luo_han"] = 1
    bonuses = {
        "men_feng": pungs.count(WINDS[SEATS.index(win.seat)]),
        "quan_feng": pungs.count(WINDS[SEATS.index(win.round)]),
        "san_yuan_pai": dragons,
        "gang": kongs if options["kong_fan"] else 0,
    }
    holds.update({name: times for name, times in bonuses.items() if times})
    return {**holds, **_events(win, options)}


def _nine_gates(win: PlainWin, options: Mapping[str, Any]) -> bool:
    gates = "1112345678999"
    before = "".join(sorted(tile[0] for tile in win.concealed))
    if options["jiu_lian_any"]:
        after = sorted(before + win.win[0])
        return any(sorted(gates + extra) == after for extra in "123456789")
    return before == gates


def _events(win: PlainWin, options: Mapping[str, Any]) -> dict[str, int]:
    """Return what holds of any complete hand by how it was won."""
    claimed = any(meld.claimed for meld in win.melds)
    untouched = win.first_turn and not win.melds
    dealer = win.seat == "E"
    in_time = (
        options["ren_hu_scope"] == "until_own_draw" or win.discarder == "E" or (win.seat, win.discarder) == ("S", "")
    )
    found = {
        "tian_hu": untouched and win.drawn and dealer,
        "di_hu": untouched and win.drawn and not dealer,
        "ren_hu": untouched and not win.drawn and not dealer and in_time,
        "zi_mo": win.drawn,
        "men_qian_qing": options["concealed_fan"] and not claimed,
        "gang_shang_hua": win.kong_draw > 0,
        "hai_di": win.last_tile and win.drawn,
        "he_di": options["lift_last_discard"] and win.last_tile and not win.drawn,
        "qiang_gang": win.rob_kong,
        "san_xiang": win.winners == 3,
    }
    return {name: 1 for name, holds in found.items() if holds}


# payments


def seat_of(relation: str, seat: str) -> str:
    """Return who sits left, across or right of a seat: the right-hand player plays next."""
    return SEATS[(SEATS.index(seat) + {"r": 1, "x": 2, "l": 3}[relation]) % 4]


def _liable(win: PlainWin, options: Mapping[str, Any]) -> str:
    """Return the seat of the player who pays alone for a self-draw, or nothing."""
    if not win.drawn:
        return ""
    events: list[tuple[int, str]] = []
    if options["liability"] == "on":
        claimed = [place for place, meld in enumerate(win.melds) if meld.claimed]
        if len(claimed) == 4 and not win.fed_before:
            events.append((claimed[3], win.melds[claimed[3]].feeder))
        for honors, needed in ((DRAGONS, 3), (WINDS, 4)):
            ponged = [place for place in claimed if win.melds[place].tile in honors and _by_pung(win.melds[place])]
            if len(ponged) == needed:
                events.append((ponged[-1], win.melds[ponged[-1]].feeder))
        if win.kong_draw and win.melds and not any(meld.added for meld in win.melds):
            last = win.melds[-1]
            if last.kind == "kong" and last.claimed:
                events.append((len(win.melds) - 1, last.feeder))
    if events:
        places = [place for place, _ in events]
        decisive = max(places) if options["liability_conflict"] == "later" else min(places)
        feeder = "l" if win.melds[decisive].kind == "chow" else dict(events)[decisive]  # only 上家 feeds a chow
        if feeder:
            return seat_of(feeder, win.seat)
    return win.liable


def _by_pung(meld: PlainMeld) -> bool:
    """Return whether a meld was claimed by 碰: a pung, or a kong that was added to one."""
    return meld.kind == "pung" or (meld.kind == "kong" and meld.added)


def _payments(win: PlainWin, points: int, options: Mapping[str, Any]) -> tuple[dict[str, int], str]:
    """Return what each seat receives (or each role, where nobody knows who discarded), and who is liable."""
    liable = _liable(win, options)
    paid = dict.fromkeys(SEATS, 0)
    if liable:
        paid[liable] = 3 * points
    elif win.drawn:
        paid = {seat: points for seat in SEATS if seat != win.seat}
    else:
        amount = 3 * points if win.rob_kong else points
        if not win.discarder:
            return {"winner": amount, "discarder": -amount, "other": 0}, ""
        paid[win.discarder] = amount
    received = {seat: -paid.get(seat, 0) for seat in SEATS}
    received[win.seat] = sum(paid.values())
    return received, liable
