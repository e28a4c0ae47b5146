"""Templates: ``sets:`` of a pattern, as terms over groups, and their compilation to bit-parallel masks.

    term = [count] ["concealed" | "claimed"] kind rank suit
    kind = chow | chow with | pung | kong | pair | tile;  rank = 1-9 | letter | letter+digit (no letter of a suit)
    suit = m p s z | a b c (different suits of m p s) | x (any of the four)

A suit's ranks are octal digits, three bits a rank, so "n times or more of each rank" is one addition and one shift
(``count + (4-n) * 0o111111111 >> 2``), the rank letter runs over all ranks at once, and only the suit letters are
enumerated, six ways at most.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations, permutations
from typing import Final, NamedTuple

from mjcli.columns import ONES
from mjcli.ruleset.emit import Emitter, Value

__all__ = ["TERM_WORDS", "Term", "TermError", "bindings", "check_each", "check_terms", "parse_term", "template"]

_TERM: Final = re.compile(
    r"(?:(?P<count>[2-9]) )?(?:(?P<side>concealed|claimed) )?(?P<kind>chow with|chow|pung|kong|pair|tile)"
    r" (?:(?P<letter>[d-lnoqrt-wy])(?:\+(?P<shift>[1-8]))?|(?P<rank>[1-9])) (?P<suit>[abcmpszx])"
)

_COLUMN: Final = {
    ("chow", ""): "C",
    ("chow", "concealed"): "D",
    ("chow with", ""): "C",
    ("chow with", "concealed"): "D",
    ("pung", ""): "P",
    ("pung", "concealed"): "Q",
    ("pung", "claimed"): "L",
    ("kong", ""): "K",
    ("pair", ""): "R",
    ("tile", ""): "T",
}


TERM_WORDS: Final = {
    "chow": "a chow, of which the rank is the lowest: 'chow 1 m' is 123m",
    "chow with": "a chow that holds the rank",
    "pung": "a pung or a kong",
    "kong": "a kong",
    "pair": "the pair, or one of seven",
    "tile": "a tile, in whatever group it is",
    "concealed": "before chow, chow with or pung: not claimed",
    "claimed": "before pung: claimed",
    "2-9": "before the term: so many such groups or tiles, or more",
    "n, n+1": "any rank, the same in all terms, and the one above it; any letter but those of suits",
    "m, p, s, z": "characters, dots, bamboo, honours",
    "a, b, c": "different suits of m p s",
    "x": "any of the four",
}
"""What the terms of 'sets', 'any' and 'without' are made of."""


class TermError(Exception):
    """A term, or a list of terms, that says nothing."""


class Term(NamedTuple):
    """One term of a template."""

    times: int
    """How many such groups there must be."""
    side: str
    kind: str
    letter: str
    """The rank letter, empty if the rank is fixed."""
    rank: int
    """The rank, or what is added to the letter's."""
    suit: str

    @property
    def column(self) -> str:
        """The letter of the columns that hold such groups."""
        return _COLUMN[self.kind, self.side]

    def __str__(self) -> str:
        rank = f"{self.letter}{f'+{self.rank}' if self.rank else ''}" if self.letter else str(self.rank)
        return " ".join(filter(None, (self.side, self.kind, rank, self.suit)))


def parse_term(text: str) -> Term:
    """Return the term that ``text`` says.

    >>> parse_term("2 concealed chow n+1 a").rank
    1

    Raises:
        TermError: it says none.
    """
    found = _TERM.fullmatch(text)
    if found is None:
        raise TermError(
            f"'{text}' is no term; right is such as 'chow n a', '2 pung 1 b', 'concealed pung n+1 a', 'tile 5 m'"
        )
    side, kind = found["side"] or "", found["kind"]
    if (kind, side) not in _COLUMN:
        raise TermError(f"'{side} {kind}' is not a kind of group that can be asked for")
    letter, suit, rank = found["letter"] or "", found["suit"], int(found["rank"] or found["shift"] or 0)
    if kind in ("chow", "chow with") and suit in "zx":
        raise TermError("honours make no chows")
    if kind == "chow" and rank > (6 if letter else 7):
        raise TermError(f"no chow starts with {f'{letter}+' if letter else ''}{rank}")
    if suit == "z" and rank > (6 if letter else 7):
        raise TermError(f"no honour has the rank {letter}+{rank}" if letter else f"no tile '{rank}z' (ranks are 1-7)")
    return Term(int(found["count"] or 1), side, kind, letter, rank, suit)


