"""雞平和: its cases, its examples, who pays whom from every seat, and what must hold of every score."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mjcli.errors import InputError
from mjcli.examples import run_examples
from mjcli.hand import Line
from mjcli.melds import Relation, Seat
from mjcli.notation import format_hand, parse_line
from mjcli.payments import Amounts, payments_by_role, payments_by_seat
from mjcli.ruleset import Ruleset, load_ruleset
from mjcli.ruleset.paths import ruleset_path
from mjcli.scoring import Score, score
from tests.cases import by_case, table
from tests.plain_jipinghu import PlainMeld, PlainWin, plain_score
from tests.random_wins import THEMES, options_of, random_win

CASES = table("jipinghu")
BY_CASE = by_case(CASES)
JIPINGHU = load_ruleset("jipinghu")
EXTRA_WORDS = JIPINGHU.extra_words


def score_of(case: dict[str, Any]) -> Score:
    ruleset = load_ruleset("jipinghu", case.get("options"))
    return score(parse_line(case["line"], extra=EXTRA_WORDS, tiles=ruleset.tiles), ruleset)


def answers(found: Score) -> dict[str, Any]:
    """Return a score in the words of a case."""
    return {
        "complete": found.complete,
        "fan": found.fan,
        "fan_uncapped": found.fan_uncapped,
        "points": found.points,
        "patterns": {each.pattern.id: each.fan for each in found.patterns},
        "excluded": [each.pattern.id for each in found.excluded],
        "can_win": found.can_win,
        "payments": dict(found.payments),
        "liable": found.liable,
        "title": found.title.get("en", ""),
        "fu": found.steps.get("fu"),
        "deposits": found.steps.get("deposits"),
        "jokers": " ".join(str(each.tile) for each in found.jokers),
    }


def expected_answers(case: dict[str, Any]) -> dict[str, Any]:
    """Return what a case says, and what follows from what it does not say."""
    if not case.get("complete", True):
        nothing = {"complete": False, "fan": 0, "fan_uncapped": 0, "points": 0, "patterns": {}, "can_win": False}
        return {**nothing, "payments": {}, "liable": ""}
    unsaid = {"complete": True, "fan_uncapped": case["fan"], "can_win": True, "payments": {}, "liable": ""}
    return {**unsaid, **{key: value for key, value in case.items() if key not in ("id", "line", "options", "source")}}


def wrong_answers(case: dict[str, Any]) -> dict[str, Any]:
    """Return in what the answer differs from a case's."""
    found = answers(score_of(case))
    return {key: found[key] for key, value in expected_answers(case).items() if found[key] != value}


@BY_CASE
def test_case(case: dict[str, Any]) -> None:
    if "error" in case:
        with pytest.raises(InputError) as caught:
            score_of(case)
        assert caught.value.code == case["error"]
    else:
        assert wrong_answers(case) == {}


def plain_of(line: Line) -> PlainWin:
    """Return a line as the plain scorer reads it."""
    hand, context = line.hand, line.context
    seat = context.seat or Seat.S

    def named(player: Relation | Seat | None) -> str:
        return "" if player is None else str(seat.neighbor(player) if isinstance(player, Relation) else player)

    return PlainWin(
        concealed=tuple(map(str, hand.concealed)),
        melds=tuple(
            PlainMeld(str(meld.type), str(meld.first), meld.exposed, meld.added, str(meld.feeder or ""))
            for meld in hand.melds
        ),
        win=str(hand.win),
        drawn=line.self_drawn,
        seat=str(seat),
        round=str(context.round or Seat.E),
        discarder=named(context.source),
        last_tile=context.last_tile,
        kong_draw=context.kong_draw,
        rob_kong=context.rob_kong,
        first_turn=context.first_turn,
        winners=context.winners,
        liable=named(context.liable),
        fed_before=("fed-another-before", True) in context.extra,
    )


@BY_CASE
def test_the_plain_scorer_says_the_same(case: dict[str, Any]) -> None:
    """What the plain scorer answers is only worth something where it answers the cases too."""
    if "error" in case:
        return
    said = case.get("options", {})
    options = {key: {"true": True, "false": False}.get(value, value) for key, value in said.items()}
    options = {key: int(value) if str(value).isdigit() else value for key, value in options.items()}
    found = plain_score(plain_of(parse_line(case["line"], extra=EXTRA_WORDS)), options_of(options))
    expected = expected_answers(case)
    assert (found is not None) is expected["complete"]
    if found is not None:
        assert (found.fan, found.uncapped, found.points) == tuple(
            expected[key] for key in ("fan", "fan_uncapped", "points")
        )
        assert expected["patterns"] in [counts for counts, _ in found.choices]
        assert (found.can_win, found.payments) == (expected["can_win"], expected["payments"])


# the file


def test_examples_are_complete() -> None:
    # where every complete hand, or no hand that differs by one tile, has the pattern, only an incomplete one lacks it
    for example in run_examples("jipinghu"):
        assert example.complete or example.pattern in ("ji_hu", "shi_san_yao"), str(example)


def test_an_example_that_cannot_be_read_knows_its_place(tmp_path: Path) -> None:
    text = ruleset_path("jipinghu").read_text(encoding="utf-8")
    broken = text.replace('match: ["12345677p66z,555z+6z"', 'match: ["12345677p66z,555q+6z"', 1)
    broken = broken.replace("++1z seat=E first-turn", "++1z seat=E rob-kong", 1)
    file = tmp_path / "broken.yaml"
    file.write_text(broken, encoding="utf-8")
    failed = [each for each in run_examples(file) if not each.passed]
    assert [(each.pattern, each.stands) for each in failed] == [("hun_yi_se", None), ("tian_hu", None)]
    for each, token in zip(failed, ("q+6z", "rob-kong"), strict=True):
        written = broken.splitlines()[each.place.line - 1]
        assert written[each.place.column - 1 :].startswith(token)
        assert str(each).startswith(f"{file}:{each.place.line}:{each.place.column}: match of '{each.pattern}': ")


