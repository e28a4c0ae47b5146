"""The unit of work: a block of the input in, the bytes of its answers out, the same wherever and however it is done."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from mjcli.cli.entries import BOM, REFUSED, Others, from_block
from mjcli.cli.output import NOTHING
from mjcli.cli.request import Request
from mjcli.cli.sink import Buffer
from mjcli.errors import InputError, NotationError
from mjcli.notation import format_hand

if TYPE_CHECKING:
    from mjcli.cli.blocks import Block
    from mjcli.cli.entries import Entry
    from mjcli.cli.hands import HandCommand
    from mjcli.cli.output import Answer, Writer
    from mjcli.cli.sink import Output
    from mjcli.ruleset import Ruleset

__all__ = ["Answered", "Bad", "Task", "Worker", "answer_elsewhere"]


@dataclass(frozen=True, kw_only=True)
class Task:
    """What is asked of every hand, and how the answers are written; another process can be given it."""

    command: str
    values: Mapping[str, Any]
    """The options by name, as ``Request`` takes them."""
    ruleset: Ruleset | None
    said: Mapping[str, str]
    """Words of the ruleset that are said of all hands, each with its text."""
    encoding: str
    """Of the output."""
    form: str
    """Of the output."""
    given: str = "lines"
    """The format of the input."""
    names: tuple[str, ...] = ()
    """The columns of CSV or TSV."""
    others: Others = REFUSED
    skipping: bool = False
    """Whether a bad line is left out of the output."""


class Bad(NamedTuple):
    """A line that could not be answered."""

    number: int
    """Of the line, from 1."""
    raw: bytes
    """As it was given."""
    error: NotationError
    start: int
    """How many bytes of the output come before what stands in its place."""


class Answered(NamedTuple):
    """A block that was worked on."""

    output: bytes
    """A line for each answer, in the order of the input."""
    bad: tuple[Bad, ...]
    answered: int
    """How many hands were answered."""
    refused: int
    """How many of these answers are a no."""
    in_arrays: int = 0
    """How many were answered in arrays."""


class Worker:
    """Does a task, block after block."""

    def __init__(self, command: HandCommand, task: Task) -> None:
        """
        Args:
            command: what answers a hand.
            task: what is asked.

        Raises:
            UsageError: the options cannot be so.
        """
        self.command, self.task = command, task
        self.request = Request(task.values, task.ruleset, task.said, task.encoding, won=command.won)
        self._answer_to = command.prepare(self.request)

    def writer(self, sink: Output, *, header: bool = True) -> Writer:
        """Return what writes the output of blocks, one after another, to ``sink``."""
        return self.command.writer(self.task.form, sink, self.request, header=header, kept=self.task.others.kept)

    def block_writer(self, buffer: Buffer) -> Writer:
        """Return what writes the answers of one block."""
        return self.command.writer(self.task.form, buffer, self.request, kept=self.task.others.kept, block=True)

    def answer(self, block: Block) -> Answered:
        """Return the answers for a block, in arrays where there is such a way; NumPy is imported then."""
        answer = self._in_arrays
        return self.answer_one_by_one(block) if answer is None else answer(block)

    @cached_property
    def _in_arrays(self) -> Callable[[Block], Answered] | None:
        from mjcli.cli.arrays import array_answers

        return array_answers(self)

    def answer_one_by_one(self, block: Block) -> Answered:
        """Return the answers for a block, one hand after the other."""
        lines: list[bytes] = []

        def raw(entry: Entry) -> bytes:
            if not lines:
                lines.extend(block.lines())
                if block.place == 0:
                    lines[0] = lines[0].removeprefix(BOM)  # it is of the file, not of its first line
            return lines[entry.number - block.number]

        return self.answer_entries(self.entries(block), raw)

    def answer_to(self, entry: Entry) -> Answer:
        """Return the answer for one hand.

        Raises:
            NotationError: it cannot be read, or not be answered.
        """
        try:
            line = self.request.line(entry)
            hand = line.hand
            assumed = {"melds_assumed": hand.melds_assumed} if hand.melds_assumed else NOTHING
            return {**entry.kept, "hand": format_hand(hand), **assumed, **self._answer_to(line)}
        except InputError as error:
            raise _placed(error, entry) from None

    def answer_entries(
        self,
        entries: Iterable[Entry],
        raw: Callable[[Entry], bytes],
        *,
        is_no: Callable[[Answer], bool] | None = None,
    ) -> Answered:
        """Return the answers for some hands.

        Args:
            entries: the hands.
            raw: returns one of them as it was given.
            is_no: whether an answer is a no; unless given, the command says that.
        """
        buffer = Buffer(self.task.encoding)
        writer = self.block_writer(buffer)
        columns, is_no = (*self.task.others.kept, *self.command.columns), is_no or self.command.is_no
        bad: list[Bad] = []
        answered = refused = 0
        for entry in entries:
            try:
                found = self.answer_to(entry)
            except NotationError as fault:
                bad.append(Bad(entry.number, raw(entry), fault, len(buffer.data)))
                if not self.task.skipping:
                    writer.bad(entry.number, entry.text, fault, entry.kept)
                continue
            answered += 1
            writer.answer({key: found[key] for key in columns if key in found})
            if is_no is not None and is_no(found):
                refused += 1
        return Answered(bytes(buffer.data), tuple(bad), answered, refused)

    def entries(self, block: Block) -> Iterator[Entry]:
        """Return the hands that are given in a block."""
        task, words, lines = self.task, self.request.words, from_block(block)
        if task.given == "lines":
            return lines
        from mjcli.cli import fields

        if task.given == "jsonl":
            return fields.from_objects(lines, words, task.others)
        return fields.from_rows(lines, task.given, task.names, words, task.others)


def _placed(error: InputError, entry: Entry) -> NotationError:
    """Return ``error`` as one of ``entry``: at the last word that it names, or else at its end."""
    if isinstance(error, NotationError):
        return error
    named = "|".join(map(re.escape, re.findall(r"'([a-z][a-z-]+=?)'", str(error))))
    places = [found.start() for found in re.finditer(rf"(?<!\S)(?:{named})", entry.text)] if named else []
    column = (places[-1] if places else len(entry.text.rstrip())) + 1
    return NotationError(error.code, str(error), line=entry.text, column=column)


def answer_elsewhere(packed: bytes, block: Block) -> Answered:
    """Return the answers for a block in a process that was given ``packed``, a pickled task."""
    return _worker(packed).answer(block)


@lru_cache(maxsize=1)
def _worker(packed: bytes) -> Worker:
    import pickle

    task: Task = pickle.loads(packed)  # noqa: S301 - the process that started this one wrote it
    return Worker(import_module(f"mjcli.cli.{task.command}").command, task)
