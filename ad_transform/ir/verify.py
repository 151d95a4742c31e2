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
    and at least `primal` of them. Nobody knows what binds those of one from outside.
7.  Arrays are linear: one that was given to an elemental that consumes it, carried by a
    loop, or handed into a block that consumes it or gives it back, is not read again. A
    loop does not consume what it only reads.
8.  All entries of a loop have one first dim: its trips. What it records has this dim
    too; a loop without entries has trips of its own, a name that nothing else has.

A function under the law can be printed, evaluated and differentiated; every pass relies
on it and establishes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from ad_transform.ir.blocks.blocks import meaning
from ad_transform.ir.blocks.consumed import handed
from ad_transform.ir.dims import Dim, names
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Bundle,
    Call,
    Function,
    Operand,
    Record,
    Scan,
    Statement,
    Var,
    While,
    walk,
)
from ad_transform.ir.statement_law import (
    CHECKS,
    Break,
    is_plain,
    match_types,
    named,
    types_of,
)
from ad_transform.later import later

with later():
    from ad_transform.ir.text import lines

_AROUND = 3  # lines of the text shown on either side of the culprit


class LawBroken(Exception):
    """A function breaks the law; the message says how and shows where.

    norm: the test is float, not bool
        %2: float = sub(%0, %1)
      > %3: float = branch %2 (%0)
        then (%4 x: float)
    """


class Lawful:
    """The parts found to be under the law: functions; blocks, with the parameters that
    they consume or give back; and statements as far as each stands for itself.

    None ever changes, and a part that is held here keeps its identity.
    """

    __slots__ = ("blocks", "functions", "statements")

    def __init__(self) -> None:
        self.blocks: dict[Block, set[Operand]] = {}
        self.functions: set[Function] = set()
        self.statements: set[Statement] = set()

    def clear(self) -> None:
        """Forget all of it."""
        self.blocks.clear()
        self.functions.clear()
        self.statements.clear()


def verify(function: Function, known: Lawful | None = None) -> None:
    """Nothing, if the function is under the law; linear.

    Parts in `known` are not checked again, and parts found lawful are entered there.
    Raises LawBroken with the reason and the neighbourhood of the culprit in the text.
    """
    if known and function in known.functions:
        return
    with _located(function):
        _function(function)
        if function.outside is None:
            _Scopes(known).check(function.block)
    if known:
        known.functions.add(function)


def is_lawful(block: Block, known: Lawful | None = None) -> bool:
    """Whether a block is under the law, wherever its parameters come from; linear."""
    try:
        _Scopes(known).check(block)
    except Break:
        return False
    return True


def verify_bundle(bundle: Bundle, known: Lawful | None = None) -> None:
    """Nothing, if every function is under the law, and every call too; linear.

    The function of a call belongs to the bundle, and has as many parameters and results
    as the call, of the same types. Of the arrays that it is given it changes just those
    that the call says, and gives back no other.
    """
    callees = {function.name: function for function in bundle.functions}
    changing: dict[str, set[Operand]] = {}
    for function in bundle.functions:
        with _located(function):
            _function(function)
            scopes = _Scopes(known)
            if function.outside is None:
                scopes.check(function.block)
                changing[function.name] = scopes.gone(function.block)
    for function in bundle.functions:
        with _located(function):
            for statement in walk(function.body):
                if isinstance(statement, Call):
                    _calls(statement, callees, changing)


@contextmanager
def _located(function: Function) -> Iterator[None]:
    """A context that gives a broken law its place in the function."""
    try:
        yield
    except Break as broken:
        shown = "\n".join(_neighbourhood(function, broken))
        raise LawBroken(f"{function.name}: {broken}\n{shown}") from None


def _calls(
    call: Call, known: Mapping[str, Function], changing: Mapping[str, set[Operand]]
) -> None:
    callee = known.get(call.callee)
    if callee is None:
        raise Break(f"{call.callee} is no function of the bundle", call)
    params = callee.block.params
    if len(params) != len(call.args):
        match_types("arguments of a call", types_of(call.args), types_of(params), call)
    if callee.outside is not None:
        match_types(
            "results of a call", types_of(callee.results), types_of(call.outs), call
        )
        return  # a whole number may be given for a float, as in the source
    dims = meaning(params, call.args)  # the callee is one for arrays of any length
    wanted = [param.type.renamed(dims) for param in params]
    given = [result.type.renamed(dims) for result in callee.results]
    match_types("arguments of a call", types_of(call.args), wanted, call)
    match_types("results of a call", given, types_of(call.outs), call)
    for k, (param, arg) in enumerate(zip(params, call.args, strict=True)):
        told = k in call.changes
        if param.type.dims and not told and param in changing[call.callee]:
            raise Break(f"{call.callee} changes {named(arg)}", call)


def _neighbourhood(function: Function, broken: Break) -> Iterator[str]:
    text = list(lines(function))
    found = [k for k, (shown, _) in enumerate(text) if shown is broken.culprit]
    at = found[broken.place]
    for k in range(max(0, at - _AROUND), min(len(text), at + _AROUND + 1)):
        yield ("  > " if k == at else "    ") + text[k][1]


