"""What the generated source of a ruleset computes, written down as a graph of numbers with their bounds.

The source that scores one reading is executed once with a ``Number`` for each column. Every operation gives a new
``Number``, so that running the source writes down what it does. The bounds decide some conditions at once, and tell
``mjcli.batch.plan`` how few bytes each number needs. Equal operations are one node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mjcli.columns import FORM_NUMBERS, ONES, PLAIN_COLUMNS, WAIT_NUMBERS
from mjcli.ruleset.combine import Entry
from mjcli.ruleset.program import Program
from mjcli.ruleset.ruleset import code_of, link
from mjcli.tiles import PLAIN_KINDS

__all__ = ["MOST_NUMBER", "TRUTHS", "Bounds", "Number", "Operand", "Traced", "bounds_of", "dependents", "trace"]

MOST_NUMBER: Final = 9_999
"""The highest number that a ruleset's context word may say in the hands of an array."""

MOST_HELD: Final = 1_000
"""More tiles than any hand holds of those that a context word names, each as often as it is named."""

CHOW_STARTS: Final = 0o1111111
"""One at each rank that a chow can start with; the honours have as many kinds."""

TRUTHS: Final = frozenset(
    (
        *("self_drawn", "last_tile", "last_of_kind", "flower_draw", "rob_kong", "rob_own_kong", "clean_opponents"),
        *("first_turn", "from_dealer", "discarder_known", "named_dealer", "liable"),
    )
)
"""The columns that are truths."""

_HIGHEST: Final = {
    "form": max(FORM_NUMBERS.values()),
    "wait": max(WAIT_NUMBERS.values()),
    **dict.fromkeys(("waits", "all_waits"), PLAIN_KINDS),
    "red_fives": 14,
    "jokers": 14,
    "seat": 4,
    "round": 4,
    "winners": 3,
    "bonus_tiles": 28,
    **dict.fromkeys(("kongs", "concealed_kongs", "claimed", "claimed_chows", "melds"), 4),
    **dict.fromkeys(("kong_draw", "own_flowers", "full_flower_sets"), 4),
}
_OCTAL: Final = {"B": 4, "C": 4, "D": 4, "T": 7, "R": 2}
"""The highest digit of a column of one suit; where a letter is not named, 1."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Between what a number lies, and which of its bits can be set if it is not negative."""

    low: int
    high: int
    bits: int = -1

    @classmethod
    def of(cls, low: int, high: int, bits: int = -1) -> Bounds:
        """Return bounds with the bits that they imply."""
        if low < 0:
            return cls(low, high)
        implied = (1 << high.bit_length()) - 1
        bits = implied if bits < 0 else bits & implied
        return cls(low, min(high, bits), bits)


def bounds_of(column: str) -> Bounds:
    """Return the bounds of a column.

    >>> bounds_of("waits")
    Bounds(low=0, high=34, bits=63)
    """
    if column in TRUTHS:
        return Bounds.of(0, 1)
    if column in PLAIN_COLUMNS:
        return Bounds.of(int(column in ("seat", "round", "winners")), _HIGHEST[column])
    if column.startswith(("x_", "held_")):
        return Bounds.of(0, MOST_NUMBER if column.startswith("x_") else MOST_HELD)
    letter, suit = column[0], column[1]
    ranks = CHOW_STARTS if letter in "CD" or suit == "3" else ONES
    most = _OCTAL.get(letter, 1)
    return Bounds.of(0, most * ranks, ((1 << most.bit_length()) - 1) * ranks)


Operand = Any
"""A ``Number`` or a plain int or truth."""


