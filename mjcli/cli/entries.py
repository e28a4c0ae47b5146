"""What is read: hands from arguments, standard input or a file, as lines, CSV, TSV or JSON Lines, with their places."""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, NamedTuple, TypeAlias, cast

from mjcli.errors import NotationError

if TYPE_CHECKING:
    from mjcli.notation import ExtraWord, Word

__all__ = ["FORMATS", "Entry", "Words", "from_arguments", "from_file", "from_stream", "suffix_format"]

FORMATS: Final = ("lines", "csv", "tsv", "jsonl")

LIMIT: Final = 1_000_000
"""The longest line that is read, in bytes."""

CHUNK: Final = 1 << 16

Words: TypeAlias = "Mapping[str, Word | ExtraWord]"
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
    from mjcli.cli import fields

    return fields.from_objects(given, words) if form == "jsonl" else fields.from_table(given, form, words)


def _lines(stream: IO[bytes], waiting: Callable[[], None]) -> Iterator[Entry]:
    number = 0
    try:
        for number, raw in enumerate(_raw_lines(stream, waiting), 1):
            line = raw.removesuffix(b"\r")
            yield _decoded(number, line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line)
    except _CutError as cut:
        entry = _decoded(number + 1, cut.rest)
        message, column = f"the data end before they are complete ({cut})", len(entry.text) + 1
        yield entry._replace(error=NotationError("bad-line", message, line=entry.text, column=column))


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
