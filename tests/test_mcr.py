"""The Chinese rules of 1998 beside three engines: hands where they agree, hands where they differ, random wins."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from mjcli.errors import InputError
from mjcli.hand import Line
from mjcli.notation import format_line, parse_line
from mjcli.ruleset import load_ruleset
from mjcli.scoring import score
from tests.cases import by_case
from tests.flower_cases import cases_of, wrong_answers
from tests.plain import random_win
from tests.scored_rows import NAMES, differences, read_rows, sided
from tests.scoring_peers import gb_arguments, gb_fans

CASES: Final = Path(__file__).parent / "cases"
DIFFER: Final = list(read_rows(CASES / "mcr_differ.jsonl.gz"))

OTHER_CHOICES: Final = {
    "infer_last_of_kind": "true",
    "dead_waits": "counted",
    "knitted_straight_wait": "best",
    "last_draw_keeps_zi_mo": "special_forms",
}
"""The options on which engines differ, with the values that are not the default."""


def test_every_asserted_answer() -> None:
    rows = list(read_rows(CASES / "mcr_asserted.jsonl.gz"))
    assert len(rows) == 129
    found = {row["id"]: differences(row) for row in rows}
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


def test_where_engines_differ_the_answer_is_one_of_theirs() -> None:
    found = {row["id"]: differences(row) for row in DIFFER}
    assert len(found) == 65
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


def test_every_other_answer_is_had_by_one_option() -> None:
    """But for pungs of 3 4 5 7 and the like, which one engine takes for four in a row."""
    counts = dict.fromkeys(OTHER_CHOICES, 0)
    for row in DIFFER:
        sides = {engine: differences(sided(row, engine)) for engine in row["engines"]}
        (other,) = [engine for engine, wrong in sides.items() if wrong]
        if "si_jie_gao" in row["engines"][other]["patterns"]:
            assert other == "gb_mahjong"
            continue
        (option,) = [
            name for name, value in OTHER_CHOICES.items() if not differences(sided(row, other, **{name: value}))
        ]
        counts[option] += 1
    assert counts == {
        "infer_last_of_kind": 16,
        "dead_waits": 7,
        "knitted_straight_wait": 11,
        "last_draw_keeps_zi_mo": 19,
    }


AS_PYMAHJONGGB: Final = {"infer_last_of_kind": "true", "dead_waits": "counted", "knitted_straight_wait": "best"}
"""It looks for the last of a kind in the winner's own sets, waits for a fifth copy, and takes the best of two waits."""


def win(rng: Random) -> Line:
    """Return a win of MCR's forms; the flowers are those of the set, and nothing else is told that it does not know."""
    known = load_ruleset("mcr", AS_PYMAHJONGGB)
    while True:
        line = random_win(rng)
        try:
            parse_line(format_line(line), tiles=known.tiles)
            if score(line, known).complete:
                return line
        except InputError:
            continue


@pytest.mark.parametrize("wins", [400, pytest.param(50_000, marks=pytest.mark.long)])
def test_random_wins_score_as_by_another_engine(wins: int) -> None:
    """Every total and every fan, under the options that say what that engine does."""
    rng = Random("wins of MCR")
    for number in range(wins):
        line = win(rng)
        fans = gb_fans(gb_arguments(line))
        patterns = {NAMES["mcr"][name]: fan for name, fan in fans.items()}
        row = {"id": number, "rules": "mcr", "options": AS_PYMAHJONGGB, "line": format_line(line)}
        assert differences({**row, "fan": sum(fans.values()), "patterns": patterns}) == [], row


@by_case(cases_of("mcr"))
def test_case(case: dict[str, Any]) -> None:
    assert wrong_answers("mcr", case) == {}


