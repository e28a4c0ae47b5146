"""From a name to a ruleset: finding files, layers, options, compiling, and the cache of compiled rulesets."""

from __future__ import annotations

import marshal
import os
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mjcli.errors import Fault, InputError, RulesetError
from mjcli.ruleset.program import OptionValue, Part, Program, RotationRules, WallRules
from mjcli.ruleset.ruleset import Liability, PatternInfo, Ruleset, link
from mjcli.tiles import TileSet

if TYPE_CHECKING:
    from mjcli.ruleset.model import RulesetFile
    from mjcli.ruleset.source import Node, NodeMap

__all__ = ["load_ruleset", "read_ruleset", "ruleset_names", "ruleset_path"]

SUFFIX: Final = ".yaml"
MAX_LAYERS: Final = 10

_MAGIC: Final = b"mjcli ruleset\n"


def _folder() -> Path:
    """Return the folder of the rulesets that come with mjcli: in a wheel inside the package, else beside it."""
    package = Path(__file__).resolve().parents[1]
    shipped = package / "_rulesets"
    return shipped if shipped.is_dir() else package.parent / "rulesets"


def ruleset_names() -> list[str]:
    """Return the ids of the rulesets that come with mjcli, sorted."""
    return sorted(path.stem for path in _folder().glob(f"*{SUFFIX}"))


def ruleset_path(name: str, beside: Path | None = None) -> Path:
    """Return the file of a ruleset, given by id or by path; an id is looked for in ``beside`` first.

    Raises:
        InputError: there is no such ruleset (``no-ruleset``).
    """
    if name.endswith((SUFFIX, ".yml")) or os.sep in name:
        path = Path(name)
        if path.is_file():
            return path
        raise InputError("no-ruleset", f"no ruleset file '{name}'")
    folders = [_folder()] if beside is None else [beside, _folder()]
    for folder in folders:
        path = folder / f"{name}{SUFFIX}"
        if path.is_file():
            return path
    from mjcli.ruleset.shapes import nearest

    known = ruleset_names()
    raise InputError("no-ruleset", f"no ruleset '{name}'{nearest(name, known)}; there are {', '.join(known)}")


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
    entry = _cache_entry(path, said) if cache else None
    if entry is not None:
        found = _cached(entry)
        if found is not None:
            return found
    from mjcli.ruleset.options import chosen

    layers = [layer for layer, _ in _layers(path)]
    file, faults = read_ruleset(path)
    if faults:
        raise RulesetError([*faults, *compile_faults(file, {})])
    data = _compiled(file, chosen(file, said))
    if entry is not None:
        _store(entry, {**data, "layers": [(str(layer), layer.read_bytes()) for layer in layers]})
    return _assembled(data)


# reading files


def read_ruleset(path: Path) -> tuple[RulesetFile, list[Fault]]:
    """Return what the file at ``path`` says, put over those that it extends, and the faults of form in it.

    Raises:
        RulesetError: some layer cannot be read at all.
        InputError: a layer is not found (``no-ruleset``).
    """
    from mjcli.ruleset.model import FILE

    layers = list(_layers(path))
    tree = layers[-1][1]
    faults: list[Fault] = []
    for _, upper in reversed(layers[:-1]):
        tree = _put_over(tree, upper, faults)
    found: RulesetFile = FILE.read(tree, "", faults)
    return found, faults


def compile_faults(file: RulesetFile, said: Mapping[str, str]) -> tuple[Fault, ...]:
    """Return the faults of meaning in a file, under its defaults but for some options."""
    from mjcli.ruleset.compiler import compile_ruleset
    from mjcli.ruleset.options import chosen
    from mjcli.ruleset.procedures import compile_rotation, compile_wall

    options = chosen(file, said)
    found: list[Fault] = []
    for compiled in (
        lambda: compile_ruleset(file, options),
        lambda: compile_wall(file, options, _tile_set(file)),
        lambda: compile_rotation(file, options),
    ):
        try:
            compiled()
        except RulesetError as error:
            found += error.faults
    return tuple(found)


