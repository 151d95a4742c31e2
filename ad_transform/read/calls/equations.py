"""Loops and functions that solve an equation: `# ad: implicit(residual=g)`.

The marked statements run as they stand, in a block of their own; beside it stands the
residual, a function of the file, on the values that are found. Of a function, the
unknowns are the part of its result that the residual takes first. Of a loop, they are
the variables that it binds and that are parameters of the residual. They are floats,
and small arrays of them. No other value that leaves the block carries a derivative.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from ad_transform.dataclass import dataclass, replace
from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Literal
from ad_transform.ir.types import FLOAT
from ad_transform.later import later
from ad_transform.read.branches.flags import AWAY
from ad_transform.read.calls import unknowns
from ad_transform.read.code import Code, Each, Formal, Repeat, Solving
from ad_transform.read.compiling.exits import leaves
from ad_transform.read.machine import drafts
from ad_transform.read.machine.context import Context, T
from ad_transform.read.machine.drafts import DraftSolve, DraftStatement
from ad_transform.read.values.callables import Closure
from ad_transform.read.values.frames import Promise, made_at
from ad_transform.read.values.regrouping import kind_of, regroup
from ad_transform.read.values.storage import Array
from ad_transform.read.values.structured import GROUPS
from ad_transform.read.values.values import Draft, Number, Special, Value, is_whole

with later():
    from ad_transform.read.arrays import rebinding
    from ad_transform.read.values.described import describe


@dataclass(frozen=True, slots=True, eq=False)
class _Equation:
    """The residual, the parameters that are its unknowns, and values of the others."""

    closure: Closure
    unknowns: tuple[Formal, ...]
    others: Mapping[str, Value]
    span: Span


# --- loops --------------------------------------------------------------------------


def through_loop(flat: Context, made: Each | Repeat, run: Callable[[], None]) -> None:
    """Run a loop; one that solves an equation in a block of its own."""
    solving = made.solving
    if solving is None:
        run()
        return
    if leaves((made,)):
        message = "an implicit loop has a `return` inside"
        flat.refuse("AD101", message, solving.span, "leave it with `break`")
        run()
        return
    frame, closure = flat.frame, _residual(flat, solving)
    before = _Before(flat, made.binds)
    formals = closure.code.formals if closure is not None else ()
    values: dict[str, Value] = {}

    def found() -> None:
        run()
        for formal in formals:
            if before.is_computed(formal.name):
                value = _read(flat, formal.name, solving.span)
                values[formal.name] = unknowns.known(flat, value, solving.span)

    body = _block(flat, found)[0]
    inside = set(drafts.made(body))
    ends = {name: frame.names[name] for name in values}
    for name, value in dict(frame.names).items():
        is_other = name not in (*made.binds, *values, AWAY)
        if is_other and before.names.get(name) is not value:
            frame.bind(name, _changed(flat, name))
    equation = None
    if closure is not None:
        equation = _of_loop(flat, closure, solving, values)
    if equation is None or frame.hazy:
        _take_back(flat, (*made.binds, *values))
        return
    inside.update(drafts.made(body))  # a read behind a loop may make a carry
    draft = _solve(flat, equation, body, list(values.values()), inside)
    if draft is None:
        _take_back(flat, (*made.binds, *values))
        return
    flat.add(draft)
    outs = iter([out for out, _ in draft.unknowns])
    for name, value in values.items():
        rebuilt = unknowns.rebuilt(value, outs)
        frame.bind(name, before.behind(ends[name], rebuilt, name, solving.span))
    for name in (*made.binds, AWAY):
        if name not in values and name in frame.names:
            frame.bind(name, _outside(flat, draft, name, frame.names[name]))


class _Before:
    """The names and arrays at a loop that solves an equation, before it runs."""

    def __init__(self, flat: Context, binds: Sequence[str]) -> None:
        self.flat = flat
        self.binds = binds
        self.names = dict(flat.frame.names)
        self.cells = dict(flat.heap.names)

    def is_computed(self, name: str) -> bool:
        """Whether the loop, which has run, gives a name a value, or elements."""
        value = self.flat.frame.names.get(name)
        if value is None or name in self.binds:
            return value is not None
        if isinstance(value, Array):
            key = value.cell.key
            return self.cells.get(key) is not self.flat.heap.names.get(key)
        return value is not self.names.get(name)

    def behind(
        self, had: Value | Promise, value: Value, name: str, span: Span
    ) -> Value | Promise:
        """The value of a name behind the loop: its value at the end, with the elements
        that the equation determines. An array that the loop writes is still the same
        array.
        """
        array = made_at(had, span)
        made = unknowns.again(self.flat, array, value, self.cells, span)
        if made is array or not isinstance(made, Array):
            return made
        if self._is_sole(name):
            return made
        message = f"the array {name!r} has another name at the implicit loop, which "
        message += "makes another array of it"
        help_ = f"let the other name be that of a copy: `{name}.copy()`"
        return self.flat.refuse("AD113", message, span, help_)

    def _is_sole(self, name: str) -> bool:
        """Whether an array had no other name before the loop. The loop makes a new one
        of it, but without a trip both names would still stand for one array.
        """
        old = self.names.get(name)
        others = rebinding.inside(rebinding.others(self.flat, name))
        return not isinstance(old, Array) or not any(
            isinstance(other, Array) and other.cell is old.cell for other in others
        )


def _of_loop(
    flat: Context, closure: Closure, solving: Solving, computed: Mapping[str, Value]
) -> _Equation | None:
    formals = closure.code.formals
    unknowns = tuple(f for f in formals if f.name in computed)
    if not unknowns:
        taken = ", ".join(f.name for f in formals)
        message = f"the loop computes none of {taken}, which {solving.name!r} takes"
        help_ = "call the parameters of the residual as the variables at the loop"
        flat.refuse("AD113", message, solving.span, help_)
        return None
    others: dict[str, Value] = {}
    for formal in formals:
        if formal in unknowns:
            continue
        if formal.name not in flat.frame.names:
            if formal.name in closure.defaults:
                continue
            message = f"{solving.name!r} takes {formal.name!r}, "
            message += "which is no variable at the loop"
            help_ = "call the parameters of the residual as the variables at the loop"
            flat.refuse("AD113", message, solving.span, help_)
            return None
        others[formal.name] = _read(flat, formal.name, solving.span)
    return _Equation(closure, unknowns, others, solving.span)


def _read(flat: Context, name: str, span: Span) -> Value:
    value = flat.frame.names[name]
    return made_at(value, span)


def _block(
    flat: Context, run: Callable[[], Value | None]
) -> tuple[list[DraftStatement], Value | None]:
    """The marked statements in a block of their own, and their result. No array or list
    that they make or change is read behind it.
    """
    before = dict(flat.heap.names)
    body, found = _written_out(flat, run)
    for key, held in dict(flat.heap.names).items():
        if before.get(key) is not held:
            flat.heap.bind(key, _changed(flat, flat.heap.cells[key].hint))
    return body, found


def _written_out(flat: Context, run: Callable[[], T]) -> tuple[list[DraftStatement], T]:
    """A block in which no function is kept."""
    flat.equations += 1
    try:
        return flat.block(run)
    finally:
        flat.equations -= 1


def _changed(flat: Context, name: str) -> Promise:
    """A refusal in the place of an array, a list or a dict that a loop changes."""
    return Promise(lambda span: _refuse_read(flat, name, span), (Special.REFUSED,))


def _refuse_read(flat: Context, name: str, span: Span) -> Value:
    said = repr(name) if name else "an array"
    message = f"{said} is read behind an implicit loop that binds it, "
    message += "and the residual says nothing of it"
    help_ = "compute it behind the loop, from what the residual determines"
    return flat.refuse("AD113", message, span, help_)


def _take_back(flat: Context, names: Sequence[str]) -> None:
    """Let names that a refused loop binds be refused without another report."""
    for name in names:
        flat.frame.bind(name, Special.REFUSED)


def _outside(
    flat: Context, draft: DraftSolve, name: str, value: Value | Promise
) -> Value | Promise:
    """Another value that the loop has bound, as it is seen behind the loop."""

    def make(span: Span) -> Value:
        made = made_at(value, span)
        return leave(made, span)

    def leave(made: Value, span: Span) -> Value:
        if isinstance(made, GROUPS):
            items = tuple(leave(m, span) for m in made.items)
            return regroup(kind_of(made), items)
        inner = set(drafts.made(draft.body))
        if not isinstance(made, Draft):
            is_inner = not inner.isdisjoint(_drafts_in(flat, made, span))
            return _refuse_read(flat, name, span) if is_inner else made
        if made not in inner:
            return made
        if made.type.kind is FLOAT.kind:
            return _refuse_read(flat, name, span)
        return draft.leave(made)

    parts = value.parts if isinstance(value, Promise) else (value,)
    promise = Promise(make, parts)
    return promise if isinstance(value, Promise) else make(draft.span)


def _drafts_in(flat: Context, value: Value, span: Span) -> Iterator[Draft]:
    """The drafts that a value consists of, and those that hold the arrays in it."""
    for one in rebinding.inside((value,)):
        found = flat.heap.held(one.cell, span) if isinstance(one, Array) else one
        if isinstance(found, Draft):
            yield found


# --- functions ------------------------------------------------------------------------


def through_function(
    flat: Context,
    code: Code,
    names: Mapping[str, Value],
    run: Callable[[], Value],
    span: Span,
) -> Value:
    """The result of a function; one that solves an equation in a block of its own."""
    solving = code.solving
    if solving is None:
        return run()
    given, cells = dict(names), dict(flat.heap.names)
    had: list[Value] = []

    def found() -> Value:
        had.append(run())
        return unknowns.known(flat, had[0], span)

    body, result = _block(flat, found)
    if result is None or result is Special.REFUSED:
        return Special.REFUSED
    items = list(result.items) if isinstance(result, GROUPS) else [result]
    equation = _of_function(flat, solving, given, len(items))
    if equation is None:
        return Special.REFUSED
    values = items if len(equation.unknowns) == len(items) else [result]
    draft = _solve(flat, equation, body, values, set(drafts.made(body)))
    if draft is None:
        return Special.REFUSED
    flat.add(draft)
    rebuilt = unknowns.rebuilt(result, iter([out for out, _ in draft.unknowns]))
    return unknowns.again(flat, had[0], rebuilt, cells, span)


def _of_function(
    flat: Context, solving: Solving, names: Mapping[str, Value], count: int
) -> _Equation | None:
    """The equation of a function, whose parameters are matched by name if all are
    there, else by position; None after a report.

    The residual takes each of `count` items of the result, or the result as a whole.
    """
    closure = _residual(flat, solving)
    if closure is None:
        return None
    formals = closure.code.formals
    for taken in dict.fromkeys((count, 1)):
        unknowns = formals[:taken]
        others = _handed(closure, formals[taken:], names)
        own = taken == 1 or not any(f.name in names for f in unknowns)
        if others is not None and own and len(unknowns) == taken:
            return _Equation(closure, unknowns, others, solving.span)
    message = f"{solving.name!r} takes {len(formals)} arguments, and is to take "
    message += f"the result of the function and its parameters: {count} and "
    message += str(len(names))
    help_ = f"define it as `def {solving.name}(x, {', '.join(names)})`"
    flat.refuse("AD113", message, solving.span, help_)
    return None


def _handed(
    closure: Closure, formals: Sequence[Formal], names: Mapping[str, Value]
) -> dict[str, Value] | None:
    """The values of parameters of a residual, None where they cannot be told.

    They are parameters of the function by name, else by place. One that the function
    does not have takes its default, but at least one has to be the function's.
    """
    shared = {f.name: names[f.name] for f in formals if f.name in names}
    is_named = all(f.name in shared or f.name in closure.defaults for f in formals)
    if is_named and (shared or not formals or not names):
        return shared
    if len(formals) == len(names):
        return {f.name: v for f, v in zip(formals, names.values(), strict=True)}
    return None


# --- both -----------------------------------------------------------------------------


def _residual(flat: Context, solving: Solving) -> Closure | None:
    value = flat.materialise(flat.run(solving.residual))
    if isinstance(value, Closure):
        return value
    if value is not Special.REFUSED:
        message = f"the residual {solving.name!r} is {describe(value)}"
        help_ = "name a function of the file that is 0 at the solution"
        flat.refuse("AD113", message, solving.span, help_)
    return None


def _solve(
    flat: Context,
    equation: _Equation,
    body: list[DraftStatement],
    values: Sequence[Value],
    inside: set[Draft],
) -> DraftSolve | None:
    """The equation with the block that solves it; None after a report of AD113."""
    span, shown = equation.span, equation.closure.code.name
    found: list[Draft] = []
    bound: dict[str, Value] = {**equation.closure.defaults, **equation.others}
    params: list[Draft] = []
    for formal, whole in zip(equation.unknowns, values, strict=True):
        own: list[Draft] = []
        for value in unknowns.leaves(whole):
            if value is Special.REFUSED:
                return None
            made = isinstance(value, Draft) and value in inside
            if not isinstance(value, Draft) or not made or value.type != FLOAT:
                part = "" if whole is value else "part of "
                message = (
                    f"{part}{formal.name!r}, an unknown of {shown!r}, is no float "
                )
                message += "that is computed here"
                help_ = "mark what computes it, and let it start as a float"
                if isinstance(value, Array) or is_whole(value):
                    help_ = "give it few elements: `np.array([1.0, 0.5])`"
                flat.refuse("AD113", message, span, help_)
                return None
            found.append(value)
            own.append(replace(value, notes=()))
        params += own
        bound[formal.name] = unknowns.rebuilt(whole, iter(own))
    residual, value = _written_out(
        flat,
        lambda: unknowns.known(flat, flat.enter(equation.closure, bound, span), span),
    )
    ends = unknowns.leaves(value)
    if Special.REFUSED in ends:
        return None
    numbers = [e for e in ends if isinstance(e, Draft | Literal) and e.type == FLOAT]
    if len(numbers) != len(ends) or len(ends) != len(params):
        listed = ", ".join(f.name for f in equation.unknowns)
        message = f"{shown!r} gives {_amount(ends, numbers)} for "
        message += f"{len(params)} unknown{'s' * (len(params) > 1)}: {listed}"
        help_ = "let it return one float for each unknown"
        if any(isinstance(end, Array) for end in ends):
            help_ += ", in an array whose length is written: `np.zeros(3)`"
        flat.refuse("AD113", message, span, help_)
        return None
    draft = DraftSolve(span, body, params=params, residual=residual, ends=numbers)
    for one in found:
        draft.unknowns.append((replace(one, notes=()), one))
    return draft


def _amount(ends: Sequence[Value], numbers: Sequence[Number]) -> str:
    if len(numbers) != len(ends):
        return describe(next(e for e in ends if e not in numbers))
    return f"{len(ends)} value{'s' * (len(ends) != 1)}"
