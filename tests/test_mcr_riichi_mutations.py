"""Would the tables of MCR and riichi notice? Each value and term is changed in turn, and a row, case or example must fail."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from mjcli.errors import InputError, RulesetError
from mjcli.examples import run_examples
from mjcli.notation import parse_line
from mjcli.ruleset import Ruleset, load_ruleset
from mjcli.ruleset.layers import read_ruleset
from mjcli.ruleset.model import RulesetFile
from mjcli.ruleset.paths import ruleset_path
from mjcli.ruleset.source import Text
from mjcli.scoring import score
from tests.flower_cases import cases_of, said_of
from tests.scored_rows import Row, differences, read_rows
from tests.test_flower_mutations import changed, changes
from tests.test_jipinghu import answers
from tests.test_jipinghu_mutations import Change, terms, whole

CASES: Final = Path(__file__).parent / "cases"

NEVER_DECIDES: Final[dict[str, set[tuple[str, str]]]] = {"mcr": set(), "riichi": set()}
"""What the rules list, although the two never match together or another takes the second away as well; it is kept for
whoever changes one of them."""


def more_changes(file: RulesetFile) -> Iterator[Change]:
    """Yield the changes of every ruleset, and those of what only these two have."""
    yield from changes(file)
    for members in (*file.families.values(), *file.combine_once.values()):
        for place, member in enumerate(members):
            yield whole(member, members[place - 1].text)
    conditions: list[Text | None] = [file.prefer]
    conditions += [pattern.fan for pattern in file.patterns if pattern.fan and not pattern.fan.text.isdigit()]
    conditions += [text for rule in file.pay for text in (rule.dealer, rule.liable)]
    for rule in (*file.titles, *file.refuses):
        assert rule.when is not None
        yield whole(rule.when, "false")
        conditions.append(rule.when)
    for condition in conditions:
        if condition is not None:
            yield from terms(condition)


def first_failure(name: str, path: Path, rows: list[Row], cases: list[dict[str, Any]]) -> str:
    """Return the first row, case or example that fails, or the fault of the file; nothing if all is well."""
    try:
        ruleset = load_ruleset(str(path), cache=False)
        for row in rows:
            if wrong(row, ruleset):
                return str(row["id"])
        options: Any = {}
        for case in cases:
            if case.get("options", {}) != options:
                options = case.get("options", {})
                ruleset = load_ruleset(str(path), options, cache=False)
            if differs(case, ruleset):
                return str(case["id"])
        return next((str(each) for each in run_examples(path) if not each.passed), "")
    except RulesetError as error:
        return f"fault {error}"


def wrong(row: Row, ruleset: Ruleset) -> bool:
    try:
        return bool(differences(row, ruleset))
    except InputError:
        return True


def differs(case: dict[str, Any], ruleset: Ruleset) -> bool:
    try:
        line = parse_line(case["line"], extra=ruleset.extra_words, tiles=ruleset.tiles)
        found = answers(score(line, ruleset))
    except InputError as error:
        return bool(error.code != case.get("error"))
    return "error" in case or any(found[key] != value for key, value in said_of(case).items())


def ordered(name: str) -> tuple[list[Row], list[dict[str, Any]]]:
    """Return the rows of a ruleset, and its cases, of which those with the same options follow each other."""
    rows = [row for row in read_rows(CASES / f"{name}.jsonl.gz") if "options" not in row]
    if name == "mcr":
        rows += [row for row in read_rows(CASES / "mcr_asserted.jsonl.gz") if "options" not in row]
    return rows, sorted(cases_of(name), key=lambda case: str(case.get("options", "")))


@pytest.mark.parametrize("name", NEVER_DECIDES)
def test_the_file_as_it_is_passes(name: str) -> None:
    assert first_failure(name, ruleset_path(name), *ordered(name)) == ""


@pytest.mark.long
@pytest.mark.parametrize("name", NEVER_DECIDES)
def test_every_change_fails_some_case(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name}.yaml"
    file, _ = read_ruleset(ruleset_path(name))
    source = ruleset_path(name).read_text(encoding="utf-8").splitlines(keepends=True)
    known = ordered(name)
    spared = {
        reference.place
        for pattern in file.patterns
        for reference in (*pattern.contains, *pattern.excludes)
        if (pattern.id.text, reference.text) in NEVER_DECIDES[name]
    }
    unnoticed, faults, tried = [], 0, set()
    for change in more_changes(file):
        text = changed(source, change)
        if text in tried or change[0].place in spared:
            continue
        tried.add(text)
        path.write_text(text, encoding="utf-8")
        failure = first_failure(name, path, *known)
        faults += failure.startswith("fault")
        if not failure:
            scalar, start, end, by = change
            unnoticed.append(
                f"{scalar.place.line}: {scalar.text[:start]}[{scalar.text[start:end]} -> {by}]{scalar.text[end:]}"
            )
    print(f"{len(tried)} changes, {faults} of them faults of the file")
    assert not unnoticed, "\n".join(unnoticed)
    assert faults < len(tried) / 20
