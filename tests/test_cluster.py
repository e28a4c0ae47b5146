"""The workers of a Dask scheduler answer an input; one that dies loses nothing."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

from mjcli.cli.main import app
from tests.dirty import dirty
from tests.test_cli_process import MJCLI, environment

LINES = 40_000
"""So many that most are not answered yet when the first is."""

Cluster = tuple[str, list[subprocess.Popen[bytes]]]
"""The address of the scheduler, and the processes: the scheduler, then two workers."""


DIE = pytest.mark.parametrize("die", [[], [0], [1], [1, 2]], ids=["nobody", "scheduler", "worker", "workers"])
"""Which of the processes are killed midway."""


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    pytest.importorskip("distributed")
    known = tmp_path / "scheduler.json"
    address = ["--host", "127.0.0.1", "--no-dashboard"]
    where = ["--scheduler-file", str(known)]
    with ExitStack() as stack, (tmp_path / "cluster.log").open("wb") as log:

        def start(*arguments: str) -> subprocess.Popen[bytes]:
            process = subprocess.Popen(
                [sys.executable, "-m", *arguments], cwd=tmp_path, env=environment(), stdout=log, stderr=log
            )
            stack.callback(process.wait)
            stack.callback(process.kill)
            return process

        processes = [start("distributed.cli.dask_scheduler", "--port", "0", *address, *where)]
        await_that(known.exists)
        worker = ("distributed.cli.dask_worker", "--no-nanny", "--nthreads", "1", *address, *where)
        processes += [start(*worker), start(*worker)]
        yield json.loads(known.read_text())["address"], processes


def await_that(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.mark.long
@DIE
def test_a_cluster_gives_the_same_bytes(die: list[int], cluster: Cluster, tmp_path: Path) -> None:
    address, processes = cluster
    (tmp_path / "given").write_bytes(dirty(Random("cluster"), LINES, "lines"))
    said = [*MJCLI, "waits", "--rules", "jipinghu", "-i", "given", "-f", "jsonl", "--on-error"]
    whole = subprocess.run([*said, "skip"], cwd=tmp_path, env=environment(), capture_output=True, check=False)
    process = subprocess.Popen(
        [*said, "skip", "--cluster", address],
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
    )
    assert process.stdout
    first = process.stdout.readline()
    for number in die:
        processes[number].kill()
    killer = threading.Timer(100, process.kill)
    killer.start()
    out, told = process.communicate()
    killer.cancel()
    assert process.returncode == whole.returncode == 1, told[-2000:]
    assert first + out == whole.stdout
    assert told.count(b"mjcli: error: ") == whole.stderr.count(b"mjcli: error: ") > 1000
    assert (b"a process that was to help is gone" in told) == (die in ([0], [1, 2]))


@pytest.mark.long
@DIE
def test_a_cluster_plays_the_same_deals(die: list[int], cluster: Cluster, tmp_path: Path) -> None:
    address, processes = cluster
    (tmp_path / "mine.py").write_text("from mjcli.players.simple import Fast as Mine\n", encoding="utf-8")
    players = "mine.py:Mine"  # who is played one by one, so that it takes a while
    said = [*MJCLI, "simulate", "--deals", "1200", "--seed", "3", "--players", players, "--json"]
    whole = subprocess.run(said, cwd=tmp_path, env=environment(), capture_output=True, check=True)
    process = subprocess.Popen(
        [*said, "--cluster", address, "--log", "log"],
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    if die:
        await_that(lambda: any(path.stat().st_size for path in tmp_path.glob(".log.*")))
    for number in die:
        processes[number].kill()
    killer = threading.Timer(200, process.kill)
    killer.start()
    out, told = process.communicate()
    killer.cancel()
    assert process.returncode == 0, told[-2000:]
    assert out == whole.stdout
    assert (b"a process that was to help is gone" in told) == (die in ([0], [1, 2]))


@pytest.mark.parametrize("command", ["shanten", "simulate"])
@pytest.mark.parametrize("missing", [True, False])
def test_a_cluster_that_is_not_there(missing: bool, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mjcli.cli.workers.PATIENCE", 0.1)
    if missing:
        monkeypatch.setitem(sys.modules, "distributed", None)
    else:
        pytest.importorskip("distributed")
    arguments = [command, "--cluster", "tcp://127.0.0.1:1"]
    result = CliRunner().invoke(app, arguments, input=b"12m\n", prog_name="mjcli")
    assert (result.stdout, result.exit_code) == ("", 2)
    wanted = "needs a library that is not installed: pip install 'mjcli[cluster]'" if missing else "no scheduler with"
    assert wanted in result.stderr
