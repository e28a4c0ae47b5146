"""Rare parts of the ruleset language: limit hands that count alone, instant wins, claims, what options keep out."""

from __future__ import annotations

from pathlib import Path

import pytest

from mjcli.cli.rules.show import shown
from mjcli.errors import HandError, InputError, RulesetError
from mjcli.notation import parse_line
from mjcli.ruleset import Ruleset, load_ruleset
from mjcli.ruleset.advice import check_file
from mjcli.ruleset.contents import contents
from mjcli.ruleset.layers import read_ruleset
from mjcli.scoring import Score, score

RULES = """
id: rare
version: 1
tiles: {m: 4, p: 4, s: 4, z: 4, 12f: 1 if flowers else 0}
forms: {standard: true, seven_pairs: different if xiao_qi_dui != none else false}
claims: {chow: p}
options:
  flowers: {default: true, values: [true, false], en: Flowers are in play}
  xiao_qi_dui: {default: none, values: [none, 4], en: Fan of seven pairs}
  qing_yi_se: {default: 5, values: [3, 5, 9], en: Fan of a full flush}
  add: {default: false, values: [true, false], en: Everything is added}
families:
  dear: [ping_hu, qing_yi_se, dui_dui_hu, zi_mo]
alone: {of: [dear], least: 5, unless: add}
patterns:
- {id: ping_hu, fan: 1, when: chows == 4}
- {id: dui_dui_hu, fan: 5, when: pungs == 4}
- {id: qing_yi_se, fan: qing_yi_se, when: suits == 1 and not honors}
- {id: zi_mo, fan: 2, when: self_drawn and form != unfinished}
- {id: xiao_qi_dui, fan: xiao_qi_dui, only_if: xiao_qi_dui != none, when: form == seven_pairs}
- {id: two_flowers, fan: 4, when: form == unfinished, excludes: [dear]}
score: {fan: sum(all), points: fan}
best: [fan]
instant: bonus_tiles == 2 and self_drawn
pay:
- {when: self_drawn, others: points}
- {named: points}
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "rare.yaml"
    file.write_text(RULES)
    return file


def scored(path: Path, line: str, **options: str) -> Score:
    ruleset = load_ruleset(str(path), options, cache=False)
    return score(parse_line(line, tiles=ruleset.tiles), ruleset)


def counted(path: Path, line: str, **options: str) -> dict[str, int]:
    return {each.pattern.id: each.fan for each in scored(path, line, **options).patterns}


def test_the_file_has_no_faults(path: Path) -> None:
    assert [str(fault) for fault in check_file(path) if fault.fatal or "never used" in str(fault)] == []


def test_the_dearest_counts_alone(path: Path) -> None:
    drawn = "111222m999m111p4p++4p"
    assert counted(path, drawn) == {"dui_dui_hu": 5}
    assert counted(path, drawn, add="true") == {"dui_dui_hu": 5, "zi_mo": 2}


def test_of_equals_the_first_counts(path: Path) -> None:
    assert counted(path, "111222555999m4m+4m") == {"qing_yi_se": 5}


@pytest.mark.parametrize(
    ("value", "expected"),
    [("3", {"dui_dui_hu": 5}), ("9", {"qing_yi_se": 9})],
)
def test_what_is_dear_depends_on_options(path: Path, value: str, expected: dict[str, int]) -> None:
    assert counted(path, "111222555999m4m+4m", qing_yi_se=value) == expected


def test_below_the_least_everything_is_added(path: Path) -> None:
    line = "123345678m999m1m++1m"
    assert counted(path, line) == {"qing_yi_se": 5}
    assert counted(path, line, qing_yi_se="3") == {"qing_yi_se": 3, "zi_mo": 2}


def test_an_option_with_the_name_of_a_pattern_is_its_fan(path: Path) -> None:
    assert counted(path, "1133m4466p2288s5z+5z", xiao_qi_dui="4") == {"xiao_qi_dui": 4}


def test_a_form_that_an_option_keeps_out(path: Path) -> None:
    assert not scored(path, "1133m4466p2288s5z+5z").complete
    assert "seven-pairs" not in load_ruleset(str(path), cache=False).forms


def test_tiles_that_an_option_keeps_out(path: Path) -> None:
    ruleset = load_ruleset(str(path), {"flowers": "false"}, cache=False)
    with pytest.raises(InputError, match="'1f' is not among the tiles"):
        parse_line("123m456p677778s1z1f+1z", tiles=ruleset.tiles)
    with pytest.raises(HandError, match="'1f' is not among the tiles"):
        score(parse_line("123m456p677778s1z1f+1z"), ruleset)


@pytest.mark.parametrize("line", ["1469m258p37s1256z12f", "1469m258p37s1256z12f self-draw", "1469m258p37s1256z12f++7z"])
def test_an_instant_win_needs_no_complete_hand(path: Path, line: str) -> None:
    found = scored(path, line)
    assert found.complete
    assert not found.win_tile_assumed
    assert {each.pattern.id for each in found.patterns} == {"two_flowers"}
    assert found.payments == {"E": -4, "S": 12, "W": -4, "N": -4}
    assert found.best is not None
    assert found.best.reading.form == "unfinished"


def test_an_instant_win_is_one_reading_of_a_complete_hand(path: Path) -> None:
    assert counted(path, "123456789m678p1z12f++1z") == {"two_flowers": 4}
    assert counted(path, "111222555m678p1z12f++1z") == {"two_flowers": 4}
    assert counted(path, "111222555m999p1z12f++1z") == {"dui_dui_hu": 5}


def test_a_flower_may_win_before_a_tile_replaces_it(path: Path) -> None:
    won = parse_line("1469m258p37s1256z12f", won=True)
    assert score(won, load_ruleset(str(path), cache=False)).complete
    for text in ("1469m258p37s1256z", "1469m258p7z12f"):
        with pytest.raises(InputError) as caught:
            parse_line(text, won=True)
        assert caught.value.code == "tile-count"


def test_no_instant_win_otherwise(path: Path) -> None:
    assert not scored(path, "1469m258p37s1256z12f+7z").complete
    assert not scored(path, "1469m258p37s1256z1f++7z").complete
    with pytest.raises(HandError, match="13 tiles, where a won hand has 14: 1 is missing"):
        scored(path, "1469m258p37s1256z1f")
    with pytest.raises(HandError, match="12 are missing"):
        scored(path, "11z12f")


def test_chows_that_cannot_be_claimed(path: Path) -> None:
    assert counted(path, "123m456m789s1z,123p+1z") == {"ping_hu": 1}
    with pytest.raises(HandError, match="no chow from '4m' is claimed by rare: chows of p only"):
        scored(path, "123m123p789s1z,456m+1z")


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("1 if flowers", "1 if flower", "no word 'flower' (did you mean 'flowers'?)"),
        ("1 if flowers else 0", "1 if self_drawn else 0", "only options may decide this"),
        (
            "1 if flowers else 0",
            "2 if flowers else 0",
            "here '2', is not a number of 0 to 1",
        ),
        ("1 if flowers else 0", "flowers", "'flowers', here 'true', is not a number of 0 to 1"),
        ("12f:", "12m1f:", "'12m1f' is not a suit letter, a tile or tiles of one suit such as 1234f"),
        ("different if xiao_qi_dui !=", "diferent if xiao_qi_dui ==", "'diferent' is none of different, four, false"),
        (
            "else false",
            "else true",
            "'true' is none of different, four, false",
        ),
        ("standard: true", "standard: qing_yi_se == 5 and kongs == 0", "only options may decide this"),
        ("claims: {chow: p}", "claims: {chow: z}", "'z' is not some of the suits m p s"),
        ("fan: 1, when: chows", "fan: 1 + kongs, when: chows", "'ping_hu' has no value that options alone decide"),
        ("of: [dear]", "of: [deer]", "no pattern or family 'deer' (did you mean 'dear'?)"),
        ("least: 5", "least: many", "'many' is not a whole number"),
        ("unless: add}", "unless: kongs}", "only options may decide this"),
        ("instant: bonus_tiles ==", "instant: bonus ==", "no word 'bonus'"),
    ],
)
def test_faults(path: Path, old: str, new: str, fault: str) -> None:
    assert RULES.count(old) == 1
    path.write_text(RULES.replace(old, new))
    with pytest.raises(RulesetError) as caught:
        load_ruleset(str(path), cache=False)
    assert any(fault in str(each) for each in caught.value.faults), [str(each) for each in caught.value.faults]


def test_show_says_them(path: Path) -> None:
    file, _ = read_ruleset(path)
    lines = list(shown(contents(file, load_ruleset(str(path), {"flowers": "false"}, cache=False)), "en"))
    assert "tiles: m x4 p x4 s x4 z x4" in lines
    assert "forms: standard" in lines
    assert "chows claimed of: p" in lines
    assert "the dearest of these from 5 fan counts alone: dear (unless add)" in lines
    assert "wins at once if: bonus_tiles == 2 and self_drawn" in lines


def test_layers_change_these_keys(path: Path) -> None:
    upper = path.with_name("upper.yaml")
    upper.write_text(
        "id: upper\nversion: 1\nextends: rare\nclaims: {chow: ms}\ninstant: bonus_tiles == 1\n"
        "tiles: {2f: 0 if flowers else 1}\n"
    )
    ruleset: Ruleset = load_ruleset(str(upper), cache=False)
    assert ruleset.claimed_chows == "ms"
    assert score(parse_line("1469m258p37s1256z1f"), ruleset).complete
    with pytest.raises(HandError, match="'2f' is not among the tiles"):
        score(parse_line("123m456p677778s1z2f+1z"), ruleset)
