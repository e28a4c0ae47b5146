"""Tiles, melds, hands and contexts: what exists, and what cannot be built."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mjcli.errors import ContradictionError, HandError, InputError
from mjcli.hand import Context, Hand, Line
from mjcli.melds import Meld, MeldType, Relation, Seat
from mjcli.tiles import DEFAULT_SET, KINDS, TILES, Suit, Tile, TileSet, tile
from tests.random_hands import random_hand, random_meld

RED = Tile(Suit.DOTS, 5, red=True)
CHOW, PUNG, KONG = MeldType.CHOW, MeldType.PUNG, MeldType.KONG


def test_every_kind_has_one_tile_and_one_name() -> None:
    assert [each.kind for each in TILES] == list(range(KINDS))
    assert [tile(str(each)) for each in TILES] == list(TILES)
    assert sorted(TILES) == list(TILES)
    assert tile("0p") == RED
    assert (RED.kind, RED.plain, str(RED)) == (13, TILES[13], "0p")
    assert sorted([TILES[13], RED, TILES[12]]) == [TILES[12], RED, TILES[13]]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("8z", "bad-rank"),
        ("0z", "bad-rank"),
        ("9f", "bad-rank"),
        ("2j", "bad-rank"),
        ("1q", "bad-char"),
        ("", "bad-char"),
    ],
)
def test_no_such_tile(name: str, code: str) -> None:
    with pytest.raises(HandError) as caught:
        tile(name)
    assert caught.value.code == code


@pytest.mark.parametrize(("suit", "rank", "red"), [("z", 8, False), ("m", 0, False), ("m", 4, True), ("z", 5, True)])
def test_no_tile_can_be_built_that_does_not_exist(suit: str, rank: int, red: bool) -> None:
    with pytest.raises(HandError) as caught:
        Tile(Suit(suit), rank, red=red)
    assert caught.value.code == "bad-rank"


def test_sets() -> None:
    plain = TileSet.of({"m": 4, "p": 4, "s": 4, "z": 4})
    assert (plain.size, DEFAULT_SET.size) == (136, 136 + 4 + 16 + 4 + 8)
    assert plain.missing([TILES[0], RED, TILES[35]]) == RED
    assert DEFAULT_SET.missing([*TILES, RED]) is None
    assert TileSet.of({"f": 1, "5f": 0}).size == 7
    with pytest.raises(HandError, match="more fives are red"):
        TileSet.of({"m": 4}, reds=(5, 0, 0))
    with pytest.raises(HandError, match="none negative"):
        TileSet.of({"m": -1})


@given(st.integers(min_value=0).map(Random))
def test_melds(rng: Random) -> None:
    meld = random_meld(rng)
    assert [each.kind for each in meld.tiles] == list(meld.kinds)
    assert len(meld.tiles) == (4 if meld.type is KONG else 3)
    assert sum(each.red for each in meld.tiles) == meld.reds
    assert sum(each.is_joker for each in meld.tiles) == len(meld.jokers)
    shown = [each.plain for each in meld.tiles if not each.is_joker]
    assert Counter([*shown, *meld.jokers]) == Counter(meld.stands_for)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"type": CHOW, "first": TILES[27]}, "no chow starts with '1z'"),
        ({"type": CHOW, "first": TILES[7]}, "no chow starts with '8m'"),
        ({"type": PUNG, "first": TILES[35]}, "no meld of '1f'"),
        ({"type": PUNG, "first": TILES[34]}, "no meld of '1j'"),
        ({"type": PUNG, "first": RED}, "no meld of '0p'"),
        ({"type": PUNG, "first": TILES[0], "exposed": False}, "a pung is claimed"),
        ({"type": CHOW, "first": TILES[0], "added": True}, "a chow is claimed"),
        ({"type": KONG, "first": TILES[0], "exposed": False, "added": True}, "an added kong is exposed"),
        ({"type": KONG, "first": TILES[0], "exposed": False, "feeder": Relation.LEFT}, "nobody feeds"),
        ({"type": CHOW, "first": TILES[0], "feeder": Relation.RIGHT}, "from the left only"),
        ({"type": CHOW, "first": TILES[0], "jokers": (TILES[4],)}, "a joker cannot be '5m'"),
        ({"type": CHOW, "first": TILES[0], "jokers": (TILES[1], TILES[0])}, "sorted"),
        ({"type": PUNG, "first": TILES[0], "reds": 1}, "1 red fives in a meld with 0 fives"),
        ({"type": PUNG, "first": TILES[31], "reds": 1}, "0 fives"),
        ({"type": PUNG, "first": TILES[4], "jokers": (TILES[4],), "reds": 3}, "3 red fives in a meld with 2 fives"),
        ({"type": PUNG, "first": TILES[4], "reds": -1}, "-1 red fives"),
    ],
)
def test_no_such_meld(fields: dict[str, Any], why: str) -> None:
    with pytest.raises(HandError, match=why) as caught:
        Meld(**fields)
    assert caught.value.code == "bad-meld"


@given(st.integers(min_value=0).map(Random))
def test_hands(rng: Random) -> None:
    hand = random_hand(rng)
    assert hand.tile_count % 3 in (1, 2)
    assert sum(hand.counts()) + hand.jokers == 3 * hand.sets_needed + (hand.tile_count % 3)
    assert hand.sets_needed + len(hand.melds) + hand.melds_assumed == 4
    held = Counter(each.kind for each in hand.tiles())
    assert hand.held() == [held[kind] for kind in range(KINDS)]


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({}, "empty"),
        ({"concealed": TILES[:3]}, "tile-count"),
        ({"concealed": TILES[:15]}, "tile-count"),
        ({"concealed": TILES[:13], "win": TILES[0], "melds": (Meld(type=PUNG, first=TILES[30]),)}, "tile-count"),
        ({"concealed": TILES[:4], "win": TILES[0]}, None),
        ({"concealed": (TILES[0],) * 5}, "too-many"),
        ({"concealed": (TILES[0],) * 2, "melds": (Meld(type=PUNG, first=TILES[0]),)}, "too-many"),
        ({"concealed": TILES[:1], "bonus": (TILES[35],) * 2}, "too-many"),
        ({"concealed": TILES[:1], "bonus": (TILES[55],) * 2}, None),
        ({"concealed": (TILES[35],)}, "tile-count"),
        ({"concealed": TILES[:1], "bonus": TILES[1:2]}, "tile-count"),
        ({"concealed": TILES[:1], "win": TILES[35]}, "tile-count"),
        ({"concealed": TILES[:1], "self_drawn": True}, "tile-count"),
        ({"bonus": (TILES[35],)}, "tile-count"),
    ],
)
def test_which_hands_exist(fields: dict[str, Any], code: str | None) -> None:
    if code is None:
        assert Hand(**fields).tile_count % 3
    else:
        with pytest.raises(HandError) as caught:
            Hand(**fields)
        assert caught.value.code == code


def test_seats_and_relations() -> None:
    assert [Seat.E.neighbor(each) for each in (Relation.RIGHT, Relation.ACROSS, Relation.LEFT)] == [
        Seat.S,
        Seat.W,
        Seat.N,
    ]
    assert all(seat.neighbor(Relation.LEFT).neighbor(Relation.RIGHT) is seat for seat in Seat)


@pytest.mark.parametrize(
    ("fields", "first", "second"),
    [
        ({"self_draw": True, "rob_kong": True}, "self-draw", "rob-kong"),
        ({"self_draw": True, "source": Relation.LEFT}, "self-draw", "from="),
        ({"winners": 2, "kong_draw": 1}, "winners=", "kong-draw"),
        ({"rob_kong": True, "last_tile": True}, "rob-kong", "last-tile"),
        ({"seat": Seat.S, "liable": Seat.S}, "seat=", "liable="),
    ],
)
def test_contexts_that_cannot_be_true(fields: dict[str, Any], first: str, second: str) -> None:
    with pytest.raises(ContradictionError) as caught:
        Context(**fields)
    assert (caught.value.first, caught.value.second) == (first, second)
    assert str(caught.value) == f"'{first}' contradicts '{second}': {caught.value.why}"


ONE = TILES[:1]
KONG_OF_TWO = Meld(type=KONG, first=TILES[1])
PUNGS_OF_DOTS = tuple(Meld(type=PUNG, first=TILES[kind]) for kind in (9, 10, 11))
PUNG_OF_ONE = Meld(type=PUNG, first=TILES[0])


@pytest.mark.parametrize(
    ("hand", "context", "second"),
    [
        ({"concealed": ONE, "win": TILES[0]}, {"self_draw": True}, "self-draw"),
        ({"concealed": ONE, "win": TILES[0], "self_drawn": True}, {"source": Relation.LEFT}, "from="),
        ({"concealed": ONE, "win": TILES[0]}, {"last_of_kind": True}, "1m"),
        ({"concealed": TILES[1:2], "melds": (PUNG_OF_ONE,), "win": TILES[0]}, {"rob_kong": True}, "1m"),
        ({"concealed": ONE, "win": TILES[0], "self_drawn": True}, {"rob_own_kong": True}, "melds"),
        ({"concealed": ONE, "melds": (PUNG_OF_ONE,)}, {"first_turn": True}, "melds"),
        ({"concealed": TILES[20:22], "melds": (KONG_OF_TWO, *PUNGS_OF_DOTS)}, {"kong_draw": 2}, "melds"),
    ],
)
def test_contexts_that_cannot_be_true_of_a_hand(hand: dict[str, Any], context: dict[str, Any], second: str) -> None:
    with pytest.raises(InputError) as caught:
        Line(hand=Hand(**hand), context=Context(**context))
    assert getattr(caught.value, "second", caught.value.code) == second


def test_seen_tiles_count_as_copies() -> None:
    hand = Hand(concealed=(TILES[0],) * 2)
    assert Line(hand=hand, context=Context(seen=(TILES[0],) * 2)).context.seen == (TILES[0],) * 2
    with pytest.raises(HandError, match="the seen tiles included"):
        Line(hand=hand, context=Context(seen=(TILES[0],) * 3))


@pytest.mark.parametrize(
    ("context", "drawn"),
    [({}, False), ({"self_draw": True}, True), ({"flower_draw": True}, True), ({"last_tile": True}, False)],
)
def test_self_drawn_by_words(context: dict[str, Any], drawn: bool) -> None:
    assert Line(hand=Hand(concealed=TILES[:2]), context=Context(**context)).self_drawn is drawn


def test_self_drawn_by_tiles() -> None:
    assert Line(hand=Hand(concealed=ONE, win=TILES[1], self_drawn=True)).self_drawn
    assert not Line(hand=Hand(concealed=ONE, win=TILES[1])).self_drawn
