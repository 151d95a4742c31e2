"""Guards of a power's slopes stand around one factor each: others are shared."""

import pytest
from support import generate, load_generated

SOURCE = """
import math

# ad: {kind}
def f({names}):
    return {body}
"""
RATE = "A, T, b, E", "A * T**b * math.exp(-E / T)"
RISK = "c, g", "c ** (1.0 - g) / (1.0 - g)"


def made(kind: str, names: str, body: str) -> str:
    source = SOURCE.format(kind=kind, names=names, body=body)
    return generate(source, container="tuple")


def test_the_slope_by_an_exponent_is_the_value_times_a_logarithm():
    text = made("gradient(value=True)", *RATE)
    assert "value_prod * log(T) if value_pow != 0.0 else 0.0" in text


@pytest.mark.parametrize(("case", "count"), [(RATE, 13), (RISK, 9)])
def test_operations(case, count):
    assert f"Operations: {count} (" in made("gradient(value=True)", *case)


def test_where_guards_hold():
    source = SOURCE.format(kind="gradient", names="x, y", body="3.0 * x**y")
    slope = load_generated(source)["f_grad"]
    assert slope(0.0, 2.0) == (0.0, 0.0)
    assert slope(0.0, 1.0) == (3.0, 0.0)
