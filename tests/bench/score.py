"""Print as JSON how long one hand takes to score, beside ``mahjong`` (riichi) and ``PyMahjongGB`` (MCR) in one run.

``python -m tests.bench.score [HANDS]``: random wins of 雞平和 and of 新章, 2,000 unless said, and the hands of
``tests/cases``.
Every figure is the median of five rounds, in microseconds a hand; in a round each program takes its turn once, on
values that are built already. The answers of the other programs are compared first, but for yakuman, which ``mahjong``
counts otherwise.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

from mahjong.hand_calculating.hand import HandCalculator
from MahjongGB import MahjongFanCalculator

from mjcli.hand import Line
from mjcli.notation import parse_line
from mjcli.ruleset import load_ruleset
from mjcli.scoring import score
from tests.bench.rounds import seconds_a_hand
from tests.random_guangdong import ALL_THEMES
from tests.random_guangdong import random_win as guangdong_win
from tests.random_wins import THEMES, random_win
from tests.scored_rows import Row, read_rows, ruleset_of
from tests.scoring_peers import gb_arguments, gb_total, riichi_arguments

CASES = Path(__file__).parents[1] / "cases"


def timings(programs: dict[str, tuple[Callable[..., object], Sequence[Any]]]) -> dict[str, float]:
    """Return the microseconds that each program takes for a hand."""
    return {name: round(1e6 * seconds, 1) for name, seconds in seconds_a_hand(programs).items()}


def lines_of(rows: list[Row]) -> list[Line]:
    """Return the hands of rows."""
    rules = ruleset_of(rows[0]["rules"])
    return [parse_line(row["line"], extra=rules.extra_words) for row in rows]


def main(hands: int) -> None:
    """Compare the answers, then measure."""
    jipinghu = load_ruleset("jipinghu")
    rng = Random("bench score")
    plain = [parse_line(random_win(rng, "any").line()) for _ in range(hands)]
    themed = [parse_line(random_win(rng, rng.choice(list(THEMES))).line()) for _ in range(hands)]
    xinzhang = load_ruleset("guangdong-xinzhang")
    mixed = [
        parse_line(win.line(), extra=xinzhang.extra_words)
        for win in (guangdong_win(rng, rng.choice(ALL_THEMES)) for _ in range(hands))
        if not win.win.liable  # the melds may say that somebody else is
    ]
    mcr_rows = list(read_rows(CASES / "mcr.jsonl.gz"))
    riichi_rows = list(read_rows(CASES / "riichi.jsonl.gz"))
    mcr, riichi = lines_of(mcr_rows), lines_of(riichi_rows)
    gb = list(map(gb_arguments, mcr))
    theirs = list(map(riichi_arguments, riichi))
    calculator = HandCalculator()

    def estimate(arguments: dict[str, Any]) -> Any:
        return calculator.estimate_hand_value(**arguments)

    agreed = {
        "PyMahjongGB": sum(gb_total(each) == row["fan"] for each, row in zip(gb, mcr_rows, strict=True)),
        "mahjong": sum(
            (answer.han, answer.fu) == (row["fan"], row["fu"])
            for answer, row in zip(map(estimate, theirs), riichi_rows, strict=True)
            if not row["yakuman"]
        ),
    }
    found = {
        "jipinghu": timings(
            {
                "mjcli, random": (lambda line: score(line, jipinghu), plain),
                "mjcli, all themes": (lambda line: score(line, jipinghu), themed),
                "mjcli, from text": (
                    lambda text: score(parse_line(text), jipinghu),
                    [random_win(rng, "any").line() for _ in range(hands)],
                ),
            }
        ),
        "guangdong-xinzhang": timings({"mjcli, all themes": (lambda line: score(line, xinzhang), mixed)}),
        "mcr": timings(
            {
                "mjcli": (lambda line: score(line, ruleset_of("mcr")), mcr),
                "PyMahjongGB": (lambda each: MahjongFanCalculator(*each), gb),
            }
        ),
        "riichi": timings(
            {
                "mjcli": (lambda line: score(line, ruleset_of("riichi")), riichi),
                "mahjong": (estimate, theirs),
            }
        ),
    }
    report = {
        "python": sys.version.split()[0],
        "agreed of 400 (riichi without yakuman)": agreed,
        "microseconds_a_hand": found,
    }
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2_000)
