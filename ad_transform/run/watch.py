"""`--watch`: sources are looked at every now and then, and made again when they change.

Times and sizes of files are polled, which works on every file system.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence

from ad_transform.run.plan import Task

_PAUSE = 0.3
"""Seconds from one look to the next."""

_SLACK = 50_000_000
"""Nanoseconds by which the time of a file may be behind that of a clock."""

Stamp = tuple[int, int, int] | None


Paths = tuple[str | None, ...]
"""The files that an output depends on."""


def watch(
    plan: Callable[[], Sequence[Task]],
    make: Callable[[Sequence[Task]], Mapping[Task, Sequence[str]]],
) -> None:
    """Make the tasks of `plan`, and again those that have changed, until interrupted.

    `make` tells which files it has looked at besides each source. Of a file that it
    looks at for the first time and that has changed since it began, nobody knows what
    it has seen: the task is made once more.
    """
    seen: dict[Task, tuple[Stamp, ...]] = {}
    files: dict[Task, Paths] = {}
    while True:
        tasks = plan()
        now = {task: _stamps(files.get(task, (task.source,))) for task in tasks}
        changed = [task for task in now if task not in seen or seen[task] != now[task]]
        began = time.time_ns() - _SLACK
        for task, paths in (make(changed) if changed else {}).items():
            before = files.get(task)
            files[task] = (task.source, *paths)
            if files[task] != before:
                now[task] = (*now[task][:1], *_stamps(files[task][1:], began))
        seen = now
        time.sleep(_PAUSE)


def _stamps(paths: Paths, began: int | None = None) -> tuple[Stamp, ...]:
    """The stamps of files; that of none where a file has changed since it began."""
    stamps = map(_stamp, paths)
    if began is None:
        return tuple(stamps)
    return tuple(stamp if stamp and stamp[0] < began else None for stamp in stamps)


def _stamp(path: str | None) -> Stamp:
    """Another value whenever the file is another one; None where there is none."""
    try:
        status = os.stat(path or "")
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
