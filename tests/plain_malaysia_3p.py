"""馬來西亞三人麻雀 once more, in plain slow code: what the engine and ``rulesets/malaysia-3p.yaml`` say is held to it.

Written from the description of the game alone, of which it shares nothing with mjcli. A joker 飛 is tried as every tile
that there is, so that a hand with four of them is read thousands of times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations_with_replacement
from typing import Any, Final

from tests.plain_jipinghu import DRAGONS, WINDS, PlainMeld, ways
from tests.plain_wins import FlowerWin, PlainScore

SEATS: Final = "ESW"
JOKER: Final = "1j"
HONORS: Final = (*WINDS, *DRAGONS)

DEFAULTS: Final[Mapping[str, Any]] = {
    "suit": "dots",
    "heads": "people",
    "joker_tile": "1j",
    "minimum_fan": 5,
    "cap": 10,
    "four_jokers_win": False,
    "liability": "on",
}

VALUES: Final = {
    "dong_wu": 1,
    "ren_tou": 1,
    "si_dong_wu": 1,
    "si_ren_tou": 1,
    "zheng_hua": 1,
    "si_hao_hua": 1,
    "yi_tai_hua": 1,
    "san_yuan_pai": 1,
    "men_feng": 1,
    "dong_feng": 1,
    "bei_feng": 1,
    "xiao_san_yuan": 3,
    "hun_yi_se": 1,
    "qing_yi_se": 3,
    "dui_dui_hu": 2,
    "ping_hu": 1,
    "hua_shang_hua": 1,
    "gang_shang_hua": 1,
    "qiang_gang": 1,
}
"""Fan, each time; East's pung is worth 2 to East."""
LIMITS: Final = (
    *("da_si_xi", "da_san_yuan", "xiao_si_xi", "shi_ba_luo_han", "kan_kan_hu", "lian_gang", "wu_hua", "si_fei"),
    *("tian_hu", "di_hu", "hai_di"),
)
"""In order of precedence, though all are worth the same."""
PATTERNS: Final = (*VALUES, *LIMITS)


@dataclass(frozen=True)
class JokerMeld(PlainMeld):
    """A meld in which jokers stand for some of its tiles."""

    jokers: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        if not self.jokers:
            return super().text
        plain = self.tiles
        for tile in self.jokers:
            plain.remove(tile)
        runs = ["".join(tile[0] for tile in tiles) + self.tile[1] for tiles in (plain, self.jokers) if tiles]
        return f"{''.join(runs[:-1])}{'1' * len(self.jokers)}j={runs[-1]}{self.feeder}"


@dataclass(frozen=True)
class JokerWin(FlowerWin):
    """A win by one of three players; jokers stand among the concealed tiles, and may be the winning tile."""

    @property
    def meld_jokers(self) -> int:
        """How many jokers its melds hold."""
        return sum(len(meld.jokers) for meld in self.melds if isinstance(meld, JokerMeld))

    @property
    def jokers(self) -> int:
        """How many jokers it has in all."""
        return [*self.concealed, self.win].count(JOKER) + self.meld_jokers


@dataclass(frozen=True)
class JokerScore(PlainScore):
    """The answer, with what the jokers in the hand may stand for in the best of its readings, sorted."""

    meanings: set[tuple[str, ...]] = field(default_factory=set)


def plain_score(win: JokerWin, options: Mapping[str, Any] = DEFAULTS) -> JokerScore | None:
    """Return the value of a win, or None if the hand is not complete."""
    answers = [(meaning, *_counted(holds, win, options)) for meaning, holds in _all_readings(win, options)]
    if not answers:
        return None
    uncapped = max(sum(counts.values()) for _, counts, _ in answers)
    fan = min(uncapped, options["cap"])
    points = min(20 * fan, 200)
    payments, liable = _payments(win, points, options)
    can_win = fan >= options["minimum_fan"]
    best = [(meaning, counts, rest) for meaning, counts, rest in answers if sum(counts.values()) == uncapped]
    return JokerScore(
        fan=fan,
        uncapped=uncapped,
        points=points,
        can_win=can_win,
        payments=payments if can_win else {},
        liable=liable,
        choices=[(counts, rest) for _, counts, rest in best],
        meanings={meaning for meaning, _, _ in best},
    )


