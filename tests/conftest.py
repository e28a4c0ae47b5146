"""What all tests share."""

from __future__ import annotations

import gc
import os
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings

settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")


def pytest_configure(config: pytest.Config) -> None:
    """Keep compiled rulesets away from those of the user, in processes that tests start too."""
    folder = TemporaryDirectory()
    os.environ["MJCLI_CACHE_DIR"] = folder.name
    config.add_cleanup(folder.cleanup)


def pytest_collection_finish() -> None:
    """Take what was made so far as old: otherwise it is looked through for garbage again and again."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
