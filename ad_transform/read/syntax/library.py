"""LibCST, imported in a third of the time that this takes otherwise.

Its classes write their methods at the first call. Its own parser's settings, helpers
and metadata, which are not used here, are loaded at the first use.
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
