"""The meaning of every word of the ruleset language, held against plain sets of tiles that know no columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from mjcli.melds import MeldType, Relation, Seat
from mjcli.notation import parse_line
from mjcli.readings import readings
from mjcli.ruleset import Ruleset, load_ruleset
from mjcli.ruleset.words import FORMS, FUNCTIONS, TILE_SETS, WAITS, WINDS, WORDS
from mjcli.scoring import evaluations
from mjcli.tiles import Suit, tile
from tests.plain import ALL_FORMS, KINDS, PlainHand, random_win, waits_of
from tests.rulesets import small_ruleset

Numbers = Callable[[PlainHand], int | bool]

SEATS: Final = tuple(Seat)


def seat_of(hand: PlainHand) -> Seat:
    return hand.line.context.seat or Seat.S


def round_of(hand: PlainHand) -> Seat:
    return hand.line.context.round or Seat.E


def wind_tile(seat: Seat) -> str:
    return f"{'ESWN'.index(seat.value) + 1}z"


def discarder(hand: PlainHand) -> Seat | None:
    source = hand.line.context.source
    if isinstance(source, Relation):
        away = {Relation.RIGHT: 1, Relation.ACROSS: 2, Relation.LEFT: 3}[source]
        return SEATS[(SEATS.index(seat_of(hand)) + away) % 4]
    return source


def of_kind(hand: PlainHand, *kinds: str) -> int:
    return sum(each.kind in kinds for each in hand.sets)


def flowers(hand: PlainHand) -> list[tuple[str, int]]:
    return [(each.suit.value, each.rank) for each in hand.line.hand.bonus if each.suit in (Suit.FLOWERS, Suit.SEASONS)]


def every_group(hand: PlainHand) -> list[tuple[str, ...]]:
    return [*(each.tiles for each in hand.sets), *((pair, pair) for pair in hand.pairs)]


def ranks(hand: PlainHand) -> set[str]:
    return {each[0] for each in hand.tiles if each[1] != "z"}


def winds_and_dragons(hand: PlainHand) -> tuple[bool, bool]:
    honors = [int(each[0]) for each in hand.tiles if each[1] == "z"]
    return any(rank <= 4 for rank in honors), any(rank >= 5 for rank in honors)


OBVIOUS: Final[Mapping[str, Numbers]] = {
    "chows": lambda hand: of_kind(hand, "chow"),
    "pungs": lambda hand: of_kind(hand, "pung", "kong"),
    "concealed_chows": lambda hand: sum(each.kind == "chow" and not each.claimed for each in hand.sets),
    "concealed_pungs": lambda hand: sum(each.kind != "chow" and each.concealed for each in hand.sets),
    "kongs": lambda hand: of_kind(hand, "kong"),
    "concealed_kongs": lambda hand: sum(each.kind == "kong" and not each.claimed for each in hand.sets),
    "claimed_kongs": lambda hand: sum(each.at_once for each in hand.sets),
    "claimed": lambda hand: sum(each.claimed for each in hand.sets),
    "claimed_pungs": lambda hand: sum(each.claimed and each.kind != "chow" for each in hand.sets),
    "claimed_chows": lambda hand: sum(each.claimed and each.kind == "chow" for each in hand.sets),
    "melds": lambda hand: sum(each.on_table for each in hand.sets),
    "pairs": lambda hand: len(hand.pairs),
    "suits": lambda hand: len({each[1] for each in hand.tiles} & set("mps")),
    "types": lambda hand: len({each[1] for each in hand.tiles} & set("mps")) + sum(winds_and_dragons(hand)),
    "kinds": lambda hand: len(set(hand.tiles)),
    "numbers": lambda hand: len(ranks(hand)) + sum(winds_and_dragons(hand)),
    "kinds_of_honors": lambda hand: len({each for each in hand.tiles if each[1] == "z"}),
    "shared_rank": lambda hand: (
        hand.form == "standard"
        and any(
            all(any(each[0] == rank and each[1] != "z" for each in group) for group in every_group(hand))
            for rank in "123456789"
        )
    ),
    "honors": lambda hand: any(each[1] == "z" for each in hand.tiles),
    "concealed": lambda hand: not any(each.claimed for each in hand.sets),
    "red_fives": lambda hand: sum(each.red for each in (*hand.line.hand.concealed, hand.line.hand.win) if each),
    "waits": lambda hand: len(waits_of(hand.line, ALL_FORMS)),
    "all_waits": lambda hand: len(waits_of(hand.line, ALL_FORMS, most=5)),
    "others_claimed": lambda hand: sum(each.tiles.count(hand.win) for each in hand.sets if each.claimed) == 3,
    "self_drawn": lambda hand: hand.line.self_drawn,
    "last_tile": lambda hand: hand.line.context.last_tile,
    "last_of_kind": lambda hand: hand.line.context.last_of_kind,
    "kong_draw": lambda hand: hand.line.context.kong_draw,
    "double_kong": lambda hand: hand.line.context.kong_draw == 2,
    "flower_draw": lambda hand: hand.line.context.flower_draw,
    "rob_kong": lambda hand: hand.line.context.rob_kong,
    "rob_own_kong": lambda hand: hand.line.context.rob_own_kong,
    "clean_opponents": lambda hand: hand.line.context.clean_opponents,
    "first_turn": lambda hand: hand.line.context.first_turn,
    "dealt": lambda hand: (
        hand.line.context.first_turn and hand.line.self_drawn and seat_of(hand) is Seat.E and not hand.line.hand.melds
    ),
    "winners": lambda hand: hand.line.context.winners,
    "from_dealer": lambda hand: (
        discarder(hand) is Seat.E
        or (
            discarder(hand) is None
            and hand.line.context.first_turn
            and seat_of(hand) is Seat.S
            and not hand.line.self_drawn
        )
    ),
    "discarder_known": lambda hand: discarder(hand) is not None,
    "named_dealer": lambda hand: discarder(hand) is Seat.E,
    "liable": lambda _: False,
    "dealer": lambda hand: seat_of(hand) is Seat.E,
    "bonus_tiles": lambda hand: len(hand.line.hand.bonus),
    "jokers": lambda hand: hand.line.hand.jokers,
    "own_flowers": lambda hand: sum((rank - 1) % 4 == "ESWN".index(seat_of(hand)) for _, rank in flowers(hand)),
    "full_flower_sets": lambda hand: sum(
        {(suit, rank) for rank in four} <= set(flowers(hand)) for suit in "fg" for four in (range(1, 5), range(5, 9))
    ),
}
"""Every word with a number or a truth, as its line in the list of words says."""

NAMES: Final[Mapping[str, Callable[[PlainHand], str]]] = {
    "form": lambda hand: hand.form.replace("-", "_"),
    "wait": lambda hand: hand.wait,
    "seat": lambda hand: seat_of(hand).value,
    "round": lambda hand: round_of(hand).value,
}
"""Every word with a name."""

PLAIN_SETS: Final[Mapping[str, frozenset[str]]] = {
    "terminals": frozenset(each for each in KINDS if each[1] != "z" and each[0] in "19"),
    "honors": frozenset(each for each in KINDS if each[1] == "z"),
    "ends": frozenset(each for each in KINDS if each[1] == "z" or each[0] in "19"),
    "simples": frozenset(each for each in KINDS if each[1] != "z" and each[0] not in "19"),
    "winds": frozenset(("1z", "2z", "3z", "4z")),
    "dragons": frozenset(("5z", "6z", "7z")),
    "suited": frozenset(each for each in KINDS if each[1] != "z"),
    "green": frozenset(("2s", "3s", "4s", "6s", "8s", "6z")),
}
WRITTEN: Final = {
    "258m258p258s": frozenset(f"{rank}{suit}" for rank in "258" for suit in "mps"),
    "19m": frozenset(("1m", "9m")),
    "5m5p5s": frozenset(("5m", "5p", "5s")),
    "123m": frozenset(("1m", "2m", "3m")),
    "7z": frozenset(("7z",)),
    "1234589p245689s5z": frozenset((*(f"{rank}p" for rank in "1234589"), *(f"{rank}s" for rank in "245689"), "5z")),
    "123m | honors": frozenset(("1m", "2m", "3m")) | PLAIN_SETS["honors"],
    "terminals | 5p | dragons": PLAIN_SETS["terminals"] | {"5p"} | PLAIN_SETS["dragons"],
}


def tile_sets(hand: PlainHand) -> dict[str, frozenset[str]]:
    """Return sets of tiles as a condition writes them, with the tiles that they are."""
    seat, prevailing = wind_tile(seat_of(hand)), wind_tile(round_of(hand))
    return {
        **PLAIN_SETS,
        **WRITTEN,
        "seat": frozenset((seat,)),
        "round": frozenset((prevailing,)),
        "seat | round": frozenset((seat, prevailing)),
        "dragons | seat | 19s": PLAIN_SETS["dragons"] | {seat, "1s", "9s"},
    }


def sets_of(hand: PlainHand, tiles: frozenset[str], *kinds: str) -> list[Any]:
    return [each for each in hand.sets if each.kind in kinds and each.tiles[0] in tiles]


OBVIOUS_OF: Final[Mapping[str, Callable[[PlainHand, frozenset[str]], int | bool]]] = {
    "pungs": lambda hand, tiles: len(sets_of(hand, tiles, "pung", "kong")),
    "concealed_pungs": lambda hand, tiles: sum(each.concealed for each in sets_of(hand, tiles, "pung", "kong")),
    "claimed_pungs": lambda hand, tiles: sum(each.claimed for each in sets_of(hand, tiles, "pung", "kong")),
    "kongs": lambda hand, tiles: len(sets_of(hand, tiles, "kong")),
    "claimed_kongs": lambda hand, tiles: sum(each.at_once for each in sets_of(hand, tiles, "kong")),
    "concealed_kongs": lambda hand, tiles: sum(not each.claimed for each in sets_of(hand, tiles, "kong")),
    "tiles": lambda hand, tiles: sum(each in tiles for each in hand.tiles),
    "only": lambda hand, tiles: all(each in tiles for each in hand.tiles),
    "has": lambda hand, tiles: any(each in tiles for each in hand.tiles),
    "every": lambda hand, tiles: (
        hand.form in ("standard", "seven-pairs")
        and all(any(each in tiles for each in group) for group in every_group(hand))
    ),
}
"""Every function of a set of tiles."""

EXTRA: Final[Mapping[str, tuple[Any, ...]]] = {
    "lucky": (True, False),
    "sticks": (0, 1, 7),
    "marked": ((tile("5m"), tile("5m"), tile("1z")), (tile("9s"),)),
    "pointed": ((tile("9m"), tile("4z")), (tile("7z"), tile("1p"), tile("1p"))),
}
"""Context words of the ruleset, with the values that hands are given."""
AFTER: Final = {"9m": "1m", "4z": "1z", "7z": "5z", "1p": "2p"}
"""What those indicators point to."""


def said(hand: PlainHand, word: str) -> Any:
    return dict(hand.line.context.extra).get(word, ())


def identical(hand: PlainHand, least: int, *, concealed: bool) -> int:
    chows = Counter(each.tiles for each in hand.sets if each.kind == "chow" and not (concealed and each.claimed))
    return sum(count >= least for count in chows.values())


BONUS: Final = {
    "1234a": ("1a", "2a", "3a", "4a"),
    "5a6a": ("5a", "6a"),
    "4f8f4g8g": ("4f", "8f", "4g", "8g"),
    "1f2g3a": ("1f", "2g", "3a"),
}
"""Bonus tiles as a condition writes them."""


def bonus_tiles(hand: PlainHand, *kinds: str) -> int:
    return sum(str(each) in kinds for each in hand.line.hand.bonus)


def own_words(hand: PlainHand) -> dict[str, int | bool]:
    """Return conditions on the ruleset's own words, on identical chows, and arithmetic, with their values."""
    chows, pungs = of_kind(hand, "chow"), of_kind(hand, "pung", "kong")
    kinds = len(set(hand.tiles))
    drawn = hand.line.self_drawn
    return {
        "lucky": bool(said(hand, "lucky")),
        "sticks": said(hand, "sticks") or 0,
        "held(marked)": sum(hand_count(hand, str(each)) for each in said(hand, "marked")),
        "said(marked)": len(said(hand, "marked")),
        "said(pointed)": len(said(hand, "pointed")),
        "held(pointed)": sum(hand_count(hand, AFTER[str(each)]) for each in said(hand, "pointed")),
        **{f"identical({least})": identical(hand, least, concealed=False) for least in range(1, 5)},
        **{f"identical({least}, concealed)": identical(hand, least, concealed=True) for least in range(1, 5)},
        **{f"bonus_tiles({text})": bonus_tiles(hand, *kinds) for text, kinds in BONUS.items()},
        "min(chows, pungs)": min(chows, pungs),
        "max(chows, pungs, 2)": max(chows, pungs, 2),
        "max(-chows, -pungs) + 4": max(-chows, -pungs) + 4,
        "up(kinds, 5)": -(-kinds // 5) * 5,
        "pick(ladder, chows)": (7, 5, 3, 2)[min(chows, 3)],
        "pick(ladder, chows - pungs)": (7, 5, 3, 2)[min(max(chows - pungs, 0), 3)],
        "2 ** chows": 2**chows,
        "2 ** (chows - pungs)": 2 ** max(chows - pungs, 0),
        "kinds // 3": kinds // 3,
        "kinds % 4": kinds % 4,
        "(chows - pungs) // 2 + 9": (chows - pungs) // 2 + 9,
        "(chows - pungs) % 3": (chows - pungs) % 3,
        "chows * pungs - 3 * -chows": chows * pungs + 3 * chows,
        "chows + self_drawn": chows + drawn,
        "3 * self_drawn": 3 * drawn,
        "4 if self_drawn else chows": 4 if drawn else chows,
        "self_drawn if chows > 1 else pungs": int(drawn) if chows > 1 else pungs,
        "chows and not pungs": bool(chows and not pungs),
        "not chows or self_drawn": bool(not chows or drawn),
        "chows or pungs and self_drawn": bool(chows or (pungs and drawn)),
        "1 <= chows < 3": 1 <= chows < 3,
        "3 > chows != pungs": 3 > chows != pungs,
        "chows > 1 == self_drawn": chows > 1 and int(drawn) == 1,
        "not chows == 1": chows != 1,
        "waits_on": hand.wait in ("edge", "closed") or hand.wait == "single",
        "winds_alike": seat_of(hand) is round_of(hand),
        "not_special": hand.form not in ("seven-pairs", "knitted"),
    }


CONDITIONS: Final = {
    "chows > 1 == self_drawn": "chows > 1 and 1 == self_drawn",
    "waits_on": "wait in (edge, closed) or wait == single",
    "winds_alike": " or ".join(f"seat == {wind} and round == {wind}" for wind in WINDS),
    "not_special": "form not in (seven_pairs, knitted)",
}
"""Conditions that the table above only names."""


def hand_count(hand: PlainHand, name: str) -> int:
    return hand.tiles.count(name)


def asked(hand: PlainHand) -> dict[str, int | bool]:
    """Return every condition that is asked of a hand, with the value that plain sets give it."""
    sets = tile_sets(hand)
    named = {"form": FORMS, "wait": WAITS, "seat": WINDS, "round": WINDS}
    return {
        **{word: value(hand) for word, value in OBVIOUS.items()},
        **{f"{word} == {name}": NAMES[word](hand) == name for word, names in named.items() for name in names},
        **{f"{word} != {name}": NAMES[word](hand) != name for word, names in named.items() for name in names},
        **{f"{word}({text})": value(hand, tiles) for word, value in OBVIOUS_OF.items() for text, tiles in sets.items()},
        **{f"win in {text}": hand.win in tiles for text, tiles in sets.items()},
        **{f"pair in {text}": len(hand.pairs) == 1 and hand.pairs[0] in tiles for text, tiles in sets.items()},
        **{f"not pair in {text}": len(hand.pairs) != 1 or hand.pairs[0] not in tiles for text, tiles in sets.items()},
        **{f"pair not in {text}": len(hand.pairs) != 1 or hand.pairs[0] not in tiles for text, tiles in sets.items()},
        **own_words(hand),
    }


@pytest.fixture(scope="module")
def ruleset(tmp_path_factory: pytest.TempPathFactory) -> tuple[Ruleset, list[str]]:
    """Return a ruleset with one pattern for each condition, and the conditions in that order."""
    line = random_win(Random("any"))
    hand = PlainHand.of(line, next(readings(line, ALL_FORMS)))
    texts = list(asked(hand))
    patterns = [
        {"id": f"p{place}", "fan": "1", "times": CONDITIONS.get(text, text)} for place, text in enumerate(texts)
    ]
    path: Path = small_ruleset(
        tmp_path_factory.mktemp("rulesets"),
        patterns,
        tables={"ladder": ["7", "5", "3", "2"]},
        forms={form.replace("-", "_"): rule or "true" for form, rule in ALL_FORMS.items()},
        context={
            "lucky": {"kind": "flag", "en": "a flag"},
            "sticks": {"kind": "number", "en": "a number"},
            "marked": {"kind": "tiles", "en": "tiles"},
            "pointed": {"kind": "indicators", "en": "indicators"},
        },
    )
    return load_ruleset(str(path), cache=False), texts


def test_every_word_is_asked() -> None:
    assert set(OBVIOUS) | set(NAMES) == set(WORDS)
    assert set(OBVIOUS_OF) == set(FUNCTIONS)
    assert set(PLAIN_SETS) == set(TILE_SETS)


def test_every_word_means_what_plain_sets_say(ruleset: tuple[Ruleset, list[str]]) -> None:
    loaded, texts = ruleset
    rng = Random("words")
    seen: dict[str, set[int]] = {text: set() for text in texts}
    rare_lines = [
        "23m456789p11s,111m++1m rob-own-kong",
        "345m345p3334s,345m+5s",
        "11p123123123m12m++3m",
        "123123123m12m11z+3m",
    ]
    for line in (*(random_win(rng, EXTRA) for _ in range(400)), *map(parse_line, rare_lines)):
        for each in evaluations(line, loaded):
            hand = PlainHand.of(line, each.reading)
            found = {int(counted.pattern.id[1:]): counted.count for counted in each.counted}
            for place, (text, value) in enumerate(asked(hand).items()):
                assert found.get(place, 0) == int(value), (text, line, each.reading)
                seen[text].add(int(value))
    dull = {text for text, values in seen.items() if len(values) == 1}
    rare = {text for text in dull if text.startswith(("only(", "every("))}
    assert dull - rare <= {
        "jokers",  # no random hand has any; see test_jokers
        "liable",
        "form == unfinished",
        "form != unfinished",
        "identical(3)",
        "identical(3, concealed)",
        "identical(4)",
        "identical(4, concealed)",
    }
    assert len(rare) < 25


def test_every_meld_is_seen() -> None:
    """The random hands above hold every kind of meld."""
    rng = Random("words")
    melds = {(meld.type, meld.exposed, meld.added) for _ in range(300) for meld in random_win(rng, EXTRA).hand.melds}
    assert len(melds) == 2 + 3
    assert {kind for kind, _, _ in melds} == set(MeldType)
