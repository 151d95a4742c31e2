"""Whole arrays element by element: every operation on numbers is seen where it errs.

What only moves elements stays one operation. What computes becomes loops over lists:
one loop for each group of operations element by element (`groups`), sums, products and
extremes by the table below, all others by the templates that say what they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence, Set
from dataclasses import field, replace
from functools import partial

from ad_transform.dataclass import dataclass
from ad_transform.derive.rounding.groups import Group, groups
from ad_transform.derive.rounding.list_loops import Element, filled, folded
from ad_transform.diagnostics import Diagnostic, Refusal
from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder
from ad_transform.ir.dims import ANY, Dims
from ad_transform.ir.elemental import EXACT
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Function,
    Literal,
    Operand,
    Statement,
    Var,
    walk,
)
from ad_transform.ir.simplify import LAWS_TO_THE_BIT
from ad_transform.ir.template import instantiate, parse_template
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.types import Type
from ad_transform.ir.typing import DECLARED, result_type

# fmt: off
_MEANINGS: dict[str, str] = {
    "average":         "sum_all(x) / count(x)",
    "average_rows":    "sum_rows(x) / length(x)",
    "average_columns": "sum_columns(x) / width(x)",
    "sum_rows":        "sum_columns(turned(x))",
    "max_rows":        "max_columns(turned(x))",
    "min_rows":        "min_columns(turned(x))",
    "norm":            "sqrt(sum_all(x * x))",
    "frobenius":       "sqrt(sum_all(x * x))",
    "trace":           "sum_all(diagonal(x))",
    "dot":             "sum_all(x * y)",
    "mat_vec":         "sum_columns(x * row(y))",
    "vec_mat":         "sum_columns(turned(y) * row(x))",
    "outer":           "column(x) * row(y)",
}
"""Operations on whole arrays by others."""
# fmt: on
_LINES = frozenset({"sum_all", "max_all", "min_all", "product_of"})
"""Operations on all elements, in whatever axes they stand."""

_ZERO, _ONE = Literal(0), Literal(1)
Operands = Sequence[Operand]

_LENGTHS = frozenset({"count", "length", "width"})


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
    body = _meant(block.body)
    inner: list[Statement] = []
    for statement in body:
        own: list[Block] = []
        for one in statement.blocks:
            own.append((yield _by_elements(one)))
        made = statement.rebuilt(statement.outs, statement.inputs, tuple(own))
        inner.append(made if own else statement)
    read = Counter((*(i for s in inner for i in s.inputs), *block.results))
    once = {value for value, times in read.items() if times == 1}
    writer = _Writer(groups(inner, block.results), once)
    for statement in inner:
        writer.add(statement)
    return Block(block.params, tuple(writer.body), block.results)


# --- what operations mean -------------------------------------------------------------


def _meant(body: Sequence[Statement]) -> list[Statement]:
    """A body over operations that have a form in elements, or need none."""
    found: list[Statement] = []
    for statement in body:
        found += _meaning(statement)
    return found


def _meaning(statement: Statement) -> list[Statement]:
    template = _template(statement) if isinstance(statement, Apply) else ""
    if not (template and isinstance(statement, Apply)):
        return [statement]
    builder = Builder(TABLE, LAWS_TO_THE_BIT)
    given = statement.op.bind(statement.args)
    instantiate(parse_template(template), given, builder)
    *before, last = builder.body
    last = last.rebuilt((statement.out,), last.inputs, last.blocks)
    env: dict[Operand, Operand] = {}
    own: list[Statement] = []
    for one in before:
        outs = tuple(replace(out, span=statement.out.span) for out in one.outs)
        own.append(one.over(env).binding(outs))
        env.update(zip(one.outs, outs, strict=True))
    return _meant([*own, last.over(env)])


def _template(statement: Apply) -> str:
    name = statement.op.name
    if name in _LINES and len(statement.args[0].type.shape) > 1:
        return f"{name}(raveled(x))" if statement.out.type.is_real else ""
    return _MEANINGS.get(name, "")


# --- what they become -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Elements:
    """What makes the elements of an array, and what it reads."""

    reads: Sequence[Operand]
    element: Element


@dataclass(slots=True)
class _Writer:
    """A block in the making. `once` are values that are read once; `lists` hold the
    elements of whole arrays, and what reads those in `pending` may make them itself.
    """

    groups: dict[Statement, Group]
    once: Set[Operand]
    body: list[Statement] = field(default_factory=list)
    lists: dict[Operand, Var] = field(default_factory=dict)
    lengths: dict[tuple[Operand, int], Operand] = field(default_factory=dict)
    pending: dict[Operand, _Elements] = field(default_factory=dict)

    def add(self, statement: Statement) -> None:
        """The statement, or what it becomes."""
        if not isinstance(statement, Apply):
            self.body.append(statement)
        elif statement in self.groups:
            group = self.groups[statement]
            if group.root is statement:
                self._loop(group)
        elif statement.op.name in _FORMS and statement.out.type.is_real:
            _FORMS[statement.op.name](self, statement)
        else:
            _refuse_unless_known(statement)
            self.body.append(statement)

    def apply(self, op: str, *args: Operand) -> Var:
        """A new operation."""
        row = TABLE[op]
        assert row.result != DECLARED
        out = Var(result_type(row, args))
        self.body.append(Apply(out, row, args))
        return out

    def elements(self, array: Operand) -> Var:
        """The list of the elements of a whole array, or the list of its rows."""
        if array not in self.lists:
            op = "to_list" if len(array.type.shape) == 1 else "to_rows"
            self.lists[array] = self.apply(op, array)
        return self.lists[array]

    def whole(self, out: Var, elements: Var, sizes: Sequence[Operand]) -> None:
        """Let a list have the elements of a whole array."""
        self.lists[out] = elements
        self.lengths.update({(out, axis): size for axis, size in enumerate(sizes)})
        op = "of_list" if len(out.type.shape) == 1 else "of_rows"
        self.body.append(Apply(out, TABLE[op], (elements,)))

    def length(self, array: Operand, axis: int) -> Operand:
        """The length of a whole array along an axis."""
        known = array.type.shape[axis]
        if isinstance(known, int):
            return Literal(known)
        if (array, axis) not in self.lengths:
            self.lengths[array, axis] = self.apply(("length", "width")[axis], array)
        return self.lengths[array, axis]

    def sizes(self, shape: Dims, arrays: Sequence[Operand]) -> list[Operand]:
        """The lengths of what arrays broadcast to."""
        found: list[Operand] = []
        for back in range(len(shape), 0, -1):
            wide = (
                self.length(a, len(a.type.shape) - back)
                for a in arrays
                if len(a.type.shape) >= back and a.type.shape[-back] != 1
            )
            found.append(next(wide, _ONE))
        return found

    def fill(
        self, out: Var, sizes: Sequence[Operand], reads: Sequence[Operand], by: Element
    ) -> None:
        """Let loops make the elements of a whole array."""
        made, elements = filled(out, sizes, reads, by)
        self.body += made
        self.whole(out, elements, sizes)

    def _loop(self, group: Group) -> None:
        out = group.root.out
        arrays = [a for a in group.inputs if a.type.shape]
        reads = [self.elements(a) if a.type.shape else a for a in group.inputs]
        made = _Elements(reads, partial(_of_group, group))
        if len(out.type.shape) > 1 and out in self.once:
            self.pending[out] = made
        self.fill(out, self.sizes(out.type.shape, arrays), made.reads, made.element)

    def found(self, array: Operand) -> _Elements:
        """What gives the elements of a whole array."""
        if array in self.pending:
            return self.pending[array]
        return _Elements([self.elements(array)], _read)


def _of_group(
    group: Group, builder: Builder, place: Operands, own: Operands
) -> Operand:
    """An element of what a group makes."""
    env: dict[Operand, Operand] = {}
    for value, given in zip(group.inputs, own, strict=True):
        shape = value.type.shape
        at = zip(shape, place[len(place) - len(shape) :], strict=True)
        index = (_ZERO if n == 1 else i for n, i in at)
        env[value] = builder.apply("get", given, *index) if shape else given
    return group.element(builder, env)


def _read(builder: Builder, place: Operands, own: Operands) -> Operand:
    """An element of a list."""
    return builder.apply("get", own[0], *place)


# --- sums, extremes, products ---------------------------------------------------------

_Form = Callable[[_Writer, Apply], None]


def _over_list(name: str) -> _Form:
    """An operation on the list of all elements."""

    def form(writer: _Writer, statement: Apply) -> None:
        args = (writer.elements(statement.args[0]),)
        writer.body.append(Apply(statement.out, TABLE[name], args))

    return form


def _over_rows(name: str) -> _Form:
    """An operation on each row."""

    def form(writer: _Writer, statement: Apply) -> None:
        (array,), out = statement.args, statement.out
        terms = writer.found(array)
        reads = [writer.length(array, 1), *terms.reads]

        def element(builder: Builder, place: Operands, own: Operands) -> Operand:
            return _of_terms(builder, name, out, terms.element, place, own)

        writer.fill(out, [writer.length(array, 0)], reads, element)

    return form


def _of_terms(
    builder: Builder, name: str, out: Var, by: Element, at: Operands, own: Operands
) -> Operand:
    """An operation on a list of terms: how many there are, `own` says first, then what
    else they are made of; `at` is where they stand.
    """
    size, *reads = own
    given = len(reads)

    def term(inner: Builder, place: Operands, known: Operands) -> Operand:
        return by(inner, (*known[given:], *place), known[:given])

    like = Var(Type(out.type.kind, (), (ANY,)))
    made, terms = filled(like, (size,), (*reads, *at), term)
    builder.body += made
    return builder.apply(name, terms, span=out.span)


def _mat_mat(writer: _Writer, statement: Apply) -> None:
    (x, y), out = statement.args, statement.out
    sizes = [writer.length(x, 0), writer.length(y, 1)]
    reads = [writer.length(x, 1), writer.elements(x), writer.elements(y)]

    def term(builder: Builder, place: Operands, own: Operands) -> Operand:
        i, j, k = place
        left = builder.apply("get", own[0], i, k)
        right = builder.apply("get", own[1], k, j)
        return builder.apply("mul", left, right, span=out.span)

    def element(builder: Builder, place: Operands, own: Operands) -> Operand:
        return _of_terms(builder, "sum_in", out, term, place, own)

    writer.fill(out, sizes, reads, element)


def _cumulated(op: str, start: float) -> _Form:
    """What each element is together with all before it."""

    def form(writer: _Writer, statement: Apply) -> None:
        (array,), out = statement.args, statement.out
        size = writer.length(array, 0)
        made, elements, _ = folded(out, op, start, size, writer.elements(array))
        writer.body += made
        writer.whole(out, elements, (size,))

    return form


def _product(writer: _Writer, statement: Apply) -> None:
    (array,), out = statement.args, statement.out
    size = writer.length(array, 0)
    made, _, total = folded(out, "mul", 1.0, size, writer.elements(array))
    *rest, loop = made
    outs = tuple(out if o is total else o for o in loop.outs)
    writer.body += [*rest, loop.binding(outs)]


# fmt: off
_FORMS: dict[str, _Form] = {
    "sum_all":     _over_list("sum_in"),
    "max_all":     _over_list("max_in"),
    "min_all":     _over_list("min_in"),
    "sum_columns": _over_rows("sum_in"),
    "max_columns": _over_rows("max_in"),
    "min_columns": _over_rows("min_in"),
    "mat_mat":     _mat_mat,
    "cumulated":   _cumulated("add", 0.0),
    "cumulated_product": _cumulated("mul", 1.0),
    "product_of":  _product,
}
# fmt: on


def _refuse_unless_known(statement: Apply) -> None:
    """AD031 for an operation on whole arrays that is known to make errors only."""
    op, out = statement.op, statement.out
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
