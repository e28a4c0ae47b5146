"""From what a file says to generated source: conditions, templates, contains and excludes, score steps, payments.

A pattern *stands* if it matches and no standing pattern excludes it; it *counts* if it stands and no standing pattern
contains it. Both graphs are resolved in order, and cycles are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from mjcli.errors import Fault, RulesetError
from mjcli.readings import COLUMNS
from mjcli.ruleset import expressions as ex
from mjcli.ruleset.combine import Entry
from mjcli.ruleset.conditions import Conditions, WordError, shown
from mjcli.ruleset.emit import Emitter, Value, constant
from mjcli.ruleset.model import FORM_RULES, LiabilityRule, Pattern, RulesetFile
from mjcli.ruleset.options import allows, option_values
from mjcli.ruleset.program import OptionValue, Part, Program
from mjcli.ruleset.shapes import nearest
from mjcli.ruleset.source import Text
from mjcli.ruleset.templates import Term, TermError, check_terms, parse_term, template
from mjcli.ruleset.words import FORMS, FUNCTIONS, OTHER_FUNCTIONS, TILE_SETS, WAITS, WINDS, WORDS, masks

__all__ = ["compile_ruleset", "liability_kinds"]

Taker = tuple[str, Value]
"""A pattern that takes another away, and the condition on which it does."""


def compile_ruleset(file: RulesetFile, options: Mapping[str, OptionValue]) -> Program:
    """Return the program of a file under certain option values.

    Raises:
        RulesetError: the file has faults; all that could be found are in it.
    """
    compiler = _Compiler(file, options)
    program = compiler.program()
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
        self.every = {pattern.id.text: pattern for pattern in file.patterns}
        self.dropped = {text.text for text in file.drop} - set(self.every)
        """Patterns of a layer below that are not played; what names them is accepted and ignored."""
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
        self.faults.append(text.place.fault(message, path, shift=shift))

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
        except (ex.ExpressionError, WordError) as error:
            self.fault(text, str(error), path, error.at)
            return fallback
        return self.emitter.as_truth(value) if fallback.type == "truth" else self.emitter.as_number(value)

    # what the conditions may refer to
    @property
    def pattern_names(self) -> list[str]:
        return list(self.every)

    def group_names(self) -> list[str]:
        return list(dict.fromkeys(pattern.group for pattern in self.file.patterns))

    def group(self, name: str) -> list[str]:
        return [each for each, pattern in self.in_play.items() if name in ("all", pattern.group)]

    def group_values(self, name: str) -> list[tuple[Value, Value]]:
        return [(self.fans[each], self.counts[each]) for each in self.group(name)]

    # the whole
    def program(self) -> Program:
        file, emitter = self.file, self.emitter
        self.check_names()
        self.in_play = {name: pattern for name, pattern in self.every.items() if self.is_in_play(pattern)}
        absent = tuple(self.absent())
        combine = tuple(self.combine_once())
        for name, pattern in self.in_play.items():
            if pattern.otherwise is None:
                self.match(name)
        self.fans = {name: self.fan(pattern) for name, pattern in self.in_play.items()}
        self.resolve(self.takers())
        results = self.score_steps()
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
        )

    def check_names(self) -> None:
        """Add a fault for each name that is doubled, unknown, or means something else already."""
        file = self.file
        words = {**WORDS, **FUNCTIONS, **OTHER_FUNCTIONS, **FORMS, **WAITS, **WINDS, **TILE_SETS}
        taken: dict[str, str] = dict.fromkeys(words, "a word of the language")
        for kind, names in (
            ("an option", {name: option.place for name, option in file.options.items()}),
            ("a context word", {name: word.place for name, word in file.context.items()}),
            ("a pattern", {pattern.id.text: pattern.id.place for pattern in file.patterns}),
        ):
            for name, place in names.items():
                if name in taken and not (kind == "a pattern" and taken[name] == "an option"):
                    self.faults.append(place.fault(f"'{name}' is {taken[name]} already", name))
                taken.setdefault(name, kind)
        for name, text in file.score.items():
            if name in taken and taken[name] != "an option":
                self.fault(text, f"step '{name}' is {taken[name]} already", f"score.{name}")
        seen: dict[str, Pattern] = {}
        for pattern in file.patterns:
            name = pattern.id.text
            if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name):
                self.fault(pattern.id, f"'{name}' is not an id (lower case, digits and single underscores)", "patterns")
            if name in seen:
                first = seen[name].id.place
                self.fault(pattern.id, f"pattern '{name}' is doubled (first on line {first.line})", "patterns")
            seen.setdefault(name, pattern)
        for form, rule in file.forms.items():
            if form not in FORM_RULES:
                self.fault(rule, f"no form '{form}' (forms: {', '.join(FORM_RULES)})", "forms")
            elif rule.text not in FORM_RULES[form]:
                self.fault(rule, f"'{rule.text}' is none of {', '.join(FORM_RULES[form])}", f"forms.{form}")
        for family, members in file.families.items():
            for member in members:
                if member.text not in self.every and member.text not in self.dropped:
                    self.unknown(member, f"families.{family}")
        for name, option in file.options.items():
            allowed = option_values(option)
            if not allows(allowed, option.default.text):
                self.fault(
                    option.default,
                    f"default '{option.default.text}' is none of {', '.join(allowed)}",
                    f"options.{name}",
                )

    def unknown(self, text: Text, path: str) -> None:
        known = [*self.every, *self.file.families]
        self.fault(text, f"no pattern or family '{text.text}'{nearest(text.text, known)}", path)

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
        self.conditions.options_only = True
        value = self.number(pattern.fan, f"patterns.{pattern.id.text}.fan")
        self.conditions.options_only = False
        return value

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
        pattern = self.every[name]
        if name not in self.in_play:
            return constant(False)
        if pattern.otherwise is not None:
            raise WordError(f"'{name}' depends on what counts, so no condition may use it", 0)
        if name in self.pending:
            raise WordError(f"'{name}' depends on itself ({' -> '.join([*self.pending, name])})", 0)
        self.pending.append(name)
        self.matches[name] = self.compile_match(pattern)
        self.pending.pop()
        return self.matches[name]

    def compile_match(self, pattern: Pattern) -> Value:
        path = f"patterns.{pattern.id.text}"
        conditions: list[Value] = []
        times: Value | None = None
        parts = self.parts.setdefault(pattern.id.text, [])
        if not (pattern.when or pattern.times or pattern.sets or pattern.any):
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
        elif pattern.each:
            self.fault(pattern.id, "'each' needs 'sets' or 'any'", path)
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
        alternatives = [self.terms(texts, path) for texts in _alternatives(pattern)]
        without = self.terms(pattern.without, path)
        try:
            for terms in alternatives:
                check_terms(terms, without)
        except TermError as error:
            first = (pattern.sets or pattern.any[0] or [pattern.id])[0]
            self.fault(first, str(error), path)
            return constant(False)
        if not all(alternatives):
            return constant(False)
        return template(self.emitter, alternatives, without, pattern.each)

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
            name, _, condition = text.text.partition(" if ")
            members = [member.text for member in self.file.families.get(name, [])] or [name]
            place = replace(text.place, column=text.place.column + len(name) + len(" if "))
            holds = self.condition(Text(condition, place) if condition else None, path)
            for member in members:
                if member in self.in_play:
                    yield member, holds
                elif member not in self.every and member not in self.dropped:
                    self.unknown(text, path)

    def takers(self) -> dict[str, dict[str, list[Taker]]]:
        """Return, for ``excludes`` and ``contains``, which patterns take each pattern away, and when."""
        found: dict[str, dict[str, list[Taker]]] = {"excludes": {}, "contains": {}}
        for name, pattern in self.in_play.items():
            for how, texts in (("excludes", pattern.excludes), ("contains", pattern.contains)):
                for other, holds in self.references(texts, f"patterns.{name}.{how}"):
                    if other != name:
                        found[how].setdefault(other, []).append((name, holds))
        for index, series in enumerate(self.file.series):
            path = f"series[{index}]"
            if self.by_options(series.unless, f"{path}.unless", False):
                continue
            higher: list[str] = []
            for tier in series.tiers:
                members = [other for other, _ in self.references(tier, path)]
                for other in members:
                    found["contains"].setdefault(other, []).extend((name, constant(True)) for name in higher)
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
        for how, graph in takers.items():
            self.refuse_cycles(how, {name: [by for by, _ in found] for name, found in graph.items()})
        if len(self.faults) > before:
            takers = {"excludes": {}, "contains": {}}  # a circle has no order to resolve it in
        self.taken = {name: [] for name in self.in_play}
        plain = [name for name, pattern in self.in_play.items() if pattern.otherwise is None]
        counts = {}
        for name in plain:
            counts[name] = self.left_by(name, self.standing(name, takers["excludes"]), "contains", takers)
        self.counts = counts
        for pattern in self.in_play.values():
            if pattern.otherwise is not None:
                self.resolve_otherwise(pattern, pattern.otherwise)
        self.counts = {name: self.counts[name] for name in self.in_play}

    def standing(self, name: str, excluders: Mapping[str, list[Taker]]) -> Value:
        """Return whether, or how often, a pattern stands."""
        if name not in self.stands:
            self.stands[name] = self.left_by(name, self.match(name), "excludes", {"excludes": excluders})
        return self.stands[name]

    def left_by(self, name: str, value: Value, how: str, takers: Mapping[str, Mapping[str, list[Taker]]]) -> Value:
        """Return ``value`` where no standing pattern takes ``name`` away."""
        emitter, found = self.emitter, []
        for by, holds in takers[how].get(name, []):
            if self.every[by].otherwise is None:
                taken = emitter.all([emitter.as_truth(self.standing(by, takers["excludes"])), holds])
                self.taken[name].append((by, how, taken))
                found.append(taken)
        free = emitter.invert(emitter.any(found))
        return emitter.all([value, free]) if value.type == "truth" else emitter.times(value, free)

    def resolve_otherwise(self, pattern: Pattern, text: Text) -> None:
        """Decide a pattern that stands where nothing else of a group counts."""
        name = pattern.id.text
        others = [self.counts[other] for other in self.group(text.text) if other in self.counts]
        if not self.group(text.text):
            known = ", ".join(("all", *self.group_names()))
            self.fault(text, f"no group '{text.text}' (groups: {known})", f"patterns.{name}.otherwise")
        alone = self.emitter.invert(self.emitter.any([self.emitter.as_truth(other) for other in others]))
        value = self.emitter.all([alone, self.condition(pattern.when, f"patterns.{name}.when", True)])
        self.parts[name] = [Part(f"nothing else of {text.text} counts", shown(alone))]
        if pattern.when is not None:
            self.parts[name] += self.conjuncts(pattern.when)
        self.matches[name] = self.stands[name] = self.counts[name] = value

    def refuse_cycles(self, how: str, graph: Mapping[str, list[str]]) -> None:
        done: set[str] = set()

        def visit(name: str, path: tuple[str, ...]) -> None:
            if name in path:
                cycle = [*path[path.index(name) :], name]
                self.fault(self.every[name].id, f"a circle of {how}: {' <- '.join(cycle)}", f"patterns.{name}")
            elif name not in done:
                for by in graph.get(name, []):
                    visit(by, (*path, name))
                done.add(name)

        for name in graph:
            visit(name, ())

    # combine once
    def combine_once(self) -> Iterator[tuple[str, tuple[Entry, ...]]]:
        """Yield, for chows and for pungs, the patterns that combine once; their matches are compiled here."""
        for index, (kind, texts) in enumerate(self.file.combine_once.items()):
            names, entries = [], []
            for text in texts:
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
        pattern = self.every.get(text.text)
        if pattern is None and text.text not in self.dropped:
            self.unknown(text, path)
        if pattern is None or text.text not in self.in_play:
            return None
        fan = self.fan(pattern)
        alternatives = [self.terms(terms, path) for terms in _alternatives(pattern)]
        wanted = {"chows": "chow", "pungs": "pung"}.get(kind)
        plain = all(
            term.kind == wanted and not term.side and term.suit not in "zx" for terms in alternatives for term in terms
        )
        if not (isinstance(fan.const, int) and alternatives and plain) or pattern.when or pattern.times or pattern.each:
            self.fault(text, f"'{text.text}' is no pattern of {kind} alone with one value", path)
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
                said = {"named": rule.named, "others": rule.others, "dealer": rule.dealer or rule.others}[role]
                amount = emitter.choose(tests[index], self.number(said, f"pay[{index}].{role}"), amount)
            found[f"@{role}"] = amount
        for index, liability in enumerate(file.liability):
            found[f"@liable{index}"] = self.condition(liability.when, f"liability.{liability.id.text}.when", False)
        return found


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
    try:
        tree = ex.parse_tiles(rule.melds.text)
        text = (
            TILE_SETS.get(tree.word, "")
            if isinstance(tree, ex.Name)
            else tree.text
            if isinstance(tree, ex.TileText)
            else ""
        )
        if not text:
            raise ValueError(f"tiles are wanted here: such as 258m19p, or {', '.join(TILE_SETS)}")
        found = masks(text)
    except (ex.ExpressionError, ValueError) as error:
        raise RulesetError([rule.melds.place.fault(str(error), f"liability.{rule.id.text}.melds")]) from None
    return frozenset(9 * suit + rank for suit in range(4) for rank in range(9) if found[suit] >> 3 * rank & 1)
