"""What a ruleset says of wall and rotation: under options, in layers, and every fault with its place."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mjcli.errors import RulesetError
from mjcli.ruleset import load_ruleset
from mjcli.ruleset.advice import check_file
from mjcli.ruleset.program import IndicatorRules, PlayRules, ReadyRules, RiverRules, RotationRules, WallRules

HEAD = """\
id: club
version: 1
extends: jipinghu
options:
  flowers: {default: true, values: [true, false], en: Flowers}
  keep: {default: true, values: [true, false], en: A draw keeps the dealer}
"""


def written(folder: Path, section: str, head: str = HEAD) -> Path:
    path = folder / "club.yaml"
    path.write_text(head + section, encoding="utf-8")
    return path


def wall_of(path: Path, **options: str) -> WallRules:
    found = load_ruleset(str(path), options, cache=False).wall
    assert found is not None
    return found


def rotation_of(path: Path, **options: str) -> RotationRules:
    found = load_ruleset(str(path), options, cache=False).rotation
    assert found is not None
    return found


def test_a_layer_changes_the_keys_that_it_gives(tmp_path: Path) -> None:
    path = written(tmp_path, "wall: {jump: false}\nrotation: {after_draw: pass}\n")
    below = load_ruleset("jipinghu")
    assert below.wall is not None
    found = wall_of(path)
    assert (found.jump, found.throws, found.opener, found.skip) == (False, (3, 3), ("first",), ("second",))
    assert rotation_of(path) == RotationRules(after_win="stay", after_draw="pass", rounds=4, deals=0)


@pytest.mark.parametrize(
    ("dice", "throws", "skip"),
    [
        ("three_twice", (3, 3), ("second",)),
        ("one_summed", (1, 1), ("first", "second")),
        ("two_summed", (2, 2), ("first", "second")),
        ("three_once", (3,), ("first",)),
        ("two_once", (2,), ("first",)),
    ],
)
def test_dice_by_option(dice: str, throws: tuple[int, ...], skip: tuple[str, ...]) -> None:
    found = load_ruleset("jipinghu", {"dice": dice}).wall
    assert found is not None
    assert (found.throws, found.skip) == (throws, skip)


def test_values_by_option(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "tiles: {1234f: 1 if flowers else 0}\n"
        "wall:\n"
        "  dead_wall: dead_wall + 4 if flowers else dead_wall\n"
        "  flower_order: rounds if flowers else player\n"
        "rotation: {after_draw: stay if keep else pass, rounds: stop_after}\n",
    )
    found = wall_of(path, dead_wall="10")
    assert (found.stacks, found.dead_wall, found.flower_order) == ((18, 17, 18, 17), 14, "rounds")
    found = wall_of(path, dead_wall="10", flowers="false")
    assert (found.stacks, found.dead_wall, found.flower_order, found.tiles.size) == ((17,) * 4, 10, "player", 136)
    assert rotation_of(path).after_draw == "stay"
    assert rotation_of(path, keep="false", stop_after="1") == RotationRules(
        after_win="stay", after_draw="pass", rounds=1
    )


def test_play_by_option(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "play:\n"
        "  winners: nearest if flowers else all\n"
        "  passed_win: passed_win\n"
        "  rob_own_kong: keep\n"
        "  rob_concealed_kong: [thirteen_orphans, seven_pairs]\n",
    )
    found = load_ruleset(str(path), {"flowers": "false", "passed_win": "none"}, cache=False).play
    forms = ("thirteen-orphans", "seven-pairs")
    rules = PlayRules(
        winners="all",
        passed_win="none",
        rob_own_kong=True,
        rob_concealed_kong=forms,
        fed_before="fed-another-before",  # the ruleset under this one says so
    )
    assert found == rules
    found = load_ruleset(str(path), {"keep": "false"}, cache=False).play
    assert found == replace(rules, winners="nearest", passed_win="until_action", rob_own_kong=False)


@pytest.mark.parametrize(
    ("name", "winners", "passed_win", "rob_own_kong", "rob_concealed_kong", "others"),
    [
        ("guangdong-xinzhang", "nearest", "go_round", True, (), {}),
        ("guangdong-qingzhang", "nearest", "go_round", False, (), {}),
        ("jipinghu", "all", "until_action", False, (), {"fed_before": "fed-another-before"}),
        ("hongkong", "nearest", "go_round", False, ("thirteen-orphans",), {}),
        ("malaysia-4p", "nearest", "none", False, (), {}),
        ("malaysia-3p", "nearest", "none", False, (), {"joker_claims": True}),
        ("mcr", "nearest", "none", False, (), {}),
    ],
)
def test_how_the_rulesets_are_played(
    name: str,
    winners: str,
    passed_win: str,
    rob_own_kong: bool,
    rob_concealed_kong: tuple[str, ...],
    others: dict[str, Any],
) -> None:
    assert load_ruleset(name).play == PlayRules(
        winners=winners,
        passed_win=passed_win,
        rob_own_kong=rob_own_kong,
        rob_concealed_kong=rob_concealed_kong,
        **others,
    )


ENDS = (0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33)
"""The kinds of terminals and honours."""


def test_how_riichi_is_played_by_default() -> None:
    riichi = load_ruleset("riichi")
    assert riichi.play == PlayRules(
        winners="all",
        passed_win="any_tile",
        rob_own_kong=False,
        rob_concealed_kong=("thirteen-orphans",),
        own_discards=True,
        swap_calling="same_chow",
        most_kongs=4,
        last_replacement=False,
        ready=ReadyRules(
            word="riichi",
            first_turn="double-riichi",
            at_once="ippatsu",
            deposit=1000,
            deposits="sticks",
            wall=4,
            points=True,
            kongs="same_waits",
        ),
        indicators=IndicatorRules(word="dora", under="ura-dora", kongs="after_discard", under_kongs=True),
        counters="honba",
        ready_hands=3000,
        river=RiverRules(kinds=ENDS, dealer=4000, others=2000),
        aborts=("nine_ends", "four_winds", "four_kongs", "all_ready", "three_winners"),
    )
    assert riichi.rotation == RotationRules(
        after_win="stay", after_draw="ready", rounds=2, points=25000, ends_below_zero=True, seats="winds"
    )


def test_how_riichi_is_played() -> None:
    play = load_ruleset("riichi", {"multiple_ron": "one", "abortive_draws": "false", "nagashi_mangan": "false"}).play
    assert play is not None
    assert (play.winners, play.passed_win, play.own_discards, play.aborts, play.river) == (
        "nearest",
        "any_tile",
        True,
        (),
        None,
    )
    assert play.ready is not None
    assert (play.ready.first_turn, play.ready.deposits) == ("double-riichi", "sticks")
    assert play.indicators is not None
    assert (play.indicators.under, play.indicators.kongs) == ("ura-dora", "after_discard")


def test_a_cached_ruleset_deals_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MJCLI_CACHE_DIR", str(tmp_path / "cache"))
    path = written(tmp_path, "wall: {dead_wall: 14, indicator: 3}\n")
    first, second = load_ruleset(str(path)), load_ruleset(str(path))
    assert list((tmp_path / "cache").iterdir())
    assert (first.wall, first.play, first.rotation) == (second.wall, second.play, second.rotation)


@pytest.mark.parametrize(
    ("section", "line", "column", "message"),
    [
        (
            "wall: {breaks: [{throws: [3], opener: frist, skip: first}]}",
            7,
            39,
            "'frist' is none of dealer, first, second, least (did you mean 'first'?)",
        ),
        (
            "wall: {breaks: [{throws: [3], opener: first, skip: dealer}]}",
            7,
            52,
            "'dealer' is none of first, second, least",
        ),
        ("wall: {breaks: [{throws: [3], opener: first, skip: [first, second]}]}", 7, 60, "there is but one throw"),
        ("wall: {breaks: [{throws: [3], opener: [dealer, first], skip: first}]}", 7, 40, "'dealer' stands alone"),
        ("wall: {breaks: [{throws: [], opener: first, skip: first}]}", 7, 17, "one throw or two, not 0"),
        ("wall: {breaks: [{throws: [1, 1, 1], opener: first, skip: first}]}", 7, 17, "one throw or two, not 3"),
        (
            "wall: {breaks: [{throws: [7], opener: first, skip: first}]}",
            7,
            27,
            "'7' is not a whole number of 1 to 6 in plain decimal",
        ),
        (
            "wall: {breaks: [{when: not keep, throws: [3], opener: first, skip: first}]}",
            7,
            7,
            "no rule of 'breaks' holds under these options",
        ),
        (
            "wall: {breaks: [{when: chows == 4, throws: [3], opener: first, skip: first}]}",
            7,
            24,
            "only options may decide this, nothing that depends on the hand",
        ),
        (
            "wall: {breaks: [{when: ping_hu, throws: [3], opener: first, skip: first}]}",
            7,
            24,
            "no word 'ping_hu'; 'mjcli rules words' lists them",
        ),
        (
            "wall: {breaks: [{throws: [3], opener: first}]}",
            7,
            17,
            "key 'skip' is missing: stacks skipped from his right end: first, second, least, or a list of them to be "
            "added",
        ),
        ("wall: {dead_wal: 14}", 7, 8, "unknown key 'dead_wal' (did you mean 'dead_wall'?)"),
        ("wall: {dead_wall: 120}", 7, 19, "'120' is not a number of 0 to 100"),
        ("wall: {dead_wall: keep}", 7, 19, "'keep', here 'true', is not a number of 0 to 100"),
        ("wall: {dead_wall: 90}", 7, 7, "136 tiles, of which 90 are kept back, are too few to deal to 4 players"),
        ("wall: {indicator: 3}", 7, 7, "stack 3 is not in a dead wall of 0 tiles"),
        ("wall: {jump: dice}", 7, 14, "'dice' is a word; compare it with '=='"),
        ("wall: {jump: keep and}", 7, 22, "a number or a word is wanted before the end"),
        ("wall: {flower_order: round}", 7, 22, "'round' is none of player, rounds (did you mean 'rounds'?)"),
        ("wall: {flower_order: keep}", 7, 22, "'keep', here 'true', is none of player, rounds"),
        ("wall: {players: 5}", 7, 17, "'5' is not a whole number of 3 to 4 in plain decimal"),
        ("wall: {players: 3, stacks: [17, 17, 17]}", 7, 7, "3 sides of 102 tiles for 3 players and 136 tiles"),
        ("wall: {stacks: [34, 34]}", 7, 7, "2 sides of 136 tiles for 4 players and 136 tiles"),
        ("tiles: {1f: 1}\nwall: {jump: true}", 8, 7, "137 tiles do not lie in stacks of two"),
        (
            "rotation: {after_draw: stays}",
            7,
            24,
            "'stays' is none of stay, pass, last_drawer, ready (did you mean 'stay'?)",
        ),
        ("rotation: {deals: 16}", 7, 11, "a game is counted in rounds or in deals; the other is 0"),
        ("rotation: {after_win: winner}", 7, 11, "where the deal does not pass in turn, deals are counted"),
        ("rotation: {rounds: 5}", 7, 20, "'5' is not a number of 0 to 4"),
        ("play: {winners: nearst}", 7, 17, "'nearst' is none of nearest, all (did you mean 'nearest'?)"),
        ("play: {passed_win: keep}", 7, 20, "'keep', here 'true', is none of none, go_round, until_action, any_tile"),
        ("play: {rob_own_kong: chows == 4}", 7, 22, "only options may decide this, nothing that depends on the hand"),
        (
            "play: {rob_concealed_kong: ping_hu}",
            7,
            28,
            "'ping_hu' is none of standard, seven_pairs, thirteen_orphans, thirteen_unconnected, knitted, "
            "knitted_straight",
        ),
        (
            "context: {calm: {kind: flag, en: calm}}\nplay: {ready: {word: clam}}",
            8,
            22,
            "'clam' is none of the context words of this ruleset that are flag "
            "(fed_another_before, calm) (did you mean 'calm'?)",
        ),
        (
            "context: {calm: {kind: flag, en: calm}}\nplay: {counters: calm}",
            8,
            18,
            "'calm' is a context word of flag, not of number",
        ),
        (
            "play: {counters: honba}",
            7,
            18,
            "'honba' is none of the context words of this ruleset that are number (there is none)",
        ),
        (
            "play: {ready: {deposit: 1000}}",
            7,
            15,
            "key 'word' is missing: the context word (a flag) of who has declared",
        ),
        ("play: {swap_calling: sometimes}", 7, 22, "'sometimes' is none of free, same_tile, same_chow"),
        (
            "play: {river: {tiles: bonus, dealer: 1, others: 1}}",
            7,
            23,
            "tiles are wanted here: such as 258m19p, or terminals, honors, ends, simples, winds, dragons, suited, "
            "green",
        ),
        (
            "play: {river: {tiles: seat, dealer: 1, others: 1}}",
            7,
            23,
            "tiles are wanted here: such as 258m19p, or terminals, honors, ends, simples, winds, dragons, suited, "
            "green",
        ),
        (
            "play: {aborts: {five_winds: true}}",
            7,
            17,
            "'five_winds' is not what ends a deal: nine_ends, four_winds, four_kongs, all_ready, three_winners "
            "(did you mean 'four_winds'?)",
        ),
        (
            "play: {aborts: {four_winds: chows == 4}}",
            7,
            29,
            "only options may decide this, nothing that depends on the hand",
        ),
        ("play: {ready_hands: many}", 7, 21, "no word 'many'; 'mjcli rules words' lists them"),
        ("rotation: {points: -5}", 7, 20, "'-5' is not a number of 0 to 1000000"),
    ],
)
def test_fault(tmp_path: Path, section: str, line: int, column: int, message: str) -> None:
    path = written(tmp_path, section + "\n")
    with pytest.raises(RulesetError) as caught:
        load_ruleset(str(path), cache=False)
    found = [(fault.line, fault.column, fault.message) for fault in caught.value.faults]
    assert (line, column, message) in found


def test_all_faults_of_both_sections_at_once(tmp_path: Path) -> None:
    path = written(tmp_path, "wall: {jump: jmup_deal, dead_wall: x}\nrotation: {after_win: 3}\n")
    places = [(fault.line, fault.path) for fault in check_file(path) if fault.fatal]
    assert places == [(7, "wall.jump"), (7, "wall.dead_wall"), (8, "rotation.after_win")]


def test_an_option_that_only_the_wall_uses_is_used(tmp_path: Path) -> None:
    path = written(tmp_path, "wall: {jump: flowers}\nrotation: {after_draw: stay if keep else pass}\n")
    assert [str(fault) for fault in check_file(path) if fault.file == str(path)] == []


@pytest.mark.parametrize(
    ("section", "path"),
    [
        ("wall: {dead_wall: 101, indicator: 3}", "wall.dead_wall"),
        ("wall: {dead_wall: 2, indicator: 51}", "wall.indicator"),
        ("rotation: {rounds: 0, deals: 1001}", "rotation.deals"),
    ],
)
def test_what_follows_from_a_wrong_number_is_no_fault_beside_it(tmp_path: Path, section: str, path: str) -> None:
    with pytest.raises(RulesetError) as caught:
        load_ruleset(str(written(tmp_path, section + "\n")), cache=False)
    assert [fault.path for fault in caught.value.faults] == [path]
