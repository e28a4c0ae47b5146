"""``mjcli deal``: wall, dice, break, deal and flowers of a ruleset, as a picture, a story or an object."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from mjcli.chance import fresh_seed, parse_seed
from mjcli.cli.command import Command, choice, flag, option, seed_option, whole_number
from mjcli.cli.hands import output_options, rules_options
from mjcli.cli.messages import UsageError
from mjcli.cli.output import Answer, CsvWriter, JsonLinesWriter, JsonWriter, Sink, TableWriter, TsvWriter, Writer
from mjcli.cli.request import LANGUAGES, SAMPLES, load
from mjcli.cli.table import Around, Words, picture, steps
from mjcli.commitment import commit, parse_commitments
from mjcli.dealing import Deal, deal, parse_dice, wall_rules
from mjcli.errors import InputError
from mjcli.melds import Seat
from mjcli.notation import format_tiles, parse_tiles
from mjcli.rotation import Rotation, after_results, new_game
from mjcli.seating import seating_by_dice, seating_by_winds

if TYPE_CHECKING:
    from mjcli.cli.messages import Messages
    from mjcli.ruleset import Ruleset
    from mjcli.tiles import Tile

__all__ = ["command"]

COLUMNS: Final = (
    "ruleset",
    "seed",
    "index",
    "dealer",
    "dice",
    "opener",
    "skip",
    "taken",
    "dealt",
    "hands",
    "bonus",
    "next",
    "wall",
    "rng",
    "round",
    "origin",
    "repeats",
    "players",
    "seating",
    "replaced",
    "tail",
    "dead_wall",
    "indicator",
    "commitment",
    "nonce",
    "stacked",
)
"""The keys of an answer, in the order of the contract."""

MANY: Final = 100
"""From so many deals on, arrays are worth their import."""

HEADS: Final = (
    ("deal", "seat", "taken", "dealt", "hand", "bonus"),
    ("局", "位", "取牌", "起手", "手牌", "花"),
    ("局", "位", "取牌", "起手", "手牌", "花"),
)


def answer_to(found: Deal) -> Answer:
    """Return a deal as an object."""
    seats = found.wall.sides.seats
    taken: dict[str, list[str]] = {seat.value: [] for seat in seats}
    replaced: dict[str, list[str]] = {seat.value: [] for seat in seats}
    for take in found.takes:
        taken[take.seat.value] += take.names
    for step in found.replacements:
        replaced[step.seat.value] += [str(each.place) for each in step.drawn]
    wall = found.wall
    answer = {
        "ruleset": found.ruleset,
        "seed": found.seed,
        "index": found.index,
        "dealer": seats[0].value,
        "dice": [list(throw.dice) for throw in found.throws],
        "opener": found.opener.value,
        "skip": found.skip,
        "taken": taken,
        "dealt": {seat.value: format_tiles(tiles) for seat, tiles in found.dealt.items()},
        "hands": {seat.value: format_tiles(tiles) for seat, tiles in found.hands.items()},
        "bonus": {seat.value: format_tiles(tiles) for seat, tiles in found.bonus.items()},
        "replaced": replaced,
        "next": wall.next and str(wall.next),
        "tail": wall.tail and str(wall.tail),
        "wall": [str(each.tile) for each in wall.rest],
        "rng": found.rng,
    }
    if wall.dead:
        answer["dead_wall"] = [str(each.tile) for each in wall.kept_back]
    if found.indicator is not None:
        answer["indicator"] = str(found.indicator.tile)
    return answer


def text_of(found: Deal, answer: Answer, words: Words, *, story: bool) -> Iterator[str]:
    """Yield the lines of a deal as a picture or as a story.

    Args:
        found: the deal.
        answer: the same as an object, with what belongs to its game and to its commitment.
        words: how text is written.
        story: whether it is a story.
    """
    yield found.ruleset if found.seed is None else f"{found.ruleset}, seed {found.seed}, deal {found.index}"
    if "commitment" in answer:
        yield f"commitment: {answer['commitment']}"
    yield from (steps if story else picture)(found, words, _around(answer))
    for key in ("nonce", "stacked"):
        if key in answer:
            yield f"{key}: {answer[key]}"


def rows_of(found: Deal, answer: Answer, words: Words) -> Iterator[Sequence[object]]:
    """Yield the rows of a deal in a table, one for each seat."""
    for seat in found.hands:
        held = (words.tiles(tiles[seat]) for tiles in (found.dealt, found.hands, found.bonus))
        yield found.index, words.seat(seat), " ".join(answer["taken"][seat.value]), *held


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
    del told
    if json and output_format not in (None, "json"):
        raise UsageError(f"--json is --format json, but --format {output_format} was asked for")
    form = "json" if json else output_format or ("jsonl" if values["count"] is not None else "text")
    sink = Sink(output)
    try:
        if verify is not None:
            code = write_verified(verify, form, sink, header=not no_header)
        else:
            ruleset = load(rules, settings or (), needed=True)
            assert ruleset is not None
            words = Words(LANGUAGES.index(lang), partial(_shown, style=_style(tiles, sink)))
            write_deals(ruleset, form, sink, words, header=not no_header, **values)
            code = 0
    except BaseException:
        sink.close(whole=False)
        raise
    sink.close(whole=True)
    return code


def write_deals(
    ruleset: Ruleset,
    form: str,
    sink: Sink,
    words: Words,
    *,
    header: bool,
    story: bool,
    committed: bool,
    count: int | None,
    **values: Any,
) -> None:
    """Write one deal or ``count`` of them."""
    game, beside = _place_in_game(ruleset, values["game"], values["round_wind"])
    start = values["index"]
    if game is not None:
        if count is not None or start is not None:
            raise UsageError("--game is one deal, whose number follows from the results")
        start = game.deals
    for name, value in (("--wall", values["wall_path"]), ("--svg", values["svg"])):
        if value is not None and count is not None:
            raise UsageError(f"{name} is one deal, without --count")
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
        from mjcli.cli.deals import answers

        for answer in answers(ruleset, seed, count, start=first, dice=dice):
            writer.answer(_ordered({**answer, **beside}))
    else:
        for index in range(first, first + (1 if count is None else count)):
            found = deal(ruleset, seed=seed, index=index, dice=dice, wall=wall)
            said = commit(found.wall.tiles)._asdict() if committed else {}
            keys = _ordered({**answer_to(found), **beside, **said})
            writer.answer({"deal": found, "keys": keys} if whole else keys)
            if values["svg"] is not None:
                write_drawing(values["svg"], found, keys, words)
    writer.end()


def write_drawing(path: str, found: Deal, keys: Answer, words: Words) -> None:
    """Write a deal as SVG."""
    from mjcli.cli.drawing import drawing

    sink = Sink(path)
    sink.encoding = "utf-8"
    try:
        for line in drawing(found, words, _around(keys)):
            sink.write(f"{line}\n")
    except BaseException:
        sink.close(whole=False)
        raise
    sink.close(whole=True)


def _around(keys: Answer) -> Around:
    """Return what an object says of its game and its players."""
    return Around(
        Seat(keys["round"]) if "round" in keys else None,
        Seat(keys["origin"]) if "origin" in keys else None,
        {Seat(seat): name for seat, name in keys.get("players", {}).items()},
        [(name, Seat(drawn) if isinstance(drawn, str) else tuple(drawn)) for name, drawn in keys.get("seating", ())],
    )


def _ordered(answer: Answer) -> Answer:
    return {key: answer[key] for key in COLUMNS if key in answer}


def write_verified(path: str, form: str, sink: Sink, *, header: bool) -> int:
    """Write whether the commitments in a file hold, and return the exit code."""
    words = {True: "holds: this is the wall that was committed to", False: "does not hold: this is another wall"}
    columns = ("commitment", "holds")
    writer = _writer(
        form,
        sink,
        lambda answer: f"{answer['commitment']} {words[answer['holds']]}",
        lambda answer: [(answer["commitment"], str(answer["holds"]).lower())],
        columns,
        columns,
        header=header,
    )
    found = parse_commitments(_text_of_file(path))
    for each in found:
        writer.answer({"commitment": each.commitment, "holds": each.holds})
    writer.end()
    return 0 if all(each.holds for each in found) else 1


def read_wall(path: str) -> tuple[Tile, ...]:
    """Return the tiles of a file in any notation, clockwise from E1.top; lines that start with # are skipped."""
    lines = _text_of_file(path).splitlines()
    return parse_tiles(" ".join(line for line in lines if not line.startswith("#")))


def _text_of_file(path: str) -> str:
    if path == "-":
        if sys.stdin is None:
            raise UsageError("standard input is closed")
        raw = sys.stdin.buffer.read()
    else:
        raw = Path(path).read_bytes()
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
        raise InputError("bad-players", f"{len(names)} players, where ruleset {ruleset.id} has {rules.players}")
    by_dice = ruleset.rotation is not None and ruleset.rotation.seats == "highest_throw"
    found = (seating_by_dice if by_dice else seating_by_winds)(names, seed)
    dealer = 0 if game is None else game.dealer
    return {
        "players": {seat.value: found.seats[(dealer + seat.number) % len(names)] for seat in tuple(Seat)[: len(names)]},
        "seating": [[name, drawn.value if isinstance(drawn, Seat) else list(drawn)] for name, drawn in found.steps],
    }


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
        about="Print a digest of the wall before the deal, and what it is of after.",
        group=group,
    )
    yield option(
        "--verify", metavar="FILE", about="Check the digests of an output of --commit; deal nothing.", group=group
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
        "draw=W says who drew the last tile.",
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
