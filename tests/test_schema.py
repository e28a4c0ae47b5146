"""The JSON Schema of ruleset files: it accepts what the shapes accept, and refuses what they refuse."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator
from typer.testing import CliRunner

from mjcli.cli.main import app
from mjcli.errors import Fault, RulesetError
from mjcli.ruleset import ruleset_names
from mjcli.ruleset.model import FILE
from mjcli.ruleset.paths import ruleset_path
from mjcli.ruleset.schema import json_schema
from mjcli.ruleset.source import Node, NodeList, NodeMap, Place, Text, read_bytes, read_tree
from tests.cases import by_case
from tests.test_ruleset_faults import CASES, text_of

ROOT = Path(__file__).parents[1]
SCHEMA = json_schema()
VALIDATOR = Draft202012Validator(SCHEMA)
EVERY = [
    *map(ruleset_path, ruleset_names()),
    *sorted((ROOT / "tests" / "rulesets").rglob("*.yaml")),
    *(ROOT / "examples" / f"{name}.yaml" for name in ("club", "small")),
]


def instance(node: Node) -> Any:
    """Return a tree as an editor sees it, by the core schema of YAML 1.2; what is no plain decimal stays a text."""
    if isinstance(node, NodeList):
        return list(map(instance, node.items))
    if isinstance(node, NodeMap):
        return {key: instance(value) for key, value in node.values.items()}
    if re.fullmatch(r"-?(0|[1-9][0-9]*)", node.text):
        return int(node.text)
    return {"true": True, "false": False, "": None}.get(node.text, node.text)


def faults_of(tree: NodeMap) -> list[Fault]:
    """Return the faults of form of one file; those of a layer, where the files under it may have what is missing."""
    found: list[Fault] = []
    FILE.read(tree, "", found)
    if "extends" not in tree.values:
        return found
    free = re.compile(r"(?!.*key '(id|version)').*is missing.*\|(wall|rotation|options\.\w+)?")
    return [fault for fault in found if not free.fullmatch(f"{fault.message}|{fault.path}")]


def test_it_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert json.loads(json.dumps(SCHEMA)) == SCHEMA


def test_the_one_that_is_shipped_is_the_one_that_the_command_prints() -> None:
    shipped = (ROOT / "rulesets" / "ruleset.schema.json").read_text(encoding="utf-8")
    printed = CliRunner().invoke(app, ["rules", "schema"], prog_name="mjcli").stdout
    assert printed == shipped, "the model has changed: mjcli rules schema -o rulesets/ruleset.schema.json"
    assert json.loads(shipped) == SCHEMA


@pytest.mark.parametrize("path", EVERY, ids=lambda path: path.stem)
def test_every_ruleset_is_accepted_whichever_yaml_reads_it(path: Path) -> None:
    assert list(VALIDATOR.iter_errors(instance(read_bytes(path.read_bytes(), path.name)))) == []
    assert list(VALIDATOR.iter_errors(yaml.safe_load(path.read_text(encoding="utf-8")))) == []


@by_case(CASES["cases"])
def test_of_the_faults_of_files_those_of_form_are_refused(case: dict[str, Any]) -> None:
    faults: list[Fault] = []
    try:
        tree = read_tree(text_of(case), "small.yaml", faults)
    except RulesetError:
        return  # it is no tree
    if not faults:  # of YAML itself, such as doubled keys, which no schema sees
        assert VALIDATOR.is_valid(instance(tree)) == (not faults_of(tree))


def test_many_faults_are_of_form() -> None:
    refused = 0
    for case in CASES["cases"]:
        try:
            refused += bool(faults_of(read_tree(text_of(case), "small.yaml")))
        except RulesetError:
            continue
    assert refused >= 10


WHOLE = """
id: small
version: 1
names: {en: Small, zh-Hant: 小}
sources: [me]
tiles: {m: 4, 0m: 1, 1234f: 1, z: 4 if odd else 0}
forms: {standard: true, seven_pairs: four}
claims: {chow: p}
options: {odd: {default: 1, values: [1, number], en: Odd}}
context: {lucky: {kind: flag, en: Luck}}
families: {few: [a]}
tables: {price: [1, 2]}
series: [{tiers: [a, [b, few]], unless: odd}]
alone: {of: [a], least: 3}
combine_once: {chows: [b], pungs: []}
patterns:
- {id: a, aliases: [c], en: A, fan: 1, group: main, when: honors, only_if: odd, note: x, source: y}
- {id: b, fan: odd, any: [[chow 1 a, chow 4 a], [chow 2 a]], without: [chow 7 a], each: suit, match: [1m]}
score: {fan: sum(main), points: fan}
best: [fan]
prefer: concealed
wins_if: fan >= 1
pay: [{when: self_drawn, others: 1}, {named: 2, dealer: 3}]
liability: [{id: d, en: Fed, when: honors, feeder: last_claimed, melds: dragons}]
liability_conflict: later
wall:
  players: 4
  stacks: [17, 17, 17, 17]
  breaks: [{throws: [3], opener: first, skip: [first, least], inclusive: odd}]
  dead_wall: 14
