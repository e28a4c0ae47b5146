"""A loaded ruleset: frozen values, and the function that evaluates its conditions on one reading."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from mjcli.forms import FormRules
from mjcli.notation.words import ExtraWord, WordKind
from mjcli.ruleset.combine import combiner
from mjcli.ruleset.program import OptionValue, Program, RotationRules, WallRules
from mjcli.tiles import TileSet

__all__ = ["Liability", "Names", "PatternInfo", "Ruleset", "in_language", "link"]

Names = Mapping[str, str]
"""By language: en, zh-Hant, zh-Hans; a language may be missing."""


def in_language(names: Names, language: str) -> str:
    """Return a name in a language, or else in English; nothing where there is neither."""
    return names.get(language) or names.get("en") or ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternInfo:
    """What is said of a pattern beside its condition."""

    id: str
    names: Names
    aliases: tuple[str, ...] = ()
    group: str = "main"
    source: str = ""
    note: str = ""
    units: Names = field(default_factory=dict)
    """What its value is, by language; empty where it is fan."""

    def name(self, language: str) -> str:
        """Return its name, in English or as its id where the file has none in ``language``."""
        return in_language(self.names, language) or self.id

    def unit(self, language: str) -> str:
        """Return what its value is, in English where the file has no word in ``language``; nothing where it is fan."""
        return in_language(self.units, language)


@dataclass(frozen=True, slots=True, kw_only=True)
class Liability:
    """A rule by which the player who fed a certain meld pays alone 包."""

    id: str
    en: str
    feeder: str
    """``last_claimed``: of the last claimed meld; ``last_meld``: of the last meld, if it is claimed; ``last_kong``: of
    the last meld, a kong claimed at once."""
    kinds: frozenset[int] | None = None
    """Only melds of these kinds; None for all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """One ruleset under certain option values."""

    id: str
    version: int
    names: Names
    sources: tuple[str, ...]
    tiles: TileSet
    forms: FormRules
    claimed_chows: str
    """The suits of which chows may be claimed."""
    words: tuple[tuple[str, str, str], ...]
    """The context words that it adds: name, kind (flag, number, tiles, indicators), explanation."""
    options: Mapping[str, OptionValue]
    """The value of every option."""
    patterns: tuple[PatternInfo, ...]
    """Those in play under these options, in the order of the file."""
    titles: tuple[Names, ...]
    """What hands are called, in the order in which the step @title counts them."""
    liability: tuple[Liability, ...]
    liability_conflict: str
    """Which of several liable players pays: ``later`` or ``first``."""
    wall: WallRules | None
    """How the wall is built, broken and dealt from; None where the file does not say."""
    rotation: RotationRules | None
    """Who deals next; None where the file does not say."""
    program: Program
    evaluate: Callable[..., Any] = field(repr=False, compare=False)
    """From the columns of a reading to (steps, counts, fans), or with ``detail`` to every variable by name."""
    at_once: Callable[[Mapping[str, Any]], Any] = field(repr=False, compare=False)
    """From the columns of an unfinished hand to whether it wins at once."""
    false_win: Callable[[Mapping[str, Any], int], Any] = field(repr=False, compare=False)
    """From the columns of a self-draw and a fan to what each loser, and the dealer if he is one, would pay for it."""
    refused: Callable[[Mapping[str, Any]], Any] = field(repr=False, compare=False)
    """From the columns that do not depend on how a hand is read to the number of the refusal that holds, or 0."""

    @property
    def extra_words(self) -> tuple[ExtraWord, ...]:
        """The same context words, as the notation reads them."""
        kinds = {"flag": WordKind.FLAG, "number": WordKind.NUMBER}
        return tuple(ExtraWord(name, kinds.get(kind, WordKind.TILES), meaning) for name, kind, meaning in self.words)

    def pattern(self, name: str) -> PatternInfo | None:
        """Return the pattern in play with this id or alias."""
        return next((each for each in self.patterns if name == each.id or name in each.aliases), None)


def link(program: Program, code: CodeType) -> tuple[Callable[..., Any], ...]:
    """Return ``evaluate``, ``at_once``, ``false_win`` and ``refused`` of a compiled program, linked for plain ints.

    The code was generated from our own words and numbers only, and it runs without builtins but ``locals``.
    """
    names: dict[str, Any] = {
        "__builtins__": {"locals": locals},
        "popc": int.bit_count,
        "where": lambda test, yes, no: yes if test else no,
        "max2": max,
        "min2": min,
        "pick": lambda table, index: table[index],
        **{f"TABLE_{name}": table for name, table in program.tables.items()},
        **{f"combine{index}": combiner(entries) for index, (_, entries) in enumerate(program.combine)},
    }
    exec(code, names)  # noqa: S102 - generated by mjcli.ruleset.compiler
    return names["evaluate"], names["at_once"], names["false_win"], names["refused"]
