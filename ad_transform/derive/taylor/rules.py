"""The table of statements that are expanded block by block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ad_transform.derive.accumulation.outcome import Outcome
from ad_transform.derive.sweep.context import Callees
from ad_transform.derive.taylor.arms import chosen, through_branch
from ad_transform.derive.taylor.calls import through_call
from ad_transform.derive.taylor.equations import through_equation
from ad_transform.derive.taylor.expansion import Expansion, Rules
from ad_transform.derive.taylor.loops import through_loop
from ad_transform.ir.build import Builder
from ad_transform.ir.count import count_statements
from ad_transform.ir.nodes import Branch, Call, Operand, Scan, Solve, Var, While
from ad_transform.ir.trampoline import bounce
from ad_transform.options import Options, weights_of

Columns = tuple[Var, ...]

RULES = Rules(
    {
        Branch: through_branch,
        Scan: through_loop,
        While: through_loop,
        Call: through_call,
        Solve: through_equation,
    },
    chosen,
)


def expansion(
    builder: Builder,
    degree: int,
    columns: Mapping[Var, Sequence[Operand]],
    callees: Callees,
) -> Expansion:
    """The body of a builder, expanded; `columns` have coefficients from degree 1 on."""
    made = Expansion(builder, degree, RULES, callees)
    for column, coefficients in columns.items():
        made.enter(column, coefficients)
    bounce(made.expanded())
    return made


def outcome(
    made: Expansion, results: Sequence[Operand], options: Options, idle: Columns = ()
) -> Outcome:
    """The code that gives some values and coefficients."""
    block = made.block((), results)
    body, found = block.body, block.results
    counts, weights = count_statements(body, found), weights_of(options.cost)
    return Outcome(body, found, counts, "taylor", idle, (), weights)
