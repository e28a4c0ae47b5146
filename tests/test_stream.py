"""Whole inputs: the same bytes however they are worked on, and what becomes of lines that are bad."""

from __future__ import annotations

import gzip
import json
import pickle
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

import pytest
from typer.testing import CliRunner, Result

from mjcli.cli import blocks, progress, workers
from mjcli.cli.blocks import BlockReader
from mjcli.cli.main import app
from mjcli.cli.work import Answered, Worker, answer_elsewhere
from mjcli.notation import format_hand
from tests.dirty import FORMATS, dirty, lines_of
from tests.hands import ready_hand
from tests.random_malaysia_3p import THEMES, joker_win
from tests.scored_rows import read_rows
from tests.test_cli_process import MJCLI, environment

COMMANDS = ("shanten", "waits", "discards", "convert", "score --rules jipinghu")
OUTPUTS = ("text", "table", "json", "jsonl", "csv", "tsv")


def run(arguments: str | list[str], given: bytes = b"") -> Result:
    return CliRunner().invoke(app, arguments, input=given, prog_name="mjcli", env={"MJCLI_RULES": None})


def whole(command: str, output: str, form: str, raw: bytes) -> str:
    keep = "" if form == "lines" else "--keep id"
    result = run(f"{command} -f {output} --input-format {form} {keep}", raw)
    assert result.exit_code in (0, 1), result.stderr
    return result.output


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read blocks of a line or two, and answer each from what another process would be sent, sending that back."""

    def answers(reader: BlockReader, worker: Worker, *_: object) -> Iterator[tuple[blocks.Block, Answered]]:
        packed = pickle.dumps(worker.task)
        while (block := reader.read(1)) is not None:
            yield block, pickle.loads(pickle.dumps(answer_elsewhere(packed, block)))  # noqa: S301 - its own

    monkeypatch.setattr(blocks, "CHUNK", 50)
    monkeypatch.setattr("mjcli.cli.stream.answers", answers)


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("command", COMMANDS)
def test_blocks_and_processes_do_not_matter(command: str, output: str, request: pytest.FixtureRequest) -> None:
    form = FORMATS[(COMMANDS.index(command) + OUTPUTS.index(output)) % len(FORMATS)]
    raw = dirty(Random(f"{command} {output}"), 30 if command == "discards" else 100, form)
    at_once = whole(command, output, form, raw)
    request.getfixturevalue("elsewhere")
    assert whole(command, output, form, raw) == at_once


TIERS = ("one by one", "arrays", "processes")


def tier(name: str, arguments: str, path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str, int]:
    """Return output, messages and exit code of a command line that is made to work in a certain way."""
    monkeypatch.setattr(workers, "ARRAYS_FROM", sys.maxsize if name == "one by one" else 0)
    monkeypatch.setattr(workers, "ASKED_FROM", 0)
    result = run(f"{arguments} -i {path} --jobs {2 if name == 'processes' else 1}")
    return result.stdout, result.stderr, result.exit_code


def in_arrays_as_one_by_one(arguments: str, path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """Hold arrays to one hand after the other; return how many hands were answered in arrays, and how many were not."""
    out, told, code = tier("arrays", f"{arguments} --stats", path, monkeypatch)
    *messages, _, stats = told.splitlines()
    wanted = tier("one by one", arguments, path, monkeypatch)
    assert (out, messages, code) == (wanted[0], wanted[1].splitlines(), wanted[2])
    arrays, one_by_one, _ = map(int, re.findall(r"\d+", stats))
    return arrays, one_by_one


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("command", COMMANDS)
def test_arrays_do_not_matter(command: str, output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "given").write_bytes(
        dirty(Random(f"arrays {command} {output}"), 40 if command == "discards" else 150, "lines")
    )
    said = (f"{command} -f {output} --tiles hanzi", tmp_path / "given", monkeypatch)
    assert tier("arrays", *said) == tier("one by one", *said)


@pytest.mark.parametrize("output", OUTPUTS)
def test_conversions_are_the_same_in_arrays(output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = "convert --rules riichi --tiles hanzi --to mpsz" if output in ("text", "csv", "jsonl") else "convert"
    lines = [
        b"123m456p1f seat=N",
        b"1z5z seen=1m5m2z round=W liable=x",
        b"12m,111z+3m from=E winners=2",
        b"05m,340p,055zx",
    ]
    raw = dirty(Random(f"{said} {output}"), 80, "lines") + b"\n".join([b"", *lines])
    (tmp_path / "given").write_bytes(raw)
    said = f"{said} -f {output}"
    arrays, one_by_one = in_arrays_as_one_by_one(said, tmp_path / "given", monkeypatch)
    assert arrays > one_by_one


ROWS: Final = {
    "csv": [
        "hand,id,self-draw,seat,kong-draw",
        "123m456p77z,1,,,",
        '"12m,111z+3m",2,TRUE,E,',
        '"12m,111z+3m",3,no,"E",',
        '12m,"a ""b""",,S,0',
        '"12m,1111z++3m",,,,1',
        "12m seat=E,,,,",
        "12m seat=E,,,W,",
        ",5,,E,",
        "  ,6,,,",
        "12m,7",
        "12m,8,,,,",
        "12m,9,,seat=E,",
        "12m,10,yes or no,E,",
        "12m,11,1,E E,",
        '"12m,12,,,',
        "12m self-draw=1,13,,,",
        "12m,14 萬,,,",
        "1z,15,0,,false\r",
        "\x0112m,16,,,",
        "12m ,17, ,,",
        "#12m,18,,,",
        "",
        "\r",
        "1萬2m,19,,,",
    ],
    "jsonl": [
        '{"hand": "12m,1111z++3m", "seat": "E", "self-draw": true, "kong-draw": 1, "id": 1}',
        '{"hand":"12m","seat":null,"self-draw":false,"kong-draw":0,"id":{"a":1}}',
        '{"hand": "12m", "seat": "", "self-draw": "no", "kong-draw": null, "id": "\\u4e00"}',
        '{"hand": "12m", "seat": "E", "self-draw": null, "kong-draw": null, "id": -1.5}',
        '{"hand": "12m", "seat": "E", "self-draw": null, "kong-draw": null, "id": 01}',
        '{"hand": "12m", "seat": "E", "self-draw": null, "kong-draw": null, "id": -true}',
        '{"hand": "12m", "seat": "E", "self-draw": null, "kong-draw": null, "id": false.5}',
        '{"hand": "12m", "seat": "E", "self-draw": null, "kong-draw": null, "id": NaN}',
        f'{{"hand": "12m", "seat": "E", "self-draw": null, "kong-draw": null, "id": {"9" * 5000}}}',
        '{"hand": "12m", "seat": 1, "self-draw": null, "kong-draw": 2, "id": null}',
        '{"hand": "12m", "seat": "E", "self-draw": 1, "kong-draw": true, "id": null}',
        '{"seat": "E", "hand": "12m", "self-draw": true, "kong-draw": null, "id": ""}',
        '{"hand": "12m", "seat": "E"}',
        '{"hand": null, "seat": "E", "self-draw": null, "kong-draw": null, "id": ""}',
        '{"hand": "", "seat": "E", "self-draw": null, "kong-draw": null, "id": ""}',
        '{"hand": "12m", "seat": "E", "self-draw": null, "kong-draw": null, "id": ""} ',
        '{"hand": "12m", "seat": "E", "self-draw": null, "kong-draw": null, "id": ""}}',
        '{"hand": "1\\u0032m", "seat": "E", "self-draw": null, "kong-draw": null, "id": ""}',
        '{"hand": "12m seat=W", "seat": "E", "self-draw": null, "kong-draw": null, "id": ""}\r',
        "[]",
        "12m",
        "",
    ],
}
"""Rows that are rewritten for arrays, and such as are not."""


