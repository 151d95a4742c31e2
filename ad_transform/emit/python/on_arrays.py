"""Spellings of operations on arrays, as numpy has them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from functools import cache

from ad_transform.elementals.whole import BY_NUMBER
from ad_transform.emit.python.spelling import Spelling, compiled, operands_of
from ad_transform.ir.elemental import PYTHON, Elemental
from ad_transform.ir.nodes import Literal, Operand

# fmt: off
_ON_ARRAYS: dict[str, str] = {
    "hypot": "np.hypot(*x)", "max": "np.maximum(x, y)", "min": "np.minimum(x, y)",
    "not": "np.logical_not(x)", "math_pow": "np.power(x, y)",
    "float": "np.array(x, dtype=float)", "int": "np.array(x, dtype=int)",
}
# fmt: on


def _text(op: Elemental) -> str:
    """The spelling of an elemental on arrays; empty where numpy has none."""
    text = op.spelling(PYTHON)
    root = ast.parse(text).body[0]
    value = root.value if isinstance(root, ast.Expr) else None
    if op.layout is not None or isinstance(value, ast.BinOp | ast.Compare):
        return text
    if op.name in _ON_ARRAYS or op.name in ("neg", "pos", "where"):
        return _ON_ARRAYS.get(op.name, text)
    if op.name in BY_NUMBER and isinstance(value, ast.Call):
        function, given = ast.unparse(value.func), ", ".join(op.parameters)
        return f"np.vectorize({function}, otypes=[float])({given})"
    known = next((k for k in op.known_as if k.startswith("numpy.")), "")
    name = known.removeprefix("numpy.")
    return f"np.{name}({', '.join(op.parameters)})" if name else ""


@cache
def spelled_on_arrays(op: Elemental, count: int) -> Spelling:
    """The spelling of an elemental applied to `count` operands, arrays among them."""
    operands = operands_of(op, count)
    starred = {p[1:] for p in op.parameters if p.startswith("*")}
    text = _text(op)
    if not text:
        raise KeyError(f"numpy has no {op.name}")
    return compiled(text, operands, starred)


# fmt: off
_EQUAL_NUMBERS: dict[tuple[str, str], str] = {
    ("filled",      "0.0"): "np.zeros(size)",
    ("filled",      "1.0"): "np.ones(size)",
    ("filled_rows", "0.0"): "np.zeros((rows, columns))",
    ("filled_rows", "1.0"): "np.ones((rows, columns))",
    ("full_like",   "0.0"): "np.zeros_like(y)",
    ("full_like",   "1.0"): "np.ones_like(y)",
}
# fmt: on
_FILLING = frozenset(name for name, _ in _EQUAL_NUMBERS)


def text_of_equals(op: Elemental, args: Sequence[Operand]) -> str:
    """The text by which numpy makes an array of zeros or ones; empty for other
    operations, and for numbers with names.
    """
    if op.name not in _FILLING:
        return ""
    value = args[0]
    if type(value) is not Literal or value.name:
        return ""
    return _EQUAL_NUMBERS.get((op.name, repr(value.value)), "")


@cache
def spelled_as(text: str, op: Elemental, count: int) -> Spelling:
    """The spelling of an elemental by a text in the names of its parameters."""
    return compiled(text, operands_of(op, count), set())


# fmt: off
_FLOATS_LIKE: dict[str, str] = {
    "zeros_like":   "np.zeros_like(x, dtype=float)",
    "zeros_beside": "np.zeros_like(x, dtype=float)",
    "full_like":    "np.full_like(y, x, dtype=float)",
}
# fmt: on


def text_of_floats(op: Elemental, args: Iterable[Operand]) -> str:
    """The text by which numpy makes new floats like an array of whole numbers, which
    says `dtype`; empty for other operations and operands.
    """
    if op.name not in _FLOATS_LIKE or all(arg.type.is_real for arg in args):
        return ""
    return _FLOATS_LIKE[op.name]
