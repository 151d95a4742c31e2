"""Instructions that make something with parts, and take or change a part."""

from __future__ import annotations

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.later import later
from ad_transform.read.arrays import indexing
from ad_transform.read.branches import (
    branches,
    maybe,
)
from ad_transform.read.code import (
    DELETE,
    Attribute,
    ChangeField,
    ChangeItem,
    Contains,
    Fetch,
    FetchField,
    Fits,
    Item,
    MakeDict,
    MakeSlice,
    Pack,
    Store,
    StoreField,
)
from ad_transform.read.containers import sequences
from ad_transform.read.iterables import once
from ad_transform.read.lists.listing import listed, of_range
from ad_transform.read.machine.context import Context
from ad_transform.read.objects import (
    objects,
    overloads,
)
from ad_transform.read.project.module import in_library
from ad_transform.read.values.callables import (
    Dotted,
    FileModule,
    Method,
    Partial,
    Super,
)
from ad_transform.read.values.classes import Class
from ad_transform.read.values.series import Range
from ad_transform.read.values.storage import (
    Array,
    Deque,
    Distinct,
    Lists,
    Rows,
    Slice,
    Stack,
)
from ad_transform.read.values.structured import Dict, Group, Object, View
from ad_transform.read.values.values import (
    Draft,
    Maybe,
    Member,
    Special,
    Value,
    is_int,
    is_text,
    is_whole,
)

with later():
    from ad_transform.read.array_functions import (
        attributes,
        of_arrays,
    )
    from ad_transform.read.array_functions.changes import changed_item
    from ad_transform.read.containers import (
        keyed,
        tables,
    )
    from ad_transform.read.iterables import generators
    from ad_transform.read.lists import (
        deques,
        lookups,
        sets,
    )
    from ad_transform.read.objects import (
        assigning,
        enumerations,
        given_members,
        homes,
        inherited,
    )
    from ad_transform.read.rows import optional_rows
    from ad_transform.read.texts import texts
    from ad_transform.read.values.described import describe


def change_item(flat: Context, i: ChangeItem) -> None:
    group, _, left, right = flat.stack[-4:]
    del flat.stack[-2:]
    made = overloads.changed(flat, i.op.name, (left, right), i.span)
    if made is None:
        made = changed_item(flat, i, group, left, right)
    flat.stack.append(made)


def pack(flat: Context, i: Pack) -> None:
    items: list[Value] = []
    values = [
        generators.iterated(flat, value, i.span) if spread else value
        for value, spread in zip(flat.pop(len(i.starred)), i.starred, strict=True)
    ]
    values = [
        of_range(flat, value, i.span) if spread else value
        for value, spread in zip(values, i.starred, strict=True)
    ]
    opened = [v for v, starred in zip(values, i.starred, strict=True) if starred]
    of_rows = any(isinstance(value, Rows | Lists | Stack) for value in opened)
    if of_rows or (opened and i.span not in flat.layouts):
        joined = of_arrays.strung(flat, values, i.starred, i.container, i.span)
        if joined is not None:
            flat.stack.append(joined)
            return
    for given, spread in zip(values, i.starred, strict=True):
        value = once.opened(given) if spread else once.kept(flat, given, i.span)
        if not spread:
            items.append(listed(flat, value, i.span))
        elif isinstance(value, Group):
            items += value.items
        else:
            items.append(flat.unspreadable(value, i.span))
    made = indexing.made(flat, Group(i.container, tuple(items)), i.span)
    flat.stack.append(made)


def make_dict(flat: Context, i: MakeDict) -> None:
    values = [once.kept(flat, value, i.span) for value in flat.pop(2 * i.count)]
    flat.stack.append(keyed.display(flat, values, i.span))


def item(flat: Context, i: Item) -> None:
    group, index = (maybe.certain(flat, value, i.span) for value in flat.pop(2))
    own = overloads.taken(flat, group, index, i.span)
    if own is not None:
        flat.stack.append(own)
        return
    if isinstance(group, Class) and enumerations.is_one(group):
        flat.stack.append(enumerations.item(flat, group, index, i.span))
        return
    group = listed(flat, once.opened(group), i.span)
    taken = indexing.item(flat, group, index, flat.wholes, i.span)
    flat.stack.append(taken)


def make_slice(flat: Context, i: MakeSlice) -> None:
    start, stop, step = flat.pop(3)
    flat.stack.append(Slice(start, stop, step))


