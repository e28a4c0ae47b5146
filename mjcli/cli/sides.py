"""What a run plays as the command line says it, and how the sides of a comparison change that."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mjcli.cli.messages import UsageError
from mjcli.errors import most_like

if TYPE_CHECKING:
    from mjcli.simulate import Plan

__all__ = ["Played", "sides_of"]

BETWEEN: Final = re.compile(r"[\s,]+")
"""What stands between two things that a side says, ..."""

BEFORE_KEY: Final = re.compile(r"[\s,]+(?=\w+=)")
"""... and that before a ``KEY=VALUE``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What is played."""

    rules: str
    options: Mapping[str, str]
    players: str
    """Their names with commas between, or one for all seats."""

    def changed(self, changes: Sequence[str]) -> Played:
        """Return it with changes, each of which is a ruleset, a list of players, a ``KEY=VALUE``, or several of these.

        >>> before = Played(rules="jipinghu", options={"cap": "4"}, players="fast")
        >>> before.changed(["hongkong minimum_fan=3"]).options
        {'cap': '4', 'minimum_fan': '3'}
        >>> before.changed(["value,fast"]).players
        'value,fast'

        Raises:
            UsageError: a change is none of these, or something is said twice.
        """
        said: dict[str, str] = {}
        for change in changes:
            for key, value in _said(change):
                if key in said:
                    raise UsageError(
                        f"--compare {change}: {key}={value} comes after {key}={said[key]}; A B are the two sides"
                    )
                said[key] = value
        rules, players = said.pop("rules", self.rules), said.pop("players", self.players)
        return replace(self, rules=rules, players=players, options={**self.options, **said})

    def plan(self, *, games: bool) -> Plan:
        """Return the plan of a run, but for the seed; one player alone sits at every seat that the ruleset has.

        Args:
            games: whether whole games are played.

        Raises:
            InputError: there is no such ruleset or option.
        """
        from mjcli.ruleset import load_ruleset
        from mjcli.simulate import Plan

        ruleset = load_ruleset(self.rules, self.options)
        names = tuple(name.strip() for name in self.players.split(","))
        if len(names) == 1:
            names *= ruleset.players
        return Plan(rules=self.rules, options=self.options, players=names, games=games)


def sides_of(played: Played, compared: Sequence[str], more: Sequence[str]) -> tuple[Played, Played]:
    """Return both sides of a comparison.

    Args:
        played: what the rest of the command line says.
        compared: what ``--compare`` says, each time that it is given.
        more: what stands beside that on the command line: the second side, of which the first is ``compared``; without
            it the first side is ``played`` as it is.

    Raises:
        UsageError: there are more than two sides, or a side cannot be understood.
    """
    if not more:
        return played, played.changed(compared)
    if len(more) > 1 or len(compared) > 1:
        shown = " and ".join(f"'{side}'" for side in (*compared, *more))
        raise UsageError(f"--compare A B has two sides, not {shown}; put quotes around what belongs to one side")
    return played.changed(compared), played.changed(more)


def _said(side: str) -> Iterator[tuple[str, str]]:
    """Yield what a side says, as keys and values."""
    for piece in BEFORE_KEY.split(side.strip()):
        key, equals, rest = piece.partition("=")
        if not (equals and key.isidentifier()):
            rest = piece
        elif key in ("rules", "players"):  # of which a path may have blanks
            yield key, rest
            continue
        else:
            value, *words = BETWEEN.split(rest, maxsplit=1)
            yield key, value
            rest = " ".join(words)
            if not rest:
                continue
        kind = _kind(rest)
        for word in [rest] if kind else rest.split() or [rest]:
            found = kind or _kind(word)
            if not found:
                raise _unknown(side, word)
            yield found, word


def _kind(word: str) -> str:
    """Return what a word without a key is: ``rules``, ``players``, or nothing that is known."""
    from mjcli.errors import InputError
    from mjcli.ruleset.paths import ruleset_path

    try:
        ruleset_path(word)
    except InputError:
        names = [name.strip() for name in word.split(",")]
        are_players = [_is_player(name) for name in names]
        has_some = any(are_players) and len(names) > 1 and not any(" " in name for name in names)
        return "players" if all(are_players) or has_some else ""  # which of them is none is said where they are made
    return "rules"


def _is_player(name: str) -> bool:
    """Return whether this is the name of a player, or of one of one's own, whose file is there if that has blanks."""
    from mjcli.players import PLAYERS

    path = Path(name.rpartition(":")[0])
    return name in PLAYERS or (path.suffix == ".py" and (" " not in name or path.is_file()))


def _unknown(side: str, word: str) -> UsageError:
    from mjcli.players import PLAYERS
    from mjcli.ruleset import ruleset_names

    meant = most_like(word, [*ruleset_names(), *PLAYERS])
    hint = f" (did you mean '{meant}'?)" if meant else ""
    return UsageError(
        f"--compare {side}: '{word}' is no ruleset and no player{hint}, and an option is said as KEY=VALUE; "
        f"there are the rulesets {', '.join(ruleset_names())}, and the players {', '.join(PLAYERS)}, or FILE.py:NAME"
    )
