"""What only a process of its own shows: pipes, signals, encodings, files, and what is imported."""

from __future__ import annotations

import gzip
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MJCLI = [sys.executable, "-m", "mjcli"]

HEAVY = {
    "concurrent",
    "csv",
    "gzip",
    "json",
    "multiprocessing",
    "numpy",
    "platformdirs",
    "rich",
    "socket",
    "sqlite3",
    "tabulate",
    "tempfile",
    "wcwidth",
    "yaml",
}
"""Modules that a command may import only where it needs them."""

BROUGHT_BY_TABULATE = {"csv", "json", "socket", "tempfile", "wcwidth"}
"""What tabulate imports of these; which ones, depends on the version of Python."""


def environment(**more: str) -> dict[str, str]:
    ours = ("MJCLI", "NO_COLOR", "PYTHONIO", "PYTHONUNBUFFERED")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return {**kept, "PYTHONPATH": str(ROOT), **more}


def heed_interrupts() -> None:
    """Let a new process heed interrupts, even where this one was started in the background and ignores them."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def exit_code(process: subprocess.Popen[bytes]) -> int:
    """Return the exit code as a shell tells it; Python ends by the signal itself if it comes while a class is made."""
    code = process.wait(60)
    return code if code >= 0 else 128 - code


def run(*arguments: str, given: bytes = b"", cwd: Path = ROOT, **env: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*MJCLI, *arguments], input=given, capture_output=True, cwd=cwd, env=environment(**env), check=False, timeout=60
    )


@pytest.mark.parametrize(
    ("arguments", "needed"),
    [
        ("-h", set()),
        ("--version", set()),
        ("shanten -h", set()),
        ("deal -h", set()),
        ("shanten 123m456p77z", set()),
        ("waits 23456m11z", set()),
        ("discards 12335m", set()),
        ("convert 123m456p77z", set()),
        ("convert 123m456p77z -f csv", set()),
        ("shanten 123m456p77z --json", {"json"}),
        ("shanten 123m456p77z -f table", {"tabulate"}),
        ("shanten 8z", {"wcwidth"}),
    ],
)
def test_imports(arguments: str, needed: set[str]) -> None:
    assert imported(arguments) == needed


@pytest.mark.parametrize(
    ("more", "needed"),
    [
        ("", set()),
        ("-f csv --on-error skip --jobs 2 --stats", set()),
        ("-o {}/out.txt", {"json"}),
        ("-o {}/out.jsonl.gz -f jsonl", {"gzip", "json"}),
    ],
)
def test_imports_of_a_small_file(more: str, needed: set[str], tmp_path: Path) -> None:
    (tmp_path / "hands.txt").write_bytes(b"123m456p77z\n")
    assert imported(f"shanten -i {tmp_path / 'hands.txt'} {more.format(tmp_path)}") == needed


@pytest.mark.parametrize(
    ("arguments", "cold", "warm"),
    [
        ("score 333p555s77m44s,111z+7m --rules jipinghu", {"yaml"}, set()),
        ("score 333p555s77m44s,111z+7m --rules hongkong --json", {"yaml", "json"}, {"json"}),
        ("waits 333p555s77m44s,111z --rules jipinghu", {"yaml"}, set()),
        ("deal --seed 7 --rules jipinghu --json", {"yaml", "json"}, {"json"}),
        ("rules show jipinghu", {"yaml", "tabulate"}, {"yaml", "tabulate"}),
    ],
)
def test_imports_of_a_ruleset(arguments: str, cold: set[str], warm: set[str], tmp_path: Path) -> None:
    for needed in (cold, warm):
        assert imported(arguments, MJCLI_CACHE_DIR=str(tmp_path)) == needed


def imported(arguments: str, **env: str) -> set[str]:
    """Return which modules that cost time a command imports; what tabulate brings along is left out."""
    program = (
        "import sys; from mjcli.__main__ import main\n"
        "try: main()\n"
        "finally: print(*(name for name in sys.modules if '.' not in name), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments.split()], capture_output=True, env=environment(**env), check=False
    )
    found = set(done.stderr.decode().splitlines()[-1].split()) & HEAVY
    return found - (BROUGHT_BY_TABULATE if "tabulate" in found else set())


def test_only_the_command_that_is_called_is_imported() -> None:
    program = "import sys; from mjcli.__main__ import main\ntry: main()\nfinally: print(*sys.modules, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", program, "waits", "1m"], capture_output=True, env=environment(), check=False
    )
    modules = done.stderr.decode().split()
    assert "mjcli.cli.waits" in modules
    assert not {"mjcli.cli.shanten", "mjcli.cli.discards", "mjcli.cli.convert", "mjcli.ruleset"} & set(modules)


def test_a_closed_pipe_ends_quietly(tmp_path: Path) -> None:
    hands = tmp_path / "hands.txt"
    hands.write_bytes(b"12m\n" * 100_000)
    process = subprocess.Popen(
        [*MJCLI, "shanten", "-i", str(hands)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    )
    assert process.stdout
    assert process.stderr
    assert process.stdout.readline() == b"0\n"
    process.stdout.close()
    assert process.wait(60) == 0
    assert process.stderr.read() == b""
    process.stderr.close()


def test_answers_come_out_as_lines_come_in() -> None:
    process = subprocess.Popen(
        [*MJCLI, "waits", "--format", "jsonl"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment()
    )
    assert process.stdin
    assert process.stdout
    for hand in (b"1m", b"2m"):
        process.stdin.write(hand + b"\n")
        process.stdin.flush()
        assert process.stdout.readline().startswith(b'{"hand": "' + hand)
    process.stdin.close()
    assert process.wait(60) == 0
    process.stdout.close()


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_an_interrupt_leaves_whole_lines(tmp_path: Path) -> None:
    target = tmp_path / "answers.txt"
    with target.open("wb") as output:
        process = subprocess.Popen(
            [*MJCLI, "shanten", "-f", "jsonl"],
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.PIPE,
            env=environment(),
            preexec_fn=heed_interrupts,
        )
        assert process.stdin
        assert process.stderr
        process.stdin.write(b"12m\n" * 1000 + b"12")
        process.stdin.flush()
        while target.stat().st_size == 0 and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        assert exit_code(process) == 130
        assert process.stderr.read() == b""
        process.stdin.close()
        process.stderr.close()
    lines = target.read_bytes().splitlines(keepends=True)
    assert lines
    assert all(line.startswith(b'{"hand": "12m"') and line.endswith(b"}\n") for line in lines)


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_an_interrupt_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    target = tmp_path / "answers.txt"
    target.write_text("before\n")
    process = subprocess.Popen(
        [*MJCLI, "shanten", "-o", str(target)],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        preexec_fn=heed_interrupts,
    )
    assert process.stdin
    assert process.stderr
    process.stdin.write(b"12m\n")
    process.stdin.flush()
    while len(list(tmp_path.iterdir())) == 1 and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    assert exit_code(process) == 130
    process.stdin.close()
    process.stderr.close()
    assert [path.name for path in tmp_path.iterdir()] == ["answers.txt"]
    assert target.read_text() == "before\n"


@pytest.mark.parametrize("kept", [False, True])
def test_an_interrupt_before_the_with_leaves_only_what_another_run_can_find(tmp_path: Path, kept: bool) -> None:
    program = f"from mjcli.cli.sink import Sink; sink = Sink('answers.txt', kept={kept}); raise KeyboardInterrupt"
    process = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment(), capture_output=True, check=False, timeout=60
    )
    assert process.stderr.rstrip().endswith(b"KeyboardInterrupt")
    assert [path.name for path in tmp_path.iterdir()] == ([".answers.txt.part"] if kept else [])


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "gbk", "utf-8", "latin-1", "shift_jis"])
@pytest.mark.parametrize("style", ["unicode", "hanzi"])
def test_any_encoding_prints_something(encoding: str, style: str) -> None:
    done = run("waits", "23456m11z", "--tiles", style, PYTHONIOENCODING=encoding)
    text = done.stdout.decode(encoding)
    assert done.returncode == 0
    assert text in ("1m:4 4m:3 7m:4\n", "一萬:4 四萬:3 七萬:4\n", "🀇:4 🀊:3 🀍:4\n")
    assert text.isascii() == (
        encoding in ("ascii", "cp1252", "latin-1") or (style == "unicode" and encoding != "utf-8")
    )


def test_an_encoding_without_the_characters_gets_escapes() -> None:
    done = run("convert", "123m456p77z", "--to", "hanzi", PYTHONIOENCODING="ascii")
    assert done.stdout.decode("unicode-escape") == "一二三萬四五六筒中中\n"
    done = run("convert", "11z", "--to", "unicode", "--json", PYTHONIOENCODING="cp1252")
    assert b'"text": "\\ud83c\\udc00\\ud83c\\udc00"' in done.stdout
    done = run("shanten", "-h", PYTHONIOENCODING="cp1252")
    assert done.returncode == 0
    assert "ready 聽牌".encode("ascii", "backslashreplace") in done.stdout
    done = run("shanten", "一萬8z", PYTHONIOENCODING="ascii")
    assert done.stderr.decode() == (
        "mjcli: error: no tile '8z' (ranks are 1-7) at column 3\n    \\u4e00\\u842c8z\n                ^\n"
    )


def test_an_argument_that_is_not_utf_8() -> None:
    done = subprocess.run(
        [*map(os.fsencode, MJCLI), b"shanten", b"12m\xff"], capture_output=True, env=environment(), check=False
    )
    assert done.returncode == 2
    assert done.stderr == b"mjcli: error: the byte \\xff is not UTF-8 at column 4\n    12m\\xff\n       ^\n"


@pytest.mark.parametrize("name", ["hands.txt", "hands.txt.gz"])
def test_input_from_a_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    content = b"\xef\xbb\xbf12m\r\n# none\r\n8z\r\n1m"
    path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    done = run("waits", "--input", name, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == b"1m:3"
    assert f"mjcli: error: {name}:3: no tile '8z'".encode() in done.stderr


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("hands.csv", 'hand,seat\n"22z,123m",E\n'),
        ("hands.tsv", "hand\tseat\n22z,123m\tE\n"),
        ("hands.jsonl", '{"hand": "22z,123m", "seat": "E"}\n'),
        ("hands.ndjson.gz", '{"hand": "22z,123m", "seat": "E"}\n'),
    ],
)
def test_the_suffix_says_the_format(tmp_path: Path, name: str, content: str) -> None:
    raw = content.encode()
    (tmp_path / name).write_bytes(gzip.compress(raw) if name.endswith(".gz") else raw)
    assert run("convert", "-i", name, cwd=tmp_path).stdout == b"22z,123m seat=E\n"


def test_a_gzip_file_that_is_cut_off(tmp_path: Path) -> None:
    hands = b"".join(b"%dm%dp\n" % (a, b) for a in range(1, 10) for b in range(1, 10)) * 200
    packed = gzip.compress(hands)
    (tmp_path / "hands.gz").write_bytes(packed[: len(packed) // 2])
    done = run("convert", "-i", "hands.gz", cwd=tmp_path)
    assert done.returncode == 1
    *answers, last = done.stdout.splitlines()
    assert answers == hands.splitlines()[: len(answers)]
    assert len(answers) > 100
    assert last.startswith(b"error bad-line column ")
    assert b"the data end before they are complete" in last


def test_a_file_that_is_no_gzip(tmp_path: Path) -> None:
    (tmp_path / "hands.gz").write_bytes(b"12m\n")
    done = run("convert", "-i", "hands.gz", cwd=tmp_path)
    assert done.returncode == 1
    assert b"Not a gzipped file" in done.stderr


def test_a_line_that_is_too_long() -> None:
    done = run("shanten", "-f", "jsonl", given=b"12m\n" + b"1" * 3_000_000 + b"m\n12m\n")
    first, bad, last = done.stdout.splitlines()
    assert first == last
    assert b'"line": 2' in bad
    assert b'"code": "too-long", "column": 1000001' in bad
    assert len(bad) < 300
    assert len(done.stderr) < 600


def test_output_to_a_file(tmp_path: Path) -> None:
    target = tmp_path / "answers.csv"
    target.write_text("before")
    target.chmod(0o640)
    link = tmp_path / "link.csv"
    link.symlink_to(target)
    done = run("waits", "1m", "8z", "-f", "csv", "--no-header", "-o", str(link))
    assert (done.returncode, done.stdout) == (1, b"")
    assert target.read_text().splitlines()[0] == "1m,4,,1m:3,,"
    assert target.stat().st_mode & 0o777 == 0o640
    assert link.is_symlink()
    assert len(list(tmp_path.iterdir())) == 2


def test_output_of_a_bad_hand_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    target = tmp_path / "answers.txt"
    assert run("waits", "8z", "-o", str(target)).returncode == 2
    assert list(tmp_path.iterdir()) == []


def test_output_where_none_can_be(tmp_path: Path) -> None:
    path = str(tmp_path / "no" / "answers.txt")
    done = run("waits", "1m", "-o", path)
    assert done.returncode == 2
    assert done.stderr.decode() == f"mjcli: error: cannot use {path!r}: No such file or directory\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize("arguments", ["shanten 12m", "rules list", "shanten -h", "-h", "--version"])
def test_a_full_disk_is_told(arguments: str) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*MJCLI, *arguments.split()], stdout=full, stderr=subprocess.PIPE, env=environment(), check=False
        )
    assert done.returncode == 2
    assert done.stderr == b"mjcli: error: cannot write standard output: No space left on device\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_full_disk_is_told_of_a_file() -> None:
    done = run("shanten", "12m", "-o", "/dev/full")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"mjcli: error: cannot use '/dev/full': No space left on device\n"


@pytest.mark.skipif(os.name == "nt", reason="limits of POSIX")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_what_is_too_large_for_the_disk_is_told(unbuffered: str, tmp_path: Path) -> None:
    """A limit lets the first 8 kB be written, and no more; without a buffer that is a write that did not fail."""
    import resource

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))

    for place, error in (([], "cannot write standard output"), (["-o", "x.json"], "cannot use 'x.json'")):
        with (tmp_path / "out").open("wb") as out:
            done = subprocess.run(
                [*MJCLI, "rules", "schema", *place],
                stdout=out,
                stderr=subprocess.PIPE,
                env={**environment(), "PYTHONUNBUFFERED": unbuffered},
                cwd=tmp_path,
                preexec_fn=limit,
                check=False,
            )
        assert done.returncode == 2
        assert done.stderr.decode() == f"mjcli: error: {error}: File too large\n"
        assert [each.name for each in tmp_path.iterdir()] == ["out"]


@pytest.mark.skipif(os.name == "nt", reason="devices of POSIX")
def test_a_device_is_written_as_it_stands() -> None:
    assert run("waits", "1m", "-o", "/dev/null").returncode == 0
    assert not Path("/dev/null").is_file()


@pytest.mark.skipif(os.name == "nt", reason="devices of POSIX")
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/stderr"])
def test_a_standard_stream_is_added_to(tmp_path: Path, name: str) -> None:
    target = tmp_path / "log.txt"
    target.write_text("before\n")
    with target.open("ab") as log:
        subprocess.run(
            [*MJCLI, "waits", "1m", "-o", name], stdout=log, stderr=log, env=environment(), check=True, timeout=60
        )
    assert target.read_text() == "before\n1m:3\n"


def test_the_ruleset_can_stand_in_the_environment() -> None:
    done = run("shanten", "12m", MJCLI_RULES="jipinhu")
    assert done.returncode == 2
    assert b"no ruleset 'jipinhu'" in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="a shell of POSIX")
@pytest.mark.parametrize(
    ("redirected", "message"),
    [(">&-", "standard output is closed"), ("<&-", "give a HAND, or '-' to read standard input")],
)
def test_closed_streams(redirected: str, message: str) -> None:
    hand = "12m" if ">" in redirected else ""
    shell = f"{shlex.join(MJCLI)} shanten {hand} {redirected}"
    done = subprocess.run(["sh", "-c", shell], capture_output=True, env=environment(), check=False)
    assert (done.returncode, done.stderr.decode()) == (2, f"mjcli: error: {message}\n")


@pytest.mark.parametrize(
    ("typed", "offered"),
    [("mjcli sh", "shanten"), ("mjcli shanten --form", "--format"), ("mjcli waits -f js", "json\njsonl")],
)
def test_completion(typed: str, offered: str) -> None:
    words = str(len(typed.split()) - 1)
    done = run(_MJCLI_COMPLETE="complete_bash", COMP_WORDS=typed, COMP_CWORD=words)
    assert done.stdout.decode().strip() == offered
