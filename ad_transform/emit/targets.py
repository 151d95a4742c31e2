"""The table of targets."""

from __future__ import annotations

from collections.abc import MutableMapping

from ad_transform.emit.c.target import C
from ad_transform.emit.fortran.target import FORTRAN
from ad_transform.emit.python.target import PYTHON
from ad_transform.emit.target import Target
from ad_transform.options import Options

TARGETS: MutableMapping[str, Target] = {
    "math": PYTHON,
    "c": C,
    "fortran": FORTRAN,
}
"""Targets by their names for `--target`."""


def endings() -> tuple[str, ...]:
    """The endings of the names of all outputs, and of the files beside them."""
    found = [target.ending for target in TARGETS.values()]
    found += [t.companion.ending for t in TARGETS.values() if t.companion]
    return tuple(dict.fromkeys(found))


def target_by(path: str) -> Target:
    """The target whose outputs have names that end as a path does; else Python."""
    for target in TARGETS.values():
        beside = target.companion
        if path.endswith((target.ending, *([beside.ending] if beside else []))):
            return target
    return PYTHON


def target_of(options: Options) -> Target:
    """The target that options ask for."""
    return TARGETS[options.target]
