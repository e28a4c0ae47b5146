"""YAML text to a tree of plain texts that know their place: nothing is guessed, nothing is dropped.

YAML would turn ``no`` into False, ``012`` into 10 and ``12:30`` into 750, and of two equal keys the last would win
in silence. So every scalar stays the text that was written, with its line and column, and the shapes of
``mjcli.ruleset.shapes`` convert it. Anchors, aliases and tags are refused: a ruleset needs none, and a few lines of
aliases can stand for gigabytes.
"""

import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from mjcli.errors import Fault, RulesetError

__all__ = ["Node", "NodeList", "NodeMap", "Place", "Text", "read_bytes", "read_tree"]

MAX_BYTES: Final = 1_000_000
MAX_DEPTH: Final = 20

QUOTES: Final = ("'", '"')

_made: Final = tuple.__new__
"""Makes a named tuple of all its fields in half the time; a file has thousands of texts."""


class Place(NamedTuple):
    """Where something is written: the file as it was named, and the 1-based line and column."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    def fault(self, message: str, path: str = "", *, fatal: bool = True) -> Fault:
        """Return a fault here."""
        return Fault(self.file, self.line, self.column, path, message, fatal)


class Text(NamedTuple):
    """A scalar, as it was written."""

    text: str
    place: Place
    """Of its first character, inside the quotes if there are any; of a block, of its ``|`` or ``>``."""
    written: str = ""
    """What stands in the file from there on, where that is more than the text on one line."""
    before: str = ""
    """Of a part of a scalar: what stands before it in the scalar."""

    def at(self, offset: int) -> Place:
        """Return the place of a character of the text, or of the end; blanks are nowhere, lines being folded."""
        before = self.before + self.text[:offset]
        if not self.written:
            return self.place._replace(column=self.place.column + len(before))
        start = self.written.find("\n") if self.written[0] in "|>" else 0
        shown = [found.start() for found in re.compile(r"\S").finditer(self.written, start)]
        if not shown:
            return self.place
        count = len("".join(before.split()))
        end = shown[count] if count < len(shown) else shown[-1] + 1
        line_start = self.written.rfind("\n", 0, end) + 1
        first = self.place.column if line_start == 0 else 1
        return Place(self.place.file, self.place.line + self.written.count("\n", 0, end), first + end - line_start)

    def fault(self, message: str, path: str, at: int = 0) -> Fault:
        """Return a fault at a character of the text."""
        return self.at(at).fault(message, path)

    def part(self, start: int, end: int | None = None) -> "Text":
        """Return a part of the text that knows its place."""
        return Text(self.text[start:end], self.place, self.written, self.before + self.text[:start])


class NodeList(NamedTuple):
    """A sequence."""

    items: "tuple[Node, ...]"
    place: Place


class NodeMap(NamedTuple):
    """A mapping; the places of its keys beside its values."""

    values: "dict[str, Node]"
    place: Place
    keys: dict[str, Place]


Node = Text | NodeList | NodeMap


def read_tree(text: str, name: str, faults: list[Fault] | None = None) -> NodeMap:
    r"""Return the tree of one YAML document.

    >>> tree = read_tree("id: no\nversion: 012\n", "small.yaml")
    >>> tree.values["id"].text, tree.values["version"].text, tree.values["version"].place.line
    ('no', '012', 2)

    Args:
        text: the document.
        name: the file's name, for the places.
        faults: where to put faults in spite of which there is a tree; without it they are raised.

    Raises:
        RulesetError: it is no YAML, no mapping, too large, or uses what a ruleset may not: a doubled key, an anchor,
            an alias, a tag, a second document.
    """
    import yaml

    if len(text.encode()) > MAX_BYTES:
        raise RulesetError([Place(name, 1, 1).fault(f"a ruleset has at most {MAX_BYTES} bytes")])
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    builder = _Builder(name, text)
    try:
        tree = builder.document(loader(text).get_event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        said = " ".join(part for part in (error.context, error.problem) if part)
        raise RulesetError([*builder.faults, Place(name, line, column).fault(f"not YAML: {said}")]) from None
    except yaml.YAMLError:
        found = yaml.reader.Reader.NON_PRINTABLE.search(text)
        at = found.start() if found else 0
        fault = _place(name, text[:at]).fault(f"not YAML: the character {text[at : at + 1]!r} is not allowed")
        raise RulesetError([*builder.faults, fault]) from None
    if builder.faults and faults is None:
        raise RulesetError(builder.faults)
    if faults is not None:
        faults += builder.faults
    return tree


def read_bytes(content: bytes, name: str, faults: list[Fault] | None = None) -> NodeMap:
    """Return the tree of a file's content, as ``read_tree`` does.

    Raises:
        RulesetError: as ``read_tree``, or the content is not UTF-8.
    """
    content = content.removeprefix(b"\xef\xbb\xbf")
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        before = content[: error.start].decode()
        raise RulesetError([_place(name, before).fault("not UTF-8")]) from None
    return read_tree(text, name, faults)


def _place(name: str, before: str) -> Place:
    return Place(name, before.count("\n") + 1, len(before) - before.rfind("\n"))


class _Builder:
    """Builds the tree from the events of the YAML parser, and collects the faults."""

    def __init__(self, name: str, text: str) -> None:
        import yaml

        self.name, self.text, self.yaml = name, text, yaml
        self.faults: list[Fault] = []

    def document(self, following: Callable[[], Any]) -> NodeMap:
        """Return the tree; ``following`` returns the next event."""
        yaml, tree = self.yaml, None
        self.following = following
        while not isinstance(event := self.following(), yaml.StreamEndEvent):
            if not isinstance(event, yaml.DocumentStartEvent):
                continue
            if tree is not None:
                self.faults.append(self.place(event).fault("a second document; a ruleset is one"))
                break
            tree = self.node(self.following(), 0)
        if not isinstance(tree, NodeMap):
            self.faults.append(
                Place(self.name, 1, 1).fault("a ruleset is a mapping of keys such as 'id' and 'patterns'")
            )
            raise RulesetError(self.faults)
        return tree

    def place(self, event: Any) -> Place:
        """Return where an event starts."""
        mark = event.start_mark
        return Place(self.name, mark.line + 1, mark.column + 1)

    def node(self, event: Any, depth: int) -> Node:
        yaml, kind = self.yaml, type(event)
        if kind is yaml.ScalarEvent:
            return self.scalar(event)
        if kind is yaml.AliasEvent or event.anchor is not None or event.tag is not None:
            self.refuse(event)
        if depth > MAX_DEPTH:
            raise RulesetError([*self.faults, self.place(event).fault(f"nested more than {MAX_DEPTH} deep")])
        if kind is yaml.MappingStartEvent:
            return self.mapping(event, depth + 1)
        if kind is yaml.SequenceStartEvent:
            items, following, end = [], self.following, yaml.SequenceEndEvent
            while type(inner := following()) is not end:
                items.append(self.node(inner, depth + 1))
            return NodeList(tuple(items), self.place(event))
        return Text("", self.place(event))

    def scalar(self, event: Any) -> Text:
        if event.anchor is not None or event.tag is not None:
            self.refuse(event)
        start, end, value, quoted = event.start_mark, event.end_mark, event.value, event.style in QUOTES
        line = start.line
        place = _made(Place, (self.name, line + 1, start.column + 1 + quoted))
        if line == end.line:
            return _made(Text, (value, place, "", ""))
        written = self.text[start.index + quoted : end.index - quoted]
        escapes = (event.style == '"' and "\\" in written) or (event.style == "'" and "''" in written)
        return Text(value, place, written.partition("\n")[0] if escapes else written)

    def mapping(self, event: Any, depth: int) -> NodeMap:
        values: dict[str, Node] = {}
        keys: dict[str, Place] = {}
        following, scalar, end = self.following, self.yaml.ScalarEvent, self.yaml.MappingEndEvent
        while type(inner := following()) is not end:
            key = self.scalar(inner) if type(inner) is scalar else self.node(inner, depth)
            inner = following()
            value = self.scalar(inner) if type(inner) is scalar else self.node(inner, depth)
            if not isinstance(key, Text):
                self.faults.append(key.place.fault("a key is a word"))
            elif key.text in values:
                first = keys[key.text]
                self.faults.append(key.place.fault(f"key '{key.text}' is doubled (first on line {first.line})"))
            else:
                values[key.text] = value
                keys[key.text] = key.place
        return NodeMap(values, self.place(event), keys)

    def refuse(self, event: Any) -> None:
        """Add the faults of what a ruleset may not use."""
        place = self.place(event)
        if isinstance(event, self.yaml.AliasEvent):
            self.faults.append(place.fault(f"alias '*{event.anchor}': write it out, a ruleset has no aliases"))
            return
        if event.anchor:
            self.faults.append(place.fault(f"anchor '&{event.anchor}': a ruleset has no anchors"))
        if event.tag:
            self.faults.append(place.fault(f"tag '{event.tag}': a ruleset has no tags"))
