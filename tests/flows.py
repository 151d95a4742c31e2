"""Many functions derived in one run, and how each of them is checked.

The value is the source's bit for bit; tangents agree with differences of sixty-digit
values; adjoints agree with tangents by the inner product <y_bar, J x_dot> =
<J^T y_bar, x_dot>. The adjoint of a function without a tangent agrees with differences.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from amounts import part
from mpmath import mp, mpf
from support import exactly, flat, load, load_exact, run, same_bits

Namespace = dict[str, Any]
Point = Sequence[Any]

FLOATS = (inspect.Parameter.empty, float, "float")


class Flows:
    """The functions of a source, all marked, and what was made of them: the adjoint of
    each, and tangents of those that are `pushed`, every other one by default.
    """

    def __init__(
        self, source: str, names: Sequence[str], pushed: Sequence[str] | None = None
    ) -> None:
        self.source = source
        text, pushed = source, part(names, 2) if pushed is None else pushed
        for name in names:
            kinds = "jvp, vjp" if name in pushed else "vjp"
            head = f"\ndef {name}("
            assert text.count(head) == 1, name
            text = text.replace(head, f"\n# ad: {kinds}{head}")
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
        source, slopes = function(**given), self._slopes(name, given, seeds)
        bars = [0.5 + 0.25 * k for k in range(len(flat(source)))]
        bar = bars[0] if isinstance(source, float) else tuple(bars)
        value, adjoint = self.made[f"{name}_vjp"](**given, **{f"{name}_bar": bar})
        close = abs(flat(value)[0] - flat(source)[0]) < 1e-12
        assert same_bits(value, source) or (close and not exact), (name, point)
        columns = flat(adjoint) if len(actives) > 1 else [adjoint]
        other = sum(a * s for a, s in zip(columns, seeds.values(), strict=True))
        size = sum(abs(a * s) for a, s in zip(columns, seeds.values(), strict=True))
        if f"{name}_jvp" in self.made:
            dots = {f"{x}_dot": seed for x, seed in seeds.items()}
            again, tangent = self.made[f"{name}_jvp"](**given, **dots)
            assert same_bits(value, again)
            for got, want in zip(flat(tangent), slopes, strict=True):
                near = abs(got - want) <= tolerance * (1 + abs(want))
                assert near, (name, given, want)
            slopes, tolerance = flat(tangent), 1e-12
        one = sum(b * t for b, t in zip(bars, slopes, strict=True))
        assert abs(one - other) <= tolerance * (1.0 + size), (name, point, one, other)

    def _slopes(
        self, name: str, given: Mapping[str, Any], seeds: Mapping[str, float]
    ) -> list[Any]:
        """Differences of sixty digits along the seeds."""

        def along(h: Any) -> list[Any]:
            moved = exactly(given)
            moved.update((x, mpf(given[x]) + h * mpf(s)) for x, s in seeds.items())
            return flat(self.exact[name](**moved))

        return slope(along)


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
