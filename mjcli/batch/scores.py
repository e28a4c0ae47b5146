"""The value of many won hands under a ruleset, each by its best reading, as arrays.

The answers are those of ``mjcli.scoring``, from the same compiled conditions. Hands that arrays do not hold whole, or
of which something may be wrong, are scored by that module one by one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from math import prod
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjcli.batch.columns import (
    Columns,
    copies_held,
    drawn_of,
    held_counts,
    joker_melds,
    jokers_held,
    named_tiles,
    neighbors_of,
    number_of_melds,
    seats_of,
    winners_of,
    won_kinds,
)
from mjcli.batch.decompositions import HONORS, keys_and_sizes, keys_of
from mjcli.batch.hands import (
    ADDED,
    BONUS_BITS,
    BONUS_SHIFTS,
    EXPOSED,
    FEEDER,
    JOKERS,
    MELD_TYPES,
    NO_TILE,
    PLAYERS,
    REDS,
    Hands,
    birds_as_jokers,
    lines_of,
)
from mjcli.batch.jokers import MOST_JOKERS, NO_KIND, Filled, best_stand_ins, with_stand_ins
from mjcli.batch.plan import Plan, dtype_holding
from mjcli.batch.readings import Readings, readings_of, some_readings, unfinished
from mjcli.batch.tracing import MOST_NUMBER, Number, Operand, dependents, trace
from mjcli.columns import FORM_NUMBERS, WAIT_NUMBERS
from mjcli.errors import InputError
from mjcli.hand import ASSUMED_SEAT
from mjcli.melds import Relation, Seat
from mjcli.notation import WordKind
from mjcli.ruleset.program import value_of
from mjcli.ruleset.ruleset import Ruleset
from mjcli.scoring import Score
from mjcli.scoring import score as score_one
from mjcli.tiles import DEFAULT_SET, JOKER_KIND, PLAIN_KINDS

__all__ = ["CHUNK", "NOT_COMPLETE", "TOLD", "Scorer", "Scores", "score"]

CHUNK: Final = 1 << 15
"""Hands that are scored at once: enough that calling NumPy costs little, and few enough for the processor's cache."""

NOT_COMPLETE: Final = -1
"""The form of a hand that has none."""

TOLD: Final = -2
"""In ``Scores.liable``, that the line says who pays alone; -1 that nobody does."""


