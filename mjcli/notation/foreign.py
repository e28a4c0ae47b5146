"""Characters that are not ASCII, made plain one for one: full-width ones, Chinese numerals and suits."""

from __future__ import annotations

from typing import Final

_PLAIN: Final = str.maketrans({chr(code + 0xFEE0): chr(code) for code in range(0x21, 0x7F)})


def plain(line: str) -> str:
    """Return ``line`` with every character that has one replaced by its ASCII letter or digit."""
    return line.translate(_PLAIN)
