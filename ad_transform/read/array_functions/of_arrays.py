"""Functions of arrays of run-time length: the table, and methods of arrays."""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.diagnostics import Span
from ad_transform.elementals import GENERATED
from ad_transform.ir.nodes import Container, Literal
from ad_transform.later import later
from ad_transform.read.array_functions import (
    creations,
    distances,
    reductions,
    splitting,
)
from ad_transform.read.arrays import indexing
from ad_transform.read.containers import sequences
from ad_transform.read.iterables import (
    iterables,
    streams,
)
from ad_transform.read.lists import queues
from ad_transform.read.lists.listing import begun, listed
from ad_transform.read.machine.arguments import Rule, Unfit, Values, expect
from ad_transform.read.machine.context import Context
from ad_transform.read.rows import (
    made_rows,
    row_writes,
    rows,
)
from ad_transform.read.values.callables import Method
from ad_transform.read.values.series import Range, Series, is_comprehension
from ad_transform.read.values.storage import Array, Lists, Rows, Stack
from ad_transform.read.values.structured import Dict, Group, Object, is_list, is_tuple
from ad_transform.read.values.values import Draft, Special, Value, is_whole

with later():
    from ad_transform.read.arrays import (
        arrays,
        packing,
        rebinding,
        rebound,
    )
    from ad_transform.read.branches import chosen
    from ad_transform.read.containers import tables
    from ad_transform.read.objects import assigning
    from ad_transform.read.wholes import wholes

# fmt: off
RULES: dict[str, Rule] = {
    "builtins.len":    creations.length,
    "builtins.list":   creations.as_list,
    "builtins.tuple":  creations.listed(Container.TUPLE),
    "builtins.zip":    iterables.zip_,
    "builtins.enumerate": iterables.enumerate_,
    "builtins.reversed":  iterables.reversed_,
    "builtins.sum":    reductions.started,
    "builtins.max":    reductions.extreme("max"),
    "builtins.min":    reductions.extreme("min"),
    "math.fsum":       reductions.exact_total("fsum_of"),
    f"{GENERATED}total": reductions.exact_total("total_of"),
    "builtins.any":    reductions.every(False),
    "builtins.all":    reductions.every(True),
    "math.prod":       reductions.product,
    "math.dist":       distances.distance,
    "numpy.sum":       reductions.total,
    "numpy.mean":      reductions.mean,
    "numpy.prod":      reductions.product,
    "numpy.any":       reductions.every(False),
    "numpy.all":       reductions.every(True),
    "numpy.dot":       reductions.dot,
    "numpy.inner":     reductions.dot,
    "numpy.vdot":      reductions.dot,
    "numpy.linalg.norm": reductions.norm,
    "numpy.polyval":   reductions.polynomial,
    "numpy.copy":      creations.copy,
    "copy.copy":       creations.copy,
    "copy.deepcopy":   creations.deep_copy,
    "builtins.map":    streams.mapped,
    "numpy.split":     splitting.split,
    "numpy.array":     creations.array(True),
    "numpy.asarray":   creations.array(False),
    "numpy.zeros_like": creations.like(0.0),
    "numpy.ones_like":  creations.like(1.0),
    "numpy.empty_like": creations.like(0.0),
    "numpy.full_like":  creations.like(None),
}
# fmt: on


def is_spread(flat: Context, name: str, values: Sequence[Value]) -> bool:
    """Whether an argument has a length that only the run knows."""
    return any(
        isinstance(value, Array | Rows | Lists | Stack | Series)
        or (
            isinstance(value, Range)
            and name in _OVER_RANGES
            and sequences.known_items(value, flat.wholes) is None
        )
        for value in values
    )


_OVER_RANGES = frozenset(RULES) - {"builtins.reversed"}


def joined(flat: Context, op: str, values: Values, span: Span) -> Value | None:
    """`a + b` of lists, or of tuples, one of which has a length that only a run knows;
    None for anything else.
    """
    if op != "add":
        return None
    if all(map(_is_tuple, values)):
        starred = (True,) * len(values)
        return strung(flat, values, starred, Container.TUPLE, span)
    values = [
        listed(flat, v, v.made.span) if is_comprehension(v) else v for v in values
    ]
    for value in values:
        rows.taken_apart(flat, value)
    if not all(map(_is_list, values)):
        return None
    left, right = values
    if isinstance(right, Group) and right.items:
        rows.awaited(flat, left, right.items[0], span)
    found: Value
    items = [one for v in values if isinstance(v, Group) for one in v.items]
    if any(rows.is_open(flat, one) for one in items):
        found = begun(flat, span)
        queues.extend(flat, (found, left), span)
    elif isinstance(left, Rows | Lists | Stack):
        found = rows.copied(flat, left, span)
    elif isinstance(left, Array):
        found = arrays.copied(flat, left, Container.LIST, span)
    elif isinstance(left, Group) and isinstance(right, Rows | Lists | Stack):
        found = made_rows.made(flat, left.items, right.layout, span)
    elif isinstance(left, Group) and isinstance(right, Array):
        found = packing.packed(flat, left.items, Container.LIST, span)
    else:
        return None
    queues.extend(flat, (found, right), span)
    return found


