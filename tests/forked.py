"""Calls in a process of their own that need not import anything: copies of this one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

LIMIT = 120
"""Seconds after which a call is ended."""


def forked(
    work: Callable[[], int], folder: Path, stdin: bytes = b"", *, merged: bool = False
) -> subprocess.CompletedProcess[bytes]:
    """What `work` returns as exit code, and what it prints, in a folder.

    `merged` puts stderr into stdout, as they come.
    """
    with (
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
    ):
        given.write(stdin)
        given.seek(0)
        child = os.fork()
        if not child:
            _work(work, folder, (given, out, out if merged else err))
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess([], code, out.read(), err.read())


def _work(work: Callable[[], int], folder: Path, files: tuple[IO[bytes], ...]) -> None:
    """The whole life of the copy; never returns."""
    code = 1
    try:
        signal.alarm(LIMIT)
        for number, file in enumerate(files):
            os.dup2(file.fileno(), number)
        sys.stdin, sys.stdout = _stream(0, "r"), _stream(1, "w")
        sys.stderr = _stream(2, "w", "backslashreplace")
        os.chdir(folder)
        code = work()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _stream(number: int, mode: str, errors: str = "strict") -> Any:
    """A standard stream as Python makes it."""
    return open(number, mode, encoding="utf-8", errors=errors, closefd=False)
