"""The commands that answer hands: reading them, parsing, asking, and writing each answer in its place.

Such a command says what its columns are, how one line becomes an object, and how the object becomes a line of text; all
else is done here.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from typer.core import TyperArgument, TyperOption

from mjcli.cli import entries
from mjcli.cli.command import Command, Examples, choice, closest, flag, option
from mjcli.cli.messages import UsageError
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
    output_option,
)
from mjcli.cli.request import SAMPLES, Request, language_option, load, settings_option
from mjcli.errors import InputError, NotationError
from mjcli.notation import DRAGONS, READERS, WORDS, WordKind, format_hand

if TYPE_CHECKING:
    from mjcli.cli.entries import Entry
    from mjcli.cli.messages import Messages
    from mjcli.hand import Line
    from mjcli.ruleset import Ruleset

__all__ = ["Answer", "HandCommand", "Request", "output_options", "rules_options"]


ARGUMENT: Final = "argument "
"""What stands before the number of a hand that is given on the command line."""

VALUES: Final = {
    WordKind.SEAT: "E|S|W|N",
    WordKind.PLAYER: "l|x|r|E|S|W|N",
    WordKind.NUMBER: "N",
    WordKind.TILES: "TILES",
}
"""What the help calls the value of a context word."""


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
        heads_of_rules: Sequence[tuple[str, str, str]] = (),
        details: str = "",
        options: Iterable[TyperOption] = (),
        needs_rules: bool = False,
        won: bool = False,
        is_no: Callable[[Answer], bool] | None = None,
    ) -> None:
        """
        Args:
            name: the word on the command line.
            summary: one sentence; ``mjcli -h`` says the same.
            examples: command lines that run as they stand.
            columns: the keys of an answer, in the order of the contract, after those that every answer has.
            prepare: takes the request, once, and returns what answers each line.
            won: whether hands must be won ones: 14 tiles, the last written being the winning tile if none is marked.
            text: the answer as one line.
            heads: the heads of the table's columns in each language.
            rows: the answer as rows of the table.
            heads_of_rules: the heads of further columns where a ruleset is named.
            details: further paragraphs of the help.
            options: those of this command alone, found in ``Request.own``.
            needs_rules: whether there is no answer without a ruleset, so that one is taken if none is named.
            is_no: whether an answer is a no, for exit code 1.
        """
        super().__init__(
            name,
            summary=summary,
            details=details,
            examples=examples,
            params=[*_input(), *output_options(), *rules_options(), *options, *_context()],
            run=self._answer_all,
        )
        self.context_settings["ignore_unknown_options"] = True  # they may be words of a ruleset
        self.columns = ("hand", "melds_assumed", "assumed", *columns)
        self.prepare, self.needs_rules, self.won = prepare, needs_rules, won
        self.text, self.heads, self.rows, self.is_no = text, heads, rows, is_no
        self.heads_of_rules = heads_of_rules

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the command line; the number of a word that needs none, such as ``--kong-draw``, may be left out.

        What stands after ``--`` is a hand, even if it begins like an option.
        """
        bare = {f"--{word.name}" for word in WORDS if word.bare}
        end = args.index("--") if "--" in args else len(args)
        for place in range(end):
            if args[place] in bare and not "".join(args[place + 1 : place + 2]).isdigit():
                args = [*args[:place], f"{args[place]}=1", *args[place + 1 :]]
        rest: list[str] = super().parse_args(ctx, args[:end])
        ctx.params["after_dashes"] = args[end + 1 :]
        return rest

    def _answer_all(
        self,
        told: Messages,
        *,
        hands: Sequence[str] | None,
        after_dashes: Sequence[str],
        input_path: str | None,
        input_format: str | None,
        output: str | None,
        output_format: str | None,
        json: bool,
        no_header: bool,
        rules: str | None,
        settings: Sequence[str] | None,
        **values: Any,
    ) -> int:
        """Answer every hand that is given, and return the exit code."""
        if json and output_format not in (None, "json"):
            raise UsageError(f"--json is --format json, but --format {output_format} was asked for")
        ruleset = load(rules, settings or (), needed=self.needs_rules)
        hands, said = self._words_among(hands or (), ruleset)
        hands += after_dashes
        if input_path is not None and hands:
            raise UsageError("--input and HAND exclude each other")
        with Sink(output) as sink:
            request = Request(values, ruleset, said, sink.encoding, won=self.won)
            writer = self._writer("json" if json else output_format or "text", sink, request, not no_header)
            given, where = _given(hands, input_path, input_format, request, sink.flush)
            only = len(hands) == 1 and hands[0] != "-"
            code = self._answer_each(told, given, where, request, writer, only=only)
            writer.end()
        return code

    def _answer_each(
        self, told: Messages, given: Iterable[Entry], where: str, request: Request, writer: Writer, *, only: bool
    ) -> int:
        answer_to = self.prepare(request)
        code = answered = 0
        entry = None
        for entry in given:
            try:
                line = request.line(entry)
                hand = line.hand
                assumed = {"melds_assumed": hand.melds_assumed} if hand.melds_assumed else {}
                found = {"hand": format_hand(hand), **assumed, **answer_to(line)}
            except InputError as error:
                fault = _placed(error, entry)
                if only:
                    raise fault from error
                writer.sink.flush()
                told.error(fault, f"{where}{entry.number}")
                writer.bad(entry.number, entry.text, fault)
                code = 1
                continue
            answered += 1
            writer.answer({key: found[key] for key in self.columns if key in found})
            if self.is_no is not None and self.is_no(found):
                code = 1
        if entry is None:
            told.note("there are no hands in the input")
        elif not answered and where == ARGUMENT and entry.number > 1:
            told.note("each argument is a hand of its own; one that is written with blanks needs quotes around it")
        return code

    def _words_among(self, hands: Sequence[str], ruleset: Ruleset | None) -> tuple[list[str], dict[str, str]]:
        """Return the hands apart from the words of the ruleset, which stand among them as options that are not known.

        Raises:
            UsageError: there is no such word.
        """
        words = {} if ruleset is None else {word.name: word for word in ruleset.extra_words}
        rest, said = [], {}
        items = iter(hands)
        for item in items:
            if item == "-" or not item.startswith("-"):
                rest.append(item)
                continue
            option_name, equals, value = item.partition("=")
            word = words.get(option_name.removeprefix("--"))
            if word is None:
                known = [name for param in self.params for name in param.opts if name.startswith("--")]
                known += [f"--{name}" for name in words]
                raise UsageError(f"no such option: {option_name}{closest(option_name, known)}")
            if not equals and word.kind is not WordKind.FLAG:
                value = next(items, "")
            said[word.name] = f"{word.name}={value}" if value or equals else word.name
        return rest, said

    def _writer(self, form: str, sink: Sink, request: Request, header: bool) -> Writer:
        if form == "table":
            named = self.heads if request.ruleset is None else (*self.heads, *self.heads_of_rules)
            heads = [request.word(*names) for names in named]
            return TableWriter(sink, heads, lambda answer: self.rows(answer, request))
        kinds = {"text": Writer, "json": JsonWriter, "jsonl": JsonLinesWriter, "csv": CsvWriter, "tsv": TsvWriter}
        return kinds[form](sink, self.columns, lambda answer: self.text(answer, request), header=header)


