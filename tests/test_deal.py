"""Deals: the examples of every procedure, every throw on every wall, flowers, bad input, and that shuffles are even."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import chain, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from mjcli.batch import chance
from mjcli.chance import MAX_SEED, Stream
from mjcli.dealing import Deal, deal, parse_dice, shuffled_wall, wall_rules
from mjcli.errors import InputError, NotationError
from mjcli.melds import Seat
from mjcli.notation import parse_line
from mjcli.ruleset import Ruleset, load_ruleset
from mjcli.ruleset.program import WallRules
from mjcli.scoring import score
from mjcli.tiles import Tile, tile
from mjcli.wall import Drawn, every_tile
from tests.cases import table
from tests.rulesets import small_ruleset

TESTS = Path(__file__).parent
CASES: list[dict[str, Any]] = table("walls")
SHIPPED = ("jipinghu", "guangdong-xinzhang", "hongkong", "malaysia-3p", "malaysia-4p", "mcr", "riichi")
NAMES = [*SHIPPED, *sorted(path.stem for path in (TESTS / "rulesets" / "walls").glob("*.yaml"))]


@cache
def ruleset(name: str, *options: tuple[str, str]) -> Ruleset:
    path = TESTS / "rulesets" / "walls" / f"{name}.yaml"
    return load_ruleset(str(path) if path.exists() else name, dict(options), cache=False)


def rules_of(name: str) -> WallRules:
    return wall_rules(ruleset(name))


def stacked(rules: Ruleset, dice: Sequence[Sequence[int]], drawing: Sequence[Tile]) -> list[Tile]:
    """Return the wall of which these tiles, in this order, are drawn after these dice."""
    start = 2 * deal(rules, dice=dice, wall=every_tile(wall_rules(rules).tiles)).wall.first
    return [drawing[(index - start) % len(drawing)] for index in range(len(drawing))]


def plain_first(rules: Ruleset) -> list[Tile]:
    return sorted(every_tile(wall_rules(rules).tiles), key=lambda each: each.is_bonus)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_example(case: dict[str, Any]) -> None:
    rules = ruleset(case["ruleset"], *case.get("set", {}).items())
    found = deal(rules, dice=case["dice"], wall=stacked(rules, case["dice"], plain_first(rules)))
    assert found.replacements == ()
    assert (found.opener.value, found.skip) == (case["opener"], case["skip"])
    taken: dict[str, list[str]] = {}
    for take in found.takes:
        taken.setdefault(take.seat.value, []).extend(take.names)
    assert {seat: " ".join(names) for seat, names in taken.items()} == case["taken"]
    assert str(found.wall.next) == case["next"]
    replacements, _ = found.wall.replacements(len(case["tail"].split()))
    assert " ".join(str(each.place) for each in replacements) == case["tail"]
    kept_back = " ".join(each.place.stack for each in found.wall.kept_back[::2])
    assert kept_back == case.get("dead_wall", "")
    assert found.wall.left == case["draws"]
    assert (found.indicator and str(found.indicator.place)) == case.get("indicator")


def throws_of(counts: Sequence[int]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Every total of every throw; of a single throw every roll, since its dice may count apart."""
    if len(counts) == 1:
        yield from ((faces,) for faces in product(range(1, 7), repeat=counts[0]))
        return
    ways = [{sum(faces): faces for faces in product(range(1, 7), repeat=count)} for count in counts]
    yield from ((ways[0][first], ways[1][second]) for first in ways[0] for second in ways[1])


