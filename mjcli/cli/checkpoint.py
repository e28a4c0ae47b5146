"""How far a long run has come, kept beside the file that it writes, so that another run can go on from there."""

from __future__ import annotations

import json
import time
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from mjcli.cli.blocks import Block, BlockReader
from mjcli.cli.delivery import Counts
from mjcli.cli.sink import Mark, Sink
from mjcli.errors import InputError

__all__ = ["Checkpoint", "Journal", "StateFile", "digest", "mark_of", "written"]

State = TypeVar("State")

EVERY: Final = 0.5
"""How many seconds lie between two checkpoints."""


class Checkpoint(NamedTuple):
    """A state of a run between two lines of its input."""

    place: int
    """How many bytes of the input are done."""
    digest: str
    """Of those bytes."""
    counts: Counts
    output: Mark
    rejects: Mark | None
    """Of the file of bad lines, if there is one."""
    complete: bool
    """Whether all of the input is done, and the files need but take their names."""


class StateFile:
    """The last state of a run, in a file beside the one that it writes, with what the run depends on."""

    def __init__(self, output: Path, said: Mapping[str, Any]) -> None:
        """
        Args:
            output: the file that the run writes.
            said: what its bytes depend on, each by a name for people, as values of JSON.
        """
        self._path = output.with_name(f".{output.name}.resume")
        self._said = said
        self._kept_at = time.monotonic()
        self.is_kept = False
        """Whether there is a state."""

    def found(self, make: Callable[[dict[str, Any]], State]) -> State | None:
        """Return the state of a run that was interrupted; None if there is none.

        Args:
            make: makes it of what was kept.

        Raises:
            InputError: something has changed since, or the file is broken (``changed``).
        """
        try:
            kept = json.loads(self._path.read_bytes())
            before = kept.pop("said")
            found = make(kept)
            changed = [name for name, value in self._said.items() if before.get(name) != value]
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError, AttributeError):
            raise InputError("changed", f"cannot resume: '{self._path}' is broken") from None
        if changed:
            raise _changed(changed[0])
        self.is_kept = True
        return found

    def is_due(self) -> bool:
        """Return whether the state kept last is no longer quite new."""
        return time.monotonic() - self._kept_at >= EVERY

    def keep(self, state: Mapping[str, Any]) -> None:
        """Keep a state in place of the one before, as values of JSON."""
        new = self._path.with_name(f"{self._path.name}.new")
        try:
            new.write_text(json.dumps({"said": self._said, **state}))
            new.replace(self._path)
        except OSError as error:
            error.filename = str(self._path)
            new.unlink(missing_ok=True)
            raise
        self.is_kept, self._kept_at = True, time.monotonic()

    def drop(self) -> None:
        """Forget the run."""
        self._path.unlink(missing_ok=True)
        self.is_kept = False


class Journal:
    """Follows a run through its input, and keeps its last checkpoint in a file."""

    def __init__(self, output: Path, said: Mapping[str, Any]) -> None:
        """
        Args:
            output: the file that the run writes.
            said: what its bytes depend on, each by a name for people, as values of JSON.
        """
        self._file = StateFile(output, said)
        self._place, self._digest = 0, blake2b()

    @property
    def is_kept(self) -> bool:
        """Whether there is a checkpoint."""
        return self._file.is_kept

    def found(self) -> Checkpoint | None:
        """Return the checkpoint of a run that was interrupted; None if there is none.

        Raises:
            InputError: something has changed since, or the file is broken (``changed``).
        """
        return self._file.found(_checkpoint)

    def skip(self, reader: BlockReader, found: Checkpoint) -> None:
        """Read over what is done.

        Raises:
            InputError: it is not what was read before (``changed``).
        """
        while self._place < found.place:
            block = reader.read(0)
            if block is None:
                raise _changed("input")
            if block.end > found.place:
                block, rest = block.split(found.place - block.place)
                reader.give_back(rest)
            self.follow(block)
        if self._digest.hexdigest() != found.digest:
            raise _changed("input")

    def follow(self, block: Block) -> None:
        """Take ``block``, the next one of the input, as done."""
        self._place = block.end
        self._digest.update(block.data)

    def keep(self, counts: Counts, output: Sink, rejects: Sink | None, *, complete: bool = False) -> None:
        """Keep a checkpoint in place of the one before, unless that is quite new.

        Args:
            counts: what was done with what was followed so far.
            output: has the answers to that.
            rejects: has its bad lines.
            complete: whether that is all; such a checkpoint is kept in any case.
        """
        if complete or self._file.is_due():
            self._file.keep(
                {
                    "place": self._place,
                    "digest": self._digest.hexdigest(),
                    "counts": counts,
                    "output": written(output.mark()),
                    "rejects": None if rejects is None else written(rejects.mark()),
                    "complete": complete,
                }
            )

    def drop(self) -> None:
        """Forget the run."""
        self._file.drop()


def _checkpoint(kept: dict[str, Any]) -> Checkpoint:
    rejects = kept["rejects"]
    marks = {"output": mark_of(kept["output"]), "rejects": None if rejects is None else mark_of(rejects)}
    return Checkpoint(**{**kept, "counts": Counts(*kept["counts"]), **marks})


def digest(text: str) -> str:
    """Return a short text that differs where ``text`` differs."""
    return blake2b(text.encode("utf-8", "backslashreplace"), digest_size=16).hexdigest()


def _changed(name: str) -> InputError:
    return InputError("changed", f"cannot resume: the {name} has changed since; without --resume the run begins anew")


def written(mark: Mark) -> tuple[int, str]:
    """Return a mark as values of JSON."""
    return mark.length, b64encode(mark.pending).decode()


def mark_of(values: tuple[int, str]) -> Mark:
    """Return the mark that was written as values of JSON."""
    length, pending = values
    return Mark(length, b64decode(pending))
