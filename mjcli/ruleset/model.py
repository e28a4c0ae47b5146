"""What a ruleset file says, checked for shape but not yet for meaning: values, and texts that know their place.

They are named tuples, of which the many that a file makes cost little, and so do their classes when they are imported.
"""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from mjcli.forms import RULES
from mjcli.notation.words import WordKind
from mjcli.ruleset.shapes import (
    IDENTIFIER,
    RULESET_ID,
    Choice,
    Field,
    ListOf,
    MapOf,
    Number,
    Record,
    Word,
    Written,
    one_of,
)
from mjcli.ruleset.source import Place, Text

__all__ = [
    "ABORTS",
    "FILE",
    "FORM_RULES",
    "GUARD",
    "LANGUAGES",
    "NOT_PLAYED",
    "PLAY",
    "TILE_KEY",
    "Alone",
    "BreakRule",
    "Claims",
    "ContextWord",
    "Indicators",
    "Jokers",
    "LiabilityRule",
    "Option",
    "Pattern",
    "PayRule",
    "PlaySection",
    "Ready",
    "Refusal",
    "River",
    "RotationSection",
    "RulesetFile",
    "Series",
    "Title",
    "WallSection",
    "reference",
]

LANGUAGES: Final = ("en", "zh-Hant", "zh-Hans")

NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})
"""What a mapping that is not in the file says."""

FORM_RULES: Final = {form.replace("-", "_"): ("true",) if rules == ("",) else rules for form, rules in RULES.items()}
"""The forms a complete hand may have, and the rules each can be played by; one without a choice is ``true``."""
NOT_PLAYED: Final = "false"
"""The rule of a form that does not win, by an option or in a layer over one that has it."""


class Option(NamedTuple):
    """A house rule: its default, the values it may have, and a sentence."""

    default: Text
    place: Place
    values: Sequence[Text] = ()
    en: str = ""
    zh_hant: str = ""
    zh_hans: str = ""


class ContextWord(NamedTuple):
    """A context word that this ruleset adds to the closed list of the notation."""

    place: Place
    kind: WordKind | None = None
    """None only of a word that could not be read."""
    en: str = ""


class Series(NamedTuple):
    """Patterns of which only the first that stands counts; a tier may hold several that count together."""

    tiers: list[list[Text]]
    place: Place
    unless: Text | None = None


class Alone(NamedTuple):
    """Patterns of which those worth a certain fan or more count alone: the dearest that stands, of equals the first."""

    of: list[Text]
    least: int
    place: Place
    unless: Text | None = None


class Claims(NamedTuple):
    """What may be claimed from others."""

    place: Place
    chow: str = "mps"
    """The suits of which a discard may be claimed for a chow."""


class Jokers(NamedTuple):
    """Which tile is the joker 飛, and where it may stand."""

    place: Place
    tile: Text | None = None
    kongs: Text | None = None


class Pattern(NamedTuple):
    """One pattern 番種."""

    id: Text
    place: Place
    en: str = ""
    zh_hant: str = ""
    zh_hans: str = ""
    aliases: Sequence[str] = ()
    fan: Text | None = None
    group: str = "main"
    when: Text | None = None
    times: Text | None = None
    sets: Sequence[Text] = ()
    any: Sequence[Sequence[Text]] = ()
    without: Sequence[Text] = ()
    each: str | None = None
    contains: Sequence[Text] = ()
    excludes: Sequence[Text] = ()
    otherwise: Text | None = None
    only_if: Text | None = None
    unless: Text | None = None
    match: Sequence[Text] = ()
    no_match: Sequence[Text] = ()
    source: str = ""
    note: str = ""


class PayRule(NamedTuple):
    """Who pays what when ``when`` holds: the first rule that holds is used."""

    place: Place
    when: Text | None = None
    named: Text | None = None
    others: Text | None = None
    dealer: Text | None = None
    liable: Text | None = None


class Refusal(NamedTuple):
    """A hand that contradicts itself is refused when ``when`` holds; ``en`` says why and names the words."""

    when: Text
    place: Place
    en: str = ""


class Title(NamedTuple):
    """What a hand is called when ``when`` holds: the first title that holds is used."""

    place: Place
    when: Text | None = None
    en: str = ""
    zh_hant: str = ""
    zh_hans: str = ""


class LiabilityRule(NamedTuple):
    """When the player who fed a certain meld pays alone 包."""

    id: Text
    when: Text
    place: Place
    en: str = ""
    feeder: str = ""
    melds: Text | None = None


