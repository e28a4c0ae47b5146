"""The context words 牌況 of a line: the closed list, and what rulesets add to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn

from mjcli.errors import NotationError, most_like
from mjcli.melds import Relation, Seat
from mjcli.notation.printers import format_runs
from mjcli.notation.scan import COMPACT, Placed, Scan, fault, plain, scan_tiles

if TYPE_CHECKING:
    from mjcli.hand import Context
    from mjcli.tiles import Tile

__all__ = ["FALSE", "TRUE", "WORDS", "ExtraWord", "Said", "Word", "WordKind", "format_words", "read_words"]


class WordKind(StrEnum):
    """What may stand after a word."""

    FLAG = "flag"
    """Nothing: the word is true where it stands."""
    SEAT = "seat"
    """``=`` and one of E S W N."""
    PLAYER = "player"
    """``=`` and one of l x r, or of E S W N."""
    NUMBER = "number"
    """``=`` and a number."""
    TILES = "tiles"
    """``=`` and tiles."""
    INDICATORS = "indicators"
    """``=`` and tiles, each of which points to the next of its suit; of rulesets only."""

    @property
    def names_tiles(self) -> bool:
        """Whether tiles stand after the word."""
        return self in (WordKind.TILES, WordKind.INDICATORS)


class Word(NamedTuple):
    """One word of the closed list.

    It sets ``field`` of ``Context``; a number is ``least`` to ``most``, and 1 if it may be left out (``bare``).
    """

    name: str
    kind: WordKind
    field: str
    meaning: str
    least: int = 0
    most: int = 0
    bare: bool = False


class ExtraWord(NamedTuple):
    """A word that a ruleset adds; its value is kept in ``Context.extra``."""

    name: str
    kind: WordKind
    """A flag, a number, tiles or indicators."""
    meaning: str = ""


MOST: Final = 9999
"""The highest number that a ruleset's word takes."""

WORDS: Final[tuple[Word, ...]] = (
    Word("seat", WordKind.SEAT, "seat", "the winner's seat wind 門風; unsaid, S is assumed"),
    Word("round", WordKind.SEAT, "round", "the round wind 圈風; unsaid, E is assumed"),
    Word("self-draw", WordKind.FLAG, "self_draw", "the winning tile was drawn 自摸, as after '++'"),
    Word("from", WordKind.PLAYER, "source", "who discarded the winning tile, or whose kong was robbed"),
    Word("last-tile", WordKind.FLAG, "last_tile", "the last tile of the wall 海底, or the discard after it 河底"),
    Word("last-of-kind", WordKind.FLAG, "last_of_kind", "the other three copies are on the table 絕張"),
    Word(
        "kong-draw", WordKind.NUMBER, "kong_draw", "drawn after a kong 槓上開花; =2 after two in a row", 1, 4, bare=True
    ),
    Word("flower-draw", WordKind.FLAG, "flower_draw", "drawn as the replacement of a flower 花上開花"),
    Word("rob-kong", WordKind.FLAG, "rob_kong", "won on the tile that another adds to a pung 搶槓"),
    Word("rob-own-kong", WordKind.FLAG, "rob_own_kong", "won on the tile that could be added to one's own pung 自搶"),
    Word("first-turn", WordKind.FLAG, "first_turn", "nobody has claimed, and it is the winner's first turn 天地人"),
    Word("clean-opponents", WordKind.FLAG, "clean_opponents", "the three others have claimed nothing 門前三清"),
    Word("winners", WordKind.NUMBER, "winners", "how many players win on this tile", 1, 3),
    Word("liable", WordKind.PLAYER, "liable", "who pays alone 包, where the melds do not say it"),
    Word("seen", WordKind.TILES, "seen", "tiles seen elsewhere, which are no longer in the wall"),
)
"""The closed list, in the order in which it is printed."""

_BY_NAME: Final[Mapping[str, Word]] = {word.name: word for word in WORDS}
_PLAYERS: Final[Mapping[str, Relation | Seat]] = {each.value: each for each in (*Relation, *Seat)}
TRUE: Final = ("1", "true", "yes")
FALSE: Final = ("0", "false", "no")
"""Values, in either case, with which a column or a key says a word without a value, or leaves it out."""
NOT_SAID: Final = {"kong_draw": 0, "winners": 1}
"""The numbers of a context that no word says."""


class Said:
    """What the words of one line say.

    ``values`` go by field of ``Context``; ``offsets`` say where each word stands, at the end of the line if it was said
    beside it; the ``seen`` tiles each have their offset, and so have the ``indicators``.
    """

    __slots__ = ("extra", "indicators", "offsets", "seen", "values")

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.extra: list[tuple[str, bool | int | tuple[Tile, ...]]] = []
        self.offsets: dict[str, int] = {}
        self.seen: list[tuple[Tile, int]] = []
        self.indicators: list[tuple[Tile, int]] = []


def read_words(scan: Scan, extra: Sequence[ExtraWord], beside: Mapping[str, object]) -> Said:
    """Return what the words of a line say, and the words that were said beside it.

    Args:
        scan: the line in tokens.
        extra: the words that a ruleset adds.
        beside: values by word, as columns, keys or options give them.

    Raises:
        NotationError: ``bad-word``, or what is wrong with the tiles of a word.
    """
    said = Said()
    for start, end in scan.words:
        _read_word(scan, start, end, extra, said)
    for name, value in beside.items():
        text = _as_word(name, value, extra)
        if text is None:
            continue
        apart = Scan(text, plain(text), scan.dragons, scan.spelling)
        before = [(tiles, len(tiles)) for tiles in (said.seen, said.indicators)]
        _read_word(apart, 0, len(text), extra, said)
        said.offsets[name] = len(scan.line)
        for tiles, count in before:
            tiles[count:] = [(each, len(scan.line)) for each, _ in tiles[count:]]
    return said


