"""Blocks of CSV, TSV and JSON Lines rewritten as lines of notation, all lines of a block at once.

Rows are rewritten that are as plain as most rows are: in ASCII, without escapes, the keys of objects in one order. All
others are left to the one-hand path, for which ``mjcli.cli.fields`` reads them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mjcli.cli.blocks import LIMIT
from mjcli.notation import Word, WordKind
from mjcli.notation.words import FALSE, TRUE

if TYPE_CHECKING:
    from mjcli.cli.entries import Words
    from mjcli.cli.work import Task

__all__ = ["Rewritten", "rewriter"]

UNREAD: Final = b"?"
"""Stands for a row that is not rewritten; it is no hand."""

_MARK: Final = b"\x01"
"""Begins what is rewritten, until all is."""


class Rewritten(NamedTuple):
    """Lines of notation in place of rows."""

    data: bytes
    kept: Sequence[Mapping[str, Any]] = ()
    """What is carried through from each line, nothing from one that is not rewritten; empty if nothing is at all."""


def _text(without: str) -> str:
    """Return what printable text in ASCII looks like, in which some characters do not stand."""
    return f"[{''.join(re.escape(chr(code)) for code in range(32, 127) if chr(code) not in without)}]*"


_DIGIT: Final = "(?=[0-9])"
_QUOTED: Final = {"csv": '"', "jsonl": '"\\'}
"""What does not stand between quotes."""
_BARE: Final = {"tsv": "", "csv": '",'}
"""What does not stand where there are none."""
_LITERAL: Final = "0|[1-9][0-9]*|true|false"
_WHOLE: Final = "-?(?:0|[1-9][0-9]{,14})"
_NUMBER: Final = f"{_WHOLE}(?:\\.[0-9]+)?"
_CARRIED: Final = f"{_WHOLE}|true|false"
"""What else than text is carried through as it stands."""


def _cells(form: str) -> tuple[str, str, str]:
    """Return what a hand, the value of a word and any other cell look like in a format.

    A hand starts with a digit and says no word with a value; a value has no blanks.
    """
    hands, values, others = [], [], []
    if form in _QUOTED:
        quoted = _QUOTED[form]
        hands.append(f'"({_DIGIT}{_text(quoted + "=")})"')
        values.append(f'"({_text(quoted + "= ")})"')
        others.append(f'"{_text(quoted)}"')
    if form in _BARE:
        bare = _BARE[form]
        hands.append(f"({_DIGIT}{_text(bare + '=')})")
        values.append(f"({_text(bare + '= ')})")
        others.append(_text(bare))
    else:
        values += [f"({_LITERAL})", "null"]
        others += [_NUMBER, "true", "false", "null"]
    hand, value, other = (f"(?:{'|'.join(each)})" for each in (hands, values, others))
    return hand, value, other


def _carried(form: str) -> str:
    """Return what a cell that is carried through looks like: of JSON a text, or else what is no text."""
    if form == "tsv":
        return f"({_text('')})"
    text = f'"({_text(_QUOTED[form])})"'
    return f"(?:{text}|({_CARRIED if form == 'jsonl' else _text(_BARE[form])}))"


def rewriter(task: Task, words: Words) -> Callable[[bytes], Rewritten] | None:
    """Return what rewrites whole lines, each as one line; None if the rows of a task are not rewritten.

    Args:
        task: whose input has a format other than ``lines``.
        words: the context words that a column or key may name.
    """
    kept = task.others.kept
    if any(name in words for name in kept):
        return None
    if task.given != "jsonl":
        return _rewriter(task.given, task.names, words, kept)

    def rewrite(data: bytes) -> Rewritten:
        names = _keys(data)
        known = all(name == "hand" or name in words or name in kept for name in names)
        whole = {"hand", *kept} <= set(names) and len(set(names)) == len(names)
        if not whole or not (known or task.others.ignored):
            return Rewritten(_unread(data))
        return _rewriter("jsonl", names, words, kept)(data)

    return rewrite


def _keys(data: bytes) -> tuple[str, ...]:
    """Return the keys of the first object, in their order; none if it cannot be read."""
    first = re.search(rb"(?m)^\{.*$", data)
    try:
        found = json.loads(first[0], object_pairs_hook=tuple) if first else ()
    except (RecursionError, ValueError):
        return ()
    return tuple(name for name, _ in found)


def _rewriter(form: str, names: Sequence[str], words: Words, kept: Sequence[str]) -> Callable[[bytes], Rewritten]:
    """Return what rewrites rows of some columns, or objects of some keys."""
    row, line, carried = _row(form, names, words, kept)
    said = "|".join(re.escape(name) for name in names if name in words)
    alone = "|".join(re.escape(name) for name in names if name in words and _may_stand_alone(words, name))
    steps = []
    if alone:
        steps.append((re.compile(rf" ({alone})=(?i:{'|'.join(TRUE)})(?=[ \n]|\Z)".encode()), rb" \1"))
        steps.append((re.compile(rf" (?:{alone})=(?i:{'|'.join(FALSE)})(?=[ \n]|\Z)".encode()), b""))
    if said:
        steps.append((re.compile(rf" (?:{said})=(?=[ \n]|\Z)".encode()), b""))

    def rewrite(data: bytes) -> Rewritten:
        if _MARK in data or max(map(len, data.split(b"\n"))) > LIMIT:
            return Rewritten(_unread(data))
        found = _values(form, row, data, carried) if carried else None
        data = row.sub(line, data)
        values = [next(found) if each.startswith(_MARK) else {} for each in data.split(b"\n")] if found else ()
        for step, instead in steps:
            data = step.sub(instead, data)
        return Rewritten(_unread(data).replace(_MARK, b""), values)

    return rewrite


def _values(
    form: str, row: re.Pattern[bytes], data: bytes, carried: Mapping[str, Sequence[int]]
) -> Iterator[dict[str, Any]]:
    """Yield what is carried through from each row, by the groups that hold it."""
    for match in row.finditer(data):
        values: dict[str, Any] = {}
        for name, groups in carried.items():
            group = next(each for each in groups if match[each] is not None)
            values[name] = json.loads(match[group]) if form == "jsonl" and group != groups[0] else match[group].decode()
        yield values


def _row(
    form: str, names: Sequence[str], words: Words, kept: Sequence[str]
) -> tuple[re.Pattern[bytes], bytes, dict[str, Sequence[int]]]:
    """Return what a row looks like, which is no comment; the line of notation that it says, marked, with every word
    that it may say; and in which groups stands what is carried through.
    """
    hand_cell, value_cell, other_cell = _cells(form)
    groups = count(1)
    cells, hand, said = [], "", ""
    carried: dict[str, Sequence[int]] = {}
    for name in names:
        cell = hand_cell if name == "hand" else value_cell if name in words else other_cell
        cell = _carried(form) if name in kept else cell
        own = [next(groups) for _ in range(re.compile(cell).groups)]
        value = "".join(f"\\g<{group}>" for group in own)
        cells.append(f"{re.escape(json.dumps(name, ensure_ascii=False))}: ?{cell}" if form == "jsonl" else cell)
        if name == "hand":
            hand = value
        elif name in words:
            said += f" {name}={value}"
        elif name in kept:
            carried[name] = own
    row = f"\\{{{', ?'.join(cells)}\\}}" if form == "jsonl" else {"csv": ",", "tsv": "\t"}[form].join(cells)
    return re.compile(rf"(?m)^(?!#){row}\r?$".encode()), _MARK + f"{hand}{said}".encode(), carried


def _may_stand_alone(words: Words, name: str) -> bool:
    word = words[name]
    return word.kind is WordKind.FLAG or (isinstance(word, Word) and word.bare)


def _unread(data: bytes) -> bytes:
    """Return lines without those that are not marked, the empty ones apart."""
    return re.sub(rb"(?m)^[^\x01\n].*$", UNREAD, data)
