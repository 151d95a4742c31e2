"""Outputs made before, kept beside other tools' caches: `.ad_transform_cache`.

An entry is named by a hash of all that it depends on, so that it never grows stale, and
begins with a hash of what it holds, so that a damaged one is none. Entries are put in
place by a rename: runs at the same time do not disturb each other. A cache that cannot
be read or written is no cache, and changes no result.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache

from ad_transform.dataclass import dataclass
from ad_transform.later import later

with later():
    import hashlib
    from importlib.util import find_spec

FOLDER = ".ad_transform_cache"

_MOST, _LARGEST = 4096, 1 << 26
"""Entries and bytes that are kept; half of them survive where there are more."""

# fmt: off
_COMPANIONS = {  # files that keep git and backups away
    ".gitignore":   "*\n",
    "CACHEDIR.TAG": "Signature: 8a477f597d28d172789f06886806bc55\n"
                    "# This file says that the folder is a cache of ad-transform.\n",
}
# fmt: on


@lru_cache
def fingerprint() -> bytes:
    """A hash of the code of this package, of LibCST's version and of Python's."""
    digest = hashlib.sha256(sys.version.encode())
    for path in _code():
        with open(path, "rb") as stream:
            content = stream.read()
        digest.update(f"{os.path.basename(path)} {len(content)} ".encode() + content)
    return digest.digest()


def _code() -> Iterator[str]:
    """The files of this package, sorted, and the version of LibCST."""
    top = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for folder, inner, names in os.walk(top):
        inner.sort()
        for name in sorted(names):
            if name.endswith((".py", ".ir")):
                yield os.path.join(folder, name)
    spec = find_spec("libcst")
    for place in (spec.submodule_search_locations or ()) if spec else ():
        version = os.path.join(place, "_version.py")
        if os.path.exists(version):
            yield version


@dataclass(frozen=True, slots=True)
class Cache:
    """Texts by their causes, below the folder `home`."""

    home: str

    @property
    def folder(self) -> str:
        """The folder of the entries."""
        return os.path.join(self.home, FOLDER)

    def get(self, *causes: bytes) -> str | None:
        """The text that was made from the causes; None where there is none."""
        path = self._path(causes)
        try:
            with open(path, "rb") as stream:
                digest, _, content = stream.read().partition(b"\n")
            if digest != _digest(content):
                return None
            text = content.decode()
            os.utime(path)  # the oldest go first
        except (OSError, ValueError):
            return None
        return text

    def has(self, *causes: bytes) -> bool:
        """Whether there seems to be an entry."""
        return os.path.exists(self._path(causes))

    def put(self, text: str, *causes: bytes) -> None:
        """Keep a text under its causes."""
        content = text.encode()
        path = self._path(causes)
        with suppress(OSError):
            self._prepare()
            _replace(path, _digest(content) + b"\n" + content)
            if os.path.basename(path).startswith("0"):  # one time in sixteen
                self._trim()

    def _path(self, causes: tuple[bytes, ...]) -> str:
        digest = hashlib.sha256(fingerprint())
        for cause in causes:
            digest.update(b"%d " % len(cause) + cause)
        return os.path.join(self.folder, digest.hexdigest()[:40])

    def _prepare(self) -> None:
        os.makedirs(self.folder, exist_ok=True)
        for name, text in _COMPANIONS.items():
            path = os.path.join(self.folder, name)
            if not os.path.exists(path):
                _replace(path, text.encode())

    def _trim(self) -> None:
        """Throw the oldest half away where there are too many."""
        with os.scandir(self.folder) as found:
            items = [item for item in found if item.name not in _COMPANIONS]
        sizes = {item.path: item.stat() for item in items}
        total = sum(status.st_size for status in sizes.values())
        if len(sizes) <= _MOST and total <= _LARGEST:
            return
        oldest = sorted(sizes, key=lambda path: (sizes[path].st_mtime_ns, path))
        for path in oldest[: (len(oldest) + 1) // 2]:
            os.unlink(path)


def _digest(content: bytes) -> bytes:
    return hashlib.sha256(content).hexdigest().encode()


def _replace(path: str, content: bytes) -> None:
    temporary = f"{path}.{os.getpid()}"
    try:
        with open(temporary, "wb") as stream:
            stream.write(content)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