class BreakRule(NamedTuple):
    """How dice say where the wall is broken when ``when`` holds: the first rule that holds is used."""

    place: Place
    when: Text | None = None
    throws: Sequence[int] = ()
    opener: Sequence[Text] = ()
    skip: Sequence[Text] = ()
    inclusive: Text | None = None


class WallSection(NamedTuple):
    """How the wall is built, broken and dealt from."""

    place: Place
    players: int = 4
    stacks: Sequence[int] = ()
    breaks: Sequence[BreakRule] = ()
    jump: Text | None = None
    flower_order: Text | None = None
    dead_wall: Text | None = None
    indicator: Text | None = None


class Ready(NamedTuple):
    """How a player declares that he is ready."""

    word: Text
    place: Place
    first_turn: Text | None = None
    at_once: Text | None = None
    deposit: Text | None = None
    deposits: Text | None = None
    wall: Text | None = None
    points: Text | None = None
    kongs: Text | None = None


class Indicators(NamedTuple):
    """Which context words name the tiles that are turned over in the dead wall."""

    word: Text
    place: Place
    under: Text | None = None
    kongs: Text | None = None
    under_kongs: Text | None = None


class River(NamedTuple):
    """What a player is paid in a drawn deal who has discarded nothing but certain tiles, none of them claimed."""

    tiles: Text
    place: Place
    when: Text | None = None
    dealer: Text | None = None
    others: Text | None = None


class PlaySection(NamedTuple):
    """How a deal is played, where rulesets differ."""

    place: Place
    winners: Text | None = None
    passed_win: Text | None = None
    own_discards: Text | None = None
    rob_own_kong: Text | None = None
    rob_concealed_kong: Sequence[str] = ()
    swap_calling: Text | None = None
    joker_claims: Text | None = None
    most_kongs: Text | None = None
    last_replacement: Text | None = None
    ready: Ready | None = None
    indicators: Indicators | None = None
    counters: Text | None = None
    fed_before: Text | None = None
    ready_hands: Text | None = None
    river: River | None = None
    aborts: Mapping[str, Text] = NOTHING


class RotationSection(NamedTuple):
    """Who deals next, and when the game ends."""

    place: Place
    after_win: Text | None = None
    after_draw: Text | None = None
    rounds: Text | None = None
    deals: Text | None = None
    points: Text | None = None
    ends_below_zero: Text | None = None
    seats: Text | None = None


class RulesetFile(NamedTuple):
    """A whole file, after those it extends have been put under it."""

    patterns: list[Pattern]
    score: dict[str, Text]
    place: Place
    id: str = ""
    version: int = 0
    names: Mapping[str, str] = NOTHING
    sources: Sequence[str] = ()
    extends: Text | None = None
    drop: Sequence[Text] = ()
    tiles: Mapping[str, Text] = NOTHING
    forms: Mapping[str, Text] = NOTHING
    jokers: Jokers | None = None
    claims: Claims | None = None
    options: Mapping[str, Option] = NOTHING
    context: Mapping[str, ContextWord] = NOTHING
    families: Mapping[str, Sequence[Text]] = NOTHING
    series: Sequence[Series] = ()
    alone: Alone | None = None
    combine_once: Mapping[str, Sequence[Text]] = NOTHING
    tables: Mapping[str, Sequence[int]] = NOTHING
    units: Mapping[str, Mapping[str, Text]] = NOTHING
    titles: Sequence[Title] = ()
    best: Sequence[Text] = ()
    prefer: Text | None = None
    wins_if: Text | None = None
    instant: Text | None = None
    refuses: Sequence[Refusal] = ()
    pay: Sequence[PayRule] = ()
    false_win: Text | None = None
    liability: Sequence[LiabilityRule] = ()
    liability_conflict: Text | None = None
    wall: WallSection | None = None
    play: PlaySection | None = None
    rotation: RotationSection | None = None


GUARD: Final = "if "
"""What stands before an option among the terms of an alternative."""

_REFERENCE: Final = re.compile(r"(?s)(?P<name>.*?)(?:\s+if\s+(?P<condition>.*))?")


def reference(text: Text) -> tuple[str, Text | None]:
    """Return the pattern or family that a reference names, and the condition after its ``if``."""
    found = _REFERENCE.fullmatch(text.text)
    assert found is not None  # it matches any text
    given = found["condition"]
    return found["name"], None if given is None else text.part(found.start("condition"))


