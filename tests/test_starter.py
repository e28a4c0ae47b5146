"""Ruleset files to start from: right as written, and right when what stands in comments is made true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mjcli.cli.main import app
from mjcli.examples import run_examples
from mjcli.ruleset import load_ruleset, ruleset_names
from mjcli.ruleset.advice import check_file
from mjcli.ruleset.contents import contents
from mjcli.ruleset.differences import differences
from mjcli.ruleset.layers import read_ruleset
from mjcli.ruleset.paths import ruleset_path
from tests.rulesets import small_ruleset

QUICK = ("malaysia-4p",)
by_ruleset = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.long) for name in ruleset_names()]
)


def run(*arguments: str) -> tuple[int, str, str]:
    found = CliRunner().invoke(app, ["rules", "new", *arguments], prog_name="mjcli")
    return found.exit_code, found.stdout, found.stderr


def changes(lower: Path, upper: Path) -> list[str]:
    """Return what differs in play, as paths."""
    said = [contents(read_ruleset(path)[0], load_ruleset(str(path), cache=False)) for path in (lower, upper)]
    return [".".join(each.path) for each in differences(*said)]


@by_ruleset
def test_it_passes_as_written_and_changes_nothing(name: str, tmp_path: Path) -> None:
    path = tmp_path / "our-club.yaml"
    assert run(str(path), "--extends", name) == (0, "", f"mjcli: wrote {path}; try: mjcli rules test {path}\n")
    assert check_file(path) == []
    results = run_examples(path)
    assert len(results) == len(run_examples(name))
    assert all(result.passed for result in results)
    assert changes(ruleset_path(name), path) == []
    loaded = load_ruleset(str(path), cache=False)
    assert (loaded.id, loaded.version, loaded.names["en"]) == ("our-club", 1, "Our club")


@by_ruleset
def test_what_stands_in_comments_works(name: str, tmp_path: Path) -> None:
    path = tmp_path / "our-club.yaml"
    run(str(path), "--extends", name)
    text, options = re.subn(r"^# (options:|  \w+: #.*|    default: .*)$", r"\1", path.read_text(), flags=re.MULTILINE)
    text, values = re.subn(r"^  # (fan: )", r"  \1", text, flags=re.MULTILINE)
    assert (options, values) == (3, 1)
    path.write_text(text)
    assert check_file(path) == []
    assert all(result.passed for result in run_examples(path))
    found = changes(ruleset_path(name), path)
    assert [re.sub(r"\.\w+\.", ".X.", each) for each in found[:4]] == [
        *("options.X.value", "options.X.default", "patterns.X.fan", "patterns.X.value")
    ]


def test_one_that_lies_beside_it(tmp_path: Path) -> None:
    options = {"odd": {"default": "on", "values": ["on"], "en": "Odd"}}
    lower = small_ruleset(
        tmp_path, [{"id": "a", "fan": "1", "when": "honors and odd == on"}], id="lower", options=options
    )
    for name, extends in (("one", "lower"), ("two", str(lower))):
        path = tmp_path / f"{name}.yaml"
        assert run(str(path), "--extends", extends)[0] == 0
        assert "options:" not in path.read_text()
        assert "patterns:" not in path.read_text()
        assert changes(lower, path) == []


def test_its_id_may_be_another_than_its_name(tmp_path: Path) -> None:
    path = tmp_path / "Our Club.yaml"
    assert run(str(path), "--extends", "jipinghu", "--id", "true")[0] == 0
    assert load_ruleset(str(path), cache=False).id == "true"
    assert load_ruleset(str(path), cache=False).names["en"] == "True"


def test_a_file_that_is_there_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "our-club.yaml"
    path.write_text("mine")
    code, _, error = run(str(path), "--extends", "jipinghu")
    assert code == 2
    assert "our-club.yaml': File exists" in error
    assert path.read_text() == "mine"


@pytest.mark.parametrize(
    ("file", "arguments", "message"),
    [
        ("a.yaml", ["--extends", "jipingu"], "no ruleset 'jipingu' (did you mean 'jipinghu'?)"),
        ("a.yaml", ["--extends", "no.yaml"], "no ruleset file 'no.yaml'"),
        ("a.yaml", ["--extends", "broken"], "broken.yaml:1:1: key 'version' is missing"),
        ("a.yaml", [], "--extends is missing: one of guangdong-liudu, guangdong-qingzhang, "),
        ("a.yml", ["--extends", "jipinghu"], "does not end in .yaml"),
        ("a", ["--extends", "jipinghu"], "does not end in .yaml"),
        ("A b.yaml", ["--extends", "jipinghu"], "'A b' is not a ruleset id"),
        ("a.yaml", ["--extends", "jipinghu", "--id", "a_b"], "'a_b' is not a ruleset id"),
        ("jipinghu.yaml", ["--extends", "jipinghu"], "would extend itself"),
        ("jipinghu.yaml", ["--extends", "jipinghu", "--id", "mine"], "would extend itself"),
        ("no/a.yaml", ["--extends", "jipinghu"], "no/a.yaml': No such file or directory"),
        ("a.yaml", ["--extends", "sub/lower.yaml"], "lies in another folder"),
        ("a.yaml", ["--extends", "./Our_Club.yaml"], "'./Our_Club.yaml' cannot be extended: 'Our_Club' is not a rule"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_written(
    file: str, arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("sub").mkdir()
    small_ruleset(Path("sub"), [], id="lower")
    Path("broken.yaml").write_text("id: broken\n")
    Path("Our_Club.yaml").write_text("id: our-club\n")
    code, out, error = run(file, *arguments)
    assert (code, out) == (2, "")
    assert message in error
    assert not Path(file).exists()
