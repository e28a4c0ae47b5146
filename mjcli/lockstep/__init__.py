"""Many deals played in lockstep: row n of each array is deal n, and one step moves all of them on."""

from mjcli.lockstep.ends import Ends
from mjcli.lockstep.referee import Lockstep
from mjcli.lockstep.players import ARRAY_PLAYERS

__all__ = ["ARRAY_PLAYERS", "Ends", "Lockstep"]
