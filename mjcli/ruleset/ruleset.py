"""A loaded ruleset: frozen values, and the function that evaluates its conditions on one reading."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property, partial
from types import CodeType
from typing import TYPE_CHECKING, Any, Final

from mjcli.errors import ContradictionError, NotInRulesetError
from mjcli.forms import FormRules
from mjcli.melds import MeldType, Relation, Seat
from mjcli.notation.words import ExtraWord, WordKind
from mjcli.ruleset.combine import Entry, combiner
from mjcli.ruleset.program import OptionValue, PlayRules, Program, RotationRules, WallRules
from mjcli.tiles import JOKER_KIND, TileSet

if TYPE_CHECKING:
    from mjcli.hand import Context, Hand
    from mjcli.tiles import Tile

__all__ = ["Functions", "Liability", "Names", "PatternInfo", "Ruleset", "code_of", "link", "name_in"]

Names = Mapping[str, str]
"""By language: en, zh-Hant, zh-Hans; a language may be missing."""

SEATS: Final = tuple(Seat)


def name_in(names: Names, language: str) -> str:
    """Return a name in a language, or else in English; nothing where there is neither."""
    return names.get(language) or names.get("en") or ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternInfo:
    """What is said of a pattern beside its condition."""

    id: str
    names: Names
    aliases: tuple[str, ...] = ()
    group: str = "main"
    source: str = ""
    note: str = ""
    units: Names = field(default_factory=dict)
    """What its value is, by language; empty where it is fan."""

    def name(self, language: str) -> str:
        """Return its name, in English or as its id where the file has none in ``language``."""
        return name_in(self.names, language) or self.id

    def unit(self, language: str) -> str:
        """Return what its value is, in English where the file has no word in ``language``; nothing where it is fan."""
        return name_in(self.units, language)


@dataclass(frozen=True, slots=True, kw_only=True)
class Liability:
    """A rule by which the player who fed a certain meld pays alone 包."""

    id: str
    en: str
    feeder: str
    """``last_claimed``: of the last claimed meld; ``last_meld``: of the last meld, if it is claimed; ``last_kong``: of
    the last meld, a kong claimed at once."""
    kinds: frozenset[int] | None = None
    """Only melds of these kinds; None for all."""


class Functions:
    """The functions of a program, compiled and linked when one of them is first called: what deals, lists or waits
    without a value never calls one.
    """

    def __init__(self, program: Program, code: Callable[[], CodeType]) -> None:
        """``code`` returns the program's source, compiled."""
        self._program, self._code = program, code

    @cached_property
    def linked(self) -> tuple[Callable[..., Any], ...]:
        """The functions, as ``link`` returns them."""
        return link(self._program, self._code())


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """One ruleset under certain option values."""

    id: str
    version: int
    names: Names
    sources: tuple[str, ...]
    tiles: TileSet
    forms: FormRules
    claimed_chows: str
    """The suits of which chows may be claimed."""
    joker_kongs: bool
    """Whether a kong may hold jokers."""
    extra_words: tuple[ExtraWord, ...]
    """The context words that it adds."""
    options: Mapping[str, OptionValue]
    """The value of every option."""
    patterns: tuple[PatternInfo, ...]
    """Those in play under these options, in the order of the file."""
    titles: tuple[Names, ...]
    """What hands are called, in the order in which the step @title counts them."""
    unplayed: tuple[tuple[PatternInfo, str], ...]
    """Those that the options keep out of play, each with the conditions by which they do."""
    liability: tuple[Liability, ...]
    liability_conflict: str
    """Which of several liable players pays: ``later`` or ``first``."""
    wall: WallRules | None
    """How the wall is built, broken and dealt from; None where the file does not say."""
    play: PlayRules | None
    """How a deal is played, where rulesets differ; None where the file does not say."""
    rotation: RotationRules | None
    """Who deals next; None where the file does not say."""
    program: Program
    functions: Functions = field(repr=False, compare=False)

    def __reduce__(self) -> tuple[Callable[[Mapping[str, Any]], Ruleset], tuple[Mapping[str, Any]]]:
        """Return how it is made anew, in another process: its functions are compiled and linked there."""
        names = (each.name for each in fields(self) if each.name != "functions")
        return _made_anew, ({name: getattr(self, name) for name in names},)

    @property
    def evaluate(self) -> Callable[..., Any]:
        """From the columns of a reading to (steps, counts, fans), or with ``detail`` to every variable by name."""
        return self.functions.linked[0]

    @property
    def at_once(self) -> Callable[[Mapping[str, Any]], Any]:
        """From the columns of an unfinished hand to whether it wins at once."""
        return self.functions.linked[1]

    @property
    def false_win(self) -> Callable[[Mapping[str, Any], int], Any]:
        """From the columns of a self-draw and a fan to what each loser, and the dealer if he is one, would pay."""
        return self.functions.linked[2]

    @property
    def refused(self) -> Callable[[Mapping[str, Any]], Any]:
        """From the columns that do not depend on how a hand is read to the number of the refusal that holds, or 0."""
        return self.functions.linked[3]

    @property
    def players(self) -> int:
        """How many there are; four where the file says nothing of a wall."""
        return 4 if self.wall is None else self.wall.players

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats at the table, in the order of play."""
        return SEATS[: self.players]

    def shown(self, context: Context) -> tuple[Tile, ...]:
        """Return the tiles that a context says lie elsewhere: those seen, and the indicators that are turned over."""
        if not context.extra:
            return context.seen
        said: dict[str, Any] = dict(context.extra)
        words = (word.name for word in self.extra_words if word.kind is WordKind.INDICATORS)
        return (*context.seen, *(tile for word in words for tile in said.get(word, ())))

    def check(self, hand: Hand, context: Context) -> None:
        """Refuse melds that are not made by this ruleset, players who are not at its table, and words of other games.

        Raises:
            NotInRulesetError: there is such a meld, player or word.
            ContradictionError: a flower was replaced, and none is in the hand, which is where it would lie.
        """
        if self.players < len(SEATS):
            self._check_players(hand, context)
        for place, meld in enumerate(hand.melds):
            if meld.type is MeldType.CHOW and meld.first.suit not in self.claimed_chows:
                suits = f"chows of {' '.join(self.claimed_chows)} only" if self.claimed_chows else "no chows"
                raise NotInRulesetError(place, f"no chow from '{meld.first}' is claimed by {self.id}: {suits}")
            if meld.type is MeldType.KONG and meld.jokers and not self.joker_kongs:
                raise NotInRulesetError(place, f"no joker stands in a kong by {self.id}")
        if context.flower_draw and not any(self.tiles.copies[JOKER_KIND + 1 :]):
            raise NotInRulesetError("flower-draw", f"'flower-draw' is not said by {self.id}, which has no flowers")
        if context.flower_draw and not hand.bonus and not hand.melds_assumed:
            raise ContradictionError("flowers", "flower-draw", "none is in the hand")
        if context.liable is not None and not self.liability:
            raise NotInRulesetError("liable=", f"'liable=' is not said by {self.id}, where nobody pays for another")

    def _check_players(self, hand: Hand, context: Context) -> None:
        """Refuse players who are not at a table of three, where nobody sits at N or across."""
        seats = self.seats
        play = f"{', '.join(seats[:-1])} and {seats[-1]} play {self.id}"
        for word, player in (("seat=", context.seat), ("from=", context.source), ("liable=", context.liable)):
            if isinstance(player, Seat) and player not in seats:
                raise NotInRulesetError(word, f"nobody sits at {player}: {play}")
            if player is Relation.ACROSS:
                raise NotInRulesetError(word, f"nobody sits across: {play}")
        if context.winners >= len(seats):
            raise NotInRulesetError("winners=", f"{context.winners} winners and a discarder: {play}")
        for place, meld in enumerate(hand.melds):
            if meld.feeder is Relation.ACROSS:
                raise NotInRulesetError(place, f"nobody sits across: {play}")

    def pattern(self, name: str) -> PatternInfo | None:
        """Return the pattern in play with this id or alias."""
        return next((each for each in self.patterns if name == each.id or name in each.aliases), None)


def _made_anew(said: Mapping[str, Any]) -> Ruleset:
    program = said["program"]
    return Ruleset(**said, functions=Functions(program, partial(code_of, program.source, said["id"])))


def code_of(source: str, name: str) -> CodeType:
    """Return generated source, compiled; ``name`` is the ruleset's."""
    return compile(source, f"<ruleset {name}>", "exec")


