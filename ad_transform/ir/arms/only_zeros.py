"""Functions whose derivatives are 0 where a test holds: they return zeros there.

    det_bar = 0.0 if left else 1.0       m_bar = _rows_like(a, 0.0)
    m_bar = _rows_like(a, 0.0)           if left:
    for p, f in reversed(saved):             return m_bar
        m_bar[p] -= det_bar * f          for p, f in reversed(saved):
        ...                                  ...
    return m_bar                         return m_bar

So no loop back hands on zeros, and nothing in it is 0 times infinity.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from ad_transform.dataclass import dataclass, replace
from ad_transform.ir.arms.cones import ZEROS
from ad_transform.ir.arms.zeroed import is_zero, zeros_of
from ad_transform.ir.blocks.blocks import another, pruned, renewed
from ad_transform.ir.blocks.consumed import Consumption
from ad_transform.ir.blocks.decided import taken
from ad_transform.ir.build import Builder
from ad_transform.ir.dims import ANY
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.lists.lengths import keep_length
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
    While,
    checks,
    checks_inside,
)
from ad_transform.ir.simplify import LAWS
from ad_transform.ir.trampoline import bounce

_ZERO = Literal(0.0)

_MOST = 8
"""Arms that are tried."""
_STORES = frozenset({"set", "add_at", "sub_at"})
_NEW = frozenset({"full", "grid", "block", "like", "rows_like", "layers_like"})
"""Operations that give arrays of one number."""
_LIKE = ("", "like", "rows_like", "layers_like")
"""Those that make a list like another, by its axes."""


def zeros_at_once(function: Function, table: Mapping[str, Elemental]) -> Function:
    """The function with its loops back in an arm, where all derivatives are 0 in the
    other one. Linear in the statements. `table` has the operations.
    """
    block, primal = function.block, function.primal
    derivatives = [
        r for r in dict.fromkeys(block.results[primal:]) if isinstance(r, Var)
    ]
    if not derivatives or not any(isinstance(s, Scan | While) for s in block.body):
        return function
    for test, arm in _arms(block):
        if _are_zero(derivatives, block, test, arm):
            parts = _Parts.of(block, primal, test)
            over = _Over.of(block, test, arm, table)
            zeros = parts.zeros(derivatives, over) if parts.has_loop() else None
            if zeros is not None:
                block = _joined(block, derivatives, over, parts, zeros)
                break
    made = _made_apart(block)
    return function if made is function.block else replace(function, block=made)


def _made_apart(block: Block) -> Block:
    """The block that ends with a branch, of which one arm gives an array of one number
    that the other one changes: each makes it, so its elements stay known.
    """
    *before, branch = block.body or (None,)
    if not isinstance(branch, Branch):
        return block
    read = Counter(o for s in before if s is not None for o in s.inputs)
    read.update((*branch.inputs, *block.results))
    moving = {
        s.out: s
        for s in before
        if isinstance(s, Apply) and s.op.name in _NEW and read[s.out] == 1
        if _is_given(branch, s.out)
    }
    if not moving:
        return block
    args = dict.fromkeys(a for a in branch.args if a not in moving)
    args.update(dict.fromkeys(a for s in moving.values() for a in s.args))
    params = tuple(arg for arg in args if isinstance(arg, Var))
    arms: list[Block] = []
    for arm in branch.blocks:
        env: dict[Operand, Operand] = dict(zip(arm.params, branch.args, strict=True))
        body = (*moving.values(), *(s.over(env) for s in arm.body))
        ends = tuple(env.get(result, result) for result in arm.results)
        arms.append(renewed(Block(params, body, ends)))
    made = Branch(branch.outs, branch.test, *pruned(params, *arms))
    body = (*(s for s in before if s not in moving.values()), made)
    return replace(block, body=body)


def _is_given(branch: Branch, array: Operand) -> bool:
    """Whether an arm of a branch only gives an array that it is given."""
    if array not in branch.args:
        return False
    place = branch.args.index(array)
    for arm in branch.blocks:
        param = arm.params[place]
        inside = any(param in s.inputs for s in arm.body)
        if param in arm.results and not inside:
            return True
    return False


def _arms(block: Block) -> list[tuple[Var, int]]:
    """The tests of branches that give zeros, each with the arm that does so."""
    found: dict[tuple[Var, int], None] = {}
    for statement in block.body:
        if isinstance(statement, Branch) and isinstance(statement.test, Var):
            for arm, inside in enumerate(statement.blocks):
                if not ZEROS.isdisjoint(inside.results):
                    found[statement.test, arm] = None
    return [*found][:_MOST]


# --- zeros ----------------------------------------------------------------------------


def _are_zero(values: Sequence[Var], block: Block, test: Var, arm: int) -> bool:
    """Whether values are 0 in a block where a test leads to an arm."""
    found: set[Operand] = set(ZEROS)
    for statement in block.body:
        if isinstance(statement, Apply):
            if is_zero(statement, found):
                found.add(statement.out)
            continue
        is_taken = isinstance(statement, Branch) and statement.test is test
        arms = (arm,) if is_taken else (0, 1)
        found.update(bounce(zeros_of(statement, found, arms)))
    return found.issuperset(values)


# --- statements for an arm ------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Over:
    """The case in which all derivatives are 0: an `arm` of branches on a test. `models`
    are parameters that last, by dims and shape; `table` has the operations.
    """

    test: Var
    arm: int
    models: Mapping[tuple[object, ...], Var]
    table: Mapping[str, Elemental]

    @classmethod
    def of(
        cls, block: Block, test: Var, arm: int, table: Mapping[str, Elemental]
    ) -> _Over:
        gone = Consumption().by_all(block.body)
        lasting = [p for p in block.params if _is_long(p) and p not in gone]
        models: dict[tuple[object, ...], Var]
        models = {(p.type.dims, p.type.shape): p for p in reversed(lasting)}
        return cls(test, arm, models, table)

    def zeros(self, derivative: Var, model: Var) -> Apply:
        """Zeros as long as a parameter."""
        out = Var(derivative.type, derivative.hint)
        if model.type.shape:
            return Apply(out, self.table["zeros_like"], (model,))
        op = self.table[_LIKE[len(model.type.dims)]]
        return Apply(out, op, (model, _ZERO))


def _is_long(param: Var) -> bool:
    """Whether a parameter is an array whose type tells all its lengths."""
    return param.type.is_array and ANY not in (*param.type.dims, *param.type.shape)


@dataclass(frozen=True, slots=True)
class _Parts:
    """The statements of a block: `staying` are those that the value needs, or a test,
    and `moving` those that derivatives alone need.
    """

    staying: tuple[Statement, ...]
    moving: tuple[Statement, ...]

    @classmethod
    def of(cls, block: Block, primal: int, test: Var) -> _Parts:
        """The parts of a block; a read of an array that the value changes stays."""
        needed: set[Operand] = {*block.results[:primal], test}
        parts: tuple[list[Statement], list[Statement]] = ([], [])
        consumption, gone = Consumption(), set[Operand]()
        for statement in reversed(block.body):
            moves = needed.isdisjoint(statement.outs) and not _is_seen(statement)
            moves = moves and gone.isdisjoint(statement.inputs)
            parts[moves].append(statement)
            if not moves:
                needed.update(statement.inputs)
                gone |= consumption.by(statement)
        staying, moving = (tuple(reversed(part)) for part in parts)
        return cls(staying, moving)

    def zeros(self, derivatives: Sequence[Var], over: _Over) -> Block | None:
        """A block that makes zeros for some derivatives, arrays as long as each; None
        where a length is not known.
        """
        makers: dict[Operand, Statement] = {}
        makers.update((out, s) for s in self.moving for out in s.outs)
        results: list[Operand] = []
        own: list[Statement] = []
        body: dict[Statement, None] = {}
        for derivative in derivatives:
            model = over.models.get((derivative.type.dims, derivative.type.shape))
            start: Operand | None = _ZERO
            if model is not None:
                own.append(over.zeros(derivative, model))
                (start,) = own[-1].outs
            elif derivative.type.is_array:
                start = _start(derivative, makers, over)
            if start is None or (start != _ZERO and start in results):
                return None
            results.append(start)
        waiting = list(results)
        while waiting:
            maker = makers.get(waiting.pop())
            if maker is None:
                continue
            if not isinstance(maker, Apply) or maker.op.consumes:
                return None
            body[maker] = None
            waiting += maker.args
        made = (*(s for s in self.moving if s in body), *own)
        return Block((), made, tuple(results))

    def has_loop(self) -> bool:
        """Whether a loop moves: else nothing is gained."""
        return any(isinstance(s, Scan | While) for s in self.moving)


def _is_seen(statement: Statement) -> bool:
    """Whether users see that a statement runs."""
    return checks(statement) or checks_inside(statement)


def _start(
    array: Operand, makers: Mapping[Operand, Statement], over: _Over
) -> Operand | None:
    """The array of zeros that an array began as; None where its length may change."""
    while True:
        match makers.get(array):
            case Apply(op=op, args=args) if op.name in _STORES:
                array = args[0]
            case Apply(op=op) if op.name in _NEW:
                return array
            case Branch() as branch if branch.test is over.test:
                block = branch.blocks[over.arm]
                end = block.results[branch.outs.index(array)]
                if end not in block.params:
                    return None
                array = branch.args[block.params.index(end)]
            case Scan() as loop if array in loop.finals:
                k = loop.outs.index(array)
                if k not in keep_length(loop):
                    return None
                array = loop.carries[k]
            case _:
                return None


def _joined(
    block: Block,
    derivatives: Sequence[Var],
    over: _Over,
    parts: _Parts,
    zeros: Block,
) -> Block:
    """The block, with a branch on a test for all that moves."""
    rest = _rest(parts.moving, derivatives, over)
    both = (zeros, rest) if over.arm == 0 else (rest, zeros)
    every = (*zeros.body, *rest.body)
    made = {over.test, *(out for s in every for out in s.outs)}
    read = dict.fromkeys(o for s in every for o in s.inputs)
    read.update(dict.fromkeys(rest.results))
    args = tuple(o for o in read if isinstance(o, Var) and o not in made)
    arms = (renewed(replace(arm, params=args)) for arm in both)
    new: dict[Operand, Var] = {
        derivative: another(derivative, {}) for derivative in derivatives
    }
    branch = Branch(tuple(new.values()), over.test, *pruned(args, *arms))
    results = tuple(new.get(result, result) for result in block.results)
    return replace(block, body=(*parts.staying, branch), results=results)


def _rest(body: Sequence[Statement], derivatives: Sequence[Var], over: _Over) -> Block:
    """Statements that make derivatives where these are not 0. Operations on numbers
    that are known there are simplified.
    """
    before = {s.out: s.args for s in body if isinstance(s, Apply)}
    known: dict[Operand, Operand] = {over.test: Literal(over.arm == 1)}
    rest = taken(Block((), tuple(body), tuple(derivatives)), known)
    builder, env = Builder(over.table, LAWS), dict[Operand, Operand]()
    for statement in rest.body:
        made = statement.over(env)
        if isinstance(made, Apply) and _is_new(made, before):
            env[made.out] = builder.apply(made.op.name, *made.args, hint=made.out.hint)
        else:
            builder.body.append(made)
    ends = tuple(env.get(result, result) for result in rest.results)
    return Block((), tuple(builder.body), ends)


def _is_new(statement: Apply, before: Mapping[Var, tuple[Operand, ...]]) -> bool:
    """Whether an operation makes a number of other operands than before."""
    out = statement.out
    return not out.type.is_array and statement.args != before.get(out)
