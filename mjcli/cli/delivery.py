"""What becomes of answers: they are written in order, and bad lines are told of, counted and put aside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from mjcli.errors import amount

if TYPE_CHECKING:
    from mjcli.cli.messages import Messages
    from mjcli.cli.output import Writer
    from mjcli.cli.sink import Sink
    from mjcli.cli.work import Answered, Bad

__all__ = ["NONE", "Counts", "Delivery", "Rejects", "TooManyError"]


class Counts(NamedTuple):
    """What was done with hands."""

    answered: int = 0
    refused: int = 0
    """How many answers are a no."""
    bad: int = 0
    in_arrays: int = 0
    """How many were answered in arrays."""

    @property
    def hands(self) -> int:
        """How many were given."""
        return self.answered + self.bad

    @property
    def code(self) -> int:
        """The exit code that says so."""
        return 1 if self.bad or self.refused else 0

    def tell(self, told: Messages, seconds: float, before: int = 0) -> None:
        """Say how many hands there were, and how they were answered.

        Args:
            told: hears of it.
            seconds: that it took, of a clock on which that may be none.
            before: how many of the hands were answered before that.
        """
        told.note(f"{amount(self.hands, 'hand')}, {round((self.hands - before) / max(seconds, 0.001))} a second")
        one_by_one = self.answered - self.in_arrays
        told.note(f"{self.in_arrays} answered in arrays, {one_by_one} one by one, {self.bad} bad")


NONE: Final = Counts()


class TooManyError(Exception):
    """More lines are bad than are put up with."""


class Rejects:
    """A file of bad lines as they were given, each after a comment that says what is wrong with it."""

    def __init__(self, sink: Sink, header: bytes = b"") -> None:
        """
        Args:
            sink: the file.
            header: the line that stands before the first of them; empty for none.
        """
        self.sink, self._header = sink, header

    def add(self, bad: Bad) -> None:
        """Write a bad line."""
        from mjcli.cli.output import error_text

        if self._header:
            self.sink.put(self._header.removesuffix(b"\n") + b"\n")
            self._header = b""
        self.sink.write(f"# line {bad.number}: {error_text(bad.error)}\n")
        self.sink.put(bad.raw + b"\n")


class Delivery:
    """Brings answers to the output."""

    def __init__(
        self,
        told: Messages,
        writer: Writer,
        sink: Sink,
        where: str,
        *,
        most: int | None = None,
        rejects: Rejects | None = None,
        counts: Counts = NONE,
    ) -> None:
        """
        Args:
            told: hears of bad lines, unless they are put aside.
            writer: writes the answers.
            sink: where it writes them.
            where: what stands before the number of a line to name its place.
            most: how many bad lines are put up with; None for any number.
            rejects: where bad lines are put aside.
            counts: what was done before.
        """
        self._told, self._writer, self._sink, self._where = told, writer, sink, where
        self._most, self._rejects, self.counts = most, rejects, counts

    def take(self, answered: Answered) -> None:
        """Write some answers, and tell of each bad line where it stands among them.

        Raises:
            TooManyError: more lines are bad than are put up with; the output was ended before the one too many.
        """
        output, at = answered.output, 0
        for count, bad in enumerate(answered.bad, self.counts.bad + 1):
            self._writer.add(output[at : bad.start])
            at = bad.start
            if self._rejects is not None:
                self._rejects.add(bad)
            else:
                self._sink.flush()
                self._told.error(bad.error, f"{self._where}{bad.number}")
            if self._most is not None and count > self._most:
                self.counts = self.counts._replace(bad=count)
                self._writer.end()
                self._sink.flush()
                raise TooManyError(f"given up at {self._where}{bad.number}: {amount(count, 'bad line')}")
        self._writer.add(output[at:])
        counts = self.counts
        self.counts = Counts(
            counts.answered + answered.answered,
            counts.refused + answered.refused,
            counts.bad + len(answered.bad),
            counts.in_arrays + answered.in_arrays,
        )
