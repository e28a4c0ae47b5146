"""Who deals next: whole games deal by deal, rounds that end, and results that cannot be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mjcli.errors import InputError
from mjcli.melds import Seat
from mjcli.rotation import Rotation, after_results, new_game
from mjcli.ruleset import Ruleset, load_ruleset
from mjcli.ruleset.program import RotationRules
from tests.cases import table
from tests.rulesets import small_ruleset

TESTS = Path(__file__).parent
CASES: list[dict[str, Any]] = table("rotation")

STAY = Rotation(rules=RotationRules(after_win="stay", after_draw="stay", rounds=4))
WINNER = Rotation(rules=RotationRules(after_win="winner", after_draw="last_drawer", deals=16))


def ruleset(name: str, options: dict[str, Any]) -> Ruleset:
    path = TESTS / "rulesets" / "walls" / f"{name}.yaml"
    said = {key: str(value) for key, value in options.items()}
    return load_ruleset(str(path) if path.exists() else name, said, cache=False)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_game(case: dict[str, Any]) -> None:
    game = new_game(ruleset(case["ruleset"], case.get("set", {})))
    for number, row in enumerate(case["deals"]):
        assert not game.is_over
        assert game.deals == number
        assert game.round == row["round"]
        assert "ESWN"[game.dealer] == row["dealer"]
        assert "".join(game.wind(player).value for player in range(game.players)) == row["winds"]
        assert game.wind(game.dealer) is Seat.E
        game = after_results(game, row["result"])
    assert game.is_over is case.get("over", True)
    assert game == after_results(
        new_game(ruleset(case["ruleset"], case.get("set", {}))), " ".join(row["result"] for row in case["deals"])
    )


def test_the_example_has_eighteen_deals() -> None:
    assert len(CASES[0]["deals"]) == 18


def test_repeats_are_counted() -> None:
    repeats = [after_results(STAY, " ".join(["E"] * count)).repeats for count in range(4)]
    assert repeats == [0, 1, 2, 3]
    assert after_results(STAY, "E E S").repeats == 0
    assert after_results(WINNER, "S E").repeats == 1


@given(st.lists(st.sampled_from(["E", "S", "W", "N", "draw", "EW", "SN"]), max_size=60))
def test_rounds_are_circuits_of_the_deal(results: list[str]) -> None:
    game, passed = STAY, 0
    for result in results:
        if game.is_over:
            with pytest.raises(InputError, match="the game is over"):
                after_results(game, result)
            break
        game = after_results(game, result)
        passed += result not in ("E", "EW", "draw")
        assert (game.rounds, game.dealer) == divmod(passed, 4)
        assert game.round == (None if passed == 16 else tuple(Seat)[passed // 4])
        assert all(game.player(game.wind(player)) == player for player in range(4))


@pytest.mark.parametrize(
    ("game", "results", "message"),
    [
        (STAY, "S X", "'X' is no result of deal 2 (such as S, SWN, draw or draw=W)"),
        (STAY, "SS", "'SS' is no result of deal 1 (such as S, SWN, draw or draw=W)"),
        (STAY, "E ESWN", "'ESWN' is no result of deal 2 (such as S, SWN, draw or draw=W)"),
        (STAY, "draw=", "'draw=' is no result of deal 1 (such as S, SWN, draw or draw=W)"),
        (STAY, "draw=SW", "'draw=SW' is no result of deal 1 (such as S, SWN, draw or draw=W)"),
        (WINNER, "S draw", "'draw' is no result of deal 2 (such as S, SWN or draw=W)"),
        (STAY, " ".join("S" * 17), "deal 17, 'S': the game is over"),
        (Rotation(rules=WINNER.rules, players=3), "N", "'N' is no result of deal 1 (such as S, SW or draw=W)"),
        (Rotation(rules=WINNER.rules, players=3), "ESW", "'ESW' is no result of deal 1 (such as S, SW or draw=W)"),
    ],
)
def test_results_that_cannot_be(game: Rotation, results: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        after_results(game, results)
    assert (str(caught.value), caught.value.code) == (message, "bad-game")


@pytest.mark.parametrize(("winners", "shown"), [([], "nobody"), ([4], "4"), ([0, -1], "0, -1")])
def test_winners_that_cannot_be(winners: list[int], shown: str) -> None:
    with pytest.raises(InputError, match=f"the winners are among 0 to 3, not {shown}"):
        STAY.after_win(winners)


@pytest.mark.parametrize("drawer", [None, 4, -1])
def test_who_drew_the_last_tile_matters(drawer: int | None) -> None:
    with pytest.raises(InputError, match="who drew the last tile deals next; it is one of 0 to 3"):
        WINNER.after_draw(drawer)


def test_of_several_winners_the_dealer_or_the_next_deals() -> None:
    assert WINNER.after_win([3, 1]).dealer == 1
    assert WINNER.after_win([3, 0]).dealer == 0
    assert Rotation(rules=WINNER.rules, dealer=2).after_win([0, 3]).dealer == 3


def test_a_ruleset_without_rotation(tmp_path: Path) -> None:
    small = small_ruleset(tmp_path, [{"id": "chow", "fan": "1", "when": "chows > 0"}])
    with pytest.raises(InputError, match="ruleset small does not say who deals next") as caught:
        new_game(load_ruleset(str(small), cache=False))
    assert caught.value.code == "no-rotation"
