"""The four layers of Guangdong rules once more, in plain slow code, to hold the engine and ``rulesets/`` against.

Written from the description of the game alone. It shares nothing with mjcli: tiles are texts such as ``5m``, and
patterns, values, what leaves no room for what, payments and liability are all spelt out here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise, permutations
from typing import Any, Final

from tests.plain_jipinghu import DRAGONS, ORPHANS, SEATS, WINDS, PlainMeld, PlainWin

LAYERS: Final = ("guangdong-qingzhang", "guangdong-liudu", "guangdong-shibafan", "guangdong-xinzhang")

DEFAULTS: Final[Mapping[str, Any]] = {
    "minimum_fan": 0,
    "cap": "none",
    "chicken_fan": 0,
    "flowers": True,
    "reading": "best",
    "concealed_kong_keeps_concealed": True,
    "kan_kan_hu": 30,
    "dragons_inclusive": True,
    "jiu_lian_any": True,
    "he_di": False,
    "payment": "full",
    "dealer_share": 1,
    "liability": "on",
    "liability_conflict": "later",
    "ping_hu_honor_pair": True,
    "require_concealed_chows": False,
    "four_as_two_pairs": False,
    "qing_si_peng_allow_kong": False,
    "number_hands_allow_chows": False,
    "bu_bu_gao_steps": "[1, 2]",
    "igs_extra": False,
}

VALUES: Final[tuple[Mapping[str, int], ...]] = (
    {
        "ji_hu": 0,
        "zi_mo": 1,
        "qiang_gang": 1,
        "gang_shang_hua": 1,
        "hai_di": 1,
        "he_di": 1,
        "tian_hu": 20,
        "di_hu": 10,
        "san_yuan_pai": 1,
        "men_feng": 1,
        "quan_feng": 1,
        "xiao_san_yuan": 5,
        "da_san_yuan": 10,
        "xiao_si_xi": 20,
        "da_si_xi": 40,
        "dui_dui_hu": 3,
        "hun_yi_se": 3,
        "qing_yi_se": 10,
        "zi_yi_se": 40,
        "hun_yao_jiu": 10,
        "qing_yao_jiu": 40,
        "jiu_lian": 40,
        "shi_san_yao": 40,
        "kan_kan_hu": 30,
        "wu_hua": 1,
        "zheng_hua": 1,
        "yi_tai_hua": 2,
        "hua_hu": 2,
        "da_hua_hu": 8,
    },
    {
        "ping_hu": 1,
        "duan_yao": 1,
        "bu_qiu_ren": 3,
        "men_qian_qing": 1,
        "que_yi_men": 1,
        "jiang_yan": 1,
        "pian_kan_du": 1,
    },
    {
        "quan_qiu_ren": 3,
        "yi_ban_gao": 1,
        "wu_men_qi": 5,
        "si_gui_yi": 1,
        "hun_dai_yao": 2,
        "qing_dai_yao": 3,
        "yi_tiao_long": 3,
        "lao_shao": 1,
        "san_xiang_feng": 3,
        "lao_shao_peng": 1,
        "da_qi_dui": 10,
    },
    {
        "qing_si_peng": 1,
        "san_an_ke": 2,
        "xiao_qi_dui": 7,
        "san_ban_gao": 20,
        "quan_dai": 10,
        "san_shu": 10,
        "liang_shu": 20,
        "si_gui_san": 2,
        "si_gui_si": 4,
        "quan_da": 10,
        "quan_zhong": 10,
        "quan_xiao": 10,
        "hua_long": 1,
        "hun_long": 1,
        "shuang_long_hui": 5,
        "san_tong_peng": 2,
        "zi_qiang_gang": 1,
        "men_qian_san_qing": 1,
        "shi_ba_luo_han": 40,
        "bu_bu_gao": 20,
        "shi_san_bu_da": 3,
        "ban_qiu_ren": 2,
        "liang_gang": 1,
        "san_gang": 10,
        "san_lian_ke": 2,
        "si_lian_ke": 40,
        "quan_jiang_peng": 20,
        "hun_lao_tou": 2,
        "lu_yi_se": 40,
        "que_wu": 1,
        "ka_wu": 1,
        "tian_ting": 8,
        "di_ting": 4,
        "li_zhi": 1,
        "si_ban_gao": 40,
    },
)
"""By layer: the patterns that it adds, with their fan."""

EXTRA: Final = tuple(VALUES[3])[tuple(VALUES[3]).index("ban_qiu_ren") :]
"""What IGS has and the specification has not."""

CONCEALMENT: Final = ("men_qian_qing", "bu_qiu_ren")
NO_CONCEALMENT: Final = ("xiao_qi_dui", "shi_san_bu_da", "shi_san_yao", "jiu_lian", "kan_kan_hu", "tian_hu", "di_hu")
"""Beside these neither is there, so that a self-draw counts as such."""

WITHIN: Final[Mapping[str, tuple[str, ...]]] = {
    "bu_qiu_ren": ("men_qian_qing", "zi_mo"),
    "quan_qiu_ren": ("pian_kan_du",),
    "da_qi_dui": ("yi_ban_gao", "xiao_qi_dui"),
    "san_ban_gao": ("yi_ban_gao", "da_qi_dui"),
    "yi_tiao_long": ("lao_shao", "hua_long", "hun_long"),
    "hua_long": ("hun_long",),
    "shuang_long_hui": ("yi_tiao_long", "yi_ban_gao", "lao_shao"),
    "bu_bu_gao": ("qing_yi_se", "ping_hu"),
    "qing_dai_yao": ("hun_dai_yao",),
    "quan_dai": ("qing_dai_yao",),
    "quan_zhong": ("duan_yao",),
    "da_si_xi": ("xiao_si_xi", "men_feng", "quan_feng", "dui_dui_hu", "liang_shu", "san_shu"),
    "xiao_si_xi": ("men_feng", "quan_feng"),
    "da_san_yuan": ("xiao_san_yuan",),
    "zi_yi_se": ("dui_dui_hu", "hun_yao_jiu", "hun_dai_yao", "hun_yi_se", "qing_yi_se", "liang_shu", "san_shu"),
    "qing_yao_jiu": ("hun_yao_jiu", "qing_dai_yao", "dui_dui_hu", "liang_shu"),
    "hun_yao_jiu": ("hun_dai_yao", "qing_dai_yao", "hun_lao_tou"),
    "qing_yi_se": ("hun_yi_se",),
    "jiu_lian": ("qing_yi_se", "lao_shao", "lao_shao_peng", "yi_tiao_long"),
    "shi_san_yao": ("hun_yao_jiu", "pian_kan_du"),
    "xiao_qi_dui": ("pian_kan_du",),
    "shi_san_bu_da": ("pian_kan_du",),
    "kan_kan_hu": ("san_an_ke", "dui_dui_hu"),
    "shi_ba_luo_han": ("dui_dui_hu", "pian_kan_du", "san_gang", "liang_gang"),
    "zi_qiang_gang": ("qiang_gang",),
    "hua_hu": ("yi_tai_hua",),
    "da_hua_hu": ("yi_tai_hua",),
    "san_gang": ("liang_gang",),
    "si_lian_ke": ("san_lian_ke", "dui_dui_hu"),
    "quan_jiang_peng": ("san_shu", "dui_dui_hu"),
    "tian_ting": ("di_ting", "li_zhi"),
    "di_ting": ("li_zhi",),
    "si_ban_gao": ("san_ban_gao",),
}
"""What each pattern has within it, which is not counted beside it."""


@dataclass(frozen=True)
class GuangdongWin:
    """A win with what only these rules ask for."""

    win: PlainWin
    flowers: tuple[str, ...] = ()
    clean: bool = False
    rob_own_kong: bool = False
    flower_draw: bool = False
    ready: str = ""
    """A word such as ``ready-declared``, or nothing."""

    def line(self) -> str:
        """Return the win as one line of mjcli's notation."""
        words = [replace(self.win, concealed=(*self.win.concealed, *self.flowers)).line()]
        words += ["clean-opponents"] if self.clean else []
        words += ["rob-own-kong"] if self.rob_own_kong else []
        words += ["flower-draw"] if self.flower_draw else []
        words += [self.ready] if self.ready else []
        return " ".join(words)


