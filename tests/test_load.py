"""Loading: layers, the cache, and where rulesets are found."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType
from typing import Any, Final

import pytest

from mjcli.errors import InputError, RulesetError
from mjcli.notation import parse_line
from mjcli.ruleset import Ruleset, cache, load, load_ruleset, ruleset_names
from mjcli.ruleset.paths import ruleset_path
from mjcli.ruleset.ruleset import code_of
from mjcli.scoring import score
from tests.rulesets import small_ruleset

HAND: Final = parse_line("123m456p789s111z5z+5z")
ROOT: Final = Path(__file__).parents[1]


def fans(ruleset: Ruleset) -> dict[str, int]:
    return {each.pattern.id: each.fan for each in score(HAND, ruleset).patterns}


# layers


def layers(folder: Path, **upper: Any) -> Path:
    """Return a file that extends one with the patterns a, b and c."""
    small_ruleset(
        folder,
        [
            {"id": "a", "en": "A", "fan": "1", "when": "honors", "contains": ["b"], "source": "below"},
            {"id": "b", "fan": "2", "when": "concealed"},
            {"id": "c", "fan": "limit", "when": "chows == 3", "excludes": ["few"]},
            {"id": "d", "fan": "8", "when": "concealed"},
        ],
        id="lower",
        options={"limit": {"default": "4", "values": ["number"], "en": "limit"}},
        families={"few": ["d"]},
        forms={"standard": "true", "seven_pairs": "different"},
        names={"en": "Lower", "zh-Hant": "下"},
    )
    import yaml

    path = folder / "upper.yaml"
    path.write_text(yaml.dump({"id": "upper", "version": "2", "extends": "lower", **upper}, sort_keys=False))
    return path


def test_a_layer_that_adds_nothing_is_the_one_below(tmp_path: Path) -> None:
    found = load_ruleset(str(layers(tmp_path)), cache=False)
    assert fans(found) == {"a": 1, "c": 4}
    assert (found.id, found.version, dict(found.names)) == ("upper", 2, {"en": "Lower", "zh-Hant": "下"})


@pytest.mark.parametrize(
    ("upper", "answer"),
    [
        ({"patterns": [{"id": "e", "fan": "9", "when": "honors"}]}, {"a": 1, "c": 4, "e": 9}),
        ({"patterns": [{"id": "a", "fan": "7"}]}, {"a": 7, "c": 4}),
        ({"patterns": [{"id": "a", "contains": []}]}, {"a": 1, "b": 2, "c": 4}),
        ({"drop": ["a"]}, {"b": 2, "c": 4}),
        ({"drop": ["c"]}, {"a": 1, "d": 8}),
        ({"drop": ["d", "b"]}, {"a": 1, "c": 4}),
        ({"drop": ["a"], "patterns": [{"id": "a", "fan": "3", "when": "concealed"}]}, {"a": 3, "b": 2, "c": 4}),
        ({"options": {"limit": {"default": "6"}}}, {"a": 1, "c": 6}),
        ({"options": {"other": {"default": "6", "en": "unused"}}}, {"a": 1, "c": 4}),
        ({"families": {"few": ["a"]}}, {"b": 2, "c": 4, "d": 8}),
        ({"score": {"points": "2 * fan"}}, {"a": 1, "c": 4}),
    ],
)
def test_a_layer_changes_what_it_says(upper: dict[str, Any], answer: dict[str, int], tmp_path: Path) -> None:
    assert fans(load_ruleset(str(layers(tmp_path, **upper)), cache=False)) == answer


def test_a_changed_default_may_still_be_set(tmp_path: Path) -> None:
    path = layers(tmp_path, options={"limit": {"default": "6"}})
    assert fans(load_ruleset(str(path), {"limit": "9"}, cache=False)) == {"a": 1, "c": 9}


def test_the_order_of_patterns_is_that_of_the_lower_layer(tmp_path: Path) -> None:
    patterns = [{"id": "e", "fan": "1", "when": "honors"}, {"id": "b", "fan": "3"}]
    found = load_ruleset(str(layers(tmp_path, patterns=patterns)), cache=False)
    assert [each.id for each in found.patterns] == ["a", "b", "c", "d", "e"]
    assert found.patterns[0].source == "below"


def test_a_layer_may_take_out_a_form(tmp_path: Path) -> None:
    pairs = parse_line("1133m5577p2288s1z+1z")
    assert score(pairs, load_ruleset(str(layers(tmp_path)), cache=False)).complete
    found = load_ruleset(str(layers(tmp_path, forms={"seven_pairs": "false"})), cache=False)
    assert not score(pairs, found).complete
    assert dict(found.forms) == {"standard": ""}


def test_three_layers(tmp_path: Path) -> None:
    layers(tmp_path, drop=["a"], patterns=[{"id": "e", "fan": "9", "when": "honors"}])
    top = tmp_path / "top.yaml"
    top.write_text("id: top\nversion: 1\nextends: upper\ndrop: [e]\npatterns:\n- {id: b, fan: 5}\n")
    assert fans(load_ruleset(str(top), cache=False)) == {"b": 5, "c": 4}


def test_a_layer_may_extend_a_shipped_ruleset(tmp_path: Path) -> None:
    path = tmp_path / "club.yaml"
    path.write_text("id: club\nversion: 1\nextends: jipinghu\noptions: {cap: {default: none}}\n")
    found = load_ruleset(str(path), cache=False)
    assert found.options["cap"] == "none"
    assert [each.id for each in found.patterns] == [each.id for each in load_ruleset("jipinghu").patterns]


def test_more_than_ten_layers_are_refused(tmp_path: Path) -> None:
    for place in range(12):
        (tmp_path / f"l{place}.yaml").write_text(f"id: l{place}\nversion: 1\nextends: l{place + 1}\n")
    with pytest.raises(RulesetError) as caught:
        load_ruleset(str(tmp_path / "l0.yaml"), cache=False)
    assert [fault.message for fault in caught.value.faults] == ["more than 10 layers"]
    assert caught.value.faults[0].file.endswith("l9.yaml")


@pytest.mark.parametrize("under", ["../secret", "/etc/passwd", "secret.yaml", "~", ".", "..", "a/b"])
def test_a_ruleset_cannot_extend_files_elsewhere(under: str, tmp_path: Path) -> None:
    path = tmp_path / "small.yaml"
    path.write_text(f"id: small\nversion: 1\nextends: '{under}'\n")
    with pytest.raises(RulesetError) as caught:
        load_ruleset(str(path), cache=False)
    assert "is not a ruleset id" in str(caught.value)


# the cache


@pytest.fixture
def cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder that is the cache."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("MJCLI_CACHE_DIR", str(folder))
    return folder


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that grows by the id of each ruleset that is compiled."""
    found: list[str] = []
    whole: Callable[..., dict[str, Any]] = load._compiled

    def counting(path: Path, *rest: Any) -> dict[str, Any]:
        found.append(path.stem)
        return whole(path, *rest)

    monkeypatch.setattr(load, "_compiled", counting)
    return found