def check_terms(terms: list[Term], without: list[Term]) -> None:
    """Refuse the terms of one alternative if they cannot be told apart by counting.

    Raises:
        TermError: two rank letters, ``x`` with other suit letters, letters that only ``without`` has, or terms that
            one group could satisfy both.
    """
    every = [*terms, *without]
    letters = {term.letter for term in every if term.letter}
    if len(letters) > 1:
        raise TermError(f"one rank letter in a template, not {' and '.join(sorted(letters))}")
    suits = {term.suit for term in every} & set("abcx")
    if "x" in suits and len(suits) > 1:
        raise TermError("'x' does not go with the suit letters a b c")
    if without and not terms:
        raise TermError("'without' needs 'sets' or 'any'")
    if unbound := sorted(_letters(without) - _letters(terms)):
        raise TermError(f"letter {unbound[0]} of 'without' is not in 'sets' or 'any'")
    for one, two in combinations(terms, 2):
        if _may_be_one(one, two):
            names = " and ".join(sorted((f"'{one}'", f"'{two}'")))
            raise TermError(f"{names} could be one and the same group")


def check_each(alternatives: list[list[Term]]) -> None:
    """Refuse alternatives of a template with ``each`` if it is not the same letters that are counted.

    Raises:
        TermError: their letters differ.
    """
    if any(_letters(terms) != _letters(alternatives[0]) for terms in alternatives):
        raise TermError("with 'each', every alternative has the same letters")


def _letters(terms: Iterable[Term]) -> set[str]:
    return {letter for term in terms for letter in (term.letter, term.suit)} - {"", *"mpsz"}


def _may_be_one(one: Term, two: Term) -> bool:
    """Return whether one group could satisfy two terms that are counted apart."""
    chows = one.kind.startswith("chow")
    if not ((chows and two.kind.startswith("chow")) or {one.kind, two.kind} <= {"pung", "kong"}):
        return False
    within = "chow with" in (one.kind, two.kind)
    if (one.kind, one.side) == (two.kind, two.side) and not within:
        return False  # counted together where rank and suit are the same
    if one._replace(times=1) == two._replace(times=1):
        return False
    if one.suit != two.suit and not ("x" in (one.suit, two.suit) or (one.suit in "abc") != (two.suit in "abc")):
        return False
    if one.letter != two.letter:
        return True
    if not within:
        return one.rank == two.rank
    if one.kind == two.kind:
        return abs(one.rank - two.rank) <= 2
    start, held = (one, two) if two.kind == "chow with" else (two, one)
    return 0 <= held.rank - start.rank <= 2


def bindings(terms: Iterable[Term]) -> Iterator[dict[str, int]]:
    """Yield every binding of the suit letters to suits, 0-3 for m p s z; the letters a b c are different suits."""
    letters = sorted({term.suit for term in terms} & set("abcx"))
    for suits in permutations(range(4 if letters == ["x"] else 3), len(letters)):
        yield {**dict(zip("mpsz", range(4), strict=True)), **dict(zip(letters, suits, strict=True))}


def template(emitter: Emitter, alternatives: list[list[Term]], without: list[Term], each: str | None) -> Value:
    """Return whether one of the alternatives is in the hand, or with ``each`` how many kinds or suits have it."""
    without = _added_up(without)
    if each is None:
        found = [
            factors
            for terms in alternatives
            for binding in bindings([*terms, *without])
            for factors in _factors(emitter, terms, without, binding)
        ]
        return emitter.truth(f"({_either(emitter, found)})!=0")
    # the alternatives have the same letters, so each binding of them counts once, whichever alternative holds
    masks = dict.fromkeys(
        emitter.let(
            _either(
                emitter, [factors for terms in alternatives for factors in _factors(emitter, terms, without, binding)]
            )
        )
        for binding in bindings(term for terms in alternatives for term in (*terms, *without))
    )
    return emitter.number("+".join(f"popc({mask})" if each == "kind" else f"({mask}!=0)*1" for mask in masks))


