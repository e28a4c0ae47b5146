"""Scores in arrays are those of one hand after another, in every field and under every ruleset, byte for byte."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np
import pytest
from numpy.typing import NDArray

from mjcli.batch import score as score_many
from mjcli.batch.columns import won_kinds
from mjcli.batch.hands import Hands, hands_of
from mjcli.batch.jokers import Filled, best_stand_ins
from mjcli.batch.scores import CHUNK, Scorer, Scores
from mjcli.cli.output import CsvWriter, JsonLinesWriter, TsvWriter, Writer
from mjcli.cli.request import Request
from mjcli.cli.score import command, prepare
from mjcli.cli.scored import ScoreLines
from mjcli.cli.sink import Sink
from mjcli.errors import InputError
from mjcli.hand import Line
from mjcli.notation import format_hand, format_line, parse_line
from mjcli.ruleset import Ruleset, load_ruleset, ruleset_names
from mjcli.scoring import Score
from mjcli.tiles import JOKER_KIND, PLAIN_KINDS, TILES, Tile, tile
from tests.plain import random_win
from tests.random_guangdong import OPTION_SETS
from tests.rulesets import small_ruleset
from tests.scored_hands import Answer, answer_to, differences, joker_line, random_answers
from tests.test_arrays import EXTRA

RULESETS: Final = ruleset_names()
OPTIONS: Final[Sequence[tuple[str, Mapping[str, str]]]] = (
    *(("guangdong-xinzhang", {key: str(value).lower() for key, value in changes.items()}) for changes in OPTION_SETS),
    ("jipinghu", {"cap": "none", "stack_base": "true", "kong_fan": "true", "concealed_fan": "true"}),
    ("jipinghu", {"liability_conflict": "first", "minimum_fan": "3"}),
    ("riichi", {"double_wind_pair_fu": "2", "round_up_mangan": "true", "double_yakuman": "false"}),
    ("malaysia-3p", {"four_jokers_win": "true", "minimum_fan": "1", "heads": "clowns", "suit": "characters"}),
    ("malaysia-3p", {"cap": "3", "liability": "off"}),
)


@cache
def ruleset_of(name: str, options: tuple[tuple[str, str], ...] = ()) -> Ruleset:
    return load_ruleset(name, dict(options), cache=False)


@cache
def scored(
    count: int, name: str, options: tuple[tuple[str, str], ...] = ()
) -> tuple[Sequence[Line], Sequence[Answer], Ruleset]:
    """Return random lines and their answers under a ruleset."""
    ruleset = ruleset_of(name, options)
    found = list(random_answers(Random(f"{name} {options}"), count, EXTRA.get(name, {}), ruleset))
    return [line for line, _ in found], [answer for _, answer in found], ruleset


def assert_same(
    hands: Hands, scores: Scores, lines: Sequence[Line], expected: Sequence[Answer], ruleset: Ruleset
) -> None:
    assert len(hands) == len(lines) == len(scores.form)
    paid = scores.payments()
    for row, (line, wanted) in enumerate(zip(lines, expected, strict=True)):
        single = scores.one_by_one.get(row)
        if isinstance(wanted, InputError):
            assert repr(single) == repr(wanted), format_line(line)
            continue
        if single is not None:
            assert isinstance(single, Score)
            assert replace(single, line=wanted.line) == wanted
        assert not differences(scores, paid, row, ruleset, wanted), format_line(line)


@pytest.mark.parametrize("count", [400, pytest.param(200_000, marks=pytest.mark.longest)])
@pytest.mark.parametrize("name", RULESETS)
def test_equal_to_one_by_one(name: str, count: int) -> None:
    lines, expected, ruleset = scored(count, name)
    hands = hands_of(lines)
    scores = score_many(hands, ruleset)
    assert_same(hands, scores, lines, expected, ruleset)
    natural = [row for row, answer in enumerate(expected) if isinstance(answer, Score)]
    left = [row for row in natural if row in scores.one_by_one]
    assert len(left) < len(natural) / 50, "arrays take nearly all hands that can be scored"
    assert len({scores.form[row].item() for row in natural}) >= min(3, len(ruleset.forms))
    assert (scores.liable >= 0).any() or not ruleset.liability
    assert (scores.owing >= 0).any() == ruleset.program.liable_apart
    assert (scores.jokers >= 0).any() == bool(ruleset.tiles.copies[JOKER_KIND])


@pytest.mark.parametrize("count", [25, pytest.param(20_000, marks=pytest.mark.longest)])
@pytest.mark.parametrize(("name", "options"), OPTIONS, ids=str)
def test_equal_under_options(name: str, options: Mapping[str, str], count: int) -> None:
    lines, expected, ruleset = scored(count, name, tuple(options.items()))
    hands = hands_of(lines)
    assert_same(hands, score_many(hands, ruleset), lines, expected, ruleset)


@pytest.mark.parametrize("count", [80, pytest.param(5_000, marks=pytest.mark.longest)])
@pytest.mark.parametrize("name", ["guangdong-xinzhang", "hongkong", "mcr", "riichi", "malaysia-3p"])
@pytest.mark.parametrize(
    ("form", "lang", "kind"),
    [
        ("text", "en", Writer),
        ("text", "zh-Hant", Writer),
        ("tsv", "en", TsvWriter),
        ("csv", "zh-Hans", CsvWriter),
        ("jsonl", "zh-Hant", JsonLinesWriter),
    ],
)
def test_lines_are_the_same_bytes(
    name: str, form: str, lang: str, kind: type[Writer], count: int, tmp_path: Path
) -> None:
    lines, _, ruleset = scored(count, name)
    assert_lines_same(lines, ruleset, form, lang, kind, tmp_path, false_win=name == "hongkong")


def assert_lines_same(
    lines: Sequence[Line],
    ruleset: Ruleset,
    form: str,
    lang: str,
    kind: type[Writer],
    folder: Path,
    *,
    false_win: bool = False,
) -> None:
    request = request_of(ruleset, lang, false_win=false_win)
    written = ScoreLines(ruleset, form, request)
    hands = hands_of(lines)
    scores = written.scorer.score(hands)
    found = list(written.lines(hands, scores))
    for row in scores.one_by_one:
        assert found[row] == b""
    taken = [row for row in range(len(lines)) if row not in scores.one_by_one]
    assert len(taken) > len(lines) * 0.8
    path = folder / "answers"
    with Sink(str(path)) as sink:
        writer = kind(sink, command.columns, lambda answer: command.text(answer, request), header=False)
        answer_to = prepare(request)
        for row in taken:
            answer = {"hand": format_hand(lines[row].hand), **answer_to(lines[row])}
            writer.answer({key: answer[key] for key in command.columns if key in answer})
    assert b"".join(found).splitlines() == path.read_bytes().splitlines()


def in_place_of_jokers(line: Line, bird: Tile) -> Line:
    """Return a line with other tiles in place of its jokers, as it is read without regard to who plays so."""
    hand = line.hand
    win, last = (bird if each is not None and each.is_joker else each for each in (hand.win, hand.last))
    concealed = tuple(bird if each.is_joker else each for each in hand.concealed)
    return replace(line, hand=replace(hand, concealed=concealed, win=win, last=last))


def test_birds_are_jokers_where_they_are_played_so(tmp_path: Path) -> None:
    ruleset = ruleset_of("malaysia-3p", (("joker_tile", "1s"),))
    rng = Random("birds")
    lines = [in_place_of_jokers(joker_line(rng, ruleset), tile("1s")) for _ in range(60)]
    lines.append(parse_line("1f112233p1s1s123p55z+5z seen=1s"))
    expected = [answer_to(line, ruleset) for line in lines]
    hands = hands_of(lines)
    assert hands.counts[:, tile("1s").kind].max() > 1
    assert_same(hands, score_many(hands, ruleset), lines, expected, ruleset)
    assert_lines_same(lines, ruleset, "jsonl", "en", JsonLinesWriter, tmp_path)


def with_jokers(name: str) -> Ruleset:
    """Return a ruleset to which four jokers are added, which may stand in kongs too."""
    ruleset = ruleset_of(name)
    copies = [*ruleset.tiles.copies]
    copies[JOKER_KIND] = 4
    return replace(ruleset, tiles=replace(ruleset.tiles, copies=tuple(copies)), joker_kongs=True)


def jokered(rng: Random, line: Line) -> Line:
    """Return a line with jokers in place of one to three tiles, some of them in its melds."""
    hand = line.hand
    assert hand.win is not None
    count, melds, tiles = rng.choice((1, 1, 1, 2, 2, 3)), list(hand.melds), [hand.win, *hand.concealed]
    if melds and rng.random() < 0.3:
        meld = melds.pop()
        melds.append(replace(meld, jokers=(rng.choice(meld.stands_for),), reds=0))
        count -= 1
    for place in rng.sample(range(len(tiles)), min(count, len(tiles))):
        tiles[place] = TILES[JOKER_KIND]
    return replace(line, hand=replace(hand, concealed=tuple(tiles[1:]), win=tiles[0], melds=tuple(melds)))


@pytest.mark.parametrize("count", [25, pytest.param(5_000, marks=pytest.mark.longest)])
@pytest.mark.parametrize("name", ["mcr", "riichi"])
def test_jokers_stand_in_every_form(name: str, count: int, tmp_path: Path) -> None:
    ruleset, rng = with_jokers(name), Random(f"jokers {name}")
    found: list[tuple[Line, Answer]] = []
    while len(found) < count:
        try:
            line = jokered(rng, random_win(rng, EXTRA.get(name)))
        except InputError:
            continue  # the context spoke of a tile that is gone
        answer = answer_to(line, ruleset)
        if isinstance(answer, Score):
            found.append((line, answer))
    lines, expected = [line for line, _ in found], [answer for _, answer in found]
    hands = hands_of(lines)
    scores = score_many(hands, ruleset)
    assert len(scores.one_by_one) <= count / 50
    assert len(set(scores.form[scores.jokers[0] >= 0].tolist())) > 1
    assert_same(hands, scores, lines, expected, ruleset)
    assert_lines_same(lines, ruleset, "jsonl", "en", JsonLinesWriter, tmp_path)


def test_jokers_in_melds_leave_copies_to_wait_on(tmp_path: Path) -> None:
    ruleset = with_jokers("mcr")
    texts = (  # two kinds to wait on, since the fourth 2p is elsewhere; then one kind; then eight of a kind in a column
        "1113p,111s,3333s,222p1j=2p++3p",
        "1113p,111s,3333s,2222p++3p",
        "1113p,111s,3333s,22p1j=2p++3p",
        "222234p7s555z,1111j=2222p+7s",
    )
    lines = [parse_line(text, extra=ruleset.extra_words, tiles=ruleset.tiles) for text in texts]
    expected = [answer_to(line, ruleset) for line in lines]
    single = [
        isinstance(answer, Score) and "dan_diao" in [each.pattern.id for each in answer.patterns] for answer in expected
    ]
    assert single == [False, True, False, True]
    hands = hands_of(lines)
    assert_same(hands, score_many(hands, ruleset), lines, expected, ruleset)
    assert_lines_same(lines, ruleset, "jsonl", "en", JsonLinesWriter, tmp_path)


def test_a_joker_that_wins_at_once_stands_for_nothing(tmp_path: Path) -> None:
    ruleset = ruleset_of("malaysia-3p", (("four_jokers_win", "true"),))
    lines = [
        parse_line(text, extra=ruleset.extra_words, tiles=ruleset.tiles)
        for text in ("4p111j5a,234pl,123pl,123pl++1j", "1367p147z111j,234pl++1j", "223p111j5z,234pl,444z++1j")
    ]
    for form, kind in (("csv", CsvWriter), ("jsonl", JsonLinesWriter)):
        assert_lines_same(lines, ruleset, form, "en", kind, tmp_path)


def test_choices_come_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    lines, expected, ruleset = scored(200, "malaysia-3p")
    hands = hands_of(lines)
    sizes = []

    def noted(each: Filled) -> NDArray[np.int64]:
        sizes.append(len(each.hand))
        return np.zeros(len(each.hand), np.int64)

    monkeypatch.setattr("mjcli.batch.jokers._PART", 7)
    some = hands.take(np.flatnonzero((hands.jokers > 0) & (hands.counts.sum(axis=1) + hands.jokers == 14)))
    stand_ins = np.isin(np.arange(PLAIN_KINDS), list(ruleset.tiles.plain_kinds))
    best_stand_ins(some, won_kinds(some), ruleset.forms, stand_ins, noted, np.full(len(some), -1))
    assert 0 < max(sizes) <= 7
    assert_same(hands, score_many(hands, ruleset), lines, expected, ruleset)


def request_of(ruleset: Ruleset, lang: str, *, false_win: bool = False) -> Request:
    """Return what ``mjcli score --lang LANG`` asks for, with or without ``--false-win``."""
    values: dict[str, Any] = {str(param.name): None for param in command.params}
    values |= {"lang": lang, "tiles": "mpsz", "dragons": "white", "explain": False, "false_win": false_win}
    return Request(values, ruleset, {}, "utf-8", won=True)


def test_texts_are_written_again_where_too_many_were_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    lines, _, ruleset = scored(150, "guangdong-xinzhang")
    written = ScoreLines(ruleset, "csv", request_of(ruleset, "zh-Hant"))
    hands = hands_of(lines)
    scores = written.scorer.score(hands)
    whole = list(written.lines(hands, scores))
    monkeypatch.setattr("mjcli.cli.scored._MOST", 0)
    assert list(written.lines(hands, scores)) == whole


def test_chunks_do_not_matter() -> None:
    lines, expected, ruleset = scored(200, "jipinghu")
    some = hands_of(lines)
    times = CHUNK // len(lines) + 2
    rows = np.tile(np.arange(len(lines)), times)
    scores = score_many(some.take(rows), ruleset)
    alone = score_many(some, ruleset)
    assert np.array_equal(scores.steps, np.tile(alone.steps, times))
    assert np.array_equal(scores.counts, np.tile(alone.counts, times))
    assert len(scores.one_by_one) == times * len(alone.one_by_one)
    assert_same(some, alone, lines, expected, ruleset)


def test_no_hands() -> None:
    scores = score_many(hands_of([]), ruleset_of("guangdong-xinzhang"))
    assert scores.fan.shape == (0,)
    assert scores.payments().shape == (4, 0)
    written = ScoreLines(ruleset_of("guangdong-xinzhang"), "tsv", request_of(ruleset_of("guangdong-xinzhang"), "en"))
    assert list(written.lines(hands_of([]), written.scorer.score(hands_of([])))) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("guangdong-xinzhang", "123m456p789s112z1j+2z"),
        ("guangdong-xinzhang", "123m456p789s11z"),
        ("guangdong-xinzhang", "123m456p789s1155z+5z from=S"),
        ("guangdong-xinzhang", "123m456p789s11z555z last-of-kind"),
        ("guangdong-xinzhang", "1a123m456p789s1155z+5z"),
        ("guangdong-xinzhang", "1f2f3f4f1g2g3g123m456p7789s115z self-draw"),
        ("guangdong-xinzhang", "123m456p789s1155z+5z seen=1a"),
        ("malaysia-3p", "1f45p77z,333p,3p11j=33p,444z+6p"),
        ("malaysia-3p", "1f45p77z,2p111j=222p,555z,666z+6p"),
        ("malaysia-3p", "1f45p77z,345p,444z,555zx+6p"),
        ("malaysia-3p", "1f45p77z,345p,444z,555z+6p from=N"),
        ("malaysia-3p", "1f45p77z,345p,444z,555z+6p winners=3"),
        ("malaysia-3p", "1f45p77z,345p,444z,555z+6p seat=N"),
    ],
)
def test_a_hand_that_arrays_do_not_take_has_its_own_answer(name: str, text: str) -> None:
    ruleset = ruleset_of(name)
    line = parse_line(text)
    scores = score_many(hands_of([line]), ruleset)
    assert list(scores.one_by_one) == [0]
    assert_same(hands_of([line]), scores, [line], [answer_to(line, ruleset)], ruleset)


def test_numbers_that_no_array_holds(tmp_path: Path) -> None:
    steps = {
        "big": "2 ** (10 * chows)",
        "bigger": "big * big",
        "fan": "bigger * bigger",
        "points": "fan",
        "few": "chows",
    }
    path = small_ruleset(tmp_path, [{"id": "any_hand", "fan": "1", "when": "chows >= 0"}], score=steps, best=["few"])
    with pytest.raises(OverflowError, match="no array holds"):
        Scorer(load_ruleset(str(path), cache=False))


def test_values_below_zero_and_counts_beyond_a_byte(tmp_path: Path) -> None:
    patterns: list[dict[str, Any]] = [
        {"id": "penalty", "fan": "-3", "when": "chows > 0"},
        {"id": "owing", "fan": "2", "times": "pungs - chows - 1"},
        {
            "id": "many",
            "fan": "1 if concealed else -2",
            "times": "100 * pungs + 100 * self_drawn",
            "contains": ["owing if honors"],
        },
        {"id": "swept", "fan": "7", "when": "suits == 3", "excludes": ["many"]},
    ]
    steps = {"fan": "sum(main)", "points": "1000000 * fan"}
    path = small_ruleset(tmp_path, patterns, score=steps, best=["fan"])
    ruleset = load_ruleset(str(path), cache=False)
    found = list(random_answers(Random("below zero"), 300, {}, ruleset))
    lines, expected = [line for line, _ in found], [answer for _, answer in found]
    hands = hands_of(lines)
    assert_same(hands, score_many(hands, ruleset), lines, expected, ruleset)
    assert_lines_same(lines, ruleset, "jsonl", "en", JsonLinesWriter, tmp_path)
