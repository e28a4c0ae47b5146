"""Many hands of each class, and the forms that they are asked about, for the tests of ``mjcli.batch``."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from mjcli.batch.hands import Hands, hands_of
from mjcli.forms import DEFAULT_FORMS, RULES, FormRules
from mjcli.hand import Hand, Line
from mjcli.tiles import JOKER_KIND, TILES
from tests.hands import random_hand, ready_hand

__all__ = ["FORMS", "arrays_of", "many_hands"]

FORMS: tuple[FormRules, ...] = (
    DEFAULT_FORMS,
    {"seven-pairs": "four", "standard": "", "knitted-straight": "", "thirteen-unconnected": ""},
    *({form: rule} for form, rules in RULES.items() for rule in rules),
)
"""The three forms that count without a ruleset, some that rulesets count, and each form alone."""


def many_hands(rng: Random, name: str, count: int, tiles: int) -> list[Hand]:
    """Return hands of a class of 13 or 14 tiles, some of them ready and some with jokers."""
    found = []
    for place in range(count):
        hand = ready_hand(rng, name) if tiles == 13 and place % 4 == 0 else random_hand(rng, name, tiles)
        if place % 5 == 1:
            kept = rng.sample(hand.concealed, len(hand.concealed) - min(len(hand.concealed), rng.randint(1, 4)))
            jokers = [TILES[JOKER_KIND]] * (len(hand.concealed) - len(kept))
            hand = Hand(concealed=(*kept, *jokers), melds=hand.melds)
        found.append(hand)
    return found


def arrays_of(hands: Sequence[Hand]) -> Hands:
    """Return hands without contexts as arrays."""
    return hands_of([Line(hand=hand) for hand in hands])
