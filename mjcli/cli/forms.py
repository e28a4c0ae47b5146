"""Which forms 牌型 count, as the command line says; shared by the commands that ask about tiles alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from mjcli.cli.command import choice
from mjcli.cli.messages import UsageError
from mjcli.forms import DEFAULT_FORMS, RULES, FormRules

if TYPE_CHECKING:
    from typer.core import TyperOption

    from mjcli.cli.request import Request

__all__ = ["counted_forms", "least", "seven_pairs", "shown_forms"]

OFF: Final = "off"


def seven_pairs() -> TyperOption:
    """Return the option ``--seven-pairs``, which ``counted_forms`` reads."""
    rules = RULES["seven-pairs"]
    return choice(
        "--seven-pairs",
        values=(*rules, OFF),
        about="Without a ruleset the standard form, seven pairs and thirteen orphans count: the pairs different (the "
        "default), or four alike as two of them, or not at all.",
        group="Rules",
    )


def counted_forms(request: Request) -> FormRules:
    """Return the forms that count, each with its rule: those of the ruleset, else of ``--seven-pairs``.

    Raises:
        UsageError: both are given.
    """
    rule = request.own["seven_pairs"]
    if request.ruleset is not None:
        if rule is not None:
            raise UsageError("--seven-pairs goes without a ruleset, which says this itself")
        return request.ruleset.forms
    if rule == OFF:
        return {form: each for form, each in DEFAULT_FORMS.items() if form != "seven-pairs"}
    return {**DEFAULT_FORMS, "seven-pairs": rule or DEFAULT_FORMS["seven-pairs"]}


def shown_forms(request: Request, counted: FormRules) -> FormRules:
    """Return the forms whose shanten is shown one by one: always the three that count without a ruleset, and more."""
    if request.ruleset is None:
        return {**DEFAULT_FORMS, **counted}
    return {**DEFAULT_FORMS, **{form: rule for form, rule in counted.items() if form not in DEFAULT_FORMS}}


def least(found: Mapping[str, int | None], forms: FormRules) -> int | None:
    """Return the least shanten over ``forms``, of one for each form; None if the melds forbid every one."""
    return min((number for form, number in found.items() if form in forms and number is not None), default=None)
