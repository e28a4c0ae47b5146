"""Runs of deals that can be gone on with: how far one has come is kept beside its output, together with its log."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple

from mjcli import __version__
from mjcli.cli.checkpoint import StateFile, digest, mark_of, written
from mjcli.cli.sink import Mark, Sink, part_path, regular_target
from mjcli.errors import InputError

if TYPE_CHECKING:
    from mjcli.simulate import Plan, State

__all__ = ["Found", "RunFile", "RunLog", "run_file"]


class Found(NamedTuple):
    """What was kept of a run."""

    seed: int
    state: State
    log: Mark | None
    """How far the log had come, if there is one."""
    complete: bool
    """Whether all is played, and the files need but take their names."""


class RunFile:
    """The file beside an output that says how far the run has come."""

    def __init__(self, file: StateFile) -> None:
        self._file = file

    @property
    def is_kept(self) -> bool:
        """Whether there is a state."""
        return self._file.is_kept

    def found(self, seed: int | None) -> Found | None:
        """Return what was kept of a run that was interrupted; None if there is none.

        Args:
            seed: the one that was asked for, if any was.

        Raises:
            InputError: something has changed since, or the file is broken (``changed``).
        """
        found = self._file.found(_found)
        if found is not None and seed not in (None, found.seed):
            raise InputError("changed", f"cannot resume: that run had the seed {found.seed}")
        return found

    def keep(self, seed: int, state: State, log: Sink | None, *, complete: bool = False) -> None:
        """Keep a state in place of the one before, unless that is quite new.

        Args:
            seed: of the run.
            state: how far it has come.
            log: has the lines of what is played.
            complete: whether that is all; such a state is kept in any case.
        """
        if complete or self._file.is_due():
            mark = None if log is None else written(log.mark())
            self._file.keep({"seed": seed, "state": state.keys(), "log": mark, "complete": complete})

    def drop(self) -> None:
        """Forget the run."""
        self._file.drop()


def _found(kept: dict[str, Any]) -> Found:
    from mjcli.simulate import State

    log = None if kept["log"] is None else mark_of(kept["log"])
    return Found(int(kept["seed"]), State.of(kept["state"]), log, bool(kept["complete"]))


def run_file(output: str | None, plans: Sequence[Plan], count: int, log_path: str | None) -> RunFile | None:
    """Return what keeps how far a run has come; None where its output is no file.

    Args:
        output: the file that the run writes.
        plans: what is played, whatever their seed: two in a comparison.
        count: how many deals or games.
        log_path: the file of the log, if there is one.
    """
    target = regular_target(output)
    if target is None:
        return None
    from mjcli.ruleset import load_ruleset

    own = {name: Path(name.rpartition(":")[0]) for plan in plans for name in plan.players if ":" in name}
    said = {
        "version of mjcli": __version__,
        "ruleset": digest(repr([load_ruleset(plan.rules, plan.options) for plan in plans])),
        "player": digest(repr([(name, path.read_bytes()) for name, path in own.items() if path.is_file()])),
        "command line": digest(repr([count, log_path, *((plan.players, plan.games) for plan in plans)])),
    }
    return RunFile(StateFile(target, said))


class RunLog:
    """The log of a run. Leaving its ``with`` gives it its name, or leaves it for another run to go on with."""

    def __init__(self, path: str, file: RunFile | None, found: Found | None) -> None:
        """
        Args:
            path: of the log.
            file: says how far the run has come, if that is kept.
            found: what was kept of the run that this one goes on with.
        """
        self._file = file
        self.sink: Sink | None = None
        """Takes the lines; None if the log has its name already."""
        target = regular_target(path)
        named = found is not None and found.complete and target is not None
        if target is None or not named or part_path(target, kept=True).exists() or not target.exists():
            self.sink = Sink(path, kept=file is not None, mark=found and found.log)

    def __enter__(self) -> RunLog:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.sink is not None:
            self.sink.close(whole=kind is None, left=self._file is not None and self._file.is_kept)

    def write(self, line: str) -> None:
        """Write a line."""
        if self.sink is not None:
            self.sink.write(f"{line}\n")
