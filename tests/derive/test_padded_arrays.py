"""`np.pad` of vectors and matrices in all its modes, and `np.mgrid`."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from amounts import NUMBERS, part
from support import generate, load, run

HEAD = """
import numpy as np


# ad: gradient(x), jvp(x), gradient(x, name="plain", container="tuple"), error{more}
def f(x: "{shape}", k: int):
    a = {made}
    return np.sum(a**3 * np.arange(1, a.size + 1).reshape(a.shape))
"""
MATRICES = [
    'np.pad(x, 1, mode="edge")',
    "np.pad(x, ((1, 2), (0, k)))",
    'np.pad(x, (1, 2), mode="reflect")',
    'np.pad(x, k, mode="wrap")',
    'np.pad(x, ((2, 0), (k, 1)), mode="symmetric")',
    "np.pad(x, k, constant_values=2.0)",
    "np.pad(x, 1)[1:-1, 2:] * np.mgrid[0:x.shape[0], 0:x.shape[1]][1]",
    "x * np.exp(-0.1 * np.ogrid[1 : x.shape[0] + 1, 0:4][0]) * np.mgrid[-2:2]",
]
VECTORS = [
    f'np.pad(x, {width}, mode="{mode}")'
    for mode in ("edge", "reflect", "wrap", "symmetric")
    for width in ("k", "(k, 0)", "(1, 7)")
]


BENT = part(MATRICES, 2) + part(VECTORS, 2)
"""Those that are differentiated twice, too."""


def source(shape: str, made: str) -> str:
    """A function of what is made of an array."""
    more = ", hvp(x)" if made in BENT else ""
    return HEAD.format(shape=shape, made=made, more=more)


@cache
def generated(text: str) -> dict[str, Any]:
    return load(generate(text, **NUMBERS))


def check(text: str, x: Any) -> None:
    made, plain = generated(text), load(text)["f"]
    dot, h = np.cos(x), 1e-5
    rate = (plain(x + h * dot, 3) - plain(x - h * dot, 3)) / (2 * h)
    value, tangent = made["f_jvp"](x, dot, 3)
    assert value == plain(x, 3)
    assert tangent == pytest.approx(rate, rel=1e-7)
    slope = made["f_grad"](x, 3)
    assert np.sum(slope * dot) == pytest.approx(tangent, rel=1e-11)
    assert np.array(made["plain"](x, 3)) == pytest.approx(slope, rel=1e-12, abs=1e-12)
    assert 0.0 < made["f_err"](x, 3)[2] < 1e-11
    if "f_hvp" not in made:
        return
    up, down = (made["f_grad"](x + t * dot, 3) for t in (h, -h))
    product = made["f_hvp"](x, dot, 3)
    assert product == pytest.approx((up - down) / (2 * h), rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("made", MATRICES)
@pytest.mark.parametrize("rows", [1, 3])
def test_matrices(made: str, rows: int) -> None:
    x = np.sin(np.arange(1.0, 4.0 * rows + 1.0)).reshape(rows, 4)
    check(source("Matrix[m, n]", made), x)


@pytest.mark.parametrize("made", VECTORS)
@pytest.mark.parametrize("size", [1, 2, 4])
def test_vectors(made: str, size: int) -> None:
    x = np.sin(np.arange(1.0, size + 1.0))
    check(source("Vector[n]", made), x)


@pytest.mark.parametrize(
    ("made", "help_"),
    [
        ('np.pad(x, 1, mode="mean")', "'constant', 'edge', 'wrap', 'reflect'"),
        ("np.pad(x, ((1, 2, 3), (0, k)))", "`((above, below), (left, right))`"),
        ("np.mgrid[0:3, 0:3, 0:3][0] * x", "write `np.meshgrid`"),
    ],
)
def test_refusals(made: str, help_: str) -> None:
    (found,) = run(source("Matrix[m, n]", made)).diagnostics
    assert found.span.line == 7
    assert help_ in found.help
