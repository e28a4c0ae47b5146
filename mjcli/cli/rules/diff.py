"""``mjcli rules diff``: what differs between two rulesets, and the smallest hands that show it."""

from __future__ import annotations

import time as clock
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from typer.core import TyperArgument

from mjcli.chance import fresh_seed, parse_seed
from mjcli.cli.command import Command, option, seed_option, whole_number
from mjcli.cli.messages import UsageError
from mjcli.cli.output import Answer
from mjcli.cli.request import in_language, language_option, options_said
from mjcli.cli.rules.common import write_json, write_lines, writing
from mjcli.cli.rules.show import condition_text, fan_text
from mjcli.cli.score import headline, value_keys
from mjcli.comparison import HANDS, Contrast, Contrasts, contrasts, example_lines
from mjcli.errors import InputError, amount
from mjcli.notation import format_line
from mjcli.ruleset import load_ruleset
from mjcli.ruleset.contents import contents
from mjcli.ruleset.differences import Difference, differences, readers
from mjcli.ruleset.layers import read_ruleset
from mjcli.ruleset.paths import ruleset_path

if TYPE_CHECKING:
    from mjcli.cli.messages import Messages
    from mjcli.hand import Line
    from mjcli.ruleset import Ruleset

__all__ = ["command"]

SHOWN: Final = 5
"""How many hands are shown where it is not said."""

WIDE: Final = 100
"""A change that needs more characters than this has each side on a line of its own."""


class Side(NamedTuple):
    """One of the two rulesets."""

    label: str
    """Its id, and the options that were set."""
    ruleset: Ruleset
    said: dict[str, Any]
    """Everything that it says, as ``contents`` returns it."""

    def lines(self, changed: set[str]) -> list[Line]:
        """Return the hands of its patterns, those of changed patterns first."""
        patterns = sorted(self.said["patterns"], key=lambda pattern: pattern["id"] not in changed)
        texts = [text for pattern in patterns for key in ("match", "no_match") for text in pattern.get(key, ())]
        return example_lines(self.ruleset, texts)


def sides(
    one: str, other: str | None, settings: Sequence[str], settings_a: Sequence[str], settings_b: Sequence[str]
) -> tuple[Side, Side]:
    """Return the two rulesets, each under the common options and its own; the second is the first if it is not named.

    Raises:
        UsageError: there is nothing to compare, or the options are not written so.
        InputError: there is no such ruleset or option, or it cannot be used.
    """
    if other is None and not (settings_a or settings_b):
        raise UsageError("give a second ruleset, or --set-a or --set-b to compare one with itself")
    found = []
    common = options_said(settings)
    for name, own, flag in ((one, settings_a, "--set-a"), (other or one, settings_b, "--set-b")):
        options = {**common, **options_said(own, flag)}
        ruleset = load_ruleset(name, options)
        file, _ = read_ruleset(ruleset_path(name))
        label = " ".join((ruleset.id, *(f"{key}={value}" for key, value in options.items())))
        found.append(Side(label, ruleset, contents(file, ruleset)))
    first, second = found
    if first.label == second.label and other is not None:
        return first._replace(label=one), second._replace(label=other)
    return first, second


def changed_patterns(found: Sequence[Difference], read_by: Sequence[list[str]]) -> set[str]:
    """Return the ids of the patterns of which something differs, or an option that they read."""
    ids = {each.path[1] for each in found if each.path[0] == "patterns"}
    return ids | {path.split(".")[1] for paths in read_by for path in paths if path.startswith("patterns.")}


def read_by(found: Difference, both: Sequence[Side]) -> list[str]:
    """Return where the value of an option that differs is read."""
    if found.path[0] != "options" or found.path[-1] != "value":
        return []
    return list(dict.fromkeys(path for each in both for path in readers(found.path[1], each.said)))


# for programs


def keys(found: Sequence[Difference], where: Sequence[list[str]], both: Sequence[Side]) -> Answer:
    """Return the rulesets and what differs between them."""
    a, b = ({"ruleset": each.said["id"], "options": dict(each.ruleset.options)} for each in both)
    listed = []
    for each, paths in zip(found, where, strict=True):
        read = {"read_by": paths} if paths else {}
        listed.append({"path": list(each.path), "a": each.one, "b": each.other, **read})
    return {"a": a, "b": b, "differences": listed}


