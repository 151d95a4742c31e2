"""Factorials, numbers of choices and powers as floats, where floats are made of them.

Whole numbers have 64 bits in compiled languages, and 21! has more; Python's have any
number, and 2**k is a fraction where k is below 0. Where a float is made of one,
`x**k / factorial(k)`, it is computed as a float, nearly rounded once; and so are sums
and products of such numbers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ad_transform.dataclass import replace
from ad_transform.elementals import TABLE
from ad_transform.elementals.rows import row
from ad_transform.emit.wholes.captured import closed
from ad_transform.ir.blocks.live import live
from ad_transform.ir.elemental import COMPILED, EXACT, WHOLE, Elemental
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
    While,
    hint_of,
    walk,
)
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.types import FLOAT, INT, Kind


def _float(name: str, parameters: str, elsewhere: dict[str, str]) -> Elemental:
    partials = ("0",) * len(parameters.split())
    return row(
        f"float_{name}",
        parameters,
        partials,
        lambda *numbers: float(getattr(math, name)(*numbers)),
        spelling=f"float(math.{name}({', '.join(parameters.split())}))",
        points=(),
        ulps=EXACT,
        elsewhere=elsewhere,
    )


def _whole(spelling: str) -> dict[str, str]:
    """A spelling on whole numbers."""
    return {COMPILED: spelling, WHOLE: spelling}


# fmt: off
_FLOATS = {
    "factorial": _float("factorial", "n",   _whole("_rising(0, n, False)")),
    "comb":      _float("comb",      "n k", _whole("_rising(n - k, k, True)")),
    "perm":      _float("perm",      "n k", _whole("_rising(n - k, k, False)")),
    "pow":       _float("pow",       "x y", {COMPILED: "x ** y"}),
}
# fmt: on
_HANDING_ON = frozenset({"add", "sub", "mul", "neg", "pos"})
_COMPARING = frozenset({"lt", "le", "gt", "ge", "eq", "ne"})


def with_floats(function: Function) -> Function:
    """The function with large numbers as floats, where floats are made of them. Linear
    times the depth of its blocks.
    """
    applied = (s for s in walk(function.body) if isinstance(s, Apply))
    if not any(_is_large(s) and s.out.type == INT for s in applied):
        return function
    block = bounce(_Changing().block(function.block, {}))
    block = closed(block, lambda var, _: var.type, {})
    block = replace(block, body=live(block.body, block.results))
    values = iter(block.params)
    parameters = (
        replace(p, vars=tuple(next(values) for _ in p.vars))
        for p in function.parameters
    )
    return replace(function, block=block, parameters=tuple(parameters))


Twins = dict[Operand, Var]
"""Floats by the whole numbers that they are."""


class _Changing:
    """Rewrites blocks; inner blocks read twins from outside."""

    def block(self, block: Block, twins: Twins) -> Task[Block]:
        """The block; the twins made in it are added to `twins`."""
        body: list[Statement] = []
        for statement in block.body:
            made = statement
            if statement.blocks:
                made = yield self._with_blocks(statement, twins)
            elif isinstance(statement, Apply):
                made = _of_floats(statement, twins)
            body.append(made)
            twin = _twin(made, twins)
            if twin is not None:
                body.append(twin)
        return replace(block, body=tuple(body))

    def _with_blocks(self, statement: Statement, twins: Twins) -> Task[Statement]:
        """The statement with twins among its arguments and results."""
        if isinstance(statement, Scan):
            statement = _entered(statement, twins)
        blocks: list[Block] = []
        inner: list[Twins] = []
        for block in statement.blocks:
            own: Twins = {
                param: twins[read]
                for param, read in _handed(statement, block)
                if read in twins
            }
            own |= {param: twins[param] for param in block.params if param in twins}
            inner.append(own)
            blocks.append((yield self.block(block, own)))
        made = statement.rebuilt(statement.outs, statement.inputs, tuple(blocks))
        if isinstance(made, Branch):
            return _chosen(made, inner, twins)
        if isinstance(made, Scan | While) and made.snapshots is None:
            return _recorded(made, inner[-1], twins)
        return made


def _float_like(var: Operand) -> Var:
    hint = hint_of(var)
    return Var(replace(var.type, kind=Kind.FLOAT), hint)


def _entered(scan: Scan, twins: Twins) -> Scan:
    """The loop with the twins of its entries among them."""
    more: list[tuple[Var, Var]] = []
    for entry, param in zip(scan.entries, scan.entry_params, strict=True):
        if entry in twins:
            twins[param] = _float_like(param)
            more.append((twins[entry], twins[param]))
    params = (*scan.body.params, *(param for _, param in more))
    entries = (*scan.entries, *(entry for entry, _ in more))
    return replace(scan, entries=entries, body=replace(scan.body, params=params))


def _recorded(loop: Scan | While, own: Twins, twins: Twins) -> Statement:
    """The loop, which also records the twins of its records."""
    body = loop.body
    found = [
        (out, own[record])
        for out, record in zip(loop.stacks, loop.records, strict=True)
        if record in own
    ]
    last = loop.outs[-1:] if isinstance(loop, While) else ()
    outs = loop.outs[: len(loop.outs) - len(last)]
    for out, _ in found:
        twins[out] = _float_like(out)
    results = (*body.results, *(twin for _, twin in found))
    return replace(
        loop,
        outs=(*outs, *(twins[out] for out, _ in found), *last),
        body=replace(body, results=results),
    )


def _chosen(branch: Branch, own: Sequence[Twins], twins: Twins) -> Statement:
    """The branch with the twins of its results among its results."""
    arms, outs = [*branch.blocks], branch.outs
    for k, out in enumerate(branch.outs):
        ends = [arm.results[k] for arm in branch.blocks]
        pairs = list(zip(ends, own, strict=True))
        if out.type != INT or all(end not in known for end, known in pairs):
            continue
        twins[out] = _float_like(out)
        outs = (*outs, twins[out])
        for place, (end, known) in enumerate(pairs):
            arms[place] = _ending(arms[place], end, known.get(end))
    return Branch(outs, branch.test, branch.args, *arms)


def _ending(arm: Block, end: Operand, twin: Var | None) -> Block:
    """The arm with one more result: a twin, or a number as a float."""
    if twin is not None:
        return replace(arm, results=(*arm.results, twin))
    made = _float_like(end)
    body = (*arm.body, Apply(made, TABLE["float"], (end,)))
    return replace(arm, body=body, results=(*arm.results, made))


def _handed(statement: Statement, block: Block) -> list[tuple[Var, Operand]]:
    """The parameters of a block for values outside, with these values."""
    if isinstance(statement, Branch):
        return list(zip(block.params, statement.args, strict=True))
    if not isinstance(statement, Scan | While):
        return []
    params = block.params[statement.first_read :]
    return list(zip(params, statement.reads, strict=False))


def _of_floats(statement: Apply, twins: Twins) -> Apply:
    """An operation that makes a float, or compares with one, on floats."""
    kinds = {arg.type.kind for arg in statement.args}
    compares = statement.op.name in _COMPARING and Kind.FLOAT in kinds
    makes = statement.out.type.kind is Kind.FLOAT and statement.op.layout is None
    if not (compares or makes) or twins.keys().isdisjoint(statement.args):
        return statement
    args = tuple(twins.get(arg, arg) for arg in statement.args)
    return replace(statement, args=args)


def _is_large(statement: Apply) -> bool:
    """Whether it may be large, or a fraction: no number that the source shows."""
    if statement.op.name != "pow":
        return statement.op.name in _FLOATS
    x, y = statement.args
    return not (isinstance(x, Literal) and isinstance(y, Literal))


def _twin(statement: Statement, twins: Twins) -> Apply | None:
    """The operation that computes a result as a float, if it may be large."""
    if not isinstance(statement, Apply) or statement.out.type != INT:
        return None
    out = Var(FLOAT, statement.out.hint, statement.out.span)
    made = None
    if _is_large(statement):
        made = Apply(out, _FLOATS[statement.op.name], statement.args)
    elif statement.op.name in _HANDING_ON:
        args = tuple(twins.get(arg, arg) for arg in statement.args)
        made = Apply(out, statement.op, args) if args != statement.args else None
    if made is not None:
        twins[statement.out] = out
    return made
