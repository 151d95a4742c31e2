"""Functions of one vector: all independents come as one, and so do their derivatives.

Relies on a derived function that takes the independents and their seeds one by one, and
only repacks its parameters and its result: `f_hvp(x, y, x_dot, y_dot, k)` becomes
`f_hvp(p, p_dot, k)`, as `scipy.optimize` calls it (contract, rule 10).
"""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.dataclass import replace
from ad_transform.derive.kinds.containers import without_arrays
from ad_transform.derive.kinds.kind_rows import KINDS
from ad_transform.derive.kinds.kinds import Derived
from ad_transform.ir.nodes import (
    LEAF,
    Block,
    Container,
    Function,
    Nest,
    Operand,
    Parameter,
    Passing,
    group,
)


def packed(
    made: Derived,
    source: Function,
    names: tuple[str, ...],
    vector: str,
    container: str,
) -> Derived:
    """The derived function with the parameters `names` as one, called `vector`.

    It comes first, then the seeds, then the other parameters; vectors among the results
    are arrays, or tuples in that container. Without names, which only estimates may
    lack, all real parameters come as one. Linear.
    """
    function = made.function
    by_name = {p.name: p for p in source.parameters}
    own = [p for p in source.parameters if p.passing is not Passing.MODULE]
    reals = [p.name for p in own if p.vars and all(v.type.is_real for v in p.vars)]
    names = names or tuple(reals)
    chosen = [by_name[name] for name in names]
    given = {v for p in source.parameters for v in p.vars}
    more = [p for p in function.parameters if p.vars]
    seeds = [p for p in more if given.isdisjoint(p.vars)]
    kind = KINDS[made.kind]
    if kind.tangents:
        seeds = [_joined(f"{vector}_dot", seeds, container)]
    first = [_joined(vector, chosen, container), *seeds]
    rest = [p for p in source.parameters if p.name not in names]
    parameters = _passable(first, rest)
    values = tuple(v for p in parameters for v in p.vars)
    block = Block(values, function.body, function.results)
    places = kind.vectors.get(made.value, ())
    nest = _with_vectors(function.nest, function.results, places, container)
    renewed = replace(function, parameters=parameters, block=block, nest=nest)
    if container == "tuple":
        renewed = without_arrays(renewed)
    return replace(made, function=renewed, independents=names, vector=vector)


def _joined(name: str, parts: Sequence[Parameter], container: str) -> Parameter:
    """One parameter for several: an argument for `np.array`, or any sequence."""
    values = tuple(v for p in parts for v in p.vars)
    kind = Container.LIST if container == "tuple" else Container.ARRAY
    return Parameter(name, values, _of_parts(values, kind))


def _of_parts(values: Sequence[Operand], kind: Container) -> Nest:
    """A vector of numbers and arrays; one array with one axis is the vector itself."""
    ranks = [len(v.type.lengths) for v in values]
    if ranks == [1]:
        return group((LEAF,), kind)
    items = (group((LEAF,), Container.PART) if rank else LEAF for rank in ranks)
    return group(tuple(items), kind)


def _passable(
    first: Sequence[Parameter], rest: Sequence[Parameter]
) -> tuple[Parameter, ...]:
    """The packed parameters, passed by position if one behind them has to be."""
    only = any(p.passing is Passing.POSITIONAL_ONLY for p in rest)
    passing = Passing.POSITIONAL_ONLY if only else Passing.ANY
    return (*(replace(p, passing=passing) for p in first), *rest)


def _with_vectors(
    nest: Nest,
    results: Sequence[Operand],
    places: tuple[int, ...] | None,
    container: str,
) -> Nest:
    if places is None:
        return _vector(results, container)
    items: list[Nest] = []
    start = 0
    for k, item in enumerate(nest.items):
        own = results[start : start + item.leaves()]
        items.append(_vector(own, container) if k in places else item)
        start += item.leaves()
    return replace(nest, items=tuple(items))


def _vector(results: Sequence[Operand], container: str) -> Nest:
    kind = Container.TUPLE if container == "tuple" else Container.ARRAY
    return _of_parts(results, kind)
