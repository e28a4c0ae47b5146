"""A run that was interrupted goes on where it stopped: no line is lost, none comes twice."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner, Result

from mjcli.cli import blocks, checkpoint, stream, workers
from mjcli.cli.blocks import BlockReader
from mjcli.cli.main import app
from mjcli.cli.work import Answered
from tests.dirty import FORMATS, dirty
from tests.test_cli_process import MJCLI, environment, exit_code, heed_interrupts


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, list(map(str, arguments)), prog_name="mjcli", env={"MJCLI_RULES": None})


class Stops:
    """Stops the run that asks for the answers of so many blocks, as a process does that is killed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.after = 0
        answers = workers.answers

        def stopping(reader: BlockReader, *said: object) -> Iterator[tuple[blocks.Block, Answered]]:
            for count, found in enumerate(answers(reader, *said), 1):  # type: ignore[arg-type]
                yield found
                if count == self.after:
                    raise KeyboardInterrupt

        monkeypatch.setattr(stream, "answers", stopping)
        monkeypatch.setattr(checkpoint, "EVERY", 0.0)
        monkeypatch.setattr(blocks, "CHUNK", 500)
        monkeypatch.setattr(workers, "BLOCK", 500)


@pytest.fixture
def stops(monkeypatch: pytest.MonkeyPatch) -> Stops:
    return Stops(monkeypatch)


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("output", ["answers.txt", "answers.csv.gz", "answers.jsonl"])
def test_a_run_that_stops_again_and_again(
    form: str, output: str, tmp_path: Path, stops: Stops, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mjcli.cli.sink.PIECE", 2000)
    rng = Random(f"{form} {output}")
    (tmp_path / "given").write_bytes(dirty(rng, 200, form))
    shape = {"answers.txt": "text", "answers.csv.gz": "csv", "answers.jsonl": "jsonl"}[output]
    said = ("convert", "-i", tmp_path / "given", "--input-format", form, "--other-columns", "ignore", "-f", shape)
    assert run(*said, "-o", tmp_path / output, "--rejects", tmp_path / "rejects").exit_code == 1
    wanted = [(tmp_path / name).read_bytes() for name in (output, "rejects")]
    for name in (output, "rejects"):
        (tmp_path / name).unlink()
    more: tuple[str, ...] = ()
    for _ in range(30):
        stops.after = rng.randint(1, 4)
        result = run(*said, "-o", tmp_path / output, "--rejects", tmp_path / "rejects", *more)
        if result.exit_code != 130:
            break
        assert not (tmp_path / output).exists()
        assert "interrupted; the same command with --resume goes on" in result.stderr
        more = ("--resume",)
    assert more
    assert result.exit_code == 1
    assert [(tmp_path / name).read_bytes() for name in (output, "rejects")] == wanted
    assert names(tmp_path) == {"given", output, "rejects"}


@pytest.fixture
def stopped(tmp_path: Path, stops: Stops) -> list[object]:
    """Return the command line of a run that was stopped."""
    (tmp_path / "given").write_bytes(dirty(Random(3), 200, "lines"))
    (tmp_path / "house.yaml").write_text("id: house\nextends: jipinghu\nversion: 1\n", encoding="utf-8")
    said = ["convert", "-i", tmp_path / "given", "-o", tmp_path / "out", "--rules", tmp_path / "house.yaml"]
    stops.after = 3
    assert run(*said).exit_code == 130
    stops.after = 0
    return said


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ("its time", "input"),
        ("its end", "input"),
        ("its beginning", "input"),
        ("the ruleset", "ruleset"),
        ("an option", "command line"),
    ],
)
def test_what_has_changed_is_refused(change: str, what: str, stopped: list[object], tmp_path: Path) -> None:
    given = tmp_path / "given"
    raw, state = given.read_bytes(), given.stat()
    more = []
    if change == "its time":
        os.utime(given, ns=(0, 0))
    elif change == "its end":
        given.write_bytes(raw + b"\n12m")
    elif change == "its beginning":
        given.write_bytes((b"1" if raw[:1] != b"1" else b"2") + raw[1:])
        os.utime(given, ns=(state.st_atime_ns, state.st_mtime_ns))
    elif change == "the ruleset":
        (tmp_path / "house.yaml").write_text("id: house\nextends: jipinghu\nversion: 2\n", encoding="utf-8")
    else:
        more = ["--lang", "zh-Hant"]
    before = names(tmp_path)
    result = run(*stopped, "--resume", *more)
    assert result.exit_code == 2
    assert result.stderr == (
        f"mjcli: error: cannot resume: the {what} has changed since; without --resume the run begins anew\n"
    )
    assert names(tmp_path) == before
    assert run(*stopped, *more).exit_code == 1
    assert names(tmp_path) == {"given", "house.yaml", "out"}


