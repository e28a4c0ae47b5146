"""Other programs that score a win, asked with mjcli's values: ``PyMahjongGB`` (MCR) and ``mahjong`` (riichi)."""

from __future__ import annotations

from typing import Any, Final

from mahjong.constants import EAST, NORTH, SOUTH, WEST
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.meld import Meld as TheirMeld
from MahjongGB import MahjongFanCalculator

from mjcli.hand import Line
from mjcli.melds import MeldType, Seat
from mjcli.tiles import Tile

WINDS: Final = {"E": EAST, "S": SOUTH, "W": WEST, "N": NORTH}


def gb_arguments(line: Line) -> tuple[Any, ...]:
    """Return a win as ``MahjongFanCalculator`` takes it."""
    hand, context = line.hand, line.context
    names = {MeldType.CHOW: "CHI", MeldType.PUNG: "PENG", MeldType.KONG: "GANG"}
    packs = tuple(
        (names[meld.type], gb_tile(meld.stands_for[1]), 0 if meld.type is MeldType.KONG and not meld.exposed else 1)
        for meld in hand.melds
    )
    assert hand.win is not None
    return (
        packs,
        tuple(map(gb_tile, hand.concealed)),
        gb_tile(hand.win),
        len(hand.bonus),
        line.self_drawn,
        context.last_of_kind,
        bool(context.kong_draw or context.rob_kong),
        context.last_tile,
        Seat(context.seat or "S").number,
        Seat(context.round or "E").number,
        True,
    )


def gb_tile(tile: Tile) -> str:
    """Return a tile as that program writes it: F1-F4 the winds, J1-J3 red, green, white."""
    if tile.suit == "z":
        return f"F{tile.rank}" if tile.rank <= 4 else f"J{8 - tile.rank}"
    return f"{ {'m': 'W', 'p': 'B', 's': 'T'}[tile.suit.value] }{tile.rank}".replace(" ", "")


def gb_fans(arguments: tuple[Any, ...]) -> dict[str, int]:
    """Return the points that ``MahjongFanCalculator`` gives each fan of a win, by its Chinese name."""
    return {name: points * count for points, count, name, _ in MahjongFanCalculator(*arguments)}


def gb_total(arguments: tuple[Any, ...]) -> int:
    """Return the total that ``MahjongFanCalculator`` gives a win."""
    return sum(points * count for points, count, *_ in MahjongFanCalculator(*arguments))


def riichi_arguments(line: Line) -> dict[str, Any]:
    """Return a win as ``HandCalculator`` takes it: tiles as 0-135, the reds the first of their four."""
    hand, context = line.hand, line.context
    left: dict[tuple[int, bool], list[int]] = {}

    def number(tile: Tile) -> int:
        kind = 9 * "mpsz".index(tile.suit) + tile.rank - 1
        copies = list(range(4 * kind, 4 * kind + 4))
        five = tile.rank == 5 and tile.suit != "z"
        pool = left.setdefault((kind, tile.red), copies[:1] if tile.red else copies[1:] if five else copies)
        return pool.pop()

    extra = dict(context.extra)
    assert hand.win is not None
    win = number(hand.win)
    tiles = [win, *map(number, hand.concealed)]
    melds = []
    for meld in hand.melds:
        members = list(map(number, meld.tiles))
        tiles += members
        name = {MeldType.CHOW: TheirMeld.CHI, MeldType.PUNG: TheirMeld.PON, MeldType.KONG: TheirMeld.KAN}[meld.type]
        melds.append(TheirMeld(name, members, opened=meld.exposed))
    drawn, dealer = line.self_drawn, context.seat is Seat.E
    first = context.first_turn and not hand.melds
    return {
        "tiles": tiles,
        "win_tile": win,
        "melds": melds,
        "dora_indicators": [4 * each.kind + 3 for each in said(extra, "dora")],
        "ura_dora_indicators": [4 * each.kind + 3 for each in said(extra, "ura-dora")],
        "config": HandConfig(
            is_tsumo=drawn,
            is_riichi="riichi" in extra,
            is_daburu_riichi="double-riichi" in extra,
            is_ippatsu="ippatsu" in extra,
            is_rinshan=bool(context.kong_draw),
            is_chankan=context.rob_kong,
            is_tenhou=first and drawn and dealer,
            is_chiihou=first and drawn and not dealer,
            is_haitei=context.last_tile and drawn,
            is_houtei=context.last_tile and not drawn,
            player_wind=WINDS[context.seat or "S"],
            round_wind=WINDS[context.round or "E"],
            options=OptionalRules(has_open_tanyao=True, has_aka_dora=True),
        ),
    }


def said(extra: dict[str, Any], word: str) -> tuple[Tile, ...]:
    """Return the tiles of a context word, none if it is not said."""
    found = extra.get(word, ())
    return found if isinstance(found, tuple) else ()
