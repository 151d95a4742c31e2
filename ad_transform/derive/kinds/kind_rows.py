"""The table of kinds: everything about a kind of derived function stands in one row.

Marks, derivations, docstrings, pictures and figures read the row; a new kind is a row
here, the function that it names, and a decorator of its name in `ad_transform`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from importlib import import_module
from typing import Any

from ad_transform.dataclass import dataclass
from ad_transform.options import NAMES


@dataclass(frozen=True, slots=True)
class Says:
    """The docstring of a derived function: its first line, and the sentences behind it.

    Templates over `{source}`, `{names}` (the independents) and `{seeds}`. The text
    `counted` is added where independents are named one by one.
    """

    first: str
    more: tuple[str, ...] = ()
    counted: str = ""


@dataclass(frozen=True, slots=True)
class Kind:
    """A row of the table.

    name          the name in marks: `# ad: gradient`
    made_by       the function of `ad_transform.derive` that makes it, module and name,
                  of a `derive.kinds.kinds.Specification`
    formed_by     the function that forms the derivative itself, for `differentiated`
    suffix        the suffix of the generated name: `f_grad`
    value_suffix  the suffix with `value=True`: `f_value_and_grad`
    own           the options that a mark of this kind may hold, but for those of
                  generation and `name`
    says          the docstring, by "", "value" (with the value) or the model
    scalar        whether the function has to return one float
    second        whether it is a derivative of a derivative
    estimates     whether it estimates errors: independents are inputs in error then,
                  and none are unless named
    takes_names   whether its mark may name independents
    returns_value whether the result has the value in it, so that `value` says nothing
    tangents      whether it has a seed for every independent
    counted       what orders are counted of under `--cost fma`, see `derive.explain`:
                  a matrix, or a product with the seed that `signature.seeds_of` gives
    unrolls       whether small loops are written out first where that is cheaper
    prints        whether the prints of the function stay
    vectors       the results that become vectors under `packed`, by whether the value
                  comes along; None: the result itself
    """

    name: str
    made_by: str = "kinds.kinds.differentiated"
    formed_by: str = ""
    suffix: str = ""
    value_suffix: str = ""
    own: tuple[str, ...] = ("packed",)
    says: Mapping[str, Says] = field(default_factory=dict)
    scalar: bool = False
    second: bool = False
    estimates: bool = False
    takes_names: bool = True
    returns_value: bool = False
    tangents: bool = False
    counted: str = ""
    unrolls: bool = False
    prints: bool = False
    vectors: Mapping[bool, tuple[int, ...] | None] = field(default_factory=dict)

    @property
    def options(self) -> tuple[str, ...]:
        """All options that a mark of this kind may hold; a file has one target."""
        return (*self.own, "name", *(n for n in NAMES if n != "target"))

    def make(self, specification: Any) -> Any:
        """The derived function, `derive.kinds.kinds.Derived`, as specified there."""
        return _function(self.made_by)(specification)

    def form(self, request: Any) -> Any:
        """The derivation of a request, `derive.request.Derivation`."""
        return _function(self.formed_by)(request)


def _function(place: str) -> Any:
    module, _, name = place.rpartition(".")
    return getattr(import_module(f"ad_transform.derive.{module}"), name)


_ROWS = "row i is output i, column j is independent j"
_BY = " with respect to {names}."
_PRODUCT = ("packed", "split")
_WITH_VALUE = ("value", *_PRODUCT)
_MATRIX = (*_WITH_VALUE, "sparse")

# fmt: off
_ERROR = {model: Says(f"Value of {{source}} and {what} of its rounding error.",
                      (f"Returns (value, {results}): {meaning}.",),
                      counted="Errors of {names} are counted too.")
          for model, what, results, meaning in (
    ("linear", "bound and deviation", "bound, rms",
     "|value - exact| <= bound to first order, rms is one standard deviation"),
    ("iri", "Iri's estimate", "estimate",
     "the deviation that the rounding errors of all operations make likely"),
    ("actual", "actual value", "err, unc",
     "value - err is a better answer, uncertain by unc, to first order"),
    ("enclosure", "enclosure", "low, high",
     "the exact result lies in [value + low, value + high]"),
)}

KINDS: dict[str, Kind] = {kind.name: kind for kind in (
    Kind("gradient", formed_by="kinds.first.gradient", scalar=True, unrolls=True,
         counted="gradient",
         own=_WITH_VALUE, suffix="grad", value_suffix="value_and_grad",
         vectors={False: None, True: (1,)}, says={
             "": Says("Gradient of {source}" + _BY),
             "value": Says("Value and gradient of {source}" + _BY,
                           ("Returns (value, gradient).",))}),
    Kind("jacobian", formed_by="kinds.first.jacobian", own=_MATRIX, unrolls=True,
         counted="jacobian", suffix="jac", value_suffix="value_and_jac", says={
             "": Says("Jacobian of {source}" + _BY, (f"{_ROWS.capitalize()}.",)),
             "value": Says("Value and Jacobian of {source}" + _BY,
                           (f"Returns (value, jacobian); {_ROWS}.",))}),
    Kind("hessian", formed_by="kinds.second.hessian", scalar=True, second=True,
         own=_MATRIX, unrolls=True, suffix="hess", value_suffix="value_and_hess",
         counted="gradient", vectors={True: (1,)}, says={
             "": Says("Hessian of {source}" + _BY),
             "value": Says("Value, gradient and Hessian of {source}" + _BY,
                           ("Returns (value, gradient, hessian).",))}),
    Kind("hvp", formed_by="kinds.second.hvp", scalar=True, second=True, own=_WITH_VALUE,
         suffix="hvp", value_suffix="value_and_hvp", tangents=True, unrolls=True,
         counted="gradient", vectors={False: None, True: (1, 2)}, says={
             "": Says("Hessian-vector product of {source}" + _BY,
                      ("The vector is {seeds}.",)),
             "value": Says(
                 "Value, gradient and Hessian-vector product of {source}" + _BY,
                 ("Returns (value, gradient, product); the vector is {seeds}.",))}),
    Kind("jvp", formed_by="kinds.first.jvp", suffix="jvp", tangents=True,
         returns_value=True, own=_PRODUCT, unrolls=True, counted="tangent",
         says={"": Says("Value and tangent of {source}" + _BY,
                        ("Returns (value, tangent), the tangent along {seeds}.",))}),
    Kind("vjp", formed_by="kinds.first.vjp", suffix="vjp", returns_value=True,
         own=_PRODUCT, unrolls=True, vectors={False: (1,)}, counted="adjoint",
         says={"": Says("Value and adjoint of {source}" + _BY,
                        ("Returns (value, adjoint), "
                         "the adjoint weighted by {source}_bar.",))}),
    Kind("taylor", formed_by="taylor.derive.taylor", suffix="taylor", scalar=True,
         returns_value=True, own=("degree",), says={
             "": Says("Taylor coefficients of {source} in {names}.",
                      ("Returns the value, then the coefficients from degree 1 on.",
                       ))}),
    Kind("error", "rounding.derive.estimated", estimates=True, returns_value=True,
         own=("model", "eps", "inputs", "uncertainties", "literals", "library", "ulps",
              "tests", "report", "packed", "of"), says=_ERROR),
    Kind("expand", "operators.expand.expanded", "operators.expand.simplified",
         own=("outputs",),
         takes_names=False,
         returns_value=True,
         prints=True,
         says={"": Says("The function {source} with its derivatives written out.")}),
)}
# fmt: on
