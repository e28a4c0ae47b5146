"""Who sits where: wind tiles drawn, the highest throw with its ties, and the place that East chooses."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from mjcli.chance import MAX_SEED
from mjcli.cli.main import app
from mjcli.errors import InputError
from mjcli.melds import Seat
from mjcli.ruleset.procedures import SEATS
from mjcli.seating import WAYS, Step, choose_seats, turned

NAMES = ["Ann", "Bo", "Cy", "Di"]


@given(st.integers(0, MAX_SEED), st.integers(3, 4))
def test_each_draws_the_wind_where_he_sits(seed: int, players: int) -> None:
    found = choose_seats("winds", NAMES[:players], seed)
    assert [name for name, _ in found.steps] == NAMES[:players]
    assert dict(found.steps) == dict(zip(found.seats, Seat, strict=False))


def is_even(seats: Iterable[tuple[str, ...]], ways: int) -> bool:
    """Whether orders are equally likely, by chi-square, p > 0.001."""
    counts = Counter(seats)
    each = counts.total() / ways
    limit = {4: 16.3, 24: 49.7}[ways]  # 3 and 23 degrees of freedom
    return len(counts) == ways and sum((count - each) ** 2 / each for count in counts.values()) < limit


@pytest.mark.parametrize("way", ["winds", "east_chooses", "odd_even", "odd_even_highest"])
def test_every_order_is_drawn(way: str) -> None:
    found = [choose_seats(way, NAMES, seed) for seed in range(2400)]
    assert is_even((each.seats for each in found), 24)
    assert way == "winds" or is_even((each.places for each in found), 24)


def test_lots_give_places_and_the_throw_the_first_deal() -> None:
    found = [choose_seats("lots", NAMES, seed) for seed in range(2400)]
    assert is_even((each.places for each in found), 24)
    assert is_even((each.seats[:1] for each in found), 4)
    for each in found:
        assert {name: place for name, place in each.steps if isinstance(place, int)} == {
            name: number for number, name in enumerate(each.places, 1)
        }
        assert each.seats == turned(each.places, each.places.index(each.seats[0]))


def check_throws(steps: Iterable[Step], players: Sequence[str], first: str, dice: int) -> None:
    """Hold that the highest throw of ``dice`` dice is that of ``first``, and that who tied for it threw again."""
    rest = [(name, thrown) for name, thrown in steps if isinstance(thrown, tuple)]
    assert all(len(thrown) == dice and set(thrown) <= set(range(1, 7)) for _, thrown in rest)
    left = list(players)
    while len(left) > 1:
        turn, rest = dict(rest[: len(left)]), rest[len(left) :]
        assert list(turn) == left
        highest = max(sum(thrown) for thrown in turn.values())
        left = [name for name in left if sum(turn[name]) == highest]
    assert rest == []
    assert left == [first]


@given(st.integers(0, MAX_SEED), st.integers(3, 4))
def test_the_highest_throw_deals_first(seed: int, players: int) -> None:
    found = choose_seats("highest_throw", NAMES[:players], seed)
    assert list(found.places) == NAMES[:players]
    assert found.seats == turned(found.places, NAMES.index(found.seats[0]))
    check_throws(found.steps, NAMES[:players], found.seats[0], 2)
    lots = choose_seats("lots", NAMES[:players], seed)
    check_throws(lots.steps, lots.places, lots.seats[0], 2)


def test_ties_are_thrown_again() -> None:
    lengths = Counter(len(choose_seats("highest_throw", NAMES, seed).steps) for seed in range(300))
    assert lengths[4] > 200
    assert lengths[6] > 20
    assert max(lengths) > 7


@given(st.integers(0, MAX_SEED), st.integers(3, 4))
def test_east_chooses_his_place(seed: int, players: int) -> None:
    found = choose_seats("east_chooses", NAMES[:players], seed)
    *drawn, (east, place) = found.steps
    assert found._replace(places=found.seats, steps=tuple(drawn)) == choose_seats("winds", NAMES[:players], seed)
    assert isinstance(place, int)
    assert [found.places[(place - 1 + turn) % players] for turn in range(players)] == list(found.seats)
    assert found.seats[0] == east


@given(st.integers(0, MAX_SEED), st.integers(2, 3))
def test_winds_are_drawn_from_the_odd_or_the_even_end(seed: int, dice: int) -> None:
    for way in ("odd_even", "odd_even_highest"):
        found = choose_seats(way, NAMES, seed, dice=dice)
        *before, (east, thrown) = found.steps[:-4]
        if way == "odd_even":  # Cy stands across from Ann, who shuffled
            ((name, counted),) = before
            assert name == "Cy"
            assert isinstance(counted, tuple)
            assert east == ["Cy", "Di", "Ann", "Bo"][(sum(counted) - 1) % 4]
        else:
            check_throws(before, NAMES, east, dice)
        assert isinstance(thrown, tuple)
        assert len(thrown) == dice
        row = [str(each) for each in found.row]
        end, *winds = row if row[0] == ("1p" if sum(thrown) % 2 else "2p") else row[::-1]
        assert end == ("1p" if sum(thrown) % 2 else "2p")
        assert winds.pop() == ("2p" if sum(thrown) % 2 else "1p")
        order = turned(NAMES, NAMES.index(east))
        drawn = dict(zip(order, ("ESWN"[int(wind[0]) - 1] for wind in winds), strict=True))
        assert {name: wind.value for name, wind in found.steps[-4:] if isinstance(wind, Seat)} == drawn
        assert [drawn[name] for name in found.seats] == list("ESWN")
        assert found.places[NAMES.index(east)] == found.seats[0]  # the place of E is where he stands
        assert turned(found.places, NAMES.index(east)) == found.seats


def test_a_ruleset_may_say_every_way() -> None:
    assert set(SEATS) == set(WAYS)


@pytest.mark.parametrize("names", [["A", "B"], ["A", "B", "C", "D", "E"], ["A", "B", "C", "A"], ["A", "B", " "]])
def test_players_that_cannot_be(names: list[str]) -> None:
    for way in WAYS:
        with pytest.raises(InputError, match="three or four different names are wanted") as caught:
            choose_seats(way, names, 1)
        assert caught.value.code == "bad-players"


def test_three_players_do_not_stand_across() -> None:
    with pytest.raises(InputError, match="of three players nobody stands across"):
        choose_seats("odd_even", NAMES[:3], 1)
    assert len(choose_seats("odd_even_highest", NAMES[:3], 1).row) == 5


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
    assert (
        "Ann draws S\nBo draws W\nCy draws N\nDi draws E\ncounter-clockwise from place 1 sit Di, Ann, Bo, Cy\n" in story
    )
    assert "E round (the round marker is before E)\nE Di, S Ann, W Bo, N Cy\n" in story
    assert "E Di, S Ann, W Bo, N Cy" in run("--rules", "jipinghu")


def test_the_command_chooses_as_the_options_say() -> None:
    answer = json.loads(run("--json", "--rules", "jipinghu", "--set", "seating=east_chooses"))
    assert answer["seating"][-1] == ["Di", answer["places"].index("Di") + 1]
    answer = json.loads(run("--json", "--rules", "hongkong"))
    assert len(answer["row"]) == len("1p1234z2p")
    story = run("--steps", "--rules", "hongkong", "--lang", "zh-Hant", "--tiles", "hanzi")
    assert "\n開牌：" in story
    assert "\nCy擲骰 " in story
    lots = run("--steps", "--rules", "jipinghu", "--set", "seating=lots").splitlines()
    assert [line[:-1] for line in lots[1:5]] == [f"{name} takes place " for name in NAMES]


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
    assert "1 player, where" in CliRunner().invoke(app, ["deal", "--players", "Ann", "--rules", "jipinghu"]).stderr
