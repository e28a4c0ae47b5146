"""Who deals next: staying 連莊, passing 過莊, rounds 圈, and the end of a game 一雀."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from mjcli.errors import InputError
from mjcli.melds import Seat
from mjcli.ruleset import Ruleset
from mjcli.ruleset.program import RotationRules

__all__ = ["Rotation", "after_results", "new_game"]

WINDS = tuple(Seat)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rotation:
    """Where a game stands between two deals.

    Players are numbers, 0 the first dealer 起莊, and on in the order of play. Their seat winds change with the dealer.

    >>> rules = RotationRules(after_win="stay", after_draw="stay", rounds=4)
    >>> game = Rotation(rules=rules).after_win([2])
    >>> game.dealer, game.wind(0), game.round
    (1, <Seat.N: 'N'>, <Seat.E: 'E'>)
    """

    rules: RotationRules
    players: int = 4
    deals: int = 0
    """How many deals are over."""
    rounds: int = 0
    """How many rounds are over."""
    dealer: int = 0
    repeats: int = 0
    """How often the dealer has dealt again, one deal after another."""
    counters: int = 0
    """How many deals in a row nobody has won but the dealer 本場."""

    @property
    def round(self) -> Seat | None:
        """The round wind 圈風; None where the game has no rounds, or is over."""
        return WINDS[self.rounds] if self.rules.rounds and not self.is_over else None

    @property
    def is_over(self) -> bool:
        """Whether there is no further deal."""
        return self.rounds >= self.rules.rounds if self.rules.rounds else self.deals >= self.rules.deals

    def wind(self, player: int) -> Seat:
        """Return the seat wind 門風 of a player in the next deal."""
        return WINDS[(player - self.dealer) % self.players]

    def player(self, wind: Seat) -> int:
        """Return the player who has a seat wind in the next deal."""
        return (self.dealer + wind.number) % self.players

    def after_win(self, winners: Collection[int]) -> Rotation:
        """Return where the game stands after a deal that these players have won.

        Of several winners the dealer counts first; else the one who sits next after the dealer.

        Raises:
            InputError: there are no such players, or the game is over (``bad-game``).
        """
        if not winners or not all(0 <= winner < self.players for winner in winners):
            shown = ", ".join(map(str, winners)) or "nobody"
            raise InputError("bad-game", f"the winners are among 0 to {self.players - 1}, not {shown}")
        how = self.rules.after_win
        first = min(winners, key=lambda winner: (winner - self.dealer) % self.players)
        counters = self.counters + 1 if first == self.dealer else 0
        return self._next(first if how == "winner" or (how == "stay" and first == self.dealer) else None, counters)

    def after_draw(self, last_drawer: int | None = None, ready: Collection[int] = ()) -> Rotation:
        """Return where the game stands after a deal that nobody has won 流局.

        Args:
            last_drawer: who drew the last tile.
            ready: who was ready 聽牌; of an aborted deal 途中流局, everybody.

        Raises:
            InputError: it matters who drew the last tile, but that is not said; or the game is over (``bad-game``).
        """
        how = self.rules.after_draw
        if how == "last_drawer" and (last_drawer is None or not 0 <= last_drawer < self.players):
            raise InputError("bad-game", f"who drew the last tile deals next; it is one of 0 to {self.players - 1}")
        stays = how == "stay" or (how == "ready" and self.dealer in ready)
        return self._next(self.dealer if stays else last_drawer if how == "last_drawer" else None, self.counters + 1)

    def _next(self, dealer: int | None, counters: int) -> Rotation:
        """Return where the game stands with that dealer; None is the next player, who takes over the deal."""
        if self.is_over:
            raise InputError("bad-game", "the game is over")
        after = replace(self, deals=self.deals + 1, counters=counters)
        if dealer is None:
            dealer = (self.dealer + 1) % self.players
            if dealer == 0:
                after = replace(after, rounds=self.rounds + 1)
        return replace(after, dealer=dealer, repeats=self.repeats + 1 if dealer == self.dealer else 0)


def after_results(game: Rotation, text: str) -> Rotation:
    """Return where a game stands after results that ``text`` writes, one word for each deal.

    A word is the seat wind of the winner in that deal, the winds of several, but not of all, or ``draw``; where who
    drew the last tile deals next, ``draw=W`` with his wind; where a dealer who is ready deals again, ``draw=EW`` with
    the winds of all who were ready, if somebody was.

    >>> game = after_results(Rotation(rules=RotationRules(after_win="stay", after_draw="stay", rounds=4)), "E SW draw")
    >>> game.dealer, game.repeats
    (1, 1)

    Raises:
        InputError: a word is none of these, or the game is over before the last (``bad-game``).
    """
    for number, word in enumerate(text.split(), 1):
        head, _, drawer = word.partition("=")
        draw = head == "draw"
        winds = drawer if draw else word
        known = "ESWN"[: game.players]
        by_ready, by_drawer = game.rules.after_draw == "ready", game.rules.after_draw == "last_drawer"
        if (
            not set(winds) <= set(known)
            or len(set(winds)) < len(winds)
            or (not draw and len(winds) == game.players)
            or (draw and len(drawer) > 1 and not by_ready)
            or (draw and not drawer and (by_drawer or "=" in word))
        ):
            draws = f"{'' if by_drawer else 'draw or '}draw={known[2:] if by_ready else known[2]}"
            example = f"{known[1]}, {known[1:]}{' or' if by_drawer else ','} {draws}"
            raise InputError("bad-game", f"'{word}' is no result of deal {number} (such as {example})")
        players = [game.player(Seat(wind)) for wind in winds]
        try:
            if draw:
                game = game.after_draw(None if by_ready or not players else players[0], players)
            else:
                game = game.after_win(players)
        except InputError as error:
            raise InputError(error.code, f"deal {number}, '{word}': {error}") from None
    return game


def new_game(ruleset: Ruleset) -> Rotation:
    """Return where a game stands before its first deal.

    Raises:
        InputError: the ruleset does not say who deals next (``no-rotation``).
    """
    if ruleset.rotation is None:
        raise InputError("no-rotation", f"ruleset {ruleset.id} does not say who deals next")
    players = 4 if ruleset.wall is None else ruleset.wall.players
    return Rotation(rules=ruleset.rotation, players=players)
