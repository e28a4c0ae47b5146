"""Conditions as text: what they parse to, where they go wrong, and that nothing else can happen."""

from __future__ import annotations

import re
from time import perf_counter
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mjcli.ruleset import expressions as ex
from mjcli.ruleset.expressions import ExpressionError, parse, parse_tiles, walk, without_brackets


def written(node: Any) -> str:
    """Return a tree with every bracket that its structure has."""
    match node:
        case ex.Literal():
            return str(node.value)
        case ex.Name():
            return node.word
        case ex.TileText():
            return node.text
        case ex.Union():
            return "{" + " | ".join(map(written, node.parts)) + "}"
        case ex.Every():
            return "(" + f" {node.word} ".join(map(written, node.parts)) + ")"
        case ex.Not():
            return f"(not {written(node.part)})"
        case ex.Negative():
            return f"(-{written(node.part)})"
        case ex.Binary():
            return f"({written(node.left)} {node.operator} {written(node.right)})"
        case ex.Compare():
            return "(" + written(node.first) + "".join(f" {sign} {written(part)}" for sign, part in node.rest) + ")"
        case ex.Conditional():
            return f"({written(node.yes)} if {written(node.test)} else {written(node.no)})"
        case ex.Call():
            return f"{node.word}({', '.join(map(written, node.arguments))})"
    words = f"[{', '.join(map(written, node.words))}]" if node.tiles is None else written(node.tiles)
    return f"({written(node.left)} {'not in' if node.negated else 'in'} {words})"


PARSED: Final = {
    "1": "1",
    " chows ": "chows",
    "a or b and c or d": "(a or (b and c) or d)",
    "a and b or c and d": "((a and b) or (c and d))",
    "not a and b": "((not a) and b)",
    "not a == b": "(not (a == b))",
    "not not a": "(not (not a))",
    "a == not_b": "(a == not_b)",
    "1 < a <= b != 3": "(1 < a <= b != 3)",
    "a + b * c": "(a + (b * c))",
    "a - b - c": "((a - b) - c)",
    "a // b % c * d": "(((a // b) % c) * d)",
    "(a + b) * c": "((a + b) * c)",
    "-a + b": "((-a) + b)",
    "-2 ** a": "(-(2 ** a))",
    "2 ** a ** b": "(2 ** (a ** b))",
    "2 ** -a": "(2 ** (-a))",
    "2 ** a * b": "((2 ** a) * b)",
    "a + b > c and d": "(((a + b) > c) and d)",
    "a if b else c": "(a if b else c)",
    "a if b else c if d else e": "(a if b else (c if d else e))",
    "a or b if c or d else e and f": "((a or b) if (c or d) else (e and f))",
    "(a if b else c) + 1": "((a if b else c) + 1)",
    "wait in (edge, closed)": "(wait in [edge, closed])",
    "wait not in (edge)": "(wait not in [edge])",
    "not wait in (edge) and a": "((not (wait in [edge])) and a)",
    "pair in 258m19p": "(pair in 258m19p)",
    "pair in dragons | seat | 1z": "(pair in {dragons | seat | 1z})",
    "pair not in dragons or win in 1m": "((pair not in dragons) or (win in 1m))",
    "pungs(258m) + kongs(dragons | 19m)": "(pungs(258m) + kongs({dragons | 19m}))",
    "max(a, b + 1, -c)": "max(a, (b + 1), (-c))",
    "min(1 if a else 2, 3)": "min((1 if a else 2), 3)",
    "pick(t, n - 1)": "pick(t, (n - 1))",
    "a\n and\tb": "(a and b)",
    "notable": "notable",
    "order": "order",
    "1000000": "1000000",
    "m1 + s": "(m1 + s)",
    "a-1": "(a - 1)",
    "a>=1": "(a >= 1)",
    "(((a)))": "a",
}


@pytest.mark.parametrize("text", PARSED)
def test_precedence(text: str) -> None:
    assert written(parse(text)) == PARSED[text]


