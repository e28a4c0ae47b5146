"""Hands to be scored in arrays, of every kind and context, and what is asked of an answer for it to be the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any, Final

from mjcli.batch.scores import NOT_COMPLETE, TOLD, Scores
from mjcli.columns import FORM_NUMBERS, WAIT_NUMBERS
from mjcli.errors import InputError
from mjcli.hand import Line
from mjcli.notation import parse_line
from mjcli.ruleset import Ruleset
from mjcli.scoring import Score, score
from mjcli.tiles import JOKER_KIND
from tests import random_malaysia_3p, random_wins
from tests.plain import random_win
from tests.random_hands import random_line

WRONG: Final = 0.04
"""The share of hands of which nothing is held back, so that rulesets refuse some of them."""
JOKERS: Final = 0.9
"""Up to which share hands are of themes with jokers, under rulesets that have any."""
THEMED: Final = 0.4
"""Up to which share hands are of themes that bring up liabilities and great hands."""


Answer = Score | InputError


def answer_to(line: Line, ruleset: Ruleset) -> Answer:
    """Return the answer for one hand, or why there is none."""
    try:
        return score(line, ruleset)
    except InputError as error:
        return error


def random_answers(
    rng: Random, count: int, extra: Mapping[str, tuple[Any, ...]], ruleset: Ruleset
) -> Iterator[tuple[Line, Answer]]:
    """Yield complete hands of every form, now and then without a mark on the winning tile, and a few that are none.

    Args:
        rng: the only source of chance.
        count: how many.
        extra: the values of a ruleset's words, as ``tests.plain.random_win`` takes them.
        ruleset: under which they are scored.
    """
    while count:
        kind = rng.random()
        if kind < WRONG / 2:
            line = random_line(rng)
        elif kind < JOKERS and ruleset.tiles.copies[JOKER_KIND]:
            line = joker_line(rng, ruleset)
        elif kind < THEMED:
            line = parse_line(random_wins.random_win(rng, rng.choice(list(random_wins.THEMES))).line())
        else:
            line = random_win(rng, dict(extra))
        if rng.random() < 0.1:
            line = unmarked(line) or line
        answer = answer_to(line, ruleset)
        if isinstance(answer, Score) or rng.random() < WRONG:
            count -= 1
            yield line, answer


def joker_line(rng: Random, ruleset: Ruleset) -> Line:
    """Return a hand of a ruleset like malaysia-3p, complete or one tile from it, with up to four jokers."""
    themes = list(random_malaysia_3p.THEMES)
    while True:
        win = random_malaysia_3p.joker_win(rng, rng.choice(themes), ruleset.options, near=rng.random() < WRONG)
        try:
            return parse_line(win.line(), extra=ruleset.extra_words, tiles=ruleset.tiles)
        except InputError:
            continue  # of a tile that is not right there are five


def unmarked(line: Line) -> Line | None:
    """Return a line whose winning tile is only written last; None where that contradicts what it says."""
    hand = line.hand
    if hand.win is None or hand.self_drawn:
        return None
    try:
        return replace(line, hand=replace(hand, concealed=(*hand.concealed, hand.win), win=None, last=hand.win))
    except InputError:
        return None


def differences(scores: Scores, paid: Any, row: int, ruleset: Ruleset, expected: Score) -> list[Any]:
    """Return in what a row differs from the answer for one hand."""
    best = expected.best
    found: list[Any] = []

    def compare(what: str, value: Any, wanted: Any) -> None:
        if value != wanted:
            found.append((what, value, wanted))

    compare("complete", bool(scores.complete[row]), expected.complete)
    compare("can_win", bool(scores.can_win[row]), expected.can_win)
    if best is None:
        compare("form", int(scores.form[row]), NOT_COMPLETE)
        compare("steps", scores.steps[:, row].any() or scores.counts[:, row].any(), False)
        return found
    for name, value in best.steps.items():
        compare(name, int(scores.step(name)[row]), value)
    for name in ("fan", "fan_uncapped", "points"):
        compare(name, int(getattr(scores, name)[row]), getattr(expected, name))
    counted = {each.pattern.id: (each.count, each.fan) for each in expected.patterns}
    for info, count, fan in zip(ruleset.patterns, scores.counts[:, row], scores.fans[:, row], strict=True):
        compare(info.id, (int(count), int(count) * int(fan)), counted.get(info.id, (0, 0)))
    compare("form", int(scores.form[row]), FORM_NUMBERS[best.reading.form])
    compare("wait", int(scores.wait[row]), WAIT_NUMBERS[best.reading.wait])
    compare("win", int(scores.win[row]), 0 if best.reading.win is None else best.reading.win.kind)
    stands = [tile.kind for tile in best.reading.jokers]
    compare("jokers", scores.jokers[:, row].tolist(), [*stands, -1, -1, -1, -1][:4])
    compare("payments", paid[:, row].tolist(), payments_in_order(expected, ruleset.players))
    rules = {rule.id: place for place, rule in enumerate(ruleset.liability)}
    compare("liable", int(scores.liable[row]), rules.get(expected.liable, TOLD if expected.liable else -1))
    return found


def payments_in_order(score: Score, players: int) -> list[int]:
    """Return payments as arrays hold them."""
    found = score.payments
    if not found:
        return [0] * players
    if "E" in found:
        return list(found.values())
    others = [found["other"]] * (players - 2)
    others[0] += found.get("liable", 0)
    return [found["winner"], found["discarder"], *others]
