"""Gradients of sums of terms, term by term: nothing is recorded.

Where the terms of a sum are read and added, the values made of them are at hand: the
partials of each term are added to the gradient there. This gradient is differentiated
once more for entries of a Hessian.
"""

from __future__ import annotations

from ad_transform.dataclass import replace
from ad_transform.derive.entrywise.appending import Growing
from ad_transform.derive.entrywise.claims import claimed
from ad_transform.derive.entrywise.coo import begins_of, sources_of
from ad_transform.derive.entrywise.unknown import Unknown
from ad_transform.derive.entrywise.walk import Walk
from ad_transform.derive.request import Request
from ad_transform.elementals import TABLE
from ad_transform.ir.blocks.live import live
from ad_transform.ir.dims import ANY
from ad_transform.ir.nodes import (
    LEAF,
    Apply,
    Block,
    Container,
    Function,
    Literal,
    Operand,
    Var,
    group,
)
from ad_transform.ir.types import FLOAT, Type


class Adding(Walk):
    """A walk that adds partials to a gradient."""

    __slots__ = ()

    def entry(
        self, key: int, row: Operand, column: Operand, slope: Operand, sign: int
    ) -> None:
        (held,) = self.growing[key].lists
        op = TABLE["add_at" if sign > 0 else "sub_at"]
        made = self.text.keep(op, (held, slope, column))
        assert isinstance(made, Var)
        self.growing[key] = Growing((made,))


def of_terms(r: Request) -> Function | None:
    """The gradient of a sum as one list; None if it is no sum of terms."""
    builder, results = r.copied(r.function, 0)
    columns = r.independents.columns
    block = Block(r.function.block.params, tuple(builder.body), results)
    try:
        claims = claimed(block, results)
        walk = Adding(request=r, claims=claims, ending={}, sources={})
        text = walk.text
        walk.found(sources_of(text, columns))
        *_, size = begins_of(text, (*columns, Literal(0.0)))
        out = Var(Type(FLOAT.kind, (ANY,)), "gradient")
        text.body.append(Apply(out, TABLE["full"], (Literal(0.0), size)))
        walk.growing = {0: Growing((out,))}
        walk.block(block)
    except Unknown:
        return None
    ends = walk.growing[0].lists
    made = Block(block.params, live(tuple(text.body), ends), ends)
    return replace(
        r.function, block=made, nest=group((LEAF,), Container.ARRAY), primal=0
    )
