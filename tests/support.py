"""What tests need, one helper for each need.

Programs are text. `generate` makes derivative text from source text through the real
pipeline; `load` executes either with Python's numbers or, given `exact`'s modules, with
sixty digits; `load_generated` does both. `jacobian` and `hessian` differentiate a
loaded function numerically.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import inspect
import io
import math
import re
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any
from zlib import crc32

import exact
from amounts import LONG, search
from mpmath import mp, mpf

from ad_transform.options import Options
from ad_transform.run.job import Result, transform
from ad_transform.run.printing import Origin

ORIGIN = Origin("model.py", "ad-transform model.py -o model_grad.py")
Namespace = dict[str, Any]
Values = Mapping[str, Any]


# --- programs ----------------------------------------------------------------------


def marked(source: str, function: str, *items: str) -> str:
    """The source with a mark above a function."""
    line = f"# ad: {', '.join(items)}\n"
    text, count = re.subn(rf"(?m)^def {function}\(", rf"{line}\g<0>", source)
    assert count == 1, f"no single def {function}"
    return text


def run(source: str, **options: Any) -> Result:
    """What the pipeline makes of a source."""
    return transform(source.encode(), "model.py", ORIGIN, Options().override(**options))


@lru_cache(maxsize=1_000)
def generate(source: str, **options: Any) -> str:
    """The generated text; the source must not be refused. What was made of late is not
    made again, but where a test has changed the tool (see conftest.py).
    """
    result = run(source, **options)
    assert result.text is not None, result.diagnostics
    return result.text


def load(
    text: str,
    modules: Mapping[str, ModuleType] | None = None,
    names: Mapping[str, Any] | None = None,
) -> Namespace:
    """The namespace of executed text, some modules and builtins replaced."""
    replaced = modules or {}

    def importing(name: str, *rest: Any) -> Any:
        assert rest[0:1] != ("ad_transform",)
        if name not in replaced:
            return __import__(name, *rest)
        return replaced[name if rest[2] else name.partition(".")[0]]

    known = {**vars(builtins), **(names or {}), "__import__": importing}
    namespace: Namespace = {"__builtins__": known, "__name__": "model"}
    exec(_compiled(text), namespace)
    return namespace


@lru_cache(maxsize=1_000)
def _compiled(text: str) -> CodeType:
    """The code of a text; many are executed in doubles and with sixty digits."""
    return compile(text, "<text>", "exec", dont_inherit=True)


def load_exact(text: str) -> Namespace:
    """The namespace of text executed with sixty digits."""
    return load(text, exact.modules(), exact.BUILTINS)


def load_generated(source: str, **options: Any) -> Namespace:
    """What is generated of a source, for tests of its numbers: most of it is found
    without a search for fewer operations.
    """
    return load(generate(source, **search(source) | options))


def invoke(function: Callable[..., Any], values: Values) -> Any:
    """A call with every argument by name where that is allowed; prints nothing."""
    positional = []
    named = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind is parameter.POSITIONAL_ONLY:
            positional.append(values[name])
        elif name in values:
            named[name] = values[name]
    with contextlib.redirect_stdout(io.StringIO()):
        return function(*positional, **named)


def exactly(values: Values) -> dict[str, Any]:
    """The floats among the values with sixty digits."""
    return {k: mpf(v) if type(v) is float else v for k, v in values.items()}


def flat(value: Any) -> list[Any]:
    """The scalars of nested tuples, lists, dicts and arrays, depth first."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, tuple | list):
        return [leaf for item in value for leaf in flat(item)]
    return [value]


