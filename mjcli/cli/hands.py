"""The commands that answer hands: reading them, parsing, asking, and writing each answer in its place.

Such a command says what its columns are, how one line becomes an object, and how the object becomes a line of text; all
else is done here.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import typer
from typer.core import TyperArgument, TyperOption

from mjcli.cli import entries
from mjcli.cli.command import Command, Examples, choice, flag, option
from mjcli.cli.output import (
    FORMATS,
    Answer,
    CsvWriter,
    JsonLinesWriter,
    JsonWriter,
    Sink,
    TableWriter,
    TsvWriter,
    Writer,
)
from mjcli.errors import InputError, NotationError
from mjcli.notation import READERS, WORDS, WordKind, format_hand, parse_context, parse_line

if TYPE_CHECKING:
    from mjcli.cli.entries import Entry
    from mjcli.cli.messages import Messages
    from mjcli.hand import Line

__all__ = ["Answer", "HandCommand", "Request"]

LANGUAGES: Final = ("en", "zh-Hant", "zh-Hans")
STYLES: Final = ("mpsz", "unicode", "hanzi")

VALUES: Final = {
    WordKind.SEAT: "E|S|W|N",
    WordKind.PLAYER: "l|x|r|E|S|W|N",
    WordKind.NUMBER: "N",
    WordKind.TILES: "TILES",
}

SAMPLES: Final = {"mpsz": "", "unicode": "\N{MAHJONG TILE EAST WIND}", "hanzi": "萬東"}
"""What the output must be able to print for each style of tiles, else mpsz is written."""


class Request:
    """What the command line says of all hands: how they are read, what is true of each, and how answers are shown."""

    def __init__(self, values: Mapping[str, Any], encoding: str) -> None:
        """
        Args:
            values: the options by name; what is none of the shared ones stays in ``own``.
            encoding: of the output.

        Raises:
            typer.BadParameter: a context word has a value that it cannot have.
        """
        self.own = dict(values)
        """The values of the command's own options."""
        self.lang: str = self.own.pop("lang")
        self.style: str = self.own.pop("tiles")
        try:
            SAMPLES[self.style].encode(encoding)
        except UnicodeEncodeError:
            self.style = "mpsz"
        words = {word.name: self.own.pop(word.name.replace("-", "_")) for word in WORDS}
        reader = "auto"
        if words["from"] in READERS:
            reader, words["from"] = words["from"], None
        self._words = {
            word.name: word.name if value is True or (word.bare and value == "1") else f"{word.name}={value}"
            for word in WORDS
            if (value := words[word.name])
        }
        for name, word in self._words.items():
            try:
                parse_context(word)
            except NotationError as error:
                raise typer.BadParameter(error.message, param_hint=f"--{name}") from None
        self._parse = partial(parse_line, reader=reader, dragons=self.own.pop("dragons"))

    def line(self, entry: Entry) -> Line:
        """Return the hand and context of ``entry``, with the words of the command line that it does not say itself.

        Raises:
            NotationError: it cannot be read, or says otherwise than the command line.
        """
        if entry.error is not None:
            raise entry.error
        try:
            return self._parse(self._with_words(entry.notation) if self._words else entry.notation)
        except NotationError as error:
            raise entry.relocate(error) from None

    def _with_words(self, notation: str) -> str:
        said = {token.partition("=")[0]: token for token in notation.split()}
        for name, word in self._words.items():
            token = said.get(name)
            if token is None:
                notation = f"{notation} {word}"
            elif token != word:
                raise NotationError(
                    "contradiction",
                    f"'{token}' contradicts '--{word}' of the command line",
                    line=notation,
                    column=notation.rindex(token) + 1,
                    token=token,
                )
        return notation

    def shown(self, tiles: str) -> str:
        """Return ``tiles``, a hand or a run in canonical form, in the style that was asked for."""
        if self.style == "mpsz" or not tiles:
            return tiles
        from mjcli.notation import parse_hand

        return format_hand(parse_hand(tiles), self.style)

    def word(self, *names: str) -> str:
        """Return the name in the language that was asked for, of names in the order of ``LANGUAGES``."""
        return names[LANGUAGES.index(self.lang)]


