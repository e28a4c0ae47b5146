"""Blocks of CSV, TSV and JSON Lines rewritten as lines of notation, all lines of a block at once.

Rows are rewritten that are as plain as most rows are: in ASCII, without escapes, the keys of objects in one order. All
others are left to the one-hand path, for which ``mjcli.cli.fields`` reads them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from itertools import count
from typing import TYPE_CHECKING, Final

from mjcli.cli.blocks import LIMIT
from mjcli.notation import Word, WordKind
from mjcli.notation.words import FALSE, TRUE

if TYPE_CHECKING:
    from mjcli.cli.entries import Words
    from mjcli.cli.work import Task

__all__ = ["rewriter"]

UNREAD: Final = b"?"
"""Stands for a row that is not rewritten; it is no hand."""

_MARK: Final = b"\x01"
"""Begins what is rewritten, until all is."""


def _text(without: str) -> str:
    """Return what printable text in ASCII looks like, in which some characters do not stand."""
    return f"[{''.join(re.escape(chr(code)) for code in range(32, 127) if chr(code) not in without)}]*"


_DIGIT: Final = "(?=[0-9])"
_QUOTED: Final = {"csv": '"', "jsonl": '"\\'}
"""What does not stand between quotes."""
_BARE: Final = {"tsv": "", "csv": '",'}
"""What does not stand where there are none."""
_LITERAL: Final = "0|[1-9][0-9]*|true|false"


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
        others += [f"-?(?:{_LITERAL})(?:\\.[0-9]+)?", "null"]
    hand, value, other = (f"(?:{'|'.join(each)})" for each in (hands, values, others))
    return hand, value, other


def rewriter(task: Task, words: Words) -> Callable[[bytes], bytes] | None:
    """Return what rewrites whole lines, each as one line; None if the rows of a task are not rewritten.

    Args:
        task: whose input has a format other than ``lines``.
        words: the context words that a column or key may name.
    """
    if task.others.kept:
        return None
    if task.given != "jsonl":
        return _rewriter(task.given, task.names, words)

    def rewrite(data: bytes) -> bytes:
        names = _keys(data)
        known = all(name == "hand" or name in words for name in names)
        if "hand" not in names or len(set(names)) < len(names) or not (known or task.others.ignored):
            return _unread(data)
        return _rewriter("jsonl", names, words)(data)

    return rewrite


def _keys(data: bytes) -> tuple[str, ...]:
    """Return the keys of the first object, in their order; none if it cannot be read."""
    first = re.search(rb"(?m)^\{.*$", data)
    try:
        found = json.loads(first[0], object_pairs_hook=tuple) if first else ()
    except (RecursionError, ValueError):
        return ()
    return tuple(name for name, _ in found)


def _rewriter(form: str, names: Sequence[str], words: Words) -> Callable[[bytes], bytes]:
    """Return what rewrites rows of some columns, or objects of some keys."""
    row, line = _row(form, names, words)
    said = "|".join(re.escape(name) for name in names if name in words)
    alone = "|".join(re.escape(name) for name in names if name in words and _may_stand_alone(words, name))
    steps = []
    if alone:
        steps.append((re.compile(rf" ({alone})=(?i:{'|'.join(TRUE)})(?=[ \n]|\Z)".encode()), rb" \1"))
        steps.append((re.compile(rf" (?:{alone})=(?i:{'|'.join(FALSE)})(?=[ \n]|\Z)".encode()), b""))
    if said:
        steps.append((re.compile(rf" (?:{said})=(?=[ \n]|\Z)".encode()), b""))

    def rewrite(data: bytes) -> bytes:
        if _MARK in data or max(map(len, data.split(b"\n"))) > LIMIT:
            return _unread(data)
        data = row.sub(line, data)
        for step, instead in steps:
            data = step.sub(instead, data)
        return _unread(data).replace(_MARK, b"")

    return rewrite


def _row(form: str, names: Sequence[str], words: Words) -> tuple[re.Pattern[bytes], bytes]:
    """Return what a row looks like, and the line of notation that it says, marked, with every word that it may say."""
    hand_cell, value_cell, other_cell = _cells(form)
    groups = count(1)
    cells, hand, said = [], "", ""
    for name in names:
        cell = hand_cell if name == "hand" else value_cell if name in words else other_cell
        value = "".join(f"\\g<{next(groups)}>" for _ in range(re.compile(cell).groups))
        cells.append(f"{re.escape(json.dumps(name, ensure_ascii=False))}: ?{cell}" if form == "jsonl" else cell)
        if name == "hand":
            hand = value
        elif name in words:
            said += f" {name}={value}"
    row = f"\\{{{', ?'.join(cells)}\\}}" if form == "jsonl" else {"csv": ",", "tsv": "\t"}[form].join(cells)
    return re.compile(rf"(?m)^{row}\r?$".encode()), _MARK + f"{hand}{said}".encode()


def _may_stand_alone(words: Words, name: str) -> bool:
    word = words[name]
    return word.kind is WordKind.FLAG or (isinstance(word, Word) and word.bare)


def _unread(data: bytes) -> bytes:
    """Return lines without those that are not marked, the empty ones apart."""
    return re.sub(rb"(?m)^[^\x01\n].*$", UNREAD, data)
