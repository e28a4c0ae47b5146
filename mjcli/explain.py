"""Why a hand is worth what it is: of every pattern why it counts, what takes it away, or what it lacks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from mjcli.forms import distances
from mjcli.ruleset.program import OptionValue, Part, value_of
from mjcli.ruleset.ruleset import PatternInfo, Ruleset
from mjcli.ruleset.templates import Term, bindings, parse_term
from mjcli.ruleset.words import FORMS, WAITS, WINDS
from mjcli.scoring import Evaluated, Score

__all__ = ["Explanation", "Failure", "Loss", "Verdict", "explain"]

_NAMES: Final[Mapping[str, Mapping[int, str]]] = {
    word: {number: name for name, number in names.items()}
    for word, names in (("form", FORMS), ("wait", WAITS), ("seat", WINDS), ("round", WINDS))
}
"""What the numbers of a column stand for."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A term of a condition that does not hold."""

    text: str
    """As the file writes it."""
    because: str
    """The values of the words in it, or the nearest sets that are missing."""
    missing: int | None = None
    """By how much the number that it asks for is not reached, where it asks for a least number."""

    def __str__(self) -> str:
        return f"{self.text} ({self.because})" if self.because else self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What became of one pattern in the best reading."""

    pattern: PatternInfo
    outcome: str
    """``counts``, ``contained``, ``excluded`` or ``fails``; ``unplayed`` of one that the options keep out of play."""
    fan: int = 0
    count: int = 0
    by: tuple[str, ...] = ()
    """The ids of the patterns that take it away."""
    terms: tuple[str, ...] = ()
    """The terms of its condition, as the file writes them."""
    failures: tuple[Failure, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """A reading that lost, and by how much."""

    evaluated: Evaluated
    step: str
    """The first step in which it is less than the best reading; empty if none is, and the first of equals was taken."""
    behind: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """The reasons behind a score."""

    verdicts: tuple[Verdict, ...]
    """One for each pattern in play, in the order of the file."""
    unplayed: tuple[Verdict, ...]
    """One for each pattern that the options keep out of play; its failure is the condition by which they do."""
    losses: tuple[Loss, ...]
    """One for each other reading, the best first."""
    below: tuple[Failure, ...]
    """The terms that do not hold of what must to win, where the hand is complete but below the minimum."""
    missing: Mapping[str, int | None] = field(default_factory=dict)
    """Of a hand that is not complete: the tiles missing for each form of the ruleset, None if its melds forbid it."""


def explain(score: Score) -> Explanation:
    """Return why a hand is worth what ``score`` says; of one that is not complete, how far it is from each form.

    >>> from mjcli.notation import parse_line
    >>> from mjcli.ruleset import load_ruleset
    >>> from mjcli.scoring import score
    >>> found = explain(score(parse_line("333p555s77m44s,111z+7m"), load_ruleset("jipinghu")))
    >>> [str(failure) for verdict in found.verdicts if verdict.pattern.id == "ping_hu" for failure in verdict.failures]
    ['chows == 4 (chows is 0)']
    """
    best, ruleset = score.best, score.ruleset
    if best is None:
        missing = distances(score.line.hand, ruleset.forms)
        return Explanation(verdicts=(), unplayed=(), losses=(), below=(), missing=missing)
    # a word that an option leaves unread is no variable, but a column
    variables = {**best.reading.columns, **ruleset.evaluate(best.reading.columns, detail=True)}
    return Explanation(
        verdicts=tuple(_verdicts(score, best, variables)),
        unplayed=tuple(_unplayed(ruleset)),
        losses=tuple(_loss(best, other, ruleset) for other in score.others),
        below=() if score.can_win else tuple(_failures(ruleset.program.wins, variables, best)),
    )


def _verdicts(score: Score, best: Evaluated, variables: Mapping[str, Any]) -> Iterator[Verdict]:
    program = score.ruleset.program
    counted = {each.pattern.id: each for each in best.counted}
    taken = {each.pattern.id: each for each in score.excluded}
    for info in score.ruleset.patterns:
        parts = program.parts[info.id]
        terms = tuple(part.text for part in parts)
        if info.id in counted:
            found = counted[info.id]
            yield Verdict(pattern=info, outcome="counts", fan=found.fan, count=found.count, terms=terms)
        elif info.id in taken:
            by = taken[info.id]
            outcome = "excluded" if by.how == "excludes" else "contained"
            yield Verdict(pattern=info, outcome=outcome, by=by.by, terms=terms)
        else:
            failures = tuple(_failures(parts, variables, best))
            yield Verdict(pattern=info, outcome="fails", terms=terms, failures=failures)


def _unplayed(ruleset: Ruleset) -> Iterator[Verdict]:
    for info, condition in ruleset.unplayed:
        words = dict.fromkeys(re.findall(r"\w+", condition))
        values = [f"{word} is {_said(ruleset.options[word])}" for word in words if word in ruleset.options]
        yield Verdict(pattern=info, outcome="unplayed", failures=(Failure(condition, ", ".join(values)),))


def _said(value: OptionValue) -> str:
    """Return an option's value as it is set."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _loss(best: Evaluated, other: Evaluated, ruleset: Ruleset) -> Loss:
    names = ("@prefer", *ruleset.program.best)
    for name, most, less in zip(names, best.rank, other.rank, strict=True):
        if most != less:
            return Loss(evaluated=other, step=name, behind=most - less)
    return Loss(evaluated=other, step="", behind=0)


