"""What the goals of players are worth, for many at once: as ``mjcli.players.goals.Appraiser`` says of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjcli.batch.hands import Hands, hands_of
from mjcli.batch.scores import Scorer
from mjcli.hand import Line
from mjcli.lockstep.hall import Index
from mjcli.lockstep.wins import named_seats
from mjcli.melds import Seat
from mjcli.players.goals import HANDS, Appraiser, Aspects
from mjcli.ruleset import Ruleset

__all__ = ["FIRST_HONOR", "HONORS", "Worths", "codes_of"]

FIRST_HONOR: Final = 27
HONORS: Final = 7

_SEATS: Final = len(Seat)
_CONCEALED: Final = 2
_PUNGS: Final = 3
_BONUS: Final = _PUNGS + HONORS
_WIND: Final = 40
"""Where in a code it is said whether a hand is concealed, of which honours there are pungs, the bonus tiles, and the
round wind; before that, the seat."""

_MOST: Final = 1 << 18
"""How many codes are remembered before it is started afresh."""


def codes_of(
    seats: Index,
    round_winds: NDArray[np.uint8],
    concealed: NDArray[np.bool_],
    honors: Index,
    bonus: NDArray[np.uint32],
) -> NDArray[np.int64]:
    """Return int64[hands]: what is sure of each hand, as ``mjcli.players.goals.Aspects`` has it.

    Args:
        seats: intp[hands].
        round_winds: uint8[hands], as of ``Hall``.
        concealed: bool[hands].
        honors: intp[hands], a bit for each honour of which there is a pung, or will be.
        bonus: uint32[hands], as of ``Hall``.
    """
    found: NDArray[np.int64] = seats.astype(np.int64)
    found |= concealed.astype(np.int64) << _CONCEALED
    found |= honors.astype(np.int64) << _PUNGS
    found |= bonus.astype(np.int64) << _BONUS
    found |= round_winds.astype(np.int64) << _WIND
    return found


class Worths:
    """What hands of each goal receive, by their codes; what has been asked is remembered."""

    def __init__(self, ruleset: Ruleset, appraiser: Appraiser, by_discard: float) -> None:
        """
        Args:
            ruleset: by which model hands are scored.
            appraiser: whose model hands these are.
            by_discard: how often a win is on a discard.
        """
        self._appraiser, self._by_discard, self._players = appraiser, by_discard, ruleset.players
        self._scorer = Scorer(ruleset)
        self._codes = np.empty(0, np.int64)
        self._received = np.empty((0, len(appraiser.goals)), np.float64)
        self._places = np.full((1 << 1 + HONORS, len(appraiser.goals), HANDS, 2), -1, np.intp)
        """[pungs of honours << 1 | concealed, goal, number, drawn] the row of a model hand among ``_models``."""
        self._models = hands_of([])
        self._gains: dict[tuple[int, int], int] = {}

    def gains(self, seats: Index, round_winds: NDArray[np.uint8]) -> Index:
        """Return intp[hands]: a bit for each honour of which a pung is worth something to the player of a seat."""
        code = _SEATS * round_winds.astype(np.intp) + seats
        every, at = np.unique(code, return_inverse=True)
        return np.array([self._gains_of(each % _SEATS, each // _SEATS) for each in every.tolist()], np.intp)[at]

    def _gains_of(self, seat: int, wind: int) -> int:
        found = self._gains.get((seat, wind))
        if found is None:
            gains = (self._appraiser.gains(FIRST_HONOR + honor, seat, _wind(wind)) for honor in range(HONORS))
            found = self._gains[seat, wind] = sum(gain << honor for honor, gain in enumerate(gains))
        return found

    def of(self, codes: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return float64[hands, goals]: what is received for a win, by discard and by draw together."""
        every, at = np.unique(codes, return_inverse=True)
        place = np.searchsorted(self._codes, every)
        known = np.zeros(len(every), np.bool_)
        inside = np.flatnonzero(place < len(self._codes))
        known[inside] = self._codes[place[inside]] == every[inside]
        new = every[~known]
        if len(new):
            if len(self._codes) > _MOST:
                self._codes, self._received, new = self._codes[:0], self._received[:0], every
            whole = np.concatenate((self._codes, new))
            order = np.argsort(whole)
            self._codes = whole[order]
            self._received = np.concatenate((self._received, self._received_by(new)))[order]
            place = np.searchsorted(self._codes, every)
        found: NDArray[np.float64] = self._received[place[at]]
        return found

    def _received_by(self, codes: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return float64[codes, goals]: what model hands receive."""
        kinds = codes >> _CONCEALED & (1 << 1 + HONORS) - 1  # the lowest bit says whether it is concealed
        self._make_models(np.unique(kinds).tolist())
        models = self._places[kinds]
        hands = self._models.take(models.ravel())
        code = np.repeat(codes, models[0].size)
        drawn = np.tile([False, True], models.size // 2)
        seats = code & _SEATS - 1
        context = {
            "seat": (1 + seats).astype(np.uint8),
            "round": (code >> _WIND).astype(np.uint8),
            "source": np.where(drawn, 0, named_seats((seats + 1) % self._players)).astype(np.uint8),
        }
        bonus = (code >> _BONUS & (1 << _WIND - _BONUS) - 1).astype(np.uint32)
        scores = self._scorer.score(replace(hands, bonus=bonus, context=context))
        paid = scores.payments()[seats, np.arange(len(seats))].reshape(models.shape)
        means = paid.sum(axis=2) / HANDS  # of whole numbers, as the models of other forms come HANDS times
        received: NDArray[np.float64] = self._by_discard * means[:, :, 0] + (1 - self._by_discard) * means[:, :, 1]
        return received

    def _make_models(self, kinds: Sequence[int]) -> None:
        """Make the model hands that are wanted for the first time."""
        lines: list[Line] = []
        for kind in kinds:
            if self._places[kind, 0, 0, 0] >= 0:
                continue
            honors = tuple(FIRST_HONOR + honor for honor in range(HONORS) if kind >> 1 + honor & 1)
            aspects = Aspects(seat=0, round_wind=None, concealed=bool(kind & 1), honors=honors, bonus=())
            for place, goal in enumerate(self._appraiser.goals):
                for drawn in (False, True):
                    models = self._appraiser.models(goal, aspects, drawn=drawn)
                    first = len(self._models) + len(lines)
                    self._places[kind, place, :, int(drawn)] = first + np.arange(HANDS) % len(models)
                    lines += models
        if lines:
            self._models = _followed(self._models, hands_of(lines))


def _followed(first: Hands, second: Hands) -> Hands:
    """Return hands and after them others, without what is said of them but for the ruleset's own words."""
    names = [each.name for each in fields(Hands) if each.name not in ("context", "extra")]
    columns: dict[str, Any] = {name: np.concatenate((getattr(first, name), getattr(second, name))) for name in names}
    extra = {}
    for word in first.extra.keys() | second.extra.keys():
        known = first.extra.get(word, second.extra.get(word))
        assert known is not None
        parts = (
            hands.extra.get(word, np.zeros((len(hands), *known.shape[1:]), known.dtype)) for hands in (first, second)
        )
        extra[word] = np.concatenate(tuple(parts))
    return Hands(**columns, extra=extra)


def _wind(number: int) -> Seat | None:
    return tuple(Seat)[number - 1] if number else None
