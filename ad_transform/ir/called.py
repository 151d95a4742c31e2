"""Calls between functions: the callees of each, and the functions within reach."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ad_transform.ir.nodes import Call, Function, Scan, While, walk


def callees_of(function: Function) -> list[str]:
    """The names of the functions that a function calls, once for each call. Linear."""
    return [s.callee for s in walk(function.body) if isinstance(s, Call)]


def reached(callees: Mapping[str, Sequence[str]], name: str) -> set[str]:
    """The names of the functions within reach: callees, and theirs. Linear."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        new = set(callees.get(waiting.pop(), ())) - found
        found |= new
        waiting += new
    return found


def steps_of(functions: Iterable[Function]) -> set[str]:
    """The names of the functions that are trips of loops with snapshots."""
    return {
        s.snapshots.step
        for f in functions
        for s in walk(f.body)
        if isinstance(s, Scan | While) and s.snapshots is not None
    }
