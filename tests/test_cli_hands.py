"""What a command of hands can declare: a ruleset, its words, and answers that are a no."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

from mjcli.cli import hands
from mjcli.cli.hands import Answer, HandCommand
from mjcli.cli.main import app
from mjcli.cli.request import Request
from mjcli.hand import Line
from mjcli.notation import ExtraWord, WordKind, format_context, format_hand, parse_hand
from mjcli.tiles import TileSet
from tests.test_cli_cases import run

RULESET = SimpleNamespace(
    extra_words=(
        ExtraWord("riichi", WordKind.FLAG, "declared"),
        ExtraWord("honba", WordKind.NUMBER, "counters"),
        ExtraWord("dora", WordKind.TILES, "indicators"),
    ),
    tiles=TileSet.of({"m": 4, "9m": 2, "z": 4}),
    forms={"standard": ""},
    check=lambda *_: None,
    shown=lambda context: context.seen,
)


@pytest.fixture
def ruleset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hands, "load", lambda *_, **__: RULESET)


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
        (["123m11z", "--dora=1m", "--dora", "2m"], "--dora is said twice; --dora takes several tiles at once, such as"),
        (["123m11z", "--seat=E", "--seat", "E"], "--seat is said twice\n"),
        (["123m18z", "--seat", "E"], "no tile '8z' (ranks are 1-7) at column 6\n    123m18z\n         ^\n"),
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


@pytest.mark.usefixtures("ruleset")
@pytest.mark.parametrize(
    ("arguments", "out"),
    [
        ("discards 1111m", "1 2m:4 3m:4 4m:4 5m:4 6m:4 7m:4 8m:4 9m:2 1z:4 2z:4 3z:4 4z:4 5z:4 6z:4 7z:4\n"),
        ("waits 78m11z", "6m:4 9m:2\n"),
    ],
)
def test_only_tiles_of_the_ruleset_are_left(arguments: str, out: str) -> None:
    assert run(arguments).stdout == out


@pytest.mark.parametrize("form", ["csv", "tsv"])
def test_reasons_in_a_cell_are_json(form: str) -> None:
    hands = ["333p555s77m44s,111z+7m", "123m456p777s34s99p+6s"]
    result = run(["score", *hands, "--explain", "-f", form])
    rows = csv.DictReader(StringIO(result.stdout), dialect="excel" if form == "csv" else "excel-tab", strict=True)
    objects = map(json.loads, run(["score", *hands, "--explain", "-f", "jsonl"]).stdout.splitlines())
    for row, answer in zip(rows, objects, strict=True):
        assert json.loads(row["explain"]) == answer["explain"]


@pytest.mark.parametrize(("style", "shown"), [("unicode", "🀇🀇🀇 🀀🀀🀀🀀or"), ("hanzi", "一一一萬 東東東東or")])
def test_sets_in_the_style_of_tiles(style: str, shown: str) -> None:
    result = run(["score", "2233p444s,1111zor,111m+2p", "--explain", "--tiles", style])
    reading = next(line for line in result.stdout.splitlines() if "standard" in line)
    assert all(group in reading.split() for group in shown.split()), reading


@pytest.mark.parametrize("style", ["unicode", "hanzi"])
@pytest.mark.parametrize(
    "hand", ["234m5p,678s,2222po,3333s+5p", "1m05p2z15f7g,12p1j=3pl,1111zax++1m", "11m3z1j1a,1p11j=23p", "1m05s2z1a"]
)
def test_hands_in_the_style_of_tiles(hand: str, style: str) -> None:
    result = run(["waits", hand, "-f", "table", "--tiles", style])
    found = result.stdout.splitlines()[2].split("  ")[0]
    assert found == format_hand(parse_hand(hand), style)


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


@pytest.mark.parametrize("pieces", [["123m", "456p", "11z"], ["123m", "456p"], ["123m11z", "last-tile"], ["12m", ""]])
def test_a_hand_that_the_shell_has_torn_apart_is_told_of(pieces: list[str]) -> None:
    note = "mjcli: each argument is a hand of its own; one with blanks or context words needs quotes around it all\n"
    result = run(["shanten", *pieces])
    assert result.exit_code == 1
    assert result.stderr.endswith(note)
    assert note not in run(["shanten", "123m11z", "8z"]).stderr


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


def test_without_any_ruleset_the_one_that_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mjcli.ruleset.paths.folder", lambda: tmp_path)
    result = run("score 333p555s77m44s,111z+7m")
    assert result.exit_code == 2
    assert result.stderr.startswith("mjcli: error: no ruleset 'jipinghu'")


def test_the_ruleset_that_is_named() -> None:
    result = CliRunner().invoke(app, ["shanten", "1f11m", "--rules", "jipinghu"])
    assert result.exit_code == 2
    assert "at column 1" in result.stderr