@pytest.mark.parametrize("jump", ["true", "false"])
@pytest.mark.parametrize("name", NAMES)
def test_every_throw_on_every_wall(name: str, jump: str) -> None:
    rules = ruleset(name, ("jump_deal", jump))
    wall = shuffled_wall(wall_rules(rules), 7)
    openers = set()
    ring = [str(place) for place in deal(rules, seed=1).wall.sides.places]
    for dice in throws_of(wall_rules(rules).throws):
        found = deal(rules, dice=dice, wall=wall)
        openers.add(found.opener)
        start = ring.index(f"{found.opener.value}1.top") + 2 * found.skip
        order = [ring[(start + index) % len(ring)] for index in range(len(ring))]
        dealt = [str(each.place) for take in found.takes for each in take.drawn]
        assert sorted(dealt) == sorted(order[: len(dealt)])
        assert str(found.wall.next) == order[len(dealt)]
        replaced = [str(each.place) for step in found.replacements for each in step.drawn]
        backwards = [place for index in range(len(order) - 2, -1, -2) for place in order[index : index + 2]]
        assert replaced == backwards[: len(replaced)]
        left = [str(each.place) for each in (*found.wall.rest, *found.wall.kept_back)]
        assert left == [place for place in order[len(dealt) :] if place not in replaced]
        assert tiles_of(found) == Counter(wall)
    dealer_only = name == "malaysia-3p"
    assert openers == ({Seat.E} if dealer_only else set(Seat))


def tiles_of(found: Deal) -> Counter[Tile]:
    rest = [each.tile for each in (*found.wall.rest, *found.wall.kept_back)]
    return Counter([*(each for part in (found.hands, found.bonus) for held in part.values() for each in held), *rest])


@given(st.sampled_from(NAMES), st.integers(0, MAX_SEED), st.integers(0, 2**40))
@settings(deadline=None)
def test_a_deal_is_whole(name: str, seed: int, index: int) -> None:
    rules = ruleset(name)
    found = deal(rules, seed=seed, index=index)
    assert found == deal(rules, seed=seed, index=index)
    assert tiles_of(found) == Counter(every_tile(wall_rules(rules).tiles))
    assert {seat: len(hand) for seat, hand in found.hands.items()} == {
        seat: 14 if seat is Seat.E else 13 for seat in tuple(Seat)[: wall_rules(rules).players]
    }
    assert not any(each.is_bonus for hand in found.hands.values() for each in hand)
    for seat, hand in found.dealt.items():
        laid_out = [each for step in found.replacements if step.seat is seat for each in step.laid_out]
        drawn = [each.tile for step in found.replacements if step.seat is seat for each in step.drawn]
        assert Counter([*hand, *drawn]) == Counter([*found.hands[seat], *found.bonus[seat]])
        assert Counter(laid_out) == Counter(found.bonus[seat])
    again = deal(rules, dice=[throw.dice for throw in found.throws], wall=found.wall.tiles)
    assert (again.hands, again.wall, again.seed, again.rng) == (found.hands, found.wall, None, None)
    assert found.rng == "philox4x32-10/fisher-yates/1"


@given(st.sampled_from(NAMES), st.integers(0, MAX_SEED))
@settings(deadline=None)
def test_tiles_are_conserved_at_every_step(name: str, seed: int) -> None:
    found = deal(ruleset(name), seed=seed)
    lying = dict(zip(found.wall.sides.places, found.wall.tiles, strict=True))
    held: dict[Seat, list[Tile]] = {seat: [] for seat in found.hands}
    laid_out: dict[Seat, list[Tile]] = {seat: [] for seat in found.hands}

    def taken(seat: Seat, drawn: Sequence[Drawn]) -> None:
        held[seat] += [each.tile for each in drawn]
        assert [lying.pop(each.place) for each in drawn] == [each.tile for each in drawn]
        everything = [*lying.values(), *chain(*held.values()), *chain(*laid_out.values())]
        assert Counter(everything) == Counter(found.wall.tiles)

    for take in found.takes:
        taken(take.seat, take.drawn)
    assert {seat: tuple(sorted(tiles)) for seat, tiles in held.items()} == found.dealt
    for step in found.replacements:
        for each in step.laid_out:
            held[step.seat].remove(each)
            laid_out[step.seat].append(each)
        taken(step.seat, step.drawn)
    assert {seat: tuple(sorted(tiles)) for seat, tiles in held.items()} == found.hands
    assert {seat: tuple(sorted(tiles)) for seat, tiles in laid_out.items()} == found.bonus
    assert lying == {each.place: each.tile for each in (*found.wall.rest, *found.wall.kept_back)}


