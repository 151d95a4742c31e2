"""The law of single statements: arguments, types, parameters of inner blocks.

Clauses 3 to 5 of `ir.verify`, which checks the rest and calls this.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from ad_transform.ir.dims import fit, is_of_run
from ad_transform.ir.elemental import Elemental, Layout
from ad_transform.ir.nodes import (
    OPERATORS,
    Apply,
    Block,
    Branch,
    Call,
    Check,
    Derivative,
    Literal,
    Open,
    Operand,
    Print,
    Record,
    Scan,
    Solve,
    Statement,
    Var,
    While,
)
from ad_transform.ir.types import BOOL, FLOAT, INT, RECORD, Kind, Type
from ad_transform.ir.typing import DECLARED, result_type


class Break(Exception):
    """The law is broken at a statement, or at the head (0) or end (-1) of a block."""

    def __init__(
        self, reason: str, culprit: Statement | Block | None, place: int = 0
    ) -> None:
        super().__init__(reason)
        self.culprit = culprit
        self.place = place


def named(operand: Operand) -> str:
    return repr(operand.value) if isinstance(operand, Literal) else operand.hint or "%"


def is_plain(apply: Apply, scope: set[Operand]) -> bool:
    """Whether an operation that makes a float of a float and other numbers is surely
    lawful: most do, most are, and this is fast.
    """
    args, out = apply.args, apply.out
    if out.type is not FLOAT or out in scope:
        return False
    of_float = False
    for arg in args:
        if arg.type is FLOAT:
            of_float = True
        elif arg.type is not INT:
            return False
        if type(arg) is Var and arg not in scope:
            return False
    return of_float and makes_float(apply.op, len(args))


def is_plain_run(body: Sequence[Statement]) -> bool:
    """Whether statements over any values from outside are all plain; linear.

    That is `is_plain` of each, whose arguments are in scope, written out.
    """
    scope: set[Operand] = set()
    for statement in body:
        if type(statement) is not Apply or statement.out.type is not FLOAT:
            return False
        of_float = False
        for arg in statement.args:
            type_ = arg.type
            if type_ is FLOAT:
                of_float = True
            elif type_ is not INT:
                return False
            if type(arg) is Var:
                scope.add(arg)
        if not of_float or statement.out in scope:
            return False
        if not makes_float(statement.op, len(statement.args)):
            return False
        scope.add(statement.out)
    return True


@cache
def makes_float(op: Elemental, count: int) -> bool:
    """Whether an elemental makes a float of so many numbers, one of them a float."""
    return takes(op, count) and op.layout is None and op.result in ("float", "promote")


@cache
def takes(op: Elemental, count: int) -> bool:
    """Whether an elemental takes so many arguments."""
    starred = sum(p.startswith("*") for p in op.parameters)
    rest = count - (len(op.parameters) - starred)
    return rest >= 0 and not (rest % starred if starred else rest)


_WIDTH = {Kind.BOOL: 0, Kind.INT: 1, Kind.FLOAT: 2}
_ALONE = frozenset({Kind.STR, Kind.RECORD})


def _fits(given: Type, wanted: Type) -> bool:
    """Whether a value of one type may enter as one of the other."""
    if given.dims:  # a whole array of another kind would have to be made anew
        return given.kind is wanted.kind and fit(given.dims, wanted.dims)
    if given.kind in _ALONE or wanted.kind in _ALONE:
        return given == wanted
    return not wanted.dims and _WIDTH[given.kind] <= _WIDTH[wanted.kind]


def match_types(
    what: str, given: Sequence[Type], wanted: Sequence[Type], culprit: Statement
) -> None:
    if len(given) != len(wanted):
        raise Break(f"{len(given)} {what}, not {len(wanted)}", culprit)
    for k, (g, w) in enumerate(zip(given, wanted, strict=True), 1):
        if g is not w and not _fits(g, w):
            raise Break(f"{what}: number {k} is {g}, not {w}", culprit)


def types_of(operands: Sequence[Operand]) -> list[Type]:
    return [operand.type for operand in operands]


def _rows(stacks: Sequence[Operand], culprit: Statement) -> list[Type]:
    """The types of the entries of stacks, which are all of one loop."""
    for stack in stacks:
        if not stack.type.dims:
            raise Break(f"{named(stack)} is {stack.type}, not a stack", culprit)
        if stack.type.dims[0] != stacks[0].type.dims[0]:
            raise Break(f"{named(stack)} is a stack of another loop", culprit)
    return [s.type.entry for s in stacks]


def _is(what: str, given: Operand, wanted: Type, culprit: Statement) -> None:
    if given.type != wanted:
        raise Break(f"{what} is {given.type}, not {wanted}", culprit)


def _apply(apply: Apply) -> None:
    op, args = apply.op, apply.args
    if not takes(op, len(args)):
        raise Break(f"{op.name} does not take {len(args)} arguments", apply)
    if op.layout is not None:
        _arrays(apply, op.layout)
    elif any(a.type.dims for a in args):
        raise Break(f"{op.name} does not take an array", apply)
    if op.result == DECLARED:
        _declared(apply)
        return
    given, wanted = apply.out.type, result_type(op, args)
    if given == wanted:
        return
    as_lists = (Type(t.kind, (), t.dims) for t in (given, wanted))
    same = as_lists if op.result == "list" else (given, wanted)  # one that met another
    if not _is_renamed(*same):
        _is(f"the value of {op.name}", apply.out, wanted, apply)


def _is_renamed(given: Type, wanted: Type) -> bool:
    """Whether arrays that met have lengths of two names, which a run finds equal."""
    pairs = list(zip(given.shape, wanted.shape, strict=False))
    return (
        bool(pairs)
        and (given.kind, given.dims) == (wanted.kind, wanted.dims)
        and len(given.shape) == len(wanted.shape)
        and all(
            n == m or (str in (type(n), type(m)) and 1 not in (n, m)) for n, m in pairs
        )
    )


def _arrays(apply: Apply, layout: Layout) -> None:
    """Arrays of the rank, as many indices as dims, elements of the array's kind."""
    args = apply.args
    for name, arg in apply.op.bind(args).items():
        if name in _ARRAYS:
            rank = len(arg.type.dims)
            if not rank or rank != (layout.rank or rank):
                raise Break(f"{named(arg)} is {arg.type}", apply)
        elif name == "index":
            _indices(apply, args[0], arg)
        elif name in _SIZES:
            _is("a size", arg, INT, apply)
        elif name == "value":
            kind = args[0].type.kind if args[0] is not arg else arg.type.kind
            match_types("elements", [arg.type], [Type(kind)], apply)
        elif name == "x" and isinstance(arg, tuple):
            first = {x.type for x in arg}
            if len(first) > 1:
                raise Break(f"the elements are {', '.join(map(str, first))}", apply)