@dataclass(frozen=True)
class GuangdongScore:
    """The answer; several ``choices`` where equal readings count different patterns."""

    fan: int
    uncapped: int
    points: int
    can_win: bool
    payments: Mapping[str, int]
    liable: bool
    choices: list[tuple[dict[str, int], set[str] | None]] = field(default_factory=list)
    """Fan of each pattern that counts, and the patterns that hold without counting (None where nobody asks)."""


@dataclass(frozen=True)
class View:
    """One way to see a hand: its sets, its pair, and the shape of the wait."""

    form: str
    chows: tuple[tuple[str, bool], ...] = ()
    """Lowest tile, and whether it is claimed."""
    pungs: tuple[tuple[str, bool], ...] = ()
    """Tile, and whether it is concealed; kongs too."""
    pair: str = ""
    shape: str = "single"


def plain_score(case: GuangdongWin, layer: int, options: Mapping[str, Any] = DEFAULTS) -> GuangdongScore | None:
    """Return the value of a win under the rules up to ``layer``, or None if the hand is not complete."""
    views = list(_views(case.win, layer, options))
    at_once = _at_once(case, options)
    if not views and not at_once:
        return None
    if options["reading"] == "pung_first_on_discard" and not case.win.drawn:
        views = [view for view in views if view.shape == "pung"] or views
    waits = _waits(case.win, layer, options)
    answers = [_value(_holds(case, view, waits, layer, options), view, layer, options) for view in views]
    answers += at_once
    uncapped = max(total for total, _, _ in answers)
    fan = uncapped if options["cap"] == "none" else min(uncapped, options["cap"])
    points = fan if options["chicken_fan"] else fan + 1
    payments, liable = _payments(case.win, points, options)
    can_win = fan >= options["minimum_fan"]
    return GuangdongScore(
        fan=fan,
        uncapped=uncapped,
        points=points,
        can_win=can_win,
        payments=payments if can_win else {},
        liable=liable,
        choices=[(counts, rest) for total, counts, rest in answers if total == uncapped],
    )


