"""What the command line says of all hands, and the ruleset that it names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from mjcli.cli.command import choice, option
from mjcli.cli.messages import UsageError
from mjcli.errors import NotationError
from mjcli.notation import DRAGONS, READERS, WORDS, ExtraWord, Word, parse_context, parse_line, parse_tiles

if TYPE_CHECKING:
    from typer.core import TyperOption

    from mjcli.cli.entries import Entry
    from mjcli.hand import Line
    from mjcli.ruleset import Ruleset

__all__ = [
    "DEFAULT_RULES",
    "LANGUAGES",
    "SAMPLES",
    "Request",
    "in_language",
    "language_option",
    "load",
    "options_said",
    "settings_option",
    "words_of",
]

LANGUAGES: Final = ("en", "zh-Hant", "zh-Hans")

DEFAULT_RULES: Final = ("guangdong-xinzhang", "jipinghu")
"""The ruleset of a command that needs one where none is named: the first that there is."""

SAMPLES: Final = {"mpsz": "", "unicode": "\N{MAHJONG TILE EAST WIND}", "hanzi": "萬東"}
"""The styles in which answers can show tiles, and what the output must be able to print for each, else mpsz is."""

RUN: Final = re.compile("[0-9]+[mpszjfga]")
"""A run of the canonical form; what stands between runs is the same in every style."""


class Request:
    """What the command line says of all hands: how they are read, what is true of each, and how answers are shown."""

    def __init__(
        self,
        values: Mapping[str, Any],
        ruleset: Ruleset | None,
        said: Mapping[str, str],
        encoding: str,
        *,
        won: bool = False,
    ) -> None:
        """
        Args:
            values: the options by name; what is none of the shared ones stays in ``own``.
            ruleset: the one that was named.
            said: words of the ruleset that are said of all hands, each with its text.
            encoding: of the output.
            won: whether hands must be won ones: 14 tiles, the last written being the winning tile if none is marked.

        Raises:
            UsageError: a context word has a value that it cannot have.
        """
        self.own = dict(values)
        """The values of the command's own options."""
        self.ruleset = ruleset
        """The ruleset that was named, if one was."""
        extra = () if ruleset is None else ruleset.extra_words
        self.words = words_of(ruleset)
        """The context words that a line may say, by name."""
        self.lang: str = self.own.pop("lang")
        self.style: str = self.own.pop("tiles")
        try:
            SAMPLES[self.style].encode(encoding)
        except UnicodeEncodeError:
            self.style = "mpsz"
        reader = "auto"
        if self.own["from"] in READERS:
            reader, self.own["from"] = self.own["from"], None
        self._said = dict(said)
        for word in WORDS:
            value = self.own.pop(word.name.replace("-", "_"))
            if value:
                alone = value is True or (word.bare and value == "1")
                self._said[word.name] = word.name if alone else f"{word.name}={value}"
        dragons: str = self.own.pop("dragons")
        self._context = partial(parse_context, reader=reader, dragons=dragons, extra=extra)
        for name, text in self._said.items():
            try:
                self._context(text)
            except NotationError as error:
                readers = f", or a notation: {', '.join(READERS)}" if name == "from" else ""
                raise UsageError(f"--{name}: {error.message}{readers}") from None
        self.is_plain = not self._said and reader == "auto" and dragons == DRAGONS[0]
        """Whether nothing is said of the hands but what they say themselves."""
        self._parse = partial(parse_line, reader=reader, dragons=dragons, extra=extra, won=won)
        if ruleset is not None:
            self._parse = partial(self._parse, tiles=ruleset.tiles, check=ruleset.check)

    def line(self, entry: Entry) -> Line:
        """Return the hand and context of ``entry``, with the words of the command line that it does not say itself.

        Raises:
            NotationError: it cannot be read, or says otherwise than the command line.
        """
        if entry.error is not None:
            raise entry.error
        try:
            return self._parse(self._with_words(entry.notation) if self._said else entry.notation)
        except NotationError as error:
            raise entry.relocate(self._on_line(error, entry.notation)) from None

    def _on_line(self, error: NotationError, notation: str) -> NotationError:
        """Return an error of the line as it was given; what is wrong with the words put after it is at its end."""
        message, column, end = error.message, error.column, len(notation) + 1
        if column > end:
            words = " ".join(f"--{word}" for word in self._said.values())
            message, column = f"{message} ({words})", end
        said = {"token": error.token, "suggestion": error.suggestion}
        return NotationError(error.code, message, line=notation, column=column, **said)

    def _with_words(self, notation: str) -> str:
        said = {token.partition("=")[0]: token for token in notation.split()}
        for name, word in self._said.items():
            token = said.get(name)
            if token is None:
                notation = f"{notation} {word}"
            elif token != word and self._differ(token, word):
                raise NotationError(
                    "contradiction",
                    f"'{token}' contradicts '--{word}' of the command line",
                    line=notation,
                    column=notation.rindex(token) + 1,
                    token=token,
                )
        return notation

    def _differ(self, token: str, word: str) -> bool:
        """Return whether two ways to say a word differ in meaning; one that cannot be read is left to the parser."""
        try:
            return self._context(token) != self._context(word)
        except NotationError:
            return False

    def shown(self, tiles: str) -> str:
        """Return ``tiles``, a hand, a meld or a run in canonical form, in the style that was asked for."""
        if self.style == "mpsz":
            return tiles
        from mjcli.notation.styles import format_tiles

        return RUN.sub(lambda run: format_tiles(parse_tiles(run[0]), self.style), tiles)

    def word(self, *names: str) -> str:
        """Return the name in the language that was asked for, of names in the order of ``LANGUAGES``."""
        return in_language(self.lang, *names)


