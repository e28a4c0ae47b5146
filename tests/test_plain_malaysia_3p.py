"""The engine and ``rulesets/malaysia-3p.yaml`` against the plain scorer, on wins with jokers drawn at random."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final

import pytest

from tests.plain_games import Game, turns
from tests.plain_malaysia_3p import DEFAULTS, LIMITS, PATTERNS, JokerScore, plain_score
from tests.random_malaysia_3p import JOKERS, THEMES, joker_win

OPTION_SETS: Final[tuple[Mapping[str, Any], ...]] = (
    {},
    {"minimum_fan": 0, "suit": "characters"},
    {"cap": 12, "heads": "clowns"},
    {"four_jokers_win": True, "minimum_fan": 3},
    {"liability": "off", "joker_tile": "1s"},
)
"""The options that differ from the defaults: the first set is the defaults."""

NEVER: Final = {
    **{limit: " ".join(pattern for pattern in PATTERNS if pattern != limit) for limit in LIMITS},
    "ping_hu": "dui_dui_hu san_yuan_pai men_feng dong_feng bei_feng xiao_san_yuan",
    "qing_yi_se": "hun_yi_se san_yuan_pai men_feng dong_feng bei_feng xiao_san_yuan",
    "xiao_san_yuan": "san_yuan_pai",
    "qiang_gang": "hua_shang_hua gang_shang_hua",
}


def check_many(wins: int, name: str, shares: Sequence[float], least: int) -> None:
    rounds = wins * 103 // 100 // len(THEMES) + 1  # one hand in forty is mostly no win
    rng = Random(f"malaysia-3p {name}")
    game = Game("malaysia-3p", DEFAULTS, plain_score)
    jokers: Counter[int] = Counter()
    for turn, (theme, index) in enumerate(turns(rounds, list(THEMES), OPTION_SETS)):
        win = joker_win(rng, theme, OPTION_SETS[index], shares, near=turn % 40 == 0)
        found, expected = game.check(win, OPTION_SETS[index])
        if found.best is None:
            continue
        assert isinstance(expected, JokerScore)
        meaning = tuple(sorted(map(str, found.best.reading.jokers)))
        assert meaning in {tuple(sorted(each)) for each in expected.meanings}, win.line()
        jokers[win.jokers] += 1
    print(dict(sorted(jokers.items())), "wins by their jokers")
    assert jokers.total() >= wins
    game.check_coverage(PATTERNS, least)
    game.check_never_together(NEVER)


def test_600_wins_equal_the_plain_scorer() -> None:
    check_many(wins=600, name="brief", shares=(0.4, 0.34, 0.2, 0.05, 0.01), least=3)


@pytest.mark.long
def test_20000_wins_equal_the_plain_scorer() -> None:
    check_many(wins=20_000, name="20000", shares=JOKERS, least=100)


def test_every_option_is_changed_somewhere() -> None:
    assert {name for options in OPTION_SETS for name in options} == set(DEFAULTS)
