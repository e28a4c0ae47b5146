"""Comparing the engine with a plain scorer on many wins, for games with flowers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from random import Random
from typing import Any

from mjcli.notation import parse_line
from mjcli.ruleset import Ruleset, load_ruleset
from mjcli.scoring import Score, score
from tests.plain_wins import FlowerWin, PlainScore, texts


@cache
def _loaded(name: str, options: tuple[tuple[str, str], ...]) -> Ruleset:
    return load_ruleset(name, dict(options))


@dataclass
class Game:
    """A ruleset with its plain scorer, and what was counted so far."""

    name: str
    defaults: Mapping[str, Any]
    plain: Callable[[Any, Mapping[str, Any]], PlainScore | None]
    coverage: Counter[str] = field(default_factory=Counter)
    pairs: set[frozenset[str]] = field(default_factory=set)
    """Patterns that were counted together."""

    def engine(self, line: str, options: Mapping[str, Any]) -> Score:
        """Return what the engine says of a line under options that differ from the defaults."""
        ruleset = _loaded(self.name, tuple(sorted(texts(options).items())))
        return score(parse_line(line, tiles=ruleset.tiles), ruleset)

    def check(self, win: FlowerWin, options: Mapping[str, Any]) -> tuple[Score, PlainScore | None]:
        """Compare every part of the answer, note what counts, and return both answers."""
        line = win.line()
        expected = self.plain(win, {**self.defaults, **options})
        found = self.engine(line, options)
        about = f"{line} {options}"
        assert found.complete is (expected is not None), about
        if expected is None:
            return found, None
        values = (found.fan, found.fan_uncapped, found.points)
        assert values == (expected.fan, expected.uncapped, expected.points), about
        counts = {each.pattern.id: each.fan for each in found.patterns}
        taken = {each.pattern.id for each in found.excluded}
        assert any(counts == counted and rest in (None, taken) for counted, rest in expected.choices), about
        assert found.can_win == expected.can_win, about
        assert found.payments == expected.payments, about
        assert bool(found.liable) == expected.liable, about
        received = list(found.payments.values())
        others = len(_loaded(self.name, ()).seats) - 2
        assert sum(received) + (received[-1] * (others - 1) if "other" in found.payments else 0) == 0, about
        self.coverage.update([*counts, *["liable"] * bool(found.liable)])
        self.pairs.update(map(frozenset, combinations(counts, 2)))
        return found, expected

    def check_coverage(self, patterns: Iterable[str], least: int) -> None:
        """Print how often each pattern counted, and fail where one did less than ``least`` times."""
        wanted = (*patterns, "liable")
        print({pattern: self.coverage[pattern] for pattern in wanted})
        assert set(self.coverage) <= set(wanted)
        rare = {pattern: self.coverage[pattern] for pattern in wanted if self.coverage[pattern] < least}
        assert not rare, f"counted less than {least} times: {rare}"

    def check_never_together(self, never: Mapping[str, str]) -> None:
        """Fail where a pattern was counted together with one that must never be."""
        wrong = [(one, two) for one, others in never.items() for two in others.split() if {one, two} in self.pairs]
        assert wrong == []


def turns(rounds: int, themes: Sequence[str], sets: Sequence[Mapping[str, Any]]) -> Iterable[tuple[str, int]]:
    """Yield themes, each with the place of a set of options: every second time the defaults."""
    for turn in range(rounds):
        for place, theme in enumerate(themes):
            yield theme, 0 if turn % 2 else (turn // 2 + place) % len(sets)


def seeded(name: str) -> Random:
    """Return a source of chance that is always the same for a name."""
    return Random(name)


OF_THE_TABLE = {
    "abortive_draws",
    "break_inclusive",
    "break_wall",
    "dead_wall",
    "deals",
    "dice",
    "draw_keeps_deal",
    "ends_below_zero",
    "flower_order",
    "flower_sets",
    "jump_deal",
    "joker_claims",
    "kan_dora",
    "kan_ura",
    "multiple_ron",
    "multiple_winners",
    "nagashi_mangan",
    "passed_win",
    "riichi_kongs",
    "riichi_needs_points",
    "riichi_wall",
    "seating",
    "skip_dice",
    "start_points",
    "stop_after",
    "swap_calling",
    "tenpai_payments",
}
"""Options that change how a game is dealt and played and who deals next, but no score."""
