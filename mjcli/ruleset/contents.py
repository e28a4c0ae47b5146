"""What a ruleset says, as one object of plain values: what its file says, and what that comes to under its options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from mjcli.notation import format_tiles
from mjcli.ruleset.decisions import Decisions
from mjcli.ruleset.inplay import copies_in_play
from mjcli.ruleset.model import LANGUAGES, LiabilityRule, Option, Pattern, RulesetFile, Title
from mjcli.ruleset.options import option_values
from mjcli.ruleset.program import OptionValue, PlayRules, WallRules
from mjcli.ruleset.ruleset import Ruleset
from mjcli.ruleset.source import Text
from mjcli.tiles import JOKER_KIND, TILES

__all__ = ["contents"]


def contents(file: RulesetFile, ruleset: Ruleset) -> dict[str, Any]:
    """Return everything that a ruleset says, by the keys of its file, as values that JSON can write.

    >>> from mjcli.ruleset import load_ruleset
    >>> from mjcli.ruleset.layers import read_ruleset
    >>> from mjcli.ruleset.paths import ruleset_path
    >>> file, _ = read_ruleset(ruleset_path("jipinghu"))
    >>> said = contents(file, load_ruleset("jipinghu", {"cap": "4"}))
    >>> said["options"]["cap"]["value"], said["score"]["points"], said["tiles"]
    (4, '2 ** fan', {'m': 4, 'p': 4, 's': 4, 'z': 4})

    Args:
        file: what the file says, put over those that it extends.
        ruleset: the same under certain options, which decide tiles, forms, wall, rotation and what is in play.
    """
    decisions = Decisions(file, ruleset.options)
    return {
        "id": file.id,
        "version": file.version,
        "names": dict(file.names),
        "sources": list(file.sources),
        "tiles": {key: copies for key, copies in copies_in_play(file, decisions).items() if copies},
        "forms": dict(ruleset.forms),
        "jokers": _jokers(ruleset),
        "claimed_chows": ruleset.claimed_chows,
        "options": {name: _option(option, ruleset.options[name]) for name, option in file.options.items()},
        "context": {name: {"kind": word.kind, "en": word.en} for name, word in file.context.items()},
        "families": {name: _texts(members) for name, members in file.families.items()},
        "tables": {name: list(numbers) for name, numbers in file.tables.items()},
        "patterns": [_pattern(pattern, ruleset) for pattern in file.patterns],
        "series": [
            {"tiers": [_texts(tier) for tier in series.tiers], "unless": _text(series.unless)} for series in file.series
        ],
        "alone": file.alone
        and {"of": _texts(file.alone.of), "least": file.alone.least, "unless": _text(file.alone.unless)},
        "combine_once": {kind: _texts(members) for kind, members in file.combine_once.items()},
        "units": {group: {lang: text.text for lang, text in names.items()} for group, names in file.units.items()},
        "score": {name: text.text for name, text in file.score.items()},
        "best": _texts(file.best),
        "prefer": _text(file.prefer),
        "wins_if": _text(file.wins_if),
        "titles": [{**_given(title, ("when",)), "names": _names(title)} for title in file.titles],
        "refuses": [{"when": refusal.when.text, "en": refusal.en} for refusal in file.refuses],
        "instant": _text(file.instant),
        "pay": [_given(rule, ("when", "named", "liable", "others", "dealer")) for rule in file.pay],
        "false_win": _text(file.false_win),
        "liability": [_liability(rule) for rule in file.liability],
        "liability_conflict": ruleset.liability_conflict if file.liability else None,
        "wall": None if ruleset.wall is None else _wall(ruleset.wall),
        "play": None if ruleset.play is None else _play(ruleset.play),
        "rotation": None if ruleset.rotation is None else asdict(ruleset.rotation),
    }


def _text(text: Text | None) -> str | None:
    return None if text is None else text.text


def _texts(texts: Sequence[Text]) -> list[str]:
    return [text.text for text in texts]


def _given(rule: Any, keys: tuple[str, ...]) -> dict[str, str]:
    """Return the texts of a rule that are there."""
    return {key: text.text for key in keys if (text := getattr(rule, key)) is not None}


def _names(of: Pattern | Option | Title) -> Mapping[str, str]:
    return dict(zip(LANGUAGES, (of.en, of.zh_hant, of.zh_hans), strict=True))


def _option(option: Option, value: OptionValue) -> dict[str, Any]:
    """Return an option with its value and its default, a list of numbers as one."""
    return {
        "value": list(value) if isinstance(value, tuple) else value,
        "default": option.default.text,
        "values": option_values(option),
        "about": _names(option),
    }


def _pattern(pattern: Pattern, ruleset: Ruleset) -> dict[str, Any]:
    name = pattern.id.text
    value = ruleset.program.fans.get(name)
    found: dict[str, Any] = {
        "id": name,
        "names": _names(pattern),
        "aliases": list(pattern.aliases),
        "in_play": ruleset.pattern(name) is not None,
        "group": pattern.group,
        "fan": _text(pattern.fan),
        "value": value if isinstance(value, int) else None,
    }
    found |= _given(pattern, ("when", "times", "otherwise", "only_if", "unless"))
    for key in ("sets", "without", "contains", "excludes", "match", "no_match"):
        if texts := getattr(pattern, key):
            found[key] = _texts(texts)
    if pattern.any:
        found["any"] = [_texts(terms) for terms in pattern.any]
    for key in ("each", "source", "note"):
        if said := getattr(pattern, key):
            found[key] = said
    return found


def _jokers(ruleset: Ruleset) -> dict[str, Any] | None:
    """Return which tile is the joker and where it may stand; None where there are none."""
    tiles = ruleset.tiles
    if not tiles.copies[JOKER_KIND]:
        return None
    return {"tile": str(TILES[JOKER_KIND if tiles.bird is None else tiles.bird]), "kongs": ruleset.joker_kongs}


def _liability(rule: LiabilityRule) -> dict[str, Any]:
    said = {"id": rule.id.text, "en": rule.en, "when": rule.when.text, "feeder": rule.feeder}
    return said if rule.melds is None else {**said, "melds": rule.melds.text}


def _wall(wall: WallRules) -> dict[str, Any]:
    """Return what is said of the wall, under the options that are set."""
    return _listed({**asdict(wall), "tiles": wall.tiles.size, "opener": wall.opener or ("dealer",)})


def _play(play: PlayRules) -> dict[str, Any]:
    """Return what is said of play, under the options that are set, with tiles written out."""
    found = _listed(asdict(play))
    if play.river is not None:
        found["river"]["kinds"] = format_tiles(TILES[kind] for kind in play.river.kinds)
    return found


def _listed(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is found with its tuples as lists."""
    return {key: list(value) if isinstance(value, tuple) else value for key, value in found.items()}
