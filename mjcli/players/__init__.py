"""Programmed players, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from mjcli.players.base import Player, StrategyError, play_deal
from mjcli.players.simple import Fast, Random
from mjcli.ruleset import Ruleset

__all__ = ["PLAYERS", "Player", "StrategyError", "play_deal", "player"]

PLAYERS: Final[Mapping[str, Callable[[Ruleset], Player]]] = {"random": Random, "fast": Fast}


def player(name: str, ruleset: Ruleset) -> Player:
    """Return the player of a name, for a ruleset."""
    return PLAYERS[name](ruleset)
