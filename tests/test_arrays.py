"""Plans of traced programs run on columns of thousands of readings at once, and give what readings give one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np
import pytest

from mjcli.batch.plan import Plan, dtype_of
from mjcli.batch.tracing import TRUTHS, bounds_of, trace
from mjcli.hand import Line
from mjcli.readings import readings
from mjcli.ruleset import Ruleset, load_ruleset
from mjcli.scoring import evaluations
from mjcli.tiles import tile
from tests.plain import random_win
from tests.rulesets import small_ruleset


def planned(ruleset: Ruleset, rows: Sequence[dict[str, int]]) -> Iterator[list[Any]]:
    """Yield the steps, the counts and the fans of readings, as a plan computes them."""
    traced = trace(ruleset.program)
    groups = (traced.results, traced.counts, traced.fans)
    plan = Plan(traced, [each for group in groups for each in group])
    columns = {name: np.array([row[name] for row in rows]).astype(dtype_of(name)) for name in plan.columns}
    values = iter(plan.run(columns.__getitem__, len(rows)))
    for group in groups:
        yield [next(values) for _ in group]


def assert_equal_to_one_by_one(ruleset: Ruleset, lines: Sequence[Line], least: int) -> None:
    rows = [each.reading.columns for line in lines for each in evaluations(line, ruleset)]
    assert len(rows) >= least
    whole = list(planned(ruleset, rows))
    one_by_one = [ruleset.evaluate(row) for row in rows]
    for part in range(3):
        for place, column in enumerate(whole[part]):
            expected = np.array([int(row[part][place]) for row in one_by_one])
            found = np.broadcast_to(column, expected.shape).astype(np.int64)
            wrong = np.flatnonzero(found != expected)
            assert not wrong.size, (part, place, rows[wrong[0]], found[wrong[0]], expected[wrong[0]])


CASES: Final[dict[str, tuple[str, dict[str, str]]]] = {
    "jipinghu": ("jipinghu", {}),
    "jipinghu-house-rules": (
        "jipinghu",
        {"cap": "none", "stack_base": "true", "kong_fan": "true", "concealed_fan": "true", "shi_ba_luo_han": "true"},
    ),
    "mcr": ("mcr", {}),
    "riichi": ("riichi", {}),
    "riichi-other-options": (
        "riichi",
        {"double_wind_pair_fu": "2", "round_up_mangan": "true", "double_yakuman": "false"},
    ),
}
EXTRA: Final[dict[str, dict[str, tuple[Any, ...]]]] = {
    "riichi": {
        "riichi": (True,),
        "double-riichi": (True,),
        "ippatsu": (True,),
        "dora": ((tile("4m"), tile("1z")), (tile("9s"),)),
        "ura-dora": ((tile("7z"), tile("7z")),),
        "honba": (1, 5),
    },
}


@pytest.mark.parametrize("hands", [1_100, pytest.param(10_000, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", CASES)
def test_columns_give_what_single_readings_give(name: str, hands: int) -> None:
    rules, options = CASES[name]
    ruleset = load_ruleset(rules, options, cache=False)
    rng = Random(f"arrays {name}")
    lines = [random_win(rng, EXTRA.get(name.partition("-")[0])) for _ in range(hands)]
    assert_equal_to_one_by_one(ruleset, lines, hands // 2)


CONSTRUCTS: Final = (
    "chows - 5",
    "-chows",
    "pungs(winds) - pungs(seat | round) - 3",
    "100 * pungs",
    "100 * pungs(ends)",
    "250 * tiles(ends) + 250",
    "pick(ladder, chows - 2)",
    "pick(long, 40 * pungs(ends))",
    "2 ** (10 * chows)",
    "2 ** (chows - pungs)",
    "up(fan_of_it, 10)",
    "min(chows, 2) + max(pungs, self_drawn, 1)",
    "(chows - pungs) // 2",
    "(chows - pungs) % 3",
    "self_drawn + concealed + honors",
    "self_drawn * 300",
    "3 if self_drawn else -3",
    "1 if form == standard else 2 if wait == single else 3",
    "(chows if concealed else self_drawn) + 1",
    "honors if self_drawn else concealed",
    "not self_drawn",
    "not chows",
    "1 < chows <= 3",
    "identical(2) + 300 * identical(1, concealed)",
    "held(marked) * 100",
    "said(marked) * 100",
    "lucky + 2 * sticks",
    "shared_rank or every(ends) or only(green) or has(seat)",
    "pair in dragons | seat",
    "win not in 258m258p258s",
    "kinds + numbers + types + suits + kinds_of_honors + pairs",
    "waits - 14",
    "kinds // 1000 - kinds // 3",
    "-kinds % 300",
    "-kinds % 7",
    "max(kinds, 100) - 200",
    "chows - chows",
    "-128 * self_drawn - chows",
    "0 - 64 * self_drawn - 64 * honors",
    "100 * self_drawn + 100 * honors - 150 * (chows > 1) + 7",
    "(100 + chows) * (100 + pungs)",
    "7",
    "honors or true",
)
"""Numbers and conditions that an array may read otherwise than a number: bytes that wrap, truths that add."""


def test_every_construct_runs_on_columns(tmp_path: Path) -> None:
    patterns: list[dict[str, Any]] = [
        {"id": f"p{place}", "fan": "1", "times": text} for place, text in enumerate(CONSTRUCTS)
    ]
    patterns += [
        {"id": "fan_of_it", "fan": "7", "times": "chows"},
        {
            "id": "changing",
            "fan": "300 if self_drawn else 100",
            "when": "chows > 1",
            "excludes": ["fan_of_it if honors"],
        },
        {"id": "sided", "fan": "2", "each": "kind", "sets": ["concealed chow n a"], "contains": ["p0"]},
        {"id": "spread", "fan": "2", "each": "suit", "sets": ["pung 1 a", "tile n a"], "without": ["kong n a"]},
        {"id": "none_of_it", "fan": "1", "otherwise": "rest"},
        {"id": "rest", "fan": "9", "group": "rest", "when": "chows == 0"},
    ]
    steps = {
        "best_one": "max(main)",
        "number": "count(all)",
        "some": "any(rest)",
        "fan": "sum(all) if some else best_one",
        "points": "up(2 ** min(fan, 20), 100)",
    }
    path = small_ruleset(
        tmp_path,
        patterns,
        score=steps,
        best=["fan", "points"],
        prefer="wait == open",
        wins_if="fan >= 3 and number > 1",
        pay=[{"when": "self_drawn", "others": "points", "dealer": "2 * points"}, {"named": "3 * points"}],
        forms={"standard": "true", "seven_pairs": "four", "knitted_straight": "true"},
        tables={"ladder": ["7", "5", "3", "2"], "long": [str(place) for place in range(200)]},
        context={
            "lucky": {"kind": "flag", "en": "a flag"},
            "sticks": {"kind": "number", "en": "a number"},
            "marked": {"kind": "tiles", "en": "tiles"},
        },
    )
    extra = {"lucky": (True, False), "sticks": (3, 99), "marked": ((tile("5m"), tile("1z")), (tile("9s"),))}
    rng = Random("constructs")
    assert_equal_to_one_by_one(load_ruleset(str(path), cache=False), [random_win(rng, extra) for _ in range(900)], 700)


def test_columns_are_within_their_bounds() -> None:
    rng = Random("bounds")
    for _ in range(400):
        for each in readings(random_win(rng, {})):
            for name, value in each.columns.items():
                bounds = bounds_of(name)
                assert bounds.low <= value <= bounds.high, name
                assert value & ~bounds.bits == 0, name
                assert isinstance(value, bool) == (name in TRUTHS), name
