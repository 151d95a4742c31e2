"""Loop invariants: values that are the same in every trip move in front of the loop.

Only arithmetic of floats and of whole arrays moves, and what is made of numbers that
are known here: it cannot raise, so it does no harm where there are no trips, and it
keeps its bits. Arithmetic of numbers that are written out stays: Python does it once.
Inner loops come first, so a value goes out as far as what it is made of; out of arms
in a loop, too. The length of an array that trips change, but never lengthen, is that of
the array in front of the loop. The length of one that they only read moves where it
would need a name in the trip. An element moves that has been read or stored right in
front of the loop: it is there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from functools import partial
from itertools import islice
from math import prod

from ad_transform.dataclass import dataclass, replace
from ad_transform.ir.blocks.inner import changed_inside, with_block, with_body
from ad_transform.ir.dims import ANY, Dim, is_of_run
from ad_transform.ir.lists.lengths import as_long, keep_length
from ad_transform.ir.lists.same_lengths import only_number
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
    Substitution,
    Var,
    While,
)
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.types import FLOAT, INT

_STORES = frozenset({"set", "add_at", "sub_at"})

_REACH = 32
"""Statements in front of a loop in which an element is looked for."""

Moves = Callable[[Apply, bool], bool]
"""Whether a statement moves, given whether its value is a known number."""
Number = float | None
Numbers = Mapping[Operand, float]


def moved_out(function: Function) -> Function:
    """The function with values that are the same in all trips in front of loops.

    Linear in the statements, and in the depth that values come from.
    """
    return _moved(function, _moves)


def _moves(statement: Apply, is_number: bool) -> bool:
    return (is_number or never_raises(statement)) and not _is_written_out(statement)


def variables_moved_out(function: Function) -> Function:
    """The same, but numbers that are made of numbers alone stay: a program to
    differentiate would lose their names, for statements in front of loops are folded.
    """
    return _moved(function, lambda s, _: never_raises(s) and not _is_known_number(s))


def _moved(function: Function, moves: Moves) -> Function:
    return with_block(function, bounce(_settled(function.block, moves)))


def never_raises(statement: Apply) -> bool:
    """Whether an operation is arithmetic of floats, which has a value for any operands;
    or of arrays, at which numpy at most warns; or lays numbers out as an array.
    """
    name, args = statement.op.name, statement.args
    if (
        (name == "size" and len(args) == 1)
        or name in _LAID_OUT
        or (name == "laid_out" and _is_fitting(statement))
    ):
        return True
    type_ = statement.out.type
    if not (type_.is_real or name in _COMPARISONS):
        return False
    if not (type_.shape or name in _ARITHMETIC):
        return False
    if not _of_one_shape(statement):
        return False
    if type_.shape:
        return statement.op.layout is None or name in _PRODUCTS
    if name == "div":
        return isinstance(args[1], Literal) and args[1].value != 0
    return True


_ARITHMETIC = frozenset({"add", "sub", "mul", "neg", "div"})

_COMPARISONS = frozenset({"lt", "le", "gt", "ge", "eq", "ne"})

_ANY_LAYOUT = "turned column row length width depth count vector counted_up"
_LAID_OUT = frozenset(_ANY_LAYOUT.split())
"""Operations that numpy has for any array, or any numbers."""


def _is_fitting(statement: Apply) -> bool:
    """Whether an array has the number of elements that a matrix of known size has."""
    given, wanted = (
        [size for size in v.type.shape if isinstance(size, int)]
        for v in (statement.args[0], statement.out)
    )
    return len(given) == 1 and len(wanted) == 2 and prod(wanted) == given[0]


_PRODUCTS = frozenset({"mat_vec", "vec_mat", "mat_mat", "outer"})


def _of_one_shape(statement: Apply) -> bool:
    """Whether the arrays of an operation surely fit: numpy would refuse others."""
    if statement.op.name in _PRODUCTS:
        one, other = (arg.type.shape for arg in statement.args)
        return statement.op.name == "outer" or one[-1] == other[0] != ANY
    shape = statement.out.type.shape
    others = [s for a in statement.args if type(a) is Var and (s := a.type.shape)]
    if not (shape or others):
        return True
    return ANY not in shape and all(s == shape for s in others)


def _is_known_number(statement: Apply) -> bool:
    """Whether it makes a number of literals."""
    for arg in statement.args:
        if type(arg) is not Literal:
            return False
    return not statement.out.type.shape


def _is_written_out(statement: Apply) -> bool:
    """Whether it is arithmetic of numbers without a name."""
    for arg in statement.args:
        if type(arg) is not Literal or arg.name:
            return False
    return statement.op.name in _WRITTEN


_WRITTEN = frozenset({*_ARITHMETIC, "pow"})


def _number(statement: Apply, args: Iterable[Operand], numbers: Numbers) -> Number:
    """The value of a function of numbers; None if one is not known, or it raises."""
    known = [a.value if isinstance(a, Literal) else numbers.get(a) for a in args]
    if statement.out.type != FLOAT or None in known:
        return None
    try:
        value = statement.op.compute(*known)
    except (ArithmeticError, ValueError):
        return None
    return value if isinstance(value, float) else None


def _settled(block: Block, moves: Moves) -> Task[Block]:
    """The block, every loop in it without values that are the same in all trips. A
    value in front of a loop is then not computed again behind it.
    """
    if block.kinds.isdisjoint((Scan, While)):
        inside = yield from changed_inside(
            block, lambda held: _settled(held, moves), leaves=False
        )
        return with_body(block, inside)
    body: list[Statement] = []
    known: dict[object, Var] = {}
    env: Substitution = {}
    changed = False
    for statement in block.body:
        made = statement.over(env) if env else statement
        if type(made) is Apply:  # nearly always
            if moves(made, False):
                key = _key_of(made, made.args)
                first = known.setdefault(key, made.out)
                if first is not made.out and not (made.out.hint or made.out.type.dims):
                    env[made.out] = first
                    continue
            changed = changed or made is not statement
            body.append(made)
            continue
        if made.blocks:
            inner: list[Block] = []
            for held in made.blocks:
                inner.append((yield _settled(held, moves)) if held.holders else held)
            if any(a is not b for a, b in zip(inner, made.blocks, strict=True)):
                made = made.rebuilt(made.outs, made.inputs, tuple(inner))
        if isinstance(made, Scan | While):
            made = yield _Ahead(body, known, moves).of(made)
        changed = changed or made is not statement
        body.append(made)
    if not changed and not env:
        return block
    return replace(
        block,
        body=tuple(body),
        results=tuple(env.get(result, result) for result in block.results),
    )


def _key_of(statement: Apply, args: tuple[Operand, ...]) -> object:
    """A key that statements share if they compute the same of some operands."""
    name = statement.op.name
    return (name, frozenset(args)) if statement.op.commutes else (name, args)


@dataclass(slots=True)
class _Inside:
    """A block in a loop: the operands of its values in front of the loop, where they
    are known there, arrays there by their lengths, and its parameters for moved values.
    `given` are the arrays there that its own parameters are as long as.
    """

    block: Block
    outer: Substitution
    sized: dict[Dim, Operand]
    given: Callable[[], Substitution]
    is_arm: bool = False
    params: dict[Var, Var] = field(default_factory=dict)
    lengths: set[Operand] = field(default_factory=set)
    read: Counter[Operand] | None = None
    long: Substitution | None = None

    def as_long(self) -> Substitution:
        """The arrays in front of the loop by those of the block that are as long."""
        if self.long is None:
            self.long = as_long(self.block, self.given())
        return self.long

    def found(self, operand: Operand) -> Operand | None:
        """The operand in front of the loop, None if it is not known there."""
        return operand if isinstance(operand, Literal) else self.outer.get(operand)

    def all_found(self, operands: tuple[Operand, ...]) -> tuple[Operand, ...] | None:
        """The operands in front of the loop; None if one is not known there."""
        outer = self.outer
        for operand in operands:
            if type(operand) is not Literal and operand not in outer:
                return None
        return tuple([o if type(o) is Literal else outer[o] for o in operands])

    def args_found(self, statement: Apply) -> tuple[Operand, ...] | None:
        """Its operands in front of the loop; None if one is not known there."""
        args = statement.args
        if statement.op.name != "size" or args[0] in self.outer:
            return self.all_found(args)
        if len(args) != 1:
            return None
        array = self.sized.get(args[0].type.dims[0]) or self.as_long().get(args[0])
        return None if array is None else (array,)

    def is_place(self, statement: Apply) -> bool:
        """Whether an operation adds a number to a length, or takes one from it."""
        if statement.op.name not in ("add", "sub") or statement.out.type != INT:
            return False
        length, offset = statement.args
        return length in self.lengths and isinstance(offset, Literal)

    def names(self, statement: Apply) -> bool:
        """Whether a value has a name in the block: a length that is read once has none,
        `for i in range(len(x))`.
        """
        if statement.op.name != "size" or statement.args[0] not in self.outer:
            return True
        if self.read is None:
            self.read = Counter(o for s in self.block.body for o in s.inputs)
        return self.read[statement.out] > 1

    def param(self, outer: Var) -> Var:
        """The parameter of the block for a moved value."""
        if outer not in self.params:
            self.params[outer] = Var(outer.type, outer.hint)
            self.outer[self.params[outer]] = outer
        return self.params[outer]


def _sized(arrays: Iterable[Operand]) -> dict[Dim, Operand]:
    """The arrays by how long they are, where that is a length of a name."""
    found: dict[Dim, Operand] = {}
    for array in arrays:
        length = array.type.dims[0] if array.type.dims else ANY
        if isinstance(length, str) and not is_of_run(length):
            found.setdefault(length, array)
    return found


def _kept(loop: Scan | While, block: Block) -> Substitution:
    """The arrays that a loop carries at one length, by parameters of a block."""
    if loop.snapshots is not None:
        return {}
    params = block.params[loop.first_carry :]
    return {params[k]: loop.carries[k] for k in keep_length(loop)}


def _given(branch: Branch, arm: Block, inside: _Inside) -> Substitution:
    """The arrays in front of the loop that the parameters of an arm are as long as."""
    long, pairs = inside.as_long(), zip(arm.params, branch.args, strict=True)
    return {param: long[arg] for param, arg in pairs if arg in long}


@dataclass(slots=True)
class _Ahead:
    """The statements in front of a loop, and their values by their operations."""

    body: list[Statement]
    known: dict[object, Var]
    moves: Moves
    numbers: dict[Operand, float] = field(default_factory=dict)

    def of(self, loop: Scan | While) -> Task[Statement]:
        """The loop without statements that go in front of it; itself, if none does."""
        start, end = loop.first_read, loop.first_entry
        made: list[tuple[Block, _Inside]] = []
        for block in loop.blocks:
            reads = zip(block.params[start:end], loop.reads, strict=True)
            changed = loop.carries if loop.snapshots is None else ()
            kept = partial(_kept, loop, block)
            inside = _Inside(block, dict(reads), _sized(changed), kept)
            made.append(((yield self._without(block, inside)), inside))
        moved = dict.fromkeys(v for _, inside in made for v in inside.params)
        if not moved:
            return loop
        blocks = []
        for block, inside in made:
            more = tuple(inside.param(v) for v in moved)
            params = (*block.params[:end], *more, *block.params[end:])
            blocks.append(replace(block, params=params))
        every = (*loop.reads, *moved)
        if isinstance(loop, Scan):
            return replace(loop, reads=every, body=blocks[0])
        return replace(loop, reads=every, test=blocks[0], body=blocks[1])

    def _without(self, block: Block, inside: _Inside) -> Task[Block]:
        """The block without the statements that go in front of the loop."""
        body: list[Statement] = []
        env: Substitution = {}
        for statement in block.body:
            made = statement.over(env) if env else statement
            if isinstance(made, Branch):
                made = yield self._without_in_arms(made, inside)
            one = only_number(made)
            if one is not None:
                env[made.outs[0]] = one
                continue
            args = self._args(made, inside) if isinstance(made, Apply) else None
            if isinstance(made, Apply) and self._goes(made, args, inside):
                assert args is not None
                env[made.out] = inside.param(self._moved(made, args))
                if made.op.name == "size":
                    inside.lengths.add(env[made.out])
            else:
                body.append(made)
        if not env and tuple(body) == block.body:
            return block
        results = tuple(env.get(r, r) for r in block.results)
        return Block(block.params, tuple(body), results)

    def _args(self, statement: Apply, inside: _Inside) -> tuple[Operand, ...] | None:
        """The operands of a statement in front of the loop; None if it stays inside."""
        args = inside.args_found(statement)
        if args is None:
            return None
        is_number = _number(statement, args, self.numbers) is not None
        moves = self.moves(statement, is_number) or inside.is_place(statement)
        return args if moves or self._is_there(statement, args, inside) else None

    def _is_there(
        self, statement: Apply, args: tuple[Operand, ...], inside: _Inside
    ) -> bool:
        """Whether it reads, in each trip, an element that has been read or stored in
        front of the loop. A value read there of the same array serves the trips.
        """
        if statement.op.name != "get" or inside.is_arm or self.moves is not _moves:
            return False
        array, *index = args
        for one in islice(reversed(self.body), _REACH):
            if type(one) is not Apply:
                if array in one.outs:
                    return False
            elif one.op.name == "get" and one.args == (array, *index):
                if array is args[0]:
                    self.known.setdefault(_key_of(statement, args), one.out)
                return True
            elif one.out is array:
                if one.op.name not in _STORES:
                    return False
                array, _, *stored = one.args
                if stored == index:
                    return True
        return False

    def _goes(
        self, statement: Apply, args: tuple[Operand, ...] | None, inside: _Inside
    ) -> bool:
        """Whether a statement goes out: it is worth a name, or is there already."""
        if args is None:
            return False
        return inside.names(statement) or _key_of(statement, args) in self.known

    def _without_in_arms(self, branch: Branch, inside: _Inside) -> Task[Branch]:
        known = [inside.found(arg) for arg in branch.args]
        arms: list[tuple[Block, _Inside]] = []
        for arm in branch.blocks:
            pairs = zip(arm.params, known, strict=True)
            outer: Substitution = {p: found for p, found in pairs if found is not None}
            given = partial(_given, branch, arm, inside)
            own = _Inside(arm, outer, inside.sized, given, is_arm=True)
            arms.append(((yield self._without(arm, own)), own))
        moved = dict.fromkeys(v for _, own in arms for v in own.params)
        if not moved:
            return branch
        then, orelse = (
            replace(arm, params=(*arm.params, *(own.param(v) for v in moved)))
            for arm, own in arms
        )
        args = (*branch.args, *(inside.param(v) for v in moved))
        return replace(branch, args=args, then=then, orelse=orelse)

    def _moved(self, statement: Apply, args: tuple[Operand, ...]) -> Var:
        """The value of a statement in front of the loop, over values there."""
        key = _key_of(statement, args)
        if key not in self.known:
            old = statement.out
            out = Var(old.type, old.hint, old.span, old.named, old.notes)
            self.body.append(Apply(out, statement.op, args))
            self.known[key] = out
        number = _number(statement, args, self.numbers)
        if number is not None:
            self.numbers[self.known[key]] = number
        return self.known[key]
