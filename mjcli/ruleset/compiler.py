"""From what a file says to generated source: patterns, which of them count, the steps of the score, payments."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from mjcli.columns import BY_READING, COLUMNS
from mjcli.errors import RulesetError
from mjcli.ruleset.checks import name_faults
from mjcli.ruleset.conditions import shown
from mjcli.ruleset.emit import Emitter, Value, constant
from mjcli.ruleset.liability import liability_faults
from mjcli.ruleset.matches import Matches
from mjcli.ruleset.model import RulesetFile
from mjcli.ruleset.once import combine_once
from mjcli.ruleset.program import OptionValue, Part, Program
from mjcli.ruleset.shapes import nearest
from mjcli.ruleset.standing import Standing
from mjcli.ruleset.texts import Texts

__all__ = ["compile_ruleset"]


def compile_ruleset(file: RulesetFile, options: Mapping[str, OptionValue]) -> Program:
    """Return the program of a file under certain option values.

    Raises:
        RulesetError: the file has faults; all that could be found are in it.
    """
    compiler = _Compiler(file, options)
    try:
        program = compiler.program()
    except RecursionError:
        compiler.texts.faults.append(file.place.fault("conditions that refer to each other too deep"))
    if compiler.texts.faults:
        raise RulesetError(compiler.texts.faults)
    return program


class _Compiler:
    """Compiles one file; it is the scope of its own conditions."""

    def __init__(self, file: RulesetFile, options: Mapping[str, OptionValue]) -> None:
        self.file, self.options = file, options
        own = [f"{column}_{name}" for name in file.context for column in ("x", "held")]
        self.emitter = Emitter(frozenset((*COLUMNS, *own)))
        self.texts = Texts(file, options, self.emitter, self)
        self.matches = Matches(file, self.texts)
        self.standing = Standing(self.matches)
        self.fans: dict[str, Value] = {}
        self.wins: list[Part] = []
        """The terms of what a complete hand must reach to win."""

    # what the conditions may refer to
    @property
    def pattern_names(self) -> Collection[str]:
        return self.matches.names

    def match(self, name: str) -> Value:
        return self.matches.match(name)

    def group_names(self) -> list[str]:
        return self.matches.group_names()

    def group_values(self, name: str) -> list[tuple[Value, Value]]:
        return [(self.fans[each], self.standing.counts[each]) for each in self.matches.group(name)]

    # the whole
    def program(self) -> Program:
        file, emitter, matches, standing = self.file, self.emitter, self.matches, self.standing
        self.check()
        matches.choose()
        combine = tuple(combine_once(matches))
        matches.compile_all()
        self.fans = {name: matches.fan(pattern) for name, pattern in matches.in_play.items()}
        standing.resolve(self.fans)
        counts = standing.counts
        results = self.score_steps()
        returned = ",".join(
            f"({','.join([*(value.text for value in values), ''])})"
            for values in (results.values(), counts.values(), self.fans.values())
        )
        columns = emitter.columns(returned)
        functions = {
            "evaluate(c,detail=False)": [
                *(f"{column}=c['{column}']" for column in columns),
                *(f"{name}={source}" for name, source in emitter.lines),
                "if detail: return locals()",
                f"return ({returned})",
            ],
            "at_once(c)": self.alone(results["@instant"]),
        }
        false_win = None if file.false_win is None else self.texts.number_by_options(file.false_win, "false_win")
        costs = [constant(0)] * 2 if false_win is None else self.self_draw_of(Value("number", "fan"))
        functions["false_win(c,fan)"] = self.alone(*costs)
        functions["refused(c)"] = self.alone(self.refused())
        return Program(
            source="".join(f"def {head}:\n " + "\n ".join(lines) + "\n" for head, lines in functions.items()),
            steps=tuple(results),
            patterns=tuple(counts),
            columns=tuple(columns),
            best=tuple(text.text for text in file.best),
            tables={name: tuple(values) for name, values in file.tables.items()},
            combine=combine,
            parts={name: tuple(matches.parts[name]) for name in counts},
            takers={name: tuple((by, how, shown(value)) for by, how, value in standing.taken[name]) for name in counts},
            fans={name: shown(value) for name, value in self.fans.items()},
            matched={name: shown(matches.values[name]) for name in counts},
            texts={name: text.text for name, text in file.score.items()},
            wins=tuple(self.wins),
            instant=file.instant is not None,
            refusals=tuple(refusal.en for refusal in file.refuses),
            liable_apart=any(rule.liable is not None for rule in file.pay),
            false_win=false_win,
        )

    def alone(self, *values: Value) -> list[str]:
        """Return the lines of a function that returns some values without all the others."""
        lines = [f"{name}={source}" for name, source in self.emitter.lines_for(*values)]
        return [*lines, f"return {','.join(value.text for value in values)}"]

    def check(self) -> None:
        """Add the faults that can be found without compiling."""
        faults = self.texts.faults
        faults += name_faults(self.file)
        faults += liability_faults(self.file, self.options)
        groups = self.matches.group_names()
        for group, names in self.file.units.items():
            place = next((name.place for name in names.values()), self.file.place)
            if group not in groups:
                faults.append(place.fault(f"no group '{group}' (groups: {', '.join(groups)})", f"units.{group}"))
            elif "en" not in names:
                faults.append(place.fault("a unit has a name in en", f"units.{group}"))

    def score_steps(self) -> dict[str, Value]:
        """Return the steps of the score, then what the engine asks for, under names that start with @."""
        file, texts = self.file, self.texts
        conditions = texts.conditions
        conditions.in_steps = True
        for name, text in file.score.items():
            conditions.steps[name] = texts.number(text, f"score.{name}")
        for needed in ("fan", "points"):
            if needed not in file.score:
                texts.faults.append(file.place.fault(f"'score' has no step '{needed}'", "score"))
        for text in file.best:
            if text.text not in file.score:
                texts.fault(text, f"no step '{text.text}'{nearest(text.text, list(file.score))}", "best")
        found = dict(conditions.steps)
        titles = list(enumerate(file.titles))
        found["@prefer"] = texts.condition(file.prefer, "prefer", False)
        found["@wins"], self.wins = texts.condition_and_parts(file.wins_if, "wins_if", True)
        found["@instant"] = texts.condition(file.instant, "instant", False)
        found["@title"] = self.first_of([texts.condition(each.when, f"titles[{index}].when") for index, each in titles])
        found |= {f"@{role}": amount for role, amount in self.amounts("named", "others", "dealer", "liable").items()}
        for index, liability in enumerate(file.liability):
            found[f"@liable{index}"] = texts.condition(liability.when, f"liability.{liability.id.text}.when", False)
        return found

    def amounts(self, *roles: str) -> dict[str, Value]:
        """Return what each role pays, by the steps of the score as they are compiled."""
        file, emitter, texts = self.file, self.emitter, self.texts
        tests = [texts.condition(rule.when, f"pay[{index}].when") for index, rule in enumerate(file.pay)]
        found = {}
        for role in roles:
            amount = constant(0)
            for index, rule in reversed(list(enumerate(file.pay))):
                key = "others" if role == "dealer" and rule.dealer is None else role
                said = {"named": rule.named, "others": rule.others, "dealer": rule.dealer, "liable": rule.liable}[key]
                amount = emitter.choose(tests[index], texts.number(said, f"pay[{index}].{key}"), amount)
            found[role] = amount
        return found

    def first_of(self, tests: list[Value]) -> Value:
        """Return the place, from 1, of the first of some truths that holds; 0 where none does."""
        found = constant(0)
        for place, test in reversed(list(enumerate(tests, 1))):
            found = self.emitter.choose(test, constant(place), found)
        return found

    def refused(self) -> Value:
        """Return which refusal is the first that holds; a fault for one that waits for how the hand is read."""
        tests = []
        for index, refusal in enumerate(self.file.refuses):
            path = f"refuses[{index}].when"
            tests.append(self.texts.condition(refusal.when, path, False))
            read = {name for name, _ in self.emitter.lines_for(tests[-1])}
            if not BY_READING.isdisjoint(read):
                self.texts.fault(refusal.when, "only melds, tiles and context may decide this, not sets or waits", path)
        return self.first_of(tests)

    def self_draw_of(self, fan: Value) -> list[Value]:
        """Return what each loser pays, and the dealer if he is one, where the step ``fan`` has another value."""
        texts, steps = self.texts, self.texts.conditions.steps
        faults, said = texts.faults, dict(steps)
        texts.faults = []  # all is compiled a second time, with the same faults
        steps.clear()
        for name, text in self.file.score.items():
            steps[name] = fan if name == "fan" else texts.number(text, f"score.{name}")
        amounts = self.amounts("others", "dealer")
        texts.faults = faults
        steps.update(said)
        return list(amounts.values())
