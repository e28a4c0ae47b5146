"""The questions of ``mjcli.batch`` asked of hands with their melds, winning tiles and seen tiles, as of ``Hands``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mjcli.batch.distance import forms_shanten, shanten
from mjcli.batch.draws import Accepted, Discarded, Waiting, acceptance, discards, waits
from mjcli.batch.hands import (
    BONUS_BITS,
    BONUS_SHIFTS,
    FEEDER,
    JOKERS,
    MELD_TYPES,
    NO_TILE,
    PLAYERS,
    REDS,
    Hands,
)
from mjcli.batch.melds import melded_counts, melded_jokers, number_of_melds
from mjcli.forms import DEFAULT_FORMS, FormRules
from mjcli.melds import MeldType, Relation, Seat
from mjcli.tiles import JOKER_KIND, KINDS, PLAIN_KINDS, TileSet

if TYPE_CHECKING:
    from mjcli.ruleset.ruleset import Ruleset

__all__ = [
    "RankedDiscards",
    "acceptance_of",
    "discards_of",
    "fits",
    "forms_shanten_of",
    "number_of_tiles",
    "played",
    "shanten_of",
    "waits_of",
    "won_on",
]

Bytes = NDArray[np.uint8]


def number_of_tiles(hands: Hands) -> Bytes:
    """Return uint8[rows]: the tiles of each hand, three for each meld, the winning tile included."""
    tiles: Bytes = hands.counts.sum(axis=1, dtype=np.uint8) + hands.jokers + 3 * number_of_melds(hands.melds)
    return tiles


def fits(hands: Hands, tiles: TileSet) -> NDArray[np.bool_]:
    """Return bool[rows]: whether a set has all tiles of each hand, the seen ones included.

    >>> from mjcli.batch.hands import hands_of
    >>> from mjcli.notation import parse_line
    >>> fits(hands_of([parse_line("123m77z"), parse_line("123m77z1f")]), TileSet.of({"m": 4, "z": 4})).tolist()
    [True, False]

    Args:
        hands: as read.
        tiles: the set that a ruleset plays with.
    """
    copies = np.array(tiles.copies)
    held = hands.counts + melded_counts(hands.melds, hands.marks)
    seen = hands.context.get("seen", np.zeros((1, KINDS), np.uint8))
    found: NDArray[np.bool_] = (held + seen[:, :PLAIN_KINDS] <= copies[:PLAIN_KINDS]).all(axis=1)
    jokers = hands.jokers + melded_jokers(hands.melds, hands.marks)
    found &= jokers + seen[:, JOKER_KIND] <= copies[JOKER_KIND]
    reds = hands.reds.copy()
    suit = (hands.melds.astype(np.intp) - 1) % PLAIN_KINDS // 9
    for place in range(3):
        reds[:, place] += (REDS.of(hands.marks) * (suit == place)).sum(axis=1, dtype=np.uint8)
    found &= (reds <= np.array(tiles.reds)).all(axis=1)
    if hands.bonus.any() or seen[:, JOKER_KIND + 1 :].any():
        for kind, shift, bits in zip(range(JOKER_KIND + 1, KINDS), BONUS_SHIFTS, BONUS_BITS, strict=True):
            laid = hands.bonus >> np.uint32(shift) & np.uint32((1 << bits) - 1)
            found &= laid + seen[:, kind] <= copies[kind]
    return found


def played(hands: Hands, ruleset: Ruleset) -> NDArray[np.bool_]:
    """Return bool[rows]: whether it is sure that nothing of a hand is refused as foreign to a ruleset.

    It is not of hands with a joker in a kong, nor of those with words that only some hands or rulesets have.

    Args:
        hands: as read.
        ruleset: under which a question is asked of them.
    """
    found = fits(hands, ruleset.tiles)
    kinds, types = (hands.melds.astype(np.intp) - 1) % PLAIN_KINDS, (hands.melds.astype(np.intp) - 1) // PLAIN_KINDS
    suits = np.array([letter in ruleset.claimed_chows for letter in "mpsz"])
    found &= ~((types == MELD_TYPES.index(MeldType.CHOW)) & (hands.melds > 0) & ~suits.take(kinds // 9)).any(axis=1)
    found &= ~((types == MELD_TYPES.index(MeldType.KONG)) & (JOKERS.of(hands.marks) > 0)).any(axis=1)
    words = ["flower_draw"] if ruleset.liability else ["flower_draw", "liable"]
    if ruleset.players < len(Seat):
        found &= (FEEDER.of(hands.marks) != PLAYERS.index(Relation.ACROSS)).all(axis=1)
        words += ["seat", "source", "liable", "winners"]
    for word in words:
        if word in hands.context:
            found &= hands.context[word] == int(word == "winners")
    return found


def shanten_of(hands: Hands, forms: FormRules = DEFAULT_FORMS) -> NDArray[np.int8]:
    """Return the least shanten of each hand, as ``mjcli.batch.shanten`` does."""
    return shanten(hands.counts, forms, jokers=hands.jokers, melds=number_of_melds(hands.melds))


def forms_shanten_of(hands: Hands, forms: FormRules = DEFAULT_FORMS) -> dict[str, NDArray[np.int8]]:
    """Return the shanten of each hand for each form, as ``mjcli.batch.forms_shanten`` does."""
    return forms_shanten(hands.counts, forms, jokers=hands.jokers, melds=number_of_melds(hands.melds))


def waits_of(hands: Hands, forms: FormRules = DEFAULT_FORMS, tiles: TileSet | None = None) -> Waiting:
    """Return the tiles that complete each hand, which is answered as it was before its winning tile came.

    Forms, tiles and errors are those of ``mjcli.batch.waits``.
    """
    return waits(**_before_win(hands, tiles), forms=forms, tiles=tiles)


def acceptance_of(hands: Hands, forms: FormRules = DEFAULT_FORMS, tiles: TileSet | None = None) -> Accepted:
    """Return the tiles that bring each hand nearer, which is answered as it was before its winning tile came.

    Forms, tiles and errors are those of ``mjcli.batch.acceptance``.
    """
    return acceptance(**_before_win(hands, tiles), forms=forms, tiles=tiles)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedDiscards(Discarded):
    """Discards of which a red five is apart from a plain one."""

    key: NDArray[np.uint8]
    """uint8[rows]: the key of the tile that is discarded, ``Tile.order``."""


def discards_of(hands: Hands, forms: FormRules = DEFAULT_FORMS, tiles: TileSet | None = None) -> RankedDiscards:
    """Return every discard from each hand with the acceptance after it, best first.

    Forms, tiles and errors are those of ``mjcli.batch.discards``.
    """
    melds = number_of_melds(hands.melds)
    found = discards(hands.counts, _seen(hands, tiles), forms, jokers=hands.jokers, melds=melds, tiles=tiles)
    kind = found.kind.astype(np.intp)
    suit = np.minimum(kind // 9, 2)
    five = (kind < 27) & (kind % 9 == 4)
    reds = np.where(five, hands.reds[found.hand, suit], 0)
    both = (reds > 0) & (reds < hands.counts[found.hand, np.minimum(kind, PLAIN_KINDS - 1)])
    rows = np.repeat(np.arange(len(kind)), 1 + both)
    first = np.diff(rows, prepend=-1) > 0
    red = (reds > 0)[rows] & first
    return RankedDiscards(
        shanten=found.shanten[rows],
        left=found.left[rows],
        hand=found.hand[rows],
        kind=found.kind[rows],
        key=2 * found.kind[rows] + ~red,
    )


def _before_win(hands: Hands, tiles: TileSet | None) -> dict[str, Any]:
    """Return what the questions about draws take of each hand, as it was before its winning tile came."""
    counts, jokers = hands.counts, hands.jokers
    row = np.flatnonzero(hands.win != NO_TILE)
    if len(row):
        kind = hands.win[row] >> 1
        counts, jokers = counts.copy(), jokers.copy()
        plain = kind < PLAIN_KINDS
        counts[row[plain], kind[plain]] -= 1
        jokers[row[kind == JOKER_KIND]] -= 1
    return {"counts": counts, "seen": _seen(hands, tiles), "jokers": jokers, "melds": number_of_melds(hands.melds)}


def won_on(hands: Hands, row: NDArray[np.intp], kind: NDArray[np.intp]) -> Hands:
    """Return some of the hands, each as won on a tile of a kind, in place of its winning tile if it has one.

    Args:
        hands: of 13 tiles, or of 14 with the winning one.
        row: intp[some], which hands.
        kind: intp[some], the kinds, 34 for a joker.
    """
    some = hands.take(row)
    had = np.flatnonzero(some.win != NO_TILE)
    before = some.win[had].astype(np.intp)
    held, reds = np.column_stack((some.counts, some.jokers)), some.reds.copy()
    held[had, before >> 1] -= 1
    held[np.arange(len(row)), kind] += 1
    red = before % 2 == 0
    reds[had[red], before[red] // 18] -= 1
    won = (2 * kind + 1).astype(np.uint8)
    return replace(
        some,
        counts=np.ascontiguousarray(held[:, :PLAIN_KINDS]),
        jokers=held[:, JOKER_KIND].copy(),
        reds=reds,
        win=won,
        last=np.full_like(won, NO_TILE),
    )


def _seen(hands: Hands, tiles: TileSet | None) -> Bytes | None:
    """Return tiles in melds and those that are said to be seen, as the questions take them; None if there are none."""
    seen = hands.context.get("seen")
    kinds = PLAIN_KINDS if tiles is None else JOKER_KIND + 1
    if not hands.melds.any():
        return None if seen is None else seen[:, :kinds]
    found = melded_counts(hands.melds, hands.marks)
    if tiles is not None:
        found = np.column_stack((found, melded_jokers(hands.melds, hands.marks)))
    return found if seen is None else found + seen[:, :kinds]
