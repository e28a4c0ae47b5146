"""Many scores as bytes: the rows that ``mjcli score`` writes, put together from texts that are each written once.

The texts of cells and of JSON come from the same functions as for one hand, so that the bytes are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import product
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from mjcli.batch.columns import drawn_of, won_kinds
from mjcli.batch.decompositions import HONORS, PLACES, decompositions, keys_of, without
from mjcli.batch.hands import BONUS_BITS, BONUS_SHIFTS, MARK_BITS, NO_TILE, birds_as_jokers, meld_of, tile_of
from mjcli.batch.jokers import NO_KIND, with_stand_ins
from mjcli.batch.scores import Scorer
from mjcli.batch.segments import Lines, Pool, RowPool, Texts, joined
from mjcli.cli.filled import filled_pair, filled_sets, filled_suits, filled_won_set, stand_ins_in, stand_ins_of
from mjcli.cli.itemised import FORMATS, Itemised
from mjcli.cli.score import false_win_text, headline, joker_keys, jokers_text, pattern_keys, title_key
from mjcli.columns import FORM_NUMBERS, WAIT_NUMBERS
from mjcli.hand import ASSUMED_ROUND, ASSUMED_SEAT
from mjcli.melds import Seat
from mjcli.notation import format_meld, format_tiles
from mjcli.payments import Amounts, false_win_payments, payments_by_role
from mjcli.readings import Group as Tiles
from mjcli.scoring import BELOW_MINIMUM, NOT_COMPLETE
from mjcli.tiles import JOKER_KIND, PLAIN_KINDS, TILES

if TYPE_CHECKING:
    from mjcli.batch.hands import Hands
    from mjcli.batch.scores import Scores
    from mjcli.cli.request import Request
    from mjcli.ruleset import Ruleset
    from mjcli.tiles import Tile

__all__ = ["ScoreLines"]

_Numbers = NDArray[np.intp]

_FORMS: Final = {number: form for form, number in FORM_NUMBERS.items()}
_WAITS: Final = {number: wait for wait, number in WAIT_NUMBERS.items()}
_KEYS: Final = HONORS + 5**7
"""More than any key of a suit."""
_LETTERS: Final = [TILES[kind].suit.value for kind in range(0, PLAIN_KINDS, 9)]
_COPIES: Final = list(product(range(5), repeat=3))
"""Of each third of a key, the copies of its three ranks."""
_WON_KINDS: Final = JOKER_KIND + 1
"""Of winning tiles; one that is a joker stands for nothing where a hand wins at once."""
_MOST: Final = 1 << 25
"""Once texts have more bytes than this together, they are all forgotten, and written again where they are met."""


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
        self._format = FORMATS[form]() if form in FORMATS else None
        declared = bool(request.own["false_win"])
        self._false_wins = [false_win_payments(ruleset, seat) for seat in ruleset.seats] if declared else []
        """What a false win of each seat costs, where that was asked for."""
        self._steps = [name for name in ruleset.program.steps if name[0] != "@"]
        self._forget()

    def _forget(self) -> None:
        self._texts = Texts()
        self._pools: dict[str, Pool] = {}
        self._row_pools: dict[str, RowPool] = {}
        self._parts: dict[tuple[object, ...], str] = {}

    def lines(self, hands: Hands, scores: Scores) -> Lines:
        """Return a line for each hand; an empty one for each that was scored one by one.

        Args:
            hands: some ten thousand at once, for the sake of memory.
            scores: of these hands, as ``scorer`` gives them.
        """
        if self._texts.size > _MOST:
            self._forget()
        hands = birds_as_jokers(hands, self.ruleset.tiles.bird)
        size = len(hands)
        rows = np.arange(size)
        if scores.one_by_one:
            rows = np.setdiff1d(rows, list(scores.one_by_one))
            hands, scores = hands.take(rows), scores.take(rows)
        columns = self._text(hands, scores) if self._format is None else self._itemised(self._format, hands, scores)
        found = joined(self._texts, [each for each in columns if each.any()] or [np.zeros(len(rows), np.intp)])
        lengths = np.zeros(size, np.intp)
        lengths[rows] = np.diff(found.ends, prepend=0)
        return Lines(found.content, np.cumsum(lengths))

    # text
    def _text(self, hands: Hands, scores: Scores) -> Iterator[_Numbers]:
        names = ("complete", "can_win", "fan", "points")
        columns = [*(getattr(scores, name) for name in names), scores.step("@title")]
        stand_ins = stand_ins_of(hands, scores) * scores.complete

        def write(row: int) -> str:
            answer = {name: column[row].item() for name, column in zip(names, columns, strict=False)}
            patterns = [
                pattern_keys(self.ruleset.patterns[place], fan * count, count, self._request.lang)
                for place, fan, count in _counted(scores, row)
            ]
            line = headline({**answer, **self._title(scores, row), "patterns": patterns}, self._request.lang)
            if stand_ins[row]:
                line += f"; {jokers_text(joker_keys(stand_ins_in(stand_ins[row].item())), self._request)}"
            wins = scores.can_win[row] or not self._false_wins
            end = "" if wins else false_win_text(self._false_wins[scores.winner[row]], self._request)
            return f"{line}{end}\n"

        winner = [scores.winner] if self._false_wins else []
        fans = scores.fans[self.scorer.varying]
        yield self._rows("text")([*columns, *winner, stand_ins, scores.counts, fans], write)

    def _title(self, scores: Scores, row: int) -> dict[str, Any]:
        """Return the key that says what a hand is called, if it is complete and has a name."""
        number = scores.step("@title")[row]
        return title_key(self.ruleset.titles[number - 1], self._request.lang) if number else {}

    # itemised
    def _itemised(self, form: Itemised, hands: Hands, scores: Scores) -> Iterator[_Numbers]:
        quoted = (hands.melds[:, 0] != 0) & form.quotes(",")
        yield self._pool("before", lambda key: form.before(quoted=bool(key)))(quoted.view(np.uint8))
        yield from self._hand(hands)
        yield self._value(form, hands, scores, quoted)
        yield from self._reading(form, hands, scores)
        yield self._rest(form, hands, scores)

    def _hand(self, hands: Hands) -> Iterator[_Numbers]:
        """Yield the hand as ``format_hand`` writes it, with the winning tile that was assumed."""
        assumed = hands.win == NO_TILE
        win = np.where(assumed, hands.last, hands.win).astype(np.intp)
        drawn = np.where(assumed, drawn_of(hands), hands.drawn)
        keys = without(keys_of(hands.counts), win >> 1)
        if hands.reds.any():
            reds = hands.reds.T.astype(np.intp)
            red = np.flatnonzero(win % 2 == 0)
            reds[win[red] // 18, red] -= 1
            keys[:3] += _KEYS * reds
        for suit in range(4):
            yield self._pool(f"suit {suit}", partial(_suit_text, suit))(keys[suit])
        jokers = hands.jokers - (win >> 1 == JOKER_KIND)
        if jokers.any():
            yield self._pool("jokers of hand", _jokers_text)(jokers)
        if hands.bonus.any():
            yield self._rows("bonus")([hands.bonus], lambda row: _bonus_text(int(hands.bonus[row])))
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

    def _value(self, form: Itemised, hands: Hands, scores: Scores, quoted: NDArray[np.bool_]) -> _Numbers:
        """Return what stands between the hand and the sets of its reading."""
        complete, can_win, none = scores.complete, scores.can_win, np.zeros(len(hands), np.bool_)
        said = [hands.context[word] != 0 if word in hands.context else none for word in ("seat", "round")]
        flags = (complete, can_win, *said, quoted)
        numbers = [scores.step(name) for name in self._steps]

        def write(row: int) -> str:
            head = self._part("head", tuple(bool(each[row]) for each in flags), partial(self._head, form))
            if not complete[row]:
                return head + form.nothing()
            steps = self._part("steps", tuple(int(each[row]) for each in numbers), partial(self._values, form))
            items = [self._part("item", each, partial(self._item, form)) for each in _counted(scores, row)]
            left = [self._part("left", each, partial(self._excluded, form)) for each in self._left(scores, row)]
            reading = form.reading(_FORMS[scores.form[row]])
            return f"{head}{steps}{form.listed(items)}{form.excluded()}{form.listed(left)}{reading}"

        fans = scores.fans[self.scorer.varying]
        columns = [*flags, *numbers, scores.form, scores.counts, fans, scores.details]
        return self._rows("value")(columns, write)

    def _head(
        self, form: Itemised, complete: bool, can_win: bool, seat_said: bool, round_said: bool, quoted: bool
    ) -> str:
        assumed = {} if seat_said else {"seat": ASSUMED_SEAT.value}
        assumed |= {} if round_said else {"round": ASSUMED_ROUND.value}
        known: dict[str, Any] = {"assumed": assumed} if assumed else {}
        known |= {"ruleset": self.ruleset.id, "complete": complete, "can_win": can_win}
        return form.head(known, quoted=quoted)

    def _values(self, form: Itemised, *numbers: int) -> str:
        steps = dict(zip(self._steps, numbers, strict=True))
        fan = steps["fan"]
        uncapped = steps.get("fan_uncapped", fan)
        return form.steps({"fan": fan, "fan_uncapped": uncapped, "points": steps["points"], "steps": steps})

    def _item(self, form: Itemised, place: int, fan: int, count: int) -> str:
        return form.item(pattern_keys(self.ruleset.patterns[place], fan * count, count, self._request.lang))

    def _left(self, scores: Scores, row: int) -> Iterator[tuple[str, ...]]:
        """Yield the patterns of a row that match without counting, each with those that take it away."""
        details = scores.details[:, row]
        for place in np.flatnonzero((details[self.scorer.matched] != 0) & (scores.counts[:, row] == 0)).tolist():
            name = self.ruleset.patterns[place].id
            takers = [(by, how) for by, how, detail in self.scorer.takers[name] if details[detail]]
            # those that exclude it are named, if there are any
            how = "excludes" if any(how == "excludes" for _, how in takers) else "contains"
            yield name, *(by for by, kind in takers if kind == how)

    @staticmethod
    def _excluded(form: Itemised, name: str, *by: str) -> str:
        return form.item({"id": name, "by": list(by)})

    def _reading(self, form: Itemised, hands: Hands, scores: Scores) -> Iterator[_Numbers]:
        complete, tables = scores.complete, decompositions()
        before = np.zeros(len(hands), np.bool_)
        filled = np.flatnonzero(scores.jokers[0] != NO_KIND)
        counts, plain = hands.counts, complete
        if len(filled):
            counts, plain = with_stand_ins(hands.counts, scores.jokers.T), complete.copy()
            plain[filled] = False
            by_joker = won_kinds(hands)[filled] == JOKER_KIND
            suits = np.zeros((4, len(hands)), np.intp)
            suits[:, filled] = filled_suits(scores.take(filled), counts[filled], by_joker)

        def listed(key: int, write: Callable[[int], Sequence[str]]) -> str:
            """Return the items of a key, which are the first of the list or, where it is odd, come after others."""
            items = [form.tiles(each) for each in write(key >> 1)]
            return form.between_sets * (bool(items) and key % 2) + form.between_sets.join(items)

        def numbers(name: str, keys: _Numbers, write: Callable[[int], Sequence[str]]) -> _Numbers:
            """Return the numbers of the texts of keys, 0 being that of no items."""
            found = self._pool(name, partial(listed, write=write))(2 * keys + before)
            before[found > 0] = True
            return found

        def pairs_listed(suit: int, keys: _Numbers, row: int) -> str:
            return listed(int(keys[row]), partial(_pairs_texts, suit))

        pairs = np.flatnonzero((scores.form == FORM_NUMBERS["seven-pairs"]) & plain)
        of_pairs = keys_of(hands.counts[pairs])
        for suit in range(4):
            found = numbers(f"sets {suit}", scores.parts[suit] * plain, partial(_sets_texts, suit))
            if len(pairs):  # these have no sets
                keys = 2 * of_pairs[suit] + before[pairs]
                found[pairs] = self._rows(f"pairs {suit}")([keys], partial(pairs_listed, suit, keys))
                before[pairs] |= found[pairs] > 0
            yield found
            if len(filled):
                yield numbers("filled sets", suits[suit], filled_sets)
        for meld in self._melds(hands):
            yield numbers("meld of reading", meld * complete, lambda key: [_meld_text(key)] if key else [])
        ranks = tables.pair_rank.take(scores.parts)
        pair = np.max(ranks + (ranks > 0) * 9 * np.arange(4)[:, None], axis=0)
        for name in ("thirteen-orphans", "thirteen-unconnected"):
            rows = np.flatnonzero(scores.form == FORM_NUMBERS[name])
            pair[rows] = 1 + np.argmax(counts[rows] == 2, axis=1)
        key = ((pair * 8 + scores.wait) * 8 + scores.place) * _WON_KINDS + scores.win

        def place(key: int) -> str:
            if not key:
                return ""
            rest, win = divmod(key - 1, _WON_KINDS)
            pair, wait, place = rest >> 6, _WAITS[rest >> 3 & 7], rest & 7
            return form.place(
                format_tiles((TILES[pair - 1],) * 2) if pair else None,
                None if wait == "none" else wait,
                format_tiles(_won(place, win)) if place else None,
            )

        found = self._pool("place", place)((1 + key) * plain)
        if len(filled):
            found[filled] = self._filled_places(form, suits[:, filled], pair[filled], scores.take(filled))
        yield found

    def _filled_places(self, form: Itemised, suits: _Numbers, pair: _Numbers, scores: Scores) -> _Numbers:
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

        return self._rows("filled place")([*texts, scores.wait], write)

    def _rest(self, form: Itemised, hands: Hands, scores: Scores) -> _Numbers:
        paid, owed = scores.payments(), scores.owed
        assumed = hands.win == NO_TILE
        complete, can_win = scores.complete, scores.can_win
        roles = {role: scores.step(f"@{role}") for role in ("named", "others", "dealer")}
        stand_ins = stand_ins_of(hands, scores)
        columns = [complete, can_win, scores.by_seat, scores.liable, assumed, scores.winner, scores.step("@title")]
        columns += [*roles.values(), owed, stand_ins]
        rules = [rule.id for rule in self.ruleset.liability]

        def write(row: int) -> str:
            known: dict[str, Any] = {}
            if can_win[row]:
                amounts = paid[:, row].tolist()
                if scores.by_seat[row]:
                    known["payments"] = {str(seat): amount for seat, amount in zip(Seat, amounts, strict=False)}
                else:
                    amounts_of = {role: amount[row].item() for role, amount in (*roles.items(), ("liable", owed))}
                    known["payments"] = dict(payments_by_role(Amounts(**amounts_of), scores.players))
            else:
                if self._false_wins:
                    known["payments"] = dict(self._false_wins[scores.winner[row]])
                known["reason"] = BELOW_MINIMUM if complete[row] else NOT_COMPLETE
            known["win_tile_assumed"] = bool(assumed[row])
            liable = int(scores.liable[row])
            if liable != -1:
                known["liable"] = rules[liable] if liable >= 0 else "liable"
            if self._false_wins and not can_win[row]:
                known["false_win"] = True
            if stand_ins[row]:
                known["jokers"] = joker_keys(stand_ins_in(stand_ins[row].item()))
            return form.rest(known | self._title(scores, row))

        return self._rows("rest")([*columns, paid], write)

    # texts by number
    def _pool(self, name: str, write: Callable[[int], str]) -> Pool:
        """Return the pool of a name; ``write`` is the same whenever it is asked for."""
        found = self._pools.get(name)
        if found is None:
            found = self._pools[name] = Pool(self._texts, write)
        return found

    def _rows(self, name: str) -> RowPool:
        """Return the pool of rows of a name."""
        found = self._row_pools.get(name)
        if found is None:
            found = self._row_pools[name] = RowPool(self._texts)
        return found

    def _part(self, name: str, key: tuple[Any, ...], write: Callable[..., str]) -> str:
        """Return a part of a text, which is written once for each key."""
        found = self._parts.get((name, *key))
        if found is None:
            found = self._parts[name, *key] = write(*key)
        return found


def _counted(scores: Scores, row: int) -> list[tuple[int, int, int]]:
    """Return the patterns that count in a row: the place of each, its fan once, and how often it counts."""
    counts, fans = scores.counts[:, row], scores.fans[:, row]
    places = counts.nonzero()[0]
    return list(zip(places.tolist(), fans[places].tolist(), counts[places].tolist(), strict=True))


def _suit_text(suit: int, key: int) -> str:
    """Return the concealed tiles of a suit; the key has its red fives beside it."""
    reds, key = divmod(key, _KEYS)
    digits = "".join([thirds[part] for thirds, part in zip(_thirds(suit), _parts(suit, key), strict=True)])
    return f"{digits.replace('5', '0', reds)}{_LETTERS[suit]}" if digits else ""


@cache
def _thirds(suit: int) -> list[list[str]]:
    """Return the ranks that each third of a key of a suit stands for."""
    ranks = "  1234567" if suit == 3 else "123456789"
    return [
        ["".join(rank * count for rank, count in zip(ranks[at : at + 3], counts, strict=True)) for counts in _COPIES]
        for at in (0, 3, 6)
    ]


def _parts(suit: int, key: int) -> tuple[int, int, int]:
    """Return the thirds of a key of a suit, each a number below 5 ** 3."""
    high, low = divmod(key - HONORS if suit == 3 else key, 5**3)
    return *divmod(high, 5**3), low


def _counts(suit: int, key: int) -> list[int]:
    """Return the counts that a key of a suit stands for."""
    counts = [count for part in _parts(suit, key) for count in _COPIES[part]]
    return counts[2:] if suit == 3 else counts


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
    kind, left = 9 * suit, chows | pungs
    while left:
        for name, held in (("chow", chows & 7), ("pung", pungs & 7)):
            if held:
                found += [_set_text(name, kind)] * held
        kind, left, chows, pungs = kind + 1, left >> 3, chows >> 3, pungs >> 3
    return found


@cache
def _set_text(name: str, kind: int) -> str:
    return format_tiles(Tiles(name, TILES[kind]).tiles)


def _pairs_texts(suit: int, key: int) -> list[str]:
    """Return the pairs of a suit of seven pairs."""
    counts = enumerate(_counts(suit, key), 9 * suit)
    return [format_tiles((TILES[kind],) * 2) for kind, count in counts for _ in range(count // 2)]


def _won(place: int, win: int) -> tuple[Tile, ...]:
    """Return the tiles of the set or pair that a winning tile completed."""
    name = PLACES[place - 1]
    if name in ("pair", "pung"):
        return Tiles(name, TILES[win]).tiles
    return Tiles("chow", TILES[win - ("lowest", "middle", "highest").index(name)]).tiles
