"""The value of a won hand under a ruleset: its best reading, every pattern that counts, and who pays whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import gt
from typing import Any, Final, NamedTuple

from mjcli.errors import ContradictionError, HandError, amount
from mjcli.hand import ASSUMED_ROUND, ASSUMED_SEAT, Hand, Line, check_winds
from mjcli.melds import Relation, Seat
from mjcli.notation.words import WordKind
from mjcli.payments import Amounts, payments_by_role, payments_by_seat
from mjcli.readings import Reading, readings, unfinished
from mjcli.ruleset.program import value_of
from mjcli.ruleset.ruleset import Liability, Names, PatternInfo, Ruleset
from mjcli.tiles import TILES, Tile, TileSet

__all__ = [
    "BELOW_MINIMUM",
    "MOST_WITH_JOKERS",
    "NOT_COMPLETE",
    "Counted",
    "Evaluated",
    "Excluded",
    "Score",
    "StandIn",
    "evaluations",
    "following",
    "score",
    "wins_at_once",
    "with_winning_tile",
    "won_on",
]

NOT_COMPLETE: Final = "not complete"
BELOW_MINIMUM: Final = "below the minimum"
"""Why a hand cannot win."""

MOST_WITH_JOKERS: Final = 20
"""How many readings of a hand with jokers are kept."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A pattern that counts."""

    pattern: PatternInfo
    fan: int
    """For all that it counts."""
    count: int


@dataclass(frozen=True, slots=True)
class Excluded:
    """A pattern that matches and does not count, and those that take it away."""

    pattern: PatternInfo
    by: tuple[str, ...]
    how: str
    """``contains`` or ``excludes``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluated:
    """A reading with its value under a ruleset."""

    reading: Reading
    steps: Mapping[str, int]
    """Every step of the ruleset's score, those starting with @ being preference, winning and payments."""
    counted: tuple[Counted, ...]
    rank: tuple[int, ...]
    """Compared between readings; the greatest is the best, of equal ones the first."""


class StandIn(NamedTuple):
    """A tile for which a joker stands."""

    tile: Tile
    place: str
    """Where the joker is: ``hand``, ``win`` for the winning tile, or ``meld``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The answer for one hand."""

    line: Line
    """With the winning tile that was assumed, if it was."""
    ruleset: Ruleset = field(repr=False)
    complete: bool = False
    title: Names = field(default_factory=dict)
    """What the hand is called by its score, by language; empty if the ruleset has no name for it."""
    can_win: bool = False
    reason: str = ""
    """Why it cannot win."""
    fan: int = 0
    fan_uncapped: int = 0
    points: int = 0
    steps: Mapping[str, int] = field(default_factory=dict)
    patterns: tuple[Counted, ...] = ()
    best: Evaluated | None = None
    others: tuple[Evaluated, ...] = ()
    """The readings that lost, best first; of a hand with jokers, which may have hundreds, the first of them."""
    more: int = 0
    """How many readings lost besides."""
    payments: Mapping[str, int] = field(default_factory=dict)
    payer: Seat | None = None
    """Who pays what is named: the discarder, the robbed or the liable player, where that is known; not the liable
    player if he has a role of his own."""
    liable: str = ""
    """The rule by which somebody pays alone, or ``liable`` if the line says so."""
    win_tile_assumed: bool = False
    assumed: Mapping[str, str] = field(default_factory=dict)

    @property
    def jokers(self) -> tuple[StandIn, ...]:
        """What each joker stands for: those in the hand sorted, the winning tile, those in melds in their order.

        Those in the hand stand for nothing where it is not complete, or wins at once whatever its tiles are.
        """
        found = []
        if self.best is not None:
            reading = self.best.reading
            in_hand = list(reading.jokers)
            won = [reading.win] if reading.won_on_joker and reading.win is not None else []
            for tile in won:
                in_hand.remove(tile)
            found = [StandIn(tile, "hand") for tile in in_hand] + [StandIn(tile, "win") for tile in won]
        melds = (tile for meld in self.line.hand.melds for tile in meld.jokers)
        return (*found, *(StandIn(tile, "meld") for tile in melds))

    @property
    def excluded(self) -> tuple[Excluded, ...]:
        """The patterns that match without counting, found when they are asked for."""
        return () if self.best is None else tuple(_excluded(self.best, self.ruleset))


