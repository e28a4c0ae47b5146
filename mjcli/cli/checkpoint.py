"""How far a long run has come, kept beside the file that it writes, so that another run can go on from there."""

from __future__ import annotations

import json
import time
from base64 import b64decode, b64encode
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, NamedTuple

from mjcli.cli.blocks import Block, BlockReader
from mjcli.cli.delivery import Counts
from mjcli.cli.sink import Mark, Sink
from mjcli.errors import InputError

__all__ = ["Checkpoint", "Journal", "digest"]

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


class Journal:
    """Follows a run through its input, and keeps its last checkpoint in a file."""

    def __init__(self, output: Path, said: Mapping[str, Any]) -> None:
        """
        Args:
            output: the file that the run writes.
            said: what its bytes depend on, each by a name for people, as values of JSON.
        """
        self._path = output.with_name(f".{output.name}.resume")
        self._said = said
        self._place, self._digest = 0, blake2b()
        self._kept_at = time.monotonic()
        self.is_kept = False
        """Whether there is a checkpoint."""

    def found(self) -> Checkpoint | None:
        """Return the checkpoint of a run that was interrupted; None if there is none.

        Raises:
            InputError: something has changed since, or the file is broken (``changed``).
        """
        try:
            kept = json.loads(self._path.read_bytes())
            before, rejects = kept.pop("said"), kept["rejects"]
            marks = {"output": _mark(kept["output"]), "rejects": None if rejects is None else _mark(rejects)}
            found = Checkpoint(**{**kept, "counts": Counts(*kept["counts"]), **marks})
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError):
            raise InputError("changed", f"cannot resume: '{self._path}' is broken") from None
        for name, value in self._said.items():
            if before.get(name) != value:
                raise _changed(name)
        self.is_kept = True
        return found

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
        if not complete and time.monotonic() - self._kept_at < EVERY:
            return
        kept = {
            "said": self._said,
            "place": self._place,
            "digest": self._digest.hexdigest(),
            "counts": counts,
            "output": _written(output.mark()),
            "rejects": None if rejects is None else _written(rejects.mark()),
            "complete": complete,
        }
        new = self._path.with_name(f"{self._path.name}.new")
        new.write_text(json.dumps(kept))
        new.replace(self._path)
        self.is_kept, self._kept_at = True, time.monotonic()

    def drop(self) -> None:
        """Forget the run."""
        self._path.unlink(missing_ok=True)
        self.is_kept = False


def digest(text: str) -> str:
    """Return a short text that differs where ``text`` differs."""
    return blake2b(text.encode("utf-8", "backslashreplace"), digest_size=16).hexdigest()


def _changed(name: str) -> InputError:
    return InputError("changed", f"cannot resume: the {name} has changed since; without --resume the run begins anew")


def _written(mark: Mark) -> tuple[int, str]:
    return mark.length, b64encode(mark.pending).decode()


def _mark(written: tuple[int, str]) -> Mark:
    length, pending = written
    return Mark(length, b64decode(pending))