def hand_keys(contrast: Contrast, lang: str) -> Answer:
    """Return a hand, why the rulesets differ on it, and what each makes of it."""
    sides: Answer = {}
    for name, found in (("a", contrast.one), ("b", contrast.other)):
        if isinstance(found, InputError):
            sides[name] = {"error": {"code": found.code, "message": str(found)}}
            continue
        sides[name] = {"complete": found.complete, "can_win": found.can_win}
        if found.best is not None:
            sides[name] |= value_keys(found, found.best, lang)
    return {"hand": format_line(contrast.line), "cause": list(contrast.cause), **sides}


# for people


def shown(found: Sequence[Difference], where: Sequence[list[str]], both: Sequence[Side], lang: str) -> Iterator[str]:
    """Yield what differs, by section, and under that by pattern or option."""
    section = thing = None
    explained = {each.path[:2] for each in found if each.path[2:] in (("fan",), ("in_play",))}
    for each, paths in zip(found, where, strict=True):
        if each.path[2:] == ("value",) and each.path[0] == "patterns" and each.path[:2] in explained:
            continue
        if each.path[0] != section:
            section, thing = each.path[0], None
            yield section
        margin, rest = "  ", each.path[1:]
        if section == "patterns":
            if rest[0] != thing:
                thing = rest[0]
                yield f"  {_named(thing, both, lang)}"
            margin, rest = "    ", rest[1:]
        yield from _change(".".join(rest), each, both, margin, lang)
        if paths:
            yield f"{margin}  {in_language(lang, 'read by', '用於', '用于')} {', '.join(paths)}"


def _named(name: str, both: Sequence[Side], lang: str) -> str:
    """Return the id of a pattern with its name in the first ruleset that has it."""
    names = next(each["names"] for side in both for each in side.said["patterns"] if each["id"] == name)
    called = names[lang] or names["en"]
    return f"{name} ({called})" if called else name


def _change(key: str, found: Difference, both: Sequence[Side], margin: str, lang: str) -> Iterator[str]:
    """Yield one change, on one line if that is wide enough."""
    for has, lacks, side in ((found.one, found.other, both[0]), (found.other, found.one, both[1])):
        if lacks is None and isinstance(has, dict):
            only = in_language(lang, f"only in {side.label}", f"只見於 {side.label}", f"只见于 {side.label}")
            yield f"{margin}{key + ': ' if key else ''}{only}: {_said(has)}"
            return
    counts = in_language(lang, "counts", "計", "计")  # a form whose rule is empty
    one, other = (
        counts if each == "" else _said(each) or in_language(lang, "nothing", "無", "无")
        for each in (found.one, found.other)
    )
    line = f"{margin}{key + ': ' if key else ''}{one} -> {other}"
    if len(line) <= WIDE:
        yield line
        return
    if key:
        yield f"{margin}{key}:"
    yield f"{margin}- {one}"
    yield f"{margin}+ {other}"


def _said(said: Any) -> str:
    """Return what a ruleset says of one thing; of a pattern, its value and its condition."""
    if isinstance(said, dict):
        if "in_play" in said:
            return ", ".join(filter(None, (f"fan {fan_text(said)}", condition_text(said))))
        if "values" in said:
            return f"{_said(said['value'])} [{'|'.join(said['values'])}]"
        return ", ".join(f"{key} {_said(value)}" for key, value in said.items() if value not in (None, [], ""))
    if isinstance(said, list):
        lists = any(isinstance(each, list) for each in said)
        return (" / " if lists else ", ").join(map(_said, said))
    return "" if said is None else str(said).lower() if isinstance(said, bool) else str(said)


def hands_shown(found: Contrasts, most: int, both: Sequence[Side], lang: str) -> Iterator[str]:
    """Yield the hands, each with what either ruleset makes of it."""
    if not found.found:
        return
    yield in_language(lang, "hands", "牌例", "牌例")
    width = max(len(each.label) for each in both)
    for contrast in found.found[:most]:
        yield f"  {format_line(contrast.line)}"
        said = hand_keys(contrast, lang)
        for side, name in zip(both, ("a", "b"), strict=True):
            yield f"    {side.label:<{width}}  {_worth(said[name], lang)}"
        yield f"    {in_language(lang, 'because of', '因', '因')} {', '.join(contrast.cause)}"


