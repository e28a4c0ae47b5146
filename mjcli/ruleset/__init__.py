"""Rulesets as data: loading, checking and compiling the files of ``rulesets/``."""

from mjcli.ruleset.load import load_ruleset
from mjcli.ruleset.paths import ruleset_names
from mjcli.ruleset.ruleset import Liability, PatternInfo, Ruleset

__all__ = ["Liability", "PatternInfo", "Ruleset", "load_ruleset", "ruleset_names"]
