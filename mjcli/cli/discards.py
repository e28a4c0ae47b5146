"""``mjcli discards``: every discard of each hand with what it leaves to draw, best first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from mjcli import acceptance
from mjcli.cli.forms import counted_forms, least, seven_pairs
from mjcli.cli.hands import Answer, HandCommand
from mjcli.distance import forms_shanten

if TYPE_CHECKING:
    from mjcli.acceptance import Acceptance
    from mjcli.cli.request import Request
    from mjcli.hand import Line

__all__ = ["command"]


def prepare(request: Request) -> Callable[[Line], Answer]:
    """Return what answers one line."""
    forms = counted_forms(request)
    ruleset = request.ruleset
    tiles = None if ruleset is None else ruleset.tiles

    def answer(line: Line) -> Answer:
        hand = line.hand
        seen = line.context.seen if ruleset is None else ruleset.shown(line.context)
        shanten = least(forms_shanten(hand, forms), forms)
        if hand.tile_count % 3 == 1:
            return {"shanten": shanten, "discards": [], **accepted(acceptance.acceptance(hand, seen, forms, tiles))}
        ranked = acceptance.discards(hand, seen, forms, tiles)
        return {
            "shanten": shanten,
            "discards": [{"tile": str(each.tile), "shanten": each.shanten, **accepted(each)} for each in ranked],
        }

    return answer


def accepted(found: Acceptance) -> Answer:
    """Return the tiles that help, as keys of an answer."""
    accepts = [{"tile": str(wait.tile), "left": wait.left} for wait in found.accepts]
    return {"accepts": accepts, "kinds": found.kinds, "copies": found.copies}


def choices(answer: Answer) -> list[Answer]:
    """Return the discards of an answer; of a hand that has none to make, its acceptance in place of them."""
    return answer["discards"] or [{"tile": "", **answer}]


def tiles(choice: Answer, request: Request) -> str:
    """Return the accepted tiles with their copies."""
    return " ".join(f"{request.shown(wait['tile'])}:{wait['left']}" for wait in choice["accepts"])


def text(answer: Answer, request: Request) -> str:
    """Return the discards with shanten and acceptance, best first, with semicolons between."""
    return "; ".join(
        " ".join(filter(None, (request.shown(each["tile"]), str(each["shanten"]), tiles(each, request))))
        for each in choices(answer)
    )


def rows(answer: Answer, request: Request) -> Iterator[tuple[object, ...]]:
    """Yield a row for each discard, best first."""
    hand = request.shown(answer["hand"])
    for each in choices(answer):
        shown = (tiles(each, request), each["kinds"], each["copies"])
        yield hand, request.shown(each["tile"]), each["shanten"], *shown


command = HandCommand(
    "discards",
    summary="Rank the discards of each hand by what they leave to draw.",
    details="Each discard stands with the shanten 向聽 that it leaves and the tiles that bring the hand nearer 進張, "
    "with the copies left of each; the best is the one of least shanten, then of most copies. Of 3n+1 tiles there is "
    "none to make, and the acceptance of the hand is shown.",
    examples=(
        ("mjcli discards 123m456p1223s7z", "11 tiles: one set is taken as made"),
        ("mjcli discards 123m456p1223s7z -f table", "the same as a table"),
        ("mjcli discards 123m456p1223s --seen 3s3s", "the acceptance of 10 tiles"),
    ),
    columns=("shanten", "discards", "accepts", "kinds", "copies"),
    prepare=prepare,
    text=text,
    heads=(
        ("hand", "手牌", "手牌"),
        ("discard", "打", "打"),
        ("shanten", "向聽", "向听"),
        ("accepts", "進張", "进张"),
        ("kinds", "種", "种"),
        ("copies", "張", "张"),
    ),
    rows=rows,
    options=(seven_pairs(),),
    is_long=True,
)
