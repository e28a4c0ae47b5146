"""The outlook of players gives what forms and acceptance give."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mjcli import acceptance, forms
from mjcli.errors import InputError
from mjcli.hand import Hand
from mjcli.outlook import Outlook
from mjcli.tiles import TILES

RULES = (
    {"standard": "", "thirteen-orphans": "", "seven-pairs": "different", "thirteen-unconnected": ""},
    {"standard": "", "seven-pairs": "four"},
    {"standard": ""},
    {"thirteen-unconnected": ""},
    {"thirteen-orphans": ""},
    {"standard": "", "seven-pairs": "four", "thirteen-orphans": "", "knitted": "", "knitted-straight": ""},
    {"standard": "", "knitted-straight": ""},
)
FEW = [0, 1, 2, 3, 4, 5, 6, 7, 8, 27, 28, 31]


KNIT = list({*forms.KNITTED[3], 1, 2, 31, 32})


@st.composite
def hands(draw: st.DrawFn, more: int) -> list[int]:
    """Return 3n + ``more`` kinds, often of one suit or of orphans, where forms are near."""
    kinds = draw(
        st.sampled_from([list(range(34)), FEW, list(forms.ORPHANS), [0, 3, 6, 10, 13, 16, 18, 22, 26, 27, 30], KNIT])
    )
    deck = [kind for kind in kinds for _ in range(4)]
    size = 3 * draw(st.integers(1, 4)) + more
    return draw(st.permutations(deck))[:size]


def counts_of(kinds: list[int]) -> list[int]:
    return [kinds.count(kind) for kind in range(34)]


@settings(max_examples=60)
@given(kinds=hands(2), rules=st.sampled_from(RULES))
def test_discards(kinds: list[int], rules: dict[str, str]) -> None:
    counts, sets = counts_of(kinds), len(kinds) // 3
    if sets < 4 and "standard" not in rules:
        with pytest.raises(InputError, match="forbid every form"):
            Outlook(rules).discards(counts, sets)
        return
    least, found = Outlook(rules).discards(counts, sets)
    after = {}
    for kind in set(kinds):
        rest = [count - (each == kind) for each, count in enumerate(counts)]
        distances = {form: forms.missing(rest, sets, form, rule, written=True) for form, rule in rules.items()}
        after[kind] = min(distance for distance in distances.values() if distance is not None)
    assert least == min(after.values())
    assert set(found) == {kind for kind, distance in after.items() if distance == least}
    if len(kinds) == 14:
        told = {
            each.tile.kind: each
            for each in acceptance.discards(Hand(concealed=tuple(TILES[k] for k in kinds)), forms=rules)
        }
        for kind, helpful in found.items():
            live = [each for each in sorted(helpful) if counts[each] < 4]
            assert live == [wait.tile.kind for wait in told[kind].accepts]


@settings(max_examples=60)
@given(kinds=hands(1), rules=st.sampled_from(RULES))
def test_missing_and_waits(kinds: list[int], rules: dict[str, str]) -> None:
    counts, sets = counts_of(kinds), len(kinds) // 3
    if sets < 4 and "standard" not in rules:
        return
    outlook = Outlook(rules)
    distances = [forms.missing(counts, sets, form, rule) for form, rule in rules.items()]
    assert outlook.missing(counts, sets) == min(distance for distance in distances if distance is not None)
    expected = []
    for kind in range(34):
        more = [count + (each == kind) for each, count in enumerate(counts)]
        if counts[kind] < 4 and 0 in [forms.missing(more, sets, form, rule) for form, rule in rules.items()]:
            expected.append(kind)
    assert list(outlook.waits(counts, sets)) == expected


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"standard": "four"}, "no rule 'four' of form 'standard'"),
        ({"pairs": ""}, "no rule '' of form 'pairs'"),
    ],
)
def test_no_such_form(rules: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Outlook(rules)
