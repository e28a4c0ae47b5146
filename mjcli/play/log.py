"""Logs of deals: one JSON object a line, which tell a deal so that it can be played again to the same end.

The first line of a deal says the ruleset, its options, seed and number of the deal, dice, wall and hands; then every
event has a line. Replaying plays the deal anew: what chance and the rules decide must come as the log says, and what
players decide must be among their choices.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from mjcli.dealing import Deal, deal
from mjcli.errors import InputError
from mjcli.melds import Seat
from mjcli.notation import format_meld, format_tiles, parse_tiles
from mjcli.play.choices import PASS, Act, Choice, face
from mjcli.play.events import Event, event_keys
from mjcli.play.melding import added_kong, claimed_meld, concealed_kong, relation
from mjcli.play.referee import Judge, Outcome, play
from mjcli.play.table import NO_STANDING, SEATS, Standing, Table, start_of
from mjcli.ruleset import Ruleset, load_ruleset

__all__ = ["LogError", "Replayed", "deal_keys", "replay", "summary"]

LONGEST: Final = 120
"""How much of a line that is no event a message shows."""


class LogError(InputError):
    """A log that cannot be replayed; the message begins with the number of the line, and with the file if it is known.

    >>> str(LogError(2, "this is no JSON object").in_file("deals.jsonl"))
    'deals.jsonl:2: this is no JSON object'
    """

    def __init__(self, line: int, message: str, *, file: str = "") -> None:
        super().__init__("bad-log", f"{file}:{line}: {message}" if file else f"line {line}: {message}")
        self.line, self.message, self.file = line, message, file

    def in_file(self, file: str) -> LogError:
        """Return the error as one of a file."""
        return LogError(self.line, self.message, file=file)


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """A deal of a log that has been played again."""

    head: Mapping[str, Any]
    """Its first line."""
    ruleset: Ruleset
    events: tuple[Event, ...]
    outcome: Outcome


def deal_keys(
    ruleset: Ruleset,
    start: Deal,
    *,
    options: Mapping[str, str],
    round_wind: Seat | None,
    players: Sequence[str],
    standing: Standing = NO_STANDING,
    beside: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the first line of a deal.

    Args:
        ruleset: by which it is played.
        start: how it begins.
        options: those of the ruleset that are set, as text.
        round_wind: None in games without rounds.
        players: the name of each seat's player.
        standing: where the game stands.
        beside: what else is said, such as the number of the game.
    """
    return {
        "event": "deal",
        "ruleset": ruleset.id,
        "version": ruleset.version,
        "options": dict(options),
        "seed": start.seed,
        "index": start.index,
        **(beside or {}),
        "round": None if round_wind is None else round_wind.value,
        **_standing_keys(standing),
        "players": {seat.value: name for seat, name in zip(start.hands, players, strict=True)},
        "dice": [list(throw.dice) for throw in start.throws],
        "wall": format_tiles(start.wall.tiles),
        "hands": {seat.value: format_tiles(tiles) for seat, tiles in start.hands.items()},
        "bonus": {seat.value: format_tiles(tiles) for seat, tiles in start.bonus.items()},
    }


def _standing_keys(standing: Standing) -> dict[str, Any]:
    """Return what the first line says of where the game stands, as far as there is something to say."""
    said = {"counters": standing.counters, "deposits": standing.deposits}
    found: dict[str, Any] = {key: value for key, value in said.items() if value}
    if standing.points is not None:
        found["points"] = {seat.value: points for seat, points in zip(SEATS, standing.points, strict=False)}
    return found


def _standing(head: Mapping[str, Any], players: int) -> Standing:
    """Return where the game stands by the first line of a deal."""
    counters, deposits, points = head.get("counters", 0), head.get("deposits", 0), head.get("points")
    numbers = [counters, deposits]
    if points is not None:
        points = tuple(points[seat.value] for seat in SEATS[:players])
        numbers += points
    if any(type(number) is not int for number in numbers) or min(numbers[:2]) < 0:
        raise ValueError("'counters', 'deposits' and 'points' are whole numbers")
    return Standing(counters, deposits, points)


