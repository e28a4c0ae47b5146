"""What every command has: its options, its help with the examples first, and how its errors end it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import typer
from typer.core import TyperCommand, TyperOption

from mjcli.cli.messages import Messages
from mjcli.errors import most_like

__all__ = [
    "HELP_NAMES",
    "Command",
    "Examples",
    "choice",
    "closest",
    "drop_output",
    "flag",
    "option",
    "seed_option",
    "whole_number",
    "write_examples",
]

HELP_NAMES: Final = ["-h", "--help"]

Examples = Sequence[tuple[str, str]]
"""Command lines, and what each is for."""


class Command(TyperCommand):
    """One command; ``run`` gets its messages and the values of its options, and returns the exit code."""

    def __init__(
        self,
        name: str,
        *,
        summary: str,
        details: str = "",
        examples: Examples,
        params: Iterable[Any],
        run: Callable[..., int],
    ) -> None:
        """
        Args:
            name: the word on the command line.
            summary: one sentence; ``mjcli -h`` says the same.
            details: further paragraphs of the help.
            examples: command lines that run as they stand.
            params: arguments and options; those of every command are added.
            run: does it, and returns the exit code.
        """
        super().__init__(
            name,
            help=f"{summary}\n\n{details}" if details else summary,
            short_help=summary,
            params=[*params, *_every_command()],
            rich_markup_mode=None,
            context_settings={"help_option_names": HELP_NAMES},
        )
        self.examples, self.run = examples, run

    def invoke(self, ctx: Any) -> int:
        """Run the command and return the exit code; an error ends it with a message and code 2."""
        values: dict[str, Any] = dict(ctx.params)
        told = Messages(color=values.pop("color"), quiet=values.pop("quiet"), debug=values.pop("debug"))
        try:
            code = self.run(told, **values)
            if sys.stdout is not None:
                sys.stdout.flush()
        except BrokenPipeError:
            drop_output()
            return 0
        except typer.TyperException:
            raise
        except Exception as error:
            told.error(error)
            if isinstance(error, OSError):
                drop_output()
            return 2
        return code

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help, examples first."""
        write_examples(formatter, self.examples)
        super().format_help(ctx, formatter)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options under the headings of their groups, in the order in which the groups appear."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None:
                groups.setdefault(getattr(param, "rich_help_panel", None) or "Other", []).append(record)
        for heading, records in groups.items():
            with formatter.section(heading):
                formatter.write_dl(records)


def drop_output() -> None:
    """Send what is still buffered for standard output nowhere: its pipe is closed, or its disk full."""
    if sys.stdout is not None:
        with suppress(OSError), Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), sys.stdout.fileno())


def _every_command() -> tuple[TyperOption, ...]:
    return (
        choice(
            "--color",
            values=("auto", "always", "never"),
            default="auto",
            about="Colour messages: auto is on a terminal, unless NO_COLOR is set.",
            group="Other",
        ),
        flag("--quiet", "-q", about="Leave out notes and progress on standard error.", group="Other"),
        flag("--debug", about="Show where in the program an error arose.", group="Other"),
    )


def write_examples(formatter: Any, examples: Examples) -> None:
    """Write ``examples`` as the first section of a help page."""
    width = max(len(line) for line, _ in examples)
    with formatter.section("Examples"):
        for line, what in examples:
            formatter.write(f"  {line:<{width}}  {what}\n")
    formatter.write_paragraph()


def option(*names: str, about: str, group: str, metavar: str, **more: Any) -> TyperOption:
    """Return an option that takes a value; ``more`` is passed on to typer."""
    return TyperOption(param_decls=list(names), help=about, rich_help_panel=group, metavar=metavar, **more)


def flag(*names: str, about: str, group: str) -> TyperOption:
    """Return an option without a value: False unless it is given."""
    return TyperOption(param_decls=list(names), help=about, rich_help_panel=group, is_flag=True, default=False)


def seed_option() -> TyperOption:
    """Return ``--seed``, which ``mjcli.chance.parse_seed`` reads."""
    about = "Where chance starts, 0 to 2^64-1; one is drawn and printed."
    return option("--seed", metavar="N", about=about, group="Chance")


DIGITS: Final = 20
"""Whole numbers have fewer."""


def whole_number(least: int) -> Callable[[str], int]:
    """Return the type of an option whose value is a whole number that is not below ``least``."""

    def value(text: str) -> int:
        if not (text.isascii() and text.isdigit()) or (len(text) < DIGITS and int(text) < least):
            raise typer.BadParameter(f"{text!r} is not a whole number of at least {least}")
        if len(text) >= DIGITS:
            raise typer.BadParameter(f"{text!r} is too great: whole numbers have fewer than {DIGITS} digits here")
        return int(text)

    return value


def choice(*names: str, values: Sequence[str], about: str, group: str, default: str | None = None) -> TyperOption:
    """Return an option whose value is one of ``values``; another is refused with a suggestion."""

    def value(text: str) -> str:
        if text not in values:
            raise typer.BadParameter(f"{text!r} is none of {', '.join(values)}{closest(text, values)}")
        return text

    return option(
        *names,
        about=about,
        group=group,
        metavar="|".join(values),
        type=value,
        default=default,
        show_default=default is not None,
        autocompletion=lambda _context, _arguments, _begun: list(values),
    )


def closest(word: str, words: Iterable[str]) -> str:
    """Return a hint such as ``; did you mean 'shanten'?``, or nothing if none of ``words`` is near.

    >>> closest("shantn", ["shanten", "waits"])
    "; did you mean 'shanten'?"
    """
    meant = most_like(word, words)
    return f"; did you mean {meant!r}?" if meant else ""
