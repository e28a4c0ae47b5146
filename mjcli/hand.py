"""A hand 手牌 with its winning tile, and the context of the win: what was said beside the tiles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from operator import attrgetter, gt
from typing import Final

from mjcli.errors import ContradictionError, HandError, amount
from mjcli.melds import Meld, MeldType, Relation, Seat
from mjcli.tiles import DEFAULT_SET, JOKER_KIND, KINDS, PLAIN_KINDS, TILES, Tile

__all__ = [
    "ASSUMED_ROUND",
    "ASSUMED_SEAT",
    "NO_CONTEXT",
    "Context",
    "Hand",
    "Line",
    "check_context",
    "check_winds",
    "with_winds",
]

ASSUMED_SEAT: Final = Seat.S
ASSUMED_ROUND: Final = Seat.E
"""The winds of a hand that is scored and does not say them."""

FULL_SETS: Final = 4
"""Sets of a complete hand, beside its pair."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """The tiles of one player.

    Raises:
        HandError: no such hand exists: ``empty``, ``too-many`` copies, or ``tile-count``.
    """

    concealed: tuple[Tile, ...] = ()
    """Sorted, without the winning tile and without bonus tiles."""
    melds: tuple[Meld, ...] = ()
    """In the order in which they were made; a kong added to a pung keeps the pung's place."""
    win: Tile | None = None
    """The winning tile, where it is known."""
    self_drawn: bool = False
    """Whether the winning tile was drawn by the player; False without a winning tile."""
    bonus: tuple[Tile, ...] = ()
    """Flowers, seasons, animals and heads laid aside, sorted."""
    last: Tile | None = field(default=None, compare=False, repr=False)
    """The concealed tile written last, which is taken as the winning tile of 14 tiles without one."""

    def __post_init__(self) -> None:
        if not (self.concealed or self.melds or self.win or self.bonus):
            raise HandError("empty", "no tiles")
        object.__setattr__(self, "concealed", tuple(sorted(self.concealed, key=_order)))
        if self.concealed and self.concealed[-1].is_bonus:
            raise HandError("tile-count", "bonus tiles stand apart from the tiles in play")
        if self.bonus:
            object.__setattr__(self, "bonus", tuple(sorted(self.bonus, key=_order)))
            if not self.bonus[0].is_bonus:
                raise HandError("tile-count", "bonus tiles stand apart from the tiles in play")
        if self.win is not None and self.win.is_bonus:
            raise HandError("tile-count", f"'{self.win}' is a bonus tile, which wins nothing")
        if self.self_drawn and self.win is None:
            raise HandError("tile-count", "without a winning tile nothing was drawn")
        counts = self.held()
        if max(counts) > 4 or (self.bonus and any(map(gt, counts, DEFAULT_SET.copies))):
            kind = next(kind for kind, count in enumerate(counts) if count > DEFAULT_SET.copies[kind])
            raise HandError(
                "too-many", f"{counts[kind]} copies of '{TILES[kind]}', where a set has {DEFAULT_SET.copies[kind]}"
            )
        count = self.tile_count
        if count > 14 or count % 3 == 0 or (self.win is not None and count % 3 != 2):
            raise HandError("tile-count", f"{amount(count, 'tile')}; a hand has 13, or 14 with the tile it wins on")

    @property
    def tile_count(self) -> int:
        """Concealed tiles, three for each meld, and the winning tile: 13 or 14 where all four sets are written."""
        return len(self.concealed) + 3 * len(self.melds) + (self.win is not None)

    @property
    def melds_assumed(self) -> int:
        """How many of the four sets are not written and taken as made."""
        return FULL_SETS - self.tile_count // 3

    @property
    def sets_needed(self) -> int:
        """How many sets the concealed tiles must make, 0-4."""
        return FULL_SETS - len(self.melds) - self.melds_assumed

    def won_on_last(self, *, self_drawn: bool) -> Hand:
        """Return this hand of 3n+2 tiles without a winning tile as won on the concealed tile written last.

        A hand with a winning tile, or of 3n+1 tiles, is returned as it is.
        """
        if self.win is not None or self.last is None or self.tile_count % 3 != 2:
            return self
        concealed = list(self.concealed)
        concealed.remove(self.last)
        return replace(self, concealed=tuple(concealed), win=self.last, self_drawn=self_drawn, last=None)

    def tiles(self) -> Iterator[Tile]:
        """Yield every tile of the hand: concealed, of melds as they lie, the winning tile, bonus tiles."""
        yield from self.concealed
        for meld in self.melds:
            yield from meld.tiles
        if self.win is not None:
            yield self.win
        yield from self.bonus

    def held(self) -> list[int]:
        """Return int[58]: copies of each kind that the player holds or shows, the winning tile included."""
        counts = [0] * KINDS
        for tile in self.concealed:
            counts[tile.kind] += 1
        for meld in self.melds:
            for kind in meld.kinds:
                counts[kind] += 1
        if self.win is not None:
            counts[self.win.kind] += 1
        for tile in self.bonus:
            counts[tile.kind] += 1
        return counts

    def counts(self) -> list[int]:
        """Return int[34]: copies of each suit tile and honour among the concealed tiles and the winning tile."""
        counts = [0] * PLAIN_KINDS
        for tile in self.concealed:
            if tile.kind < PLAIN_KINDS:
                counts[tile.kind] += 1
        if self.win is not None and self.win.kind < PLAIN_KINDS:
            counts[self.win.kind] += 1
        return counts

    @property
    def jokers(self) -> int:
        """How many jokers are among the concealed tiles and the winning tile."""
        found = int(self.win is not None and self.win.kind == JOKER_KIND)
        for tile in reversed(self.concealed):
            if tile.kind != JOKER_KIND:
                break  # they are sorted, jokers last
            found += 1
        return found


