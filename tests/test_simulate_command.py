"""``mjcli simulate``: what it prints, its logs, and what it refuses."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from mjcli.cli.main import app
from mjcli.cli.sides import Played, sides_of
from mjcli.simulate import Plan, simulate


def mjcli(*arguments: str, given: bytes = b"") -> Result:
    said = ["simulate", *arguments]
    return CliRunner().invoke(app, said, input=given, prog_name="mjcli", env={"MJCLI_RULES": None})


def test_json_is_what_the_library_gives() -> None:
    done = mjcli("--rules", "jipinghu", "--deals", "5", "--seed", "3", "--json", "--set", "minimum_fan=1")
    assert done.exit_code == 0
    assert json.loads(done.stdout) == simulate(Plan(rules="jipinghu", options={"minimum_fan": "1"}, seed=3), 5)
    assert {"ruleset", "seed", "deals", "players", "results", "patterns", "fan"} <= set(json.loads(done.stdout))


def test_the_same_bytes_for_any_jobs() -> None:
    arguments = ("--rules", "jipinghu", "--deals", "20", "--seed", "3", "--players", "fast,random,fast,random")
    assert mjcli(*arguments).stdout == mjcli(*arguments, "--jobs", "2").stdout != ""


def test_a_row_for_each_value() -> None:
    arguments = ("--rules", "jipinghu", "--deals", "5", "--seed", "3")
    answer = json.loads(mjcli(*arguments, "--json").stdout)
    rows = [line.split("\t") for line in mjcli(*arguments, "--format", "tsv").stdout.splitlines()]
    assert rows[0] == ["part", "of", "count", "value", "low", "high", "error"]
    found = {row[0]: row[1:6] for row in rows[1:]}
    won = answer["results"]["seats"]["W"]["won"]
    assert found["results.seats.W.won"] == [str(won[key]) for key in ("of", "count", "rate", "low", "high")]
    points = answer["results"]["players"][2]["points"]
    assert found["results.players.2.points"] == ["5", "", *(str(points[key]) for key in ("mean", "low", "high"))]


@pytest.mark.parametrize("language", ["en", "zh-Hant", "zh-Hans"])
def test_a_report_names_players_and_patterns(language: str) -> None:
    shown = mjcli("--rules", "jipinghu", "--deals", "5", "--seed", "3", "--lang", language).stdout
    assert shown.startswith("jipinghu, seed 3, 5 deals: fast, fast, fast, fast\n")
    assert {"en": "All chows", "zh-Hant": "平和", "zh-Hans": "平和"}[language] in shown
    assert {"en": "turns to win", "zh-Hant": "和牌巡數", "zh-Hans": "和牌巡数"}[language] in shown


def test_a_comparison_changes_what_it_says() -> None:
    arguments = ("--rules", "jipinghu", "--deals", "4", "--seed", "3", "--json")
    changes = ("--compare", "minimum_fan=1", "--compare", "players=random")
    answer = json.loads(mjcli(*arguments, *changes).stdout)
    assert answer["first"] == json.loads(mjcli(*arguments).stdout)
    assert answer["second"] == json.loads(mjcli(*arguments, "--players", "random", "--set", "minimum_fan=1").stdout)
    assert set(answer["differences"]["players"][0]) == {"points", "won", "fed"}
    shown = mjcli(*arguments[:-1], *changes).stdout
    assert "difference, second less first" in shown


JIPINGHU = Played(rules="jipinghu", options={"minimum_fan": "1"}, players="fast")


@pytest.mark.parametrize(
    ("compared", "more", "first", "second"),
    [
        (["minimum_fan=2"], [], {}, {"options": {"minimum_fan": "2"}}),
        (["cap=4", "players=value"], [], {}, {"options": {"minimum_fan": "1", "cap": "4"}, "players": "value"}),
        (["hongkong"], [], {}, {"rules": "hongkong"}),
        (["hongkong"], ["malaysia-4p"], {"rules": "hongkong"}, {"rules": "malaysia-4p"}),
        (["fast"], ["fast,value"], {}, {"players": "fast,value"}),
        (["greedy.py:Greedy"], ["fast, value"], {"players": "greedy.py:Greedy"}, {"players": "fast, value"}),
        (
            ["cap=4,minimum_fan=2"],
            ["cap=3"],
            {"options": {"minimum_fan": "2", "cap": "4"}},
            {"options": {"minimum_fan": "1", "cap": "3"}},
        ),
        (
            ["hongkong value"],
            ["examples/small.yaml players=fast,value"],
            {"rules": "hongkong", "players": "value"},
            {"rules": "examples/small.yaml", "players": "fast,value"},
        ),
        (
            ["cap=4 hongkong"],
            ["fast,value hongkong"],
            {"rules": "hongkong", "options": {"minimum_fan": "1", "cap": "4"}},
            {"rules": "hongkong", "players": "fast,value"},
        ),
        (
            ["hongkong greedy.py:Greedy"],
            ["fast,greedy.py:Greedy malaysia-4p"],
            {"rules": "hongkong", "players": "greedy.py:Greedy"},
            {"rules": "malaysia-4p", "players": "fast,greedy.py:Greedy"},
        ),
        (
            ["hongkong fast, value"],
            ["fast , greedy.py:Greedy malaysia-4p"],
            {"rules": "hongkong", "players": "fast,value"},
            {"rules": "malaysia-4p", "players": "fast,greedy.py:Greedy"},
        ),
        (["players=fast,value, cap=4"], [], {}, {"options": {"minimum_fan": "1", "cap": "4"}, "players": "fast,value"}),
    ],
)
def test_the_sides_of_a_comparison(
    compared: list[str], more: list[str], first: dict[str, Any], second: dict[str, Any]
) -> None:
    assert sides_of(JIPINGHU, compared, more) == (replace(JIPINGHU, **first), replace(JIPINGHU, **second))


def test_a_side_may_name_files_with_blanks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("my players.py", "my rules.yaml"):
        Path(name).touch()
    first, second = sides_of(JIPINGHU, ["my players.py:Greedy"], ["my rules.yaml cap=4"])
    assert first == replace(JIPINGHU, players="my players.py:Greedy")
    assert second == replace(JIPINGHU, rules="my rules.yaml", options={"minimum_fan": "1", "cap": "4"})


@pytest.mark.parametrize(
    ("sides", "first", "second"),
    [
        (("malaysia-4p", "jipinghu"), Plan(rules="malaysia-4p", seed=3), Plan(rules="jipinghu", seed=3)),
        (
            ("fast", "random,fast,fast,fast"),
            Plan(rules="jipinghu", seed=3),
            Plan(rules="jipinghu", seed=3, players=("random", "fast", "fast", "fast")),
        ),
        (
            ("minimum_fan=1", "hongkong minimum_fan=3"),
            Plan(rules="jipinghu", seed=3, options={"minimum_fan": "1"}),
            Plan(rules="hongkong", seed=3, options={"minimum_fan": "3"}),
        ),
    ],
)
def test_two_sides_are_two_runs(sides: tuple[str, str], first: Plan, second: Plan) -> None:
    done = mjcli("--rules", "jipinghu", "--deals", "3", "--seed", "3", "--json", "--compare", *sides)
    answer = json.loads(done.stdout)
    assert [answer["first"], answer["second"]] == [simulate(first, 3), simulate(second, 3)]
    assert answer["same_walls"] == (first.rules == second.rules)
    assert ("do not have the same walls" in done.stderr) == (not answer["same_walls"])


def test_sides_that_are_the_same_are_noted() -> None:
    asked = ("--rules", "jipinghu", "--deals", "2", "--seed", "3", "--json", "--compare", "cap=4")
    noted = "mjcli: --compare: both sides play the same\n"
    assert noted in mjcli(*asked, "jipinghu cap=4").stderr
    assert noted not in mjcli(*asked).stderr


def test_a_log_replays(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    done = mjcli(
        "--rules", "jipinghu", "--games", "1", "--set", "stop_after=1", "--seed", "2", "--log", str(log), "--json"
    )
    assert done.exit_code == 0
    again = mjcli("--replay", str(log), "--format", "jsonl")
    assert again.exit_code == 0
    told = [json.loads(line) for line in again.stdout.splitlines()]
    assert len(told) == json.loads(done.stdout)["results"]["deals_per_game"]["mean"]
    assert again.stderr == f"mjcli: every event is legal; deals: {len(told)}\n"
    lines = log.read_text(encoding="utf-8").splitlines()
    damaged = [line.replace("discard", "draw") if number == 1 else line for number, line in enumerate(lines)]
    log.write_text("\n".join(damaged), encoding="utf-8")
    refused = mjcli("--replay", str(log))
    assert refused.exit_code == 2
    assert f"mjcli: error: {log}:2: 'E draw " in refused.stderr
    assert "legal: E discard " in refused.stderr


@pytest.mark.parametrize(
    ("log", "message"),
    [
        (b"", "1: there is no deal in the log"),
        (b"\n\n", "1: there is no deal in the log"),
        (b'\n{"event": "\xff"}\n', "2: byte 12 is not UTF-8"),
    ],
)
@pytest.mark.parametrize("piped", [False, True])
def test_a_log_of_nothing_and_one_that_is_no_text(tmp_path: Path, log: bytes, message: str, piped: bool) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(log)
    done = mjcli("--replay", "-", given=log) if piped else mjcli("--replay", str(path))
    where = "line " if piped else f"{path}:"
    assert (done.exit_code, done.stderr) == (2, f"mjcli: error: {where}{message}\n")


def test_a_log_that_another_program_wrote_replays(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    assert mjcli("--deals", "1", "--seed", "2", "--log", str(log)).exit_code == 0
    log.write_bytes(b"\xef\xbb\xbf" + log.read_bytes().replace(b"\n", b"\r\n").removesuffix(b"\r\n"))
    assert mjcli("--replay", str(log)).stderr == "mjcli: every event is legal; deals: 1\n"


def test_a_packed_log_replays(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl.gz"
    assert mjcli("--deals", "1", "--seed", "2", "--log", str(log)).exit_code == 0
    assert mjcli("--replay", str(log)).stderr == "mjcli: every event is legal; deals: 1\n"
    log.write_bytes(log.read_bytes()[:-9])
    refused = mjcli("--replay", str(log))
    assert refused.exit_code == 2
    assert refused.stderr.startswith(f"mjcli: error: '{log}' cannot be read to its end: ")


def test_a_story_tells_every_event(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    arguments = ("--rules", "malaysia-4p", "--deals", "2", "--seed", "2")
    assert mjcli(*arguments, "--log", str(log), "--json").exit_code == 0
    told = mjcli(*arguments, "--steps").stdout
    assert told == mjcli("--replay", str(log), "--steps").stdout
    lines = log.read_text(encoding="utf-8").splitlines()
    assert len([line for line in told.splitlines() if line]) == len(lines) + 2 * 4
    assert told.startswith("malaysia-4p, deal 0 of seed 2\nE (fast) has ")


def test_a_story_names_patterns_in_its_language(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    arguments = ("--rules", "jipinghu", "--deals", "1", "--seed", "5", "--log", str(log))
    for language, name in (("en", "Chicken hand"), ("zh-Hant", "雞和"), ("zh-Hans", "鸡和")):
        told = mjcli(*arguments, "--steps", "--lang", language).stdout
        again = mjcli("--replay", str(log), "--lang", language).stdout
        assert f"({name})" in told.replace("（", "(").replace("）", ")")
        assert f"({name})" in again.replace("（", "(").replace("）", ")")
        assert "ji_hu" not in told + again


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--deals", "0"), "'0' is not a whole number of at least 1"),
        (("--deals", "2", "--games", "2"), "--deals are single deals, --games whole games: one of the two"),
        (("--players", "fast,fast"), "2 players, where ruleset guangdong-xinzhang has 4"),
        (("--players", "fats"), "no player 'fats' (did you mean 'fast'?)"),
        (("--players", ""), "no player ''"),
        (("--seed", "-1"), "'-1' is no seed"),
        (("--time", "soon"), "'soon' is no time such as 90s, 10m or 1h"),
        (("--compare", "minimum_fan"), "'minimum_fan' is no ruleset and no player, and an option is said as KEY=VALUE"),
        (("--compare", "jipinghu", "hongkon"), "'hongkon' is no ruleset and no player (did you mean 'hongkong'?)"),
        (("--compare", ""), "--compare : '' is no ruleset and no player"),
        (("--compare", "jipinghu", "mcr", "riichi"), "has two sides, not 'jipinghu' and 'mcr' and 'riichi'"),
        (("--compare", "jipinghu", "--compare", "mcr"), "rules=mcr comes after rules=jipinghu; A B are the two sides"),
        (("--compare", "malaysia-3p", "malaysia-4p"), "but there are 3 in malaysia-3p and 4 in malaysia-4p"),
        (("--compare", "fast", "value", "--setz"), "no such option: --setz; did you mean '--set'?"),
        (("--compare", "fast", "value", "--aim", "win"), "--compare plays deals, and goes without HAND"),
        (("--compare", "cup=1", "--deals", "1"), "has no option 'cup'"),
        (("--compare", "rules=jipinghu", "--steps"), "--compare plays every deal twice, without --log and --steps"),
        (("--steps", "--json"), "--steps is text; --log writes the same for programs"),
        (("--log", "-"), "would both go to standard output"),
        (("--log", "x.jsonl", "-o", "./x.jsonl"), "--log and --output are the same file"),
        (("--log", "x.svg", "--plot", "./x.svg"), "--log and --plot are the same file"),
        (("--plot", "x.svg", "-o", "./x.svg"), "--plot and --output are the same file"),
        (("123m456p789s11z46m5z", "--plot", "x.svg", "-o", "./x.svg"), "--plot and --output are the same file"),
        (("--replay", "nowhere.jsonl"), "cannot use 'nowhere.jsonl': No such file or directory"),
        (("--replay", "x.jsonl", "-o", "./x.jsonl"), "--replay and --output are the same file"),
        (("--replay", "x", "--deals", "2"), "--replay plays what the log says"),
        (
            ("-o", "x.arrow"),
            "--output x.arrow names a table, which is for answers to hands; or say --format text, table,",
        ),
        (("123m456p789s1155z", "--cluster", "tcp://1:1"), "--cluster goes with --input or a pipe"),
        (("--rules", "examples/small.yaml"), "does not say how its wall is built and broken"),
    ],
)
def test_what_is_refused(arguments: tuple[str, ...], message: str) -> None:
    done = mjcli(*arguments)
    assert done.exit_code == 2
    assert message in done.stderr
    assert done.stdout == ""
