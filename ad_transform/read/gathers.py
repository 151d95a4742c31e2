"""Comprehensions and generators, as functions are flattened: their items, one by one.

They run over what is known: tuples, lists, ranges of known numbers, and what `zip`,
`enumerate` and `reversed` make of these. A generator is the list of its items.
"""

from __future__ import annotations

from ad_transform.ir.nodes import Container, Literal
from ad_transform.read import choices, sequences
from ad_transform.read.binding import bind
from ad_transform.read.code import Gather
from ad_transform.read.context import Context
from ad_transform.read.values import Frame, Group, Special, Value, describe

_LOOP = "write a loop: `for k in range(n): total += ...`"


def gather(flat: Context, first: Value, made: Gather) -> Value:
    """The items of a comprehension over `first` as a list."""
    outer = flat.frame
    flat.frame = Frame(outer, {}, outer.depth, outer.quiet, outer.hazy, outer.function)
    items: list[Value] = []
    fits = _clause(flat, 0, first, made, items)
    flat.frame = outer
    return Group(Container.LIST, tuple(items)) if fits else Special.REFUSED


def _clause(
    flat: Context, place: int, over: Value, made: Gather, items: list[Value]
) -> bool:
    """Collect the items of the clauses from a place on; False after a report."""
    clause = made.clauses[place]
    known = sequences.known_items(over, flat.wholes)
    if known is None:
        if over is not Special.REFUSED:
            message = f"a comprehension over {describe(over)} is not supported yet"
            flat.refuse("AD102", message, made.span, _LOOP)
        return False
    for item in known:
        bind(flat, flat.frame, clause.target, item, ())
        wanted = _wanted(flat, made, place)
        if wanted is None:
            return False
        if not wanted:
            continue
        if len(items) >= sequences.ITEMS:
            flat.refuse("AD004", f"more than {sequences.ITEMS} items", made.span, _LOOP)
            return False
        if place + 1 == len(made.clauses):
            items.append(flat.run(made.element))
            continue
        inner = flat.run(made.clauses[place + 1].over)
        if not _clause(flat, place + 1, inner, made, items):
            return False
    return True


def _wanted(flat: Context, made: Gather, place: int) -> bool | None:
    """Whether the conditions of a clause hold, which has to be known."""
    for test in made.clauses[place].tests:
        holds = choices.truth(flat, flat.run(test), "`if`", made.span)
        if not isinstance(holds, Literal):
            if holds is not Special.REFUSED:
                message = "a comprehension of unknown length is not supported"
                help_ = "choose between numbers: `u if c else 0.0`"
                flat.refuse("AD102", message, made.span, help_)
            return None
        if not holds.value:
            return False
    return True
