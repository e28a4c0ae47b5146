"""The referee against a second, plain one; and what must be true after every event."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mjcli.chance import Chance
from mjcli.dealing import deal
from mjcli.errors import InputError
from mjcli.forms import missing
from mjcli.play import Judge, Table, View, start_of
from mjcli.play.events import Event
from mjcli.play.table import Supply
from mjcli.play.wins import Wins
from mjcli.players import play_deal, player
from mjcli.ruleset import Ruleset, load_ruleset
from mjcli.simulate.starts import starts
from mjcli.tiles import JOKER_KIND
from mjcli.wall import Wall
from tests.plain_play import check_deal
from tests.played import DEALS, MOODY, RULES, Options, deals_of, log_of


@pytest.mark.parametrize(("rules", "options"), RULES)
def test_a_plain_referee_finds_no_fault(rules: str, options: Options) -> None:
    ruleset = load_ruleset(rules, dict(options))
    for head, events in deals_of(log_of(rules, options, MOODY, 11, DEALS)):
        check_deal(head, events, ruleset)


@pytest.mark.long
@pytest.mark.parametrize("who", ["random", "fast", MOODY])
@pytest.mark.parametrize(("rules", "options"), RULES)
def test_a_plain_referee_finds_no_fault_in_many_deals(rules: str, options: Options, who: str) -> None:
    ruleset = load_ruleset(rules, dict(options))
    for head, events in deals_of(log_of(rules, options, who, 12, 250)):
        check_deal(head, events, ruleset)


@pytest.mark.parametrize("rules", ["jipinghu", "riichi", "mcr", "malaysia-3p"])
def test_the_plain_referee_finds_faults(rules: str) -> None:
    ruleset = load_ruleset(rules)
    head, events = next(deals_of(log_of(rules, (), "fast", 11, 2)))
    for place in range(0, len(events) - 1, 4):
        if events[place] == events[place + 1]:
            continue
        changed = [*events[:place], events[place + 1], events[place], *events[place + 2 :]]
        with pytest.raises((AssertionError, ValueError, IndexError)):
            check_deal(head, changed, ruleset)


@pytest.mark.parametrize(("rules", "options"), RULES)
def test_after_every_event(rules: str, options: Options, monkeypatch: pytest.MonkeyPatch) -> None:
    ruleset = load_ruleset(rules, dict(options))
    assert ruleset.wall is not None
    tables: list[Table] = []

    class Seen(View):
        def __init__(self, table: Table, seat: int) -> None:
            super().__init__(table, seat)
            tables.append(table)

    monkeypatch.setattr("mjcli.players.base.View", Seen)
    judge, four = Judge(ruleset), [(MOODY, player(MOODY, ruleset))] * ruleset.players
    size = ruleset.wall.tiles.size

    def check(event: Event) -> None:
        table = tables[-1]
        held = sum(map(sum, table.counts)) + sum(table.jokers) + sum(map(len, table.bonus))
        melds = [meld for melds in table.melds for meld in melds]
        open_tiles = sum(table.seen)
        assert held + open_tiles + table.supply.left == size - ruleset.wall.dead_wall, event  # type: ignore[union-attr]
        assert open_tiles >= sum(len(meld.kinds) for meld in melds)
        for counts, reds, jokers, own in zip(table.counts, table.reds, table.jokers, table.melds, strict=True):
            assert sum(counts) + jokers + 3 * len(own) in (13, 14), event
            assert min(counts) >= 0
            assert all(0 <= red <= counts[9 * suit + 4] for suit, red in enumerate(reds))
        for kind, copies in enumerate(table.copies[:34]):
            assert table.seen[kind] + sum(counts[kind] for counts in table.counts) <= copies

    for number in range(DEALS):
        outcome = play_deal(judge, start_of(deal(ruleset, seed=21, index=number)), four, tell=check)
        deposit = ruleset.play.ready.deposit if ruleset.play and ruleset.play.ready else 0
        assert sum(outcome.payments) + deposit * outcome.deposits == 0
        assert all(sum(won.payments) == 0 for won in outcome.wins)


def test_what_a_player_changes_is_his_own() -> None:
    told = []
    for who in ("fast", "tests/strategies.py:Meddles"):
        head_and_events = list(deals_of(log_of("jipinghu", (), who, 3, 1)))
        told.append([events for _, events in head_and_events])
    assert told[0] == told[1]


def test_what_a_player_prints_is_no_answer(capsys: pytest.CaptureFixture[str]) -> None:
    log_of("jipinghu", (), "tests/strategies.py:Talks", 3, 1)
    told = capsys.readouterr()
    assert not told.out
    assert "discard " in told.err


@pytest.mark.parametrize(
    ("who", "message"),
    [
        ("Raises", "strategy 'tests/strategies.py:Raises' as E, after event 0 of deal 0 of seed 9: LookupError: lost"),
        ("Cheats", "strategy 'tests/strategies.py:Cheats' as E, after event 0 of deal 0 of seed 9: 'discard "),
        ("Answers", "as E, after event 0 of deal 0 of seed 9: ''east'' is not allowed, but discard "),
        ("AnswersBare", "'(<Act.DISCARD: 'discard'>, 1, 0, ())' is not allowed, but discard 2m"),
        (
            "NamesNoTile",
            "'Choice(act=<Act.DISCARD: 'discard'>, kind=99, red=0, jokers=())' is not allowed, but discard ",
        ),
        ("Quits", "strategy 'tests/strategies.py:Quits' as E, after event 0 of deal 0 of seed 9: SystemExit: "),
        ("QuitsAtOnce", "strategy 'tests/strategies.py:QuitsAtOnce' cannot be made: SystemExit: 4"),
        ("CannotBeMade", "strategy 'tests/strategies.py:CannotBeMade' cannot be made: ZeroDivisionError: jipinghu"),
        ("HasNoChoice", "player 'tests/strategies.py:HasNoChoice' has no method 'choose'"),
        ("Nobody", "player 'tests/strategies.py:Nobody': 'tests/strategies.py' defines no 'Nobody'"),
    ],
)
def test_a_strategy_that_fails_is_named(who: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        log_of("jipinghu", (), f"tests/strategies.py:{who}", 9, 1)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("fats", "no player 'fats' (did you mean 'fast'?); there are random, fast"),
        ("no.py:X", "player 'no.py:X': no file 'no.py'"),
    ],
)
def test_no_such_player(name: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        player(name, load_ruleset("jipinghu"))
    assert str(caught.value).startswith(message)


def test_a_ruleset_that_says_nothing_of_play_is_refused() -> None:
    with pytest.raises(InputError, match="small does not say how its wall is built and broken"):
        Judge(load_ruleset("examples/small.yaml"))


@settings(max_examples=60)
@given(data=st.data())
def test_what_completes_a_hand_with_jokers(data: st.DataObject) -> None:
    kinds = [kind for kind, copies in enumerate(MALAYSIA_3P.tiles.copies[:34]) for _ in range(copies)]
    sets = data.draw(st.integers(1, 4))
    tiles = data.draw(st.permutations([*kinds, *[JOKER_KIND] * 4]))[: 3 * sets + 1]
    jokers = tiles.count(JOKER_KIND)
    counts = [tiles.count(kind) for kind in range(34)]
    expected = set()
    for kind in {*kinds}:
        after = [count + (each == kind) for each, count in enumerate(counts)]
        if counts[kind] < 4 and missing(after, sets, "standard") == jokers:
            expected.add(kind)
    if missing(counts, sets, "standard") == jokers + 1:
        expected.add(JOKER_KIND)
    assert Wins(MALAYSIA_3P).waits(counts, sets, jokers) == expected


@pytest.mark.parametrize("left_out", ["indicator", "ready", "deposit"])
def test_the_plain_referee_misses_what_riichi_needs(left_out: str) -> None:
    ruleset = load_ruleset("riichi")
    head, events = list(deals_of(log_of("riichi", (), "fast", 11, 2)))[1]
    check_deal(head, events, ruleset)
    places = [place for place, event in enumerate(events) if event["event"] == left_out]
    assert places
    for place in places:
        with pytest.raises((AssertionError, ValueError, IndexError)):
            check_deal(head, [*events[:place], *events[place + 1 :]], ruleset)


# the wall, and deals made many at once

MALAYSIA_3P = load_ruleset("malaysia-3p")
JIPINGHU, MALAYSIA = load_ruleset("jipinghu"), load_ruleset("malaysia-4p", {"dead_wall": "15"})


@settings(max_examples=20)
@given(seed=st.integers(0, 2**32), ruleset=st.sampled_from([JIPINGHU, MALAYSIA]))
def test_the_supply_gives_what_the_wall_gives(seed: int, ruleset: Ruleset) -> None:
    dealt = deal(ruleset, seed=seed)
    wall: Wall = dealt.wall
    supply, chance = Supply(start_of(dealt)), Chance(seed, 1)
    while wall.left:
        assert supply.left == wall.left
        if chance.below(2):
            drawn, wall = wall.draw()
            assert supply.draw() == drawn[0].tile.kind
        else:
            drawn, wall = wall.replacements()
            assert supply.replacement() == drawn[0].tile.kind
    assert supply.left == 0


@pytest.mark.parametrize(("rules", "options"), RULES)
def test_deals_made_many_at_once_begin_alike(rules: str, options: Options) -> None:
    ruleset = load_ruleset(rules, dict(options))
    assert ruleset.wall is not None
    found = list(starts(ruleset.wall, 5, 7, 5))
    alone: list[Any] = [start_of(deal(ruleset, seed=5, index=number)) for number in range(7, 12)]
    assert found == alone
