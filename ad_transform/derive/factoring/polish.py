"""The last pass over derivative code: fewer operations, the same value up to rounding.

Sums and products whose parts nothing else uses are taken apart into terms, which are
monomials; common factors are taken out, signs moved to where they cost nothing,
products with reciprocals turned into quotients. A value is written anew only if that
saves operations. Values that sacred results need are not touched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Set
from itertools import chain
from operator import attrgetter
from typing import Any

from ad_transform.dataclass import dataclass
from ad_transform.derive.factoring.terms import (
    Sum,
    Term,
    cost,
    divided,
    factored,
    multiplied,
    write,
)
from ad_transform.derive.factoring.twins import Body, Results
from ad_transform.ir.blocks.blocks import needed
from ad_transform.ir.blocks.live import live
from ad_transform.ir.build import Builder
from ad_transform.ir.constants import number_of
from ad_transform.ir.elemental import Form
from ad_transform.ir.monomial import Monomial, multiple
from ad_transform.ir.nodes import Apply, Literal, Operand, Var

DEEPEST = 24
"""Nesting of sums in products in sums up to which an expression is looked through."""

_OPEN = frozenset({"add", "sub", "mul", "div", "neg"})


def polish(
    builder: Builder, body: Body, results: Results, primal: int
) -> tuple[Body, Results]:
    """The polished body and results. Linear but for the factoring of long sums."""
    trees = Trees(body, results, primal)
    fresh = builder.inner()
    env: dict[Operand, Operand] = {}
    as_they_are: set[_Key] = builder.memory.setdefault(_AS_THEY_ARE, set())
    for statement in body:
        if isinstance(statement, Apply):
            if statement.out not in trees.inner:
                _write_tree(fresh, statement, trees, env, as_they_are)
        else:
            fresh.simplify(statement, env)
    polished = tuple(env.get(r, r) for r in results)
    return live(tuple(fresh.body), polished), polished


_INPUTS = attrgetter("inputs")

_AS_THEY_ARE = "trees that are written as they are"


class Trees:
    """The values that belong to the expression of their only user; it consists of
    operations with some names.
    """

    def __init__(
        self, body: Body, results: Results, primal: int, names: frozenset[str] = _OPEN
    ) -> None:
        inputs = chain.from_iterable(map(_INPUTS, body))
        uses = Counter(chain(inputs, results))
        self.sacred = needed(body, results[:primal])
        self.names = names
        self.made: dict[Operand, Apply] = {}
        self.inner: set[Operand] = set()
        depth: dict[Var, int] = {}
        made, inner, sacred = self.made, self.inner, self.sacred
        for statement in body:
            if type(statement) is not Apply:
                continue
            out = statement.out
            made[out] = statement
            if out in sacred or statement.op.name not in names or not out.type.is_real:
                continue
            deepest = 0
            for a in statement.args:
                if type(a) is not Var or a not in depth or a.named or uses[a] != 1:
                    continue  # values used once and without a name are looked through
                below = depth[a] + 1
                if below <= DEEPEST:
                    inner.add(a)
                    deepest = max(deepest, below)
            depth[out] = deepest

    def parts(self, value: Operand) -> Apply | None:
        """The operation of a value that may be taken apart."""
        return self.made[value] if value in self.inner else None


def _write_tree(
    fresh: Builder,
    root: Apply,
    trees: Trees,
    env: dict[Operand, Operand],
    as_they_are: set[_Key],
) -> None:
    """Write the expression below a root, anew if that saves operations.

    Trees of one form are either all written as they are, or none.
    """
    out = root.out
    if out in trees.sacred or root.op.name not in _OPEN or not out.type.is_real:
        copy(fresh, root, env, out in trees.sacred)
        return
    if trees.inner.isdisjoint(root.args):
        copy(fresh, root, env, False)
        return
    members = members_of(root, trees)
    if _may_gain(members):
        form = _form(members, trees, env)
        if form not in as_they_are:
            total = gathered(root, trees, env)
            if total is not None and cost(total) < len(members):
                before = len(fresh.body)
                value = write(fresh, total)
                if not fresh.rebind(value, out, before):
                    env[out] = value
                return
            as_they_are.add(form)
    for statement in members:
        copy(fresh, statement, env, False)


_Key = tuple[object, ...]


def _form(members: list[Apply], trees: Trees, env: Mapping[Operand, Operand]) -> _Key:
    """A key, equal for trees that differ in the identity of their leaves alone."""
    inner = trees.inner
    leaves: dict[Operand, int] = {}
    form: list[object] = []
    for statement in members:
        form.append(statement.op.name)
        for a in statement.args:
            if a in inner:
                form.append(None)
                continue
            leaf = env.get(a, a)
            if isinstance(leaf, Literal):
                form += leaf, leaf.name
            else:
                form.append(leaves.setdefault(leaf, len(leaves)))
    return tuple(form)


_SUMS = frozenset({"add", "sub"})
_PRODUCTS = frozenset({"mul", "div"})
_SIGNS = frozenset({"neg", "div"})


def _may_gain(members: list[Apply]) -> bool:
    """Whether a tree has two products, numbers or equal terms to join, or a sign or
    quotient.
    """
    products = numbers = 0
    terms: set[Operand] = set()
    for statement in members:
        name = statement.op.name
        if name in _SUMS:
            if statement.args[0] is statement.args[1] or not terms.isdisjoint(
                statement.args
            ):
                return True
            terms.update(statement.args)
        if name in _SIGNS and len(members) > 1:
            return True
        products += name in _PRODUCTS
        for a in statement.args:
            if type(a) is Literal:
                numbers += 1
                break
    return products > 1 or numbers > 1


def members_of(root: Apply, trees: Trees) -> list[Apply]:
    """The statements of a tree, operands before their users."""
    found, stack = [], [root]
    made, inner = trees.made, trees.inner
    while stack:
        statement = stack.pop()
        found.append(statement)
        for a in statement.args:
            if a in inner:
                stack.append(made[a])
    return found[::-1]


def copy(
    fresh: Builder, statement: Apply, env: dict[Operand, Operand], exact: bool
) -> None:
    """Write a statement over the operands in `env`.

    A power stays one operation, by laws or as it is.
    """
    args, out = statement.args, statement.out
    changed = not env.keys().isdisjoint(args)
    is_power = statement.op.form is Form.POWER
    if changed:
        args = tuple([env.get(a, a) for a in args])
    if not changed and (exact or not is_power):
        made = fresh.adopt(statement)
        if made is not out:
            env[out] = made
        return
    if exact or not out.type.is_real:
        env[out] = fresh.keep(statement.op, args, **_attributes(out))
        return
    before = len(fresh.body)
    made = fresh.apply(statement.op.name, *args, **_attributes(out))
    if is_power and len(fresh.body) > before + 1:
        before = len(fresh.body)
        made = fresh.keep(statement.op, args, **_attributes(out))
    keeps_name = is_power and fresh.knows_powers  # then it stays known if it is not 0
    if not keeps_name or not fresh.rebind(made, out, before):
        env[out] = made


def rewritten(
    builder: Builder,
    body: Body,
    results: Results,
    sacred: Set[Operand],
    write: Callable[[Builder, Apply, dict[Operand, Operand]], Operand | None],
) -> tuple[Body, Results]:
    """The body and results with some values made otherwise: `write` gives such a value
    over the operands in its `env`, None for values that stay. Linear.
    """
    fresh = builder.inner()
    env: dict[Operand, Operand] = {}
    for statement in body:
        if not isinstance(statement, Apply):
            fresh.simplify(statement, env)
            continue
        before = len(fresh.body)
        value = write(fresh, statement, env)
        if value is None:
            copy(fresh, statement, env, statement.out in sacred)
        elif not fresh.rebind(value, statement.out, before):
            env[statement.out] = value
    made = tuple(env.get(r, r) for r in results)
    return live(tuple(fresh.body), made), made


def _attributes(out: Var) -> dict[str, Any]:
    return {
        "hint": out.hint,
        "span": out.span,
        "named": out.named,
        "notes": out.notes,
    }


# --- taking apart ------------------------------------------------------------------


@dataclass(slots=True)
class Visit:
    """A summand still to be looked at, with its sign."""

    value: Operand
    sign: int


def gathered(root: Apply, trees: Trees, env: Mapping[Operand, Operand]) -> Sum | None:
    """The expression below a root, factored; None where no float holds its numbers."""
    try:
        return factored(Sum(tuple(_terms(root, trees, env))))
    except OverflowError:
        return None


def _terms(root: Apply, trees: Trees, env: Mapping[Operand, Operand]) -> list[Term]:
    """The terms of a sum, first to last."""
    terms: list[Term] = []
    stack = summands_of(root, 1) or [Visit(root.out, 1)]
    while stack:
        visit = stack.pop()
        statement = root if visit.value is root.out else trees.parts(visit.value)
        summands = summands_of(statement, visit.sign) if statement else None
        if summands:
            stack.extend(summands)
        else:
            terms.append(_term(statement, visit, trees, env))
    return terms


def summands_of(statement: Apply, sign: int) -> list[Visit] | None:
    """The arguments of a sum, last first; None for anything else."""
    match statement.op.name:
        case "add":
            x, y = statement.args
            return [Visit(y, sign), Visit(x, sign)]
        case "sub":
            x, y = statement.args
            return [Visit(y, -sign), Visit(x, sign)]
        case "neg":
            return [Visit(statement.args[0], -sign)]
    return None


def _term(
    statement: Apply | None, visit: Visit, trees: Trees, env: Mapping[Operand, Operand]
) -> Term:
    """The term that a product is, or an atom if there is no statement."""
    if statement is None:
        return atom_of(visit.value, visit.sign, env)
    x, y = statement.args
    left, right = _factor(x, trees, env), _factor(y, trees, env)
    join = multiplied if statement.op.name == "mul" else divided
    return join(left, right).signed(visit.sign)


def _factor(value: Operand, trees: Trees, env: Mapping[Operand, Operand]) -> Term:
    statement = trees.parts(value)
    if statement is None:
        return atom_of(value, 1, env)
    if statement.op.name in ("mul", "div"):
        return _term(statement, Visit(value, 1), trees, env)
    inner = _terms(statement, trees, env)
    if len(inner) == 1:
        return inner[0]
    return multiple(1.0, Sum(tuple(inner)))


def atom_of(value: Operand, sign: int, env: Mapping[Operand, Operand]) -> Term:
    if isinstance(value, Literal):
        return Monomial(number_of(value)).signed(sign)
    new = env.get(value, value)
    if isinstance(new, Literal):
        return atom_of(new, sign, {})
    assert isinstance(new, Var)
    return multiple(float(sign), new)
