"""What is computed before a branch is not computed again in its arms.

f = x - e * sin(x) - m               sin_x = sin(x)
if abs(f) < tol:                     f = x - e * sin_x - m
    done = True                      if abs(f) < tol:
else:                                    done = True
    g = e * sin(x)                   else:
                                         g = e * sin_x

Loops need not be looked at: what no trip changes has left them (`ir.invariant`).
"""

from __future__ import annotations

from dataclasses import replace

from ad_transform.ir.blocks import another
from ad_transform.ir.inner import changed_at, is_same, with_block
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Check,
    Function,
    Operand,
    Print,
    Statement,
    Var,
)
from ad_transform.ir.trampoline import Task, bounce

Key = tuple[str, tuple[Operand, ...]]


def computed_once(function: Function) -> Function:
    """The function with what its arms compute again handed to them.

    Linear in the statements, times the branches one inside the other.
    """
    if not any(isinstance(s, Branch) for s in function.nested):
        return function
    return with_block(function, bounce(_root(function.block)))


def _root(block: Block) -> Task[Block]:
    """A block that sees nothing from outside: the whole, or a trip."""
    made: Block = yield _Level(None).block(block)
    return made


class _Level:
    """A block: what it has computed, and what it is handed from outside."""

    def __init__(self, outer: _Level | None) -> None:
        self.outer = outer
        self.made: dict[Key, Var] = {}
        self.given: dict[Operand, Operand] = {}  # what a parameter is outside
        self.handed: dict[Operand, Var] = {}  # the parameter for what is outside

    def block(self, block: Block) -> Task[Block]:
        """The block without what is known."""
        env: dict[Operand, Operand] = {}
        body: list[Statement] = []
        is_asked = self.outer is not None or Branch in block.kinds
        for statement in block.body:
            taken = statement.over(env) if env else statement
            if type(taken) is Apply:
                if self.outer is not None and _is_number(taken):
                    known = self.find(taken)
                    if known is not None:
                        env[taken.out] = known
                        continue
                if is_asked:
                    self.made[taken.op.name, taken.args] = taken.out
            elif isinstance(taken, Branch):
                taken = yield self._branch(taken)
            elif taken.blocks:
                (taken,) = yield from changed_at((0,), (taken,), _root)
            body.append(taken)
        if is_same(body, block.body) and not env:
            return block
        results = tuple(env.get(result, result) for result in block.results)
        return replace(block, body=tuple(body), results=results)

    def _branch(self, branch: Branch) -> Task[Branch]:
        arms: list[Block] = []
        new: dict[Operand, None] = {}
        levels: list[_Level] = []
        for arm in branch.blocks:
            level = _Level(None if any(map(_says, arm.body)) else self)
            pairs = list(zip(arm.params, branch.args, strict=True))
            level.given.update(pairs)
            level.handed.update((outer, param) for param, outer in pairs)
            made: Block = yield level.block(arm)
            arms.append(made)
            levels.append(level)
            new.update(dict.fromkeys(level.handed))
        args = (*branch.args, *(outer for outer in new if outer not in branch.args))
        if len(args) == len(branch.args):
            if is_same(arms, branch.blocks):
                return branch
            return branch.rebuilt(branch.outs, branch.inputs, tuple(arms))
        more = args[len(branch.args) :]
        then, orelse = (
            replace(
                arm, params=(*arm.params, *(level.handed_on(outer) for outer in more))
            )
            for arm, level in zip(arms, levels, strict=True)
        )
        return Branch(branch.outs, branch.test, args, then, orelse)

    def handed_on(self, outer: Operand) -> Var:
        """The parameter for a value from outside."""
        if outer not in self.handed:
            assert isinstance(outer, Var)
            self.handed[outer] = param = another(outer, {})
            self.given[param] = outer
        return self.handed[outer]

    def find(self, apply: Apply) -> Operand | None:
        """What an operation gives, by the name that it has here, if it was made."""
        scopes: list[_Level] = []
        scope = self
        while (found := scope.own(apply)) is None and scope.outer is not None:
            read = [arg for arg in apply.args if isinstance(arg, Var)]
            if not all(arg in scope.given for arg in read):
                return None
            apply = apply.over({arg: scope.given[arg] for arg in read})
            scopes.append(scope)
            scope = scope.outer
        for inner in reversed(scopes):
            found = found and inner.handed_on(found)
        return found

    def own(self, apply: Apply) -> Operand | None:
        """The same, if it was made in this block."""
        name, args = apply.op.name, apply.args
        found = self.made.get((name, args))
        if found is None and apply.op.commutes:
            return self.made.get((name, args[::-1]))
        return found


def _says(statement: Statement) -> bool:
    """Whether something is printed or raised: what is said changes no number."""
    return isinstance(statement, Check | Print)


def _is_number(apply: Apply) -> bool:
    """Whether an operation makes a number, which nothing changes."""
    type_ = apply.out.type
    return not (apply.op.linear or type_.is_array)
