"""Runs of many deals: the same for any cut, sums that agree with the log, intervals, rotation, comparison."""

from __future__ import annotations

import json
from collections import Counter
from copy import copy
from dataclasses import asdict
from math import isclose, sqrt
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mjcli.errors import ContradictionError, Fault, InputError, NotationError, RulesetError
from mjcli.players import StrategyError
from mjcli.rotation import after_results, new_game
from mjcli.ruleset import load_ruleset
from mjcli.simulate import Plan, compare, simulate
from mjcli.simulate.intervals import mean, rate
from mjcli.simulate.runs import Run
from tests.played import deals_of

JIPINGHU = Plan(rules="jipinghu", seed=4)
MIXED = Plan(rules="guangdong-xinzhang", seed=4, players=("fast", "random", "fast", "random"))


@pytest.mark.parametrize(("plan", "count"), [(MIXED, 10), (Plan(rules="malaysia-4p", seed=4, games=True), 2)])
def test_the_result_does_not_depend_on_how_the_work_is_cut(plan: Plan, count: int) -> None:
    told: list[list[str]] = [[], [], []]
    found = [
        json.dumps(simulate(plan, count, log=told[0].append)),
        json.dumps(simulate(plan, count, part=1, log=told[1].append)),
        json.dumps(simulate(plan, count, jobs=2, part=3, log=told[2].append)),
    ]
    assert found[0] == found[1] == found[2]
    assert told[0] == told[1] == told[2]


@pytest.mark.parametrize("players", [MIXED.players, ("value", "careful", "value", "careful")])
def test_a_deal_does_not_depend_on_those_before_it(players: tuple[str, ...]) -> None:
    plan = Plan(rules="hongkong", seed=4, players=players)
    lines: list[str] = []
    simulate(plan, 4, log=lines.append)
    alone: list[str] = []
    assert list(Run(plan).played(3, 1, alone))
    assert lines[-len(alone) :] == alone


def test_the_sums_are_those_of_the_log() -> None:
    lines: list[str] = []
    answer = simulate(MIXED, 24, log=lines.append)
    won, fed, fans, patterns = Counter[str](), Counter[str](), Counter[int](), Counter[str]()
    points = {"E": 0, "S": 0, "W": 0, "N": 0}
    for _, events in deals_of(tuple(lines)):
        for keys in events:
            if keys["event"] == "win":
                won[keys["seat"]] += 1
                fans[keys["fan"]] += 1
                patterns.update(keys["patterns"])
                fed.update(word.removeprefix("from=") for word in keys["hand"].split() if word.startswith("from="))
            elif keys["event"] == "payment":
                for seat, amount in keys["payments"].items():
                    points[seat] += amount
    results = answer["results"]
    for seat in "ESWN":
        side = results["seats"][seat]
        assert (side["won"]["count"], side["fed"]["count"], side["won"]["of"]) == (won[seat], fed[seat], 24)
        assert isclose(side["points"]["mean"], points[seat] / 24, abs_tol=1e-6)
    assert {int(fan): found["count"] for fan, found in answer["fan"].items()} == dict(fans)
    assert {each["id"]: each["count"] for each in answer["patterns"]} == dict(patterns)
    assert sum(side["won"]["count"] for side in results["players"]) == won.total()
    assert [each["name"] for each in results["players"]] == list(MIXED.players)
    assert results["players"][1]["won"]["count"] + results["players"][3]["won"]["count"] <= 2, (
        "random players win rarely"
    )


def test_frequency_and_value_of_patterns_have_intervals() -> None:
    plan = Plan(rules="guangdong-xinzhang", seed=1)
    fans: dict[str, list[int]] = {}
    received: dict[str, list[int]] = {}
    wins = [won for each in Run(plan).played(0, 24) for won in each.outcome.wins]
    for won in wins:
        for counted in won.score.patterns:
            fans.setdefault(counted.pattern.id, []).append(counted.fan)
            received.setdefault(counted.pattern.id, []).append(won.payments[won.seat])
    assert any(len({*values}) > 1 for values in fans.values())
    found = simulate(plan, 24)["patterns"]
    assert {each["id"] for each in found} == fans.keys()
    for each in found:
        assert (each["count"], each["of"]) == (len(fans[each["id"]]), len(wins))
        for name, values in (("fan", fans[each["id"]]), ("points", received[each["id"]])):
            assert each[name] == asdict(mean(sum(values), sum(value * value for value in values), len(values)))


