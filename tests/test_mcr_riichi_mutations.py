"""Would the tables of MCR and riichi notice? Each value and term is changed in turn, and an answer must fail."""

from __future__ import annotations

import re
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

NEVER_DECIDES: Final[dict[str, set[tuple[str, str]]]] = {
    "mcr": {
        ("da_si_xi", "san_feng_ke"),
        ("da_si_xi", "yao_jiu_ke"),
        ("da_san_yuan", "shuang_jian_ke"),
        ("jiu_lian", "3 tile 1 a"),
        ("jiu_lian", "3 tile 9 a"),
        ("shi_ba_luo_han", "san_gang"),
        ("lian_qi_dui", "dan_diao"),
        ("lian_qi_dui", "concealment"),
        ("xiao_si_xi", "yao_jiu_ke"),
        ("xiao_san_yuan", "san_yuan_pai"),
        ("yi_se_shuang_long_hui", "pair 5 a"),
        ("qi_xing", "wu_men_qi"),
        ("qi_xing", "concealment"),
        ("quan_shuang_ke", "wu_zi"),
        ("quan_da", "wu_zi"),
        ("quan_zhong", "wu_zi"),
        ("quan_xiao", "wu_zi"),
        ("san_se_shuang_long_hui", "wu_zi"),
        ("quan_dai_wu", "wu_zi"),
        ("chows", "san_se_san_bu_gao"),
        ("pungs", "san_se_san_jie_gao"),
    },
    "riichi": {
        ("junchan", "chows > 0"),
        ("hun_yao_jiu", "honors"),
        ("hun_yao_jiu", "has(terminals)"),
    },
}
"""What the rules list, although the two never match together or another takes the second away as well; terms that could
be less while other terms of the pattern hold; and patterns combined once that leave nothing to combine twice. They are
kept for whoever changes one of them."""


def texts(name: str) -> Iterator[tuple[str, str]]:
    """Yield each change of a ruleset: what it is, and the text of the file with it."""
    path = ruleset_path(name)
    file, _ = read_ruleset(path)
    source = path.read_text(encoding="utf-8").splitlines(keepends=True)
    spared = {
        text.place
        for pattern in file.patterns
        for text in (*pattern.contains, *pattern.excludes, *pattern.sets)
        if (pattern.id.text, text.text) in NEVER_DECIDES[name]
    }
    terms_spared = {
        (pattern.when.place, pattern.when.text.index(part), part)
        for pattern in file.patterns
        for name_of, part in NEVER_DECIDES[name]
        if pattern.id.text == name_of and pattern.when is not None and part in pattern.when.text
    }
    shapes = {term.place for pattern in file.patterns for term in pattern.sets}
    for change in (*changes(file), *more_changes(file)):
        text, start, end, by = change
        if any(text.place == place and at <= start and end <= at + len(part) for place, at, part in terms_spared):
            continue
        if text.place not in spared and (text.place not in shapes or "tile" in text.text):
            label = f"{text.place.line}: {text.text[:start]}[{text.text[start:end]} -> {by}]{text.text[end:]}"
            yield label, changed(source, change)
    for list_name, members in (*file.families.items(), *file.combine_once.items()):
        for member in members:
            if (list_name, member.text) not in NEVER_DECIDES[name]:
                yield f"{member.place.line}: without {member.text}", without(source, member)


def more_changes(file: RulesetFile) -> Iterator[Change]:
    """Yield what ``changes`` leaves out: terms of sets moved by a rank, or a set less, and conditions of other keys."""
    conditions = [file.prefer]
    for pattern in file.patterns:
        assert pattern.fan is not None
        conditions += [pattern.fan] if not pattern.fan.text.isdigit() else []
        for term in (*pattern.sets, *(term for alternative in pattern.any for term in alternative)):
            number = re.search(r"^2 |^\d|(?<=n\+)\d|(?<= )\d(?= )", term.text)
            if number is None:
                yield term, term.text.index(" n") + 2, term.text.index(" n") + 2, "+1"
            elif number.start() == 0:
                yield term, 0, number.end(), {"2 ": "", "3": "2", "4": "3"}[number[0]]
            else:
                yield term, number.start(), number.end(), str(int(number[0]) + 1)
    for rule in file.pay:
        conditions += [rule.dealer, rule.liable]
    for when in (each.when for rules in (file.titles, file.refuses) for each in rules):
        assert when is not None
        yield whole(when, "false")
        conditions.append(when)
    for condition in conditions:
        if condition is not None:
            yield from terms(condition)


def without(source: list[str], member: Text) -> str:
    """Return a file without one member of a list, which stands on a line of its own or among others."""
    line = source[member.place.line - 1]
    shorter = re.sub(rf"(, {member.text}\b|\b{member.text}, )", "", line, count=1)
    return "".join((*source[: member.place.line - 1], shorter if shorter != line else "", *source[member.place.line :]))


def first_failure(path: Path, rows: list[Row], cases: list[dict[str, Any]]) -> str:
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


def known_answers(name: str) -> tuple[list[Row], list[dict[str, Any]]]:
    """Return the rows of a ruleset, and its cases, of which those with the same options follow each other."""
    rows = list(read_rows(CASES / f"{name}.jsonl.gz"))
    rows += list(read_rows(CASES / "mcr_asserted.jsonl.gz")) if name == "mcr" else []
    return rows, sorted(cases_of(name), key=lambda case: str(case.get("options", "")))


@pytest.mark.long
@pytest.mark.parametrize("name", NEVER_DECIDES)
def test_every_change_fails_some_case(name: str, tmp_path: Path) -> None:
    answered = known_answers(name)
    assert first_failure(ruleset_path(name), *answered) == ""
    path = tmp_path / f"{name}.yaml"
    unnoticed, faults, tried = [], 0, set()
    for label, text in texts(name):
        if text in tried:
            continue
        tried.add(text)
        path.write_text(text, encoding="utf-8")
        failure = first_failure(path, *answered)
        faults += failure.startswith("fault")
        unnoticed += [] if failure else [label]
    print(f"{len(tried)} changes, {faults} of them faults of the file")
    assert not unnoticed, "\n".join(unnoticed)
    assert faults < len(tried) / 20
