"""What is read: columns through CSV and JSON, and anything at all without a crash."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mjcli.cli import fields
from mjcli.cli.blocks import Block, BlockReader
from mjcli.cli.entries import REFUSED, Entry, from_block
from mjcli.errors import InputError, NotationError
from mjcli.notation import WORDS, parse_line

KNOWN = {word.name: word for word in WORDS}
FORMATS = ("lines", "csv", "tsv", "jsonl")

CHARS = st.one_of(
    st.sampled_from("0123456789mpszjf,+[]() \"\\/'=aeost"), st.characters(codec="utf-8", exclude_characters="\r\n\t")
)
HANDS = st.text(CHARS, max_size=30)
LINES = st.lists(st.text(alphabet="123m \u842c\r#", max_size=8), max_size=6)


def read(form: str, raw: bytes) -> list[Entry]:
    return entries(form, io.BytesIO(raw))


def entries(form: str, stream: io.BytesIO) -> list[Entry]:
    """Return the entries of a stream, which is read in blocks as small as can be."""
    lines = chain.from_iterable(map(from_block, blocks(BlockReader(stream))))
    if form == "lines":
        return list(lines)
    if form == "jsonl":
        return list(fields.from_objects(lines, KNOWN, REFUSED))
    header = next(lines, None)
    if header is None:
        return []
    names = fields.header_names(header, form, KNOWN, REFUSED)
    return list(fields.from_rows(lines, form, names, KNOWN, REFUSED))


def blocks(reader: BlockReader, size: int = 0) -> Iterator[Block]:
    while (block := reader.read(size)) is not None:
        yield block


def place(entry: Entry) -> tuple[str, int] | None:
    """Return code and column of what is wrong with an entry."""
    found = entry.error
    if found is None:
        try:
            parse_line(entry.notation)
        except NotationError as error:
            found = entry.relocate(error)
    if found is None:
        return None
    assert found.line == entry.text
    return found.code, found.column


def expected(hand: str) -> tuple[str, int] | None:
    return place(Entry(1, hand, hand))


@given(HANDS, st.booleans())
def test_columns_through_json(hand: str, ascii_only: bool) -> None:
    before = '{"self-draw": false, "hand": '
    (entry,) = read("jsonl", json.dumps({"self-draw": False, "hand": hand}, ensure_ascii=ascii_only).encode())
    wanted = expected(hand)
    if wanted is not None:
        shown = json.dumps(hand[: wanted[1] - 1], ensure_ascii=ascii_only)
        wanted = wanted[0], len(before) + len(shown)
    assert place(entry) == wanted


@given(HANDS)
def test_columns_through_csv(hand: str) -> None:
    line = io.StringIO()
    csv.writer(line, quoting=csv.QUOTE_ALL, lineterminator="\n").writerow(["E", hand])
    (entry,) = read("csv", b"seat,hand\n" + line.getvalue().encode())
    # a NUL byte is told before anything else is read
    wanted = ("bad-char", hand.index("\0") + 1) if "\0" in hand else expected(f"{hand} seat=E")
    if expected(hand) is None:
        assert place(entry) is None
    elif wanted is not None and wanted[1] <= len(hand):
        before = hand[: wanted[1] - 1].replace('"', '""')
        assert place(entry) == (wanted[0], len('"E","') + len(before) + 1)


@pytest.mark.parametrize("form", FORMATS)
@given(raw=st.one_of(st.binary(max_size=60), st.text(max_size=40).map(str.encode)))
def test_anything_is_read_or_refused(form: str, raw: bytes) -> None:
    header = b"hand,seat\n" if form == "csv" else b"hand\tseat\n" if form == "tsv" else b""
    try:
        entries = read(form, header + raw)
    except InputError:
        return
    for entry in entries:
        place(entry)
        if entry.error is not None:
            assert 1 <= entry.error.column <= len(entry.text) + 1


@given(LINES, st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_lines(lines: list[str], end: str, ended: bool) -> None:
    raw = end.join(lines) + (end if ended else "")
    wanted = [
        (number, line.removesuffix("\r"))
        for number, line in enumerate(raw.split("\n"), 1)
        if line.strip() and not line.startswith("#")
    ]
    assert [(entry.number, entry.text) for entry in read("lines", raw.encode())] == wanted


@pytest.mark.parametrize("form", FORMATS)
def test_chunks_do_not_matter(form: str) -> None:
    class Slow(io.BytesIO):
        def read1(self, size: int | None = -1, /) -> bytes:
            return super().read1(min(size or 1, 3))

    raw = {
        "lines": "12m\r\n\n一萬\n1m8z",
        "csv": 'hand,seat\n"22z,123m",E\n一萬,\n',
        "tsv": "hand\tseat\n22z\tE\n",
        "jsonl": '{"hand": "一萬"}\n[]\n',
    }[form].encode()
    assert [entry[:4] for entry in entries(form, Slow(raw))] == [entry[:4] for entry in read(form, raw)]


@pytest.mark.parametrize("raw", [b"[" * 100_000, b'{"hand":' + b"[" * 100_000, b'{"seen": 1' + b"0" * 5000 + b"}"])
def test_json_that_is_too_much(raw: bytes) -> None:
    (entry,) = read("jsonl", raw)
    assert entry.error is not None
    assert entry.error.code == "bad-line"
