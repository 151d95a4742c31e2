"""Every elemental under every name it is recognised by, through the whole pipeline."""

from __future__ import annotations

import pytest
from amounts import LONG
from mpmath import mpf
from support import (
    flat,
    hessian,
    invoke,
    jacobian,
    load_exact,
    load_generated,
    ulps,
)

from ad_transform.elementals import ALIASES, ROWS

NOT_FUNCTIONS = {"isnan", "isinf", "isfinite", "bool", "not", "both", "either", "ulp"}
"""What gives no number, or, like a unit in the last place, one without a meaning at
sixty digits.
"""

HEADER = "import math\nimport numpy\nimport scipy.special\nimport scipy.stats\n\n\n"

POINTS = {row.name: row.points for row in ROWS}
ALIAS_POINTS = {1: ((0.75,), (-1.25,)), 2: ((0.5, 2.0),), 3: ((0.5, -1.0, 2.0),)}


STEPS = {"floor", "ceil", "trunc", "round", "int"}


def smooth(row):
    """The points of a row that are not on a step."""
    return tuple(p for p in row.points if row.name not in STEPS or 2 * p[0] % 1)


def calls():
    """Text of a call over x, y, z and the points to try."""
    for row in ROWS:
        if row.name not in NOT_FUNCTIONS:
            for known in row.known_as:
                yield spelled(known, len(row.points[0])), smooth(row)
    for known, alias in ALIASES.items():
        count = len(alias.parameters)
        yield spelled(known, count), ALIAS_POINTS[count]
    for form, row in FORMS.items():
        yield form, POINTS[row]


def spelled(name, count):
    return f"{name.removeprefix('builtins.')}({', '.join('xyzw'[:count])})"


# Calls whose arguments are sequences or vary.
FORMS = {
    "math.hypot(x, y, z)": "hypot",
    "math.dist((x, y), (z, w))": "dist",
    "math.dist([x, y], [z, w])": "dist",
    "math.fsum((x, y, z))": "fsum",
    "math.prod([x, y, z])": "fsum",
    "math.sumprod((x, y), (z, w))": "sumprod",
    "sum((x, y, z))": "sum",
    "sum([x, y], z)": "sum_from",
    "sum([x, y], start=z)": "sum_from",
    "max(x, y, z)": "fsum",
    "min((x, y, z))": "fsum",
    "math.log(x, y)": "log_base",
    "pow(x, 3) * pow(y, -2)": "div",
    "numpy.hypot(x, y)": "atan2",
    "numpy.logaddexp(x, y)": "logaddexp",
    "x % y": "mod",
    "x // y": "mod",
    "x ** y": "pow",
    "1 / math.tan(x)": "sin",
}


OTHERS = {
    spelled(known, len(row.points[0])) for row in ROWS for known in row.known_as[1:]
}
"""Calls by another name: what they are recognised as has second derivatives by one."""


def program(call, count):
    kinds = "jacobian(value=True)" + ", hessian" * (LONG or call not in OTHERS)
    return (
        f"{HEADER}# ad: {kinds}\n"
        f"def f({', '.join('xyzw'[:count])}):\n    u = 1.0 * {call}\n    return u * x\n"
    )


CALLS = sorted(dict(calls()).items())


@pytest.mark.parametrize(("call", "points"), CALLS, ids=[call for call, _ in CALLS])
def test_every_spelling(call, points):
    source = program(call, len(points[0]))
    made = load_generated(source, order="reverse")
    truth = load_exact(source)["f"]
    for point in points:
        values = dict(zip("xyzw", point, strict=False))
        rows = jacobian(truth, values, list(values))
        value, slopes = invoke(made["f_value_and_jac"], values)
        assert ulps(value, invoke(truth, {k: mpf(v) for k, v in values.items()})) < 64
        pairs = [(flat(slopes), flat(rows))]
        if "f_hess" in made:
            second = hessian(truth, values, list(values))
            pairs.append((flat(invoke(made["f_hess"], values)), flat(second)))
        for got, want in pairs:
            largest = float(max(map(abs, want)))
            for g, w in zip(got, want, strict=True):
                assert ulps(g, w) < 256 or abs(g - w) < 1e-15 * largest, (point, g, w)
