"""`y += z` of arrays, which changes the array that other names may stand for, too.

So does `y += [z]` of lists, which grow. An array or list of known elements that nobody
else can see is made anew; any other becomes an array that is written, see `Refit`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from ad_transform.ir.nodes import Container
from ad_transform.read import arrays
from ad_transform.read.code import Change
from ad_transform.read.context import Context
from ad_transform.read.grids import is_array, shape_of_known, shape_text
from ad_transform.read.values import (
    Array,
    Closure,
    Frame,
    Group,
    Method,
    Partial,
    Promise,
    Stream,
    Value,
)


def changed(flat: Context, i: Change, left: Value, right: Value) -> Value:
    """What the name is from now on."""
    if not is_array(left):
        return _grown(flat, i, left, right)
    if isinstance(left, Group) and _is_shared(flat, left, i.name):
        flat.refit(left)
        message = f"{i.name!r} and another name may be one array, which is changed"
        help_ = f"let one of them be a copy: `{i.name} = {i.name}.copy()`"
        return flat.refuse("AD124", message, i.span, help_)
    made = flat.operate(i.op, (left, right), i.span)
    if isinstance(left, Array):
        arrays.fill(flat, left, made, i.span)
        return left
    before, after = shape_of_known(left), shape_of_known(made)
    if isinstance(made, Group) and before != after:
        shown = f"{shape_text(after)} into one of {shape_text(before)}"
        message = f"an array of shape {shown} is not possible"
        return flat.refuse("AD107", message, i.span, "write `y = y + z`")
    return made


def _grown(flat: Context, i: Change, left: Value, right: Value) -> Value:
    """What a number, a tuple or a list is from now on."""
    if _is_list(left) and isinstance(left, Group) and _is_shared(flat, left, i.name):
        flat.refit(left)
        message = f"{i.name!r} and another name may be one list, which is changed"
        help_ = f"let it be another one: `{i.name} = {i.name} + ...`"
        return flat.refuse("AD124", message, i.span, help_)
    grows = i.op.name == "add" and isinstance(right, Group)
    if not grows or not isinstance(left, Array) or not _is_list(left):
        return flat.operate(i.op, (left, right), i.span)
    for item in cast(Group, right).items:
        arrays.append(flat, left, item, i.span)
    return left


def _is_list(value: Value) -> bool:
    if isinstance(value, Group):
        return value.container is Container.LIST
    return isinstance(value, Array) and value.cell.container is Container.LIST


def _is_shared(flat: Context, group: Group, name: str) -> bool:
    """Whether anything but a name of the running function may stand for the array."""
    own = flat.frame
    values: list[Value | Promise | None] = list(flat.stack)
    values += [value for key, value in own.names.items() if key != name]
    for frame in (*flat.callers, *_around(own.around)):
        values += frame.names.values()
    return _holds(values, group)


def _around(frame: Frame | None) -> Iterator[Frame]:
    while frame is not None:
        yield frame
        frame = frame.around


def _holds(values: list[Value | Promise | None], group: Group) -> bool:
    """Whether one of some values may be the array, a part of it, or hold it."""
    seen: set[int] = set()
    stack = list(values)
    while stack:
        value = stack.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        match value:
            case Group(items=items, site=site):
                if value is group or (site is not None and site == group.site):
                    return True
                stack += items
            case Promise(parts=parts, made=made):
                stack += (made,) if made is not None else parts
            case Closure(around=around, defaults=defaults):
                stack += defaults.values()
                for frame in _around(around):
                    stack += frame.names.values()
            case Partial(function=function, positional=positional, keywords=keywords):
                stack += (function, *positional, *(v for _, v in keywords))
            case Method(of=of):
                stack.append(of)
            case Stream():
                return True
    return False
