"""Who works on the blocks of the input: this process, several on this machine, or a cluster; always in order."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from typing import TYPE_CHECKING, Final, NamedTuple

from mjcli.cli.work import Answered, answer_elsewhere
from mjcli.errors import InputError
from mjcli.processes import GONE, Crew, end_with_parent

if TYPE_CHECKING:
    from concurrent.futures import Future

    from mjcli.cli.blocks import Block, BlockReader
    from mjcli.cli.work import Worker

__all__ = ["Cluster", "Plan", "answers", "connect"]

BLOCK: Final = 1 << 16
"""How many bytes of input a block has at least, where its hands are answered one by one."""

LARGE: Final = 1 << 18
"""The same where they are answered in arrays, or in another process, ..."""

SCORED: Final = 1 << 20
"""... where they are scored so, for which there is more to do for each block, ..."""

LONG: Final = 1 << 15
"""... and where the answers are long, of which several blocks wait for their turn."""

AHEAD: Final = 4
"""How many blocks wait or are worked on for each process."""

LINE: Final = 16
"""About how many bytes a line has."""

ARRAYS_FROM: Final = 20_000 * LINE
"""From so many bytes of input on, hands are answered in arrays."""

ASKED_FROM: Final = 20_000 * LINE
"""From so many bytes of input on, other processes take part if they were asked for."""

UNASKED_FROM: Final = 1_000_000 * LINE
"""The same if nothing was said of them."""

PATIENCE: Final = 10
"""How many seconds a cluster has to answer, and to have workers."""


class Plan(NamedTuple):
    """Who is to work."""

    jobs: int | None = None
    """How many processes; None is as many as there are processors, for a large input."""
    cluster: str | None = None
    """The address of a scheduler of Dask, whose workers do it all."""
    size: int = 0
    """How many bytes the input has, as far as that is known."""

    def helpers(self, read: int, worker: Worker) -> _Helpers | None:
        """Return those who are to work in place of this process after ``read`` bytes of input; None if nobody is to.

        Raises:
            InputError: there is no such cluster, or a library is missing.
        """
        if self.cluster is not None:
            return _cluster(self.cluster, worker)
        jobs = _processors() if self.jobs is None else self.jobs
        least = UNASKED_FROM if self.jobs is None else ASKED_FROM
        return _processes(jobs, worker) if jobs > 1 and max(self.size, read) >= least else None


class _Helpers(NamedTuple):
    """Other processes that answer blocks."""

    crew: Crew
    task: bytes
    """What they are to do, packed once."""
    close: Callable[[], None]
    """Lets them go."""

    def submit(self, block: Block) -> Future[Answered]:
        """Let one of them answer ``block``; a process that this starts heeds no interrupt, which is for this one."""
        with _no_interrupts():
            return self.crew.submit(answer_elsewhere, self.task, block)


def answers(
    reader: BlockReader, worker: Worker, plan: Plan, note: Callable[[str], None]
) -> Generator[tuple[Block, Answered], None, None]:
    """Yield every block of the input with its answers, in order.

    Args:
        reader: the input.
        worker: does the task in this process.
        plan: who else is to.
        note: told if others did not do theirs, so that it is done in this process.

    Raises:
        InputError: there is no such cluster, or a library is missing.
    """
    helpers: _Helpers | None = None
    sent: deque[tuple[Block, Future[Answered]]] = deque()
    told, in_arrays = False, plan.size >= ARRAYS_FROM
    command = worker.command
    large = SCORED if command.won else LONG if command.is_long else LARGE

    def received() -> tuple[Block, Answered]:
        nonlocal told
        block, future = sent.popleft()
        assert helpers is not None
        try:
            return block, helpers.crew.result(future)
        except helpers.crew.lost:
            if not told:
                note(GONE)
                told = True
            return block, worker.answer(block)

    try:
        while True:
            while sent and helpers and (len(sent) >= helpers.crew.ahead or sent[0][1].done() or not reader.at_hand):
                yield received()
            block = reader.read(large if helpers or in_arrays else BLOCK)
            if block is None:
                break
            in_arrays = max(plan.size, block.end) >= ARRAYS_FROM
            helpers = helpers or plan.helpers(block.end, worker)
            if helpers is not None:
                sent.append((block, helpers.submit(block)))
            else:
                yield block, worker.answer(block) if in_arrays else worker.answer_one_by_one(block)
        while sent:
            yield received()
    finally:
        if helpers is not None:
            helpers.close()


def _processors() -> int:
    """Return how many processors this process may use."""
    usable: Callable[[int], set[int]] | None = getattr(os, "sched_getaffinity", None)
    return len(usable(0)) if usable else os.cpu_count() or 1


def _processes(jobs: int, worker: Worker) -> _Helpers:
    """Return processes of this machine; they start anew, not as copies of this one, on every system alike."""
    from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
    from multiprocessing import get_context

    executor = ProcessPoolExecutor(jobs, get_context("spawn"), initializer=end_with_parent)

    def close() -> None:
        executor.shutdown(cancel_futures=True)  # those that are at work finish it

    return _Helpers(Crew(executor, AHEAD * jobs, (BrokenExecutor,)), _packed(worker), close)


class Cluster(NamedTuple):
    """The workers of a scheduler of Dask."""

    crew: Crew
    threads: int
    close: Callable[[], None]
    """Lets them go."""


def connect(address: str, note: Callable[[str], object] = str) -> Cluster:
    """Return the workers of a cluster.

    Args:
        address: that of its scheduler.
        note: told if its work is done in this process, since the scheduler or for a while all workers are gone.

    Raises:
        InputError: there is none, or a library is missing.
    """
    try:
        from distributed import Client, KilledWorker
        from distributed.client import ClosedClientError
    except ImportError:
        message = "--cluster needs a library that is not installed: pip install 'mjcli[cluster]'"
        raise InputError("no-library", message) from None
    from concurrent.futures import CancelledError

    try:
        client = Client(address, timeout=PATIENCE)
        client.wait_for_workers(1, timeout=PATIENCE)
    except (OSError, ValueError, TimeoutError) as error:
        message = f"no scheduler with workers at '{address}' within {PATIENCE} s ({error})"
        raise InputError("no-cluster", message) from None
    threads = sum(client.nthreads().values())
    executor = client.get_executor(pure=False)
    seen = monotonic()

    def is_there() -> bool:
        """Return whether there are workers, or were lately; Dask leaves what was asked of a lost scheduler undone."""
        nonlocal seen
        try:
            if client.status != "running":
                return False
            if client.nthreads():
                seen = monotonic()
        except (OSError, ClosedClientError):
            return False
        return monotonic() < seen + PATIENCE

    def close() -> None:
        with suppress(ClosedClientError):  # the scheduler is gone
            executor.shutdown(wait=False)  # what is not done is cancelled
        client.close()

    lost = (KilledWorker, CancelledError, ClosedClientError)
    return Cluster(Crew(executor, AHEAD * threads, lost, note, is_there), threads, close)


def _cluster(address: str, worker: Worker) -> _Helpers:
    """Return the workers of a cluster.

    Raises:
        InputError: there is none, or a library is missing.
    """
    found = connect(address)
    return _Helpers(found.crew, _packed(worker), found.close)


def _packed(worker: Worker) -> bytes:
    """Return what a worker does, for one that works elsewhere."""
    import pickle

    return pickle.dumps(worker.task)


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Keep interrupts from this thread, and from processes that are started meanwhile for as long as they live."""
    import signal

    if os.name == "nt":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
