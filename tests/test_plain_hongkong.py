"""The engine and ``rulesets/hongkong.yaml`` against the plain scorer, on wins drawn at random."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any, Final

import pytest

from tests.plain_games import Game, turns
from tests.plain_hongkong import DEFAULTS, PATTERNS, plain_score
from tests.plain_wins import MANY_THEMES, FlowerWin, flower_win

OPTION_SETS: Final[tuple[Mapping[str, Any], ...]] = (
    {},
    {"flowers": False},
    {"flowers": False, "men_qian_qing": False, "he_di": False, "minimum_fan": 0, "payment": "half"},
    {"minimum_fan": 1, "flowers_count_for_minimum": False, "cap": 8, "payment": "half", "price": 4},
    {"cap": 13, "points": "full_spicy", "ping_hu_honor_pair": False, "xiao_qi_dui": 3, "minimum_fan": 0},
    {"cap": "none", "limit_hands_exclusive": False, "xiao_qi_dui": 4},
    {"cap": "none", "points": "full_spicy", "da_si_xi": 15, "jiu_lian": 15, "shi_ba_luo_han": 18, "ren_hu": 3},
    {"limit_hands_exclusive": False, "points": "hkma", "robbed_kong": "three_shares", "xiao_qi_dui": 5, "cap": 13},
    {"points": "fan_laak", "yi_tai_hua": 1, "flower_set_replaces_own": False, "liability": "off"},
    {"payment": "half", "liability_conflict": "first", "jiu_lian_wait": "nine_on_discard", "price": 2},
    {"twelve_tiles": "flush", "kong_draw_liability": "none", "kan_kan_hu_kongs": True, "xiao_san_yuan": 3},
    {"twelve_tiles": "flush", "dragons_inclusive": False, "da_san_yuan": 5, "xiao_si_xi": 3, "qing_yi_se": 6},
    {"cap": 13, "xiao_si_xi": 10, "da_san_yuan": 10, "kan_kan_hu": 10, "lian_gang": 10, "qing_yao_jiu": "none"},
    {"cap": 13, "shi_san_yao": 10, "da_si_xi": 10, "shi_ba_luo_han": 10, "tian_hu": 10, "di_hu": 10},
    {"hua_hu": 4, "da_hua_hu": 10, "hun_yao_jiu": 9, "kan_kan_hu": 5, "lian_gang": 2, "payment": "half"},
    {"robbed_kong": "three_shares", "payment": "half", "liability": "off", "minimum_fan": 0, "points": "fan_laak"},
)
"""The options that differ from the defaults: the first set is the defaults."""

NEVER: Final = {
    "ji_hu": " ".join(pattern for pattern in PATTERNS if pattern != "ji_hu"),
    "hua_hu": " ".join(pattern for pattern in PATTERNS if pattern != "hua_hu"),
    "da_hua_hu": " ".join(pattern for pattern in PATTERNS if pattern != "da_hua_hu"),
    "ping_hu": "dui_dui_hu hun_yao_jiu san_yuan_pai men_feng quan_feng xiao_san_yuan da_san_yuan kan_kan_hu",
    "zi_mo": "qiang_gang he_di di_hu ren_hu",
    "hai_di": "he_di qiang_gang tian_hu",
    "wu_hua": "zheng_hua yi_tai_hua men_qian_qing",
    "dui_dui_hu": "hun_yao_jiu kan_kan_hu xiao_qi_dui shi_san_yao jiu_lian",
    "hun_yi_se": "qing_yi_se zi_yi_se qing_yao_jiu jiu_lian",
    "qing_yi_se": "san_yuan_pai men_feng quan_feng xiao_si_xi da_si_xi hun_yao_jiu zi_yi_se",
    "xiao_san_yuan": "da_san_yuan da_si_xi",
    "xiao_si_xi": "da_si_xi da_san_yuan",
    "lian_gang": "gang_shang_hua men_qian_qing",
    "tian_hu": "di_hu ren_hu gang_shang_hua",
    "di_hu": "ren_hu",
    "men_qian_qing": "zheng_hua yi_tai_hua shi_ba_luo_han gang_shang_hua",
}


def checked(game: Game, win: FlowerWin, options: Mapping[str, Any]) -> None:
    if not options.get("flowers", True):
        if not win.win:
            return
        win = replace(win, flowers=(), flower_draw=False)
    game.check(win, options)


def check_many(rounds: int, least: int, name: str) -> None:
    rng = Random(f"hongkong {name}")
    game = Game("hongkong", DEFAULTS, plain_score)
    for theme, index in turns(rounds, MANY_THEMES, OPTION_SETS):
        options = OPTION_SETS[index]
        if theme == "seven pairs":
            options = {**options, "xiao_qi_dui": rng.choice((3, 4, 5))}
        elif theme in ("concealed pungs", "alike chows") and rng.random() < 0.4:
            options = {"flowers": False}
        checked(game, flower_win(rng, theme), options)
    game.check_coverage(PATTERNS, least)
    game.check_never_together(NEVER)


def test_wins_equal_the_plain_scorer() -> None:
    check_many(rounds=40, least=15, name="fast")


@pytest.mark.long
def test_20000_wins_equal_the_plain_scorer() -> None:
    check_many(rounds=20000 // len(MANY_THEMES) + 1, least=100, name="20000")


def test_every_option_is_changed_somewhere() -> None:
    assert {name for options in OPTION_SETS for name in options} == set(DEFAULTS)
