"""What the commands about rulesets share: their arguments and how they write."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from typer.core import TyperArgument, TyperOption

from mjcli.cli.command import flag
from mjcli.cli.output import output_option
from mjcli.cli.sink import Sink

__all__ = ["names_argument", "write_json", "write_lines", "writing"]


def names_argument(*, about: str) -> TyperArgument:
    """Return the argument that names one or more rulesets."""
    return TyperArgument(param_decls=["names"], nargs=-1, required=True, metavar="NAME|PATH...", help=about)


def writing() -> tuple[TyperOption, ...]:
    """Return the options of the output."""
    return (
        flag("--json", about="Write one JSON object, or a list of them.", group="Output"),
        output_option(),
    )


def write_lines(output: str | None, lines: Iterable[str]) -> None:
    """Write lines of text to a file, or to standard output."""
    with Sink(output) as sink:
        for line in lines:
            sink.write(f"{line}\n")


def write_json(output: str | None, value: Any) -> None:
    """Write a value as JSON to a file, or to standard output."""
    import json

    write_lines(output, [json.dumps(value, ensure_ascii=False, indent=2)])
