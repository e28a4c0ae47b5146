"""A ruleset as plain data, which ``marshal`` can write, and the ruleset that such data gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from types import CodeType
from typing import TYPE_CHECKING, Any

from mjcli.notation.words import ExtraWord, WordKind
from mjcli.ruleset.program import (
    IndicatorRules,
    OptionValue,
    Part,
    PlayRules,
    Program,
    ReadyRules,
    RiverRules,
    RotationRules,
    WallRules,
)
from mjcli.ruleset.ruleset import Functions, Liability, PatternInfo, Ruleset, code_of
from mjcli.tiles import TileSet

if TYPE_CHECKING:
    from mjcli.ruleset.compiled import Compiled
    from mjcli.ruleset.model import Pattern, RulesetFile

__all__ = ["plain_data", "ruleset_of"]


def plain_data(file: RulesetFile, options: Mapping[str, OptionValue], compiled: Compiled) -> dict[str, Any]:
    """Return everything of a ruleset as plain data."""
    program, tiles = compiled.program, compiled.tiles
    wall, play, rotation = compiled.wall, compiled.play, compiled.rotation
    by_id = {pattern.id.text: pattern for pattern in file.patterns}
    conflict = file.liability_conflict.text if file.liability_conflict else "later"
    return {
        "head": {
            "id": file.id,
            "version": file.version,
            "names": dict(file.names),
            "sources": tuple(file.sources),
            "forms": {form.replace("_", "-"): "" if rule == "true" else rule for form, rule in compiled.forms.items()},
            "claimed_chows": file.claims.chow if file.claims else "mps",
            "joker_kongs": compiled.joker_kongs,
            "options": dict(options),
            "liability_conflict": str(options.get(conflict, conflict)),
            "titles": tuple({"en": each.en, "zh-Hant": each.zh_hant, "zh-Hans": each.zh_hans} for each in file.titles),
        },
        "words": [(name.replace("_", "-"), str(word.kind), word.en) for name, word in file.context.items()],
        "tiles": (tiles.copies, tiles.reds, tiles.bird),
        "patterns": [_said(by_id[name], file) for name in program.patterns],
        "unplayed": [
            (_said(pattern, file), _condition(pattern)) for name, pattern in by_id.items() if name not in program.fans
        ],
        "liability": [
            {"id": rule.id.text, "en": rule.en, "feeder": rule.feeder, "kinds": kinds}
            for rule, kinds in zip(file.liability, compiled.liable_kinds, strict=True)
        ],
        "wall": None if wall is None else asdict(wall),
        "play": None if play is None else asdict(play),
        "rotation": None if rotation is None else asdict(rotation),
        "program": {
            **program._asdict(),
            "parts": {name: list(map(tuple, parts)) for name, parts in program.parts.items()},
            "wins": list(map(tuple, program.wins)),
        },
    }


def _said(pattern: Pattern, file: RulesetFile) -> dict[str, Any]:
    """Return what is said of a pattern beside its condition."""
    return {
        "id": pattern.id.text,
        "names": {"en": pattern.en, "zh-Hant": pattern.zh_hant, "zh-Hans": pattern.zh_hans},
        "aliases": tuple(pattern.aliases),
        "group": pattern.group,
        "source": pattern.source,
        "note": pattern.note,
        "units": {key: text.text for key, text in file.units.get(pattern.group, {}).items()},
    }


def _condition(pattern: Pattern) -> str:
    """Return what decides whether a pattern is in play, as the file says it."""
    conditions = (("only_if", pattern.only_if), ("unless", pattern.unless))
    return ", ".join(f"{key} {text.text}" for key, text in conditions if text is not None)


def _play_rules(said: Mapping[str, Any]) -> PlayRules:
    """Return rules of play whose parts are plain data."""
    makers: Mapping[str, Callable[..., Any]] = {"ready": ReadyRules, "indicators": IndicatorRules, "river": RiverRules}
    parts = {key: make(**said[key]) for key, make in makers.items() if said[key] is not None}
    return PlayRules(**{**said, **parts})


def ruleset_of(data: Mapping[str, Any], code: Callable[[str, str], CodeType] = code_of) -> Ruleset:
    """Return the ruleset of data that ``plain_data`` gave.

    Args:
        data: of the ruleset.
        code: from generated source and the ruleset's id to the source, compiled.
    """
    raw = data["program"]
    parts = {name: tuple(Part(*part) for part in found) for name, found in raw["parts"].items()}
    program = Program(**{**raw, "parts": parts, "wins": tuple(Part(*part) for part in raw["wins"])})
    wall, play, rotation = data["wall"], data["play"], data["rotation"]
    return Ruleset(
        **data["head"],
        extra_words=tuple(ExtraWord(name, WordKind(kind), meaning) for name, kind, meaning in data["words"]),
        tiles=TileSet(*data["tiles"]),
        patterns=tuple(PatternInfo(**each) for each in data["patterns"]),
        unplayed=tuple((PatternInfo(**said), condition) for said, condition in data["unplayed"]),
        liability=tuple(Liability(**each) for each in data["liability"]),
        wall=None if wall is None else WallRules(**{**wall, "tiles": TileSet(**wall["tiles"])}),
        play=None if play is None else _play_rules(play),
        rotation=None if rotation is None else RotationRules(**rotation),
        program=program,
        functions=Functions(program, partial(code, program.source, data["head"]["id"])),
    )
