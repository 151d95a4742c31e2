"""Recursion without Python's stack: generators that wait for one another."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeVar

T = TypeVar("T")
Task = Generator["Task[Any]", Any, T]
"""A piece of work that yields the tasks whose answers it needs."""


def bounce(task: Task[T]) -> T:
    """The answer of a task; depth is limited by memory alone."""
    waiting: list[Task[Any]] = []
    current: Task[Any] = task
    answer: Any = None
    while True:
        try:
            needed = current.send(answer)
        except StopIteration as stop:
            answer = stop.value
            if not waiting:
                break
            current = waiting.pop()
        else:
            waiting.append(current)
            current, answer = needed, None
    result: T = answer
    return result
