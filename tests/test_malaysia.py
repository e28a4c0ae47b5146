"""馬來西亞四人麻雀: its cases, its examples, payments from every seat, and what must hold of every score."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mjcli.melds import Seat
from mjcli.notation import parse_line
from mjcli.ruleset import load_ruleset
from mjcli.scoring import score
from tests.flower_cases import cases_of, flower_win_of, option_values, plain_differences, wrong_answers
from tests.flower_checks import check_examples, check_names_and_sources, check_names_of_suits, check_order_of_tiles
from tests.plain_games import OF_THE_TABLE
from tests.plain_malaysia import DEFAULTS, PROPOSED, plain_score
from tests.plain_wins import MANY_THEMES, FlowerWin, flower_win

CASES = cases_of("malaysia")
BY_CASE = pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
MALAYSIA = load_ruleset("malaysia-4p")


@BY_CASE
def test_case(case: dict[str, Any]) -> None:
    assert wrong_answers("malaysia-4p", case) == {}


@BY_CASE
def test_the_plain_scorer_says_the_same(case: dict[str, Any]) -> None:
    if "error" not in case:
        options = {**DEFAULTS, **option_values(case.get("options", {}))}
        assert plain_differences(case, plain_score(flower_win_of(case["line"]), options)) == {}


# the file


def test_examples() -> None:
    check_examples("malaysia-4p", incomplete={"shi_san_yao"})


def test_names_and_sources() -> None:
    aliases = {
        "men_qing": "men_qian_qing",
        "hua_shang": "hua_shang_hua",
        "gang_shang": "gang_shang_hua",
        "zi_feng": "men_feng",
        "san_yuan": "san_yuan_pai",
        "zi_jia_hua": "zheng_hua",
        "yi_se_yi_tong_shun": "yi_ban_gao",
    }
    check_names_and_sources("malaysia-4p", aliases)


def test_what_is_proposed_says_so() -> None:
    proposed = {each.id for each in MALAYSIA.patterns if each.note.startswith("PROPOSED")}
    specified = {each.id for each in load_ruleset("malaysia-4p", {"spec_only": "true"}).patterns}
    assert set(PROPOSED) < proposed
    assert proposed & specified == {"yi_ban_gao"}
    assert proposed | specified == {each.id for each in MALAYSIA.patterns}


def test_options_are_those_of_the_plain_scorer() -> None:
    assert {name: value for name, value in MALAYSIA.options.items() if name not in OF_THE_TABLE} == dict(DEFAULTS)


# points and payments

OF_FAN = (
    "456p77734s99p1f,123p+5s",
    "456p789s234s5p3f,123p+5p",
    "456p789s234s5p3f,123p++5p",
    "456p789s234s5p,123p++5p",
    "123p456p789p234m5s++5s",
    "77z23499m1f,555z,666z+7z",
)
"""A hand of each fan, 0 to 5."""


@pytest.mark.parametrize("fan", range(6))
def test_base_is_two_to_the_power_of_fan(fan: int) -> None:
    found = score(parse_line(OF_FAN[fan]), load_ruleset("malaysia-4p", {"minimum_fan": "0"}))
    base = 2**fan
    assert (found.fan, found.points) == (fan, base)
    if "++" in OF_FAN[fan]:
        assert found.payments == {"E": -2 * base, "S": 6 * base, "W": -2 * base, "N": -2 * base}
    else:
        assert found.payments == {"winner": 4 * base, "discarder": -2 * base, "other": -base}


@pytest.mark.parametrize("seat", list(Seat))
def test_payments_from_every_seat(seat: Seat) -> None:
    others = [each for each in Seat if each is not seat]
    drawn = score(parse_line(f"77z23499m,555z,666z++7z seat={seat}"), MALAYSIA).payments
    assert drawn == {**dict.fromkeys(others, -64), seat: 192}
    for step, relation in enumerate("rxl", 1):
        payer = "ESWN"[("ESWN".index(seat) + step) % 4]
        for source in (relation, payer):
            paid = score(parse_line(f"77z23499m,555z,666z+7z seat={seat} from={source}"), MALAYSIA).payments
            assert paid == {**dict.fromkeys("ESWN", -32), seat: 128, payer: -64}


# what must hold of every score

THEMES = sorted(set(MANY_THEMES) - {"unfinished"})
wins = st.builds(
    lambda seed, theme: flower_win(Random(seed), theme, claimed_chows="p"),
    st.integers(0, 2**32),
    st.sampled_from(THEMES),
)
unclaimed = st.builds(
    lambda seed, theme: flower_win(Random(seed), theme, claimed_chows=""),
    st.integers(0, 2**32),
    st.sampled_from(THEMES),
)


@given(wins, st.randoms(use_true_random=False))
def test_the_order_of_tiles_does_not_matter(win: FlowerWin, rng: Random) -> None:
    check_order_of_tiles(MALAYSIA, win, rng)


@given(unclaimed, st.permutations("mps"))
def test_the_names_of_the_suits_matter_to_claimed_chows_only(win: FlowerWin, suits: list[str]) -> None:
    check_names_of_suits(MALAYSIA, win, suits)
