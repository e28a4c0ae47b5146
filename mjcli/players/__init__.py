"""Programmed players, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from mjcli.errors import InputError, most_like
from mjcli.players.base import Player, StrategyError, play_deal
from mjcli.players.own import own_player
from mjcli.players.simple import Fast, Random
from mjcli.players.value import Careful, Value
from mjcli.ruleset import Ruleset

__all__ = ["PLAYERS", "Player", "StrategyError", "play_deal", "player"]

PLAYERS: Final[Mapping[str, Callable[[Ruleset], Player]]] = {
    "random": Random,
    "fast": Fast,
    "value": Value,
    "careful": Careful,
}
"""The players that come with mjcli."""


def player(name: str, ruleset: Ruleset) -> Player:
    """Return the player of a name, or of ``FILE.py:NAME``, for a ruleset.

    Raises:
        InputError: there is no such player (``bad-player``).
        StrategyError: a player of one's own fails.
    """
    if ":" in name:
        return own_player(name, ruleset)
    if name not in PLAYERS:
        meant = most_like(name, PLAYERS)
        hint = f" (did you mean '{meant}'?)" if meant else ""
        raise InputError("bad-player", f"no player '{name}'{hint}; there are {', '.join(PLAYERS)}, or FILE.py:NAME")
    return PLAYERS[name](ruleset)