def _as_word(name: str, value: object, extra: Sequence[ExtraWord]) -> str | None:
    """Return a pair of name and value as a line would say it; None where it says nothing."""
    word = _find(name, extra)
    bare = word is not None and (word.kind is WordKind.FLAG or (isinstance(word, Word) and word.bare))
    if value is None or value == "" or (bare and str(value).lower() in FALSE):
        return None
    if bare and str(value).lower() in TRUE:
        return name
    if isinstance(value, (list, tuple)):
        value = "".join(map(str, value))
    return f"{name}={value}"


def _find(name: str, extra: Sequence[ExtraWord]) -> Word | ExtraWord | None:
    return _BY_NAME.get(name) or next((word for word in extra if word.name == name), None)


def _read_word(scan: Scan, start: int, end: int, extra: Sequence[ExtraWord], said: Said) -> None:
    """Add what one word says."""
    name, equals, value = scan.text[start:end].partition("=")
    word = _find(name, extra)
    if word is None:
        _fault_unknown(scan, start, end, extra)
    if name in said.offsets:
        fault(scan, "bad-word", f"'{name}' is said twice", start, end=end)
    said.offsets[name] = start
    read: Any
    if word.kind is WordKind.FLAG:
        if equals:
            fault(scan, "bad-word", f"'{name}' takes no value", start, end=end, suggestion=name)
        read = True
    elif word.kind.names_tiles:
        if not value:
            fault(scan, "bad-word", f"'{name}=' needs tiles, such as {name}=1z1z4m", start, end=end)
        placed = _read_tiles(scan, start + len(name) + 1, end)
        read = tuple(placed.tiles)
        if name == "seen":
            said.seen.extend(zip(placed.tiles, placed.offsets, strict=True))
        elif word.kind is WordKind.INDICATORS:
            said.indicators.extend(zip(placed.tiles, placed.offsets, strict=True))
    elif word.kind is WordKind.NUMBER:
        least, most = (word.least, word.most) if isinstance(word, Word) else (0, MOST)
        if not equals and isinstance(word, Word) and word.bare:
            value = "1"
        read = int(value) if value.isascii() and value.isdigit() and len(value) <= len(str(most)) else -1
        if not least <= read <= most or str(read) != value:
            fault(scan, "bad-word", f"'{name}=' needs a number {least}-{most}", start, end=end)
    else:
        read = _read_player(scan, word, value, start, end)
    if isinstance(word, Word):
        said.values[word.field] = read
    else:
        said.extra.append((name, read))


def _read_tiles(scan: Scan, start: int, end: int) -> Placed:
    """Return the tiles of a word, spelled as in the hand, or in the compact form, in which words are printed."""
    try:
        return scan_tiles(scan, start, end)
    except NotationError:
        if scan.spelling is not COMPACT:
            with suppress(NotationError):
                return scan_tiles(Scan(scan.line, scan.text, scan.dragons, COMPACT), start, end)
        raise


def _read_player(scan: Scan, word: Word | ExtraWord, value: str, start: int, end: int) -> Relation | Seat:
    """Return the seat, or the player seen from the winner."""
    found = _PLAYERS.get(value)
    if found is None or (word.kind is WordKind.SEAT and not isinstance(found, Seat)):
        allowed = "E S W N" if word.kind is WordKind.SEAT else "l x r or E S W N"
        meant = value.upper() if value.upper() in "ESWN" else ""
        suggestion = f"{word.name}={meant}" if meant else ""
        message = f"'{word.name}=' needs one of {allowed}"
        fault(scan, "bad-word", message, start, end=end, suggestion=suggestion)
    return found


def _fault_unknown(scan: Scan, start: int, end: int, extra: Sequence[ExtraWord]) -> NoReturn:
    """Raise the error for a word that is none, with the word that was probably meant."""
    token = scan.line[start:end]
    name, equals, value = scan.text[start:end].partition("=")
    if not name[:1].isalpha():
        fault(scan, "bad-word", f"no word '{token}' (tiles stand before the words)", start, end=end)
    names = [*_BY_NAME, *(word.name for word in extra)]
    meant = most_like(name.lower().replace("_", "-"), names)
    suggestion = meant + equals + value if meant else ""
    if not meant and set(name) <= set("eswnpfc"):
        suggestion = name.upper()
    fault(scan, "bad-word", f"no word '{token}'", start, end=end, suggestion=suggestion)


def format_words(context: Context) -> str:
    """Return the words that say ``context``, in the order of the closed list, then those of rulesets.

    >>> from mjcli.hand import Context
    >>> format_words(Context(seat=Seat.W, kong_draw=1))
    'seat=W kong-draw'
    """
    found = []
    for word in WORDS:
        value = getattr(context, word.field)
        if (
            value is None
            or value is False
            or value == ()
            or (word.kind is WordKind.NUMBER and value == NOT_SAID[word.field])
        ):
            continue
        if value is True or (word.bare and value == 1):
            found.append(word.name)
        elif word.kind is WordKind.TILES:
            found.append(f"{word.name}={format_runs(value)}")
        else:
            found.append(f"{word.name}={value}")
    for name, value in context.extra:
        if value is True:
            found.append(name)
        elif isinstance(value, tuple):
            found.append(f"{name}={format_runs(value)}")
        else:
            found.append(f"{name}={value}")
    return " ".join(found)
