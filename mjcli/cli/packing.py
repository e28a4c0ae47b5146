"""Files that are packed, by their suffix: ``.gz`` and ``.zst``."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, Final, cast

from mjcli.errors import InputError

__all__ = ["is_packed", "lines_of_file", "named", "opened", "packer", "unpacked_name"]

GZ, ZST = ".gz", ".zst"

LEVELS: Final = {GZ: 6, ZST: 3}
"""How hard each tries, from 1 on: what its own command does unless told otherwise."""


def is_packed(path: str) -> bool:
    """Return whether the suffix says that a file is packed.

    >>> is_packed("hands.txt.zst"), is_packed("hands.txt")
    (True, False)
    """
    return path.endswith((GZ, ZST))


def unpacked_name(path: str) -> str:
    """Return the name that a file has once it is unpacked.

    >>> unpacked_name("hands.csv.gz")
    'hands.csv'
    """
    return path[: path.rindex(".")] if is_packed(path) else path


def named(path: str) -> Path:
    """Return the path of a file.

    Raises:
        FileNotFoundError: it is nothing, which ``Path`` takes for the folder that one is in.
    """
    if not path:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    return Path(path)


def opened(path: str) -> tuple[IO[bytes], tuple[type[Exception], ...]]:
    """Return a file to read, unpacked if its suffix says that it is packed, and what broken data make it raise.

    Raises:
        OSError: it cannot be opened.
        InputError: the library that unpacks it is missing (``no-library``).
    """
    if path.endswith(GZ):
        import gzip
        import zlib

        return cast("IO[bytes]", gzip.open(path)), (OSError, EOFError, zlib.error)
    if path.endswith(ZST):
        zstd = _zstd()
        return zstd.open(path), (OSError, EOFError, zstd.ZstdError)
    return named(path).open("rb"), (OSError,)


def lines_of_file(path: str) -> Iterator[bytes]:
    """Yield the lines of a file, unpacked if its suffix says that it is packed.

    Raises:
        OSError: it cannot be opened.
        InputError: its data are broken (``broken``), or the library that unpacks it is missing (``no-library``).
    """
    stream, faults = opened(path)
    with stream:
        try:
            yield from stream
        except faults as error:
            raise InputError("broken", f"'{path}' cannot be read to its end: {error}") from None


def packer(path: str) -> Callable[[bytes], bytes] | None:
    """Return what packs a piece of a file of this name, so that pieces one after another are that file packed.

    None if the suffix does not say that it is packed. Equal pieces are packed alike.

    Raises:
        InputError: the library that packs is missing (``no-library``).
    """
    if path.endswith(GZ):
        import gzip

        return lambda piece: gzip.compress(piece, LEVELS[GZ], mtime=0)
    if path.endswith(ZST):
        zstd = _zstd()
        return lambda piece: zstd.compress(piece, LEVELS[ZST])
    return None


def _zstd() -> Any:
    """Return the module for Zstandard: of Python itself since 3.14, before that the same as a library."""
    try:
        from compression import zstd
    except ImportError:
        try:
            from backports import zstd
        except ImportError:
            message = ".zst needs a library that is not installed: pip install 'mjcli[zst]'"
            raise InputError("no-library", message) from None
    return zstd
