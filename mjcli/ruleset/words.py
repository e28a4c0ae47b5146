"""The vocabulary of conditions: every word, what it means, and the columns that it reads.

The columns are those of ``mjcli.columns``: one for each suit 0-3 (m p s z), its nine ranks as octal digits. Sums of
digits are taken by casting out sevens (``x % 7`` is the sum of the octal digits of x where that is at most 6).
"""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from mjcli.columns import BONUS_SUITS, FORM_NUMBERS, ONES
from mjcli.columns import WAIT_NUMBERS as WAITS
from mjcli.errors import HandError
from mjcli.ruleset.emit import Type
from mjcli.tiles import PLAIN_KINDS, Suit, Tile

__all__ = [
    "FORMS",
    "FUNCTIONS",
    "OPERATORS",
    "OTHER_FUNCTIONS",
    "OWN_WORDS",
    "TILE_SETS",
    "WAITS",
    "WINDS",
    "WORDS",
    "Function",
    "Tiles",
    "Word",
    "bonus_count",
    "kinds",
    "masks",
]

FORMS: Final[Mapping[str, int]] = {form.replace("-", "_"): number for form, number in FORM_NUMBERS.items()}
"""The forms, by the number that the column ``form`` holds."""

WINDS: Final[Mapping[str, int]] = {"E": 1, "S": 2, "W": 3, "N": 4}
"""The winds, by the number that the columns ``seat`` and ``round`` hold."""


class Word(NamedTuple):
    """A word without arguments: its type, one line that explains it, and its source over the columns."""

    type: Type
    doc: str
    source: str


def _each(letter: str, suits: int = 4) -> str:
    return "(" + "+".join(f"{letter}{suit}" for suit in range(suits)) + ")"


_SUITS: Final = "((T0>0)*1+(T1>0)*1+(T2>0)*1)"
_HONOR_KINDS: Final = "((T3>>2|T3>>1|T3)&0o1111111)"
_ALL_RANKS: Final = "(T0|T1|T2|(T0|T1|T2)>>1|(T0|T1|T2)>>2)"
_HELD_BY_RANK: Final = "+".join(f"C{suit}+(C{suit}<<3)+(C{suit}<<6)+P{suit}+R{suit}" for suit in range(3))
_CLAIMED_TILES: Final = tuple(f"((C{suit}-D{suit})*0o111+3*L{suit})" for suit in range(3))
_OTHERS_CLAIMED: Final = (
    "((" + "|".join(f"{tiles}&{tiles}>>1&W{suit}" for suit, tiles in enumerate(_CLAIMED_TILES)) + "|L3&W3)!=0)"
)
"""A digit is 3 where its two low bits are set; a claimed kong leaves no tile to win on."""

