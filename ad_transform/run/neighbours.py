"""The files around a source, for a reader that follows imports.

What has been looked at is known afterwards: it is what an output depends on besides its
source, whether a file was there or not.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from ad_transform.around import ALONE, Around
from ad_transform.run.discovery import LARGEST
from ad_transform.run.files import read_bytes
from ad_transform.run.plan import Task


class Neighbours:
    """The files below the root of a project; each is read once."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.seen: dict[str, bytes | None] = {}

    def content(self, path: str) -> bytes | None:
        """The bytes of a file, None where there is none; of `folder/` its names."""
        if path not in self.seen:
            self.seen[path] = self._found(os.path.join(self.root, path))
        return self.seen[path]

    def _found(self, path: str) -> bytes | None:
        try:
            if path.endswith("/"):
                return os.fsencode("\n".join(sorted(os.listdir(path))))
            return read_bytes(path, LARGEST) if os.path.isfile(path) else None
        except OSError:
            return None

    def around(self, task: Task) -> Around:
        """The files around the source of a task."""
        if task.root is None:
            return ALONE
        own = os.path.relpath(os.path.abspath(task.shown), self.root)
        return Around(own.replace(os.sep, "/"), self.content)


def neighbours_of(task: Task) -> Neighbours:
    """The files around the source of a task, none of them looked at yet."""
    return Neighbours(task.root or "")


def looked_at(task: Task, paths: Iterable[str]) -> tuple[bytes, ...]:
    """Paths from the root of a task's project, and their contents now."""
    neighbours = neighbours_of(task)
    found = ((path, neighbours.content(path)) for path in paths)
    return tuple(
        b"%s\n%s" % (path.encode(errors="surrogatepass"), _told(content))
        for path, content in found
    )


def _told(content: bytes | None) -> bytes:
    return b"-" if content is None else b"+" + content
