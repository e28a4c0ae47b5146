"""馬來西亞三人麻雀: its cases, its examples, its tiles, payments from every seat, and what must hold of every score."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mjcli.hand import Line
from mjcli.melds import Relation, Seat
from mjcli.notation import parse_line
from mjcli.ruleset import load_ruleset
from mjcli.scoring import score
from mjcli.tiles import FULL_SET, JOKER_KIND, TILES
from tests.flower_cases import cases_of, option_values, plain_differences, wrong_answers
from tests.flower_checks import check_examples, check_names_and_sources
from tests.plain_games import OF_THE_TABLE
from tests.plain_malaysia_3p import DEFAULTS, PATTERNS, SEATS, JokerMeld, JokerWin, plain_score
from tests.random_malaysia_3p import THEMES, joker_win
from tests.test_jipinghu import answers, plain_of

CASES = cases_of("malaysia_3p")
BY_CASE = pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
MALAYSIA = load_ruleset("malaysia-3p")


def joker_win_of(line: Line) -> JokerWin:
    """Return a line as the plain scorer reads it, players by seat."""
    context, melds = line.context, line.hand.melds
    seat = context.seat or Seat.S
    steps = {Relation.RIGHT: 1, Relation.LEFT: 2}

    def named(player: Relation | Seat | None) -> str:
        if isinstance(player, Relation):
            return SEATS[(SEATS.index(seat) + steps[player]) % 3]
        return str(player or "")

    plain = plain_of(Line(hand=line.hand, context=replace(context, source=None, liable=None)))
    said = {each.name: getattr(plain, each.name) for each in fields(plain)} | {
        "discarder": named(context.source),
        "liable": named(context.liable),
        "melds": tuple(
            JokerMeld(meld.kind, meld.tile, meld.claimed, meld.added, meld.feeder, tuple(map(str, found.jokers)))
            for meld, found in zip(plain.melds, melds, strict=True)
        ),
    }
    return JokerWin(**said, flowers=tuple(map(str, line.hand.bonus)), flower_draw=context.flower_draw)


@BY_CASE
def test_case(case: dict[str, Any]) -> None:
    assert wrong_answers("malaysia-3p", case) == {}


@BY_CASE
def test_the_plain_scorer_says_the_same(case: dict[str, Any]) -> None:
    if "error" not in case:
        options = {**DEFAULTS, **option_values(case.get("options", {}))}
        tiles = load_ruleset("malaysia-3p", case.get("options")).tiles
        win = joker_win_of(parse_line(case["line"], tiles=tiles))
        assert plain_differences(case, plain_score(win, options)) == {}


# the file


def test_examples() -> None:
    check_examples("malaysia-3p", incomplete=set())


def test_names_and_sources() -> None:
    aliases = {
        "hua_shang": "hua_shang_hua",
        "gang_shang": "gang_shang_hua",
        "zi_feng": "men_feng",
        "san_yuan": "san_yuan_pai",
        "zi_jia_hua": "zheng_hua",
    }
    check_names_and_sources("malaysia-3p", aliases)
    assert {each.id for each in MALAYSIA.patterns} == {*PATTERNS}


def test_what_is_proposed_says_so() -> None:
    proposed = {each.id for each in MALAYSIA.patterns if each.note.startswith("PROPOSED")}
    assert proposed == {"ping_hu", "qiang_gang", "kan_kan_hu", "wu_hua", "si_fei", "tian_hu", "di_hu", "hai_di"}


def test_options_are_those_of_the_plain_scorer() -> None:
    assert {name: value for name, value in MALAYSIA.options.items() if name not in OF_THE_TABLE} == dict(DEFAULTS)


# tiles


@pytest.mark.parametrize("heads", ["people", "clowns"])
@pytest.mark.parametrize("suit", ["dots", "characters"])
@pytest.mark.parametrize("joker", ["1j", "1s"])
def test_it_is_played_with_84_tiles(suit: str, heads: str, joker: str) -> None:
    ruleset = load_ruleset("malaysia-3p", {"suit": suit, "heads": heads, "joker_tile": joker})
    assert ruleset.tiles.size == 84
    assert ruleset.wall is not None
    assert ruleset.wall.stacks == (14, 14, 14)
    assert ruleset.tiles.copies[JOKER_KIND] == 4


def test_both_games_of_malaysia_are_played_with_a_full_set() -> None:
    assert FULL_SET.size == 164
    assert load_ruleset(str(Path(__file__).parent / "rulesets" / "walls" / "malaysia-164.yaml")).tiles == FULL_SET
    for name in ("malaysia-3p", "malaysia-4p"):
        copies = load_ruleset(name).tiles.copies
        assert all(some <= every for some, every in zip(copies, FULL_SET.copies, strict=True))
    in_neither = [
        str(tile)
        for tile, copies in zip(TILES, FULL_SET.copies, strict=True)
        if copies and not any(load_ruleset(name).tiles.copies[tile.kind] for name in ("malaysia-3p", "malaysia-4p"))
    ]
    assert in_neither == ["5f", "6f", "7f", "8f", "5g", "6g", "7g", "8g"]


# payments


@pytest.mark.parametrize("seat", list(SEATS))
def test_payments_from_every_seat(seat: str) -> None:
    others = [each for each in SEATS if each != seat]
    drawn = score(parse_line(f"2399p1f,555z,666z,777z++4p seat={seat}"), MALAYSIA).payments
    assert drawn == {**dict.fromkeys(others, -400), seat: 800}
    assert list(drawn) == list(SEATS)
    for step, relation in enumerate("rl", 1):
        payer = SEATS[(SEATS.index(seat) + step) % 3]
        for source in (relation, payer):
            paid = score(parse_line(f"2399p1f,555z,666z,777z+4p seat={seat} from={source}"), MALAYSIA).payments
            assert paid == {**dict.fromkeys(others, -200), seat: 600, payer: -400}
        fed = score(parse_line(f"2399p1f,555z,666z,777z{relation}++4p seat={seat}"), MALAYSIA)
        assert (fed.liable, fed.payments) == ("da_san_yuan", {**dict.fromkeys(others, 0), seat: 800, payer: -800})


# what must hold of every score


@given(st.integers(0, 2**32), st.sampled_from(sorted(THEMES)), st.randoms(use_true_random=False))
def test_the_order_of_tiles_does_not_matter(seed: int, theme: str, rng: Random) -> None:
    win = joker_win(Random(seed), theme, {}, shares=(0.3, 0.4, 0.3, 0, 0))
    line = win.line()
    written = "".join((*win.flowers, *win.concealed))
    assert line.startswith(written)
    tiles = [*win.flowers, *win.concealed]
    rng.shuffle(tiles)
    again = "".join(tiles) + line[len(written) :]
    assert answers(score(parse_line(line), MALAYSIA)) == answers(score(parse_line(again), MALAYSIA))


@given(st.integers(0, 2**32), st.sampled_from(sorted(THEMES)))
def test_a_joker_is_worth_what_it_stands_for(seed: int, theme: str) -> None:
    """With the tiles in place of the jokers it is the same hand, but for the tiles that a set has no fifth of."""
    win = joker_win(Random(seed), theme, {}, shares=(0, 0.5, 0.5, 0, 0))
    found = score(parse_line(win.line()), MALAYSIA)
    assert found.best is not None
    reading, hand = found.best.reading, found.line.hand
    plain = [tile for tile in hand.concealed if not tile.is_joker]
    stands = list(reading.jokers)
    if reading.won_on_joker:
        assert reading.win is not None
        stands.remove(reading.win)
    melds = tuple(replace(meld, jokers=()) for meld in hand.melds)
    tiles = Counter([*plain, *stands, reading.win, *(tile for meld in melds for tile in meld.tiles)])
    assume(max(tiles.values()) <= 4 and not win.rob_kong)
    same = replace(hand, concealed=(*plain, *stands), win=reading.win, melds=melds)
    again = score(Line(hand=same, context=found.line.context), MALAYSIA)
    assert (again.fan, again.payments) == (found.fan, found.payments)
