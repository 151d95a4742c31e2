"""Calls in a process of their own that need not import anything: copies of `forking`.

A process of tests is not copied itself: once it keeps a gigabyte, that takes a tenth of
a second.
"""

from __future__ import annotations

import atexit
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

SERVER = Path(__file__).with_name("forking.py")


def forked(
    call: str,
    given: str | Sequence[str],
    folder: Path,
    stdin: bytes = b"",
    *,
    needs: Sequence[str] = (),
    merged: bool = False,
) -> subprocess.CompletedProcess[bytes]:
    """The exit code and the prints of a call of `forking.CALLS`, made in a folder.

    `needs` names modules that all calls share. `merged` puts stderr into stdout.
    """
    with (
        tempfile.TemporaryFile() as read,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
    ):
        read.write(stdin)
        read.seek(0)
        asked = [call, given, str(folder), dict(os.environ), list(needs)]
        files = [read.fileno(), out.fileno(), (out if merged else err).fileno()]
        socket.send_fds(_server(), [json.dumps(asked).encode()], files)
        code = int(_server().recv(100))
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess([], code, out.read(), err.read())


@cache
def _server() -> socket.socket:
    """The way to the server, which ends when it is closed."""
    here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    process = subprocess.Popen(
        [sys.executable, str(SERVER), str(there.fileno())],
        stdin=subprocess.DEVNULL,
        pass_fds=[there.fileno()],
        start_new_session=True,
    )
    there.close()

    @atexit.register
    def end() -> None:
        here.close()
        process.wait()

    return here
