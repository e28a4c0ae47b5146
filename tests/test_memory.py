"""However long the input is, the memory that a command takes is bounded."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from mjcli.notation import format_hand, format_line
from tests.bench.batch_score import CLASSES, wins
from tests.bench.memory import measured
from tests.hands import random_hand

MOST = 500
"""MB, for ten million lines."""


@pytest.mark.longest
@pytest.mark.parametrize(
    ("command", "lines"),
    [
        ("shanten", 1_000_000),
        ("waits -f csv", 500_000),
        ("discards", 100_000),
        ("discards -f jsonl", 20_000),
        ("score --rules guangdong-xinzhang -f tsv", 300_000),
    ],
)
def test_three_times_as_many_lines_take_no_more_memory(command: str, lines: int, tmp_path: Path) -> None:
    rng = Random(f"memory {command}")
    if command.startswith("score"):
        texts = list(map(format_line, wins(rng, *CLASSES["random"], 2_000)))
    else:
        texts = [format_hand(random_hand(rng, "random", 14)) for _ in range(2_000)]
    part = "".join(f"{text}\n" for text in texts)
    found = []
    for name, times in (("one", 1), ("three", 3)):
        (tmp_path / name).write_text(part * (lines * times // len(texts)))
        megabytes, _ = measured([*command.split(), "--jobs", "1", "-i", name, "-o", "answers"], tmp_path)
        found.append(megabytes)
    assert 0 < max(found) < MOST
    assert found[1] < found[0] + 30
