"""Products and sums in derivative code, with the factors first that parameters alone
decide.

`a * (x * k)` becomes `(a * k) * x` where `a` and `k` are such factors, `a - x + k`
becomes `(a + k) - x`: as many operations, of which a setup takes more. Statements for
the value of the source keep their order (law 3). Only products and sums that nothing
else reads are taken apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set

from ad_transform.dataclass import replace
from ad_transform.elementals import TABLE
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Function,
    Literal,
    Operand,
    Statement,
    Var,
)
from ad_transform.ir.types import FLOAT

_ADD, _SUB, _MUL = TABLE["add"], TABLE["sub"], TABLE["mul"]

Made = list[Statement]
Making = Callable[[Apply, Mapping[Var, Apply], Set[Operand], Set[Operand]], Made]


def regrouped(function: Function, given: Sequence[Var]) -> Function:
    """The function with products and sums of its own block regrouped; linear."""
    products = _regrouped(function, given, {_MUL}, _product)
    return _regrouped(products, given, {_ADD, _SUB}, _sum)


def _regrouped(
    function: Function, given: Iterable[Var], ops: Set[Elemental], making: Making
) -> Function:
    known: set[Operand] = set(given)
    for statement in function.body:
        if known.issuperset(o for o in statement.inputs if isinstance(o, Var)):
            known.update(statement.outs)
    uses = Counter(o for s in function.body for o in s.inputs)
    uses.update(function.results)
    sacred = _sacred(function)
    chains = {
        s.out: s
        for s in function.body
        if isinstance(s, Apply) and s.op in ops and _is_free(s, sacred, known)
    }
    inner = {
        arg
        for chain in chains.values()
        for arg in chain.args
        if arg in chains and uses[arg] == 1
    }
    body: list[Statement] = []
    for statement in function.body:
        if not isinstance(statement, Apply) or statement.out not in chains:
            body.append(statement)
        elif statement.out not in inner:
            body += making(statement, chains, inner, known)
    block = Block(function.block.params, tuple(body), function.results)
    return replace(function, block=block)


def _is_free(statement: Apply, sacred: Set[Operand], known: Set[Operand]) -> bool:
    """Whether a statement is derivative code that parameters alone do not decide."""
    out = statement.out
    plain = out.type is FLOAT and not out.named
    return plain and out not in sacred and out not in known


def _sacred(function: Function) -> set[Operand]:
    """The values that the primal's results need."""
    needed: set[Operand] = set(function.results[: function.primal])
    for statement in reversed(function.body):
        if not statement.outs or not needed.isdisjoint(statement.outs):
            needed.update(statement.inputs)
    return needed


def _product(
    whole: Apply,
    products: Mapping[Var, Apply],
    inner: Set[Operand],
    known: Set[Operand],
) -> Made:
    """The statements of a product that has others as factors."""
    factors: list[Operand] = []
    parts: Made = []
    waiting: list[Operand] = [*reversed(whole.args)]
    while waiting:
        factor = waiting.pop()
        if isinstance(factor, Var) and factor in inner:
            parts.append(products[factor])
            waiting += reversed(products[factor].args)
        else:
            factors.append(factor)
    early = [f for f in factors if isinstance(f, Literal) or f in known]
    late = [f for f in factors if f not in early]
    early.sort(key=lambda factor: not factor.type.is_real)  # a whole number is none
    if len(early) < 2 or not early[0].type.is_real:
        return [*reversed(parts), whole]
    made: Made = []
    first = _chained(early, made)
    *rest, last = [first, *late]
    made.append(Apply(whole.out, _MUL, (_chained(rest, made), last)))
    return made


def _chained(factors: Sequence[Operand], made: Made) -> Operand:
    product, *more = factors
    for factor in more:
        product = _applied(_MUL, product, factor, made)
    return product


def _applied(op: Elemental, one: Operand, other: Operand, made: Made) -> Var:
    out = Var(FLOAT)
    made.append(Apply(out, op, (one, other)))
    return out


def _sum(
    whole: Apply,
    sums: Mapping[Var, Apply],
    inner: Set[Operand],
    known: Set[Operand],
) -> Made:
    """The statements of a sum that has others as terms; its first term is added."""
    terms: list[tuple[Operand, bool]] = []
    parts: Made = []
    waiting: list[tuple[Operand, bool]] = [(whole.out, True)]
    while waiting:
        term, is_added = waiting.pop()
        if isinstance(term, Var) and (term in inner or term is whole.out):
            chain = sums[term]
            parts.append(chain)
            one, other = chain.args
            waiting += [(other, is_added is (chain.op is _ADD)), (one, is_added)]
        else:
            terms.append((term, is_added))
    early = [pair for pair in terms if _is_early(pair[0], known)]
    if len(early) < 2 or all(isinstance(term, Literal) for term, _ in early):
        return [*reversed(parts)]
    made: Made = []
    sign = any(is_added for _, is_added in early)
    first = _added([(t, is_added is sign) for t, is_added in early], made)
    late = [pair for pair in terms if pair not in early]
    _added([(first, sign), *late], made)
    last = made.pop()
    assert isinstance(last, Apply)
    return [*made, replace(last, out=whole.out)]


def _is_early(term: Operand, known: Set[Operand]) -> bool:
    """Whether a term is a float that parameters alone decide."""
    return term.type is FLOAT and (isinstance(term, Literal) or term in known)


def _added(terms: Sequence[tuple[Operand, bool]], made: Made) -> Operand:
    """The sum of terms that are added or subtracted, one of them added."""
    start = next(k for k, (_, is_added) in enumerate(terms) if is_added)
    total = terms[start][0]
    for term, is_added in (*terms[:start], *terms[start + 1 :]):
        total = _applied(_ADD if is_added else _SUB, total, term, made)
    return total