def test_the_sums_of_riichi_are_those_of_the_log() -> None:
    lines: list[str] = []
    answer = simulate(Plan(rules="riichi", seed=1), 60, log=lines.append)
    declared, aborted = 0, Counter[str]()
    points = dict.fromkeys("ESWN", 0)
    for _, events in deals_of(tuple(lines)):
        for keys in events:
            declared += keys["event"] == "ready"
            if keys["event"] == "abort":
                aborted[keys["reason"]] += 1
            elif keys["event"] == "payment":
                for seat, amount in keys["payments"].items():
                    points[seat] += amount
            elif keys["event"] == "deposit":
                points[keys["seat"]] += keys["amount"]
    results = answer["results"]
    assert (results["declared"]["count"], results["declared"]["of"]) == (declared, 240)
    assert results["aborted"]["count"] == aborted.total() > 0
    assert {reason: found["count"] for reason, found in results["aborts"].items() if found["count"]} == dict(aborted)
    for seat in "ESWN":
        assert isclose(results["seats"][seat]["points"]["mean"], points[seat] / 60, abs_tol=1e-6)


def test_the_points_of_a_game_are_those_of_its_log() -> None:
    lines: list[str] = []
    simulate(Plan(rules="riichi", seed=6, games=True), 2, log=lines.append)
    points: dict[int, int] = {}
    deposits = 0
    for head, events in deals_of(tuple(lines)):
        first = "ESWN".index(head["origin"])
        players = {seat: (place - first) % 4 for place, seat in enumerate("ESWN")}
        if not head["index"] % 1_000_000:
            points, deposits = dict.fromkeys(range(4), 25_000), 0
        assert min(points.values()) >= 0, "the game ends when somebody has none left"
        assert head["points"] == {seat: points[player] for seat, player in players.items()}
        assert head.get("deposits", 0) == deposits
        for keys in events:
            if keys["event"] == "deposit":
                points[players[keys["seat"]]] += keys["amount"]
                deposits -= keys["amount"] // 1000
            elif keys["event"] == "payment":
                for seat, amount in keys["payments"].items():
                    points[players[seat]] += amount
        assert sum(points.values()) + 1000 * deposits == 100_000


def test_players_move_on_from_deal_to_deal() -> None:
    lines: list[str] = []
    simulate(Plan(rules="jipinghu", seed=1, players=("fast", "random", "random", "random")), 5, log=lines.append)
    assert [
        "ESWN"["".join(name[0] for name in head["players"].values()).index("f")] for head, _ in deals_of(tuple(lines))
    ] == [*"ESWNE"]


@pytest.mark.parametrize(
    ("rules", "options"),
    [("jipinghu", {"stop_after": "1"}), ("hongkong", {"stop_after": "1", "minimum_fan": "1"}), ("malaysia-4p", {})],
)
def test_a_game_goes_by_its_rotation(rules: str, options: dict[str, str]) -> None:
    lines: list[str] = []
    answer = simulate(Plan(rules=rules, options=options, seed=6, games=True), 1, log=lines.append)
    game = new_game(load_ruleset(rules, options))
    for number, (head, events) in enumerate(deals_of(tuple(lines))):
        assert head["index"] == number
        assert head["round"] == (None if game.round is None else game.round.value)
        assert (head["origin"], head["repeats"]) == (game.wind(0).value, game.repeats)
        last = [keys["seat"] for keys in events if keys["event"] in ("draw", "replacement")][-1:]
        winners = "".join(events[-1]["winners"])
        game = after_results(game, winners or f"draw={''.join(last)}")
    assert game.is_over
    assert answer["results"]["deals_per_game"]["mean"] == game.deals


def test_games_begin_with_another_dealer_each() -> None:
    lines: list[str] = []
    plan = Plan(rules="malaysia-4p", options={"deals": "1"}, seed=6, games=True, players=("fast", *["random"] * 3))
    simulate(plan, 3, log=lines.append)
    heads = [head for head, _ in deals_of(tuple(lines))]
    assert [head["index"] for head in heads] == [0, 1_000_000, 2_000_000]
    assert [next(seat for seat, name in head["players"].items() if name == "fast") for head in heads] == ["E", "S", "W"]


