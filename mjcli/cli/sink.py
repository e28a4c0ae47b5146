"""Where output goes: standard output, or a file that appears under its name only once it is whole."""

from __future__ import annotations

import atexit
import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO, Final, NamedTuple

from mjcli.cli.packing import named, packer
from mjcli.errors import InputError

__all__ = [
    "Buffer",
    "Mark",
    "Output",
    "Sink",
    "are_one_file",
    "is_utf8",
    "output_encoding",
    "part_path",
    "regular_target",
]

PIECE: Final = 1 << 20
"""A packed file is a row of pieces, each of so many bytes before packing: its bytes do not depend on who wrote when."""


class Output(ABC):
    """Takes text, and bytes that were encoded before."""

    def __init__(self, encoding: str = "utf-8") -> None:
        self.encoding = encoding

    @property
    def is_closed(self) -> bool:
        """Whether nothing can be written any more."""
        return False

    @abstractmethod
    def put(self, data: bytes) -> None:
        """Write bytes."""

    def write(self, text: str) -> None:
        """Write ``text``; what the encoding cannot print becomes an escape."""
        self.put(text.encode(self.encoding, "backslashreplace"))


class Buffer(Output):
    """Keeps what is written."""

    def __init__(self, encoding: str) -> None:
        super().__init__(encoding)
        self.data = bytearray()

    def put(self, data: bytes) -> None:
        """Keep ``data`` after the rest."""
        self.data += data


class Mark(NamedTuple):
    """How far the writing of a file had come."""

    length: int
    """Of the unfinished file, in bytes."""
    pending: bytes = b""
    """What was written after that, and waits to be packed with what follows."""

    @property
    def begun(self) -> bool:
        """Whether anything was written."""
        return self.length > 0 or bool(self.pending)


class Sink(Output):
    """Standard output or a file. Leaving its ``with`` closes it: whole, unless by an error.

    An unfinished file that no other run goes on with does not outlive the process, even if an interrupt comes between
    its being made and the ``with``.
    """

    def __init__(self, path: str | None = None, *, kept: bool = False, mark: Mark | None = None) -> None:
        """
        Args:
            path: the file; None or ``-`` is standard output. What ends in ``.gz`` or ``.zst`` is packed. A device or a
                pipe is written as it stands, and so is what a name such as ``/dev/stdout`` stands for, even if that is
                a file.
            kept: whether the unfinished file has a name by which another run can find it.
            mark: where to go on in it; by default it begins anew.

        Raises:
            OSError: it cannot be written.
            InputError: another run is writing it (``busy``), it is shorter than ``mark`` (``changed``), or a library is
                missing (``no-library``).
        """
        super().__init__()
        self._named = None if path == "-" else path
        self._path: Path | None = None
        self._pack: Callable[[bytes], bytes] | None = None
        self._pending, self._begun = bytearray(), False
        if path is None or path == "-":
            if sys.stdout is None:
                raise OSError("standard output is closed")
            self._stream: IO[bytes] = sys.stdout.buffer
            self.encoding = output_encoding(path)
            return
        self._pack = packer(path)
        target = regular_target(path)
        if target is None:
            self._stream = named(path).open("ab")
            return
        self._path, self._part = target, part_path(target, kept=kept)
        if not kept:
            atexit.register(self._drop)
        try:
            self._stream = _locked(self._part, path) if kept else self._part.open("wb")
        except OSError as error:
            error.filename = path
            raise
        if kept:
            length = 0 if mark is None else mark.length
            if os.fstat(self._stream.fileno()).st_size < length:
                self._stream.close()
                raise InputError("changed", f"cannot resume: '{self._part}' is not what it was")
            self._stream.truncate(length)
            self._stream.seek(0, os.SEEK_END)
        if mark is not None:
            self._pending += mark.pending
            self._begun = mark.length > 0

    @property
    def is_standard(self) -> bool:
        """Whether it is standard output."""
        return sys.stdout is not None and self._stream is sys.stdout.buffer

    @property
    def is_closed(self) -> bool:
        """Whether the output was ended."""
        return self._stream.closed

    def writes(self, path: str) -> bool:
        """Return whether it is the file of this name; devices and pipes may be shared."""
        return self._path is not None and self._path == regular_target(path)

    def __enter__(self) -> Sink:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        self.close(whole=kind is None)

    def put(self, data: bytes) -> None:
        """Write bytes."""
        if self._pack is None:
            self._write_all(data)
            return
        self._pending += data
        while len(self._pending) >= PIECE:
            self._write_all(self._pack(bytes(self._pending[:PIECE])))
            self._begun = True
            del self._pending[:PIECE]

    def flush(self) -> None:
        """Send on what was written so far."""
        with self._naming_it():
            self._stream.flush()

    def mark(self) -> Mark:
        """Return how far the file has come, once that is sure to stay; a device or a pipe has no place to return to."""
        self.flush()
        if self._path is None:
            return Mark(0)
        with self._naming_it():
            os.fsync(self._stream.fileno())
        return Mark(self._stream.tell(), bytes(self._pending))

    def close(self, *, whole: bool, left: bool = False) -> None:
        """End the output; a file takes its name if it is ``whole``, else what was there before stays.

        Args:
            whole: whether all was written that belongs there.
            left: whether an unfinished file is left where it is, so that another run can go on.
        """
        if self.is_standard:
            if whole:
                self.flush()
            return
        try:
            with self._naming_it(), closing(self._stream):
                if whole and self._pack is not None and (self._pending or not self._begun):
                    self._write_all(self._pack(bytes(self._pending)))
                if whole and self._path is not None:
                    self._name(self._path)
        finally:
            if self._path is not None and not whole and not left:
                self._drop()
        atexit.unregister(self._drop)

    def _write_all(self, data: bytes) -> None:
        """Write bytes; where standard output has no buffer (PYTHONUNBUFFERED), a call may write a part of them."""
        with self._naming_it():
            while data:
                data = data[self._stream.write(data) :]

    @contextmanager
    def _naming_it(self) -> Iterator[None]:
        """Let an error of the ``with`` say what could not be written."""
        try:
            yield
        except OSError as error:
            if self._named is None:
                error.strerror = f"cannot write standard output: {error.strerror}"
            else:
                error.filename = self._named
            raise

    def _drop(self) -> None:
        self._part.unlink(missing_ok=True)

    def _name(self, path: Path) -> None:
        if path.exists():
            self._part.chmod(path.stat().st_mode & 0o7777)
        self._stream.flush()
        if os.name == "nt":
            self._stream.close()  # there an open file cannot be renamed; elsewhere it is kept from others till then
        self._part.replace(path)


