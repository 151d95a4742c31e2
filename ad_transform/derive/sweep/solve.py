"""Derivatives of bodies that hold statements with blocks: the cheapest sweep."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ad_transform.derive.accumulation import race
from ad_transform.derive.accumulation.accumulate import Matrix, Task
from ad_transform.derive.accumulation.outcome import Outcome
from ad_transform.derive.entries import names_of
from ad_transform.derive.sweep.levels import is_operation
from ad_transform.derive.sweep.stacks import fresh_trips, hold_states
from ad_transform.ir.blocks.blocks import renewed
from ad_transform.ir.blocks.live import live
from ad_transform.ir.build import Builder
from ad_transform.ir.count import count_statements
from ad_transform.ir.nodes import (
    Apply,
    Branch,
    Call,
    Literal,
    Operand,
    Scan,
    Solve,
    Statement,
    Var,
    While,
    walk,
)
from ad_transform.ir.trampoline import bounce
from ad_transform.later import later
from ad_transform.options import LEAST, Options, weights_of

with later():
    from ad_transform.derive.sweep.arms import back_through_branch
    from ad_transform.derive.sweep.arms_forward import forth_through_branch
    from ad_transform.derive.sweep.bridges import bridged
    from ad_transform.derive.sweep.callees import back_through_call, forth_through_call
    from ad_transform.derive.sweep.context import Context
    from ad_transform.derive.sweep.covering import Covering
    from ad_transform.derive.sweep.dependence import Dependence, union
    from ad_transform.derive.sweep.elements import back_through_operation
    from ad_transform.derive.sweep.elements_forward import forth_through_operation
    from ad_transform.derive.sweep.forward import Forward, ForwardRule, whole
    from ad_transform.derive.sweep.implicit import (
        back_through_solve,
        forth_through_solve,
    )
    from ad_transform.derive.sweep.loops import back_through_loop
    from ad_transform.derive.sweep.loops_forward import forth_through_loop
    from ad_transform.derive.sweep.order import ordered
    from ad_transform.derive.sweep.reverse import Asked, Reverse, Rule, Swept
    from ad_transform.derive.sweep.snapshots import on_copies

Operands = tuple[Operand, ...]


def accumulate(builder: Builder, task: Task, options: Options) -> Outcome:
    """The cheapest code for a task, whatever statements its body holds.

    A straight body is one run. Where branches are small, the partials of their values
    as edges of one graph may be cheaper than a sweep through them: both are priced.
    """
    return compete(builder, task, options, ())


def compete(
    builder: Builder,
    task: Task,
    options: Options,
    names: Sequence[str],
    rival: race.Rival | None = None,
) -> Outcome:
    """The cheapest code among some orders only, if there are any in `names`.

    Raises Dearer where that is hopeless beside a rival, of a straight body.
    """
    if is_straight(builder.body, task):
        return race.compete(builder, task, options, names, rival)
    blocks = sum(len(statement.blocks) for statement in walk(tuple(builder.body)))
    found = []
    plain = is_plain(builder.body)
    if plain and not _is_swept_whole(builder.body, task.columns):
        found.append(as_vertices(builder, task, options, names))
        if are_masks(builder.body):
            return found[0]
    if options.effort == 1:
        options = options.override(effort=_effort(builder.body, blocks))
    lists = has_lists_in_blocks(builder.body) or hold_states(builder.body)
    several = lists or len(task.rows) > 1
    arrays = any(column.type.is_array for column in task.columns)
    several = several and not arrays
    forwards = task.adjoints is None and (task.tangents is not None or several)
    if task.tangents is None and not (forwards and lists):
        found.append(reverse(builder, task, options))
    if forwards:
        found.append(forward(builder, task, options))
    best = min(found, key=lambda outcome: outcome.rank)
    if not plain:
        return best
    return best.beside(found if len(builder.body) <= COMPARED else ())


def as_vertices(
    builder: Builder, task: Task, options: Options, names: Sequence[str] = ()
) -> Outcome:
    """The cheapest code of one graph in which branches are vertices."""

    def jacobian(arm: Builder, own: Task) -> Outcome:
        return as_vertices(arm, own, options)

    return race.compete(*bridged(builder, task, jacobian), options, names)


def is_straight(body: Sequence[Statement], task: Task) -> bool:
    """Whether a task is one run: no loops, no swept statements, and arrays only to
    read; or a task with a drawn graph.
    """
    if task.drawn is not None:
        return True
    if any(end.type.is_array for end in (*task.columns, *task.rows)):
        return False
    changing = (isinstance(s, Apply) and s.op.consumes for s in body)
    loops = any(isinstance(s, Scan | While | Solve) for s in walk(tuple(body)))
    return not (loops or any(changing) or is_swept(body, task.columns))


def is_swept(body: Sequence[Statement], columns: Sequence[Var]) -> bool:
    """Whether a statement with blocks, or one on arrays, gives a value that depends on
    the columns.
    """
    if all(map(is_operation, body)):
        return False
    varied = Dependence().within(body, dict.fromkeys(columns, 1))
    swept = (s for s in body if not is_operation(s))
    return any(out in varied for s in swept for out in s.outs)


def _effort(body: Sequence[Statement], blocks: int) -> int:
    if blocks < MANY:
        return 1
    return 0 if sum(1 for _ in walk(tuple(body))) < LONG else LEAST


LONG = 1_500
"""Statements of a program with MANY blocks from which on its runs get least effort."""

MANY = 16
"""Blocks from which on runs are tried in forward and reverse order only, unless more
effort is asked for."""


def has_lists_in_blocks(body: Iterable[Statement]) -> bool:
    """Whether stacks go into arms, out of them, or into stacks: these have tangents but
    no adjoints.
    """
    statements = walk(tuple(body))
    loops = [s for s in statements if isinstance(s, Scan | While)]
    trips = {stack.type.dims[0] for loop in loops for stack in loop.stacks}
    for statement in statements if trips else ():
        values = (*statement.inputs, *statement.outs)
        least = 1 if isinstance(statement, Branch) else 2
        if any(sum(d in trips for d in v.type.dims) >= least for v in values):
            return True
    return False


COMPARED = 200
"""Statements up to which sweeps and vertices are compared as they are written, too."""

SMALL = 4
"""Partials of a branch up to which it is tried as vertices of one graph."""

ARMS = 8
"""Arms of a choice among choices up to which it is tried as such vertices."""


MASK = 2
"""Operations in the arms of a mask, as in `dx if y > x else 0.5 * dx`."""


def are_masks(body: Sequence[Statement]) -> bool:
    """Whether all branches only choose: a sweep has nothing to save there."""
    outer = [s for s in body if s.blocks]
    return not calls_in_blocks(outer) and all(
        sum(isinstance(s, Apply) and s.out.type.is_real for s in walk((one,))) <= MASK
        for one in outer
    )


def is_plain(body: Sequence[Statement]) -> bool:
    """Whether there are no loops, no arrays that change, and only small branches, few
    of them nested.
    """
    outer = [s for s in body if s.blocks]
    if any(isinstance(s, Apply) and s.op.consumes for s in walk(tuple(body))):
        return False
    return not calls_in_blocks(outer) and all(
        isinstance(s, Branch) and _is_small(s) for s in outer
    )


def calls_in_blocks(statements: Iterable[Statement]) -> bool:
    """Whether functions are called in arms or loops: nothing else tells their price."""
    return any(isinstance(s, Call) for s in walk(tuple(statements)))


def _is_swept_whole(body: Sequence[Statement], columns: Sequence[Var]) -> bool:
    """Whether a value depends on the columns through an array, an operation on arrays,
    or a call that only a sweep goes through.
    """
    varied = Dependence().within(body, dict.fromkeys(columns, 1))
    if any(value.type.is_array for value in varied):
        return True
    on_arrays = (s for s in body if isinstance(s, Apply) and not is_operation(s))
    if any(s.out in varied for s in on_arrays):  # looked up among constants
        return True
    held = walk(tuple(s for s in body if s.blocks))
    if any(out.type.shape for s in held for out in s.outs):  # in an arm alone
        return True
    calls = (s for s in body if isinstance(s, Call) and not s.inert)
    return any(out in varied for call in calls for out in call.outs)


def _is_small(branch: Branch) -> bool:
    nested = [s for s in walk((branch,)) if s.blocks]
    few = sum(len(s.blocks) for s in nested) <= ARMS
    return few and all(isinstance(s, Branch) and _partials(s) <= SMALL for s in nested)


def _partials(branch: Branch) -> int:
    outs, args = (
        sum(v.type.is_real for v in side) for side in (branch.outs, branch.args)
    )
    return outs * args


RULES: dict[type, Rule] = {}
RULES[Scan] = RULES[While] = lambda parent, loop: back_through_loop(parent, loop, RULES)
RULES[Branch] = lambda parent, branch: back_through_branch(parent, branch, RULES)
RULES[Apply] = back_through_operation
RULES[Call] = back_through_call
RULES[Solve] = lambda parent, solve: back_through_solve(
    parent, solve, accumulate, RULES
)


FORWARD_RULES: dict[type, ForwardRule] = {}
FORWARD_RULES[Scan] = FORWARD_RULES[While] = lambda parent, loop: forth_through_loop(
    parent, loop, FORWARD_RULES
)
FORWARD_RULES[Branch] = lambda parent, branch: forth_through_branch(
    parent, branch, FORWARD_RULES
)
FORWARD_RULES[Apply] = forth_through_operation
FORWARD_RULES[Call] = forth_through_call
FORWARD_RULES[Solve] = lambda parent, solve: forth_through_solve(
    parent, solve, accumulate
)


def forward(builder: Builder, task: Task, options: Options) -> Outcome:
    """The outcome of a task by one forward sweep."""
    several = task.tangents is None
    tangents = _units(len(task.columns)) if task.tangents is None else task.tangents
    wording, named = ("d{}_d{end}", task.columns) if several else ("{}_dot", ())
    context = _context(builder, options, wording, named or len(tangents))
    context.callees = task.callees
    wanted = _kept(task, len(task.rows), len(tangents))
    ends = task.columns, tangents, task.rows, wanted
    pushed = bounce(Forward(context, builder.body, *ends).sweep(FORWARD_RULES))
    body = pushed.body
    found: list[Operands] = []
    for direction in pushed.tangents:
        body, own = whole(body, direction, task.rows)
        found.append(own)
    matrix: Matrix = tuple(zip(*found, strict=True))
    return outcome_of(builder.body, body, matrix, task, context, "forward")


def _kept(task: Task, rows: int, columns: int) -> tuple[Operand, ...]:
    """The values among the results: those that stay when the matrix is all zeros."""
    empty: Matrix = ((Literal(0.0),) * columns,) * rows
    return tuple(r for r in task.assemble[0](empty) if isinstance(r, Var))


def _context(
    builder: Builder, options: Options, wording: str, ends: Sequence[Operand] | int
) -> Context:
    """The shared state of a sweep; `ends` name the directions, or are their number."""
    names = ("",) * ends if isinstance(ends, int) else names_of(ends)
    loops = fresh_trips(builder.body)
    shared = Dependence()
    known = None if builder.known is None else {**builder.known}
    return Context(options, known, shared, wording, names, loops)


def _units(count: int) -> Matrix:
    return tuple(
        tuple(Literal(1.0 if i == k else 0.0) for i in range(count))
        for k in range(count)
    )


def reverse(builder: Builder, task: Task, options: Options) -> Outcome:
    """The outcome of a task by one reverse sweep."""
    context, swept = _backwards(builder, task, options, True)
    body = ordered((*swept.forth, *swept.back))
    return outcome_of(builder.body, body, swept.adjoints, task, context, "reverse")


def both_ways(builder: Builder, task: Task, options: Options) -> Swept:
    """The statements of one reverse sweep, those forth apart from those back."""
    return _backwards(builder, task, options, False)[1]


def _backwards(
    builder: Builder, task: Task, options: Options, mixed: bool
) -> tuple[Context, Swept]:
    """One reverse sweep, and its shared state; see `Asked`."""
    several = task.adjoints is None and len(task.rows) > 1
    wording, named = ("d{end}_d{}", task.rows) if several else ("{}_bar", ())
    seeds = _units(len(task.rows)) if task.adjoints is None else task.adjoints
    context = _context(builder, options, wording, named or len(seeds))
    context.callees = task.callees
    context.apart = not mixed
    rows = tuple(
        (row, tuple(direction[i] for direction in seeds))
        for i, row in enumerate(task.rows)
    )
    wanted = _kept(task, len(seeds), len(task.columns))
    body = on_copies(builder.body, mixed)
    if any(s.blocks for s in body):
        context.covering = Covering(body)
    arrays = (v for s in body for v in (*s.inputs, *s.outs) if v.type.dims)
    lasting = {*arrays, *task.columns}
    ends = task.columns, rows, wanted
    asked = Asked(body, *ends, len(seeds), mixed, lasting=lasting)
    return context, bounce(Reverse(context, asked).sweep(RULES))


def outcome_of(
    original: Sequence[Statement],
    body: tuple[Statement, ...],
    matrix: Matrix,
    task: Task,
    context: Context,
    order: str,
) -> Outcome:
    """The cheapest way to assemble the entries, as an outcome."""
    idle = idle_columns(original, task, context.dependence)
    if context.options.order != "auto":
        order = context.options.order
    weights = weights_of(context.options.cost)
    found = []
    for assemble in task.assemble:
        results = assemble(matrix)
        kept = with_own_values(live(body, results))
        counts = count_statements(kept, results)
        # every run has a graph of its own: the drawn one is that of the source
        found.append(Outcome(kept, results, counts, order, idle, (), weights))
    return min(found, key=lambda o: o.rank)


def idle_columns(
    body: Sequence[Statement], task: Task, dependence: Dependence
) -> tuple[Var, ...]:
    """The columns that no row depends on."""
    seeds: dict[Operand, int] = {c: 1 << k for k, c in enumerate(task.columns)}
    masks = dependence.within(body, seeds)
    busy = union(masks.get(row, 0) for row in task.rows)
    return tuple(c for k, c in enumerate(task.columns) if not busy >> k & 1)


def with_own_values(body: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """The statements, with inner blocks over values that no other block binds."""
    return tuple(statement.map_blocks(renewed) for statement in body)
