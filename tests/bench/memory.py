"""Print as JSON how much memory a whole input takes, and how long: ``python -m tests.bench.memory [LINES]``.

Each command line reads the same file of random hands, of LINES lines (10,000,000 unless said), in a process of its own.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from tests.hands import random_hand, text_of

COMMANDS = {
    "shanten": "",
    "shanten -f csv": ".gz",
    "shanten -f jsonl --jobs 2": "",
    "waits": "",
    "discards --jobs 2": "",
}
"""Command lines, and the suffix of the file that each writes."""

PEAK = re.compile(r"VmHWM:\s+(\d+) kB")


def write_hands(path: Path, lines: int) -> None:
    """Write so many lines, the same 20,000 hands again and again."""
    rng = Random("memory")
    hands = "".join(f"{text_of(random_hand(rng, 'random', 14).counts())}\n" for _ in range(20_000))
    with path.open("w") as file:
        for _ in range(lines // 20_000):
            file.write(hands)


def measured(arguments: list[str], folder: Path) -> tuple[int, float]:
    """Return the most memory in MB that the process of a command line took, its helpers apart, and its seconds.

    Linux says it of a process that is alive. What ``wait4`` says of one that has ended is no use: that is never less
    than what the process that started it had.
    """
    start = time.perf_counter()
    here = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    process = subprocess.Popen([sys.executable, "-m", "mjcli", *arguments], cwd=folder, env=here)
    status, most = Path(f"/proc/{process.pid}/status"), 0
    while process.poll() is None:
        found = PEAK.search(status.read_text())
        most = int(found[1]) if found else most
        time.sleep(0.01)
    assert process.returncode == 0
    return round(most / 1024), time.perf_counter() - start


def main(lines: int) -> None:
    """Measure every command line."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        write_hands(Path(folder) / "hands.txt", lines)
        for line, suffix in COMMANDS.items():
            arguments = [*line.split(), "-i", "hands.txt", "-o", f"answers{suffix}"]
            megabytes, seconds = measured(arguments, Path(folder))
            found[line] = {"megabytes": megabytes, "seconds": round(seconds, 1)}
    print(json.dumps({"lines": lines, "commands": found}, indent=1))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000)