def summary(keys: Mapping[str, Any]) -> str:
    """Return a line of a log in a few words.

    >>> summary({"event": "discard", "seat": "W", "tile": "7z"})
    'W discard 7z'
    """
    words = [keys.get("seat"), keys.get("event"), keys.get("tile") or keys.get("meld") or keys.get("hand")]
    if not all(isinstance(word, str) for word in words):
        text = json.dumps(keys, ensure_ascii=False)
        return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
    return " ".join(map(str, words))


def replay(lines: Iterable[str], *, rules: str | None = None) -> Iterator[Replayed]:
    """Yield each deal of a log, played again.

    Args:
        lines: of the log.
        rules: the ruleset, by id or path, where the log's own name does not find it; its id must be the log's.

    Raises:
        LogError: a line is not what must come, or cannot be; it says what could have.
    """
    log = _Log(lines)
    judges: dict[str, Judge] = {}
    while (head := log.peek()) is not None:
        number = log.number
        ruleset, start, round_wind, standing, again = _opened(head, number, rules)
        key = json.dumps([ruleset.id, head["options"]], sort_keys=True)
        judge = judges.get(key)
        if judge is None:
            judge = judges[key] = Judge(ruleset)
        log.take()
        table = Table(ruleset, start_of(start), round_wind, standing)
        yield _Replay(log, judge, {**head, **again}, table).play()


