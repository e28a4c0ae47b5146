"""Complete hands drawn at random, and a slow, obvious view of them: texts of tiles, and sets of those.

Nothing here knows columns or octal digits, so it can tell whether ``mjcli.readings`` and the words of the ruleset
language mean what they say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations
from random import Random
from typing import Any, Final

from mjcli.errors import InputError
from mjcli.hand import Context, Hand, Line
from mjcli.melds import Meld, MeldType, Relation, Seat
from mjcli.readings import Reading
from mjcli.tiles import TILES, Suit, Tile, tile

KINDS: Final = tuple(str(each) for each in TILES[:34])
"""Every suit tile and honour, such as 1m."""
ORPHANS: Final = ("1m", "9m", "1p", "9p", "1s", "9s", "1z", "2z", "3z", "4z", "5z", "6z", "7z")
KNITTED: Final = tuple(
    tuple(f"{rank}{suit}" for suit, ranks in zip("mps", order, strict=True) for rank in ranks)
    for order in permutations(("147", "258", "369"))
)
ALL_FORMS: Final = {
    "standard": "",
    "seven-pairs": "four",
    "thirteen-orphans": "",
    "thirteen-unconnected": "",
    "knitted": "",
    "knitted-straight": "",
}

Sets = tuple[tuple[str, ...], ...]


# readings


@cache
def ways(tiles: tuple[str, ...]) -> frozenset[Sets]:
    """Return every way to lay sorted tiles out as sets of three."""
    if not tiles:
        return frozenset(((),))
    first = tiles[0]
    found = set()
    for taken in ((first,) * 3, chow(first)):
        if taken and not Counter(taken) - Counter(tiles):
            rest = tuple(sorted((Counter(tiles) - Counter(taken)).elements()))
            found |= {tuple(sorted((taken, *others))) for others in ways(rest)}
    return frozenset(found)


def chow(first: str) -> tuple[str, ...]:
    """Return the chow that starts with a tile; nothing if none does."""
    rank, suit = int(first[0]), first[1]
    return () if suit == "z" or rank > 7 else tuple(f"{rank + step}{suit}" for step in range(3))


def standard_ways(tiles: Sequence[str]) -> Iterator[tuple[Sets, str]]:
    """Yield every way to see tiles as sets and one pair."""
    for pair, count in sorted(Counter(tiles).items()):
        if count >= 2:
            rest = tuple(sorted((Counter(tiles) - Counter([pair, pair])).elements()))
            for sets in sorted(ways(rest)):
                yield sets, pair


def straight_ways(tiles: Sequence[str], melds: int) -> Iterator[tuple[tuple[str, ...], Sets, str]]:
    """Yield every way to see tiles as a knitted straight: the straight, the set among them if any, and the pair."""
    for knitted in KNITTED:
        if not Counter(knitted) - Counter(tiles):
            for sets, pair in standard_ways(sorted((Counter(tiles) - Counter(knitted)).elements())):
                if len(sets) + melds == 1:
                    yield knitted, sets, pair


def has_special_form(form: str, rule: str, tiles: Sequence[str]) -> bool:
    """Return whether 14 concealed tiles have a form that is not made of sets."""
    counts = Counter(tiles)
    if len(tiles) != 14:
        return False
    if form == "seven-pairs":
        return all(count == 2 or (count == 4 and rule == "four") for count in counts.values())
    if form == "thirteen-orphans":
        return set(counts) == set(ORPHANS)
    if form == "thirteen-unconnected":
        apart = all(
            one[1] != two[1] or one[1] == "z" or abs(int(one[0]) - int(two[0])) >= 3
            for one, two in combinations(counts, 2)
        )
        return len(counts) == 13 and apart
    return len(counts) == 14 and any(set(counts) <= {*knitted, *KINDS[27:]} for knitted in KNITTED)


def is_complete(tiles: Sequence[str], melds: int, forms: Mapping[str, str]) -> bool:
    """Return whether concealed tiles are complete in any of the forms."""
    for form, rule in forms.items():
        if form == "standard":
            if any(True for _ in standard_ways(tiles)):
                return True
        elif form == "knitted-straight":
            if any(True for _ in straight_ways(tiles, melds)):
                return True
        elif has_special_form(form, rule, tiles):
            return True
    return False


def wait_of(group: Sequence[str], win: str) -> str:
    """Return the wait by which the winning tile completed a group."""
    if len(group) == 2:
        return "single"
    if group[0] == group[1]:
        return "pung"
    ranks = [int(each[0]) for each in group]
    rank = int(win[0])
    if rank == ranks[1]:
        return "closed"
    return "edge" if (ranks, rank) in (([1, 2, 3], 3), ([7, 8, 9], 7)) else "open"


def concealed_of(line: Line) -> list[str]:
    """Return the concealed tiles and the winning tile, red fives as fives, sorted."""
    assert line.hand.win is not None
    return sorted(KINDS[each.kind] for each in (*line.hand.concealed, line.hand.win))


def win_of(line: Line) -> str:
    """Return the winning tile, a red five as a five."""
    assert line.hand.win is not None
    return KINDS[line.hand.win.kind]


def plain_readings(line: Line, forms: Mapping[str, str]) -> Iterator[tuple[str, Sets, str, str]]:
    """Yield form, concealed sets, pair (empty if none) and wait of every reading of a complete hand."""
    yield from plain_readings_of(concealed_of(line), win_of(line), len(line.hand.melds), forms)


def plain_readings_of(
    tiles: Sequence[str], win: str, melds: int, forms: Mapping[str, str]
) -> Iterator[tuple[str, Sets, str, str]]:
    """Yield the same of sorted concealed tiles, of which one is the winning one, beside so many melds."""
    for form, rule in forms.items():
        if form == "standard":
            for sets, pair in standard_ways(tiles):
                for wait in {wait_of(group, win) for group in (*sets, (pair, pair)) if win in group}:
                    yield form, sets, pair, wait
        elif form == "knitted-straight":
            for knitted, sets, pair in straight_ways(tiles, melds):
                waits = {wait_of(group, win) for group in (*sets, (pair, pair)) if win in group}
                for wait in waits | ({"none"} if win in knitted else set()):
                    yield form, sets, pair, wait
        elif has_special_form(form, rule, tiles):
            pairs = tuple((each, each) for each, count in sorted(Counter(tiles).items()) for _ in range(count // 2))
            if form == "seven-pairs":
                yield form, pairs, "", "single"
            else:
                yield form, (), pairs[0][0] if pairs else "", "single"


def waits_of(line: Line, forms: Mapping[str, str], most: int = 4) -> list[str]:
    """Return the kinds waited on before the win, of which the hand holds fewer than ``most``."""
    before = concealed_of(line)
    before.remove(win_of(line))
    held = Counter([*before, *(KINDS[kind] for meld in line.hand.melds for kind in meld.kinds)])
    melds = len(line.hand.melds)
    return [each for each in KINDS if held[each] < most and is_complete(sorted([*before, each]), melds, forms)]


# a reading as plain sets


@dataclass(frozen=True)
class PlainSet:
    """A chow, pung or kong of a reading."""

    kind: str
    tiles: tuple[str, ...]
    claimed: bool = False
    on_table: bool = False
    at_once: bool = False
    """A kong made at once from a discard."""
    finished_by_discard: bool = False

    @property
    def concealed(self) -> bool:
        """Whether it counts as concealed: not claimed, and no pung that another's discard completed."""
        return not self.claimed and not (self.finished_by_discard and self.kind != "chow")


