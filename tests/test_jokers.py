"""Jokers 飛 in hands: their readings against every tile tried, what shanten and waits say, how score shows them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations_with_replacement
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from typer.testing import CliRunner

from mjcli.acceptance import acceptance, discards, waits
from mjcli.cli.main import app
from mjcli.columns import COLUMNS, added_tiles
from mjcli.distance import forms_shanten
from mjcli.errors import HandError, NotationError
from mjcli.forms import DEFAULT_FORMS, fillings
from mjcli.hand import Hand, Line
from mjcli.notation import format_hand, format_tiles, parse_hand, parse_line, parse_tiles
from mjcli.readings import Reading, readings
from mjcli.ruleset import load_ruleset
from mjcli.scoring import MOST_WITH_JOKERS, StandIn, evaluations, score
from mjcli.tiles import JOKER_KIND, TILES, tile
from tests.plain import ALL_FORMS, KINDS, is_complete, plain_readings_of, random_win
from tests.random_malaysia_3p import THEMES, joker_win
from tests.rulesets import small_ruleset

JOKER: Final = TILES[JOKER_KIND]
MALAYSIA: Final = load_ruleset("malaysia-3p")
PLAYED: Final = [TILES[kind] for kind in (*MALAYSIA.tiles.plain_kinds, JOKER_KIND)]
"""The tiles of three players, the joker last."""


def with_jokers(rng: Random, line: Line, count: int, *, won: bool) -> Line:
    """Return a line with jokers in place of some of its concealed tiles; ``won`` says whether on one of them."""
    assert line.hand.win is not None
    tiles = [line.hand.win, *line.hand.concealed]
    others = rng.sample(range(1, len(tiles)), min(count - won, len(tiles) - 1))
    for place in (0, *others) if won else others:
        tiles[place] = JOKER
    return Line(hand=replace(line.hand, concealed=tuple(tiles[1:]), win=tiles[0]))


def every_reading(line: Line, kinds: list[str]) -> Counter[tuple[Any, ...]]:
    """Return, by trying every kind for each joker, what they stand for, the winning tile and the plain reading."""
    assert line.hand.win is not None
    every = [*line.hand.concealed, line.hand.win]
    plain = [KINDS[each.kind] for each in every if not each.is_joker]
    found: Counter[tuple[Any, ...]] = Counter()
    for meaning in combinations_with_replacement(kinds, len(every) - len(plain)):
        tiles = sorted([*plain, *meaning])
        if max(Counter(tiles).values()) <= 4:
            for win in set(meaning) if line.hand.win.is_joker else {KINDS[line.hand.win.kind]}:
                for reading in plain_readings_of(tiles, win, len(line.hand.melds), ALL_FORMS):
                    found[meaning, win, reading] += 1
    return found


def shown(reading: Reading) -> tuple[Any, ...]:
    """Return a reading as ``every_reading`` writes it."""
    sets = tuple(sorted(tuple(map(str, group.tiles)) for group in reading.sets))
    pair = str(reading.pair) if reading.pair else ""
    assert reading.win is not None
    return tuple(map(str, reading.jokers)), KINDS[reading.win.kind], (reading.form, sets, pair, reading.wait)


@pytest.mark.parametrize(("jokers", "hands", "kinds"), [(1, 20, 34), (2, 5, 34), (3, 9, 8), (4, 9, 6)])
def test_readings_are_those_of_every_tile_tried(jokers: int, hands: int, kinds: int) -> None:
    rng = Random(f"jokers {jokers}")
    complete = 0
    for turn in range(hands):
        whole = random_win(rng)
        line = with_jokers(rng, whole, jokers, won=turn % 3 == 0)
        lost = {KINDS[each.kind] for each in (*whole.hand.concealed, whole.hand.win) if each}
        some = sorted({*rng.sample(sorted(lost), min(kinds // 2, len(lost))), *rng.sample(KINDS, kinds // 2)})
        stand_ins = sorted(KINDS if kinds == len(KINDS) else some, key=KINDS.index)
        found = Counter(map(shown, readings(line, ALL_FORMS, stand_ins=[KINDS.index(each) for each in stand_ins])))
        assert found == every_reading(line, stand_ins), format_hand(line.hand)
        complete += bool(found)
    assert complete > hands / 3


def joker_lines(name: str, count: int, shares: Sequence[float] = (0, 0.4, 0.4, 0.15, 0.05)) -> list[Line]:
    """Return wins of three players with jokers; three in ten have another tile, so that most of those are no wins."""
    rng = Random(name)
    wins = (joker_win(rng, rng.choice(list(THEMES)), {}, shares, near=rng.random() < 0.3) for _ in range(count))
    return [parse_line(win.line()) for win in wins]


# readings


@pytest.mark.parametrize("melded", range(4, 8))
def test_eight_of_a_tile_are_seven(melded: int) -> None:
    concealed = 8 - melded
    others = 0o204
    assert added_tiles(melded << 3, concealed << 3 | others << 6) == 0o70 | others << 6
    assert added_tiles(others | melded << 9, concealed << 9) == 0o7000 | others


def test_jokers_lie_in_the_groups_that_they_complete() -> None:
    of_jokers_alone = 0
    for line in joker_lines("groups", 40):
        for each in readings(line):
            assert sorted(tile for tiles in each.filled for tile in tiles) == list(each.jokers)
            for group, tiles in zip(each.groups, each.filled, strict=True):
                assert not Counter(tiles) - Counter(group.tiles)
                of_jokers_alone += len(tiles) == len(group.tiles)
            won = [place for place, group in enumerate(each.groups) if group == each.won]
            if each.won_on_joker:
                assert each.win in each.filled[won[0]]
            else:
                left = Counter(each.groups[won[-1]].tiles) - Counter(each.filled[won[-1]])
                assert each.win in left, (format_hand(line.hand), each)
    assert of_jokers_alone


def test_every_reading_has_every_column_and_counts_its_jokers() -> None:
    for line in joker_lines("columns", 60):
        on_table = sum(len(meld.jokers) for meld in line.hand.melds)
        for each in readings(line):
            assert set(each.columns) == set(COLUMNS)
            assert each.columns["jokers"] == len(each.jokers) + on_table


def test_a_hand_waited_on_the_kinds_that_would_have_completed_it() -> None:
    for line in joker_lines("waits", 4, shares=(0, 1, 0, 0, 0)):
        found = {each.columns["waits"] for each in readings(line)}
        assert found <= {len(kinds_waited_on(line.hand))}, format_hand(line.hand)


def kinds_waited_on(hand: Hand) -> list[str]:
    """Return the kinds that complete a hand and of which it has not four, by trying every tile for each joker."""
    before = replace(hand, win=None, self_drawn=False)
    plain = [KINDS[each.kind] for each in before.concealed if not each.is_joker]
    held = {kind: before.held()[place] for place, kind in enumerate(KINDS)}
    return [
        kind
        for kind in KINDS
        if held[kind] < 4 and any(is_whole([*plain, *meaning, kind], hand) for meaning in meanings(before.jokers))
    ]


def meanings(jokers: int) -> Iterator[tuple[str, ...]]:
    return combinations_with_replacement(KINDS, jokers)


def is_whole(tiles: list[str], hand: Hand) -> bool:
    return max(Counter(tiles).values()) <= 4 and is_complete(sorted(tiles), len(hand.melds), DEFAULT_FORMS)


ORPHANS = "1m7z 9m7z 1p7z 9p7z 1s7z 9s7z 17z 27z 37z 47z 57z 67z 77z"


@pytest.mark.parametrize(
    ("text", "sets", "form", "rule", "jokers", "found"),
    [
        ("13m5z", 1, "standard", "", 2, "2m5z"),
        ("1112m", 1, "standard", "", 1, "2m 3m"),
        ("1m", 0, "standard", "", 1, "1m"),
        ("1111m", 1, "standard", "", 1, ""),
        ("14m5z", 1, "standard", "", 2, ""),
        ("1122334455667m", 4, "seven-pairs", "different", 1, "7m"),
        ("1111223344557m", 4, "seven-pairs", "four", 1, "7m"),
        ("1111223344557m", 4, "seven-pairs", "different", 1, ""),
        ("19m19p19s123456z", 4, "thirteen-orphans", "", 2, ORPHANS),
        ("19m19p19s123456z", 3, "thirteen-orphans", "", 2, ""),
    ],
)
def test_fillings(text: str, sets: int, form: str, rule: str, jokers: int, found: str) -> None:
    counts = [0] * len(KINDS)
    for each in parse_tiles(text):
        counts[each.kind] += 1
    before = counts.copy()
    choices = fillings(counts, sets, jokers, range(len(KINDS)), form, rule)
    assert [format_tiles(TILES[kind] for kind in kinds) for kinds in choices] == found.split()
    assert counts == before
    if found:
        first = parse_tiles(found)[0].kind
        others = fillings(counts, sets, jokers, range(first + 1, len(KINDS)), form, rule)
        assert first not in {kind for kinds in others for kind in kinds}


# shanten, waits and discards, by the 84 tiles of three players


def test_a_hand_is_complete_where_its_shanten_says_so() -> None:
    """Also where a joker has to be a fifth tile, beside four in a kong, or makes a pung that lies on the table too."""
    lines = joker_lines("shanten", 150)
    fifth = [parse_line(text) for text in ("1367899p55z1j,2222po+5z", "5p1z11j,111z,222z,333z+5p")]
    assert all(score(line, MALAYSIA).complete for line in fifth)
    complete = 0
    for line in (*lines, *fifth):
        shanten = forms_shanten(line.hand, MALAYSIA.forms)["standard"]
        assert score(line, MALAYSIA).complete is (shanten == -1), format_hand(line.hand)
        complete += shanten == -1
    assert 90 < complete < 150


def test_waits_are_the_tiles_with_which_score_is_complete() -> None:
    for line in joker_lines("waits and score", 30):
        hand = replace(line.hand, win=None, self_drawn=False)
        found = waits(hand, forms=MALAYSIA.forms, tiles=MALAYSIA.tiles)
        left = {each: MALAYSIA.tiles.copies[each.kind] - hand.held()[each.kind] for each in PLAYED}
        complete = {
            each
            for each in PLAYED
            if left[each] and score(Line(hand=replace(hand, win=each, self_drawn=True)), MALAYSIA).complete
        }
        assert {wait.tile: wait.left for wait in found.live} == {each: left[each] for each in complete}


def test_what_is_accepted_brings_a_hand_nearer_and_nothing_else_does() -> None:
    rng = Random("acceptance")
    deck = [each for each in PLAYED for _ in range(MALAYSIA.tiles.copies[each.kind])]
    seen_shanten = set()
    for _ in range(60):
        hand = Hand(concealed=tuple(rng.sample(deck, 13)))
        found = acceptance(hand, forms=MALAYSIA.forms, tiles=MALAYSIA.tiles)
        seen_shanten.add(found.shanten)
        nearer = {
            each: MALAYSIA.tiles.copies[each.kind] - hand.held()[each.kind]
            for each in PLAYED
            if hand.held()[each.kind] < 4
            and forms_shanten(replace(hand, win=each), MALAYSIA.forms)["standard"] == found.shanten - 1
        }
        assert {wait.tile: wait.left for wait in found.accepts} == nearer
        assert found.kinds == len(nearer)
    assert len(seen_shanten) >= 4


def test_discards_may_be_jokers_and_accept_only_tiles_of_the_set() -> None:
    rng = Random("discards")
    plain = [each for each in PLAYED[:-1] for _ in range(4)]
    for _ in range(15):
        hand = Hand(concealed=(*rng.sample(plain, 12), JOKER, JOKER))
        found = discards(hand, forms=MALAYSIA.forms, tiles=MALAYSIA.tiles)
        assert {each.tile for each in found} == set(hand.concealed)
        for each in found:
            rest = list(hand.concealed)
            rest.remove(each.tile)
            after = acceptance(Hand(concealed=tuple(rest)), [each.tile], forms=MALAYSIA.forms, tiles=MALAYSIA.tiles)
            assert (each.shanten, each.accepts) == (after.shanten, after.accepts)
            assert {wait.tile for wait in each.accepts} <= set(PLAYED)


def test_fewer_players_and_tiles_change_nothing_without_a_ruleset() -> None:
    found = waits(parse_hand("123m456p789s1z111j"))
    assert JOKER not in [wait.tile for wait in found.live]
    assert {wait.tile.suit for wait in found.live} == {*"mpsz"}


# score


def test_equal_values_take_the_lowest_tiles() -> None:
    """Big dragons are worth the limit whatever stands in the fourth set and the pair."""
    found = score(parse_line("9p111j1f,555z,666z,777z++9p"), MALAYSIA)
    assert found.best is not None
    assert found.jokers == tuple(StandIn(tile("1p"), "hand") for _ in range(3))
    every = sorted(evaluations(found.line, MALAYSIA), key=lambda each: each.rank, reverse=True)
    equal = [each.reading.jokers for each in every if each.rank == every[0].rank]
    assert equal[0] == min(equal)
    assert (len(found.others), found.more) == (MOST_WITH_JOKERS - 1, len(every) - MOST_WITH_JOKERS)


def test_the_best_meaning_of_special_forms(tmp_path: Path) -> None:
    """Jokers in a ruleset with all forms: the reading that is worth most wins, whatever its form."""
    values = {"standard": 1, "seven_pairs": 2, "thirteen_orphans": 3, "knitted": 4}
    patterns = [{"id": f"p_{form}", "fan": str(fan), "when": f"form == {form}"} for form, fan in values.items()]
    patterns += [{"id": "wide", "fan": "10", "when": "waits >= 13"}]
    forms = {"standard": "true", "seven_pairs": "different", "thirteen_orphans": "true", "knitted": "true"}
    path = small_ruleset(tmp_path, patterns, forms=forms, tiles={"m": "4", "p": "4", "s": "4", "z": "4", "1j": "4"})
    ruleset = load_ruleset(str(path), cache=False)
    for text, form, stands in (
        ("112233445566m1j+7m", "seven-pairs", "7m"),
        ("112233445566m7m+1j", "seven-pairs", "7m"),
        ("19m19p19s123456z1j+7z", "thirteen-orphans", "1m"),
        ("147m258p369s1234z+1j", "knitted", "5z"),
        ("111222333444m1j+5z", "standard", "5z"),
    ):
        found = score(parse_line(text), ruleset)
        assert found.best is not None, text
        assert found.best.reading.form == form, text
        assert [str(each.tile) for each in found.jokers] == [stands], text
    wide = score(parse_line("19m19p19s123456z1j+7z"), ruleset)
    assert "wide" in {each.pattern.id for each in wide.patterns}


@pytest.mark.parametrize(
    ("rules", "settings", "line", "column", "message"),
    [
        ("hongkong", {}, "123m456p777z1j", 13, "'1j' is not among the tiles of this ruleset"),
        ("malaysia-4p", {}, "123m456p77z,12p1j=3p", 16, "'1j' is not among the tiles of this ruleset"),
        ("malaysia-3p", {}, "123p456p7z,333z1j=3zo", 12, "no joker stands in a kong by malaysia-3p"),
        ("malaysia-3p", {}, "123p456p77z,333zx seat=S", 13, "nobody sits across: E, S and W play malaysia-3p"),
        ("malaysia-3p", {}, "123p456p77z seat=N", 13, "nobody sits at N: E, S and W play malaysia-3p"),
        ("malaysia-3p", {}, "123p456p77z seat=S from=N", 20, "nobody sits at N: E, S and W play malaysia-3p"),
        ("malaysia-3p", {}, "123p456p77z seat=S from=x", 20, "nobody sits across: E, S and W play malaysia-3p"),
        ("malaysia-3p", {}, "123p456p77z liable=N", 13, "nobody sits at N: E, S and W play malaysia-3p"),
        ("malaysia-3p", {}, "123p456p77z winners=3", 13, "3 winners and a discarder: E, S and W play malaysia-3p"),
        ("malaysia-3p", {}, "123p1s", 5, "'1s' is not among the tiles of this ruleset"),
        ("malaysia-3p", {"joker_tile": "1s"}, "123p1s2s", 7, "'2s' is not among the tiles of this ruleset"),
        ("malaysia-3p", {"joker_tile": "1s"}, "123p1s1s1s1j1s", 13, "5 copies of '1j', where a set has 4"),
        ("malaysia-4p", {}, "123m456p77z,123m", 13, "no chow from '1m' is claimed by malaysia-4p: chows of p only"),
    ],
)
def test_what_a_ruleset_does_not_know_has_its_column(
    rules: str, settings: dict[str, str], line: str, column: int, message: str
) -> None:
    ruleset = load_ruleset(rules, settings)
    with pytest.raises(NotationError) as caught:
        parse_line(line, tiles=ruleset.tiles, check=ruleset.check)
    assert (caught.value.message, caught.value.column) == (message, column)


def test_the_library_refuses_them_too() -> None:
    for text in ("123456p22z78p1a,333z+9p seat=N", "123456p22z78p1a,333zx+9p", "12378p22z,333z1j=3zo,555z+9p"):
        with pytest.raises(HandError) as caught:
            score(parse_line(text), MALAYSIA)
        assert caught.value.code == "not-in-ruleset"


def test_birds_are_read_as_jokers_everywhere() -> None:
    birds = load_ruleset("malaysia-3p", {"joker_tile": "1s"}).tiles
    line = parse_line("1s34p5z,12p1s=3p,111z,222z+1s seen=1s", tiles=birds)
    assert format_hand(line.hand) == "34p5z1j,12p1j=3p,111z,222z+1j"
    assert line.context.seen == (JOKER,)
    assert parse_hand("1s345p", tiles=birds).jokers == 1
    rules = load_ruleset("malaysia-3p", {"joker_tile": "1s"})
    for text in ("1233455677899p1a+1s", "1233455677899p1s1a", "1233455677899p1a+1j"):
        found = score(parse_line(text), rules)
        assert (found.fan, found.jokers) == (5, (StandIn(tile("6p"), "win"),)), text
    with pytest.raises(HandError, match="'1s' is the joker"):
        replace(birds, copies=tuple(4 for _ in birds.copies))


# the command line


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments), prog_name="mjcli", env={"MJCLI_RULES": None})
    return result.stdout


HAND = "457899p22z11j1f3a,12p1j=3p++1j"


def test_text_and_table_say_what_jokers_stand_for() -> None:
    assert run("score", "--rules", "malaysia-3p", HAND) == "10 fan, 200 points: Four jokers 10; jokers as 6p 9p 3p 3p\n"
    hanzi = run("score", "--rules", "malaysia-3p", HAND, "--lang", "zh-Hant", "--tiles", "hanzi")
    assert hanzi == "10 番, 200 分: 四飛 10; 飛作 六筒 九筒 三筒 三筒\n"
    rows = [row.split() for row in run("score", "--rules", "malaysia-3p", HAND, "-f", "table").splitlines()[2:]]
    assert rows == [[HAND, "10", "200", "Four", "jokers", "10"], ["jokers", "as", "6p", "9p", "3p", "3p"]]


def test_json_and_columns_say_where_each_joker_is() -> None:
    said = json.loads(run("score", "--rules", "malaysia-3p", HAND, "--json"))
    assert said["jokers"] == [
        {"as": "6p", "in": "hand"},
        {"as": "9p", "in": "hand"},
        {"as": "3p", "in": "win"},
        {"as": "3p", "in": "meld"},
    ]
    assert said["reading"]["sets"] == ["45p1j=3p", "78p1j=6p", "99p1j=9p", "12p1j=3p"]
    assert (said["reading"]["pair"], said["reading"]["won_set"]) == ("22z", "45p1j=3p")
    header, row = (line.split("\t") for line in run("score", "--rules", "malaysia-3p", HAND, "-f", "tsv").splitlines())
    assert row[header.index("jokers")] == "6p:hand 9p:hand 3p:win 3p:meld"
    plain = json.loads(run("score", "--rules", "malaysia-3p", "12345678923p55z1f+4p", "--json"))
    assert "jokers" not in plain


def test_explanations_say_what_jokers_stand_for() -> None:
    text = run("score", "--rules", "malaysia-3p", HAND, "--explain")
    assert "jokers as  6p (hand), 9p (hand), 3p (winning tile), 3p (meld)" in text
    assert "reading    standard 45p1j=3p 78p1j=6p 99p1j=9p 12p1j=3p 22z" in text
    said = json.loads(run("score", "--rules", "malaysia-3p", HAND, "--explain", "--json"))["explain"]
    assert len(said["other_readings"]) == MOST_WITH_JOKERS - 1
    assert f"and {said['more_readings']} more" in text


def test_waits_under_the_ruleset_list_jokers_with_their_value() -> None:
    said = json.loads(run("waits", "--rules", "malaysia-3p", "1233455677899p1a", "--json"))
    assert {wait["tile"]: (wait["left"], wait["fan"]) for wait in said["waits"]}["1j"] == (4, 5)
    assert run("shanten", "--rules", "malaysia-3p", "1233455677899p1j") == "-1\n"
    last = run("discards", "--rules", "malaysia-3p", "1233455677899p1j").split("; ")[-1]
    assert last == "1j 0 6p:3 9p:2 1j:3\n"


def test_the_worst_hands_are_answered() -> None:
    """Four jokers, beside tiles of one suit that go together in many ways: 34 times 34 times 34 times 34 tries each."""
    for text in ("3334445556p111j1f+1j", "1223344567p111j1f+1j", "2345p111j1f,333z,555z+1j", "445566778p1111j1f+8p"):
        assert score(parse_line(text), MALAYSIA).fan == 10
