"""What compiling a ruleset yields, as plain data that can be cached and linked."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from mjcli.ruleset.combine import Entry
from mjcli.tiles import JOKER_KIND, TileSet

__all__ = [
    "HAND_SIZE",
    "IndicatorRules",
    "OptionValue",
    "Part",
    "PlayRules",
    "Program",
    "ReadyRules",
    "RiverRules",
    "RotationRules",
    "WallRules",
    "value_of",
]

HAND_SIZE: Final = 13
"""Tiles that each player is dealt; the dealer has one more."""

OptionValue = bool | int | str | tuple[int, ...]
"""A truth, a number, a word, or a list of numbers."""


class Part(NamedTuple):
    """One term of a pattern's condition: its text, the variable that holds its truth, and the words in it."""

    text: str
    value: Any
    """A variable's name, or a constant."""
    words: tuple[tuple[str, Any], ...] = ()
    """Text and variable of the numbers and names in it, for explanations."""
    templates: tuple[tuple[str, ...], ...] = ()
    """Of a template: the terms of each alternative."""
    others: tuple[str, ...] = ()
    """Of one that holds where nothing else counts: the patterns that must not."""


class Program(NamedTuple):
    """A compiled ruleset."""

    source: str
    steps: tuple[str, ...]
    """The results of ``evaluate``, in order; those that start with @ are preferences, winning and payments."""
    patterns: tuple[str, ...]
    """The ids of the patterns in play, in the order of the counts."""
    columns: tuple[str, ...]
    """The columns that it reads."""
    best: tuple[str, ...]
    """The steps that choose the reading, the first first."""
    tables: Mapping[str, tuple[int, ...]]
    combine: tuple[tuple[str, tuple[Entry, ...]], ...]
    """For chows (C) and for pungs (P): each pattern that combines once."""
    parts: Mapping[str, tuple[Part, ...]]
    """The terms of each pattern's condition."""
    takers: Mapping[str, tuple[tuple[str, str, Any], ...]]
    """Of each pattern: which others take it away, how (contains, excludes), and the variable that says whether."""
    fans: Mapping[str, Any]
    """The value of each pattern, each time it counts: a number, or the variable that holds it."""
    matched: Mapping[str, Any]
    """The variable that holds whether, or how often, each pattern matches."""
    texts: Mapping[str, str]
    """What the file says of each step of the score."""
    wins: tuple[Part, ...]
    """The terms of what a complete hand must reach to win."""
    instant: bool
    """Whether there are draws that win at once; the step @instant says which."""
    false_win: int | None
    """The fan of the self-draw for which who declares a win falsely pays; None where the file does not say."""
    refusals: tuple[str, ...]
    """Why a hand contradicts itself, in the order in which ``refused`` counts them."""
    liable_apart: bool
    """Whether payments have a role for the liable player, who is then never the one who pays what is 'named'."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WallRules:
    """How a wall is built, broken and dealt from, under certain options."""

    tiles: TileSet
    """Those that it is built of."""
    stacks: tuple[int, ...]
    """Of each side, E first."""
    throws: tuple[int, ...]
    """The number of dice of each throw: the dealer's, and the one by the player whom that one counts to."""
    opener: tuple[str, ...]
    """The throws (``first``, ``second``, ``least``: the least die) whose sum counts to the player whose wall is broken;
    empty if it is the dealer's."""
    skip: tuple[str, ...]
    """The throws whose sum is the number of stacks skipped from his right end."""
    inclusive: bool
    """Whether the last stack counted is the first taken."""
    jump: bool
    """Whether the dealer takes his last two tiles from the tops of two stacks 跳牌."""
    flower_order: str
    """``player``: each replaces until he has no flower; ``rounds``: each in turn, and round again."""
    dead_wall: int
    """Tiles kept back, always so many."""
    indicator: int
    """The stack, counted from the break into the dead wall, whose top tile is turned over; 0 for none."""

    @property
    def players(self) -> int:
        """How many players there are, three or four."""
        return len(self.stacks)

    @property
    def dealt(self) -> int:
        """How many tiles are dealt: each player's, and one more to the dealer."""
        return HAND_SIZE * self.players + 1

    @property
    def bonus_tiles(self) -> int:
        """How many tiles are laid out and replaced."""
        return sum(self.tiles.copies[JOKER_KIND + 1 :])


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadyRules:
    """How a player declares that he is ready 立直. Words are context words of the ruleset, as a line writes them."""

    word: str
    first_turn: str
    """The word of who declares in his first turn, before any claim or kong."""
    at_once: str | None
    """The word besides, until his next discard, while nobody claims or makes a kong."""
    deposit: int
    """Points that he lays on the table, for the next winner."""
    deposits: str | None
    """The word for how many deposits the winner takes."""
    wall: int
    """Tiles that must be left to draw."""
    points: bool
    """Whether, in a game, he needs the points of the deposit."""
    kongs: str
    """The kongs that he may still make: ``none``; ``same_waits``: a concealed one, of the tile drawn, that leaves what
    he waits for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndicatorRules:
    """The tiles turned over in the dead wall, as context."""

    word: str
    """The word for those turned over."""
    under: str | None
    """The word for the tiles under them, which count for who has declared ready."""
    kongs: str
    """``none``: kongs turn no more over; ``at_once``: each turns one over; ``after_discard``: a concealed one at once,
    the others with the next discard, or before the next kong."""
    under_kongs: bool
    """Whether the tiles under those that kongs turn over count too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RiverRules:
    """What a player is paid in a drawn deal who has discarded nothing but certain tiles, none of them claimed."""

    kinds: tuple[int, ...]
    """The kinds of the tiles, in order."""
    dealer: int
    """What the dealer pays him; each other player pays it to a dealer."""
    others: int
    """What each of the others pays him."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayRules:
    """How a deal is played, where rulesets differ, under certain options."""

    winners: str
    """``nearest``: of several who can win on a tile, the next after the discarder 截糊; ``all``: each 一炮多響."""
    passed_win: str
    """What passing a winning tile 過水 / 漏和 costs: ``none``: nothing; ``go_round``: no win on another such tile until
    the turn has passed from N to E; ``until_action``: until one's own next draw or claim; ``any_tile``: no win on any
    tile of another until one's own next discard, and none at all after one has declared ready."""
    rob_own_kong: bool
    """Whether a player who draws the tile for an added kong, and could win on it, may rob himself 自搶."""
    rob_concealed_kong: tuple[str, ...]
    """The forms of a hand that may rob even a concealed kong."""
    own_discards: bool = False
    """Whether who has discarded a tile that would complete his hand wins by draw only."""
    swap_calling: str = "free"
    """What may be discarded after a claim 食換: ``free``: anything; ``same_tile``: no tile like the claimed one;
    ``same_chow``: nor one that would have made the chow at its other end."""
    joker_claims: bool = False
    """Whether jokers from one's hand may stand in claimed chows and pungs."""
    most_kongs: int = 0
    """Kongs that can be made in a deal; 0 for as many as there are."""
    last_replacement: bool = True
    """Whether the replacement of a kong can be the last tile 海底."""
    ready: ReadyRules | None = None
    indicators: IndicatorRules | None = None
    counters: str | None = None
    """The context word for how many deals the dealer has stayed, or nobody has won, in a row."""
    fed_before: str | None = None
    """The context word of a winner by draw whose sets are all claimed, the last from who had fed another's before."""
    ready_hands: int = 0
    """Points that who is not ready when the wall ends pays, all together, to who is."""
    river: RiverRules | None = None
    aborts: tuple[str, ...] = ()
    """What ends a deal without a win, of ``mjcli.ruleset.model.ABORTS``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RotationRules:
    """Who deals next, and when a game ends, under certain options."""

    after_win: str
    """``stay``: a dealer who wins deals again; ``pass``: the next player; ``winner``."""
    after_draw: str
    """``stay``, ``pass``, ``last_drawer``, or ``ready``: the dealer if he is ready, else the next player."""
    rounds: int = 0
    """Of a game; 0 where there are none, and ``deals`` are counted."""
    deals: int = 0
    points: int = 0
    """That each player begins a game with; 0 where they are not counted."""
    ends_below_zero: bool = False
    """Whether a game ends when somebody has fewer than none."""
    seats: str = "winds"
    """How seats are chosen, a key of ``mjcli.seating.WAYS``."""


def value_of(variables: Mapping[str, Any], value: Any) -> Any:
    """Return what ``value``, as a ``Part`` or a ``Program`` holds it, is in one reading.

    Args:
        variables: of the generated source, by name, as ``evaluate`` returns them with ``detail``.
        value: the name of one of them, or a constant.
    """
    return variables.get(value, value) if isinstance(value, str) else value
