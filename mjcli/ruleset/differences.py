"""What differs between two rulesets, or between one under two settings of its options, as far as play goes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Final

__all__ = ["SECTIONS", "Difference", "differences", "readers"]

SECTIONS: Final = (
    *("options", "tiles", "forms", "jokers", "claimed_chows", "context", "families", "tables", "patterns", "series"),
    *("alone", "combine_once", "units", "score", "best", "prefer", "wins_if", "titles", "refuses", "instant", "pay"),
    *("false_win", "liability", "liability_conflict", "wall", "play", "rotation"),
)
"""What is compared, in this order; who a ruleset is and where it comes from changes nothing in play."""

WITH_IDS: Final = ("patterns", "liability")
"""Sections that are lists of things with ids."""

NOT_PLAYED: Final = ("about", "id", "source", "note", "match", "no_match")
"""Keys of options and patterns that change nothing in play."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that two rulesets say differently."""

    path: tuple[str, ...]
    """Section, and the keys inside it, such as ``("patterns", "ping_hu", "fan")``."""
    one: Any
    """What the first ruleset says, as ``contents`` has it; None if it says nothing."""
    other: Any
    """What the second says."""


def differences(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[Difference]:
    """Return what differs in play between two rulesets, in the order of a file.

    Of a thing that only one of them has, such as a pattern, there is one difference with all that is said of it. Rules
    of which the first that holds is used are compared in their order: each that has no equal in its place is one. The
    order of patterns, by which ties are decided, is one where both have the same patterns.

    >>> from mjcli.ruleset.contents import contents
    >>> from mjcli.ruleset import load_ruleset
    >>> from mjcli.ruleset.layers import read_ruleset
    >>> from mjcli.ruleset.paths import ruleset_path
    >>> file, _ = read_ruleset(ruleset_path("jipinghu"))
    >>> capped, free = (contents(file, load_ruleset("jipinghu", {"cap": cap})) for cap in ("3", "none"))
    >>> differences(capped, free)
    [Difference(path=('options', 'cap', 'value'), one=3, other='none')]

    Args:
        one: the first, as ``contents`` returns it.
        other: the second.
    """
    found: list[Difference] = []
    for section in SECTIONS:
        found += _compared((section,), _section(one, section), _section(other, section))
    orders = [[pattern["id"] for pattern in said["patterns"]] for said in (one, other)]
    if orders[0] != orders[1] and sorted(orders[0]) == sorted(orders[1]):
        found.append(Difference(("order",), *orders))
    return found


def _section(said: Mapping[str, Any], section: str) -> Any:
    """Return what is said in a section, things that have ids by id, without what changes nothing in play."""
    found = said[section]
    if section in WITH_IDS:
        found = {each["id"]: each for each in found}
    return {key: _played(value) for key, value in found.items()} if isinstance(found, dict) else found


def _played(said: Any) -> Any:
    return {key: value for key, value in said.items() if key not in NOT_PLAYED} if isinstance(said, dict) else said


def _compared(path: tuple[str, ...], one: Any, other: Any) -> Iterator[Difference]:
    if one == other:
        return
    if isinstance(one, dict) and isinstance(other, dict):
        for key in dict.fromkeys((*one, *other)):
            yield from _compared((*path, key), one.get(key), other.get(key))
    elif isinstance(one, list) and isinstance(other, list) and isinstance((*one, *other)[0], dict):
        yield from _in_order(path, one, other)
    else:
        yield Difference(path, one, other)


def _in_order(path: tuple[str, ...], one: Sequence[Any], other: Sequence[Any]) -> Iterator[Difference]:
    """Yield the rules of two lists that have no equal in their place, by their number in the list that has them."""
    texts, other_texts = ([json.dumps(rule, ensure_ascii=False) for rule in rules] for rules in (one, other))
    matcher = SequenceMatcher(None, texts, other_texts, autojunk=False)
    for kind, start, end, other_start, other_end in matcher.get_opcodes():
        if kind != "equal":
            for number in range(max(end - start, other_end - other_start)):
                first = one[start + number] if start + number < end else None
                second = other[other_start + number] if other_start + number < other_end else None
                place = start + number if first is not None else other_start + number
                yield Difference((*path, str(place + 1)), first, second)


def readers(option: str, said: Mapping[str, Any]) -> list[str]:
    """Return where a ruleset reads an option, as paths such as ``score.plain``.

    Where a pattern has the name of the option, only values of patterns mean the option.

    Args:
        option: its name.
        said: the ruleset, as ``contents`` returns it.
    """
    is_pattern = any(pattern["id"] == option for pattern in said["patterns"])
    return [
        path
        for section in (
            "patterns",
            "series",
            "alone",
            "score",
            "prefer",
            "wins_if",
            "titles",
            "refuses",
            "instant",
            "pay",
            "false_win",
            "liability",
        )
        for path, text in _said_texts(section, _section(said, section))
        if re.search(rf"\b{re.escape(option)}\b", text) and (not is_pattern or path.endswith(".fan"))
    ]


def _said_texts(path: str, said: Any) -> Iterator[tuple[str, str]]:
    """Yield every text in what is said, with the path to it; names are no texts that are read."""
    if isinstance(said, str):
        yield path, said
    elif isinstance(said, list):
        for each in said:
            yield from _said_texts(path, each)
    elif isinstance(said, dict):
        for key, value in said.items():
            if key not in ("names", "aliases", "group", "en"):
                yield from _said_texts(f"{path}.{key}", value)
