"""Which patterns stand and which count: tables by hand, and random graphs against a slow resolver."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from mjcli.errors import RulesetError
from mjcli.notation import parse_line
from mjcli.ruleset import load_ruleset
from mjcli.scoring import evaluations, score
from tests.rulesets import small_ruleset

HAND: Final = parse_line("123m456p789s111z5z+5z")
"""Four sets without a claim, won on a discard: ``concealed`` and ``honors`` hold, ``self_drawn`` does not."""

TRUE, FALSE = "concealed", "self_drawn"


def counting(path: Path, options: Mapping[str, str] | None = None) -> dict[str, int]:
    """Return how often each pattern counts in the hand."""
    found = next(evaluations(HAND, load_ruleset(str(path), options, cache=False)))
    return {each.pattern.id: each.count for each in found.counted}


def pattern(name: str, when: str = TRUE, **keys: Any) -> dict[str, Any]:
    return {"id": name, "fan": "1", "when": when, **keys}


SMALL: Final[dict[str, tuple[list[dict[str, Any]], dict[str, Any], str]]] = {
    "one-contains-another": ([pattern("a", contains=["b"]), pattern("b")], {}, "a"),
    "what-does-not-match-takes-nothing-away": (
        [pattern("a", FALSE, contains=["b"], excludes=["b"]), pattern("b")],
        {},
        "b",
    ),
    "what-is-contained-still-takes-away": (
        [pattern("a", contains=["b"]), pattern("b", contains=["c"]), pattern("c")],
        {},
        "a",
    ),
    "what-is-excluded-takes-nothing-away": (
        [pattern("a", excludes=["b"]), pattern("b", contains=["c"]), pattern("c")],
        {},
        "a c",
    ),
    "what-is-excluded-excludes-nothing": (
        [pattern("a", excludes=["b"]), pattern("b", excludes=["c"]), pattern("c")],
        {},
        "a c",
    ),
    "what-is-contained-still-excludes": (
        [pattern("a", contains=["b"]), pattern("b", excludes=["c"]), pattern("c")],
        {},
        "a",
    ),
    "three-in-a-row": (
        [pattern("a", excludes=["b"]), pattern("b", excludes=["c"]), pattern("c", excludes=["d"]), pattern("d")],
        {},
        "a c",
    ),
    "the-order-of-the-file-does-not-matter": (
        [pattern("d"), pattern("c", excludes=["d"]), pattern("b", excludes=["c"]), pattern("a", excludes=["b"])],
        {},
        "a c",
    ),
    "a-family-stands-for-its-members": (
        [pattern("a", contains=["few"]), pattern("b"), pattern("c"), pattern("d")],
        {"families": {"few": ["b", "c"]}},
        "a d",
    ),
    "a-family-may-hold-the-pattern-itself": (
        [pattern("a", excludes=["few"]), pattern("b")],
        {"families": {"few": ["a", "b"]}},
        "a",
    ),
    "an-empty-family-is-nobody": ([pattern("a", excludes=["few"]), pattern("b")], {"families": {"few": []}}, "a b"),
    "a-reference-with-a-condition-that-holds": ([pattern("a", contains=["b if honors"]), pattern("b")], {}, "a"),
    "a-reference-with-a-condition-that-fails": ([pattern("a", contains=["b if self_drawn"]), pattern("b")], {}, "a b"),
    "a-condition-for-a-whole-family": (
        [pattern("a", excludes=["few if suits == 2"]), pattern("b"), pattern("c")],
        {"families": {"few": ["b", "c"]}},
        "a b c",
    ),
    "of-a-series-the-first-that-stands": (
        [pattern("a", FALSE), pattern("b"), pattern("c"), pattern("d")],
        {"series": [{"tiers": ["a", "b", "c"]}]},
        "b d",
    ),
    "a-tier-counts-together": (
        [pattern("a"), pattern("b"), pattern("c"), pattern("d")],
        {"series": [{"tiers": [["a", "b"], ["c", "d"]]}]},
        "a b",
    ),
    "a-tier-may-be-a-family": (
        [pattern("a", FALSE), pattern("b"), pattern("c"), pattern("d")],
        {"series": [{"tiers": ["a", ["few", "d"]]}], "families": {"few": ["b", "c"]}},
        "b c d",
    ),
    "an-excluded-tier-lets-the-next-count": (
        [pattern("x", excludes=["a"]), pattern("a"), pattern("b"), pattern("c")],
        {"series": [{"tiers": ["a", "b", "c"]}]},
        "x b",
    ),
    "otherwise-where-nothing-counts": (
        [pattern("a", FALSE), {"id": "b", "fan": "1", "otherwise": "main"}],
        {},
        "b",
    ),
    "not-otherwise-where-something-counts": ([pattern("a"), {"id": "b", "fan": "1", "otherwise": "main"}], {}, "a"),
    "otherwise-looks-at-one-group": (
        [pattern("a", group="bonus"), {"id": "b", "fan": "1", "otherwise": "main"}],
        {},
        "a b",
    ),
    "otherwise-of-all-looks-at-every-group": (
        [pattern("a", group="bonus"), {"id": "b", "fan": "1", "otherwise": "all"}],
        {},
        "a",
    ),
    "otherwise-looks-at-what-counts-not-at-what-matches": (
        [pattern("x", group="other", excludes=["a"]), pattern("a"), {"id": "b", "fan": "1", "otherwise": "main"}],
        {},
        "x b",
    ),
    "otherwise-with-a-condition": (
        [pattern("a", FALSE), pattern("b", FALSE, otherwise="main"), pattern("c", TRUE, otherwise="main")],
        {},
        "c",
    ),
    "of-several-otherwise-the-first-of-the-file": (
        [{"id": "b", "fan": "1", "otherwise": "main"}, {"id": "a", "fan": "1", "otherwise": "main"}],
        {},
        "b",
    ),
    "otherwise-with-sets": (
        [
            {"id": "b", "fan": "1", "otherwise": "main", "sets": ["pung n a"]},
            {"id": "c", "fan": "1", "otherwise": "main", "sets": ["chow n a"], "each": "kind"},
        ],
        {},
        "c c c",
    ),
    "otherwise-can-be-taken-away": (
        [pattern("x", group="other", excludes=["b"]), {"id": "b", "fan": "1", "otherwise": "main"}],
        {},
        "x",
    ),
    "otherwise-can-be-contained": (
        [pattern("x", group="other", contains=["b"]), {"id": "b", "fan": "1", "otherwise": "main"}],
        {},
        "x",
    ),
    "times-counts-as-often": (
        [{"id": "a", "fan": "1", "times": "chows"}, {"id": "b", "fan": "1", "times": "kongs"}],
        {},
        "a a a",
    ),
    "fixed-times": ([{"id": "a", "fan": "1", "times": "2"}, {"id": "b", "fan": "1", "times": "0"}], {}, "a a"),
    "times-and-when": (
        [pattern("a", TRUE, times="chows - 1"), pattern("b", FALSE, times="chows")],
        {},
        "a a",
    ),
    "what-counts-often-is-taken-away-whole": (
        [pattern("a", contains=["b"]), {"id": "b", "fan": "1", "times": "chows"}],
        {},
        "a",
    ),
    "a-condition-may-ask-for-a-match": (
        [pattern("a", "not b and c"), pattern("b", FALSE), pattern("c", excludes=["b"]), pattern("d", "a and c")],
        {},
        "a c d",
    ),
    "a-condition-asks-for-the-match-not-for-what-stands": (
        [pattern("a", excludes=["b"]), pattern("b"), pattern("c", "b")],
        {},
        "a c",
    ),
}


@pytest.mark.parametrize("name", SMALL)
def test_small_rulesets(name: str, tmp_path: Path) -> None:
    patterns, keys, answer = SMALL[name]
    found = counting(small_ruleset(tmp_path, patterns, **keys))
    assert found == {each: answer.split().count(each) for each in answer.split()}


OPTIONS: Final = {
    "on": {"default": "false", "values": ["true", "false"], "en": "a switch"},
    "mode": {"default": "soft", "values": ["soft", "hard", "a"], "en": "a word"},
    "much": {"default": "0", "values": ["number"], "en": "a number"},
}


@pytest.mark.parametrize(
    ("options", "answer"),
    [
        ({}, "b c e"),
        ({"on": "true"}, "a c e"),
        ({"mode": "hard"}, "b d"),
        ({"much": "3", "on": "true", "mode": "hard"}, "a d f"),
    ],
)
def test_options_decide_what_is_in_play(options: dict[str, str], answer: str, tmp_path: Path) -> None:
    """What is not in play takes nothing away, and references to it are right; it matches nothing."""
    patterns = [
        pattern("a", only_if="on", excludes=["b"]),
        pattern("b"),
        pattern("c", unless="mode == hard", contains=["d"]),
        pattern("d"),
        pattern("e", "not f and c"),
        pattern("f", only_if="much > 2 and mode in (hard, soft)"),
    ]
    path = small_ruleset(tmp_path, patterns, options=OPTIONS)
    assert " ".join(counting(path, options)) == answer


def test_a_series_may_be_switched_off(tmp_path: Path) -> None:
    series = [{"tiers": ["a", "b"], "unless": "on"}]
    path = small_ruleset(tmp_path, [pattern("a"), pattern("b")], options=OPTIONS, series=series)
    assert list(counting(path)) == ["a"]
    assert list(counting(path, {"on": "true"})) == ["a", "b"]


def test_an_option_that_has_the_name_of_a_pattern_decides_whether_it_is_in_play(tmp_path: Path) -> None:
    options = {"a": {"default": "true", "values": ["true", "false"], "en": "whether a is played"}}
    path = small_ruleset(tmp_path, [pattern("a", FALSE, only_if="a"), pattern("b", "not a")], options=options)
    assert list(counting(path)) == ["b"]
    assert list(counting(path, {"a": "false"})) == ["b"]


def test_fixed_counts_are_worth_their_number(tmp_path: Path) -> None:
    """``times`` that no hand changes, and fans that an option sets, multiply."""
    patterns = [
        {"id": "a", "fan": "2", "times": "3"},
        {"id": "b", "fan": "much", "times": "5", "when": TRUE},
        {"id": "c", "fan": "2 * much", "times": "chows"},
        {"id": "d", "fan": "kinds", "times": "2"},
    ]
    path = small_ruleset(tmp_path, patterns, options=OPTIONS)
    found = score(HAND, load_ruleset(str(path), {"much": "7"}, cache=False))
    assert {each.pattern.id: each.fan for each in found.patterns} == {"a": 6, "b": 35, "c": 42, "d": 22}
    assert found.fan == 6 + 35 + 42 + 22


# a slow resolver


Edges = Iterable[tuple[str, str]]


def resolved(matches: Mapping[str, int], excludes: Edges, contains: Edges) -> dict[str, int]:
    """Return what counts, by guessing: the one choice of standing patterns that agrees with its own definition."""
    names = list(matches)
    agreeing = []
    for guess in range(1 << len(names)):
        stands = {name for place, name in enumerate(names) if guess >> place & 1}
        right = {
            name
            for name in names
            if matches[name] and not any(by in stands and other == name for by, other in excludes)
        }
        if right == stands:
            agreeing.append(stands)
    (stands,) = agreeing
    return {
        name: matches[name]
        for name in names
        if name in stands and not any(by in stands and other == name for by, other in contains)
    }


@pytest.mark.parametrize("seed", range(60))
def test_random_graphs_are_resolved_as_their_definition_says(seed: int, tmp_path: Path) -> None:
    rng = Random(f"graph {seed}")
    names = [f"p{place}" for place in range(9)]
    order = {how: rng.sample(names, len(names)) for how in ("excludes", "contains")}
    edges: dict[str, set[tuple[str, str]]] = {"excludes": set(), "contains": set()}
    for how, ranked in order.items():
        for place, by in enumerate(ranked):
            edges[how] |= {(by, other) for other in ranked[place + 1 :] if rng.random() < 0.25}
    matches = {name: rng.choice((0, 1, 1, 3)) for name in names}
    texts = {0: {"when": FALSE}, 1: {"when": TRUE}, 3: {"times": "chows"}}
    families: dict[str, list[str]] = {}
    patterns = []
    for name in names:
        keys: dict[str, Any] = {}
        for how in ("excludes", "contains"):
            others = sorted(other for by, other in edges[how] if by == name)
            if len(others) > 1 and rng.random() < 0.4:
                families[f"{how}_{name}"] = others
                others = [f"{how}_{name}"]
            held = [
                f"{other} if {rng.choice((TRUE, 'chows == 3'))}" if rng.random() < 0.3 else other for other in others
            ]
            later = order[how][order[how].index(name) + 1 :]
            if later and rng.random() < 0.2:
                held.append(f"{rng.choice(later)} if {FALSE}")
            keys |= {how: held} if held else {}
        patterns.append({"id": name, "fan": "1", **texts[matches[name]], **keys})
    path = small_ruleset(tmp_path, patterns, families=families)
    assert counting(path) == resolved(matches, edges["excludes"], edges["contains"])


def test_a_chain_of_a_thousand_is_resolved(tmp_path: Path) -> None:
    """Without running into Python's limit of recursion: every other pattern stands, and all can be summed."""
    patterns = [pattern(f"p{place}", excludes=[f"p{place + 1}"] if place < 999 else []) for place in range(1_000)]
    path = small_ruleset(tmp_path, patterns)
    found = next(evaluations(HAND, load_ruleset(str(path), cache=False)))
    assert [each.pattern.id for each in found.counted] == [f"p{place}" for place in range(0, 1_000, 2)]
    assert found.steps["fan"] == 500


def test_patterns_that_ask_for_each_other_without_end_are_refused(tmp_path: Path) -> None:
    patterns = [pattern(f"p{place}", f"p{place + 1} or honors") for place in range(300)]
    path = small_ruleset(tmp_path, [*patterns, pattern("p300")])
    with pytest.raises(RulesetError) as caught:
        load_ruleset(str(path), cache=False)
    assert {fault.message for fault in caught.value.faults} == {"more than 40 patterns, each asking for the next"}
