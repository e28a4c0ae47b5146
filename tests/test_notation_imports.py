"""Reading a compact hand imports nothing that only other notations or errors need."""

from __future__ import annotations

import subprocess
import sys

import pytest

WATCHED = (
    "mjcli.notation.foreign",
    "mjcli.notation.styles",
    "difflib",
    "wcwidth",
    "unicodedata",
    "numpy",
    "yaml",
    "json",
)


@pytest.mark.parametrize(
    ("code", "imported"),
    [
        ("parse_line('234m5p,678s,2222po+5p seat=S')", []),
        ("format_line(parse_line('12m seen=3m'))", []),
        ("parse_line('[678s,1]EE|EE0000|ab')", []),
        ("parse_line('一萬')", ["mjcli.notation.foreign"]),
        ("format_hand(parse_hand('1m'), 'hanzi')", ["mjcli.notation.foreign", "mjcli.notation.styles"]),
    ],
)
def test_imports(code: str, imported: list[str]) -> None:
    program = f"import sys; from mjcli.notation import *; {code}; print([n for n in {WATCHED} if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(imported)
