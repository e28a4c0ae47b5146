"""Who pays whom: amounts by role become payments by seat, or by role where seats are not known; they sum to zero.

A false win 詐糊 is paid for by the player who declared it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mjcli.columns import COLUMNS
from mjcli.errors import InputError
from mjcli.melds import Seat
from mjcli.ruleset.ruleset import Ruleset

__all__ = ["Amounts", "false_win_payments", "payments_by_role", "payments_by_seat"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Amounts:
    """What each loser pays the winner."""

    named: int
    """The discarder or the robbed; the liable player too, where ``liable`` is no role of its own."""
    others: int
    """Each other loser."""
    dealer: int
    """The dealer, where he is one of the others."""
    liable: int = 0
    """The liable player, where that is a role of its own, beside his share as discarder or as one of the others."""


def payments_by_seat(
    amounts: Amounts,
    winner: Seat,
    named: Seat | None,
    seats: Sequence[Seat] = tuple(Seat),
    liable: Seat | None = None,
) -> Mapping[str, int]:
    """Return what each seat receives; payments made are negative.

    >>> payments_by_seat(Amounts(named=8, others=0, dealer=0), Seat.S, Seat.E)
    {'E': -8, 'S': 8, 'W': 0, 'N': 0}

    Args:
        amounts: what each loser pays.
        winner: the winner's seat.
        named: the seat that pays the named amount; None where nobody does, as on most self-draws.
        seats: those at the table.
        liable: the seat that pays the amount of the liable player as well; None where nobody does.
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
    if liable is not None:
        paid[liable] += amounts.liable
    paid[winner] = -sum(paid.values())
    return {seat.value: -amount for seat, amount in paid.items()}


def payments_by_role(amounts: Amounts, players: int = 4) -> Mapping[str, int]:
    """Return what the winner and the discarder receive, and each of the others.

    Where the liable player has an amount of his own, it is a role too, of one of the three losers, who pays it beside
    what he pays as that.

    >>> payments_by_role(Amounts(named=8, others=2, dealer=2))
    {'winner': 12, 'discarder': -8, 'other': -2}
    >>> payments_by_role(Amounts(named=8, others=2, dealer=2), players=3)
    {'winner': 10, 'discarder': -8, 'other': -2}
    >>> payments_by_role(Amounts(named=8, others=0, dealer=0, liable=8))
    {'winner': 16, 'discarder': -8, 'liable': -8, 'other': 0}
    """
    return {
        "winner": amounts.named + amounts.liable + (players - 2) * amounts.others,
        "discarder": -amounts.named,
        **({"liable": -amounts.liable} if amounts.liable else {}),
        "other": -amounts.others,
    }


def false_win_payments(ruleset: Ruleset, offender: Seat) -> Mapping[str, int]:
    """Return what each seat receives when a player declares a win that is none; payments made are negative.

    He pays each other player what that one would have had from him for a self-draw of the fan that the ruleset says.

    >>> from mjcli.ruleset import load_ruleset
    >>> false_win_payments(load_ruleset("hongkong"), Seat.S)
    {'E': 64, 'S': -192, 'W': 64, 'N': 64}

    Raises:
        InputError: the ruleset does not say what it costs (``no-false-win``), or has no such seat (``bad-seat``).
    """
    fan = ruleset.program.false_win
    if fan is None:
        raise InputError("no-false-win", f"{ruleset.id} does not say what a false win costs")
    seats = ruleset.seats
    if offender not in seats:
        raise InputError("bad-seat", f"nobody sits {offender} in {ruleset.id}, which {len(seats)} play")
    received = {}
    for seat in seats:
        columns = {**dict.fromkeys(COLUMNS, 0), "self_drawn": True, "seat": seat.number + 1}
        columns |= {f"x_{name.replace('-', '_')}": 0 for name, _, _ in ruleset.extra_words}
        others, dealer = ruleset.false_win(columns, fan)
        received[seat.value] = dealer if offender is Seat.E else others
    received[offender.value] = 0
    received[offender.value] = -sum(received.values())
    return received
