"""Whether a player may win on a tile: what he waits for, the context of the win, and its score under the ruleset."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import Final

from mjcli.forms import missing
from mjcli.hand import Context, Hand, Line
from mjcli.outlook import Outlook
from mjcli.play.choices import FIVES, face
from mjcli.play.table import SEATS, Table, kind_of
from mjcli.ruleset import Ruleset
from mjcli.scoring import Score, score, wins_at_once
from mjcli.tiles import JOKER_KIND, PLAIN_KINDS, TILES, Tile

__all__ = ["Wins", "is_first_turn"]

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
        self._copies = ruleset.tiles.copies
        self._waits: dict[tuple[bytes, int, int], frozenset[int]] = {}
        play = ruleset.play
        self._ready, self._indicators = play and play.ready, play and play.indicators
        self._counters = play and play.counters
        self._fed_before = play and play.fed_before
        self.end_matters = any((self._indicators, self._ready, self._counters))
        """Whether something of a score is known only when a win has been declared: what lies under the indicators, and
        which of several winners is the first."""

    def waits(self, counts: list[int], sets: int, jokers: int = 0) -> frozenset[int]:
        """Return the kinds of the set that complete 3n+1 concealed tiles, those too of which no copy is left."""
        key = bytes(counts), sets, jokers
        found = self._waits.get(key)
        if found is None:
            if len(self._waits) >= MOST_REMEMBERED:
                self._waits.clear()
            missing, kinds = self._outlook.helpful(counts, sets)
            live = [kind for kind in kinds if self._copies[kind]] if missing == 1 + jokers else []
            if live and self._copies[JOKER_KIND]:
                live.append(JOKER_KIND)
            found = self._waits[key] = frozenset(live)
        return found

    def is_complete(self, counts: list[int], sets: int, jokers: int = 0) -> bool:
        """Return whether 3n+2 concealed tiles are complete."""
        return self._outlook.missing(counts, sets) == jokers

    def ready_discards(self, counts: list[int], sets: int, jokers: int = 0) -> frozenset[int]:
        """Return the kinds of which 3n+2 concealed tiles can spare one and are ready."""
        if self._outlook.missing(counts, sets) > 1 + jokers:
            return frozenset()
        found = set()
        for kind, count in enumerate(counts):
            if count:
                counts[kind] = count - 1
                if self.waits(counts, sets, jokers):
                    found.add(kind)
                counts[kind] = count
        return frozenset(found)

    def is_form(self, counts: list[int], sets: int, forms: Iterable[str]) -> bool:
        """Return whether 3n+2 concealed tiles are complete in one of certain forms."""
        rules = self._ruleset.forms
        return any(form in rules and missing(counts, sets, form, rules[form]) == 0 for form in forms)

    def score_of_draw(self, table: Table, *, rob_own_kong: bool = False, at_end: bool = False) -> Score:
        """Return the score of the player whose turn it is, won on the tile that he has drawn.

        A dealt hand has no such tile: it is the one of the dealt tiles by which the hand is worth most.

        Args:
            table: of the deal.
            rob_own_kong: whether he robs his own kong.
            at_end: whether the win has been declared, so that what lay hidden counts.
        """
        seat = table.active
        if table.drawn is not None:
            line = self._line_of_draw(table, table.drawn, rob_own_kong=rob_own_kong, at_end=at_end)
            return score(line, self._ruleset, last_kong=table.last_kong[seat])
        kinds = [kind for kind, count in enumerate(table.counts[seat]) if count]
        kinds += [JOKER_KIND] if table.jokers[seat] else []
        lines = (self._line_of_draw(table, kind, at_end=at_end) for kind in kinds)
        scores = [score(line, self._ruleset, last_kong=table.last_kong[seat]) for line in lines]
        return max(scores, key=lambda found: (found.can_win, found.fan, found.fan_uncapped))

    def wins_at_once(self, table: Table) -> bool:
        """Return whether the active player wins by bonus tiles or jokers that have just come, whatever his hand is."""
        seat = table.active
        if not self._ruleset.program.instant:
            return False
        dealt = table.turns[seat] == 1
        by_bonus = bool(table.bonus[seat]) and (table.by_flower or dealt)
        by_joker = table.jokers[seat] > 0 and (table.drawn == JOKER_KIND or dealt)
        if not by_bonus and not by_joker:
            return False
        kind = (
            next(kind for kind, count in enumerate(table.counts[seat]) if count) if table.drawn is None else table.drawn
        )
        return wins_at_once(self._line_of_draw(table, kind), self._ruleset)

    def _line_of_draw(self, table: Table, kind: int, *, rob_own_kong: bool = False, at_end: bool = False) -> Line:
        seat, play = table.active, self._ruleset.play
        assert play is not None
        context = Context(
            seat=SEATS[seat],
            round=table.round_wind,
            last_tile=table.supply.left == 0 and (play.last_replacement or not table.kongs_in_a_row),
            last_of_kind=_is_last(table, kind),
            kong_draw=0 if table.by_flower else table.kongs_in_a_row,
            flower_draw=table.by_flower,
            rob_own_kong=rob_own_kong,
            first_turn=is_first_turn(table, seat, had=1),
            clean_opponents=_has_clean_opponents(table, seat),
            extra=self._extra(table, seat, at_end=at_end, is_first=at_end),
        )
        red = table.drawn_red if table.drawn is not None else _are_all_red(table, seat, kind)
        return _line(table, seat, face(kind, red), context, self_drawn=True)

    def score_of_claim(
        self, table: Table, seat: int, *, winners: int = 1, at_end: bool = False, is_first: bool = False
    ) -> Score:
        """Return the score of a player who wins on the discard, or robs the kong, of the active one.

        Args:
            table: of the deal.
            seat: of the winner.
            winners: how many win on this tile.
            at_end: whether the win has been declared, so that what lay hidden counts.
            is_first: whether he is the first of the winners, who takes what lies on the table.
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
            first_turn=is_first_turn(table, seat, had=0) and not table.is_kong,
            clean_opponents=_has_clean_opponents(table, seat) and not table.is_kong,
            winners=winners,
            extra=self._extra(table, seat, at_end=at_end, is_first=is_first),
        )
        line = _line(table, seat, face(kind, table.discarded_red), context)
        return score(line, self._ruleset, last_kong=table.last_kong[seat])

    def _extra(
        self, table: Table, seat: int, *, at_end: bool, is_first: bool
    ) -> tuple[tuple[str, bool | int | tuple[Tile, ...]], ...]:
        """Return the words of the ruleset's own that are true of a win."""
        if not self.end_matters and not self._fed_before:
            return ()
        return tuple(sorted(self._words(table, seat, at_end=at_end, is_first=is_first)))

    def _words(
        self, table: Table, seat: int, *, at_end: bool, is_first: bool
    ) -> Iterator[tuple[str, bool | int | tuple[Tile, ...]]]:
        ready, indicators, declared = self._ready, self._indicators, table.declared[seat]
        if declared is not None:
            yield declared, True
            if ready and ready.at_once and table.at_once[seat]:
                yield ready.at_once, True
        if indicators and table.indicators:
            yield indicators.word, tuple(map(_tile_of, table.indicators))
            if at_end and declared is not None and indicators.under and self._ruleset.wall:
                under = tuple(map(_tile_of, table.under(self._ruleset.wall.indicator)))
                yield indicators.under, under if indicators.under_kongs else under[:1]
        if is_first and self._counters and table.standing.counters:
            yield self._counters, table.standing.counters
        if is_first and ready and ready.deposits and table.deposits:
            yield ready.deposits, table.deposits
        if self._fed_before and seat == table.active and _is_fed_later(table, seat):
            yield self._fed_before, True


