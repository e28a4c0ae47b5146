"""MCR, and a draft of riichi as a test of the language: they load, and score real hands as other programs do."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scored_rows import NAMES, differences, read_rows, ruleset_of

CASES = Path(__file__).parent / "cases"
BY_RULES = pytest.mark.parametrize("rules", ["mcr", "riichi"])


@BY_RULES
def test_every_answer_of_real_hands(rules: str) -> None:
    rows = list(read_rows(CASES / f"{rules}.jsonl.gz"))
    assert len(rows) == 400
    found = {row["id"]: differences(row) for row in rows}
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


@BY_RULES
def test_names_of_other_programs_are_patterns(rules: str) -> None:
    known = {each.id for each in ruleset_of(rules).patterns}
    assert set(NAMES[rules].values()) <= known


def test_a_wrong_answer_is_found() -> None:
    mcr = next(read_rows(CASES / "mcr.jsonl.gz"))
    assert differences({**mcr, "fan": mcr["fan"] + 1})
    assert differences({**mcr, "patterns": {**mcr["patterns"], "wu_zi": 1}})
    riichi = next(read_rows(CASES / "riichi.jsonl.gz"))
    for key in ("fan", "fu", "points"):
        assert differences({**riichi, key: riichi[key] + 1})
    assert differences({**riichi, "payments": {**riichi["payments"], "E": 0}})
