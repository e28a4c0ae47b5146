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

from mjcli.batch import score as score_many
from mjcli.batch.hands import Hands, hands_of
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
from mjcli.tiles import JOKER_KIND
from tests.random_guangdong import OPTION_SETS
from tests.rulesets import small_ruleset
from tests.scored_hands import Answer, answer_to, differences, random_answers
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


@pytest.mark.parametrize("count", [800, pytest.param(200_000, marks=pytest.mark.longest)])
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


@pytest.mark.parametrize("count", [40, pytest.param(20_000, marks=pytest.mark.longest)])
@pytest.mark.parametrize(("name", "options"), OPTIONS, ids=str)
def test_equal_under_options(name: str, options: Mapping[str, str], count: int) -> None:
    lines, expected, ruleset = scored(count, name, tuple(options.items()))
    hands = hands_of(lines)
    assert_same(hands, score_many(hands, ruleset), lines, expected, ruleset)


@pytest.mark.parametrize("count", [150, pytest.param(5_000, marks=pytest.mark.longest)])
@pytest.mark.parametrize("name", ["guangdong-xinzhang", "hongkong", "mcr", "riichi"])
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
    "text",
    [
        "123m456p789s112z1j+2z",
        "123m456p789s11z",
        "123m456p789s1155z+5z from=S",
        "123m456p789s11z555z last-of-kind",
        "1a123m456p789s1155z+5z",
        "1f2f3f4f1g2g3g123m456p7789s115z self-draw",
        "123m456p789s1155z+5z seen=1m",
    ],
)
def test_a_hand_that_arrays_do_not_take_has_its_own_answer(text: str) -> None:
    ruleset = ruleset_of("guangdong-xinzhang")
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