def _failures(parts: tuple[Part, ...], variables: Mapping[str, Any], best: Evaluated) -> Iterator[Failure]:
    for part in parts:
        if not value_of(variables, part.value):
            yield Failure(part.text, _because(part, variables, best), _short(part, variables))


def _short(part: Part, variables: Mapping[str, Any]) -> int | None:
    """Return by how much ``A >= B`` fails, where A and B are words or numbers."""
    sides = part.text.split(" >= ")
    known = {text: value_of(variables, value) for text, value in part.words}
    numbers = [int(side) if side.isdigit() else known.get(side) for side in sides]
    whole = [int(number) for number in numbers if isinstance(number, int)]
    return whole[1] - whole[0] if len(whole) == len(numbers) == 2 else None


def _because(part: Part, variables: Mapping[str, Any], best: Evaluated) -> str:
    reading = best.reading
    if part.others:
        counting = [each.pattern.id for each in best.counted if each.pattern.id in part.others]
        return f"{', '.join(counting)} {'counts' if len(counting) == 1 else 'count'}"
    if part.templates:
        missing = _nearest(part.templates, reading.columns)
        if missing:
            return f"nearest lacks {', '.join(missing)}"
        unwanted = " without " in part.text
        return f"the sets are there, {'and so is what must not be' if unwanted else 'but combined in another way'}"
    said = [f"{text} is {_named(text, value_of(variables, value))}" for text, value in part.words]
    if re.search(r"\bpair (not )?in\b", part.text):
        said.append(f"pair is {reading.pair or 'none'}")
    if re.search(r"\bwin (not )?in\b", part.text):
        said.append(f"win is {reading.win or 'none'}")
    return ", ".join(said)


def _named(text: str, value: Any) -> str:
    if text in _NAMES:
        return _NAMES[text].get(value, str(value))
    return value.strip("'") if isinstance(value, str) else str(int(value))


def _nearest(templates: tuple[tuple[str, ...], ...], columns: Mapping[str, int]) -> list[str]:
    """Return the fewest groups that a reading lacks for one of the alternatives, such as ``chow 4p``."""
    best: dict[str, int] | None = None
    for texts in templates:
        terms = [parse_term(text) for text in texts]
        for binding in bindings(terms):
            for letter in range(1, 10):
                missing = _missing(terms, binding, letter, columns)
                if missing is not None and (best is None or sum(missing.values()) < sum(best.values())):
                    best = missing
    return [f"{count} {group}" if count > 1 else group for group, count in (best or {}).items()]


def _missing(
    terms: list[Term], binding: Mapping[str, int], letter: int, columns: Mapping[str, int]
) -> dict[str, int] | None:
    """Return the groups, with their number, missing for one binding of the letters; None if there are no such tiles."""
    needed: Counter[tuple[str, str, int, int]] = Counter()
    for term in terms:
        suit, rank = binding[term.suit], term.rank + letter if term.letter else term.rank
        most = 7 if term.kind == "chow" or suit == 3 else 9
        if rank > most:
            return None
        needed[term.kind, term.column, suit, rank] += term.times
    missing: dict[str, int] = {}
    for (kind, column, suit, rank), count in needed.items():
        held = columns[f"{column}{suit}"]
        held = held + (held << 3) + (held << 6) if kind == "chow with" else held
        if (lacking := count - (held >> 3 * (rank - 1) & 7)) > 0:
            missing[f"{kind} {rank}{'mpsz'[suit]}"] = lacking
    return missing
