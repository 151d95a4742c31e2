"""The meaning of each instruction of the compact code: the table of the flattener."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Literal
from ad_transform.ir.types import BOOL, STR
from ad_transform.later import later
from ad_transform.read.array_functions.exchanges import exchange
from ad_transform.read.arrays import indexing
from ad_transform.read.branches import maybe
from ad_transform.read.branches.branches import fork
from ad_transform.read.branches.flags import AWAY, BROKEN, RESULT, TRUE
from ad_transform.read.calls.calls import call
from ad_transform.read.calls.equations import through_loop
from ad_transform.read.code import (
    Assert,
    Attempt,
    Attribute,
    Bind,
    Body,
    Call,
    Change,
    ChangeField,
    ChangeItem,
    Choose,
    Closing,
    Collect,
    Compare,
    Contains,
    Define,
    Drop,
    Each,
    Exchange,
    Fail,
    FailAgain,
    Fetch,
    FetchField,
    Fits,
    Forget,
    Fork,
    Gather,
    Give,
    Haze,
    Hold,
    Instruction,
    IsBool,
    IsNone,
    Item,
    Keep,
    Lazy,
    Leave,
    Load,
    MakeCells,
    MakeDict,
    MakeSlice,
    MakeText,
    Operate,
    Pack,
    Print,
    Push,
    Repeat,
    Same,
    Skip,
    Still,
    Store,
    StoreField,
)
from ad_transform.read.containers import sequences
from ad_transform.read.flattening.checks import away, check, fail, fail_again
from ad_transform.read.flattening.part_instructions import (
    attribute,
    change_field,
    change_item,
    contains,
    fetch,
    fetch_field,
    fits,
    item,
    make_dict,
    make_slice,
    pack,
    store,
    store_field,
)
from ad_transform.read.iterables import once
from ad_transform.read.lists.listing import list_of, listed
from ad_transform.read.loops.trip_ends import UNBOUND
from ad_transform.read.machine.binding import bind
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.naming import annotate, named, shown
from ad_transform.read.objects import overloads
from ad_transform.read.values.callables import Closure, Dotted, Method, Partial
from ad_transform.read.values.frames import Frame, Promise, Refusal
from ad_transform.read.values.series import Once, Range, Stream
from ad_transform.read.values.storage import Array, Deque, Distinct, Lists, Rows, Stack
from ad_transform.read.values.structured import Dict, Group, Object
from ad_transform.read.values.values import Draft, Maybe, Special, Value, is_text

with later():
    from ad_transform.read.array_functions.changes import changed
    from ad_transform.read.branches import choices
    from ad_transform.read.branches.caught import attempted
    from ad_transform.read.calls.passive import made_passive
    from ad_transform.read.containers import keyed
    from ad_transform.read.flattening import comparing
    from ad_transform.read.iterables import generators
    from ad_transform.read.iterables.in_turn import gathered
    from ad_transform.read.lists import set_algebra
    from ad_transform.read.loops import unbound
    from ad_transform.read.loops.for_loops import each
    from ad_transform.read.loops.while_loops import repeat
    from ad_transform.read.objects import homes
    from ad_transform.read.texts import (
        shown_texts,
        texts,
    )


def push(flat: Context, i: Push) -> None:
    flat.stack.append(i.value)


def load(flat: Context, i: Load) -> None:
    frame: Frame | None = flat.frame
    for _ in range(i.up):
        frame = frame.around if frame else None
    assert frame is not None
    value = frame.names.get(i.name)
    if isinstance(value, Promise):
        value = maybe.settled(flat.given_here, value.at(i.span))
    elif isinstance(value, Maybe):
        value = maybe.settled(flat.given_here, value)
    if value is None or value is Special.UNBOUND:
        value = Special.REFUSED
        if not frame.hazy:
            message = f"{shown(i.name)} is used before it is bound"
            help_ = "bind it before; it is local, for the function binds it somewhere"
            if frame.loops:
                message = f"{shown(i.name)} may be read before the loop has bound it"
                help_ = UNBOUND
            flat.refuse("AD103", message, i.span, help_)
    if maybe.is_unbound(value):
        value = unbound.read(flat, value, i.name, i.span)
    if isinstance(value, Once):
        value = once.taken(flat, frame, i.name, value, i.span)
    flat.stack.append(value)


def operation(flat: Context, i: Operate) -> None:
    values = flat.pop(i.arity)
    if i.op.name == "not" and _is_no_number(values[0]):
        flat.stack.append(_not(flat, values[0], i.span))
        return
    if isinstance(values[0], Dict):
        values = keyed.opened(flat, i.op.name, values, i.span)
    made: Value | None = None
    if isinstance(values[0], Distinct):
        made = set_algebra.operated(flat, i.op.name, values, i.span)
    elif is_text(values[0]):
        made = shown_texts.joined(flat, i.op.name, values, i.span)
    made = made or overloads.operated(flat, i.op.name, values, i.span)
    if made is None and not i.written:
        made = sequences.literal(i.op, values)
    flat.stack.append(flat.operate(i.op, values, i.span) if made is None else made)


def _is_no_number(value: Value) -> bool:
    """Whether `not` asks if something is empty, None or known: no number of a run."""
    is_open = isinstance(value, Draft) and value.type == STR
    is_known = value is Special.NONE or isinstance(value, Literal)
    return is_open or is_known or keyed.is_one(value) or isinstance(value, _WITH_ITEMS)


_WITH_ITEMS = (
    Group | Array | Rows | Lists | Stack | Deque | Dict | Maybe | Object | Range
)


def _not(flat: Context, items: Value, span: Span) -> Value:
    """Whether something has no items."""
    has_some = choices.truth(flat, items, "`not`", span)
    if isinstance(has_some, Literal):
        return Literal(not has_some.value)
    return flat.operate(TABLE["not"], (has_some,), span)


def change(flat: Context, i: Change) -> None:
    left, right = flat.pop(2)
    made: Value | None = None
    if isinstance(left, Dict):
        keyed.open_changed(flat, i.op.name, left)
    elif isinstance(left, Distinct):
        made = set_algebra.changed(flat, i.op.name, left, right, i.span)
    elif is_text(left):
        made = shown_texts.joined(flat, i.op.name, (left, right), i.span)
    made = made or overloads.changed(flat, i.op.name, (left, right), i.span)
    flat.stack.append(changed(flat, i, left, right) if made is None else made)


def compare(flat: Context, i: Compare) -> None:
    left, right = flat.pop(2)
    flat.stack.append(comparing.chain(flat, i.op, left, right, i.links, i.span))


def boolean(flat: Context, i: Lazy) -> None:
    test = flat.stack.pop()

    def rest() -> Value:
        value = listed(flat, flat.run(i.body), i.span)
        return choices.truth(flat, value, _sign(i), i.span) if i.tests else value

    test = listed(flat, test, i.span)
    if i.tests:
        test = choices.truth(flat, test, _sign(i), i.span)

    result = choices.lazily(flat, test, i.conjunction, rest, i.span)
    flat.stack.append(result)


def conditional(flat: Context, i: Choose) -> None:
    what = "a conditional expression"
    test = choices.truth(flat, listed(flat, flat.stack.pop(), i.span), what, i.span)

    def arm(body: Body) -> Callable[[], Value]:
        def run() -> Value:
            value = flat.run(body)
            return value if isinstance(test, Literal) else listed(flat, value, i.span)

        return run

    made = choices.choose(flat, test, arm(i.then), arm(i.orelse), what, i.span)
    flat.stack.append(made)


def call_function(flat: Context, i: Call) -> None:
    values = flat.pop(len(i.arguments))
    callee = flat.materialise(flat.stack.pop())
    if not isinstance(callee, Dotted | Method | Partial):
        values = [listed(flat, value, i.span) for value in values]
    flat.stack.append(call(flat, callee, i, values))


def define_function(flat: Context, i: Define) -> None:
    values = [once.kept(flat, v, i.code.span) for v in flat.pop(len(i.defaults))]
    defaults = dict(zip(i.defaults, values, strict=True))
    flat.stack.append(Closure(i.code, flat.frame, defaults))


def make_cells(flat: Context, i: MakeCells) -> None:
    unset = (Special.UNSET,) * len(i.of.fields)
    flat.stack.append(flat.heap.fields.made(i.of, unset))


def keep(flat: Context, i: Keep) -> None:
    value = listed(flat, flat.stack[-1], i.span)  # or each use would make it anew
    flat.stack[-1] = named(flat.frame, value, i.name, ())
    flat.frame.bind(i.name, flat.stack[-1])
    if isinstance(flat.stack[-1], Once):
        once.use_up(flat, flat.frame, flat.stack[-1])


def bind_targets(flat: Context, i: Bind) -> None:
    value, notes = flat.stack.pop(), i.notes
    if any(target.items for target in i.targets):
        if isinstance(value, Object):
            value = generators.iterated(flat, value, i.targets[0].span)
        value = list_of(flat, once.opened(value))
    value = listed(flat, value, i.targets[0].span)
    for target in i.targets:
        if bind(flat, flat.frame, target, value, notes):
            notes = ()


def hold(flat: Context, i: Hold) -> None:
    flat.frame.bind(i.name, flat.stack.pop())


def forget(flat: Context, i: Forget) -> None:
    """`del name`: a read of it from here on is refused."""

    def deleted(span: Span) -> Value:
        message = f"{i.name!r} is read after `del {i.name}`"
        return flat.refuse("AD103", message, span, "leave out the `del`")

    flat.frame.bind(i.name, Refusal(deleted, (Special.REFUSED,)))


def leave(flat: Context, i: Leave) -> None:
    value = listed(flat, flat.stack.pop(), i.span)
    frame = flat.frame
    if frame.depth > 1 or frame.trail:
        annotate(frame, value, i.notes)
    flat.left, flat.parting = i.span, () if frame.trail else i.notes
    frame.bind(RESULT, value)
    away(flat)


def give(flat: Context, i: Give) -> None:
    flat.stack.pop()
    message = "a generator is not differentiated"
    help_ = "mark a function that loops over it"
    flat.refuse("AD102", message, i.span, help_)
    flat.frame.hazy = True


def collect(flat: Context, i: Collect) -> None:
    i.take(flat.stack.pop())


def skip(flat: Context, i: Skip) -> None:
    flat.frame.bind(AWAY, TRUE)
    if i.breaks:
        flat.frame.bind(BROKEN, TRUE)


def comprehension(flat: Context, i: Gather) -> None:
    over, frame = _gone_through(flat, i.span), flat.frame

    def items() -> Value:
        made = gathered(flat, over, i)
        return indexing.made(flat, made, i.span) if isinstance(made, Group) else made

    if i.lazy and over is not Special.REFUSED:
        flat.stack.append(once.generator(flat, Stream(i, over, frame), items))
    else:
        flat.stack.append(items())


def _gone_through(flat: Context, span: Span) -> Value:
    """The value that a loop or a comprehension goes over, taken from the stack."""
    over = maybe.certain(flat, flat.stack.pop(), span)
    over = homes.as_dict(flat, over, span)
    return generators.iterated(flat, texts.characters(flat, over, span), span)


def for_loop(flat: Context, i: Each) -> None:
    over = _gone_through(flat, i.span)
    through_loop(flat, i, lambda: each(flat, over, i))


def while_loop(flat: Context, i: Repeat) -> None:
    through_loop(flat, i, lambda: repeat(flat, i))


def branch(flat: Context, i: Fork) -> None:
    fork(flat, listed(flat, flat.stack.pop(), i.span), i)


def attempt(flat: Context, i: Attempt) -> None:
    attempted(flat, i)


def closing(flat: Context, i: Closing) -> None:
    if flat.protected:
        message = "`finally` inside of a `try` with handlers is not supported"
        help_ = "write what it does into the handlers, and behind the `try`"
        flat.refuse("AD101", message, i.span, help_)


def same(flat: Context, i: Same) -> None:
    left, right = flat.pop(2)
    flat.stack.append(comparing.is_same(flat, left, right, i.negated, i.span))


def is_none(flat: Context, i: IsNone) -> None:
    value = flat.stack.pop()
    if isinstance(value, Draft) and value.optional:
        value.asked = True
        op = TABLE["is_given" if i.negated else "is_none"]
        test = flat.apply(op, (value,), i.span)
        if isinstance(test, Draft):
            test.tells = value, i.negated
        value = test
    elif isinstance(value, Maybe):
        value = maybe.tested(flat, value, i.negated, i.span)
    elif value is not Special.REFUSED:
        value = Literal((value is Special.NONE) is not i.negated)
    flat.stack.append(value)


def is_bool(flat: Context, i: IsBool) -> None:
    value = flat.stack.pop()
    test = maybe.where_given(flat, value, lambda one: _is_bool(flat, i, one), i.span)
    flat.stack.append(test)


def _is_bool(flat: Context, i: IsBool, value: Value) -> Value:
    if isinstance(value, Draft | Literal) and value.type == BOOL:
        return value if i.wanted else flat.operate(TABLE["not"], (value,), i.span)
    return value if value is Special.REFUSED else Literal(False)


def still(flat: Context, i: Still) -> None:
    flat.stack.append(made_passive(flat, flat.stack.pop(), i.span))


def make_text(flat: Context, i: MakeText) -> None:
    shown_texts.make(flat, i)


def drop(flat: Context, i: Drop) -> None:
    if flat.stack.pop() is Special.REFUSED:  # perhaps a `yield`
        flat.frame.hazy = True


def say(flat: Context, i: Print) -> None:
    flat.printer(flat, i)


def haze(flat: Context, i: Haze) -> None:
    flat.frame.hazy = True


def _sign(i: Lazy) -> str:
    return "`and`" if i.conjunction else "`or`"


RUN: dict[type[Instruction], Callable[[Context, Any], None]] = {
    Push: push,
    Load: load,
    Operate: operation,
    Change: change,
    ChangeItem: change_item,
    Compare: compare,
    Lazy: boolean,
    Call: call_function,
    Pack: pack,
    MakeDict: make_dict,
    MakeText: make_text,
    Item: item,
    MakeSlice: make_slice,
    Fetch: fetch,
    Store: store,
    FetchField: fetch_field,
    ChangeField: change_field,
    StoreField: store_field,
    Contains: contains,
    Choose: conditional,
    Attribute: attribute,
    Define: define_function,
    MakeCells: make_cells,
    Keep: keep,
    Bind: bind_targets,
    Exchange: exchange,
    Hold: hold,
    Forget: forget,
    Fits: fits,
    Drop: drop,
    Leave: leave,
    Give: give,
    Collect: collect,
    Fail: fail,
    FailAgain: fail_again,
    Fork: branch,
    Attempt: attempt,
    Closing: closing,
    Skip: skip,
    Gather: comprehension,
    Each: for_loop,
    Repeat: while_loop,
    IsNone: is_none,
    Same: same,
    IsBool: is_bool,
    Still: still,
    Assert: check,
    Print: say,
    Haze: haze,
}
