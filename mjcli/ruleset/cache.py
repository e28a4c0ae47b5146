"""The cache of compiled rulesets: plain data, keyed by the file, its options and the state of mjcli's own code."""

from __future__ import annotations

import marshal
import os
import sys
import zlib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

__all__ = ["Entry", "cache_entry", "cached", "store"]

_MAGIC: Final = b"mjcli ruleset\n"


class Entry(NamedTuple):
    """A place in the cache."""

    path: Path
    key: str
    """The ruleset, the options, this Python, and the state of mjcli's own code."""


def cache_entry(path: Path, options: Mapping[str, str]) -> Entry | None:
    """Return the place in the cache for a ruleset under some options; None where there is no folder for a cache."""
    folder = os.environ.get("MJCLI_CACHE_DIR")
    if not folder:
        from platformdirs import user_cache_dir

        folder = user_cache_dir("mjcli", appauthor=False)
    code = Path(__file__).parent
    modules = [Path(entry) for entry in os.scandir(code) if entry.is_file()]
    modules += [code.parent / name for name in ("forms.py", "readings.py", "tiles.py", "wall.py")]
    state = sorted((str(module), module.stat().st_mtime_ns) for module in modules)
    key = repr((str(path.resolve()), sorted(options.items()), sys.version, state))
    return Entry(Path(folder) / f"{path.stem}-{zlib.crc32(key.encode()):08x}.bin", key)


def cached(entry: Entry) -> dict[str, Any] | None:
    """Return what a cache file holds; None if there is none, it is broken, or a layer has changed since."""
    try:
        content = entry.path.read_bytes()
        head, payload = content[: len(_MAGIC) + 4], content[len(_MAGIC) + 4 :]
        if head != _head(payload):
            return None
        data: dict[str, Any] = marshal.loads(payload)  # noqa: S302 - this user's mjcli wrote it, and it is whole
        if data["key"] != entry.key or any(Path(layer).read_bytes() != text for layer, text in data["layers"]):
            return None
        if any(Path(layer).exists() for layer in data["absent"]):
            return None
        return data
    except (OSError, ValueError, EOFError, TypeError, KeyError):
        return None


def store(entry: Entry, data: Mapping[str, Any]) -> None:
    """Write a cache file; where that cannot be done, the next call compiles again."""
    payload = marshal.dumps({**data, "key": entry.key})
    partial = entry.path.with_suffix(f".{os.getpid()}")
    try:
        entry.path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_bytes(_head(payload) + payload)
        partial.replace(entry.path)
    except OSError:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def _head(payload: bytes) -> bytes:
    return _MAGIC + zlib.crc32(payload).to_bytes(4)
