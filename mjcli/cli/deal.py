"""``mjcli deal``: wall, dice, break, deal and flowers of a ruleset, as a picture, a story or an object."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

from mjcli.chance import fresh_seed, parse_seed
from mjcli.cli.command import Command, choice, flag, option, seed_option, whole_number
from mjcli.cli.dealt import COLUMNS, HEADS, answer_to, around, ordered, rows_of, seating_keys, text_of
from mjcli.cli.handling import refuse_table
from mjcli.cli.hands import output_options, rules_options
from mjcli.cli.messages import UsageError
from mjcli.cli.output import (
    FORMATS,
    Answer,
    CsvWriter,
    JsonLinesWriter,
    JsonWriter,
    TableWriter,
    TsvWriter,
    Writer,
    cell,
)
from mjcli.cli.packing import lines_of_file
from mjcli.cli.request import LANGUAGES, SAMPLES, load, options_said
from mjcli.cli.sink import Sink, are_one_file
from mjcli.cli.table import Words
from mjcli.commitment import commit
from mjcli.dealing import Deal, deal, parse_dice, wall_rules
from mjcli.errors import InputError, NotationError, amount
from mjcli.melds import Seat
from mjcli.notation import format_tiles, parse_tiles
from mjcli.rotation import Rotation, after_results, new_game
from mjcli.seating import choose_seats

if TYPE_CHECKING:
    from mjcli.cli.messages import Messages
    from mjcli.ruleset import Ruleset
    from mjcli.tiles import Tile

__all__ = ["command", "words_of"]

OF_A_DEAL: Final = {
    **{name: f"--{name}" for name in ("seed", "index", "count", "dice", "nonce", "players", "game", "svg")},
    "wall_path": "--wall",
    "committed": "--commit",
    "round_wind": "--round",
    "story": "--steps",
}
"""Options that say how to deal, by the names of their values."""

MANY: Final = 100
"""From so many deals on, arrays are worth their import."""


def run(
    told: Messages,
    *,
    verify: str | None,
    output: str | None,
    output_format: str | None,
    json: bool,
    no_header: bool,
    tiles: str,
    lang: str,
    rules: str | None,
    settings: Sequence[str] | None,
    **values: Any,
) -> int:
    """Write deals, or whether commitments hold, and return the exit code."""
    if json and output_format not in (None, "json"):
        raise UsageError(f"--json is --format json, but --format {output_format} was asked for")
    files = {"--wall": values["wall_path"], "--verify": verify, "--svg": values["svg"], "--output": output}
    for one, other in combinations(files, 2):
        if are_one_file(files[one], files[other]):
            raise UsageError(f"{one} and {other} are the same file")
    if not json and output_format is None:
        refuse_table(output, FORMATS)
    form = "json" if json else output_format or ("jsonl" if values["count"] is not None else "text")
    with Sink(output) as sink:
        options = options_said(settings or ())
        ruleset = load(rules, settings or (), needed=True)
        assert ruleset is not None
        if verify is not None:
            said = next((name for name in OF_A_DEAL if values[name] not in (None, False)), None)
            if said is not None:
                raise UsageError(f"--verify deals nothing, so {OF_A_DEAL[said]} says nothing")
            from mjcli.cli.verify import verified

            found = verified(_text_of_file(verify), ruleset, options, values["seen"] or ())
            write_verified(found, form, sink, header=not no_header)
            return 0 if all(each["holds"] for each in found) else 1
        if values["seen"]:
            raise UsageError("--seen is for --verify")
        words = words_of(lang, tiles, sink, _columns(output))
        write_deals(told, ruleset, form, sink, words, header=not no_header, options=options, **values)
    return 0


def write_deals(
    told: Messages,
    ruleset: Ruleset,
    form: str,
    sink: Sink,
    words: Words,
    *,
    header: bool,
    story: bool,
    committed: bool,
    count: int | None,
    options: Mapping[str, str],
    **values: Any,
) -> None:
    """Write one deal or ``count`` of them."""
    game, beside = _place_in_game(ruleset, values["game"], values["round_wind"])
    if options:
        beside["options"] = options
    start = values["index"]
    if game is not None:
        if count is not None or start is not None:
            raise UsageError("--game is one deal, whose number follows from the results")
        start = game.deals
    for name, value in (("--wall", values["wall_path"]), ("--svg", values["svg"]), ("--nonce", values["nonce"])):
        if value is not None and count is not None:
            raise UsageError(f"{name} is one deal, without --count")
    if values["svg"] == "-":
        raise UsageError("--svg is a file; standard output has the deal")
    if values["nonce"] is not None and not committed:
        raise UsageError("--nonce is for --commit")
    dice = None if values["dice"] is None else parse_dice(values["dice"])
    wall = None if values["wall_path"] is None else read_wall(values["wall_path"])
    seed = fresh_seed() if values["seed"] is None else parse_seed(values["seed"])

    if values["players"] is not None:
        beside |= _seated(ruleset, values["players"].split(","), seed, game)

    def text(answer: Answer) -> str:
        found, keys = answer["deal"], answer["keys"]
        return "\n".join(text_of(found, keys, words, story=story)) + ("\n" if count is not None else "")

    def rows(answer: Answer) -> Iterable[Sequence[object]]:
        return rows_of(answer["deal"], answer["keys"], words)

    writer = _writer(form, sink, text, rows, HEADS[words.language], COLUMNS, header=header)
    whole = form in ("text", "table")
    first = start or 0
    if count is not None and count >= MANY and not whole and not committed:
        from mjcli.cli.deals import PIECE, lines
        from mjcli.processes import in_order

        work = partial(lines, ruleset, seed, dice, beside, form, sink.encoding)
        pieces = ((at, min(PIECE, first + count - at)) for at in range(first, first + count, PIECE))
        for block in in_order(work, pieces, values["jobs"] or 1):
            writer.add(block)
    else:
        for index in range(first, first + (1 if count is None else count)):
            found = deal(ruleset, seed=seed, index=index, dice=dice, wall=wall)
            said = commit(found.wall.tiles, values["nonce"]).keys if committed else {}
            if committed and form != "text":
                told.note(f"deal {index}: commitment {said['commitment']}")
            keys = ordered({**answer_to(found), **beside, **said})
            if values["svg"] is not None:
                write_drawing(values["svg"], found, keys, words)
            writer.answer({"deal": found, "keys": keys} if whole else keys)
    writer.end()


def write_drawing(path: str, found: Deal, keys: Answer, words: Words) -> None:
    """Write a deal as SVG."""
    from mjcli.cli.drawing import drawing

    with Sink(path) as sink:
        sink.encoding = "utf-8"
        for line in drawing(found, words, around(keys)):
            sink.write(f"{line}\n")


def write_verified(found: Iterable[Answer], form: str, sink: Sink, *, header: bool) -> None:
    """Write which commitments hold, and why."""

    def text(answer: Answer) -> str:
        return f"{answer['commitment']} {'holds' if answer['holds'] else 'does not hold'}: {answer['reason']}"

    def rows(answer: Answer) -> Iterable[Sequence[object]]:
        yield [cell(value) for value in answer.values()]

    columns = ("commitment", "holds", "reason")
    writer = _writer(form, sink, text, rows, columns, columns, header=header)
    for each in found:
        writer.answer(each)
    writer.end()


def read_wall(path: str) -> tuple[Tile, ...]:
    """Return the tiles of a file in any notation, clockwise from E1.top; lines that start with # are skipped."""
    lines = ["" if line.startswith("#") else line for line in _text_of_file(path).splitlines() or [""]]
    try:
        return parse_tiles(" ".join(lines))
    except NotationError as error:
        number, column = 1, error.column
        while column > len(lines[number - 1]) + 1:
            column -= len(lines[number - 1]) + 1
            number += 1
        message = f"line {number} of {'standard input' if path == '-' else path}: {error.message}"
        raise NotationError(error.code, message, line=lines[number - 1], column=column, token=error.token) from None