def _counted(
    holds: Mapping[str, int], win: JokerWin, options: Mapping[str, Any]
) -> tuple[dict[str, int], set[str] | None]:
    """Return what counts, with its fan, and what holds without counting; None where that is not asked."""
    limits = [name for name in LIMITS if name in holds]
    if limits:
        counts: dict[str, int] = {limits[0]: options["cap"]}
    else:
        counts = {name: times * VALUES[name] for name, times in holds.items() if name != "unfinished"}
        if "dong_feng" in counts and win.seat == "E":
            counts["dong_feng"] = 2
        if "xiao_san_yuan" in counts:
            del counts["san_yuan_pai"]
    return counts, None if "unfinished" in holds else set(holds) - set(counts)


def _all_readings(win: JokerWin, options: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], dict[str, int]]]:
    """Yield, for each way to see the hand, what its jokers stand for and the patterns that hold, with how often."""
    suit = "p" if options["suit"] == "dots" else "m"
    if options["four_jokers_win"] and win.jokers == 4 and win.drawn:
        yield (), {**_melds_alone(win), **_events(win), "unfinished": 1}
    every = [*win.concealed, win.win]
    plain = [tile for tile in every if tile != JOKER]
    kinds = (*(f"{rank}{suit}" for rank in range(1, 10)), *HONORS)
    for meaning in combinations_with_replacement(kinds, every.count(JOKER)):
        in_hand = sorted([*plain, *meaning])
        if not _may_be_complete(in_hand):
            continue
        for pair, sets in ways(in_hand):
            for tile in dict.fromkeys(meaning) if win.win == JOKER else (win.win,):
                yield meaning, {**_standard(replace(win, win=tile), in_hand, pair, sets), **_events(win)}


def _may_be_complete(tiles: Sequence[str]) -> bool:
    """Return False where a look at the counts tells that tiles are no sets and a pair, or five of them alike."""
    counts = Counter(tiles)
    honors = [count for tile, count in counts.items() if tile[1] == "z"]
    return max(counts.values()) <= 4 and honors.count(2) <= 1 and set(honors) <= {2, 3}


def _standard(win: JokerWin, tiles: Sequence[str], pair: str, concealed_sets: list[tuple[str, str]]) -> dict[str, int]:
    """Return the patterns of one way to see the tiles; a pung that only jokers make twice is one."""
    in_hand = {tile for kind, tile in concealed_sets if kind == "pung"}
    hand_chows = [tile for kind, tile in concealed_sets if kind == "chow"]
    pungs = in_hand | {meld.tile for meld in win.melds if meld.kind != "chow"}
    chows = [*hand_chows, *(meld.tile for meld in win.melds if meld.kind == "chow")]
    every = [*tiles, *(tile for meld in win.melds for tile in meld.tiles)]
    dots = any(tile[1] != "z" for tile in every)
    honors = any(tile[1] == "z" for tile in every)
    dragons, winds = sum(tile in DRAGONS for tile in pungs), sum(tile in WINDS for tile in pungs)
    own = WINDS[SEATS.index(win.seat)]
    elsewhere = win.win == pair or any(win.win in PlainMeld("chow", tile).tiles for tile in hand_chows)
    hidden = in_hand | {meld.tile for meld in win.melds if not meld.claimed}
    if not win.drawn and win.win in in_hand and not elsewhere:
        hidden -= {win.win}
    found = {
        "san_yuan_pai": dragons,
        "men_feng": win.seat != "E" and own in pungs,
        "dong_feng": "1z" in pungs,
        "bei_feng": "4z" in pungs,
        "xiao_san_yuan": dragons == 2 and pair in DRAGONS,
        "hun_yi_se": dots and honors,
        "qing_yi_se": dots and not honors,
        "dui_dui_hu": len(pungs) == 4,
        "ping_hu": len(chows) == 4,
        "da_si_xi": winds == 4,
        "da_san_yuan": dragons == 3,
        "xiao_si_xi": winds == 3 and pair in WINDS,
        "shi_ba_luo_han": _kongs(win) == 4,
        "kan_kan_hu": len(hidden) == 4,
    }
    return {name: int(holds) for name, holds in found.items() if holds}


