"""The four layers of Guangdong rules on the hands of tests/cases/guangdong.yaml, and what never changes a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import permutations
from random import Random
from typing import Any, Final

import pytest

from mjcli.errors import HandError, NotationError
from mjcli.notation import parse_line
from mjcli.ruleset import Ruleset, load_ruleset
from mjcli.scoring import Score, score
from tests.cases import table
from tests.plain_guangdong import LAYERS, GuangdongWin
from tests.random_guangdong import ALL_THEMES, random_win

CASES: Final[Mapping[str, Any]] = table("guangdong")
XINZHANG: Final = LAYERS[3]
"""The whole of the rules."""


def of(part: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES[part]])


@cache
def ruleset_of(rules: str, said: tuple[tuple[str, str], ...]) -> Ruleset:
    return load_ruleset(rules, dict(said))


def scored(line: str, rules: str = XINZHANG, **options: Any) -> Score:
    said = {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in options.items()}
    ruleset = ruleset_of(rules, tuple(sorted(said.items())))
    return score(parse_line(line, extra=ruleset.extra_words, tiles=ruleset.tiles), ruleset)


def patterns(found: Score) -> dict[str, int]:
    return {each.pattern.id: each.fan for each in found.patterns}


def by_option(case: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a case; YAML takes ``on`` and ``off`` for truths."""
    said = dict(case.get("set", {}))
    if "liability" in said:
        said["liability"] = "on" if said["liability"] else "off"
    return said


@of("worked")
def test_worked_hand(case: dict[str, Any]) -> None:
    found = scored(case["line"], flowers=False)
    assert patterns(found) == case["patterns"]
    assert found.fan == case["fan"] == sum(case["patterns"].values())
    assert found.points == case["fan"] + 1


@of("layers")
def test_layer(case: dict[str, Any]) -> None:
    found = [scored(case["line"], rules, flowers=False) for rules in LAYERS]
    assert [each.fan if each.complete else None for each in found] == case["fan"]


@of("options")
def test_option(case: dict[str, Any]) -> None:
    before = scored(case["line"], flowers=False)
    assert (before.fan if before.complete else None) == case["default"]
    found = scored(case["line"], flowers=False, **by_option(case))
    assert found.complete
    assert found.fan == case["fan"]
    assert found.can_win == case.get("can_win", True)
    assert found.points == case.get("points", case["fan"] + 1)
    if "patterns" in case:
        assert patterns(found) == case["patterns"]


@of("extras")
def test_extra(case: dict[str, Any]) -> None:
    found = scored(case["line"], flowers=False, igs_extra=True)
    assert patterns(found) == case["patterns"]
    if "excluded" in case:
        assert {each.pattern.id for each in found.excluded} == set(case["excluded"])


@of("readings")
def test_reading(case: dict[str, Any]) -> None:
    found = scored(case["line"], flowers=False)
    assert found.fan == case["fan"]
    if "patterns" in case:
        assert patterns(found) == case["patterns"]


@of("flowers")
def test_flowers(case: dict[str, Any]) -> None:
    if "error" in case:
        with pytest.raises((HandError, NotationError)) as caught:
            scored(case["line"], **by_option(case))
        assert caught.value.code == case["error"]
    else:
        found = scored(case["line"], **by_option(case))
        assert patterns(found) == case["patterns"]
        assert found.complete is bool(case["patterns"])


@of("payments")
def test_payments(case: dict[str, Any]) -> None:
    found = scored(case["line"], flowers=False, **by_option(case))
    assert found.payments == case["payments"]
    assert found.liable == case.get("liable", "")


# what never changes a value


@pytest.fixture(scope="module")
def wins() -> list[GuangdongWin]:
    """Wins of every theme."""
    rng = Random("what never changes a value")
    return [random_win(rng, theme) for theme in ALL_THEMES for _ in range(12)]


def test_pairs_that_never_count_together(wins: list[GuangdongWin]) -> None:
    never = {frozenset((one, other)) for one, others in CASES["never_together"].items() for other in others}
    for win in wins:
        if win.win.liable:
            continue
        counted = patterns(scored(win.line(), igs_extra=True))
        assert not [sorted(pair) for pair in never if pair <= set(counted)], win.line()


def test_tile_order_and_suits_change_nothing(wins: list[GuangdongWin]) -> None:
    rng = Random("tile order and suits")
    for win in wins[::3]:
        plain = replace(win.win, liable="")
        case = replace(win, win=plain)
        expected = scored(case.line())
        shuffled = replace(case, win=replace(plain, concealed=tuple(rng.sample(plain.concealed, len(plain.concealed)))))
        found = scored(shuffled.line())
        assert (patterns(found), found.payments) == (patterns(expected), expected.payments), case.line()
        for suits in permutations("mps"):
            found = scored(renamed(case, dict(zip("mps", suits, strict=True))).line())
            assert (found.fan, found.payments) == (expected.fan, expected.payments), case.line()


def renamed(case: GuangdongWin, suits: Mapping[str, str]) -> GuangdongWin:
    """Return a win with other suits for its own."""

    def other(tile: str) -> str:
        return tile[0] + suits.get(tile[1], tile[1])

    win = case.win
    melds = tuple(replace(meld, tile=other(meld.tile)) for meld in win.melds)
    return replace(case, win=replace(win, concealed=tuple(map(other, win.concealed)), melds=melds, win=other(win.win)))
