"""What the commands about rulesets share: their arguments and how they write."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from typer.core import TyperArgument, TyperOption

from mjcli.cli.command import choice, flag, option
from mjcli.cli.output import Sink
from mjcli.cli.request import LANGUAGES

__all__ = ["aligned", "language", "names_argument", "settings_option", "write_json", "write_lines", "writing"]


def names_argument(*, about: str) -> TyperArgument:
    """Return the argument that names one or more rulesets."""
    return TyperArgument(param_decls=["names"], nargs=-1, required=True, metavar="NAME|PATH...", help=about)


def settings_option() -> TyperOption:
    """Return ``--set``."""
    return option(
        "settings", "--set", metavar="KEY=VALUE", about="Set an option of the ruleset.", group="Rules", multiple=True
    )


def language() -> TyperOption:
    """Return ``--lang``."""
    return choice("--lang", values=LANGUAGES, default="en", about="The language of names.", group="Output")


def writing() -> tuple[TyperOption, ...]:
    """Return the options of the output."""
    return (
        flag("--json", about="Write one JSON object, or a list of them.", group="Output"),
        option("--output", "-o", metavar="FILE", about="Write a file, whole or not at all.", group="Output"),
    )


def write_lines(output: str | None, lines: Iterable[str]) -> None:
    """Write lines of text to a file, or to standard output."""
    sink = Sink(output)
    try:
        for line in lines:
            sink.write(f"{line}\n")
    except BaseException:
        sink.close(whole=False)
        raise
    sink.close(whole=True)


def write_json(output: str | None, value: Any) -> None:
    """Write a value as JSON to a file, or to standard output."""
    import json

    write_lines(output, [json.dumps(value, ensure_ascii=False, indent=2)])


def aligned(rows: Sequence[Sequence[str]], margin: str = "") -> list[str]:
    """Return rows as lines, their columns aligned by how wide a terminal shows them.

    >>> aligned([("番", "1"), ("x", "2")])
    ['番  1', 'x   2']
    """
    from tabulate import tabulate

    table = tabulate(rows, tablefmt="plain", disable_numparse=True)
    return [f"{margin}{line.rstrip()}" for line in table.splitlines()]
