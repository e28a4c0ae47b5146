"""What is read: hands from arguments, standard input or a file, as lines, CSV, TSV or JSON Lines, with their places."""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Final, NamedTuple, cast

from mjcli.cli.command import closest
from mjcli.errors import NotationError
from mjcli.notation import ExtraWord, Word, WordKind

__all__ = ["FORMATS", "Entry", "from_arguments", "from_file", "from_stream", "suffix_format"]

FORMATS: Final = ("lines", "csv", "tsv", "jsonl")

LIMIT: Final = 1_000_000
"""The longest line that is read, in bytes."""

CHUNK: Final = 1 << 16

Words = Mapping[str, Word | ExtraWord]
"""The context words that a column or key may name."""


class Entry(NamedTuple):
    """One hand that was given: where, as what text, and the line of notation that this text says."""

    number: int
    """1-based: the line of the file, or the place among the arguments."""
    text: str
    """As it was given, without the end of the line."""
    notation: str = ""
    columns: Sequence[int] = ()
    """1-based column in ``text`` of each character of ``notation`` and of its end; empty if the two are one."""
    error: NotationError | None = None
    """Why there is no line of notation."""

    def relocate(self, error: NotationError) -> NotationError:
        """Return ``error``, found in the line of notation, as an error of the text that was given."""
        if error.column > len(self.columns):
            return error
        return NotationError(
            error.code,
            error.message,
            line=self.text,
            column=self.columns[error.column - 1],
            token=error.token,
            suggestion=error.suggestion,
        )


def from_arguments(hands: Sequence[str]) -> Iterator[Entry]:
    """Yield an entry for each argument; one that is not UTF-8 is an ``encoding`` error."""
    for number, hand in enumerate(hands, 1):
        if hand.isascii():
            yield Entry(number, hand, hand)
        else:
            yield _decoded(number, os.fsencode(hand))


def from_file(path: str, form: str | None, words: Words, waiting: Callable[[], None]) -> Iterator[Entry]:
    """Yield the entries of a file; one that ends in ``.gz`` is unpacked.

    Args:
        path: the file.
        form: one of ``FORMATS``; None is what its suffix says.
        words: as of ``from_stream``.
        waiting: as of ``from_stream``.

    Raises:
        OSError: it cannot be opened.
        InputError: the header of CSV or TSV is wrong.
    """
    with _open(path) as stream:
        yield from from_stream(stream, form or suffix_format(path), words, waiting)


def _open(path: str) -> IO[bytes]:
    if path.endswith(".gz"):
        import gzip

        return cast("IO[bytes]", gzip.open(path))
    return Path(path).open("rb")


