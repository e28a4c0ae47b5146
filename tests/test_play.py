"""Deals that go by a script: what is offered, what happens, who wins and who pays."""

from __future__ import annotations

from typing import Any

from tests.cases import by_case, table
from tests.scripted import SEATS, shown, told


@by_case([*table("play")["cases"], *table("play_riichi")["cases"]])
def test_script(case: dict[str, Any]) -> None:
    found = told(case)
    keys = found.keys
    events = iter([shown(each) for each in keys])
    for wanted in case.get("events", ()):
        assert any(event.startswith(wanted) for event in events), f"{wanted}: {[shown(each) for each in keys]}"
    wins = [each for each in keys if each["event"] == "win"]
    paid = [each["payments"] for each in keys if each["event"] == "payment" and "reason" not in each]
    assert [win["seat"] for win in wins] == [wanted["seat"] for wanted in case["wins"]]
    for win, payments, wanted in zip(wins, paid, case["wins"], strict=True):
        told_words = win["hand"].split()[1:]
        assert set(wanted.get("words", ())) <= set(told_words), win["hand"]
        if "fan" in wanted:
            assert win["fan"] == wanted["fan"], win
        if "payments" in wanted:
            assert payments == wanted["payments"]
        assert sum(payments.values()) == 0
    for choice, count in case.get("offers", {}).items():
        assert [*found.offered, *found.discards].count(choice) == count, found.offered
    drawn = [(each["reason"], each["payments"]) for each in keys if "payments" in each and "reason" in each]
    assert drawn == [(wanted["for"], wanted["payments"]) for wanted in case.get("drawn", [])]
    assert found.outcome is not None
    if "deposits_left" in case:
        assert found.outcome.deposits == case["deposits_left"]
    if "last_drawer" in case:
        assert SEATS[found.outcome.last_drawer] == case["last_drawer"]
