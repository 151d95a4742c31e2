"""Idioms of ordinary Python are read as they stand, and their derivatives are right."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import idioms
import pytest
from flows import Flows
from support import load_generated

SOURCE = Path(idioms.__file__).read_text(encoding="utf-8")


@cache
def flows() -> Flows:
    return Flows(SOURCE, list(idioms.POINTS))


@pytest.mark.parametrize("name", idioms.POINTS)
def test_value_and_derivatives(name: str) -> None:
    for point in idioms.POINTS[name]:
        flows().check(name, point)


@pytest.mark.parametrize("name", idioms.FAILING)
def test_the_handler_that_ran_is_differentiated(name: str) -> None:
    for point, want in idioms.FAILING[name]:
        found, gradient = flows().made[f"{name}_vjp"](*with_seed(name, point))
        assert found == flows().plain[name](*point)
        got = gradient if isinstance(gradient, tuple) else (gradient,)
        assert want is None or got == want, (point, got)


def with_seed(name: str, point: tuple[float, ...]) -> tuple[float, ...]:
    """The arguments of an adjoint: the seed stands behind the last independent."""
    floats = sum(isinstance(one, float) for one in point)
    return (*point[:floats], 1.0, *point[floats:])


def test_no_item_and_no_default_raises_what_python_raises() -> None:
    with pytest.raises(StopIteration):
        flows().made["first_or_raise_jvp"](0.7, 9.0, 1.0, 1.0, 3)


def test_sets_in_fields_and_helpers() -> None:
    made = load_generated(idioms.OBJECT_WITH_A_SET)
    assert made["visits_grad"](2.0, 6) == 1.0 + 4.0
