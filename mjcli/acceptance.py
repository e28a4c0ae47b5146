"""Waits 聽, acceptance 進張 and discards: which tiles complete a hand or bring it nearer, and how many are left.

A tile of which four copies are already concealed helps no form, since no target holds a fifth copy. Beyond that, what
helps depends on the concealed tiles alone; how many copies are left, on everything that can be seen: the hand, its
melds and the tiles seen elsewhere.

Jokers in the hand fill any missing tile. The joker as a tile to draw is listed only where ``tiles`` names a set that
has jokers: most games have none, so by default answers list suit tiles and honours.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from mjcli.errors import HandError, amount
from mjcli.forms import DEFAULT_FORMS, FormRules, helpful, missing
from mjcli.tiles import DEFAULT_SET, JOKER_KIND, PLAIN_KINDS, TILES, Tile, TileSet

if TYPE_CHECKING:
    from mjcli.hand import Hand

__all__ = ["Acceptance", "Discard", "Wait", "Waits", "acceptance", "discards", "waits"]

PLAIN_SET: Final = TileSet.of({"m": 4, "p": 4, "s": 4, "z": 4}, reds=(4, 4, 4))
"""What may be drawn where no set is named."""


@dataclass(frozen=True, slots=True)
class Wait:
    """A tile that helps, and how many copies of it are left."""

    tile: Tile
    left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Waits:
    """The tiles that complete a hand; all empty if it is not ready."""

    live: tuple[Wait, ...] = ()
    """Those with copies left, in the order of tiles."""
    dead: tuple[Tile, ...] = ()
    """Those of which every copy is in the hand, in its melds or seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Acceptance:
    """The tiles that bring a hand nearer; of a ready hand, those that complete it."""

    shanten: int
    accepts: tuple[Wait, ...]
    """Only tiles with copies left, in the order of tiles."""

    @property
    def kinds(self) -> int:
        """How many different tiles are accepted."""
        return len(self.accepts)

    @property
    def copies(self) -> int:
        """How many tiles are accepted, copies counted."""
        return sum(wait.left for wait in self.accepts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Discard(Acceptance):
    """A discard, and the acceptance of the hand after it."""

    tile: Tile
    """A red five is apart from a plain one."""


def waits(
    hand: Hand, seen: Iterable[Tile] = (), forms: FormRules = DEFAULT_FORMS, tiles: TileSet | None = None
) -> Waits:
    """Return the tiles that complete ``hand``, live and dead apart.

    >>> from mjcli.hand import Hand
    >>> from mjcli.tiles import tile
    >>> found = waits(Hand(concealed=tuple(map(tile, ("1m", "3m", "5z", "5z")))), seen=[tile("2m")] * 4)
    >>> found.live, [str(each) for each in found.dead]
    ((), ['2m'])

    Args:
        hand: one of 3n+1 tiles, or one with its winning tile, which is answered as it was before that tile came. One of
            3n+2 tiles has to discard first, and waits for nothing.
        seen: tiles seen elsewhere.
        forms: the forms that count, each with its rule.
        tiles: the set played with, for copies and for jokers; by default four of each suit tile and honour.

    Raises:
        HandError: with the seen tiles there are more copies of a tile than the set has (``too-many``).
        InputError: there is no such form, or no such rule of it (``bad-form``).
    """
    hand = _before_win(hand)
    left = _unseen(hand, seen, tiles)
    if hand.tile_count % 3 == 2:
        return Waits()
    distance, kinds = _helps(_Concealed.of(hand), forms)
    if distance != 1:
        return Waits()
    live = tuple(Wait(TILES[kind], left[kind]) for kind in kinds if left[kind])
    copies = (tiles or PLAIN_SET).copies
    return Waits(live=live, dead=tuple(TILES[kind] for kind in kinds if not left[kind] and copies[kind]))


def acceptance(
    hand: Hand, seen: Iterable[Tile] = (), forms: FormRules = DEFAULT_FORMS, tiles: TileSet | None = None
) -> Acceptance:
    """Return the tiles that bring ``hand`` nearer, with its shanten.

    >>> from mjcli.hand import Hand
    >>> from mjcli.tiles import tile
    >>> found = acceptance(Hand(concealed=tuple(map(tile, ("1m", "3m", "5z", "7z")))))
    >>> found.shanten, found.kinds, found.copies
    (1, 3, 10)

    Arguments and errors are those of ``waits``.

    Raises:
        HandError: besides, 3n+2 tiles without a winning tile (``tile-count``); its melds forbid every one of ``forms``
            (``bad-form``).
    """
    hand = _before_win(hand)
    if hand.tile_count % 3 == 2:
        raise HandError("tile-count", f"{amount(hand.tile_count, 'tile')}; of 3n+1, such as 13, a draw is accepted")
    left = _unseen(hand, seen, tiles)
    distance, kinds = _helps(_Concealed.of(hand), forms)
    return Acceptance(shanten=_shanten(distance), accepts=_accepts(kinds, left))


def discards(
    hand: Hand, seen: Iterable[Tile] = (), forms: FormRules = DEFAULT_FORMS, tiles: TileSet | None = None
) -> tuple[Discard, ...]:
    """Return every discard from ``hand`` with the acceptance after it, best first.

    The best leaves the lowest shanten, then accepts most copies, then most kinds, then comes first in the order of
    tiles. The discarded tile can be seen: it is none of the copies left.

    >>> from mjcli.hand import Hand
    >>> from mjcli.tiles import tile
    >>> found = discards(Hand(concealed=tuple(map(tile, ("1m", "2m", "3m", "5z", "7z")))), seen=[tile("5z")])
    >>> [(str(each.tile), each.shanten, each.copies) for each in found[:2]]
    [('5z', 0, 3), ('7z', 0, 2)]

    Args:
        hand: one of 3n+2 tiles; a winning tile among them is a tile like the others.
        seen: tiles seen elsewhere.
        forms: the forms that count, each with its rule.
        tiles: the set played with, for copies and for jokers; by default four of each suit tile and honour.

    Raises:
        HandError: 3n+1 tiles (``tile-count``); with the seen tiles there are more copies of a tile than the set has
            (``too-many``); its melds forbid every one of ``forms`` (``bad-form``).
        InputError: there is no such form, or no such rule of it (``bad-form``).
    """
    if hand.tile_count % 3 != 2:
        raise HandError("tile-count", f"{amount(hand.tile_count, 'tile')}; a discard is from 3n+2, such as 14")
    left = _unseen(hand, seen, tiles)
    concealed = _Concealed.of(hand)
    helps_after: dict[int, tuple[int | None, tuple[int, ...]]] = {}
    found = []
    for tile in sorted({*hand.concealed, *(() if hand.win is None else (hand.win,))}):
        if tile.kind not in helps_after:
            helps_after[tile.kind] = _helps(concealed.without(tile.kind), forms)
        distance, kinds = helps_after[tile.kind]
        found.append(Discard(tile=tile, shanten=_shanten(distance), accepts=_accepts(kinds, left)))
    return tuple(sorted(found, key=lambda each: (each.shanten, -each.copies, -each.kinds)))


class _Concealed(NamedTuple):
    """What the forms look at in a hand."""

    counts: list[int]
    jokers: int
    sets: int
    written: bool

    @classmethod
    def of(cls, hand: Hand) -> _Concealed:
        return cls(counts=hand.counts(), jokers=hand.jokers, sets=hand.sets_needed, written=not hand.melds_assumed)

    def without(self, kind: int) -> _Concealed:
        if kind == JOKER_KIND:
            return self._replace(jokers=self.jokers - 1)
        counts = self.counts.copy()
        counts[kind] -= 1
        return self._replace(counts=counts)


def _helps(concealed: _Concealed, forms: FormRules) -> tuple[int | None, tuple[int, ...]]:
    """Return the tiles missing for the nearest form, and the kinds that bring one of the nearest forms nearer."""
    counts, sets, written = concealed.counts, concealed.sets, concealed.written
    distances = {form: missing(counts, sets, form, rule, written=written) for form, rule in forms.items()}
    least = min((distance for distance in distances.values() if distance is not None), default=None)
    if least is None:
        return None, ()
    # One more tile brings a form nearer by one at most, so a form that is farther off now is not the nearest then.
    kinds = {
        kind
        for form, distance in distances.items()
        if distance == least
        for kind in helpful(counts, sets, form, forms[form])
    }
    return least - concealed.jokers, (*sorted(kinds), JOKER_KIND)


def _shanten(distance: int | None) -> int:
    if distance is None:
        raise HandError("bad-form", "the melds of this hand forbid every form that counts")
    return distance - 1


def _accepts(kinds: Iterable[int], left: list[int]) -> tuple[Wait, ...]:
    return tuple(Wait(TILES[kind], left[kind]) for kind in kinds if left[kind])


def _before_win(hand: Hand) -> Hand:
    return hand if hand.win is None else replace(hand, win=None, self_drawn=False)


def _unseen(hand: Hand, seen: Iterable[Tile], tiles: TileSet | None) -> list[int]:
    """Return int[35]: copies left of each kind and of the joker, which only a set named has to offer."""
    copies = (tiles or PLAIN_SET).copies
    left = hand.held()
    most = (tiles or DEFAULT_SET).copies
    for tile in seen:
        left[tile.kind] += 1
    for kind, count in enumerate(left):
        if count > most[kind]:
            raise HandError(
                "too-many", f"{count} copies of '{TILES[kind]}' in the hand and seen; there are {most[kind]}"
            )
    return [max(0, copies[kind] - left[kind]) for kind in range(PLAIN_KINDS + 1)]
