"""Random programs of floats, as text, as doubles and as exact numbers.

A program is a list of steps over its parameters and earlier steps. The elementals are
those of the table that a source can name; literals stand wherever an argument may.
"""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from exact import MPMATH
from mpmath import mp, mpf

from ad_transform.elementals import TABLE
from ad_transform.ir.elemental import Elemental

Point: TypeAlias = tuple[float, ...]
Number: TypeAlias = float | int | bool
Failure = (ArithmeticError, ValueError, TypeError)
"""What Python raises for operations that have no result."""


@dataclass(frozen=True, slots=True)
class Use:
    """The parameter or step of this number, parameters first."""

    index: int


@dataclass(frozen=True, slots=True)
class Step:
    """An elemental on parameters, earlier steps and literals."""

    op: Elemental
    args: tuple[Use | Number, ...]


@dataclass(frozen=True, slots=True)
class Program:
    """Parameters called x, y, z; the last step is the result."""

    width: int
    steps: tuple[Step, ...]

    def source(self, name: str) -> str:
        """The definition of the function."""
        own = ", ".join(f"{p}: float" for p in "xyz"[: self.width])
        names = [*"xyz"[: self.width]]
        lines = [f"def {name}({own}):"]
        for k, step in enumerate(self.steps):
            text = spelled(step, names)
            last = k == len(self.steps) - 1
            lines.append(f"    return {text}" if last else f"    t{k} = {text}")
            names.append(f"t{k}")
        return "\n".join(lines)

    def run(self, point: Point, library: Callable[[Elemental], Any]) -> list[Any]:
        """All values, parameters first; raises what the operations raise."""
        values: list[Any] = list(point)
        for step in self.steps:
            args = (values[a.index] if isinstance(a, Use) else a for a in step.args)
            values.append(library(step.op)(*args))
        return values


# --- spelling -------------------------------------------------------------------------

# fmt: off
_SIGNS = {
    "add": "+", "sub": "-", "mul": "*", "div": "/", "mod": "%", "floordiv": "//",
    "pow": "**", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!=",
}
_FORMS: dict[str, Callable[[list[str]], str]] = {
    **{name: lambda a, s=sign: f"({a[0]}) {s} ({a[1]})"
       for name, sign in _SIGNS.items()},
    "neg":      lambda a: f"-({a[0]})",
    "pos":      lambda a: f"+({a[0]})",
    "not":      lambda a: f"(not ({a[0]}))",
    "max":      lambda a: f"max({a[0]}, {a[1]})",
    "min":      lambda a: f"min({a[0]}, {a[1]})",
    "log_base": lambda a: f"math.log({a[0]}, {a[1]})",
    "round_to": lambda a: f"round({a[0]}, {a[1]})",
    "sum":      lambda a: f"sum(({', '.join(a)},))",
    "sum_from": lambda a: f"sum(({', '.join(a[1:])},), {a[0]})",
    "fsum":     lambda a: f"math.fsum(({', '.join(a)},))",
    "hypot":    lambda a: f"math.hypot({', '.join(a)})",
    "dist":     lambda a: "math.dist({}, {})".format(*_pair(a)),
    "sumprod":  lambda a: "math.sumprod({}, {})".format(*_pair(a)),
}
# fmt: on


def _pair(args: Sequence[str]) -> tuple[str, str]:
    half = len(args) // 2
    first, second = (", ".join(p) for p in (args[:half], args[half:]))
    return f"({first},)", f"({second},)"


def spelled(step: Step, names: Sequence[str]) -> str:
    """The step as an expression of Python."""
    args = [names[a.index] if isinstance(a, Use) else repr(a) for a in step.args]
    form = _FORMS.get(step.op.name)
    if form:
        return form(args)
    name = step.op.known_as[0].removeprefix("builtins.")
    return f"{name}({', '.join(args)})"


OPERATIONS: tuple[Elemental, ...] = tuple(
    row
    for row in TABLE.values()
    if row.result in ("float", "int", "bool", "promote")
    and (row.name in _FORMS or row.known_as)
    and row.name not in ("both", "either")
)
"""The elementals that a source can name, but for those of truth values alone."""

_COMMON = tuple(TABLE[name] for name in ("add", "sub", "mul", "div"))
_RARE = frozenset({"isnan", "isinf", "isfinite", "not", "bool", "eq", "ne", "pos"})

# --- numbers --------------------------------------------------------------------------