def _at_once(case: GuangdongWin, options: Mapping[str, Any]) -> list[tuple[int, dict[str, int], set[str] | None]]:
    """Return the value of seven or eight flowers, declared at once whatever the hand is."""
    if options["flowers"] and case.win.drawn and len(case.flowers) == 7:
        return [(3, {"zi_mo": 1, "hua_hu": 2}, None)]
    if options["flowers"] and case.win.drawn and len(case.flowers) == 8:
        return [(8, {"da_hua_hu": 8}, None)]
    return []


def _value(
    holds: dict[str, int], view: View, layer: int, options: Mapping[str, Any]
) -> tuple[int, dict[str, int], set[str] | None]:
    """Return fan, what counts, and what holds without counting."""
    standing = dict(holds)
    if any(name in holds for name in NO_CONCEALMENT):
        for name in CONCEALMENT:
            standing.pop(name, None)
    within = {other for name in standing for other in WITHIN.get(name, ())}
    if "quan_dai" in standing and view.pair[0] in "456":
        within.add("duan_yao")
    if options["dragons_inclusive"] and ("xiao_san_yuan" in standing or "da_san_yuan" in standing):
        within.add("san_yuan_pai")
    values = {name: fan for added in VALUES[: layer + 1] for name, fan in added.items()}
    values["kan_kan_hu"] = options["kan_kan_hu"]
    counts = {name: values[name] * times for name, times in standing.items() if name not in within}
    if not counts:
        counts["ji_hu"] = options["chicken_fan"]
    return sum(counts.values()), counts, set(holds) - set(counts)


# readings


def _tiles_of(win: PlainWin) -> list[str]:
    return [*win.concealed, win.win, *(tile for meld in win.melds for tile in meld.tiles)]


