"""The players that come with mjcli: what they see in a hand, and which of them wins more."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mjcli import acceptance
from mjcli.errors import InputError
from mjcli.hand import Hand
from mjcli.melds import Meld, MeldType, Seat
from mjcli.play import PASS, WIN, Choice, Table, View
from mjcli.play.choices import ABORT, CHOWS, DISCARDS, PUNGS, READY, RED_DISCARDS
from mjcli.players import PLAYERS, player
from mjcli.players.goals import Appraiser, Aspects, Goal
from mjcli.players.value import Value
from mjcli.ruleset import Ruleset, load_ruleset
from mjcli.simulate import Plan, simulate
from mjcli.simulate.intervals import Mean, mean
from mjcli.simulate.runs import Run
from mjcli.simulate.sums import play_in_arrays
from mjcli.tiles import TILES, tile
from tests.scripted import kinds, start_of_script

JIPINGHU, HONGKONG = load_ruleset("jipinghu"), load_ruleset("hongkong")
RULESETS = [JIPINGHU, HONGKONG, load_ruleset("guangdong-xinzhang"), load_ruleset("malaysia-4p"), load_ruleset("mcr")]


def view_of(hand: str, ruleset: Ruleset = JIPINGHU, **more: Any) -> View:
    """Return what E sees who holds 14 tiles."""
    case = {"hands": {"E": hand}, **more}
    return View(Table(ruleset, start_of_script(case, ruleset), Seat.E), 0)


def discards(view: View) -> list[Choice]:
    return [DISCARDS[kind] for kind, count in enumerate(view.hand) if count]


@pytest.mark.parametrize(
    "hand", ["123m4567p1223s77z5z", "19m19p19s123456z77m", "112233m445566p78s", "1358m2469p147s235z"]
)
def test_fast_takes_the_best_discard_of_the_acceptance(hand: str) -> None:
    view = view_of(hand)
    chosen = player("fast", JIPINGHU).choose(view, discards(view))
    best = acceptance.discards(Hand(concealed=tuple(TILES[kind] for kind in kinds(hand))), forms=JIPINGHU.forms)
    found = next(each for each in best if each.tile.kind == chosen.kind)
    assert (found.shanten, found.copies) == (best[0].shanten, best[0].copies)


@pytest.mark.parametrize("name", [name for name in PLAYERS if name != "random"])
def test_a_win_is_taken(name: str) -> None:
    view = view_of("123m456p789s11222z")
    assert player(name, JIPINGHU).choose(view, [WIN, *discards(view)]) == WIN


def claimed(player_name: str, hand: str, discarded: str, *choices: Choice) -> Choice:
    """Return what S, who holds 13 tiles, does about a discard of E."""
    case = {"hands": {"E": f"{discarded}123m789p789s1112z", "S": hand}}
    ruleset = HONGKONG if player_name != "fast" else JIPINGHU
    table = Table(ruleset, start_of_script(case, ruleset), Seat.E)
    kind = tile(discarded).kind
    table.counts[0][kind] -= 1
    table.seen[kind] += 1
    table.discarded = kind
    return player(player_name, ruleset).choose(View(table, 1), [*choices, PASS])


def test_fast_claims_what_brings_it_nearer() -> None:
    pung = PUNGS[tile("5p").kind]
    assert claimed("fast", "55p46m13s257m2345z", "5p", pung) == pung
    assert claimed("fast", "555p46m13s25m2345z", "5p", pung) == PASS


def test_value_claims_for_a_hand_that_may_win() -> None:
    chow = CHOWS[tile("4s").kind]
    assert claimed("value", "56s112345789s77z", "4s", chow) == chow, "a half flush is worth enough"
    assert claimed("value", "56s12399m456p77m1s", "4s", chow) == PASS, "all chows with a claim are not"


def test_value_keeps_the_suit_that_is_worth_more() -> None:
    view = view_of("12345678s77z1z45m9p", HONGKONG)
    assert player("value", HONGKONG).choose(view, discards(view)).kind in kinds("45m9p")
    fast = player("fast", HONGKONG).choose(view, discards(view))
    assert fast.kind not in kinds("45m"), "who hurries keeps what makes a chow"


def test_careful_throws_what_cannot_feed() -> None:
    table = view_of("147m258p369s12345z", HONGKONG)._table
    threat = [Meld(type=MeldType.PUNG, first=TILES[kind]) for kind in (9, 12, 17)]
    for meld in threat:
        table.melds[2].append(meld)
        for kind in meld.kinds:
            table.seen[kind] += 1
    table.history = [(2, tile("9s").kind), (3, tile("6s").kind)]
    view = View(table, 0)
    assert player("careful", HONGKONG).choose(view, discards(view)) == DISCARDS[tile("6s").kind]
    assert player("value", HONGKONG).choose(view, discards(view)) != DISCARDS[tile("6s").kind]


def test_careful_fears_closed_hands_where_most_win_so() -> None:
    """Most win with unconnected tiles, for which honours are wanted; what was discarded before is safer."""
    ruleset = load_ruleset("guangdong-xinzhang", {"minimum_fan": "3"})
    careful = player("careful", ruleset)
    assert isinstance(careful, Value)
    assert 0 < careful.pace.closed < 80
    assert Value(HONGKONG).pace.closed == 0
    table = view_of("1123m1123p1123s12z", ruleset)._table
    for seat in (1, 2, 3):
        table.discards[seat].append(tile("1s").kind)
    view = View(table, 0)
    table.supply.left = careful.pace.closed - 1
    assert careful.choose(view, discards(view)) == DISCARDS[tile("1s").kind]
    table.supply.left = careful.pace.closed
    assert careful.choose(view, discards(view)) == Value(ruleset).choose(view, discards(view))


# a game in which ready is declared

RIICHI = load_ruleset("riichi")


@pytest.mark.parametrize("name", ["fast", "value", "careful"])
def test_ready_is_declared_and_the_hand_kept(name: str) -> None:
    view = view_of("123456m456p23s55z9m", RIICHI)
    assert player(name, RIICHI).choose(view, [READY, *discards(view)]) == READY
    ninth = tile("9m").kind
    assert player(name, RIICHI).choose(view, [DISCARDS[ninth]]) == DISCARDS[ninth]


@pytest.mark.parametrize("name", ["fast", "value", "careful"])
def test_a_bad_hand_is_thrown_in(name: str) -> None:
    view = view_of("19m19p19s1234z258m7p", RIICHI)
    assert player(name, RIICHI).choose(view, [ABORT, *discards(view)]) == ABORT


def test_fast_stays_concealed() -> None:
    pung = PUNGS[tile("5p").kind]
    table = Table(
        RIICHI, start_of_script({"hands": {"E": "5p123m789p789s1112z", "S": "55p46m13s267m2345z"}}, RIICHI), None
    )
    table.discarded = tile("5p").kind
    assert player("fast", RIICHI).choose(View(table, 1), [pung, PASS]) == PASS


def test_a_red_five_goes_after_a_plain_one() -> None:
    view = view_of("123456m0589p55z23s", RIICHI)
    choices = [*discards(view), RED_DISCARDS[tile("5p").kind]]
    chosen = player("fast", RIICHI).choose(view, [choice for choice in choices if choice.kind == tile("5p").kind])
    assert chosen == DISCARDS[tile("5p").kind]


def test_careful_throws_what_a_declared_player_cannot_win_on() -> None:
    table = view_of("147m258p369s12345z", RIICHI)._table
    table.declared[2], table.declared_at[2] = "riichi", 1
    for seat, name in ((2, "9s"), (3, "6s"), (1, "4m")):
        table.discards[seat].append(tile(name).kind)
        table.history.append((seat, tile(name).kind))
    table.discards[2].append(tile("1z").kind)
    view = View(table, 0)
    assert view.safe(2) == {*kinds("9s1z6s4m")}
    assert player("careful", RIICHI).choose(view, discards(view)).kind in view.safe(2)
    assert player("value", RIICHI).choose(view, discards(view)).kind not in view.safe(2)


@pytest.mark.long
def test_careful_feeds_less_often_than_fast_where_ready_is_declared() -> None:
    plan = Plan(rules="riichi", seed=78, players=("careful", "fast", "careful", "fast"))
    found = simulate(plan, 1000)["results"]["players"]
    assert max(found[place]["fed"]["high"] for place in (0, 2)) < min(found[place]["fed"]["low"] for place in (1, 3))


# what hands are worth


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.id)
def test_every_goal_has_a_worth(ruleset: Ruleset) -> None:
    appraiser = Appraiser(ruleset)
    assert {goal.form for goal in appraiser.goals} == set(ruleset.forms)
    flush = next(goal for goal in appraiser.goals if goal.name == "suit")
    for goal in appraiser.goals:
        for concealed in (True, False):
            for honors in ((), (31,), (27, 31, 32, 33)):
                aspects = Aspects(seat=1, round_wind=Seat.E, concealed=concealed, honors=honors, bonus=())
                by_discard, by_draw = appraiser.worth(goal, aspects)
                assert by_draw >= by_discard >= 0
    plain = Aspects(seat=1, round_wind=Seat.E, concealed=False, honors=(), bonus=())
    assert appraiser.worth(flush, plain)[0] > appraiser.worth(appraiser.goals[0], plain)[0]


def test_a_minimum_makes_goals_worth_less() -> None:
    free, bound = (Appraiser(load_ruleset("guangdong-xinzhang", {"minimum_fan": fan})) for fan in "03")
    aspects = Aspects(seat=1, round_wind=Seat.E, concealed=False, honors=(), bonus=())
    for goal in free.goals:
        less, more = bound.worth(goal, aspects), free.worth(goal, aspects)
        assert (less[0] <= more[0], less[1] <= more[1]) == (True, True)
    assert 0 < bound.worth(bound.goals[0], aspects)[0] < free.worth(free.goals[0], aspects)[0]
    assert bound.worth(bound.goals[-1], aspects) == free.worth(free.goals[-1], aspects), "always enough"


def test_a_goal_that_cannot_win_is_worth_nothing() -> None:
    appraiser = Appraiser(load_ruleset("hongkong", {"minimum_fan": "8"}))
    aspects = Aspects(seat=1, round_wind=Seat.E, concealed=False, honors=(), bonus=(tile("3f").kind,))
    assert appraiser.worth(appraiser.goals[1], aspects) == (0, 0), "all chows and self-draw are 2"


def test_pungs_that_gain() -> None:
    appraiser = Appraiser(HONGKONG)
    gains = [kind for kind in range(27, 34) if appraiser.gains(kind, 1, Seat.W)]
    assert gains == [28, 29, 31, 32, 33], "S's own wind, the round wind, dragons"


@settings(max_examples=60)
@given(held=st.lists(st.integers(0, 33), min_size=2, max_size=14), sets=st.integers(0, 4))
def test_the_distance_of_all_pungs(held: list[int], sets: int) -> None:
    counts = [min(held.count(kind), 4) for kind in range(34)]
    some = sorted(range(34), key=lambda kind: -counts[kind])[: sets + 3]
    best = min(
        max(2 - counts[pair], 0) + sum(max(3 - counts[kind], 0) for kind in pungs)
        for pair in some
        for pungs in combinations([kind for kind in some if kind != pair], sets)
    )
    assert Appraiser(JIPINGHU).missing(Goal("pungs", sets="pungs"), counts, sets) == best


def test_nearer_and_sooner_is_likelier() -> None:
    value = Value(JIPINGHU)
    for goal in ("any", "pungs", "thirteen-orphans"):
        for missing in range(1, 7):
            assert value.chance(goal, missing, 12) > value.chance(goal, missing + 1, 12)
            assert value.chance(goal, missing, 12) > value.chance(goal, missing, 8)
    assert (value.chance("any", 0, 5), value.chance("any", 1, 0)) == (1, 0)


# which of them does better; the intervals are of 95 %


def test_value_discards_where_jokers_stand_for_every_tile_that_is_missing() -> None:
    run = Run(Plan(rules="malaysia-3p", seed=3, players=("value", "fast", "fast")))
    assert [played.unit for played in run.played(42, 1)] == [42]


MINIMUM = {"minimum_fan": "3"}


def difference(rules: str, one: str, other: str, word: str) -> Mean:
    """Return by how much two of one player differ from two of another at their tables, the mean of 20,000 deals.

    Args:
        rules: the ruleset, with a minimum of 3 fan.
        one: the player at the first and the third place.
        other: the player at the other two.
        word: what is compared, of ``mjcli.simulate.tally.measures``.
    """
    run = Run(Plan(rules=rules, options=MINIMUM, seed=77, players=(one, other) * 2))
    assert run.lockstep is not None
    total = squares = 0
    for first in range(0, 20_000, 2_000):
        found = play_in_arrays(run, run.lockstep, first, 2_000)[1]
        one_by_one = [found["player", place, word] for place in range(4)]
        differences = one_by_one[0] - one_by_one[1] + one_by_one[2] - one_by_one[3]
        total += int(differences.sum())
        squares += int((differences * differences).sum())
    return mean(total, squares, 20_000)


def test_fast_beats_random() -> None:
    answer = simulate(Plan(rules="jipinghu", seed=2, players=("fast", "random", "random", "random")), 40)
    assert answer["results"]["players"][0]["points"]["low"] > 0


@pytest.mark.long
@pytest.mark.parametrize("rules", ["guangdong-xinzhang", "hongkong"])
def test_value_gains_more_than_fast(rules: str) -> None:
    found = difference(rules, "value", "fast", "points")
    assert found.low is not None
    assert found.low > 0


@pytest.mark.long
@pytest.mark.parametrize("rules", ["guangdong-xinzhang", "hongkong"])
def test_careful_feeds_less_often_than_value(rules: str) -> None:
    found = difference(rules, "careful", "value", "fed")
    assert found.high is not None
    assert found.high < 0


def test_value_aims_only_at_hands_of_tiles_that_there_are(tmp_path: Path) -> None:
    """Of three players' tiles there are pairs, but not the thirteen orphans of every suit."""
    path = tmp_path / "club.yaml"
    path.write_text(
        "id: club\nversion: 1\nextends: malaysia-3p\nforms: {seven_pairs: different, thirteen_orphans: 'true'}\n",
        encoding="utf-8",
    )
    appraiser = Appraiser(load_ruleset(str(path)))
    assert {goal.form for goal in appraiser.goals} == {"standard", "seven-pairs"}
    aspects = Aspects(seat=0, round_wind=None, concealed=True, honors=(), bonus=())
    pairs = next(goal for goal in appraiser.goals if goal.form == "seven-pairs")
    assert max(appraiser.worth(pairs, aspects)) > 0


def club(folder: Path, tiles: str) -> str:
    """Return the path of a ruleset like jipinghu, but for its tiles."""
    path = folder / "club.yaml"
    path.write_text(f"id: club\nversion: 1\nextends: jipinghu\ntiles: {{{tiles}}}\n", encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("tiles", ["m: 2, p: 2, s: 2, z: 2", "m: 4, p: 4, s: 0, z: 0", "m: 0, 19m: 4, p: 4, s: 4"])
def test_value_plays_with_the_tiles_that_there_are(tmp_path: Path, tiles: str) -> None:
    run = Run(Plan(rules=club(tmp_path, tiles), seed=4, players=("value",) * 4))
    assert run.lockstep is not None
    alone: list[str] = []
    together: list[str] = []
    assert len(list(run.played(0, 2, alone))) == 2
    play_in_arrays(run, run.lockstep, 0, 2, together)
    assert together == alone


def test_value_needs_a_hand_to_aim_at(tmp_path: Path) -> None:
    path = club(tmp_path, "m: 1, p: 1, s: 1, z: 1, f: 1, g: 1, 1234a: 1")
    with pytest.raises(InputError, match="there is no hand to aim at among the tiles of ruleset club"):
        Appraiser(load_ruleset(path))
