"""Wins of the Guangdong layers drawn at random, by themes that between them bring up every pattern and event."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from typing import Any, Final

from tests.plain_guangdong import DEFAULTS, GuangdongWin
from tests.plain_jipinghu import DRAGONS, ORPHANS, SEATS, WINDS, PlainMeld, PlainWin
from tests.random_wins import HONORS, SUITED, THEMES, Sets, melded, with_context

OPTION_SETS: Final[tuple[Mapping[str, Any], ...]] = (
    {"igs_extra": True, "he_di": True},
    {"he_di": True, "cap": 8},
    {"chicken_fan": 1},
    {"minimum_fan": 3},
    {"minimum_fan": 5},
    {"minimum_fan": 8},
    {"flowers": False},
    {"flowers": False, "igs_extra": True},
    {"reading": "pung_first_on_discard"},
    {"concealed_kong_keeps_concealed": False},
    {"kan_kan_hu": 10, "jiu_lian_any": False, "minimum_fan": 4},
    {"dragons_inclusive": False},
    {"payment": "half", "minimum_fan": 4},
    {"payment": "half", "dealer_share": 2},
    {"dealer_share": 2, "minimum_fan": 2},
    {"payment": "half", "liability": "off"},
    {"liability_conflict": "first"},
    {"ping_hu_honor_pair": False},
    {"require_concealed_chows": True},
    {"four_as_two_pairs": True, "igs_extra": True},
    {"qing_si_peng_allow_kong": True},
    {"number_hands_allow_chows": True},
    {"bu_bu_gao_steps": "[2]"},
)
"""Options that differ from the defaults, of which a ruleset takes those that it has."""

READY: Final = ("ready-on-deal", "ready-in-first-round", "ready-declared")

Theme = Callable[[Random], tuple[Sets, str]]


def options_of(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return all options, some of them changed."""
    return {**DEFAULTS, **changes}


def _chows(suits: str, *ranks: int) -> Sets:
    """Return chows that start with these ranks, the suits being those in turn, the last for all that follow."""
    return [("chow", f"{rank}{suits[min(place, len(suits) - 1)]}") for place, rank in enumerate(ranks)]


def _suits(rng: Random) -> str:
    return "".join(rng.sample("mps", 3))


def _filled(rng: Random, sets: Sets, pair: str = "") -> tuple[Sets, str]:
    """Return sets with others at random to make four, and a pair."""
    theme = THEMES[rng.choice(("any", "chows", "pungs"))]
    others, other_pair = theme(rng)
    return [*sets, *others][:4], pair or other_pair


def _any_pair(rng: Random) -> str:
    return rng.choice((*SUITED, *HONORS))


def _climbing(rng: Random) -> tuple[Sets, str]:
    suit, step = rng.choice("mps"), rng.randint(1, 2)
    first = rng.randint(1, 4) if step == 1 else 1
    pair = f"{rng.randint(1, 9)}{suit}" if rng.random() < 0.8 else _any_pair(rng)
    return _chows(suit, *(first + step * place for place in range(4))), pair


def _straight(rng: Random) -> tuple[Sets, str]:
    suits = _suits(rng)
    order = rng.choice(
        (suits[:1], suits[:1], suits, suits[0] * 2 + suits[1], suits[0] + suits[1] * 2, suits[0] + suits[1] + suits[0])
    )
    sets = _chows(order, 1, 4, 7)
    if rng.random() < 0.5:
        sets += [rng.choice(sets)]
    return _filled(rng, sets)


def _identical(rng: Random) -> tuple[Sets, str]:
    suits = _suits(rng)
    one, two = _chows(suits[:1], rng.randint(1, 7)), _chows(rng.choice(suits), rng.randint(1, 7))
    return _filled(rng, rng.choice((2 * one, 2 * one + 2 * two, 2 * one + 2 * two, 3 * one, 4 * one, 4 * one)))


def _three_suits(rng: Random) -> tuple[Sets, str]:
    kind, rank = rng.choice(("chow", "pung")), rng.randint(1, 7)
    return _filled(rng, [(kind, f"{rank}{suit}") for suit in "mps"])


def _old_and_young(rng: Random) -> tuple[Sets, str]:
    suits = _suits(rng)
    both = [("pung", f"1{suits[0]}"), ("pung", f"9{suits[0]}")]
    sets = rng.choice((_chows(suits[:1], 1, 7), both))
    if rng.random() < 0.4:
        sets = [*sets, *rng.choice((_chows(suits[1], 1, 7), [("pung", f"1{suits[1]}"), ("pung", f"9{suits[1]}")]))]
    return _filled(rng, sets)


def _few_numbers(rng: Random) -> tuple[Sets, str]:
    classes = [tuple(f"{rank}{suit}" for suit in "mps") for rank in range(1, 10)]
    chosen = rng.sample([*classes, WINDS, DRAGONS], rng.randint(2, 3))
    tiles = [tile for some in chosen for tile in some]
    if rng.random() < 0.2:
        first = rng.randint(1, 7)
        return [*_chows(_suits(rng), first), *(("pung", f"{first}{suit}") for suit in "mps")], f"{first + 2}m"
    order = rng.sample(tiles, 5)
    return [("pung", tile) for tile in order[:4]], order[4]


