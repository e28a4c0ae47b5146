"""Whether a player may win on a tile: what he waits for, the context of the win, and its score under the ruleset."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from mjcli.forms import missing
from mjcli.hand import Context, Hand, Line
from mjcli.outlook import Outlook
from mjcli.play.table import SEATS, Table
from mjcli.ruleset import Ruleset
from mjcli.scoring import Score, score, wins_at_once
from mjcli.tiles import PLAIN_KINDS, TILES

__all__ = ["Wins"]

MOST_REMEMBERED: Final = 1 << 12
"""How many hands a memo of waits holds before it starts afresh."""


class Wins:
    """Judges of wins under one ruleset; one object serves many deals."""

    def __init__(self, ruleset: Ruleset) -> None:
        """
        Args:
            ruleset: its forms must be such that ``mjcli.outlook`` knows them.

        Raises:
            InputError: it does not (``bad-form``).
        """
        self._ruleset = ruleset
        self._outlook = Outlook(ruleset.forms)
        self._waits: dict[tuple[bytes, int], frozenset[int]] = {}

    def waits(self, counts: list[int], sets: int) -> frozenset[int]:
        """Return the kinds that complete 3n+1 concealed tiles, those too of which no copy is left."""
        key = bytes(counts), sets
        found = self._waits.get(key)
        if found is None:
            if len(self._waits) >= MOST_REMEMBERED:
                self._waits.clear()
            found = self._waits[key] = frozenset(self._outlook.waits(counts, sets))
        return found

    def is_complete(self, counts: list[int], sets: int) -> bool:
        """Return whether 3n+2 concealed tiles are complete."""
        return self._outlook.missing(counts, sets) == 0

    def is_form(self, counts: list[int], sets: int, forms: Iterable[str]) -> bool:
        """Return whether 3n+2 concealed tiles are complete in one of certain forms."""
        rules = self._ruleset.forms
        return any(form in rules and missing(counts, sets, form, rules[form]) == 0 for form in forms)

    def score_of_draw(self, table: Table, *, rob_own_kong: bool = False) -> Score:
        """Return the score of the player whose turn it is, won on the tile that he has drawn.

        A dealt hand has no such tile: it is the one of the dealt tiles by which the hand is worth most.
        """
        seat = table.active
        if table.drawn is not None:
            return self._score_of_draw(table, table.drawn, rob_own_kong)
        kinds = [kind for kind, count in enumerate(table.counts[seat]) if count]
        scores = [self._score_of_draw(table, kind, rob_own_kong) for kind in kinds]
        return max(scores, key=lambda found: (found.can_win, found.fan, found.fan_uncapped))

    def wins_at_once(self, table: Table) -> bool:
        """Return whether the active player wins by bonus tiles that have just come, whatever his hand is."""
        seat = table.active
        if (
            not table.bonus[seat]
            or not self._ruleset.program.instant
            or not (table.by_flower or table.turns[seat] == 1)
        ):
            return False
        kind = (
            next(kind for kind, count in enumerate(table.counts[seat]) if count) if table.drawn is None else table.drawn
        )
        return wins_at_once(self._line_of_draw(table, kind), self._ruleset)

    def _score_of_draw(self, table: Table, kind: int, rob_own_kong: bool) -> Score:
        line = self._line_of_draw(table, kind, rob_own_kong=rob_own_kong)
        return score(line, self._ruleset, last_kong=table.last_kong[table.active])

    def _line_of_draw(self, table: Table, kind: int, *, rob_own_kong: bool = False) -> Line:
        seat = table.active
        context = Context(
            seat=SEATS[seat],
            round=table.round_wind,
            last_tile=table.supply.left == 0,
            last_of_kind=_is_last(table, kind),
            kong_draw=0 if table.by_flower else table.kongs_in_a_row,
            flower_draw=table.by_flower,
            rob_own_kong=rob_own_kong,
            first_turn=_is_first_turn(table, seat, had=1),
            clean_opponents=_has_clean_opponents(table, seat),
        )
        return _line(table, seat, kind, context, self_drawn=True)

    def score_of_claim(self, table: Table, seat: int, *, winners: int = 1) -> Score:
        """Return the score of a player who wins on the discard, or robs the kong, of the active one.

        Args:
            table: of the deal.
            seat: of the winner.
            winners: how many win on this tile.
        """
        kind = table.discarded
        assert kind is not None
        context = Context(
            seat=SEATS[seat],
            round=table.round_wind,
            source=SEATS[table.active],
            last_tile=table.supply.left == 0 and not table.is_kong,
            last_of_kind=_is_last(table, kind, open_copies=0 if table.is_kong else 1),
            rob_kong=table.is_kong,
            first_turn=_is_first_turn(table, seat, had=0) and not table.is_kong,
            clean_opponents=_has_clean_opponents(table, seat) and not table.is_kong,
            winners=winners,
        )
        return score(_line(table, seat, kind, context), self._ruleset, last_kong=table.last_kong[seat])


def _line(table: Table, seat: int, kind: int, context: Context, *, self_drawn: bool = False) -> Line:
    """Return a player's hand as won on a tile."""
    counts = table.counts[seat]
    tiles = [TILES[each] for each in range(PLAIN_KINDS) for _ in range(counts[each])]
    if self_drawn:
        tiles.remove(TILES[kind])
    hand = Hand(
        concealed=tuple(tiles),
        melds=tuple(table.melds[seat]),
        win=TILES[kind],
        self_drawn=self_drawn,
        bonus=tuple(TILES[each] for each in table.bonus[seat]),
    )
    return Line(hand=hand, context=context)


def _is_last(table: Table, kind: int, *, open_copies: int = 0) -> bool:
    """Return whether the three other copies of a winning tile lie open, which itself makes up ``open_copies``."""
    return table.seen[kind] - open_copies == table.copies[kind] - 1


def _is_first_turn(table: Table, seat: int, *, had: int) -> bool:
    """Return whether nobody has a meld and a player had so many turns; a wall at its end is not full as at first."""
    return table.turns[seat] == had and table.supply.left > 0 and not any(table.melds)


def _has_clean_opponents(table: Table, seat: int) -> bool:
    return not any(melds for other, melds in enumerate(table.melds) if other != seat)
