"""``mjcli rules words`` lists every word that the language knows, and nothing that it does not know."""

from __future__ import annotations

import json
import re
import string

import pytest
from typer.testing import CliRunner

from mjcli.cli.main import app
from mjcli.columns import COLUMNS
from mjcli.errors import Fault
from mjcli.notation import WORDS as CONTEXT_WORDS
from mjcli.ruleset import expressions as ex
from mjcli.ruleset import ruleset_names, templates
from mjcli.ruleset.conditions import Conditions, WordError
from mjcli.ruleset.decisions import Decisions
from mjcli.ruleset.emit import Emitter
from mjcli.ruleset.layers import read_ruleset
from mjcli.ruleset.model import FILE, RulesetFile
from mjcli.ruleset.paths import ruleset_path
from mjcli.ruleset.source import read_tree
from mjcli.ruleset.templates import TermError, parse_term
from mjcli.ruleset.words import FORMS, FUNCTIONS, OPERATORS, OTHER_FUNCTIONS, OWN_WORDS, TILE_SETS, WAITS, WINDS, WORDS

SMALL = """
id: small
version: 1
tiles: {m: 4}
forms: {standard: true}
context: {marked: {kind: tiles, en: Marked}}
tables: {price: [1]}
patterns: [{id: a, fan: 1, when: honors}]
score: {fan: sum(main), points: fan}
best: fan
"""


def run(*arguments: str) -> tuple[int, str]:
    found = CliRunner().invoke(app, ["rules", "words", *arguments], prog_name="mjcli")
    return found.exit_code, found.stdout


def listed() -> dict[str, set[str]]:
    """Return the words by section, each apart."""
    found: dict[str, set[str]] = {}
    for each in json.loads(run("--json")[1]):
        word = re.sub(r"(\(TILES\))?( \((number|truth|form|wait|wind)\))?$", "", each["word"])
        assert each["meaning"]
        found.setdefault(each["section"], set()).update([","] if word == "," else word.split(", "))
    return found


def small() -> RulesetFile:
    faults: list[Fault] = []
    found = FILE.read(read_tree(SMALL, "small.yaml"), "", faults)
    assert isinstance(found, RulesetFile)
    assert faults == []
    return found


def test_every_word_that_the_code_knows_is_listed() -> None:
    found = listed()
    assert found["words"] == set(WORDS)
    assert found["functions of tiles"] == set(FUNCTIONS)
    assert found["other functions"] == set(OTHER_FUNCTIONS)
    assert found["names"] == {*FORMS, *WAITS, *WINDS, *OWN_WORDS}
    assert found["tiles"] == {*TILE_SETS, "seat", "round", "258m19p"}
    assert found["context words"] == {word.name for word in CONTEXT_WORDS}
    assert found["terms of sets"] == {part for words in templates.TERM_WORDS for part in words.split(", ")}


def is_read(text: str) -> bool:
    try:
        ex.parse(text)
    except ex.ExpressionError:
        return False
    return True


def is_known(sign: str) -> bool:
    try:
        ex.parse(f"{sign} 1")
    except ex.ExpressionError as error:
        return "means nothing" not in str(error)
    return True


def test_every_sign_of_the_grammar_is_listed() -> None:
    signs = {sign for signs in OPERATORS for sign in re.findall(r"[^\w\s,]+|^,$", signs)}
    alone = {char for char in string.punctuation if char != "_" and is_known(char)}
    assert alone == {sign for sign in signs if len(sign) == 1}
    pairs = {one + two for one in string.punctuation for two in {"=", one} if is_read(f"2 {one + two} 2")}
    assert pairs - {"--"} == {sign for sign in signs if len(sign) == 2}  # two signs: less a number below 0
    assert {word for signs in OPERATORS for word in re.findall(r"[a-z]+", signs)} == ex.RESERVED


def test_every_word_that_a_condition_of_a_ruleset_reads_is_listed_or_its_own() -> None:
    known = set().union(*listed().values())
    checked = 0
    for name in ruleset_names():
        file, _ = read_ruleset(ruleset_path(name))
        own = {pattern.id.text for pattern in file.patterns} | {pattern.group for pattern in file.patterns}
        own |= {*file.options, *file.context, *file.score, *file.tables, *file.families}
        own |= {value.text for option in file.options.values() for value in (*option.values, option.default)}
        asked = [text for pattern in file.patterns for text in (pattern.when, pattern.times, pattern.fan)]
        asked += [*file.score.values(), file.wins_if, *(rule.when for rule in file.pay)]
        for text in filter(None, asked):
            for node in ex.walk(ex.parse(text.text)):
                if isinstance(node, ex.Name | ex.Call):
                    assert node.word in known | own, (name, text.text)
                    checked += 1
    assert checked > 500


@pytest.mark.parametrize("word", [*WORDS, *FUNCTIONS, *OTHER_FUNCTIONS, *OWN_WORDS, *TILE_SETS, *FORMS, *WAITS, *WINDS])
def test_every_word_that_is_listed_means_something(word: str) -> None:
    arguments = {
        "bonus_tiles": "1234a",
        "identical": "2",
        "held": "marked",
        "said": "marked",
        "up": "1, 10",
        "pick": "price, 1",
        "min": "1, 2",
        "max": "1, 2",
    }
    text = word
    if word in FUNCTIONS:
        text = f"{word}(dragons)"
    elif word in OTHER_FUNCTIONS:
        text = f"{word}({arguments.get(word, 'all')})"
    elif word in TILE_SETS:
        text = f"pair in {word}"
    elif word in ("pair", "win"):
        text = f"{word} in 19m"
    elif word == "all":
        text = "sum(all)"
    elif word in WINDS:
        text = f"seat == {word}"
    elif word in FORMS or word in WAITS:
        text = f"{'form' if word in FORMS else 'wait'} == {word}"
    file = small()
    scope = Decisions(file, {})
    conditions = Conditions(file, {}, Emitter(frozenset(COLUMNS)), scope)
    if word in ("all", "sum", "any", "count"):
        with pytest.raises(WordError, match="stands only in the steps"):  # it is known; a scope with groups takes it
            conditions.value(ex.parse(text))
    else:
        assert conditions.value(ex.parse(text)).text


def test_every_kind_of_group_that_is_listed_can_be_asked_for() -> None:
    kinds = [word for word in templates.TERM_WORDS if re.fullmatch(r"[a-z]{4,5}( with)?", word)]
    assert kinds == ["chow", "chow with", "pung", "kong", "pair", "tile"]
    for kind in kinds:
        assert parse_term(f"2 {kind} n+1 a").kind == kind
        for side in ("concealed", "claimed"):
            said = templates.TERM_WORDS[side].split(":")[0]
            try:
                assert parse_term(f"{side} {kind} 1 m").side == side
                taken = True
            except TermError:
                taken = False
            assert taken == (re.search(rf"\b{kind}(,| or|$)", said) is not None), (side, kind)
    for suit in "mpszabcx":
        assert suit in "".join(templates.TERM_WORDS)
        assert parse_term(f"pung 1 {suit}").suit == suit


def test_headings_in_another_language_and_the_words_of_a_ruleset() -> None:
    assert run("--lang", "zh-Hans")[1].startswith("词\n  form (form)")
    code, out = run("--rules", "guangdong-xinzhang")
    assert code == 0
    assert "\ncontext words of the ruleset\n" in out