def _one_number(rng: Random) -> tuple[Sets, str]:
    rank = rng.randint(1, 9)
    sets: Sets = []
    for _ in range(4):
        suit = rng.choice("mps")
        if rng.random() < 0.75:
            sets.append(("chow", f"{rng.randint(max(1, rank - 2), min(7, rank))}{suit}"))
        else:
            sets.append(("pung", f"{rank}{suit}"))
    return sets, f"{rank}{rng.choice('mps')}"


def _of_ranks(*choices: str) -> Theme:
    """Return a theme of tiles of certain ranks: chows where there are three in a row, and pungs."""

    def theme(rng: Random) -> tuple[Sets, str]:
        ranks = rng.choice(choices)
        starts = [rank for rank in range(1, 8) if all(str(rank + step) in ranks for step in range(3))]
        sets: Sets = []
        for _ in range(4):
            if starts and rng.random() < 0.6:
                sets += _chows(rng.choice("mps"), rng.choice(starts))
            else:
                sets.append(("pung", f"{rng.choice(ranks)}{rng.choice('mps')}"))
        return sets, f"{rng.choice(ranks)}{rng.choice('mps')}"

    return theme


def _four_alike(rng: Random) -> tuple[Sets, str]:
    suit, rank = rng.choice("mps"), rng.randint(1, 9)
    holding = [start for start in (rank - 2, rank - 1, rank) if 1 <= start <= 7]
    groups = rng.randint(2, 4)
    if groups == 2:
        sets = [("pung", f"{rank}{suit}"), *_chows(suit, rng.choice(holding))]
        if rng.random() < 0.4:
            other = rng.choice([tile for tile in SUITED if tile[0] in "345"])
            sets += [("pung", other), *_chows(other[1], int(other[0]) - rng.randint(0, 2))]
        return _filled(rng, sets)
    if groups == 3:
        return _filled(rng, _chows(suit, rng.choice(holding), rng.choice(holding)), f"{rank}{suit}")
    return _filled(rng, _chows(suit, *(rng.choice(holding) for _ in range(4))))


def _outside(rng: Random) -> tuple[Sets, str]:
    ends = ORPHANS if rng.random() < 0.5 else ORPHANS[:6]
    sets: Sets = []
    for _ in range(4):
        if rng.random() < 0.6:
            sets += _chows(rng.choice("mps"), rng.choice((1, 7)))
        else:
            sets.append(("pung", rng.choice(ends)))
    return sets, rng.choice(ends)


def _five_types(rng: Random) -> tuple[Sets, str]:
    groups: Sets = []
    for suit in "mps":
        kind = rng.choice(("chow", "pung"))
        groups.append((kind, f"{rng.randint(1, 7)}{suit}"))
    groups += [("pung", rng.choice(WINDS)), ("pung", rng.choice(DRAGONS))]
    pair = rng.choice(groups)
    return [group for group in groups if group is not pair], pair[1]


def _in_a_row(rng: Random) -> tuple[Sets, str]:
    suit, length = rng.choice("mps"), rng.randint(3, 4)
    first = rng.randint(1, 10 - length)
    return _filled(rng, [("pung", f"{first + step}{suit}") for step in range(length)])


def _green(rng: Random) -> tuple[Sets, str]:
    tiles = ["2s", "3s", "4s", "6s", "8s", "6z"]
    rng.shuffle(tiles)
    sets: Sets = [("pung", tile) for tile in tiles[:4]]
    if rng.random() < 0.4:
        sets = [*_chows("s", 2, 2)[: rng.randint(1, 2)], *(("pung", tile) for tile in ("6s", "8s", "6z"))][:4]
        return sets, rng.choice(("6z", "8s", "2s"))
    return sets, tiles[4]


def _nothing(rng: Random) -> tuple[Sets, str]:
    suits = _suits(rng)
    pungs = [f"{rng.choice('19')}{suits[2]}", f"{rng.choice('34567')}{suits[0]}"]
    sets = [*_chows(suits, rng.randint(2, 6), rng.randint(2, 6)), *(("pung", tile) for tile in pungs)]
    return sets, f"{rng.choice('134679')}{suits[1]}"


def _own_kong(rng: Random) -> tuple[Sets, str]:
    suit, rank = rng.choice("mps"), rng.randint(1, 9)
    return _filled(rng, [("pung", f"{rank}{suit}"), *_chows(suit, min(7, max(1, rank - rng.randint(0, 2))))])


def _closed_five(rng: Random) -> tuple[Sets, str]:
    return _filled(rng, _chows(rng.choice("mps"), 4))


