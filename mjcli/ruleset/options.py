"""Options: house rules of a ruleset, their values and what may be set."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from mjcli.errors import InputError
from mjcli.ruleset.model import Option, RulesetFile
from mjcli.ruleset.program import OptionValue
from mjcli.ruleset.shapes import nearest

__all__ = ["allows", "chosen", "is_value", "option_value", "option_values"]

MOST: Final = 9_999_999
"""The greatest number that an option may have."""


def option_value(text: str) -> OptionValue:
    """Return what an option's value stands for: a truth, a number, a word, or of ``[1, 2]`` a list of numbers."""
    if text in ("true", "false"):
        return text == "true"
    if text.startswith("[") and re.fullmatch(r"\[ *[0-9]{1,6}( *, *[0-9]{1,6})* *\]", text):
        return tuple(int(number) for number in text[1:-1].split(","))
    return int(text) if re.fullmatch(r"0|[1-9][0-9]{0,6}", text) else text


def option_values(option: Option) -> list[str]:
    """Return the values that an option may have, as texts; ``number`` stands for any whole number."""
    if option.values:
        return [value.text for value in option.values]
    default = option_value(option.default.text)
    if isinstance(default, bool):
        return ["true", "false"]
    return ["number"] if isinstance(default, int) else [option.default.text]


def is_value(text: str) -> bool:
    """Return whether conditions can ask about an option that is ``text``: a truth, number, word, tile or list."""
    if not isinstance(option_value(text), str):
        return True
    return re.fullmatch(r"[A-Za-z_]\w*|[1-9][mpszjfga]", text, re.ASCII) is not None


def allows(allowed: list[str], text: str) -> bool:
    """Return whether ``text`` is one of the values that ``option_values`` gave."""
    value = option_value(text)
    if isinstance(value, tuple):
        return value in map(option_value, allowed)
    if text == "number":
        return False
    return text in allowed or ("number" in allowed and isinstance(value, int) and not isinstance(value, bool))


def chosen(file: RulesetFile, said: Mapping[str, str]) -> dict[str, OptionValue]:
    """Return the value of every option: what was said, as text, or the default.

    Raises:
        InputError: there is no such option or value (``bad-option``).
    """
    for name, text in said.items():
        option = file.options.get(name)
        if option is None:
            known = list(file.options)
            hint = nearest(name, known) or f" (options: {', '.join(known) or 'none'})"
            raise InputError("bad-option", f"ruleset {file.id} has no option '{name}'{hint}")
        allowed = option_values(option)
        if not allows(allowed, text):
            number = f"a whole number of 0 to {MOST}"
            values = ", ".join(number if value == "number" else value for value in allowed)
            hint = nearest(text, [value for value in allowed if value != "number"])
            raise InputError("bad-option", f"option '{name}' cannot be '{text}'; it can be {values}{hint}")
    return {name: option_value(said.get(name, option.default.text)) for name, option in file.options.items()}
