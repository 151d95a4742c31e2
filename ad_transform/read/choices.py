"""Values of which only one is computed, `u if c else v`, as functions are flattened."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import cast

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.elementals.arrays import MADE
from ad_transform.ir.dims import ANY
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import BOOL, FLOAT, INT, STR, Kind, Type
from ad_transform.read import chosen, extents, maybe
from ad_transform.read.context import Context
from ad_transform.read.drafts import (
    DraftAnd,
    DraftApply,
    DraftArm,
    DraftChoice,
    DraftStatement,
)
from ad_transform.read.heap import Moment
from ad_transform.read.values import (
    FILLERS,
    GROUPS,
    Array,
    Cell,
    Dict,
    Draft,
    Group,
    Maybe,
    Number,
    Rows,
    Special,
    Value,
    describe,
    kind_of,
    regroup,
)

Contents = Callable[[Cell, Span], Value]
"""What a cell holds at the end of an arm."""

Arm = tuple[list[DraftStatement], Value]
"""What an arm computes, and its value."""

_WIDER = {(INT, FLOAT): "float", (BOOL, FLOAT): "float", (BOOL, INT): "int"}
_RANK = {STR: 0, BOOL: 0, INT: 1, FLOAT: 2}


def lazily(
    flat: Context,
    test: Value,
    conjunction: bool,
    rest: Callable[[], Value],
    span: Span,
) -> Value:
    """`test and rest`: what the rest computes stands in a block of its own.

    Of values that are no truth values one is taken, as Python does.
    """
    is_known = isinstance(test, Draft) and test in flat.truths
    if is_known or isinstance(test, Literal | Group) or test is Special.NONE:
        known = truth(flat, test, "", span)
        return rest() if (known == Literal(True)) is conjunction else test
    body, value = _lazy_block(flat, rest, span, (test, conjunction))
    if Special.REFUSED in (test, value):
        return Special.REFUSED
    if _is_truth(test) and _is_truth(value):
        out = Draft(BOOL, span)
        test, value = cast(Number, test), cast(Number, value)
        flat.add(DraftAnd(out, test, conjunction, body, value))
        maybe.both(flat, out, conjunction, test, value)
        return out
    sign = "and" if conjunction else "or"
    decided = truth(flat, test, f"`{sign}`", span)
    arms = [(body, value), ([], test)]
    return _chosen(
        flat,
        decided,
        arms[0 if conjunction else 1],
        arms[1 if conjunction else 0],
        f"`{sign}`",
        span,
    )


def _is_truth(value: Value) -> bool:
    return isinstance(value, Draft | Literal) and value.type is BOOL


def choose(
    flat: Context,
    test: Value,
    then: Callable[[], Value],
    orelse: Callable[[], Value],
    what: str,
    span: Span,
    *,
    eager: bool = False,
) -> Value:
    """`then() if test else orelse()`: only one of them runs.

    Both are read where the test is refused; `eager` says that Python computes both.
    """
    known = truth(flat, test, what, span)
    if isinstance(known, Literal):
        return then() if known.value else orelse()
    first = _lazy_block(flat, then, span, (known, True))
    second = _lazy_block(flat, orelse, span, (known, False))
    return _chosen(flat, known, first, second, what, span, eager)


def _lazy_block(
    flat: Context, run: Callable[[], Value], span: Span, where: tuple[Value, bool]
) -> Arm:
    """What is computed in a part that runs where a test holds or does not, which must
    not change arrays.
    """
    heap = flat.heap
    heap.trail.append({})

    def here() -> Value:
        maybe.learn(flat, *where)
        return run()

    body, value = flat.block(here)
    before = heap.trail.pop()
    if any(old is not None for old in before.values()):
        message = "an array is changed in an expression that may not run"
        value = flat.refuse("AD107", message, span, "write an `if` statement")
    heap.restore(before)
    return body, value


def _chosen(
    flat: Context,
    test: Value,
    first: Arm,
    second: Arm,
    what: str,
    span: Span,
    eager: bool = False,
) -> Value:
    """The value of one of two arms that have been run."""
    values = (first[1], second[1])
    if not isinstance(test, Draft) or Special.REFUSED in values:
        return Special.REFUSED
    arms = DraftArm(first[0]), DraftArm(second[0])
    choice = DraftChoice(test, *arms, eager=eager)
    flat.add(choice)
    found = joined(flat, choice, *values, span)
    if found is None:
        message = f"{what} of {' or '.join(kinds_of(values))} is not supported"
        help_ = "choose between numbers, or tuples of one length"
        return flat.refuse("AD107", message, span, help_)
    return found


def truth(flat: Context, test: Value, what: str, span: Span) -> Value:
    """A test as a truth value, a Literal where it is known; refused after a report."""
    if isinstance(test, Literal):
        return Literal(bool(test.value))
    if isinstance(test, Group) and test.container is not Container.ARRAY:
        return Literal(bool(test.items))
    if test is Special.NONE:
        return Literal(False)
    if isinstance(test, Rows):
        return truth(flat, test.columns[0], what, span)
    if isinstance(test, Array) and test.cell.container is not Container.ARRAY:
        size = extents.length(flat, test, span)
        return flat.operate(TABLE["gt"], (size, Literal(0)), span)
    if isinstance(test, Draft) and not test.type.shape:
        if test in flat.truths:
            return Literal(flat.truths[test])
        if test.type is BOOL:
            return test
        if test.type is STR:
            return flat.apply(TABLE["ne"], (test, Literal("")), span)
        if test.optional:
            return _truth_of_given(flat, test, span)
        return _is_not_zero(flat, test, span)
    if test is not Special.REFUSED:
        message = f"{what} on {describe(test)} is not supported"
        is_array = isinstance(test, Group | Array | Draft)
        help_ = "write `np.all(...)` or `np.any(...)`" if is_array else _COMPARE
        help_ = "write `x is not None`" if isinstance(test, Maybe) else help_
        flat.refuse("AD107", message, span, help_)
    return Special.REFUSED


def _is_not_zero(flat: Context, value: Draft, span: Span) -> Value:
    zero = Literal(0.0 if value.type is FLOAT else 0)
    return flat.apply(TABLE["ne"], (value, zero), span)


def _truth_of_given(flat: Context, value: Draft, span: Span) -> Value:
    """`value is not None and value != 0`."""
    value.asked = True
    given = cast(Draft, flat.apply(TABLE["is_given"], (value,), span))
    given.tells = value, True
    body, holds = flat.block(lambda: _is_not_zero(flat, value, span))
    out = Draft(BOOL, span)
    flat.add(DraftAnd(out, given, True, body, cast(Number, holds)))
    return out


_COMPARE = 'write a comparison, `kind == "call"`'


def kinds_of(values: Sequence[Value]) -> Iterator[str]:
    """What values are, for messages, each said once."""
    return iter(dict.fromkeys(map(describe, values)))


def joined(
    flat: Context,
    choice: DraftChoice,
    one: Value,
    other: Value,
    span: Span,
    contents: tuple[Contents, Contents] | None = None,
    moment: Moment | None = None,
) -> Value | None:
    """What is `one` behind the first arm and `other` behind the second.

    None where they are of different shapes. What nobody uses takes any value.
    `contents` are what cells hold at the ends of the arms, at the `moment` behind them.
    """
    if one is other or (isinstance(one, Literal) and one == other):
        return one
    if Special.REFUSED in (one, other):
        return Special.REFUSED
    if (one, other) == (Literal(True), Literal(False)):
        return choice.test
    ends = (one, other)
    if any(map(maybe.is_open, ends)) and Special.UNUSED not in ends:

        def join(a: Value, b: Value) -> Value | None:
            return joined(flat, choice, a, b, span, contents, moment)

        return maybe.joined(one, other, join)
    if isinstance(one, GROUPS) or isinstance(other, GROUPS):
        return _groups(flat, choice, one, other, span, contents, moment)
    if isinstance(one, Dict) or isinstance(other, Dict):
        return _dicts(flat, choice, one, other, span, contents, moment)
    if isinstance(one, Array) or isinstance(other, Array):
        return _arrays(flat, choice, (one, other), span, contents, moment)
    if chosen.is_function(one) or chosen.is_function(other):
        return chosen.joined(
            choice, one, other, lambda a, b: joined(flat, choice, a, b, span)
        )
    if one is Special.UNUSED or other is Special.UNUSED:
        used = other if one is Special.UNUSED else one
        if not isinstance(used, Draft | Literal):
            return used
        if used.type not in FILLERS:
            return None  # nothing has the shape of a whole array that is not there
        filler = FILLERS[used.type]
        one, other = (filler, used) if one is Special.UNUSED else (used, filler)
    if not isinstance(one, Draft | Literal) or not isinstance(other, Draft | Literal):
        return None
    if (one.type is STR) is not (other.type is STR):
        return None
    if len(one.type.shape) != len(other.type.shape):
        return None
    out = _out(choice, one, other, span)
    if out.type.shape:
        flat.views[out] = tuple(v for v in (one, other) if isinstance(v, Draft))
    return out


def _has_shape(value: Value) -> bool:
    """Whether a value is a whole array."""
    return isinstance(value, Draft) and bool(value.type.shape)


def _groups(
    flat: Context,
    choice: DraftChoice,
    one: Value,
    other: Value,
    span: Span,
    contents: tuple[Contents, Contents] | None,
    moment: Moment | None,
) -> Value | None:
    like = one if isinstance(one, GROUPS) else other
    assert isinstance(like, GROUPS)
    kind, site = kind_of(like), like.site if isinstance(like, Group) else None
    sides: list[tuple[Value, ...]] = []
    for value in (one, other):
        if value is Special.UNUSED:
            sides.append((value,) * len(like.items))
        elif not isinstance(value, GROUPS) or kind_of(value) != kind:
            is_array = isinstance(value, Array) or _has_shape(value)
            if is_array and isinstance(like, Group):
                flat.refit(like)
            return None
        else:
            sides.append(value.items)
    if len(sides[0]) != len(sides[1]):
        if isinstance(like, Group) and like.container is Container.LIST:
            flat.refit(like)
        return None
    found = _items(flat, choice, zip(*sides, strict=True), span, contents, moment)
    return None if found is None else regroup(kind, found, site)


def _items(
    flat: Context,
    choice: DraftChoice,
    pairs: Iterable[tuple[Value, Value]],
    span: Span,
    contents: tuple[Contents, Contents] | None,
    moment: Moment | None,
) -> tuple[Value, ...] | None:
    """What is one or the other of each pair; None if a pair does not go together."""
    items = [joined(flat, choice, a, b, span, contents, moment) for a, b in pairs]
    found = tuple(item for item in items if item is not None)
    return found if len(found) == len(items) else None


def _dicts(
    flat: Context,
    choice: DraftChoice,
    one: Value,
    other: Value,
    span: Span,
    contents: tuple[Contents, Contents] | None,
    moment: Moment | None,
) -> Value | None:
    """A dict that is one or the other, entry by entry."""
    like = one if isinstance(one, Dict) else other
    assert isinstance(like, Dict)
    sides: list[tuple[Value, ...]] = []
    for value in (one, other):
        if value is not Special.UNUSED and not like.is_like(value):
            return None
        unused = (Special.UNUSED,) * len(like.items)
        sides.append(value.items if isinstance(value, Dict) else unused)
    found = _items(flat, choice, zip(*sides, strict=True), span, contents, moment)
    identity = like.which(other) if isinstance(other, Dict) else like.identity
    return None if found is None else Dict(like.keys, found, identity)


def _arrays(
    flat: Context,
    choice: DraftChoice,
    ends: tuple[Value, Value],
    span: Span,
    contents: tuple[Contents, Contents] | None,
    moment: Moment | None,
) -> Value | None:
    """An array that is one or the other: a cell of its own, lent by both."""
    held = contents or (flat.heap.held, flat.heap.held)
    used = [end for end in ends if isinstance(end, Array)]
    if len(used) == 1 and Special.UNUSED in ends:
        return _only(flat, choice, used[0], ends[0] in used, held, span, moment)
    one, other = ends
    if any(map(_has_shape, ends)):
        flat.remake(used[0])
    if not isinstance(one, Array) or not isinstance(other, Array):
        return None
    if one.cell is other.cell and one.places == other.places:
        return one
    if not one.is_whole or not other.is_whole:
        return None
    if one.cell.container is not other.cell.container:
        return None
    found = [
        content(end.cell, span) for content, end in zip(held, (one, other), strict=True)
    ]
    first, second = found
    if not isinstance(first, Draft) or not isinstance(second, Draft):
        return Special.REFUSED
    if joint_or_none(first.type, second.type) is None:
        return None
    out = _out(choice, first, second, span)
    where = (one.cell.container, one.cell.span, ())
    made = flat.heap.allocate(out, *where, moment=moment)
    aliases = flat.heap.aliases
    aliases.lend((one.cell, other.cell), made.cell)
    for end in (one, other):
        aliases.look(end.cell, span, aliases.born[made.cell])
    return made


def _only(
    flat: Context,
    choice: DraftChoice,
    end: Array,
    is_first: bool,
    held: tuple[Contents, Contents],
    span: Span,
    moment: Moment | None,
) -> Value | None:
    """An array of one arm, where nobody looks at what the other one leaves."""
    if end.cell.key in flat.heap.names:
        return end  # it is from outside
    content = held[0 if is_first else 1](end.cell, span)
    if not isinstance(content, Draft) or not end.is_whole:
        return Special.REFUSED
    other = choice.orelse if is_first else choice.then
    filler = nothing(other.body, content.type, span)
    pair = (content, filler) if is_first else (filler, content)
    out = _out(choice, *pair, span)
    where = (end.cell.container, end.cell.span, ())
    return flat.heap.allocate(out, *where, moment=moment)


def nothing(body: list[DraftStatement], type_: Type, span: Span) -> Draft:
    """An array without elements that nobody reads, made at the end of a body."""
    sizes = (Literal(0),) * len(type_.dims)
    op = TABLE[MADE[len(sizes)]]
    out = Draft(Type(type_.kind, (0,) * len(sizes)), span)
    body.append(DraftApply(out, op, (FILLERS[Type(type_.kind)], *sizes)))
    return out


def _out(choice: DraftChoice, one: Number, other: Number, span: Span) -> Draft:
    """The result of a choice that is `one` or `other`, of the type that holds both."""
    found = choice.joined.get((one, other))
    if found is None:
        type_ = joint(one.type, other.type)
        found = choice.joined[one, other] = Draft(type_, span)
        found.optional = _may_be_none(choice, one, other)
        choice.outs.append(found)
        for arm, number in ((choice.then, one), (choice.orelse, other)):
            arm.results.append(typed(arm.body, number, type_, span))
    return found


def _may_be_none(choice: DraftChoice, one: Number, other: Number) -> bool:
    """Whether a choice may be None: not by a value that its test finds to be there."""
    told: Number | None = None
    holds = False
    if isinstance(choice.test, Draft) and choice.test.tells is not None:
        told, holds = choice.test.tells
    there = one if holds else other
    return any(
        may_be_none(number) and (number is not told or number is not there)
        for number in (one, other)
    )


def may_be_none(number: Number) -> bool:
    """Whether only a run knows whether a value is None."""
    return isinstance(number, Draft) and number.optional


def joint(one: Type, other: Type) -> Type:
    """The type that holds the numbers of two types, or the arrays of two alike."""
    if one.dims:
        pairs = zip(one.dims, other.dims, strict=True)
        return Type(one.kind, tuple(a if a == b else ANY for a, b in pairs))
    if one.shape and len(one.shape) == len(other.shape):
        axes = zip(one.shape, other.shape, strict=True)
        kind = one.kind if one.kind is other.kind else Kind.FLOAT
        return Type(kind, (), tuple(a if a == b else ANY for a, b in axes))
    return max(one, other, key=_RANK.__getitem__)


def joint_or_none(one: Type, other: Type) -> Type | None:
    """The type that holds the arrays of two types; None where there is none."""
    if one.kind is not other.kind or len(one.dims) != len(other.dims):
        return None
    return joint(one, other)


def typed(
    body: list[DraftStatement], number: Number, wanted: Type, span: Span
) -> Number:
    """A number as one of a type that holds it, made at the end of a body.

    An array that holds no floats is one of floats where that is wanted.
    """
    if number.type == wanted or wanted.dims:
        return number
    if wanted.shape:
        is_other = bool(number.type.shape) and number.type.kind is not wanted.kind
        out = Draft(Type(wanted.kind, (), number.type.shape), span)
        body += [DraftApply(out, TABLE["float"], (number,))] * is_other
        return out if is_other else number
    op = TABLE[_WIDER[number.type, wanted]]
    if isinstance(number, Literal):
        return Literal(op.compute(number.value))
    out = Draft(wanted, span)
    body.append(DraftApply(out, op, (number,)))
    return out
