"""What is read, in blocks of whole lines: the unit that is answered, here or in another process."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from typing import IO, Final, NamedTuple

__all__ = ["LIMIT", "Block", "BlockReader"]

LIMIT: Final = 1_000_000
"""The longest line that is answered, in bytes."""

KEPT: Final = 16_000_000
"""How much of a longer line is kept, in bytes, so that it can be given back as it was."""

CHUNK: Final = 1 << 16


class Block(NamedTuple):
    """Some lines of the input, one after another."""

    data: bytes
    """Whole lines; only the last one of the input may be without its end."""
    number: int = 1
    """1-based, of the first line."""
    place: int = 0
    """How many bytes of the input come before it."""
    dropped: int = 0
    """How many bytes of the last line, which is far too long, are left out of ``data``."""
    cut: str = ""
    """Why the input could not be read further than ``data``; empty if it could, or had come to its end."""

    @property
    def end(self) -> int:
        """How many bytes of the input come before what follows."""
        return self.place + len(self.data) + self.dropped

    def lines(self) -> list[bytes]:
        r"""Return the lines without ``\n``; the last is where reading failed, if it did."""
        lines = self.data.split(b"\n")
        if not lines[-1] and not self.cut:
            lines.pop()
        return lines

    def split(self, at: int) -> tuple[Block, Block]:
        """Return the block in two, the first of ``at`` bytes, which end with a line."""
        data = self.data[:at]
        return (
            Block(data, self.number, self.place),
            self._replace(data=self.data[at:], number=self.number + data.count(b"\n"), place=self.place + at),
        )


class BlockReader:
    """Reads a stream block by block."""

    def __init__(self, stream: IO[bytes], faults: tuple[type[Exception], ...] = (OSError,)) -> None:
        """
        Args:
            stream: what is read, in bytes.
            faults: what it may raise where its data are broken; the block before that place says so, and is the last.
        """
        self._read_some: Callable[[int], bytes] = getattr(stream, "read1", stream.read)
        self._faults, self._pipe = faults, _pipe(stream)
        self._rest = b""
        self._back: Block | None = None
        self._ended, self._cut = False, ""
        self._number, self._place = 1, 0

    @property
    def at_hand(self) -> bool:
        """Whether reading on would not have to wait; False too where that cannot be known."""
        if self._pipe is None or self._ended:
            return True
        if os.name == "nt":
            return False
        from select import select

        return bool(select([self._pipe], [], [], 0)[0])

    def read(self, size: int) -> Block | None:
        """Return the next block, or None after the last.

        Args:
            size: how many bytes it has at least, if there are so many, and they need not be waited for.
        """
        if self._back is not None:
            block, self._back = self._back, None
            return block
        held = bytearray(self._rest)
        whole = held.rfind(b"\n") + 1
        while not self._ended and not (whole and (whole >= size or not self.at_hand)):
            if len(held) - whole > KEPT:
                if not whole:
                    return self._long_line(held)
                break
            chunk = self._chunk()
            end = chunk.rfind(b"\n") + 1
            if end:
                whole = len(held) + end
            held += chunk
        if self._ended:
            whole = len(held)
        return self._block(held, whole)

    def give_back(self, block: Block) -> None:
        """Let ``block``, the end of the one that was read last, be read again."""
        if block.data or block.cut:
            self._back = block

    def _long_line(self, held: bytearray) -> Block | None:
        dropped = len(held) - KEPT
        del held[KEPT:]
        while not self._ended:
            chunk = self._chunk()
            end = chunk.find(b"\n")
            if end >= 0:
                held += chunk[end:]
                return self._block(held, KEPT + 1, dropped + end)
            dropped += len(chunk)
        return self._block(held, KEPT, dropped)

    def _chunk(self) -> bytes:
        try:
            chunk = self._read_some(CHUNK)
        except self._faults as error:
            chunk, self._cut = b"", str(error) or type(error).__name__
        self._ended = not chunk
        return chunk

    def _block(self, held: bytearray, whole: int, dropped: int = 0) -> Block | None:
        """Return the first ``whole`` bytes of ``held``, and keep the rest."""
        data, self._rest = bytes(held[:whole]), bytes(held[whole:])
        cut, self._cut = (self._cut, "") if self._ended and not self._rest else ("", self._cut)
        if not data and not cut:
            return None
        block = Block(data, self._number, self._place, dropped, cut)
        self._number += data.count(b"\n")
        self._place = block.end
        return block


def _pipe(stream: IO[bytes]) -> int | None:
    """Return the descriptor of a stream that may have to be waited for; None of a file, or of what is in memory."""
    try:
        descriptor = stream.fileno()
    except OSError:
        return None
    return None if stat.S_ISREG(os.fstat(descriptor).st_mode) else descriptor
