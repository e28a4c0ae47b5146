"""The odds of hands, which ``mjcli simulate HAND`` tells: how each is answered, and how answers are written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from mjcli.chance import parse_seed
from mjcli.cli.command import choice, flag, option, whole_number
from mjcli.cli.plots import Chart, hand_charts, text_plot, write_plot
from mjcli.notation import format_hand

if TYPE_CHECKING:
    from typer.core import TyperOption

    from mjcli.cli.output import Answer
    from mjcli.cli.request import Request
    from mjcli.hand import Line
    from mjcli.simulate.odds import DiscardOdds

__all__ = ["COLUMNS", "DETAILS", "HEADS", "OWN", "own_options", "prepare", "rows", "text"]

COLUMNS: Final = ("ruleset", "draws", "aim", "seed", "unseen", "shanten", "discards")
"""The keys of an answer, after those that every answer has."""

HEADS: Final = (
    ("hand", "手牌", "手牌"),
    ("discard", "打", "打"),
    ("shanten", "向聽", "向听"),
    ("draws", "摸牌", "摸牌"),
    ("ready", "聽牌", "听牌"),
    ("won", "和牌", "和牌"),
    ("received", "所得", "所得"),
    ("how", "算法", "算法"),
)

OWN: Final = ("draws", "aim", "samples", "by_draw")
"""The options that go with hands alone."""

AIMS: Final = ("win", "value")
"""Those of ``mjcli.simulate.straight``, which a help page need not import."""

DIGITS: Final = 6
"""Decimals that are kept."""

DETAILS: Final = (
    "With HAND, --input or --draws: the chance to be ready and to win by each of --draws, and what is received on the "
    "average, for each discard. The hand draws from the tiles it has not seen, without replacement, and wins by its "
    "own draw alone, where the ruleset allows it; others neither claim nor discard nor win, no kongs are made, bonus "
    "tiles are no draws. A draw that brings the hand nearer is kept, and the best discard by --aim of those that leave "
    "it as near is made; any other draw is thrown away, so that no hand is changed for a better one that is as far. Up "
    "to two from ready chances are exact. Farther away they are of --samples rows of draws, with the interval that "
    "holds the truth 95 times of 100: there discards leave most copies to draw until the hand is one from ready."
)


def own_options() -> Iterator[TyperOption]:
    """Yield the options that go with hands alone, found in ``Request.own``."""
    group = "Odds of hands"
    yield option(
        "--draws", metavar="N", about="How many tiles each hand draws; default 18.", group=group, type=whole_number(1)
    )
    yield choice("--aim", values=AIMS, about="What discards make most of: wins (default) or value.", group=group)
    yield option(
        "--samples",
        metavar="N",
        about="Rows of draws for a discard that is not exact; default 200.",
        group=group,
        type=whole_number(1),
    )
    yield flag("--by-draw", about="In a table, a row for each draw, not for the last alone.", group=group)


def prepare(request: Request) -> Callable[[Line], Answer]:
    """Return what answers one line."""
    from mjcli.simulate.odds import DRAWS, SAMPLES, odds

    own, ruleset = request.own, request.ruleset
    assert ruleset is not None
    seed = parse_seed(own["seed"] or "0")
    draws, aim = own["draws"] or DRAWS, own["aim"] or AIMS[0]
    samples = own["samples"] or SAMPLES

    def answer(line: Line) -> Answer:
        found = odds(line, ruleset, draws=draws, aim=aim, samples=samples, seed=seed)
        sampled = any(each.samples for each in found.discards)
        answered: Answer = {
            **({"assumed": dict(found.assumed)} if found.assumed else {}),
            "ruleset": ruleset.id,
            "draws": draws,
            "aim": aim,
            **({"seed": seed} if sampled else {}),
            "unseen": found.unseen,
            "shanten": found.shanten,
            "discards": [_keys(each) for each in found.discards],
        }
        if own["plot"] not in (None, "-"):
            write_plot(_charts({**answered, "hand": format_hand(line.hand)}, request), own["plot"])
        return answered

    return answer


def _charts(answer: Answer, request: Request) -> list[Chart]:
    shown = [{**each, "tile": request.shown(each["tile"] or "")} for each in answer["discards"]]
    return list(hand_charts({**answer, "hand": request.shown(answer["hand"]), "discards": shown}, request.lang))


def _keys(found: DiscardOdds) -> Answer:
    """Return the odds of one discard as keys of an answer."""
    keys: Answer = {
        "tile": None if found.tile is None else str(found.tile),
        "shanten": found.shanten,
        "exact": not found.samples,
        "ready": _kept(found.ready),
        "win": _kept(found.win),
        "value": None if found.value is None else _kept([found.value])[0],
    }
    if found.samples:
        keys["samples"] = found.samples
        for name, within in (("ready", found.ready_within), ("win", found.win_within)):
            keys[f"{name}_low"] = _kept([each.low for each in within])
            keys[f"{name}_high"] = _kept([each.high for each in within])
        if found.value is not None:
            keys["value_low"], keys["value_high"] = _kept(found.value_within) if found.value_within else (None, None)
    return keys


def _kept(values: Sequence[float]) -> list[float]:
    return [round(value, DIGITS) + 0.0 for value in values]


def text(answer: Answer, request: Request) -> str:
    """Return each discard with its chance to win and what it receives, best first, with semicolons between.

    Under it stands the plot, if it is to be drawn with characters.
    """
    plot = f"\n\n{text_plot(_charts(answer, request))}" if request.own["plot"] == "-" else ""
    line = "; ".join(
        " ".join(filter(None, (request.shown(each["tile"] or ""), _chance(each, "win", -1), _value(each))))
        for each in answer["discards"]
    )
    return f"{line}{plot}"


def rows(answer: Answer, request: Request) -> Iterator[tuple[object, ...]]:
    """Yield a row for each discard, best first, by the last draw or by each."""
    hand = request.shown(answer["hand"])
    draws = answer["draws"]
    for each in answer["discards"]:
        tile = request.shown(each["tile"] or "")
        how = (
            request.word("exact", "準確", "准确")
            if each["exact"]
            else request.word(f"{each['samples']} samples", f"{each['samples']} 樣本", f"{each['samples']} 样本")
        )
        for draw in range(1 if request.own["by_draw"] else draws, draws + 1):
            chances = (_chance(each, "ready", draw - 1), _chance(each, "win", draw - 1))
            yield hand, tile, each["shanten"], draw, *chances, _value(each) if draw == draws else "", how


def _chance(found: Answer, name: str, place: int) -> str:
    """Return a chance in per cent, with its interval if it is not exact."""
    shown = f"{100 * found[name][place]:.2f} %"
    if found["exact"]:
        return shown
    return f"{shown} ({100 * found[f'{name}_low'][place]:.2f} to {100 * found[f'{name}_high'][place]:.2f})"


def _value(found: Answer) -> str:
    """Return what is received, with its interval if it has one; nothing where that cannot be said."""
    if found["value"] is None:
        return ""
    shown = f"{found['value']:.3f}"
    if found.get("value_low") is None:
        return shown
    return f"{shown} ({found['value_low']:.3f} to {found['value_high']:.3f})"
