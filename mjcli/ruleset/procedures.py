"""From what a file says of wall, play and rotation to plain values: only options may decide here, nothing of a hand."""

from __future__ import annotations

from typing import Final

from mjcli.errors import RulesetError
from mjcli.notation.words import WordKind
from mjcli.ruleset.decisions import Decisions
from mjcli.ruleset.liability import fixed_kinds
from mjcli.ruleset.model import (
    BreakRule,
    Indicators,
    PlaySection,
    Ready,
    River,
    RotationSection,
    RulesetFile,
    WallSection,
)
from mjcli.ruleset.program import (
    HAND_SIZE,
    IndicatorRules,
    PlayRules,
    ReadyRules,
    RiverRules,
    RotationRules,
    WallRules,
)
from mjcli.ruleset.shapes import nearest
from mjcli.ruleset.source import Text
from mjcli.tiles import TileSet

__all__ = ["SEATS", "even_stacks", "play_rules", "rotation_rules", "wall_rules"]

THROWS: Final = ("first", "second", "least")
DEALER: Final = "dealer"
FLOWER_ORDERS: Final = ("player", "rounds")
WINNERS: Final = ("nearest", "all")
PASSED_WIN: Final = ("none", "go_round", "until_action", "any_tile")
SWAP_CALLING: Final = ("free", "same_tile", "same_chow")
KONGS_OF_READY: Final = ("none", "same_waits")
KONGS_TURN: Final = ("none", "at_once", "after_discard")
MOST_POINTS: Final = 1_000_000
SEATS: Final = ("winds", "east_chooses", "lots", "highest_throw", "odd_even", "odd_even_highest")
"""The keys of ``mjcli.seating.WAYS``, which need not be imported to read a ruleset."""
AFTER_WIN: Final = ("stay", "pass", "winner")
AFTER_DRAW: Final = ("stay", "pass", "last_drawer", "ready")


