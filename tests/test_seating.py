"""Who sits where: wind tiles drawn, the highest throw with its ties, and the place that East chooses."""

from __future__ import annotations

import json
from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from mjcli.chance import MAX_SEED
from mjcli.cli.main import app
from mjcli.errors import InputError
from mjcli.melds import Seat
from mjcli.seating import seating_by_dice, seating_by_winds, table_places

NAMES = ["Ann", "Bo", "Cy", "Di"]


@given(st.integers(0, MAX_SEED), st.integers(3, 4))
def test_each_draws_the_wind_where_he_sits(seed: int, players: int) -> None:
    found = seating_by_winds(NAMES[:players], seed)
    assert [name for name, _ in found.steps] == NAMES[:players]
    assert dict(found.steps) == dict(zip(found.seats, Seat, strict=False))


def test_every_order_is_drawn() -> None:
    found = Counter(seating_by_winds(NAMES, seed).seats for seed in range(2400))
    assert set(found) == set(permutations(NAMES))
    assert sum((count - 100) ** 2 / 100 for count in found.values()) < 49.7  # p > 0.001 with 23 degrees of freedom


@given(st.integers(0, MAX_SEED), st.integers(3, 4))
def test_the_highest_throw_deals_first(seed: int, players: int) -> None:
    found = seating_by_dice(NAMES[:players], seed)
    first = NAMES.index(found.seats[0])
    assert list(found.seats) == [NAMES[(first + place) % players] for place in range(players)]
    steps = [(name, dice) for name, dice in found.steps if isinstance(dice, tuple)]
    assert all(len(dice) == 2 and set(dice) <= set(range(1, 7)) for _, dice in steps)
    left = NAMES[:players]
    while len(left) > 1:
        turn, steps = dict(steps[: len(left)]), steps[len(left) :]
        assert list(turn) == left
        highest = max(sum(dice) for dice in turn.values())
        left = [name for name in left if sum(turn[name]) == highest]
    assert steps == []
    assert left == [found.seats[0]]


def test_ties_are_thrown_again() -> None:
    lengths = Counter(len(seating_by_dice(NAMES, seed).steps) for seed in range(300))
    assert lengths[4] > 200
    assert lengths[6] > 20
    assert max(lengths) > 7


def test_east_chooses_his_place() -> None:
    for place in range(4):
        found = table_places(NAMES, place)
        assert found[place] == "Ann"
        assert [found[(place + turn) % 4] for turn in range(4)] == NAMES


@pytest.mark.parametrize("names", [["A", "B"], ["A", "B", "C", "D", "E"], ["A", "B", "C", "A"], ["A", "B", " "]])
def test_players_that_cannot_be(names: list[str]) -> None:
    for choose in (seating_by_winds, seating_by_dice):
        with pytest.raises(InputError, match="three or four different names are wanted") as caught:
            choose(names, 1)
        assert caught.value.code == "bad-players"


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["deal", "--seed", "3", "--players", "Ann,Bo,Cy,Di", *arguments])
    assert result.exit_code == 0, result.stderr
    return result.stdout


def test_the_command_names_the_players() -> None:
    answer = json.loads(run("--json", "--rules", "jipinghu"))
    assert answer["players"] == {"E": "Di", "S": "Ann", "W": "Bo", "N": "Cy"}
    assert answer["seating"] == [["Ann", "S"], ["Bo", "W"], ["Cy", "N"], ["Di", "E"]]
    later = json.loads(run("--json", "--rules", "jipinghu", "--game", "S"))
    assert later["players"] == {"E": "Ann", "S": "Bo", "W": "Cy", "N": "Di"}
    assert later["seating"] == answer["seating"]
    story = run("--steps", "--rules", "jipinghu")
    assert "Ann draws S\nBo draws W\nCy draws N\nDi draws E\nE round\nE Di, S Ann, W Bo, N Cy\n" in story
    assert "E Di, S Ann, W Bo, N Cy" in run("--rules", "jipinghu")


def test_the_command_throws_for_the_first_deal() -> None:
    answer = json.loads(run("--json", "--rules", "malaysia-4p"))
    totals = {name: sum(dice) for name, dice in answer["seating"]}
    assert totals[answer["players"]["E"]] == max(totals.values())
    name, dice = answer["seating"][0]
    assert f"{name} throws {dice[0]} + {dice[1]} = {sum(dice)}\n" in run("--steps", "--rules", "malaysia-4p")


def test_the_command_wants_as_many_as_play() -> None:
    result = CliRunner().invoke(app, ["deal", "--players", "Ann,Bo,Cy", "--rules", "jipinghu"])
    assert result.exit_code == 2
    assert "3 players, where ruleset jipinghu has 4" in result.stderr
