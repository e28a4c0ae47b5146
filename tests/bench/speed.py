"""Measure what the table of README.md says, or write that table from what was measured.

``python -m tests.bench.speed measure`` writes ``tests/bench/speed.json``, in some minutes; ``python -m
tests.bench.speed table`` writes the table between its marks in README.md. Each ratio is of programs that took turns
in one run.
"""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).parent
RESULTS: Final = HERE / "speed.json"
README: Final = HERE.parents[1] / "README.md"
BEGIN: Final = "<!-- what follows is written by python -m tests.bench.speed table -->\n"
END: Final = "<!-- end -->\n"


def measure() -> dict[str, Any]:
    """Return what every bench finds."""
    import numpy as np

    from tests.bench import batch, batch_score, commands, score_peers, simulate

    return {
        "machine": _processor(),
        "python": sys.version.split()[0],
        "numpy": np.__version__,
        "questions": {name: batch.measured(name, 65_536) for name in batch.CLASSES},
        "scores": batch_score.report(10_000),
        "peers": {"riichi": score_peers.riichi(7), "mcr": score_peers.mcr(7)},
        "commands": commands.report(5),
        "deals": simulate.report(simulate.DEALS),
        "processors": os.cpu_count(),
        "load": round(os.getloadavg()[2], 1),
    }


def _processor() -> str:
    """Return the name of the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())


def _span(values: Sequence[float], digits: int = 1) -> str:
    """Return the least and the greatest of some numbers."""
    least, most = (f"{each:.{digits}f}" for each in (min(values), max(values)))
    return least if least == most else f"{least}-{most}"


def _millions(rates: Sequence[float]) -> str:
    return f"{_span([rate / 1e6 for rate in rates], 2 if max(rates) < 1e6 else 1)} M"


def table(found: dict[str, Any]) -> str:
    """Return the table as Markdown."""
    head = "| on one core | a second | beside | times as many |\n|---|---|---|---|\n"
    versions = f"Python {found['python']}, NumPy {found['numpy']}, {found['machine']}"
    return (
        head
        + "".join(f"| {' | '.join(row)} |\n" for row in _rows(found))
        + f"\n{versions}, {found['processors']} processors, a load of {found['load']} over 15 minutes. From least to "
        "greatest of random hands, half and full flushes and hands with melds, except where the hands are named; "
        "each ratio is of programs that took turns in one run.\n"
    )


def _rows(found: dict[str, Any]) -> Iterator[tuple[str, str, str, str]]:
    classes = list(found["questions"].values())
    for question, shown, peer in (
        ("shanten of arrays", "shanten, arrays of counts", "xiangting"),
        ("shanten from text to text", "shanten, text to lines of answers", "riichienv"),
        ("acceptance of arrays of 13", "acceptance of 13 tiles, arrays", "xiangting"),
    ):
        each = [kind[question] for kind in classes]
        ratios = [kind[f"ratio to {peer}"] for kind in each]
        yield shown, _millions([kind["mjcli"] for kind in each]), f"`{peer}` in a loop", _span(ratios)
    scores = list(found["scores"]["classes"].values())
    rates = [1e9 / kind["ns_a_hand"]["guangdong-xinzhang"] for kind in scores]
    ratios = [kind["times PyMahjongGB"]["guangdong-xinzhang"] for kind in scores]
    yield "新章, arrays: fan and patterns", _millions(rates), "`PyMahjongGB` under MCR, in a loop", _span(ratios)
    rates = [1e9 / kind["ns_a_hand"]["text to rows"] for kind in scores]
    yield "新章, text to itemised rows of TSV", _millions(rates), "", ""
    with_jokers = found["scores"]["malaysia-3p"]["all"]
    rate, ratio = 1e9 / with_jokers["ns_a_hand"]["arrays"], with_jokers["times one after another"]
    yield (
        "`malaysia-3p`, arrays, wins with jokers",
        _millions([rate]),
        "one after another",
        str(ratio),
    )
    for rules, shown, peers in (
        ("mcr", "MCR, arrays, 400 wins of played deals", ("PyMahjongGB",)),
        ("riichi", "riichi with fu, arrays, 400 wins of played deals", ("mahjong", "riichienv")),
    ):
        times = found["peers"][rules]["ns a hand"]
        for peer in peers:
            yield shown, _millions([1e9 / times["mjcli"]]), f"`{peer}` in a loop", f"{times[f'times {peer}']:.1f}"
    for lines in ("200000", "1000000"):
        each = [kind[lines] for kind in found["commands"]["shanten"].values()]
        rates, ratios = [kind["mjcli"]["lines a second"] for kind in each], [kind["ratio"] for kind in each]
        shown = f"`mjcli shanten -i FILE`, {int(lines):,} lines"
        yield shown, _millions(rates), "a short script over `riichienv`", _span(ratios)
    for lines in ("300000", "1000000"):
        wins = [kind[lines] for kind in found["commands"]["score guangdong-xinzhang"].values()]
        rates = [kind["mjcli"]["lines a second"] for kind in wins]
        yield f"`mjcli score -f tsv -i FILE`, {int(lines):,} lines, 新章", _millions(rates), "", ""
    deals = found["deals"]["deals_a_second"]
    for peer, ratio in found["deals"]["mjcli fast, times as many as"].items():
        name, agents = peer.split()
        yield (
            "complete deals, four `fast` players, 新章",
            f"{deals['mjcli fast']:,}",
            f"`{name}`, {agents} agents",
            str(ratio),
        )
    yield "complete deals, four `value` players, 新章", f"{deals['mjcli value']:,}", "", ""
    yield "complete deals of whole games, four `fast` players, 新章", f"{deals['mjcli fast in games']:,}", "", ""
    for rules in ("riichi", "mcr", "malaysia-3p"):
        yield f"complete deals, all `fast` players, `{rules}`", f"{deals[f'mjcli fast {rules}']:,}", "", ""


def written(text: str, found: dict[str, Any]) -> str:
    """Return the text of README.md with the table."""
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}{table(found)}{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    if sys.argv[1:] == ["measure"]:
        RESULTS.write_text(json.dumps(measure(), indent=1) + "\n", encoding="utf-8")
    elif sys.argv[1:] == ["table"]:
        README.write_text(
            written(README.read_text(encoding="utf-8"), json.loads(RESULTS.read_text(encoding="utf-8"))),
            encoding="utf-8",
        )
    else:
        sys.exit(__doc__)
