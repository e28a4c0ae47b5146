"""``mjcli rules words``: the words that conditions are made of, the context words, and how play is said."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from mjcli.cli.command import Command, option
from mjcli.cli.output import aligned
from mjcli.cli.request import in_language, language_option
from mjcli.cli.rules.common import write_json, write_lines, writing
from mjcli.notation import WORDS as CONTEXT_WORDS
from mjcli.ruleset import load_ruleset
from mjcli.ruleset.model import PLAY
from mjcli.ruleset.shapes import Record
from mjcli.ruleset.templates import TERM_WORDS
from mjcli.ruleset.words import (
    FORMS,
    FUNCTIONS,
    OPERATORS,
    OTHER_FUNCTIONS,
    OWN_WORDS,
    TILE_SETS,
    WAITS,
    WINDS,
    WORDS,
)

if TYPE_CHECKING:
    from mjcli.cli.messages import Messages

__all__ = ["command"]


HEADINGS: Final = {
    "words": ("詞", "词"),
    "functions of tiles": ("牌的函數", "牌的函数"),
    "other functions": ("其他函數", "其他函数"),
    "names": ("名稱", "名称"),
    "operators": ("運算", "运算"),
    "tiles": ("牌", "牌"),
    "terms of sets": ("牌組的寫法", "牌组的写法"),
    "context words": ("牌況", "牌况"),
    "keys of play": ("play 的鍵", "play 的键"),
    "context words of the ruleset": ("規則的牌況", "规则的牌况"),
}
"""The sections, and their headings in Chinese."""


def vocabulary(rules: str | None) -> Iterator[tuple[str, str, str]]:
    """Yield section, word and meaning of every word; with a ruleset, of those that it adds as well."""
    for word, known in WORDS.items():
        yield "words", f"{word} ({known.type})", known.doc
    for word, function in FUNCTIONS.items():
        yield "functions of tiles", f"{word}(TILES) ({function.type})", function.doc
    for word, doc in OTHER_FUNCTIONS.items():
        yield "other functions", word, doc
    for of, names in (("form", FORMS), ("wait", WAITS), ("seat, round", WINDS)):
        yield "names", ", ".join(names), f"compared with {of} by == != in"
    for word, doc in OWN_WORDS.items():
        yield "names", word, doc
    for signs, doc in OPERATORS.items():
        yield "operators", signs, doc
    yield "tiles", "258m19p", "tiles written out"
    for word, tiles in TILE_SETS.items():
        yield "tiles", word, tiles
    yield "tiles", "seat, round", "the tile of the winner's wind, of the round's wind"
    for word, doc in TERM_WORDS.items():
        yield "terms of sets", word, doc
    for each in CONTEXT_WORDS:
        yield "context words", each.name, each.meaning
    yield from _keys_of(PLAY, "keys of play")
    if rules is not None:
        for name, kind, meaning in load_ruleset(rules).extra_words:
            yield "context words of the ruleset", f"{name} ({kind})", meaning


def _keys_of(record: Record, section: str, before: str = "") -> Iterator[tuple[str, str, str]]:
    """Yield section, key and meaning of the keys of a record, those of the records in it after their own."""
    for key, known in record.fields.items():
        yield section, f"{before}{key}", known.doc
        if isinstance(known.of, Record):
            yield from _keys_of(known.of, section, f"{before}{key}.")


def run(told: Messages, *, rules: str | None, lang: str, json: bool, output: str | None) -> int:
    """Write the vocabulary, by section."""
    del told
    found = list(vocabulary(rules))
    if json:
        write_json(output, [{"section": section, "word": word, "meaning": doc} for section, word, doc in found])
        return 0
    lines = []
    for section in dict.fromkeys(section for section, _, _ in found):
        heading = in_language(lang, section, *HEADINGS[section])
        lines += [heading, *aligned([(word, doc) for other, word, doc in found if other == section], "  ")]
    write_lines(output, lines)
    return 0


command = Command(
    "words",
    summary="List the words of conditions and of context, and the keys that say how a deal is played.",
    details="What they mean is said in English; --lang is of the headings.",
    examples=(
        ("mjcli rules words", "the whole vocabulary"),
        ("mjcli rules words --rules jipinghu", "and the context words that a ruleset adds"),
    ),
    params=[option("--rules", metavar="NAME|PATH", about="A ruleset.", group="Rules"), language_option(), *writing()],
    run=run,
)
