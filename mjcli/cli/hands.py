"""The commands that answer hands: reading them, parsing, asking, and writing each answer in its place.

Such a command says what its columns are, how one line becomes an object, and how the object becomes a line of text; all
else is done here.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from typer.core import TyperArgument, TyperOption

from mjcli.cli.command import Command, Examples, choice, closest, flag, option
from mjcli.cli.delivery import Delivery, TooManyError
from mjcli.cli.entries import from_arguments
from mjcli.cli.handling import TABLE_SUFFIXES, TABLES, Handling, handling_options, input_options, table_named
from mjcli.cli.messages import UsageError
from mjcli.cli.output import (
    BAD_LINE,
    FORMATS,
    Answer,
    CsvWriter,
    JsonLinesWriter,
    JsonWriter,
    RowWriter,
    TableWriter,
    TsvWriter,
    Writer,
    output_option,
)
from mjcli.cli.packing import is_packed
from mjcli.cli.request import SAMPLES, Request, language_option, load, settings_option
from mjcli.cli.sink import Output, Sink, are_one_file, output_encoding, regular_target
from mjcli.cli.work import Task, Worker
from mjcli.errors import NotationError
from mjcli.notation import READERS, WORDS, ExtraWord, Word, WordKind

if TYPE_CHECKING:
    from mjcli.cli.messages import Messages
    from mjcli.hand import Line
    from mjcli.ruleset import Ruleset

__all__ = ["Answer", "HandCommand", "Request", "output_options", "rules_options"]


TORN: Final = ("empty", "tile-count")
"""The errors of a piece of a hand, where blanks without quotes around them have torn one apart."""

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
        piped: bool = True,
        is_long: bool = False,
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
            piped: whether a pipe is read where no hand is given.
            is_long: whether an answer says much, so that fewer hands are answered at once.
        """
        super().__init__(
            name,
            summary=summary,
            details=details,
            examples=examples,
            params=[
                _hands(piped),
                *input_options(),
                *output_options((*FORMATS, *TABLES)),
                *handling_options(),
                *rules_options(),
                *options,
                _expect_option(),
                *_context(),
            ],
            run=self._answer_all,
        )
        self.context_settings["ignore_unknown_options"] = True  # they may be words of a ruleset
        self.columns = ("hand", "melds_assumed", "assumed", *columns)
        self.prepare, self.needs_rules, self.won = prepare, needs_rules, won
        self.text, self.heads, self.rows, self.is_no = text, heads, rows, is_no
        self.heads_of_rules, self.is_long = heads_of_rules, is_long

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the command line; the number of a word that needs none, such as ``--kong-draw``, may be left out.

        What stands after ``--`` is a hand, even if it begins like an option.

        Raises:
            UsageError: a word is said twice, of which the last alone would be heard.
        """
        bare = {f"--{word.name}" for word in WORDS if word.bare}
        end = args.index("--") if "--" in args else len(args)
        names = [arg.partition("=")[0] for arg in args[:end]]
        for word in WORDS:
            if names.count(f"--{word.name}") > 1:
                raise _said_twice(word)
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
        output_format: str | None,
        json: bool,
        rules: str | None,
        settings: Sequence[str] | None,
        expect: Sequence[str] | None,
        **values: Any,
    ) -> int:
        """Answer every hand that is given, and return the exit code."""
        if json and output_format not in (None, "json"):
            raise UsageError(f"--json is --format json, but --format {output_format} was asked for")
        handling = Handling.taken(values)
        form = "json" if json else output_format or table_named(handling.output) or "text"
        if form in TABLES and regular_target(handling.output) is None:
            raise UsageError(f"--format {form} needs --output FILE")
        if form in TABLES and is_packed(handling.output or ""):
            raise UsageError(f"--output {handling.output}: a table is packed inside; leave out .gz or .zst")
        ruleset = load(rules, settings or (), needed=self.needs_rules)
        hands, said = self._words_among(hands or (), ruleset)
        hands += after_dashes
        if handling.input_path is not None and hands:
            raise UsageError("--input and HAND exclude each other")
        if are_one_file(handling.input_path, handling.output):
            raise UsageError("--input and --output are the same file, whose hands would be lost")
        if len(hands) > 1 and "-" in hands:
            raise UsageError("'-' reads standard input, and stands alone")
        for name in handling.others.kept:
            if name in (*self.columns, *BAD_LINE):
                raise UsageError(f"--keep {name}: that is the name of something in the answers")
        task = Task(
            command=self.name or "",
            values=values,
            ruleset=ruleset,
            said=said,
            encoding=output_encoding(handling.output),
            form=form,
            others=handling.others,
            skipping=handling.on_error == "skip",
        )
        if hands and hands != ["-"]:
            return self._answer_arguments(told, hands, task, handling, expect or ())
        if expect:
            raise UsageError("--expect goes with HAND; a file of cases is for 'mjcli check'")
        from mjcli.cli.stream import answer_input

        if hands:
            handling = handling._replace(input_path="-")
        return answer_input(told, self, task, handling)

    def _answer_arguments(
        self, told: Messages, hands: Sequence[str], task: Task, handling: Handling, expect: Sequence[str]
    ) -> int:
        """Answer the hands of the command line; a bad one that is alone is raised, and nothing is written."""
        for name in ("resume", "rejects", "cluster", "keep"):
            if getattr(handling, name):
                raise UsageError(f"--{name} goes with --input or a pipe")
        begun = time.monotonic()
        worker = Worker(self, task)
        answered = worker.answer_entries(
            from_arguments(hands),
            lambda entry: os.fsencode(hands[entry.number - 1]),
            is_no=self._otherwise(told, expect, task.ruleset),
        )
        if answered.bad and len(hands) == 1:
            raise answered.bad[0].error
        try:
            with Sink(handling.output) as sink:
                writer = worker.writer(sink, header=not handling.no_header)
                delivery = Delivery(told, writer, sink, "argument ", most=handling.most)
                delivery.take(answered)
                writer.end()
        except TooManyError as error:
            told.error_text(str(error))
            return 1
        if any(bad.error.code in TORN for bad in answered.bad):
            told.note("each argument is a hand of its own; one with blanks or context words needs quotes around it all")
        if handling.stats:
            delivery.counts.tell(told, time.monotonic() - begun)
        return delivery.counts.code

    def _otherwise(
        self, told: Messages, expect: Sequence[str], ruleset: Ruleset | None
    ) -> Callable[[Answer], bool] | None:
        """Return what says whether an answer is not as expected, and tells how; None where nothing is expected."""
        if not expect:
            return None
        from mjcli.cli.expected import expectations

        try:
            found = [each for text in expect for each in expectations(text, self.columns[1:], text)]
        except NotationError as error:
            raise UsageError(f"--expect {error.line}: {error.message}") from None
        if not found:
            raise UsageError("--expect says nothing; KEY=VALUE is expected")

        def is_otherwise(answer: Answer) -> bool:
            differences = [str(each) for each in (one.difference(answer, ruleset) for one in found) if each]
            if differences:
                told.error_text(f"{answer['hand']}: {'; '.join(differences)}")
            return bool(differences)

        return is_otherwise

    def writer(
        self,
        form: str,
        sink: Output,
        request: Request,
        *,
        header: bool = True,
        kept: Sequence[str] = (),
        block: bool = False,
    ) -> Writer:
        """Return what writes answers.

        Args:
            form: one of ``FORMATS``.
            sink: where it writes them.
            request: what the command line says.
            header: whether CSV and TSV have one.
            kept: keys before those of the command, whose values were given with the hand.
            block: whether each answer is to be a line, for the ``add`` of another writer of this format.
        """
        if form == "table":
            named = self.heads if request.ruleset is None else (*self.heads, *self.heads_of_rules)
            heads = [request.word(*names) for names in named]
            table = RowWriter if block else TableWriter
            return table(sink, heads, lambda answer: self.rows(answer, request), kept=kept)
        if form in TABLES and not block:
            from mjcli.cli.tables import ArrowWriter

            return ArrowWriter(sink, self.columns, form, kept=kept)
        kinds = {"text": Writer, "json": JsonWriter, "jsonl": JsonLinesWriter, "csv": CsvWriter, "tsv": TsvWriter}
        kind = JsonLinesWriter if block and form in ("json", *TABLES) else kinds[form]
        return kind(
            sink, self.columns, lambda answer: self.text(answer, request), header=header and not block, kept=kept
        )

    def _words_among(self, hands: Sequence[str], ruleset: Ruleset | None) -> tuple[list[str], dict[str, str]]:
        """Return the hands apart from the words of the ruleset, which stand among them as options that are not known.

        Raises:
            UsageError: there is no such word, or one is said twice.
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
            if word.name in said:
                raise _said_twice(word)
            said[word.name] = f"{word.name}={value}" if value or equals else word.name
        return rest, said


