"""Sums, products, extremes and tests of comprehensions, as loops.

Where the items of a comprehension are known one by one they are a list (`gathers`).
Where a loop is left for run time to count, or a condition to decide, the reader of the
items is the loop that Python runs inside of `sum`, `max` or `any`.
"""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.dataclass import replace
from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.read.arrays import (
    arrays,
    packing,
)
from ad_transform.read.branches import branches
from ad_transform.read.branches.flags import RESULT
from ad_transform.read.code import (
    Attribute,
    Body,
    Call,
    Clause,
    Compare,
    Drop,
    Each,
    Fail,
    Fork,
    Gather,
    Hold,
    Item,
    Leave,
    Load,
    Operate,
    Push,
    Skip,
    Target,
)
from ad_transform.read.compiling.exits import (
    bound_in,
    breaks,
    fork,
    leaves,
    names_of,
    returns,
)
from ad_transform.read.containers import sequences, sums
from ad_transform.read.iterables import iterables
from ad_transform.read.machine.arguments import Rule, Unfit, Values, equals, expect
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.refits import is_piled
from ad_transform.read.values.callables import Dotted
from ad_transform.read.values.described import describe
from ad_transform.read.values.frames import Frame
from ad_transform.read.values.series import Endless, Once, Range, Series, Stream
from ad_transform.read.values.storage import Array, Lists, Rows
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Special, Value, is_whole

TOTAL = "<total>"
"""The name of the result for the items so far."""


def reduced(known: Rule, of_stream: Rule) -> Rule:
    """A function whose first argument is a sequence: of known items, or a stream."""

    def rule(flat: Context, values: Values, span: Span) -> Value:
        is_stream = bool(values) and isinstance(values[0], Stream)
        return (of_stream if is_stream else known)(flat, values, span)

    return rule


def multiplied(flat: Context, values: Values, span: Span) -> Value:
    """`prod` of a stream: one operation for each item, from the left."""
    expect(values, 1, 2)
    first = values[1] if len(values) > 1 else Literal(1)
    stream, before = _stream(values), (Load(TOTAL, 0, span),)
    names = {TOTAL: first}
    return _run(flat, stream, before, _step("mul", span), names, span)


def summed(flat: Context, values: Values, span: Span) -> Value:
    """`sum` of a stream: of floats Python's own, for it may be more exact than one
    addition for each item, from the left, which has its derivative.
    """
    expect(values, 1, 2)
    stream, first = _stream(values), values[1] if len(values) > 1 else Literal(0)
    if not isinstance(first, Draft | Literal) or is_whole(first):
        adding = _step("add", span)
        return _run(flat, stream, (Load(TOTAL, 0, span),), adding, {TOTAL: first}, span)
    started = () if first == Literal(0) else (first,)
    items = packing.packed(flat, started, Container.LIST, stream.made.span)
    if not isinstance(items, Array):
        return Special.REFUSED
    before = (Load(_ITEMS_SO_FAR, 0, span), Attribute("append", span))
    behind = (
        Hold(_ITEM),
        Load(_ITEM, 0, span),
        Call(("",), span),
        Drop(),
        Load(TOTAL, 0, span),
        Load(_ITEM, 0, span),
        *_step("add", span),
    )
    names: dict[str, Value] = {TOTAL: first, _ITEMS_SO_FAR: items}
    flat.heap.of_sums.add(items.cell.span)
    total = _run(flat, stream, before, behind, names, span)
    content = flat.heap.held(items.cell, span)
    if not isinstance(total, Draft) or not isinstance(content, Draft):
        return total
    if not content.type.is_real:
        return total
    found = flat.apply(TABLE["sum_of"], (content,), span)
    return flat.operate(TABLE["twin"], (found, total), span)


def of_rows(flat: Context, values: Values, span: Span) -> Value | None:
    """`sum` of a matrix, or of a comprehension of arrays: its rows are added, one after
    the other; None for any other value. Python's sum of no rows is the number 0, this
    one has zeros.
    """
    matrix = values[0]
    if isinstance(matrix, Stream):
        return _of_arrays(flat, matrix, values[1:], span)
    if isinstance(matrix, Group) and any(map(_is_array, values[1:])):
        return sums.python_sum(flat, values, span)
    is_matrix = isinstance(matrix, Array) and len(matrix.axes) == 2
    if not is_matrix and not (is_whole(matrix) and len(matrix.type.shape) == 2):
        return None
    if isinstance(matrix, Array) and matrix.cell.container is not Container.ARRAY:
        help_ = "write `sum(map(sum, x))` for all, or make it an array: `np.array(x)`"
        raise Unfit("of a list of rows is not supported", help_)
    first = values[1] if len(values) > 1 else _zeros_across(flat, matrix, span)
    clause = Clause(Target(span, _ITEM), (), ())
    made = Gather((clause,), (Load(_ITEM, 0, span),), span)
    stream = Stream(made, matrix, flat.frame)
    before = (Load(TOTAL, 0, span),)
    return _run(flat, stream, before, _step("add", span), {TOTAL: first}, span)


