"""What a hand misses in the forms of a ruleset, and what its discards leave to draw, for players who ask at every tile.

The answers are those of ``mjcli.forms`` and ``mjcli.acceptance`` for hands without jokers; they come faster because
what one suit can become by a tile more or less is worked out once. A form asks little of a suit, its **facts**: the
standard form its class (``mjcli.suits``), seven pairs its kinds and pairs, and so on. Tiles that lead to the same facts
are one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

from mjcli.errors import InputError
from mjcli.forms import KNITTED, RULES, FormRules, unconnected_of_suit
from mjcli.suits import MOST_SETS, load
from mjcli.tiles import JOKER_KIND, PLAIN_KINDS

__all__ = ["JokerOutlook", "Outlook"]

MOST_REMEMBERED: Final = 1 << 14
"""How many suits a memo holds before it starts afresh."""


HONORS: Final = 3
"""The place of the honours among m p s z."""


class _Profile(NamedTuple):
    """One suit in the eyes of one form."""

    facts: Any
    less: tuple[tuple[int, Any, bytes], ...]
    """Each kind held, with the facts and the counts without one copy of it."""
    more: tuple[tuple[Any, tuple[int, ...]], ...]
    """The facts that one tile more can lead to, if they are others, with the kinds that do."""


class _Suit(dict[bytes, _Profile]):
    """The profiles of one suit by its counts, worked out at first sight."""

    def __init__(self, place: int, facts: Callable[[bool, bytes], Hashable]) -> None:
        self._place, self._facts = place, facts

    def __missing__(self, counts: bytes) -> _Profile:
        honors = self._place == HONORS
        facts = self._facts(honors, counts)
        less, more = [], dict[Any, list[int]]()
        for rank, count in enumerate(counts):
            kind = 9 * self._place + rank
            if count:
                without = counts[:rank] + bytes((count - 1,)) + counts[rank + 1 :]
                less.append((kind, self._facts(honors, without), without))
            if count < 4:
                after = self._facts(honors, counts[:rank] + bytes((count + 1,)) + counts[rank + 1 :])
                if after != facts:
                    more.setdefault(after, []).append(kind)
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        found = self[counts] = _Profile(
            facts, tuple(less), tuple((after, tuple(kinds)) for after, kinds in more.items())
        )
        return found


Profiles = tuple[_Profile, _Profile, _Profile, _Profile]


class _Form:
    """One form: the profiles of its suits, and how their facts make a distance."""

    sets: Collection[int] = (MOST_SETS,)
    """How many sets concealed tiles may still have to make; forms that are not made of sets do without melds only."""

    def __init__(
        self, facts: Callable[[bool, bytes], Hashable], total: Callable[[Sequence[Any]], int] | None = None
    ) -> None:
        """
        Args:
            facts: what matters of a suit, by whether it is the honours and by its counts.
            total: the tiles missing, by the facts of the four suits.
        """
        known = lru_cache(maxsize=4 * MOST_REMEMBERED)(
            facts
        )  # the three suits, and the tiles more and less, share them
        self.suits = tuple(_Suit(place, known) for place in range(4))
        self._total = total

    def profiles(self, held: bytes) -> Profiles:
        m, p, s, z = self.suits
        return m[held[:9]], p[held[9:18]], s[held[18:27]], z[held[27:]]

    def total(self, facts: Sequence[Any], sets: int) -> int:
        """Return the tiles missing by the facts of the four suits."""
        del sets
        assert self._total is not None
        return self._total(facts)

    def missing(self, profiles: Profiles, sets: int) -> int:
        """Return the tiles missing for so many sets."""
        return self.total([each.facts for each in profiles], sets)

    def free(self, profiles: Profiles, sets: int, most: int) -> Iterator[tuple[int, Profiles]]:
        """Yield each kind without one of which at most ``most`` tiles are missing, and the profiles then."""
        for place, profile in enumerate(profiles):
            for kind, _, counts in profile.less:
                after: Any = (*profiles[:place], self.suits[place][counts], *profiles[place + 1 :])
                if self.missing(after, sets) <= most:
                    yield kind, after

    def helpful(self, profiles: Profiles, sets: int, now: int) -> list[int]:
        """Return the kinds of which one more leaves fewer than ``now`` tiles missing."""
        found: list[int] = []
        facts = [each.facts for each in profiles]
        for place, profile in enumerate(profiles):
            mine = facts[place]
            for facts[place], kinds in profile.more:
                if self.total(facts, sets) < now:
                    found += kinds
            facts[place] = mine
        return found


class _Standard(_Form):
    """The standard form; its sums are look-ups in the tables of ``mjcli.suits``, written out where it matters."""

    sets = range(MOST_SETS + 1)

    def __init__(self) -> None:
        self._tables = load()
        super().__init__(self._class)

    def _class(self, honors: bool, counts: bytes) -> int:
        table = self._tables.honors if honors else self._tables.suit
        return table[_key(counts)]

    def missing(self, profiles: Profiles, sets: int) -> int:
        tables = self._tables
        m, p, s, z = profiles
        left = tables.two_suits[m.facts << 8 | p.facts]
        found: int = tables.missing[sets][left << 8 | tables.suit_honors[z.facts << 8 | s.facts]]
        return found

    def free(self, profiles: Profiles, sets: int, most: int) -> Iterator[tuple[int, Profiles]]:
        _, _, two_suits, suit_honors, missing, _ = self._tables
        missing_of = missing[sets]
        in_m, in_p, in_s, in_z = self.suits
        m, p, s, z = profiles
        left, right = two_suits[m.facts << 8 | p.facts] << 8, suit_honors[z.facts << 8 | s.facts]
        for kind, facts, counts in m.less:
            if missing_of[two_suits[facts << 8 | p.facts] << 8 | right] <= most:
                yield kind, (in_m[counts], p, s, z)
        for kind, facts, counts in p.less:
            if missing_of[two_suits[m.facts << 8 | facts] << 8 | right] <= most:
                yield kind, (m, in_p[counts], s, z)
        for kind, facts, counts in s.less:
            if missing_of[left | suit_honors[z.facts << 8 | facts]] <= most:
                yield kind, (m, p, in_s[counts], z)
        for kind, facts, counts in z.less:
            if missing_of[left | suit_honors[facts << 8 | s.facts]] <= most:
                yield kind, (m, p, s, in_z[counts])

    def helpful(self, profiles: Profiles, sets: int, now: int) -> list[int]:
        _, _, two_suits, suit_honors, missing, _ = self._tables
        missing_of = missing[sets]
        m, p, s, z = profiles
        left, right = two_suits[m.facts << 8 | p.facts] << 8, suit_honors[z.facts << 8 | s.facts]
        found: list[int] = []
        for facts, kinds in m.more:
            if missing_of[two_suits[facts << 8 | p.facts] << 8 | right] < now:
                found += kinds
        for facts, kinds in p.more:
            if missing_of[two_suits[m.facts << 8 | facts] << 8 | right] < now:
                found += kinds
        for facts, kinds in s.more:
            if missing_of[left | suit_honors[z.facts << 8 | facts]] < now:
                found += kinds
        for facts, kinds in z.more:
            if missing_of[left | suit_honors[facts << 8 | s.facts]] < now:
                found += kinds
        return found


class _KnittedStraight(_Form):
    """The knitted straight: of each suit, how many ranks of 147, 258 and 369 are absent, and the class of the rest."""

    sets = (MOST_SETS - 1, MOST_SETS)

    def __init__(self) -> None:
        self._tables = load()
        super().__init__(self._absent_and_rest)

    def _absent_and_rest(self, honors: bool, counts: bytes) -> Any:
        if honors:
            return self._tables.honors[_key(counts)]
        found = []
        for first in range(3):
            rest = bytes(count - (count > 0 and rank % 3 == first) for rank, count in enumerate(counts))
            found.append((counts[first::3].count(0), self._tables.suit[_key(rest)]))
        return tuple(found)

    def total(self, facts: Sequence[Any], sets: int) -> int:
        *suits, honors = facts
        _, _, two_suits, suit_honors, missing, _ = self._tables
        missing_of = missing[sets - (MOST_SETS - 1)]
        best = 2 * 14
        for firsts in _FIRSTS:
            (in_m, m), (in_p, p), (in_s, s) = (suit[first] for suit, first in zip(suits, firsts, strict=True))
            rest = missing_of[two_suits[m << 8 | p] << 8 | suit_honors[honors << 8 | s]]
            best = min(best, in_m + in_p + in_s + rest)
        return best


class Outlook:
    """What hands miss under certain forms.

    >>> outlook = Outlook({"standard": ""})
    >>> ready = [0, 1, 1, *[0] * 29, 2, 0]
    >>> outlook.missing(ready, 1), outlook.waits(ready, 1)
    (1, (0, 3))
    """

    def __init__(self, forms: FormRules) -> None:
        """
        Args:
            forms: the forms that count, each with its rule.

        Raises:
            InputError: there is no such form, or no such rule of it (``bad-form``).
        """
        found = [_form(name, rule) for name, rule in forms.items()]
        self._by_sets = [[form for form in found if sets in form.sets] for sets in range(MOST_SETS + 1)]

    def missing(self, counts: Sequence[int], sets: int) -> int:
        """Return how many tiles are missing for the nearest form.

        Args:
            counts: int[34], of the concealed tiles.
            sets: how many sets they must make: four less the melds.

        Raises:
            InputError: its melds forbid every form (``bad-form``).
        """
        held = bytes(counts)
        return min([form.missing(form.profiles(held), sets) for form in self._forms(sets)])

    def waits(self, counts: Sequence[int], sets: int) -> tuple[int, ...]:
        """Return the kinds that complete 3n+1 tiles, in order; none if they are not ready.

        Arguments and errors are those of ``missing``.
        """
        missing, found = self.helpful(counts, sets)
        return found if missing == 1 else ()

    def helpful(self, counts: Sequence[int], sets: int) -> tuple[int, tuple[int, ...]]:
        """Return how many tiles are missing, and the kinds of which one more leaves fewer missing, in order.

        Arguments and errors are those of ``missing``.
        """
        held = bytes(counts)
        asked = []
        for form in self._forms(sets):
            profiles = form.profiles(held)
            asked.append((form.missing(profiles, sets), form, profiles))
        least = min([now for now, _, _ in asked])
        found = {kind for now, form, profiles in asked if now == least for kind in form.helpful(profiles, sets, least)}
        return least, tuple(sorted(found))

    def discards(self, counts: Sequence[int], sets: int, jokers: int = 0) -> tuple[int, dict[int, Sequence[int]]]:
        """Return how many tiles are missing after the best discards, and what helps after each of those.

        >>> Outlook({"standard": ""}).discards([1, 1, 1, *[0] * 28, 1, 0, 1], 1)
        (1, {31: [33], 33: [31]})

        Arguments and errors are those of ``missing``, but for 3n+2 tiles, ``jokers`` of which are not among the counts.
        """
        held = bytes(counts)
        asked = []
        for form in self._forms(sets):
            profiles = form.profiles(held)
            asked.append((max(form.missing(profiles, sets), 1 + jokers), form, profiles))
        least = min([now for now, _, _ in asked])
        found: dict[int, Sequence[int]] = {}
        for now, form, profiles in asked:
            if now == least:
                for kind, after in form.free(profiles, sets, least):
                    helpful = form.helpful(after, sets, least)
                    found[kind] = list({*found[kind], *helpful}) if kind in found else helpful
        return least, found

    def _forms(self, sets: int) -> Iterable[_Form]:
        forms = self._by_sets[sets]
        if not forms:
            raise InputError("bad-form", "the melds of this hand forbid every form that counts")
        return forms


class JokerOutlook(Outlook):
    """What hands miss that may have jokers, each of which stands for any tile.

    Counts are int[35] here: those of the plain kinds, and of jokers.

    >>> outlook = JokerOutlook({"standard": ""}, [4] * 35)
    >>> ready = [0, 1, 1, *[0] * 29, 1, 0, 1]
    >>> outlook.missing(ready, 1), outlook.waits(ready, 1)
    (1, (0, 3, 32, 34))
    """

    def __init__(self, forms: FormRules, copies: Sequence[int]) -> None:
        """
        Args:
            forms: the forms that count, each with its rule.
            copies: int[35], how many of each the game has; no kind of which all are held is named as helpful.

        Raises:
            InputError: there is no such form, or no such rule of it (``bad-form``).
        """
        super().__init__(forms)
        self._copies = copies

    def missing(self, counts: Sequence[int], sets: int) -> int:
        """Return how many tiles are missing for the nearest form; arguments and errors are those of ``Outlook``."""
        return super().missing(counts[:PLAIN_KINDS], sets) - counts[JOKER_KIND]

    def helpful(self, counts: Sequence[int], sets: int) -> tuple[int, tuple[int, ...]]:
        """Return how many tiles are missing, and the kinds of which one more leaves fewer missing, jokers last."""
        least, found = super().helpful(counts[:PLAIN_KINDS], sets)
        return least - counts[JOKER_KIND], self._left((*found, JOKER_KIND), counts)

    def discards(
        self, counts: Sequence[int], sets: int, jokers: int | None = None
    ) -> tuple[int, dict[int, Sequence[int]]]:
        """Return how many tiles are missing after the best discards, and what helps after each of those.

        Args:
            counts: int[35], of 3n+2 tiles that are not complete, so that no joker is among these discards.
            sets: how many sets they must make.
            jokers: those of the counts, which need not be said.
        """
        jokers = counts[JOKER_KIND] if jokers is None else jokers
        least, found = super().discards(counts[:PLAIN_KINDS], sets, jokers)
        return least - jokers, {kind: self._left((*helps, JOKER_KIND), counts) for kind, helps in found.items()}

    def _left(self, kinds: Iterable[int], counts: Sequence[int]) -> tuple[int, ...]:
        """Return those of some kinds of which not all copies are held."""
        return tuple([kind for kind in kinds if counts[kind] < self._copies[kind]])


@cache
def _form(name: str, rule: str) -> _Form:
    """Return a form; equal ones are one object, so that what it has seen of suits is remembered for all."""
    if rule not in RULES.get(name, ()):
        raise InputError("bad-form", f"no rule '{rule}' of form '{name}' (forms are {', '.join(RULES)})")
    if name == "standard":
        return _Standard()
    if name == "knitted-straight":
        return _KnittedStraight()
    return _Form(*_SPECIAL[name, rule])


def _key(counts: bytes) -> int:
    """Return the key of a suit's counts: a numeral in base 5."""
    return int("".join(map(str, counts)), 5)


