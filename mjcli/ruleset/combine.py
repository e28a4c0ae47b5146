"""Combine once: of all matches of set patterns, the most valuable collection in which sets are linked without a circle.

Having combined some sets for a pattern, a player may combine any other set with them only once. So the matches of a
collection, seen as links between the sets they use, form no circle: a match is refused if two of its sets are linked
already. The collection of greatest value is found by trying all, which is quick for the four sets of a hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, permutations

__all__ = ["Entry", "combiner"]

Terms = tuple[tuple[str, int, str], ...]
"""Letter (empty if the rank is fixed), rank or what is added to the letter's, suit letter: one for each set."""
Entry = tuple[int, tuple[Terms, ...]]
"""A pattern: its value and its alternatives."""

_Set = tuple[int, int]
"""Suit 0-2 and rank 1-9."""


def combiner(entries: Sequence[Entry]) -> Callable[[int, int, int], tuple[int, ...]]:
    """Return a function from three octal columns of sets to how often each pattern counts, with a memory.

    >>> three_alike = (16, ((("n", 0, "a"), ("n", 0, "a"), ("n", 0, "a")),))
    >>> two_alike = (1, ((("n", 0, "a"), ("n", 0, "a")),))
    >>> combiner([three_alike, two_alike])(0o3, 0, 0)
    (1, 0)
    """
    memory: dict[tuple[int, int, int], tuple[int, ...]] = {}

    def combine(*columns: int) -> tuple[int, ...]:
        key = (columns[0], columns[1], columns[2])
        found = memory.get(key)
        if found is None:
            sets = [
                (suit, rank + 1) for suit in range(3) for rank in range(9) for _ in range(key[suit] >> 3 * rank & 7)
            ]
            found = memory[key] = _best(sets, entries)
        return found

    return combine


def _best(sets: list[_Set], entries: Sequence[Entry]) -> tuple[int, ...]:
    links = sorted(_links(sets, entries), key=lambda link: -link[0])
    best_value, best = 0, (0,) * len(entries)

    def extend(start: int, component: list[int], value: int, counts: tuple[int, ...]) -> None:
        nonlocal best_value, best
        if value > best_value:
            best_value, best = value, counts
        for place in range(start, len(links)):
            fan, entry, members = links[place]
            touched = {component[member] for member in members}
            if len(touched) == len(members):
                joined = [min(touched) if each in touched else each for each in component]
                more = (*counts[:entry], counts[entry] + 1, *counts[entry + 1 :])
                extend(place + 1, joined, value + fan, more)

    extend(0, list(range(len(sets))), 0, best)
    return best


def _links(sets: list[_Set], entries: Sequence[Entry]) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Yield the value, the pattern and the sets of every match."""
    for entry, (fan, alternatives) in enumerate(entries):
        seen = set()
        for terms in alternatives:
            for members in combinations(range(len(sets)), len(terms)):
                if members not in seen and _fits(terms, [sets[member] for member in members]):
                    seen.add(members)
                    yield fan, entry, members


def _fits(terms: Terms, sets: list[_Set]) -> bool:
    return any(_fits_in_order(terms, order) for order in permutations(sets))


def _fits_in_order(terms: Terms, sets: Sequence[_Set]) -> bool:
    letter_rank: int | None = None
    suits: dict[str, int] = {"m": 0, "p": 1, "s": 2}
    bound: dict[str, int] = {}
    for (letter, rank, suit_letter), (suit, set_rank) in zip(terms, sets, strict=True):
        if letter:
            if letter_rank is None:
                letter_rank = set_rank - rank
            if letter_rank < 1 or letter_rank != set_rank - rank:
                return False
        elif set_rank != rank:
            return False
        if suits.get(suit_letter, bound.setdefault(suit_letter, suit)) != suit:
            return False
    return len(set(bound.values())) == len(bound)
