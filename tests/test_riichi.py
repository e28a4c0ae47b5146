"""Riichi: every option, and random wins beside another program."""

from __future__ import annotations

from random import Random
from typing import Any, Final

import pytest
from mahjong.hand_calculating.hand import HandCalculator

from mjcli.errors import InputError
from mjcli.hand import Line
from mjcli.notation import format_line, parse_line
from mjcli.ruleset import load_ruleset
from mjcli.scoring import Score, score
from mjcli.tiles import tile
from tests.plain import random_win
from tests.scoring_peers import riichi_arguments

WORDS: Final[dict[str, tuple[Any, ...]]] = {
    "riichi": (True,),
    "double-riichi": (True,),
    "ippatsu": (True,),
    "dora": ((tile("4m"), tile("1z")), (tile("9s"),)),
    "ura-dora": ((tile("7z"), tile("7z")),),
}
RIICHI: Final = load_ruleset("riichi")
FIVES: Final = tuple(map(tile, ("5m", "5p", "5s")))


def scored(line: str, options: dict[str, str] | None = None) -> Score:
    ruleset = load_ruleset("riichi", options)
    return score(parse_line(line, extra=ruleset.extra_words, tiles=ruleset.tiles), ruleset)


def can_be(line: Line) -> bool:
    """Return whether a line can be at a table, and says no more than the other program takes."""
    hand, context = line.hand, line.context
    words = dict(context.extra)
    declared = "riichi" in words or "double-riichi" in words
    tiles = [*hand.concealed, hand.win, *(each for meld in hand.melds for each in meld.tiles)]
    return not (
        (declared and any(meld.exposed for meld in hand.melds))
        or (("ippatsu" in words or "ura-dora" in words) and not declared)
        or (context.first_turn and (declared or hand.melds))
        or (context.last_tile and context.kong_draw)
        or any(tiles.count(five) == 4 for five in FIVES)  # one of them is red
    )


def win(rng: Random) -> Line:
    """Return a win that the other program takes."""
    while True:
        line = random_win(rng, WORDS)
        try:
            parse_line(format_line(line), extra=RIICHI.extra_words, tiles=RIICHI.tiles)
            if can_be(line) and score(line, RIICHI).complete:
                return line
        except InputError:
            continue


@pytest.mark.parametrize("wins", [1_000, pytest.param(50_000, marks=pytest.mark.long)])
def test_random_wins_score_as_by_another_program(wins: int) -> None:
    """Fan, fu and points, and how many yakuman there are."""
    rng = Random("wins of riichi")
    calculator = HandCalculator()
    for _ in range(wins):
        line = win(rng)
        theirs = calculator.estimate_hand_value(**riichi_arguments(line))
        ours = score(line, RIICHI)
        assert ours.can_win == (theirs.error is None), format_line(line)
        if ours.steps["yakuman"]:
            assert theirs.han == 13 * ours.steps["yakuman"], format_line(line)
        elif theirs.cost is not None:
            assert (ours.fan, ours.steps["fu"]) == (theirs.han, theirs.fu), format_line(line)
            more = 2 * theirs.cost["additional"] if line.self_drawn else 0
            assert ours.points == theirs.cost["main"] + more, format_line(line)


RON: Final = "678m3466p234789s+2p"
"""Pinfu and nothing else."""

TANYAO: Final = "44m23p,678s,234s,345m+4p"
WINDS_PAIR: Final = "67m111p345567s22z+8m riichi round=S"
"""30 fu, 8 of the concealed pung, and those of the pair of seat and round wind."""

FOUR: Final = "234567m23456p33s+7p riichi ippatsu"
"""Four fan, 30 fu."""

COUNTED: Final = "2233445567788p+6p riichi dora=1p"
"""Fourteen fan."""

WINDS_AND_DRAGONS: Final = "4z666777z,555z,111z+4z"


@pytest.mark.parametrize(
    ("line", "options", "steps"),
    [
        ("99m23p,678s,234s,345m+4p", {}, {"fan": 0, "basic": 0}),
        (TANYAO, {}, {"fan": 1, "fu": 30, "points": 1000}),
        (TANYAO, {"open_tanyao": "false"}, {"fan": 0, "basic": 0}),
        ("234m567m22p678p34s+5s", {"open_tanyao": "false"}, {"fan": 2, "fu": 30, "points": 2000}),
        (WINDS_PAIR, {}, {"fan": 1, "fu": 50}),
        (WINDS_PAIR, {"double_wind_pair_fu": "2"}, {"fan": 1, "fu": 40}),
        (FOUR, {}, {"fan": 4, "fu": 30, "points": 7700}),
        (FOUR, {"round_up_mangan": "true"}, {"fan": 4, "fu": 30, "points": 8000}),
        (COUNTED, {}, {"fan": 14, "yakuman": 0, "basic": 8000}),
        (COUNTED, {"kazoe": "false"}, {"fan": 14, "yakuman": 0, "basic": 6000}),
        ("19m19p19s1234567z+1z", {}, {"yakuman": 2, "fan": 26}),
        ("19m19p19s1234567z+1z", {"double_yakuman": "false"}, {"yakuman": 1, "fan": 13}),
        ("55z66677z,111z,222z+7z", {}, {"yakuman": 1}),
        (WINDS_AND_DRAGONS, {}, {"yakuman": 2}),
        (WINDS_AND_DRAGONS, {"yakuman_add": "false"}, {"yakuman": 1}),
        (f"{RON} first-turn", {}, {"fan": 1, "basic": 240}),
        (f"{RON} first-turn", {"renhou": "mangan"}, {"basic": 2000, "points": 8000}),
        (f"{RON} first-turn", {"renhou": "yakuman"}, {"yakuman": 1, "points": 32000}),
        (f"{RON} riichi sticks=2", {}, {"deposits": 2000}),
    ],
)
def test_options(line: str, options: dict[str, str], steps: dict[str, int]) -> None:
    found = scored(line, options)
    assert {name: found.steps[name] for name in steps} == steps


@pytest.mark.parametrize(("line", "options"), [("05m", {"aka_dora": "false"}), ("00m", {})])
def test_red_fives_are_one_of_a_suit_or_none(line: str, options: dict[str, str]) -> None:
    with pytest.raises(InputError, match="0m"):
        parse_line(line, tiles=load_ruleset("riichi", options).tiles)


@pytest.mark.parametrize(
    ("words", "payments"),
    [
        (" from=W seat=S", {"E": 0, "S": 1000, "W": -1000, "N": 0}),
        (" from=W seat=S honba=2", {"E": 0, "S": 1600, "W": -1600, "N": 0}),
        (" from=W seat=E", {"E": 1500, "S": 0, "W": -1500, "N": 0}),
        ("+ seat=S honba=1", {"E": -800, "S": 1800, "W": -500, "N": -500}),
        ("+ seat=E", {"E": 2100, "S": -700, "W": -700, "N": -700}),
    ],
)
def test_payments(words: str, payments: dict[str, int]) -> None:
    """Pinfu, by discard 30 fu; drawn two fan and 20 fu; 100 from each, or 300 from one, for a counter."""
    line = RON.replace("+", "++") + words[1:] if words[0] == "+" else RON + words
    assert dict(scored(line).payments) == payments
