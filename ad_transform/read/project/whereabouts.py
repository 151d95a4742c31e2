"""The file of the project to which a dotted name leads: Python's rules, seen from
outside.

A relative import starts from the folder of its file. An absolute one starts from a
folder where Python may have started: the folders from that file up to the root of the
project that are no packages, and `src`. If two of them have such a module, it is open
which one will be imported.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Sequence

from ad_transform.around import Around
from ad_transform.dataclass import dataclass

INIT = "__init__.py"


@dataclass(frozen=True, slots=True)
class Found:
    """A file of the project, and the parts of a dotted name behind its module."""

    path: str
    rest: tuple[str, ...] = ()


class Whereabouts:
    """Finds modules; `binds` tells whether the module of a file binds a name."""

    def __init__(self, around: Around, binds: Callable[[str, str], bool]) -> None:
        self.around = around
        self.binds = binds

    def has(self, path: str) -> bool:
        """Whether there is such a file."""
        return path == self.around.own or self.around.content(path) is not None

    def find(self, qualified: str, asker: str, modules: int) -> tuple[Found, ...]:
        """The files that a dotted name in the file `asker` may lead to: none, one or
        several. Its first parts, `modules` of them, are modules, as the import shows.
        """
        parts = [part for part in qualified.split(".") if part]
        level = len(qualified) - len(qualified.lstrip("."))
        if level:
            folder = _up(posixpath.dirname(asker), level - 1)
            found = [] if folder is None else [self._below(folder, parts, modules)]
        else:
            starts = self._starts(asker)
            found = [self._below(folder, parts, modules) for folder in starts]
        return tuple(dict.fromkeys(one for one in found if one is not None))

    def _below(self, folder: str, parts: Sequence[str], modules: int) -> Found | None:
        """The file that the parts of a name lead to, from a folder on.

        Behind the modules, a name that a package binds goes before a module in it.
        """
        package = self._package(folder)
        for k, part in enumerate(parts):
            if package and k >= modules and self.binds(package, part):
                return Found(package, tuple(parts[k:]))
            folder = posixpath.join(folder, part)
            inner = self._package(folder)
            if not inner and self.has(f"{folder}.py"):
                return Found(f"{folder}.py", tuple(parts[k + 1 :]))
            if not inner and package and k >= modules:
                return Found(package, tuple(parts[k:]))
            package = inner
        return Found(package) if package else None

    def _package(self, folder: str) -> str:
        """The file of a package; empty if the folder is none."""
        path = posixpath.join(folder, INIT)
        return path if self.has(path) else ""

    def inside(self, package: str, parts: Sequence[str]) -> Found | None:
        """The file behind the parts of a name in a package that does not bind it."""
        found = self._below(posixpath.dirname(package), parts, 0)
        return None if found is None or found.path == package else found

    def _starts(self, asker: str) -> Iterator[str]:
        """The folders that absolute imports may start from, nearest first."""
        folder = posixpath.dirname(asker)
        seen = []
        while True:
            seen.append(folder)
            if not folder:
                break
            folder = posixpath.dirname(folder)
        for start in dict.fromkeys((*seen, "src")):
            if not self.has(posixpath.join(start, INIT)):
                yield start

    def hidden(self, top: str, asker: str) -> str:
        """The file beside a script that hides a library of its name; or nothing."""
        folder = posixpath.dirname(asker)
        if not asker or self.has(posixpath.join(folder, INIT)):
            return ""
        inner = posixpath.join(folder, top)
        return next(filter(self.has, (f"{inner}.py", f"{inner}/{INIT}")), "")

    def is_compiled(self, qualified: str, asker: str) -> bool:
        """Whether a part of a name is a compiled module, without text."""
        parts = [part for part in qualified.split(".") if part]
        level = len(qualified) - len(qualified.lstrip("."))
        start = _up(posixpath.dirname(asker), level - 1) if level else None
        starts = [start] if level else list(self._starts(asker))
        return any(
            name.startswith(f"{part}.") and name.endswith(_COMPILED)
            for folder in starts
            if folder is not None
            for k, part in enumerate(parts)
            for name in self._names(posixpath.join(folder, *parts[:k]))
        )

    def _names(self, folder: str) -> list[str]:
        listed = self.around.content(f"{folder}/") or b""
        return listed.decode(errors="replace").splitlines()


def packages_around(whereabouts: Whereabouts, path: str) -> tuple[str, ...]:
    """The packages that a file stands in, the outermost first."""
    found: list[str] = []
    folder = posixpath.dirname(path)
    while whereabouts.has(posixpath.join(folder, INIT)):
        folder, name = posixpath.split(folder)
        found.insert(0, name)
        if not name:
            break  # the root of the project, whose name is unknown
    return tuple(found)


_COMPILED = (".so", ".pyd", ".pyx", ".pyc")


def _up(folder: str, levels: int) -> str | None:
    """The folder so many levels up; None where that leads out of the project."""
    for _ in range(levels):
        if not folder:
            return None
        folder = posixpath.dirname(folder)
    return folder
