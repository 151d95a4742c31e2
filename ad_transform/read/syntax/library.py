"""LibCST, imported in a third of the time that this takes otherwise.

Its classes write their methods when these are called, and its own parser's settings,
helpers and metadata, of which nothing is used here, are loaded when somebody asks.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ad_transform.dataclass import hurried
from ad_transform.later import parts_later

__all__ = ["quickly"]


@contextmanager
def quickly() -> Iterator[None]:
    """While this is open, LibCST is imported in the quick way."""
    with hurried(), parts_later("libcst", "_parser", "helpers", "metadata"):
        yield
