"""What every ruleset that comes with mjcli owes its readers: examples, names, options, and a case for each choice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from mjcli.examples import ExampleResult, run_examples
from mjcli.notation import parse_line
from mjcli.ruleset import load_ruleset, ruleset_names
from mjcli.ruleset.advice import check_file
from mjcli.ruleset.layers import read_ruleset
from mjcli.ruleset.options import option_values
from mjcli.ruleset.paths import ruleset_path
from tests.plain_games import OF_THE_TABLE

CASES: Final = Path(__file__).parent / "cases"
BY_RULESET: Final = pytest.mark.parametrize("name", ruleset_names())

TABLES: Final = {
    "guangdong-qingzhang": ("guangdong",),
    "guangdong-liudu": ("guangdong",),
    "guangdong-shibafan": ("guangdong",),
    "guangdong-xinzhang": ("guangdong",),
    "hongkong": ("hongkong",),
    "jipinghu": ("jipinghu",),
    "malaysia-3p": ("malaysia_3p",),
    "malaysia-4p": ("malaysia",),
}
"""The tables of cases of the rulesets that have such."""

DEFAULTS: Final[Mapping[str, Mapping[str, Any]]] = {
    "minimum_fan": {"guangdong-xinzhang": 0, "jipinghu": 0, "hongkong": 3, "malaysia-3p": 5, "malaysia-4p": 1},
    "flowers_count_for_minimum": {"hongkong": True},
    "cap": {"guangdong-xinzhang": "none", "jipinghu": 3, "hongkong": 10, "malaysia-3p": 10, "malaysia-4p": 5},
    "chicken_fan": {"guangdong-xinzhang": 0},
    "flowers": {"guangdong-xinzhang": True, "hongkong": True, "malaysia-4p": True},
    "flower_order": {"guangdong-xinzhang": "player", "malaysia-3p": "rounds", "malaysia-4p": "rounds"},
    "reading": {"guangdong-xinzhang": "best"},
    "concealed_kong_keeps_concealed": {"guangdong-xinzhang": True},
    "require_concealed_chows": {"guangdong-xinzhang": False},
    "four_as_two_pairs": {"guangdong-xinzhang": False},
    "ping_hu_honor_pair": {"guangdong-xinzhang": True, "hongkong": True},
    "kan_kan_hu": {"guangdong-xinzhang": 30},
    "dragons_inclusive": {"guangdong-xinzhang": True, "hongkong": True},
    "number_hands_allow_chows": {"guangdong-xinzhang": False},
    "bu_bu_gao_steps": {"guangdong-xinzhang": (1, 2)},
    "payment": {"guangdong-xinzhang": "full", "hongkong": "full", "malaysia-4p": "half"},
    "dealer_share": {"guangdong-xinzhang": 1},
    "liability": dict.fromkeys(("guangdong-xinzhang", "jipinghu", "hongkong", "malaysia-3p", "malaysia-4p"), "on"),
    "liability_conflict": dict.fromkeys(("guangdong-xinzhang", "jipinghu", "hongkong"), "later"),
    "dead_wall": dict.fromkeys(("guangdong-xinzhang", "jipinghu", "hongkong", "malaysia-3p", "malaysia-4p"), 0),
    "jump_deal": dict.fromkeys(("guangdong-xinzhang", "jipinghu", "hongkong", "malaysia-3p", "malaysia-4p"), True),
    "joker_tile": {"malaysia-3p": "1j"},
    "stop_after": dict.fromkeys(("guangdong-xinzhang", "jipinghu", "hongkong"), 4),
    "igs_extra": {"guangdong-xinzhang": False},
    "spec_only": {"malaysia-4p": False},
    "shi_ba_luo_han": {"jipinghu": False},
}
"""Options that bear one name in all rulesets, with the defaults of those that have them."""


DECIDING: Final = {
    "guangdong-qingzhang": "first-turn from kong-draw last-tile rob-kong round seat self-draw",
    "guangdong-xinzhang": "clean-opponents first-turn from kong-draw last-tile ready-declared ready-in-first-round "
    "ready-on-deal rob-kong rob-own-kong round seat self-draw",
    "hongkong": "first-turn from kong-draw last-tile rob-kong round seat self-draw",
    "jipinghu": "first-turn kong-draw last-tile rob-kong round seat self-draw winners",
    "malaysia-4p": "first-turn flower-draw kong-draw last-tile rob-kong seat self-draw",
}
"""The context words on which some pattern depends; who fed melds and who is liable decides payments only."""


@cache
def examples_of(name: str) -> list[ExampleResult]:
    return run_examples(name)


@BY_RULESET
def test_no_fault_and_no_advice(name: str) -> None:
    assert [str(fault) for fault in check_file(ruleset_path(name))] == []


@BY_RULESET
def test_examples_are_right(name: str) -> None:
    assert [str(example) for example in examples_of(name) if not example.passed] == []


@BY_RULESET
def test_two_examples_of_each_kind(name: str) -> None:
    file, _ = read_ruleset(ruleset_path(name))
    found = Counter((each.pattern, each.expected) for each in examples_of(name))
    wanted = {(pattern.id.text, expected): 2 for pattern in file.patterns for expected in (True, False)}
    assert Counter(wanted) - found == Counter()


@BY_RULESET
def test_each_no_match_is_one_thing_away_from_a_match(name: str) -> None:
    matches: dict[str, list[str]] = {}
    for example in examples_of(name):
        if example.expected:
            matches.setdefault(example.pattern, []).append(example.line)
    assert [
        str(example)
        for example in examples_of(name)
        if not example.expected
        and not any(differ_in_one_thing(example.line, match) for match in matches[example.pattern])
    ] == []


def differ_in_one_thing(one: str, two: str) -> bool:
    """Return whether two lines differ in one tile, one set or pair, the winning tile, one meld or one context word."""
    hands = [parse_line(text.split()[0]).hand for text in (one, two)]
    words = [dict(word.partition("=")[::2] for word in text.split()[1:]) for text in (one, two)]
    tiles = [Counter([*hand.concealed, *filter(None, [hand.win]), *hand.bonus]) for hand in hands]
    melds = [Counter(hand.melds) for hand in hands]
    others = {
        "words": sum(words[0].get(name) != words[1].get(name) for name in {*words[0], *words[1]}),
        "draw": hands[0].self_drawn != hands[1].self_drawn,
        "melds": max((melds[0] - melds[1]).total(), (melds[1] - melds[0]).total()),
        "win": hands[0].win != hands[1].win and tiles[0] == tiles[1],
    }
    changed = max((tiles[0] - tiles[1]).total(), (tiles[1] - tiles[0]).total())
    if others["melds"]:
        return sum(others.values()) == 1 and changed in (0, 3)
    return sum(others.values()) + (changed > 0) == 1 and changed <= 3


@pytest.mark.parametrize(
    ("one", "two", "near"),
    [
        ("123m456p789s111z5z+5z", "123m456p789s111z6z+5z", True),
        ("123m456p789s111z5z+5z", "123m456p789s222z5z+5z", True),
        ("123m456p789s111z5z+5z", "123m456p789s111z5z++5z", True),
        ("123m456p789s111z5z+5z", "123m456p789s111z5z+5z last-tile", True),
        ("123m456p789s1z,555z+1z", "123m456p789s1z,666z+1z", True),
        ("123m456p789s1z,555z+1z", "123m456p789s1555z+1z", True),
        ("123m456p789s111z5z+5z", "123m456p777s222z5z+5z", False),
        ("123m456p789s111z5z+5z", "123m456p789s222z5z++5z", False),
        ("123m456p789s111z5z+5z", "123m456p789s111z6z+6z last-tile", False),
        ("456p789s1z,555z,123m+1z", "456p789s1z,666z,234m+1z", False),
    ],
)
def test_what_one_thing_is(one: str, two: str, near: bool) -> None:
    assert differ_in_one_thing(one, two) is near


# context


@pytest.mark.parametrize("name", DECIDING)
def test_words_of_the_context_decide(name: str) -> None:
    found = {
        word
        for one, two in permutations(examples_of(name), 2)
        if one.pattern == two.pattern and one.expected and not two.expected
        for word in [_deciding_word(one.line, two.line)]
        if word
    }
    assert " ".join(sorted(found)) == DECIDING[name]


def _deciding_word(one: str, two: str) -> str:
    """Return the one word in which two lines of the same tiles differ; nothing if that is not all."""
    hands = [parse_line(line.split()[0]).hand for line in (one, two)]
    tiles = [(sorted(hand.tiles()), hand.win, hand.melds) for hand in hands]
    words = [dict(word.partition("=")[::2] for word in line.split()[1:]) for line in (one, two)]
    for hand, said in zip(hands, words, strict=True):
        if hand.self_drawn:
            said["self-draw"] = ""
    differing = [name for name in {*words[0], *words[1]} if words[0].get(name) != words[1].get(name)]
    return differing[0] if tiles[0] == tiles[1] and len(differing) == 1 else ""


# options


@pytest.mark.parametrize("option", DEFAULTS)
def test_options_of_one_name(option: str) -> None:
    for name, default in DEFAULTS[option].items():
        assert load_ruleset(name).options[option] == default, name


@pytest.mark.parametrize("name", TABLES)
def test_every_value_of_an_option_has_a_case(name: str) -> None:
    file, _ = read_ruleset(ruleset_path(name))
    said: dict[str, set[str]] = {}
    for options in _options_of_cases(TABLES[name]):
        for option, value in options.items():
            said.setdefault(option, set()).add(value)
    missing = []
    for option, known in file.options.items():
        values = set(option_values(known)) - {known.default.text, "number"}
        numbers = {value for value in said.get(option, ()) if value.isdigit()} - {known.default.text}
        if option not in OF_THE_TABLE:
            missing += [f"{option}={value}" for value in sorted(values - said.get(option, set()))]
            missing += [f"{option}=number"] if "number" in option_values(known) and not numbers else []
    assert missing == []


def _options_of_cases(tables: tuple[str, ...]) -> Iterator[Mapping[str, str]]:
    """Yield the options of each case, as they are written."""
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    for table in tables:
        found = loader((CASES / f"{table}.yaml").read_text(encoding="utf-8")).get_single_data()
        rows = found if isinstance(found, list) else [row for part in found.values() for row in part]
        for row in rows:
            if isinstance(row, dict):
                yield row.get("options") or row.get("set") or {}
