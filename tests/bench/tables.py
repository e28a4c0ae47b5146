"""Print as JSON how long the tables take to load and how large they are: ``python -m tests.bench.tables``."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.resources import files
from statistics import median

LOAD = """
import pkgutil
import time
import zlib
from mjcli.suits import load
start = time.perf_counter()
load()
print(time.perf_counter() - start)
"""


def main(runs: int = 15) -> None:
    """Load the tables in fresh processes."""
    seconds = [
        float(subprocess.run([sys.executable, "-c", LOAD], check=True, capture_output=True, text=True).stdout)
        for _ in range(runs)
    ]
    size = len(files("mjcli.suits").joinpath("tables.bin").read_bytes())
    print(json.dumps({"bytes": size, "load_ms": {"median": median(seconds) * 1e3, "least": min(seconds) * 1e3}}))


if __name__ == "__main__":
    main()
