"""Write a file whole or not at all.

The text goes into a temporary file in the target's folder and takes the target's place
by one rename, so that a full disk, a crash or an interrupt never leaves half a file.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress

from ad_transform.later import later

with later():
    import tempfile


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
    handle, temporary = tempfile.mkstemp(dir=folder, prefix=".ad-transform-")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        os.chmod(temporary, mode)
        os.replace(temporary, target)
    except BaseException:  # an interrupt too must leave nothing behind
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _status(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _fresh_mode() -> int:
    """The mode that open() would give a new file; mkstemp gives 0600."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
