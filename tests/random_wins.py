"""Wins of 雞平和 drawn at random, by themes that between them bring up every pattern, event and liability."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from typing import Any, Final

from tests.plain_jipinghu import DEFAULTS, DRAGONS, ORPHANS, SEATS, WINDS, PlainMeld, PlainWin

Sets = list[tuple[str, str]]
"""Kind (chow, pung) and lowest tile."""

SUITED: Final = tuple(f"{rank}{suit}" for suit in "mps" for rank in range(1, 10))
HONORS: Final = (*WINDS, *DRAGONS)
TERMINALS: Final = ORPHANS[:6]

OPTION_SETS: Final[tuple[Mapping[str, Any], ...]] = (
    {},
    {"cap": 4},
    {"cap": 5, "kong_fan": True},
    {"cap": "none", "concealed_fan": True},
    {"minimum_fan": 1},
    {"minimum_fan": 3, "lift_last_discard": True},
    {"stack_base": True},
    {"stack_base": True, "cap": "none"},
    {"jiu_lian_any": True, "ren_hu_scope": "dealer_first_discard"},
    {"kong_fan": True, "shi_ba_luo_han": True},
    {"concealed_fan": True, "lift_last_discard": True},
    {"liability": "off"},
    {"liability_conflict": "first"},
    {"kong_fan": True, "concealed_fan": True, "lift_last_discard": True, "shi_ba_luo_han": True},
)
"""The options that differ from the defaults: the first set is the defaults, the last puts every pattern in play."""


def options_of(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return all options, some of them changed."""
    return {**DEFAULTS, **changes}


def _from(chows: float, suits: str, pungs_of: tuple[str, ...]) -> Callable[[Random], tuple[Sets, str]]:
    """Return a theme: sets drawn from certain suits and tiles, and a pair."""

    def theme(rng: Random) -> tuple[Sets, str]:
        sets: Sets = []
        for _ in range(4):
            if rng.random() < chows:
                sets.append(("chow", f"{rng.randint(1, 7)}{rng.choice(suits)}"))
            else:
                sets.append(("pung", rng.choice(pungs_of)))
        return sets, rng.choice(pungs_of)

    return theme


def _of_suit(chows: float, honors: bool) -> Callable[[Random], tuple[Sets, str]]:
    def theme(rng: Random) -> tuple[Sets, str]:
        suit = rng.choice("mps")
        tiles = tuple(tile for tile in SUITED if tile[1] == suit)
        return _from(chows, suit, (*tiles, *HONORS * honors))(rng)

    return theme


def _honor_pungs(honors: tuple[str, ...], pungs: int) -> Callable[[Random], tuple[Sets, str]]:
    def theme(rng: Random) -> tuple[Sets, str]:
        order = rng.sample(honors, len(honors))
        sets: Sets = [("pung", tile) for tile in order[:pungs]]
        rest, pair = _from(0.4, "mps", (*SUITED, *HONORS))(rng)
        return [*sets, *rest][:4], order[pungs] if pungs < len(order) and rng.random() < 0.8 else pair

    return theme


THEMES: Final[Mapping[str, Callable[[Random], tuple[Sets, str]]]] = {
    "any": _from(0.6, "mps", (*SUITED, *HONORS)),
    "chows": _from(1, "mps", (*SUITED, *HONORS)),
    "pungs": _from(0, "mps", (*SUITED, *HONORS)),
    "half flush": _of_suit(0.5, True),
    "flush": _of_suit(0.6, False),
    "half flush of pungs": _of_suit(0, True),
    "flush of pungs": _of_suit(0, False),
    "terminals and honours": _from(0, "mps", ORPHANS),
    "honours": _from(0, "mps", HONORS),
    "terminals": _from(0, "mps", TERMINALS),
    "two dragons": _honor_pungs(DRAGONS, 2),
    "three dragons": _honor_pungs(DRAGONS, 3),
    "three winds": _honor_pungs(WINDS, 3),
    "four winds": _honor_pungs(WINDS, 4),
    "four kongs": _from(0, "mps", (*SUITED, *HONORS)),
}


def random_win(rng: Random, theme: str) -> PlainWin:
    """Return a win of a theme (of ``THEMES``, or ``nine gates``, ``orphans``), with all that can be said of it."""
    hand: list[str]
    melds: tuple[PlainMeld, ...]
    while True:
        if theme == "orphans":
            hand, melds = [*ORPHANS, rng.choice(ORPHANS)], ()
        elif theme == "nine gates":
            suit = rng.choice("mps")
            hand, melds = [f"{rank}{suit}" for rank in f"1112345678999{rng.randint(1, 9)}"], ()
        else:
            rates = (1, 1) if theme == "four kongs" else rng.choice(((0, 0), (0.5, 0.2), (0.5, 0.5), (1, 0.3), (1, 1)))
            hand, melds = melded(rng, *THEMES[theme](rng), *rates)
        every = [*hand, *(tile for meld in melds for tile in meld.tiles)]
        if all(every.count(tile) <= 4 for tile in set(every)):
            break
    if rng.random() < 0.02:
        hand[rng.randrange(len(hand))] = rng.choice([tile for tile in SUITED if every.count(tile) < 4])
    win = hand[-1] if theme == "nine gates" and rng.random() < 0.7 else rng.choice(hand)
    hand.remove(win)
    return with_context(rng, PlainWin(tuple(hand), melds, win, rng.random() < 0.5))


def melded(
    rng: Random, sets: Sets, pair: str, meld_rate: float, kong_rate: float
) -> tuple[list[str], tuple[PlainMeld, ...]]:
    """Return concealed tiles and melds, some of the sets having been claimed or declared."""
    hand, melds = [pair, pair], []
    for kind, tile in rng.sample(sets, 4):
        feeder = "l" if kind == "chow" else rng.choice("lxr")
        if rng.random() < 0.25:
            feeder = ""
        kong = kind == "pung" and rng.random() < kong_rate
        if kong and rng.random() < 0.4:
            melds.append(PlainMeld("kong", tile, claimed=False))
        elif rng.random() < meld_rate:
            added = kong and rng.random() < 0.5
            melds.append(PlainMeld("kong" if kong else kind, tile, added=added, feeder=feeder))
        else:
            hand += PlainMeld(kind, tile).tiles
    return hand, tuple(melds)


def with_context(rng: Random, win: PlainWin) -> PlainWin:
    """Return a win with any context that can be true of it."""
    seat = rng.choice(SEATS)
    win = replace(win, seat=seat, round=rng.choice(SEATS))
    others = [each for each in SEATS if each != seat]
    kongs = sum(meld.kind == "kong" for meld in win.melds)
    if not any(meld.claimed for meld in win.melds) and rng.random() < 0.4:
        win = replace(win, first_turn=True)
    elif rng.random() < 0.15:
        win = replace(win, last_tile=True)
    if win.drawn:
        if kongs and rng.random() < 0.5:
            win = replace(win, kong_draw=rng.randint(1, min(kongs, 2)))
        return win
    if rng.random() < 0.7:
        win = replace(win, discarder=rng.choice(others))
    if win.win not in win.held and not win.first_turn and not win.last_tile and rng.random() < 0.35:
        win = replace(win, rob_kong=True)
    return replace(win, winners=rng.choice((1, 1, 1, 2, 3)))
