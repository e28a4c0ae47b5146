"""The work of a run in parts, in one process or in several; the result does not depend on how it is cut."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache, partial
from itertools import groupby
from time import monotonic
from typing import Any, Final, TypeVar

from mjcli.dealing import wall_rules
from mjcli.errors import InputError
from mjcli.processes import Crew, in_order
from mjcli.simulate.intervals import mean
from mjcli.simulate.runs import Plan, Run
from mjcli.simulate.sums import FEW, FEW_GAMES, Measures, joined, play_in_arrays
from mjcli.simulate.tally import Tally, measures, results

__all__ = ["Comparison", "State", "compare", "simulate"]

Part = TypeVar("Part")

DEALS_OF_PART: Final = 64
"""Few enough that slow players tell soon how far they are."""
GAMES_OF_PART: Final = 8
FEWER_GAMES: Final = 4
"""How many times fewer games than deals are played at once, so that a part takes not very much longer, ..."""
FEWEST_GAMES: Final = 32
"""... and the same if their logs are kept until all of them are over, or the run has a limit of time."""


class State:
    """How far a run has come, of which another can go on: what the deals or games before a number add up to."""

    def __init__(self, count: int) -> None:
        """
        Args:
            count: of tallies: one of a run, three of a comparison.
        """
        self.done = 0
        """How many deals or games have been added, from the first on."""
        self.tallies = [Tally() for _ in range(count)]

    def add(self, *parts: Tally) -> None:
        """Add the tallies of the next deals or games."""
        for tally, some in zip(self.tallies, parts, strict=True):
            tally.update(some)
        self.done += parts[0]["units",]

    def keys(self) -> dict[str, Any]:
        """Return it as values of JSON."""
        tallies = [[[*key, value] for key, value in tally.items()] for tally in self.tallies]
        return {"done": self.done, "tallies": tallies}

    @classmethod
    def of(cls, keys: Mapping[str, Any]) -> State:
        """Return the state that ``keys`` gave as values of JSON.

        >>> state = State(1)
        >>> state.add(Tally({("units",): 2}))
        >>> State.of(state.keys()).done
        2
        """
        state = cls(0)
        state.done = keys["done"]
        state.tallies = [Tally({tuple(key): value for *key, value in rows}) for rows in keys["tallies"]]
        return state


def simulate(
    plan: Plan,
    count: int,
    *,
    jobs: int = 1,
    part: int | None = None,
    seconds: float | None = None,
    log: Callable[[str], object] | None = None,
    state: State | None = None,
    after: Callable[[State], object] | None = None,
    crew: Crew | None = None,
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
        state: of a run of the same plan, which this one goes on with; it is changed.
        after: is told the state after each part, once the log has its lines.
        crew: who plays in place of processes of this machine.

    Raises:
        InputError: there is no such ruleset, option or player; the ruleset cannot be played; a player fails.
    """
    ruleset = _run(_frozen(plan)).ruleset
    state = state or State(1)
    work = partial(_play_part, plan, log is not None)
    for some, lines in _parts(work, plan, state.done, count, jobs, part, seconds, crew, logged=log is not None):
        for line in lines:
            assert log is not None
            log(line)
        state.add(some)
        if after is not None:
            after(state)
    return results(state.tallies[0], plan, ruleset)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two runs with the same seed."""

    same_walls: bool
    """Whether both rulesets build, break and deal their walls alike, so that every deal begins as in the other run."""
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
    state: State | None = None,
    after: Callable[[State], object] | None = None,
    crew: Crew | None = None,
) -> Comparison:
    """Return two runs with the same seed, and by how much they differ from deal to deal or from game to game.

    Arguments and errors are those of ``simulate``.

    Raises:
        InputError: besides, one has more players than the other (``bad-players``).
    """
    rulesets = [_run(_frozen(plan)).ruleset for plan in (first, second)]
    if len(first.players) != len(second.players):
        shown = " and ".join(f"{len(plan.players)} in {plan.rules}" for plan in (first, second))
        raise InputError("bad-players", f"players are compared one with one, but there are {shown}")
    walls = [replace(wall_rules(ruleset), dead_wall=0, indicator=0) for ruleset in rulesets]
    state = state or State(3)
    work = partial(_compare_part, first, second)
    for parts in _parts(work, first, state.done, count, jobs, part, seconds, crew):
        state.add(*parts)
        if after is not None:
            after(state)
    one, two, sums = state.tallies
    units = one["units",]
    found: dict[str, Any] = {}
    for key in (key for key in sums if key[-1] != "squares"):
        value = asdict(mean(sums[key], sums[*key, "squares"], units))
        if key[0] == "player":
            found.setdefault("players", [{} for _ in first.players])[key[1]][key[2]] = value
        else:
            found[str(key[0])] = value
    return Comparison(
        same_walls=walls[0] == walls[1],
        first=results(one, first, rulesets[0]),
        second=results(two, second, rulesets[1]),
        differences=found,
    )


def _parts(
    work: Callable[[int, int], Part],
    plan: Plan,
    done: int,
    count: int,
    jobs: int,
    part: int | None,
    seconds: float | None,
    crew: Crew | None,
    *,
    logged: bool = False,
) -> Iterator[Part]:
    """Yield the results of the parts of a run that are not done yet, in order."""
    size = part or (GAMES_OF_PART if plan.games else DEALS_OF_PART)
    lockstep = _run(_frozen(plan)).lockstep if part is None and count >= _few(plan) else None
    if lockstep is not None:
        fewer = (FEWER_GAMES if seconds is None and not logged else FEWEST_GAMES) if plan.games else 1
        at_once = max(lockstep.at_once // fewer, 1)
        turns = -(-count // (jobs * at_once))  # of each process, all of the same length
        size = max(-(-count // (jobs * turns)), _few(plan))
    end = None if seconds is None else monotonic() + seconds

    def pieces() -> Iterator[tuple[int, int]]:
        for first in range(done, count, size):
            if first > done and end is not None and monotonic() >= end:
                return
            yield first, min(size, count - first)

    yield from in_order(work, pieces(), jobs, crew)


def _few(plan: Plan) -> int:
    """Return from how many deals or games on arrays are faster."""
    return FEW_GAMES if plan.games else FEW


def _play_part(plan: Plan, logged: bool, first: int, count: int) -> tuple[Tally, list[str]]:
    run, lines = _run(_frozen(plan)), list[str]()
    log = lines if logged else None
    if count >= _few(plan) and run.lockstep is not None:
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
    if count >= _few(plan) and run.lockstep is not None:
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
