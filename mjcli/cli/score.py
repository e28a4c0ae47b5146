"""``mjcli score``: the value of each won hand under a ruleset, and with ``--explain`` why."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from mjcli.cli.command import flag
from mjcli.cli.hands import Answer, HandCommand
from mjcli.cli.output import aligned
from mjcli.cli.request import in_language
from mjcli.errors import amount
from mjcli.hand import ASSUMED_SEAT
from mjcli.notation import format_hand, format_meld, format_tiles
from mjcli.payments import false_win_payments
from mjcli.ruleset.ruleset import name_in
from mjcli.scoring import Evaluated, Score, StandIn, score
from mjcli.tiles import JOKER_KIND, TILES

if TYPE_CHECKING:
    from mjcli.cli.request import Request
    from mjcli.explain import Failure
    from mjcli.hand import Line
    from mjcli.readings import Group, Reading
    from mjcli.ruleset import PatternInfo, Ruleset
    from mjcli.ruleset.ruleset import Names
    from mjcli.tiles import Tile

__all__ = [
    "command",
    "false_win_text",
    "headline",
    "joker_keys",
    "jokers_text",
    "pattern_keys",
    "title_key",
    "value_keys",
    "won_set",
    "worth",
    "written_group",
]

PLACES: Final = {
    "hand": ("hand", "手牌", "手牌"),
    "win": ("winning tile", "和牌張", "和牌张"),
    "meld": ("meld", "副露", "副露"),
}
"""Where a joker is, in each language."""


def prepare(request: Request) -> Callable[[Line], Answer]:
    """Return what answers one line."""
    ruleset = request.ruleset
    assert ruleset is not None
    declared = request.own["false_win"]
    if declared:
        false_win_payments(ruleset, ASSUMED_SEAT)  # refuses a ruleset that does not say what it costs

    def answer(line: Line) -> Answer:
        found = score(line, ruleset)
        answered: Answer = {"hand": format_hand(found.line.hand)}
        if found.assumed:
            answered["assumed"] = dict(found.assumed)
        answered |= {"ruleset": ruleset.id, "complete": found.complete, "can_win": found.can_win}
        if found.best is not None:
            answered |= value_keys(found, found.best, request.lang)
        if found.reason:
            answered["reason"] = found.reason
        false_win = declared and not found.can_win
        if false_win:
            answered["payments"] = dict(false_win_payments(ruleset, line.context.seat or ASSUMED_SEAT))
        answered["win_tile_assumed"] = found.win_tile_assumed
        if found.liable:
            answered["liable"] = found.liable
        if false_win:
            answered["false_win"] = True
        if found.jokers:
            answered["jokers"] = joker_keys(found.jokers)
        if request.own["explain"]:
            answered["explain"] = _explained(found, ruleset, request)
        return answered

    return answer


def value_keys(found: Score, best: Evaluated, lang: str) -> Answer:
    """Return the keys that say what a complete hand is worth, and by which reading."""
    value: Answer = {
        "fan": found.fan,
        "fan_uncapped": found.fan_uncapped,
        "points": found.points,
        **title_key(found.title, lang),
        "steps": dict(found.steps),
        "patterns": [pattern_keys(each.pattern, each.fan, each.count, lang) for each in found.patterns],
        "excluded": [{"id": each.pattern.id, "by": list(each.by)} for each in found.excluded],
        "reading": _reading(found, best),
    }
    if found.can_win:
        value["payments"] = dict(found.payments)
    return value


def joker_keys(jokers: Sequence[StandIn]) -> list[Answer]:
    """Return the keys that say what each joker stands for."""
    return [{"as": str(tile), "in": place} for tile, place in jokers]


def title_key(title: Names, lang: str) -> Answer:
    """Return the key that says what a hand is called, if it has a name."""
    return {"title": name_in(title, lang)} if title else {}


def pattern_keys(pattern: PatternInfo, fan: int, count: int, lang: str) -> Answer:
    """Return the keys of a pattern that counts: its fan for all counts, and what that is where it is no fan."""
    unit = {"unit": pattern.unit(lang)} if pattern.units else {}
    return {"id": pattern.id, "name": pattern.name(lang), "fan": fan, "count": count, **unit}


def _reading(found: Score, evaluated: Evaluated) -> Answer:
    reading = evaluated.reading
    groups = list(map(written_group, reading.groups, reading.filled))
    sets, pair = groups[: len(reading.sets)], groups[len(reading.sets) :]
    melds = [format_meld(meld) for meld in found.line.hand.melds]
    return {
        "form": reading.form,
        "sets": [*sets, *melds],
        "pair": pair[0] if pair else None,
        "wait": None if reading.wait == "none" else reading.wait,
        "won_set": None if reading.won is None else won_set(reading, groups),
    }


def written_group(group: Group, jokers: Sequence[Tile]) -> str:
    """Return a group as a meld is written: of jokers what they stand for."""
    if not jokers:
        return format_tiles(group.tiles)
    plain = list(group.tiles)
    for tile in jokers:
        plain.remove(tile)
    return f"{format_tiles((*plain, *(TILES[JOKER_KIND] for _ in jokers)))}={format_tiles(jokers)}"


def won_set(reading: Reading, groups: Sequence[str]) -> str:
    """Return the group that the winning tile completed; of two alike, the one in which it lies."""
    places = [place for place, group in enumerate(reading.groups) if group == reading.won]
    return groups[places[0] if reading.won_on_joker else places[-1]]


def _explained(found: Score, ruleset: Ruleset, request: Request) -> Answer:
    from mjcli.explain import explain

    reasons = explain(found)
    patterns = []
    for verdict in (*reasons.verdicts, *reasons.unplayed):
        said: Answer = {
            "id": verdict.pattern.id,
            "name": verdict.pattern.name(request.lang),
            "outcome": verdict.outcome,
            "terms": list(verdict.terms),
        }
        if verdict.outcome == "counts":
            said |= {"fan": verdict.fan, "count": verdict.count}
            said |= {"unit": verdict.pattern.unit(request.lang)} if verdict.pattern.units else {}
        if verdict.by:
            said["by"] = list(verdict.by)
        if verdict.failures:
            said["failures"] = list(map(_failure, verdict.failures))
        if verdict.pattern.note:
            said["note"] = verdict.pattern.note
        patterns.append(said)
    return {
        **({"missing": dict(reasons.missing)} if reasons.missing else {}),
        "patterns": patterns,
        "steps": [
            {"step": name, "value": found.steps.get(name), "is": text} for name, text in ruleset.program.texts.items()
        ],
        "other_readings": [
            {**_reading(found, each.evaluated), "step": each.step, "behind": each.behind} for each in reasons.losses
        ],
        **({"more_readings": found.more} if found.more else {}),
        "below": list(map(_failure, reasons.below)),
    }


def _failure(failure: Failure) -> Answer:
    missing = {} if failure.missing is None else {"missing": failure.missing}
    return {"term": failure.text, "because": failure.because, **missing}


# what people read


def text(answer: Answer, request: Request) -> str:
    """Return one line; with ``--explain`` a block under it."""
    line = _line(answer, request)
    return line if "explain" not in answer else "\n".join((line, *_block(answer, request)))


def _line(answer: Answer, request: Request) -> str:
    """Return what a hand is worth, what its jokers stand for, and what a false win costs, on one line."""
    line = "; ".join((headline(answer, request.lang), *_jokers(answer, request)))
    return line + false_win_text(answer["payments"], request) if "false_win" in answer else line


def false_win_text(payments: Mapping[str, int], request: Request) -> str:
    """Return what stands after the line of a hand that was declared a win and is none."""
    paid = " ".join(f"{seat} {amount:+d}" for seat, amount in payments.items())
    return f"; {request.word('false win', '詐糊', '诈糊')}: {paid}"


def headline(answer: Answer, lang: str) -> str:
    """Return fan, points and patterns of a hand on one line."""
    if not answer["complete"]:
        return in_language(lang, "not complete", "未成和牌", "未成和牌")
    points = in_language(lang, amount(answer["points"], "point"), f"{answer['points']} 分", f"{answer['points']} 分")
    title = f" ({answer['title']})" if "title" in answer else ""
    line = f"{answer['fan']} {in_language(lang, 'fan', '番', '番')}{title}, {points}"
    if not answer["can_win"]:
        line += in_language(lang, " (below the minimum)", "（不足起和番數）", "（不足起和番数）")
    names = ", ".join(f"{each['name']} {worth(each)}" for each in answer.get("patterns", ()))
    return f"{line}: {names}" if names else line


def worth(pattern: Answer) -> str:
    """Return what a pattern is worth, with its unit where that is not fan."""
    return f"{pattern['fan']} {pattern['unit']}" if "unit" in pattern else str(pattern["fan"])


def _jokers(answer: Answer, request: Request) -> Iterator[str]:
    """Yield what the jokers of a complete hand stand for, if it has any."""
    if answer["complete"] and "jokers" in answer:
        yield jokers_text(answer["jokers"], request)


def jokers_text(jokers: Sequence[Answer], request: Request) -> str:
    """Return what jokers stand for, in words."""
    tiles = " ".join(request.shown(each["as"]) for each in jokers)
    return f"{request.word('jokers as', '飛作', '飞作')} {tiles}"


def _block(answer: Answer, request: Request) -> Iterator[str]:
    word = request.word
    said = answer["explain"]
    yield from _section(word("hand", "手牌", "手牌"), _hand_rows(answer, request))
    missing = [
        (form, "-" if tiles is None else amount(tiles, "tile")) for form, tiles in said.get("missing", {}).items()
    ]
    yield from _section(word("missing for each form", "各牌型所欠", "各牌型所欠"), missing)
    names = _names(answer)
    kinds: dict[str, list[tuple[str, ...]]] = {"counts": [], "taken": [], "fails": [], "unplayed": []}
    for each in said["patterns"]:
        name = each["name"] if each["name"] == each["id"] else f"{each['name']} ({each['id']})"
        value = [worth(each)] if each["outcome"] == "counts" else []
        kind = "taken" if each["outcome"] in ("contained", "excluded") else each["outcome"]
        kinds[kind].append((name, *value, _why(each, names, request)))
    yield from _section(word("counts", "計", "计"), kinds["counts"])
    yield from _section(word("does not count", "不計", "不计"), kinds["taken"])
    yield from _section(word("does not match", "不符", "不符"), kinds["fails"])
    yield from _section(word("not in play", "不採用", "不采用"), kinds["unplayed"])
    steps = [(each["step"], str(each["value"]), each["is"]) for each in said["steps"] if each["value"] is not None]
    yield from _section(word("score", "計分", "计分"), steps)
    below = [(f"{part['term']}{_in_brackets(part['because'])}", _lacking(part, request)) for part in said["below"]]
    yield from _section(word("missing to win", "未能和牌", "未能和牌"), below)
    others: list[tuple[str, ...]] = [
        (_groups(each, request), _wait(each, request), _behind(each, request)) for each in said["other_readings"]
    ]
    if "more_readings" in said:
        more = said["more_readings"]
        others.append((word(f"and {more} more", f"另有 {more} 種", f"另有 {more} 种"),))
    yield from _section(word("other readings", "其他組合", "其他组合"), others)
    payments = [(role, f"{amount:+d}") for role, amount in answer.get("payments", {}).items()]
    if "liable" in answer:
        payments.append((word("liable by", "包牌", "包牌"), answer["liable"]))
    yield from _section(word("payments", "收付", "收付"), payments)


def _hand_rows(answer: Answer, request: Request) -> Iterator[tuple[str, ...]]:
    yield request.word("hand", "手牌", "手牌"), request.shown(answer["hand"])
    if "reading" in answer:
        reading = answer["reading"]
        yield request.word("reading", "組合", "组合"), _groups(reading, request)
        if "jokers" in answer:
            said = ((request.shown(each["as"]), request.word(*PLACES[each["in"]])) for each in answer["jokers"])
            yield request.word("jokers as", "飛作", "飞作"), ", ".join(f"{tile} ({place})" for tile, place in said)
        if reading["wait"]:
            yield request.word("wait", "聽", "听"), _wait(reading, request)
    if "assumed" in answer:
        yield (
            request.word("assumed", "假定", "假定"),
            " ".join(f"{key}={value}" for key, value in answer["assumed"].items()),
        )


def _groups(reading: Answer, request: Request) -> str:
    groups = [*reading["sets"], *([reading["pair"]] if reading["pair"] else [])]
    return " ".join([reading["form"], *map(request.shown, groups)])


def _wait(reading: Answer, request: Request) -> str:
    """Return the wait of a reading and the group that the winning tile completed, if it has them."""
    won = f" -> {request.shown(reading['won_set'])}" if reading["won_set"] else ""
    return f"{reading['wait'] or ''}{won}"


def _names(answer: Answer) -> dict[str, str]:
    """Return the name of every pattern of an explained answer, by id."""
    return {each["id"]: each["name"] for each in answer["explain"]["patterns"]}


def _why(verdict: Answer, names: Mapping[str, str], request: Request) -> str:
    """Return why a pattern counts or does not: its terms, those that fail, or what takes it away."""
    if verdict["outcome"] == "counts":
        return "; ".join(verdict["terms"])
    if "failures" in verdict:
        return "; ".join(f"{part['term']}{_in_brackets(part['because'])}" for part in verdict["failures"])
    takers = ", ".join(names[each] for each in verdict["by"])
    if verdict["outcome"] == "contained":
        return request.word(f"contained in {takers}", f"已含於 {takers}", f"已含于 {takers}")
    return request.word(f"excluded by {takers}", f"不與 {takers} 並計", f"不与 {takers} 并计")


def _lacking(failure: Answer, request: Request) -> str:
    """Return how much is missing, where that is a number."""
    missing = failure.get("missing")
    if missing is None:
        return ""
    are = "is" if missing == 1 else "are"
    return request.word(f"{missing} {are} missing", f"尚欠 {missing}", f"尚欠 {missing}")


def _behind(reading: Answer, request: Request) -> str:
    """Return by how much a reading lost, and in which step."""
    step, behind = reading["step"].removeprefix("@"), reading["behind"]
    if not step:
        return request.word("the same value", "同值", "同值")
    return request.word(f"{behind} {step} less", f"{step} 少 {behind}", f"{step} 少 {behind}")


def _in_brackets(reason: str) -> str:
    return f" ({reason})" if reason else ""


def _section(heading: str, rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield a heading and its rows, aligned; nothing without rows."""
    rows = list(rows)
    if rows:
        yield f"  {heading}"
        yield from aligned(rows, "    ")


