"""The work of a run in parts, in one process or in several; the result does not depend on how it is cut."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache, partial
from itertools import groupby
from time import monotonic
from typing import Any, Final, TypeVar

from mjcli.processes import in_order
from mjcli.simulate.intervals import mean
from mjcli.simulate.runs import Plan, Run
from mjcli.simulate.sums import Measures, joined, play_in_arrays
from mjcli.simulate.tally import Tally, measures, results

__all__ = ["Comparison", "compare", "simulate"]

Part = TypeVar("Part")

DEALS_OF_PART: Final = 256
GAMES_OF_PART: Final = 8
FEW: Final = 48
"""Deals of a part from which on arrays are faster."""


def simulate(
    plan: Plan,
    count: int,
    *,
    jobs: int = 1,
    part: int | None = None,
    seconds: float | None = None,
    log: Callable[[str], object] | None = None,
    progress: Callable[[int], object] | None = None,
) -> dict[str, Any]:
    """Return what ``count`` deals or games add up to, as the object that ``mjcli simulate --json`` prints.

    >>> found = simulate(Plan(rules="jipinghu", seed=1), 20)
    >>> found["deals"], found["results"]["won"]["of"]
    (20, 20)

    Args:
        plan: what is played.
        count: how many deals or games.
        jobs: how many processes.
        part: how many deals or games are done at once.
        seconds: after so long no further part is begun; the result then says how many there were.
        log: takes every line of a log.
        progress: is told how many deals or games have been added.

    Raises:
        InputError: there is no such ruleset, option or player; the ruleset cannot be played; a player fails.
    """
    ruleset = _run(_frozen(plan)).ruleset
    tally = Tally()
    for some, lines in _parts(partial(_play_part, plan, log is not None), plan, count, jobs, part, seconds):
        tally.update(some)
        if log is not None:
            for line in lines:
                log(line)
        if progress is not None:
            progress(some["units",])
    return results(tally, plan, ruleset)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two runs on the same walls."""

    first: dict[str, Any]
    second: dict[str, Any]
    differences: dict[str, Any]
    """The second less the first, the mean by deal or by game, with its interval."""


def compare(
    first: Plan,
    second: Plan,
    count: int,
    *,
    jobs: int = 1,
    part: int | None = None,
    seconds: float | None = None,
    progress: Callable[[int], object] | None = None,
) -> Comparison:
    """Return two runs with the same seed, and by how much they differ from deal to deal or from game to game.

    Where both have the same set of tiles and dice, their walls are the same. Arguments and errors are those of
    ``simulate``.
    """
    rulesets = [_run(_frozen(plan)).ruleset for plan in (first, second)]
    tallies = Tally(), Tally()
    sums = Tally()
    for one, two, difference in _parts(partial(_compare_part, first, second), first, count, jobs, part, seconds):
        tallies[0].update(one)
        tallies[1].update(two)
        sums.update(difference)
        if progress is not None:
            progress(one["units",])
    units = tallies[0]["units",]
    found: dict[str, Any] = {}
    for key in (key for key in sums if key[-1] != "squares"):
        value = asdict(mean(sums[key], sums[*key, "squares"], units))
        if key[0] == "player":
            found.setdefault("players", [{} for _ in first.players])[key[1]][key[2]] = value
        else:
            found[str(key[0])] = value
    return Comparison(
        first=results(tallies[0], first, rulesets[0]),
        second=results(tallies[1], second, rulesets[1]),
        differences=found,
    )


def _parts(
    work: Callable[[int, int], Part],
    plan: Plan,
    count: int,
    jobs: int,
    part: int | None,
    seconds: float | None,
) -> Iterator[Part]:
    """Yield the results of the parts of a run, in order."""
    size = part or (GAMES_OF_PART if plan.games else DEALS_OF_PART)
    lockstep = _run(_frozen(plan)).lockstep if part is None and count >= FEW else None
    if lockstep is not None:
        size = max(min(lockstep.at_once, -(-count // jobs)), DEALS_OF_PART)
    end = None if seconds is None else monotonic() + seconds

    def pieces() -> Iterator[tuple[int, int]]:
        for first in range(0, count, size):
            if first and end is not None and monotonic() >= end:
                return
            yield first, min(size, count - first)

    yield from in_order(work, pieces(), jobs)


def _play_part(plan: Plan, logged: bool, first: int, count: int) -> tuple[Tally, list[str]]:
    run, lines = _run(_frozen(plan)), list[str]()
    log = lines if logged else None
    if count >= FEW and run.lockstep is not None:
        return play_in_arrays(run, run.lockstep, first, count, log)[0], lines
    tally = Tally()
    tally.add(run.played(first, count, log))
    return tally, lines


def _compare_part(first: Plan, second: Plan, start: int, count: int) -> tuple[Tally, Tally, Tally]:
    """Return the sums of both runs, and those of the differences with their squares."""
    (one, before), (two, after) = (_measured_part(plan, start, count) for plan in (first, second))
    differences = Tally()
    for key, values in before.items():
        difference = after[key] - values
        differences[key] = int(difference.sum())
        differences[*key, "squares"] = int((difference * difference).sum())
    return one, two, differences


def _measured_part(plan: Plan, first: int, count: int) -> tuple[Tally, Measures]:
    """Return the sums of a run, and what it is compared by."""
    run = _run(_frozen(plan))
    if count >= FEW and run.lockstep is not None:
        return play_in_arrays(run, run.lockstep, first, count)
    played = list(run.played(first, count))
    tally = Tally()
    tally.add(played)
    units = groupby(played, lambda each: each.unit)
    return tally, joined([measures(deals, len(plan.players)) for _, deals in units])


_Frozen = tuple[str, tuple[tuple[str, str], ...], tuple[str, ...], int, bool]


def _frozen(plan: Plan) -> _Frozen:
    return plan.rules, tuple(sorted(plan.options.items())), plan.players, plan.seed, plan.games


@lru_cache(maxsize=4)
def _run(frozen: _Frozen) -> Run:
    """Return the run of a plan, made once in each process."""
    rules, options, players, seed, games = frozen
    return Run(Plan(rules=rules, options=dict(options), players=players, seed=seed, games=games))
