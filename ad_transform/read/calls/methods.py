"""Methods: of lists and dicts, arrays and deques, and of objects of the user."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container
from ad_transform.read.array_functions import of_arrays
from ad_transform.read.array_functions.of_arrays import METHODS as OF_LISTS
from ad_transform.read.calls.unknown import no_keyword
from ad_transform.read.containers import (
    entries,
    keyed,
)
from ad_transform.read.iterables import (
    once,
    streams,
)
from ad_transform.read.known import of_known
from ad_transform.read.known.grids import is_array
from ad_transform.read.library import array_calls
from ad_transform.read.lists import (
    deques,
    lookups,
    orderings,
    sets,
)
from ad_transform.read.lists.listing import list_of
from ad_transform.read.machine.arguments import Unfit, expect, misfit
from ad_transform.read.machine.context import Context
from ad_transform.read.objects import making
from ad_transform.read.objects.making import Caller, Keywords
from ad_transform.read.texts import texts
from ad_transform.read.values.callables import Method, Super
from ad_transform.read.values.storage import Deque, Distinct
from ad_transform.read.values.structured import Dict, Group, Object
from ad_transform.read.values.values import Special, Value, is_text, is_whole
from ad_transform.read.wholes import of_whole


def called(
    flat: Context,
    callee: Method,
    values: Sequence[Value],
    keywords: Keywords,
    span: Span,
    call: Caller,
) -> Value:
    """The result of `u.name(...)`, its arguments evaluated."""
    values = [list_of(flat, once.opened(value)) for value in values]
    if Special.REFUSED in values or Special.REFUSED in keywords.values():
        return Special.REFUSED
    if isinstance(callee.of, Super) and isinstance(callee.of.value, Object):
        above = callee.of
        own = cast(Object, above.value)
        more = (values, keywords, span, call)
        return making.initialised(flat, own, above.initialised, *more)
    found = making.method(flat, callee, values, keywords, span, call)
    if found is not None:
        return found
    try:
        if is_text(callee.of):
            return texts.method(flat, callee.of, callee.name, values, keywords, span)
        if isinstance(callee.of, Distinct) and not keywords:
            return sets.method(flat, callee.of, callee.name, values, span)
        if isinstance(callee.of, Deque) and not keywords:
            return deques.method(flat, callee.of, callee.name, values, span)
        if isinstance(callee.of, Dict) and callee.name in entries.CHANGING:
            change = entries.CHANGING[callee.name]
            return change(flat, callee.of, values, keywords, span)
        if isinstance(callee.of, Dict) and callee.name in keyed.ASKED:
            return keyed.asked(flat, callee.of)
        if isinstance(callee.of, Dict) and callee.name == "copy" and not keywords:
            expect(values, 0, 0)
            return keyed.copied(flat, callee.of, callee.of, span)
        if callee.name == "index" and not keywords:
            return lookups.index(flat, (callee.of, *values), span)
        if callee.name == "count" and not keywords:
            return streams.times(flat, (callee.of, *values), span)
        if callee.name == "sort":
            return orderings.sort(flat, callee.of, values, keywords, span)
        made = of_known.method(flat, callee.of, callee.name, values, keywords, span)
        whole = is_array(callee.of) and _is_for_whole(callee, values, keywords)
        if made is None and whole:
            name = of_whole.METHODS[callee.name]
            if callee.name in ("reshape", "transpose") and len(values) > 1:
                values = (Group(Container.TUPLE, tuple(values)),)
            given = (callee.of, *values)
            return of_whole.called(flat, name, given, keywords, span)
    except Unfit as unfit:
        given = (callee.of, *values, *keywords.values())
        return misfit(flat, repr(callee.name), unfit, given, span)
    if made is not None:
        return made
    for keyword in keywords:
        return no_keyword(flat, callee.name, keyword, span)
    try:
        return of_arrays.called(flat, callee, values, span)
    except Unfit as unfit:
        return misfit(flat, repr(callee.name), unfit, values, span)


def _is_for_whole(callee: Method, values: Sequence[Value], keywords: Keywords) -> bool:
    """Whether a method of an array is one of whole arrays."""
    known = callee.name in of_whole.METHODS
    of_lists = callee.name in OF_LISTS and not keywords
    name = of_whole.METHODS.get(callee.name, "")
    given = (callee.of, *values)
    is_other = any(map(is_whole, given)) or array_calls.is_for_numpy(name, given)
    return known and (is_other or not of_lists)