def rows(answer: Answer, request: Request) -> Iterator[tuple[object, ...]]:
    """Yield a row for each pattern that counts, the sum on the first; with ``--explain`` for every one, and why."""
    hand = request.shown(answer["hand"])
    head = (hand, answer.get("fan", ""), answer.get("points", ""))
    patterns: list[tuple[object, ...]] = [(each["name"], worth(each)) for each in answer.get("patterns", [])]
    if "explain" in answer and answer["complete"]:
        names = _names(answer)
        patterns = [
            (each["name"], worth(each) if "fan" in each else "", _why(each, names, request))
            for each in _counting_first(answer)
        ]
    if patterns:
        patterns += [(said, "") for said in _jokers(answer, request)]
    for place, pattern in enumerate(patterns or [(_line(answer, request), "")]):
        yield (*(head if place == 0 else ("", "", "")), *pattern)


def _counting_first(answer: Answer) -> list[Answer]:
    """Return the verdicts, those on patterns that count before the others."""
    verdicts: list[Answer] = answer["explain"]["patterns"]
    return sorted(
        verdicts, key=lambda each: ("counts", "contained", "excluded", "fails", "unplayed").index(each["outcome"])
    )


command = HandCommand(
    "score",
    summary="Value each won hand under a ruleset.",
    details="Without --rules it is guangdong-xinzhang. A hand has 14 tiles, three for each meld; the winning tile "
    "stands after '+', or after '++' if it was drawn. Without '+' the tile written last is taken as the winning tile, "
    "won by discard unless --self-draw is said. A hand that is not complete, or is below the minimum of the ruleset, "
    "ends with exit code 1.",
    examples=(
        ("mjcli score 333p555s77m44s,111z+7m", "won on a discarded 7m"),
        ("mjcli score '123m 456p 777s 34s 99p ++5s last-tile' --explain", "why it is worth that"),
        ("mjcli score 19m19p19s1234567z++1z --rules jipinghu --lang zh-Hant --json", "for programs"),
    ),
    columns=(
        "ruleset",
        "complete",
        "can_win",
        "fan",
        "fan_uncapped",
        "points",
        "steps",
        "patterns",
        "excluded",
        "reading",
        "payments",
        "reason",
        "win_tile_assumed",
        "liable",
        "false_win",
        "jokers",
        "title",
        "explain",
    ),
    prepare=prepare,
    needs_rules=True,
    won=True,
    text=text,
    heads=(
        ("hand", "手牌", "手牌"),
        ("fan", "番", "番"),
        ("points", "分", "分"),
        ("pattern", "番種", "番种"),
        ("fan", "番", "番"),
    ),
    rows=rows,
    options=(
        flag("--explain", about="Say of every pattern why it counts, or why not.", group="Rules"),
        flag("--false-win", about="Say what a hand that cannot win costs who declared it a win.", group="Rules"),
    ),
    is_no=lambda answer: not answer["can_win"],
)
