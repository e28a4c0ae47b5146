"""The cache of compiled rulesets, keyed by the file, its options and the state of mjcli's own code.

An entry is a file of plain data, and beside it, once a hand was scored, one of the compiled source.
"""

from __future__ import annotations

import marshal
import os
import sys
import zlib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import CodeType
from typing import Any, Final, NamedTuple

__all__ = ["Entry", "cache_entry", "cached", "cached_code", "store", "store_code"]

_MAGIC: Final = b"mjcli ruleset\n"


class Entry(NamedTuple):
    """A place in the cache."""

    path: Path
    key: str
    """The ruleset, the options, this Python, and the state of mjcli's own code."""

    @property
    def code_path(self) -> Path:
        """Where the compiled source is."""
        return self.path.with_suffix(".code")


def cache_entry(path: Path, options: Mapping[str, str]) -> Entry | None:
    """Return the place in the cache for a ruleset under some options; None where there is no folder for a cache."""
    folder = os.environ.get("MJCLI_CACHE_DIR")
    if not folder:
        from platformdirs import user_cache_dir

        folder = user_cache_dir("mjcli", appauthor=False)
    code = Path(__file__).parent
    state = sorted((entry.path, entry.stat().st_mtime_ns) for entry in os.scandir(code) if entry.is_file())
    for name in ("columns.py", "forms.py", "notation/words.py", "tiles.py"):
        state.append((name, (code.parent / name).stat().st_mtime_ns))
    key = repr((str(path.resolve()), sorted(options.items()), sys.version, state))
    return Entry(Path(folder) / f"{path.stem}-{zlib.crc32(key.encode()):08x}.bin", key)


def cached(entry: Entry) -> dict[str, Any] | None:
    """Return the data that the cache holds; None if there is none, it is broken, or a layer has changed since."""
    try:
        data: dict[str, Any] = _read(entry.path)
        if data["key"] != entry.key or any(Path(layer).read_bytes() != text for layer, text in data["layers"]):
            return None
        if any(Path(layer).exists() for layer in data["absent"]):
            return None
        return data
    except (OSError, ValueError, EOFError, TypeError, KeyError):
        return None


def store(entry: Entry, data: Mapping[str, Any]) -> None:
    """Write data to the cache; where that cannot be done, the next call compiles again."""
    _write(entry.path, {**data, "key": entry.key})


def cached_code(entry: Entry, source: str) -> CodeType | None:
    """Return the compiled source that the cache holds; None if there is none, it is broken, or it is of another."""
    try:
        key, of, code = _read(entry.code_path)
        return code if key == entry.key and of == source and isinstance(code, CodeType) else None
    except (OSError, ValueError, EOFError, TypeError):
        return None


def store_code(entry: Entry, source: str, code: CodeType) -> None:
    """Write compiled source to the cache; where that cannot be done, the next call compiles again."""
    _write(entry.code_path, (entry.key, source, code))


def _read(path: Path) -> Any:
    """Return what a file of the cache holds.

    Raises:
        OSError, ValueError, EOFError, TypeError: there is none, or it is broken.
    """
    content = path.read_bytes()
    head, payload = content[: len(_MAGIC) + 4], content[len(_MAGIC) + 4 :]
    if head != _head(payload):
        raise ValueError("not whole")
    return marshal.loads(payload)  # noqa: S302 - this user's mjcli wrote it, and it is whole


def _write(path: Path, value: Any) -> None:
    payload = marshal.dumps(value)
    partial = path.with_suffix(f"{path.suffix}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_bytes(_head(payload) + payload)
        partial.replace(path)
    except OSError:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def _head(payload: bytes) -> bytes:
    return _MAGIC + zlib.crc32(payload).to_bytes(4)
