"""`statistics`: means, medians and spreads of lists, arrays and generators."""

from __future__ import annotations

import math
import random
import statistics
from typing import Any

import in_c
import in_fortran
import numpy as np
import pytest
from support import flat, load, load_generated, same_bits
from targets import Targets

HEAD = "import statistics\nfrom statistics import median as middle\n"
# fmt: off
EXACT = {
    "fmean":       "statistics.fmean(x) * k",
    "weighted":    "statistics.fmean([v * k for v in x], weights=[abs(v) for v in x])",
    "median":      "statistics.median(x) * k + middle([k, x[0], x[1], x[0] * k])",
    "low":         "statistics.median_low(k * v for v in x) - middle(x)",
    "high":        "statistics.median_high(v * k for v in x)",
    "of tuples":   "statistics.fmean((k, x[0], x[1])) * statistics.median((k, x[0]))",
}
CLOSE = {
    "mean":        "statistics.mean(x) * k + statistics.mean(v * k for v in x)",
    "variance":    "statistics.variance([v * k for v in x])",
    "pvariance":   "statistics.pvariance(list(x) + [k])",
    "centre":      "statistics.pvariance(x, mu=k) + statistics.variance(x, k)",
    "stdev":       "statistics.stdev(x) * k + statistics.stdev((k, x[0], x[1]))",
    "pstdev":      "statistics.pstdev([v * v * k for v in x])",
}
# fmt: on
POINTS = [([0.3, 0.7, 1.1, 0.2], 2.0), ([0.5, -0.1, 0.9, 0.4, 0.8], 0.3)]


def source(result: str) -> str:
    marks = "# ad: gradient(x, k, value=True), hvp(x, k)\n"
    return f'{HEAD}{marks}def f(x: "Vector[n]", k: float):\n    return {result}\n'


@pytest.mark.parametrize("name", [*EXACT, *CLOSE])
def test_values_are_those_of_python(name: str) -> None:
    text = source((EXACT | CLOSE)[name])
    own, grad = load(text)["f"], load_generated(text)["f_value_and_grad"]
    for x, k in POINTS:
        value, wanted = grad(x, k)[0], own(x, k)
        same = same_bits(value, wanted) if name in EXACT else True
        assert same and value == pytest.approx(wanted, rel=1e-15)


@pytest.mark.parametrize("name", [*EXACT, *CLOSE])
def test_derivatives_are_those_of_differences(name: str) -> None:
    text = source((EXACT | CLOSE)[name])
    own, made = load(text)["f"], load_generated(text)
    for x, k in POINTS:
        grad = flat(made["f_value_and_grad"](x, k)[1])
        assert grad == pytest.approx(_slopes(own, x, k), rel=1e-6)
        u = [math.cos(j) for j in range(len(x) + 1)]
        product = flat(made["f_hvp"](x, k, u[:-1], u[-1]))
        slopes = [
            np.array(flat(made["f_value_and_grad"](*at)[1]))
            for at in (_moved(x, k, u, 1e-5), _moved(x, k, u, -1e-5))
        ]
        wanted = (slopes[0] - slopes[1]) / 2e-5
        assert product == pytest.approx(wanted.tolist(), rel=1e-5, abs=1e-7)


def _moved(x: list[float], k: float, u: list[float], h: float) -> Any:
    return [v + h * d for v, d in zip(x, u, strict=False)], k + h * u[-1]


def _slopes(own: Any, x: list[float], k: float) -> list[float]:
    found = []
    for place in range(len(x) + 1):
        u = [float(j == place) for j in range(len(x) + 1)]
        ends = own(*_moved(x, k, u, 1e-5)), own(*_moved(x, k, u, -1e-5))
        found.append((ends[0] - ends[1]) / 2e-5)
    return found


@pytest.mark.parametrize("name", ["mean", "variance", "pvariance", "stdev", "pstdev"])
def test_spreads_keep_their_digits(name: str) -> None:
    text = f'{HEAD}# ad: gradient(value=True)\ndef f(x: "Vector[n]"):\n'
    grad = load_generated(f"{text}    return statistics.{name}(x)\n")[
        "f_value_and_grad"
    ]
    draw = random.Random(3)
    for _ in range(50):
        n = draw.choice([2, 3, 5, 7])
        near = [1e6 + 1e-6 * draw.gauss(0.0, 1.0) for _ in range(n)]
        for u in (near, [0.1 * n] * n, [1.0] + [1.0 + 2.0**-52] * (n - 1)):
            wanted = getattr(statistics, name)(u)
            value, slope = grad(u)
            assert value == pytest.approx(wanted, rel=1e-15, abs=0.0)
            assert all(map(math.isfinite, slope))


@pytest.mark.parametrize(
    ("name", "least"),
    [
        *(("mean", 1), ("fmean", 1), ("median", 1), ("median_low", 1), ("stdev", 2)),
        *(("median_high", 1), ("variance", 2), ("pvariance", 1), ("pstdev", 1)),
    ],
)
def test_too_few_raise_as_in_python(name: str, least: int) -> None:
    text = f'{HEAD}# ad: gradient\ndef f(x: "Vector[n]"):\n'
    grad = load_generated(f"{text}    return statistics.{name}(x)\n")["f_grad"]
    few = [1.0] * (least - 1)
    with pytest.raises(ValueError) as raised:
        grad(few)
    with pytest.raises(statistics.StatisticsError) as wanted:
        getattr(statistics, name)(few)
    assert str(raised.value) == str(wanted.value)
    assert len(grad([1.0] * least)) == least


def test_a_list_is_left_as_it_is() -> None:
    text = f"""{HEAD}
# ad: gradient(x, k, value=True)
def f(x: "Vector[n]", k: float):
    u = [v * k for v in x]
    m = statistics.median(u)
    u[0] = k * k
    return m * u[0] + statistics.median(u) * statistics.fmean(u)
"""
    own, grad = load(text)["f"], load_generated(text)["f_value_and_grad"]
    for x, k in POINTS:
        assert same_bits(grad(x, k)[0], own(x, k))
        assert flat(grad(x, k)[1]) == pytest.approx(_slopes(own, x, k), rel=1e-6)


MADE = Targets(
    HEAD + '# ad: gradient(x, k, value=True)\ndef f(x: "Vector[n]", k: float):\n'
    "    return statistics.median(x) * k + statistics.stdev([v * k for v in x])"
    " * statistics.mean(x)\n"
)


@pytest.mark.parametrize("target", ["c", "fortran"])
def test_they_are_compiled(target: str, tmp_path: Any) -> None:
    if target == "c":
        library = in_c.compiled([MADE.text("c")], tmp_path)[0]
        own = in_c.functions(library, MADE.flat("c"))
    else:
        library = in_fortran.compiled(MADE.text("fortran"), tmp_path, "-fcheck=all")
        own = in_fortran.functions(library, "model_grad", MADE.flat("fortran"))
    for x, k in POINTS:
        wanted = flat(load(MADE.text("math"))["f_value_and_grad"](x, k))
        found = own["f_value_and_grad"]({"x": x, "k": k, "n": len(x)})
        assert found == pytest.approx(wanted, rel=1e-13)
