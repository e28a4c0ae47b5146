"""Print as JSON how many hands a second arrays answer, beside ``xiangting``, ``riichienv`` and ``mahjong`` in one run.

``python -m tests.bench.batch [HANDS]``: the hands of each class, 131,072 unless said; arrays are asked for the shanten
of four times as many. The other programs, called for a hand at a time, get a part of them. Every program takes its turn
once in each of 15 rounds. Figures are medians of processor time, ratios those to the program named, taken round by
round; beside them stands the ratio of the quickest rounds, which says more where other jobs share the processor's
cache. Answers are compared first, NumPy has one core.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from random import Random
from statistics import median
from typing import Any, Final

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is imported

import numpy as np
import riichienv
import xiangting
from mahjong.shanten import Shanten
from numpy.typing import NDArray

from mjcli.batch import BLOCK, acceptance, discards, read_lines, shanten, waits, write_shanten
from mjcli.hand import Hand
from mjcli.melds import Meld, MeldType
from mjcli.notation import format_hand
from tests.hands import random_hand, ready_hand, text_of

ROUNDS: Final = 15
PART: Final = 4_096
"""Hands of each class that the other programs answer in a round."""
CLASSES: Final = ("random", "half-flush", "flush", "one-meld", "two-melds", "three-melds", "four-melds")
FOUR: Final = xiangting.PlayerCount.FOUR

Program = tuple[Callable[[], object], int]
"""What is timed, and how many hands it answers."""


def blocks_of(texts: list[str], size: int = BLOCK) -> list[bytes]:
    """Return lines in blocks of about so many bytes."""
    whole = "".join(f"{text}\n" for text in texts).encode()
    found, start = [], 0
    while start < len(whole):
        end = whole.find(b"\n", min(len(whole) - 1, start + size)) + 1
        found.append(whole[start:end])
        start = end
    return found


def answered(blocks: list[bytes]) -> bytes:
    """Return the lines that ``mjcli shanten`` writes, of blocks of lines."""
    return b"".join(write_shanten(read_lines(block).shanten()) for block in blocks)


def riichienv_text(hand: Hand) -> str:
    """Return a hand in the notation of ``riichienv``, which wants melds in brackets with the place of the feeder."""
    return text_of(hand.counts()) + "".join(map(riichienv_meld, hand.melds))


def riichienv_meld(meld: Meld) -> str:
    if meld.type is MeldType.CHOW:
        return "(" + "".join(str(tile.rank) for tile in meld.tiles) + f"{meld.first.suit.value}0)"
    return f"({'k' if meld.type is MeldType.KONG else 'p'}{meld.first}1)"


def riichienv_shanten(text: str) -> int:
    """Return the shanten of a text by ``riichienv``."""
    return int(riichienv.calculate_shanten(riichienv.parse_hand(text)[0]))


def rates(programs: Mapping[str, Program], base: str = "") -> dict[str, Any]:
    """Return how many hands a second each program answers, and how many times as many as ``base`` the first does."""
    spent: dict[str, list[float]] = {name: [] for name in programs}
    for turn in range(-1, ROUNDS):  # the first one warms up
        for name, (question, hands) in programs.items():
            start = time.process_time()
            question()
            if turn >= 0:
                spent[name].append((time.process_time() - start) / hands)
    found: dict[str, Any] = {name: round(1 / median(times)) for name, times in spent.items()}
    if base:
        ours = next(iter(spent.values()))
        ratios = [theirs / mine for mine, theirs in zip(ours, spent[base], strict=True)]
        found[f"ratio to {base}"] = round(median(ratios), 1)
        found["ratio of quickest rounds"] = round(min(spent[base]) / min(ours), 1)
    return found


def each(question: Callable[[Any], object], hands: list[Any]) -> Program:
    """Return a program that answers one hand after the other."""

    def ask() -> None:
        for hand in hands:
            question(hand)

    return ask, len(hands)


def array_of(hands: list[Hand]) -> NDArray[np.uint8]:
    """Return the counts of hands."""
    return np.array([hand.counts() for hand in hands], np.uint8)


def varied(counts: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return four times as many hands: as they are, with the suits in another order, with the ranks reversed, both."""
    rotated = counts.copy()
    rotated[:, :27] = np.roll(counts[:, :27], 9, axis=1)
    two = np.concatenate((counts, rotated))
    mirrored = two.copy()
    mirrored[:, :27] = two[:, :27].reshape(-1, 3, 9)[:, :, ::-1].reshape(-1, 27)
    return np.concatenate((two, mirrored))


def measured(name: str, hands: int) -> dict[str, Any]:
    """Measure one class."""
    rng = Random(f"bench batch {name}")
    full = [random_hand(rng, name, 14) for _ in range(hands)]
    waiting = [random_hand(rng, name, 13) for _ in range(hands // 2)]
    ready = [ready_hand(rng, name) for _ in range(hands // 2)]
    counts, draws, holding = array_of(full), array_of(waiting), array_of(ready)
    blocks = blocks_of([format_hand(hand) for hand in full])
    few, many = full[:PART], varied(counts)
    lists, texts = [hand.counts() for hand in few], [riichienv_text(hand) for hand in few]
    lists_of_13 = [hand.counts() for hand in waiting[:PART]]

    found = shanten(counts).tolist()
    assert answered(blocks) == "".join(f"{number}\n" for number in found).encode()
    assert found[: len(few)] == [xiangting.calculate_replacement_number(hand, FOUR) - 1 for hand in lists]
    assert found[: len(few)] == list(map(riichienv_shanten, texts))
    accepted = acceptance(draws).left > 0
    for row, hand in enumerate(lists_of_13[:500]):
        flags = xiangting.to_array(xiangting.calculate_necessary_tiles(hand, FOUR)[1])
        assert np.array_equal(accepted[row], np.array(flags, bool))
    return {
        "shanten of arrays": rates(
            {
                "mjcli": (lambda: shanten(many), len(many)),
                "xiangting": each(lambda hand: xiangting.calculate_replacement_number(hand, FOUR), lists),
                "mahjong": each(Shanten.calculate_shanten, lists[: PART // 64]),
            },
            "xiangting",
        ),
        "shanten from text to text": rates(
            {"mjcli": (lambda: answered(blocks), hands), "riichienv": each(riichienv_shanten, texts)}, "riichienv"
        ),
        "acceptance of arrays of 13": rates(
            {
                "mjcli": (lambda: acceptance(draws), len(draws)),
                "xiangting": each(lambda hand: xiangting.calculate_necessary_tiles(hand, FOUR), lists_of_13),
            },
            "xiangting",
        ),
        "waits of arrays of 13": rates({"mjcli": (lambda: waits(holding), len(holding))}),
        "discards of arrays of 14": rates({"mjcli": (lambda: discards(counts[: len(few)]), len(few))}),
    }


def main(hands: int) -> None:
    """Measure every class."""
    found = {name: measured(name, hands) for name in CLASSES}
    versions = {"python": sys.version.split()[0], "numpy": np.__version__}
    print(json.dumps({**versions, "hands": hands, "hands_a_second": found}, indent=1))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 131_072)