def _views(win: PlainWin, layer: int, options: Mapping[str, Any]) -> Iterator[View]:
    in_hand = [*win.concealed, win.win]
    for pair, sets in set(_ways(tuple(sorted(in_hand, key=lambda tile: (tile[1], tile[0]))), "")):
        places = {("pair", pair)} if pair == win.win else set()
        places |= {(kind, tile) for kind, tile in sets if win.win in PlainMeld(kind, tile).tiles}
        for place in places:
            yield _standard(win, pair, sets, place)
    if not win.melds:
        yield from (View(form) for form in _special_forms(in_hand, layer, options))


def _standard(win: PlainWin, pair: str, sets: tuple[tuple[str, str], ...], place: tuple[str, str]) -> View:
    kind, tile = place
    if kind == "chow":
        step = int(win.win[0]) - int(tile[0])
        at_the_edge = (step, tile[0]) in ((2, "1"), (0, "7"))
        shape = "closed" if step == 1 else "edge" if at_the_edge else "open"
    else:
        shape = {"pair": "single", "pung": "pung"}[kind]
    chows = [(tile, False) for kind, tile in sets if kind == "chow"]
    chows += [(meld.tile, True) for meld in win.melds if meld.kind == "chow"]
    pungs = [(tile, win.drawn or place != ("pung", tile)) for kind, tile in sets if kind == "pung"]
    pungs += [(meld.tile, not meld.claimed) for meld in win.melds if meld.kind != "chow"]
    return View("standard", tuple(chows), tuple(pungs), pair, shape)


def _ways(tiles: tuple[str, ...], pair: str) -> Iterator[tuple[str, tuple[tuple[str, str], ...]]]:
    """Yield the pair and the sets, sorted, of each way to see tiles sorted by suit and rank."""
    if not tiles:
        if pair:
            yield pair, ()
        return
    first = tiles[0]
    if not pair and tiles.count(first) >= 2:
        yield from _ways(tiles[2:], first)
    if tiles.count(first) >= 3:
        yield from ((found, tuple(sorted((*sets, ("pung", first))))) for found, sets in _ways(tiles[3:], pair))
    if first[1] != "z":
        rest = list(tiles)
        try:
            for tile in PlainMeld("chow", first).tiles:
                rest.remove(tile)
        except ValueError:
            return
        yield from ((found, tuple(sorted((*sets, ("chow", first))))) for found, sets in _ways(tuple(rest), pair))


def _special_forms(tiles: list[str], layer: int, options: Mapping[str, Any]) -> Iterator[str]:
    """Yield the forms beside sets and a pair that 14 concealed tiles have."""
    held = Counter(tiles)
    if set(held) == set(ORPHANS):
        yield "orphans"
    if layer < 3:
        return
    if all(count == 2 or (count == 4 and options["four_as_two_pairs"]) for count in held.values()):
        yield "pairs"
    if len(held) == 13 and not any(
        one != two and one[1] == two[1] and one[1] != "z" and abs(int(one[0]) - int(two[0])) < 3
        for one in held
        for two in held
    ):
        yield "unconnected"


def _waits(win: PlainWin, layer: int, options: Mapping[str, Any]) -> int:
    """Return how many kinds were waited on; one of which the player has all four is none."""
    before = list(win.concealed)
    every = Counter([*before, *(tile for meld in win.melds for tile in meld.tiles)])
    kinds = [f"{rank}{suit}" for suit in "mpsz" for rank in range(1, 8 if suit == "z" else 10)]
    return sum(
        every[kind] < 4
        and (
            _is_made_of_sets([*before, kind])
            or (not win.melds and any(_special_forms([*before, kind], layer, options)))
        )
        for kind in kinds
    )


NAMES = tuple(tuple(f"{rank}{suit}" for rank in range(1, 10)) for suit in "mpsz")
"""What tiles of each suit are called."""