def fetch(flat: Context, i: Fetch) -> None:
    group, index = flat.stack[-2:]
    if isinstance(group, Maybe):
        group = flat.stack[-2] = maybe.certain(flat, group, i.span)
    own = overloads.taken(flat, group, index, i.span)
    if own is not None:
        flat.stack.append(own)
        return
    group = once.opened(group) if isinstance(group, Deque) else group
    taken = indexing.item(flat, group, index, flat.wholes, i.span)
    flat.stack.append(taken)


def store(flat: Context, i: Store) -> None:
    group, index, value = flat.pop(3)
    if value is flat.rows_out.in_place:
        return  # `rows[k] += items` has changed the list in its place
    group, index = (maybe.certain(flat, v, i.span) for v in (group, index))
    value = optional_rows.stored(flat, group, value, i.span)
    if assigning.stored(flat, group, index, value, i.span):
        return
    group = once.opened(group) if isinstance(group, Deque) else group
    indexing.store(flat, group, index, value, i.span, i.notes)


def fetch_field(flat: Context, i: FetchField) -> None:
    flat.stack.append(flat.stack[-1])
    attribute(flat, Attribute(i.name, i.span))


def change_field(flat: Context, i: ChangeField) -> None:
    left, right = flat.pop(2)
    value = maybe.certain(flat, flat.stack[-1], i.span)
    made = overloads.changed(flat, i.op.name, (left, right), i.span)
    if made is None:
        made = assigning.changed(flat, i, value, left, right)
    flat.stack.append(made)


def store_field(flat: Context, i: StoreField) -> None:
    value, new = (maybe.certain(flat, v, i.span) for v in flat.pop(2))
    assigning.store(flat, value, i.name, new, i.span, i.notes)


def _not(flat: Context, test: Value, span: Span) -> Value:
    if isinstance(test, Literal):
        return Literal(not test.value)
    opposite = branches.turned(flat, test) if isinstance(test, Draft) else None
    return opposite or flat.operate(TABLE["not"], (test,), span)


def contains(flat: Context, i: Contains) -> None:
    value, group = flat.pop(2)
    group = group.inner if isinstance(group, Distinct) else group
    found: Value | None = None
    known = sequences.known_items(group, flat.wholes)
    is_open = known is None or isinstance(value, Draft)
    if isinstance(group, Range) and is_int(value) and is_open:
        found = lookups.in_range(flat, value, group, i.negated, i.span)
    group = group if found else of_range(flat, group, i.span)
    group = homes.as_dict(flat, group, i.span)
    own = overloads.contained(flat, value, group, i.span)
    if own is not None:
        flat.stack.append(_not(flat, own, i.span) if i.negated else own)
        return
    if found is not None:
        pass
    elif is_text(group):
        found = texts.contains(flat, value, group, i.negated, i.span)
    elif isinstance(group, Dict):
        found = tables.contains(flat, value, group, i.negated, i.span)
    else:
        found = sets.contains(flat, value, group, i.negated, i.span)
    flat.stack.append(found)


def _of_set(flat: Context, value: Distinct, i: Attribute) -> Value:
    if i.name in sets.METHODS:
        return Method(value, i.name)
    message = f"the attribute {i.name!r} of a set is not supported"
    return flat.refuse("AD102", message, i.span, sets.IN_ORDER)


_OF_MEMBERS = ("name", "value")
_OF_TEXTS = {"format": 'write an f-string: `f"{x:.2f}"`'}
_OF_NUMBERS = {
    "is_integer": "compare it: `x == math.floor(x)`",
    "real": "leave it out: only real numbers are computed here",
    "conjugate": "leave it out: only real numbers are computed here",
    "imag": "write 0.0: only real numbers are computed here",
    "hex": "leave it out: only numbers are computed here",
}
_NUMBERS = (
    'annotate the parameter, `p: Params`, or `x: "Vector[n]"`, if it is no number'
)
_AS_IT_IS = 'compare the text: `kind.lower() in ("log", "linear")`'
_WITH_ATTRIBUTES = Array | Group | Dict | Rows | Lists | Stack