def _either(emitter: Emitter, found: list[frozenset[str]]) -> str:
    """Return the source of the mask that has the bits of any of some lists of masks."""
    masks = {emitter.let("&".join(sorted(factors))) for factors in dict.fromkeys(found)}
    return "|".join(sorted(masks))


def _factors(
    emitter: Emitter, terms: list[Term], without: list[Term], binding: dict[str, int]
) -> Iterator[frozenset[str]]:
    """Yield masks over the rank letter; a hand has the terms where one such list of masks has a common bit."""
    has_letter = any(term.letter for term in (*terms, *without))
    places: dict[tuple[str, str, int], set[bool]] = defaultdict(set)
    for term in terms:
        places[term.kind, term.column, binding[term.suit]].add(bool(term.letter))
    if any(len(kinds) > 1 for kinds in places.values()):
        # a fixed rank and the letter of one kind and suit could mean one group: count rank by rank
        for rank in range(1, 10):
            fixed = [_at(term, rank) for term in terms]
            left_out = [at for term in without if (at := _at(term, rank)).rank <= 9]
            if all(term.rank <= 9 for term in fixed):
                base = "&".join(sorted(_mask_list(emitter, fixed, left_out, binding, False)))
                yield frozenset((emitter.let(f"({base})<<{3 * (rank - 1)}"),))
        return
    yield frozenset(_mask_list(emitter, terms, without, binding, has_letter))


def _at(term: Term, rank: int) -> Term:
    return Term(term.times, term.side, term.kind, "", rank + term.rank, term.suit) if term.letter else term


def _mask_list(
    emitter: Emitter, terms: list[Term], without: list[Term], binding: dict[str, int], has_letter: bool
) -> list[str]:
    """Return masks over the rank letter; without a letter truths, one for all fixed ranks of one column."""
    needed: dict[tuple[str, str, str, int], int] = defaultdict(int)
    for term in terms:
        needed[term.kind, f"{term.column}{binding[term.suit]}", term.letter, term.rank] += term.times
    masks = []
    fixed: dict[str, int] = defaultdict(int)
    for (kind, column, letter, rank), count in needed.items():
        held = _held(emitter, kind, column, count)
        if letter:
            masks.append(f"({held}>>{3 * rank})" if rank else held)
        else:
            fixed[held] |= 1 << 3 * (rank - 1)
    truths = [emitter.let(f"{held}&{ranks}=={ranks}") for held, ranks in fixed.items()]
    # each term of 'without' stands for itself, even where two come to mean the same groups
    for term in without:
        held = _held(emitter, term.kind, f"{term.column}{binding[term.suit]}", term.times)
        if term.letter:
            masks.append(f"({f'{held}>>{3 * term.rank}' if term.rank else held}^{ONES})")
        else:
            truths.append(emitter.let(f"{held}&{1 << 3 * (term.rank - 1)}==0"))
    return [*masks, *(f"({truth}*{ONES})" for truth in truths)] if has_letter else truths


def _held(emitter: Emitter, kind: str, column: str, count: int) -> str:
    """Return the mask of the ranks of which a suit has so many groups of a kind."""
    held = emitter.let(column)
    if kind == "chow with":
        held = emitter.let(f"{held}+({held}<<3)+({held}<<6)")
    if kind in ("pung", "kong") and count == 1:
        return held
    return emitter.let(f"({held}+{(4 - count) * ONES if count <= 4 else 0}>>2)&{ONES if count <= 4 else 0}")


def _added_up(terms: list[Term]) -> list[Term]:
    """Return terms of which the same one written twice is one of their number."""
    times: dict[Term, int] = defaultdict(int)
    for term in terms:
        times[term._replace(times=1)] += term.times
    return [term._replace(times=number) for term, number in times.items()]
