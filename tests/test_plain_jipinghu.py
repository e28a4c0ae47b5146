"""The engine and ``rulesets/jipinghu.yaml`` against the plain scorer, on wins drawn at random."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations
from random import Random
from typing import Final

import pytest

from mjcli.notation import parse_line
from mjcli.ruleset import Ruleset, load_ruleset
from mjcli.scoring import score
from tests.plain_jipinghu import BONUSES, EVENTS, ORDINARY, SPECIALS, PlainWin, plain_score
from tests.random_wins import OPTION_SETS, THEMES, options_of, random_win

ALL_THEMES = (*THEMES, "nine gates", "orphans")
ALL_PATTERNS = (*SPECIALS, *ORDINARY, *BONUSES, *EVENTS)

ALONE: Final = (
    "tian_hu di_hu ren_hu shi_san_yao jiu_lian da_si_xi da_san_yuan qing_yao_jiu zi_yi_se xiao_si_xi xiao_san_yuan "
    "hun_yao_jiu qing_dui_dui qing_yi_se hun_dui_dui shi_ba_luo_han"
)
"""Special hands 爆和以外, which are combined with nothing."""
WITHIN: Final = "hun_yi_se dui_dui_hu ping_hu ji_hu zi_mo men_feng quan_feng san_yuan_pai gang men_qian_qing"
"""What counts in an ordinary hand only."""
NEVER: Final = {
    **{special: f"{ALONE.replace(special, '')} {WITHIN}" for special in ALONE.split()},
    "hun_yi_se": "dui_dui_hu ping_hu ji_hu",
    "dui_dui_hu": "ping_hu ji_hu",
    "ping_hu": "ji_hu men_feng quan_feng san_yuan_pai gang",
    "zi_mo": "qiang_gang san_xiang he_di",
    "gang_shang_hua": "qiang_gang san_xiang he_di",
    "hai_di": "qiang_gang san_xiang he_di",
    "qiang_gang": "he_di",
}
"""What must never count together under the default options."""


@cache
def ruleset_of(index: int) -> Ruleset:
    said = {name: str(value).lower() for name, value in OPTION_SETS[index].items()}
    return load_ruleset("jipinghu", said)


def check(win: PlainWin, index: int) -> list[str]:
    """Compare every part of the answer; return the patterns that count, and ``liable`` if somebody is."""
    expected = plain_score(win, options_of(OPTION_SETS[index]))
    found = score(parse_line(win.line()), ruleset_of(index))
    about = f"{win.line()} {OPTION_SETS[index]}"
    if expected is None:
        assert not found.complete, about
        return []
    assert found.complete, about
    assert (found.fan, found.fan_uncapped, found.points) == (expected.fan, expected.uncapped, expected.points), about
    counts = {each.pattern.id: each.fan for each in found.patterns}
    assert (counts, {each.pattern.id for each in found.excluded}) in expected.choices, about
    assert found.can_win == expected.can_win, about
    assert found.payments == expected.payments, about
    assert bool(found.liable) == bool(expected.liable), about
    received = list(found.payments.values())
    assert sum(received) + (received[-1] if "other" in found.payments else 0) == 0, about
    return [*counts, *["liable"] * bool(found.liable)]


def check_many(rounds: int, least: int, name: str) -> None:
    rng = Random(f"jipinghu {name}")
    coverage: Counter[str] = Counter()
    pairs: set[frozenset[str]] = set()
    for turn in range(rounds):
        for theme in ALL_THEMES:
            index = (0, turn // 4 % len(OPTION_SETS), 0, len(OPTION_SETS) - 1)[turn % 4]
            counted = check(random_win(rng, theme), index)
            coverage.update(counted)
            if not index:
                pairs.update(map(frozenset, combinations(counted, 2)))
    print({pattern: coverage[pattern] for pattern in (*ALL_PATTERNS, "liable")})
    rare = {pattern: coverage[pattern] for pattern in (*ALL_PATTERNS, "liable") if coverage[pattern] < least}
    assert not rare, f"counted less than {least} times: {rare}"
    assert [(one, two) for one, others in NEVER.items() for two in others.split() if {one, two} in pairs] == []


def test_1000_wins_equal_the_plain_scorer() -> None:
    check_many(rounds=66, least=8, name="1000")


@pytest.mark.long
def test_20000_wins_equal_the_plain_scorer() -> None:
    check_many(rounds=1250, least=200, name="20000")
