"""Who pays whom: amounts by role become payments by seat, or by role where seats are not known; they sum to zero."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mjcli.melds import Seat

__all__ = ["Amounts", "payments_by_role", "payments_by_seat"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Amounts:
    """What each loser pays the winner."""

    named: int
    """The discarder, the robbed or the liable player."""
    others: int
    """Each other loser."""
    dealer: int
    """The dealer, where he is one of the others."""


def payments_by_seat(
    amounts: Amounts, winner: Seat, named: Seat | None, seats: Sequence[Seat] = tuple(Seat)
) -> Mapping[str, int]:
    """Return what each seat receives; payments made are negative.

    >>> payments_by_seat(Amounts(named=8, others=0, dealer=0), Seat.S, Seat.E)
    {'E': -8, 'S': 8, 'W': 0, 'N': 0}

    Args:
        amounts: what each loser pays.
        winner: the winner's seat.
        named: the seat that pays the named amount; None where nobody does, as on most self-draws.
        seats: those at the table.
    """
    paid = {
        seat: 0
        if seat is winner
        else amounts.named
        if seat is named
        else amounts.dealer
        if seat is Seat.E
        else amounts.others
        for seat in seats
    }
    paid[winner] = -sum(paid.values())
    return {seat.value: -amount for seat, amount in paid.items()}


def payments_by_role(amounts: Amounts, players: int = 4) -> Mapping[str, int]:
    """Return what the winner and the discarder receive, and each of the others.

    >>> payments_by_role(Amounts(named=8, others=2, dealer=2))
    {'winner': 12, 'discarder': -8, 'other': -2}
    >>> payments_by_role(Amounts(named=8, others=2, dealer=2), players=3)
    {'winner': 10, 'discarder': -8, 'other': -2}
    """
    return {
        "winner": amounts.named + (players - 2) * amounts.others,
        "discarder": -amounts.named,
        "other": -amounts.others,
    }