def with_winning_tile(line: Line) -> Line:
    """Return ``line`` with the concealed tile written last as its winning tile, if it has none and 3n+2 tiles.

    >>> from mjcli.notation import parse_line
    >>> with_winning_tile(parse_line("11z 123m 5z 456p 55z 789s")).hand.win
    Tile(suit=<Suit.BAMBOO: 's'>, rank=9, red=False)

    Raises:
        ContradictionError: the context cannot be true of that winning tile.
    """
    hand = line.hand.won_on_last(self_drawn=line.self_drawn)
    return line if hand is line.hand else replace(line, hand=hand)


def won_on(line: Line, tile: Tile) -> Line:
    """Return ``line``, of a hand that waits, as won on ``tile``: by discard, unless its context says self-draw.

    A winning tile that it has already is left out.

    Raises:
        ContradictionError: the context cannot be true of that winning tile.
    """
    return replace(line, hand=replace(line.hand, win=tile, self_drawn=line.self_drawn, last=None))


def score(line: Line, ruleset: Ruleset, *, last_kong: int | None = None) -> Score:
    """Return the value of ``line`` under ``ruleset``, by its best reading.

    Jokers stand for the tiles that give the best value. Of readings with equal values the first is taken: forms in the
    order of the ruleset, then for jokers the lowest tiles in the order m p s z.

    >>> from mjcli.notation import parse_line
    >>> from mjcli.ruleset import load_ruleset
    >>> found = score(parse_line("333p555s77m44s,111z+7m"), load_ruleset("jipinghu"))
    >>> found.fan, found.points, [each.pattern.id for each in found.patterns]
    (3, 8, ['dui_dui_hu', 'quan_feng'])

    Args:
        line: 14 tiles; without a winning tile the concealed tile written last is it. Where a ruleset knows draws that
            win at once, 13 tiles are taken as drawn so.
        ruleset: as ``load_ruleset`` returns it.
        last_kong: the place among the melds of the kong made last, where that is known. Else it is the last meld, and
            not known if a kong was added to a pung, which keeps the place of the pung.

    Raises:
        HandError: sets or tiles are missing or too many (``tile-count``), a tile, a meld or a word is none of the
            ruleset's (``not-in-ruleset``), or the ruleset refuses the hand, which contradicts itself
            (``contradiction``).
        ContradictionError: the context cannot be true.
    """
    if ruleset.tiles.bird is not None:
        line = _birds_as_jokers(line, ruleset.tiles)
    assumed_win = line.hand.win is None
    line = with_winning_tile(line)
    if line.hand.win is None and line.hand.tile_count == 13 and ruleset.program.instant:
        line = replace(line, context=replace(line.context, self_draw=True))
        assumed_win = False
    else:
        _check_whole(line)
    _check(line, ruleset)
    assumed = {
        **({} if line.context.seat else {"seat": ASSUMED_SEAT.value}),
        **({} if line.context.round else {"round": ASSUMED_ROUND.value}),
    }
    ranked = sorted(evaluations(line, ruleset), key=lambda each: each.rank, reverse=True)
    kept = ranked[:MOST_WITH_JOKERS] if line.hand.jokers else ranked
    if not ranked:
        _check_whole(line)
        return Score(line=line, ruleset=ruleset, reason=NOT_COMPLETE, win_tile_assumed=assumed_win, assumed=assumed)
    best = ranked[0]
    rule, payer = _liable(line, ruleset, best, last_kong)
    if payer is not None:
        columns = {**best.reading.columns, "liable": True}
        if not ruleset.program.liable_apart:
            columns["named_dealer"] = payer is Seat.E
        best = _evaluate(replace(best.reading, columns=columns), ruleset)
    steps = {name: value for name, value in best.steps.items() if name[0] != "@"}
    can_win = bool(best.steps["@wins"])
    return Score(
        line=line,
        ruleset=ruleset,
        complete=True,
        title=ruleset.titles[best.steps["@title"] - 1] if best.steps["@title"] else {},
        can_win=can_win,
        reason="" if can_win else BELOW_MINIMUM,
        fan=steps["fan"],
        fan_uncapped=steps.get("fan_uncapped", steps["fan"]),
        points=steps["points"],
        steps=steps,
        patterns=best.counted,
        best=best,
        others=tuple(kept[1:]),
        more=len(ranked) - len(kept),
        payments=_payments(line, ruleset, best, payer) if can_win else {},
        payer=_named(line, ruleset, payer),
        liable=rule,
        win_tile_assumed=assumed_win,
        assumed=assumed,
    )


