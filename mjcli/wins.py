"""Won hands drawn at random, and variations of a given one: by a tile, a set, a meld, a bonus tile or a word.

They serve to search for hands on which two rulesets differ, so they are meant to be various, not as likely as in play.
Nothing here knows a pattern.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

from mjcli.errors import HandError
from mjcli.forms import FormRules
from mjcli.hand import NO_CONTEXT, Context, Hand, Line
from mjcli.melds import Meld, MeldType, Relation, Seat
from mjcli.notation import WORDS, ExtraWord, Word, WordKind
from mjcli.readings import Group, readings
from mjcli.tiles import JOKER_KIND, TILES, Suit, Tile, TileSet

if TYPE_CHECKING:
    from mjcli.chance import Chance

__all__ = ["Wins", "simpler"]

Item = TypeVar("Item")

TRIES: Final = 40
"""How many changes are tried on a hand before it is given back as it is; most can be made on most hands."""

DRAWS: Final = 1000
"""How many hands are drawn in vain before it is said that there is none."""

RATES: Final = (0, 1, 2, 3, 4)
"""In fourths: how much of a hand is chows, and how much of it is melds, is drawn for each hand."""

MOST_EXTRA: Final = 4
"""The highest number that is drawn for a word of a ruleset."""

SEVEN: Final = "seven-pairs"


class Wins:
    """Draws won hands of certain tiles, in the standard form and in seven pairs, and varies those of any form."""

    def __init__(self, tiles: TileSet, forms: FormRules, words: Sequence[ExtraWord] = ()) -> None:
        """
        Args:
            tiles: what hands are drawn from.
            forms: the forms in which a given hand is read to change a set of it; seven pairs are drawn if among them.
            words: the context words that are said beside those of the closed list.
        """
        self.forms = forms
        self._suits = [
            kinds
            for suit in "mpsz"
            if (kinds := [each.kind for each in TILES if each.suit == suit and tiles.copies[each.kind]])
        ]
        self._joker = [JOKER_KIND] * bool(tiles.copies[JOKER_KIND])
        self._bonus = [each for each in TILES if each.is_bonus and tiles.copies[each.kind]]
        closed = [word for word in WORDS if word.kind is not WordKind.TILES and word.field != "self_draw"]
        self._words: list[Word | ExtraWord] = [*closed, *words]

    def drawn(self, chance: Chance) -> Line:
        """Return a complete hand of some of the suits, with melds, bonus tiles and words.

        >>> from mjcli.chance import Chance
        >>> wins = Wins(TileSet.of({"m": 4, "z": 4}), {"standard": ""})
        >>> wins.drawn(Chance(1)).hand.tile_count
        14

        Raises:
            HandError: there are too few tiles for a hand (``tile-count``).
        """
        for _ in range(DRAWS):
            with suppress(HandError):
                line = self._plain(chance)
                for change, most in ((self._other_word, 3), (self._other_bonus, 4 if chance.below(4) == 0 else 1)):
                    for _ in range(chance.below(most)):
                        with suppress(HandError):
                            line = change(line, chance)
                return line
        raise HandError("tile-count", "there are too few tiles for a hand")

    def varied(self, line: Line, chance: Chance) -> Line:
        """Return a hand that differs from ``line`` in one tile, set, meld, bonus tile or word; it may be incomplete.

        A hand on which no change succeeds is returned as it is.
        """
        changes = (
            *(self._other_tile, self._other_set, self._other_set, self._claimed, self._other_meld, self._concealed),
            *(self._other_win, self._other_bonus, self._other_word, self._other_word),
        )
        for _ in range(TRIES):
            with suppress(HandError):
                found = _one_of(changes, chance)(line, chance)
                if found != line:
                    return found
        return line

    # drawing

    def _plain(self, chance: Chance) -> Line:
        """Return a complete hand without words.

        Raises:
            HandError: the sets drawn need too many copies of a tile.
        """
        suits = chance.shuffled(self._suits)[: 1 + chance.below(len(self._suits))]
        if SEVEN in self.forms and chance.below(8) == 0:
            pairs = [Group("pair", TILES[_one_of(_one_of(suits, chance), chance)]) for _ in range(7)]
            return _won([tile for pair in pairs for tile in pair.tiles], (), chance)
        chows, melds = _one_of(RATES, chance), _one_of(RATES, chance)
        pair = TILES[_one_of(_one_of(suits, chance), chance)]
        concealed, made = [pair, pair], []
        for _ in range(4):
            group = self._set(suits, chance, chance.below(4) < chows)
            if chance.below(4) < melds:
                made.append(_meld_of(group, chance))
            else:
                concealed += group.tiles
        return _won(concealed, tuple(made), chance)

    def _set(self, suits: Sequence[Sequence[int]], chance: Chance, chow: bool) -> Group:
        """Return a set of one of the suits; a pung where no chow can be made of it."""
        kinds = _one_of(suits, chance)
        first = TILES[_one_of(kinds, chance)]
        if chow and first.suit is not Suit.HONORS and first.rank <= 7 and {first.kind + 1, first.kind + 2} <= {*kinds}:
            return Group("chow", first)
        return Group("pung", first)

    # varying

    def _other_tile(self, line: Line, chance: Chance) -> Line:
        kinds = [*self._joker, *(kind for kinds in self._suits for kind in kinds)]
        new, hand = TILES[_one_of(kinds, chance)], line.hand
        place = chance.below(len(hand.concealed) + 1)
        if place == len(hand.concealed):
            return replace(line, hand=replace(hand, win=new))
        return _with(line, concealed=(*hand.concealed[:place], new, *hand.concealed[place + 1 :]))

    def _groups(self, line: Line) -> list[Group]:
        """Return the concealed sets and the pair in the first reading of a hand."""
        found = next(readings(line, self.forms, count_waits=False), None)
        if found is None:
            return []
        return [*found.sets, *([Group("pair", found.pair)] if found.pair is not None and found.sets else [])]

    def _other_set(self, line: Line, chance: Chance) -> Line:
        groups = self._groups(line)
        if not groups:
            return line
        group = _one_of(groups, chance)
        if group.kind == "pair":
            new = Group("pair", TILES[_one_of(_one_of(self._suits, chance), chance)])
        else:
            near = [kinds for kinds in self._suits if group.first.kind in kinds]
            new = self._set(near if chance.below(2) else self._suits, chance, chance.below(2) == 0)
        left = _without(line.hand, group.tiles)
        hand = line.hand
        assert hand.win is not None
        if hand.win.plain in left:
            left.remove(hand.win.plain)
            return _with(line, concealed=(*left, *new.tiles))
        return _with(line, concealed=(*left, *new.tiles[:-1]), win=new.tiles[-1])

    def _claimed(self, line: Line, chance: Chance) -> Line:
        sets = [group for group in self._groups(line) if group.kind in ("chow", "pung")]
        if not sets:
            return line
        group = _one_of(sets, chance)
        left = _without(line.hand, group.tiles)
        win = line.hand.win
        assert win is not None
        win = win.plain if win.plain in left else _one_of(left, chance)
        left.remove(win)
        melds = (*line.hand.melds, _meld_of(group, chance))
        return _with(line, concealed=tuple(left), win=win, melds=melds)

    def _other_meld(self, line: Line, chance: Chance) -> Line:
        melds = line.hand.melds
        if not melds:
            return line
        place = chance.below(len(melds))
        old = melds[place]
        group = Group("chow" if old.type is MeldType.CHOW else "pung", old.first)
        if chance.below(2):
            group = self._set(self._suits, chance, chance.below(2) == 0)
        return _with(line, melds=(*melds[:place], _meld_of(group, chance), *melds[place + 1 :]))

    def _concealed(self, line: Line, chance: Chance) -> Line:
        return _one_of([*_unmelded(line), line], chance)

    def _other_win(self, line: Line, chance: Chance) -> Line:
        hand = line.hand
        assert hand.win is not None
        return _won([*hand.concealed, hand.win], hand.melds, chance, line)

    def _other_bonus(self, line: Line, chance: Chance) -> Line:
        bonus = line.hand.bonus
        if bonus and (not self._bonus or chance.below(2)):
            place = chance.below(len(bonus))
            return _with(line, bonus=(*bonus[:place], *bonus[place + 1 :]))
        return _with(line, bonus=(*bonus, _one_of(self._bonus, chance))) if self._bonus else line

    def _other_word(self, line: Line, chance: Chance) -> Line:
        word = _one_of(self._words, chance)
        value = self._value(word, chance)
        context = line.context
        if isinstance(word, ExtraWord):
            said = dict(context.extra)
            if said.pop(word.name, None) is None or word.kind is not WordKind.FLAG:
                said[word.name] = value
            return replace(line, context=replace(context, extra=tuple(sorted(said.items()))))
        if getattr(context, word.field) == value:
            value = getattr(NO_CONTEXT, word.field)
        return replace(line, context=replace(context, **{word.field: value}))

    def _value(self, word: Word | ExtraWord, chance: Chance) -> Any:
        """Return a value that a word may have."""
        match word.kind:
            case WordKind.FLAG:
                return True
            case WordKind.SEAT:
                return _one_of(tuple(Seat), chance)
            case WordKind.PLAYER:
                return _one_of(tuple(Relation), chance)
            case WordKind.NUMBER:
                least, most = (word.least, word.most) if isinstance(word, Word) else (0, MOST_EXTRA)
                return least + chance.below(most - least + 1)
            case _:
                return (TILES[_one_of(_one_of(self._suits, chance), chance)],)


def simpler(line: Line) -> Iterator[Line]:
    """Yield the hands that are ``line`` with one word, bonus tile, claim, feeder, fourth tile of a kong or draw less.

    >>> from mjcli.notation import format_line, parse_line
    >>> line = parse_line("1f123m456p34s99p,777m++5s last-tile")
    >>> [format_line(each) for each in simpler(line)][2:]
    ['123777m45699p34s1f++5s last-tile', '123m45699p34s1f,777m+5s last-tile']
    """
    context, hand = line.context, line.hand
    for word in WORDS:
        if getattr(context, word.field) != getattr(NO_CONTEXT, word.field):
            yield from _tried(line, context=replace(context, **{word.field: getattr(NO_CONTEXT, word.field)}))
    for name, _ in context.extra:
        extra = tuple(each for each in context.extra if each[0] != name)
        yield from _tried(line, context=replace(context, extra=extra))
    for place in range(len(hand.bonus)):
        yield from _tried(line, bonus=(*hand.bonus[:place], *hand.bonus[place + 1 :]))
    yield from _unmelded(line)
    for place, meld in enumerate(hand.melds):
        for plain in (replace(meld, feeder=None), Meld(type=MeldType.PUNG, first=meld.first)):
            if plain != meld and (plain.type is meld.type or meld.type is MeldType.KONG):
                yield from _tried(line, melds=(*hand.melds[:place], plain, *hand.melds[place + 1 :]))
    if hand.self_drawn:
        yield from _tried(line, self_drawn=False)


def _tried(line: Line, *, context: Context | None = None, **changes: Any) -> list[Line]:
    """Return ``line`` with some fields of its hand changed, or another context; nothing if there is no such hand."""
    try:
        hand = replace(line.hand, **changes) if changes else line.hand
        return [Line(hand=hand, context=line.context if context is None else context)]
    except HandError:
        return []


def _unmelded(line: Line) -> list[Line]:
    """Return ``line`` with one of its melds among the concealed tiles, for each; of a kong, three of its tiles."""
    hand, found = line.hand, []
    for place, meld in enumerate(hand.melds):
        rest = (*hand.melds[:place], *hand.melds[place + 1 :])
        tiles = Group("chow" if meld.type is MeldType.CHOW else "pung", meld.first).tiles
        found += _tried(line, concealed=(*hand.concealed, *tiles), melds=rest)
    return found


def _with(line: Line, **changes: Any) -> Line:
    """Return ``line`` with some fields of its hand changed.

    Raises:
        HandError: there is no such hand, or the context cannot be true of it.
    """
    return replace(line, hand=replace(line.hand, **changes))


def _one_of(items: Sequence[Item], chance: Chance) -> Item:
    """Return any of ``items``.

    Raises:
        HandError: there are none (``tile-count``).
    """
    if not items:
        raise HandError("tile-count", "there are too few tiles for a hand")
    return items[chance.below(len(items))]


def _without(hand: Hand, tiles: Sequence[Tile]) -> list[Tile]:
    """Return the concealed tiles and the winning one, red fives as plain ones, without ``tiles``.

    Raises:
        HandError: a tile is not there: a joker stands for it.
    """
    assert hand.win is not None
    left = [each.plain for each in (*hand.concealed, hand.win)]
    for each in tiles:
        if each not in left:
            raise HandError("bad-meld", f"'{each}' is not in the hand itself")
        left.remove(each)
    return left


def _won(tiles: Sequence[Tile], melds: tuple[Meld, ...], chance: Chance, line: Line | None = None) -> Line:
    """Return a hand won on any of its concealed tiles, by discard or drawn, with the rest of ``line`` if one is given.

    Raises:
        HandError: there is no such hand.
    """
    win = chance.below(len(tiles))
    concealed = (*tiles[:win], *tiles[win + 1 :])
    bonus, context = ((), NO_CONTEXT) if line is None else (line.hand.bonus, line.context)
    drawn = bool(chance.below(2))
    hand = Hand(concealed=concealed, melds=melds, win=tiles[win], self_drawn=drawn, bonus=bonus)
    return Line(hand=hand, context=context)


def _meld_of(group: Group, chance: Chance) -> Meld:
    """Return a set as a meld: of a pung, one time in two a kong of any kind."""
    if group.kind == "chow":
        return Meld(type=MeldType.CHOW, first=group.first)
    how = chance.below(6)
    if how == 0:
        return Meld(type=MeldType.KONG, first=group.first, exposed=False)
    kind = MeldType.KONG if how <= 2 else MeldType.PUNG
    feeder = _one_of((None, None, *Relation), chance)
    return Meld(type=kind, first=group.first, added=how == 1, feeder=feeder)
