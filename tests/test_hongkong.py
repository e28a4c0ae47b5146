"""香港清章: its cases, its examples, the tables of points, payments from every seat, 100 hands of another program."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mjcli.melds import Seat
from mjcli.notation import parse_line
from mjcli.ruleset import load_ruleset
from mjcli.ruleset.advice import check_file
from mjcli.scoring import score
from tests.flower_cases import cases_of, flower_win_of, option_values, plain_differences, wrong_answers
from tests.flower_checks import check_examples, check_names_and_sources, check_names_of_suits, check_order_of_tiles
from tests.plain_games import OF_THE_TABLE
from tests.plain_hongkong import DEFAULTS, plain_score
from tests.plain_wins import MANY_THEMES, FlowerWin, flower_win
from tests.scored_rows import differences, read_rows

CASES = cases_of("hongkong")
BY_CASE = pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
HONGKONG = load_ruleset("hongkong")


@BY_CASE
def test_case(case: dict[str, Any]) -> None:
    assert wrong_answers("hongkong", case) == {}


@BY_CASE
def test_the_plain_scorer_says_the_same(case: dict[str, Any]) -> None:
    if "error" not in case:
        options = {**DEFAULTS, **option_values(case.get("options", {}))}
        assert plain_differences(case, plain_score(flower_win_of(case["line"]), options)) == {}


# the file


def test_examples() -> None:
    check_examples("hongkong", incomplete={"shi_san_yao", "xiao_qi_dui", "hua_hu", "da_hua_hu"})


def test_names_and_sources() -> None:
    aliases = {"hua_yao_jiu": "hun_yao_jiu", "jiu_zi_lian_huan": "jiu_lian", "san_yuan": "san_yuan_pai"}
    check_names_and_sources("hongkong", aliases)


def test_options_are_those_of_the_plain_scorer() -> None:
    assert {name: value for name, value in HONGKONG.options.items() if name not in OF_THE_TABLE} == dict(DEFAULTS)


# points: the printed tables

OF_FAN = (
    "456p777s34s99p1f,123m+5s",
    "456p789s234s5p3f,123m+5p",
    "456p789s234s5p3f,123m++5p",
    "456p789s234s5p,123m++5p",
    "333p555s77m44s,888m+7m",
    "333p555s77m44s,555z+7m",
    "222m555m88m33z3f,999m+8m",
    "222m555m88m33z,999m+8m",
    "222m555m88m33z,999m++8m",
    "123456m78m99m,345m+9m",
    "123456m78m99m,345m++9m",
    "222m777m99m11m,555m+9m",
    "222m777m99m11m,555m++9m",
    "19m19p19s1234567z+5z",
)
"""A hand of each fan, 0 to 13."""

TABLES = {
    "half_spicy": (1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384),
    "full_spicy": (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192),
    "hkma": (4, 8, 16, 32, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536),
    "fan_laak": tuple(4 * unit for unit in (1, 2, 4, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64, 64)),
}
"""What a discard costs in all: rules §4, and of fan-laak four times its unit."""


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("fan", range(14))
def test_points(table: str, fan: int) -> None:
    ruleset = load_ruleset("hongkong", {"points": table, "cap": "none", "minimum_fan": "0"})
    found = score(parse_line(OF_FAN[fan], tiles=ruleset.tiles), ruleset)
    assert (found.fan, found.points) == (fan, TABLES[table][fan])
    whole = found.points
    if "++" in OF_FAN[fan]:
        assert found.payments == {"E": -whole // 2, "S": 3 * whole // 2, "W": -whole // 2, "N": -whole // 2}
    elif table == "fan_laak":
        assert found.payments == {"winner": whole, "discarder": -whole // 2, "other": -whole // 4}
    else:
        assert found.payments == {"winner": whole, "discarder": -whole, "other": 0}


@pytest.mark.parametrize("fan", range(2, 14))
def test_half_payment(fan: int) -> None:
    if "++" not in OF_FAN[fan]:
        ruleset = load_ruleset("hongkong", {"payment": "half", "cap": "none", "minimum_fan": "0"})
        whole = TABLES["half_spicy"][fan]
        found = score(parse_line(OF_FAN[fan], tiles=ruleset.tiles), ruleset)
        assert found.payments == {"winner": whole, "discarder": -whole // 2, "other": -whole // 4}


def test_points_without_a_cap_go_on() -> None:
    ruleset = load_ruleset("hongkong", {"cap": "none", "limit_hands_exclusive": "false"})
    found = score(parse_line("33m44z,111z,222z,333z++4z"), ruleset)
    assert found.fan == 23
    assert found.points == 3 * 2 ** (1 + 23 // 2)


@pytest.mark.parametrize("seat", list(Seat))
def test_payments_from_every_seat(seat: Seat) -> None:
    others = [each for each in Seat if each is not seat]
    drawn = score(parse_line(f"777m99m11m,222m,555m++9m seat={seat}"), HONGKONG).payments
    assert drawn == {**dict.fromkeys(others, -64), seat: 192}
    for step, relation in enumerate("rxl", 1):
        payer = "ESWN"[("ESWN".index(seat) + step) % 4]
        for source in (relation, payer):
            paid = score(parse_line(f"777m99m11m,222m,555m+9m seat={seat} from={source}"), HONGKONG).payments
            assert paid == {**dict.fromkeys("ESWN", 0), seat: 128, payer: -128}


# 100 hands of another program

ROWS = list(read_rows(Path(__file__).parent / "cases" / "hskpeter.jsonl.gz"))


def test_the_table_of_hskpeter_is_a_layer_on_hong_kong() -> None:
    file = Path(__file__).parent / "rulesets" / "hskpeter.yaml"
    assert not [fault for fault in check_file(file) if fault.fatal]


def test_every_answer_of_hskpeter() -> None:
    assert len(ROWS) == 100
    found = {row["id"]: differences(row) for row in ROWS}
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


def test_a_wrong_answer_of_hskpeter_is_found() -> None:
    row = ROWS[-1]
    assert row["patterns"] == {"hua_hu": 3}
    assert differences({**row, "fan": 4})
    assert differences({**row, "patterns": {"hua_hu": 3, "zi_mo": 1}})
    assert differences({**ROWS[0], "options": {}})


# what must hold of every score

wins = st.builds(
    lambda seed, theme: flower_win(Random(seed), theme),
    st.integers(0, 2**32),
    st.sampled_from(sorted(set(MANY_THEMES))),
)


@given(wins, st.randoms(use_true_random=False))
def test_the_order_of_tiles_does_not_matter(win: FlowerWin, rng: Random) -> None:
    check_order_of_tiles(HONGKONG, win, rng)


@given(wins, st.permutations("mps"))
def test_the_names_of_the_suits_do_not_matter(win: FlowerWin, suits: list[str]) -> None:
    check_names_of_suits(HONGKONG, win, suits)


def test_waits_of_seven_pairs_are_in_play_with_their_option() -> None:
    assert set(HONGKONG.forms) == {"standard", "thirteen-orphans"}
    assert set(load_ruleset("hongkong", {"xiao_qi_dui": "4"}).forms) == {
        "standard",
        "seven-pairs",
        "thirteen-orphans",
    }
