"""What options decide beside conditions: alternatives, rules of forms, values; lists; and whether the dealer pays."""

from __future__ import annotations

from pathlib import Path

import pytest

from mjcli.errors import InputError, RulesetError
from mjcli.notation import parse_line
from mjcli.ruleset import load_ruleset
from mjcli.ruleset.advice import check_file
from mjcli.scoring import Score, score

FILE = """\
id: club
version: 1
extends: jipinghu
forms: {seven_pairs: four if four_as_two_pairs else different if seven else false}
options:
  seven: {default: true, values: [true, false], en: Whether seven pairs are a hand}
  four_as_two_pairs: {default: false, values: [true, false], en: Whether four alike are two pairs}
  hun_yi_se: {default: 3, values: [3, 5], en: Value of a half flush}
  steps: {default: "[1, 2]", values: ["[1, 2]", "[2]"], en: Steps between chows}
patterns:
- {id: hun_yi_se, fan: hun_yi_se}
- id: two_chows
  fan: 100
  group: special
  any:
  - [chow n a, chow n+1 a, if 1 in steps]
  - [chow n a, chow n+2 a, if 2 in steps, if not stack_base]
score:
  points: 4 if named_dealer else 2 if discarder_known else 1
pay:
- {when: liable, named: points}
- {when: self_drawn, others: points}
- {named: points}
"""

BY_ONE = "123234m567p6s,999s+6s"
BY_TWO = "123345m567p6s,999s+6s"


@pytest.fixture
def club(tmp_path: Path) -> Path:
    path = tmp_path / "club.yaml"
    path.write_text(FILE, encoding="utf-8")
    return path


def scored(club: Path, line: str, **options: str) -> Score:
    ruleset = load_ruleset(str(club), options, cache=False)
    return score(parse_line(line, tiles=ruleset.tiles), ruleset)


@pytest.mark.parametrize(
    ("line", "options", "stands"),
    [
        (BY_ONE, {}, True),
        (BY_TWO, {}, True),
        (BY_ONE, {"steps": "[2]"}, False),
        (BY_TWO, {"steps": "[2]"}, True),
        (BY_TWO, {"stack_base": "true"}, False),
        (BY_ONE, {"stack_base": "true", "steps": "[1,2]"}, True),
    ],
)
def test_an_alternative_is_kept_to_an_option(club: Path, line: str, options: dict[str, str], stands: bool) -> None:
    assert ("two_chows" in {each.pattern.id for each in scored(club, line, **options).patterns}) is stands


def test_no_alternative_left_is_a_fault(club: Path) -> None:
    with pytest.raises(RulesetError, match="no alternative is left under these options"):
        scored(club, BY_ONE, steps="[2]", stack_base="true")


def test_the_rule_of_a_form_is_kept_to_an_option(club: Path) -> None:
    pairs = "1133m4466p2255s5z+5z"
    four = "1111m4466p2255s5z+5z"
    assert scored(club, pairs).complete
    assert not scored(club, pairs, seven="false").complete
    assert not scored(club, four).complete
    assert scored(club, four, four_as_two_pairs="true").complete


def test_a_value_is_an_option_of_the_same_name(club: Path) -> None:
    half_flush = "12345677p66z,555z+6z"
    assert [scored(club, half_flush, hun_yi_se=value).patterns[0].fan for value in ("3", "5")] == [3, 5]


def test_a_group_is_taken_away_as_one(club: Path) -> None:
    half_flush = "12345677p66z,555z++6z"
    assert {each.pattern.id for each in scored(club, half_flush).patterns} == {"hun_yi_se", "zi_mo", "san_yuan_pai"}
    club.write_text(FILE.replace("- {id: hun_yi_se,", "- {id: hun_yi_se, excludes: [bonus],"), encoding="utf-8")
    assert {each.pattern.id for each in scored(club, half_flush).patterns} == {"hun_yi_se"}


def test_a_list_is_one_of_the_lists(club: Path) -> None:
    with pytest.raises(InputError, match=r"option 'steps' cannot be '\[3\]'"):
        load_ruleset(str(club), {"steps": "[3]"}, cache=False)


@pytest.mark.parametrize(
    ("line", "points"),
    [
        ("123234m567p6s,999s+6s from=E", 4),
        ("123234m567p6s,999s+6s from=W", 2),
        ("123234m567p6s,999s+6s", 1),
        ("1m,222ml,444px,777sr,333zx++1m seat=W", 4),
        ("1m,222ml,444px,777sr,333zx++1m seat=S", 1),
    ],
)
def test_who_pays_what_is_named_is_known_to_be_the_dealer(club: Path, line: str, points: int) -> None:
    assert scored(club, line).points == points


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("else false", "else sometimes", "'sometimes' is none of different, four, false"),
        ("if seven", "if chows", "only options may decide this, nothing that depends on the hand"),
        ("if seven", "if sevens", "no word 'sevens' (did you mean 'seven'?)"),
        ("if 1 in steps", "if steps", "'steps' is a list; what can be asked is 'NUMBER in steps'"),
        ("if 1 in steps", "if 1 in seven", "only 'pair' and 'win' can be 'in' tiles"),
        ("if 1 in steps", "if chows", "only options may decide this, nothing that depends on the hand"),
    ],
)
def test_faults(club: Path, right: str, wrong: str, message: str) -> None:
    club.write_text(FILE.replace(right, wrong), encoding="utf-8")
    assert any(message in fault.message for fault in check_file(club))
