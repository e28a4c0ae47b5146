"""Faults of ruleset files: all at once, each with its place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mjcli.errors import Fault, RulesetError
from mjcli.ruleset import load_ruleset, ruleset_names
from mjcli.ruleset.advice import check_file
from mjcli.ruleset.source import Text, read_bytes, read_tree
from tests.cases import by_case, table

CASES: dict[str, Any] = table("ruleset_faults")
HEAD: str = CASES["head"]


def shown(fault: Fault, *, with_file: bool = False) -> str:
    file = f"{Path(fault.file).name} " if with_file else ""
    message = fault.message.replace(", ".join(ruleset_names()), "RULESETS")
    return f"{file}{fault.line}:{fault.column} {fault.path or '-'} {message}"


def text_of(case: dict[str, Any]) -> str:
    return str(case["text"]) if "text" in case else HEAD + str(case["tail"])


@by_case(CASES["cases"])
def test_every_fault_of_a_file_is_found_at_its_place(case: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "small.yaml"
    path.write_text(text_of(case), encoding="utf-8", newline="")
    found = check_file(path)
    assert [shown(fault) for fault in found if fault.fatal] == case["faults"]
    if "advice" in case:
        assert [shown(fault) for fault in found if not fault.fatal] == case["advice"]


@by_case(CASES["cases"])
def test_loading_finds_no_other_faults_than_checking(case: dict[str, Any], tmp_path: Path) -> None:
    """Loading compiles under one choice of options, so it may find fewer."""
    path = tmp_path / "small.yaml"
    path.write_text(text_of(case), encoding="utf-8", newline="")
    try:
        load_ruleset(str(path), cache=False)
    except RulesetError as error:
        found = [shown(fault) for fault in error.faults]
        assert found == [fault for fault in case["faults"] if fault in found]
    else:
        behind_options = ("faults-behind-options", "liability-conflict-by-an-option", "jokers-by-an-option")
        assert case["id"] in behind_options or not case["faults"]


@by_case(CASES["layers"])
def test_a_fault_names_the_layer_that_it_is_in(case: dict[str, Any], tmp_path: Path) -> None:
    for name, text in case["files"].items():
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    found = check_file(tmp_path / f"{next(iter(case['files']))}.yaml")
    assert [shown(fault, with_file=True) for fault in found if fault.fatal] == case["faults"]


BROKEN_BYTES = [
    pytest.param(b"id: a\nn\xffmes: x\n", "2:2 - not UTF-8", id="not-utf-8"),
    pytest.param("id: \u4e00\u842c".encode() + b"\xe8", "1:7 - not UTF-8", id="cut-in-a-character"),
    pytest.param("\ufeffid: ".encode() + b"\xff", "1:5 - not UTF-8", id="not-utf-8-after-a-bom"),
    pytest.param(b"id: a\nb: \x00\n", "2:4 - not YAML: the character '\\x00' is not allowed", id="nul"),
    pytest.param("id: 萬\x07\n".encode(), "1:6 - not YAML: the character '\\x07' is not allowed", id="bell"),
    pytest.param("id: a".encode("utf-16"), "1:1 - not UTF-8", id="utf-16"),
]


@pytest.mark.parametrize(("content", "fault"), BROKEN_BYTES)
def test_bytes_that_are_no_text_are_refused(content: bytes, fault: str, tmp_path: Path) -> None:
    path = tmp_path / "small.yaml"
    path.write_bytes(content)
    assert [shown(each) for each in check_file(path)] == [fault]


def test_a_file_may_begin_with_a_bom_and_end_its_lines_as_windows_does(tmp_path: Path) -> None:
    path = tmp_path / "small.yaml"
    text = HEAD + "patterns:\n- id: a\n  fan: 1\n  when: >-\n    honors\n    and chwos\n"
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert [shown(each)[:24] for each in check_file(path) if each.fatal] == ["12:9 patterns.a.when no "]


def test_a_file_of_more_than_a_million_bytes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "small.yaml"
    path.write_text("# " + "x" * 1_000_000)
    assert [shown(each) for each in check_file(path)] == ["1:1 - a ruleset has at most 1000000 bytes"]


def test_aliases_cannot_blow_up() -> None:
    levels = [f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 10)}]" for level in range(1, 30)]
    with pytest.raises(RulesetError) as caught:
        read_tree("a0: &a0 [x]\n" + "\n".join(levels), "laughs.yaml")
    assert len(caught.value.faults) == 30 + 29 * 10


def test_faults_print_as_compilers_print_them(tmp_path: Path) -> None:
    path = tmp_path / "small.yaml"
    path.write_text(HEAD + "patterns:\n- {id: a, fan: 1, when: chwos}\n")
    with pytest.raises(RulesetError) as caught:
        load_ruleset(str(path), cache=False)
    assert str(caught.value) == (
        f"{path}:8:25: no word 'chwos' (did you mean 'chows'?); 'mjcli rules words' lists them (at patterns.a.when)"
    )
    assert caught.value.code == "bad-ruleset"


def test_every_scalar_is_the_text_that_was_written() -> None:
    tree = read_tree("a: no\nb: 012\nc: 1:30\nd: 1e3\ne: ~\nf: 2001-01-01\ng: 'x ''y'' z'\nh: 0x10\n", "traps.yaml")
    texts = [node.text for node in tree.values.values() if isinstance(node, Text)]
    assert texts == ["no", "012", "1:30", "1e3", "~", "2001-01-01", "x 'y' z", "0x10"]


def test_no_fault_of_a_part_is_lost_where_a_file_has_many(tmp_path: Path) -> None:
    """Forty patterns, each with its own mistake, are forty faults."""
    path = tmp_path / "small.yaml"
    patterns = [f"- {{id: p{place}, fan: 1, when: word_{place}}}" for place in range(40)]
    path.write_text(HEAD + "patterns:\n" + "\n".join(patterns) + "\n")
    assert [fault.line for fault in check_file(path) if fault.fatal] == list(range(8, 48))


def test_the_name_of_a_file_is_as_it_was_given() -> None:
    with pytest.raises(RulesetError) as caught:
        read_bytes(b"[", "given.yaml")
    assert {fault.file for fault in caught.value.faults} == {"given.yaml"}