REFUSED: Final = {
    "": "0 a number or a word is wanted before the end",
    "   ": "3 a number or a word is wanted before the end",
    "a +": "3 a number or a word is wanted before the end",
    "a b": "2 'b' is one thing too many",
    "a == == b": "5 a number or a word is wanted before '=='",
    "(a": "2 ')' is wanted before the end",
    "a)": "1 ')' is one thing too many",
    "a if b": "6 'else' is wanted before the end",
    "a else b": "2 'else' is one thing too many",
    "a not b": "6 'in' is wanted before 'b'",
    "a in": "4 tiles such as 258m or a word such as 'dragons' is wanted before the end",
    "a in ()": "6 a word is wanted before ')'",
    "a in (b, 1)": "9 a word is wanted before '1'",
    "a in (b": "7 ')' is wanted before the end",
    "a < b in (c)": "0 'in' after a comparison; use brackets",
    "pair in 5": "8 tiles such as 258m or a word such as 'dragons' is wanted before '5'",
    "f()": "2 a number or a word is wanted before ')'",
    "f(a,)": "4 a number or a word is wanted before ')'",
    "012": "0 '012' starts with 0; numbers are plain decimal",
    "00": "0 '00' starts with 0; numbers are plain decimal",
    "1000001": "0 numbers go up to 1000000",
    "9999999999999999999999": "0 numbers go up to 1000000",
    "1.5": "1 '.' means nothing here",
    "1_000": "0 '1_000' means nothing here",
    "258q": "0 '258q' means nothing here",
    "a + 12mm": "4 '12mm' means nothing here",
    "258m": "0 tiles '258m' stand only after 'in' or as an argument",
    "1m2m == 1": "0 tiles '1m2m' stand only after 'in' or as an argument",
    "a | b": "2 '|' is one thing too many",
    "a & b": "2 '&' means nothing here; write 'and'",
    "a = b": "2 '=' means nothing here; write '=='",
    "a ! b": "2 '!' means nothing here; write 'not'",
    "a.b": "1 '.' means nothing here",
    "a[0]": "1 '[' means nothing here",
    "lambda: 0": "6 ':' means nothing here",
    "lambda x: 0": "8 ':' means nothing here",
    "'text'": "0 ''' means nothing here",
    '"text"': "0 '\"' means nothing here",
    "f'{a}'": "1 ''' means nothing here",
    "{1}": "0 '{' means nothing here",
    "[a for a in b]": "0 '[' means nothing here",
    "a := 1": "2 ':' means nothing here",
    "a; b": "1 ';' means nothing here",
    "a @ b": "2 '@' means nothing here",
    "a ~ b": "2 '~' means nothing here",
    "a << b": "3 a number or a word is wanted before '<'",
    "a / b": "2 '/' means nothing here; write '//'",
    "f(*a)": "2 a number or a word is wanted before '*'",
    "f(a=1)": "3 '=' means nothing here; write '=='",
    "f(a)(b)": "4 '(' is one thing too many",
    "萬": "0 '萬' means nothing here",
    "chows == ４": "9 '４' means nothing here",
    "chows ＝ 4": "6 '＝' means nothing here",
    "a\x00": "1 '\x00' means nothing here",
    "(" * 30 + "a" + ")" * 30: "20 nested more than 40 deep",
    "not " * 50 + "a": "156 nested more than 40 deep",
    "-" * 50 + "a": "39 nested more than 40 deep",
    "a" * 2_001: "2000 longer than 2000 characters",
}


@pytest.mark.parametrize("text", REFUSED, ids=lambda text: text[:20])
def test_what_is_no_condition_is_refused_at_its_column(text: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse(text)
    assert f"{caught.value.at} {caught.value}" == REFUSED[text]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("dragons", "dragons"),
        ("dragons | 19m", "{dragons | 19m}"),
        ("19m|seat", "{19m | seat}"),
        ("", "0 tiles such as 258m or a word such as 'dragons' is wanted before the end"),
        ("19m 19p", "4 '19p' is one thing too many"),
        ("19m + 1", "4 '+' is one thing too many"),
        ("1m|" * 700 + "1m", "2000 longer than 2000 characters"),
    ],
)
def test_sets_of_tiles(text: str, answer: str) -> None:
    try:
        found = written(parse_tiles(text))
    except ExpressionError as error:
        found = f"{error.at} {error}"
    assert found == answer


def test_every_part_knows_its_columns() -> None:
    for text in PARSED:
        tree = parse(text)
        for node in walk(tree):
            part = text[node.start : node.end]
            assert part.count("(") == part.count(")")
            part = without_brackets(part)
            if isinstance(node, ex.Name):
                assert part == node.word
            elif isinstance(node, ex.TileText):
                assert part == node.text
            elif isinstance(node, ex.Literal):
                assert part == str(node.value)
            else:
                assert node.start < node.end <= len(text)


def test_long_sums_are_walked_without_recursion() -> None:
    tree = parse("+".join(["1"] * 1_000))
    assert sum(isinstance(node, ex.Literal) for node in walk(tree)) == 1_000


WORDS: Final = st.sampled_from(
    [
        *(
            "chows",
            "pair",
            "win",
            "in",
            "not",
            "and",
            "or",
            "if",
            "else",
            "(",
            ")",
            ",",
            "|",
            "**",
            "//",
            "==",
            "<",
            "-",
        ),
        *(
            "258m",
            "0",
            "1",
            "007",
            "1m",
            "__class__",
            "lambda",
            "import",
            ".",
            "[",
            "]",
            "'",
            '"',
            ":",
            "\\",
            "\n",
            " ",
        ),
        *("max(", "pungs(", "pick(", "9" * 30, "((((((((((", "not not not", "萬", "\x00", "\ud800", "٣", "²"),
    ]
)


@given(st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=40).map(" ".join), st.lists(WORDS).map("".join)))
@settings(max_examples=250, deadline=None)
def test_any_text_is_a_condition_or_an_expression_error(text: str) -> None:
    start = perf_counter()
    at, words = 0, set()
    try:
        words = {node.word for node in walk(parse(text)) if isinstance(node, ex.Name | ex.Call)}
    except ExpressionError as error:
        at = error.at
    assert 0 <= at <= len(text)
    assert all(re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", word) for word in words)
    assert perf_counter() - start < 1


@pytest.mark.parametrize(
    "part", ["a ", "1+", "(", "not ", "-", "a if ", "1m", "1 ", "f(", "a in ", "2**", "|", " ", "1<"]
)
def test_the_longest_texts_take_no_time(part: str) -> None:
    text = (part * 2_000)[:2_000]
    start = perf_counter()
    for reader in (parse, parse_tiles):
        with pytest.raises(ExpressionError):
            reader(text + "?")
    with pytest.raises(ExpressionError):
        parse(text)
    assert perf_counter() - start < 1
