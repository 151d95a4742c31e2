"""The law of the IR, checked between passes.

1.  Within a block every value is bound once, by a parameter or by one statement. Two
    blocks may bind one value (a block and its copy with another result): by law 2
    neither sees the other's.
2.  Blocks are closed: a statement and the results of its block read only parameters of
    that block and values that statements above have bound in it.
3.  An `Apply` gives its elemental as many arguments as the row has parameters (a
    starred one takes any number, a pair of them an even number), arrays only to
    elementals on arrays, and its value has the type that `result_type` derives.
4.  A test is a bool, the bounds of a `Scan` and the index of its body are ints.
5.  Inner blocks take and give as many values as their statement hands in and binds, of
    the same types; a bool may enter as an int, and either as a float.
6.  The parameters of a function carry the block's parameters in order, as many as their
    nests have leaves; the block has as many results as the function's nest has leaves,
    and at least `primal` of them.
7.  Arrays are linear: one that was given to an elemental that consumes it, carried by a
    loop, or handed into a block that consumes it or gives it back, is not read again. A
    loop does not consume what it only reads.
8.  All entries of a loop have one first dim: its trips. What it records has this dim
    too; a loop without entries has trips of its own, a name that nothing else has.

A function under the law can be printed, evaluated and differentiated; every pass relies
on it and establishes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

from ad_transform.ir.blocks import meaning
from ad_transform.ir.dims import ANY, Dim, names
from ad_transform.ir.elemental import Elemental, Layout
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Bundle,
    Call,
    Check,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
    While,
    walk,
)
from ad_transform.ir.text import lines
from ad_transform.ir.types import BOOL, INT, Kind, Type
from ad_transform.ir.typing import DECLARED, result_type

_AROUND = 3  # lines of the text shown on either side of the culprit


class LawBroken(Exception):
    """A function breaks the law; the message says how and shows where.

    norm: the test is float, not bool
        %2: float = sub(%0, %1)
      > %3: float = branch %2 (%0)
        then (%4 x: float)
    """


class _Break(Exception):
    """The law is broken at a statement, or at the head (0) or end (-1) of a block."""

    def __init__(
        self, reason: str, culprit: Statement | Block | None, place: int = 0
    ) -> None:
        super().__init__(reason)
        self.culprit = culprit
        self.place = place


def verify(function: Function) -> None:
    """Nothing, if the function is under the law; linear.

    Raises LawBroken with the reason and the neighbourhood of the culprit in the text.
    """
    with _located(function):
        _function(function)
        _Scopes().check(function.block)


def verify_bundle(bundle: Bundle) -> None:
    """Nothing, if every function is under the law, and every call too; linear.

    A call has as many arguments and results as the function has, of the same types; the
    function belongs to the bundle, and changes no array it is given nor gives it back.
    """
    known = {function.name: function for function in bundle.functions}
    changing: dict[str, set[Operand]] = {}
    for function in bundle.functions:
        with _located(function):
            _function(function)
            scopes = _Scopes()
            scopes.check(function.block)
            changing[function.name] = scopes.gone(function.block)
    for function in bundle.functions:
        with _located(function):
            for statement in walk(function.body):
                if isinstance(statement, Call):
                    _calls(statement, known, changing)


@contextmanager
def _located(function: Function) -> Iterator[None]:
    """What is broken meanwhile is said with its place."""
    try:
        yield
    except _Break as broken:
        shown = "\n".join(_neighbourhood(function, broken))
        raise LawBroken(f"{function.name}: {broken}\n{shown}") from None


def _calls(
    call: Call, known: Mapping[str, Function], changing: Mapping[str, set[Operand]]
) -> None:
    callee = known.get(call.callee)
    if callee is None:
        raise _Break(f"{call.callee} is no function of the bundle", call)
    params = callee.block.params
    if len(params) != len(call.args):
        _match("arguments of a call", _types(call.args), _types(params), call)
    dims = meaning(params, call.args)  # the callee is one for arrays of any length
    wanted = [param.type.renamed(dims) for param in params]
    given = [result.type.renamed(dims) for result in callee.results]
    _match("arguments of a call", _types(call.args), wanted, call)
    _match("results of a call", given, _types(call.outs), call)
    for param, arg in zip(params, call.args, strict=True):
        if param.type.dims and param in changing[call.callee]:
            raise _Break(f"{call.callee} changes {_name(arg)}", call)


def _neighbourhood(function: Function, broken: _Break) -> Iterator[str]:
    text = list(lines(function))
    found = [k for k, (shown, _) in enumerate(text) if shown is broken.culprit]
    at = found[broken.place]
    for k in range(max(0, at - _AROUND), min(len(text), at + _AROUND + 1)):
        yield ("  > " if k == at else "    ") + text[k][1]


def _function(function: Function) -> None:
    block = function.block
    for p in function.parameters:
        if len(p.vars) != p.nest.leaves():
            raise _Break(f"parameter {p.name} does not fill its nest", None)
    carried = tuple(v for p in function.parameters for v in p.vars)
    if carried != block.params:
        raise _Break("the parameters do not carry those of the block", None)
    if len(block.results) != function.nest.leaves():
        raise _Break("the results do not fill the nest", block, -1)
    if not 0 <= function.primal <= len(block.results):
        raise _Break("more results are primal than there are", block, -1)


# --- scopes and linearity ----------------------------------------------------------


class _Scopes:
    """A walk over the blocks, with what has been bound and which blocks consume."""

    def __init__(self) -> None:
        # the parameters that blocks consume or give back
        self._gone: dict[Block, set[Operand]] = {}

    def check(self, block: Block) -> None:
        waiting = [self._block(block)]
        while waiting:
            inner = next(waiting[-1], None)
            if inner is None:
                waiting.pop()
            else:
                waiting.append(self._block(inner))

    def gone(self, block: Block) -> set[Operand]:
        """The parameters that a block consumes or gives back."""
        return self._gone[block]

    def _block(self, block: Block) -> Iterator[Block]:
        """Checks the block; yields its inner blocks, to be checked before going on."""
        if block in self._gone:
            return
        scope: set[Operand] = set()
        _bind(block.params, scope, block)
        dims = {name for param in block.params for name in _names(param)}
        consumed: set[Operand] = set()
        for statement in block.body:
            if type(statement) is Apply and _is_plain(statement, scope):
                scope.add(statement.out)
                continue
            _readable(statement.inputs, scope, consumed, statement)
            _CHECKS[type(statement)](statement)
            yield from statement.blocks
            consumed.update(self._eaten(statement))
            _bind(statement.outs, scope, statement)
            _bind_dims(statement, dims)
        _readable(block.results, scope, consumed, block, -1)
        given = [r for r in block.results if r.type.dims]
        if len(set(given)) < len(given):
            raise _Break("an array is given twice", block, -1)
        consumed.update(given)
        self._gone[block] = consumed.intersection(block.params)

    def _eaten(self, statement: Statement) -> set[Operand]:
        """The arrays that must not be read behind the statement."""
        if isinstance(statement, Apply):
            whole = statement.args if statement.op.consumes else ()
            return _once([a for a in whole if a.type.dims], statement.args, statement)
        eaten: dict[Operand, None] = {}
        for block in statement.blocks:
            for param, array in _handed(statement, block):
                if param in self._gone[block]:
                    eaten[array] = None
        if isinstance(statement, Scan | While):
            for array in eaten:
                if array in statement.reads:
                    raise _Break(f"a loop consumes {_name(array)}", statement)
            eaten.update((c, None) for c in statement.carries if c.type.dims)
        return _once(list(eaten), statement.inputs, statement)


def _is_plain(apply: Apply, scope: set[Operand]) -> bool:
    """Whether an operation on scalars is surely lawful: most are, and this is fast."""
    op, args, out = apply.op, apply.args, apply.out
    for arg in args:
        if arg.type.dims or (type(arg) is Var and arg not in scope):
            return False
    lawful = _takes(op, len(args)) and op.layout is None and out not in scope
    return lawful and out.type == result_type(op, args)


@cache
def _takes(op: Elemental, count: int) -> bool:
    """Whether an elemental takes so many arguments."""
    starred = sum(p.startswith("*") for p in op.parameters)
    rest = count - (len(op.parameters) - starred)
    return rest >= 0 and not (rest % starred if starred else rest)


def _bind(
    values: Sequence[Var], scope: set[Operand], culprit: Statement | Block
) -> None:
    for var in values:
        if var in scope:
            raise _Break(f"{_name(var)} is bound twice", culprit)
        scope.add(var)


def _bind_dims(statement: Statement, known: set[str]) -> None:
    """Enter the trips of a loop that records; no two loops have the same."""
    if isinstance(statement, Scan | While) and statement.stacks:
        trips = statement.stacks[0].type.dims[0]
        if isinstance(statement, Scan) and statement.entries:
            _is_dim("the trips", trips, statement.entries[0].type.dims[0], statement)
        elif not isinstance(trips, str) or trips in known:
            raise _Break(f"the trips of the loop are {trips}, not its own", statement)
    known.update(name for out in statement.outs for name in _names(out))


def _is_dim(what: str, given: Dim, wanted: Dim, culprit: Statement) -> None:
    if given != wanted:
        raise _Break(f"{what} are {given}, not {wanted}", culprit)


def _names(var: Var) -> Iterator[str]:
    for dim in var.type.dims:
        yield from names(dim)


def _once(
    arrays: list[Operand], inputs: Sequence[Operand], culprit: Statement
) -> set[Operand]:
    """The arrays as a set, if nothing else that goes in is one of them."""
    for array in arrays:
        if inputs.count(array) > 1:
            raise _Break(f"{_name(array)} is consumed and read at once", culprit)
    return set(arrays)


def _handed(statement: Statement, block: Block) -> Iterator[tuple[Var, Operand]]:
    """Parameters of an inner block with what they get from outside."""
    match statement:
        case Branch():
            return zip(block.params, statement.args, strict=True)
        case Scan():
            values = (*statement.carries, *statement.reads, *statement.entries)
            return zip(block.params[1:], values, strict=True)
    return zip(block.params, statement.inputs, strict=True)


def _readable(
    operands: Sequence[Operand],
    scope: set[Operand],
    consumed: set[Operand],
    culprit: Statement | Block,
    place: int = 0,
) -> None:
    for operand in operands:
        if isinstance(operand, Var) and operand not in scope:
            raise _Break(f"{_name(operand)} is not bound here", culprit, place)
        if operand in consumed:
            raise _Break(f"{_name(operand)} has been consumed", culprit, place)


def _name(operand: Operand) -> str:
    return repr(operand.value) if isinstance(operand, Literal) else operand.hint or "%"


# --- arguments and types -----------------------------------------------------------

_WIDTH = {Kind.BOOL: 0, Kind.INT: 1, Kind.FLOAT: 2}


def _fits(given: Type, wanted: Type) -> bool:
    """Whether a value of one type may enter as one of the other."""
    if given.kind is Kind.STR or wanted.kind is Kind.STR:
        return given == wanted
    if given.dims:  # a whole array of another kind would have to be made anew
        return given.kind is wanted.kind and _dims_fit(given.dims, wanted.dims)
    return not wanted.dims and _WIDTH[given.kind] <= _WIDTH[wanted.kind]


def _dims_fit(given: Sequence[Dim], wanted: Sequence[Dim]) -> bool:
    pairs = zip(given, wanted, strict=False)
    return len(given) == len(wanted) and all(w in (ANY, g) for g, w in pairs)


def _match(
    what: str, given: Sequence[Type], wanted: Sequence[Type], culprit: Statement
) -> None:
    if len(given) != len(wanted):
        raise _Break(f"{len(given)} {what}, not {len(wanted)}", culprit)
    for k, (g, w) in enumerate(zip(given, wanted, strict=True), 1):
        if not _fits(g, w):
            raise _Break(f"{what}: number {k} is {g}, not {w}", culprit)


def _types(operands: Sequence[Operand]) -> list[Type]:
    return [operand.type for operand in operands]


def _rows(stacks: Sequence[Operand], culprit: Statement) -> list[Type]:
    """The types of one entry each of the stacks of one loop."""
    for stack in stacks:
        if not stack.type.dims:
            raise _Break(f"{_name(stack)} is {stack.type}, not a stack", culprit)
        if stack.type.dims[0] != stacks[0].type.dims[0]:
            raise _Break(f"{_name(stack)} is a stack of another loop", culprit)
    return [Type(s.type.kind, s.type.dims[1:]) for s in stacks]


def _is(what: str, given: Operand, wanted: Type, culprit: Statement) -> None:
    if given.type != wanted:
        raise _Break(f"{what} is {given.type}, not {wanted}", culprit)


def _apply(apply: Apply) -> None:
    op, args = apply.op, apply.args
    if not _takes(op, len(args)):
        raise _Break(f"{op.name} does not take {len(args)} arguments", apply)
    if op.layout is not None:
        _arrays(apply, op.layout)
    elif any(a.type.dims for a in args):
        raise _Break(f"{op.name} does not take an array", apply)
    if op.result == DECLARED:
        _declared(apply)
    else:
        _is(f"the value of {op.name}", apply.out, result_type(op, args), apply)


def _arrays(apply: Apply, layout: Layout) -> None:
    """Arrays of the rank, as many indices as dims, elements of the array's kind."""
    args = apply.args
    for name, arg in apply.op.bind(args).items():
        if name in _ARRAYS:
            rank = len(arg.type.dims)
            if not rank or rank != (layout.rank or rank):
                raise _Break(f"{_name(arg)} is {arg.type}", apply)
        elif name == "index":
            _indices(apply, args[0], arg)
        elif name in _SIZES:
            _is("a size", arg, INT, apply)
        elif name == "value":
            kind = args[0].type.kind if args[0] is not arg else arg.type.kind
            _match("elements", [arg.type], [Type(kind)], apply)
        elif name == "x":
            first = {x.type for x in arg}
            if len(first) > 1:
                raise _Break(f"the elements are {', '.join(map(str, first))}", apply)


