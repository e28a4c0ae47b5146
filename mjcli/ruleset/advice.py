"""Checking a ruleset file: every fault under every option, and what a careful author would mend."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, product
from pathlib import Path
from typing import Final

from mjcli.errors import Fault, RulesetError
from mjcli.ruleset import expressions as ex
from mjcli.ruleset.compiled import compile_file
from mjcli.ruleset.layers import read_ruleset
from mjcli.ruleset.model import GUARD, Pattern, PlaySection, RulesetFile, reference
from mjcli.ruleset.options import chosen, option_value, option_values
from mjcli.ruleset.program import OptionValue
from mjcli.ruleset.source import Text

__all__ = ["advice", "check_file"]

MAX_SETTINGS: Final = 64
"""How many combinations of the options of one pattern are tried."""


def check_file(path: Path) -> list[Fault]:
    """Return every fault of a ruleset file, advice included: compiled under its defaults and each value of each option.

    Its own stand before those in the files that it extends, since they may be their cause; advice about those files is
    for their authors.

    Raises:
        InputError: there is no such file (``no-ruleset``).
    """
    try:
        file, faults = read_ruleset(path)
    except RulesetError as error:
        return list(error.faults)
    for options in _settings(file):
        try:
            compile_file(file, options)
        except RulesetError as error:
            faults += error.faults
    found = sorted({*faults, *advice(file)})
    own = [fault for fault in found if fault.file == file.place.file]
    below = [fault for fault in found if fault.file != file.place.file and fault.fatal]
    return [*own, *below]


def _settings(file: RulesetFile) -> Iterator[dict[str, OptionValue]]:
    """Yield option values to compile a file under, so that each part of a condition is compiled under some of them.

    The defaults, each other value of each option, and for each pattern all values of the options that it reads.
    """
    defaults = chosen(file, {})
    values = {
        name: dict.fromkeys(
            option_value(text) for text in (option.default.text, *option_values(option)) if text != "number"
        )
        for name, option in file.options.items()
    }
    seen = set()
    groups = [(), *((name,) for name in values), *map(_options_of, file.patterns)]
    for names in groups:
        known = [name for name in names if name in values]
        some = islice(product(*(values[name] for name in known)), MAX_SETTINGS)
        for chosen_values in some:
            options = {**defaults, **dict(zip(known, chosen_values, strict=True))}
            key = repr(sorted(options.items()))
            if key not in seen:
                seen.add(key)
                yield options


def _options_of(pattern: Pattern) -> tuple[str, ...]:
    return tuple(sorted(_words_of(_pattern_texts(pattern))))


def advice(file: RulesetFile) -> list[Fault]:
    """Return what a careful author would mend, though the ruleset works: examples, names, options that do nothing."""
    found = []
    for pattern in file.patterns:
        keys = {
            "match": pattern.match,
            "no_match": pattern.no_match,
            "en": pattern.en,
            "zh-Hant": pattern.zh_hant,
            "zh-Hans": pattern.zh_hans,
        }
        missing = ", ".join(key for key, value in keys.items() if not value)
        if missing:
            name = pattern.id.text
            found.append(pattern.id.place.fault(f"pattern '{name}' has no {missing}", f"patterns.{name}", fatal=False))
    found += _lost_values(file)
    used = _words(file)
    for name, option in file.options.items():
        if name not in used:
            found.append(option.place.fault(f"option '{name}' is never used", f"options.{name}", fatal=False))
    return found


def _lost_values(file: RulesetFile) -> Iterator[Fault]:
    """Yield a fault for each pattern whose value no step of the score reads."""
    read: set[str] = set()
    for text in file.score.values():
        try:
            parts = list(ex.walk(ex.parse(text.text)))
        except ex.ExpressionError:
            return  # compiling reports it
        for part in parts:
            if isinstance(part, ex.Call) and part.word in ("sum", "max", "any", "count") and len(part.arguments) == 1:
                read |= {inner.word for inner in part.arguments if isinstance(inner, ex.Name)}
    if "all" in read or not read:
        return
    for pattern in file.patterns:
        if pattern.group not in read and pattern.fan is not None and pattern.fan.text != "0":
            known = ", ".join(sorted(read))
            message = f"no step of 'score' reads its group '{pattern.group}' (they read {known}), so its fan is lost"
            yield pattern.id.place.fault(message, f"patterns.{pattern.id.text}", fatal=False)


def _words(file: RulesetFile) -> set[str]:
    """Return every word that some condition of a file reads."""
    texts: list[Text | None] = [
        file.prefer,
        file.wins_if,
        file.false_win,
        file.liability_conflict,
        *file.score.values(),
    ]
    for pattern in file.patterns:
        texts += _pattern_texts(pattern)
    texts += [series.unless for series in file.series]
    texts += [file.instant, *file.tiles.values(), *file.forms.values()]
    texts += [file.alone.unless] if file.alone else []
    texts += [file.jokers.tile, file.jokers.kongs] if file.jokers else []
    for rule in file.pay:
        texts += [rule.when, rule.named, rule.others, rule.dealer, rule.liable]
    texts += [rule.when for rules in (file.liability, file.refuses, file.titles) for rule in rules]
    if file.wall is not None:
        wall = file.wall
        texts += [wall.jump, wall.flower_order, wall.dead_wall, wall.indicator]
        texts += [text for rule in wall.breaks for text in (rule.when, rule.inclusive)]
    if file.play is not None:
        texts += _play_texts(file.play)
    if file.rotation is not None:
        rotation = file.rotation
        texts += [text for text in rotation if isinstance(text, Text)]
    return _words_of(texts)


def _play_texts(play: PlaySection) -> list[Text | None]:
    texts = [play.winners, play.passed_win, play.own_discards, play.rob_own_kong, play.swap_calling, play.most_kongs]
    texts += [play.joker_claims]
    texts += [play.last_replacement, play.ready_hands, *play.aborts.values()]
    for part in (play.ready, play.indicators, play.river):
        texts += [text for text in part or () if isinstance(text, Text)]
    return texts


def _pattern_texts(pattern: Pattern) -> list[Text | None]:
    texts = [pattern.fan, pattern.when, pattern.times, pattern.only_if, pattern.unless]
    texts += [text.part(len(GUARD)) for terms in pattern.any for text in terms if text.text.startswith(GUARD)]
    return texts + [reference(text)[1] for text in (*pattern.contains, *pattern.excludes)]


def _words_of(texts: Iterable[Text | None]) -> set[str]:
    found = set()
    for text in texts:
        if text is not None:
            try:
                found |= {node.word for node in ex.walk(ex.parse(text.text)) if isinstance(node, ex.Name)}
            except ex.ExpressionError:
                continue  # compiling reports it
    return found