NEVER_TOGETHER: Final = {
    "da_si_xi": "quan_feng men_feng san_feng_ke xiao_si_xi dui_dui_hu yao_jiu_ke",
    "da_san_yuan": "shuang_jian_ke xiao_san_yuan san_yuan_pai",
    "lu_yi_se": "hun_yi_se",
    "jiu_lian": "qing_yi_se men_qian_qing bu_qiu_ren wu_zi",
    "shi_ba_luo_han": "san_gang shuang_ming_gang shuang_an_gang dui_dui_hu dan_diao",
    "lian_qi_dui": "qing_yi_se xiao_qi_dui dan_diao men_qian_qing bu_qiu_ren wu_zi",
    "shi_san_yao": "hun_yao_jiu wu_men_qi dan_diao men_qian_qing bu_qiu_ren",
    "qing_yao_jiu": "dui_dui_hu shuang_tong_ke yao_jiu_ke quan_dai_yao hun_yao_jiu wu_zi",
    "xiao_si_xi": "san_feng_ke yao_jiu_ke",
    "xiao_san_yuan": "shuang_jian_ke san_yuan_pai",
    "zi_yi_se": "dui_dui_hu hun_yao_jiu quan_dai_yao yao_jiu_ke",
    "kan_kan_hu": "san_an_ke shuang_an_ke dui_dui_hu men_qian_qing bu_qiu_ren",
    "yi_se_shuang_long_hui": "xiao_qi_dui qing_yi_se ping_hu yi_ban_gao lao_shao_fu wu_zi",
    "si_tong_shun": "san_jie_gao san_tong_shun yi_ban_gao si_gui_yi",
    "si_jie_gao": "san_tong_shun san_jie_gao dui_dui_hu",
    "si_bu_gao": "san_bu_gao lian_liu lao_shao_fu",
    "san_gang": "shuang_ming_gang shuang_an_gang ming_gang an_gang",
    "hun_yao_jiu": "dui_dui_hu quan_dai_yao yao_jiu_ke",
    "xiao_qi_dui": "dan_diao men_qian_qing bu_qiu_ren",
    "qi_xing": "quan_bu_kao wu_men_qi dan_diao men_qian_qing bu_qiu_ren",
    "quan_shuang_ke": "dui_dui_hu duan_yao wu_zi",
    "qing_yi_se": "hun_yi_se wu_zi que_yi_men",
    "san_tong_shun": "san_jie_gao yi_ban_gao",
    "san_jie_gao": "san_tong_shun",
    "quan_da": "da_yu_wu wu_zi",
    "quan_zhong": "duan_yao wu_zi",
    "quan_xiao": "xiao_yu_wu wu_zi",
    "san_se_shuang_long_hui": "xi_xiang_feng lao_shao_fu wu_zi ping_hu",
    "quan_dai_wu": "duan_yao wu_zi",
    "san_tong_ke": "shuang_tong_ke",
    "san_an_ke": "shuang_an_ke",
    "quan_bu_kao": "wu_men_qi dan_diao men_qian_qing bu_qiu_ren",
    "da_yu_wu": "wu_zi",
    "xiao_yu_wu": "wu_zi",
    "tui_bu_dao": "que_yi_men",
    "hai_di": "zi_mo",
    "gang_shang_hua": "zi_mo",
    "qiang_gang": "he_jue_zhang",
    "quan_qiu_ren": "dan_diao",
    "shuang_an_gang": "shuang_an_ke an_gang ming_gang",
    "shuang_ming_gang": "ming_gang an_gang",
    "shuang_jian_ke": "san_yuan_pai",
    "bu_qiu_ren": "zi_mo men_qian_qing",
    "ping_hu": "wu_zi",
    "duan_yao": "wu_zi",
    "bian_zhang": "kan_zhang dan_diao",
    "kan_zhang": "dan_diao",
}
"""By pattern: what the rules of 1998 list as contained in it or as impossible beside it, never counted with it."""


def test_what_is_contained_never_counts_beside_it() -> None:
    """In the rows that other engines answered, which hold every pattern, and in random wins."""
    ruleset = load_ruleset("mcr")
    assert {name for names in NEVER_TOGETHER.items() for name in " ".join(names).split()} <= {
        each.id for each in ruleset.patterns
    }
    lines = [row["line"] for name in ("mcr", "mcr_asserted") for row in read_rows(CASES / f"{name}.jsonl.gz")]
    rng = Random("what MCR contains")
    wins = [*(parse_line(line, tiles=ruleset.tiles) for line in lines), *(win(rng) for _ in range(100))]
    counted, matched = Counter[str](), set()
    for line in wins:
        found = score(line, ruleset)
        counts = {each.pattern.id for each in found.patterns}
        counted.update(counts)
        matched |= {(one, each.pattern.id) for one in counts for each in found.excluded}
        wrong = [(one, two) for one in counts for two in NEVER_TOGETHER.get(one, "").split() if two in counts]
        assert not wrong, format_line(line)
    assert [each.id for each in ruleset.patterns if not counted[each.id]] == []
    assert len(matched & {(one, two) for one, names in NEVER_TOGETHER.items() for two in names.split()}) > 60


SHIFTED: Final = "35s44z,456m,234p,888s+4s"
"""三色三步高 6 and 坎張 1."""


@pytest.mark.parametrize(
    ("line", "options", "can_win", "fan"),
    [
        (SHIFTED, {}, False, 7),
        (SHIFTED, {"minimum_fan": "7"}, True, 7),
        (SHIFTED.replace(",", "1f,", 1), {}, False, 8),
        (SHIFTED.replace(",", "1f,", 1), {"flowers_count_for_minimum": "true"}, True, 8),
        (f"{SHIFTED} last-of-kind", {}, True, 11),
    ],
)
def test_minimum(line: str, options: dict[str, str], can_win: bool, fan: int) -> None:
    """Eight points; flowers are paid and do not help to reach it."""
    found = score(parse_line(line), load_ruleset("mcr", options))
    assert (found.can_win, found.fan) == (can_win, fan)


@pytest.mark.parametrize(
    ("words", "payments"),
    [
        ("+5m seat=S from=W", {"E": -8, "S": 32, "W": -16, "N": -8}),
        ("+5m", {"winner": 32, "discarder": -16, "other": -8}),
        ("++5m seat=S", {"E": -17, "S": 51, "W": -17, "N": -17}),
        ("+5m seat=S from=W last-of-kind", {"E": -8, "S": 36, "W": -20, "N": -8}),
    ],
)
def test_payments(words: str, payments: dict[str, int]) -> None:
    """Eight points of the discarder and of the others, and those of the hand from him, or self-drawn from each."""
    found = score(parse_line(f"67m345p11z,567p,567s{words}"), load_ruleset("mcr"))
    assert dict(found.payments) == payments
