"""Strategies of one's own, from a Python file: ``FILE.py:NAME``.

What they print goes to standard error, so that standard output has answers alone.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any

from mjcli.errors import InputError
from mjcli.play import Choice, View
from mjcli.players.base import FAILURES, Player, StrategyError
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
        with redirect_stdout(sys.stderr):
            player = make(ruleset)
    except FAILURES as error:
        raise StrategyError(f"strategy '{name}' cannot be made: {type(error).__name__}: {error}") from error
    if not callable(getattr(player, "choose", None)):
        raise InputError("bad-player", f"player '{name}' has no method 'choose'")
    return _Own(player)


class _Own:
    """A player of one's own, whose words go to standard error."""

    def __init__(self, player: Player) -> None:
        self._player = player

    def choose(self, view: View, choices: Sequence[Choice]) -> Choice:
        """Return what the player chooses."""
        with redirect_stdout(sys.stderr):
            return self._player.choose(view, choices)


@cache
def _module(path: str, name: str) -> dict[str, Any]:
    """Return the names that a file defines, run once."""
    from runpy import run_path

    try:
        with redirect_stdout(sys.stderr):
            return run_path(path)
    except FAILURES as error:
        raise StrategyError(f"strategy '{name}' cannot be read: {type(error).__name__}: {error}") from error
