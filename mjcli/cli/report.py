"""What a simulation adds up to, as text for people and as rows for spreadsheets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from mjcli.cli.output import aligned

__all__ = ["COLUMNS", "comparison_lines", "report_lines", "rows_of"]

COLUMNS: Final = ("part", "of", "count", "value", "low", "high")
"""The columns of a row: where the value stands in the object, and the value with its interval."""

OVERALL: Final = (
    ("won", ("won", "和牌", "和牌")),
    ("drawn", ("drawn", "流局", "流局")),
    ("aborted", ("aborted", "途中流局", "途中流局")),
    ("several_winners", ("several winners", "一炮多響", "一炮多响")),
    ("self_draw", ("of wins by self-draw", "自摸", "自摸")),
    ("discard", ("of wins by discard", "食糊", "食胡")),
    ("robbed_kong", ("of wins by a robbed kong", "搶槓", "抢杠")),
    ("liable", ("of wins paid by one alone", "包牌", "包牌")),
    ("ready", ("hands ever ready", "曾聽牌", "曾听牌")),
    ("declared", ("hands declared ready", "立直", "立直")),
    ("turns_to_ready", ("turns to ready", "聽牌巡數", "听牌巡数")),
    ("turns_to_win", ("turns to win", "和牌巡數", "和牌巡数")),
    ("fan", ("fan of a win", "每和番數", "每和番数")),
    ("points", ("received for a win", "每和所得", "每和所得")),
    ("deals_per_game", ("deals in a game", "每場局數", "每场局数")),
)
SIDE: Final = (
    ("won", ("won", "和牌", "和牌")),
    ("self_draw", ("self-draw", "自摸", "自摸")),
    ("discard", ("discard", "食糊", "食胡")),
    ("fed", ("fed", "出銃", "出铳")),
    ("points", ("points a deal", "每局得分", "每局得分")),
    ("points_per_game", ("points a game", "每場得分", "每场得分")),
)
HEADS: Final = {
    "seat": ("seat", "門風", "门风"),
    "player": ("player", "玩家", "玩家"),
    "fan": ("fan", "番", "番"),
    "wins": ("wins", "和牌", "和牌"),
    "pattern": ("pattern", "番種", "番种"),
    "worth": ("fan each win", "番數", "番数"),
    "received": ("received", "所得", "所得"),
    "liability": ("paid by one alone", "包牌", "包牌"),
    "difference": ("difference, second less first", "相差（後減前）", "相差（后减前）"),
    "drawn": ("drawn", "流局", "流局"),
    "deals": ("deals", "局數", "局数"),
}


def rows_of(answer: Mapping[str, Any], part: str = "") -> Iterator[tuple[object, ...]]:
    """Yield every value of an object that has an interval, as a row of ``COLUMNS``."""
    if "low" in answer and "high" in answer:
        value = answer.get("rate", answer.get("mean"))
        yield part, answer["of"], answer.get("count"), value, answer["low"], answer["high"]
    for key, each in answer.items():
        below = f"{part}.{key}" if part else key
        if isinstance(each, Mapping):
            yield from rows_of(each, below)
        elif isinstance(each, list):
            for place, item in enumerate(each):
                if isinstance(item, Mapping):
                    yield from rows_of(item, f"{below}.{item.get('id', place)}")


def report_lines(answer: Mapping[str, Any], language: int, pattern_names: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines of a report.

    Args:
        answer: the object of a simulation.
        language: the place of the language in English, traditional, simplified Chinese.
        pattern_names: the name of each pattern in that language.
    """
    results = answer["results"]
    options = "".join(f", {key}={value}" for key, value in answer["options"].items())
    unit = "games" if "games" in answer else "deals"
    yield f"{answer['ruleset']}{options}, seed {answer['seed']}, {answer[unit]} {unit}: {', '.join(answer['players'])}"
    yield from aligned([(names[language], _value(results[key])) for key, names in OVERALL if key in results], "  ")
    sides = [(key, names) for key, names in SIDE if key in results["players"][0]]
    yield ""
    yield from _table(
        [(seat, *(_value(side[key]) for key, _ in SIDE if key in side)) for seat, side in results["seats"].items()],
        (HEADS["seat"][language], *(names[language] for key, names in SIDE if key in results["seats"]["E"])),
    )
    yield ""
    yield from _table(
        [
            (f"{place} {side['name']}", *(_value(side[key]) for key, _ in sides))
            for place, side in enumerate(results["players"], 1)
        ],
        (HEADS["player"][language], *(names[language] for _, names in sides)),
    )
    if not answer["fan"]:
        return
    yield ""
    yield from _table(
        [(fan, _value(found)) for fan, found in answer["fan"].items()],
        (HEADS["fan"][language], HEADS["wins"][language]),
    )
    yield ""
    yield from _table(
        [
            (pattern_names[each["id"]], _value(each), _worth(each["fan"]), _value(each["points"]))
            for each in sorted(answer["patterns"], key=lambda each: -each["count"])
        ],
        tuple(HEADS[key][language] for key in ("pattern", "wins", "worth", "received")),
    )
    if results["liability"]:
        yield ""
        yield from _table(
            [(rule, _value(found)) for rule, found in results["liability"].items()],
            (HEADS["liability"][language], HEADS["wins"][language]),
        )


def comparison_lines(differences: Mapping[str, Any], language: int, players: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the lines about how two runs differ.

    Args:
        differences: of the object of a comparison.
        language: the place of the language in English, traditional, simplified Chinese.
        players: their names in both runs.
    """
    yield HEADS["difference"][language]
    overall = [(HEADS[key][language], _value(differences[key])) for key in ("deals", "drawn", "fan")]
    yield from aligned(overall, "  ")
    yield ""
    keys = ("points", "won", "fed")
    names = dict(SIDE)
    yield from _table(
        [
            (f"{place} {' -> '.join(dict.fromkeys(both))}", *(_value(side[key]) for key in keys))
            for place, (*both, side) in enumerate(zip(*players, differences["players"], strict=True), 1)
        ],
        (HEADS["player"][language], *(names[key][language] for key in keys)),
    )


def _value(found: Mapping[str, Any]) -> str:
    """Return a rate or a mean with its interval."""
    if "rate" in found:
        if found["rate"] is None:
            return "-"
        return f"{100 * found['rate']:.2f} % ({100 * found['low']:.2f} to {100 * found['high']:.2f})"
    if found["mean"] is None:
        return "-"
    if found["low"] is None:
        return f"{found['mean']:.3f}"
    return f"{found['mean']:.3f} ({found['low']:.3f} to {found['high']:.3f})"


def _worth(found: Mapping[str, Any]) -> str:
    """Return the mean fan of a pattern, with its interval unless it is worth always the same."""
    return f"{found['mean']:g}" if found["low"] in (None, found["high"]) else _value(found)


def _table(rows: Sequence[Sequence[str]], heads: Sequence[str]) -> list[str]:
    from tabulate import tabulate

    table = tabulate(rows, heads, tablefmt="simple", disable_numparse=True)
    return [line.rstrip() for line in table.splitlines()]
