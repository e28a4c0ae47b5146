"""Files of cases: hands, each with what is expected of its answer, as lines, CSV, TSV or JSON Lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mjcli.cli.entries import Others, from_block, header_of
from mjcli.cli.expected import ERROR, Expectation, expectations
from mjcli.cli.handling import TABLES
from mjcli.cli.inputs import open_input, suffix_format
from mjcli.cli.messages import UsageError
from mjcli.errors import NotationError

if TYPE_CHECKING:
    from mjcli.cli.entries import Entry, Words

__all__ = ["ABOUT", "FORMATS", "MARK", "Case", "read_cases"]

FORMATS: Final = ("lines", "csv", "tsv", "jsonl")

MARK: Final = "=>"
"""Stands in a line between the hand and what is expected."""

ABOUT: Final = ("id", "source", "note")
"""Columns and keys that say something of the case itself."""

_BLOCK: Final = 1 << 16
"""How many bytes are read at once."""


class Case(NamedTuple):
    """A hand, and what is expected."""

    where: str
    """What stands before the number of the line to name its place."""
    entry: Entry
    """The hand; with what else the line says among ``kept``."""
    expected: tuple[Expectation, ...]
    fault: NotationError | None = None
    """Why nothing can be expected."""

    @property
    def about(self) -> dict[str, Any]:
        """What is said of the case itself, by key."""
        return {key: self.entry.kept[key] for key in ABOUT if self.entry.kept.get(key) not in (None, "")}


def read_cases(path: str, form: str | None, words: Words, keys: Sequence[str]) -> Iterator[Case]:
    """Yield the cases of a file; of one whose header has a column that says nothing, only the header, as a bad case.

    Args:
        path: the file; ``-`` is standard input.
        form: one of ``FORMATS``; None is what the suffix says, or lines.
        words: the context words that may be columns.
        keys: those that answers have, which may be columns, and so may others after a dot behind them.

    Raises:
        OSError: it cannot be read.
        UsageError: there is no standard input, or the file is a table.
    """
    if suffix_format(path) in TABLES:
        raise UsageError(f"{path}: cases are {', '.join(FORMATS)}")
    others = Others(expected=(*(key for key in keys if key not in words), *ABOUT))
    with closing(open_input(path, form, words, others)) as given:
        header = header_of(given.reader)[0] if given.form in ("csv", "tsv") else None
        if header is not None:
            from mjcli.cli import fields

            try:
                names = fields.header_names(header, given.form, words, others)
            except NotationError as error:
                yield Case(given.where, header, (), error)
                return
        while (block := given.reader.read(_BLOCK)) is not None:
            entries = from_block(block)
            if given.form == "lines":
                yield from (_of_line(given.where, entry, keys) for entry in entries)
                continue
            from mjcli.cli import fields

            if given.form == "jsonl":
                entries = fields.from_objects(entries, words, others)
            else:
                entries = fields.from_rows(entries, given.form, names, words, others)
            yield from (_of_fields(given.where, entry) for entry in entries)


def _of_line(where: str, entry: Entry, keys: Sequence[str]) -> Case:
    """Return the case of a line of notation with what is expected after it."""
    if entry.error is not None:
        return Case(where, entry, (), entry.error)
    hand, mark, rest = entry.text.partition(MARK)
    start = len(hand) + len(mark)
    try:
        found = tuple(expectations(rest, keys, entry.text, start))
    except NotationError as error:
        return Case(where, entry, (), error)
    hand = hand.rstrip()
    case = _with_some(Case(where, entry, found), f"'{MARK}' and what is expected")
    text = hand or entry.text  # an error that says no column is placed by the words of the hand alone
    return case._replace(entry=entry._replace(text=text, notation=hand, columns=range(1, len(hand) + 2)))


def _of_fields(where: str, entry: Entry) -> Case:
    """Return the case of a row or an object, whose other columns and keys are what is expected, be it an error."""
    given = {key: value for key, value in entry.kept.items() if key not in ABOUT and value != ""}
    expected = tuple(Expectation(key, value) for key, value in given.items())
    if entry.error is not None and all(each.root != ERROR for each in expected):
        return Case(where, entry, (), entry.error)
    return _with_some(Case(where, entry, expected), "what is expected")


def _with_some(case: Case, wanted: str) -> Case:
    """Return a case, as a bad one if nothing is expected."""
    if case.expected:
        return case
    text = case.entry.text
    message = f"{wanted} is missing, such as fan=3 or shanten=1"
    return case._replace(fault=NotationError("bad-expectation", message, line=text, column=len(text.rstrip()) + 1))
