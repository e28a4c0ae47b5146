"""Readings of complete hands: as many as there are, whole, and waiting on as many kinds as ``waits`` lists."""

from __future__ import annotations

import doctest
from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mjcli.readings
from mjcli.acceptance import waits
from mjcli.errors import HandError
from mjcli.forms import DEFAULT_FORMS
from mjcli.notation import parse_line
from mjcli.readings import Reading, readings
from mjcli.tiles import TILES
from tests.plain_jipinghu import PlainWin, ways
from tests.random_wins import THEMES, random_win

FORMS = {**DEFAULT_FORMS, "seven-pairs": "four", "knitted": "", "knitted-straight": ""}

wins = st.builds(
    lambda seed, theme: random_win(Random(seed), theme),
    st.integers(0, 2**32),
    st.sampled_from((*THEMES, "nine gates", "orphans")),
)


def tiles_of(reading: Reading) -> Counter[str]:
    """Return the concealed tiles that a standard reading is made of."""
    tiles = [str(tile) for group in reading.sets for tile in group.tiles]
    return Counter([*tiles, *[str(reading.pair)] * 2])


def ranks(column: int) -> list[int]:
    return [column >> 3 * rank & 7 for rank in range(9)]


@given(wins)
def test_every_way_and_every_place_of_the_win_once(win: PlainWin) -> None:
    found = [each for each in readings(parse_line(win.line())) if each.form == "standard"]
    expected = set()
    for pair, sets in ways(sorted([*win.concealed, win.win])):
        whole = tuple(sorted(sets))
        places = {("pair", pair)} if pair == win.win else set()
        places |= {(kind, tile) for kind, tile in sets if kind == "pung" and tile == win.win}
        places |= {("chow", shape) for kind, tile in sets if kind == "chow" for shape in shapes(tile, win.win)}
        expected |= {(pair, whole, place) for place in places}
    said = Counter(
        (
            str(each.pair),
            tuple(sorted((group.kind, str(group.first)) for group in each.sets)),
            ("chow", each.wait) if each.won and each.won.kind == "chow" else each.won and (each.won.kind, win.win),
        )
        for each in found
    )
    assert said == Counter(expected)


def shapes(chow: str, win: str) -> list[str]:
    """Return the shape of the wait if the winning tile completed a chow: at most one."""
    step = int(win[0]) - int(chow[0])
    if win[1] != chow[1] or not 0 <= step <= 2:
        return []
    return ["closed" if step == 1 else "edge" if (step, chow[0]) in ((2, "1"), (0, "7")) else "open"]


@given(wins)
def test_a_reading_is_made_of_the_hand(win: PlainWin) -> None:
    line = parse_line(win.line())
    for each in readings(line):
        if each.form != "standard":
            continue
        assert tiles_of(each) == Counter([*win.concealed, win.win])
        columns = each.columns
        counts = [0] * 34
        for tile in (*win.concealed, win.win, *(tile for meld in win.melds for tile in meld.tiles)):
            counts[9 * "mpsz".index(tile[1]) + int(tile[0]) - 1] += 1
        assert [copies for suit in range(4) for copies in ranks(columns[f"T{suit}"])][:34] == counts
        sets = sum(sum(ranks(columns[f"C{suit}"])) for suit in range(3)) + sum(
            sum(ranks(columns[f"P{suit}"])) for suit in range(4)
        )
        assert sets == 4
        assert sum(sum(ranks(columns[f"R{suit}"])) for suit in range(4)) == 1
        by_discard = each.wait == "pung" and not win.drawn
        concealed = sum(group.kind == "pung" for group in each.sets) + sum(not meld.claimed for meld in win.melds)
        assert sum(sum(ranks(columns[f"Q{suit}"])) for suit in range(4)) == concealed - by_discard


@given(wins)
def test_kinds_waited_on_are_those_of_waits(win: PlainWin) -> None:
    line = parse_line(win.line())
    found = {each.columns["waits"] for each in readings(line, FORMS)}
    before = replace(line.hand, win=None, self_drawn=False)
    assert found <= {len(waits(before, forms=FORMS).live)}


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("11m22p33s4z,123m,456p+4z", 0),
        ("1122334m55p66s77z+4m", 1),
        ("123m456p78s55z,999s+9s", 2),
        ("123m456p78s55z,9999s+6s", 1),
        ("3334445556667m+7m", 6),
        ("1112345678999p+1p", 9),
        ("19m19p19s1234567z+1z", 13),
        ("2223m,444p,555s,789s+1m", 3),
    ],
)
def test_kinds_counted_by_hand(text: str, kinds: int) -> None:
    found = {each.columns["waits"] for each in readings(parse_line(text), FORMS)}
    assert found == ({kinds} if kinds else set())


def test_only_whole_hands_without_jokers() -> None:
    for text, code in (("456p34s99p,123m+5s", "tile-count"), ("456p777s34s99p,12p1j=3p+5s", "not-in-ruleset")):
        with pytest.raises(HandError) as caught:
            list(readings(parse_line(text)))
        assert caught.value.code == code


def test_special_forms_have_their_pair() -> None:
    found = {each.form: each for each in readings(parse_line("19m19p19s1234567z+1z"), FORMS)}
    assert found["thirteen-orphans"].pair == TILES[27]


def test_examples_of_the_documentation() -> None:
    assert doctest.testmod(mjcli.readings).failed == 0
