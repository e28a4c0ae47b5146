"""Many hands as arrays, row n of each array being hand n: the values of ``mjcli.hand`` without an object for each.

A tile is named by its sorting key ``Tile.order``, as in ``mjcli.batch.deals``: half of it is the kind, and the key of a
red five is even.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjcli.hand import NO_CONTEXT, Context, Hand, Line
from mjcli.melds import Meld, MeldType, Relation, Seat
from mjcli.tiles import JOKER_KIND, KINDS, PLAIN_KINDS, TILES, Suit, Tile

__all__ = [
    "ADDED",
    "BONUS_BITS",
    "BONUS_SHIFTS",
    "CONTEXT",
    "EXPOSED",
    "FEEDER",
    "JOKERS",
    "MARK_BITS",
    "MELD_TYPES",
    "NO_TILE",
    "PLAYERS",
    "REDS",
    "Hands",
    "Mark",
    "birds_as_jokers",
    "hands_of",
    "lines_of",
    "meld_code",
    "meld_mark",
    "meld_of",
    "tile_of",
]

NO_TILE: Final = 255
"""Stands where there is no winning tile."""

MELD_TYPES: Final = tuple(MeldType)
"""A meld's code is 0 for none, else 1 + its lowest kind + 34 for a pung, 68 for a kong; see ``meld_code``."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One of the things that a mark says of a meld, as some of its bits."""

    shift: int
    mask: int

    def of(self, marks: NDArray[np.uint16]) -> NDArray[np.uint16]:
        """Return what each of ``marks`` says of it."""
        return (marks >> np.uint16(self.shift)) & np.uint16(self.mask)


EXPOSED: Final = Mark(0, 1)
ADDED: Final = Mark(1, 1)
FEEDER: Final = Mark(2, 3)
"""0 unknown, else 1, 2 or 3 for the right, opposite and left player."""
REDS: Final = Mark(4, 7)
JOKERS: Final = Mark(7, 7)
"""Of a chow one bit for each of its tiles that is a joker, the lowest first; else how many jokers there are."""

MARK_BITS: Final = 10
"""How many bits a mark has."""

BONUS_BITS: Final = (*[1] * 20, 2, 2, 3)
BONUS_SHIFTS: Final = tuple(sum(BONUS_BITS[:place]) for place in range(len(BONUS_BITS)))
"""For each of the kinds 35-57 how many bits of ``Hands.bonus`` hold its copies, and where they begin."""

PLAYERS: Final = (None, Relation.RIGHT, Relation.ACROSS, Relation.LEFT, *Seat)
"""What the numbers of ``source`` and ``liable`` say: nobody, a player by where he sits, or a seat."""

_RELATIONS: Final = PLAYERS[:4]
_SEATS: Final = (None, *Seat)

CONTEXT: Final[Mapping[str, type[np.generic]]] = {
    **dict.fromkeys(("seat", "round", "source", "liable", "kong_draw", "winners"), np.uint8),
    **dict.fromkeys(("self_draw", "last_tile", "last_of_kind", "flower_draw"), np.bool_),
    **dict.fromkeys(("rob_kong", "rob_own_kong", "first_turn", "clean_opponents"), np.bool_),
}
"""The columns that ``Hands.context`` may have, and their types; beside them ``seen``, uint8[rows, 58] by kind.

``seat`` and ``round`` are 1-4 for E, S, W, N and 0 where they are not said.
"""

