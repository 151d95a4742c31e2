"""The table of targets."""

from __future__ import annotations

from collections.abc import MutableMapping

from ad_transform.emit.python.target import PYTHON
from ad_transform.emit.target import Target
from ad_transform.options import Options

TARGETS: MutableMapping[str, Target] = {"math": PYTHON}
"""Targets by what `--target` calls them."""


def target_of(options: Options) -> Target:
    """The target that options ask for."""
    return TARGETS[options.target]
