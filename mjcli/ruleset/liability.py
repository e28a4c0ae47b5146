"""Rules of liability 包: the melds that each means, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mjcli.errors import Fault, HandError, RulesetError
from mjcli.ruleset import expressions as ex
from mjcli.ruleset.model import LiabilityRule, RulesetFile
from mjcli.ruleset.program import OptionValue
from mjcli.ruleset.source import Text
from mjcli.ruleset.words import TILE_SETS, kinds

__all__ = ["fixed_kinds", "liability_faults", "liability_kinds"]


def liability_kinds(rule: LiabilityRule) -> frozenset[int] | None:
    """Return the kinds whose melds a liability rule means; None for all.

    Raises:
        RulesetError: they are not tiles that are the same for every hand.
    """
    return None if rule.melds is None else fixed_kinds(rule.melds, f"liability.{rule.id.text}.melds")


def fixed_kinds(written: Text, path: str) -> frozenset[int]:
    """Return the kinds of tiles that are the same for every hand.

    Raises:
        RulesetError: they are not.
    """
    found: set[int] = set()
    try:
        tree = ex.parse_tiles(written.text)
        for part in tree.parts if isinstance(tree, ex.Union) else (tree,):
            text = TILE_SETS.get(part.word, "") if isinstance(part, ex.Name) else written.text[part.start : part.end]
            if not text:
                message = f"tiles are wanted here: such as 258m19p, or {', '.join(TILE_SETS)}"
                raise ex.ExpressionError(message, part.start)
            try:
                found.update(kinds(text))
            except HandError as error:
                raise ex.ExpressionError(str(error), part.start) from None
    except ex.ExpressionError as error:
        raise RulesetError([written.fault(str(error), path, error.at)]) from None
    return frozenset(found)


def liability_faults(file: RulesetFile, options: Mapping[str, OptionValue]) -> Iterator[Fault]:
    """Yield a fault for tiles that are none, and for a word that does not say which liable player pays."""
    for rule in file.liability:
        try:
            liability_kinds(rule)
        except RulesetError as error:
            yield from error.faults
    text = file.liability_conflict
    if text is not None:
        said = options.get(text.text, text.text)
        if said not in ("later", "first"):
            named = f"option '{text.text}' is '{said}'" if text.text in options else f"'{said}'"
            yield text.fault(f"{named}, which is none of later, first", "liability_conflict")