def _melds_alone(win: JokerWin) -> dict[str, int]:
    """Return the limit hands that the melds make alone, whatever the other tiles are."""
    pungs = {meld.tile for meld in win.melds if meld.kind != "chow"}
    hidden = {meld.tile for meld in win.melds if not meld.claimed}
    found = {
        "da_si_xi": pungs >= set(WINDS),
        "da_san_yuan": pungs >= set(DRAGONS),
        "shi_ba_luo_han": _kongs(win) == 4,
        "kan_kan_hu": len(hidden) == 4,
    }
    return {name: 1 for name, holds in found.items() if holds}


def _kongs(win: JokerWin) -> int:
    return sum(meld.kind == "kong" for meld in win.melds)


def _events(win: JokerWin) -> dict[str, int]:
    """Return what holds of any complete hand by how it was won, its bonus tiles and its jokers."""
    untouched = win.first_turn and win.drawn and not win.melds
    bonus = Counter(win.flowers)
    animals = sum(bonus[f"{number}a"] for number in (1, 2, 3, 4))
    heads = sum(bonus[f"{number}a"] for number in (5, 6, 7))
    number = SEATS.index(win.seat) + 1
    found = {
        "dong_wu": animals,
        "ren_tou": heads,
        "si_dong_wu": animals == 4,
        "si_ren_tou": heads == 4,
        "zheng_hua": bonus[f"{number}f"] + bonus[f"{number}g"],
        "si_hao_hua": bonus["4f"] + bonus["4g"],
        "yi_tai_hua": sum(sum(bonus[f"{each}{letter}"] for each in (1, 2, 3, 4)) == 4 for letter in "fg"),
        "wu_hua": not win.flowers,
        "hua_shang_hua": win.flower_draw,
        "gang_shang_hua": win.kong_draw > 0,
        "lian_gang": win.kong_draw > 1,
        "qiang_gang": win.rob_kong,
        "si_fei": win.jokers == 4,
        "tian_hu": untouched and win.seat == "E",
        "di_hu": untouched and win.seat != "E",
        "hai_di": win.last_tile and win.drawn,
    }
    return {name: int(holds) for name, holds in found.items() if holds}


def _payments(win: JokerWin, points: int, options: Mapping[str, Any]) -> tuple[dict[str, int], bool]:
    """Return what each seat receives (or each role, where nobody knows who discarded), and whether one is liable."""
    others = [seat for seat in SEATS if seat != win.seat]
    liable = _liable(win, options)
    if liable:
        paid = {liable: 4 * points}
    elif win.drawn:
        paid = dict.fromkeys(others, 2 * points)
    elif win.discarder:
        paid = {**dict.fromkeys(others, points), win.discarder: 2 * points}
    else:
        return {"winner": 3 * points, "discarder": -2 * points, "other": -points}, False
    return {seat: sum(paid.values()) if seat == win.seat else -paid.get(seat, 0) for seat in SEATS}, bool(liable)


def _liable(win: JokerWin, options: Mapping[str, Any]) -> str:
    """Return the seat of the player who pays alone for a self-draw, or nothing."""
    if not win.drawn:
        return ""
    for honors, needed in ((DRAGONS, 3), (WINDS, 4)):
        fed = [meld for meld in win.melds if meld.claimed and meld.tile in honors]
        if options["liability"] == "on" and len(fed) == needed and fed[-1].feeder:
            step = 1 if fed[-1].feeder == "r" else 2
            return SEATS[(SEATS.index(win.seat) + step) % 3]
    return win.liable
