"""What is said on standard error: errors with a picture of the place, and notes."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Any, Final

import typer

from mjcli.errors import InputError, NotationError

__all__ = ["Messages", "UsageError", "error_keys", "printable", "usage_text"]

WINDOW: Final = 60
"""How many characters of a long line are shown on either side of a fault."""


class UsageError(typer.TyperException):
    """The command line is wrong; the message says how, and the process ends with code 2."""

    exit_code = 2


class Messages:
    """Standard error of one run: whether it is coloured, quiet, and whether tracebacks are shown."""

    def __init__(self, *, color: str = "auto", quiet: bool = False, debug: bool = False) -> None:
        """
        Args:
            color: ``always``, ``never``, or ``auto``: on a terminal, unless NO_COLOR is set.
            quiet: leave out notes.
            debug: show where in the program an error arose.
        """
        self.color, self.quiet, self.debug = color, quiet, debug

    def error(self, error: Exception, where: str = "") -> None:
        """Tell ``error``, with the traceback of the one being handled if that was asked for.

        Args:
            error: what to tell; a ``NotationError`` comes with a picture of its place.
            where: which input it is about, such as ``line 3``; nothing where there is but one.
        """
        if self.debug:
            import traceback

            traceback.print_exception(error)
        text = str(error)
        if isinstance(error, OSError):
            text = error.strerror or text
            if error.filename is not None:
                text = f"cannot use {os.fspath(error.filename)!r}: {text}"
        elif not isinstance(error, InputError):
            text = f"a fault of mjcli itself: {type(error).__name__}: {text} (--debug shows where)"
        self.error_text(f"{where}: {text}" if where else text)
        if isinstance(error, NotationError):
            self._write(picture(error, getattr(sys.stderr, "encoding", None) or "utf-8"))

    def error_text(self, text: str) -> None:
        """Say that ``text`` is wrong."""
        shown = "\n".join(map(printable, text.split("\n")))
        self._write(f"mjcli: {self._red('error:')} {shown}")

    def note(self, text: str) -> None:
        """Say ``text``, unless the run is quiet."""
        if not self.quiet:
            self._write(f"mjcli: {text}")

    def _red(self, text: str) -> str:
        chosen = self.color
        if chosen == "auto" and not os.environ.get("NO_COLOR") and sys.stderr is not None and sys.stderr.isatty():
            chosen = "always"
        return f"\033[1;31m{text}\033[0m" if chosen == "always" else text

    @staticmethod
    def _write(text: str) -> None:
        if sys.stderr is not None:
            sys.stderr.write(f"{text}\n")
            sys.stderr.flush()


def printable(text: str) -> str:
    r"""Return ``text`` with a mark for each character that would do something to a terminal in place of being shown.

    >>> printable("no word 'x\033[2J'")
    "no word 'x�[2J'"
    """
    return "".join(char if char.isprintable() else "\ufffd" for char in text)


def picture(error: NotationError, encoding: str) -> str:
    r"""Return the line with a caret under the fault, as ``encoding`` can print it; of a long line, what is near.

    >>> print(picture(NotationError("bad-rank", "no tile '8z'", line="萬8z", column=2), "ascii"))
        \u842c8z
              ^
    """
    before, after = error.line[: error.column - 1], error.line[error.column - 1 :]
    if len(before) > WINDOW:
        before = f"...{before[-WINDOW:]}"
    if len(after) > WINDOW:
        after = f"{after[:WINDOW]}..."
    before, after = (part.encode(encoding, "backslashreplace").decode(encoding) for part in (before, after))
    shown = NotationError(error.code, error.message, line=before + after, column=len(before) + 1)
    return shown.picture


def error_keys(error: NotationError) -> Mapping[str, Any]:
    """Return the error as the keys of a bad line's object: ``code``, ``column``, ``message``, and a suggestion."""
    keys: dict[str, Any] = {"code": error.code, "column": error.column, "message": error.message}
    if error.suggestion:
        keys["suggestion"] = error.suggestion
    return keys


def usage_text(error: Any) -> str:
    """Return what a usage error of typer says, as one line in the manner of the project, and where help is."""
    text = error.message if getattr(error, "option_name", None) else error.format_message()
    possibilities = getattr(error, "possibilities", None)
    if possibilities:
        text = f"{text}; did you mean {sorted(possibilities)[0]!r}?"
    text = text[:1].lower() + text[1:].removesuffix(".")
    context = getattr(error, "ctx", None)
    return f"{text}\nTry '{context.command_path} -h' for help." if context is not None else text
