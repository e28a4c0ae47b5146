"""Deals played to their end: the table, the referee, and logs that replay."""

from mjcli.play.choices import PASS, WIN, Act, Choice
from mjcli.play.referee import Judge, Outcome, Won, play
from mjcli.play.table import Standing, Start, Table, View, start_of

__all__ = [
    "PASS",
    "WIN",
    "Act",
    "Choice",
    "Judge",
    "Outcome",
    "Standing",
    "Start",
    "Table",
    "View",
    "Won",
    "play",
    "start_of",
]