def _birds_as_jokers(line: Line, tiles: TileSet) -> Line:
    """Return a line that may have been read without regard to ``tiles`` with jokers for the tiles that are jokers."""
    hand = line.hand
    win, last = (None if each is None else tiles.read(each) for each in (hand.win, hand.last))
    hand = replace(hand, concealed=tuple(map(tiles.read, hand.concealed)), win=win, last=last)
    return replace(line, hand=hand, context=replace(line.context, seen=tuple(map(tiles.read, line.context.seen))))


def _check_whole(line: Line) -> None:
    """Refuse what is no whole hand."""
    count = line.hand.tile_count
    missing = 14 - count
    if missing:
        are = "1 is missing" if missing == 1 else f"{missing} are missing"
        raise HandError("tile-count", f"{amount(count, 'tile')}, where a won hand has 14: {are}")


def _check(line: Line, ruleset: Ruleset) -> None:
    """Refuse what is no hand of this ruleset."""
    hand = line.hand
    check_winds(line.context)
    ruleset.check(hand, line.context)
    shown = ruleset.shown(line.context)
    foreign = ruleset.tiles.missing((*hand.tiles(), *shown))
    if foreign is not None:
        raise HandError("not-in-ruleset", f"'{foreign}' is not among the tiles of {ruleset.id}")
    held, copies = hand.held(), ruleset.tiles.copies
    if any(map(gt, held, copies)):
        kind = next(kind for kind, count in enumerate(held) if count > copies[kind])
        raise HandError("too-many", f"{held[kind]} copies of '{TILES[kind]}'; {ruleset.id} has {copies[kind]}")
    if line.context.extra:
        _check_shown(shown, ruleset, held)
    _check_reds(hand, shown, ruleset)
    if line.context.liable is not None and not line.self_drawn and not ruleset.program.liable_apart:
        raise ContradictionError(f"+{line.hand.win}", "liable=", "on a discard the discarder pays")
    if ruleset.program.refusals:
        columns = {**unfinished(line).columns, **_extra_columns(line, ruleset)}
        columns["liable"] = line.context.liable is not None
        number = ruleset.refused(columns)
        if number:
            raise HandError("contradiction", ruleset.program.refusals[number - 1])


def _check_shown(shown: Sequence[Tile], ruleset: Ruleset, held: list[int]) -> None:
    """Refuse a copy too many among the hand, the tiles seen and the indicators, which lie on the table."""
    for tile in shown:
        held[tile.kind] += 1
    for tile in shown:
        count, copies = held[tile.kind], ruleset.tiles.copies[tile.kind]
        if count > copies:
            message = f"{count} copies of '{tile.plain}', the indicators included; {ruleset.id} has {copies}"
            raise HandError("too-many", message)


