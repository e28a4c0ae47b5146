"""Input as it comes: hands of every kind, and among them whatever else stands in files."""

from __future__ import annotations

import csv
import io
import json
from random import Random

from mjcli.notation import format_line
from tests.hands import CLASSES, random_hand, ready_hand
from tests.random_hands import random_line, written

__all__ = ["FORMATS", "dirty", "lines_of"]

FORMATS = ("lines", "csv", "tsv", "jsonl")

MARKS = '0123456789mpszjfgaESWN,+[]()|= #"\\\t\u842c\U0001f004\x00\ufeff'
RARE = (b"", b"  ", b"# a comment", b"#\xff", b"12m\xff", b"\x00", b"123m456p77z\r", b"\r", b"1" * 70 + b"m", b"hand")


def lines_of(rng: Random, count: int) -> list[bytes]:
    """Return lines of text, most of them hands; about one in seven is bad."""
    return [_line(rng) for _ in range(count)]


def _line(rng: Random) -> bytes:
    kind = rng.random()
    if kind < 0.02:
        return rng.choice(RARE)
    if kind < 0.55:
        name = rng.choice(sorted(CLASSES))
        hand = ready_hand(rng, name) if rng.random() < 0.3 else random_hand(rng, name, rng.choice((13, 14)))
        text = written(hand, "mpsz")
    else:
        line = random_line(rng)
        text = written(line, rng.choice(("mpsz", "mpsz", "mpsz", "unicode", "hanzi", "gb"))) or format_line(line)
    assert text is not None
    if rng.random() < 0.08:
        at = rng.randrange(len(text) + 1)
        text = text[:at] + rng.choice(MARKS) + text[at + rng.randint(0, 2) :]
    return text.encode()


def dirty(rng: Random, count: int, form: str) -> bytes:
    """Return ``count`` lines of a format, with a header where it has one."""
    lines = lines_of(rng, count)
    if form == "lines":
        return b"\n".join(lines)
    texts = [line.decode("utf-8", "backslashreplace") for line in lines]
    given = [(str(number), *_parted(text)) for number, text in enumerate(texts)]
    if form == "jsonl":
        rows = [json.dumps({"id": int(row[0]), "hand": row[1], "seat": row[2] or None}) for row in given]
    else:
        rows = ["id\thand\tseat", *("\t".join(row) for row in given)]
    if form == "csv":
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows([("id", "hand", "seat"), *given])
        return out.getvalue().encode()
    for number in range(7, len(rows), 50):
        rows[number] = rows[number][: rng.randrange(len(rows[number]))]
    return "\r\n".join(rows).encode()


def _parted(text: str) -> tuple[str, str]:
    """Return a line with the seat in a field of its own, where it says one in a word."""
    words = text.split(" ")
    seat = next((word for word in words[1:] if word.startswith("seat=")), "")
    words = [word for word in words if word != seat or not seat]
    return " ".join(words), seat.removeprefix("seat=")
