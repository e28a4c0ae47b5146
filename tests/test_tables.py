"""Tables of Parquet and Arrow say what lines of JSON say."""

from __future__ import annotations

import gc
import json
import math
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from mjcli.cli.main import app
from mjcli.cli.sink import Sink
from mjcli.cli.tables import ArrowWriter
from tests.dirty import dirty

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

COMMANDS = ("shanten", "waits", "discards", "convert", "score --rules jipinghu", "score --explain")
FORMS = ("parquet", "arrow")


def run(arguments: str) -> Result:
    return CliRunner().invoke(app, arguments.split(), prog_name="mjcli", env={"MJCLI_RULES": None})


def read(path: Path) -> Any:
    if path.suffix == ".parquet":
        return parquet.read_table(path)
    with pyarrow.memory_map(str(path)) as file:
        return pyarrow.ipc.open_file(file).read_all()


def write(table: Any, path: Path) -> None:
    if path.suffix == ".parquet":
        parquet.write_table(table, path, row_group_size=7)
        return
    with path.open("wb") as file, pyarrow.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table, max_chunksize=7)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("command", COMMANDS)
def test_answers_as_a_table(command: str, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mjcli.cli.tables.ROWS", 10)
    (tmp_path / "given.jsonl").write_bytes(dirty(Random(command), 60, "jsonl"))
    said = f"{command} -i {tmp_path / 'given.jsonl'} --keep id"
    lines = run(f"{said} -f jsonl")
    result = run(f"{said} -o {tmp_path / 'answers.'}{form}")
    assert (result.stderr, result.exit_code, result.stdout) == (lines.stderr, lines.exit_code, "")
    rows = read(tmp_path / f"answers.{form}").to_pylist()
    answers = list(map(json.loads, lines.stdout.splitlines()))
    assert len(rows) == len(answers) == 60
    for row, answer in zip(rows, answers, strict=True):
        assert {key: plain(key, value, answer) for key, value in row.items() if value is not None} == answer


def plain(key: str, value: Any, answer: dict[str, Any]) -> Any:
    """Return what stands in a cell as JSON has it."""
    if key in ("id", "explain"):
        return json.loads(value)
    if isinstance(answer[key], dict):
        return {name: each for name, each in dict(value).items() if each is not None or name in answer[key]}
    if key == "waits":
        return [{name: each for name, each in wait.items() if name in ("tile", "left")} for wait in value]
    return value


@pytest.mark.parametrize("form", FORMS)
def test_hands_from_a_table(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mjcli.cli.tables.READ", 5)
    rows = [
        {"id": n, "hand": hand, "seat": "E" if n % 3 else None, "self-draw": bool(n % 2), "more": 0.5}
        for n, hand in enumerate(["123m456p77z", "8z", None, "一萬", "", "22z,123m"] * 5)
    ]
    path = tmp_path / f"hands.{form}"
    write(pyarrow.Table.from_pylist(rows), path)
    (tmp_path / "hands.jsonl").write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows))
    more = "--keep id --other-columns ignore -f jsonl"
    lines, table = (run(f"convert -i {tmp_path / name} {more}") for name in ("hands.jsonl", path.name))
    found, wanted = (list(map(json.loads, each.stdout.splitlines())) for each in (table, lines))
    assert [without_place(answer) for answer in found] == [without_place(answer) for answer in wanted]
    assert len(found) == 30
    refused = run(f"convert -i {path} --keep id")
    assert refused.exit_code == 2
    assert "in the header there is no field 'more'" in refused.stderr


