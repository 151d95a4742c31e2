"""Operations on whole arrays in terms of others, each with a form in elements."""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.dataclass import replace
from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import Apply, Operand, Statement
from ad_transform.ir.simplify import LAWS_TO_THE_BIT
from ad_transform.ir.template import instantiate, parse_template

# fmt: off
_LAST = "pick(y, length(y) - 1)"
_KNOWN = f"{_LAST} if isnan({_LAST}) else {{}}"
_MIDDLE = _KNOWN.format(
    "0.5 * (pick(y, floordiv(length(y) - 1, 2)) + pick(y, floordiv(length(y), 2)))"
)
_PLACE = "int(q * (length(x) - 1))"
_BETWEEN = _KNOWN.format(
    "pick(y, j) + (q * (length(x) - 1) - j)"
    " * (pick(y, min(j + 1, length(x) - 1)) - pick(y, j))"
)
_CROSS = "rolled(x, -1) * rolled(y, -2) - rolled(x, -2) * rolled(y, -1)"
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
    "argmin":          "argmax(-x)",
    "argmin_rows":     "argmax_rows(-x)",
    "argmin_columns":  "argmax_columns(-x)",
    "solved_for":      "no_column(all_solved_for(x, column(y)))",
    "inverse":         "all_solved_for(x, diagonal_matrix(spread(1.0, diagonal(x))))",
    "cross":           _CROSS,
    "median":          f"(lambda y: {_MIDDLE})(in_order(x))",
    "quantile":        f"(lambda y: (lambda j: {_BETWEEN})({_PLACE}))(in_order(x))",
}
"""Operations on whole arrays by others."""
# fmt: on
_ALONG_ROWS = {"cross": _CROSS.replace("rolled", "rolled_columns")}
"""The same for matrices whose rows are vectors."""

_TRUTHS = frozenset({"any_of", "all_of"})
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
    if name in _TRUTHS and statement.args[0].type.is_real:
        return f"{name}(x != 0.0)"
    if name in _ALONG_ROWS and len(statement.args[0].type.shape) > 1:
        return _ALONG_ROWS[name]
    return _MEANINGS.get(name, "")
