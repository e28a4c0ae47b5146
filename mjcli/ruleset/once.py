"""``combine_once`` of a file: the patterns among whose matches ``mjcli.ruleset.combine`` chooses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from mjcli.ruleset.checks import unknown_pattern
from mjcli.ruleset.combine import Entry
from mjcli.ruleset.matches import Matches, template_part
from mjcli.ruleset.source import Text

__all__ = ["combine_once"]

COMBINED: Final[Mapping[str, str]] = {"chows": "chow", "pungs": "pung"}
"""What may combine once, and the terms of such patterns."""


def combine_once(matches: Matches) -> Iterator[tuple[str, tuple[Entry, ...]]]:
    """Yield, for chows and for pungs, the patterns that combine once; their matches are compiled here."""
    texts, emitter = matches.texts, matches.emitter
    known = [(kind, listed) for kind, listed in matches.file.combine_once.items() if kind in COMBINED]
    for index, (kind, listed) in enumerate(known):
        names, entries = [], []
        for text in listed:
            if text.text in names:
                texts.fault(text, f"'{text.text}' is listed twice", f"combine_once.{kind}")
                continue
            entry = _entry(matches, text, kind, f"combine_once.{kind}")
            if entry is not None:
                names.append(text.text)
                entries.append(entry)
        letter = "P" if kind == "pungs" else "C"
        columns = ",".join(emitter.let(f"{letter}{suit}") for suit in range(3))
        whole = emitter.let(f"combine{index}({columns})")
        for place, name in enumerate(names):
            value = matches.values[name] = emitter.number(f"{whole}[{place}]")
            matches.parts[name] = [template_part(matches.every[name], value)]
        yield letter, tuple(entries)


def _entry(matches: Matches, text: Text, kind: str, path: str) -> Entry | None:
    """Return a pattern for the combiner; None if it is not in play or, with a fault, cannot be one."""
    texts, name = matches.texts, text.text
    if name not in matches.names:
        texts.fault(text, unknown_pattern(name, matches.file), path)
    if name not in matches.in_play:
        return None
    pattern = matches.in_play[name]
    before = len(texts.faults)
    fan = matches.fan(pattern)
    read = matches.read_template(pattern, f"patterns.{name}")
    if len(texts.faults) > before or read is None:
        return None
    alternatives = read[0]
    wanted = COMBINED[kind]
    plain = all(
        term.kind == wanted and not term.side and term.suit not in "zx" for terms in alternatives for term in terms
    )
    more = pattern.when or pattern.times or pattern.each or pattern.without or pattern.otherwise
    if not (isinstance(fan.const, int) and alternatives and plain) or more:
        texts.fault(text, f"'{name}' is no pattern of {kind} alone with one value", path)
        return None
    if any(sum(term.times for term in terms) < 2 for terms in alternatives):
        texts.fault(text, f"'{name}' combines nothing; patterns that combine are of two sets or more", path)
        return None
    return fan.const, tuple(
        tuple((term.letter, term.rank, term.suit) for term in terms for _ in range(term.times))
        for terms in alternatives
    )
