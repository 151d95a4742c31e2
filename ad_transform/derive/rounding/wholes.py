"""Whole arrays element by element: every operation on numbers is seen where it errs.

An operation that only moves elements stays one. One that computes becomes loops over
lists: one loop for each group of operations element by element (`groups`), sums,
products and extremes by loops of their own (`whole_folds`), all others by templates of
their meaning (`whole_meanings`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Set
from functools import partial

from ad_transform.dataclass import replace
from ad_transform.derive.rounding.groups import Group, groups
from ad_transform.derive.rounding.whole_folds import RULES
from ad_transform.derive.rounding.whole_lists import Elements, Operands, Writer
from ad_transform.derive.rounding.whole_meanings import meant
from ad_transform.derive.rounding.whole_programs import by_program, has_program
from ad_transform.diagnostics import Diagnostic, Refusal
from ad_transform.elementals.whole import AXES, LENGTHS, TO_LIST
from ad_transform.ir.blocks.consumed import Consumption
from ad_transform.ir.build import Builder
from ad_transform.ir.elemental import EXACT
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Function,
    Literal,
    Operand,
    Statement,
    walk,
)
from ad_transform.ir.trampoline import Task, bounce

_ZERO = Literal(0)

_LAID = {"column": 0, "row": 1}
_LISTED = frozenset(TO_LIST.values())
_LENGTHS = frozenset({"count", *LENGTHS})


def element_by_element(function: Function) -> Function:
    """The function without operations on whole arrays that make errors.

    Raises Refusal AD031 for one that has no form in elements here, and for one whose
    values decide about places.
    """
    values = (*function.block.params, *(o for s in walk(function.body) for o in s.outs))
    if not any(value.type.shape for value in values):
        return function
    return replace(function, block=bounce(_by_elements(function.block)))


def _by_elements(block: Block) -> Task[Block]:
    body = meant(block.body)
    inner: list[Statement] = []
    for statement in body:
        blocks: list[Block] = []
        for one in statement.blocks:
            blocks.append((yield _by_elements(one)))
        made = statement.rebuilt(statement.outs, statement.inputs, tuple(blocks))
        inner.append(made if blocks else statement)
    read = Counter((*(i for s in inner for i in s.inputs), *block.results))
    once = {value for value, times in read.items() if times == 1}
    own = {*Consumption().by_all(inner), *block.results}
    writer, grouped = Writer(), groups(inner, block.results)
    for statement in inner:
        if statement not in grouped:
            _add(writer, statement, own)
        elif grouped[statement].root is statement:
            _add_group(writer, grouped[statement], once)
    return Block(block.params, tuple(writer.settled()), block.results)


def _add(writer: Writer, statement: Statement, own: Set[Operand]) -> None:
    """Add a statement or its form in elements; lists in `own` change or are results."""
    if not isinstance(statement, Apply):
        writer.body.append(statement)
        return
    if statement.op.name in _LAID:
        writer.laid[statement.out] = statement.args[0], _LAID[statement.op.name]
    same = None if statement.out in own else _known(writer, statement)
    if same is not None:
        writer.same[statement.out] = same
    elif statement.op.name in RULES and statement.out.type.is_real:
        RULES[statement.op.name](writer, statement)
    elif has_program(statement):
        by_program(writer, statement)
    else:
        _refuse_unless_known(statement)
        writer.body.append(statement)


def _known(writer: Writer, statement: Apply) -> Operand | None:
    """The list or the length that a statement asks for; None if it is not known."""
    name, axis = statement.op.name, AXES.get(statement.op.name)
    if name in _LISTED:
        return writer.elements(statement.args[0])
    if axis is not None:
        return writer.lengths.get((statement.args[0], axis))
    return None


def _add_group(writer: Writer, group: Group, once: Set[Operand]) -> None:
    """Add the loops of a group; a matrix read once may be made by its reader."""
    out = group.root.out
    arrays = [a for a in group.inputs if a.type.shape]
    reads: list[Operand] = []
    lines: dict[Operand, int] = {}
    for given in group.inputs:
        vector, axis = writer.laid.get(given, (given, None))
        if axis is not None:
            lines[given] = axis
        reads.append(writer.elements(vector) if given.type.shape else given)
    made = Elements(reads, partial(_of_group, group, lines))
    if len(out.type.shape) > 1 and out in once:
        writer.pending[out] = made
    writer.fill(out, writer.sizes(out.type.shape, arrays), made.reads, made.element)


def _of_group(
    group: Group,
    lines: Mapping[Operand, int],
    builder: Builder,
    place: Operands,
    own: Operands,
) -> Operand:
    """An element of a group's array; `lines` are vectors along one axis."""
    env: dict[Operand, Operand] = {}
    for value, given in zip(group.inputs, own, strict=True):
        shape = value.type.shape
        at = zip(shape, place[len(place) - len(shape) :], strict=True)
        index = [_ZERO if n == 1 else i for n, i in at]
        if value in lines:
            index = [index[lines[value]]]
        env[value] = builder.apply("get", given, *index) if shape else given
    return group.element(builder, env)


def _refuse_unless_known(statement: Apply) -> None:
    """Raise Refusal AD031 for operations on whole arrays with unknown errors."""
    op, out = statement.op, statement.out
    if any(v.type.dims and v.type.shape for v in (out, *statement.args)):
        text = "the rounding errors of an array that a derivative fills part by part "
        help_ = "ask for those of the value, or write the elements out in a loop"
        text += "are not estimated yet"
        raise Refusal(Diagnostic("AD031", text, out.span, help_))
    given = [a for a in statement.args if a.type.shape]
    if op.layout is None or not (given or out.type.shape):
        return
    decides = not out.type.is_real and any(a.type.is_real for a in given)
    if out.type.is_real and op.ulps != EXACT:
        text = "the rounding errors of this operation on arrays are not estimated yet"
        help_ = "write the elements out in a loop, or let its result be a parameter"
    elif op.kink or (decides and op.name not in _LENGTHS):
        text = "places of elements that rounding may decide are not estimated yet"
        help_ = 'let the places be a parameter: `order: "Vector[n, int]"`, `x[order]`'
    else:
        return
    raise Refusal(Diagnostic("AD031", text, out.span, help_))
