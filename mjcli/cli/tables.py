"""Tables of Parquet and Arrow, in and out, by way of the lines of JSON that say the same."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import IO, TYPE_CHECKING, Any, Final, cast

from mjcli.cli.entries import Entry
from mjcli.cli.fields import header_names
from mjcli.cli.output import BAD_LINE, Writer
from mjcli.cli.packing import named
from mjcli.errors import InputError, NotationError

if TYPE_CHECKING:
    from mjcli.cli.entries import Others, Words
    from mjcli.cli.sink import Output

__all__ = ["ArrowWriter", "Rows", "open_table"]

ROWS: Final = 1 << 16
"""How many rows are written at once."""

READ: Final = 1 << 13
"""How many rows are read at once."""

_HALF: Final = re.compile(rb"(?<!\\)((?:\\\\)*)\\(?=ud[89a-f])")
"""Begins the escape of half a surrogate pair, which no table can have; it stands there as it is written."""


def _types(arrow: Any) -> Mapping[str, Any]:
    """Return the types of the columns; one that is not among them is text: the value as JSON."""
    text, number, truth = arrow.string(), arrow.int64(), arrow.bool_()
    texts, numbers = arrow.list_(text), arrow.map_(text, number)

    def objects(**keys: Any) -> Any:
        return arrow.list_(arrow.struct(keys.items()))

    accepts = objects(tile=text, left=number)
    return {
        **dict.fromkeys(("hand", "words", "text", "ruleset", "reason", "liable", "input"), text),
        **dict.fromkeys(("line", "melds_assumed", "shanten", "kinds", "copies"), number),
        **dict.fromkeys(("fan", "fan_uncapped", "points"), number),
        **dict.fromkeys(("complete", "can_win", "win_tile_assumed"), truth),
        **dict.fromkeys(("forms", "steps", "payments"), numbers),
        "assumed": arrow.map_(text, text),
        "waits": objects(tile=text, left=number, fan=number, points=number),
        "dead": texts,
        "discards": objects(tile=text, shanten=number, accepts=accepts, kinds=number, copies=number),
        "accepts": accepts,
        "patterns": objects(id=text, name=text, fan=number, count=number),
        "excluded": objects(id=text, by=texts),
        "reading": arrow.struct({"form": text, "sets": texts, "pair": text, "wait": text, "won_set": text}.items()),
        "error": arrow.struct({"code": text, "column": number, "message": text, "suggestion": text}.items()),
    }


def _arrow() -> Any:
    """Return the library.

    Raises:
        InputError: it is missing (``no-library``).
    """
    try:
        import pyarrow
    except ImportError:
        message = "Parquet and Arrow need a library that is not installed: pip install 'mjcli[table]'"
        raise InputError("no-library", message) from None
    return pyarrow


class Rows(io.RawIOBase):
    """The rows of a table as a stream of JSON Lines."""

    def __init__(self, batches: Iterator[Any], count: int) -> None:
        """
        Args:
            batches: the record batches of the table.
            count: how many rows there are.
        """
        self._batches, self.count = batches, count
        self.place = 0
        """How many rows have been read."""

    def read(self, size: int = -1, /) -> bytes:
        """Return the next rows, as many as were written together; nothing after the last."""
        del size
        for batch in self._batches:
            self.place += batch.num_rows
            if batch.num_rows:
                return "".join(f"{_json(row)}\n" for row in batch.to_pylist()).encode()
        return b""


def _json(row: Any) -> str:
    """Return a row as JSON; a number that JSON does not have, such as NaN, is null."""
    try:
        return json.dumps(row, ensure_ascii=False, default=_text, allow_nan=False)
    except ValueError:
        shown = json.dumps(row, ensure_ascii=False, default=_text)
        return json.dumps(json.loads(shown, parse_constant=lambda _: None), ensure_ascii=False)


def _text(value: object) -> str:
    """Return what JSON does not have as text; older programs write text as bytes."""
    return value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else str(value)


def open_table(path: str, form: str, words: Words, others: Others) -> tuple[Rows, tuple[type[Exception], ...]]:
    """Return the rows of a file, and what broken data make reading them raise.

    Args:
        path: the file.
        form: ``parquet`` or ``arrow``.
        words: the context words that may be columns.
        others: what becomes of other columns.

    Raises:
        OSError: it cannot be opened.
        InputError: it is no such file, its columns are wrong, or the library is missing (``no-library``).
    """
    arrow = _arrow()
    with named(path).open("rb"):
        pass  # what cannot be opened is told of as of any other file
    try:
        names, batches, count = (_parquet if form == "parquet" else _ipc)(path)
    except arrow.ArrowInvalid as error:
        raise InputError("bad-line", f"'{path}' is no file of {form}: {error}") from None
    line = "\t".join(name.replace("\t", " ") for name in names)
    try:
        known = header_names(Entry(0, line, line), "tsv", words, others)
    except NotationError as error:
        message = f"'{path}': {error.message}"
        raise NotationError(error.code, message, line=line, column=error.column, token=error.token) from None
    wanted = {
        name: called
        for name, called in zip(names, known, strict=True)
        if called == "hand" or called in words or called in others.kept
    }
    read, new_names = batches(list(wanted)), list(wanted.values())
    rows = Rows((batch.rename_columns(new_names) for batch in read), count)
    return rows, (OSError, arrow.ArrowException)


Read = tuple[Sequence[str], Callable[[Sequence[str]], Iterator[Any]], int]
"""The columns of a table, what yields its batches with some of them, and how many rows it has."""


def _parquet(path: str) -> Read:
    from pyarrow import parquet

    file = parquet.ParquetFile(path)
    names = file.schema_arrow.names
    return names, lambda wanted: file.iter_batches(batch_size=READ, columns=wanted), file.metadata.num_rows


def _ipc(path: str) -> Read:
    from pyarrow import ipc, memory_map

    file = ipc.open_file(memory_map(path))
    count = file.num_record_batches

    def batches(wanted: Sequence[str]) -> Iterator[Any]:
        for number in range(count):
            batch = file.get_batch(number).select(wanted)
            yield from (batch.slice(start, READ) for start in range(0, batch.num_rows, READ))

    return file.schema.names, batches, sum(file.get_batch(number).num_rows for number in range(count))


class ArrowWriter(Writer):
    """Writes answers as the rows of a table, a key a column; of a bad line ``line``, ``input`` and ``error``."""

    def __init__(self, sink: Output, columns: Sequence[str], form: str, *, kept: Sequence[str] = ()) -> None:
        """
        Args:
            sink: where it goes.
            columns: the keys that an answer can have.
            form: ``parquet`` or ``arrow``.
            kept: keys before those, whose values were given with the hand; they become text.
        """
        super().__init__(sink, columns, str, kept=kept)
        arrow = _arrow()
        types = _types(arrow)
        names = (*self.columns, *BAD_LINE)
        known = {name: types[name] for name in (*columns, *BAD_LINE) if name in types}
        self._maps = {name for name, type_ in known.items() if arrow.types.is_map(type_)}
        self._texts = set(names) - set(known)
        self._schema = arrow.schema([(name, known.get(name, arrow.string())) for name in names])
        self._rows: list[dict[str, Any]] = []
        out = cast("IO[bytes]", _Out(sink))
        if form == "parquet":
            from pyarrow import parquet

            self._writer = parquet.ParquetWriter(out, self._schema)
        else:
            self._writer = arrow.ipc.new_file(out, self._schema)

    def add(self, block: bytes) -> None:
        """Write some answers, each an object of JSON on a line."""
        lines = _HALF.sub(rb"\1\\\\", block).splitlines()
        self._rows += map(self._row, map(json.loads, lines))
        if len(self._rows) >= ROWS:
            self._write()

    def end(self) -> None:
        """Write what is left, and what ends the file."""
        self._write()
        self._writer.close()

    def _write(self) -> None:
        arrow = _arrow()
        if self._rows:
            self._writer.write_table(arrow.Table.from_pylist(self._rows, schema=self._schema))
            self._rows = []

    def _row(self, answer: dict[str, Any]) -> dict[str, Any]:
        for name in answer.keys() & self._maps:
            answer[name] = list(answer[name].items())
        for name in answer.keys() & self._texts:
            value = answer[name]
            if value is not None and not isinstance(value, str):
                answer[name] = json.dumps(value, ensure_ascii=False)
        return answer


class _Out(io.RawIOBase):
    """A sink as a file that pyarrow can write."""

    def __init__(self, sink: Output) -> None:
        self._sink = sink

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        if not self._sink.is_closed:  # a file that was given up, pyarrow ends all the same
            self._sink.put(bytes(data))
        return len(data)
