"""What is wrong with the names and options of a ruleset file, whatever its options are set to."""

from __future__ import annotations

from collections.abc import Iterator

from mjcli.errors import Fault
from mjcli.ruleset import expressions as ex
from mjcli.ruleset.model import Option, RulesetFile
from mjcli.ruleset.options import allows, is_value, option_values
from mjcli.ruleset.shapes import IDENTIFIER, nearest
from mjcli.ruleset.source import Place
from mjcli.ruleset.words import FORMS, FUNCTIONS, OTHER_FUNCTIONS, OWN_WORDS, TILE_SETS, WAITS, WINDS, WORDS

__all__ = ["name_faults", "pattern_names", "unknown_pattern"]


def pattern_names(file: RulesetFile) -> dict[str, None]:
    """Return, as keys, every pattern, in play, switched off or dropped by a layer: references to any are right."""
    return dict.fromkeys((*(pattern.id.text for pattern in file.patterns), *(text.text for text in file.drop)))


def unknown_pattern(name: str, file: RulesetFile, *, families: bool = False) -> str:
    """Return the message for a reference to no pattern, or to no family either where those may stand."""
    known = [*pattern_names(file), *(file.families if families else ())]
    return f"no {'pattern or family' if families else 'pattern'} '{name}'{nearest(name, known)}"


def name_faults(file: RulesetFile) -> Iterator[Fault]:
    """Yield a fault for each name that is doubled, unknown, or means something else already."""
    words = {**WORDS, **FUNCTIONS, **OTHER_FUNCTIONS, **FORMS, **WAITS, **WINDS, **TILE_SETS}
    taken: dict[str, str] = dict.fromkeys((*words, *ex.RESERVED, *OWN_WORDS), "a word of the language")
    for kind, names in (
        ("an option", {name: option.place for name, option in file.options.items()}),
        ("a context word", {name: word.place for name, word in file.context.items()}),
        ("a pattern", {pattern.id.text: pattern.id.place for pattern in reversed(file.patterns)}),
        ("a family", {name: members[0].place for name, members in file.families.items() if members}),
    ):
        for name, place in names.items():
            if name in taken and not (kind == "a pattern" and taken[name] == "an option"):
                yield place.fault(f"'{name}' is {taken[name]} already", name)
            taken.setdefault(name, kind)
    for name, text in file.score.items():
        if name in taken and taken[name] not in ("an option", "a family"):
            yield text.fault(f"step '{name}' is {taken[name]} already", f"score.{name}")
    yield from _pattern_faults(file)
    names_of_patterns = pattern_names(file)
    for family, members in file.families.items():
        for member in members:
            if member.text not in names_of_patterns:
                yield member.fault(unknown_pattern(member.text, file), f"families.{family}")
    for name, option in file.options.items():
        yield from _option_faults(name, option)


def _pattern_faults(file: RulesetFile) -> Iterator[Fault]:
    """Yield a fault for each id that is none or doubled, and for each group that has a name of its own."""
    seen: dict[str, Place] = {}
    for pattern in file.patterns:
        name = pattern.id.text
        if not IDENTIFIER.fits(name):
            yield pattern.id.fault(f"'{name}' is not {IDENTIFIER.what}", "patterns")
        if name in seen:
            yield pattern.id.fault(f"pattern '{name}' is doubled (first on line {seen[name].line})", "patterns")
        seen.setdefault(name, pattern.id.place)
        if pattern.group == "all":
            yield pattern.id.fault("group 'all' is every group; give this one another name", f"patterns.{name}")
    for pattern in file.patterns:
        for alias in pattern.aliases:
            if seen.setdefault(alias, pattern.id.place) is not pattern.id.place or alias == pattern.id.text:
                path = f"patterns.{pattern.id.text}.aliases"
                yield pattern.id.fault(f"alias '{alias}' is a pattern's id or alias already", path)


def _option_faults(name: str, option: Option) -> Iterator[Fault]:
    """Yield a fault for each value that no condition can name, and for a default that is not allowed."""
    path = f"options.{name}"
    default, allowed = option.default, option_values(option)
    if not allows(allowed, default.text):
        yield default.fault(f"default '{default.text}' is none of {', '.join(allowed)}", path)
    for value in option.values or [default]:
        if not is_value(value.text):
            yield value.fault(f"'{value.text}' is no value; it is true, false, a number, a word or a tile", path)