@dataclass(frozen=True)
class PlainHand:
    """A reading of a hand in plain words."""

    line: Line
    form: str
    sets: tuple[PlainSet, ...]
    pairs: tuple[str, ...]
    """The pair of a hand of sets, or all seven of seven pairs."""
    tiles: tuple[str, ...]
    """Every tile, four of a kong."""
    win: str
    wait: str

    @classmethod
    def of(cls, line: Line, reading: Reading) -> PlainHand:
        """Return a reading of a line, seen so."""
        sets = []
        for meld in line.hand.melds:
            tiles = tuple(KINDS[kind] for kind in meld.kinds)
            sets.append(PlainSet(meld.type.value, tiles, meld.exposed, True, meld.is_claimed_kong))
        completed = None if line.self_drawn else reading.won
        pairs = []
        for group in reading.sets:
            tiles = tuple(map(str, group.tiles))
            if group.kind == "pair":
                pairs.append(tiles[0])
            else:
                sets.append(PlainSet(group.kind, tiles, finished_by_discard=group == completed))
        if reading.form in ("standard", "knitted-straight"):
            pairs.append(str(reading.pair))
        every = [*concealed_of(line), *(KINDS[kind] for meld in line.hand.melds for kind in meld.kinds)]
        return cls(line, reading.form, tuple(sets), tuple(pairs), tuple(sorted(every)), win_of(line), reading.wait)


