"""Work in several processes: what each does first, and results in the order in which the work was given out."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from multiprocessing import parent_process
from multiprocessing.process import BaseProcess
from threading import Thread
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

__all__ = ["end_with_parent", "in_order"]

Result = TypeVar("Result")

AHEAD: Final = 3
"""Pieces that each process has waiting for it."""


def end_with_parent() -> None:
    """Let this process end as soon as the one that started it has, however that ended.

    Waiting for work alone it would not notice: it holds both ends of the queue that it waits at.
    """
    parent = parent_process()
    if parent is not None:
        Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)


def in_order(work: Callable[..., Result], pieces: Iterable[tuple[Any, ...]], jobs: int) -> Iterator[Result]:
    """Yield what ``work`` returns for each of some pieces, in their order.

    >>> list(in_order(max, [(1, 2), (4, 3)], jobs=1))
    [2, 4]

    Args:
        work: is called with each piece; of several processes, each must be able to import it.
        pieces: are asked for a few ahead of the results.
        jobs: in how many processes; one is this one.

    Raises:
        ChildProcessError: one of them has ended before its work was done.
    """
    if jobs == 1:
        for piece in pieces:
            yield work(*piece)
        return
    from concurrent.futures import BrokenExecutor, ProcessPoolExecutor

    with ProcessPoolExecutor(jobs, initializer=_follow_parent) as pool:
        waiting: deque[Future[Result]] = deque()
        try:
            for piece in pieces:
                waiting.append(pool.submit(work, *piece))
                if len(waiting) >= AHEAD * jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BrokenExecutor:
            message = "a process that was to help has ended: was it killed, or is memory short? fewer --jobs need less"
            raise ChildProcessError(message) from None
        finally:
            pool.shutdown(cancel_futures=True)


def _follow_parent() -> None:
    """Leave interrupts to the process that waits for this one, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