_SPECIAL = (
    *(0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, 2.0, 3.0, 0.1, -0.3, 10.0),
    *(5e-324, -5e-324, 2.2250738585072014e-308, 1e-308, -1e-310, 1e-160, 1e-300),
    *(1.7976931348623157e308, -1e308, 1e200, 1e154, -1e155, 4503599627370497.5),
    *(9007199254740993.0, -9007199254740992.0, 1e16, 1e22, 1e300, 709.8, -745.2),
)
_ENDLESS = (math.inf, -math.inf, math.nan)


def bits(source: random.Random) -> float:
    """A double of any bit pattern."""
    (value,) = struct.unpack("<d", source.randbytes(8))
    return float(value)


def mild(source: random.Random) -> float:
    """A number near 1, often of few digits."""
    value = source.uniform(-6.0, 6.0)
    return source.choice((value, round(value, 1), round(value, 3), float(round(value))))


def _near_power(source: random.Random) -> float:
    value = math.ldexp(source.choice((1.0, -1.0)), source.randint(-60, 60))
    return math.nextafter(value, source.choice((0.0, value, 2.0 * value)))


def _half(source: random.Random) -> float:
    return source.randint(-(2**20), 2**20) + 0.5


def finite(source: random.Random) -> float:
    """A finite number of any kind."""
    kinds: tuple[Callable[[random.Random], float], ...]
    kinds = (bits, mild, mild, mild, _near_power, _half, lambda s: s.choice(_SPECIAL))
    value = source.choice(kinds)(source)
    return value if math.isfinite(value) else 1.0


def number(source: random.Random) -> float:
    """Any double."""
    return source.choice(_ENDLESS) if source.random() < 0.03 else finite(source)


# --- programs -------------------------------------------------------------------------

_STARRED = {"sum", "sum_from", "fsum", "hypot"}
_HALVED = {"dist", "sumprod"}


def _count(op: Elemental, source: random.Random) -> int:
    if op.name in _HALVED:
        return source.choice((2, 4))
    if op.name in _STARRED:
        return source.randint(2, 4)
    return len(op.parameters)


def _arguments(
    op: Elemental, values: int, source: random.Random
) -> tuple[Use | Number, ...]:
    """Arguments, mostly the latest values, sometimes literals, seldom all of them."""
    args: list[Use | Number] = []
    literal = 0.02 if source.random() < 0.95 else 0.9
    count = _count(op, source)
    first = source.randrange(count)
    for k in range(count):
        if op.name == "round_to" and k == 1:
            args.append(source.randint(-3, 6))
        elif source.random() < (literal if k == first else literal + 0.25):
            own = finite(source)
            small = own == int(own) and abs(own) < 1e6 and source.random() < 0.5
            args.append(int(own) if small else own)
        else:
            late = k == first or source.random() < 0.2
            args.append(Use(values - 1 if late else source.randrange(values)))
    return tuple(args)


def _operation(source: random.Random) -> Elemental:
    if source.random() < 0.4:
        return source.choice(_COMMON)
    op = source.choice(OPERATIONS)
    return op if op.name not in _RARE or source.random() < 0.4 else _operation(source)


@dataclass(frozen=True, slots=True)
class Case:
    """A program with points, some of which it has a value at."""

    program: Program
    points: tuple[Point, ...]


def cases(seed: str, points: int = 10) -> Iterator[Case]:
    """Cases without end, the same for the same seed."""
    source = random.Random(seed)
    while True:
        yield _case(source, points)


def _case(source: random.Random, count: int) -> Case:
    """A program made step by step, each with a value at some of the points still."""
    width, length = source.choice((1, 1, 2, 3)), source.randint(2, 10)
    draw = source.choice((number, number, mild))
    points = tuple(tuple(draw(source) for _ in range(width)) for _ in range(count))
    columns: list[list[Any]] = [list(p) for p in points]
    steps: list[Step] = []
    for _ in range(4 * length):
        op = _operation(source)
        step = Step(op, _arguments(op, width + len(steps), source))
        if _of_whole(step, columns) and "numpy." in "".join(op.known_as[:1]):
            continue  # numpy has an arithmetic of its own for these
        found = [_value(step, column) for column in columns]
        if len(steps) < length and sum(map(_is_number, found)) < 3:
            continue
        steps.append(step)
        for column, value in zip(columns, found, strict=True):
            column.append(value)
        if len(steps) >= length:
            break
    if not steps or steps[-1].op.result != "float":
        last = Use(width + len(steps) - 1)
        steps.append(Step(TABLE["mul"], (1.0 + 0.5 * (len(steps) % 2), last)))
    return Case(Program(width, _alive(width, steps)), points)


