"""From what a file says to generated source: conditions, templates, contains and excludes, score steps, payments.

A pattern *stands* if it matches and no standing pattern excludes it; it *counts* if it stands and no standing pattern
contains it. Both graphs are resolved in order, and cycles are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from mjcli.errors import Fault, RulesetError
from mjcli.readings import COLUMNS
from mjcli.ruleset import expressions as ex
from mjcli.ruleset.emit import Emitter, Value, constant
from mjcli.ruleset.model import FORM_RULES, LiabilityRule, Option, Pattern, RulesetFile
from mjcli.ruleset.program import OptionValue, Part, Program
from mjcli.ruleset.shapes import nearest
from mjcli.ruleset.source import Text
from mjcli.ruleset.templates import ONES, Term, TermError, check_terms, parse_term, template
from mjcli.ruleset.words import (
    FORMS,
    FUNCTIONS,
    OTHER_FUNCTIONS,
    TILE_SETS,
    WAITS,
    WINDS,
    WORDS,
    Tiles,
    masks,
)

__all__ = ["advice", "allows", "compile_ruleset", "liability_kinds", "option_value", "option_values"]

MAX_SHIFT = 30
"""The greatest exponent of ``2 ** n``: results fit 32 bits."""

_NAMED: Final[Mapping[str, Mapping[str, int]]] = {"form": FORMS, "wait": WAITS, "wind": WINDS}


class _WordError(Exception):
    """A fault at an offset of the text being compiled."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.at = at


def option_value(text: str) -> OptionValue:
    """Return what an option's value stands for: a truth, a number, or a word."""
    if text in ("true", "false"):
        return text == "true"
    return int(text) if re.fullmatch(r"0|[1-9][0-9]{0,6}", text) else text


def option_values(option: Option) -> list[str]:
    """Return the values that an option may have, as texts; ``number`` stands for any whole number."""
    if option.values:
        return [value.text for value in option.values]
    default = option_value(option.default.text)
    if isinstance(default, bool):
        return ["true", "false"]
    return ["number"] if isinstance(default, int) else [default]


def compile_ruleset(file: RulesetFile, options: Mapping[str, OptionValue]) -> tuple[Program, list[Fault]]:
    """Return the program of a file under certain option values, and advice: faults that are not fatal.

    Raises:
        RulesetError: the file has faults; all that could be found are in it.
    """
    compiler = _Compiler(file, options)
    program = compiler.program()
    if any(fault.fatal for fault in compiler.faults):
        raise RulesetError(compiler.faults)
    return program, compiler.faults


