"""From the texts of a ruleset file to values in generated source, or to faults at their columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mjcli.errors import Fault
from mjcli.ruleset import expressions as ex
from mjcli.ruleset.conditions import Conditions, Scope, WordError, shown
from mjcli.ruleset.emit import Emitter, Value, constant
from mjcli.ruleset.model import RulesetFile
from mjcli.ruleset.program import OptionValue, Part
from mjcli.ruleset.source import Text

__all__ = ["Texts"]


class Texts:
    """Compiles texts for one file under certain options, and collects what is wrong with them."""

    def __init__(self, file: RulesetFile, options: Mapping[str, OptionValue], emitter: Emitter, scope: Scope) -> None:
        """``scope`` answers for patterns and groups."""
        self.emitter = emitter
        self.conditions = Conditions(file, options, emitter, scope)
        self.faults: list[Fault] = []

    def fault(self, text: Text, message: str, path: str, at: int = 0) -> None:
        """Add a fault at a character of a text."""
        self.faults.append(text.fault(message, path, at))

    def number(self, text: Text | None, path: str) -> Value:
        """Return a number; 0 where there is no text, or after adding a fault at its column."""
        return constant(0) if text is None else self._compiled(text, path, constant(0))

    def condition(self, text: Text | None, path: str, fallback: bool = True) -> Value:
        """Return a truth; ``fallback`` where there is no text, or after adding a fault at its column."""
        return constant(fallback) if text is None else self._compiled(text, path, constant(fallback))

    def condition_and_parts(self, text: Text | None, path: str, fallback: bool) -> tuple[Value, list[Part]]:
        """Return what ``condition`` does, and the parts that must all hold for it."""
        if text is None:
            return constant(fallback), []
        read: list[tuple[ex.Node, Value]] = []
        whole = self._compiled(text, path, constant(fallback), read)
        parts: list[Part] = []
        decided = False
        for node, value in read:
            if decided:
                try:
                    value = self.conditions.truth(node)
                except WordError:
                    break  # it makes no sense where what is before it does not hold
            decided = decided or value.const is False
            words = tuple((word, shown(inner)) for word, inner in self.conditions.leaves(node))
            parts.append(Part(ex.without_brackets(text.text[node.start : node.end]), shown(value), words))
        return whole, parts

    def _compiled(
        self, text: Text, path: str, fallback: Value, read: list[tuple[ex.Node, Value]] | None = None
    ) -> Value:
        """Return a value of the type of ``fallback``; ``read`` grows by each tree that 'and' joins, and its truth."""
        try:
            tree = ex.parse(text.text)
            if read is not None and isinstance(tree, ex.Every) and tree.word == "and":
                truths = self.conditions.parts(tree)
                read += zip(tree.parts, truths, strict=True)
                return self.emitter.all(truths)
            value = self.conditions.value(tree)
            if value.type not in ("number", "truth"):
                raise WordError(f"'{text.text}' is a name; a number or a condition is wanted", 0)
        except ex.ExpressionError as error:
            self.fault(text, str(error), path, error.at)
            return fallback
        except WordError as error:
            for each in (error, *error.others):
                self.fault(text, str(each), path, each.at)
            return fallback
        value = self.emitter.as_truth(value) if fallback.type == "truth" else self.emitter.as_number(value)
        if read is not None:
            read.append((tree, value))
        return value

    def by_options(self, text: Text | None, path: str, fallback: bool) -> bool:
        """Return a truth that only options decide."""
        self.conditions.options_only = True
        value = self.condition(text, path, fallback)
        self.conditions.options_only = False
        if value.const is None and text is not None:
            self.fault(text, "only options may decide this, nothing that depends on the hand", path)
        return fallback if value.const is None else bool(value.const)

    def number_by_options(self, text: Text, path: str) -> int:
        """Return a number that only options decide; 0 after adding a fault."""
        self.conditions.options_only = True
        value = self.number(text, path)
        self.conditions.options_only = False
        if value.const is None:
            self.fault(text, "only options may decide this, nothing that depends on the hand", path)
        return int(value.const or 0)

    def leaves(self, text: Text) -> tuple[tuple[str, Any], ...]:
        """Return the numbers and names in a text, each with its variable, for explanations."""
        try:
            return tuple((word, shown(value)) for word, value in self.conditions.leaves(ex.parse(text.text)))
        except (ex.ExpressionError, WordError):
            return ()  # the fault was added when the whole was compiled