def _text_of_file(path: str) -> str:
    if path == "-":
        if sys.stdin is None:
            raise UsageError("standard input is closed")
        raw = sys.stdin.buffer.read()
    else:
        raw = b"".join(lines_of_file(path))
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError("encoding", f"{path} is not UTF-8: {error.reason} at byte {error.start + 1}") from None


def _place_in_game(ruleset: Ruleset, results: str | None, wind: str | None) -> tuple[Rotation | None, Answer]:
    """Return where the game stands that the command line tells of, and what an answer says of it."""
    if results is None:
        rounds = ruleset.rotation is None or ruleset.rotation.rounds
        return None, {"round": wind or "E"} if wind or rounds else {}
    if wind is not None:
        raise UsageError("--game says which round it is, without --round")
    game = after_results(new_game(ruleset), results)
    if game.is_over:
        raise InputError("bad-game", f"the game is over after {game.deals} deals")
    beside = {"round": game.round.value} if game.round is not None else {}
    return game, {**beside, "origin": game.wind(0).value, "repeats": game.repeats}


def _seated(ruleset: Ruleset, names: Sequence[str], seed: int, game: Rotation | None) -> Answer:
    """Return who sits where in this deal, and how the seats were chosen."""
    rules = wall_rules(ruleset)
    names = [name.strip() for name in names]
    if len(names) != rules.players:
        message = f"{amount(len(names), 'player')}, where ruleset {ruleset.id} has {rules.players}"
        raise InputError("bad-players", message)
    way = "winds" if ruleset.rotation is None else ruleset.rotation.seats
    found = choose_seats(way, names, seed, dice=rules.throws[0])
    return seating_keys(found, 0 if game is None else game.dealer)


