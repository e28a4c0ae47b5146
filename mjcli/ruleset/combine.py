"""Combine once: of all matches of set patterns, the most valuable collection in which sets are linked without a circle.

Having combined some sets for a pattern, a player may combine any other set with them only once. So the matches of a
collection, seen as links between the sets they use, form no circle: a match is refused if two of its sets are linked
already. The collection of greatest value is found by trying all, which is quick for the four sets of a hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, permutations

__all__ = ["Entry", "combiner"]

Terms = tuple[tuple[str, int, str], ...]
"""Letter (empty if the rank is fixed), rank or what is added to the letter's, suit letter: one for each set."""
Entry = tuple[int, tuple[Terms, ...]]
"""A pattern: its value and its alternatives."""

_Set = tuple[int, int]
"""Suit 0-2 and rank 1-9."""
_Alternative = tuple[int, bool, frozenset[tuple[_Set, ...]]]
"""How many sets it has, whether only the distances of their ranks matter, and all that fit."""
_Rule = tuple[int, list[_Alternative]]
"""A pattern: its value and its alternatives."""

_SUITS = "mps"
_RANKS = 9


def combiner(entries: Sequence[Entry]) -> Callable[[int, int, int], tuple[int, ...]]:
    """Return a function from three octal columns of sets to how often each pattern counts, with a memory.

    >>> three_alike = (16, ((("n", 0, "a"), ("n", 0, "a"), ("n", 0, "a")),))
    >>> two_alike = (1, ((("n", 0, "a"), ("n", 0, "a")),))
    >>> combiner([three_alike, two_alike])(0o3, 0, 0)
    (1, 0)
    """
    memory: dict[tuple[int, int, int], tuple[int, ...]] = {}
    rules = [(fan, [_alternative(terms) for terms in alternatives]) for fan, alternatives in entries]

    def combine(*columns: int) -> tuple[int, ...]:
        key = (columns[0], columns[1], columns[2])
        found = memory.get(key)
        if found is None:
            sets = [
                (suit, rank + 1) for suit in range(3) for rank in range(9) for _ in range(key[suit] >> 3 * rank & 7)
            ]
            found = memory[key] = _best(sets, rules)
        return found

    return combine


def _best(sets: list[_Set], rules: Sequence[_Rule]) -> tuple[int, ...]:
    links = sorted(_links(sets, rules), key=lambda link: -link[0])
    best_value, best = 0, (0,) * len(rules)

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


def _links(sets: list[_Set], rules: Sequence[_Rule]) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Yield the value, the pattern and the sets of every match."""
    chosen: list[list[tuple[tuple[int, ...], tuple[_Set, ...], tuple[_Set, ...]]]] = []
    for size in range(len(sets) + 1):
        places = list(combinations(range(len(sets)), size))
        some = [tuple([sets[place] for place in members]) for members in places]
        chosen.append([(members, each, _moved(each)) for members, each in zip(places, some, strict=True)])
    for entry, (fan, alternatives) in enumerate(rules):
        seen = set()
        for size, moves, fitting in alternatives:
            for members, as_they_are, moved in chosen[size] if size < len(chosen) else ():
                if members not in seen and (moved if moves else as_they_are) in fitting:
                    seen.add(members)
                    yield fan, entry, members


def _moved(sets: tuple[_Set, ...]) -> tuple[_Set, ...]:
    """Return sets with their ranks counted from the lowest."""
    least = min([rank for _, rank in sets], default=0)
    return tuple([(suit, rank - least) for suit, rank in sets])


def _alternative(terms: Terms) -> _Alternative:
    moves = all(letter for letter, _, _ in terms) and min(rank for _, rank, _ in terms) == 0
    fitting = frozenset(_fitting(terms, range(1) if moves else range(1, 2 * _RANKS)))
    return len(terms), moves, fitting


def _fitting(terms: Terms, firsts: Iterable[int]) -> Iterator[tuple[_Set, ...]]:
    """Yield all sets, in order, that fit the terms of an alternative; different suit letters are different suits.

    Args:
        terms: of the alternative.
        firsts: the ranks for which the rank letter may stand.
    """
    letters = tuple(dict.fromkeys(letter for _, _, letter in terms))
    for suits in permutations(range(len(_SUITS)), len(letters)):
        suit_of = dict(zip(letters, suits, strict=True))
        if all(letter not in _SUITS or _SUITS[suit] == letter for letter, suit in suit_of.items()):
            for first in firsts:
                yield tuple(sorted((suit_of[suit], first + rank if letter else rank) for letter, rank, suit in terms))
