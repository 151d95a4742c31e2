"""`f(*items)`: as many arguments as there are items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal, Passing
from ad_transform.later import later
from ad_transform.read.code import Call, Formal
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.drafts import DraftCheck
from ad_transform.read.values.callables import Closure, Dotted
from ad_transform.read.values.classes import Class
from ad_transform.read.values.series import Series
from ad_transform.read.values.storage import Array, Rest, Slice
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Special, Value, is_whole

with later():
    from ad_transform.read.array_functions import creations, of_arrays
    from ad_transform.read.arrays import indexing
    from ad_transform.read.iterables import iterables
    from ad_transform.read.lists import listing


def spread(
    flat: Context, callee: Value, made: Call, items: Value, span: Span
) -> Sequence[Value] | None:
    """The items of the argument that has a star; None after a report of AD107.

    Of an array whose length only a run knows they are as many as the function takes,
    or it raises.
    """
    items = listing.of_range(flat, listing.list_of(flat, items), span)
    if isinstance(items, Group):
        return items.items
    over = None
    if isinstance(items, Array | Series) or is_whole(items):
        over = iterables.series_of(flat, items, span)
    if over is None:
        flat.unspreadable(items, span)
        return None
    size = iterables.count(flat, items, span)
    if not isinstance(size, Literal) and _takes_rest(callee, made):
        return _with_rest(flat, callee, made, items, span)
    wanted = size.value if isinstance(size, Literal) else _wanted(callee, made)
    if not isinstance(wanted, int) or wanted < 0:
        flat.unspreadable(items, span)
        return None
    if not isinstance(size, Literal):
        test = flat.operate(TABLE["eq"], (size, Literal(wanted)), span)
        if isinstance(test, Draft):
            said = (f"{_name(callee)}() takes {wanted} of these arguments, not ", size)
            flat.add(DraftCheck(test, said, (), span, (), "TypeError"))
    return [over.item(Literal(k)) for k in range(wanted)]


def _takes_rest(callee: Value, made: Call) -> TypeGuard[Closure]:
    """Whether a function takes the items of its last argument in `*rest`, and those
    before in parameters without defaults.
    """
    if not isinstance(callee, Closure) or made.arguments.count("*") > 1:
        return False
    formals = callee.code.formals
    only = {one.name for one in formals if one.passing is Passing.KEYWORD_ONLY}
    before, behind = [{*part} for part in _around_star(made.arguments)]
    if before - {"", *only} or behind - only:
        return False
    if not any(one.star == "*" for one in formals):
        return False
    return not any(one.name in callee.defaults for one in _before_rest(callee))


def _around_star(names: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """The names of the arguments in front of a star, and of those behind it."""
    place = [*names].index("*")
    return names[:place], names[place + 1 :]


def _before_rest(callee: Closure) -> list[Formal]:
    """The parameters in front of `*rest`."""
    formals = callee.code.formals
    return [
        one
        for one in formals
        if not one.star and one.passing is not Passing.KEYWORD_ONLY
    ]


def _with_rest(
    flat: Context, callee: Closure, made: Call, items: Value, span: Span
) -> Sequence[Value] | None:
    """The items that parameters take, one by one, and the tuple of the others."""
    whole = creations.listed(Container.TUPLE)(flat, (items,), span)
    if not isinstance(whole, Array):
        return None
    first = max(0, len(_before_rest(callee)) - made.arguments.count(""))
    if not first:
        return [Rest(whole)]
    size = iterables.count(flat, whole, span)
    enough = flat.operate(TABLE["ge"], (size, Literal(first)), span)
    if isinstance(enough, Draft):
        said = (f"{_name(callee)}() misses some of its arguments",)
        flat.add(DraftCheck(enough, said, (), span, (), "TypeError"))
    cut = Slice(Literal(first), Special.NONE, Special.NONE)
    rest = indexing.item(flat, whole, cut, flat.wholes, span)
    each = [
        indexing.item(flat, whole, Literal(k), flat.wholes, span) for k in range(first)
    ]
    return [*each, Rest(rest)] if isinstance(rest, Array) else None


def as_list(
    flat: Context, callee: Value, made: Call, values: Sequence[Value]
) -> Value | None:
    """The list of all arguments of `max(a, *items)`, `min` and `math.hypot`, where only
    a run knows how many there are; None of any other call. TypeError where `max` or
    `min` gets one alone.
    """
    if not isinstance(callee, Dotted) or callee.name not in _OF_LISTS:
        return None
    if "*" not in made.arguments or {*made.arguments} - {"", "*"}:
        return None
    starred = [name == "*" for name in made.arguments]
    values = [
        listing.of_range(flat, listing.list_of(flat, value), made.span)
        for value in values
    ]
    if callee.name == _HYPOT and len(values) == 1 and isinstance(values[0], Array):
        return values[0]
    line = of_arrays.strung(flat, values, starred, Container.LIST, made.span)
    if line is None or callee.name == _HYPOT:
        return line
    several = flat.operate(
        TABLE["gt"], (iterables.count(flat, line, made.span), Literal(1)), made.span
    )
    if isinstance(several, Draft):
        said = ("a single argument is not iterable",)
        flat.add(DraftCheck(several, said, (), made.span, (), "TypeError"))
    return line


_HYPOT = "math.hypot"
_OF_LISTS = frozenset({"builtins.max", "builtins.min", _HYPOT})


def _wanted(callee: Value, made: Call) -> int | None:
    """The number of arguments that a star has to give; None where that is open."""
    if made.arguments.count("*") > 1 or "**" in made.arguments:
        return None
    takers: Sequence[tuple[str, bool]]
    if isinstance(callee, Closure):
        formals = callee.code.formals
        if any(one.star for one in formals):
            return None
        takers = [
            (one.name, one.name in callee.defaults)
            for one in formals
            if one.passing is not Passing.KEYWORD_ONLY
        ]
    elif isinstance(callee, Class) and callee.initialised is not None:
        home = callee.initialised
        if not home.generated:
            return None
        takers = [
            (field.name, field.default is not None)
            for field in home.given
            if field.passing is not Passing.KEYWORD_ONLY
        ]
    else:
        return None
    left = [has_default for name, has_default in takers if name not in made.arguments]
    return None if any(left) else len(left) - made.arguments.count("")


def _name(callee: Value) -> str:
    if isinstance(callee, Closure):
        return callee.code.name
    return callee.name if isinstance(callee, Class) else "it"