def _columns(output: str | None) -> int | None:
    """Return how wide the terminal is, if that is where output goes."""
    if output not in (None, "-") or not sys.stdout.isatty():
        return None
    from shutil import get_terminal_size

    return get_terminal_size().columns


def words_of(lang: str, tiles: str, sink: Sink, columns: int | None = None) -> Words:
    """Return how text is written in a language and a style of tiles that were asked for.

    Args:
        lang: the language.
        tiles: the style.
        sink: where it goes, which may not be able to print the style.
        columns: how wide the terminal is; None where lines may have any length.
    """
    return Words(LANGUAGES.index(lang), partial(_shown, style=_style(tiles, sink)), columns)


def _style(tiles: str, sink: Sink) -> str:
    """Return the style of tiles that was asked for, mpsz where the output cannot print it."""
    try:
        SAMPLES[tiles].encode(sink.encoding)
    except UnicodeEncodeError:
        return "mpsz"
    return tiles


def _shown(tiles: Iterable[Tile], style: str) -> str:
    if style == "mpsz":
        return format_tiles(tiles)
    from mjcli.notation import styles

    return styles.format_tiles(tiles, style)


def _writer(
    form: str,
    sink: Sink,
    text: Callable[[Answer], str],
    rows: Callable[[Answer], Iterable[Sequence[object]]],
    heads: Sequence[str],
    columns: Sequence[str],
    *,
    header: bool,
) -> Writer:
    if form == "table":
        return TableWriter(sink, heads, rows)
    kinds = {"text": Writer, "json": JsonWriter, "jsonl": JsonLinesWriter, "csv": CsvWriter, "tsv": TsvWriter}
    return kinds[form](sink, columns, text, header=header)


def _chance() -> Iterator[Any]:
    group = "Chance"
    yield seed_option()
    yield option(
        "--index",
        metavar="N",
        about="The number of the deal of this seed; default 0.",
        group=group,
        type=whole_number(0),
    )
    yield option("--count", metavar="N", about="So many deals, as JSON Lines.", group=group, type=whole_number(1))
    yield option(
        "--jobs",
        "-j",
        metavar="N",
        about="Make the deals of --count in N processes; default 1.",
        group=group,
        type=whole_number(1),
    )
    yield option("--dice", metavar="FACES", about="The dice of each throw, such as 233,452.", group=group)
    yield option(
        "wall_path",
        "--wall",
        metavar="FILE",
        about="The tiles of the wall: E's side from his right end, top before bottom, then clockwise N, W, S.",
        group=group,
    )
    yield flag(
        "committed",
        "--commit",
        about="Print a digest of the wall first (to standard error, if not as text), and what it is of after.",
        group=group,
    )
    yield option(
        "--nonce", metavar="HEX", about="The nonce of --commit, to make a commitment again; one is drawn.", group=group
    )
    yield option(
        "--verify",
        metavar="FILE",
        about="Check an output of --commit: digest, wall, and of JSON all that follows from them; deal nothing.",
        group=group,
    )
    yield option(
        "--seen",
        metavar="DIGEST",
        about="For --verify: the digest that was shown before the deal; may be repeated.",
        group=group,
        multiple=True,
    )


def _game() -> Iterator[Any]:
    group = "Game"
    yield choice(
        "round_wind", "--round", values=[seat.value for seat in Seat], about="The round wind; default E.", group=group
    )
    yield option(
        "--players",
        metavar="NAMES",
        about="Names such as Ann,Bo,Cy,Di, who draw seats, or throw for the first deal, as the ruleset says.",
        group=group,
    )
    yield option(
        "--game",
        metavar="RESULTS",
        about="The next deal of a game: winds of the winners of each deal so far, or draw, as in 'E SW draw'; "
        "draw=W says who drew the last tile, or draw=EW who was ready, where that matters; '' is the first deal. It "
        "shows the round, and who began the game.",
        group=group,
    )


command = Command(
    "deal",
    summary="Build, break and deal the wall of a ruleset.",
    details="A picture of the table from above, E below, with the hands after flowers are replaced. Seats are the "
    "winds of this deal, so the dealer is E.",
    examples=(
        ("mjcli deal --seed 1", "the same deal everywhere"),
        ("mjcli deal --seed 1 --steps --dice 233,452", "as a story, with these dice"),
        ("mjcli deal --seed 1 --count 1000 -o deals.jsonl", "for programs"),
        ("mjcli deal --seed 1 --game 'E SW draw'", "the fourth deal of a game"),
    ),
    params=[
        *_chance(),
        *_game(),
        option("--svg", metavar="FILE", about="Draw the table too.", group="Output"),
        flag("story", "--steps", about="Text as a story, one line a step.", group="Output"),
        *output_options(),
        *rules_options(),
    ],
    run=run,
)