SET_THEMES: Final[Mapping[str, Theme]] = {
    **THEMES,
    "straight": _straight,
    "climbing": _climbing,
    "identical": _identical,
    "three suits": _three_suits,
    "old and young": _old_and_young,
    "few numbers": _few_numbers,
    "one number": _one_number,
    "high, middle, low": _of_ranks("789", "456", "123"),
    "simples": _of_ranks("2345678"),
    "2 5 8": _of_ranks("258"),
    "no five": _of_ranks("12346789"),
    "four alike": _four_alike,
    "outside": _outside,
    "five types": _five_types,
    "in a row": _in_a_row,
    "green": _green,
    "nothing": _nothing,
    "own kong": _own_kong,
    "closed five": _closed_five,
}
"""Themes of four sets and a pair."""

RARE: Final = ("straight", "identical", "in a row", "nothing", "own kong", "closed five")
"""Themes of what is rare even so, drawn more often."""

ALL_THEMES: Final = (
    *SET_THEMES,
    *RARE,
    "nothing",
    "nothing",
    "own kong",
    "nine gates",
    "orphans",
    "pairs",
    "unconnected",
)


MELD_RATES: Final = {"four kongs": (1.0, 1.0), "nothing": (0.6, 0.0), "own kong": (0.5, 0.0)}
"""How often a set is claimed, and a pung a kong, where that is not left to chance."""


def random_win(rng: Random, theme: str, *, flowers: bool = True) -> GuangdongWin:
    """Return a win of a theme, with all that can be said of it; sometimes a tile is wrong."""
    while True:
        hand, melds = _hand(rng, theme)
        every = [*hand, *(tile for meld in melds for tile in meld.tiles)]
        if all(every.count(tile) <= 4 for tile in set(every)):
            break
    if rng.random() < 0.02:
        hand[rng.randrange(len(hand))] = rng.choice([tile for tile in SUITED if every.count(tile) < 4])
    win = hand[-1] if theme == "nine gates" and rng.random() < 0.7 else rng.choice(hand)
    favoured = [meld.tile for meld in melds if meld.kind == "pung" and meld.tile in hand]
    favoured += [tile for tile in hand if theme == "closed five" and tile[0] == "5"]
    if favoured and rng.random() < 0.9:
        win = rng.choice(favoured)
    hand.remove(win)
    drawn = rng.random() < {"nothing": 0.1, "own kong": 0.9}.get(theme, 0.5)
    return _with_more(rng, with_context(rng, PlainWin(tuple(hand), melds, win, drawn)), flowers)


def _hand(rng: Random, theme: str) -> tuple[list[str], tuple[PlainMeld, ...]]:
    if theme == "orphans":
        return [*ORPHANS, rng.choice(ORPHANS)], ()
    if theme == "nine gates":
        suit = rng.choice("mps")
        return [f"{rank}{suit}" for rank in f"1112345678999{rng.randint(1, 9)}"], ()
    if theme == "pairs":
        some = rng.choice(((*SUITED, *HONORS), (*SUITED, *HONORS), ORPHANS, HONORS, SUITED[:9], SUITED[:18]))
        pairs = rng.sample(some, 7)
        if rng.random() < 0.2:
            pairs[0] = pairs[1]
        return 2 * pairs, ()
    if theme == "unconnected":
        rows = [
            rng.choice(("147", "258", "369", "148", "159", "158", "259", "269", "169", "19", "26")) for _ in range(3)
        ]
        tiles = [f"{rank}{suit}" for row, suit in zip(rows, "mps", strict=True) for rank in row]
        tiles += rng.sample(HONORS, min(13 - len(tiles), 7))
        more = [tile for tile in (*SUITED, *HONORS) if tile not in tiles]
        tiles += rng.sample(more, 13 - len(tiles))
        return [*tiles, rng.choice(tiles)], ()
    rates = MELD_RATES.get(theme) or rng.choice(((0, 0), (0.5, 0.2), (0.5, 0.5), (1, 0), (1, 0.3), (1, 1)))
    return melded(rng, *SET_THEMES[theme](rng), *rates)


def _with_more(rng: Random, win: PlainWin, flowers: bool) -> GuangdongWin:
    """Return a win with flowers and with what else may be said in these rules."""
    every = [f"{number}{suit}" for suit in "fg" for number in range(1, 5)]
    held = tuple(sorted(rng.sample(every, rng.choice((0, 0, 1, 1, 2, 3, 5, 6, 7, 8))), key=lambda each: each[::-1]))
    case = GuangdongWin(win, flowers=held if flowers else ())
    if not win.rob_kong and rng.random() < 0.15:
        case = replace(case, clean=True)
    if win.drawn and not win.kong_draw:
        pungs = [meld.tile for meld in win.melds if meld.kind == "pung"]
        if win.win in pungs and not win.last_tile and rng.random() < 0.7:
            case = replace(case, rob_own_kong=True)
        elif case.flowers and rng.random() < 0.2:
            case = replace(case, flower_draw=True)
    if rng.random() < 0.2:
        case = replace(case, ready=rng.choice(READY))
    if win.drawn and rng.random() < 0.05:
        case = replace(case, win=replace(win, liable=rng.choice([seat for seat in SEATS if seat != win.seat])))
    return case
