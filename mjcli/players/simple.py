"""The plainest players: one who does anything, and one who hurries."""

from __future__ import annotations

from collections.abc import Sequence

from mjcli.outlook import Outlook
from mjcli.play import PASS, WIN, Act, Choice, View
from mjcli.play.choices import ABORT, READY, ROB_OWN_KONG
from mjcli.ruleset import Ruleset

__all__ = ["Fast", "Random", "ends_or_declares", "inwards"]


class Random:
    """Does anything that is allowed, each choice as likely as the others, but wins when it can."""

    def __init__(self, ruleset: Ruleset) -> None:
        """
        Args:
            ruleset: does not matter to it.
        """
        del ruleset

    def choose(self, view: View, choices: Sequence[Choice]) -> Choice:
        """Return a win, or any of the choices."""
        return WIN if WIN in choices else choices[view.chance.below(len(choices))]


class Fast:
    """Hurries: lowest shanten first, then most live copies of what brings it nearer, then the outermost tile.

    It claims what brings it nearer, and wins when it can. Where ready can be declared it keeps its hand concealed, and
    declares.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        """
        Args:
            ruleset: whose forms it plays for.
        """
        self._outlook = Outlook(ruleset.forms)
        self._declares = ruleset.play is not None and ruleset.play.ready is not None

    def choose(self, view: View, choices: Sequence[Choice]) -> Choice:
        """Return what brings the hand nearest to complete."""
        if choices[0] == WIN:
            return WIN
        if view.is_my_turn:
            return ends_or_declares(choices) or self._of_turn(view, choices)
        return PASS if self._declares else self._of_claim(view, choices)

    def _of_turn(self, view: View, choices: Sequence[Choice]) -> Choice:
        hand, sets = view.hand, view.sets_needed
        least, helpful = self._outlook.discards(hand, sets, view.jokers)
        for choice in choices:
            if choice.act is Act.DISCARD:
                break
            if choice == ROB_OWN_KONG:
                return choice
            # a kong is made where it does not throw the hand back
            after = hand.copy()
            added = choice.act is Act.ADDED_KONG
            after[choice.kind] -= 1 if added else 4
            if self._outlook.missing(after, sets if added else sets - 1) <= least:
                return choice
        left = view.unseen
        discards = {choice.kind: choice for choice in reversed(choices) if choice.act is Act.DISCARD}
        best = [kind for kind in helpful if kind in discards]
        if not best:  # after a claim, or after declaring ready, none of them may be discarded
            return discards[min(discards, key=inwards)]
        return discards[min(best, key=lambda kind: (-sum([left[each] for each in helpful[kind]]), inwards(kind)))]

    def _of_claim(self, view: View, choices: Sequence[Choice]) -> Choice:
        hand, sets = view.hand, view.sets_needed
        claimed = view.discarded
        assert claimed is not None
        best, least = PASS, self._outlook.missing(hand, sets)
        for choice in choices:
            if choice == PASS:
                continue
            after = hand.copy()
            after[claimed] += 1
            kind = choice.kind
            if choice.act is Act.CHOW:
                for each in (kind, kind + 1, kind + 2):
                    after[each] -= 1
            else:
                after[kind] -= 4 if choice.act is Act.KONG else 3
            for each in choice.jokers:
                after[each] += 1
            found = self._outlook.missing(after, sets - 1) + len(choice.jokers)
            if found < least:
                best, least = choice, found
        return best


def ends_or_declares(choices: Sequence[Choice]) -> Choice | None:
    """Return the choice to end a deal with a bad hand, or to declare that one is ready; None if there is neither."""
    return next((choice for choice in (ABORT, READY) if choice in choices[:2]), None)


def inwards(kind: int) -> int:
    """Return how near to the middle of its suit a tile is; 0 of honours."""
    rank = kind % 9
    return min(rank, 8 - rank) + 1 if kind < 27 else 0