WORDS: Final[Mapping[str, Word]] = {
    # sets and tiles
    "form": Word("form", f"the form of the hand: {', '.join(FORMS)} (a hand that wins by 'instant')", "form"),
    "chows": Word("number", "chows, claimed or not", _each("C", 3) + "%7"),
    "pungs": Word("number", "pungs and kongs", _each("P") + "%7"),
    "concealed_chows": Word("number", "chows that are not claimed", _each("D", 3) + "%7"),
    "concealed_pungs": Word(
        "number", "pungs and kongs that are not claimed, nor completed by another's discard", _each("Q") + "%7"
    ),
    "kongs": Word("number", "kongs of every kind", "kongs"),
    "concealed_kongs": Word("number", "concealed kongs", "concealed_kongs"),
    "claimed_kongs": Word("number", "kongs made at once from a discard", _each("G") + "%7"),
    "claimed": Word("number", "sets claimed from others, added kongs too", "claimed"),
    "claimed_pungs": Word("number", "pungs and kongs claimed from others, added kongs too", _each("L") + "%7"),
    "claimed_chows": Word("number", "chows claimed from others", "claimed_chows"),
    "melds": Word("number", "sets on the table, concealed kongs too", "melds"),
    "pairs": Word(
        "number",
        "pairs: 1 in the standard form, 7 in seven pairs (four alike are two)",
        "+".join(f"popc(R{suit}&{ONES})+2*popc(R{suit}&{2 * ONES})" for suit in range(4)),
    ),
    "suits": Word("number", "suits of characters, dots and bamboo in the hand", _SUITS),
    "types": Word(
        "number",
        "of the five types in the hand: three suits, winds, dragons",
        f"({_SUITS}+((T3&0o7777)>0)*1+((T3>>12)>0)*1)",
    ),
    "kinds": Word(
        "number",
        "different kinds of tile",
        "+".join(f"popc((T{suit}|T{suit}>>1|T{suit}>>2)&{ONES})" for suit in range(4)),
    ),
    "numbers": Word(
        "number",
        "different ranks, all winds being one more and all dragons one more",
        f"(popc({_ALL_RANKS}&{ONES})+((T3&0o7777)>0)*1+((T3>>12)>0)*1)",
    ),
    "kinds_of_honors": Word("number", "different winds and dragons", f"popc({_HONOR_KINDS})"),
    "shared_rank": Word(
        "truth",
        "some rank is in every set and in the pair",
        f"(((({_HELD_BY_RANK})>>2)&({_HELD_BY_RANK})&{ONES})!=0)&(form=={FORMS['standard']})",
    ),
    "honors": Word("truth", "there are winds or dragons", "T3>0"),
    "concealed": Word("truth", "nothing is claimed (a concealed kong claims nothing)", "claimed==0"),
    "red_fives": Word("number", "red fives", "red_fives"),
    # the wait
    "wait": Word(
        "wait",
        "the wait on the set that the winning tile went to in this reading: edge 12, closed 13, open 23, "
        "single (of the pair), pung, none",
        "wait",
    ),
    "waits": Word("number", "kinds waited on before the win, in any form; a kind held four times is none", "waits"),
    "all_waits": Word("number", "kinds waited on before the win, in any form; those held four times too", "all_waits"),
    # how it was won
    "self_drawn": Word("truth", "the winning tile was drawn", "self_drawn"),
    "last_tile": Word("truth", "the wall was empty: the last tile, or the discard after it", "last_tile"),
    "last_of_kind": Word("truth", "the other three were on the table", "last_of_kind"),
    "others_claimed": Word("truth", "the other three are in the winner's claimed sets", _OTHERS_CLAIMED),
    "kong_draw": Word("number", "1 on the replacement of a kong, 2 on the second in a row", "kong_draw"),
    "double_kong": Word("truth", "on the replacement of the second kong in a row", "kong_draw>=2"),
    "flower_draw": Word("truth", "on the replacement of a flower", "flower_draw"),
    "rob_kong": Word("truth", "another's added kong was robbed", "rob_kong"),
    "rob_own_kong": Word("truth", "one's own added kong was robbed", "rob_own_kong"),
    "clean_opponents": Word("truth", "no other player has a meld", "clean_opponents"),
    "first_turn": Word("truth", "nobody has claimed, and it is the winner's first turn", "first_turn"),
    "dealt": Word(
        "truth",
        "the dealer won with the tiles dealt, declaring no kong",
        "first_turn&self_drawn&(seat==1)&(melds==0)",
    ),
    "winners": Word("number", "players who win on this tile", "winners"),
    "from_dealer": Word(
        "truth", "the dealer discarded the winning tile: it is said, or S won on it in the first turn", "from_dealer"
    ),
    "discarder_known": Word("truth", "it is said who discarded the winning tile", "discarder_known"),
    "named_dealer": Word(
        "truth", "the dealer is known to pay what is 'named': he discarded, was robbed or is liable", "named_dealer"
    ),
    "liable": Word("truth", "somebody is liable and pays alone", "liable"),
    "seat": Word("wind", "the winner's wind", "seat"),
    "round": Word("wind", "the wind of the round", "round"),
    "dealer": Word("truth", "the winner is the dealer", "seat==1"),
    # bonus tiles
    "bonus_tiles": Word("number", "flowers, seasons and other bonus tiles", "bonus_tiles"),
    "own_flowers": Word("number", "flowers and seasons of the winner's own number", "own_flowers"),
    "full_flower_sets": Word("number", "full sets of four flowers, seasons, arts or trades", "full_flower_sets"),
    "jokers": Word("number", "jokers 飛 in the hand and its melds", "jokers"),
}

