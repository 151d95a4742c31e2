"""Products in derivative code with the factors first that parameters alone decide.

`a * (x * k)` becomes `(a * k) * x` where `a` and `k` are such factors: as many
operations, of which a setup takes more. What the value of the source is computed by
keeps its order (law 3). Only products that nothing else reads are taken apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import replace

from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Function,
    Literal,
    Operand,
    Statement,
    Var,
)
from ad_transform.ir.types import FLOAT

_MUL = TABLE["mul"]


def regrouped(function: Function, given: Iterable[Var]) -> Function:
    """The function with the products of its own block regrouped; linear."""
    known: set[Operand] = set(given)
    for statement in function.body:
        if known.issuperset(o for o in statement.inputs if isinstance(o, Var)):
            known.update(statement.outs)
    uses = Counter(o for s in function.body for o in s.inputs)
    uses.update(function.results)
    sacred = _sacred(function)
    products = {
        s.out: s
        for s in function.body
        if isinstance(s, Apply) and _is_free(s, sacred, known)
    }
    inner = {
        arg
        for product in products.values()
        for arg in product.args
        if arg in products and uses[arg] == 1
    }
    body: list[Statement] = []
    for statement in function.body:
        if not isinstance(statement, Apply) or statement.out not in products:
            body.append(statement)
        elif statement.out not in inner:
            body += _product(statement, products, inner, known)
    block = Block(function.block.params, tuple(body), function.results)
    return replace(function, block=block)


def _is_free(statement: Apply, sacred: Set[Operand], known: Set[Operand]) -> bool:
    """Whether it is a product of derivative code that independents have a part in."""
    out = statement.out
    plain = statement.op is _MUL and out.type is FLOAT and not out.named
    return plain and out not in sacred and out not in known


def _sacred(function: Function) -> set[Operand]:
    """What the value is computed by."""
    needed: set[Operand] = set(function.results[: function.primal])
    for statement in reversed(function.body):
        if not statement.outs or not needed.isdisjoint(statement.outs):
            needed.update(statement.inputs)
    return needed


def _product(
    whole: Apply,
    products: dict[Var, Apply],
    inner: set[Operand],
    known: Set[Operand],
) -> list[Statement]:
    """The statements of a product that holds others."""
    factors: list[Operand] = []
    parts: list[Statement] = []
    waiting: list[Operand] = [*reversed(whole.args)]
    while waiting:
        factor = waiting.pop()
        if isinstance(factor, Var) and factor in inner:
            parts.append(products[factor])
            waiting += reversed(products[factor].args)
        else:
            factors.append(factor)
    early = [f for f in factors if isinstance(f, Literal) or f in known]
    late = [f for f in factors if f not in early]
    early.sort(key=lambda factor: not factor.type.is_real)  # a whole number is none
    if len(early) < 2 or not early[0].type.is_real:
        return [*reversed(parts), whole]
    made: list[Statement] = []
    first = _chained(early, made)
    *rest, last = [first, *late]
    made.append(Apply(whole.out, _MUL, (_chained(rest, made), last)))
    return made


def _chained(factors: Sequence[Operand], made: list[Statement]) -> Operand:
    product, *more = factors
    for factor in more:
        out = Var(FLOAT)
        made.append(Apply(out, _MUL, (product, factor)))
        product = out
    return product
