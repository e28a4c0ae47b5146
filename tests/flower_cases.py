"""Cases of games with flowers: what a case says of an answer, and the plain scorer's reading of its line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from mjcli.errors import InputError
from mjcli.notation import parse_line
from mjcli.ruleset import load_ruleset
from mjcli.scoring import Score, score
from tests.cases import table
from tests.plain_wins import FlowerWin, PlainScore
from tests.test_jipinghu import answers, plain_of


def cases_of(name: str) -> list[dict[str, Any]]:
    """Return the cases of a file, of which no two have the same id."""
    found: list[dict[str, Any]] = table(name)
    assert len({case["id"] for case in found}) == len(found)
    return found


def score_of(rules: str, case: Mapping[str, Any]) -> Score:
    ruleset = load_ruleset(rules, case.get("options"))
    return score(parse_line(case["line"], extra=ruleset.extra_words, tiles=ruleset.tiles), ruleset)


def said_of(case: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a case says of the answer."""
    unsaid = {"complete": True, "can_win": True}
    return {**unsaid, **{key: value for key, value in case.items() if key not in ("id", "line", "options", "source")}}


def wrong_answers(rules: str, case: Mapping[str, Any]) -> dict[str, Any]:
    """Return in what the answer differs from what a case says."""
    if "error" in case:
        try:
            found = score_of(rules, case)
        except InputError as error:
            return {} if error.code == case["error"] else {"error": error.code}
        return {"error": "", "fan": found.fan}
    every = answers(score_of(rules, case))
    return {key: every[key] for key, value in said_of(case).items() if every[key] != value}


def flower_win_of(line: str) -> FlowerWin:
    """Return a line as the plain scorers read it."""
    read = parse_line(line)
    win = plain_of(read)
    said = {each.name: getattr(win, each.name) for each in fields(win)}
    if read.hand.win is None:
        said |= {"win": "", "drawn": True}
    return FlowerWin(**said, flowers=tuple(map(str, read.hand.bonus)), flower_draw=read.context.flower_draw)


def plain_differences(case: Mapping[str, Any], found: PlainScore | None) -> dict[str, Any]:
    """Return in what a plain scorer's answer differs from what a case says."""
    expected = said_of(case)
    if found is None or not expected["complete"]:
        return {} if found is None and not expected["complete"] else {"complete": found is not None}
    every = {
        "fan": found.fan,
        "fan_uncapped": found.uncapped,
        "points": found.points,
        "can_win": found.can_win,
        "payments": found.payments,
    }
    wrong = {key: value for key, value in every.items() if key in expected and value != expected[key]}
    if "patterns" in expected and expected["patterns"] not in [counts for counts, _ in found.choices]:
        wrong["patterns"] = found.choices
    if bool(expected.get("liable", found.liable)) != found.liable:
        wrong["liable"] = found.liable
    return wrong


def option_values(options: Mapping[str, str]) -> dict[str, Any]:
    """Return options said as texts as the plain scorers take them."""
    truths = {"true": True, "false": False}
    return {key: truths.get(value, int(value) if value.isdigit() else value) for key, value in options.items()}