def _check_reds(hand: Hand, shown: Sequence[Tile], ruleset: Ruleset) -> None:
    """Refuse a red five too many among the same tiles."""
    own = [*hand.concealed, *(tile for meld in hand.melds for tile in meld.tiles)]
    own += [] if hand.win is None else [hand.win]
    for tile, count in Counter(tile for tile in (*own, *shown) if tile.red).items():
        copies = ruleset.tiles.reds_of(tile.kind)
        if count > copies:
            raise HandError("too-many", f"{count} copies of '{tile}'; {ruleset.id} has {copies}")


def evaluations(line: Line, ruleset: Ruleset) -> Iterator[Evaluated]:
    """Yield every reading of ``line``, which has its winning tile, with its value."""
    if ruleset.players < len(Seat):
        line = _by_seat(line, ruleset)
    extra = _extra_columns(line, ruleset)
    count_waits = not {"waits", "all_waits"}.isdisjoint(ruleset.program.columns)
    won_at_once = _won_at_once(line, ruleset, extra)
    if won_at_once is not None:
        yield _evaluate(won_at_once, ruleset)
    if line.hand.win is None:
        return
    stand_ins = ruleset.tiles.plain_kinds if line.hand.jokers else ()
    for reading in readings(line, ruleset.forms, count_waits=count_waits, stand_ins=stand_ins):
        reading.columns.update(extra)
        yield _evaluate(reading, ruleset)


def wins_at_once(line: Line, ruleset: Ruleset) -> bool:
    """Return whether ``line``, a draw, wins whatever its tiles are."""
    return _won_at_once(line, ruleset, _extra_columns(line, ruleset)) is not None


def _won_at_once(line: Line, ruleset: Ruleset, extra: Mapping[str, int]) -> Reading | None:
    """Return ``line`` as an unfinished hand if it wins as that."""
    if not ruleset.program.instant:
        return None
    reading = unfinished(line)
    reading.columns.update(extra)
    return reading if ruleset.at_once(reading.columns) else None


def _by_seat(line: Line, ruleset: Ruleset) -> Line:
    """Return ``line`` with players named by seat who are named by relation, which depends on how many there are."""
    context, winner = line.context, line.context.seat or ASSUMED_SEAT
    source, liable = (winner.seat_of(each, ruleset.players) for each in (context.source, context.liable))
    return replace(line, context=replace(context, source=source, liable=liable))


def _evaluate(reading: Reading, ruleset: Ruleset) -> Evaluated:
    program = ruleset.program
    results, counts, fans = ruleset.evaluate(reading.columns)
    steps = dict(zip(program.steps, map(int, results), strict=True))
    counted = [
        Counted(info, int(count) * fan, int(count))
        for info, count, fan in zip(ruleset.patterns, counts, fans, strict=True)
        if count
    ]
    rank = (steps["@prefer"], *[steps[name] for name in program.best])
    return Evaluated(reading=reading, steps=steps, counted=tuple(counted), rank=rank)


def _extra_columns(line: Line, ruleset: Ruleset) -> dict[str, int]:
    """Return the columns of the ruleset's own context words."""
    said = dict(line.context.extra)
    held = line.hand.held() if ruleset.extra_words else []
    columns = {}
    for name, kind, _ in ruleset.extra_words:
        word = name.replace("-", "_")
        value: Any = said.get(name, ())
        if kind.names_tiles:
            named = [following(tile) if kind is WordKind.INDICATORS else tile.kind for tile in value or ()]
            columns[f"held_{word}"] = sum([held[each] for each in named])
            columns[f"x_{word}"] = len(named)
        else:
            columns[f"x_{word}"] = int(value or 0) if kind is WordKind.NUMBER else bool(value)
    return columns


def following(tile: Tile) -> int:
    """Return the kind after an indicator: the next rank, wind or dragon, the last followed by the first."""
    first, length = tile.kind - (tile.rank - 1), 9
    if tile.suit == "z":
        first, length = (27, 4) if tile.rank <= 4 else (31, 3)
    return first + (tile.kind - first + 1) % length


