"""Taylor coefficients of a function of one number, by Taylor arithmetic.

Every value is a series in the independent; the coefficients of an operation come from
those of its arguments, as tangents do. So a sweep forth through the program, its
branches, loops and calls, gives all of them.
"""

from __future__ import annotations

from ad_transform.derive.accumulation.linearise import is_zero
from ad_transform.derive.request import Derivation, Request
from ad_transform.derive.taylor.rules import expansion, outcome
from ad_transform.derive.taylor.series import ONE
from ad_transform.diagnostics import Diagnostic, Refusal
from ad_transform.ir.nodes import LEAF, Var, group


def taylor(r: Request) -> Derivation:
    """The value and the coefficients of (t - t0)**j, j = 1, ..., degree.

    Raises Refusal: AD020 without a degree, AD023 unless there is one independent, a
    number; AD031 for external functions.
    """
    if not r.degree:
        message = f"`taylor` of {r.function.name!r} has no degree"
        raise Refusal(Diagnostic("AD020", message, None, "write `taylor(t, degree=3)`"))
    columns = r.independents.columns
    if len(columns) != 1 or columns[0].type.is_array:
        message = f"`taylor` of {r.function.name!r} needs one number to expand in"
        raise Refusal(Diagnostic("AD023", message, None, "write `taylor(t, degree=3)`"))
    builder, (row,) = r.copied(r.function, 1)
    made = expansion(builder, r.degree, {columns[0]: (ONE,)}, r.callees)
    found = (row, *made.coefficients(row))
    idle = columns if all(map(is_zero, found[1:])) else ()
    made_of = outcome(made, found, r.options, idle)
    nest = group((LEAF,) * len(found))
    hint = row.hint if isinstance(row, Var) and row.hint else r.function.name
    hints = tuple(f"{hint}_{j}" for j in range(1, len(found)))
    return r.derivation(made_of, nest, (), 1, hints)
