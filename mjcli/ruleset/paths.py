"""Where rulesets lie: those that come with mjcli, and files given by path."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from mjcli.errors import InputError

__all__ = ["SUFFIX", "folder", "ruleset_names", "ruleset_path"]

SUFFIX: Final = ".yaml"


def folder() -> Path:
    """Return the folder of the rulesets that come with mjcli: in a wheel inside the package, else beside it."""
    package = Path(__file__).resolve().parents[1]
    shipped = package / "_rulesets"
    return shipped if shipped.is_dir() else package.parent / "rulesets"


def ruleset_names() -> list[str]:
    """Return the ids of the rulesets that come with mjcli, sorted."""
    return sorted(path.stem for path in folder().glob(f"*{SUFFIX}"))


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
    folders = [folder()] if beside is None else [beside, folder()]
    for each in folders:
        path = each / f"{name}{SUFFIX}"
        if path.is_file():
            return path
    from mjcli.ruleset.shapes import nearest

    known = ruleset_names()
    raise InputError("no-ruleset", f"no ruleset '{name}'{nearest(name, known)}; there are {', '.join(known)}")
