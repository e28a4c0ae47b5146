"""Pictures of what a simulation adds up to, and of the odds of a hand: as a file, or drawn with characters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from mjcli.cli.messages import UsageError
from mjcli.cli.request import in_language
from mjcli.cli.sink import Sink
from mjcli.errors import InputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from mjcli.cli.output import Answer

__all__ = ["Chart", "Series", "check_plot", "hand_charts", "run_charts", "text_plot", "write_plot"]

MOST_PATTERNS: Final = 12
MOST_DISCARDS: Final = 6
"""How many patterns, and discards, are shown: the most frequent, and the best."""

WIDTH: Final = 76
HEIGHT: Final = 14
"""Of a chart drawn with characters."""

FONTS: Final = ("Noto Sans CJK TC", "Noto Sans CJK SC", "Noto Sans CJK JP", "WenQuanYi Zen Hei", "Microsoft JhengHei")
"""Fonts with Chinese characters that are used where one is there."""

TITLES: Final = {
    "points": ("points a deal", "每局得分", "每局得分"),
    "won": ("won by seat", "和牌（門風）", "和牌（门风）"),
    "fan": ("wins by fan", "和牌（番數）", "和牌（番数）"),
    "patterns": ("patterns, of wins", "番種", "番种"),
    "difference": ("points a deal, second less first", "每局得分，後減前", "每局得分，后减前"),
    "first": ("first", "前", "前"),
    "second": ("second", "後", "后"),
    "win": ("won by draw", "和牌（摸牌）", "和牌（摸牌）"),
    "ready": ("ready by draw", "聽牌（摸牌）", "听牌（摸牌）"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """Numbers of one chart that belong together."""

    name: str
    values: tuple[float, ...]
    within: tuple[tuple[float, float], ...] = ()
    """The interval of each, if there are intervals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """Bars, or curves, under one title."""

    title: str
    labels: tuple[str, ...]
    """What the numbers of each series are of."""
    series: tuple[Series, ...]
    curves: bool = False
    level: bool = False
    """Whether bars lie, because their labels are long."""


def check_plot(path: str, form: str, *, story_told: bool = False) -> None:
    """Refuse a plot that could not be made, before what it shows is worked out.

    Args:
        path: the picture, or ``-``.
        form: in which the answer is written.
        story_told: whether it is the story of each deal.

    Raises:
        UsageError: the answer is none to draw, or not in the form for that.
        InputError: a library is missing (``no-library``), or there is no such format (``bad-format``).
        OSError: the file cannot be written.
    """
    if story_told:
        raise UsageError("--plot draws what deals add up to, and goes without --steps")
    if path == "-":
        if form != "text":
            raise UsageError("--plot - draws in the text; a FILE goes with every format")
        _plotext()
        return
    formats = _figure(1, 1).canvas.get_supported_filetypes()
    suffix = Path(path).suffix.removeprefix(".")
    if suffix not in formats:
        raise InputError("bad-format", f"no picture '{path}' (it ends in one of .{', .'.join(sorted(formats))})")
    Sink(path).close(whole=False)


def run_charts(
    answers: Sequence[Answer], differences: Answer | None, names: Mapping[str, str], lang: str
) -> list[Chart]:
    """Return the charts of one run, or of two that are compared.

    Args:
        answers: the object of each run.
        differences: of the second less the first, if there are two.
        names: the name of each pattern.
        lang: the language of titles.
    """

    def title(key: str) -> str:
        return in_language(lang, *TITLES[key])

    runs = [title("first"), title("second")] if differences is not None else [""]
    both = zip(*(answer["players"] for answer in answers), strict=True)
    players = [f"{place} {' -> '.join(dict.fromkeys(names))}" for place, names in enumerate(both, 1)]
    seats = list(answers[0]["results"]["seats"])
    fans = sorted({int(fan) for answer in answers for fan in answer["fan"]})
    rates = [{each["id"]: each for each in answer["patterns"]} for answer in answers]
    patterns = sorted(
        {key: None for some in rates for key in some},
        key=lambda key: -max(some[key]["rate"] if key in some else 0.0 for some in rates),
    )[:MOST_PATTERNS]

    def chart(key: str, labels: Sequence[str], found: Sequence[Sequence[Any]], *, level: bool = False) -> Chart:
        series = tuple(_series(name, numbers) for name, numbers in zip(runs, found, strict=True))
        return Chart(title=title(key), labels=tuple(labels), series=series, level=level)

    charts = [
        chart("points", players, [[side["points"] for side in each["results"]["players"]] for each in answers]),
        chart("won", seats, [[each["results"]["seats"][seat]["won"] for seat in seats] for each in answers]),
    ]
    if differences is not None:
        found = _series("", [side["points"] for side in differences["players"]])
        charts.append(Chart(title=title("difference"), labels=tuple(players), series=(found,)))
    if fans:
        by_fan = [[each["fan"].get(str(fan)) for fan in fans] for each in answers]
        charts.append(chart("fan", [str(fan) for fan in fans], by_fan))
        by_pattern = [[some.get(key) for key in patterns] for some in rates]
        charts.append(chart("patterns", [names[key] for key in patterns], by_pattern, level=True))
    return charts


