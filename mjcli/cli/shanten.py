"""``mjcli shanten``: how far each hand is from ready."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from mjcli.cli.forms import counted_forms, least, seven_pairs, shown_forms
from mjcli.cli.hands import Answer, HandCommand
from mjcli.distance import forms_shanten
from mjcli.forms import DEFAULT_FORMS

if TYPE_CHECKING:
    from mjcli.cli.request import Request
    from mjcli.hand import Line

__all__ = ["command"]

HEADS: Final = {
    "hand": ("hand", "手牌", "手牌"),
    "shanten": ("shanten", "向聽", "向听"),
    "standard": ("standard", "四面子一將", "四面子一将"),
    "seven-pairs": ("seven pairs", "七對", "七对"),
    "thirteen-orphans": ("thirteen orphans", "十三幺", "十三幺"),
}


def prepare(request: Request) -> Callable[[Line], Answer]:
    """Return what answers one line."""
    counted = counted_forms(request)
    shown = shown_forms(request, counted)
    told_by_shown = all(shown.get(form) == rule for form, rule in counted.items())

    def answer(line: Line) -> Answer:
        found = forms_shanten(line.hand, shown)
        counting = found if told_by_shown else forms_shanten(line.hand, counted)
        return {"shanten": least(counting, counted), "forms": found}

    return answer


def number(shanten: int | None) -> str:
    """Return a shanten as text, a dash where the melds forbid the form."""
    return "-" if shanten is None else str(shanten)


command = HandCommand(
    "shanten",
    summary="Print how many tiles each hand is from ready.",
    details="-1 is complete, 0 ready 聽牌, 1 one tile from ready 一向聽, and so on: the least over the forms that "
    "count.",
    examples=(
        ("mjcli shanten 123m456p77z", "other sets are taken as made"),
        ("mjcli shanten 123456789m1111z", "a fifth 1z is never hoped for"),
        ("mjcli shanten 234m5p,678s,2222po,3333s --json", "melds after commas; with each form"),
        ("mjcli shanten -i hands.txt.gz -f csv -o shanten.csv", "a whole file"),
    ),
    columns=("shanten", "forms"),
    prepare=prepare,
    text=lambda answer, _: number(answer["shanten"]),
    heads=tuple(HEADS.values()),
    rows=lambda answer, request: [
        (
            request.shown(answer["hand"]),
            number(answer["shanten"]),
            *(number(answer["forms"][form]) for form in DEFAULT_FORMS),
        )
    ],
    options=(seven_pairs(),),
)
