"""A ruleset from a stranger can be wrong, not harmful: its names never become names of the generated source."""

from __future__ import annotations

import ast
import builtins
import keyword
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mjcli.columns import COLUMNS
from mjcli.errors import Fault, RulesetError
from mjcli.explain import explain
from mjcli.notation import parse_line
from mjcli.ruleset import load_ruleset
from mjcli.ruleset.advice import check_file
from mjcli.ruleset.paths import ruleset_path
from mjcli.scoring import evaluations, score
from tests.rulesets import small_ruleset

HAND: Final = parse_line("123m456p789s111z5z+5z")

OWN_NAMES: Final = ("c", "detail", "evaluate", "popc", "where", "max2", "min2", "locals", "v0", "v1", "v12", "combine0")
"""Names that the generated source has itself."""
HOSTILE: Final = (
    *OWN_NAMES,
    *(
        "x",
        "x_x",
        "held",
        "held_x",
        "table",
        "table_x",
        "k",
        "t0",
        "c0",
        "globals",
        "exec",
        "eval",
        "open_file",
        "print",
    ),
    *(word for word in keyword.kwlist if word == word.lower() and word not in ("and", "or", "not", "in", "if", "else")),
    *(word for word in dir(builtins) if word.isalpha() and word == word.lower() and len(word) < 5),
)
REFUSED: Final = ("__import__", "__class__", "_", "a__b", "TABLE_x", "C0", "x;y", "x y", "x\ny", "é", "1x", "x=1", "")
TAKEN: Final = {"any", "min", "max", "sum", "all", "round", "pungs", "open", "held"}
"""Hostile names that are words of the language."""


def plain_names(source: str) -> set[str]:
    """Return every name, attribute and call of a source that is not a column, a variable or a function of ours."""
    tree = ast.parse(source)
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    names |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    names |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    own = {
        *COLUMNS,
        "evaluate",
        "at_once",
        "false_win",
        "refused",
        "fan",
        "c",
        "detail",
        "locals",
        "popc",
        "where",
        "max2",
        "min2",
        "pick",
    }
    own |= {name for name in names if name[0] == "v" and name[1:].isdigit()}
    return (names | texts) - own


@pytest.mark.parametrize("name", sorted(set(HOSTILE) - TAKEN))
def test_any_id_may_be_used_everywhere(name: str, tmp_path: Path) -> None:
    """As an option, a context word, a table, a family, a group and a step, beside a pattern of another name."""
    path = small_ruleset(
        tmp_path,
        [
            {"id": "first", "fan": "3", "group": name, "when": f"{name} or honors", "excludes": [f"{name}_family"]},
            {"id": "second", "fan": f"pick({name}, 1)", "group": name, "when": "concealed", "contains": ["third"]},
            {"id": "third", "fan": "1", "when": "concealed"},
        ],
        options={name: {"default": name, "values": [name, "7"], "en": "hostile"}},
        tables={name: ["5", "6"]},
        families={f"{name}_family": ["third"]},
        score={"fan": f"sum({name})", "points": f"fan + 1 if {name} == {name} else 0"},
    )
    text = path.read_text(encoding="utf-8").replace(f"when: {name} or honors", f"when: {name} == {name} or honors")
    path.write_text(text, encoding="utf-8")
    ruleset = load_ruleset(str(path), cache=False)
    found = score(HAND, ruleset)
    assert {each.pattern.id: each.fan for each in found.patterns} == {"first": 3, "second": 6}
    assert (found.fan, found.points) == (9, 10)
    assert plain_names(ruleset.program.source) <= {f"TABLE_{name}"}
    assert explain(found).verdicts


@pytest.mark.parametrize("name", sorted(set(HOSTILE) - TAKEN))
def test_any_id_may_name_a_pattern_a_context_word_and_a_step(name: str, tmp_path: Path) -> None:
    path = small_ruleset(
        tmp_path,
        [
            {"id": name, "fan": "3", "when": "concealed"},
            {"id": "asks", "fan": "1", "when": f"{name} and concealed", "contains": [name]},
            {"id": "word", "fan": "1", "times": f"{name}_word + held({name}_tiles)"},
        ],
        context={
            f"{name}_word": {"kind": "number", "en": "hostile"},
            f"{name}_tiles": {"kind": "tiles", "en": "hostile"},
        },
        score={f"{name}_step": "sum(main)", "fan": f"{name}_step", "points": f"fan + {name}_step"},
    )
    ruleset = load_ruleset(str(path), cache=False)
    found = next(evaluations(HAND, ruleset))
    assert {each.pattern.id: each.fan for each in found.counted} == {"asks": 1}
    assert found.steps["points"] == 2
    assert plain_names(ruleset.program.source) <= {f"x_{name}_word", f"held_{name}_tiles"}
    variables = ruleset.evaluate(found.reading.columns | {}, detail=True)
    assert "__builtins__" not in variables


@pytest.mark.parametrize("name", sorted((set(HOSTILE) - TAKEN) & set(keyword.kwlist) | {"v1", "c", "locals"}))
def test_a_context_word_and_a_step_may_have_the_very_name(name: str, tmp_path: Path) -> None:
    pattern = {"id": "a", "fan": "1", "when": f"{name} or concealed"}
    context = {name: {"kind": "flag", "en": "hostile"}}
    ruleset = load_ruleset(str(small_ruleset(tmp_path, [pattern], context=context)), cache=False)
    assert score(HAND, ruleset).fan == 1
    assert plain_names(ruleset.program.source) == {f"x_{name}"}
    steps = {name: "sum(main)", "fan": name, "points": f"2 * {name}"}
    ruleset = load_ruleset(str(small_ruleset(tmp_path, [{**pattern, "when": "concealed"}], score=steps)), cache=False)
    assert score(HAND, ruleset).steps == {name: 1, "fan": 1, "points": 2}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("place", ["options", "context", "tables", "families", "score"])
