"""Constructs that no compiled language writes yet, found before anything is written."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from ad_transform.dataclass import replace
from ad_transform.diagnostics import Diagnostic, Span
from ad_transform.emit.compiled.interface import dims_of
from ad_transform.emit.compiled.spelling import Dialect, spelled
from ad_transform.ir.dims import ANY, names
from ad_transform.ir.nodes import (
    Apply,
    Check,
    Function,
    Literal,
    Operand,
    Parameter,
    Passing,
    Print,
    Statement,
    Var,
    walk,
)
from ad_transform.ir.types import Kind

if TYPE_CHECKING:
    from ad_transform.derive.kinds.kinds import Derived

_LOOPS = "write loops over its elements"
_KEEP = "leave the mark out, or keep the target math"
_NUMBER = "write the number"
_REPORT = "leave `report=True` out, and keep it in a file of the target math"
_TELL = "return one list of numbers, or rows as long as a list that is given"


def refusals(
    function: Function,
    dialect: Dialect,
    lists: Collection[str],
    language: str,
    is_inside: bool,
) -> Iterator[Diagnostic]:
    """Refusals for the parts of a function that cannot be written; `lists` are the
    operations on lists that can be. Rows of any length are given back only inside of a
    file.
    """
    found = _found(function, dialect, lists)
    for what, span, way_out in (*found, *(() if is_inside else _unknown(function))):
        message = f"{what} is not written in {language} yet"
        yield Diagnostic("AD033", message, span, way_out)


def all_refusals(
    derived: Derived, dialect: Dialect, lists: Collection[str], language: str
) -> Iterator[Diagnostic]:
    """Refusals for a derived function and for those that it calls."""
    setup = derived.setup.partition("(")[0]
    for function in derived.bundle.functions:
        is_inside = function.name not in (derived.function.name, setup)
        yield from refusals(function, dialect, lists, language, is_inside)


Found = tuple[str, Span | None, str]


def _found(
    function: Function, dialect: Dialect, lists: Collection[str]
) -> Iterator[Found]:
    if function.outside is not None:
        return
    for parameter in function.parameters:
        yield from _of_parameter(parameter)
    if any(result.type.kind is Kind.STR for result in function.results):
        yield "a report, whose rows have texts,", None, _REPORT
    told: set[str] = set()
    for statement in walk(function.body):
        for what, span, way_out in _of_statement(statement, dialect, lists):
            if what not in told:
                told.add(what)
                yield what, span, way_out


def _unknown(function: Function) -> Iterator[Found]:
    """Lists of lists with inner lengths that nobody knows."""
    known = {name for p in function.parameters for v in p.vars for name in _lengths(v)}
    known.discard(ANY)
    for result in function.results:
        inner = Var(replace(result.type, dims=result.type.dims[1:]))
        if inner.type.dims and not known.issuperset(_lengths(inner)):
            span = result.span if isinstance(result, Var) else None
            yield "a list of lists whose lengths no argument tells", span, _TELL


def _of_parameter(parameter: Parameter) -> Iterator[Found]:
    name, spans = parameter.name, [v.span for v in parameter.vars]
    span = spans[0] if spans else None
    if parameter.passing is Passing.MODULE:
        yield f"the constant {name!r}, which only Python computes,", span, _NUMBER


def _of_statement(
    statement: Statement, dialect: Dialect, lists: Collection[str]
) -> Iterator[Found]:
    span = next((out.span for out in statement.outs if out.span), None)
    if any(out.type.kind is Kind.STR and out.type.dims for out in statement.outs):
        yield "a text that changes in a loop", span, "let whole numbers be the states"
    if isinstance(statement, Print):
        yield "`print`", statement.span, "leave it out, or keep the target math"
        return
    if isinstance(statement, Check) or not isinstance(statement, Apply):
        return
    kinds = {a.type.kind for a in statement.args}
    name = statement.op.name
    if name in ("is_none", "is_given"):
        what = "a value that is None in one arm, one trip or one call only"
        yield what, span, "give it a number in the place of None"
        return
    if Kind.STR in kinds:
        if name not in ("eq", "ne"):
            what = f"{_called(statement)} of texts"
            yield what, span, "compare texts as they are given"
        return
    for arg in statement.args:
        if _is_large(arg):
            yield "a whole number of more than 64 bits", span, "write it as a float"
    if statement.op.layout is not None:
        if name not in lists:
            way_out = _LOOPS if statement.op.known_as else _KEEP
            yield _on_a_list(statement), span, way_out
        return
    try:
        spelled(dialect, statement.op, len(statement.args), Kind.FLOAT not in kinds)
    except KeyError:
        way_out = "write it as a function of the file, or keep the target math"
        yield _called(statement), span, way_out


def _is_large(operand: Operand) -> bool:
    value = operand.value if isinstance(operand, Literal) else 0
    return type(value) is int and abs(value) >= 1 << 63


def _called(statement: Apply) -> str:
    """The name of an operation for a user."""
    name, known = statement.op.name.removeprefix("text_"), statement.op.known_as
    return f"`{known[0].removeprefix('builtins.') if known else name}`"


def _on_a_list(statement: Apply) -> str:
    """The name of an operation on a list for a user; those without one serve
    derivatives.
    """
    if statement.op.known_as:
        return _called(statement)
    return f"`{statement.op.spelling('python')}`, which the derivative computes,"


def _lengths(value: Operand) -> tuple[str, ...]:
    """The names of the lengths of an array."""
    dims = dims_of(value)
    return tuple(n for dim in dims for n in ((ANY,) if dim == ANY else names(dim)))
