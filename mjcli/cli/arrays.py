"""Blocks answered in arrays: the hands that ``mjcli.batch`` can read, the rest one by one, all in their order.

What it writes is byte for byte what is written one by one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjcli.batch.answers import (
    acceptance_of,
    discards_of,
    forms_shanten_of,
    number_of_tiles,
    played,
    shanten_of,
    waits_of,
    won_on,
)
from mjcli.batch.contexts import UNSAID
from mjcli.batch.distance import IMPOSSIBLE, least_shanten
from mjcli.batch.hands import birds_as_jokers, hands_of
from mjcli.batch.reading import Lines, read_lines
from mjcli.batch.writing import (
    merged,
    words_of,
    write_acceptance,
    write_conversion_objects,
    write_conversion_rows,
    write_conversions,
    write_discards,
    write_hands,
    write_shanten,
    write_shanten_objects,
    write_shanten_rows,
    write_waits,
)
from mjcli.cli.blocks import Block
from mjcli.cli.forms import counted_forms, shown_forms
from mjcli.cli.rewriting import Rewritten, rewriter
from mjcli.cli.sink import Buffer, is_utf8
from mjcli.cli.work import Answered
from mjcli.errors import InputError
from mjcli.forms import DEFAULT_FORMS
from mjcli.hand import ASSUMED_ROUND, ASSUMED_SEAT
from mjcli.suits import MOST_SETS
from mjcli.tiles import DEFAULT_SET, JOKER_KIND, TILES

if TYPE_CHECKING:
    from mjcli.batch.draws import Waiting
    from mjcli.batch.hands import Hands
    from mjcli.cli.output import Answer
    from mjcli.cli.scored import ScoreLines
    from mjcli.cli.work import Bad, Task, Worker
    from mjcli.ruleset.ruleset import Ruleset
    from mjcli.tiles import TileSet

__all__ = ["array_answers"]


class Written(NamedTuple):
    """The lines of the hands of a block."""

    output: bytes
    refused: int = 0
    """How many of these answers are a no."""
    left: Sequence[int] = ()
    """The hands, by their places among those that were taken, that have no line and are for the one-hand path."""


Write = Callable[[Lines], Written | bytes | None]
"""Returns a line for each hand that was taken; None if that cannot be done for these hands."""

_PART: Final = 1 << 9
"""The discards of so many hands at once are held as objects."""

_BEYOND_ASCII: Final = re.compile(r"[^\x00-\x7f]+")

NAMES: Final = tuple(map(str, TILES))


def array_answers(worker: Worker) -> Callable[[Block], Answered] | None:
    """Return what answers a block for a worker in arrays; None if there is no such way to do its task."""
    request, task = worker.request, worker.task
    ways = {"shanten": _shanten, "waits": _waits, "discards": _discards, "convert": _convert, "score": _score}
    way = ways.get(task.command)
    if way is None or not request.is_plain:
        return None
    if NAMES[0].encode(task.encoding) != NAMES[0].encode() or (task.others.kept and task.form == "table"):
        return None
    rewrite = None if task.given == "lines" else rewriter(task, request.words)
    write = None if rewrite is None and task.given != "lines" else way(worker)
    return None if write is None else lambda block: _answer(worker, block, rewrite, write)


def _answer(worker: Worker, block: Block, rewrite: Callable[[bytes], Rewritten] | None, write: Write) -> Answered:
    if block.cut:
        return worker.answer_one_by_one(block)
    given = Rewritten(block.data) if rewrite is None else rewrite(block.data)
    lines = read_lines(given.data, won=worker.command.won)
    written = write(lines)
    if written is None:
        return worker.answer_one_by_one(block)
    output, refused, left = written if isinstance(written, Written) else Written(written)
    in_arrays = lines.taken.copy()
    in_arrays[np.flatnonzero(in_arrays)[list(left)]] = False
    if given.kept:
        kept = [given.kept[number] for number in lines.number[in_arrays].tolist()]
        output = _carrying(worker, kept, output)
    rest = np.flatnonzero(~in_arrays)
    taken = len(in_arrays) - len(rest)
    if not len(rest):
        return Answered(output, (), taken, refused, taken)
    ends = np.flatnonzero(np.frombuffer(output, np.uint8) == ord("\n")) + 1
    cuts = np.concatenate((np.zeros(1, np.intp), ends))[in_arrays.cumsum()[rest]].tolist()
    whole = bytearray()
    bad: list[Bad] = []
    answered, at = taken, 0
    starts = (lines.start if rewrite is None else _starts(block.data)[lines.number])[rest]
    pieces = []
    for number, start in zip(lines.number[rest].tolist(), starts.tolist(), strict=True):
        end = block.data.find(b"\n", start) + 1 or len(block.data)
        pieces.append(Block(block.data[start:end], block.number + number, block.place + start))
    scored: dict[int, bytes] = {}
    more_refused = 0
    if isinstance(write, _Scores) and not worker.task.others.kept:
        scored, more_refused = write.of_pieces(worker, pieces)
    answered, refused, taken = answered + len(scored), refused + more_refused, taken + len(scored)
    for place, (cut, piece) in enumerate(zip(cuts, pieces, strict=True)):
        whole += output[at:cut]
        at = cut
        if place in scored:
            whole += scored[place]
            continue
        one = worker.answer_one_by_one(piece)
        bad += [each._replace(start=each.start + len(whole)) for each in one.bad]
        whole += one.output
        answered += one.answered
        refused += one.refused
    return Answered(bytes(whole + output[at:]), tuple(bad), answered, refused, taken)


def _carrying(worker: Worker, kept: Sequence[Mapping[str, Any]], output: bytes) -> bytes:
    """Return the lines of hands with what is carried through from each."""
    carrying = worker.block_writer(Buffer(worker.task.encoding)).carrying
    return b"".join(map(carrying, kept, output.splitlines(keepends=True)))


def _starts(data: bytes) -> NDArray[np.intp]:
    """Return where each line starts, and where one would start after the last."""
    ends = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n"))
    return np.concatenate((np.zeros(1, np.intp), ends + 1))


def _of_hands(worker: Worker, write: Callable[[Hands], bytes]) -> Write:
    """Return what writes the answers of hands; those that the ruleset may refuse are for the one-hand path."""
    ruleset = worker.task.ruleset
    if ruleset is None:
        return lambda lines: write(lines.hands)

    def write_some(lines: Lines) -> Written:
        hands = birds_as_jokers(lines.hands, ruleset.tiles.bird)
        is_played = played(hands, ruleset)
        if is_played.all():
            return Written(write(hands))
        return Written(write(hands.take(np.flatnonzero(is_played))), left=np.flatnonzero(~is_played).tolist())

    return write_some


def _set_of(worker: Worker) -> TileSet | None:
    """Return the set of tiles that is drawn from; None for four of each suit tile and honour, which takes less time."""
    ruleset = worker.task.ruleset
    usual = (*DEFAULT_SET.copies[:JOKER_KIND], 0)
    return None if ruleset is None or ruleset.tiles.copies[: JOKER_KIND + 1] == usual else ruleset.tiles


def _shanten(worker: Worker) -> Write | None:
    request, form = worker.request, worker.task.form
    counted = counted_forms(request)
    shown = shown_forms(request, counted)
    if form == "text" and counted == DEFAULT_FORMS and worker.task.ruleset is None:
        return lambda lines: write_shanten(least_shanten(lines.suits()))
    if form == "text":
        return _of_hands(worker, lambda hands: write_shanten(shanten_of(hands, counted)))
    if form == "table":
        return _one_by_one(worker, lambda hands: _shanten_answers(hands, worker))

    def write(hands: Hands) -> bytes:
        found = shanten_of(hands, counted), forms_shanten_of(hands, shown)
        if form in ("csv", "tsv"):
            return write_shanten_rows(hands, *found, "," if form == "csv" else "\t")
        return write_shanten_objects(hands, *found)

    return _of_hands(worker, write)


def _shanten_answers(hands: Hands, worker: Worker) -> Iterator[Answer]:
    counted = counted_forms(worker.request)
    shown = shown_forms(worker.request, counted)
    found = {form: _known(column) for form, column in forms_shanten_of(hands, shown).items()}
    for row, shanten in enumerate(_known(shanten_of(hands, counted))):
        yield {"shanten": shanten, "forms": {form: column[row] for form, column in found.items()}}


def _known(shanten: NDArray[np.int8]) -> list[int | None]:
    return [None if number == IMPOSSIBLE else number for number in shanten.tolist()]


def _waits(worker: Worker) -> Write | None:
    forms, tiles = counted_forms(worker.request), _set_of(worker)
    if worker.task.form == "text" and worker.request.style == "mpsz":
        return _of_hands(worker, lambda hands: write_waits(waits_of(hands, forms, tiles).left))
    if worker.task.ruleset is not None:
        return _valued_waits(worker, worker.task.ruleset)
    return _one_by_one(worker, lambda hands: _waits_answers(waits_of(hands, forms)))


def _waits_answers(found: Waiting) -> Iterator[Answer]:
    dead: list[list[str]] = [[] for _ in range(len(found.dead))]
    for row, kind in zip(*(column.tolist() for column in found.dead.nonzero()), strict=True):
        dead[row].append(NAMES[kind])
    for live, gone in zip(_draws(found.left), dead, strict=True):
        yield {"waits": live, "dead": gone}


def _valued_waits(worker: Worker, ruleset: Ruleset) -> Write | None:
    """Return what writes the waits of hands with what winning on each tile is worth; None if arrays cannot say that.

    Hands of which more is said than winds and tiles seen are for the one-hand path, since that may contradict a win;
    hands that wait for a five of which perhaps red ones alone are left are so too, since arrays know seen kinds only.
    """
    from mjcli.batch.scores import Scorer
    from mjcli.cli.waits import NO_VALUE

    forms, tiles = counted_forms(worker.request), _set_of(worker)
    reds = np.array([ruleset.tiles.reds_of(kind) for kind in range(JOKER_KIND + 1)])
    try:
        scorer = Scorer(ruleset)
    except OverflowError:
        return None

    def write(lines: Lines) -> Written:
        hands = birds_as_jokers(lines.hands, ruleset.tiles.bird)
        some = np.flatnonzero(played(hands, ruleset) & ~_speaks(hands, ("seat", "round", "seen")))
        hands = hands.take(some)
        found = waits_of(hands, forms, tiles)
        row, kind = found.left.nonzero()
        is_whole = number_of_tiles(hands) // 3 == MOST_SETS
        valued = is_whole[row]
        scores = scorer.score(won_on(hands, row[valued], kind[valued]))
        refused = [place for place, answer in scores.one_by_one.items() if isinstance(answer, InputError)]
        sound = np.all((found.left == 0) | (found.left > reds[: found.left.shape[1]]), axis=1)
        sound[row[valued][refused]] = False
        said = [hands.context.get(word, np.zeros(len(hands), np.uint8)).tolist() for word in ("seat", "round")]
        values = zip(scores.fan.tolist(), scores.points.tolist(), scores.can_win.tolist(), strict=True)

        def answers() -> Iterator[Answer]:
            for place, answer in enumerate(_waits_answers(found)):
                for wait in answer["waits"]:
                    wait |= dict(zip(NO_VALUE, next(values), strict=True)) if is_whole[place] else NO_VALUE
                winds = zip(said, (("seat", ASSUMED_SEAT), ("round", ASSUMED_ROUND)), strict=True)
                assumed = {word: wind.value for column, (word, wind) in winds if not column[place]}
                if sound[place]:
                    yield {
                        **({"assumed": assumed} if assumed and answer["waits"] and is_whole[place] else {}),
                        **answer,
                    }

        left = np.delete(np.arange(len(lines.hands)), some[sound]).tolist()
        return Written(_written(worker, hands.take(np.flatnonzero(sound)), answers()), left=left)

    return write


def _speaks(hands: Hands, of: Collection[str]) -> NDArray[np.bool_]:
    """Return bool[hands]: whether more is said of each hand than by the words ``of``."""
    found = np.zeros(len(hands), np.bool_)
    for name, column in hands.context.items():
        if name not in of:
            found |= (column != UNSAID.get(name, 0)).any(axis=tuple(range(1, column.ndim)))
    return found


def _discards(worker: Worker) -> Write | None:
    forms, tiles = counted_forms(worker.request), _set_of(worker)

    def write(hands: Hands) -> bytes:
        full = number_of_tiles(hands) % 3 == 2
        ranked = write_discards(discards_of(hands.take(np.flatnonzero(full)), forms, tiles))
        if full.all():
            return ranked
        waiting = write_acceptance(acceptance_of(hands.take(np.flatnonzero(~full)), forms, tiles))
        return merged(ranked, full, waiting.splitlines(keepends=True))

    def answers(hands: Hands) -> Iterator[Answer]:
        full = number_of_tiles(hands) % 3 == 2
        ranked = discards_of(hands.take(np.flatnonzero(full)), forms, tiles)
        choices: list[list[Answer]] = [[] for _ in range(int(full.sum()))]
        columns = (ranked.hand.tolist(), ranked.key.tolist(), ranked.shanten.tolist(), _draws(ranked.left))
        for hand, key, shanten, accepts in zip(*columns, strict=True):
            choices[hand].append({"tile": _name(key), "shanten": shanten, **_accepted(accepts)})
        waiting = map(_accepted, _draws(acceptance_of(hands.take(np.flatnonzero(~full)), forms, tiles).left))
        of_full = iter(choices)
        for is_full, shanten in zip(full.tolist(), _known(shanten_of(hands, forms)), strict=True):
            yield (
                {"shanten": shanten, "discards": next(of_full)}
                if is_full
                else {
                    "shanten": shanten,
                    "discards": [],
                    **next(waiting),
                }
            )

    def all_answers(hands: Hands) -> Iterator[Answer]:
        for start in range(0, len(hands), _PART):
            yield from answers(hands.take(slice(start, start + _PART)))

    if worker.task.form == "text" and worker.request.style == "mpsz":
        return _of_hands(worker, write)
    return _one_by_one(worker, all_answers)


def _convert(worker: Worker) -> Write | None:
    form, style = worker.task.form, worker.request.own["to"] or worker.request.style
    if style != "mpsz":
        return None
    if form == "table":
        return _one_by_one(worker, _conversions)
    if form == "text":
        return _of_hands(worker, write_conversions)
    if form in ("csv", "tsv"):
        return _of_hands(worker, lambda hands: write_conversion_rows(hands, "," if form == "csv" else "\t"))
    return _of_hands(worker, write_conversion_objects)


def _conversions(hands: Hands) -> Iterator[Answer]:
    texts, like = words_of(hands)
    for words, hand in zip(like.tolist(), write_hands(hands).decode().split("\n"), strict=False):
        yield {"words": texts[words], "text": hand}


def _score(worker: Worker) -> Write | None:
    request, task, ruleset = worker.request, worker.task, worker.task.ruleset
    if ruleset is None or request.style != "mpsz" or request.own["explain"]:
        return None
    from mjcli.cli.itemised import FORMATS
    from mjcli.cli.scored import ScoreLines

    if task.form not in ("text", *FORMATS):
        return None
    try:
        written = ScoreLines(ruleset, task.form, request)
    except OverflowError:
        return None

    return _Scores(written, task)


class _Scores:
    """Writes the scores of hands."""

    def __init__(self, written: ScoreLines, task: Task) -> None:
        self._written, self._task = written, task

    def __call__(self, lines: Lines) -> Written:
        return self._of_hands(lines.hands)

    def of_pieces(self, worker: Worker, pieces: Sequence[Block]) -> tuple[dict[int, bytes], int]:
        """Return the rows of lines that only the notation reads, each by its place, and how many of them are a no.

        Those without a row are for the one-hand path.
        """
        found = {}
        for place, piece in enumerate(pieces):
            for entry in worker.entries(piece):
                with suppress(InputError):
                    found[place] = worker.request.line(entry)
        if not found:
            return {}, 0
        output, refused, left = self._of_hands(hands_of(list(found.values())))
        places = np.delete(np.array(list(found)), list(left)).tolist()
        return dict(zip(places, (row + b"\n" for row in output.split(b"\n")), strict=False)), refused

    def _of_hands(self, hands: Hands) -> Written:
        scores = self._written.scorer.score(hands)
        left = list(scores.one_by_one)
        refused = np.delete(~scores.can_win, left)
        output = _encoded(self._written.lines(hands, scores).content, self._task)
        return Written(output, int(refused.sum()), left)


def _encoded(output: bytes, task: Task) -> bytes:
    """Return lines of UTF-8 in the encoding of a task: what it cannot print becomes an escape, in JSON as ever."""
    if is_utf8(task.encoding) or output.isascii():
        return output
    text = output.decode()
    if task.form in ("json", "jsonl"):
        return _BEYOND_ASCII.sub(lambda found: json.dumps(found[0])[1:-1], text).encode()
    return text.encode(task.encoding, "backslashreplace")


def _one_by_one(worker: Worker, answers: Callable[[Hands], Iterator[Answer]]) -> Write:
    """Return what writes the answers of hands as any format has them."""
    return _of_hands(worker, lambda hands: _written(worker, hands, answers(hands)))


def _written(worker: Worker, hands: Hands, answers: Iterable[Answer]) -> bytes:
    """Return the answers of hands as any format has them."""
    buffer = Buffer(worker.task.encoding)
    writer = worker.command.writer(worker.task.form, buffer, worker.request, block=True)
    texts = write_hands(hands).decode().split("\n")
    assumed = (MOST_SETS - number_of_tiles(hands) // 3).tolist()
    for text, sets, answer in zip(texts, assumed, answers, strict=False):
        writer.answer({"hand": text, **({"melds_assumed": sets} if sets else {}), **answer})
    return bytes(buffer.data)


def _draws(left: NDArray[np.uint8]) -> list[list[dict[str, Any]]]:
    """Return for each row its tiles with the copies left."""
    found: list[list[dict[str, Any]]] = [[] for _ in range(len(left))]
    rows, kinds = left.nonzero()
    for row, kind, copies in zip(rows.tolist(), kinds.tolist(), left[rows, kinds].tolist(), strict=True):
        found[row].append({"tile": NAMES[kind], "left": copies})
    return found


def _accepted(accepts: list[dict[str, Any]]) -> Answer:
    return {"accepts": accepts, "kinds": len(accepts), "copies": sum(each["left"] for each in accepts)}


def _name(key: int) -> str:
    """Return a tile by its key, ``Tile.order``."""
    return NAMES[key >> 1] if key & 1 else f"0{NAMES[key >> 1][1]}"