_ARRAYS = frozenset({"array", "other"})


def _indices(apply: Apply, array: Operand, indices: Sequence[Operand]) -> None:
    wanted = len(array.type.dims)
    if len(indices) != wanted and apply.op.result != "length":
        raise Break(f"{len(indices)} indices, not {wanted}", apply)
    if len(indices) >= wanted and apply.op.result == "length":
        raise Break(f"{named(array)} is {array.type}", apply)
    for index in indices:
        _is("an index", index, INT, apply)


def _declared(apply: Apply) -> None:
    """Raise Break where the declared type of an array contradicts its lengths."""
    op, out = apply.op, apply.out
    bound = op.bind(apply.args)
    sizes = [bound[name] for name in op.parameters if name in _SIZES]
    lengths = out.type.lengths
    if len(lengths) != len(sizes) or out.type.kind is not apply.args[0].type.kind:
        raise Break(f"the value of {op.name} is {out.type}", apply)
    for size, dim in zip(sizes, lengths, strict=True):
        # any number is a length that a run makes
        if isinstance(size, Literal) and dim != size.value and not is_of_run(dim):
            raise Break(f"{size.value} elements are {dim}", apply)


_SIZES = frozenset({"size", "layers", "rows", "columns"})


def _branch(branch: Branch) -> None:
    _is("the test", branch.test, BOOL, branch)
    for arm in branch.blocks:
        match_types(
            "arguments of an arm", types_of(branch.args), types_of(arm.params), branch
        )
        match_types(
            "results of an arm", types_of(arm.results), types_of(branch.outs), branch
        )