def _given(
    hands: Sequence[str], path: str | None, form: str | None, request: Request, waiting: Callable[[], None]
) -> tuple[Iterator[Entry], str]:
    """Return the entries, and what stands before the number of one to name its place."""
    if hands and "-" not in hands:
        return entries.from_arguments(hands), ARGUMENT
    if len(hands) > 1:
        raise UsageError("'-' reads standard input, and stands alone")
    if path is not None and path != "-":
        return entries.from_file(path, form, request.words, waiting), f"{path}:"
    if sys.stdin is None or (not hands and path is None and sys.stdin.isatty()):
        raise UsageError("give a HAND, or '-' to read standard input")
    return entries.from_stream(sys.stdin.buffer, form or "lines", request.words, waiting), "line "


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
            values=DRAGONS,
            default=DRAGONS[0],
            about="Whether 5z is the white dragon or the red.",
            group=group,
        ),
    )


def output_options() -> tuple[TyperOption, ...]:
    """Return the options that say how answers are written."""
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
        output_option(),
        flag("--no-header", about="Leave out the header of csv and tsv.", group=group),
        choice("--tiles", values=tuple(SAMPLES), default="mpsz", about="How text and table show tiles.", group=group),
        language_option(),
    )


def rules_options() -> tuple[TyperOption, ...]:
    """Return the options that name the ruleset."""
    group = "Rules"
    return (
        option(
            "--rules",
            metavar="NAME|PATH",
            about="The ruleset, such as jipinghu; 'mjcli rules list' lists them.",
            group=group,
            envvar="MJCLI_RULES",
            show_envvar=True,
        ),
        settings_option(),
    )


def _context() -> Iterator[TyperOption]:
    group = "Said of every hand; one that says otherwise is an error"
    for word in WORDS:
        name = f"--{word.name}"
        if word.kind is WordKind.FLAG:
            yield flag(name, about=word.meaning, group=group)
        elif word.name == "from":
            about = f"{word.meaning}; or the notation of the hands: {', '.join(READERS)}"
            yield option(name, metavar=VALUES[word.kind], about=about, group=group)
        else:
            yield option(name, metavar=VALUES[word.kind], about=word.meaning, group=group)
