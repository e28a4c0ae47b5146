"""``mjcli waits``: the tiles that complete each ready hand, live and dead apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from mjcli import acceptance
from mjcli.cli.forms import counted_forms, seven_pairs
from mjcli.cli.hands import Answer, HandCommand
from mjcli.errors import ContradictionError

if TYPE_CHECKING:
    from mjcli.cli.request import Request
    from mjcli.hand import Line
    from mjcli.ruleset import Ruleset
    from mjcli.tiles import Tile

__all__ = ["NO_VALUE", "command"]


NO_VALUE: Final = {"fan": None, "points": None, "can_win": None}
"""Of a tile of which it cannot be said what it is worth."""


def prepare(request: Request) -> Callable[[Line], Answer]:
    """Return what answers one line."""
    forms = counted_forms(request)
    ruleset = request.ruleset
    tiles = None if ruleset is None else ruleset.tiles

    def answer(line: Line) -> Answer:
        seen = line.context.seen if ruleset is None else ruleset.shown(line.context)
        found = acceptance.waits(line.hand, seen, forms, tiles)
        answered: Answer = {
            "waits": [{"tile": str(wait.tile), "left": wait.left} for wait in found.live],
            "dead": [str(tile) for tile in found.dead],
        }
        if ruleset is not None:
            _add_values(answered, line, ruleset, [wait.tile for wait in found.live])
        return answered

    return answer


def _add_values(answered: Answer, line: Line, ruleset: Ruleset, tiles: Sequence[Tile]) -> None:
    """Add what winning on each of the live ``tiles`` is worth, and which context that takes as said."""
    from mjcli.scoring import score, won_on

    for wait, tile in zip(answered["waits"], tiles, strict=True):
        if line.hand.melds_assumed:
            wait |= NO_VALUE
            continue
        try:
            found = score(won_on(line, _as_left(tile, line, ruleset)), ruleset)
        except ContradictionError:
            wait |= NO_VALUE  # what is said of the win cannot be true of this tile
            continue
        wait |= {"fan": found.fan, "points": found.points, "can_win": found.can_win}
        if found.assumed:
            answered["assumed"] = dict(found.assumed)


def _as_left(tile: Tile, line: Line, ruleset: Ruleset) -> Tile:
    """Return a tile as it can still be won on: a five is a red one if of these alone some are left."""
    reds = ruleset.tiles.reds_of(tile.kind)
    if not reds:
        return tile
    melded = [each for meld in line.hand.melds for each in meld.tiles]
    gone = [*line.hand.concealed, *melded, *ruleset.shown(line.context)].count(tile)
    return replace(tile, red=gone >= ruleset.tiles.copies[tile.kind] - reds)


def rows(answer: Answer, request: Request) -> Iterator[tuple[object, ...]]:
    """Yield a row for each tile, the dead ones last; one without a tile if the hand is not ready."""
    hand = request.shown(answer["hand"])
    waits = answer["waits"] + [{"tile": tile, "left": 0} for tile in answer["dead"]]
    for wait in waits or [{"tile": "", "left": ""}]:
        yield hand, request.shown(wait["tile"]), wait["left"], *_value(wait, request)


def _value(wait: Answer, request: Request) -> tuple[object, ...]:
    """Return the cells of what a tile is worth; none where no ruleset is named, or nothing can be said."""
    if wait.get("fan") is None:
        return ()
    low = request.word("below the minimum", "不足起和番數", "不足起和番数")
    return wait["fan"], wait["points"] if wait["can_win"] else low


command = HandCommand(
    "waits",
    summary="List the tiles that complete each ready hand.",
    details="Each tile stands with the copies that are left; the line of a hand that is not ready, or whose tiles are "
    "all gone, is empty. The winning tile of a hand is left out; a hand of 3n+2 tiles without one has to discard "
    "first, and waits for nothing. With --rules, JSON and the table say what winning on each tile is worth, on a "
    "discard unless --self-draw is said.",
    examples=(
        ("mjcli waits 3333445566678s", "6s:1 9s:4; a fifth 3s is no wait"),
        ("mjcli waits 23456m11z --seen 1m4m4m", "tiles seen elsewhere are gone"),
        ("mjcli waits 13m55z,2222mo,111p,999s --json", "2m is dead"),
        ("mjcli waits 123m456p777s3455s --rules jipinghu -f table", "what each is worth"),
    ),
    columns=("waits", "dead"),
    prepare=prepare,
    text=lambda answer, request: " ".join(f"{request.shown(wait['tile'])}:{wait['left']}" for wait in answer["waits"]),
    heads=(("hand", "手牌", "手牌"), ("wait", "聽", "听"), ("left", "餘", "余")),
    rows=rows,
    heads_of_rules=(("fan", "番", "番"), ("points", "分", "分")),
    options=(seven_pairs(),),
)
