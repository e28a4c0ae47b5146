"""What a sample says of a rate or of a mean, with the interval that holds the truth 95 times of 100."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Final

__all__ = ["Mean", "Rate", "Z", "mean", "rate"]

Z: Final = 1.959963984540054
"""The quantile of the normal distribution that leaves 2.5 % above it."""

DIGITS: Final = 6
"""Decimals that are kept."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A rate: ``count`` of ``of``."""

    count: int
    of: int
    rate: float | None
    """None where nothing was counted."""
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean of ``of`` values."""

    of: int
    mean: float | None
    """None where there are no values."""
    low: float | None
    """None below two values."""
    high: float | None


def rate(count: int, of: int) -> Rate:
    """Return a rate with its interval.

    >>> rate(5, 10)
    Rate(count=5, of=10, rate=0.5, low=0.236593, high=0.763407)

    Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference" (1927).
    """
    if not of:
        return Rate(count, of, None, None, None)
    share, squared = count / of, Z * Z / of
    middle = (share + squared / 2) / (1 + squared)
    half = Z * sqrt(share * (1 - share) / of + squared / of / 4) / (1 + squared)
    return Rate(count, of, _kept(share), _kept(max(middle - half, 0.0)), _kept(min(middle + half, 1.0)))


def mean(total: int, squares: int, of: int) -> Mean:
    """Return a mean with its interval by the normal distribution.

    >>> mean(6, 14, 3)
    Mean(of=3, mean=2.0, low=0.868414, high=3.131586)

    Args:
        total: the sum of the values.
        squares: the sum of their squares.
        of: how many there are.
    """
    if not of:
        return Mean(of, None, None, None)
    middle = total / of
    if of == 1:
        return Mean(of, _kept(middle), None, None)
    # whole numbers as long as possible, so that nothing is lost in the difference
    half = Z * sqrt((of * squares - total * total) / (of * (of - 1)) / of)
    return Mean(of, _kept(middle), _kept(middle - half), _kept(middle + half))


def _kept(value: float) -> float:
    return round(value, DIGITS) + 0.0
