"""Cases with expected answers: what agrees, what is told where it does not, and the formats of reports."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner, Result

from mjcli.cli.expected import Expectation
from mjcli.cli.main import app
from mjcli.ruleset import load_ruleset

HAND = "333p555s77m44s,111z+7m"
ANSWER: dict[str, Any] = {
    "shanten": 1,
    "forms": {"standard": 1, "seven-pairs": None},
    "can_win": True,
    "points": 8,
    "reason": "",
    "waits": [{"tile": "1p", "left": 4}, {"tile": "4p", "left": 1}],
    "dead": ["2m", "3m"],
    "patterns": [
        {"id": "dui_dui_hu", "name": "All pungs", "fan": 2, "count": 1},
        {"id": "quan_feng", "name": "Pung of the round wind", "fan": 1, "count": 1},
    ],
    "payments": {},
    "reading": {"form": "standard", "sets": ["777m", "333p"], "pair": "44s"},
}


def run(*arguments: str, given: str = "") -> Result:
    return CliRunner().invoke(
        app, list(arguments), input=given.encode(), prog_name="mjcli", env={"MJCLI_RULES": None, "NO_COLOR": "1"}
    )


def check(*lines: str, more: str = "--rules jipinghu") -> Result:
    return run("check", "-", *more.split(), given="\n".join(lines))


@pytest.mark.parametrize(
    ("key", "value", "agrees"),
    [
        ("shanten", "1", True),
        ("shanten", "-1", False),
        ("shanten", 1, True),
        ("shanten", 1.0, True),
        ("shanten", True, False),
        ("shanten", None, False),
        ("can_win", "true", True),
        ("can_win", True, True),
        ("can_win", 1, False),
        ("can_win", "True", False),
        ("reason", "", True),
        ("title", None, True),
        ("title", "", True),
        ("title", "anything", False),
        ("forms.standard", "1", True),
        ("forms.seven-pairs", None, True),
        ("forms.pairs", "1", False),
        ("forms.pairs", "", False),
        ("forms.pairs", None, False),
        ("shanten.standard", "", False),
        ("title.standard", "", False),
        ("shanten.standard", "1", False),
        ("forms", {"standard": 1}, True),
        ("forms", {"standard": 2}, False),
        ("forms", {"seven-pairs": None}, True),
        ("forms", {"pairs": None}, False),
        ("forms", {}, False),
        ("payments", {}, True),
        ("title", {}, False),
        ("forms", "standard=1", True),
        ("forms", "standard=1,seven-pairs=", True),
        ("forms", "pairs=1", False),
        ("reading", "standard", True),
        ("reading", "form=standard pair=44s", True),
        ("reading.sets", "333p 777m", True),
        ("reading.sets", ["333p", "777m"], True),
        ("reading.sets", ["333p"], False),
        ("waits", "4p,1p", True),
        ("waits", "1p 4p", True),
        ("waits", "1p:4,4p:1", True),
        ("waits", "1p:4 4p:2", False),
        ("waits", "1p", False),
        ("waits", "1p,1p", False),
        ("waits", "1p,4p,7p", False),
        ("waits", [{"tile": "1p"}, {"tile": "4p", "left": 1}], True),
        ("waits", [{"tile": "1p"}, {"tile": "4p", "left": 2}], False),
        ("waits", ["4p", "1p"], True),
        ("waits", ["4p", "2p"], False),
        ("waits", ["4p:1", "1p:4"], True),
        ("waits", ["4p:2", "1p:4"], False),
        ("waits", [{}, {}], False),
        ("dead", "2m,3m", True),
        ("dead", ["3m", "2m"], True),
        ("dead", "", False),
        ("patterns", "dui_dui_hu:All_pungs:2:1 quan_feng:Pung_of_the_round_wind:1:1", True),
        ("patterns", "quan_feng,peng_peng_hu", True),
        ("patterns", "quan_feng", False),
        ("patterns", [{"id": "dui_dui_hu", "fan": 2}, {"id": "quan_feng"}], True),
        ("patterns", [{"id": "dui_dui_hu", "fan": 3}, {"id": "quan_feng"}], False),
        ("patterns", [{"id": "peng_peng_hu"}, {"id": "quan_feng"}], True),
        ("patterns", [{"id": "dui_dui_hu", "fam": None}, {"id": "quan_feng"}], False),
    ],
)
def test_what_agrees(key: str, value: object, agrees: bool) -> None:
    difference = Expectation(key, value).difference(ANSWER, load_ruleset("jipinghu"))
    assert (difference is None) == agrees, difference


@pytest.mark.parametrize(
    ("case", "told"),
    [
        (f"{HAND} => fan=3 points=8 dui_dui_hu peng_peng_hu", None),
        (f"{HAND} => payments.winner=8 reading.wait=pung can_win=true", None),
        (f"{HAND} seat=W => fan=3 assumed=round=E", None),
        (f"{HAND} => excluded=ji_hu", None),
        ("123m456p77z => -1", None),
        ("3333445566678s => 6s,9s", None),
        ("3333445566678s => 69s", None),
        ("3333445566678s => 九索六索", None),
        ("13m55z,2222mo,111p,999s => dead=2m waits=", None),
        ("8z => error=bad-rank error.column=1", None),
        (f"{HAND} => fan=2", "fan is 3, not 2"),
        (f"{HAND} => fan= reason=x", "fan is 3, not empty; reason is empty, not x"),
        (f"{HAND} => hun_yi_se", "patterns has no hun_yi_se, only dui_dui_hu quan_feng"),
        (f"{HAND} liable=x => error=contradiction error.column=24 liable=x", "liable is empty, not x"),
        (f"{HAND} => payments.winer=8", "payments has no winer, only winner discarder other"),
        (
            f"{HAND} => payments.winer= fan.x=",
            "payments has no winer, only winner discarder other; fan has no x, only 3",
        ),
        (f"{HAND} => error=bad-rank", "error is empty, not bad-rank"),
        ("8z => 1", "error bad-rank: no tile '8z' (ranks are 1-7) at column 1"),
        ("8z => error=bad-suit", "error is bad-rank, not bad-suit"),
        ("12m", "error bad-expectation: '=>' and what is expected is missing, such as fan=3 or shanten=1 at column 4"),
        (
            "12m =>",
            "error bad-expectation: '=>' and what is expected is missing, such as fan=3 or shanten=1 at column 7",
        ),
        ("12m => shantem=1", "answers have no 'shantem'; did you mean 'shanten'? at column 8"),
        ("12m => 1 Fan", "'Fan' says nothing of the answer; KEY=VALUE is expected"),
        ("12m => waits=3m fan=1", "error bad-expectation: no command answers with all of fan, waits at column 4"),
    ],
)
def test_cases_on_lines(case: str, told: str | None) -> None:
    result = check("# a comment", "", case)
    if told is None:
        assert (result.stdout, result.exit_code) == ("1 passed, 0 failed\n", 0)
    else:
        first, summary = result.stdout.splitlines()
        assert first.startswith("line 3: ")
        assert told in first
        assert (summary, result.exit_code) == ("0 passed, 1 failed", 1)


def test_what_is_asked_of_a_command() -> None:
    assert check("12m34s => error=tile-count", more="--command score").exit_code == 0
    assert check("12m34s => error=tile-count").exit_code == 1
    assert check("1199m2288p3377s5z => 0", "1199m2288p3377s5z => 1", more="--seven-pairs off").exit_code == 1
    assert check(f"{HAND} => ruleset=guangdong-xinzhang", more="").exit_code == 0
    told = check("12m => fan=3", more="--command shanten").stdout
    assert "answers have no 'fan'" in told


ROWS = [
    (
        "csv",
        f'id,hand,seat,fan,patterns,payments.winner,source\nx,"{HAND}",W,3,,8,a book\ny,"{HAND}",,2,dui_dui_hu,,\n',
    ),
    ("tsv", f"id\thand\tseat\tfan\tpatterns\tsource\nx\t{HAND}\tW\t3\t\ta book\ny\t{HAND}\t\t2\tdui_dui_hu\t\n"),
    (
        "jsonl",
        json.dumps({"id": "x", "hand": HAND, "seat": "W", "fan": 3, "payments": {"winner": 8}, "source": "a book"})
        + "\n"
        + json.dumps({"id": "y", "hand": HAND, "fan": 2, "patterns": [{"id": "dui_dui_hu"}]}),
    ),
]


@pytest.mark.parametrize(("form", "content"), ROWS, ids=lambda each: each if len(each) < 6 else "")
@pytest.mark.parametrize("packed", [False, True])
def test_cases_in_rows(form: str, content: str, packed: bool, tmp_path: Path) -> None:
    path = tmp_path / f"cases.{form}{'.gz' * packed}"
    path.write_bytes(gzip.compress(content.encode()) if packed else content.encode())
    result = run("check", str(path), "--rules", "jipinghu", "--json")
    first, second = json.loads(result.stdout)
    line = 2 - (form == "jsonl")
    place = f"{path}:{line}"
    about = {"id": "x", "source": "a book"}
    passed = {"hand": f"{HAND} seat=W", "command": "score", "passed": True, "differences": []}
    assert first == {"place": place, **about, **passed}
    differences = [
        {"key": "fan", "found": "3", "expected": "2"},
        {"key": "patterns", "found": "dui_dui_hu quan_feng", "expected": "dui_dui_hu"},
    ]
    assert second["differences"] == differences
    assert (second["place"], result.exit_code) == (f"{path}:{line + 1}", 1)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("hand,fam\n12m,1\n", "in the header there is no field 'fam' (fields are hand, context words, melds_assumed"),
        ("fan\n1\n", "the header has no column 'hand'"),
        ("hand,fan\n12m\n", "1 cells; the header has 2"),
        ("hand, shanten ,id\n12m, 1 ,x\n", ":2: x: shanten is 0, not 1\n"),
        ("hand,shanten,waits\n12m,, \n", "what is expected is missing"),
        ("hand,self-draw,error,error.column\n12m,2,bad-word,1\n", "error.column is 5, not 1"),
        ("hand,ready-on-deal,fan\n12m,yes,1\n", "2 tiles, where a won hand has 14"),
        ("hand,id,fan\n12m,x,\n", "what is expected is missing"),
    ],
)
def test_rows_that_are_wrong(content: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "cases.csv").write_text(content)
    (tmp_path / "good.txt").write_text("12m => 0")
    result = run("check", str(tmp_path / "cases.csv"), str(tmp_path / "good.txt"))
    assert told in result.stdout
    assert (result.stdout.splitlines()[-1], result.exit_code) == ("1 passed, 1 failed", 1)


GIVEN = (f"{HAND} => fan=3", f"{HAND} => fan=2", "8z => 1", "12m<&# =>", "12m")


def test_a_report_as_junit() -> None:
    result = check(*GIVEN, more="--rules jipinghu --format junit")
    tree = ElementTree.fromstring(result.stdout)  # noqa: S314 - what mjcli wrote itself
    (suite,) = tree
    assert {key: suite.get(key) for key in ("name", "tests", "failures", "errors")} == {
        "name": "standard input",
        "tests": "5",
        "failures": "1",
        "errors": "3",
    }
    assert [[(child.tag, child.get("message")) for child in case] for case in suite][:2] == [
        [],
        [("failure", "fan is 3, not 2")],
    ]
    assert [case.get("line") for case in suite] == ["1", "2", "3", "4", "5"]
    assert suite[3].get("name") == "12m<&#"
    assert result.exit_code == 1


def test_a_report_as_tap() -> None:
    head, *lines, plan = check(*GIVEN, more="--rules jipinghu -f tap").stdout.splitlines()
    assert (head, plan) == ("TAP version 13", "1..5")
    assert [line for line in lines if "ok" in line.split()][:2] == [
        f"ok 1 - line 1 {HAND}",
        f"not ok 2 - line 2 {HAND}",
    ]
    assert any(line.startswith("not ok 4 - line 4 12m<&\\#") for line in lines)
    assert '  message: "fan is 3, not 2"' in lines


def test_names_that_a_report_tells_apart() -> None:
    result = check("12m => 0", "12m => 1", "12m => 0", more="-f junit")
    (suite,) = ElementTree.fromstring(result.stdout)  # noqa: S314 - what mjcli wrote itself
    assert [case.get("name") for case in suite] == ["12m", "12m (line 2)", "12m (line 3)"]
    assert suite[1][0].text == "shanten is 0, not 1"


STRANGE = '{"id": "\\ud800\\u0001萬🀙", "hand": "12m", "shanten": 1}'


@pytest.mark.parametrize("charset", ["utf-8", "ascii", "gbk"])
def test_names_that_an_encoding_has_not(charset: str, tmp_path: Path) -> None:
    path = str(tmp_path / "a\x01\udcff.jsonl")
    Path(path).write_text(STRANGE, "utf-8")

    def written(form: str) -> str:
        result = CliRunner(charset=charset).invoke(app, ["check", path, "-f", form], prog_name="mjcli")
        assert (result.stderr, result.exit_code) == ("", 1)
        return result.stdout_bytes.decode(charset)

    for form in ("json", "jsonl"):
        assert json.loads(written(form).strip().strip("[]"))["id"] == json.loads(STRANGE)["id"]
    (suite,) = ElementTree.fromstring(written("junit"))  # noqa: S314 - what mjcli wrote itself
    assert suite[0].get("name") == "\ufffd\ufffd萬🀙"
    assert written("text").startswith(str(tmp_path))
    assert len(written("tap").splitlines()) == 6


def test_objects_on_lines_and_languages() -> None:
    found = [json.loads(line) for line in check(*GIVEN, more="--rules jipinghu -f jsonl").stdout.splitlines()]
    assert [each["passed"] for each in found] == [True, False, False, False, False]
    assert found[2]["error"] == {"code": "bad-rank", "column": 1, "message": "no tile '8z' (ranks are 1-7)"}
    assert check(*GIVEN, more="--rules jipinghu --lang zh-Hant").stdout.splitlines()[-1] == "通過 1，不符 4"


def test_a_report_in_a_file(tmp_path: Path) -> None:
    assert check(*GIVEN, more=f"-f junit -o {tmp_path / 'report.xml'}").stdout == ""
    assert '<testsuites tests="5" failures="2"' in (tmp_path / "report.xml").read_text()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("check nowhere.txt", "cannot use 'nowhere.txt': No such file"),
        ("check cases.parquet", "cases.parquet: cases are lines, csv, tsv, jsonl"),
        ("check", "missing argument 'FILE...'"),
        ("check - cases.txt", "'-' reads standard input, and stands alone"),
        ("check - --json -f tap", "--json is --format json, but --format tap was asked for"),
        ("check - --rules nothing", "no ruleset 'nothing'"),
        ("shanten 12m --expect x=1", "--expect x=1: answers have no 'x'"),
        ("shanten 12m --expect ''", "--expect says nothing; KEY=VALUE is expected"),
        ("waits 12m --expect 1", "--expect 1: '1' says nothing of the answer; KEY=VALUE is expected, its keys are"),
        ("check cases.txt other.txt -o ./cases.txt", "--output is one of the files of cases, which would be lost"),
        ("shanten -i cases.txt --expect 1", "--expect goes with HAND; a file of cases is for 'mjcli check'"),
    ],
)
def test_command_lines_that_are_wrong(arguments: str, told: str) -> None:
    result = run(*arguments.replace("''", "").split(" "))
    assert (result.stdout, result.exit_code) == ("", 2)
    assert told in result.stderr


def test_no_cases_are_told(tmp_path: Path) -> None:
    result = check("# nothing")
    assert (result.stdout, result.exit_code) == ("0 passed, 0 failed\n", 1)
    assert result.stderr == "mjcli: there are no cases\n"
    (tmp_path / "empty.csv").write_text("hand,fan\n")
    (tmp_path / "good.txt").write_text("12m => 0")
    result = run("check", str(tmp_path / "empty.csv"), str(tmp_path / "good.txt"))
    assert (result.stdout, result.exit_code) == ("1 passed, 0 failed\n", 0)
    assert result.stderr == f"mjcli: {tmp_path / 'empty.csv'}: there are no cases\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("shanten 123m456p77z --expect -1", ""),
        ("shanten 123m456p77z 12m --expect -1", "mjcli: error: 12m: shanten is 0, not -1\n"),
        (f"score {HAND} --rules jipinghu --expect points=8 --expect peng_peng_hu", ""),
        (f"score {HAND} --rules jipinghu --expect fan=2", "mjcli: error: 77m333p44555s,111z+7m: fan is 3, not 2\n"),
        ("score 12m456p789s11222z+9m --rules jipinghu --expect can_win=false", ""),
        ("convert 一二三萬中中 --expect text=123m77z", ""),
    ],
)
def test_expectations_of_a_command_line(arguments: str, told: str) -> None:
    result = run(*arguments.split())
    assert (result.stderr, result.exit_code) == (told, int(bool(told)))
    assert result.stdout == run(*arguments.partition(" --expect")[0].split()).stdout != ""
