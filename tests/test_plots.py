"""Pictures: what is drawn, in files and with characters, and what is said where a library is missing."""

from __future__ import annotations

import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from mjcli.cli.main import app
from mjcli.cli.plots import Chart, hand_charts, run_charts
from mjcli.ruleset import load_ruleset
from mjcli.simulate import Plan, compare, simulate

JIPINGHU = Plan(rules="jipinghu", seed=4)
NAMES = {info.id: info.name("en") for info in load_ruleset("jipinghu").patterns}
DEALS = ("--rules", "jipinghu", "--deals", "20", "--seed", "4")


def run(*arguments: object) -> Result:
    said = ["simulate", *map(str, arguments)]
    return CliRunner().invoke(app, said, prog_name="mjcli", env={"MJCLI_RULES": None})


def test_the_charts_of_a_run_show_its_numbers() -> None:
    answer = simulate(JIPINGHU, 20)
    points, seats, fans, patterns = run_charts([answer], None, NAMES, "en")
    assert points.labels == ("1 fast", "2 fast", "3 fast", "4 fast")
    assert points.series[0].values == tuple(side["points"]["mean"] for side in answer["results"]["players"])
    assert seats.series[0].within[2] == tuple(answer["results"]["seats"]["W"]["won"][key] for key in ("low", "high"))
    assert [(label, value) for label, value in zip(fans.labels, fans.series[0].values, strict=True)] == [
        (fan, found["rate"]) for fan, found in answer["fan"].items()
    ]
    assert all(before >= after for before, after in pairwise(patterns.series[0].values))
    assert {*patterns.labels} <= {*NAMES.values()}


def test_the_charts_of_a_comparison_have_both_runs() -> None:
    second = replace(JIPINGHU, options={"minimum_fan": "1"}, players=("random", "fast", "fast", "fast"))
    found = compare(JIPINGHU, second, 20)
    charts = run_charts([found.first, found.second], found.differences, NAMES, "zh-Hans")
    assert [len(chart.series) for chart in charts] == [2, 2, 1, 2, 2]
    assert [series.name for series in charts[0].series] == ["前", "后"]
    assert charts[0].labels == ("1 fast -> random", "2 fast", "3 fast", "4 fast")
    by_fan = charts[3]
    assert by_fan.labels[0] == "0"
    assert by_fan.series[1].values[0] == 0, "below the minimum nobody wins"
    assert charts[2].series[0].values == tuple(side["points"]["mean"] for side in found.differences["players"])


def test_the_charts_of_a_hand_grow() -> None:
    discard = {"tile": "5z", "exact": True, "win": [0.1, 0.2], "ready": [0.5, 0.6]}
    sampled = {"tile": "1m", "exact": False, "win_low": [0, 0], "win_high": [0.1, 0.3], "win": [0.05, 0.1]}
    sampled |= {"ready": [0.4, 0.5], "ready_low": [0.3, 0.4], "ready_high": [0.5, 0.6]}
    won, ready = hand_charts({"hand": "11z", "draws": 2, "discards": [discard, sampled]}, "en")
    assert won == Chart(title="won by draw: 11z", labels=("1", "2"), series=won.series, curves=True)
    assert [series.name for series in won.series] == ["5z", "1m"]
    assert won.series[1].within == ((0, 0.1), (0, 0.3))
    assert ready.series[0].values == (0.5, 0.6)


@pytest.mark.parametrize(
    ("suffix", "begins"), [("png", b"\x89PNG"), ("svg", b"<?xml"), pytest.param("pdf", b"%PDF", marks=pytest.mark.long)]
)
def test_a_picture(suffix: str, begins: bytes, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / f"found.{suffix}"
    done = run(*DEALS, "--plot", path, "--json")
    assert (done.exit_code, done.stderr) == (0, "")
    assert path.read_bytes().startswith(begins)
    if suffix == "svg":
        drawn = path.read_text(encoding="utf-8")
        assert all(word in drawn for word in ("points a deal", "1 fast", "wins by fan", "All chows"))
        run(*DEALS, "--plot", path)
        assert path.read_text(encoding="utf-8") == drawn, "the same bytes"


def test_a_picture_of_a_hand(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "odds.svg"
    assert run("123m456p789s11z46m5z", "--draws", 5, "--plot", path).exit_code == 0
    assert all(word in path.read_text(encoding="utf-8") for word in ("won by draw: 12346m456p789s115z", "ready", "5z"))


def test_plots_with_characters() -> None:
    pytest.importorskip("plotext")
    shown = run(*DEALS, "--compare", "minimum_fan=1", "--plot", "-").stdout
    assert all(word in shown for word in ("points a deal, second less first", "wins by fan", "┌──", "3 fast"))
    assert "\033" not in shown
    shown = run("123m456p789s11z46m5z", "--draws", 6, "--plot", "-").stdout
    assert "won by draw: 12346m456p789s115z" in shown
    assert "11 5z" in shown, "each curve is drawn with a digit"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((*DEALS, "--plot", "x.docx"), "no picture 'x.docx' (it ends in one of ."),
        ((*DEALS, "--plot", "x"), "no picture 'x' (it ends in one of ."),
        ((*DEALS, "--plot", "nowhere/x.png"), "cannot use 'nowhere/x.png': No such file or directory"),
        ((*DEALS, "--plot", "-", "--json"), "--plot - draws in the text; a FILE goes with every format"),
        ((*DEALS, "--plot", "x.png", "--steps"), "--plot draws what deals add up to, and goes without --steps"),
        (("11z", "22z", "--plot", "x.png"), "--plot draws one HAND"),
        (("-", "--plot", "x.png"), "--plot draws one HAND"),
        (("--replay", "log", "--plot", "x.png"), "--replay plays what the log says"),
    ],
)
def test_what_is_refused(arguments: tuple[Any, ...], message: str) -> None:
    pytest.importorskip("matplotlib")
    done = run(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr


@pytest.mark.parametrize(("library", "path"), [("matplotlib", "x.png"), ("plotext", "-")])
@pytest.mark.parametrize("what", [DEALS, ("11z",)], ids=["deals", "hand"])
def test_a_library_that_is_missing_is_named(
    library: str, path: str, what: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.setitem(sys.modules, f"{library}.figure", None)
    done = run(*what, "--plot", path)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "needs a library that is not installed: pip install 'mjcli[plot]'" in done.stderr
