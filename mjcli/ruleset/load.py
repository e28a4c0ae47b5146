"""From a name to a ruleset: finding files, layers, options, compiling, and the cache of compiled rulesets."""

from __future__ import annotations

import marshal
import os
import re
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mjcli.errors import Fault, InputError, RulesetError
from mjcli.ruleset.program import OptionValue, Part, PlayRules, Program, RotationRules, WallRules
from mjcli.ruleset.ruleset import Liability, PatternInfo, Ruleset, link
from mjcli.tiles import TileSet

if TYPE_CHECKING:
    from mjcli.ruleset.model import RulesetFile
    from mjcli.ruleset.source import Node, NodeMap, Place

__all__ = ["compile_file", "load_ruleset", "read_ruleset", "ruleset_names", "ruleset_path"]

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

    sources = _Sources()
    file, faults = sources.read(path)
    data: dict[str, Any] = {}
    try:
        data = _compiled(file, chosen(file, said))
    except RulesetError as error:
        faults += error.faults
    if faults:
        raise RulesetError(faults)
    if entry is not None:
        _store(entry, {**data, "layers": sources.contents, "absent": sources.absent})
    return _assembled(data)


# reading files


def read_ruleset(path: Path) -> tuple[RulesetFile, list[Fault]]:
    """Return what the file at ``path`` says, put over those that it extends, and the faults of its form.

    Raises:
        RulesetError: some layer cannot be read at all.
        InputError: a layer is not found (``no-ruleset``).
    """
    return _Sources().read(path)


class _Sources:
    """Reads the layers of a ruleset, and keeps what a cache must know of them."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.contents: list[tuple[str, bytes]] = []
        """Each file read, with its content."""
        self.absent: list[str] = []
        """Files that would have been read instead, had they been there."""

    def read(self, path: Path) -> tuple[RulesetFile, list[Fault]]:
        """Return a file put over those that it extends, and the faults of form found in spite of which it is read."""
        from mjcli.ruleset.model import FILE

        layers = list(self.layers(path))
        tree = layers[-1]
        for upper in reversed(layers[:-1]):
            tree = _put_over(tree, upper, self.faults)
        file = FILE.read(tree, "", self.faults)
        if file is None:
            raise RulesetError(self.faults)
        found: RulesetFile = file
        return found, self.faults

    def layers(self, path: Path) -> Iterator[NodeMap]:
        """Yield a file and those that it extends, from the top down."""
        from mjcli.ruleset.shapes import RULESET_ID
        from mjcli.ruleset.source import Text, read_file

        seen: list[Path] = []
        while True:
            content = path.read_bytes()
            try:
                name = f"rulesets/{path.name}" if path.parent == _folder() else str(path)
                tree: NodeMap = read_file(path, name, self.faults)
            except RulesetError as error:
                raise RulesetError([*self.faults, *error.faults]) from None
            seen.append(path.resolve())
            self.contents.append((str(seen[-1]), content))
            yield tree
            under = tree.values.get("extends")
            if not isinstance(under, Text):
                self.faults += [place.fault("'drop' needs 'extends'", "drop") for place in _key(tree, "drop")]
                return
            missing = [key for key in ("id", "version") if key not in tree.values]
            self.faults += [tree.place.fault(f"key '{key}' is missing: each layer has its own") for key in missing]
            try:
                if not re.fullmatch(RULESET_ID.form, under.text):
                    raise InputError("no-ruleset", f"'{under.text}' is not {RULESET_ID.what}")
                beside = path.parent / f"{under.text}{SUFFIX}"
                path = ruleset_path(under.text, path.parent)
            except InputError as error:
                raise RulesetError([*self.faults, under.place.fault(str(error), "extends")]) from None
            if path != beside:
                self.absent.append(str(beside.resolve()))
            if path.resolve() in seen:
                fault = under.place.fault(f"'{under.text}' extends, in the end, this ruleset", "extends")
                raise RulesetError([*self.faults, fault])
            if len(seen) >= MAX_LAYERS:
                raise RulesetError([*self.faults, under.place.fault(f"more than {MAX_LAYERS} layers", "extends")])


def _key(tree: NodeMap, key: str) -> list[Place]:
    """Return the place of a key, if it is there."""
    return [tree.keys[key]] if key in tree.keys else []


_BY_KEY: Final = (
    *("names", "tiles", "tiles_only_if", "forms", "forms_only_if", "options", "context", "families", "tables", "score"),
    *("wall", "play", "rotation"),
)
"""Mappings whose keys are put over those of the layer below, one by one; other keys replace the whole value.

