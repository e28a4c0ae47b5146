"""What a ruleset file means under certain options: program, tiles, forms, wall and rotation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from mjcli.errors import RulesetError
from mjcli.ruleset.compiler import compile_ruleset
from mjcli.ruleset.decisions import Decisions
from mjcli.ruleset.inplay import forms_in_play, tiles_in_play
from mjcli.ruleset.liability import liability_kinds
from mjcli.ruleset.model import RulesetFile
from mjcli.ruleset.procedures import rotation_rules, wall_rules
from mjcli.ruleset.program import OptionValue, Program, RotationRules, WallRules
from mjcli.tiles import TileSet

__all__ = ["Compiled", "compile_file"]


class Compiled(NamedTuple):
    """A ruleset under certain option values, as plain values."""

    program: Program
    tiles: TileSet
    forms: Mapping[str, str]
    """The forms that win, by their names in conditions, each with its rule."""
    wall: WallRules | None
    """None where the file does not say, as of ``rotation``."""
    rotation: RotationRules | None
    liable_kinds: tuple[frozenset[int] | None, ...]
    """Of each rule of liability: the kinds whose melds it means; None for all."""


def compile_file(file: RulesetFile, options: Mapping[str, OptionValue]) -> Compiled:
    """Return what a file means when all its options have these values.

    Raises:
        RulesetError: the file has faults; all that could be found are in it.
    """
    decisions = Decisions(file, options)
    tiles, forms = tiles_in_play(file, decisions), forms_in_play(file, decisions)
    wall = None if tiles is None else wall_rules(file, decisions, tiles)
    rotation = rotation_rules(file, decisions)
    program, faults = None, decisions.faults
    try:
        program = compile_ruleset(file, options)
    except RulesetError as error:
        faults = [*error.faults, *faults]
    if faults or program is None or tiles is None:
        raise RulesetError(faults)
    return Compiled(program, tiles, forms, wall, rotation, tuple(map(liability_kinds, file.liability)))
