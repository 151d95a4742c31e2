"""The row class: everything about an elemental stands in one row of the table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

EXACT = 0.0
"""Rounding class of operations that make no error (in ulps of the result)."""

CORRECT = 0.5
"""Rounding class of correctly rounded operations (in ulps of the result)."""


@dataclass(frozen=True, slots=True, eq=False)
class Elemental:
    """One elemental operation.

    name        its name in the IR and in templates
    parameters  names of the arguments; a last one `*x` takes any number, two last ones
                `*p`, `*q` take one half each
    result      "float", "int", "bool", "same" (type of the first argument) or
                "promote" (int if all arguments are int or bool, else float)
    partials    a template per parameter over the parameters and the result `v`; in the
                partial for `*x` the name `x` is the element itself (for `*p`, `*q` both
                are the elements at its place); "0" where the derivative vanishes
    common      a factor common to the partials (two-stage linearisation): the partials
                are `common * parts[i]`
    ulps        largest rounding error in units of the last place of the result
                (0 exact, 0.5 correctly rounded, inf: no relative bound)
    commutes    whether the two arguments may be exchanged bit for bit
    linear      whether the result is an array of its own, which may be changed later:
                two applications are two arrays and never merged
    consumes    whether the arrays that it is given are gone afterwards
    domain      template of the set where value and partials are defined ("" is all)
    points      sample points of the row's own tests, inside the domain
    kink        the convention at a kink, as the docstring of generated code says it
    compute     the reference implementation on Python floats
    spelling    how the `math` target prints it, an expression over the parameters
                ("x + y", "math.sin(x)", "y if y > x else x", "sum(x)": a starred
                parameter stands for the tuple of its arguments)
    known_as    qualified names by which the reader recognises it
    since       first Python whose math module has it; earlier ones get a printed helper
    source      where partials and error come from
    """

    name: str
    parameters: tuple[str, ...]
    result: str
    partials: tuple[str, ...]
    compute: Callable[..., Any]
    spelling: str
    ulps: float = CORRECT
    common: str = ""
    parts: tuple[str, ...] = ()
    commutes: bool = False
    linear: bool = False
    consumes: bool = False
    domain: str = ""
    points: tuple[tuple[float, ...], ...] = ()
    kink: str = ""
    known_as: tuple[str, ...] = ()
    since: tuple[int, int] = (3, 11)
    source: str = ""

    def __repr__(self) -> str:
        return f"<{self.name}>"

    @property
    def variadic(self) -> bool:
        """Whether the last parameter takes any number of arguments."""
        return bool(self.parameters) and self.parameters[-1].startswith("*")

    def bind(self, args: tuple[Any, ...]) -> dict[str, Any]:
        """Arguments by parameter name; a starred one gets the tuple of its own."""
        starred = [p[1:] for p in self.parameters if p.startswith("*")]
        plain = len(self.parameters) - len(starred)
        bound: dict[str, Any] = dict(zip(self.parameters[:plain], args, strict=False))
        rest = args[plain:]
        each = len(rest) // len(starred) if starred else 0
        for k, name in enumerate(starred):
            bound[name] = rest[k * each : (k + 1) * each]
        return bound
