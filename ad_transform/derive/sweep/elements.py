"""The reverse sweep through operations on arrays.

Every array has one adjoint array, which the statements back change in place, from its
last reader to its first: `v = x[i]` becomes `x_bar[i] += v_bar`, and `x[i] = v` becomes
`v_bar += x_bar[i]; x_bar[i] = 0.0`. So a loop over n elements costs n operations back.
"""

from __future__ import annotations

from typing import Any

from ad_transform.derive.accumulation.partials import partial_of, places_of, transmits
from ad_transform.derive.sweep.reverse import Operands, Reverse
from ad_transform.derive.sweep.shapes import fitted, ungathered
from ad_transform.elementals import TABLE
from ad_transform.elementals.arrays import ADDED, COPY, LIKE
from ad_transform.ir.build import Builder
from ad_transform.ir.dims import alike
from ad_transform.ir.nodes import Apply, Block, Literal, Operand, Scan, Var
from ad_transform.ir.simplify import LAWS
from ad_transform.ir.template import Call, Name, Template, instantiate, parse_template
from ad_transform.ir.trampoline import Task
from ad_transform.ir.types import FLOAT, INT


def back_through_operation(parent: Reverse, statement: Apply) -> Task[None]:
    """Enter the transpose of an operation on arrays; see `ir.elemental.Layout`."""
    yield from ()  # a task like its siblings, though it holds no blocks
    if parent.terms.get(statement.out):
        _enter_transpose(parent, statement)
    if not parent.needed.isdisjoint(statement.outs):  # its own partials may read it
        parent.needed.update(statement.args)


def _enter_transpose(parent: Reverse, statement: Apply) -> None:
    op, args = statement.op, statement.args
    if op.layout is None:
        _back_by_elements(parent, statement)
        return
    v_bar = parent.adjoint(statement.out)
    if not any(value.type.dims for value in (statement.out, *args)):
        v_bar = _bare(parent, statement.out, v_bar)
    waiting = [
        (k, parse_template(template))
        for name, template in op.layout.transpose
        for k in places_of(statement, name)
        if args[k] in parent.varied
    ]
    for n, (k, template) in enumerate(waiting):
        arg = args[k]
        if not arg.type.dims:
            parent.add(arg, _made(parent, statement, k, template, v_bar))
        elif op is _PACK:
            parent.add(arg, _row(parent, arg, v_bar, k))
        elif op.consumes:
            v_bar = _made(parent, statement, k, template, v_bar)
            parent.add(arg, v_bar)
        else:
            last = n == len(waiting) - 1
            parent.add(arg, _onto(parent, statement, k, template, v_bar, last))
    if not parent.needed.isdisjoint(statement.outs):  # a transpose may read the result
        parent.needed.update(args)


_PACK = TABLE["pack"]
_ZERO = Literal(0.0)


def _bare(parent: Reverse, out: Operand, v_bar: Operands) -> Operands:
    """The adjoint; a number in each direction in which all terms are 0."""
    terms = parent.terms.get(out, [])
    return tuple(
        _ZERO if all(term[d] == _ZERO for term in terms) else own
        for d, own in enumerate(v_bar)
    )


def _row(parent: Reverse, array: Operand, v_bar: Operands, k: int) -> Operands:
    """The adjoint of row k of a matrix: a copy of the row of the matrix's adjoint."""
    found: list[Operand] = []
    for d, own in enumerate(v_bar):
        row = parent.filled(array, Literal(0.0), d)
        body, out = _copying(own, row, Literal(k), ())
        *before, loop = body
        out = parent.named(out, array, d)
        parent.append([*before, loop.binding((out,))])
        found.append(out)
    return tuple(found)


