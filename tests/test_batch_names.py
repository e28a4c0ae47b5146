"""``mjcli.batch`` has the verbs of the library, and imports NumPy only when one of them is used."""

from __future__ import annotations

import subprocess
import sys

import pytest

import mjcli.batch


def test_every_public_name_can_be_imported() -> None:
    for name in mjcli.batch.__all__:
        assert getattr(mjcli.batch, name) is not None
    assert set(mjcli.batch.__all__) <= set(dir(mjcli.batch))
    typo = "shantne"  # out of mypy's sight, which knows that there is no such name
    with pytest.raises(AttributeError, match=r"module 'mjcli.batch' has no attribute 'shantne'"):
        getattr(mjcli.batch, typo)


@pytest.mark.parametrize(
    ("code", "imported"), [("import mjcli.batch", False), ("from mjcli.batch import shanten", True)]
)
def test_numpy_is_imported_when_it_is_needed(code: str, imported: bool) -> None:
    program = f"import sys; {code}; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(imported)
