"""From what a file says to generated source: conditions, templates, contains and excludes, score steps, payments.

A pattern *stands* if it matches and no standing pattern excludes it; it *counts* if it stands and no standing pattern
contains it. Both graphs are resolved in order, and cycles are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from mjcli.errors import Fault, HandError, RulesetError
from mjcli.readings import COLUMNS
from mjcli.ruleset import expressions as ex
from mjcli.ruleset.combine import Entry
from mjcli.ruleset.conditions import Conditions, WordError, shown
from mjcli.ruleset.emit import Emitter, Value, constant
from mjcli.ruleset.model import FORM_RULES, NOT_PLAYED, LiabilityRule, Option, Pattern, RulesetFile
from mjcli.ruleset.options import allows, is_value, option_values
from mjcli.ruleset.program import OptionValue, Part, Program
from mjcli.ruleset.shapes import IDENTIFIER, nearest
from mjcli.ruleset.source import Place, Text
from mjcli.ruleset.templates import Term, TermError, check_each, check_terms, parse_term, template
from mjcli.ruleset.words import FORMS, FUNCTIONS, OTHER_FUNCTIONS, TILE_SETS, WAITS, WINDS, WORDS, masks
from mjcli.tiles import TileSet

__all__ = ["GUARD", "compile_ruleset", "liability_kinds", "tile_set"]

COMBINED = {"chows": "chow", "pungs": "pung"}
"""What may combine once, and the terms of such patterns."""

MAX_ASKING = 40
"""How many patterns may each ask for the match of the next."""

GUARD = "if "
"""What stands before an option among the terms of an alternative."""

_OWN_WORDS = ("true", "false", "none", "all", "pair", "win")
_REFERENCE = re.compile(r"(?s)(?P<name>.*?)(?:\s+if\s+(?P<condition>.*))?")

Taker = tuple[str, Value]
"""A pattern that takes another away, and the condition on which it does."""


def compile_ruleset(file: RulesetFile, options: Mapping[str, OptionValue]) -> Program:
    """Return the program of a file under certain option values.

    Raises:
        RulesetError: the file has faults; all that could be found are in it.
    """
    compiler = _Compiler(file, options)
    try:
        program = compiler.program()
    except RecursionError:
        compiler.faults.append(file.place.fault("conditions that refer to each other too deep"))
    if compiler.faults:
        raise RulesetError(compiler.faults)
    return program


class _Compiler:
    """Compiles one file; it is the scope of its own conditions."""

    def __init__(self, file: RulesetFile, options: Mapping[str, OptionValue]) -> None:
        self.file, self.options = file, options
        self.faults: list[Fault] = []
        own = [
            f"{'held' if word.kind in ('tiles', 'indicators') else 'x'}_{name}" for name, word in file.context.items()
        ]
        self.emitter = Emitter(frozenset((*COLUMNS, *own)))
        self.conditions = Conditions(file, options, self.emitter, self)
        self.every = {pattern.id.text: pattern for pattern in reversed(file.patterns)}
        """By id; of doubled ones, which are a fault, the first."""
        self.every = dict(reversed(self.every.items()))
        self.names = list(dict.fromkeys((*self.every, *(text.text for text in file.drop))))
        """Every pattern, in play, switched off or dropped by a layer: references to any are right."""
        self.forms: dict[str, str] = {}
        """The forms that are played, each with its rule under these options."""
        self.in_play: dict[str, Pattern] = {}
        self.pending: list[str] = []
        """Patterns being compiled, to find those that depend on themselves."""
        self.matches: dict[str, Value] = {}
        self.stands: dict[str, Value] = {}
        self.counts: dict[str, Value] = {}
        self.fans: dict[str, Value] = {}
        self.parts: dict[str, list[Part]] = {}
        self.taken: dict[str, list[tuple[str, str, Value]]] = {}
        """Of each pattern: who takes it away, how, and whether he does."""

    # faults
    def fault(self, text: Text, message: str, path: str, shift: int = 0) -> None:
        self.faults.append(text.at(shift).fault(message, path))

    def number(self, text: Text | None, path: str) -> Value:
        """Return a number; 0 where there is no text, or after adding a fault at its column."""
        return constant(0) if text is None else self._compiled(text, path, constant(0))

    def condition(self, text: Text | None, path: str, fallback: bool = True) -> Value:
        """Return a truth; ``fallback`` where there is no text, or after adding a fault at its column."""
        return constant(fallback) if text is None else self._compiled(text, path, constant(fallback))

    def _compiled(self, text: Text, path: str, fallback: Value) -> Value:
        try:
            value = self.conditions.value(ex.parse(text.text))
            if value.type not in ("number", "truth"):
                raise WordError(f"'{text.text}' is a name; a number or a condition is wanted", 0)
        except ex.ExpressionError as error:
            self.fault(text, str(error), path, error.at)
            return fallback
        except WordError as error:
            for each in (error, *error.others):
                self.fault(text, str(each), path, each.at)
            return fallback
        return self.emitter.as_truth(value) if fallback.type == "truth" else self.emitter.as_number(value)

    # what the conditions may refer to
    @property
    def pattern_names(self) -> list[str]:
        return self.names

    def group_names(self) -> list[str]:
        return list(dict.fromkeys(pattern.group for pattern in self.file.patterns)) or ["main"]

    def group(self, name: str) -> list[str]:
        return [each for each, pattern in self.in_play.items() if name in ("all", pattern.group)]

    def group_values(self, name: str) -> list[tuple[Value, Value]]:
        return [(self.fans[each], self.counts[each]) for each in self.group(name)]

    # the whole
    def program(self) -> Program:
        file, emitter = self.file, self.emitter
        self.check_names()
        self.every = {name: self.with_alternatives(pattern) for name, pattern in self.every.items()}
        self.in_play = {name: pattern for name, pattern in self.every.items() if self.is_in_play(pattern)}
        absent = tuple(self.absent())
        combine = tuple(self.combine_once())
        for name, pattern in self.in_play.items():
            if pattern.otherwise is None:
                self.match(name)
        for pattern in file.patterns:
            if pattern.place != self.every[pattern.id.text].place:
                # it is doubled, which is a fault; what else is wrong with it is said as well
                self.compile_match(pattern)
                self.fan(pattern)
        self.fans = {name: self.fan(pattern) for name, pattern in self.in_play.items()}
        self.resolve(self.takers())
        results = self.score_steps()
        self.check_liability()
        returned = ",".join(
            f"({','.join([*(value.text for value in values), ''])})"
            for values in (results.values(), self.counts.values(), self.fans.values())
        )
        lines = [
            *(f"{column}=c['{column}']" for column in sorted(emitter.used)),
            *(f"{name}={source}" for name, source in emitter.lines),
            "if detail: return locals()",
            f"return ({returned})",
        ]
        return Program(
            source="def evaluate(c,detail=False):\n " + "\n ".join(lines) + "\n",
            steps=tuple(results),
            patterns=tuple(self.counts),
            columns=tuple(sorted(emitter.used)),
            best=tuple(text.text for text in file.best),
            tables={name: tuple(values) for name, values in file.tables.items()},
            combine=combine,
            parts={name: tuple(self.parts[name]) for name in self.counts},
            takers={
                name: tuple((by, how, shown(value)) for by, how, value in self.taken[name]) for name in self.counts
            },
            matched={name: shown(self.matches[name]) for name in self.counts},
            texts={name: text.text for name, text in file.score.items()},
            wins=() if file.wins_if is None else tuple(self.conjuncts(file.wins_if)),
            instant=file.instant is not None,
            absent=absent,
            forms={form: rule for form, rule in self.forms.items() if form not in absent},
        )

    def check_names(self) -> None:
        """Add a fault for each name that is doubled, unknown, or means something else already."""
        file = self.file
        words = {**WORDS, **FUNCTIONS, **OTHER_FUNCTIONS, **FORMS, **WAITS, **WINDS, **TILE_SETS}
        taken: dict[str, str] = dict.fromkeys((*words, *ex.RESERVED, *_OWN_WORDS), "a word of the language")
        for kind, names in (
            ("an option", {name: option.place for name, option in file.options.items()}),
            ("a context word", {name: word.place for name, word in file.context.items()}),
            ("a pattern", {name: pattern.id.place for name, pattern in self.every.items()}),
            ("a family", {name: members[0].place for name, members in file.families.items() if members}),
        ):
            for name, place in names.items():
                if name in taken and not (kind == "a pattern" and taken[name] == "an option"):
                    self.faults.append(place.fault(f"'{name}' is {taken[name]} already", name))
                taken.setdefault(name, kind)
        for name, text in file.score.items():
            if name in taken and taken[name] not in ("an option", "a family"):
                self.fault(text, f"step '{name}' is {taken[name]} already", f"score.{name}")
        self.check_patterns()
        for form, text in file.forms.items():
            rules = (*FORM_RULES.get(form, ()), NOT_PLAYED)
            rule = self.form_rule(text, f"forms.{form}")
            if form in FORM_RULES and rule not in rules:
                self.fault(text, f"'{rule}' is none of {', '.join(rules)}", f"forms.{form}")
            elif rule != NOT_PLAYED:
                self.forms[form] = rule
        for family, members in file.families.items():
            for member in members:
                if member.text not in self.names:
                    self.unknown(member, f"families.{family}", families=False)
        for name, option in file.options.items():
            self.check_option(name, option)
        try:
            tile_set(file)
        except HandError as error:
            self.faults.append(file.place.fault(str(error), "tiles"))

    def check_patterns(self) -> None:
        """Add a fault for each id that is none or doubled, and for each group that has a name of its own."""
        seen: dict[str, Place] = {}
        for pattern in self.file.patterns:
            name, path = pattern.id.text, f"patterns.{pattern.id.text}"
            if not re.fullmatch(IDENTIFIER.form, name):
                self.fault(pattern.id, f"'{name}' is not {IDENTIFIER.what}", "patterns")
            if name in seen:
                self.fault(pattern.id, f"pattern '{name}' is doubled (first on line {seen[name].line})", "patterns")
            seen.setdefault(name, pattern.id.place)
            if pattern.group == "all":
                self.fault(pattern.id, "group 'all' is every group; give this one another name", path)
        for pattern in self.file.patterns:
            for alias in pattern.aliases:
                if seen.setdefault(alias, pattern.id.place) is not pattern.id.place or alias == pattern.id.text:
                    path = f"patterns.{pattern.id.text}.aliases"
                    self.fault(pattern.id, f"alias '{alias}' is a pattern's id or alias already", path)

    def check_option(self, name: str, option: Option) -> None:
        """Add a fault for each value that no condition can name, and for a default that is not allowed."""
        path = f"options.{name}"
        for value in option.values:
            if not is_value(value.text):
                self.fault(value, f"'{value.text}' is no value; it is true, false, a number or a word", path)
        allowed = option_values(option)
        if not allows(allowed, option.default.text):
            self.fault(option.default, f"default '{option.default.text}' is none of {', '.join(allowed)}", path)
        elif not option.values and not is_value(option.default.text):
            message = f"'{option.default.text}' is no value; it is true, false, a number or a word"
            self.fault(option.default, message, path)

    def unknown(self, text: Text, path: str, *, families: bool = True) -> None:
        known = [*self.names, *(self.file.families if families else ())]
        what = "pattern or family" if families else "pattern"
        self.fault(text, f"no {what} '{text.text}'{nearest(text.text, known)}", path)

    def with_alternatives(self, pattern: Pattern) -> Pattern:
        """Return a pattern with those alternatives that the options allow; 'if OPTION' stands among their terms."""
        path = f"patterns.{pattern.id.text}"
        allowed = []
        for texts in pattern.any:
            guards = [text for text in texts if text.text.startswith(GUARD)]
            if all(self.by_options(text.part(len(GUARD)), path, True) for text in guards):
                allowed.append([text for text in texts if text not in guards])
        if pattern.any and not allowed:
            self.fault(pattern.id, "no alternative is left under these options", path)
        return replace(pattern, any=allowed or pattern.any)

    def is_in_play(self, pattern: Pattern) -> bool:
        path = f"patterns.{pattern.id.text}"
        only_if = self.by_options(pattern.only_if, f"{path}.only_if", True)
        return only_if and not self.by_options(pattern.unless, f"{path}.unless", False)

    def absent(self) -> Iterator[str]:
        """Yield the tiles and forms that the options keep out of play."""
        file = self.file
        for key, known, conditions in (
            ("tiles_only_if", file.tiles, file.tiles_only_if),
            ("forms_only_if", file.forms, file.forms_only_if),
        ):
            for name, text in conditions.items():
                if name not in known:
                    self.fault(text, f"'{name}' is not among {', '.join(known)}", f"{key}.{name}")
                if not self.by_options(text, f"{key}.{name}", True):
                    yield name

    def fan(self, pattern: Pattern) -> Value:
        """Return the value of a pattern; an option that has the name of a pattern means the option here."""
        self.conditions.options_first = True
        value = self.number(pattern.fan, f"patterns.{pattern.id.text}.fan")
        self.conditions.options_first = False
        return value

    def form_rule(self, text: Text, path: str) -> str:
        """Return the rule of a form, between several of which options may decide: 'four if OPTION else different'."""
        try:
            tree = ex.parse(text.text)
        except ex.ExpressionError:
            return text.text
        while isinstance(tree, ex.Conditional):
            tree = tree.yes if self.by_options(text.part(tree.test.start, tree.test.end), path, True) else tree.no
        return text.text[tree.start : tree.end]

    def by_options(self, text: Text | None, path: str, fallback: bool) -> bool:
        """Return a truth that only options decide."""
        self.conditions.options_only = True
        value = self.condition(text, path, fallback)
        self.conditions.options_only = False
        if value.const is None and text is not None:
            self.fault(text, "only options may decide this, nothing that depends on the hand", path)
        return fallback if value.const is None else bool(value.const)

    # patterns
    def match(self, name: str) -> Value:
        """Return whether, or how often, a pattern matches, compiling it if that has not been done."""
        if name in self.matches:
            return self.matches[name]
        if name not in self.in_play:
            return constant(False)
        pattern = self.in_play[name]
        if pattern.otherwise is not None:
            raise WordError(f"'{name}' depends on what counts, so no condition may use it", 0)
        if name in self.pending:
            circle = [*self.pending[self.pending.index(name) :], name]
            raise WordError(f"'{name}' depends on itself ({' -> '.join(circle)})", 0)
        if len(self.pending) >= MAX_ASKING:
            raise WordError(f"more than {MAX_ASKING} patterns, each asking for the next", 0)
        self.pending.append(name)
        self.matches[name] = self.compile_match(pattern)
        self.pending.pop()
        return self.matches[name]

    def compile_match(self, pattern: Pattern) -> Value:
        path = f"patterns.{pattern.id.text}"
        conditions: list[Value] = []
        times: Value | None = None
        parts = self.parts.setdefault(pattern.id.text, [])
        if not (pattern.when or pattern.times or pattern.sets or pattern.any or pattern.otherwise):
            self.fault(pattern.id, "the pattern says nothing; give it when, times, sets, any or otherwise", path)
        if pattern.sets and pattern.any:
            self.fault(pattern.id, "'sets' or 'any', not both", path)
        if pattern.sets or pattern.any:
            found = self.compile_template(pattern, path)
            parts.append(_template_part(pattern, found))
            if pattern.each:
                times = found
            else:
                conditions.append(found)
        elif pattern.each or pattern.without:
            word = "each" if pattern.each else "without"
            self.fault(pattern.id, f"'{word}' needs 'sets' or 'any'", path)
        if pattern.times is not None:
            if times is not None:
                self.fault(pattern.times, "'times' or 'each', not both", path)
            times = self.number(pattern.times, f"{path}.times")
            parts.append(Part(pattern.times.text, shown(times), self.leaves(pattern.times)))
        if pattern.when is not None:
            conditions.append(self.condition(pattern.when, f"{path}.when", False))
            parts += self.conjuncts(pattern.when)
        condition = self.emitter.all(conditions)
        return condition if times is None else self.emitter.times(times, condition)

    def compile_template(self, pattern: Pattern, path: str) -> Value:
        read = self.read_template(pattern, path)
        return constant(False) if read is None else template(self.emitter, *read, pattern.each)

    def read_template(self, pattern: Pattern, path: str) -> tuple[list[list[Term]], list[Term]] | None:
        """Return the alternatives of a template and what must not be there; None after adding faults."""
        before = len(self.faults)
        without = self.terms(pattern.without, path)
        alternatives = []
        for texts in _alternatives(pattern):
            alternatives.append(self.terms(texts, path))
            try:
                if not texts:
                    raise TermError("an alternative without terms")
                if len(alternatives[-1]) == len(texts):
                    check_terms(alternatives[-1], without)
            except TermError as error:
                self.fault((*texts, pattern.id)[0], str(error), path)
        if len(self.faults) == before and pattern.each:
            try:
                check_each(alternatives)
            except TermError as error:
                self.fault(pattern.any[0][0], str(error), path)
        return (alternatives, without) if len(self.faults) == before else None

    def terms(self, texts: Iterable[Text], path: str) -> list[Term]:
        found = []
        for text in texts:
            try:
                found.append(parse_term(text.text))
            except TermError as error:
                self.fault(text, str(error), path)
        return found

    def conjuncts(self, text: Text) -> list[Part]:
        """Return the parts of a condition that must all hold, for explanations."""
        try:
            tree = ex.parse(text.text)
        except ex.ExpressionError:
            return []  # the fault was added when the whole was compiled
        found: list[Part] = []
        for part in tree.parts if isinstance(tree, ex.Every) and tree.word == "and" else (tree,):
            try:
                value = self.emitter.as_truth(self.conditions.value(part))
            except WordError:
                return found  # as above, or an option decides before this part is reached
            words = tuple((word, shown(inner)) for word, inner in self.conditions.leaves(part))
            found.append(Part(text.text[part.start : part.end], shown(value), words))
        return found

    def leaves(self, text: Text) -> tuple[tuple[str, Any], ...]:
        try:
            return tuple((word, shown(value)) for word, value in self.conditions.leaves(ex.parse(text.text)))
        except (ex.ExpressionError, WordError):
            return ()  # as above

    # contains and excludes
    def references(self, texts: Iterable[Text], path: str) -> Iterator[Taker]:
        """Yield each pattern in play that the references name, with the condition on which they do."""
        for text in texts:
            found = _REFERENCE.fullmatch(text.text)
            assert found is not None  # it matches any text
            name, given = found["name"], found["condition"]
            holds = self.condition(None if given is None else text.part(found.start("condition")), path)
            if name in self.file.families:
                members = [each.text for each in self.file.families[name]]
            elif name not in self.names and name in self.group_names():
                members = self.group(name)
            else:
                members = [name]
                if name not in self.names:
                    self.unknown(text.part(0, len(name)), path)
            for member in members:
                if member in self.in_play:
                    yield member, holds

    def takers(self) -> dict[str, dict[str, list[Taker]]]:
        """Return, for ``excludes`` and ``contains``, which patterns take each pattern away, and when."""
        found: dict[str, dict[str, list[Taker]]] = {"excludes": {}, "contains": {}}
        for name, pattern in self.in_play.items():
            for how, texts in (("excludes", pattern.excludes), ("contains", pattern.contains)):
                path = f"patterns.{name}.{how}"
                for text in texts:
                    if pattern.otherwise is not None:
                        self.fault(text, f"'{name}' stands only where nothing else counts; it takes nothing away", path)
                    if text.text == name:
                        self.fault(text, f"'{name}' takes itself away", path)
                for other, holds in self.references(texts, path):
                    if other != name:
                        found[how].setdefault(other, []).append((name, holds))
        for index, series in enumerate(self.file.series):
            path = f"series[{index}]"
            off = self.by_options(series.unless, f"{path}.unless", False)
            higher: list[str] = []
            for tier in series.tiers:
                members = [other for other, _ in self.references(tier, path)]
                for other in () if off else members:
                    takers = [(name, constant(True)) for name in higher if self.in_play[name].otherwise is None]
                    found["contains"].setdefault(other, []).extend(takers)
                higher += members
        for name, taken in self.alone():
            found["contains"].setdefault(taken, []).append((name, constant(True)))
        return found

    def alone(self) -> Iterator[tuple[str, str]]:
        """Yield the pairs of patterns of which the first, counting alone, takes the second away."""
        rule = self.file.alone
        if rule is None or self.by_options(rule.unless, "alone.unless", False):
            return
        values: dict[str, int] = {}
        for name, _ in self.references(rule.of, "alone.of"):
            fan = self.fans[name].const
            if not isinstance(fan, int) or self.every[name].otherwise is not None:
                self.fault(rule.of[0], f"'{name}' has no value that options alone decide", "alone.of")
            elif fan >= rule.least:
                values[name] = fan
        ranked = sorted(values, key=lambda name: -values[name])
        rest = [name for name in self.in_play if name not in values]
        for place, name in enumerate(ranked):
            for taken in (*ranked[place + 1 :], *rest):
                yield name, taken

    def resolve(self, takers: Mapping[str, Mapping[str, list[Taker]]]) -> None:
        """Decide which patterns stand and which count."""
        before = len(self.faults)
        order = [
            self.ordered(how, {name: [by for by, _ in by_whom] for name, by_whom in graph.items()})
            for how, graph in takers.items()
        ]
        if len(self.faults) > before:
            takers = {"excludes": {}, "contains": {}}  # a circle has no order to resolve it in
        self.taken = {name: [] for name in self.in_play}
        plain = [name for name, pattern in self.in_play.items() if pattern.otherwise is None]
        for name in (*order[0], *plain):
            if self.in_play[name].otherwise is None and name not in self.stands:
                self.stands[name] = self.left_by(name, self.match(name), "excludes", takers)
        for name in plain:
            self.counts[name] = self.left_by(name, self.stands[name], "contains", takers)
        for pattern in self.in_play.values():
            if pattern.otherwise is not None:
                self.resolve_otherwise(pattern, pattern.otherwise, takers)
        self.counts = {name: self.counts[name] for name in self.in_play}

    def left_by(self, name: str, value: Value, how: str, takers: Mapping[str, Mapping[str, list[Taker]]]) -> Value:
        """Return ``value`` where no standing pattern takes ``name`` away."""
        emitter, found = self.emitter, []
        for by, holds in takers[how].get(name, []):
            if by in self.stands:
                taken = emitter.all([emitter.as_truth(self.stands[by]), holds])
                self.taken[name].append((by, how, taken))
                found.append(taken)
        free = emitter.invert(emitter.any(found))
        return emitter.all([value, free]) if value.type == "truth" else emitter.times(value, free)

    def resolve_otherwise(self, pattern: Pattern, text: Text, takers: Mapping[str, Mapping[str, list[Taker]]]) -> None:
        """Decide a pattern that stands where nothing else of a group counts; of several, the first in the file."""
        name, emitter = pattern.id.text, self.emitter
        others = [self.counts[other] for other in self.group(text.text) if other in self.counts]
        if text.text not in ("all", *self.group_names()):
            known = ", ".join(("all", *self.group_names()))
            self.fault(text, f"no group '{text.text}' (groups: {known})", f"patterns.{name}.otherwise")
        alone = emitter.invert(emitter.any([emitter.as_truth(other) for other in others]))
        self.parts[name] = [Part(f"nothing else of {text.text} counts", shown(alone))]
        value = self.compile_match(pattern)
        value = emitter.all([alone, value]) if value.type == "truth" else emitter.times(value, alone)
        self.matches[name] = value
        standing = self.left_by(name, value, "excludes", takers)
        self.counts[name] = self.left_by(name, standing, "contains", takers)

    def ordered(self, how: str, graph: Mapping[str, list[str]]) -> list[str]:
        """Return the patterns of a graph, those that take others away first; circles are faults."""
        order: list[str] = []
        done: set[str] = set()
        for root in graph:
            path: dict[str, Iterator[str]] = {} if root in done else {root: iter(graph.get(root, ()))}
            while path:
                name = next(reversed(path))
                following = next(path[name], None)
                if following is None:
                    path.popitem()
                    done.add(name)
                    order.append(name)
                elif following in path:
                    names = list(path)
                    circle = [*names[names.index(following) :], following]
                    message = f"a circle of {how}: {' <- '.join(circle)}"
                    self.fault(self.every[following].id, message, f"patterns.{following}")
                elif following not in done:
                    path[following] = iter(graph.get(following, ()))
        return order

    # combine once
    def combine_once(self) -> Iterator[tuple[str, tuple[Entry, ...]]]:
        """Yield, for chows and for pungs, the patterns that combine once; their matches are compiled here."""
        known = [(kind, texts) for kind, texts in self.file.combine_once.items() if kind in COMBINED]
        for index, (kind, texts) in enumerate(known):
            names, entries = [], []
            for text in texts:
                if text.text in names:
                    self.fault(text, f"'{text.text}' is listed twice", f"combine_once.{kind}")
                    continue
                entry = self.entry(text, kind, f"combine_once.{kind}")
                if entry is not None:
                    names.append(text.text)
                    entries.append(entry)
            letter = "P" if kind == "pungs" else "C"
            columns = ",".join(self.emitter.let(f"{letter}{suit}") for suit in range(3))
            whole = self.emitter.let(f"combine{index}({columns})")
            for place, name in enumerate(names):
                value = self.matches[name] = self.emitter.number(f"{whole}[{place}]")
                self.parts[name] = [_template_part(self.every[name], value)]
            yield letter, tuple(entries)

    def entry(self, text: Text, kind: str, path: str) -> Entry | None:
        """Return a pattern for the combiner; None if it is not in play or, with a fault, cannot be one."""
        name = text.text
        if name not in self.names:
            self.unknown(text, path, families=False)
        if name not in self.in_play:
            return None
        pattern = self.in_play[name]
        before = len(self.faults)
        fan = self.fan(pattern)
        read = self.read_template(pattern, f"patterns.{name}")
        if len(self.faults) > before or read is None:
            return None
        alternatives = read[0]
        wanted = COMBINED[kind]
        plain = all(
            term.kind == wanted and not term.side and term.suit not in "zx" for terms in alternatives for term in terms
        )
        more = pattern.when or pattern.times or pattern.each or pattern.without or pattern.otherwise
        if not (isinstance(fan.const, int) and alternatives and plain) or more:
            self.fault(text, f"'{name}' is no pattern of {kind} alone with one value", path)
            return None
        if any(sum(term.count for term in terms) < 2 for terms in alternatives):
            self.fault(text, f"'{name}' combines nothing; patterns that combine are of two sets or more", path)
            return None
        return fan.const, tuple(
            tuple((term.letter, term.rank, term.suit) for term in terms for _ in range(term.count))
            for terms in alternatives
        )

    # steps
    def score_steps(self) -> dict[str, Value]:
        """Return the steps of the score, then what the engine asks for, under names that start with @."""
        file, emitter, conditions = self.file, self.emitter, self.conditions
        conditions.in_steps = True
        for name, text in file.score.items():
            conditions.steps[name] = self.number(text, f"score.{name}")
        for needed in ("fan", "points"):
            if needed not in file.score:
                self.faults.append(file.place.fault(f"'score' has no step '{needed}'", "score"))
        for text in file.best:
            if text.text not in file.score:
                self.fault(text, f"no step '{text.text}'{nearest(text.text, list(file.score))}", "best")
        found = dict(conditions.steps)
        found["@prefer"] = self.condition(file.prefer, "prefer", False)
        found["@wins"] = self.condition(file.wins_if, "wins_if")
        found["@instant"] = self.condition(file.instant, "instant", False)
        tests = [self.condition(rule.when, f"pay[{index}].when") for index, rule in enumerate(file.pay)]
        for role in ("named", "others", "dealer"):
            amount = constant(0)
            for index, rule in reversed(list(enumerate(file.pay))):
                key = "others" if role == "dealer" and rule.dealer is None else role
                said = {"named": rule.named, "others": rule.others, "dealer": rule.dealer}[key]
                amount = emitter.choose(tests[index], self.number(said, f"pay[{index}].{key}"), amount)
            found[f"@{role}"] = amount
        for index, liability in enumerate(file.liability):
            found[f"@liable{index}"] = self.condition(liability.when, f"liability.{liability.id.text}.when", False)
        return found

    def check_liability(self) -> None:
        """Add a fault for tiles that are none, and for a word that does not say which liable player pays."""
        for rule in self.file.liability:
            try:
                liability_kinds(rule)
            except RulesetError as error:
                self.faults += error.faults
        text = self.file.liability_conflict
        if text is not None:
            said = self.options.get(text.text, text.text)
            if said not in ("later", "first"):
                named = f"option '{text.text}' is '{said}'" if text.text in self.options else f"'{said}'"
                self.fault(text, f"{named}, which is none of later, first", "liability_conflict")


def tile_set(file: RulesetFile, absent: Iterable[str] = ()) -> TileSet:
    """Return the tiles that a game is played with, but for those that options keep out.

    Raises:
        HandError: more fives are red than there are (``bad-tiles``).
    """
    tiles = {key: copies for key, copies in file.tiles.items() if key not in absent}
    reds = (tiles.get("0m", 0), tiles.get("0p", 0), tiles.get("0s", 0))
    return TileSet.of({key: copies for key, copies in tiles.items() if not key.startswith("0")}, reds)


def _alternatives(pattern: Pattern) -> list[list[Text]]:
    return [pattern.sets] if pattern.sets else pattern.any


def _template_part(pattern: Pattern, value: Value) -> Part:
    templates = tuple(tuple(term.text for term in terms) for terms in _alternatives(pattern))
    text = " or ".join(", ".join(terms) for terms in templates)
    if pattern.without:
        text += f" without {', '.join(term.text for term in pattern.without)}"
    return Part(text, shown(value), (), templates)


def liability_kinds(rule: LiabilityRule) -> frozenset[int] | None:
    """Return the kinds whose melds a liability rule means; None for all.

    Raises:
        RulesetError: they are not tiles that are the same for every hand.
    """
    if rule.melds is None:
        return None
    found: set[int] = set()
    try:
        tree = ex.parse_tiles(rule.melds.text)
        for part in tree.parts if isinstance(tree, ex.Union) else (tree,):
            text = TILE_SETS.get(part.word, "") if isinstance(part, ex.Name) else rule.melds.text[part.start : part.end]
            if not text:
                raise WordError(f"tiles are wanted here: such as 258m19p, or {', '.join(TILE_SETS)}", part.start)
            found |= _kinds(text, part.start)
    except (ex.ExpressionError, WordError) as error:
        raise RulesetError([rule.melds.at(error.at).fault(str(error), f"liability.{rule.id.text}.melds")]) from None
    return frozenset(found)


def _kinds(text: str, at: int) -> set[int]:
    try:
        found = masks(text)
    except ValueError as error:
        raise WordError(str(error), at) from None
    return {9 * suit + rank for suit in range(4) for rank in range(9) if found[suit] >> 3 * rank & 1}
