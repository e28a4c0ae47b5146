"""Score, measure and explain mahjong hands, under rulesets that are data."""

__version__ = "0.1.0"
