"""Deals in arrays are, deal for deal, those made one by one; so are the objects made from them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from mjcli.batch import chance
from mjcli.batch.deals import NOBODY, Deals, deals
from mjcli.batch.runs import NO_TILE, texts
from mjcli.chance import MAX_DEAL, MAX_SEED, Chance, Stream
from mjcli.cli.deal import MANY
from mjcli.cli.deals import answers
from mjcli.cli.dealt import COLUMNS, answer_to
from mjcli.cli.main import app
from mjcli.cli.output import Answer
from mjcli.dealing import deal, wall_rules
from mjcli.errors import InputError
from mjcli.notation import format_tiles
from mjcli.ruleset import Ruleset, load_ruleset
from mjcli.tiles import DEFAULT_SET, Tile
from mjcli.wall import every_tile
from tests.cases import table
from tests.test_deal import NAMES, ruleset

EVERY = every_tile(DEFAULT_SET)
REFUSALS: list[int] = table("chance")["refusals"]


@given(st.integers(0, MAX_SEED), st.integers(0, MAX_DEAL - 3), st.sampled_from(list(Stream)), st.integers(1, 11))
def test_words(seed: int, start: int, stream: Stream, count: int) -> None:
    found = chance.words(seed, np.arange(3, dtype=np.uint64) + np.uint64(start), stream, count)
    for column in range(3):
        one = Chance(seed, start + column, stream)
        assert found[:, column].tolist() == [one.word() for _ in range(count)]


@given(st.integers(0, MAX_SEED), st.integers(2, 160))
@settings(max_examples=30, deadline=None)
def test_orders_and_dice(seed: int, size: int) -> None:
    numbers = np.arange(5, dtype=np.uint64)
    orders = chance.orders(seed, numbers, np.arange(size, dtype=np.uint8))
    dice = chance.dice(seed, numbers, 6)
    for column in range(5):
        assert orders[:, column].tolist() == Chance(seed, column).shuffled(range(size))
        assert tuple(dice[:, column].tolist()) == Chance(seed, column, Stream.DICE).dice(6)


def blocks_of(order: Chance) -> int:
    """How many words a shuffle of 144 tiles has taken."""
    taken = 0
    draw = order.word

    def counted() -> int:
        nonlocal taken
        taken += 1
        return draw()

    order.word = counted  # type: ignore[method-assign]
    order.shuffled(range(144))
    return taken


@pytest.mark.parametrize("number", REFUSALS)
def test_a_word_that_is_refused(number: int) -> None:
    assert [blocks_of(Chance(0, number + more)) for more in (0, 1)] == [144, 143]
    found = chance.orders(0, np.arange(number - 1, number + 2, dtype=np.uint64), np.arange(144, dtype=np.uint8))
    for column in range(3):
        assert found[:, column].tolist() == Chance(0, number - 1 + column).shuffled(range(144))


def check(rules: Ruleset, some: Deals, seed: int, dice: tuple[tuple[int, ...], ...] | None = None) -> None:
    for row in range(len(some.first)):
        one = deal(rules, seed=seed, index=int(some.numbers[row]), dice=dice)
        assert some.dice[row].tolist() == [face for throw in one.throws for face in throw.dice]
        assert (some.opener[row], some.skip[row], some.first[row]) == (one.opener.number, one.skip, one.wall.first)
        turned = [*one.wall.tiles[2 * one.wall.first :], *one.wall.tiles[: 2 * one.wall.first]]
        assert some.drawing[row].tolist() == [each.order for each in turned]
        for seat, hand in one.hands.items():
            for held, tiles in ((some.hands, hand), (some.dealt, one.dealt[seat])):
                keys = held[row, seat.number].tolist()
                assert keys == [each.order for each in tiles] + [NO_TILE] * (14 - len(tiles))
            keys = [each.order for each in one.bonus[seat]]
            assert some.bonus[row, seat.number].tolist() == keys + [NO_TILE] * (some.owners.shape[1] - len(keys))
        owners = [step.seat.number for step in one.replacements for _ in step.drawn]
        assert some.replaced[row] == len(owners)
        assert some.owners[row].tolist() == owners + [NOBODY] * (some.owners.shape[1] - len(owners))


@pytest.mark.parametrize("name", NAMES)
def test_arrays_of_deals(name: str) -> None:
    rules = ruleset(name)
    for some in deals(wall_rules(rules), 11, 40, start=3, chunk=16):
        check(rules, some, 11)


def test_other_options() -> None:
    for options in ((("jump_deal", "false"),), (("flower_order", "rounds"), ("dice", "one_summed"))):
        rules = ruleset("guangdong-xinzhang", *options)
        for some in deals(wall_rules(rules), 2, 60):
            check(rules, some, 2)
    rules = ruleset("guangdong-xinzhang")
    dice = ((6, 6, 6), (5, 5, 5))
    for some in deals(wall_rules(rules), 2, 9, dice=dice):
        check(rules, some, 2, dice)


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_many_arrays_of_deals(name: str) -> None:
    rules = ruleset(name)
    for some in deals(wall_rules(rules), 77, 4000):
        check(rules, some, 77)


def test_the_chunks_do_not_matter() -> None:
    rules = wall_rules(ruleset("guangdong-xinzhang"))
    whole = next(deals(rules, 1, 50, start=7, chunk=50))
    for chunk in (1, 7, 49):
        parts = list(deals(rules, 1, 50, start=7, chunk=chunk))
        assert [part.numbers[0] for part in parts] == list(range(7, 57, chunk))
        for key in ("dice", "opener", "skip", "first", "drawing", "dealt", "hands", "owners", "replaced"):
            assert np.array_equal(np.concatenate([getattr(part, key) for part in parts]), getattr(whole, key))


@pytest.mark.parametrize(
    ("tiles", "dead", "left"),
    [
        # without a tile left, the last replacement was a lower tile whose upper one had been dealt
        ("m: 0, z: 0, p: 4, s: 2, 1s: 1, f: 1, 8f: 0", 0, {0, 1, 2}),
        ("m: 0, z: 0, p: 4, s: 2, f: 1", 0, {1, 2}),
        ("m: 0, z: 0, p: 4, s: 3, 1s: 2, f: 1", 10, {0, 1, 2, "wall-end"}),
    ],
)
def test_walls_with_hardly_more_tiles_than_are_dealt(
    tmp_path: Path, tiles: str, dead: int, left: set[int | str]
) -> None:
    path = tmp_path / "tight.yaml"
    path.write_text(
        f"id: tight\nversion: 1\nextends: jipinghu\ntiles: {{{tiles}}}\nwall: {{dead_wall: {dead}}}\n",
        encoding="utf-8",
    )
    rules = load_ruleset(str(path), cache=False)

    def one(index: int) -> Answer:
        return answer_to(deal(rules, seed=1, index=index))

    def in_array(index: int) -> Answer:
        return next(answers(rules, 1, 1, start=index, dice=None))

    def outcome(made: Callable[[int], Answer], index: int) -> Answer | str:
        try:
            return made(index)
        except InputError as error:
            return error.code

    outcomes = [outcome(one, index) for index in range(60)]
    assert outcomes == [outcome(in_array, index) for index in range(60)]
    assert {each if isinstance(each, str) else len(each["wall"]) for each in outcomes} == left


@given(st.lists(st.lists(st.sampled_from(EVERY), max_size=14), min_size=1, max_size=5))
def test_texts(rows: list[list[Tile]]) -> None:
    keys = np.full((len(rows), 14), NO_TILE, dtype=np.uint8)
    for row, tiles in zip(keys, rows, strict=True):
        row[: len(tiles)] = [each.order for each in tiles]
    assert texts(keys) == [format_tiles(tiles) for tiles in rows]


@pytest.mark.parametrize("name", NAMES)
def test_objects_of_deals(name: str) -> None:
    rules = ruleset(name)
    found = list(answers(rules, 8, 60, start=2, dice=None))
    for index, answer in enumerate(found, 2):
        wanted = answer_to(deal(rules, seed=8, index=index))
        assert answer == wanted
        assert json.dumps({key: answer.get(key) for key in COLUMNS}) == json.dumps(
            {key: wanted.get(key) for key in COLUMNS}
        )


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_the_command_writes_the_same_for_many_and_for_few(form: str) -> None:
    def lines(count: int, *more: str) -> list[str]:
        arguments = ["deal", "--seed", "3", "--format", form, "--count", str(count), "--rules", "jipinghu", *more]
        result = CliRunner().invoke(app, arguments)
        assert result.exit_code == 0
        return result.stdout.splitlines()

    few, many = lines(MANY - 1), lines(MANY)
    assert many[: len(few)] == few
    assert len(many) == len(few) + 1
    assert lines(MANY, "--dice", "111,222")[:20] == lines(20, "--dice", "111,222")[:20]


def test_bad_dice_for_many() -> None:
    result = CliRunner().invoke(
        app, ["deal", "--seed", "3", "--count", "500", "--dice", "11,222", "--rules", "jipinghu"]
    )
    assert result.exit_code == 2
    assert "2 and 3 dice are given, but 3 and 3 are thrown" in result.stderr


@pytest.mark.parametrize(
    ("seed", "start", "count"), [(-1, 0, 1), (MAX_SEED + 1, 0, 1), (0, -1, 2), (0, MAX_DEAL, 2), (0, MAX_DEAL + 1, 1)]
)
def test_out_of_range(seed: int, start: int, count: int) -> None:
    with pytest.raises(InputError, match="is not a whole number of 0 to") as caught:
        next(deals(wall_rules(ruleset("jipinghu")), seed, count, start=start))
    assert caught.value.code == "bad-seed"
    last = next(deals(wall_rules(ruleset("jipinghu")), 0, 2, start=MAX_DEAL - 1))
    check(ruleset("jipinghu"), last, 0)
