"""A loaded ruleset: frozen values, and the function that evaluates its conditions on one reading."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import CodeType
from typing import Any, Final

from mjcli.forms import FormRules
from mjcli.notation.words import ExtraWord, WordKind
from mjcli.ruleset.combine import Entry, combiner
from mjcli.ruleset.program import OptionValue, Program, RotationRules, WallRules
from mjcli.tiles import TileSet

__all__ = ["Liability", "PatternInfo", "Ruleset", "link"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternInfo:
    """What is said of a pattern beside its condition."""

    id: str
    names: Mapping[str, str]
    """By language: en, zh-Hant, zh-Hans; empty where the file gives none."""
    aliases: tuple[str, ...] = ()
    group: str = "main"
    source: str = ""
    note: str = ""

    def name(self, language: str) -> str:
        """Return its name, in English or as its id where the file has none in ``language``."""
        return self.names.get(language) or self.names.get("en") or self.id


@dataclass(frozen=True, slots=True, kw_only=True)
class Liability:
    """A rule by which the player who fed a certain meld pays alone 包."""

    id: str
    en: str
    feeder: str
    """``last_claimed``: of the last claimed meld; ``last_kong``: of the last meld, a kong claimed at once."""
    kinds: frozenset[int] | None = None
    """Only melds of these kinds; None for all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """One ruleset under certain option values."""

    id: str
    version: int
    names: Mapping[str, str]
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

    @property
    def extra_words(self) -> tuple[ExtraWord, ...]:
        """The same context words, as the notation reads them."""
        kinds = {"flag": WordKind.FLAG, "number": WordKind.NUMBER}
        return tuple(ExtraWord(name, kinds.get(kind, WordKind.TILES), meaning) for name, kind, meaning in self.words)

    def pattern(self, name: str) -> PatternInfo | None:
        """Return the pattern in play with this id or alias."""
        return next((each for each in self.patterns if name == each.id or name in each.aliases), None)


PLAIN_OPERATIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "popc": int.bit_count,
    "where": lambda test, yes, no: yes if test else no,
    "max2": max,
    "min2": min,
    "pick": lambda table, index: table[index],
}
"""What the generated source calls, on plain ints."""


def link(
    program: Program,
    code: CodeType,
    operations: Mapping[str, Callable[..., Any]] = PLAIN_OPERATIONS,
    combine: Callable[[tuple[Entry, ...]], Callable[..., Any]] = combiner,
) -> tuple[Callable[..., Any], ...]:
    """Return the functions ``evaluate``, ``at_once`` and ``false_win`` of a compiled program.

    They are linked for plain ints, or for what else ``operations`` take.

    The code was generated from our own words and numbers only, and it runs without builtins but ``locals``.

    Args:
        program: what was compiled.
        code: its source, compiled.
        operations: the five functions that the source calls, by the names of ``PLAIN_OPERATIONS``.
        combine: from the patterns that combine once to a function from three columns of sets to their counts.
    """
    names: dict[str, Any] = {
        "__builtins__": {"locals": locals},
        **operations,
        **{f"TABLE_{name}": table for name, table in program.tables.items()},
        **{f"combine{index}": combine(entries) for index, (_, entries) in enumerate(program.combine)},
    }
    exec(code, names)  # noqa: S102 - generated by mjcli.ruleset.compiler
    return names["evaluate"], names["at_once"], names["false_win"]
