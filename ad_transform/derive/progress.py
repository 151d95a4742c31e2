"""Progress, for whoever waits for a long derivation; nothing here changes a result."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

Listener = Callable[[int, str], None]

_listeners: list[Listener] = []

REQUEST, PLANNER = 0, 1
"""Levels: what is done at one is a part of what is done at the one before."""


def doing(level: int, what: str) -> None:
    """Tell who listens what is being done now."""
    for listener in _listeners:
        listener(level, what)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Whatever is derived meanwhile tells the listener what it does."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)
