"""What options alone decide: truths, numbers and words written in the condition language, nothing of a hand in them."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from mjcli.errors import Fault
from mjcli.ruleset import expressions as ex
from mjcli.ruleset.conditions import Conditions, WordError
from mjcli.ruleset.emit import Emitter, Value
from mjcli.ruleset.model import RulesetFile
from mjcli.ruleset.program import OptionValue
from mjcli.ruleset.shapes import nearest
from mjcli.ruleset.source import Place, Text

__all__ = ["Decisions"]


class Decisions:
    """Decides texts of a file by its options, and collects what is wrong with them.

    It is the scope of its own conditions, which know no patterns.
    """

    def __init__(self, file: RulesetFile, options: Mapping[str, OptionValue]) -> None:
        """``options`` are the values of all options."""
        self.pattern_names: Collection[str] = ()
        self.conditions = Conditions(file, options, Emitter(frozenset()), self)
        self.conditions.options_only = True
        self.faults: list[Fault] = []

    def match(self, name: str) -> Value:
        """Refuse to answer for a pattern."""
        raise WordError(f"'{name}' depends on a hand", 0)

    def group_names(self) -> list[str]:
        """Return no group."""
        return []

    def group_values(self, name: str) -> list[tuple[Value, Value]]:
        """Refuse to answer for a group."""
        raise WordError(f"'{name}' depends on a hand", 0)

    def fault(self, place: Place, message: str, path: str) -> None:
        """Add a fault."""
        self.faults.append(place.fault(message, path))

    def value(self, text: Text, path: str) -> OptionValue | None:
        """Return the value of a text; None after adding a fault."""
        try:
            found = self.conditions.value(ex.parse(text.text)).const
        except ex.ExpressionError as error:
            self.fault(text.at(error.at), str(error), path)
            return None
        except WordError as error:
            for each in (error, *error.others):
                self.fault(text.at(each.at), str(each), path)
            return None
        if found is None:
            self.fault(text.at(0), "only options may decide this, nothing that depends on the hand", path)
        return found

    def truth(self, text: Text | None, path: str, fallback: bool) -> bool:
        """Return a truth; ``fallback`` where there is no text, or after adding a fault."""
        found = None if text is None else self.value(text, path)
        if text is not None and isinstance(found, str):
            self.fault(text.at(0), f"'{text.text}' is a word; compare it with '=='", path)
        return fallback if found is None else bool(found)

    def number(self, text: Text | None, path: str, least: int, most: int) -> int:
        """Return a number of ``least`` to ``most``; ``least`` where there is no text, or after adding a fault."""
        found = least if text is None else self.value(text, path)
        if found is None:
            return least
        if not isinstance(found, int) or isinstance(found, bool) or not least <= found <= most:
            if text is not None:
                self.fault(text.at(0), f"{_written(text, found)} is not a number of {least} to {most}", path)
            return least
        return found

    def word(self, text: Text | None, path: str, words: tuple[str, ...]) -> str:
        """Return one of ``words``, of which the first is the default; an option or a choice by options may give it.

        A truth gives ``true`` or ``false``, where those are among them.
        """
        if text is None:
            return words[0]
        text = self._chosen(text, path)
        plain = text.text.isidentifier() and text.text not in self.conditions.options
        found = text.text if plain else self.value(text, path)
        if found is None:
            return words[0]
        if isinstance(found, bool | str) and _shown(found) in words:
            return _shown(found)
        hint = nearest(str(found), words)
        self.fault(text.at(0), f"{_written(text, found)} is none of {', '.join(words)}{hint}", path)
        return words[0]

    def tile(self, text: Text | None, path: str, tiles: tuple[str, ...]) -> str:
        """Return one of ``tiles``, of which the first is the default; an option or a choice by options may give it."""
        if text is None:
            return tiles[0]
        text = self._chosen(text, path)
        found = self.conditions.options.get(text.text, text.text)
        if isinstance(found, str) and found in tiles:
            return found
        self.fault(text.at(0), f"{_written(text, found)} is no tile that can be the joker, such as 1j or 1s", path)
        return tiles[0]

    def _chosen(self, text: Text, path: str) -> Text:
        """Return the part of a text that its conditions choose: of ``four if OPTION else different`` one of the two."""
        try:
            tree = ex.parse(text.text)
        except ex.ExpressionError:
            return text  # asking for its value says what is wrong with it
        start, end = 0, len(text.text)
        while isinstance(tree, ex.Conditional):
            tree = tree.yes if self.truth(text.part(tree.test.start, tree.test.end), path, True) else tree.no
            start, end = tree.start, tree.end
        return text if end - start == len(text.text) else text.part(start, end)


def _shown(value: OptionValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _written(text: Text, value: OptionValue) -> str:
    """Return a value for a message, with the text it comes from where that is another."""
    shown = _shown(value)
    return f"'{shown}'" if shown == text.text else f"'{text.text}', here '{shown}',"
