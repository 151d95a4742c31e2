"""Idioms of ordinary Python are read as they stand, and their derivatives are right."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import idioms
import pytest
from flows import Flows

SOURCE = Path(idioms.__file__).read_text(encoding="utf-8")


@cache
def flows() -> Flows:
    return Flows(SOURCE, list(idioms.POINTS))


@pytest.mark.parametrize("name", idioms.POINTS)
def test_value_and_derivatives(name: str) -> None:
    for point in idioms.POINTS[name]:
        flows().check(name, point)


def test_no_item_and_no_default_raises_what_python_raises() -> None:
    with pytest.raises(StopIteration):
        flows().made["first_or_raise_jvp"](0.7, 9.0, 1.0, 1.0, 3)
