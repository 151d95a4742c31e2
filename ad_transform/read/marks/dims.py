"""Arrays in annotations: `Vector[n]`, `Matrix[m, n, int]`, `Float[np.ndarray, "n 3"]`.

A dim is a number, a name, or a whole expression of these, `Vector[n + 1]`; the same
name is the same length, in all parameters.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence

from ad_transform.ir.dims import Dim, plus, product, times
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.types import Kind, Type
from ad_transform.read.syntax.names import Names
from ad_transform.read.syntax.scopes import dotted, parsed, shown

UNKNOWN_SHAPE = "is an array of unknown shape"

UNNAMED = "."
"""The name of a dim without a name in the annotation; `with_names` replaces it."""

# fmt: off
_KINDS: dict[str, Kind] = {
    "float": Kind.FLOAT, "builtins.float": Kind.FLOAT, "numpy.float64": Kind.FLOAT,
    "numpy.floating": Kind.FLOAT,
    "int": Kind.INT,     "builtins.int": Kind.INT,     "numpy.int64": Kind.INT,
    "numpy.integer": Kind.INT,
    "bool": Kind.BOOL,   "builtins.bool": Kind.BOOL,   "numpy.bool_": Kind.BOOL,
}
_JAXTYPING = {"Float": Kind.FLOAT, "Float64": Kind.FLOAT, "Int": Kind.INT,
              "Bool": Kind.BOOL}
_RANKS = {"Vector": 1, "Matrix": 2}
# fmt: on
_MOST = 3


class Unclear(Exception):
    """A shape that cannot be read; the text is the predicate of the message."""

    def __init__(self, message: str, help_: str = "") -> None:
        super().__init__(message)
        self.help = help_


def of_array(shape: str, inner: Sequence[ast.expr], names: Names) -> Type:
    """The type of an array that is annotated `shape[inner]`; raises Unclear."""
    if shape in _JAXTYPING:
        made = Type(_JAXTYPING[shape], _jaxtyping(inner))
    elif shape == "ndarray":
        made = _ndarray(inner, names)
    else:
        made = _listed(shape, inner, names)
    if not 0 < len(made.dims) <= _MOST:
        raise Unclear(f"is an array of {len(made.dims)} dims, not of one to three")
    return made


def _listed(shape: str, inner: Sequence[ast.expr], names: Names) -> Type:
    """`Vector[n]`, `Matrix[m, n, int]`."""
    kind, items = Kind.FLOAT, list(inner)
    if items and (found := _kind(items[-1], names)) is not None:
        kind = found
        items.pop()
    dims = tuple(_dim(item, axis) for axis, item in enumerate(items))
    wanted = _RANKS.get(shape, len(dims))
    if len(dims) != wanted:
        many = "dim" if len(dims) == 1 else "dims"
        raise Unclear(f"is a {shape} with {len(dims)} {many}, not {wanted}")
    return Type(kind, dims)


def _kind(node: ast.expr, names: Names) -> Kind | None:
    name = dotted(node)
    return _KINDS.get(names.qualify(name)) or _KINDS.get(name)


def _dim(node: ast.expr, axis: int) -> Dim:
    match node:
        case ast.Constant(value=int(number)) if number >= 0 and number is not True:
            return number
        case ast.Name(id=name) if name in _KINDS:
            raise Unclear(f"has the dim `{name}`, which is a type: types stand last")
        case ast.Name(id=name):
            return name
    found = _expression(node)
    if found is None or (isinstance(found, int) and found < 0):
        wrong, help_ = f"has the dim `{shown(node)}`", ""
        if isinstance(node, ast.BinOp):
            length = f"{{x}}.shape[{axis}]" if axis else "len({x})"
            help_ = "name the length, and check it below: "
            help_ += f"`assert {length} == {shown(node)}`"
        raise Unclear(f"{wrong}, which is no number, name, sum or product", help_)
    return found


def _expression(node: ast.expr) -> Dim | None:
    """A sum, difference or product of names and numbers; None for anything else."""
    return bounce(_polynomial(node)) if isinstance(node, ast.BinOp) else None


def _polynomial(node: ast.expr) -> Task[Dim | None]:
    match node:
        case ast.Constant(value=int(number)) if number is not True and number < _LARGE:
            return number
        case ast.Name(id=name) if name not in _KINDS:
            return name
        case ast.BinOp(left=left, op=operation, right=right):
            a, b = (yield _polynomial(left)), (yield _polynomial(right))
            combine = _OPERATIONS.get(type(operation))
            return None if None in (a, b) or combine is None else combine(a, b)
    return None


_LARGE = 10**9
_OPERATIONS: Mapping[type[ast.operator], Callable[[Dim, Dim], Dim]] = {
    ast.Add: plus,
    ast.Sub: lambda a, b: plus(a, times(b, -1)),
    ast.Mult: lambda a, b: product((a, b)),
}


def _jaxtyping(inner: Sequence[ast.expr]) -> tuple[Dim, ...]:
    """`Float[np.ndarray, "n 3"]`."""
    match list(inner):
        case [_, ast.Constant(value=str(text))]:
            return tuple(map(_word, text.split()))
    raise Unclear("has no shape in quotes")


def _word(word: str) -> Dim:
    if word.isdecimal():
        return int(word)
    if word.isidentifier():
        return word
    node = parsed(word)
    if isinstance(node, ast.BinOp):
        return _dim(node, 0)
    raise Unclear(f"has the dim `{word}`, which is no number, name, sum or product")


def _ndarray(inner: Sequence[ast.expr], names: Names) -> Type:
    """`np.ndarray[tuple[int, int], np.dtype[np.float64]]`: dims without names."""
    if not inner or not isinstance(inner[0], ast.Subscript):
        raise Unclear(UNKNOWN_SHAPE)
    index = inner[0].slice
    sizes = index.elts if isinstance(index, ast.Tuple) else [index]
    if not all(dotted(size) == "int" for size in sizes):
        raise Unclear(UNKNOWN_SHAPE)
    kind: Kind | None = Kind.FLOAT
    if len(inner) > 1:
        dtype = inner[1]
        element = dtype.slice if isinstance(dtype, ast.Subscript) else dtype
        kind = _kind(element, names)
    if kind is None:
        raise Unclear(f"is an array of `{shown(inner[1])}`")
    return Type(kind, (UNNAMED,) * len(sizes))


def with_names(type_: Type, name: str) -> Type:
    """The type of a parameter; dims without a name are called after it: "x.0"."""
    dims = (f"{name}.{k}" if d == UNNAMED else d for k, d in enumerate(type_.dims))
    return Type(type_.kind, tuple(dims))
