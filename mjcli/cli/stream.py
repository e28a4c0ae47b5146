"""A whole input answered: blocks in, answers out, with progress, and a state from which another run can go on."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Final

from mjcli import __version__
from mjcli.cli.blocks import Block
from mjcli.cli.delivery import NONE, Counts, Delivery, Rejects, TooManyError
from mjcli.cli.entries import header_of
from mjcli.cli.inputs import open_input
from mjcli.cli.messages import UsageError
from mjcli.cli.progress import Progress
from mjcli.cli.request import words_of
from mjcli.cli.sink import Sink, are_one_file, part_path, regular_target
from mjcli.cli.work import Worker
from mjcli.cli.workers import Plan, answers
from mjcli.errors import NotationError, amount

if TYPE_CHECKING:
    from mjcli.cli.blocks import BlockReader
    from mjcli.cli.checkpoint import Checkpoint, Journal
    from mjcli.cli.handling import Handling
    from mjcli.cli.hands import HandCommand
    from mjcli.cli.inputs import Input
    from mjcli.cli.messages import Messages
    from mjcli.cli.work import Task

__all__ = ["answer_input"]

RESUMED: Final = ("text", "csv", "tsv", "jsonl")
"""The formats that another run can go on with: they are lines that do not depend on those before."""


def answer_input(told: Messages, command: HandCommand, task: Task, handling: Handling) -> int:
    """Answer every hand of an input, and return the exit code.

    Raises:
        OSError, InputError, UsageError: something that is needed is not there, or is wrong.
    """
    if handling.rejects is not None:
        _check_rejects(handling.rejects, handling)
    words = words_of(task.ruleset)
    with closing(open_input(handling.input_path, handling.input_format, words, task.others)) as given:
        return _answer_input(told, command, task, handling, given)


def _check_rejects(rejects: str, handling: Handling) -> None:
    """Refuse rejects that would be written over the input or among the answers.

    Raises:
        UsageError: they would.
    """
    if rejects == "-":
        raise UsageError("--rejects needs a file of its own, not '-'")
    for option, path in (("--input", handling.input_path), ("--output", handling.output)):
        if are_one_file(path, rejects):
            raise UsageError(f"--rejects and {option} are the same file")


def _answer_input(told: Messages, command: HandCommand, task: Task, handling: Handling, given: Input) -> int:
    begun = time.monotonic()
    if handling.resume and _journal(task, handling, given.path) is None:
        formats = ", ".join(RESUMED)
        raise UsageError(f"--resume needs --input FILE, --output FILE, and one of the formats {formats}")
    if task.others.kept and given.form == "lines":
        raise UsageError("--keep needs an input with columns or keys: CSV, TSV, JSON Lines, Parquet or Arrow")
    words = words_of(task.ruleset)
    task = replace(task, given=given.form)
    header, before = header_of(given.reader) if task.given in ("csv", "tsv") else (None, Block(b""))
    if header is not None:
        from mjcli.cli import fields

        try:
            task = replace(task, names=fields.header_names(header, task.given, words, task.others))
        except NotationError as error:
            told.error(error, f"{given.where}{header.number}")
            return 2
    worker = Worker(command, task)
    journal = _journal(task, handling, given.path)
    found = None
    if journal is not None:
        journal.follow(before)
        found = _taken_up(journal, handling, given.reader, told)
    if found is not None and found.complete:
        counts = found.counts
        _name_files(handling, found)
    else:
        with _Files(handling, journal, found) as files:
            head = b"" if header is None else header.text.encode()
            counts = _answer(told, worker, handling, given, files, journal, found, head)
    if journal is not None:
        journal.drop()
    _summarize(told, handling, counts)
    if handling.stats:
        counts.tell(told, time.monotonic() - begun, 0 if found is None else found.counts.hands)
    return counts.code


def _journal(task: Task, handling: Handling, path: Path | None) -> Journal | None:
    """Return what lets another run go on with this one; None where none could."""
    target = regular_target(handling.output)
    if target is None or path is None or task.form not in RESUMED:
        return None
    from mjcli.cli.checkpoint import Journal, digest

    said = (replace(task, ruleset=None), handling.no_header, handling.most, handling.rejects)
    state = path.stat()
    return Journal(
        target,
        {
            "version of mjcli": __version__,
            "input": [state.st_size, state.st_mtime_ns],
            "ruleset": digest(repr(task.ruleset)),
            "command line": digest(repr(said)),
        },
    )


def _taken_up(journal: Journal, handling: Handling, reader: BlockReader, told: Messages) -> Checkpoint | None:
    """Return the checkpoint to go on from, once the input has been read up to it; None to begin anew.

    Raises:
        InputError: something has changed since.
    """
    if not handling.resume:
        journal.drop()
        return None
    found = journal.found()
    if found is None:
        told.note("there is no run to resume; this one begins anew")
    elif not found.complete:
        journal.skip(reader, found)
    return found


class _Files:
    """The files of a run. Leaving its ``with`` gives them their names, or leaves what another run can go on with."""

    def __init__(self, handling: Handling, journal: Journal | None, found: Checkpoint | None) -> None:
        self._journal, kept = journal, journal is not None
        self.given_up = False
        """Whether the output is not to be."""
        self.aside: Sink | None = None
        self.output = Sink(handling.output, kept=kept, mark=found and found.output)
        try:
            if handling.rejects is not None:
                self.aside = Sink(handling.rejects, kept=kept, mark=found and found.rejects)
        except BaseException:
            self.output.close(whole=False, left=self._left)
            raise

    @property
    def _left(self) -> bool:
        return self._journal is not None and self._journal.is_kept and not self.given_up

    def __enter__(self) -> _Files:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        whole = kind is None
        try:
            if self.aside is not None:
                self.aside.close(whole=whole or self._journal is None, left=self._left)
        except BaseException:
            whole = False
            raise
        finally:
            self.output.close(whole=whole and not self.given_up, left=self._left)


def _answer(
    told: Messages,
    worker: Worker,
    handling: Handling,
    given: Input,
    files: _Files,
    journal: Journal | None,
    found: Checkpoint | None,
    header: bytes,
) -> Counts:
    """Answer what is left of the input, and return what was done with all of it."""
    output, aside = files.output, files.aside
    writer = worker.writer(output, header=not handling.no_header and not (found and found.output.begun))
    if found is not None and found.rejects is not None and found.rejects.begun:
        header = b""
    delivery = Delivery(
        told,
        writer,
        output,
        given.where,
        most=handling.most,
        rejects=None if aside is None else Rejects(aside, header),
        counts=NONE if found is None else found.counts,
    )
    plan = Plan(handling.jobs, handling.cluster, given.whole)
    wanted = not told.quiet and not _is_terminal(handling.output)
    shown = Progress(given.position, given.size, wanted=wanted, before=delivery.counts.hands)
    with closing(answers(given.reader, worker, plan, told.note)) as answered:
        try:
            for block, some in answered:
                if some.bad:
                    shown.clear()
                with _uninterrupted():
                    delivery.take(some)
                    output.flush()
                    if journal is not None:
                        journal.follow(block)
                        journal.keep(delivery.counts, output, aside)
                shown.update(delivery.counts.hands)
        except TooManyError as error:
            files.given_up = True
            told.error_text(str(error))
            return delivery.counts
        except KeyboardInterrupt:
            if journal is not None and journal.is_kept:
                told.note("interrupted; the same command with --resume goes on")
            raise
        finally:
            shown.clear()
    writer.end()
    output.flush()
    if journal is not None:
        journal.keep(delivery.counts, output, aside, complete=True)
    return delivery.counts


def _name_files(handling: Handling, found: Checkpoint) -> None:
    """Give the files of a run that was all but done their names, if they have not got them yet.

    Raises:
        InputError: one of them is gone (``changed``).
    """
    for path, mark in ((handling.rejects, found.rejects), (handling.output, found.output)):
        target = regular_target(path)
        if target is not None and (part_path(target, kept=True).exists() or not target.exists()):
            Sink(path, kept=True, mark=mark).close(whole=True)


def _is_terminal(output: str | None) -> bool:
    """Return whether the answers go to a terminal, where they show how far the run has come."""
    return output in (None, "-") and sys.stdout is not None and sys.stdout.isatty()


def _summarize(told: Messages, handling: Handling, counts: Counts) -> None:
    """Say that there was nothing to do, or what became of bad lines."""
    if not counts.hands:
        told.note("there are no hands in the input")
    if handling.rejects is not None and counts.bad:
        told.note(f"{amount(counts.bad, 'bad line')} put aside in {handling.rejects}")


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Put off an interrupt to the end of the ``with``, so that lines stay whole; a second one comes at once."""
    import signal
    import threading

    came = False

    def put_off(number: int, frame: FrameType | None) -> None:
        nonlocal came
        if came:
            signal.default_int_handler(number, frame)
        came = True

    heeded = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not heeded or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, put_off)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if came:
        raise KeyboardInterrupt
