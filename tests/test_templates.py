"""Templates: random ones held against a matcher that binds terms to different groups of a reading, one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from mjcli.notation import parse_line
from mjcli.readings import readings
from mjcli.ruleset import load_ruleset
from mjcli.ruleset.templates import TermError, check_each, check_terms, parse_term
from mjcli.scoring import evaluations
from tests.plain import ALL_FORMS, PlainHand, PlainSet, random_win
from tests.rulesets import small_ruleset


@dataclass(frozen=True)
class Need:
    """What a term asks for once its letters are bound: so many groups of a kind, rank and suit."""

    count: int
    side: str
    kind: str
    rank: int
    suit: str

    def fits(self, group: PlainSet) -> bool:
        tile = f"{self.rank}{self.suit}"
        if (self.side == "concealed" and not group.concealed) or (self.side == "claimed" and not group.claimed):
            return False
        if self.kind == "chow with":
            return group.kind == "chow" and tile in group.tiles
        kinds = {"chow": ("chow",), "pung": ("pung", "kong"), "kong": ("kong",)}[self.kind]
        return group.kind in kinds and group.tiles[0] == tile


def bound(text: str, rank: int, suits: dict[str, str]) -> Need:
    words = text.split(" ")
    count = int(words.pop(0)) if words[0].isdigit() else 1
    side = words.pop(0) if words[0] in ("concealed", "claimed") else ""
    letter, shift = words[-2][0], int(words[-2][2:] or 0)
    number = int(letter) if letter.isdigit() else rank + shift
    return Need(count, side, " ".join(words[:-2]), number, suits.get(words[-1], words[-1]))


def held(needs: Sequence[Need], hand: PlainHand) -> bool:
    """Return whether different groups of a hand satisfy every need; tiles are no groups, so sets may hold them."""
    tiles: Counter[str] = Counter()
    pairs: Counter[str] = Counter()
    groups: list[Need] = []
    for need in needs:
        name = f"{need.rank}{need.suit}"
        if need.kind == "tile":
            tiles[name] += need.count
        elif need.kind == "pair":
            pairs[name] += need.count
        else:
            groups += [need] * need.count
    if tiles - Counter(hand.tiles) or pairs - Counter(hand.pairs):
        return False
    return placed(groups, list(hand.sets))


def placed(needs: Sequence[Need], groups: list[PlainSet]) -> bool:
    if not needs:
        return True
    return any(
        needs[0].fits(group) and placed(needs[1:], groups[:place] + groups[place + 1 :])
        for place, group in enumerate(groups)
    )


def all_bindings(texts: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield every rank and every giving of suits that the letters of terms may stand for."""
    letters = sorted({text[-1] for text in texts} & set("abcx"))
    over = "mpsz" if letters == ["x"] else "mps"
    ranks = range(1, 10) if any(text.split(" ")[-2][0].isalpha() for text in texts) else (1,)
    for suits in permutations(over, len(letters)):
        for rank in ranks:
            yield rank, dict(zip(letters, suits, strict=True))


Template = dict[str, Any]


def obvious(template: Template, hand: PlainHand) -> int:
    """Return how often a template counts in a hand."""
    alternatives = template.get("any") or [template["sets"]]
    without, each = template.get("without", []), template.get("each")
    found: set[Any] = set()
    for texts in alternatives:
        for rank, suits in all_bindings([*texts, *without]):
            needs = [bound(text, rank, suits) for text in texts]
            barred = [bound(text, rank, suits) for text in added_up(without)]
            if held(needs, hand) and not any(held([need], hand) for need in barred):
                if each is None:
                    return 1
                # letters that can be exchanged, such as a and b of two chows of one rank, bind as one
                asked = frozenset(
                    frozenset((text[:-1], suits.get(text[-1], text[-1])) for text in (*other, *without))
                    for other in alternatives
                )
                found.add((rank if each == "kind" else 0, asked))
    return len(found)


def added_up(texts: Sequence[str]) -> list[str]:
    """Return terms of which the same one written twice is written once, with its number."""
    total: Counter[str] = Counter()
    for text in texts:
        count, _, term = text.partition(" ") if text[0].isdigit() else ("1", "", text)
        total[term] += int(count)
    return [term if count == 1 else f"{count} {term}" for term, count in total.items()]


