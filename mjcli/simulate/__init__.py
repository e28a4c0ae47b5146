"""Many deals or games played by programmed players, and what they add up to."""

from mjcli.simulate.runs import Plan
from mjcli.simulate.work import Comparison, compare, simulate

__all__ = ["Comparison", "Plan", "compare", "simulate"]
