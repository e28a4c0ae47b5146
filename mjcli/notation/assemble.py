"""From tokens to values: melds, hand and line, or the error that names the place; the same checks for every reader."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NoReturn, TypeAlias

from mjcli.errors import ContradictionError, HandError, NotInRulesetError, amount
from mjcli.hand import NO_CONTEXT, Context, Hand, Line, check_context, with_winds
from mjcli.melds import Meld, MeldType, Relation, Seat
from mjcli.notation.scan import Group, Scan, Status, fault
from mjcli.notation.words import Said
from mjcli.tiles import DEFAULT_SET, JOKER_KIND, TILES, Tile, TileSet

__all__ = ["Check", "build_context", "build_hand", "build_line"]

Check: TypeAlias = Callable[[Hand, Context], None]
"""Refuses, by a ``NotInRulesetError``, a meld or a word that a ruleset does not know."""

_FIRST_BONUS: Final = JOKER_KIND + 1

_RELATIONS: Final = {"1": Relation.LEFT, "2": Relation.ACROSS, "3": Relation.RIGHT}
_ADDED: Final = {"5": Relation.LEFT, "6": Relation.ACROSS, "7": Relation.RIGHT}


def build_hand(
    scan: Scan, tiles: TileSet | None = None, seen: Sequence[tuple[Tile, int]] = (), *, won: bool = False
) -> Hand:
    """Return the hand of a scanned line.

    Args:
        scan: its tokens.
        tiles: the set that a ruleset plays with.
        seen: tiles that lie elsewhere, with their offsets; they count towards the copies.
        won: whether it must have 14 tiles, or 13 with bonus tiles beside them.

    Raises:
        NotationError: a meld that is none, too many copies, a wrong number of tiles, or a tile that ``tiles`` lacks.
    """
    if tiles is not None and tiles.bird is not None:
        _read_birds(scan, tiles)
    placed = scan.hand.tiles
    if not (placed or scan.groups or scan.win):
        fault(scan, "empty", "no tiles", 0)
    concealed = [each for each in placed if each.kind < _FIRST_BONUS]
    bonus = tuple([each for each in placed if each.kind >= _FIRST_BONUS]) if len(concealed) < len(placed) else ()
    melds = tuple([_build_meld(scan, group) for group in scan.groups])
    last = concealed[-1] if concealed and scan.win is None and (len(concealed) + 3 * len(melds)) % 3 == 2 else None
    if seen or tiles is not None or won:
        _check(scan, tiles, seen, won=won)
    try:
        return Hand(
            concealed=tuple(concealed),
            melds=melds,
            win=scan.win,
            self_drawn=scan.self_drawn,
            bonus=bonus,
            last=last,
        )
    except HandError as error:
        _check(scan, tiles, seen)
        fault(scan, error.code, str(error), scan.end)


def build_line(
    scan: Scan,
    said: Said | None,
    tiles: TileSet | None = None,
    *,
    won: bool = False,
    check: Check | None = None,
) -> Line:
    """Return the hand of a scanned line with what its words say, if it has any.

    Where it must be ``won`` it has 14 tiles. Then, and where there is a status field, the words must be true of the
    hand as won on the tile written last, if no other is marked.

    Raises:
        NotationError: as ``build_hand``, or two things that cannot both be true, or what ``check`` refuses.
    """
    if said is None and scan.status is None:
        hand = build_hand(scan, tiles, won=won)
        _check_rules(scan, Said(), hand, NO_CONTEXT, check)
        return Line(hand=hand, context=NO_CONTEXT)
    said = said or Said()
    if tiles is not None and tiles.bird is not None and said.seen:
        said.seen = [(tiles.read(each), offset) for each, offset in said.seen]
        said.values["seen"] = tuple(each for each, _ in said.seen)
    hand = build_hand(scan, tiles, [*said.seen, *said.indicators], won=won)
    if scan.status is not None:
        _add_status(scan, scan.status, said)
    context = build_context(scan, said)
    _check_rules(scan, said, hand, context, check)
    try:
        line = Line(hand=hand, context=context)
        if won or scan.status is not None:
            check_context(hand.won_on_last(self_drawn=line.self_drawn), with_winds(context))
        return line
    except ContradictionError as error:
        _fault_contradiction(scan, said, error.first, error.second, error.why)


def build_context(scan: Scan, said: Said) -> Context:
    """Return the context that words say.

    Raises:
        NotationError: ``contradiction``, two of them cannot both be true.
    """
    try:
        return Context(**said.values, extra=tuple(sorted(said.extra)))
    except ContradictionError as error:
        _fault_contradiction(scan, said, error.first, error.second, error.why)


def _read_birds(scan: Scan, tiles: TileSet) -> None:
    """Put jokers in place of the tiles that are the jokers of this set."""
    for placed in (scan.hand, *(group.body for group in scan.groups)):
        placed.tiles[:] = map(tiles.read, placed.tiles)
    if scan.win is not None:
        scan.win = tiles.read(scan.win)


def _build_meld(scan: Scan, group: Group) -> Meld:
    """Return the meld of one group, or raise ``bad-meld``."""
    tiles = group.body.tiles
    plain = sorted([each.kind for each in tiles if each.kind != JOKER_KIND])
    jokers = len(tiles) - len(plain)
    if not tiles:
        _fault_meld(scan, group, "a meld has three or four tiles")
    if group.stray:
        _fault_meld(scan, group, "nothing stands after the marks of a meld")
    if len(tiles) not in (3, 4):
        _fault_meld(scan, group, f"{len(tiles)} tiles; a meld has three or four")
    stands: list[Tile] = []
    if group.jokers is not None:
        stands = sorted(group.jokers.tiles)
        if len(stands) != jokers:
            _fault_meld(scan, group, f"{jokers} jokers stand for {jokers} tiles, not for {len(stands)}")
    elif jokers:
        stands = _joker_tiles(scan, group, plain, jokers)
    kinds = sorted(plain + [each.kind for each in stands])
    first = TILES[kinds[0]]
    alike = kinds[0] == kinds[-1]
    if alike:
        form = MeldType.KONG if len(kinds) == 4 else MeldType.PUNG
    elif kinds == [kinds[0], kinds[0] + 1, kinds[0] + 2] and first.kind < 27 and first.rank <= 7:
        form = MeldType.CHOW
    else:
        _fault_meld(scan, group, "neither a chow, nor a pung, nor a kong")
    exposed, added, feeder = _claim(scan, group, form)
    try:
        return Meld(
            type=form,
            first=first,
            exposed=exposed,
            added=added,
            feeder=feeder,
            reds=sum([each.red for each in tiles]),
            jokers=tuple(stands),
        )
    except HandError as error:
        _fault_meld(scan, group, str(error))


def _joker_tiles(scan: Scan, group: Group, plain: list[int], jokers: int) -> list[Tile]:
    """Return what the jokers stand for where only one meld is possible."""
    found = []
    if plain and plain[-1] < _FIRST_BONUS:
        if plain[0] == plain[-1]:
            found.append([TILES[plain[0]]] * jokers)
        if plain[-1] < 27 and len(plain) + jokers == 3 and len(set(plain)) == len(plain):
            lowest = plain[0] // 9 * 9
            for start in range(lowest, lowest + 7):
                chow = range(start, start + 3)
                if set(plain) <= set(chow):
                    found.append([TILES[kind] for kind in chow if kind not in plain])
    if len(found) != 1:
        why = "cannot make a meld" if not found else "could be several melds; say what the jokers stand for after '='"
        _fault_meld(scan, group, why)
    return found[0]


def _claim(scan: Scan, group: Group, form: MeldType) -> tuple[bool, bool, Relation | None]:
    """Return whether a meld is exposed, whether its fourth tile was added, and who fed it."""
    marks, place = group.marks, group.place
    if group.bracket:
        if marks:
            _fault_meld(scan, group, "marks stand after commas; in brackets a digit says who fed a meld")
        if place is None:
            return group.bracket == "(" or form is not MeldType.KONG, False, None
        if group.bracket == "[":
            if form is MeldType.CHOW and place in _RELATIONS:
                return True, False, Relation.LEFT
            if form is not MeldType.CHOW and place in _RELATIONS:
                return True, False, _RELATIONS[place]
            if form is MeldType.KONG and place in _ADDED:
                return True, True, _ADDED[place]
        digits = "1-3, or 5-7 for an added kong" if form is MeldType.KONG else "1-3"
        where = "the digit" if group.bracket == "[" else "a meld in round brackets has no digit, elsewhere it"
        _fault_meld(scan, group, f"no {form} with '{place}' ({where} is {digits})")
    added, claimed = marks[:1] == "a", marks[:1] == "o"
    feeder = marks[1:] if added or claimed else marks
    if len(feeder) > 1 or feeder not in ("", "l", "x", "r"):
        _fault_meld(scan, group, f"no marks '{marks}' (o or a on four alike, then one of l x r)")
    if (added or claimed) and form is not MeldType.KONG:
        _fault_meld(scan, group, f"'{marks[0]}' marks four alike, not a {form}")
    exposed = form is not MeldType.KONG or bool(marks)
    return exposed, added, Relation(feeder) if feeder else None


def _fault_meld(scan: Scan, group: Group, why: str) -> NoReturn:
    token = scan.line[group.start : group.end].strip()
    fault(scan, "bad-meld", f"no meld '{token}': {why}", group.start, end=group.end)


def _check(scan: Scan, tiles: TileSet | None, seen: Sequence[tuple[Tile, int]], *, won: bool = False) -> None:
    """Raise the first of ``too-many``, ``tile-count`` and ``not-in-ruleset``, with its place."""
    written = [*zip(scan.hand.offsets, scan.hand.tiles, strict=True)]
    counted = [(offset, 1) for offset, each in written if not each.is_bonus]
    for group in scan.groups:
        written.extend(zip(group.body.offsets, group.body.tiles, strict=True))
        counted.append((group.start, 3))
    if scan.win is not None:
        written.append((scan.win_offset, scan.win))
        counted.append((scan.win_offset, 1))
    written.sort(key=_first)
    written.extend((offset, each) for each, offset in seen)
    copies = (tiles or DEFAULT_SET).copies
    reds = (tiles or DEFAULT_SET).reds
    counts: dict[str, int] = {}
    for offset, each in written:
        allowed = copies[each.kind] or DEFAULT_SET.copies[each.kind]
        names = [(str(each.plain), allowed)]
        if each.red:
            names.append((str(each), reds["mps".index(each.suit)] or allowed))
        for name, most in names:
            counts[name] = counts.get(name, 0) + 1
            if counts[name] > most:
                message = f"{counts[name]} copies of '{name}', where a set has {most}"
                fault(scan, "too-many", message, offset)
    _check_count(scan, sorted(counted, key=_first), won=won)
    if tiles is not None:
        for offset, each in written:
            if tiles.missing((each,)) is not None:
                fault(scan, "not-in-ruleset", f"'{each}' is not among the tiles of this ruleset", offset)


def _check_count(scan: Scan, counted: list[tuple[int, int]], *, won: bool) -> None:
    """Raise ``tile-count``, at the first surplus tile or at the end."""
    total = sum(number for _, number in counted)
    if scan.win is not None and scan.win.is_bonus:
        fault(scan, "tile-count", f"'{scan.win}' is a bonus tile, which wins nothing", scan.win_offset)
    running = 0
    for offset, number in counted:
        running += number
        if running > 14:
            message = f"{amount(total, 'tile')}, where a hand has 13, or 14 with the tile it wins on"
            fault(scan, "tile-count", message, offset)
    # a flower may win before a tile replaces it: with bonus tiles, the ruleset decides whether 13 are enough
    flowered = any(each.is_bonus for each in scan.hand.tiles)
    if won and total < (13 if flowered else 14):
        are = "1 is missing" if total == 13 else f"{14 - total} are missing"
        fault(scan, "tile-count", f"{amount(total, 'tile')}, where a won hand has 14: {are}", scan.end, end=scan.end)
    if total % 3 == 0:
        message = f"{amount(total, 'tile')}, where a hand has 13 or 14 (or three fewer for each set left out)"
        fault(scan, "tile-count", message, scan.end, end=scan.end)
    if scan.win is not None and total % 3 != 2:
        message = f"{amount(total, 'tile')} with the winning tile, where a won hand has 14"
        fault(scan, "tile-count", message, scan.end, end=scan.end)


def _check_rules(scan: Scan, said: Said, hand: Hand, context: Context, check: Check | None) -> None:
    """Raise the error for a word or a meld that a ruleset refuses, or a word that by it cannot be true of the hand."""
    if check is None:
        return
    try:
        check(hand, context)
    except NotInRulesetError as error:
        if isinstance(error.named, int):
            group = scan.groups[error.named]
            fault(scan, error.code, str(error), group.start, end=group.end)
        start, end = _where(scan, said, error.named)
        fault(scan, error.code, str(error), start, end=end)
    except ContradictionError as error:
        _fault_contradiction(scan, said, error.first, error.second, error.why)


def _first(pair: tuple[int, object]) -> int:
    return pair[0]


def _add_status(scan: Scan, status: Status, said: Said) -> None:
    """Add what the status field says to what the words say."""
    flags = {
        "self-draw": status.self_draw,
        "last-of-kind": status.last_of_kind,
        "last-tile": status.last_tile,
        "kong-draw": status.kong and status.self_draw,
        "rob-kong": status.kong and not status.self_draw,
    }
    for word in ("round", "seat", *flags):
        if word in said.offsets:
            why = f"the status field says already what '{word}' says"
            _fault_contradiction(scan, said, status.token, word, why)
    if scan.self_drawn and not status.self_draw:
        _fault_contradiction(scan, said, f"++{scan.win}", status.token, "the status field says it was not drawn")
    said.values["round"], said.values["seat"] = Seat(status.round), Seat(status.seat)
    for word, true in flags.items():
        if true:
            said.values[word.replace("-", "_")] = True
    if flags["kong-draw"]:
        said.values["kong_draw"] = 1
    for offset, word in enumerate(("round", "seat", "self-draw", "last-of-kind", "last-tile", "kong-draw"), 1):
        said.offsets[word] = status.start + offset
    said.offsets["rob-kong"] = said.offsets["kong-draw"]


def _fault_contradiction(scan: Scan, said: Said, first: str, second: str, why: str) -> NoReturn:
    """Raise the error for two things that cannot both be true, at the one that is written second."""
    ends = [_where(scan, said, name) for name in (first, second)]
    if ends[0][0] > ends[1][0]:
        first, second = second, first
        ends.reverse()
    start, end = ends[1]
    fault(scan, "contradiction", f"'{first}' contradicts '{second}': {why}", start, end=end)


def _where(scan: Scan, said: Said, name: str) -> tuple[int, int]:
    """Return where in the line a thing stands that an error names."""
    word = name.rstrip("=")
    if scan.status is not None and name == scan.status.token:
        return scan.status.start, scan.status.start + len(name)
    if word in said.offsets:
        start = said.offsets[word]
        return start, next((end for begin, end in scan.words if begin == start), start + 1)
    if name == "flowers":
        return 0, 0  # there are none
    if name == "melds":
        return (scan.groups[0].start, scan.groups[0].end) if scan.groups else (scan.end, scan.end)
    if name[0] == "+":
        return scan.win_mark, scan.win_offset + 1
    if scan.win is not None:
        return scan.win_offset, scan.win_offset + 1
    pairs = zip(scan.hand.tiles, scan.hand.offsets, strict=True)
    start = [offset for each, offset in pairs if not each.is_bonus][-1]
    return start, start + 1
