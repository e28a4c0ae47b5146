"""The engine and the four layers of Guangdong rules against the plain scorer, on wins drawn at random."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any

import pytest

from mjcli.errors import ContradictionError
from mjcli.notation import parse_line
from mjcli.ruleset import Ruleset, load_ruleset
from mjcli.scoring import score
from tests.plain_guangdong import EXTRA, LAYERS, VALUES, GuangdongWin, plain_score
from tests.random_guangdong import ALL_THEMES, OPTION_SETS, options_of, random_win

NEVER_COUNTED = ("hun_lao_tou",)
"""What is always within another: 混老頭 within 花幺. It must hold as often as others count."""


@cache
def ruleset_of(layer: int, changes: tuple[tuple[str, Any], ...]) -> Ruleset:
    return load_ruleset(LAYERS[layer], {name: str(value).lower() for name, value in changes})


@cache
def option_sets(layer: int) -> tuple[Mapping[str, Any], ...]:
    """Return the sets of options of which this layer has all."""
    known = ruleset_of(layer, ()).options
    return tuple(changes for changes in OPTION_SETS if all(name in known for name in changes)) or ({},)


def check(case: GuangdongWin, layer: int, changes: Mapping[str, Any]) -> list[str]:
    """Compare every part of the answer; return what counts, and in what other ways it was tested."""
    ruleset = ruleset_of(layer, tuple(changes.items()))
    expected = plain_score(case, layer, options_of(changes))
    about = f"{case.line()} {LAYERS[layer]} {dict(changes)}"
    line = parse_line(case.line(), extra=ruleset.extra_words, tiles=ruleset.tiles)
    if case.win.liable:
        try:
            found = score(line, ruleset)
        except ContradictionError:
            return []  # the melds say that somebody else is
    else:
        found = score(line, ruleset)
    if expected is None:
        assert not found.complete, about
        return ["incomplete"]
    assert found.complete, about
    counts = {each.pattern.id: each.fan for each in found.patterns}
    said = (counts, {each.pattern.id for each in found.excluded})
    assert (found.fan, found.fan_uncapped, found.points) == (expected.fan, expected.uncapped, expected.points), (
        f"{about} {said} {expected}"
    )
    assert said in expected.choices or (counts, None) in expected.choices, f"{about} {said} {expected}"
    assert found.can_win == expected.can_win, about
    assert found.payments == expected.payments, about
    assert bool(found.liable) == expected.liable, about
    received = list(found.payments.values())
    assert sum(received) + (received[-1] if "other" in found.payments else 0) == 0, about
    held = [name for name in NEVER_COUNTED if name in said[1]]
    return [*counts, *held, *["liable"] * bool(found.liable), *["below"] * (not found.can_win)]


def check_many(layer: int, wins: int, least: int, name: str) -> None:
    rng = Random(f"{LAYERS[layer]} {name}")
    coverage: Counter[str] = Counter()
    sets = option_sets(layer)
    extra = next((changes for changes in sets if "igs_extra" in changes), {"he_di": True})
    for turn in range(wins):
        theme = ALL_THEMES[turn % len(ALL_THEMES)]
        changes = rng.choice(({}, rng.choice(sets), extra, {**extra, "flowers": False}))
        case = random_win(rng, theme, flowers=changes.get("flowers", True))
        if layer < 3:
            case = GuangdongWin(case.win, case.flowers, case.clean, case.rob_own_kong, case.flower_draw)
        coverage.update(check(case, layer, changes))
    patterns = [pattern for added in VALUES[: layer + 1] for pattern in added]
    print({pattern: coverage[pattern] for pattern in (*patterns, "liable", "below", "incomplete")})
    rare = {pattern: coverage[pattern] for pattern in (*patterns, "liable", "below") if coverage[pattern] < least}
    assert not rare, f"counted less than {least} times: {rare}"


@pytest.mark.parametrize("layer", range(4), ids=LAYERS)
def test_wins_equal_the_plain_scorer(layer: int) -> None:
    check_many(layer, wins=(400, 450, 450, 800)[layer], least=3, name="few")


@pytest.mark.long
@pytest.mark.parametrize("layer", range(4), ids=LAYERS)
def test_20000_wins_equal_the_plain_scorer(layer: int) -> None:
    check_many(layer, wins=20_000, least=100, name="long")


def test_what_the_specification_lacks_is_off_unless_asked_for() -> None:
    assert {each.id for each in ruleset_of(3, ()).patterns} & set(EXTRA) == set()
    assert {each.id for each in ruleset_of(3, (("igs_extra", True),)).patterns} >= set(EXTRA)