TILE_SETS: Final[Mapping[str, str]] = {
    "terminals": "19m19p19s",
    "honors": "1234567z",
    "ends": "19m19p19s1234567z",
    "simples": "2345678m2345678p2345678s",
    "winds": "1234z",
    "dragons": "567z",
    "suited": "123456789m123456789p123456789s",
    "green": "23468s6z",
}
"""Words for sets of tiles; ``seat`` and ``round`` stand for the tile of that wind."""


class Tiles(NamedTuple):
    """A set of tiles: one at each of its ranks in octal digits, for each suit, and winds known only with the hand."""

    masks: tuple[int, int, int, int]
    winds: tuple[str, ...] = ()
    """Variables of the generated source that hold such masks of honours."""

    def __or__(self, other: "Tiles") -> "Tiles":
        joined = [one | two for one, two in zip(self.masks, other.masks, strict=True)]
        return Tiles((joined[0], joined[1], joined[2], joined[3]), (*self.winds, *other.winds))

    def of(self, suit: int) -> str:
        """Return the source of the mask of one suit."""
        fixed = str(self.masks[suit])
        return f"({'|'.join((fixed, *self.winds))})" if suit == 3 and self.winds else fixed

    @property
    def suits(self) -> list[int]:
        """The suits of which it has tiles."""
        return [suit for suit in range(4) if self.masks[suit] or (suit == 3 and self.winds)]


def _tiles(text: str) -> list[Tile]:
    """Return tiles written out."""
    found = []
    ranks: list[int] = []
    for char in text:
        if char.isdigit():
            ranks.append(int(char))
        else:
            found += [Tile(Suit(char), rank) for rank in ranks]
            ranks = []
    return found


def kinds(text: str) -> list[int]:
    """Return the kinds of suit tiles and honours written out, in that order.

    >>> kinds("19m5z")
    [0, 8, 31]

    Raises:
        HandError: there is no such tile, or it is none of those.
    """
    found = _tiles(text)
    for each in found:
        if each.kind >= PLAIN_KINDS:
            why = "bonus_tiles(TILES) counts bonus tiles" if each.is_bonus else "'jokers' counts jokers"
            raise HandError("bad-tiles", f"'{each}' is no suit tile or honour; {why}")
    return [each.kind for each in found]