def _of_arrays(
    flat: Context, stream: Stream, start: Values, span: Span
) -> Value | None:
    """`sum` of a comprehension that gives arrays: added to a start that is an array, or
    as the rows of a matrix; None for any other comprehension, or start.
    """
    if any(map(_is_array, start)):
        return summed(flat, (stream, *start), span)
    if not is_piled(flat, stream.made.span) or (start and not equals(start[0], 0)):
        return None
    function, call = Push(Dotted("numpy.array")), Call(("",), span)
    element = (function, *stream.made.element, call)  # no view of another array
    copies = replace(stream, made=replace(stream.made, element=element))
    return of_rows(flat, (flat.run((function, Push(copies), call)),), span)


def _is_array(value: Value) -> bool:
    return isinstance(value, Array) or is_whole(value)


def _zeros_across(flat: Context, matrix: Value, span: Span) -> Value:
    """Zeros, one for each column of a matrix."""
    width = (Push(matrix), Attribute("shape", span), Push(Literal(1)), Item(span))
    return flat.run((Push(Dotted("numpy.zeros")), *width, Call(("",), span)))


def _step(op: str, span: Span) -> Body:
    return (Operate(TABLE[op], 2, span), Hold(TOTAL))


_ITEMS_SO_FAR = "<items>"


def decided(conjunction: bool) -> Rule:
    """`all`, or `any`: the loop is left where an item decides."""

    def rule(flat: Context, values: Values, span: Span) -> Value:
        expect(values, 1, 1)
        stream = _stream(values)
        sole = len(stream.made.clauses) == 1
        leaving: Body = (Skip(True, span),)
        if not sole:  # out of all loops
            leaving = (Push(Literal(not conjunction)), Leave(span))
        arms: tuple[Body, Body] = ((), leaving) if conjunction else (leaving, ())
        made = fork(Fork((), (), span), *arms)
        *code, last = loops_of(stream.made, (*stream.made.element, made), span)
        end = Push(Literal(conjunction))
        if not sole:
            return _entered(flat, stream, (*code, last, end, Leave(span)), {}, span)
        assert isinstance(last, Each)
        # the total says whether the loop was left: of `all` it is the opposite
        last = replace(last, orelse=(Push(Literal(False)), Hold(TOTAL)))
        opposite: Body = (Operate(TABLE["not"], 1, span),) if conjunction else ()
        start: dict[str, Value] = {TOTAL: Literal(True)}
        found = (*code, last, Load(TOTAL, 0, span), *opposite)
        return _entered(flat, stream, found, start, span)

    return rule


def first(flat: Context, values: Values, span: Span) -> Value:
    """`next(items, default)` of a generator: the loop is left with the first item;
    without a default it raises where there is none.
    """
    expect(values, 1, 2)
    if not isinstance(values[0], Once):
        message = f"needs a generator, not {describe(values[0])}"
        raise Unfit(message, "write `next((v for v in x if ...), 0.0)`, or `x[0]`")
    stream, default = values[0].read(), values[1:]
    if isinstance(stream, Group):
        found = (*stream.items, *default)
        if not found:
            raise Unfit("gets no item", "give it a default: `next(..., 0.0)`")
        return found[0]
    if not isinstance(stream, Stream):
        raise Unfit(f"needs a generator, not {describe(values[0])}", "write `x[0]`")
    if len(default) and len(stream.made.clauses) == 1:
        body: Body = (*stream.made.element, Hold(TOTAL), Skip(True, span))
        code = (*loops_of(stream.made, body, span), Load(TOTAL, 0, span))
        return _entered(flat, stream, code, {TOTAL: default[0]}, span)
    none: Body = (Fail("StopIteration", (), (), (), span, ()),)
    if default:
        none = (Push(default[0]), Leave(span))
    return left(flat, stream, none, span)


def times(flat: Context, values: Values, span: Span) -> Value:
    """`x.count(v)`: the number of items that are v."""
    expect(values, 2, 2)
    items, wanted = values
    item = Target(span, _ITEM)
    test: Body = (
        Push(wanted),
        Load(item.name, 0, span),
        Compare(TABLE["eq"], (), span),
    )
    made = Gather((Clause(item, (), (test,)),), (Push(Literal(1)),), span, lazy=True)
    summing = (Push(Dotted("builtins.sum")), Push(items), made, Call(("",), span))
    return flat.run(summing)


def left(flat: Context, stream: Stream, otherwise: Body, span: Span) -> Value:
    """The first item that a comprehension gives; where it gives none, the code
    `otherwise` follows.
    """
    element = (*stream.made.element, Leave(span))
    code = (*loops_of(stream.made, element, span), *otherwise)
    return _entered(flat, stream, code, {}, span)