class _Log:
    """The lines of a log, with a look ahead."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = enumerate(lines, 1)
        self._ahead: list[tuple[int, dict[str, Any]]] = []
        self._last = 0

    @property
    def number(self) -> int:
        """The number of the next line, or of the last one if there is no more."""
        return self._ahead[0][0] if self.peek() is not None else self._last

    def peek(self, ahead: int = 0) -> dict[str, Any] | None:
        """Return the object of the next line, or of one after it; None at the end."""
        while len(self._ahead) <= ahead:
            line = next(self._lines, None)
            if line is None:
                return None
            self._last, text = line
            if not text.strip():
                continue
            try:
                keys = json.loads(text)
            except (ValueError, RecursionError):
                raise LogError(self._last, "this is no JSON object") from None
            if not isinstance(keys, dict):
                raise LogError(self._last, "this is no JSON object")
            self._ahead.append((self._last, keys))
        return self._ahead[ahead][1]

    def take(self) -> None:
        """Go on to the next line."""
        self._ahead.pop(0)


def _opened(
    head: Mapping[str, Any], number: int, rules: str | None
) -> tuple[Ruleset, Deal, Seat | None, Standing, dict[str, Any]]:
    """Return what the first line of a deal says, and how it is written anew, with seats in the order of play."""
    if head.get("event") != "deal":
        raise LogError(number, f"a deal begins with the event deal, not with '{summary(head)}'")
    try:
        ruleset = load_ruleset(rules or head["ruleset"], head["options"])
        if ruleset.id != head["ruleset"]:
            raise InputError("bad-log", f"this is a deal of ruleset {head['ruleset']}, not of {ruleset.id}")
        start = deal(ruleset, dice=head["dice"], wall=parse_tiles(head["wall"]))
        wind = None if head["round"] is None else Seat(head["round"])
        seed, index = head["seed"], head["index"]
        start = replace(start, seed=seed, index=index)
        players = [head["players"][seat.value] for seat in start.hands]
        standing = _standing(head, ruleset.players)
        again = deal_keys(ruleset, start, options=head["options"], round_wind=wind, players=players, standing=standing)
        if seed is not None:
            dealt = deal(ruleset, seed=seed, index=index)
            if (dealt.throws, dealt.wall.tiles) != (start.throws, start.wall.tiles):
                raise InputError("bad-log", f"deal {index} of seed {seed} has other dice, or another wall")
    except InputError as error:
        raise LogError(number, str(error)) from None
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise LogError(number, f"the deal is not told whole: {type(error).__name__}: {error}") from None
    for key, value in again.items():
        if key not in head or head[key] != value:
            raise LogError(number, f"'{key}' must be {json.dumps(value)}")
    return ruleset, start, wind, standing, again


class _Replay:
    """Plays one deal as the log says."""

    def __init__(self, log: _Log, judge: Judge, head: Mapping[str, Any], table: Table) -> None:
        self.log, self.judge, self.head, self.table = log, judge, head, table
        self.events: list[Event] = []
        self.offered: list[str] = []
        """What players might have done since the last event."""

    def play(self) -> Replayed:
        outcome = play(self.judge, self.table, self.ask, self.tell)
        return Replayed(head=self.head, ruleset=self.judge.ruleset, events=tuple(self.events), outcome=outcome)

    def ask(self, seat: int, choices: Sequence[Choice]) -> Choice:
        """Return the choice of a player that the next event tells; of a claim that none tells, that he passed."""
        self.offered += [f"{SEATS[seat]} {choice}" for choice in choices if choice != PASS]
        ahead = 0
        keys = self.log.peek()
        while keys is not None:
            for choice in choices:
                if self.tells(keys, seat, choice):
                    return choice
            if PASS not in choices or keys.get("event") not in ("win", "payment", "deposit"):
                break
            ahead += 1
            keys = self.log.peek(ahead)
        if PASS in choices:
            return PASS
        raise self.refused(None)

    def tells(self, keys: Mapping[str, Any], seat: int, choice: Choice) -> bool:
        """Return whether an event is how a player's choice is told."""
        table, act, event, name = self.table, choice.act, keys.get("event"), SEATS[seat].value
        if event == "abort":
            said = keys.get("seats")
            return isinstance(said, list) and name in said and act in (Act.WIN, Act.ABORT)
        if keys.get("seat") != name:
            return False
        if act in (Act.WIN, Act.READY):
            return event == act.value
        if act is Act.DISCARD:
            return event == "discard" and keys.get("tile") == str(face(choice.kind, choice.red > 0))
        if act in (Act.CONCEALED_KONG, Act.ADDED_KONG, Act.ROB_OWN_KONG):
            if act is Act.CONCEALED_KONG:
                meld = concealed_kong(choice.kind, table.reds_of(seat, choice.kind))
            else:
                kind = table.drawn if act is Act.ROB_OWN_KONG else choice.kind
                assert kind is not None
                meld = added_kong(table.melds[seat], kind, table.reds_of(seat, kind))[1]
            own = bool(keys.get("rob_own", False))
            return event == "kong" and keys.get("meld") == format_meld(meld) and own == (act is Act.ROB_OWN_KONG)
        if act not in (Act.CHOW, Act.PUNG, Act.KONG):
            return False
        assert table.discarded is not None
        reds = table.discarded_red + (table.reds_of(seat, table.discarded) if act is Act.KONG else choice.red)
        meld = claimed_meld(choice, table.discarded, relation(seat, table.active, table.players), reds)
        return event == "claim" and keys.get("meld") == format_meld(meld)

    def tell(self, event: Event) -> None:
        """Hold an event against the next line."""
        keys = event_keys(event)
        if self.log.peek() != keys:
            raise self.refused(keys)
        self.log.take()
        self.events.append(event)
        self.offered.clear()

    def refused(self, must_come: Mapping[str, Any] | None) -> LogError:
        """Return the error for the next line, which is neither what must come, if something must, nor a choice."""
        found, number = self.log.peek(), self.log.number
        legal = ", ".join([*self.offered, *([] if must_come is None else [summary(must_come)])])
        if found is None:
            return LogError(number, f"the log ends after this line, before the deal does; legal: {legal}")
        shown = summary(found)
        if must_come is not None and all(found.get(key) == must_come.get(key) for key in ("event", "seat")):
            wanted = json.dumps(must_come, ensure_ascii=False)
            return LogError(number, f"'{shown}' is told otherwise than it was; it must be {wanted}")
        return LogError(number, f"'{shown}' is not legal here; legal: {legal}")
