"""The type of an elemental's result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce

from ad_transform.ir.dims import ANY, Dim, Dims, alike, plus, times
from ad_transform.ir.elemental import Elemental, Form
from ad_transform.ir.nodes import Literal, Operand
from ad_transform.ir.types import BOOL, FLOAT, INT, Kind, Type

_WHOLE = frozenset({Kind.INT, Kind.BOOL})


def _promote(op: Elemental, args: Sequence[Operand]) -> Type:
    for a in args:
        if a.type.kind not in _WHOLE:
            return _shaped(FLOAT, args)
    exponent = args[-1]
    power = op.form is Form.POWER
    if power and isinstance(exponent, Literal) and float(exponent.value) < 0:
        return FLOAT
    return _shaped(INT, args)


def _shaped(scalar: Type, args: Sequence[Operand]) -> Type:
    """The type of an operation element by element, arrays broadcast together."""
    shapes = []
    for arg in args:
        of = arg.type
        if of.dims:
            raise ValueError("a list is computed with element by element")
        if of.shape:
            shapes.append(of.shape)
    return Type(scalar.kind, (), broadcast(shapes)) if shapes else scalar


def _wider(one: Operand, other: Operand) -> Type:
    """A float, unless both are truth values or both are whole numbers."""
    if one.type.kind is not other.type.kind:
        return FLOAT
    return {Kind.BOOL: BOOL, Kind.INT: INT}.get(one.type.kind, FLOAT)


def is_mixed(op: Elemental, out: Type, args: Sequence[Operand]) -> bool:
    """Whether an operation element by element broadcasts values of other shapes."""
    if not out.shape or op.layout is not None:
        return False
    others = (arg for arg in args if not isinstance(arg, Literal))
    return not all(alike(arg.type.shape, out.shape) for arg in others)


def broadcast(shapes: Sequence[Dims]) -> Dims:
    """The common shape of arrays, the same for any order of them.

    Of lengths with other names, which are equal at run time, the best known counts.
    """
    rank = max(map(len, shapes))
    common: list[Dim] = [1] * rank
    for shape in shapes:
        for k, n in enumerate(shape, rank - len(shape)):
            common[k] = min(common[k], n, key=_unknown)
    return tuple(common)


def _unknown(n: Dim) -> tuple[int, str]:
    """A key for lengths, the greater the less is known; that of 1 is the greatest."""
    if isinstance(n, int):
        return int(n == 1) * 3, str(n)
    return (2 if n == ANY else 1), n


def _element(_: Elemental, args: Sequence[Operand]) -> Type:
    array = args[0].type
    return Type(array.kind, array.dims[len(args) - 1 :])


def _pack(_: Elemental, args: Sequence[Operand]) -> Type:
    inner = args[0].type
    return Type(inner.kind, (len(args), *inner.dims))


def _known(length: Operand) -> Dim:
    """The length of a literal, else ANY."""
    return int(length.value) if isinstance(length, Literal) else ANY


def _longer(by: int) -> Callable[[Elemental, Sequence[Operand]], Type]:
    def rule(_: Elemental, args: Sequence[Operand]) -> Type:
        array = args[0].type
        first, *rest = array.dims
        return Type(array.kind, (plus(first, by), *rest))

    return rule


def _of(shape: Callable[..., Dims]) -> Callable[[Elemental, Sequence[Operand]], Type]:
    """The rule of a result that is an array of floats, its shape made of arguments."""

    def rule(_: Elemental, args: Sequence[Operand]) -> Type:
        return Type(Kind.FLOAT, (), shape(*args))

    return rule


def _part_of(
    shape: Callable[..., Dims],
) -> Callable[[Elemental, Sequence[Operand]], Type]:
    """The rule of a result that is an array of such a shape and the first's kind."""

    def rule(_: Elemental, args: Sequence[Operand]) -> Type:
        return Type(args[0].type.kind, (), shape(*args))

    return rule


def cut(length: Dim, start: int, stop: int | None) -> Dim:
    """The length of `x[start:stop]`, if `length` has no less than the bounds say."""
    first = start if start >= 0 else plus(length, start)
    last = length if stop is None else stop if stop >= 0 else plus(length, stop)
    if isinstance(length, int) and isinstance(first, int) and isinstance(last, int):
        return max(min(last, length) - min(max(first, 0), length), 0)
    if (start, stop) == (-1, None) or (start >= 0 and stop == start + 1):
        return 1  # the first, the last or one between
    if start < 0 and stop is None:
        return ANY  # there may be fewer
    if stop is not None and stop >= 0:
        return ANY  # there may be fewer
    return plus(last, -start) if start >= 0 else ANY