class Number:
    """A column, or what an operation makes of others."""

    __slots__ = ("arguments", "bounds", "operation", "place", "trace", "truth")

    def __init__(
        self, trace: Trace, operation: str, arguments: tuple[Operand, ...], bounds: Bounds, *, truth: bool
    ) -> None:
        self.trace, self.operation, self.arguments, self.bounds, self.truth = trace, operation, arguments, bounds, truth
        self.place = -1
        """Its place among all numbers, after those that it is made of."""

    __hash__ = object.__hash__

    def __and__(self, other: Operand) -> Operand:
        return self.trace.both(self, other)

    def __or__(self, other: Operand) -> Operand:
        return self.trace.either(self, other)

    def __xor__(self, other: Operand) -> Operand:
        return self.trace.differing(self, other)

    def __add__(self, other: Operand) -> Operand:
        return self.trace.added(self, other)

    def __sub__(self, other: Operand) -> Operand:
        return self.trace.added(self, -other)

    def __rsub__(self, other: Operand) -> Operand:
        return self.trace.added(-self, other)

    def __mul__(self, other: Operand) -> Operand:
        return self.trace.product(self, other)

    def __neg__(self) -> Operand:
        return self.trace.product(self, -1)

    __rand__, __ror__, __rxor__, __radd__, __rmul__ = __and__, __or__, __xor__, __add__, __mul__

    def __lshift__(self, places: int) -> Operand:
        return self.trace.product(self, 1 << places)

    def __rlshift__(self, number: int) -> Operand:
        low, high = self.bounds.low, self.bounds.high
        return self.trace.number("shifted", (number, self), Bounds.of(number << low, number << high))

    def __rshift__(self, places: int) -> Operand:
        return self.trace.shifted_down(self, places)

    def __floordiv__(self, divisor: int) -> Operand:
        bounds = Bounds.of(self.bounds.low // divisor, self.bounds.high // divisor)
        return self.trace.number("divided", (self, divisor), bounds)

    def __mod__(self, divisor: int) -> Operand:
        if self.bounds.low >= 0 and self.bounds.high < divisor:
            return self
        return self.trace.number("rest", (self, divisor), Bounds.of(0, divisor - 1))

    def __eq__(self, other: Operand) -> Operand:
        return self.trace.compared("equal", self, other)

    def __ne__(self, other: Operand) -> Operand:
        return self.trace.inverse(self.trace.compared("equal", self, other))

    def __lt__(self, other: Operand) -> Operand:
        return self.trace.compared("less", self, other)

    def __ge__(self, other: Operand) -> Operand:
        return self.trace.inverse(self.trace.compared("less", self, other))

    def __gt__(self, other: Operand) -> Operand:
        return self.trace.compared("greater", self, other)

    def __le__(self, other: Operand) -> Operand:
        return self.trace.inverse(self.trace.compared("greater", self, other))


def _bounds(operand: Operand) -> Bounds:
    return operand.bounds if isinstance(operand, Number) else Bounds.of(int(operand), int(operand), int(operand))


def _is_truth(operand: Operand) -> bool:
    return operand.truth if isinstance(operand, Number) else operand in (0, 1)


class Trace:
    """All numbers of one program."""

    def __init__(self) -> None:
        self.numbers: list[Number] = []
        self._known: dict[tuple[Any, ...], Number] = {}

    def number(self, operation: str, arguments: tuple[Operand, ...], bounds: Bounds, *, truth: bool = False) -> Number:
        """Return the number that an operation gives, the same one for the same arguments."""
        key = (operation, *(("n", each.place) if isinstance(each, Number) else each for each in arguments))
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = Number(self, operation, arguments, bounds, truth=truth)
            found.place = len(self.numbers)
            self.numbers.append(found)
        return found

    def column(self, name: str) -> Number:
        """Return the number that a column holds."""
        return self.number("column", (name,), bounds_of(name), truth=bounds_of(name).high == 1)

    def truth(self, operation: str, *arguments: Operand) -> Number:
        """Return the truth that an operation gives."""
        return self.number(operation, arguments, Bounds.of(0, 1), truth=True)

    def both(self, one: Number, two: Operand) -> Operand:
        """Return ``one & two``."""
        if one is two:
            return one
        if not isinstance(two, Number):
            mask = int(two)
            if one.bounds.low >= 0 and not one.bounds.bits & mask:
                return 0
            if mask == 1 and not one.truth:
                number, places = one.arguments if one.operation == "right" else (one, 0)
                return self.truth("has", number, 1 << places)
            if one.bounds.low >= 0 and one.bounds.bits & mask == one.bounds.bits:
                return one
            bits = one.bounds.bits & mask if one.bounds.low >= 0 else mask
            return self.number("and", (one, mask), Bounds.of(0, max(bits, 0), bits))
        if one.truth and two.truth:
            return self.truth("all", *self._in_order(one, two))
        bits = one.bounds.bits & two.bounds.bits
        return self.number("and", self._in_order(one, two), Bounds.of(0, bits, bits))

    def either(self, one: Number, two: Operand) -> Operand:
        """Return ``one | two``."""
        if one is two or (not isinstance(two, Number) and not int(two)):
            return one
        if _is_truth(one) and _is_truth(two):
            return self.truth("any", *self._in_order(one, two)) if isinstance(two, Number) else 1
        bits = one.bounds.bits | _bounds(two).bits
        return self.number("or", self._in_order(one, two), Bounds.of(0, bits, bits))

    def differing(self, one: Number, two: Operand) -> Operand:
        """Return ``one ^ two``."""
        if one.truth and not isinstance(two, Number):
            return self.inverse(one) if two else one
        bits = one.bounds.bits | _bounds(two).bits
        return self.number("xor", self._in_order(one, two), Bounds.of(0, bits, bits))

    def inverse(self, truth: Operand) -> Operand:
        """Return whether a truth does not hold."""
        if not isinstance(truth, Number):
            return not truth
        return truth.arguments[0] if truth.operation == "not" else self.truth("not", truth)

    def added(self, one: Number, two: Operand) -> Operand:
        """Return ``one + two``."""
        bounds = _bounds(two)
        if bounds.low == bounds.high == 0:
            return one
        total = Bounds.of(one.bounds.low + bounds.low, one.bounds.high + bounds.high)
        return self.number("sum", self._in_order(one, two), total)

    def product(self, one: Number, two: Operand) -> Operand:
        """Return ``one * two``."""
        if not isinstance(two, Number):
            if int(two) in (0, 1):
                return one if two else 0
            ends = sorted((one.bounds.low * two, one.bounds.high * two))
            return self.number("scaled", (one, int(two)), Bounds.of(*ends))
        if one.truth and two.truth:
            return self.both(one, two)
        ends = sorted(a * b for a in (one.bounds.low, one.bounds.high) for b in (two.bounds.low, two.bounds.high))
        return self.number("product", self._in_order(one, two), Bounds.of(ends[0], ends[-1]))

    def shifted_down(self, number: Number, places: int) -> Operand:
        """Return ``number >> places``."""
        if places == 0:
            return number
        bounds = number.bounds
        bits = bounds.bits >> places if bounds.low >= 0 else -1
        return self.number("right", (number, places), Bounds.of(bounds.low >> places, bounds.high >> places, bits))

    def compared(self, how: str, one: Number, two: Operand) -> Operand:
        """Return whether ``one`` is equal to, less or greater than ``two``; the bounds may say so already."""
        left, right = one.bounds, _bounds(two)
        apart = left.high < right.low or left.low > right.high
        if how == "equal" and apart:
            return False
        if how == "less" and (left.high < right.low or left.low >= right.high):
            return left.high < right.low
        if how == "greater" and (left.low > right.high or left.high <= right.low):
            return left.low > right.high
        if one.truth and not isinstance(two, Number):
            holds = {"equal": int(two) == 1, "less": False, "greater": True}[how]
            return one if holds else self.inverse(one)
        return self.truth(how, one, two if isinstance(two, Number) else int(two))

    def chosen(self, test: Operand, yes: Operand, no: Operand) -> Operand:
        """Return ``yes`` where ``test`` holds, else ``no``."""
        if not isinstance(test, Number):
            return yes if test else no
        if not isinstance(no, Number) and not int(no):
            return test * yes if isinstance(yes, Number) else self.product(test, int(yes))
        if not isinstance(yes, Number) and not int(yes):
            return self.inverse(test) * no
        one, two = _bounds(yes), _bounds(no)
        bounds = Bounds.of(min(one.low, two.low), max(one.high, two.high))
        truth = _is_truth(yes) and _is_truth(no)
        test = test if test.truth else test != 0  # a flag that a ruleset adds is no truth here
        return self.number("where", (test, *map(_plain, (yes, no))), bounds, truth=truth)

    def extreme(self, how: str, one: Operand, two: Operand) -> Operand:
        """Return the greater (``max``) or the less (``min``) of two numbers."""
        choose: Callable[[int, int], int] = max if how == "max" else min
        left, right = _bounds(one), _bounds(two)
        if left.low == left.high and right.low == right.high:
            return choose(left.low, right.low)
        for this, that, other in ((left, right, two), (right, left, one)):
            if (this.high <= that.low) if how == "max" else (this.low >= that.high):
                return other
        bounds = Bounds.of(choose(left.low, right.low), choose(left.high, right.high))
        return self.number(how, tuple(map(_plain, self._in_order(one, two))), bounds)

    def ones(self, number: Operand) -> Operand:
        """Return how many bits of a number are set."""
        if not isinstance(number, Number):
            return int(number).bit_count()
        if number.truth:
            return number
        bits = number.bounds.bits.bit_count() if number.bounds.low >= 0 else 64
        return self.number("ones", (number,), Bounds.of(0, bits))

    def picked(self, table: tuple[int, ...], index: Operand) -> Operand:
        """Return the number at a place of a table."""
        if not isinstance(index, Number):
            return table[index]
        within = table[index.bounds.low : index.bounds.high + 1]
        return self.number("picked", (index, table), Bounds.of(min(within), max(within)))

    def combined(self, entries: tuple[Entry, ...]) -> Callable[..., list[Number]]:
        """Return a function from three columns of sets to how often each pattern counts."""

        def combine(*columns: Operand) -> list[Number]:
            sets = self.number("sets", (*columns, entries), Bounds.of(0, 1 << 40))
            return [self.number("combined", (sets, place), Bounds.of(0, 6)) for place in range(len(entries))]

        return combine

    @staticmethod
    def _in_order(one: Operand, two: Operand) -> tuple[Operand, Operand]:
        """Return two operands of an operation that has no order, so that both orders are one node."""
        if isinstance(one, Number) and isinstance(two, Number):
            return (one, two) if one.place <= two.place else (two, one)
        return (one, int(two)) if isinstance(one, Number) else (two, int(one))


def _plain(operand: Operand) -> Operand:
    return operand if isinstance(operand, Number) else int(operand)


@dataclass(frozen=True, slots=True)
class Traced:
    """A program as numbers."""

    numbers: Sequence[Number]
    """All of them, each after those that it is made of."""
    results: Sequence[Operand]
    """The steps of the score."""
    counts: Sequence[Operand]
    """How often each pattern counts."""
    fans: Sequence[Operand]
    """What each pattern is worth once."""
    variables: dict[str, Operand]
    """Every variable of the source by name."""
    at_once: Operand
    """Whether an unfinished hand wins."""
    refused: Operand
    """Which refusal holds, 0 for none."""


def trace(program: Program) -> Traced:
    """Return what a program computes.

    >>> from mjcli.ruleset import load_ruleset
    >>> [number.operation for number in trace(load_ruleset("jipinghu").program).numbers[:2]]
    ['column', 'column']
    """
    found = Trace()
    operations: dict[str, Callable[..., Any]] = {
        "popc": found.ones,
        "where": found.chosen,
        "max2": lambda one, two: found.extreme("max", one, two),
        "min2": lambda one, two: found.extreme("min", one, two),
        "pick": found.picked,
    }
    evaluate, at_once, _, refused = link(program, code_of(program.source, ""), operations, found.combined)
    columns = _Columns(found)
    results, counts, fans = evaluate(columns)
    variables = evaluate(columns, detail=True)
    return Traced(found.numbers, results, counts, fans, variables, at_once(columns), refused(columns))


class _Columns(dict[str, Number]):
    """The numbers of columns, made when they are asked for."""

    def __init__(self, numbers: Trace) -> None:
        super().__init__()
        self._numbers = numbers

    def __missing__(self, name: str) -> Number:
        return self._numbers.column(name)


def dependents(numbers: Sequence[Number], columns: Iterable[str]) -> set[Number]:
    """Return the numbers that some columns decide, directly or not."""
    found: set[Number] = set()
    names = set(columns)
    for number in numbers:
        if number.operation == "column":
            depends = number.arguments[0] in names
        else:
            depends = any(isinstance(each, Number) and each in found for each in number.arguments)
        if depends:
            found.add(number)
    return found