CONDITION: Final = Written("a condition", instead="0")
NUMBER: Final = Written("a number of the condition language", instead="0")
NAME: Final = Word("a name")
SENTENCE: Final = Word("a sentence")
NAMES: Final = {
    "en": Field(NAME, "the English name"),
    "zh-Hant": Field(NAME, "the name in traditional characters"),
    "zh-Hans": Field(NAME, "the name in simplified characters"),
}
TERMS: Final = ListOf(Written("a term such as 'chow n a'"))


def _option(*, place: Place, **read: Any) -> Option:
    """Return an option; one without a default, which is a fault, has any of its values instead."""
    values: list[Text] = read.get("values") or [Text("0", place)]
    return Option(place=place, **{"default": values[0], **read})


OPTION: Final = Record(
    {
        "default": Field(Written("a value"), "the value when nothing is set", required=True),
        "values": Field(ListOf(Written("a value")), "the values allowed; without it any whole number"),
        "en": Field(SENTENCE, "a sentence that explains it", required=True),
        "zh-Hant": Field(SENTENCE, "the sentence in traditional characters"),
        "zh-Hans": Field(SENTENCE, "the sentence in simplified characters"),
    },
    _option,
)

OWN_KINDS: Final = (WordKind.FLAG, WordKind.NUMBER, WordKind.TILES, WordKind.INDICATORS)
"""What a ruleset's own context words may say."""

CONTEXT_WORD: Final = Record(
    {
        "kind": Field(
            Choice({kind.value: kind for kind in OWN_KINDS}),
            "flag, number, tiles, or indicators (tiles that point to the next of their suit)",
            required=True,
        ),
        "en": Field(SENTENCE, "a sentence that explains it", required=True),
    },
    ContextWord,
)

SERIES: Final = Record(
    {
        "tiers": Field(
            ListOf(ListOf(Written("an id or a family"), lone=True)),
            "ids or families, the highest first; a list is a tier whose patterns may count together",
            required=True,
            vital=True,
        ),
        "unless": Field(CONDITION, "an option that switches the series off"),
    },
    Series,
)

ALONE: Final = Record(
    {
        "of": Field(ListOf(Written("an id or a family")), "ids or families", required=True, vital=True),
        "least": Field(Number(), "the fan from which a pattern counts alone", required=True, vital=True),
        "unless": Field(CONDITION, "an option that switches this off"),
    },
    Alone,
)

CLAIMS: Final = Record(
    {"chow": Field(Word("some of the suits m p s", "m?p?s?"), "the suits of which chows may be claimed; unsaid, all")},
    Claims,
)

JOKERS: Final = Record(
    {
        "tile": Field(Written("a tile, or an option"), "the tile that is the joker, and is read as 1j; default 1j"),
        "kongs": Field(CONDITION, "whether a kong may hold jokers; default true"),
    },
    Jokers,
)

PATTERN: Final = Record(
    {
        "id": Field(Written("an id"), "its id", required=True, vital=True),
        **NAMES,
        "aliases": Field(ListOf(IDENTIFIER), "other ids of the same pattern"),
        "fan": Field(NUMBER, "its value, each time it counts"),
        "group": Field(IDENTIFIER, "the group that the steps of 'score' sum; default main"),
        "when": Field(CONDITION, "a condition that must hold"),
        "times": Field(NUMBER, "how often it counts"),
        "sets": Field(TERMS, "sets that the hand must have"),
        "any": Field(ListOf(TERMS), "alternatives, each like 'sets'"),
        "without": Field(TERMS, "sets that it must not have"),
        "each": Field(Choice({"kind": "kind", "suit": "suit"}), "count it for every kind, or every suit, that has it"),
        "contains": Field(ListOf(Written("a reference")), "patterns whose value is in its own"),
        "excludes": Field(ListOf(Written("a reference")), "patterns that cannot stand beside it"),
        "otherwise": Field(Written("a group"), "it stands where nothing else of this group, or of 'all', counts"),
        "only_if": Field(CONDITION, "an option without which the pattern is not in play"),
        "unless": Field(CONDITION, "an option with which the pattern is not in play"),
        "match": Field(ListOf(Written("a hand")), "hands in which it stands"),
        "no_match": Field(ListOf(Written("a hand")), "hands in which it does not"),
        "source": Field(SENTENCE, "where value and definition come from"),
        "note": Field(SENTENCE, "what is doubtful or chosen here, and why"),
    },
    Pattern,
    label="id",
)

