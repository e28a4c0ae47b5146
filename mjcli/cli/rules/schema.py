"""``mjcli rules schema``: the JSON Schema of ruleset files, for editors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mjcli.cli.command import Command
from mjcli.cli.output import output_option
from mjcli.cli.rules.common import write_json
from mjcli.ruleset.schema import json_schema

if TYPE_CHECKING:
    from mjcli.cli.messages import Messages

__all__ = ["command"]


def run(told: Messages, *, output: str | None) -> int:
    """Write the schema."""
    del told
    write_json(output, json_schema())
    return 0


command = Command(
    "schema",
    summary="Print the JSON Schema of ruleset files, for editors.",
    details="Editors that know it complete the keys of a ruleset and mark what is wrong with its form while it is "
    "written. Those with the YAML language server take it from a comment on the first line of the file: "
    "'# yaml-language-server: $schema=ruleset.schema.json'. What a condition means only 'mjcli rules check' knows.",
    examples=(("mjcli rules schema -o ruleset.schema.json", "beside one's own rulesets"),),
    params=[output_option()],
    run=run,
)
