"""Walls: their places, counting, breaking, and taking tiles from both ends, held to real stacks."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mjcli.errors import InputError
from mjcli.melds import Seat
from mjcli.ruleset.procedures import even_stacks
from mjcli.tiles import Tile, TileSet, tile
from mjcli.wall import Drawn, Place, Sides, Wall, check_wall, every_tile

PLAIN = TileSet.of({"m": 4, "p": 4, "s": 4, "z": 4})


def names(drawn: list[Drawn] | tuple[Drawn, ...]) -> list[str]:
    return [str(each.place) for each in drawn]


@pytest.mark.parametrize(
    ("size", "players", "lengths"),
    [
        (136, 4, (17, 17, 17, 17)),
        (144, 4, (18, 18, 18, 18)),
        (164, 4, (21, 20, 21, 20)),
        (140, 4, (18, 17, 18, 17)),
        (142, 4, (18, 18, 18, 17)),
        (84, 3, (14, 14, 14)),
        (88, 3, (15, 15, 14)),
    ],
)
def test_sides_as_even_as_can_be(size: int, players: int, lengths: tuple[int, ...]) -> None:
    assert even_stacks(size, players) == lengths


@pytest.mark.parametrize("lengths", [(18, 18), (18,) * 5, (18, 18, 18, 0)])
def test_walls_that_cannot_stand(lengths: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match="three or four sides"):
        Sides(lengths)


def test_places_go_clockwise_from_each_right_end() -> None:
    places = Sides((2, 1, 2, 1)).places
    assert " ".join(map(str, places)) == (
        "E1.top E1.bottom E2.top E2.bottom N1.top N1.bottom W1.top W1.bottom W2.top W2.bottom S1.top S1.bottom"
    )
    assert [place.stack for place in Sides((1, 1, 1)).places[::2]] == ["E1", "W1", "S1"]


@pytest.mark.parametrize(
    ("rolls", "seat"),
    [((5, 9, 13, 17), Seat.E), ((2, 6, 10, 14, 18), Seat.S), ((3, 7, 11, 15), Seat.W), ((4, 8, 12, 16), Seat.N)],
)
def test_counting_from_east(rolls: tuple[int, ...], seat: Seat) -> None:
    assert {Sides((18,) * 4).count(roll) for roll in rolls} == {seat}


@pytest.mark.parametrize(("roll", "seat"), [(2, Seat.S), (3, Seat.W), (4, Seat.E), (10, Seat.E), (12, Seat.W)])
def test_counting_three_players(roll: int, seat: Seat) -> None:
    assert Sides((14,) * 3).count(roll) is seat


@pytest.mark.parametrize(("roll", "start", "seat"), [(1, Seat.N, Seat.N), (2, Seat.N, Seat.E), (7, Seat.S, Seat.N)])
def test_counting_from_another(roll: int, start: Seat, seat: Seat) -> None:
    assert Sides((17,) * 4).count(roll, start) is seat


@pytest.mark.parametrize(
    ("seat", "skip", "stack"),
    [(Seat.W, 18, "S1"), (Seat.E, 0, "E1"), (Seat.E, 18, "N1"), (Seat.S, 18, "E1"), (Seat.N, 40, "S5")],
)
def test_a_break_beyond_the_last_stack_runs_on(seat: Seat, skip: int, stack: str) -> None:
    sides = Sides((18,) * 4)
    assert sides.places[2 * sides.stack_after(seat, skip)].stack == stack


def test_unequal_sides_run_on() -> None:
    sides = Sides((18, 17, 18, 17))
    assert sides.places[2 * sides.stack_after(Seat.N, 17)].stack == "W1"
    assert sides.places[2 * sides.stack_after(Seat.E, 18)].stack == "N1"


def stacks_of(sides: Sides, first: int) -> list[list[str]]:
    """The stacks in order from the break, each a list of places, top first."""
    shown = [str(place) for place in sides.places]
    stacks = [shown[index : index + 2] for index in range(0, len(shown), 2)]
    return stacks[first:] + stacks[:first]


@given(st.data())
def test_both_ends_beside_real_stacks(data: st.DataObject) -> None:
    lengths = data.draw(st.sampled_from([(2, 2, 2, 2), (3, 2, 3, 2), (2, 2, 2)]))
    sides = Sides(lengths)
    first = data.draw(st.integers(0, sum(lengths) - 1))
    dead = data.draw(st.integers(0, 5))
    tiles = every_tile(PLAIN)[: sides.size]
    wall = Wall(sides=sides, tiles=tiles, first=first, dead=dead)
    at = dict(zip(map(str, sides.places), tiles, strict=True))
    stacks = stacks_of(sides, first)
    while sum(map(len, stacks)) > dead:
        assert wall.left == sum(map(len, stacks)) - dead
        flat = [name for stack in stacks for name in stack]
        assert names(wall.rest) + names(wall.kept_back) == flat
        assert len(wall.kept_back) == dead
        assert (str(wall.next), str(wall.tail)) == (stacks[0][0], stacks[-1][0])
        end, count = data.draw(st.sampled_from(("head", "tail"))), data.draw(st.integers(1, min(4, wall.left)))
        wanted = []
        for _ in range(count):
            stack = stacks[0 if end == "head" else -1]
            wanted.append(stack.pop(0))
            if not stack:
                stacks.remove(stack)
        taken, wall = wall.draw(count) if end == "head" else wall.replacements(count)
        assert names(taken) == wanted
        assert [each.tile for each in taken] == [at[name] for name in wanted]
    assert wall.next is None
    assert wall.tail is None
    assert len(wall.kept_back) == dead
    for take in (wall.draw, wall.replacements):
        with pytest.raises(InputError, match="0 tiles left to take, not 1") as caught:
            take(1)
        assert caught.value.code == "wall-end"


def test_the_dead_wall_is_kept_full() -> None:
    sides = Sides((17,) * 4)
    wall = Wall(sides=sides, tiles=every_tile(PLAIN), first=sides.stack_after(Seat.W, 7), dead=14)
    assert names(wall.kept_back)[::2] == [f"W{number}.top" for number in range(1, 8)]
    _, wall = wall.replacements(1)
    assert names(wall.kept_back)[0] == "N17.bottom"
    assert len(wall.kept_back) == 14
    assert names(wall.rest)[-1] == "N17.top"


def test_every_tile() -> None:
    red = every_tile(TileSet.of({"m": 4, "s": 4, "1f": 1}, reds=(1, 0, 2)))
    assert Counter(red)[Tile(tile("5s").suit, 5, red=True)] == 2
    assert "".join(map(str, red[16:20])) == "0m5m5m5m"
    assert len(red) == 73
    assert str(red[-1]) == "1f"


def test_a_given_wall_names_what_is_wrong() -> None:
    full = every_tile(PLAIN)
    check_wall(full[::-1], full)
    with pytest.raises(InputError) as caught:
        check_wall([*full[:-2], full[0], tile("1f")], full)
    assert str(caught.value) == ("the wall is not that of the ruleset: without 7z (2 times); too often 1m, 1f")


def test_a_message_names_but_a_few_kinds() -> None:
    full = every_tile(PLAIN)
    with pytest.raises(InputError, match=r"without 1m \(4 times\), .*, 8m \(4 times\) and 26 kinds more$"):
        check_wall([], full)


def test_place_as_text() -> None:
    assert str(Place(Seat.S, 2, "bottom")) == "S2.bottom"
