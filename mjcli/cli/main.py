"""The command ``mjcli``: a group that imports and builds only the command that is called."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from io import TextIOWrapper
from typing import Annotated, Any, Final

import typer

from mjcli import __version__
from mjcli.cli.command import HELP_NAMES, drop_output
from mjcli.cli.group import LazyGroup
from mjcli.cli.messages import Messages, usage_text

__all__ = ["COMMANDS", "app"]

COMMANDS: Final[Mapping[str, str]] = {
    "score": "Value each won hand under a ruleset.",
    "shanten": "Print how many tiles each hand is from ready.",
    "waits": "List the tiles that complete each ready hand.",
    "discards": "Rank the discards of each hand by what they leave to draw.",
    "deal": "Build, break and deal the wall of a ruleset.",
    "simulate": "Play many deals or games, and say how often and how much; or tell the odds of a hand.",
    "check": "Check cases: hands with what is expected of their answers.",
    "convert": "Write each hand in another notation.",
    "rules": "Rulesets as data: list, show, check, test and compare them; the words of their language.",
}
"""What ``mjcli -h`` says of each command, so that it need not import them; each command says the same of itself."""

EXAMPLES: Final = (
    ("mjcli score 333p555s77m44s,111z+7m", "what it is worth, and who pays"),
    ("mjcli shanten 123m456p77z", "how far from ready"),
    ("mjcli waits 123m23444678p55s", "what completes it, and how many are left"),
    ("mjcli discards 123m456p1223s7z", "what to throw"),
)


class MainGroup(LazyGroup):
    """The group of all commands."""

    package = "mjcli.cli"
    summaries = COMMANDS
    examples = EXAMPLES

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run the command line ``args`` and exit with its code; usage errors are told as the project's own.

        What standard output cannot print, in a help page, is escaped there too.
        """
        del standalone_mode
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")
        try:
            code = super().main(args, prog_name, complete_var, False, windows_expand_args, **extra)
        except typer.TyperException as error:
            Messages().error_text(usage_text(error))
            code = error.exit_code
        except OSError as error:  # from writing help, or the version
            Messages().error_text(f"cannot write standard output: {error.strerror or error}")
            drop_output()
            code = 2
        sys.exit(code)


app = typer.Typer(
    name="mjcli",
    cls=MainGroup,
    context_settings={"help_option_names": HELP_NAMES},
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"mjcli {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _group(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Score, measure and explain mahjong hands, under rulesets that are data."""
    del version
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), err=True)
        raise typer.Exit(2)
