"""Jacobians whose numbers of rows and columns only a run knows.

Of whole arrays they may be products of matrices (`vectors`). All others are filled
column by column: for every element of every independent one forward sweep gives the
tangents of all results, which are the column. The columns may share a first pass that
computes the values and the partials (`first_pass`). Rows and columns run over the
results and the independents one after another, over arrays in C order.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from ad_transform.dataclass import dataclass
from ad_transform.derive.accumulation.accumulate import Matrix, Task
from ad_transform.derive.accumulation.outcome import Outcome, as_it_stands
from ad_transform.derive.entries import Hints
from ad_transform.derive.kinds import whole_columns as wholes
from ad_transform.derive.kinds.first_pass import Shared, shared, written_cost
from ad_transform.derive.kinds.lines import ZERO, Lines, Operands
from ad_transform.derive.request import Request, column
from ad_transform.derive.sweep.shaped import Shapes
from ad_transform.diagnostics import Refusal
from ad_transform.elementals.arrays import COPY, LIKE
from ad_transform.ir.blocks.blocks import renewed
from ad_transform.ir.blocks.consumed import Consumption
from ad_transform.ir.dims import Dim, plus, product
from ad_transform.ir.nodes import (
    Block,
    Container,
    Function,
    Literal,
    Nest,
    Operand,
    Scan,
    Statement,
    Var,
    While,
    group,
)
from ad_transform.ir.types import FLOAT, INT, Type
from ad_transform.later import later

with later():
    from ad_transform.derive.entrywise.coo import by_elements
    from ad_transform.derive.vectors.coo import coo
    from ad_transform.derive.vectors.jacobian import eliminated


def is_of_run_time(values: Sequence[Operand]) -> bool:
    """Whether some values are arrays: only a run knows the number of their elements."""
    return any(value.type.is_array for value in values)


RUN_TIME = group((Nest(),), Container.ARRAY)
"""The shape of a matrix of run-time size: one value."""

TRIPLE = group((RUN_TIME, RUN_TIME, RUN_TIME))
"""The shape of a matrix by rows, columns and values."""


def nest_of(r: Request) -> Nest:
    """The shape of the matrix that is asked for."""
    return TRIPLE if r.sparse else RUN_TIME


def named(r: Request, matrix: str) -> Hints:
    """The names of the results that hold the matrix."""
    return ("rows", "cols", "values") if r.sparse else (matrix,)


def run_time_matrix(
    r: Request, function: Function, kept: int, first: int, *, symmetric: bool = False
) -> Outcome:
    """The first `kept` results of a function, and the Jacobian of those from `first`.

    Of a `symmetric` one the upper triangle is that of the lower one, bit for bit. It
    is a product of matrices where partials are matrices, and three arrays where it is
    asked for by its entries.
    """
    if r.sparse and not wholes.are_whole((*function.results, *r.independents.columns)):
        return by_elements(r, function, kept, first, symmetric=symmetric)
    if r.sparse:
        return coo(r, function, kept, first, symmetric=symmetric)
    made = None
    if wholes.are_whole((*function.results, *r.independents.columns)):
        made = eliminated(r, function, kept, first, symmetric=symmetric)
    return made or by_columns(r, function, kept, first, symmetric=symmetric)


def by_columns(
    r: Request, function: Function, kept: int, first: int, *, symmetric: bool
) -> Outcome:
    """As `run_time_matrix`, filled column by column: each computes the values again, or
    all share a first pass, where that is cheaper.
    """
    plain = _one_by_one(r, function, kept, first, symmetric=symmetric)
    made = shared(r, function, first, r.independents.columns)
    if made is None:
        return plain
    other = _by_shared(r, made, kept, first, symmetric=symmetric)
    try:
        cost = written_cost(r, other)
    except Refusal:  # of tangents that nothing in their loop is as long as
        return plain
    return other if cost < written_cost(r, plain) else plain


def _by_shared(
    r: Request, made: Shared, kept: int, first: int, *, symmetric: bool
) -> Outcome:
    """The results and the matrix by columns that share a first pass."""
    text = Lines()
    own: dict[Operand, Operand] = {}
    own.update(_copy(text, array) for array in _changed(made.first))
    text.body += [s.over(own) for s in made.first]
    results = [own.get(result, result) for result in made.results]
    rows, xs = results[first:], r.independents.columns
    columns = text.places([_sizes(text, x) for x in xs])
    ends = text.places(_lengths(text, rows, xs))
    matrix = _zeros(text, (rows, ends[-1]), (xs, columns[-1]))
    for k, second in enumerate(made.seconds):
        if second is None:
            for row, end in zip(made.tangents[k], ends, strict=False):
                matrix = _stored(text, matrix, own.get(row, row), end, columns[k])
    for k, second in enumerate(made.seconds):
        if second is not None:
            seed, statements = second
            one = as_it_stands(statements, made.tangents[k], r.options, "forward")
            column = _Column(seed, one, is_alone=True)
            matrix = _filled(text, matrix, (xs[k], columns[k]), ends, column)
    if symmetric:
        matrix = _mirrored(text, matrix, columns[-1])
    given = (*results[:kept], done(r, text, matrix, (ends[-1], columns[-1])))
    body = (statement.map_blocks(renewed) for statement in text.body)
    return as_it_stands(body, given, r.options, "forward", made.idle)


def _one_by_one(
    r: Request, function: Function, kept: int, first: int, *, symmetric: bool
) -> Outcome:
    """The results and the matrix by columns that compute the values again."""
    builder, results = r.copied(function, len(r.primal))
    text = Lines()
    own: dict[Operand, Operand] = {}
    own.update(_copy(text, array) for array in _changed(builder.body))
    text.body += [s.over(own) for s in builder.body]
    rows = results[first:]
    xs = r.independents.columns
    columns = text.places([_sizes(text, x) for x in xs])
    ends = text.places(_lengths(text, rows, xs))
    matrix = _zeros(text, (rows, ends[-1]), (xs, columns[-1]))
    idle: list[Var] = []
    numbers = [k for k, x in enumerate(xs) if not is_of_run_time((x,))]
    if numbers:
        made = _beside(r, function, first, [xs[k] for k in numbers])
        idle += made.idle
        places = [columns[k] for k in numbers]
        matrix = _all_filled(text, matrix, places, ends, made)
    for x, first_of in zip(xs, columns, strict=False):
        if not is_of_run_time((x,)):
            continue
        one = _column(r, function, first, x)
        idle += one.idle
        matrix = _filled(text, matrix, (x, first_of), ends, one)
    if symmetric:
        matrix = _mirrored(text, matrix, columns[-1])
    given = (*results[:kept], done(r, text, matrix, (ends[-1], columns[-1])))
    body = (statement.map_blocks(renewed) for statement in text.body)
    return as_it_stands(body, given, r.options, "forward", tuple(idle))


def _lengths(
    text: Lines, rows: Sequence[Operand], columns: Sequence[Operand]
) -> list[Operands]:
    """The lengths of the results, asked of the values they are made of if possible."""
    shapes = Shapes(tuple(text.body), columns, ())
    found = []
    for row in rows:
        if row.type.shape:
            found.append(wholes.sizes(text, row, columns))
            continue
        body, sizes = shapes.sizes(row)
        text.body += body
        found.append(sizes)
    return found


def _sizes(text: Lines, x: Operand) -> Operands:
    """The lengths of an array along its axes; a number has none."""
    return wholes.sizes(text, x) if x.type.shape else text.sizes(x)


Ends = tuple[Sequence[Operand], Operand]
"""Values that stand one behind another, and the number of all their elements."""


def _zeros(text: Lines, rows: Ends, columns: Ends) -> Var:
    """The matrix before it is filled: an array of numpy if whole arrays go into it."""
    (given, m), (xs, n) = rows, columns
    if wholes.are_whole((*given, *xs)):
        return wholes.matrix(text, m, n)
    type_ = Type(FLOAT.kind, (dim(given), dim(xs)))
    return text.apply("grid", Literal(0.0), m, n, declared=type_)


def done(r: Request, text: Lines, matrix: Operand, sizes: Operands) -> Operand:
    """The matrix as it is returned: in Python an array, even if it has no rows."""
    if matrix.type.shape:
        return text.apply("done", matrix) if matrix.type.dims else matrix
    if r.options.target != "math" or r.options.container == "tuple":
        return matrix
    return text.apply("rows_in_list", matrix, *sizes)


@dataclass(frozen=True, slots=True)
class _Column:
    """The code for the tangents of all rows along `seed`. If it `is_alone`, the trips
    of its loops are no other code's.
    """

    seed: Var
    outcome: Outcome
    is_alone: bool = False

    @property
    def idle(self) -> tuple[Var, ...]:
        return self.outcome.idle


def _column(r: Request, function: Function, start: int, x: Var) -> _Column:
    seed = Var(x.type, f"{x.hint}_dot" if x.hint else "")
    builder, results = r.copied(function, 0)
    task = Task((x,), results[start:], (column,), 0, tangents=((seed,),))
    return _Column(seed, r.run(builder, task))


def _beside(
    r: Request, function: Function, start: int, numbers: Sequence[Var]
) -> Outcome:
    """The tangents of all rows along each of some numbers, one number after another."""
    builder, results = r.copied(function, 0)
    units = tuple(
        tuple(Literal(1.0 if a is b else 0.0) for b in numbers) for a in numbers
    )
    rows = results[start:]
    task = Task(tuple(numbers), rows, (_by_columns,), 0, tangents=units)
    return r.run(builder, task)


def _by_columns(matrix: Matrix) -> Operands:
    return tuple(entry for column in zip(*matrix, strict=True) for entry in column)


def _all_filled(
    text: Lines, matrix: Var, places: Sequence[Operand], ends: Operands, made: Outcome
) -> Var:
    """The matrix with the columns of some numbers."""
    own: dict[Operand, Operand] = {}
    own.update(_copy(text, array) for array in _changed(made.body))
    block = _with_own_trips(made, f"numbers.{len(text.body)}")
    text.body += [s.over(own) for s in block.body]
    rows = len(block.results) // len(places)
    for k, value in enumerate(block.results):
        at, end = places[k // rows], ends[k % rows]
        matrix = _stored(text, matrix, own.get(value, value), end, at)
    return matrix


def _filled(
    text: Lines,
    matrix: Var,
    of: tuple[Var, Operand],
    ends: Operands,
    made: _Column,
) -> Var:
    """The matrix with the columns of one independent, from a column on."""
    x, first = of

    def fill(inner: Lines, indices: Operands, m: Var) -> Var:
        seed, own_place = _unit(inner, x, indices)
        changed = (a for a in _changed(made.outcome.body) if a is not made.seed)
        own: dict[Operand, Operand] = {made.seed: seed}
        own.update(_copy(inner, array) for array in changed)
        block = Block((), made.outcome.body, made.outcome.results)
        if not made.is_alone:
            block = _with_own_trips(made.outcome, f"{x.hint}.{len(text.body)}")
        inner.body += [s.over(own) for s in block.body]
        at = inner.plus(first, own_place)
        for row, end in zip(block.results, ends, strict=False):
            m = _stored(inner, m, own.get(row, row), end, at)
        return m

    return text.each(_sizes(text, x), matrix, fill)


def _with_own_trips(made: Outcome, name: str) -> Block:
    """The statements with dims of their own for the stacks of loops."""
    loops = (s for s in made.body if isinstance(s, Scan | While))
    trips = dict.fromkeys(str(stack.type.dims[0]) for s in loops for stack in s.stacks)
    old = tuple(Var(Type(FLOAT.kind, (dim,))) for dim in trips)
    new = tuple(
        Var(Type(FLOAT.kind, (f"column.{name}.{k}",))) for k in range(len(trips))
    )
    return renewed(Block(old, made.body, made.results), new)


def _changed(body: Sequence[Statement]) -> list[Var]:
    """The arrays from outside that statements change: each trip needs its own."""
    own = {o for s in body for o in s.outs}
    changed = Consumption().by_all(body) - own
    read = dict.fromkeys(o for s in body for o in s.inputs)
    return [o for o in read if o in changed and isinstance(o, Var)]


def _copy(text: Lines, array: Var) -> tuple[Var, Var]:
    name = COPY[len(array.type.dims)]
    return array, text.apply(name, array, hint=array.hint)


def _unit(text: Lines, x: Var, indices: Operands) -> tuple[Operand, Operand]:
    """The unit vector along one element of x, and the element's place in C order."""
    if not indices:
        return Literal(1.0), ZERO
    if x.type.shape:
        at = place(text, x, indices)
        return wholes.unit(text, x, indices, at), at
    like = LIKE[len(indices)]
    hint = f"{x.hint}_dot" if x.hint else ""
    zeros = text.apply(like, x, Literal(0.0), hint=hint)
    unit = text.apply("set", zeros, Literal(1.0), *indices, hint=hint)
    return unit, place(text, x, indices)