def _is_made_of_sets(tiles: list[str]) -> bool:
    by_suit = [tuple(map(tiles.count, names)) for names in NAMES]
    if sorted(sum(counts) % 3 for counts in by_suit) != [0, 0, 0, 2]:
        return False
    return all(
        _suit_is_made_of_sets(counts, suit != "z", sum(counts) % 3 == 2)
        for counts, suit in zip(by_suit, "mpsz", strict=True)
    )


@cache
def _suit_is_made_of_sets(counts: tuple[int, ...], chows: bool, pair: bool) -> bool:
    rank = next((rank for rank, count in enumerate(counts) if count), None)
    if rank is None:
        return not pair

    def without(*ranks: int) -> tuple[int, ...]:
        return tuple(count - ranks.count(place) for place, count in enumerate(counts))

    if counts[rank] >= 3 and _suit_is_made_of_sets(without(rank, rank, rank), chows, pair):
        return True
    if pair and counts[rank] >= 2 and _suit_is_made_of_sets(without(rank, rank), chows, False):
        return True
    return (
        chows
        and rank <= 6
        and counts[rank + 1] > 0
        and counts[rank + 2] > 0
        and _suit_is_made_of_sets(without(rank, rank + 1, rank + 2), chows, pair)
    )


# patterns


def _holds(case: GuangdongWin, view: View, waits: int, layer: int, options: Mapping[str, Any]) -> dict[str, int]:
    """Return the patterns of a reading, each with how often it is there."""
    found = _old_patterns(case, view, waits, options)
    if layer >= 1:
        found |= _six_singles(case, view, waits, options)
    if layer >= 2:
        found |= _eighteen(case, view, options)
    if layer >= 3:
        found |= _all_the_rest(case, view, options)
        if options["igs_extra"]:
            found |= _extras(case, view)
    return {name: int(times) for name, times in found.items() if times}


def _old_patterns(case: GuangdongWin, view: View, waits: int, options: Mapping[str, Any]) -> dict[str, int]:
    win = case.win
    tiles = _tiles_of(win)
    suits = {tile[1] for tile in tiles}
    plain_suits = len(suits - {"z"})
    pungs = [tile for tile, _ in view.pungs]
    dragons, winds = sum(tile in DRAGONS for tile in pungs), sum(tile in WINDS for tile in pungs)
    untouched = win.first_turn and not win.melds
    own = str(SEATS.index(win.seat) + 1)
    full_sets = sum(all(f"{number}{suit}" in case.flowers for number in "1234") for suit in "fg")
    found: dict[str, int] = {
        "zi_mo": win.drawn,
        "qiang_gang": win.rob_kong,
        "gang_shang_hua": win.kong_draw > 0,
        "hai_di": win.last_tile and win.drawn,
        "he_di": options["he_di"] and win.last_tile and not win.drawn,
        "tian_hu": untouched and win.drawn and win.seat == "E",
        "di_hu": untouched and win.seat != "E" and (win.drawn or win.discarder in ("", "E")),
        "san_yuan_pai": dragons,
        "men_feng": pungs.count(WINDS[SEATS.index(win.seat)]),
        "quan_feng": pungs.count(WINDS[SEATS.index(win.round)]),
        "xiao_san_yuan": dragons == 2 and view.pair in DRAGONS,
        "da_san_yuan": dragons == 3,
        "xiao_si_xi": winds == 3 and view.pair in WINDS,
        "da_si_xi": winds == 4,
        "dui_dui_hu": len(pungs) == 4,
        "hun_yi_se": plain_suits == 1 and "z" in suits,
        "qing_yi_se": plain_suits == 1 and "z" not in suits,
        "zi_yi_se": suits == {"z"},
        "hun_yao_jiu": all(tile in ORPHANS for tile in tiles),
        "qing_yao_jiu": all(tile[0] in "19" and tile[1] != "z" for tile in tiles),
        "jiu_lian": view.form == "standard" and _nine_gates(win, waits, options),
        "shi_san_yao": view.form == "orphans",
        "kan_kan_hu": _concealed_pungs(win, view, options) == 4,
    }
    if options["flowers"]:
        found |= {
            "wu_hua": not case.flowers,
            "zheng_hua": sum(flower[0] == own for flower in case.flowers) - full_sets,
            "yi_tai_hua": full_sets,
            "hua_hu": len(case.flowers) == 7,
            "da_hua_hu": len(case.flowers) == 8,
        }
    return found


