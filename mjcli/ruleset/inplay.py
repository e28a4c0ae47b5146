"""What is in play under certain options: the tiles of the set and the forms of a complete hand."""

from __future__ import annotations

from typing import Final

from mjcli.errors import HandError
from mjcli.ruleset.decisions import Decisions
from mjcli.ruleset.model import FORM_RULES, NOT_PLAYED, TILE_KEY, RulesetFile
from mjcli.tiles import DEFAULT_SET, JOKER_KIND, PLAIN_KINDS, TILES, TileSet, tile

__all__ = ["copies_in_play", "forms_in_play", "joker_kongs", "tiles_in_play"]

JOKER_TILES: Final = (str(TILES[JOKER_KIND]), *map(str, TILES[:PLAIN_KINDS]))
"""The tiles that can be the joker."""


def copies_in_play(file: RulesetFile, decisions: Decisions) -> dict[str, int]:
    """Return the copies of each key of ``tiles``, as the file writes it: a suit letter, or one tile or more."""
    return {
        key: decisions.number(text, f"tiles.{key}", 0, _most(key))
        for key, text in file.tiles.items()
        if TILE_KEY.fits(key)  # of another, reading the file has said so
    }


def _most(key: str) -> int:
    """Return how many copies there can be of each tile of a key.

    >>> _most("m"), _most("0m"), _most("1234f"), _most("56a"), _most("a")
    (4, 4, 1, 2, 1)
    """
    ranks, suit = key[:-1].replace("0", "5"), key[-1]
    return min(
        copies
        for each, copies in zip(TILES, DEFAULT_SET.copies, strict=True)
        if each.suit.value == suit and (not ranks or str(each.rank) in ranks)
    )


def tiles_in_play(file: RulesetFile, decisions: Decisions) -> TileSet | None:
    """Return the tiles that a game is played with; None after adding a fault, where more fives are red than there are.

    A tile has the copies of the last key that names it, in a layer or in the file, else those of its suit.
    """
    copies: dict[str, int] = {}
    for key, count in copies_in_play(file, decisions).items():
        ranks, suit = key[:-1], key[-1]
        copies |= {f"{rank}{suit}": count for rank in ranks} if ranks else {suit: count}
    reds = (copies.pop("0m", 0), copies.pop("0p", 0), copies.pop("0s", 0))
    bird = decisions.tile(file.jokers and file.jokers.tile, "jokers.tile", JOKER_TILES)
    try:
        return TileSet.of(copies, reds, None if bird == JOKER_TILES[0] else tile(bird))
    except HandError as error:
        decisions.fault(file.place, str(error), "tiles")
        return None


def joker_kongs(file: RulesetFile, decisions: Decisions) -> bool:
    """Return whether a kong may hold jokers."""
    return decisions.truth(file.jokers and file.jokers.kongs, "jokers.kongs", True)


def forms_in_play(file: RulesetFile, decisions: Decisions) -> dict[str, str]:
    """Return the forms that win, each with the rule by which it is played."""
    rules = {
        form: decisions.word(text, f"forms.{form}", (*FORM_RULES[form], NOT_PLAYED))
        for form, text in file.forms.items()
        if form in FORM_RULES  # as above
    }
    return {form: rule for form, rule in rules.items() if rule != NOT_PLAYED}