@pytest.fixture
def sources(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that grows by the id of each ruleset whose generated source is compiled."""
    found: list[str] = []
    whole = code_of

    def counting(source: str, name: str) -> CodeType:
        found.append(name)
        return whole(source, name)

    monkeypatch.setattr(load, "code_of", counting)
    return found


def the_entry(folder: Path, suffix: str = ".bin") -> Path:
    """Return the only entry's file of data, or with ``.code`` that of its compiled source."""
    (entry,) = folder.glob(f"*{suffix}")
    return entry


def same(one: Ruleset, two: Ruleset) -> bool:
    """Return whether two rulesets are equal, and value a hand alike."""
    return one == two and score(HAND, one) == score(HAND, two) and fans(one) == fans(two)


def test_the_second_load_is_from_the_cache_and_equal(cached: Path, compiled: list[str]) -> None:
    first = load_ruleset("jipinghu")
    second = load_ruleset("jipinghu")
    assert compiled == ["jipinghu"]
    assert same(first, second)
    assert same(first, load_ruleset("jipinghu", cache=False))
    assert the_entry(cached).name.startswith("jipinghu-")


def test_options_have_entries_of_their_own(cached: Path, compiled: list[str]) -> None:
    for options in ({}, {"cap": "4"}, {"cap": "5", "minimum_fan": "1"}, {"minimum_fan": "1", "cap": "5"}, {}):
        found = load_ruleset("jipinghu", options)
        assert same(found, load_ruleset("jipinghu", options, cache=False))
        assert found.options["cap"] == int(options.get("cap", 3))
    assert compiled == ["jipinghu"] * (3 + 5)
    assert sorted(each.suffix for each in cached.iterdir()) == [".bin"] * 3 + [".code"] * 3


def test_a_changed_file_is_compiled_again(cached: Path, tmp_path: Path, compiled: list[str]) -> None:
    path = layers(tmp_path)
    assert fans(load_ruleset(str(path)))["c"] == 4
    path.write_text(path.read_text() + "options: {limit: {default: 5}}\n")
    assert fans(load_ruleset(str(path)))["c"] == 5
    assert fans(load_ruleset(str(path)))["c"] == 5
    assert compiled == ["upper", "upper"]
    assert the_entry(cached)


def test_a_changed_layer_is_seen(cached: Path, tmp_path: Path, compiled: list[str]) -> None:
    path = layers(tmp_path)
    load_ruleset(str(path))
    lower = tmp_path / "lower.yaml"
    lower.write_text(lower.read_text().replace("default: '4'", "default: '6'"))
    assert fans(load_ruleset(str(path)))["c"] == 6
    assert compiled == ["upper", "upper"]
    lower.unlink()
    with pytest.raises(RulesetError):
        load_ruleset(str(path))
    assert the_entry(cached)


def test_a_layer_that_comes_between_is_seen(cached: Path, tmp_path: Path) -> None:
    """A file beside the ruleset goes before the shipped one of the same id."""
    path = tmp_path / "club.yaml"
    path.write_text("id: club\nversion: 1\nextends: jipinghu\n")
    assert load_ruleset(str(path)).options["cap"] == 3
    shutil.copy(ruleset_path("jipinghu"), tmp_path / "jipinghu.yaml")
    own = tmp_path / "jipinghu.yaml"
    own.write_text(own.read_text(encoding="utf-8").replace("default: 3", "default: 7"), encoding="utf-8")
    assert load_ruleset(str(path)).options["cap"] == 7
    assert the_entry(cached)


@pytest.mark.parametrize("enabled", [True, False])
def test_loading_leaves_garbage_collection_as_it_was(tmp_path: Path, enabled: bool) -> None:
    broken = tmp_path / "broken.yaml"
    broken.write_text("id: broken\n", encoding="utf-8")
    before = gc.isenabled()
    (gc.enable if enabled else gc.disable)()
    try:
        load_ruleset("jipinghu", cache=False)
        assert gc.isenabled() is enabled
        with pytest.raises(RulesetError):
            load_ruleset(str(broken), cache=False)
        assert gc.isenabled() is enabled
    finally:
        (gc.enable if before else gc.disable)()


def with_head(payload: bytes) -> bytes:
    return cache._head(payload) + payload


def marshalled(value: Any) -> bytes:
    import marshal

    return with_head(marshal.dumps(value))


def unmarshalled(content: bytes) -> Any:
    import marshal

    return marshal.loads(content[len(with_head(b"")) :])  # noqa: S302 - mjcli wrote it


BREAKS: Final[dict[str, Callable[[bytes], bytes]]] = {
    "empty": lambda _: b"",
    "cut": lambda content: content[: len(content) // 2],
    "cut-in-the-magic": lambda content: content[:5],
    "cut-in-the-head": lambda content: content[:16],
    "one-byte-changed": lambda content: content[:200] + bytes([content[200] ^ 1]) + content[201:],
    "other-magic": lambda content: b"x" + content[1:],
    "text": lambda _: "萬".encode() * 100,
    "right-head-of-no-marshal": lambda _: with_head(b"\xff\xfe"),
    "right-head-of-nothing": lambda _: with_head(b""),
    "right-head-of-another-value": lambda _: marshalled([1, 2]),
    "right-head-without-keys": lambda _: marshalled({"layers": [], "absent": []}),
    "right-head-of-wrong-keys": lambda _: marshalled({"layers": 3, "absent": None}),
}


CODE_BREAKS: Final[dict[str, Callable[[bytes], bytes]]] = {
    **BREAKS,
    "right-head-of-no-code": lambda content: marshalled((*unmarshalled(content)[:2], "no code")),
    "right-head-of-other-source": lambda content: marshalled((unmarshalled(content)[0], "", compile("", "", "exec"))),
    "right-head-of-another-key": lambda content: marshalled(("", *unmarshalled(content)[1:])),
}


@pytest.mark.parametrize("name", CODE_BREAKS)
def test_broken_code_is_silently_compiled_again(
    name: str, cached: Path, sources: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    first = load_ruleset("jipinghu")
    assert same(first, first)
    entry = the_entry(cached, ".code")
    whole = entry.read_bytes()
    entry.write_bytes(CODE_BREAKS[name](whole))
    assert same(load_ruleset("jipinghu"), first)
    assert entry.read_bytes() == whole
    assert same(load_ruleset("jipinghu"), first)
    assert sources == ["jipinghu", "jipinghu"]  # the third was taken from what the second wrote
    assert capfd.readouterr() == ("", "")


def test_source_is_compiled_when_a_hand_is_first_scored(cached: Path, sources: list[str]) -> None:
    found = load_ruleset("jipinghu")
    assert found.pattern("ji_hu") is not None
    assert not list(cached.glob("*.code"))
    assert not sources
    assert fans(found)
    assert fans(load_ruleset("jipinghu"))
    assert sources == ["jipinghu"]


@pytest.mark.parametrize("name", BREAKS)
def test_a_broken_cache_is_silently_rebuilt(
    name: str, cached: Path, compiled: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    first = load_ruleset("jipinghu")
    entry = the_entry(cached)
    whole = entry.read_bytes()
    entry.write_bytes(BREAKS[name](whole))
    assert same(load_ruleset("jipinghu"), first)
    assert same(load_ruleset("jipinghu"), first)
    assert compiled == ["jipinghu", "jipinghu"]  # the third was taken from what the second wrote
    assert capfd.readouterr() == ("", "")


def test_a_cache_that_cannot_be_written_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compiled: list[str]
) -> None:
    """The folder is a file, is in a file, or the entry is a folder."""
    blocked = tmp_path / "blocked"
    blocked.write_text("")
    for folder in (blocked, blocked / "in"):
        monkeypatch.setenv("MJCLI_CACHE_DIR", str(folder))
        assert load_ruleset("jipinghu").id == "jipinghu"
    folder = tmp_path / "cache"
    monkeypatch.setenv("MJCLI_CACHE_DIR", str(folder))
    load_ruleset("jipinghu")
    entry = the_entry(folder)
    entry.unlink()
    entry.mkdir()
    entry.with_suffix(".code").mkdir()
    assert fans(load_ruleset("jipinghu"))
    assert {each.name for each in folder.iterdir()} == {entry.name, entry.with_suffix(".code").name}
    assert compiled == ["jipinghu"] * 4


def test_an_empty_variable_means_the_usual_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MJCLI_CACHE_DIR", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    load_ruleset("jipinghu")
    assert not list(tmp_path.glob("*.bin"))


def test_without_cache_nothing_is_written(cached: Path) -> None:
    load_ruleset("jipinghu", cache=False)
    assert not cached.exists()


def test_faults_and_bad_options_are_never_cached(cached: Path, tmp_path: Path) -> None:
    path = small_ruleset(tmp_path, [{"id": "a", "fan": "1", "when": "chwos"}])
    for _ in range(2):
        with pytest.raises(RulesetError):
            load_ruleset(str(path))
        with pytest.raises(InputError):
            load_ruleset("jipinghu", {"cap": "many"})
    assert not cached.exists()


def test_the_same_file_by_another_path_is_the_same_entry(
    cached: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compiled: list[str]
) -> None:
    path = layers(tmp_path)
    load_ruleset(str(path))
    monkeypatch.chdir(tmp_path)
    load_ruleset("upper.yaml")
    monkeypatch.chdir("/")
    load_ruleset(str(path))
    assert compiled == ["upper"]
    assert the_entry(cached)


# finding rulesets


def test_unknown_names_are_refused_with_a_hint(tmp_path: Path) -> None:
    for name, message in (
        ("jipingu", "no ruleset 'jipingu' (did you mean 'jipinghu'?); there are "),
        ("jipinghu.yml", "no ruleset file 'jipinghu.yml'"),
        (str(tmp_path), f"no ruleset file '{tmp_path}'"),
        ("", "no ruleset ''; there are "),
    ):
        with pytest.raises(InputError) as caught:
            load_ruleset(name)
        assert caught.value.code == "no-ruleset"
        assert str(caught.value).startswith(message)


def test_the_rulesets_of_a_checkout_are_found() -> None:
    assert "jipinghu" in ruleset_names()
    assert ruleset_path("jipinghu").is_file()


ASKING: Final = (
    "import mjcli.ruleset as r; print(r.load_ruleset('jipinghu', cache=False).id, r.ruleset_names(), r.__file__)"
)


@pytest.mark.parametrize("layout", ["checkout", "wheel", "editable"])
def test_the_rulesets_are_found_in_every_layout(layout: str, tmp_path: Path) -> None:
    """A wheel has them inside the package, a checkout beside it; an editable install is a path to a checkout."""
    where = tmp_path / "site"
    shutil.copytree(ROOT / "mjcli", where / "mjcli", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "rulesets", where / ("mjcli/_rulesets" if layout == "wheel" else "rulesets"))
    (where / ("mjcli/_rulesets" if layout == "wheel" else "rulesets") / "club.yaml").write_text("")
    lookup = where
    if layout == "editable":
        lookup = tmp_path / "links"
        lookup.mkdir()
        (lookup / "mjcli").symlink_to(where / "mjcli", target_is_directory=True)
    answer = subprocess.run(
        [sys.executable, "-c", ASKING],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(lookup), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert answer.stdout.startswith(f"jipinghu {sorted(['club', *ruleset_names()])} ")
    assert str(tmp_path) in answer.stdout
