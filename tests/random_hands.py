"""Hands and lines drawn at random from all that can exist: every kind of meld, red fives, jokers, bonus tiles."""

from __future__ import annotations

from random import Random
from typing import Any

from mjcli.errors import InputError
from mjcli.hand import Context, Hand, Line
from mjcli.melds import Meld, MeldType, Relation, Seat
from mjcli.notation import format_hand, format_line
from mjcli.tiles import DEFAULT_SET, JOKER_KIND, TILES, Suit, Tile


def random_meld(rng: Random) -> Meld:
    """Return any meld, now and then with red fives or jokers."""
    kind = rng.choice(list(MeldType))
    first = TILES[rng.choice([k for k in range(27) if k % 9 < 7] if kind is MeldType.CHOW else range(34))]
    exposed = kind is not MeldType.KONG or rng.random() < 0.7
    added = kind is MeldType.KONG and exposed and rng.random() < 0.5
    feeder = None
    if exposed and rng.random() < 0.7:
        feeder = Relation.LEFT if kind is MeldType.CHOW else rng.choice(list(Relation))
    whole = Meld(type=kind, first=first)
    jokers = tuple(sorted(rng.sample(whole.stands_for, rng.choice((0, 0, 0, 0, 1, 2)))))
    rest = list(whole.stands_for)
    for joker in jokers:
        rest.remove(joker)
    fives = sum(each.rank == 5 and each.suit is not Suit.HONORS for each in rest)
    return Meld(
        type=kind,
        first=first,
        exposed=exposed,
        added=added,
        feeder=feeder,
        reds=rng.randint(0, fives),
        jokers=jokers,
    )


def random_hand(rng: Random) -> Hand:
    """Return any hand, of 1 to 14 tiles with its melds."""
    left = list(DEFAULT_SET.copies)
    melds: list[Meld] = []
    for _ in range(rng.randint(0, 4)):
        meld = random_meld(rng)
        if all(meld.kinds.count(kind) <= left[kind] for kind in meld.kinds):
            melds.append(meld)
            for kind in meld.kinds:
                left[kind] -= 1
    sets = rng.randint(0, 4 - len(melds)) if rng.random() < 0.3 else 4 - len(melds)
    pool = [
        Tile(each.suit, 5, red=True) if each.rank == 5 and each.kind < 27 and rng.random() < 0.3 else each
        for each in TILES[: JOKER_KIND + (rng.random() < 0.2)]
        for _ in range(left[each.kind])
    ]
    drawn = rng.sample(pool, 3 * sets + 2)
    bonus = [each for each in TILES[JOKER_KIND + 1 :] for _ in range(left[each.kind])]
    flowers = tuple(rng.sample(bonus, rng.choice((0, 0, 1, 2, 8))))
    how = rng.randrange(3)
    if how == 0:
        return Hand(concealed=tuple(drawn[1:]), melds=tuple(melds), bonus=flowers)
    if how == 1:
        return Hand(concealed=tuple(drawn), melds=tuple(melds), bonus=flowers, last=drawn[-1])
    return Hand(
        concealed=tuple(drawn[1:]),
        melds=tuple(melds),
        win=drawn[0],
        self_drawn=rng.random() < 0.5,
        bonus=flowers,
    )


def random_context(rng: Random) -> Context:
    """Return any context, with a word or two that a ruleset adds."""
    players = (*Relation, *Seat)
    fields: dict[str, Any] = {
        "seat": rng.choice(list(Seat)),
        "round": rng.choice(list(Seat)),
        "source": rng.choice(players),
        "liable": rng.choice(players),
        "kong_draw": rng.randint(1, 4),
        "winners": rng.randint(2, 3),
        "seen": tuple(rng.choices(TILES[:34], k=rng.randint(1, 3))),
        "extra": tuple(sorted({"honba": rng.randint(0, 99), "dora": tuple(rng.choices(TILES, k=2))}.items())),
    }
    for name in ("self_draw", "last_tile", "last_of_kind", "flower_draw", "rob_kong", "rob_own_kong", "first_turn"):
        fields[name] = True
    fields["clean_opponents"] = True
    while True:
        chosen = rng.sample(sorted(fields), rng.randint(0, 4))
        try:
            return Context(**{name: fields[name] for name in chosen})
        except InputError:
            continue


def random_line(rng: Random) -> Line:
    """Return any hand with any context that can be true of it."""
    while True:
        try:
            return Line(hand=random_hand(rng), context=random_context(rng))
        except InputError:
            continue


def written(given: Hand | Line, style: str) -> str | None:
    """Return a hand or a line in a style, or None where the style cannot say it."""
    try:
        return format_line(given, style) if isinstance(given, Line) else format_hand(given, style)
    except InputError as error:
        if error.code != "cannot-write":
            raise
        return None
