"""Rows of CSV and TSV and objects of JSON: the line of notation that each says, and where it says each character."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from math import inf
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn

from mjcli.cli.command import closest
from mjcli.errors import NotationError
from mjcli.notation import Word, WordKind
from mjcli.notation.words import FALSE, TRUE

if TYPE_CHECKING:
    from mjcli.cli.entries import Entry, Others, Words

__all__ = ["from_objects", "from_rows", "header_names"]


def _bad_line(text: str, column: int, message: str, token: str = "") -> NotationError:
    return NotationError("bad-line", message, line=text, column=column, token=token)


class _Field(NamedTuple):
    """What a row says under one name, and where: the 1-based column of each of its characters and of its end."""

    name: str
    value: str
    columns: Sequence[int]


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
        if not value or (may_stand_alone and value.lower() in FALSE):
            continue
        if may_stand_alone and value.lower() in TRUE:
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


def _name_fault(name: str, names: Sequence[str], words: Words, others: Others) -> str:
    """Return why a row cannot have a field called ``name`` after ``names``, or nothing if it can."""
    known = _is_said(name, words) or others.carries(name)
    if not known and others.ignored:
        return ""
    if name in names:
        return f"{name!r} stands there twice"
    if known:
        return ""
    near = closest(name, ["hand", *words, *others.expected])
    if others.expected:
        return f"there is no field {name!r} (fields are hand, context words, {', '.join(others.expected)}){near}"
    more = "" if near else "; --keep carries others through"
    return f"there is no field {name!r} (fields are hand and the context words{more}){near}"


def _is_said(name: str, words: Words) -> bool:
    """Return whether a field called ``name`` says something of the hand."""
    return name == "hand" or name in words


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
            raise _bad_line(text, start + 1, "a cell in quotes is not closed on its line, or has more after its quotes")
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


def header_names(header: Entry, form: str, words: Words, others: Others) -> tuple[str, ...]:
    """Return the names of the columns of CSV or TSV.

    Raises:
        NotationError: the header cannot be read, lacks a column, or has one that it cannot have.
    """
    if header.error is not None:
        raise header.error
    names: list[str] = []
    for cell in _cells(header.text, form):
        name = cell.value.strip()
        fault = _name_fault(name, names, words, others)
        if fault:
            raise _bad_line(header.text, cell.columns[0], f"in the header {fault}", token=name)
        names.append(name)
    for name in ("hand", *others.kept):
        if name not in names:
            raise _bad_line(header.text, 1, f"the header has no column {name!r}")
    return tuple(names)


def from_rows(rows: Iterable[Entry], form: str, names: Sequence[str], words: Words, others: Others) -> Iterator[Entry]:
    """Yield the rows of CSV or TSV under a header with these ``names``, with the lines of notation that they say."""
    return (row if row.error else _from_row(row, form, names, words, others) for row in rows)


def _from_row(row: Entry, form: str, names: Sequence[str], words: Words, others: Others) -> Entry:
    try:
        cells = _cells(row.text, form)
        if len(cells) != len(names):
            column = cells[len(names)].columns[0] if len(cells) > len(names) else len(row.text) + 1
            raise _bad_line(row.text, column, f"{len(cells)} cells; the header has {len(names)}")
        named = [_Field(name, *cell[1:]) for name, cell in zip(names, cells, strict=True)]
        row = row._replace(kept={cell.name: cell.value for cell in named if others.carries(cell.name)})
        return _said(row, (cell for cell in named if _is_said(cell.name, words)), words)
    except NotationError as error:
        return row._replace(error=error)


_BLANKS: Final = re.compile(r"[ \t\r]*")
_ESCAPES: Final = re.compile(r"(?:\\u[dD][89abAB]..\\u[dD][c-fC-F]..)|\\u....|\\.|.")


def from_objects(given: Iterable[Entry], words: Words, others: Others) -> Iterator[Entry]:
    """Yield lines of JSON, each an object, with the lines of notation that their keys say."""
    return (line if line.error else _from_object(line, words, others) for line in given)


def _from_object(line: Entry, words: Words, others: Others) -> Entry:
    """Return ``line``, an object of JSON, with the line of notation that its keys say."""
    kept: dict[str, Any] = {}
    line = line._replace(kept=kept)
    try:
        members = list(_members(line.text, words, others, kept))
        fields = [field for member in members for field in _said_by(line.text, *member)]
        if not any(name == "hand" for name, *_ in members):
            raise _bad_line(line.text, 1, "the object has no key 'hand'")
        return _said(line, fields, words)
    except NotationError as error:
        return line._replace(error=error)


def _members(text: str, words: Words, others: Others, kept: dict[str, Any]) -> Iterator[tuple[str, Any, int, int]]:
    """Yield what the object that ``text`` is says of a hand: key, value, and where that begins and ends in the text.

    Args:
        text: the object.
        words: the context words that a key may name.
        others: what becomes of other keys.
        kept: gets the values of those that are carried through.

    Raises:
        NotationError: it is no such object (``bad-line``).
    """
    import json

    def blanks(place: int) -> int:
        found = _BLANKS.match(text, place)
        return found.end() if found else place

    def value(place: int, *, carried: bool = False) -> tuple[Any, int]:
        try:
            return (strict if carried else lenient)(text, place)
        except json.JSONDecodeError as error:
            message = f"no JSON: {error.msg[:1].lower()}{error.msg[1:].removesuffix(' at')}"
            raise _bad_line(text, error.pos + 1, message) from None
        except (RecursionError, ValueError):
            what = "can be carried through" if carried else "a hand can have"
            raise _bad_line(text, place + 1, f"no value of JSON that {what}") from None

    def expect(marks: str, place: int) -> int:
        place = blanks(place)
        if text[place : place + 1] not in tuple(marks):
            raise _bad_line(text, place + 1, f"no JSON object: {' or '.join(map(repr, marks))} expected")
        return place

    lenient = json.JSONDecoder().raw_decode
    strict = json.JSONDecoder(parse_float=_finite, parse_constant=_no_number).raw_decode
    names: list[str] = []
    at = blanks(expect("{", 0) + 1)
    if text[at : at + 1] != "}":
        at -= 1
        while text[at] != "}":
            start = expect('"', at + 1)
            name, at = value(start)
            fault = _name_fault(name, names, words, others)
            if fault:
                raise _bad_line(text, start + 1, fault, token=name)
            names.append(name)
            start = blanks(expect(":", at) + 1)
            carried = others.carries(name)
            found, at = value(start, carried=carried)
            if carried:
                kept[name] = found
            if _is_said(name, words):
                yield name, found, start, at
            at = expect(",}", at)
    rest = blanks(at + 1)
    if rest < len(text):
        raise _bad_line(text, rest + 1, "more after the object")


def _finite(digits: str) -> float:
    """Return a number; one that is too great for a float is an error, since JSON has no infinity to write it as."""
    number = float(digits)
    if number in (inf, -inf):
        raise ValueError(digits)
    return number


def _no_number(name: str) -> NoReturn:
    """Refuse ``NaN`` and ``Infinity``, which are no JSON, though Python reads and writes them."""
    raise ValueError(name)


def _said_by(text: str, name: str, found: Any, start: int, end: int) -> Iterator[_Field]:
    """Yield what a member of an object says; a word that is null says nothing.

    Raises:
        NotationError: it is of no type that its key can have (``bad-line``).
    """
    if found is None and name != "hand":
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
        wanted = "text" if name == "hand" else "text, a whole number, true or false, or a list of texts"
        raise _bad_line(text, start + 1, f"{name!r} is {wanted}, not {text[start:end][:20]}")
    yield _Field(name, shown, [start + 1] * (len(shown) + 1))
