"""Annotations of parameters: a scalar, an array, or nothing."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ad_transform.dataclass import dataclass, replace
from ad_transform.ir.types import BOOL, FLOAT, INT, STR, Type
from ad_transform.read.marks.dims import UNKNOWN_SHAPE, Unclear, of_array
from ad_transform.read.syntax.names import Bound, Names
from ad_transform.read.syntax.scopes import dotted, parsed, shown

# fmt: off
_SCALARS: dict[str, tuple[Type, str]] = {
    "builtins.float":   (FLOAT, "float"),
    "builtins.int":     (INT,   "int"),
    "builtins.bool":    (BOOL,  "bool"),
    "builtins.str":     (STR,   "str"),
    "numpy.float64":    (FLOAT, ""),
    "numpy.double":     (FLOAT, ""),
    "numpy.floating":   (FLOAT, ""),
    "numbers.Real":     (FLOAT, ""),
    "numbers.Number":   (FLOAT, ""),
    "typing.SupportsFloat": (FLOAT, ""),
    "typing.Any":       (FLOAT, ""),
    "numpy.int64":      (INT,   ""),
    "numpy.integer":    (INT,   ""),
    "numbers.Integral": (INT,   ""),
    "numpy.bool_":      (BOOL,  ""),
}
"""Scalars by qualified name: their type, and their annotation in the output."""

_ARRAYS = frozenset({
    "ad_transform.Vector", "ad_transform.Matrix", "ad_transform.Array",
    "numpy.ndarray", "numpy.array", "numpy.matrix", "numpy.typing.NDArray",
    "numpy.typing.ArrayLike", "builtins.list", "builtins.tuple", "typing.List",
    "typing.Tuple", "typing.Sequence", "typing.Iterable",
    "collections.abc.Sequence", "collections.abc.Iterable", "jaxtyping.Float",
    "jaxtyping.Float64", "jaxtyping.Int", "jaxtyping.Bool", "jaxtyping.Array",
    "torch.Tensor", "jax.Array",
})
_SHAPES = frozenset({"Vector", "Matrix", "Array"})
"""Names of shapes that need no import when they stand in quotes: `x: "Vector[3]"`."""

_LITERAL_TYPES = {str: (STR, "str"), bool: (BOOL, "bool"), int: (INT, "int")}
# fmt: on

SHAPE = 'say its shape: `{x}: "Vector[n]"` or `{x}: "Matrix[m, n]"`'
NUMBERS_ONLY = (
    "annotate it `float`, `int`, `bool` or `str`, or as a dataclass, NamedTuple or "
    "TypedDict of the project"
)

_DICTS = "say its keys in a class: `class Params(TypedDict):`, and `a: float` in it"
_ALWAYS = (
    "take an object always, with a default, `p: P = P(1.0)`, or mark two functions "
    "that call this one, with it and without: only numbers and arrays may be None"
)


@dataclass(frozen=True, slots=True)
class Annotation:
    """The type of a parameter and its annotation in the output; or no type, and the
    refusal.

    An `optional` parameter may be None.
    """

    type: Type | None
    text: str = ""
    refusal: str = ""
    help: str = ""
    optional: bool = False


_PLAIN = Annotation(FLOAT)
_ARRAY = Annotation(None, "", UNKNOWN_SHAPE, SHAPE)


def read_annotation(node: ast.expr | None, names: Names) -> Annotation:
    """The meaning of an annotation; a parameter without one is real, as is one that
    only a type checker understands.

    Follows strings, `Annotated`, unions and aliases of the module, each at most a few
    levels deep.
    """
    return _read(node, names, 0)


def _read(node: ast.expr | None, names: Names, depth: int) -> Annotation:
    if node is None:
        return _PLAIN
    if depth > 20:
        return Annotation(None, "", "has an annotation too deep to read", NUMBERS_ONLY)
    match node:
        case ast.Constant(value=str(text)):
            return _read(parsed(text), names, depth + 1)
        case ast.BinOp(op=ast.BitOr(), left=left, right=right):
            return _union([left, right], names, depth)
        case ast.Subscript(value=value, slice=index):
            return _subscript(value, index, names, depth)
        case ast.Name() | ast.Attribute():
            return _named(node, names, depth)
    return _strange(node)


def _strange(node: ast.expr) -> Annotation:
    said = shown(node)
    help_ = _DICTS if said in ("dict", "Dict", "typing.Dict") else NUMBERS_ONLY
    return Annotation(None, "", f"is annotated {said!r}, which is no number", help_)


def _named(node: ast.expr, names: Names, depth: int) -> Annotation:
    name = dotted(node)
    qualified = names.qualify(name)
    if qualified in _SCALARS:
        type_, text = _SCALARS[qualified]
        return Annotation(type_, text)
    bound = names.bindings.get(name, ())
    if qualified in _ARRAYS or (not bound and name in _SHAPES):
        return _ARRAY
    if len(bound) == 1 and bound[0].bound is Bound.VALUE:
        return _alias(bound[0].node, node, names, depth)
    return _strange(node)


def _alias(
    definition: ast.stmt, node: ast.expr, names: Names, depth: int
) -> Annotation:
    """The meaning of `Scalar = float` at module level; a type variable is real."""
    value = getattr(definition, "value", None)
    if isinstance(value, ast.Call):
        made_by = names.qualify(dotted(value.func))
        if made_by in ("typing.TypeVar", "typing_extensions.TypeVar"):
            return _PLAIN
        if made_by == "typing.NewType" and len(value.args) == 2:
            return _read(value.args[1], names, depth + 1)
        return _strange(node)
    return _strange(node) if value is None else _read(value, names, depth + 1)


_WRAPPERS = frozenset(
    f"{module}.{name}"
    for module in ("typing", "typing_extensions")
    for name in ("Annotated", "Final", "ClassVar", "Optional", "Union")
)


def _subscript(
    value: ast.expr, index: ast.expr, names: Names, depth: int
) -> Annotation:
    qualified = names.qualify(dotted(value))
    inner = index.elts if isinstance(index, ast.Tuple) else [index]
    if qualified.endswith(".Literal") and inner and isinstance(inner[0], ast.Constant):
        found = _LITERAL_TYPES.get(type(inner[0].value))
        return Annotation(*found) if found else _strange(value)
    if qualified.endswith((".Optional", ".Union")) and qualified in _WRAPPERS:
        none = [ast.Constant(None)] if qualified.endswith("Optional") else []
        return _union([*inner, *none], names, depth)
    shape = _shape_name(value, qualified, names)
    if qualified.endswith(".Annotated") and qualified in _WRAPPERS:
        said = _annotated(inner, names)
        return said or _read(inner[0], names, depth + 1)
    if qualified in _WRAPPERS and inner:
        return _read(inner[0], names, depth + 1)
    if shape:
        return _array(shape, inner, names)
    named = _named(value, names, depth)
    return (
        replace(named, help=_shaped(inner[0])) if named is _ARRAY and inner else named
    )


def _shaped(item: ast.expr) -> str:
    """The advice to give a shape to a list, by the annotation of its items."""
    is_whole = isinstance(item, ast.Name) and item.id == "int"
    shape = "Vector[n, int]" if is_whole else "Vector[n]"
    if isinstance(item, ast.Subscript):
        columns = item.slice.elts if isinstance(item.slice, ast.Tuple) else []
        is_any = not columns or any(map(_is_ellipsis, columns))
        shape = "Matrix[m, n]" if is_any else f"Matrix[n, {len(columns)}]"
    return f'say its shape: `{{x}}: "{shape}"`'


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...


def _shape_name(value: ast.expr, qualified: str, names: Names) -> str:
    """The bare name of an annotation with a shape: "Vector", "ndarray", "Float"."""
    name = dotted(value)
    if not names.bindings.get(name) and name in _SHAPES:
        return name
    return qualified.rpartition(".")[2] if qualified in _SHAPED else ""


def _annotated(inner: Sequence[ast.expr], names: Names) -> Annotation | None:
    """`Annotated[np.ndarray, "[3, 4]"]`; None if no array is annotated so."""
    texts = [e.value for e in inner[1:] if isinstance(e, ast.Constant)]
    if not inner or names.qualify(dotted(inner[0])) != "numpy.ndarray":
        return None
    shapes = [t for t in texts if isinstance(t, str) and t.strip().startswith("[")]
    if not shapes:
        return _ARRAY
    shape = parsed(shapes[0])
    items = shape.elts if isinstance(shape, ast.List) else [shape]
    return _array("Array", items, names)


def _array(shape: str, inner: Sequence[ast.expr], names: Names) -> Annotation:
    try:
        return Annotation(of_array(shape, inner, names))
    except Unclear as unclear:
        return Annotation(None, "", str(unclear), unclear.help or SHAPE)


_SHAPED = frozenset(
    {
        "ad_transform.Vector",
        "ad_transform.Matrix",
        "ad_transform.Array",
        "numpy.ndarray",
        "jaxtyping.Float",
        "jaxtyping.Float64",
        "jaxtyping.Int",
        "jaxtyping.Bool",
    }
)


def _union(parts: list[ast.expr], names: Names, depth: int) -> Annotation:
    """A union of scalars is its widest member; None makes it optional."""
    given = [p for p in parts if not _is_none(p)]
    if len(given) < len(parts):
        union = _union(given, names, depth)
        if union.type is None and union.help == NUMBERS_ONLY:
            said = f"may be None, and else is {shown(given[0])!r}"
            return Annotation(None, "", said, _ALWAYS)
        return replace(union, optional=True)
    read = [_read(part, names, depth + 1) for part in given]
    for one in read:
        if one.type is None:
            return one
    kinds = list(dict.fromkeys(one.type for one in read if one.type))
    if len(kinds) == 1:
        return read[0]
    if STR in kinds or not kinds:
        return Annotation(None, "", "is annotated as a union", NUMBERS_ONLY)
    return _PLAIN if FLOAT in kinds else Annotation(INT, "int")


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
