"""The corpus by kinds, orders, value and container, against sixty-digit differences."""

from __future__ import annotations

import math
import random
from functools import cache, cached_property
from typing import Any

import pytest
from mpmath import mpf
from support import (
    Case,
    Namespace,
    corpus,
    everything,
    exactly,
    flat,
    hessian,
    invoke,
    jacobian,
    load,
    load_exact,
    otherwise,
    same_bits,
)

WAYS = {"auto": everything, "other": otherwise}
every_case = pytest.mark.parametrize("case", corpus(), ids=str)
every_way = pytest.mark.parametrize("way", WAYS)


def text_of(case: Case, way: str) -> str:
    result = WAYS[way](case)
    assert result.text is not None, result.diagnostics
    return result.text


@cache
def made_of(case: Case, way: str) -> Namespace:
    """The generated functions, with Python's numbers."""
    return load(text_of(case, way))


def kinds_of(case: Case, way: str) -> dict[str, str]:
    """What is derived of a case in a way, with the suffixes."""
    return case.searched if way == "auto" else case.kinds


def shape(result: Any) -> Any:
    """Tuples and lists as they are, arrays as their shape, scalars as None."""
    if isinstance(result, tuple | list):
        return type(result)(map(shape, result))
    return getattr(result, "shape", None) or None  # of a numpy scalar it is ()


def mirrored(result: Any, leaves: list[Any]) -> Any:
    """The leaves, taken from the front, nested like the result, in tuples."""
    if isinstance(result, tuple | list):
        return tuple(mirrored(item, leaves) for item in result)
    return leaves.pop(0)


# --- expectations ------------------------------------------------------------------


class Truth:
    """What the generated functions of a case must give at a point."""

    def __init__(self, case: Case, point: Any) -> None:
        self.case = case
        self.point = point
        source = load_exact(case.source)[case.name]
        self.value = invoke(source, exactly(point))
        self.rows = jacobian(source, point, case.actives)
        n, m = len(case.actives), len(self.rows)
        self.x_dots = [(7 * k + 3.0) / (k + 8) for k in range(n)]
        self.f_bars = [(5 * k - 2.0) / (k + 4) for k in range(m)]

    @cached_property
    def second(self) -> list[list[Any]]:
        """The Hessian, where somebody asks for it."""
        source = load_exact(self.case.source)[self.case.name]
        return hessian(source, self.point, self.case.actives)

    def seeds(self) -> dict[str, Any]:
        made: dict[str, Any] = {
            f"{name}_dot": x
            for name, x in zip(self.case.actives, self.x_dots, strict=True)
        }
        made[f"{self.case.name}_bar"] = mirrored(self.value, list(self.f_bars))
        return made

    def expected(self, way: str) -> dict[str, list[Leaf]]:
        """The leaves of every result by the suffix of the function's name."""
        value, first = _alone(flat(self.value)), _alone(flat(self.rows))
        columns = list(zip(*self.rows, strict=True))
        made = {
            "jac": first,
            "value_and_jac": [*value, *first],
            "jvp": [*value, *(_dot(row, self.x_dots) for row in self.rows)],
            "vjp": [*value, *(_dot(column, self.f_bars) for column in columns)],
        }
        asked = kinds_of(self.case, way).values()
        if self.case.scalar:
            made |= {"grad": first, "value_and_grad": [*value, *first]}
        if any(suffix.endswith(("hess", "hvp")) for suffix in asked):
            second = _alone(flat(self.second))
            product = [_dot(row, self.x_dots) for row in self.second]
            made |= {
                "hess": second,
                "value_and_hess": [*value, *first, *second],
                "hvp": product,
                "value_and_hvp": [*value, *first, *product],
            }
        return {suffix: made[suffix] for suffix in asked}


Leaf = tuple[Any, Any]
"""An exact number, and the sum of the absolute contributions to it."""


def _alone(values: list[Any]) -> list[Leaf]:
    return [(value, abs(value)) for value in values]


def _dot(a: Any, b: Any) -> Leaf:
    terms = [mpf(x) * y for x, y in zip(a, b, strict=True)]
    return sum(terms, mpf(0)), sum(map(abs, terms), mpf(0))


@cache
def truths(case: Case) -> tuple[Truth, ...]:
    return tuple(Truth(case, point) for point in case.points)


# --- right ---------------------------------------------------------------------------


@every_way
@every_case
def test_formulas_are_right(case, way):
    """Sixty digits; what is left are constants folded in doubles.

    All points by the default order; one point tells whether another order is right too.
    """
    made = load_exact(text_of(case, way))
    for truth in truths(case)[: None if way == "auto" else 1]:
        values = exactly({**truth.point, **truth.seeds()})
        for suffix, want in truth.expected(way).items():
            got = flat(invoke(made[f"{case.name}_{suffix}"], values))
            largest = max(size for _, size in want)
            for g, (w, size) in zip(got, want, strict=True):
                assert abs(g - w) <= 1e-14 * size + 1e-16 * largest, (suffix, g, w)