_ORDER_BITS: Final = 15
"""More bits than ``Readings.order`` has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """The answers for some hands: row n of each array is that of hand n."""

    names: tuple[str, ...]
    """The steps of the ruleset's score, and after them, with names that start with @, what it pays."""
    steps: NDArray[np.int64]
    """int64[names, rows], or int32 where none can be greater: their values; 0 where the hand is not complete."""
    counts: NDArray[np.integer]
    """int8[patterns, rows], or more bytes where some may be greater: how often each pattern counts."""
    fans: NDArray[np.int64]
    """int64[patterns, rows]: what each pattern is worth once; one value repeated where it is the same for all."""
    form: NDArray[np.int8]
    """int8[rows]: as ``mjcli.columns.FORM_NUMBERS`` has it; -1 where the hand is not complete."""
    wait: NDArray[np.int8]
    """int8[rows]: as ``mjcli.columns.WAIT_NUMBERS`` has it."""
    place: NDArray[np.int8]
    """int8[rows]: where the winning tile went, as ``mjcli.batch.readings.Readings.place`` has it."""
    parts: NDArray[np.intp]
    """intp[4, rows]: each suit's sets and pair, as rows of ``mjcli.batch.decompositions``."""
    win: NDArray[np.int8]
    """int8[rows]: the kind of the winning tile, of a joker that for which it stands."""
    jokers: NDArray[np.int8]
    """int8[4, rows]: for what the jokers among the concealed tiles and the winning tile stand, ascending; after the
    last, and where they stand for nothing, -1."""
    winner: NDArray[np.int8]
    """int8[rows]: the winner's seat, 0-3."""
    payer: NDArray[np.int8]
    """int8[rows]: the seat, 0-3, that pays what is named, where it is known, else -1."""
    by_seat: NDArray[np.bool_]
    """bool[rows]: whether it is known which seat pays what."""
    liable: NDArray[np.int8]
    """int8[rows]: the place of the rule by which somebody pays alone, -1 for none, -2 if the hand says who."""
    owing: NDArray[np.int8]
    """int8[rows]: the seat, 0-3, that pays the amount of the liable player, where that is a role of its own; -1 where
    nobody does."""
    details: NDArray[np.integer]
    """int8[details, rows], or more bytes: what ``Scorer.matched`` and ``Scorer.takers`` point to; none unless they were
    asked for."""
    players: int
    """How many play."""
    one_by_one: Mapping[int, Score | InputError]
    """The answers that ``mjcli.scoring.score`` gave, by row: a score, whose values stand in the arrays too, or why
    there is none."""

    @property
    def complete(self) -> NDArray[np.bool_]:
        """bool[rows]: whether the hand is complete in any form of the ruleset, or wins at once."""
        found: NDArray[np.bool_] = self.form != NOT_COMPLETE
        return found

    @property
    def can_win(self) -> NDArray[np.bool_]:
        """bool[rows]: whether it is complete and not below the minimum."""
        found: NDArray[np.bool_] = self.step("@wins") != 0
        return found

    def take(self, rows: NDArray[np.intp]) -> Scores:
        """Return some of the scores, without the answers that were given one by one."""
        columns = {each.name: getattr(self, each.name) for each in fields(self)}
        for name, column in columns.items():
            if isinstance(column, np.ndarray):
                columns[name] = column[..., rows]
        if not self.fans.flags.writeable:  # the same for all
            columns["fans"] = np.broadcast_to(self.fans[:, :1], (len(self.fans), len(rows)))
        return Scores(**{**columns, "one_by_one": {}})

    def step(self, name: str) -> NDArray[np.int64]:
        """Return int64[rows]: a step of the score, such as ``fu``."""
        found: NDArray[np.int64] = self.steps[self.names.index(name)]
        return found

    @property
    def fan(self) -> NDArray[np.int64]:
        """int64[rows]."""
        return self.step("fan")

    @property
    def fan_uncapped(self) -> NDArray[np.int64]:
        """int64[rows]: the fan itself under a ruleset that has no such step."""
        return self.step("fan_uncapped" if "fan_uncapped" in self.names else "fan")

    @property
    def points(self) -> NDArray[np.int64]:
        """int64[rows]."""
        return self.step("points")

    @property
    def owed(self) -> NDArray[np.int64]:
        """int64[rows]: what the liable player pays, where he has a role of his own."""
        found: NDArray[np.int64] = np.where(self.owing >= 0, self.step("@liable"), 0)
        return found

    def payments(self) -> NDArray[np.int64]:
        """Return int64[players, rows]: what each seat gets; without ``by_seat`` winner, discarder and the others.

        Where the liable player has a role of his own, he is the first of the others then.
        """
        named, others, dealer = (self.step(f"@{role}") for role in ("named", "others", "dealer"))
        seats = np.arange(self.players, dtype=np.int8)[:, None]
        of_seats = np.where(seats == self.payer, named, np.where(seats == 0, dealer, others))
        of_roles = (seats == 1) * named + (seats > 1) * others
        owed = self.owed
        if owed.any():
            of_seats += (seats == self.owing) * owed
            of_roles += (seats == 2) * owed
        winner = np.where(self.by_seat & self.can_win, self.winner, 0).astype(np.intp)
        paid = np.where(self.can_win & (seats != winner), np.where(self.by_seat, -of_seats, -of_roles), 0)
        paid[winner, np.arange(len(winner))] = -paid.sum(axis=0)
        for row, answer in self.one_by_one.items():
            if isinstance(answer, Score) and answer.payments:
                paid[:, row] = _paid(answer, self.players)
        return paid


def _paid(answer: Score, players: int) -> list[int]:
    """Return what each seat gets, or by role the winner, the discarder and the others."""
    received = answer.payments
    if "winner" not in received:
        return [received[seat.value] for seat in tuple(Seat)[:players]]
    others = [received["other"]] * (players - 2)
    others[0] += received.get("liable", 0)
    return [received["winner"], received["discarder"], *others]