COUNTED: Final[tuple[tuple[str, Template, int], ...]] = (
    # two chows 123m, claimed 123p, exposed kong 1111s, pair 5z, won on a discard
    ("123123m5z,123p,1111so+5z", {"sets": ["chow 1 a", "chow 1 b"]}, 1),
    ("123123m5z,123p,1111so+5z", {"sets": ["3 chow n a"]}, 0),
    ("123123m5z,123p,1111so+5z", {"sets": ["2 chow n a", "chow n b"], "each": "kind"}, 1),
    ("123123m5z,123p,1111so+5z", {"sets": ["chow n a", "chow n b"], "each": "kind"}, 1),
    ("123123m5z,123p,1111so+5z", {"sets": ["chow with n a"], "each": "kind"}, 6),
    ("123123m5z,123p,1111so+5z", {"sets": ["chow with n a"], "each": "suit"}, 2),
    ("123123m5z,123p,1111so+5z", {"sets": ["2 chow with n a"], "each": "kind"}, 3),
    ("123123m5z,123p,1111so+5z", {"sets": ["concealed chow n a"], "each": "kind"}, 1),
    ("123123m5z,123p,1111so+5z", {"sets": ["pung n x"], "each": "kind"}, 1),
    ("123123m5z,123p,1111so+5z", {"sets": ["4 tile n x"], "without": ["kong n x"], "each": "kind"}, 0),
    ("123123m5z,123p,1111so+5z", {"sets": ["2 tile n x"], "without": ["kong n x"], "each": "kind"}, 4),
    ("123123m5z,123p,1111so+5z", {"sets": ["tile 1 a", "tile 3 a"], "without": ["chow 4 a"], "each": "suit"}, 2),
    ("123123m5z,123p,1111so+5z", {"sets": ["pair 5 z", "kong 1 s"]}, 1),
    ("123123m5z,123p,1111so+5z", {"any": [["pung n a"], ["kong n a"]], "each": "kind"}, 1),
    ("123123m5z,123p,1111so+5z", {"any": [["chow 2 a"], ["chow 1 a"]], "each": "suit"}, 2),
    # pungs 111m 222m 333m, the last by a discard, 999m claimed, pair 9p
    ("111222m33m99p,999m+3m", {"sets": ["pung n a", "pung n+1 a", "pung n+2 a"]}, 1),
    ("111222m33m99p,999m+3m", {"sets": ["pung 1 a", "pung n a"], "each": "kind"}, 3),
    ("111222m33m99p,999m+3m", {"sets": ["pung 1 a", "pung n a"], "each": "suit"}, 1),
    ("111222m33m99p,999m+3m", {"sets": ["concealed pung n a"], "each": "kind"}, 2),
    ("111222m33m99p,999m+3m", {"sets": ["claimed pung n a"], "each": "kind"}, 1),
    ("111222m33m99p,999m+3m", {"sets": ["pung n a", "pair n b"]}, 1),
    ("111222m33m99p,999m+3m", {"sets": ["pung n a"], "without": ["pung n+1 a"], "each": "kind"}, 2),
    ("111222m33m99p,999m+3m", {"sets": ["pung 1 m", "pung n a"], "without": ["pung n+1 m"], "each": "kind"}, 2),
    ("111222m33m99p,999m+3m", {"sets": ["pung n a"], "without": ["pung n a", "pung 9 m"], "each": "kind"}, 0),
    ("111222m33m99p,999m+3m", {"sets": ["pung n a"], "without": ["pung 9 a", "pung 9 m"], "each": "kind"}, 0),
    ("123123m5z,123p,1111so+5z", {"sets": ["chow n a"], "without": ["chow 1 a", "chow 1 a"], "each": "kind"}, 1),
    # seven pairs, one kind twice
    ("1111m223344p556s+6s", {"sets": ["2 pair n a"]}, 1),
    ("1111m223344p556s+6s", {"sets": ["pair n a"], "each": "kind"}, 6),
    ("1111m223344p556s+6s", {"sets": ["pair n a", "pair n+1 a", "pair n+2 a"]}, 1),
)
"""Hands, templates, and how often they count in the best reading, counted by hand."""


@pytest.mark.parametrize(("text", "template", "count"), COUNTED)
def test_templates_count_what_a_reader_counts(text: str, template: Template, count: int, tmp_path: Path) -> None:
    forms = {"standard": "true", "seven_pairs": "four"}
    path = small_ruleset(tmp_path, [{"id": "it", "fan": "1", **template}], forms=forms)
    found = list(evaluations(parse_line(text), load_ruleset(str(path), cache=False)))
    assert max(sum(counted.count for counted in each.counted) for each in found) == count
    assert max(obvious(template, PlainHand.of(parse_line(text), each.reading)) for each in found) == count