def _function(function: Function) -> None:
    block = function.block
    for p in function.parameters:
        if len(p.vars) != p.nest.leaves():
            raise Break(f"parameter {p.name} does not fill its nest", None)
    carried = tuple(v for p in function.parameters for v in p.vars)
    if carried != block.params:
        raise Break("the parameters do not carry those of the block", None)
    if len(block.results) != function.nest.leaves():
        raise Break("the results do not fill the nest", block, -1)
    if not 0 <= function.primal <= len(block.results):
        raise Break("more results are primal than there are", block, -1)


# --- scopes and linearity ----------------------------------------------------------


class _Scopes:
    """A walk over the blocks, with the values bound and the arrays consumed so far."""

    def __init__(self, known: Lawful | None) -> None:
        known = known or Lawful()
        self._alone = known.statements
        self._gone = known.blocks

    def check(self, block: Block) -> None:
        waiting = [] if block in self._gone else [self._block(block)]
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
        scope: set[Operand] = set()
        _bind(block.params, scope, block)
        arrays = [param for param in block.params if param.type.dims]
        dims = {name for array in arrays for name in _names(array)}
        consumed: set[Operand] = set()
        for statement in block.body:
            if type(statement) is Apply and is_plain(statement, scope):
                scope.add(statement.out)
                continue
            _readable(statement.inputs, scope, consumed, statement)
            if statement not in self._alone:
                CHECKS[type(statement)](statement)
                self._alone.add(statement)
            if type(statement) is Apply and _makes_a_number(statement):
                _bind(statement.outs, scope, statement)
                continue
            for inner in statement.blocks:
                if inner not in self._gone:
                    yield inner
            consumed.update(self._eaten(statement))
            _bind(statement.outs, scope, statement)
            _bind_dims(statement, dims)
        _readable(block.results, scope, consumed, block, -1)
        given = [r for r in block.results if r.type.dims]
        if len(set(given)) < len(given):
            raise Break("an array is given twice", block, -1)
        consumed.update(given)
        self._gone[block] = consumed.intersection(block.params)

    def _eaten(self, statement: Statement) -> set[Operand]:
        """The arrays that must not be read behind the statement."""
        if isinstance(statement, Apply):
            whole = statement.args if statement.op.consumes else ()
            return _once([a for a in whole if a.type.dims], statement.args, statement)
        if isinstance(statement, Call):
            changed = [statement.args[k] for k in statement.changes]
            return _once(changed, statement.args, statement)
        if isinstance(statement, Record):
            arrays = [a for a in statement.args if a.type.dims]
            return _once(arrays, statement.args, statement)
        eaten: dict[Operand, None] = {}
        for block in statement.blocks:
            for param, array in handed(statement, block):
                if param in self._gone[block]:
                    eaten[array] = None
        if isinstance(statement, Scan | While):
            for array in eaten:
                if array in statement.reads:
                    raise Break(f"a loop consumes {named(array)}", statement)
            eaten.update((c, None) for c in statement.carries if c.type.dims)
        return _once(list(eaten), statement.inputs, statement)


def _makes_a_number(apply: Apply) -> bool:
    """Whether an operation makes no array and consumes none."""
    return not (apply.op.consumes or apply.out.type.dims)


def _bind(
    values: Sequence[Var], scope: set[Operand], culprit: Statement | Block
) -> None:
    for var in values:
        if var in scope:
            raise Break(f"{named(var)} is bound twice", culprit)
        scope.add(var)


def _bind_dims(statement: Statement, known: set[str]) -> None:
    """Enter the dim of a loop that records; raises Break if another loop has it."""
    if isinstance(statement, Scan | While) and statement.stacks:
        trips = statement.stacks[0].type.dims[0]
        if isinstance(statement, Scan) and statement.entries:
            _is_dim("the trips", trips, statement.entries[0].type.dims[0], statement)
        elif not isinstance(trips, str) or trips in known:
            raise Break(f"the trips of the loop are {trips}, not its own", statement)
    for out in statement.outs:
        if out.type.dims:
            known.update(_names(out))


def _is_dim(what: str, given: Dim, wanted: Dim, culprit: Statement) -> None:
    if given != wanted:
        raise Break(f"{what} are {given}, not {wanted}", culprit)


def _names(var: Var) -> Iterator[str]:
    for dim in var.type.dims:
        yield from names(dim)


def _once(
    arrays: list[Operand], inputs: Sequence[Operand], culprit: Statement
) -> set[Operand]:
    """The arrays as a set; raises Break if one is among the other inputs, too."""
    for array in arrays:
        if inputs.count(array) > 1:
            raise Break(f"{named(array)} is consumed and read at once", culprit)
    return set(arrays)


def _readable(
    operands: Sequence[Operand],
    scope: set[Operand],
    consumed: set[Operand],
    culprit: Statement | Block,
    place: int = 0,
) -> None:
    for operand in operands:
        if type(operand) is not Var:  # a constant
            continue
        if operand not in scope:
            raise Break(f"{named(operand)} is not bound here", culprit, place)
        if operand in consumed:
            raise Break(f"{named(operand)} has been consumed", culprit, place)
