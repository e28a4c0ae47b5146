"""One list of assignments as generated source: every sub-expression once, shared by its text.

Only our own words, columns and whole numbers ever enter the source. It runs unchanged on plain ints and on arrays:
``&`` ``|`` ``^`` instead of ``and`` ``or`` ``not``, ``where(c, a, b)`` instead of ``a if c else b``; the names that
differ between the two (``popc``, ``where``, ``max2``, ``min2``, ``pick``) are linked when the source is executed.
"""

import re
from functools import lru_cache
from typing import Final, Literal, NamedTuple

__all__ = ["Emitter", "Type", "Value", "constant"]

Type = Literal["number", "truth", "word", "form", "wait", "wind"]

MAX_CHAIN: Final = 100
"""How many parts one expression joins; Python's own parser nests them."""

_COLUMN: Final = re.compile(r"\b(?:[BCDGKLPQRTW][0-3]|[a-z][a-z_]*[a-z0-9_]*)\b")


class Value(NamedTuple):
    """A part of a condition as source."""

    type: Type
    text: str
    """A variable of the generated source, a column, or a literal."""
    const: int | bool | str | None = None
    """Its value, where it does not depend on the hand."""


@lru_cache(maxsize=1 << 10, typed=True)
def constant(value: int | bool | str) -> Value:
    """Return a value that does not depend on the hand."""
    if isinstance(value, bool):
        return Value("truth", str(value), value)
    return Value("word" if isinstance(value, str) else "number", repr(value), value)


class Emitter:
    """Collects the assignments and the columns that they read."""

    def __init__(self, columns: frozenset[str]) -> None:
        """``columns`` are the names that may be read; see ``mjcli.columns``."""
        self.known = columns
        self.lines: list[tuple[str, str]] = []
        self._memo: dict[str, str] = {}

    def let(self, source: str) -> str:
        """Return the variable that holds ``source``, assigning it if it is new."""
        if source.isidentifier() or source.isdigit():
            return source
        name = self._memo.get(source)
        if name is None:
            name = self._memo[source] = f"v{len(self._memo)}"
            self.lines.append((name, source))
        return name

    def columns(self, *sources: str) -> list[str]:
        """Return the columns that the assignments read, and some sources that follow them, sorted."""
        text = " ".join((*(source for _, source in self.lines), *sources))
        return sorted(self.known.intersection(_COLUMN.findall(text)))

    def lines_for(self, *values: Value) -> list[tuple[str, str]]:
        """Return the assignments that some values need, in order, those of the columns that they read first."""
        needed, found = {word for value in values for word in _COLUMN.findall(value.text)}, []
        for name, source in reversed(self.lines):
            if name in needed:
                needed |= set(_COLUMN.findall(source))
                found.append((name, source))
        return [*((word, f"c['{word}']") for word in sorted(needed & self.known)), *reversed(found)]

    def number(self, source: str) -> Value:
        """Return the number that ``source`` computes."""
        return Value("number", self.let(source))

    def truth(self, source: str) -> Value:
        """Return the truth that ``source`` computes."""
        return Value("truth", self.let(source))

    def all(self, parts: list[Value]) -> Value:
        """Return whether all of ``parts``, which are truths, hold."""
        return self._joined("&", parts, False)

    def any(self, parts: list[Value]) -> Value:
        """Return whether one of ``parts``, which are truths, holds."""
        return self._joined("|", parts, True)

    def _joined(self, sign: str, parts: list[Value], ends: bool) -> Value:
        """Return truths joined by a sign; one that is ``ends`` decides the whole."""
        texts: dict[str, None] = {}
        for part in parts:
            if part.const is None:
                texts[part.text] = None
            elif part.const is ends:
                return constant(ends)
        return Value("truth", self._chain(sign, list(texts))) if texts else constant(not ends)

    def _chain(self, sign: str, texts: list[str]) -> str:
        """Return the variable that joins texts by a sign, a limited number of them in one expression."""
        while len(texts) > 1:
            texts = [self.let(sign.join(texts[start : start + MAX_CHAIN])) for start in range(0, len(texts), MAX_CHAIN)]
        return texts[0]

    def invert(self, part: Value) -> Value:
        """Return whether ``part``, a truth, does not hold."""
        return constant(not part.const) if part.const is not None else self.truth(f"{part.text}^True")

    def as_truth(self, value: Value) -> Value:
        """Return whether a number is not zero; a truth is itself."""
        if value.type == "truth":
            return value
        if value.const is not None:
            return constant(bool(value.const))
        return self.truth(f"{value.text}!=0")

    def as_number(self, value: Value) -> Value:
        """Return a truth as 0 or 1; a number is itself."""
        if value.type != "truth":
            return value
        return constant(int(value.const)) if value.const is not None else self.number(f"{value.text}*1")

    def times(self, one: Value, two: Value) -> Value:
        """Return the product of two numbers, of which a truth is 0 or 1."""
        if one.const is None and two.const is not None:
            one, two = two, one
        if one.const is None:
            return self.number(f"{one.text}*{two.text}")
        factor = int(one.const)
        if two.const is not None:
            return constant(factor * int(two.const))
        if factor in (0, 1):
            return self.as_number(two) if factor else constant(0)
        return self.number(f"{factor}*{two.text}")

    def sum(self, parts: list[Value]) -> Value:
        """Return the sum of numbers."""
        fixed = sum(int(part.const) for part in parts if part.const is not None)
        texts = [part.text for part in parts if part.const is None]
        if not texts:
            return constant(fixed)
        return Value("number", self._chain("+", [*texts, str(fixed)] if fixed else texts))

    def choose(self, test: Value, yes: Value, no: Value) -> Value:
        """Return ``yes`` where ``test`` holds, else ``no``; both are of one type."""
        if test.const is not None:
            return yes if test.const else no
        return Value(yes.type, self.let(f"where({test.text},{yes.text},{no.text})"))
