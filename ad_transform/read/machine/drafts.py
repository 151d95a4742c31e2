"""Programs in the making: their statements, and the drafts that they make and use."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import field

from ad_transform.dataclass import dataclass, replace
from ad_transform.diagnostics import Span
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import Literal, Maker, node
from ad_transform.read.values.values import Draft, Number


@node
class DraftApply:
    """`out = op(*args)` in the making."""

    out: Draft
    op: Elemental
    args: tuple[Number, ...]


@node
class DraftAnd:
    """`out = test and body's result`, or `or`, lazily; all are bools."""

    out: Draft
    test: Number
    conjunction: bool
    body: list[DraftStatement]
    result: Number


@node
class DraftArm:
    """The statements of an arm, and its results."""

    body: list[DraftStatement]
    results: list[Number] = field(default_factory=list)


@node
class DraftChoice:
    """`outs = then's results if test else orelse's results`, lazily.

    A name that is read behind it adds an out; `joined` has the present outs. If it is
    `eager`, Python computes both values (see `sinking`).
    """

    test: Number
    then: DraftArm
    orelse: DraftArm
    outs: list[Draft] = field(default_factory=list)
    joined: dict[tuple[Number, Number], Draft] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    eager: bool = False


@dataclass(slots=True, eq=False)
class Carry:
    """A value that goes from trip to trip: `start`, then the `end` of the trip before.

    A carry that `is_kept` never changes: it is taken from outside.

    `param` is its value at the head of a trip, `out` its value behind the loop.
    """

    param: Draft
    start: Number
    out: Draft
    end: Number | None = None
    is_kept: bool = False


@dataclass(slots=True, eq=False)
class DraftLoop:
    """A loop in the making; the statements `before` run before it.

    With `index` it counts over range(*bounds); else it goes on while the `result` of
    `test` holds.
    """

    span: Span
    before: list[DraftStatement] = field(default_factory=list)
    carries: list[Carry] = field(default_factory=list)
    body: list[DraftStatement] = field(default_factory=list)
    index: Draft | None = None
    bounds: tuple[Number, ...] = ()
    test: list[DraftStatement] = field(default_factory=list)
    result: Number = field(default_factory=lambda: Literal(False))
    snapshots: int = 0  # most states that it may hold, 0 for all
    notes: tuple[str, ...] = ()


@node
class DraftSolve:
    """A solver of an equation, and the equation, in the making.

    `unknowns` are the values behind it, each with its draft in `body`; `others` are
    whole numbers and truth values, likewise. `residual` computes `ends` from `params`:
    they are 0 at the solution.
    """

    span: Span
    body: list[DraftStatement]
    params: list[Draft]
    residual: list[DraftStatement]
    ends: list[Number]
    unknowns: list[tuple[Draft, Draft]] = field(default_factory=list)
    others: list[tuple[Draft, Draft]] = field(default_factory=list)

    def leave(self, made: Draft) -> Draft:
        """The draft behind the solver for another value of its body."""
        for out, known in self.others:
            if known is made:
                return out
        out = replace(made, notes=())
        self.others.append((out, made))
        return out


@node
class DraftCheck:
    """An assertion in the making. One with an `own` reason may not be caught: Python
    might go on there.
    """

    test: Number
    message: tuple[str | Number, ...]
    formats: tuple[str, ...]
    span: Span
    notes: tuple[str, ...]
    error: str | Maker = ""
    own: str = ""

    def where(self, holds: Number, notes: tuple[str, ...]) -> DraftCheck:
        """The same check with another test, and comments before its own."""
        return replace(self, test=holds, notes=(*notes, *self.notes))


@node
class DraftPrint:
    """A print in the making; see `ir.nodes.Print`."""

    message: tuple[str | Number, ...]
    formats: tuple[str, ...]
    words: tuple[tuple[str, str | bool], ...]
    span: Span
    notes: tuple[str, ...]


@node
class DraftCall:
    """`outs = callee(*args)` in the making, with a kept function."""

    outs: tuple[Draft, ...]
    callee: str
    args: tuple[Number, ...]
    raises: bool


@node
class DraftDerivative:
    """A derivative operator in the making.

    `body` has the statements of the program from the independents to `ends`: they are
    made a second time, in a block of its own. `taken` are its other inputs.
    """

    outs: tuple[Draft, ...]
    operator: str
    independents: tuple[Draft, ...]
    seeds: tuple[Number, ...]
    body: list[DraftStatement]
    ends: tuple[Number, ...]
    taken: tuple[Draft, ...]


DraftStatement = (
    DraftApply
    | DraftAnd
    | DraftChoice
    | DraftLoop
    | DraftSolve
    | DraftCheck
    | DraftPrint
    | DraftCall
    | DraftDerivative
)


def made(body: Sequence[DraftStatement]) -> Iterator[Draft]:
    """The drafts that a body and its blocks make. Linear."""
    for statement in walk(body):
        match statement:
            case DraftApply(out) | DraftAnd(out):
                yield out
            case (
                DraftChoice(outs=outs)
                | DraftCall(outs=outs)
                | DraftDerivative(outs=outs)
            ):
                yield from outs
            case DraftLoop(index=index, carries=carries):
                yield from (d for c in carries for d in (c.param, c.out))
                if index is not None:
                    yield index
            case DraftSolve(params=params, unknowns=unknowns, others=others):
                yield from (*params, *(out for out, _ in (*unknowns, *others)))


def raises(body: Sequence[DraftStatement]) -> bool:
    """Whether a body, or a function that it calls, checks something."""
    return any(
        isinstance(s, DraftCheck) or (isinstance(s, DraftCall) and s.raises)
        for s in walk(body)
    )


def prints(body: Sequence[DraftStatement]) -> bool:
    """Whether a body prints something."""
    return any(isinstance(s, DraftPrint) for s in walk(body))


def free(body: Sequence[DraftStatement], results: Sequence[Number]) -> Iterator[Draft]:
    """The drafts that a body uses without making them, in order of use. Linear."""
    inner = set(made(body))
    for number in (*uses(body), *results):
        if isinstance(number, Draft) and number not in inner:
            yield number


def uses(body: Sequence[DraftStatement]) -> Iterator[Draft]:
    """The drafts that a body and its blocks use, once for each use. Linear."""
    for statement in walk(body):
        for number in _used(statement):
            if isinstance(number, Draft):
                yield number


def reads(body: Sequence[DraftStatement], but: Collection[str]) -> Iterator[Draft]:
    """The same without the arguments of the operations in `but`."""
    for statement in walk(body):
        if not isinstance(statement, DraftApply) or statement.op.name not in but:
            yield from (n for n in _used(statement) if isinstance(n, Draft))


def walk(body: Sequence[DraftStatement]) -> Iterator[DraftStatement]:
    """All statements; those of blocks come behind the one that holds them."""
    stack = [iter(body)]
    while stack:
        for statement in stack[-1]:
            yield statement
            inner = _bodies(statement)
            if inner:
                stack += map(iter, reversed(inner))
                break
        else:
            stack.pop()


def _bodies(statement: DraftStatement) -> tuple[list[DraftStatement], ...]:
    if isinstance(statement, DraftApply):  # nearly always
        return ()
    match statement:
        case DraftAnd(body=body):
            return (body,)
        case DraftChoice(then=then, orelse=orelse):
            return (then.body, orelse.body)
        case DraftLoop(before=before, test=test, body=body):
            return (before, test, body)
        case DraftSolve(body=body, residual=residual):
            return (body, residual)
    return ()


def _used(statement: DraftStatement) -> Iterable[str | Number]:
    """The operands of a statement itself, the results of its blocks included."""
    match statement:
        case DraftApply(_, _, args):
            return args
        case DraftCall(args=args):
            return args
        case DraftDerivative(independents=independents, seeds=seeds, taken=taken):
            return (*independents, *seeds, *taken)
        case DraftCheck(test, message):
            return (test, *message)
        case DraftPrint(message=message):
            return message
        case DraftAnd(_, test, _, _, result):
            return (test, result)
        case DraftChoice(test, then, orelse):
            return (test, *then.results, *orelse.results)
        case DraftLoop(bounds=bounds, carries=carries, result=result):
            tails = (c.end for c in carries if c.end is not None)
            return (*bounds, *(c.start for c in carries), *tails, result)
        case DraftSolve(ends=ends, unknowns=unknowns, others=others):
            return (*ends, *(made for _, made in (*unknowns, *others)))
