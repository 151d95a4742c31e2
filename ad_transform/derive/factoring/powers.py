"""Powers of derivative code: as they stand, as products, and by each other.

A power is one operation, and its products may share squares with others; where `x**19`
is computed as well, `x**20` is `x**19 * x`, and a sum of multiples of both has a common
factor. Which of these leads to fewer operations is seen once sums have been factored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Set

from ad_transform.derive.factoring.polish import rewritten
from ad_transform.derive.factoring.twins import Body, Results
from ad_transform.ir.blocks.blocks import needed
from ad_transform.ir.build import Builder
from ad_transform.ir.constants import number_of
from ad_transform.ir.decimals import total
from ad_transform.ir.elemental import Form
from ad_transform.ir.nodes import Apply, Literal, Operand, Substitution, Var

Versions = Callable[[Builder, Body, Results, int], Iterator[tuple[Body, Results]]]
"""From code, and the number of results that are primal, to versions of it."""


def with_powers(
    builder: Builder, body: Body, results: Results, primal: int
) -> Iterator[tuple[Body, Results]]:
    """The body and results with powers as products, by each other, and as they stand,
    where these differ. Linear.

    Values that the first `primal` results need stay as they are.
    """
    sacred = needed(body, results[:primal])
    powers = [s for s in body if isinstance(s, Apply) and _is_power(s)]
    loose: dict[Operand, Apply] = {s.out: s for s in powers if s.out not in sacred}
    lower = _lower(powers, loose)
    are_products = False

    def as_product(
        fresh: Builder, statement: Apply, env: Substitution
    ) -> Operand | None:
        nonlocal are_products
        if statement.out not in loose:
            return None
        before = len(fresh.body)
        args = (env.get(a, a) for a in statement.args)
        value = fresh.apply(statement.op.name, *args)
        are_products |= len(fresh.body) > before + 1  # else it is made so anyway
        return value

    def by_lower(fresh: Builder, statement: Apply, env: Substitution) -> Operand | None:
        lowest, factors = statement, 0
        while lowest.out in lower:
            lowest, factors = lower[lowest.out], factors + 1
        if not factors:
            return None
        base, value = lowest.args[0], fresh.adopt(lowest.over(env))
        for _ in range(factors):
            value = fresh.apply("mul", value, env.get(base, base))
        return value

    by_upper = _by_upper(powers, loose)
    if by_upper:
        yield rewritten(builder, body, results, sacred, by_upper)
    made = body, results
    if loose:
        multiplied = rewritten(builder, body, results, sacred, as_product)
        if are_products:
            made = multiplied
            yield multiplied
    if lower:
        yield rewritten(builder, body, results, sacred, by_lower)
    yield body, results
    by_halves = _by_halves(made[0], sacred)
    if by_halves:
        yield rewritten(builder, *made, sacred, by_halves)


def _by_halves(
    body: Body, sacred: Set[Operand]
) -> Callable[[Builder, Apply, Substitution], Operand | None] | None:
    """What takes sacred powers for loose roots: x**0.5 is sqrt(x)."""
    halves = {
        s.args[0]: s.out
        for s in body
        if isinstance(s, Apply) and s.out in sacred and _is_half(s)
    }
    roots = {
        s.out: halves[s.args[0]]
        for s in (body if halves else ())
        if isinstance(s, Apply) and s.op.name == "sqrt" and s.args[0] in halves
    }
    loose = {root: half for root, half in roots.items() if root not in sacred}

    def as_power(fresh: Builder, statement: Apply, env: Substitution) -> Operand | None:
        half = loose.get(statement.out)
        return None if half is None else env.get(half, half)

    return as_power if loose else None


def _is_half(statement: Apply) -> bool:
    return _is_power(statement) and _exponent(statement) == 0.5


def _by_upper(
    powers: list[Apply], loose: dict[Operand, Apply]
) -> Callable[[Builder, Apply, Substitution], Operand | None] | None:
    """What makes loose powers quotients of sacred ones: x**-0.75 is x**0.25 / x, and
    raises at 0 as well.
    """
    roots = {
        (s.op.name, s.args[0], total(n, -1.0)): s.out
        for s in powers
        if s.out not in loose and (n := _exponent(s)) is not None and 0.0 < n < 1.0
    }
    upper = {
        out: roots[key]
        for out, s in (loose.items() if roots else ())
        if (key := (s.op.name, s.args[0], _exponent(s))) in roots
    }

    def as_quotient(
        fresh: Builder, statement: Apply, env: Substitution
    ) -> Operand | None:
        root = upper.get(statement.out)
        if root is None:
            return None
        x = statement.args[0]
        return fresh.apply("div", env.get(root, root), env.get(x, x))

    return as_quotient if upper else None


def with_halves(
    builder: Builder, body: Body, results: Results, primal: int
) -> Iterator[tuple[Body, Results]]:
    """The same, with `x * sqrt(x)` also as `x**1.5` where `x**2.5` is there and nothing
    else reads that root. That is an operation less, and overflows only where the other
    power does. Linear.
    """
    yield from with_powers(builder, body, results, primal)
    statements = [s for s in body if isinstance(s, Apply) and s.out.type.is_real]
    above = {s.args[0]: s for s in statements if _is_power(s) and _exponent(s) == 2.5}
    if not above:
        return
    sacred = needed(body, results[:primal])
    roots = {s.out: s.args[0] for s in statements if s.op.name == "sqrt"}
    reads = Counter((*results, *(x for s in body for x in s.inputs)))
    products: dict[Operand, Apply] = {}
    for statement in statements:
        root = _root_times_its_own(statement, roots)
        if root is None or roots[root] not in above or reads[root] > 1:
            continue
        if sacred.isdisjoint((root, statement.out)):
            products[statement.out] = above[roots[root]]

    def as_power(fresh: Builder, statement: Apply, env: Substitution) -> Operand | None:
        power = products.get(statement.out)
        if power is None:
            return None
        base = power.args[0]
        return fresh.keep(power.op, (env.get(base, base), Literal(1.5)))

    if products:
        made = rewritten(builder, body, results, sacred, as_power)
        yield from with_powers(builder, *made, primal)


def _root_times_its_own(statement: Apply, roots: dict[Var, Operand]) -> Var | None:
    """The root in `x * sqrt(x)`."""
    if statement.op.name == "mul":
        for x, root in (statement.args, statement.args[::-1]):
            if isinstance(root, Var) and roots.get(root) == x:
                return root
    return None


def _is_power(statement: Apply) -> bool:
    return statement.op.form is Form.POWER and statement.out.type.is_real


def _lower(powers: list[Apply], loose: dict[Operand, Apply]) -> dict[Operand, Apply]:
    """The powers whose exponent is less by one, by loose powers."""
    known = {(s.op.name, s.args[0], _exponent(s)): s for s in powers}
    found = {}
    for out, statement in loose.items():
        exponent = _exponent(statement)
        if exponent is not None:
            name, base = statement.op.name, statement.args[0]
            lower = known.get((name, base, total(exponent, -1.0)))
            if lower is not None and lower is not statement:  # 1e20 is not less by one
                found[out] = lower
    return found


def _exponent(statement: Apply) -> float | None:
    """The exponent if it is a number without a name."""
    exponent = statement.args[1]
    if not isinstance(exponent, Literal) or not statement.args[0].type.is_real:
        return None
    number = number_of(exponent)
    return number if type(number) is float else None
