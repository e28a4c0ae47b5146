"""Strategies of one's own, from a Python file: ``FILE.py:NAME``."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from mjcli.errors import InputError
from mjcli.players.base import Player, StrategyError
from mjcli.ruleset import Ruleset

__all__ = ["own_player"]


def own_player(name: str, ruleset: Ruleset) -> Player:
    """Return a player that a file defines; running the file is running a program.

    Args:
        name: path and class, such as ``mine.py:Greedy``.
        ruleset: what the class is called with.

    Raises:
        InputError: there is no such file or class (``bad-player``).
        StrategyError: the file or the class fails.
    """
    path, _, word = name.rpartition(":")
    if not Path(path).is_file():
        raise InputError("bad-player", f"player '{name}': no file '{path}'")
    found = _module(str(Path(path).resolve()), name).get(word)
    if found is None:
        raise InputError("bad-player", f"player '{name}': '{path}' defines no '{word}'")
    make: Callable[[Ruleset], Any] = found
    try:
        player = make(ruleset)
    except Exception as error:
        raise StrategyError(f"strategy '{name}' cannot be made: {type(error).__name__}: {error}") from error
    if not callable(getattr(player, "choose", None)):
        raise InputError("bad-player", f"player '{name}' has no method 'choose'")
    made: Player = player
    return made


@cache
def _module(path: str, name: str) -> dict[str, Any]:
    """Return the names that a file defines, run once."""
    from runpy import run_path

    try:
        return run_path(path)
    except Exception as error:
        raise StrategyError(f"strategy '{name}' cannot be read: {type(error).__name__}: {error}") from error
