"""Small rulesets, written by tests and read like any other file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import yaml

__all__ = ["own_or_shipped", "small_ruleset"]

FOLDER: Final = Path(__file__).parent


def own_or_shipped(name: str) -> str:
    """Return the path of the ruleset under tests of this name, or the name, which is then of a shipped one."""
    path = FOLDER / f"{name}.yaml"
    return str(path) if path.exists() else name


def small_ruleset(folder: Path, patterns: Sequence[Mapping[str, Any]], **keys: Any) -> Path:
    """Return a ruleset file that holds these patterns, other keys as given or as short as can be."""
    content: dict[str, Any] = {
        "id": "small",
        "version": "1",
        "tiles": {"m": "4", "p": "4", "s": "4", "z": "4"},
        "forms": {"standard": "true"},
        "patterns": list(patterns),
        "score": {"fan": "sum(main)", "points": "fan"},
        "best": "fan",
        **keys,
    }
    path = folder / f"{content['id']}.yaml"
    path.write_text(yaml.dump(content, sort_keys=False, allow_unicode=True, width=10_000), encoding="utf-8")
    return path
