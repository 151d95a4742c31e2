"""Arithmetic on whole arrays: derivatives against those of sixty digits."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import exact_numpy
import natural_arrays
import numpy as np
import pytest
from mpmath import mp, mpf
from support import load, run

SOURCES = {"known": natural_arrays.of_known_shapes()}
NAMES = re.findall(r"(?m)^def (\w+)", natural_arrays.SOURCE)
STEP = mpf(10) ** -20
CLOSE: dict[str, Any] = {"rel": 1e-11, "abs": 1e-12}
KINDS = {"known": "gradient, jvp, vjp"}


@cache
def generated(shapes: str) -> dict[str, Any]:
    source = re.sub(r"(?m)^def ", f"# ad: {KINDS[shapes]}\ndef ", SOURCES[shapes])
    result = run(source, effort=0)
    assert result.text is not None, result.diagnostics
    return load(result.text)


@cache
def plain() -> dict[str, Any]:
    return load(natural_arrays.SOURCE)


@cache
def precise() -> dict[str, Any]:
    return load(natural_arrays.SOURCE, exact_numpy.modules())


def numbers(value: Any) -> list[Any]:
    """The numbers of a nest in order."""
    if isinstance(value, list | tuple | np.ndarray):
        return [x for item in value for x in numbers(item)]
    return [value]


def arguments(function: Callable[..., Any], scale: float) -> list[Any]:
    """Numbers for the parameters, as their annotations want them."""
    found: list[Any] = []
    parameters = inspect.signature(function).parameters.values()
    for seed, parameter in enumerate(parameters):
        dims = re.findall(r"\b[nmk]\b", str(parameter.annotation))
        shape = [natural_arrays.SIZES[d] for d in dims]
        made = 0.7 + scale * np.sin(
            1.0 + 1.7 * np.arange(np.prod(shape, dtype=int)) + seed
        )
        found.append(made.reshape(shape) if shape else float(made[0]))
    return found


def along(
    function: Callable[..., Any], at: list[Any], way: list[Any]
) -> Callable[[Any], Any]:
    """The function of a number that goes along a straight line."""
    start = [exact_numpy.lifted(a) for a in at]
    step = [exact_numpy.lifted(a) for a in way]
    return lambda t: function(*(a + t * w for a, w in zip(start, step, strict=True)))


@pytest.mark.parametrize("name", NAMES)
def test_first_derivatives_of_known_shapes(name: str) -> None:
    check_first(generated("known"), name)


def check_first(made: dict[str, Any], name: str) -> None:
    """Value, tangent, adjoint and gradient of a function."""
    function = plain()[name]
    at, way = arguments(function, 0.4), arguments(function, -0.3)
    line = along(precise()[name], at, way)
    with mp.workdps(60):
        slope = float((line(STEP) - line(-STEP)) / (2 * STEP))
    value, adjoint = made[f"{name}_vjp"](*at, 1.0)
    gradient = numbers(made[f"{name}_grad"](*at))
    assert value == pytest.approx(function(*at), rel=1e-13)
    assert made[f"{name}_jvp"](*at, *way) == pytest.approx((value, slope), **CLOSE)
    assert numbers(adjoint) == pytest.approx(gradient, **CLOSE)
    assert np.dot(gradient, numbers(way)) == pytest.approx(slope, **CLOSE)
