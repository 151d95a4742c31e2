"""Linear combinations of the results of an operator, taken before it is differentiated.

A derivative is linear: p · (J v) is the tangent of p · f along v, H p the tangent of
the gradient along p, and p · (H p) the second tangent of f along p. So a sum of
derivatives need not be formed from its terms: elimination begins at either end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field

from ad_transform.dataclass import dataclass
from ad_transform.derive.sweep.order import ordered
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Derivative,
    Literal,
    Operand,
    Statement,
    Var,
)
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.types import FLOAT


@dataclass(frozen=True, slots=True)
class Factor:
    """The factor of one value in a combination: a signed product and quotient."""

    sign: int = 1
    times: tuple[Operand, ...] = ()
    over: tuple[Operand, ...] = ()


ONE = Factor()
Combination = Mapping[int, Factor]
"""A sum of values of an operator, by their places."""


def combined(block: Block) -> Block:
    """The block, and those in it, with operators on linear combinations in the place of
    linear combinations of operators' values, where fewer values are left.
    """
    return bounce(_combined(block))


def _combined(block: Block) -> Task[Block]:
    body = list(block.body)
    at = 0
    while at < len(body):
        statement = body[at]
        if isinstance(statement, Derivative):
            changed = _absorbed(statement, body, block.results)
            if changed is not None:
                body, at = changed, 0
                continue
        at += 1
    done: list[Statement] = []
    for statement in body:
        inner: list[Block] = []
        for one in statement.blocks:
            inner.append((yield _combined(one)))
        outs, inputs = statement.outs, statement.inputs
        done.append(statement.rebuilt(outs, inputs, tuple(inner)))
    return Block(block.params, tuple(done), block.results)


def _absorbed(
    made: Derivative, body: Sequence[Statement], results: Iterable[Operand]
) -> list[Statement] | None:
    """The body with an operator that gives the ends of its combinations. None if these
    are no fewer than before, or no rule makes them.

    Of w J v there is no rule: then w J comes first, whose factors are single values.
    """
    rule = _RULES.get(made.operator)
    if rule is None or not all(map(_is_number, made.outs)):
        return None
    for most in (MANY, 1):
        linear = _linear(made, body, most)
        ends = _ends(linear, body, results)
        if len(ends) < len({k for end in ends for k in linear[end]}):
            bench = _Bench()
            found = rule(made, {end: linear[end] for end in ends}, bench)
            if found is not None:
                kept = [s for s in body if linear.keys().isdisjoint(s.outs)]
                return list(ordered((*kept, *bench.body, found)))
    return None


MANY = 8
"""Factors of one value in a combination that is followed."""


def _linear(
    made: Derivative, body: Sequence[Statement], most: int
) -> dict[Var, Combination]:
    """All values that are linear combinations of an operator's values, with so many
    factors at most.
    """
    linear: dict[Var, Combination] = {v: {k: ONE} for k, v in enumerate(made.outs)}
    touched: set[Operand] = set(made.outs)
    for statement in body:
        if touched.isdisjoint(statement.inputs):
            continue
        touched.update(statement.outs)
        if isinstance(statement, Apply):
            combination = _combination(statement, linear, touched)
            if combination is not None and _size(combination) <= most:
                linear[statement.out] = combination
    return linear


def _size(combination: Combination) -> int:
    sizes = (len(f.times) + len(f.over) for f in combination.values())
    return max(sizes, default=0)


def _combination(
    statement: Apply, linear: Mapping[Var, Combination], touched: set[Operand]
) -> Combination | None:
    rule = _COMBINE.get(statement.op.name)
    if rule is None or not all(map(_is_number, (statement.out, *statement.args))):
        return None
    if not all(a in linear or a not in touched for a in statement.args):
        return None
    parts: list[_Part] = []
    for arg in statement.args:
        own = linear.get(arg) if isinstance(arg, Var) else None
        parts.append(arg if own is None else own)
    return rule(parts)


def _is_number(operand: Operand) -> bool:
    return not operand.type.is_array


_Part = Operand | Combination


def _added(parts: Sequence[_Part]) -> Combination | None:
    total: dict[int, Factor] = {}
    for part in parts:
        if isinstance(part, Literal) and part.value == 0:
            continue  # `sum` starts with it
        if isinstance(part, Var | Literal) or not total.keys().isdisjoint(part):
            return None
        total |= part
    return total


def _taken(parts: Sequence[_Part]) -> Combination | None:
    first, second = parts
    if isinstance(second, Var | Literal):
        return None
    return _added((first, _negated((second,)) or {}))


def _negated(parts: Sequence[_Part]) -> Combination | None:
    (part,) = parts
    assert not isinstance(part, Var | Literal)
    return {k: Factor(-f.sign, f.times, f.over) for k, f in part.items()}


def _multiplied(parts: Sequence[_Part]) -> Combination | None:
    first, second = parts
    if isinstance(first, Var | Literal):
        first, second = second, first
    if isinstance(first, Var | Literal) or not isinstance(second, Var | Literal):
        return None
    own = (second,)
    return {k: Factor(f.sign, f.times + own, f.over) for k, f in first.items()}


def _divided(parts: Sequence[_Part]) -> Combination | None:
    first, second = parts
    if isinstance(first, Var | Literal) or not isinstance(second, Var | Literal):
        return None
    own = (second,)
    return {k: Factor(f.sign, f.times, f.over + own) for k, f in first.items()}


_COMBINE: Mapping[str, Callable[[Sequence[_Part]], Combination | None]] = {
    "add": _added,
    "sum": _added,
    "sub": _taken,
    "neg": _negated,
    "mul": _multiplied,
    "div": _divided,
}


def _ends(
    linear: Mapping[Var, Combination],
    body: Sequence[Statement],
    results: Iterable[Operand],
) -> list[Var]:
    """The combinations that other statements read."""
    read = set(results)
    for statement in body:
        if linear.keys().isdisjoint(statement.outs):
            read.update(statement.inputs)
    return [value for value in linear if value in read]


# --- rules ----------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class _Bench:
    """Statements under construction."""

    body: list[Statement] = field(default_factory=list)

    def apply(self, op: str, *args: Operand) -> Operand:
        out = Var(FLOAT)
        self.body.append(Apply(out, TABLE[op], args))
        return out

    def number(self, factor: Factor | None) -> Operand:
        """The factor as one operand."""
        if factor is None:
            return Literal(0.0)
        first, *rest = map(_real, factor.times or (Literal(1.0),))
        for one in rest:
            first = self.apply("mul", first, one)
        for one in factor.over:
            first = self.apply("div", first, _real(one))
        if factor.sign > 0:
            return first
        if isinstance(first, Literal):
            return Literal(-first.value)  # type: ignore[operator]
        return self.apply("neg", first)

    def total(self, terms: Iterable[tuple[Operand, Operand]]) -> Operand:
        """The sum of products."""
        found: Operand | None = None
        for weight, value in terms:
            one = value
            if weight != Literal(1.0):
                one = self.apply("mul", weight, value)
            found = one if found is None else self.apply("add", found, one)
        return Literal(0.0) if found is None else found


def _real(operand: Operand) -> Operand:
    if isinstance(operand, Literal) and not operand.name:
        return Literal(float(operand.value))
    return operand


_Ends = Mapping[Var, Combination]


def _of_tangent(made: Derivative, ends: _Ends, bench: _Bench) -> Derivative | None:
    """Combinations of tangents are the tangents of combinations."""
    rows = [
        {k: bench.number(factor) for k, factor in end.items()} for end in ends.values()
    ]
    args, block = _weighed(made, rows)
    return Derivative(tuple(ends), "tangent", made.count, args, made.seeds, block)


def _of_adjoint(made: Derivative, ends: _Ends, bench: _Bench) -> Derivative | None:
    """A combination of the entries of w J is the tangent of w · f along its factors."""
    if len(ends) > 1:
        return None
    (end,) = ends.values()
    seeds = tuple(bench.number(end.get(k)) for k in range(made.count))
    args, block = _weighed(made, [dict(enumerate(made.seeds))])
    return Derivative(tuple(ends), "tangent", made.count, args, seeds, block)


def _of_matrix(made: Derivative, ends: _Ends, bench: _Bench) -> Derivative | None:
    """J v is the tangent along v, w J the derivative of w · f."""
    count = made.count
    by_row = _one_each(
        {e: _split(c, lambda k: divmod(k, count)) for e, c in ends.items()}
    )
    if by_row is not None:
        rows, along = by_row
        seeds = tuple(bench.number(along.get(j)) for j in range(count))
        block = made.block
        results = tuple(block.results[i] for i in rows)
        block = Block(block.params, block.body, results)
        return Derivative(tuple(ends), "tangent", count, made.args, seeds, block)
    by_column = _one_each(
        {e: _split(c, lambda k: divmod(k, count)[::-1]) for e, c in ends.items()}
    )
    if by_column is None:
        return None
    columns, weights = by_column
    args, block = _weighed(made, [{i: bench.number(f) for i, f in weights.items()}])
    outs = dict(zip(columns, ends, strict=True))
    every = tuple(outs.get(j) or Var(FLOAT) for j in range(count))
    return Derivative(every, "derivative", count, args, (), block)


_Split = Mapping[int, Mapping[int, Factor]]


def _split(
    combination: Combination, places: Callable[[int], tuple[int, ...]]
) -> _Split:
    """A combination of entries of a matrix by the first of their two places."""
    found: dict[int, dict[int, Factor]] = {}
    for k, factor in combination.items():
        first, second = places(k)
        found.setdefault(first, {})[second] = factor
    return found


def _one_each(
    ends: Mapping[Var, _Split],
) -> tuple[list[int], Mapping[int, Factor]] | None:
    """The line that each end is made of, and the factors that all ends share. None if
    an end is made of several lines, or ends have different factors.
    """
    lines = [line for split in ends.values() for line in split]
    factors = [own for split in ends.values() for own in split.values()]
    if len(lines) != len(ends) or len(set(lines)) != len(lines):
        return None
    return (lines, factors[0]) if all(own == factors[0] for own in factors) else None


def _weighed(
    made: Derivative, rows: Sequence[Mapping[int, Operand]]
) -> tuple[tuple[Operand, ...], Block]:
    """The arguments and the block of an operator on sums of its results: each of `rows`
    has the weights of one sum.
    """
    given = dict.fromkeys(w for row in rows for w in row.values() if type(w) is Var)
    inside: dict[Operand, Operand] = {w: Var(FLOAT, w.hint) for w in given}
    bench, block = _Bench(), made.block
    results = tuple(
        bench.total((inside.get(w, w), block.results[k]) for k, w in row.items())
        for row in rows
    )
    params = (*block.params, *(v for v in inside.values() if isinstance(v, Var)))
    return (*made.args, *given), Block(params, (*block.body, *bench.body), results)


_RULES: Mapping[str, Callable[[Derivative, _Ends, _Bench], Derivative | None]] = {
    "tangent": _of_tangent,
    "adjoint": _of_adjoint,
    "derivative": _of_matrix,
}
