"""The primal program in a builder: the values that it returns as they stand, the rest
simplified.
"""

from __future__ import annotations

from ad_transform.ir.blocks.blocks import needed
from ad_transform.ir.build import Builder, as_float
from ad_transform.ir.dims import alike
from ad_transform.ir.elemental import Elemental, Form
from ad_transform.ir.laws.powers import whole_power
from ad_transform.ir.nodes import (
    Apply,
    Function,
    Literal,
    Operand,
    Statement,
    Substitution,
    checks,
)


def copy_primal(
    function: Function, builder: Builder, powers: str = "keep"
) -> Substitution:
    """The values of a function's variables in the builder.

    Values that the first `primal` results and the checks need keep their operations and
    operands (law 3), but for literal powers under `powers="multiply"`; everything else
    is simplified by the builder's laws. Linear.
    """
    env: Substitution = {}
    sacred = needed(function.body, function.results[: function.primal])
    for statement in function.body:
        exact = checks(statement) or any(out in sacred for out in statement.outs)
        _copy_statement(statement, builder, env, exact, powers)
    return env


def _copy_statement(
    statement: Statement, builder: Builder, env: Substitution, exact: bool, powers: str
) -> None:
    if isinstance(statement, Apply):
        args = tuple(env.get(a, a) for a in statement.args)
        env[statement.out] = _copy_apply(statement, args, builder, exact, powers)
    else:
        builder.follow(statement, env)


def _copy_apply(
    statement: Apply,
    args: tuple[Operand, ...],
    builder: Builder,
    exact: bool,
    powers: str,
) -> Operand:
    out, op = statement.out, statement.op
    if exact and powers == "multiply":
        power = _literal_power(op, args)
        if power is not None and power % 1 == 0 and 2 <= abs(power) <= 64:
            return whole_power(builder, args[0], int(power))
    if op.layout is not None:
        naming = (out.hint, out.span, out.named, out.notes)
        return builder.keep(op, args, *naming, out.type)
    first, *_ = args
    if op.form is Form.NEGATION and isinstance(first, Literal) and not first.name:
        return Literal(-first.value)  # type: ignore[operator]  # printed as a number
    if op.name == "float" and isinstance(first, Literal) and not first.name:
        return as_float(first)
    if exact or _literal_power(op, args) is not None:
        # a power is differentiated as a power; `polish` multiplies it out
        return builder.keep(op, args, out.hint, out.span, out.named, out.notes)
    made = builder.apply(
        op.name, *args, hint=out.hint, span=out.span, named=out.named, notes=out.notes
    )
    if alike(made.type.shape, out.type.shape):
        return made
    return builder.keep(op, args, out.hint, out.span, out.named, out.notes)


def _literal_power(op: Elemental, args: tuple[Operand, ...]) -> float | None:
    """The exponent of a power of a float, if it is a literal other than 0 and 1."""
    if op.form is not Form.POWER or not args[0].type.is_real:
        return None
    exponent = args[1].value if isinstance(args[1], Literal) else None
    if not isinstance(exponent, int | float) or exponent in (0, 1):
        return None
    return exponent