PAY: Final = Record(
    {
        "when": Field(CONDITION, "when this rule is used; without it, always"),
        "named": Field(NUMBER, "what the discarder, the robbed or the liable player pays"),
        "liable": Field(
            NUMBER,
            "what the liable player pays beside his share as the discarder or another loser; 'named' does not mean him",
        ),
        "others": Field(NUMBER, "what each other loser pays"),
        "dealer": Field(NUMBER, "what the dealer pays, if that differs from 'others'"),
    },
    PayRule,
)

REFUSAL: Final = Record(
    {
        "when": Field(CONDITION, "what melds, tiles and context say that cannot be", required=True, vital=True),
        "en": Field(SENTENCE, "a sentence that names the words and says why", required=True),
    },
    Refusal,
)

TITLE: Final = Record(
    {
        "when": Field(CONDITION, "when a hand is called so, in the words of the steps; without it, always"),
        **NAMES,
        "en": Field(NAME, "the English name", required=True),
    },
    Title,
)

LIABILITY: Final = Record(
    {
        "id": Field(Written("an id"), "its id", required=True, vital=True),
        "en": Field(SENTENCE, "a sentence that explains it", required=True),
        "when": Field(CONDITION, "when somebody is liable", required=True, vital=True),
        "feeder": Field(
            Choice({word: word for word in ("last_claimed", "last_meld", "last_kong")}),
            "whose discard: that of the last claimed meld, of the last meld if it is claimed, or of the last meld if "
            "it is a kong claimed at once",
            required=True,
        ),
        "melds": Field(Written("tiles"), "only melds of these tiles"),
    },
    LiabilityRule,
)

THROWS: Final = ListOf(Written("a throw"), lone=True)

BREAK: Final = Record(
    {
        "when": Field(CONDITION, "the options under which this rule is used; without it, always"),
        "throws": Field(ListOf(Number(1, 6)), "the number of dice of each throw, one throw or two", required=True),
        "opener": Field(
            THROWS,
            "whose wall is broken: dealer, or the player counted to from the dealer by first, second, least or a list "
            "of them to be added",
            required=True,
        ),
        "skip": Field(
            THROWS,
            "stacks skipped from his right end: first, second, least, or a list of them to be added",
            required=True,
        ),
        "inclusive": Field(CONDITION, "whether the last stack counted is the first taken"),
    },
    BreakRule,
)

WALL: Final = Record(
    {
        "players": Field(Number(3, 4), "players, each with a side of the wall; default 4"),
        "stacks": Field(ListOf(Number(1, 40)), "stacks of each side, E first; default: as even as can be"),
        "breaks": Field(ListOf(BREAK), "how dice break the wall; the first rule that holds", required=True),
        "jump": Field(CONDITION, "whether the dealer takes his last two tiles from the tops of two stacks"),
        "flower_order": Field(
            Written("player or rounds, or an option"), "whether a player replaces all his flowers before the next does"
        ),
        "dead_wall": Field(NUMBER, "tiles kept back, always so many; default 0"),
        "indicator": Field(NUMBER, "the stack from the break whose top tile is turned over; default 0, none"),
    },
    WallSection,
)

OWN_WORD: Final = Written("a context word of this ruleset")

READY: Final = Record(
    {
        "word": Field(OWN_WORD, "the context word (a flag) of who has declared", required=True, vital=True),
        "first_turn": Field(
            OWN_WORD,
            "the word instead of that, declared in one's first turn before any claim or kong; default the same",
        ),
        "at_once": Field(
            OWN_WORD, "the word besides, until his next discard, while nobody claims or makes a kong; default none"
        ),
        "deposit": Field(NUMBER, "points that he lays on the table, for the next winner; default 0"),
        "deposits": Field(OWN_WORD, "the word (a number) for how many deposits the winner takes"),
        "wall": Field(NUMBER, "tiles that must be left to draw; default 0"),
        "points": Field(CONDITION, "whether, in a game, he needs the points of the deposit; default false"),
        "kongs": Field(
            Written("none or same_waits, or an option"),
            "the kongs that he may still make: none, same_waits (a concealed one, of the tile drawn, that leaves what "
            "he waits for)",
        ),
    },
    Ready,
)

