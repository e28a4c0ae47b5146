"""What is paid in a deal that nobody has won until the wall was at its end 荒牌流局."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mjcli.play.table import DEALER, Table
from mjcli.ruleset.program import PlayRules, RiverRules

__all__ = ["payments_of_draw"]


def payments_of_draw(table: Table, rules: PlayRules, ready: Sequence[int]) -> Iterator[tuple[tuple[int, ...], str]]:
    """Yield what each seat receives, and for what: ``river`` or, where nobody is paid for that, ``ready_hands``.

    Args:
        table: at the end of the wall.
        rules: what is paid.
        ready: the players who are ready.
    """
    river = rules.river
    rivers = [] if river is None else [seat for seat in range(table.players) if _is_river(table, seat, river)]
    if river is not None and rivers:
        for seat in rivers:
            yield _of_river(table.players, seat, river), "river"
    elif rules.ready_hands and 0 < len(ready) < table.players:
        others = table.players - len(ready)
        share = rules.ready_hands // (len(ready) * others)
        yield tuple(share * (others if seat in ready else -len(ready)) for seat in range(table.players)), "ready_hands"


def _is_river(table: Table, seat: int, river: RiverRules) -> bool:
    """Return whether a player has discarded nothing but certain tiles, of which nobody claimed one."""
    return table.unclaimed[seat] and bool(table.discards[seat]) and set(table.discards[seat]) <= set(river.kinds)


def _of_river(players: int, winner: int, river: RiverRules) -> tuple[int, ...]:
    paid = [river.dealer if DEALER in (seat, winner) else river.others for seat in range(players)]
    paid[winner] = 0
    return tuple(sum(paid) if seat == winner else -amount for seat, amount in enumerate(paid))
