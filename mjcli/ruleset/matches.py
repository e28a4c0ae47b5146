"""Whether, or how often, each pattern of a ruleset matches: its condition, its number and its template."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from mjcli.ruleset.checks import pattern_names
from mjcli.ruleset.conditions import WordError, shown
from mjcli.ruleset.emit import Value, constant
from mjcli.ruleset.model import GUARD, Pattern, RulesetFile
from mjcli.ruleset.program import Part
from mjcli.ruleset.source import Text
from mjcli.ruleset.templates import Term, TermError, check_each, check_terms, parse_term, template
from mjcli.ruleset.texts import Texts

__all__ = ["Matches", "template_part"]

MAX_ASKING: Final = 40
"""How many patterns may each ask for the match of the next."""


class Matches:
    """Compiles the patterns of one file, each when it is first asked for."""

    def __init__(self, file: RulesetFile, texts: Texts) -> None:
        """``texts`` compiles the texts of the patterns."""
        self.file, self.texts, self.emitter = file, texts, texts.emitter
        self.every: dict[str, Pattern] = {}
        """By id; of doubled ones, which are a fault, the first."""
        for pattern in file.patterns:
            self.every.setdefault(pattern.id.text, pattern)
        self.names = pattern_names(file)
        self.in_play: dict[str, Pattern] = {}
        self.values: dict[str, Value] = {}
        """Whether, or how often, each pattern matches, as far as it has been compiled."""
        self.parts: dict[str, list[Part]] = {}
        """The terms of each pattern's condition."""
        self._pending: list[str] = []
        """Patterns being compiled, to find those that depend on themselves."""

    def choose(self) -> None:
        """Decide which patterns, and which of their alternatives, the options put in play."""
        self.every = {name: self._with_alternatives(pattern) for name, pattern in self.every.items()}
        self.in_play = {name: pattern for name, pattern in self.every.items() if self._is_in_play(pattern)}

    def _with_alternatives(self, pattern: Pattern) -> Pattern:
        """Return a pattern with those alternatives that the options allow; 'if OPTION' stands among their terms."""
        if not pattern.any:
            return pattern
        path = f"patterns.{pattern.id.text}"
        allowed = []
        for texts in pattern.any:
            guards = [text for text in texts if text.text.startswith(GUARD)]
            if all(self.texts.by_options(text.part(len(GUARD)), path, True) for text in guards):
                allowed.append([text for text in texts if text not in guards])
        if not allowed:
            self.texts.fault(pattern.id, "no alternative is left under these options", path)
        return pattern._replace(any=allowed or pattern.any)

    def _is_in_play(self, pattern: Pattern) -> bool:
        path = f"patterns.{pattern.id.text}"
        only_if = self.texts.by_options(pattern.only_if, f"{path}.only_if", True)
        return only_if and not self.texts.by_options(pattern.unless, f"{path}.unless", False)

    def compile_all(self) -> None:
        """Compile every pattern in play but those that depend on what counts, and find the faults of doubled ones."""
        for name, pattern in self.in_play.items():
            if pattern.otherwise is None:
                self.match(name)
        for pattern in self.file.patterns:
            if pattern.place != self.every[pattern.id.text].place:
                self.compile(pattern)
                self.fan(pattern)

    def group(self, name: str) -> list[str]:
        """Return the patterns in play of a group, or of ``all``."""
        return [each for each, pattern in self.in_play.items() if name in ("all", pattern.group)]

    def group_names(self) -> list[str]:
        """Return every group, in play or not."""
        return list(dict.fromkeys(pattern.group for pattern in self.file.patterns)) or ["main"]

    def fan(self, pattern: Pattern) -> Value:
        """Return the value of a pattern, each time it counts; in it a word that is an option too means the option."""
        self.texts.conditions.options_first = True
        value = self.texts.number(pattern.fan, f"patterns.{pattern.id.text}.fan")
        self.texts.conditions.options_first = False
        return value

    def match(self, name: str) -> Value:
        """Return whether, or how often, a pattern matches, compiling it if that has not been done.

        Raises:
            WordError: it depends on itself, or on what counts.
        """
        if name in self.values:
            return self.values[name]
        if name not in self.in_play:
            return constant(False)
        pattern = self.in_play[name]
        if pattern.otherwise is not None:
            raise WordError(f"'{name}' depends on what counts, so no condition may use it", 0)
        if name in self._pending:
            circle = [*self._pending[self._pending.index(name) :], name]
            raise WordError(f"'{name}' depends on itself ({' -> '.join(circle)})", 0)
        if len(self._pending) >= MAX_ASKING:
            raise WordError(f"more than {MAX_ASKING} patterns, each asking for the next", 0)
        self._pending.append(name)
        self.values[name] = self.compile(pattern)
        self._pending.pop()
        return self.values[name]

    def compile(self, pattern: Pattern) -> Value:
        """Return whether, or how often, a pattern matches, and note the terms of its condition."""
        path = f"patterns.{pattern.id.text}"
        conditions: list[Value] = []
        times: Value | None = None
        parts = self.parts.setdefault(pattern.id.text, [])
        if not (pattern.when or pattern.times or pattern.sets or pattern.any or pattern.otherwise):
            self.texts.fault(pattern.id, "the pattern says nothing; give it when, times, sets, any or otherwise", path)
        if pattern.sets and pattern.any:
            self.texts.fault(pattern.id, "'sets' or 'any', not both", path)
        if pattern.sets or pattern.any:
            found = self._template(pattern, path)
            parts.append(template_part(pattern, found))
            if pattern.each:
                times = found
            else:
                conditions.append(found)
        elif pattern.each or pattern.without:
            word = "each" if pattern.each else "without"
            self.texts.fault(pattern.id, f"'{word}' needs 'sets' or 'any'", path)
        if pattern.times is not None:
            if times is not None:
                self.texts.fault(pattern.times, "'times' or 'each', not both", path)
            times = self.texts.number(pattern.times, f"{path}.times")
            parts.append(Part(pattern.times.text, shown(times), self.texts.leaves(pattern.times)))
        if pattern.when is not None:
            holds, terms = self.texts.condition_and_parts(pattern.when, f"{path}.when", False)
            conditions.append(holds)
            parts += terms
        condition = self.emitter.all(conditions)
        return condition if times is None else self.emitter.times(times, condition)

    def _template(self, pattern: Pattern, path: str) -> Value:
        read = self.read_template(pattern, path)
        return constant(False) if read is None else template(self.emitter, *read, pattern.each)

    def read_template(self, pattern: Pattern, path: str) -> tuple[list[list[Term]], list[Term]] | None:
        """Return the alternatives of a template and what must not be there; None after adding faults."""
        before = len(self.texts.faults)
        without = self._terms(pattern.without, path)
        alternatives = []
        for texts in _alternatives(pattern):
            alternatives.append(self._terms(texts, path))
            try:
                if not texts:
                    raise TermError("an alternative without terms")
                if len(alternatives[-1]) == len(texts):
                    check_terms(alternatives[-1], without)
            except TermError as error:
                self.texts.fault((*texts, pattern.id)[0], str(error), path)
        if len(self.texts.faults) == before and pattern.each:
            try:
                check_each(alternatives)
            except TermError as error:
                self.texts.fault(pattern.any[0][0], str(error), path)
        return (alternatives, without) if len(self.texts.faults) == before else None

    def _terms(self, texts: Iterable[Text], path: str) -> list[Term]:
        found = []
        for text in texts:
            try:
                found.append(parse_term(text.text))
            except TermError as error:
                self.texts.fault(text, str(error), path)
        return found


def _alternatives(pattern: Pattern) -> Sequence[Sequence[Text]]:
    return [pattern.sets] if pattern.sets else pattern.any


def template_part(pattern: Pattern, value: Value) -> Part:
    """Return a pattern's template as a term of its condition."""
    templates = tuple(tuple(term.text for term in terms) for terms in _alternatives(pattern))
    text = " or ".join(", ".join(terms) for terms in templates)
    if pattern.without:
        text += f" without {', '.join(term.text for term in pattern.without)}"
    return Part(text, shown(value), (), templates)
