"""Which patterns stand and which count, by what contains and excludes them.

A pattern *stands* if it matches and no standing pattern excludes it; it *counts* if it stands and no standing pattern
contains it. Both graphs are resolved in order, and circles are refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from mjcli.ruleset.checks import unknown_pattern
from mjcli.ruleset.conditions import shown
from mjcli.ruleset.emit import Value, constant
from mjcli.ruleset.matches import Matches
from mjcli.ruleset.model import Pattern, reference
from mjcli.ruleset.program import Part
from mjcli.ruleset.source import Text

__all__ = ["Standing"]

Takers = dict[str, list[tuple[str, Value]]]
"""Of each pattern: those that take it away, and the condition on which they do."""


class Standing:
    """Resolves the patterns of one file, once they are compiled."""

    def __init__(self, matches: Matches) -> None:
        """``matches`` are the patterns."""
        self.matches, self.texts, self.emitter, self.file = matches, matches.texts, matches.emitter, matches.file
        self.stands: dict[str, Value] = {}
        self.counts: dict[str, Value] = {}
        self.taken: dict[str, list[tuple[str, str, Value]]] = {}
        """Of each pattern: who takes it away, how, and whether he does."""

    def resolve(self, fans: Mapping[str, Value]) -> None:
        """Decide which patterns stand and which count; ``fans`` are their values."""
        takers = self._takers()
        for name, taken in self._alone(fans):
            takers["contains"].setdefault(taken, []).append((name, constant(True)))
        before = len(self.texts.faults)
        order = [
            self._ordered(how, {name: [by for by, _ in by_whom] for name, by_whom in graph.items()})
            for how, graph in takers.items()
        ]
        if len(self.texts.faults) > before:
            takers = {"excludes": {}, "contains": {}}  # a circle has no order to resolve it in
        self.taken = {name: [] for name in self.matches.in_play}
        plain = [name for name, pattern in self.matches.in_play.items() if pattern.otherwise is None]
        for name in (*order[0], *plain):
            if self.matches.in_play[name].otherwise is None and name not in self.stands:
                self.stands[name] = self._left_by(name, self.matches.match(name), "excludes", takers)
        for name in plain:
            self.counts[name] = self._left_by(name, self.stands[name], "contains", takers)
        for pattern in self.matches.in_play.values():
            if pattern.otherwise is not None:
                self._resolve_otherwise(pattern, pattern.otherwise, takers)
        self.counts = {name: self.counts[name] for name in self.matches.in_play}

    def _takers(self) -> dict[str, Takers]:
        """Return, for ``excludes`` and ``contains``, which patterns take each pattern away, and when."""
        found: dict[str, Takers] = {"excludes": {}, "contains": {}}
        for name, pattern in self.matches.in_play.items():
            for how, texts in (("excludes", pattern.excludes), ("contains", pattern.contains)):
                path = f"patterns.{name}.{how}"
                for text in texts:
                    if pattern.otherwise is not None:
                        message = f"'{name}' stands only where nothing else counts; it takes nothing away"
                        self.texts.fault(text, message, path)
                    if text.text == name:
                        self.texts.fault(text, f"'{name}' takes itself away", path)
                for other, holds in self._references(texts, path):
                    if other != name:
                        found[how].setdefault(other, []).append((name, holds))
        for index, series in enumerate(self.file.series):
            path = f"series[{index}]"
            off = self.texts.by_options(series.unless, f"{path}.unless", False)
            higher: list[str] = []
            for tier in series.tiers:
                members = [other for other, _ in self._references(tier, path)]
                for other in () if off else members:
                    takers = [(name, constant(True)) for name in higher if self.matches.in_play[name].otherwise is None]
                    found["contains"].setdefault(other, []).extend(takers)
                higher += members
        return found

    def _references(self, texts: Iterable[Text], path: str) -> Iterator[tuple[str, Value]]:
        """Yield each pattern in play that the references name, with the condition on which they do."""
        for text in texts:
            name, condition = reference(text)
            holds = self.texts.condition(condition, path)
            if name in self.file.families:
                members = [each.text for each in self.file.families[name]]
            elif name not in self.matches.names and name in self.matches.group_names():
                members = self.matches.group(name)
            else:
                members = [name]
                if name not in self.matches.names:
                    self.texts.fault(text, unknown_pattern(name, self.file, families=True), path)
            for member in members:
                if member in self.matches.in_play:
                    yield member, holds

    def _alone(self, fans: Mapping[str, Value]) -> Iterator[tuple[str, str]]:
        """Yield the pairs of patterns of which the first, counting alone, takes the second away."""
        rule, in_play = self.file.alone, self.matches.in_play
        if rule is None or self.texts.by_options(rule.unless, "alone.unless", False):
            return
        values: dict[str, int] = {}
        for name, _ in self._references(rule.of, "alone.of"):
            fan = fans[name].const
            if not isinstance(fan, int) or in_play[name].otherwise is not None:
                self.texts.fault(rule.of[0], f"'{name}' has no value that options alone decide", "alone.of")
            elif fan >= rule.least:
                values[name] = fan
        ranked = sorted(values, key=lambda name: -values[name])
        rest = [name for name in in_play if name not in values]
        for place, name in enumerate(ranked):
            for taken in (*ranked[place + 1 :], *rest):
                yield name, taken

    def _ordered(self, how: str, graph: Mapping[str, list[str]]) -> list[str]:
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
                    self.texts.fault(self.matches.every[following].id, message, f"patterns.{following}")
                elif following not in done:
                    path[following] = iter(graph.get(following, ()))
        return order

    def _left_by(self, name: str, value: Value, how: str, takers: Mapping[str, Takers]) -> Value:
        """Return ``value`` where no standing pattern takes ``name`` away."""
        emitter, found = self.emitter, []
        for by, holds in takers[how].get(name, []):
            if by in self.stands:
                taken = emitter.all([emitter.as_truth(self.stands[by]), holds])
                self.taken[name].append((by, how, taken))
                found.append(taken)
        free = emitter.invert(emitter.any(found))
        return emitter.all([value, free]) if value.type == "truth" else emitter.times(value, free)

    def _resolve_otherwise(self, pattern: Pattern, text: Text, takers: Mapping[str, Takers]) -> None:
        """Decide a pattern that stands where nothing else of a group counts; of several, the first in the file."""
        name, emitter = pattern.id.text, self.emitter
        names = tuple(other for other in self.matches.group(text.text) if other in self.counts)
        if text.text not in ("all", *self.matches.group_names()):
            known = ", ".join(("all", *self.matches.group_names()))
            self.texts.fault(text, f"no group '{text.text}' (groups: {known})", f"patterns.{name}.otherwise")
        alone = emitter.invert(emitter.any([emitter.as_truth(self.counts[other]) for other in names]))
        self.matches.parts[name] = [Part(f"nothing else of {text.text} counts", shown(alone), others=names)]
        value = self.matches.compile(pattern)
        value = emitter.all([alone, value]) if value.type == "truth" else emitter.times(value, alone)
        self.matches.values[name] = value
        standing = self._left_by(name, value, "excludes", takers)
        self.counts[name] = self._left_by(name, standing, "contains", takers)
