"""What is written: answers as text, table, JSON, JSON Lines, CSV or TSV."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from mjcli.cli.command import option
from mjcli.cli.messages import error_keys, printable
from mjcli.cli.sink import is_utf8

if TYPE_CHECKING:
    from typer.core import TyperOption

    from mjcli.cli.sink import Output
    from mjcli.errors import NotationError

__all__ = [
    "BAD_LINE",
    "FORMATS",
    "NOTHING",
    "Answer",
    "CsvWriter",
    "JsonLinesWriter",
    "JsonWriter",
    "RowWriter",
    "TableWriter",
    "TsvWriter",
    "Writer",
    "aligned",
    "cell",
    "error_text",
    "json_text",
    "output_option",
]

FORMATS: Final = ("text", "table", "json", "jsonl", "csv", "tsv")

Answer = dict[str, Any]
"""The answer for one hand, the keys of its JSON object."""

BAD_LINE: Final = ("line", "input", "error")
"""The keys of the object of a bad line."""

SEPARATORS: Final = " :,*"
"""What joins a list in a cell of CSV or TSV, and the lists inside its items; lists inside all those are JSON."""

NESTED: Final = ("explain",)
"""Keys whose values have more lists inside each other than there are marks: in CSV and TSV they are JSON."""

NOTHING: Final[Mapping[str, Any]] = {}
"""What is carried through from a line where nothing is asked for."""


def output_option() -> TyperOption:
    """Return ``--output``, the path of a ``Sink``."""
    about = "Write a file, whole or not at all; .gz and .zst are packed."
    return option("--output", "-o", metavar="FILE", about=about, group="Output")


class Writer:
    """Writes one answer after another as lines of text, and is the base of the other formats."""

    def __init__(
        self,
        sink: Output,
        columns: Sequence[str],
        text: Callable[[Answer], str],
        *,
        header: bool = True,
        kept: Sequence[str] = (),
    ) -> None:
        """
        Args:
            sink: where it goes.
            columns: the keys that an answer can have, in their order.
            text: one line of text for an answer.
            header: whether CSV and TSV have one.
            kept: keys before those, whose values were given with the hand; a bad line can have them too.
        """
        self.sink, self.columns, self.text, self.header, self.kept = sink, (*kept, *columns), text, header, kept

    def answer(self, answer: Answer) -> None:
        """Write the answer for one hand."""
        self.sink.write(f"{self._before(answer)}{self.text(answer)}\n")

    def bad(self, number: int, given: str, error: NotationError, kept: Mapping[str, Any] = NOTHING) -> None:
        """Write what stands in the place of a bad line.

        Args:
            number: of the line.
            given: the line.
            error: what is wrong with it.
            kept: what is carried through from it.
        """
        del number, given
        self.sink.write(f"{self._before(kept)}error {error_text(error)}\n")

    def _before(self, kept: Mapping[str, Any]) -> str:
        """Return the text before an answer: what is carried through, a tab after each."""
        return "".join(f"{one_line(cell(kept.get(key)))}\t" for key in self.kept)

    def add(self, block: bytes) -> None:
        """Write some lines that the block writer of this format wrote elsewhere."""
        if block:
            self.sink.put(block)

    def carrying(self, kept: Mapping[str, Any], line: bytes) -> bytes:
        """Return a line of some answer, which was written without what is carried through, with that."""
        return self._before(kept).encode() + line

    def end(self) -> None:
        """Write what comes after the last answer."""


class JsonLinesWriter(Writer):
    """One object a line."""

    def answer(self, answer: Answer) -> None:
        """Write the object of one answer."""
        self.put(self._json(answer))

    def bad(self, number: int, given: str, error: NotationError, kept: Mapping[str, Any] = NOTHING) -> None:
        """Write the object of a bad line."""
        self.put(self._json({**kept, "line": number, "input": given, "error": error_keys(error)}))

    def carrying(self, kept: Mapping[str, Any], line: bytes) -> bytes:
        """Return an object with what is carried through."""
        return self._json({key: kept[key] for key in self.kept})[:-1].encode() + b", " + line.removeprefix(b"{")

    def put(self, shown: str) -> None:
        """Write one object."""
        self.sink.write(f"{shown}\n")

    def _json(self, keys: Mapping[str, Any]) -> str:
        return json_text(keys, self.sink.encoding)


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

    def add(self, block: bytes) -> None:
        """Write some objects, each a line."""
        for line in block.decode(self.sink.encoding).split("\n")[:-1]:
            self.put(line)

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

    def bad(self, number: int, given: str, error: NotationError, kept: Mapping[str, Any] = NOTHING) -> None:
        """Write a row that is empty but for the error, and what is carried through."""
        del number, given
        self._row([*(self._cell(column, kept.get(column)) for column in self.columns), error_text(error)])

    def add(self, block: bytes) -> None:
        """Write some rows."""
        if block:
            self._head()
        super().add(block)

    def carrying(self, kept: Mapping[str, Any], line: bytes) -> bytes:
        """Return a row with what is carried through."""
        cells = (self.quoted(self._cell(column, kept[column])) for column in self.kept)
        return "".join(f"{each}{self.separator}" for each in cells).encode() + line

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
        return one_line(text)


class TableWriter(Writer):
    """A table for people, written once all answers are there."""

    def __init__(
        self,
        sink: Output,
        heads: Sequence[str],
        rows: Callable[[Answer], Iterable[Sequence[object]]],
        *,
        kept: Sequence[str] = (),
    ) -> None:
        """
        Args:
            sink: where it goes.
            heads: the heads of the columns.
            rows: the rows of one answer.
            kept: keys whose values stand before them, in each row.
        """
        super().__init__(sink, heads, str, kept=kept)
        self._rows_of = rows
        self._rows: list[list[str]] = []

    def answer(self, answer: Answer) -> None:
        """Keep the rows of one answer."""
        before = [cell(answer.get(key)) for key in self.kept]
        self.keep([[*before, *row] for row in self._rows_of(answer)])

    def bad(self, number: int, given: str, error: NotationError, kept: Mapping[str, Any] = NOTHING) -> None:
        """Keep a row with the line, and its error in a column of its own."""
        del number
        before = [cell(kept.get(key)) for key in self.kept]
        empty = len(self.columns) - len(before) - 1
        self.keep([[*before, given, *("" for _ in range(empty)), f"error {error_text(error)}"]])

    def keep(self, rows: Sequence[Sequence[object]]) -> None:
        """Keep the rows of one hand."""
        self._rows += ([self._shown(each) for each in row] for row in rows)

    def add(self, block: bytes) -> None:
        """Keep some rows, those of each hand a list of lists of JSON on a line."""
        import json

        for line in block.splitlines():
            self._rows += json.loads(line)

    def end(self) -> None:
        """Write the table; cells are padded by how wide a terminal shows them."""
        from tabulate import tabulate

        widest = max(map(len, self._rows), default=0)
        heads = [self._shown(head) for head in self.columns]
        heads += [""] * (widest - len(heads))
        table = tabulate(self._rows, heads, tablefmt="simple", disable_numparse=True)
        self.sink.write("".join(f"{line.rstrip()}\n" for line in table.splitlines()))

    def _shown(self, content: object) -> str:
        encoding = self.sink.encoding
        return printable(str(content)).encode(encoding, "backslashreplace").decode(encoding)


class RowWriter(TableWriter):
    """The rows of a table, those of each hand as JSON on a line."""

    def keep(self, rows: Sequence[Sequence[object]]) -> None:
        """Write the rows of one hand."""
        import json

        shown = [[self._shown(each) for each in row] for row in rows]
        self.sink.put(json.dumps(shown).encode() + b"\n")


def json_text(value: Any, encoding: str, indent: int | None = None) -> str:
    """Return a value as JSON, with escapes where ``encoding`` has not all of Unicode."""
    import json

    return json.dumps(value, ensure_ascii=not is_utf8(encoding), indent=indent)


def one_line(text: str) -> str:
    r"""Return ``text`` with a blank in place of each end of line and tab.

    >>> one_line("a\nb\tc")
    'a b c'
    """
    return " ".join(text.splitlines()).replace("\t", " ")


def error_text(error: NotationError) -> str:
    """Return an error as one line: its code, its column and what it says."""
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
    if isinstance(value, str):
        return value.replace(" ", "_") if depth else value
    if isinstance(value, bool):
        return str(value).lower()
    if depth == len(SEPARATORS) and isinstance(value, Mapping | list | tuple):
        import json

        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace(" ", "_")
    if isinstance(value, Mapping):
        parts = [cell(each, depth + 1) for each in value.values()]
        if depth == 0:
            parts = [f"{key}={part}" for key, part in zip(value, parts, strict=True)]
        return SEPARATORS[depth].join(parts)
    if isinstance(value, list | tuple):
        return SEPARATORS[depth].join(cell(each, depth + 1) for each in value)
    return str(value).replace(" ", "_") if depth else str(value)
