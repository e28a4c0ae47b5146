"""The odds of one hand by its own draws: the chance to be ready and to win by each, and what is received on average.

Everything is by straight play (``mjcli.simulate.straight``): the hand draws from the tiles that nobody has seen, those
of the other players among them, and wins by its own draw alone; nobody claims, discards or wins meanwhile, and no kongs
are made. Bonus tiles are replaced as they come, and so do not count as draws. Up to two tiles from ready that is worked
out exactly. Farther away some rows of draws are played: until the hand is one from ready its discards are those that
leave most copies to draw, and what is to be expected from there is worked out exactly again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjcli.chance import Chance
from mjcli.errors import HandError, InputError
from mjcli.hand import ASSUMED_SEAT, NO_CONTEXT, Context, Hand, Line
from mjcli.outlook import JokerOutlook, Outlook
from mjcli.ruleset import Ruleset
from mjcli.scoring import score
from mjcli.simulate.intervals import Z, rate
from mjcli.simulate.straight import AIMS, Future, StraightPlay
from mjcli.tiles import JOKER_KIND, PLAIN_KINDS, TILES, Tile

__all__ = ["DRAWS", "EXACT", "SAMPLES", "DiscardOdds", "Interval", "Odds", "odds"]

DRAWS: Final = 18
"""About as many as one of four players has in a deal."""

SAMPLES: Final = 200
"""Rows of draws that are played where the hand is too far from ready."""

EXACT: Final = 2
"""The shanten up to which chances are exact."""

EXACT_FROM: Final = 1
"""The shanten from which on they are worked out for a row of draws."""

DIGITS: Final = 9
"""Decimals by which discards are compared."""

OF_ONE_WIN: Final = (
    ("from=", "source"),
    ("last-tile", "last_tile"),
    ("last-of-kind", "last_of_kind"),
    ("kong-draw", "kong_draw"),
    ("flower-draw", "flower_draw"),
    ("rob-kong", "rob_kong"),
    ("rob-own-kong", "rob_own_kong"),
    ("first-turn", "first_turn"),
    ("winners=", "winners"),
)
"""Words that tell how a hand is won, with the fields of the context that hold them."""


class Interval(NamedTuple):
    """What holds a number 95 times of 100."""

    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscardOdds:
    """What is to be expected after one discard."""

    tile: Tile | None
    """What is discarded; None of 3n+1 tiles, which draw first. Of red and plain fives the plain one goes first."""
    shanten: int
    """After the discard."""
    ready: tuple[float, ...]
    """The chance to be ready by the first, second .. draw."""
    win: tuple[float, ...]
    """The chance to have won by it."""
    value: float | None
    """What is received on the average, where a hand that has not won by the last draw receives nothing; None if sets
    of the hand are taken as made."""
    samples: int = 0
    """How many rows of draws were played; none if all is exact."""
    ready_within: tuple[Interval, ...] = ()
    """The intervals of ``ready``; none if it is exact."""
    win_within: tuple[Interval, ...] = ()
    value_within: Interval | None = None
    """None of one row of draws too, which tells nothing of how far values differ."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Odds:
    """The odds of one hand."""

    unseen: int
    """How many tiles may be drawn."""
    shanten: int
    """Of the hand as it is; -1 if it is complete."""
    discards: tuple[DiscardOdds, ...]
    """Best first, by the aim."""
    assumed: tuple[tuple[str, str], ...] = ()
    """Context that was not said and on which values depend."""


