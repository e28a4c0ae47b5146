"""The formats in which many scores are itemised: what each writes for the parts of an answer, to be put together."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Final

from mjcli.cli.handling import TABLES
from mjcli.cli.output import CsvWriter, TsvWriter, cell

__all__ = ["FORMATS", "Itemised"]


class Itemised(ABC):
    """The parts of a line, in their order."""

    between_sets = ""
    """What stands between the sets of a reading."""

    def quotes(self, text: str) -> bool:
        """Return whether a cell must stand in quotes if ``text`` is in it."""
        del text
        return False

    def before(self, *, quoted: bool) -> str:
        """Return what comes before the hand, which stands in quotes or not."""
        del quoted
        return ""

    @abstractmethod
    def head(self, known: Mapping[str, Any], *, quoted: bool) -> str:
        """Return what comes after the hand, which is known at once."""

    @abstractmethod
    def steps(self, values: Mapping[str, Any]) -> str:
        """Return the fan, the points and the steps, and what opens the patterns."""

    def nothing(self) -> str:
        """Return what stands in the place of all from the fan to the reading of a hand that is not complete."""
        return ""

    @abstractmethod
    def item(self, item: Mapping[str, Any]) -> str:
        """Return an item of the patterns, or of those that do not count."""

    @abstractmethod
    def listed(self, items: Sequence[str]) -> str:
        """Return a list of such items."""

    @abstractmethod
    def excluded(self) -> str:
        """Return what stands between the patterns that count and those that do not."""

    @abstractmethod
    def reading(self, form: str) -> str:
        """Return what stands between these and the sets."""

    def tiles(self, text: str) -> str:
        """Return a set."""
        return text

    @abstractmethod
    def place(self, pair: str | None, wait: str | None, won: str | None) -> str:
        """Return the rest of a reading."""

    @abstractmethod
    def rest(self, known: Mapping[str, Any]) -> str:
        """Return what comes after the reading, with the end of the line."""


class _Json(Itemised):
    """An object."""

    between_sets = ", "

    def before(self, *, quoted: bool) -> str:
        del quoted
        return '{"hand": "'

    def head(self, known: Mapping[str, Any], *, quoted: bool) -> str:
        del quoted
        return '", ' + self._members(known)

    def steps(self, values: Mapping[str, Any]) -> str:
        return f', {self._members(values)}, "patterns": ['

    def item(self, item: Mapping[str, Any]) -> str:
        return json.dumps(item, ensure_ascii=False)

    def listed(self, items: Sequence[str]) -> str:
        return ", ".join(items)

    def excluded(self) -> str:
        return '], "excluded": ['

    def reading(self, form: str) -> str:
        return f'], "reading": {{{self._members({"form": form})}, "sets": ['

    def tiles(self, text: str) -> str:
        return json.dumps(text)

    def place(self, pair: str | None, wait: str | None, won: str | None) -> str:
        return f"], {self._members({'pair': pair, 'wait': wait, 'won_set': won})}}}"

    def rest(self, known: Mapping[str, Any]) -> str:
        return f", {self._members(known)}}}\n"

    @staticmethod
    def _members(keys: Mapping[str, Any]) -> str:
        return json.dumps(keys, ensure_ascii=False)[1:-1]


class _Tsv(Itemised):
    """A row of cells."""

    between_sets = ":"
    separator = "\t"
    quoted = staticmethod(TsvWriter.quoted)
    columns = (
        ("melds_assumed", "assumed", "ruleset", "complete", "can_win"),
        ("fan", "fan_uncapped", "points", "steps"),
        ("payments", "reason", "win_tile_assumed", "liable", "false_win", "jokers", "title", "explain", "error"),
    )

    def head(self, known: Mapping[str, Any], *, quoted: bool) -> str:
        del quoted
        return self._cells(0, known)

    def steps(self, values: Mapping[str, Any]) -> str:
        return self._cells(1, values) + self.separator

    def nothing(self) -> str:
        return self.separator * (len(self.columns[1]) + 3)

    def item(self, item: Mapping[str, Any]) -> str:
        return cell([item])

    def listed(self, items: Sequence[str]) -> str:
        return self.quoted(" ".join(items))

    def excluded(self) -> str:
        return self.separator

    def reading(self, form: str) -> str:
        return self.separator + cell({"form": form, "sets": []})

    def place(self, pair: str | None, wait: str | None, won: str | None) -> str:
        return " " + cell({"pair": pair, "wait": wait, "won_set": won})

    def rest(self, known: Mapping[str, Any]) -> str:
        return self._cells(2, known) + "\n"

    def _cells(self, which: int, known: Mapping[str, Any]) -> str:
        """Return some cells, each with what separates it from the one before it."""
        cells = (self.quoted(cell(known.get(name))) for name in self.columns[which])
        return "".join(f"{self.separator}{each}" for each in cells)


class _Csv(_Tsv):
    """The same with commas."""

    separator = ","
    quoted = staticmethod(CsvWriter.quoted)

    def quotes(self, text: str) -> bool:
        return self.quoted(text) != text

    def before(self, *, quoted: bool) -> str:
        return '"' if quoted else ""

    def head(self, known: Mapping[str, Any], *, quoted: bool) -> str:
        return self.before(quoted=quoted) + self._cells(0, known)


FORMATS: Final[Mapping[str, type[Itemised]]] = {
    **dict.fromkeys(("json", "jsonl", *TABLES), _Json),
    "tsv": _Tsv,
    "csv": _Csv,
}
"""The formats in which answers are itemised, those of tables from objects too; ``text`` is another."""
