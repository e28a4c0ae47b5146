"""The group of commands, help, and what every command has."""

from __future__ import annotations

import gzip
import re
import shlex
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from mjcli import __version__
from mjcli.cli.command import Command
from mjcli.cli.main import app
from mjcli.cli.messages import Messages
from mjcli.errors import InputError
from tests.test_cli_cases import run

ROOT = Path(__file__).parents[1]


def below(group: Any, words: str = "") -> Iterator[tuple[str, str]]:
    """Yield the words of each command, and what the help of its group says of it; a package is a group."""
    for name, summary in group.summaries.items():
        yield f"{words}{name}", summary
        found = find_spec(f"{group.package}.{name}")
        if found is not None and found.submodule_search_locations:
            yield from below(group.get_command(None, name), f"{words}{name} ")


def command_of(words: str) -> Any:
    found: Any = get_command(app)
    for word in words.split():
        found = found.get_command(None, word)
    return found


ALL = [pytest.param(*each, id=each[0]) for each in below(get_command(app))]
WORDS = ["", *(str(each.id) for each in ALL)]


def test_version_is_one_line() -> None:
    result = run("--version")
    assert (result.exit_code, result.stdout, result.stderr) == (0, f"mjcli {__version__}\n", "")


def test_without_a_command_the_help_is_an_error() -> None:
    result = run("")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("Examples:\n  mjcli ")


@pytest.mark.parametrize("option", ["-h", "--help"])
@pytest.mark.parametrize("command", WORDS)
def test_help_has_examples_first(command: str, option: str) -> None:
    result = run([*command.split(), option])
    assert result.exit_code == 0
    assert result.stdout.startswith(f"Examples:\n  mjcli {command}")
    assert f"Usage: mjcli {command}" in result.stdout
    assert re.search(r"^  -h, --help +", result.stdout, re.MULTILINE)
    assert "─" not in result.stdout


@pytest.mark.parametrize(("words", "summary"), ALL)
def test_help_of_the_group_says_what_the_command_says(words: str, summary: str) -> None:
    command = command_of(words)
    *group, name = words.split()
    said = (command.short_help or command.help).splitlines()[0]
    assert said == summary
    told = " ".join(run([*group, "-h"]).stdout.split())
    assert f" {name} {summary}" in told


@pytest.mark.parametrize("words", WORDS)
def test_examples_of_the_help_run(words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("hands.txt.gz").write_bytes(gzip.compress(b"12m\n"))
    Path("cases.txt").write_text("333p555s77m44s,111z+7m => fan=3 dui_dui_hu\n", encoding="utf-8")
    Path("cases.csv").write_text("hand,shanten\n12m,0\n", encoding="utf-8")
    for name in ("my.yaml", "my-club.yaml"):
        Path(name).write_bytes((ROOT / "rulesets" / "jipinghu.yaml").read_bytes())
    for line, _ in command_of(words).examples:
        result = run(shlex.split(line)[1:])
        assert result.exit_code == 0 or (words == "rules diff" and result.exit_code == 1), (line, result.stderr)
        assert result.output or "-o" in line, line


def test_an_unknown_command_without_a_likely_one_has_no_suggestion() -> None:
    assert "did you mean" not in run("123m456p77z").stderr


def broken(error: Exception, arguments: list[str]) -> tuple[int, str]:
    """Return code and messages of a command that raises ``error``."""

    def fail(told: Messages) -> int:
        told.note("about to fail")
        raise error

    command = Command("broken", summary="Fails.", examples=[("mjcli broken", "")], params=(), run=fail)
    runner = CliRunner()
    with runner.isolation() as (_, stderr, _output):
        code = command.main(arguments, prog_name="broken", standalone_mode=False)
        return int(code), stderr.getvalue().decode()


def test_an_error_is_one_message_without_a_traceback() -> None:
    assert broken(InputError("bad-rank", "no tile"), []) == (2, "mjcli: about to fail\nmjcli: error: no tile\n")


def test_a_fault_of_the_program_is_told_as_such() -> None:
    code, told = broken(KeyError("x"), ["--quiet"])
    assert code == 2
    assert told == "mjcli: error: a fault of mjcli itself: KeyError: 'x' (--debug shows where)\n"


def test_debug_shows_where() -> None:
    code, told = broken(InputError("bad-rank", "no tile"), ["--debug", "-q"])
    assert code == 2
    assert told.startswith("Traceback")
    assert told.endswith("mjcli: error: no tile\n")


@pytest.mark.parametrize(
    ("arguments", "environment", "coloured"),
    [([], {}, False), (["--color", "always"], {"NO_COLOR": "1"}, True), (["--color=never"], {}, False)],
)
def test_color(arguments: list[str], environment: dict[str, str], coloured: bool) -> None:
    result = CliRunner().invoke(app, ["shanten", "8z", *arguments], env=environment)
    assert ("\033[1;31merror:\033[0m" in result.stderr) is coloured


def test_quiet_leaves_out_notes() -> None:
    assert run("shanten").stderr == "mjcli: there are no hands in the input\n"
    assert run("shanten --quiet").stderr == ""


def test_a_long_line_is_shown_near_its_fault() -> None:
    told = run(["shanten", "1m" * 500 + "8z" + "1m" * 500]).stderr
    assert told.splitlines()[1:] == [f"    ...{'1m' * 30}8z{'1m' * 29}...", f"{'^':>68}"]
