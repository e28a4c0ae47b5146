"""A wall that is committed to before it is played: a digest of it is shown first, and what was digested afterwards.

The digest is the SHA-256 of the nonce, one blank and the wall as text, so ``printf '%s %s' NONCE WALL | sha256sum``
gives it too. The nonce keeps anybody from trying walls against the digest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mjcli.errors import InputError
from mjcli.notation import format_tiles

if TYPE_CHECKING:
    from mjcli.tiles import Tile

__all__ = ["Commitment", "commit", "parse_commitments"]

NONCE_BYTES: Final = 32

_LINE: Final = re.compile(r"^(commitment|nonce|stacked): (\S+)\s*$", re.MULTILINE)


class Commitment(NamedTuple):
    """A digest, and what it is said to be the digest of."""

    commitment: str
    """SHA-256, in hexadecimal."""
    nonce: str
    stacked: str
    """The whole wall as text, clockwise from E1.top."""

    @property
    def holds(self) -> bool:
        """Whether the digest is that of nonce and wall."""
        return self.commitment == _digest(self.nonce, self.stacked)


def commit(wall: Iterable[Tile]) -> Commitment:
    """Return a commitment to a wall, with a nonce from the operating system.

    >>> from mjcli.tiles import TILES
    >>> made = commit(TILES[:4])
    >>> made.stacked, made.holds, made._replace(stacked="1243m").holds
    ('1234m', True, False)
    """
    import secrets

    nonce, stacked = secrets.token_hex(NONCE_BYTES), format_tiles(wall)
    return Commitment(_digest(nonce, stacked), nonce, stacked)


def parse_commitments(text: str) -> list[Commitment]:
    """Return the commitments in an output of ``mjcli deal --commit``, as text, JSON or JSON Lines.

    Raises:
        InputError: there is none, or one is not whole (``bad-commitment``).
    """
    found = list(_from_json(text) if text.lstrip()[:1] in ("{", "[") else _from_lines(text))
    if not found:
        raise InputError("bad-commitment", "there is no commitment in it")
    return found


def _digest(nonce: str, stacked: str) -> str:
    from hashlib import sha256

    return sha256(f"{nonce} {stacked}".encode()).hexdigest()


def _from_lines(text: str) -> Iterator[Commitment]:
    values: dict[str, str] = {}
    for name, value in _LINE.findall(text):
        if name in values:
            raise _not_whole(values)
        values[name] = value
        if len(values) == len(Commitment._fields):
            yield Commitment(**values)
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
        values = {name: each[name] for name in Commitment._fields if name in each} if isinstance(each, dict) else {}
        if len(values) < len(Commitment._fields):
            raise _not_whole(values)
        yield Commitment(**{name: str(value) for name, value in values.items()})


def _not_whole(values: Mapping[str, object]) -> InputError:
    missing = ", ".join(name for name in Commitment._fields if name not in values) or "end before the next"
    return InputError("bad-commitment", f"a commitment is not whole: there is no {missing}")
