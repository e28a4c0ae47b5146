"""``mjcli deal``: pictures, stories, objects, given walls and dice, games, commitments; what it refuses."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner, Result

from mjcli.cli.drawing import COLORS
from mjcli.cli.main import app
from mjcli.notation import parse_tiles

WALLS = Path(__file__).parent / "rulesets" / "walls"
KEYS = [
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
    "replaced",
    "tail",
]


def run(*arguments: str, given: str = "") -> Result:
    return CliRunner().invoke(
        app, ["deal", *arguments], input=given, prog_name="mjcli", env={"MJCLI_RULES": "jipinghu"}
    )


def found(*arguments: str) -> dict[str, Any]:
    result = run("--json", *arguments)
    assert result.exit_code == 0, result.stderr
    answer: dict[str, Any] = json.loads(result.stdout)
    return answer


def walls(name: str) -> str:
    return str(WALLS / f"{name}.yaml")


def test_keys_of_the_contract() -> None:
    answer = found("--seed", "1", "--dice", "233,452", "--rules", walls("guangdong"))
    assert list(answer) == KEYS
    assert (answer["ruleset"], answer["seed"], answer["index"], answer["dealer"]) == ("guangdong", 1, 0, "E")
    assert (answer["dice"], answer["opener"], answer["skip"]) == ([[2, 3, 3], [4, 5, 2]], "N", 11)
    assert answer["taken"]["E"] == ["N12", "N13", "W2", "W3", "W10", "W11", "W18.top", "S2.top"]
    assert answer["rng"] == "philox4x32-10/fisher-yates/1"
    assert answer["next"] == "S2.bottom"
    tiles = [tile for held in (answer["hands"], answer["bonus"]) for text in held.values() for tile in tiles_of(text)]
    assert len(tiles) + len(answer["wall"]) == 144
    assert len(answer["replaced"]["E"]) == len(tiles_of(answer["bonus"]["E"]))


def tiles_of(text: str) -> list[str]:
    return [str(each) for each in parse_tiles(text)] if text else []


def test_a_dead_wall_and_its_indicator() -> None:
    answer = found("--seed", "1", "--dice", "23", "--rules", walls("riichi-wall"))
    assert len(answer["dead_wall"]) == 14
    assert len(answer["wall"]) == 69
    assert answer["indicator"] == answer["dead_wall"][8]
    assert answer["tail"] == "E5.top"


def test_seeds_replay_and_differ() -> None:
    assert run("--seed", "0").stdout == run("--seed", "0").stdout != run("--seed", "1").stdout
    several = [json.loads(line) for line in run("--seed", "7", "--count", "3").stdout.splitlines()]
    assert [answer["index"] for answer in several] == [0, 1, 2]
    assert len({json.dumps(answer["hands"]) for answer in several}) == 3
    assert several[2] == found("--seed", "7", "--index", "2")
    assert [json.loads(run("--seed", "7", "--index", "1", "--count", "1").stdout)] == several[1:2]


def test_without_a_seed_one_is_drawn_and_printed() -> None:
    first, second = found(), found()
    assert first["seed"] != second["seed"]
    assert found("--seed", str(first["seed"])) == first
    assert run().stdout.startswith("jipinghu, seed ")


def test_the_wall_that_was_committed_to_can_be_given(tmp_path: Path) -> None:
    answer = found("--seed", "3", "--commit")
    text = answer["nonce"] + " " + answer["stacked"]
    assert answer["commitment"] == sha256(text.encode()).hexdigest()
    given = tmp_path / "wall.txt"
    given.write_text(f"# a wall\n{answer['stacked'][:60]}\n{answer['stacked'][60:]}\n", encoding="utf-8")
    dice = ",".join("".join(map(str, faces)) for faces in answer["dice"])
    again = found("--wall", str(given), "--dice", dice)
    assert (again["seed"], again["rng"]) == (None, None)
    same = [key for key in KEYS if key not in ("seed", "rng")]
    assert {key: again[key] for key in same} == {key: answer[key] for key in same}
    assert found("--seed", "3", "--wall", str(given))["dice"] == answer["dice"]


@pytest.mark.parametrize("form", ["text", "json", "jsonl"])
def test_verify(form: str, tmp_path: Path) -> None:
    said = run("--seed", "3", "--count", "2", "--commit", "--format", form).stdout
    path = tmp_path / "said"
    path.write_text(said, encoding="utf-8")
    result = run("--verify", str(path))
    assert result.exit_code == 0
    assert result.stdout.count(" holds: this is the wall that was committed to\n") == 2
    assert run("--verify", "-", given=said).stdout == result.stdout


@pytest.mark.parametrize("key", ["commitment", "nonce", "stacked"])
def test_a_changed_commitment_does_not_hold(key: str) -> None:
    answer = found("--seed", "3", "--commit")
    answer[key] = answer[key][:-2] + {"44z": "4z", "0z": "1z"}.get(answer[key][-2:], "00")
    result = run("--verify", "-", given=json.dumps(answer))
    assert result.exit_code == 1
    assert "does not hold: this is another wall" in result.stdout
    assert json.loads(run("--verify", "-", "--json", given=json.dumps(answer)).stdout)["holds"] is False


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no commitment in it"),
        ("{}", "a commitment is not whole: there is no commitment, nonce, stacked"),
        ('{"commitment": "a", "nonce": "b"}', "a commitment is not whole: there is no stacked"),
        ("commitment: a\nnonce: b\n", "a commitment is not whole: there is no stacked"),
        ("nonce: a\nnonce: b\n", "a commitment is not whole: there is no commitment, stacked"),
        ("{]", "neither JSON nor JSON Lines: "),
    ],
)
def test_commitments_that_cannot_be_read(text: str, message: str) -> None:
    result = run("--verify", "-", given=text)
    assert result.exit_code == 2
    assert message in result.stderr


def test_the_story_has_a_line_for_each_step() -> None:
    lines = run("--seed", "1", "--steps", "--rules", walls("guangdong")).stdout.splitlines()
    assert lines[1:6] == [
        "E round",
        "144 tiles stand in sides of 18 stacks",
        "E throws 4 + 1 + 1 = 6",
        "S throws 1 + 6 + 5 = 12",
        "S's wall is broken at S13 (stacks skipped: 12)",
    ]
    assert lines[18:22] == [
        "E takes N1.top N3.top: 4m5s",
        "S takes N1.bottom: 3f",
        "W takes N2.top: 8s",
        "N takes N2.bottom: 6z",
    ]
    assert "N lays out 1g and takes S11.top: 2m" in lines
    assert lines[-3:] == ["next draw N3.bottom, next replacement S11.bottom", "88 tiles to draw", "E discards first"]


def test_the_picture_shows_who_took_what() -> None:
    lines = run("--seed", "1", "--rules", walls("guangdong")).stdout.splitlines()
    assert lines[2] == "       " + " ::" * 18
    assert lines[15].endswith(" vEE S13")
    assert lines[14].endswith("  sn S12")
    assert lines[13].endswith("  n: S11")
    assert lines[-3] == "        NN NN WW WW SS SS EE EE NN NN WW WW SS SS EE EE NN NN"
    assert "".join(lines[2:-1]).count(":") == 88 + 1  # and one in the words "stacks skipped: 12"


@pytest.mark.parametrize("name", ["guangdong", "malaysia-3p", "riichi-wall", "mil"])
def test_drawing(name: str, tmp_path: Path) -> None:
    path = tmp_path / "table.svg"
    rules = ("--seed", "1", "--rules", walls(name))
    result = run(*rules, "--svg", str(path))
    assert result.exit_code == 0
    assert result.stdout == run(*rules).stdout
    answer = found(*rules)
    tree = ElementTree.fromstring(path.read_text(encoding="utf-8"))  # noqa: S314 - written above
    tag = "{http://www.w3.org/2000/svg}"
    colors = {each[0].text: each.get("fill") for each in tree.iter(f"{tag}rect") if len(each)}
    assert len(colors) == sum(len(tiles_of(text)) for key in ("hands", "bonus") for text in answer[key].values()) + len(
        answer["wall"] + answer.get("dead_wall", [])
    )
    for seat, places in answer["taken"].items():
        for place in places:
            names = [place] if "." in place else [f"{place}.top", f"{place}.bottom"]
            assert {colors[each] for each in names} == {COLORS[seat]}
    assert colors[answer["next"]] == COLORS[":"]
    assert sum(color == COLORS["x"] for color in colors.values()) == max(len(answer.get("dead_wall", [])) - 1, 0)
    texts = ["".join(each.itertext()) for each in tree.iter(f"{tag}text")]
    assert any(text.endswith(f"at {answer['taken']['E'][0]} (stacks skipped: {answer['skip']})") for text in texts)


def test_drawing_in_chinese(tmp_path: Path) -> None:
    path = tmp_path / "table.svg"
    assert run("--seed", "1", "--svg", str(path), "--tiles", "unicode", "--lang", "zh-Hant").exit_code == 0
    ElementTree.fromstring(path.read_text(encoding="utf-8"))  # noqa: S314 - written above


def test_chinese() -> None:
    text = run("--seed", "1", "--lang", "zh-Hant", "--tiles", "hanzi", "--steps").stdout
    assert "東擲骰 4 + 1 + 1 = 6" in text
    assert "东掷骰 4 + 1 + 1 = 6" in run("--seed", "1", "--lang", "zh-Hans", "--steps").stdout
    assert "南門開牌，隔12墩，自S13取" in text


@pytest.mark.parametrize("form", ["text", "table", "json", "jsonl", "csv", "tsv"])
@pytest.mark.parametrize("name", ["guangdong", "malaysia-3p", "riichi-wall", "mil"])
def test_every_format_of_every_table(form: str, name: str) -> None:
    result = run("--seed", "5", "--format", form, "--rules", walls(name))
    assert result.exit_code == 0
    assert len(result.stdout) > 400


def test_a_deal_of_a_game() -> None:
    answer = found("--seed", "1", "--game", "E SW draw W W N draw")
    # the round wind is S after four dealers; the first dealer is E again
    assert (answer["index"], answer["round"], answer["origin"], answer["repeats"]) == (7, "S", "E", 1)
    assert found("--seed", "1", "--game", "")["index"] == 0
    assert "first dealer of the game: N" in run("--seed", "1", "--game", "S draw").stdout
    malaysia = found("--seed", "1", "--rules", walls("malaysia"), "--game", "W draw=S")
    assert "round" not in malaysia
    assert malaysia["origin"] == "S"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--seed", "x"], "'x' is no seed (a whole number of 0 to 18446744073709551615)"),
        (["--seed", "18446744073709551616"], "'18446744073709551616' is no seed"),
        (["--dice", "233"], "3 dice are given, but 3 and 3 are thrown"),
        (["--dice", "233,457"], "'7' is no face of a die; write the throws as in 233,452"),
        (["--count", "0"], "invalid value for '--count': '0' is not a whole number of at least 1"),
        (["--index", "-1"], "invalid value for '--index': '-1' is not a whole number of at least 0"),
        (["--round", "X"], "invalid value for '--round': 'X' is none of E, S, W, N"),
        (["--game", "X"], "'X' is no result of deal 1"),
        (["--game", " ".join("SSSS" * 4)], "the game is over after 16 deals"),
        (["--game", "S", "--round", "S"], "--game says which round it is, without --round"),
        (["--game", "S", "--count", "2"], "--game is one deal, whose number follows from the results"),
        (["--wall", "-", "--count", "2"], "--wall is one deal, without --count"),
        (["--svg", "x.svg", "--count", "2"], "--svg is one deal, without --count"),
        (["--wall", "no-such-file"], "cannot use 'no-such-file'"),
        (["--json", "--format", "csv"], "--json is --format json, but --format csv was asked for"),
    ],
)
def test_refused(arguments: list[str], message: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith(f"mjcli: error: {message}")


def test_a_given_wall_names_what_is_wrong() -> None:
    full = "".join(f"{str(rank) * 4}{suit}" for suit in "mpsz" for rank in range(1, 8 if suit == "z" else 10))
    assert run("--wall", "-", "--seed", "1", given=full).exit_code == 0
    result = run("--wall", "-", "--seed", "1", given=full.replace("1111m", "1m1111p1m1m"))
    assert result.exit_code == 2
    assert "without 1m; too often 1p (4 times)" in result.stderr
    result = run("--wall", "-", "--seed", "1", given="123m8z")
    assert "no tile '8z' (ranks are 1-7) at column 5" in result.stderr
