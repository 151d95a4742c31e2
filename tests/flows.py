"""Many functions derived in one run, and how each of them is checked.

The value is the source's bit for bit; tangents agree with differences of sixty-digit
values; adjoints agree with tangents by the inner product <y_bar, J x_dot> =
<J^T y_bar, x_dot>.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mpmath import mp, mpf
from support import exactly, flat, load, load_exact, run, same_bits

Namespace = dict[str, Any]
Point = Sequence[Any]

FLOATS = (inspect.Parameter.empty, float, "float")


class Flows:
    """The functions of a source, all marked, and what was made of them."""

    def __init__(self, source: str, names: Sequence[str]) -> None:
        self.source = source
        text = source
        for name in names:
            head = f"\ndef {name}("
            assert text.count(head) == 1, name
            text = text.replace(head, f"\n# ad: jvp, vjp{head}")
        result = run(text, container="tuple", order="reverse", effort=0)
        assert result.text is not None, [
            d for d in result.diagnostics if d.severity == "error"
        ]
        self.made = load(result.text)
        self.plain, self.exact = load(source), load_exact(source)

    def check(
        self, name: str, point: Point, tolerance: float = 1e-9, exact: bool = True
    ) -> None:
        """Value, tangent and adjoint of a function at a point.

        A value that is not `exact` is that of a library.
        """
        function = self.plain[name]
        given = dict(zip(inspect.signature(function).parameters, point, strict=False))
        actives = actives_of(function, given)
        seeds = {x: 0.75 + 0.5 * k for k, x in enumerate(actives)}
        dots = {f"{x}_dot": seed for x, seed in seeds.items()}
        value, tangent = self.made[f"{name}_jvp"](**given, **dots)
        source = function(**given)
        close = abs(flat(value)[0] - flat(source)[0]) < 1e-12
        assert same_bits(value, source) or (close and not exact), (name, point)
        self._tangent(name, given, seeds, flat(tangent), tolerance)
        bars = [0.5 + 0.25 * k for k in range(len(flat(value)))]
        bar = bars[0] if isinstance(value, float) else tuple(bars)
        again, adjoint = self.made[f"{name}_vjp"](**given, **{f"{name}_bar": bar})
        assert same_bits(value, again)
        one = sum(b * t for b, t in zip(bars, flat(tangent), strict=True))
        columns = flat(adjoint) if len(actives) > 1 else [adjoint]
        other = sum(a * s for a, s in zip(columns, seeds.values(), strict=True))
        size = sum(abs(a * s) for a, s in zip(columns, seeds.values(), strict=True))
        assert abs(one - other) <= 1e-12 * (1.0 + size), (name, point, one, other)

    def _tangent(
        self,
        name: str,
        given: Mapping[str, Any],
        seeds: Mapping[str, float],
        tangent: list[float],
        tolerance: float,
    ) -> None:
        def along(h: Any) -> list[Any]:
            moved = exactly(given)
            moved.update((x, mpf(given[x]) + h * mpf(s)) for x, s in seeds.items())
            return flat(self.exact[name](**moved))

        for got, want in zip(tangent, slope(along), strict=True):
            assert abs(got - want) <= tolerance * (1 + abs(want)), (name, given, want)


def slope(along: Callable[[Any], list[Any]]) -> list[Any]:
    """The derivative at 0 by a central difference of fourth order in sixty digits."""
    with mp.workdps(60):
        h = mpf(10) ** -13
        ends = [along(k * h) for k in (-2, -1, 1, 2)]
        return [
            (a - 8 * b + 8 * c - d) / (12 * h) for a, b, c, d in zip(*ends, strict=True)
        ]


def actives_of(function: Callable[..., Any], given: Mapping[str, Any]) -> list[str]:
    """The parameters that carry a derivative."""
    parameters = inspect.signature(function).parameters.values()
    plain = (bool, int, str)
    return [
        p.name
        for p in parameters
        if p.annotation in FLOATS
        and (p.name in given or p.default is p.empty)
        and not isinstance(p.default, plain)
    ]