def _said_twice(word: Word | ExtraWord) -> UsageError:
    """Return the error for a context word that stands twice on the command line."""
    together = f"; --{word.name} takes several tiles at once, such as 1z1z4m" if word.kind.names_tiles else ""
    return UsageError(f"--{word.name} is said twice{together}")


def _hands(piped: bool) -> TyperArgument:
    pipe = ", as does a pipe without HAND" if piped else ""
    return TyperArgument(
        param_decls=["hands"],
        nargs=-1,
        metavar="[HAND]...",
        help=f"A line of notation, such as 123m456p77z; '-' reads standard input{pipe}.",
        rich_help_panel="Input",
    )


def _expect_option() -> TyperOption:
    return option(
        "--expect",
        metavar="KEY=VALUE",
        about="What is expected of each HAND; the exit code is 1 if the answer is otherwise. A number alone is the "
        "shanten, tiles alone the waits, a pattern alone one of those that count.",
        group="Output",
        multiple=True,
    )


def output_options(formats: Sequence[str] = FORMATS) -> tuple[TyperOption, ...]:
    """Return the options that say how answers are written, in one of ``formats``."""
    group = "Output"
    tables = f", or by the suffix of --output ({', '.join(TABLE_SUFFIXES)})" if TABLES[0] in formats else ""
    return (
        choice(
            "output_format",
            "--format",
            "-f",
            values=formats,
            about=f"How answers are written; default: text{tables}.",
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
