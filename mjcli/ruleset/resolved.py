"""A ruleset and all that it extends as the text of one file, after each value a comment that says where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from mjcli.errors import RulesetError
from mjcli.ruleset.layers import Sources
from mjcli.ruleset.model import FILE
from mjcli.ruleset.source import Node, NodeList, NodeMap, Place, Text

__all__ = ["resolved", "scalar"]

WIDE: Final = 100
"""A list that needs more characters than this has an item on each line."""

PLAIN: Final = re.compile(r"\w([\w .+*/()=<>!'，。、；：（）-]*[\w.+*/()=<>!'，。、；：（）-])?")
"""What stands in YAML without quotes, in a list too."""


def resolved(path: Path) -> str:
    """Return a YAML file that says what the one at ``path`` says together with those that it extends.

    Loaded, it is the same ruleset, but for the places that faults name. Patterns that a layer dropped stay named under
    ``drop``, since others may still name them.

    >>> from mjcli.ruleset.paths import ruleset_path
    >>> text = resolved(ruleset_path("guangdong-liudu"))
    >>> [line for line in text.splitlines() if line.startswith(("id:", "extends:", "forms:"))]
    ['id: guangdong-liudu # rulesets/guangdong-liudu.yaml:1', 'forms:']

    Args:
        path: of the file.

    Raises:
        RulesetError: a file cannot be read, or the whole has faults of form.
        InputError: a layer is not found (``no-ruleset``).
    """
    sources = Sources()
    tree = sources.tree(path)
    if FILE.read(tree, "", sources.faults) is None or sources.faults:
        raise RulesetError(sources.faults)
    files = [Path(name).name for name, _ in sources.contents]
    under = f", over {', '.join(files[1:])}" if len(files) > 1 else ""
    lines = [f"# The whole of {files[0]}{under}; after each value stands where it was taken from."]
    values = {key: tree.values[key] for key in FILE.fields if key in tree.values and key != "extends"}
    dropped = _dropped(tree)
    if dropped:
        values["drop"] = NodeList(tuple(dropped), values["drop"].place)
    else:
        values.pop("drop", None)
    for key, value in values.items():
        block = list(_lines(f"{key}:", value, ""))
        lines += [""] * (len(block) > 1) + block
    return "\n".join(lines) + "\n"


def _dropped(tree: NodeMap) -> list[Text]:
    """Return the patterns that are dropped and not given anew."""
    patterns, drop = tree.values.get("patterns"), tree.values.get("drop")
    items = patterns.items if isinstance(patterns, NodeList) else ()
    ids = [item.values["id"] for item in items if isinstance(item, NodeMap)]
    known = {each.text for each in ids if isinstance(each, Text)}
    names = drop.items if isinstance(drop, NodeList) else ()
    return [each for each in names if isinstance(each, Text) and each.text not in known]


def _lines(prefix: str, node: Node, margin: str) -> Iterator[str]:
    """Yield the lines of a value that stands after ``KEY:``, or after the dash of a list."""
    if isinstance(node, NodeMap) and node.values:
        inner = [line for key, value in node.values.items() for line in _lines(f"{scalar(key)}:", value, f"{margin}  ")]
        if prefix == "-":
            inner[0] = f"{margin}- {inner[0].lstrip()}"
        else:
            yield f"{margin}{prefix}"
        yield from inner
    elif isinstance(node, NodeList) and any(isinstance(item, NodeMap) for item in node.items):
        yield f"{margin}{prefix}"
        for item in node.items:
            yield from _lines("-", item, margin)
    elif isinstance(node, NodeList) and len(_flow(node)) > WIDE:
        yield f"{margin}{prefix} {_comment(node.place)}"
        yield from (f"{margin}- {_flow(item)}" for item in node.items)
    else:
        yield f"{margin}{prefix} {_flow(node)} {_comment(node.place)}"


def _flow(node: Node) -> str:
    """Return a value on one line."""
    if isinstance(node, Text):
        return scalar(node.text)
    if isinstance(node, NodeList):
        return f"[{', '.join(map(_flow, node.items))}]"
    return f"{{{', '.join(f'{scalar(key)}: {_flow(value)}' for key, value in node.values.items())}}}"


def _comment(place: Place) -> str:
    return f"# {place.file}:{place.line}"


def scalar(text: str) -> str:
    r"""Return a text as a YAML scalar, in quotes where it needs them.

    >>> scalar("chows == 4"), scalar("a: b"), scalar("one\n"), scalar("")
    ('chows == 4', '"a: b"', '"one\\n"', '""')
    """
    if PLAIN.fullmatch(text):
        return text
    return '"' + "".join(map(_quoted, text)) + '"'


def _quoted(char: str) -> str:
    """Return a character as it stands in double quotes."""
    if char in '"\\':
        return f"\\{char}"
    if char.isprintable():
        return char
    return "\\n" if char == "\n" else f"\\U{ord(char):08x}"
