"""Which forms 牌型 count, as the command line says; shared by the commands that ask about tiles alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from mjcli.cli.command import choice
from mjcli.forms import DEFAULT_FORMS, RULES, FormRules

if TYPE_CHECKING:
    from typer.core import TyperOption

    from mjcli.cli.hands import Request

__all__ = ["forms_of", "least", "seven_pairs"]

OFF: Final = "off"


def seven_pairs() -> TyperOption:
    """Return the option ``--seven-pairs``, which ``forms_of`` reads."""
    return choice(
        "--seven-pairs",
        values=(*RULES["seven-pairs"], OFF),
        default=DEFAULT_FORMS["seven-pairs"],
        about="Seven different pairs, or four alike as two of them, or not at all.",
        group="Rules",
    )


def forms_of(request: Request) -> FormRules:
    """Return the forms that count, each with its rule."""
    rule = request.own["seven_pairs"]
    if rule == OFF:
        return {form: each for form, each in DEFAULT_FORMS.items() if form != "seven-pairs"}
    return {**DEFAULT_FORMS, "seven-pairs": rule}


def least(found: Mapping[str, int | None], forms: FormRules) -> int:
    """Return the least shanten over ``forms``, of one for each form; the standard form always has one."""
    return min(number for form, number in found.items() if form in forms and number is not None)
