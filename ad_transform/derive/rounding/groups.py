"""Operations element by element that one loop computes, with the operands that only
they need.

Of a choice between arrays only the arm that is taken is computed: the other may raise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

from ad_transform.dataclass import dataclass
from ad_transform.ir.blocks.free import free
from ad_transform.ir.build import Builder, as_float
from ad_transform.ir.dims import alike
from ad_transform.ir.nodes import Apply, Block, Literal, Operand, Statement, Var
from ad_transform.ir.types import Type

_CHOICE = "where"


@dataclass(frozen=True, slots=True)
class Group:
    """The operations that make the elements of one array, in order; `inputs` are the
    arrays and numbers that they read.
    """

    members: tuple[Apply, ...]
    inputs: tuple[Operand, ...]

    @property
    def root(self) -> Apply:
        """The operation that makes the array."""
        return self.members[-1]

    def element(self, builder: Builder, env: dict[Operand, Operand]) -> Operand:
        """One element, by the elements of the inputs in `env`."""
        makers: dict[Operand, Apply] = {member.out: member for member in self.members}
        return _Element(makers, builder, env).value(self.root.out)


def groups(
    body: Sequence[Statement], results: Sequence[Operand]
) -> dict[Statement, Group]:
    """The group that each operation element by element is in. Linear."""
    by_element = [s for s in body if isinstance(s, Apply) and _is_by_element(s)]
    readers: dict[Operand, list[Statement]] = {}
    for statement in body:
        for value in dict.fromkeys(statement.inputs):
            readers.setdefault(value, []).append(statement)
    kept = set(results)
    root: dict[Statement, Apply] = {}
    for statement in reversed(by_element):
        roots = {root.get(reader) for reader in readers.get(statement.out, ())}
        found = roots.pop() if len(roots) == 1 else None
        shape = statement.out.type.shape
        if (
            found is None
            or statement.out in kept
            or not alike(shape, found.out.type.shape)
        ):
            found = statement
        root[statement] = found
    members: dict[Apply, list[Apply]] = {}
    for statement in by_element:
        members.setdefault(root[statement], []).append(statement)
    made = {own: _group(tuple(members[own])) for own in members}
    return {statement: made[root[statement]] for statement in by_element}


def _is_by_element(statement: Apply) -> bool:
    return statement.op.layout is None and bool(statement.out.type.shape)


def _group(members: tuple[Apply, ...]) -> Group:
    inside = {member.out for member in members}
    read = dict.fromkeys(value for member in members for value in member.args)
    inputs = (v for v in read if isinstance(v, Var) and v not in inside)
    return Group(members, tuple(inputs))


@dataclass(slots=True)
class _Element:
    """One element in the making; `env` are its values so far."""

    makers: Mapping[Operand, Apply]
    builder: Builder
    env: dict[Operand, Operand]

    def value(self, value: Operand) -> Operand:
        """The element of a value of the group or of an input."""
        if isinstance(value, Literal):
            return value
        if value not in self.env:
            maker = self.makers[value]
            chosen = maker.op.name == _CHOICE
            self.env[value] = self._chosen(maker) if chosen else self._made(maker)
        return self.env[value]

    def _made(self, maker: Apply) -> Operand:
        out, args = maker.out, tuple(self.value(arg) for arg in maker.args)
        return self.builder.apply(
            maker.op.name,
            *args,
            hint=out.hint,
            span=out.span,
            named=out.named,
            notes=out.notes,
        )

    def _chosen(self, maker: Apply) -> Operand:
        test, x, y = maker.args
        found, out = self.value(test), _number(maker.out)
        then, orelse = self._arm(x, out), self._arm(y, out)
        read = (free(arm.body, arm.results) for arm in (then, orelse))
        given = tuple(dict.fromkeys(chain.from_iterable(read)))
        params = tuple(Var(v.type, v.hint) for v in given)
        arms = _over(then, given, params), _over(orelse, given, params)
        return self.builder.branch(found, given, *arms, (out,))[0]

    def _arm(self, value: Operand, out: Var) -> Block:
        """A block that makes an element of one arm, over the values so far."""
        inner = self.builder.inner()
        made = _Element(self.makers, inner, dict(self.env)).value(value)
        if out.type.is_real and not made.type.is_real:
            made = (
                as_float(made)
                if isinstance(made, Literal)
                else inner.apply("float", made)
            )
        return inner.block((), (made,))


def _number(out: Var) -> Var:
    """A variable for an element of an array, under the array's name."""
    return Var(Type(out.type.kind), out.hint, out.span, out.named)


def _over(block: Block, given: Sequence[Operand], params: tuple[Var, ...]) -> Block:
    """The block with parameters for the values that it reads."""
    env: dict[Operand, Operand] = dict(zip(given, params, strict=True))
    body = tuple(statement.over(env) for statement in block.body)
    return Block(params, body, tuple(env.get(r, r) for r in block.results))
