"""What the tests of Hong Kong and of Malaysia ask of their rulesets alike."""

from __future__ import annotations

import re
from collections.abc import Mapping
from random import Random
from typing import Any

import yaml

from mjcli.examples import run_examples
from mjcli.notation import parse_line
from mjcli.ruleset import Ruleset, load_ruleset
from mjcli.ruleset.paths import ruleset_path
from mjcli.scoring import Score, score
from tests.plain_wins import FlowerWin
from tests.test_jipinghu import answers, best_of


def check_names_and_sources(rules: str, aliases: Mapping[str, str]) -> None:
    """Fail where a pattern lacks a name, a source, or the alias that its rules use."""
    ruleset = load_ruleset(rules)
    assert set(ruleset.names) == {"en", "zh-Hant", "zh-Hans"}
    file = yaml.safe_load(ruleset_path(rules).read_text(encoding="utf-8"))
    for pattern in file["patterns"]:
        assert all(pattern.get(key) for key in ("en", "zh-Hant", "zh-Hans", "source")), pattern["id"]
    for option in file["options"].values():
        assert all(option.get(key) for key in ("en", "zh-Hant", "zh-Hans"))
    for alias, name in aliases.items():
        found = ruleset.pattern(alias)
        assert found is not None
        assert found.id == name


def check_examples(rules: str, incomplete: set[str]) -> None:
    """Fail where an example without one of these patterns is no complete hand."""
    for example in run_examples(rules):
        assert example.complete or example.pattern in incomplete, str(example)


def check_order_of_tiles(rules: Ruleset, win: FlowerWin, rng: Random) -> None:
    """Fail where the order in which concealed tiles and flowers are written changes an answer."""
    line = win.line()
    written = "".join((*win.flowers, *win.concealed))
    assert line.startswith(written)
    tiles = [*win.flowers, *win.concealed]
    rng.shuffle(tiles)
    if not win.win:
        return
    again = "".join(tiles) + line[len(written) :]
    assert answers(score(parse_line(line), rules)) == answers(score(parse_line(again), rules))


def check_names_of_suits(rules: Ruleset, win: FlowerWin, suits: list[str]) -> None:
    """Fail where calling the suits otherwise changes an answer."""
    line = win.line()
    hand, blank, words = line.partition(" ")
    renamed = re.sub("[mps]", lambda found: suits["mps".index(found[0])], hand) + blank + words
    one, two = (score(parse_line(text), rules) for text in (line, renamed))
    assert _without_patterns(one) == _without_patterns(two)
    # of readings with equal fan any may be named
    sets = [
        {tuple(sorted(each.pattern.id for each in read.counted)) for read in best_of(found)} for found in (one, two)
    ]
    assert sets[0] == sets[1]


def _without_patterns(found: Score) -> dict[str, Any]:
    return {key: value for key, value in answers(found).items() if key not in ("patterns", "excluded")}
