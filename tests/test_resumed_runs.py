"""A simulation that was interrupted goes on where it stopped, and writes the same bytes."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from mjcli.cli import checkpoint
from mjcli.cli.main import app
from mjcli.processes import Crew, in_order
from mjcli.simulate import runs, work
from tests.test_cli_process import MJCLI, environment


def run(*arguments: object) -> Result:
    said = ["simulate", *map(str, arguments)]
    return CliRunner().invoke(app, said, prog_name="mjcli", env={"MJCLI_RULES": None})


def play_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let deals be played one by one, where arrays would play all of them at once."""
    monkeypatch.setattr(runs, "can_play", lambda *_: False)
    monkeypatch.setattr(work, "_run", lru_cache(work._run.__wrapped__))


class Stops:
    """Stops the run that has done so many parts, as a process does that is killed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.after = 0

        def stopping(work: Callable[..., Any], pieces: Iterable[Any], jobs: int, crew: Crew | None) -> Iterator[Any]:
            for count, found in enumerate(in_order(work, pieces, jobs, crew), 1):
                yield found
                if count == self.after:
                    raise KeyboardInterrupt

        monkeypatch.setattr(work, "in_order", stopping)
        monkeypatch.setattr(checkpoint, "EVERY", 0.0)
        monkeypatch.setattr(work, "DEALS_OF_PART", 2)
        monkeypatch.setattr(work, "GAMES_OF_PART", 1)
        play_one_by_one(monkeypatch)


@pytest.fixture
def stops(monkeypatch: pytest.MonkeyPatch) -> Stops:
    return Stops(monkeypatch)


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.mark.parametrize(
    ("said", "log"),
    [
        (("--rules", "jipinghu", "--deals", "21", "--json"), None),
        (("--rules", "hongkong", "--deals", "9", "--players", "random", "-f", "csv"), "log.jsonl"),
        (("--rules", "malaysia-4p", "--games", "5", "--set", "deals=2"), "log.jsonl.gz"),
        (("--rules", "jipinghu", "--deals", "12", "--compare", "minimum_fan=1"), None),
    ],
    ids=["deals", "logged", "games", "compared"],
)
def test_a_run_that_stops_again_and_again(
    said: tuple[str, ...], log: str | None, tmp_path: Path, stops: Stops, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mjcli.cli.sink.PIECE", 2000)
    files = ["out"] if log is None else ["out", log]
    said = (*said, "--seed", "8", "-o", str(tmp_path / "out"), *(() if log is None else ("--log", str(tmp_path / log))))
    assert run(*said).exit_code == 0
    wanted = [(tmp_path / name).read_bytes() for name in files]
    for name in files:
        (tmp_path / name).unlink()
    rng = Random(f"{said[1]}")
    more: tuple[str, ...] = ()
    for _ in range(30):
        stops.after = rng.randint(1, 2)
        result = run(*said, *more)
        if result.exit_code != 130:
            break
        assert not (tmp_path / "out").exists()
        assert "interrupted; the same command with --resume goes on" in result.stderr
        more = ("--resume",)
    assert more
    assert result.exit_code == 0
    assert [(tmp_path / name).read_bytes() for name in files] == wanted
    assert names(tmp_path) == set(files)


@pytest.fixture
def stopped(tmp_path: Path, stops: Stops) -> list[object]:
    """Return the command line of a run without a seed that was stopped."""
    (tmp_path / "house.yaml").write_text("id: house\nextends: jipinghu\nversion: 1\n", encoding="utf-8")
    (tmp_path / "mine.py").write_text("from mjcli.players.simple import Random as Mine\n", encoding="utf-8")
    players = f"fast,random,fast,{tmp_path / 'mine.py'}:Mine"
    said = ["--deals", 8, "-o", tmp_path / "out", "--rules", tmp_path / "house.yaml", "--players", players]
    stops.after = 2
    assert run(*said).exit_code == 130
    stops.after = 0
    return said


def test_the_seed_is_that_of_the_run(stopped: list[object], tmp_path: Path) -> None:
    kept = json.loads((tmp_path / ".out.resume").read_text())
    assert kept["state"]["done"] == 4
    assert run(*stopped, "--resume", "--format", "json").exit_code == 0
    answer = json.loads((tmp_path / "out").read_text())
    assert (answer["seed"], answer["deals"]) == (kept["seed"], 8)
    assert run(*stopped, "--seed", answer["seed"], "--json").exit_code == 0
    assert json.loads((tmp_path / "out").read_text()) == answer


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ("the ruleset", "the ruleset has changed since"),
        ("an option", "the ruleset has changed since"),
        ("a strategy", "the player has changed since"),
        ("how many", "the command line has changed since"),
        ("the seed", "that run had the seed "),
        ("the file", ".out.resume' is broken"),
    ],
)
def test_what_has_changed_is_refused(change: str, what: str, stopped: list[object], tmp_path: Path) -> None:
    more: list[object] = []
    if change == "the ruleset":
        (tmp_path / "house.yaml").write_text("id: house\nextends: jipinghu\nversion: 2\n", encoding="utf-8")
    elif change == "an option":
        more = ["--set", "minimum_fan=1"]
    elif change == "a strategy":
        (tmp_path / "mine.py").write_text("from mjcli.players.simple import Fast as Mine\n", encoding="utf-8")
    elif change == "how many":
        more = ["--deals", 9]
    elif change == "the seed":
        more = ["--seed", 1]
    else:
        (tmp_path / ".out.resume").write_text('{"said": {}, "seed": 1}')
    before = names(tmp_path)
    result = run(*stopped, "--resume", *more)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"mjcli: error: cannot resume: {'that' if change == 'the seed' else ''}" in result.stderr
    assert what in result.stderr
    assert names(tmp_path) == before


def test_without_a_run_to_resume_one_begins(tmp_path: Path) -> None:
    result = run("--deals", 1, "-o", tmp_path / "out", "--resume")
    assert result.stderr == "mjcli: there is no run to resume; this one begins anew\n"
    assert names(tmp_path) == {"out"}


@pytest.mark.parametrize("more", [(), ("--steps", "-o", "x")])
def test_what_cannot_be_gone_on_with_is_refused(more: tuple[str, ...]) -> None:
    result = run("--deals", 1, "--resume", *more)
    assert "--resume needs --output FILE, and goes without --steps" in result.stderr
    assert result.exit_code == 2


@pytest.mark.parametrize("named", [0, 1, 2])
def test_a_run_that_stops_while_its_files_take_their_names(
    named: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = ("--rules", "jipinghu", "--deals", 3, "--seed", 2, "-o", tmp_path / "out", "--log", tmp_path / "log")
    assert run(*said).exit_code == 0
    wanted = [(tmp_path / name).read_bytes() for name in ("out", "log")]
    for name in ("out", "log"):
        (tmp_path / name).unlink()
    renamed: list[Path] = []
    replace = Path.replace

    def replacing(path: Path, target: Path) -> Path:
        if path.suffix == ".part":
            if len(renamed) == named:
                raise KeyboardInterrupt
            renamed.append(path)
        return replace(path, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", replacing)
        patch.setattr(checkpoint.StateFile, "drop", lambda _: None)
        assert run(*said).exit_code == (130 if named < 2 else 0)
    assert run(*said, "--resume").exit_code == 0
    assert [(tmp_path / name).read_bytes() for name in ("out", "log")] == wanted
    assert names(tmp_path) == {"out", "log"}


def test_a_time_limit_ends_a_run_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "DEALS_OF_PART", 2)
    play_one_by_one(monkeypatch)
    now = iter(range(1000))
    monkeypatch.setattr(work, "monotonic", lambda: next(now))
    result = run("--rules", "jipinghu", "--deals", 100, "--time", "3s", "--json", "--seed", 1)
    assert json.loads(result.stdout)["deals"] == 6
    assert json.loads(result.stdout) == json.loads(
        run("--rules", "jipinghu", "--deals", 6, "--json", "--seed", 1).stdout
    )


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_killed_at_twenty_random_moments(jobs: str, tmp_path: Path) -> None:
    rng = Random(f"{jobs}")
    (tmp_path / "mine.py").write_text("from mjcli.players.simple import Fast as Mine\n", encoding="utf-8")
    players = "mine.py:Mine"  # who is played one by one
    said = [*MJCLI, "simulate", "--deals", "800", "--seed", "3", "--jobs", jobs, "--players", players]

    def start(name: str, *more: str) -> subprocess.Popen[bytes]:
        files = ["--json", "-o", name, "--log", f"{name}.log.gz"]
        return subprocess.Popen([*said, *files, *more], cwd=tmp_path, env=environment(), stderr=subprocess.DEVNULL)

    assert start("whole").wait() == 0
    kills = 0
    while kills < 20:
        while True:
            process = start("out", "--resume")
            try:
                assert process.wait(rng.uniform(0.5, 8) if kills < 20 else None) == 0
                break
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                kills += 1
        for name in ("", ".log.gz"):
            assert (tmp_path / f"out{name}").read_bytes() == (tmp_path / f"whole{name}").read_bytes()
            (tmp_path / f"out{name}").unlink()
