"""The generated source runs on columns of thousands of readings at once, and gives what it gives one by one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from types import CodeType, FunctionType
from typing import Any, Final

import numpy as np
import pytest
from numpy.typing import NDArray

from mjcli.hand import Line
from mjcli.readings import readings
from mjcli.ruleset import Ruleset, load_ruleset
from mjcli.ruleset.combine import Entry, combiner
from mjcli.ruleset.program import Program
from mjcli.scoring import evaluations
from mjcli.tiles import tile
from tests.plain import random_win
from tests.rulesets import small_ruleset


def popc(column: NDArray[Any]) -> NDArray[Any]:
    """Return the number of ones, in 64 bits: ``bitwise_count`` gives bytes, in which 88 fan times 4 overflow."""
    counts: NDArray[np.uint8] = np.bitwise_count(column)
    return counts.astype(np.int64)


def combine_rows(entries: Sequence[Entry]) -> Any:
    """Return combine-once for columns: int64[patterns, rows]."""
    combine = combiner(entries)

    def rows(*columns: NDArray[Any]) -> NDArray[Any]:
        return np.array([combine(*map(int, row)) for row in zip(*columns, strict=True)], np.int64).T

    return rows


def link_for_arrays(program: Program) -> Any:
    """Return the function of a program, linked for NumPy columns."""
    names: dict[str, Any] = {
        "__builtins__": {"locals": locals},
        "popc": popc,
        "where": np.where,
        "max2": np.maximum,
        "min2": np.minimum,
        "pick": lambda table, index: table.take(index),
        **{f"TABLE_{name}": np.array(table, np.int64) for name, table in program.tables.items()},
        **{f"combine{index}": combine_rows(entries) for index, (_, entries) in enumerate(program.combine)},
    }
    module = compile(program.source, "<ruleset>", "exec")
    code = next(part for part in module.co_consts if isinstance(part, CodeType))
    return FunctionType(code, names, argdefs=(False,))


def columns_of(rows: Sequence[dict[str, int]]) -> dict[str, NDArray[Any]]:
    """Return the columns of readings, truths as bool and numbers as int32 as the batch path holds them."""
    found: dict[str, NDArray[Any]] = {}
    for name, first in rows[0].items():
        found[name] = np.array([row[name] for row in rows], np.bool_ if isinstance(first, bool) else np.int32)
    return found


def assert_equal_to_one_by_one(ruleset: Ruleset, lines: Sequence[Line], least: int) -> None:
    rows = [each.reading.columns for line in lines for each in evaluations(line, ruleset)]
    assert len(rows) >= least
    whole = link_for_arrays(ruleset.program)(columns_of(rows))
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
    "lucky + 2 * sticks",
    "shared_rank or every(ends) or only(green) or has(seat)",
    "pair in dragons | seat",
    "win not in 258m258p258s",
    "kinds + numbers + types + suits + kinds_of_honors + pairs",
    "waits - 14",
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


def test_readings_hold_truths_as_truths() -> None:
    """Columns that are truths are bool in every reading, so that an array of them is one of truths."""
    rng = Random("truths")
    kinds: dict[str, set[type]] = {}
    for _ in range(200):
        for each in readings(random_win(rng, {})):
            for name, value in each.columns.items():
                kinds.setdefault(name, set()).add(type(value))
    assert all(len(found) == 1 for found in kinds.values()), kinds
    truths = {name for name, found in kinds.items() if found == {bool}}
    assert {"self_drawn", "last_tile", "rob_kong", "from_dealer", "liable"} <= truths
