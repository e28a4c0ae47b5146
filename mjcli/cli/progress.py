"""How far a long run has come, on a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, Final

__all__ = ["Progress"]

AFTER: Final = 1.0
"""How many seconds a run takes before anything is shown."""

EVERY: Final = 0.2
"""How many seconds lie between two pictures."""


class Progress:
    """One line on standard error; nothing where that is no terminal, or rich is not there."""

    def __init__(
        self,
        position: Callable[[], int] | None,
        size: int,
        *,
        wanted: bool,
        before: int = 0,
        unit: str = "hands",
    ) -> None:
        """
        Args:
            position: returns how much of the input has been read.
            size: how much there is; 0 where that is not known.
            wanted: whether anything is to be shown.
            before: how many hands another run has worked on, which say nothing of the rate.
            unit: what is worked on.
        """
        self._unit = unit
        self._position, self._size, self._before = position, size, before
        self._begun = time.monotonic()
        self._next = self._begun + AFTER
        self._bar: Any = None
        self._wanted = wanted and sys.stderr is not None and sys.stderr.isatty()

    def update(self, hands: int) -> None:
        """Show that so many hands, or what else it is, have been worked on."""
        now = time.monotonic()
        if not self._wanted or now < self._next:
            return
        self._next = now + EVERY
        if self._bar is None:
            self._bar = self._made()
            self._wanted = self._bar is not None
        if self._bar is not None:
            read = self._position() if self._position is not None else 0
            rate = round((hands - self._before) / (now - self._begun))
            self._bar.start()
            self._bar.update(self._bar.task_ids[0], completed=read, hands=f"{hands:,}", rate=f"{rate:,}")
            self._bar.refresh()

    def clear(self) -> None:
        """Take the line away, so that something else can be written; the next update shows it again."""
        if self._bar is not None:
            self._bar.stop()

    def _made(self) -> Any:
        try:
            from rich import progress
            from rich.console import Console
        except ImportError:
            return None
        told = [
            progress.TextColumn(f"{{task.fields[hands]}} {self._unit}"),
            progress.TextColumn("{task.fields[rate]} a second"),
        ]
        far = [progress.BarColumn(), progress.TaskProgressColumn(), progress.TimeRemainingColumn()]
        columns = [*told, *(far if self._size else [progress.TimeElapsedColumn()])]
        bar = progress.Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False)
        bar.add_task("", total=self._size or None, hands="", rate="")
        return bar
