"""Print as JSON how long whole commands take over files, beside a short script over ``riichienv``, in one run.

``python -m tests.bench.commands [ROUNDS]``: 5 rounds unless said. Every process, start and end included, takes its turn
once in each of them, on one core. Figures are medians of processor time and of time on the clock, in seconds; ratios
are taken round by round. What both write is compared first. ``mjcli score`` has no peer that reads files of hands.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, Final

from mjcli.notation import format_hand, format_line
from tests.bench.batch import riichienv_text
from tests.bench.batch_score import CLASSES, wins
from tests.hands import random_hand

LINES: Final = (200_000, 1_000_000)
SCORED: Final = (300_000, 1_000_000)
DIFFERENT: Final = 20_000
DIFFERENT_WINS: Final = 100_000
"""How many hands, and wins, are drawn; the files hold them again and again."""

SCRIPT: Final = """
import sys
import riichienv
with open(sys.argv[1]) as hands, open(sys.argv[2], "w") as answers:
    for line in hands:
        answers.write(f"{riichienv.calculate_shanten(riichienv.parse_hand(line.rstrip())[0])}\\n")
"""
MJCLI: Final = [sys.executable, "-m", "mjcli"]


def repeated(path: Path, texts: Sequence[str], lines: int) -> Path:
    """Write some texts again and again; return the path."""
    with path.open("w") as file:
        for start in range(0, lines, len(texts)):
            file.writelines(f"{text}\n" for text in texts[: lines - start])
    return path


def spent(arguments: Sequence[str]) -> tuple[float, float]:
    """Return the processor time and the time on the clock that a process took, in seconds."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    start = time.perf_counter()
    process = subprocess.Popen(arguments, env={**environment, "OPENBLAS_NUM_THREADS": "1"})
    _, status, usage = os.wait4(process.pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    return usage.ru_utime + usage.ru_stime, time.perf_counter() - start


def in_turn(programs: Mapping[str, Sequence[str]], lines: int, rounds: int) -> dict[str, Any]:
    """Return what each program takes, and how many times as long as the first one the last one takes."""
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in programs}
    for turn in range(-1, rounds):  # the first one warms up
        for name, arguments in programs.items():
            found = spent(arguments)
            if turn >= 0:
                times[name].append(found)
    report: dict[str, Any] = {}
    for name, each in times.items():
        processor, clock = (round(median(column), 3) for column in zip(*each, strict=True))
        report[name] = {"processor": processor, "clock": clock, "lines a second": round(lines / processor)}
    if len(times) > 1:
        first, *_, last = times.values()
        report["ratio"] = round(median(theirs[0] / ours[0] for ours, theirs in zip(first, last, strict=True)), 2)
    return report


def shanten(folder: Path, name: str, lines: int, rounds: int) -> dict[str, Any]:
    """Measure ``mjcli shanten`` on a file of hands of one class."""
    rng = Random(f"bench commands {name}")
    hands = [random_hand(rng, name, 14) for _ in range(DIFFERENT)]
    given = repeated(folder / "given", list(map(format_hand, hands)), lines)
    theirs = repeated(folder / "theirs", list(map(riichienv_text, hands)), lines)
    programs = {
        "mjcli": [*MJCLI, "shanten", "--jobs", "1", "--quiet", "--input", str(given), "--output", str(folder / "a")],
        "riichienv": [sys.executable, "-c", SCRIPT, str(theirs), str(folder / "b")],
    }
    found = in_turn(programs, lines, rounds)
    assert (folder / "a").read_bytes() == (folder / "b").read_bytes()
    return found


def scored(folder: Path, name: str, rounds: int) -> dict[str, Any]:
    """Measure ``mjcli score --format tsv`` on files of hands of one class."""
    texts = list(map(format_line, wins(Random(f"bench commands {name}"), *CLASSES[name], DIFFERENT_WINS)))
    options = ["--rules", "guangdong-xinzhang", "--format", "tsv", "--jobs", "1", "--quiet"]
    found = {}
    for lines in SCORED:
        files = ["--input", str(repeated(folder / "given", texts, lines)), "--output", str(folder / "a")]
        found[str(lines)] = in_turn({"mjcli": [*MJCLI, "score", *options, *files]}, lines, rounds)
    return found


def report(rounds: int) -> dict[str, Any]:
    """Return what both commands take."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        kinds = ("random", "two-melds")
        return {
            "shanten": {kind: {str(lines): shanten(folder, kind, lines, rounds) for lines in LINES} for kind in kinds},
            "score guangdong-xinzhang": {kind: scored(folder, kind, rounds) for kind in CLASSES},
        }


def main(rounds: int) -> None:
    """Measure both commands."""
    print(json.dumps({"python": sys.version.split()[0], "rounds": rounds, "commands": report(rounds)}, indent=1))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
