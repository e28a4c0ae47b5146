"""Many at once, in arrays: the same answers as the modules for one, in chunks that stay in the processor's cache.

The verbs are those of ``mjcli``: ``shanten``, ``forms_shanten``, ``waits``, ``acceptance`` and ``discards`` answer
uint8[rows, 34], the counts of the concealed tiles of many hands. ``read_lines`` gives the hands of lines of text, which
``shanten_of`` and its like answer with melds and seen tiles, and ``write_shanten`` and its like write the answers.

>>> import numpy as np
>>> from mjcli.batch import shanten
>>> counts = np.zeros((2, 34), np.uint8)
>>> counts[0, [0, 31]] = counts[1, [0, 1, 2, 31]] = 1
>>> counts[1, 31] += 1
>>> shanten(counts).tolist()
[0, -1]

``hands_of`` turns lines as values into such hands, and ``score`` values them under a ruleset.

They are imported when they are first used, so that NumPy is.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from mjcli.batch.answers import acceptance_of, discards_of, fits, forms_shanten_of, shanten_of, waits_of
    from mjcli.batch.distance import IMPOSSIBLE, forms_shanten, shanten
    from mjcli.batch.draws import Accepted, Discarded, Waiting, acceptance, discards, waits
    from mjcli.batch.hands import Hands, hands_of, lines_of
    from mjcli.batch.reading import BLOCK, Lines, read_lines
    from mjcli.batch.scores import Scorer, Scores, score
    from mjcli.batch.writing import (
        merged,
        write_acceptance,
        write_discards,
        write_hands,
        write_shanten,
        write_shanten_objects,
        write_shanten_rows,
        write_waits,
    )

_HOMES: Final = {
    "answers": ("acceptance_of", "discards_of", "fits", "forms_shanten_of", "shanten_of", "waits_of"),
    "distance": ("IMPOSSIBLE", "forms_shanten", "shanten"),
    "draws": ("Accepted", "Discarded", "Waiting", "acceptance", "discards", "waits"),
    "hands": ("Hands", "hands_of", "lines_of"),
    "reading": ("BLOCK", "Lines", "read_lines"),
    "scores": ("Scorer", "Scores", "score"),
    "writing": (
        "merged",
        "write_acceptance",
        "write_discards",
        "write_hands",
        "write_shanten",
        "write_shanten_objects",
        "write_shanten_rows",
        "write_waits",
    ),
}
_HOME_OF: Final = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "BLOCK",
    "IMPOSSIBLE",
    "Accepted",
    "Discarded",
    "Hands",
    "Lines",
    "Scorer",
    "Scores",
    "Waiting",
    "acceptance",
    "acceptance_of",
    "discards",
    "discards_of",
    "fits",
    "forms_shanten",
    "forms_shanten_of",
    "hands_of",
    "lines_of",
    "merged",
    "read_lines",
    "score",
    "shanten",
    "shanten_of",
    "waits",
    "waits_of",
    "write_acceptance",
    "write_discards",
    "write_hands",
    "write_shanten",
    "write_shanten_objects",
    "write_shanten_rows",
    "write_waits",
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
