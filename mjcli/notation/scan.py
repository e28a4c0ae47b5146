"""From text to tokens: what stands where in a line, for every reader, before anything is checked against the rules.

A *spelling* says how tiles are written; commas, brackets, the winning mark, the status field and the words are the same
for all of them, so that codes and columns are too. Offsets are 0-based here and columns 1-based in errors.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final, NoReturn

from mjcli.errors import NotationError
from mjcli.tiles import RANKS, TILES, Suit, Tile

__all__ = [
    "COMPACT",
    "GB_FLOWERS",
    "HONORS",
    "HONORS_OR_BLANK",
    "MAX_LENGTH",
    "REDS",
    "RUN",
    "SUITS",
    "Fill",
    "Group",
    "Placed",
    "Scan",
    "Spelling",
    "Status",
    "fault",
    "fault_at",
    "fill_honors",
    "fill_run",
    "is_word",
    "note_words",
    "plain",
    "scan",
    "scan_tiles",
    "scan_words",
]

MAX_LENGTH: Final = 1_000_000
"""Code points of the longest line that is read."""

REDS: Final = {suit: Tile(suit, 5, red=True) for suit in (Suit.CHARACTERS, Suit.DOTS, Suit.BAMBOO)}


def _suits(dragons: str) -> dict[str, dict[str, Tile]]:
    """Return the tile of each rank character, by suit letter."""
    found: dict[str, dict[str, Tile]] = {suit: {} for suit in RANKS}
    for each in TILES:
        found[each.suit][str(each.rank)] = each
    for suit, red in REDS.items():
        found[suit]["0"] = found[suit]["r"] = red
    if dragons == "red-first":
        honors = found["z"]
        honors["5"], honors["7"] = honors["7"], honors["5"]
    return found


SUITS: Final[Mapping[str, Mapping[str, Mapping[str, Tile]]]] = {
    dragons: _suits(dragons) for dragons in ("white-first", "red-first")
}
"""The tile of a rank character, by order of the dragons and suit letter."""

HONORS: Final[Mapping[str, Tile]] = dict(zip("ESWNPFC", TILES[27:34], strict=True))
"""Honours by their upper-case letters: the winds, then white, green, red."""

_DIGITS: Final = "0123456789"
_RANKS: Final = "0123456789r"
_STRUCTURE: Final = ",+[]()|/="

RUN: Final = r"(?P<run>[0-9r](?:[0-9r\s]*[0-9r])?(?:[mpszjfga]|\s+[mpszjfga](?![a-z=-])))"
"""Ranks and their suit letter; blanks may stand between, but no word loses its first letter."""
HONORS_OR_BLANK: Final = r"|(?P<honors>[ESWNPFC]+)|\s+"
_MARKS: Final = frozenset("oalxr")
_STATUS: Final = r"[|/][ESWN]{2}[01]{4}(?![^|/])"
_FLOWERS: Final = r"[|/](?:([0-8])|([a-h]*))"

GB_FLOWERS: Final[Mapping[str, Tile]] = dict(
    zip("abcdefgh", (TILES[35], TILES[36], TILES[38], TILES[37], *TILES[43:47]), strict=True)
)
"""The letters of GB-Mahjong: 梅蘭竹菊春夏秋冬, bamboo before chrysanthemum."""


class Placed:
    """Tiles in the order in which they are written, each with its offset."""

    __slots__ = ("offsets", "tiles")

    def __init__(self) -> None:
        self.tiles: list[Tile] = []
        self.offsets: list[int] = []


class Group:
    """One meld as it is written, not checked yet.

    ``bracket`` is the opening bracket, empty after a comma; ``place`` what stands after the comma inside a bracket;
    ``jokers`` the tiles after ``=``, which jokers stand for; ``stray`` says that tiles stand after the marks.
    """

    __slots__ = ("body", "bracket", "end", "jokers", "marks", "place", "start", "stray")

    def __init__(self, start: int, bracket: str = "") -> None:
        self.start = self.end = start
        self.bracket = bracket
        self.body = Placed()
        self.jokers: Placed | None = None
        self.marks = ""
        self.place: str | None = None
        self.stray = False


class Status:
    """A GB-Mahjong status field ``|EE0000|``; ``start`` is the offset of its bar."""

    __slots__ = ("kong", "last_of_kind", "last_tile", "round", "seat", "self_draw", "start", "token")

    def __init__(self, start: int, token: str) -> None:
        self.start, self.token = start, token
        self.round, self.seat = token[1], token[2]
        self.self_draw, self.last_of_kind, self.last_tile, self.kong = (digit == "1" for digit in token[3:7])


class Scan:
    """A line in tokens; ``text`` has the same code points as ``line``, where foreign ones are made plain.

    ``hand`` holds concealed and bonus tiles; ``end`` is one past the last character of the hand; ``words`` are the
    start and the end of every word.
    """

    __slots__ = (
        "dragons",
        "end",
        "groups",
        "hand",
        "line",
        "self_drawn",
        "spelling",
        "status",
        "text",
        "win",
        "win_mark",
        "win_offset",
        "words",
    )

    def __init__(self, line: str, text: str, dragons: str, spelling: Spelling) -> None:
        self.line, self.text = line, text
        self.dragons, self.spelling = dragons, spelling
        self.hand = Placed()
        self.groups: list[Group] = []
        self.win: Tile | None = None
        self.win_mark = self.win_offset = 0
        self.self_drawn = False
        self.status: Status | None = None
        self.end = 0
        self.words: list[tuple[int, int]] = []


Fill = Callable[[Scan, "re.Match[str]", Placed], None]
"""Adds the tiles of one token to those read so far."""


class Spelling:
    """How one reader writes tiles.

    The group of ``pattern`` that matched is a key of ``fills``, or it is a blank; ``is_word`` says whether a word
    begins at an offset that follows a blank.
    """

    __slots__ = ("fills", "is_word", "pattern")

    def __init__(self, pattern: str, fills: Mapping[str, Fill], is_word: Callable[[str, int], bool]) -> None:
        self.pattern = re.compile(pattern)
        self.fills, self.is_word = fills, is_word


def fault(scan: Scan, code: str, message: str, start: int, *, end: int | None = None, suggestion: str = "") -> NoReturn:
    """Raise the error for what stands from ``start`` to ``end`` (one character unless said)."""
    token = scan.line[start : start + 1 if end is None else end]
    raise NotationError(code, message, line=scan.line, column=start + 1, token=token, suggestion=suggestion)


def fill_run(scan: Scan, match: re.Match[str], placed: Placed) -> None:
    """Add the tiles of ranks and a suit letter.

    Raises:
        NotationError: the suit has no such rank.
    """
    start, end = match.span()
    text = scan.text
    suit = text[end - 1]
    ranks = SUITS[scan.dragons][suit]
    for offset in range(start, end - 1):
        each = ranks.get(text[offset])
        if each is not None:
            placed.tiles.append(each)
            placed.offsets.append(offset)
        elif text[offset] in _RANKS:
            shown = scan.line[offset] + scan.line[end - 1]
            if text[offset] in "0r":
                fault(scan, "bad-rank", f"no tile '{shown}' (only m p s have red fives)", offset)
            fault(scan, "bad-rank", f"no tile '{shown}' (ranks are 1-{RANKS[suit]})", offset)


def fill_honors(scan: Scan, match: re.Match[str], placed: Placed) -> None:
    """Add the honours that letters name, in either case."""
    start, end = match.span()
    placed.tiles.extend([HONORS[char] for char in scan.text[start:end].upper()])
    placed.offsets.extend(range(start, end))


def is_word(text: str, start: int) -> bool:
    """Return whether what starts here is a word: a lower-case letter that no digit follows."""
    return "a" <= text[start] <= "z" and (start + 1 == len(text) or text[start + 1] not in _DIGITS)


COMPACT: Final = Spelling(RUN + HONORS_OR_BLANK, {"run": fill_run, "honors": fill_honors}, is_word)
"""The compact form, with honour letters."""


def plain(line: str) -> str:
    """Return ``line`` with full-width, Unicode and Chinese characters made plain, one for one."""
    if line.isascii():
        return line
    from mjcli.notation import foreign

    return foreign.plain(line)


def scan(line: str, spelling: Spelling = COMPACT, dragons: str = "white-first") -> Scan:
    """Return the tokens of ``line``.

    Args:
        line: as it was given.
        spelling: how its tiles are written.
        dragons: a key of ``SUITS``.

    Raises:
        NotationError: the first fault of syntax.
    """
    found = Scan(line, plain(line), dragons, spelling)
    start = _scan_hand(found)
    if start < len(line):
        note_words(found, start)
    return found


def scan_words(line: str, spelling: Spelling, dragons: str) -> Scan:
    """Return the words of ``line``, which has no hand."""
    found = Scan(line, plain(line), dragons, spelling)
    note_words(found, 0)
    return found


def _scan_hand(scan: Scan) -> int:
    """Read the hand; return where the first word starts, or the end."""
    text, size = scan.text, len(scan.text)
    at = _scan_tiles(scan, 0, scan.hand)
    while at < size and not _at_word(scan, at):
        char = text[at]
        if char == ",":
            at = _scan_meld(scan, at + 1)
        elif char in "[(":
            at = _scan_bracket(scan, at)
        elif char == "+":
            at = _scan_win(scan, at)
        elif char in "|/":
            at = _scan_status(scan, at)
        else:
            fault_at(scan, at)
        at = _scan_tiles(scan, at, scan.hand)
    return at


def _at_word(scan: Scan, at: int) -> bool:
    after_blank = at == 0 or scan.text[at - 1].isspace()
    return after_blank and scan.line[at].islower() and scan.spelling.is_word(scan.text, at)  # 萬 is no letter


def _scan_tiles(scan: Scan, at: int, placed: Placed, *, marks: bool = False) -> int:
    """Add tile after tile; return the offset of what is neither a tile nor a blank, or of a word.

    With ``marks`` a letter right after a tile that may mark a meld ends them too.
    """
    text, size = scan.text, len(scan.text)
    next_token, fills, is_word = scan.spelling.pattern.match, scan.spelling.fills, scan.spelling.is_word
    if at < size and (at == 0 or text[at - 1].isspace()) and is_word(text, at):
        return at
    while at < size:
        match = next_token(text, at)
        if match is None:
            break
        at = match.end()
        fill = fills.get(match.lastgroup or "")
        if fill is None:  # a blank
            if at < size and is_word(text, at):
                break
        else:
            fill(scan, match, placed)
            scan.end = at
            if marks and text[at : at + 1] in _MARKS:
                break
    return at


def _scan_body(scan: Scan, at: int, group: Group) -> int:
    """Read the tiles of a meld, what jokers in it stand for, and its marks."""
    text = scan.text
    at = _scan_tiles(scan, at, group.body, marks=True)
    if text[at : at + 1] == "=":
        group.jokers = Placed()
        scan.end = at + 1
        at = _scan_tiles(scan, at + 1, group.jokers, marks=True)
        if not group.jokers.tiles:
            fault_at(scan, at, "a tile is expected after '='")
    if group.body.tiles and scan.end == at:
        start = at
        while text[at : at + 1] and text[at] in _MARKS:
            at += 1
        group.marks = text[start:at]
        scan.end = max(scan.end, at)
    return at


def _scan_meld(scan: Scan, at: int) -> int:
    """Read a meld after its comma."""
    group = Group(at)
    scan.groups.append(group)
    scan.end = at
    at = _scan_body(scan, at, group)
    if group.body.tiles:
        group.start = group.body.offsets[0]
    if at < len(scan.text) and scan.text[at] not in ",+":
        at = _scan_stray(scan, at, group)
    group.end = scan.end
    return at


def _scan_stray(scan: Scan, at: int, group: Group) -> int:
    """Skip blanks after a meld, and note whether more tiles stand there."""
    after = Placed()
    at = _scan_tiles(scan, at, after)
    group.stray = bool(after.tiles)
    return at


def scan_tiles(scan: Scan, start: int, end: int) -> Placed:
    """Return the tiles that stand from ``start`` to ``end``, and nothing else.

    Raises:
        NotationError: something else stands there.
    """
    part = Scan(scan.line, scan.text[:end], scan.dragons, scan.spelling)
    placed = Placed()
    at = _scan_tiles(part, start, placed)
    if at < end:
        fault_at(part, at)
    return placed


def _scan_bracket(scan: Scan, start: int) -> int:
    """Read a meld in brackets, with GB-Mahjong's digit if there is one."""
    text = scan.text
    group = Group(start, bracket=text[start])
    scan.groups.append(group)
    close = "])"["[(".index(group.bracket)]
    bound = text.find(close, start)
    if bound < 0 or any(opening in text[start + 1 : bound] for opening in "[("):
        fault(scan, "unclosed", f"'{group.bracket}' without '{close}'", start)
    at = _scan_body(scan, start + 1, group)
    if at != bound:
        at = _scan_stray(scan, at, group)
    if text[at] == ",":
        group.place = text[at + 1 : bound].strip()
        at = bound
    if at != bound:
        fault_at(scan, at)
    scan.end = group.end = bound + 1
    return bound + 1