def _alive(width: int, steps: Sequence[Step]) -> tuple[Step, ...]:
    """The steps that the last one needs, numbered anew."""
    needed = {width + len(steps) - 1}
    for k in reversed(range(len(steps))):
        if width + k in needed:
            needed.update(a.index for a in steps[k].args if isinstance(a, Use))
    place = {k: k for k in range(width)}
    kept: list[Step] = []
    for k, step in enumerate(steps):
        if width + k in needed:
            args = (Use(place[a.index]) if isinstance(a, Use) else a for a in step.args)
            place[width + k] = width + len(kept)
            kept.append(Step(step.op, tuple(args)))
    return tuple(kept)


def _of_whole(step: Step, columns: Sequence[Sequence[Any]]) -> bool:
    """Whether no argument is a float, at any point."""
    used = [a.index for a in step.args if isinstance(a, Use)]
    literals = [a for a in step.args if not isinstance(a, Use)]
    values = (column[k] for column in columns for k in used)
    return not any(isinstance(v, float) for v in (*values, *literals))


def _value(step: Step, column: Sequence[Any]) -> Any:
    args = [column[a.index] if isinstance(a, Use) else a for a in step.args]
    if any(a is None for a in args):
        return None
    try:
        return step.op.compute(*args)
    except Failure:
        return None


def _is_number(value: Any) -> bool:
    return isinstance(value, int) or (
        isinstance(value, float) and math.isfinite(value) and value != 0.0
    )


# --- truth ----------------------------------------------------------------------------

KNOWN = 40
"""Digits to which exact values are known."""

_LEVELS = (60, 800, 1600, 6400)
_LARGEST = 4000
"""Binary exponents up to which functions are computed exactly."""

_ALGEBRAIC = frozenset({"add", "sub", "mul", "div", "neg", "pos", "abs", "fabs"})


class Unclear(Exception):
    """What exact arithmetic gives cannot be told."""


class Nothing(Exception):
    """There is no exact result."""


def _exactly(op: Elemental) -> Callable[..., Any]:
    compute = _OWN.get(op.name) or MPMATH(op)

    def inner(*args: Any) -> Any:
        if any(
            _size(a) > (_LARGEST if op.name not in _ALGEBRAIC else 10**5) for a in args
        ):
            raise Unclear
        try:
            result = compute(
                *(a if isinstance(a, bool | int) else mpf(a) for a in args)
            )
        except OverflowError as error:  # mpmath's own limit
            raise Unclear from error
        except Failure as error:
            raise Nothing from error
        if isinstance(result, mp.mpc) or (
            isinstance(result, mpf) and not mp.isfinite(result)
        ):
            raise Nothing
        return result

    return inner


def _size(value: Any) -> int:
    if isinstance(value, int | bool) or not value:
        return int(value).bit_length() if value else 0
    _, _, exponent, length = mpf(value)._mpf_
    return abs(exponent + length)


def _signed(compute: Callable[..., Any], k: int) -> Callable[..., Any]:
    """Zeros have no sign in exact arithmetic."""

    def inner(*args: Any) -> Any:
        if args[k] == 0:
            raise Unclear
        return compute(*args)

    return inner


def _divided(x: Any, y: Any) -> Any:
    return mp.floor(mpf(x) / y)


def _modulo(x: Any, y: Any) -> Any:
    return mpf(x) - mpf(y) * mp.floor(mpf(x) / y)


_OWN: dict[str, Callable[..., Any]] = {
    "mod": _modulo,
    "floordiv": _divided,
    "copysign": _signed(MPMATH(TABLE["copysign"]), 1),
    "atan2": _signed(MPMATH(TABLE["atan2"]), 0),
}


def truth(program: Program, point: Point) -> list[Any] | None:
    """All exact values, parameters first; None where the result does not exist.

    Raises Unclear where a thousand digits do not tell.
    """
    found: list[Any] | None = None
    known = False
    for digits in _LEVELS:
        before, was_known = found, known
        with mp.workdps(digits):
            try:
                found = program.run(tuple(map(mpf, point)), _exactly)
            except Nothing:
                found = None
        known = True
        if was_known and _agree(before, found, digits):
            return found
    raise Unclear


def _agree(one: list[Any] | None, other: list[Any] | None, digits: int) -> bool:
    if one is None or other is None:
        return one is other
    with mp.workdps(digits):
        return all(
            a == b or abs(a - b) <= mpf(10) ** -KNOWN * abs(b)
            for a, b in zip(one, other, strict=True)
        )