def test_equal_plans_do_not_differ() -> None:
    found = compare(JIPINGHU, JIPINGHU, 6)
    assert found.first == found.second == simulate(JIPINGHU, 6)
    differences = [found.differences["drawn"], *(side["points"] for side in found.differences["players"])]
    assert all((each["mean"], each["low"], each["high"]) == (0, 0, 0) for each in differences)


def test_a_comparison_is_that_of_two_runs() -> None:
    second = Plan(rules="jipinghu", seed=4, options={"minimum_fan": "1"}, players=("fast", "random", "fast", "fast"))
    found = compare(JIPINGHU, second, 12, part=5)
    cut = compare(JIPINGHU, second, 12, jobs=2, part=2)
    assert found == cut
    one, two = simulate(JIPINGHU, 12), simulate(second, 12)
    assert (found.first, found.second) == (one, two)
    for place in range(4):
        before, after = (answer["results"]["players"][place]["points"]["mean"] for answer in (one, two))
        assert isclose(found.differences["players"][place]["points"]["mean"], after - before, abs_tol=1e-5)
    assert found.differences["deals"]["mean"] == 0


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_failing_strategy_is_told_from_every_process(jobs: int) -> None:
    plan = Plan(rules="jipinghu", seed=4, players=("fast", "fast", "fast", "tests/strategies.py:Raises"))
    with pytest.raises(StrategyError) as caught:
        simulate(plan, 6, jobs=jobs, part=2)
    assert str(caught.value).startswith("strategy 'tests/strategies.py:Raises' as N, after event ")
    assert caught.value.code == "bad-strategy"


@pytest.mark.parametrize(
    "error",
    [
        InputError("wall-end", "no tiles"),
        StrategyError("it failed"),
        NotationError("bad-rank", "no tile '8z'", line="8z", column=1, suggestion="7z"),
        ContradictionError("self-draw", "from=", "drawn"),
        RulesetError([Fault("a.yaml", 1, 2, "tiles", "wrong")]),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_go_from_process_to_process(error: InputError) -> None:
    found = copy(error)
    assert (type(found), str(found), found.__dict__) == (type(error), str(error), error.__dict__)


def test_time_ends_a_run_after_a_whole_part() -> None:
    assert simulate(JIPINGHU, 500, part=2, seconds=0)["deals"] == 2
    assert simulate(JIPINGHU, 500, part=2, seconds=0, jobs=2)["deals"] in (2, 4)


@pytest.mark.parametrize(
    ("plan", "code"),
    [
        (Plan(rules="jipinghu", players=("fast",) * 3), "bad-players"),
        (Plan(rules="jipinghu", players=("fast", "fast", "fast", "slow")), "bad-player"),
        (Plan(rules="nowhere"), "no-ruleset"),
        (Plan(rules="jipinghu", options={"cup": "2"}), "bad-option"),
        (Plan(rules="examples/small.yaml"), "no-wall"),
    ],
)
def test_a_plan_that_cannot_be_played(plan: Plan, code: str) -> None:
    with pytest.raises(InputError) as caught:
        simulate(plan, 1)
    assert caught.value.code == code


# intervals


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [
        # R. G. Newcombe, "Two-sided confidence intervals for the single proportion" (1998), table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson(count: int, of: int, low: float, high: float) -> None:
    found = rate(count, of)
    assert found.low is not None
    assert found.high is not None
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)


@settings(max_examples=50)
@given(values=st.lists(st.integers(-500, 500), min_size=2, max_size=40))
def test_mean(values: list[int]) -> None:
    found = mean(sum(values), sum(value * value for value in values), len(values))
    middle = sum(values) / len(values)
    deviation = sqrt(sum((value - middle) ** 2 for value in values) / (len(values) - 1))
    assert found.mean is not None
    assert found.low is not None
    assert isclose(found.mean, middle, abs_tol=1e-6)
    assert isclose(found.mean - found.low, 1.959964 * deviation / sqrt(len(values)), abs_tol=1e-3)


def test_nothing_counted() -> None:
    found: list[Any] = [rate(0, 0), mean(0, 0, 0), mean(5, 25, 1)]
    assert [each.low for each in found] == [None] * 3
    assert (found[0].rate, found[1].mean, found[2].mean) == (None, None, 5.0)