def in_language(lang: str, *names: str) -> str:
    """Return the name in a language, of names in the order of ``LANGUAGES``."""
    return names[LANGUAGES.index(lang)]


def words_of(ruleset: Ruleset | None) -> Mapping[str, Word | ExtraWord]:
    """Return the context words that a line may say under a ruleset, by name."""
    extra = () if ruleset is None else ruleset.extra_words
    listed: tuple[Word | ExtraWord, ...] = (*WORDS, *extra)
    return {word.name: word for word in listed}


def language_option() -> TyperOption:
    """Return ``--lang``."""
    return choice("--lang", values=LANGUAGES, default="en", about="The language of names.", group="Output")


def settings_option() -> TyperOption:
    """Return ``--set``, which ``options_said`` reads."""
    return option(
        "settings", "--set", metavar="KEY=VALUE", about="Set an option of the ruleset.", group="Rules", multiple=True
    )


def load(name: str | None, settings: Sequence[str], *, needed: bool) -> Ruleset | None:
    """Return the ruleset that the command line names, with its options set.

    Args:
        name: its id or path.
        settings: options as ``KEY=VALUE``.
        needed: whether one is taken if none is named.

    Raises:
        UsageError: the options are not written so, or there is no ruleset for them.
        InputError: there is no such ruleset or option, or it cannot be used.
    """
    options = options_said(settings)
    if name is None and not needed:
        if options:
            raise UsageError("--set needs --rules")
        return None
    from mjcli.ruleset import load_ruleset, ruleset_names

    if name is None:
        name = next((each for each in DEFAULT_RULES if each in ruleset_names()), DEFAULT_RULES[-1])
    return load_ruleset(name, options)


def options_said(settings: Sequence[str], option_name: str = "--set") -> dict[str, str]:
    """Return options written as ``KEY=VALUE``, by key.

    Raises:
        UsageError: one is not written so, or said twice.
    """
    options: dict[str, str] = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals or key in options:
            raise UsageError(f"{option_name} {setting}: {'said twice' if equals else 'KEY=VALUE is expected'}")
        options[key] = value
    return options
