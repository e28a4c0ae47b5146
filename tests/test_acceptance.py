"""Waits, acceptance and discards: cases, shipped hands, independent programs, and what must hold of every hand."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mjcli.acceptance import Acceptance, Wait, Waits, acceptance, discards, waits
from mjcli.distance import forms_shanten
from mjcli.errors import HandError
from mjcli.forms import DEFAULT_FORMS, RULES
from mjcli.hand import Hand
from mjcli.notation import parse_hand, parse_tiles
from mjcli.tiles import DEFAULT_SET, TILES, TileSet, tile
from tests.cases import by_case, table
from tests.hands import CLASSES, random_hand, ready_hand, rows, tiles_of
from tests.oracles import mahjong_waits, xiangting_helpful, xiangting_shanten

FOUR_AS_TWO = {**DEFAULT_FORMS, "seven-pairs": "four"}
ALL_FORMS = {form: rules[-1] for form, rules in RULES.items()}
BY_CLASS = pytest.mark.parametrize("name", CLASSES)


def left_of(accepts: tuple[Wait, ...]) -> dict[str, int]:
    return {str(wait.tile): wait.left for wait in accepts}


def kinds_of(accepts: tuple[Wait, ...]) -> set[int]:
    return {wait.tile.kind for wait in accepts}


def least(hand: Hand, forms: dict[str, str]) -> int:
    return min(number for number in forms_shanten(hand, forms).values() if number is not None)


@by_case(table("waits"))
def test_case_of_waits(case: dict[str, Any]) -> None:
    seen = parse_tiles(case["seen"]) if "seen" in case else ()
    found = waits(parse_hand(case["hand"]), seen, case.get("rules", DEFAULT_FORMS))
    assert left_of(found.live) == case["live"]
    assert list(map(str, found.dead)) == case["dead"]


@by_case(table("discards"))
def test_case_of_discards(case: dict[str, Any]) -> None:
    hand, seen = parse_hand(case["hand"]), parse_tiles(case["seen"]) if "seen" in case else ()
    if "error" in case:
        with pytest.raises(HandError) as caught:
            discards(hand, seen)
        assert caught.value.code == case["error"]
        return
    found = discards(hand, seen)
    assert [[str(each.tile), each.shanten, left_of(each.accepts)] for each in found] == case["discards"]
    for each in found:
        assert (each.kinds, each.copies) == (len(each.accepts), sum(wait.left for wait in each.accepts))


def test_shipped_waits() -> None:
    for text, live, dead in rows("waits"):
        found = waits(parse_hand(text), forms=FOUR_AS_TWO)
        assert [wait.tile for wait in found.live] == tiles_of(live), text
        assert list(found.dead) == tiles_of(dead), text


def check_ready_hand(hand: Hand) -> None:
    """Compare the waits with both programs, which list them whether or not copies are left."""
    found = waits(hand)
    listed = kinds_of(found.live) | {each.kind for each in found.dead}
    assert listed == mahjong_waits(hand.counts()) == xiangting_helpful(hand.counts())
    held = hand.held()
    assert all(wait.left == 4 - held[wait.tile.kind] for wait in found.live)
    assert all(held[each.kind] == 4 for each in found.dead)


def check_discards(hand: Hand) -> None:
    """Compare shanten and acceptance after every discard, less the kinds of which no copy is left."""
    held = hand.held()
    for each in discards(hand):
        rest = list(hand.concealed)
        rest.remove(each.tile)
        after = Hand(concealed=tuple(rest), melds=hand.melds)
        assert each.shanten == xiangting_shanten(after)
        assert kinds_of(each.accepts) == {kind for kind in xiangting_helpful(after.counts()) if held[kind] < 4}
        assert all(wait.left == 4 - held[wait.tile.kind] for wait in each.accepts)


@BY_CLASS
def test_a_sample_of_waits_equals_both_programs(name: str) -> None:
    rng = Random(f"waits {name}")
    for _ in range(100):
        check_ready_hand(ready_hand(rng, name))


@BY_CLASS
def test_a_sample_of_discards_equals_xiangting(name: str) -> None:
    rng = Random(f"discards {name}")
    for _ in range(150):
        check_discards(random_hand(rng, name, 14))


@pytest.mark.long
@BY_CLASS
def test_waits_of_5000_hands_equal_both_programs(name: str) -> None:
    rng = Random(f"5000 waits {name}")
    for _ in range(5000):
        check_ready_hand(ready_hand(rng, name))


@pytest.mark.long
@BY_CLASS
def test_discards_of_5000_hands_equal_xiangting(name: str) -> None:
    rng = Random(f"5000 discards {name}")
    for _ in range(5000):
        check_discards(random_hand(rng, name, 14))


hands_of_13 = st.builds(
    lambda seed, name: random_hand(Random(seed), name, 13), st.integers(0, 2**32), st.sampled_from(tuple(CLASSES))
)
ready_hands = st.builds(
    lambda seed, name: ready_hand(Random(seed), name), st.integers(0, 2**32), st.sampled_from(tuple(CLASSES))
)
forms_chosen = st.sampled_from((dict(DEFAULT_FORMS), FOUR_AS_TWO, ALL_FORMS))


@given(st.one_of(hands_of_13, ready_hands), forms_chosen)
def test_a_hand_waits_if_and_only_if_it_is_ready(hand: Hand, forms: dict[str, str]) -> None:
    found = waits(hand, forms=forms)
    assert bool(found.live or found.dead) == (least(hand, forms) == 0)


@given(st.one_of(hands_of_13, ready_hands), forms_chosen)
def test_acceptance_is_what_lowers_shanten(hand: Hand, forms: dict[str, str]) -> None:
    found, held = acceptance(hand, forms=forms), hand.held()
    assert found.shanten == least(hand, forms)
    assert [wait.tile.kind for wait in found.accepts] == [
        kind
        for kind in range(34)
        if held[kind] < 4
        and least(Hand(concealed=(*hand.concealed, TILES[kind]), melds=hand.melds), forms) < found.shanten
    ]


@given(ready_hands, forms_chosen)
def test_every_live_wait_completes_and_acceptance_of_a_ready_hand_is_its_live_waits(
    hand: Hand, forms: dict[str, str]
) -> None:
    found = waits(hand, forms=forms)
    assert acceptance(hand, forms=forms) == Acceptance(shanten=0, accepts=found.live)
    for wait in found.live:
        won = Hand(concealed=hand.concealed, melds=hand.melds, win=wait.tile)
        assert least(won, forms) == -1
        assert waits(won, forms=forms) == found


@given(ready_hands, st.data())
def test_seen_tiles_move_waits_from_live_to_dead_and_add_none(hand: Hand, data: st.DataObject) -> None:
    before = waits(hand)
    seen = [
        wait.tile for wait in before.live for _ in range(data.draw(st.integers(0, wait.left), label=str(wait.tile)))
    ]
    after = waits(hand, seen)
    assert left_of(after.live) == {
        str(wait.tile): wait.left - seen.count(wait.tile) for wait in before.live if wait.left > seen.count(wait.tile)
    }
    assert set(after.dead) == {*before.dead, *(wait.tile for wait in before.live if wait.left == seen.count(wait.tile))}


def test_a_hand_that_has_to_discard_waits_for_nothing() -> None:
    assert waits(parse_hand("123m55z")) == Waits()
    with pytest.raises(HandError, match="5 tiles; of 3n\\+1") as caught:
        acceptance(parse_hand("123m55z"))
    assert caught.value.code == "tile-count"


@pytest.mark.parametrize(("seen", "offender"), [("111m", "1m"), ("55555z", "5z"), ("1f1f", "1f")])
def test_a_copy_too_many_is_refused(seen: str, offender: str) -> None:
    hand = parse_hand("11m55z")
    for question in (waits, acceptance):
        with pytest.raises(HandError, match=f"'{offender}' in the hand and seen") as caught:
            question(hand, tiles_of(seen))
        assert caught.value.code == "too-many"
    with pytest.raises(HandError, match="in the hand and seen"):
        discards(parse_hand("11m555z"), tiles_of(seen))


def test_the_joker_is_drawn_only_from_a_set_that_has_it() -> None:
    hand = parse_hand("23m5z1j")
    assert left_of(waits(hand).live) == {"1m": 4, "4m": 4, "5z": 3}
    assert left_of(waits(hand, [tile("1j")], tiles=DEFAULT_SET).live) == {"1m": 4, "4m": 4, "5z": 3, "1j": 2}
    assert left_of(acceptance(hand, tiles=DEFAULT_SET).accepts) == {"1m": 4, "4m": 4, "5z": 3, "1j": 3}


def test_tiles_that_a_set_lacks_are_no_waits() -> None:
    no_ones = TileSet.of({"1m": 0, "m": 4, "p": 4, "s": 4, "z": 2})
    found = waits(parse_hand("23m55z"), tiles=no_ones)
    assert (left_of(found.live), found.dead) == ({"4m": 4}, ())
    with pytest.raises(HandError, match="3 copies of '5z' in the hand and seen; there are 2"):
        waits(parse_hand("23m55z"), tiles_of("5z"), tiles=no_ones)


def test_melds_that_forbid_every_form() -> None:
    pairs_only = {"seven-pairs": "four"}
    hand = parse_hand("1122m,123p,123s,456s")
    assert waits(hand, forms=pairs_only) == Waits()
    with pytest.raises(HandError, match="forbid every form") as caught:
        acceptance(hand, forms=pairs_only)
    assert caught.value.code == "bad-form"
    with pytest.raises(HandError, match="forbid every form"):
        discards(parse_hand("11223m,123p,123s,456s"), forms=pairs_only)