def _tile_of(code: int) -> Tile:
    return face(*kind_of(code))


def _are_all_red(table: Table, seat: int, kind: int) -> bool:
    """Return whether all that a player has of a kind are red fives."""
    return 0 < table.reds_of(seat, kind) == table.counts[seat][kind]


def _line(table: Table, seat: int, win: Tile, context: Context, *, self_drawn: bool = False) -> Line:
    """Return a player's hand as won on a tile."""
    counts = table.counts[seat]
    tiles = [TILES[each] for each in range(PLAIN_KINDS) for _ in range(counts[each])]
    tiles += [TILES[JOKER_KIND]] * table.jokers[seat]
    for kind, reds in zip(FIVES, table.reds[seat], strict=True):
        for _ in range(reds):
            tiles[tiles.index(TILES[kind])] = face(kind, True)
    if self_drawn:
        tiles.remove(win)
    hand = Hand(
        concealed=tuple(tiles),
        melds=tuple(table.melds[seat]),
        win=win,
        self_drawn=self_drawn,
        bonus=tuple(TILES[each] for each in table.bonus[seat]),
    )
    return Line(hand=hand, context=context)


def _is_last(table: Table, kind: int, *, open_copies: int = 0) -> bool:
    """Return whether the other copies of a winning tile lie open, which itself makes up ``open_copies``."""
    return table.seen[kind] - open_copies == table.copies[kind] - 1


def is_first_turn(table: Table, seat: int, *, had: int) -> bool:
    """Return whether nobody has a meld and a player had so many turns; a wall at its end is not full as at first."""
    return table.turns[seat] == had and table.supply.left > 0 and not any(table.melds)


def _is_fed_later(table: Table, seat: int) -> bool:
    """Return whether a player's sets are all claimed, the last from who had fed the last of another's before."""
    feeders = {winner: feeder for feeder, winner in table.last_fed}
    earlier = takewhile(lambda winner: winner != seat, feeders)
    return seat in feeders and any(feeders[other] == feeders[seat] for other in earlier)


def _has_clean_opponents(table: Table, seat: int) -> bool:
    return not any(melds for other, melds in enumerate(table.melds) if other != seat)
