"""What is written: answers as text, table, JSON, JSON Lines, CSV or TSV, to standard output or atomically to a file."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from mjcli.cli.command import option
from mjcli.cli.messages import error_keys, printable

if TYPE_CHECKING:
    from typer.core import TyperOption

    from mjcli.errors import NotationError

__all__ = [
    "FORMATS",
    "Answer",
    "CsvWriter",
    "JsonLinesWriter",
    "JsonWriter",
    "Sink",
    "TableWriter",
    "TsvWriter",
    "Writer",
    "aligned",
    "cell",
    "output_option",
]

FORMATS: Final = ("text", "table", "json", "jsonl", "csv", "tsv")

Answer = dict[str, Any]
"""The answer for one hand, the keys of its JSON object."""

SEPARATORS: Final = " :,*"
"""What joins a list in a cell of CSV or TSV, and the lists inside its items."""

NESTED: Final = ("explain",)
"""Keys whose values have more lists inside each other than there are marks: in CSV and TSV they are JSON."""


def output_option() -> TyperOption:
    """Return ``--output``, the path of a ``Sink``."""
    return option("--output", "-o", metavar="FILE", about="Write a file, whole or not at all.", group="Output")


class Sink:
    """Where output goes: standard output, or a file that appears under its name only once it is whole.

    Leaving its ``with`` closes it: whole, unless by an error.
    """

    def __init__(self, path: str | None = None) -> None:
        """
        Args:
            path: the file; None or ``-`` is standard output. A device or a pipe is written as it stands, and so is what
                a name such as ``/dev/stdout`` stands for, even if that is a file.

        Raises:
            OSError: it cannot be written.
        """
        self.encoding = "utf-8"
        self._path = self._part = None
        if path is None or path == "-":
            if sys.stdout is None:
                raise OSError("standard output is closed")
            self._stream: IO[bytes] = sys.stdout.buffer
            self.encoding = sys.stdout.encoding or "utf-8"
            return
        named = Path(path)
        target = named.resolve()
        if path.startswith("/dev/") or (target.exists() and not target.is_file()):
            self._stream = named.open("ab")
            return
        self._path = target
        self._part = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            self._stream = self._part.open("wb")
        except OSError as error:
            error.filename = path
            raise

    @property
    def is_standard(self) -> bool:
        """Whether it is standard output."""
        return sys.stdout is not None and self._stream is sys.stdout.buffer

    def __enter__(self) -> Sink:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        self.close(whole=kind is None)

    def write(self, text: str) -> None:
        """Write ``text``; what the encoding cannot print becomes an escape."""
        self._stream.write(text.encode(self.encoding, "backslashreplace"))

    def flush(self) -> None:
        """Send on what was written so far."""
        self._stream.flush()

    def close(self, *, whole: bool) -> None:
        """End the output; a file takes its name if it is ``whole``, else what was there before stays."""
        if self._path is None or self._part is None:
            if whole:
                self._stream.flush()
            return
        self._stream.close()
        if not whole:
            self._part.unlink()
            return
        if self._path.exists():
            self._part.chmod(self._path.stat().st_mode & 0o7777)
        self._part.replace(self._path)


class Writer:
    """Writes one answer after another as lines of text, and is the base of the other formats."""

    def __init__(
        self, sink: Sink, columns: Sequence[str], text: Callable[[Answer], str], *, header: bool = True
    ) -> None:
        """
        Args:
            sink: where it goes.
            columns: the keys that an answer can have, in their order.
            text: one line of text for an answer.
            header: whether CSV and TSV have one.
        """
        self.sink, self.columns, self.text, self.header = sink, columns, text, header

    def answer(self, answer: Answer) -> None:
        """Write the answer for one hand."""
        self.sink.write(f"{self.text(answer)}\n")

    def bad(self, number: int, given: str, error: NotationError) -> None:
        """Write what stands in the place of a bad line.

        Args:
            number: of the line.
            given: the line.
            error: what is wrong with it.
        """
        del number, given
        self.sink.write(f"error {_error_text(error)}\n")

    def end(self) -> None:
        """Write what comes after the last answer."""


class JsonLinesWriter(Writer):
    """One object a line."""

    def answer(self, answer: Answer) -> None:
        """Write the object of one answer."""
        self.put(self._json(answer))

    def bad(self, number: int, given: str, error: NotationError) -> None:
        """Write the object of a bad line."""
        self.put(self._json({"line": number, "input": given, "error": error_keys(error)}))

    def put(self, shown: str) -> None:
        """Write one object."""
        self.sink.write(f"{shown}\n")

    def _json(self, keys: Mapping[str, Any]) -> str:
        import json

        unicode = self.sink.encoding.lower().replace("-", "") == "utf8"
        return json.dumps(keys, ensure_ascii=not unicode)


class JsonWriter(JsonLinesWriter):
    """One object for one hand, a list for several; each object on a line of its own."""

    _held: str | None = None
    _several = False

    def put(self, shown: str) -> None:
        """Write the object before this one, now that it is known to be followed."""
        if self._held is not None:
            self.sink.write(f"{self._held},\n" if self._several else f"[\n{self._held},\n")
            self._several = True
        self._held = shown

    def end(self) -> None:
        """Write the last object; without one, an empty list."""
        last = self._held if self._held is not None else "[]"
        self.sink.write(f"{last}\n]\n" if self._several else f"{last}\n")


class CsvWriter(Writer):
    """A row for each hand, with the keys as columns and ``error`` after them."""

    separator = ","

    def answer(self, answer: Answer) -> None:
        """Write the row of one answer."""
        self._row([*(self._cell(column, answer.get(column)) for column in self.columns), ""])

    def bad(self, number: int, given: str, error: NotationError) -> None:
        """Write a row that is empty but for the error."""
        del number, given
        self._row([*("" for _ in self.columns), _error_text(error)])

    def end(self) -> None:
        """Write the header, if there were no rows."""
        self._head()

    @staticmethod
    def _cell(column: str, value: Any) -> str:
        if column in NESTED and value is not None:
            import json

            return json.dumps(value, ensure_ascii=False)
        return cell(value)

    def _head(self) -> None:
        if self.header:
            self.header = False
            self._line([*self.columns, "error"])

    def _row(self, cells: Sequence[str]) -> None:
        self._head()
        self._line(cells)

    def _line(self, cells: Sequence[str]) -> None:
        self.sink.write(f"{self.separator.join(map(self.quoted, cells))}\n")

    @staticmethod
    def quoted(text: str) -> str:
        """Return a cell as it is written: in quotes if it holds what separates."""
        if any(char in text for char in ',"\r\n'):
            doubled = text.replace('"', '""')
            return f'"{doubled}"'
        return text


class TsvWriter(CsvWriter):
    """The same with tabs; a tab or an end of line inside a cell becomes a blank."""

    separator = "\t"

    @staticmethod
    def quoted(text: str) -> str:
        """Return a cell as it is written."""
        return " ".join(text.splitlines()).replace("\t", " ")


class TableWriter(Writer):
    """A table for people, written once all answers are there."""

    def __init__(self, sink: Sink, heads: Sequence[str], rows: Callable[[Answer], Iterable[Sequence[object]]]) -> None:
        """
        Args:
            sink: where it goes.
            heads: the heads of the columns.
            rows: the rows of one answer.
        """
        super().__init__(sink, heads, str)
        self._rows_of, self._rows = rows, list[Sequence[object]]()

    def answer(self, answer: Answer) -> None:
        """Keep the rows of one answer."""
        self._rows.extend(self._rows_of(answer))

    def bad(self, number: int, given: str, error: NotationError) -> None:
        """Keep a row with the line, and its error in a column of its own."""
        del number
        self._rows.append((given, *("" for _ in self.columns[1:]), f"error {_error_text(error)}"))

    def end(self) -> None:
        """Write the table; cells are padded by how wide a terminal shows them."""
        from tabulate import tabulate

        shown = [[self._shown(each) for each in row] for row in self._rows]
        widest = max(map(len, shown), default=0)
        heads = [self._shown(head) for head in self.columns]
        heads += [""] * (widest - len(heads))
        table = tabulate(shown, heads, tablefmt="simple", disable_numparse=True)
        self.sink.write("".join(f"{line.rstrip()}\n" for line in table.splitlines()))

    def _shown(self, content: object) -> str:
        encoding = self.sink.encoding
        return printable(str(content)).encode(encoding, "backslashreplace").decode(encoding)


def _error_text(error: NotationError) -> str:
    return f"{error.code} column {error.column}: {printable(' '.join(error.message.split()))}"


def aligned(rows: Sequence[Sequence[str]], margin: str = "") -> list[str]:
    """Return rows as lines, their columns aligned by how wide a terminal shows them.

    >>> aligned([("番", "1"), ("x", "2")])
    ['番  1', 'x   2']
    """
    from tabulate import tabulate

    table = tabulate(rows, tablefmt="plain", disable_numparse=True)
    return [f"{margin}{line.rstrip()}" for line in table.splitlines()]


def cell(value: Any, depth: int = 0) -> str:
    """Return a value of JSON as the text of one cell: lists are joined by one blank, what is inside by other marks.

    A blank inside an item becomes ``_``, so that the items can be told apart.

    >>> cell({"standard": 1, "seven-pairs": None}), cell([{"tile": "6s", "left": 3}, {"tile": "9s", "left": 4}])
    ('standard=1 seven-pairs=', '6s:3 9s:4')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        parts = [cell(each, depth + 1) for each in value.values()]
        if depth == 0:
            parts = [f"{key}={part}" for key, part in zip(value, parts, strict=True)]
        return SEPARATORS[depth].join(parts)
    if isinstance(value, list | tuple):
        return SEPARATORS[depth].join(cell(each, depth + 1) for each in value)
    return str(value).replace(" ", "_") if depth else str(value)