# --- the corpus --------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Case:
    """A function of the corpus and the arguments to try."""

    file: str
    name: str
    source: str
    points: tuple[Values, ...]
    actives: tuple[str, ...]
    scalar: bool

    def __str__(self) -> str:
        return f"{self.file}-{self.name}"

    @property
    def turn(self) -> int:
        """A number for what takes turns among the cases; no other case changes it."""
        return crc32(str(self).encode())

    @property
    def kinds(self) -> dict[str, str]:
        """Kinds that can be asked of it, with the suffixes that the functions have;
        those of scalars with the value or without it, as they are searched, or in turn.
        Hessians and products with them take turns, too, every other time, or both are
        asked; Jacobians of scalars have the value beside them, or both are. What is
        searched is asked in another order as well where the two are compared; where
        they are not, scalars have a gradient or a Jacobian, which is swept alike.
        """
        bent, slopes = self.turn >> 3 & 3, self.turn >> 5 & 1
        if self.is_raced or not self.scalar:
            found = dict(FIRST)
        else:
            found = PRODUCTS | (JACOBIANS[1] if slopes else GRADIENTS[1])
        for place, forms in enumerate(SCALARS if self.scalar else ()):
            searched = [form for form in forms if form.keys() <= self.searched.keys()]
            if searched or LONG or (place == bent if place else self.is_raced):
                found |= searched[0] if searched else forms[self.turn >> place & 1]
        again = found if self.is_raced else {"vjp"}
        return {k: s for k, s in found.items() if k in again or k not in self.searched}

    @property
    def searched(self) -> dict[str, str]:
        """What all orders together are tried for: of kinds that are alike one, and a
        second derivative, which takes long, in every fourth case, or every other one.
        Half of the cases that are not raced have slopes in the other order alone.
        """
        turn = self.turn
        if not self.scalar:
            return JACOBIANS[turn % 2] | PRODUCTS
        bent = turn % 2 and (LONG or turn >> 18 & 1)
        second = SECOND[turn // 2 % 4] if bent else {}
        slope = SLOPES[turn % 5] if self.is_raced or turn >> 10 & 1 else {}
        return {"jvp": "jvp"} | slope | second

    @property
    def is_raced(self) -> bool:
        """Whether all orders are tried for it, as they are for users."""
        return LONG or (self.turn >> 15) % 12 == 1

    @property
    def order(self) -> str:
        """The order that it is tried in: all of them where they are raced."""
        if self.is_raced:
            return "auto"
        return "forward" if self.other_order == "reverse" else "reverse"

    @property
    def other_order(self) -> str:
        """The order that it is tried in beside that."""
        return OTHERS[self.turn % 3]


@cache
def corpus() -> tuple[Case, ...]:
    """Every function that a file of tests/corpus has points for."""
    folder = Path(__file__).parent / "corpus"
    return tuple(
        case for path in sorted(folder.glob("*.py")) for case in cases_in(path)
    )


def cases_in(path: Path) -> list[Case]:
    whole = path.read_text(encoding="utf-8")
    namespace, body = load(whole), ast.parse(whole).body
    made = []
    for name, points in namespace["POINTS"].items():
        signature = inspect.signature(namespace[name])
        actives = tuple(
            p.name
            for p in signature.parameters.values()
            if p.annotation in (p.empty, float, "float")
        )
        values = tuple(
            dict(zip(signature.parameters, point, strict=True)) for point in points
        )
        scalar = type(invoke(namespace[name], values[0])) is float
        source = _without_others(whole, body, name)
        made.append(Case(path.stem, name, source, values, actives, scalar))
    return made


def _without_others(whole: str, body: Sequence[ast.stmt], name: str) -> str:
    """A file without its points, and without the functions that one does not call: all
    would be read again for each of them.
    """
    *body, points = body
    known = {node.name: node for node in body if isinstance(node, ast.FunctionDef)}
    called, waiting = set(), [name]
    while waiting:
        called.add(one := waiting.pop())
        names = {n.id for n in ast.walk(known[one]) if isinstance(n, ast.Name)}
        waiting += names & known.keys() - called
    others = [node for one, node in known.items() if one not in called]
    lines = whole.splitlines(keepends=True)
    for node in (points, *reversed(others)):
        del lines[node.lineno - 1 : node.end_lineno]
    return "".join(lines)


JACOBIANS = {"jacobian": "jac"}, {"jacobian(value=True)": "value_and_jac"}
PRODUCTS = {"jvp": "jvp", "vjp": "vjp"}
GRADIENTS = {"gradient": "grad"}, {"gradient(value=True)": "value_and_grad"}
SLOPES = (*JACOBIANS, *GRADIENTS, {"vjp": "vjp"})
"""What is one row of numbers, if the function is a scalar."""
SECOND = (
    {"hessian": "hess"},
    {"hessian(value=True)": "value_and_hess"},
    {"hvp": "hvp"},
    {"hvp(value=True)": "value_and_hvp"},
)
FIRST = JACOBIANS[0] | JACOBIANS[1] | PRODUCTS
SCALARS = (GRADIENTS, SECOND[:2], SECOND[2:])
"""What scalars have besides: each without the value and with it."""
SCALAR = GRADIENTS[0] | GRADIENTS[1] | SECOND[0] | SECOND[1] | SECOND[2] | SECOND[3]
OTHERS = ("forward", "reverse", "markowitz")
"""Orders that the cases have beside their own, in turn."""


@cache
def everything(case: Case) -> Result:
    """A function of the corpus with what all orders are tried for, in tuples; or with
    what one order gives, where it is not raced.
    """
    source = marked(case.source, case.name, *case.searched)
    options = {"order": case.order, "effort": int(case.is_raced)}
    return run(source, container="tuple", **options)


@cache
def otherwise(case: Case) -> Result:
    """The same with all that can be asked, in arrays, by one order."""
    source = marked(case.source, case.name, *case.kinds)
    options = {"order": case.other_order, "effort": int(case.is_raced)}
    return run(source, container="array", **options)


# --- numerical derivatives ---------------------------------------------------------

_STEP = mpf(10) ** -40


def jacobian(
    function: Callable[..., Any], values: Values, actives: Sequence[str]
) -> list[list[Any]]:
    """The Jacobian of a function loaded exactly, to forty digits."""
    with mp.workdps(140):
        columns = [
            [
                (a - b) / (2 * _STEP)
                for a, b in zip(
                    _shifted(function, values, {name: _STEP}),
                    _shifted(function, values, {name: -_STEP}),
                    strict=True,
                )
            ]
            for name in actives
        ]
        return [list(row) for row in zip(*columns, strict=True)]


def hessian(
    function: Callable[..., Any], values: Values, actives: Sequence[str]
) -> list[list[Any]]:
    """The Hessian of a scalar function loaded exactly, to forty digits."""
    with mp.workdps(200):
        n = len(actives)
        rows = [[mpf(0)] * n for _ in range(n)]
        for i in range(n):
            for j in range(i + 1):
                rows[i][j] = rows[j][i] = _second(
                    function, values, actives[i], actives[j]
                )
        return rows


def _second(function: Callable[..., Any], values: Values, a: str, b: str) -> Any:
    total = mpf(0)
    for s, t in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        shifts = {a: s * _STEP}
        shifts[b] = shifts.get(b, 0) + t * _STEP
        total += s * t * _shifted(function, values, shifts)[0]
    return total / (4 * _STEP * _STEP)


def _shifted(
    function: Callable[..., Any], values: Values, shifts: Mapping[str, Any]
) -> list[Any]:
    at = exactly(values)
    for name, shift in shifts.items():
        at[name] += shift
    return flat(invoke(function, at))


@contextlib.contextmanager
def case(name: object) -> Iterator[None]:
    """A failure inside says which case of a table it is of."""
    try:
        yield
    except AssertionError as error:
        error.add_note(f"of {name}")
        raise


# --- comparisons -------------------------------------------------------------------


def same_bits(a: Any, b: Any) -> bool:
    """Whether two values are the same to the bit, types and containers included.

    NaNs are all one value: neither Python nor the hardware promises their payload.
    """
    if type(a) is not type(b):
        return False
    if isinstance(a, tuple | list):
        return len(a) == len(b) and all(map(same_bits, a, b))
    if isinstance(a, complex):
        return same_bits((a.real, a.imag), (b.real, b.imag))
    if isinstance(a, float):
        both_nan = math.isnan(a) and math.isnan(b)
        return both_nan or struct.pack("d", a) == struct.pack("d", b)
    return bool(a == b)


def ulps(got: float, want: Any) -> float:
    """The distance of a double from an exact number in ulps of that number."""
    if not math.isfinite(got):
        return math.inf
    return float(abs(mpf(got) - want) / math.ulp(float(want)))
