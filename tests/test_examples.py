"""Every ``$ mjcli`` and ``>>>`` block of the examples and the README shows what really comes out."""

from __future__ import annotations

import doctest
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mjcli.cli.main import app
from tests.bench import speed

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "examples").glob("*.md"))]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def commands(page: Path) -> Iterator[tuple[str, str]]:
    """Yield each command line of a page with the output that it shows."""
    for _, block in BLOCK.findall(page.read_text(encoding="utf-8")):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, shown = part.partition("\n")
            if re.search(r"(^|[|;&] *)mjcli ", line):
                yield line, shown


def output(line: str, folder: Path) -> str:
    """Return what a command line prints, messages included; one of the shell runs in a shell."""
    if line.startswith("mjcli ") and not re.search(r"[|<>;&$]", line):
        return CliRunner().invoke(app, shlex.split(line)[1:], prog_name="mjcli", env={"MJCLI_RULES": None}).output
    shell = f'mjcli() {{ {shlex.quote(sys.executable)} -m mjcli "$@"; }}\n{line}'
    done = subprocess.run(
        ["bash", "-c", shell],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", "PYTHONUNBUFFERED": ""},
        check=False,
        timeout=60,
    )
    return done.stdout.decode()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for kind in ("*.yaml", "*.py", "*.txt"):
        for file in (ROOT / "examples").glob(kind):
            (tmp_path / file.name).write_bytes(file.read_bytes())
    for line, shown in commands(page):
        assert output(line, tmp_path) == shown, line


def test_the_table_of_speeds_says_what_was_measured() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert speed.written(text, json.loads(speed.RESULTS.read_text(encoding="utf-8"))) == text


@pytest.mark.parametrize(
    "page", [page for page in PAGES if ">>> " in page.read_text(encoding="utf-8")], ids=lambda page: page.name
)
def test_python_of_a_page(page: Path) -> None:
    failed, attempted = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert (failed, attempted > 0) == (0, True)