def _scan_win(scan: Scan, start: int) -> int:
    """Read the mark of the winning tile, and that tile."""
    if scan.win is not None:
        fault(scan, "two-wins", "a second '+': a hand wins on one tile", start)
    scan.self_drawn = scan.text.startswith("++", start)
    scan.win_mark = start
    scan.end = at = start + 1 + scan.self_drawn
    won = Placed()
    at = _scan_tiles(scan, at, won)
    if not won.tiles:
        fault_at(scan, at, "a tile is expected after '+'")
    if len(won.tiles) > 1:
        fault(scan, "two-wins", "a hand wins on one tile; this is a second after '+'", won.offsets[1])
    scan.win, scan.win_offset = won.tiles[0], won.offsets[0]
    return at


def _scan_status(scan: Scan, start: int) -> int:
    """Read a status field of GB-Mahjong, and the flowers after it."""
    token_end = _end_of_chunk(scan.text, start)
    match = re.match(_STATUS, scan.text[start:token_end])
    if match is None or scan.status is not None:
        token = scan.line[start:token_end]
        message = f"no status '{token}' (round and seat of E S W N, then four digits 0 or 1, once)"
        fault(scan, "bad-status", message, start, end=token_end)
    scan.status = Status(start, match[0])
    scan.end = at = start + match.end()
    if at == token_end:
        return at
    flowers = re.fullmatch(_FLOWERS, scan.text[at:token_end])
    if flowers is None or scan.text[at] != scan.text[start]:
        message = f"no flowers '{scan.line[at:token_end]}' (a bar, then a count 0-8 or letters a-h)"
        fault(scan, "bad-status", message, at, end=token_end)
    for index, letter in enumerate(flowers[2] or ""):
        scan.hand.tiles.append(GB_FLOWERS[letter])
        scan.hand.offsets.append(at + 1 + index)
    for each in list(GB_FLOWERS.values())[: int(flowers[1] or 0)]:
        scan.hand.tiles.append(each)
        scan.hand.offsets.append(at + 1)
    scan.end = token_end
    return token_end


