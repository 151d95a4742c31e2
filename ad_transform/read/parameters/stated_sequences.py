"""Shapes of sequences that a function states, as generated functions without numpy do.

    def f_grad(x: Sequence[float], A: Sequence[Sequence[float]]) -> tuple[float, ...]:
        x_list = list(map(float, x))
        A_list = [list(map(float, row)) for row in A]
        if len({len(row) for row in A_list}) > 1:
            raise ValueError("A has rows of different lengths")
        if len(A_list) != len(x_list) or len(A_list[0]) != 3:
            raise ValueError(...)

A sequence may be a tuple or a list, which operators join or repeat, so it is an array
only where the function does nothing with it but this.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from ad_transform.ir.dims import Dim
from ad_transform.ir.types import Kind, Type
from ad_transform.read.marks.annotations import Annotation
from ad_transform.read.syntax.names import Names
from ad_transform.read.syntax.scopes import dotted, parameters_of

_Texts = tuple[str, ...]
"""Texts for one, two and three axes."""

# fmt: off
_TAKEN:  _Texts = ("list(map({k}, {x}))", "[list(map({k}, row)) for row in {x}]",
                 "[[list(map({k}, row)) for row in layer] for layer in {x}]")
_OPENED: _Texts = ("map({k}, {x})", "(map({k}, row) for row in {x})",
                 "((map({k}, row) for row in layer) for layer in {x})")
_COUNTED: _Texts = ("len({x})", "[len(row) for row in {x}]",
                  "[[len(row) for row in layer] for layer in {x}]")
_EVEN = ("len({len(row) for row in *}) > 1",
         "len({len(row) for layer in * for row in layer}) > 1")
_KINDS = {"float": Kind.FLOAT, "int": Kind.INT, "bool": Kind.BOOL}
# fmt: on
_SEQUENCES = frozenset({"collections.abc.Sequence", "typing.Sequence"})
_BUILTINS = frozenset({"list", "map", "len", *_KINDS})


class Sequences:
    """Reads the shapes that a function states for parameters that are sequences of
    numbers.
    """

    def __init__(self, node: ast.FunctionDef, names: Names) -> None:
        self.node = node
        self.names = names
        self.lines: list[tuple[str, int]] = []
        self.taken: list[tuple[str, tuple[int, int]]] = []
        self.kinds: dict[str, tuple[str, int]] = {}
        for arg in parameters_of(node.args):
            self.kinds.update(self._places(arg.arg, arg.annotation))
        self.dims: dict[str, list[Dim]] = {}
        """The lengths of a place along its axes, by now."""
        self.own: dict[str, str] = {}
        self.seen: set[int] = set()

    def shapes(self) -> Mapping[str, Annotation]:
        """The shapes of those sequences, by place, that are arrays."""
        if not self.kinds or self._has_own_builtins():
            return {}
        for place, (_, axes) in self.kinds.items():
            own = place.replace("[", ".").replace("]", "")
            self.dims[place] = [f"{own}.{k}" for k in range(axes)]
        for statement in self.node.body:
            self._statement(statement)
        strange = self._read_elsewhere()
        return {
            place: Annotation(Type(_KINDS[kind], tuple(self.dims[place])))
            for place, (kind, _) in self.kinds.items()
            if place.partition("[")[0] not in strange
        }

    def _places(
        self, place: str, node: ast.expr | None
    ) -> Iterator[tuple[str, tuple[str, int]]]:
        """The places of sequences of numbers, with kind and number of axes of each."""
        match node:
            case ast.Subscript(value=value, slice=ast.Tuple(elts=items)) if (
                self.names.qualify(dotted(value)) == "builtins.tuple"
            ):
                for k, item in enumerate(items):
                    yield from self._places(f"{place}[{k}]", item)
                return
        axes = 0
        while isinstance(node, ast.Subscript):
            if self.names.qualify(dotted(node.value)) not in _SEQUENCES:
                return
            axes, node = axes + 1, node.slice
        if isinstance(node, ast.Name) and node.id in _KINDS and 0 < axes <= len(_TAKEN):
            yield place, (node.id, axes)

    def _has_own_builtins(self) -> bool:
        """Whether a builtin that these forms use has another meaning here."""
        bound = {arg.arg for arg in parameters_of(self.node.args)}
        for node in ast.walk(self.node):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                bound.add(node.id)
        is_own = (self.names.qualify(n) != f"builtins.{n}" for n in _BUILTINS)
        return bool(bound & _BUILTINS) or any(is_own)

    # --- statements -------------------------------------------------------------------

    def _statement(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Assign(targets=[target], value=value):
                text = ast.unparse(value)
                for place, (kind, axes) in self.kinds.items():
                    if text == _TAKEN[axes - 1].format(k=kind, x=place):
                        if isinstance(target, ast.Name):
                            self.own[target.id] = place
                            self._take(place, value)
                    elif text == _OPENED[axes - 1].format(k=kind, x=place):
                        self._take(place, value)
            case ast.If(test=test, body=[ast.Raise()], orelse=[]):
                place = self._even(test) or self._known(test) or self._tied(test)
                if place:  # this check is not differentiated
                    self.lines.append((place, statement.lineno))
                    self._enter(statement)

    def _take(self, place: str, node: ast.expr) -> None:
        self.taken.append((place, (node.lineno, node.col_offset)))
        self._enter(node)

    def _enter(self, node: ast.AST) -> None:
        self.seen.update(id(inner) for inner in ast.walk(node))

    def _even(self, test: ast.expr) -> str:
        """The place whose rows are compared in length."""
        text = ast.unparse(test)
        for own, place in self.own.items():
            if text in [each.replace("*", own) for each in _EVEN]:
                return place
        return ""

    def _known(self, test: ast.expr) -> str:
        """The place of `[len(row) for row in A] != [3, 3]`, which states its shape."""
        match test:
            case ast.Compare(left=left, ops=[ast.NotEq()], comparators=[right]):
                text, sizes = ast.unparse(left), _sizes(right)
                for place, (_, axes) in self.kinds.items():
                    is_it = text == _COUNTED[axes - 1].format(x=place)
                    if is_it and len(sizes) == axes:
                        self.dims[place] = [*sizes]
                        return place
        return ""

    def _tied(self, test: ast.expr) -> str:
        """The place of `len(A_list) != 3 or len(A_list[0]) != len(x_list)`."""
        found = []
        for one in test.values if isinstance(test, ast.BoolOp) else [test]:
            match one:
                case ast.Compare(left=left, ops=[ast.NotEq()], comparators=[right]):
                    place, axis = self._length(left)
                    dim = self._dim(right)
                    if not place or dim is None:
                        return ""
                    found.append((place, axis, dim))
                case _:
                    return ""
        for place, axis, dim in found:
            self.dims[place][axis] = dim
        return found[0][0]

    def _length(self, node: ast.expr) -> tuple[str, int]:
        """The place and the axis of a length, `len(A_list[0])`."""
        text = ast.unparse(node)
        for own, place in self.own.items():
            for axis in range(self.kinds[place][1]):
                if text == f"len({own}{'[0]' * axis})":
                    return place, axis
        return "", 0

    def _dim(self, node: ast.expr) -> Dim | None:
        """A number, or a length that was checked before."""
        match node:
            case ast.Constant(value=int(size)):
                return size
        place, axis = self._length(node)
        return self.dims[place][axis] if place else None

    # --- other uses -------------------------------------------------------------------

    def _read_elsewhere(self) -> frozenset[str]:
        """The parameters that are also read outside the forms that state shapes. Reads
        of the other items of a tuple, and of its length, are allowed.
        """
        found = set()
        for node in ast.walk(self.node):
            if id(node) in self.seen:
                continue
            match node:
                case ast.Subscript() if self._is_other_item(node):
                    self._enter(node)
                case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)]) if (
                    name not in self.kinds
                ):
                    self._enter(node)
                case ast.Call() if self._is_of_parts(node):
                    self._enter(node)
                case ast.Name(id=name):
                    found.add(name)
        return frozenset(found)

    def _is_of_parts(self, node: ast.Call) -> bool:
        """Whether it is `len(p)`, `float(p[-1])` or `map(float, p[:-1])`, which a tuple
        and an array answer alike.
        """
        match node:
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)]):
                return name in self.kinds
            case ast.Call(func=ast.Name(id="map"), args=[ast.Name(id=kind), part]):
                is_slice = True
            case ast.Call(func=ast.Name(id=kind), args=[part]):
                is_slice = False
            case _:
                return False
        match part:
            case ast.Subscript(value=ast.Name(id=name), slice=index):
                own = self.kinds.get(name)
                return own == (kind, 1) and isinstance(index, ast.Slice) == is_slice
        return False

    def _is_other_item(self, node: ast.Subscript) -> bool:
        """Whether it is `f_bar[1]`, an item that holds no sequence of numbers."""
        place, inner = ast.unparse(node), node.value
        while isinstance(inner, ast.Subscript):
            inner = inner.value
        is_item = isinstance(inner, ast.Name) and any(
            known.startswith(f"{inner.id}[") for known in self.kinds
        )
        return is_item and not any(known.startswith(place) for known in self.kinds)


def _sizes(node: ast.expr) -> Sequence[int]:
    """The shape in nested lists of lengths, (2, 2, 2) for `[[2, 2], [2, 2]]`; else
    empty.
    """
    match node:
        case ast.Constant(value=int(size)):
            return (size,)
        case ast.List(elts=[first, *rest]):
            inner = _sizes(first)
            if inner and all(_sizes(one) == inner for one in rest):
                return (1 + len(rest), *inner)
    return ()