def even_stacks(size: int, players: int) -> tuple[int, ...]:
    """Return how many stacks of two lie before each player, E first; the longer sides are E's, then W's, S's and N's.

    >>> even_stacks(144, 4), even_stacks(164, 4), even_stacks(84, 3)
    ((18, 18, 18, 18), (21, 20, 21, 20), (14, 14, 14))

    Args:
        size: how many tiles there are, an even number.
        players: three or four.
    """
    least, more = divmod(size // 2, players)
    longer = [0, 2, 1, 3][:more] if players > 3 else range(more)
    return tuple(least + (seat in longer) for seat in range(players))


def wall_rules(file: RulesetFile, decisions: Decisions, tiles: TileSet) -> WallRules | None:
    """Return how the wall of ``tiles`` is built, broken and dealt from; None where the file does not say."""
    return None if file.wall is None else _wall(file.wall, decisions, tiles)


def play_rules(file: RulesetFile, decisions: Decisions) -> PlayRules | None:
    """Return how a deal is played where rulesets differ; None where the file does not say."""
    return None if file.play is None else _Play(file, decisions).rules(file.play)


def rotation_rules(file: RulesetFile, decisions: Decisions) -> RotationRules | None:
    """Return who deals next and when a game ends; None where the file does not say."""
    return None if file.rotation is None else _rotation(file.rotation, decisions)


def _wall(section: WallSection, decisions: Decisions, tiles: TileSet) -> WallRules | None:
    stacks = tuple(section.stacks)
    faults = len(decisions.faults)
    dead = decisions.number(section.dead_wall, "wall.dead_wall", 0, 100)
    indicator = decisions.number(section.indicator, "wall.indicator", 0, 50)
    known = len(decisions.faults) == faults
    jump = decisions.truth(section.jump, "wall.jump", True)
    flower_order = decisions.word(section.flower_order, "wall.flower_order", FLOWER_ORDERS)
    if not stacks:
        if tiles.size % 2:
            decisions.fault(section.place, f"{tiles.size} tiles do not lie in stacks of two", "wall")
            return None
        stacks = even_stacks(tiles.size, section.players)
    elif len(stacks) != section.players or 2 * sum(stacks) != tiles.size:
        decisions.fault(
            section.place,
            f"{len(stacks)} sides of {2 * sum(stacks)} tiles for {section.players} players and {tiles.size} tiles",
            "wall.stacks",
        )
    if HAND_SIZE * section.players + 1 + dead > tiles.size:
        kept_back = f", of which {dead} are kept back," if dead else ""
        decisions.fault(
            section.place, f"{tiles.size} tiles{kept_back} are too few to deal to {section.players} players", "wall"
        )
    if known and 2 * indicator > dead:
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


def _break(section: WallSection, decisions: Decisions) -> BreakRule | None:
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


class _Play:
    """Reads what a file says of play, some of it in context words of its own."""

    def __init__(self, file: RulesetFile, decisions: Decisions) -> None:
        self.file, self.decisions = file, decisions

    def rules(self, section: PlaySection) -> PlayRules:
        """Return how a deal is played."""
        decisions = self.decisions
        aborts = {name: decisions.truth(text, f"play.aborts.{name}", False) for name, text in section.aborts.items()}
        return PlayRules(
            winners=decisions.word(section.winners, "play.winners", WINNERS),
            passed_win=decisions.word(section.passed_win, "play.passed_win", PASSED_WIN),
            own_discards=decisions.truth(section.own_discards, "play.own_discards", False),
            rob_own_kong=decisions.truth(section.rob_own_kong, "play.rob_own_kong", False),
            rob_concealed_kong=tuple(section.rob_concealed_kong),
            swap_calling=decisions.word(section.swap_calling, "play.swap_calling", SWAP_CALLING),
            joker_claims=decisions.truth(section.joker_claims, "play.joker_claims", False),
            most_kongs=decisions.number(section.most_kongs, "play.most_kongs", 0, 16),
            last_replacement=decisions.truth(section.last_replacement, "play.last_replacement", True),
            ready=section.ready and self.ready(section.ready),
            indicators=section.indicators and self.indicators(section.indicators),
            counters=self.word(section.counters, "play.counters", WordKind.NUMBER),
            fed_before=self.word(section.fed_before, "play.fed_before", WordKind.FLAG),
            ready_hands=decisions.number(section.ready_hands, "play.ready_hands", 0, MOST_POINTS),
            river=section.river and self.river(section.river),
            aborts=tuple(name for name, holds in aborts.items() if holds),
        )

    def word(self, text: Text | None, path: str, kind: WordKind) -> str | None:
        """Return a context word of the ruleset as lines write it; None where there is none, or after adding a fault."""
        if text is None:
            return None
        known = self.file.context.get(text.text)
        if known is None:
            names = [name for name, word in self.file.context.items() if word.kind is kind]
            of = f"the context words of this ruleset that are {kind} ({', '.join(names) or 'there is none'})"
            self.decisions.fault(text.place, f"'{text.text}' is none of {of}{nearest(text.text, names)}", path)
            return None
        if known.kind is not kind:
            self.decisions.fault(text.place, f"'{text.text}' is a context word of {known.kind}, not of {kind}", path)
        return text.text.replace("_", "-")

    def ready(self, section: Ready) -> ReadyRules:
        """Return how ready is declared."""
        decisions, path = self.decisions, "play.ready"
        word = self.word(section.word, f"{path}.word", WordKind.FLAG) or ""
        return ReadyRules(
            word=word,
            first_turn=self.word(section.first_turn, f"{path}.first_turn", WordKind.FLAG) or word,
            at_once=self.word(section.at_once, f"{path}.at_once", WordKind.FLAG),
            deposit=decisions.number(section.deposit, f"{path}.deposit", 0, MOST_POINTS),
            deposits=self.word(section.deposits, f"{path}.deposits", WordKind.NUMBER),
            wall=decisions.number(section.wall, f"{path}.wall", 0, 100),
            points=decisions.truth(section.points, f"{path}.points", False),
            kongs=decisions.word(section.kongs, f"{path}.kongs", KONGS_OF_READY),
        )

    def indicators(self, section: Indicators) -> IndicatorRules:
        """Return what the tiles turned over are called."""
        decisions, path = self.decisions, "play.indicators"
        return IndicatorRules(
            word=self.word(section.word, f"{path}.word", WordKind.INDICATORS) or "",
            under=self.word(section.under, f"{path}.under", WordKind.INDICATORS),
            kongs=decisions.word(section.kongs, f"{path}.kongs", KONGS_TURN),
            under_kongs=decisions.truth(section.under_kongs, f"{path}.under_kongs", True),
        )

    def river(self, section: River) -> RiverRules | None:
        """Return what is paid for a row of discards; None where an option says that nothing is."""
        decisions, path = self.decisions, "play.river"
        try:
            kinds = fixed_kinds(section.tiles, f"{path}.tiles")
        except RulesetError as error:
            decisions.faults += error.faults
            return None
        found = RiverRules(
            kinds=tuple(sorted(kinds)),
            dealer=decisions.number(section.dealer, f"{path}.dealer", 0, MOST_POINTS),
            others=decisions.number(section.others, f"{path}.others", 0, MOST_POINTS),
        )
        return found if decisions.truth(section.when, f"{path}.when", True) else None


def _rotation(section: RotationSection, decisions: Decisions) -> RotationRules:
    after_win = decisions.word(section.after_win, "rotation.after_win", AFTER_WIN)
    after_draw = decisions.word(section.after_draw, "rotation.after_draw", AFTER_DRAW)
    faults = len(decisions.faults)
    rounds = decisions.number(section.rounds, "rotation.rounds", 0, 4)
    deals = decisions.number(section.deals, "rotation.deals", 0, 1000)
    if len(decisions.faults) == faults and (rounds > 0) == (deals > 0):
        decisions.fault(section.place, "a game is counted in rounds or in deals; the other is 0", "rotation")
    if rounds and (after_win == "winner" or after_draw == "last_drawer"):
        decisions.fault(section.place, "where the deal does not pass in turn, deals are counted", "rotation.rounds")
    seats = decisions.word(section.seats, "rotation.seats", SEATS)
    return RotationRules(
        after_win=after_win,
        after_draw=after_draw,
        rounds=rounds,
        deals=deals,
        points=decisions.number(section.points, "rotation.points", 0, MOST_POINTS),
        ends_below_zero=decisions.truth(section.ends_below_zero, "rotation.ends_below_zero", False),
        seats=seats,
    )
