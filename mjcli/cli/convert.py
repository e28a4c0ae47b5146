"""``mjcli convert``: each hand in another notation."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from mjcli.cli.command import choice
from mjcli.cli.hands import Answer, HandCommand
from mjcli.notation import STYLES, format_context, format_hand

if TYPE_CHECKING:
    from mjcli.cli.request import Request
    from mjcli.hand import Line

__all__ = ["command"]


def prepare(request: Request) -> Callable[[Line], Answer]:
    """Return what answers one line."""
    style = request.own["to"] or request.style

    def answer(line: Line) -> Answer:
        return {"words": format_context(line.context), "text": format_hand(line.hand, style)}

    return answer


command = HandCommand(
    "convert",
    summary="Write each hand in another notation.",
    details="Without --to it is the canonical form, or the one of --tiles. Context words follow the hand.",
    examples=(
        ("mjcli convert '123m 7z 456p 7z'", "the canonical form"),
        ("mjcli convert 123m456p77z --to unicode", "as pictures of tiles"),
        ("mjcli convert '一二三萬中中'", "Chinese is read as it stands"),
    ),
    columns=("words", "text"),
    prepare=prepare,
    text=lambda answer, _: f"{answer['text']} {answer['words']}".rstrip(),
    heads=(("hand", "手牌", "手牌"), ("words", "牌況", "牌况"), ("text", "寫法", "写法")),
    rows=lambda answer, _: [(answer["hand"], answer["words"], answer["text"])],
    options=(choice("--to", values=STYLES, about="The notation to write.", group="Output"),),
)
