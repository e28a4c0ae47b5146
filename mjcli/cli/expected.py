"""What is expected of answers: expectations as they are written, and in what an answer differs from them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mjcli.cli.command import closest
from mjcli.cli.output import Answer, cell
from mjcli.errors import InputError, NotationError

if TYPE_CHECKING:
    from mjcli.ruleset import Ruleset

__all__ = ["ERROR", "Difference", "Expectation", "expectations"]

ERROR: Final = "error"
"""The key of what stands in the place of the answer to a hand that cannot be answered."""

_NUMBER: Final = re.compile(r"-?[0-9]+")
_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")


class Difference(NamedTuple):
    """What is otherwise than it was expected to be."""

    key: str
    found: str
    """As a cell of CSV says it; empty if there is no such thing."""
    expected: str
    among: bool = False
    """Whether it was expected among other things."""

    def __str__(self) -> str:
        if self.among:
            return f"{self.key} has no {self.expected}, only {self.found or 'nothing'}"
        return f"{self.key} is {self.found or 'empty'}, not {self.expected or 'empty'}"


class Expectation(NamedTuple):
    """What one key of an answer is expected to be."""

    key: str
    """A key, or several with dots between them for what is inside: ``payments.winner``."""
    value: Any
    """As JSON has it, or as the text of a cell of CSV."""
    among: bool = False
    """Whether it is enough that the value is one of several."""

    @property
    def root(self) -> str:
        """The key of the whole answer in which the value is."""
        return self.key.partition(".")[0]

    def difference(self, answer: Answer, ruleset: Ruleset | None = None) -> Difference | None:
        """Return in what an answer differs from this; None if it does not.

        >>> answer = {"shanten": 1, "forms": {"standard": 1, "seven-pairs": 3}}
        >>> print(Expectation("forms.seven-pairs", 2).difference(answer))
        forms.seven-pairs is 3, not 2

        Args:
            answer: the object that is written as JSON.
            ruleset: whose patterns are known by other ids too.
        """
        whole, *inside = self.key.split(".")
        path, found = whole, answer.get(whole)
        for name in inside:
            if not isinstance(found, Mapping) or name not in found:
                there = " ".join(found) if isinstance(found, Mapping) else cell(found)
                return Difference(path, there, name, among=True)
            path, found = f"{path}.{name}", found[name]
        rename = _renaming(ruleset) if self.root in ("patterns", "excluded") else str
        if self.among:
            agree = any(_is(rename(self.value), item) for item in _items(found))
        else:
            agree = _agree(self.value, found, rename)
        return None if agree else Difference(self.key, _shown(found, self.value), cell(self.value), self.among)


def expectations(text: str, keys: Sequence[str], line: str, start: int = 0) -> Iterator[Expectation]:
    """Yield what a text expects: ``KEY=VALUE``, or a shanten, a wait, or the id of a pattern among those that count.

    >>> [each.key for each in expectations("fan=3 payments.winner=8", ("fan", "payments"), "")]
    ['fan', 'payments.winner']
    >>> list(expectations("1p,4p -1", ("shanten", "waits"), ""))[1]
    Expectation(key='shanten', value='-1', among=False)

    Args:
        text: words between blanks; in a value, commas stand between the items of a list.
        keys: what answers have.
        line: the whole line, for errors.
        start: where the text begins in it.

    Raises:
        NotationError: a word says nothing of the answers (``bad-expectation``).
    """
    for word in re.finditer(r"\S+", text):
        key, equals, value = word[0].partition("=")
        found = Expectation(key, value) if equals else _bare(word[0])
        if found is None or found.root not in keys:
            token = key if equals or found is None else found.root
            message = f"answers have no {token!r}{closest(token, keys)}"
            if not equals:
                message = (
                    f"{word[0]!r} says nothing of the answer; KEY=VALUE is expected, its keys are {', '.join(keys)}"
                )
            raise NotationError("bad-expectation", message, line=line, column=start + word.start() + 1, token=word[0])
        yield found


def _bare(word: str) -> Expectation | None:
    """Return what a word without a key expects."""
    if _NUMBER.fullmatch(word):
        return Expectation("shanten", word)
    if _NAME.fullmatch(word):
        return Expectation("patterns", word, among=True)
    from mjcli.notation import parse_tiles

    try:
        tiles = parse_tiles(word.replace(",", ""))
    except InputError:
        return None
    return Expectation("waits", ",".join(map(str, tiles)))


def _agree(value: Any, found: Any, rename: Callable[[str], str]) -> bool:
    """Return whether something that was found is what was expected.

    Of objects, what they have more is not asked; but an empty one, with which any would agree, is held to be empty.
    """
    if isinstance(value, str):
        return _text_agrees(value, found, rename)
    if isinstance(value, Mapping):
        if not isinstance(found, Mapping) or not value:
            return bool(found == value)
        return all(key in found and _agree(each, found[key], rename) for key, each in value.items())
    if isinstance(value, list):
        return isinstance(found, list) and _pair_up(value, found, lambda one, other: _item_agrees(one, other, rename))
    return isinstance(value, bool) == isinstance(found, bool) and bool(value == found)


def _item_agrees(value: Any, found: Any, rename: Callable[[str], str]) -> bool:
    """Return whether an item of a list is what was expected, which may be an object or the text of one."""
    return _agree(value, found, rename) or (isinstance(value, str) and _is(rename(value), cell(found, 1)))


def _text_agrees(value: str, found: Any, rename: Callable[[str], str]) -> bool:
    """Return whether something is what the text of a cell says; what is left out of an item is not asked."""
    if cell(found) in (value, rename(value)):
        return True
    if isinstance(found, list):
        words = value.split() if re.search(r"\s", value.strip()) else value.strip().split(",")
        return _pair_up(sorted(map(rename, words), key=len, reverse=True), _items(found), _is)
    if isinstance(found, Mapping):
        if "=" not in value:
            return _text_agrees(value, _first(found), rename)
        pairs = [word.partition("=") for word in value.replace(",", " ").split()]
        return all(key in found and _text_agrees(each, found[key], rename) for key, _, each in pairs)
    return False


def _pair_up(wanted: Sequence[Any], found: Sequence[Any], agree: Callable[[Any, Any], bool]) -> bool:
    """Return whether each of what is wanted has one of its own of what was found, and nothing is over."""
    rest = list(found)
    for each in wanted:
        place = next((place for place, other in enumerate(rest) if agree(each, other)), None)
        if place is None:
            return False
        del rest[place]
    return not rest


def _items(found: Any) -> list[str]:
    """Return the items of a list, each as its part of a cell."""
    return [cell(item, 1) for item in found] if isinstance(found, list) else []


def _is(word: str, item: str) -> bool:
    """Return whether a word names an item, or says it whole."""
    return item == word or item.startswith(f"{word}:")


def _renaming(ruleset: Ruleset | None) -> Callable[[str], str]:
    """Return what gives a pattern that is called by another id its own."""

    def rename(word: str) -> str:
        name, colon, rest = word.partition(":")
        pattern = None if ruleset is None else ruleset.pattern(name)
        return f"{name if pattern is None else pattern.id}{colon}{rest}"

    return rename


def _shown(found: Any, value: Any) -> str:
    """Return what was found, as far as it is held to a value: of objects, without it what each is called."""
    if isinstance(found, Mapping) and isinstance(value, str) and "=" not in value:
        return cell(_first(found))
    if isinstance(found, list) and any(isinstance(each, Mapping) for each in found) and ":" not in cell(value):
        return " ".join(item.partition(":")[0] for item in _items(found))
    return cell(found)


def _first(found: Mapping[str, Any]) -> Any:
    """Return the first value of an object, which a text alone is held to: of an error its code."""
    return next(iter(found.values()), None)
