"""Would the tables of 雞平和 notice? Each value and term of the ruleset is changed in turn, and a case must fail."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mjcli.errors import RulesetError
from mjcli.examples import run_examples
from mjcli.hand import Line
from mjcli.notation import parse_line
from mjcli.ruleset import expressions as ex
from mjcli.ruleset import load_ruleset
from mjcli.ruleset.expressions import walk
from mjcli.ruleset.layers import read_ruleset
from mjcli.ruleset.paths import ruleset_path
from mjcli.ruleset.source import Text
from mjcli.scoring import score
from tests.false_wins import wrong_false_wins
from tests.plain_games import OF_THE_TABLE
from tests.test_jipinghu import CASES, EXTRA_WORDS, answers, expected_answers

FILE = ruleset_path("jipinghu")
SOURCE = FILE.read_text(encoding="utf-8").splitlines(keepends=True)

Change = tuple[Text, int, int, str]
"""A scalar of the file, where in it the change starts and ends, and what it becomes."""


def whole(text: Text, by: str) -> Change:
    return text, 0, len(text.text), by


def changes() -> Iterator[Change]:
    """Yield every change: values by one, conditions without a term, patterns that never match, other defaults."""
    file, _ = read_ruleset(FILE)
    conditions: list[Text | None] = [file.wins_if, file.false_win, *file.score.values()]
    for pattern in file.patterns:
        assert pattern.fan is not None
        yield whole(pattern.fan, str(int(pattern.fan.text) + 1))
        for text, never in ((pattern.when, "false"), (pattern.times, "0")):
            if text is not None:
                yield whole(text, never)
        for term in pattern.sets:
            yield whole(term, "tile 5 a" if term.text != "tile 5 a" else "tile 4 a")
            if term.text.startswith("3 "):
                yield whole(term, term.text.replace("3 ", "2 "))
        conditions += [pattern.when, pattern.times, pattern.only_if]
    for rule in file.pay:
        conditions += [rule.when, rule.named, rule.others]
    for liability in file.liability:
        yield whole(liability.when, "false")
        conditions.append(liability.when)
    conditions += [series.unless for series in file.series]
    for name, option in file.options.items():
        if name in OF_THE_TABLE:
            continue
        others = {"true": ["false"], "false": ["true"], "3": ["2", "4", "none"], "0": ["1"]}
        for value in others.get(option.default.text, [each.text for each in option.values]):
            if value != option.default.text:
                yield whole(option.default, value)
    for condition in conditions:
        if condition is not None:
            yield from terms(condition)


def terms(text: Text) -> Iterator[Change]:
    """Yield a condition with one term less, one number more by one, or without one ``not``."""
    for node in walk(ex.parse(text.text)):
        if isinstance(node, ex.Every):
            for part in node.parts:
                yield text, part.start, part.end, "true" if node.word == "and" else "false"
        elif isinstance(node, ex.Not):
            yield text, node.start, node.part.start, ""
        elif isinstance(node, ex.Literal):
            yield text, node.start, node.end, str(node.value + 1)
        elif isinstance(node, ex.Binary) and node.operator == "-":
            yield text, node.left.end, node.end, ""


def changed(change: Change) -> str:
    """Return the file with one change made."""
    text, start, end, by = change
    line = SOURCE[text.place.line - 1]
    at = text.place.column - 1
    assert line[at : at + len(text.text)] == text.text, "only scalars of one line can be changed"
    line = line[: at + start] + by + line[at + end :]
    return "".join([*SOURCE[: text.place.line - 1], line, *SOURCE[text.place.line :]])


ANSWERED = [(parse_line(case["line"], extra=EXTRA_WORDS), case) for case in CASES if "error" not in case]


def first_failure(path: Path) -> str:
    """Return the first case or example that fails, or the fault of the file; nothing if all is well."""
    rulesets: dict[str, Any] = {}
    try:
        for line, case in ANSWERED:
            options = str(case.get("options", ""))
            if options not in rulesets:
                rulesets[options] = load_ruleset(str(path), case.get("options"), cache=False)
            if differs(line, case, rulesets[options]):
                return str(case["id"])
        if wrong := next((str(each) for each in run_examples(path) if not each.passed), ""):
            return wrong
        return next(wrong_false_wins("jipinghu", str(path)), "")
    except RulesetError as error:
        return f"fault {error}"


def differs(line: Line, case: dict[str, Any], ruleset: Any) -> bool:
    found = answers(score(line, ruleset))
    return any(found[key] != value for key, value in expected_answers(case).items())


@pytest.mark.long
def test_the_file_as_it_is_passes() -> None:
    assert first_failure(FILE) == ""


@pytest.mark.long
def test_every_change_fails_some_case(tmp_path: Path) -> None:
    path = tmp_path / "jipinghu.yaml"
    unnoticed, faults, tried = [], 0, set()
    for change in changes():
        text = changed(change)
        if text in tried:
            continue
        tried.add(text)
        path.write_text(text, encoding="utf-8")
        failure = first_failure(path)
        faults += failure.startswith("fault")
        if not failure:
            scalar, start, end, by = change
            unnoticed.append(
                f"{scalar.place.line}: {scalar.text[:start]}[{scalar.text[start:end]} -> {by}]{scalar.text[end:]}"
            )
    print(f"{len(tried)} changes, {faults} of them faults of the file")
    assert not unnoticed, "\n".join(unnoticed)
    assert faults < len(tried) / 20