class _Compiler:
    def __init__(self, file: RulesetFile, options: Mapping[str, OptionValue]) -> None:
        self.file, self.options = file, options
        self.faults: list[Fault] = []
        extra = {
            f"{'held' if word.kind in ('tiles', 'indicators') else 'x'}_{name}": name
            for name, word in file.context.items()
        }
        self.emitter = Emitter(frozenset(COLUMNS) | frozenset(extra))
        self.every = {pattern.id.text: pattern for pattern in file.patterns}
        self.option_words = {value.text for option in file.options.values() for value in option.values} | {"none"}
        self.used: set[str] = set()
        """Options that some condition reads."""
        self.in_play: dict[str, Pattern] = {}
        self.raw: dict[str, Value] = {}
        self.parts: dict[str, list[Part]] = {}
        self.pending: list[str] = []
        self.stands: dict[str, Value] = {}
        self.counts: dict[str, Value] = {}
        self.fans: dict[str, Value] = {}
        self.steps: dict[str, Value] = {}
        self.in_steps = False

    # faults
    def fault(self, text: Text, message: str, path: str, shift: int = 0, *, fatal: bool = True) -> None:
        self.faults.append(text.place.fault(message, path, shift=shift, fatal=fatal))

    def guarded(self, text: Text, path: str, fallback: Value, wanted: str) -> Value:
        """Compile ``text`` to a number or truth; a fault is added at its column, and ``fallback`` returned."""
        try:
            tree = ex.parse(text.text)
            self.note_options(tree)
            value = self.value(tree)
            if value.type not in ("number", "truth"):
                raise _WordError(f"a {wanted} is wanted, not '{text.text}', which is a name", 0)
        except (ex.ExpressionError, _WordError) as error:
            self.fault(text, str(error), path, error.at)
            return fallback
        return self.emitter.as_truth(value) if wanted == "condition" else self.emitter.as_number(value)

    def note_options(self, tree: ex.Node) -> None:
        self.used |= {node.word for node in _walk(tree) if isinstance(node, ex.Name) and node.word in self.options}

    # the whole
    def program(self) -> Program:
        file, emitter = self.file, self.emitter
        self.check_names()
        for pattern in file.patterns:
            if self.is_in_play(pattern):
                self.in_play[pattern.id.text] = pattern
        combine = self.combine_once()
        for name in self.in_play:
            self.match(name)
        takers = self.takers()
        self.resolve(takers)
        self.in_steps = True
        steps = self.score_steps()
        kept = self.counts
        body = [f"{column}=c['{column}']" for column in sorted(emitter.used)]
        body += [f"{name}={source}" for name, source in emitter.lines]
        returned = ",".join(
            f"({','.join([*(value.text for value in values), ''])})"
            for values in (steps.values(), kept.values(), (self.fans[name] for name in kept))
        )
        lines = "\n ".join([*body, "if detail: return locals()", f"return ({returned})"])
        return Program(
            source=f"def evaluate(c,detail=False):\n {lines}\n",
            steps=tuple(steps),
            patterns=tuple(kept),
            columns=tuple(sorted(emitter.used)),
            best=tuple(text.text for text in file.best),
            tables={name: tuple(values) for name, values in file.tables.items()},
            combine=combine,
            parts={name: tuple(parts) for name, parts in self.parts.items() if name in kept},
            takers={
                name: tuple((by, how, _shown(value)) for by, how, value in found)
                for name, found in self.taken.items()
                if name in kept
            },
            matched={name: _shown(value) for name, value in self.raw.items() if name in kept},
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
                if member.text not in self.every:
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
        for text, wanted in ((pattern.only_if, True), (pattern.unless, False)):
            if text is None:
                continue
            path = f"patterns.{pattern.id.text}.{'only_if' if wanted else 'unless'}"
            value = self.guarded(text, path, constant(wanted), "condition")
            if value.const is None:
                self.fault(text, "only options may decide whether a pattern is in play", path)
            elif bool(value.const) is not wanted:
                return False
        return True

    # patterns
    def match(self, name: str) -> Value:
        """Return whether, or how often, a pattern matches, compiling it if that has not been done."""
        if name in self.raw:
            return self.raw[name]
        pattern = self.every[name]
        if name not in self.in_play:
            return constant(False)
        if pattern.otherwise is not None:
            raise _WordError(f"'{name}' depends on what counts, so no condition may use it", 0)
        if name in self.pending:
            raise _WordError(f"'{name}' depends on itself ({' -> '.join([*self.pending, name])})", 0)
        self.pending.append(name)
        self.raw[name] = self.compile_match(pattern)
        self.pending.pop()
        return self.raw[name]

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
            parts.append(Part(_template_text(pattern), _shown(found)))
            if pattern.each:
                times = found
            else:
                conditions.append(found)
        elif pattern.each:
            self.fault(pattern.id, "'each' needs 'sets' or 'any'", path)
        if pattern.times is not None:
            if times is not None:
                self.fault(pattern.times, "'times' or 'each', not both", path)
            times = self.guarded(pattern.times, f"{path}.times", constant(0), "number")
            parts.append(Part(pattern.times.text, _shown(times), self.leaves(pattern.times)))
        if pattern.when is not None:
            conditions.append(self.guarded(pattern.when, f"{path}.when", constant(False), "condition"))
            parts += self.conjuncts(pattern.when)
        condition = self.emitter.all(conditions)
        return condition if times is None else self.emitter.times(times, condition)

    def compile_template(self, pattern: Pattern, path: str) -> Value:
        alternatives = [self.terms(texts, path) for texts in ([pattern.sets] if pattern.sets else pattern.any)]
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
            some = tree.parts if isinstance(tree, ex.Every) and tree.word == "and" else (tree,)
            return [
                Part(
                    text.text[part.start : part.end],
                    _shown(self.emitter.as_truth(self.value(part))),
                    tuple(self.leaf_values(part)),
                )
                for part in some
            ]
        except (ex.ExpressionError, _WordError):
            return []  # the fault was added when the whole was compiled

    def leaves(self, text: Text) -> tuple[tuple[str, Any], ...]:
        try:
            return tuple(self.leaf_values(ex.parse(text.text)))
        except (ex.ExpressionError, _WordError):
            return ()

    def leaf_values(self, tree: ex.Node) -> Iterator[tuple[str, Any]]:
        seen = set()
        for node in _walk(tree):
            word = node.word if isinstance(node, ex.Name | ex.Call) else ""
            if isinstance(node, ex.Name) and word in WORDS and WORDS[word].type != "truth":
                shown = word
            elif isinstance(node, ex.Call) and (word in FUNCTIONS or word in ("identical", "held")):
                shown = f"{word}({', '.join(_said(part) for part in node.arguments)})"
            else:
                continue
            if shown not in seen:
                seen.add(shown)
                yield shown, _shown(self.value(node))

    # contains and excludes
    def references(self, texts: Iterable[Text], path: str) -> Iterator[tuple[str, Value]]:
        """Yield each pattern that the references name, with the condition on which they do."""
        for text in texts:
            name, _, condition = text.text.partition(" if ")
            members = [member.text for member in self.file.families.get(name, [])] or [name]
            holds = constant(True)
            if condition:
                shifted = Text(condition, replace(text.place, column=text.place.column + len(name) + 4))
                holds = self.guarded(shifted, path, constant(True), "condition")
            for member in members:
                if member not in self.every:
                    self.unknown(text, path)
                elif member in self.in_play:
                    yield member, holds

    def takers(self) -> dict[str, dict[str, list[tuple[str, Value]]]]:
        """Return, for ``excludes`` and ``contains``, which patterns take each pattern away, and when."""
        found: dict[str, dict[str, list[tuple[str, Value]]]] = {"excludes": {}, "contains": {}}
        for name, pattern in self.in_play.items():
            for how, texts in (("excludes", pattern.excludes), ("contains", pattern.contains)):
                for other, holds in self.references(texts, f"patterns.{name}.{how}"):
                    if other != name:
                        found[how].setdefault(other, []).append((name, holds))
        for number, series in enumerate(self.file.series):
            if series.unless is not None:
                path = f"series[{number}].unless"
                off = self.guarded(series.unless, path, constant(False), "condition")
                if off.const is None:
                    self.fault(series.unless, "only options may switch a series off", path)
                if off.const:
                    continue
            higher: list[str] = []
            for tier in series.tiers:
                members = [other for other, _ in self.references(tier, f"series[{number}]")]
                for other in members:
                    found["contains"].setdefault(other, []).extend((name, constant(True)) for name in higher)
                higher += members
        return found

    def resolve(self, takers: Mapping[str, Mapping[str, list[tuple[str, Value]]]]) -> None:
        for how, graph in takers.items():
            self.refuse_cycles(how, {name: [by for by, _ in found] for name, found in graph.items()})
        if any(fault.fatal for fault in self.faults):
            takers = {"excludes": {}, "contains": {}}  # with cycles the order below has no end
        emitter = self.emitter
        plain = [name for name, pattern in self.in_play.items() if pattern.otherwise is None]
        self.taken: dict[str, list[tuple[str, str, Value]]] = {name: [] for name in self.in_play}

        def taken(name: str, how: str) -> Value:
            found = []
            for by, holds in takers[how].get(name, []):
                if by in plain:
                    value = emitter.all([emitter.as_truth(stands(by)), holds])
                    found.append(value)
                    self.taken[name].append((by, how, value))
            return emitter.any(found)

        def stands(name: str) -> Value:
            if name not in self.stands:
                raw = self.match(name)
                free = emitter.invert(taken(name, "excludes"))
                self.stands[name] = emitter.all([raw, free]) if raw.type == "truth" else emitter.times(raw, free)
            return self.stands[name]

        for name in plain:
            standing = stands(name)
            free = emitter.invert(taken(name, "contains"))
            self.counts[name] = (
                emitter.all([standing, free]) if standing.type == "truth" else emitter.times(standing, free)
            )
        for pattern in self.in_play.values():
            if pattern.otherwise is not None:
                self.resolve_otherwise(pattern)
        self.counts = {name: self.counts[name] for name in self.in_play}
        for name, pattern in self.in_play.items():
            path = f"patterns.{name}.fan"
            self.fans[name] = (
                constant(0) if pattern.fan is None else self.guarded(pattern.fan, path, constant(0), "number")
            )

    def resolve_otherwise(self, pattern: Pattern) -> None:
        """A pattern that stands where nothing else of a group counts."""
        text = pattern.otherwise
        name = pattern.id.text
        assert text is not None
        group = self.group(text.text)
        if not group:
            self.fault(
                text, f"no group '{text.text}' (groups: all, {', '.join(self.groups())})", f"patterns.{name}.otherwise"
            )
        others = [self.counts[other] for other in group if self.every[other].otherwise is None]
        value = self.emitter.invert(self.emitter.any([self.emitter.as_truth(other) for other in others]))
        parts = [Part(f"nothing else of {text.text} counts", _shown(value))]
        if pattern.when is not None:
            value = self.emitter.all(
                [value, self.guarded(pattern.when, f"patterns.{name}.when", constant(False), "condition")]
            )
            parts += self.conjuncts(pattern.when)
        self.parts[name] = parts
        self.raw[name] = self.stands[name] = self.counts[name] = value

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
    def combine_once(self) -> tuple[tuple[str, tuple[tuple[int, tuple[tuple[tuple[Any, ...], ...], ...]], ...]], ...]:
        found = []
        for index, (kind, texts) in enumerate(self.file.combine_once.items()):
            path = f"combine_once.{kind}"
            if kind not in ("chows", "pungs"):
                self.faults.append(texts[0].place.fault(f"'{kind}' is none of chows, pungs", path))
                continue
            entries, names = [], []
            for text in texts:
                pattern = self.every.get(text.text)
                if pattern is None:
                    self.unknown(text, path)
                    continue
                if text.text not in self.in_play:
                    continue
                fan = constant(0) if pattern.fan is None else self.guarded(pattern.fan, path, constant(0), "number")
                alternatives = [self.terms(texts, path) for texts in ([pattern.sets] if pattern.sets else pattern.any)]
                wanted = "chow" if kind == "chows" else "pung"
                if (
                    fan.const is None
                    or pattern.when
                    or pattern.times
                    or pattern.each
                    or not alternatives
                    or any(
                        term.kind != wanted or term.side or term.suit in "zx"
                        for terms in alternatives
                        for term in terms
                    )
                ):
                    self.fault(text, f"'{text.text}' is no pattern of {kind} alone with one value", path)
                    continue
                names.append(text.text)
                entries.append(
                    (
                        int(fan.const),
                        tuple(
                            tuple((term.letter, term.rank, term.suit) for term in terms for _ in range(term.count))
                            for terms in alternatives
                        ),
                    )
                )
            letter = "C" if kind == "chows" else "P"
            columns = [self.emitter.let(f"{letter}{suit}") for suit in range(3)]
            whole = self.emitter.let(f"combine{index}({','.join(columns)})")
            for place, name in enumerate(names):
                self.raw[name] = self.emitter.number(f"{whole}[{place}]")
                self.parts[name] = [Part(_template_text(self.every[name]), _shown(self.raw[name]))]
            found.append((letter, tuple(entries)))
        return tuple(found)

    # steps
    def groups(self) -> list[str]:
        return list(dict.fromkeys(pattern.group for pattern in self.file.patterns))

    def group(self, name: str) -> list[str]:
        return [each for each, pattern in self.in_play.items() if name in ("all", pattern.group)]

    def score_steps(self) -> dict[str, Value]:
        file, emitter = self.file, self.emitter
        for name, text in file.score.items():
            self.steps[name] = self.guarded(text, f"score.{name}", constant(0), "number")
        for needed in ("fan", "points"):
            if needed not in file.score:
                self.faults.append(file.place.fault(f"'score' has no step '{needed}'", "score"))
        for text in file.best:
            if text.text not in file.score:
                self.fault(text, f"no step '{text.text}'{nearest(text.text, list(file.score))}", "best")
        found = dict(self.steps)
        prefer = file.prefer
        found["@prefer"] = (
            constant(False) if prefer is None else self.guarded(prefer, "prefer", constant(False), "condition")
        )
        wins = file.wins_if
        found["@wins"] = constant(True) if wins is None else self.guarded(wins, "wins_if", constant(True), "condition")
        tests = [
            constant(True)
            if rule.when is None
            else self.guarded(rule.when, f"pay[{index}].when", constant(True), "condition")
            for index, rule in enumerate(file.pay)
        ]
        for role in ("named", "others", "dealer"):
            amount = constant(0)
            for index, rule in reversed(list(enumerate(file.pay))):
                said = {"named": rule.named, "others": rule.others, "dealer": rule.dealer or rule.others}[role]
                paid = (
                    constant(0) if said is None else self.guarded(said, f"pay[{index}].{role}", constant(0), "number")
                )
                amount = emitter.choose(tests[index], paid, amount)
            found[f"@{role}"] = amount
        for index, liability in enumerate(file.liability):
            found[f"@liable{index}"] = self.guarded(
                liability.when, f"liability[{index}].when", constant(False), "condition"
            )
        return found

    # values
    def value(self, node: ex.Node) -> Value:
        """Return the value of a tree.

        Raises:
            _WordError: it has none.
        """
        emitter = self.emitter
        match node:
            case ex.Literal():
                return constant(node.value)
            case ex.Name():
                return self.name(node)
            case ex.Call():
                return self.call(node)
            case ex.Every():
                return self.joined(node)
            case ex.Not():
                return emitter.invert(self.truth(node.part))
            case ex.Conditional():
                return self.conditional(node)
            case ex.Compare():
                return self.compare(node)
            case ex.Membership():
                found = self.membership(node)
                return emitter.invert(found) if node.negated else found
            case ex.Negative():
                part = self.number(node.part)
                return constant(-part.const) if isinstance(part.const, int) else emitter.number(f"-{part.text}")
            case ex.Binary():
                return self.arithmetic(node)
        raise _WordError("tiles stand only after 'in' or as an argument", node.start)

    def truth(self, node: ex.Node) -> Value:
        value = self.value(node)
        if value.type not in ("number", "truth"):
            raise _WordError(f"'{value.const or value.text}' is a name; compare it with '==' or 'in'", node.start)
        return self.emitter.as_truth(value)

    def number(self, node: ex.Node) -> Value:
        value = self.value(node)
        if value.type not in ("number", "truth"):
            raise _WordError(f"'{value.const or value.text}' is a name, not a number", node.start)
        return self.emitter.as_number(value)

    def name(self, node: ex.Name) -> Value:
        word = node.word
        if word in self.steps:
            return self.steps[word]
        if word in self.every:
            try:
                return self.match(word)
            except _WordError as error:
                raise _WordError(str(error), node.start) from None
        if word in self.options:
            return constant(self.options[word])
        if word in ("true", "false"):
            return constant(word == "true")
        if word in WORDS:
            known = WORDS[word]
            return Value(known.type, self.emitter.let(known.source))
        if word in self.file.context:
            kind = self.file.context[word].kind
            if kind in ("tiles", "indicators"):
                raise _WordError(f"'{word}' names tiles; held({word}) is their number in the hand", node.start)
            return Value("truth" if kind == "flag" else "number", self.emitter.let(f"x_{word}"))
        if word in self.option_words:
            return constant(word)
        if word in FUNCTIONS or word in OTHER_FUNCTIONS:
            raise _WordError(f"'{word}' needs an argument, such as {word}(..)", node.start)
        known_words = [*WORDS, *self.every, *self.options, *self.steps, *self.file.context]
        raise _WordError(f"no word '{word}'{nearest(word, known_words)}; 'mjcli rules words' lists them", node.start)

    def joined(self, node: ex.Every) -> Value:
        ends = node.word == "or"
        found: list[Value] = []
        for part in node.parts:
            value = self.truth(part)
            if value.const is ends:
                return constant(ends)  # what follows may make sense only where this does not decide
            found.append(value)
        return self.emitter.any(found) if ends else self.emitter.all(found)

    def conditional(self, node: ex.Conditional) -> Value:
        test = self.truth(node.test)
        if test.const is not None:
            return self.value(node.yes if test.const else node.no)
        yes, no = self.value(node.yes), self.value(node.no)
        if yes.type != no.type:
            yes, no = self.number(node.yes), self.number(node.no)
        return self.emitter.choose(test, yes, no)

    def compare(self, node: ex.Compare) -> Value:
        parts = []
        left_node = node.first
        for operator, right_node in node.rest:
            parts.append(self.compare_two(left_node, operator, right_node))
            left_node = right_node
        return self.emitter.all(parts)

    def compare_two(self, left_node: ex.Node, operator: str, right_node: ex.Node) -> Value:
        left = self.value(left_node)
        if left.type in _NAMED:
            names = _NAMED[left.type]
            word = right_node.word if isinstance(right_node, ex.Name) else ""
            if operator not in ("==", "!=") or word not in names:
                raise _WordError(f"'{left.text}' is compared by == or != with one of {', '.join(names)}", right_node.start)
            return self.emitter.truth(f"{left.text}{operator}{names[word]}")
        right = self.value(right_node)
        if "word" in (left.type, right.type):
            if operator not in ("==", "!=") or left.const is None or right.const is None:
                raise _WordError("an option's word is compared by == or != with an option's value", left_node.start)
            return constant((left.const == right.const) is (operator == "=="))
        left, right = self.number(left_node), self.number(right_node)
        if isinstance(left.const, int) and isinstance(right.const, int):
            one, two = left.const, right.const
            return constant(
                {
                    "==": one == two,
                    "!=": one != two,
                    "<": one < two,
                    "<=": one <= two,
                    ">": one > two,
                    ">=": one >= two,
                }[operator]
            )
        return self.emitter.truth(f"{left.text}{operator}{right.text}")

    def membership(self, node: ex.Membership) -> Value:
        left = node.left
        if isinstance(left, ex.Name) and left.word in ("pair", "win"):
            if isinstance(node.within, tuple):
                raise _WordError(f"'{left.word} in' takes tiles, such as 258m or dragons, without brackets", left.start)
            tiles = self.tiles(node.within)
            column = "R" if left.word == "pair" else "W"
            inside = "|".join(f"({column}{suit}&{tiles.of(suit)})" for suit in tiles.suits)
            found = self.emitter.truth(f"({inside})!=0")
            if left.word == "win":
                return found
            return self.emitter.all([found, self.emitter.truth(f"form!={FORMS['seven_pairs']}")])
        if not isinstance(node.within, tuple):
            raise _WordError("only 'pair' and 'win' can be 'in' tiles; words stand in brackets", node.left.start)
        return self.emitter.any([self.compare_two(left, "==", word) for word in node.within])

    def arithmetic(self, node: ex.Binary) -> Value:
        left, right = self.number(node.left), self.number(node.right)
        one, two = left.const, right.const
        operator = node.operator
        if operator == "**":
            if one != 2:
                raise _WordError("only powers of 2 can be taken", node.left.start)
            if isinstance(two, int):
                if not 0 <= two <= MAX_SHIFT:
                    raise _WordError(f"the exponent is 0 to {MAX_SHIFT}", node.right.start)
                return constant(2**two)
            return self.emitter.number(f"1<<min2(max2({right.text},0),{MAX_SHIFT})")
        if operator in ("//", "%") and not (isinstance(two, int) and two > 0):
            raise _WordError("the divisor is a number above 0", node.right.start)
        if isinstance(one, int) and isinstance(two, int):
            return constant(
                {
                    "+": one + two,
                    "-": one - two,
                    "*": one * two,
                    "//": one // two if two else 0,
                    "%": one % two if two else 0,
                }[operator]
            )
        return self.emitter.number(f"({left.text}{operator}{right.text})")

    # calls
    def call(self, node: ex.Call) -> Value:
        word, arguments = node.word, node.arguments
        if word in FUNCTIONS:
            if len(arguments) != 1:
                raise _WordError(f"'{word}' takes one set of tiles", node.start)
            known = FUNCTIONS[word]
            return Value(known.type, self.emitter.let(known.source(self.tiles(arguments[0]))))
        if word not in OTHER_FUNCTIONS:
            raise _WordError(f"no function '{word}'{nearest(word, [*FUNCTIONS, *OTHER_FUNCTIONS])}", node.start)
        if word == "identical":
            return self.identical(node)
        if word == "held":
            return self.held(node)
        if word in ("min", "max") and len(arguments) > 1:
            return self.extreme(word, [self.number(part) for part in arguments])
        if word in ("sum", "max", "any", "count") and len(arguments) == 1:
            return self.of_group(node)
        if word in ("up", "pick") and len(arguments) == 2:
            return self.up(node) if word == "up" else self.pick(node)
        raise _WordError(f"'{word}': {OTHER_FUNCTIONS[word]}", node.start)

    def extreme(self, word: str, values: list[Value]) -> Value:
        found = values[0]
        for value in values[1:]:
            if isinstance(found.const, int) and isinstance(value.const, int):
                found = constant(min(found.const, value.const) if word == "min" else max(found.const, value.const))
            else:
                found = self.emitter.number(f"{word}2({found.text},{value.text})")
        return found

    def identical(self, node: ex.Call) -> Value:
        count, *rest = node.arguments
        side = rest[0].word if rest and isinstance(rest[0], ex.Name) else ""
        if not isinstance(count, ex.Literal) or not 1 <= count.value <= 4 or (rest and side != "concealed"):
            raise _WordError(OTHER_FUNCTIONS["identical"], node.start)
        letter = "D" if rest else "C"
        add = (4 - count.value) * ONES
        return self.emitter.number("+".join(f"popc({letter}{suit}+{add}&{4 * ONES})" for suit in range(3)))

    def held(self, node: ex.Call) -> Value:
        word = node.arguments[0].word if isinstance(node.arguments[0], ex.Name) else ""
        known = self.file.context.get(word)
        if known is None or known.kind not in ("tiles", "indicators") or len(node.arguments) != 1:
            raise _WordError("held(WORD) takes a context word of this ruleset that names tiles", node.start)
        return self.emitter.number(f"held_{word}")

    def up(self, node: ex.Call) -> Value:
        value, step = self.number(node.arguments[0]), self.number(node.arguments[1])
        if not isinstance(step.const, int) or step.const <= 0:
            raise _WordError("the step is a number above 0", node.arguments[1].start)
        if isinstance(value.const, int):
            return constant(-(-value.const // step.const) * step.const)
        return self.emitter.number(f"-(-{value.text}//{step.const})*{step.const}")

    def pick(self, node: ex.Call) -> Value:
        table = node.arguments[0].word if isinstance(node.arguments[0], ex.Name) else ""
        chosen = self.options.get(table, table)
        if chosen not in self.file.tables or not self.file.tables[str(chosen)]:
            raise _WordError(
                f"no table '{chosen}' (tables: {', '.join(self.file.tables) or 'none'})", node.arguments[0].start
            )
        index = self.number(node.arguments[1])
        last = len(self.file.tables[str(chosen)]) - 1
        return self.emitter.number(f"pick(TABLE_{chosen},min2(max2({index.text},0),{last}))")

    def of_group(self, node: ex.Call) -> Value:
        argument = node.arguments[0]
        name = argument.word if isinstance(argument, ex.Name) else ""
        if not self.in_steps:
            raise _WordError(f"'{node.word}' of a group stands only in the steps of 'score'", node.start)
        if name != "all" and name not in self.groups():
            raise _WordError(f"no group '{name}' (groups: all, {', '.join(self.groups())})", argument.start)
        members, emitter = self.group(name), self.emitter
        if node.word == "any":
            return emitter.any([emitter.as_truth(self.counts[each]) for each in members])
        if node.word == "count":
            return emitter.sum([emitter.as_number(emitter.as_truth(self.counts[each])) for each in members])
        values = [emitter.times(self.fans[each], self.counts[each]) for each in members]
        return emitter.sum(values) if node.word == "sum" else self.extreme("max", [constant(0), *values])

    def tiles(self, node: ex.Node) -> Tiles:
        match node:
            case ex.Union():
                found = self.tiles(node.parts[0])
                for part in node.parts[1:]:
                    found |= self.tiles(part)
                return found
            case ex.TileText():
                try:
                    return Tiles(masks(node.text))
                except ValueError as error:
                    raise _WordError(str(error), node.start) from None
            case ex.Name(word) if word in TILE_SETS:
                return Tiles(masks(TILE_SETS[word]))
            case ex.Name("seat" | "round" as word):
                return Tiles((0, 0, 0, 0), (self.emitter.let(f"1<<3*{self.emitter.let(word)}-3"),))
        known = ", ".join([*TILE_SETS, "seat", "round"])
        raise _WordError(f"tiles are wanted here: such as 258m19p, or {known}, joined by |", node.start)


def _shown(value: Value) -> Any:
    return value.text if value.const is None else value.const


def _template_text(pattern: Pattern) -> str:
    alternatives = [pattern.sets] if pattern.sets else pattern.any
    text = " or ".join(", ".join(term.text for term in terms) for terms in alternatives)
    return text + (f" without {', '.join(term.text for term in pattern.without)}" if pattern.without else "")


def allows(allowed: list[str], text: str) -> bool:
    """Return whether ``text`` is one of the values that ``option_values`` gave."""
    value = option_value(text)
    return text in allowed or ("number" in allowed and isinstance(value, int) and not isinstance(value, bool))


def _said(node: ex.Node) -> str:
    match node:
        case ex.Name():
            return node.word
        case ex.TileText():
            return node.text
        case ex.Literal():
            return str(node.value)
        case ex.Union():
            return " | ".join(_said(part) for part in node.parts)
    return "..."


def _walk(node: ex.Node) -> Iterator[ex.Node]:
    yield node
    match node:
        case ex.Every() | ex.Union():
            children: tuple[ex.Node, ...] = node.parts
        case ex.Not() | ex.Negative():
            children = (node.part,)
        case ex.Binary():
            children = (node.left, node.right)
        case ex.Compare():
            children = (node.first, *(part for _, part in node.rest))
        case ex.Membership():
            within = node.within if isinstance(node.within, tuple) else (node.within,)
            children = (node.left, *within)
        case ex.Conditional():
            children = (node.test, node.yes, node.no)
        case ex.Call():
            children = node.arguments
        case _:
            children = ()
    for child in children:
        yield from _walk(child)


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


def advice(file: RulesetFile) -> list[Fault]:
    """Return what a careful author would mend, though the ruleset works: examples, names, options that do nothing."""
    compiler = _Compiler(file, {name: option_value(option.default.text) for name, option in file.options.items()})
    compiler.program()
    found = []
    for pattern in file.patterns:
        path = f"patterns.{pattern.id.text}"
        missing = [key for key, value in (("match", pattern.match), ("no_match", pattern.no_match)) if not value]
        missing += [
            key
            for key, value in (("en", pattern.en), ("zh-Hant", pattern.zh_hant), ("zh-Hans", pattern.zh_hans))
            if not value
        ]
        if missing:
            found.append(
                pattern.id.place.fault(f"pattern '{pattern.id.text}' has no {', '.join(missing)}", path, fatal=False)
            )
    for name, option in file.options.items():
        if name not in compiler.used:
            found.append(option.place.fault(f"option '{name}' is never used", f"options.{name}", fatal=False))
    return found
