"""``mjcli convert``: each hand in another notation."""

from __future__ import annotations

from collections.abc import Callable

from mjcli.cli.command import choice
from mjcli.cli.hands import Answer, HandCommand, Request
from mjcli.hand import Line
from mjcli.notation import STYLES, format_context, format_hand
