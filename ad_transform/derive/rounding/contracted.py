"""Estimates through the contraction of umbrellas: one work area for each of them.

All paths from a value inside of an umbrella lead over its top. So the value's adjoint
is that of the top times the derivative of the top by the value, whatever result is
asked for. Totals of errors are proportional to the top's adjoint: each umbrella gathers
them once, for an adjoint of 1, and every result scales them. Source: Murota & Kubota
1989, section 5; umbrellas with copying are those of Prop. 4.2.
"""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.dataclass import dataclass
from ad_transform.derive.rounding.hook import ErrorHook
from ad_transform.derive.sweep.context import Context
from ad_transform.derive.sweep.runs import Run, solve
from ad_transform.ir.nodes import Apply, Operand, Statement, Var
from ad_transform.ir.types import FLOAT

ORDER = "copying-umbrellas-first"
"""The order that contracts umbrellas, where it is asked for."""


@dataclass(frozen=True, slots=True)
class Area:
    """The operations that err in an umbrella, and the derivatives of its top."""

    top: Var
    seen: tuple[Apply, ...]
    adjoints: tuple[Operand, ...]
    added: tuple[Statement, ...]


def areas(
    operations: Sequence[Apply],
    results: Sequence[Operand],
    hook: ErrorHook,
    context: Context,
) -> list[Area]:
    """The work areas of the umbrellas in which an operation errs beside the top."""
    found: list[Area] = []
    for body in _umbrellas(operations, results):
        top = body[-1].out
        seen = tuple(s for s in body if hook.perturbs(s))
        if len(seen) < 2:
            continue
        run = Run(
            [hook.guarded(s) for s in body],
            tuple(s.out for s in body),
            (),
            (top,),
            perturbed={s.out: Var(FLOAT, s.out.hint) for s in seen},
        )
        options = context.options.override(order="reverse")
        solved, _ = solve(run, options, context.known, context.laws)
        found.append(Area(top, seen, solved.entries[0], solved.added))
    return found


def _umbrellas(
    operations: Sequence[Apply], results: Sequence[Operand]
) -> list[list[Apply]]:
    """The operations by umbrella: all their paths lead over its top, the last one."""
    top: dict[Operand, Operand] = {result: result for result in results}
    for statement in reversed(operations):
        out = statement.out
        over = top.get(out, out)
        for a in statement.args:
            top[a] = over if top.get(a, over) == over else a
        top[out] = over
    found: dict[Operand, list[Apply]] = {}
    for statement in operations:
        found.setdefault(top[statement.out], []).append(statement)
    return list(found.values())