def score(hands: Hands, ruleset: Ruleset) -> Scores:
    """Return the values of many hands under a ruleset, each by its best reading.

    >>> from mjcli.batch.hands import hands_of
    >>> from mjcli.notation import parse_line
    >>> from mjcli.ruleset import load_ruleset
    >>> ruleset = load_ruleset("jipinghu")
    >>> found = score(hands_of([parse_line("333p555s77m44s,111z+7m")]), ruleset)
    >>> found.fan.tolist(), [info.id for info, count in zip(ruleset.patterns, found.counts) if count]
    ([3], ['dui_dui_hu', 'quan_feng'])

    Args:
        hands: as ``mjcli.batch.hands.hands_of`` gives them. Without a winning tile the tile written last is it.
        ruleset: as ``mjcli.ruleset.load_ruleset`` returns it.

    Returns:
        The scores, some 200 bytes a hand; of millions of hands score some at a time, with one ``Scorer``.

    Raises:
        OverflowError: a number of the ruleset may not fit into 64 bits.
    """
    return Scorer(ruleset).score(hands)


class Scorer:
    """Scores hands under one ruleset; what is compiled for arrays is kept."""

    def __init__(self, ruleset: Ruleset, *, details: bool = False) -> None:
        """
        Args:
            ruleset: whose conditions these are.
            details: whether ``Scores.details`` are wanted.

        Raises:
            OverflowError: a number of the ruleset may not fit into 64 bits.
        """
        program = ruleset.program
        self.ruleset = ruleset
        traced = self._traced = trace(program)
        told: dict[Operand, int] = {}

        def detail(result: Any) -> int:
            """Return the row of ``Scores.details`` for a result of the program; equal ones have one row."""
            return told.setdefault(value_of(traced.variables, result), len(told))

        self.varying = [place for place, each in enumerate(traced.fans) if isinstance(each, Number)]
        """The places of the patterns that are not always worth the same."""
        names = program.patterns if details else ()
        self.matched: Sequence[int] = [detail(program.matched[name]) for name in names]
        """The row of ``Scores.details`` that says how often each pattern matches."""
        self.takers: Mapping[str, Sequence[tuple[str, str, int]]] = {
            name: [(by, how, detail(holds)) for by, how, holds in program.takers[name]] for name in names
        }
        """By pattern, what may take it away, how, and the row of ``Scores.details`` that says whether it does."""
        results = dict(zip(program.steps, traced.results, strict=True))
        rank = [results["@prefer"], *(results[name] for name in program.best)]
        self._rank = [each for each in rank if isinstance(each, Number)]
        widths = [each.bounds.high - each.bounds.low + 1 for each in self._rank]
        if prod(widths) << _ORDER_BITS >= 1 << 63:
            raise OverflowError("the steps that choose the reading are too great for arrays")
        self._wanted = [self._rank, traced.results, traced.counts, traced.fans, list(told)]
        self._plan = Plan(traced, [each for group in self._wanted for each in group])
        liable = dependents(traced.numbers, ("liable", "named_dealer"))
        self._again = [
            [each if isinstance(each, Number) and each in liable else None for each in group] for group in self._wanted
        ]
        """Of ``_wanted`` what depends on who pays alone; None for what does not."""
        self._plan_again = Plan(traced, [each for group in self._again for each in group])
        at_once = traced.at_once
        self._at_once = Plan(traced, [at_once]) if isinstance(at_once, Number) or at_once else None
        self._refused = Plan(traced, [traced.refused]) if isinstance(traced.refused, Number) else None
        self._indicators = [each.name for each in ruleset.extra_words if each.kind is WordKind.INDICATORS]
        self._copies = np.array(ruleset.tiles.copies[:PLAIN_KINDS], np.intp)
        self._split = any(name == "wait" or name[0] == "Q" for name in program.columns)
        self._stand_ins = np.isin(np.arange(PLAIN_KINDS), list(ruleset.tiles.plain_kinds))
        self._bonus = _bits_of_bonus([copies > 0 for copies in ruleset.tiles.copies[JOKER_KIND + 1 :]])
        copies = zip(ruleset.tiles.copies, DEFAULT_SET.copies, strict=True)
        self._usual = all(
            own == usual or kind == JOKER_KIND or (own == 0 and kind > JOKER_KIND)
            for kind, (own, usual) in enumerate(copies)
        )
        """Whether no hand that exists has more copies of a tile that is played than the ruleset has."""

    @cached_property
    def _plan_rank(self) -> Plan:
        """What chooses among readings alone, which is asked of every choice of tiles for jokers."""
        return Plan(self._traced, self._rank)

    @property
    def knows_wins_at_once(self) -> bool:
        """Whether there can be hands that win whatever their tiles are."""
        return self._at_once is not None

    def score(self, hands: Hands) -> Scores:
        """Return the values of hands, as ``score`` does."""
        hands = birds_as_jokers(hands, self.ruleset.tiles.bird)
        answers: dict[int, Score | InputError] = {}
        found = self._empty(len(hands), answers)
        for start in range(0, len(hands), CHUNK):
            rows = slice(start, min(start + CHUNK, len(hands)))
            part = hands.take(rows)
            left = self._score(part, _part(found, rows))
            for row in left.tolist():
                answers[start + row] = self._score_one(
                    part.take(slice(row, row + 1)), _part(found, slice(start + row, start + row + 1))
                )
        return found

    def _empty(self, rows: int, answers: dict[int, Score | InputError]) -> Scores:
        _, results, counts, _, details = self._wanted
        for_steps = np.result_type(dtype_holding(results), np.int32)
        return Scores(
            names=self.ruleset.program.steps,
            steps=np.zeros((len(results), rows), for_steps),
            counts=np.zeros((len(counts), rows), dtype_holding(counts)),
            fans=self._fans(rows),
            form=np.full(rows, NOT_COMPLETE, np.int8),
            wait=np.zeros(rows, np.int8),
            place=np.zeros(rows, np.int8),
            parts=np.zeros((4, rows), np.intp),
            win=np.zeros(rows, np.int8),
            jokers=np.full((MOST_JOKERS, rows), NO_KIND, np.int8),
            winner=np.zeros(rows, np.int8),
            payer=np.full(rows, -1, np.int8),
            by_seat=np.zeros(rows, np.bool_),
            liable=np.full(rows, -1, np.int8),
            owing=np.full(rows, -1, np.int8),
            details=np.zeros((len(details), rows), dtype_holding(details)),
            players=self.ruleset.players,
            one_by_one=answers,
        )

    def _fans(self, rows: int) -> NDArray[np.int64]:
        fans = self._wanted[3]
        constants = np.array([0 if isinstance(each, Number) else each for each in fans], np.int64)[:, None]
        if any(isinstance(each, Number) for each in fans):
            return np.repeat(constants, rows, axis=1)
        return np.broadcast_to(constants, (len(fans), rows))

    # one chunk
    def _score(self, hands: Hands, found: Scores) -> NDArray[np.intp]:
        """Write the values of hands; return those that are left to be scored one by one."""
        counts, keys = hands.counts, keys_and_sizes(hands.counts)
        taken = self._taken(hands, keys[4])
        keys = keys[:4]
        win, drawn = won_kinds(hands), drawn_of(hands)
        win[~taken] = 0
        if self._refused is not None:
            told = {"liable": seats_of(hands, "liable", self.ruleset.players) >= 0}
            columns = Columns(hands, win, drawn, unfinished(counts, keys), self.ruleset, told)
            taken &= np.asarray(self._refused.run(columns, len(hands))[0]) == 0
        whole, at_once = taken, None
        if self._at_once is not None:
            columns = Columns(hands, win, drawn, unfinished(counts, keys), self.ruleset)
            at_once = taken & np.asarray(self._at_once.run(columns, len(hands))[0], np.bool_)
        some = np.flatnonzero(taken & (hands.jokers > 0))
        if len(some):
            columns = Columns(hands, win, drawn, unfinished(counts, keys), self.ruleset)
            counts, win, whole = self._with_stand_ins(columns, some, at_once, taken, found)
            keys = keys_of(counts)
        readings = readings_of(
            counts, keys, hands.melds, win, self.ruleset.forms, taken=whole, split=self._split, at_once=at_once
        )
        columns = Columns(hands, win, drawn, readings, self.ruleset)
        chosen = self._evaluate(columns, found)
        for name in ("form", "wait", "place", "parts"):
            column = getattr(readings, name)
            target = getattr(found, name)
            target[...] = column[..., : len(hands)]
            changed = np.flatnonzero(chosen >= len(hands))
            target[..., changed] = column[..., chosen[changed]]
        found.win[:] = win
        found.winner[:] = columns.of_hands("seat") - np.int8(1)
        found.payer[:] = columns.discarder
        found.by_seat[:] = drawn | (columns.discarder >= 0)
        taken[self._let_pay(columns, chosen, found)] = False
        none = np.flatnonzero(~(taken & readings.complete))
        found.form[none] = NOT_COMPLETE
        for values in (found.steps, found.counts, found.details):
            values[:, none] = 0
        found.jokers[:, none] = NO_KIND
        return np.flatnonzero(~taken)

    def _with_stand_ins(
        self,
        columns: Columns,
        some: NDArray[np.intp],
        at_once: NDArray[np.bool_] | None,
        taken: NDArray[np.bool_],
        found: Scores,
    ) -> tuple[NDArray[np.uint8], NDArray[np.intp], NDArray[np.bool_]]:
        """Let jokers stand for what is worth most, and write that down.

        Args:
            columns: of hands as they are.
            some: intp[some], the hands with jokers.
            at_once: bool[hands], which hands win at once; of those that are worth more by what their jokers stand for,
                this is taken back.
            taken: bool[hands], which hands are scored in arrays.
            found: to which it is written.

        Returns:
            uint8[hands, 34], the concealed tiles with what jokers stand for; intp[hands], the winning tiles likewise;
            bool[hands], which hands may be sets or special forms then.
        """
        hands, win, drawn = columns.hands.take(some), columns.win[some], columns.drawn[some]
        known = np.full(len(some), np.iinfo(np.int64).min)
        if at_once is not None:
            rows = np.flatnonzero(at_once[some])
            known[rows] = self._key(self._plan_rank.run(columns, columns.size), columns.size)[some[rows]]

        def worth(filled: Filled) -> NDArray[np.int64]:
            own = hands.take(filled.hand)
            keys = filled.keys.copy()
            keys[3] += HONORS
            form = {filled.form: self.ruleset.forms[filled.form]}
            size = len(own)
            readings = readings_of(
                filled.counts, keys, own.melds, filled.win, form, taken=np.ones(size, np.bool_), split=self._split
            )
            filled_columns = Columns(own, filled.win, drawn[filled.hand], readings, self.ruleset)
            key = self._key(self._plan_rank.run(filled_columns, len(readings.hand)), len(readings.hand))
            most = key[:size]
            np.maximum.at(most, readings.hand[size:], key[size:])
            return most

        stands = best_stand_ins(hands, win, self.ruleset.forms, self._stand_ins, worth, known)
        counts, won, whole = columns.hands.counts.copy(), columns.win.copy(), taken.copy()
        counts[some] = with_stand_ins(hands.counts, stands.kinds)
        won[some], whole[some] = stands.win, stands.complete
        if at_once is not None:
            at_once[some[stands.complete]] = False
        found.jokers[:, some] = stands.kinds.T
        return counts, won, whole

    def _evaluate(self, columns: Columns, found: Scores) -> NDArray[np.intp]:
        """Write the values of hands by their best readings, and return which readings these are."""
        readings, size = columns.readings, columns.size
        values = self._plan.run(columns, len(readings.hand))
        chosen = np.arange(size)
        if len(readings.hand) > size:
            better = self._better(values[: len(self._rank)], readings, size)
            hand = readings.hand[better]
            chosen[hand] = better
            for each in {id(each): each for each in values if isinstance(each, np.ndarray)}.values():
                each[hand] = each[better]
        self._write(values, self._wanted, found, slice(None), size)
        return chosen

    @staticmethod
    def _write(
        values: Sequence[Any],
        wanted: Sequence[Sequence[Any]],
        found: Scores,
        rows: NDArray[np.intp] | slice,
        size: int,
    ) -> None:
        """Write the values of what is wanted; what is None is left as it is."""
        given = iter(values)
        for target, group in zip((None, found.steps, found.counts, found.fans, found.details), wanted, strict=True):
            for place, (each, value) in enumerate(zip(group, given, strict=False)):
                if target is None or each is None or not target.flags.writeable:
                    continue
                target[place, rows] = value[:size] if isinstance(value, np.ndarray) else value

    def _better(self, rank: Sequence[NDArray[Any]], readings: Readings, size: int) -> NDArray[np.intp]:
        """Return the further readings that are the best of their hands, those found first among equal ones."""
        further = np.arange(size, len(readings.hand))
        further = further[np.argsort(readings.hand[size:], kind="stable")]
        hand = readings.hand[further]
        starts = np.flatnonzero(np.concatenate(([True], hand[1:] != hand[:-1])))
        own = hand[starts]
        compared = np.concatenate((own, further))
        key = self._key([values[compared] for values in rank], len(compared))
        key = (key << _ORDER_BITS) - readings.order[compared]
        first, others = key[: len(own)], key[len(own) :]
        most = np.maximum.reduceat(others, starts)
        best = further[np.repeat(most, np.diff(np.append(starts, len(others)))) == others]
        found: NDArray[np.intp] = best[most > first]
        return found

    def _key(self, rank: Sequence[NDArray[Any]], size: int) -> NDArray[np.int64]:
        """Return int64[readings]: one number by which they are compared, of the steps that choose among them.

        Args:
            rank: of each of these steps the values for the readings.
            size: how many readings there are.
        """
        key = np.zeros(size, np.int64)
        for number, values in zip(self._rank, rank, strict=True):
            low, width = number.bounds.low, number.bounds.high - number.bounds.low + 1
            key = key * width + (values.astype(np.int64) - low)
        return key

    # who pays
    def _let_pay(self, columns: Columns, chosen: NDArray[np.intp], found: Scores) -> NDArray[np.intp]:
        """Score hands again of which it is known who pays alone; return those of which melds and words differ."""
        rules, apart = self.ruleset.liability, self.ruleset.program.liable_apart
        told = seats_of(columns.hands, "liable", self.ruleset.players)
        holds = [found.step(f"@liable{index}") != 0 for index in range(len(rules))]
        some = np.flatnonzero(np.logical_or.reduce([told >= 0, *holds]) & columns.readings.complete)
        if not len(some):
            return some
        hands, told, holds = columns.hands.take(some), told[some], [each[some] for each in holds]
        rule, payer = _fed(hands, holds, found.winner[some], self.ruleset)
        by_last = [hold for each, hold in zip(rules, holds, strict=True) if each.feeder == "last_meld"]
        unfed = np.logical_or.reduce([np.zeros(len(some), np.bool_), *by_last]) & (rule < 0)
        wrong: NDArray[np.intp] = some[(told >= 0) & (unfed | (payer >= 0) & (told != payer))]
        rule = np.where(payer >= 0, rule, np.int8(TOLD))
        payer = np.where(payer >= 0, payer, told)
        known = np.flatnonzero(payer >= 0)
        if len(known):
            some, payer = some[known], payer[known]
            again = some_readings(columns.readings, some, chosen[some])
            said = {"liable": np.ones(len(some), np.int8)}
            if not apart:
                said["named_dealer"] = (payer == 0).astype(np.int8)
            part = Columns(hands.take(known), columns.win[some], columns.drawn[some], again, self.ruleset, said)
            self._write(self._plan_again.run(part, len(some)), self._again, found, some, len(some))
            if apart:
                found.owing[some] = payer
            else:
                found.payer[some] = payer
                found.by_seat[some] = True
            found.liable[some] = rule[known]
        return wrong

    # what arrays do not take
    def _taken(self, hands: Hands, sizes: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Return which hands can be scored in arrays: whole, and with nothing that may be wrong."""
        melds, marks, context, ruleset = hands.melds, hands.marks, hands.context, self.ruleset
        some_melds = bool(melds[:, 0].any())
        if some_melds:
            sizes = sizes + 3 * number_of_melds(melds)
        assumed = hands.win == NO_TILE
        most = min(ruleset.tiles.copies[JOKER_KIND], MOST_JOKERS)
        taken: NDArray[np.bool_] = (sizes + hands.jokers == 14) & (jokers_held(hands) <= most)
        if ruleset.players < len(Seat):
            taken &= _sits(hands, ruleset.players)
        if assumed.any():
            taken &= ~assumed | (hands.last != NO_TILE)
            for word in ("liable", "last_of_kind", "rob_kong", "rob_own_kong"):
                if word in context:
                    taken &= ~assumed | (context[word] == 0)
        if some_melds:
            rows = joker_melds(hands)
            taken[rows[~_plain_melds(melds[rows], marks[rows], joker_kongs=ruleset.joker_kongs)]] = False
            for suit, letter in enumerate("mps"):
                if letter not in ruleset.claimed_chows:
                    taken &= ~np.any((melds > 9 * suit) & (melds <= 9 * suit + 9), axis=1)
        if hands.bonus.any():
            taken &= hands.bonus & ~self._bonus == 0
        for reds, most in zip(_reds_of(hands), ruleset.tiles.reds, strict=False):
            taken &= reds <= most
        if not self._usual or "seen" in context:
            held = held_counts(hands)
            if "seen" in context:
                held += context["seen"]
            taken &= np.all(held <= np.array(ruleset.tiles.copies), axis=1)
        if "liable" in context and not ruleset.liability:
            taken &= context["liable"] == 0
        elif "liable" in context and not ruleset.program.liable_apart:
            taken &= (context["liable"] == 0) | drawn_of(hands)
        if "flower_draw" in context:
            taken &= (context["flower_draw"] == 0) | (hands.bonus > 0)
        named = {word: named_tiles(column) for word, column in hands.extra.items() if column.ndim == 2}
        for row, kind, number in named.values():
            taken[row[kind >= PLAIN_KINDS]] = False
            taken &= np.bincount(row, number, len(hands)) < 128
        for row, kind, _ in (named[word].plain() for word in self._indicators if word in named):
            columns = [hands.extra[word] for word in self._indicators if word in named]
            columns += [context["seen"]] if "seen" in context else []
            shown = sum(column[row, kind].astype(np.intp) for column in columns)
            taken[row[copies_held(hands, row, kind) + shown > self._copies.take(kind)]] = False
        for word in ("source", "liable"):
            if word in context:
                taken &= seats_of(hands, word, ruleset.players) != winners_of(hands)
        for column in hands.extra.values():
            if column.ndim == 1 and column.dtype != np.bool_:
                taken &= (column >= 0) & (column <= MOST_NUMBER)
        return taken

    def _score_one(self, hand: Hands, found: Scores) -> Score | InputError:
        """Return the answer for one hand that arrays did not take, and write its values."""
        try:
            answer = score_one(lines_of(hand)[0], self.ruleset)
        except InputError as error:
            return error
        best = answer.best
        if best is None:
            return answer
        values = dict(best.steps)
        found.steps[:, 0] = [values[name] for name in found.names]
        counted = {each.pattern.id: each for each in best.counted}
        for place, info in enumerate(self.ruleset.patterns):
            if info.id in counted:
                each = counted[info.id]
                found.counts[place] = each.count
                if found.fans.flags.writeable:
                    found.fans[place] = each.fan // each.count
        found.form[0] = FORM_NUMBERS[best.reading.form]
        found.wait[0] = WAIT_NUMBERS[best.reading.wait]
        if best.reading.win is not None:
            found.win[0] = best.reading.win.kind
        found.jokers[: len(best.reading.jokers), 0] = [tile.kind for tile in best.reading.jokers]
        winner = answer.line.context.seat or ASSUMED_SEAT
        found.winner[0] = winner.number
        payer = answer.payer
        found.payer[0] = -1 if payer is None else payer.number
        found.by_seat[0] = payer is not None or answer.line.self_drawn
        rules = [rule.id for rule in self.ruleset.liability]
        found.liable[0] = rules.index(answer.liable) if answer.liable in rules else TOLD if answer.liable else -1
        return answer


def _part(scores: Scores, rows: slice) -> Scores:
    """Return some rows of scores, to be written to."""
    columns = {each.name: getattr(scores, each.name) for each in fields(scores)}
    for name, column in columns.items():
        if isinstance(column, np.ndarray):
            columns[name] = column[..., rows]
    return Scores(**columns)


def _bits_of_bonus(played: Sequence[bool]) -> np.uint32:
    """Return the bits of ``Hands.bonus`` that hold the bonus tiles of a set."""
    fields_of = zip(played, BONUS_SHIFTS, BONUS_BITS, strict=True)
    return np.uint32(sum(((1 << bits) - 1) << shift for each, shift, bits in fields_of if each))


_MELD_SUIT: Final = np.array([0, *(1 + kind // 9 for _ in MELD_TYPES for kind in range(PLAIN_KINDS))], np.uint8)
"""uint8[codes]: 1 + the suit of a meld."""


def _reds_of(hands: Hands) -> list[NDArray[np.intp]]:
    """Return intp[hands] for each suit: the red fives that are held or shown; nothing if no hand has any."""
    melded = REDS.of(hands.marks) if hands.melds[:, 0].any() else np.zeros((0, 1), np.uint16)
    row, place = melded.nonzero() if melded.any() else np.zeros((2, 0), np.intp)
    if not len(row) and not hands.reds.any():
        return []
    suit, number = _MELD_SUIT[hands.melds[row, place]], melded[row, place]
    return [
        hands.reds[:, each].astype(np.intp) + np.bincount(row, number * (suit == 1 + each), len(hands)).astype(np.intp)
        for each in range(hands.reds.shape[1])
    ]


def _sits(hands: Hands, players: int) -> NDArray[np.bool_]:
    """Return which hands are of a table of three: nobody named in them sits at N or opposite."""
    taken: NDArray[np.bool_] = np.all(FEEDER.of(hands.marks) != PLAYERS.index(Relation.ACROSS), axis=1)
    if "seat" in hands.context:
        taken &= hands.context["seat"] <= players
    if "winners" in hands.context:
        taken &= hands.context["winners"] < players
    for word in ("source", "liable"):
        if word in hands.context:
            taken &= ~np.isin(hands.context[word], (PLAYERS.index(Relation.ACROSS), PLAYERS.index(Seat.N)))
    return taken


def _plain_melds(melds: NDArray[np.uint8], marks: NDArray[np.uint16], *, joker_kongs: bool) -> NDArray[np.bool_]:
    """Return which melds can be put into columns: no two pungs or kongs of one tile, and no joker in a kong.

    Args:
        melds: uint8[hands, 4], some of them with jokers.
        marks: uint16[hands, 4].
        joker_kongs: whether a kong may have jokers.
    """
    kind = np.where(melds > PLAIN_KINDS, (melds.astype(np.intp) - 1) % PLAIN_KINDS, -1 - np.arange(melds.shape[1]))
    kind.sort(axis=1)
    plain: NDArray[np.bool_] = np.all(kind[:, 1:] != kind[:, :-1], axis=1)
    if not joker_kongs:
        plain &= ~np.any((melds > 2 * PLAIN_KINDS) & (JOKERS.of(marks) > 0), axis=1)
    return plain


def _fed(
    hands: Hands, holds: Sequence[NDArray[np.bool_]], winner: NDArray[np.int8], ruleset: Ruleset
) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """Return the rule by which somebody pays alone and his seat, as ``mjcli.scoring`` finds them; -1 if nobody does.

    Where several rules hold, the meld that was made later, or first, decides, even if it is not known who fed it.

    Args:
        hands: of the winners.
        holds: bool[hands] for each rule of liability.
        winner: int8[hands], the winners' seats.
        ruleset: whose rules these are.
    """
    size = len(hands)
    codes, marks = hands.melds, hands.marks
    exposed, added, feeder = EXPOSED.of(marks) == 1, ADDED.of(marks) == 1, FEEDER.of(marks).astype(np.int8)
    is_chow = (codes > 0) & (codes <= PLAIN_KINDS)
    feeder[is_chow] = PLAYERS.index(Relation.LEFT)
    kind = (codes.astype(np.intp) - 1) % PLAIN_KINDS
    number, later = np.arange(codes.shape[1]), ruleset.liability_conflict == "later"
    rule_of, chosen = np.full(size, -1, np.int8), np.full(size, -1, np.int8)
    payer = np.full(size, -1, np.int8)
    for index, (rule, hold) in enumerate(zip(ruleset.liability, holds, strict=True)):
        meant = codes > 0
        if rule.kinds is not None:
            meant &= np.isin(kind, list(rule.kinds))
        if rule.feeder == "last_kong":
            last = np.where(meant, number, -1).max(axis=1)
            meant &= (
                (number == last[:, None]) & ~added & (codes > 2 * PLAIN_KINDS) & ~np.any(meant & added, axis=1)[:, None]
            )
        elif rule.feeder == "last_meld":
            meant &= number == np.where(meant, number, -1).max(axis=1)[:, None]
        place = np.where(meant & exposed, number, -1).max(axis=1)
        holding = hold & (place >= 0)
        earlier = chosen < 0
        decides = holding & (earlier | (place > chosen if later else place < chosen))
        rows = np.flatnonzero(decides)
        by = feeder[rows, place[rows]]
        chosen[rows], rule_of[rows] = place[rows], index
        payer[rows] = np.where(by > 0, neighbors_of(winner[rows], by, ruleset.players), -1)
    return rule_of, payer
