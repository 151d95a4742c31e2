"""Progress of a long derivation, for its listeners; nothing here changes a result."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

Listener = Callable[[int, str], None]

_listeners: list[Listener] = []

REQUEST, PLANNER = 0, 1
"""Levels: work at one is a part of the work at the one before."""


def doing(level: int, what: str) -> None:
    """Tell the listeners the work that begins now."""
    for listener in _listeners:
        listener(level, what)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Tell the listener every piece of work while the context is open."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)
