"""From a name to a ruleset: its layers read and compiled, or taken from the cache of compiled rulesets."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from types import CodeType
from typing import TYPE_CHECKING, Any

from mjcli.errors import RulesetError
from mjcli.ruleset.cache import Entry, cache_entry, cached, cached_code, store, store_code
from mjcli.ruleset.paths import ruleset_path
from mjcli.ruleset.plain import plain_data, ruleset_of
from mjcli.ruleset.ruleset import Ruleset, code_of

if TYPE_CHECKING:
    from pathlib import Path

    from mjcli.ruleset.layers import Sources

__all__ = ["load_ruleset"]


def load_ruleset(name: str, options: Mapping[str, str] | None = None, *, cache: bool = True) -> Ruleset:
    """Return a ruleset by id or path, with some of its options set.

    >>> load_ruleset("jipinghu", {"cap": "4"}).options["cap"]
    4

    Args:
        name: an id such as ``jipinghu``, or a path that ends in .yaml.
        options: values as text; the others have their defaults.
        cache: whether the compiled form may be taken from, and put into, the user's cache.

    Raises:
        InputError: there is no such ruleset (``no-ruleset``), option or value (``bad-option``).
        RulesetError: the file has faults; all that could be found are in it.
    """
    path = ruleset_path(name)
    said = dict(sorted((options or {}).items()))
    entry = cache_entry(path, said) if cache else None
    data = None if entry is None else cached(entry)
    if data is None:
        with _without_collecting():
            from mjcli.ruleset.layers import Sources

            sources = Sources()
            data = _compiled(path, said, sources)
        if entry is not None:
            store(entry, {**data, "layers": sources.contents, "absent": sources.absent})
    return ruleset_of(data) if entry is None else ruleset_of(data, partial(_code, entry))


def _code(entry: Entry, source: str, name: str) -> CodeType:
    """Return generated source, compiled, from the cache if it is there; else it is put there."""
    found = cached_code(entry, source)
    if found is None:
        found = code_of(source, name)
        store_code(entry, source, found)
    return found


def _compiled(path: Path, said: Mapping[str, str], sources: Sources) -> dict[str, Any]:
    """Return a ruleset as plain data, from its file and those that it extends."""
    from mjcli.ruleset.compiled import compile_file
    from mjcli.ruleset.options import chosen

    file, faults = sources.read(path)
    try:
        options = chosen(file, said)
        compiled = compile_file(file, options)
    except RulesetError as error:
        faults += error.faults
    if faults:
        raise RulesetError(faults)
    return plain_data(file, options, compiled)


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Let Python not look for garbage meanwhile: a tenth of the time, and trees and their parts are all in use.

    Nor does it look through all of them right afterwards: they are taken as old, where nobody has put objects aside.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            if not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
            gc.enable()
