"""How the deals of a run begin, made many at once: deal for deal those of ``mjcli.dealing``."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mjcli.batch.deals import FIRST_BONUS, NO_TILE, deals
from mjcli.play import Start
from mjcli.ruleset.program import WallRules
from mjcli.tiles import PLAIN_KINDS

__all__ = ["starts"]


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
    players = rules.players
    dealt = 13 * players + 1
    for some in deals(rules, seed, count, start=first):
        kinds = some.hands >> 1
        counts = (kinds[..., None] == np.arange(PLAIN_KINDS, dtype=np.uint8)).sum(axis=2, dtype=np.uint8)
        orders = (some.drawing >> 1).tolist()
        rows = zip(
            some.dealt.tolist(), counts.tolist(), some.owners.tolist(), some.replaced.tolist(), orders, strict=True
        )
        for number, (hands, held, owners, replaced, order) in enumerate(rows, some.start):
            bonus: tuple[list[int], ...] = tuple(
                [key >> 1 for key in hand if FIRST_BONUS <= key < NO_TILE] for hand in hands
            )
            for place, owner in enumerate(owners[:replaced]):
                kind = order[len(order) - 2 - place + 2 * (place % 2)]
                if kind >= FIRST_BONUS >> 1:
                    bonus[owner].append(kind)
            yield Start(
                seed=seed,
                number=number,
                counts=tuple(held),
                bonus=tuple(map(sorted, bonus)),
                order=order,
                drawn=dealt,
                replaced=replaced,
                dead=rules.dead_wall,
            )
