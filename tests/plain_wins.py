"""Wins with flowers in plain texts, for the plain scorers of Hong Kong and Malaysia, and wins drawn at random."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from random import Random
from typing import Any, Final

from tests.plain_jipinghu import ORPHANS, SEATS, PlainWin
from tests.random_wins import HONORS, SUITED, THEMES, random_win, with_context

FLOWERS: Final = tuple(f"{number}{letter}" for letter in "fg" for number in range(1, 5))


@dataclass(frozen=True)
class FlowerWin(PlainWin):
    """A win with flowers; ``win`` may be nothing where seven flowers win at once."""

    flowers: tuple[str, ...] = ()
    flower_draw: bool = False

    def line(self) -> str:
        text = "".join(self.flowers) + super().line() + " flower-draw" * self.flower_draw
        return text if self.win else text.replace("++", "", 1)

    @property
    def own_flowers(self) -> int:
        return sum(SEATS[(int(flower[0]) - 1) % 4] == self.seat for flower in self.flowers)

    @property
    def flower_sets(self) -> int:
        sets = [[f"{number}{letter}" for number in numbers] for letter in "fg" for numbers in ("1234", "5678")]
        return sum(all(flower in self.flowers for flower in each) for each in sets)


@dataclass(frozen=True)
class PlainScore:
    """The answer; several ``choices`` where equal readings count different patterns."""

    fan: int
    uncapped: int
    points: int
    can_win: bool
    payments: Mapping[str, int]
    liable: bool
    choices: list[tuple[dict[str, int], set[str] | None]] = field(default_factory=list)
    """Fan of each pattern that counts, and the patterns that hold without counting; None where they are not known."""


MANY_THEMES: Final = (
    *(
        *THEMES,
        "nine gates",
        "orphans",
        "concealed pungs",
        "seven pairs",
        "alike chows",
    ),
    *("chicken", "dealt", "fed", "three winds", "two dragons") * 2,
    *("first turn", "kongs", "robbed", "unfinished") * 3,
)
"""Every theme, those oftener that bring up rare events."""


def flower_win(rng: Random, theme: str, claimed_chows: str = "mps") -> FlowerWin:
    """Return a win of a theme, of which only chows of ``claimed_chows`` are claimed, with flowers or without."""
    if theme in OWN_THEMES:
        win = with_context(rng, OWN_THEMES[theme](rng))
    elif theme == "first turn":
        win = replace(_concealed(rng, rng.choice(("any", "chows", "pungs"))), last_tile=False)
        win = replace(with_context(rng, replace(win, drawn=rng.random() < 0.5)), first_turn=True, rob_kong=False)
        win = replace(win, last_tile=False, kong_draw=0)
        if not win.drawn and win.seat != "E" and rng.random() < 0.5:
            win = replace(win, discarder="E")
    elif theme == "chicken":
        win = replace(random_win(rng, "any"), drawn=False, kong_draw=0, first_turn=False, last_tile=False)
    elif theme == "robbed":
        win = _until(lambda win: win.win not in win.held, rng, "chows", "half flush")
        win = replace(win, drawn=False, kong_draw=0, first_turn=False, last_tile=False, rob_kong=True)
    elif theme == "dealt":
        win = replace(_concealed(rng, rng.choice(("any", "chows", "pungs"))), drawn=True, seat="E", first_turn=True)
    elif theme == "fed":
        win = _until(lambda win: win.drawn and len(win.melds) >= 3, rng, "three dragons", "four winds", "flush")
        win = replace(win, melds=tuple(replace(meld, claimed=True) for meld in win.melds))
    elif theme == "kongs":
        win = _until(lambda win: sum(meld.kind == "kong" for meld in win.melds) in (2, 3), rng, "any", "pungs")
        win = replace(win, drawn=True, rob_kong=False, discarder="", winners=1, kong_draw=2)
    else:
        win = random_win(rng, "any" if theme == "unfinished" else theme)
    unclaimed = [meld for meld in win.melds if meld.kind == "chow" and meld.tile[1] not in claimed_chows]
    win = replace(
        win,
        concealed=(*win.concealed, *(tile for meld in unclaimed for tile in meld.tiles)),
        melds=tuple(meld for meld in win.melds if meld not in unclaimed),
    )
    if win.rob_kong and win.win in win.concealed:
        win = replace(win, rob_kong=False)
    if win.melds and win.first_turn and any(meld.claimed for meld in win.melds):
        win = replace(win, first_turn=False)
    said = {each.name: getattr(win, each.name) for each in fields(win)}
    found = FlowerWin(**said, flowers=_flowers(rng, theme))
    if theme == "unfinished":
        found = _unfinished(rng, found)
    elif found.drawn and found.flowers and not found.kong_draw and rng.random() < 0.3:
        found = replace(found, flower_draw=True)
    return found


def _until(wanted: Callable[[PlainWin], bool], rng: Random, *themes: str) -> PlainWin:
    """Return the first win of some themes that is as wanted."""
    while True:
        win = random_win(rng, rng.choice(themes))
        if wanted(win):
            return win


def _flowers(rng: Random, theme: str) -> tuple[str, ...]:
    if theme == "unfinished":
        return tuple(rng.sample(FLOWERS, rng.choice((6, 7, 7, 7, 8, 8))))
    full = [flower for flower in FLOWERS if flower[1] == rng.choice("fg")]
    size = 1 if theme == "chicken" else rng.choice((0, 0, 0, 1, 1, 2, 3, 4))
    chosen = rng.sample(FLOWERS, size)
    if rng.random() < 0.15:
        chosen = [*{*full, *rng.sample(FLOWERS, rng.choice((0, 0, 1, 2, 3, 4)))}]
    return tuple(sorted(chosen))


def _unfinished(rng: Random, win: FlowerWin) -> FlowerWin:
    """Return a win whose tiles may be anything, drawn, sometimes before its flower was replaced."""
    win = replace(win, rob_kong=False, discarder="", winners=1, drawn=True, kong_draw=0)
    every = [*win.concealed, win.win, *(tile for meld in win.melds for tile in meld.tiles)]
    tiles = list(win.concealed)
    if rng.random() < 0.8:
        for place in range(len(tiles)):
            new = rng.choice((*SUITED, *HONORS))
            if every.count(new) < 4:
                every.remove(tiles[place])
                every.append(new)
                tiles[place] = new
    missing = rng.random() < 0.5 and len(win.flowers) >= 7
    return replace(win, concealed=tuple(tiles), win="" if missing else win.win)


def _concealed(rng: Random, theme: str) -> PlainWin:
    """Return a win of a theme without melds."""
    while True:
        sets, pair = THEMES[theme](rng)
        hand = [pair, pair]
        for kind, tile in sets:
            hand += [tile] * 3 if kind == "pung" else [f"{int(tile[0]) + step}{tile[1]}" for step in range(3)]
        if all(hand.count(tile) <= 4 for tile in hand):
            return _won(rng, hand)


def _won(rng: Random, hand: list[str]) -> PlainWin:
    win = rng.choice(hand)
    hand.remove(win)
    return PlainWin(tuple(hand), (), win, rng.random() < 0.5)


def _concealed_pungs(rng: Random) -> PlainWin:
    win = _concealed(rng, rng.choice(("pungs", "flush of pungs", "half flush of pungs")))
    return replace(win, drawn=rng.random() < 0.8)


def _seven_pairs(rng: Random) -> PlainWin:
    suit = rng.choice("mps")
    kinds = rng.choice(((*SUITED, *HONORS), [*(tile for tile in SUITED if tile[1] == suit), *HONORS]))
    pairs = rng.sample(kinds, 7)
    if rng.random() < 0.1:
        pairs[0] = pairs[1]
    return _won(rng, [tile for tile in pairs for _ in range(2)])


def _alike_chows(rng: Random) -> PlainWin:
    while True:
        chows = [f"{rng.randint(1, 7)}{rng.choice('mps')}" for _ in range(3)]
        hand = [rng.choice((*SUITED, *HONORS))] * 2
        for first in (chows[0], *chows):
            hand += [f"{int(first[0]) + step}{first[1]}" for step in range(3)]
        if all(hand.count(tile) <= 4 for tile in hand):
            return _won(rng, hand)


OWN_THEMES: Final[Mapping[str, Callable[[Random], PlainWin]]] = {
    "concealed pungs": _concealed_pungs,
    "seven pairs": _seven_pairs,
    "alike chows": _alike_chows,
}


def is_orphans(tiles: list[str]) -> bool:
    """Return whether fourteen tiles are the thirteen orphans and one of them again."""
    return len(tiles) == 14 and set(tiles) == set(ORPHANS)


def texts(options: Mapping[str, Any]) -> dict[str, str]:
    """Return the values of options as they are said to mjcli."""
    return {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in options.items()}
