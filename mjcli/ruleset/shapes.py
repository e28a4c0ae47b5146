"""Shapes: what a node of a ruleset file must be, and its conversion to a plain value.

A shape reads a node and returns its value, or adds a fault that says what would be right and returns None; reading
goes on, so that all faults of a file are found at once.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from mjcli.errors import Fault, most_like
from mjcli.ruleset.source import Node, NodeList, NodeMap, Place, Text

__all__ = [
    "IDENTIFIER",
    "RULESET_ID",
    "Choice",
    "Field",
    "ListOf",
    "MapOf",
    "Number",
    "Record",
    "Shape",
    "Word",
    "Written",
    "nearest",
    "one_of",
]


class Shape(Protocol):
    """What a node must be."""

    def read(self, node: Node, path: str, faults: list[Fault]) -> Any:
        """Return the value of ``node``; None after adding to ``faults`` if it is not of this shape."""


def nearest(word: str, known: Sequence[str]) -> str:
    """Return a hint such as `` (did you mean 'chows'?)``, or nothing if no known word is near.

    >>> nearest("chwos", ["chows", "pungs"])
    " (did you mean 'chows'?)"
    """
    meant = most_like(word, known)
    return f" (did you mean '{meant}'?)" if meant else ""


def _kind(node: Node) -> str:
    if isinstance(node, Text):
        return "a text" if node.text else "nothing"
    return "a list" if isinstance(node, NodeList) else "a mapping"


def _text(node: Node, what: str, path: str, faults: list[Fault]) -> str | None:
    if isinstance(node, Text):
        return node.text
    hint = ""
    if isinstance(node, NodeList):
        hint = "; in YAML [..] is a list: write it in quotes if the brackets are meant"
    faults.append(node.place.fault(f"{what} is wanted here, not {_kind(node)}{hint}", path))
    return None


class Written(NamedTuple):
    """Any text that is not blank, kept with its place: conditions, references, hands."""

    what: str = "a text"
    instead: str = ""
    """What to go on with after a fault, so that other faults are found."""

    def read(self, node: Node, path: str, faults: list[Fault]) -> Text | None:
        """Return the node itself."""
        if isinstance(node, Text) and node.text.strip():
            return node
        if isinstance(node, Text):
            faults.append(node.place.fault(f"{self.what} is wanted here, and nothing is written", path))
        else:
            _text(node, self.what, path, faults)
        return Text(self.instead, node.place) if self.instead else None


class Word(NamedTuple):
    """A text of a certain form, or one of a few words; with neither, any that is not blank."""

    what: str = "a text"
    form: str = ""
    """A regular expression for the whole text, of what JavaScript reads as well."""
    known: tuple[str, ...] = ()
    """The words there are."""

    def fits(self, text: str) -> bool:
        """Return whether a text is of this shape."""
        if self.known:
            return text in self.known
        return re.fullmatch(self.form, text) is not None if self.form else bool(text.strip())

    def fault(self, text: str, place: Place, path: str) -> Fault:
        """Return the fault that a text which does not fit is."""
        return place.fault(f"'{text}' is not {self.what}{nearest(text, self.known)}", path)

    def read(self, node: Node, path: str, faults: list[Fault]) -> str | None:
        """Return the text."""
        text = _text(node, self.what, path, faults)
        if text is not None and not self.fits(text):
            faults.append(self.fault(text, node.place, path))
            return None
        return text


def one_of(words: Sequence[str], what: str) -> Word:
    """Return the shape of a key that is one of a few words."""
    return Word(f"{what}: {', '.join(words)}", known=tuple(words))


IDENTIFIER: Final = Word("an id (lower case, digits and single underscores)", r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
RULESET_ID: Final = Word("a ruleset id (lower case, digits and single hyphens)", r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


class Number(NamedTuple):
    """A whole number in plain decimal."""

    least: int = 0
    most: int = 1_000_000

    def read(self, node: Node, path: str, faults: list[Fault]) -> int | None:
        """Return the number."""
        text = _text(node, "a number", path, faults)
        if text is None:
            return None
        if not re.fullmatch(r"-?(0|[1-9][0-9]{0,8})", text) or not self.least <= int(text) <= self.most:
            faults.append(
                node.place.fault(
                    f"'{text}' is not a whole number of {self.least} to {self.most} in plain decimal", path
                )
            )
            return None
        return int(text)


class Choice(NamedTuple):
    """One of a few words; a mapping gives each its value."""

    words: Mapping[str, Any]

    def read(self, node: Node, path: str, faults: list[Fault]) -> Any:
        """Return the value of the word."""
        text = _text(node, "a word", path, faults)
        if text is not None and text not in self.words:
            faults.append(
                node.place.fault(f"'{text}' is none of {', '.join(self.words)}{nearest(text, list(self.words))}", path)
            )
            return None
        return None if text is None else self.words[text]


class ListOf(NamedTuple):
    """A sequence of one shape; with ``lone``, a single such thing may stand for a list of one."""

    of: Shape
    lone: bool = False

    def read(self, node: Node, path: str, faults: list[Fault]) -> list[Any]:
        """Return the values that could be read."""
        if not isinstance(node, NodeList):
            if not self.lone:
                faults.append(node.place.fault(f"a list is wanted here, not {_kind(node)}", path))
                faults = []  # it is read as a list of one, to go on with; what else is wrong with it is hard to say
            node = NodeList((node,), node.place)
        values = (self.of.read(item, f"{path}[{index}]", faults) for index, item in enumerate(node.items))
        return [value for value in values if value is not None]


class MapOf(NamedTuple):
    """A mapping from keys of one form to values of one shape; the result keeps the order."""

    of: Shape
    key: Word = IDENTIFIER

    def read(self, node: Node, path: str, faults: list[Fault]) -> dict[str, Any] | None:
        """Return the values that could be read, by key."""
        if not isinstance(node, NodeMap):
            faults.append(node.place.fault(f"a mapping is wanted here, not {_kind(node)}", path))
            return None
        found = {}
        for key, value in node.values.items():
            if not self.key.fits(key):
                faults.append(self.key.fault(key, node.keys[key], path))
            read = self.of.read(value, f"{path}.{key}" if path else key, faults)
            if read is not None:
                found[key] = read
        return found


class Field(NamedTuple):
    """One key of a record: its shape, one line that explains it, and whether it must be there."""

    of: Shape
    doc: str
    required: bool = False
    vital: bool = False
    """Whether the record says nothing without it; other faults are found in spite of what is missing."""


class Record:
    """A mapping with certain keys, made into an object; unknown keys are faults."""

    def __init__(self, fields: Mapping[str, Field], build: Callable[..., Any], label: str = "") -> None:
        """Make a record.

        Args:
            fields: by key.
            build: called with the values by key (in lower case, a hyphen as an underscore), and ``place``.
            label: the key whose text names the record in paths, such as ``id``.
        """
        self.fields, self.build, self.label = fields, build, label
        self.names = {key: key.replace("-", "_").lower() for key in fields}
        self.required = {key for key, known in fields.items() if known.required}
        self.vital = {self.names[key] for key, known in fields.items() if known.vital}

    def read(self, node: Node, path: str, faults: list[Fault]) -> Any:
        """Return the object; None if a vital key is missing or could not be read."""
        if not isinstance(node, NodeMap):
            faults.append(node.place.fault(f"a mapping is wanted here, not {_kind(node)}", path))
            return None
        named = node.values.get(self.label)
        if isinstance(named, Text):
            path = f"{path[: path.rfind('[')] if path.endswith(']') else path}.{named.text}".lstrip(".")
        within = f"{path}." if path else ""
        values: dict[str, Any] = {}
        for key, value in node.values.items():
            known = self.fields.get(key)
            if known is None:
                hint = nearest(key, list(self.fields)) or f" (known: {', '.join(self.fields)})"
                faults.append(node.keys[key].fault(f"unknown key '{key}'{hint}", path))
                continue
            read = known.of.read(value, within + key, faults)
            if read is not None:
                values[self.names[key]] = read
        if not node.values.keys() >= self.required:
            faults += [
                node.place.fault(f"key '{key}' is missing: {known.doc}", path)
                for key, known in self.fields.items()
                if known.required and key not in node.values
            ]
        return self.build(place=node.place, **values) if values.keys() >= self.vital else None
