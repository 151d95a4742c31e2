"""Raw IR functions without a reader: Python functions run on traced numbers."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any

from ad_transform.elementals import CONSTANTS, TABLE, Alias, recognise
from ad_transform.ir.nodes import (
    LEAF,
    Apply,
    Block,
    Function,
    Literal,
    Nest,
    Operand,
    Parameter,
    Statement,
    Var,
    group,
)
from ad_transform.ir.types import FLOAT
from ad_transform.ir.typing import result_type


class Traced:
    """A number that writes down what is done with it."""

    def __init__(self, operand: Operand, body: list[Statement]) -> None:
        self.operand = operand
        self.body = body

    def __bool__(self) -> bool:
        raise TypeError("a traced program is a straight line")


def apply(name: str, *args: Any) -> Any:
    """The elemental on numbers, some of them traced."""
    op = TABLE[name]
    bodies = [a.body for a in args if isinstance(a, Traced)]
    if not bodies:
        return op.compute(*args)
    operands = tuple(a.operand if isinstance(a, Traced) else Literal(a) for a in args)
    out = Var(result_type(op, operands))
    bodies[0].append(Apply(out, op, operands))
    return Traced(out, bodies[0])


def _method(name: str, swap: bool) -> Callable[..., Any]:
    if swap:
        return lambda self, other: apply(name, other, self)
    return lambda self, *others: apply(name, self, *others)


for _method_name, _op in {
    "add": "add",
    "sub": "sub",
    "mul": "mul",
    "truediv": "div",
    "pow": "pow",
    "mod": "mod",
    "floordiv": "floordiv",
}.items():
    setattr(Traced, f"__{_method_name}__", _method(_op, False))
    setattr(Traced, f"__r{_method_name}__", _method(_op, True))
for _op in ("neg", "pos", "abs"):
    setattr(Traced, f"__{_op}__", _method(_op, False))


def _function(name: str) -> Callable[..., Any]:
    return lambda *args: apply(name, *args)


def traced_math() -> ModuleType:
    """`math` for traced numbers."""
    module = ModuleType("math")
    for qualified, (_, value) in CONSTANTS.items():
        setattr(module, qualified.split(".")[1], value)
    for name in TABLE:
        known = recognise(f"math.{name}")
        if known is not None and not isinstance(known, Alias):
            setattr(module, name, _function(known.name))
    module.hypot = _function("hypot")  # type: ignore[attr-defined]
    module.pow = _function("math_pow")  # type: ignore[attr-defined]
    return module


def trace(function: Callable[..., Any]) -> Function:
    """The IR of a straight-line function of floats that uses `traced_math`."""
    names = tuple(inspect.signature(function).parameters)
    params = tuple(Var(FLOAT, name, named=True) for name in names)
    body: list[Statement] = []
    result = function(*(Traced(p, body) for p in params))
    flat: list[Operand] = []
    nest = _flatten(result, flat)
    parameters = tuple(Parameter(v.hint, (v,)) for v in params)
    block = Block(params, tuple(body), tuple(flat))
    return Function(function.__name__, parameters, block, nest, len(flat))


def _flatten(result: Any, flat: list[Operand]) -> Nest:
    if isinstance(result, tuple):
        return group(tuple(_flatten(item, flat) for item in result))
    flat.append(result.operand if isinstance(result, Traced) else Literal(result))
    return LEAF
