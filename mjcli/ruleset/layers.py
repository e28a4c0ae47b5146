"""The layers of a ruleset: a file put over those that it extends, key by key and pattern by pattern."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from mjcli.errors import Fault, InputError, RulesetError
from mjcli.ruleset.model import FILE, RulesetFile
from mjcli.ruleset.paths import SUFFIX, folder, ruleset_path
from mjcli.ruleset.shapes import RULESET_ID
from mjcli.ruleset.source import Node, NodeList, NodeMap, Text, read_bytes

__all__ = ["BY_KEY", "Sources", "read_ruleset"]

MAX_LAYERS: Final = 10


def read_ruleset(path: Path) -> tuple[RulesetFile, list[Fault]]:
    """Return what the file at ``path`` says, put over those that it extends, and the faults of its form.

    Raises:
        RulesetError: some layer cannot be read at all.
        InputError: a layer is not found (``no-ruleset``).
    """
    return Sources().read(path)


class Sources:
    """Reads the layers of a ruleset, and keeps what a cache must know of them."""

    def __init__(self) -> None:
        """Nothing has been read yet."""
        self.faults: list[Fault] = []
        self.contents: list[tuple[str, bytes]] = []
        """Each file read, with its content."""
        self.absent: list[str] = []
        """Files that would have been read instead, had they been there."""

    def read(self, path: Path) -> tuple[RulesetFile, list[Fault]]:
        """Return a file put over those that it extends, and the faults of form found in spite of which it is read."""
        file = FILE.read(self.tree(path), "", self.faults)
        if file is None:
            raise RulesetError(self.faults)
        found: RulesetFile = file
        return found, self.faults

    def tree(self, path: Path) -> NodeMap:
        """Return the tree of a file put over those that it extends; each part of it knows the file that it stands in.

        Raises:
            RulesetError: some layer cannot be read at all.
            InputError: a layer is not found (``no-ruleset``).
        """
        layers = list(self.layers(path))
        tree = layers[-1]
        for upper in reversed(layers[:-1]):
            tree = _put_over(tree, upper, self.faults)
        return tree

    def layers(self, path: Path) -> Iterator[NodeMap]:
        """Yield a file and those that it extends, from the top down."""
        seen: list[Path] = []
        while True:
            content = path.read_bytes()
            try:
                name = f"rulesets/{path.name}" if path.parent == folder() else str(path)
                tree = read_bytes(content, name, self.faults)
            except RulesetError as error:
                raise RulesetError([*self.faults, *error.faults]) from None
            seen.append(path.resolve())
            self.contents.append((str(seen[-1]), content))
            yield tree
            under = tree.values.get("extends")
            if not isinstance(under, Text):
                own = set(map(_id, _items(tree, "patterns")))
                self.faults += [
                    item.place.fault(
                        f"'{item.text}' is a pattern of this file, which extends none: leave it out", "drop"
                    )
                    for item in _items(tree, "drop")
                    if isinstance(item, Text) and item.text in own
                ]
                return
            missing = [key for key in ("id", "version") if key not in tree.values]
            self.faults += [tree.place.fault(f"key '{key}' is missing: each layer has its own") for key in missing]
            try:
                if not RULESET_ID.fits(under.text):
                    raise InputError("no-ruleset", f"'{under.text}' is not {RULESET_ID.what}")
                beside = path.parent / f"{under.text}{SUFFIX}"
                path = ruleset_path(under.text, path.parent)
            except InputError as error:
                raise RulesetError([*self.faults, under.place.fault(str(error), "extends")]) from None
            if path != beside:
                self.absent.append(str(beside.resolve()))
            if path.resolve() in seen:
                fault = under.place.fault(f"'{under.text}' extends, in the end, this ruleset", "extends")
                raise RulesetError([*self.faults, fault])
            if len(seen) >= MAX_LAYERS:
                raise RulesetError([*self.faults, under.place.fault(f"more than {MAX_LAYERS} layers", "extends")])


def _items(tree: NodeMap, key: str) -> Sequence[Node]:
    """Return the items of a list; none if there is no such list."""
    found = tree.values.get(key)
    return found.items if isinstance(found, NodeList) else ()


def _id(node: Node) -> str | None:
    """Return the id of a pattern."""
    found = node.values.get("id") if isinstance(node, NodeMap) else None
    return found.text if isinstance(found, Text) else None


BY_KEY: Final = (
    *("names", "tiles", "forms", "options", "context", "families", "tables", "units", "score", "jokers"),
    *("wall", "play", "rotation"),
)
"""Mappings whose keys are put over those of the layer below, one by one; other keys replace the whole value.

A pattern and an option change only in the keys that a layer gives them.
"""


def _put_over(lower: NodeMap, upper: NodeMap, faults: list[Fault]) -> NodeMap:
    """Return the tree of a file put over that of the layers below."""
    values, keys = {**lower.values, **upper.values}, {**lower.keys, **upper.keys}
    for key in BY_KEY:
        below, above = lower.values.get(key), upper.values.get(key)
        if isinstance(below, NodeMap) and isinstance(above, NodeMap):
            values[key] = NodeMap({**below.values, **above.values}, above.place, {**below.keys, **above.keys})
    below, above, both = lower.values.get("options"), upper.values.get("options"), values.get("options")
    if isinstance(below, NodeMap) and isinstance(above, NodeMap) and isinstance(both, NodeMap):
        for name in below.values.keys() & above.values.keys():
            old, new = below.values[name], above.values[name]
            if isinstance(old, NodeMap) and isinstance(new, NodeMap):
                both.values[name] = NodeMap({**old.values, **new.values}, new.place, {**old.keys, **new.keys})
    below, above = lower.values.get("drop"), upper.values.get("drop")
    if isinstance(below, NodeList) and isinstance(above, NodeList):
        values["drop"] = NodeList((*below.items, *above.items), above.place)
    below, above = lower.values.get("patterns"), upper.values.get("patterns")
    if isinstance(below, NodeList) and (above is None or isinstance(above, NodeList)):
        added = () if above is None else above.items
        place = below.place if above is None else above.place
        values["patterns"] = NodeList(tuple(_put_patterns(below.items, added, upper, faults)), place)
    return NodeMap(values, upper.place, keys)


def _put_patterns(lower: Iterable[Node], upper: Iterable[Node], file: NodeMap, faults: list[Fault]) -> list[Node]:
    """A pattern with an id of the layer below changes only the keys that it gives; ``drop`` takes patterns out."""
    dropped = [item for item in _items(file, "drop") if isinstance(item, Text)]
    known = set(map(_id, lower))
    faults += [
        item.place.fault(f"no pattern '{item.text}' in the ruleset under this one", "drop")
        for item in dropped
        if item.text not in known
    ]
    gone = {item.text for item in dropped}
    found = [node for node in lower if _id(node) not in gone]
    places = {_id(node): place for place, node in reversed(list(enumerate(found)))}
    for node in upper:
        place = places.pop(_id(node), None)
        below = None if place is None else found[place]
        if place is not None and isinstance(below, NodeMap) and isinstance(node, NodeMap):
            found[place] = NodeMap({**below.values, **node.values}, node.place, {**below.keys, **node.keys})
        else:
            found.append(node)
    return found
