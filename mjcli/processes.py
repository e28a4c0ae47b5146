"""What every helper process does before it works."""

from __future__ import annotations

import os
from multiprocessing import parent_process
from multiprocessing.process import BaseProcess
from threading import Thread

__all__ = ["end_with_parent"]


def end_with_parent() -> None:
    """Let this process end as soon as the one that started it has, however that ended.

    Waiting for work alone it would not notice: it holds both ends of the queue that it waits at.
    """
    parent = parent_process()
    if parent is not None:
        Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)
