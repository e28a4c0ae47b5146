"""Riichi: every option, and random wins beside another program."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random
from shlex import split
from typing import Any, Final

import pytest
from mahjong.hand_calculating.hand import HandCalculator

from mjcli.errors import HandError, InputError, NotationError
from mjcli.hand import Context, Line
from mjcli.melds import Relation, Seat
from mjcli.notation import format_line, parse_line, parse_tiles
from mjcli.ruleset import load_ruleset
from mjcli.scoring import Score, score
from mjcli.tiles import tile
from tests.cases import by_case
from tests.flower_cases import cases_of, wrong_answers
from tests.plain import random_win
from tests.scored_rows import read_rows
from tests.scoring_peers import riichi_arguments
from tests.test_cli_cases import run

TESTS: Final = Path(__file__).parent

WORDS: Final[dict[str, tuple[Any, ...]]] = {
    "riichi": (True,),
    "double-riichi": (True,),
    "ippatsu": (True,),
    "dora": ((tile("4m"), tile("1z")), (tile("9s"),)),
    "ura-dora": ((tile("7z"), tile("7z")),),
}
RIICHI: Final = load_ruleset("riichi")
FIVES: Final = tuple(map(tile, ("5m", "5p", "5s")))


def scored(line: str, options: dict[str, str] | None = None) -> Score:
    ruleset = load_ruleset("riichi", options)
    return score(parse_line(line, extra=ruleset.extra_words, tiles=ruleset.tiles), ruleset)


def can_be(line: Line) -> bool:
    """Return whether the tiles of a line are those of a set with red fives."""
    hand = line.hand
    tiles = [*hand.concealed, hand.win, *(each for meld in hand.melds for each in meld.tiles)]
    return not any(tiles.count(five) == 4 for five in FIVES)  # one of them is red


def win(rng: Random) -> Line:
    """Return a win that the other program takes."""
    while True:
        line = random_win(rng, WORDS)
        try:
            parse_line(format_line(line), extra=RIICHI.extra_words, tiles=RIICHI.tiles)
            if can_be(line) and score(line, RIICHI).complete:
                return line
        except InputError:
            continue


@pytest.mark.parametrize("wins", [400, pytest.param(50_000, marks=pytest.mark.long)])
def test_random_wins_score_as_by_another_program(wins: int) -> None:
    """Fan, fu and points, and how many yakuman there are."""
    rng = Random("wins of riichi")
    calculator = HandCalculator()
    for _ in range(wins):
        line = win(rng)
        theirs = calculator.estimate_hand_value(**riichi_arguments(line))
        ours = score(line, RIICHI)
        assert ours.can_win == (theirs.error is None), format_line(line)
        if ours.steps["yakuman"]:
            assert theirs.han == 13 * ours.steps["yakuman"], format_line(line)
        elif theirs.cost is not None:
            assert (ours.fan, ours.steps["fu"]) == (theirs.han, theirs.fu), format_line(line)
            more = 2 * theirs.cost["additional"] if line.self_drawn else 0
            assert ours.points == theirs.cost["main"] + more, format_line(line)


CASES: Final = cases_of("riichi")


@by_case(CASES)
def test_case(case: dict[str, Any]) -> None:
    assert wrong_answers("riichi", case) == {}


NEVER_TOGETHER: Final = {
    "li_zhi": "liang_li_zhi",
    "ping_hu": "fu_wait fu_pair fu_pungs fu_self_draw xiao_qi_dui dui_dui_hu san_yuan_pai men_feng quan_feng",
    "duan_yao": "quan_dai_yao junchan hun_yao_jiu san_yuan_pai men_feng quan_feng hun_yi_se xiao_san_yuan qing_long",
    "iipeikou": "ryanpeikou xiao_qi_dui dui_dui_hu",
    "ryanpeikou": "xiao_qi_dui dui_dui_hu san_se_san_tong_shun qing_long",
    "hai_di": "he_di gang_shang_hua qiang_gang",
    "he_di": "gang_shang_hua qiang_gang menzen_tsumo",
    "gang_shang_hua": "qiang_gang yi_fa",
    "qiang_gang": "menzen_tsumo fu_self_draw",
    "quan_dai_yao": "junchan hun_yao_jiu qing_yi_se",
    "junchan": "hun_yao_jiu hun_yi_se xiao_qi_dui",
    "hun_yi_se": "qing_yi_se san_se_san_tong_shun san_tong_ke",
    "qing_yi_se": "san_se_san_tong_shun san_tong_ke",
    "xiao_qi_dui": "dui_dui_hu san_an_ke quan_dai_yao xiao_san_yuan",
    "san_se_san_tong_shun": "qing_long san_tong_ke dui_dui_hu",
    "fu_closed_discard": "fu_self_draw menzen_tsumo",
    "di_hu": "tian_hu",
}
"""By pattern: what the rules of riichi never count with it."""


@pytest.mark.parametrize("wins", [100, pytest.param(50_000, marks=pytest.mark.long)])
def test_what_cannot_be_together_never_counts_together(wins: int) -> None:
    """Beside a yakuman nothing but yakuman counts; without a pattern of value there are no dora in the fan."""
    names = {each.id for each in RIICHI.patterns}
    assert {name for each in NEVER_TOGETHER.items() for name in " ".join(each).split()} <= names
    lines = [row["line"] for row in read_rows(TESTS / "cases" / "riichi.jsonl.gz")]
    lines += [case["line"] for case in CASES if not {"options", "error", "complete"} & case.keys()]
    rng = Random("riichi together")
    known = [parse_line(line, extra=RIICHI.extra_words, tiles=RIICHI.tiles) for line in lines]
    counted = set()
    for line in (*known, *(win(rng) for _ in range(wins))):
        found = score(line, RIICHI)
        counts = {each.pattern.id for each in found.patterns}
        groups = {each.pattern.group for each in found.patterns}
        counted |= counts
        wrong = [(one, two) for one in counts for two in NEVER_TOGETHER.get(one, "").split() if two in counts]
        assert not wrong, format_line(line)
        assert "yakuman" not in groups or groups == {"yakuman"}, format_line(line)
        assert "yaku" in groups or found.fan in (0, 13 * found.steps["yakuman"]), format_line(line)
    assert names - counted == set()


@by_case([case for case in CASES if case.get("payments")])
def test_payments_sum_to_zero_from_every_seat(case: dict[str, Any]) -> None:
    """With the winner in each seat, and each player known or not to have discarded."""
    ruleset = load_ruleset("riichi", case.get("options"))
    line = parse_line(case["line"], extra=ruleset.extra_words, tiles=ruleset.tiles)
    sources = (None,) if line.self_drawn else (None, *Relation)
    for seat, source in product(Seat, sources):
        liable = line.context.liable
        said = {"liable": Relation.RIGHT} if liable and not (line.self_drawn and any_fed(line)) else {"liable": None}
        found = score(replace(line, context=replace(line.context, seat=seat, source=source, **said)), ruleset)
        received = dict(found.payments)
        assert sum(received.values()) + received.get("other", 0) == 0
        assert max(received.values()) == received[seat.value if "E" in received else "winner"]


def any_fed(line: Line) -> bool:
    return any(meld.feeder for meld in line.hand.melds)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "66m123p23567s,777m+1s riichi",
            "'riichi' is declared with a concealed hand, and a set is claimed",
        ),
        ("678m3466p234789s+2p ippatsu", "'ippatsu' needs 'riichi' or 'double-riichi'"),
        ("678m3466p234789s+2p ura-dora=1z", "'ura-dora=' needs 'riichi' or 'double-riichi'"),
        (
            "66m123p23567s,7777m++1s last-tile kong-draw",
            "'last-tile' contradicts 'kong-draw': a replacement comes from the dead wall",
        ),
        (
            "678m3466p234789s+2p liable=W",
            "'liable=' needs melds of three dragons or four winds, or what else the options make somebody liable for",
        ),
    ],
)
def test_a_hand_that_contradicts_itself_is_told_why(line: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        scored(line)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("66m123p23567s,7777m+1s riichi dora=1m7m", "5 copies of '7m', where a set has 4 at column 38"),
        ("66m123p23567s777m+1s riichi seen=7m dora=7m", "5 copies of '7m', where a set has 4 at column 42"),
        ("340m3466p234789s+2p riichi dora=0m", "2 copies of '0m', where a set has 1 at column 33"),
        ("678m3466p234789s+2p riichi dora=0m ura-dora=0m", "2 copies of '0m', where a set has 1 at column 45"),
        ("678m3466p234789s+2p dora=1f", "'1f' is not among the tiles of this ruleset at column 26"),
    ],
)
def test_indicators_are_tiles_of_the_same_set(line: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        scored(line)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("line", "indicator", "message"),
    [
        ("66m123p23567s,7777m+1s", "7m", "5 copies of '7m', the indicators included; riichi has 4"),
        ("340m3466p234789s+2p", "0m", "2 copies of '0m'; riichi has 1"),
        ("678m3466p234789s+2p", "1f", "'1f' is not among the tiles of riichi"),
    ],
)
def test_so_they_are_in_a_line_that_was_not_read_from_text(line: str, indicator: str, message: str) -> None:
    hand = parse_line(line, tiles=RIICHI.tiles).hand
    with pytest.raises(HandError) as caught:
        score(Line(hand=hand, context=Context(extra=(("dora", parse_tiles(indicator)),))), RIICHI)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("waits '66m123p23567s,777m seen=4s dora=14s'", "1s:3 4s:2\n"),
        ("waits 66m123p23567s,777m --dora 14s1s", "1s:2 4s:3\n"),
        ("waits '66m123p23567s,777m dora=4444s'", "1s:4\n"),
        ("discards '66m123p23567s,777m dora=14s ura-dora=4s'", "0 1s:3 4s:2\n"),
        ("discards '66m123p235679s,777m dora=14s'", "9s 0 1s:3 4s:3; "),
    ],
)
def test_indicators_are_no_longer_in_the_wall(command: str, answer: str) -> None:
    assert run([*split(command), "--rules", "riichi"]).stdout.startswith(answer)


@pytest.mark.parametrize("line", ["00p123m456789s555z", "340p7z++7z,055p,123m,777s"])
def test_a_red_five_too_many_is_refused_however_it_was_read(line: str) -> None:
    with pytest.raises(InputError, match="2 copies of '0p'; riichi has 1"):
        score(parse_line(line), load_ruleset("riichi"))


RON: Final = "678m3466p234789s+2p"
"""Pinfu and nothing else."""

TANYAO: Final = "44m23p,678s,234s,345m+4p"
WINDS_PAIR: Final = "67m111p345567s22z+8m riichi round=S"
"""30 fu, 8 of the concealed pung, and those of the pair of seat and round wind."""

FOUR: Final = "234567m23456p33s+7p riichi ippatsu"
"""Four fan, 30 fu."""

COUNTED: Final = "2233445567788p+6p riichi dora=1p"
"""Fourteen fan."""

WINDS_AND_DRAGONS: Final = "4z666777z,555z,111z+4z"


@pytest.mark.parametrize(
    ("line", "options", "steps"),
    [
        ("99m23p,678s,234s,345m+4p", {}, {"fan": 0, "basic": 0}),
        (TANYAO, {}, {"fan": 1, "fu": 30, "points": 1000}),
        (TANYAO, {"open_tanyao": "false"}, {"fan": 0, "basic": 0}),
        ("234m567m22p678p34s+5s", {"open_tanyao": "false"}, {"fan": 2, "fu": 30, "points": 2000}),
        (WINDS_PAIR, {}, {"fan": 1, "fu": 50}),
        (WINDS_PAIR, {"double_wind_pair_fu": "2"}, {"fan": 1, "fu": 40}),
        (FOUR, {}, {"fan": 4, "fu": 30, "points": 7700}),
        (FOUR, {"round_up_mangan": "true"}, {"fan": 4, "fu": 30, "points": 8000}),
        (COUNTED, {}, {"fan": 14, "yakuman": 0, "basic": 8000}),
        (COUNTED, {"kazoe": "false"}, {"fan": 14, "yakuman": 0, "basic": 6000}),
        ("19m19p19s1234567z+1z", {}, {"yakuman": 2, "fan": 26}),
        ("19m19p19s1234567z+1z", {"double_yakuman": "false"}, {"yakuman": 1, "fan": 13}),
        ("55z66677z,111z,222z+7z", {}, {"yakuman": 1}),
        (WINDS_AND_DRAGONS, {}, {"yakuman": 2}),
        (WINDS_AND_DRAGONS, {"yakuman_add": "false"}, {"yakuman": 1}),
        (f"{RON} first-turn", {}, {"fan": 1, "basic": 240}),
        (f"{RON} first-turn", {"renhou": "mangan"}, {"basic": 2000, "points": 8000}),
        (f"{RON} first-turn", {"renhou": "yakuman"}, {"yakuman": 1, "points": 32000}),
        (f"{RON} riichi sticks=2", {}, {"deposits": 2000}),
        ("2z,777z,666zl,555zr,789m++2z", {}, {"yakuman": 1, "fed": 1}),
        ("2z,777z,666zl,555zr,789m++2z", {"double_yakuman": "false"}, {"yakuman": 1, "fed": 1}),
    ],
)
def test_options(line: str, options: dict[str, str], steps: dict[str, int]) -> None:
    found = scored(line, options)
    assert {name: found.steps[name] for name in steps} == steps


@pytest.mark.parametrize(("line", "options"), [("05m", {"aka_dora": "false"}), ("00m", {})])
def test_red_fives_are_one_of_a_suit_or_none(line: str, options: dict[str, str]) -> None:
    with pytest.raises(InputError, match="0m"):
        parse_line(line, tiles=load_ruleset("riichi", options).tiles)


@pytest.mark.parametrize(
    ("words", "payments"),
    [
        (" from=W seat=S", {"E": 0, "S": 1000, "W": -1000, "N": 0}),
        (" from=W seat=S honba=2", {"E": 0, "S": 1600, "W": -1600, "N": 0}),
        (" from=W seat=E", {"E": 1500, "S": 0, "W": -1500, "N": 0}),
        ("+ seat=S honba=1", {"E": -800, "S": 1800, "W": -500, "N": -500}),
        ("+ seat=E", {"E": 2100, "S": -700, "W": -700, "N": -700}),
    ],
)
def test_payments(words: str, payments: dict[str, int]) -> None:
    """Pinfu, by discard 30 fu; drawn two fan and 20 fu; 100 from each, or 300 from one, for a counter."""
    line = RON.replace("+", "++") + words[1:] if words[0] == "+" else RON + words
    assert dict(scored(line).payments) == payments
