"""A deal as SVG, to scale: the table from above, E below, every stack with who took it, the hands inside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from mjcli.cli.table import Around, Words, cells_of, marks_of, middle

if TYPE_CHECKING:
    from mjcli.dealing import Deal

__all__ = ["drawing"]

TILE: Final = 26
"""The breadth of a tile, in units of the drawing; it is 34 long, as tiles of 26 x 34 mm are."""
LENGTH: Final = 34
GAP: Final = 24
"""Between the end of a side and the next side, and around the text."""
EDGE: Final = 40
TEXT: Final = 15
"""The height of a line of text is 1.5 times as much."""
LETTER: Final = 0.53
"""The breadth of a letter, in heights."""

COLORS: Final = {
    "E": "#d9534f",
    "S": "#e0a030",
    "W": "#4a8fd0",
    "N": "#6a4c93",
    "e": "#eeb4b2",
    "s": "#f3d9ac",
    "w": "#b7d3ec",
    "n": "#c3b7d4",
    ":": "#f4efe0",
    "x": "#8a8a8a",
    "?": "#f78fc2",
}
TURN: Final = {"E": 0, "S": 270, "W": 180, "N": 90}
"""Degrees clockwise by which the side of E is turned to be that of each seat."""


def drawing(deal: Deal, words: Words, around: Around) -> Iterator[str]:
    """Yield the lines of an SVG file.

    The half of a stack toward the middle is its top tile; a tile has the colour of who took it, pale for a flower's
    replacement.
    """
    lengths = {seat.value: length for seat, length in zip(deal.wall.sides.seats, deal.wall.sides.lengths, strict=True)}
    marks = marks_of(deal)
    long = max(lengths.values()) * TILE
    size = long + 2 * (LENGTH + GAP + EDGE)
    center = size / 2
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" font-family="sans-serif">'
    yield f'<rect width="{size}" height="{size}" fill="#2f6b4f"/>'
    for seat, length in lengths.items():
        yield f'<g transform="rotate({TURN[seat]} {center} {center})">'
        right = center + length * TILE / 2
        top = size - EDGE - LENGTH
        for number in range(1, length + 1):
            name = f"{seat}{number}"
            yield from _stack(name, marks[name], right - number * TILE, top, TURN[seat], first=name == deal.first)
        yield "</g>"
        yield from _player(seat, size)
    yield from _text([*middle(deal, words, around), "", *words.say("colors").split("\n")], size)
    yield "</svg>"


def _stack(name: str, marks: str, left: float, top: float, turn: int, *, first: bool) -> Iterator[str]:
    """Yield a stack of a side that is turned so far: toward its owner is the lower tile; its number stands upright."""
    for place, mark in enumerate(marks):
        y = top + place * LENGTH / 2
        yield (
            f'<rect x="{left + 1}" y="{y}" width="{TILE - 2}" height="{LENGTH / 2 - 1}" rx="2" fill="{COLORS[mark]}">'
            f"<title>{name}.{'bottom' if place else 'top'}</title></rect>"
        )
    x, y = left + TILE / 2, top + LENGTH + 10
    yield (
        f'<text x="{x}" y="{y + 4}" font-size="11" fill="#ffffff" text-anchor="middle"'
        f' transform="rotate({-turn} {x} {y})">{name if name[1:] == "1" else name[1:]}</text>'
    )
    if first:
        x = left + TILE
        yield f'<path d="M{x + 9} {top - 12} L{x - 9} {top - 6} L{x + 9} {top} Z" fill="#ffffff"/>'


def _player(seat: str, size: float) -> Iterator[str]:
    """Yield the letter of a seat in its colour, inside its side."""
    near, center = EDGE + LENGTH + GAP, size / 2
    x, y = {"E": (center, size - near), "S": (size - near, center), "W": (center, near), "N": (near, center)}[seat]
    yield f'<circle cx="{x}" cy="{y}" r="13" fill="{COLORS[seat]}"/>'
    yield f'<text x="{x}" y="{y + 5}" font-size="{TEXT}" fill="#ffffff" text-anchor="middle">{seat}</text>'


def _text(lines: Sequence[str], size: float) -> Iterator[str]:
    """Yield the lines in the middle, smaller where they would not lie between the sides."""
    from html import escape

    room = size - 2 * (EDGE + LENGTH + 2 * GAP)
    height = min(TEXT, room / (LETTER * max(map(cells_of, lines))))
    x, y = size / 2, size / 2 - len(lines) * height * 1.5 / 2
    for line in lines:
        y += height * 1.5
        yield f'<text x="{x}" y="{y}" font-size="{height}" fill="#ffffff" text-anchor="middle">{escape(line)}</text>'
