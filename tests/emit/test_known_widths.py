"""Statements are split by the widths that their names have."""

from __future__ import annotations

from typing import Any

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


@pytest.mark.parametrize("doubts", [True, False])
def test_a_long_text_in_doubt_has_the_names_of_the_first_one(
    monkeypatch: pytest.MonkeyPatch, doubts: bool
) -> None:
    asked: list[bool] = []

    class Attempt(function._Attempt):
        def body(self) -> list[str]:
            lines = super().body()
            self.doubtful = doubts and not asked[1:]
            return lines

        def __init__(self, *args: Any) -> None:
            super().__init__(*args)
            asked.append(bool(args[-1]))

    monkeypatch.setattr(function, "_Attempt", Attempt)
    monkeypatch.setattr(function, "_MOST", 0)
    generate(HERMITE + f"# in doubt: {doubts}\n")
    assert asked == ([False, True] if doubts else [False])
