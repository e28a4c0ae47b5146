"""Work in several processes: what each does first, and results in the order in which the work was given out."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from threading import Thread
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future
    from multiprocessing.process import BaseProcess

__all__ = ["GONE", "Crew", "end_with_parent", "in_order"]

Result = TypeVar("Result")

GONE: Final = "a process that was to help is gone; this one does what is left"
"""What is told where other processes are lost."""

ASKED_EVERY: Final = 1.0
"""After how many seconds without a result others are asked whether they are still there."""

AHEAD: Final = 3
"""Pieces that each process has waiting for it."""


def end_with_parent() -> None:
    """Let this process end as soon as the one that started it has, however that ended.

    Waiting for work alone it would not notice: it holds both ends of the queue that it waits at.
    """
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)


class Crew(NamedTuple):
    """Other processes that work, on this machine or on others."""

    executor: Executor
    ahead: int
    """How many pieces are given out at once."""
    lost: tuple[type[BaseException], ...]
    """What comes in place of a result if they are gone; `CancelledError` is one of them if ``is_there`` is given."""
    note: Callable[[str], object] = str
    """Told once if they are."""
    is_there: Callable[[], bool] | None = None
    """Asked again and again while a result is awaited, where the executor itself may never tell that they are gone."""

    def submit(self, work: Callable[..., Result], *piece: Any) -> Future[Result]:
        """Let one of them do ``work`` with ``piece``; if they are gone, so says what is returned."""
        from concurrent.futures import Future

        try:
            return self.executor.submit(work, *piece)
        except self.lost as error:
            gone: Future[Result] = Future()
            gone.set_exception(error)
            return gone

    def result(self, future: Future[Result]) -> Result:
        """Return what they have found; raise one of ``lost`` if they are gone, and what the work itself raised."""
        from concurrent.futures import CancelledError, wait

        while self.is_there is not None and not future.done():
            if not self.is_there():
                raise CancelledError
            wait((future,), ASKED_EVERY)
        return future.result()


def in_order(
    work: Callable[..., Result], pieces: Iterable[tuple[Any, ...]], jobs: int, crew: Crew | None = None
) -> Iterator[Result]:
    """Yield what ``work`` returns for each of some pieces, in their order.

    >>> list(in_order(max, [(1, 2), (4, 3)], jobs=1))
    [2, 4]

    Args:
        work: is called with each piece; of several processes, each must be able to import it.
        pieces: are asked for a few ahead of the results.
        jobs: in how many processes; one is this one.
        crew: who works in place of these; what they lose is done in this process.

    Raises:
        ChildProcessError: one of the processes has ended before its work was done.
    """
    if crew is not None:
        yield from _by_crew(work, pieces, crew)
        return
    if jobs == 1:
        for piece in pieces:
            yield work(*piece)
        return
    from concurrent.futures import BrokenExecutor, ProcessPoolExecutor

    with ProcessPoolExecutor(jobs, initializer=_follow_parent) as pool:
        try:
            yield from _by_crew(work, pieces, Crew(pool, AHEAD * jobs, ()))
        except BrokenExecutor:
            message = "a process that was to help has ended: was it killed, or is memory short? fewer --jobs need less"
            raise ChildProcessError(message) from None
        finally:
            pool.shutdown(cancel_futures=True)


def _by_crew(work: Callable[..., Result], pieces: Iterable[tuple[Any, ...]], crew: Crew) -> Iterator[Result]:
    waiting: deque[tuple[tuple[Any, ...], Future[Result]]] = deque()
    told = False

    def received() -> Result:
        nonlocal told
        piece, future = waiting.popleft()
        try:
            return crew.result(future)
        except crew.lost:
            if not told:
                crew.note(GONE)
                told = True
            return work(*piece)

    for piece in pieces:
        waiting.append((piece, crew.submit(work, *piece)))
        if len(waiting) >= crew.ahead:
            yield received()
    while waiting:
        yield received()


def _follow_parent() -> None:
    """Leave interrupts to the process that waits for this one, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