def _layers(path: Path) -> Iterator[tuple[Path, NodeMap]]:
    """Yield a file and those that it extends, from the top down."""
    from mjcli.ruleset.source import Text, read_file

    seen: list[Path] = []
    while True:
        name = f"{path.parent.name}/{path.name}" if path.parent == _folder() else str(path)
        tree: NodeMap = read_file(path, name)
        seen.append(path.resolve())
        yield path, tree
        under = tree.values.get("extends")
        if not isinstance(under, Text):
            return
        try:
            path = ruleset_path(under.text, path.parent)
        except InputError as error:
            raise RulesetError([under.place.fault(str(error), "extends")]) from None
        if path.resolve() in seen or len(seen) >= MAX_LAYERS:
            raise RulesetError([under.place.fault(f"'{under.text}' extends, in the end, this ruleset", "extends")])


_BY_KEY: Final = ("names", "tiles", "forms", "options", "context", "families", "tables", "score", "wall", "rotation")
"""Mappings whose keys are put over those of the layer below, one by one; other keys replace the whole value."""


def _put_over(lower: NodeMap, upper: NodeMap, faults: list[Fault]) -> NodeMap:
    from mjcli.ruleset.source import NodeList, NodeMap

    values, keys = {**lower.values, **upper.values}, {**lower.keys, **upper.keys}
    for key in _BY_KEY:
        below, above = lower.values.get(key), upper.values.get(key)
        if isinstance(below, NodeMap) and isinstance(above, NodeMap):
            values[key] = NodeMap({**below.values, **above.values}, above.place, {**below.keys, **above.keys})
    dropped = [layer.values.get("drop") for layer in (lower, upper)]
    lists = [each for each in dropped if isinstance(each, NodeList)]
    if lists:
        values["drop"] = NodeList(tuple(item for each in lists for item in each.items), lists[-1].place)
    below, above = lower.values.get("patterns"), upper.values.get("patterns")
    if isinstance(below, NodeList) and (above is None or isinstance(above, NodeList)):
        added = () if above is None else above.items
        place = below.place if above is None else above.place
        values["patterns"] = NodeList(tuple(_put_patterns(below.items, added, upper, faults)), place)
    return NodeMap(values, upper.place, keys)


def _put_patterns(lower: Iterable[Node], upper: Iterable[Node], file: NodeMap, faults: list[Fault]) -> list[Node]:
    """A pattern with an id of the layer below changes only the keys that it gives; ``drop`` takes patterns out."""
    from mjcli.ruleset.source import NodeList, NodeMap, Text

    def name(node: Node) -> str | None:
        found = node.values.get("id") if isinstance(node, NodeMap) else None
        return found.text if isinstance(found, Text) else None

    kept = {name(node) or str(index): node for index, node in enumerate(lower)}
    drop = file.values.get("drop")
    dropped = [item for item in drop.items if isinstance(item, Text)] if isinstance(drop, NodeList) else []
    faults += [
        item.place.fault(f"no pattern '{item.text}' in the ruleset under this one", "drop")
        for item in dropped
        if kept.pop(item.text, None) is None
    ]
    found = list(kept.values())
    for node in upper:
        below = kept.get(name(node) or "")
        if isinstance(below, NodeMap) and isinstance(node, NodeMap):
            merged = NodeMap({**below.values, **node.values}, node.place, {**below.keys, **node.keys})
            found[found.index(below)] = merged
        else:
            found.append(node)
    return found


# options and compiling


def _tile_set(file: RulesetFile) -> TileSet:
    reds = (file.tiles.get("0m", 0), file.tiles.get("0p", 0), file.tiles.get("0s", 0))
    return TileSet.of({key: copies for key, copies in file.tiles.items() if key[0] != "0"}, reds)


