"""Everyday spellings of scalar code: values and derivatives against sixty digits."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import pytest
from mpmath import mpf
from support import (
    Namespace,
    flat,
    generate,
    hessian,
    invoke,
    jacobian,
    load,
    load_exact,
    ulps,
)

from ad_transform.read import read
from ad_transform.read.calls.unknown import OF_ARRAYS

HEADER = """\
import itertools
import logging
import math
import warnings
from functools import partial

import numpy as np
import scipy.stats as st
from scipy import special as sp
from scipy.special import expit, logsumexp
from scipy.stats import norm

logger = logging.getLogger(__name__)


def line(a, b, x):
    return a * x + b


"""
POINT = {"x": 0.71, "y": 1.3}

# What is written, and what it means with `math` alone.
# fmt: off
MEANINGS = {
    "np.dot((x, y), [y, 2.0])": "x * y + y * 2.0",
    "np.dot(x, y) + np.inner((x,), (y,))": "x * y + x * y",
    "np.sum((x, y, 3.0)) * np.sum(((x, 1.0), (y, y)))":
        "(x + y + 3.0) * (x + 1.0 + y + y)",
    "np.mean([x, y, x * y])": "(x + y + x * y) / 3.0",
    "np.prod((x, y, x)) + math.prod([x, y], start=2.0)": "x * y * x + 2.0 * x * y",
    "np.linalg.norm((x, y))": "math.sqrt(x * x + y * y)",
    "np.linalg.norm([x, y], ord=1) + np.linalg.norm([x, y], np.inf)": "x + y + y",
    "np.max((x, y * y)) + np.min([x, y])": "y * y + x",
    "np.polyval([2.0, x, 1.0], y)": "(2.0 * y + x) * y + 1.0",
    "np.polynomial.polynomial.polyval(y, (1.0, x, 2.0))": "(2.0 * y + x) * y + 1.0",
    "np.clip(x * y, a_min=0.0, a_max=2.0) + np.clip(x, None, y)": "x * y + x",
    "np.clip(x, min=1.0, max=y) * y": "1.0 * y",
    "math.comb(5, 2) * x + math.factorial(4) * y": "10 * x + 24 * y",
    "math.perm(4, 2) * x + math.gcd(12, 18) * y * y": "12 * x + 6 * y * y",
    "x * math.isclose(1.0, 1.000000000001) + y * y": "x * 1 + y * y",
    "logsumexp((x, y, 1.0))": "math.log(math.exp(x) + math.exp(y) + math.exp(1.0))",
    "norm.cdf(x, loc=y, scale=2.0)": "0.5 * math.erfc(-(x - y) / 2.0 / math.sqrt(2.0))",
    "st.norm.sf(x, y)": "0.5 * math.erfc((x - y) / math.sqrt(2.0))",
    "norm.pdf(x, 0, y)":
        "math.exp(-x * x / y / y / 2.0) / y / math.sqrt(2.0 * 3.141592653589793)",
    "norm.logpdf(x, scale=y)":
        "-0.5 * x * x / y / y - math.log(y) - 0.9189385332046728",
    "norm.logcdf(x) + norm.logsf(x * y)":
        "math.log(math.erfc(-x / math.sqrt(2.0)) / 2.0)"
        " + math.log(math.erfc(x * y / math.sqrt(2.0)) / 2.0)",
    "norm.cdf(norm.ppf(expit(x), y, 2.0), y, 2.0)": "1.0 / (1.0 + math.exp(-x))",
    "norm.isf(expit(x)) + norm.ppf(expit(x)) + x * y": "x * y",
    "sp.polygamma(0, x) - sp.psi(x) + sp.polygamma(1, x + 1.0) + 1 / x**2 + y**3":
        "sp.polygamma(1, x) + y**3",
    "((x,) + (y,))[1] * ([x] * 3)[-1] * x": "x * y * x",
    "(2 * (x, y))[1 + 2] * x * x": "y * x * x",
    "sum((x, y, x)[1:]) + sum([y, x], 2.0) * x": "y + x + (2.0 + y + x) * x",
    "max(*(x, y)) * len((x, y)) + (x, y)[len((x, y)) - 1]": "y * 2 + y",
    "sum(((x,), (y,)), ())[1] * x": "y * x",
    "line(*(x, y)[::-1], x) + partial(line, 2.0, b=x)(x=y)": "y * x + x + 2.0 * y + x",
    "partial(math.pow, x)(y)": "math.pow(x, y)",
    "x * (1 in (1, 2)) + y * y * (3 not in [1, 2])": "x + y * y",
    "sorted([y, 2.0, x])[0] + sorted((x, y), reverse=True)[0] * sorted((y, x))[0]":
        "x + y * x",
    "sorted((x, y), key=lambda v: 1 / v)[0] * len(sorted({'b': x}))":
        "y",
    "min((y, -x, 2.0), key=abs) * max(x, y, key=lambda v: -v) + max((), default=y)":
        "-x * x + y",
    "sum(a * b for a, b in itertools.pairwise((x, y, 3.0)))": "x * y + y * 3.0",
    "sum(a * b for a, b in itertools.product((x, y), repeat=2))": "(x + y) ** 2",
    "sum(a * b for a, b in itertools.combinations((x, y, 2.0), 2))":
        "x * y + 2.0 * (x + y)",
    "list(itertools.chain((x,), [y]))[1] * list(itertools.accumulate((x, y)))[1]":
        "y * (x + y)",
    "list(itertools.accumulate((x, y), lambda a, b: a * b, initial=2.0))[-1]":
        "2.0 * x * y",
    "sum(a * b for a, b in zip((x, y), (y, 2.0), strict=True))": "x * y + 2.0 * y",
}
# fmt: on


def made(body: str, parameters: str = "x: float, y: float") -> str:
    mark = "# ad: gradient(x, y, value=True), hessian(x, y)\n"
    return f"{HEADER}{mark}def f({parameters}):\n{body}"


def generated(source: str) -> Namespace:
    """The functions of a source; which order they are made by does not matter here."""
    return load(generate(source, order="reverse", effort=0))


def agree(here: Namespace, meaning: str, values: dict[str, Any]) -> None:
    """The generated functions of a source against the exact ones of its meaning."""
    truth = load_exact(meaning)["f"]
    value, slopes = invoke(here["f_value_and_grad"], values)
    exact = invoke(
        truth, {k: mpf(v) if type(v) is float else v for k, v in values.items()}
    )
    assert ulps(value, exact) < 64
    first = jacobian(truth, values, ["x", "y"])
    second = hessian(truth, values, ["x", "y"])
    found = (*flat(slopes), *flat(invoke(here["f_hess"], values)))
    for got, want in zip(found, (*flat(first), *flat(second)), strict=True):
        assert abs(got - want) <= 1e-13 * max(1.0, abs(want)), (got, want)


@pytest.mark.parametrize("written", MEANINGS)
def test_spelling(written: str) -> None:
    here = generated(made(f"    return {written}\n"))
    agree(here, made(f"    return {MEANINGS[written]}\n"), POINT)


CHOICES = {
    "return x * 2.0 if flag else x * y * y": "return x * 2.0 if flag else x * y * y",
    "u = (x, y) if n > 1 else (y, 1)\n    return u[0] * u[1] ** 2 * x": (
        "u = (x, y) if n > 1 else (y, 1)\n    return u[0] * u[1] ** 2 * x"
    ),
    "return math.log(x - 5.0) if kind == 'log' else x * y": "return x * y",
    "a = 3 if kind in ('call', 'put') and not flag else n\n    return a * x * y * y": (
        "a = 3 if kind in ('call', 'put') and not flag else n\n    return a * x * y * y"
    ),
    "return np.where(flag, x * x, y) * x": "return (x * x if flag else y) * x",
    "return (x if n else y) * (x * x if True else math.log(-x)) * y": (
        "return (x if n else y) * x * x * y"
    ),
    "g = partial(line, x * y, x) if flag else partial(line, x, b=y * y)\n"
    "    return g(x=y)": "return x * y * y + x if flag else x * y + y * y",
    "def through(p):\n        m = p[0] if p[1] > 1.0 else p[1]\n"
    "        return lambda t: m * t * t + p[1]\n\n"
    "    g = through((x, y * x)) if flag else through((y, y * y))\n    return g(x)": (
        "return y * x * x * x + y * x if flag else y * x * x + y * y"
    ),
    "g = (lambda t, k=x * x: k * t * t) if flag else math.sin\n    return g(y)": (
        "return x * x * y * y if flag else math.sin(y)"
    ),
}


@pytest.mark.parametrize("body", CHOICES)
def test_choice_that_depends_on_no_float(body: str) -> None:
    parameters = "x: float, y: float, flag: bool, n: int, kind: str"
    here = generated(made(f"    {body}\n", parameters))
    for flag, (n, kind) in product((True, False), ((0, "call"), (2, "x"))):
        values = {**POINT, "flag": flag, "n": n, "kind": kind}
        agree(here, made(f"    {CHOICES[body]}\n", parameters), values)


PASSED = """\
    log = logging.getLogger("f")
    log.warning("x is %s", x)
    logger.info(f"{x!r} and {nothing}")
    logging.debug("text")
    warnings.warn("text", stacklevel=2)
    np.seterr(all="ignore")
    with np.errstate(divide="ignore"):
        u = x / y
    with np.errstate(all="ignore"), warnings.catch_warnings():
        v = u * y
    return v * u
