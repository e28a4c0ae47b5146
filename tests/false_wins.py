"""Cases of false wins, asked of a ruleset file."""

from __future__ import annotations

from collections.abc import Iterator

from mjcli.melds import Seat
from mjcli.payments import false_win_payments
from mjcli.ruleset import load_ruleset
from tests.cases import table


def wrong_false_wins(rules: str, path: str) -> Iterator[str]:
    """Yield the ids of the cases of a ruleset that its file at ``path`` answers otherwise."""
    for case in table("false_wins"):
        if case["rules"] == rules:
            options = {name: str(value) for name, value in case.get("options", {}).items()}
            found = false_win_payments(load_ruleset(path, options, cache=False), Seat(case.get("seat", "S")))
            if found != case["payments"]:
                yield case["id"]
