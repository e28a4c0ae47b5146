"""Logs of deals that players of every kind have played, for tests."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from mjcli.ruleset import load_ruleset
from mjcli.simulate.runs import Plan, Run

MOODY = "tests/strategies.py:Moody"

RULES = (
    ("jipinghu", ()),
    ("jipinghu", (("passed_win", "go_round"), ("multiple_winners", "nearest"))),
    ("guangdong-xinzhang", ()),
    ("guangdong-xinzhang", (("flowers", "false"), ("passed_win", "until_action"), ("multiple_winners", "all"))),
    ("hongkong", (("minimum_fan", "1"),)),
    ("malaysia-4p", ()),
    ("mcr", (("minimum_fan", "1"),)),
    ("riichi", ()),
    (
        "riichi",
        (
            ("multiple_ron", "one"),
            ("abortive_draws", "false"),
            ("swap_calling", "same_tile"),
            ("kan_dora", "at_once"),
            ("kan_ura", "false"),
            ("riichi_kongs", "none"),
            ("nagashi_mangan", "false"),
            ("aka_dora", "false"),
        ),
    ),
    ("malaysia-3p", ()),
    (
        "malaysia-3p",
        (
            ("minimum_fan", "1"),
            ("multiple_winners", "all"),
            ("four_jokers_win", "true"),
            ("suit", "characters"),
            ("joker_tile", "1s"),
            ("heads", "clowns"),
        ),
    ),
)
"""Rulesets with options, so that every way to play is among them."""

Options = tuple[tuple[str, str], ...]


DEALS = 3
"""How many of each are played for the fast tests."""


@cache
def log_of(rules: str, options: Options, player: str, seed: int, deals: int) -> tuple[str, ...]:
    """Return the lines of a log."""
    lines: list[str] = []
    chosen = dict(options)
    players = (player,) * load_ruleset(rules, chosen).players
    plan = Plan(rules=rules, options=chosen, players=players, seed=seed)
    for _ in Run(plan).played(0, deals, lines):
        pass
    return tuple(lines)


def deals_of(lines: tuple[str, ...]) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Yield the first line and the events of each deal of a log."""
    keys = [json.loads(line) for line in lines]
    heads = [place for place, each in enumerate(keys) if each["event"] == "deal"]
    for first, after in zip(heads, [*heads[1:], len(keys)], strict=True):
        yield keys[first], keys[first + 1 : after]
