"""Logs: they replay to the same end, and a damaged one is refused at its line."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from mjcli.play.events import event_keys
from mjcli.play.log import LogError, replay
from tests.played import DEALS, MOODY, RULES, Options, deals_of, log_of

LINES = log_of("jipinghu", (), "fast", 11, 2)


@pytest.mark.parametrize(("rules", "options"), RULES)
def test_a_log_replays_to_the_same_end(rules: str, options: Options) -> None:
    lines = log_of(rules, options, MOODY, 11, DEALS)
    found = [(dict(each.head), [event_keys(event) for event in each.events]) for each in replay(lines)]
    assert found == list(deals_of(lines))


def changed(number: int, change: Callable[[dict[str, Any]], object]) -> list[str]:
    """Return the log with one line changed; lines are counted from 1."""
    keys = json.loads(LINES[number - 1])
    change(keys)
    return [*LINES[: number - 1], json.dumps(keys), *LINES[number:]]


def first(event: str) -> int:
    """Return the number of the first line of an event."""
    return next(number for number, line in enumerate(LINES, 1) if json.loads(line)["event"] == event)


def refused(lines: list[str]) -> LogError:
    with pytest.raises(LogError) as caught:
        list(replay(lines))
    return caught.value


def test_every_line_that_is_missing_is_missed() -> None:
    last = first("end")
    for number in range(2, last + 1, 5):
        before, after = LINES[number - 2], LINES[number] if number < last else ""
        if LINES[number - 1] in (before, after):
            continue
        assert refused([*LINES[: number - 1], *LINES[number:]]).line == number


def test_every_line_that_is_told_twice_is_refused() -> None:
    for number in range(2, first("end") + 1, 5):
        assert refused([*LINES[:number], *LINES[number - 1 :]]).line == number + 1


def test_what_would_be_legal_is_said() -> None:
    number = first("discard")
    tile = next(tile for tile in ("1m", "5p", "7z") if tile not in hand_of_dealer())
    error = refused(changed(number, lambda keys: keys.update(tile=tile)))
    assert str(error).startswith(f"line {number}: 'E discard {tile}' is not legal here; legal: E discard ")
    number = first("draw")
    error = refused(changed(number, lambda keys: keys.update(tile="9z")))
    assert str(error).startswith(f"line {number}: 'S draw 9z' is not legal here; legal: ") or "must be" in str(error)


def hand_of_dealer() -> list[str]:
    from mjcli.notation import parse_tiles

    return [str(tile) for tile in parse_tiles(json.loads(LINES[0])["hands"]["E"])]


@pytest.mark.parametrize(
    ("event", "change", "message"),
    [
        ("win", {"fan": 99}, "is told otherwise than it was; it must be"),
        ("win", {"patterns": []}, "is told otherwise than it was; it must be"),
        ("payment", {"payments": {"E": 0, "S": 0, "W": 0, "N": 0}}, "must be"),
        ("end", {"left": 7}, "must be"),
        ("deal", {"hands": {"E": "1m"}}, "'hands' must be"),
        ("deal", {"seed": 12}, "deal 0 of seed 12 has other dice, or another wall"),
        ("deal", {"dice": [[7, 7, 7], [1, 1, 1]]}, "7 is no face of a die (1-6)"),
        ("deal", {"wall": "123m"}, "the wall is not that of the ruleset"),
        ("deal", {"ruleset": "nowhere"}, "no ruleset 'nowhere'"),
        ("deal", {"options": {"cup": "1"}}, "has no option 'cup'"),
        ("deal", {"options": None}, "the deal is not told whole"),
        ("deal", {"round": "X"}, "the deal is not told whole"),
        ("deal", {"event": "dael"}, "a deal begins with the event deal"),
    ],
)
def test_a_damaged_line_is_refused(event: str, change: dict[str, Any], message: str) -> None:
    number = first(event)
    error = refused(changed(number, lambda keys: keys.update(change)))
    assert error.line == number
    assert message in str(error)


@pytest.mark.parametrize("key", list(json.loads(LINES[0])))
def test_what_a_deal_does_not_tell_is_named(key: str) -> None:
    error = refused(changed(1, lambda keys: keys.pop(key)))
    assert error.line == 1
    assert f"'{key}'" in str(error) or key == "event"


def test_a_log_that_ends_early_is_refused() -> None:
    number = first("end") - 3
    error = refused(list(LINES[:number]))
    assert error.line == number
    assert "the log ends after this line, before the deal does; legal: " in str(error)


@pytest.mark.parametrize("text", ["nonsense", "[1]", "12", '{"event": "draw"', "[" * 100_000])
def test_what_is_no_object_is_refused(text: str) -> None:
    error = refused([*LINES[:5], text, *LINES[5:]])
    assert str(error) == "line 6: this is no JSON object"


def test_another_ruleset_than_the_log_s_is_refused() -> None:
    with pytest.raises(LogError, match="line 1: this is a deal of ruleset jipinghu, not of hongkong"):
        list(replay(LINES, rules="hongkong"))


def test_the_order_of_keys_is_not_told() -> None:
    lines = [json.dumps(json.loads(line), sort_keys=True) for line in LINES]
    for found, wanted in zip(replay(lines), replay(LINES), strict=True):
        assert found == wanted
        assert list(found.head["players"]) == ["E", "S", "W", "N"]


def test_players_are_known_by_their_seats_in_any_order() -> None:
    names = {"N": "north", "S": "south", "E": "east", "W": "west"}
    found = next(replay(changed(1, lambda keys: keys.update(players=names))))
    assert list(found.head["players"].items()) == [("E", "east"), ("S", "south"), ("W", "west"), ("N", "north")]