"""


def test_what_computes_nothing_is_passed_over_with_a_note() -> None:
    source = made(PASSED)
    notes = read(source.encode(), "model.py").diagnostics
    assert {d.code for d in notes} == {"AD112"}
    assert [d.span.line - 21 for d in notes if d.span] == [1, 2, 3, 4, 5, 6, 7, 9, 9]
    agree(generated(source), made("    return x / y * x\n"), POINT)


HINTS = {
    "math.frexp(x)": "math.floor(math.log2",
    "np.sinn(x)": "did you mean 'numpy.sin'?",
    "np.float32(x)": "write plain floats",
    "sp.erff(x)": "did you mean 'scipy.special.erf'?",
    "sp.jv(1, x)": "pass its value",
    "math.cosine(x)": "functions of `math`",
}


@pytest.mark.parametrize("written", HINTS)
def test_way_out_is_one_that_a_person_would_take(written: str) -> None:
    found = read(made(f"    return {written}\n").encode(), "model.py").diagnostics
    assert any(HINTS[written] in d.help for d in found), found


def test_what_is_written_for_functions_of_arrays_is_read() -> None:
    """Every way out, one after the other in one function."""
    shown = [way for text in OF_ARRAYS for way in re.findall("`([^`]+)`", text)]
    lines = [way if " = " in way else f"u = {way}" for way in shown]
    arrays = ", ".join(f'{name}: "Matrix[n, n]"' for name in "ABCD")
    head = f'def f(x: "Vector[n]", y: "Vector[n]", z: "Vector[n]", k: int, {arrays}):'
    body = "".join(f"    {line}\n" for line in ["y = y.copy()", *lines, "return y"])
    row = "def g(row):\n    return np.sum(row)\n\n\n"
    source = f"import numpy as np\n{row}# ad: jvp(y)\n{head}\n{body}"
    assert not read(source.replace("f(row)", "g(row)").encode(), "m.py").diagnostics
    assert len(lines) > 15


def test_sums_of_numpy_are_numpys_own() -> None:
    numpy = pytest.importorskip("numpy")
    for count in (7, 8, 19, 40, 140):
        terms = ", ".join(f"{0.1 * k - 3.7} * x" for k in range(count))
        mark = "# ad: gradient(value=True)\n"
        source = f"{HEADER}{mark}def f(x):\n    return np.sum(({terms}))\n"
        value = generated(source)["f_value_and_grad"](1.7)[0]
        assert value == numpy.sum([(0.1 * k - 3.7) * 1.7 for k in range(count)])
