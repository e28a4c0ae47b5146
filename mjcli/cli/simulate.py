"""``mjcli simulate``: many deals or games by programmed players, what they add up to, and logs that replay.

With hands it tells their odds; how those are answered is in ``mjcli.cli.odds``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, replace
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

import typer

from mjcli.chance import fresh_seed, parse_seed
from mjcli.cli import odds
from mjcli.cli.command import flag, option, whole_number
from mjcli.cli.deal import words_of
from mjcli.cli.handling import TABLES, refuse_table
from mjcli.cli.hands import HandCommand
from mjcli.cli.messages import UsageError
from mjcli.cli.output import FORMATS, Answer, CsvWriter, JsonLinesWriter, JsonWriter, TsvWriter, Writer
from mjcli.cli.packing import lines_of_file
from mjcli.cli.plots import Chart, check_plot, run_charts, text_plot, write_plot
from mjcli.cli.progress import Progress
from mjcli.cli.report import COLUMNS, comparison_lines, report_lines, rows_of
from mjcli.cli.request import DEFAULT_RULES, LANGUAGES, options_said
from mjcli.cli.saved import Found, RunFile, RunLog, run_file
from mjcli.cli.sides import Played, sides_of
from mjcli.cli.sink import Sink, are_one_file, regular_target
from mjcli.cli.story import result, story
from mjcli.cli.workers import connect

if TYPE_CHECKING:
    from mjcli.cli.messages import Messages
    from mjcli.cli.table import Words
    from mjcli.play.log import Replayed
    from mjcli.ruleset import Ruleset
    from mjcli.simulate import Plan

__all__ = ["command"]

DEFAULT_DEALS: Final = 1000
"""Deals of a run that does not say how many."""

SECONDS: Final = {"s": 1, "m": 60, "h": 3600}
"""What the letters after a time limit stand for."""

RUNS: Final = ("deals", "games", "players", "compared", "second", "log_path", "seconds")
"""Options of runs, which neither a replay nor the odds of a hand have."""

ALONE: Final = (*RUNS, "replayed", "story_told")
"""Options of deals, which hands do not go with."""

SHARED: Final = (
    "output",
    "output_format",
    "json",
    "no_header",
    "tiles",
    "lang",
    "rules",
    "settings",
    "seed",
    "jobs",
    "resume",
    "cluster",
    "plot",
)
"""Options of deals that hands have too."""


def run(
    told: Messages,
    *,
    replayed: str | None,
    output: str | None,
    output_format: str | None,
    json: bool,
    no_header: bool,
    tiles: str,
    lang: str,
    rules: str | None,
    settings: Sequence[str] | None,
    story_told: bool,
    **values: Any,
) -> int:
    """Write what a run adds up to, or the deals of a log, and return the exit code."""
    if json and output_format not in (None, "json"):
        raise UsageError(f"--json is --format json, but --format {output_format} was asked for")
    if not json and output_format is None:
        refuse_table(output, FORMATS)
    form = "json" if json else output_format or "text"
    if form == "table":
        form = "text"
    if replayed is not None:
        if settings or any(values[name] for name in (*RUNS, "seed", "jobs", "resume", "cluster", "plot")):
            raise UsageError("--replay plays what the log says: only --rules and --steps go with it")
        if are_one_file(replayed, output):
            raise UsageError("--replay and --output are the same file, whose log would be lost")
        with Sink(output) as sink:
            words = words_of(lang, tiles, sink)
            write_replayed(told, replayed, rules, form, sink, words, story_told=story_told, header=not no_header)
        return 0
    _check_run(output, form, story_told=story_told, **values)
    seed = None if values["seed"] is None else parse_seed(values["seed"])
    played = Played(
        rules=rules or DEFAULT_RULES[0],
        options=options_said(settings or ()),
        players="fast" if values["players"] is None else values["players"],
    )
    sides = sides_of(played, values["compared"], values["second"]) if values["compared"] else (played,)
    plans = [side.plan(games=values["games"] is not None) for side in sides]
    if len(plans) > 1 and plans[0] == plans[1]:
        told.note("--compare: both sides play the same")
    count = values["games"] or values["deals"] or DEFAULT_DEALS
    file = None if story_told else run_file(output, plans, count, values["log_path"])
    found = _found(told, file, seed, resume=values["resume"])
    seed = found.seed if found is not None else fresh_seed() if seed is None else seed
    plans = [replace(plan, seed=seed) for plan in plans]
    with Sink(output, kept=file is not None) as sink:
        words = words_of(lang, tiles, sink)
        take = values["log_path"], values["jobs"] or 1, values["seconds"], values["cluster"]
        answer, lines = _played(told, plans, count, file, found, *take, story_told=story_told)
        if story_told:
            for line in _stories(lines, words, _pattern_names(plans[0], words)):
                sink.write(f"{line}\n")
        else:
            writer = _writer(form, sink, partial(_text, words=words, plans=plans), header=not no_header)
            writer.answer(answer)
            writer.end()
        if values["plot"] is not None:
            charts = _charts(answer, plans, lang)
            if values["plot"] == "-":
                sink.write(f"\n{text_plot(charts)}\n")
            else:
                write_plot(charts, values["plot"])
    if file is not None:
        file.drop()
    return 0


def _check_run(
    output: str | None,
    form: str,
    *,
    story_told: bool,
    deals: int | None,
    games: int | None,
    compared: Sequence[str] | None,
    log_path: str | None,
    resume: bool,
    plot: str | None,
    **values: Any,
) -> None:
    """Refuse options of a run that do not go together.

    Raises:
        UsageError: they do not.
    """
    del values
    if deals is not None and games is not None:
        raise UsageError("--deals are single deals, --games whole games: one of the two")
    if compared and (log_path is not None or story_told):
        raise UsageError("--compare plays every deal twice, without --log and --steps")
    if log_path == "-" and output in (None, "-"):
        raise UsageError("--log - and the report would both go to standard output; give one of them a FILE")
    for (one, path), (other, beside) in combinations((("--log", log_path), ("--plot", plot), ("--output", output)), 2):
        if are_one_file(path, beside):
            raise UsageError(f"{one} and {other} are the same file")
    if story_told and form != "text":
        raise UsageError("--steps is text; --log writes the same for programs")
    if plot is not None:
        check_plot(plot, form, story_told=story_told)
    if resume and (regular_target(output) is None or story_told):
        raise UsageError("--resume needs --output FILE, and goes without --steps")


def _found(told: Messages, file: RunFile | None, seed: int | None, *, resume: bool) -> Found | None:
    """Return what was kept of the run to go on with; None to begin anew.

    Raises:
        InputError: something has changed since.
    """
    if file is None:
        return None
    if not resume:
        file.drop()
        return None
    found = file.found(seed)
    if found is None:
        told.note("there is no run to resume; this one begins anew")
    return found


def _played(
    told: Messages,
    plans: Sequence[Plan],
    count: int,
    file: RunFile | None,
    found: Found | None,
    log_path: str | None,
    jobs: int,
    seconds: float | None,
    cluster: str | None,
    *,
    story_told: bool,
) -> tuple[Answer, list[str]]:
    """Play what is left of a run, and return what all of it adds up to, and the lines of the log for a story."""
    from mjcli.simulate import State, compare, simulate

    state = State(3 if len(plans) > 1 else 1) if found is None else found.state
    unit = "games" if plans[0].games else "deals"
    shown = Progress(lambda: state.done, count, wanted=not told.quiet, before=state.done, unit=unit)
    lines: list[str] = []
    with ExitStack() as stack:
        log = None if log_path is None else stack.enter_context(RunLog(log_path, file, found))
        sink = None if log is None else log.sink

        def take(line: str) -> None:
            if log is not None:
                log.write(line)
            if story_told:
                lines.append(line)

        def after(state: State) -> None:
            shown.update(state.done)
            if file is not None:
                file.keep(plans[0].seed, state, sink)

        crew = None
        if cluster is not None:
            crew, jobs, close = connect(cluster, told.note)
            stack.callback(close)
        work: dict[str, Any] = {"jobs": jobs, "seconds": seconds, "state": state, "after": after, "crew": crew}
        try:
            if len(plans) > 1:
                both = compare(plans[0], plans[1], count, **work)
                answer: Answer = asdict(both)
                if not both.same_walls:
                    told.note(
                        "the rulesets build or deal their walls otherwise, so the two runs do not have the same walls"
                    )
            else:
                answer = simulate(plans[0], count, log=take if log is not None or story_told else None, **work)
        except KeyboardInterrupt:
            if file is not None and file.is_kept:
                told.note("interrupted; the same command with --resume goes on")
            raise
        finally:
            shown.clear()
        if file is not None:
            file.keep(plans[0].seed, state, sink, complete=True)
    return answer, lines


def write_replayed(
    told: Messages,
    path: str,
    rules: str | None,
    form: str,
    sink: Sink,
    words: Words,
    *,
    story_told: bool,
    header: bool,
) -> None:
    """Play the deals of a log again and write each, as a story or in one line."""
    from mjcli.play.events import event_keys

    def text(answer: Answer) -> str:
        told = (answer["head"], answer["told"], words, answer["names"])
        return "\n".join([*story(*told), ""]) if story_told else result(*told)

    writer = _replay_writer(form, sink, text, header=header)
    count = 0
    for each in _replayed(path, rules):
        count += 1
        events = [event_keys(event) for event in each.events]
        if form == "text":
            writer.answer({"head": each.head, "told": events, "names": _names(each.ruleset, words)})
            continue
        writer.answer(
            {
                "ruleset": each.ruleset.id,
                "seed": each.head["seed"],
                "index": each.head["index"],
                "events": len(events),
                "winners": events[-1]["winners"],
                "wins": [keys for keys in events if keys["event"] == "win"],
                "payments": dict(zip(each.head["players"], each.outcome.payments, strict=True)),
                "left": each.outcome.left,
            }
        )
    writer.end()
    sink.flush()
    told.note(f"every event is legal; deals: {count}")


def _replayed(path: str, rules: str | None) -> Iterator[Replayed]:
    """Yield each deal of a log, played again.

    Raises:
        LogError: the log is damaged, or there is no deal in it.
    """
    from mjcli.play.log import LogError, replay

    deals = replay(_lines(path), rules=rules)
    try:
        first = next(deals, None)
        if first is None:
            raise LogError(1, "there is no deal in the log")
        yield first
        yield from deals
    except LogError as error:
        raise error if path == "-" else error.in_file(path) from None


def _stories(lines: Sequence[str], words: Words, names: Mapping[str, str]) -> Iterator[str]:
    """Yield the stories of the deals whose logs are ``lines``, an empty line after each."""
    import json

    keys = [json.loads(line) for line in lines]
    heads = [place for place, each in enumerate(keys) if each["event"] == "deal"]
    for first, after in zip(heads, [*heads[1:], len(keys)], strict=True):
        yield from story(keys[first], keys[first + 1 : after], words, names)
        yield ""


def _names(ruleset: Ruleset, words: Words) -> dict[str, str]:
    """Return the names of the patterns of a ruleset, by id."""
    return {info.id: info.name(LANGUAGES[words.language]) for info in ruleset.patterns}


def _pattern_names(plan: Plan, words: Words) -> dict[str, str]:
    from mjcli.ruleset import load_ruleset

    return _names(load_ruleset(plan.rules, plan.options), words)


def _text(answer: Answer, words: Words, plans: Sequence[Plan]) -> str:
    """Return a report, or two and how they differ."""
    answers = [answer["first"], answer["second"]] if "differences" in answer else [answer]
    lines: list[str] = []
    for plan, each in zip(plans, answers, strict=True):
        lines += [*report_lines(each, words.language, _pattern_names(plan, words)), ""]
    if "differences" in answer:
        players = [plan.players for plan in plans]
        lines += [*comparison_lines(answer["differences"], words.language, players), ""]
    return "\n".join(lines[:-1])


def _charts(answer: Answer, plans: Sequence[Plan], lang: str) -> list[Chart]:
    """Return the charts of a run, or of two that are compared."""
    from mjcli.ruleset import load_ruleset

    answers = [answer["first"], answer["second"]] if "differences" in answer else [answer]
    patterns = [info for plan in plans for info in load_ruleset(plan.rules, plan.options).patterns]
    return run_charts(answers, answer.get("differences"), {info.id: info.name(lang) for info in patterns}, lang)


class _RowWriter(CsvWriter):
    """Writes an answer as rows, one for each value that has an interval."""

    def answer(self, answer: Answer) -> None:
        """Write the rows of one answer."""
        for row in rows_of(answer):
            super().answer(dict(zip(self.columns, row, strict=True)))


class _TsvRowWriter(_RowWriter, TsvWriter):
    """The same with tabs."""


def _writer(form: str, sink: Sink, text: Callable[[Answer], str], *, header: bool) -> Writer:
    kinds = {"text": Writer, "json": JsonWriter, "jsonl": JsonLinesWriter, "csv": _RowWriter, "tsv": _TsvRowWriter}
    return kinds[form](sink, COLUMNS, text, header=header)


def _replay_writer(form: str, sink: Sink, text: Callable[[Answer], str], *, header: bool) -> Writer:
    kinds = {"text": Writer, "json": JsonWriter, "jsonl": JsonLinesWriter, "csv": CsvWriter, "tsv": TsvWriter}
    columns = ("ruleset", "seed", "index", "events", "winners", "payments", "left")
    return kinds[form](sink, columns, text, header=header)


def _lines(path: str) -> Iterator[str]:
    """Yield the lines of a log in a file, or in standard input.

    Raises:
        OSError, InputError, UsageError: it cannot be read, or a line is not UTF-8 (``bad-log``).
    """
    from mjcli.play.log import LogError

    if path != "-":
        lines: Iterable[bytes] = lines_of_file(path)
    elif sys.stdin is None:
        raise UsageError("standard input is closed")
    else:
        lines = sys.stdin.buffer
    for number, line in enumerate(lines, 1):
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise LogError(number, f"byte {error.start + 1} is not UTF-8") from None


def _time(text: str) -> float:
    """Return the seconds of a time such as 90s, 10m or 1h."""
    number, unit = (text[:-1], text[-1]) if text[-1:] in SECONDS else (text, "s")
    if not (number.isascii() and number.isdigit() and len(number) < 8) or not int(number):
        raise typer.BadParameter(f"{text!r} is no time such as 90s, 10m or 1h")
    return float(int(number) * SECONDS[unit])


def _what() -> Iterator[Any]:
    group = "Play"
    yield option("--deals", metavar="N", about="So many single deals; default 1000.", group=group, type=whole_number(1))
    yield option("--games", metavar="N", about="So many whole games.", group=group, type=whole_number(1))
    yield option(
        "--seed", metavar="N", about="Where chance starts, 0 to 2^64-1; one is drawn and printed.", group=group
    )
    yield option(
        "--players",
        metavar="NAMES",
        about="The players, or one for all seats: random, fast, value, careful, or FILE.py:NAME of your own.",
        group=group,
    )
    yield option(
        "compared",
        "--compare",
        metavar="A [B]",
        about="Play the same walls twice, as A and as B say, and tell how much differs; with A alone, once without it. "
        "Each is a ruleset, a list of players, options KEY=VALUE of the ruleset, or several of these in quotes.",
        group=group,
        multiple=True,
    )
    yield option(
        "seconds", "--time", metavar="TIME", about="Begin nothing new after 90s, 10m, 1h.", group=group, type=_time
    )


def _logs() -> Iterator[Any]:
    group = "Logs"
    yield option(
        "log_path", "--log", metavar="FILE", about="Write every event of every deal as JSON Lines.", group=group
    )
    yield option(
        "replayed",
        "--replay",
        metavar="FILE",
        about="Play the deals of a log again, checking every event.",
        group=group,
    )
    yield option(
        "--plot",
        metavar="FILE",
        about="Draw the answer too: a picture by the suffix, such as .png or .svg; with '-' in the text.",
        group="Output",
    )
    yield flag("story_told", "--steps", about="Text as a story of each deal, one line for each event.", group=group)


class SimulateCommand(HandCommand):
    """Tells the odds of hands if there are any, and else plays deals."""

    def _answer_all(self, told: Messages, **values: Any) -> int:
        values["second"] = []
        if values["compared"]:  # what stands beside it is its second side, as hands do not go with it
            values["second"] = self._words_among(values["hands"] or (), None)[0] + values["after_dashes"]
            values |= {"hands": None, "after_dashes": []}
        hands = values["hands"] or values["after_dashes"] or values["input_path"] is not None
        if hands or any(values[name] for name in odds.OWN):
            self._refuse(values, ALONE, "plays deals, and goes without HAND")
            if values["plot"] is not None:
                if are_one_file(values["plot"], values["output"]):
                    raise UsageError("--plot and --output are the same file")
                if len(values["hands"] or ()) + len(values["after_dashes"]) != 1 or "-" in (values["hands"] or ()):
                    raise UsageError("--plot draws one HAND")
                check_plot(values["plot"], "json" if values["json"] else values["output_format"] or "text")
            del values["second"]
            return super()._answer_all(told, **values)
        shared = {"color", "quiet", "debug", *SHARED, *ALONE}
        self._refuse(values, [name for name in values if name not in shared], "goes with HAND")
        if values["output_format"] in TABLES:
            raise UsageError(f"--format {values['output_format']} goes with HAND")
        return run(told, **{name: values[name] for name in (*SHARED, *ALONE)})

    def _refuse(self, values: Mapping[str, Any], names: Sequence[str], why: str) -> None:
        """Refuse options that do not go with what else is said.

        Raises:
            UsageError: one of them is given.
        """
        for param in self.params:
            name = param.name or ""
            if name in names and values[name] not in (param.default, None, (), False):
                raise UsageError(f"{param.opts[0]} {why}")


command = SimulateCommand(
    "simulate",
    summary="Play many deals or games, and say how often and how much; or tell the odds of a hand.",
    details="Rates and means are given with the interval that holds the truth 95 times of 100. The same seed gives the "
    "same result, whatever --jobs is. Seats are winds: E is the dealer. Players move one seat on from deal to deal, "
    f"or from game to game.\n\n{odds.DETAILS}",
    examples=(
        ("mjcli simulate --deals 100 --seed 1", "four fast players"),
        ("mjcli simulate --rules jipinghu --deals 100 --seed 1 --compare minimum_fan=1", "what a minimum does"),
        ("mjcli simulate --deals 20 --seed 1 --compare hongkong malaysia-4p", "two rulesets"),
        ("mjcli simulate --games 1 --seed 1 --set stop_after=1 --players fast,random,random,random", "an East round"),
        ("mjcli simulate --deals 1 --seed 1 --steps", "one deal, turn by turn"),
        ("mjcli simulate 123m456p789s11z46m5z --rules jipinghu -f table", "the odds of a hand, for each discard"),
    ),
    columns=odds.COLUMNS,
    prepare=odds.prepare,
    text=odds.text,
    heads=odds.HEADS,
    rows=odds.rows,
    needs_rules=True,
    piped=False,
    options=(*_what(), *_logs(), *odds.own_options()),
)
