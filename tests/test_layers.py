"""Imports flow one way: from text to hand, to questions, to rulesets, to scores, to the command line."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1] / "mjcli"

LAYERS = [
    ["errors", "processes"],
    ["chance"],
    ["tiles"],
    ["melds", "columns"],
    ["seating", "wall"],
    ["hand"],
    ["notation"],
    ["suits"],
    ["forms"],
    ["distance", "acceptance", "outlook"],
    ["readings"],
    ["ruleset"],
    ["commitment", "dealing", "rotation"],
    ["payments"],
    ["scoring"],
    ["wins", "batch"],
    ["examples", "explain", "comparison", "play"],
    ["players"],
    ["lockstep"],
    ["simulate"],
    ["cli"],
    ["__main__"],
]
"""Each module or package imports only from those above it."""

RULESET_LAYERS = [
    ["cache", "source", "expressions", "combine"],
    ["shapes", "templates", "emit"],
    ["paths", "model", "program", "words"],
    ["options", "conditions", "layers"],
    ["checks", "decisions", "liability", "texts"],
    ["inplay", "procedures", "matches"],
    ["standing", "once"],
    ["compiler", "ruleset"],
    ["compiled"],
    ["plain"],
    ["load"],
    ["advice", "contents", "resolved", "schema"],
    ["differences"],
    ["starter", "__init__"],
]
"""The same inside ``mjcli.ruleset``."""


def level(name: str, layers: list[list[str]]) -> int:
    found = [place for place, names in enumerate(layers) if name in names]
    assert found, f"{name} has no layer"
    return found[0]


class Code(NamedTuple):
    """What a file imports from mjcli, inside functions and for types too, and what it names."""

    modules: tuple[str, ...]
    """In statements such as ``import mjcli.hand``."""
    names: tuple[tuple[str, str], ...]
    """Each with the module that it comes from."""
    said: frozenset[str]
    """Every name, attribute and text."""


@cache
def code_of(path: Path) -> Code:
    modules: list[str] = []
    names: list[tuple[str, str]] = []
    said: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "mjcli":
            names += [(node.module, alias.name) for alias in node.names]
        elif isinstance(node, ast.Import):
            modules += [alias.name for alias in node.names if alias.name.split(".")[0] == "mjcli"]
        elif isinstance(node, ast.Name):
            said.add(node.id)
        elif isinstance(node, ast.Attribute):
            said.add(node.attr)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            said.add(node.value)
    return Code(tuple(modules), tuple(names), frozenset(said))


def imported(path: Path) -> Iterator[str]:
    """Yield the modules of mjcli that a file imports."""
    code = code_of(path)
    yield from code.modules
    for module, name in code.names:
        yield f"{module}.{name}" if module in ("mjcli", "mjcli.ruleset") else module


MODULES = [path for path in sorted(ROOT.rglob("*.py")) if path.parent != ROOT or path.name != "__init__.py"]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_flow_one_way(path: Path) -> None:
    own = path.relative_to(ROOT).with_suffix("").parts
    for module in imported(path):
        parts = module.split(".")[1:]
        if parts[0] == "__version__":
            continue
        if parts[0] != own[0]:
            assert level(parts[0], LAYERS) < level(own[0], LAYERS), f"{path.name} imports {module}"
        elif own[0] == "ruleset" and own[1] != "__init__" and (ROOT / "ruleset" / f"{parts[1]}.py").exists():
            here, there = level(own[1], RULESET_LAYERS), level(parts[1], RULESET_LAYERS)
            assert there <= here, f"{path.name} imports {module}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_a_module_imports_is_public_where_it_comes_from(path: Path) -> None:
    for module, name in code_of(path).names:
        home = import_module(module)
        public = {*getattr(home, "__all__", ()), "__version__"}
        assert name in public or (hasattr(home, "__path__") and find_spec(f"{module}.{name}")), f"{module}.{name}"


def test_every_module_has_a_layer() -> None:
    for path in MODULES:
        level(path.relative_to(ROOT).with_suffix("").parts[0], LAYERS)


def test_no_pattern_is_named_in_the_engine() -> None:
    import yaml

    ids = set()
    for file in (ROOT.parent / "rulesets").glob("*.yaml"):
        ids |= {pattern["id"] for pattern in yaml.safe_load(file.read_text(encoding="utf-8"))["patterns"]}
    assert len(ids) > 20
    for path in MODULES:
        assert not code_of(path).said & ids, path


@pytest.mark.parametrize(
    "name", ["shanten", "waits", "discards", "score", "parse_line", "format_hand", "load_ruleset", "deal"]
)
def test_the_library_has_the_verbs(name: str) -> None:
    import mjcli

    assert callable(getattr(mjcli, name))
    assert name in dir(mjcli)


@pytest.mark.parametrize("module", ["mjcli", "mjcli.notation"])
def test_every_parser_has_its_inverse(module: str) -> None:
    names = import_module(module).__all__
    parsers = [name for name in names if name.startswith("parse_")]
    assert len(parsers) >= 3
    assert {f"format_{name.removeprefix('parse_')}" for name in parsers} <= set(names)


def test_every_public_name_can_be_imported() -> None:
    import mjcli

    for name in mjcli.__all__:
        assert getattr(mjcli, name) is not None
    typo = "shantne"  # out of mypy's sight, which knows that there is no such name
    with pytest.raises(AttributeError, match="no attribute 'shantne'"):
        getattr(mjcli, typo)
