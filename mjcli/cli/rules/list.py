"""``mjcli rules list``: the rulesets that come with mjcli."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mjcli.cli.command import Command
from mjcli.cli.output import aligned
from mjcli.cli.request import language_option
from mjcli.cli.rules.common import write_json, write_lines, writing
from mjcli.ruleset import load_ruleset, ruleset_names

if TYPE_CHECKING:
    from mjcli.cli.messages import Messages

__all__ = ["command"]


def run(told: Messages, *, json: bool, output: str | None, lang: str) -> int:
    """Write one line, or one object, for each ruleset."""
    del told
    found: list[dict[str, Any]] = []
    for name in ruleset_names():
        ruleset = load_ruleset(name)
        found.append(
            {
                "id": ruleset.id,
                "version": ruleset.version,
                "name": ruleset.names.get(lang, ruleset.id),
                "tiles": ruleset.tiles.size,
                "patterns": len(ruleset.patterns),
                "options": list(ruleset.options),
            }
        )
    if json:
        write_json(output, found)
    else:
        write_lines(output, aligned([(each["id"], each["name"]) for each in found]))
    return 0


command = Command(
    "list",
    summary="List the rulesets that come with mjcli.",
    examples=(("mjcli rules list", "ids and names"), ("mjcli rules list --json", "for programs")),
    params=[language_option(), *writing()],
    run=run,
)