_order = attrgetter("order")


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What a line says beside the tiles: the closed list of words, and the words that a ruleset adds.

    Raises:
        ContradictionError: two of the words cannot both be true.
    """

    seat: Seat | None = None
    round: Seat | None = None
    self_draw: bool = False
    source: Relation | Seat | None = None
    """``from=``: who discarded, or whose kong was robbed."""
    last_tile: bool = False
    last_of_kind: bool = False
    kong_draw: int = 0
    """1 on the replacement after a kong, 2 on the second such in a row; else 0."""
    flower_draw: bool = False
    rob_kong: bool = False
    rob_own_kong: bool = False
    first_turn: bool = False
    clean_opponents: bool = False
    winners: int = 1
    liable: Relation | Seat | None = None
    seen: tuple[Tile, ...] = ()
    """Tiles seen elsewhere, sorted."""
    extra: tuple[tuple[str, bool | int | tuple[Tile, ...]], ...] = ()
    """Words that a ruleset defines, with their values, sorted by word."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "seen", tuple(sorted(self.seen, key=_order)))
        drawn = "the tile was drawn, not discarded"
        for first, second, both, why in (
            ("self-draw", "rob-kong", self.self_draw and self.rob_kong, "a robbed tile was not drawn"),
            ("self-draw", "from=", self.self_draw and self.source is not None, drawn),
            ("self-draw", "winners=", self.self_draw and self.winners > 1, "only a discard has several winners"),
            ("rob-kong", "rob-own-kong", self.rob_kong and self.rob_own_kong, "one's own kong is not another's"),
            ("rob-kong", "kong-draw", self.rob_kong and bool(self.kong_draw), "a robbed tile was not drawn"),
            ("rob-kong", "flower-draw", self.rob_kong and self.flower_draw, "a robbed tile was not drawn"),
            ("rob-kong", "last-tile", self.rob_kong and self.last_tile, "with an empty wall there is no kong"),
            ("rob-kong", "clean-opponents", self.rob_kong and self.clean_opponents, "the robbed player has a pung"),
            ("rob-kong", "first-turn", self.rob_kong and self.first_turn, "a pung was claimed before"),
            ("from=", "kong-draw", self.source is not None and bool(self.kong_draw), drawn),
            ("from=", "flower-draw", self.source is not None and self.flower_draw, drawn),
            ("from=", "rob-own-kong", self.source is not None and self.rob_own_kong, drawn),
            ("winners=", "kong-draw", self.winners > 1 and bool(self.kong_draw), drawn),
            ("winners=", "flower-draw", self.winners > 1 and self.flower_draw, drawn),
            ("winners=", "rob-own-kong", self.winners > 1 and self.rob_own_kong, drawn),
            ("first-turn", "last-tile", self.first_turn and self.last_tile, "the wall is full in the first turn"),
        ):
            if both:
                raise ContradictionError(first, second, why)
        if self.seat is not None:
            for word, other in (("from=", self.source), ("liable=", self.liable)):
                if other is self.seat:
                    raise ContradictionError("seat=", word, "that is the winner's own seat")


