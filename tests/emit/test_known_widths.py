"""Statements are split by the widths that their names have."""

from __future__ import annotations

import black
import pytest
from support import generate

from ad_transform.emit.python import function

HERMITE = """\
# ad: gradient
def hermite(x: "Vector[n]", y: "Vector[n]", m: "Vector[n]", at: float, lo: int):
    h = x[lo + 1] - x[lo]
    t = (at - x[lo]) / h
    h00 = (1 + 2 * t) * (1 - t) ** 2
    h10 = t * (1 - t) ** 2
    h01 = t * t * (3 - 2 * t)
    h11 = t * t * (t - 1)
    left = h00 * y[lo] + h10 * h * m[lo]
    return left + h01 * y[lo + 1] + h11 * h * m[lo + 1]
"""


def test_a_text_is_shorter_by_the_names_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    made = generate(HERMITE)
    monkeypatch.setattr(function, "_MOST", 0)
    guessed = generate(HERMITE + "# once more\n")  # sources are remembered
    assert made.count("\n") < guessed.count("\n")
    assert black.format_str(made, mode=black.Mode()) == made