def output_encoding(path: str | None) -> str:
    """Return the encoding of the sink with this path; one that begins with a mark is taken without it."""
    encoding = (sys.stdout and sys.stdout.encoding) or "utf-8" if path is None or path == "-" else "utf-8"
    return "utf-8" if is_utf8(encoding) else encoding


def is_utf8(encoding: str) -> bool:
    """Return whether an encoding is UTF-8, with or without a byte order mark at the beginning.

    >>> is_utf8("UTF-8-SIG"), is_utf8("gbk")
    (True, False)
    """
    return encoding.lower().replace("-", "").replace("_", "") in ("utf8", "utf8sig")


def regular_target(path: str | None) -> Path | None:
    """Return the file that a sink with this path makes; None if it is standard output, a device or a pipe."""
    if path is None or path == "-" or path.startswith("/dev/"):
        return None
    target = Path(path).resolve()
    return target if target.is_file() or not target.exists() else None


def are_one_file(one: str | None, other: str | None) -> bool:
    """Return whether two paths name the same file; standard output, devices and pipes may be shared.

    >>> are_one_file("a.txt", "./a.txt"), are_one_file("-", "-")
    (True, False)
    """
    target = regular_target(one)
    return target is not None and target == regular_target(other)


def part_path(target: Path, *, kept: bool) -> Path:
    """Return where a file is written before it takes its name."""
    return target.with_name(f".{target.name}.part" if kept else f".{target.name}.{os.getpid()}.part")


def _locked(part: Path, path: str) -> IO[bytes]:
    """Return an unfinished file, opened as it is; nobody else can open it so until it is closed."""
    while True:
        stream = part.open("ab")
        try:
            import fcntl
        except ImportError:
            return stream
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            stream.close()
            raise InputError("busy", f"another run is writing {path!r}") from None
        if part.exists() and os.path.samestat(part.stat(), os.fstat(stream.fileno())):
            return stream
        stream.close()  # the run that held it has just given it its name
