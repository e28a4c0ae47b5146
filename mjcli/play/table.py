"""The table while a deal is played: hands, melds, discards, what is left of the wall, and what each player may see.

Players are the numbers of their seats, 0-3 for E S W N; tiles are kinds. In the wall a red five has a kind of its own,
after all others; in hands it is a five, and counted among the red ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from mjcli.chance import Chance, Stream
from mjcli.melds import Meld, Seat
from mjcli.play.choices import FIVES
from mjcli.tiles import JOKER_KIND, KINDS, PLAIN_KINDS, Tile

if TYPE_CHECKING:
    from mjcli.dealing import Deal
    from mjcli.ruleset import Ruleset

__all__ = [
    "DEALER",
    "NO_STANDING",
    "SEATS",
    "Standing",
    "Start",
    "Supply",
    "Table",
    "View",
    "code_of",
    "kind_of",
    "start_of",
]

SEATS: Final = tuple(Seat)
DEALER: Final = 0
SETS: Final = 4
NO_REDS: Final = (0, 0, 0)


def code_of(tile: Tile) -> int:
    """Return the number of a tile in the wall: its kind, of red fives of m p s one of the three after all kinds."""
    return KINDS + tile.kind // 9 if tile.red else tile.kind


def kind_of(code: int) -> tuple[int, bool]:
    """Return the kind of a tile of the wall, and whether it is a red five.

    >>> kind_of(33), kind_of(59)
    ((33, False), (13, True))
    """
    return (code, False) if code < KINDS else (FIVES[code - KINDS], True)


class Standing(NamedTuple):
    """Where a game stands as a deal begins, as far as that matters in the deal."""

    counters: int = 0
    """How many deals in a row nobody has won but the dealer."""
    deposits: int = 0
    """How many deposits lie on the table."""
    points: tuple[int, ...] | None = None
    """What each player has, E first; None where that is not counted."""


NO_STANDING: Final = Standing()


class Start(NamedTuple):
    """A deal as its first turn begins: hands dealt, flowers replaced."""

    seed: int
    """0 where nothing was left to chance."""
    number: int
    """Of the deal in its run, 0 first."""
    counts: tuple[list[int], ...]
    """int[34] of each player: copies of each kind in his hand."""
    bonus: tuple[list[int], ...]
    """The bonus tiles that each has laid out."""
    order: Sequence[int]
    """The whole wall in the order of drawing, as ``code_of`` numbers tiles."""
    drawn: int
    """How many tiles were taken from its head."""
    replaced: int
    """How many were taken from its tail."""
    dead: int
    """How many are kept back."""
    reds: tuple[tuple[int, ...], ...] = ()
    """int[3] of each player: how many of his fives of m p s are red; nothing where there are none in the set."""
    jokers: tuple[int, ...] = ()
    """How many jokers each has; nothing where there are none in the set."""


def start_of(deal: Deal) -> Start:
    """Return a deal as the table takes it."""
    hands = list(deal.hands.values())
    held: list[list[int]] = []
    for hand in hands:
        kinds = [tile.kind for tile in hand]
        held.append([kinds.count(kind) for kind in range(JOKER_KIND + 1)])
    wall = deal.wall
    kinds = list(map(code_of, wall.tiles))
    reds = tuple(tuple(sum(tile.red and tile.suit == suit for tile in hand) for suit in "mps") for hand in hands)
    return Start(
        seed=deal.seed or 0,
        number=deal.index,
        counts=tuple(counts[:PLAIN_KINDS] for counts in held),
        bonus=tuple([tile.kind for tile in tiles] for tiles in deal.bonus.values()),
        order=kinds[2 * wall.first :] + kinds[: 2 * wall.first],
        drawn=wall.drawn,
        replaced=wall.replaced,
        dead=wall.dead,
        reds=reds if max(kinds) >= KINDS else (),
        jokers=tuple(counts[JOKER_KIND] for counts in held) if JOKER_KIND in kinds else (),
    )


class Supply:
    """The wall as far as players take from it: tiles from the head, replacements from the tail.

    It gives what ``mjcli.wall.Wall`` gives, without the places.
    """

    def __init__(self, start: Start) -> None:
        """
        Args:
            start: of the deal.
        """
        self._order, self._drawn, self._replaced = start.order, start.drawn, start.replaced
        self.left = max(len(start.order) - start.drawn - start.replaced - start.dead, 0)
        """How many tiles can still be taken."""

    def draw(self) -> int:
        """Return the next tile from the head; in the last stack, the top tile may be gone to the tail."""
        self.left -= 1
        place = self._drawn
        self._drawn += 1
        if self._replaced % 2 and self._tail(self._replaced - 1) == place:
            place += 1
        return self._order[place]

    def replacement(self) -> int:
        """Return the next tile from the tail, where the top of a stack comes first."""
        self.left -= 1
        place = self._tail(self._replaced)
        self._replaced += 1
        if place < self._drawn:
            place += 1
        return self._order[place]

    def _tail(self, number: int) -> int:
        return len(self._order) - 2 - number + 2 * (number % 2)


class Table:
    """Everything that the referee knows of a deal while it is played; nobody else changes it."""

    def __init__(
        self, ruleset: Ruleset, start: Start, round_wind: Seat | None, standing: Standing = NO_STANDING
    ) -> None:
        """
        Args:
            ruleset: by which it is played.
            start: how the deal begins.
            round_wind: None in games without rounds.
            standing: where the game stands.
        """
        self.players = players = len(start.counts)
        self.ruleset, self.start, self.round_wind, self.standing = ruleset, start, round_wind, standing
        self.copies = ruleset.tiles.copies[: JOKER_KIND + 1]
        self.supply = Supply(start)
        self.counts = [counts.copy() for counts in start.counts]
        """Copies of each kind among each player's concealed tiles."""
        self.reds = [list(reds) for reds in start.reds or [NO_REDS] * players]
        """How many fives of m p s among those are red."""
        self.jokers = list(start.jokers or [0] * players)
        """How many jokers each has besides."""
        self.bonus = [laid_out.copy() for laid_out in start.bonus]
        self.melds: list[list[Meld]] = [[] for _ in range(players)]
        """In the order in which they were made; a kong added to a pung keeps its place."""
        self.discards: list[list[int]] = [[] for _ in range(players)]
        """What each has discarded, in order, claimed tiles too."""
        self.history: list[tuple[int, int]] = []
        """Every discard in order, with who discarded it."""
        self.seen = [0] * (JOKER_KIND + 1)
        """Copies of each kind that lie open: discards and melds, a concealed kong too."""
        self.indicators: list[int] = []
        """The tiles that are turned over in the dead wall, in order, as the wall numbers them."""
        self.unclaimed = [True] * players
        """Whether nobody has claimed a discard of each."""
        self.declared: list[str | None] = [None] * players
        """The context word of each who has declared that he is ready."""
        self.declared_at: list[int | None] = [None] * players
        """How many tiles had been discarded then."""
        self.at_once = [False] * players
        """Whether each has declared so within a turn, and nobody has claimed or made a kong since."""
        self.deposits = standing.deposits
        """How many deposits lie on the table."""
        self.turns = [0] * players
        """How many turns each has had, by draw or by claim; the dealer's dealt hand is one of these."""
        self.ready_at: list[int | None] = [None] * players
        """The number of turns after which each was first ready."""
        self.drawn: int | None = None
        """What the player whose turn it is has drawn last; None after a claim, and of the dealt hand."""
        self.drawn_red = False
        """Whether that is a red five."""
        self.has_claimed = False
        """Whether he has his turn by a chow or a pung."""
        self.discarded: int | None = None
        """The tile that others may claim now."""
        self.discarded_red = False
        """Whether that is a red five."""
        self.is_kong = False
        """Whether that is the tile of a kong, which can only be robbed."""
        self.active = DEALER
        """Whose turn it is, or who has discarded."""
        self.kongs_in_a_row = 0
        """Kongs that the player whose turn it is has made without a discard between them."""
        self.by_flower = False
        """Whether his last draw replaced a flower."""
        self.last_kong: list[int | None] = [None] * players
        """The place among each player's melds of the kong that he made last."""
        self.last_fed: list[tuple[int, int]] = []
        """Of each player whose sets are all claimed: who fed the last of them, and he; as it happened."""

    def sets_needed(self, seat: int) -> int:
        """Return how many sets a player's concealed tiles must make."""
        return SETS - len(self.melds[seat])

    def reds_of(self, seat: int, kind: int) -> int:
        """Return how many of a player's concealed tiles of a kind are red fives."""
        return self.reds[seat][kind // 9] if kind in FIVES else 0

    def turn_over(self, first: int) -> int | None:
        """Turn over the next indicator, and return it; None where the dead wall has no more.

        Args:
            first: the stack from the break that has the first of them on top.
        """
        number = first + len(self.indicators)
        if 2 * number > self.start.dead:
            return None
        self.indicators.append(self.start.order[-2 * number])
        return self.indicators[-1]

    def under(self, first: int) -> list[int]:
        """Return the tiles under the indicators."""
        return [self.start.order[1 - 2 * (first + place)] for place in range(len(self.indicators))]


class View:
    """What one player may see of the table.

    Lists are new at every look, so that a player may change them while he thinks.
    """

    __slots__ = ("_chance", "_table", "seat")

    def __init__(self, table: Table, seat: int) -> None:
        """
        Args:
            table: of the deal.
            seat: the number of the player's seat.
        """
        self._table, self.seat = table, seat
        self._chance: Chance | None = None

    @property
    def ruleset(self) -> Ruleset:
        """By which the deal is played."""
        return self._table.ruleset

    @property
    def players(self) -> int:
        """How many players there are."""
        return self._table.players

    @property
    def round_wind(self) -> Seat | None:
        """The round wind 圈風; None in games without rounds."""
        return self._table.round_wind

    @property
    def left(self) -> int:
        """How many tiles can still be drawn."""
        return self._table.supply.left

    @property
    def hand(self) -> list[int]:
        """int[34]: copies of each kind among one's concealed tiles, the drawn one included."""
        return self._table.counts[self.seat].copy()

    @property
    def sets_needed(self) -> int:
        """How many sets one's concealed tiles must make."""
        return self._table.sets_needed(self.seat)

    @property
    def drawn(self) -> int | None:
        """The kind that one has drawn in this turn; None after a claim, of the dealt hand, and in the others' turns."""
        return self._table.drawn if self.is_my_turn else None

    @property
    def is_my_turn(self) -> bool:
        """Whether it is one's own turn; else another has discarded, or makes a kong."""
        return self._table.active == self.seat and self._table.discarded is None

    @property
    def discarded(self) -> int | None:
        """The kind that may be claimed or robbed now; None in one's own turn."""
        return self._table.discarded

    @property
    def active(self) -> int:
        """Whose turn it is, or who has discarded the tile that may be claimed."""
        return self._table.active

    @property
    def unseen(self) -> list[int]:
        """int[34]: copies of each kind that one sees neither on the table nor in one's hand."""
        table = self._table
        mine = table.counts[self.seat]
        left = [copies - own - seen for copies, own, seen in zip(table.copies, mine, table.seen, strict=False)]
        for code in table.indicators:
            left[kind_of(code)[0]] -= 1
        return left

    @property
    def reds(self) -> tuple[int, ...]:
        """int[3]: how many of one's concealed fives of m p s are red."""
        return tuple(self._table.reds[self.seat])

    @property
    def jokers(self) -> int:
        """How many jokers one has, which are not among the kinds of ``hand``."""
        return self._table.jokers[self.seat]

    @property
    def indicators(self) -> tuple[int, ...]:
        """The kinds of the tiles turned over in the dead wall, in order."""
        return tuple(kind_of(code)[0] for code in self._table.indicators)

    @property
    def points(self) -> tuple[int, ...] | None:
        """What each player had as the deal began; None where that is not counted."""
        return self._table.standing.points

    def has_declared(self, seat: int) -> bool:
        """Return whether a player has declared that he is ready."""
        return self._table.declared[seat] is not None

    @property
    def chance(self) -> Chance:
        """One's own source of chance, which depends on the seed, the deal and the seat alone."""
        if self._chance is None:
            start = self._table.start
            self._chance = Chance(start.seed, start.number, Stream(Stream.PLAYER_E + self.seat))
        return self._chance

    def melds(self, seat: int) -> tuple[Meld, ...]:
        """Return a player's melds, in the order in which they were made."""
        return tuple(self._table.melds[seat])

    def bonus(self, seat: int) -> tuple[int, ...]:
        """Return the bonus tiles that a player has laid out."""
        return tuple(self._table.bonus[seat])

    def discards(self, seat: int) -> tuple[int, ...]:
        """Return what a player has discarded, in order, claimed tiles too."""
        return tuple(self._table.discards[seat])

    def discards_after(self, seat: int) -> tuple[int, ...]:
        """Return what others have discarded since a player's last discard, in order."""
        history = self._table.history
        place = next((place for place in reversed(range(len(history))) if history[place][0] == seat), -1)
        return tuple(kind for _, kind in history[place + 1 :])

    def safe(self, seat: int) -> frozenset[int]:
        """Return the kinds that a player has discarded, or that have passed him since he declared that he is ready.

        Where that forbids a win on another's tile 振聽, he cannot win on one of these.
        """
        table = self._table
        found, place = set(table.discards[seat]), table.declared_at[seat]
        if place is not None:
            found.update(kind for _, kind in table.history[place:])
        return frozenset(found)

    def turns(self, seat: int) -> int:
        """Return how many turns a player has had, by draw or by claim; the dealer's dealt hand is one of these."""
        return self._table.turns[seat]
