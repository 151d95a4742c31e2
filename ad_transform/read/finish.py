"""From drafts to the nodes of the IR. Linear."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

from ad_transform.dataclass import replace
from ad_transform.ir.blocks.blocks import unchecked
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Call,
    Check,
    Derivative,
    Literal,
    Operand,
    Print,
    Scan,
    Snapshots,
    Solve,
    Statement,
    Var,
    While,
    checks_inside,
)
from ad_transform.ir.types import INT
from ad_transform.read.branches.sinking import sunk
from ad_transform.read.machine.drafts import (
    DraftAnd,
    DraftApply,
    DraftCall,
    DraftCheck,
    DraftChoice,
    DraftDerivative,
    DraftLoop,
    DraftPrint,
    DraftSolve,
    DraftStatement,
    made,
)
from ad_transform.read.machine.naming import plain
from ad_transform.read.values.values import UNNAMED, Draft, Number


class Finisher:
    """Gives every draft its variable, after its name and notes are settled.

    In a block, a draft from outside becomes a parameter at its first use.
    """

    def __init__(self, shared: Set[str] = frozenset()) -> None:
        self.vars: dict[Draft, Var] = {}
        self.shared = shared  # names of values of several functions, or calls of one
        self.taken: dict[Draft, Var] | None = None  # parameters of the block so far
        self.same: dict[Draft, Number] = {}  # carries that never change
        self.cut: Set[Draft] = (
            frozenset()
        )  # independents of the derivative, in its block

    def bind(self, draft: Draft) -> Var:
        """The variable of a draft, made now."""
        named, hint = draft.depth < UNNAMED, plain(draft.hint)
        if hint in self.shared and draft.within.isidentifier():
            within = draft.within.removeprefix("__").removesuffix("__")
            hint = f"{within}_{hint}"  # call_x, of `__call__`
        var = Var(draft.type, hint, draft.span, named, draft.notes)
        if draft not in self.cut or draft not in self.vars:
            self.vars[draft] = var
        return var

    def operand(self, number: Number) -> Operand:
        """An operand; inside a block perhaps a new parameter."""
        if isinstance(number, Literal):
            return number
        while number in self.same:
            kept = self.same[number]
            if isinstance(kept, Literal):
                return kept
            number = kept
        if self.taken is not None and number not in self.vars:
            self.taken[number] = self.bind(number)
        return self.vars[number]

    def statements(self, drafts: Iterable[DraftStatement]) -> tuple[Statement, ...]:
        """The statements in order, without branches that have no effect."""
        made: list[Statement] = []
        for draft in drafts:
            if isinstance(draft, DraftLoop):
                made += self.statements(draft.before)
            statement = self._statement(draft)
            if not (isinstance(statement, Branch) and _is_idle(statement)):
                made.append(statement)
        return tuple(made)

    def _statement(self, draft: DraftStatement) -> Statement:
        if isinstance(draft, DraftApply):  # nearly always
            operands = tuple(map(self.operand, draft.args))
            return Apply(self.bind(draft.out), draft.op, operands)
        match draft:
            case DraftCheck(test, message, formats, span, notes, error):
                parts = self._message(message)
                return Check(self.operand(test), parts, formats, span, notes, error)
            case DraftPrint(message, formats, words, span, notes):
                return Print(self._message(message), formats, words, span, notes)
            case DraftCall(outs, callee, given, raises):
                operands = tuple(map(self.operand, given))
                made = tuple(map(self.bind, outs))
                return Call(made, callee, operands, raises=raises)
            case DraftChoice():
                return self._choice(draft)
            case DraftLoop():
                return self._loop(draft)
            case DraftSolve():
                return self._solve(draft)
            case DraftDerivative():
                return self._derivative(draft)
        return self._lazy(draft)

    def _message(self, parts: Iterable[str | Number]) -> tuple[str | Operand, ...]:
        """The texts and operands of a message."""
        return tuple(p if isinstance(p, str) else self.operand(p) for p in parts)

    def _choice(self, draft: DraftChoice) -> Branch:
        test = self.operand(draft.test)
        arms = [
            self._block(arm.body, arm.results) for arm in (draft.then, draft.orelse)
        ]
        args, (then, orelse) = self._closed(arms)
        outs = tuple(map(self.bind, draft.outs))
        if outs and draft.notes:
            # at a value of the user's: flags are often found to be needless
            k = next((k for k, out in enumerate(outs) if out.named), 0)
            told = replace(outs[k], notes=draft.notes + outs[k].notes)
            outs = (*outs[:k], told, *outs[k + 1 :])
            self.vars[draft.outs[k]] = told
        return Branch(outs, test, args, then, orelse)

    def _block(
        self,
        drafts: Sequence[DraftStatement],
        given: Sequence[Number],
        own: Sequence[Draft] = (),
    ) -> _Open:
        """A block with `own` parameters, and the values that it takes from outside."""
        saved = self.vars, self.taken
        taken: dict[Draft, Var] = {}
        self.vars, self.taken = {}, taken
        params = tuple(map(self.bind, own))
        body = self.statements(sunk(drafts, given))
        results = tuple(map(self.operand, given))
        self.vars, self.taken = saved
        return params, taken, body, results

    def _closed(
        self, blocks: Sequence[_Open]
    ) -> tuple[tuple[Operand, ...], list[Block]]:
        """Blocks with the same parameters, and the arguments for these."""
        outer = list(dict.fromkeys(one for _, taken, _, _ in blocks for one in taken))
        args = tuple(map(self.operand, outer))
        closed: list[Block] = []
        for own, taken, body, results in blocks:
            params = (taken.get(one) or Var(one.type, one.hint) for one in outer)
            closed.append(Block((*own, *params), body, results))
        return args, closed

    def _loop(self, draft: DraftLoop) -> Statement:
        """A loop; the statements in front of it are made already."""
        self.same |= {c.param: c.start for c in draft.carries if c.is_kept}
        carries = [carry for carry in draft.carries if not carry.is_kept]
        starts = tuple(self.operand(carry.start) for carry in carries)
        ends = [carry.end for carry in carries if carry.end is not None]
        own = [carry.param for carry in carries]
        held = Snapshots(draft.snapshots) if draft.snapshots else None
        if draft.index is not None:
            bounds = tuple(map(self.operand, draft.bounds))
            open_ = self._block(draft.body, ends, [draft.index, *own])
            reads, (body,) = self._closed([open_])
            outs = tuple(self.bind(carry.out) for carry in carries)
            start, stop, step = bounds
            ends_ = (start, stop, step, starts, reads, ())
            return Scan(outs, *ends_, body, snapshots=held, notes=draft.notes)
        blocks = [
            self._block(draft.test, (draft.result,), own),
            self._block(draft.body, ends, own),
        ]
        reads, (test, body) = self._closed(blocks)
        outs = tuple(self.bind(carry.out) for carry in carries)
        outs = (*outs, Var(INT, "trips"))
        return While(outs, starts, reads, test, body, held, draft.notes)

    def _solve(self, draft: DraftSolve) -> Solve:
        left = (*draft.unknowns, *draft.others)
        blocks = [
            self._block(draft.body, [made for _, made in left]),
            self._block(draft.residual, draft.ends, draft.params),
        ]
        args, (primal, residual) = self._closed(blocks)
        outs = tuple(self.bind(out) for out, _ in left)
        return Solve(outs, args, primal, residual)

    def _derivative(self, draft: DraftDerivative) -> Derivative:
        saved, self.cut = self.cut, frozenset(draft.independents)
        open_ = self._block(draft.body, draft.ends, draft.independents)
        self.cut = saved
        others, (block,) = self._closed([open_])
        own = tuple(map(self.operand, draft.independents))
        seeds = tuple(map(self.operand, draft.seeds))
        outs = tuple(map(self.bind, draft.outs))
        args = (*own, *others)
        block = unchecked(block)  # the program has made these checks before
        return Derivative(outs, draft.operator, len(own), args, seeds, block)

    def _lazy(self, draft: DraftAnd) -> Branch:
        """`a and b` is `b if a else False`, `a or b` is `True if a else b`."""
        test = self.operand(draft.test)
        block = self._block(draft.body, (draft.result,))
        other: _Open = ((), {}, (), (Literal(not draft.conjunction),))
        arms = (block, other) if draft.conjunction else (other, block)
        args, (then, orelse) = self._closed(arms)
        return Branch((self.bind(draft.out),), test, args, then, orelse)


_Open = tuple[
    tuple[Var, ...], dict[Draft, Var], tuple[Statement, ...], tuple[Operand, ...]
]
"""The own parameters of a block, those for values from outside by draft, its statements
and its results.
"""


def _is_idle(statement: Branch) -> bool:
    """Whether a branch gives no value and makes no check, in its loops neither."""
    if statement.outs:
        return False
    return not checks_inside(statement)


def shared_names(inputs: Iterable[Draft], body: Sequence[DraftStatement]) -> Set[str]:
    """Names of values in several functions, or in several calls of one."""
    homes: dict[str, object] = {}
    shared: set[str] = set()
    for draft in (*inputs, *made(body)):
        if draft.hint and homes.setdefault(draft.hint, draft.call) is not draft.call:
            shared.add(draft.hint)
    return shared
