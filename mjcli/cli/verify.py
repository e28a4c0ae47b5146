"""Whether walls that were committed to are those that were dealt: ``mjcli deal --verify``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from mjcli.chance import RNG
from mjcli.cli.dealt import answer_to
from mjcli.commitment import Commitment, parse_commitments
from mjcli.dealing import deal, wall_rules
from mjcli.errors import InputError
from mjcli.notation import parse_tiles
from mjcli.wall import check_wall, every_tile

if TYPE_CHECKING:
    from mjcli.cli.output import Answer
    from mjcli.ruleset import Ruleset
    from mjcli.tiles import Tile

__all__ = ["verified"]

BY_CHANCE: Final = ("seed", "index", "rng")
"""What does not follow from a wall and dice."""

HEAD: Final = re.compile(r"(.*?)(?:, seed \d+, deal \d+)?")


def verified(text: str, ruleset: Ruleset, options: Mapping[str, str], seen: Sequence[str]) -> list[Answer]:
    """Return for each commitment in an output of ``mjcli deal --commit`` whether it holds, and if not, why.

    It holds if the digest is that of nonce and wall and was shown before, if the wall has every tile of the ruleset,
    and, of an object, if its hands and all else that it tells of the deal follow from that wall and its dice, and one
    of these from the seed, if it tells that. Round, players and their seats follow from nothing, and are not asked.

    Args:
        text: the output.
        ruleset: by which was dealt.
        options: those of it that were set.
        seen: the digests that were shown before; without any, that is not asked.

    Raises:
        InputError: there is no commitment, one that cannot be read, or one by another ruleset (``bad-commitment``).
    """
    found = parse_commitments(text)
    seen = [digest.strip().lower() for digest in seen]
    told = {each.commitment for each in found}
    absent = [digest for digest in seen if digest not in told]
    if absent:
        raise InputError("bad-commitment", f"nothing is told of the commitment '{absent[0]}', which was shown before")
    asked = _named(ruleset.id, options)
    for each in found:
        told_by = _named(each.said.get("ruleset"), each.said.get("options", {})) if each.said else _of_head(each.head)
        if told_by is not None and sorted(told_by.split()) != sorted(asked.split()):
            raise InputError(
                "bad-commitment",
                f"the deal is not by ruleset {asked}, but by {told_by}; name it with --rules and --set",
            )
    return [_verified(each, ruleset, seen) for each in found]


def _verified(each: Commitment, ruleset: Ruleset, seen: Sequence[str]) -> Answer:
    reason = _fault(each, ruleset, seen)
    holds = reason is None
    if holds:
        reason = "this is the wall that was committed to" + (", and the deal follows from it" if each.said else "")
    return {"commitment": each.commitment, "holds": holds, "reason": reason}


def _fault(each: Commitment, ruleset: Ruleset, seen: Sequence[str]) -> str | None:
    """Return what is wrong with a commitment; None if nothing is."""
    if seen and each.commitment not in seen:
        return "this commitment was not shown before"
    if not each.holds:
        return "this is another wall, or another nonce"
    try:
        tiles = parse_tiles(each.stacked)
        check_wall(tiles, every_tile(wall_rules(ruleset).tiles))
        if not each.said:
            return None
        follows = answer_to(deal(ruleset, dice=_dice(each), wall=tiles))
        differs = [key for key, value in follows.items() if key not in BY_CHANCE and each.said.get(key) != value]
        if differs:
            return f"'{differs[0]}' does not follow from the wall and the dice"
        return _fault_of_seed(each, ruleset, tiles)
    except InputError as error:
        return str(error)


def _fault_of_seed(each: Commitment, ruleset: Ruleset, tiles: Sequence[Tile]) -> str | None:
    """Return what is wrong with the seed of a deal: wall or dice are its own, if one is told."""
    said: Mapping[str, Any] = each.said
    seed, index, rng = said.get("seed"), said.get("index"), said.get("rng")
    if seed is None:
        return None
    if rng != RNG:
        return f"'rng' is not {RNG}, the generator that this version knows"
    if type(seed) is not int or type(index) is not int:
        return "'seed' and 'index' are no whole numbers"
    made = deal(ruleset, seed=seed, index=index)
    own = made.wall.tiles == tuple(tiles) or answer_to(made)["dice"] == each.said["dice"]
    return None if own else f"neither wall nor dice are those of seed {seed}, deal {index}"


def _of_head(head: str) -> str | None:
    """Return the ruleset and its options that the heading of a text names; None if there is no heading."""
    found = HEAD.fullmatch(head)
    return found[1] if found and found[1] else None


def _named(ruleset: Any, options: Any) -> str:
    """Return a ruleset and its options in words; what is not written so as it stands."""
    if not isinstance(options, Mapping):
        return f"{ruleset} {options}"
    return " ".join([str(ruleset), *(f"{name}={value}" for name, value in options.items())])


def _dice(each: Commitment) -> list[list[int]]:
    """Return the dice that an object says."""
    dice = each.said.get("dice")
    if not isinstance(dice, list) or not all(
        isinstance(faces, list) and all(isinstance(face, int) for face in faces) for faces in dice
    ):
        raise InputError("bad-dice", "'dice' is no list of throws, such as [[1, 2, 3], [4, 5, 6]]")
    return dice