def _nine_gates(win: PlainWin, waits: int, options: Mapping[str, Any]) -> bool:
    tiles = [*win.concealed, win.win]
    if win.melds or len({tile[1] for tile in tiles}) > 1 or "z" in win.win:
        return False
    held = Counter(tile[0] for tile in tiles)
    gates = all(held[rank] >= (3 if rank in "19" else 1) for rank in "123456789")
    return gates and (options["jiu_lian_any"] or waits == 9)


def _concealed_pungs(win: PlainWin, view: View, options: Mapping[str, Any]) -> int:
    kongs = 0 if options["concealed_kong_keeps_concealed"] else sum(not meld.claimed for meld in win.melds)
    return sum(concealed for _, concealed in view.pungs) - kongs


def _is_concealed(win: PlainWin, options: Mapping[str, Any]) -> bool:
    if options["concealed_kong_keeps_concealed"]:
        return not any(meld.claimed for meld in win.melds)
    return not win.melds


def _six_singles(case: GuangdongWin, view: View, waits: int, options: Mapping[str, Any]) -> dict[str, int]:
    win = case.win
    tiles = _tiles_of(win)
    suits = {tile[1] for tile in tiles}
    concealed = _is_concealed(win, options)
    return {
        "ping_hu": len(view.chows) == 4 and (options["ping_hu_honor_pair"] or view.pair[1] != "z"),
        "duan_yao": not any(tile in ORPHANS for tile in tiles),
        "bu_qiu_ren": concealed and win.drawn,
        "men_qian_qing": concealed and not win.drawn,
        "que_yi_men": len(suits) == 2 and "z" not in suits,
        "jiang_yan": view.pair != "" and view.pair[0] in "258" and view.pair[1] != "z",
        "pian_kan_du": waits == 1 and view.shape in ("edge", "closed", "single"),
    }


def _chows_of(view: View, concealed_only: bool) -> Counter[str]:
    return Counter(tile for tile, claimed in view.chows if not (claimed and concealed_only))


def _has(tiles: Counter[str], *wanted: str) -> bool:
    return not Counter(wanted) - tiles


def _groups(view: View, tiles: list[str]) -> list[list[str]]:
    """Return the tiles of each set and of the pair; of seven pairs, of each pair."""
    if view.form == "standard":
        sets = [PlainMeld("chow", tile).tiles for tile, _ in view.chows]
        return [*sets, *([tile] for tile, _ in view.pungs), [view.pair]]
    return [[tile] for tile in set(tiles)] if view.form == "pairs" else []


def _eighteen(case: GuangdongWin, view: View, options: Mapping[str, Any]) -> dict[str, int]:
    win = case.win
    tiles = _tiles_of(win)
    chows, pungs = _chows_of(view, False), {tile for tile, _ in view.pungs}
    asked = _chows_of(view, options["require_concealed_chows"])
    groups = _groups(view, tiles)
    outside = bool(groups) and all(any(tile in ORPHANS for tile in group) for group in groups)
    honors = any(tile[1] == "z" for tile in tiles)
    types = {"w" if tile in WINDS else tile[1] for tile in tiles}
    numbers = [str(rank) for rank in range(1, 10)]
    return {
        "quan_qiu_ren": sum(meld.claimed for meld in win.melds) == 4 and not win.drawn,
        "yi_ban_gao": any(count >= 2 for count in asked.values()),
        "wu_men_qi": view.form == "standard" and len(types) == 5,
        "si_gui_yi": sum(any(tile in PlainMeld("chow", chow).tiles for chow in chows) for tile in pungs),
        "hun_dai_yao": outside and honors and bool(chows),
        "qing_dai_yao": outside and not honors,
        "yi_tiao_long": any(_has(asked, f"1{suit}", f"4{suit}", f"7{suit}") for suit in "mps"),
        "lao_shao": sum(_has(chows, f"1{suit}", f"7{suit}") for suit in "mps"),
        "san_xiang_feng": any(
            all(f"{number}{suit}" in kind for suit in "mps") for number in numbers for kind in (chows, pungs)
        ),
        "lao_shao_peng": sum(f"1{suit}" in pungs and f"9{suit}" in pungs for suit in "mps"),
        "da_qi_dui": sum(count >= 2 for count in asked.values()) == 2,
    }


