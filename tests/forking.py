"""A process that has imported the command, and is copied for each call of it.

`forked` starts it with the number of a socket, and sends it calls and their files.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import socket
import sys
import traceback
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import IO, Any

sys.path[:0] = [str(Path(__file__).parents[1])]

import libcst.native  # noqa: E402  found by the line above, as what follows
from support import generate  # noqa: E402

import ad_transform  # noqa: E402
from ad_transform.cli import main  # noqa: E402
from ad_transform.ir.held import every_pass  # noqa: E402

LIMIT = 120
"""Seconds after which a call is ended."""

FILES = 3
"""Those of a call: what it reads, prints, and says of errors."""


def _run(words: list[str]) -> int:
    """The command with these words."""
    sys.argv[1:] = words
    return main()


def _execute(text: str) -> int:
    """A Python program beside the files of the folder."""
    sys.path.insert(0, os.getcwd())
    exec(compile(text, "<string>", "exec"), {"__name__": "__main__"})
    return 0


CALLS = {"ad-transform": _run, "python": _execute}


def _serve(ask: socket.socket) -> None:
    """Answer each call with its exit code, until nobody asks any more."""
    while True:
        asked, files, _, _ = socket.recv_fds(ask, 1 << 20, FILES)
        if not asked:
            return
        call, given, folder, environment, needs = json.loads(asked)
        for name in needs:
            import_module(name)
        gc.freeze()  # what is here is here for all copies
        child = os.fork()
        if not child:
            ask.close()
            _work(call, given, folder, environment, files)
        for number in files:
            os.close(number)
        _, status = os.waitpid(child, 0)
        ask.send(str(os.waitstatus_to_exitcode(status)).encode())


def _work(
    call: str, given: Any, folder: str, environment: dict[str, str], files: list[int]
) -> None:
    """The whole life of a copy; never returns."""
    code = 1
    try:
        signal.alarm(LIMIT)
        for number, file in enumerate(files):
            os.dup2(file, number)
        sys.stdin, sys.stdout = _stream(0, "r"), _stream(1, "w")
        sys.stderr = _stream(2, "w", "backslashreplace")
        os.environ.clear()
        os.environ.update(environment)
        os.chdir(folder)
        code = CALLS[call](given)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _stream(number: int, mode: str, errors: str = "strict") -> IO[Any]:
    """A standard stream as Python makes it."""
    return open(number, mode, encoding="utf-8", errors=errors, closefd=False)


def _prepare() -> None:
    """What the command imports where it needs it, and what a first derivation looks up,
    is here once for all.
    """
    assert libcst.native
    for module in walk_packages(ad_transform.__path__, "ad_transform."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    generate("# ad: gradient\ndef energy(x, k=2.0):\n    return k * x * x\n")


if __name__ == "__main__":
    with every_pass(), socket.socket(fileno=int(sys.argv[1])) as ask:
        _prepare()
        _serve(ask)
