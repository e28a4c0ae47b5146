"""The tables of cases: facts with an id, an answer and where the answer comes from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

__all__ = ["by_case", "table"]


def table(name: str) -> Any:
    """Return what ``NAME.yaml`` in this folder says."""
    text = (Path(__file__).parent / f"{name}.yaml").read_text(encoding="utf-8")
    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text).get_single_data()


def by_case(cases: Iterable[Mapping[str, Any]]) -> pytest.MarkDecorator:
    """Return the mark by which a test runs once for each of ``cases``, as its argument ``case``, under its id."""
    return pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in cases])
