"""``mjcli check``: cases with expected answers, for textbooks, logs and continuous integration."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from typer.core import TyperArgument

from mjcli.cli.casefiles import FORMATS, Case, read_cases
from mjcli.cli.command import Command, choice, flag
from mjcli.cli.expected import ERROR, Difference
from mjcli.cli.forms import seven_pairs
from mjcli.cli.handling import Handling, dragons_option
from mjcli.cli.hands import HandCommand, rules_options
from mjcli.cli.messages import UsageError, error_keys, printable
from mjcli.cli.output import json_text, output_option
from mjcli.cli.request import in_language, language_option, load, words_of
from mjcli.cli.sink import Output, Sink, are_one_file, output_encoding
from mjcli.cli.work import Task, Worker
from mjcli.errors import NotationError

if TYPE_CHECKING:
    from mjcli.cli.messages import Messages
    from mjcli.cli.output import Answer
    from mjcli.ruleset import Ruleset

__all__ = ["command"]

ASKED: Final = ("shanten", "waits", "discards", "score")
"""The commands whose answers are checked; the first that has all that is expected of a hand is asked."""


class Result(NamedTuple):
    """What became of a case."""

    case: Case
    command: str
    """Which command was asked; empty if the case cannot be read."""
    differences: tuple[Difference, ...] = ()
    error: NotationError | None = None
    """Why there is no answer, or no case, where that was not expected."""

    @property
    def passed(self) -> bool:
        """Whether the answer is what was expected."""
        return self.error is None and not self.differences

    @property
    def place(self) -> str:
        """The file and the line."""
        return printable(f"{self.case.where}{self.case.entry.number}")

    @property
    def name(self) -> str:
        """What the case is called: its id, or else its hand."""
        entry = self.case.entry
        return printable(str(self.case.about.get("id", entry.notation or entry.text)))

    @property
    def reason(self) -> str:
        """Why the case fails."""
        if self.error is not None:
            return f"error {self.error.code}: {printable(str(self.error))}"
        return printable("; ".join(map(str, self.differences)))

    @property
    def keys(self) -> Answer:
        """The object that is written as JSON."""
        found = [{"key": each.key, "found": each.found, "expected": each.expected} for each in self.differences]
        return {
            "place": self.place,
            **self.case.about,
            "hand": self.case.entry.notation or self.case.entry.text,
            "command": self.command,
            "passed": self.passed,
            "differences": found,
            **({} if self.error is None else {"error": error_keys(self.error)}),
        }


class _Asked:
    """The commands that answer the cases of a run, each made once it is needed."""

    def __init__(self, ruleset: Ruleset | None, said: Mapping[str, Any], wanted: str | None) -> None:
        """
        Args:
            ruleset: the one that was named.
            said: the options that commands share, by name.
            wanted: the command that is to answer all of them.
        """
        self._said = said
        commands: Mapping[str, HandCommand] = {
            name: import_module(f"mjcli.cli.{name}").command for name in ASKED if wanted in (None, name)
        }
        self.commands, self.ruleset = commands, ruleset
        self.valuing = ruleset
        """What commands are asked that answer under a ruleset alone."""
        if ruleset is None and any(each.needs_rules for each in commands.values()):
            self.valuing = load(None, (), needed=True)
        self.keys = (*dict.fromkeys(key for each in commands.values() for key in each.columns[1:]), ERROR)
        self._worker = cache(self._made)

    def _made(self, name: str) -> Worker:
        command = self.commands[name]
        values: dict[str, Any] = {param.name or "": param.default for param in command.params}
        for each in ("hands", "output_format", "json", "rules", "settings", "expect", "color", "quiet", "debug"):
            values.pop(each)
        handling = Handling.taken(values)
        values |= {key: value for key, value in self._said.items() if key in values}
        ruleset = self.valuing if command.needs_rules else self.ruleset
        encoding = output_encoding(handling.output)
        task = Task(command=name, values=values, ruleset=ruleset, said={}, encoding=encoding, form="text")
        return Worker(command, task)

    def result(self, case: Case) -> Result:
        """Return what becomes of a case."""
        if case.fault is not None:
            return Result(case, "", error=case.fault)
        roots = {each.root for each in case.expected} - {ERROR}
        name = next((name for name, each in self.commands.items() if roots <= {*each.columns}), None)
        if name is None:
            text = case.entry.text
            message = f"no command answers with all of {', '.join(sorted(roots))}"
            error = NotationError("bad-expectation", message, line=text, column=len(text.rstrip()) + 1)
            return Result(case, "", error=error)
        worker = self._worker(name)
        try:
            answer = worker.answer_to(case.entry._replace(kept={}))
        except NotationError as error:
            if all(each.root != ERROR for each in case.expected):
                return Result(case, name, error=error)
            answer = {ERROR: error_keys(error)}
        found = (each.difference(answer, worker.task.ruleset) for each in case.expected)
        return Result(case, name, tuple(filter(None, found)))


def run(
    told: Messages,
    *,
    files: Sequence[str],
    input_format: str | None,
    wanted: str | None,
    output_format: str | None,
    json: bool,
    output: str | None,
    rules: str | None,
    settings: Sequence[str] | None,
    **said: Any,
) -> int:
    """Check the cases of all files; the exit code is 1 if one is not as expected, or there are none."""
    if json and output_format not in (None, "json"):
        raise UsageError(f"--json is --format json, but --format {output_format} was asked for")
    if len(files) > 1 and "-" in files:
        raise UsageError("'-' reads standard input, and stands alone")
    if any(are_one_file(path, output) for path in files):
        raise UsageError("--output is one of the files of cases, which would be lost")
    ruleset = load(rules, settings or (), needed=False)
    asked = _Asked(ruleset, said, wanted)
    words = words_of(asked.valuing)
    counts = {True: 0, False: 0}

    def results() -> Iterator[Result]:
        for path in files:
            before = sum(counts.values())
            for case in read_cases(path, input_format, words, asked.keys):
                result = asked.result(case)
                counts[result.passed] += 1
                yield result
            if sum(counts.values()) == before:
                told.note("there are no cases" if path == "-" else f"{printable(path)}: there are no cases")

    write = _WRITERS["json" if json else output_format or "text"]
    with Sink(output) as sink:
        write(sink, results(), lambda: _summary(counts, said["lang"]))
    return 1 if counts[False] or not counts[True] else 0


def _summary(counts: Mapping[bool, int], lang: str) -> str:
    passed, failed = counts[True], counts[False]
    return in_language(
        lang, f"{passed} passed, {failed} failed", f"通過 {passed}，不符 {failed}", f"通过 {passed}，不符 {failed}"
    )


def _text(sink: Output, results: Iterable[Result], summary: Callable[[], str]) -> None:
    """Write a line for each case that fails, then the summary."""
    for each in results:
        if not each.passed:
            sink.write(f"{each.place}: {each.name}: {each.reason}\n")
    sink.write(f"{summary()}\n")


def _json_lines(sink: Output, results: Iterable[Result], _: Callable[[], str]) -> None:
    """Write an object for each case, each on a line."""
    for each in results:
        sink.write(f"{json_text(each.keys, sink.encoding)}\n")


def _json(sink: Output, results: Iterable[Result], _: Callable[[], str]) -> None:
    """Write a list of these objects."""
    sink.write(f"{json_text([each.keys for each in results], sink.encoding, indent=2)}\n")


def _tap(sink: Output, results: Iterable[Result], _: Callable[[], str]) -> None:
    """Write lines of the Test Anything Protocol, of version 13, since programs that know 14 read it and others too."""
    sink.write("TAP version 13\n")
    number = 0
    for number, each in enumerate(results, 1):
        name = f"{each.place} {each.name}".replace("\\", "\\\\").replace("#", "\\#")
        sink.write(f"{'ok' if each.passed else 'not ok'} {number} - {name}\n")
        if not each.passed:
            sink.write(f"  ---\n  message: {json_text(each.reason, sink.encoding)}\n  ...\n")
    sink.write(f"1..{number}\n")


def _junit(sink: Output, results: Iterable[Result], _: Callable[[], str]) -> None:
    """Write an XML document as JUnit does: a suite for each file.

    Servers tell the cases of a suite apart by their names, so that one whose name is taken has its line behind that.
    """
    from xml.etree import ElementTree

    suites: dict[str, ElementTree.Element] = {}
    names: set[tuple[str, str]] = set()
    for each in results:
        where, line = each.case.where, each.case.entry.number
        file = printable(where[:-1]) if where.endswith(":") else "standard input"
        suite = suites.setdefault(file, ElementTree.Element("testsuite", name=file))
        name = f"{each.name} (line {line})" if (file, each.name) in names else each.name
        names.add((file, name))
        case = ElementTree.SubElement(suite, "testcase", name=name, classname=file, file=file, line=str(line))
        if not each.passed:
            fault = ElementTree.SubElement(case, "failure" if each.error is None else "error", message=each.reason)
            fault.text = each.reason
    whole = ElementTree.Element("testsuites")
    whole.extend(suites.values())
    for element in (*suites.values(), whole):
        element.set("tests", str(len(element.findall(".//testcase"))))
        element.set("failures", str(len(element.findall(".//failure"))))
        element.set("errors", str(len(element.findall(".//error"))))
    ElementTree.indent(whole)
    sink.put(ElementTree.tostring(whole, "us-ascii", xml_declaration=True) + b"\n")


_WRITERS: Final[Mapping[str, Callable[[Output, Iterable[Result], Callable[[], str]], None]]] = {
    "text": _text,
    "json": _json,
    "jsonl": _json_lines,
    "tap": _tap,
    "junit": _junit,
}

command = Command(
    "check",
    summary="Check cases: hands with what is expected of their answers.",
    details="A case is a line 'HAND => fan=3 points=8', or a row of CSV or TSV, or an object of JSON Lines, with the "
    "hand, its context words, and what is expected under the keys that answers have as JSON; what is inside is named "
    "with dots, such as payments.winner=8. Commas stand between items. Of a hand that cannot be answered error=CODE "
    "may be expected. In lines, a number alone is the shanten, tiles alone are the waits, and a pattern alone must be "
    "among those that count. id, source and note are about the case itself. The exit code is 1 if one is not as "
    "expected, or there are none at all.",
    examples=(
        ("mjcli check cases.txt --rules jipinghu", "such as 333p555s77m44s,111z+7m => fan=3 dui_dui_hu"),
        ("mjcli check cases.csv --rules jipinghu -f junit -o report.xml", "a report for a server that runs tests"),
    ),
    params=[
        TyperArgument(
            param_decls=["files"],
            nargs=-1,
            required=True,
            metavar="FILE...",
            help="Cases: lines, CSV, TSV or JSON Lines by suffix, .gz and .zst too; '-' reads standard input.",
            rich_help_panel="Input",
        ),
        choice(
            "--input-format",
            values=FORMATS,
            about="How the cases are written; default: by the suffix of the file, else lines.",
            group="Input",
        ),
        choice(
            "wanted",
            "--command",
            values=ASKED,
            about="Which command answers; default: the first of these that says all that is expected of a hand.",
            group="Input",
        ),
        dragons_option(),
        choice(
            "output_format",
            "--format",
            "-f",
            values=tuple(_WRITERS),
            about="What is written; default: text, the cases that fail and how many pass.",
            group="Output",
        ),
        flag("--json", about="The same as --format json.", group="Output"),
        output_option(),
        language_option(),
        *rules_options(),
        seven_pairs(),
    ],
    run=run,
)