NO_CONTEXT: Final = Context()
"""The context of a line without words; one object, since most lines have it."""


def check_winds(context: Context) -> None:
    """Refuse a context in which somebody else has the seat that is assumed where none is said.

    Raises:
        ContradictionError: the discarder or the liable player would have the winner's assumed seat.
    """
    if context.seat is None:
        for word, other in (("from=", context.source), ("liable=", context.liable)):
            if other is ASSUMED_SEAT:
                why = "that is the winner's seat where none is said; say seat="
                raise ContradictionError(f"seat={ASSUMED_SEAT}", word, why)


def with_winds(context: Context) -> Context:
    """Return ``context`` with the winds that are assumed where they are not said.

    >>> with_winds(Context(round=Seat.W)).seat
    <Seat.S: 'S'>

    Raises:
        ContradictionError: as ``check_winds``.
    """
    check_winds(context)
    return replace(context, seat=context.seat or ASSUMED_SEAT, round=context.round or ASSUMED_ROUND)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A hand and its context, as one line of text gives them.

    Raises:
        ContradictionError: the context cannot be true of the hand.
        HandError: a fifth copy, the seen tiles included (``too-many``).
    """

    hand: Hand
    context: Context = NO_CONTEXT

    def __post_init__(self) -> None:
        check_context(self.hand, self.context)

    @property
    def self_drawn(self) -> bool:
        """Whether the win is by one's own draw, as the tiles or the words say."""
        context = self.context
        drawn = context.self_draw or context.kong_draw or context.flower_draw or context.rob_own_kong
        return self.hand.self_drawn or bool(drawn)


def check_context(hand: Hand, context: Context) -> None:
    """Refuse a context that cannot be true of ``hand``.

    Raises:
        ContradictionError: it cannot; the two things are named as a line of text writes them.
        HandError: with the seen tiles there is a fifth copy (``too-many``).
    """
    if context is NO_CONTEXT:
        return
    counts = hand.held()
    for tile in context.seen:
        counts[tile.kind] += 1
        if counts[tile.kind] > DEFAULT_SET.copies[tile.kind]:
            raise HandError("too-many", f"{counts[tile.kind]} copies of '{tile}', the seen tiles included")
    words = (
        ("self-draw", context.self_draw),
        ("kong-draw", bool(context.kong_draw)),
        ("flower-draw", context.flower_draw),
        ("rob-own-kong", context.rob_own_kong),
    )
    if hand.win is not None and not hand.self_drawn:
        for word, said in words:
            if said:
                raise ContradictionError(f"+{hand.win}", word, "a tile after one '+' was not drawn; write '++'")
    if hand.self_drawn:
        for word, said in (
            ("from=", context.source is not None),
            ("rob-kong", context.rob_kong),
            ("winners=", context.winners > 1),
        ):
            if said:
                raise ContradictionError(f"++{hand.win}", word, "a tile after '++' was drawn; write '+'")
    kongs = sum(meld.type is MeldType.KONG for meld in hand.melds)
    if context.kong_draw > kongs and not hand.melds_assumed:
        raise ContradictionError("kong-draw", "melds", f"{context.kong_draw} kongs drawn on, {kongs} in the hand")
    if context.first_turn and any(meld.exposed for meld in hand.melds):
        raise ContradictionError("first-turn", "melds", "a set was claimed")
    win = hand.win
    if win is None:
        return
    concealed = sum(tile.kind == win.kind for tile in hand.concealed)
    others = concealed + sum(meld.kinds.count(win.kind) for meld in hand.melds)
    for word, said in (("last-of-kind", context.last_of_kind), ("rob-kong", context.rob_kong)):
        if said and concealed:
            raise ContradictionError(word, f"{win}", f"another '{win}' is in the hand")
    if context.rob_kong and others:
        raise ContradictionError("rob-kong", f"{win}", f"the robbed player has all other '{win}'")
    if context.rob_own_kong and not any(
        meld.type is MeldType.PUNG and meld.first.kind == win.kind for meld in hand.melds
    ):
        raise ContradictionError("rob-own-kong", "melds", f"there is no claimed pung of '{win}'")