_NAMES: Final[Mapping[str, tuple[Any, ...]]] = {"seat": _SEATS, "round": _SEATS, "source": PLAYERS, "liable": PLAYERS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Hands:
    """Some hands with the context of each."""

    counts: NDArray[np.uint8]
    """uint8[rows, 34]: copies of each kind among the concealed tiles, the winning tile included, jokers not."""
    melds: NDArray[np.uint8]
    """uint8[rows, 4]: the code of each meld in their order, 0 after the last."""
    marks: NDArray[np.uint16]
    """uint16[rows, 4]: what else is said of each meld, as ``meld_mark`` gives it; 0 where there is none."""
    win: NDArray[np.uint8]
    """uint8[rows]: the key of the winning tile; 255 where it is not known."""
    last: NDArray[np.uint8]
    """uint8[rows]: the key of the concealed tile that is the winning one of 3n+2 tiles without any; else 255."""
    drawn: NDArray[np.bool_]
    """bool[rows]: whether the winning tile is marked as drawn."""
    reds: NDArray[np.uint8]
    """uint8[rows, 3]: the red fives of each suit among ``counts``."""
    jokers: NDArray[np.uint8]
    """uint8[rows]: jokers among the concealed tiles and the winning tile."""
    bonus: NDArray[np.uint32]
    """uint32[rows]: copies of each bonus tile, in the bits that ``BONUS_SHIFTS`` tells."""
    context: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    """Columns by the fields of ``mjcli.hand.Context``; a column is left out where no hand says anything of it."""
    extra: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    """Columns by the words that a ruleset adds: bool[rows], int64[rows], or of tiles uint8[rows, 58] by kind."""

    def __len__(self) -> int:
        return len(self.win)

    def take(self, rows: NDArray[np.intp] | slice) -> Hands:
        """Return some of the hands, in the order of ``rows``; a slice gives views."""
        columns = {
            each.name: getattr(self, each.name)[rows] for each in fields(self) if each.name not in ("context", "extra")
        }
        return Hands(
            **columns,
            context={name: column[rows] for name, column in self.context.items()},
            extra={name: column[rows] for name, column in self.extra.items()},
        )


def meld_code(meld: Meld) -> int:
    """Return the number that stands for the type and the tiles of a meld.

    >>> from mjcli.tiles import tile
    >>> [meld_code(Meld(type=each, first=tile("2m"))) for each in MeldType]
    [2, 36, 70]
    """
    return 1 + meld.first.kind + PLAIN_KINDS * MELD_TYPES.index(meld.type)


def meld_mark(meld: Meld) -> int:
    """Return the number that stands for what is said of a meld beside its type and tiles.

    >>> from mjcli.tiles import tile
    >>> meld_mark(Meld(type=MeldType.KONG, first=tile("2m"), added=True, feeder=Relation.LEFT))
    15
    """
    if meld.type is MeldType.CHOW:
        jokers = sum(1 << joker.kind - meld.first.kind for joker in meld.jokers)
    else:
        jokers = len(meld.jokers)
    return (
        meld.exposed << EXPOSED.shift
        | meld.added << ADDED.shift
        | _RELATIONS.index(meld.feeder) << FEEDER.shift
        | meld.reds << REDS.shift
        | jokers << JOKERS.shift
    )


def hands_of(lines: Sequence[Line]) -> Hands:
    """Return lines as arrays.

    >>> from mjcli.notation import parse_line
    >>> hands_of([parse_line("123m456p789s1z,777z+1z")]).win
    array([55], dtype=uint8)

    Args:
        lines: as ``mjcli.notation.parse_line`` returns them. That some of the seen tiles, or of the tiles that a
            ruleset's word names, are red is not kept.
    """
    size = len(lines)
    return Hands(
        counts=np.array([line.hand.counts() for line in lines], np.uint8).reshape(size, PLAIN_KINDS),
        melds=_padded([[meld_code(meld) for meld in line.hand.melds] for line in lines], np.uint8),
        marks=_padded([[meld_mark(meld) for meld in line.hand.melds] for line in lines], np.uint16),
        win=np.array([_key(line.hand.win) for line in lines], np.uint8),
        last=np.array([_key(line.hand.last) for line in lines], np.uint8),
        drawn=np.array([line.hand.self_drawn for line in lines], np.bool_),
        reds=np.array([_reds(line.hand) for line in lines], np.uint8).reshape(size, 3),
        jokers=np.array([line.hand.jokers for line in lines], np.uint8),
        bonus=np.array([_bonus(line.hand) for line in lines], np.uint32),
        context=_context([line.context for line in lines]),
        extra=_extra([line.context for line in lines]),
    )


def _padded(rows: list[list[int]], dtype: type[np.generic]) -> NDArray[Any]:
    return np.array([[*row, 0, 0, 0, 0][:4] for row in rows], dtype).reshape(len(rows), 4)


def _key(tile: Tile | None) -> int:
    return NO_TILE if tile is None else tile.order


def _reds(hand: Hand) -> list[int]:
    tiles = hand.concealed if hand.win is None else (*hand.concealed, hand.win)
    suits = [tile.suit for tile in tiles if tile.red]
    return [suits.count(suit) for suit in (Suit.CHARACTERS, Suit.DOTS, Suit.BAMBOO)]


def _bonus(hand: Hand) -> int:
    return sum(1 << BONUS_SHIFTS[tile.kind - JOKER_KIND - 1] for tile in hand.bonus)


def _context(contexts: Sequence[Context]) -> dict[str, NDArray[Any]]:
    columns: dict[str, NDArray[Any]] = {}
    for name, dtype in CONTEXT.items():
        values = [getattr(context, name) for context in contexts]
        default = getattr(NO_CONTEXT, name)
        if any(value != default for value in values):
            numbers = [_NAMES[name].index(value) for value in values] if name in _NAMES else values
            columns[name] = np.array(numbers, dtype)
    if any(context.seen for context in contexts):
        columns["seen"] = np.array([_by_kind(context.seen) for context in contexts], np.uint8)
    return columns


def _extra(contexts: Sequence[Context]) -> dict[str, NDArray[Any]]:
    columns: dict[str, NDArray[Any]] = {}
    for row, context in enumerate(contexts):
        for name, value in context.extra:
            tiles = isinstance(value, tuple)
            if name not in columns:
                dtype = np.uint8 if tiles else np.bool_ if isinstance(value, bool) else np.int64
                columns[name] = np.zeros((len(contexts), KINDS) if tiles else len(contexts), dtype)
            columns[name][row] = _by_kind(value) if isinstance(value, tuple) else value
    return columns


def _by_kind(tiles: Sequence[Tile]) -> list[int]:
    counts = [0] * KINDS
    for tile in tiles:
        counts[tile.kind] += 1
    return counts


def lines_of(hands: Hands) -> list[Line]:
    """Return the line that each row holds: the inverse of ``hands_of``.

    >>> from mjcli.notation import format_line, parse_line
    >>> format_line(lines_of(hands_of([parse_line("123m456p789s1z,777z+1z seat=W")]))[0])
    '123m456p789s1z,777z+1z seat=W'

    Raises:
        HandError: a row holds what no hand can be.
        ContradictionError: its context cannot be true.
    """
    return [Line(hand=_hand(hands, row), context=_context_of(hands, row)) for row in range(len(hands))]


def _hand(hands: Hands, row: int) -> Hand:
    counts, reds = hands.counts[row].tolist(), hands.reds[row].tolist()
    win, last = tile_of(int(hands.win[row])), tile_of(int(hands.last[row]))
    concealed: list[Tile] = []
    for kind, count in enumerate(counts):
        red = reds[kind // 9] if kind < 27 and kind % 9 == 4 else 0
        concealed += [TILES[kind]] * (count - red)
        concealed += [Tile(TILES[kind].suit, 5, red=True) for _ in range(red)]
    concealed += [TILES[JOKER_KIND]] * int(hands.jokers[row])
    if win is not None:
        concealed.remove(win)
    bonus = []
    for place, (shift, bits) in enumerate(zip(BONUS_SHIFTS, BONUS_BITS, strict=True)):
        bonus += [TILES[JOKER_KIND + 1 + place]] * (int(hands.bonus[row]) >> shift & (1 << bits) - 1)
    melds = zip(hands.melds[row].tolist(), hands.marks[row].tolist(), strict=True)
    return Hand(
        concealed=tuple(concealed),
        melds=tuple(meld_of(code, mark) for code, mark in melds if code),
        win=win,
        self_drawn=bool(hands.drawn[row]),
        bonus=tuple(bonus),
        last=last,
    )


def birds_as_jokers(hands: Hands, bird: int | None) -> Hands:
    """Return hands in which the tiles of a kind are jokers, as rulesets read them whose sets have no jokers beside.

    Args:
        hands: as they were read.
        bird: the kind, as of ``mjcli.tiles.TileSet``; of None, and where no hand has such a tile, they are returned as
            they are.
    """
    seen = hands.context.get("seen")
    if bird is None or not (hands.counts[:, bird].any() or (seen is not None and seen[:, bird].any())):
        return hands
    counts, key, joker = hands.counts.copy(), TILES[bird].order, TILES[JOKER_KIND].order
    counts[:, bird] = 0
    context = dict(hands.context)
    if seen is not None:
        context["seen"] = seen.copy()
        context["seen"][:, JOKER_KIND] += seen[:, bird]
        context["seen"][:, bird] = 0
    return replace(
        hands,
        counts=counts,
        jokers=hands.jokers + hands.counts[:, bird],
        win=np.where(hands.win == key, np.uint8(joker), hands.win),
        last=np.where(hands.last == key, np.uint8(joker), hands.last),
        context=context,
    )


def tile_of(key: int) -> Tile | None:
    """Return the tile that a key names; None for 255."""
    if key == NO_TILE:
        return None
    tile = TILES[key >> 1]
    return tile if key & 1 else Tile(tile.suit, tile.rank, red=True)


def meld_of(code: int, mark: int) -> Meld:
    """Return the meld that a code and a mark stand for."""
    kind = (code - 1) % PLAIN_KINDS
    meld_type = MELD_TYPES[(code - 1) // PLAIN_KINDS]
    jokers = mark >> JOKERS.shift & JOKERS.mask
    if meld_type is MeldType.CHOW:
        stands = [TILES[kind + place] for place in range(3) if jokers >> place & 1]
    else:
        stands = [TILES[kind]] * jokers
    return Meld(
        type=meld_type,
        first=TILES[kind],
        exposed=bool(mark >> EXPOSED.shift & EXPOSED.mask),
        added=bool(mark >> ADDED.shift & ADDED.mask),
        feeder=_RELATIONS[mark >> FEEDER.shift & FEEDER.mask],
        reds=mark >> REDS.shift & REDS.mask,
        jokers=tuple(stands),
    )


def _context_of(hands: Hands, row: int) -> Context:
    values: dict[str, Any] = {}
    for name, column in hands.context.items():
        value = column[row].tolist()
        values[name] = _named(value) if name == "seen" else _NAMES[name][value] if name in _NAMES else value
    extra: list[tuple[str, Any]] = []
    for name, column in hands.extra.items():
        value = column[row].tolist()
        said = _named(value) if isinstance(value, list) else value
        if said:
            extra.append((name, said))
    return Context(**values, extra=tuple(sorted(extra))) if values or extra else NO_CONTEXT


def _named(counts: list[int]) -> tuple[Tile, ...]:
    return tuple(TILES[kind] for kind, count in enumerate(counts) for _ in range(count))
