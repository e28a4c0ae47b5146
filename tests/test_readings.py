"""Readings: equal to a slow enumeration of plain sets, made of the hand, and what they say of waits and concealment."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from mjcli.acceptance import waits
from mjcli.columns import COLUMNS
from mjcli.errors import HandError
from mjcli.hand import Line
from mjcli.notation import parse_line
from mjcli.readings import Reading, readings
from tests.plain import ALL_FORMS, KINDS, concealed_of, plain_readings, random_win, waits_of


def shown(reading: Reading) -> tuple[str, tuple[tuple[str, ...], ...], str, str]:
    """Return a reading as the slow enumeration writes it."""
    sets = tuple(sorted(tuple(map(str, group.tiles)) for group in reading.sets))
    return reading.form, sets, str(reading.pair) if reading.pair else "", reading.wait


@pytest.mark.parametrize("rule", ["different", "four"])
def test_readings_are_those_of_a_slow_enumeration(rule: str) -> None:
    rng = Random(f"readings {rule}")
    forms = {**ALL_FORMS, "seven-pairs": rule}
    seen: Counter[str] = Counter()
    for _ in range(500):
        line = random_win(rng)
        found = sorted(shown(each) for each in readings(line, forms))
        assert found == sorted(plain_readings(line, forms)), line
        seen.update({f"{form} {wait}" for form, _, _, wait in found})
        seen["several"] += len(found) > 1
    expected = {f"standard {wait}" for wait in ("edge", "closed", "single", "open", "pung")}
    expected |= {f"knitted-straight {wait}" for wait in ("none", "single")}
    expected |= {f"{form} single" for form in ALL_FORMS if form not in ("standard", "knitted-straight")}
    assert expected < set(seen)
    assert seen["several"] > 25


def ranks(column: int) -> list[int]:
    return [column >> 3 * rank & 7 for rank in range(9)]


def total(reading: Reading, letter: str) -> int:
    """Return how many groups the columns of a letter hold."""
    return sum(sum(ranks(reading.columns.get(f"{letter}{suit}", 0))) for suit in range(4))


def test_a_reading_is_made_of_the_hand() -> None:
    rng = Random("made of")
    seen = 0
    for _ in range(300):
        line = random_win(rng)
        melds = line.hand.melds
        tiles = concealed_of(line)
        held = Counter([*tiles, *(KINDS[kind] for meld in melds for kind in meld.kinds)])
        for each in readings(line):
            columns = [count for suit in range(4) for count in ranks(each.columns[f"T{suit}"])]
            assert columns[: len(KINDS)] == [held[kind] for kind in KINDS]
            if each.form != "standard":
                continue
            seen += 1
            assert sorted([*(str(tile) for group in each.sets for tile in group.tiles), *[str(each.pair)] * 2]) == tiles
            assert (total(each, "C") + total(each, "P"), total(each, "R")) == (4, 1)
            by_discard = each.wait == "pung" and not line.self_drawn
            concealed = sum(group.kind == "pung" for group in each.sets) + sum(not meld.exposed for meld in melds)
            assert total(each, "Q") == concealed - by_discard
    assert seen > 150


def test_special_forms_have_their_pair() -> None:
    (found,) = readings(parse_line("19m19p19s1234567z+1z"), {"thirteen-orphans": ""})
    assert str(found.pair) == "1z"


def test_only_the_forms_asked_for_are_read() -> None:
    pairs = parse_line("112233m445566p7s+7s")
    assert {each.form for each in readings(pairs, {"standard": ""})} == {"standard"}
    assert {each.form for each in readings(pairs, {"seven-pairs": "different"})} == {"seven-pairs"}
    assert not list(readings(parse_line("1111m223344p556s+6s"), {"seven-pairs": "different"}))
    assert not list(readings(pairs, {"thirteen-orphans": ""}))


def test_waits_are_those_that_complete_the_hand_before_the_win() -> None:
    rng = Random("waits")
    numbers = set()
    for _ in range(250):
        line = random_win(rng)
        found = next(readings(line, ALL_FORMS)).columns["waits"]
        assert found == len(waits_of(line, ALL_FORMS)), line
        before = replace(line.hand, win=None, self_drawn=False)
        assert found == len(waits(before, forms=ALL_FORMS).live), line
        numbers.add(found)
    assert {1, 2, 3, 13} <= numbers


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1112345678999m+5m", 9),
        ("19m19p19s1234567z+1m", 13),
        ("119m19p19s123456z+7z", 1),
        ("123m456p789s1z,999m+1z", 1),
        ("13m55z,1111p,456p,999s+4m", None),
        ("4555m,123p,456p,789s+4m", 3),
        ("3334567m,111p,222p+8m", 5),
        ("3334567m,888m,111p+8m", 5),
        ("3334567m,8888mo,111p+5m", 4),
        ("11m22p33s4z,123m,456p+4z", None),
        ("1122334m55p66s77z+4m", 1),
        ("123m456p78s55z,999s+9s", 2),
        ("123m456p78s55z,9999s+6s", 1),
        ("3334445556667m+7m", 6),
        ("1112345678999p+1p", 9),
        ("19m19p19s1234567z+1z", 13),
        ("2223m,444p,555s,789s+1m", 3),
    ],
)
def test_number_of_waits(text: str, number: int | None) -> None:
    """Counted by hand, without 十三不搭, to which orphans come near; None where the hand is not complete."""
    forms = {form: rule for form, rule in ALL_FORMS.items() if form != "thirteen-unconnected"}
    found = {each.columns["waits"] for each in readings(parse_line(text), forms)}
    assert found == (set() if number is None else {number})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("123m456p789s55z11z+5z", {("pung", False)}),
        ("123m456p789s55z11z++5z", {("pung", True)}),
        ("123m456p789s111z5z+5z", {("single", True)}),
        ("23344m111p55z,999s+2m", {("open", True)}),
        ("34555m111p99s,789s+5m", {("pung", False), ("open", True)}),
        ("147m258p369s55z11z+5z", {("pung", False)}),
        ("147m258p369s55z11z++5z", {("pung", True)}),
        ("14m258p369s555z11z+7m", {("none", True)}),
    ],
)
def test_a_pung_completed_by_a_discard_is_not_concealed(text: str, expected: set[tuple[str, bool]]) -> None:
    """Counted by hand: the wait of each reading, and whether its last pung is concealed."""
    found = set()
    for each in readings(parse_line(text), ALL_FORMS):
        pungs = [each.columns[f"P{suit}"] for suit in range(4)]
        hidden = [each.columns[f"Q{suit}"] for suit in range(4)]
        melded = [each.columns[f"L{suit}"] for suit in range(4)]
        found.add((each.wait, all(p == q | own for p, q, own in zip(pungs, hidden, melded, strict=True))))
    assert found == expected


def test_the_order_of_tiles_never_matters() -> None:
    rng = Random("order")
    for _ in range(100):
        line = random_win(rng)
        tiles = list(line.hand.concealed)
        rng.shuffle(tiles)
        again = Line(hand=replace(line.hand, concealed=tuple(tiles)), context=line.context)
        assert list(readings(line, ALL_FORMS)) == list(readings(again, ALL_FORMS))


def test_every_reading_has_every_column() -> None:
    rng = Random("columns")
    for _ in range(100):
        for each in readings(random_win(rng), ALL_FORMS):
            assert set(each.columns) == set(COLUMNS)


@pytest.mark.parametrize("text", ["123m456p789s11z", "123m456p789s111z5z", "123m456p7z+7z"])
def test_hands_without_fourteen_tiles_or_a_winning_tile_are_refused(text: str) -> None:
    with pytest.raises(HandError) as caught:
        list(readings(parse_line(text)))
    assert caught.value.code == "tile-count"
