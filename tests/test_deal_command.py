"""``mjcli deal``: pictures, stories, objects, given walls and dice, games, commitments; what it refuses."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner, Result

from mjcli.cli.drawing import COLORS
from mjcli.cli.main import app
from mjcli.cli.table import Around, Words, cells_of, marks_of, picture
from mjcli.dealing import deal
from mjcli.melds import Seat
from mjcli.notation import format_tiles, parse_tiles, styles
from mjcli.ruleset import load_ruleset
from mjcli.tiles import tile

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
    path = WALLS / f"{name}.yaml"
    return str(path) if path.exists() else name


def test_keys_of_the_contract() -> None:
    answer = found("--seed", "1", "--dice", "233,452", "--rules", "guangdong-xinzhang")
    assert list(answer) == KEYS
    assert (answer["ruleset"], answer["seed"], answer["index"], answer["dealer"]) == ("guangdong-xinzhang", 1, 0, "E")
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
    answer = found("--seed", "1", "--dice", "23", "--rules", walls("riichi"))
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
    follows = "" if form == "text" else ", and the deal follows from it"
    assert result.stdout.count(f" holds: this is the wall that was committed to{follows}\n") == 2
    assert run("--verify", "-", given=said).stdout == result.stdout


def test_text_tells_by_which_ruleset_it_was_dealt() -> None:
    said = run("--seed", "3", "--commit", "--rules", "guangdong-xinzhang", "--set", "flowers=false").stdout
    result = run("--verify", "-", given=said)
    assert result.exit_code == 2
    assert "the deal is not by ruleset jipinghu, but by guangdong-xinzhang flowers=false; name it" in result.stderr
    rules = ("--rules", "guangdong-xinzhang", "--set", "flowers=false")
    assert run("--verify", "-", *rules, given=said.replace("\n", "\r\n")).exit_code == 0
    lines = [line for line in said.splitlines() if line.partition(":")[0] in ("commitment", "nonce", "stacked")]
    assert run("--verify", "-", *rules, given="\n".join(lines)).exit_code == 0


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        ({"seed": 4}, "neither wall nor dice are those of seed 4, deal 0"),
        ({"index": 7}, "neither wall nor dice are those of seed 3, deal 7"),
        ({"seed": -1}, "seed -1 is not a whole number of 0 to 18446744073709551615"),
        ({"seed": "3"}, "'seed' and 'index' are no whole numbers"),
        ({"index": True}, "'seed' and 'index' are no whole numbers"),
        ({"rng": "dice"}, "'rng' is not philox4x32-10/fisher-yates/1, the generator that this version knows"),
    ],
)
def test_a_seed_that_is_told_has_to_give_wall_or_dice(keys: dict[str, Any], reason: str) -> None:
    said = found("--seed", "3", "--commit")
    result = run("--verify", "-", given=json.dumps({**said, **keys}))
    assert (result.exit_code, result.stdout) == (1, f"{said['commitment']} does not hold: {reason}\n")


@pytest.mark.parametrize("given", [("--dice", "111,666"), ("--wall",), ("--dice", "111,666", "--wall")])
def test_a_seed_with_given_dice_or_a_given_wall_holds(given: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "wall"
    path.write_text(found("--seed", "9", "--commit")["stacked"], encoding="utf-8")
    said = found("--seed", "3", "--commit", *given, *([str(path)] if given[-1] == "--wall" else []))
    assert run("--verify", "-", given=json.dumps(said)).exit_code == 0


def test_the_digest_of_an_object_goes_to_standard_error_first() -> None:
    result = run("--seed", "3", "--commit", "--json")
    assert result.stderr == f"mjcli: deal 0: commitment {json.loads(result.stdout)['commitment']}\n"


@pytest.mark.parametrize("form", ["json", "csv"])
def test_processes_make_the_same_deals(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ("--seed", "5", "--index", "7", "--count", "300", "--format", form, "--set", "dice=one_summed")
    one = run(*asked).stdout
    assert one.count("\n") >= 300
    monkeypatch.setattr("mjcli.cli.deals.PIECE", 70)
    assert run(*asked, "--jobs", "2").stdout == one


def test_verify_a_packed_file(tmp_path: Path) -> None:
    path = tmp_path / "said.jsonl.gz"
    assert run("--seed", "3", "--commit", "-f", "jsonl", "-o", str(path)).exit_code == 0
    assert " holds: this is the wall that was committed to" in run("--verify", str(path)).stdout


def test_the_commitment_is_said_before_the_seed_that_would_tell_the_wall() -> None:
    lines = run("--seed", "3", "--commit").stdout.splitlines()
    assert lines[0].startswith("commitment: ")
    assert lines[1] == "jipinghu, seed 3, deal 0"


def test_a_nonce_makes_a_commitment_again_once_the_dice_are_thrown() -> None:
    nonce = "0123456789abcdef" * 2
    before = found("--seed", "3", "--commit", "--nonce", nonce)
    after = found("--seed", "3", "--commit", "--nonce", nonce, "--dice", "111,666")
    assert after["commitment"] == before["commitment"] == sha256(f"{nonce} {before['stacked']}".encode()).hexdigest()
    assert after["dice"] == [[1, 1, 1], [6, 6, 6]] != before["dice"]
    seen = ("--verify", "-", "--seen", before["commitment"].upper())
    assert run(*seen, given=json.dumps(after)).exit_code == 0
    other = found("--seed", "4", "--commit")
    result = run(*seen, given=json.dumps([after, other]))
    assert result.exit_code == 1
    assert f"{other['commitment']} does not hold: this commitment was not shown before\n" in result.stdout
    result = run(*seen, given=json.dumps(other))
    assert result.exit_code == 2
    assert f"nothing is told of the commitment '{before['commitment']}', which was shown before" in result.stderr


def changed(answer: dict[str, Any], key: str) -> dict[str, Any]:
    """A deal in which a cheat has changed something."""
    changes = {
        "commitment": answer["commitment"][:-2] + "zz",
        "nonce": answer["nonce"][:-2] + "zz",
        "stacked": answer["stacked"].replace("1", "2", 1),
        "hands": {**answer["hands"], "E": answer["hands"]["S"]},
        "dealt": {**answer["dealt"], "E": answer["dealt"]["S"]},
        "dice": [*answer["dice"][:1], [1, 1, 1]],
        "wall": answer["wall"][::-1],
        "next": "E1.top",
    }
    return {**answer, key: changes[key]}


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        *((key, "this is another wall, or another nonce") for key in ("commitment", "nonce", "stacked")),
        *((key, f"'{key}' does not follow from the wall and the dice") for key in ("hands", "dealt", "wall", "next")),
        ("dice", "'skip' does not follow from the wall and the dice"),
    ],
)
def test_what_was_changed_does_not_hold(key: str, reason: str) -> None:
    text = json.dumps(changed(found("--seed", "3", "--commit"), key))
    result = run("--verify", "-", given=text)
    assert result.exit_code == 1
    assert result.stdout.endswith(f" does not hold: {reason}\n")
    answer = json.loads(run("--verify", "-", "--json", given=text).stdout)
    assert (answer["holds"], answer["reason"]) == (False, reason)
    csv = run("--verify", "-", "--format", "csv", given=text).stdout.splitlines()
    assert csv[0] == "commitment,holds,reason,error"
    assert ",false," in csv[1]
    assert "false" in run("--verify", "-", "--format", "table", given=text).stdout


@pytest.mark.parametrize("dice", [None, [6, 6], [["6", "6", "6"], ["1", "1", "1"]], [[1, 1, 9], [1, 1, 1]], [[1]]])
def test_dice_that_cannot_be_do_not_hold(dice: Any) -> None:
    answer = {**found("--seed", "3", "--commit"), "dice": dice}
    result = run("--verify", "-", given=json.dumps(answer))
    assert result.exit_code == 1
    assert " does not hold: " in result.stdout
    assert "dice" in result.stdout or "die" in result.stdout


@pytest.mark.parametrize(
    ("stacked", "reason"),
    [
        ("without", "the wall is not that of the ruleset: without 1m; too often 2m"),
        ("unreadable", "no tile '9z' (ranks are 1-7) at column 1"),
    ],
)
def test_a_digest_of_no_whole_wall_does_not_hold(stacked: str, reason: str) -> None:
    answer = found("--seed", "3", "--commit")
    tiles = parse_tiles(answer["stacked"])
    at = next(number for number, each in enumerate(tiles) if str(each) == "1m")
    text = {
        "without": format_tiles([*tiles[:at], tile("2m"), *tiles[at + 1 :]]),
        "unreadable": "9z" + answer["stacked"],
    }[stacked]
    digest = sha256(f"{answer['nonce']} {text}".encode()).hexdigest()
    lines = f"commitment: {digest}\nnonce: {answer['nonce']}\nstacked: {text}\n"
    result = run("--verify", "-", given=lines)
    assert result.exit_code == 1
    assert result.stdout == f"{digest} does not hold: {reason}\n"


def test_options_are_told_and_verified_with() -> None:
    rules = ("--rules", "guangdong-xinzhang", "--set", "flowers=false")
    said = found("--seed", "3", "--commit", *rules)
    assert said["options"] == {"flowers": "false"}
    assert run("--verify", "-", *rules, given=json.dumps(said)).exit_code == 0
    assert run("--seed", "3", *rules).stdout.startswith("guangdong-xinzhang flowers=false, seed 3, deal 0\n")
    result = run("--verify", "-", given=json.dumps(said))
    assert result.exit_code == 2
    assert (
        "the deal is not by ruleset jipinghu, but by guangdong-xinzhang flowers=false; name it with --rules and --set"
        in result.stderr
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no commitment, such as 'mjcli deal --commit' prints"),
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
    lines = run("--seed", "1", "--steps", "--rules", "guangdong-xinzhang").stdout.splitlines()
    assert lines[1:6] == [
        "E round (the round marker is before E)",
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
    lines = run("--seed", "1", "--rules", "guangdong-xinzhang").stdout.splitlines()
    assert lines[2] == "       " + " ::" * 18
    assert lines[15].endswith(" vEE S13")
    assert lines[14].endswith("  sn S12")
    assert lines[13].endswith("  n: S11")
    assert lines[-4] == "        NN NN WW WW SS SS EE EE NN NN WW WW SS SS EE EE NN NN"
    assert "".join(lines[2:-2]).count(":") == 88 + 1  # and one in the words "stacks skipped: 12"


@pytest.mark.parametrize("name", ["guangdong-xinzhang", "malaysia-3p", "riichi", "mil", "malaysia-164"])
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


@pytest.mark.parametrize("name", ["guangdong-xinzhang", "malaysia-3p", "riichi", "malaysia-164"])
@pytest.mark.parametrize("language", [0, 1])
def test_pictures_keep_within_a_terminal(name: str, language: int) -> None:
    made = deal(load_ruleset(walls(name)), seed=1)
    marks = marks_of(made)

    def lines(columns: int | None) -> list[str]:
        words = Words(language, lambda tiles: styles.format_tiles(tiles, "hanzi"), columns)
        *shown, players, others = picture(made, words, Around(Seat.E))
        assert players.startswith("E S W N")
        assert "'?'" in others or "「?」" in others
        assert max(cells_of(players), cells_of(others)) <= 60
        return shown

    whole = lines(None)
    widest = max(map(cells_of, whole))
    assert lines(widest) == whole
    right = {cells_of(line[: -len(found[0])]) for line in whole if (found := re.findall(r"S\d+$", line))}
    assert len(right) == 1  # the names of the side at the right stand below each other
    narrow = lines(widest - 1)
    assert max(map(cells_of, narrow)) <= max(3 * max(made.wall.sides.lengths) + 1, 60)
    for line, seat in zip(narrow[1:], made.wall.sides.seats[:1] + made.wall.sides.seats[:0:-1], strict=False):
        length = made.wall.sides.lengths[seat.number]
        assert line.replace(">", " ").split() == [seat.value, *(marks[f"{seat}{n}"] for n in range(1, length + 1))]
    assert "".join(narrow).count(">") == 1
    assert any(narrow[-1] in line for line in whole)


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
@pytest.mark.parametrize("name", ["guangdong-xinzhang", "malaysia-3p", "riichi", "mil", "malaysia-164"])
def test_every_format_of_every_table(form: str, name: str) -> None:
    result = run("--seed", "5", "--format", form, "--rules", walls(name))
    assert result.exit_code == 0
    assert len(result.stdout) > 400


def test_a_deal_of_a_game() -> None:
    answer = found("--seed", "1", "--game", "E SW draw W W N draw")
    # the round wind is S after four dealers; the first dealer is E again
    assert (answer["index"], answer["round"], answer["origin"], answer["repeats"]) == (7, "S", "E", 1)
    assert found("--seed", "1", "--game", "")["index"] == 0
    assert "first dealer of the game: E (by the origin marker)" in run("--seed", "1", "--game", "").stdout
    assert "first dealer of the game: N (by the origin marker)" in run("--seed", "1", "--game", "S draw").stdout
    malaysia = found("--seed", "1", "--rules", "malaysia-4p", "--game", "W draw=S")
    assert "round" not in malaysia
    assert malaysia["origin"] == "S"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--seed", "x"], "'x' is no seed (a whole number of 0 to 18446744073709551615)"),
        (["--seed", "18446744073709551616"], "'18446744073709551616' is no seed"),
        (["--dice", "233"], "3 dice are given, but 3 and 3 are thrown"),
        (
            ["--dice", "233,457"],
            "'7' is no face of a die (1-6), nor a comma between throws at column 7\n    233,457\n          ^\n",
        ),
        (["--count", "0"], "invalid value for '--count': '0' is not a whole number of at least 1"),
        (
            ["--index", "9" * 20],
            f"invalid value for '--index': '{'9' * 20}' is too great: whole numbers have fewer than 20 digits here",
        ),
        (["--index", "-1"], "invalid value for '--index': '-1' is not a whole number of at least 0"),
        (["--round", "X"], "invalid value for '--round': 'X' is none of E, S, W, N"),
        (["--game", "X"], "'X' is no result of deal 1"),
        (["--game", " ".join("SSSS" * 4)], "the game is over after 16 deals"),
        (["--game", "S", "--round", "S"], "--game says which round it is, without --round"),
        (["--game", "S", "--count", "2"], "--game is one deal, whose number follows from the results"),
        (["--wall", "-", "--count", "2"], "--wall is one deal, without --count"),
        (["--nonce", "ab" * 16, "--commit", "--count", "2"], "--nonce is one deal, without --count"),
        (["--nonce", "ab" * 16], "--nonce is for --commit"),
        (["--nonce", "abc", "--commit"], "'abc' is no nonce (32 to 128 of the digits 0-9 a-f)"),
        (["--seen", "abc"], "--seen is for --verify"),
        (["--verify", "-", "--seed", "0"], "--verify deals nothing, so --seed says nothing"),
        (["--verify", "-", "--steps"], "--verify deals nothing, so --steps says nothing"),
        (["--svg", "-"], "--svg is a file; standard output has the deal"),
        (["--svg", "x.svg", "-o", "./x.svg"], "--svg and --output are the same file"),
        (["--wall", "x.txt", "-o", "./x.txt"], "--wall and --output are the same file"),
        (["--wall", "x.txt", "--svg", "./x.txt"], "--wall and --svg are the same file"),
        (["--verify", "x.txt", "-o", "./x.txt"], "--verify and --output are the same file"),
        (["--svg", "no-such-place/x.svg"], "cannot use 'no-such-place/x.svg'"),
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
    for nothing in ("", "# no more\n"):
        assert run("--wall", "-", "--seed", "1", given=nothing).stderr.startswith(
            "mjcli: error: line 1 of standard input: no tiles at column 1\n"
        )
    result = run("--wall", "-", "--seed", "1", given=full.replace("1111m", "1m1111p1m1m"))
    assert result.exit_code == 2
    assert "without 1m; too often 1p (4 times)" in result.stderr
    result = run("--wall", "-", "--seed", "1", given=f"# the wall\n{full[:40]}\n\n123m8z\n{full[40:]}")
    assert result.stderr == (
        "mjcli: error: line 4 of standard input: no tile '8z' (ranks are 1-7) at column 5\n    123m8z\n        ^\n"
    )
