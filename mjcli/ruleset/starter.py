"""The text of a ruleset file to start from: over another ruleset, with what is usually changed as comments."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mjcli.errors import InputError
from mjcli.ruleset.contents import contents
from mjcli.ruleset.differences import readers
from mjcli.ruleset.layers import read_ruleset
from mjcli.ruleset.load import load_ruleset
from mjcli.ruleset.paths import SUFFIX, folder, ruleset_path
from mjcli.ruleset.resolved import scalar
from mjcli.ruleset.shapes import RULESET_ID

__all__ = ["starter"]


def starter(path: Path, extends: str, name: str | None = None) -> str:
    """Return the text of a ruleset file that extends another, changes nothing yet, and passes its tests.

    Under ``options`` and ``patterns`` stands, as comments, how a default and a value are changed.

    >>> starter(Path("my-club.yaml"), "jipinghu").splitlines()[6:8]
    ['id: my-club', 'version: 1 # one more whenever an answer changes']

    Args:
        path: where the file is to be: the ruleset under it is looked for beside it first.
        extends: that ruleset, by id or by path.
        name: the id of the new ruleset; without it the name of the file.

    Raises:
        InputError: the name is none (``bad-name``), or there is no such ruleset that this file could extend
            (``no-ruleset``).
        RulesetError: the ruleset under it has faults.
    """
    if path.suffix != SUFFIX:
        raise InputError("bad-name", f"'{path}' does not end in {SUFFIX}, by which a ruleset is known")
    name = path.stem if name is None else name
    if not RULESET_ID.fits(name):
        raise InputError("bad-name", f"'{name}' is not {RULESET_ID.what}; name it with --id")
    under = _under(path, extends)
    file, _ = read_ruleset(under)
    said = contents(file, load_ruleset(str(under)))
    return "\n".join(_lines(path.name, name, under.stem, said)) + "\n"


def _under(path: Path, extends: str) -> Path:
    """Return the file that ``extends`` names, if a file at ``path`` can extend it.

    Raises:
        InputError: there is none, or it cannot (``no-ruleset``).
    """
    under = ruleset_path(extends, path.parent)
    if under.parent.resolve() not in (path.parent.resolve(), folder()):
        message = f"'{extends}' lies in another folder; a ruleset extends one beside it, or one that comes with mjcli"
        raise InputError("no-ruleset", message)
    if not RULESET_ID.fits(under.stem):
        message = f"'{extends}' cannot be extended: '{under.stem}' is not {RULESET_ID.what}"
        raise InputError("no-ruleset", message)
    if path.stem == under.stem:
        raise InputError("no-ruleset", f"'{path}' would extend itself; give the file another name than '{under.stem}'")
    return under


def _lines(file: str, name: str, under: str, said: dict[str, Any]) -> Iterator[str]:
    title = scalar(name.replace("-", " ").capitalize())
    yield f"# What this file does not say is as in {under}. What it comes to, and whether it is right, say"
    yield f"#   mjcli rules show {file}"
    yield f"#   mjcli rules check {file}"
    yield f"#   mjcli rules test {file}"
    yield f"#   mjcli rules diff {under} {file}"
    yield ""
    yield f"id: {name}"
    yield "version: 1 # one more whenever an answer changes"
    yield "names:"
    yield from (f"  {language}: {title}" for language in ("en", "zh-Hant", "zh-Hans"))
    yield f"extends: {under}"
    yield from _option_lines(under, said)
    yield from _pattern_lines(under, said)


def _option_lines(under: str, said: dict[str, Any]) -> Iterator[str]:
    """Yield how to change the default of an option, if possible one of score or payment, so that no example minds."""
    options = {name: other for name, option in said["options"].items() if (other := _other_value(option))}
    if options:
        where = {name: readers(name, said) for name in options}
        free = (
            name for name, paths in where.items() if paths and not any(path.startswith("patterns.") for path in paths)
        )
        name = next(free, next(iter(options)))
        option = said["options"][name]
        yield ""
        yield f"# Another default for an option; 'mjcli rules show {under}' lists all."
        yield "# options:"
        values = ", ".join("any whole number" if value == "number" else value for value in option["values"])
        yield f"#   {name}: # {' '.join(option['about']['en'].split())}"
        yield f"#     default: {options[name]} # {option['default']} in {under}; it may be {values}"


def _other_value(option: dict[str, Any]) -> str:
    """Return a value that an option may have and has not, or nothing if there is no other."""
    others = [value for value in option["values"] if value not in (option["default"], "number")]
    if others:
        return str(others[0])
    return str(int(option["default"]) + 1) if "number" in option["values"] and option["default"].isdigit() else ""


def _pattern_lines(under: str, said: dict[str, Any]) -> Iterator[str]:
    """Yield how to change the value of a pattern, with the hands that prove it: the first that is worth some."""
    worth = (each for each in said["patterns"] if each["value"] and each["fan"] == str(each["value"]))
    pattern = next((each for each in worth if each["in_play"] and "match" in each), None)
    if pattern is not None:
        name = " ".join((pattern["names"]["en"] or pattern["id"]).split())
        yield ""
        yield f"# Of a pattern of {under} only the keys that are given here change; one with an id of its own is added."
        yield "patterns:"
        yield f"- id: {pattern['id']} # {name}"
        yield f"  # fan: {pattern['value'] + 1} # {pattern['value']} in {under}"
        yield "  match: # hands in which it must stand, as 'mjcli rules test' finds"
        yield from (f"  - {scalar(hand)}" for hand in pattern["match"])
