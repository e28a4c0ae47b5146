"""What differs between two rulesets, and the small hands that show it."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from mjcli.chance import Chance
from mjcli.cli.main import app
from mjcli.comparison import Contrast, contrasts, example_lines
from mjcli.errors import HandError, InputError
from mjcli.forms import RULES
from mjcli.notation import format_line, parse_line
from mjcli.ruleset import Ruleset, load_ruleset, ruleset_names
from mjcli.ruleset.contents import contents
from mjcli.ruleset.differences import SECTIONS, differences, readers
from mjcli.ruleset.layers import read_ruleset
from mjcli.ruleset.model import FILE, PATTERN
from mjcli.ruleset.paths import ruleset_path
from mjcli.scoring import score
from mjcli.tiles import DEFAULT_SET, TileSet
from mjcli.wins import Wins, simpler
from tests.rulesets import small_ruleset

ROOT = Path(__file__).parents[1]


@lru_cache(maxsize=8)
def said(name: str | Path) -> dict[str, Any]:
    """Return what a ruleset says, by id or by the path of a file that no longer changes."""
    file, _ = read_ruleset(ruleset_path(str(name)))
    return contents(file, load_ruleset(str(name), cache=isinstance(name, str)))


@lru_cache(maxsize=8)
def loaded(name: str) -> Ruleset:
    return load_ruleset(name)


def upper(folder: Path, lower: str, text: str) -> Path:
    path = folder / "upper.yaml"
    path.write_text(f"id: upper\nversion: 1\nextends: {lower}\n{text}", encoding="utf-8")
    return path


# what differs


def test_contents_have_every_key_of_a_file(tmp_path: Path) -> None:
    found = said("jipinghu")
    assert {*FILE.fields} - {*found} == {"extends", "drop", "claims"}
    own = upper(tmp_path, "jipinghu", "patterns: [{id: hun_yi_se, unless: kong_fan}]")
    assert {*found} - {*SECTIONS} == {"id", "version", "names", "sources"}
    patterns = [pattern for name in ("mcr", own, "guangdong-xinzhang") for pattern in said(name)["patterns"]]
    keys = {key for pattern in patterns for key in pattern}
    assert {*PATTERN.fields} - keys == {"en", "zh-Hant", "zh-Hans"}
    assert json.loads(json.dumps(found)) == found


@pytest.mark.parametrize("name", ruleset_names())
def test_a_ruleset_does_not_differ_from_itself(name: str) -> None:
    assert differences(said(name), said(name)) == []


CHANGES = {
    "patterns: [{id: hun_yi_se, fan: 3}]": ["patterns.hun_yi_se.fan", "patterns.hun_yi_se.value"],
    "patterns: [{id: hun_yi_se, when: suits == 1}]": ["patterns.hun_yi_se.when"],
    "patterns: [{id: hun_yi_se, en: Mixed}]": ["patterns.hun_yi_se.names.en"],
    "patterns: [{id: hun_yi_se, source: me, note: mine, match: [11m], no_match: [12m]}]": [],
    "patterns: [{id: hun_yi_se, contains: [zi_mo], excludes: [gang]}]": [
        "patterns.hun_yi_se.contains",
        "patterns.hun_yi_se.excludes",
    ],
    "patterns: [{id: hun_yi_se, only_if: kong_fan}]": [
        "patterns.hun_yi_se.in_play",
        "patterns.hun_yi_se.value",
        "patterns.hun_yi_se.only_if",
    ],
    "patterns: [{id: own, fan: 1, when: honors}]": ["patterns.own"],
    "drop: [ren_hu]": ["patterns.ren_hu"],
    "options: {cap: {default: 4}}": ["options.cap.value", "options.cap.default"],
    "options: {cap: {en: Another sentence}}": [],
    "options: {own: {default: 1, en: One}}": ["options.own"],
    "tiles: {z: 0}": ["tiles.z", "wall.tiles", "wall.stacks"],
    "forms: {seven_pairs: four}": ["forms.seven-pairs"],
    "claims: {chow: p}": ["claimed_chows"],
    "context: {lucky: {kind: flag, en: Luck}}": ["context.lucky"],
    "families: {bonus: [zi_mo]}": ["families.bonus"],
    "tables: {price: [1, 2]}": ["tables.price"],
    "series: []": ["series.1", "series.2", "series.3"],
    "series: [{tiers: [hun_yi_se, dui_dui_hu, ping_hu], unless: stack_base}]": ["series.1", "series.3"],
    "alone: {of: [tian_hu], least: 6}": ["alone"],
    "patterns: [{id: own, fan: 1, sets: [chow 1 a, chow 4 a]}]\ncombine_once: {chows: [own]}": [
        "patterns.own",
        "combine_once.chows",
    ],
    "score: {points: 3 ** 2}": ["score.points"],
    "score: {extra: fan}": ["score.extra"],
    "best: [fan]": ["best"],
    "prefer: concealed": ["prefer"],
    "wins_if: fan >= 3": ["wins_if"],
    "instant: dealt": ["instant"],
    "false_win: 3": ["false_win"],
    "pay: [{when: self_drawn, others: 3}, {named: points}]": ["pay.1", "pay.2"],
    "pay: [{named: 2}, {when: self_drawn, others: points}, {named: points}]": ["pay.1"],
    "liability_conflict: first": ["liability_conflict"],
    "liability: []": ["liability.da_san_yuan", "liability.da_si_xi"],
    "wall: {dead_wall: 14}": ["wall.dead_wall"],
    "rotation: {after_draw: pass}": ["rotation.after_draw"],
    "sources: [me]\nnames: {en: Mine}": [],
}


@pytest.mark.parametrize("change", CHANGES)
def test_each_change_of_a_layer_is_found(change: str, tmp_path: Path) -> None:
    text = change.replace("3 ** 2", "3 * fan")
    one, other = said("jipinghu"), said(upper(tmp_path, "jipinghu", text))
    found = differences(one, other)
    paths = [".".join(each.path) for each in found]
    if change.startswith("liability: []"):
        assert {path.partition(".")[0] for path in paths} == {"liability", "liability_conflict"}
    else:
        assert paths == CHANGES[change]
    back = differences(other, one)
    assert sorted(paths) == sorted(".".join(each.path) for each in back)
    assert {each.path: (each.one, each.other) for each in found} == {each.path: (each.other, each.one) for each in back}


def test_only_the_order_of_patterns(tmp_path: Path) -> None:
    text = (ROOT / "examples" / "small.yaml").read_text(encoding="utf-8")
    head, *patterns = text.partition("score:")[0].split("\n- id: ")
    tail = text.partition("score:")[2]
    path = tmp_path / "small.yaml"
    path.write_text("\n- id: ".join((head, *patterns[::-1])) + f"\nscore:{tail}", encoding="utf-8")
    found = differences(said(ROOT / "examples" / "small.yaml"), said(path))
    assert [each.path for each in found] == [("order",)]
    assert found[0].one == found[0].other[::-1]


def test_where_an_option_is_read() -> None:
    assert readers("cap", said("jipinghu")) == ["score.plain"]
    assert readers("jiu_lian_any", said("jipinghu")) == ["patterns.jiu_lian.when"]
    assert readers("xiao_si_xi", said("hongkong")) == ["patterns.xiao_si_xi.fan"]
    assert readers("dead_wall", said("hongkong")) == []


# hands


def sides(one: str | Path, other: str | Path) -> tuple[Ruleset, Ruleset]:
    first, second = (
        loaded(each) if isinstance(each, str) else load_ruleset(str(each), cache=False) for each in (one, other)
    )
    return first, second


def check(found: Contrast, one: Ruleset, other: Ruleset) -> None:
    """Hold a contrast against scoring the hand as it is written."""
    text = format_line(found.line)
    results = []
    for ruleset, side in ((one, found.one), (other, found.other)):
        line = parse_line(text, extra=(*one.extra_words, *other.extra_words))
        if isinstance(side, InputError):
            with pytest.raises(InputError) as caught:
                score(line, ruleset)
            assert str(side) == str(caught.value)
            results.append(str(side))
        else:
            scored = score(line, ruleset)
            assert (side.patterns, side.steps, side.payments) == (scored.patterns, scored.steps, scored.payments)
            results.append(repr((scored.can_win, scored.fan, scored.points, scored.payments)))
    assert results[0] != results[1]


@pytest.mark.parametrize(
    ("change", "causes"),
    [
        ("patterns: [{id: hun_yi_se, fan: 3}]", [("patterns.hun_yi_se",)]),
        ("patterns: [{id: shi_san_yao, fan: 7}]", [("patterns.shi_san_yao",)]),
        ("patterns: [{id: hai_di, only_if: kong_fan}]", [("patterns.hai_di",)]),
        ("drop: [ren_hu]", [("patterns.ren_hu",)]),
        ("score: {points: 3 * fan}", [("score.points",)]),
        ("options: {cap: {default: 2}}", [("score.plain",)]),
        ("wins_if: fan >= 1", [("wins_if",)]),
        ("pay: [{named: points, others: points}]", [("pay",)]),
        ("options: {liability: {default: off}}", [("liability",)]),
        ("forms: {seven_pairs: four}", [("forms",)]),
        ("instant: dealt", []),
        ("tiles: {1234f: 1}\npatterns: [{id: flower, fan: 1, times: bonus_tiles, group: base}]", [("not-in-ruleset",)]),
        ("tiles: {7z: 0}", [("not-in-ruleset",)]),
        ("claims: {chow: p}", [("not-in-ruleset",)]),
        (
            "context: {lucky: {kind: flag, en: Luck}}\npatterns: [{id: luck, fan: 1, when: lucky, group: bonus}]",
            [("patterns.luck",)],
        ),
    ],
)
def test_hands_show_each_change_alone(change: str, causes: list[tuple[str, ...]], tmp_path: Path) -> None:
    path = upper(tmp_path, "jipinghu", change)
    one, other = sides("jipinghu", path)
    ids = {each.path[1] for each in differences(said("jipinghu"), said(path)) if each.path[0] == "patterns"}
    texts = [
        text for pattern in said(path)["patterns"] for key in ("match", "no_match") for text in pattern.get(key, ())
    ]
    lines = example_lines(other, texts)
    hands = len(lines) + (300 if change.startswith(("options: {liability", "context")) else 60)
    found = contrasts(one, other, lines, changed=ids, seed=5, hands=hands)
    assert [each.cause for each in found.found] == causes
    assert found.tried == hands
    assert bool(found.differing) == bool(causes)
    for each in found.found:
        check(each, one, other)


def test_the_same_seed_gives_the_same_hands() -> None:
    one, other = sides("jipinghu", "hongkong")
    found = [contrasts(one, other, seed=seed, hands=120) for seed in (1, 1, 2)]
    shown = [[(format_line(each.line), each.cause) for each in several.found] for several in found]
    assert shown[0] == shown[1] != shown[2]
    assert found[0].tried == 120
    assert len(found[0].found) > 5
    for each in found[0].found:
        check(each, one, other)
    sizes = [each.size for each in found[0].found]
    assert sizes == sorted(sizes)


def test_a_search_can_be_ended() -> None:
    one, other = sides("jipinghu", "hongkong")
    answers = iter([False] * 7 + [True])
    assert contrasts(one, other, seed=1, is_late=lambda: next(answers)).tried == 7
    assert contrasts(one, other, seed=1, hands=0).tried == 0


HIGH_CAP = {"hongkong": {"cap": "none"}, "malaysia-3p": {"cap": "20"}, "malaysia-4p": {"cap": "13"}}
"""Options under which one fan more is always paid."""


@pytest.mark.long
@pytest.mark.parametrize("name", ruleset_names())
def test_a_hand_is_found_for_each_pattern_worth_one_more(name: str, tmp_path: Path) -> None:
    options = HIGH_CAP.get(name)
    lower = said(name)
    one = load_ruleset(name, options)
    for pattern in lower["patterns"]:
        if not pattern["value"]:
            continue
        path = upper(tmp_path, name, f"patterns: [{{id: {pattern['id']}, fan: {pattern['value'] + 1}}}]")
        other = load_ruleset(str(path), options, cache=False)
        lines = example_lines(one, pattern["match"])
        for hands in (400, 4_000, 20_000):
            found = contrasts(one, other, lines, changed=[pattern["id"]], seed=1, hands=hands).found
            if found:
                break
        assert found, pattern["id"]
        for each in found:
            check(each, one, other)


# wins


@pytest.mark.parametrize("name", ["jipinghu", "malaysia-4p"])
def test_wins_drawn_are_complete_and_varied_ones_differ(name: str) -> None:
    ruleset = load_ruleset(name)
    wins = Wins(ruleset.tiles, {"standard": "", "seven-pairs": "four"}, ruleset.extra_words)
    forms: set[str] = set()
    for number in range(150):
        line = wins.drawn(Chance(1, number))
        assert line == wins.drawn(Chance(1, number))
        assert parse_line(format_line(line), extra=ruleset.extra_words, tiles=ruleset.tiles) == line
        assert line.hand.tile_count == 14
        varied = wins.varied(line, Chance(2, number))
        assert varied != line
        assert varied.hand.tile_count == 14
        try:
            found = score(line, ruleset)
        except HandError:
            continue  # such as a claimed chow of a suit of which there are none
        forms.add(found.best.reading.form if found.best else "none")
    assert forms == {"standard", "none"}  # neither ruleset has seven pairs


def test_simpler_hands_have_less_in_them() -> None:
    line = parse_line("1f2f34s99p,123m,4444pol,7777s++5s kong-draw seat=W")
    found = [format_line(each) for each in simpler(line)]
    assert found == [
        "99p34s12f,123m,4444pol,7777s++5s kong-draw",
        "99p34s12f,123m,4444pol,7777s++5s seat=W",
        "99p34s2f,123m,4444pol,7777s++5s seat=W kong-draw",
        "99p34s1f,123m,4444pol,7777s++5s seat=W kong-draw",
        "123m99p34s12f,4444pol,7777s++5s seat=W kong-draw",
        "44499p34s12f,123m,7777s++5s seat=W kong-draw",
        "99p34777s12f,123m,4444pol++5s seat=W kong-draw",
        "99p34s12f,123m,4444po,7777s++5s seat=W kong-draw",
        "99p34s12f,123m,444p,7777s++5s seat=W kong-draw",
        "99p34s12f,123m,4444pol,777s++5s seat=W kong-draw",
    ]


def test_few_tiles_and_every_form_can_be_varied() -> None:
    wins = Wins(TileSet.of({"z": 4}), {form: rules[0] for form, rules in RULES.items()})
    assert {tile.suit for number in range(30) for tile in wins.drawn(Chance(3, number)).hand.tiles()} == {"z"}
    every = Wins(DEFAULT_SET, {form: rules[0] for form, rules in RULES.items()})
    for text in ("19m19p19s1234567z+1z", "147m258p369s1234z+5z", "147m258p36s11123z+9s", "11m22p33s44z55z66z7z+7z"):
        try:
            line = parse_line(text)
        except HandError:
            continue
        for number in range(50):
            assert every.varied(line, Chance(4, number)).hand.tile_count == 14


@pytest.mark.parametrize("tiles", [{}, {"5z": 4}, {"1m": 4, "1z": 4, "2z": 4}, {"1f": 1}])
def test_of_too_few_tiles_there_is_no_hand(tiles: dict[str, int]) -> None:
    with pytest.raises(HandError, match="too few tiles"):
        Wins(TileSet.of(tiles), {"standard": "", "seven-pairs": "four"}).drawn(Chance(1))


def test_rulesets_without_tiles_are_compared_all_the_same(tmp_path: Path) -> None:
    keys = {"tiles": {"m": "0"}, "wins_if": "fan >= 1"}
    one = load_ruleset(str(small_ruleset(tmp_path, [], id="one", tiles={"m": "0"})), cache=False)
    other = load_ruleset(str(small_ruleset(tmp_path, [], id="other", **keys)), cache=False)
    found = contrasts(one, other, seed=1)
    assert (found.tried, found.found) == (0, ())


# the command


def run(*arguments: str) -> tuple[int, str, str]:
    found = CliRunner().invoke(app, ["rules", "diff", *arguments], prog_name="mjcli")
    return found.exit_code, found.stdout, found.stderr


def test_equal_rulesets_print_nothing_and_are_no_difference(tmp_path: Path) -> None:
    code, out, error = run("jipinghu", "jipinghu", "--seed", "1")
    assert (code, out) == (0, "")
    assert error == "mjcli: nothing differs\n"
    copy = tmp_path / "mine.yaml"
    text = ruleset_path("jipinghu").read_text(encoding="utf-8")
    copy.write_text(text.replace("id: jipinghu", "id: mine"), encoding="utf-8")
    assert run("jipinghu", str(copy), "--json")[0] == 0


def test_text_says_each_change_and_itemises_both_sides() -> None:
    code, out, error = run("jipinghu", str(ROOT / "examples" / "club.yaml"), "--seed", "1", "--hands", "300")
    assert code == 1
    assert out.startswith("--- jipinghu\n+++ club\npatterns\n  hun_yi_se (Half flush)\n    fan: 2 -> 3\n")
    assert "  ren_hu (Human hand)\n    only in jipinghu: fan 6, when first_turn" in out
    assert "    because of patterns.hun_yi_se\n" in out
    assert "    club      3 fan, 8 points: Half flush 3 (winner +8 discarder -8 other +0)\n" in out
    assert error.endswith("(seed 1)\n")


def test_text_says_what_is_refused_and_what_hands_are_called(tmp_path: Path) -> None:
    own = upper(tmp_path, "jipinghu", "refuses: [{when: kongs > 3, en: no}]\ntitles: [{when: fan >= cap, en: Great}]\n")
    _, out, error = run("jipinghu", str(own), "--hands", "0")
    assert out == (
        "--- jipinghu\n+++ upper\ntitles\n  1: only in upper: when fan >= cap, names en Great\n"
        "refuses\n  1: only in upper: when kongs > 3, en no\n"
    )
    assert error.startswith("mjcli: 2 differences; ")
    assert "titles.when" in readers("cap", said(own))


def test_text_says_of_a_form_without_a_rule_that_it_counts() -> None:
    _, out, _ = run("jipinghu", "mcr", "--hands", "0")
    assert "\nforms\n  seven-pairs: nothing -> four\n  knitted: nothing -> counts\n" in out


def test_json_has_the_same() -> None:
    code, out, _ = run("hongkong", "--set-b", "xiao_si_xi=3", "--seed", "1", "--hands", "400", "--json", "--show", "1")
    assert code == 1
    found = json.loads(out)
    assert found["a"]["ruleset"] == found["b"]["ruleset"] == "hongkong"
    assert (found["a"]["options"]["xiao_si_xi"], found["b"]["options"]["xiao_si_xi"]) == (6, 3)
    assert found["differences"] == [
        {"path": ["options", "xiao_si_xi", "value"], "a": 6, "b": 3, "read_by": ["patterns.xiao_si_xi.fan"]},
        {"path": ["patterns", "xiao_si_xi", "value"], "a": 6, "b": 3},
    ]
    assert (found["seed"], found["tried"]) == (1, 400)
    (hand,) = found["hands"]
    assert hand["cause"] == ["patterns.xiao_si_xi"]
    assert hand["a"]["fan"] > hand["b"]["fan"]
    assert {each["id"] for each in hand["a"]["patterns"]} == {each["id"] for each in hand["b"]["patterns"]}
    assert sum(hand["a"]["payments"].values()) == 0


def test_names_and_phrases_in_another_language() -> None:
    _, out, _ = run("jipinghu", str(ROOT / "examples" / "club.yaml"), "--hands", "200", "--lang", "zh-Hant")
    assert "hun_yi_se (混一色)" in out
    assert "只見於 jipinghu" in out
    assert "番" in out


def test_options_of_both_and_of_each_are_set() -> None:
    settings = ["--set", "cap=none", "--set", "kong_fan=false", "--set-a", "kong_fan=true"]
    code, out, _ = run("jipinghu", *settings, "--hands", "0", "--json")
    found = json.loads(out)
    assert code == 1
    assert [found[side]["options"]["cap"] for side in "ab"] == ["none", "none"]
    assert [found[side]["options"]["kong_fan"] for side in "ab"] == [True, False]
    assert found["hands"] == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["jipinghu", "--set-b", "cap=3", "--set-b", "cap=4"], "--set-b cap=4: said twice"),
        (["jipinghu", "--set", "cap=3"], "give a second ruleset, or --set-a or --set-b"),
        (["jipinghu"], "give a second ruleset, or --set-a or --set-b"),
        (["jipinghu", "jipingu"], "no ruleset 'jipingu' (did you mean 'jipinghu'?)"),
        (["jipinghu", "hongkong", "--set-a", "cap"], "--set-a cap: KEY=VALUE is expected"),
        (["jipinghu", "hongkong", "--set-b", "kap=3"], "ruleset hongkong has no option 'kap'"),
        (["jipinghu", "hongkong", "--set", "kong_fan=true"], "ruleset hongkong has no option 'kong_fan'"),
        (["jipinghu", "hongkong", "--hands", "-1"], "is not a whole number of at least 0"),
        (["jipinghu", "hongkong", "--time", "0"], "is not a whole number of at least 1"),
        (["jipinghu", "hongkong", "--seed", "x"], "'x' is no seed"),
    ],
)
def test_what_is_wrong_is_said(arguments: list[str], message: str) -> None:
    code, out, error = run(*arguments)
    assert (code, out) == (2, "")
    assert message in error
