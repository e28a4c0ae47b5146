"""Time whole processes in pairs against ``python -c "import typer"`` and print the medians as JSON.

``python -m tests.bench.startup [RUNS]``, 20 unless said. Each run starts every process once, in turn, so that what else
the machine does falls on all alike.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time

BASE = "import typer"
PROCESSES = {
    "python": ["-c", "pass"],
    BASE: ["-c", BASE],
    "shanten": ["-m", "mjcli", "shanten", "123456789m1111z"],
    "waits": ["-m", "mjcli", "waits", "3333445566678s"],
    "discards": ["-m", "mjcli", "discards", "123m456p1223s7z"],
    "convert": ["-m", "mjcli", "convert", "123m456p77z"],
    "score": ["-m", "mjcli", "score", "333p555s77m44s,111z+7m", "--rules", "jipinghu"],
    "shanten --json": ["-m", "mjcli", "shanten", "123456789m1111z", "--json"],
    "shanten -f table": ["-m", "mjcli", "shanten", "123456789m1111z", "-f", "table"],
    "--help": ["-m", "mjcli", "--help"],
}


def main() -> None:
    """Print milliseconds and the ratio to ``import typer`` of each process."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    spent: dict[str, list[float]] = {name: [] for name in PROCESSES}
    for run in range(-1, runs):  # the first one, which compiles, does not count
        for name, arguments in PROCESSES.items():
            start = time.perf_counter()
            subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, env=environment)
            if run >= 0:
                spent[name].append(time.perf_counter() - start)
    base = statistics.median(spent[BASE])
    found = {
        name: {"ms": round(1000 * statistics.median(times), 1), "ratio": round(statistics.median(times) / base, 2)}
        for name, times in spent.items()
    }
    print(json.dumps({"runs": runs, "processes": found}, indent=2))


if __name__ == "__main__":
    main()
