"""Estimates of whole arrays and of their elements, for bodies of functions in a file.

`whole_estimates.txt` holds the bodies; what is exact has sixty digits.
"""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import Any

import exact_numpy
import numpy as np
import pytest
from amounts import NUMBERS, pairs
from mpmath import mp
from rounding.test_structured_estimates import holds
from support import flat, generate, load, run

BODIES = (Path(__file__).parent / "whole_estimates.txt").read_text().split("---\n")
MODELS = ("linear", "enclosure")  # by adjoints, and forwards
CASES = pairs(range(len(BODIES)), MODELS, 2)
HEAD = "import numpy as np\n\n\n"
GIVEN = '(x: "Vector[n]", A: "Matrix[n, n]", s: float, k: int, i: "Vector[m, int]"):\n'
X, A = [0.3, 0.9, -0.4], [[1.4, -1.1, 0.7], [1.3, 0.2, 0.6], [-0.7, 0.1, 2.3]]
AT = (np.array(X), np.array(A), 0.3, 2, np.array([2, 0, -1]))
EXACT = tuple(map(exact_numpy.lifted, (X, A, 0.3, 2))) + AT[4:]


def function(name: str, body: str) -> str:
    return f"def {name}{GIVEN}" + "".join(f"    {t}\n" for t in body.splitlines())


@cache
def made(model: str) -> dict[str, Any]:
    own = {k: function(f"f{k}", BODIES[k]) for k, asked in CASES if asked == model}
    mark = f'# ad: error(model="{model}", name="{{}}")\n'
    marked = (f"{mark.format(f'err{k}')}{text}" for k, text in own.items())
    return load(generate(HEAD + "\n\n".join(marked), **NUMBERS))


@pytest.mark.parametrize(("case", "model"), CASES)
def test_estimates_of_all_elements_hold(case: int, model: str) -> None:
    exact = load(HEAD + function("f", BODIES[case]), exact_numpy.modules())["f"]
    values, *found = map(flat, made(model)[f"err{case}"](*AT))
    plain = load(HEAD + function("f", BODIES[case]))["f"]
    assert values == pytest.approx(flat(plain(*AT)), rel=1e-13)
    for value, true, *own in zip(values, flat(exact(*EXACT)), *found, strict=True):
        assert holds(model, mp.mpf(value) - true, tuple(own))
        assert all(map(math.isfinite, own))


@pytest.mark.parametrize("terms", ["{}", "np.convolve({}, [0.25, 0.75])"])
def test_bounds_of_derivatives_that_are_arrays_hold(terms: str) -> None:
    """The slopes of sin(x) x are sin(x) + x cos(x)."""
    head = f'{HEAD}# ad: error(of="gradient")\ndef f(x: "Vector[n]"):\n'
    result = terms.format("np.sin(x) * x")
    made = load(generate(f"{head}    return np.sum({result})\n", **NUMBERS))
    for x, slope, bound, _ in zip(X, *made["f_grad_err"](X), strict=True):
        true = mp.sin(x) + mp.mpf(x) * mp.cos(x)
        assert abs(slope - true) <= bound < 1e-15


def test_no_report_is_made_of_arrays() -> None:
    text = '# ad: error(report=True)\ndef f(x: "Vector[n]"):\n    return x * x\n'
    (said,) = run(text).diagnostics
    assert said.code == "AD031" and "index" in (said.help or "")


@pytest.mark.parametrize("asked", ["gradient", "jacobian"])
def test_derivatives_that_are_filled_part_by_part_are_refused(asked: str) -> None:
    """What is stored in a part of an array has no adjoint there."""
    head = (
        f'{HEAD}# ad: error(of="{asked}")\ndef f(x: "Vector[n]", A: "Matrix[n, n]"):\n'
    )
    (said,) = run(
        f"{head}    return np.sum(np.sin(x[1:])) + A[0, 1] * 0.1\n"
    ).diagnostics
    assert said.code == "AD031" and "part by part" in said.message
