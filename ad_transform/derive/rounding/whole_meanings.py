"""What operations on whole arrays mean: others, each with a form in elements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import Apply, Operand, Statement
from ad_transform.ir.simplify import LAWS_TO_THE_BIT
from ad_transform.ir.template import instantiate, parse_template

# fmt: off
_MEANINGS: dict[str, str] = {
    "average":         "sum_all(x) / count(x)",
    "average_rows":    "sum_rows(x) / length(x)",
    "average_columns": "sum_columns(x) / width(x)",
    "sum_rows":        "sum_columns(turned(x))",
    "max_rows":        "max_columns(turned(x))",
    "min_rows":        "min_columns(turned(x))",
    "norm":            "sqrt(sum_all(x * x))",
    "frobenius":       "sqrt(sum_all(x * x))",
    "trace":           "sum_all(diagonal(x))",
    "dot":             "sum_all(x * y)",
    "mat_vec":         "sum_columns(x * row(y))",
    "vec_mat":         "sum_columns(turned(y) * row(x))",
    "outer":           "column(x) * row(y)",
}
"""Operations on whole arrays by others."""
# fmt: on
_LINES = frozenset({"sum_all", "max_all", "min_all", "product_of"})
"""Operations on all elements, in whatever axes they stand."""


def meant(body: Sequence[Statement]) -> list[Statement]:
    """A body over operations that have a form in elements, or need none."""
    found: list[Statement] = []
    for statement in body:
        found += _meaning(statement)
    return found


def _meaning(statement: Statement) -> list[Statement]:
    template = _template(statement) if isinstance(statement, Apply) else ""
    if not (template and isinstance(statement, Apply)):
        return [statement]
    builder = Builder(TABLE, LAWS_TO_THE_BIT)
    given = statement.op.bind(statement.args)
    instantiate(parse_template(template), given, builder)
    *before, last = builder.body
    last = last.rebuilt((statement.out,), last.inputs, last.blocks)
    env: dict[Operand, Operand] = {}
    own: list[Statement] = []
    for one in before:
        outs = tuple(replace(out, span=statement.out.span) for out in one.outs)
        own.append(one.over(env).binding(outs))
        env.update(zip(one.outs, outs, strict=True))
    return meant([*own, last.over(env)])


def _template(statement: Apply) -> str:
    name = statement.op.name
    if name in _LINES and len(statement.args[0].type.shape) > 1:
        return f"{name}(raveled(x))" if statement.out.type.is_real else ""
    return _MEANINGS.get(name, "")
