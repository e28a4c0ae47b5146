"""Many deals played in lockstep: row n of each array is deal n, and one step moves all of them on."""

from mjcli.lockstep.ends import Ends, Wins
from mjcli.lockstep.events import Notes
from mjcli.lockstep.hall import Standings
from mjcli.lockstep.referee import Lockstep, can_play

__all__ = ["Ends", "Lockstep", "Notes", "Standings", "Wins", "can_play"]