def strung(
    flat: Context,
    values: Values,
    starred: Sequence[bool],
    container: Container,
    span: Span,
) -> Value | None:
    """`[a, *x, b]` with lists of a length that only a run knows; None where all lengths
    are known.
    """
    if container is Container.LIST:
        for value in values:
            rows.taken_apart(flat, value)
        if any(isinstance(value, Rows | Lists | Stack) for value in values):
            return _parts_joined(flat, values, starred, span)
    pairs = zip(values, starred, strict=True)
    lists = {
        place: wholes.listed(flat, value, span)
        for place, (value, spread) in enumerate(pairs)
        if spread and (isinstance(value, Array) or is_whole(value))
    }
    if not lists or not all(map(_is_line, lists.values())):
        return None
    parts: list[Array | list[Value]] = []
    for place, (value, spread) in enumerate(zip(values, starred, strict=True)):
        one = lists.get(place, value)
        if spread and isinstance(one, Array):
            parts.append(one)
            continue
        if spread and not isinstance(one, Group):
            return None
        items = one.items if spread and isinstance(one, Group) else (one,)
        if not parts or isinstance(parts[-1], Array):
            parts.append([])
        before = parts[-1]
        assert isinstance(before, list)
        before += items
    return _one_behind_the_other(flat, parts, container, span)


def _parts_joined(
    flat: Context, values: Values, starred: Sequence[bool], span: Span
) -> Value | None:
    """`[*rows, row]`: starred values and the items between, one behind the other."""
    parts: list[Value] = []
    for value, spread in zip(values, starred, strict=True):
        before = parts[-1] if parts else None
        if spread:
            parts.append(value)
        elif isinstance(before, Group):
            parts[-1] = Group(Container.LIST, (*before.items, value))
        else:
            parts.append(Group(Container.LIST, (value,)))
    found, *rest = parts
    if not rest and isinstance(found, Rows | Lists | Stack):
        return rows.copied(flat, found, span)
    for part in rest:
        made = joined(flat, "add", (found, part), span)
        if made is None:
            return None
        found = made
    return found


def _is_line(value: Value) -> bool:
    return isinstance(value, Array) and len(value.axes) == 1


def _one_behind_the_other(
    flat: Context,
    parts: Sequence[Array | list[Value]],
    container: Container,
    span: Span,
) -> Value:
    first, *rest = parts
    found: Value
    if isinstance(first, Array):
        found = arrays.copied(flat, first, Container.LIST, span)
    else:
        found = packing.packed(flat, tuple(first), Container.LIST, span)
    for part in rest:
        more = part if isinstance(part, Array) else Group(Container.LIST, tuple(part))
        queues.extend(flat, (found, more), span)
    if isinstance(found, Array) and container is not Container.LIST:
        return arrays.copied(flat, found, container, span)
    return found


def _is_list(value: Value) -> bool:
    if isinstance(value, Array):
        return value.cell.container is Container.LIST and len(value.axes) == 1
    is_known = is_list(value)
    return is_known or isinstance(value, Rows | Lists | Stack)


def _is_tuple(value: Value) -> bool:
    if isinstance(value, Array):
        return value.cell.container is Container.TUPLE and len(value.axes) == 1
    return is_tuple(value) and value.of is None


def _is_of_numbers(of: Group) -> bool:
    is_list = of.container is Container.LIST
    return is_list and all(isinstance(v, Draft | Literal) for v in of.items)


def _is_never_array(value: Value) -> bool:
    """Whether an object or a function stands in a value."""
    found = rebinding.inside([value])
    return any(isinstance(one, Object) or chosen.is_function(one) for one in found)


def _known_more(flat: Context, name: str, values: Values) -> Values | None:
    """The items that a method adds at the end of a list; None if they are not known."""
    if len(values) != 1 or name not in ("append", "extend"):
        return None
    return values if name == "append" else sequences.known_items(values[0], flat.wholes)


def fill(flat: Context, values: Values, span: Span) -> Value:
    """`y.fill(v)`."""
    expect(values, 2, 2)
    if isinstance(values[0], Array):
        arrays.fill(flat, values[0], values[1], span)
    return Special.NONE


# fmt: off
METHODS: dict[str, Rule] = {
    "append":  queues.append,
    "clear":   queues.clear,
    "copy":    creations.copy,
    "extend":  queues.extend,
    "fill":    fill,
    "insert":  queues.insert,
    "pop":     queues.pop,
    "remove":  queues.remove,
    "reverse": queues.reverse,
    "sum":     reductions.total,
    "mean":    reductions.mean,
    "prod":    reductions.product,
    "dot":     reductions.dot,
    "tolist":  creations.listed(Container.LIST),
}
# fmt: on


def called(flat: Context, method: Method, values: Values, span: Span) -> Value:
    """The result of a method."""
    of = method.of
    if isinstance(of, Dict):
        return tables.METHODS[method.name](flat, (of, *values), span)
    if isinstance(of, Group) and method.name == "tolist" and not values:
        return creations.as_lists(of)
    if method.name == "append" and len(values) == 1:
        row_writes.relaid(flat, of, values[0])
    if isinstance(of, Group) and of.container is not Container.TUPLE:
        name = rebinding.sole_name(flat, of)
        if method.name == "copy" and not name and not values and _is_of_numbers(of):
            return indexing.made(flat, of, span)  # of a constant
        more = _known_more(flat, method.name, values)
        if more is not None and of.container is Container.LIST and name:
            flat.frame.bind(name, Group(of.container, (*of.items, *more), of.site))
            return Special.NONE
        if more is not None and any(map(_is_never_array, (of, *more))):
            slot = rebound.sole_field(flat, of)
            if slot is not None:
                longer = Group(of.container, (*of.items, *more), of.site)
                flat.heap.fresh[id(longer)] = longer
                assigning.store(flat, slot.of, slot.name, longer, span, ())
                return Special.NONE
        flat.refit(of)
    rule = METHODS.get(method.name)
    if rule is None or not isinstance(of, Array | Rows | Lists | Stack):
        raise Unfit("is not supported here", "write a loop")
    return rule(flat, (of, *values), span)