def odds(
    line: Line,
    ruleset: Ruleset,
    *,
    draws: int = DRAWS,
    aim: str = "win",
    samples: int = SAMPLES,
    seed: int = 0,
    exact: int = EXACT,
) -> Odds:
    """Return what is to be expected of a hand, after each of its discards if it has 3n+2 tiles.

    >>> from mjcli.notation import parse_line
    >>> from mjcli.ruleset import load_ruleset
    >>> found = odds(parse_line("123m456p789s1155z"), load_ruleset("jipinghu"), draws=2).discards[0]
    >>> found.ready, [round(chance, 4) for chance in found.win], found.samples
    ((1.0, 1.0), [0.0325, 0.0642], 0)

    Args:
        line: the hand, with its melds, seen tiles and winds; a winning tile is a tile like the others.
        ruleset: says which hands may win, and what they receive.
        draws: how many tiles are drawn.
        aim: what discards make most of, ``win`` or ``value``.
        samples: how many rows of draws are played for a discard after which the hand is farther than ``exact``.
        seed: where their chance starts; they are the same for each discard.
        exact: the shanten up to which nothing is left to chance.

    Raises:
        HandError: the line tells how the hand is won (``contradiction``), its melds forbid every form, or there are
            fewer unseen tiles than draws (``tile-count``).
        InputError: the ruleset has a form that cannot be asked so (``bad-form``); no such aim.
    """
    if aim not in AIMS:
        raise InputError("bad-aim", f"no aim '{aim}' (aims are {', '.join(AIMS)})")
    for word, field in OF_ONE_WIN:
        if getattr(line.context, field) != getattr(NO_CONTEXT, field):
            raise HandError("contradiction", f"'{word}' tells how a hand is won, but the odds are those of any draw")
    hand = line.hand
    left = _unseen(line, ruleset)
    unseen = sum(left)
    if draws > unseen:
        raise HandError("tile-count", f"{draws} draws, where {unseen} tiles are unseen")
    worth = _Worth(line, ruleset)
    play = StraightPlay(_outlook(ruleset), hand.sets_needed, worth.of_win, unseen=unseen, draws=draws, aim=aim)
    held = bytes(hand.counts() + ([hand.jokers] if _has_jokers(ruleset) else []))
    hands: list[tuple[Tile | None, bytes]] = [(None, held)]
    if hand.tile_count % 3 == 2:
        hands = [(_thrown(hand, kind), _less(held, kind)) for kind, count in enumerate(held) if count]
    rows = list(_rows(left, draws, samples, seed)) if any(play.missing(each) - 1 > exact for _, each in hands) else []
    found = []
    for tile, each in hands:
        shanten = play.missing(each) - 1
        if shanten <= exact:
            futures = play.future(each, bytes(left))[:1]
        else:
            futures = np.stack([_played(play, each, left, row) for row in rows])
        found.append(_summed(futures, tile, shanten, valued=not hand.melds_assumed, exact=shanten <= exact))
    found.sort(key=lambda each: _rank(each, aim), reverse=True)
    shanten = play.missing(held) - 1
    return Odds(unseen=unseen, shanten=shanten, discards=tuple(found), assumed=worth.assumed)


def _has_jokers(ruleset: Ruleset) -> bool:
    """Return whether hands are counts of jokers too."""
    return ruleset.tiles.copies[JOKER_KIND] > 0


def _outlook(ruleset: Ruleset) -> Outlook:
    if not _has_jokers(ruleset):
        return Outlook(ruleset.forms)
    return JokerOutlook(ruleset.forms, ruleset.tiles.copies)


def _rank(found: DiscardOdds, aim: str) -> tuple[float, float]:
    """Return what discards are compared by, what cannot be told apart being equal."""
    won, value = round(found.win[-1], DIGITS), round(found.value or 0.0, DIGITS)
    return (won, value) if aim == "win" else (value, won)


class _Worth:
    """What wins receive."""

    def __init__(self, line: Line, ruleset: Ruleset) -> None:
        self._hand, self._ruleset = line.hand, ruleset
        self._context: Context = replace(line.context, self_draw=False, seen=())
        self._seat = line.context.seat or ASSUMED_SEAT
        tiles = [*self._hand.concealed, *([] if self._hand.win is None else [self._hand.win])]
        self._reds = Counter(tile.kind for tile in tiles if tile.red)
        in_melds = Counter(tile.kind for meld in self._hand.melds for tile in meld.tiles if not tile.red)
        self._plain = [copies - in_melds[kind] for kind, copies in enumerate(ruleset.tiles.copies[: JOKER_KIND + 1])]
        for suit, reds in enumerate(ruleset.tiles.reds):
            self._plain[9 * suit + 4] -= reds
        on_table = Counter(kind for meld in self._hand.melds for kind in meld.kinds)
        self._copies = [copies - on_table[kind] for kind, copies in enumerate(ruleset.tiles.copies)]
        """Of each kind, how many there are but for those in melds."""
        self.assumed: tuple[tuple[str, str], ...] = ()

    def of_win(self, held: bytes, kind: int) -> float | None:
        """Return what drawing a tile that completes a hand receives; None if it may not win, or there is none left."""
        if self._hand.melds_assumed:
            return 0.0
        if held[kind] >= self._copies[kind]:
            return None
        concealed = [tile for each, count in enumerate(held) for tile in self._tiles(each, count)]
        drawn = self._tiles(kind, held[kind] + 1)[-1]
        if drawn.red and drawn in concealed:
            drawn = TILES[kind]
        hand = Hand(
            concealed=tuple(concealed), melds=self._hand.melds, win=drawn, self_drawn=True, bonus=self._hand.bonus
        )
        found = score(Line(hand=hand, context=self._context), self._ruleset)
        self.assumed = tuple(found.assumed.items())
        return float(found.payments[self._seat.value]) if found.can_win else None

    def _tiles(self, kind: int, count: int) -> list[Tile]:
        """Return so many tiles of a kind, plain ones first: red ones as many as are held, or as must be."""
        red = max(min(self._reds[kind], count), count - self._plain[kind])
        return [TILES[kind]] * (count - red) + ([replace(TILES[kind], red=True)] * red if red else [])


