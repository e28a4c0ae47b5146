"""Print as JSON how long a ruleset takes to load, beside what PyYAML takes to compose the same files alone.

``python -m tests.bench.load [RULESET] [RUNS]``: guangdong-xinzhang and 15 runs unless said. Each run is a new process
for every way of loading, in turn, which has imported ``yaml`` and ``mjcli.ruleset`` before it looks at the clock:
``cold`` imports the compiler, reads, compiles and writes the cache; ``cached`` takes that; ``again`` is a second cold
load in one process; ``first hand`` compiles the generated source, which waits for the first hand that is scored, writes
it to the cache, and scores; ``first hand, cached`` takes the source that this left. The milliseconds are medians, of
the clock and of the time that the process itself was given.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from statistics import median

CLOCKED = """
import time
wall, cpu = time.perf_counter(), time.process_time()
{work}
print(1000 * (time.perf_counter() - wall), 1000 * (time.process_time() - cpu))
"""
LOAD = "load_ruleset({name!r})"
UNCACHED = "load_ruleset({name!r}, cache=False)"
COMPOSE = "for text in texts: yaml.compose(text, Loader=yaml.CBaseLoader)"
BEFORE = """
import yaml
from pathlib import Path
from mjcli.ruleset import load_ruleset
from mjcli.ruleset.cache import cache_entry
from mjcli.ruleset.paths import ruleset_path
cache_entry(ruleset_path({name!r}), {{}})
"""
TEXTS = """
from mjcli.ruleset.layers import Sources
sources = Sources()
sources.read(ruleset_path({name!r}))
texts = [content.decode() for _, content in sources.contents]
"""
SCORE = """
from mjcli.notation import parse_line
from mjcli.scoring import score
ruleset, line = load_ruleset({name!r}), parse_line("123m456p789s111z5z+5z")
score(line, load_ruleset("jipinghu", cache=False))
"""
WAYS = {
    "cold": BEFORE + CLOCKED.format(work=LOAD),
    "cached": BEFORE + CLOCKED.format(work=LOAD),
    "first hand": BEFORE + SCORE + CLOCKED.format(work="score(line, ruleset)"),
    "first hand, cached": BEFORE + SCORE + CLOCKED.format(work="score(line, ruleset)"),
    "again": BEFORE
    + "load_ruleset({name!r}, cache=False)"
    + CLOCKED.format(work="load_ruleset({name!r}, cache=False)"),
    "compose alone": BEFORE + TEXTS + CLOCKED.format(work=COMPOSE),
}
"""Programs, in the order in which they find and leave a cache that was empty."""


def main(name: str, runs: int) -> None:
    """Print milliseconds, and the ratios to composing the files alone."""
    spent: dict[str, list[tuple[float, float]]] = {way: [] for way in WAYS}
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    for run in range(-1, runs):  # the first one, which compiles mjcli itself, does not count
        with tempfile.TemporaryDirectory() as folder:
            for way, program in WAYS.items():
                clock, own = subprocess.run(
                    [sys.executable, "-c", program.format(name=name)],
                    env={**environment, "MJCLI_CACHE_DIR": folder},
                    check=True,
                    capture_output=True,
                    text=True,
                ).stdout.split()
                if run >= 0:
                    spent[way].append((float(clock), float(own)))
    medians = {way: [median(column) for column in zip(*times, strict=True)] for way, times in spent.items()}
    alone = medians["compose alone"][1]
    found = {
        way: {"ms": round(clock, 1), "ms of the process": round(own, 1), "ratio": round(own / alone, 2)}
        for way, (clock, own) in medians.items()
    }
    print(json.dumps({"python": sys.version.split()[0], "ruleset": name, "runs": runs, "ways": found}, indent=1))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "guangdong-xinzhang", int(sys.argv[2]) if len(sys.argv) > 2 else 15)
