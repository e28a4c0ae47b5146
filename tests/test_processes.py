"""Helper processes do not outlive the one that started them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from mjcli.processes import GONE, Crew, in_order

START = """
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
import os, time
from mjcli.processes import end_with_parent

if __name__ == "__main__":
    pool = ProcessPoolExecutor(1, get_context("{way}"), initializer=end_with_parent)
    print(pool.submit(os.getpid).result(), flush=True)
    time.sleep(60)
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks Linux which processes there are")
@pytest.mark.parametrize("way", ["spawn", "fork"])
def test_a_helper_ends_when_its_parent_is_killed(way: str, tmp_path: Path) -> None:
    script = tmp_path / "start.py"
    script.write_text(START.format(way=way), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout
        helper = int(process.stdout.readline())
        process.kill()
        process.wait()
        until = monotonic() + 20
        while is_alive(helper):
            assert monotonic() < until, "the helper lives on"
            sleep(0.05)


def test_a_helper_that_ends_before_its_work_is_told_of() -> None:
    with pytest.raises(ChildProcessError, match="a process that was to help has ended"):
        list(in_order(os._exit, [(1,), (1,)], jobs=2))


class Silent(Executor):
    """Does of what it is given only the first, and never tells that it is gone."""

    def __init__(self) -> None:
        self.submitted = 0

    def submit(self, work: Callable[..., Any], /, *piece: Any, **_: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if not self.submitted:
            future.set_result(work(*piece))
        self.submitted += 1
        return future


def test_a_crew_that_is_gone_without_a_word_is_done_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mjcli.processes.ASKED_EVERY", 0.001)
    told: list[str] = []
    asked = iter([True, True, False, False])
    crew = Crew(Silent(), 2, (CancelledError,), told.append, lambda: next(asked))
    assert list(in_order(divmod, [(7, 2), (8, 3), (9, 4)], 2, crew)) == [(3, 1), (2, 2), (2, 1)]
    assert told == [GONE]
    assert list(asked) == []


def test_a_crew_that_is_gone_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mjcli.processes.ASKED_EVERY", 1.0)
    crew = Crew(Silent(), 2, (CancelledError,), is_there=lambda: False)
    begun = monotonic()
    assert list(in_order(divmod, [(7, 2), (8, 3), (9, 4)], 2, crew)) == [(3, 1), (2, 2), (2, 1)]
    assert monotonic() - begun < 1


def test_what_work_raises_is_not_taken_for_a_loss() -> None:
    with ThreadPoolExecutor(1) as executor:
        results = in_order(raise_timeout, [()], 2, Crew(executor, 2, (CancelledError,), pytest.fail, lambda: True))
        with pytest.raises(TimeoutError, match="mine"):
            next(results)


def raise_timeout() -> None:
    raise TimeoutError("mine")


def is_alive(pid: int) -> bool:
    """Return whether there is such a process that is not only waiting to be reaped."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