def test_a_checkpoint_that_is_broken_is_refused(stopped: list[object], tmp_path: Path) -> None:
    (tmp_path / ".out.resume").write_text("{")
    result = run(*stopped, "--resume")
    assert result.exit_code == 2
    assert "cannot resume: '" in result.stderr


@pytest.mark.parametrize("left", [None, b"", b"12"])
def test_an_unfinished_file_that_is_not_what_it_was_is_refused(
    left: bytes | None, stopped: list[object], tmp_path: Path
) -> None:
    part = tmp_path / ".out.part"
    part.unlink()
    if left is not None:
        part.write_bytes(left)
    result = run(*stopped, "--resume")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"mjcli: error: cannot resume: '{part}' is not what it was\n"
    assert not (tmp_path / "out").exists()
    assert run(*stopped).exit_code == 1


def test_without_a_run_to_resume_one_begins(tmp_path: Path) -> None:
    (tmp_path / "given").write_bytes(b"12m\n")
    result = run("convert", "-i", tmp_path / "given", "-o", tmp_path / "out", "--resume")
    assert result.stderr == "mjcli: there is no run to resume; this one begins anew\n"
    assert (tmp_path / "out").read_text() == "12m\n"


@pytest.mark.parametrize("named", [0, 1, 2])
def test_a_run_that_stops_while_its_files_take_their_names(
    named: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "given").write_bytes(dirty(Random(5), 100, "lines"))
    said = ("convert", "-i", tmp_path / "given", "-o", tmp_path / "out", "--rejects", tmp_path / "bad")
    assert run(*said).exit_code == 1
    wanted = [(tmp_path / name).read_bytes() for name in ("out", "bad")]
    for name in ("out", "bad"):
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
        patch.setattr(checkpoint.Journal, "drop", lambda _: None)
        assert run(*said).exit_code == (130 if named < 2 else 1)
    assert run(*said, "--resume").exit_code == 1
    assert [(tmp_path / name).read_bytes() for name in ("out", "bad")] == wanted
    assert names(tmp_path) == {"given", "out", "bad"}


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("output", ["out.csv", "out.csv.gz"])
def test_killed_at_twenty_random_moments(jobs: str, output: str, tmp_path: Path) -> None:
    rng = Random(f"{jobs} {output}")
    (tmp_path / "given").write_bytes(dirty(rng, 200_000, "lines"))
    said = [*MJCLI, "shanten", "-i", "given", "-f", "csv", "--rejects", "bad", "--jobs", jobs, "-o"]

    def start(name: str, *more: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen([*said, name, *more], cwd=tmp_path, env=environment(), stderr=subprocess.DEVNULL)

    assert start(f"whole-{output}").wait() == 1
    whole = {name: (tmp_path / path).read_bytes() for name, path in ((output, f"whole-{output}"), ("bad", "bad"))}
    (tmp_path / "bad").unlink()
    kills = 0
    while kills < 20:
        while True:
            process = start(output, "--resume")
            try:
                assert process.wait(rng.uniform(0.2, 3) if kills < 20 else None) == 1
                break
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                kills += 1
        for name, content in whole.items():
            assert (tmp_path / name).read_bytes() == content
            (tmp_path / name).unlink()


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("jobs", ["1", pytest.param("2", marks=pytest.mark.long)])
def test_an_interrupt_leaves_whole_lines_of_a_file(jobs: str, tmp_path: Path) -> None:
    (tmp_path / "given").write_bytes(b"123m456p77z\n" * 400_000)
    with (tmp_path / "out").open("wb") as output:
        process = subprocess.Popen(
            [*MJCLI, "convert", "-i", "given", "-f", "jsonl", "--jobs", jobs],
            stdout=output,
            stderr=subprocess.PIPE,
            cwd=tmp_path,
            env=environment(),
            preexec_fn=heed_interrupts,
            process_group=0,
        )
        assert process.stderr
        while (tmp_path / "out").stat().st_size == 0:
            assert process.poll() is None
        os.killpg(process.pid, signal.SIGINT)
        assert exit_code(process) == 130
        assert process.stderr.read() == b""
        process.stderr.close()
    lines = (tmp_path / "out").read_bytes().splitlines(keepends=True)
    assert 0 < len(lines) < 400_000
    assert set(lines) == {lines[0]}
