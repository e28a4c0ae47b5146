"""A group of commands that imports and builds only the command that is called."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, ClassVar

from typer.core import TyperGroup

from mjcli.cli.command import Examples, closest, write_examples

__all__ = ["LazyGroup"]


class LazyGroup(TyperGroup):
    """The base of the groups; the module of a command's name holds it as ``command``."""

    package: ClassVar[str]
    """The package of the modules."""
    summaries: ClassVar[Mapping[str, str]]
    """What the help says of each command, so that it need not import them; each command says the same of itself."""
    examples: ClassVar[Examples]

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the commands, in the order of the help."""
        del ctx
        return list(self.summaries)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command of that name, importing its module; None if there is none."""
        del ctx
        if cmd_name not in self.summaries:
            return None
        return import_module(f"{self.package}.{cmd_name}").command

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return name, command and its arguments; a name that is no command is a usage error with a suggestion."""
        if args[0] not in self.summaries:
            ctx.fail(f"no command {args[0]!r}{closest(args[0], self.summaries)}")
        return super().resolve_command(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help, examples first."""
        write_examples(formatter, self.examples)
        super().format_help(ctx, formatter)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands without importing them."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(self.summaries.items()))
