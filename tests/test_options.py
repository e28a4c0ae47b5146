"""Options: what they are, what may be set, and what conditions make of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from mjcli.errors import InputError
from mjcli.explain import explain
from mjcli.notation import parse_line
from mjcli.ruleset import Ruleset, load_ruleset
from mjcli.ruleset.options import is_value, option_value
from mjcli.scoring import score
from tests.rulesets import small_ruleset

HAND: Final = parse_line("123m456p789s111z5z+5z")

OPTIONS: Final[dict[str, Any]] = {
    "cap": {"default": "3", "values": ["number", "none"], "en": "the most"},
    "least": {"default": "0", "en": "any number"},
    "shown": {"default": "false", "en": "true or false"},
    "mode": {"default": "soft", "values": ["soft", "hard", "no"], "en": "a word"},
    "step": {"default": "2", "values": ["1", "2", "4"], "en": "a few numbers"},
    "ladder": {"default": "steep", "values": ["steep", "flat"], "en": "names a table"},
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    patterns = [
        {"id": "a", "fan": "step", "when": "mode == hard and shown"},
        {"id": "b", "fan": "5", "when": "mode != soft or not shown"},
        {"id": "c", "fan": "1", "when": "mode in (no, soft)"},
        {"id": "d", "fan": "pick(ladder, least)", "when": "least > 1"},
    ]
    steps = {"uncapped": "sum(main)", "fan": "uncapped if cap == none else min(cap, uncapped)", "points": "fan * step"}
    tables = {"steep": ["1", "10", "100"], "flat": ["1", "2", "3"]}
    return small_ruleset(tmp_path, patterns, options=OPTIONS, score=steps, tables=tables)


def values(ruleset: Ruleset) -> tuple[dict[str, int], int, int]:
    found = score(HAND, ruleset)
    return {each.pattern.id: each.fan for each in found.patterns}, found.fan, found.points


@pytest.mark.parametrize(
    ("options", "answer"),
    [
        ({}, ({"b": 5, "c": 1}, 3, 6)),
        ({"cap": "none"}, ({"b": 5, "c": 1}, 6, 12)),
        ({"cap": "0"}, ({"b": 5, "c": 1}, 0, 0)),
        ({"cap": "1000", "step": "4"}, ({"b": 5, "c": 1}, 6, 24)),
        ({"shown": "true"}, ({"c": 1}, 1, 2)),
        ({"shown": "true", "mode": "hard", "step": "1"}, ({"a": 1, "b": 5}, 3, 3)),
        ({"mode": "no"}, ({"b": 5, "c": 1}, 3, 6)),
        ({"least": "2", "cap": "none"}, ({"b": 5, "c": 1, "d": 100}, 106, 212)),
        ({"least": "7", "cap": "none", "ladder": "flat"}, ({"b": 5, "c": 1, "d": 3}, 9, 18)),
    ],
)
def test_options_change_what_a_hand_is_worth(path: Path, options: dict[str, str], answer: Any) -> None:
    assert values(load_ruleset(str(path), options, cache=False)) == answer


def test_every_option_has_its_default(path: Path) -> None:
    found = load_ruleset(str(path), {"cap": "none"}, cache=False)
    defaults = {"cap": "none", "least": 0, "shown": False, "mode": "soft", "step": 2, "ladder": "steep"}
    assert dict(found.options) == defaults


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"caps": "3"}, "ruleset small has no option 'caps' (did you mean 'cap'?)"),
        ({"x": "3"}, "ruleset small has no option 'x' (options: cap, least, shown, mode, step, ladder)"),
        ({"": "3"}, "ruleset small has no option '' (options: cap, least, shown, mode, step, ladder)"),
        (
            {"cap": "nnoe"},
            "option 'cap' cannot be 'nnoe'; it can be a whole number of 0 to 9999999, none (did you mean 'none'?)",
        ),
        ({"cap": "number"}, "option 'cap' cannot be 'number'; it can be a whole number of 0 to 9999999, none"),
        ({"cap": "-1"}, "option 'cap' cannot be '-1'; it can be a whole number of 0 to 9999999, none"),
        ({"cap": "03"}, "option 'cap' cannot be '03'; it can be a whole number of 0 to 9999999, none"),
        ({"cap": "3.0"}, "option 'cap' cannot be '3.0'; it can be a whole number of 0 to 9999999, none"),
        ({"cap": "99999999"}, "option 'cap' cannot be '99999999'; it can be a whole number of 0 to 9999999, none"),
        ({"cap": ""}, "option 'cap' cannot be ''; it can be a whole number of 0 to 9999999, none"),
        ({"cap": "true"}, "option 'cap' cannot be 'true'; it can be a whole number of 0 to 9999999, none"),
        ({"least": "none"}, "option 'least' cannot be 'none'; it can be a whole number of 0 to 9999999"),
        ({"shown": "1"}, "option 'shown' cannot be '1'; it can be true, false"),
        ({"shown": "True"}, "option 'shown' cannot be 'True'; it can be true, false (did you mean 'true'?)"),
        ({"mode": "Hard"}, "option 'mode' cannot be 'Hard'; it can be soft, hard, no (did you mean 'hard'?)"),
        ({"mode": "false"}, "option 'mode' cannot be 'false'; it can be soft, hard, no"),
        ({"step": "3"}, "option 'step' cannot be '3'; it can be 1, 2, 4"),
    ],
)
def test_what_cannot_be_set_is_refused(path: Path, options: dict[str, str], message: str) -> None:
    with pytest.raises(InputError) as caught:
        load_ruleset(str(path), options, cache=False)
    assert caught.value.code == "bad-option"
    assert str(caught.value) == message


def test_a_ruleset_without_options_says_so(tmp_path: Path) -> None:
    path = small_ruleset(tmp_path, [{"id": "a", "fan": "1", "when": "honors"}])
    with pytest.raises(InputError, match=r"has no option 'cap' \(options: none\)"):
        load_ruleset(str(path), {"cap": "1"}, cache=False)


@pytest.mark.parametrize(
    ("text", "value"),
    [("true", True), ("false", False), ("0", 0), ("12", 12), ("012", "012"), ("none", "none"), ("1:30", "1:30")],
)
def test_what_a_value_stands_for(text: str, value: object) -> None:
    found = option_value(text)
    assert (found, type(found)) == (value, type(value))
    assert is_value(text) is (text not in ("012", "1:30"))


def test_explanations_show_the_options_of_a_failed_condition(path: Path) -> None:
    found = explain(score(HAND, load_ruleset(str(path), cache=False)))
    failures = {verdict.pattern.id: list(map(str, verdict.failures)) for verdict in found.verdicts}
    assert failures["a"] == ["mode == hard (mode is soft)", "shown"]
    assert failures["d"] == ["least > 1 (least is 0)"]


def test_a_value_that_is_also_a_column_is_shown_as_itself(tmp_path: Path) -> None:
    options = {"who": {"default": "claimed", "values": ["claimed", "nobody"], "en": "who"}}
    path = small_ruleset(tmp_path, [{"id": "a", "fan": "1", "when": "who == nobody"}], options=options)
    found = explain(score(HAND, load_ruleset(str(path), cache=False)))
    assert [str(failure) for failure in found.verdicts[0].failures] == ["who == nobody (who is claimed)"]