def _cut(*names: str) -> Callable[..., Dim]:
    def rule(length: Dim, *bounds: Operand) -> Dim:
        known = {
            name: b.value
            for name, b in zip(names, bounds, strict=True)
            if isinstance(b, Literal) and isinstance(b.value, int)
        }
        if len(known) < len(names) or "step" in known:
            return ANY
        return cut(length, known.get("start", 0), known.get("stop"))

    return rule


def _cuts() -> Iterator[tuple[str, Callable[[Elemental, Sequence[Operand]], Type]]]:
    """Results of parts of arrays along the first and the second axis."""
    for names in CUTS.values():
        rule, said = _cut(*names), " ".join(names)
        yield f"cut {said}", _part_of(_along_first(rule))
        yield f"columns cut {said}", _part_of(_along_second(rule))


def _along_first(rule: Callable[..., Dim]) -> Callable[..., Dims]:
    return lambda x, *b: (rule(x.type.shape[0], *b), *x.type.shape[1:])


def _along_second(rule: Callable[..., Dim]) -> Callable[..., Dims]:
    return lambda x, *b: (x.type.shape[0], rule(x.type.shape[1], *b))


def _blocks() -> Iterator[tuple[str, Callable[[Elemental, Sequence[Operand]], Type]]]:
    """Results of parts of matrices along both axes."""
    for down, across in BLOCKS:
        yield f"block {down} {across}", _part_of(_along_both(down, across))


def _along_both(down: str, across: str) -> Callable[..., Dims]:
    first, second = (CUTS.get(form, ("i",)) for form in (down, across))
    rows, columns = _cut(*first), _cut(*second)

    def rule(x: Operand, *bounds: Operand) -> Dims:
        m, n = x.type.shape
        lengths = (
            (down, rows(m, *bounds[: len(first)])),
            (across, columns(n, *bounds[len(first) :])),
        )
        return tuple(length for form, length in lengths if form != "at")

    return rule


CUTS: Mapping[str, tuple[str, ...]] = {
    "from": ("start",),
    "to": ("stop",),
    "between": ("start", "stop"),
    "by": ("step",),
}
"""Forms of slices, and their bounds."""

_ALONG = ("from", "to", "between", "at")

BLOCKS = tuple(
    (down, across)
    for down in _ALONG
    for across in _ALONG
    if (down, across) != ("at", "at")
)
"""Forms of parts of a matrix along both axes: slices, or one row or column."""


def _counted(_: Elemental, args: Sequence[Operand]) -> Type:
    """A sum of truth values is a whole number."""
    kind = args[0].type.kind
    return Type(Kind.INT if kind is Kind.BOOL else kind)


def _overlapping(x: Operand, y: Operand, sign: int) -> Dim:
    """The number of places for one vector beside another: at one end of it at least
    where the sign is 1, and inside of it where the sign is -1.
    """
    n, m = x.type.shape[0], y.type.shape[0]
    return plus(plus(n, times(m, sign)), -sign)


