"""Shapes that a function states by checking them, as generated functions do.

    def f_grad(x: ArrayLike, A: ArrayLike) -> NDArray[np.float64]:
        if len(np.shape(x)) != 1:
            raise ValueError(...)
        if np.shape(A) != (np.shape(x)[0], 3):
            raise ValueError(...)

Such a check is not differentiated: the output has its own. Items of a tuple have
places: `f_bar[1]` is stated as `x` is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from ad_transform.dataclass import dataclass
from ad_transform.ir.dims import Dim, plus, product, times
from ad_transform.ir.types import Kind, Type
from ad_transform.read.marks.annotations import Annotation, read_annotation
from ad_transform.read.marks.dims import UNKNOWN_SHAPE
from ad_transform.read.parameters.stated_sequences import Sequences
from ad_transform.read.syntax.names import Names
from ad_transform.read.syntax.scopes import dotted, parameters_of
from ad_transform.read.syntax.source import Source

Shapes = Mapping[str, Annotation]


def stated_shapes(node: ast.FunctionDef, names: Names) -> Shapes:
    """The shapes that the body states by place, "x" or "f_bar[1]", for parameters and
    items of tuples whose annotations have none.
    """
    return {**dict(_Reader(node, names).shapes()), **Sequences(node, names).shapes()}


@dataclass(frozen=True, slots=True)
class Stated:
    """The parts of a file that state shapes: lines of checks, and places of
    comprehensions that take a sequence of sequences unchanged.
    """

    lines: frozenset[int]
    taken: frozenset[tuple[int, int]]


def stated_in(source: Source, names: Names) -> Stated:
    """The parts of the functions of a file that state shapes."""
    functions = [s for s in source.tree.body if isinstance(s, ast.FunctionDef)]
    lines: set[int] = set()
    taken: set[tuple[int, int]] = set()
    if "shape(" in source.text:
        for reader in (_Reader(node, names) for node in functions):
            lines.update(line for _ in reader.shapes() for line in reader.lines)
    if "Sequence[" in source.text:
        for sequences in (Sequences(node, names) for node in functions):
            arrays = sequences.shapes()
            lines.update(line for p, line in sequences.lines if p in arrays)
            taken.update(at for p, at in sequences.taken if p in arrays)
    return Stated(frozenset(lines), frozenset(taken))


class _Reader:
    def __init__(self, node: ast.FunctionDef, names: Names) -> None:
        self.node = node
        self.names = names
        self.lines: list[int] = []
        self.dims: dict[str, list[Dim]] = {}
        self.lengths: dict[str, Dim | None] = {}
        self.bare = {
            place
            for arg in parameters_of(node.args)
            for place in self._places(arg.arg, arg.annotation)
        }

    def _places(self, place: str, node: ast.expr | None) -> Iterator[str]:
        """The places of arrays without a shape, in a parameter so annotated."""
        match node:
            case ast.Subscript(value=value, slice=ast.Tuple(elts=items)) if (
                self.names.qualify(dotted(value)) == "builtins.tuple"
            ):
                for k, item in enumerate(items):
                    yield from self._places(f"{place}[{k}]", item)
            case ast.expr():
                if read_annotation(node, self.names).refusal == UNKNOWN_SHAPE:
                    yield place

    def shapes(self) -> Iterator[tuple[str, Annotation]]:
        """The shapes that the checks state, in order."""
        if not self.bare:
            return
        for statement in self.node.body:
            match statement:
                case ast.If(test=test, body=[ast.Raise()], orelse=[]):
                    self._check(test, statement.lineno)
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    found = self._dim(value)
                    if found not in (None, _SOME):
                        self.lengths[name] = found
        kinds = dict(found for s in self.node.body for found in self._kinds(s))
        for name, dims in self.dims.items():
            kind = kinds.get(name, Kind.FLOAT)
            yield name, Annotation(Type(kind, tuple(dims)))

    def _check(self, test: ast.expr, line: int) -> None:
        first = test.values[0] if isinstance(test, ast.BoolOp) else test
        rest = test.values[1:] if isinstance(test, ast.BoolOp) else []
        match first:
            case ast.Compare(
                left=ast.Call(func=ast.Name(id="len"), args=[inner]),
                ops=[ast.NotEq()],
                comparators=[ast.Constant(value=int(rank))],
            ):
                name = self._shape_of(inner)
                dims: list[Dim | None] = [_SOME] * rank
            case ast.Compare(
                left=left, ops=[ast.NotEq()], comparators=[ast.Tuple(elts=sizes)]
            ):
                name, dims = self._shape_of(left), [*map(self._dim, sizes)]
            case _:
                return
        if not name or None in dims:
            return
        own = name.replace("[", ".").replace("]", "")
        known = [f"{own}.{k}" if d == _SOME else d for k, d in enumerate(dims)]
        self.dims[name] = [d for d in known if d is not None]
        self.lines.append(line)
        for more in rest:
            self._length(name, more)

    def _length(self, name: str, test: ast.expr) -> None:
        """`np.shape(x)[1] != 3` behind a check of the rank."""
        match test:
            case ast.Compare(
                left=ast.Subscript(value=value, slice=ast.Constant(value=int(axis))),
                ops=[ast.NotEq()],
                comparators=[size],
            ) if self._shape_of(value) == name:
                found = self._dim(size)
                if found not in (None, _SOME):
                    assert found is not None
                    self.dims[name][axis] = found

    def _shape_of(self, node: ast.expr) -> str:
        """The place x of `np.shape(x)`."""
        match node:
            case ast.Call(func=func, args=[inner], keywords=[]):
                is_shape = self.names.qualify(dotted(func)) == "numpy.shape"
                return self._place(inner) if is_shape else ""
        return ""

    def _is_of_field(self, node: ast.expr) -> bool:
        """Whether it is `np.shape(p.x)`, a shape that the class of `p` states."""
        match node:
            case ast.Call(func=func, args=[ast.Attribute()], keywords=[]):
                return self.names.qualify(dotted(func)) == "numpy.shape"
        return False

    def _place(self, node: ast.expr) -> str:
        """The place of a parameter or item without a shape; empty for any other."""
        found = isinstance(node, ast.Name | ast.Subscript)
        place = ast.unparse(node) if found else ""
        return place if place in self.bare else ""

    def _dim(self, node: ast.expr) -> Dim | None:
        """A number, a length that was checked before, or a sum or product of these."""
        match node:
            case ast.Constant(value=int(size)):
                return size
            case ast.Name(id=name):
                return self.lengths.get(name)
            case ast.Subscript(value=value, slice=ast.Constant(value=int(axis))):
                dims = self.dims.get(self._shape_of(value), [])
                known = dims[axis] if axis < len(dims) else None
                return _SOME if self._is_of_field(value) else known
            case ast.BinOp(left=left, op=operation, right=right):
                a, b = self._dim(left), self._dim(right)
                if a is None or b is None or _SOME in (a, b):
                    return None
                match operation:
                    case ast.Add():
                        return plus(a, b)
                    case ast.Sub():
                        return plus(a, times(b, -1))
                    case ast.Mult():
                        return product((a, b))
        return None

    def _kinds(self, statement: ast.stmt) -> Iterator[tuple[str, Kind]]:
        """The places with `dtype=int` or `dtype=bool` in a call, and their kinds."""
        for node in ast.walk(statement):
            match node:
                case ast.Call(
                    args=[ast.Name() | ast.Subscript() as inner],
                    keywords=[ast.keyword(arg="dtype", value=ast.Name(id=kind))],
                ) if kind in _KINDS:
                    yield self._place(inner), _KINDS[kind]


_SOME = ""
"""A length that equals no other known one."""

_KINDS = {"int": Kind.INT, "bool": Kind.BOOL}
