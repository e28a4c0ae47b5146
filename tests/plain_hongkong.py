"""香港清章 once more, in plain slow code: what the engine and ``rulesets/hongkong.yaml`` say is held against it.

Written from the description of the game alone. It shares nothing with mjcli: tiles are texts such as ``5m``, and
patterns, values, payments and liability are all spelt out here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from tests.plain_jipinghu import DRAGONS, ORPHANS, SEATS, WINDS, PlainMeld, seat_of, ways
from tests.plain_wins import FlowerWin, PlainScore, is_orphans

DEFAULTS: Final[Mapping[str, Any]] = {
    "flowers": True,
    "minimum_fan": 3,
    "flowers_count_for_minimum": True,
    "cap": 10,
    "limit_hands_exclusive": True,
    "points": "half_spicy",
    "price": 1,
    "payment": "full",
    "robbed_kong": "discarder",
    "liability": "on",
    "liability_conflict": "later",
    "twelve_tiles": "any",
    "kong_draw_liability": "feeder",
    "ping_hu_honor_pair": True,
    "men_qian_qing": True,
    "he_di": True,
    "yi_tai_hua": 2,
    "flower_set_replaces_own": True,
    "hua_hu": 3,
    "da_hua_hu": 8,
    "hun_yao_jiu": 4,
    "xiao_san_yuan": 5,
    "da_san_yuan": 8,
    "dragons_inclusive": True,
    "xiao_si_xi": 6,
    "qing_yi_se": 7,
    "kan_kan_hu": 8,
    "kan_kan_hu_kongs": False,
    "lian_gang": 8,
    "qing_yao_jiu": 10,
    "jiu_lian": 10,
    "jiu_lian_wait": "any",
    "shi_san_yao": 13,
    "da_si_xi": 13,
    "shi_ba_luo_han": 13,
    "tian_hu": 13,
    "di_hu": 13,
    "ren_hu": 13,
    "xiao_qi_dui": "none",
}

ONE_FAN: Final = (
    *("ping_hu", "zi_mo", "men_qian_qing", "san_yuan_pai", "men_feng", "quan_feng", "qiang_gang", "hai_di", "he_di"),
    *("gang_shang_hua", "wu_hua", "zheng_hua"),
)
THREE_FAN: Final = ("dui_dui_hu", "hun_yi_se")
VALUED: Final = ("hun_yao_jiu", "xiao_san_yuan", "qing_yi_se", "yi_tai_hua", "xiao_qi_dui", "hua_hu", "da_hua_hu")
"""Patterns whose value an option says."""
LIMITS: Final = ("shi_san_yao", "da_si_xi", "shi_ba_luo_han", "tian_hu", "di_hu", "ren_hu", "zi_yi_se", "qing_yao_jiu")
MAYBE_LIMITS: Final = (*LIMITS, "jiu_lian", "xiao_si_xi", "da_san_yuan", "kan_kan_hu", "lian_gang")
"""Patterns that are limit hands from 10 fan on; of equals the first counts."""
PATTERNS: Final = ("ji_hu", *ONE_FAN, *THREE_FAN, *VALUED, *MAYBE_LIMITS)

FLOWER_FAN: Final = ("wu_hua", "zheng_hua", "yi_tai_hua")


def plain_score(win: FlowerWin, options: Mapping[str, Any] = DEFAULTS) -> PlainScore | None:
    """Return the value of a win, or None if the hand is not complete."""
    answers = [_counted(holds, options) for holds in _all_readings(win, options)]
    if not answers:
        return None
    cap = options["cap"]

    def value(counts: Mapping[str, int]) -> tuple[int, int]:
        total = sum(counts.values())
        return (total if cap == "none" else min(total, cap)), total

    fan, uncapped = max(value(counts) for counts, _ in answers)
    choices = [(counts, rest) for counts, rest in answers if value(counts) == (fan, uncapped)]
    points = _points(fan, options)
    payments, liable = _payments(win, points, options)
    # of equal readings all have the same flowers, except that seven flowers may win as such
    flower_fan = max(sum(counts.get(name, 0) for name in FLOWER_FAN) for counts, _ in choices)
    can_win = uncapped - (0 if options["flowers_count_for_minimum"] else flower_fan) >= options["minimum_fan"]
    return PlainScore(fan, uncapped, points, can_win, payments if can_win else {}, liable, choices)


def _counted(holds: dict[str, int], options: Mapping[str, Any]) -> tuple[dict[str, int], set[str] | None]:
    """Return what counts, with its fan, and what holds without counting."""
    values = {name: times * _worth(name, options) for name, times in holds.items()}
    if "di_hu" in values:
        values.pop("ren_hu", None)
    alone = options["limit_hands_exclusive"] or options["cap"] != "none"
    limits = [name for name in MAYBE_LIMITS if values.get(name, 0) >= 10 and alone]
    if "hua_hu" in values or "da_hua_hu" in values:
        return values, None
    if limits:
        dearest = max(values[name] for name in limits)
        values = {next(name for name in limits if values[name] == dearest): dearest}
    else:
        inclusive = options["dragons_inclusive"]
        for name, included in (
            ("hun_yao_jiu", "dui_dui_hu"),
            ("kan_kan_hu", "dui_dui_hu"),
            ("lian_gang", "gang_shang_hua"),
            *((("xiao_san_yuan", "san_yuan_pai"), ("da_san_yuan", "san_yuan_pai")) if inclusive else ()),
        ):
            if name in holds:
                values.pop(included, None)
        if not values:
            values = {"ji_hu": 0}
    return values, set(holds) - set(values)


def _worth(name: str, options: Mapping[str, Any]) -> int:
    if name in ONE_FAN:
        return 1
    if name in THREE_FAN:
        return 3
    return 10 if name == "zi_yi_se" else int(options[name])


def _all_readings(win: FlowerWin, options: Mapping[str, Any]) -> Iterator[dict[str, int]]:
    """Yield, for each way to see the hand, the patterns that hold, each with how often it does."""
    in_hand = sorted([*win.concealed, *([win.win] if win.win else [])])
    flowers = len(win.flowers)
    if options["flowers"] and win.drawn and flowers >= 7:
        yield {"hua_hu" if flowers == 7 else "da_hua_hu": 1}
    if not win.win:
        return
    for pair, sets in ways(in_hand):
        yield {**_of_tiles(win, options), **_of_sets(win, pair, sets, options), **_events(win, options)}
    if not win.melds and is_orphans(in_hand):
        yield {**_of_tiles(win, options), **_events(win, options), "shi_san_yao": 1}
    pairs = len(in_hand) == 14 and len(set(in_hand)) == 7 and all(in_hand.count(tile) == 2 for tile in in_hand)
    if options["xiao_qi_dui"] != "none" and pairs:
        yield {**_of_tiles(win, options), **_events(win, options), "xiao_qi_dui": 1}


def _of_tiles(win: FlowerWin, options: Mapping[str, Any]) -> dict[str, int]:
    """Return what holds of the tiles, however they are seen."""
    tiles = [*win.concealed, *([win.win] if win.win else []), *(tile for meld in win.melds for tile in meld.tiles)]
    suits = {tile[1] for tile in tiles} - {"z"}
    honors = any(tile[1] == "z" for tile in tiles)
    pungs = [meld.tile for meld in win.melds if meld.kind != "chow"]
    found = {
        "hun_yi_se": len(suits) == 1 and honors,
        "qing_yi_se": len(suits) == 1 and not honors,
        "zi_yi_se": not suits,
        "qing_yao_jiu": options["qing_yao_jiu"] != "none" and all(tile in ORPHANS[:6] for tile in tiles),
        "jiu_lian": not win.melds and len(suits) == 1 and not honors and _nine_gates(win, options),
        "shi_ba_luo_han": sum(meld.kind == "kong" for meld in win.melds) == 4,
    }
    return {**{name: 1 for name, holds in found.items() if holds}, **_honor_pungs(win, pungs)}


def _honor_pungs(win: FlowerWin, pungs: list[str]) -> dict[str, int]:
    found = {
        "men_feng": pungs.count(WINDS[SEATS.index(win.seat)]),
        "quan_feng": pungs.count(WINDS[SEATS.index(win.round)]),
        "san_yuan_pai": sum(tile in DRAGONS for tile in pungs),
        "da_san_yuan": int(sum(tile in DRAGONS for tile in pungs) == 3),
        "da_si_xi": int(sum(tile in WINDS for tile in pungs) == 4),
        "dui_dui_hu": int(len(pungs) == 4),
    }
    return {name: times for name, times in found.items() if times}


def _of_sets(
    win: FlowerWin, pair: str, concealed_sets: list[tuple[str, str]], options: Mapping[str, Any]
) -> dict[str, int]:
    in_hand = [tile for kind, tile in concealed_sets if kind == "pung"]
    pungs = [*in_hand, *(meld.tile for meld in win.melds if meld.kind != "chow")]
    every = [*pungs, pair]
    # a discard completes a pung where no other group of the reading can have taken it
    chows = [tile for kind, tile in concealed_sets if kind == "chow"]
    elsewhere = win.win == pair or any(win.win in PlainMeld("chow", tile).tiles for tile in chows)
    fed = not win.drawn and win.win in in_hand and not elsewhere
    kongs = [meld for meld in win.melds if meld.kind == "kong"]
    hidden = len(in_hand) + sum(not meld.claimed for meld in kongs) - fed
    ends = all(tile in ORPHANS for tile in every)
    found = {
        "ping_hu": not pungs and (options["ping_hu_honor_pair"] or pair[1] != "z"),
        "hun_yao_jiu": len(pungs) == 4 and ends and len({tile[1] == "z" for tile in every}) == 2,
        "xiao_san_yuan": pair in DRAGONS and sum(tile in DRAGONS for tile in pungs) == 2,
        "xiao_si_xi": pair in WINDS and sum(tile in WINDS for tile in pungs) == 3,
        "kan_kan_hu": hidden == 4 and (options["kan_kan_hu_kongs"] or not kongs),
    }
    return {**{name: 1 for name, holds in found.items() if holds}, **_honor_pungs(win, pungs)}


def _nine_gates(win: FlowerWin, options: Mapping[str, Any]) -> bool:
    gates = "1112345678999"
    before = "".join(sorted(tile[0] for tile in win.concealed))
    if options["jiu_lian_wait"] == "nine_on_discard" and not win.drawn:
        return before == gates
    after = sorted(before + win.win[:1])
    return any(sorted(gates + extra) == after for extra in "123456789")


def _events(win: FlowerWin, options: Mapping[str, Any]) -> dict[str, int]:
    """Return what holds by how it was won, and the flowers."""
    untouched = win.first_turn and not win.melds
    dealer = win.seat == "E"
    first_discard = win.discarder == "E" or (win.seat == "S" and not win.discarder)
    found = {
        "zi_mo": win.drawn,
        "men_qian_qing": options["men_qian_qing"] and not options["flowers"] and not win.melds,
        "qiang_gang": win.rob_kong,
        "hai_di": win.last_tile and win.drawn,
        "he_di": options["he_di"] and win.last_tile and not win.drawn,
        "gang_shang_hua": win.kong_draw > 0,
        "lian_gang": win.kong_draw == 2,
        "tian_hu": untouched and win.drawn and dealer,
        "di_hu": untouched and not win.drawn and not dealer and first_discard,
        "ren_hu": untouched and not win.drawn and not dealer,
        "wu_hua": options["flowers"] and not win.flowers,
    }
    own = win.own_flowers - (win.flower_sets if options["flower_set_replaces_own"] else 0)
    flowers = {"zheng_hua": own, "yi_tai_hua": win.flower_sets}
    return {**{name: 1 for name, holds in found.items() if holds}, **{name: n for name, n in flowers.items() if n}}


# points and payments

HALF_SPICY: Final = (1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384)
FAN_LAAK: Final = (1, 2, 4, 8, 16, 16, 16, 32, 32, 32, 64)


def _points(fan: int, options: Mapping[str, Any]) -> int:
    if options["points"] == "full_spicy":
        table = 2**fan
    elif options["points"] == "fan_laak":
        table = 4 * FAN_LAAK[min(fan, 10)]
    else:
        # beyond the printed table two fan double
        steps = max(0, (fan - 12) // 2)
        table = HALF_SPICY[fan - 2 * steps] << steps
        table *= 4 if options["points"] == "hkma" else 1
    return int(table * options["price"])


def _liable(win: FlowerWin, options: Mapping[str, Any]) -> str:
    """Return the seat of the player who pays alone for a self-draw, or nothing."""
    if not win.drawn:
        return ""
    events: list[tuple[int, str]] = []
    claimed = [place for place, meld in enumerate(win.melds) if meld.claimed]
    tiles = [*win.concealed, *([win.win] if win.win else []), *(tile for meld in win.melds for tile in meld.tiles)]
    flush = len({tile[1] for tile in tiles}) == 1 and tiles[0][1] != "z"
    full = options["payment"] == "full"
    added = any(meld.added for meld in win.melds)
    spared = options["kong_draw_liability"] == "none" and win.kong_draw
    if options["liability"] == "on" and not spared:
        if len(claimed) == 4 and (flush or options["twelve_tiles"] == "any" or not full):
            events.append((claimed[3], win.melds[claimed[3]].feeder))
        for honors, needed in ((DRAGONS, 3), (WINDS, 4)):
            fed = [place for place in claimed if win.melds[place].tile in honors and win.melds[place].kind != "chow"]
            if full and len(fed) == needed:
                events.append((fed[-1], win.melds[fed[-1]].feeder))
        if full and win.melds and not added:
            last = win.melds[-1]
            four = len(claimed) == 4 and all(meld.kind == "kong" for meld in win.melds)
            if last.kind == "kong" and last.claimed and (four or win.kong_draw):
                events.append((len(win.melds) - 1, last.feeder))
    if events:
        places = [place for place, _ in events]
        decisive = max(places) if options["liability_conflict"] == "later" else min(places)
        feeder = "l" if win.melds[decisive].kind == "chow" else dict(events)[decisive]  # only 上家 feeds a chow
        if feeder:
            return seat_of(feeder, win.seat)
    return win.liable


def _payments(win: FlowerWin, points: int, options: Mapping[str, Any]) -> tuple[dict[str, int], bool]:
    """Return what each seat receives (or each role, where nobody knows who discarded), and whether one is liable."""
    liable = _liable(win, options)
    others = [seat for seat in SEATS if seat != win.seat]
    share = points // 2
    if liable:
        paid = {liable: 3 * share}
    elif win.drawn:
        paid = dict.fromkeys(others, share)
    else:
        named, other = points, 0
        laak = options["points"] == "fan_laak"
        claimed = sum(meld.claimed for meld in win.melds)
        if win.rob_kong and options["robbed_kong"] == "three_shares":
            named = 3 * share
        elif laak or (options["payment"] == "half" and not (claimed >= 3 and options["liability"] == "on")):
            named, other = -(-points // 2), -(-points // 4)
        if not win.discarder:
            return {"winner": named + 2 * other, "discarder": -named, "other": -other}, False
        paid = {**dict.fromkeys(others, other), win.discarder: named}
    return {seat: sum(paid.values()) if seat == win.seat else -paid.get(seat, 0) for seat in SEATS}, bool(liable)
