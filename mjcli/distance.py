"""Shanten 向聽: how far a hand is from being ready, -1 complete, 0 ready."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from mjcli.errors import HandError
from mjcli.forms import DEFAULT_FORMS, ORPHANS, FormRules, distances
from mjcli.hand import Hand
from mjcli.suits import SPECIAL_FIELDS, load
from mjcli.tiles import DEFAULT_SET, JOKER_KIND

__all__ = ["forms_shanten", "shanten", "shanten_of_text"]

MOST_REMEMBERED: Final = 1 << 16
"""How many suits a memo holds before it starts afresh; a suit takes about 150 bytes."""

TOTAL: Final = 32
"""Facts of a suit are one number: its class in the byte of its place, from this bit on its number of tiles ..."""
SPECIAL: Final = 40
"""... and from this one on its share of the index into ``Tables.special``. The facts of four suits add up."""


class _SuitFacts(dict[bytes, int]):
    """The facts of one suit by its counts, worked out at first sight."""

    def __init__(self, place: int) -> None:
        self.place = place
        self.ranks = 9 if place < 3 else 7
        self.orphans = [kind - 9 * place for kind in ORPHANS if kind // 9 == place]

    def __missing__(self, counts: bytes) -> int:
        if len(counts) != self.ranks:
            raise HandError("bad-tiles", "a hand needs 34 counts, one for each kind of suit tile and honour")
        if max(counts) > 4:
            raise HandError("too-many", f"{max(counts)} copies of one tile; there are 4")
        tables = load()
        key = int("".join(map(str, counts)), 5)
        orphans = [counts[rank] for rank in self.orphans]
        facts = (tables.suit if self.place < 3 else tables.honors)[key] << 8 * self.place
        facts += sum(counts) << TOTAL
        for start, number in zip(
            SPECIAL_FIELDS,
            (_held(counts, 2), _held(counts, 1), _held(orphans, 1), _held(orphans, 2)),
            strict=True,
        ):
            facts += number << SPECIAL + start
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        self[counts] = facts
        return facts


class _RunFacts(dict[str | None, int]):
    """The same facts by a suit as text, such as ``2205m``; None is a suit of no tiles."""

    def __missing__(self, run: str | None) -> int:
        if run is None:
            return 0
        digits = run[:-1].replace("0", "5")
        facts = _SUITS["mpsz".index(run[-1])][bytes(map(digits.count, "1234567" if run[-1] == "z" else "123456789"))]
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        self[run] = facts
        return facts


def _held(counts: Sequence[int], copies: int) -> int:
    return sum(count >= copies for count in counts)


_SUITS: Final = tuple(map(_SuitFacts, range(4)))
_CHARACTERS, _DOTS, _BAMBOO, _HONORS = _SUITS
_RUNS: Final = _RunFacts()
_COMPACT: Final = re.compile("([0-9]{1,14}m)?([0-9]{1,14}p)?([0-9]{1,14}s)?([1-7]{1,14}z)?")


def shanten(hand: Hand | str | Sequence[int], jokers: int = 0) -> int:
    """Return the least shanten of a hand over the standard form, seven different pairs and thirteen orphans.

    >>> shanten([1] * 9 + [0] * 18 + [4, 0, 0, 0, 0, 0, 0]), shanten("123456789m1111z")
    (1, 1)

    Args:
        hand: a hand; or a text, as ``shanten_of_text`` reads it; or int[34], 0-4 each: the concealed tiles and the
            winning tile. With fewer than 13 tiles the other sets are melds or taken as made, and only the standard form
            counts.
        jokers: how many jokers are among the tiles besides, 0-4; a text or a hand has its own.

    Returns:
        -1 complete, 0 ready, and so on.

    Raises:
        HandError: a number is out of range (``too-many``, ``bad-tiles``), or of tiles there are no 3n+1 or 3n+2 up
            to 14 (``tile-count``).
        NotationError: the text is no hand.

    Source: the suit classes of ``mjcli.suits``; each suit is one look-up in a memo, as are both specials together.
    """
    if isinstance(hand, str):
        return shanten_of_text(hand)
    if isinstance(hand, Hand):
        return _least(hand)
    try:
        held = bytes(hand)
    except ValueError:
        raise HandError("bad-tiles", "a count is 0-4") from None
    if not 0 <= jokers <= DEFAULT_SET.copies[JOKER_KIND]:
        raise HandError("too-many", f"{jokers} jokers; there are {DEFAULT_SET.copies[JOKER_KIND]}")
    facts = _CHARACTERS[held[:9]] + _DOTS[held[9:18]] + _BAMBOO[held[18:27]] + _HONORS[held[27:]]
    return _shanten_of_facts(facts, jokers)


def shanten_of_text(text: str) -> int:
    """Return the least shanten of the hand that ``text`` says, over the forms of ``shanten``.

    >>> shanten_of_text("123m456p77z")
    -1

    Any notation that ``mjcli.notation.parse_hand`` reads is read; the plainest, each of m p s z once and in this order,
    without a parse.

    Raises:
        NotationError: the text is no hand.
    """
    compact = _COMPACT.fullmatch(text)
    if compact is not None:
        m, p, s, z = compact.groups()
        try:
            return _shanten_of_facts(_RUNS[m] + _RUNS[p] + _RUNS[s] + _RUNS[z], 0)
        except HandError:
            pass  # the parser names the place
    from mjcli.notation import parse_hand

    return _least(parse_hand(text))


def _least(hand: Hand) -> int:
    return min(number for number in forms_shanten(hand).values() if number is not None)


def forms_shanten(hand: Hand, forms: FormRules = DEFAULT_FORMS) -> dict[str, int | None]:
    """Return the shanten of ``hand`` for each of ``forms``, None where its melds forbid the form.

    >>> from mjcli.hand import Hand
    >>> from mjcli.tiles import tile
    >>> forms_shanten(Hand(concealed=(tile("7z"), tile("7z"))))
    {'standard': -1, 'seven-pairs': None, 'thirteen-orphans': None}

    Raises:
        InputError: there is no such form, or no such rule of it (``bad-form``).
    """
    return {form: None if tiles is None else tiles - 1 for form, tiles in distances(hand, forms).items()}


def _shanten_of_facts(facts: int, jokers: int) -> int:
    total = (facts >> TOTAL & 255) + jokers
    if total > 14 or not total % 3:
        raise HandError("tile-count", f"{total} tiles; a hand has 3n+1 or 3n+2, at most 14")
    _, _, two_suits, suit_honors, missing, special = load()
    tiles = missing[total // 3][two_suits[facts & 65535] << 8 | suit_honors[facts >> 16 & 65535]]
    if total > 12 and special[facts >> SPECIAL] < tiles:
        tiles = special[facts >> SPECIAL]
    return tiles - jokers - 1
