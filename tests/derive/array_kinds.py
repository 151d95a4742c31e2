"""Kinds on programs with arrays, against differences of sixty digits."""

from __future__ import annotations

import random
from typing import Any

from amounts import search
from exact import MPMATH
from mpmath import mpf
from support import flat
from sweeps import STEP, agree

from ad_transform.derive.kinds.kinds import Derived, derive
from ad_transform.emit.python.function import printed
from ad_transform.emit.python.module import print_module
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import Function
from ad_transform.ir.text import format_function
from ad_transform.ir.verify import verify
from ad_transform.options import Options

Tree = Any
"""A number, or a list of trees."""


def exactly(tree: Tree) -> Tree:
    """The floats of a tree with sixty digits."""
    if isinstance(tree, list | tuple):
        return [exactly(t) for t in tree]
    return mpf(tree) if isinstance(tree, float) else tree


def moved(tree: Tree, by: Tree, step: mpf) -> Tree:
    if isinstance(tree, list):
        return [moved(t, b, step) for t, b in zip(tree, by, strict=True)]
    return tree + step * by if by is not None else tree


def direction(tree: Tree, rng: random.Random) -> Tree:
    """A direction in which floats move."""
    if isinstance(tree, list):
        return [direction(t, rng) for t in tree]
    return mpf(rng.uniform(-1, 1)) if isinstance(tree, mpf) else None


def seeds(tree: Tree, rng: random.Random) -> Tree:
    """An adjoint for every number, whole ones included."""
    if isinstance(tree, list):
        return [seeds(t, rng) for t in tree]
    return mpf(rng.uniform(-1, 1))


def slopes(function: Function, point: Tree, way: Tree) -> list[mpf]:
    """The derivative of all results in a direction, by central differences."""
    ends = [
        flat(list(evaluate(function, moved(point, way, step), MPMATH)))
        for step in (STEP, -STEP)
    ]
    return [(p - q) / (2 * STEP) for p, q in zip(*ends, strict=True)]


def inner(a: Tree, b: Tree) -> mpf:
    pairs = zip(flat(a), flat(b), strict=True)
    return sum((x * y for x, y in pairs if y is not None), mpf(0))


def made(function: Function, kind: str, **more: object) -> Derived:
    names = tuple(
        p.name for p in function.parameters if all(v.type.is_real for v in p.vars)
    )
    found = derive(function, kind, names, **more)  # type: ignore[arg-type]
    verify(found.function)
    return found


def _found(function: Function, kind: str) -> Function:
    """What has the numbers: the derived function, most often without a search."""
    options = Options(**search(format_function(function)))
    return made(function, kind, options=options).function


def text_of(function: Function) -> str:
    """The module with one function."""
    one = printed(function, ['    """Doc."""'], {function.name}, 88)
    return print_module([one], {}, None)


def seeded(derived: Function, source: Function, point: Tree, seeds: Tree) -> Tree:
    """The arguments in the order of the derived function's parameters."""
    own = dict(zip(source.block.params, point, strict=True))
    rest = iter(seeds)
    return [own[v] if v in own else next(rest) for v in derived.block.params]


def check(function: Function, kind: str, values: Tree, seed: int = 0) -> None:
    """A kind agrees with differences at a point."""
    verify(function)
    rng = random.Random(seed)
    point = exactly(values)
    way = direction(point, rng)
    real = [k for k, p in enumerate(function.block.params) if p.type.is_real]
    dots = [way[k] for k in real]
    result = list(evaluate(function, point, MPMATH))
    derived = _found(function, kind)
    if kind == "gradient":
        found = list(evaluate(derived, point, MPMATH))
        agree([inner(found, dots)], slopes(function, point, way))
        return
    if kind == "jvp":
        found = list(evaluate(derived, seeded(derived, function, point, dots), MPMATH))
        assert found[: len(result)] == result
        agree(flat(found[len(result) :]), slopes(function, point, way))
        return
    if kind == "vjp":
        bars = seeds(result, rng)
        found = list(evaluate(derived, seeded(derived, function, point, bars), MPMATH))
        assert found[: len(result)] == result
        want = inner(slopes(function, point, way), flat(bars))
        agree([inner(found[len(result) :], dots)], [want])
        return
    if kind == "jacobian":
        (matrix,) = evaluate(derived, point, MPMATH)
        ways = [mpf(d) for d in flat(dots)]
        agree([inner(row, ways) for row in matrix], slopes(function, point, way))
        return
    gradient = _found(function, "gradient")
    if kind == "hessian":
        (matrix,) = evaluate(derived, point, MPMATH)
        ways = [mpf(d) for d in flat(dots)]
        agree([inner(row, ways) for row in matrix], slopes(gradient, point, way))
        assert all(
            a == b
            for a, b in zip(
                flat(matrix), flat([*zip(*matrix, strict=True)]), strict=True
            )
        )
        return
    assert kind == "hvp"
    found = evaluate(derived, seeded(derived, function, point, dots), MPMATH)
    agree(flat(list(found)), slopes(gradient, point, way))
