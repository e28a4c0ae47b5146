"""``mjcli rules show``: what a ruleset says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from typer.core import TyperArgument

from mjcli.cli.command import Command
from mjcli.cli.output import aligned
from mjcli.cli.request import LANGUAGES, language_option, options_said, settings_option
from mjcli.cli.rules.common import write_json, write_lines, writing
from mjcli.ruleset import load_ruleset
from mjcli.ruleset.decisions import Decisions
from mjcli.ruleset.inplay import copies_in_play
from mjcli.ruleset.layers import read_ruleset
from mjcli.ruleset.options import option_values
from mjcli.ruleset.paths import ruleset_path
from mjcli.tiles import JOKER_KIND, TILES

if TYPE_CHECKING:
    from mjcli.cli.messages import Messages
    from mjcli.ruleset import Ruleset
    from mjcli.ruleset.model import Pattern, RulesetFile
    from mjcli.ruleset.program import WallRules
    from mjcli.ruleset.source import Text

__all__ = ["command"]


def said(file: RulesetFile, ruleset: Ruleset) -> dict[str, Any]:
    """Return a ruleset as one object: what the file says, with the values of its options."""
    return {
        "id": file.id,
        "version": file.version,
        "names": dict(file.names),
        "sources": file.sources,
        "tiles": {key: copies for key, copies in _copies(file, ruleset).items() if copies},
        "forms": dict(ruleset.forms),
        "jokers": _jokers(ruleset),
        "claimed_chows": ruleset.claimed_chows,
        "options": {
            name: {
                "value": ruleset.options[name],
                "values": option_values(option),
                "about": dict(zip(LANGUAGES, (option.en, option.zh_hant, option.zh_hans), strict=True)),
            }
            for name, option in file.options.items()
        },
        "context": {name: {"kind": word.kind, "en": word.en} for name, word in file.context.items()},
        "patterns": [_pattern(pattern, ruleset) for pattern in file.patterns],
        "series": [
            {"tiers": [[text.text for text in tier] for tier in series.tiers], "unless": _text(series.unless)}
            for series in file.series
        ],
        "alone": file.alone
        and {
            "of": [text.text for text in file.alone.of],
            "least": file.alone.least,
            "unless": _text(file.alone.unless),
        },
        "score": {name: text.text for name, text in file.score.items()},
        "best": [text.text for text in file.best],
        "wins_if": _text(file.wins_if),
        "instant": _text(file.instant),
        "pay": [
            {key: text.text for key in ("when", "named", "others", "dealer") if (text := getattr(rule, key))}
            for rule in file.pay
        ],
        "false_win": _text(file.false_win),
        "liability": [
            {"id": rule.id.text, "en": rule.en, "when": rule.when.text, "feeder": rule.feeder}
            for rule in file.liability
        ],
        "wall": None if ruleset.wall is None else _wall(ruleset.wall),
        "play": None if ruleset.play is None else asdict(ruleset.play),
        "rotation": None if ruleset.rotation is None else asdict(ruleset.rotation),
    }


def _copies(file: RulesetFile, ruleset: Ruleset) -> dict[str, int]:
    return copies_in_play(file, Decisions(file, ruleset.options))


def _jokers(ruleset: Ruleset) -> dict[str, Any] | None:
    """Return which tile is the joker and where it may stand; None where there are none."""
    tiles = ruleset.tiles
    if not tiles.copies[JOKER_KIND]:
        return None
    return {"tile": str(TILES[JOKER_KIND if tiles.bird is None else tiles.bird]), "kongs": ruleset.joker_kongs}


def _wall(wall: WallRules) -> dict[str, Any]:
    """Return what is said of the wall, under the options that are set."""
    found = {**asdict(wall), "tiles": wall.tiles.size, "opener": wall.opener or ("dealer",)}
    return {key: list(value) if isinstance(value, tuple) else value for key, value in found.items()}


def _text(text: Text | None) -> str | None:
    return None if text is None else text.text


def _pattern(pattern: Pattern, ruleset: Ruleset) -> dict[str, Any]:
    found: dict[str, Any] = {
        "id": pattern.id.text,
        "names": dict(zip(LANGUAGES, (pattern.en, pattern.zh_hant, pattern.zh_hans), strict=True)),
        "aliases": pattern.aliases,
        "in_play": ruleset.pattern(pattern.id.text) is not None,
        "group": pattern.group,
        "fan": _text(pattern.fan),
    }
    for key in ("when", "times", "otherwise", "only_if", "unless"):
        if (text := getattr(pattern, key)) is not None:
            found[key] = text.text
    for key in ("sets", "without", "contains", "excludes", "match", "no_match"):
        if texts := getattr(pattern, key):
            found[key] = [text.text for text in texts]
    if pattern.any:
        found["any"] = [[text.text for text in texts] for texts in pattern.any]
    for key in ("each", "source", "note"):
        if value := getattr(pattern, key):
            found[key] = value
    return found


def shown(rules: dict[str, Any], lang: str) -> Iterator[str]:
    """Yield what people read."""
    yield f"{rules['id']} (version {rules['version']}): {rules['names'].get(lang, rules['id'])}"
    yield from (f"  source: {source}" for source in rules["sources"])
    yield "tiles: " + " ".join(f"{key} x{copies}" for key, copies in rules["tiles"].items())
    yield "forms: " + ", ".join(f"{form} ({rule})" if rule else form for form, rule in rules["forms"].items())
    if rules["jokers"] is not None:
        jokers = rules["jokers"]
        read = "" if jokers["tile"] == "1j" else ", read as 1j"
        yield f"jokers: {jokers['tile']}{read}{'' if jokers['kongs'] else ', none in kongs'}"
    if rules["claimed_chows"] != "mps":
        yield f"chows claimed of: {' '.join(rules['claimed_chows']) or 'nothing'}"
    if rules["options"]:
        yield "options"
        yield from aligned(
            [
                (f"{name}={_value(option['value'])}", f"[{'|'.join(option['values'])}]", _in(lang, option["about"]))
                for name, option in rules["options"].items()
            ],
            "  ",
        )
    groups = dict.fromkeys(pattern["group"] for pattern in rules["patterns"])
    for group in groups:
        yield f"patterns: {group}"
        yield from aligned(
            [
                (
                    pattern["id"],
                    pattern["names"][lang] or pattern["names"]["en"],
                    pattern["fan"] or "0",
                    _condition(pattern),
                )
                for pattern in rules["patterns"]
                if pattern["group"] == group
            ],
            "  ",
        )
    if rules["series"]:
        yield "only the first of these counts"
        for series in rules["series"]:
            tiers = " > ".join(" + ".join(tier) for tier in series["tiers"])
            yield f"  {tiers}{' (unless ' + series['unless'] + ')' if series['unless'] else ''}"
    if rules["alone"]:
        alone = rules["alone"]
        unless = f" (unless {alone['unless']})" if alone["unless"] else ""
        yield f"the dearest of these from {alone['least']} fan counts alone: {', '.join(alone['of'])}{unless}"
    notes = [(pattern["id"], pattern["note"]) for pattern in rules["patterns"] if "note" in pattern]
    if notes:
        yield "notes"
        yield from aligned(notes, "  ")
    yield "score"
    yield from aligned(list(rules["score"].items()), "  ")
    if rules["wins_if"]:
        yield f"wins if: {rules['wins_if']}"
    if rules["instant"]:
        yield f"wins at once if: {rules['instant']}"
    yield "payments"
    yield from (f"  {', '.join(f'{key}: {text}' for key, text in rule.items())}" for rule in rules["pay"])
    if rules["false_win"]:
        yield f"  a false win: to each other player what a self-draw of this fan pays: {rules['false_win']}"
    if rules["liability"]:
        yield "pays alone"
        yield from aligned([(rule["id"], rule["en"]) for rule in rules["liability"]], "  ")
    for section in ("wall", "play", "rotation"):
        if rules[section] is not None:
            yield f"{section}, under these options"
            yield from aligned([(key, _value(value)) for key, value in rules[section].items()], "  ")


def _in(lang: str, names: dict[str, str]) -> str:
    return names[lang] or names["en"]


def _value(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _condition(pattern: dict[str, Any]) -> str:
    parts = []
    if "sets" in pattern:
        parts.append(f"sets {', '.join(pattern['sets'])}")
    if "any" in pattern:
        parts.append(f"any of {' / '.join(', '.join(terms) for terms in pattern['any'])}")
    if "without" in pattern:
        parts.append(f"without {', '.join(pattern['without'])}")
    parts += [f"{key} {pattern[key]}" for key in ("each", "times", "when", "otherwise") if key in pattern]
    parts += [f"{key} {', '.join(pattern[key])}" for key in ("contains", "excludes") if key in pattern]
    if not pattern["in_play"]:
        parts.append("not in play under these options")
    return "; ".join(parts)


def run(told: Messages, *, name: str, settings: Sequence[str] | None, lang: str, json: bool, output: str | None) -> int:
    """Write what the ruleset says."""
    del told
    ruleset = load_ruleset(name, options_said(settings or ()))
    file, _ = read_ruleset(ruleset_path(name))
    rules = said(file, ruleset)
    if json:
        write_json(output, rules)
    else:
        write_lines(output, shown(rules, lang))
    return 0


command = Command(
    "show",
    summary="Print what a ruleset says.",
    details="Tiles, forms, options with their values, every pattern with fan and condition, notes on what is doubtful, "
    "the score, the payments. A ruleset that extends others is shown as the sum of its layers.",
    examples=(
        ("mjcli rules show jipinghu", "for people"),
        ("mjcli rules show jipinghu --set cap=none --lang zh-Hant", "under an option"),
        ("mjcli rules show jipinghu --json", "for programs"),
    ),
    params=[
        TyperArgument(param_decls=["name"], required=True, metavar="NAME|PATH", help="A ruleset by id or by path."),
        settings_option(),
        language_option(),
        *writing(),
    ],
    run=run,
)
