"""The 35 problems of Moré, Garbow & Hillstrom (1981), and exact derivatives."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import exact
import exact_numpy
from amounts import part
from mpmath import mp, mpf
from support import Namespace, flat, generate, load

FILES = "closed_problems", "open_problems"
PRODUCTS = "powell_singular", "extended_rosenbrock", "discrete_integral_equation"
"""Problems whose Hessian is multiplied by vectors, too."""
MINIMIZED = "rosenbrock", "helical_valley", "chebyquad", "wood"
"""Problems that are minimized by their Hessians."""

SQUARES = '''

# ad: gradient{more}
def {name}_squares(x: "{shape}"):
    """Half the sum of the squares, as SciPy has it in `cost`."""
    return 0.5 * sum([r * r for r in {name}(x)])
'''


def source(file: str) -> str:
    """The residuals of a file, and functions of their sums of squares, all marked."""
    text = (Path(__file__).parent / f"{file}.py").read_text(encoding="utf-8")
    sums = ""
    found = re.findall(r'(?m)^def (\w+)\(x: "(\w+\[\w+\])"\)', text)
    bent = {*MINIMIZED, *PRODUCTS, *(name for name, _ in part(found, 4))}
    for name, shape in found:
        more = ", hessian" * (name in bent) + ", hvp" * (name in PRODUCTS)
        sums += SQUARES.format(name=name, shape=shape, more=more)
    return re.sub(r"(?m)^def ", "# ad: jacobian\ndef ", text) + sums


@dataclass(frozen=True, slots=True)
class Problem:
    """The residuals of a problem and what is generated, `f` as it is called there."""

    name: str
    start: tuple[float, ...]
    plain: Namespace
    made: Namespace
    exact: Callable[..., Any]

    @property
    def residuals(self) -> Callable[..., Any]:
        return self.plain[self.name]  # type: ignore[no-any-return]

    @property
    def squares(self) -> Callable[..., Any]:
        return self.plain[f"{self.name}_squares"]  # type: ignore[no-any-return]

    @property
    def is_bent(self) -> bool:
        """Whether there is a Hessian of the sum of squares: of all, or one in four."""
        return f"{self.name}_squares_hess" in self.made

    def __getattr__(self, suffix: str) -> Callable[..., Any]:
        """`problem.jac` of the residuals, `problem.grad` of the sum of squares."""
        own = self.name if suffix == "jac" else f"{self.name}_squares"
        return self.made[f"{own}_{suffix}"]  # type: ignore[no-any-return]


def starting_points() -> dict[str, tuple[float, ...]]:
    """The starting points of the paper, by the names of the problems."""
    return {k: v for file in FILES for k, v in load(source(file))["START"].items()}


@cache
def problems() -> dict[str, Problem]:
    """All problems with what is generated for them, which takes seconds."""
    return {problem.name: problem for file in FILES for problem in _problems(file)}


def _problems(file: str) -> Iterator[Problem]:
    text = source(file)
    plain = load(text)
    digits = load(text, exact.modules() | exact_numpy.modules(), exact.BUILTINS)
    made = load(generate(text, order="reverse", effort=0))
    for name, start in plain["START"].items():
        yield Problem(name, start, plain, made, digits[name])


STEP = mpf(10) ** -20


def derivatives(problem: Problem) -> tuple[list[Any], list[Any], list[Any]]:
    """Jacobian, gradient and Hessian by differences of 70 digits, to 18 of them; no
    Hessian where none is made.
    """
    n = len(problem.start)
    with mp.workdps(70):

        def at(*moved: int) -> list[Any]:
            x = exact_numpy.lifted(list(problem.start))
            for k in moved:
                x[k] += STEP
            return flat(problem.exact(x))

        def cost(residuals: list[Any]) -> Any:
            return mp.fsum(r * r for r in residuals) / 2

        here, ahead = at(), [at(k) for k in range(n)]
        jacobian = [[(a[i] - r) / STEP for a in ahead] for i, r in enumerate(here)]
        costs = [cost(a) - cost(here) for a in ahead]
        hessian = [[mpf(0)] * n for _ in range(n if problem.is_bent else 0)]
        for j in range(len(hessian)):
            for k in range(j + 1):
                both = cost(at(j, k)) - cost(here)
                hessian[j][k] = hessian[k][j] = (both - costs[j] - costs[k]) / STEP**2
        return jacobian, [c / STEP for c in costs], hessian


def moved_by_rounding(problem: Problem) -> tuple[list[Any], list[Any], list[Any]]:
    """How far gradient and Hessian move where the residuals are those that the program
    itself computes, in doubles: J' r and J' J + sum r_i H_i. No other text that takes
    these residuals is closer for certain. Nothing for the Jacobian.
    """
    n = len(problem.start)
    with mp.workdps(70):

        def at(*moved: int) -> list[Any]:
            x = exact_numpy.lifted(list(problem.start))
            for k in moved:
                x[k] += STEP
            return flat(problem.exact(x))

        here, ahead = at(), [at(k) for k in range(n)]
        off = [abs(r - mpf(d)) for r, d in zip(here, _computed(problem), strict=True)]
        gradient = [
            mp.fsum(e * abs(a - r) for e, a, r in zip(off, one, here, strict=True))
            / STEP
            for one in ahead
        ]
        hessian = [[mpf(0)] * n for _ in range(n if problem.is_bent else 0)]
        for j in range(len(hessian)):
            for k in range(j + 1):
                rows = zip(off, at(j, k), ahead[j], ahead[k], here, strict=True)
                bent = mp.fsum(e * abs(b - p - q + r) for e, b, p, q, r in rows)
                hessian[j][k] = hessian[k][j] = bent / STEP**2
        return [], gradient, hessian


def _computed(problem: Problem) -> list[float]:
    return [float(r) for r in flat(problem.residuals(list(problem.start)))]
