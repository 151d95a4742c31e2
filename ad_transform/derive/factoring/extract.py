"""Sharing among products: derivative code with fewer multiplications and divisions.

First every product, quotient and negation of derivative code is multiplied out to a
cube (`products`): with `u = x * y` and `v = u / z` that is `v = x * y / z`. Then the
cubes that sums, functions and results need are built again with few operations, from
each other and from products of the primal, which stay as they are (`defined`). A value
becomes a divisor only if it was one before, or is a factor below a root that is not 0,
so no new division by zero arises. A square root counts as a factor whose square is
known: `1 / sqrt(q) * q` is `sqrt(q)`, and with `v = sqrt(x * y)` that is known not to
be 0, `y / v` is `v / x`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from ad_transform.derive.factoring.cubes import Cube, Definition
from ad_transform.derive.factoring.defined import defined
from ad_transform.derive.factoring.products import Products, chooses
from ad_transform.derive.factoring.rewrite import Rewriter
from ad_transform.derive.factoring.settle import settled
from ad_transform.derive.factoring.twins import Body, Results
from ad_transform.derive.factoring.ways import Ways
from ad_transform.ir.blocks.blocks import needed
from ad_transform.ir.blocks.live import live
from ad_transform.ir.build import Builder
from ad_transform.ir.constants import Constant
from ad_transform.ir.elemental import Form
from ad_transform.ir.nodes import Apply, Operand, Statement, Var

LONG = 2_000
"""Statements from which on products are extracted in one way only, if that gains, and
sums looked at again only after that.
"""

ANSWERED: dict[Any, Any] = {}
"""Answers to questions about cubes alone: runs of one program that are nearly alike
have many of them in common."""

SHORT, MOST = 300, 500
"""Cubes in a question up to which its answer is kept when its code is done, and answers
that are kept; then all of them are forgotten.
"""

_PRODUCTS = frozenset({Form.PRODUCT, Form.QUOTIENT, Form.NEGATION, Form.POWER})


def extracted(
    builder: Builder,
    body: Body,
    results: Results,
    primal: int,
    ways: Ways,
    older: Body,
) -> Iterator[tuple[Body, Results]]:
    """The body and results with products made anew; not always cheaper.

    Values that the first `primal` results need stay as they are. `ways` are those of
    `cover`. Products that an older version of the body has are made as there if that
    costs nothing. Where it matters, it is done several times: with all quotients
    multiplied out, with and without 1 for x / x, and without those quotients by which
    something would cancel.
    """
    sacred, choosing = needed(body, results[:primal]), chooses(body)
    squares = {} if choosing else _squares(body)
    begun = partial(Products, builder, sacred, squares, choosing)
    versions = [begun(apart=False)]
    for products in versions:
        for statement in body:
            if not products.read(statement):
                products.want(statement.inputs)
        products.want(results)
        yield _rewritten(builder, body, results, products, ways, older)
        if products.roots and products.by_roots():
            yield _rewritten(builder, body, results, products, ways, older)
        if products.missed:
            versions.append(begun(apart=True, unit=products.unit))
        if products.cancelled and not products.apart:
            versions.append(begun(apart=False, unit=False))


def _rewritten(
    builder: Builder,
    body: Body,
    results: Results,
    products: Products,
    ways: Ways,
    older: Body,
) -> tuple[Body, Results]:
    """The body and results with the wanted products made of given values."""
    definitions = _definitions(builder, products, ways)
    if definitions is None or _gains_nothing(body, products, definitions):
        return body, results
    if older:
        before = products.before(older, body)
        definitions = settled(definitions, products.wanted, products.given, before)
    made = {d.made: d for d in definitions}
    kept = [s for s in body if products.loose.keys().isdisjoint(s.outs)]
    makers: dict[Operand, Statement] = {out: s for s in kept for out in s.outs}
    writer = Rewriter(
        builder.inner(),
        products.loose,
        products.values,
        products.given,
        products.names,
        made,
        makers,
    )
    for statement in kept:
        writer.write(statement)
    for result in results:
        if result in products.loose:
            writer.write(products.values[result])
    ends = tuple(writer.operand(r) for r in results)
    return live(tuple(writer.fresh.body), ends), ends


def _gains_nothing(
    body: Body, products: Products, definitions: Sequence[Definition]
) -> bool:
    """Whether a long body has no more products than the definitions would make."""
    return len(body) >= LONG and len(definitions) >= len(products.loose)


def _definitions(
    builder: Builder, products: Products, ways: Ways
) -> Sequence[Definition] | None:
    """The definitions of all wanted products; equal questions share one answer."""
    key = (ways, *map(_key, products.given), None, *map(_key, products.wanted))
    memory = ANSWERED if _is_plain(key) else builder.memory
    if key not in memory:
        definitions = defined([*products.given], [*products.wanted], ways)
        if memory is ANSWERED and len(memory) >= MOST:
            memory.clear()
        memory[key] = definitions
    found: list[Definition] | None = memory[key]
    return found


def _key(m: Cube) -> object:
    constant = m.constant
    return (m, constant.formula) if isinstance(constant, Constant) else m


def _is_plain(key: tuple[object, ...]) -> bool:
    """Whether a question is short, and without constants that have names."""
    return len(key) <= SHORT and all(type(m) is not tuple for m in key)


def _squares(body: Body) -> dict[Operand, Var]:
    """The square roots of inputs, sums and the like, by their operands."""
    products = {s.out for s in body if isinstance(s, Apply) and s.op.form in _PRODUCTS}
    return {
        s.args[0]: s.out
        for s in reversed(body)
        if isinstance(s, Apply) and s.op.name == "sqrt" and s.args[0] not in products
    }