_RULES: dict[str, Callable[[Elemental, Sequence[Operand]], Type]] = {
    "float": lambda op, args: _shaped(FLOAT, args),
    "int": lambda op, args: _shaped(INT, args),
    "bool": lambda op, args: _shaped(BOOL, args),
    "length": lambda op, args: INT,
    "place": lambda op, args: INT,
    "truth": lambda op, args: BOOL,
    "total": lambda op, args: Type(args[0].type.kind),
    "same": lambda op, args: args[0].type,
    "other": lambda op, args: args[1].type,
    "promote": _promote,
    "element": _element,
    "pack": _pack,
    "grown": _longer(1),
    "shrunk": _longer(-1),
    "counted": _counted,
    "choice": lambda op, args: _shaped(_wider(*args[1:]), args),
    "mean": lambda op, args: FLOAT,
    "floats like x": _of(lambda x: x.type.shape),
    "floats along x": _of(lambda x: x.type.shape[:1]),
    "floats across x": _of(lambda x: x.type.shape[1:]),
    "shape of i": _part_of(lambda x, i, *_: i.type.shape),
    "shape of x": _part_of(lambda x, *_: x.type.shape),
    "shape of y": _of(lambda x, y, *_: y.type.shape),
    "row of x": _part_of(lambda x, *_: x.type.shape[1:]),
    "column of x": _part_of(lambda x, *_: x.type.shape[:1]),
    "second gone": _part_of(lambda x, *_: (*x.type.shape[:1], *x.type.shape[2:])),
    "third gone": _part_of(lambda x, *_: x.type.shape[:2]),
    "second of x": _part_of(lambda x, *_: x.type.shape[1:2]),
    "third of x": _part_of(lambda x, *_: x.type.shape[2:]),
    "places of list": lambda op, args: Type(Kind.INT, args[0].type.dims),
    "places in x": lambda op, args: Type(Kind.INT, (), args[0].type.shape),
    "places in y": lambda op, args: Type(Kind.INT, (), args[1].type.shape),
    "some places": lambda op, args: Type(Kind.INT, (), (ANY,)),
    "lines": lambda op, args: Type(Kind.INT, (), args[0].type.shape[:1]),
    "stacks": lambda op, args: Type(Kind.INT, (), args[0].type.shape[1:]),
    "longer": _of(lambda *_: (ANY,)),
    "taken": _part_of(lambda x, i: (*i.type.shape, *x.type.shape[1:])),
    "mesh": _part_of(lambda x, i, j: (*i.type.shape, *j.type.shape)),
    "columns taken": _part_of(lambda x, i: (*x.type.shape[:1], *i.type.shape)),
    "masked": _part_of(lambda x, i: (ANY, *x.type.shape[len(i.type.shape) :])),
    "columns masked": _part_of(lambda x, i: (*x.type.shape[:1], ANY)),
    "rows gone": _of(lambda x, *_: x.type.shape[1:]),
    "object": lambda op, args: Type(Kind.FLOAT, args[0].type.shape, args[0].type.shape),
    "matrix": lambda op, args: Type(Kind.FLOAT, (ANY, ANY), (ANY, ANY)),
    "value": lambda op, args: Type(Kind.FLOAT, (), args[0].type.shape),
    "value of list": _part_of(lambda x, *_: x.type.dims),
    "line of layers": _part_of(lambda _: (ANY,)),
    "line": _part_of(lambda *_: (ANY,)),
    "list": lambda op, args: Type(args[0].type.kind, args[0].type.shape),
    "some": _part_of(lambda x, *_: (ANY, *x.type.shape[1:])),
    "columns gone": _of(lambda x, *_: x.type.shape[:1]),
    "column": _part_of(lambda x: (*x.type.shape, 1)),
    "row": _part_of(lambda x: (1, *x.type.shape)),
    "turned": _part_of(lambda x: x.type.shape[::-1]),
    "product": _of(lambda x, y: (*x.type.shape[:-1], *y.type.shape[1:])),
    "outer with itself": _of(lambda x: (*x.type.shape, *x.type.shape)),
    "outer": _of(lambda x, y: (*x.type.shape, *y.type.shape)),
    "least squares": _of(lambda x, y: x.type.shape[1:]),
    "convolved": _of(lambda x, y: (_overlapping(x, y, 1),)),
    "correlated": _of(lambda x, y: (_overlapping(x, y, -1),)),
    **dict(_cuts()),
    **dict(_blocks()),
    "lines across": _of(lambda x, i, j, k: (ANY, _known(j))),
    "raveled": _part_of(lambda x: x.type.shape if len(x.type.shape) == 1 else (ANY,)),
    "vector": _part_of(lambda *x: (len(x),)),
    "all joined": _part_of(lambda *x: (_in_all(x),)),
    "joined": lambda op, args: _joined(*args),
}


def _joined(x: Operand, y: Operand) -> Type:
    """The type of two arrays behind each other: INT for truth values beside ints."""
    kind = x.type.kind if x.type.kind is y.type.kind else Kind.INT
    if x.type.is_real or y.type.is_real:
        kind = Kind.FLOAT
    length = plus(x.type.shape[0], y.type.shape[0])
    return Type(kind, (), (length, *x.type.shape[1:]))


def _in_all(arrays: Sequence[Operand]) -> Dim:
    """The length of arrays of one axis behind each other."""
    return reduce(plus, (x.type.shape[0] for x in arrays))


DECLARED = "declared"
"""The result of elementals whose type the statement declares."""


_FLOATS = frozenset({"float", "promote", "same"})
"""The result of elementals that make a float of floats."""


def result_type(op: Elemental, args: Sequence[Operand]) -> Type:
    """The type of `op(*args)`: FLOAT wherever a float may come out.

    Of arrays it has the dims. Raises KeyError where the statement declares the type,
    ValueError where arrays do not go together.
    """
    if op.result in _FLOATS:
        for arg in args:
            if arg.type is not FLOAT:
                break
        else:
            return FLOAT  # nearly always
    return _RULES[op.result](op, args)