def _worth(said: Answer, lang: str) -> str:
    """Return what a hand is worth under one ruleset, and who pays."""
    if "error" in said:
        message: str = said["error"]["message"]
        return message
    line = headline(said, lang)
    paid = " ".join(f"{who} {points:+d}" for who, points in said.get("payments", {}).items())
    return f"{line} ({paid})" if paid else line


def run(
    told: Messages,
    *,
    one: str,
    other: str | None,
    settings: Sequence[str] | None,
    settings_a: Sequence[str] | None,
    settings_b: Sequence[str] | None,
    hands: int,
    time: int | None,
    seed: str | None,
    show: int,
    lang: str,
    json: bool,
    output: str | None,
) -> int:
    """Write the differences and the hands; the exit code is 1 if there are any."""
    both = sides(one, other, settings or (), settings_a or (), settings_b or ())
    chance = fresh_seed() if seed is None else parse_seed(seed)
    found = differences(both[0].said, both[1].said)
    same = not found and both[0].ruleset.program == both[1].ruleset.program
    where = [read_by(each, both) for each in found]
    changed = changed_patterns(found, where)
    lines = list(dict.fromkeys(line for each in both for line in each.lines(changed)))
    deadline = None if time is None else clock.monotonic() + time
    contrasted = contrasts(
        both[0].ruleset,
        both[1].ruleset,
        lines,
        changed=changed,
        seed=chance,
        hands=0 if same else hands,
        is_late=lambda: deadline is not None and clock.monotonic() >= deadline,
    )
    if json:
        counts = {"seed": chance, "tried": contrasted.tried, "differing": contrasted.differing}
        small = [hand_keys(each, lang) for each in contrasted.found[:show]]
        write_json(output, {**keys(found, where, both), **counts, "hands": small})
    else:
        text = [*shown(found, where, both, lang), *hands_shown(contrasted, show, both, lang)]
        write_lines(output, [f"--- {both[0].label}", f"+++ {both[1].label}", *text] if text else [])
    if same:
        told.note("nothing differs")
        return 0
    told.note(
        f"{amount(len(found), 'difference')}; {contrasted.differing} of {amount(contrasted.tried, 'hand')} differ, "
        f"by {amount(len(contrasted.found), 'cause')} (seed {chance})"
    )
    return 1 if found or contrasted.found else 0


def _side_option(letter: str) -> Any:
    return option(
        f"settings_{letter}",
        f"--set-{letter}",
        metavar="KEY=VALUE",
        about=f"Set an option of {letter.upper()} only, before --set.",
        group="Rules",
        multiple=True,
    )


command = Command(
    "diff",
    summary="Say what differs between two rulesets, and on which hands.",
    details="What differs in play: options, tiles, forms, patterns, score, payments, wall, rotation. Then the smallest "
    "hands whose score differs, each by a cause of its own: the patterns that count differently, or the step, payment, "
    "form or error that does. They are found by a search over the hands under 'match' and 'no_match' of both, "
    "variations of these, and wins drawn at random. Without B, A is compared with itself under --set-a and --set-b. "
    "The exit code is 0 if nothing differs, and 1 if something does.",
    examples=(
        ("mjcli rules diff jipinghu hongkong --hands 500", "two that come with mjcli"),
        ("mjcli rules diff hongkong --set-b payment=half --time 1", "one under two values of an option"),
        ("mjcli rules diff jipinghu my-club.yaml --seed 1 --json", "for programs, the same each time"),
    ),
    params=[
        TyperArgument(param_decls=["one"], required=True, metavar="A", help="A ruleset by id or by path."),
        TyperArgument(param_decls=["other"], required=False, metavar="[B]", help="Another; without it, A again."),
        option("settings", "--set", metavar="KEY=VALUE", about="Set an option of both.", group="Rules", multiple=True),
        _side_option("a"),
        _side_option("b"),
        option(
            "--hands",
            metavar="N",
            about=f"How many hands are tried at most; default {HANDS}.",
            group="Search",
            type=whole_number(0),
            default=str(HANDS),
        ),
        option("--time", metavar="SECONDS", about="Stop the search then.", group="Search", type=whole_number(1)),
        option(
            "--show",
            metavar="N",
            about=f"How many hands are written at most; default {SHOWN}.",
            group="Search",
            type=whole_number(0),
            default=str(SHOWN),
        ),
        seed_option(),
        language_option(),
        *writing(),
    ],
    run=run,
)
