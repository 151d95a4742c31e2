"""Laws that hold where the sign of a value is known; the known signs.

A set of signs says which of negative, zero and positive a value may be; NaN is none of
them and never counted. What a source asserts, and what it divides by or takes the
logarithm of, is known wherever its derivative has a meaning: elsewhere the source
raises. Every rule holds in floating point, so a product of positive values may be 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping

from ad_transform.ir.build import Builder
from ad_transform.ir.elemental import Form
from ad_transform.ir.laws.comparisons import MIRRORED
from ad_transform.ir.laws.patterns import Args, is_number, value_of
from ad_transform.ir.nodes import (
    Apply,
    Branch,
    Check,
    Literal,
    Operand,
    Statement,
    Var,
)
from ad_transform.ir.types import BOOL

NEGATIVE, ZERO, POSITIVE = 1, 2, 4
ANY = NEGATIVE | ZERO | POSITIVE
NONZERO = NEGATIVE | POSITIVE
DEPTH = 5
"""Operations that are followed backwards."""


def signs(b: Builder, value: Operand, depth: int = DEPTH) -> int:
    """The signs that a value may have, by what is known and how it is made."""
    number = value_of(value)
    if number is not None:
        return ZERO if number == 0 else POSITIVE if number > 0 else NEGATIVE
    if not isinstance(value, Var):
        return ANY
    known = (b.known or {}).get(value, ANY)
    made = b.definition.get(value)
    if depth == 0 or not isinstance(made, Apply):
        return known
    rule = _RULES.get(made.op.form) or _FUNCTIONS.get(made.op.name)
    if rule is None:
        return known & (POSITIVE | ZERO) if made.op.never_negative else known
    of = [signs(b, a, depth - 1) for a in made.args]
    return known & rule(made, of)


Rule = Callable[[Apply, list[int]], int]


def _negated(of: int) -> int:
    return (
        (of & ZERO)
        | (NEGATIVE if of & POSITIVE else 0)
        | (POSITIVE if of & NEGATIVE else 0)
    )


def _sum(of: Iterable[int]) -> int:
    total = ZERO
    for one in of:
        both = (total | one) & NONZERO
        if both == NONZERO:
            return ANY
        total = both | (total & one & ZERO)
    return total


def _product(made: Apply, of: list[int]) -> int:
    x, y = of
    found = (x | y) & ZERO
    same = bool(x & y & NONZERO) or made.args[0] is made.args[1]
    different = bool(x & _negated(y) & NONZERO) and made.args[0] is not made.args[1]
    found |= (POSITIVE if same else 0) | (NEGATIVE if different else 0)
    return found | (0 if _grows(made) else ZERO)  # underflow


def _grows(made: Apply) -> bool:
    """Whether a product cannot underflow: one factor is a number of 1 or more."""
    values = [value_of(a) for a in made.args]
    if made.op.form is Form.QUOTIENT:
        return values[1] is not None and abs(values[1]) <= 1
    return any(v is not None and abs(v) >= 1 for v in values)


def _quotient(made: Apply, of: list[int]) -> int:
    x, y = of
    found = _product(made, [x, y & NONZERO])
    return found if made.args[0] is not made.args[1] else POSITIVE


def _size(of: int) -> int:
    return (of & ZERO) | (POSITIVE if of & NONZERO else 0)


def _length(of: Iterable[int]) -> int:
    """The signs of a root of a sum of squares: it is as large as the largest value."""
    sizes = [_size(one) for one in of]
    return POSITIVE if POSITIVE in sizes else POSITIVE | ZERO


def _power(made: Apply, of: list[int]) -> int:
    exponent = value_of(made.args[1])
    if of[0] & NEGATIVE and (exponent is None or exponent % 2 != 0):
        return ANY
    return POSITIVE | ZERO


def _largest(of: list[int]) -> int:
    if POSITIVE in of:
        return POSITIVE
    either = 0
    for one in of:
        either |= one
    return either


# fmt: off
_RULES: Mapping[Form, Rule] = {
    Form.NEGATION:   lambda made, of: _negated(of[0]),
    Form.IDENTITY:   lambda made, of: of[0],
    Form.MAGNITUDE:  lambda made, of: _size(of[0]),
    Form.SUM:        lambda made, of: _sum(of),
    Form.TOTAL:      lambda made, of: _sum(of),
    Form.DIFFERENCE: lambda made, of: _sum((of[0], _negated(of[1]))),
    Form.PRODUCT:    _product,
    Form.QUOTIENT:   _quotient,
    Form.POWER:      _power,
    Form.ROOT:       lambda made, of: of[0] & ~NEGATIVE,
}
_FUNCTIONS: Mapping[str, Rule] = {
    "cosh":   lambda made, of: POSITIVE,
    "hypot":  lambda made, of: _length(of),
    "max":    lambda made, of: _largest(of),
    "max_of": lambda made, of: _largest(of),
}
# fmt: on


# --- known signs ----------------------------------------------------------------------

_HOLDS: Mapping[str, int] = {
    "gt": POSITIVE,
    "ge": POSITIVE | ZERO,
    "lt": NEGATIVE,
    "le": NEGATIVE | ZERO,
    "ne": NONZERO,
    "eq": ZERO,
}
"""The signs of x where its comparison with 0 holds."""

_RAISING = {"div": (1, NONZERO), "log": (0, POSITIVE), "log2": (0, POSITIVE)}
_RAISING |= {"log10": (0, POSITIVE), "mod": (1, NONZERO), "floordiv": (1, NONZERO)}
"""Operations that raise where an argument is 0: its place, the signs it has else."""


def learn(
    b: Builder, body: Iterable[Statement], env: Mapping[Operand, Operand]
) -> None:
    """Note the signs that statements of a source imply for the values in `env`.

    The laws of this page hold from now on.
    """
    b.known = b.known or {}
    for statement in body:
        if isinstance(statement, Check):
            test = env.get(statement.test, statement.test)
            for value, left in told(b, test, True, b.definition, {}):
                _note(b, value, left)
        elif isinstance(statement, Apply) and statement.op.name in _RAISING:
            place, left = _RAISING[statement.op.name]
            value = statement.args[place]
            _note(b, env.get(value, value), left)
        elif isinstance(statement, Apply) and statement.op.form is Form.POWER:
            base, exponent = statement.args
            if (value_of(exponent) or 0.0) < 0:  # 0 ** -n raises
                _note(b, env.get(base, base), NONZERO)


def _note(b: Builder, value: Operand, left: int) -> None:
    """Note the signs of a value, and of the factors of one that is not 0."""
    known = b.known = {} if b.known is None else b.known
    pending = [(value, left)]
    while pending:
        value, left = pending.pop()
        if not isinstance(value, Var) or left == ANY:
            continue
        known[value] = known.get(value, ANY) & left
        made = b.definition.get(value)
        if not left & ZERO and isinstance(made, Apply):
            pending += [(a, NONZERO) for a in made.args[: _factors(made)]]


def _factors(made: Apply) -> int:
    """The number of arguments that are not 0 where the result is not."""
    if made.op.form is Form.POWER:  # 0 ** 0 is 1
        return int((value_of(made.args[1]) or 0.0) > 0)
    return _FACTORS.get(made.op.name, 0)


_FACTORS = {"mul": 2, "div": 1, "neg": 1, "abs": 1, "fabs": 1, "sqrt": 1, "float": 1}
"""Operations whose result is 0 where one of so many arguments is."""


Told = Iterator[tuple[Operand, int]]
"""Values, and the signs that they may have."""

Definitions = dict[Var, Apply | Branch]
"""The makers of values."""


def told(
    b: Builder,
    test: Operand,
    holds: bool,
    made_by: Definitions,
    env: Mapping[Operand, Operand],
) -> Told:
    """The signs that follow where a test holds, or does not: a comparison, the opposite
    of a test, several with `and`, or one of several with `or` that does not hold.

    `env` has the operands of parameters of the blocks around the test.
    """
    made = made_by.get(test) if isinstance(test, Var) else None
    if isinstance(made, Apply) and made.op.name == "not":
        yield from told(b, made.args[0], not holds, made_by, env)
    elif isinstance(made, Apply):
        yield from _told_by_comparison(b, made, holds, env)
    elif isinstance(made, Branch):
        both, other = made.blocks if holds else made.blocks[::-1]
        if not _is_number(other.results, 0 if holds else 1):
            return
        yield from told(b, made.test, holds, made_by, env)
        args = (env.get(a, a) for a in made.args)
        within: dict[Operand, Operand] = dict(zip(both.params, args, strict=True))
        yield from told(b, both.results[0], holds, definitions(both.body), within)


def of_arm(b: Builder, branch: Branch, place: int) -> dict[Operand, int]:
    """The signs that values may have in an arm of a branch, as its test tells."""
    found: dict[Operand, int] = {}
    for value, left in told(b, branch.test, place == 0, b.definition, {}):
        found[value] = found.get(value, ANY) & left
    return found


def definitions(body: Iterable[Statement]) -> Definitions:
    """The makers of the truth values of a body."""
    made = [s for s in body if type(s) is Apply or type(s) is Branch]
    outs = [(out, s) for s in made for out in s.outs if not out.type.is_real]
    return {out: s for out, s in outs if out.type == BOOL}


def _is_number(results: tuple[Operand, ...], number: int) -> bool:
    return len(results) == 1 and is_number(results[0], number)


def _told_by_comparison(
    b: Builder, made: Apply, holds: bool, env: Mapping[Operand, Operand]
) -> Told:
    name = made.op.name
    if name not in _HOLDS:
        return
    x, y = (env.get(a, a) for a in made.args)
    for one, other, relation in ((x, y, name), (y, x, MIRRORED.get(name, name))):
        if holds:
            yield one, _beyond(relation, signs(b, other))
        elif not _beyond(_TURNED[relation], signs(b, other)) & ZERO:
            yield one, NONZERO  # of NaN no comparison holds, so no more is known


_TURNED = {"gt": "le", "le": "gt", "lt": "ge", "ge": "lt", "eq": "ne", "ne": "eq"}
"""The comparison that holds where another does not, but for NaN."""


def _beyond(relation: str, other: int) -> int:
    """The signs of x where it stands in a relation to a value of these signs."""
    if relation in ("gt", "ge") and not other & NEGATIVE:
        return POSITIVE if relation == "gt" or not other & ZERO else POSITIVE | ZERO
    if relation in ("lt", "le") and not other & POSITIVE:
        return NEGATIVE if relation == "lt" or not other & ZERO else NEGATIVE | ZERO
    if relation == "eq":
        return other
    return NONZERO if relation == "ne" and other == ZERO else ANY


# --- laws -----------------------------------------------------------------------------


def compared_with_zero(name: str) -> Callable[[Builder, Args], Operand | None]:
    """`x != 0` is true where x is known to be positive or negative, and so on."""
    holds = _HOLDS[name]

    def compared(b: Builder, args: Args) -> Operand | None:
        x, y = args
        if not is_number(y, 0) or not isinstance(x, Var) or b.known is None:
            return None
        found = signs(b, x)
        if found & ~holds == 0:
            return Literal(True)
        return None if found & holds else Literal(False)

    return compared


def no_angle(b: Builder, args: Args) -> Operand | None:
    """atan2(0.0, x) is 0 where x is known to be positive; that of -0.0 is -0.0."""
    y, x = args
    number = value_of(y)
    if number != 0 or math.copysign(1.0, number) < 0 or x.type.is_array:
        return None
    return Literal(0.0) if signs(b, x) == POSITIVE else None


def is_nonzero(b: Builder, value: Operand) -> bool:
    """Whether a value is known not to be 0."""
    return signs(b, value) & ZERO == 0
