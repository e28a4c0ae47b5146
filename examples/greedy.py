"""A strategy of one's own: throws the tile of which it holds fewest, and claims every pung and kong."""

from mjcli.play import PASS, WIN, Act


class Greedy:
    """Collects pungs, whatever they are worth."""

    def __init__(self, ruleset):
        """Get the ruleset, which does not matter here."""

    def choose(self, view, choices):
        """Return one of the choices."""
        if WIN in choices:
            return WIN
        for choice in choices:
            if choice.act in (Act.PUNG, Act.KONG, Act.CONCEALED_KONG, Act.ADDED_KONG):
                return choice
        if PASS in choices:
            return PASS
        hand = view.hand
        return min(choices, key=lambda choice: hand[choice.kind] if choice.act is Act.DISCARD else 99)
