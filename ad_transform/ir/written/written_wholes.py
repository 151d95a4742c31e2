"""Whole arrays of known lengths in programs that are written out: lists of elements.

What moves elements moves them here; what computes with them becomes operations on
numbers, in the order in which numpy adds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial, reduce
from typing import TYPE_CHECKING, Any

from ad_transform.ir.nodes import Apply, Literal, Var
from ad_transform.ir.types import Kind
from ad_transform.ir.typing import BLOCKS, CUTS
from ad_transform.ir.written.written_values import Unwritten, Value, leaves, like

if TYPE_CHECKING:
    from ad_transform.ir.written.written_out import Writer

Rule = Callable[["Writer", Apply, list[Value]], Value]


def applied(writer: Writer, statement: Apply, args: list[Value]) -> Value:
    """The value of an operation on whole arrays; raises Unwritten without a rule."""
    op = statement.op
    rule = _RULES.get(op.name)
    if rule is None and op.layout is not None:
        raise Unwritten(f"{op.name!r} of a whole array")
    found = (rule or _by_element)(writer, statement, args)
    number = sum(1 for _ in leaves(found))
    if number > writer.largest:
        raise Unwritten(f"a whole array of more than {writer.largest} elements")
    return found


# --- element by element ---------------------------------------------------------------


def _by_element(writer: Writer, statement: Apply, args: list[Value]) -> Value:
    shape = _common([_shape(arg) for arg in args])
    if statement.op.name == "where":
        return _chosen(shape, args)
    return _mapped(writer, statement, [_spread(arg, shape) for arg in args], ())


def _mapped(
    writer: Writer, statement: Apply, args: list[Value], place: tuple[int, ...]
) -> Value:
    first = args[0]
    if isinstance(first, list):
        return [
            _mapped(writer, statement, [arg[k] for arg in args], (*place, k))
            for k in range(len(first))
        ]
    op, out = statement.op, statement.out
    is_known = all(isinstance(arg, Literal) for arg in args)
    if is_known and out.type.kind in (Kind.INT, Kind.BOOL):
        return Literal(op.compute(*(arg.value for arg in args)))
    hint = "_".join([out.hint, *map(str, place)]) if out.hint else ""
    return _added(writer, statement, op.name, args, hint)


def _added(
    writer: Writer, like: Apply, op: str, args: Sequence[Any], hint: str = ""
) -> Var:
    """A number of an operation that stands for, or leads to, one on an array."""
    writer.allowance.take()
    return writer.add(like.out, hint, op, *args)


def _chosen(shape: Sequence[int], args: list[Value]) -> Value:
    """`np.where` of a test that is known."""
    test, x, y = (_spread(arg, shape) for arg in args)
    pairs = zip(leaves(test), leaves(x), leaves(y), strict=True)
    found: list[Any] = []
    for known, one, other in pairs:
        if not isinstance(known, Literal):
            raise Unwritten("a choice that only a run knows")
        found.append(one if known.value else other)
    return like(x, iter(found))


def _shape(value: Value) -> tuple[int, ...]:
    found: list[int] = []
    while isinstance(value, list):
        found.append(len(value))
        if not value:
            break
        value = value[0]
    return tuple(found)


def _common(shapes: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """The shape of arrays that are broadcast together."""
    rank = max(map(len, shapes))
    if any(0 in shape for shape in shapes) and rank > 1:
        raise Unwritten("a matrix without elements")
    common = [1] * rank
    for shape in shapes:
        for k, n in enumerate(shape, rank - len(shape)):
            if n != 1 and common[k] not in (1, n):
                raise Unwritten("arrays that do not go together")
            common[k] = n if n != 1 else common[k]
    return tuple(common)


def _spread(value: Value, shape: Sequence[int]) -> Value:
    """A value broadcast to a shape."""
    if not shape:
        return value
    count, *rest = shape
    if len(_shape(value)) < len(shape):
        return [_spread(value, rest) for _ in range(count)]
    items = value * count if len(value) == 1 and count != 1 else value
    return [_spread(item, rest) for item in items]


# --- sums and products ----------------------------------------------------------------


def _total(writer: Writer, statement: Apply, items: Sequence[Any], hint: str) -> Any:
    """Eight sums side by side from eight items on, as numpy adds."""

    def add(one: Any, other: Any) -> Any:
        return _added(writer, statement, "add", (one, other))

    if statement.out.type.kind is not Kind.FLOAT:
        raise Unwritten("a sum of whole numbers")
    if not items:
        return Literal(0.0)
    if len(items) < _SIDES:
        found = reduce(add, items)
    elif len(items) > _HALVED:
        raise Unwritten("a long sum")
    else:
        whole = len(items) // _SIDES * _SIDES
        sides = [reduce(add, items[k:whole:_SIDES]) for k in range(_SIDES)]
        while len(sides) > 1:
            sides = [add(*pair) for pair in zip(sides[::2], sides[1::2], strict=True)]
        found = reduce(add, items[whole:], sides[0])
    if hint:
        writer.element(found, hint)
    return found


_SIDES = 8
_HALVED = 128


def _sum_all(writer: Writer, statement: Apply, args: list[Value]) -> Value:
    return _total(writer, statement, list(leaves(args[0])), statement.out.hint)


def _sum_rows(writer: Writer, statement: Apply, args: list[Value]) -> Value:
    """The sum of the rows, one after the other."""
    rows = args[0]
    if not rows:
        raise Unwritten("a sum of no rows")
    return [
        reduce(lambda x, y: _added(writer, statement, "add", (x, y)), column)
        for column in map(list, zip(*rows, strict=True))
    ]


def _sum_columns(writer: Writer, statement: Apply, args: list[Value]) -> Value:
    return [_total(writer, statement, row, "") for row in args[0]]


def _product(writer: Writer, like: Apply, x: Value, y: Value, hint: str = "") -> Any:
    """The sum of products, from left to right."""
    pairs = list(zip(x, y, strict=True))
    if not pairs:
        return Literal(0.0)
    terms = [_added(writer, like, "mul", pair) for pair in pairs]
    found = reduce(lambda a, b: _added(writer, like, "add", (a, b)), terms)
    writer.element(found, hint)
    return found


def _dot(writer: Writer, statement: Apply, args: list[Value]) -> Value:
    x, y = args
    return _product(writer, statement, x, y, statement.out.hint)


def _mat_vec(writer: Writer, statement: Apply, args: list[Value]) -> Value:
    rows, x = args
    return [_product(writer, statement, row, x) for row in rows]


def _vec_mat(writer: Writer, statement: Apply, args: list[Value]) -> Value:
    x, rows = args
    return [_product(writer, statement, x, column) for column in _turned(rows)]


def _mat_mat(writer: Writer, statement: Apply, args: list[Value]) -> Value:
    rows, others = args
    columns = _turned(others)
    return [[_product(writer, statement, r, c) for c in columns] for r in rows]


def _outer(writer: Writer, statement: Apply, args: list[Value]) -> Value:
    x, y = args
    return [[_added(writer, statement, "mul", (a, b)) for b in y] for a in x]


# --- operations that move elements ----------------------------------------------------


def _turned(rows: Value) -> Value:
    if not rows or not rows[0]:
        raise Unwritten("a matrix without elements")
    return [list(column) for column in zip(*rows, strict=True)]


def _moved(move: Callable[..., Value]) -> Rule:
    """The rule of an operation that only moves elements; its indices are known."""

    def rule(writer: Writer, statement: Apply, args: list[Value]) -> Value:
        known = [arg if isinstance(arg, list) else _number(arg) for arg in args]
        try:
            found = move(*known)
        except (IndexError, ValueError):
            raise Unwritten("a part that is not there") from None
        return like(found, leaves(found))

    return rule


def _number(value: Value) -> Any:
    """A whole number as it is, else the operand."""
    if isinstance(value, Literal) and value.type.kind is Kind.INT:
        return value.value
    if isinstance(value, Var) and value.type.kind is Kind.INT:
        raise Unwritten("an index that only a run knows")
    return value


def _copy(x: Value) -> Value:
    return x


def _length(depth: int) -> Rule:
    def rule(_: Writer, __: Apply, args: list[Value]) -> Value:
        value = args[0]
        for _level in range(depth):
            if not value:
                raise Unwritten("an array without elements")
            value = value[0]
        return Literal(len(value))

    return rule


def _count(_: Writer, __: Apply, args: list[Value]) -> Value:
    return Literal(sum(1 for _ in leaves(args[0])))


def _stored(at: Callable[..., slice | int]) -> Callable[..., Value]:
    """`x` with `y` in a part, a row or an element of it."""

    def move(x: Value, y: Value, *bounds: int) -> Value:
        place = at(*bounds)
        made = list(x)
        if isinstance(place, slice):
            old = made[place]
            made[place] = _spread(y, _shape(old)) if old else []
        else:
            made[place] = _spread(y, _shape(made[place]))
        return made

    return move


def _in_columns(at: Callable[..., slice | int]) -> Callable[..., Value]:
    """A store into the same columns of each row of a matrix."""

    def move(x: Value, y: Value, *bounds: int) -> Value:
        place = at(*bounds)
        part = [row[place] for row in x]
        spread = (
            _spread(y, _shape(part)) if _shape(part) and 0 not in _shape(part) else part
        )
        return [
            _stored(lambda: place)(row, own) for row, own in zip(x, spread, strict=True)
        ]

    return move


def _pick_both(x: Value, i: int, j: int) -> Value:
    return x[i][j]


def _stored_both(x: Value, y: Value, i: int, j: int) -> Value:
    made = list(x)
    made[i] = _stored(lambda: j)(x[i], y)
    return made


def _at(*bounds: int) -> int:
    return bounds[0]


_Place = slice | int


def _block(down: str, across: str) -> Callable[..., tuple[_Place, _Place]]:
    """The rows and columns of a part of a matrix along both axes."""
    first, second = (_BOUNDS.get(form, _at) for form in (down, across))
    count = len(CUTS.get(down, (1,)))
    return lambda *bounds: (first(*bounds[:count]), second(*bounds[count:]))


def _read_block(
    block: Callable[..., tuple[_Place, _Place]], x: Value, *bounds: int
) -> Value:
    rows, columns = block(*bounds)
    found = x[rows]
    return (
        [row[columns] for row in found] if isinstance(rows, slice) else found[columns]
    )


def _stored_block(
    block: Callable[..., tuple[_Place, _Place]], x: Value, y: Value, *bounds: int
) -> Value:
    rows, columns = block(*bounds)
    made = list(x)
    if isinstance(rows, slice):
        made[rows] = _in_columns(lambda: columns)(made[rows], y)
    else:
        made[rows] = _stored(lambda: columns)(made[rows], y)
    return made


# fmt: off
_BOUNDS: dict[str, Callable[..., slice | int]] = {
    "from":    lambda start: slice(start, None),
    "to":      lambda stop: slice(None, stop),
    "between": slice,
    "by":      lambda step: slice(None, None, step),
}
# fmt: on


def _parts() -> Iterator[tuple[str, Rule]]:
    """Slices, rows, columns and elements, read and stored."""
    named = {f"cut_{form}": at for form, at in _BOUNDS.items()}
    named |= {
        "sliced": _BOUNDS["between"],
        "sliced_from": _BOUNDS["from"],
        "sliced_to": _BOUNDS["to"],
        "pick": _at,
        "pick_row": _at,
    }
    for name, at in named.items():
        yield name, _moved(lambda x, *bounds, at=at: x[at(*bounds)])
        yield f"stored_{name}", _moved(_stored(at))
    columns = {f"columns_{form}": at for form, at in _BOUNDS.items()}
    for name, at in {**columns, "pick_column": _at}.items():
        move = _in_columns(at)
        yield name, _moved(lambda x, *b, at=at: [row[at(*b)] for row in x])
        yield f"stored_{name}", _moved(move)
    for down, across in BLOCKS:
        block = _block(down, across)
        yield f"block_{down}_{across}", _moved(partial(_read_block, block))
        yield f"stored_block_{down}_{across}", _moved(partial(_stored_block, block))
    yield "pick_both", _moved(_pick_both)
    yield "stored_pick_both", _moved(_stored_both)


def _laid_out(value: Value, rows: int, columns: int) -> Value:
    items = list(leaves(value))
    if len(items) != rows * columns:
        raise Unwritten("a shape that does not fit")
    return [items[k * columns : (k + 1) * columns] for k in range(rows)]


# fmt: off
_RULES: dict[str, Rule] = {
    **dict(_parts()),
    "sum_all":      _sum_all,
    "sum_rows":     _sum_rows,
    "sum_columns":  _sum_columns,
    "dot":          _dot,
    "mat_vec":      _mat_vec,
    "vec_mat":      _vec_mat,
    "mat_mat":      _mat_mat,
    "outer":        _outer,
    "length":       _length(0),
    "width":        _length(1),
    "depth":        _length(2),
    "count":        _count,
    "turned":       _moved(_turned),
    "column":       _moved(lambda x: [[item] for item in x]),
    "row":          _moved(lambda x: [x]),
    "no_column":    _moved(lambda x: [row[0] for row in x]),
    "no_row":       _moved(lambda x: x[0]),
    "backwards":    _moved(lambda x: x[::-1]),
    "joined":       _moved(lambda x, y: [*x, *y]),
    "all_joined":   _moved(lambda *parts: [item for part in parts for item in part]),
    "raveled":      _moved(lambda x: list(leaves(x))),
    "unraveled":    _moved(lambda x, y: like(y, leaves(x))),
    "laid_out":     _moved(_laid_out),
    "vector":       lambda _, __, args: list(args),
    "filled":       _moved(lambda value, size: [value] * size),
    "filled_rows":  _moved(lambda value, m, n: [[value] * n for _ in range(m)]),
    "zeros_like":   _moved(lambda x: like(x, (Literal(0.0) for _ in leaves(x)))),
    **dict.fromkeys(("copied", "of_list", "of_rows", "to_list", "to_rows"),
                    _moved(_copy)),
}
# fmt: on
