"""Functions of the file, run in place: inlined, unless they are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from ad_transform.diagnostics import Span
from ad_transform.later import later
from ad_transform.read.arrays.aliased import refuse_aliases
from ad_transform.read.branches.branches import guarded, result
from ad_transform.read.branches.flags import AWAY, RESULT, TRUE
from ad_transform.read.calls.equations import through_function
from ad_transform.read.code import Code
from ad_transform.read.flattening import lending
from ad_transform.read.flattening.outputs import chosen
from ad_transform.read.objects import remembering
from ad_transform.read.project.as_python_has_it import called_at
from ad_transform.read.syntax.in_python import is_in_python
from ad_transform.read.values.callables import Closure
from ad_transform.read.values.frames import Frame, Names
from ad_transform.read.values.values import Special, Value, is_whole

with later():
    from ad_transform.read.calls.passive import made_passive
    from ad_transform.read.iterables import generators

if TYPE_CHECKING:
    from ad_transform.read.flattening.flatten import Flattener


OPERATIONS = 1_000_000
"""Operations after inlining above which a program is refused."""

CALLS = 200
"""Functions that may be running inside one another."""

REENTRIES = 4
"""Times that a function may be running where a run decides whether it is called again:
`g(lambda t: g(abs, t), x)` comes to an end.
"""

LEVELS = 60
"""Times that it may be running where only known values decide that."""

DEEP = 5_000
"""Calls of functions that run so often."""


def enter(
    flat: Flattener, closure: Closure, names: dict[str, Value], span: Span
) -> Value:
    """The result of a function of the file with its parameters bound."""
    code = closure.code
    if is_in_python(code.span) and not is_in_python(span):
        called = "a dict" if code.owner else repr(code.name)
        with called_at(flat.module.shared, called, span):
            return _result(flat, closure, names, span)
    return _result(flat, closure, names, span)


def _result(
    flat: Flattener, closure: Closure, names: dict[str, Value], span: Span
) -> Value:
    if closure.code.gives:
        return generators.made(flat, closure, names, span)
    value = _entered(flat, closure, names, span)
    return made_passive(flat, value, span) if closure.code.passive else value


def _entered(
    flat: Flattener, closure: Closure, names: dict[str, Value], span: Span
) -> Value:
    if flat.keeper is None or flat.equations:
        return inlined(flat, closure, names, span)
    kept = flat.keeper.kept(flat, closure, names, span)
    if kept is not None:
        return kept
    before = flat.count
    value = inlined(flat, closure, names, span)
    is_outermost = len(flat.running) == 1
    flat.keeper.enter(closure.code, flat.count - before, is_outermost)
    return value


def inlined(
    flat: Flattener, closure: Closure, names: dict[str, Value], span: Span
) -> Value:
    """The result of a function that is not kept: its body is run here."""
    code = closure.code
    if code in flat.endless:
        return Special.REFUSED
    again = flat.running.count(code)
    if again >= REENTRIES:
        if again >= LEVELS or not _comes_to_an_end(flat, code):
            return _recursion(flat, code, span)
        flat.deep += 1
    if len(flat.running) >= CALLS:
        message = f"more than {CALLS} functions call one another"
        return flat.refuse("AD004", message, span, "write fewer levels")
    if flat.count >= OPERATIONS:
        return too_large(flat, span)
    quiet = flat.frame.quiet or code in flat.seen
    flat.callers.append(flat.frame)
    frame = flat.frame
    flat.frame = Frame(
        closure.around,
        cast(Names, names),
        len(flat.running) + 1,
        quiet,
        function=code.name if flat.running else "",
        blocks=len(flat.outer),
        given=tuple(value for value in names.values() if is_whole(value)),
        lent=lending.lent(flat, closure, names) if flat.running or flat.is_kept else {},
    )
    flat.running.append(code)
    value = through_function(
        flat, code, names, lambda: _returned(flat, code, span), span
    )
    given, own = flat.frame.lent, flat.frame.names
    ends = {name: lending.at_end(own, name, span) for name in given}
    flat.running.pop()
    flat.callers.pop()
    flat.seen.add(code)
    flat.frame = frame
    lending.give_back(flat, given, ends, span)
    if not flat.running:
        refuse_aliases(flat, value, flat.left or span)
        remembering.refuse_changed(flat)
    return value


def _comes_to_an_end(flat: Flattener, code: Code) -> bool:
    """Whether a function that calls itself comes to an end in every run: it stands in
    no branch or loop of a run, for it goes down a known value, such as a tree of
    tuples.
    """
    last = len(flat.running) - 1 - flat.running[::-1].index(code)
    frame = (*flat.callers, flat.frame)[last + 1]
    return frame.blocks == len(flat.outer) and flat.deep < DEEP


def _returned(flat: Flattener, code: Code, span: Span) -> Value:
    """The value that the body of a function returns."""
    value = flat.run(code.body)
    name = "" if is_in_python(code.span) else code.name
    if name and len(flat.running) > 1:
        _give_none(flat, span)
    returned = result(flat, flat.frame, name, span)
    value = value if returned is None else returned
    if flat.outputs.names and len(flat.running) == 1:
        return chosen(flat, flat.outputs, value)
    return value


def _give_none(flat: Flattener, span: Span) -> None:
    """A function that comes to its end without `return` gives None, as in Python; one
    that is marked returns a value.
    """
    frame = flat.frame
    away = frame.names.get(AWAY)
    if away in (None, TRUE, Special.REFUSED) or frame.hazy:
        return
    if frame.names.get(RESULT, Special.UNUSED) in (Special.UNUSED, Special.NONE):
        return

    def end() -> None:
        frame.bind(RESULT, Special.NONE)
        frame.bind(AWAY, TRUE)

    guarded(flat, cast(Value, away), end, span)


def _recursion(flat: Flattener, code: Code, span: Span) -> Value:
    """Refuse a function that calls itself and cannot be kept (AD120)."""
    last = len(flat.running) - 1 - flat.running[::-1].index(code)
    flat.endless.update(flat.running[last:])
    if flat.keeper is not None:
        flat.keeper.endless.update(flat.running[last:])
        if Special.REFUSED in flat.frame.names.values():
            return Special.REFUSED  # there is another error in its arguments
        if code in flat.keeper.unkept:
            why, help_ = flat.keeper.unkept[code]
            message = f"{code.name!r} calls itself and {why}"
            return flat.refuse("AD120", message, span, help_)
        if code in flat.keeper.faults:
            flat.module.report.extend((flat.keeper.faults[code],))
            return Special.REFUSED
    cycle = " -> ".join(c.name for c in (*flat.running[last:], code))
    message = f"{code.name!r} calls itself: {cycle}"
    help_ = _AS_KEPT
    if flat.equations:
        message += ", where an equation is solved"
        help_ = "write it as a loop, or compute what it gives before the equation"
    elif flat.keeper is not None and not flat.keeper.keeps(code):
        help_ = "leave out `inline=always`, or write it as a loop"
    return flat.refuse("AD120", message, span, help_)


_AS_KEPT = (
    "write it as a loop; or let it return numbers, or change a list that it is given, "
    "`sort(u, first, last)`"
)


def too_large(flat: Flattener, span: Span) -> Value:
    """Refuse a program of too many operations (AD004)."""
    if not flat.is_full:  # said once, or every call on the way out would say it
        flat.is_full = True
        message = f"more than {OPERATIONS} operations when functions are inlined"
        flat.refuse("AD004", message, span, "mark smaller functions")
    return Special.REFUSED