REFUSED: Final = {
    "chow 8 m": "no chow starts with 8",
    "chow n+7 a": "no chow starts with n+7",
    "chow 1 z": "honours make no chows",
    "chow with n x": "honours make no chows",
    "pung 8 z": "no tile '8z' (ranks are 1-7)",
    "tile n+7 z": "no honour has the rank n+7",
    "claimed chow n a": "'claimed chow' is not a kind of group that can be asked for",
    "concealed tile 1 m": "'concealed tile' is not a kind of group that can be asked for",
    "1 pung n a": "is no term",
    "pung  n a": "is no term",
    "pung n d": "is no term",
    "pung n": "is no term",
    "pung a a": "is no term",
    "pung n+9 a": "is no term",
    "pung 10 m": "is no term",
    "": "is no term",
}


@pytest.mark.parametrize("text", REFUSED)
def test_terms_that_say_nothing_are_refused(text: str) -> None:
    with pytest.raises(TermError) as caught:
        parse_term(text)
    assert REFUSED[text] in str(caught.value)


AMBIGUOUS: Final[tuple[tuple[list[str], list[str], str], ...]] = (
    (["chow n a", "chow k a"], [], "one rank letter in a template, not k and n"),
    (["pung n x", "pung n a"], [], "'x' does not go with the suit letters a b c"),
    ([], ["pung n a"], "'without' needs 'sets' or 'any'"),
    (["pung 1 m"], ["pung 2 a"], "letter a of 'without' is not in 'sets' or 'any'"),
    (["pung 1 a"], ["pung n a"], "letter n of 'without' is not in 'sets' or 'any'"),
    (["pung n a", "kong n a"], [], "'kong n a' and 'pung n a' could be one and the same group"),
    (["pung n a", "concealed pung 3 m"], [], "'concealed pung 3 m' and 'pung n a' could be one and the same group"),
    (["pung n x", "kong n z"], [], "'kong n z' and 'pung n x' could be one and the same group"),
    (["chow 1 m", "chow with 3 m"], [], "'chow 1 m' and 'chow with 3 m' could be one and the same group"),
    (["chow with n a", "chow with n+2 a"], [], "'chow with n a' and 'chow with n+2 a' could be one"),
    (["chow with n a", "chow with 9 m"], [], "'chow with 9 m' and 'chow with n a' could be one"),
)
APART: Final = (
    ["pung 1 m", "kong 2 m"],
    ["pung n a", "kong n+1 a"],
    ["pung n a", "kong n b"],
    ["chow 1 m", "chow with 4 m"],
    ["chow with n a", "chow with n+3 a"],
    ["chow with 1 m", "chow with 9 m"],
    ["pung n a", "pung n m", "pung 1 m"],
)


@pytest.mark.parametrize(("terms", "without", "message"), AMBIGUOUS)
def test_terms_that_could_mean_one_group_are_refused(terms: list[str], without: list[str], message: str) -> None:
    with pytest.raises(TermError) as caught:
        check_terms([parse_term(text) for text in terms], [parse_term(text) for text in without])
    assert message in str(caught.value)


@pytest.mark.parametrize("terms", APART)
def test_terms_that_are_never_one_group_are_taken(terms: list[str]) -> None:
    check_terms([parse_term(text) for text in terms], [])


@pytest.mark.parametrize(
    "alternatives", [[["pung n a"], ["pung n m"]], [["pung n a"], ["pung 1 a"]], [["pung n a"], ["pung n x"]]]
)
def test_each_needs_the_same_letters_in_every_alternative(alternatives: list[list[str]]) -> None:
    with pytest.raises(TermError) as caught:
        check_each([[parse_term(text) for text in texts] for texts in alternatives])
    assert "with 'each', every alternative has the same letters" in str(caught.value)


TERM_KINDS: Final = (
    *("chow", "chow", "concealed chow", "chow with", "concealed chow with"),
    *("pung", "pung", "concealed pung", "claimed pung", "kong", "pair", "tile"),
)


def random_term(rng: Random, letter: str, suits: str) -> str:
    count = rng.choice(("", "", "", "", "2 ", "3 ", "4 "))
    kind = rng.choice(TERM_KINDS)
    rank = rng.choice((letter, letter, f"{letter}+{rng.randint(1, 4)}", str(rng.randint(1, 9))))
    return f"{count}{kind} {rank} {rng.choice(suits)}"