def _kinds_and_pairs(_honors: bool, counts: bytes) -> tuple[int, int]:
    return len(counts) - counts.count(0), len(counts) - counts.count(0) - counts.count(1)


def _seven_different(facts: Sequence[tuple[int, int]]) -> int:
    kinds, pairs = map(sum, zip(*facts, strict=True))
    return 7 - pairs + max(0, 7 - kinds)


def _pairs_and_singles(_honors: bool, counts: bytes) -> tuple[int, int]:
    return sum(count // 2 for count in counts), sum(count % 2 for count in counts)


def _seven_with_four(facts: Sequence[tuple[int, int]]) -> int:
    pairs, singles = map(sum, zip(*facts, strict=True))
    return 7 - pairs + max(0, 7 - pairs - singles)


def _orphans_of_suit(honors: bool, counts: bytes) -> tuple[int, bool]:
    held = counts if honors else bytes((counts[0], counts[8]))
    return len(held) - held.count(0), max(held) > 1


def _orphans(facts: Sequence[tuple[int, bool]]) -> int:
    return 14 - sum([kinds for kinds, _ in facts]) - any(twice for _, twice in facts)


def _unconnected_kinds(honors: bool, counts: bytes) -> tuple[int, int]:
    """Return the most unconnected kinds of a suit, and the most with one of them held twice; -1 if none is."""
    if honors:
        kinds = 7 - counts.count(0)
        return kinds, kinds if max(counts) > 1 else -1
    most = dict(unconnected_of_suit(counts))
    return max(most.values()), most.get(True, -1)


def _unconnected(facts: Sequence[tuple[int, int]]) -> int:
    kinds, loss = 0, 14
    for most, twice in facts:
        kinds += most
        if twice >= 0:
            loss = min(loss, most - twice)
    return 14 - max(min(kinds, 13), min(kinds - loss, 13) + 1)


def _knitted_kinds(honors: bool, counts: bytes) -> tuple[int, int, int] | int:
    """Return how many kinds a suit has of 147, 258 and 369; of the honours, how many kinds."""
    if honors:
        return 7 - counts.count(0)
    one, two, three = (3 - counts[first::3].count(0) for first in range(3))
    return one, two, three


def _knitted(facts: Sequence[Any]) -> int:
    m, p, s, honors = facts
    most = max(m[in_m] + p[in_p] + s[in_s] for in_m, in_p, in_s in _FIRSTS)
    found: int = 14 - honors - most
    return found


_FIRSTS: Final = tuple((kinds[0], kinds[3] - 9, kinds[6] - 18) for kinds in KNITTED)
"""Which of 147, 258, 369 each suit has, by its lowest rank from 0, for each way to give them to the suits."""

_SPECIAL: Final[dict[tuple[str, str], tuple[Callable[[bool, bytes], Hashable], Callable[[Sequence[Any]], int]]]] = {
    ("seven-pairs", "different"): (_kinds_and_pairs, _seven_different),
    ("seven-pairs", "four"): (_pairs_and_singles, _seven_with_four),
    ("thirteen-orphans", ""): (_orphans_of_suit, _orphans),
    ("thirteen-unconnected", ""): (_unconnected_kinds, _unconnected),
    ("knitted", ""): (_knitted_kinds, _knitted),
}
