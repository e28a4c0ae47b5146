"""Would the tables of Hong Kong and Malaysia notice? Each value and term is changed in turn, and a case must fail."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from mjcli.errors import InputError, RulesetError
from mjcli.examples import run_examples
from mjcli.notation import parse_line
from mjcli.ruleset import load_ruleset
from mjcli.ruleset.layers import read_ruleset
from mjcli.ruleset.model import FORM_RULES, GUARD, NOT_PLAYED, RulesetFile
from mjcli.ruleset.paths import ruleset_path
from mjcli.ruleset.source import Place, Text
from mjcli.scoring import score
from tests.false_wins import wrong_false_wins
from tests.flower_cases import cases_of, said_of
from tests.plain_games import OF_THE_TABLE
from tests.test_jipinghu import answers
from tests.test_jipinghu_mutations import Change, terms, whole

RULESETS: Final = {"hongkong": "hongkong", "malaysia-4p": "malaysia", "malaysia-3p": "malaysia_3p"}
"""The rulesets, each with its table of cases."""


def changes(file: RulesetFile) -> Iterator[Change]:
    """Yield every change: values by one, conditions without a term, patterns that never match, other defaults."""
    conditions: list[Text | None] = [file.wins_if, file.instant, file.prefer, file.false_win, *file.score.values()]
    conditions += [file.alone.unless] if file.alone else []
    for copies in file.tiles.values():
        if not copies.text.isdigit():
            yield from (whole(copies, number) for number in "01")
    for form, played in file.forms.items():
        yield from (whole(played, other) for other in (*FORM_RULES[form], NOT_PLAYED) if other != played.text)
    if file.jokers is not None and file.jokers.kongs is not None:
        yield whole(file.jokers.kongs, "true")
    for pattern in file.patterns:
        assert pattern.fan is not None
        yield whole(pattern.fan, str(int(pattern.fan.text) + 1) if pattern.fan.text.isdigit() else "1 + 1 + 2 * 6")
        for text, never in ((pattern.when, "false"), (pattern.times, "0")):
            if text is not None:
                yield whole(text, never)
        for term in pattern.sets:
            yield whole(term, "tile 5 a" if term.text != "tile 5 a" else "tile 4 a")
            if term.text.startswith("3 "):
                yield whole(term, term.text.replace("3 ", "2 "))
        for term in (term for terms_ in pattern.any for term in terms_):
            never = f"{GUARD}false" if term.text.startswith(GUARD) else "4 pair 1 z"
            yield whole(term, never)
            if term.text.startswith(GUARD):
                yield whole(term, f"{GUARD}true")
        for reference in (*pattern.contains, *pattern.excludes):
            yield reference, len(reference.text.partition(" if ")[0]), len(reference.text), " if 1 == 2"
        conditions += [pattern.when, pattern.times, pattern.only_if, pattern.unless]
    for rule in file.pay:
        conditions += [rule.when, rule.named, rule.others]
    for liability in file.liability:
        yield whole(liability.when, "false")
        conditions.append(liability.when)
    for name, option in file.options.items():
        if name in OF_THE_TABLE:
            continue
        default = option.default.text
        number = [str(int(default) + 1)] if default.isdigit() else []
        for value in [each.text for each in option.values if each.text != "number"] or number:
            if value != default:
                yield whole(option.default, value)
    for condition in conditions:
        if condition is not None:
            yield from terms(condition)


def changed(source: list[str], change: Change) -> str:
    """Return the file with one change made."""
    text, start, end, by = change
    first, last = (offset(source, text.at(at)) for at in (start, end))
    # blanks have no place: a part that ends in one ends where the next word starts, any other after its last character
    if end > start and text.text[end - 1] != " ":
        last = offset(source, text.at(end - 1)) + 1
    before, after = "".join(source)[:first], "".join(source)[last:]
    gap = " " if by and end < len(text.text) and text.text[end - 1 : end] == " " else ""
    return before + by + gap + after


def offset(source: list[str], place: Place) -> int:
    return sum(map(len, source[: place.line - 1])) + place.column - 1


def first_failure(path: Path, cases: list[dict[str, Any]]) -> str:
    """Return the first case or example that fails, or the fault of the file; nothing if all is well."""
    rulesets: dict[str, Any] = {}
    try:
        for case in cases:
            options = str(case.get("options", ""))
            if options not in rulesets:
                rulesets[options] = load_ruleset(str(path), case.get("options"), cache=False)
            if differs(case, rulesets[options]):
                return str(case["id"])
        if wrong := next((str(each) for each in run_examples(path) if not each.passed), ""):
            return wrong
        return next(wrong_false_wins(path.stem, str(path)), "")
    except RulesetError as error:
        return f"fault {error}"


def differs(case: dict[str, Any], ruleset: Any) -> bool:
    try:
        found = answers(score(parse_line(case["line"], tiles=ruleset.tiles), ruleset))
    except InputError as error:
        return bool(error.code != case.get("error"))
    return "error" in case or any(found[key] != value for key, value in said_of(case).items())


def ordered(name: str) -> list[dict[str, Any]]:
    """Return the cases, those without options first, which need no further loading."""
    return sorted(cases_of(RULESETS[name]), key=lambda case: str(case.get("options", "")))


@pytest.mark.long
@pytest.mark.parametrize("name", RULESETS)
def test_the_file_as_it_is_passes(name: str) -> None:
    assert first_failure(ruleset_path(name), ordered(name)) == ""


@pytest.mark.long
@pytest.mark.parametrize("name", RULESETS)
def test_every_change_fails_some_case(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name}.yaml"
    file, _ = read_ruleset(ruleset_path(name))
    source = ruleset_path(name).read_text(encoding="utf-8").splitlines(keepends=True)
    cases = ordered(name)
    unnoticed, faults, tried = [], 0, set()
    for change in changes(file):
        text = changed(source, change)
        if text in tried:
            continue
        tried.add(text)
        path.write_text(text, encoding="utf-8")
        failure = first_failure(path, cases)
        faults += failure.startswith("fault") and "(at wall" not in failure  # copies that do not fill the wall
        if not failure:
            scalar, start, end, by = change
            unnoticed.append(
                f"{scalar.place.line}: {scalar.text[:start]}[{scalar.text[start:end]} -> {by}]{scalar.text[end:]}"
            )
    print(f"{len(tried)} changes, {faults} of them faults of the file")
    assert not unnoticed, "\n".join(unnoticed)
    assert faults < len(tried) / 20
