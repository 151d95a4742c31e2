"""Write a file whole or not at all.

The text goes into a temporary file in the target's folder and takes the target's place
by one rename, so that a full disk, a crash or an interrupt never leaves half a file.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress


def write_atomic(path: str, content: bytes) -> None:
    """Put `content` at `path`; symlinks are followed and mode bits kept.

    Raises OSError, and then everything is as it was before. A device or a pipe is
    written to as it stands, for a rename would put a file in its place.
    """
    status = _status(path)
    if status is not None and stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(21, "Is a directory", path)
    if status is not None and not stat.S_ISREG(status.st_mode):
        with open(path, "wb") as stream:
            stream.write(content)
        return
    mode = _fresh_mode() if status is None else stat.S_IMODE(status.st_mode)
    _replace(os.path.realpath(path), content, mode)


def _replace(target: str, content: bytes, mode: int) -> None:
    folder = os.path.dirname(target)
    handle, temporary = _opened_anew(folder)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        os.chmod(temporary, mode)
        os.replace(temporary, target)
    except BaseException:  # an interrupt too must leave nothing behind
        with suppress(OSError):
            os.unlink(temporary)
        raise


_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL
_AS_THEY_ARE = getattr(os, "O_BINARY", 0)
"""Line ends, on systems that would have others."""


def _opened_anew(folder: str) -> tuple[int, str]:
    """A new file in a folder, for its owner alone, and its path. Importing `tempfile`
    would take longer than most derivations.
    """
    while True:
        path = os.path.join(folder, f".ad-transform-{os.urandom(8).hex()}")
        with suppress(FileExistsError):
            return os.open(path, _NEW | _AS_THEY_ARE, 0o600), path


def _status(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _fresh_mode() -> int:
    """The mode that open() would give a new file, which is for its owner alone."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
