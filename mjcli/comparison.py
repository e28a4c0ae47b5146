"""Hands on which two rulesets differ: the smallest found among examples, their variations and wins drawn at random."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from mjcli.chance import Chance
from mjcli.errors import HandError, InputError
from mjcli.hand import Line
from mjcli.melds import MeldType
from mjcli.notation import ExtraWord, format_context, format_line, parse_line
from mjcli.ruleset import Ruleset
from mjcli.scoring import Score, score, with_winning_tile
from mjcli.tiles import TileSet
from mjcli.wins import Wins, simpler

__all__ = ["HANDS", "Contrast", "Contrasts", "contrasts", "example_lines"]

HANDS: Final = 3000
"""How many hands are tried where it is not said: about a second or two."""

MOST_STEPS: Final = 3
"""By how many changes a hand that is tried may differ from an example."""

CAUSES_MADE_SMALL: Final = 60
"""Of how many causes, those with the smallest hands, the hands are made smaller still."""

Side = Score | InputError
"""What a ruleset makes of a hand: its score, or why it is no hand of that ruleset."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast:
    """A hand on which two rulesets differ."""

    line: Line
    cause: tuple[str, ...]
    """Why: the patterns that count differently (``patterns.ID``), if some are changed ones only those; else one of
    ``score.STEP`` (the first step that differs), ``wins_if``, ``pay``, ``liability``, ``forms``, ``instant``, or the
    code of the error of one side."""
    one: Side
    other: Side

    @property
    def size(self) -> tuple[object, ...]:
        """What makes it small, compared in this order: a win, a simple cause, few patterns, plain tiles."""
        sides = (self.one, self.other)
        scores = [side for side in sides if isinstance(side, Score)]
        hand, context = self.line.hand, self.line.context
        return (
            not any(found.can_win for found in scores),
            len(self.cause),
            len(sides) - len(scores),
            sum(len(found.patterns) for found in scores),
            sum(not found.can_win for found in scores),
            len(format_context(context).split()) + len(hand.bonus),
            sum(1 + (meld.type is MeldType.KONG) + (meld.feeder is not None) for meld in hand.melds),
            hand.self_drawn,
            format_line(self.line),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrasts:
    """What a search found."""

    tried: int
    """Hands scored under both rulesets, before the found ones were made smaller."""
    differing: int
    """Of them, those on which the rulesets differ."""
    found: tuple[Contrast, ...]
    """The smallest hand of each cause, the smallest first; none whose whole cause is in the causes before it."""


def example_lines(ruleset: Ruleset, examples: Iterable[str]) -> list[Line]:
    """Return examples of a ruleset as hands with their winning tiles, without those that are none under its options.

    >>> from mjcli.ruleset import load_ruleset
    >>> [format_line(line) for line in example_lines(load_ruleset("jipinghu"), ["11m123456789p234s", "1f"])]
    ['11m123456789p23s+4s']
    """
    found = []
    for text in examples:
        try:
            line = with_winning_tile(parse_line(text, extra=ruleset.extra_words, tiles=ruleset.tiles))
        except InputError:
            continue
        if line.hand.win is not None:
            found.append(line)
    return found


def contrasts(
    one: Ruleset,
    other: Ruleset,
    examples: Sequence[Line] = (),
    *,
    changed: Collection[str] = (),
    seed: int,
    hands: int = HANDS,
    is_late: Callable[[], bool] = lambda: False,
) -> Contrasts:
    """Return the smallest hands found that differ between two rulesets in whether they win, fan, points or payments.

    >>> from mjcli.ruleset import load_ruleset
    >>> capped, free = load_ruleset("jipinghu"), load_ruleset("jipinghu", {"cap": "4"})
    >>> found = contrasts(capped, free, example_lines(capped, ["123p456p77p66z,555z+6z"]), seed=1, hands=1).found
    >>> [(format_line(each.line), each.cause) for each in found]
    [('12345677p55566z+6z', ('score.plain',))]

    First every example is tried, then variations of examples, the first ones more often, and wins drawn at random. What
    was found is then made smaller, as far as the cause stays what it is or a part of it.

    Args:
        one: the first ruleset.
        other: the second.
        examples: hands to begin with, such as ``example_lines`` returns them.
        changed: ids of the patterns of which the rulesets say different things.
        seed: of the chance; the same seed, hands and examples give the same answer.
        hands: how many are tried at most.
        is_late: asked before each hand, whether to stop.
    """
    search = _Search(one, other, frozenset(f"patterns.{name}" for name in changed))
    wins = Wins(_tiles(one, other), {**other.forms, **one.forms}, _words(one, other))
    tried = differing = 0
    for line in _candidates(wins, examples, seed, hands):
        if is_late():
            break
        tried += 1
        found = search.contrast(line)
        if found is not None:
            differing += 1
            search.keep(found)
    for contrast in sorted(search.best.values(), key=lambda each: each.size)[:CAUSES_MADE_SMALL]:
        search.keep(search.smaller(contrast))
    return Contrasts(tried=tried, differing=differing, found=tuple(_by_cause(search.best.values())))


def _tiles(one: Ruleset, other: Ruleset) -> TileSet:
    """Return the tiles of either ruleset."""
    return TileSet(tuple(map(max, one.tiles.copies, other.tiles.copies)))


def _words(one: Ruleset, other: Ruleset) -> list[ExtraWord]:
    """Return the words of either ruleset; of one that both have, as the first has it."""
    return list({word.name: word for word in (*other.extra_words, *one.extra_words)}.values())


def _candidates(wins: Wins, examples: Sequence[Line], seed: int, hands: int) -> Iterator[Line]:
    yield from examples[:hands]
    for number in range(len(examples), hands):
        chance = Chance(seed, number)
        if examples and chance.below(4):
            line = examples[chance.below(1 + chance.below(len(examples)))]
            for _ in range(1 + chance.below(MOST_STEPS)):
                line = wins.varied(line, chance)
            yield line
        else:
            try:
                line = wins.drawn(chance)
            except HandError:
                return  # the tiles are too few for any
            yield line


class _Search:
    """Two rulesets, and the smallest hand found so far of each cause why they differ."""

    def __init__(self, one: Ruleset, other: Ruleset, changed: frozenset[str]) -> None:
        self.one, self.other, self.changed = one, other, changed
        self.best: dict[tuple[str, ...], Contrast] = {}

    def contrast(self, line: Line) -> Contrast | None:
        """Return what the two rulesets make of a hand; None if that does not differ."""
        one, other = _scored(line, self.one), _scored(line, self.other)
        cause = _cause(one, other)
        cause = tuple(each for each in cause if each in self.changed) or cause
        return Contrast(line=line, cause=cause, one=one, other=other) if cause else None

    def keep(self, found: Contrast) -> None:
        """Keep the smallest hand of each cause."""
        if found.cause not in self.best or found.size < self.best[found.cause].size:
            self.best[found.cause] = found

    def smaller(self, contrast: Contrast) -> Contrast:
        """Return a hand with the same cause, or a part of it, that none of the simpler hands is smaller than."""
        while True:
            others = [self.contrast(line) for line in simpler(contrast.line)]
            smaller = [
                each
                for each in others
                if each is not None and set(each.cause) <= set(contrast.cause) and each.size < contrast.size
            ]
            if not smaller:
                return contrast
            contrast = min(smaller, key=lambda each: each.size)


def _scored(line: Line, ruleset: Ruleset) -> Side:
    try:
        return score(line, ruleset)
    except InputError as error:
        return error


def _cause(one: Side, other: Side) -> tuple[str, ...]:
    """Return why two scores differ in what is paid; nothing if they do not."""
    if isinstance(one, InputError) or isinstance(other, InputError):
        errors = [side for side in (one, other) if isinstance(side, InputError)]
        return (errors[0].code,) if len(errors) == 1 else ()
    if one.best is None or other.best is None:
        forms = [side.best.reading.form for side in (one, other) if side.best is not None]
        return ("instant" if forms == ["unfinished"] else "forms",) if forms else ()
    if _paid(one) == _paid(other):
        return ()
    counted = [{each.pattern.id: (each.fan, each.count) for each in side.patterns} for side in (one, other)]
    names = dict.fromkeys((*counted[0], *counted[1]))
    patterns = sorted(name for name in names if counted[0].get(name) != counted[1].get(name))
    if patterns:
        return tuple(f"patterns.{name}" for name in patterns)
    steps = [name for name in one.steps if name in other.steps and one.steps[name] != other.steps[name]]
    if steps:
        return (f"score.{steps[0]}",)
    if one.can_win != other.can_win:
        return ("wins_if",)
    return ("pay" if one.liable == other.liable else "liability",)


def _paid(found: Score) -> tuple[object, ...]:
    return found.can_win, found.fan, found.points, dict(found.payments)


def _by_cause(found: Iterable[Contrast]) -> Iterator[Contrast]:
    """Yield the smallest first, and none whose cause those before it explain."""
    explained: set[str] = set()
    for contrast in sorted(found, key=lambda each: each.size):
        if not explained.issuperset(contrast.cause):
            explained.update(contrast.cause)
            yield contrast
