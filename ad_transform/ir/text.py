"""The text form of the IR, for eyes, tests and messages; `ir.parse` reads it back.

    function norm primal 1 nest .
    parameter x (%0 x: float) annotation float
    parameter y (%1 y: float) keyword default '2.0'
      %2 xx!: float = mul(%0, %0)
      %3: bool = gt(%2, 0.0)
      %4 r: float = branch %3 (%2, %1)
      then (%5: float, %6: float)
        %7: float = mul(%5, 6.283185307179586{library math.tau})
        give %7
      else (%8: float, %9: float)
        give %9
      give %4

A value is bound as `%number hint: type`, with `!` where the user gave the name, and
read as `%number`. A literal is written as Python's repr, behind it the origin of its
name. Parsing gives the same function but for spans and notes, which belong to the
source's text and are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Call,
    Check,
    Derivative,
    Function,
    Literal,
    Maker,
    Nest,
    Open,
    Operand,
    Origin,
    Parameter,
    Passing,
    Print,
    Record,
    Scan,
    Solve,
    Statement,
    Var,
    While,
)

Line = tuple[Statement | Block | None, str]
"""A line of the text, and the statement or the block (its head, its end) it shows."""

PASSING: dict[Passing, str] = {
    Passing.POSITIONAL_ONLY: " positional",
    Passing.ANY: "",
    Passing.KEYWORD_ONLY: " keyword",
    Passing.MODULE: " module",
}
"""The words of a line `parameter` for the ways of passing."""


def format_function(function: Function) -> str:
    """The text of a function, a line for each statement; linear."""
    return "".join(f"{text}\n" for _, text in lines(function))


def lines(function: Function) -> Iterator[Line]:
    """The lines of the text, each with the node that it shows."""
    names = _Names()
    nest = format_nest(function.nest)
    yield None, f"function {function.name} primal {function.primal} nest {nest}"
    for parameter in function.parameters:
        yield function.block, _parameter(parameter, names)
    if function.outside is not None:
        outside = function.outside
        ways = "".join(f" {way} {name}" for way, name in outside.ways)
        yield None, f"outside {outside.path!r} {outside.name} {outside.called}{ways}"
        return
    waiting = [_block(function.block, names)]
    while waiting:
        indent = "  " * len(waiting)
        for item in waiting[-1]:
            if isinstance(item, Block):
                waiting.append(_block(item, names))
                break
            yield item[0], indent + item[1]
        else:
            waiting.pop()


class _Names:
    """Numbers of values in the order in which they are bound."""

    def __init__(self) -> None:
        self._numbers: dict[Var, int] = {}

    def bind(self, var: Var) -> str:
        number = self._numbers.setdefault(var, len(self._numbers))
        hint = var.hint if var.hint.isidentifier() or not var.hint else repr(var.hint)
        label = hint + "!" * var.named
        return f"%{number}{' ' * bool(label)}{label}: {var.type}"

    def binds(self, group: tuple[Var, ...]) -> str:
        return ", ".join(map(self.bind, group))

    def read(self, operand: Operand) -> str:
        if isinstance(operand, Literal):
            return format_literal(operand)
        number = self._numbers.get(operand)
        # only in the text of a broken function
        return f"%?{operand.hint}" if number is None else f"%{number}"

    def reads(self, group: tuple[Operand, ...]) -> str:
        return f"({', '.join(map(self.read, group))})"


def format_literal(literal: Literal) -> str:
    """The value as its repr, and the origin of its name in braces if it has one."""
    if not literal.name and literal.origin is Origin.NUMBER:
        return repr(literal.value)
    return f"{literal.value!r}{{{literal.origin.value} {literal.name}}}"


def format_nest(nest: Nest) -> str:
    """`.` for a leaf, `tuple(., .)`, `object('x' .)` and the like for a group."""
    if nest.container is None:
        return "."
    items = list(map(format_nest, nest.items))
    if nest.names:
        named = zip(nest.names, items, strict=True)
        items = [f"{name!r} {item}" for name, item in named]
    return f"{nest.container.value}({', '.join(items)})"


def _parameter(parameter: Parameter, names: _Names) -> str:
    parts = [f"parameter {parameter.name} ({names.binds(parameter.vars)})"]
    parts.append(PASSING[parameter.passing])
    if parameter.annotation:
        parts.append(f" annotation {parameter.annotation}")
    if parameter.default is not None:
        parts.append(f" default {parameter.default!r}")
    if not parameter.nest.is_leaf:
        parts.append(f" nest {format_nest(parameter.nest)}")
    return "".join(parts)


# --- blocks ------------------------------------------------------------------------

_Items = Iterator[Line | Block]


def _block(block: Block, names: _Names) -> _Items:
    for statement in block.body:
        yield from _WRITE[type(statement)](statement, names)
    yield block, "give" + " " * bool(block.results) + names.reads(block.results)[1:-1]


def _inner(keyword: str, block: Block, names: _Names) -> _Items:
    yield block, f"{keyword} ({names.binds(block.params)})"
    yield block


def _apply(apply: Apply, names: _Names) -> _Items:
    args = names.reads(apply.args)
    yield apply, f"{names.bind(apply.out)} = {apply.op.name}{args}"


def _branch(branch: Branch, names: _Names) -> _Items:
    reads = f"{names.read(branch.test)} {names.reads(branch.args)}"
    yield branch, f"{names.binds(branch.outs)} = branch {reads}".lstrip()
    yield from _inner("then", branch.then, names)
    yield from _inner("else", branch.orelse, names)


def _scan(scan: Scan, names: _Names) -> _Items:
    bounds = names.reads((scan.start, scan.stop, scan.step))
    groups = (scan.carries, scan.reads, scan.entries)
    reads = f"{bounds} {' '.join(map(names.reads, groups))}"
    way = " backwards" * scan.backwards + _snapshots(scan)
    yield scan, f"{names.binds(scan.outs)} = scan {reads}{way}".lstrip()
    yield from _inner("body", scan.body, names)


def _while(loop: While, names: _Names) -> _Items:
    reads = f"{names.reads(loop.carries)} {names.reads(loop.reads)}"
    held = _snapshots(loop)
    yield loop, f"{names.binds(loop.outs)} = while {reads}{held}".lstrip()
    yield from _inner("test", loop.test, names)
    yield from _inner("body", loop.body, names)


def _snapshots(loop: Scan | While) -> str:
    held = loop.snapshots
    return f" snapshots {held.most} {held.step!r}" if held else ""


def _solve(solve: Solve, names: _Names) -> _Items:
    yield solve, f"{names.binds(solve.outs)} = solve {names.reads(solve.args)}"
    yield from _inner("primal", solve.primal, names)
    yield from _inner("residual", solve.residual, names)


def _call(call: Call, names: _Names) -> _Items:
    reads = names.reads(call.args)
    made = f"{names.binds(call.outs)} = call {call.callee} {reads}".lstrip()
    places = " ".join(map(str, call.changes))
    yield call, f"{made} changes {places}" if places else made


def _record(record: Record, names: _Names) -> _Items:
    yield record, f"{names.bind(record.out)} = record {names.reads(record.args)}"


def _open(opened: Open, names: _Names) -> _Items:
    yield opened, f"{names.binds(opened.outs)} = open {names.reads(opened.inputs)}"


def _check(check: Check, names: _Names) -> _Items:
    name = check.error.name if isinstance(check.error, Maker) else check.error
    error = f" raise {name!r}" if name else ""
    yield check, f"check {names.read(check.test)} {_message(check, names)}{error}"


def _print(said: Print, names: _Names) -> _Items:
    words = "".join(f" {word} {value!r}" for word, value in said.words)
    yield said, f"print {_message(said, names)}{words}"


def _message(said: Check | Print, names: _Names) -> str:
    formats = iter(said.formats)
    message = (
        (
            f"text {m!r}"
            if isinstance(m, str)
            else _shown(names.read(m), next(formats, ""))
        )
        for m in said.message
    )
    return f"({', '.join(message)})"


def _derivative(made: Derivative, names: _Names) -> _Items:
    reads = f"{made.count} {names.reads(made.args)} {names.reads(made.seeds)}"
    yield made, f"{names.binds(made.outs)} = {made.operator} {reads}".lstrip()
    yield from _inner("of", made.block, names)


def _shown(value: str, how: str) -> str:
    return f"{value} as {how!r}" if how else value


_WRITE: dict[type[Statement], Callable[[Any, _Names], _Items]] = {
    Apply: _apply,
    Branch: _branch,
    Scan: _scan,
    While: _while,
    Solve: _solve,
    Call: _call,
    Record: _record,
    Open: _open,
    Check: _check,
    Print: _print,
    Derivative: _derivative,
}
