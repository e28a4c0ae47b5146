"""Rulesets written out with all that they extend: the same when loaded, and the place of each value is the true one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mjcli.cli.main import app
from mjcli.errors import RulesetError
from mjcli.examples import run_examples
from mjcli.notation import parse_line
from mjcli.ruleset import load_ruleset, ruleset_names
from mjcli.ruleset.advice import check_file
from mjcli.ruleset.layers import Sources
from mjcli.ruleset.paths import ruleset_path
from mjcli.ruleset.resolved import resolved
from mjcli.ruleset.source import Node, NodeList, Text, read_tree
from mjcli.scoring import score
from tests.rulesets import small_ruleset

ROOT = Path(__file__).parents[1]
EVERY = [
    *map(ruleset_path, ruleset_names()),
    *sorted((ROOT / "tests" / "rulesets").rglob("*.yaml")),
    *(ROOT / "examples" / f"{name}.yaml" for name in ("club", "small")),
]
by_ruleset = pytest.mark.parametrize("path", EVERY, ids=lambda path: path.stem)


def plain(node: Node) -> object:
    """Return a tree as texts, lists and pairs in their order, without places."""
    if isinstance(node, Text):
        return node.text
    if isinstance(node, NodeList):
        return list(map(plain, node.items))
    return [(key, plain(value)) for key, value in node.values.items()]


@by_ruleset
def test_it_loads_again_to_the_same_ruleset(path: Path, tmp_path: Path) -> None:
    written = tmp_path / path.name
    written.write_text(resolved(path), encoding="utf-8")
    before, after = load_ruleset(str(path), cache=False), load_ruleset(str(written), cache=False)
    assert after.program.source == before.program.source
    assert after == before
    whole, again = Sources().tree(path), Sources().tree(written)
    keys = [key for key in whole.values if key not in ("extends", "drop")]
    assert {key: plain(again.values[key]) for key in keys} == {key: plain(whole.values[key]) for key in keys}
    assert [key for key in again.values if key not in whole.values] == []


def first_word(node: Node) -> str:
    """Return the first word of the first text in a value."""
    while isinstance(node, NodeList):
        node = node.items[0]
    assert isinstance(node, Text)
    return node.text.split()[0]


@by_ruleset
def test_each_value_has_a_comment_that_names_its_line(path: Path) -> None:
    sources = {Path(name).name: content.decode().splitlines() for name, content in read_sources(path)}
    checked = 0
    for line in resolved(path).splitlines()[1:]:
        said = re.fullmatch(r" *(?:- )?(\S+): (.*?) ?# (\S+):(\d+)", line)
        if said is None:
            assert not line or line.endswith(":") or re.match(r" *- [^:]+$| *- [\"\[]", line), line
            continue
        _, value, file, number = said.groups()
        there = "\n".join(sources[Path(file).name][int(number) - 1 :][:3])
        if value not in ("", "[]"):
            assert first_word(read_tree(f"a: {value}\n", "value").values["a"]) in there, (line, there)
            checked += 1
    assert checked > 8


def read_sources(path: Path) -> list[tuple[str, bytes]]:
    sources = Sources()
    sources.tree(path)
    return sources.contents


@pytest.mark.parametrize("name", [pytest.param("guangdong-xinzhang", marks=pytest.mark.long), "malaysia-4p"])
def test_it_scores_and_proves_itself_as_before(name: str, tmp_path: Path) -> None:
    written = tmp_path / f"{name}.yaml"
    written.write_text(resolved(ruleset_path(name)), encoding="utf-8")
    assert check_file(written) == []
    results = run_examples(written)
    assert len(results) == len(run_examples(name)) > 50
    before, after = load_ruleset(name), load_ruleset(str(written), cache=False)
    for result in results:
        assert result.passed
        if not result.options:
            line = parse_line(result.line, extra=before.extra_words, tiles=before.tiles)
            one, other = score(line, before), score(line, after)
            assert (one.steps, one.patterns, one.payments) == (other.steps, other.patterns, other.payments)


def test_dropped_patterns_stay_named_unless_they_are_given_anew(tmp_path: Path) -> None:
    small_ruleset(
        tmp_path,
        [
            {"id": "a", "fan": "1", "when": "honors"},
            {"id": "b", "fan": "2", "when": "concealed"},
            {"id": "c", "fan": "4", "when": "concealed and not a", "contains": ["b"]},
        ],
        id="lower",
    )
    upper = tmp_path / "upper.yaml"
    upper.write_text(
        "id: upper\nversion: 1\nextends: lower\ndrop: [a, b]\npatterns: [{id: b, fan: 3, when: self_drawn}]\n"
    )
    text = resolved(upper)
    assert f"drop: [a] # {upper}:4" in text
    written = tmp_path / "written.yaml"
    written.write_text(text)
    assert load_ruleset(str(written), cache=False) == load_ruleset(str(upper), cache=False)
    upper.write_text(
        "id: upper\nversion: 1\nextends: lower\ndrop: [b]\npatterns: [{id: b, fan: 3, when: self_drawn}]\n"
    )
    assert "\ndrop:" not in resolved(upper)


TEXTS = (
    *(
        "a: b",
        "x #y",
        "- x",
        "*x",
        "&x",
        "!x",
        "%x",
        "@x",
        "`x",
        "'x",
        '"x',
        "x'",
        "[x",
        "{x",
        "x,",
        "?",
        "~",
        "",
        " x ",
    ),
    *("x\ny\n", "\ttab", "back\\slash", "a\x85b", "a\u2028b", "\U0001f000", "\ufeffx", "no", "012", "x:", "x |", "|"),
)


@pytest.mark.parametrize("text", TEXTS)
def test_any_text_is_written_so_that_it_is_read_again(text: str, tmp_path: Path) -> None:
    path = small_ruleset(
        tmp_path, [{"id": "a", "fan": "1", "when": "honors", "note": f"x{text}", "match": [text or "x", "y"]}]
    )
    tree = Sources().tree(path)
    assert plain(read_tree(resolved(path), "again")) == plain(tree)


def test_a_file_with_faults_of_form_is_refused(tmp_path: Path) -> None:
    path = small_ruleset(tmp_path, [{"id": "a", "wehn": "honors"}])
    with pytest.raises(RulesetError, match="unknown key 'wehn'"):
        resolved(path)


def run(*arguments: str) -> tuple[int, str, str]:
    found = CliRunner().invoke(app, ["rules", "show", *arguments], prog_name="mjcli")
    return found.exit_code, found.stdout, found.stderr


def test_the_command_writes_it(tmp_path: Path) -> None:
    path = ruleset_path("guangdong-liudu")
    assert run("guangdong-liudu", "--resolved") == (0, resolved(path), "")
    written = tmp_path / "guangdong-liudu.yaml"
    assert run("guangdong-liudu", "--resolved", "-o", str(written)) == (0, "", "")
    assert written.read_text(encoding="utf-8") == resolved(path)


@pytest.mark.parametrize("option", [["--json"], ["--set", "flowers=false"]])
def test_what_does_not_go_with_it_is_refused(option: list[str]) -> None:
    code, out, error = run("guangdong-liudu", "--resolved", *option)
    assert (code, out) == (2, "")
    assert f"leave out {option[0]}" in error
