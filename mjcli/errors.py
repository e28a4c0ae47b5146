"""The errors of the project: one base, notation errors that know their column, ruleset errors that know their place."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, NamedTuple

__all__ = [
    "ContradictionError",
    "Fault",
    "HandError",
    "InputError",
    "MjcliError",
    "NotInRulesetError",
    "NotationError",
    "RulesetError",
    "amount",
    "most_like",
]


class MjcliError(Exception):
    """Base of every error that the project raises on purpose."""


class InputError(MjcliError, ValueError):
    """Bad input: what was given cannot be read, or cannot exist.

    ``code`` is one of the words listed in the notation's contract (``bad-rank``, ``too-many`` ...).
    """

    code: str

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how the error goes from one process to another, whatever it was made of."""
        return _again, (type(self), str(self), self.__dict__)


def _again(kind: type[InputError], message: str, state: dict[str, Any]) -> InputError:
    """Return an error that came from another process."""
    error = kind.__new__(kind, message)
    error.args = (message,)
    error.__dict__.update(state)
    return error


class HandError(InputError):
    """A value that cannot exist: a meld that is none, a fifth copy, fifteen tiles."""


class ContradictionError(HandError):
    """Two things said of one hand cannot both be true.

    ``first`` and ``second`` name them as a line of text writes them (``self-draw``, ``rob-kong``); ``why`` says why.
    """

    def __init__(self, first: str, second: str, why: str) -> None:
        super().__init__("contradiction", f"'{first}' contradicts '{second}': {why}")
        self.first, self.second, self.why = first, second, why


class NotInRulesetError(HandError):
    """A meld or a word that a ruleset does not know.

    ``named`` is the word as a line of text writes it (``seat=``), or the place of the meld, from 0.
    """

    def __init__(self, named: str | int, message: str) -> None:
        super().__init__("not-in-ruleset", message)
        self.named = named


class NotationError(InputError):
    """Text that cannot be read, with the place where it goes wrong.

    >>> error = NotationError("bad-rank", "no tile '8z' (ranks are 1-7)", line="123m 458z", column=8)
    >>> print(error)
    no tile '8z' (ranks are 1-7) at column 8
    >>> print(error.picture)
        123m 458z
               ^
    """

    MARGIN: ClassVar[str] = "    "

    def __init__(
        self, code: str, message: str, *, line: str, column: int, token: str = "", suggestion: str = ""
    ) -> None:
        """
        Args:
            code: the word for this kind of error.
            message: one lower-case sentence that names the offender and what would be right.
            line: the whole line as it was given.
            column: 1-based, in code points of ``line``; one past its end where something is missing.
            token: the part of the line that is wrong.
            suggestion: what was probably meant, where there is one such thing.
        """
        hint = f"; did you mean {suggestion!r}?" if suggestion else ""
        super().__init__(code, f"{message} at column {column}{hint}")
        self.message = message
        self.line, self.column, self.token, self.suggestion = line, column, token, suggestion

    @property
    def picture(self) -> str:
        """The line with a caret under the fault, placed by terminal cells so that 萬 does not shift it.

        Every blank, such as a tab, is one cell wide, and other characters that cannot be seen are marked.
        """
        from wcwidth import wcswidth

        shown = "".join(char if char.isprintable() else " " if char.isspace() else "\ufffd" for char in self.line)
        before = max(wcswidth(shown[: self.column - 1]), 0)
        return f"{self.MARGIN}{shown}\n{self.MARGIN}{' ' * before}^"


class Fault(NamedTuple):
    """One thing that is wrong with a ruleset file, and where: ``file:line:column``."""

    file: str
    line: int
    column: int
    path: str
    """Where in the structure, such as ``patterns.ping_hu.when``."""
    message: str
    fatal: bool = True
    """False of advice: the ruleset works, but a careful author would mend it."""

    def __str__(self) -> str:
        at = f" (at {self.path})" if self.path else ""
        return f"{self.file}:{self.line}:{self.column}: {self.message}{at}"


class RulesetError(InputError):
    """A ruleset that cannot be used; ``faults`` holds every fault found, in the order of the file."""

    def __init__(self, faults: list[Fault]) -> None:
        self.faults = tuple(sorted(set(faults)))
        super().__init__("bad-ruleset", "\n".join(map(str, self.faults)))


def amount(number: int, thing: str) -> str:
    """Return a number of things in words.

    >>> amount(1, "tile"), amount(3, "tile")
    ('1 tile', '3 tiles')
    """
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def most_like(word: str, known: Iterable[str]) -> str:
    """Return the one of ``known`` words that was probably meant, or nothing if none is much like ``word``.

    >>> most_like("shantn", ["shanten", "waits"]), most_like("xyz", ["shanten", "waits"])
    ('shanten', '')
    """
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, list(known), 1, 0.7)), "")
