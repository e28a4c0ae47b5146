"""A traced program as a list of NumPy calls on few small arrays, each of the narrowest type that its bounds allow.

A truth is a byte, 0 or 1. Numbers that only one other number uses are computed together with it: sums by the weights of
their parts, bits of one column by one mask. An array is used again as soon as its number is not needed any more, so
that a chunk of hands is scored within the processor's cache.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjcli.batch.combining import Combined
from mjcli.batch.tracing import Number, Operand, Traced, bounds_of

__all__ = ["Plan", "dtype_holding", "dtype_of"]

_TYPES: Final = tuple(np.dtype(each) for each in (np.int8, np.int16, np.int32, np.int64))
_BYTE: Final = _TYPES[0]
_JOINED: Final = {"sum": ("sum", "scaled"), "scaled": ("sum", "scaled"), "all": ("all", "has", "not"), "any": ("any",)}
"""Which operations are computed together with one that uses them, if nothing else does."""
_COMPARED: Final[Mapping[str, np.ufunc]] = {"equal": np.equal, "less": np.less, "greater": np.greater}


def _greatest(one: NDArray[Any], two: Any, out: NDArray[Any]) -> None:
    np.maximum(one, two, out=out, dtype=out.dtype)


def _least(one: NDArray[Any], two: Any, out: NDArray[Any]) -> None:
    np.minimum(one, two, out=out, dtype=out.dtype)


_PLAIN: Final[Mapping[str, np.ufunc]] = {
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "product": np.multiply,
    "shifted": np.left_shift,
    "right": np.right_shift,
    "divided": np.floor_divide,
}


_EXTREME: Final[Mapping[str, Callable[..., None]]] = {"max": _greatest, "min": _least}


def _narrowest(low: int, high: int) -> np.dtype[Any]:
    """Return the narrowest type that holds numbers between two.

    Raises:
        OverflowError: there is none.
    """
    for dtype in _TYPES:
        beyond = 1 << 8 * dtype.itemsize - 1
        if -beyond <= low and high < beyond:
            return dtype
    raise OverflowError(f"no array holds numbers from {low} to {high}")


def dtype_of(column: str) -> np.dtype[Any]:
    """Return the type in which a plan takes a column.

    >>> dtype_of("waits"), dtype_of("C0"), dtype_of("x_honba")
    (dtype('int8'), dtype('int32'), dtype('int16'))
    """
    bounds = bounds_of(column)
    return _narrowest(bounds.low, bounds.high)


def dtype_holding(operands: Iterable[Operand]) -> np.dtype[Any]:
    """Return the narrowest type that holds all of some numbers.

    >>> dtype_holding([3, True, -200])
    dtype('int16')
    """
    ends = [0]
    for each in operands:
        ends += (each.bounds.low, each.bounds.high) if isinstance(each, Number) else (int(each),)
    return _narrowest(min(ends), max(ends))


class Plan:
    """The calls that compute some numbers of a traced program."""

    def __init__(self, traced: Traced, wanted: Sequence[Operand]) -> None:
        """
        Args:
            traced: the program.
            wanted: the numbers that ``run`` returns; plain ints among them are returned as they are.

        Raises:
            OverflowError: a number may not fit into 64 bits.
        """
        builder = _Builder(traced.numbers, wanted)
        self.columns: Mapping[str, int] = builder.columns
        """The columns that are read, each with its place."""
        self._calls, self._memory, self._registers = builder.calls, builder.memory, builder.registers
        self._wanted = [builder.place[each] if isinstance(each, Number) else None for each in wanted]
        self._constant = list(wanted)
        self._arrays: list[NDArray[Any]] = []

    def run(self, column: Callable[[str], NDArray[Any]], rows: int) -> list[Any]:
        """Return the numbers that are wanted.

        Args:
            column: from the name of a column to its values, of the type that ``dtype_of`` gives.
            rows: how many there are.

        Returns:
            Arrays of ``rows`` numbers, or plain ints. The next run overwrites them.
        """
        if not self._arrays or rows > len(self._arrays[0]):
            self._arrays = [np.empty(rows, dtype) for _, dtype in self._registers]
        memory = self._memory.copy()
        arrays = [(place, array[:rows]) for (place, _), array in zip(self._registers, self._arrays, strict=True)]
        for place, array in (*arrays, *((place, column(name)) for name, place in self.columns.items())):
            memory[place] = array
            if array.dtype == _BYTE:
                memory[place + 1], memory[place + 2] = array.view(np.bool_), array.view(np.uint8)
        for call, first, others, output in self._calls:
            if len(others) == 1:
                call(memory[first], memory[others[0]], memory[output])
            else:
                call(memory[first], *[memory[each] for each in others], memory[output])
        return [
            constant if place is None else memory[place]
            for place, constant in zip(self._wanted, self._constant, strict=True)
        ]


class _Part(NamedTuple):
    """Something that a number is made of."""

    number: Number
    factor: int = 1
    """Its weight in a sum; of bits, the mask of those that are to be set."""
    how: str = "plain"
    """``not`` for a truth that must not hold, ``has`` for bits of a number."""


class _Builder:
    """Writes down the calls of a plan: a function, the places of its first input, of the others, and of its output."""

    def __init__(self, numbers: Sequence[Number], wanted: Sequence[Operand]) -> None:
        self.calls: list[tuple[Callable[..., Any], int, list[int], int]] = []
        self.memory: list[Any] = []
        """Constants at their places; the others are filled by each run."""
        self.registers: list[tuple[int, np.dtype[Any]]] = []
        """The places of arrays; one of bytes stands there again as truths, and again as unsigned bytes."""
        self.columns: dict[str, int] = {}
        self.place: dict[Number, int] = {}
        self._type: dict[int, np.dtype[Any]] = {}
        self._free: dict[np.dtype[Any], list[int]] = {dtype: [] for dtype in _TYPES}
        self._constants: dict[int, int] = {}
        self._combined: dict[Number, Combined] = {}
        kept = {each for each in wanted if isinstance(each, Number)}
        needed = self._needed(numbers, kept)
        uses = Counter(each for number in needed for each in number.arguments if isinstance(each, Number))
        joined = {
            each
            for number in needed
            for each in number.arguments
            if isinstance(each, Number)
            and uses[each] == 1
            and each not in kept
            and each.operation in _JOINED.get(number.operation, ())
        }
        parts = {number: list(self._parts(number, joined)) for number in needed if number not in joined}
        left = Counter(part.number for found in parts.values() for part in found)
        for number, found in parts.items():
            self._compute(number, found, joined)
            for part in found:
                left[part.number] -= 1
                if not left[part.number] and part.number not in kept and part.number.operation != "column":
                    self._release(self.place[part.number])

    @staticmethod
    def _needed(numbers: Sequence[Number], kept: set[Number]) -> list[Number]:
        """Return the numbers of which those wanted are made, in order."""
        needed = set(kept)
        for number in reversed(numbers):
            if number in needed:
                needed.update(each for each in number.arguments if isinstance(each, Number))
        return [number for number in numbers if number in needed]

    def _parts(self, number: Number, joined: set[Number]) -> Iterator[_Part]:
        """Yield what a number is made of, what is computed together with it taken apart."""
        if number.operation in ("sum", "scaled"):
            yield from self._terms(number, 1, joined)
        elif number.operation in ("all", "any"):
            yield from self._members(number, joined)
        else:
            yield from (_Part(each) for each in number.arguments if isinstance(each, Number))

    def _terms(self, number: Number, weight: int, joined: set[Number]) -> Iterator[_Part]:
        arguments = number.arguments
        if number.operation == "scaled":
            arguments, weight = arguments[:1], weight * arguments[1]
        for each in arguments:
            if isinstance(each, Number) and each in joined and each.operation in _JOINED["sum"]:
                yield from self._terms(each, weight, joined)
            elif isinstance(each, Number):
                yield _Part(each, weight)

    def _members(self, number: Number, joined: set[Number]) -> Iterator[_Part]:
        for each in number.arguments:
            if each in joined and each.operation == number.operation:
                yield from self._members(each, joined)
            elif each in joined and each.operation == "not":
                yield _Part(each.arguments[0], how="not")
            elif each in joined and each.operation == "has":
                yield _Part(each.arguments[0], each.arguments[1], "has")
            else:
                yield _Part(each)

    # places in memory
    def _new(self, dtype: np.dtype[Any]) -> int:
        """Return the place of an array that is free."""
        if self._free[dtype]:
            return self._free[dtype].pop()
        place = self._space(dtype)
        self.registers.append((place, dtype))
        return place

    def _space(self, dtype: np.dtype[Any]) -> int:
        """Return the first of the places that an array of this type takes."""
        place = len(self.memory)
        self.memory += [None] * (3 if dtype == _BYTE else 1)
        self._type[place] = dtype
        return place

    def _release(self, place: int) -> None:
        self._free[self._type[place]].append(place)

    def _constant(self, value: int) -> int:
        """Return the place of a plain number."""
        if value not in self._constants:
            self._constants[value] = len(self.memory)
            self.memory.append(value)
        return self._constants[value]

    def _type_at(self, place: int) -> np.dtype[Any]:
        """Return the type of an array, or the narrowest one that holds a plain number."""
        value = self.memory[place]
        return self._type[place] if value is None else _narrowest(value, value)

    def _at(self, operand: Operand) -> int:
        return self.place[operand] if isinstance(operand, Number) else self._constant(int(operand))

    def _call(self, call: Callable[..., Any], inputs: Iterable[int], output: int) -> None:
        first, *others = inputs
        self.calls.append((call, first, others, output))

    def _arithmetic(self, ufunc: np.ufunc, inputs: Sequence[int], output: int) -> None:
        """Call a ufunc that computes in the type of its output."""
        dtype = self._type[output]
        if any(self._type.get(each, dtype) != dtype for each in inputs):
            self._call(partial(ufunc, dtype=dtype), inputs, output)
        else:
            self._call(ufunc, inputs, output)

    # operations
    def _compute(self, number: Number, parts: Sequence[_Part], joined: set[Number]) -> None:
        operation, arguments = number.operation, number.arguments
        if operation == "column":
            self.columns[arguments[0]] = self.place[number] = self._space(dtype_of(arguments[0]))
        elif operation in ("sum", "scaled"):
            self._sum(number, parts, joined)
        elif operation in ("all", "any"):
            self._join(number, parts)
        elif operation in _PLAIN or operation in _EXTREME:
            self._plain(number)
        elif operation == "combined":
            sets, which = arguments
            place = self.place[number] = self._new(_BYTE)
            self._call(self._combined[sets].counts(which), (self.place[sets],), place)
        elif operation == "sets":
            *columns, entries = arguments
            combined = self._combined[number] = Combined(entries)
            self.place[number] = self._new(_TYPES[-1])
            self._call(combined.look_up, map(self._at, columns), self.place[number])
        else:
            self._other(number)

    def _plain(self, number: Number) -> None:
        places = [self._at(each) for each in number.arguments]
        dtype = _narrowest(number.bounds.low, number.bounds.high)
        dtype = max(dtype, *(self._type_at(place) for place in places), key=_size)
        self.place[number] = self._new(dtype)
        if number.operation in _EXTREME:
            self._call(_EXTREME[number.operation], places, self.place[number])
        else:
            self._arithmetic(_PLAIN[number.operation], places, self.place[number])

    def _other(self, number: Number) -> None:
        operation, arguments = number.operation, number.arguments
        dtype = _narrowest(number.bounds.low, number.bounds.high)
        first = self._at(arguments[0])
        place = self.place[number] = self._new(dtype)
        if operation in _COMPARED:
            self._call(_COMPARED[operation], (first, self._at(arguments[1])), place + 1)
        elif operation == "not":
            self._call(np.bitwise_xor, (first, self._constant(1)), place)
        elif operation == "has":
            self._has(first, arguments[1], place)
        elif operation == "rest":
            self._call(partial(_rest, arguments[1]), (first,), place)
        elif operation == "ones":
            self._call(np.bitwise_count, (first,), place + 2)
        elif operation == "where":
            self._call(_where, (first + 1, self._at(arguments[1]), self._at(arguments[2])), place)
        elif operation == "picked":
            self._call(partial(_picked, np.array(arguments[1], dtype)), (first,), place)
        else:
            raise AssertionError(operation)

    def _has(self, place: int, mask: int, output: int) -> None:
        bits = self._new(self._type[place])
        self._call(np.bitwise_and, (place, self._constant(mask)), bits)
        self._call(np.equal, (bits, self._constant(mask)), output + 1)
        self._release(bits)

    def _join(self, number: Number, parts: Sequence[_Part]) -> None:
        """Write down that all of some truths hold, or any of them."""
        ufunc = np.bitwise_and if number.operation == "all" else np.bitwise_or
        masks: dict[Number, int] = {}
        for part in parts:
            if part.how == "has":
                masks[part.number] = masks.get(part.number, 0) | part.factor
        held = [self.place[part.number] for part in parts if part.how == "plain"]
        own = []
        for base, mask in masks.items():
            own.append(self._new(_BYTE))
            self._has(self.place[base], mask, own[-1])
        output = self.place[number] = self._new(_BYTE)
        first, *rest = [*own, *held] or [self._constant(1)]
        for each in rest:
            self._call(ufunc, (first, each), output)
            first = output
        for part in parts:
            if part.how == "not":
                self._call(np.greater, (first, self.place[part.number]), output + 1)
                first = output
        if first != output:
            self._call(_copy, (first,), output)
        for each in own:
            self._release(each)

    def _sum(self, number: Number, parts: Sequence[_Part], joined: set[Number]) -> None:
        """Write down a sum: parts of one weight are added before they are multiplied, small ones in bytes."""
        weights: dict[Number, int] = {}
        for part in parts:
            weights[part.number] = weights.get(part.number, 0) + part.factor
        groups: dict[int, list[_Sum]] = {}
        for term, weight in weights.items():
            place, bounds = self.place[term], term.bounds
            groups.setdefault(abs(weight), []).append(
                _Sum(place, bounds.low, bounds.high, own=False)
                if weight > 0
                else _Sum(place, -bounds.high, -bounds.low, own=False, negative=True)
            )
        total: list[_Sum] = []
        for weight, group in groups.items():
            total += [self._scaled(each, weight) for each in self._added(group)] if weight else []
        constant = _fixed(number, joined)
        if constant or not total:
            total.append(_Sum(self._constant(constant), constant, constant, own=False))
        found = self._added(total)
        while len(found) > 1:
            found = [*found[2:], self._plus(found[0], found[1])]
        whole = found[0]
        if not whole.own or whole.negative:
            whole = self._plus(whole, _Sum(self._constant(0), 0, 0, own=False))
        self.place[number] = whole.place

    def _added(self, parts: list[_Sum]) -> list[_Sum]:
        """Add parts up so far as the narrowest type holds their sums, and return these."""
        found: list[_Sum] = []
        for part in sorted(parts, key=lambda each: (each.negative, max(each.high, -each.low))):
            last = found[-1] if found else None
            if last is not None and self._fit(last, part):
                found[-1] = self._plus(last, part)
            else:
                found.append(part)
        return found

    def _fit(self, one: _Sum, two: _Sum) -> bool:
        widest = max(self._type_at(one.place), self._type_at(two.place), key=_size)
        return _size(_widened(one.low + two.low, one.high + two.high)) <= _size(widest)

    def _plus(self, one: _Sum, two: _Sum) -> _Sum:
        """Return the sum of two parts, in the array of the first if that is its own."""
        if one.negative and not two.negative:
            one, two = two, one
        low, high = one.low + two.low, one.high + two.high
        dtype = max(_widened(low, high), self._type_at(one.place), self._type_at(two.place), key=_size)
        negative = one.negative and two.negative
        output = one.place if one.own and self._type[one.place] == dtype else self._new(dtype)
        ufunc = np.subtract if two.negative and not negative else np.add
        self._arithmetic(ufunc, (one.place, two.place), output)
        for each in (one, two):
            if each.own and each.place != output:
                self._release(each.place)
        return _Sum(output, low, high, own=True, negative=negative)

    def _scaled(self, part: _Sum, weight: int) -> _Sum:
        if weight == 1:
            return part
        low, high = part.low * weight, part.high * weight
        dtype = max(_widened(low, high), _narrowest(0, weight), self._type_at(part.place), key=_size)
        output = part.place if part.own and self._type[part.place] == dtype else self._new(dtype)
        self._arithmetic(np.multiply, (part.place, self._constant(weight)), output)
        if part.own and part.place != output:
            self._release(part.place)
        return _Sum(output, low, high, own=True, negative=part.negative)


class _Sum(NamedTuple):
    """A part of a sum: where it is, its bounds in the sum, and whether it is taken away."""

    place: int
    low: int
    high: int
    own: bool
    """Whether its array holds nothing else that is needed."""
    negative: bool = False


def _fixed(number: Number, joined: set[Number]) -> int:
    """Return the constant in a sum."""
    if number.operation == "scaled":
        inner, weight = number.arguments
        return weight * _fixed(inner, joined) if inner in joined and inner.operation in _JOINED["sum"] else 0
    total = 0
    for each in number.arguments:
        if not isinstance(each, Number):
            total += each
        elif each in joined and each.operation in _JOINED["sum"]:
            total += _fixed(each, joined)
    return total


def _widened(low: int, high: int) -> np.dtype[Any]:
    """Return the narrowest type that holds numbers between two, and what is taken away to come to them."""
    return _narrowest(min(low, -high), max(high, -low))


def _size(dtype: np.dtype[Any]) -> int:
    return dtype.itemsize


def _copy(array: NDArray[Any], out: NDArray[Any]) -> None:
    out[...] = array


def _rest(divisor: int, array: NDArray[Any], out: NDArray[Any]) -> None:
    """Write the rest of a division; dividing and multiplying is done in a fraction of the time of ``remainder``."""
    if divisor > np.iinfo(array.dtype).max:
        array = array.astype(np.int64)
    whole = array // divisor
    whole *= divisor
    np.subtract(array, whole, out=whole)
    out[...] = whole


def _where(test: NDArray[Any], yes: Any, no: Any, out: NDArray[Any]) -> None:
    np.copyto(out, no)
    np.copyto(out, yes, where=test)


def _picked(table: NDArray[Any], index: NDArray[Any], out: NDArray[Any]) -> None:
    np.take(table, index.astype(np.intp), out=out, mode="clip")