@pytest.mark.parametrize("said", ["convert", "shanten -f tsv", "score --rules jipinghu -f jsonl"])
@pytest.mark.parametrize("form", [*ROWS, "tsv"])
def test_rows_are_the_same_in_arrays(form: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = ROWS[form] if form in ROWS else [row.replace(",", "\t") for row in ROWS["csv"]]
    (tmp_path / "given").write_bytes("\n".join(rows).encode())
    options = f"{said} --input-format {form} --other-columns"
    for others in ("ignore", "refuse", "ignore --keep id"):
        found = tier("arrays", f"{options} {others}", tmp_path / "given", monkeypatch)
        assert found == tier("one by one", f"{options} {others}", tmp_path / "given", monkeypatch)


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl"])
@pytest.mark.parametrize("command", COMMANDS)
def test_most_rows_go_through_arrays(command: str, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    raw = dirty(Random(f"rows {command}"), 60 if command == "discards" else 300, form)
    (tmp_path / "given").write_bytes(raw)
    said = f"{command} -f text --other-columns ignore --input-format {form}"
    arrays, one_by_one = in_arrays_as_one_by_one(said, tmp_path / "given", monkeypatch)
    assert arrays > one_by_one or command.startswith("score")
    assert arrays > 0


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ("csv", "shanten"),
        ("jsonl", "shanten -f csv"),
        ("tsv", "waits -f tsv"),
        ("csv", "convert -f json"),
        ("jsonl", "score --rules jipinghu -f jsonl"),
        ("tsv", "shanten -f table"),
    ],
)
def test_rows_are_carried_through_arrays(form: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "given").write_bytes(dirty(Random(f"carried {said}"), 100, form))
    said = f"{said} --keep id --other-columns ignore --input-format {form}"
    found = tier("arrays", said, tmp_path / "given", monkeypatch)
    assert found == tier("one by one", said, tmp_path / "given", monkeypatch)
    _, told, _ = tier("arrays", f"{said} --stats", tmp_path / "given", monkeypatch)
    arrays, _, _ = map(int, re.findall(r"\d+", told.splitlines()[-1]))
    assert (arrays > 0) == ("table" not in said)