def attribute(flat: Context, i: Attribute) -> None:
    value = maybe.certain(flat, flat.stack.pop(), i.span)
    value = homes.as_dict(flat, value, i.span)
    if i.name == DELETE and not isinstance(value, Dict | Object):
        i = Attribute("pop", i.span)  # `del u[k]`
    if isinstance(value, Dotted):
        flat.stack.append(in_library(f"{value.name}.{i.name}"))
    elif isinstance(value, FileModule):
        flat.stack.append(value.module.inside(i.name, i.span))
    elif isinstance(value, Distinct):
        flat.stack.append(_of_set(flat, value, i))
    elif isinstance(value, Deque) and i.name in deques.METHODS:
        flat.stack.append(Method(value, i.name))
    elif isinstance(value, Deque) and i.name == "maxlen":
        flat.stack.append(Special.NONE if value.most is None else value.most)
    elif (found := _of_object(flat, value, i)) is not None:
        flat.stack.append(found)
    elif value is Special.REFUSED:
        flat.stack.append(value)
    elif is_text(value) and i.name in texts.METHODS:
        flat.stack.append(Method(value, i.name))
    elif isinstance(value, _WITH_ATTRIBUTES) or is_whole(value):
        if i.name == "__getitem__":  # as in `key=x.__getitem__`
            flat.stack.append(Partial(Dotted("operator.getitem"), (value,), ()))
            return
        flat.stack.append(attributes.attribute(flat, value, i.name, i.span))
    else:
        message = f"the attribute {i.name!r} of {describe(value)} is not supported"
        help_ = "annotate the parameter as a dataclass or NamedTuple of the project"
        if isinstance(value, Draft | Literal) and not is_text(value):
            help_ = _OF_NUMBERS.get(i.name, _NUMBERS)
        if isinstance(value, Range):
            help_ = f"make a list of it: `list(range(n)).{i.name}(...)`"
        if is_text(value):
            help_ = _OF_TEXTS.get(i.name, _AS_IT_IS)
        if is_text(value) and i.name in _OF_MEMBERS and flat.module.shared.cases:
            message = f"the {i.name} of a member that a run chooses is not supported"
            help_ = "ask which one it is: `2.5 if mode is Mode.B else 1.5`"
        flat.stack.append(flat.refuse("AD102", message, i.span, help_))


def _of_object(flat: Context, value: Value, i: Attribute) -> Value | None:
    """An attribute of an object or a class; None of anything else."""
    if isinstance(value, Super):
        return inherited.attribute(flat, value, i.name, i.span)
    of = objects.class_of(value)
    if i.name == "__class__" and of is not None:
        return of
    if isinstance(value, Class) or of is not None:
        return objects.attribute(flat, value, i.name, i.span)
    if isinstance(value, Member):
        return given_members.attribute(flat, value, i.name, i.span)
    return enumerations.attribute(flat, value, i.name, i.span)


def fits(flat: Context, i: Fits) -> None:
    """Whether a pattern of so many items can fit; no number, dict or view of a dict
    does. Refuses AD107: sequences but tuples and lists of known length, and arrays,
    which fit since numpy 2.5 alone.
    """
    value = listed(flat, flat.stack.pop(), i.span)
    test = maybe.where_given(flat, value, lambda one: _fits(flat, i, one), i.span)
    flat.stack.append(test)


def _fits(flat: Context, i: Fits, value: Value) -> Value:
    if value is Special.REFUSED:
        return value
    if isinstance(value, Group):
        size = len(value.items)
        has = size >= i.count if i.is_open else size == i.count
        if has and value.container is Container.ARRAY:
            return _refuse_array(flat, i.span)
        return Literal(has and not isinstance(value, View))
    if is_whole(value) or (isinstance(value, Array) and not _is_sequence(value)):
        return _refuse_array(flat, i.span)
    if _is_sequence(value):
        message = f"this pattern needs items that are known, not {describe(value)}"
        return flat.refuse("AD107", message, i.span, "compare `len(x)`")
    return Literal(False)


def _refuse_array(flat: Context, span: Span) -> Value:
    message = "an array fits this pattern since numpy 2.5, and not before"
    return flat.refuse("AD107", message, span, "compare `len(x)`")


def _is_sequence(value: Value) -> bool:
    """Whether a value without known items is a sequence to a pattern of Python."""
    if isinstance(value, Array):
        return value.cell.container is not Container.ARRAY
    is_deque = isinstance(value, Deque) and not isinstance(value, Distinct)
    return is_deque or isinstance(value, Range | Rows | Lists | Stack)
