"""Read files that are files: nothing endless, nothing that waits for ever."""

from __future__ import annotations

import errno
import os
import stat
import time

_KINDS = {
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}

_PATIENCE, _PAUSE = 40, 0.05
"""The number of times that a pipe is asked for a writer, and the seconds between."""


class NotAFile(OSError):
    """The path leads to a device, to a socket or to a pipe that nobody writes into."""


def read_bytes(path: str, largest: int) -> bytes:
    """The content of a file of at most `largest` bytes, or of a pipe that is fed.

    Raises OSError: a folder, a device or a socket is not even opened, for reading it
    might never end.
    """
    kind = stat.S_IFMT(os.stat(path).st_mode)
    if kind == stat.S_IFDIR:
        raise IsADirectoryError(errno.EISDIR, "Is a directory", path)
    if kind == stat.S_IFIFO:
        return bounded(_from_pipe(path, largest + 1), largest)
    if kind != stat.S_IFREG:
        raise NotAFile(errno.EINVAL, f"it is {_KINDS.get(kind, 'no file')}", path)
    with open(path, "rb") as stream:
        return bounded(stream.read(largest + 1), largest)


def bounded(content: bytes, largest: int) -> bytes:
    """The content; raises OSError where it is more than `largest` bytes."""
    if len(content) > largest:
        reason = f"it is larger than {largest >> 20} MB"
        raise OSError(errno.EFBIG, reason)
    return content


def _from_pipe(path: str, size: int) -> bytes:
    """At most `size` bytes; opening it in the common way would wait for a writer."""
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as stream:
        for _ in range(_PATIENCE):
            try:
                start = os.read(stream.fileno(), 1)
            except BlockingIOError:  # there is a writer that has not written yet
                start = b""
                break
            if start:
                break
            time.sleep(_PAUSE)
        else:
            reason = "it is a pipe, and nobody writes into it"
            raise NotAFile(errno.EINVAL, reason, path)
        os.set_blocking(stream.fileno(), True)
        return start + stream.read(size)
