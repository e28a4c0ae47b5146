"""``mjcli rules check``: every fault of ruleset files."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from mjcli.cli.command import Command
from mjcli.cli.request import in_language, language_option
from mjcli.cli.rules.common import names_argument, write_json, write_lines, writing
from mjcli.ruleset.advice import check_file
from mjcli.ruleset.paths import ruleset_path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mjcli.cli.messages import Messages

__all__ = ["command"]


def run(told: Messages, *, names: Sequence[str], lang: str, json: bool, output: str | None) -> int:
    """Write every fault; the exit code is 2 if a ruleset cannot be used, 1 if there is advice only."""
    word = partial(in_language, lang)
    faults = [fault for name in names for fault in check_file(ruleset_path(name))]
    if json:
        write_json(output, [fault._asdict() for fault in faults])
    else:
        advice = word("advice", "建議", "建议")
        write_lines(output, [str(fault) if fault.fatal else f"{fault} [{advice}]" for fault in faults])
    fatal = sum(fault.fatal for fault in faults)
    checked, rest = ", ".join(names), len(faults) - fatal
    told.note(
        word(
            f"checked {checked}: faults {fatal}, advice {rest}",
            f"已檢查 {checked}：錯誤 {fatal}，建議 {rest}",
            f"已检查 {checked}：错误 {fatal}，建议 {rest}",
        )
    )
    return 2 if fatal else 1 if faults else 0


command = Command(
    "check",
    summary="Report every fault of rulesets, each with its place.",
    details="Each line is FILE:LINE:COLUMN, what is wrong and what would be right. The file is compiled under its "
    "defaults and under each value of each option. Advice, such as a pattern without examples, does not keep a ruleset "
    "from being used: with advice only the exit code is 1, with faults 2. What is wrong is said in English; "
    "--lang is of the rest.",
    examples=(("mjcli rules check jipinghu", "one that comes with mjcli"), ("mjcli rules check my.yaml", "one's own")),
    params=[names_argument(about="Rulesets by id or by path."), language_option(), *writing()],
    run=run,
)