def _unseen(line: Line, ruleset: Ruleset) -> list[int]:
    """Return int[34], int[35] with jokers: the copies of each kind neither in the hand nor seen elsewhere."""
    kinds = PLAIN_KINDS + _has_jokers(ruleset)
    left = [copies - held for copies, held in zip(ruleset.tiles.copies, line.hand.held(), strict=True)][:kinds]
    for tile in ruleset.shown(line.context):
        if tile.kind < kinds:
            left[tile.kind] -= 1
    return [max(count, 0) for count in left]


def _thrown(hand: Hand, kind: int) -> Tile:
    """Return the tile of a kind that is discarded first: a plain one, if there is one."""
    tiles = [tile for tile in (*hand.concealed, hand.win) if tile is not None and tile.kind == kind]
    return min(tiles, key=lambda tile: tile.red)


def _rows(left: Sequence[int], draws: int, samples: int, seed: int) -> Iterator[list[int]]:
    """Yield rows of draws, each without replacement."""
    unseen = [kind for kind, copies in enumerate(left) for _ in range(copies)]
    for number in range(samples):
        below, row = Chance(seed, number).below, unseen.copy()
        for place in range(draws):
            other = place + below(len(row) - place)
            row[place], row[other] = row[other], row[place]
        yield row[:draws]


def _played(play: StraightPlay, held: bytes, left: Sequence[int], row: Iterable[int]) -> NDArray[np.float64]:
    """Return what is to be expected of a hand by one row of draws."""
    now = bytearray(left)
    nearer = play.outlook.helpful(held, play.sets)[1]
    for drawn, kind in enumerate(row, 1):
        now[kind] -= 1
        if kind not in nearer:
            continue
        more = bytearray(held)
        more[kind] += 1
        missing, helpful = play.outlook.discards(more, play.sets)
        if missing - 1 <= EXACT_FROM:
            held = play.best([_less(more, discard) for discard in sorted(helpful)], bytes(now), drawn)
            found: NDArray[np.float64] = play.future(held, bytes(now))[drawn]
            return found
        discard = min(helpful, key=lambda each: (-sum(now[one] for one in helpful[each]), each))
        held, nearer = _less(more, discard), tuple(helpful[discard])
    return np.zeros(2 * play.draws + 1)


def _summed(futures: Future, tile: Tile | None, shanten: int, *, valued: bool, exact: bool) -> DiscardOdds:
    """Return the odds by what is to be expected, in each row of draws or at all."""
    draws = futures.shape[1] // 2
    ready = np.cumsum(futures[:, :draws], axis=1) + (shanten <= 0)
    win = np.cumsum(futures[:, draws:-1], axis=1)
    value = futures[:, -1]
    found = DiscardOdds(
        tile=tile,
        shanten=shanten,
        ready=tuple(map(float, ready.mean(axis=0))),
        win=tuple(map(float, win.mean(axis=0))),
        value=float(value.mean()) if valued else None,
    )
    if exact:
        return found
    return replace(
        found,
        samples=len(futures),
        ready_within=_within_chances(ready, shanten),
        win_within=_within_chances(win, shanten + 1),
        value_within=_within(value) if valued and len(value) > 1 else None,
    )


def _within(values: NDArray[np.float64]) -> Interval:
    """Return the interval of the mean of two values or more, by the normal distribution."""
    middle = float(values.mean())
    half = Z * float(values.std(ddof=1)) / len(values) ** 0.5
    return Interval(middle - half, middle + half)


def _within_chances(values: NDArray[np.float64], needed: int) -> tuple[Interval, ...]:
    """Return the intervals of the chances by each draw, which before so many draws as are needed are 0 for certain."""
    return tuple(
        Interval(0.0, 0.0) if draw < needed else _within_chance(column) for draw, column in enumerate(values.T, 1)
    )


def _within_chance(values: NDArray[np.float64]) -> Interval:
    """Return the interval of a chance; where all rows of draws agree, that of a rate."""
    if values.min() == values.max():
        found = rate(round(float(values.sum())), len(values))
        assert found.low is not None
        assert found.high is not None
        return Interval(found.low, found.high)
    low, high = _within(values)
    return Interval(max(low, 0.0), min(high, 1.0))


def _less(held: bytes | bytearray, kind: int) -> bytes:
    fewer = bytearray(held)
    fewer[kind] -= 1
    return bytes(fewer)
