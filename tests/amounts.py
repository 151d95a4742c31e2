"""How much is tried: a fixed part by default, all of it under `pytest --long`.

A part has every construct, kind and refusal. What it has fewer of:

- seeds of random sources, examples that are made up, points and digits of estimates;
- kinds for each of many sources that are tried alike: those of the corpus that are
  searched are asked in another order only where the two are compared, and a third of
  the models of objects and of the bodies over lists have second derivatives;
- targets for each of many bodies: every other one without numpy;
- sources that are searched for fewer operations as they are for users: one in thirty, a
  third of the corpus, and no figure that takes seconds to reach;
- orders that are derived again to see that what `auto` lists of them is true;
- pre-commit with hooks that it installs itself: it runs those that are there.
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
    thirtieth text, whichever that is.
    """
    return {} if crc32(text.encode()) % 30 == 0 else QUICK
