"""Many scores as bytes: the rows that ``mjcli score`` writes, put together from texts that are each written once.

The texts of cells and of JSON come from the same functions as for one hand, so that the bytes are the same. What
differs between the formats is in one class for each.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from mjcli.batch.columns import drawn_of, won_kinds
from mjcli.batch.decompositions import HONORS, PLACES, decompositions, keys_of, without
from mjcli.batch.hands import BONUS_BITS, BONUS_SHIFTS, MARK_BITS, NO_TILE, birds_as_jokers, meld_of, tile_of
from mjcli.batch.jokers import NO_KIND, with_stand_ins
from mjcli.batch.scores import Scorer
from mjcli.batch.segments import Group, Lines, Pool, Several, Texts, distinct, joined
from mjcli.cli.filled import filled_pair, filled_sets, filled_suits, filled_won_set, stand_ins_in, stand_ins_of
from mjcli.cli.output import CsvWriter, TsvWriter, cell
from mjcli.cli.score import false_win_text, headline, joker_keys, jokers_text, pattern_keys, title_key, worth
from mjcli.columns import FORM_NUMBERS, WAIT_NUMBERS
from mjcli.hand import ASSUMED_ROUND, ASSUMED_SEAT
from mjcli.melds import Seat
from mjcli.notation import format_meld, format_tiles
from mjcli.payments import Amounts, false_win_payments, payments_by_role
from mjcli.readings import Group as Tiles
from mjcli.scoring import BELOW_MINIMUM, NOT_COMPLETE
from mjcli.tiles import JOKER_KIND, PLAIN_KINDS, TILES, Tile

if TYPE_CHECKING:
    from mjcli.batch.hands import Hands
    from mjcli.batch.scores import Scores
    from mjcli.cli.request import Request
    from mjcli.ruleset import PatternInfo, Ruleset

__all__ = ["FORMATS", "ScoreLines"]

_Numbers = NDArray[np.intp]

_FORMS: Final = {number: form for form, number in FORM_NUMBERS.items()}
_WAITS: Final = {number: wait for wait, number in WAIT_NUMBERS.items()}
_KEYS: Final = HONORS + 5**7
"""More than any key of a suit."""


class _Format:
    """What all formats that itemise have to say; the parts of a line in their order."""

    between, between_sets = "", ""
    """What stands between the items of a list, and between the sets of a reading."""

    def __init__(self, ruleset: Ruleset, lang: str) -> None:
        self.ruleset, self.lang = ruleset, lang

    def before(self) -> str:
        """Return what comes before the hand."""
        return ""

    def head(self, known: Mapping[str, Any]) -> str:
        """Return what comes after the hand, which is known at once."""
        raise NotImplementedError

    def steps(self, values: Mapping[str, Any]) -> str:
        """Return the fan, the points and the steps, and what opens the patterns."""
        raise NotImplementedError

    def nothing(self) -> str:
        """Return what stands in the place of all from the fan to the reading of a hand that is not complete."""
        return ""

    def item(self, item: Mapping[str, Any]) -> str:
        """Return an item of the patterns, or of those that do not count."""
        raise NotImplementedError

    def excluded(self) -> str:
        """Return what stands between the patterns that count and those that do not."""
        raise NotImplementedError

    def reading(self, form: str) -> str:
        """Return what stands between these and the sets."""
        raise NotImplementedError

    def tiles(self, text: str) -> str:
        """Return a set."""
        return text

    def place(self, pair: str | None, wait: str | None, won: str | None) -> str:
        """Return the rest of a reading."""
        raise NotImplementedError

    def rest(self, known: Mapping[str, Any]) -> str:
        """Return what comes after the reading, with the end of the line."""
        raise NotImplementedError

    def quotes(self, text: str) -> bool:
        """Return whether a cell must stand in quotes if ``text`` is in it."""
        del text
        return False


class _Json(_Format):
    """An object."""

    between = between_sets = ", "

    def before(self) -> str:
        return '{"hand": "'

    def head(self, known: Mapping[str, Any]) -> str:
        return '", ' + self._members(known)

    def steps(self, values: Mapping[str, Any]) -> str:
        return f', {self._members(values)}, "patterns": ['

    def item(self, item: Mapping[str, Any]) -> str:
        return json.dumps(item, ensure_ascii=False)

    def excluded(self) -> str:
        return '], "excluded": ['

    def reading(self, form: str) -> str:
        return f'], "reading": {{{self._members({"form": form})}, "sets": ['

    def tiles(self, text: str) -> str:
        return json.dumps(text)

    def place(self, pair: str | None, wait: str | None, won: str | None) -> str:
        return f"], {self._members({'pair': pair, 'wait': wait, 'won_set': won})}}}"

    def rest(self, known: Mapping[str, Any]) -> str:
        return f", {self._members(known)}}}\n"

    @staticmethod
    def _members(keys: Mapping[str, Any]) -> str:
        return json.dumps(keys, ensure_ascii=False)[1:-1]


class _Tsv(_Format):
    """A row of cells."""

    between, between_sets = " ", ":"
    separator = "\t"
    quoted = staticmethod(TsvWriter.quoted)
    columns = (
        ("melds_assumed", "assumed", "ruleset", "complete", "can_win"),
        ("fan", "fan_uncapped", "points", "steps"),
        ("payments", "reason", "win_tile_assumed", "liable", "false_win", "jokers", "title", "explain", "error"),
    )

    def head(self, known: Mapping[str, Any]) -> str:
        return self._cells(0, known)

    def steps(self, values: Mapping[str, Any]) -> str:
        return self._cells(1, values) + self.separator

    def nothing(self) -> str:
        return self.separator * (len(self.columns[1]) + 3)

    def item(self, item: Mapping[str, Any]) -> str:
        return TsvWriter.quoted(cell([item]))

    def excluded(self) -> str:
        return self.separator

    def reading(self, form: str) -> str:
        return self.separator + cell({"form": form, "sets": []})

    def place(self, pair: str | None, wait: str | None, won: str | None) -> str:
        return " " + cell({"pair": pair, "wait": wait, "won_set": won})

    def rest(self, known: Mapping[str, Any]) -> str:
        return self._cells(2, known) + "\n"

    def _cells(self, which: int, known: Mapping[str, Any]) -> str:
        """Return some cells, each with what separates it from the one before it."""
        cells = (self.quoted(cell(known.get(name))) for name in self.columns[which])
        return "".join(f"{self.separator}{each}" for each in cells)


class _Csv(_Tsv):
    """The same with commas."""

    separator = ","
    quoted = staticmethod(CsvWriter.quoted)

    def item(self, item: Mapping[str, Any]) -> str:
        return cell([item]).replace('"', '""')

    def quotes(self, text: str) -> bool:
        return CsvWriter.quoted(text) != text


FORMATS: Final[Mapping[str, type[_Format]]] = {"jsonl": _Json, "tsv": _Tsv, "csv": _Csv}
"""The formats in which answers are itemised; ``text`` is another."""


class ScoreLines:
    """Writes the answers of ``mjcli score`` for many hands."""

    def __init__(self, ruleset: Ruleset, form: str, request: Request) -> None:
        """
        Args:
            ruleset: under which they are scored.
            form: ``text``, or one of ``FORMATS``.
            request: says the language, and whether a hand that cannot win was declared a win.

        Raises:
            InputError: it is to be said what such a hand costs, and the ruleset does not say that.
        """
        self.ruleset, self._request = ruleset, request
        self.scorer = Scorer(ruleset, details=form != "text")
        self._format = FORMATS[form](ruleset, request.lang) if form in FORMATS else None
        declared = bool(request.own["false_win"])
        self._false_wins = [false_win_payments(ruleset, seat) for seat in ruleset.seats] if declared else []
        """What a false win of each seat costs, where that was asked for."""
        self._texts = Texts()
        self._pools: dict[str, Pool] = {}
        self._known: dict[str, dict[tuple[Any, ...], int]] = {}
        self._steps = [name for name in ruleset.program.steps if name[0] != "@"]

    def lines(self, hands: Hands, scores: Scores) -> Lines:
        """Return a line for each hand; an empty one for each that was scored one by one.

        Args:
            hands: some ten thousand at once, for the sake of memory.
            scores: of these hands, as ``scorer`` gives them.
        """
        hands = birds_as_jokers(hands, self.ruleset.tiles.bird)
        size = len(hands)
        rows = np.arange(size)
        if scores.one_by_one:
            rows = np.setdiff1d(rows, list(scores.one_by_one))
            hands, scores = hands.take(rows), scores.take(rows)
        groups = self._text(hands, scores) if self._format is None else self._itemised(self._format, hands, scores)
        found = joined(self._texts, len(rows), list(groups))
        lengths = np.zeros(size, np.intp)
        lengths[rows] = np.diff(found.ends, prepend=0)
        return Lines(found.content, np.cumsum(lengths))

    # text
    def _text(self, hands: Hands, scores: Scores) -> Iterator[Group]:
        names = ("complete", "can_win", "fan", "points")
        columns = [*(getattr(scores, name) for name in names), scores.step("@title")]

        def write(row: int) -> str:
            answer = {name: column[row].item() for name, column in zip(names, columns, strict=False)}
            return headline({**answer, **self._title(scores, row), "patterns": []}, self._request.lang)

        def end(row: int) -> str:
            wins = scores.can_win[row] or not self._false_wins
            return "\n" if wins else f"{false_win_text(self._false_wins[scores.winner[row]], self._request)}\n"

        def jokers(key: int) -> str:
            return f"; {jokers_text(joker_keys(stand_ins_in(key)), self._request)}" if key else ""

        def item(info: PatternInfo, fan: int, count: int) -> str:
            pattern = pattern_keys(info, fan, count, self._request.lang)
            return f"{pattern['name']} {worth(pattern)}"

        yield self._of_rows("text", columns, write)
        yield self._patterns(scores, item, (": ", ", "))[0]
        stand_ins = stand_ins_of(hands, scores) * scores.complete
        if stand_ins.any():
            yield self._pool("jokers", jokers)(stand_ins)
        yield self._of_rows("end", (scores.can_win, scores.winner), end)

    def _title(self, scores: Scores, row: int) -> dict[str, Any]:
        """Return the key that says what a hand is called, if it is complete and has a name."""
        number = scores.step("@title")[row]
        return title_key(self.ruleset.titles[number - 1], self._request.lang) if number else {}

    # itemised
    def _itemised(self, form: _Format, hands: Hands, scores: Scores) -> Iterator[Group]:
        size, complete = len(hands), scores.complete
        quote = self._texts.number('"')

        def item(info: PatternInfo, fan: int, count: int) -> str:
            return form.item(pattern_keys(info, fan, count, self._request.lang))

        quotes = quote * (hands.melds[:, 0] != 0) * form.quotes(",")
        yield self._same(form.before(), size)
        yield quotes
        yield from self._hand(hands)
        yield quotes
        yield self._head(form, hands, scores)
        yield self._values(form, scores)
        patterns, quotes = self._patterns(scores, item, ("", form.between))
        yield quote * quotes
        yield patterns
        yield quote * quotes
        yield self._same(form.excluded(), size) * complete
        patterns, quotes = self._excluded(form, scores)
        yield quote * quotes
        yield patterns
        yield quote * quotes
        yield from self._reading(form, hands, scores)
        yield self._rest(form, hands, scores)

    def _hand(self, hands: Hands) -> Iterator[Group]:
        """Yield the hand as ``format_hand`` writes it, with the winning tile that was assumed."""
        assumed = hands.win == NO_TILE
        win = np.where(assumed, hands.last, hands.win).astype(np.intp)
        drawn = np.where(assumed, drawn_of(hands), hands.drawn)
        keys = without(keys_of(hands.counts), win >> 1)
        reds = hands.reds.T.astype(np.intp)
        red = np.flatnonzero(win % 2 == 0)
        reds[win[red] // 18, red] -= 1
        for suit in range(4):
            pool = self._pool(f"suit {suit}", partial(_suit_text, suit))
            yield pool(keys[suit] if suit == 3 else keys[suit] + _KEYS * reds[suit])
        jokers = hands.jokers - (win >> 1 == JOKER_KIND)
        if jokers.any():
            yield self._pool("jokers of hand", _jokers_text)(jokers)
        if hands.bonus.any():
            yield self._pool("bonus", _bonus_text)(hands.bonus.astype(np.intp))
        for meld in self._melds(hands):
            yield self._pool("meld", lambda key: f",{_meld_text(key)}" if key else "")(meld)
        yield self._pool("win", lambda key: f"{'+' * (1 + key % 2)}{tile_of(key // 2)}")(2 * win + drawn)

    @staticmethod
    def _melds(hands: Hands) -> Iterator[_Numbers]:
        """Yield the code and the mark of each meld in turn as one number."""
        for place in range(hands.melds.shape[1]):
            codes = hands.melds[:, place].astype(np.intp)
            if codes.any():
                yield codes << MARK_BITS | hands.marks[:, place]

    def _head(self, form: _Format, hands: Hands, scores: Scores) -> _Numbers:
        said = [hands.context[word] != 0 if word in hands.context else False for word in ("seat", "round")]
        key = 1 * scores.complete + 2 * scores.can_win + np.intp(4) * said[0] + np.intp(8) * said[1]

        def write(key: int) -> str:
            assumed = {} if key & 4 else {"seat": ASSUMED_SEAT.value}
            assumed |= {} if key & 8 else {"round": ASSUMED_ROUND.value}
            known: dict[str, Any] = {"assumed": assumed} if assumed else {}
            return form.head({**known, "ruleset": self.ruleset.id, "complete": bool(key & 1), "can_win": bool(key & 2)})

        return self._pool("head", write)(key)

    def _values(self, form: _Format, scores: Scores) -> _Numbers:
        columns = [scores.complete, *map(scores.step, self._steps)]

        def write(row: int) -> str:
            if not scores.complete[row]:
                return form.nothing()
            steps = {name: scores.step(name)[row].item() for name in self._steps}
            return form.steps(
                {
                    "fan": steps["fan"],
                    "fan_uncapped": steps.get("fan_uncapped", steps["fan"]),
                    "points": steps["points"],
                    "steps": steps,
                }
            )

        return self._of_rows("values", columns, write)

    def _patterns(
        self, scores: Scores, write: Callable[[PatternInfo, int, int], str], before: tuple[str, str]
    ) -> tuple[Several, NDArray[np.bool_]]:
        """Return the patterns that count, and which rows have one that must be quoted."""
        counts, patterns = scores.counts, self.ruleset.patterns
        quotes = np.zeros(counts.shape[1], np.bool_)
        items = []

        # a key is made of the fan, the count and the place of a pattern, none of which it lets run into another
        width = 1 << 8 * counts.itemsize

        def text(first: bool, key: int) -> str:
            rest, place = divmod(key, len(patterns))
            fan, count = map(_signed, divmod(rest, width))
            return before[not first] + write(patterns[place], fan * count, count)

        first, further = self._pool("first pattern", partial(text, True)), self._pool("pattern", partial(text, False))
        for place, info in enumerate(patterns):
            rows = np.flatnonzero(counts[place])
            if len(rows):
                fan, count = (_unsigned(column[place, rows]) for column in (scores.fans, counts))
                key = (fan * width + count) * len(patterns) + place
                items.append((rows, first(key), further(key)))
                if self._format is not None and self._format.quotes(info.name(self._request.lang)):
                    quotes[rows] = True
        return Several(np.count_nonzero(counts, axis=0), items), quotes

    def _excluded(self, form: _Format, scores: Scores) -> tuple[Several, NDArray[np.bool_]]:
        """Return the patterns that match without counting, and which rows have one that must be quoted."""
        patterns = self.ruleset.patterns
        quotes = np.zeros(scores.counts.shape[1], np.bool_)
        left = (scores.details[self.scorer.matched] != 0) & (scores.counts == 0)
        items = []
        for place, info in enumerate(patterns):
            rows = np.flatnonzero(left[place])
            if not len(rows):
                continue
            takers = self.scorer.takers[info.id]
            columns = [scores.details[row].take(rows) for _, _, row in takers]
            of, like = distinct(columns) if columns else (np.zeros(1, np.intp), np.zeros(len(rows), np.intp))
            texts = [
                form.item(
                    {"id": info.id, "by": _by([each for each, held in zip(takers, columns, strict=True) if held[row]])}
                )
                for row in of.tolist()
            ]
            first = np.array([self._texts.number(each) for each in texts])
            further = np.array([self._texts.number(form.between + each) for each in texts])
            items.append((rows, first[like], further[like]))
            quotes[rows] |= np.array([form.quotes(each) for each in texts])[like]
        return Several(np.count_nonzero(left, axis=0), items), quotes

    def _reading(self, form: _Format, hands: Hands, scores: Scores) -> Iterator[Group]:
        complete, tables = scores.complete, decompositions()
        pool = self._pool("form", lambda number: form.reading(_FORMS[number - 1]) if number else "")
        yield pool((scores.form + 1).astype(np.intp))
        before = np.zeros(len(hands), np.bool_)
        filled = np.flatnonzero(scores.jokers[0] != NO_KIND)
        counts, plain = hands.counts, complete
        if len(filled):
            counts, plain = with_stand_ins(hands.counts, scores.jokers.T), complete.copy()
            plain[filled] = False
            by_joker = won_kinds(hands)[filled] == JOKER_KIND
            suits = np.zeros((4, len(hands)), np.intp)
            suits[:, filled] = filled_suits(scores.take(filled), counts[filled], by_joker)

        def listed(name: str, keys: _Numbers, write: Callable[[int], Sequence[str]]) -> _Numbers:
            """Return the items that keys say, as the first of the list or after others."""

            def text(first: bool, key: int) -> str:
                items = [form.tiles(each) for each in write(key)]
                return form.between_sets * (bool(items) and not first) + form.between_sets.join(items)

            alone, after = (self._pool(f"{name} {first}", partial(text, first)) for first in (True, False))
            numbers = np.where(before, after(keys), alone(keys))
            before[numbers > 0] = True
            return numbers

        pairs = np.flatnonzero((scores.form == FORM_NUMBERS["seven-pairs"]) & plain)
        keys = keys_of(hands.counts[pairs])
        for suit in range(4):
            # seven pairs have no sets, so that their list is still empty after the sets
            yield listed(f"sets {suit}", scores.parts[suit] * plain, partial(_sets_texts, suit))
            if len(pairs):
                of_suit = np.zeros(len(hands), np.intp)
                of_suit[pairs] = 1 + keys[suit]
                yield listed(f"pairs {suit}", of_suit, partial(_pairs_texts, suit))
            if len(filled):
                yield listed("filled sets", suits[suit], filled_sets)
        for meld in self._melds(hands):
            yield listed("meld of reading", meld * complete, lambda key: [_meld_text(key)] if key else [])
        ranks = tables.pair_rank.take(scores.parts)
        pair = np.max(ranks + (ranks > 0) * 9 * np.arange(4)[:, None], axis=0)
        for name in ("thirteen-orphans", "thirteen-unconnected"):
            rows = np.flatnonzero(scores.form == FORM_NUMBERS[name])
            pair[rows] = 1 + np.argmax(counts[rows] == 2, axis=1)
        key = ((pair * 8 + scores.wait) * 8 + scores.place) * PLAIN_KINDS + scores.win

        def place(key: int) -> str:
            if not key:
                return ""
            rest, win = divmod(key - 1, PLAIN_KINDS)
            pair, wait, place = rest >> 6, _WAITS[rest >> 3 & 7], rest & 7
            return form.place(
                format_tiles((TILES[pair - 1],) * 2) if pair else None,
                None if wait == "none" else wait,
                format_tiles(_won(place, win)) if place else None,
            )

        numbers = self._pool("place", place)((1 + key) * plain)
        if len(filled):
            numbers[filled] = self._filled_places(form, suits[:, filled], pair[filled], scores.take(filled))
        yield numbers

    def _filled_places(self, form: _Format, suits: _Numbers, pair: _Numbers, scores: Scores) -> _Numbers:
        """Return the rest of the readings of hands in which jokers stand.

        Args:
            form: in which it is written.
            suits: intp[4, rows], as ``filled_suits`` gives them.
            pair: intp[rows], 1 + the kind of the pair, 0 where there is none.
            scores: of these hands.
        """
        rows = np.arange(len(pair))
        of_pair = np.where(pair > 0, suits[(pair - 1) // 9, rows], 0)
        of_win = suits[scores.win // 9, rows]
        texts = self._pool("filled pair", filled_pair)(of_pair), self._pool("filled won set", filled_won_set)(of_win)

        def write(row: int) -> str:
            wait = _WAITS[scores.wait[row].item()]
            return form.place(
                filled_pair(of_pair[row].item()) or None,
                None if wait == "none" else wait,
                filled_won_set(of_win[row].item()) or None,
            )

        return self._of_rows("filled place", (*texts, scores.wait), write)

    def _rest(self, form: _Format, hands: Hands, scores: Scores) -> _Numbers:
        paid, owed = scores.payments(), scores.owed
        assumed = hands.win == NO_TILE
        columns = [scores.complete, scores.can_win, scores.by_seat, scores.liable, assumed, scores.winner, *paid, owed]
        stand_ins = stand_ins_of(hands, scores)
        columns += [stand_ins, scores.step("@title")]
        rules = [rule.id for rule in self.ruleset.liability]

        def write(row: int) -> str:
            known: dict[str, Any] = {}
            if scores.can_win[row]:
                amounts = paid[:, row].tolist()
                if scores.by_seat[row]:
                    known["payments"] = {str(seat): amount for seat, amount in zip(Seat, amounts, strict=False)}
                else:
                    roles = {role: scores.step(f"@{role}")[row].item() for role in ("named", "others", "dealer")}
                    role_amounts = Amounts(**roles, liable=owed[row].item())
                    known["payments"] = dict(payments_by_role(role_amounts, scores.players))
            else:
                if self._false_wins:
                    known["payments"] = dict(self._false_wins[scores.winner[row]])
                known["reason"] = BELOW_MINIMUM if scores.complete[row] else NOT_COMPLETE
            known["win_tile_assumed"] = bool(assumed[row])
            liable = int(scores.liable[row])
            if liable != -1:
                known["liable"] = rules[liable] if liable >= 0 else "liable"
            if self._false_wins and not scores.can_win[row]:
                known["false_win"] = True
            if stand_ins[row]:
                known["jokers"] = joker_keys(stand_ins_in(stand_ins[row].item()))
            return form.rest(known | self._title(scores, row))

        return self._of_rows("rest", columns, write)

    # texts by number
    def _same(self, text: str, size: int) -> _Numbers:
        return np.full(size, self._texts.number(text))

    def _of_rows(self, name: str, columns: Sequence[NDArray[Any]], write: Callable[[int], str]) -> _Numbers:
        """Return the numbers of texts that depend on some columns alone, each written for the first row that has it."""
        known = self._known.setdefault(name, {})
        if not len(columns[0]):
            return np.zeros(0, np.intp)
        first, like = distinct(columns)
        found = []
        for row, *values in zip(first.tolist(), *(column[first].tolist() for column in columns), strict=True):
            key = tuple(values)
            if key not in known:
                known[key] = self._texts.number(write(row))
            found.append(known[key])
        return np.array(found, np.intp)[like]

    def _pool(self, name: str, write: Callable[[int], str]) -> Pool:
        """Return the pool of a name; ``write`` is the same whenever it is asked for."""
        found = self._pools.get(name)
        if found is None:
            found = self._pools[name] = Pool(self._texts, write)
        return found


def _by(takers: Sequence[tuple[str, str, int]]) -> list[str]:
    """Return the patterns that take one away: those that exclude it, if there are any."""
    how = "excludes" if any(how == "excludes" for _, how, _ in takers) else "contains"
    return [by for by, kind, _ in takers if kind == how]


def _unsigned(numbers: NDArray[np.integer]) -> _Numbers:
    """Return numbers as none below 0: those above 0 doubled, those below it in the odd places between."""
    wide = numbers.astype(np.intp)
    return np.where(wide < 0, -2 * wide - 1, 2 * wide)


def _signed(number: int) -> int:
    """Return the number that ``_unsigned`` makes into this one."""
    return -(number + 1) // 2 if number % 2 else number // 2


def _suit_text(suit: int, key: int) -> str:
    """Return the concealed tiles of a suit; the key has its red fives beside it."""
    reds, key = divmod(key, _KEYS)
    tiles = []
    for kind, count in enumerate(_counts(suit, key), 9 * suit):
        red = reds if kind % 9 == 4 and suit < 3 else 0
        tiles += [Tile(TILES[kind].suit, 5, red=True)] * red if red else []
        tiles += [TILES[kind]] * (count - red)
    return format_tiles(tiles) if tiles else ""


def _counts(suit: int, key: int) -> list[int]:
    """Return the counts that a key of a suit stands for."""
    digits, left = [], key - (HONORS if suit == 3 else 0)
    for _ in range(7 if suit == 3 else 9):
        left, digit = divmod(left, 5)
        digits.append(digit)
    return digits[::-1]


def _jokers_text(jokers: int) -> str:
    return format_tiles((TILES[JOKER_KIND],) * jokers) if jokers else ""


def _bonus_text(bonus: int) -> str:
    tiles = []
    for kind, (shift, bits) in enumerate(zip(BONUS_SHIFTS, BONUS_BITS, strict=True), JOKER_KIND + 1):
        tiles += [TILES[kind]] * (bonus >> shift & (1 << bits) - 1)
    return format_tiles(tiles) if tiles else ""


def _meld_text(key: int) -> str:
    return format_meld(meld_of(key >> MARK_BITS, key & (1 << MARK_BITS) - 1))


def _sets_texts(suit: int, row: int) -> list[str]:
    """Return the sets of a decomposition."""
    tables = decompositions()
    chows, pungs = int(tables.chows[row]), int(tables.pungs[row])
    found: list[str] = []
    for rank in range(9):
        for name, held in (("chow", chows >> 3 * rank & 7), ("pung", pungs >> 3 * rank & 7)):
            if held:
                found += [_set_text(name, 9 * suit + rank)] * held
    return found


@cache
def _set_text(name: str, kind: int) -> str:
    return format_tiles(Tiles(name, TILES[kind]).tiles)


def _pairs_texts(suit: int, key: int) -> list[str]:
    """Return the pairs of a suit of seven pairs, whose key stands above 0; none for 0."""
    counts = _counts(suit, key - 1) if key else []
    return [format_tiles((TILES[kind],) * 2) for kind, count in enumerate(counts, 9 * suit) for _ in range(count // 2)]


def _won(place: int, win: int) -> tuple[Tile, ...]:
    """Return the tiles of the set or pair that a winning tile completed."""
    name = PLACES[place - 1]
    if name in ("pair", "pung"):
        return Tiles(name, TILES[win]).tiles
    return Tiles("chow", TILES[win - ("lowest", "middle", "highest").index(name)]).tiles