INDICATORS: Final = Record(
    {
        "word": Field(OWN_WORD, "the context word (indicators) for those turned over", required=True, vital=True),
        "under": Field(OWN_WORD, "the word for the tiles under them, which count for who has declared ready"),
        "kongs": Field(
            Written("none, at_once or after_discard, or an option"),
            "when a kong turns one more over: none, at_once, after_discard (with the discard after it, or before the "
            "next kong; that of a concealed kong at once)",
        ),
        "under_kongs": Field(CONDITION, "whether the tiles under those that kongs turn over count too; default true"),
    },
    Indicators,
)

RIVER: Final = Record(
    {
        "tiles": Field(Written("tiles"), "the tiles, such as ends", required=True, vital=True),
        "when": Field(CONDITION, "an option without which nothing is paid"),
        "dealer": Field(NUMBER, "what the dealer pays him; each other pays it to a dealer", required=True),
        "others": Field(NUMBER, "what each of the others pays him", required=True),
    },
    River,
)

ABORTS: Final = ("nine_ends", "four_winds", "four_kongs", "all_ready", "three_winners")
"""What can end a deal before a win and before the wall does."""

PLAY: Final = Record(
    {
        "winners": Field(
            Written("nearest or all, or an option"),
            "who wins where several can on one tile: nearest (the next after the discarder) or all",
        ),
        "passed_win": Field(
            Written("none, go_round, until_action or any_tile, or an option"),
            "how long who passed a winning tile cannot win on another such: none, go_round (until the turn passes from "
            "N to E), until_action (until his own next draw or claim), any_tile (on no other's tile until his own next "
            "discard, nor again once he has declared ready; passing is not to win on what completes the hand, though "
            "it were worth nothing)",
        ),
        "own_discards": Field(
            CONDITION, "whether who has discarded a tile that would complete his hand wins by draw only; default false"
        ),
        "rob_own_kong": Field(CONDITION, "whether who wins on the tile for an added kong may rob himself"),
        "rob_concealed_kong": Field(
            ListOf(Choice({form: form.replace("_", "-") for form in FORM_RULES}), lone=True),
            "the forms that may rob a concealed kong; unsaid, none",
        ),
        "swap_calling": Field(
            Written("free, same_tile or same_chow, or an option"),
            "what may be discarded after a claim: free (anything), same_tile (no tile like the claimed one), same_chow "
            "(nor one that would have made the chow at its other end)",
        ),
        "joker_claims": Field(
            CONDITION, "whether jokers from the hand may stand in claimed chows and pungs; default false"
        ),
        "most_kongs": Field(NUMBER, "kongs that can be made in a deal; default 0, as many as there are"),
        "last_replacement": Field(
            CONDITION, "whether the replacement of a kong can be the last tile of the wall 海底; default true"
        ),
        "ready": Field(READY, "how ready is declared; unsaid, it is not"),
        "indicators": Field(INDICATORS, "what the tiles turned over in the dead wall are called as context"),
        "counters": Field(
            OWN_WORD,
            "the context word (a number) for how many deals the dealer has stayed, or nobody has won, in a row; of "
            "several winners the first has it",
        ),
        "fed_before": Field(
            OWN_WORD,
            "the context word (a flag) of a winner by draw whose sets are all claimed, the last from who had fed the "
            "last of another such player before",
        ),
        "ready_hands": Field(
            NUMBER, "points that who is not ready when the wall ends pays, all together, to who is; default 0"
        ),
        "river": Field(RIVER, "what is paid in a drawn deal for a row of certain discards"),
        "aborts": Field(
            MapOf(CONDITION, one_of(ABORTS, "what ends a deal")),
            "what ends a deal without a win, each with its condition: nine_ends (who has nine kinds of terminals and "
            "honours in his first turn may say so), four_winds (the first four discards are one wind), four_kongs "
            "(by more than one player; with the discard after the fourth), all_ready (everybody has declared ready), "
            "three_winners (on one tile)",
        ),
    },
    PlaySection,
)