def _all_the_rest(case: GuangdongWin, view: View, options: Mapping[str, Any]) -> dict[str, int]:
    win = case.win
    tiles = _tiles_of(win)
    chows, pungs = _chows_of(view, False), {tile for tile, _ in view.pungs}
    ranks = {tile[0] for tile in tiles if tile[1] != "z"}
    honors = any(tile[1] == "z" for tile in tiles)
    one_suit = len({tile[1] for tile in tiles}) == 1 and not honors
    numbers = len(ranks) + any(tile in WINDS for tile in tiles) + any(tile in DRAGONS for tile in tiles)
    groups = _groups(view, tiles) if view.form == "standard" else []
    shared = not honors and any(all(rank in [tile[0] for tile in group] for group in groups) for rank in ranks)
    claimed_pungs = [meld for meld in win.melds if meld.claimed and meld.kind != "chow"]
    kongs = sum(meld.kind == "kong" for meld in win.melds)
    every_chow = [PlainMeld("chow", chow).tiles for chow, times in chows.items() for _ in range(times)]
    in_chows = Counter(tile for chow in every_chow for tile in chow)
    starts = sorted(int(chow[0]) for chow in chows.elements())
    steps = {later - earlier for earlier, later in pairwise(starts)}
    return {
        "qing_si_peng": len(claimed_pungs) == 4 and (kongs == 0 or options["qing_si_peng_allow_kong"]),
        "san_an_ke": _concealed_pungs(win, view, options) >= 3,
        "xiao_qi_dui": view.form == "pairs",
        "san_ban_gao": any(count >= 3 for count in chows.values()),
        "quan_dai": bool(groups) and shared,
        "san_shu": view.form == "standard" and numbers == 3 and (not chows or options["number_hands_allow_chows"]),
        "liang_shu": view.form == "standard" and numbers == 2,
        "si_gui_san": in_chows[view.pair] == 2,
        "si_gui_si": sum(count == 4 for count in in_chows.values()),
        "quan_da": not honors and ranks <= set("789"),
        "quan_zhong": not honors and ranks <= set("456"),
        "quan_xiao": not honors and ranks <= set("123"),
        "hua_long": any(_has(chows, f"1{a}", f"4{b}", f"7{c}") for a, b, c in permutations("mps")),
        "hun_long": any(
            _has(chows, f"1{a}", f"4{b}", f"7{c}") for a in "mps" for b in "mps" for c in "mps" if len({a, b, c}) == 2
        ),
        "shuang_long_hui": any(
            _has(chows, f"1{suit}", f"4{suit}", f"7{suit}", f"{again}{suit}") for suit in "mps" for again in "147"
        ),
        "san_tong_peng": any(all(f"{rank}{suit}" in pungs for suit in "mps") for rank in range(1, 10)),
        "zi_qiang_gang": case.rob_own_kong,
        "men_qian_san_qing": case.clean,
        "shi_ba_luo_han": kongs == 4,
        "bu_bu_gao": one_suit
        and len(starts) == 4
        and len(steps) == 1
        and (steps == {2} or (steps == {1} and options["bu_bu_gao_steps"] == "[1, 2]")),
        "shi_san_bu_da": view.form == "unconnected",
    }


