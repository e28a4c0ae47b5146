"""Whole command lines, from tests/cases/cli.yaml, and bad hands, which every command refuses alike."""

from __future__ import annotations

from typing import Any

import pytest
from typer.testing import CliRunner, Result

from mjcli.cli.main import app
from tests.cases import by_case, table


def run(arguments: str | list[str], given: str | bytes = "") -> Result:
    return CliRunner().invoke(app, arguments, input=given, prog_name="mjcli", env={"MJCLI_RULES": None})


@by_case(table("cli"))
def test_command_line(case: dict[str, Any]) -> None:
    given = bytes.fromhex(case["in-hex"]) if "in-hex" in case else case.get("in", "")
    result = run(case["run"], given)
    assert result.stdout == case.get("out", ""), result.stderr
    assert result.exit_code == case.get("code", 0)
    if "error" in case:
        assert result.stderr.startswith(case["error"])


@pytest.mark.parametrize("command", ["shanten", "waits", "discards", "convert"])
@by_case(table("cli_bad_hands"))
def test_bad_hand(case: dict[str, Any], command: str) -> None:
    result = run([command, case["hand"]])
    assert result.exit_code == 2
    assert result.stdout == ""
    message, _, picture = result.stderr.partition("\n")
    assert message.startswith("mjcli: error: ")
    assert message.endswith(f" at column {case['column']}")
    assert picture == f"    {case['hand']}\n    {' ' * case['cells']}^\n"


@by_case(table("cli_bad_hands"))
def test_bad_hand_has_its_code(case: dict[str, Any]) -> None:
    result = run(["convert", "--format", "csv", "--no-header", case["hand"], "12m"])
    assert result.exit_code == 1
    assert f"{case['code']} column {case['column']}: " in result.stdout.splitlines()[0]
