"""The answers of many hands are written byte for byte as the command line writes those of one hand after the other."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from mjcli import acceptance as one
from mjcli.batch import (
    Hands,
    acceptance_of,
    discards_of,
    forms_shanten_of,
    hands_of,
    merged,
    read_lines,
    shanten_of,
    waits_of,
    write_acceptance,
    write_discards,
    write_hands,
    write_shanten,
    write_shanten_objects,
    write_shanten_rows,
    write_waits,
)
from mjcli.cli import discards as discards_command
from mjcli.cli import shanten as shanten_command
from mjcli.cli.forms import least
from mjcli.cli.output import CsvWriter, JsonLinesWriter, TsvWriter, Writer
from mjcli.cli.sink import Buffer
from mjcli.distance import forms_shanten
from mjcli.forms import DEFAULT_FORMS, FormRules
from mjcli.hand import Line
from mjcli.notation import format_hand, parse_line
from tests.random_hands import random_line

COLUMNS = shanten_command.command.columns
EVERY_FORM: FormRules = {**DEFAULT_FORMS, "knitted": "", "knitted-straight": ""}


class Plain:
    """A request for tiles as they are written."""

    @staticmethod
    def shown(tiles: str) -> str:
        """Return ``tiles``."""
        return tiles


@pytest.fixture(scope="module")
def lines() -> list[Line]:
    rng = Random("batch writing")
    return [random_line(rng) for _ in range(900)]


@pytest.fixture(scope="module")
def hands(lines: list[Line]) -> Hands:
    return hands_of(lines)


def written_one_by_one(kind: type[Writer], lines: list[Line], forms: FormRules) -> str:
    """Return what ``mjcli shanten`` writes without a header."""
    sink = Buffer("utf-8")
    writer = kind(sink, COLUMNS, str, header=False)
    for line in lines:
        found = forms_shanten(line.hand, forms)
        assumed = {"melds_assumed": line.hand.melds_assumed} if line.hand.melds_assumed else {}
        writer.answer({"hand": format_hand(line.hand), **assumed, "shanten": least(found, forms), "forms": found})
    return sink.data.decode()


def accepted(found: one.Acceptance) -> dict[str, Any]:
    return discards_command.accepted(found)


def test_hands(lines: list[Line], hands: Hands) -> None:
    assert write_hands(hands).decode().splitlines() == [format_hand(line.hand) for line in lines]
    assert len({len(format_hand(line.hand)) for line in lines}) > 20


def test_shanten(lines: list[Line], hands: Hands) -> None:
    numbers = [least(forms_shanten(line.hand), DEFAULT_FORMS) for line in lines]
    assert set(range(-1, 6)) <= set(numbers)
    assert write_shanten(shanten_of(hands)).decode() == "".join(f"{number}\n" for number in numbers)


def test_shanten_that_no_form_has() -> None:
    hands = hands_of([parse_line("77z"), parse_line("19m19p19s1234567z1m"), parse_line("2223334445556m")])
    found = shanten_of(hands, {"thirteen-orphans": ""})
    assert write_shanten(found) == b"-\n-1\n13\n"


@pytest.mark.parametrize(("kind", "separator"), [(TsvWriter, "\t"), (CsvWriter, ",")])
@pytest.mark.parametrize("forms", [DEFAULT_FORMS, EVERY_FORM])
def test_rows(lines: list[Line], hands: Hands, kind: type[Writer], separator: str, forms: FormRules) -> None:
    found = write_shanten_rows(hands, shanten_of(hands, forms), forms_shanten_of(hands, forms), separator)
    assert found.decode() == written_one_by_one(kind, lines, forms)


@pytest.mark.parametrize("forms", [DEFAULT_FORMS, EVERY_FORM])
def test_objects(lines: list[Line], hands: Hands, forms: FormRules) -> None:
    found = write_shanten_objects(hands, shanten_of(hands, forms), forms_shanten_of(hands, forms))
    assert found.decode() == written_one_by_one(JsonLinesWriter, lines, forms)


def test_waits(lines: list[Line], hands: Hands) -> None:
    expected = ""
    for line in lines:
        live = one.waits(line.hand, line.context.seen).live
        expected += " ".join(f"{wait.tile}:{wait.left}" for wait in live) + "\n"
    assert write_waits(waits_of(hands).left).decode() == expected
    assert ":" in expected


def test_discards(lines: list[Line], hands: Hands) -> None:
    rows = [row for row, line in enumerate(lines) if line.hand.tile_count % 3 == 2][:150]
    expected = ""
    for line in (lines[row] for row in rows):
        ranked = one.discards(line.hand, line.context.seen)
        choices = [{"tile": str(each.tile), "shanten": each.shanten, **accepted(each)} for each in ranked]
        expected += discards_command.text({"discards": choices}, Plain) + "\n"  # type: ignore[arg-type]
    assert write_discards(discards_of(hands.take(np.array(rows)))).decode() == expected


def test_acceptance(lines: list[Line], hands: Hands) -> None:
    rows = [row for row, line in enumerate(lines) if line.hand.tile_count % 3 == 1]
    expected = ""
    for line in (lines[row] for row in rows):
        found = one.acceptance(line.hand, line.context.seen)
        answer = {"shanten": found.shanten, "discards": [], **accepted(found)}
        expected += discards_command.text(answer, Plain) + "\n"  # type: ignore[arg-type]
    assert write_acceptance(acceptance_of(hands.take(np.array(rows)))).decode() == expected


def test_no_hands() -> None:
    hands = hands_of([])
    shanten, forms = shanten_of(hands), forms_shanten_of(hands)
    assert write_hands(hands) == write_shanten(shanten) == write_shanten_rows(hands, shanten, forms) == b""
    assert write_shanten_objects(hands, shanten, forms) == write_waits(waits_of(hands).left) == b""
    assert write_discards(discards_of(hands)) == write_acceptance(acceptance_of(hands)) == b""


def test_only_bonus_tiles_of_a_few_hands() -> None:
    texts = ["123m45p1s1z1j12f3g7777a,111p", "0m5m55z,0555po,340sl++0m", "1z,222z+1z"]
    found = write_hands(read_lines("\n".join(texts).encode()).hands).decode().splitlines()
    assert found == [format_hand(parse_line(text).hand) for text in texts]


def test_merged() -> None:
    answers = [f"{number}\n".encode() for number in range(50)]
    rng = Random("merged")
    for _ in range(40):
        taken = [rng.random() < rng.choice((0.1, 0.9)) for _ in answers]
        ours = b"".join(answer for answer, mine in zip(answers, taken, strict=True) if mine)
        others = [answer for answer, mine in zip(answers, taken, strict=True) if not mine]
        assert merged(ours, np.array(taken), others) == b"".join(answers)
    assert merged(b"", np.array([False, False]), [b"", b"two\nlines\n"]) == b"two\nlines\n"
    assert merged(b"", np.array([], bool), []) == b""
