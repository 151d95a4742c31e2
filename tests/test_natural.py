"""What engineers write is read as it stands, and its derivatives are right."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import natural
import pytest
from flows import Flows

SOURCE = Path(natural.__file__).read_text(encoding="utf-8")
LOOSE = {"internal_rate": 1e-2}
"""Its interval is one of doubles, whatever it is given: differences are rough."""
LIBRARY = {"option_price"}
"""Values of scipy may differ in the last bits."""


@cache
def flows() -> Flows:
    return Flows(SOURCE, list(natural.POINTS))


@pytest.mark.parametrize("name", natural.POINTS)
def test_value_and_derivatives(name: str) -> None:
    for point in natural.POINTS[name]:
        flows().check(name, point, LOOSE.get(name, 1e-9), name not in LIBRARY)


def test_they_are_many() -> None:
    assert len(natural.POINTS) >= 30