_ARRAYS = frozenset({"array", "other"})


def _indices(apply: Apply, array: Operand, indices: Sequence[Operand]) -> None:
    wanted = len(array.type.dims)
    if len(indices) != wanted and apply.op.result != "length":
        raise _Break(f"{len(indices)} indices, not {wanted}", apply)
    if len(indices) >= wanted and apply.op.result == "length":
        raise _Break(f"{_name(array)} is {array.type}", apply)
    for index in indices:
        _is("an index", index, INT, apply)


def _declared(apply: Apply) -> None:
    """What the statement says of the type is as far as one can see so."""
    op, out = apply.op, apply.out
    bound = op.bind(apply.args)
    sizes = [bound[name] for name in op.parameters if name in _SIZES]
    if (
        len(out.type.dims) != len(sizes)
        or out.type.kind is not bound["value"].type.kind
    ):
        raise _Break(f"the value of {op.name} is {out.type}", apply)
    for size, dim in zip(sizes, out.type.dims, strict=True):
        if isinstance(size, Literal) and size.value != dim:
            raise _Break(f"{size.value} elements are {dim}", apply)


_SIZES = frozenset({"size", "rows", "columns"})


def _branch(branch: Branch) -> None:
    _is("the test", branch.test, BOOL, branch)
    for arm in branch.blocks:
        _match("arguments of an arm", _types(branch.args), _types(arm.params), branch)
        _match("results of an arm", _types(arm.results), _types(branch.outs), branch)


