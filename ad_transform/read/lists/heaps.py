"""`heapq.nsmallest` and `nlargest`: the first of the items in order."""

from __future__ import annotations

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Literal
from ad_transform.read.arrays import extents
from ad_transform.read.code import Item, Push
from ad_transform.read.lists import orderings
from ad_transform.read.lists.orderings import Keywords, Rule
from ad_transform.read.machine.arguments import Unfit, Values, expect
from ad_transform.read.machine.context import Context
from ad_transform.read.values.described import describe
from ad_transform.read.values.storage import Slice
from ad_transform.read.values.values import Special, Value


def first(down: Literal) -> Rule:
    """`nsmallest(n, items, key=...)`, which is `sorted(items, key=...)[:n]`."""

    def rule(flat: Context, values: Values, keywords: Keywords, span: Span) -> Value:
        expect(values, 2, 3)
        many, items, *by = values
        number = extents.counted(flat, many, span)
        if number is None:
            raise Unfit(f"takes a whole number of items, not {describe(many)}")
        key = {"key": by[0]} if by else dict(keywords)
        if key.get("key") is Special.NONE:
            key = {}
        ordered = orderings.sorted_(flat, (items,), {**key, "reverse": down}, span)
        stop = extents.at_least_none(flat, number, span)
        part = Slice(Special.NONE, stop, Special.NONE)
        return flat.run((Push(ordered), Push(part), Item(span)))

    return rule