def test_names_that_are_no_ids_are_refused(name: str, place: str, tmp_path: Path) -> None:
    values: dict[str, Any] = {
        "options": {"default": "1", "en": "hostile"},
        "context": {"kind": "flag", "en": "hostile"},
        "tables": ["1"],
        "families": [],
        "score": "1",
    }
    keys = {place: {name: values[place]}}
    if place == "score":
        keys["score"] |= {"fan": "1", "points": "1"}
    path = small_ruleset(tmp_path, [], **keys)
    with pytest.raises(RulesetError) as caught:
        load_ruleset(str(path), cache=False)
    assert [fault.message for fault in caught.value.faults] == [
        f"'{name}' is not an id (lower case, digits and single underscores)"
    ]


@pytest.mark.parametrize("name", sorted(TAKEN | {"and", "or", "not", "in", "if", "else", "true", "none", "chows", "E"}))
def test_words_of_the_language_name_nothing_else(name: str, tmp_path: Path) -> None:
    path = small_ruleset(
        tmp_path,
        [{"id": name, "fan": "1", "when": "concealed"}],
        context={name: {"kind": "flag", "en": "hostile"}},
        options={name: {"default": "1", "en": "hostile"}},
    )
    with pytest.raises(RulesetError) as caught:
        load_ruleset(str(path), cache=False)
    said = [fault.message for fault in caught.value.faults if "a word of the language" in fault.message]
    assert said == [f"'{name}' is a word of the language already"] * 3


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "().__class__.__bases__",
        "locals()",
        "locals(1)",
        "evaluate(c)",
        "c",
        "v0",
        "x_lucky",
        "T0",
        "form()",
        "popc(1)",
        "print(1)",
        "open('x')",
        "TABLE_ladder",
        "[].append(1)",
        "lambda: 1",
        "chows if (yield) else 1",
        "chows; import os",
        "chows\nimport os",
        "chows #",
        "f'{chows}'",
        "(x := 1)",
        "*chows",
        "chows.real",
        "__builtins__",
        "@wins",
        "True",
        "None",
    ],
)
@pytest.mark.parametrize("key", ["fan", "when", "times", "only_if", "contains"])
def test_no_expression_reaches_python(text: str, key: str, tmp_path: Path) -> None:
    pattern: dict[str, Any] = {"id": "a", "fan": "1", "when": "concealed"}
    pattern[key] = [f"b if {text}"] if key == "contains" else text
    tables = {"ladder": ["1"]}
    context = {"lucky": {"kind": "flag", "en": "a flag"}}
    path = small_ruleset(tmp_path, [pattern, {"id": "b", "fan": "1", "when": "honors"}], tables=tables, context=context)
    with pytest.raises(RulesetError) as caught:
        load_ruleset(str(path), cache=False)
    assert len(caught.value.faults) == 1


VALUES: Final = ("__import__('os')", "1); import os #", "a b", "'", '"', "\\", "v1\n")


@pytest.mark.parametrize("value", VALUES)
def test_values_of_options_are_words(value: str, tmp_path: Path) -> None:
    options = {"mode": {"default": "soft", "values": ["soft", value], "en": "hostile"}}
    path = small_ruleset(tmp_path, [{"id": "a", "fan": "1", "when": "mode == soft"}], options=options)
    assert [fault.path for fault in check_file(path) if fault.fatal] == ["options.mode"]


def test_words_of_options_never_enter_the_source(tmp_path: Path) -> None:
    options = {"mode": {"default": "soft", "values": ["soft", "locals"], "en": "hostile"}}
    path = small_ruleset(tmp_path, [{"id": "a", "fan": "1", "when": "mode == locals or honors"}], options=options)
    for value in ("soft", "locals"):
        assert plain_names(load_ruleset(str(path), {"mode": value}, cache=False).program.source) == set()


def test_sources_hold_nothing_but_our_own_names() -> None:
    """Those of whole rulesets."""
    for name in ("jipinghu", "mcr", "riichi"):
        ruleset = load_ruleset(name, cache=False)
        words = [word.name.replace("-", "_") for word in ruleset.extra_words]
        own = {"combine0", "combine1", *(f"{column}_{word}" for word in words for column in ("x", "held"))}
        assert plain_names(ruleset.program.source) <= own


TEXT: Final = ruleset_path("riichi").read_text("utf-8")


@given(st.integers(0, 2**32))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_mutated_ruleset_is_a_ruleset_or_has_faults(tmp_path: Path, seed: int) -> None:
    """Lines doubled, dropped and exchanged, characters changed: never anything but a fault, and never a hang."""
    rng = Random(seed)
    lines = TEXT.splitlines(keepends=True)
    for _ in range(rng.choice((0, 1, 2))):
        one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
        lines[one : one + rng.choice((0, 1))] = [lines[two]]
    text = "".join(lines)
    for _ in range(rng.choice((0, 1, 3))):
        at = rng.randrange(len(text))
        text = (
            text[:at]
            + rng.choice(("", "(", "]", "}", ":", "'", "x", "1", " ", "\n", "萬", "*", "&a ", "\t"))
            + text[at + rng.choice((0, 1)) :]
        )
    path = tmp_path / "riichi.yaml"
    path.write_text(text, encoding="utf-8")
    faults: tuple[Fault, ...] = ()
    try:
        assert isinstance(score(HAND, load_ruleset(str(path), cache=False)).points, int)
    except RulesetError as error:
        faults = error.faults
    assert all(1 <= fault.line <= text.count("\n") + 2 and fault.column >= 1 for fault in faults)
