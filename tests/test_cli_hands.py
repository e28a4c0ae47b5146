"""What a command of hands can declare: a ruleset, its words, and answers that are a no."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

from mjcli.cli import hands
from mjcli.cli.hands import Answer, HandCommand
from mjcli.cli.main import app
from mjcli.cli.request import Request
from mjcli.hand import Line
from mjcli.notation import format_context
from mjcli.tiles import TileSet
from tests.test_cli_cases import run

RULESET = SimpleNamespace(
    words=(
        ("riichi", "flag", "declared"),
        ("honba", "number", "counters"),
        ("dora", "indicators", "indicators"),
    ),
    tiles=TileSet.of({"m": 4, "z": 4}),
    forms={"standard": ""},
)


@pytest.fixture
def ruleset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hands, "load", lambda name, settings, needed: RULESET)  # noqa: ARG005


@pytest.mark.usefixtures("ruleset")
@pytest.mark.parametrize(
    ("arguments", "out"),
    [
        (["123m11z", "--riichi"], "123m11z riichi\n"),
        (["--dora", "3m4m", "123m11z", "--honba=2"], "123m11z dora=34m honba=2\n"),
        (["123m11z riichi", "22z", "--riichi"], "123m11z riichi\n22z riichi\n"),
    ],
)
def test_words_of_the_ruleset(arguments: list[str], out: str) -> None:
    result = run(["convert", *arguments])
    assert (result.stdout, result.exit_code) == (out, 0), result.stderr


@pytest.mark.usefixtures("ruleset")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["123m11z", "--riiichi"], "no such option: --riiichi; did you mean '--riichi'?"),
        (["123m11z", "--honba=x"], "--honba: 'honba=' needs a number 0-9999"),
        (["123m11z", "--dora"], "--dora: "),
        (["123m11p"], "'1p' is not among the tiles of this ruleset at column 5"),
        (["123m11z", "--seven-pairs", "four"], "--seven-pairs goes without a ruleset"),
    ],
)
def test_what_the_ruleset_forbids(arguments: list[str], message: str) -> None:
    result = run(["shanten", *arguments])
    assert (result.stdout, result.exit_code) == ("", 2)
    assert result.stderr.startswith(f"mjcli: error: {message}")


@pytest.mark.usefixtures("ruleset")
def test_words_of_the_ruleset_as_columns() -> None:
    result = run("convert --input-format csv", "hand,riichi,dora\n123m11z,yes,1m\n123m22z,,\n")
    assert result.stdout == "123m11z dora=1m riichi\n123m22z\n"


@pytest.mark.usefixtures("ruleset")
def test_forms_of_the_ruleset() -> None:
    result = run("shanten 1199m1122334455z --json")
    assert '"shanten": 3, "forms": {"standard": 3, "seven-pairs": -1,' in result.stdout


def command(**more: Any) -> HandCommand:
    return HandCommand(
        "winds",
        summary="Say whether a hand has its own wind.",
        examples=[("mjcli winds 11z", "")],
        columns=("yes",),
        prepare=lambda _: lambda line: {"yes": format_context(line.context) == "seat=E"},
        text=lambda answer, request: request.word("yes", "是", "是") if answer["yes"] else "-",
        heads=(("hand", "手牌", "手牌"), ("yes", "是", "是")),
        rows=lambda answer, _: [(answer["hand"], answer["yes"])],
        **more,
    )


def answer(made: HandCommand, arguments: list[str]) -> tuple[int, str]:
    runner = CliRunner()
    with runner.isolation() as (stdout, _, _output):
        code = int(made.main(arguments, prog_name="winds", standalone_mode=False))
        return code, stdout.getvalue().decode()


def test_an_answer_that_is_a_no() -> None:
    made = command(is_no=lambda found: not found["yes"])
    assert answer(made, ["11z", "--seat", "E", "--lang", "zh-Hant"]) == (0, "是\n")
    assert answer(made, ["11z"]) == (1, "-\n")
    assert answer(made, ["11z seat=E", "22z"]) == (1, "yes\n-\n")


def test_a_command_that_needs_a_ruleset_takes_one() -> None:
    def named(request: Request) -> Callable[[Line], Answer]:
        assert request.ruleset is not None
        name = request.ruleset.id
        return lambda _: {"yes": name in ("guangdong-xinzhang", "jipinghu")}

    made = command(needs_rules=True)
    made.prepare = named
    assert answer(made, ["11z"]) == (0, "yes\n")


def test_the_ruleset_that_is_named() -> None:
    result = CliRunner().invoke(app, ["shanten", "1f11m", "--rules", "jipinghu"])
    assert result.exit_code == 2
    assert "at column 1" in result.stderr
