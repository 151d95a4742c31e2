"""A line on the terminal for work longer than two seconds, erased afterwards."""

from __future__ import annotations

import sys
import threading
import time
from contextlib import suppress
from types import TracebackType
from typing import TextIO

from ad_transform.later import later
from ad_transform.run.colour import is_terminal

with later():
    import shutil

_PATIENCE, _PAUSE = 2.0, 0.2
_ERASE = "\r\x1b[2K"


class Progress:
    """A line that says the work at hand, on a terminal alone; a context manager.

    Elsewhere (a pipe, a file, a dumb terminal) it is silent.
    """

    def __init__(self, stream: TextIO | None, *, heard: bool) -> None:
        self._stream = stream if heard and is_terminal(stream) else None
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._file = ""
        self._work: tuple[str, ...] = ()
        self._since = time.monotonic()
        self._shown = False

    def __enter__(self) -> Progress:
        if self._stream is not None:
            threading.Thread(target=self._tick, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ended.set()
        self.clear()

    def begin(self, file: str) -> None:
        """The next file is at work."""
        with self._lock:
            self._file, self._work, self._since = file, (), time.monotonic()

    def doing(self, level: int, what: str) -> None:
        """Note the work that is done with the file, the larger before its parts."""
        self._work = (*self._work[:level], what)

    def clear(self) -> None:
        """Take the line away, so that other text can be written."""
        with self._lock:
            if self._shown and self._stream is not None:
                self._put(_ERASE)
                self._shown = False

    def _tick(self) -> None:
        while not self._ended.wait(_PAUSE):
            self.show()

    def show(self) -> None:
        """Put the line there, or bring it up to date, once it is time."""
        with self._lock:
            seconds = time.monotonic() - self._since
            if self._file and seconds >= _PATIENCE and not self._ended.is_set():
                text = f"{': '.join((self._file, *self._work))} ({seconds:.0f} s)"
                width = shutil.get_terminal_size().columns - 1
                self._put(_ERASE + text[:width])
                self._shown = True

    def _put(self, text: str) -> None:
        with suppress(OSError, ValueError):
            assert self._stream is not None
            self._stream.write(text)
            self._stream.flush()


def on_stderr(*, heard: bool) -> Progress:
    """Progress on stderr."""
    return Progress(sys.stderr, heard=heard)