def _scan(scan: Scan) -> None:
    for bound in (scan.start, scan.stop, scan.step):
        _is("a bound", bound, INT, scan)
    values = (*scan.carries, *scan.reads)
    taken = [INT, *_types(values), *_rows(scan.entries, scan)]
    _match("arguments of the body", taken, _types(scan.body.params), scan)
    given = [*_types(scan.outs[: len(scan.carries)]), *_rows(scan.stacks, scan)]
    _match("results of the body", _types(scan.body.results), given, scan)
    _carried(scan, scan.body.params[1 : len(scan.carries) + 1])


def _while(loop: While) -> None:
    for block in loop.blocks:
        given, taken = _types(loop.inputs), _types(block.params)
        _match("arguments of a block", given, taken, loop)
    _match("results of the test", _types(loop.test.results), [BOOL], loop)
    if not loop.outs:
        raise _Break("a loop gives its trips", loop)
    carried = _types(loop.outs[: len(loop.carries)])
    given = [*carried, *_rows(loop.stacks, loop)]
    _match("results of the body", _types(loop.body.results), given, loop)
    _match("values of the loop", _types(loop.outs[-1:]), [INT], loop)
    for block in loop.blocks:
        _carried(loop, block.params[: len(loop.carries)])


def _carried(loop: Scan | While, params: Sequence[Var]) -> None:
    """What a trip gives must be what the next one takes, and the loop's value."""
    given = _types(loop.body.results[: len(params)])
    _match("carries of the next trip", given, _types(params), loop)
    first = _types(loop.carries)
    _match("carries of no trip", first, _types(loop.outs[: len(params)]), loop)


def _call(call: Call) -> None:
    """What it calls is known to its bundle alone."""


def _check(check: Check) -> None:
    _is("the test", check.test, BOOL, check)


_CHECKS: dict[type[Statement], Callable[[Any], None]] = {
    Apply: _apply,
    Branch: _branch,
    Scan: _scan,
    While: _while,
    Call: _call,
    Check: _check,
}