@every_way
@every_case
def test_doubles_are_close(case, way):
    """To a few hundred ulps of the contributions, or a few of the largest entry."""
    made = made_of(case, way)
    for truth in truths(case):
        values = {**truth.point, **truth.seeds()}
        for suffix, want in truth.expected(way).items():
            got = flat(invoke(made[f"{case.name}_{suffix}"], values))
            largest = max(size for _, size in want)
            for g, (w, size) in zip(got, want, strict=True):
                allowed = 500 * math.ulp(float(size)) + 8 * math.ulp(float(largest))
                assert type(g) is float, suffix
                assert abs(g - w) <= allowed, (suffix, truth.point, g, float(w))


@every_case
def test_products_agree_with_one_another(case):
    """⟨ȳ, J ẋ⟩ = ⟨Jᵀ ȳ, ẋ⟩, the two sides from different orders."""
    forward = made_of(case, "auto")[f"{case.name}_jvp"]
    reverse = made_of(case, "other")[f"{case.name}_vjp"]
    for truth in truths(case):
        values = {**truth.point, **truth.seeds()}
        pushed = flat(invoke(forward, values)[1])
        pulled = flat(invoke(reverse, values)[1])
        terms = [a * b for a, b in zip(pushed, truth.f_bars, strict=True)]
        other = [a * b for a, b in zip(pulled, truth.x_dots, strict=True)]
        size = math.fsum(map(abs, (*terms, *other)))
        assert abs(math.fsum(terms) - math.fsum(other)) <= 2e-13 * size


@pytest.mark.parametrize("case", [c for c in corpus() if c.scalar], ids=str)
def test_hessians_are_symmetric_to_the_bit(case):
    for way in WAYS:
        made = made_of(case, way)
        for suffix in (s for s in kinds_of(case, way).values() if s.endswith("hess")):
            for point in case.points:
                result = invoke(made[f"{case.name}_{suffix}"], point)
                matrix = result if suffix == "hess" else result[-1]
                assert [*map(tuple, matrix)] == [*zip(*matrix, strict=True)]


# --- shapes --------------------------------------------------------------------------


def _tangent(case: Case) -> Any:
    """The structure of a gradient: bare for one independent, else a tuple."""
    return None if len(case.actives) == 1 else (None,) * len(case.actives)


@every_way
@every_case
def test_results_have_the_shapes_of_the_contract(case, way):
    made = made_of(case, way)
    value = shape(invoke(load(case.source)[case.name], case.points[0]))
    truth = truths(case)[0]
    m, n = len(truth.rows), len(case.actives)

    def matrix(rows: int) -> Any:
        return (rows, n) if way == "other" else ((None,) * n,) * rows

    tangent = _tangent(case)
    want = {
        "jac": matrix(m),
        "value_and_jac": (value, matrix(m)),
        "jvp": (value, mirrored(truth.value, [None] * m)),
        "vjp": (value, tangent),
        "grad": tangent,
        "value_and_grad": (value, tangent),
        "hess": matrix(n),
        "value_and_hess": (value, tangent, matrix(n)),
        "hvp": tangent,
        "value_and_hvp": (value, tangent, tangent),
    }
    for suffix in truth.expected(way):
        function = made[f"{case.name}_{suffix}"]
        result = invoke(function, {**truth.point, **truth.seeds()})
        assert shape(result) == want[suffix], suffix


# --- the value ---------------------------------------------------------------------

SPECIAL = (
    math.nan,
    math.inf,
    -math.inf,
    0.0,
    -0.0,
    5e-324,
    -(2.0**-1040),
    1e308,
    -1e308,
    1.0,
    -1.0,
    0.5,
    2.0**53,
)


def odd_points(case: Case, count: int) -> Any:
    """Points around those of the case, with special values strewn in."""
    chance = random.Random(f"{case}")
    for _ in range(count):
        point = dict(chance.choice(case.points))
        for name, value in point.items():
            if type(value) is float:
                near = value * chance.choice((1.0, 1.0 + chance.gauss(0, 0.3), -1.0))
                point[name] = chance.choice(SPECIAL) if chance.random() < 0.4 else near
        yield point


def outcome(function: Any, point: Any) -> Any:
    """The result, or None where an error is raised."""
    try:
        return invoke(function, point)
    except (ArithmeticError, ValueError, AssertionError):
        return None


@every_case
def test_the_value_is_the_sources_to_the_bit(case):
    if "np." in case.source.split(f"def {case.name}(")[1].split("\ndef ")[0]:
        pytest.skip("numpy may differ from math in the last bit")
    source = load(case.source)[case.name]
    suffixes = ("value_and_jac", "value_and_grad", "value_and_hess")
    texts = [made_of(case, way) for way in WAYS]
    made = [m[n] for m in texts for s in suffixes if (n := f"{case.name}_{s}") in m]
    assert made
    compared = 0
    for point in (*case.points, *odd_points(case, 60)):
        want = outcome(source, point)
        for function in made:
            got = outcome(function, point)
            if want is not None and got is not None:
                assert same_bits(got[0], want), (function, point)
                compared += 1
    assert compared >= len(made) * len(case.points)