def _scan(scan: Scan) -> None:
    for bound in (scan.start, scan.stop, scan.step):
        _is("a bound", bound, INT, scan)
    values = (*scan.carries, *scan.reads)
    taken = [INT, *types_of(values), *_rows(scan.entries, scan)]
    match_types("arguments of the body", taken, types_of(scan.body.params), scan)
    given = [*types_of(scan.finals), *_rows(scan.stacks, scan)]
    match_types("results of the body", types_of(scan.body.results), given, scan)
    _carried(scan, scan.carry_params)


def _while(loop: While) -> None:
    for block in loop.blocks:
        given, taken = types_of(loop.inputs), types_of(block.params)
        match_types("arguments of a block", given, taken, loop)
    match_types("results of the test", types_of(loop.test.results), [BOOL], loop)
    if not loop.outs:
        raise Break("a loop gives its trips", loop)
    carried = types_of(loop.finals)
    given = [*carried, *_rows(loop.stacks, loop)]
    match_types("results of the body", types_of(loop.body.results), given, loop)
    match_types("values of the loop", types_of(loop.outs[-1:]), [INT], loop)
    for block in loop.blocks:
        _carried(loop, block.params[: len(loop.carries)])


def _carried(loop: Scan | While, params: Sequence[Var]) -> None:
    """A trip gives values of the types that the next trip takes, and the loop gives."""
    given = types_of(loop.body.results[: len(params)])
    match_types("carries of the next trip", given, types_of(params), loop)
    first = types_of(loop.carries)
    match_types("carries of no trip", first, types_of(loop.outs[: len(params)]), loop)


def _solve(solve: Solve) -> None:
    given = types_of(solve.args)
    match_types("arguments", given, types_of(solve.primal.params), solve)
    match_types("values", types_of(solve.primal.results), types_of(solve.outs), solve)
    count = len(solve.residual.results)
    if not 0 < count <= len(solve.outs):
        raise Break(f"{count} equations for {len(solve.outs)} values", solve)
    taken = [*types_of(solve.unknowns), *given]
    match_types("arguments", taken, types_of(solve.residual.params), solve)
    for unknown, result in zip(solve.unknowns, solve.residual.results, strict=True):
        _is("an unknown", unknown, FLOAT, solve)
        _is("an equation", result, FLOAT, solve)


def _call(call: Call) -> None:
    """No law here: the bundle alone knows the callee."""


def _record(record: Record) -> None:
    _is("what holds values", record.out, RECORD, record)


def _open(opened: Open) -> None:
    _is("what is opened", opened.record, RECORD, opened)


def _check(check: Check) -> None:
    _is("the test", check.test, BOOL, check)


def _print(said: Print) -> None:
    """No law: a print may show any values."""


def _derivative(made: Derivative) -> None:
    given, block = types_of(made.args), made.block
    match_types("arguments", given, types_of(block.params), made)
    if not 0 <= made.count <= len(made.args):
        raise Break(f"{made.count} of {len(made.args)} arguments", made)
    if made.operator not in OPERATORS:
        raise Break(f"no operator is called {made.operator!r}", made)
    rows, columns = block.results, made.args[: made.count]
    outs, seeds = OPERATORS[made.operator](types_of(rows), types_of(columns))
    match_types("values", types_of(made.outs), outs, made)
    match_types("seeds", types_of(made.seeds), seeds, made)
    for one in (*columns, *rows):
        if not one.type.is_real:
            raise Break(f"{named(one)} is {one.type}", made)


CHECKS: dict[type[Statement], Callable[[Any], None]] = {
    Apply: _apply,
    Branch: _branch,
    Scan: _scan,
    While: _while,
    Solve: _solve,
    Call: _call,
    Record: _record,
    Open: _open,
    Check: _check,
    Print: _print,
    Derivative: _derivative,
}
