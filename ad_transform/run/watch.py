"""`--watch`: sources are looked at every now and then, and made again when they change.

Times and sizes of files are polled, which works on every file system.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence

from ad_transform.run.plan import Task

_PAUSE = 0.3
"""Seconds from one look to the next."""

Stamp = tuple[int, int, int] | None


def watch(
    plan: Callable[[], Sequence[Task]], make: Callable[[Sequence[Task]], object]
) -> None:
    """Make what `plan` says, and again whatever has changed; ends by an interrupt."""
    seen: dict[Task, Stamp] = {}
    while True:
        now = {task: _stamp(task.source) for task in plan()}
        changed = [task for task in now if task not in seen or seen[task] != now[task]]
        if changed:
            make(changed)
        seen = now
        time.sleep(_PAUSE)


def _stamp(path: str | None) -> Stamp:
    """Another value whenever the file is another one; None where there is none."""
    try:
        status = os.stat(path or "")
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