A pattern and an option change only in the keys that a layer gives them.
"""


def _put_over(lower: NodeMap, upper: NodeMap, faults: list[Fault]) -> NodeMap:
    from mjcli.ruleset.source import NodeList, NodeMap

    values, keys = {**lower.values, **upper.values}, {**lower.keys, **upper.keys}
    for key in _BY_KEY:
        below, above = lower.values.get(key), upper.values.get(key)
        if isinstance(below, NodeMap) and isinstance(above, NodeMap):
            values[key] = NodeMap({**below.values, **above.values}, above.place, {**below.keys, **above.keys})
    below, above, both = lower.values.get("options"), upper.values.get("options"), values.get("options")
    if isinstance(below, NodeMap) and isinstance(above, NodeMap) and isinstance(both, NodeMap):
        for name in below.values.keys() & above.values.keys():
            old, new = below.values[name], above.values[name]
            if isinstance(old, NodeMap) and isinstance(new, NodeMap):
                both.values[name] = NodeMap({**old.values, **new.values}, new.place, {**old.keys, **new.keys})
    below, above = lower.values.get("drop"), upper.values.get("drop")
    if isinstance(below, NodeList) and isinstance(above, NodeList):
        values["drop"] = NodeList((*below.items, *above.items), above.place)
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

    drop = file.values.get("drop")
    dropped = [item for item in drop.items if isinstance(item, Text)] if isinstance(drop, NodeList) else []
    known = {name(node) for node in lower}
    faults += [
        item.place.fault(f"no pattern '{item.text}' in the ruleset under this one", "drop")
        for item in dropped
        if item.text not in known
    ]
    gone = {item.text for item in dropped}
    found = [node for node in lower if name(node) not in gone]
    places = {name(node): place for place, node in reversed(list(enumerate(found)))}
    for node in upper:
        place = places.pop(name(node), None)
        below = None if place is None else found[place]
        if place is not None and isinstance(below, NodeMap) and isinstance(node, NodeMap):
            found[place] = NodeMap({**below.values, **node.values}, node.place, {**below.keys, **node.keys})
        else:
            found.append(node)
    return found


# options and compiling


def compile_file(
    file: RulesetFile, options: Mapping[str, OptionValue]
) -> tuple[Program, WallRules | None, PlayRules | None, RotationRules | None]:
    """Return what a file means under certain option values: its program, its wall, its play and its rotation.

    Raises:
        RulesetError: the file has faults; all that could be found are in it.
    """
    from mjcli.ruleset.compiler import compile_ruleset
    from mjcli.ruleset.procedures import compile_procedures

    program = procedures = None
    faults: list[Fault] = []
    try:
        program = compile_ruleset(file, options)
    except RulesetError as error:
        faults += error.faults
    try:
        procedures = compile_procedures(file, options, () if program is None else program.absent)
    except RulesetError as error:
        faults += error.faults
    if program is None or procedures is None:
        raise RulesetError(faults)
    return program, *procedures


def _compiled(file: RulesetFile, options: Mapping[str, OptionValue]) -> dict[str, Any]:
    """Return everything of a ruleset as plain data, which ``marshal`` can write."""
    from mjcli.ruleset.compiler import tile_set
    from mjcli.ruleset.liability import liability_kinds

    program, wall, play, rotation = compile_file(file, options)
    tiles = tile_set(file, program.absent)
    by_id = {pattern.id.text: pattern for pattern in file.patterns}
    conflict = file.liability_conflict.text if file.liability_conflict else "later"
    return {
        "head": {
            "id": file.id,
            "version": file.version,
            "names": dict(file.names),
            "sources": tuple(file.sources),
            "forms": {form.replace("_", "-"): "" if rule == "true" else rule for form, rule in program.forms.items()},
            "claimed_chows": file.claims.chow if file.claims else "mps",
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
        "play": None if play is None else asdict(play),
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
        play=None if data["play"] is None else PlayRules(**data["play"]),
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
    if not folder:
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
        if any(Path(layer).exists() for layer in data["absent"]):
            return None
        return _assembled(data)
    except (OSError, ValueError, EOFError, TypeError, KeyError):
        return None


def _store(entry: _Entry, data: Mapping[str, Any]) -> None:
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
