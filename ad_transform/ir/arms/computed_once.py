"""A value that is computed before a branch is not computed again in its arms.

f = x - e * sin(x) - m               sin_x = sin(x)
if abs(f) < tol:                     f = x - e * sin_x - m
    done = True                      if abs(f) < tol:
else:                                    done = True
    g = e * sin(x)                   else:
                                         g = e * sin_x

Loops need not be looked at: what no trip changes has left them (`ir.invariant`). Places
in lists, and whether there are any, are looked for once even where no arm is between.
"""

from __future__ import annotations

from ad_transform.dataclass import replace
from ad_transform.ir.blocks.blocks import another
from ad_transform.ir.blocks.inner import changed_at, is_same, with_block
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
    """The function with values handed to arms that computed them again.

    Linear in the statements, and in the values handed on through branches.
    """
    if not any(isinstance(s, Branch) for s in function.nested):
        return function
    return with_block(function, bounce(_root(function.block)))


def _root(block: Block) -> Task[Block]:
    """A block that sees nothing from outside: the whole, or a trip."""
    made: Block = yield _Level(None).block(block)
    return made


class _Level:
    """A block: the values handed from outside; and the operations so far, in this block
    and in those around, by their arguments in the outermost block that has them.
    """

    def __init__(self, outer: _Level | None, says: bool = False) -> None:
        self.outer = outer
        self.says = says  # it prints or checks: only places are handed on
        self.made: dict[Key, tuple[_Level, Var]] = outer.made if outer else {}
        self.places: set[Operand] = outer.places if outer else set()
        self.origins: dict[Operand, Operand] = {}  # by parameter, outermost
        self.handed: dict[Operand, Var] = {}  # parameters by value outside
        self._own: list[tuple[Key, tuple[_Level, Var] | None]] = []

    def block(self, block: Block) -> Task[Block]:
        """The block without operations that are known."""
        env: dict[Operand, Operand] = {}
        body: list[Statement] = []
        is_asked = self.outer is not None or Branch in block.kinds
        changed = False
        for statement in block.body:
            taken = statement.over(env) if env else statement
            if type(taken) is Apply:
                type_ = taken.out.type
                if is_asked and not (taken.op.linear or type_.dims or type_.shape):
                    known = self._once(taken)
                    if known is not taken.out:
                        env[taken.out] = known
                        continue
                elif taken.op.name == "copy":
                    self.origins[taken.out] = self._origin(taken.args[0])
            elif isinstance(taken, Branch):
                taken = yield self._branch(taken)
            elif taken.blocks:
                (taken,) = yield from changed_at((0,), (taken,), _root)
            changed = changed or taken is not statement
            body.append(taken)
        if not changed and not env:
            return block
        results = tuple(env.get(result, result) for result in block.results)
        return replace(block, body=tuple(body), results=results)

    def _branch(self, branch: Branch) -> Task[Branch]:
        arms: list[Block] = []
        new: dict[Operand, None] = {}
        levels: list[_Level] = []
        for arm in branch.blocks:
            level = _Level(self, not _SAYING.isdisjoint(arm.kinds))
            level.handed = dict(zip(branch.args, arm.params, strict=True))
            origins = map(self._origin, branch.args)
            level.origins = dict(zip(arm.params, origins, strict=True))
            made: Block = yield level.block(arm)
            level._leave()
            arms.append(made)
            levels.append(level)
            new |= dict.fromkeys(level.handed)
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
            if self.outer is not None:  # else nothing from outside is asked for
                self.origins[param] = self.outer._origin(outer)
        return self.handed[outer]

    def _origin(self, operand: Operand) -> Operand:
        """The operand in the outermost block that has it."""
        return self.origins.get(operand, operand)

    def _once(self, apply: Apply) -> Var:
        """The value of an operation, by its name here: that of an earlier operation
        that is the same, or its own, which is known from now on.
        """
        origins, name = self.origins, apply.op.name
        args = apply.args
        if origins:
            args = tuple([origins.get(a, a) for a in args])
        is_place = name in _TELLING and self._tells_a_place(apply, args)
        key, before, found = (name, args), None, None
        if self.outer is not None or is_place:
            found = before = self.made.get(key)
            if found is None and apply.op.commutes:
                found = self.made.get((name, args[::-1]))
        scopes = self._inside(found[0]) if found is not None else []
        if found is None or (not is_place and any(scope.says for scope in scopes)):
            self._own.append((key, before))
            self.made[key] = self, apply.out
            if is_place:
                self.places.add(apply.out)
            return apply.out
        value = found[1]
        for inner in reversed(scopes):
            value = inner.handed_on(value)
        return value

    def _tells_a_place(self, apply: Apply, args: tuple[Operand, ...]) -> bool:
        """Whether it finds or compares a place, or reads an item that may be a key."""
        name = apply.op.name
        if name == "get":
            return not apply.out.type.is_real
        return name in _PLACES or (name == "lt" and args[0] in self.places)

    def _inside(self, outer: _Level) -> list[_Level]:
        """The levels from this one up to an outer one, without that."""
        found: list[_Level] = []
        scope = self
        while scope is not outer:
            found.append(scope)
            assert scope.outer is not None
            scope = scope.outer
        return found

    def _leave(self) -> None:
        """Forget the operations of this block."""
        for key, before in reversed(self._own):
            if before is None:
                del self.made[key]
            else:
                self.made[key] = before


_PLACES = frozenset({"place", "place_beside", "place_among"})
_TELLING = _PLACES | {"get", "lt"}
_SAYING = frozenset({Check, Print})
"""Statements that print or may raise: no number depends on them."""
