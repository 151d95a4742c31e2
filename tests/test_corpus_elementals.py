"""Every elemental under every name it is recognised by, through the whole pipeline."""

from __future__ import annotations

import exact
import pytest
from mpmath import mpf
from support import flat, generate, hessian, invoke, jacobian, load, load_exact, ulps

from ad_transform.elementals import ALIASES, ROWS

NOT_FUNCTIONS = {"isnan", "isinf", "isfinite", "bool"}
HEADER = "import math\nimport numpy\nimport builtins\n\n\n"

POINTS = {row.name: row.points for row in ROWS}
ALIAS_POINTS = {1: ((0.75,), (-1.25,)), 2: ((0.5, 2.0),), 3: ((0.5, -1.0, 2.0),)}


def calls():
    """Qualified name, number of arguments, points."""
    for row in ROWS:
        if row.name not in NOT_FUNCTIONS:
            for known in row.known_as:
                yield known, row.points
    for known, alias in ALIASES.items():
        yield known, ALIAS_POINTS[len(alias.parameters)]


def program(name, count):
    arguments = ", ".join("xyz"[:count])
    return (
        f"{HEADER}# ad: jacobian(value=True), hessian\ndef f({arguments}):\n"
        f"    u = 1.0 * {name.removeprefix('builtins.')}({arguments})\n"
        "    return u * x\n"
    )


CALLS = sorted({(name, len(points[0])): points for name, points in calls()}.items())


@pytest.mark.parametrize(("call", "points"), CALLS, ids=lambda c: str(c[0]))
def test_every_spelling(call, points):
    name, count = call
    source = program(name, count)
    made = load(generate(source))
    truth = load_exact(source.replace("import builtins\n", ""))["f"]
    for point in points:
        values = dict(zip("xyz", point, strict=False))
        rows = jacobian(truth, values, list(values))
        second = hessian(truth, values, list(values))
        value, slopes = invoke(made["f_value_and_jac"], values)
        assert ulps(value, invoke(truth, {k: mpf(v) for k, v in values.items()})) < 64
        for got, want in (
            (flat(slopes), flat(rows)),
            (flat(invoke(made["f_hess"], values)), flat(second)),
        ):
            largest = float(max(map(abs, want)))
            for g, w in zip(got, want, strict=True):
                assert ulps(g, w) < 256 or abs(g - w) < 1e-15 * largest, (point, g, w)


def test_exact_knows_every_name():
    known = {"math": exact.MATH, "numpy": exact.NUMPY, "builtins": exact.BUILTINS}
    for (name, _), _ in CALLS:
        module, function = name.split(".")
        assert function in known[module], name
