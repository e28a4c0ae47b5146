"""Score, measure and explain mahjong hands, under rulesets that are data.

The library has the verbs of the command line: ``parse_line`` and ``parse_hand`` read, ``format_hand`` prints,
``shanten``, ``waits``, ``discards`` and ``score`` answer, ``load_ruleset`` gives a ruleset, ``deal`` deals. They are
imported when they are first used, so that ``import mjcli`` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from mjcli.acceptance import Discard, Wait, Waits, discards, waits
    from mjcli.dealing import Deal, deal
    from mjcli.distance import shanten
    from mjcli.errors import HandError, InputError, MjcliError, NotationError, RulesetError
    from mjcli.hand import Context, Hand, Line
    from mjcli.melds import Meld, MeldType, Relation, Seat
    from mjcli.notation import format_hand, format_line, format_tiles, parse_hand, parse_line, parse_tiles
    from mjcli.payments import false_win_payments
    from mjcli.ruleset import Ruleset, load_ruleset
    from mjcli.scoring import Score, score
    from mjcli.tiles import Suit, Tile, TileSet, tile

__version__ = "0.1.0"

_HOMES: Final = {
    "acceptance": ("Discard", "Wait", "Waits", "discards", "waits"),
    "dealing": ("Deal", "deal"),
    "distance": ("shanten",),
    "errors": ("HandError", "InputError", "MjcliError", "NotationError", "RulesetError"),
    "hand": ("Context", "Hand", "Line"),
    "melds": ("Meld", "MeldType", "Relation", "Seat"),
    "notation": ("format_hand", "format_line", "format_tiles", "parse_hand", "parse_line", "parse_tiles"),
    "payments": ("false_win_payments",),
    "ruleset": ("Ruleset", "load_ruleset"),
    "scoring": ("Score", "score"),
    "tiles": ("Suit", "Tile", "TileSet", "tile"),
}
_HOME_OF: Final = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Context",
    "Deal",
    "Discard",
    "Hand",
    "HandError",
    "InputError",
    "Line",
    "Meld",
    "MeldType",
    "MjcliError",
    "NotationError",
    "Relation",
    "Ruleset",
    "RulesetError",
    "Score",
    "Seat",
    "Suit",
    "Tile",
    "TileSet",
    "Wait",
    "Waits",
    "deal",
    "discards",
    "false_win_payments",
    "format_hand",
    "format_line",
    "format_tiles",
    "load_ruleset",
    "parse_hand",
    "parse_line",
    "parse_tiles",
    "score",
    "shanten",
    "tile",
    "waits",
]


if not TYPE_CHECKING:  # a type checker would take any name for one that there is

    def __getattr__(name: str) -> Any:
        home = _HOME_OF.get(name)
        if home is None:
            raise AttributeError(f"module 'mjcli' has no attribute '{name}'")
        value = globals()[name] = getattr(import_module(f"mjcli.{home}"), name)
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
