"""``mjcli rules words``: the words that conditions are made of, and the context words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mjcli.cli.command import Command, option
from mjcli.cli.output import aligned
from mjcli.cli.rules.common import write_json, write_lines, writing
from mjcli.notation import WORDS as CONTEXT_WORDS
from mjcli.ruleset import load_ruleset
from mjcli.ruleset.words import FUNCTIONS, OTHER_FUNCTIONS, TILE_SETS, WORDS

if TYPE_CHECKING:
    from mjcli.cli.messages import Messages

__all__ = ["command"]


def vocabulary(rules: str | None) -> Iterator[tuple[str, str, str]]:
    """Yield section, word and meaning of every word; with a ruleset, of those that it adds as well."""
    for word, known in WORDS.items():
        yield "words", f"{word} ({known.type})", known.doc
    for word, function in FUNCTIONS.items():
        yield "functions of tiles", f"{word}(TILES) ({function.type})", function.doc
    for word, doc in OTHER_FUNCTIONS.items():
        yield "other functions", word, doc
    yield "tiles", "258m19p", "tiles written out; joined by | to other tiles"
    for word, tiles in TILE_SETS.items():
        yield "tiles", word, tiles
    yield "tiles", "seat, round", "the tile of the winner's wind, of the round's wind"
    yield "membership", "pair in TILES", "the pair is one of these (not in seven pairs)"
    yield "membership", "win in TILES", "the winning tile is one of these"
    yield "membership", "WORD in (a, b)", "the form, wait or wind is one of these"
    for each in CONTEXT_WORDS:
        yield "context words", each.name, each.meaning
    if rules is not None:
        for name, kind, meaning in load_ruleset(rules).extra_words:
            yield f"context words of {rules}", f"{name} ({kind})", meaning


def run(told: Messages, *, rules: str | None, json: bool, output: str | None) -> int:
    """Write the vocabulary, by section."""
    del told
    found = list(vocabulary(rules))
    if json:
        write_json(output, [{"section": section, "word": word, "meaning": doc} for section, word, doc in found])
        return 0
    lines = []
    for section in dict.fromkeys(section for section, _, _ in found):
        lines += [section, *aligned([(word, doc) for other, word, doc in found if other == section], "  ")]
    write_lines(output, lines)
    return 0


command = Command(
    "words",
    summary="List the words of conditions and of context.",
    examples=(
        ("mjcli rules words", "the whole vocabulary"),
        ("mjcli rules words --rules jipinghu", "and the context words that a ruleset adds"),
    ),
    params=[option("--rules", metavar="NAME|PATH", about="A ruleset.", group="Rules"), *writing()],
    run=run,
)
