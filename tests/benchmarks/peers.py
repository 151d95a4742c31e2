"""Operations of a value and its derivatives as other tools have them: SymPy (`diff` and
`cse`), CasADi (`jacobian` and `cse`), JAX (`make_jaxpr`).

All are counted as CONTRACT.md, rule 25, has it: what compares or chooses costs nothing.
Each tool runs the source itself, with its own functions in place of those of `math`.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import pytest
from support import flat, load
from support_counts import counts_of

NAMES = ("sin", "cos", "tan", "exp", "log", "sqrt", "asin", "atan2", "erf")
ORDERS = {"gradient": 1, "jacobian": 1, "hessian": 2}

Function = Callable[..., Any]


def _function(source: str, name: str, own: dict[str, Function]) -> tuple[Any, int]:
    """The function over those of a tool, and how many parameters it has."""

    def either(name: str) -> Function:
        def call(*args: Any) -> Any:
            plain = all(isinstance(a, float | int) for a in args)
            return (getattr(math, name) if plain else own[name])(*args)

        return call

    module = ModuleType("math")
    module.__dict__.update(vars(math) | {name: either(name) for name in own})
    function = load(source, {"math": module})[name]
    return function, len(inspect.signature(function).parameters)


def _radians(x: Any) -> Any:
    return x * (math.pi / 180.0)


def of_sympy(source: str, name: str, kind: str) -> int:
    """Operations of what SymPy prints."""
    tool = pytest.importorskip("sympy")
    own = {n: getattr(tool, n) for n in NAMES}
    own |= {"log1p": lambda x: tool.log(1 + x), "radians": _radians}
    function, count = _function(source, name, own)
    inputs = [tool.Symbol(f"x{k}", real=True) for k in range(count)]
    values = flat(function(*inputs))
    slopes = [tool.diff(value, x) for value in values for x in inputs]
    if ORDERS[kind] == 2:
        pairs = [(i, j) for i in range(count) for j in range(i + 1)]
        slopes += [tool.diff(slopes[i], inputs[j]) for i, j in pairs]
    common, rest = tool.cse([*values, *slopes])
    lines = [f"    {x} = {tool.pycode(made)}\n" for x, made in common]
    results = ", ".join(map(tool.pycode, rest))
    text = f"def made():\n{''.join(lines)}    return {results}\n"
    return counts_of(text, "made").total


def of_casadi(source: str, name: str, kind: str) -> int:
    """Instructions of CasADi, but for loads, stores, comparisons and choices."""
    tool = pytest.importorskip("casadi")
    own = {n: getattr(tool, n) for n in (*NAMES, "log1p")} | {"radians": _radians}
    function, count = _function(source, name, own)
    inputs = [tool.SX.sym(f"x{k}") for k in range(count)]
    values = tool.vertcat(*flat_symbols(function(*inputs)))
    columns = tool.vertcat(*inputs)
    made = [values, tool.jacobian(values, columns)]
    if ORDERS[kind] == 2:
        made += [tool.tril(tool.hessian(values, columns)[0])]
    run = tool.Function("made", inputs, tool.cse(made))
    free = {"ASSIGN", "CONST", "INPUT", "OUTPUT", "PARAMETER", "IF_ELSE_ZERO"}
    free |= {"LT", "LE", "EQ", "NE", "NOT", "AND", "OR"}
    idle = {getattr(tool, f"OP_{name}") for name in free}
    ids = [run.instruction_id(k) for k in range(run.n_instructions())]
    return sum(one not in idle for one in ids)


def flat_symbols(value: Any) -> list[Any]:
    """The symbols of nested tuples; they have a `tolist` of their own."""
    if isinstance(value, tuple | list):
        return [leaf for item in value for leaf in flat_symbols(item)]
    return [value]


def of_jax(source: str, name: str, kind: str) -> int | None:
    """Equations of the jaxpr of value and gradient; matrices have none an entry."""
    if kind != "gradient":
        return None
    tool = pytest.importorskip("jax")
    own = {n: getattr(tool.lax, n) for n in (*NAMES, "log1p")}
    own["radians"] = _radians
    function, count = _function(source, name, own)
    slopes = tool.value_and_grad(function, argnums=tuple(range(count)))
    free = {"convert_element_type", "select_n", "stop_gradient", "copy"}
    free |= {"lt", "le", "gt", "ge", "eq", "ne", "and", "or", "not"}
    equations: Sequence[Any] = tool.make_jaxpr(slopes)(*[1.5] * count).jaxpr.eqns
    return sum(equation.primitive.name not in free for equation in equations)
