"""Programs timed in turn, so that what else the machine does falls on all alike."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Any, Final

__all__ = ["seconds_a_hand"]

ROUNDS: Final = 5


def seconds_a_hand(programs: Mapping[str, tuple[Callable[..., object], Sequence[Any]]]) -> dict[str, float]:
    """Return the median over the rounds of the seconds that each program takes for one of its hands.

    Args:
        programs: by name, a question and the hands in the form in which this program takes them; in a round each
            program takes its turn once.
    """
    spent: dict[str, list[float]] = {name: [] for name in programs}
    for _ in range(ROUNDS):
        for name, (question, hands) in programs.items():
            start = time.perf_counter()
            for hand in hands:
                question(hand)
            spent[name].append((time.perf_counter() - start) / len(hands))
    return {name: median(times) for name, times in spent.items()}
