"""Print as JSON how long wins take in arrays, beside ``mahjong`` and ``riichienv`` (riichi) and ``PyMahjongGB`` (MCR).

``python -m tests.bench.score_peers [ROUNDS]``: 7 rounds unless said; each program takes its turn once in each of them,
on the wins of ``tests/cases`` that come from played deals. The arrays hold these repeated, to fill four chunks, and the
others are called for each win in turn, with arguments that are made beforehand. Figures are medians of processor time
in nanoseconds a hand, ratios are taken round by round. How many answers agree is counted first.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any, Final

import numpy as np
import riichienv
from mahjong.hand_calculating.hand import HandCalculator
from MahjongGB import MahjongFanCalculator

from mjcli.batch import Scorer, hands_of
from mjcli.batch.scores import CHUNK
from mjcli.hand import Line
from mjcli.melds import MeldType
from mjcli.notation import parse_line
from tests.scored_rows import Row, read_rows, ruleset_of
from tests.scoring_peers import gb_arguments, gb_total, riichi_arguments

CASES: Final = Path(__file__).parents[1] / "cases"

Program = tuple[Callable[[], object], int]
"""What is timed, and how many hands it answers."""


def each(question: Callable[[Any], object], arguments: Sequence[Any]) -> Program:
    """Return a program that answers one hand after the other."""
    return lambda: [question(one) for one in arguments], len(arguments)


def in_turn(programs: Mapping[str, Program], rounds: int) -> dict[str, Any]:
    """Return the nanoseconds a hand of each program, and how many times as long as the first one each takes."""
    spent: dict[str, list[float]] = {name: [] for name in programs}
    for turn in range(-1, rounds):  # the first one warms up
        for name, (question, hands) in programs.items():
            start = time.process_time()
            question()
            if turn >= 0:
                spent[name].append((time.process_time() - start) / hands)
    first = next(iter(spent.values()))
    ratios = {
        f"times {name}": round(median(theirs / ours for ours, theirs in zip(first, times, strict=True)), 1)
        for name, times in list(spent.items())[1:]
    }
    return {**{name: round(1e9 * median(times)) for name, times in spent.items()}, **ratios}


def arrays(lines: Sequence[Line], rules: str) -> tuple[Program, int]:
    """Return what scores lines in arrays, and how many of the lines it scores one by one."""
    scorer = Scorer(ruleset_of(rules))
    hands = hands_of(lines)
    many = hands.take(np.tile(np.arange(len(lines)), -(-4 * CHUNK // len(lines))))
    return (lambda: scorer.score(many), len(many)), len(scorer.score(hands).one_by_one)


def riichienv_arguments(line: Line) -> tuple[Any, ...]:
    """Return a win as ``HandEvaluator`` takes it, and the arguments of its ``calc``."""
    theirs = riichi_arguments(line)
    config, meld_types = theirs["config"], riichienv.MeldType
    melds = []
    for meld, said in zip(line.hand.melds, theirs["melds"], strict=True):
        kong = meld_types.Kakan if meld.added else meld_types.Daiminkan if meld.exposed else meld_types.Ankan
        names = {MeldType.CHOW: meld_types.Chi, MeldType.PUNG: meld_types.Pon, MeldType.KONG: kong}
        melds.append(riichienv.Meld(names[meld.type], list(said.tiles), meld.exposed))
    laid = {tile for meld in melds for tile in meld.tiles}
    conditions = riichienv.Conditions(
        tsumo=config.is_tsumo,
        riichi=config.is_riichi or config.is_daburu_riichi,
        double_riichi=config.is_daburu_riichi,
        ippatsu=config.is_ippatsu,
        haitei=config.is_haitei,
        houtei=config.is_houtei,
        rinshan=config.is_rinshan,
        chankan=config.is_chankan,
        tsumo_first_turn=config.is_tenhou or config.is_chiihou,
        player_wind="ESWN".index(line.context.seat or "S"),
        round_wind="ESWN".index(line.context.round or "E"),
    )
    own = [tile for tile in theirs["tiles"] if tile not in laid]
    return own, melds, theirs["win_tile"], theirs["dora_indicators"], conditions, theirs["ura_dora_indicators"]


def riichienv_score(arguments: tuple[Any, ...]) -> Any:
    """Return the result that ``riichienv`` gives."""
    tiles, melds, *others = arguments
    return riichienv.HandEvaluator(tiles, melds).calc(*others)


def lines_of(rows: Sequence[Row]) -> list[Line]:
    """Return the hands of rows."""
    rules = ruleset_of(rows[0]["rules"])
    return [parse_line(row["line"], extra=rules.extra_words) for row in rows]


def riichi(rounds: int) -> dict[str, Any]:
    """Measure riichi."""
    rows = list(read_rows(CASES / "riichi.jsonl.gz"))
    lines = lines_of(rows)
    calculator = HandCalculator()
    theirs, arguments = list(map(riichi_arguments, lines)), list(map(riichienv_arguments, lines))
    answers = {
        "mahjong": [calculator.estimate_hand_value(**one) for one in theirs],
        "riichienv": list(map(riichienv_score, arguments)),
    }
    plain = [place for place, row in enumerate(rows) if not row["yakuman"]]
    agreed = {
        name: sum((found[at].han, found[at].fu) == (rows[at]["fan"], rows[at]["fu"]) for at in plain)
        for name, found in answers.items()
    }
    ours, one_by_one = arrays(lines, "riichi")
    programs = {
        "mjcli": ours,
        "mahjong": each(lambda one: calculator.estimate_hand_value(**one), theirs),
        "riichienv": each(riichienv_score, arguments),
    }
    return {"wins": len(rows), "agreed, without yakuman": {"of": len(plain), **agreed}, "one by one": one_by_one} | {
        "ns a hand": in_turn(programs, rounds)
    }


def mcr(rounds: int) -> dict[str, Any]:
    """Measure MCR."""
    rows = list(read_rows(CASES / "mcr.jsonl.gz"))
    lines = lines_of(rows)
    theirs = list(map(gb_arguments, lines))
    agreed = sum(gb_total(one) == row["fan"] for one, row in zip(theirs, rows, strict=True))
    ours, one_by_one = arrays(lines, "mcr")
    programs = {"mjcli": ours, "PyMahjongGB": each(lambda one: MahjongFanCalculator(*one), theirs)}
    return {"wins": len(rows), "agreed": agreed, "one by one": one_by_one, "ns a hand": in_turn(programs, rounds)}


def main(rounds: int) -> None:
    """Measure both rulesets."""
    versions = {"python": sys.version.split()[0], "numpy": np.__version__, "rounds": rounds}
    print(json.dumps({**versions, "riichi": riichi(rounds), "mcr": mcr(rounds)}, indent=1))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 7)
