"""How the deals of a run begin, made many at once: deal for deal those of ``mjcli.dealing``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from mjcli.batch.deals import deals
from mjcli.batch.runs import NO_TILE
from mjcli.play import Start
from mjcli.ruleset.program import WallRules
from mjcli.tiles import JOKER_KIND, KINDS, PLAIN_KINDS, Suit, Tile

__all__ = ["starts"]

RED_FIVES: Final = np.array([Tile(suit, 5, red=True).order for suit in tuple(Suit)[:3]], dtype=np.uint8)

NO_KIND: Final = NO_TILE >> 1
"""In the place of a kind, where an array has no tile."""


def starts(rules: WallRules, seed: int, first: int, count: int) -> Iterator[Start]:
    """Yield the deals of a seed from number ``first`` on.

    Args:
        rules: how a ruleset deals.
        seed: 0 to 2**64 - 1.
        first: the number of the first deal.
        count: how many.

    Raises:
        InputError: the wall has too few tiles to replace all flowers (``wall-end``).
    """
    for some in deals(rules, seed, count, start=first):
        kinds = some.hands >> 1
        counts = (kinds[..., None] == np.arange(JOKER_KIND + 1, dtype=np.uint8)).sum(axis=2, dtype=np.uint8)
        drawing = some.drawing >> 1
        reds = np.zeros((*kinds.shape[:2], 0), dtype=np.uint8)
        if any(rules.tiles.reds):
            reds = (some.hands[..., None] == RED_FIVES).sum(axis=2, dtype=np.uint8)
            for suit, five in enumerate(RED_FIVES):
                drawing[some.drawing == five] = KINDS + suit
        columns = (some.numbers, counts, reds, some.bonus >> 1, drawing, some.replaced)
        rows = zip(*(column.tolist() for column in columns), strict=True)
        for number, held, red, bonus, order, replaced in rows:
            yield Start(
                seed=seed,
                number=number,
                counts=tuple([counts[:PLAIN_KINDS] for counts in held]),
                bonus=tuple([kind for kind in laid_out if kind < NO_KIND] for laid_out in bonus),
                order=order,
                drawn=rules.dealt,
                replaced=replaced,
                dead=rules.dead_wall,
                reds=tuple(map(tuple, red)) if any(rules.tiles.reds) else (),
                jokers=tuple([counts[JOKER_KIND] for counts in held]) if rules.tiles.copies[JOKER_KIND] else (),
            )
