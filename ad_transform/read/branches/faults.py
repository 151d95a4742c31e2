"""Exceptions that an operation of numbers may raise, and tests that foresee them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from decimal import Context as Digits
from decimal import Decimal
from typing import Any

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Apply, Literal, Operand
from ad_transform.ir.types import Kind
from ad_transform.read.branches import choices
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.drafts import DraftApply
from ad_transform.read.values.values import Draft, Number, Special, Value

Term = int | float | tuple[Any, ...]
"""A test: an argument by its place, a number, or an operation with its operands."""

Fault = tuple[str, Term | None]
"""An exception, and the test that foresees it; None if there is no such test."""

ZERO, VALUE, RANGE = "ZeroDivisionError", "ValueError", "OverflowError"
_INDEX = "IndexError"
_INF = math.inf


def _beyond(limit: float, argument: Term = 0) -> Term:
    """The test that an argument exceeds a limit without being infinite."""
    return ("and", ("gt", argument, limit), ("ne", argument, _INF))


def _outside(index: int, value: Number | Operand) -> Term:
    """The test that an index misses the array, which is the first argument."""
    above, below = ("ge", index, ("size", 0)), ("lt", index, ("neg", ("size", 0)))
    if not isinstance(value, Literal):
        return ("or", above, below)
    return below if isinstance(value.value, int) and value.value < 0 else above


_INDEXED = {("get", 2): 1, ("set", 3): 2, ("add_at", 3): 2, ("sub_at", 3): 2}
"""The place of the index among the arguments, by operation and number of arguments.
`pop`, which takes the last item away, comes behind a read of it.
"""


_NO_WHOLE: tuple[Fault, ...] = ((RANGE, ("isinf", 0)), (VALUE, ("isnan", 0)))
_SIZE: Term = ("abs", 0)

# fmt: off
_TESTED: dict[str, tuple[Fault, ...]] = {
    "div floordiv mod": ((ZERO, ("eq", 1, 0.0)),),
    "sqrt":             ((VALUE, ("lt", 0, 0.0)),),
    "log log2 log10":   ((VALUE, ("le", 0, 0.0)),),
    "log1p":            ((VALUE, ("le", 0, -1.0)),),
    "log_base": ((VALUE, ("or", ("le", 0, 0.0), ("le", 1, 0.0))),
                 (ZERO, ("eq", 1, 1.0))),
    "acosh":            ((VALUE, ("lt", 0, 1.0)),),
    "asin acos":        ((VALUE, ("gt", _SIZE, 1.0)),),
    "atanh":            ((VALUE, ("ge", _SIZE, 1.0)),),
    "sin cos tan":      ((VALUE, ("isinf", 0)),),
    # the largest arguments with a finite value
    "exp expm1":        ((RANGE, _beyond(709.782712893384)),),
    "exp2":             ((RANGE, _beyond(math.nextafter(1024.0, 0.0))),),
    "sinh cosh":        ((RANGE, _beyond(710.4758600739439, _SIZE)),),
    "int floor ceil trunc round": _NO_WHOLE,
}
_NOT_TESTED: dict[str, tuple[str, ...]] = {
    "gamma lgamma factorial comb perm": (VALUE, RANGE),
    "fsum fsum_of fma round_to math_pow": (VALUE, RANGE),
    "pow_in_ring text_as_int text_as_float": (VALUE,),
    "fmod remainder whole_root shift_left shift_right": (VALUE,),
    "max_in min_in largest_in max_all min_all argmax argmin": (VALUE,),
    "get whole_at whole_at_both truth_at truth_at_both": (_INDEX,),
}
_NOT_TESTED_OF_ARRAYS: dict[str, tuple[str, ...]] = {
    "max_rows max_columns min_rows min_columns laid_out to_layers": (VALUE,),
    "solved_for all_solved_for inverse cholesky eigenvalues eigenvectors": (VALUE,),
    "pseudo_inverse least_squares": (VALUE,),
    "set add_at sub_at": (_INDEX,),
}
# fmt: on


def _by_name(rows: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[Fault, ...]]:
    return {
        name: tuple((error, None) for error in errors)
        for names, errors in rows.items()
        for name in names.split()
    }


_OF_ARRAYS = _by_name(_NOT_TESTED_OF_ARRAYS)
_FAULTS = {
    **{name: row for names, row in _TESTED.items() for name in names.split()},
    **_by_name(_NOT_TESTED),
    **_OF_ARRAYS,
}
_PLACES = ("pick", "taken", "masked")


def faults(made: DraftApply | Apply) -> tuple[Fault, ...]:
    """The exceptions that an operation may raise, in the order in which Python finds
    them.

    For arrays numpy computes all elements that it can, and at most warns.
    """
    name = made.op.name
    if any(part in name for part in _PLACES):
        return ((_INDEX, None),)
    index = _INDEXED.get((name, len(made.args)))
    if index is not None:
        return ((_INDEX, _outside(index, made.args[index])),)
    found = _of_power(*made.args) if name == "pow" else _FAULTS.get(name, ())
    if made.out.type.shape:
        return _OF_ARRAYS.get(name, ())
    return found


def _of_power(base: Number | Operand, exponent: Number | Operand) -> tuple[Fault, ...]:
    is_whole = base.type.kind is exponent.type.kind is Kind.INT
    if not isinstance(exponent, Literal):
        below: Term = ("and", ("eq", 0, 0.0), ("lt", 1, 0.0))
        zero: Fault = (ZERO, ("and", below, ("ne", 1, -_INF)))
        return (zero,) if is_whole else (zero, (RANGE, None))
    k = exponent.value
    assert isinstance(k, int | float)
    if not math.isfinite(k):
        return ()
    beyond: tuple[Fault, ...] = ()
    if k > 1 and not is_whole:
        beyond = ((RANGE, _beyond(_largest(k), _SIZE)),)
    if k >= 0:
        return beyond
    if k <= -1:
        small = ("and", ("le", _SIZE, _largest(k)), ("ne", 0, 0.0))
        beyond = ((RANGE, small),)
    return ((ZERO, ("eq", 0, 0.0)), *beyond)


def _largest(k: float) -> float:
    """The largest x with a finite |x|**k; for k below 0, with an infinite one."""
    digits = Digits(prec=50)
    threshold = Decimal(2**1024 - 2**970)  # from here on it is rounded to infinity
    limit = digits.exp(digits.divide(digits.ln(threshold), Decimal(k)))
    found = float(limit)
    return found if Decimal(found) <= limit else math.nextafter(found, 0.0)


def holds(flat: Context, made: Term, args: Sequence[Number], span: Span) -> Value:
    """The value of a test of arguments; a literal if these decide it."""
    if isinstance(made, float):
        return Literal(made)
    if isinstance(made, int):
        return args[made]
    name, first, *others = made
    found = holds(flat, first, args, span)
    if name in _LAZY:
        return choices.lazily(
            flat, found, name == "and", lambda: holds(flat, others[0], args, span), span
        )
    given = [found, *(holds(flat, one, args, span) for one in others)]
    numbers = [one for one in given if isinstance(one, Draft | Literal)]
    if len(numbers) < len(given):
        return Special.REFUSED
    if name in ("isinf", "isnan") and numbers[0].type.kind is not Kind.FLOAT:
        return Literal(False)
    known = [one.value for one in numbers if isinstance(one, Literal)]
    if len(known) == len(numbers):
        return Literal(TABLE[name].compute(*known))
    return flat.apply(TABLE[name], numbers, span)


_LAZY = ("and", "or")
