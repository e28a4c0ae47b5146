"""Print as JSON how long hands take to be scored in arrays, beside ``PyMahjongGB`` (MCR) called for each in turn.

``python -m tests.bench.batch_score [HANDS]``: hands of each class that win in both, 20,000 unless said; the arrays hold
them repeated, to fill four chunks. Every figure is the median of five rounds, in nanoseconds of processor time a hand;
in a round each program takes its turn once. ``lines`` is what the itemised rows of ``mjcli score --format tsv`` take
beside scoring, ``text to rows`` what these take in all, from lines of text. The totals of both programs under MCR are
compared first.

Hands of malaysia-3p, with up to four jokers, are wins of played deals, and are measured beside ``mjcli.scoring.score``
called for each in turn: no other program scores them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from statistics import median
from time import process_time
from typing import Any, Final

import numpy as np
from MahjongGB import MahjongFanCalculator

from mjcli.batch import Scorer, hands_of, read_lines
from mjcli.batch.scores import CHUNK
from mjcli.cli.scored import ScoreLines
from mjcli.cli.workers import SCORED
from mjcli.hand import Line
from mjcli.notation import format_line, parse_line
from mjcli.ruleset import Ruleset, load_ruleset
from mjcli.scoring import score
from tests.bench.batch import blocks_of
from tests.plain_jipinghu import PlainWin
from tests.played import log_of
from tests.random_wins import THEMES, melded
from tests.scoring_peers import gb_arguments, gb_total
from tests.test_batch_scores import request_of

ROUNDS: Final = 5
JOKERS: Final = "malaysia-3p"
DEALS: Final = 1_000
CLASSES: Final = {
    "random": ("any", (0.0, 0.0, 0.3, 0.6)),
    "closed": ("any", (0.0,)),
    "melded": ("any", (0.4, 0.8)),
    "half flush": ("half flush", (0.0, 0.3)),
    "full flush": ("flush", (0.0,)),
}
"""Each class: the theme of its hands, and how likely a set is claimed, one rate being drawn for each hand."""


def wins(rng: Random, theme: str, rates: Sequence[float], count: int) -> list[Line]:
    """Return hands of a theme that PyMahjongGB takes."""
    found: list[Line] = []
    while len(found) < count:
        sets, pair = THEMES[theme](rng)
        hand, melds = melded(rng, sets, pair, rng.choice(rates), 0.05)
        tiles = [*hand, *(tile for meld in melds for tile in meld.tiles)]
        if any(tiles.count(tile) > 4 for tile in tiles):
            continue
        win = rng.choice(hand)
        hand.remove(win)
        seat, prevailing = rng.choice("ESWN"), rng.choice("ESWN")
        win_of = PlainWin(tuple(hand), melds, win, rng.random() < 0.35, seat=seat, round=prevailing)
        line = parse_line(win_of.line())
        try:
            gb_total(gb_arguments(line))
        except TypeError:
            continue
        found.append(line)
    return found


def in_turn(programs: dict[str, tuple[Callable[[], object], int]]) -> dict[str, float]:
    """Return the median nanoseconds a hand of each program, all of them run in turn."""
    times: dict[str, list[float]] = {name: [] for name in programs}
    for _ in range(ROUNDS):
        for name, (run, hands) in programs.items():
            start = process_time()
            run()
            times[name].append((process_time() - start) / hands)
    return {name: 1e9 * median(each) for name, each in times.items()}


def measured(lines: Sequence[Line], scorers: dict[str, Scorer], written: ScoreLines) -> dict[str, Any]:
    """Return what one class of hands takes."""
    gb = list(map(gb_arguments, lines))
    hands = hands_of(lines)
    many = hands.take(np.tile(np.arange(len(lines)), -(-4 * CHUNK // len(lines))))
    part = many.take(slice(CHUNK // 2))
    answered = written.scorer.score(part)
    programs: dict[str, tuple[Callable[[], object], int]] = {
        "PyMahjongGB": (lambda: [MahjongFanCalculator(*each) for each in gb], len(gb))
    }
    for name, scorer in scorers.items():
        programs[name] = (partial(scorer.score, many), len(many))
    programs["lines"] = (lambda: written.lines(part, answered), len(part))
    texts = [format_line(line) for line in lines] * -(-4 * SCORED // (40 * len(lines)))
    blocks = blocks_of(texts, SCORED)
    programs["text to rows"] = (lambda: rows_of(blocks, written), len(texts))
    found = in_turn(programs)
    return {
        "ns_a_hand": {name: round(each) for name, each in found.items()},
        "times PyMahjongGB": {name: round(found["PyMahjongGB"] / found[name], 2) for name in scorers},
        "one by one": {name: len(scorer.score(hands).one_by_one) for name, scorer in scorers.items()},
    }


def rows_of(blocks: Sequence[bytes], written: ScoreLines) -> int:
    """Return how many bytes the itemised rows of blocks of lines have."""
    size = 0
    for block in blocks:
        hands = read_lines(block, won=True).hands
        size += len(written.lines(hands, written.scorer.score(hands)).content)
    return size


def joker_wins(deals: int) -> list[Line]:
    """Return the wins of deals of malaysia-3p."""
    ruleset = load_ruleset(JOKERS)
    events = map(json.loads, log_of(JOKERS, (), "fast", 1, deals))
    texts = [event["hand"] for event in events if event["event"] == "win"]
    return [parse_line(text, extra=ruleset.extra_words, tiles=ruleset.tiles) for text in texts]


def with_jokers(lines: Sequence[Line]) -> dict[str, Any]:
    """Return what wins of malaysia-3p take, in all and by the jokers in the hand."""
    ruleset = load_ruleset(JOKERS)
    scorer, written = Scorer(ruleset), ScoreLines(ruleset, "tsv", request_of(ruleset, "en"))
    found: dict[str, Any] = {}
    for jokers in (None, *sorted({line.hand.jokers for line in lines})):
        some = [line for line in lines if jokers in (None, line.hand.jokers)]
        hands = hands_of(some)
        many = hands.take(np.tile(np.arange(len(some)), -(-CHUNK // len(some))))
        answered = written.scorer.score(many)
        taken = in_turn(
            {
                "one after another": (partial(each_in_turn, some, ruleset), len(some)),
                "arrays": (partial(scorer.score, many), len(many)),
                "lines": (partial(written.lines, many, answered), len(many)),
            }
        )
        found["all" if jokers is None else str(jokers)] = {
            "hands": len(some),
            "ns_a_hand": {name: round(each) for name, each in taken.items()},
            "times one after another": round(taken["one after another"] / taken["arrays"], 1),
            "one by one": len(scorer.score(hands).one_by_one),
        }
    return found


def each_in_turn(lines: Sequence[Line], ruleset: Ruleset) -> None:
    """Score lines one after another."""
    for line in lines:
        score(line, ruleset)


def agreed(lines: Sequence[Line], scorer: Scorer) -> float:
    """Return the share of hands of which PyMahjongGB gives the total that arrays give."""
    totals = scorer.score(hands_of(lines)).points.tolist()
    same = sum(gb_total(gb_arguments(line)) == total for line, total in zip(lines, totals, strict=True))
    return float(same) / len(lines)


def report(count: int) -> dict[str, Any]:
    """Return the comparison of the totals, and what every class takes."""
    rng = Random("bench batch score")
    xinzhang = load_ruleset("guangdong-xinzhang")
    mcr = Scorer(load_ruleset("mcr"))
    scorers = {
        "guangdong-xinzhang": Scorer(xinzhang),
        "jipinghu": Scorer(load_ruleset("jipinghu")),
        "hongkong": Scorer(load_ruleset("hongkong")),
        "mcr": mcr,
        "riichi": Scorer(load_ruleset("riichi")),
    }
    classes = {name: wins(rng, theme, rates, count) for name, (theme, rates) in CLASSES.items()}
    return {
        "hands": count,
        "agreed with PyMahjongGB": {name: round(agreed(lines, mcr), 4) for name, lines in classes.items()},
        "classes": {
            name: measured(lines, scorers, ScoreLines(xinzhang, "tsv", request_of(xinzhang, "en")))
            for name, lines in classes.items()
        },
        JOKERS: with_jokers(joker_wins(DEALS)),
    }


def main(count: int) -> None:
    """Compare the totals, then measure."""
    print(json.dumps({"python": sys.version.split()[0], "numpy": np.__version__, **report(count)}, indent=1))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