PLAIN_OPERATIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "popc": int.bit_count,
    "where": lambda test, yes, no: yes if test else no,
    "max2": max,
    "min2": min,
    "pick": lambda table, index: table[index],
}
"""What the generated source calls, on plain ints."""


def link(
    program: Program,
    code: CodeType,
    operations: Mapping[str, Callable[..., Any]] = PLAIN_OPERATIONS,
    combine: Callable[[tuple[Entry, ...]], Callable[..., Any]] = combiner,
) -> tuple[Callable[..., Any], ...]:
    """Return ``evaluate``, ``at_once``, ``false_win`` and ``refused`` of a compiled program.

    They are linked for plain ints, or for what else ``operations`` take.

    The code was generated from our own words and numbers only, and it runs without builtins but ``locals``.

    Args:
        program: what was compiled.
        code: its source, compiled.
        operations: the five functions that the source calls, by the names of ``PLAIN_OPERATIONS``.
        combine: from the patterns that combine once to a function from three columns of sets to their counts.
    """
    names: dict[str, Any] = {
        "__builtins__": {"locals": locals},
        **operations,
        **{f"TABLE_{name}": table for name, table in program.tables.items()},
        **{f"combine{index}": combine(entries) for index, (_, entries) in enumerate(program.combine)},
    }
    exec(code, names)  # noqa: S102 - generated by mjcli.ruleset.compiler
    return names["evaluate"], names["at_once"], names["false_win"], names["refused"]
