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

from mahjong.constants import EAST, NORTH, SOUTH, WEST
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.meld import Meld as TheirMeld
from MahjongGB import MahjongFanCalculator

from mjcli.hand import Line
from mjcli.melds import MeldType, Seat
from mjcli.notation import parse_line
from mjcli.ruleset import load_ruleset
from mjcli.scoring import score
from mjcli.tiles import Tile
from tests.bench.rounds import seconds_a_hand
from tests.random_guangdong import ALL_THEMES
from tests.random_guangdong import random_win as guangdong_win
from tests.random_wins import THEMES, random_win
from tests.scored_rows import Row, read_rows, ruleset_of

CASES = Path(__file__).parents[1] / "cases"
WINDS = {"E": EAST, "S": SOUTH, "W": WEST, "N": NORTH}


def timings(programs: dict[str, tuple[Callable[..., object], Sequence[Any]]]) -> dict[str, float]:
    """Return the microseconds that each program takes for a hand."""
    return {name: round(1e6 * seconds, 1) for name, seconds in seconds_a_hand(programs).items()}


def lines_of(rows: list[Row]) -> list[Line]:
    """Return the hands of rows."""
    rules = ruleset_of(rows[0]["rules"])
    return [parse_line(row["line"], extra=rules.extra_words) for row in rows]


# MCR


def gb_arguments(line: Line) -> tuple[Any, ...]:
    """Return a win as ``MahjongFanCalculator`` takes it."""
    hand, context = line.hand, line.context
    names = {MeldType.CHOW: "CHI", MeldType.PUNG: "PENG", MeldType.KONG: "GANG"}
    packs = tuple(
        (names[meld.type], gb_tile(meld.stands_for[1]), 0 if meld.type is MeldType.KONG and not meld.exposed else 1)
        for meld in hand.melds
    )
    assert hand.win is not None
    return (
        packs,
        tuple(map(gb_tile, hand.concealed)),
        gb_tile(hand.win),
        len(hand.bonus),
        line.self_drawn,
        context.last_of_kind,
        bool(context.kong_draw or context.rob_kong),
        context.last_tile,
        Seat(context.seat or "S").number,
        Seat(context.round or "E").number,
        True,
    )


def gb_tile(tile: Tile) -> str:
    """Return a tile as that program writes it: F1-F4 the winds, J1-J3 red, green, white."""
    if tile.suit == "z":
        return f"F{tile.rank}" if tile.rank <= 4 else f"J{8 - tile.rank}"
    return f"{ {'m': 'W', 'p': 'B', 's': 'T'}[tile.suit.value] }{tile.rank}".replace(" ", "")


def gb_total(arguments: tuple[Any, ...]) -> int:
    return sum(points * count for points, count, *_ in MahjongFanCalculator(*arguments))


# riichi


def riichi_arguments(line: Line) -> dict[str, Any]:
    """Return a win as ``HandCalculator`` takes it: tiles as 0-135, the reds the first of their four."""
    hand, context = line.hand, line.context
    left: dict[tuple[int, bool], list[int]] = {}

    def number(tile: Tile) -> int:
        kind = 9 * "mpsz".index(tile.suit) + tile.rank - 1
        copies = list(range(4 * kind, 4 * kind + 4))
        five = tile.rank == 5 and tile.suit != "z"
        pool = left.setdefault((kind, tile.red), copies[:1] if tile.red else copies[1:] if five else copies)
        return pool.pop()

    extra = dict(context.extra)
    assert hand.win is not None
    win = number(hand.win)
    tiles = [win, *map(number, hand.concealed)]
    melds = []
    for meld in hand.melds:
        members = list(map(number, meld.tiles))
        tiles += members
        name = {MeldType.CHOW: TheirMeld.CHI, MeldType.PUNG: TheirMeld.PON, MeldType.KONG: TheirMeld.KAN}[meld.type]
        melds.append(TheirMeld(name, members, opened=meld.exposed))
    drawn = line.self_drawn
    return {
        "tiles": tiles,
        "win_tile": win,
        "melds": melds,
        "dora_indicators": [4 * each.kind + 3 for each in said(extra, "dora")],
        "ura_dora_indicators": [4 * each.kind + 3 for each in said(extra, "ura-dora")],
        "config": HandConfig(
            is_tsumo=drawn,
            is_riichi="riichi" in extra,
            is_daburu_riichi="double-riichi" in extra,
            is_ippatsu="ippatsu" in extra,
            is_rinshan=bool(context.kong_draw),
            is_haitei=context.last_tile and drawn,
            is_houtei=context.last_tile and not drawn,
            player_wind=WINDS[context.seat or "S"],
            round_wind=WINDS[context.round or "E"],
            options=OptionalRules(has_open_tanyao=True, has_aka_dora=True),
        ),
    }


def said(extra: dict[str, Any], word: str) -> tuple[Tile, ...]:
    found = extra.get(word, ())
    return found if isinstance(found, tuple) else ()


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