def place(text: Lines, x: Operand, indices: Operands) -> Operand:
    """The place of an element of an array, in C order."""
    found = indices[0]
    for size, index in zip(_sizes(text, x)[1:], indices[1:], strict=True):
        found = text.plus(text.apply("mul", found, size), index)
    return found


def _stored(
    text: Lines, matrix: Var, tangent: Operand, first: Operand, at: Operand
) -> Var:
    """The matrix with the tangents of one result in a column that holds zeros."""
    if tangent == Literal(0.0):  # of a number, or of an array that may have no elements
        return matrix
    if tangent.type.shape:
        return wholes.stored(text, matrix, tangent, first, at)
    op = "put_pick_both" if matrix.type.shape else "set"

    def fill(inner: Lines, indices: Operands, m: Var) -> Var:
        row, value = first, tangent
        if indices:
            row = inner.plus(first, place(inner, tangent, indices))
            value = inner.apply("get", tangent, *indices)
        args = (value, row, at)
        return inner.apply(op, m, *args, hint=m.hint)

    return text.each(text.sizes(tangent), matrix, fill)


def _mirrored(text: Lines, matrix: Var, count: Operand) -> Var:
    """The matrix with its lower triangle in place of the upper one."""
    if matrix.type.shape:
        return wholes.mirrored(text, text.apply("done", matrix))
    i, outer = Var(INT, "i"), Var(matrix.type, matrix.hint)
    j, inner = Var(INT, "j"), Var(matrix.type, matrix.hint)
    one = Lines()
    value = one.apply("get", inner, i, j)
    end = one.apply("set", inner, value, j, i, hint=matrix.hint)
    row = Lines()
    end = row.loop(i, j, (outer, inner), one, end)
    return text.loop(count, i, (matrix, outer), row, end)


def dim(values: Sequence[Operand]) -> Dim:
    """The number of elements of some values."""
    return reduce(plus, (product(value.type.dims) for value in values))
