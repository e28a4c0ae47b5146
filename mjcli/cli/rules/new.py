"""``mjcli rules new``: a ruleset file of one's own to start from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from typer.core import TyperArgument

from mjcli.cli.command import Command, option
from mjcli.cli.messages import UsageError
from mjcli.ruleset import ruleset_names
from mjcli.ruleset.starter import starter

if TYPE_CHECKING:
    from mjcli.cli.messages import Messages

__all__ = ["command"]


def run(told: Messages, *, path: str, extends: str | None, name: str | None) -> int:
    """Write the file, unless there is one already.

    Raises:
        UsageError: it is not said what it extends.
    """
    if extends is None:
        raise UsageError(f"--extends is missing: one of {', '.join(ruleset_names())}, or the path of a ruleset")
    text = starter(Path(path), extends, name)
    with Path(path).open("x", encoding="utf-8") as file:
        file.write(text)
    told.note(f"wrote {path}; try: mjcli rules test {path}")
    return 0


command = Command(
    "new",
    summary="Write a ruleset file of one's own to start from.",
    details="It extends another ruleset and says how an option and the value of a pattern are changed. As written it "
    "changes nothing, and passes 'mjcli rules check' and 'mjcli rules test'. A file that exists is never overwritten.",
    examples=(("mjcli rules new our-club.yaml --extends jipinghu", "then edit our-club.yaml"),),
    params=[
        TyperArgument(param_decls=["path"], required=True, metavar="FILE", help="The new file, such as our-club.yaml."),
        option(
            "--extends",
            metavar="NAME|PATH",
            about="The ruleset under it: one that comes with mjcli, or one beside it; always needed.",
            group="Rules",
        ),
        option("name", "--id", metavar="ID", about="Its id; without it the name of the file.", group="Rules"),
    ],
    run=run,
)
