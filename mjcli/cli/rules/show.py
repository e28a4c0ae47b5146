"""``mjcli rules show``: what a ruleset says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from typer.core import TyperArgument

from mjcli.cli.command import Command, flag
from mjcli.cli.messages import UsageError
from mjcli.cli.output import aligned
from mjcli.cli.request import language_option, options_said, settings_option
from mjcli.cli.rules.common import write_json, write_lines, writing
from mjcli.ruleset import load_ruleset
from mjcli.ruleset.contents import contents
from mjcli.ruleset.layers import read_ruleset
from mjcli.ruleset.paths import ruleset_path

if TYPE_CHECKING:
    from mjcli.cli.messages import Messages

__all__ = ["command", "condition_text", "fan_text"]


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
    if rules["families"]:
        yield "families"
        yield from aligned([(name, ", ".join(members)) for name, members in rules["families"].items()], "  ")
    groups = dict.fromkeys(pattern["group"] for pattern in rules["patterns"])
    for group in groups:
        unit = rules["units"].get(group)
        yield f"patterns: {group}" + (f" (in {unit.get(lang) or unit['en']})" if unit else "")
        yield from aligned(
            [
                (
                    pattern["id"],
                    pattern["names"][lang] or pattern["names"]["en"],
                    fan_text(pattern),
                    condition_text(pattern),
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
    for kind, members in rules["combine_once"].items():
        yield f"{kind} that share at most one set: {', '.join(members)}"
    notes = [(pattern["id"], pattern["note"]) for pattern in rules["patterns"] if "note" in pattern]
    if notes:
        yield "notes"
        yield from aligned(notes, "  ")
    if rules["tables"]:
        yield "tables"
        yield from aligned([(name, " ".join(map(str, numbers))) for name, numbers in rules["tables"].items()], "  ")
    yield "score"
    yield from aligned(list(rules["score"].items()), "  ")
    yield f"the reading is taken that has the most: {', then '.join(rules['best'])}"
    if rules["prefer"]:
        yield f"before all others one for which: {rules['prefer']}"
    if rules["wins_if"]:
        yield f"wins if: {rules['wins_if']}"
    if rules["instant"]:
        yield f"wins at once if: {rules['instant']}"
    if rules["titles"]:
        yield "called"
        titles = [(_in(lang, title["names"]), title.get("when", "always")) for title in rules["titles"]]
        yield from aligned(titles, "  ")
    if rules["refuses"]:
        yield "refused"
        yield from aligned([(refusal["en"], refusal["when"]) for refusal in rules["refuses"]], "  ")
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
    if isinstance(value, dict):
        return ", ".join(f"{key} {_value(each)}" for key, each in value.items())
    if value is None:
        return "none"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def fan_text(pattern: dict[str, Any]) -> str:
    """Return the value of a pattern as the file says it, and what that comes to where options alone decide it."""
    text, value = pattern["fan"] or "0", pattern["value"]
    return text if value is None or text == str(value) else f"{text} = {value}"


def condition_text(pattern: dict[str, Any]) -> str:
    """Return what must hold for a pattern, and what it takes away."""
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


def run(
    told: Messages,
    *,
    name: str,
    settings: Sequence[str] | None,
    whole: bool,
    lang: str,
    json: bool,
    output: str | None,
) -> int:
    """Write what the ruleset says."""
    del told
    if whole and (json or settings):
        refused = "--json" if json else "--set"
        raise UsageError(f"--resolved writes the file itself, as YAML with every default; leave out {refused}")
    ruleset = load_ruleset(name, options_said(settings or ()))
    path = ruleset_path(name)
    if whole:
        from mjcli.ruleset.resolved import resolved

        write_lines(output, resolved(path).splitlines())
        return 0
    file, _ = read_ruleset(path)
    rules = contents(file, ruleset)
    if json:
        write_json(output, rules)
    else:
        write_lines(output, shown(rules, lang))
    return 0


command = Command(
    "show",
    summary="Print what a ruleset says.",
    details="Tiles, forms, options with their values, every pattern with fan and condition, notes on what is doubtful, "
    "the score, the payments. A ruleset that extends others is shown as the sum of its layers; --resolved "
    "writes that sum as one file, in which a comment after each value says where it stands.",
    examples=(
        ("mjcli rules show jipinghu", "for people"),
        ("mjcli rules show jipinghu --set cap=none --lang zh-Hant", "under an option"),
        ("mjcli rules show guangdong-liudu --resolved", "with all layers in one file"),
        ("mjcli rules show jipinghu --json", "for programs"),
    ),
    params=[
        TyperArgument(param_decls=["name"], required=True, metavar="NAME|PATH", help="A ruleset by id or by path."),
        settings_option(),
        flag("whole", "--resolved", about="Write the file and all that it extends as one YAML file.", group="Output"),
        language_option(),
        *writing(),
    ],
    run=run,
)
