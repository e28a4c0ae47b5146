"""``mjcli rules test``: the examples of every pattern."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mjcli.cli.command import Command
from mjcli.cli.request import in_language, language_option
from mjcli.cli.rules.common import names_argument, write_json, write_lines, writing
from mjcli.examples import ExampleResult, run_examples

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mjcli.cli.messages import Messages

__all__ = ["command"]


def run(told: Messages, *, names: Sequence[str], lang: str, json: bool, output: str | None) -> int:
    """Write the examples that fail, or with JSON every one; the exit code is 1 if one fails."""
    results = [result for name in names for result in run_examples(name)]
    failed = [result for result in results if not result.passed]
    if json:
        found = [
            {
                "pattern": each.pattern,
                "name": each.names.get(lang) or each.names["en"] or each.pattern,
                "hand": each.line,
                "expected": each.expected,
                "stands": each.stands,
                "passed": each.passed,
                "place": str(each.place),
                "options": dict(each.options),
                **({"error": each.error} if each.error else {}),
            }
            for each in results
        ]
        write_json(output, found)
    else:
        passed = len(results) - len(failed)
        summary = in_language(
            lang,
            f"{passed} passed, {len(failed)} failed",
            f"通過 {passed}，不符 {len(failed)}",
            f"通过 {passed}，不符 {len(failed)}",
        )
        write_lines(output, [*(_shown(each, lang) for each in failed), summary])
    if not results:
        told.note("there are no examples")
    return 1 if failed else 0


def _shown(result: ExampleResult, lang: str) -> str:
    """Return what went wrong, with the name of the pattern where another language than English is asked for."""
    name = result.names.get(lang, "") if lang != "en" else ""
    return f"{result} ({name})" if name else str(result)


command = Command(
    "test",
    summary="Run the examples of every pattern.",
    details="Each hand under 'match' must have its pattern, each under 'no_match' must not. A pattern that an option "
    "keeps out of play is tried under a value that puts it in play.",
    examples=(("mjcli rules test jipinghu", "one that comes with mjcli"), ("mjcli rules test my.yaml", "one's own")),
    params=[names_argument(about="Rulesets by id or by path."), language_option(), *writing()],
    run=run,
)
