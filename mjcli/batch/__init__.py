"""Many at once, in arrays: the same answers as the modules for one, in chunks that stay in the processor's cache.

``hands_of`` turns lines into arrays, ``score`` values them under a ruleset. They are imported when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from mjcli.batch.hands import Hands, hands_of, lines_of
    from mjcli.batch.scores import Scorer, Scores, score

_HOMES: Final = {
    "hands": ("Hands", "hands_of", "lines_of"),
    "scores": ("Scorer", "Scores", "score"),
}
_HOME_OF: Final = {name: home for home, names in _HOMES.items() for name in names}

__all__ = ["Hands", "Scorer", "Scores", "hands_of", "lines_of", "score"]


if not TYPE_CHECKING:  # a type checker would take any name for one that there is

    def __getattr__(name: str) -> Any:
        home = _HOME_OF.get(name)
        if home is None:
            raise AttributeError(f"module 'mjcli.batch' has no attribute '{name}'")
        value = globals()[name] = getattr(import_module(f"mjcli.batch.{home}"), name)
        return value