def mapped(flat: Context, values: Values, span: Span) -> Value:
    """`map(f, items, ...)`: a list of values, or a stream if a run knows how many."""
    if len(values) < 2:
        raise Unfit(f"takes 2 arguments or more, not {len(values)}")
    function, *given = values
    if function == Dotted("builtins.tuple") and len(given) == 1:
        matrix = given[0]
        if isinstance(matrix, Array) and len(matrix.axes) > 1:
            return arrays.copied(flat, matrix, Container.TUPLE, span)
    if any(isinstance(each, Endless) for each in given):
        beside = iterables.zip_(flat, given, span)
        if isinstance(beside, Group):
            rows_ = (row.items for row in beside.items if isinstance(row, Group))
            found = tuple(_called(flat, function, row, span) for row in rows_)
            return Group(Container.LIST, found)
    columns = [sequences.known_items(each, flat.wholes) for each in given]
    known = [column for column in columns if column is not None]
    if len(known) == len(columns):
        rows = zip(*known, strict=False)
        items = tuple(_called(flat, function, row, span) for row in rows)
        return Group(Container.LIST, items)
    for each in given:
        kinds = Group | Range | Array | Rows | Lists | Series | Endless
        if not isinstance(each, kinds):
            raise Unfit(f"needs items that are known, not {describe(each)}", _ITEMS)
    targets = tuple(Target(span, f"{_ITEM} {k}") for k in range(len(given)))
    loads = tuple(Load(target.name, 0, span) for target in targets)
    element: Body = (Push(function), *loads, Call(("",) * len(given), span))
    is_one = len(given) == 1
    over = given[0] if is_one else iterables.zip_(flat, given, span)
    target = targets[0] if is_one else Target(span, items=targets)
    return Stream(Gather((Clause(target, (), ()),), element, span), over, flat.frame)


def folded(flat: Context, values: Values, span: Span) -> Value:
    """`functools.reduce(f, items, start)` of known items."""
    expect(values, 2, 3)
    items = sequences.known_items(values[1], flat.wholes)
    if items is None:
        raise Unfit(f"needs items that are known, not {describe(values[1])}", _ITEMS)
    rest = [*values[2:], *items]
    if not rest:
        raise Unfit("of nothing has no value", "give it a start")
    found = rest[0]
    for item in rest[1:]:
        found = _called(flat, values[0], (found, item), span)
    return found


_ITEM = "<item>"
_ITEMS = "give it a tuple or list, or a range"


def _called(flat: Context, function: Value, row: Values, span: Span) -> Value:
    code: Body = (*map(Push, (function, *row)), Call(("",) * len(row), span))
    return flat.run(code)


def inside(frame: Frame) -> Frame:
    """The frame of a comprehension in a frame."""
    return Frame(frame, {}, frame.depth, frame.quiet, frame.hazy, frame.function)


def _stream(values: Sequence[Value]) -> Stream:
    stream = values[0]
    assert isinstance(stream, Stream)
    return stream


def _run(
    flat: Context,
    stream: Stream,
    before: Body,
    behind: Body,
    names: dict[str, Value],
    span: Span,
) -> Value:
    """The total once `before item behind` has run for every item."""
    body = (*before, *stream.made.element, *behind)
    code = loops_of(stream.made, body, span)
    return _entered(flat, stream, (*code, Load(TOTAL, 0, span)), names, span)


def looped(flat: Context, stream: Stream, body: Body) -> None:
    """Run a body, which leaves nothing, for every trip of a comprehension."""
    span = stream.made.span
    outer, flat.frame = flat.frame, inside(stream.frame)
    flat.perform((Push(stream.over), *loops_of(stream.made, body, span)))
    flat.frame = outer


def _entered(
    flat: Context, stream: Stream, code: Body, names: dict[str, Value], span: Span
) -> Value:
    """The value of code in the frame of a comprehension, which it may leave."""
    outer, flat.frame = flat.frame, inside(stream.frame)
    for name, value in names.items():
        flat.frame.bind(name, value)
    value = flat.run((Push(stream.over), *code))
    if RESULT in flat.frame.names:
        returned = branches.result(flat, flat.frame, "comprehension", span)
        value = value if returned is None else returned
    flat.frame = outer
    return value


def loops_of(made: Gather, body: Body, span: Span) -> Body:
    """The loops of a comprehension around a body; the first one finds its sequence on
    the stack.
    """
    for k, clause in reversed(list(enumerate(made.clauses))):
        for test in reversed(clause.tests):
            body = (*test, fork(Fork((), (), span), body, ()))
        own = (*names_of((clause.target,)), *bound_in(body))
        binds = tuple(dict.fromkeys(own))
        returning = returns(body)
        exits = leaves(body) or breaks(body)
        loop = Each(clause.target, body, (), span, binds, exits, returning)
        body = (*(clause.over if k else ()), loop)
    return body
