"""Many at once, in arrays: the same answers as the modules for one, in chunks that stay in the processor's cache.

The verbs are those of ``mjcli``: ``shanten``, ``forms_shanten``, ``waits``, ``acceptance`` and ``discards`` answer
uint8[rows, 34], the counts of the concealed tiles of many hands.

>>> import numpy as np
>>> from mjcli.batch import shanten
>>> counts = np.zeros((2, 34), np.uint8)
>>> counts[0, [0, 31]] = counts[1, [0, 1, 2, 31]] = 1
>>> counts[1, 31] += 1
>>> shanten(counts).tolist()
[0, -1]

They are imported when they are first used, so that NumPy is.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from mjcli.batch.distance import IMPOSSIBLE, forms_shanten, shanten
    from mjcli.batch.draws import Accepted, Discarded, Waiting, acceptance, discards, waits

_HOMES: Final = {
    "distance": ("IMPOSSIBLE", "forms_shanten", "shanten"),
    "draws": ("Accepted", "Discarded", "Waiting", "acceptance", "discards", "waits"),
}
_HOME_OF: Final = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "IMPOSSIBLE",
    "Accepted",
    "Discarded",
    "Waiting",
    "acceptance",
    "discards",
    "forms_shanten",
    "shanten",
    "waits",
]

if not TYPE_CHECKING:  # a type checker would take any name for one that there is

    def __getattr__(name: str) -> Any:
        home = _HOME_OF.get(name)
        if home is None:
            raise AttributeError(f"module 'mjcli.batch' has no attribute '{name}'")
        value = globals()[name] = getattr(import_module(f"mjcli.batch.{home}"), name)
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
