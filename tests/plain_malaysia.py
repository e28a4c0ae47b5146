"""馬來西亞四人麻雀 once more, in plain slow code, against which ``rulesets/malaysia-4p.yaml`` is held.

Written from the description of the game alone. It shares nothing with mjcli: tiles are texts such as ``5m``, and
patterns, values, payments and liability are all spelt out here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from tests.plain_jipinghu import DRAGONS, ORPHANS, SEATS, WINDS, PlainMeld, seat_of, ways
from tests.plain_wins import FlowerWin, PlainScore, is_orphans

DEFAULTS: Final[Mapping[str, Any]] = {
    "spec_only": False,
    "flowers": True,
    "minimum_fan": 1,
    "cap": 5,
    "points": "doubling",
    "payment": "half",
    "liability": "on",
    "east_pung_for_east": 0,
}

SPECIFIED: Final = (
    *("zi_mo", "men_qian_qing", "wu_hua", "hua_shang_hua", "gang_shang_hua", "qiang_gang", "dong_feng", "men_feng"),
    *("san_yuan_pai", "zheng_hua", "ping_hu", "yi_ban_gao"),
)
"""One fan each."""
PROPOSED: Final = {
    "dui_dui_hu": 2,
    "hun_yi_se": 2,
    "hun_yao_jiu": 2,
    "xiao_san_yuan": 3,
    "qing_yi_se": 4,
    "yi_tai_hua": 1,
    "hai_di": 1,
}
LIMITS: Final = (
    *("shi_san_yao", "da_si_xi", "da_san_yuan", "xiao_si_xi", "zi_yi_se", "qing_yao_jiu", "jiu_lian"),
    *("shi_ba_luo_han", "kan_kan_hu", "tian_hu", "di_hu"),
)
"""In order of precedence, though all are worth the same."""
PATTERNS: Final = (*SPECIFIED, *PROPOSED, *LIMITS)
OF_FLOWERS: Final = ("wu_hua", "hua_shang_hua", "zheng_hua", "yi_tai_hua")


def plain_score(win: FlowerWin, options: Mapping[str, Any] = DEFAULTS) -> PlainScore | None:
    """Return the value of a win, or None if the hand is not complete."""
    answers = [_counted(holds, win, options) for holds in _all_readings(win, options)]
    if not answers:
        return None
    uncapped = max(sum(counts.values()) for counts, _ in answers)
    fan = min(uncapped, options["cap"])
    points = min(20 * fan, 200) if options["points"] == "linear" else 2**fan
    payments, liable = _payments(win, points, options)
    can_win = fan >= options["minimum_fan"]
    choices: list[tuple[dict[str, int], set[str] | None]] = [
        (counts, rest) for counts, rest in answers if sum(counts.values()) == uncapped
    ]
    return PlainScore(fan, uncapped, points, can_win, payments if can_win else {}, liable, choices)


def _counted(holds: dict[str, int], win: FlowerWin, options: Mapping[str, Any]) -> tuple[dict[str, int], set[str]]:
    """Return what counts, with its fan, and what holds without counting."""
    limits = [name for name in LIMITS if name in holds]
    if limits:
        counts: dict[str, int] = {limits[0]: options["cap"]}
    else:
        counts = {name: times * PROPOSED.get(name, 1) for name, times in holds.items()}
        if "dong_feng" in counts and win.seat == "E":
            counts["dong_feng"] = options["east_pung_for_east"]
        if "xiao_san_yuan" in counts:
            del counts["san_yuan_pai"]
    return counts, set(holds) - set(counts)


def _all_readings(win: FlowerWin, options: Mapping[str, Any]) -> Iterator[dict[str, int]]:
    """Yield, for each way to see the hand, the patterns that hold, each with how often it does."""
    in_hand = sorted([*win.concealed, win.win])
    found = [_standard(win, pair, sets, options) for pair, sets in ways(in_hand)]
    if not win.melds and is_orphans(in_hand) and not options["spec_only"]:
        found.append({"shi_san_yao": 1})
    for of_sets in found:
        every = {**of_sets, **_events(win)}
        off = [name for name in every if name not in SPECIFIED] if options["spec_only"] else []
        off += [] if options["flowers"] else OF_FLOWERS
        yield {name: times for name, times in every.items() if name not in off}


def _standard(
    win: FlowerWin, pair: str, concealed_sets: list[tuple[str, str]], options: Mapping[str, Any]
) -> dict[str, int]:
    in_hand = [tile for kind, tile in concealed_sets if kind == "pung"]
    hand_chows = [tile for kind, tile in concealed_sets if kind == "chow"]
    pungs = [*in_hand, *(meld.tile for meld in win.melds if meld.kind != "chow")]
    chows = [*hand_chows, *(meld.tile for meld in win.melds if meld.kind == "chow")]
    tiles = [*win.held, win.win]
    suits = {tile[1] for tile in tiles} - {"z"}
    honors = any(tile[1] == "z" for tile in tiles)
    dragons = sum(tile in DRAGONS for tile in pungs)
    winds = sum(tile in WINDS for tile in pungs)
    own = WINDS[SEATS.index(win.seat)]
    elsewhere = win.win == pair or any(win.win in PlainMeld("chow", tile).tiles for tile in hand_chows)
    fed = not win.drawn and win.win in in_hand and not elsewhere
    hidden = len(in_hand) + sum(not meld.claimed for meld in win.melds) - fed
    kongs = sum(meld.kind == "kong" for meld in win.melds)
    found = {
        "dong_feng": "1z" in pungs and (win.seat != "E" or options["east_pung_for_east"] > 0),
        "men_feng": win.seat != "E" and own in pungs,
        "san_yuan_pai": dragons,
        "ping_hu": len(chows) == 4,
        "yi_ban_gao": len(set(chows)) < len(chows),
        "dui_dui_hu": len(pungs) == 4,
        "hun_yi_se": len(suits) == 1 and honors,
        "qing_yi_se": len(suits) == 1 and not honors,
        "hun_yao_jiu": all(tile in ORPHANS for tile in tiles) and bool(suits) and honors,
        "xiao_san_yuan": dragons == 2 and pair in DRAGONS,
        "da_san_yuan": dragons == 3,
        "xiao_si_xi": winds == 3 and pair in WINDS,
        "da_si_xi": winds == 4,
        "zi_yi_se": not suits,
        "qing_yao_jiu": all(tile in ORPHANS[:6] for tile in tiles),
        "jiu_lian": not win.melds and len(suits) == 1 and not honors and _nine_gates(tiles),
        "shi_ba_luo_han": kongs == 4,
        "kan_kan_hu": hidden == 4,
    }
    return {name: int(holds) for name, holds in found.items() if holds}


def _nine_gates(tiles: list[str]) -> bool:
    ranks = sorted(tile[0] for tile in tiles)
    return any(sorted("1112345678999" + extra) == ranks for extra in "123456789")


def _events(win: FlowerWin) -> dict[str, int]:
    """Return what holds of any complete hand by how it was won, and the flowers."""
    untouched = win.first_turn and win.drawn and not win.melds
    found = {
        "zi_mo": win.drawn,
        "men_qian_qing": not win.melds,
        "wu_hua": not win.flowers,
        "hua_shang_hua": win.flower_draw,
        "gang_shang_hua": win.kong_draw > 0,
        "qiang_gang": win.rob_kong,
        "zheng_hua": win.own_flowers,
        "yi_tai_hua": win.flower_sets,
        "hai_di": win.last_tile and win.drawn,
        "tian_hu": untouched and win.seat == "E",
        "di_hu": untouched and win.seat != "E",
    }
    return {name: int(holds) for name, holds in found.items() if holds}


def _payments(win: FlowerWin, points: int, options: Mapping[str, Any]) -> tuple[dict[str, int], bool]:
    """Return what each seat receives (or each role, where nobody knows who discarded), and whether one is liable."""
    others = [seat for seat in SEATS if seat != win.seat]
    liable = _liable(win, options)
    if liable:
        paid = {liable: 6 * points}
    elif win.drawn:
        paid = dict.fromkeys(others, 2 * points)
    else:
        named, other = (4 * points, 0) if options["payment"] == "full" else (2 * points, points)
        if not win.discarder:
            return {"winner": named + 2 * other, "discarder": -named, "other": -other}, False
        paid = {**dict.fromkeys(others, other), win.discarder: named}
    return {seat: sum(paid.values()) if seat == win.seat else -paid.get(seat, 0) for seat in SEATS}, bool(liable)


def _liable(win: FlowerWin, options: Mapping[str, Any]) -> str:
    """Return the seat of the player who pays alone for a self-draw, or nothing."""
    if not win.drawn:
        return ""
    events = []
    for honors, needed in ((DRAGONS, 3), (WINDS, 4)):
        fed = [place for place, meld in enumerate(win.melds) if meld.claimed and meld.tile in honors]
        if options["liability"] == "on" and len(fed) == needed:
            events.append(win.melds[fed[-1]].feeder)
    # four melds cannot be three of dragons and four of winds
    return seat_of(events[0], win.seat) if events and events[0] else win.liable