# random hands


class Wall:
    """Tiles that are left to draw, four of each kind of a theme."""

    def __init__(self, rng: Random, kinds: Sequence[str]) -> None:
        self.rng = rng
        self.left = Counter(dict.fromkeys(kinds, 4))

    def take(self, tiles: Sequence[str]) -> bool:
        """Take tiles if all are left."""
        if Counter(tiles) - self.left:
            return False
        self.left -= Counter(tiles)
        return True

    def set_of_tiles(self, size: int = 3) -> tuple[str, ...]:
        """Return a random chow or pung, or a kong or pair by ``size``; empty after many vain attempts."""
        for _ in range(60):
            first = self.rng.choice(sorted(self.left) or ["1m"])
            taken = chow(first) if size == 3 and self.rng.random() < 0.55 else (first,) * size
            if taken and self.take(taken):
                return taken
        return ()


def theme(rng: Random) -> list[str]:
    """Return kinds that a hand is drawn from: few of them, so that patterns are common."""
    drawn = rng.randrange(10)
    if drawn == 0:
        return list(KINDS)
    if drawn == 1:
        return [each for each in KINDS if each[1] == rng.choice("mps")] + list(KINDS[27:])
    if drawn == 2:
        suit = rng.choice("mps")
        return [each for each in KINDS if each[1] == suit]
    if drawn == 3:
        low = rng.randint(1, 6)
        return [each for each in KINDS if low <= int(each[0]) <= low + 3 and each[1] != "z"]
    if drawn == 4:
        return [each for each in KINDS if each[1] == "z" or each[0] in "123789"]
    if drawn == 5:
        return [each for each in KINDS if each[1] == "z" or each[0] in "19"]
    if drawn == 6:
        return [*("2s", "3s", "4s", "6s", "8s", "6z"), *rng.sample(KINDS, 4)]
    if drawn == 7:
        return [each for each in KINDS if each[1] != "z" and each[0] in "19"]
    if drawn == 8:
        low = rng.randint(1, 7)
        return [each for each in KINDS if low <= int(each[0]) <= low + 2 and each[1] != "z"]
    return rng.sample(KINDS, 12)


