"""Would the tables of the Guangdong layers notice? Each value and term is changed in turn, and a case must fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from mjcli.errors import InputError, RulesetError
from mjcli.examples import run_examples
from mjcli.notation import parse_line
from mjcli.ruleset import load_ruleset
from mjcli.ruleset.layers import read_ruleset
from mjcli.ruleset.paths import ruleset_path
from mjcli.scoring import Score, score
from tests.false_wins import wrong_false_wins
from tests.plain_games import OF_THE_TABLE
from tests.plain_guangdong import LAYERS
from tests.test_flower_mutations import changed, changes
from tests.test_guangdong import CASES, by_option, patterns

NEVER_DECIDES: Final = {
    ("da_san_yuan", "xiao_san_yuan"),
    ("da_si_xi", "xiao_si_xi"),
    ("da_si_xi", "san_shu"),
    ("qing_yi_se", "hun_yi_se"),
    ("zi_yi_se", "hun_dai_yao"),
    ("zi_yi_se", "hun_yi_se"),
    ("zi_yi_se", "qing_yi_se"),
    ("zi_yi_se", "san_shu"),
    ("hun_yao_jiu", "hun_dai_yao"),
    ("hun_yao_jiu", "qing_dai_yao"),
    ("qing_yao_jiu", "qing_dai_yao"),
    ("jiu_lian", "lao_shao"),
    ("bu_qiu_ren", "men_qian_qing"),
    ("qing_dai_yao", "hun_dai_yao"),
    ("yi_tiao_long", "hua_long"),
    ("da_qi_dui", "xiao_qi_dui"),
    ("san_ban_gao", "da_qi_dui"),
    ("hua_long", "hun_long"),
    ("shuang_long_hui", "lao_shao"),
    ("zi_qiang_gang", "qiang_gang"),
    ("shi_ba_luo_han", "liang_gang"),
    ("shi_san_bu_da", "pian_kan_du"),
}
"""What the rules list, although the two never match together or another takes the second away as well; it is kept for
whoever changes one of them."""

NEVER_COUNTED: Final = "hun_lao_tou"
"""Always contained in another, so that its value shows nowhere."""


def value(found: Score) -> int | None:
    return found.fan if found.complete else None


def failures(folder: Path) -> Iterator[str]:
    """Yield the examples and cases that fail under the layers of a folder."""
    rulesets: dict[str, Any] = {}

    def scored(line: str, layer: str = LAYERS[3], **options: Any) -> Score:
        said = {name: str(each).lower() if isinstance(each, bool) else str(each) for name, each in options.items()}
        key = f"{layer} {sorted(said.items())}"
        if key not in rulesets:
            rulesets[key] = load_ruleset(str(folder / f"{layer}.yaml"), said, cache=False)
        return score(parse_line(line, extra=rulesets[key].extra_words, tiles=rulesets[key].tiles), rulesets[key])

    def without_flowers(case: dict[str, Any]) -> Score:
        return scored(case["line"], flowers=False, **by_option(case))

    tables: dict[str, Callable[[dict[str, Any]], bool]] = {
        "worked": lambda case: patterns(without_flowers(case)) == case["patterns"],
        "readings": lambda case: without_flowers(case).fan == case["fan"],
        "payments": lambda case: without_flowers(case).payments == case["payments"],
        "flowers": lambda case: _flowers(case, scored),
        "extras": lambda case: _extra(case, scored(case["line"], flowers=False, igs_extra=True)),
        "options": lambda case: _option(case, scored(case["line"], flowers=False), without_flowers(case)),
        "layers": lambda case: [value(scored(case["line"], each, flowers=False)) for each in LAYERS] == case["fan"],
    }
    yield from (str(each) for each in run_examples(folder / f"{LAYERS[3]}.yaml") if not each.passed)
    for name, holds in tables.items():
        yield from (case["id"] for case in CASES[name] if not holds(case))
    for layer in LAYERS:
        yield from wrong_false_wins(layer, str(folder / f"{layer}.yaml"))


def _flowers(case: dict[str, Any], scored: Callable[..., Score]) -> bool:
    try:
        found = scored(case["line"], **by_option(case))
    except InputError as error:
        return error.code == case.get("error")
    return patterns(found) == case.get("patterns") and found.complete is bool(case["patterns"])


def _extra(case: dict[str, Any], found: Score) -> bool:
    excluded = {each.pattern.id for each in found.excluded}
    return patterns(found) == case["patterns"] and excluded == set(case.get("excluded", excluded))


def _option(case: dict[str, Any], before: Score, found: Score) -> bool:
    points = case.get("points", case["fan"] + 1)
    after = (found.fan, found.can_win, found.points)
    return value(before) == case["default"] and after == (case["fan"], case.get("can_win", True), points)


def first_failure(folder: Path) -> str:
    """Return the first example or case that fails, or the fault of the files; nothing if all is well."""
    try:
        return next(failures(folder), "")
    except RulesetError as error:
        return f"fault {error}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a copy of every layer."""
    for layer in LAYERS:
        (tmp_path / f"{layer}.yaml").write_bytes(ruleset_path(layer).read_bytes())
    return tmp_path


@pytest.mark.long
def test_the_files_as_they_are_pass(folder: Path) -> None:
    assert first_failure(folder) == ""


@pytest.mark.long
def test_every_change_fails_some_case(folder: Path) -> None:
    file, _ = read_ruleset(folder / f"{LAYERS[3]}.yaml")
    sources = {str(path): path.read_text(encoding="utf-8").splitlines(keepends=True) for path in folder.glob("*.yaml")}
    spared = {
        reference.place
        for pattern in file.patterns
        for reference in (*pattern.contains, *pattern.excludes)
        if (pattern.id.text, reference.text) in NEVER_DECIDES
    }
    spared |= {pattern.fan.place for pattern in file.patterns if pattern.fan and pattern.id.text == NEVER_COUNTED}
    spared |= {option.default.place for name, option in file.options.items() if name in OF_THE_TABLE}
    unnoticed, faults, tried = [], 0, set()
    for change in changes(file):
        scalar, start, end, by = change
        path = scalar.place.file
        text = changed(sources[path], change)
        if (path, text) in tried or scalar.place in spared:
            continue
        tried.add((path, text))
        Path(path).write_text(text, encoding="utf-8")
        failure = first_failure(folder)
        Path(path).write_text("".join(sources[path]), encoding="utf-8")
        faults += failure.startswith("fault")
        if not failure:
            shown = f"{scalar.text[:start]}[{scalar.text[start:end]} -> {by}]{scalar.text[end:]}"
            unnoticed.append(f"{Path(path).name}:{scalar.place.line}: {shown}")
    print(f"{len(tried)} changes, {faults} of them faults of the files")
    assert not unnoticed, "\n".join(unnoticed)
    assert faults < len(tried) / 20
