"""Bits of whole numbers that only a run knows, in all languages."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import in_c
import in_fortran
import pytest
from support import flat, load
from targets import Targets

SOURCE = """
# ad: gradient(x, value=True), error(x)
def mixed(x: float, m: int, k: int, odd: bool):
    s = 0
    for i in range(5):
        j = (i ^ m) & 3 | k
        j = j << (k & 1) >> 1
        j ^= i
        j |= 4
        j &= 7
        if (i % 2 == 0) ^ odd:
            s += x * j
        s = s + x**2 * ((-i >> k) + 1) * ((i - m) << k) + (i + k & m) + ~i
        s = s - (-i - 1 | m) * (m ^ -3) - (1 << k) * (i << 2 | 1)
        if i & k or (i | 0) > 1:
            s *= 3
    return s


# ad: jvp(x)
def reversed_bits(x: "Vector[n]"):
    y = x.copy()
    n, j = len(x), 0
    for i in range(1, n):
        bit = n >> 1
        while j & bit:
            j ^= bit
            bit >>= 1
        j ^= bit
        if i < j:
            y[i], y[j] = y[j], y[i]
    return y
"""
MADE, PLAIN = Targets(SOURCE), load(SOURCE)
POINTS = [
    {"x": 0.75, "m": m, "k": k, "odd": odd}
    for m in (-5, 0, 1, 6)
    for k in (0, 1, 3, 70)
    for odd in (False, True)
]


def _vector(n: int) -> dict[str, Any]:
    return {"x": [float(k) for k in range(n)], "x_dot": [0.5 * k for k in range(n)]}


def test_in_python() -> None:
    own = load(MADE.text("math"))
    for at in POINTS:
        value, slope = own["mixed_value_and_grad"](**at)
        exact = {**at, "x": Fraction(at["x"])}
        low, high = (PLAIN["mixed"](**{**exact, "x": exact["x"] + s}) for s in (-1, 1))
        assert value == PLAIN["mixed"](**at)
        assert slope == pytest.approx(float(high - low) / 2, rel=1e-12)  # a parabola
    assert own["reversed_bits_jvp"](**_vector(8))[0].tolist() == [
        0,
        4,
        2,
        6,
        1,
        5,
        3,
        7,
    ]


@pytest.mark.parametrize("language", ["c", "fortran"])
def test_in_other_languages(language: str, tmp_path: Any) -> None:
    text, own = MADE.text(language), load(MADE.text("math"))
    if language == "c":
        (library,) = in_c.compiled([in_c.counted(text)], tmp_path)
        functions: Any = in_c.functions(library, MADE.flat("c"))
    else:
        library = in_fortran.compiled(text, tmp_path)
        functions = in_fortran.functions(library, "model_grad", MADE.flat("fortran"))
    for at in POINTS:
        if at["k"] < 60:  # there are 64 bits
            name = "mixed_value_and_grad"
            assert functions[name](at) == list(own[name](**at))
            bounds = flat(own["mixed_err"](**at))
            assert functions["mixed_err"](at) == pytest.approx(bounds, rel=1e-12)
    for n in (0, 1, 8):
        at = _vector(n)
        assert functions["reversed_bits_jvp"](at) == flat(
            own["reversed_bits_jvp"](**at)
        )
