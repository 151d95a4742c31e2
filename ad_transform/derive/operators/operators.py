"""Derivative operators inside programs: code in their place, innermost ones first.

A block of an operator is a function of its own: it is derived like one, and its code
put where the operator stands, so that all of it is one program and common parts are
shared (Yoshida 1989, section 3).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field

from ad_transform.dataclass import dataclass, replace
from ad_transform.derive.accumulation.accumulate import Assemble, Matrix, Task
from ad_transform.derive.calls.calls import Calls, unlinked
from ad_transform.derive.kinds.second import symmetric
from ad_transform.derive.operators.tidy import (
    Order,
    alike,
    as_written,
    function_of,
    tidied,
)
from ad_transform.derive.request import Request, column, flat
from ad_transform.derive.rounding.derive import iri_estimates
from ad_transform.derive.signature import Independents
from ad_transform.derive.sweep.solve import accumulate
from ad_transform.derive.sweep.stacks import own_trips
from ad_transform.elementals.copies import copy_of
from ad_transform.ir.blocks.blocks import placed, shape
from ad_transform.ir.blocks.consumed import Consumption
from ad_transform.ir.blocks.live import live
from ad_transform.ir.dims import Dim
from ad_transform.ir.nodes import (
    Block,
    Derivative,
    Function,
    Operand,
    Statement,
    Var,
    has_operators,
)
from ad_transform.ir.trampoline import Task as Steps
from ad_transform.ir.trampoline import bounce
from ad_transform.options import Options

Vars = tuple[Var, ...]


@dataclass(slots=True, eq=False)
class Expander:
    """The expansion of operators into code; equal operators are derived once."""

    options: Options
    calls: Calls = field(default_factory=Calls)
    known: dict[object, Block] = field(default_factory=dict)
    copies: int = 0  # loops that record

    def function(self, function: Function) -> Function:
        """The function without operators; its results keep their names."""
        if not has_operators((function,)):
            return function
        return replace(function, block=bounce(self._block(function.block)))

    def _block(self, block: Block) -> Steps[Block]:
        body: list[Statement] = []
        env: dict[Operand, Operand] = {}
        for statement in block.body:
            taken = statement.over(env)
            inner: list[Block] = []
            for one in taken.blocks:
                made = yield self._block(one)
                inner.append(self._tidied(taken, one, made))
            if isinstance(taken, Derivative):
                code = self._code(taken, inner[0])
                made = placed(code, taken.inputs, self._trips(code))
                made = _called(made, taken.outs)
                body += made.body
                env.update(zip(taken.outs, made.results, strict=True))
                continue
            body.append(taken.rebuilt(taken.outs, taken.inputs, tuple(inner)))
        results = tuple(env.get(r, r) for r in block.results)
        return Block(block.params, tuple(body), results)

    def _trips(self, code: Block) -> dict[str, Dim]:
        """Fresh names for the trips of the loops that record, for one copy of code."""
        found: dict[str, Dim] = {}
        for trips in own_trips(code.body):
            self.copies += 1
            found[trips] = f"inside.{self.copies}"
        return found

    def _tidied(self, holder: Statement, before: Block, block: Block) -> Block:
        """A block of the program with code for its operators, simplified. The block of
        an operator is derived first.
        """
        if isinstance(holder, Derivative) or not any(map(_is_operator, before.body)):
            return block
        return tidied(block, Order.of(before), self.options, self.calls)

    def _code(self, operator: Derivative, block: Block) -> Block:
        """The code of an operator, over its arguments and seeds."""
        key = operator.label, shape(block), _is_gradient(operator)
        if key not in self.known:
            code = _FORMS[operator.operator](self, operator, block)
            self.known[key] = _sparing(code)
        return self.known[key]

    def derived(
        self,
        made: Derivative,
        block: Block,
        assemble: tuple[Assemble, ...],
        *,
        tangents: Vars = (),
        adjoints: Vars = (),
    ) -> Block:
        """The cheapest code for entries or products with seeds, over the parameters of
        the block and the seeds.
        """
        exact = as_written(made.block)
        sacred = len(exact)
        whole = Block(block.params, block.body, (*exact, *block.results))
        function = function_of(alike(whole, self.options.powers), sacred)
        own = Independents(function.parameters[: made.count])
        request = Request(function, own, False, "", self.options, self.calls)
        builder, values = request.copied(function, sacred)
        kept, rows = values[:sacred], values[sacred:]
        ways = tuple(_beside(kept, way) for way in assemble)
        task = Task(own.columns, rows, ways, sacred)
        if tangents:
            task = replace(task, tangents=(tangents,))
        if adjoints:
            task = replace(task, adjoints=(adjoints,))
        outcome = accumulate(builder, task, self.options)
        params = (*block.params, *tangents, *adjoints)
        results = outcome.results[sacred:]
        code = Block(params, live(outcome.body, results), results)
        return unlinked(function_of(code)).block


def _sparing(block: Block) -> Block:
    """The block with copies of the parameters that it would consume or give back: these
    arrays belong to the program.
    """
    gone = Consumption().by_all(block.body)
    body: list[Statement] = []
    env: dict[Operand, Operand] = {}
    for array in block.params:
        if array.type.dims and (array in gone or array in block.results):
            env[array] = _copy(array, body)
    if not env:
        return block
    body += (statement.over(env) for statement in block.body)
    results = tuple(env.get(r, r) for r in block.results)
    return Block(block.params, tuple(body), results)


def _copy(array: Var, body: list[Statement]) -> Var:
    copy = copy_of(array)
    body.append(copy)
    return copy.out


def _called(block: Block, outs: Vars) -> Block:
    """The block with the names of values, and their comments, on its results."""
    own = {out for statement in block.body for out in statement.outs}
    env: dict[Operand, Var] = {}
    for result, out in zip(block.results, outs, strict=True):
        if isinstance(result, Var) and result in own and out.hint:
            made = Var(result.type, out.hint, out.span, out.named, out.notes)
            env.setdefault(result, made)
    body: list[Statement] = []
    for statement in block.body:
        bound = tuple(env.get(out, out) for out in statement.outs)
        body.append(statement.over(env).binding(bound))
    results = tuple(env.get(r, r) for r in block.results)
    return Block(block.params, tuple(body), results)


def _beside(kept: tuple[Operand, ...], assemble: Assemble) -> Assemble:
    """The same results behind some values that stay as they are."""
    return lambda matrix: (*kept, *assemble(matrix))


def _is_operator(statement: Statement) -> bool:
    return isinstance(statement, Derivative)


# --- operators ------------------------------------------------------------------------


def _derivative(expander: Expander, made: Derivative, block: Block) -> Block:
    ways = (_lower, _upper) if _is_gradient(made) else (flat,)
    return expander.derived(made, block, ways)


def _lower(matrix: Matrix) -> tuple[Operand, ...]:
    return symmetric(matrix, max)


def _upper(matrix: Matrix) -> tuple[Operand, ...]:
    return symmetric(matrix, min)


def _is_gradient(made: Derivative) -> bool:
    """Whether an operator is the derivative of a gradient by the same values: its
    matrix is symmetric then.
    """
    results, own = made.block.results, made.block.params[: made.count]
    return made.operator == "derivative" and any(
        isinstance(s, Derivative)
        and s.operator in ("derivative", "adjoint")
        and len(s.block.results) == 1
        and (s.outs, s.args[: s.count]) == (results, own)
        for s in made.block.body
    )


def _tangent(expander: Expander, made: Derivative, block: Block) -> Block:
    own = block.params[: made.count]
    seeds = tuple(Var(v.type, f"{v.hint}_dot" if v.hint else "") for v in own)
    return expander.derived(made, block, (column,), tangents=seeds)


def _adjoint(expander: Expander, made: Derivative, block: Block) -> Block:
    seeds = tuple(Var(seed.type) for seed in made.seeds)
    return expander.derived(made, block, (_first,), adjoints=seeds)


def _first(matrix: Matrix) -> tuple[Operand, ...]:
    return matrix[0]


def _rounding_error(expander: Expander, made: Derivative, block: Block) -> Block:
    functions = expander.calls.functions
    given = function_of(block), expander.options, tuple(functions.values())
    estimates, helpers = iri_estimates(*given)
    for helper in helpers:
        functions.setdefault(helper.name, helper)
    return estimates


_FORMS: Mapping[str, Callable[[Expander, Derivative, Block], Block]] = {
    "derivative": _derivative,
    "tangent": _tangent,
    "adjoint": _adjoint,
    "rounding_error": _rounding_error,
}