@pytest.mark.parametrize("form", FORMS)
def test_text_as_bytes_and_names_with_blanks(form: str, tmp_path: Path) -> None:
    path = tmp_path / f"hands.{form}"
    write(pyarrow.table({" hand": ["一萬".encode(), b"12m", b"1\xffm"], "seat ": ["E", None, None]}), path)
    result = run(f"convert -i {path}")
    assert result.stdout.splitlines()[:2] == ["1m seat=E", "12m"]
    assert r"{" + r'"hand": "1\\xffm"' in result.stderr
    write(pyarrow.table({"hand": ["12m"], "a\tb": [1]}), path)
    result = run(f"convert -i {path} --other-columns ignore")
    assert (result.exit_code, result.stdout) == (0, "12m\n")
    result = run(f"convert -i {path}")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"mjcli: error: '{path}': in the header there is no field 'a b' ")


@pytest.mark.parametrize("form", FORMS)
def test_numbers_and_characters_that_the_other_format_lacks(form: str, tmp_path: Path) -> None:
    path = tmp_path / f"hands.{form}"
    columns = {"hand": ["12m", "1m", "22z"], "x": [math.nan, math.inf, 0.5], "y": [[1.0, math.nan], None, []]}
    write(pyarrow.table(columns), path)
    result = run(f"convert -i {path} --keep x --keep y -f jsonl")
    kept = [(answer["x"], answer["y"]) for answer in map(json.loads, result.stdout.splitlines())]
    assert kept == [(None, [1.0, None]), (None, None), (0.5, [])]
    lines = [rb'{"hand": "12m", "id": "\ud800\\\udfff\ud83d\ude00"}', rb'{"hand": "12\udc80m", "id": ["\\\ud800"]}']
    (tmp_path / "given.jsonl").write_bytes(b"\n".join(lines))
    run(f"convert -i {tmp_path / 'given.jsonl'} --keep id -o {path}")
    first, second = read(path).to_pylist()
    assert (first["id"], json.loads(second["id"])) == ("\\ud800\\\\udfff\U0001f600", ["\\\\ud800"])
    assert second["error"]["message"].startswith(r"no suit '\udc80'")


@pytest.mark.parametrize("form", FORMS)
def test_a_table_that_is_given_up(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, unheard = tmp_path / f"hands.{form}", list[object]()
    monkeypatch.setattr(sys, "unraisablehook", unheard.append)
    sink = Sink(str(path))
    writer = ArrowWriter(sink, ["hand"], form)
    writer.add(b'{"hand": "12m"}\n')
    sink.close(whole=False)
    del writer
    gc.collect()
    assert not unheard
    assert not list(tmp_path.iterdir())


def without_place(answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer without what depends on columns that are left out."""
    if "error" not in answer:
        return answer
    return {"id": answer["id"], "line": answer["line"], "code": answer["error"]["code"]}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("content", [b"", b"12m\n", "cut"])
def test_what_is_no_table(form: str, content: bytes | str, tmp_path: Path) -> None:
    path = tmp_path / f"hands.{form}"
    if content == "cut":
        write(pyarrow.table({"hand": ["12m"] * 1000}), path)
        content = path.read_bytes()[:400]
    assert isinstance(content, bytes)
    path.write_bytes(content)
    result = run(f"convert -i {path}")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"mjcli: error: '{path}' is no file of {form}: ")


@pytest.mark.parametrize("form", FORMS)
def test_a_table_that_is_not_there(form: str, tmp_path: Path) -> None:
    path = tmp_path / f"hands.{form}"
    result = run(f"convert -i {path}")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"mjcli: error: cannot use '{path}': No such file or directory\n"


def test_a_table_without_a_hand(tmp_path: Path) -> None:
    write(pyarrow.table({"seat": ["E"]}), tmp_path / "hands.parquet")
    result = run(f"convert -i {tmp_path / 'hands.parquet'}")
    assert result.exit_code == 2
    assert "the header has no column 'hand'" in result.stderr


def test_a_table_by_the_suffix_of_feather(tmp_path: Path) -> None:
    path = tmp_path / "answers.Feather"
    assert run(f"waits 123m456p77z55s -o {path}").exit_code == 0
    assert read(path).to_pylist()[0]["hand"] == "123m456p55s77z"
