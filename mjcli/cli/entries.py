"""What is given: hands from arguments, or from lines, CSV, TSV or JSON Lines, with their places."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from mjcli.cli.blocks import LIMIT, Block
from mjcli.errors import NotationError

if TYPE_CHECKING:
    from mjcli.cli.blocks import BlockReader
    from mjcli.notation import ExtraWord, Word

__all__ = ["BOM", "REFUSED", "Entry", "Others", "Words", "from_arguments", "from_block", "header_of", "is_blank"]

BOM: Final = b"\xef\xbb\xbf"
"""What an input may begin with."""

NUL: Final = b"\0"

Words: TypeAlias = "Mapping[str, Word | ExtraWord]"
"""The context words that a column or key may name."""


class Others(NamedTuple):
    """What becomes of columns and keys that are neither the hand nor context words; unless said, they are refused."""

    kept: tuple[str, ...] = ()
    """Those that are carried through to the answers."""
    ignored: bool = False
    """Whether the rest is passed over."""
    expected: tuple[str, ...] = ()
    """Those that may be there, or others after a dot behind them, and are carried through then."""

    def carries(self, name: str) -> bool:
        """Return whether a column or key of this name is carried through."""
        return name in self.kept or name.partition(".")[0] in self.expected


REFUSED: Final = Others()


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
    kept: Mapping[str, Any] = {}
    """What is carried through to the answer, by column or key."""

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


def from_block(block: Block) -> Iterator[Entry]:
    """Yield an entry for each line that is neither blank nor a comment, the line being the notation."""
    return (entry for entry in _lines(block) if entry.error is not None or not is_blank(entry.text))


def header_of(reader: BlockReader) -> tuple[Entry | None, Block]:
    """Return the first line that is neither blank nor a comment, and all that was read up to its end."""
    before = b""
    while (block := reader.read(0)) is not None:
        for entry in from_block(block):
            lines = block.lines()[: entry.number - block.number + 1]
            first, rest = block.split(min(sum(map(len, lines)) + len(lines), len(block.data)))
            reader.give_back(rest)
            return entry, Block(before + first.data)
        before += block.data
    return None, Block(before)


def is_blank(line: str) -> bool:
    """Return whether a line holds nothing, or a comment."""
    return line.startswith("#") or not line.strip()


def _lines(block: Block) -> Iterator[Entry]:
    place = block.place
    lines = block.lines()
    last = lines.pop() if block.cut else b""
    for number, raw in enumerate(lines, block.number):
        if raw.startswith(b"#"):
            place += len(raw) + 1
            continue
        start = len(BOM) if place == 0 and raw.startswith(BOM) else 0
        yield _decoded(number, raw[start:].removesuffix(b"\r"), place + start)
        place += len(raw) + 1
    if block.cut:
        entry = _decoded(block.number + len(lines), last)
        message = f"the data end before they are complete, after byte {block.end} of the input ({block.cut})"
        error = NotationError("bad-line", message, line=entry.text, column=len(entry.text) + 1)
        yield entry._replace(error=error)


def _decoded(number: int, raw: bytes, place: int | None = None) -> Entry:
    """Return a line as an entry; ``place`` is how many bytes of the input come before it, if there is an input."""
    if len(raw) > LIMIT:
        text = raw[:LIMIT].decode("utf-8", "backslashreplace")
        shown = f"{text[:40]}..."
        message = f"a line of more than 1 MB{_from_byte(place)}"
        return Entry(number, shown, error=NotationError("too-long", message, line=shown, column=len(text) + 1))
    try:
        text = raw.decode()
    except UnicodeDecodeError as fault:
        text = raw.decode("utf-8", "backslashreplace")
        column = len(raw[: fault.start].decode()) + 1
        byte = f"\\x{raw[fault.start]:02x}"
        message = f"the byte {byte} is not UTF-8{_from_byte(place, fault.start)}"
        return Entry(number, text, error=NotationError("encoding", message, line=text, column=column, token=byte))
    if NUL in raw:
        message, token = f"a NUL byte{_from_byte(place, raw.index(NUL))}", NUL.decode()
        column = text.index(token) + 1
        return Entry(number, text, error=NotationError("bad-char", message, line=text, column=column, token=token))
    return Entry(number, text, text)


def _from_byte(place: int | None, start: int = 0) -> str:
    return "" if place is None else f" (byte {place + start + 1} of the input)"
