"""The forms 牌型 that a complete hand can have, and how many tiles one hand misses for each.

Every distance is the least number of tiles to draw, other tiles going out in exchange, over all targets of the form. A
target never holds a fifth copy of a tile. A joker fills any one missing tile, so it takes one off every distance; it
never stands for a fifth copy either.

========================  ========================================================================================
form                      target
========================  ========================================================================================
``standard``              the sets that are still needed, and a pair 將
``seven-pairs``           七對 seven pairs: rule ``different`` wants seven kinds, ``four`` takes four alike as two pairs
``thirteen-orphans``      十三幺 one of each terminal and honour, and one of them again
``thirteen-unconnected``  十三不搭 thirteen kinds and one of them again; two of one suit differ by 3 or more
``knitted``               全不靠 fourteen different of the seven honours and 147, 258, 369 in three suits
``knitted-straight``      組合龍 147, 258, 369 in three suits, one set (it may be a meld) and a pair
========================  ========================================================================================

All forms but the standard one ask for a hand without melds (the knitted straight: at most one) whose sets are all
written out; for other hands their distance is None.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, pairwise, permutations, product
from typing import TYPE_CHECKING, Final, TypeAlias

from mjcli.errors import InputError
from mjcli.suits import MOST_SETS, load

if TYPE_CHECKING:
    from mjcli.hand import Hand

__all__ = [
    "DEFAULT_FORMS",
    "KNITTED",
    "ORPHANS",
    "RULES",
    "UNCONNECTED",
    "FormRules",
    "distances",
    "fillings",
    "helpful",
    "missing",
    "unconnected_of_suit",
]

FormRules: TypeAlias = Mapping[str, str]
"""The forms that count, each with its rule; a form that has no choice of rules has the rule ``""``."""

DEFAULT_FORMS: Final[FormRules] = {"standard": "", "seven-pairs": "different", "thirteen-orphans": ""}
"""The forms of questions that name no ruleset."""

ORPHANS: Final = (0, 8, 9, 17, 18, 26, *range(27, 34))
"""The kinds of the terminals and honours."""

KNITTED: Final = tuple(
    tuple(9 * suit + rank for suit, first in zip(range(3), firsts, strict=True) for rank in range(first, 9, 3))
    for firsts in permutations(range(3))
)
"""int[6, 9]: the kinds of 147, 258, 369 for each way to give them to the three suits."""

UNCONNECTED: Final = tuple(
    ranks
    for size in range(4)
    for ranks in combinations(range(9), size)
    if all(high - low >= 3 for low, high in pairwise(ranks))
)
"""Every choice of ranks (from 0) of one suit of which no two are connected; each is part of one of two or three."""

_DIGITS: Final = bytes.maketrans(bytes(range(5)), b"01234")
_WEIGHTS: Final = tuple(5 ** (8 - rank) for rank in range(9))


def distances(hand: Hand, forms: FormRules = DEFAULT_FORMS) -> dict[str, int | None]:
    """Return how many tiles ``hand`` misses for each of ``forms``: 0 complete, 1 ready, None impossible.

    >>> from mjcli.hand import Hand
    >>> from mjcli.tiles import tile
    >>> distances(Hand(concealed=tuple(map(tile, ("1m", "2m", "7z", "7z")))))
    {'standard': 1, 'seven-pairs': None, 'thirteen-orphans': None}

    Raises:
        InputError: there is no such form, or no such rule of it (``bad-form``).
    """
    counts, jokers = hand.counts(), hand.jokers
    found = {}
    for form, rule in forms.items():
        tiles = missing(counts, hand.sets_needed, form, rule, written=not hand.melds_assumed)
        found[form] = None if tiles is None else tiles - jokers
    return found


def missing(counts: Sequence[int], sets: int, form: str, rule: str = "", *, written: bool = True) -> int | None:
    """Return how many tiles concealed tiles miss for a form, jokers not counted; None if the melds forbid it.

    >>> nine_gates = [3, 1, 1, 1, 1, 1, 1, 1, 3, *[0] * 25]
    >>> missing(nine_gates, 4, "standard"), missing(nine_gates, 4, "knitted-straight")
    (1, 6)

    Args:
        counts: int[34], of the concealed tiles and the winning tile.
        sets: how many sets they must make, 0-4.
        form: its name.
        rule: which rule of the form.
        written: whether the other sets are melds; False if some are only taken as made.

    Raises:
        InputError: there is no such form, or no such rule of it (``bad-form``).
    """
    distance = _distance(form, rule)
    if form == "standard" or sets == MOST_SETS or (form == "knitted-straight" and sets == MOST_SETS - 1 and written):
        return distance(counts, sets)
    return None


def helpful(counts: Sequence[int], sets: int, form: str, rule: str = "") -> Iterator[int]:
    """Yield the kinds of which one more tile brings concealed tiles nearer to a form, in order.

    >>> list(helpful([3, 1, 1, 1, 1, 1, 1, 1, 3, *[0] * 25], 4, "standard"))
    [0, 1, 2, 3, 4, 5, 6, 7, 8]

    Args:
        counts: int[34], of at most 13 concealed tiles. A kind of which there are four never helps.
        sets: how many sets they must make, 0-4; the melds must not forbid the form.
        form: its name.
        rule: which rule of the form.

    Raises:
        InputError: there is no such form, or no such rule of it (``bad-form``).
    """
    distance = _distance(form, rule)
    if distance is _standard:
        yield from _helpful_standard(counts, sets)
        return
    now = distance(counts, sets)
    trial = list(counts)
    helps: dict[int, bool] = {}
    for kind, count in enumerate(counts):
        if count == 4:
            continue
        # Seven pairs may be of any kinds, so what goes for one kind goes for all of the same count.
        if form != "seven-pairs" or count not in helps:
            trial[kind] = count + 1
            helps[count] = distance(trial, sets) < now
            trial[kind] = count
        if helps[count]:
            yield kind


def fillings(
    counts: Sequence[int], sets: int, jokers: int, kinds: Collection[int], form: str, rule: str = ""
) -> Iterator[tuple[int, ...]]:
    """Yield every choice of kinds for which jokers can stand so that concealed tiles have a form.

    >>> pair_and_13 = [1, 0, 1, *[0] * 28, 1, 0, 0]
    >>> list(fillings(pair_and_13, 1, 2, range(34), "standard"))
    [(1, 31)]

    No kind is tried that does not complete the form with kinds still to come: as the tiles miss exactly as many as
    there are jokers, each of them has to bring the form nearer.

    Args:
        counts: int[34], of the concealed tiles and the winning tile, jokers apart.
        sets: how many sets they must make, 0-4.
        jokers: how many there are; with the tiles they are as many as the form has.
        kinds: those for which a joker may stand. It never stands for a fifth copy of a concealed tile.
        form: its name.
        rule: which rule of the form.

    Yields:
        int[jokers], ascending, the choices in ascending order; nothing if the form is out of reach.

    Raises:
        InputError: there is no such form, or no such rule of it (``bad-form``).
    """
    if missing(counts, sets, form, rule) == jokers:
        yield from _fillings(list(counts), sets, jokers, [kind in kinds for kind in range(len(counts))], form, rule, 0)


def _fillings(
    counts: list[int], sets: int, jokers: int, allowed: list[bool], form: str, rule: str, least: int
) -> Iterator[tuple[int, ...]]:
    if not jokers:
        yield ()
        return
    for kind in tuple(helpful(counts, sets, form, rule)):
        if kind >= least and allowed[kind]:
            counts[kind] += 1
            for rest in _fillings(counts, sets, jokers - 1, allowed, form, rule, kind):
                yield (kind, *rest)
            counts[kind] -= 1


def _suit_keys(counts: Sequence[int]) -> tuple[int, int, int, int]:
    """Return the keys of the three suits and the honours: their counts as numerals in base 5."""
    digits = bytes(counts).translate(_DIGITS)
    return int(digits[:9], 5), int(digits[9:18], 5), int(digits[18:27], 5), int(digits[27:], 5)


def _distance(form: str, rule: str) -> Callable[[Sequence[int], int], int]:
    distance = _FORMS.get((form, rule))
    if distance is not None:
        return distance
    if form not in RULES:
        raise InputError("bad-form", f"no form '{form}' (forms are {', '.join(RULES)})")
    raise InputError("bad-form", f"no rule '{rule}' of {form} (it has {' and '.join(map(repr, RULES[form]))})")


def _standard(counts: Sequence[int], sets: int) -> int:
    tables = load()
    m, p, s, z = _suit_keys(counts)
    suit = tables.suit
    left = tables.two_suits[suit[m] << 8 | suit[p]]
    right = tables.suit_honors[tables.honors[z] << 8 | suit[s]]
    return tables.missing[sets][left << 8 | right]


def _helpful_standard(counts: Sequence[int], sets: int) -> Iterator[int]:
    tables = load()
    keys = _suit_keys(counts)
    classes = (tables.suit, tables.suit, tables.suit, tables.honors)
    missing_of, two_suits, suit_honors = tables.missing[sets], tables.two_suits, tables.suit_honors
    m, p, s, z = (table[key] for table, key in zip(classes, keys, strict=True))
    left, right = two_suits[m << 8 | p], suit_honors[z << 8 | s]
    now = missing_of[left << 8 | right]
    for place, (table, key) in enumerate(zip(classes, keys, strict=True)):
        weights = _WEIGHTS if place < 3 else _WEIGHTS[2:]
        for kind, weight in enumerate(weights, 9 * place):
            if counts[kind] == 4:
                continue
            after = table[key + weight]
            if place < 2:
                index = two_suits[(p, m)[place] << 8 | after] << 8 | right
            elif place == 2:
                index = left << 8 | suit_honors[z << 8 | after]
            else:
                index = left << 8 | suit_honors[after << 8 | s]
            if missing_of[index] < now:
                yield kind


def _seven_different(counts: Sequence[int], _sets: int) -> int:
    kinds = len(counts) - counts.count(0)
    return 7 - (kinds - counts.count(1)) + max(0, 7 - kinds)


def _seven_with_four(counts: Sequence[int], _sets: int) -> int:
    pairs = sum(count // 2 for count in counts)
    singles = sum(count % 2 for count in counts)
    return 7 - pairs + max(0, 7 - pairs - singles)


def _orphans(counts: Sequence[int], _sets: int) -> int:
    held = [counts[kind] for kind in ORPHANS]
    return held.count(0) + int(max(held) < 2)


def _unconnected(counts: Sequence[int], _sets: int) -> int:
    # Any choice of unconnected ranks grows to two or three, so that thirteen kinds can always be reached: only the
    # kinds already held matter, at most thirteen of them, and whether one of them is held twice.
    held = bytes(counts)
    honors = held[27:]
    choices: list[tuple[tuple[bool, int], ...]] = [((max(honors) > 1, 7 - honors.count(0)),)]
    choices += [unconnected_of_suit(held[first : first + 9]) for first in (0, 9, 18)]
    return min(
        14 - min(13, sum([kinds for _, kinds in choice])) - any(twice for twice, _ in choice)
        for choice in product(*choices)
    )


@lru_cache(maxsize=1 << 14)
def unconnected_of_suit(held: bytes) -> tuple[tuple[bool, int], ...]:
    """Return the most unconnected kinds that can be taken of one suit's counts, without and with one held twice."""
    most: dict[bool, int] = {}
    for ranks in UNCONNECTED:
        copies = [held[rank] for rank in ranks]
        twice = max(copies, default=0) > 1
        most[twice] = max(most.get(twice, 0), len(copies) - copies.count(0))
    return tuple(most.items())


def _knitted(counts: Sequence[int], _sets: int) -> int:
    honors = 7 - counts[27:].count(0)
    return 14 - honors - max(sum(counts[kind] > 0 for kind in kinds) for kinds in KNITTED)


def _knitted_straight(counts: Sequence[int], sets: int) -> int:
    best = 14
    for kinds in KNITTED:
        rest = list(counts)
        for kind in kinds:
            rest[kind] -= counts[kind] > 0
        absent = sum(counts[kind] == 0 for kind in kinds)
        best = min(best, absent + _standard(rest, sets - (MOST_SETS - 1)))
    return best


_FORMS: Final[Mapping[tuple[str, str], Callable[[Sequence[int], int], int]]] = {
    ("standard", ""): _standard,
    ("seven-pairs", "different"): _seven_different,
    ("seven-pairs", "four"): _seven_with_four,
    ("thirteen-orphans", ""): _orphans,
    ("thirteen-unconnected", ""): _unconnected,
    ("knitted", ""): _knitted,
    ("knitted-straight", ""): _knitted_straight,
}

RULES: Final[Mapping[str, tuple[str, ...]]] = {
    form: tuple(rule for name, rule in _FORMS if name == form) for form, _ in _FORMS
}
"""The forms there are, each with its rules."""
