"""What the command line says of the input and the output as a whole, whatever is asked of each hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mjcli.cli.command import choice, flag, option, whole_number
from mjcli.cli.entries import Others
from mjcli.cli.messages import UsageError
from mjcli.cli.packing import unpacked_name
from mjcli.notation import DRAGONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from typer.core import TyperOption

__all__ = [
    "INPUT_FORMATS",
    "TABLES",
    "TABLE_SUFFIXES",
    "Handling",
    "dragons_option",
    "handling_options",
    "input_options",
    "refuse_table",
    "table_named",
]

TABLES: Final = ("parquet", "arrow")
"""Formats that are no text; a row of such an input is read as the line of JSON that says the same."""

INPUT_FORMATS: Final = ("lines", "csv", "tsv", "jsonl", *TABLES)

TABLE_SUFFIXES: Final = {".parquet": "parquet", ".arrow": "arrow", ".feather": "arrow"}
"""The formats of tables, by what the names of their files end in."""


class Handling(NamedTuple):
    """The options of ``input_options`` and ``handling_options``, by name."""

    input_path: str | None
    input_format: str | None
    keep: tuple[str, ...] | None
    other_columns: str
    output: str | None
    no_header: bool
    on_error: str
    max_errors: int | None
    rejects: str | None
    resume: bool
    stats: bool
    jobs: int | None
    cluster: str | None

    @classmethod
    def taken(cls, values: dict[str, Any]) -> Handling:
        """Return what ``values``, the options of a command, say of it, and take that out of them."""
        return cls(**{name: values.pop(name) for name in cls._fields})

    @property
    def others(self) -> Others:
        """What becomes of columns that say nothing of a hand."""
        return Others(tuple(dict.fromkeys(self.keep or ())), ignored=self.other_columns == "ignore")

    @property
    def most(self) -> int | None:
        """How many bad lines are put up with; None for any number."""
        return 0 if self.on_error == "fail" else self.max_errors


def table_named(output: str | None) -> str | None:
    """Return which format of tables the name of an output says, if it says one.

    >>> table_named("hands.feather"), table_named("hands.parquet.gz"), table_named("hands.csv")
    ('arrow', 'parquet', None)
    """
    ends = unpacked_name(output or "").lower()
    return next((form for suffix, form in TABLE_SUFFIXES.items() if ends.endswith(suffix)), None)


def refuse_table(output: str | None, forms: Sequence[str]) -> None:
    """Refuse an output whose name says that it is a table, where no format is asked for.

    Args:
        output: the file.
        forms: the formats that it can have.

    Raises:
        UsageError: it is a table by its name.
    """
    if table_named(output) is not None:
        shown = ", ".join(forms)
        raise UsageError(f"--output {output} names a table, which is for answers to hands; or say --format {shown}")


def input_options() -> Iterator[TyperOption]:
    """Yield the options that say where hands are read, and how."""
    group = "Input"
    yield option(
        "input_path",
        "--input",
        "-i",
        metavar="FILE",
        about="Read hands from a file; .gz and .zst are unpacked.",
        group=group,
    )
    yield choice(
        "--input-format",
        values=INPUT_FORMATS,
        about="How the hands are written; default: by the suffix of the file, else lines.",
        group=group,
    )
    yield option(
        "--keep",
        metavar="COLUMN",
        about="Carry a column, such as an id, through to the answers; may be said again.",
        group=group,
        multiple=True,
    )
    yield choice(
        "--other-columns",
        values=("refuse", "ignore"),
        default="refuse",
        about="What to do with columns that are neither the hand, nor context words, nor kept.",
        group=group,
    )
    yield dragons_option()


def dragons_option() -> TyperOption:
    """Return ``--dragons``."""
    return choice(
        "--dragons",
        values=DRAGONS,
        default=DRAGONS[0],
        about="Whether 5z is the white dragon or the red.",
        group="Input",
    )


def handling_options() -> Iterator[TyperOption]:
    """Yield the options for many hands."""
    group = "Many hands"
    yield choice(
        "--on-error",
        values=("report", "skip", "fail"),
        default="report",
        about="A bad line: say so in its place, leave it out, or stop there.",
        group=group,
    )
    yield option(
        "--max-errors", metavar="N", about="Stop after more than N bad lines.", group=group, type=whole_number(0)
    )
    yield option(
        "--rejects",
        metavar="FILE",
        about="Put bad lines aside in a file, as they are, each under a comment with its error.",
        group=group,
    )
    yield flag("--resume", about="Go on with a run from --input to --output that was interrupted.", group=group)
    yield option(
        "--jobs",
        "-j",
        metavar="N",
        about="Work in up to N processes, if there is enough to do; default: one, or for a large input all processors.",
        group=group,
        type=whole_number(1),
    )
    yield option("--cluster", metavar="ADDRESS", about="Let the workers of a Dask scheduler do it.", group=group)
    yield flag("--stats", about="Say at the end how many hands there were, and how they were answered.", group=group)
