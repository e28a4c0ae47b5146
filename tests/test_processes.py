"""Helper processes do not outlive the one that started them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest

from mjcli.processes import in_order

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


def is_alive(pid: int) -> bool:
    """Return whether there is such a process that is not only waiting to be reaped."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
