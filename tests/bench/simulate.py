"""Print as JSON how many complete deals a second are played, beside ``riichienv``, ``pymahjong`` and ``jansou``.

``python -m tests.bench.simulate [DEALS]``: deals that mjcli plays in arrays in a round, 12,288 unless said. Claims,
kongs, scoring and payments are included everywhere. Four ``fast`` players of guangdong-xinzhang play beside the random
agents of ``riichienv`` and ``pymahjong`` and the efficient ones of ``jansou``, which play riichi; a program that is not
installed is left out. Other rulesets of which arrays are played are played besides. Each takes its turn in every round,
on one core. Figures are medians of processor time, ratios are taken round by round.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module
from random import Random
from statistics import median
from typing import Any, Final

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is imported

import numpy as np

from mjcli.ruleset import load_ruleset
from mjcli.simulate import Plan, simulate
from mjcli.simulate.runs import Run

ROUNDS: Final = 7
DEALS: Final = 12_288
"""Deals that mjcli plays in arrays in a round, unless another number is said."""
FEW: Final = 20
"""Deals that mjcli plays one by one in a round."""
RULES: Final = "guangdong-xinzhang"
OTHERS: Final = ("mcr", "malaysia-3p", "riichi")
"""Rulesets that are played besides."""

Program = Callable[[int], int]
"""Plays for a round, whose number it is given, and returns how many deals it has played."""


def plan(rules: str, players: str, seed: int) -> Plan:
    """Return what is played: all players are alike."""
    return Plan(rules=rules, players=(players,) * load_ruleset(rules).players, seed=seed)


def in_arrays(players: str, deals: int, rules: str = RULES) -> Program:
    """Return mjcli as it plays unasked."""
    return lambda turn: int(simulate(plan(rules, players, turn), deals)["deals"])


def in_games(players: str, games: int) -> Program:
    """Return mjcli as it plays whole games unasked, whose deals count."""

    def play(turn: int) -> int:
        answer = simulate(replace(plan(RULES, players, turn), games=True), games)
        played: int = round(games * answer["results"]["deals_per_game"]["mean"])
        return played

    return play


def one_by_one(players: str, rules: str = RULES) -> Program:
    """Return mjcli without arrays."""
    run = Run(plan(rules, players, 1))
    return lambda turn: sum(1 for _ in run.played(turn * FEW, FEW))


def riichienv(deals: int) -> Program:
    """Return riichienv with its random agents."""
    env, agent = import_module("riichienv").RiichiEnv, import_module("riichienv.agents").RandomAgent(1)

    def play(turn: int) -> int:
        for deal in range(deals):
            game = env(seed=turn * deals + deal)
            asked = game.reset()
            while not game.done():
                asked = game.step({player: agent.act(view) for player, view in asked.items()})
        return deals

    return play


def pymahjong(deals: int) -> Program:
    """Return pymahjong with agents that do anything."""
    game, rng = import_module("pymahjong").MahjongEnv(), Random(1)

    def play(turn: int) -> int:
        for deal in range(deals):
            game.reset(oya=(turn + deal) % 4, game_wind="east")
            while not game.is_over():
                valid = np.flatnonzero(game.get_valid_actions(nhot=True))
                game.step(game.get_curr_player_id(), int(valid[rng.randrange(len(valid))]))
        return deals

    return play


def jansou(games: int) -> Program:
    """Return jansou with agents that play for acceptance."""
    environment = import_module("jansou.game.environment").Environment
    agent, rules = import_module("jansou.game.agents").EfficiencyAgent, import_module("jansou.core.rules").Rules

    def play(turn: int) -> int:
        deals = 0
        for game in range(games):
            table = environment(rules(), seed=turn * games + game)
            table.run([agent(seat) for seat in range(4)])
            deals += len(table.records)
        return deals

    return play


def programs(deals: int) -> Iterator[tuple[str, Program]]:
    """Yield those that are installed, by name."""
    yield "mjcli fast", in_arrays("fast", deals)
    yield "mjcli random", in_arrays("random", deals // 4)
    yield "mjcli value", in_arrays("value", deals // 4)
    yield "mjcli fast in games", in_games("fast", deals // 8)
    yield "mjcli fast one by one", one_by_one("fast")
    yield "mjcli value one by one", one_by_one("value")
    for rules in OTHERS:
        for players, count in (("fast", deals), ("value", deals // 4)):
            yield f"mjcli {players} {rules}", in_arrays(players, count, rules)
            yield f"mjcli {players} {rules} one by one", one_by_one(players, rules)
    peers: dict[str, Callable[[], Program]] = {
        "riichienv random": lambda: riichienv(200),
        "pymahjong random": lambda: pymahjong(50),
        "jansou efficient": lambda: jansou(1),
    }
    for name, made in peers.items():
        try:
            yield name, made()
        except ImportError:
            print(f"{name.split()[0]} is not installed", file=sys.stderr)


def report(deals: int) -> dict[str, Any]:
    """Return what is measured of every program."""
    timed = dict(programs(deals))
    spent: dict[str, list[float]] = {name: [] for name in timed}
    for turn in range(-1, ROUNDS):  # the first one warms up
        for name, play in timed.items():
            start = time.process_time()
            played = play(1 + turn)
            if turn >= 0:
                spent[name].append((time.process_time() - start) / played)
    found: dict[str, Any] = {name: round(1 / median(times)) for name, times in spent.items()}
    ours = spent["mjcli fast"]
    ratios = {
        name: round(median(theirs / mine for mine, theirs in zip(ours, times, strict=True)), 1)
        for name, times in spent.items()
        if not name.startswith("mjcli")
    }
    versions = {"python": sys.version.split()[0], "numpy": np.__version__}
    return {**versions, "deals_a_second": found, "mjcli fast, times as many as": ratios}


if __name__ == "__main__":
    print(json.dumps(report(int(sys.argv[1]) if len(sys.argv) > 1 else DEALS), indent=1))