def test_an_example_that_is_wrong_is_found(tmp_path: Path) -> None:
    text = ruleset_path("jipinghu").read_text(encoding="utf-8")
    file = tmp_path / "swapped.yaml"
    file.write_text(re.sub(r"(?m)^  when: chows == 4$", "  when: chows == 3", text), encoding="utf-8")
    failed = [each for each in run_examples(file) if not each.passed]
    assert {each.pattern for each in failed} == {"ping_hu"}
    assert str(failed[0]).endswith("match of 'ping_hu': it does not stand in '123m456p78934s99p++5s'")


# who pays whom


@pytest.mark.parametrize("seat", list(Seat))
def test_payments_from_every_seat(seat: Seat) -> None:
    others = [each for each in Seat if each is not seat]
    drawn = score(parse_line(f"123m456p789s34s99p++5s seat={seat}"), JIPINGHU).payments
    assert drawn == {**dict.fromkeys(others, -4), seat: 12}
    for step, relation in enumerate("rxl", 1):
        payer = "ESWN"[("ESWN".index(seat) + step) % 4]
        for source in (relation, payer):
            paid = score(parse_line(f"123m456p789s34s99p+5s seat={seat} from={source}"), JIPINGHU).payments
            assert paid == {**dict.fromkeys("ESWN", 0), seat: 2, payer: -2}


def test_the_discarder_pays_each_of_three_winners() -> None:
    paid: Counter[str] = Counter()
    for seat in "SWN":
        line = parse_line(f"456p777s34s99p,123m+5s winners=3 seat={seat} from=E")
        for player, received in score(line, JIPINGHU).payments.items():
            paid[player] += received
    assert paid == {"E": -24, "S": 8, "W": 8, "N": 8}


amounts = st.builds(Amounts, named=st.integers(0, 500), others=st.integers(0, 500), dealer=st.integers(0, 500))


@given(amounts, st.sampled_from(Seat), st.sampled_from((None, *Seat)))
def test_payments_by_seat_sum_to_zero(paid: Amounts, winner: Seat, named: Seat | None) -> None:
    received = payments_by_seat(paid, winner, None if named is winner else named)
    assert sum(received.values()) == 0
    assert all(amount <= 0 for seat, amount in received.items() if seat != winner)


@given(amounts)
def test_payments_by_role_sum_to_zero(paid: Amounts) -> None:
    received = payments_by_role(paid)
    assert received["winner"] + received["discarder"] + 2 * received["other"] == 0


# what must hold of every score


wins = st.builds(
    lambda seed, theme: random_win(Random(seed), theme),
    st.integers(0, 2**32),
    st.sampled_from((*THEMES, "nine gates", "orphans")),
)


@given(wins, st.randoms(use_true_random=False))
def test_the_order_of_concealed_tiles_does_not_matter(win: PlainWin, rng: Random) -> None:
    line = win.line()
    tiles = list(win.concealed)
    rng.shuffle(tiles)
    again = "".join(tiles) + line[len("".join(win.concealed)) :]
    assert answers(score(parse_line(line), JIPINGHU)) == answers(score(parse_line(again), JIPINGHU))


@given(wins, st.permutations("mps"))
def test_the_names_of_the_suits_do_not_matter(win: PlainWin, suits: list[str]) -> None:
    line = win.line()
    hand, blank, words = line.partition(" ")
    renamed = re.sub("[mps]", lambda found: suits["mps".index(found[0])], hand) + blank + words
    one, two = (score(parse_line(text), JIPINGHU) for text in (line, renamed))
    assert {key: value for key, value in answers(one).items() if key != "patterns"} == {
        key: value for key, value in answers(two).items() if key != "patterns"
    }
    # of readings with equal fan any may be named
    ranks = [
        {tuple(sorted(each.pattern.id for each in read.counted)) for read in best_of(found)} for found in (one, two)
    ]
    assert ranks[0] == ranks[1]


def best_of(found: Score) -> list[Any]:
    return [each for each in (found.best, *found.others) if each and found.best and each.rank == found.best.rank]


@cache
def compiled_anew() -> Ruleset:
    return load_ruleset("jipinghu", cache=False)


@given(wins)
def test_scored_twice_it_is_the_same(win: PlainWin) -> None:
    line = parse_line(win.line())
    first = score(line, JIPINGHU)
    assert score(line, JIPINGHU) == first
    assert answers(score(parse_line(win.line()), compiled_anew())) == answers(first)


@given(wins)
def test_no_reading_is_better_than_the_best(win: PlainWin) -> None:
    found = score(parse_line(win.line()), JIPINGHU)
    ranks = [each.rank for each in found.others]
    assert ranks == sorted(ranks, reverse=True)
    if found.best is not None:
        assert all(rank <= found.best.rank for rank in ranks)


@given(wins)
def test_the_winning_tile_may_be_left_to_be_the_last(win: PlainWin) -> None:
    line = win.line()
    if win.melds or win.rob_kong:
        return
    assumed = line.replace("++" if win.drawn else "+", "", 1) + " self-draw" * win.drawn
    found = score(parse_line(assumed), JIPINGHU)
    assert found.win_tile_assumed
    assert answers(found) == answers(score(parse_line(line), JIPINGHU))
    assert format_hand(found.line.hand) == format_hand(parse_line(line).hand)