def _series(name: str, found: Sequence[Mapping[str, Any] | None]) -> Series:
    """Return rates and means as a series; what was never counted is 0."""
    numbers = [{"rate": 0.0, "low": 0.0, "high": 0.0} if each is None else each for each in found]
    values = [each.get("rate", each.get("mean")) or 0.0 for each in numbers]
    within = [
        (value if each["low"] is None else each["low"], value if each["high"] is None else each["high"])
        for value, each in zip(values, numbers, strict=True)
    ]
    return Series(name=name, values=tuple(values), within=tuple(within))


def hand_charts(answer: Answer, lang: str) -> Iterator[Chart]:
    """Yield the charts of the odds of a hand: how the chances of its best discards grow from draw to draw."""
    draws = tuple(str(draw) for draw in range(1, answer["draws"] + 1))
    for key in ("win", "ready"):
        series = tuple(
            Series(
                name=each["tile"] or "",
                values=tuple(each[key]),
                within=() if each["exact"] else tuple(zip(each[f"{key}_low"], each[f"{key}_high"], strict=True)),
            )
            for each in answer["discards"][:MOST_DISCARDS]
        )
        title = f"{in_language(lang, *TITLES[key])}: {answer['hand']}"
        yield Chart(title=title, labels=draws, series=series, curves=True)


def write_plot(charts: Sequence[Chart], path: str) -> None:
    """Write charts as a picture, of the format that the suffix names.

    Raises:
        InputError: a library is missing (``no-library``).
        OSError: the file cannot be written.
    """
    from matplotlib import rc_context

    columns = 2
    rows = -(-len(charts) // columns)
    with rc_context({"font.family": _fonts(), "svg.hashsalt": "mjcli", "svg.fonttype": "none"}):
        figure = _figure(11, 4.2 * rows)
        for place, chart in enumerate(charts, 1):
            _draw(figure.add_subplot(rows, columns, place), chart)
        suffix = Path(path).suffix.removeprefix(".")
        data = BytesIO()
        stamp = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(suffix)
        figure.savefig(data, format=suffix, metadata=stamp)
    with Sink(path) as sink:
        sink.put(data.getvalue())


def _draw(axes: Axes, chart: Chart) -> None:
    """Draw one chart."""
    from matplotlib.ticker import MaxNLocator

    axes.set_title(chart.title)
    places = range(len(chart.labels))
    for number, series in enumerate(chart.series):
        low = [value - each[0] for value, each in zip(series.values, series.within, strict=False)]
        high = [each[1] - value for value, each in zip(series.values, series.within, strict=False)]
        if chart.curves:
            (line,) = axes.plot(range(1, len(places) + 1), series.values, label=series.name)
            if series.within:
                lows, highs = zip(*series.within, strict=True)
                axes.fill_between(range(1, len(places) + 1), lows, highs, alpha=0.15, color=line.get_color())
            continue
        wide = 0.8 / len(chart.series)
        at = [place + wide * (number - (len(chart.series) - 1) / 2) for place in places]
        error = [low, high] if series.within else None
        if chart.level:
            axes.barh(at, series.values, wide, xerr=error, capsize=2, label=series.name)
        else:
            axes.bar(at, series.values, wide, yerr=error, capsize=2, label=series.name)
    if chart.level:
        axes.set_yticks(list(places), chart.labels)
        axes.invert_yaxis()
    elif not chart.curves:
        axes.set_xticks(list(places), chart.labels)
        axes.axhline(0, color="black", linewidth=0.8)
    else:
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    if len(chart.series) > 1:
        axes.legend()


def text_plot(charts: Sequence[Chart]) -> str:
    """Return charts drawn with characters, one below the other.

    Raises:
        InputError: a library is missing (``no-library``).
    """
    plot = _plotext()
    found = []
    for chart in charts:
        plot.clear_figure()
        plot.theme("clear")
        plot.title(chart.title)
        names = [series.name for series in chart.series]
        columns = [list(series.values) for series in chart.series]
        if chart.curves:
            plot.plot_size(WIDTH, HEIGHT)
            for number, (name, values) in enumerate(zip(names, columns, strict=True), 1):
                plot.plot(range(1, len(values) + 1), values, label=name or None, marker=str(number))
            plot.xticks([place for place in range(1, len(chart.labels) + 1) if place % 3 == 0 or len(chart.labels) < 8])
        else:
            plot.plot_size(WIDTH, 6 + len(chart.labels) * (1 + len(columns)) if chart.level else HEIGHT)
            how = {"orientation": "h"} if chart.level else {}
            labels = list(chart.labels)
            if chart.level:
                labels, columns = labels[::-1], [values[::-1] for values in columns]
            if len(columns) > 1:
                plot.multiple_bar(labels, columns, labels=names, **how)
            else:
                plot.bar(labels, columns[0], **how)
        found.append("\n".join(line.rstrip() for line in plot.uncolorize(plot.build()).splitlines()).rstrip())
    return "\n\n".join(found)


def _figure(width: float, height: float) -> Any:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise _missing("--plot FILE") from None
    return Figure((width, height), layout="constrained")


def _plotext() -> Any:
    try:
        import plotext
    except ImportError:
        raise _missing("--plot -") from None
    return plotext


def _missing(option: str) -> InputError:
    message = f"{option} needs a library that is not installed: pip install 'mjcli[plot]'"
    return InputError("no-library", message)


def _fonts() -> list[str]:
    from matplotlib.font_manager import get_font_names

    there = set(get_font_names())
    return ["DejaVu Sans", *(font for font in FONTS if font in there)]
