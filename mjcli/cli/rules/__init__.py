"""``mjcli rules``: the rulesets as data."""

from __future__ import annotations

from typing import Final

from mjcli.cli.command import HELP_NAMES
from mjcli.cli.group import LazyGroup

__all__ = ["command"]

COMMANDS: Final = {
    "list": "List the rulesets that come with mjcli.",
    "show": "Print what a ruleset says.",
    "check": "Report every fault of rulesets, each with its place.",
    "test": "Run the examples of every pattern.",
    "diff": "Say what differs between two rulesets, and on which hands.",
    "new": "Write a ruleset file of one's own to start from.",
    "schema": "Print the JSON Schema of ruleset files, for editors.",
    "words": "List the words of conditions and of context, and the keys that say how a deal is played.",
}


class RulesGroup(LazyGroup):
    """The group of the commands about rulesets."""

    package = "mjcli.cli.rules"
    summaries = COMMANDS
    examples = (
        ("mjcli rules list", "which there are"),
        ("mjcli rules show jipinghu", "what one says"),
        ("mjcli rules check my-club.yaml", "every fault, with line and column"),
    )


command = RulesGroup(
    name="rules",
    help="Rulesets as data: list, show, check, test and compare them; the words of their language.",
    context_settings={"help_option_names": HELP_NAMES},
    rich_markup_mode=None,
    no_args_is_help=False,
)