def terms_of(rng: Random, hand: PlainHand, letter: str) -> list[str]:
    """Return terms that some groups of a hand satisfy, their suits as letters or as they are."""
    groups = rng.sample(hand.sets, min(len(hand.sets), rng.choice((1, 2, 2, 3))))
    names = dict(zip(rng.sample("mps", 3), "abc", strict=True))
    written = rng.random() < 0.25
    honors = any(group.tiles[0][1] == "z" for group in groups)
    lowest = min((int(group.tiles[0][0]) for group in groups), default=1)
    terms = []
    for group in groups:
        rank, suit = int(group.tiles[0][0]), group.tiles[0][1]
        name = ("x" if len(groups) == 1 else suit) if honors else suit if written else names[suit]
        kinds = ["chow"] if group.kind == "chow" else ["pung", group.kind]
        if group.kind == "chow" and name not in "xz" and rng.random() < 0.4:
            kinds, rank = ["chow with"], rank + rng.randint(0, 2)
        text = rng.choice(kinds)
        if text != "kong" and rng.random() < 0.2:
            text = f"{'claimed' if group.claimed and text == 'pung' else 'concealed'} {text}"
        shift = rank - lowest
        number = str(rank) if rng.random() < 0.25 else f"{letter}+{shift}" if shift else letter
        terms.append(f"{text} {number} {name}")
    if hand.pairs and not honors and hand.pairs[0][1] != "z" and rng.random() < 0.2:
        suit = hand.pairs[0][1]
        terms.append(f"pair {hand.pairs[0][0]} {suit if written else names[suit]}")
    return terms


def is_right(alternatives: list[list[str]], without: list[str], each: str | None) -> bool:
    try:
        barred = [parse_term(text) for text in without]
        every = [[parse_term(text) for text in texts] for texts in alternatives]
        for terms in every:
            check_terms(terms, barred)
        if each:
            check_each(every)
    except TermError:
        return False
    return all(alternatives)


def random_template(rng: Random, hands: Sequence[PlainHand]) -> Template:
    """Return a template that the language accepts; most are made from a hand, so that they match now and then."""
    while True:
        letter = rng.choice("nkd")
        suits = rng.choice(("a", "ab", "abc", "abm", "x", "mpsz", "xz"))
        alternatives: list[list[str]] = []
        for _ in range(rng.choice((1, 1, 1, 2))):
            drawn = [random_term(rng, letter, suits) for _ in range(rng.choice((1, 1, 2, 3)))]
            alternatives += [drawn if rng.random() < 0.3 else terms_of(rng, rng.choice(hands), letter)]
        without = [random_term(rng, letter, suits) for _ in range(rng.choice((0, 0, 0, 1, 2)))]
        each = rng.choice((None, None, "kind", "suit"))
        if is_right(alternatives, without, each):
            template: Template = {"sets": alternatives[0]} if len(alternatives) == 1 else {"any": alternatives}
            return template | ({"without": without} if without else {}) | ({"each": each} if each else {})


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 22))])
def test_random_templates_match_what_the_obvious_matcher_matches(seed: int, tmp_path: Path) -> None:
    rng = Random(f"templates {seed}")
    lines = [random_win(rng) for _ in range(24)]
    hands = [PlainHand.of(line, next(readings(line, ALL_FORMS))) for line in lines]
    templates = [random_template(rng, hands) for _ in range(120)]
    patterns = [{"id": f"p{place}", "fan": "1", **template} for place, template in enumerate(templates)]
    forms = {form.replace("-", "_"): rule or "true" for form, rule in ALL_FORMS.items()}
    loaded = load_ruleset(str(small_ruleset(tmp_path, patterns, forms=forms)), cache=False)
    seen: Counter[tuple[str | None, int]] = Counter()
    for line in lines:
        for each in evaluations(line, loaded):
            hand = PlainHand.of(line, each.reading)
            found = {int(counted.pattern.id[1:]): counted.count for counted in each.counted}
            for place, template in enumerate(templates):
                count = obvious(template, hand)
                assert found.get(place, 0) == count, (template, line, each.reading)
                seen[template.get("each"), count] += 1
    for wanted in ((None, 1), ("kind", 1), ("kind", 2), ("suit", 1), ("suit", 2)):
        assert seen[wanted] > 2, seen
