"""The engine and ``rulesets/malaysia-4p.yaml`` against the plain scorer, on wins drawn at random."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any, Final

import pytest

from tests.plain_games import Game, turns
from tests.plain_malaysia import DEFAULTS, LIMITS, PATTERNS, PROPOSED, SPECIFIED, plain_score
from tests.plain_wins import MANY_THEMES, flower_win

OPTION_SETS: Final[tuple[Mapping[str, Any], ...]] = (
    {},
    {"spec_only": True, "minimum_fan": 0},
    {"cap": 10, "points": "linear", "east_pung_for_east": 2},
    {"minimum_fan": 5, "payment": "full", "east_pung_for_east": 1},
    {"cap": 3, "liability": "off"},
    {"flowers": False, "minimum_fan": 0},
)
"""The options that differ from the defaults: the first set is the defaults."""

NEVER: Final = {
    **{limit: " ".join(pattern for pattern in PATTERNS if pattern != limit) for limit in LIMITS},
    "zi_mo": "qiang_gang",
    "men_qian_qing": "gang_shang_hua",
    "wu_hua": "zheng_hua yi_tai_hua hua_shang_hua",
    "ping_hu": "dui_dui_hu hun_yao_jiu san_yuan_pai dong_feng men_feng xiao_san_yuan",
    "yi_ban_gao": "dui_dui_hu hun_yao_jiu",
    "hun_yi_se": "qing_yi_se",
    "qing_yi_se": "san_yuan_pai dong_feng men_feng hun_yao_jiu xiao_san_yuan",
    "xiao_san_yuan": "san_yuan_pai",
    "hai_di": "qiang_gang",
}


def check_many(rounds: int, least: int, name: str) -> None:
    rng = Random(f"malaysia {name}")
    game = Game("malaysia-4p", DEFAULTS, plain_score)
    themes = [theme for theme in MANY_THEMES if theme != "unfinished"]
    for theme, index in turns(rounds, themes, OPTION_SETS):
        win, options = flower_win(rng, theme, claimed_chows="p"), OPTION_SETS[index]
        game.check(win if options.get("flowers", True) else replace(win, flowers=(), flower_draw=False), options)
    game.check_coverage(PATTERNS, least)
    game.check_never_together(NEVER)


def test_wins_equal_the_plain_scorer() -> None:
    check_many(rounds=40, least=15, name="fast")


@pytest.mark.long
def test_20000_wins_equal_the_plain_scorer() -> None:
    check_many(rounds=20000 // (len(MANY_THEMES) - 3) + 1, least=100, name="20000")


def test_every_option_is_changed_somewhere() -> None:
    assert {name for options in OPTION_SETS for name in options} == set(DEFAULTS)


def test_by_the_specification_only_its_patterns_count() -> None:
    rng = Random("specification")
    game = Game("malaysia-4p", DEFAULTS, plain_score)
    for theme in MANY_THEMES * 5:
        if theme != "unfinished":
            game.check(flower_win(rng, theme, claimed_chows="p"), {"spec_only": True})
    assert set(game.coverage) <= {*SPECIFIED, "liable"}
    assert not set(game.coverage) & {*PROPOSED, *LIMITS}
