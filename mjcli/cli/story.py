"""A deal that was played, told turn by turn from the lines of its log."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from mjcli.melds import Seat
from mjcli.notation import parse_tiles

if TYPE_CHECKING:
    from mjcli.cli.table import Words

__all__ = ["heading", "result", "story"]

MELD: Final = re.compile("([0-9]+[mpsz](?:[0-9]+j)?)([oa]?)")
"""The tiles of a meld, and how it was made."""

PHRASES: Final[Mapping[str, tuple[str, str, str]]] = {
    "deal": ("deal {index} of seed {seed}", "種子{seed}第{index}局", "种子{seed}第{index}局"),
    "stacked": ("a stacked deal", "排好的一局", "排好的一局"),
    "game": (
        "game {game}, deal {index} of seed {seed}",
        "種子{seed}第{game}場第{index}局",
        "种子{seed}第{game}场第{index}局",
    ),
    "round": ("{seat} round", "{seat}圈", "{seat}圈"),
    "hand": ("{seat} ({name}) has {tiles}", "{seat}（{name}）手牌{tiles}", "{seat}（{name}）手牌{tiles}"),
    "draw": ("{seat} draws {tile}", "{seat}摸{tile}", "{seat}摸{tile}"),
    "replacement": ("{seat} takes a replacement: {tile}", "{seat}補牌{tile}", "{seat}补牌{tile}"),
    "flower": ("{seat} lays out {tile}", "{seat}補花{tile}", "{seat}补花{tile}"),
    "discard": ("{seat} discards {tile}, keeps {hand}", "{seat}打{tile}，餘{hand}", "{seat}打{tile}，余{hand}"),
    "claim": ("{seat} claims {meld}", "{seat}吃碰槓{meld}", "{seat}吃碰杠{meld}"),
    "kong": ("{seat} makes a kong: {meld}", "{seat}槓{meld}", "{seat}杠{meld}"),
    "rob_own": ("{seat} adds to {meld}, to rob it", "{seat}加槓{meld}自搶", "{seat}加杠{meld}自抢"),
    "indicator": ("the indicator {tile} is turned over", "翻開寶牌指示牌{tile}", "翻开宝牌指示牌{tile}"),
    "ready": ("{seat} declares ready", "{seat}立直", "{seat}立直"),
    "deposit": ("{seat} lays down a deposit: {amount:+d}", "{seat}供託：{amount:+d}", "{seat}供托：{amount:+d}"),
    "collect": ("{seat} takes the deposits: {amount:+d}", "{seat}收供託：{amount:+d}", "{seat}收供托：{amount:+d}"),
    "nine_ends": (
        "{seats} ends the deal, with nine kinds of terminals and honours",
        "{seats}九種九牌流局",
        "{seats}九种九牌流局",
    ),
    "four_winds": ("the deal ends: four times one wind", "四風連打流局", "四风连打流局"),
    "four_kongs": ("the deal ends: four kongs", "四開槓流局", "四开杠流局"),
    "all_ready": ("the deal ends: everybody has declared ready", "四家立直流局", "四家立直流局"),
    "three_winners": ("the deal ends: {seats} would all win", "三家和流局（{seats}）", "三家和流局（{seats}）"),
    "ready_hands": (
        "payments to those who are ready: {payments}",
        "聽牌者收付：{payments}",
        "听牌者收付：{payments}",
    ),
    "river": ("payments for a row of discards: {payments}", "流局滿貫收付：{payments}", "流局满贯收付：{payments}"),
    "win": (
        "{seat} wins with {hand}: {fan} fan, {points} points ({patterns})",
        "{seat}和：{hand}，{fan}番{points}分（{patterns}）",
        "{seat}和：{hand}，{fan}番{points}分（{patterns}）",
    ),
    "payment": ("payments: {payments}", "收付：{payments}", "收付：{payments}"),
    "liable": (
        "payments: {payments}, one alone ({liable})",
        "收付：{payments}（包牌：{liable}）",
        "收付：{payments}（包牌：{liable}）",
    ),
    "end": ("{left} tiles are left", "餘{left}張", "余{left}张"),
    "drawn": ("nobody wins, {left} tiles are left", "流局，餘{left}張", "流局，余{left}张"),
}


def heading(head: Mapping[str, Any], words: Words) -> str:
    """Return which deal the first line of one says."""
    phrase = "stacked" if head["seed"] is None else "game" if "game" in head else "deal"
    told = _say(phrase, words, game=head.get("game"), index=head["index"], seed=head["seed"])
    if head["round"] is not None:
        told += f", {_say('round', words, seat=words.seat(Seat(head['round'])))}"
    return f"{head['ruleset']}, {told}"


def story(
    head: Mapping[str, Any], events: Iterable[Mapping[str, Any]], words: Words, names: Mapping[str, str]
) -> Iterator[str]:
    """Yield a deal, one line for each event.

    Args:
        head: the first line of its log.
        events: the lines after it.
        words: how text is written.
        names: of the patterns of the ruleset, by id.
    """
    yield heading(head, words)
    held = {}
    for seat, name in head["players"].items():
        held[seat] = _tiles(head["hands"][seat])
        shown = words.tiles(parse_tiles(head["hands"][seat] + head["bonus"][seat]))
        yield _say("hand", words, seat=words.seat(Seat(seat)), name=name, tiles=shown)
    discarded = None
    for keys in events:
        event, seat = keys["event"], keys.get("seat", "")
        said = {**keys, "seat": words.seat(Seat(seat)) if seat else "", "tile": _shown(keys.get("tile"), words)}
        phrase = event
        if event in ("draw", "replacement"):
            held[seat] += _tiles(keys["tile"])
        elif event == "flower":
            held[seat].remove(keys["tile"])
        elif event == "discard":
            held[seat].remove(keys["tile"])
            discarded = keys["tile"]
            said["hand"] = words.tiles(sorted(parse_tiles("".join(held[seat]))))
        elif event in ("claim", "kong"):
            lies, mark = MELD.findall(keys["meld"])[0]
            used = _tiles(lies)
            if event == "claim":
                used.remove(str(discarded))
            for tile in used[-1:] if mark == "a" else used:
                held[seat].remove(tile)
            phrase = "rob_own" if keys.get("rob_own") else event
        elif event == "win":
            said["patterns"] = _patterns(keys, names)
        elif event == "payment":
            said["payments"] = _payments(keys["payments"], words)
            phrase = keys.get("reason") or ("liable" if "liable" in keys else event)
        elif event == "deposit" and keys["amount"] > 0:
            phrase = "collect"
        elif event == "abort":
            phrase, said["seats"] = keys["reason"], _seats(keys.get("seats", ()), words)
        elif event == "end" and not keys["winners"]:
            phrase = "drawn"
        yield _say(phrase, words, **said)


def result(head: Mapping[str, Any], events: Iterable[Mapping[str, Any]], words: Words, names: Mapping[str, str]) -> str:
    """Return a deal in one line: which it is, and how it ended; the arguments are those of ``story``."""
    told = []
    for keys in events:
        if keys["event"] == "win":
            seat = words.seat(Seat(keys["seat"]))
            told.append(_say("win", words, **{**keys, "seat": seat, "patterns": _patterns(keys, names)}))
        elif keys["event"] == "abort":
            told.append(_say(keys["reason"], words, seats=_seats(keys.get("seats", ()), words)))
        elif keys["event"] == "end" and not keys["winners"]:
            told.append(_say("drawn", words, left=keys["left"]))
    return f"{heading(head, words)}: {'; '.join(told)}"


def _tiles(text: str) -> list[str]:
    return [str(tile) for tile in parse_tiles(text)] if text else []


def _shown(name: str | None, words: Words) -> str:
    return "" if name is None else words.tiles(parse_tiles(name))


def _patterns(won: Mapping[str, Any], names: Mapping[str, str]) -> str:
    return ", ".join(names[pattern] for pattern in won["patterns"])


def _payments(amounts: Mapping[str, int], words: Words) -> str:
    return ", ".join(f"{words.seat(Seat(seat))} {amount:+d}" for seat, amount in amounts.items())


def _seats(seats: Iterable[str], words: Words) -> str:
    return ", ".join(words.seat(Seat(seat)) for seat in seats)


def _say(phrase: str, words: Words, **values: object) -> str:
    return PHRASES[phrase][words.language].format(**values)