rotation: {after_win: stay, after_draw: pass, rounds: 4}
"""
LAYER = """
id: small
version: 2
extends: lower
drop: [a]
options: {odd: {default: 2}}
patterns: [{id: b, fan: 2}]
wall: {dead_wall: 0}
rotation: {rounds: 1}
"""

PLACE = Place("small.yaml", 1, 1)
SCALARS = (
    "",
    "7",
    "0",
    "-1",
    "012",
    "x y",
    "true",
    "A",
    "a_b",
    "suit",
    "flag",
    "p",
    "pm",
    "1000001",
    "1j",
    " ",
    "x\ny",
    "小",
)
KEYS = ("id", "en", "fan", "A", "1m", "9z", "kind", "chows", "standard", "own_word", "extends", "x-y")


def changed(node: Node, rng: Random) -> Node:
    """Return a tree with one thing in it replaced, left out or renamed."""
    if rng.random() < 0.12 or isinstance(node, Text):
        other = rng.choice(("text", "text", "list", "map"))
        if other == "text":
            return Text(rng.choice(SCALARS), PLACE)
        inner = Text(rng.choice(SCALARS), PLACE)
        return NodeList((inner,), PLACE) if other == "list" else NodeMap({"x": inner}, PLACE, {"x": PLACE})
    if isinstance(node, NodeList):
        place = rng.randrange(len(node.items) + 1)
        if place == len(node.items):
            return NodeList((*node.items, Text(rng.choice(SCALARS), PLACE)), PLACE)
        items = (changed(node.items[place], rng),) if rng.random() < 0.8 else ()
        return NodeList((*node.items[:place], *items, *node.items[place + 1 :]), PLACE)
    values = dict(node.values)
    key = rng.choice(list(values))
    value = values.pop(key)
    if rng.random() < 0.8:
        values[key if rng.random() < 0.8 else rng.choice(KEYS)] = changed(value, rng)
    return NodeMap(values, PLACE, dict.fromkeys(values, PLACE))


@pytest.mark.parametrize("text", [WHOLE, LAYER], ids=["whole", "layer"])
def test_a_changed_file_is_refused_if_and_only_if_its_form_is_wrong(text: str) -> None:
    tree = read_tree(text, "small.yaml")
    assert faults_of(tree) == []
    assert VALIDATOR.is_valid(instance(tree))
    rng = Random(text)
    wrong = 0
    for _ in range(300):
        other = changed(tree, rng)
        if not isinstance(other, NodeMap) or ("extends" in other.values) != ("extends" in tree.values):
            continue
        found = faults_of(other)
        wrong += bool(found)
        said = instance(other)
        assert VALIDATOR.is_valid(said) == (not found), (said, found, [e.message for e in VALIDATOR.iter_errors(said)])
    assert 100 < wrong < 280