def test_both_flower_orders() -> None:
    # East shows two flowers and draws a flower and 3m for them, South shows one and draws 5p
    dice = ((1, 1, 1), (1, 1, 1))
    for order, steps in (
        ("player", [("E", "1f2f", "4f3m"), ("E", "4f", "5p"), ("S", "3f", "6p")]),
        ("rounds", [("E", "1f2f", "4f3m"), ("S", "3f", "5p"), ("E", "4f", "6p")]),
    ):
        rules = ruleset("guangdong-xinzhang", ("flower_order", order))
        rest = [each for each in plain_first(rules) if not each.is_bonus]
        for name in ("3m", "5p", "6p"):
            rest.remove(tile(name))
        drawing = [tile("1f"), *rest[:3], tile("3f"), *rest[3:6], *rest[6:14], tile("2f"), *rest[14:]]
        drawing += [tile(name) for name in ("1g", "2g", "3g", "4g")]
        drawing += [tile(name) for name in ("5p", "6p", "4f", "3m")]  # the tail: 4f 3m, then 5p 6p
        found = deal(rules, dice=dice, wall=stacked(rules, dice, drawing))
        shown = [
            (step.seat.value, "".join(map(str, step.laid_out)), "".join(str(each.tile) for each in step.drawn))
            for step in found.replacements
        ]
        assert shown == steps
        assert "".join(map(str, found.bonus[Seat.E])) == "1f2f4f"


@pytest.mark.parametrize("name", ["guangdong-xinzhang", "hongkong"])
def test_any_two_sets_of_flowers(name: str) -> None:
    for sets, names in (
        ("plants_seasons", "1f2f3f4f1g2g3g4g"),
        ("plants_arts", "1f2f3f4f5f6f7f8f"),
        ("plants_trades", "1f2f3f4f5g6g7g8g"),
        ("arts_seasons", "5f6f7f8f1g2g3g4g"),
        ("trades_seasons", "1g2g3g4g5g6g7g8g"),
        ("arts_trades", "5f6f7f8f5g6g7g8g"),
    ):
        tiles = every_tile(wall_rules(ruleset(name, ("flower_sets", sets))).tiles)
        assert len(tiles) == 144
        assert "".join(str(each) for each in tiles if each.is_bonus) == names


def test_only_flowers_in_play_are_scored() -> None:
    line = "23456m11z5678f,444p,666s+1m seat=S"
    rules = ruleset("guangdong-xinzhang", ("flower_sets", "arts_seasons"))
    counted = [each.pattern.id for each in score(parse_line(line, tiles=rules.tiles), rules).patterns]
    assert "yi_tai_hua" in counted
    with pytest.raises(InputError, match="'5f'"):
        parse_line(line, tiles=ruleset("guangdong-xinzhang").tiles)


def test_sizes_of_walls() -> None:
    sizes = {name: (rules_of(name).tiles.size, rules_of(name).stacks) for name in NAMES}
    assert sizes == {
        "jipinghu": (136, (17,) * 4),
        "riichi": (136, (17,) * 4),
        "malaysia-3p": (84, (14,) * 3),
        "malaysia-164": (164, (21, 20, 21, 20)),
        "mil": (140, (18, 17, 18, 17)),
        **dict.fromkeys(("guangdong-xinzhang", "hongkong", "malaysia-4p", "aimj", "mcr"), (144, (18,) * 4)),
    }


def test_given_dice_leave_the_wall_as_it_is() -> None:
    rules = ruleset("guangdong-xinzhang")
    one, two = deal(rules, seed=5), deal(rules, seed=5, dice=((1, 1, 1), (1, 1, 1)))
    assert one.wall.tiles == two.wall.tiles
    assert one.throws != two.throws


def test_deals_of_a_run_differ_and_seeds_differ() -> None:
    rules = ruleset("jipinghu")
    walls = {deal(rules, seed=seed, index=index).wall.tiles for seed in (0, 1) for index in range(3)}
    assert len(walls) == 6