@lru_cache(maxsize=1 << 8)
def masks(text: str) -> tuple[int, int, int, int]:
    """Return the masks of tiles written out.

    >>> [oct(mask) for mask in masks("19m5z")]
    ['0o100000001', '0o0', '0o0', '0o10000']

    Raises:
        HandError: there is no such tile.
    """
    found = [0, 0, 0, 0]
    for kind in kinds(text):
        found[kind // 9] |= 1 << 3 * (kind % 9)
    return found[0], found[1], found[2], found[3]


def bonus_count(text: str) -> str:
    """Return the source of the number of bonus tiles of some kinds, written out such as ``1234a``.

    Raises:
        HandError: there is no such tile, or it is no bonus tile.
    """
    found = dict.fromkeys(range(len(BONUS_SUITS)), 0)
    for each in _tiles(text):
        if not each.is_bonus:
            raise HandError("bad-tiles", f"'{each}' is no bonus tile (they are f, g and a)")
        found[BONUS_SUITS.index(each.suit)] |= 1 << 3 * (each.rank - 1)
    return _copies("B", [(suit, str(mask)) for suit, mask in found.items() if mask])


def _copies(letter: str, masks: Iterable[tuple[int, str]]) -> str:
    """Return the source of the sum of digits of the columns of a letter, at the ranks of a mask for each suit."""
    planes = (1, 2, 4)
    return "+".join(f"{bit}*popc({letter}{suit}&({mask}*{bit}))" for suit, mask in masks for bit in planes) or "0"


class Function(NamedTuple):
    """A word with a set of tiles as its argument."""

    type: Type
    doc: str
    source: Callable[[Tiles], str]


def _count(letter: str) -> Callable[[Tiles], str]:
    def source(tiles: Tiles) -> str:
        return "+".join(f"popc({letter}{suit}&{tiles.of(suit)})" for suit in tiles.suits) or "0"

    return source


def _tile_count(tiles: Tiles) -> str:
    return _copies("T", [(suit, tiles.of(suit)) for suit in tiles.suits])


def _only(tiles: Tiles) -> str:
    return "(" + "|".join(f"(T{suit}&~({tiles.of(suit)}*7))" for suit in range(4)) + ")==0"


def _has(tiles: Tiles) -> str:
    return "(" + ("|".join(f"(T{suit}&({tiles.of(suit)}*7))" for suit in tiles.suits) or "0") + ")!=0"


def _every(tiles: Tiles) -> str:
    missing = []
    for suit in range(4):
        mask = tiles.of(suit)
        missing += [f"(P{suit}&~{mask})", f"(R{suit}&~({mask}*3))"]
        if suit < 3:
            missing.append(f"(C{suit}&~(({mask}|{mask}>>3|{mask}>>6)*7))")
    return f"(({'|'.join(missing)})==0)&(form<={FORMS['seven_pairs']})"  # the standard form comes before it


FUNCTIONS: Final[Mapping[str, Function]] = {
    "pungs": Function("number", "pungs and kongs of these tiles", _count("P")),
    "concealed_pungs": Function("number", "of them, not claimed nor completed by another's discard", _count("Q")),
    "claimed_pungs": Function("number", "of them, claimed from others, added kongs too", _count("L")),
    "kongs": Function("number", "kongs of these tiles", _count("K")),
    "claimed_kongs": Function("number", "of them, made at once from a discard", _count("G")),
    "concealed_kongs": Function(
        "number",
        "of them, concealed",
        lambda tiles: (
            "+".join(f"popc(K{suit}&{tiles.of(suit)})-popc(K{suit}&L{suit}&{tiles.of(suit)})" for suit in tiles.suits)
            or "0"
        ),
    ),
    "tiles": Function("number", "tiles of these kinds, all copies", _tile_count),
    "only": Function("truth", "the hand has no other tiles", _only),
    "has": Function("truth", "the hand has one of these tiles", _has),
    "every": Function("truth", "every set and the pair hold one of these tiles (standard form, seven pairs)", _every),
}

OTHER_FUNCTIONS: Final[Mapping[str, str]] = {
    "identical": "identical(n): kinds of chow held n times or more; identical(n, concealed): of those not claimed",
    "bonus_tiles": "bonus_tiles(TILES): bonus tiles of these kinds, written out such as 1234a, all copies",
    "held": "held(WORD): tiles of the hand that a context word of this ruleset names, one named twice counting twice",
    "said": "said(WORD): how many tiles a context word of this ruleset names",
    "min": "min(a, b ..): the least of some numbers",
    "max": "max(a, b ..): the greatest of some numbers; in steps, max(GROUP): the greatest value in a group",
    "up": "up(n, step): n rounded up to a multiple of step",
    "pick": "pick(TABLE, n): the number at place n of a table, from 0; past its end, the last",
    "sum": "in steps, sum(GROUP): the values in a group that count, summed; all is every group",
    "any": "in steps, any(GROUP): whether a pattern of the group counts",
    "count": "in steps, count(GROUP): how many patterns of the group count",
}
"""The functions whose arguments are no sets of tiles."""

OWN_WORDS: Final[Mapping[str, str]] = {
    "true": "always",
    "false": "never",
    "none": "the value of an option that has this word among its values: no limit, no such rule",
    "all": "every group, in steps and after 'otherwise'",
    "pair": "the pair, as in 'pair in TILES' (not in seven pairs)",
    "win": "the winning tile, as in 'win in TILES'",
}
"""What is neither a word of the hand nor a function."""

OPERATORS: Final[Mapping[str, str]] = {
    "and, or, not": "of conditions; a number that is not 0 holds",
    "==, !=, <, <=, >, >=": "comparisons, in chains too: 1 < n <= 3",
    "in, not in": "WORD in (a, b), pair in TILES, win in TILES, NUMBER in OPTION where the option is a list of numbers",
    "+, -, *": "of numbers",
    "//, %": "the quotient rounded down, and the remainder, by a number above 0",
    "**": "2 ** n, a power of 2",
    "A if C else B": "A where C holds, else B",
    "|": "joins tiles: winds | 19m",
    "( )": "what is reckoned first; the words after 'in'; what a function is of",
    ",": "between words after 'in', or between what a function is of",
}
"""The signs and reserved words of conditions, those of a kind together."""
