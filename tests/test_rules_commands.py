"""What the commands about rulesets print: the whole of a ruleset, failing examples, all that in other languages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mjcli.cli.main import app
from tests.rulesets import small_ruleset

PATTERN = {"id": "a", "en": "Honours", "zh-Hant": "字牌", "fan": "1", "when": "honors"}


def run(*arguments: str) -> tuple[int, str, str]:
    found = CliRunner().invoke(app, ["rules", *arguments], prog_name="mjcli")
    return found.exit_code, found.stdout, found.stderr


def test_show_says_what_an_option_makes_of_a_value_and_how_readings_are_chosen() -> None:
    code, out, _ = run("show", "hongkong", "--set", "xiao_si_xi=3")
    assert code == 0
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert any(line.startswith("xiao_si_xi Small winds xiao_si_xi = 3 when") for line in lines)
    assert "tables" in lines
    assert any(line.startswith("the reading is taken that has the most: fan") for line in lines)
    assert "aborts none" in lines
    _, out, _ = run("show", "mcr")
    assert "\nfamilies\n" in out
    assert "\nchows that share at most one set: " in out


def test_a_failing_example_has_the_name_of_its_pattern_in_the_language(tmp_path: Path) -> None:
    path = small_ruleset(tmp_path, [{**PATTERN, "match": ["123m456p789s111s5p+5p"], "no_match": []}])
    code, out, _ = run("test", str(path), "--lang", "zh-Hant")
    assert code == 1
    assert out.endswith("match of 'a': it does not stand in '123m456p789s111s5p+5p' (字牌)\n通過 0，不符 1\n")
    assert run("test", str(path))[1].endswith("'123m456p789s111s5p+5p'\n0 passed, 1 failed\n")
    (found,) = json.loads(run("test", str(path), "--json", "--lang", "zh-Hans")[1])
    assert (found["pattern"], found["name"], found["passed"]) == ("a", "Honours", False)


def test_advice_is_marked_in_the_language(tmp_path: Path) -> None:
    path = small_ruleset(tmp_path, [PATTERN])
    code, out, error = run("check", str(path), "--lang", "zh-Hans")
    assert (code, out.splitlines()[0][-4:]) == (1, "[建议]")
    assert error == f"mjcli: 已检查 {path}：错误 0，建议 1\n"


@pytest.mark.parametrize(
    "command", ["list", "show jipinghu", "check jipinghu", "test jipinghu", "words", "diff mcr mcr"]
)
def test_every_command_that_prints_takes_a_language(command: str) -> None:
    assert run(*command.split(), "--lang", "zh-Hant")[0] == 0
    code, _, error = run(*command.split(), "--lang", "de")
    assert code == 2
    assert "'de' is none of en, zh-Hant, zh-Hans" in error
