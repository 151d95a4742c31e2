"""`try`, as functions are flattened: a test before each operation that may fail.

The operations of a statement are made apart first. Those before the first that may fail
come as they are; then a test decides between the handler and the rest.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Sequence
from typing import Any

from ad_transform.dataclass import dataclass
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Apply, Call, Check, Maker, Statement
from ad_transform.ir.nodes import walk as walk_made
from ad_transform.read.branches import branches
from ad_transform.read.branches.faults import faults, holds
from ad_transform.read.branches.flags import AWAY, FALSE, TRUE, flag_of
from ad_transform.read.branches.ways import run_apart
from ad_transform.read.code import ITEMS, Attempt, Caught, Each, Hold, Push, Target
from ad_transform.read.compiling.exits import falls
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.drafts import (
    DraftApply,
    DraftCall,
    DraftCheck,
    DraftStatement,
    walk,
)
from ad_transform.read.machine.snapshots import say_again
from ad_transform.read.values.series import Once, Stream
from ad_transform.read.values.structured import Object
from ad_transform.read.values.values import Value

_ALONE = "write what may fail in a statement of its own, or test for it before"
_BEFORE = "write it in front of the `try`"
_NAMED = "catch only what you expect, by its name, and test for this one before"

_SAID = {
    "ZeroDivisionError": "division by zero",
    "OverflowError": "math range error",
    "IndexError": "index out of range",
}
"""What is said of an operation that fails, where a handler raises that again."""

Failing = tuple[Callable[[], Value], Caught, DraftCheck]
"""The test whether a statement fails, the handler that runs then, what it catches."""


class _Trail(dict[str, Any]):
    """The values of names before an arm, and the number of its statements in front of
    the first change of a value from before.
    """

    def __init__(self, flat: Context) -> None:
        super().__init__()
        self.flat, self.block = flat, len(flat.outer) + 1
        self.start = flat.heap.fields.tick()
        self.changed = math.inf

    def setdefault(self, name: str, before: Any = None) -> Any:
        if name not in self and (before is not None or self._is_field(name)):
            blocks = [*self.flat.outer, self.flat.statements]
            self.changed = min(self.changed, len(blocks[self.block]))
        return super().setdefault(name, before)

    def _is_field(self, name: str) -> bool:
        owner = self.flat.heap.fields.owners.get(name)
        return owner is not None and owner.born < self.start


def attempted(flat: Context, made: Attempt) -> None:
    """`try: ... except ...: ... else: ...`."""

    def part(place: int) -> None:
        if place == len(made.parts):
            flat.perform(made.orelse)
            return
        body = made.parts[place]
        trails: list[_Trail] = []

        def trail() -> _Trail:
            trails.append(_Trail(flat))
            return trails[-1]

        flat.protected += 1
        way = run_apart(flat, lambda: flat.perform(body), trail)
        flat.protected -= 1

        def rest() -> None:
            branches.bound(flat, way)
            if isinstance(body[-1], Hold) and body[-1].name == ITEMS:
                _made_in_trips(flat, made)
            away = flag_of(flat.frame.names.get(AWAY))
            if not falls(body) or away == TRUE:
                return
            if away == FALSE:
                part(place + 1)
            else:
                branches.guarded(flat, away, lambda: part(place + 1), made.span)

        changed = min(one.changed for one in trails)
        _Protected(flat, made, way.body, changed, rest).run(0)

    part(0)


def _made_in_trips(flat: Context, made: Attempt) -> None:
    """Refuse the items of a loop if they are made when the loop is entered or in its
    trips, and may fail: only the loop's own code is protected.
    """
    items = flat.frame.names.get(ITEMS)
    if not isinstance(items, Once | Object | Stream):
        return
    idle = Each(Target(made.span), (), (), made.span, (), False, False)
    saved = flat.snapshot()
    with flat.module.shared.apart():
        way = run_apart(flat, lambda: flat.perform((Push(items), idle)))
    flat.restore(saved)
    say_again(flat)
    protected = _Protected(flat, made, way.body, math.inf, lambda: None)
    if any(map(protected.may_fail, walk(way.body))):
        what = "comprehension" if isinstance(items, Stream) else "generator"
        help_ = f"write the {what}'s loop in its place, or test for it before"
        protected.refuse(f"what a {what} computes may fail", help_)


def _builtin(name: str) -> type[BaseException]:
    found: type[BaseException] = getattr(builtins, name)
    return found


def _errors(statement: Statement) -> list[str | Maker]:
    """The exceptions that a statement of a kept function may raise."""
    if isinstance(statement, Apply):
        return [error for error, _ in faults(statement)]
    if isinstance(statement, Check):
        return [statement.error or "AssertionError"]
    return []


@dataclass(frozen=True, slots=True)
class _Protected:
    """Consecutive statements, and then the rest; a handler runs in place of one that
    fails.

    In front of the statement `changed`, names have the values that the handler expects.
    """

    flat: Context
    made: Attempt
    statements: Sequence[DraftStatement]
    changed: float
    rest: Callable[[], None]

    def run(self, start: int) -> None:
        """Add the statements from a place on."""
        for place in range(start, len(self.statements)):
            failing = self._failing(self.statements[place])
            if failing:
                if place >= self.changed:
                    self.refuse("a statement may fail behind what it changes", _ALONE)
                self._tested(failing, place)
                return
            self.flat.add(self.statements[place])
        self.rest()

    def _tested(self, failing: Sequence[Failing], place: int) -> None:
        """Add the tests of a statement, and the code for a statement that does not
        fail.
        """
        if not failing:
            if not isinstance(self.statements[place], DraftCheck):
                self.flat.add(self.statements[place])
            self.run(place + 1)
            return
        (test, handler, raised), *others = failing
        branches.either(
            self.flat,
            test(),
            lambda: self._handled(handler, raised),
            lambda: self._tested(others, place),
            self.made.span,
        )

    def _failing(self, statement: DraftStatement) -> list[Failing]:
        """The tests of a statement that may fail with their handlers, in Python's
        order.
        """
        match statement:
            case DraftApply():
                return self._of_operation(statement)
            case DraftCheck(error=str(), own=own):
                handler = self._handler(statement)
                if own and handler is not None:
                    self.refuse(own, _BEFORE)
                    return []
                test = lambda: self._opposite(statement)  # noqa: E731
                return [] if handler is None else [(test, handler, statement)]
            case DraftCheck(error=Maker()):
                handler = self._handler(statement)
                test = lambda: self._opposite(statement)  # noqa: E731
                return [] if handler is None else [(test, handler, statement)]
            case DraftCall(callee=callee):
                error = self._raised_in(callee)
                if error is not None:
                    why = f"{callee!r} is kept as a function"
                    why += f", and may raise {error}" if error else ""
                    self.refuse(why, _ALONE)
            case _ if any(map(self.may_fail, walk([statement]))):
                self.refuse("what may fail stands in a loop or an arm", _ALONE)
        return []

    def _of_operation(self, statement: DraftApply) -> list[Failing]:
        args, span = statement.args, statement.out.span or self.made.span
        found: list[Failing] = []
        for error, when in faults(statement):
            handler = self._catching(error)
            if handler is None:
                continue
            if when is None:
                self.refuse(f"{error} may be raised, and is not tested for", _NAMED)
                return []
            test = lambda when=when: holds(self.flat, when, args, span)  # noqa: E731
            said = (_SAID.get(error, "math domain error"),)
            found.append((test, handler, DraftCheck(FALSE, said, (), span, (), error)))
        return found

    def may_fail(self, statement: DraftStatement) -> bool:
        """Whether a statement of a block may raise what a handler catches."""
        match statement:
            case DraftApply():
                return any(self._catching(error) for error, _ in faults(statement))
            case DraftCheck():
                return self._handler(statement) is not None
            case DraftCall(callee=callee):
                return self._raised_in(callee) is not None
        return False

    def _raised_in(self, callee: str) -> str | None:
        """An exception that a kept function, or one that it calls, may raise and a
        handler catches; None if there is none, "" if that is not known.

        That it calls itself too often is not among them.
        """
        waiting, seen = [callee], {callee}
        while waiting:
            function = self.flat.kept_function(waiting.pop())
            if function is None:
                return ""
            for statement in walk_made(function.body):
                if isinstance(statement, Call) and statement.callee not in seen:
                    seen.add(statement.callee)
                    waiting.append(statement.callee)
                for error in _errors(statement):
                    if self._catching(error) is not None:
                        return error if isinstance(error, str) else error.name
        return None

    def _handler(self, check: DraftCheck) -> Caught | None:
        return self._catching(check.error or "AssertionError")

    def _catching(self, error: str | Maker) -> Caught | None:
        """The first handler that catches an exception."""
        known = self.flat.module.shared.raised
        lines = known[error] if isinstance(error, Maker) else (error,)
        raised = [_builtin(e) for e in lines if isinstance(e, str)]
        for one in self.made.handlers:
            if not set(lines).isdisjoint(one.errors):
                return one
            names = [e for e in one.errors if isinstance(e, str)]
            if any(issubclass(e, tuple(map(_builtin, names))) for e in raised):
                return one
        return None

    def _handled(self, handler: Caught, raised: DraftCheck) -> None:
        """A handler, which may raise again what it catches."""
        self.flat.failing.append(raised)
        self.flat.perform(handler.body)
        self.flat.failing.pop()

    def _opposite(self, check: DraftCheck) -> Value:
        """The test that a check fails."""
        of = branches.turned(self.flat, check.test)
        span = self.made.span
        return (
            self.flat.operate(TABLE["not"], (check.test,), span) if of is None else of
        )

    def refuse(self, why: str, help_: str) -> None:
        message = f"`try` is not supported where {why}"
        self.flat.refuse("AD101", message, self.made.span, help_)
