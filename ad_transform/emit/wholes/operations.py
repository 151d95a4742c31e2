"""Operations of programs with whole arrays: each by its rule, and those without one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ad_transform.dataclass import replace
from ad_transform.diagnostics import Diagnostic
from ad_transform.elementals.whole import BY_ELEMENT
from ad_transform.emit.schedule.roles import role_beside
from ad_transform.emit.wholes import (
    axes,
    creations,
    equations,
    layers,
    layouts,
    lines,
    listed,
    orders,
    parts,
    products,
    sums,
    triangles,
)
from ad_transform.emit.wholes.arrays import Whole, of_number, settled, stored
from ad_transform.emit.wholes.boundaries import Stack, Value
from ad_transform.emit.wholes.draft import EMPTY, ZERO, Draft
from ad_transform.emit.wholes.elementwise import by_element
from ad_transform.ir.nodes import (
    Apply,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
)
from ad_transform.ir.types import INT

RULES = {
    **parts.RULES,
    **listed.RULES,
    **layouts.RULES,
    **creations.RULES,
    **triangles.RULES,
    **sums.RULES,
    **axes.RULES,
    **lines.RULES,
    **layers.RULES,
    **products.RULES,
    **orders.RULES,
    **equations.RULES,
}

Env = dict[Operand, Value]


class Operations:
    """Drafts the operations of one function.

    `wrong` are refusals of operations without a rule in the language; `looks` are
    values whose names and comments new ones take over.
    """

    def __init__(self, language: str, wrong: dict[str, Diagnostic]) -> None:
        self.language = language
        self.wrong = wrong
        self.looks: dict[Operand, Var] = {}
        self.names: dict[Operand, str] = {}  # of values that have none

    def add(self, statement: Apply, draft: Draft, env: Env, once: set[Operand]) -> None:
        """Draft an operation; values in `once` are read once."""
        args = [env.get(a, a) for a in statement.args]
        out, name, start = statement.out, statement.op.name, len(draft.body)
        plain = [a for a in args if not isinstance(a, Whole | Stack)]
        if not out.type.shape and len(plain) == len(args) and name not in RULES:
            known: Operand | None = _decided(name, plain)
            if name == "size":
                known = _told(draft, statement)
            if known is not None:
                env[out] = known
                return
            row = draft.rows.get(name, statement.op)
            draft.body.append(Apply(out, row, tuple(plain)))
            env[out] = out
            draft.note(out, name, plain)
            return
        rule: Any = by_element if name in BY_ELEMENT else RULES.get(name)
        if rule is None:
            self._refuse(statement)
            env[out] = _instead(out)
            return
        if statement.op.consumes:
            settled(draft, args[0], env)
            args = [env.get(a, a) for a in statement.args]
        value: Value = rule(draft, statement, args)
        name = self._name(statement) if isinstance(value, Whole) else out.hint
        if isinstance(value, Whole) and not value.is_free:
            value = replace(value, hint=name)
            value = value if out in once else stored(draft, value)
        env[out] = value
        made = value.stored if isinstance(value, Whole) else value
        if name and isinstance(made, Var):
            look = out if out.hint else Var(out.type, name)
            for one in _states(made, draft.body[start:]):
                self.looks.setdefault(one, look)

    def _name(self, statement: Apply) -> str:
        """The name of an array: its own, else one after the first named operand."""
        out = statement.out
        if out.hint:
            return out.hint
        read = [a for a in statement.args if isinstance(a, Var)]
        named = next((a for a in read if a.hint or a in self.names), None)
        if named is None:
            return ""
        name = named.hint or self.names[named]
        self.names[out] = name
        return role_beside(statement, named, name)

    def _refuse(self, statement: Apply) -> None:
        op = statement.op
        message = f"`{op.spelling('python')}` is not written in {self.language} yet"
        way_out = "write loops over its elements"
        found = Diagnostic("AD033", message, statement.out.span, way_out)
        self.wrong.setdefault(message, found)


def _states(made: Var, body: Sequence[Statement]) -> Iterator[Var]:
    """A value that statements make, and the values that it was before, latest first."""
    for statement in reversed(body):
        if made in statement.outs:
            yield made
            carries = statement.carries if isinstance(statement, Scan) else ()
            before = dict(zip(statement.outs, carries, strict=False)).get(made)
            if not isinstance(before, Var):
                return
            made = before


def _decided(name: str, args: Sequence[Operand]) -> Literal | None:
    """The outcome of a test of lengths that are one number here; else None."""
    if name in ("eq", "ne") and args[0] is args[1] and args[0].type == INT:
        return Literal(name == "eq")
    if name == "not" and isinstance(args[0], Literal):
        return Literal(not args[0].value)
    return None


def _told(draft: Draft, size: Apply) -> Operand | None:
    """The length of a list, or of its rows, if it has a name."""
    array, *indices = size.args
    return draft.length(array.type.dims[len(indices)])


def _instead(out: Var) -> Value:
    """A value in place of one that is not written."""
    if not out.type.shape:
        return EMPTY[out.type.kind]
    return replace(
        of_number(EMPTY[out.type.kind]),
        shape=out.type.shape,
        lengths=(ZERO,) * len(out.type.shape),
    )
