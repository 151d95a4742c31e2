"""How much is tried: a fixed part by default, all of it under `pytest --long`.

A part has every construct, kind and refusal; what it has fewer of are seeds, kinds and
points of view for each of many sources that are tried alike, and sources that are
searched as they are for users.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any
from zlib import crc32

import pytest

LONG = "AD_TRANSFORM_LONG" in os.environ
"""Whether all is tried; `--long` says so, to the processes of a run as well."""

only_long = pytest.mark.skipif(not LONG, reason="only under --long")
"""A test that takes seconds, of something that is held by a smaller one."""

QUICK: dict[str, Any] = {} if LONG else {"effort": 0}
"""The options of a test that needs no search."""


def part(cases: Sequence[Any], share: int) -> Sequence[Any]:
    """One of so many cases, or all of them."""
    return cases if LONG else cases[::share]


def seeds(few: int, many: int) -> range:
    """The seeds of random sources: the first few of many."""
    return range(amount(few, many))


def amount(few: int, many: int) -> int:
    """How many examples are made up."""
    return many if LONG else few


def search(text: str) -> dict[str, Any]:
    """The options of a test of numbers: no search for fewer operations, but for every
    tenth text, whichever that is.
    """
    return {} if crc32(text.encode()) % 10 == 0 else QUICK