@pytest.mark.parametrize(
    ("dice", "message"),
    [
        ([(1, 2, 3)], "3 dice are given, but 3 and 3 are thrown, such as 123,123"),
        ([(1, 2), (1, 2, 3)], "2 and 3 dice are given, but 3 and 3 are thrown, such as 123,123"),
        ([(1, 2, 3), (1, 2, 7)], "7 is no face of a die (1-6)"),
        ([(0, 2, 3), (1, 2, 6)], "0 is no face of a die (1-6)"),
    ],
)
def test_bad_dice(dice: Sequence[Sequence[int]], message: str) -> None:
    with pytest.raises(InputError) as caught:
        deal(ruleset("jipinghu"), seed=1, dice=dice)
    assert (str(caught.value), caught.value.code) == (message, "bad-dice")


def test_dice_as_text() -> None:
    assert parse_dice("233,452") == ((2, 3, 3), (4, 5, 2))
    assert parse_dice("4") == ((4,),)
    for text, column, face in (("703,111", 1, "7"), ("2 3", 2, " "), ("11,a", 4, "a"), ("1,2-", 4, "-")):
        with pytest.raises(NotationError, match=f"'{face}' is no face of a die .*, nor a comma") as caught:
            parse_dice(text)
        assert (caught.value.code, caught.value.column) == ("bad-dice", column)


def test_bad_wall() -> None:
    full = list(every_tile(rules_of("jipinghu").tiles))
    with pytest.raises(InputError, match="without 7z; too often 1m"):
        deal(ruleset("jipinghu"), seed=1, wall=[*full[:-1], full[0]])
    with pytest.raises(InputError, match=r"without 7z$"):
        deal(ruleset("jipinghu"), seed=1, wall=full[:-1])


def test_without_a_seed_all_must_be_given() -> None:
    with pytest.raises(InputError, match="both wall and dice must be given"):
        deal(ruleset("jipinghu"), dice=((1, 2, 3), (1, 2, 3)))


def test_a_ruleset_without_a_wall(tmp_path: Path) -> None:
    small = load_ruleset(str(small_ruleset(tmp_path, [{"id": "chow", "fan": "1", "when": "chows > 0"}])), cache=False)
    with pytest.raises(InputError, match="ruleset small does not say how its wall") as caught:
        deal(small, seed=1)
    assert caught.value.code == "no-wall"


# shuffles


def beyond_chance(statistic: float, freedom: int) -> float:
    """How many standard deviations a chi-square lies above its mean, after Wilson and Hilferty's cube root."""
    spread = 2 / (9 * freedom)
    return float(((statistic / freedom) ** (1 / 3) - (1 - spread)) / spread**0.5)


LIMIT = 3.09
"""p > 0.001."""

SEED = 20261130
COUNT = 100_000

Numbers = NDArray[np.uint64]
Kinds = NDArray[np.uint8]
Shuffle = Callable[[Numbers, Kinds], Kinds]
"""From the numbers of deals and a wall as uint8[tiles] to a wall for each deal, uint8[tiles, deals]."""


def shuffled_kinds(shuffle: Shuffle) -> tuple[Kinds, NDArray[np.int64]]:
    """Return the kinds at each place of many walls of 144 tiles, and how many tiles there are of each kind."""
    kinds = [each.kind for each in every_tile(rules_of("guangdong-xinzhang").tiles)]
    wall = np.unique(kinds, return_inverse=True)[1].astype(np.uint8)
    parts = np.split(np.arange(COUNT, dtype=np.uint64), 20)
    return np.concatenate([shuffle(part, wall) for part in parts], axis=1), np.bincount(wall)


def places_excess(walls: Kinds, copies: NDArray[np.int64]) -> float:
    """How far the kinds at the places are from equally likely.

    Of permutations the sum over kinds and places of (seen - expected)^2 / expected, times (N - 1) / N, is a chi-square
    with (kinds - 1) (N - 1) degrees of freedom: the covariance of the cells is a product of two projections.
    """
    size, count = walls.shape
    seen = np.stack([np.bincount(row, minlength=len(copies)) for row in walls])
    expected = count * copies / size
    statistic = ((seen - expected) ** 2 / expected).sum() * (size - 1) / size
    return beyond_chance(statistic, (len(copies) - 1) * (size - 1))