def _end_of_chunk(text: str, start: int) -> int:
    """Return where the next blank stands, or the end."""
    while start < len(text) and not text[start].isspace():
        start += 1
    return start


def note_words(scan: Scan, at: int) -> None:
    """Note where each word starts and ends, from ``at`` on."""
    size = len(scan.text)
    while at < size:
        end = _end_of_chunk(scan.text, at)
        if end > at:
            scan.words.append((at, end))
        at = end + 1


def fault_at(scan: Scan, at: int, expected: str = "") -> NoReturn:
    """Raise the error for the character at ``at``, which continues nothing."""
    text, line = scan.text, scan.line
    if at >= len(text):
        at = scan.end
        fault(scan, "bad-char", expected, max(at - 1, 0))
    char = text[at]
    if char in _RANKS:
        after = at
        while after < len(text) and text[after] in _RANKS:
            after += 1
        bound = len(line[:after].rstrip())
        if after < len(text) and not text[after].isspace() and text[after] not in _STRUCTURE:
            given = line[after]
            lower = given.lower()
            suggestion = line[at:after] + lower if lower != given and lower in RANKS else ""
            message = f"no suit {given!r} (one of m p s z j f g a)"
            fault(scan, "bad-char", message, after, suggestion=suggestion)
        fault(scan, "no-suit", f"no suit letter after '{line[at:bound]}'", at, end=bound)
    if expected:
        fault(scan, "bad-char", f"{expected}, not {line[at]!r}", at)
    if char in RANKS:
        fault(scan, "bad-char", f"no rank before the suit letter '{line[at]}'", at)
    if char in "bcdeh":
        fault(scan, "bad-char", f"no tile '{line[at]}' (flower letters stand after a status field only)", at)
    if char in "])":
        fault(scan, "bad-char", f"'{line[at]}' closes nothing", at)
    meant = " (the winning tile stands after '+', or after '++' if it was drawn)" if char == "*" else ""
    fault(scan, "bad-char", f"{line[at]!r} is no tile and no mark{meant}", at)
