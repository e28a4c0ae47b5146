"""Many deals or games played by programmed players, and what they add up to."""

from mjcli.simulate.runs import Plan
from mjcli.simulate.work import Comparison, State, compare, simulate

__all__ = ["Comparison", "Plan", "State", "compare", "simulate"]
