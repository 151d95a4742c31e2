"""Patterns of paths: `src/**/*.py`. In each part `*`, `?`, `[...]`; `**` any folders.

Matching takes time in proportion to parts times parts, whatever the pattern.
"""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Callable, Iterator, Sequence

from ad_transform.dataclass import dataclass

ANY = "**"
ENDINGS = (".py", ".pyw")
"""The endings of sources that are found, not named."""

_PASSED_OVER = frozenset({"__pycache__", "node_modules", "site-packages"})


def is_pattern(text: str) -> bool:
    """Whether a path has one of the signs `*?[`, and is no file itself."""
    return any(sign in text for sign in "*?[") and not os.path.lexists(text)


@dataclass(frozen=True, slots=True)
class Glob:
    """A pattern below a folder; `parts` are empty for the folder itself."""

    folder: str
    parts: tuple[str, ...]

    def covers(self, path: str) -> bool:
        """Whether the absolute path fits the whole pattern."""
        parts = _below(self.folder, path)
        return parts is not None and self._reach(parts)[-1]

    def covers_within(self, path: str) -> bool:
        """Whether the path, or a folder that it stands in, fits."""
        parts = _below(self.folder, path)
        return parts is not None and any(self._reach(parts))

    def _reach(self, parts: Sequence[str]) -> list[bool]:
        """For each number of leading parts, whether they fit the pattern."""
        last = len(self.parts)
        states = self._past_any({0})
        ends = [last in states]
        for part in parts:
            moved = {
                k if self.parts[k] == ANY else k + 1
                for k in states
                if k < last and (self.parts[k] == ANY or _matcher(self.parts[k])(part))
            }
            states = self._past_any(moved)
            ends.append(last in states)
        return ends

    def _past_any(self, states: set[int]) -> set[int]:
        """`**` may stand for no folder at all."""
        for k, part in enumerate(self.parts):
            if part == ANY and k in states:
                states.add(k + 1)
        return states

    def files(self) -> Iterator[str]:
        """The sources below the folder that fit, sorted; hidden ones are passed over.

        Absolute, links to folders not followed.
        """
        depth = None if ANY in self.parts else len(self.parts)
        for path in walk(self.folder, depth):
            if path.endswith(ENDINGS) and self.covers(path):
                yield path


def glob(folder: str, text: str) -> Glob:
    """The pattern `text`, seen from a folder; parts without signs go to the folder."""
    parts = re.split(r"[/\\]" if os.sep == "\\" else "/", text)
    fixed = 0
    while fixed < len(parts) and not any(sign in parts[fixed] for sign in "*?["):
        fixed += 1
    head = "/".join(parts[:fixed]) or ("/" if text.startswith("/") else "")
    rest = tuple(part for part in parts[fixed:] if part not in ("", "."))
    return Glob(os.path.normpath(os.path.join(folder, head)), rest)


def _below(folder: str, path: str) -> tuple[str, ...] | None:
    """The parts of a path below a folder; None where it stands elsewhere."""
    if path == folder:
        return ()
    head = folder.rstrip(os.sep) + os.sep
    return tuple(path[len(head) :].split(os.sep)) if path.startswith(head) else None


_MATCHERS: dict[str, Callable[[str], object]] = {}


def _matcher(part: str) -> Callable[[str], object]:
    if part not in _MATCHERS:
        _MATCHERS[part] = re.compile(fnmatch.translate(part)).match
    return _MATCHERS[part]


# --- walking --------------------------------------------------------------------------


def walk(
    folder: str,
    depth: int | None = None,
    leave_out: Callable[[str], bool] = lambda _: False,
) -> Iterator[str]:
    """The files below a folder in order, `depth` folders deep.

    Hidden ones are passed over, folders of installed files (environments, caches), and
    the folders that `leave_out` holds of.
    """
    waiting = [*reversed(_listed(folder))]
    top = folder.rstrip(os.sep).count(os.sep)
    while waiting:
        item = waiting.pop()
        if not item.is_dir(follow_symlinks=False):
            if _is_file(item):
                yield item.path
        elif not _is_near(item, top, depth) or _is_passed_over(item):
            continue
        elif not leave_out(item.path):
            waiting += reversed(_listed(item.path))


def _is_near(item: os.DirEntry[str], top: int, depth: int | None) -> bool:
    return depth is None or item.path.count(os.sep) - top < depth


def _listed(folder: str) -> list[os.DirEntry[str]]:
    """The entries of a folder that are not hidden, sorted."""
    try:
        with os.scandir(folder) as found:
            seen = [item for item in found if not item.name.startswith(".")]
    except OSError:  # gone, or closed to us: there is nothing to find in it
        return []
    return sorted(seen, key=lambda item: item.name)


def _is_file(item: os.DirEntry[str]) -> bool:
    try:
        return item.is_file()
    except OSError:
        return False


def _is_passed_over(item: os.DirEntry[str]) -> bool:
    name = item.name
    return name in _PASSED_OVER or os.path.exists(os.path.join(item.path, "pyvenv.cfg"))