def _excluded(best: Evaluated, ruleset: Ruleset) -> Iterator[Excluded]:
    """Yield the patterns that match without counting."""
    counting = {each.pattern.id for each in best.counted}
    variables = ruleset.evaluate(best.reading.columns, detail=True)
    for info in ruleset.patterns:
        if info.id in counting or not value_of(variables, ruleset.program.matched[info.id]):
            continue
        takers = [(by, how) for by, how, holds in ruleset.program.takers[info.id] if value_of(variables, holds)]
        how = "excludes" if any(how == "excludes" for _, how in takers) else "contains"
        yield Excluded(info, tuple(by for by, kind in takers if kind == how), how)


def _liable(line: Line, ruleset: Ruleset, best: Evaluated, last_kong: int | None) -> tuple[str, Seat | None]:
    """Return the rule by which somebody pays alone, and who; ``("", None)`` if nobody is known to.

    Where several rules hold, one decides, even if it is not known who fed its meld.
    """
    winner = line.context.seat or ASSUMED_SEAT
    told = winner.seat_of(line.context.liable, ruleset.players)
    found = [
        (place, rule.id, feeder)
        for index, rule in enumerate(ruleset.liability)
        if best.steps[f"@liable{index}"]
        for place, feeder in _fed(line.hand, rule, last_kong)
    ]
    if found:
        _, rule_id, feeder = (max if ruleset.liability_conflict == "later" else min)(found, key=lambda each: each[0])
        if feeder is not None:
            payer = winner.neighbor(feeder, ruleset.players)
            if told is not None and told is not payer:
                raise ContradictionError("melds", "liable=", f"by the melds {payer} pays alone ({rule_id})")
            return rule_id, payer
    elif told and any(
        rule.feeder == "last_meld" and best.steps[f"@liable{index}"] for index, rule in enumerate(ruleset.liability)
    ):
        raise ContradictionError("melds", "liable=", "nobody fed the last of them")
    return ("liable", told) if told else ("", None)


def _fed(hand: Hand, rule: Liability, last_kong: int | None) -> list[tuple[int, Relation | None]]:
    """Return the place of the meld that a rule means and who fed it; nothing if there is no such meld."""
    melds = [
        (place, meld) for place, meld in enumerate(hand.melds) if rule.kinds is None or meld.first.kind in rule.kinds
    ]
    if rule.feeder == "last_meld":
        melds = melds[-1:]
    elif rule.feeder == "last_kong":
        # an added kong keeps its pung's place, so that with one the draw may have been after either
        if last_kong is not None:
            melds = [each for each in melds if each[0] == last_kong]
        elif any(meld.added for _, meld in melds):
            melds = []
        melds = [each for each in melds[-1:] if each[1].is_claimed_kong]
    return [(place, meld.fed_by) for place, meld in melds if meld.exposed][-1:]


def _named(line: Line, ruleset: Ruleset, liable: Seat | None) -> Seat | None:
    """Return who pays what is named, where that is known."""
    winner = line.context.seat or ASSUMED_SEAT
    discarder = winner.seat_of(line.context.source, ruleset.players)
    return discarder if ruleset.program.liable_apart else liable or discarder


def _payments(line: Line, ruleset: Ruleset, best: Evaluated, payer: Seat | None) -> Mapping[str, int]:
    steps, seats = best.steps, ruleset.seats
    amounts = Amounts(
        named=steps["@named"],
        others=steps["@others"],
        dealer=steps["@dealer"],
        liable=0 if payer is None else steps["@liable"],
    )
    winner = line.context.seat or ASSUMED_SEAT
    named = _named(line, ruleset, payer)
    if line.self_drawn or named is not None:
        return payments_by_seat(amounts, winner, named, seats, payer if ruleset.program.liable_apart else None)
    return payments_by_role(amounts, len(seats))
