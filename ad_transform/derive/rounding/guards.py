"""Partials for estimates: infinite where first order says nothing, never an exception.

A partial is taken with respect to an argument that carries an error. It is infinite
where that argument is so small, or so ill-conditioned, that its relative error need not
be small: near a pole, a branch point, or after underflow.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ad_transform.elementals import TABLE
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import Apply, Literal, Operand, Statement, Var

TINY = "1e-290"
"""Below it, products may have lost digits to underflow."""

_LARGE = "1e10"
"""Arguments up to it carry errors far below a period of sin."""

LOST = 1e-11
"""A difference that has kept less than this of its operands may have no digit left."""


def _above(x: str, partial: str, least: str = TINY) -> str:
    return f"({partial}) if {x} > {least} else 1e999"


def _away(x: str, partial: str, least: str = TINY) -> str:
    return f"({partial}) if (True if {x} > {least} else {x} < -{least}) else 1e999"


def _scaled(partial: str) -> str:
    """Where the length of (x, y) has neither underflowed nor overflowed."""
    inner = f"({partial}) if hypot(x, y) < 1e300 else 1e999"
    return _above("hypot(x, y)", f"({inner})")


def _within(x: str, partial: str, most: str = _LARGE) -> str:
    return f"({partial}) if ({x} < {most} if {x} > -{most} else False) else 1e999"


_NEAR = "abs(x - y) <= 1e-11 * abs(x)"
_SLOPE = "1 if x >= 0 else -1"  # at 0 the error of x is that of abs(x) all the same


# fmt: off
_TESTS = {
    "max": "y <= x", "maximum": "y <= x", "fmax": "y <= x", "max_of": "y <= x",
    "min": "y >= x", "minimum": "y >= x", "fmin": "y >= x", "min_of": "y >= x",
}

_GUARDED: dict[str, tuple[str, ...]] = {
    "div":      ("1 / y", _away("y", "-(v / y)")),
    **dict.fromkeys(("fmod", "remainder"), ("1", _away("y", "(v - x) / y"))),
    "sqrt":     (_above("x", "0.5 / v"),),
    "cbrt":     (_away("x", "v / x / 3"),),
    "log":      (_above("x", "1 / x"),),
    "log2":     (_above("x", "1.4426950408889634 / x"),),
    "log10":    (_above("x", "0.4342944819032518 / x"),),
    "log_base": (_above("x", "1 / x / log(y)"), _above("y", "-(v / y / log(y))")),
    "log1p":    (_above("x", "1 / (1 + x)", "-0.99999999999"),),
    "sin":      (_within("x", "cos(x)"),),
    "cos":      (_within("x", "-sin(x)"),),
    "tan":      (_within("(v * x)", "1 + v * v"),),
    "asin":     (_above("(1 - x) * (1 + x)", "1 / sqrt((1 - x) * (1 + x))", "1e-11"),),
    "acos":     (_above("(1 - x) * (1 + x)", "-1 / sqrt((1 - x) * (1 + x))", "1e-11"),),
    "acosh":    (_above("(x - 1) * (x + 1)", "1 / sqrt((x - 1) * (x + 1))", "1e-11"),),
    "atanh":    (_above("(1 - x) * (1 + x)", "1 / ((1 - x) * (1 + x))", "1e-11"),),
    "asinh":    ("1 / hypot(1.0, x)",),
    "sinh":     ("hypot(1.0, v)",),
    "atan2":    (_scaled("x / hypot(x, y) / hypot(x, y)"),
                 _scaled("-(y / hypot(x, y) / hypot(x, y))")),
    "hypot":    ("x / v if v > 1e-290 else 1",),
    "dist":     ("(p - q) / v if v > 1e-290 else 1",
                 "(q - p) / v if v > 1e-290 else 1"),
    "gamma":    (_above("x", "v * digamma(x)"),),
    "lgamma":   (_above("x", "digamma(x)"),),
    "pow":      (_away("x", _within("y", "y * (v / x)")),
                 "(v * log(x)) if x > 0 else 1e999"),
    "math_pow": (_away("x", _within("y", "y * (v / x)")),
                 "(v * log(x)) if x > 0 else 1e999"),
    "digamma":  (_above("x", "polygamma(1, x)"),),
    "polygamma": ("0", _above("x", "polygamma(n + 1, x)")),
    **{name: tuple(_above("x", f"({_above('y', partial)})") for partial in partials)
       for name in ("beta", "betaln", "rel_entr", "kl_div", "log_ratio")
       if (partials := TABLE[name].partials)},
    "xlogy":    tuple(_above("y", partial) for partial in TABLE["xlogy"].partials),
    "xlog1py":  tuple(_above("y", partial, "-0.99999999999")
                      for partial in TABLE["xlog1py"].partials),
    "entr":     (_above("x", "-log(x) - 1"),),
    # near the far end, the distance to it may be all error
    **{name: (_above(near, f"({_above(far, TABLE[name].partials[0], '1e-11')})"),)
       for name, near, far in (
           ("logit", "x", "(1 - x)"), ("ndtri", "x", "(1 - x)"),
           ("erfcinv", "x", "(2 - x)"), ("erfinv", "1", "(1 - abs(x))"))},
    "copysign": (f"({_SLOPE}) if v >= 0 else -({_SLOPE})", "0"),
    "abs":      (_SLOPE,),
    "fabs":     (_SLOPE,),
}
# fmt: on

_AMPLIFYING = {
    **dict.fromkeys(("sin", "cos", "tan", "sinc"), ("abs(v)", "abs(x)")),
    **dict.fromkeys(("log", "log2", "log10", "log_base", "log_ratio"), ("abs(v)", "1")),
    **dict.fromkeys(("logit", "ndtri", "erfcinv"), ("abs(v)", "1")),
    **dict.fromkeys(("entr", "xlogy", "rel_entr"), ("abs(v)", "abs(x)")),
    "kl_div": ("abs(x - y)", "y"),
}
"""Functions with zeros at which a relative error grows without limit: what is small
there, and what it is to be compared with.
"""

_CANCELLING = {
    "mod": ("x", "x"),
    "fmod": ("x", "x"),
    "remainder": ("x", "x"),
    "sum": ("x",),
    "sum_from": ("start", "x"),
    "fsum": ("x",),
    "fma": ("x * y", "x * y", "z"),
    "sumprod": ("p * q", "p * q"),
}
"""Operations that may lose all digits of these of their terms."""

_LINEAR = frozenset(
    {"add", "sub", "mul", "neg", "pos", "abs", "fabs", "copysign", "float"}
    | {"sum", "sum_from", "fsum"}
)


def guarded(op: Elemental, args: Sequence[Operand], curved: bool) -> Elemental:
    """The row with partials for estimates; `curved` if its result is so used."""
    partials = _GUARDED.get(op.name)
    if op.name in _TESTS:
        partials = _of_choice(_TESTS[op.name], args[:2])
        partials += ("0",) * op.variadic  # what x was chosen from comes with x
    if op.name in ("pow", "math_pow") and _small_whole(args[1]):
        partials = op.partials  # made of products, which never raise
    if curved and (op.name in _CANCELLING or op.name in _AMPLIFYING):
        partials = partials or op.partials
    if partials is None:
        return op
    if curved and op.name in _AMPLIFYING:
        small, size = _AMPLIFYING[op.name]
        kept = f"{small} > {LOST} * {size}"
        partials = tuple(f"({p}) if {kept} else 1e999" for p in partials)
    if curved and op.name in _CANCELLING:
        parts = zip(partials, _CANCELLING[op.name], strict=True)
        partials = tuple(
            f"({p}) if abs(v) > {LOST} * abs({of}) else 1e999" for p, of in parts
        )
    return replace(op, partials=partials, common="", parts=())


def _of_choice(test: str, args: Sequence[Operand]) -> tuple[str, ...]:
    """Partials of max and min, infinite where it is not sure which one is taken: where
    they are nearly equal, or one is a 0 that may have been something else.
    """
    if args[0] is args[1]:
        return "1", "0"
    near = _NEAR
    for name, value in zip("xy", args, strict=True):
        if not isinstance(value, Literal):
            near = f"(True if {name} == 0.0 else {near})"
    first = f"1e999 if {near} else (1 if {test} else 0)"
    return first, f"1e999 if {near} else (0 if {test} else 1)"


def _small_whole(exponent: Operand) -> bool:
    if not isinstance(exponent, Literal) or isinstance(exponent.value, str):
        return False
    return exponent.value == math.floor(exponent.value) and 1 <= exponent.value <= 64


@dataclass(slots=True)
class Conditions:
    """Which values carry an error, and which are used in a way that is not linear."""

    active: set[Operand] = field(default_factory=set)
    curved: set[Operand] = field(default_factory=set)

    @classmethod
    def of(
        cls,
        body: Sequence[Statement],
        inputs: Sequence[Var],
        erring: set[Operand],
        bent: Sequence[Operand] = (),
    ) -> Conditions:
        """Linear: one pass for the errors, one back for the uses; `bent` values may be
        used in any way outside.
        """
        found = cls(active=set(inputs), curved=set(bent))
        for statement in body:
            if not (erring.isdisjoint(statement.outs) and found.idle(statement)):
                found.active.update(statement.outs)
        for statement in reversed(body):
            if not found.curved.isdisjoint(statement.outs):
                found.curved.update(statement.inputs)
            if isinstance(statement, Apply):
                found.curved.update(_bent(statement))
            else:
                found.curved.update(statement.inputs)
        return found

    def idle(self, statement: Statement) -> bool:
        """Whether nothing that goes in carries an error."""
        return self.active.isdisjoint(statement.inputs)


def _bent(statement: Apply) -> Sequence[Operand]:
    """The arguments that an operation is not linear in."""
    args = statement.args
    match statement.op.name:
        case "mul":
            return args if args[0] is args[1] else ()
        case "div":
            return args[1:]
        case name:
            return () if name in _LINEAR else args
