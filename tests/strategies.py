"""Players for tests; those with a fault are wrong on purpose."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from mjcli.play import PASS, Act, Choice, View
from mjcli.players.simple import Fast
from mjcli.ruleset import Ruleset


class Moody(Fast):
    """Plays fast, but does anything else now and then: passes wins, claims and makes kongs for no reason."""

    def choose(self, view: View, choices: Sequence[Choice]) -> Choice:
        if view.chance.below(4) == 0:
            rest = [choice for choice in choices if choice.act is not Act.DISCARD] or choices
            return rest[view.chance.below(len(rest))]
        return super().choose(view, choices)


class Raises:
    def __init__(self, ruleset: Ruleset) -> None:
        del ruleset

    def choose(self, view: View, choices: Sequence[Choice]) -> Choice:
        raise LookupError(f"lost {len(choices)} choices of {view.seat}")


class Cheats(Raises):
    def choose(self, view: View, choices: Sequence[Choice]) -> Choice:
        del choices
        missing = next(kind for kind, count in enumerate(view.hand) if not count)
        return PASS if not view.is_my_turn else Choice(Act.DISCARD, missing)


class Answers(Raises):
    def choose(self, view: View, choices: Sequence[Choice]) -> Choice:
        del view, choices
        return "east"  # type: ignore[return-value]


class AnswersBare(Raises):
    """Answers what is equal to a choice, but is none."""

    def choose(self, view: View, choices: Sequence[Choice]) -> Choice:
        del view
        return tuple(choices[0])  # type: ignore[return-value]


class NamesNoTile(Raises):
    def choose(self, view: View, choices: Sequence[Choice]) -> Choice:
        del view, choices
        return Choice(Act.DISCARD, 99)


class Quits(Raises):
    def choose(self, view: View, choices: Sequence[Choice]) -> Choice:
        sys.exit(len(choices) + view.seat)


class Meddles(Fast):
    """Changes every list that it is given, which must not matter."""

    def choose(self, view: View, choices: Sequence[Choice]) -> Choice:
        found = super().choose(view, choices)
        view.hand[0] += 4
        view.unseen.clear()
        if isinstance(choices, list):
            choices.clear()
        return found


class Talks(Fast):
    """Prints what it does."""

    def choose(self, view: View, choices: Sequence[Choice]) -> Choice:
        found = super().choose(view, choices)
        print(found)
        return found


class CannotBeMade:
    def __init__(self, ruleset: Ruleset) -> None:
        raise ZeroDivisionError(ruleset.id)


class QuitsAtOnce:
    def __init__(self, ruleset: Ruleset) -> None:
        sys.exit(ruleset.players)


class HasNoChoice:
    def __init__(self, ruleset: Ruleset) -> None:
        del ruleset
