"""Where hands are read from: standard input or a file, packed or not, lines or a table."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, NamedTuple, cast

from mjcli.cli.blocks import BlockReader
from mjcli.cli.handling import TABLE_SUFFIXES, TABLES
from mjcli.cli.messages import UsageError
from mjcli.cli.packing import is_packed, opened, unpacked_name

if TYPE_CHECKING:
    from mjcli.cli.entries import Others, Words

__all__ = ["Input", "open_input", "suffix_format"]

SUFFIXES: Final = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    **TABLE_SUFFIXES,
}


class Input(NamedTuple):
    """Something to read hands from."""

    reader: BlockReader
    form: str
    """How its lines are written."""
    where: str
    """What stands before the number of a line to name its place."""
    close: Callable[[], None] = lambda: None
    """Lets go of the file."""
    path: Path | None = None
    """The file, if it is one that can be read again."""
    size: int = 0
    """How many bytes, or rows of a table, there are to read; 0 where that is not known."""
    whole: int = 0
    """How many bytes that is after unpacking; 0 where that is not known."""
    position: Callable[[], int] | None = None
    """Returns how much of ``size`` has been read."""


def suffix_format(path: str) -> str:
    """Return which format of input a file of this name holds.

    >>> suffix_format("hands.csv.gz"), suffix_format("hands.txt")
    ('csv', 'lines')
    """
    return SUFFIXES.get(Path(unpacked_name(path)).suffix.lower(), "lines")


def open_input(path: str | None, form: str | None, words: Words, others: Others) -> Input:
    """Return the input that the command line names.

    Args:
        path: the file; None or ``-`` is standard input.
        form: its format; None is what the suffix says, or lines.
        words: the context words that may be columns.
        others: what becomes of other columns.

    Raises:
        OSError: it cannot be opened.
        InputError: it is a table that cannot be read, or a library is missing.
        UsageError: there is no standard input, or it cannot be a table.
    """
    if path is None or path == "-":
        if sys.stdin is None or (path is None and sys.stdin.isatty()):
            raise UsageError("give a HAND, or '-' to read standard input")
        if form in TABLES:
            raise UsageError(f"--input-format {form} needs --input FILE")
        return Input(BlockReader(sys.stdin.buffer), form or "lines", "line ")
    form, where = form or suffix_format(path), f"{path}:"
    if form in TABLES:
        if is_packed(path):
            raise UsageError(f"--input {path}: a table is read as it stands; unpack it first")
        from mjcli.cli.tables import open_table

        rows, faults = open_table(path, form, words, others)
        reader = BlockReader(cast("IO[bytes]", rows), faults)
        return Input(reader, "jsonl", where, rows.close, Path(path), rows.count, 0, lambda: rows.place)
    stream, faults = opened(path)
    reader = BlockReader(stream, faults)
    if not Path(path).is_file():
        return Input(reader, form, where, stream.close)
    size = Path(path).stat().st_size
    whole = 0 if is_packed(path) else size
    return Input(reader, form, where, stream.close, Path(path), size, whole, _position(stream))


def _position(stream: IO[bytes]) -> Callable[[], int]:
    """Return what tells how many bytes of the file under ``stream`` have been read."""
    return lambda: os.lseek(stream.fileno(), 0, os.SEEK_CUR)
