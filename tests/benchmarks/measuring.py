"""Times as ratios: everything compared is measured in turns within one run."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

BURST = 0.002  # seconds of one burst
ROUNDS = 60


def seconds(*calls: tuple[Callable[..., Any], Sequence[Any]]) -> list[float]:
    """The time of each call: the best of interleaved bursts; noise hits all alike."""
    counts = [_burst(function, args) for function, args in calls]
    best = [float("inf")] * len(calls)
    for _ in range(ROUNDS):
        for k, (function, args) in enumerate(calls):
            best[k] = min(best[k], _time(function, args, counts[k]) / counts[k])
    return best


def _burst(function: Callable[..., Any], args: Sequence[Any]) -> int:
    count = 1
    while _time(function, args, count) < BURST:
        count *= 2
    return count


def _time(function: Callable[..., Any], args: Sequence[Any], count: int) -> float:
    trips = range(count)
    start = time.process_time()
    for _ in trips:
        function(*args)
    return time.process_time() - start


def addition() -> tuple[Callable[..., Any], int]:
    """A function that does nothing but additions of locals, and their number."""
    count = 500
    body = "    c = a + b\n" * count
    scope: dict[str, Any] = {}
    exec(f"def additions(a, b):\n{body}    return c\n", scope)
    return scope["additions"], count
