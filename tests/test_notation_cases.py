"""What texts mean and which errors they are: the tables of cases, answered by the library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from mjcli.errors import InputError, NotationError
from mjcli.melds import Meld, MeldType
from mjcli.notation import (
    ExtraWord,
    WordKind,
    format_line,
    format_tiles,
    parse_context,
    parse_hand,
    parse_line,
    parse_tiles,
)
from mjcli.tiles import TileSet
from tests.cases import by_case, table

if TYPE_CHECKING:
    from collections.abc import Callable

    from mjcli.hand import Line

SETS = {
    "plain": TileSet.of({"m": 4, "p": 4, "s": 4, "z": 4}),
    "red": TileSet.of({"m": 4, "p": 4, "s": 4, "z": 4}, reds=(1, 1, 1)),
}


def answer(case: dict[str, Any]) -> Line:
    return parse_line(
        case["text"],
        reader=case.get("reader", "auto"),
        dragons=case.get("dragons", "white-first"),
        tiles=SETS.get(case.get("tiles", "")),
    )


@by_case(table("notation"))
def test_cases(case: dict[str, Any]) -> None:
    if "error" in case:
        with pytest.raises(NotationError) as caught:
            answer(case)
        error = caught.value
        assert (error.code, error.column) == (case["error"], case["column"]), str(error)
        assert error.token == case.get("token", error.token)
        assert error.suggestion == case.get("suggestion", "")
        assert case.get("says", "") in str(error)
        assert error.line == case["text"]
    else:
        assert format_line(answer(case)) == case["line"]


@by_case(table("notation_gbmahjong"))
def test_strings_of_gb_mahjong(case: dict[str, Any]) -> None:
    if "error" in case:
        with pytest.raises(NotationError) as caught:
            answer(case)
        assert (caught.value.code, caught.value.column) == (case["error"], case["column"])
    else:
        assert format_line(answer(case)) == case["line"]
    assert ("differs" in case) == (case["valid"] == ("error" in case))


CORPUS = [(reader, *row) for reader, rows in table("notation_corpus").items() for row in rows]


def name(meld: Meld) -> str:
    """Return a meld as the corpus names it."""
    kind = meld.type.value
    if meld.type is MeldType.KONG:
        kind = "akong" if meld.added else "kong" if meld.exposed else "ckong"
    return f"{kind} {format_tiles(meld.tiles)}"


@pytest.mark.parametrize("reader", ["gb", "majiang", "unicode"])
def test_real_hands(reader: str) -> None:
    rows = [row for row in CORPUS if row[0] == reader]
    assert len(rows) > 70
    for _, text, concealed, melds in rows:
        hand = parse_line(text, reader=reader).hand
        assert format_tiles(hand.concealed) == concealed, text
        assert ", ".join(sorted(map(name, hand.melds))) == melds, text


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("123m456p77z1m", None),
        ("7z1m", "1m"),
        ("7z1m1f", "1m"),
        ("1z[222p]7m", "7m"),
        ("[222p]7m1z", "1z"),
        ("m1p9,s111", "9p"),
        ("1m+7z", None),
        ("1z3m|EE0000|ab", "3m"),
    ],
)
def test_the_tile_written_last(text: str, last: str | None) -> None:
    if last is None and "+" not in text:
        with pytest.raises(NotationError, match="9 tiles"):
            parse_line(text)
    else:
        assert parse_line(text).hand.last == (last and parse_tiles(last)[0])


def test_a_hand_alone_has_no_words() -> None:
    with pytest.raises(NotationError) as caught:
        parse_hand("1m seat=S")
    assert (caught.value.code, caught.value.column) == ("bad-word", 4)
    with pytest.raises(NotationError) as caught:
        parse_hand("1m|EE0000")
    assert (caught.value.code, caught.value.column) == ("bad-status", 3)


@pytest.mark.parametrize(
    ("text", "code", "column"),
    [
        ("", "empty", 1),
        ("1m+2m", "bad-char", 3),
        ("1m seat=S", "bad-char", 4),
        ("12", "no-suit", 1),
        ("[111m]", "bad-char", 1),
    ],
)
def test_tiles_alone(text: str, code: str, column: int) -> None:
    with pytest.raises(NotationError) as caught:
        parse_tiles(text)
    assert (caught.value.code, caught.value.column) == (code, column)


def test_words_of_a_ruleset() -> None:
    extra = (
        ExtraWord("riichi", WordKind.FLAG),
        ExtraWord("honba", WordKind.NUMBER),
        ExtraWord("dora", WordKind.TILES),
    )
    line = parse_line("1m riichi honba=2 dora=3m1z", extra=extra)
    assert line.context.extra == (("dora", parse_tiles("3m1z")), ("honba", 2), ("riichi", True))
    assert format_line(line) == "1m dora=3m1z honba=2 riichi"
    with pytest.raises(NotationError) as caught:
        parse_line("1m richi", extra=extra)
    assert caught.value.suggestion == "riichi"
    with pytest.raises(NotationError, match="0-9999"):
        parse_line("1m honba=10000", extra=extra)


@pytest.mark.parametrize(
    ("pairs", "code", "line"),
    [
        ({"seat": "Q"}, "bad-word", "seat=Q"),
        ({"self-draw": "maybe"}, "bad-word", "self-draw=maybe"),
        ({"seen": ["1z", "8z"]}, "bad-rank", "seen=1z8z"),
        ({"winner": 2}, "bad-word", "winner=2"),
    ],
)
def test_values_that_are_wrong(pairs: dict[str, object], code: str, line: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_context(pairs)
    assert (caught.value.code, caught.value.line) == (code, line)


def test_values_as_columns_and_keys_give_them() -> None:
    context = parse_context(
        {"self-draw": "true", "kong-draw": 2, "seen": ["4m", "1z"], "winners": "1", "rob-kong": "no"}
    )
    assert context == parse_context("self-draw kong-draw=2 seen=4m1z")


def test_words_beside_a_line_contradict_it_at_its_end() -> None:
    with pytest.raises(NotationError) as caught:
        parse_line("1m++1m", beside={"rob-kong": True})
    assert (caught.value.code, caught.value.column) == ("contradiction", 7)
    with pytest.raises(NotationError) as caught:
        parse_line("1m seat=S", beside={"seat": "W"})
    assert caught.value.code == "bad-word"


def test_a_line_may_be_too_long() -> None:
    with pytest.raises(NotationError) as caught:
        parse_line("1" * 1_000_001)
    assert (caught.value.code, caught.value.column) == ("too-long", 1_000_001)
    with pytest.raises(NotationError) as caught:
        parse_line("1" * 1_000_000)
    assert caught.value.code == "no-suit"


@pytest.mark.parametrize(
    ("parse", "text"), [(parse_line, "1m"), (parse_hand, "1m"), (parse_tiles, "1m"), (parse_context, "seen=1m")]
)
def test_readers_and_orders_have_names(parse: Callable[..., object], text: str) -> None:
    with pytest.raises(InputError, match="no reader 'tenhou'") as caught:
        parse(text, reader="tenhou")
    assert caught.value.code == "bad-reader"
    with pytest.raises(InputError, match="no order of dragons 'green-first'") as caught:
        parse(text, dragons="green-first")
    assert caught.value.code == "bad-dragons"


def test_the_caret_stands_below_the_fault() -> None:
    with pytest.raises(NotationError) as caught:
        parse_line("一二三萬8z")
    assert caught.value.picture == "    一二三萬8z\n            ^"
