"""Running the ``match`` and ``no_match`` hands of a ruleset: each pattern proves itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from mjcli.errors import InputError, NotationError
from mjcli.notation import parse_line
from mjcli.ruleset import expressions as ex
from mjcli.ruleset.layers import read_ruleset
from mjcli.ruleset.load import load_ruleset
from mjcli.ruleset.model import LANGUAGES, Pattern, RulesetFile
from mjcli.ruleset.options import option_values
from mjcli.ruleset.paths import ruleset_path
from mjcli.ruleset.ruleset import Ruleset
from mjcli.ruleset.source import Place
from mjcli.scoring import score

__all__ = ["ExampleResult", "run_examples"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleResult:
    """What became of one example."""

    pattern: str
    """The id of the pattern that it is an example of."""
    names: Mapping[str, str]
    """The names of that pattern by language, empty where it has none."""
    line: str
    expected: bool
    """Whether the pattern is said to stand."""
    stands: bool | None
    """Whether it stands in the best reading; None where that cannot be said."""
    place: Place
    """Of the example in the file; of an example that cannot be read, the fault in it."""
    options: tuple[tuple[str, str], ...] = ()
    """The options that were set to put the pattern in play."""
    complete: bool = True
    """Whether the hand is complete; in one that is not, no pattern stands."""
    error: str = ""
    """Why it cannot be said whether the pattern stands."""

    @property
    def passed(self) -> bool:
        """Whether the pattern stands as it is said to."""
        return self.stands is self.expected

    def __str__(self) -> str:
        kind = "match" if self.expected else "no_match"
        if self.error:
            return f"{self.place}: {kind} of '{self.pattern}': {self.error}"
        said = "stands in" if self.stands else "does not stand in" if self.complete else "has no complete hand in"
        return f"{self.place}: {kind} of '{self.pattern}': it {said} '{self.line}'"


def run_examples(file_or_name: str | Path) -> list[ExampleResult]:
    """Return what becomes of every example of a ruleset, in the order of the file.

    A pattern that an option keeps out of play is tried under the first value of one option that puts it in play.

    >>> results = run_examples("jipinghu")
    >>> results[0].pattern, results[0].expected, all(result.passed for result in results)
    ('ji_hu', True, True)

    Args:
        file_or_name: an id such as ``jipinghu``, or a path that ends in .yaml.

    Raises:
        InputError: there is no such ruleset (``no-ruleset``).
        RulesetError: the file has faults.
    """
    path = ruleset_path(str(file_or_name))
    file, _ = read_ruleset(path)
    load = cache(lambda *options: load_ruleset(str(path), dict(options), cache=False))
    results: list[ExampleResult] = []
    for pattern in file.patterns:
        if pattern.match or pattern.no_match:
            ruleset, options = _in_play(pattern, file, load)
            results += _run(pattern, ruleset, options)
    return results


def _in_play(
    pattern: Pattern, file: RulesetFile, load: Callable[..., Ruleset]
) -> tuple[Ruleset | None, dict[str, str]]:
    """Return the ruleset under options that put a pattern in play, and those options; None where none does."""
    name = pattern.id.text
    if load().pattern(name):
        return load(), {}
    texts = [text.text for text in (pattern.only_if, pattern.unless) if text is not None]
    asked = {node.word for text in texts for node in ex.walk(ex.parse(text)) if isinstance(node, ex.Name)}
    for option, known in file.options.items():
        for value in option_values(known) if option in asked else ():
            if value not in ("number", known.default.text):
                ruleset = load((option, value))
                if ruleset.pattern(name):
                    return ruleset, {option: value}
    return None, {}


def _run(pattern: Pattern, ruleset: Ruleset | None, options: dict[str, str]) -> Iterator[ExampleResult]:
    for expected, texts in ((True, pattern.match), (False, pattern.no_match)):
        for text in texts:
            said = ExampleResult(
                pattern=pattern.id.text,
                names=dict(zip(LANGUAGES, (pattern.en, pattern.zh_hant, pattern.zh_hans), strict=True)),
                line=text.text,
                expected=expected,
                stands=None,
                place=text.place,
                options=tuple(options.items()),
                error="no value of one option puts the pattern in play",
            )
            yield said if ruleset is None else _tried(said, ruleset)


def _tried(said: ExampleResult, ruleset: Ruleset) -> ExampleResult:
    """Return the result of an example: whether the pattern stands, or what is wrong with the hand and where."""
    place = said.place
    try:
        line = parse_line(said.line, extra=ruleset.extra_words, tiles=ruleset.tiles, check=ruleset.check)
        found = score(line, ruleset)
    except NotationError as error:
        fault = Place(place.file, place.line, place.column + error.column - 1)
        return replace(said, place=fault, error=error.message)
    except InputError as error:
        return replace(said, error=str(error))
    contained = (each.pattern.id for each in found.excluded if each.how == "contains")
    stands = said.pattern in (*(each.pattern.id for each in found.patterns), *contained)
    return replace(said, stands=stands, complete=found.complete, error="")