def _copying(
    own: Operand, row: Operand, k: Operand, place: Operands
) -> tuple[list[Apply | Scan], Var]:
    """Statements that fill a row with row k of an array, from a place on; the row."""
    size, i, bar, inner = Var(INT), Var(INT), Var(own.type), Var(row.type)
    around = tuple(Var(INT) for _ in place)
    at = (*around, i)
    body: list[Apply | Scan]
    if len(at) < len(row.type.dims):
        body, changed = _copying(bar, inner, k, at)
    else:
        item, changed = Var(FLOAT), Var(row.type)
        body = [
            Apply(item, TABLE["get"], (bar, k, *at)),
            Apply(changed, TABLE["set"], (inner, item, *at)),
        ]
    block = Block((i, inner, bar, *around), tuple(body), (changed,))
    ends, out = (Literal(0), size, Literal(1)), Var(row.type)
    loop = Scan((out,), *ends, (row,), (own, *place), (), block)
    return [Apply(size, TABLE["size"], (own, k, *place)), loop], out


def _made(
    parent: Reverse,
    statement: Apply,
    k: int,
    template: Template,
    v_bar: Operands,
    bars: Operands | None = None,
) -> Operands:
    """The value of a template for argument k and an adjoint, by direction."""
    env: dict[str, Any] = {}
    for name, given in statement.op.bind(statement.args).items():
        env[f"*{name}" if isinstance(given, tuple) else name] = given
    found: list[Operand] = []
    env["v"] = statement.out
    for d, own in enumerate(v_bar):
        if own == _ZERO and (bars or not statement.args[k].type.dims):
            found.append(bars[d] if bars else _ZERO)
            continue
        builder = Builder(TABLE, LAWS)
        env |= {"v_bar": own, "k": Literal(k), "bar": bars[d] if bars else None}
        value = instantiate(template, env, builder)
        if builder.body and builder.body[-1].outs == (value,):
            last = builder.body[-1]
            bare = ungathered(last if isinstance(last, Apply) else None, value)
            if bare is not value:
                builder.body.pop()
                value = bare
        made = fitted(builder, value, statement.args[k])
        if builder.body and builder.body[-1].outs == (made,):
            assert isinstance(made, Var)
            made = parent.named(made, statement.args[k], d)
            builder.body[-1] = builder.body[-1].binding((made,))
        parent.append(builder.body)
        found.append(made)
    return tuple(found)


def _onto(
    parent: Reverse,
    statement: Apply,
    k: int,
    template: Template,
    v_bar: Operands,
    last: bool,
) -> Operands:
    """The adjoint of an array that is only read, with the term of this reader.

    The first reader to add anything gives its term itself; that is the adjoint of the
    result, if nothing else needs it: the reader is `last`.
    """
    array = statement.args[k]
    if array not in parent.terms:
        match template:
            case Call(op, (Name("bar"), Name("v_bar"))) if op in _ADDED:
                copy = _COPY[len(array.type.dims)]
                return v_bar if last else _made(parent, statement, k, copy, v_bar)
            case Call(op, (_, Call(made))) if op in _ADDED and made in _LIKE:
                filled = (parent.filled(array, v, d) for d, v in enumerate(v_bar))
                return tuple(filled)
            case Call(op, (Name("bar"), Call() as own)) if op in _ADDED:
                return _made(parent, statement, k, own, v_bar)
    return _made(parent, statement, k, template, v_bar, parent.take(array))


def _back_by_elements(parent: Reverse, statement: Apply) -> None:
    """Enter the adjoints of an operation whose arguments are broadcast together."""
    v_bar = _bare(parent, statement.out, parent.adjoint(statement.out))
    for k, arg in enumerate(statement.args):
        if arg not in parent.varied or not transmits(statement, k):
            continue
        found: list[Operand] = []
        for own in v_bar:
            if own == _ZERO:
                found.append(_ZERO)
                continue
            builder = Builder(TABLE, parent.context.laws)
            partial = partial_of(builder, statement, k)
            term = fitted(builder, builder.apply("mul", own, partial), statement.out)
            if not alike(arg.type.shape, statement.out.type.shape):
                term = builder.apply("gathered", term, arg)
            parent.append(builder.body)
            found.append(term)
        parent.add(arg, tuple(found))


_COPY = {rank: parse_template(f"{name}(v_bar)") for rank, name in COPY.items()}
_ADDED, _LIKE = frozenset(ADDED.values()), frozenset(LIKE.values())
"""Operations on lists of any rank: `_COPY` copies the adjoint of the result, `_ADDED`
adds to an adjoint, `_LIKE` fills a new one."""
