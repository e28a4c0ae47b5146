"""From what a file says of wall, play and rotation to plain values: only options may decide here, nothing of a hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Final

from mjcli.errors import Fault, HandError, InputError, RulesetError
from mjcli.ruleset import expressions as ex
from mjcli.ruleset.compiler import tile_set
from mjcli.ruleset.conditions import Conditions, WordError
from mjcli.ruleset.emit import Emitter, Value
from mjcli.ruleset.model import BreakRule, PlaySection, RotationSection, RulesetFile, WallSection
from mjcli.ruleset.program import OptionValue, PlayRules, RotationRules, WallRules
from mjcli.ruleset.shapes import nearest
from mjcli.ruleset.source import Place, Text
from mjcli.tiles import TileSet
from mjcli.wall import even_sides

__all__ = ["compile_procedures"]

THROWS: Final = ("first", "second", "least")
DEALER: Final = "dealer"
FLOWER_ORDERS: Final = ("player", "rounds")
WINNERS: Final = ("nearest", "all")
PASSED_WIN: Final = ("none", "go_round", "until_action")
AFTER_WIN: Final = ("stay", "pass", "winner")
SEATS: Final = ("winds", "highest_throw")
AFTER_DRAW: Final = ("stay", "pass", "last_drawer")

DEALT: Final = 13
"""Tiles that each player is dealt; the dealer has one more."""


def compile_procedures(
    file: RulesetFile, options: Mapping[str, OptionValue], absent: Iterable[str] = ()
) -> tuple[WallRules | None, PlayRules | None, RotationRules | None]:
    """Return the rules of wall, play and rotation under certain option values; None where the file does not say.

    Args:
        file: what the ruleset says.
        options: the value of every option.
        absent: tiles that the options keep out of play.

    Raises:
        RulesetError: the sections have faults; all that could be found are in it.
    """
    decisions = _Decisions(file, options)
    wall = None
    if file.wall is not None:
        with suppress(HandError):  # there is no such set: compiling the patterns reports it
            wall = _wall(file.wall, decisions, tile_set(file, absent))
    play = None if file.play is None else _play(file.play, decisions)
    rotation = None if file.rotation is None else _rotation(file.rotation, decisions)
    if decisions.faults:
        raise RulesetError(decisions.faults)
    return wall, play, rotation


class _Decisions:
    """Decides texts by the options of a file; it is the scope of its own conditions, which know no patterns."""

    def __init__(self, file: RulesetFile, options: Mapping[str, OptionValue]) -> None:
        self.pattern_names: list[str] = []
        self.conditions = Conditions(file, options, Emitter(frozenset()), self)
        self.conditions.options_only = True
        self.faults: list[Fault] = []

    def match(self, name: str) -> Value:
        raise WordError(f"'{name}' depends on a hand", 0)

    def group_names(self) -> list[str]:
        return []

    def group_values(self, name: str) -> list[tuple[Value, Value]]:
        raise WordError(f"'{name}' depends on a hand", 0)

    def fault(self, place: Place, message: str, path: str) -> None:
        self.faults.append(place.fault(message, path))

    def value(self, text: Text, path: str) -> OptionValue | None:
        """Return the value of a text; None after adding a fault."""
        try:
            found = self.conditions.value(ex.parse(text.text)).const
        except ex.ExpressionError as error:
            self.fault(text.at(error.at), str(error), path)
            return None
        except WordError as error:
            for each in (error, *error.others):
                self.fault(text.at(each.at), str(each), path)
            return None
        if found is None:
            self.fault(text.place, "only options may decide this, nothing that depends on a hand", path)
        return found

    def truth(self, text: Text | None, path: str, fallback: bool) -> bool:
        found = None if text is None else self.value(text, path)
        if text is not None and isinstance(found, str):
            self.fault(text.place, f"'{text.text}' is a word; compare it with '=='", path)
        return fallback if found is None else bool(found)

    def number(self, text: Text | None, path: str, least: int, most: int) -> int:
        found = least if text is None else self.value(text, path)
        if found is None:
            return least
        if not isinstance(found, int) or isinstance(found, bool) or not least <= found <= most:
            if text is not None:
                self.fault(text.place, f"{_written(text, found)} is not a number of {least} to {most}", path)
            return least
        return found

    def word(self, text: Text | None, path: str, words: tuple[str, ...]) -> str:
        """Return one of ``words``, of which the first is the default; an option or a choice by options may give it."""
        if text is None:
            return words[0]
        found: OptionValue = text.text
        if text.text in self.conditions.options or not text.text.isidentifier():
            before = self.conditions.option_words
            self.conditions.option_words = before | set(words)
            value = self.value(text, path)
            self.conditions.option_words = before
            if value is None:
                return words[0]
            found = value
        if isinstance(found, str) and found in words:
            return found
        hint = nearest(str(found), words)
        self.fault(text.place, f"{_written(text, found)} is none of {', '.join(words)}{hint}", path)
        return words[0]


def _written(text: Text, value: OptionValue) -> str:
    """Return a value for a message, with the text it comes from where that is another."""
    shown = str(value).lower() if isinstance(value, bool) else str(value)
    return f"'{shown}'" if shown == text.text else f"'{text.text}', here '{shown}',"


def _wall(section: WallSection, decisions: _Decisions, tiles: TileSet) -> WallRules | None:
    stacks = tuple(section.stacks)
    dead = decisions.number(section.dead_wall, "wall.dead_wall", 0, 100)
    indicator = decisions.number(section.indicator, "wall.indicator", 0, 50)
    jump = decisions.truth(section.jump, "wall.jump", True)
    flower_order = decisions.word(section.flower_order, "wall.flower_order", FLOWER_ORDERS)
    if not stacks:
        try:
            stacks = even_sides(tiles.size, section.players).lengths
        except InputError as error:
            decisions.fault(section.place, str(error), "wall")
            return None
    elif len(stacks) != section.players or 2 * sum(stacks) != tiles.size:
        decisions.fault(
            section.place,
            f"{len(stacks)} sides of {2 * sum(stacks)} tiles for {section.players} players and {tiles.size} tiles",
            "wall.stacks",
        )
    if DEALT * section.players + 1 + dead > tiles.size:
        decisions.fault(section.place, f"{tiles.size} tiles are too few to deal to {section.players} players", "wall")
    if 2 * indicator > dead:
        decisions.fault(section.place, f"stack {indicator} is not in a dead wall of {dead} tiles", "wall.indicator")
    rule = _break(section, decisions)
    if rule is None:
        return None
    return WallRules(
        tiles=tiles,
        stacks=stacks,
        throws=tuple(rule.throws),
        opener=tuple(text.text for text in rule.opener if text.text != DEALER),
        skip=tuple(text.text for text in rule.skip),
        inclusive=decisions.truth(rule.inclusive, "wall.breaks.inclusive", False),
        jump=jump,
        flower_order=flower_order,
        dead_wall=dead,
        indicator=indicator,
    )


def _break(section: WallSection, decisions: _Decisions) -> BreakRule | None:
    """Return the first rule that holds; the others are checked too."""
    found = None
    for index, rule in enumerate(section.breaks):
        path = f"wall.breaks[{index}]"
        if not 1 <= len(rule.throws) <= 2:
            decisions.fault(rule.place, f"one throw or two, not {len(rule.throws)}", f"{path}.throws")
        for key, texts, words in (("opener", rule.opener, (DEALER, *THROWS)), ("skip", rule.skip, THROWS)):
            for text in texts:
                if text.text not in words:
                    decisions.fault(
                        text.place,
                        f"'{text.text}' is none of {', '.join(words)}{nearest(text.text, words)}",
                        f"{path}.{key}",
                    )
                elif text.text == "second" and len(rule.throws) < 2:
                    decisions.fault(text.place, "there is but one throw", f"{path}.{key}")
                elif text.text == DEALER and len(texts) > 1:
                    decisions.fault(text.place, "'dealer' stands alone", f"{path}.{key}")
        if decisions.truth(rule.when, f"{path}.when", True) and found is None:
            found = rule
    if found is None:
        decisions.fault(section.place, "no rule of 'breaks' holds under these options", "wall.breaks")
    return found


def _play(section: PlaySection, decisions: _Decisions) -> PlayRules:
    return PlayRules(
        winners=decisions.word(section.winners, "play.winners", WINNERS),
        passed_win=decisions.word(section.passed_win, "play.passed_win", PASSED_WIN),
        rob_own_kong=decisions.truth(section.rob_own_kong, "play.rob_own_kong", False),
        rob_concealed_kong=tuple(section.rob_concealed_kong),
    )


def _rotation(section: RotationSection, decisions: _Decisions) -> RotationRules:
    after_win = decisions.word(section.after_win, "rotation.after_win", AFTER_WIN)
    after_draw = decisions.word(section.after_draw, "rotation.after_draw", AFTER_DRAW)
    rounds = decisions.number(section.rounds, "rotation.rounds", 0, 4)
    deals = decisions.number(section.deals, "rotation.deals", 0, 1000)
    if (rounds > 0) == (deals > 0):
        decisions.fault(section.place, "a game is counted in rounds or in deals; the other is 0", "rotation")
    if rounds and (after_win == "winner" or after_draw == "last_drawer"):
        decisions.fault(section.place, "where the deal does not pass in turn, deals are counted", "rotation.rounds")
    seats = decisions.word(section.seats, "rotation.seats", SEATS)
    return RotationRules(after_win=after_win, after_draw=after_draw, rounds=rounds, deals=deals, seats=seats)
