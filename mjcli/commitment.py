"""A wall that is committed to before it is played: a digest of it is shown first, and what was digested afterwards.

The digest is the SHA-256 of the nonce, one blank and the wall as text, so ``printf '%s %s' NONCE WALL | sha256sum``
gives it too. The nonce keeps anybody from trying walls against the digest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from mjcli.errors import InputError
from mjcli.notation import format_tiles

if TYPE_CHECKING:
    from mjcli.tiles import Tile

__all__ = ["Commitment", "commit", "parse_commitments"]

NONCE_BYTES: Final = 32

PARTS: Final = ("commitment", "nonce", "stacked")

_LINE: Final = re.compile(
    r"^(commitment|nonce|stacked): (\S+)[^\S\n]*$(?:\n(?!commitment|nonce|stacked)(.*))?", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Commitment:
    """A digest, and what it is said to be the digest of."""

    commitment: str
    """SHA-256, in hexadecimal."""
    nonce: str
    stacked: str
    """The whole wall as text, clockwise from E1.top."""
    said: Mapping[str, Any] = field(default_factory=dict)
    """The object of the deal, where it was given as one."""
    head: str = ""
    """The line after the digest, where it was given as text: ruleset, options, seed and number of the deal."""

    @property
    def holds(self) -> bool:
        """Whether the digest is that of nonce and wall."""
        return self.commitment == _digest(self.nonce, self.stacked)

    @property
    def keys(self) -> dict[str, str]:
        """What an object of a deal says of it."""
        return {part: getattr(self, part) for part in PARTS}


def commit(wall: Iterable[Tile], nonce: str | None = None) -> Commitment:
    """Return a commitment to a wall.

    >>> from dataclasses import replace
    >>> from mjcli.tiles import TILES
    >>> made = commit(TILES[:4])
    >>> made.stacked, made.holds, replace(made, stacked="1243m").holds
    ('1234m', True, False)

    Args:
        wall: its tiles.
        nonce: of an earlier commitment, to repeat it; without one it comes from the operating system.

    Raises:
        InputError: the nonce is so short, or so odd, that it could be guessed or misread (``bad-commitment``).
    """
    import secrets

    if nonce is None:
        nonce = secrets.token_hex(NONCE_BYTES)
    elif not re.fullmatch(r"[0-9a-f]{32,128}", nonce):
        raise InputError("bad-commitment", f"'{nonce[:40]}' is no nonce (32 to 128 of the digits 0-9 a-f)")
    stacked = format_tiles(wall)
    return Commitment(_digest(nonce, stacked), nonce, stacked)


def parse_commitments(text: str) -> list[Commitment]:
    """Return the commitments in an output of ``mjcli deal --commit``, as text, JSON or JSON Lines.

    Raises:
        InputError: there is none, or one is not whole (``bad-commitment``).
    """
    found = list(_from_json(text) if text.lstrip()[:1] in ("{", "[") else _from_lines(text))
    if not found:
        raise InputError("bad-commitment", "there is no commitment, such as 'mjcli deal --commit' prints")
    return found


def _digest(nonce: str, stacked: str) -> str:
    from hashlib import sha256

    return sha256(f"{nonce} {stacked}".encode()).hexdigest()


def _from_lines(text: str) -> Iterator[Commitment]:
    values: dict[str, str] = {}
    head = ""
    for name, value, following in _LINE.findall(text):
        if name in values:
            raise _not_whole(values)
        values[name] = value
        head = following.strip() if name == "commitment" else head
        if len(values) == len(PARTS):
            yield Commitment(values["commitment"], values["nonce"], values["stacked"], head=head)
            values = {}
    if values:
        raise _not_whole(values)


def _from_json(text: str) -> Iterator[Commitment]:
    import json

    try:
        try:
            read: Any = json.loads(text)
        except json.JSONDecodeError:
            read = [json.loads(line) for line in text.splitlines() if line.strip()]
    except ValueError as error:
        raise InputError("bad-commitment", f"neither JSON nor JSON Lines: {error}") from None
    for each in read if isinstance(read, list) else [read]:
        values = {name: each[name] for name in PARTS if name in each} if isinstance(each, dict) else {}
        if len(values) < len(PARTS):
            raise _not_whole(values)
        yield Commitment(str(values["commitment"]), str(values["nonce"]), str(values["stacked"]), each)


def _not_whole(values: Mapping[str, object]) -> InputError:
    missing = ", ".join(name for name in PARTS if name not in values) or "end before the next"
    return InputError("bad-commitment", f"a commitment is not whole: there is no {missing}")
