"""Hands of other rulesets with the answers of other programs: from their files to rows, and rows held to mjcli.

A row is one mapping: ``id``, ``rules``, ``line`` (mjcli's notation) and the answers. Files of real cases in the longer
form (``hand``, ``context``, ``expected``) are read as well; ``row_of`` turns one of their rows into ours.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from mjcli.notation import parse_line
from mjcli.ruleset import Ruleset, load_ruleset
from mjcli.scoring import Score, score
from tests.cases import table
from tests.rulesets import own_or_shipped

Row = dict[str, Any]

NAMES: Final[Mapping[str, Mapping[str, str]]] = table("pattern_names")
"""By ruleset: what other programs call a pattern, and its id here."""

TWO_CHOWS: Final = ("yi_ban_gao", "xi_xiang_feng", "lian_liu", "lao_shao_fu")
"""Patterns of one fan each: where chows combine in several ways, MCR leaves the choice among them to the player."""

_RELATIONS: Final = {"+": "r", "=": "x", "-": "l"}
_MARKS: Final = {"kong": "o", "akong": "a"}


def read_rows(path: Path) -> Iterator[Row]:
    """Yield the rows of a file of either form, gzipped or not."""
    content = path.read_bytes()
    text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode()
    for line in text.splitlines():
        row = json.loads(line)
        yield row if "line" in row else row_of(row)


def row_of(case: Mapping[str, Any]) -> Row:
    """Return a case in the longer form as a row."""
    context = case["context"]
    if case["rules"] == "hk":
        return {"id": case["id"], "rules": "hskpeter", **_hong_kong_row(context, case["expected"])}
    melds = "".join(f",{meld['tiles']}{_MARKS.get(meld['type'], '')}" for meld in context["melds"])
    drawn = "++" if context["self_draw"] else "+"
    words = [f"seat={context['seat']}", f"round={context['round']}"]
    make = {"mcr": _mcr_row, "riichi": _riichi_row}[case["rules"]]
    bonus, more, answers = make(context, case["expected"])
    line = f"{case['hand']}{bonus}{melds}{drawn}{context['win']} {' '.join([*words, *more])}"
    return {"id": case["id"], "rules": case["rules"], "line": line, **answers}


def _mcr_row(context: Mapping[str, Any], expected: Mapping[str, Any]) -> tuple[str, list[str], Row]:
    flowers = context["flowers"]
    bonus = "1234"[:flowers] + "f" * (flowers > 0) + "1234"[: max(0, flowers - 4)] + "g" * (flowers > 4)
    words = [word for word in ("last-tile", "last-of-kind") if context[word.replace("-", "_")]]
    words += ["kong-draw" if context["self_draw"] else "rob-kong"] if context["kong"] else []
    if "total" in expected:
        return bonus, words, _mcr_answers(expected["total"], expected["fans"])
    engines = {}
    for engine, text in expected.items():
        total, *fans = text.split("|")
        engines[engine] = _mcr_answers(int(total), [fan.split("*") for fan in fans])
    return bonus, words, {"engines": engines}


def _mcr_answers(total: int, fans: Iterable[Sequence[Any]]) -> Row:
    """Return the answers of one engine; a fan is a name, its value, and how often it counts if that is said."""
    patterns: Counter[str] = Counter()
    for name, fan, *times in fans:
        patterns[NAMES["mcr"][name]] += int(fan) * int(times[0] if times else 1)
    return {"fan": total, "patterns": dict(patterns)}


def _riichi_row(context: Mapping[str, Any], expected: Mapping[str, Any]) -> tuple[str, list[str], Row]:
    said = context["riichi_etc"]
    unknown = set(said) - {"lizhi", "yifa", "haidi", "lingshang"}
    if unknown:
        raise ValueError(f"no words for {sorted(unknown)}")
    words = [f"from={_RELATIONS[context['ron_from']]}"] if context.get("ron_from") else []
    words += ["last-tile"] * bool(said.get("haidi")) + ["kong-draw"] * bool(said.get("lingshang"))
    words += [{0: "", 1: "riichi", 2: "double-riichi"}[said.get("lizhi", 0)]] if said.get("lizhi") else []
    words += ["ippatsu"] * bool(said.get("yifa"))
    words += [f"dora={''.join(context['dora_indicators'])}"] if context["dora_indicators"] else []
    words += [f"ura-dora={''.join(context['ura_indicators'])}"] if context["ura_indicators"] else []
    words += [f"honba={context['honba']}"] if context["honba"] else []
    patterns: Counter[str] = Counter()
    for name, fan in expected["yaku"]:
        patterns[NAMES["riichi"][name.split()[0]]] += 1 if expected["yakuman"] else fan
    payments = dict(zip("ESWN", expected["deltas"], strict=True))
    payments[context["seat"]] -= 1000 * context["sticks"]
    answers = {
        "fan": expected["han"],
        "fu": expected["fu"],
        "yakuman": expected["yakuman"],
        "points": expected["points"],
        "payments": payments,
        "patterns": dict(patterns),
    }
    return "", words, answers


_FLOWERS: Final[Mapping[str, str]] = {
    "plum": "1f",
    "lily": "2f",
    "chrysanthemum": "3f",
    "bamboo": "4f",
    "spring": "1g",
    "summer": "2g",
    "autumn": "3g",
    "winter": "4g",
}


def _hong_kong_row(context: Mapping[str, Any], expected: Mapping[str, Any]) -> Row:
    """Return a row without its id; the sets are as the case groups them, claimed, since it does not say concealed."""
    config = context["config"]
    *sets, pair = context["groups"]
    flowers = [tile for name, tile in _FLOWERS.items() if config.get("extraTiles", {}).get(name)]
    # a wind that is not said is one of which there are neither pungs nor flowers
    idle = [
        wind
        for number, wind in enumerate("ESWN", 1)
        if not any(f"{number}{number}{number}" in each for each in sets if each[-1] == "z")
        and (len(flowers) >= 4 or not any(flower[0] == str(number) for flower in flowers))
    ]
    winds = {word: config.get(f"{word}Wind", "") for word in ("seat", "round")}
    said = [f"{word}={wind[0].upper() if wind else idle[0]}" for word, wind in winds.items()]
    melds = "".join(f",{each}{'o' if len(each) == 5 else ''}" for each in sets)
    drawn = config.get("selfPick") or config.get("flowersHand")
    win = f"{'++' if drawn else '+'}{pair[1:]}"
    fans = {NAMES["hskpeter"][name]: expected["total"] if fan == "∞" else fan for name, fan in expected["details"]}
    return {
        "line": f"{''.join(flowers)}{pair[1:]}{melds}{win} {' '.join(said)}",
        "options": {} if "extraTiles" in config else {"flowers": "false"},
        "fan": expected["total"],
        "patterns": fans,
    }


@cache
def ruleset_of(rules: str, options: tuple[tuple[str, str], ...] = ()) -> Ruleset:
    """Return a ruleset under tests, or a shipped one."""
    return load_ruleset(own_or_shipped(rules), dict(options))


def differences(row: Row, ruleset: Ruleset | None = None) -> list[str]:
    """Return in what mjcli's answer differs from a row's; which of several equal readings is named is left free.

    Where engines differ, the answer has to be one of theirs.

    Args:
        row: the hand and its answers.
        ruleset: what scores it, if not the ruleset that the row names.
    """
    if "engines" in row:
        found_by = {engine: differences(sided(row, engine)) for engine in row["engines"]}
        return [] if not all(found_by.values()) else [f"{engine}: {found}" for engine, found in found_by.items()]
    ruleset = ruleset or ruleset_of(row["rules"], tuple(row.get("options", {}).items()))
    found = score(parse_line(row["line"], extra=ruleset.extra_words, tiles=ruleset.tiles), ruleset)
    if row["rules"] == "mcr":
        answers: Row = {"fan": found.points, "patterns": _mcr_patterns(found, row["patterns"])}
    elif row["rules"] == "hskpeter":
        answers = {"fan": found.fan, "patterns": {each.pattern.id: each.fan for each in found.patterns}}
    else:
        answers = _riichi_answers(found, row["yakuman"])
    return [f"{key}: {answer}, not {row[key]}" for key, answer in answers.items() if answer != row[key]]


def sided(row: Row, engine: str, **options: str) -> Row:
    """Return a row on which engines differ with the answer of one of them, held to certain options."""
    return {"id": row["id"], "rules": row["rules"], "line": row["line"], "options": options, **row["engines"][engine]}


def _mcr_patterns(found: Score, expected: Mapping[str, int]) -> Mapping[str, int]:
    """Return the fan of each pattern, by the reading and the choice of chows that were expected if they are as good."""
    for each in (found.best, *found.others):
        if each is not None and found.best is not None and each.rank == found.best.rank:
            patterns = {counted.pattern.id: counted.fan for counted in each.counted}
            if _chows_summed(patterns) == _chows_summed(expected):
                return expected
    return {each.pattern.id: each.fan for each in found.patterns}


def _chows_summed(patterns: Mapping[str, int]) -> dict[str, int]:
    fans = {name: fan for name, fan in patterns.items() if name not in TWO_CHOWS}
    return {**fans, "two chows": sum(patterns.get(name, 0) for name in TWO_CHOWS)}


def _riichi_answers(found: Score, yakuman: int | None) -> Row:
    groups = ("yakuman",) if yakuman else ("yaku", "dora")
    counted = {each.pattern.id: each.fan for each in found.patterns if each.pattern.group in groups}
    answers: Row = {"points": found.points, "payments": dict(found.payments), "patterns": counted}
    return answers if yakuman else {"fan": found.fan, "fu": found.steps.get("fu"), **answers}


def sample(rows: Iterable[Row], size: int) -> list[Row]:
    """Return some of the rows, in their order: for each pattern the same number, so far as there are so many."""
    left = list(rows)
    by_pattern: dict[str, list[Row]] = {}
    for row in left:
        for pattern in row["patterns"]:
            by_pattern.setdefault(pattern, []).append(row)
    chosen: dict[str, Row] = {}
    for place in range(len(left)):
        for pattern in sorted(by_pattern):
            if place < len(by_pattern[pattern]) and len(chosen) < size:
                row = by_pattern[pattern][place]
                chosen[row["id"]] = row
        if len(chosen) == size:
            break
    return [row for row in left if row["id"] in chosen]
