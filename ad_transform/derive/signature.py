"""Signatures of derived functions: independents, seeds, shapes of results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from ad_transform.dataclass import dataclass, replace
from ad_transform.ir.dims import Dim
from ad_transform.ir.dims import names as names_in
from ad_transform.ir.nodes import (
    LEAF,
    NOTHING,
    Container,
    Function,
    Nest,
    Operand,
    Parameter,
    Passing,
    Var,
    group,
)
from ad_transform.ir.types import FLOAT, Type


@dataclass(frozen=True, slots=True)
class Independents:
    """The parameters to differentiate with respect to, in the order of the mark."""

    parameters: tuple[Parameter, ...]

    @classmethod
    def named(cls, function: Function, names: tuple[str, ...]) -> Independents:
        """The parameters of these names; raises KeyError for an unknown name."""
        by_name = {p.name: p for p in function.parameters}
        return cls(tuple(by_name[name] for name in names))

    @property
    def columns(self) -> tuple[Var, ...]:
        """The scalar values of the independents, flattened in order."""
        return tuple(v for p in self.parameters for v in p.vars if v.type.is_real)

    @property
    def nest(self) -> Nest:
        """The shape of a gradient: bare for one independent, a tuple for several."""
        if len(self.parameters) == 1:
            return derivative_nest(self.parameters[0])
        return group(tuple(map(derivative_nest, self.parameters)))

    def seeds(self) -> tuple[Parameter, ...]:
        """`x_dot` for every independent `x`, required."""
        return tuple(
            Parameter(
                f"{p.name}_dot",
                tuple(
                    Var(v.type, f"{v.hint or p.name}_dot", named=True)
                    for v in p.vars
                    if v.type.is_real
                ),
                derivative_nest(p),
                annotation=p.annotation,
            )
            for p in self.parameters
        )


def derivative_nest(parameter: Parameter) -> Nest:
    """The shape of a derivative with respect to a parameter (contract, rule 8): objects
    are tuples in the order of their fields; a part without a derivative is None.
    """
    return _derivative(parameter.nest, parameter.vars)


def _derivative(nest: Nest, values: Sequence[Var]) -> Nest:
    if not any(v.type.is_real for v in values):
        return NOTHING
    if nest.is_leaf:
        return nest
    if nest.is_optional:
        return _derivative(nest.items[1], values[1:])
    items: list[Nest] = []
    place = 0
    for item in nest.items:
        items.append(_derivative(item, values[place : place + item.leaves()]))
        place += item.leaves()
    if nest.container is Container.OBJECT:
        return group(tuple(items))
    return replace(nest, items=tuple(items))


def mirror(nest: Nest, values: Sequence[Operand]) -> Nest:
    """The shape of a tangent or adjoint seed: the same nesting, in tuples.

    A container whose length only the run knows is an array there.
    """
    if nest.is_leaf:
        return nest
    if nest.items == (LEAF,) and values[0].type.is_array:
        return group(nest.items, Container.ARRAY)
    items: list[Nest] = []
    place = 0
    for item in nest.items:
        items.append(mirror(item, values[place : place + item.leaves()]))
        place += item.leaves()
    return group(tuple(items))


def adjoint_seed(function: Function) -> Parameter:
    """`f_bar`, structured like the result of `f`."""
    name = f"{function.name}_bar"
    nest = mirror(function.nest, function.results)
    if nest.is_leaf or nest.items == (LEAF,):
        type_ = _float(function.results[0])
        own = (Var(type_, name, named=True),)
        return Parameter(name, own, nest, annotation="" if nest.items else "float")
    hints = (
        f"{r.hint}_bar" if isinstance(r, Var) and r.hint else ""
        for r in function.results
    )
    values = zip(function.results, hints, strict=True)
    return Parameter(name, tuple(Var(_float(r), h) for r, h in values), nest)


class Seeds(TypedDict, total=False):
    """The seeds of a product with a vector, as `linearise` takes them."""

    tangents: tuple[tuple[Var, ...], ...]
    adjoints: tuple[tuple[Var, ...], ...]


def seeds_of(counted: str, function: Function, independents: Independents) -> Seeds:
    """The seed of a tangent or an adjoint; nothing for a matrix."""
    if counted == "tangent":
        return Seeds(tangents=(tuple(v for s in independents.seeds() for v in s.vars),))
    return (
        Seeds(adjoints=(adjoint_seed(function).vars,))
        if counted == "adjoint"
        else Seeds()
    )


def _float(result: Operand) -> Type:
    """The type of a result's adjoint: floats, as many as the result has elements."""
    return Type(FLOAT.kind, result.type.dims, result.type.shape)


def with_seeds(
    function: Function, independents: Independents, seeds: tuple[Parameter, ...]
) -> tuple[Parameter, ...]:
    """The parameters with seeds directly after the last independent (rule 6).

    The last that can be passed by position counts; where all independents are
    keyword-only, so are the seeds. Parameters before the seeds are required: a call by
    position can never fill a seed with the argument for a parameter.
    """
    if not seeds:
        return function.parameters
    parameters = function.parameters
    chosen = {id(p) for p in independents.parameters}
    places = [k for k, p in enumerate(parameters) if id(p) in chosen]
    loose = [k for k in places if parameters[k].passing is not Passing.KEYWORD_ONLY]
    place = (loose or places)[-1] + 1
    before, after = parameters[:place], parameters[place:]
    passing = _seed_passing(bool(loose), after)
    required = (replace(p, default=None) for p in before)
    placed = (replace(s, passing=passing) for s in seeds)
    return (*required, *placed, *after)


def _seed_passing(loose: bool, after: tuple[Parameter, ...]) -> Passing:
    """The way in which seeds are passed, with the parameters `after` behind them."""
    if not loose:
        return Passing.KEYWORD_ONLY
    if any(p.passing is Passing.POSITIONAL_ONLY for p in after):
        return Passing.POSITIONAL_ONLY
    return Passing.ANY


def matrix_nest(rows: int, columns: int, container: str) -> Nest:
    """The shape of a Jacobian or Hessian in the container asked for."""
    kind = Container.TUPLE if container == "tuple" else Container.ARRAY
    row = group((Nest(),) * columns, kind)
    return group((row,) * rows, kind)


def open_length(chosen: Sequence[Parameter], others: Sequence[Parameter]) -> str | None:
    """The dim in a vector of arrays that the vector's length alone would have to tell,
    and does not; None where all dims can be told.
    """
    always = [v for p in others if not p.nest.is_optional for v in p.vars]
    known = {d for v in always for d in v.type.lengths if _is_name(d)}
    values = [v for p in chosen for v in p.vars]
    unknown = [
        (d, v)
        for v in values
        for d in v.type.lengths
        if not known.issuperset(names_in(d))
    ]
    for dim, var in unknown:
        whole = [d for d in var.type.lengths if not isinstance(d, int)]
        if dim != unknown[0][0] or whole != [dim] or not _is_name(dim):
            return str(dim)
    return None


def _is_name(dim: Dim) -> bool:
    return isinstance(dim, str) and dim.isidentifier()
