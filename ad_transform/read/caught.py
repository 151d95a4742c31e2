"""`try`, as functions are flattened: a test before each operation that may fail.

The operations of a statement are made apart first. Those before the first that may fail
come as they are; then a test decides between the handler and the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Literal
from ad_transform.read import branches
from ad_transform.read.code import Attempt, Caught
from ad_transform.read.context import Context
from ad_transform.read.drafts import (
    DraftApply,
    DraftCall,
    DraftCheck,
    DraftStatement,
    walk,
)
from ad_transform.read.exits import falls
from ad_transform.read.values import Draft, Number, Value
from ad_transform.read.ways import run_apart

_ZERO, _VALUE, _RANGE = "ZeroDivisionError", "ValueError", "OverflowError"
_LARGEST = 709.782712893384  # the largest number whose exponential is finite

# fmt: off
_FAILS: dict[str, tuple[str, int, str, float]] = {
    # operation: (exception, where this argument, compared so, with this number, holds)
    "div":      (_ZERO, 1, "eq", 0.0),
    "floordiv": (_ZERO, 1, "eq", 0.0),
    "mod":      (_ZERO, 1, "eq", 0.0),
    "sqrt":     (_VALUE, 0, "lt", 0.0),
    "log":      (_VALUE, 0, "le", 0.0),
    "log2":     (_VALUE, 0, "le", 0.0),
    "log10":    (_VALUE, 0, "le", 0.0),
    "log1p":    (_VALUE, 0, "le", -1.0),
    "acosh":    (_VALUE, 0, "lt", 1.0),
    "exp":      (_RANGE, 0, "gt", _LARGEST),
    "expm1":    (_RANGE, 0, "gt", _LARGEST),
}
_FAILS_BESIDE: dict[str, tuple[str, str, float]] = {  # the same of the size
    "asin":  (_VALUE, "gt", 1.0),
    "acos":  (_VALUE, "gt", 1.0),
    "atanh": (_VALUE, "ge", 1.0),
}
# fmt: on

_ALONE = "write what may fail in a statement of its own, or test for it before"


def attempted(flat: Context, made: Attempt) -> None:
    """`try: ... except ...: ... else: ...`."""

    def part(place: int) -> None:
        if place == len(made.parts):
            flat.perform(made.orelse)
            return
        body = made.parts[place]
        way = run_apart(flat, lambda: flat.perform(body))
        ends = not falls(body)

        def rest() -> None:
            branches.bound(flat, way)
            if not ends:
                part(place + 1)

        _protected(flat, iter(way.body), made, rest)

    part(0)


def _protected(
    flat: Context,
    statements: Iterator[DraftStatement],
    made: Attempt,
    rest: Callable[[], None],
) -> None:
    """Statements in turn, and then the rest; a handler instead of one that fails."""
    for statement in statements:
        found = _failing(flat, statement, made)
        if found is None:
            flat.add(statement)
            continue
        test, handler = found
        is_checked = isinstance(statement, DraftCheck)

        def here(
            statement: DraftStatement = statement, gone: bool = is_checked
        ) -> None:
            if not gone:
                flat.add(statement)
            _protected(flat, statements, made, rest)

        def failed(handler: Caught = handler) -> None:
            flat.perform(handler.body)

        branches.either(flat, test, failed, here, made.span)
        return
    rest()


def _failing(
    flat: Context, statement: DraftStatement, made: Attempt
) -> tuple[Value, Caught] | None:
    """When a statement fails, and the handler that runs then."""
    match statement:
        case DraftApply(op=op, args=args, out=out):
            error, test = _test(flat, op.name, args, out.span or made.span)
            handler = _handler(error, made.handlers)
            if handler is None or test is None:
                return None
            return test(), handler
        case DraftCheck(test=holds, error=error) if isinstance(error, str):
            handler = _handler(error or "AssertionError", made.handlers)
            if handler is None:
                return None
            return _opposite(flat, holds, made.span), handler
        case DraftCall():
            _refuse(flat, f"{statement.callee!r} is kept as a function", made)
            return None
    for inner in walk([statement]):
        if isinstance(inner, DraftCall | DraftCheck) or (
            isinstance(inner, DraftApply)
            and _handler(
                _test(flat, inner.op.name, inner.args, made.span)[0], made.handlers
            )
        ):
            _refuse(flat, "what may fail stands in a loop or an arm", made)
            break
    return None


def _opposite(flat: Context, test: Number, span: Span) -> Value:
    """Where a test does not hold: what it is the opposite of, if it was made as one."""
    last = flat.statements[-1] if flat.statements else None
    if isinstance(last, DraftApply) and last.out is test and last.op.name == "not":
        return last.args[0]
    return flat.operate(TABLE["not"], (test,), span)


def _refuse(flat: Context, why: str, made: Attempt) -> None:
    flat.refuse("AD101", f"`try` is not supported where {why}", made.span, _ALONE)


def _handler(error: str, handlers: Sequence[Caught]) -> Caught | None:
    return next((one for one in handlers if error in one.errors), None)


def _test(
    flat: Context, name: str, args: Sequence[Number], span: Span
) -> tuple[str, Callable[[], Value] | None]:
    """The exception that an operation may raise, and the test whether it does."""
    if name == "pow" and isinstance(args[1], Literal):
        if args[1].value < 0:  # type: ignore[operator]
            return _ZERO, lambda: flat.apply(TABLE["eq"], (args[0], Literal(0.0)), span)
        return "", None
    if name in _FAILS_BESIDE:
        error, how, limit = _FAILS_BESIDE[name]

        def beside() -> Value:
            size = flat.operate(TABLE["abs"], (args[0],), span)
            return flat.operate(TABLE[how], (size, Literal(limit)), span)

        return error, beside
    if name not in _FAILS:
        return "", None
    error, place, how, limit = _FAILS[name]
    argument = args[place]
    if not isinstance(argument, Draft):
        value = argument.value
        assert isinstance(value, int | float)
        if how == "eq" and value:
            return "", None
    elif argument.type.dims:
        return "", None  # numpy does not raise
    return error, lambda: flat.apply(TABLE[how], (argument, Literal(limit)), span)