def suffix_format(path: str) -> str:
    """Return which of ``FORMATS`` a file of this name holds.

    >>> suffix_format("hands.csv.gz"), suffix_format("hands.txt")
    ('csv', 'lines')
    """
    suffix = Path(path.removesuffix(".gz")).suffix.lower()
    return {".csv": "csv", ".tsv": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl"}.get(suffix, "lines")


def from_stream(stream: IO[bytes], form: str, words: Words, waiting: Callable[[], None]) -> Iterator[Entry]:
    """Yield an entry for each line of ``stream`` that is neither blank nor a comment.

    Args:
        stream: what is read, in bytes.
        form: one of ``FORMATS``.
        words: the context words that may be columns or keys.
        waiting: called before each read, which may have to wait.

    Raises:
        InputError: the header of CSV or TSV is wrong.
    """
    given = (
        entry
        for entry in _lines(stream, waiting)
        if entry.error is not None or not (entry.text.startswith("#") or not entry.text.strip())
    )
    if form == "lines":
        return given
    if form == "jsonl":
        return (entry if entry.error else _from_json(entry, words) for entry in given)
    return _from_table(given, form, words)


def _lines(stream: IO[bytes], waiting: Callable[[], None]) -> Iterator[Entry]:
    number = 0
    try:
        for number, raw in enumerate(_raw_lines(stream, waiting), 1):
            line = raw.removesuffix(b"\r")
            yield _decoded(number, line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line)
    except _CutError as cut:
        entry = _decoded(number + 1, cut.rest)
        column = len(entry.text) + 1
        yield entry._replace(error=_bad_line(entry.text, column, f"the data end before they are complete ({cut})"))


class _CutError(Exception):
    """Reading failed; ``rest`` is the unfinished line before that place."""

    def __init__(self, rest: bytes, why: object) -> None:
        super().__init__(why)
        self.rest = rest


def _raw_lines(stream: IO[bytes], waiting: Callable[[], None]) -> Iterator[bytes]:
    r"""Yield the lines of ``stream`` without ``\\n``; of a line that is too long, no more than shows that it is."""
    read: Callable[[int], bytes] = getattr(stream, "read1", stream.read)
    rest = b""
    while True:
        waiting()
        try:
            chunk = read(CHUNK)
        except (OSError, EOFError, zlib.error) as error:
            raise _CutError(rest, error) from error
        if not chunk:
            break
        if len(rest) > LIMIT:
            end = chunk.find(b"\n")
            if end < 0:
                continue
            rest, chunk = rest[: LIMIT + 1], chunk[end:]
        lines = (rest + chunk).split(b"\n")
        rest = lines.pop()
        yield from lines
    if rest:
        yield rest


def _decoded(number: int, raw: bytes) -> Entry:
    if len(raw) > LIMIT:
        text = raw[:LIMIT].decode("utf-8", "backslashreplace")
        shown = f"{text[:40]}..."
        error = NotationError("too-long", "a line of more than 1 MB", line=shown, column=len(text) + 1)
        return Entry(number, shown, error=error)
    try:
        text = raw.decode()
    except UnicodeDecodeError as fault:
        text = raw.decode("utf-8", "backslashreplace")
        column = len(raw[: fault.start].decode()) + 1
        byte = f"\\x{raw[fault.start]:02x}"
        error = NotationError("encoding", f"the byte {byte} is not UTF-8", line=text, column=column, token=byte)
        return Entry(number, text, error=error)
    return Entry(number, text, text)


def _bad_line(text: str, column: int, message: str, token: str = "") -> NotationError:
    return NotationError("bad-line", message, line=text, column=column, token=token)


class _Field(NamedTuple):
    """What a row says under one name, and where: the 1-based column of each of its characters and of its end."""

    name: str
    value: str
    columns: Sequence[int]


_TRUE: Final = ("true", "yes", "1")
_FALSE: Final = ("", "false", "no", "0")


def _said(entry: Entry, fields: Iterable[_Field], words: Words) -> Entry:
    """Return ``entry`` with the line of notation that ``fields`` say: the hand, and the context words after it.

    Raises:
        NotationError: a value is no value of its word (``bad-word``).
    """
    notation = ""
    columns: list[int] = []
    for name, value, places in fields:
        if name == "hand":
            notation = value + notation
            columns[:0] = places
            continue
        word = words[name]
        is_flag = word.kind is WordKind.FLAG
        may_stand_alone = is_flag or (isinstance(word, Word) and word.bare)
        if not value or (may_stand_alone and value.lower() in _FALSE):
            continue
        if may_stand_alone and value.lower() in _TRUE:
            said = f" {name}"
            columns += [places[0]] * (len(said) - 1) + [places[-1]]
        elif is_flag or any(map(str.isspace, value)):
            wanted = "true or false" if is_flag else "one word, without blanks"
            message = f"'{name}' is {wanted}, not {value!r}"
            raise NotationError("bad-word", message, line=entry.text, column=places[0], token=value)
        else:
            said = f" {name}={value}"
            columns += [places[0]] * (len(said) - len(value) - 1)
            columns += places
        notation += said
    return entry._replace(notation=notation, columns=columns)


def _name_fault(name: str, names: Sequence[str], words: Words) -> str:
    """Return why a row cannot have a field called ``name`` after ``names``, or nothing if it can."""
    if name in names:
        return f"{name!r} stands there twice"
    if name != "hand" and name not in words:
        return f"there is no field {name!r} (fields are hand and the context words){closest(name, ['hand', *words])}"
    return ""


_CSV_FIELD: Final = re.compile(r'"((?:[^"]|"")*)"(?=,|$)|([^",]*)(?=,|$)')


def _cells(text: str, form: str) -> list[_Field]:
    """Return the cells of a row, yet without names.

    Raises:
        NotationError: a quoted cell of CSV is not closed, or a quote stands inside a cell (``bad-line``).
    """
    cells, start = [], 0
    if form == "tsv":
        for value in text.split("\t"):
            cells.append(_Field("", value, range(start + 1, start + len(value) + 2)))
            start += len(value) + 1
        return cells
    while True:
        match = _CSV_FIELD.match(text, start)
        if match is None:
            raise _bad_line(text, start + 1, "a cell in quotes is not closed, or has more after its quotes")
        quoted, plain = match.groups()
        if quoted is None:
            cells.append(_Field("", plain, range(match.start(2) + 1, match.end(2) + 2)))
        else:
            marks = [place for place in range(*match.span(1)) if text[place] == '"'][1::2]
            columns = [place + 1 for place in range(*match.span(1)) if place not in marks]
            cells.append(_Field("", quoted.replace('""', '"'), [*columns, match.end(1) + 1]))
        start = match.end() + 1
        if start > len(text):
            return cells


def _from_table(given: Iterable[Entry], form: str, words: Words) -> Iterator[Entry]:
    """Yield the rows of CSV or TSV; the header is read at once, so that its faults come before any answer."""
    rows = iter(given)
    header = next(rows, None)
    if header is None:
        return iter(())
    if header.error is not None:
        raise header.error
    names: list[str] = []
    for cell in _cells(header.text, form):
        name = cell.value.strip()
        fault = _name_fault(name, names, words)
        if fault:
            raise _bad_line(header.text, cell.columns[0], f"in the header {fault}", token=name)
        names.append(name)
    if "hand" not in names:
        raise _bad_line(header.text, 1, "the header has no column 'hand'")
    return (row if row.error else _from_row(row, form, names, words) for row in rows)


def _from_row(row: Entry, form: str, names: Sequence[str], words: Words) -> Entry:
    try:
        cells = _cells(row.text, form)
        if len(cells) != len(names):
            column = cells[len(names)].columns[0] if len(cells) > len(names) else len(row.text) + 1
            raise _bad_line(row.text, column, f"{len(cells)} cells; the header has {len(names)}")
        fields = [_Field(name, *cell[1:]) for name, cell in zip(names, cells, strict=True)]
        return _said(row, fields, words)
    except NotationError as error:
        return row._replace(error=error)


_BLANKS: Final = re.compile(r"[ \t\r]*")
_ESCAPES: Final = re.compile(r"(?:\\u[dD][89abAB]..\\u[dD][c-fC-F]..)|\\u....|\\.|.")


def _from_json(line: Entry, words: Words) -> Entry:
    """Return ``line``, an object of JSON, with the line of notation that its keys say."""
    try:
        fields = list(_members(line.text, words))
        if not any(field.name == "hand" for field in fields):
            raise _bad_line(line.text, 1, "the object has no key 'hand'")
        return _said(line, fields, words)
    except NotationError as error:
        return line._replace(error=error)


def _members(text: str, words: Words) -> Iterator[_Field]:
    """Yield the members of the object that ``text`` is, null left out.

    Raises:
        NotationError: it is no such object (``bad-line``).
    """
    import json

    def blanks(place: int) -> int:
        found = _BLANKS.match(text, place)
        return found.end() if found else place

    def value(place: int) -> tuple[Any, int]:
        try:
            return decode(text, place)
        except json.JSONDecodeError as error:
            raise _bad_line(text, error.pos + 1, f"no JSON: {error.msg[:1].lower()}{error.msg[1:]}") from None
        except (RecursionError, ValueError):
            raise _bad_line(text, place + 1, "no value of JSON that a hand can have") from None

    def expect(marks: str, place: int) -> int:
        place = blanks(place)
        if text[place : place + 1] not in tuple(marks):
            raise _bad_line(text, place + 1, f"no JSON object: {' or '.join(map(repr, marks))} expected")
        return place

    decode = json.JSONDecoder().raw_decode
    names: list[str] = []
    at = blanks(expect("{", 0) + 1)
    if text[at : at + 1] != "}":
        at -= 1
        while text[at] != "}":
            start = expect('"', at + 1)
            name, at = value(start)
            fault = _name_fault(name, names, words)
            if fault:
                raise _bad_line(text, start + 1, fault, token=name)
            names.append(name)
            start = blanks(expect(":", at) + 1)
            found, at = value(start)
            yield from _member(text, name, found, start, at)
            at = expect(",}", at)
    rest = blanks(at + 1)
    if rest < len(text):
        raise _bad_line(text, rest + 1, "more after the object")


def _member(text: str, name: str, found: Any, start: int, end: int) -> Iterator[_Field]:
    if found is None:
        return
    if isinstance(found, str):
        columns = [start + 2 + each.start() for each in _ESCAPES.finditer(text[start + 1 : end - 1])]
        yield _Field(name, found, [*columns, end])
        return
    if name != "hand" and isinstance(found, list) and all(isinstance(each, str) for each in found):
        shown = "".join(found)
    elif name != "hand" and isinstance(found, bool | int):
        shown = str(found).lower()
    else:
        raise _bad_line(text, start + 1, f"{name!r} is no {type(found).__name__}; text is expected")
    yield _Field(name, shown, [start + 1] * (len(shown) + 1))