def _compiled(file: RulesetFile, options: Mapping[str, OptionValue]) -> dict[str, Any]:
    """Return everything of a ruleset as plain data, which ``marshal`` can write."""
    from mjcli.ruleset.compiler import compile_ruleset, liability_kinds
    from mjcli.ruleset.procedures import compile_rotation, compile_wall

    program = compile_ruleset(file, options)
    tiles = _tile_set(file)
    wall, rotation = compile_wall(file, options, tiles), compile_rotation(file, options)
    by_id = {pattern.id.text: pattern for pattern in file.patterns}
    conflict = file.liability_conflict.text if file.liability_conflict else "later"
    return {
        "head": {
            "id": file.id,
            "version": file.version,
            "names": dict(file.names),
            "sources": tuple(file.sources),
            "forms": {
                form.replace("_", "-"): "" if rule.text == "true" else rule.text for form, rule in file.forms.items()
            },
            "words": tuple((name.replace("_", "-"), word.kind, word.en) for name, word in file.context.items()),
            "options": dict(options),
            "liability_conflict": str(options.get(conflict, conflict)),
        },
        "tiles": (tiles.copies, tiles.reds),
        "patterns": [
            {
                "id": name,
                "names": {"en": found.en, "zh-Hant": found.zh_hant, "zh-Hans": found.zh_hans},
                "aliases": tuple(found.aliases),
                "group": found.group,
                "source": found.source,
                "note": found.note,
            }
            for name, found in ((name, by_id[name]) for name in program.patterns)
        ],
        "liability": [
            {"id": rule.id.text, "en": rule.en, "feeder": rule.feeder, "kinds": liability_kinds(rule)}
            for rule in file.liability
        ],
        "wall": None if wall is None else asdict(wall),
        "rotation": None if rotation is None else asdict(rotation),
        "program": asdict(program),
        "code": compile(program.source, f"<ruleset {file.id}>", "exec"),
    }


def _assembled(data: Mapping[str, Any]) -> Ruleset:
    raw = data["program"]
    parts = {name: tuple(Part(**part) for part in found) for name, found in raw["parts"].items()}
    program = Program(**{**raw, "parts": parts, "wins": tuple(Part(**part) for part in raw["wins"])})
    copies, reds = data["tiles"]
    wall = data["wall"]
    return Ruleset(
        **data["head"],
        tiles=TileSet(tuple(copies), tuple(reds)),
        patterns=tuple(PatternInfo(**each) for each in data["patterns"]),
        liability=tuple(Liability(**each) for each in data["liability"]),
        wall=None if wall is None else WallRules(**{**wall, "tiles": TileSet(**wall["tiles"])}),
        rotation=None if data["rotation"] is None else RotationRules(**data["rotation"]),
        program=program,
        evaluate=link(program, data["code"]),
    )


# the cache


class _Entry(NamedTuple):
    """A place in the cache."""

    path: Path
    key: str
    """The ruleset, the options, this Python, and the state of mjcli's own code."""


def _cache_entry(path: Path, options: Mapping[str, str]) -> _Entry | None:
    """Return the place in the cache for a ruleset under some options; None where there is no folder for a cache."""
    folder = os.environ.get("MJCLI_CACHE_DIR")
    if folder is None:
        from platformdirs import user_cache_dir

        folder = user_cache_dir("mjcli", appauthor=False)
    code = Path(__file__).parent
    modules = [Path(entry) for entry in os.scandir(code) if entry.is_file()]
    modules += [code.parent / "readings.py", code.parent / "wall.py"]
    state = sorted((str(module), module.stat().st_mtime_ns) for module in modules)
    key = repr((str(path.resolve()), sorted(options.items()), sys.version, state))
    return _Entry(Path(folder) / f"{path.stem}-{zlib.crc32(key.encode()):08x}.bin", key)


def _cached(entry: _Entry) -> Ruleset | None:
    """Return the ruleset of a cache file; None if there is none, it is broken, or a layer has changed since."""
    try:
        content = entry.path.read_bytes()
        head, payload = content[: len(_MAGIC) + 4], content[len(_MAGIC) + 4 :]
        if head != _head(payload):
            return None
        data = marshal.loads(payload)  # noqa: S302 - this user's mjcli wrote it, and it is whole
        if data["key"] != entry.key or any(Path(layer).read_bytes() != text for layer, text in data["layers"]):
            return None
        return _assembled(data)
    except (OSError, ValueError, EOFError, TypeError, KeyError):
        return None


def _store(entry: _Entry, data: Mapping[str, Any]) -> None:
    """Write a cache file; where that cannot be done, the next call compiles again."""
    payload = marshal.dumps({**data, "key": entry.key})
    try:
        entry.path.parent.mkdir(parents=True, exist_ok=True)
        partial = entry.path.with_suffix(f".{os.getpid()}")
        partial.write_bytes(_head(payload) + payload)
        partial.replace(entry.path)
    except OSError:
        return


def _head(payload: bytes) -> bytes:
    return _MAGIC + zlib.crc32(payload).to_bytes(4)
