"""Wins of 馬來西亞三人麻雀 drawn at random, with jokers and without, by themes that bring up every pattern."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any, Final

from tests.plain_jipinghu import DRAGONS, WINDS, PlainMeld
from tests.plain_malaysia_3p import HONORS, JOKER, SEATS, JokerMeld, JokerWin

Sets = list[tuple[str, str]]

FLOWERS: Final = tuple(f"{number}{letter}" for letter in "fg" for number in (1, 2, 3, 4))
ANIMALS: Final = ("1a", "2a", "3a", "4a")
PEOPLE: Final = ("5a", "5a", "6a", "6a")
CLOWNS: Final = ("7a",) * 4


def _from(chows: float, honors: Sequence[str], suited: bool = True) -> Callable[[Random, str], tuple[Sets, str]]:
    """Return a theme: sets of the suit, chows by their share, and of certain honours."""

    def theme(rng: Random, suit: str) -> tuple[Sets, str]:
        tiles = [*(f"{rank}{suit}" for rank in range(1, 10) if suited), *honors]
        sets = [
            ("chow", f"{rng.randint(1, 7)}{suit}") if rng.random() < chows else ("pung", rng.choice(tiles))
            for _ in range(4)
        ]
        return sets, rng.choice(tiles)

    return theme


def _pungs_of(honors: Sequence[str], pungs: int) -> Callable[[Random, str], tuple[Sets, str]]:
    """Return a theme: so many pungs of certain honours, and often a pair of them."""

    def theme(rng: Random, suit: str) -> tuple[Sets, str]:
        order = rng.sample(honors, len(honors))
        rest, pair = _from(0.5, HONORS)(rng, suit)
        sets = [*(("pung", tile) for tile in order[:pungs]), *rest][:4]
        return sets, order[pungs] if pungs < len(order) and rng.random() < 0.8 else pair

    return theme


THEMES: Final[Mapping[str, Callable[[Random, str], tuple[Sets, str]]]] = {
    "any": _from(0.5, HONORS),
    "chows": _from(1, HONORS),
    "pungs": _from(0, HONORS),
    "flush": _from(0.6, ()),
    "honours": _from(0, HONORS, suited=False),
    "two dragons": _pungs_of(DRAGONS, 2),
    "three dragons": _pungs_of(DRAGONS, 3),
    "three winds": _pungs_of(WINDS, 3),
    "four winds": _pungs_of(WINDS, 4),
    "kongs": _from(0.2, HONORS),
    "four kongs": _from(0, HONORS),
    "concealed pungs": _from(0, HONORS),
    "dealt": _from(0.5, HONORS),
    "robbed": _from(0.8, HONORS),
    "last tile": _from(0.6, HONORS),
    "fed": _pungs_of(DRAGONS, 3),
    "fed winds": _pungs_of(WINDS, 4),
    "bonus tiles": _from(0.6, HONORS),
}
RATES: Final[Mapping[str, tuple[float, float]]] = {
    "kongs": (0.3, 0.8),
    "four kongs": (1, 1),
    "concealed pungs": (0, 0.1),
    "dealt": (0, 0),
    "fed": (1, 0.2),
    "fed winds": (1, 0.2),
}
"""By theme, how often a set is a meld, and a pung a kong."""
JOKERS: Final = (0.4, 0.3, 0.2, 0.07, 0.03)
"""How often a win has 0-4 jokers."""


def joker_win(
    rng: Random, theme: str, options: Mapping[str, Any], shares: Sequence[float] = JOKERS, *, near: bool = False
) -> JokerWin:
    """Return a win of a theme under some options, with up to four jokers.

    Args:
        rng: the source of chance.
        theme: one of ``THEMES``.
        options: ``suit`` and ``heads`` say which tiles there are.
        shares: how often it has 0-4 jokers.
        near: whether one of its tiles is another one, so that it is mostly no win at all.
    """
    suit = "m" if options.get("suit") == "characters" else "p"
    while True:
        hand, melds = _melded(rng, *THEMES[theme](rng, suit), *RATES.get(theme, rng.choice(((0, 0), (0.6, 0.2)))))
        every = Counter([*hand, *(tile for meld in melds for tile in meld.tiles)])
        if max(every.values()) <= 4:
            break
    if near:
        others = [tile for tile in (*HONORS, *(f"{rank}{suit}" for rank in range(1, 10))) if every[tile] < 4]
        hand[rng.randrange(len(hand))] = rng.choice(others)
    rng.shuffle(hand)
    melds = _with_jokers(rng, hand, melds, rng.choices(range(5), shares)[0])
    if theme == "robbed":
        hand.sort(key=lambda tile: tile == JOKER or hand.count(tile) > 1)
    win = JokerWin(tuple(hand[1:]), tuple(melds), hand[0], rng.random() < 0.5, seat=rng.choice(SEATS))
    win = replace(win, flowers=_bonus(rng, theme, CLOWNS if options.get("heads") == "clowns" else PEOPLE))
    return _with_context(rng, win, theme)


def _melded(
    rng: Random, sets: Sets, pair: str, meld_rate: float, kong_rate: float
) -> tuple[list[str], list[PlainMeld]]:
    hand, melds = [pair, pair], []
    for kind, tile in rng.sample(sets, 4):
        feeder = rng.choice(("", "l" if kind == "chow" else rng.choice("lr")))
        kong = kind == "pung" and rng.random() < kong_rate
        if kong and rng.random() < 0.5:
            melds.append(PlainMeld("kong", tile, claimed=False))
        elif rng.random() < meld_rate:
            melds.append(PlainMeld("kong" if kong else kind, tile, added=kong and rng.random() < 0.5, feeder=feeder))
        else:
            hand += PlainMeld(kind, tile).tiles
    return hand, melds


def _with_jokers(rng: Random, hand: list[str], melds: list[PlainMeld], count: int) -> list[PlainMeld]:
    """Put jokers in place of tiles in the hand, and return the melds, some of them with jokers."""
    found = list(melds)
    for _ in range(count):
        place = rng.randrange(len(melds)) if melds else 0
        if melds and found[place].kind != "kong" and rng.random() < 0.2:
            meld = found[place]
            before = meld.jokers if isinstance(meld, JokerMeld) else ()
            left = list((Counter(meld.tiles) - Counter(before)).elements())
            if len(left) > 1:
                stands = tuple(sorted((*before, rng.choice(left))))
                found[place] = JokerMeld(meld.kind, meld.tile, feeder=meld.feeder, jokers=stands)
                continue
        plain = [place for place, tile in enumerate(hand) if tile != JOKER]
        if plain:
            hand[rng.choice(plain)] = JOKER
    return found


def _bonus(rng: Random, theme: str, heads: Sequence[str]) -> tuple[str, ...]:
    every = (*FLOWERS, *ANIMALS, *heads)
    if theme == "bonus tiles":
        groups = [group for group in (FLOWERS[:4], FLOWERS[4:], ANIMALS, heads) if rng.random() < 0.4]
        return tuple(tile for group in groups for tile in group)
    return tuple(sorted(rng.sample(every, rng.choice((0, 1, 1, 2, 3, 5)))))


def _with_context(rng: Random, win: JokerWin, theme: str) -> JokerWin:
    """Return a win with any context that can be true of it."""
    kongs = sum(meld.kind == "kong" for meld in win.melds)
    claimed = any(meld.claimed for meld in win.melds)
    if theme in ("dealt", "kongs", "last tile", "fed", "fed winds", "robbed") and rng.random() < 0.9:
        win = replace(win, drawn=theme != "robbed")
    if theme == "last tile" or rng.random() < 0.03:
        win = replace(win, last_tile=True)
    elif not claimed and (theme == "dealt" or rng.random() < 0.1):
        win = replace(win, first_turn=True)
    if win.drawn:
        if kongs and rng.random() < 0.5:
            win = replace(win, kong_draw=rng.choice((1, min(kongs, 2))))
        elif win.flowers and rng.random() < 0.2:
            win = replace(win, flower_draw=True)
        if rng.random() < 0.1 and not any(meld.claimed and meld.tile in HONORS for meld in win.melds):
            win = replace(win, liable=rng.choice([seat for seat in SEATS if seat != win.seat]))
        return win
    if rng.random() < 0.6:
        win = replace(win, discarder=rng.choice([seat for seat in SEATS if seat != win.seat]))
    alone = win.win != JOKER and win.win not in win.held
    if theme == "robbed" and alone and not (win.first_turn or win.last_tile):
        win = replace(win, rob_kong=True)
    return replace(win, winners=rng.choice((1, 1, 1, 2)))