@pytest.mark.parametrize("name", ["guangdong-xinzhang", "malaysia-3p", "malaysia-4p", "mcr", "riichi"])
@pytest.mark.parametrize("command", ["shanten", "shanten -f tsv", "waits", "waits -f jsonl", "discards -f csv"])
def test_arrays_do_not_matter_under_a_ruleset(
    command: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = dirty(Random(f"arrays {command} {name}"), 30 if command.startswith("discards") else 100, "lines")
    foreign = ["123m456p1f seat=N", "1m1j,123p", "12p1j=3p,11z", "1m,12p1j=3pl", "1m,111p1j=1111p", "1m,111zx", "0055p"]
    more = ["12m,1111z+3m liable=x", "12m3z3z+3m flower-draw", "12m+3m winners=3", "13m55z from=N"]
    (tmp_path / "given").write_bytes(raw + "\n".join(["", *foreign, *more]).encode())
    said = (f"{command} --rules {name}", tmp_path / "given", monkeypatch)
    assert tier("arrays", *said) == tier("one by one", *said)


@pytest.mark.parametrize(
    ("name", "output"),
    [("guangdong-xinzhang", "csv"), ("mcr", "json"), ("malaysia-4p", "table"), ("riichi", "jsonl")],
)
def test_waits_are_worth_the_same_in_arrays(
    name: str, output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = Random(f"waits {name}")
    kinds, words = ("random", "flush", "one-meld", "three-melds"), ("", " seat=E round=W", " self-draw", " last-tile")
    hands = [f"{format_hand(ready_hand(rng, rng.choice(kinds)))}{rng.choice(words)}" for _ in range(60)]
    more = [
        "12m",
        "1m,111p +1m",
        "123m456p789s1122z",
        "123m456p789s11z++2z",
        "19m19p19s1234567z",
        "0m,111p,111s,999s,111z",
        *(f"123m456s2255p777z seen={seen}" for seen in ("5p", "0p", "5p2p", "50p")),
    ]
    (tmp_path / "given").write_text("\n".join([*hands, *more]))
    said = f"waits --rules {name} -f {output}"
    arrays, one_by_one = in_arrays_as_one_by_one(said, tmp_path / "given", monkeypatch)
    assert arrays > one_by_one


def test_a_line_put_aside_is_without_the_mark_of_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "given").write_bytes(b"\xef\xbb\xbf8z\n1m\n")
    for name in ("arrays", "one by one"):
        tier(name, f"convert --rejects '{tmp_path / name}'", tmp_path / "given", monkeypatch)
        assert (tmp_path / name).read_bytes().endswith(b"\n8z\n")


@pytest.mark.parametrize("form", ["csv", "tsv"])
def test_a_row_that_is_a_comment_in_arrays(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = 'id,hand\n1,12m\n#2,13m\n"#3",1m\n 4,1z\n'
    (tmp_path / "given").write_text(rows.replace(",", "\t") if form == "tsv" else rows)
    for others in ("--keep id", "--other-columns ignore"):
        said = (f"convert --input-format {form} {others}", tmp_path / "given", monkeypatch)
        found = tier("arrays", *said)
        assert found == tier("one by one", *said)
        assert "13m" not in found[0]


def test_a_block_without_a_hand_for_arrays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "given.csv").write_text("hand,self-draw,seen\n8z,true,1z\n")
    said = ("waits --rules jipinghu -f json", tmp_path / "given.csv", monkeypatch)
    assert tier("arrays", *said) == tier("one by one", *said)


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("encoding", ["gbk", "cp1252", "utf-8-sig"])
def test_the_encoding_is_the_same_in_arrays(encoding: str, output: str, monkeypatch: pytest.MonkeyPatch) -> None:
    said = f"score - --rules jipinghu --lang zh-Hans -f {output} --jobs 1"
    found = []
    for size in (0, sys.maxsize):
        monkeypatch.setattr(workers, "ARRAYS_FROM", size)
        result = CliRunner(charset=encoding).invoke(app, said, input="123m456p789s1112z+2z\n" * 3, prog_name="mjcli")
        assert result.exit_code == 0, result.stderr
        found.append(result.stdout_bytes)
    assert found[0] == found[1]
    assert found[0].startswith(b"1 ") == (output == "text")
    escaped = encoding == "cp1252" or (encoding == "gbk" and "json" in output)
    assert ("鸡和" in found[0].decode(encoding)) != escaped


@pytest.mark.parametrize("output", ["text", "jsonl", "tsv"])
def test_words_of_a_ruleset_do_not_matter(output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hands = [row["line"].encode() for row in read_rows(Path(__file__).parent / "cases" / "riichi.jsonl.gz")][:150]
    wrong = [hands[0] + b" dora=4s", hands[1] + b" dora=11111m", hands[2] + b" honba=x", hands[3] + b" riichi \xff"]
    (tmp_path / "given").write_bytes(
        b"\n".join([*hands[:40], *dirty(Random(output), 60, "lines").split(b"\n"), *wrong])
    )
    with (tmp_path / "given").open("ab") as file:
        file.write(b"\n" + b"\n".join(hands[40:]))
    said = f"score --rules riichi -f {output}"
    arrays, one_by_one = in_arrays_as_one_by_one(said, tmp_path / "given", monkeypatch)
    assert arrays >= len(hands) > one_by_one


@pytest.mark.parametrize(
    ("joker", "options"), [("1j", "-f text --false-win"), ("1j", "-f json --lang zh-Hant"), ("1s", "-f csv")]
)
def test_jokers_do_not_matter(joker: str, options: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(options)
    wins = [joker_win(rng, rng.choice(list(THEMES)), {}, near=rng.random() < 0.1).line() for _ in range(80)]
    foreign = ["123p55z1j,444zx,666z+2p", "12344567p55z11j1f++1j seat=N", "5z1j,1p11j=1p,123p,2p11j=2p,444z+5z"]
    text = "\n".join([*wins, *foreign, *("1f12p1j5z,456p,444z,777p+5z from=r seen=1p",) * 2])
    raw = dirty(Random(joker), 60, "lines")
    (tmp_path / "given").write_bytes(raw + b"\n" + text.replace("j", joker[1]).encode())
    said = f"score --rules malaysia-3p --set joker_tile={joker} {options}"
    found = tier("arrays", said, tmp_path / "given", monkeypatch)
    assert found == tier("one by one", said, tmp_path / "given", monkeypatch)
    _, told, _ = tier("arrays", f"{said} --stats", tmp_path / "given", monkeypatch)
    assert int(re.findall(r"\d+", told.splitlines()[-1])[0]) >= len(wins) + 2, "answered in arrays"


@pytest.mark.parametrize("command", ["waits -f jsonl", "discards"])
def test_draws_from_a_set_with_jokers_go_through_arrays(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = Random(command)
    wins = [joker_win(rng, rng.choice(list(THEMES)), {}).line() for _ in range(40)]
    hands = [win.split(" ")[0] if command == "discards" else win.split("+")[0] for win in wins]
    (tmp_path / "given").write_text("\n".join(hands))
    said = (f"{command} --rules malaysia-3p", tmp_path / "given", monkeypatch)
    out, _, code = tier("arrays", *said)
    assert (out, code) == tier("one by one", *said)[::2]
    told = tier("arrays", f"{said[0]} --stats", *said[1:])[1]
    assert told.splitlines()[-1].startswith("mjcli: 40 answered in arrays")


def test_what_a_set_does_not_have_is_refused_in_arrays_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reds = ["00p123m456s789s555z", "067p123m40s789s55z+6s", "123m456s7z++7z,055p,777s", "123m7z++7z,055p,340p,777s"]
    (tmp_path / "given").write_text("\n".join([*reds, "123m7z++7z,0055po,055m,777s"]))
    said = ("score --rules riichi", tmp_path / "given", monkeypatch)
    found = tier("arrays", *said)
    assert found == tier("one by one", *said)
    wrong = "2 copies of '0p', where a set has 1"
    assert [wrong in line for line in found[0].splitlines()] == [True, False, False, True, True]


@pytest.mark.parametrize("options", ["", "--seven-pairs four", "--seven-pairs off", "--on-error skip"])
@pytest.mark.parametrize("command", ["shanten -f csv", "waits", "discards", "shanten"])
def test_most_hands_go_through_arrays(
    command: str, options: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [line for line in lines_of(Random(command), 60 if command == "discards" else 400) if b"=" not in line]
    (tmp_path / "given").write_bytes(b"\n".join(lines))
    arrays, one_by_one = in_arrays_as_one_by_one(f"{command} {options}", tmp_path / "given", monkeypatch)
    assert arrays > 4 * one_by_one


@pytest.mark.parametrize("order", ["sorted", "reversed", "doubled"])
@pytest.mark.parametrize("command", ["shanten", "waits", "convert"])
def test_the_order_of_lines_does_not_matter(
    command: str, order: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [line for line in lines_of(Random(order), 400) if not is_comment(line)]
    orders = {"sorted": sorted(lines), "reversed": lines[::-1], "doubled": [*lines, *lines]}
    answers = []
    for each in (lines, orders[order]):
        (tmp_path / "given").write_bytes(b"\n".join(each))
        out = tier("arrays", command, tmp_path / "given", monkeypatch)[0].split("\n")
        answers.append(dict(zip(each, map(without_place, out), strict=False)))
        assert len(out) == len(each) + 1
    assert answers[0] == answers[1]


def without_place(answer: str) -> str:
    """Return an answer without the number of the byte at which its line is wrong."""
    return re.sub(r"\(byte \d+ of", "(byte of", answer)


@pytest.mark.longest
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("output", ["jsonl", "csv", "text", "table"])
@pytest.mark.parametrize("command", COMMANDS)
def test_tiers_on_a_large_dirty_file(
    command: str, output: str, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "given").write_bytes(dirty(Random(f"{command} {output} {form}"), 200_000, form))
    said = f"{command} -f {output} --input-format {form} {'' if form == 'lines' else '--keep id'}"
    found = [tier(name, said, tmp_path / "given", monkeypatch) for name in TIERS]
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("form", FORMATS)
def test_every_line_has_its_answer(form: str) -> None:
    raw = dirty(Random(form), 800, form)
    result = run(f"convert -f jsonl --input-format {form} {'' if form == 'lines' else '--keep id'}", raw)
    found = list(map(json.loads, result.stdout.splitlines()))
    lines = raw.split(b"\n")
    given = [n for n, line in enumerate(lines, 1) if not is_comment(line) and not (n == 1 and form in ("csv", "tsv"))]
    bad = {answer["line"] for answer in found if "error" in answer}
    assert len(found) == len(given)
    assert len(found) > 5 * len(bad) > 250
    assert [answer.get("line", n) for n, answer in zip(given, found, strict=True)] == given


def is_comment(line: bytes) -> bool:
    """Return whether a line is passed over."""
    return line.startswith(b"#") or not line.decode("utf-8", "backslashreplace").strip()


LINES = b"12m\n8z\n# no hand\n123q\n1m\n"


@pytest.mark.parametrize(
    ("options", "out", "code", "told"),
    [
        ("", "12m\nerror bad-rank column 1: no tile '8z' (ranks are 1-7)\n", 1, 2),
        ("--on-error skip", "12m\n1m\n", 1, 2),
        ("--on-error fail", "12m\n", 1, 1),
        ("--max-errors 0", "12m\n", 1, 1),
        ("--max-errors 1", "12m\nerror bad-rank column 1: no tile '8z' (ranks are 1-7)\n", 1, 2),
        ("--max-errors 1 --on-error skip", "12m\n", 1, 2),
        ("--max-errors 2 --on-error skip", "12m\n1m\n", 1, 2),
    ],
)
@pytest.mark.parametrize("place", ["pipe", "arguments"])
def test_bad_lines(options: str, out: str, code: int, told: int, place: str, tmp_path: Path) -> None:
    hands = [] if place == "pipe" else ["12m", "8z", "123q", "1m"]
    result = run(["convert", *hands, *options.split()], LINES if place == "pipe" else b"")
    assert result.stdout.startswith(out)
    assert result.exit_code == code
    assert result.stderr.count(f"mjcli: error: {'line' if hands == [] else 'argument'} ") == told
    target = tmp_path / "waits.txt"
    run(["convert", *hands, *options.split(), "-o", str(target)], LINES if place == "pipe" else b"")
    gives_up = "fail" in options or "-errors 0" in options or "-errors 1" in options
    assert target.exists() == (not gives_up)
    assert not gives_up or "mjcli: error: given up at " in result.stderr
    assert gives_up or target.read_text() == result.stdout


@pytest.mark.parametrize("output", ["json", "table", "csv"])
def test_giving_up_ends_the_output(output: str) -> None:
    result = run(f"convert --on-error fail -f {output}", LINES)
    assert result.stdout == run(f"convert -f {output}", b"12m\n").stdout


@pytest.mark.parametrize("form", FORMATS)
def test_rejects_can_be_mended_and_run_again(form: str, tmp_path: Path) -> None:
    raw = dirty(Random(f"rejects {form}"), 300, form)
    (tmp_path / "given").write_bytes(raw)
    rejects = tmp_path / "rejects"
    said = f"--input-format {form} --other-columns ignore --on-error skip"
    result = run(f"convert {said} -i {tmp_path / 'given'} --rejects {rejects}")
    found = run(f"convert {said}", raw)
    assert result.stdout == found.stdout
    assert found.stderr.count("mjcli: error: line ") > 20
    assert result.stderr == f"mjcli: {found.stderr.count('mjcli: error: line ')} bad lines put aside in {rejects}\n"
    aside = rejects.read_bytes().split(b"\n")
    start = 1 if form in ("csv", "tsv") else 0
    given = raw.split(b"\n")
    assert aside[:start] == [line.removesuffix(b"\r") for line in given[:start]]
    assert aside.pop() == b""
    for comment, line in zip(aside[start::2], aside[start + 1 :: 2], strict=True):
        number, what = comment.removeprefix(b"# line ").split(b": ", 1)
        assert given[int(number) - 1] == line
        assert f"mjcli: error: line {number.decode()}: " in found.stderr
        assert b" column " in what
    again = run(f"convert {said} -i {rejects} --rejects {rejects}.again")
    assert again.stdout == ""
    assert Path(f"{rejects}.again").read_bytes().split(b"\n")[start + 1 :: 2] == aside[start + 1 :: 2]
    hands = [*aside[:start], *aside[start::2], b'{"hand": "12m"}' if form == "jsonl" else b""]
    mended = run(f"convert {said}", b"\n".join(hands))
    assert mended.exit_code == 0


def test_a_line_far_too_long_is_put_aside_whole(tmp_path: Path) -> None:
    long = b"1" * 10_000_000 + b"m"
    (tmp_path / "given.txt").write_bytes(b"12m\n" + long + b"\n1m\n")
    result = run(f"convert -i {tmp_path / 'given.txt'} --rejects {tmp_path / 'rejects.txt'}")
    assert result.stdout == ("12m\nerror too-long column 1000001: a line of more than 1 MB (byte 5 of the input)\n1m\n")
    assert (tmp_path / "rejects.txt").read_bytes().split(b"\n")[1:] == [long, b""]


def test_of_a_line_that_never_ends_only_its_beginning_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "KEPT", 1000)
    monkeypatch.setattr(blocks, "LIMIT", 500)
    monkeypatch.setattr(blocks, "CHUNK", 64)
    import io

    raw = b"12m\n" + b"1" * 5000 + b"\n1m\n" + b"2" * 3000
    reader = BlockReader(io.BytesIO(raw))
    found = list(iter(lambda: reader.read(1 << 20), None))
    assert [(block.number, block.place, len(block.data), block.dropped) for block in found if block] == [
        (1, 0, 4, 0),
        (2, 4, 1001, 4000),
        (3, 5005, 3, 0),
        (4, 5008, 1000, 2000),
    ]


@pytest.mark.parametrize("name", ["hands.gz", "hands.zst"])
def test_packed_in_and_out(name: str, tmp_path: Path) -> None:
    pytest.importorskip("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
    raw = dirty(Random(7), 200, "lines")
    (tmp_path / "hands.txt").write_bytes(raw)
    plain = run(f"convert -i {tmp_path / 'hands.txt'} -f csv")
    packed = tmp_path / name
    run(f"convert -i {tmp_path / 'hands.txt'} -f csv -o {packed}")
    assert run(f"convert -i {packed} --input-format csv --other-columns ignore -f jsonl").stdout.count("\n") == (
        plain.stdout.count("\n") - 1
    )
    assert unpacked(packed) == plain.stdout.encode()
    run(f"convert -o {packed} -i -", b"")
    assert unpacked(packed) == b""


@pytest.mark.parametrize(
    ("name", "raw", "out", "told", "code"),
    [
        ("empty.txt", b"", "", "mjcli: there are no hands in the input\n", 0),
        ("empty.csv", b"", "", "mjcli: there are no hands in the input\n", 0),
        ("header.csv", b"\xef\xbb\xbf# x\r\n\r\nhand,seat\r\n", "", "mjcli: there are no hands in the input\n", 0),
        ("none.csv", b"# x\nseat\n", "", "mjcli: error: none.csv:2: the header has no column 'hand' at column 1\n", 2),
        (
            "nul.txt",
            b"12m\n1\x00m\n1m",
            "12m\n*\n1m\n",
            "mjcli: error: nul.txt:2: a NUL byte (byte 6 of the input) at column 2\n    1\ufffdm\n     ^\n",
            1,
        ),
        (
            "byte.txt",
            b"\xef\xbb\xbf12m\n\n1\xe4m\n1m",
            "12m\n*\n1m\n",
            "byte.txt:3: the byte \\xe4 is not UTF-8 (byte 10 of",
            1,
        ),
        (
            "nul.csv",
            b"hand,id\n12m,\xe8\x90\xac\n1m,\x00\n1m,2",
            "12m\n*\n1m\n",
            "mjcli: error: nul.csv:3: a NUL byte (byte 20 of the input) at column 4\n",
            1,
        ),
        (
            "nul.jsonl",
            b'{"hand": "12m"}\n{"hand": "1\x00m"}\n{"hand": "1m"}',
            "12m\n*\n1m\n",
            "mjcli: error: nul.jsonl:2: a NUL byte (byte 28 of the input) at column 12\n",
            1,
        ),
        ("cut.txt.gz", gzip.compress(b"12m\n1m")[:-8], "12m\n*\n", "cut.txt.gz:2: the data end before they are", 1),
        ("not.gz", b"12m\n", "*\n", "not.gz:1: the data end before they are complete, after byte 0 of the input", 1),
        ("not.zst", b"12m\n", "*\n", "not.zst:1: the data end before they are complete, after byte 0 of the input", 1),
        ("folder", None, "", "mjcli: error: cannot use 'folder': Is a directory\n", 2),
        ("nowhere.zst", ..., "", "mjcli: error: cannot use 'nowhere.zst': No such file or directory\n", 2),
    ],
    ids=lambda value: value if isinstance(value, str) and "." in value[:-2] and " " not in value else "",
)
def test_input_that_is_broken(
    name: str, raw: bytes | None, out: str, told: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if isinstance(raw, bytes):
        Path(name).write_bytes(raw)
    elif raw is None:
        Path(name).mkdir()
    result = run(f"convert -i {name} --other-columns ignore")
    assert [line if not line.startswith("error ") else "*" for line in result.stdout.splitlines()] == out.splitlines()
    assert told in result.stderr
    assert result.exit_code == code


def unpacked(path: Path) -> bytes:
    from mjcli.cli.packing import opened

    stream, _ = opened(str(path))
    with stream:
        return stream.read()


def test_packed_output_is_the_same_in_any_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mjcli.cli.sink.PIECE", 1000)
    raw = dirty(Random(7), 300, "lines")
    made = []
    for size in (50, 1 << 16):
        monkeypatch.setattr(blocks, "CHUNK", size)
        monkeypatch.setattr(workers, "BLOCK", size)
        run(f"convert -f jsonl -o {tmp_path / 'hands.jsonl.gz'}", raw)
        made.append((tmp_path / "hands.jsonl.gz").read_bytes())
    assert made[0] == made[1]
    assert gzip.decompress(made[0]).decode() == run("convert -f jsonl", raw).stdout


@pytest.mark.parametrize(("name", "module"), [("a.zst", "backports"), ("a.parquet", "pyarrow"), ("a.arrow", "pyarrow")])
@pytest.mark.parametrize("option", ["-i", "-o"])
def test_a_library_that_is_missing(
    name: str, module: str, option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "compression", None)
    monkeypatch.setitem(sys.modules, module, None)
    (tmp_path / "given.txt").write_bytes(b"12m\n")
    result = run(f"waits {option} {tmp_path / name} {'' if option == '-i' else '-i ' + str(tmp_path / 'given.txt')}")
    assert result.exit_code == 2
    assert "a library that is not installed: pip install 'mjcli[" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["given.txt"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--keep shanten", "--keep shanten: that is the name of something in the answers"),
        ("--keep error", "--keep error: that is"),
        ("--keep id --other-columns ignore", "line 1: the header has no column 'id' at column 1"),
        ("--jobs 0", "invalid value for '--jobs'"),
        ("--resume", "--resume needs --input FILE, --output FILE, and one of the formats text, csv, tsv, jsonl"),
        ("-f parquet", "--format parquet needs --output FILE"),
        ("--input-format arrow", "--input-format arrow needs --input FILE"),
        ("-o x.parquet.gz", "--output x.parquet.gz: a table is packed inside; leave out .gz or .zst"),
        ("-f arrow -o x.zst", "--output x.zst: a table is packed inside"),
        ("-i x.gz --input-format parquet", "--input x.gz: a table is read as it stands; unpack it first"),
        ("12m --resume", "--resume goes with --input or a pipe"),
        ("12m --keep id", "--keep goes with --input or a pipe"),
        ("--input-format lines --keep id", "--keep needs an input with columns or keys"),
        ("--input=", "cannot use '': No such file or directory"),
        ("--input= --input-format parquet", "cannot use '': No such file or directory"),
        ("--other-columns ignore --output=", "cannot use '': No such file or directory"),
        ("12m --rejects x", "--rejects goes with --input or a pipe"),
        ("--rejects -", "--rejects needs a file of its own, not '-'"),
        ("--rejects x -o ./x", "--rejects and --output are the same file"),
        ("--rejects x -i ./x", "--rejects and --input are the same file"),
        ("-i x -o ./x", "--input and --output are the same file, whose hands would be lost"),
        ("--on-error stop", "invalid value for '--on-error'"),
    ],
)
def test_options_that_cannot_be(options: str, message: str) -> None:
    result = run(f"shanten --input-format csv {options}", b"hand,name\n12m,x\n")
    assert (result.stdout, result.exit_code) == ("", 2)
    assert result.stderr.startswith(f"mjcli: error: {message}")


@pytest.mark.parametrize(
    ("form", "out"),
    [
        ("text", "a b\t-1\n1,2\terror bad-word column 2: no word 'x'\n\terror bad-line "),
        ("csv", "id,hand,melds_assumed,assumed,shanten,forms,error\na\tb,11z,4,,-1,"),
        ("jsonl", '{"id": "a\\tb", "hand": "11z", '),
    ],
)
def test_kept_columns(form: str, out: str) -> None:
    given = 'hand,id\n11z,"a\tb"\n"x","1,2"\n8z,3,4\n'
    result = run(f"shanten --input-format csv --keep id -f {form}", given.encode())
    assert result.stdout.startswith(out)
    assert result.stdout.count("bad-line") == result.stdout.count("bad-word") == 1


def test_a_column_that_is_kept_twice_stands_once() -> None:
    result = run("shanten --input-format csv --keep id --keep id -f csv", b"id,hand\n17,123m11z\n")
    assert result.stdout.splitlines()[0].startswith("id,hand,")


def test_kept_keys_keep_their_values() -> None:
    given = b'{"id": [1, {"a": null}], "hand": "11z", "x": 2}\n{"hand": "8z", "id": 7}\n{"hand": "11z"}\n'
    result = run("convert --input-format jsonl --keep id --other-columns ignore -f jsonl", given)
    found = list(map(json.loads, result.stdout.splitlines()))
    assert [answer.get("id") for answer in found] == [[1, {"a": None}], 7, None]
    assert [next(iter(answer)) for answer in found] == ["id", "id", "hand"]


def test_a_context_word_can_be_kept_too() -> None:
    result = run("convert --input-format tsv --keep seat -f tsv --no-header", b"seat\thand\nE\t11z\n")
    assert result.stdout.startswith("E\t11z\t")
    assert "seat=E" in result.stdout


def test_stats() -> None:
    result = run("shanten --stats", LINES)
    assert re.fullmatch(r"mjcli: 4 hands, \d+ a second", result.stderr.splitlines()[-2])
    assert result.stderr.splitlines()[-1] == "mjcli: 0 answered in arrays, 2 one by one, 2 bad"
    assert "a second" not in run("shanten --stats --quiet", LINES).stderr
    result = run("shanten --stats 123m456p77z 1m")
    assert re.fullmatch(r"mjcli: 2 hands, \d+ a second", result.stderr.splitlines()[-2])
    assert result.stderr.splitlines()[-1] == "mjcli: 0 answered in arrays, 2 one by one, 0 bad"


def test_progress_is_shown_on_a_terminal_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "AFTER", 0.0)
    monkeypatch.setattr(progress, "EVERY", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    for terminal in (True, False):
        monkeypatch.setattr(sys.stderr, "isatty", lambda terminal=terminal: terminal)
        for size in (1000, 0):
            shown = progress.Progress(lambda: 500, size, wanted=True)
            shown.update(12345)
            shown.clear()
            said = capsys.readouterr().err
            assert ("12,345 hands" in said) == terminal
            assert ("50%" in said) == (terminal and size > 0)


@pytest.mark.parametrize("jobs", ["1", pytest.param("2", marks=pytest.mark.longest)])
def test_a_pipe_that_closes_early_ends_quietly(jobs: str, tmp_path: Path) -> None:
    path = tmp_path / "hands.txt"
    path.write_bytes(b"123m456p77z\n" * 40_000)
    process = subprocess.Popen(
        [*MJCLI, "convert", "-i", str(path), "--jobs", jobs],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    assert process.stdout
    assert process.stderr
    assert process.stdout.readline() == b"123m456p77z\n"
    process.stdout.close()
    assert process.wait(60) == 0
    assert process.stderr.read() == b""
    process.stderr.close()


@pytest.mark.parametrize("jobs", [1, 2])
def test_processes_give_the_same_bytes(jobs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "ASKED_FROM", 1)
    monkeypatch.setattr(workers, "LARGE", 10_000)
    path = tmp_path / "hands.txt"
    path.write_bytes(dirty(Random("processes"), 1000, "lines"))
    started = []
    begin = workers._processes

    def processes(number: int, worker: Worker) -> object:
        started.append(number)
        return begin(number, worker)

    monkeypatch.setattr(workers, "_processes", processes)
    result = run(f"convert -f jsonl -i {path} --jobs {jobs}")
    assert started == ([2] if jobs == 2 else [])
    assert result.output == run(f"convert -f jsonl -i {path}").output


def test_a_process_that_is_gone_is_done_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "ASKED_FROM", 1)
    monkeypatch.setattr(workers, "answer_elsewhere", _exit)
    path = tmp_path / "hands.txt"
    path.write_bytes(dirty(Random("gone"), 200, "lines"))
    result = run(f"convert -i {path} --jobs 2")
    assert result.stdout == run(f"convert -i {path}").stdout
    assert result.stderr.count("a process that was to help is gone") == 1


def _exit(*_: object) -> None:
    import os

    os._exit(1)


def test_two_runs_cannot_write_one_file(tmp_path: Path) -> None:
    from mjcli.cli.sink import Sink

    pytest.importorskip("fcntl")
    target = tmp_path / "answers.txt"
    with Sink(str(target), kept=True) as first:
        first.write("one\n")
        (tmp_path / "hands.txt").write_bytes(b"12m\n")
        result = run(f"waits -i {tmp_path / 'hands.txt'} -o {target}")
        assert result.exit_code == 2
        assert result.stderr == f"mjcli: error: another run is writing '{target}'\n"
    assert target.read_text() == "one\n"
