"""Print as JSON how many hands a second are answered, beside ``xiangting`` and ``mahjong`` on the same hands in turn.

``python -m tests.bench.hands [HANDS]``: the hands of each class, 20,000 unless said; the slower questions get fewer.
Every figure is the median of five rounds; in a round each program takes its turn once. Answers are compared first.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import xiangting
from mahjong.shanten import Shanten

from mjcli.acceptance import acceptance, discards, waits
from mjcli.distance import shanten, shanten_of_text
from tests.bench.rounds import seconds_a_hand
from tests.hands import CLASSES, random_hand, ready_hand, text_of

FOUR = xiangting.PlayerCount.FOUR


def rates(programs: dict[str, tuple[Callable[[Any], object], Sequence[Any]]]) -> dict[str, int]:
    """Return how many hands a second each program answers."""
    return {name: round(1 / seconds) for name, seconds in seconds_a_hand(programs).items()}


def main(hands: int) -> None:
    """Measure every class."""
    found: dict[str, dict[str, dict[str, int]]] = {}
    for name in CLASSES:
        rng = Random(f"bench {name}")
        full = [random_hand(rng, name, 14) for _ in range(hands)]
        counts = [hand.counts() for hand in full]
        texts = list(map(text_of, counts))
        few, waiting = full[: hands // 20], [random_hand(rng, name, 13) for _ in range(hands // 20)]
        ready = [ready_hand(rng, name) for _ in range(hands // 20)]
        for hand, text in zip(counts[:500], texts, strict=False):
            answer = shanten(hand)
            assert answer == shanten_of_text(text) == xiangting.calculate_replacement_number(hand, FOUR) - 1
            assert answer == Shanten.calculate_shanten(hand)
        found[name] = {
            "shanten": rates(
                {
                    "mjcli counts": (shanten, counts),
                    "mjcli text": (shanten_of_text, texts),
                    "xiangting": (lambda hand: xiangting.calculate_replacement_number(hand, FOUR), counts),
                    "mahjong": (Shanten.calculate_shanten, counts[: hands // 20]),
                }
            ),
            "acceptance of 13": rates(
                {
                    "mjcli": (acceptance, waiting),
                    "xiangting": (
                        lambda hand: xiangting.calculate_necessary_tiles(hand, FOUR),
                        [hand.counts() for hand in waiting],
                    ),
                }
            ),
            "waits": rates({"mjcli": (waits, ready)}),
            "discards of 14": rates({"mjcli": (discards, few)}),
        }
    print(json.dumps({"python": sys.version.split()[0], "hands_a_second": found}, indent=1))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
