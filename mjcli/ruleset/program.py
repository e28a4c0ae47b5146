"""What compiling a ruleset yields, as plain data that can be cached and linked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mjcli.ruleset.combine import Entry

__all__ = ["OptionValue", "Part", "Program", "value_of"]

OptionValue = bool | int | str | tuple[int, ...]
"""A truth, a number, a word, or a list of numbers."""


@dataclass(frozen=True, slots=True)
class Part:
    """One term of a pattern's condition: its text, the variable that holds its truth, and the words in it."""

    text: str
    value: Any
    """A variable's name, or a constant."""
    words: tuple[tuple[str, Any], ...] = ()
    """Text and variable of the numbers and names in it, for explanations."""
    templates: tuple[tuple[str, ...], ...] = ()
    """Of a template: the terms of each alternative."""


@dataclass(frozen=True, slots=True)
class Program:
    """A compiled ruleset."""

    source: str
    steps: tuple[str, ...]
    """The results of ``evaluate``, in order; those that start with @ are preferences, winning and payments."""
    patterns: tuple[str, ...]
    """The ids of the patterns in play, in the order of the counts."""
    columns: tuple[str, ...]
    """The columns that it reads."""
    best: tuple[str, ...]
    """The steps that choose the reading, the first first."""
    tables: Mapping[str, tuple[int, ...]]
    combine: tuple[tuple[str, tuple[Entry, ...]], ...]
    """For chows (C) and for pungs (P): each pattern that combines once."""
    parts: Mapping[str, tuple[Part, ...]] = field(default_factory=dict)
    """The terms of each pattern's condition."""
    takers: Mapping[str, tuple[tuple[str, str, Any], ...]] = field(default_factory=dict)
    """Of each pattern: which others take it away, how (contains, excludes), and the variable that says whether."""
    matched: Mapping[str, Any] = field(default_factory=dict)
    """The variable that holds whether, or how often, each pattern matches."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """What the file says of each step of the score."""
    wins: tuple[Part, ...] = ()
    """The terms of what a complete hand must reach to win."""
    instant: bool = False
    """Whether there are draws that win at once; the step @instant says which."""
    forms: Mapping[str, str] = field(default_factory=dict)
    """The forms of a complete hand that are played, each with its rule."""
    absent: tuple[str, ...] = ()
    """The tiles and forms that the options keep out of play, by their keys in the file."""


def value_of(variables: Mapping[str, Any], value: Any) -> Any:
    """Return what ``value``, as a ``Part`` or a ``Program`` holds it, is in one reading.

    Args:
        variables: of the generated source, by name, as ``evaluate`` returns them with ``detail``.
        value: the name of one of them, or a constant.
    """
    return variables.get(value, value) if isinstance(value, str) else value