ROTATION: Final = Record(
    {
        "after_win": Field(
            Written("stay, pass or winner, or an option"),
            "who deals next: stay (a dealer who wins; else the next), pass (always the next), winner",
            required=True,
        ),
        "after_draw": Field(
            Written("stay, pass, last_drawer or ready, or an option"),
            "who deals after a draw: stay (the dealer), pass (the next), last_drawer, ready (the dealer if he is ready "
            "or the deal was aborted, else the next)",
            required=True,
        ),
        "rounds": Field(
            NUMBER, "rounds of a game, 0 where deals are counted; a round ends when everybody has been dealer"
        ),
        "deals": Field(NUMBER, "deals of a game, where there are no rounds; default 0"),
        "points": Field(NUMBER, "points that each player begins a game with; default 0, they are not counted"),
        "ends_below_zero": Field(CONDITION, "whether a game ends when somebody has fewer than none; default false"),
        "seats": Field(
            Written("winds, east_chooses, lots, highest_throw, odd_even or odd_even_highest, or an option"),
            "how seats are chosen: winds (wind tiles are drawn), east_chooses (who draws East takes the place that he "
            "likes), lots (for places, then the highest throw deals first), highest_throw (without lots), odd_even "
            "(winds from the odd or even end of a row), odd_even_highest (so, where the highest throw chooses the end)",
        ),
    },
    RotationSection,
)

TILE_KEY: Final = Word(
    "a suit letter, a tile or tiles of one suit such as 1234f",
    r"[mpszjfga]|[1-9]+[mps]|[1-7]+[za]|[1-8]+[fg]|0[mps]|1j",
)

FILE: Final = Record(
    {
        "id": Field(RULESET_ID, "the ruleset's id, which is the file's name", required=True),
        "version": Field(Number(1), "a number that grows when an answer changes", required=True),
        "names": Field(MapOf(NAME, one_of(LANGUAGES, "a language")), "its names"),
        "sources": Field(ListOf(SENTENCE), "where the rules come from"),
        "extends": Field(Written("a ruleset id"), "the ruleset under this one"),
        "drop": Field(ListOf(Written("an id")), "patterns of the ruleset under this one that are not played"),
        "tiles": Field(
            MapOf(NUMBER, TILE_KEY),
            "copies by suit or tiles, of which options may decide; 0m 0p 0s are red fives",
            required=True,
        ),
        "forms": Field(
            MapOf(Written("a rule"), one_of(list(FORM_RULES), "a form")),
            "the forms of a complete hand, each with its rule, or false where it does not win; options may decide",
            required=True,
        ),
        "jokers": Field(JOKERS, "which tile is the joker, and where it may stand"),
        "claims": Field(CLAIMS, "what may be claimed from others"),
        "options": Field(MapOf(OPTION), "house rules"),
        "context": Field(MapOf(CONTEXT_WORD), "context words that this ruleset adds"),
        "families": Field(MapOf(ListOf(Written("an id"))), "names for lists of patterns"),
        "series": Field(ListOf(SERIES), "lists of patterns of which only the first counts"),
        "alone": Field(ALONE, "patterns of which the dearest counts alone"),
        "combine_once": Field(
            MapOf(ListOf(Written("an id")), one_of(("chows", "pungs"), "a kind of sets")),
            "set patterns of chows, of pungs, that may share at most one set",
        ),
        "tables": Field(MapOf(ListOf(Number())), "lists of numbers for pick"),
        "patterns": Field(ListOf(PATTERN), "the patterns", required=True, vital=True),
        "score": Field(MapOf(NUMBER), "named steps from patterns to 'fan' and 'points'", required=True, vital=True),
        "units": Field(
            MapOf(MapOf(Written("a name"), one_of(LANGUAGES, "a language"))),
            "by group: what the values of its patterns are, where they are no fan",
        ),
        "titles": Field(ListOf(TITLE), "what a hand is called by its score; the first that holds"),
        "best": Field(ListOf(Written("a step"), lone=True), "the steps that choose the reading", required=True),
        "prefer": Field(CONDITION, "readings in which this holds go before all others"),
        "wins_if": Field(CONDITION, "what a complete hand must reach to win"),
        "instant": Field(CONDITION, "a draw on which this holds wins at once, whatever the other tiles are"),
        "refuses": Field(ListOf(REFUSAL), "hands that contradict themselves"),
        "pay": Field(ListOf(PAY), "who pays what; the first rule that holds"),
        "false_win": Field(
            NUMBER, "the fan of the self-draw for which who declares a win falsely pays each other player"
        ),
        "liability": Field(ListOf(LIABILITY), "who pays alone"),
        "liability_conflict": Field(Written("later or first, or an option"), "which of several liable players pays"),
        "wall": Field(WALL, "how the wall is built, broken and dealt from"),
        "play": Field(PLAY, "how a deal is played: several winners, passed wins, kongs, declaring ready, drawn deals"),
        "rotation": Field(ROTATION, "who deals next, and when the game ends"),
    },
    RulesetFile,
)
