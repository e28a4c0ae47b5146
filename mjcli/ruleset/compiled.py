"""What a ruleset file means under certain options: program, tiles, forms, wall, play and rotation."""

from collections.abc import Mapping
from typing import NamedTuple

from mjcli.errors import RulesetError
from mjcli.ruleset.compiler import compile_ruleset
from mjcli.ruleset.decisions import Decisions
from mjcli.ruleset.inplay import forms_in_play, joker_kongs, tiles_in_play
from mjcli.ruleset.liability import liability_kinds
from mjcli.ruleset.model import RulesetFile
from mjcli.ruleset.procedures import play_rules, rotation_rules, wall_rules
from mjcli.ruleset.program import OptionValue, PlayRules, Program, RotationRules, WallRules
from mjcli.tiles import TileSet

__all__ = ["Compiled", "compile_file"]


class Compiled(NamedTuple):
    """A ruleset under certain option values, as plain values."""

    program: Program
    tiles: TileSet
    forms: Mapping[str, str]
    """The forms that win, by their names in conditions, each with its rule."""
    joker_kongs: bool
    """Whether a kong may hold jokers."""
    wall: WallRules | None
    """None where the file does not say, as of ``play`` and ``rotation``."""
    play: PlayRules | None
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
    in_kongs = joker_kongs(file, decisions)
    play, rotation = play_rules(file, decisions), rotation_rules(file, decisions)
    program, faults = None, decisions.faults
    try:
        program = compile_ruleset(file, options)
    except RulesetError as error:
        faults = [*error.faults, *faults]
    if faults or program is None or tiles is None:
        raise RulesetError(faults)
    liable = tuple(map(liability_kinds, file.liability))
    return Compiled(program, tiles, forms, in_kongs, wall, play, rotation, liable)