def _extras(case: GuangdongWin, view: View) -> dict[str, int]:
    win = case.win
    tiles = _tiles_of(win)
    pungs = {tile for tile, _ in view.pungs}
    chows = _chows_of(view, False)
    kongs = sum(meld.kind == "kong" for meld in win.melds)
    claimed = sum(meld.claimed for meld in win.melds)

    def in_a_row(length: int) -> bool:
        return any(
            all(f"{first + step}{suit}" in pungs for step in range(length))
            for suit in "mps"
            for first in range(1, 11 - length)
        )

    return {
        "ban_qiu_ren": claimed == 4 and win.drawn,
        "liang_gang": kongs >= 2,
        "san_gang": kongs >= 3,
        "san_lian_ke": in_a_row(3),
        "si_lian_ke": in_a_row(4),
        "quan_jiang_peng": len(pungs) == 4 and all(tile[0] in "258" and tile[1] != "z" for tile in tiles),
        "hun_lao_tou": len(pungs) == 4
        and all(tile in ORPHANS for tile in tiles)
        and {tile[1] == "z" for tile in tiles} == {True, False},
        "lu_yi_se": all(tile in ("2s", "3s", "4s", "6s", "8s", "6z") for tile in tiles),
        "que_wu": not any(tile[0] == "5" and tile[1] != "z" for tile in tiles),
        "ka_wu": view.shape == "closed" and win.win[0] == "5",
        "tian_ting": case.ready == "ready-on-deal" and not claimed,
        "di_ting": case.ready == "ready-in-first-round" and not claimed,
        "li_zhi": case.ready == "ready-declared" and not claimed,
        "si_ban_gao": any(count == 4 for count in chows.values()),
    }


# payments


def _liable(win: PlainWin, options: Mapping[str, Any]) -> str:
    """Return the seat of the player who pays alone for a self-draw, or nothing."""
    if not win.drawn:
        return ""
    events: list[tuple[int, str]] = []
    if options["liability"] == "on":
        claimed = [place for place, meld in enumerate(win.melds) if meld.claimed]
        if len(claimed) == 4:
            events.append((claimed[3], _feeder(win.melds[claimed[3]])))
        dragons = [place for place in claimed if win.melds[place].tile in DRAGONS]
        if len(dragons) == 3:
            events.append((dragons[2], win.melds[dragons[2]].feeder))
        if win.kong_draw and win.melds and not any(meld.added for meld in win.melds):
            last = win.melds[-1]
            if last.kind == "kong" and last.claimed:
                events.append((len(win.melds) - 1, last.feeder))
    if events:
        decisive = (max if options["liability_conflict"] == "later" else min)(events)
        if decisive[1]:
            return SEATS[(SEATS.index(win.seat) + {"r": 1, "x": 2, "l": 3}[decisive[1]]) % 4]
    return win.liable


def _feeder(meld: PlainMeld) -> str:
    """Return who fed a meld; of a chow, only the player to the left can have."""
    return "l" if meld.kind == "chow" else meld.feeder


def _payments(win: PlainWin, points: int, options: Mapping[str, Any]) -> tuple[dict[str, int], bool]:
    """Return what each seat receives (or each role, where nobody knows who discarded), and whether one is liable."""
    liable = _liable(win, options)
    nine_tiles = options["liability"] == "on" and sum(meld.claimed for meld in win.melds) >= 3
    if liable:
        shares = {liable: 6}
    elif win.drawn:
        shares = {seat: 2 for seat in SEATS if seat != win.seat}
    else:
        discarder = win.discarder or "discarder"
        others = [seat for seat in SEATS if seat not in (win.seat, discarder)]
        shares = {discarder: 4} if options["payment"] == "full" or nine_tiles else {discarder: 2}
        if shares[discarder] == 2:
            shares |= dict.fromkeys(others, 1) if win.discarder else {"other": 1}
    if options["dealer_share"] == 2:
        shares = {who: times * 2 if "E" in (who, win.seat) else times for who, times in shares.items()}
    if "discarder" in shares:
        one, each = shares["discarder"] * points, shares.get("other", 0) * points
        return {"winner": one + 2 * each, "discarder": -one, "other": -each}, False
    received = {seat: -shares.get(seat, 0) * points for seat in SEATS}
    received[win.seat] = sum(shares.values()) * points
    return received, bool(liable)