def neighbors_excess(walls: Kinds, copies: NDArray[np.int64], place: int) -> float:
    """How far the kinds at two neighbouring places are from independent, but for the tile that is gone."""
    size, count = walls.shape
    kinds = len(copies)
    pairs = walls[place].astype(int) * kinds + walls[place + 1]
    seen = np.bincount(pairs, minlength=kinds * kinds).reshape(kinds, kinds)
    expected = count * copies[:, None] * (copies[None, :] - np.eye(kinds)) / (size * (size - 1))
    possible = expected > 0
    assert not seen[~possible].any()
    statistic = ((seen - expected)[possible] ** 2 / expected[possible]).sum()
    return beyond_chance(statistic, int(possible.sum()) - 1)


def fair(numbers: Numbers, wall: Kinds) -> Kinds:
    return chance.orders(SEED, numbers, wall)


def swapped(numbers: Numbers, wall: Kinds, limits: Sequence[int]) -> Kinds:
    """Each place, from the last down, swapped with one below its limit."""
    found, deals = np.repeat(wall[:, None], len(numbers), axis=1), np.arange(len(numbers))
    drawn = chance.words(SEED, numbers, Stream.WALL, len(limits))
    for place, limit, word in zip(range(len(wall) - 1, 0, -1), limits, drawn, strict=True):
        other = (word * np.uint64(limit) >> np.uint64(32)).astype(np.intp)
        moved = found[other, deals]
        found[other, deals] = found[place]
        found[place] = moved
    return found


def any_place_swapped(numbers: Numbers, wall: Kinds) -> Kinds:
    """The well-known wrong shuffle: each place swapped with any other, not only with those that are left."""
    return swapped(numbers, wall, [len(wall)] * (len(wall) - 1))


def never_itself(numbers: Numbers, wall: Kinds) -> Kinds:
    """Fisher and Yates with a limit that is one too small: Sattolo's shuffle, in which no tile stays."""
    return swapped(numbers, wall, range(len(wall) - 1, 0, -1))


def whole_stacks(numbers: Numbers, wall: Kinds) -> Kinds:
    """Stacks shuffled as they stand and turned: every kind is as likely everywhere, but neighbours know each other."""
    order = np.repeat(
        2 * chance.orders(SEED, numbers, np.arange(len(wall) // 2, dtype=np.uint8)).astype(int), 2, axis=0
    )
    order[1::2] += 1
    turned = (np.arange(len(wall))[:, None] + numbers.astype(int)) % len(wall)
    found: Kinds = wall[np.take_along_axis(order, turned, axis=0)]
    return found


def test_the_uneven_shuffles_differ_from_ours_by_their_limits_alone() -> None:
    numbers, wall = np.arange(50, dtype=np.uint64), np.arange(144, dtype=np.uint8)
    assert np.array_equal(swapped(numbers, wall, range(144, 1, -1)), fair(numbers, wall))


def test_shuffles_are_even() -> None:
    walls, copies = shuffled_kinds(fair)
    assert places_excess(walls, copies) < LIMIT
    assert max(neighbors_excess(walls, copies, place) for place in range(len(walls) - 1)) < LIMIT


@pytest.mark.parametrize("shuffle", [any_place_swapped, never_itself])
def test_uneven_shuffles_are_found(shuffle: Shuffle) -> None:
    assert places_excess(*shuffled_kinds(shuffle)) > LIMIT


def test_neighbors_that_stay_together_are_found() -> None:
    walls, copies = shuffled_kinds(whole_stacks)
    assert places_excess(walls, copies) < LIMIT
    assert min(neighbors_excess(walls, copies, place) for place in range(len(walls) - 1)) > LIMIT


def test_dice_are_even() -> None:
    dice = chance.dice(SEED, np.arange(COUNT, dtype=np.uint64), 6).astype(int) - 1
    for one in range(6):
        assert beyond_chance(chi_square(np.bincount(dice[one], minlength=6)), 5) < LIMIT
        for other in range(one):
            assert beyond_chance(chi_square(np.bincount(6 * dice[one] + dice[other], minlength=36)), 35) < LIMIT


def chi_square(seen: NDArray[np.int64]) -> float:
    """Of counts that are equally likely."""
    return float(((seen - seen.mean()) ** 2 / seen.mean()).sum())