class HandCommand(Command):
    """A command that gives one answer for each hand."""

    def __init__(
        self,
        name: str,
        *,
        summary: str,
        examples: Examples,
        columns: Sequence[str],
        prepare: Callable[[Request], Callable[[Line], Answer]],
        text: Callable[[Answer, Request], str],
        heads: Sequence[tuple[str, str, str]],
        rows: Callable[[Answer, Request], Iterable[Sequence[object]]],
        details: str = "",
        options: Iterable[TyperOption] = (),
        is_no: Callable[[Answer], bool] | None = None,
    ) -> None:
        """
        Args:
            name: the word on the command line.
            summary: one sentence; ``mjcli -h`` says the same.
            examples: command lines that run as they stand.
            columns: the keys of an answer, in the order of the contract, after those that every answer has.
            prepare: takes the request, once, and returns what answers each line.
            text: the answer as one line.
            heads: the heads of the table's columns in each language.
            rows: the answer as rows of the table.
            details: further paragraphs of the help.
            options: those of this command alone, found in ``Request.own``.
            is_no: whether an answer is a no, for exit code 1.
        """
        super().__init__(
            name,
            summary=summary,
            details=details,
            examples=examples,
            params=[*_input(), *_output(), *options, *_context()],
            run=self._answer_all,
        )
        self.columns = ("hand", "melds_assumed", "assumed", *columns)
        self.prepare, self.text, self.heads, self.rows, self.is_no = prepare, text, heads, rows, is_no

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the command line; the number of a word that needs none, such as ``--kong-draw``, may be left out."""
        bare = {f"--{word.name}" for word in WORDS if word.bare}
        end = args.index("--") if "--" in args else len(args)
        for place in range(end):
            if args[place] in bare and not "".join(args[place + 1 : place + 2]).isdigit():
                args = [*args[:place], f"{args[place]}=1", *args[place + 1 :]]
        return super().parse_args(ctx, args)

    def _answer_all(
        self,
        told: Messages,
        *,
        hands: Sequence[str] | None,
        input_path: str | None,
        input_format: str | None,
        output: str | None,
        output_format: str | None,
        json: bool,
        no_header: bool,
        **values: Any,
    ) -> int:
        """Answer every hand that is given, and return the exit code."""
        if json and output_format not in (None, "json"):
            raise typer.BadParameter(f"it is --format json, and {output_format} was asked for", param_hint="--json")
        if input_path is not None and hands:
            raise typer.BadParameter("a file and HAND arguments exclude each other", param_hint="--input")
        sink = Sink(output)
        try:
            request = Request(values, sink.encoding)
            writer = self._writer("json" if json else output_format or "text", sink, request, not no_header)
            given, where = _given(hands or (), input_path, input_format, sink.flush)
            only = given if len(hands or ()) == 1 and hands != ("-",) else None
            code = self._answer_each(told, given, where, request, writer, only is not None)
            writer.end()
        except BaseException:
            sink.close(whole=False)
            raise
        sink.close(whole=True)
        return code

    def _answer_each(
        self, told: Messages, given: Iterable[Entry], where: str, request: Request, writer: Writer, only: bool
    ) -> int:
        answer_to = self.prepare(request)
        code = 0
        entry = None
        for entry in given:
            try:
                line = request.line(entry)
                hand = line.hand
                found = {"hand": format_hand(hand), "melds_assumed": hand.melds_assumed or None, **answer_to(line)}
            except InputError as error:
                fault = _placed(error, entry)
                if only:
                    raise fault from error
                writer.sink.flush()
                told.error(fault, where.format(entry.number))
                writer.bad(entry.number, entry.text, fault)
                code = 1
                continue
            if found["melds_assumed"] is None:
                del found["melds_assumed"]
            writer.answer({key: found[key] for key in self.columns if key in found})
            if self.is_no is not None and self.is_no(found):
                code = 1
        if entry is None:
            told.note("there are no hands in the input")
        return code

    def _writer(self, form: str, sink: Sink, request: Request, header: bool) -> Writer:
        if form == "table":
            heads = [request.word(*names) for names in self.heads]
            return TableWriter(sink, heads, lambda answer: self.rows(answer, request))
        kinds = {"text": Writer, "json": JsonWriter, "jsonl": JsonLinesWriter, "csv": CsvWriter, "tsv": TsvWriter}
        return kinds[form](sink, self.columns, lambda answer: self.text(answer, request), header=header)


def _given(
    hands: Sequence[str], path: str | None, form: str | None, waiting: Callable[[], None]
) -> tuple[Iterator[Entry], str]:
    """Return the entries, and how to name the place of one, with ``{}`` for its number."""
    if hands and "-" not in hands:
        return entries.from_arguments(hands), "argument {}"
    if len(hands) > 1:
        raise typer.BadParameter("'-' reads standard input and stands alone", param_hint="HAND")
    words = {word.name: word for word in WORDS}
    if path is not None and path != "-":
        stream = entries.open_input(path)
        return entries.from_stream(stream, form or entries.suffix_format(path), words, waiting), f"{path}:{{}}"
    if sys.stdin is None or (not hands and path is None and sys.stdin.isatty()):
        raise typer.BadParameter("give a hand, or '-' to read standard input", param_hint="HAND")
    return entries.from_stream(sys.stdin.buffer, form or "lines", words, waiting), "line {}"


def _placed(error: InputError, entry: Entry) -> NotationError:
    """Return ``error`` as one of ``entry``, at its end where it names no place."""
    if isinstance(error, NotationError):
        return error
    return NotationError(error.code, str(error), line=entry.text, column=len(entry.text.rstrip()) + 1)


def _input() -> tuple[Any, ...]:
    group = "Input"
    return (
        TyperArgument(
            param_decls=["hands"],
            nargs=-1,
            metavar="[HAND]...",
            help="A line of notation, such as 123m456p77z; '-' reads standard input, as does a pipe without HAND.",
            rich_help_panel=group,
        ),
        option(
            "input_path", "--input", "-i", metavar="FILE", about="Read hands from a file; .gz is unpacked.", group=group
        ),
        choice(
            "--input-format",
            values=entries.FORMATS,
            about="How the hands are written; default: by the suffix of the file, else lines.",
            group=group,
        ),
        choice(
            "--dragons",
            values=("white-first", "red-first"),
            default="white-first",
            about="Whether 5z is the white dragon or the red.",
            group=group,
        ),
    )


def _output() -> tuple[TyperOption, ...]:
    group = "Output"
    return (
        choice(
            "output_format",
            "--format",
            "-f",
            values=FORMATS,
            about="How answers are written; default: text.",
            group=group,
        ),
        flag("--json", about="The same as --format json.", group=group),
        option("--output", "-o", metavar="FILE", about="Write a file, whole or not at all.", group=group),
        flag("--no-header", about="Leave out the header of csv and tsv.", group=group),
        choice("--tiles", values=STYLES, default="mpsz", about="How text and table show tiles.", group=group),
        choice("--lang", values=LANGUAGES, default="en", about="The language of names.", group=group),
    )


def _context() -> Iterator[TyperOption]:
    group = "Said of every hand that does not say it itself"
    for word in WORDS:
        name = f"--{word.name}"
        if word.kind is WordKind.FLAG:
            yield flag(name, about=word.meaning, group=group)
        elif word.name == "from":
            about = f"{word.meaning}; or the notation of the hands: {', '.join(READERS)}"
            yield option(name, metavar=VALUES[word.kind], about=about, group=group)
        else:
            yield option(name, metavar=VALUES[word.kind], about=word.meaning, group=group)