def random_tiles(rng: Random, form: str) -> tuple[list[str], list[Meld]]:
    """Return the concealed tiles, of which one is to be the winning one, and the melds of a complete hand."""
    while True:
        wall = Wall(rng, theme(rng) if form == "standard" else KINDS)
        melds: list[Meld] = []
        tiles: list[str] = []
        if form == "seven-pairs":
            kinds = rng.choices(theme(rng), k=7)
            if max(Counter(kinds).values()) <= 2:
                return [each for each in kinds for _ in range(2)], []
            continue
        if form == "thirteen-orphans":
            return [*ORPHANS, rng.choice(ORPHANS)], []
        if form == "thirteen-unconnected":
            honors = list(KINDS[27:])
            suited = [f"{rank}{suit}" for suit in "mps" for rank in rng.choice(("147", "258", "369", "159", "48"))]
            kinds = rng.sample([*honors, *suited], 13) if len(suited) >= 6 else []
            if kinds:
                return [*kinds, rng.choice(kinds)], []
            continue
        if form == "knitted":
            return rng.sample([*rng.choice(KNITTED), *KINDS[27:]], 14), []
        if form == "knitted-straight":
            tiles = list(rng.choice(KNITTED))
            wall.take(tiles)
        for place in range(4 if form == "standard" else 1):
            size = rng.choice((3, 3, 3, 4))
            if rng.random() < 0.35 or size == 4:
                taken = wall.set_of_tiles(size)
                if taken:
                    melds.append(random_meld(rng, taken))
            else:
                tiles += wall.set_of_tiles()
            if len(tiles) % 3 or len(tiles) + 3 * len(melds) != 3 * (place + 1 + (3 if form != "standard" else 0)):
                break
        else:
            pair = wall.set_of_tiles(2)
            if pair:
                return [*tiles, *pair], melds


def random_meld(rng: Random, tiles: Sequence[str]) -> Meld:
    """Return a meld of three or four tiles, claimed at random where it may be either."""
    first = tile(tiles[0])
    if len(tiles) == 4:
        exposed = rng.random() < 0.6
        added = exposed and rng.random() < 0.5
        feeder = rng.choice(list(Relation)) if exposed and rng.random() < 0.5 else None
        return Meld(type=MeldType.KONG, first=first, exposed=exposed, added=added, feeder=feeder)
    is_chow = tiles[0] != tiles[1]
    return Meld(type=MeldType.CHOW if is_chow else MeldType.PUNG, first=first)


def random_win(rng: Random, extra: Mapping[str, Any] | None = None) -> Line:
    """Return a complete hand of any form with a context that can be true of it.

    Args:
        rng: the source of chance.
        extra: context words of a ruleset, each with the values it may have.
    """
    form = rng.choices(list(ALL_FORMS), (14, 2, 1, 1, 1, 2))[0]
    while True:
        tiles, melds = random_tiles(rng, form)
        rng.shuffle(tiles)
        drawn = [reddened(rng, tile(each)) for each in tiles]
        bonus = tuple(rng.sample(TILES[35:58], rng.choice((0, 0, 0, 3, 8))))
        fields: dict[str, Any] = {
            "last_tile": True,
            "last_of_kind": True,
            "kong_draw": rng.randint(1, 2),
            "flower_draw": True,
            "rob_kong": True,
            "rob_own_kong": True,
            "clean_opponents": True,
            "first_turn": True,
            "winners": rng.randint(2, 3),
            "source": rng.choice((*Relation, *Seat)),
        }
        said: dict[str, Any] = {name: fields[name] for name in rng.sample(sorted(fields), rng.choice((0, 0, 1, 1, 2)))}
        if rng.random() < 0.8:
            said |= {"seat": rng.choice(list(Seat)), "round": rng.choice(list(Seat))}
        if extra:
            chosen = rng.sample(sorted(extra), rng.randint(0, len(extra)))
            said["extra"] = tuple((name, rng.choice(extra[name])) for name in sorted(chosen))
        try:
            hand = Hand(
                concealed=tuple(drawn[1:]),
                melds=tuple(melds),
                win=drawn[0],
                self_drawn=rng.random() < 0.4,
                bonus=bonus,
            )
            return Line(hand=hand, context=Context(**said))
        except InputError:
            continue


def reddened(rng: Random, plain: Tile) -> Tile:
    """Return a five as a red five now and then, every other tile as it is."""
    if plain.rank == 5 and plain.suit is not Suit.HONORS and rng.random() < 0.2:
        return Tile(plain.suit, 5, red=True)
    return plain
